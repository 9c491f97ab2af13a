"""From a scene to the text of a scene file."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from collision.base.fields import FloatArray
from collision.base.files import write_bytes
from collision.files.errors import Problem, SceneFileError
from collision.files.models import KIND_NAMES
from collision.files.toml import array, dotted, inline, key_text, paragraph
from collision.scene.expectations import Expectation, Span
from collision.scene.name_groups import NameGroup
from collision.scene.scene import Scene
from collision.scene.shows import Camera, Show
from collision.shapes.kinds import OrientedBox, Shape
from collision.shapes.motion import Motion


def dump_scene(scene: Scene) -> str:
    """Write a scene as the text of a scene file.

    What is stored is written, so that reading it back gives an equal scene, to the last bit: a capsule by its ends, a
    box by the matrix of its axes, whatever the file once read had.

    Raises
    ------
    SceneFileError
        If a number is not finite, which no file holds.

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
    blocks = ["\n".join(_head(scene))]
    if scene.camera is not None:
        blocks.append("\n".join(["[camera]", *camera_lines(scene.camera)]))
    blocks += [
        "\n".join([f"[{dotted(('shapes', name))}]", *shape_lines(name, shape)]) for name, shape in scene.shapes.items()
    ]
    if not scene.shapes:
        blocks.append("[shapes]")
    for show in scene.shows:
        blocks.append("\n".join(["[[show]]", *show_lines(show)]))
    blocks += ["\n".join(["[[motion]]", *motion_lines(motion)]) for motion in scene.motion]
    if scene.name_groups:
        blocks.append("\n".join(["[groups]", *group_lines(scene.name_groups)]))
    blocks += [expectation_text(promise).rstrip("\n") for promise in scene.expectations]
    return "\n\n".join(filter(None, blocks)) + "\n"


def save_scene(scene: Scene, path: str | os.PathLike[str]) -> None:
    """Write a scene file, whole or not at all.

    Whatever fails, an old file stays as it was; see `collision.base.files.write_bytes`.

    Parameters
    ----------
    scene : Scene
        What to write; see `dump_scene`.
    path : path-like
        Where; a link is followed.

    Raises
    ------
    SceneFileError
        If the scene or the file cannot be written.
    """
    source = os.fspath(path)
    try:
        data = dump_scene(scene).encode("utf-8")
    except UnicodeEncodeError as error:
        wrong = f"a text in the scene has a character that UTF-8 cannot hold: {error.object[error.start]!r}"
        raise SceneFileError(source, [Problem((), wrong)]) from error
    try:
        write_bytes(source, data)
    except OSError as error:
        raise SceneFileError(source, [Problem((), f"the file cannot be written: {error.strerror}")]) from error


def expectation_text(promise: Expectation) -> str:
    """Write a promise as a table of a scene file.

    Examples
    --------
    >>> from collision import Expectation
    >>> print(expectation_text(Expectation("apart", "arm", "wall", clearance=0.05)))
    [[expect]]
    apart = ["arm", "wall"]
    clearance = 0.05
    <BLANKLINE>
    """
    return "\n".join(["[[expect]]", *expect_lines(promise), ""])


def _head(scene: Scene) -> Iterator[str]:
    if scene.title:
        yield f"title = {paragraph(scene.title)}"
    if scene.caption:
        yield f"caption = {paragraph(scene.caption)}"
    if scene.ignored:
        yield f"ignore = {array([list(pair) for pair in scene.ignored])}"
    if scene.open:
        yield "open = true"


def camera_lines(camera: Camera) -> Iterator[str]:
    """Yield the keys of a camera, ``key = value`` each."""
    for name in ("position", "target", "up"):
        yield f"{name} = {inline(list(getattr(camera, name)))}"
    yield f"view_angle = {inline(float(camera.view_angle))}"
    if camera.parallel_height is not None:
        yield f"parallel_height = {inline(float(camera.parallel_height))}"


def show_lines(show: Show) -> Iterator[str]:
    """Yield the keys of a show, ``key = value`` each."""
    for name in ("query", "a", "b", "label"):
        if getattr(show, name):
            yield f"{name} = {inline(getattr(show, name))}"


def motion_lines(motion: Motion) -> Iterator[str]:
    """Yield the keys of a motion, ``key = value`` each."""
    yield f"shape = {inline(motion.shape)}"
    yield f"time = {array(motion.times.tolist())}"
    # What stays where it is has offsets all the same: a motion needs one of the two.
    if np.any(motion.offsets) or np.signbit(motion.offsets).any() or not motion.turns:
        yield f"offset = {array(motion.offsets.tolist())}"
    if motion.turns:
        yield f"rotation = {array(motion.rotations.tolist())}"
    if motion.pivot is not None:
        yield f"pivot = {inline(motion.pivot.tolist())}"


def shape_lines(name: str, shape: Shape) -> Iterator[str]:
    """Yield the keys of a shape, ``key = value`` each, of what is stored of it."""
    yield f"kind = {inline(KIND_NAMES[type(shape)])}"
    cores = {field.name: len(field.core) for field in shape._fields}
    for key, value in shape.values().items():
        if not np.isfinite(value).all():
            raise SceneFileError(
                "scene", [Problem(("shapes", name, key), "expected finite numbers; no file holds others")]
            )
        if not (isinstance(shape, OrientedBox) and key == "axes" and _is_upright(value)):
            yield f"{key} = {_numbers(value, cores[key])}"


def _is_upright(axes: FloatArray) -> bool:
    """Tell whether the axes are what a file means that has none."""
    return axes.shape == (3, 3) and axes.tobytes() == np.eye(3).tobytes()


def _numbers(value: FloatArray, width: int) -> str:
    batch = value.shape[: value.ndim - width]
    if 0 in batch[:-1]:
        return inline({"empty": list(batch)})  # nested lists cannot say what is inside of no list
    nested: Any = value.reshape(batch).tolist() if value.size == 0 else value.tolist()
    return array(nested) if batch else inline(nested)


def expect_lines(promise: Expectation) -> Iterator[str]:
    """Yield the keys of a promise, ``key = value`` each."""
    given = promise.given()
    if "id" in given:
        yield f"id = {inline(given.pop('id'))}"
    a, b = given.pop("a", ""), given.pop("b", "")
    if promise.kind == "ray" and not a:
        ray = {"origin": list(given.pop("origin")), "direction": list(given.pop("direction"))}
        yield f"ray = {inline(ray)}"
    elif promise.kind in ("ray", "sweep"):
        yield f"{promise.kind} = {inline(a)}"
    else:
        yield f"{promise.kind} = {inline([a, b] if a else b)}"
    if promise.kind in ("ray", "sweep"):
        yield f"hits = {inline(b)}"
    for name, value in given.items():
        if name == "when":
            yield f"{value} = true"
        elif name in ("depth", "distance", "fraction"):
            yield f"{name} = {inline(_least_bounds(name, value))}"
        else:
            yield f"{name} = {inline(list(value) if isinstance(value, tuple) else value)}"


def _least_bounds(name: str, value: Span) -> float | list[float]:
    """Return bounds as one number, where that says it."""
    return value[1] if value[0] == (0.0 if name == "depth" else value[1]) else list(value)


def group_values(groups: Mapping[str, NameGroup]) -> dict[str, str]:
    """Return groups by name, each as it is written."""
    found = {}
    for name, group in groups.items():
        include: Any = list(group.include)
        found[name] = inline({"include": include, "exclude": list(group.exclude)} if group.exclude else include)
    return found


def group_lines(groups: Mapping[str, NameGroup]) -> Iterator[str]:
    """Yield groups, ``name = value`` each."""
    for name, value in group_values(groups).items():
        yield f"{key_text(name)} = {value}"
