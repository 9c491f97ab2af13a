"""Where the files of meshes are that a URDF file names."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

from collision.base.files import shown_path


def find_mesh(name: str, model: Path, packages: Mapping[str, Path]) -> Path | str:
    """Return the file that a model means, or a sentence that says where it was looked for.

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
        places = _in_package(unquote(rest), model, packages)
    else:
        return f"{shown_path(name)} is not fetched: expected package://, file:// or a path"
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
    return f"there is no file {shown_path(name)} ({where}{more}){how}"


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
