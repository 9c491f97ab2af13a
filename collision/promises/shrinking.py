"""The smallest scene that shows something: shapes go and numbers get short as long as it still shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np

from collision.base.fields import FloatArray
from collision.scene.scene import Scene, check_scene
from collision.shapes.kinds import HalfSpace, Shape
from collision.shapes.motion import Motion
from collision.shapes.rotations import quaternions_of

_Item = TypeVar("_Item")

#: Parts of a scene that answers do not depend on, and what stands for none of each.
_UNNEEDED: Mapping[str, Any] = {"shows": (), "camera": None, "title": "", "caption": ""}

#: Fields of shapes that are stored with unit length: whatever length is given, they mean the same.
DIRECTIONS = frozenset({"axes", "direction", "normal"})

#: All digits of a number.
_DIGITS = 17


def shrunk(
    scene: Scene,
    shows_it: Callable[[Scene], bool],
    *,
    most: int = 5000,
    progress: Callable[[int, int], object] | None = None,
) -> Scene:
    """Return a scene that still shows something, with as few shapes and as short numbers as are found.

    Shapes that are not needed go, elements of batches as well; then motions, keyframes, ignored pairs, promises and
    groups; then each number becomes zero, an integer or one of few digits. This is delta debugging: Zeller and
    Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE Transactions on Software Engineering 28
    (2002). The result is the same in every run, and no single shape can go from it, unless `most` was reached.

    Parameters
    ----------
    scene : Scene
        One that shows it; a `ValueError` is raised if it does not.
    shows_it : callable
        Takes a scene, and says whether it does; a KeyError or a ValueError, as of a shape that has gone, means no. The
        same answer for the same scene is expected.
    most : int
        How many scenes to try at most.
    progress : callable, optional
        Called now and then with the number of shapes that are left and of scenes that were tried.

    Examples
    --------
    >>> from collision import Sphere
    >>> row = {f"ball {k}": Sphere([1.6180339 * k, 0.0012, 0], 0.7 if k == 3 else 0.8) for k in range(9)}
    >>> row["ball 6"] = Sphere([9, 0.0012, 0], 0.8)
    >>> shrunk(Scene(row), lambda scene: len(scene.colliding_pairs()) == 1)
    Scene({'ball 5': Sphere(center=[0.0, 0.0, 0.0], radius=1.0), 'ball 6': Sphere(center=[0.0, 0.0, 0.0], radius=1.0)})
    """
    return _Shrinking(check_scene(scene, "shrunk"), shows_it, most, progress).run()


class _Shrinking:
    """A scene that gets smaller."""

    def __init__(
        self, scene: Scene, shows_it: Callable[[Scene], bool], most: int, progress: Callable[[int, int], object] | None
    ) -> None:
        self._scene, self._shows_it, self._most, self._progress = scene, shows_it, most, progress
        self._left = most

    def run(self) -> Scene:
        if not self._shows(self._scene):
            raise ValueError("the scene does not show what its shrunk version is to show")
        self._without_shapes()
        self._try(self._scene.replaced, **_UNNEEDED)
        for part in ("motion", "ignored", "expectations"):
            self._fewer(part)
        self._try(self._scene.replaced, hidden=())
        self._without_groups()
        self._single()
        self._try(self._near_the_origin)
        before = None
        while before != self._scene and self._left > 0:  # what one number allows another one may need
            before = self._scene
            self._shorter_numbers()
            self._fewer("motion")
        return self._scene

    def _shows(self, scene: Scene) -> bool:
        self._left -= 1
        if self._progress is not None:
            self._progress(scene.element_count, self._most - self._left)
        try:
            return bool(self._shows_it(scene))
        except (KeyError, ValueError):
            return False

    def _try(self, make: Callable[..., Scene], *given: Any, **named: Any) -> bool:
        """Take another scene if it can be made, differs and still shows it."""
        if self._left <= 0:
            return False
        try:
            made = make(*given, **named)
        except (KeyError, ValueError):  # a radius below zero, or a name that stands for nothing any more
            return False
        if made == self._scene or not self._shows(made):
            return False
        self._scene = made
        return True

    # -- fewer ---------------------------------------------------------------------------------------------------------

    def _without_shapes(self) -> None:
        whole = self._scene

        def kept(names: Sequence[str]) -> bool:
            stay = set(names)
            return self._try(whole.without, *(name for name in units if name not in stay))

        units = list(_units(whole))
        self._fewest(units, kept)

    def _fewer(self, part: str) -> None:
        """Leave out what can be of a part that is a list."""
        items = list(getattr(self._scene, part))

        def kept(rows: Sequence[int]) -> bool:
            return self._try(self._scene.replaced, **{part: [items[row] for row in rows]})

        if items and not kept([]):
            self._fewest(list(range(len(items))), kept)

    def _without_groups(self) -> None:
        for name in list(self._scene.name_groups):
            groups = {other: group for other, group in self._scene.name_groups.items() if other != name}
            self._try(self._scene.replaced, name_groups=groups)

    def _fewest(self, items: list[_Item], kept: Callable[[Sequence[_Item]], bool]) -> None:
        """Leave out parts of a list, large ones first, as long as what is left will do."""
        size = max(len(items) // 2, 1)
        while items:
            start, gone = 0, False
            while start < len(items) and self._left > 0:
                rest = items[:start] + items[start + size :]
                if rest and kept(rest):
                    items, gone = rest, True
                else:
                    start += size
            if self._left <= 0 or (size == 1 and not gone):
                return
            size = max(size // 2, 1)

    def _single(self) -> None:
        """Make single shapes of batches of one."""
        for name, shape in self._scene.shapes.items():
            if shape.batch_shape and set(shape.batch_shape) == {1}:
                one = shape[(0,) * len(shape.batch_shape)]
                self._try(self._scene.with_shape, name, one)

    def _near_the_origin(self) -> Scene:
        """Return the scene with the middle of its first shape at the origin."""
        first = next((shape for shape in self._scene.shapes.values() if shape.bounded), None)
        if first is None:
            return self._scene
        lower, upper = (corner.reshape(-1, 3) for corner in first.corners())
        step = -0.5 * (lower.min(axis=0) + upper.max(axis=0))
        motions = [
            Motion(m.shape, m.times, m.offsets, m.rotations, pivot=None if m.pivot is None else m.pivot + step)
            for m in self._scene.motion
        ]
        shapes = {name: shape.translated(step) for name, shape in self._scene.shapes.items()}
        return self._scene.replaced(shapes=shapes, motion=motions)

    # -- shorter -------------------------------------------------------------------------------------------------------

    def _shorter_numbers(self) -> None:
        for digits in (1, 2, 3):  # all at once, which is often enough for most of them
            if self._try(_rounded, self._scene, digits):
                break
        for name in self._scene.shapes:
            if isinstance(self._scene[name], HalfSpace):
                self._level(name)
            for field in self._scene[name].values():
                if field in DIRECTIONS:
                    self._straighten(field, self._fields(name)[field], partial(self._with_fields, name))
                else:
                    self._shorten(field, partial(self._fields, name), partial(self._with_fields, name))
        for row in range(len(self._scene.motion)):
            self._fewer_keyframes(row)
            self._straighten("rotations", self._scene.motion[row].rotations, partial(self._with_motion, row))
            for field in ("times", "offsets", "pivot"):
                self._shorten(field, partial(self._motion_fields, row), partial(self._with_motion, row))

    def _shorten(
        self, field: str, fields: Callable[[], Mapping[str, FloatArray | None]], with_fields: Callable[..., Scene]
    ) -> None:
        """Give each number of a field the nicest value that will do."""
        first = fields()[field]
        for index in range(0 if first is None else first.size):
            for candidate in _nicer(float(np.array(fields()[field]).flat[index])):
                value = np.array(fields()[field])
                value.flat[index] = candidate
                if self._try(with_fields, **{field: value}):
                    break

    def _fields(self, name: str) -> Mapping[str, FloatArray]:
        return self._scene[name].values()

    def _with_fields(self, name: str, **fields: FloatArray) -> Scene:
        shape = self._scene[name]
        return self._scene.with_shape(name, _of_size(shape, shape.values() | fields))

    def _straighten(self, field: str, value: FloatArray, with_fields: Callable[..., Scene]) -> None:
        """Turn a direction, or rotations, to where few digits say it: not at all, or else by as round numbers as do."""
        nicer = list(short_directions(value))
        if nicer[0].shape[-1] == 4:
            nicer.insert(0, np.broadcast_to([0.0, 0.0, 0.0, 1.0], nicer[0].shape))
        for nice in nicer:
            if self._try(with_fields, **{field: nice}):
                return

    def _level(self, name: str) -> None:
        """Turn a half-space about the origin, where what touches it lies: its point and its normal at once."""
        values = self._fields(name)
        far = round(float(values["point"] @ values["normal"]), _DIGITS - 5)
        for nice in short_directions(values["normal"]):
            unit = nice / np.linalg.norm(nice)
            if self._try(self._with_fields, name, normal=nice, point=far * unit + 0.0):
                return

    def _motion_fields(self, row: int) -> dict[str, FloatArray | None]:
        motion = self._scene.motion[row]
        return {name: getattr(motion, name) for name in ("times", "offsets", "rotations", "pivot")}

    def _with_motion(self, row: int, **fields: Any) -> Scene:
        motions: list[Motion] = list(self._scene.motion)
        motions[row] = Motion(motions[row].shape, **(self._motion_fields(row) | fields))
        return self._scene.replaced(motion=motions)

    def _fewer_keyframes(self, row: int) -> None:
        for key in reversed(range(len(self._scene.motion[row].times))):
            motion = self._scene.motion[row]
            left = {f: np.delete(getattr(motion, f), key, axis=0) for f in ("times", "offsets", "rotations")}
            self._try(self._with_motion, row, **left)


def _units(scene: Scene) -> Iterator[str]:
    """Yield what can go by itself: elements of a batch with one axis, else entries."""
    for name, shape in scene.shapes.items():
        if len(shape.batch_shape) == 1:
            yield from (f"{name}[{row}]" for row in range(len(shape)))
        else:
            yield name


def _nicer(value: float) -> Iterator[float]:
    """Yield numbers that are nicer than another, the nicest first: zero, an integer, few digits."""
    seen = {value}
    for other in (0.0, round(value), *(float(f"{value:.{digits}g}") for digits in range(1, _DIGITS))):
        if other not in seen and len(repr(float(other))) <= len(repr(value)):
            seen.add(other)
            yield float(other)


def short_directions(value: FloatArray) -> Iterator[FloatArray]:
    """Yield directions, or quaternions of rotations, of few digits and of any length, the shortest numbers first.

    Examples
    --------
    >>> [one.tolist() for one in short_directions(np.array([3.0, 0.0, 4.0]))]
    [[1.0, 0.0, 1.0], [0.8, 0.0, 1.0], [0.75, 0.0, 1.0], [0.75, 0.0, 1.0]]
    """
    vectors = quaternions_of(value) if value.shape[-2:] == (3, 3) else value
    longest = np.abs(vectors).max(axis=-1, keepdims=True)
    for digits in range(4):
        yield np.round(vectors / longest, digits) + 0.0


def _rounded(scene: Scene, digits: int) -> Scene:
    """Return a scene with all numbers of shapes rounded to so many digits."""
    short = np.vectorize(lambda number: float(f"{number:.{digits}g}"))
    shapes = {}
    for name, shape in scene.shapes.items():
        values = shape.values().items()
        shapes[name] = _of_size(shape, {key: value if key in DIRECTIONS else short(value) for key, value in values})
    return scene.replaced(shapes=shapes)


def _of_size(shape: Shape, values: Mapping[str, FloatArray]) -> Shape:
    """Return a shape with other numbers, or raise a ValueError; one that has a size keeps some, so that it is seen."""
    made = type(shape)(**values)
    if np.any((_sizes(made) == 0.0) & (_sizes(shape) != 0.0)):
        raise ValueError("it would be thinner than it is")
    return made


def _sizes(shape: Shape) -> FloatArray:
    """Return what of a shape is a size, in a row."""
    values = shape.values()
    found = [values[name] for name in ("radius", "half_extents") if name in values]
    if "lower" in values:
        found.append(values["upper"] - values["lower"])
    if "end" in values:
        found.append(np.linalg.norm(values["end"] - values["start"], axis=-1))
    return np.concatenate([np.zeros(0), *map(np.ravel, found)])
