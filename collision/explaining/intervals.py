"""When two shapes of a moving scene touch: sweeps from both ends of a straight piece, or steps that are certain."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from collision.base.fields import FloatArray
from collision.explaining.explanation import Explanation, Question
from collision.explaining.records import Mark, Plot, PlotPoint, Step, Value, formula
from collision.explaining.sweeps import DistanceCurve, moving_pair_again
from collision.explaining.trace import Call, trace
from collision.kernels.impact import LOOP
from collision.queries.moving import Linked
from collision.scene.scene import Scene
from collision.shapes.kinds import AABB, Shape
from collision.timeline.intervals import TouchingIntervals, touching_intervals
from collision.timeline.moving import MovingElements, displaced

# --- the pair, and the record of the query --------------------------------------------------------


#: What of the query in Python says what was asked of its kernels.
_ASKED = frozenset({"touching_intervals", "_searched", "_run_loop"})


@dataclass(frozen=True)
class MovingPair:
    """A pair of a moving scene, and the record of the query."""

    scene: Scene
    elements: tuple[int, int]  # the numbers of the two elements, in order
    names: tuple[str, str]
    root: Call  # of the query
    result: TouchingIntervals

    @property
    def rows(self) -> FloatArray:
        """The intervals of the pair (m, 2)."""
        own = np.flatnonzero((self.result.pairs == sorted(self.elements)).all(axis=1))
        return np.stack([self.result.begin[own], self.result.end[own]], axis=1)

    @property
    def searched(self) -> Call:
        """The search through the pairs whose boxes around all places overlap."""
        return self.root.find("_searched")

    @property
    def moving(self) -> MovingElements:
        """What moves the elements, but for what moves all of them as one."""
        found: MovingElements = self.searched["moving"]
        return found

    def row(self, element: int) -> int:
        """Return which of the elements that are not hidden one is."""
        row = int(self.moving.row_of[element])
        if row < 0:
            raise ValueError(f"explain: touching_intervals: {self.scene.element_name(element)!r} is hidden")
        return row

    def swept(self, element: int) -> tuple[FloatArray, FloatArray]:
        """Return the corners of the box around all positions of an element."""
        row = self.row(element)
        return self.searched["lower"][row], self.searched["upper"][row]

    def at(self, element: int, times: FloatArray) -> Shape:
        """Return an element at some times, but for what moves all as one."""
        moves, shape = self.moving.moves(self.row(element)), self.scene.element(element)
        return shape.transformed(displaced(moves, times)) if moves else shape

    @property
    def number(self) -> int | None:
        """Which of the pairs that were searched this one is; none where their boxes do not meet."""
        rows = sorted(map(self.row, self.elements))
        found = np.flatnonzero((np.sort(self.searched["pairs"], axis=1) == rows).all(axis=1))
        return int(found[0]) if len(found) else None


def trace_intervals(asked: Question) -> MovingPair:
    """Run the query again, and return the record of it for a pair."""
    (scene,), names = asked.given, asked.names
    if names == ("A", "B") and scene.element_count == 2:
        names = (scene.element_name(0), scene.element_name(1))
    found = []
    for name in names:
        numbers = scene.element_numbers(name)
        if len(numbers) != 1:
            raise ValueError(f"explain: touching_intervals: {name!r} stands for {len(numbers)} shapes; name one")
        found.append(numbers[0])
    root = trace(partial(touching_intervals, scene, **asked.more), only=_ASKED)
    return MovingPair(scene, (found[0], found[1]), names, root, asked.result)


# --- what is explained of it ----------------------------------------------------------------------


#: So many points of the curve of the distance are drawn; so many pieces and changes are explained one by one.
_SAMPLES, _SHOWN = 97, 6

#: The intervals of a pair for which there is memory.
_CAPACITY = 1 << 12


def explained(asked: Question) -> Explanation:
    """Return the explanation of `touching_intervals`, for a pair of the scene."""
    pair = trace_intervals(asked)
    steps = (*_steps(asked, pair), _end(pair))
    return asked.answered(steps, steps[-1].text, pair.names)


def _steps(asked: Question, pair: MovingPair) -> Iterator[Step]:
    first, last = pair.result.start, pair.result.stop
    if first == last:
        text = f"From {first:.4g} to {last:.4g} is a moment: the shapes are tested where they are then."
        yield Step("A moment", text, (), (), _where(pair, first), kernel="touching_intervals")
        return
    meet = _meet(pair)
    yield meet[0]
    if meet[1]:
        yield from _searched(asked, pair)


def _meet(pair: MovingPair) -> tuple[Step, bool]:
    """Return the step that compares the boxes around all positions, and whether the pair is looked at."""
    boxes = [pair.swept(element) for element in pair.elements]
    marks = tuple(
        Mark(f"all places of {name}", "guide", AABB(*box))
        for name, box in zip(pair.names, boxes, strict=True)
        if np.isfinite(box).all()
    )
    kept = pair.number is not None
    margin = float(pair.root["near"])
    apart = any(one[0][k] > other[1][k] + margin for one, other in (boxes, boxes[::-1]) for k in range(3))
    a, b = pair.names
    if kept:
        text = f"The boxes around all places of {a} and of {b} meet, so the pair is looked at."
    elif apart:
        text = f"The boxes around all places of {a} and of {b} do not meet: they never touch."
    else:
        text = f"{a} and {b} are not compared with each other: the scene ignores the pair."
    return Step("Boxes around all places", text, (), (), marks, kernel="touching_intervals"), kept


def _searched(asked: Question, pair: MovingPair) -> Iterator[Step]:
    """Yield the steps of the search for the intervals of the pair."""
    root, sides = _run(pair)
    count = root.first("indices")[3][0]
    begin, end = (times[:count] for times in root.first("out"))
    asked.confirm([np.stack([begin, end], axis=1)], [pair.rows])
    glides = root.calls_of("_glide")
    if not any(side.counts[0] for side in sides):
        yield _resting(bool(count))
    elif any(move.motion.turns for side in sides for move in pair.moving.chains.moves_of(side.links)):
        yield from _walked(pair, root, glides)
    else:
        yield from (_swept(pair, glide) for glide in glides[:_SHOWN])
        if len(glides) > _SHOWN:
            text = f"So it goes on for {len(glides) - _SHOWN} pieces more."
            yield Step("More pieces", text, (), (), (), _plot(pair, ()), kernel="sweep")


def _run(pair: MovingPair) -> tuple[Call, list[Linked]]:
    """Run the loop over moving pairs as Python, for the pair; return the record, and what moves both sides."""
    run = next(call for call in pair.root.each("_run_loop") if call.first("loop") is LOOP)
    k = pair.number
    assert k is not None  # else the boxes do not meet
    _, _, slack, settings = run.first("numbers")
    numbers: list[Any] = [[], [], [float(slack[k])], settings.tolist()]
    return moving_pair_again(run, k, numbers, [[0, _CAPACITY], [0]], ([0.0] * _CAPACITY, [0.0] * _CAPACITY)), [
        one.rows(np.array([k])) for one in run.first("sides")
    ]


def _resting(near: bool) -> Step:
    text = f"Neither moves against the other: they {'touch all the time' if near else 'never touch'}."
    return Step("At rest", text, (), (Value("n", near, "", "", "whether they touch"),), (), kernel="touching_intervals")


# --- straight pieces ------------------------------------------------------------------------------


def _swept(pair: MovingPair, glide: Call) -> Step:
    """Return the step of a piece without keyframes in which nothing turns: a sweep from each of its ends."""
    first, last, way = glide.first("time"), glide.first("until"), np.array(glide["way"])
    points = []
    for search, back in zip(glide.calls_of("search"), (False, True), strict=True):
        for advance in search.calls_of("advance"):
            part = advance.first("t") * (last - first)
            t = last - part if back else first + part
            points.append(PlotPoint(t, advance.first("gap"), "outside" if back else "other"))
    values = [
        Value("t_0", first, "", "", "where the piece begins"),
        Value("t_1", last, "", "", "where it ends"),
        Value(r"\mathbf{v}", tuple(way.tolist()), "length", "", "the way of one against the other"),
    ]
    forth, back_part = glide["forth"], glide["back"]
    touches = not math.isnan(forth) or not math.isnan(back_part)
    starts = ends = first
    if touches:
        starts, ends = sorted((glide["begin"], glide["end"]))
        f, g = Value("f", forth, "", "", "swept forth, first touch"), Value("g", back_part, "", "", "swept back")
        begin = Value("t", starts, "", "at the begin", "they begin to touch")
        end = Value("t'", ends, "", "at the end", "they cease to touch")
        both = (
            (f, formula("<t> = <a> + <f> (<b> - <a>)", t=begin, a=values[0], b=values[1], f=f)),
            (g, formula("<t> = <b> - <g> (<b> - <a>)", t=end, a=values[0], b=values[1], g=g)),
        )
        # Where all but a moment is rounding, one of the two sweeps may miss what the other meets.
        met = [part for part, t in zip(both, (forth, back_part), strict=True) if not math.isnan(t)]
        values += [*(value for value, _ in met), begin, end]
        rules = tuple(rule for _, rule in met)
        text = "Nothing turns, so the distance is convex: a sweep forth finds the first touch, a sweep back the last."
    else:
        rules, text = (), "Nothing turns, so the distance is convex: a sweep forth and a sweep back find no touch."
    marks = _where(pair, starts, "at the begin") if touches else ()
    plot = _plot(pair, tuple(points))
    return Step(f"From {first:.4g} to {last:.4g}", text, rules, tuple(values), marks, plot, kernel="sweep")


# --- pieces in which something turns --------------------------------------------------------------


class _WalkStep(NamedTuple):
    """A step: the time, the distance, how long it is certain to go on so, the next time, a bound on the speed."""

    time: float
    gap: float
    safe: float
    after: float
    fastest: float


def _walked(pair: MovingPair, root: Call, glides: list[Call]) -> Iterator[Step]:
    """Yield the steps of a pair of which something turns."""
    walks = [step for walk in root.calls_of("_walk") for step in _steps_of(walk)]
    changes = [*root.each("_change")]
    points = tuple(PlotPoint(step.time, step.gap, "other") for step in walks)
    if walks:
        yield _first_step(pair, walks, points)
    for number, change in enumerate(changes[:_SHOWN]):
        yield _changed(pair, change, number, len(changes))
    if glides:
        text = (
            f"In {len(glides)} of the pieces without keyframes nothing turns out of its place: there a sweep forth "
            "finds the first touch, and a sweep back the last."
        )
        yield Step("Straight pieces", text, (), (), (), _plot(pair, points), kernel="glide")


def _steps_of(walk: Call) -> Iterator[_WalkStep]:
    """Yield the steps of a walk, in the order in which its names were given values."""
    now, bounds = {"time": walk.first("time")}, (part["fastest"] for part in walk.calls_of("_sure"))
    for name, value in walk.assigned:
        if name == "after":
            yield _WalkStep(now["time"], now["gap"], now["safe"], value, next(bounds))
            now["time"] = value
        now[name] = now["time"] if name == "time" else value


def _first_step(pair: MovingPair, walks: list[_WalkStep], points: tuple[PlotPoint, ...]) -> Step:
    step = max(walks, key=lambda one: one.after - one.time)
    sure = sum(one.safe >= one.after for one in walks)
    values = (
        Value("n", len(walks), "", "", "times that are looked at"),
        Value("n_s", sure, "", "", "steps that are certain: no shorter touch or gap can be between"),
        Value("t", step.time, "", "at the longest step", "where the longest step begins"),
        Value("D", step.gap, "length", "", "distance there, less what counts as touching"),
        Value("v", step.fastest, "", "", "a bound on how fast any two points come nearer"),
        Value("t_s", step.safe, "", "", "how long they certainly go on so"),
        Value("t'", step.after, "", "", "where it ends"),
    )
    text = (
        "Something turns. The distance changes no faster than the points of both shapes move, so for a while they "
        "certainly touch on, or stay apart; each step is that long, or as long as the resolution."
    )
    marks = _where(pair, step.time, "at the longest step")
    return Step("Certain steps", text, (), values, marks, _plot(pair, points), kernel="walk")


def _changed(pair: MovingPair, call: Call, number: int, count: int) -> Step:
    low, high = call.result
    ends = Value("t_0", low, "", "at the change", "still as before"), Value("t_1", high, "", "", "changed")
    start, stop = call.first("low"), call.first("high")
    values = (
        Value("a", start, "", "", "where it was certain before"),
        Value("b", stop, "", "", "where it had changed"),
        *ends,
        Value(r"\epsilon", float(call.first("exact")), "", "", "how near to the change is near enough"),
    )
    text = "Between two of these times they begin or cease to touch. It is halved until the change is found"
    text += f": {number + 1} of {count}." if count > 1 else "."
    plot = _plot(pair, (PlotPoint(low, 0.0, "chosen", "change", f"{pair.names[0]} at the change"),))
    return Step(f"Change {number + 1}", text, (), values, _where(pair, low, "at the change"), plot, kernel="change")


# --- what is shown --------------------------------------------------------------------------------


def _where(pair: MovingPair, time: float, when: str = "then") -> tuple[Mark, ...]:
    """Return marks of both shapes where they are at a time."""
    scene = pair.scene.at(time)
    shapes = (scene.element(number) for number in pair.elements)
    labels = (f"{pair.names[0]} {when}", f"{pair.names[1]} {when}")
    return tuple(Mark(label, "chosen", shape) for label, shape in zip(labels, shapes, strict=True))


def _plot(pair: MovingPair, points: tuple[PlotPoint, ...]) -> Plot:
    """Return the distance over the time, the intervals as areas."""
    a, b = (partial(pair.at, element) for element in pair.elements)
    curve = DistanceCurve(a, b, (pair.result.start, pair.result.stop), _SAMPLES)
    shown = tuple(point for point in points if math.isfinite(point.y))
    return curve.plot("Distance over the time", "time", (), shown, [(float(x), float(y)) for x, y in pair.rows])


def _end(pair: MovingPair) -> Step:
    rows, (a, b) = pair.rows.tolist(), pair.names
    values = []
    for k, (begin, end) in enumerate(rows[:_SHOWN]):
        label = f"{a} at the first touch" if k == 0 else ""
        values.append(Value(f"t_{k + 1}", begin, "", label, "they begin to touch"))
        values.append(Value(f"t'_{k + 1}", end, "", "", "they cease to touch"))
    count = f"{len(rows)} times" if len(rows) > 2 else ("once", "twice")[len(rows) - 1]
    text = f"{a} and {b} touch {count}" if rows else f"{a} and {b} do not touch"
    text += f" between t = {pair.result.start:.4g} and {pair.result.stop:.4g}."
    marks = _where(pair, rows[0][0], "at the first touch") if rows else ()
    plot = _plot(pair, ()) if pair.result.start < pair.result.stop else None
    amount = Value("n", len(rows), "", "", "intervals")
    return Step("Intervals", text, (), (amount, *values), marks, plot, kernel="touching_intervals")
