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
from collision.shapes.kinds import KINDS
from tests.corpus import Corpus, accuracy, check, exactly, stacked
from tests.oracles import overhang
from tests.queries import answers, same_values
from tests.strategies import FAMILIES, LINE_LIKE, RIGHT_ANGLES, Case, Kind, random_frame, random_pairs

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


def _flattened(box: AABB) -> AABB:
    """Keep one side of a box, the longest."""
    keep = np.arange(3) == np.argmax(box.upper - box.lower)
    return AABB(box.lower, np.where(keep, box.upper, box.lower))


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


def over(*twins: str) -> pytest.MarkDecorator:
    """Take every twin against every kind."""
    return pytest.mark.parametrize(("twin", "kind"), list(product(twins or TWINS, KINDS)), ids=_ids)


@cache
def _meeting(original: Kind, kind: Kind) -> Corpus:
    """Return hard pairs of two kinds, in this order."""
    swap = KINDS.index(original) > KINDS.index(kind)
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


# --- to the last bit ------------------------------------------------------------------------------


@over(*SAME_CORE)
def test_every_answer_is_the_same_to_the_last_bit(twin: str, kind: Kind) -> None:
    corpus, other = both(twin, kind)
    expected, got = everything(corpus.a, corpus.b), everything(other, corpus.b)
    for name in expected.keys() & got.keys():
        assert same_values(got[name], expected[name]), name


@over(*SAME_DISTANCE)
def test_the_distance_is_the_same_to_the_last_bit_but_for_boxes_at_an_angle(twin: str, kind: Kind) -> None:
    corpus, other = both(twin, kind)
    expected, got = signed_distance(corpus.a, corpus.b), signed_distance(other, corpus.b)
    if kind is OrientedBox:
        check(corpus, got - expected, 2e-15, "distance")
    else:
        assert np.array_equal(got, expected)
        assert np.array_equal(signed_distance(corpus.b, other), expected)


# --- within a bound -------------------------------------------------------------------------------


@over()
def test_distances_are_the_same_within_2e_15_or_with_a_box_at_an_angle_2e_14_of_the_size(twin: str, kind: Kind) -> None:
    corpus, other = both(twin, kind)
    limit = 2 * max(accuracy(corpus.a, corpus.b), accuracy(other, corpus.b))
    expected = signed_distance(corpus.a, corpus.b)
    for got in (signed_distance(other, corpus.b), signed_distance(corpus.b, other)):
        check(corpus, got - expected, limit, "distance")
    depth = contact(other, corpus.b).depth
    check(corpus, depth - np.maximum(-expected, 0.0), limit, "depth")


@over()
def test_points_and_normals_are_the_same_within_1e_9_of_the_size_where_they_are_unique(twin: str, kind: Kind) -> None:
    corpus, other = both(twin, kind)
    unique = corpus.generic & (np.array([float(e.core_distance) for e in corpus.exact]) > 1e-3 * corpus.size)
    for query in (closest_points, contact):
        expected, got = query(corpus.a, corpus.b), query(other, corpus.b)
        for name in ("normal", "on_a", "on_b"):
            differ = np.abs(getattr(got, name) - getattr(expected, name)).max(axis=-1)
            check(corpus, np.where(unique, differ, 0.0), 1e-9, name)


@over()
def test_verdicts_are_the_same_but_where_a_hair_of_1e_14_of_the_size_decides(twin: str, kind: Kind) -> None:
    corpus, other = both(twin, kind)
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


@over()
def test_sweeps_meet_at_the_same_time_within_1e_12_where_they_do_not_graze(twin: str, kind: Kind) -> None:
    corpus, other = both(twin, kind)
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


@pytest.mark.parametrize(("twin", "kind"), list(product(TWINS, LINE_LIKE)), ids=_ids)
def test_rays_and_lines_meet_them_alike_within_1e_12_of_the_size_where_they_do_not_graze(twin: str, kind: Kind) -> None:
    corpus, other = both(twin, kind)
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


@pytest.mark.parametrize("kind", KINDS, ids=_ids)
def test_an_axis_aligned_box_flat_in_two_axes_is_a_segment_within_2e_15_of_the_size(kind: Kind) -> None:
    """With a box at an angle within 2e-14."""
    source = _meeting(AABB, kind)
    corpus = Corpus.of([Case(c.label, _flattened(c.a), c.b) for c in source.cases if isinstance(c.a, AABB)])
    assert isinstance(corpus.a, AABB)
    segment = Segment(corpus.a.lower, corpus.a.upper)
    limit = 2 * accuracy(corpus.a, corpus.b)
    check(corpus, signed_distance(segment, corpus.b) - signed_distance(corpus.a, corpus.b), limit, "distance")
    check(corpus, signed_distance(corpus.b, segment) - signed_distance(corpus.b, corpus.a), limit, "distance")


def test_the_twins_differ_in_kind_and_meet_now_and_then() -> None:
    for twin, kind in product(TWINS, KINDS):
        corpus, other = both(twin, kind)
        assert type(other) is not type(corpus.a)
        hits = np.mean([e.signed_distance <= 0 for e in corpus.exact])
        assert 0.05 <= hits <= 0.95, (twin, kind)
