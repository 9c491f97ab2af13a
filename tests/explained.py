"""What is true of every explanation, whatever was asked: its texts, values, marks, formulas, and its result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import numpy as np

import collision
from collision import (
    Capsule,
    CapsuleCollider,
    Explanation,
    Motion,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    Transform,
    explain,
    signed_distance,
)
from collision.explaining.cases import all_cases
from collision.explaining.records import Mark, Step
from tests.strategies import LINE_LIKE, LINEAR, UNBOUNDED
from tests.tex_numbers import UnreadError, is_true

#: Commands of TeX that matplotlib's mathtext and web pages both set.
COMMANDS = frozenset(
    re.findall(
        r"\w+",
        "frac sqrt mathbf mathrm cdot times leq geq neq min max infty epsilon pm approx in to alpha beta delta theta "
        "lambda tau varphi phi omega Delta left right",
    )
)
#: What a relation may be wrong by where rounding is all there is: a part of the largest number that is given.
ROUNDING = 1e-13

Asked = tuple[str, tuple[Any, ...], dict[str, Any]]


def size_of(shape: Shape) -> float:
    """Return the largest number that a shape is given by."""
    return max(float(np.abs(value).max()) for value in shape.values().values())


def questions(a: Any, b: Any, k: int) -> Iterator[Asked]:
    """Yield all that can be explained of two single shapes; what moves goes some way of its own for each k."""
    for query in ("signed_distance", "distance", "intersects", "closest_points", "contact", "manifold", "all_normals"):
        yield query, (a, b), {}
    size = max(size_of(a), size_of(b))
    yield "contact", (a, b), {"margin": 0.25 * size}
    yield "manifold", (a, b), {"margin": 0.5 * size}
    yield "contains", (a, b), {}
    if isinstance(a, Point | Sphere) and type(b) in LINEAR:
        yield "foot", (a, b), {}
    if type(a) in LINE_LIKE:
        yield "crossings", (a, b), {}
    if isinstance(a, Ray):
        yield "raycast", (a, b), {"max_distance": (np.inf, size)[k % 2]}
    if type(a) in UNBOUNDED and type(b) in UNBOUNDED:
        return
    rng = np.random.default_rng(k)
    motion = size * rng.normal(size=3) if k % 3 else size * rng.integers(-2, 3, 3).astype(float)
    yield "sweep", (a, b), {"motion": motion}
    yield "sweep_steps", (a, b), {"motion": motion}
    if size < 1e60:
        turn = Transform(motion, rng.normal(size=4))
        yield "sweep", (a, b), {"end": turn}
        both = {
            "start": Transform(-motion),
            "end": turn,
            "pivot": motion,
            "b_end": Transform(motion, rng.normal(size=4)),
        }
        yield "sweep", (a, b), both
    if a.bounded:
        scene = Scene({"one": a, "other": b}, motion=[Motion("one", times=[0, 1], offsets=[motion, -motion])])
        yield "touching_intervals", (scene,), {"names": ("one", "other")}
    scene = Scene({"one": a, "other": b})
    yield "candidate_pairs", (scene,), {}
    yield "why", (scene, "one", "other"), {}


@cache
def explained_cases() -> Mapping[str, Explanation]:
    """Return the explanations of all named cases."""
    return {name: explain(case.query, *case.given, **case.more) for name, case in all_cases().items()}


def same(a: Any, b: Any) -> bool:
    """Say whether two results have the same bits."""
    if isinstance(a, tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    if hasattr(a, "__dict__") and not isinstance(a, np.ndarray):
        return type(a) is type(b) and all(same(x, y) for x, y in zip(vars(a).values(), vars(b).values(), strict=True))
    return bool(np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind == "f"))


def answer(query: str, given: tuple[Any, ...], more: Mapping[str, Any]) -> Any:
    """Return what a query itself returns."""
    rest = {name: value for name, value in more.items() if name != "names"}
    asked = getattr(CapsuleCollider if query == "sphere_test" else collision, query)
    with np.errstate(all="ignore"):
        return asked(*given, **rest)


def proven(query: str, given: tuple[Any, ...], more: dict[str, Any], **names: Any) -> Explanation:
    """Return an explanation of which all is checked."""
    explanation = explain(query, *given, **{**more, **names})
    has_the_answer(explanation, given, more)
    sound(explanation)
    return explanation


def has_the_answer(explanation: Explanation, given: tuple[Any, ...], more: Mapping[str, Any]) -> None:
    """Check that the result of an explanation is what the query returns, to the last bit."""
    known = answer(explanation.query, given, more)
    assert same(explanation.result, known), (explanation.result, known)


def sound(explanation: Explanation) -> None:
    """Fail where something is wrong with an explanation."""
    is_text(explanation.summary)
    assert explanation.steps
    size = max([0.0, *map(size_of, (shape for shape in explanation.given if isinstance(shape, Shape)))])
    for step in explanation.steps:
        assert re.fullmatch(r"[A-Z].*[^. ]", step.title), step.title
        is_text(step.text)
        marks = [*step.marks, *(step.space.marks if step.space else ())]
        assert len({mark.label for mark in step.marks}) == len(step.marks), (step.title, step.marks)
        for mark in marks:
            _is_mark(step, mark)
        labels = {mark.label for mark in marks}
        for value in step.values:
            assert value.mark in {*labels, ""}, (step.title, value)
            assert not np.isnan(np.asarray(value.value, dtype=float)).any(), (step.title, value)
            assert value.means == value.means.strip(), value
            _is_tex(value.symbol)
        for rule in step.formulas:
            assert is_sound(rule.numbers, size), (step.title, rule)
            _is_tex(rule.symbols)
        if step.plot:
            _is_plot(step, labels)
    _are_on(explanation)


def is_text(text: str) -> None:
    """Check that a text is made of sentences."""
    assert text.endswith("."), text
    assert not re.search(r"\bnan\b|\bNone\b(?! (are|of|fail))|\binf\b|  | [.,]|\.\.|[{}\\]", text), text


def is_sound(numbers: str, size: float = 0.0) -> bool:
    """Say whether a formula with numbers is true, as far as it has numbers alone; `size` is the largest given."""
    try:
        return all(is_true(part, ROUNDING, size) for part in numbers.split(r"\;\; \mathrm{and} \;\;"))
    except UnreadError as unread:
        return str(unread) in KNOWN_UNREAD


#: What is not computed: a matrix, which is explained beside the formula, and what is too small to be computed with.
KNOWN_UNREAD = frozenset({"W", "too small"})


@cache
def _is_tex(tex: str) -> None:
    from matplotlib.mathtext import MathTextParser  # which imports much

    assert tex
    unknown = set(re.findall(r"\\([a-zA-Z]+)", tex)) - COMMANDS
    assert not unknown, (tex, unknown)
    MathTextParser("path").parse(f"${tex}$")


def _is_mark(step: Step, mark: Mark) -> None:
    assert mark.label, step.title
    assert mark.label == mark.label.strip(), mark
    for value in mark.shape.values().values():
        assert np.isfinite(value).all(), (step.title, mark)


def _is_plot(step: Step, labels: set[str]) -> None:
    plot: Any = step.plot
    shown = {point.mark for point in plot.points} | {area.mark for area in plot.areas}
    assert shown <= {*labels, ""}, (step.title, shown - labels)
    (x0, x1), (y0, y1) = plot.x_range, plot.y_range
    assert np.isfinite([x0, x1, y0, y1]).all(), (step.title, plot)
    assert x0 < x1, (step.title, plot.x_range)
    assert y0 < y1, (step.title, plot.y_range)
    points = [
        *((p.x, p.y) for p in plot.points),
        *((x, y) for line in plot.lines for x, y in zip(line.x, line.y, strict=True)),
    ]
    assert np.isfinite(points).all(), (step.title, plot)
    assert not any(np.isnan([*area.x, *area.y]).any() for area in plot.areas), step.title


def _are_on(explanation: Explanation) -> None:
    """Check that marks are on what they are said to be on: cores, surfaces, and gaps from point to point."""
    if len(explanation.given) != 2 or not all(isinstance(shape, Shape) for shape in explanation.given):
        return
    shapes: dict[str, Any] = dict(zip(explanation.names, explanation.given, strict=True))
    for step in explanation.steps:
        _are_joined(step)
        for mark in step.marks:
            core = shapes.get(mark.label.removeprefix("core of "))
            if core is not None and mark.label.startswith("core of "):
                assert mark.shape == _core_of(core), (step.title, mark)
            if mark.label == "normal":
                arrow: Any = mark.shape
                far = max(1.0, np.abs(arrow.start).max())
                assert abs(np.linalg.norm(arrow.end - arrow.start) - 1.0) <= 1e-15 * far + 1e-14, (step.title, arrow)
            on = shapes.get(mark.label.removeprefix("nearest of "))
            if mark.role == "witness" and on is not None and "sweep" not in explanation.query:
                _is_on_surface(explanation, step, mark, on)


def _core_of(shape: Any) -> Shape:
    """Return what is left of a shape without its radius."""
    if isinstance(shape, Sphere):
        return Point(shape.center)
    return Segment(shape.start, shape.end) if isinstance(shape, Capsule) else shape


def _are_joined(step: Step) -> None:
    """Check that what is measured goes from the one nearest point to the other."""
    marks = {mark.label: mark.shape for mark in step.marks}
    nearest = [shape for label, shape in marks.items() if label.startswith("nearest of ") and isinstance(shape, Point)]
    for label in ("signed distance", "w", "gap"):
        gap: Any = marks.get(label)
        if gap is not None and len(nearest) == 2:
            ends = {tuple(point.position.tolist()) for point in nearest}
            assert {tuple(gap.start.tolist()), tuple(gap.end.tolist())} == ends, (step.title, gap, nearest)


def _is_on_surface(explanation: Explanation, step: Step, mark: Mark, shape: Shape) -> None:
    """Check that a witness point is on a surface; where no move parts two shapes, in them."""
    point: Any = mark.shape
    with np.errstate(all="ignore"):
        off = float(signed_distance(shape, point))
        endless = explanation.query != "foot" and signed_distance(*explanation.given) == -np.inf
    bound = 1e-12 * max(*map(size_of, explanation.given), size_of(point))
    assert off <= bound, (step.title, mark, off)
    assert abs(off) <= bound or endless, (step.title, mark, off)
