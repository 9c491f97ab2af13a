"""The searches of a sweep, run as Python: what was asked of the kernels, and what each step of theirs computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from collision.base.fields import FloatArray
from collision.explaining.pairs import Side, memory_of
from collision.explaining.trace import Call, trace
from collision.kernels.core import ROW, SEARCH_ROWS
from collision.kernels.pairs import Element
from collision.kernels.straight import straight_search
from collision.kernels.table import GENERAL, KERNELS, ROWS, CoreRow, CoreType, Solve
from collision.kernels.vec3 import Vec3, along
from collision.queries.sweeps import sweep, sweep_steps
from collision.queries.turning import LOOP
from collision.shapes.shape import Shape
from collision.shapes.transforms import Transform

#: What is recorded of a search; what these call is told elsewhere.
_RECORDED = frozenset(
    {"turning_loop", "touching_loop", "search", "advance", "step", "leapt", "settled", "look"}
    | {"_walk", "_sure", "_change", "_glide"}
)

#: What of a query in Python says what was asked of its kernels.
_ASKED = frozenset({"first_touches", "_straight_touches", "turning_touches"})


@dataclass(frozen=True)
class Way:
    """How a shape goes: to an end in a straight line, or from one placement to another.

    Attributes
    ----------
    side : Side
        The shape, as it is before it goes.
    motion : ndarray, optional
        The whole way, of a straight line.
    start, end : Transform, optional
        Placements.
    pivot : ndarray
        What goes straight.
    """

    side: Side
    motion: FloatArray | None
    start: Transform
    end: Transform | None
    pivot: FloatArray

    def at(self, fraction: Any) -> Shape:
        """Return the shape at a part of its way, or at several."""
        shape = self.side.shape
        if self.motion is not None:
            return shape.translated(np.multiply.outer(fraction, self.motion))
        if self.end is None:
            return shape
        return shape.transformed(self.start.toward(self.end, fraction, pivot=self.pivot))


@dataclass(frozen=True)
class Search:
    """A search for the first touch, and what it found.

    Attributes
    ----------
    a, b : Way
        How both go.
    call : Call
        Of the search, or of the function that steps through it.
    turning : bool
        Whether something turns.
    found : tuple
        Fraction, point and normal, as the query returns them.
    """

    a: Way
    b: Way
    call: Call
    turning: bool
    found: tuple[float, FloatArray, FloatArray]

    @property
    def advances(self) -> list[Call]:
        """The steps."""
        return [call for call in self.call.calls if call.name.lstrip("_") == "advance"]


def ways_of(a: Shape, b: Shape, more: dict[str, Any], names: tuple[str, str]) -> tuple[Way, Way]:
    """Return how two shapes go, from what a sweep takes."""
    sides = Side(names[0], "A", a, None, _radius(a)), Side(names[1], "B", b, None, _radius(b))
    motion = None if more.get("motion") is None else np.asarray(more["motion"], dtype=np.float64)
    ways = []
    for side, prefix in zip(sides, ("", "b_"), strict=True):
        start, end, pivot = (more.get(prefix + name) for name in ("start", "end", "pivot"))
        center = np.zeros(3) if pivot is None else np.asarray(pivot, dtype=np.float64)
        ways.append(Way(side, None if prefix else motion, start or Transform(), end, center))
    return ways[0], ways[1]


def _radius(shape: Shape) -> float:
    return float(getattr(shape, "radius", 0.0))


def steps_of(a: Shape, b: Shape, more: dict[str, Any], names: tuple[str, str]) -> tuple[Search, Any]:
    """Run `sweep_steps`, and return its record and what it returned."""
    call = trace(partial(sweep_steps, a, b, **more), only=frozenset({"sweep_steps", "advance"}))
    return Search(*ways_of(a, b, more, names), call, False, _missed()), call.result


def search_of(a: Shape, b: Shape, more: dict[str, Any], names: tuple[str, str]) -> Search:
    """Run the search of `sweep` for two single shapes, and return its record."""
    root = trace(partial(sweep, a, b, **more), only=_ASKED | {"sweep"})
    ways = ways_of(a, b, more, names)
    turned = [*root.each("turning_touches")]
    if turned:
        return _turning(ways, turned)
    return _straight(ways, root.the("first_touches"), root.find("_straight_touches"))


def _straight(ways: tuple[Way, Way], asked: Call, carried: Call | None) -> Search:
    (solve, row_a, row_b), (core_a, radius_a), (core_b, radius_b) = pair_of(asked["a"], asked["b"])
    radius, v = radius_a + radius_b, Vec3(*np.ravel(asked["extra"][0]).tolist())
    size = max(row_a.size(core_a), row_b.size(core_b), radius)
    call = recorded(straight_search(solve, row_a.moved), core_a, core_b, radius, v, size)
    t, s, normal = call.result
    if not t >= 0.0:
        return Search(*ways, call, False, _missed())
    point, facing = np.array(along(s.on_b, -radius_b, s.normal)), np.array(normal)
    if asked["swap"]:
        point, facing = point + t * np.ravel(asked["way"]), 0.0 - facing
    if carried is not None:
        point = point + t * np.ravel(carried["other"])
    return Search(*ways, call, False, (t, point, facing))


def _turning(ways: tuple[Way, Way], asked: list[Call]) -> Search:
    last = asked[-1]
    links, rows = last["together"].ravel().tolist(), last["numbers"].ravel().tolist()
    pair = [(memory_of(shape), int(shape.core_type)) for shape in (last["first"], last["second"])]
    call = recorded(turning_loop, *pair[0], *pair[1], links, rows, ([0.0], [0.0] * 3, [0.0] * 3, [0.0]))
    fraction, point, normal, _ = call.arguments["found"]
    facing = np.array(normal)
    for _ in asked[1:]:
        facing = 0.0 - facing
    search = next(part for part in call.calls if part.name == "search")
    return Search(*ways, search, True, (fraction[0], np.array(point), facing))


def turning_loop(a: Element, rank_a: int, b: Element, rank_b: int, links: Any, rows: Any, found: Any) -> None:
    """Run the loop over pairs that turn as Python, for one pair."""
    nothing: Any = ()
    given = (a.table, a.strides, nothing, b.table, b.strides, nothing, [links], rows, found)
    LOOP.function(0, 1, 0, *given, rank_a, rank_b, [np.nan] * (ROW * SEARCH_ROWS), [])


def _missed() -> tuple[float, FloatArray, FloatArray]:
    """Return what a query returns for a miss."""
    return np.nan, np.full(3, np.nan), np.full(3, np.nan)


def pair_of(a: Shape, b: Shape) -> tuple[tuple[Solve, CoreRow, CoreRow], tuple[Any, float], tuple[Any, float]]:
    """Return the kernels for two shapes, and the cores and the radii that these see."""
    ranks = [GENERAL.get(CoreType(shape.core_type), CoreType(shape.core_type)) for shape in (a, b)]
    rows = ROWS[ranks[0]], ROWS[ranks[1]]
    cores = [row.read(*memory_of(shape)) for row, shape in zip(rows, (a, b), strict=True)]
    return (KERNELS[ranks[0], ranks[1]], *rows), cores[0], cores[1]


def recorded(search: Callable[..., Any], *given: Any) -> Call:
    """Run a search and return its record.

    Where Python refuses to divide by zero, it is run in NumPy's numbers, which do as machine code does.
    """
    try:
        return trace(search, *given, only=_RECORDED)
    except ZeroDivisionError:
        with np.errstate(all="ignore"):
            return trace(search, *map(as_numpy, given), only=_RECORDED)


def as_numpy(value: Any) -> Any:
    """Return numbers, and what is made of numbers, as NumPy's."""
    if isinstance(value, float):
        return np.float64(value)
    if isinstance(value, list):
        return [as_numpy(part) for part in value]
    if isinstance(value, tuple):
        return getattr(value, "_make", tuple)(map(as_numpy, value))
    return value
