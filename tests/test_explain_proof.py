"""Explanations of anything: the bits of the query, sound texts, marks and plots, formulas that are true, mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from markdown_it import MarkdownIt

from collision import AABB, Capsule, Line, OrientedBox, Point, Ray, Segment, Shape, Sphere, explain
from collision.explaining import clips, separation
from collision.explaining.cases import all_cases
from collision.shapes.kinds import KINDS
from tests.explained import Asked, explained_cases, has_the_answer, is_sound, proven, questions, sound
from tests.remembered import CERTIFIED, FLAT_TO_ROUNDING, MOTIONS, ONE_VAGUE_WAY_OUT, REMEMBERED, REMEMBERED_CASTS
from tests.slow import deep, some
from tests.strategies import FAMILIES, moved, random_pairs
from tests.tex_numbers import UnreadError, is_true

#: So many pairs of all kinds in all.
MANY = 100_000 if deep() else 120
#: In so many parts, so that they are shared out among processes.
PARTS = 8 if deep() else 3
ORDERS = list(product(KINDS, KINDS))
KNOWN: dict[str, tuple[Shape, Shape]] = {**REMEMBERED, **CERTIFIED, **FLAT_TO_ROUNDING}


def any_of(rng: np.random.Generator, a: Shape, b: Shape) -> Asked:
    """Return one of all questions about a pair."""
    asked = list(questions(a, b, int(rng.integers(1 << 20))))
    return asked[rng.integers(len(asked))]


def hard(part: int) -> Iterator[tuple[Shape, Shape]]:
    """Yield hard pairs of all kinds, a part of all."""
    each = -(-MANY // (PARTS * len(ORDERS)))
    cases = [case for order in ORDERS for case in random_pairs(*order, each * 2, 1000 + part)]
    for k in np.random.default_rng(part).permutation(len(cases))[: MANY // PARTS]:
        yield cases[k].a, cases[k].b


@pytest.mark.parametrize("part", range(PARTS))
def test_hard_pairs_are_told_as_they_are(part: int) -> None:
    rng = np.random.default_rng(part)
    for a, b in hard(part):
        proven(*any_of(rng, a, b))


def test_pairs_on_which_a_kernel_was_once_wrong_are_told_as_they_are() -> None:
    rng = np.random.default_rng(1)
    for a, b in [*KNOWN.values(), ONE_VAGUE_WAY_OUT] * (10 if deep() else 1):
        proven(*any_of(rng, a, b))
    for a, b, motion in MOTIONS.values():
        proven("sweep", (a, b), {"motion": motion})
    for a, b in REMEMBERED_CASTS.values():
        proven(*(("crossings", (a, b), {}), ("raycast", (a, b), {}))[rng.integers(2)])


@pytest.mark.parametrize("factor", [1e-70, 1e35, 1e66])
def test_the_tiny_and_the_huge_are_told_as_they_are(factor: float) -> None:
    rng, names = np.random.default_rng(2), list(FAMILIES)
    for k in range(MANY // 10):
        first, second = ORDERS[rng.integers(len(ORDERS))]
        a, b = FAMILIES[names[k % len(names)]](first, second, rng)
        a, b = (moved(recipe, 0.1 * factor, np.zeros(3)) for recipe in (a, b))
        proven(*any_of(rng, a.build(first), b.build(second)))


def test_named_cases_are_told_as_they_are() -> None:
    cases = all_cases()
    for name, explanation in explained_cases().items():
        has_the_answer(explanation, cases[name].given, cases[name].more)
        sound(explanation)


def test_cores_without_steps_of_their_own_are_told_by_what_their_kernels_return(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(separation, "_EXPLAINERS", {})
    monkeypatch.setattr(clips, "_EXPLAINERS", {})
    for a, b in some(3, ORDERS):
        (case,) = random_pairs(a, b, 17, 5)[:1]
        for query, given, more in questions(case.a, case.b, 1):
            if query in ("closest_points", "contact", "intersects", "crossings", "raycast", "contains"):
                proven(query, given, more)


def odd_pairs() -> dict[str, tuple[Shape, Shape]]:
    """Return pairs whose stories name them in all places."""
    turned = OrientedBox([3, 0.5, 0], [0.1, 0.2, 0.3, 1], [1, 1, 1])
    return {
        "intersects": (Sphere([0, 0, 0], 1), Capsule([2, 1, 0], [3, 0, 1], 0.5)),
        "contact": (Segment([0, 0, 0], [2, 1, 0]), turned),
        "signed_distance": (AABB([-1, -1, -1], [1, 1, 1]), turned),
        "manifold": (AABB([-1, -1, -1], [1, 1, 0]), AABB([0, 0, -0.25], [3, 3, 2])),
        "all_normals": (AABB([-1, -1, -1], [1, 1, 1]), Point([0, 0, 0])),
        "contains": (AABB([-1, -1, -1], [1, 1, 1]), Segment([0, 0, 0], [0.5, 0.5, 0.5])),
        "crossings": (Line([0, 0, 0], [1, 0, 0]), turned),
        "raycast": (Ray([-3, 0.5, 0], [1, 0, 0]), Sphere([0, 0, 0], 1)),
    }


@pytest.mark.parametrize(
    "name",
    ["a_b_c", "50%", "$x$", "<b>", "*ball*", "[1](2)", "# x", "1. ball", "- box", "a & &lt; b", "`c`", "| 3 |", "~~x~~",
     "\N{CYRILLIC SMALL LETTER DE}\N{GREEK SMALL LETTER PI}\N{CJK UNIFIED IDEOGRAPH-7BB1}", "crate " + 60 * "9"],
)  # fmt: skip
def test_odd_names_stand_in_texts_as_they_are_and_in_no_formula(name: str) -> None:
    for query, pair in odd_pairs().items():
        explanation = explain(query, *pair, names=(name, "other"))
        tex = [part for step in explanation.steps for rule in step.formulas for part in (rule.symbols, rule.numbers)]
        assert not any(name in part for part in (*tex, *(v.symbol for step in explanation.steps for v in step.values)))
        page = MarkdownIt().parse(explanation.as_markdown())
        lines = [token for token in page if token.type == "inline"]
        for token in lines:
            assert not {part.type for part in token.children or ()} & {"em_open", "strong_open", "link_open", "s_open"}
        texts = ["".join(part.content for part in token.children or ()) for token in lines]
        assert explanation.summary in texts
        assert {step.text for step in explanation.steps} <= {*texts}
        assert explanation.summary in str(explanation)


@pytest.mark.parametrize(
    ("numbers", "holds"),
    [
        (r"0.3333 = \frac{1}{3}", True),
        (r"0.3343 = \frac{1}{3}", False),
        (r"5 = \|(3,\,4,\,0)\|", True),
        (r"5.01 = \|(3,\,4,\,0)\|", False),
        (r"(1,\,2,\,3) = (1,\,0,\,1) + 2 (0,\,1,\,1)", True),
        (r"(1,\,2,\,2.9) = (1,\,0,\,1) + 2 (0,\,1,\,1)", False),
        (r"(0,\,0,\,1) = (1,\,0,\,0) \times (0,\,1,\,0)", True),
        (r"(0,\,0,\,-1) = (1,\,0,\,0) \times (0,\,1,\,0)", False),
        (r"1.5 \times 10^{-9} < 2 \times 10^{-9}", True),
        (r"2.5 \times 10^{-9} < 2 \times 10^{-9}", False),
        (r"0 \leq 0.5 \leq 1", True),
        (r"0 \leq 1.5 \leq 1", False),
        (r"0.5 = \min(\max(-1,\,0.5),\,1)", True),
        (r"-1 = \min(\max(-1,\,0.5),\,1)", False),
        (r"4 = (-2)^2", True),
        (r"3 = 5 - (|-1|\,2 + 1 \cdot 0)", True),
        (r"1.414 = \sqrt{2}", True),
        (r"1.415 = \sqrt{2}", False),
        (r"\infty > 3", True),
    ],
)
def test_what_is_not_so_is_found(numbers: str, holds: bool) -> None:
    assert is_sound(numbers) is holds


def test_what_is_no_number_is_named() -> None:
    with pytest.raises(UnreadError, match="M"):
        is_true("3 = M 2", 1e-13)
    assert not is_sound(r"3 = \alpha")


def test_a_direction_whose_squares_are_all_but_lost_is_explained() -> None:
    pair = CERTIFIED["a ray along a flat box, but for a direction whose squares are all but lost"]
    for query in ("signed_distance", "closest_points", "contact", "all_normals"):
        sound(explain(query, *pair))


def test_what_cannot_be_explained_is_named() -> None:
    with pytest.raises(ValueError, match="'nonsense' is no query that can be explained; these can: signed_distance"):
        explain("nonsense", Point([0, 0, 0]), Point([1, 0, 0]))


BALL, BALLS = Sphere([0, 0, 0], 1), Sphere([[0, 0, 0], [1, 1, 1]], 1)


@pytest.mark.parametrize(
    ("given", "more", "error", "text"),
    [
        ((BALL,), {}, TypeError, "explain: signed_distance takes a, b: missing a required argument: 'b'"),
        ((), {}, TypeError, "explain: signed_distance takes a, b: missing a required argument: 'a'"),
        ((BALL, BALL, BALL), {}, TypeError, "explain: signed_distance takes a, b: too many positional arguments"),
        ((BALL, BALL), {"on": 1}, TypeError, "explain: signed_distance takes a, b: got an unexpected keyword argument"),
        ((BALL, BALL), {"out": None}, TypeError, "explain: signed_distance: out is for the answers of many pairs"),
        ((BALL, 3), {}, TypeError, "signed_distance takes two shapes, got int as b"),
        (
            (BALL, BALLS),
            {},
            ValueError,
            "argument 2 is a batch of shape .2,., .* pick one shape of it",
        ),
        ((BALL, BALL), {"names": "AB"}, TypeError, "names must be two texts, what the shapes are called, got 'AB'"),
        ((BALL, BALL), {"names": ("a", "a")}, ValueError, "names must differ, got 'a' twice"),
        ((Sphere([1e300, 0, 0], 1), Segment([-1e300, 0, 0], [3, 4, 5e299])), {}, ValueError, "are too large, or too"),
    ],
)
def test_a_mistake_is_named(given: tuple[Any, ...], more: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        explain("signed_distance", *given, **more)
