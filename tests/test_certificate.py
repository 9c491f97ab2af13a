"""Everything that pair queries return is certified, for all pairs of kinds, in both orders, alone and in batches."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    HalfSpace,
    OrientedBox,
    Point,
    Shape,
    closest_points,
    contact,
    distance,
    intersects,
    signed_distance,
)
from collision.base.fields import FloatArray
from collision.shapes.kinds import KINDS
from tests import oracles
from tests.certificate.bodies import ROWS, body, wide
from tests.certificate.families import FAMILIES, Cases, cases
from tests.certificate.pairs import BETTER, CUT, certificate, most_room, own_size, room, size_of
from tests.certificate.report import BRUSHING, COUNT, LIMIT, about_level, parts, same_bits, verdict
from tests.corpus import Order, gap, names
from tests.remembered import CERTIFIED, REMEMBERED
from tests.strategies import EXACT, EXACT_PAIRS, PAIRS, Kind

# --- the certificate ------------------------------------------------------------------------------


@pytest.mark.parametrize("order", PAIRS, ids=names)
def test_all_that_closest_points_returns_is_certified(order: Order, pytestconfig: pytest.Config) -> None:
    for part in parts(pytestconfig):
        pairs = cases(order, COUNT, part)
        for turned in (pairs, pairs.turned()):
            errors = certificate(turned.a, turned.b, closest_points(turned.a, turned.b))
            wrong = verdict(turned, errors, most=BRUSHING.get(frozenset(order), LIMIT))
            assert not wrong, wrong


@pytest.mark.parametrize("pair", (REMEMBERED | CERTIFIED).values(), ids=(REMEMBERED | CERTIFIED).keys())
def test_remembered_pairs_are_certified(pair: tuple[Shape, Shape]) -> None:
    for first, second in (pair, pair[::-1]):
        pairs = Cases(first.flattened(), second.flattened(), ["remembered"])
        wrong = verdict(pairs, certificate(pairs.a, pairs.b, closest_points(pairs.a, pairs.b)))
        assert not wrong, wrong


@pytest.mark.parametrize("order", PAIRS, ids=names)
def test_the_other_queries_say_the_same(order: Order, pytestconfig: pytest.Config) -> None:
    for part in parts(pytestconfig):
        pairs = cases(order, COUNT, part)
        for a, b in ((pairs.a, pairs.b), (pairs.b, pairs.a)):
            near, touch, apart = closest_points(a, b), contact(a, b), signed_distance(a, b)
            for name in ("signed_distance", "on_a", "on_b", "normal"):
                assert same_bits(getattr(touch, name), getattr(near, name)), name
            assert same_bits(apart, near.signed_distance)
            assert same_bits(distance(a, b), np.maximum(apart, 0.0))
            assert same_bits(touch.depth, np.maximum(-apart, 0.0))
            assert same_bits(touch.point, 0.5 * near.on_a + 0.5 * near.on_b)
            assert same_bits(touch.touching, intersects(a, b))


@pytest.mark.parametrize("order", PAIRS, ids=names)
def test_shapes_touch_by_a_hair_of_their_own_numbers_only(order: Order, pytestconfig: pytest.Config) -> None:
    """However far away the witness points are: those of lines that are all but parallel can be anywhere."""
    for part in parts(pytestconfig):
        pairs = cases(order, COUNT, part)
        touching, apart = intersects(pairs.a, pairs.b), signed_distance(pairs.a, pairs.b)
        own = own_size(body(pairs.a), body(pairs.b)).astype(float)
        wrong = verdict(pairs, {"they touch, but are apart": np.where(touching, apart, 0.0) / own})
        assert not wrong, wrong
        assert np.all(touching[apart <= 0.0])


# --- the certificate itself -----------------------------------------------------------------------


def test_every_kind_has_a_row() -> None:
    assert tuple(ROWS) == KINDS


def few(order: Order) -> Iterator[tuple[Shape, Shape, Cases, int]]:
    """Yield every case of a few, all families among them."""
    pairs = cases(order, 100)
    for i in range(len(pairs.families)):
        yield pairs.a[i], pairs.b[i], pairs, i


@pytest.mark.parametrize("kind", EXACT, ids=lambda kind: kind.__name__)
def test_distances_from_surfaces_agree_with_exact_ones(kind: Kind) -> None:
    for a, b, pairs, i in few((kind, kind)):
        for point in closest_points(a, b)[1:3]:
            got = float(body(a.flattened()).off_surface(wide(point[None]))[0])
            exact = abs(float(oracles.signed_distance(Point(point), a)))
            size = max(oracles.extent(a), float(np.abs(point).max()), 1e-300)
            assert abs(got - exact) <= 1e-17 * size + 1e-6 * exact, pairs.code(i)


@pytest.mark.parametrize("order", EXACT_PAIRS, ids=names)
def test_rooms_and_depths_agree_with_exact_ones(order: Order) -> None:
    """The room along the normal that was returned; and the most room there is, which is the least depth."""
    overlaps = 0
    for a, b, pairs, i in few(order):
        near = closest_points(a, b)
        if i % 3 or near.signed_distance == -np.inf:
            continue
        first, second = body(a.flattened()), body(b.flattened())
        end = CUT * size_of(first, second, wide(near.on_a[None]), wide(near.on_b[None]))
        got = float(room(first, second, wide(near.normal[None]), end)[0])
        exact = exact_room(a, b, near.normal, Fraction(float(end[0])))
        cut = 1e-14 if HalfSpace in order else 2e-17  # exactly, the sides of a plane are not of length one
        assert abs(got - exact) <= cut * float(end[0]), pairs.code(i)
        truth = oracles.separation(a, b)
        if truth.core_a is None and truth.core_distance < 0:
            overlaps += 1
            most = float(most_room(first, second, end)[0])
            assert abs(most - float(truth.signed_distance)) <= 1e-15 * float(end[0]), pairs.code(i)
    assert overlaps > 3 or not {AABB, OrientedBox} & {*order} or order[0] is Point or HalfSpace in order


def exact_room(a: Shape, b: Shape, normal: FloatArray, end: Fraction) -> float:
    return float(oracles.room_along(oracles.body(a), oracles.body(b), oracles.exact(normal), end))


@pytest.mark.parametrize("order", EXACT_PAIRS, ids=names)
def test_signed_distances_agree_with_exact_ones_in_the_same_families(order: Order) -> None:
    for a, b, pairs, i in few(order):
        if i % 3 == 1:
            truth, got = oracles.separation(a, b), signed_distance(a, b)
            if -np.inf in (got, truth.signed_distance) and about_level(a, b):
                continue
            assert abs(gap(got, truth.signed_distance)) <= LIMIT * oracles.size_of(a, b, truth), pairs.code(i)


@pytest.mark.parametrize("order", PAIRS, ids=names)
def test_whatever_is_spoiled_is_found(order: Order) -> None:
    pairs = cases(order, 200)
    near = closest_points(pairs.a, pairs.b)
    size = size_of(body(pairs.a), body(pairs.b), wide(near.on_a), wide(near.on_b)).astype(float)
    good = certificate(pairs.a, pairs.b, near)
    step = 1e-12 * size[:, None] * np.eye(3)[np.argmin(np.abs(near.normal), axis=1)]
    spoiled = {
        "on_a": near._replace(on_a=near.on_a + step),
        "on_b": near._replace(on_b=near.on_b - step),
        "normal": near._replace(normal=near.normal * (1.0 + 1e-12)),
        "signed_distance": near._replace(signed_distance=near.signed_distance - 1e-12 * size),
        "number": near._replace(signed_distance=np.full_like(size, np.nan)),
    }
    for what, answer in spoiled.items():
        errors = np.max(list(certificate(pairs.a, pairs.b, answer).values()), axis=0)
        assert np.all(errors[np.isfinite(near.signed_distance)] > 1e-13), what
    assert np.mean(np.max(list(good.values()), axis=0) <= LIMIT) > 0.9


def test_a_depth_that_is_not_the_least_is_found() -> None:
    """All else is right of the way out of a box through a face that is not the nearest."""
    point, box = Point([[0.4, 0.0, 0.0]]), AABB([[-1.0, -1.0, -1.0]], [[1.0, 1.0, 1.0]])
    answer = closest_points(point, box)
    other = answer._replace(
        signed_distance=np.array([-1.0]), on_b=np.array([[0.4, 1.0, 0.0]]), normal=np.array([[0.0, -1.0, 0.0]])
    )
    errors = certificate(point, box, other)
    assert errors.pop(BETTER)[0] == pytest.approx(0.4)
    assert max(error[0] for error in errors.values()) == 0.0


def test_cases_are_the_same_again_and_their_code_makes_them() -> None:
    public: dict[str, Any] = {}
    exec("from collision import *", public)
    for order in PAIRS:
        pairs, again = cases(order, 60), cases(order, 60)
        assert set(pairs.families) == {family.__name__.replace("_", " ") for family in FAMILIES}
        for i in range(0, len(pairs.families), 10):
            made: dict[str, Any] = {}
            exec(pairs.code(i), public.copy(), made)
            for side in ("a", "b"):
                for name, value in getattr(again, side)[i].values().items():
                    assert same_bits(made[side].values()[name], value), pairs.code(i)
