"""The oracle itself: against answers known by hand, and against two other methods in floating point."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import lsq_linear
from scipy.spatial import ConvexHull

from collision import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Shape, Sphere
from collision.base.fields import FloatArray
from tests import oracles
from tests.motions import STYLES, random_motion
from tests.strategies import EXACT_PAIRS, LINE_LIKE, SOLID, Kind, generic, parted, random_case

QUARTER = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
UNIT = AABB([0, 0, 0], [1, 1, 1])
FLAT = AABB([0, 0, 0], [4, 4, 0])
X_AXIS = Line([0, 0, 0], [1, 0, 0])

BY_HAND: list[tuple[Shape, Shape, float]] = [
    (Point([0, 0, 0]), Point([2, 3, 6]), 7),
    (Point([1, 1, 1]), Point([1, 1, 1]), 0),
    (Point([3, 4, 0]), Segment([0, 0, 0], [0, 0, 9]), 5),
    (Point([3, 0, 13]), Segment([0, 0, 0], [0, 0, 9]), 5),
    (Point([3, 4, -7]), Segment([0, 0, 0], [0, 0, 0]), 74**0.5),
    (Point([-3, 4, 0]), Ray([0, 0, 0], [1, 0, 0]), 5),
    (Point([-3, 4, 0]), X_AXIS, 4),
    (Point([2, 0, 0]), X_AXIS, 0),
    (Point([0, 0, 3]), Sphere([0, 0, 0], 1), 2),
    (Point([0, 0, 0]), Sphere([0, 0, 0], 2), -2),
    (Point([0, 0, 1]), Capsule([0, 0, 0], [0, 0, 9], 2), -2),
    (Point([0.25, 0.5, 0.5]), UNIT, -0.25),
    (Point([1, 0.5, 0.5]), UNIT, 0),
    (Point([2, 2, 2]), UNIT, 3**0.5),
    (Point([1, 1, 0]), FLAT, 0),
    (Point([1, 1, 2]), FLAT, 2),
    (Segment([-1, 0, 0], [1, 0, 0]), Segment([0, -1, 0], [0, 1, 0]), 0),
    (Segment([-1, 0, 3], [1, 0, 3]), Segment([0, -1, 0], [0, 1, 0]), 3),
    (Segment([0, 0, 0], [1, 0, 0]), Segment([3, 0, 0], [5, 0, 0]), 2),
    (Segment([0, 0, 0], [4, 0, 0]), Segment([2, 3, 0], [9, 3, 0]), 3),
    (Ray([0, 0, 0], [1, 0, 0]), Ray([-2, 0, 0], [-1, 0, 0]), 2),
    (Ray([0, 0, 0], [1, 0, 0]), Ray([9, 3, 0], [-1, 0, 0]), 3),
    (X_AXIS, Line([5, 5, 5], [0, 1, 0]), 5),
    (X_AXIS, Line([5, 4, 3], [1, 0, 0]), 5),
    (Sphere([0, 0, 0], 1), Sphere([3, 4, 0], 4), 0),
    (Sphere([0, 0, 0], 1), Sphere([0, 0, 0], 2), -3),
    (Sphere([0.5, 0.5, 0.75], 0.5), UNIT, -0.75),
    (Sphere([0.5, 0.5, 2], 0.5), UNIT, 0.5),
    (Capsule([0, 0, 0], [4, 0, 0], 1), Capsule([2, -2, 0], [2, 2, 0], 0.5), -1.5),
    (Segment([2, 2, -1], [2, 2, 3]), FLAT, -1),  # a needle through a sheet: pull it back by its shorter end
    (Segment([1, 2, -9], [1, 2, 9]), FLAT, -1),  # or push it out over the nearest rim
    (Segment([1, 1, 0], [2, 2, 0]), FLAT, 0),
    (Line([0.5, 0.5, 0.5], [0, 0, 1]), UNIT, -0.5),
    (Ray([0.5, 0.5, 0.75], [0, 0, -1]), UNIT, -0.5),
    (Ray([0.5, 0.5, 0.25], [0, 0, -1]), UNIT, -0.25),
    (AABB([0, 0, 0], [2, 2, 2]), AABB([1, 1, 1.5], [3, 3, 3]), -0.5),
    (AABB([0, 0, 0], [9, 9, 9]), AABB([1, 2, 3], [4, 4, 4]), -4),
    (UNIT, AABB([1, 1, 1], [2, 2, 2]), 0),
    (UNIT, AABB([3, 4, 1], [5, 5, 5]), 13**0.5),
    (UNIT, OrientedBox([3, 0.5, 0.5], QUARTER, [2, 1, 1]), 1),
    (FLAT, FLAT, 0),
    (OrientedBox([0, 0, 0], np.eye(3), [1, 2, 3]), OrientedBox([0, 0, 0], QUARTER, [1, 2, 3]), -3),
    (HalfSpace([0, 0, 1], [0, 0, 1]), Sphere([5, 5, 5], 1), 3),
    (HalfSpace([0, 0, 1], [0, 0, 1]), UNIT, -1),
    (HalfSpace([0, 0, 1], [0, 0, 1]), Ray([0, 0, 3], [1, 0, 0]), 2),
    (HalfSpace([0, 0, 1], [0, 0, 1]), Line([0, 0, 3], [1, 0, 1]), -np.inf),
    (HalfSpace([0, 0, 1], [0, 0, 1]), HalfSpace([7, 0, 3], [0, 0, -1]), 2),
    (HalfSpace([0, 0, 1], [0, 0, 1]), HalfSpace([7, 0, 3], [0, 1, 0]), -np.inf),
]


#: Pairs that are answered as bodies; half-spaces are by heights, see below.
BODIES = [pair for pair in EXACT_PAIRS if HalfSpace not in pair]


@pytest.mark.parametrize("order", [pair for pair in EXACT_PAIRS if HalfSpace in pair and parted(pair)])
def test_heights_above_a_plane_agree_with_bodies(order: tuple[Kind, Kind]) -> None:
    rng = np.random.default_rng(19)
    for family in ("anywhere", "sharing a point", "on a lattice", "contained"):
        for _ in range(3):
            case = random_case(family, *order, rng, plain=True)
            other = oracles.bodies_apart(oracles.body(case.a), oracles.body(case.b)).signed_distance
            assert float(oracles.signed_distance(case.a, case.b)) == pytest.approx(float(other), abs=1e-12), case


@pytest.mark.parametrize(("a", "b", "expected"), BY_HAND, ids=lambda value: type(value).__name__)
def test_answers_known_by_hand(a: Shape, b: Shape, expected: float) -> None:
    for one, other in ((a, b), (b, a)):
        assert float(oracles.signed_distance(one, other)) == expected


def _difference(a: Shape, b: Shape, endless: float) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """All b - a as base + edges · counts, in floats, with infinite counts cut off at a length."""
    bodies = oracles.body(a), oracles.body(b)
    base = np.array(oracles.sub(bodies[1].base, bodies[0].base), dtype=float)
    edges = [(-1, e) for e in bodies[0].edges] + [(1, e) for e in bodies[1].edges]
    matrix = np.array([[sign * float(x) for x in e.vector] for sign, e in edges]).reshape(-1, 3).T
    low = np.array([-endless if e.both_ways else 0.0 for _, e in edges])
    high = np.array([endless if e.endless else 1.0 for _, e in edges])
    return base, matrix, low, high


def _distance_by_least_squares(a: Shape, b: Shape) -> float:
    base, matrix, low, high = _difference(a, b, np.inf)
    if matrix.shape[1] == 0:
        return float(np.linalg.norm(base))
    found = lsq_linear(matrix, -base, (low, high), method="bvls", tol=1e-14)
    return float(np.linalg.norm(matrix @ found.x + base))


def _depth_by_convex_hull(a: Shape, b: Shape) -> float:
    base, matrix, low, high = _difference(a, b, 1e4)
    corners = [base + matrix @ np.array(ends) for ends in product(*zip(low, high, strict=True))]
    return float(-ConvexHull(corners, qhull_options="QJ Pp").equations[:, 3].max())


@pytest.mark.parametrize("order", BODIES, ids=lambda order: "-".join(kind.__name__ for kind in order))
def test_two_other_methods_agree(order: tuple[Kind, Kind]) -> None:
    """Least squares within bounds where cores are apart, the facets of a convex hull where they overlap."""
    rng = np.random.default_rng(17)
    for family in ("anywhere", "sharing a point", "parallel", "contained", "degenerate", "flat and meeting"):
        for _ in range(3):
            case = random_case(family, *order, rng, plain=True)
            apart = oracles.separation(case.a, case.b)
            if apart.core_distance >= 0:
                other = _distance_by_least_squares(case.a, case.b)
                assert float(apart.core_distance) == pytest.approx(other, rel=1e-6, abs=1e-7), case
            else:
                assert float(-apart.core_distance) == pytest.approx(_depth_by_convex_hull(case.a, case.b), abs=1e-6), (
                    case
                )


@pytest.mark.parametrize("order", BODIES, ids=lambda order: "-".join(kind.__name__ for kind in order))
def test_nearest_points_are_points_of_the_cores_at_the_distance(order: tuple[Kind, Kind]) -> None:
    rng = np.random.default_rng(23)
    for _ in range(10):
        case = random_case("anywhere", *order, rng)
        apart = oracles.separation(case.a, case.b)
        if apart.core_a is None or apart.core_b is None:
            assert apart.core_distance < 0
            continue
        way = oracles.sub(apart.core_b, apart.core_a)
        assert oracles.root(oracles.dot(way, way)) == pytest.approx(apart.core_distance, rel=1e-50)
        for shape, point in ((case.a, apart.core_a), (case.b, apart.core_b)):
            core = oracles.body(shape)._replace(radius=oracles.ZERO)
            assert oracles.bodies_apart(oracles.Body(point, (), oracles.ZERO), core).signed_distance <= 0


def test_roots_are_good_to_sixty_digits() -> None:
    assert oracles.root(Fraction(9, 4)) == Fraction(3, 2)
    for square in (Fraction(2), Fraction(1, 3), Fraction(2, 10**40), Fraction(10**41)):
        assert abs(oracles.root(square) ** 2 / square - 1) < Fraction(1, 10**59)


@pytest.mark.parametrize("kind", SOLID, ids=lambda kind: kind.__name__)
def test_the_range_of_a_line_inside_a_solid_agrees_with_points_along_it(kind: Kind) -> None:
    rng = np.random.default_rng(29)
    hits = 0
    for i in range(60):
        line_kind = LINE_LIKE[i % 3]
        case = random_case(("anywhere", "sharing a point", "flat and meeting")[i % 3], line_kind, kind, rng, plain=True)
        line, solid = case.a, oracles.body(case.b)
        assert isinstance(line, Segment | Ray | Line)
        if isinstance(line, Segment) and np.array_equal(line.start, line.end):
            continue
        origin, step = oracles.start_and_step(line)
        span = oracles.through(line, case.b)
        hits += span is not None
        spots = [Fraction(float(t)) for t in rng.uniform(-3, 3, 6)]
        if span is not None:
            width = span[1] - span[0] + Fraction(1, 10**6)
            spots += [span[0] - width / 10**6, span[1] + width / 10**6, (span[0] + span[1]) / 2]
        for t in spots:
            spot = oracles.Body(oracles.add(origin, oracles.times(step, t)), (), oracles.ZERO)
            inside = oracles.bodies_apart(spot, solid).signed_distance <= Fraction(1, 10**50)
            assert inside == (span is not None and span[0] <= t <= span[1])
    assert 10 < hits < 60


def test_rays_known_by_hand() -> None:
    ball, capsule = Sphere([0, 0, 0], 5), Capsule([0, 0, 0], [9, 0, 0], 5)
    assert oracles.through(Line([0, 3, 0], [1, 0, 0]), ball) == (-4, 4)
    assert oracles.through(Line([0, 5, 0], [1, 0, 0]), ball) == (0, 0)
    assert oracles.through(Segment([-8, 3, 0], [8, 3, 0]), ball) == (Fraction(1, 4), Fraction(3, 4))
    assert oracles.through(Line([0, 3, 0], [1, 0, 0]), capsule) == (-4, 13)
    assert oracles.through(Line([5, 0, 6], [0, 1, 0]), capsule) is None
    assert oracles.through(Line([1, 2, 3], [0, 0, 1]), FLAT) == (-3, -3)
    assert oracles.raycast(Ray([0.5, 0.5, 0.5], [0, 0, 1]), UNIT) == (Fraction(0), Fraction(1, 2))
    assert oracles.raycast(Ray([0.5, 0.5, 1.5], [0, 0, 1]), UNIT) is None


@pytest.mark.parametrize("order", EXACT_PAIRS, ids=lambda order: "-".join(kind.__name__ for kind in order))
def test_the_first_touch_is_one_and_there_is_none_before(order: tuple[Kind, Kind]) -> None:
    """The distance is convex in time: zero now and more just before make this the first touch, and so for a miss."""
    rng = np.random.default_rng(31)
    for style in STYLES:
        case = random_motion(style, *order, rng)
        a, b, motion = oracles.body(case.a), oracles.body(case.b), oracles.exact(case.motion)

        def apart(time: Fraction) -> Fraction:
            return oracles.bodies_apart(oracles.moved(a, motion, time), b).signed_distance  # noqa: B023

        touch = oracles.first_touch(case.a, case.b, case.motion)
        if touch is None:
            assert _least(apart, Fraction(0), Fraction(4)) > 0, case
        elif touch == 0:
            assert apart(touch) <= 0, case
        else:
            size = Fraction(oracles.size_of(case.a, case.b, oracles.separation(case.a, case.b)))
            assert abs(apart(touch)) <= size / 10**30, case
            assert apart(touch * Fraction(10**9 - 1, 10**9)) > 0, case
            near = oracles.first_touch(case.a, case.b, case.motion, size / 10**6)
            assert near is not None
            assert near < touch, case


def _least(convex: Callable[[Fraction], Fraction], low: Fraction, high: Fraction) -> Fraction:
    """Return the least value in a range of a convex function, by cutting off the higher third."""
    for _ in range(30):
        first, second = (2 * low + high) / 3, (low + 2 * high) / 3
        first, second = (Fraction(round(t * 2**60), 2**60) for t in (first, second))
        low, high = (low, second) if convex(first) < convex(second) else (first, high)
    return convex(low)


@pytest.mark.parametrize("kind", SOLID, ids=lambda kind: kind.__name__)
def test_a_moving_point_touches_where_a_ray_enters(kind: Kind) -> None:
    """Another method: the ranges of a line inside balls, cylinders and slabs."""
    rng = np.random.default_rng(37)
    hits = 0
    for i in range(60):
        case = random_case(("anywhere", "sharing a point", "flat and meeting")[i % 3], Ray, kind, rng)
        ray, solid = case.a, case.b
        assert isinstance(ray, Ray)
        span = oracles.raycast(ray, solid)
        touch = oracles.first_touch(Point(ray.origin), solid, ray.direction)
        assert (span is None) == (touch is None), case
        if span is not None and touch is not None:
            assert abs(touch - span[0]) <= Fraction(oracles.extent(ray, solid)) / 10**30, case
            hits += 1
    assert 15 < hits < 60


def test_first_touches_known_by_hand() -> None:
    ball = Sphere([0, 0, 0], 5)
    assert oracles.first_touch(Point([-7, 3, 0]), ball, [1, 0, 0]) == 3
    assert oracles.first_touch(Point([-7, 5, 0]), ball, [1, 0, 0]) == 7  # grazing
    assert oracles.first_touch(Point([-7, 6, 0]), ball, [1, 0, 0]) is None
    assert oracles.first_touch(Point([-7, 6, 0]), ball, [1, 0, 0], Fraction(1)) == 7
    assert oracles.first_touch(Point([7, 0, 0]), ball, [1, 0, 0]) is None  # it leaves
    assert oracles.first_touch(Point([1, 0, 0]), ball, [1, 0, 0]) == 0
    assert oracles.first_touch(Point([7, 0, 0]), ball, [0, 0, 0]) is None
    assert oracles.first_touch(Segment([-9, 0, 0], [-8, 0, 0]), UNIT, [2, 0.125, 0.125]) == 4
    assert oracles.first_touch(AABB([-3, 1, 1], [-2, 2, 2]), UNIT, [1, 0, 0]) == 2  # edge along edge
    assert oracles.first_touch(Sphere([3, 4, 9], 5), Ray([0, 0, 0], [0, 0, 1]), [0, 0, -9]) == 0
    assert oracles.first_touch(Sphere([6, 8, 9], 5), Ray([0, 0, 0], [0, 0, 1]), [-3, -4, 0]) == 1
    assert oracles.first_touch(X_AXIS, Line([0, 5, 5], [0, 1, 0]), [7, 3, 1]) == 5
    assert oracles.first_touch(Point([-2, 0, 0]), Ray([0, 0, 0], [1, 0, 0]), [1, 0, 0]) == 2  # head on


def test_the_room_along_a_normal_is_the_signed_distance_if_that_is_right() -> None:
    one, other = oracles.body(UNIT), oracles.body(AABB([3, 0, 0], [4, 1, 1]))
    x, y = oracles.exact([1, 0, 0]), oracles.exact([0, 1, 0])
    assert oracles.room_along(one, other, x, oracles.ONE) == 2
    assert oracles.room_along(other, one, x, oracles.ONE) == -4
    assert oracles.room_along(one, other, y, oracles.ONE) == -1
    ball, ray = oracles.body(Sphere([0, 0, 3], 1)), oracles.body(Ray([0, 0, 0], [1, 0, 0]))
    assert oracles.room_along(ray, ball, oracles.exact([0, 0, 1]), Fraction(9)) == 2
    assert oracles.room_along(ray, ball, x, Fraction(9)) == -10


def test_what_sticks_out_of_a_solid() -> None:
    assert oracles.overhang(UNIT, UNIT) == 0
    assert oracles.overhang(Sphere([0, 0, 0], 2), Sphere([1, 0, 0], 1)) == 0
    assert oracles.overhang(UNIT, Sphere([0.5, 0.5, 0.5], 0.75)) == Fraction(1, 4)
    assert oracles.overhang(Sphere([0, 0, 0], 3), AABB([-1, -2, -2], [1, 2, 2])) == 0
    assert oracles.overhang(Capsule([0, 0, 0], [9, 0, 0], 1), Segment([0, 1, 0], [9, 1, 0])) == 0
    assert oracles.overhang(FLAT, Sphere([1, 1, 0], 1)) == 1
    assert oracles.overhang(UNIT, X_AXIS) is None


def test_the_size_of_a_pair_includes_where_endless_pieces_are_nearest() -> None:
    a, b = Line([0, 0, 0], [1, 0, 0]), Line([64, 64, 1], [2**-0.5, 2**-0.5, 0])
    assert oracles.size_of(a, b, oracles.separation(a, b)) == 64
    far = Line([0, 1, 0], [1, 1e-3, 0])
    assert oracles.size_of(a, far, oracles.separation(a, far)) == pytest.approx(1e3, rel=1e-12)
    assert oracles.extent(generic(np.random.default_rng(1)).build(Point)) < 5
