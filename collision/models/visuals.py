"""What the links of a model look like: their visual meshes as triangles, which nothing is compared with."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.models.loading import check_file, folders_of
from collision.models.meshes import MeshError, MeshReader
from collision.models.model import Skipped
from collision.models.urdf import read_parts
from collision.models.xml import root_tag


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
    """

    link: str
    points: FloatArray
    triangles: IntArray


class Visuals(NamedTuple):
    """The visual meshes of a model, one for each link that has some, and what of them could not be read."""

    meshes: tuple[VisualMesh, ...]
    skipped: tuple[Skipped, ...]


def read_visuals(
    path: str | os.PathLike[str], *, packages: Mapping[str, str | os.PathLike[str]] = MappingProxyType({})
) -> Visuals:
    r"""Return the visual meshes of the links of a URDF or MJCF model, as `load_model` finds them.

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
    if file.suffix.lower() == ".urdf" or root_tag(file) == "robot":
        found = [*_of_urdf(file, MeshReader(file, folders), skipped)]
    else:
        from collision.models.mujoco import visual_meshes

        found = [VisualMesh(*mesh) for mesh in visual_meshes(file)]
    links: dict[str, list[tuple[FloatArray, IntArray]]] = {}
    for link, points, triangles in found:
        links.setdefault(link, []).append((points, triangles))
    return Visuals(tuple(VisualMesh(link, *_joined(parts)) for link, parts in links.items()), tuple(skipped))


def _of_urdf(file: Path, meshes: MeshReader, skipped: list[Skipped]) -> Iterator[VisualMesh]:
    for link, (visuals, _) in read_parts(file).items():
        for part in visuals:
            if part.tag != "mesh":
                skipped.append(Skipped(link, f"visual {part.tag}", "only visual meshes are shown"))
                continue
            try:
                mesh = meshes.mesh(part.mesh)
            except MeshError as error:
                skipped.append(Skipped(link, "visual mesh", str(error)))
                continue
            points = part.place.apply(np.asarray(mesh.vertices, dtype=np.float64) * part.scale)
            yield VisualMesh(link, points, np.asarray(mesh.faces, dtype=np.int64))


def _joined(parts: list[tuple[FloatArray, IntArray]]) -> tuple[FloatArray, IntArray]:
    """Return meshes as one."""
    starts = np.cumsum([0, *(len(points) for points, _ in parts)])
    triangles = [own + start for (_, own), start in zip(parts, starts, strict=False)]
    return np.concatenate([points for points, _ in parts]), np.concatenate(triangles)
