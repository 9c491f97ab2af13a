"""From a scene to the text of a scene file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from collision.base.fields import FloatArray
from collision.base.files import write_bytes
from collision.files.errors import Problem, SceneFileError
from collision.files.models import KIND_NAMES, SHAPE_TABLES
from collision.files.toml import array, dotted, inline, key_text, paragraph
from collision.scene.expectations import Expectation
from collision.scene.name_groups import NameGroup
from collision.scene.scene import Scene
from collision.scene.shows import Camera, Show
from collision.shapes.kinds import Shape
from collision.shapes.motion import Motion


def dump_scene(scene: Scene) -> str:
    """Return a scene as the text of a scene file, which reads back as an equal scene, to the last bit.

    A capsule is written by its ends, a box by the matrix of its axes, whatever the file once read had. A
    `SceneFileError` is raised if a number is not finite.

    Examples
    --------
    >>> from collision import Scene, Sphere
    >>> print(dump_scene(Scene({"ball": Sphere([0, 0, 1], 0.5)}, title="One ball")))
    title = "One ball"
    <BLANKLINE>
    [shapes.ball]
    kind = "sphere"
    center = [0.0, 0.0, 1.0]
    radius = 0.5
    <BLANKLINE>
    """
    tables = ["\n".join(f"{key} = {value}" for key, value in _head_values(scene).items())]
    if scene.camera is not None:
        tables.append(table_text("[camera]", camera_values(scene.camera)))
    tables += (
        table_text(f"[{dotted(('shapes', name))}]", shape_values(name, shape)) for name, shape in scene.shapes.items()
    )
    if not scene.shapes:
        tables.append("[shapes]")
    tables += (table_text("[[show]]", show_values(show)) for show in scene.shows)
    tables += (table_text("[[motion]]", motion_values(motion)) for motion in scene.motion)
    if scene.name_groups:
        tables.append(table_text("[groups]", group_values(scene.name_groups)))
    tables += (table_text("[[expect]]", expectation_values(promise)) for promise in scene.expectations)
    return "\n\n".join(filter(None, tables)) + "\n"


def save_scene(scene: Scene, path: str | os.PathLike[str]) -> None:
    """Write a scene file, whole or not at all: whatever fails, an old file stays as it was.

    Parameters
    ----------
    scene : Scene
        What to write; see `dump_scene`.
    path : path-like
        Where; a link is followed.
    """
    source = os.fspath(path)
    try:
        write_bytes(source, dump_scene(scene).encode("utf-8"))
    except UnicodeEncodeError as error:
        wrong = f"a text in the scene has a character that UTF-8 cannot hold: {error.object[error.start]!r}"
        raise SceneFileError(source, [Problem((), wrong)]) from error
    except OSError as error:
        raise SceneFileError(source, [Problem((), f"the file cannot be written: {error.strerror}")]) from error


def expectation_text(promise: Expectation) -> str:
    """Return a promise as a table of a scene file.

    Examples
    --------
    >>> from collision import Expectation
    >>> print(expectation_text(Expectation("apart", "arm", "wall", clearance=0.05)).rstrip())
    [[expect]]
    apart = ["arm", "wall"]
    clearance = 0.05
    """
    return table_text("[[expect]]", expectation_values(promise)) + "\n"


# -- the keys of each table, and their values as they are written ------------------------------------------------------


def table_text(header: str, values: Mapping[str, str]) -> str:
    """Write a table; its last line has no end."""
    return "\n".join([header, *(f"{key_text(key)} = {value}" for key, value in values.items())])


def _head_values(scene: Scene) -> dict[str, str]:
    found = {key: paragraph(text) for key, text in (("title", scene.title), ("caption", scene.caption)) if text}
    if scene.ignored:
        found["ignore"] = array([list(pair) for pair in scene.ignored])
    if scene.open:
        found["open"] = "true"
    return found


def camera_values(camera: Camera) -> dict[str, str]:
    """Return the keys of a camera."""
    found = {name: inline(list(getattr(camera, name))) for name in ("position", "target", "up")}
    found["view_angle"] = inline(float(camera.view_angle))
    if camera.parallel_height is not None:
        found["parallel_height"] = inline(float(camera.parallel_height))
    return found


def show_values(show: Show) -> dict[str, str]:
    """Return the keys of a show."""
    return {name: inline(getattr(show, name)) for name in ("query", "a", "b", "label") if getattr(show, name)}


def motion_values(motion: Motion) -> dict[str, str]:
    """Return the keys of a motion."""
    found = {"shape": inline(motion.shape), "time": array(motion.times.tolist())}
    # What stays where it is has offsets all the same: a motion needs one of the two.
    if np.any(motion.offsets) or np.signbit(motion.offsets).any() or not motion.turns:
        found["offset"] = array(motion.offsets.tolist())
    if motion.turns:
        found["rotation"] = array(motion.rotations.tolist())
    if motion.pivot is not None:
        found["pivot"] = inline(motion.pivot.tolist())
    return found


def shape_values(name: str, shape: Shape) -> dict[str, str]:
    """Return the keys of what is stored of a shape."""
    kind = KIND_NAMES[type(shape)]
    found, keys = {"kind": inline(kind)}, SHAPE_TABLES[kind].model_fields
    for key, value in shape.values().items():
        if not np.isfinite(value).all():
            wrong = Problem(("shapes", name, key), "expected finite numbers; no file holds others")
            raise SceneFileError("scene", [wrong])
        # A file means upright axes, and no radius, where it has none, and may have none.
        usual = np.eye(3) if key == "axes" else np.zeros(())
        if keys[key].is_required() or value.shape != usual.shape or value.tobytes() != usual.tobytes():
            found[key] = _numbers(value, type(shape)._cores[key])
    return found


def _numbers(value: FloatArray, core: tuple[int | None, ...]) -> str:
    batch = value.shape[: value.ndim - len(core)]
    # Nested lists cannot say what is inside of no list: axes, or how many points each hull would have.
    if 0 in batch[:-1] or (0 in batch and None in core):
        return inline({"empty": [*batch, *value.shape[len(batch) :][: core.count(None)]]})
    nested: Any = value.reshape(batch).tolist() if value.size == 0 else value.tolist()
    return array(nested) if batch else inline(nested)


def group_values(groups: Mapping[str, NameGroup]) -> dict[str, str]:
    """Return groups by name."""
    found = {}
    for name, group in groups.items():
        include: Any = list(group.include)
        found[name] = inline({"include": include, "exclude": list(group.exclude)} if group.exclude else include)
    return found


def expectation_values(promise: Expectation) -> dict[str, str]:
    """Return the keys of a promise."""
    given: dict[str, Any] = promise.given()
    found: dict[str, Any] = {"id": given.pop("id")} if "id" in given else {}
    a, b = given.pop("a", ""), given.pop("b", "")
    if promise.kind == "ray" and not a:
        found["ray"] = {"origin": list(given.pop("origin")), "direction": list(given.pop("direction"))}
    elif promise.kind in ("ray", "sweep"):
        found[promise.kind] = a
    else:
        found[promise.kind] = [a, b] if a else b
    if promise.kind in ("ray", "sweep"):
        found["hits"] = b
    for name, value in given.items():
        if name == "when":
            found[value] = True
        elif name in ("depth", "distance", "fraction") and value[0] == (0.0 if name == "depth" else value[1]):
            found[name] = value[1]  # which says it all
        else:
            found[name] = list(value) if isinstance(value, tuple) else value
    return {key: inline(value) for key, value in found.items()}
