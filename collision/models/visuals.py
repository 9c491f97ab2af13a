"""What the links of a model look like: their visual shapes as triangles, which nothing is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.base.files import shown_path
from collision.models.meshes import MeshError, MeshReader, check_size
from collision.models.model import Skipped, VisualMesh
from collision.models.urdf import PRIMITIVES, LinkPart, read_parts

#: So many corners are around a cylinder, a capsule or a sphere; a multiple of 4.
_SIDES = 48


def read_visuals(file: Path, meshes: MeshReader) -> tuple[tuple[VisualMesh, ...], list[Skipped]]:
    """Return the visual shapes of a URDF file, one mesh for each link that has some, and what could not be read."""
    skipped: list[Skipped] = []
    return joined_by_link(_of_urdf(file, meshes, skipped)), skipped


def joined_by_link(found: Iterable[tuple[str, FloatArray, IntArray]]) -> tuple[VisualMesh, ...]:
    """Return meshes, each with its link, as one for each link."""
    links: dict[str, list[tuple[FloatArray, IntArray]]] = {}
    for link, points, triangles in found:
        links.setdefault(link, []).append((points, triangles))
    return tuple(VisualMesh(link, *joined(parts)) for link, parts in links.items())


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
        with np.errstate(over="ignore"):
            points = points * part.scale
        if np.prod(part.scale) < 0.0:
            triangles = triangles[:, ::-1]  # seen in a mirror, they still have their corners in order from outside
    elif part.tag in PRIMITIVES:
        points, triangles = _solid(part.tag, part.scale)
    else:
        raise MeshError(f"{', '.join(PRIMITIVES)} and mesh are shown, and a {part.tag} is none of them")
    check_size(points, f"{shown_path(part.mesh)} in its scale" if part.tag == "mesh" else f"the {part.tag}")
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
