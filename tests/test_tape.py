"""Explanations on tape: played with other numbers they are what Python tells of these, or nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import unescape
from random import Random

import pytest

from collision import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Segment, Shape, Sphere, explain
from collision.inner import Tape, Value, number_as_html, step_as_html
from viewer.page.facts import rows_of

BALL = Sphere([1.0, 1.5, 0.3], 0.7)
SHORT = Segment([-2.0, -0.5, 0.0], [2.0, 0.5, 0.4])
TURNED = OrientedBox([0.2, 0.1, 0.0], [0.0, 0.0, 0.25881904510252074, 0.9659258262890683], [1.2, 0.8, 0.7])
OTHER = OrientedBox([2.4, 0.3, 0.4], [0.0, 0.3826834323650898, 0.0, 0.9238795325112867], [0.7, 0.7, 0.7])

CASES: list[tuple[str, Shape, Shape]] = [
    ("signed_distance", Point([0.3, 0.2, 0.1]), BALL),
    ("intersects", BALL, Sphere([2.0, 0.0, 0.0], 0.4)),
    ("signed_distance", BALL, SHORT),
    ("intersects", Capsule([0.0, 0.0, 0.0], [1.0, 2.0, 0.5], 0.3), SHORT),
    ("intersects", BALL, AABB([-1.0, -1.0, -1.0], [0.4, 0.9, 1.0])),
    ("intersects", AABB([-1.0, -1.0, -1.0], [0.4, 0.9, 1.0]), AABB([0.9, 0.1, 0.0], [2.0, 2.0, 2.0])),
    ("signed_distance", SHORT, TURNED),
    ("signed_distance", TURNED, OTHER),
    ("signed_distance", BALL, HalfSpace([0.0, 0.0, -1.0], [0.0, 0.0, 1.0])),
    ("crossings", SHORT, Sphere([0.3, 0.0, 0.1], 1.2)),
    ("crossings", Line([-3.0, -1.0, 0.0], [4.0, 1.0, 0.3]), Sphere([0.3, 0.0, 0.1], 1.2)),
]


def told(query: str, shapes: Mapping[str, Shape]) -> list[str]:
    known = set[Value]()
    steps = explain(query, *shapes.values(), names=("A", "B")).steps
    return ["".join(step_as_html(number, step, 2, known)) for number, step in enumerate(steps, 1)]


def filled(html: str, at: Callable[[int], float]) -> str:
    """Return a step with other numbers."""

    def number(found: re.Match[str]) -> str:
        digits = format(at(int(found[2])), f".{found[3]}g")
        return digits if found[1] == "span" else number_as_html(digits)

    return re.sub(r'<(span|mstyle) data-n="(\d+)" data-g="(\d+)">.*?</\1>', number, html)


def text(html: str) -> str:
    return unescape(re.sub("<[^>]*>", "", html))


@pytest.mark.parametrize(
    ("query", "a", "b"), CASES, ids=lambda part: part if isinstance(part, str) else type(part).__name__
)
def test_what_is_played_is_what_python_tells(query: str, a: Shape, b: Shape) -> None:
    tape, random, played = Tape(), Random(query), 0
    told(query, {"A": a, "B": b})
    with tape.recording({"A": a, "B": b}) as checks:
        recorded = told(query, {"A": a, "B": b})
    assert checks
    assert [text(step) for step in recorded] == [text(step) for step in told(query, {"A": a, "B": b})]
    for far in (0.01, 0.01, 0.03, 0.1, 0.3, 0.3, 1.0, 1.0):
        moved = {"A": a, "B": b.translated([random.gauss(0.0, far) for _ in range(3)])}
        at = tape.played(checks, {name: rows_of(shape.flattened())[0].tolist() for name, shape in moved.items()})
        if at is None:
            continue
        played += 1
        seen = [filled(step, at) for step in recorded]
        expected = told(query, moved)
        if query == "crossings":  # its last step has a number of another query
            seen, expected = seen[:-1], expected[:-1]
        assert [text(step) for step in seen] == [text(step) for step in expected]
    assert played >= 2


def test_a_tape_is_not_played_where_something_goes_another_way() -> None:
    tape, shapes = Tape(), {"A": BALL, "B": SHORT}
    told("intersects", shapes)
    with tape.recording(shapes) as checks:
        told("intersects", shapes)
    far = rows_of(SHORT.translated([0.0, 0.8, 0.0]).flattened())[0].tolist()
    own = rows_of(BALL.flattened())[0].tolist()
    near = rows_of(SHORT.flattened())[0].tolist()
    assert tape.played(checks, {"A": own, "B": near}) is not None
    assert tape.played(checks, {"A": own, "B": far}) is None, "now they touch"
    assert tape.played(checks, {"A": own, "B": [*near[:3], *near[:3]]}) is None, "it has no length"
