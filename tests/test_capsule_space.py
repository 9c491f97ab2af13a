"""Capsules as game engines give them: the two matrices, the test in capsule space, and where that test is wrong."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, get_args

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import Capsule, CapsuleCollider, Point, Sphere, Transform, intersects, signed_distance
from collision.base.fields import FloatArray
from collision.shapes.capsule_space import Axis
from tests import oracles

AXES: tuple[Literal["x", "y", "z"], ...] = get_args(Axis)
each_axis = pytest.mark.parametrize("axis", AXES)


def unit(axis: Axis) -> FloatArray:
    column: FloatArray = np.eye(3)["xyz".index(axis)]
    return column


def some_transform(rng: np.random.Generator, scale: float | list[float] = 1.0) -> Transform:
    return Transform(rng.normal(size=3), Rotation.random(rng=rng), scale)


def inside(matrix: FloatArray, point: FloatArray) -> FloatArray:
    moved: FloatArray = matrix[:3, :3] @ point + matrix[:3, 3]
    return moved


# --- the matrices ---------------------------------------------------------------------------------


@each_axis
def test_capsule_to_local_moves_to_the_center_and_turns_z_to_the_axis(axis: Axis) -> None:
    matrix = CapsuleCollider([1, 2, 3], axis, 4, 0.5).capsule_to_local()
    assert matrix[:3, 2].tolist() == unit(axis).tolist()
    assert matrix[:3, 3].tolist() == [1, 2, 3]
    assert matrix[3].tolist() == [0, 0, 0, 1]
    turn = matrix[:3, :3]
    assert np.array_equal(turn.T @ turn, np.eye(3))
    assert np.linalg.det(turn) == 1.0  # a rotation, no mirror


@each_axis
def test_world_to_capsule_undoes_the_objects_matrix_and_then_the_capsules(axis: Axis) -> None:
    rng = np.random.default_rng(1)
    for scale in (1.0, 3.0, [1.0, 2.0, -0.5]):
        collider, place = CapsuleCollider(rng.normal(size=3), axis), some_transform(rng, scale)
        forth = place.matrix @ collider.capsule_to_local()
        assert np.allclose(collider.world_to_capsule(place) @ forth, np.eye(4), rtol=0, atol=1e-14)
        expected = np.linalg.inv(collider.capsule_to_local()) @ np.linalg.inv(place.matrix)
        assert np.allclose(collider.world_to_capsule(place), expected, rtol=0, atol=1e-13)


# --- the test of a sphere -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("center", "raw", "clamped", "near", "squared"),
    [
        ([3, 0, 0], 0.5, 0.5, [0, 0, 0], 9.0),
        ([3, 0, 2], 1.0, 1.0, [0, 0, 2], 9.0),
        ([0, 3, 6], 2.0, 1.0, [0, 0, 2], 25.0),
        ([0, 3, -6], -1.0, 0.0, [0, 0, -2], 25.0),
        ([0, 0, 1], 0.75, 0.75, [0, 0, 1], 0.0),
    ],
)
def test_the_values_of_the_test(
    center: list[float], raw: float, clamped: float, near: list[float], squared: float
) -> None:
    """A capsule along z around the origin, its cap centers at -2 and 2: capsule space is the world."""
    got = CapsuleCollider([0, 0, 0], "z", 6, 1).sphere_test(Transform(), Sphere(center, 1.5))
    assert got.center.tolist() == center
    assert float(got.near_rate) == raw
    assert float(got.clamped_rate) == clamped
    assert got.near_point.tolist() == near
    assert float(got.squared_distance) == squared
    assert bool(got.hit) == (squared <= 2.5**2)


@each_axis
def test_for_unit_scale_it_agrees_with_the_world(axis: Axis) -> None:
    rng = np.random.default_rng(3)
    verdicts = []
    for _ in range(300):
        collider = CapsuleCollider(rng.normal(size=3), axis, rng.uniform(1.0, 4.0), rng.uniform(0.1, 0.5))
        place = some_transform(rng)
        capsule = collider.in_world(place)
        sphere = Sphere(capsule.start + rng.normal(size=3), rng.uniform(0.0, 1.5))
        got = collider.sphere_test(place, sphere)
        assert got.center == pytest.approx(inside(collider.world_to_capsule(place), sphere.center), abs=1e-15)
        gap = float(oracles.signed_distance(capsule, sphere))
        reach = float(collider.radius + sphere.radius)
        assert float(got.squared_distance) ** 0.5 - reach == pytest.approx(gap, abs=1e-14)
        if abs(gap) > 1e-14:
            assert got.hit == intersects(capsule, sphere) == (gap < 0)
        verdicts.append(bool(got.hit))
    assert 0.3 <= np.mean(verdicts) <= 0.7


@each_axis
def test_a_touch_is_a_hit_in_capsule_space_too(axis: Axis) -> None:
    """The sphere touches the cylinder and the caps from all six sides; in tenths, where sums are not exact."""
    collider = CapsuleCollider([0.1, 0.2, 0.3], axis, 1.4, 0.3)
    for k in range(3):
        gap = (0.3 + 0.4 if k != "xyz".index(axis) else 0.7 + 0.4) * np.eye(3)[k]
        for side in (gap, -gap):
            sphere = Sphere(collider.center + side, 0.4)
            assert collider.sphere_test(Transform(), sphere).hit
            assert intersects(collider.in_world(Transform()), sphere)
            beyond = Sphere(collider.center + side * (1 + 1e-12), 0.4)
            assert not collider.sphere_test(Transform(), beyond).hit


def test_a_capsule_that_is_a_sphere_has_no_rate() -> None:
    got = CapsuleCollider([0, 0, 0], "x", 1, 0.5).sphere_test(Transform(), Sphere([0, 0.75, 0], 0.25))
    assert np.isnan(got.near_rate)
    assert got.clamped_rate == 0
    assert got.near_point.tolist() == [0, 0, 0]
    assert got.hit


# --- Unity's rule for a scaled capsule ------------------------------------------------------------


def by_unitys_rule(collider: CapsuleCollider, place: Transform) -> tuple[FloatArray, FloatArray, float]:
    """Both cap centers and the radius, spelled out for one capsule."""
    factors = [abs(float(f)) for f in place.scale]
    along = "xyz".index(collider.axis)
    across = [factors[k] for k in range(3) if k != along]
    radius = float(collider.radius) * max(across)
    height = max(float(collider.height) * factors[along], 2 * radius)
    middle = place.matrix[:3, :3] @ collider.center + place.matrix[:3, 3]
    half = (height / 2 - radius) * place.axes[:, along]
    return middle - half, middle + half, radius


SCALES = {
    "unit": [1.0, 1.0, 1.0],
    "uniform": [2.5, 2.5, 2.5],
    "small": [1e-3, 1e-3, 1e-3],
    "mirrored": [-1.0, 1.0, 1.0],
    "mirrored all over": [-2.0, -2.0, -2.0],
    "non-uniform": [0.5, 2.0, 3.0],
    "non-uniform, mirrored": [3.0, -2.0, -0.25],
    "zero on x": [0.0, 1.0, 2.0],
    "zero on y": [1.0, 0.0, 2.0],
    "zero on z": [1.0, 2.0, 0.0],
    "zero": [0.0, 0.0, 0.0],
}


@each_axis
@pytest.mark.parametrize("scale", SCALES.values(), ids=SCALES.keys())
def test_in_world_follows_unitys_rule(axis: Axis, scale: list[float]) -> None:
    rng = np.random.default_rng(5)
    for height in [4.0, 1.0, 0.5, 0.0] * 5:
        collider = CapsuleCollider(rng.normal(size=3), axis, height, 0.5)
        place = some_transform(rng, scale)
        got = collider.in_world(place)
        start, end, radius = by_unitys_rule(collider, place)
        assert got.radius == radius
        caps = sorted([got.start.tolist(), got.end.tolist()])
        assert np.allclose(caps, sorted([start.tolist(), end.tolist()]), rtol=0, atol=1e-14)


@each_axis
def test_the_caps_keep_their_ends_under_a_mirror(axis: Axis) -> None:
    """The start is the cap on the negative side of the local axis, wherever the transform takes it."""
    collider = CapsuleCollider([0, 0, 0], axis, 4, 0.5)
    for factor in (1.0, -1.0, -2.0):
        place = Transform([1, 2, 3], scale=factor)
        assert np.allclose(collider.in_world(place).start, place.apply(-1.5 * unit(axis)), rtol=0, atol=1e-15)


@each_axis
def test_a_height_below_two_radii_makes_a_sphere(axis: Axis) -> None:
    for height in (0.0, 0.5, 1.0):
        got = CapsuleCollider([1, 2, 3], axis, height, 0.5).in_world(Transform())
        assert got == Capsule([1, 2, 3], [1, 2, 3], 0.5)


def test_a_flattened_object_has_no_capsule_space_but_a_place_in_the_world() -> None:
    flat = Transform(scale=[1, 0, 1])
    collider = CapsuleCollider()
    assert collider.in_world(flat) == Capsule([0, 0, 0], [0, 0, 0], 0.5)
    with pytest.raises(ValueError, match="zero scale"):
        collider.world_to_capsule(flat)
    with pytest.raises(ValueError, match="zero scale"):
        collider.sphere_test(flat, Sphere([0, 0, 0], 1))


# --- where the well-known version goes wrong ------------------------------------------------------


def test_it_never_scales_the_spheres_radius() -> None:
    """Under a scale it compares a radius of the world with distances of the scaled space: wrong both ways."""
    collider = CapsuleCollider([0, 0, 0], "y", 2, 0.5)
    # Twice as large, the capsule reaches to x = 1; a ball at 1.75 with radius 0.5 is a quarter away. In capsule space
    # its center is at 0.875, nearer than 0.5 + 0.5.
    double, ball = Transform(scale=2.0), Sphere([1.75, 0, 0], 0.5)
    assert signed_distance(collider.in_world(double), ball) == 0.25
    assert collider.sphere_test(double, ball).hit
    # Half as large, the capsule reaches to x = 0.25; a ball at 0.7 with radius 0.5 is 0.05 deep in it. In capsule space
    # its center is at 1.4, farther than 0.5 + 0.5.
    half, ball = Transform(scale=0.5), Sphere([0.7, 0, 0], 0.5)
    assert signed_distance(collider.in_world(half), ball) == pytest.approx(-0.05, rel=1e-14)
    assert not collider.sphere_test(half, ball).hit


def test_a_non_uniform_scale_bends_its_distances() -> None:
    """Three times as wide along x only: Unity's capsule is three times as thick, and round."""
    collider, wide = CapsuleCollider([0, 0, 0], "y", 8, 0.5), Transform(scale=[3.0, 1.0, 1.0])
    ball = Sphere([0, 0, 1.25], 0.25)
    assert collider.in_world(wide).radius == 1.5
    assert intersects(collider.in_world(wide), ball)
    assert not collider.sphere_test(wide, ball).hit


def test_a_short_capsule_turns_its_axis_around() -> None:
    """Height 0 and radius 1: Unity has a ball; there, cap centers at +1 and -1 in the wrong order, and so a capsule."""
    collider = CapsuleCollider([0, 0, 0], "z", 0, 1)
    above = Sphere([0, 0, 2], 0.5)
    assert not intersects(collider.in_world(Transform()), above)
    got = collider.sphere_test(Transform(), above)
    assert got.hit
    assert got.near_rate == -0.5  # above the middle, yet before the start
    assert got.near_point.tolist() == [0, 0, 1]


# --- batches and mistakes -------------------------------------------------------------------------


def test_batches_of_colliders_transforms_and_spheres_broadcast() -> None:
    rng = np.random.default_rng(9)
    collider = CapsuleCollider(rng.normal(size=(4, 1, 3)), "x", rng.uniform(1, 3, (4, 1)), 0.25)
    place = Transform(rng.normal(size=(5, 3)), Rotation.random(5, rng=rng))
    balls = Sphere(rng.normal(size=(5, 3)), rng.uniform(0, 2, 5))
    got = collider.sphere_test(place, balls)
    capsules = collider.in_world(place)
    assert got.hit.shape == capsules.batch_shape == (4, 5)
    for i in range(4):
        one = CapsuleCollider(collider.center[i, 0], "x", collider.height[i, 0], 0.25)
        for j in range(5):
            there = Transform(place.position[j], place.axes[j])
            single = one.sphere_test(there, balls[j])
            assert capsules[i, j] == one.in_world(there)
            for field in single._fields:
                assert np.array_equal(getattr(got, field)[i, j], getattr(single, field)), field
    assert np.array_equal(got.hit, intersects(capsules, balls))


def test_the_defaults_are_unitys() -> None:
    collider = CapsuleCollider()
    assert collider.center.tolist() == [0, 0, 0]
    assert (collider.axis, float(collider.height), float(collider.radius)) == ("y", 2.0, 0.5)
    assert collider.in_world(Transform()) == Capsule([0, -0.5, 0], [0, 0.5, 0], 0.5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"axis": "w"}, "CapsuleCollider.axis must be 'x', 'y' or 'z', got 'w'"),
        ({"radius": -1}, "CapsuleCollider.radius must be zero or more, got -1.0"),
        ({"height": -2}, "CapsuleCollider.height must be zero or more, got -2.0"),
        ({"height": np.inf}, "CapsuleCollider.height must be finite, got inf"),
        ({"center": [0, 0]}, r"CapsuleCollider.center must be an array of shape \(..., 3\), got shape \(2,\)"),
        ({"center": np.zeros((2, 3)), "radius": np.ones(3)}, "batch axes do not broadcast"),
    ],
)
def test_mistakes_get_a_clear_error(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        CapsuleCollider(**arguments)  # type: ignore[arg-type]


def test_exactly_what_the_squares_say() -> None:
    """The verdict compares squares: at a whole-number touch these are equal, with no rounding in between."""
    collider = CapsuleCollider([0, 0, 0], "z", 8, 1)
    got = collider.sphere_test(Transform(), Sphere([3, 4, 3], 4))
    assert got.squared_distance == 25
    assert got.hit
    assert oracles.signed_distance(collider.in_world(Transform()), Sphere([3, 4, 3], 4)) == Fraction(0)
    assert not intersects(collider.in_world(Transform()), Point([3, 4, 3]))


@pytest.mark.parametrize("method", ["in_world", "world_to_capsule", "sphere_test"])
def test_methods_name_themselves_in_their_errors(method: str) -> None:
    spheres = [Sphere([0, 0, 0], 1)] if method == "sphere_test" else []
    label = rf"^CapsuleCollider\.{method}"
    with pytest.raises(TypeError, match=rf"{label} takes a Transform, got NoneType$"):
        getattr(CapsuleCollider(), method)(None, *spheres)
    three, two = CapsuleCollider(np.zeros((3, 3))), Transform(np.zeros((2, 3)))
    with pytest.raises(ValueError, match=rf"{label}: batch axes do not broadcast .*center \(3,\), .*transform \(2,\)$"):
        getattr(three, method)(two, *spheres)


def test_the_test_takes_spheres_that_fit() -> None:
    with pytest.raises(TypeError, match=r"^CapsuleCollider\.sphere_test takes a Sphere, got Point$"):
        CapsuleCollider().sphere_test(Transform(), Point([0, 0, 0]))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^CapsuleCollider\.sphere_test: batch axes .*height \(3,\), .*sphere \(2,\)"):
        CapsuleCollider(height=[1, 2, 3]).sphere_test(Transform(), Sphere(np.zeros((2, 3)), 1))


def test_a_capsule_too_large_for_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^Capsule\.\w+ must be finite, got "):
        CapsuleCollider(height=1e200).in_world(Transform(scale=1e200))


@pytest.mark.parametrize("axis", [None, ["x"], np.array(["x", "y"]), "", "xy"])
def test_an_axis_is_one_of_three(axis: object) -> None:
    with pytest.raises(ValueError, match=r"^CapsuleCollider\.axis must be 'x', 'y' or 'z', got "):
        CapsuleCollider(axis=axis)  # type: ignore[arg-type]
