"""What the links of a model look like: their visual shapes as triangles, which nothing is compared with."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.models.loading import check_file, folders_of
from collision.models.meshes import MeshError, MeshReader
from collision.models.model import Skipped
from collision.models.urdf import PRIMITIVES, LinkPart, read_parts
from collision.models.xml import root_tag

#: So many corners are around a cylinder, a capsule or a sphere; a multiple of 4.
_SIDES = 48


class VisualMesh(NamedTuple):
    """What a link looks like.

    Attributes
    ----------
    link : str
        The link.
    points : ndarray, shape (n, 3)
        In the frame of the link.
    triangles : ndarray of int, shape (m, 3)
        Which of the points each triangle has.
    outside : bool, optional
        Whether `audit_model` found them outside all collision shapes of the link; None where it was not asked.
    """

    link: str
    points: FloatArray
    triangles: IntArray
    outside: bool | None = None


class Visuals(NamedTuple):
    """The visual shapes of a model, one mesh for each link that has some, and what of them could not be read."""

    meshes: tuple[VisualMesh, ...]
    skipped: tuple[Skipped, ...]


def read_visuals(
    path: str | os.PathLike[str], *, packages: Mapping[str, str | os.PathLike[str]] = MappingProxyType({})
) -> Visuals:
    r"""Return what the links of a URDF or MJCF model look like as triangles, with meshes as `load_model` finds them.

    Of MJCF these are all meshes of a body, those that are compared as hulls, too.

    Parameters
    ----------
    path : path-like
        A ``.urdf``, ``.xml`` or ``.mjcf`` file.
    packages : mapping of str to path-like
        As of `load_model`.

    Examples
    --------
    >>> import tempfile
    >>> visual = '<visual><geometry><mesh filename="tip.obj" scale="2 2 2"/></geometry></visual>'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "tip.obj").write_text("v 0 0 0\nv 3 0 0\nv 0 0.5 0\nf 1 2 3\n")
    ...     file = Path(folder, "arm.urdf")
    ...     _ = file.write_text(f'<robot name="arm"><link name="tip">{visual}</link></robot>')
    ...     ((tip,), skipped) = read_visuals(file)
    >>> tip.link, tip.points[tip.triangles[0, 1]], skipped
    ('tip', array([6., 0., 0.]), ())
    """
    file, folders = Path(path), folders_of(packages)
    check_file(file)
    skipped: list[Skipped] = []
    found: Iterator[tuple[str, FloatArray, IntArray]]
    if file.suffix.lower() == ".urdf" or root_tag(file) == "robot":
        found = _of_urdf(file, MeshReader(file, folders), skipped)
    else:
        from collision.models.mujoco import visual_meshes

        found = visual_meshes(file)
    links: dict[str, list[tuple[FloatArray, IntArray]]] = {}
    for link, points, triangles in found:
        links.setdefault(link, []).append((points, triangles))
    return Visuals(tuple(VisualMesh(link, *joined(parts)) for link, parts in links.items()), tuple(skipped))


def _of_urdf(file: Path, meshes: MeshReader, skipped: list[Skipped]) -> Iterator[tuple[str, FloatArray, IntArray]]:
    for link, (visuals, _) in read_parts(file).items():
        for part in visuals:
            try:
                yield link, *triangles_of(part, meshes)
            except MeshError as error:
                skipped.append(Skipped(link, f"visual {part.tag}", str(error)))


def triangles_of(part: LinkPart, meshes: MeshReader) -> tuple[FloatArray, IntArray]:
    """Return a visual shape as points (n, 3) in the frame of its link, and triangles (m, 3) of these.

    A `MeshError` says why a mesh cannot be had, or that the shape is none.
    """
    if part.tag == "mesh":
        mesh = meshes.mesh(part.mesh)
        points, triangles = np.asarray(mesh.vertices, dtype=np.float64), np.asarray(mesh.faces, dtype=np.int64)
        points = points * part.scale
        if np.prod(part.scale) < 0.0:
            triangles = triangles[:, ::-1]  # seen in a mirror, they still have their corners in order from outside
    elif part.tag in PRIMITIVES:
        points, triangles = _solid(part.tag, part.scale)
    else:
        raise MeshError(f"{', '.join(PRIMITIVES)} and mesh are shown, and a {part.tag} is none of them")
    return part.place.apply(points), triangles


def _solid(kind: str, half_sizes: tuple[float, ...]) -> tuple[FloatArray, IntArray]:
    """Return a primitive about the origin: a box as it is, a round one inscribed, as a section turned about z."""
    ring = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
    section = np.array([[0.0, -1.0], [1.0, -1.0], [1.0, 1.0], [0.0, 1.0]])  # distance from z, height
    if kind != "box":
        angles = np.linspace(0.0, 2.0 * np.pi, _SIDES, endpoint=False)
        ring = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    if kind in ("sphere", "capsule"):
        angles = np.linspace(0.0, 0.5 * np.pi, _SIDES // 4 + 1)
        upper = np.stack([np.append(np.cos(angles[:-1]), 0.0), np.sin(angles)], axis=-1)
        section = np.concatenate([upper[::-1] * [1.0, -1.0], upper])
    heights = np.broadcast_to(section[:, None, 1:], (len(section), len(ring), 1))
    points = np.concatenate([section[:, None, :1] * ring, heights], axis=-1)
    points = points * (half_sizes[0] if kind == "capsule" else half_sizes)
    if kind == "capsule":
        points[:, :, 2] += np.repeat([-half_sizes[2], half_sizes[2]], len(section) // 2)[:, None]
    points, index = points.reshape(-1, 3), np.arange(points.size // 3).reshape(len(section), -1)
    beside = np.roll(index, -1, axis=1)
    halves = (index[:-1], beside[:-1], beside[1:]), (index[:-1], beside[1:], index[1:])
    triangles = np.concatenate([np.stack(half, axis=-1).reshape(-1, 3) for half in halves])
    corners = points[triangles]
    flat = (corners == np.roll(corners, 1, axis=1)).all(axis=-1).any(axis=-1)  # where the section begins and ends
    return points, triangles[~flat]


def joined(parts: Sequence[tuple[FloatArray, IntArray]]) -> tuple[FloatArray, IntArray]:
    """Return meshes as one."""
    starts = np.cumsum([0, *(len(points) for points, _ in parts)])
    triangles = [own + start for (_, own), start in zip(parts, starts, strict=False)]
    return np.concatenate([points for points, _ in parts]), np.concatenate(triangles)
