"""One contract for all pairs of kinds, in both orders, against exact answers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from collision import (
    HalfSpace,
    Point,
    Shape,
    closest_points,
    contact,
    contains,
    distance,
    intersects,
    signed_distance,
)
from collision.base.fields import FloatArray
from tests import oracles
from tests.corpus import (
    EPS,
    ORDERED,
    Corpus,
    Order,
    accuracy,
    both_orders,
    check,
    corpus_fixture,
    exactly,
    gap,
    names,
    one_order,
    solid_first,
    stacked,
)
from tests.remembered import REMEMBERED
from tests.strategies import (
    PAIRS,
    SOLID,
    THIN,
    UNBOUNDED,
    Case,
    pairs,
    parted,
    random_case,
    small_and_near,
)

__all__ = ["corpus_fixture"]  # a fixture, which tests ask for by its name


# --- against exact answers ------------------------------------------------------------------------


@both_orders
def test_signed_distance_is_accurate(corpus: Corpus) -> None:
    got = signed_distance(corpus.a, corpus.b)
    errors = [gap(value, e.signed_distance) for value, e in zip(got, corpus.exact, strict=True)]
    check(corpus, errors, accuracy(corpus.a, corpus.b), "signed distance")


@both_orders
def test_points_and_normal_agree_with_the_distance(corpus: Corpus) -> None:
    got = closest_points(corpus.a, corpus.b)
    assert np.array_equal(got.signed_distance, signed_distance(corpus.a, corpus.b))
    assert np.all(np.isfinite(np.stack([got.on_a, got.on_b, got.normal])))
    lengths = np.array([float(oracles.root(oracles.dot(n, n)) - 1) for n in map(oracles.exact, got.normal)])
    check(corpus, lengths * corpus.size, 4 * EPS, "length of the normal")
    steps = np.where(corpus.endless, 0.0, got.signed_distance)
    ends = got.on_a + steps[:, None] * got.normal
    check(corpus, np.abs(ends - got.on_b).max(axis=-1), 8 * EPS, "on_a + signed_distance * normal - on_b")


@one_order
def test_points_lie_on_the_surfaces(corpus: Corpus) -> None:
    got = closest_points(corpus.a, corpus.b)
    for what, points, side in (("on_a", got.on_a, "a"), ("on_b", got.on_b, "b")):
        shapes = [getattr(case, side) for case in corpus.cases]
        off = np.array([float(o) for o in exactly(oracles.signed_distance, map(Point, points), shapes)])
        # Where no move parts them it is a point in common, be it inside, and it may be far away.
        far = np.maximum(np.abs(points).max(axis=-1) / np.where(corpus.size > 0.0, corpus.size, 1.0), 1.0)
        off = np.where(corpus.endless, np.maximum(off, 0.0) / far, off)
        check(corpus, off, 2 * accuracy(corpus.a, corpus.b), f"distance of {what} from the surface")


@one_order
def test_moving_by_the_signed_distance_brings_shapes_to_touch(corpus: Corpus) -> None:
    """Wrong normals are caught here: a move along any other direction leaves a gap or an overlap."""
    got = closest_points(corpus.a, corpus.b)
    steps = np.where(corpus.endless, 0.0, got.signed_distance)[:, None] * got.normal
    moved = [case.a.translated(step) for case, step in zip(corpus.cases, steps, strict=True)]
    left = exactly(oracles.signed_distance, moved, [case.b for case in corpus.cases])
    left = [0.0 if endless else float(gap) for endless, gap in zip(corpus.endless, left, strict=True)]
    check(corpus, left, 2 * accuracy(corpus.a, corpus.b), "gap after the move")


@one_order
def test_along_the_normal_there_is_as_much_room_as_the_distance(corpus: Corpus) -> None:
    """Right normals are told from wrong ones even where shapes touch; to 1e-6, as a small gap has a vague direction."""
    normals = closest_points(corpus.a, corpus.b).normal
    rooms = exactly(_room, [c.a for c in corpus.cases], [c.b for c in corpus.cases], normals, corpus.size)
    short = [float(e.signed_distance) - float(room) for e, room in zip(corpus.exact, rooms, strict=True)]
    check(corpus, np.maximum(short, 0.0), 1e-6, "room that is missing along the normal")


def _room(a: Shape, b: Shape, normal: FloatArray, size: float) -> Fraction:
    return oracles.room_along(oracles.body(a), oracles.body(b), oracles.exact(normal), Fraction(float(size)))


@both_orders
def test_intersects_is_right_and_touching_counts(corpus: Corpus) -> None:
    got = intersects(corpus.a, corpus.b)
    for i, case in enumerate(corpus.cases):
        exact = corpus.exact[i].signed_distance
        meant_to_touch = case.twin is not None and oracles.signed_distance(*case.twin) == 0
        if exact == 0 or meant_to_touch:
            assert got[i], f"touching, but no hit: {case}"
        elif abs(exact) > 1e-14 * corpus.size[i]:
            assert got[i] == (exact < 0), f"signed distance {float(exact)!r}: {case}"


@solid_first
def test_contains_is_right_and_the_boundary_counts(corpus: Corpus) -> None:
    got = contains(corpus.a, corpus.b)
    overhangs = exactly(oracles.overhang, [case.a for case in corpus.cases], [case.b for case in corpus.cases])
    for i, (case, over) in enumerate(zip(corpus.cases, overhangs, strict=True)):
        if over is None:
            assert not got[i], f"reaches to infinity: {case}"
        elif over == 0 or abs(over) > 1e-14 * corpus.size[i]:
            assert got[i] == (over <= 0), f"sticks out by {float(over)!r}: {case}"


def the_whole_contract(a: Shape, b: Shape) -> None:
    single = Corpus.of([Case("any", a, b)])
    for corpus in (single, single.turned()):
        test_signed_distance_is_accurate(corpus)
        test_points_and_normal_agree_with_the_distance(corpus)
        test_points_lie_on_the_surfaces(corpus)
        test_moving_by_the_signed_distance_brings_shapes_to_touch(corpus)
        test_along_the_normal_there_is_as_much_room_as_the_distance(corpus)
        test_intersects_is_right_and_touching_counts(corpus)
        if isinstance(corpus.a, (*SOLID, HalfSpace)):
            test_contains_is_right_and_the_boundary_counts(corpus)


@given(pairs())
def test_the_contract_holds_for_any_pair(pair: tuple[Shape, Shape]) -> None:
    the_whole_contract(*pair)


@pytest.mark.parametrize("pair", REMEMBERED.values(), ids=REMEMBERED.keys())
def test_the_contract_holds_where_it_once_did_not(pair: tuple[Shape, Shape]) -> None:
    the_whole_contract(*pair)


# --- the cases themselves -------------------------------------------------------------------------


def _by_chance(order: Order) -> bool:
    """Tell whether shapes of two kinds sometimes meet and sometimes do not."""
    return parted(order) and (order[0] not in THIN or order[1] not in THIN)


@pytest.mark.parametrize("order", [pair for pair in PAIRS if _by_chance(pair)], ids=names)
def test_about_half_of_the_random_cases_hit(order: Order) -> None:
    rng = np.random.default_rng(7)
    cases = [random_case("anywhere", *order, rng, plain=True) for _ in range(120)]
    hits = sum(oracles.signed_distance(case.a, case.b) <= 0 for case in cases)
    assert 0.3 <= hits / len(cases) <= 0.7


@pytest.mark.parametrize(
    "order", [(a, b) for a, b in ORDERED if a in (*SOLID, HalfSpace) and b not in UNBOUNDED], ids=names
)
def test_about_half_of_small_shapes_lie_inside(order: Order) -> None:
    rng = np.random.default_rng(9)
    cases = [[r.build(k) for r, k in zip(small_and_near(*order, rng), order, strict=True)] for _ in range(120)]
    inside = np.array([(oracles.overhang(a, b) or oracles.ZERO) <= 0 for a, b in cases])
    assert 0.3 <= inside.mean() <= 0.7
    assert np.array_equal(contains(stacked([a for a, _ in cases]), stacked([b for _, b in cases])), inside)


@one_order
def test_the_cases_hold_exact_touches(corpus: Corpus) -> None:
    touches = [c for c in corpus.cases if c.label.startswith("touching")]
    exact = [oracles.signed_distance(*(c.twin or (c.a, c.b))) == 0 for c in touches]
    assert any(exact) or set(map(type, (corpus.cases[0].a, corpus.cases[0].b))) == {HalfSpace}


# --- what follows from the signed distance --------------------------------------------------------


@both_orders
def test_distance_and_contact_follow_from_closest_points(corpus: Corpus) -> None:
    near = closest_points(corpus.a, corpus.b)
    assert np.array_equal(distance(corpus.a, corpus.b), np.maximum(near.signed_distance, 0.0))
    touch = contact(corpus.a, corpus.b)
    for name in ("signed_distance", "on_a", "on_b", "normal"):
        assert np.array_equal(getattr(touch, name), getattr(near, name))
    assert np.array_equal(touch.touching, intersects(corpus.a, corpus.b))
    assert np.array_equal(touch.depth, np.maximum(-near.signed_distance, 0.0))
    check(corpus, np.abs(touch.point - (near.on_a + near.on_b) / 2).max(axis=-1), 2 * EPS, "middle of the points")
    margin = float(np.median(corpus.size))
    within = contact(corpus.a, corpus.b, margin=margin)
    clear = np.abs(near.signed_distance - margin) > 1e-14 * np.maximum(corpus.size, margin)
    assert np.array_equal(within.touching[clear], (near.signed_distance <= margin)[clear])


# --- batches --------------------------------------------------------------------------------------
