"""Two descriptions of the same set of points give the same answers: to the last bit, or within a stated bound."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    OrientedBox,
    Point,
    Ray,
    Segment,
    Shape,
    Sphere,
    closest_points,
    contact,
    contains,
    crossings,
    intersects,
    raycast,
    signed_distance,
    sweep,
)
from collision.base.fields import FloatArray
from tests.corpus import Corpus, accuracy, check, exactly, stacked
from tests.oracles import overhang
from tests.queries import answers, same_values
from tests.strategies import EXACT, FAMILIES, LINE_LIKE, RIGHT_ANGLES, Case, Kind, random_frame, random_pairs

Maker = Callable[[Any], Shape]


def _stick(segment: Segment) -> OrientedBox:
    """Return a segment as a box with two sides of no length; its other two axes are any."""
    step = (segment.end - segment.start) / 2.0
    half = float(np.linalg.norm(step))
    frame = random_frame(np.random.default_rng(1))
    if half > 0.0:
        first = step / half
        second = np.cross(first, frame[:, int(np.argmin(np.abs(first @ frame)))])
        second /= np.linalg.norm(second)
        frame = np.stack([first, second, np.cross(first, second)], axis=1)
    return OrientedBox(segment.start + step, frame, [half, 0.0, 0.0])


#: What each twin is made from, and how.
TWINS: dict[str, tuple[Kind, Maker]] = {
    "a capsule of no radius is a segment": (Segment, lambda s: Capsule(s.start, s.end, 0.0)),
    "a sphere of no radius is a point": (Point, lambda p: Sphere(p.position, 0.0)),
    "a capsule of no length is a sphere": (Sphere, lambda s: Capsule(s.center, s.center, s.radius)),
    "a segment of no length is a point": (Point, lambda p: Segment(p.position, p.position)),
    "a capsule of no length or radius is a point": (Point, lambda p: Capsule(p.position, p.position, 0.0)),
    "an axis-aligned box of no extent is a point": (Point, lambda p: AABB(p.position, p.position)),
    "a turned box of no extent is a point": (Point, lambda p: OrientedBox(p.position, _LEANING, np.zeros(3))),
    "a box that is not turned is axis-aligned": (AABB, lambda b: _oriented(b, np.eye(3))),
    "a box turned by right angles is axis-aligned": (AABB, lambda b: _oriented(b, RIGHT_ANGLES[9])),
    "a box flat in two axes is a segment": (Segment, _stick),
}
_LEANING = random_frame(np.random.default_rng(2))

#: For these the core is the very same, so everything is.
SAME_CORE = ("a capsule of no radius is a segment", "a sphere of no radius is a point")
#: For these the nearest point is: distances to all kinds but boxes at an angle are the same to the last bit.
SAME_DISTANCE = (
    "a capsule of no length is a sphere",
    "a segment of no length is a point",
    "a capsule of no length or radius is a point",
)


def _oriented(box: AABB, turn: FloatArray) -> OrientedBox:
    half = 0.5 * box.upper - 0.5 * box.lower
    return OrientedBox(0.5 * box.lower + 0.5 * box.upper, turn, np.abs(half @ turn))


def _ids(value: object) -> str:
    return value if isinstance(value, str) else getattr(value, "__name__", "")


@cache
def _meeting(original: Kind, kind: Kind) -> Corpus:
    """Return hard pairs of two kinds, in this order."""
    swap = EXACT.index(original) > EXACT.index(kind)
    cases = random_pairs(*((kind, original) if swap else (original, kind)), n=3 * len(FAMILIES), seed=31)
    return Corpus.of([Case(c.label, c.b, c.a) if swap else c for c in cases])


def both(twin: str, kind: Kind) -> tuple[Corpus, Shape]:
    """Return the original against a kind, and the twin of the original."""
    original, make = TWINS[twin]
    corpus = _meeting(original, kind)
    return corpus, stacked([make(case.a) for case in corpus.cases])


def everything(a: Shape, b: Shape) -> dict[str, Any]:
    """Return the answers of all queries to two shapes, in both orders."""
    size = max(1.0, float(np.abs(closest_points(a, b).on_a).max(initial=0.0)))
    pairs = {"ab": (a, b), "ba": (b, a)}
    both = {order: answers(*pair, motion=[0.5, -0.25, 1.0], length=size) for order, pair in pairs.items()}
    return {f"{name} {order}": value for order, found in both.items() for name, value in found.items()}


@pytest.mark.parametrize("kind", EXACT, ids=_ids)
@pytest.mark.parametrize("twin", TWINS)
def test_twins_are_answered_alike(twin: str, kind: Kind) -> None:
    corpus, other = both(twin, kind)
    if twin in SAME_CORE:
        all_answers_have_the_same_bits(corpus, other)
    if twin in SAME_DISTANCE:
        distances_have_the_same_bits(corpus, other)
    distances_agree(corpus, other)
    points_agree(corpus, other)
    verdicts_agree(corpus, other)
    first_touches_agree(corpus, other)
    if isinstance(corpus.b, LINE_LIKE):
        casts_agree(corpus, other)


# --- to the last bit ------------------------------------------------------------------------------


def all_answers_have_the_same_bits(corpus: Corpus, other: Shape) -> None:
    expected, got = everything(corpus.a, corpus.b), everything(other, corpus.b)
    for name in expected.keys() & got.keys():
        assert same_values(got[name], expected[name]), name


def distances_have_the_same_bits(corpus: Corpus, other: Shape) -> None:
    """Compare distances to the last bit, but for boxes at an angle."""
    expected, got = signed_distance(corpus.a, corpus.b), signed_distance(other, corpus.b)
    if isinstance(corpus.b, OrientedBox):
        check(corpus, got - expected, 2e-15, "distance")
    else:
        assert np.array_equal(got, expected)
        assert np.array_equal(signed_distance(corpus.b, other), expected)


# --- within a bound -------------------------------------------------------------------------------


def distances_agree(corpus: Corpus, other: Shape) -> None:
    """Compare within 2e-15 of the size, or with a box at an angle 2e-14."""
    limit = 2 * max(accuracy(corpus.a, corpus.b), accuracy(other, corpus.b))
    expected = signed_distance(corpus.a, corpus.b)
    for got in (signed_distance(other, corpus.b), signed_distance(corpus.b, other)):
        check(corpus, got - expected, limit, "distance")
    depth = contact(other, corpus.b).depth
    check(corpus, depth - np.maximum(-expected, 0.0), limit, "depth")


def points_agree(corpus: Corpus, other: Shape) -> None:
    """Compare points and normals within 1e-9 of the size, where they are unique."""
    unique = corpus.generic & (np.array([float(e.core_distance) for e in corpus.exact]) > 1e-3 * corpus.size)
    for query in (closest_points, contact):
        expected, got = query(corpus.a, corpus.b), query(other, corpus.b)
        for name in ("normal", "on_a", "on_b"):
            differ = np.abs(getattr(got, name) - getattr(expected, name)).max(axis=-1)
            check(corpus, np.where(unique, differ, 0.0), 1e-9, name)


def verdicts_agree(corpus: Corpus, other: Shape) -> None:
    """Compare verdicts, but where 1e-14 of the size decides."""
    exact = np.array([float(e.signed_distance) for e in corpus.exact])
    sure = np.abs(exact) > 1e-14 * corpus.size
    for a, b in ((other, corpus.b), (corpus.b, other)):
        assert np.array_equal(intersects(a, b)[sure], (exact <= 0.0)[sure])
    first, second = [c.a for c in corpus.cases], [c.b for c in corpus.cases]
    for overhangs, expected, got in (
        (exactly(overhang, first, second), contains(corpus.a, corpus.b), contains(other, corpus.b)),
        (exactly(overhang, second, first), contains(corpus.b, corpus.a), contains(corpus.b, other)),
    ):
        sure = np.array([x is None or abs(x) > 1e-14 * size for x, size in zip(overhangs, corpus.size, strict=True)])
        assert np.array_equal(got[sure], expected[sure])


def first_touches_agree(corpus: Corpus, other: Shape) -> None:
    """Compare times within 1e-12, where shapes do not graze."""
    rng = np.random.default_rng(3)
    motion = rng.normal(size=(len(corpus.cases), 3)) * 3.0 * corpus.size[:, None]
    for way in (motion, -motion):
        start, again = corpus.a.translated(-0.5 * way), other.translated(-0.5 * way)
        expected, got = sweep(start, corpus.b, motion=way), sweep(again, corpus.b, motion=way)
        back = sweep(corpus.b, again, motion=-way)
        speed = np.abs(np.sum(expected.normal * way, axis=-1)) / corpus.size
        sure = (speed > 0.1) & corpus.generic & (np.abs(expected.fraction - 0.5) < 0.499)
        for found in (got, back):
            assert np.all(found.hit[sure])
            assert np.abs(found.fraction - expected.fraction)[sure].max(initial=0.0) <= 1e-12


def casts_agree(corpus: Corpus, other: Shape) -> None:
    """Compare where lines and rays meet them within 1e-12 of the size, where they do not graze."""
    sure = np.array([float(e.signed_distance) for e in corpus.exact]) < -1e-3 * corpus.size
    expected, got = crossings(corpus.b, corpus.a), crossings(corpus.b, other)
    assert np.array_equal(got.count[sure & corpus.generic], expected.count[sure & corpus.generic])
    differ = np.abs(got.points - expected.points).max(axis=(1, 2), initial=0.0, where=np.isfinite(expected.points))
    check(corpus, np.where(sure & corpus.generic, differ, 0.0), 1e-12, "where it crosses")
    if isinstance(corpus.b, Ray):
        first, again = raycast(corpus.b, corpus.a), raycast(corpus.b, other)
        assert np.array_equal(again.hit[sure], first.hit[sure])
        differ = np.where(sure & corpus.generic & first.hit, np.abs(again.enter - first.enter), 0.0)
        check(corpus, differ, 1e-12, "where it enters")


def test_the_twins_differ_in_kind_and_meet_now_and_then() -> None:
    for twin, kind in product(TWINS, EXACT):
        corpus, other = both(twin, kind)
        assert type(other) is not type(corpus.a)
        hits = np.mean([e.signed_distance <= 0 for e in corpus.exact])
        assert 0.05 <= hits <= 0.95, (twin, kind)
