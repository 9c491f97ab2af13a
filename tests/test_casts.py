"""Rays, lines and segments through shapes: `raycast` and `crossings`."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Segment,
    Shape,
    Sphere,
    Transform,
    closest_points,
    crossings,
    intersects,
    raycast,
    signed_distance,
)
from collision.base.fields import ArrayLike, FloatArray
from collision.shapes.kinds import KINDS
from tests import oracles
from tests.strategies import FAMILIES, LINE_LIKE, SOLID, THIN, Case, Kind, parted, random_case, random_pairs

BALL = Sphere([0, 0, 0], 5)
CUBE = AABB([-1, -1, -1], [1, 1, 1])
PILL = Capsule([0, 0, -4], [0, 0, 4], 5)
TURNED = OrientedBox([0, 0, 0], Transform(rotation=[0, 0, np.sin(np.pi / 8), np.cos(np.pi / 8)]).axes, [1, 1, 1])


def ids(kind: object) -> str:
    return getattr(kind, "__name__", "")


def _pairs(line: Kind, solid: Kind) -> list[Case]:
    cases = random_pairs(line, solid, n=len(FAMILIES) * 5, seed=41)
    return [case for case in cases if not _is_point(case.a)]


def _is_point(shape: Shape) -> bool:
    return isinstance(shape, Segment) and bool(np.array_equal(shape.start, shape.end))


def _size(line: oracles.Linear, solid: Shape, *parameters: Fraction) -> float:
    """Return the largest coordinate of a case, the ends of the part inside included."""
    origin, step = oracles.start_and_step(line)
    ends = [oracles.add(origin, oracles.times(step, t)) for t in parameters]
    return float(max(Fraction(oracles.extent(line, solid)), *(abs(x) for end in [*ends, origin] for x in end)))


def _off_surface(point: ArrayLike, solid: Shape) -> float:
    return abs(float(oracles.signed_distance(Point(point), solid)))


# --- against exact answers ------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "solid"), list(product(LINE_LIKE, SOLID)), ids=ids)
def test_crossings_are_where_the_line_meets_the_surface(line: Kind, solid: Kind) -> None:
    counts = set()
    for case in _pairs(line, solid):
        a, b = case.a, case.b
        assert isinstance(a, Segment | Ray | Line)
        got = crossings(a, b)
        count = int(got.count)
        counts.add(count)
        size = _size(a, b, *(oracles.through(a, b) or ()))
        step = float(oracles.root(oracles.dot(*2 * [oracles.start_and_step(a)[1]])))
        assert count in _defensible_counts(a, b, size, step), case
        assert np.all(np.isfinite(got.parameters) == [count > 0, count > 1]), case
        assert np.all(np.isfinite(got.points) == np.isfinite(got.parameters)[:, None]), case
        for t, point in zip(got.parameters[:count], got.points[:count], strict=True):
            assert _off_surface(point, b) <= 2e-14 * size, case
            assert _off_surface(point, a) <= 2e-14 * size, case
            exact_point = np.array([float(x) for x in _at(a, float(t))])
            assert np.abs(exact_point - point).max() <= 2e-15 * size, case
        if count == 2:
            assert got.parameters[0] < got.parameters[1], case
            middle = [float(x) for x in _at(a, float(got.parameters.mean()))]
            assert oracles.signed_distance(Point(middle), b) <= 1e-14 * size, case
    assert counts == {0, 1, 2}


def _at(line: oracles.Linear, t: float) -> oracles.Vector:
    origin, step = oracles.start_and_step(line)
    point: oracles.Vector = oracles.add(origin, oracles.times(step, Fraction(t)))
    return point


def _defensible_counts(line: oracles.Linear, solid: Shape, size: float, step: float) -> set[int]:
    """Return the counts that are right for this solid, or for one larger or smaller by what rounding could be."""
    rounding = Fraction(2e-14 * size)
    grown, widened = (-rounding, oracles.ZERO, rounding), (-rounding, oracles.ZERO, rounding)
    counts = {len(oracles.crossings(line, solid, g, w / Fraction(step))) for g, w in product(grown, widened)}
    if len({oracles.through(line, solid, g) is None for g in grown}) == 2:
        # Between a miss and a hit lies a tangent; where growth made it a chord, that is longer by a root of the growth.
        chord = oracles.root(rounding * Fraction(4 * size)) / Fraction(step)
        counts |= {1, len(oracles.crossings(line, solid, rounding, chord))}
    return counts


@pytest.mark.parametrize("solid", SOLID, ids=ids)
def test_rays_hit_where_they_enter(solid: Kind) -> None:
    hits = starts_inside = 0
    for case in _pairs(Ray, solid):
        ray, shape = case.a, case.b
        assert isinstance(ray, Ray)
        got = raycast(ray, shape)
        exact = oracles.raycast(ray, shape)
        size = _size(ray, shape, *(exact or ()))
        apart = oracles.signed_distance(ray, shape)
        if apart > 1e-14 * size:
            assert not got.hit, case
            assert np.all(np.isnan([got.enter, got.exit, *got.point, *got.normal])), case
            continue
        assert got.hit or apart > -1e-14 * size, case
        if not got.hit:
            continue
        hits += 1
        depth_of_start = -oracles.signed_distance(Point(ray.origin), shape)
        assert np.linalg.norm(got.normal) == pytest.approx(1.0, abs=1e-15)
        assert 0.0 <= got.enter <= got.exit, case
        if depth_of_start > 1e-14 * size:
            starts_inside += 1
            assert got.enter == 0.0, case
            assert np.array_equal(got.normal, -ray.direction), case
            assert np.array_equal(got.point, ray.origin), case
        elif depth_of_start < -1e-14 * size:
            _check_entry(ray, got.point, got.normal, shape, size, case)
        assert _off_surface(_floats(_at(ray, float(got.exit))), shape) <= 2e-14 * size, case
    assert hits > 10
    assert starts_inside > 5


@pytest.mark.parametrize(("line", "solid"), list(product(LINE_LIKE, SOLID)), ids=ids)
def test_about_half_of_the_random_lines_meet_the_solid(line: Kind, solid: Kind) -> None:
    rng = np.random.default_rng(44)
    cases = [random_case("anywhere", line, solid, rng, plain=True) for _ in range(120)]
    met = []
    for case in cases:
        assert isinstance(case.a, Segment | Ray | Line)
        span, (low, high) = oracles.through(case.a, case.b), oracles.span_of(case.a)
        met.append(span is not None and (low is None or span[1] >= low) and (high is None or span[0] <= high))
    assert 0.3 <= np.mean(met) <= 0.7
    lines, solids = _stacked([case.a for case in cases]), _stacked([case.b for case in cases])
    assert np.array_equal(intersects(lines, solids), met)
    assert not np.any(crossings(lines, solids).count[~np.array(met)])
    if isinstance(lines, Ray):
        assert np.array_equal(raycast(lines, solids).hit, met)


def _floats(point: oracles.Vector) -> list[float]:
    return [float(x) for x in point]


def _check_entry(ray: Ray, point: FloatArray, normal: FloatArray, shape: Shape, size: float, case: Case) -> None:
    assert _off_surface(point, shape) <= 2e-14 * size, case
    assert _off_surface(point, ray) <= 2e-14 * size, case
    assert oracles.dot(oracles.exact(normal), oracles.exact(ray.direction)) <= 1e-7, case
    if isinstance(shape, Sphere | Capsule) and shape.radius == 0:
        return  # no thickness, no outward side
    # Outward: a step along the normal leads away from the shape by just as much.
    step = Fraction(float(shape.radius) if isinstance(shape, Sphere | Capsule) else size)
    outside = oracles.add(oracles.exact(point), oracles.times(oracles.exact(normal), step))
    away = oracles.bodies_apart(oracles.Body(outside, (), oracles.ZERO), oracles.body(shape)).signed_distance
    assert abs(away - step) <= 4e-14 * size, case


@pytest.mark.parametrize(("line", "kind"), [pair for pair in product(LINE_LIKE, KINDS) if parted(pair)], ids=ids)
def test_the_nearest_point_is_always_filled(line: Kind, kind: Kind) -> None:
    rng = np.random.default_rng(43)
    for _ in range(20):
        case = random_case("anywhere", line, kind, rng)
        near = crossings(case.a, case.b).nearest
        core = oracles.body(case.b)._replace(radius=oracles.ZERO)
        least = oracles.bodies_apart(oracles.body(case.a), core)
        size = oracles.size_of(case.a, case.b, least)
        assert _off_surface(near, case.a) <= 2e-14 * size, case
        away = oracles.bodies_apart(oracles.Body(oracles.exact(near), (), oracles.ZERO), core).signed_distance
        assert abs(max(away, oracles.ZERO) - max(least.signed_distance, oracles.ZERO)) <= 2e-14 * size, case


@pytest.mark.parametrize(("line", "kind"), list(product(LINE_LIKE, THIN)), ids=ids)
def test_thin_shapes_are_met_once(line: Kind, kind: Kind) -> None:
    rng = np.random.default_rng(47)
    for family in ("sharing a point", "anywhere"):
        for _ in range(10):
            case = random_case(family, line, kind, rng, plain=True)
            got = crossings(case.a, case.b)
            assert int(got.count) == (1 if intersects(case.a, case.b) else 0), case
            if family == "sharing a point":
                assert int(got.count) == 1, case
                assert _off_surface(got.points[0], case.b) <= 2e-14 * oracles.extent(case.a, case.b), case


# --- what is known by hand ------------------------------------------------------------------------


def test_a_line_a_ray_and_a_segment_through_a_ball() -> None:
    line = crossings(Line([0, 3, 0], [1, 0, 0]), BALL)
    assert line.count == 2
    assert line.parameters.tolist() == [-4, 4]
    assert line.points.tolist() == [[-4, 3, 0], [4, 3, 0]]
    assert line.nearest.tolist() == [0, 3, 0]
    ray = crossings(Ray([0, 3, 0], [1, 0, 0]), BALL)
    assert ray.count == 1
    assert ray.parameters[0] == 4
    assert np.isnan(ray.parameters[1])
    assert crossings(Segment([-8, 3, 0], [8, 3, 0]), BALL).parameters.tolist() == [0.25, 0.75]


@pytest.mark.parametrize(
    ("segment", "solid", "count"),
    [
        (Segment([-1, 0, 0], [1, 2, 0]), BALL, 0),  # wholly inside: it intersects, and crosses nothing
        (Segment([-0.5, 0, 0], [0.5, 0.5, 0]), CUBE, 0),
        (Segment([-0.5, 0, 0], [0.5, 0.5, 0]), TURNED, 0),
        (Segment([0, 0, -6], [0, 1, 6]), PILL, 0),
        (Segment([0, 0, 0], [9, 0, 0]), BALL, 1),
        (Segment([0, 0, 0], [9, 0, 0]), CUBE, 1),
        (Segment([0, 0, 0], [9, 0, 0]), PILL, 1),
        (Segment([7, 0, 0], [9, 0, 0]), BALL, 0),
        (Segment([7, 0, 0], [9, 0, 0]), CUBE, 0),
        (Segment([7, 0, 0], [9, 0, 0]), PILL, 0),
        (Segment([5, 0, 0], [9, 0, 0]), BALL, 1),  # begins on the surface
        (Segment([1, 0, 0], [9, 0, 0]), CUBE, 1),
        (Segment([-5, 0, 0], [5, 0, 0]), BALL, 2),  # from surface to surface
        (Segment([-1, 0, 0], [1, 0, 0]), CUBE, 2),
        (Segment([0, 0, -9], [0, 0, 9]), PILL, 2),
    ],
)
def test_ends_of_segments(segment: Segment, solid: Shape, count: int) -> None:
    for one in (segment, Segment(segment.end, segment.start)):
        assert crossings(one, solid).count == count


@pytest.mark.parametrize("power", [-20, 0, 20])
@pytest.mark.parametrize("offset", [(0.0, 0.0, 0.0), (2.0**20, -(2.0**19), 3.0)])
def test_a_tangent_is_one_crossing(power: int, offset: tuple[float, float, float]) -> None:
    factor = 2.0**power
    move = np.array(offset) * max(factor, 1.0)
    lines = [Line([7, 5, 0], [1, 0, 0]), Ray([-7, 5, 0], [1, 0, 0]), Segment([-2, 5, 0], [7, 5, 0])]
    for line, solid in product(lines, (BALL, PILL, Capsule([0, 0, 0], [0, -9, 0], 5), Sphere([0, 9, 0], 4))):
        got = crossings(_placed(line, factor, move), _placed(solid, factor, move))
        assert got.count == 1
        assert np.allclose(got.points[0], move + np.array([0, 5, 0]) * factor, rtol=0, atol=1e-14 * np.abs(move).max())
        ray = _placed(lines[1], factor, move)
        assert isinstance(ray, Ray)
        assert raycast(ray, _placed(solid, factor, move)).hit


def _placed(shape: Shape, factor: float, move: FloatArray) -> Shape:
    """Return a shape of whole numbers, scaled and moved without rounding."""
    keep = ("direction",)
    scaled = type(shape)(**{k: v if k in keep else v * factor for k, v in shape.values().items()})
    return scaled.translated(move)


@pytest.mark.parametrize("tenths", range(1, 40))
def test_tangents_in_decimals_are_one_crossing(tenths: int) -> None:
    radius = 0.3
    center = [0.1, tenths / 10, -0.2]
    for height in ((tenths + 3) / 10, (tenths - 3) / 10):
        for line in (Line([0.7, height, -0.2], [1, 0, 0]), Segment([-0.3, height, -0.2], [0.9, height, -0.2])):
            assert crossings(line, Sphere(center, radius)).count == 1
            assert crossings(line, Capsule(center, [0.1, tenths / 10, -0.9], radius)).count == 1
        box = AABB([-0.1, min(height, tenths / 10), -0.3], [0.2, max(height, tenths / 10), 0.1])
        assert raycast(Ray([0.1, height, -5.5], [0, 0, 1]), box).hit  # along a face


@pytest.mark.parametrize("solid", [CUBE, CUBE.oriented()], ids=ids)
def test_lines_along_faces_and_edges_and_through_corners(solid: Shape) -> None:
    on_face = crossings(Line([0, 1, 0.25], [1, 0, 0]), solid)
    assert on_face.parameters.tolist() == [-1, 1]
    on_edge = crossings(Line([0, 1, -1], [1, 0, 0]), solid)
    assert on_edge.parameters.tolist() == [-1, 1]
    at_corner = crossings(Segment([0, 2, 1], [2, 0, 1]), solid)
    assert at_corner.count == 1
    assert at_corner.points[0].tolist() == [1, 1, 1]
    beside = crossings(Line([0, 1.5, 0], [1, 0, 0]), solid)
    assert beside.count == 0
    assert np.all(np.isnan(beside.points))
    through_corners = crossings(Segment([-2, -2, -2], [2, 2, 2]), solid)
    assert through_corners.parameters.tolist() == [0.25, 0.75]


def test_flat_boxes_are_met_once_across_and_twice_along() -> None:
    sheet = AABB([0, 0, 0], [4, 4, 0])
    assert crossings(Line([1, 2, 3], [0, 0, 1]), sheet).parameters[0] == -3
    assert crossings(Line([1, 2, 3], [0, 0, 1]), sheet).count == 1
    assert crossings(Line([1, 2, 0], [1, 0, 0]), sheet).parameters.tolist() == [-1, 3]
    assert crossings(Line([1, 2, 0.5], [1, 0, 0]), sheet).count == 0
    hit = raycast(Ray([1, 2, 3], [0, 0, -1]), sheet)
    assert (float(hit.enter), float(hit.exit)) == (3, 3)
    assert hit.normal.tolist() == [0, 0, 1]


def test_degenerate_solids_and_segments() -> None:
    speck, needle = Sphere([1, 2, 3], 0), Capsule([0, 0, 0], [0, 0, 2], 0)
    assert crossings(Line([0, 2, 3], [1, 0, 0]), speck).parameters[0] == 1
    assert crossings(Line([0, 2, 3], [1, 0, 0]), speck).count == 1
    assert crossings(Line([0, 2, 3.5], [1, 0, 0]), speck).count == 0
    assert crossings(Line([5, 0, 1], [1, 0, 0]), needle).parameters[0] == -5
    assert crossings(Line([0, 0, 7], [0, 0, 1]), needle).parameters.tolist() == [-7, -5]
    assert crossings(Line([0, 3, 4], [0, 1, 0]), Capsule([0, 0, 0], [0, 0, 0], 5)).parameters.tolist() == [-6, 0]
    for solid in (BALL, CUBE, PILL, TURNED):
        for place in ([0, 0, 0], [9, 9, 9]):
            got = crossings(Segment(place, place), solid)
            assert got.count == 0
            assert got.nearest.tolist() == place


@pytest.mark.parametrize("solid", [BALL, CUBE, PILL, TURNED], ids=ids)
def test_a_ray_that_starts_inside_enters_at_once(solid: Shape) -> None:
    ray = Ray([0.25, 0.5, 0], [3, 4, 0])
    hit = raycast(ray, solid)
    assert hit.hit
    assert hit.enter == 0
    assert hit.point.tolist() == [0.25, 0.5, 0]
    assert hit.normal.tolist() == (-ray.direction).tolist()
    assert hit.exit == pytest.approx(float(crossings(ray, solid).parameters[0]), rel=1e-15)


def test_rays_that_start_on_the_surface_or_behind() -> None:
    assert raycast(Ray([5, 0, 0], [1, 0, 0]), BALL).hit  # touching counts
    assert raycast(Ray([5, 0, 0], [1, 0, 0]), BALL).exit == 0
    inward = raycast(Ray([5, 0, 0], [-1, 0, 0]), BALL)
    assert (float(inward.enter), float(inward.exit)) == (0, 10)
    assert inward.normal.tolist() == [1, 0, 0]
    assert not raycast(Ray([7, 0, 0], [1, 0, 0]), BALL).hit
    assert not raycast(Ray([2, 0, 0], [1, 0, 0]), CUBE).hit


def test_normals_of_boxes_are_face_normals() -> None:
    for axis, sign in product(range(3), (-1.0, 1.0)):
        start, way = np.full(3, 0.25), np.zeros(3)
        start[axis], way[axis] = 4 * sign, -sign
        for solid in (CUBE, CUBE.oriented()):
            hit = raycast(Ray(start, way), solid)
            assert hit.enter == 3
            assert hit.exit == 5
            assert hit.normal.tolist() == (-way).tolist()


@pytest.mark.parametrize("solid", [BALL, CUBE, PILL, TURNED], ids=ids)
def test_a_segment_without_length_crosses_the_surface_that_it_is_on(solid: Shape) -> None:
    for way in ([1.0, 2.0, 3.0], [1.0, 0.0, 0.0], [-3.0, 1.0, 0.5]):
        place = raycast(Ray(9.0 * np.array(way), -np.array(way)), solid).point
        got = crossings(Segment(place, place), solid)
        assert int(got.count) == 1
        assert got.parameters[0] == 0.0
        assert np.abs(got.points[0] - place).max() <= 4e-15
        for depth in (0.5, 1.5):
            assert int(crossings(Segment(depth * place, depth * place), solid).count) == 0


@pytest.mark.parametrize("slope", [1e-17, 1e-15, 1e-12, 1e-9, 1e-6, 1.0])
def test_a_ray_that_starts_on_a_surface_hits_it_there_however_it_goes(slope: float) -> None:
    for solid, top in ((BALL, 5.0), (CUBE, 1.0), (HalfSpace([0, 0, 1], [0, 0, 1]), 1.0), (PILL, 9.0)):
        for sign in (-1.0, 1.0):
            ray = Ray([0, 0, top], [1, 0, sign * slope])
            hit = raycast(ray, solid)
            assert hit.hit
            assert hit.enter == 0.0
            assert np.allclose(hit.point, [0, 0, top], rtol=0, atol=1e-14)
            assert int(crossings(ray, solid).count) >= (0 if isinstance(solid, HalfSpace) and slope < 1e-14 else 1)
            if sign > 0.0 and slope > 1e-14:  # it leaves at once
                assert hit.exit * slope <= 1e-14
                assert hit.normal.tolist() == (-ray.direction).tolist()
            else:
                assert np.allclose(hit.normal, [0, 0, 1], rtol=0, atol=2e-15)


def test_a_ray_along_a_face_enters_where_the_face_begins_whatever_the_last_bits_are() -> None:
    for noise in (0.0, 1e-17, -1e-17, 6.1e-17, -6.1e-17):
        for off in (-2e-16, 0.0, 2e-16):
            hit = raycast(Ray([-5.0, 0.25, 1.0 + off], [1.0, 0.0, noise]), CUBE)
            assert abs(hit.enter - 4.0) <= 1e-14
            assert abs(hit.exit - 6.0) <= 1e-14
            assert hit.normal.tolist() == [-1.0, 0.0, 0.0]


def test_the_normal_of_a_wire_is_at_a_right_angle_to_it() -> None:
    ray = Ray([-3, 0, -3], [1, 0, 1])
    for wire in (Segment([0, 0, -2], [0, 0, 2]), Line([0, 0, 5], [0, 0, 1]), Capsule([0, 0, -2], [0, 0, 2], 0)):
        assert raycast(ray, wire).normal.tolist() == [-1, 0, 0]
    end = raycast(ray, Segment([0, 0, 0], [0, 0, 2])).normal
    assert np.allclose(end, -ray.direction, rtol=0, atol=1e-15)
    assert raycast(ray, Segment([0, 0, -2], [0, 0, 0])).normal.tolist() == [-1, 0, 0]


def test_what_a_limited_ray_touches_at_its_very_end_counts() -> None:
    assert raycast(Ray([-3, 0, 0], [1, 0, 0]), CUBE, max_distance=2.0).hit
    assert not raycast(Ray([-3, 0, 0], [1, 0, 0]), CUBE, max_distance=np.nextafter(2.0 - 1e-14, 0)).hit
    short = raycast(Ray([-0.3, 0, 0], [1, 0, 0]), AABB([-0.1, -1, -1], [1, 1, 1]), max_distance=0.2)
    assert short.hit  # 0.3 - 0.1 is less than 0.2 by a rounding
    assert short.enter <= 0.2
    # To rounding it comes to a ball that it grazes a little before it gets there.
    height = np.sqrt(1.0 - 1e-17)
    ray = Ray([-1.0, 0.0, height], [1.0, 0.0, 0.0])
    assert raycast(ray, Sphere([1e-8, 0, 0], 1.0), max_distance=1.0).hit
    limits = np.array([0.0, 1.0, 2.0, np.inf])
    got = raycast(Ray([-3, 0, 0], [1, 0, 0]), CUBE, max_distance=limits)
    assert got.hit.tolist() == [False, False, True, True]
    assert got.exit[2:].tolist() == [4.0, 4.0]
    assert np.isnan(got.point[:2]).all()
    assert np.isnan(got.exit[:2]).all()


def test_rays_meet_thin_shapes() -> None:
    ray = Ray([0, 0, 0], [1, 0, 0])
    assert raycast(ray, Point([3, 0, 0])).enter == 3
    assert raycast(ray, Segment([3, -1, 0], [3, 1, 0])).enter == 3
    assert not raycast(ray, Segment([3, 1, 0], [3, 2, 0])).hit
    along = raycast(ray, Line([9, 0, 0], [1, 0, 0]))
    assert (float(along.enter), float(along.exit)) == (0, np.inf)
    assert not raycast(ray, Point([-3, 0, 0])).hit


# --- batches and errors ---------------------------------------------------------------------------


def _stacked(shapes: list[Shape]) -> Shape:
    return type(shapes[0])(**{k: np.stack([s.values()[k] for s in shapes]) for k in shapes[0].values()})


def test_hits_agree_with_the_other_queries() -> None:
    for solid in SOLID:
        cases = [c for c in _pairs(Ray, solid) if c.label.startswith("anywhere")]
        for case in cases:
            assert isinstance(case.a, Ray)
            assert raycast(case.a, case.b).hit == intersects(case.a, case.b)
            if signed_distance(Point(case.a.origin), case.b) > 0 and raycast(case.a, case.b).hit:
                assert closest_points(case.a, case.b).signed_distance <= 0


def test_mistakes_get_a_clear_error() -> None:
    with pytest.raises(TypeError, match="must be a Ray, got Line"):
        raycast(Line([0, 0, 0], [1, 0, 0]), BALL)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="must be a Line, Ray or Segment, got Sphere"):
        crossings(BALL, BALL)
    with pytest.raises(TypeError, match="must be a shape, got list"):
        crossings(Line([0, 0, 0], [1, 0, 0]), [0, 0, 0])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="broadcast"):
        crossings(Line(np.zeros((3, 3)), [1, 0, 0]), Sphere(np.zeros((2, 3)), 1))
