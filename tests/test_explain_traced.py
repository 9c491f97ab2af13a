"""What explanations show was computed by kernels, and where a kernel changes, what is shown changes with it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import PureWindowsPath
from typing import Any

import numpy as np
import pytest

from collision import Explanation, Point, Segment, Sphere, explain
from collision.explaining import trace as tracing
from collision.explaining.cases import all_cases
from collision.explaining.pairs import trace_pair
from collision.explaining.point import point_linear
from collision.explaining.trace import Call
from collision.kernels import point as kernels
from collision.kernels.vec3 import Vec3, norm
from collision.shapes.kinds import KINDS
from tests.explained import Asked
from tests.slow import deep
from tests.strategies import random_pairs

#: Symbols of steps that no kernel has a name for, and why.
UNNAMED = {
    ("Do they touch?", "T"): "the query compares with it where it stands",
    ("From inside: the nearest face", r"\delta"): "the kernel compares the depths where they stand",
    ("The verdict", r"\epsilon"): "contains compares with it where it stands",
    ("Slide to the nearest points", "d"): "the length of a step of which the kernel needs the square alone",
    ("The capsule in its object", "h"): "the kernel is given half of it",
    ("Compare the squares", "R"): "the kernel compares with the square where it stands",
    ("Gaps along the axes", r"\mathbf{m}"): "the axis in the world; the kernel has it in the space of a box",
}
#: Queries of whole scenes, of which other tests see that what is shown is what was searched.
OF_SCENES = ("candidate_pairs", "why", "touching_intervals")


def numbers(value: Any) -> Iterator[float]:
    """Yield the sizes of all numbers in a value."""
    if isinstance(value, tuple | list):
        for part in value:
            yield from numbers(part)
    elif isinstance(value, np.ndarray) and value.dtype.kind == "f":
        yield from np.abs(value).ravel().tolist()
    elif isinstance(value, float | np.floating):
        yield abs(float(value))


def known_to(call: Call) -> Iterator[float]:
    """Yield the sizes of all numbers that a call had, and those that it made."""
    had = (*call.arguments.values(), *call.values.values(), call.result, *(value for _, value in call.assigned))
    yield from numbers(had)
    for part in call.calls:
        yield from known_to(part)


@pytest.fixture
def roots(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """Return a list to which the record of each trace is added."""
    found: list[Call] = []
    begin = tracing.Tracer.__init__

    def noted(self: tracing.Tracer, root: Call, only: frozenset[str] | None = None) -> None:
        found.append(root)
        begin(self, root, only)

    monkeypatch.setattr(tracing.Tracer, "__init__", noted)
    return found


def untraced(explanation: Explanation, roots: list[Call]) -> Iterator[tuple[str, str]]:
    """Yield the title and the symbol of each value that is no number of a trace, of a shape, or of the result."""
    known = {0.0, 1.0, *numbers(explanation.result)}
    for root in roots:
        known.update(known_to(root))
    for shape in explanation.given:
        known.update(numbers([*shape.values().values()] if hasattr(shape, "values") else ()))
    for step in explanation.steps:
        for value in step.values if not step.article else ():
            if not known.issuperset(numbers(value.value)):
                yield step.title, value.symbol.partition("_")[0]


def asked() -> Iterator[Asked]:
    """Yield one in three of the named cases; in deep runs all of them, and hard pairs of all kinds."""
    for case in [*all_cases().values()][:: 1 if deep() else 3]:
        if case.query not in OF_SCENES:
            yield case.query, case.given, dict(case.more)
    for kinds in product(KINDS, KINDS):
        for case in random_pairs(*kinds, 170 if deep() else 0, 9):
            yield "contact", (case.a, case.b), {}


def test_what_is_shown_was_computed_by_a_kernel(roots: list[Call]) -> None:
    found: set[tuple[str, str]] = set()
    for query, given, more in asked():
        roots.clear()
        found |= {*untraced(explain(query, *given, **more), roots)}
    assert found <= {*UNNAMED}


def test_where_a_kernel_changes_what_is_shown_changes_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ball, arm = Sphere([0, 2, 0], 0.5), Segment([-1, 0, 0], [1, 0, 0])
    monkeypatch.setattr(kernels, "norm", lambda v: 3.0 * norm(v))
    steps = {step.title: step for step in point_linear(trace_pair(ball, arm, ("ball", "arm")))}
    shown = {value.symbol: value.value for value in steps["Nearest points of the cores"].values}
    assert (shown["d"], shown[r"\mathbf{w}"]) == (6.0, Vec3(0.0, -2.0, 0.0))


def test_what_is_not_the_query_s_own_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pair, queries = (Sphere([0, 2, 0], 0.5), Point([1, 0, 0])), ("signed_distance", "closest_points", "contact")
    for query in queries:
        explain(query, *pair)  # their machine code is there before the kernel changes
    monkeypatch.setattr(kernels, "norm", lambda v: 3.0 * norm(v))
    for query in queries:
        with pytest.raises(RuntimeError, match="the kernel run as Python gave"):
            explain(query, *pair)


def test_a_call_that_must_be_there_is_found_or_named() -> None:
    call = trace_pair(Segment([0, 0, 0], [1, 0, 0]), Sphere([2, 1, 0], 1), ("A", "B")).call
    assert call.find("nearest_parameter") is call.calls_of("nearest_parameter")[0]
    assert (call.ran("nearest_parameter"), call.ran("gone")) == (True, False)
    with pytest.raises(RuntimeError, match="point_linear: expected a call of gone, it called nearest_parameter"):
        call.find("gone")


def test_kernels_are_traced_whatever_separates_the_parts_of_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    function = vars(kernels.point_linear)["function"]
    path = PureWindowsPath("C:/Lib/site-packages/collision/kernels/point.py")
    monkeypatch.setattr(function, "__code__", function.__code__.replace(co_filename=str(path)))
    explanation = explain("signed_distance", Point([0, 2, 0]), Segment([-1, 0, 0], [1, 0, 0]))
    assert explanation.result == 2.0
    assert [step.title for step in explanation.steps if step.kernel == "point_linear"]


def test_kernels_of_vectors_have_no_records() -> None:
    explanation = trace_pair(Segment([0, 0, 0], [1, 0, 0]), Sphere([2, 1, 0], 1), ("A", "B"))
    called = {call.name for call in explanation.call.calls}
    assert "nearest_parameter" in called
    assert not called & {"norm", "sub", "dot", "largest"}
