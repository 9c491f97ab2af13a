"""Rays, lines and segments through shapes: `raycast` and `crossings`."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    HalfSpace,
    Line,
    OrientedBox,
    Ray,
    Segment,
    Shape,
    Sphere,
    Transform,
    crossings,
    raycast,
)
from collision.base.fields import FloatArray

BALL = Sphere([0, 0, 0], 5)
CUBE = AABB([-1, -1, -1], [1, 1, 1])
PILL = Capsule([0, 0, -4], [0, 0, 4], 5)
TURNED = OrientedBox([0, 0, 0], Transform(rotation=[0, 0, np.sin(np.pi / 8), np.cos(np.pi / 8)]).axes, [1, 1, 1])


def ids(kind: object) -> str:
    return getattr(kind, "__name__", "")


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


def test_rays_that_start_on_the_surface_or_behind() -> None:
    assert raycast(Ray([5, 0, 0], [1, 0, 0]), BALL).hit  # touching counts
    assert raycast(Ray([5, 0, 0], [1, 0, 0]), BALL).exit == 0
    inward = raycast(Ray([5, 0, 0], [-1, 0, 0]), BALL)
    assert (float(inward.enter), float(inward.exit)) == (0, 10)
    assert inward.normal.tolist() == [1, 0, 0]
    assert not raycast(Ray([7, 0, 0], [1, 0, 0]), BALL).hit
    assert not raycast(Ray([2, 0, 0], [1, 0, 0]), CUBE).hit


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
