"""Transforms: scale, then rotate, then translate; and what each kind becomes under one."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import AABB, Capsule, Line, OrientedBox, Point, Ray, Segment, Shape, Sphere, Transform
from collision.base.fields import FloatArray
from collision.shapes.kinds import KINDS
from tests.sampling import BOUNDED, Kind, batch, one, points_in, support

EPS = np.finfo(float).eps

by_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


def random_transform(rng: np.random.Generator, scale: Any = 1.0) -> Transform:
    return Transform(rng.normal(size=3), Rotation.random(rng=rng), scale)


def homogeneous(t: Transform) -> FloatArray:
    """Multiply the three matrices out, as the definition says."""
    move, turn, size = np.eye(4), np.eye(4), np.eye(4)
    move[:3, 3] = t.position
    turn[:3, :3] = t.axes
    size[:3, :3] = np.diag(t.scale)
    return move @ turn @ size


# -- what a transform is --

SCALES = [1.0, 2.5, [1.0, 2.0, 3.0], [-1.0, 1.0, 1.0], [-2.0, 0.5, -1.0], [1.0, 0.0, 2.0], 0.0]


@pytest.mark.parametrize("scale", SCALES, ids=repr)
def test_matrix_and_apply_follow_the_definition(scale: Any) -> None:
    rng = np.random.default_rng(0)
    t = random_transform(rng, scale)
    points = rng.normal(size=(20, 3))
    wanted = (np.c_[points, np.ones(20)] @ homogeneous(t).T)[:, :3]
    assert np.allclose(t.matrix, homogeneous(t), rtol=0.0, atol=8 * EPS)
    assert np.allclose(t.apply(points), wanted, rtol=0.0, atol=64 * EPS)


def test_the_default_changes_nothing() -> None:
    points = np.random.default_rng(1).normal(size=(5, 3))
    assert np.array_equal(Transform().apply(points), points)
    assert np.array_equal(Transform().matrix, np.eye(4))
    assert Transform().batch_shape == ()


def test_rotations_come_in_three_forms() -> None:
    rotation = Rotation.from_euler("xyz", [10, 20, 30], degrees=True)
    forms = [
        rotation,
        rotation.as_quat(),
        -3.0 * rotation.as_quat(),
        rotation.as_matrix(),
        rotation.as_matrix().tolist(),
    ]
    for form in forms:
        assert np.allclose(Transform(rotation=form).axes, rotation.as_matrix(), rtol=0.0, atol=4 * EPS)
    matrix = rotation.as_matrix()
    assert Transform(rotation=matrix).axes.tobytes() == matrix.tobytes()  # what is given as a matrix is kept
    assert np.allclose(Transform(rotation=rotation).rotation.as_matrix(), matrix, rtol=0.0, atol=4 * EPS)


@pytest.mark.parametrize("size", [5e-324, 1e-200, 1e200, 1e308])
def test_quaternions_of_any_length_turn(size: float) -> None:
    turned = Transform(rotation=[0.0, 0.0, size, size]).apply([1.0, 0.0, 0.0])
    assert np.allclose(turned, [0.0, 1.0, 0.0], rtol=0.0, atol=4 * EPS)


def test_batch_axes_broadcast() -> None:
    t = Transform(np.zeros((4, 1, 3)), Rotation.random(5, rng=np.random.default_rng(2)), 2.0)
    assert t.batch_shape == (4, 5)
    assert t.matrix.shape == (4, 5, 4, 4)
    assert t.inverse_matrix().shape == (4, 5, 4, 4)
    assert t.apply(np.ones(3)).shape == (4, 5, 3)
    assert "Transform(" in repr(t)
    quaternions = np.ones((2, 3, 4))
    assert Transform(rotation=quaternions).axes.shape == (2, 3, 3, 3)
    assert "Transform(" in repr(Transform(rotation=quaternions))
    assert Transform(scale=np.ones((6, 3))).batch_shape == (6,)
    assert Transform(scale=np.ones(4)).batch_shape == (4,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"position": [1, 2]}, r"^Transform\.position must be an array of shape \(\.\.\., 3\), got shape \(2,\)"),
        ({"position": [0, np.nan, 0]}, r"^Transform\.position must be finite"),
        ({"position": "here"}, r"^Transform\.position must be made of real numbers, got 'here'"),
        (
            {"rotation": [0, 0, 1]},
            r"^Transform\.rotation must be quaternions \(\.\.\., 4\) or matrices \(\.\.\., 3, 3\)",
        ),
        ({"rotation": [0, 0, 0, 0]}, r"^Transform\.rotation must be finite and not the zero quaternion, got \[0\.0"),
        ({"rotation": [[0, 0, 0, 1], [np.inf, 0, 0, 1]]}, r"got \[inf, 0\.0, 0\.0, 1\.0\] at element \[1\]$"),
        ({"rotation": 2 * np.eye(3)}, r"^Transform\.rotation must be a rotation matrix: .*, got \[\[2\.0"),
        ({"rotation": np.diag([1, 1, -1])}, r"right-handed \(determinant \+1\), got"),
        ({"scale": np.inf}, r"^Transform\.scale must be finite"),
        ({"scale": "big"}, r"^Transform\.scale must be made of real numbers"),
        (
            {"position": np.zeros((2, 3)), "scale": np.ones(4)},
            r"^Transform: batch axes do not broadcast together: position \(2,\), rotation \(\), scale \(4,\)$",
        ),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Transform(**arguments)


def test_transforms_are_values() -> None:
    t = random_transform(np.random.default_rng(3), [1, 2, 3])
    given = np.array([1.0, 2.0, 3.0])
    mine = Transform(given)
    assert given.flags.writeable
    assert not np.shares_memory(mine.position, given)
    for twin in (copy.deepcopy(t), pickle.loads(pickle.dumps(t))):
        assert twin == t
        assert hash(twin) == hash(t)
        assert not twin.axes.flags.writeable
    assert t != Transform()
    assert t != 1
    assert hash(Transform([0.0, 0, 0])) == hash(Transform([-0.0, 0, 0]))
    with pytest.raises(dataclasses.FrozenInstanceError):
        t.position = given  # type: ignore[misc]
    for kept in (t.position, t.axes, t.scale, t.matrix):
        with pytest.raises(ValueError, match="read-only"):
            kept[..., 0] = 1.0


# -- composition and inverse --


def test_composition_applies_the_right_one_first() -> None:
    rng = np.random.default_rng(4)
    points = rng.normal(size=(10, 3))
    for scale in (1.0, 3.0, -2.0):
        a, b = random_transform(rng, scale), random_transform(rng, [1.0, 2.0, -0.5])
        assert np.allclose((a @ b).apply(points), a.apply(b.apply(points)), rtol=0.0, atol=256 * EPS)


def test_a_non_uniform_scale_composes_where_nothing_shears() -> None:
    rng = np.random.default_rng(5)
    points = rng.normal(size=(10, 3))
    a = random_transform(rng, [1.0, 2.0, 3.0])
    b = Transform([1, 2, 3], [0, 0, np.sqrt(0.5), np.sqrt(0.5)], [2.0, 1.0, -1.0])
    assert np.allclose((a @ b).apply(points), a.apply(b.apply(points)), rtol=0.0, atol=256 * EPS)
    with pytest.raises(ValueError, match="the product shears"):
        a @ random_transform(rng)


@pytest.mark.parametrize("scale", [1.0, 1e-3, [1.0, 2.0, 3.0], [-1.0, 1.0, 1.0]], ids=repr)
def test_the_inverse_undoes(scale: Any) -> None:
    t = random_transform(np.random.default_rng(6), scale)
    room = 64 * EPS * np.abs(t.inverse_matrix()).max()
    assert np.allclose(t.inverse_matrix() @ t.matrix, np.eye(4), rtol=0.0, atol=room)
    assert np.allclose(t.matrix @ t.inverse_matrix(), np.eye(4), rtol=0.0, atol=room)


def test_zero_scale_has_no_inverse() -> None:
    with pytest.raises(ValueError, match=r"zero scale has no inverse, got scale \[1\.0, 0\.0, 1\.0\]"):
        Transform(scale=[1, 0, 1]).inverse_matrix()


def test_the_inverse_of_all_but_no_scale_is_refused_without_a_warning() -> None:
    with pytest.raises(ValueError, match="must be finite"):
        Transform(scale=1e-320).inverse()


# -- from a matrix --


@pytest.mark.parametrize("size", [1e-200, 1e-3, 1.0, 1e3, 1e150])
@pytest.mark.parametrize("mirror", [1.0, -1.0])
def test_matrices_come_apart_and_together(size: float, mirror: float) -> None:
    rng = np.random.default_rng(7)
    for _ in range(20):
        t = Transform(
            rng.normal(size=3), Rotation.random(rng=rng), size * rng.uniform(0.5, 2.0, size=3) * [1, mirror, 1]
        )
        again = Transform.from_matrix(t.matrix)
        assert np.allclose(again.matrix, t.matrix, rtol=0.0, atol=16 * EPS * np.abs(t.matrix).max())
        assert np.allclose(np.sort(np.abs(again.scale)), np.sort(np.abs(t.scale)), rtol=8 * EPS, atol=0.0)
        assert np.prod(np.sign(again.scale)) == np.sign(mirror)


def test_a_batch_of_matrices() -> None:
    t = Transform(np.zeros((4, 1, 3)), Rotation.random(5, rng=np.random.default_rng(8)), [1, 2, 3])
    assert np.allclose(Transform.from_matrix(t.matrix).matrix, t.matrix, rtol=0.0, atol=32 * EPS)


def _changed(row: int, column: int, value: float) -> FloatArray:
    matrix = np.eye(4)
    matrix[row, column] = value
    return matrix


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.eye(3), r"matrix must be \(\.\.\., 4, 4\) or \(\.\.\., 3, 4\), got shape \(3, 3\)$"),
        (_changed(0, 0, np.nan), r"the matrix must be finite, got \[\[nan"),
        (np.array([np.eye(4), _changed(2, 2, np.inf)]), r"the matrix must be finite, got .* at element \[1\]$"),
        (_changed(3, 0, 1e-3), r"the last row must be 0, 0, 0, 1, got \[0\.001, 0\.0, 0\.0, 1\.0\]$"),
        (_changed(3, 3, 2.0), "the last row must be 0, 0, 0, 1"),
        (np.array([np.eye(4), _changed(0, 1, 0.5)]), r"the matrix shears: .*, got .* at element \[1\]$"),
        (_changed(0, 1, 0.5), "the matrix shears: its columns are not at right angles"),
        (_changed(1, 1, 0.0), "the matrix flattens an axis"),
        ("matrix", "must be made of real numbers"),
    ],
)
def test_matrices_that_are_no_transform_are_refused(matrix: Any, message: str) -> None:
    with pytest.raises(ValueError, match=rf"^Transform\.from_matrix: .*{message}"):
        Transform.from_matrix(matrix)


# -- shapes under a transform --


def follows_any_scale(kind: Kind) -> bool:
    return kind in (Point, Segment, AABB)


def assert_is_image(image: Shape, shape: Shape, t: Transform, directions: FloatArray) -> None:
    """Compare support functions: that of the image along d is that of the shape along the transposed matrix times d."""
    linear = homogeneous(t)[:3, :3]
    wanted = directions @ t.position + support(shape, directions @ linear)
    size = np.abs(wanted).max() + np.abs(t.position).max()
    assert np.allclose(support(image, directions), wanted, rtol=0.0, atol=32 * EPS * size)


@pytest.mark.parametrize(
    "scale", [1.0, 0.0, 2.5, -2.0, [-1.0, 1.0, 1.0], [1.5, -1.5, -1.5], [1.0, 2.0, -3.0], [0.0, 1.0, 2.0]], ids=repr
)
@pytest.mark.parametrize("kind", BOUNDED, ids=lambda kind: kind.__name__)
def test_images_are_exact_or_refused(kind: Kind, scale: Any) -> None:
    rng = np.random.default_rng(9)
    directions = np.concatenate([np.eye(3), -np.eye(3), rng.normal(size=(60, 3))])
    sizes = np.abs(np.broadcast_to(scale, 3))
    for shape in batch(kind, 10):
        t = random_transform(rng, scale)
        if not (follows_any_scale(kind) or np.all(sizes == sizes[0])):
            with pytest.raises(ValueError, match=f"{kind.__name__} cannot follow a scale that differs between axes"):
                shape.transformed(t)
            continue
        image = shape.transformed(t)
        assert type(image) is kind
        # An AABB stays upright: its image is the tight box around the turned one.
        assert_is_image(image, shape, t, directions[:6] if kind is AABB else directions)


def test_the_image_of_an_aabb_holds_every_turned_point() -> None:
    rng = np.random.default_rng(10)
    for shape in batch(AABB, 20):
        t = random_transform(rng, [1.0, -2.0, 0.5])
        image = shape.transformed(t)
        points = t.apply(points_in(shape, rng, 50))
        room = 16 * EPS * np.abs(points).max()
        assert np.all(points >= image.lower - room)
        assert np.all(points <= image.upper + room)


@pytest.mark.parametrize("scale", [[1.0, 2.0, 3.0], [-1.0, 2.0, 3.0], [0.0, 1.0, 1.0], [-1.0, -2.0, -3.0]], ids=repr)
def test_a_box_along_the_axes_follows_any_scale(scale: Any) -> None:
    rng = np.random.default_rng(11)
    directions = rng.normal(size=(60, 3))
    upright = OrientedBox([1, 2, 3], np.eye(3), [0.5, 1.0, 2.0])
    quarter = OrientedBox([1, 2, 3], [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [0.5, 1.0, 2.0])
    for shape in (upright, quarter):
        t = random_transform(rng, scale)
        assert_is_image(shape.transformed(t), shape, t, directions)


@pytest.mark.parametrize("scale", [1.0, 1e-200, 3.0, -2.0, [1.0, 2.0, -3.0]], ids=repr)
@pytest.mark.parametrize("kind", [Ray, Line])
def test_directions_follow_the_matrix(kind: Kind, scale: Any) -> None:
    t = random_transform(np.random.default_rng(12), scale)
    shape = one(kind)
    name = "origin" if kind is Ray else "point"
    image = shape.transformed(t)
    assert np.allclose(getattr(image, name), t.apply(getattr(shape, name)), rtol=0.0, atol=8 * EPS)
    along = (homogeneous(t)[:3, :3] / np.abs(t.scale).max()) @ shape.direction
    assert np.allclose(image.direction, along / np.linalg.norm(along), rtol=0.0, atol=16 * EPS)


@pytest.mark.parametrize("kind", [Ray, Line])
def test_a_direction_must_be_left(kind: Kind) -> None:
    with pytest.raises(ValueError, match=rf"^a {kind.__name__} along an axis of zero scale has no direction left"):
        kind([0, 0, 0], [0, 0, 1]).transformed(Transform(scale=[1, 1, 0]))


@by_kind
def test_nothing_changes_under_the_default(kind: Kind) -> None:
    shape = batch(kind, 30)
    image = shape.transformed(Transform())
    assert image == shape


def test_one_factor_multiplies_a_turned_box_exactly() -> None:
    rng = np.random.default_rng(14)
    box = OrientedBox([0, 0, 0], Rotation.random(200, rng=rng).as_matrix(), rng.uniform(size=(200, 3)))
    for factor in (1.0, -1.0, 3.0):
        assert np.array_equal(box.transformed(Transform(scale=factor)).half_extents, abs(factor) * box.half_extents)


@by_kind
def test_a_translation_is_a_translation(kind: Kind) -> None:
    shape = batch(kind, 30)
    assert shape.transformed(Transform([1.0, -2.0, 0.5])) == shape.translated([1.0, -2.0, 0.5])


@by_kind
def test_transforms_and_shapes_broadcast(kind: Kind) -> None:
    shape = batch(kind, 5)
    t = Transform(np.random.default_rng(13).normal(size=(4, 1, 3)), [0, 0, 0.6, 0.8], 2.0)
    image = shape.transformed(t)
    assert image.batch_shape == (4, 5)
    for i, j in np.ndindex(4, 5):
        assert image[i, j] == shape[j].transformed(Transform(t.position[i, 0], t.axes, 2.0))  # to the last bit
    with pytest.raises(ValueError, match=rf"^{kind.__name__}\.transformed: batch axes do not broadcast"):
        shape.transformed(Transform(np.zeros((4, 3))))


@by_kind
def test_an_empty_batch_of_transforms(kind: Kind) -> None:
    assert one(kind).transformed(Transform(np.zeros((0, 3)))).batch_shape == (0,)


def test_a_refused_scale_says_what_to_do() -> None:
    t = Transform(scale=[1, 2, 1])
    with pytest.raises(ValueError, match="it would become an ellipsoid"):
        Sphere([0, 0, 0], 1).transformed(t)
    with pytest.raises(ValueError, match="given by axis and height, as a CapsuleCollider, it would"):
        Capsule([0, 0, 0], [1, 0, 0], 1).transformed(t)
    with pytest.raises(ValueError, match="unless its own axes lie along them: it would shear"):
        one(OrientedBox).transformed(t)


def test_a_mirrored_segment_keeps_its_ends() -> None:
    image = Segment([1, 0, 0], [2, 0, 0]).transformed(Transform(scale=[-1, 1, 1]))
    assert image == Segment([-1, 0, 0], [-2, 0, 0])


def test_the_first_scale_that_a_kind_cannot_follow_is_named() -> None:
    t = Transform(scale=[[1, 1, 1], [2, 2, 2], [1, 2, 3], [3, 2, 1]])
    for kind in (Sphere, Capsule, OrientedBox):
        with pytest.raises(ValueError, match=r"got \[1\.0, 2\.0, 3\.0\] at element \[2\]"):
            one(kind).transformed(t)
    with pytest.raises(ValueError, match=r"got \[1\.0, 0\.0, 1\.0\] at element \[1\]$"):
        Ray([0, 0, 0], [[0, 1, 0], [0, 1, 0]]).transformed(Transform(scale=[[1, 1, 1], [1, 0, 1]]))
    with pytest.raises(ValueError, match=r"got scale \[1\.0, 0\.0, 1\.0\] at element \[1\]$"):
        Transform(scale=[[1, 1, 1], [1, 0, 1]]).inverse_matrix()


@by_kind
def test_what_becomes_infinite_is_refused_by_name(kind: Kind) -> None:
    far = one(kind).translated([1e10, 1e10, 1e10])
    with pytest.raises(ValueError, match=rf"^{kind.__name__}\.\w+ must be finite, got \["):
        far.transformed(Transform(scale=1e300))


@by_kind
@pytest.mark.parametrize("wrong", [None, np.eye(4), one(Sphere)], ids=["None", "matrix", "shape"])
def test_shapes_are_transformed_by_transforms_alone(kind: Kind, wrong: Any) -> None:
    with pytest.raises(
        TypeError, match=rf"^{kind.__name__}\.transformed takes a Transform, got {type(wrong).__name__}$"
    ):
        one(kind).transformed(wrong)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda t: t.apply(np.zeros((3, 3))), r"^Transform\.apply: .* together: transform \(2,\), points \(3,\)$"),
        (lambda t: t.turn(np.zeros((3, 3))), r"^Transform\.turn: .* together: transform \(2,\), vectors \(3,\)$"),
        (lambda t: t.turn([1, 2]), r"^Transform\.turn\.vectors must be an array of shape \(\.\.\., 3\), got shape"),
        (lambda t: t.apply([0, np.nan, 0]), r"^Transform\.apply\.points must be finite, got \[0\.0, nan, 0\.0\]$"),
        (lambda t: t @ Transform(np.zeros((3, 3))), r"^Transform @ Transform: batch axes .*: a \(2,\), b \(3,\)$"),
    ],
)
def test_wrong_points_are_named(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make(Transform(np.zeros((2, 3))))


@pytest.mark.parametrize("wrong", [None, [1, 2, 3], np.eye(4)], ids=["None", "list", "matrix"])
def test_only_transforms_are_composed(wrong: Any) -> None:
    with pytest.raises(TypeError, match=f"^a Transform is composed with another, got {type(wrong).__name__}; "):
        Transform() @ wrong
