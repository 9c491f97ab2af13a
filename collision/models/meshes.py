"""The meshes that a URDF file names: where their files are, what is in them, and their convex hulls."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree

import numpy as np

from collision.base.fields import LARGEST, SMALLEST, FloatArray, IntArray
from collision.base.files import shown_path
from collision.models.covers import cover
from collision.models.words import plain_name
from collision.models.xml import NUMBER, quoted
from collision.shapes.kinds import ConvexHull

#: No mesh is larger: bytes of a file.
_MOST_BYTES = 1 << 28

#: Endings of files of meshes.
_SUFFIXES = (".stl", ".obj", ".dae", ".ply")

#: Elements of COLLADA that only say what things look like.
_LOOKS = {"library_images", "library_effects", "library_materials", "library_lights", "library_cameras",
          "library_animations", "bind_material", "instance_light", "instance_camera"}  # fmt: skip

#: Hulls of more corners become hulls of so many around them. Two of 64 take some 2 microseconds of one core where they
#: are apart, and 20 where they overlap; of 256 they take 15 and 160.
MOST_CORNERS = 64


class MeshError(ValueError):
    """A mesh cannot be had; the text says why, in one line."""


def need_trimesh() -> Any:
    """Return trimesh, which reads meshes; a `MeshError` says how to get it."""
    try:
        import trimesh
    except ImportError as error:
        how = f"it comes with the extra robots: {sys.executable} -m pip install trimesh pycollada"
        raise MeshError(f"reading a mesh takes trimesh ({error}); {how}") from error
    if not (log := logging.getLogger("trimesh")).handlers:
        log.addHandler(logging.NullHandler())  # what it logs of broken files would go to stderr, with tracebacks
    return trimesh


class MeshHull(NamedTuple):
    """The hull that a mesh is compared as, and how far it reaches out of the convex hull of the mesh at most."""

    shape: ConvexHull
    excess: float


def hull_of(points: FloatArray, most_corners: int = MOST_CORNERS) -> MeshHull:
    """Return the convex hull of points (n, 3), or one of few corners around it."""
    corners, excess = cover(points, most_corners)
    return MeshHull(ConvexHull(corners), excess)


@dataclass
class MeshReader:
    """Reads the meshes of one model, each file once; the model is the file that names them.

    `packages` are the folders of packages by name. Others are looked for in the folders that ROS_PACKAGE_PATH and
    AMENT_PREFIX_PATH list, and in those above the model.
    """

    model: Path
    packages: Mapping[str, Path]
    _meshes: dict[Path, Any] = field(default_factory=dict)
    _hulls: dict[tuple[Path, tuple[float, ...]], MeshHull] = field(default_factory=dict)

    def mesh(self, name: str) -> Any:
        """Return a mesh as trimesh has it, in metres, without a scale of the model; a `MeshError` says why not."""
        file = find_mesh(name, self.model, self.packages)
        if file not in self._meshes:
            try:
                self._meshes[file] = _read(file)
            except MeshError as error:
                self._meshes[file] = error
        found = self._meshes[file]
        if isinstance(found, MeshError):
            raise found
        return found

    def hull(self, name: str, scale: tuple[float, ...]) -> MeshHull:
        """Return the convex hull of a mesh, or one around it, in the frame of the mesh."""
        key = find_mesh(name, self.model, self.packages), scale
        if key not in self._hulls:
            with np.errstate(over="ignore"):
                points = surface_points(self.mesh(name)) * scale
            check_size(points, f"{shown_path(key[0].name)} in its scale")
            self._hulls[key] = hull_of(points)
        return self._hulls[key]


def check_size(points: FloatArray, which: str) -> None:
    """Refuse points that are farther away, or nearer to each other, than those of shapes may be."""
    size = float(np.abs(points).max())
    if size and not SMALLEST <= size <= LARGEST:
        raise MeshError(f"{which} must have a largest coordinate from 1e-72 to 1e72, or zero, got {size:g}")


def surface_points(mesh: Any) -> FloatArray:
    """Return the points that a mesh's triangles have, (n, 3)."""
    points: FloatArray = np.asarray(mesh.vertices, dtype=np.float64)[np.unique(mesh.faces)]
    return points


def _read(path: Path) -> Any:
    if path.suffix.lower() not in _SUFFIXES:
        raise MeshError(f"a mesh is a {', '.join(_SUFFIXES)} file, got {shown_path(path.name)}")
    trimesh = need_trimesh()
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ValueError(f"it is larger than {_MOST_BYTES >> 20} MiB")
        match path.suffix.lower():
            case ".obj":
                mesh = trimesh.Trimesh(*_read_obj(path), process=False)
            case ".dae":
                mesh = _read_dae(trimesh, path)
            case _:
                mesh = trimesh.load_scene(path, process=False).to_mesh()
        for name, part in getattr(mesh, "metadata", {}).get("_ply_raw", {}).items():
            for rows in part.get("data", {}).values():
                if len(rows) != part["length"]:
                    raise ValueError(f"it has {len(rows)} of {part['length']} elements called {name}")
        if not len(getattr(mesh, "faces", ())):
            raise ValueError("it has no triangles")
        if not np.all(np.isfinite(mesh.vertices)):
            raise ValueError("it has points that are not finite")
        if np.abs(mesh.vertices).max() <= LARGEST:  # no difference of larger ones can be told
            mesh.merge_vertices(merge_norm=True, merge_tex=True)
    except Exception as error:  # a reader of broken files may raise anything
        words = plain_name(str(error).strip().partition("\n")[0]) or type(error).__name__
        raise MeshError(f"{shown_path(path.name)} is no mesh that can be read: {words}") from error
    return mesh


def _read_obj(path: Path) -> tuple[FloatArray, IntArray]:
    """Return the points (n, 3) and triangles (m, 3) of a Wavefront file; trimesh leaves out what it does not expect."""
    points, triangles = list[list[float]](), list[tuple[int, ...]]()
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, 1):
            text = line
            while text.endswith("\\\n"):  # it goes on in the next line
                text = text[:-2] + next(lines, "")
            kind, *words = text.split() or ("",)
            try:
                if kind == "v":
                    points.append(list(map(float, (words[0], words[1], words[2]))))
                elif kind == "f":
                    given = [int(word.partition("/")[0]) for word in words]
                    corners = [len(points) + index if index < 0 else index - 1 for index in given]
                    if len(corners) < 3 or min(corners) < 0:
                        raise ValueError
                    triangles += [(corners[0], *pair) for pair in pairwise(corners[1:])]
            except (ValueError, IndexError) as error:
                wanted = "three numbers" if kind == "v" else "three points or more"
                raise ValueError(
                    f"line {number}: {kind} takes {wanted}, got {plain_name(line.strip())[:40]}"
                ) from error
    if triangles and (last := max(map(max, triangles))) >= len(points):
        raise ValueError(f"it has {len(points)} points, and a face names point {last + 1}")
    return np.array(points, dtype=np.float64).reshape(-1, 3), np.array(triangles, dtype=np.int64).reshape(-1, 3)


def _read_dae(trimesh: Any, path: Path) -> Any:
    """Return the mesh of a COLLADA file, in metres; looks may be broken in it, and all else must be whole."""
    root = ElementTree.parse(path).getroot()
    meter = "1"
    for parent in list(root.iter()):
        for child in list(parent):
            match child.tag.rpartition("}")[2]:
                case tag if tag in _LOOKS:
                    parent.remove(child)
                case "instance_controller":
                    raise ValueError("it has an <instance_controller>, and skins are not read")
                case "unit":
                    meter = child.get("meter", "1")
    if not (NUMBER.fullmatch(meter) and 0.0 < float(meter) <= LARGEST):
        raise ValueError(f"<unit>: meter must be a number above zero, got {quoted(meter)}")
    text = BytesIO(ElementTree.tostring(root))
    mesh = trimesh.load_scene(text, file_type="dae", process=False, ignore_broken=False).to_mesh()
    return mesh.apply_scale(float(meter)) if len(getattr(mesh, "faces", ())) else mesh


def find_mesh(name: str, model: Path, packages: Mapping[str, Path]) -> Path:
    """Return the file that a model means; a `MeshError` says where it was looked for.

    Parameters
    ----------
    name : str
        A path, relative to the model's folder or one above it, or absolute; ``file://`` and a path; or
        ``package://``, the name of a package, and a path in it.
    model : Path
        The file that names it.
    packages : mapping of str to Path
        The folders of packages. Others are looked for in the folders that ROS_PACKAGE_PATH and AMENT_PREFIX_PATH list,
        and in those above the model.
    """
    scheme, mark, rest = name.strip().partition("://")
    if not mark:
        places = _by_path(name.strip(), model)
    elif scheme == "file":
        places = _by_path(unquote(rest), model)
    elif scheme in ("package", "model"):
        if rest.partition("/")[0] in ("", ".", ".."):
            raise MeshError(f"expected {scheme}://NAME/PATH, got {quoted(name)}")
        places = _in_package(unquote(rest), model, packages)
    else:
        raise MeshError(f"{shown_path(name)} is not fetched: expected package://, file:// or a path")
    tried = []
    for place in places:
        try:
            if place.is_file():
                return place
        except (OSError, ValueError):  # a name that is too long, or has a null character in it
            continue
        tried.append(place.parent)
    where = f"looked in {shown_path(tried[0])}" if tried else "no place to look"
    more = f" and {len(tried) - 1} more" if len(tried) > 1 else ""
    how = f"; say where it is with --package {rest.partition('/')[0]}=FOLDER" if scheme in ("package", "model") else ""
    raise MeshError(f"there is no file {shown_path(name)} ({where}{more}){how}")


def _above(model: Path) -> Iterator[Path]:
    return iter(model.resolve().parents)


def _by_path(path: str, model: Path) -> Iterator[Path]:
    if Path(path).is_absolute():
        yield Path(path)
        return
    for folder in _above(model):
        yield folder / path


def _in_package(path: str, model: Path, packages: Mapping[str, Path]) -> Iterator[Path]:
    package, _, inside = path.partition("/")
    if package in packages:
        yield packages[package] / inside
        return
    for folder in map(Path, filter(None, os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep))):
        if folder.name == package:
            yield folder / inside
        yield folder / package / inside
    for folder in map(Path, filter(None, os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep))):
        yield folder / "share" / package / inside
    for folder in _above(model):
        if folder.name == package:
            yield folder / inside
        yield folder / package / inside
