"""The first touch on a way: the steps of Newton's method, or steps that are certain to pass no touch."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from collision.base.fields import FloatArray
from collision.explaining.bars import widened
from collision.explaining.explanation import Explanation, Question
from collision.explaining.pairs import memory_of, numbers_of
from collision.explaining.records import (
    Formula,
    Mark,
    MarkRole,
    Plot,
    PlotArea,
    PlotLine,
    PlotPoint,
    Step,
    Value,
    arrow,
    formula,
    vector_of,
)
from collision.explaining.trace import Call, trace, trace_dividing
from collision.kernels.core import ROW, SEARCH_ROWS
from collision.kernels.impact import LOOP
from collision.kernels.straight import straight_search
from collision.kernels.table import GENERAL, KERNELS, ROWS, CoreRow, CoreType, Solve
from collision.kernels.vec3 import Vec3, along, opposite
from collision.queries.distances import closest_points, signed_distance
from collision.queries.sweeps import Sweep, sweep, sweep_steps
from collision.shapes.kinds import Point, Segment, Shape
from collision.shapes.transforms import Transform

# --- the searches, run as Python ------------------------------------------------------------------


#: What is recorded of a search; what these call is explained elsewhere.
_RECORDED = frozenset(
    {"moving_loop", "search", "advance", "step", "leapt", "settled", "look"} | {"_walk", "_sure", "_change", "_glide"}
)

#: What of a query in Python says what was asked of its kernels.
_ASKED = frozenset({"first_touches", "_straight_touches", "_run_loop"})


@dataclass(frozen=True)
class Travel:
    """How a shape goes: to an end in a straight line, or from one placement to another."""

    name: str  # what the shape is called in texts
    shape: Shape  # as it is before it goes
    motion: FloatArray | None  # the whole way, where it is straight
    start: Transform  # the placement at the start
    end: Transform | None  # the placement at the end
    pivot: FloatArray  # the point that goes straight

    def at(self, fraction: Any) -> Shape:
        """Return the shape at a part of its way, or at several."""
        if self.motion is not None:
            return self.shape.translated(np.multiply.outer(fraction, self.motion))
        if self.end is None:
            return self.shape
        return self.shape.transformed(self.start.toward(self.end, fraction, pivot=self.pivot))


@dataclass(frozen=True)
class SweepTrace:
    """A search for the first touch, and what it found."""

    a: Travel
    b: Travel
    call: Call  # of the search, or of the function that steps through it
    turning: bool  # whether something turns
    found: tuple[float, Iterable[float], Iterable[float]]  # fraction, point and normal, as the query returns them

    @property
    def advances(self) -> list[Call]:
        """The steps."""
        return self.call.calls_of("advance")


def travels_of(asked: Question) -> tuple[Travel, Travel]:
    """Return how two shapes go, from what a sweep takes."""
    more = asked.more
    motion = None if more.get("motion") is None else np.asarray(more["motion"], dtype=np.float64)
    travels = []
    for shape, name, prefix in zip(asked.given, asked.names, ("", "b_"), strict=True):
        start, end, pivot = (more.get(prefix + part) for part in ("start", "end", "pivot"))
        center = np.zeros(3) if pivot is None else np.asarray(pivot, dtype=np.float64)
        travels.append(Travel(name, shape, None if prefix else motion, start or Transform(), end, center))
    return travels[0], travels[1]


def steps_of(asked: Question) -> tuple[SweepTrace, Any]:
    """Run `sweep_steps`, and return its record and what it returned."""
    call = trace(partial(sweep_steps, *asked.given, **asked.more), only=frozenset({"sweep_steps", "advance"}))
    return SweepTrace(*travels_of(asked), call, False, _missed()), call.result


def search_of(asked: Question) -> SweepTrace:
    """Run the search of `sweep` for two single shapes, and return its record."""
    root = trace(partial(sweep, *asked.given, **asked.more), only=_ASKED | {"sweep"})
    travels = travels_of(asked)
    runs = [*root.each("_run_loop")]
    if runs:
        return _turning_search(travels, runs[0])
    return _straight_search(travels, root.find("first_touches"), [*root.each("_straight_touches")])


def _straight_search(travels: tuple[Travel, Travel], asked: Call, carried: list[Call]) -> SweepTrace:
    (solve, row_a, row_b), (core_a, radius_a), (core_b, radius_b) = pair_of(asked["a"], asked["b"])
    radius, v = radius_a + radius_b, Vec3(*numbers_of(np.ravel(asked["extra"][0])))
    size = max(row_a.size(core_a), row_b.size(core_b), radius)
    call = trace_dividing(straight_search(solve, row_a.moved), core_a, core_b, radius, v, size, only=_RECORDED)
    t, s, normal = call.result
    if not t >= 0.0:
        return SweepTrace(*travels, call, False, _missed())
    point = along(s.on_b, -radius_b, s.normal)
    if asked["swap"]:
        point, normal = along(point, t, Vec3(*numbers_of(np.ravel(asked["way"])))), opposite(normal)
    if carried:
        point = along(point, t, Vec3(*numbers_of(np.ravel(carried[0]["other"]))))
    return SweepTrace(*travels, call, False, (t, point, normal))


def _turning_search(travels: tuple[Travel, Travel], run: Call) -> SweepTrace:
    call = moving_pair_again(run, 0, [], [], ([0.0], [0.0] * 3, [0.0] * 3, [0.0]))
    fraction, point, normal, _ = call.first("out")
    facing = 0.0 - np.array(normal) if run["swapped"][0] else np.array(normal)
    search = call.find("search")
    return SweepTrace(*travels, search, True, (fraction[0], np.array(point), facing))


def moving_pair_again(run: Call, k: int, numbers: list[Any], indices: list[Any], out: Any) -> Call:
    """Run the loop of `MovingCores._run_loop` over pairs that links move again, as Python and for pair k alone."""
    moving, sides = run.first("self"), [one.rows(np.array([k])) for one in run.first("sides")]
    if run["swapped"][k]:
        sides.reverse()
    cores = moving.cores
    arrays = cores.types, cores.rows.ravel(), cores.radii, cores.corners.ravel()
    links, rows = moving.links.ravel().tolist(), [number for one in sides for number in one.links.tolist()]
    elements, ends = [int(one.elements[0]) for one in sides], [0, len(sides[0].links), len(rows)]
    given = *(array.tolist() for array in arrays), elements, [links, *numbers], [rows, ends, *indices], out
    return trace_dividing(moving_loop, run.first("task"), *given, only=_RECORDED)


def moving_loop(
    task: int, types: Any, rows: Any, radii: Any, corners: Any, elements: Any, numbers: Any, indices: Any, out: Any
) -> None:
    """Run the loop over pairs that links move as Python, for one pair."""
    scratch = [np.nan] * (ROW * SEARCH_ROWS)
    LOOP.function(0, 1, task, types, rows, radii, corners, elements, numbers, indices, out, scratch)


def _missed() -> tuple[float, FloatArray, FloatArray]:
    """Return what a query returns for a miss."""
    return np.nan, np.full(3, np.nan), np.full(3, np.nan)


def pair_of(a: Shape, b: Shape) -> tuple[tuple[Solve, CoreRow, CoreRow], tuple[Any, float], tuple[Any, float]]:
    """Return the kernels for two shapes, and the cores and the radii that these see."""
    ranks = [GENERAL.get(CoreType(shape.core_type), CoreType(shape.core_type)) for shape in (a, b)]
    rows = ROWS[ranks[0]], ROWS[ranks[1]]
    cores = [row.read(*memory_of(shape)) for row, shape in zip(rows, (a, b), strict=True)]
    return (KERNELS[ranks[0], ranks[1]], *rows), cores[0], cores[1]


# --- what is explained of them --------------------------------------------------------------------


class Follow(NamedTuple):
    """What a step leads to: the fraction of the next, what to say, what else it has, if that is a tangent's zero."""

    to: float
    text: str
    values: tuple[Value, ...] = ()
    tangent: bool = False


#: So many points of the curve of the distance are drawn.
_SAMPLES = 49

#: So many steps are explained one by one; of more, the first and the last.
_SHOWN, _FIRST, _LAST = 8, 4, 2


def explained(asked: Question) -> Explanation:
    """Return the explanation of `sweep` or `sweep_steps`."""
    if asked.query == "sweep":
        search = search_of(asked)
        asked.confirm(search.found, asked.result[1:])
    else:
        search, found = steps_of(asked)
        for one, other in zip(found, asked.result, strict=True):
            asked.confirm(one, other)
    explainer = SweepExplainer(search)
    steps = (explainer.way(), *explainer.steps(), explainer.end(asked.result))
    return asked.answered(steps, steps[-1].text)


class DistanceCurve:
    """The signed distance of two shapes that move, by functions that return each at some times."""

    def __init__(
        self, a: Callable[[Any], Shape], b: Callable[[Any], Shape], span: tuple[float, float], samples: int
    ) -> None:
        times = np.linspace(*span, samples)
        with np.errstate(all="ignore"):
            gaps = np.broadcast_to(signed_distance(a(times), b(times)), times.shape)
        known = np.isfinite(gaps)  # two without an end may overlap without an end
        self._span, self._times, self._gaps = span, tuple(times[known].tolist()), tuple(gaps[known].tolist())

    def plot(
        self,
        title: str,
        x_label: str,
        lines: Sequence[PlotLine] = (),
        points: Sequence[PlotPoint] = (),
        touching: Sequence[tuple[float, float]] = (),
    ) -> Plot:
        """Return the plot of the curve, with lines, points, and intervals of touching as areas."""
        y_range = widened(min((*self._gaps, 0.0)), max((*self._gaps, 0.0)))
        zero = PlotLine(self._span, (0.0, 0.0), "guide")
        curve = PlotLine(self._times, self._gaps, "core", "distance")
        areas = tuple(PlotArea(interval, y_range, "guide", "touch") for interval in touching)
        y_label = "distance (zero: they touch)"
        return Plot(title, x_label, y_label, self._span, y_range, (zero, curve, *lines), tuple(points), areas)


class SweepExplainer:
    """The steps of a search, and the plot that they share."""

    def __init__(self, search: SweepTrace) -> None:
        self._search = search
        self._names = search.a.name, search.b.name
        self._curve = DistanceCurve(search.a.at, search.b.at, (0.0, 1.0), _SAMPLES)
        self._moments = [_moment(call) for call in search.advances]

    def way(self) -> Step:
        """Return the step that says how both go."""
        a, b = self._names
        parts = []
        for way, name in ((self._search.a, a), (self._search.b, b)):
            if way.motion is not None:
                parts.append(f"{name} goes straight")
            elif way.end is None:
                parts.append(f"{name} rests")
            else:
                parts.append(f"{name} goes from one placement to another")
        text = f"{parts[0]} and {parts[1]}; the fraction is the part of the way that is done, 0 to 1."
        if self._search.turning:
            text += " As something turns, the distance may go up and down."
        else:
            text += " Shapes that do not turn have a distance that is convex: it lies above each of its tangents."
        values = []
        if self._search.a.motion is not None:
            values.append(
                Value(r"\mathbf{v}", tuple(numbers_of(self._search.a.motion)), "length", "", f"the whole way of {a}")
            )
        marks = [Mark(f"{a} at the end", "guide", self._search.a.at(1.0))]
        if self._search.b.end is not None:
            marks.append(Mark(f"{b} at the end", "guide", self._search.b.at(1.0)))
        return Step("The way", text, (), tuple(values), tuple(marks), self._plot([]), kernel="search")

    def steps(self) -> list[Step]:
        """Return a step for each of the search; of many, for the first and the last."""
        count = len(self._moments)
        if count <= _SHOWN:
            return [self._step(k) for k in range(count)]
        first, last = range(_FIRST), range(count - _LAST, count)
        return [*map(self._step, first), self._between(_FIRST, count - _LAST), *map(self._step, last)]

    def _between(self, start: int, stop: int) -> Step:
        t, gap = self._moments[stop - 1][:2]
        text = f"So it goes on for {stop - start} steps more, ever nearer to the touch."
        values = (Value("t", t, "", "", "fraction by then"), Value("D", gap, "length", "", "distance by then"))
        plot = self._plot([*range(stop)])
        return Step(f"Steps {start + 1} to {stop}", text, (), values, (), plot, kernel="advance")

    def _step(self, k: int) -> Step:
        call = self._search.advances[k]
        t, gap, slope = self._moments[k]
        now = Value("t", t, "", "nearest points", "fraction")
        distance = Value("D", gap, "length", "gap", "distance of the surfaces")
        follow = _turning_step(call) if self._search.turning else _straight_step(call)
        following = Value("t'", follow.to, "", "", "fraction of the next step")
        falls = Value("s", -slope, "length", "", "by how much the distance shrinks for a whole way")
        values = [now, distance, falls, *follow.values]
        if math.isfinite(follow.to) and follow.to != t:
            values.append(following)
        rules: tuple[Formula, ...] = ()
        if follow.tangent and slope < 0.0:
            rules = (formula(r"<f> = <t> + \frac{<d>}{<s>}", f=following, t=now, d=distance, s=falls),)
        plot = self._plot([*range(k + 1)])
        return Step(f"Step {k + 1}", follow.text, rules, tuple(values), self._marks(t), plot, kernel="advance")

    def _marks(self, t: float) -> tuple[Mark, ...]:
        """Return marks of both shapes at a fraction, and of where they are nearest then."""
        (one, a), (other, b) = ((way.name, way.at(t)) for way in (self._search.a, self._search.b))
        found = closest_points(a, b)
        on_a, on_b = (Vec3(*point.tolist()) for point in (found.on_a, found.on_b))
        marks = [Mark(f"{one} at this step", "chosen", a)]
        if self._search.b.end is not None:
            marks.append(Mark(f"{other} at this step", "other", b))
        if tuple(on_a) != tuple(on_b):
            marks.append(Mark("gap", "gap", Segment(on_a, on_b)))
        return (*marks, Mark("nearest points", "witness", Point([on_a, on_b])))

    def end(self, result: Any) -> Step:
        """Return the step that says whether they touch."""
        a, b = self._names
        if isinstance(result, Sweep):
            hit, (fraction, point, normal) = bool(result.hit), self._search.found
        else:
            last = self._search.advances[-1].result
            hit, fraction = bool(last[1]), float(last[0])
        if not hit:
            text = f"{a} and {b} do not touch on the way."
            return Step("The first touch", text, (), (), (), self._plot([]), kernel="search")
        text = f"{a} and {b} first touch after {100.0 * fraction:.4g} % of the way."
        if fraction == 0.0:
            text = f"{a} and {b} touch from the start."
        values = [Value("t", fraction, "", f"{a} at the touch", "fraction")]
        marks = [Mark(f"{a} at the touch", "chosen", self._search.a.at(fraction))]
        if self._search.b.end is not None:
            marks.append(Mark(f"{b} at the touch", "other", self._search.b.at(fraction)))
        if isinstance(result, Sweep):
            values += [
                Value(r"\mathbf{P}", vector_of(point), "length", "touch", "where they touch"),
                Value(r"\mathbf{n}", vector_of(normal), "", "normal", f"from {a} to {b}"),
            ]
            marks += [Mark("touch", "witness", Point(vector_of(point))), arrow("normal", point, normal)]
        plot = self._plot([], PlotPoint(fraction, 0.0, "witness", "touch", f"{a} at the touch"))
        return Step("The first touch", text, (), tuple(values), tuple(marks), plot, kernel="search")

    def _plot(self, shown: list[int], *points: PlotPoint) -> Plot:
        """Return the distance over the fraction, with some steps and the tangents or the certain steps from them."""
        lines: list[PlotLine] = []
        dots: list[PlotPoint] = []
        for k in shown:
            t, gap, slope = self._moments[k]
            if not math.isfinite(gap):
                continue
            last = k == shown[-1]
            role: MarkRole = "chosen" if last else "other"
            dots.append(PlotPoint(t, gap, role, f"{k + 1}", "nearest points" if last else ""))
            if self._search.turning:
                advance = self._search.advances[k]
                sure = advance["sure"] if advance.has("sure") else t
                lines.append(PlotLine((t, min(sure, 1.0)), (gap, gap), role, "certain" if last else ""))
            elif slope < 0.0:
                end = min(t - gap / slope, 1.0)
                lines.append(PlotLine((t, end), (gap, gap + slope * (end - t)), role, "tangent" if last else ""))
        return self._curve.plot("Distance on the way", "fraction", lines, (*dots, *points))


def _moment(call: Call) -> tuple[float, float, float]:
    """Return the fraction, the distance and its slope of a step."""
    if "t" in call.arguments:
        return call.first("t"), call.first("gap"), -call.first("closing")
    return call.first("time"), call.first("gap"), call.first("aim")


def _straight_step(call: Call) -> Follow:
    """Return what a step of Newton's method leads to."""
    t, gap, slope = _moment(call)
    following, touch, _ = call.result
    if touch and following == t:
        at_start = call["at_start"]
        how = "They touch from the start" if at_start else "They touch here"
        return Follow(t, f"{how}: the distance is zero, to rounding.")
    if slope >= 0.0:
        if following == math.inf:
            return Follow(following, "The distance does not shrink, and never will again: the way is clear.")
        return Follow(following, "Rounding led past the touch: a step back, by the slope here.")
    if touch:
        return Follow(following, "The distance is no more than rounding: the tangent's last step leads to the touch.")
    if following > 1.0:
        return Follow(
            following,
            "The tangent is zero only beyond the end, and the distance is above it: the way is clear.",
            (),
            True,
        )
    if following == 1.0 and t - gap / slope > 1.0:
        return Follow(1.0, "The tangent is zero beyond the end: what is at the end decides.")
    if following <= t:
        return Follow(following, "Rounding led past the touch: a step back, by the slope here.", (), True)
    text = "The next step goes to where the tangent is zero. The distance is above the tangent, so no touch is passed."
    return Follow(following, text, (), True)


def _turning_step(call: Call) -> Follow:
    """Return what a step that is certain to pass no touch leads to."""
    after, sure = call.result[0], call["sure"]
    certain = Value("t_s", sure, "", "", "no touch before that is certain")
    if call.has("then") and after != min(sure, 1.0):
        aim = Value("t_a", call["aim"], "", "", "where the tangent, or the secant, is zero")
        text = (
            "Newton's tangent, or the secant, leads farther than what is certain at once. The gap is open there too, "
            "and the direction between both normals shows that no touch was passed: a leap."
        )
        return Follow(after, text, (certain, aim))
    if after >= 1.0:
        return Follow(
            after, "Up to the end no touch is possible: no point is fast enough, along the normal.", (certain,)
        )
    text = (
        "From bounds on the speeds and accelerations of all points along the normal, no touch is possible before the "
        "next step."
    )
    return Follow(after, text, (certain,))
