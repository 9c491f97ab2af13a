"""What queries ask of a core: one that has no corners is answered as well."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import (
    AABB,
    Capsule,
    Expectation,
    HalfSpace,
    Line,
    Motion,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    all_normals,
    contains,
    explain,
    judge,
)
from collision.base.fields import FloatArray
from collision.kernels.extents import Convex, Operands
from collision.kernels.table import ROWS, CoreType

_TURNS = np.arange(4000) * np.pi * (3.0 - np.sqrt(5.0))
_HEIGHTS = 1.0 - (np.arange(4000) + 0.5) / 2000.0
#: Directions that are evenly spread; none is more than 0.05 from one of them.
SPREAD = np.stack([*(np.sqrt(1.0 - _HEIGHTS**2) * [np.cos(_TURNS), np.sin(_TURNS)]), _HEIGHTS], axis=-1)


def foremost_of_ball(core: Operands, convex: Convex) -> FloatArray:
    """Return the one point of balls of radius 1 where a function is greatest."""
    center = np.asarray(core[0])
    points = np.stack([center + direction for direction in SPREAD])
    values = convex(points)
    more = [1] * (values.ndim + 1 - points.ndim)  # batch axes of what asks
    points = np.broadcast_to(points.reshape(len(points), *more, *points.shape[1:]), (*values.shape, 3))
    best = np.argmax(values, axis=0)
    return np.take_along_axis(points, best[None, ..., None], axis=0)


@pytest.fixture
def points_as_balls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the core of a point be all of a ball of radius 1, for what is asked of it in NumPy."""
    row = ROWS[CoreType.POINT]
    extent = row.extent._replace(extremes=foremost_of_ball, outline=lambda core: None, vertices=None)
    monkeypatch.setitem(ROWS, CoreType.POINT, row._replace(extent=extent))


@pytest.mark.usefixtures("points_as_balls")
def test_a_core_without_corners_is_held_by_what_holds_all_of_it() -> None:
    room = AABB([0, 0, 0], [4, 4, 4])
    assert contains(room, Point([1.01, 2, 2]))
    assert not contains(room, Point([0.9, 2, 2]))
    assert contains(room, Point([[1.1, 2, 2], [2, 3.1, 2]])).tolist() == [True, False]
    assert contains(Sphere([0, 0, 0], [2.5, 1.5]), Point([1, 0, 0])).tolist() == [True, False]


@pytest.mark.usefixtures("points_as_balls")
def test_what_is_explained_of_a_core_without_corners_is_its_foremost_point() -> None:
    step = explain(contains, Sphere([0, 0, 0], 2.5), Point([1, 0, 0])).steps[0]
    assert "it holds what sticks out the most of its core" in step.text
    assert [value.mark for value in step.values] == ["point 1"]
    assert step.values[0].value == pytest.approx(-0.5, abs=0.01)


@pytest.mark.usefixtures("points_as_balls")
def test_a_core_without_corners_is_said_to_lie_inside_at_single_times_only() -> None:
    promises = [Expectation("inside", "ball", "room", **at) for at in ({}, {"at": 0.5})]  # type: ignore[arg-type]
    shapes = {"ball": Point([0, 0, 0]), "room": AABB([-2, -2, -2], [2, 2, 2])}
    scene = Scene(shapes, motion=[Motion("ball", [0, 1], [[0, 0, 0], [0.9, 0, 0]])], expectations=promises)
    over_time, at_once, _ = judge(scene).verdicts
    assert over_time.actual == "of ball, which has curved faces, it is told at single times only"
    assert (over_time.ok, at_once.ok) == (False, True)


@pytest.mark.usefixtures("points_as_balls")
def test_the_smallest_sphere_around_cores_without_corners() -> None:
    places = [[0, 0, 0], [4, 0, 0], [1, 3, 1], [2, -1, 2]]
    exact = Sphere.from_points(places)
    found = Sphere.around(Point(places))
    assert np.allclose(found.center, exact.center, atol=0.02)
    assert found.radius == pytest.approx(float(exact.radius) + 1.0, abs=0.01)


@pytest.mark.usefixtures("points_as_balls")
def test_one_normal_where_no_outline_tells_more() -> None:
    assert all_normals(Point([0, 0, 0]), Point([0, 0, 0])).kind == "one"


def test_all_that_is_known_of_a_core_agrees() -> None:
    rng = np.random.default_rng(7)
    axes = Rotation.from_quat(rng.normal(size=4)).as_matrix()
    ends = rng.normal(size=(2, 3))
    shapes: list[Shape] = [
        *(Point(ends[0]), Segment(*ends), Capsule(*ends, 0.5), Sphere(ends[0], 1)),
        *(OrientedBox(ends[0], axes, [1, 2, 3]), AABB(ends.min(axis=0), ends.max(axis=0))),
    ]
    for shape in shapes:
        core = shape.core
        outline = core.outline()
        assert outline is not None
        corners = core.vertices()
        assert corners is not None
        assert core.cone() is None
        assert core.middle() == pytest.approx(corners.mean(axis=0))
        for n in rng.normal(size=(5, 3)):
            assert outline.center @ n + outline.reach(n) == pytest.approx((corners @ n).max())
    for endless, both, solid in ((Ray, False, False), (Line, True, False), (HalfSpace, False, True)):
        cone = endless([1, 2, 3], [0, 0, 2]).core.cone()
        assert cone is not None
        assert (cone.axis.tolist(), cone.both_ways, cone.solid) == ([0, 0, 1], both, solid)
