"""All the shortest ways to part two shapes: against how far each of very many directions would take."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.optimize import nnls

from collision import (
    AABB,
    Capsule,
    Line,
    OrientedBox,
    Point,
    Ray,
    Segment,
    Shape,
    Sphere,
    all_normals,
    closest_points,
    signed_distance,
)
from collision.base.fields import FloatArray
from collision.queries.ambiguity import Normals
from tests.oracles import Body, body
from tests.remembered import FLAT_TO_ROUNDING, ONE_VAGUE_WAY_OUT
from tests.strategies import EXACT_PAIRS, Kind, concentric, flat_and_meeting, on_a_lattice, parted, sharing_a_point

PARTED = [pair for pair in EXACT_PAIRS if parted(pair)]
BALL = Sphere([0, 0, 0], 1)
CUBE = AABB([-1, -1, -1], [1, 1, 1])

#: Directions in all regular places, and many others.
_GRID = np.array([v for v in product(range(-3, 4), repeat=3) if any(v)], dtype=float)
_RANDOM = np.random.default_rng(7).normal(size=(1000, 3))
DIRECTIONS = np.concatenate([_GRID, _RANDOM])
DIRECTIONS /= np.linalg.norm(DIRECTIONS, axis=1, keepdims=True)


def reach(shape: Body, n: FloatArray) -> FloatArray:
    """Return how far a shape goes along directions (k, 3): its base, and what each edge can add."""
    total = n @ np.array([float(x) for x in shape.base]) + float(shape.radius)
    for edge in shape.edges:
        along = n @ np.array([float(x) for x in edge.vector])
        if edge.endless:
            stays = np.abs(along) < 1e-12 if edge.both_ways else along < 1e-12
            total = np.where(stays, total, np.inf)
        else:
            total = total + np.maximum(along, 0.0)
    return np.asarray(total)


def way(a: Shape, b: Shape, n: FloatArray) -> FloatArray:
    """Return how far B must go along directions (k, 3) to have left A."""
    return reach(body(a), n) + reach(body(b), -n)


def aside(found: Normals, n: FloatArray) -> float:
    """Return how far a unit vector is from all that an answer stands for."""
    if found.kind in ("one", "several"):
        return float(np.linalg.norm(found.corners - n, axis=1).min())
    # An arc, a circle, a patch or the sphere is what sums of the corners point to.
    return float(nnls(found.corners.T, n)[1])


def checked(a: Shape, b: Shape) -> Normals:
    """Return all normals of two shapes that overlap, compared with all directions."""
    found = all_normals(a, b)
    on_curves = np.concatenate([found.corners, *found.curves(5)])
    assert np.abs(np.linalg.norm(on_curves, axis=1) - 1.0).max() < 1e-14
    shortest = -float(signed_distance(a, b))
    size = 1.0 + max(float(np.abs(op).max()) for shape in (a, b) for op in shape.core.operands if np.isfinite(op).all())
    assert np.abs(way(a, b, on_curves) - shortest).max() < 1e-12 * size  # each of them is a shortest way
    assert aside(found, closest_points(a, b).normal) < 1e-9  # and the one that queries choose is among them
    ways = way(a, b, DIRECTIONS)
    assert ways.min() > shortest - 1e-12 * size
    for n in DIRECTIONS[ways < shortest + 1e-9 * size]:  # nothing else is as short
        assert aside(found, n) < 1e-9
    return found


def test_lines_through_the_origin_are_the_same_to_rounding() -> None:
    way, again = Line([0, 0, 0], [1, -9, 7]), Line([0, 0, 0], np.multiply(-1.7, [1, -9, 7]))
    assert np.any(way.direction != -again.direction)
    assert all_normals(way, again).kind == "circle"
    assert all_normals(way, Line([0, 0, 0], [1, -9, 7.1])).kind == "several"


@pytest.mark.parametrize(
    ("first", "second"), [pair for pair in EXACT_PAIRS if parted(pair)], ids=lambda kind: kind.__name__
)
def test_against_all_directions(first: Kind, second: Kind) -> None:
    rng = np.random.default_rng(11)
    checks = 0
    for family in (on_a_lattice, concentric, sharing_a_point):
        for _ in range(25):
            one, other = family(first, second, rng)
            a, b = one.build(first), other.build(second)
            if signed_distance(a, b) <= 0.0:
                checked(a, b)
                checks += 1
    assert checks > 0


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        (BALL, Sphere([0, 0, 0], 3), "sphere"),
        (BALL, Capsule([0, 0, -1], [0, 0, 2], 1), "circle"),
        (Capsule([-1, 0, 0], [1, 0, 0], 0.5), Capsule([0, 0, 0], [3, 0, 0], 0.5), "circle"),
        (Capsule([-1, 0, 0], [1, 0, 0], 0.5), Capsule([0, -1, 0], [0, 1, 0], 0.5), "several"),
        (BALL, Capsule([0, 0, 0], [0, 0, 2], 1), "patch"),
        (Segment([-1, 0, 0], [1, 0, 0]), Segment([1, -1, 0], [1, 1, 0]), "arc"),
        (Segment([-1, 0, 0], [1, 0, 0]), Segment([1, 0, 0], [1, 1, 0]), "patch"),
        (CUBE, BALL, "several"),
        (CUBE, CUBE, "several"),
        (CUBE, Sphere([0.5, 0, 0], 1), "one"),
        (CUBE, Sphere([0.5, 0.5, 0], 1), "several"),
        (CUBE, Point([1, 0, 0]), "one"),
        (CUBE, Point([1, 1, 0]), "arc"),
        (CUBE, Point([1, 1, 1]), "patch"),
        (CUBE, OrientedBox([0, 0, 0], np.eye(3), [1, 1, 3]), "several"),
        (CUBE, Line([0, 0, 0], [0, 0, 1]), "several"),
        (Ray([0, 0, 0], [1, 0, 0]), Ray([0, 0, 0], [0, 1, 0]), "patch"),
        (Ray([0, 0, 0], [1, 0, 0]), Line([0, 0, 0], [1, 0, 0]), "circle"),
        (AABB([-1, -1, 0], [1, 1, 0]), Point([0, 0, 0]), "several"),
    ],
)
def test_what_there_is_to_choose_from(a: Shape, b: Shape, kind: str) -> None:
    for found in (checked(a, b), checked(b, a)):
        assert found.kind == kind
        assert found.unique == (kind == "one")


def test_a_normal_points_from_a_to_b() -> None:
    found = all_normals(CUBE, AABB([1, 1, -1], [2, 2, 1]))
    assert found.corners.tolist() == [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]


def test_what_is_collinear_to_rounding_has_a_circle() -> None:
    along = np.array([0.1, 0.2, 0.3])
    assert all_normals(Segment(along, 3 * along), Segment(2 * along, 7 * along)).kind == "circle"


def test_shapes_that_are_apart_have_one() -> None:
    a, b = AABB([0, 0, 0], [1, 1, 1]), AABB([2, 0, 0], [3, 1, 1])
    assert all_normals(a, b).kind == "one"
    assert all_normals(a, b).corners.tolist() == [[1.0, 0.0, 0.0]]
    assert all_normals(BALL, Sphere([0, 0, 1e-12], 3)).corners.tolist() == [[0.0, 0.0, 1.0]]
    # Grown by radii until they overlap, they still have the one.
    assert all_normals(Sphere([0, 0, 0], 1), Sphere([0.5, 0, 0], 1)).corners.tolist() == [[1.0, 0.0, 0.0]]


def test_the_only_normal_is_that_of_the_witness_points_to_the_last_bit() -> None:
    for a, b in (ONE_VAGUE_WAY_OUT, ONE_VAGUE_WAY_OUT[::-1]):
        found = all_normals(a, b)
        assert found.kind == "one"
        assert found.corners.tolist() == [closest_points(a, b).normal.tolist()]


@pytest.mark.parametrize("pair", FLAT_TO_ROUNDING.values(), ids=FLAT_TO_ROUNDING)
def test_what_is_flat_to_rounding_has_two_sides(pair: tuple[Shape, Shape]) -> None:
    for a, b in (pair, pair[::-1]):
        found = all_normals(a, b)
        assert found.kind == "several"
        assert np.allclose(found.corners[0], -found.corners[1], rtol=0.0, atol=1e-14)
        assert found.curves(3) == []


@pytest.mark.parametrize(
    ("first", "second"), [pair for pair in EXACT_PAIRS if parted(pair)], ids=lambda kind: kind.__name__
)
def test_curves_are_on_the_unit_sphere_whatever_noise_there_is(first: Kind, second: Kind) -> None:
    rng = np.random.default_rng(12)
    for family in (on_a_lattice, concentric, flat_and_meeting):
        for _ in range(10):
            a, b = (
                _disturbed(r.build(kind), rng)
                for r, kind in zip(family(first, second, rng), (first, second), strict=True)
            )
            found = all_normals(a, b)
            on_curves = np.concatenate([found.corners, *found.curves(5)])
            assert np.abs(np.linalg.norm(on_curves, axis=1) - 1.0).max() < 1e-14


def _disturbed(shape: Shape, rng: np.random.Generator) -> Shape:
    """Return a shape with a little noise in some of its numbers."""
    values = {}
    for name, value in shape.values().items():
        noise = rng.normal(size=value.shape) * 10.0 ** rng.uniform(-17.0, -13.0) * rng.integers(0, 2, value.shape)
        values[name] = np.abs(value + noise) if name in ("radius", "half_extents") else value + noise
    if isinstance(shape, AABB):
        values = {"lower": np.minimum(*values.values()), "upper": np.maximum(*values.values())}
    return type(shape)(**values)


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_scale_does_not_matter(factor: float) -> None:
    for a, b in ((CUBE, CUBE), (CUBE, AABB([-1, -1, -1], [1, 1, 0.99]))):
        large = [AABB(factor * box.lower, factor * box.upper) for box in (a, b)]
        assert np.array_equal(all_normals(*large).corners, all_normals(a, b).corners)


def test_only_two_single_shapes_will_do() -> None:
    with pytest.raises(ValueError, match="all_normals takes two single shapes, got a batch"):
        all_normals(BALL, Sphere([[0, 0, 0]], 1))
    with pytest.raises(TypeError, match="all_normals takes two shapes, got int"):
        all_normals(BALL, 3)  # type: ignore[arg-type]


def test_curves_have_at_least_one_piece() -> None:
    found = all_normals(AABB([0, 0, 0], [1, 1, 1]), Point([1, 1, 1]))
    with pytest.raises(ValueError, match="curves: pieces must be at least one, got 0"):
        found.curves(0)
    with pytest.raises(TypeError, match=r"curves: pieces must be a whole number, got 1\.7"):
        found.curves(1.7)  # type: ignore[arg-type]
