"""Rotations in all the forms in which they come, and matrices that are a little off."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import Motion, OrientedBox, Scene, Sphere, Transform
from collision.base.fields import FloatArray
from collision.scenefile import SceneFileError, dump_scene, parse_scene
from collision.shapes.rotations import ALLOWED

EPS = float(np.finfo(np.float64).eps)
FILE = '[shapes.it]\nkind = "box"\ncenter = [0, 0, 0]\nsize = [1, 1, 1]\nrotation = { matrix = %s }'


def off(matrices: FloatArray) -> float:
    """Return how far the products of the columns are from 1 and 0."""
    return float(np.abs(np.swapaxes(matrices, -1, -2) @ matrices - np.eye(3)).max())


def random(count: int, seed: int) -> FloatArray:
    return np.asarray(Rotation.random(count, random_state=seed).as_matrix())


def stored(matrices: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return what a box, a transform and the transform of a whole matrix make of rotations."""
    matrices = np.asarray(matrices)
    whole = np.zeros((*matrices.shape[:-2], 4, 4), dtype=matrices.dtype)
    whole[..., :3, :3], whole[..., 3, 3] = matrices, 1.0
    box = OrientedBox([0, 0, 0], matrices, [1, 1, 1])
    return box.axes, Transform(rotation=matrices).axes, Transform.from_matrix(whole).axes


def test_rotations_that_are_exact_to_rounding_keep_their_bits() -> None:
    exact = [np.eye(3), [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]]]
    angles = np.random.default_rng(1).uniform(-180, 180, (5000, 3))
    for matrices in (*exact, random(5000, 2), Rotation.from_euler("xyz", angles, degrees=True).as_matrix()):
        box, transform, _ = stored(np.asarray(matrices, dtype=np.float64))
        assert np.array_equal(box, matrices)
        assert np.array_equal(transform, matrices)


@pytest.mark.parametrize("noise", ["float32", "6 digits", "1e-12", "1e-6", "long", "many products"])
def test_of_a_matrix_that_is_a_little_off_the_nearest_rotation_is_taken(noise: str) -> None:
    exact, rng = random(3000, 3), np.random.default_rng(4)
    given = {
        "float32": exact.astype(np.float32),
        "6 digits": exact.round(6),
        "1e-12": exact + rng.uniform(-1e-12, 1e-12, exact.shape),
        "1e-6": exact + rng.uniform(-1e-6, 1e-6, exact.shape),
        "long": exact * (1.0 + 0.4 * ALLOWED),
        "many products": np.linalg.matrix_power(exact, 500),
    }[noise]
    assert 16 * EPS < off(given.astype(np.float64)) < ALLOWED
    for way, axes in enumerate(stored(given)):
        assert off(axes) <= (20 if noise == "many products" else 4) * EPS  # some of those are exact enough as they are
        assert np.array_equal(OrientedBox([0, 0, 0], axes, [1, 1, 1]).axes, axes)  # once is enough
        # A matrix is the nearest rotation times a symmetric one: nothing else is left in it to turn.
        rest = np.swapaxes(axes, -1, -2) @ given.astype(np.float64)
        if way < 2:  # of a whole matrix, lengths are a scale, and angles are all that is put right
            assert np.abs(rest - np.swapaxes(rest, -1, -2)).max() <= 8 * EPS


def test_one_matrix_gives_the_bits_of_its_batch() -> None:
    given = random(50, 5).round(6)
    batch = OrientedBox([0, 0, 0], given, [1, 1, 1]).axes
    assert all(np.array_equal(OrientedBox([0, 0, 0], m, [1, 1, 1]).axes, b) for m, b in zip(given, batch, strict=True))
    assert np.array_equal(given, random(50, 5).round(6))  # what was given stays as it is


def test_the_error_says_what_was_measured_and_what_is_allowed() -> None:
    sheared = np.stack([np.eye(3), [[1, 2e-5, 0], [0, 1, 0], [0, 0, 1]]])
    with pytest.raises(ValueError, match=r"got \[\[1\.0, 2e-05.* at element \[1\], whose .* off by 2e-05, where 1e-05"):
        OrientedBox([0, 0, 0], sheared, [1, 1, 1])
    with pytest.raises(ValueError, match=r"^Transform\.rotation must be .*, whose columns .* off by 3, where 1e-05 is"):
        Transform(rotation=2 * np.eye(3))
    with pytest.raises(ValueError, match=r", which mirrors: its determinant is -1$"):
        OrientedBox([0, 0, 0], -np.eye(3), [1, 1, 1])
    with pytest.raises(ValueError, match=r"axes must be finite, got \[\[nan, 0\.0, 0\.0\], .*\]$"):
        OrientedBox([0, 0, 0], np.diag([np.nan, 1, 1]), [1, 1, 1])


def test_scene_files_take_six_digits_and_say_the_same() -> None:
    given = random(1, 6)[0].round(6)
    box = parse_scene(FILE % given.tolist())["it"]
    assert isinstance(box, OrientedBox)
    assert off(box.axes) <= 4 * EPS
    assert np.allclose(box.axes, given, rtol=0.0, atol=1e-6)
    with pytest.raises(SceneFileError, match=r"matrix: expected a rotation .* off by 0\.21, where 1e-05 is allowed$"):
        parse_scene(FILE % np.diag([1.0, 1.0, 1.1]).tolist())


def test_boxes_take_all_forms_of_rotations() -> None:
    rotation = Rotation.from_euler("xyz", [[10, 20, 30], [40, 50, 60]], degrees=True)
    for form in (rotation, rotation.as_quat(), (-3.0 * rotation.as_quat()).tolist(), rotation.as_matrix()):
        box = OrientedBox([0, 0, 0], form, [1, 2, 3])
        assert box.batch_shape == (2,)
        assert np.allclose(box.axes, rotation.as_matrix(), rtol=0.0, atol=4 * EPS)
    assert OrientedBox([0, 0, 0], rotation[0], [1, 2, 3]).batch_shape == ()
    with pytest.raises(ValueError, match=r"^OrientedBox\.axes must be finite and not the zero quaternion, got \[0\.0"):
        OrientedBox([0, 0, 0], [0, 0, 0, 0], [1, 1, 1])


# -- poses are no quaternions ----------------------------------------------------------------------------------------

SLANTED = Rotation.from_euler("xyz", [10, 20, 30], degrees=True).as_matrix()


def pose(turn: Any = SLANTED, place: Any = (1.0, 2.0, 3.0)) -> FloatArray:
    whole = np.eye(4)
    whole[:3, :3], whole[:3, 3] = turn, place
    return whole


POSES: dict[str, Any] = {
    "the identity": np.eye(4),
    "the identity, 3 x 4": np.eye(4)[:3],
    "4 x 4": pose(),
    "3 x 4": pose()[:3],
    "for row vectors": pose().T,
    "without a translation": pose(place=0.0),
    "scaled": pose(2.0 * SLANTED),
    "scaled by axis, 3 x 4": pose(SLANTED * [1.0, 2.0, -3.0])[:3],
    "in single precision": pose().astype(np.float32),
    "with three digits": pose().round(3),
    "lists": pose().tolist(),
    "many": np.stack([pose(), np.eye(4)]),
    "whole numbers": np.eye(4, dtype=int),
}


@pytest.mark.parametrize("form", POSES)
def test_a_pose_is_not_taken_for_quaternions(form: str) -> None:
    given, count = POSES[form], len(POSES[form])
    for make in (
        lambda: OrientedBox([1, 2, 3], given, [1, 1, 1]),
        lambda: Transform(rotation=given),
        lambda: Motion("it", np.arange(count), rotations=given),
    ):
        with pytest.raises(ValueError, match=r"^\w+\.\w+ must be .*, which looks like .*pose.*Transform\.from_matrix"):
            make()


def test_three_or_four_quaternions_are_taken_for_what_they_are() -> None:
    rng = np.random.default_rng(8)
    for count, scale in ((3, 1.0), (4, 1.0), (3, 5.0), (4, 5.0)):
        for _ in range(200):
            given = scale * rng.normal(size=(count, 4))
            given[-1] = [0.0, 0.0, 0.0, 1.0] if scale == 1.0 else given[-1]
            unit = given / np.linalg.norm(given, axis=-1, keepdims=True)
            exact = Rotation.from_quat(given).as_matrix()
            for quaternions in (given, unit):
                box = OrientedBox([0, 0, 0], quaternions, [1, 1, 1])
                assert np.allclose(box.axes, exact, rtol=0.0, atol=4 * EPS)
                assert np.array_equal(Transform(rotation=quaternions).axes, box.axes)
    still = np.tile([0.0, 0.0, 0.0, 1.0], (4, 1))
    assert np.array_equal(Transform(rotation=still).axes, np.tile(np.eye(3), (4, 1, 1)))
    spread = [[np.sin(a), 0, 0, np.cos(a)] for a in (0.1, 0.2, 0.3)]  # about one axis
    assert Transform(rotation=spread).batch_shape == (3,)
    leaning = np.eye(4)[:3] * 0.6 + [0.0, 0.0, 0.0, 0.8]  # about three axes, of unit length: no pose of scale 1 is
    assert Transform(rotation=leaning).batch_shape == (3,)


def test_quaternions_that_may_be_a_pose_are_given_by_scipy() -> None:
    half_turns = Rotation.from_quat(np.eye(4))
    exact = [np.diag(signs) for signs in ([1, -1, -1], [-1, 1, -1], [-1, -1, 1], [1, 1, 1])]
    assert np.array_equal(OrientedBox([0, 0, 0], half_turns, [1, 1, 1]).axes, exact)
    assert np.array_equal(Transform(rotation=half_turns).axes, exact)
    motion = Motion("it", [0, 1, 2, 3], rotations=half_turns)
    assert np.array_equal(motion.rotations, np.eye(4))
    assert motion.of("it") == pickle.loads(pickle.dumps(motion)) == motion
    assert np.allclose(motion.displacement([0, 1, 2, 3], [0, 0, 0]).axes, exact, rtol=0.0, atol=EPS)
    scene = Scene({"it": Sphere([0, 0, 0], 1)}, motion=[motion])
    assert parse_scene(dump_scene(scene)).motion == (motion,)


def test_a_pose_without_its_last_row_is_a_transform_too() -> None:
    given = np.stack([pose(), pose(3.0 * SLANTED)])
    assert Transform.from_matrix(given[:, :3]) == Transform.from_matrix(given)
    with pytest.raises(ValueError, match=r"must be \(\.\.\., 4, 4\) or \(\.\.\., 3, 4\), got shape \(3, 3\)"):
        Transform.from_matrix(np.eye(3))


# -- transforms ------------------------------------------------------------------------------------------------------


def transform(*axes: int, seed: int = 0, scale: Any = 2.0) -> Transform:
    rng = np.random.default_rng(seed)
    return Transform(rng.normal(size=(*axes, 3)), rng.normal(size=(*axes, 4)), scale)


@pytest.mark.parametrize(
    "there",
    [
        transform(seed=1),
        transform(5, seed=2, scale=np.linspace(-2, 3, 5)[:, None].repeat(3, axis=1)),
        Transform([1, 2, 3], scale=[1, -2, 4]),
        Transform([1, 2, 3], [0, 0, 1, 1], [1, 2, 4]),
        transform(seed=3, scale=[3, 3, -3]),
    ],
    ids=["one", "batch", "stretched", "stretched and turned by a quarter", "mirrored"],
)
def test_the_inverse_leads_back(there: Transform) -> None:
    points = np.random.default_rng(7).normal(size=(4, *([1] * len(there.batch_shape)), 3))
    back = there.inverse()
    assert np.allclose(back.apply(there.apply(points)), points, rtol=0.0, atol=1e-14)
    assert np.allclose((there @ back).matrix, np.eye(4), rtol=0.0, atol=1e-14)
    assert np.allclose(back.matrix, there.inverse_matrix(), rtol=0.0, atol=1e-15)


def test_no_transform_is_the_inverse_of_what_shears() -> None:
    stretched = Transform([1, 2, 3], [0, 0, 1, 2], [1, 2, 4])
    with pytest.raises(ValueError, match=r"^Transform\.inverse: the scale differs .*inverse_matrix\(\) does"):
        stretched.inverse()
    with pytest.raises(ValueError, match="zero scale has no inverse"):
        Transform(scale=[1, 0, 1]).inverse()
    with pytest.raises(ValueError, match=r"^Transform @ Transform: the product shears, .* a\.matrix @ b\.matrix can"):
        Transform(scale=[1, 2, 4]) @ Transform(rotation=[0, 0, 1, 2])


def test_a_product_that_shears_a_little_is_refused_nevertheless() -> None:
    """What a user writes with six digits may be off; what is computed here is not."""
    with pytest.raises(ValueError, match="the product shears"):
        Transform(scale=[1, 1 + 1e-6, 1]) @ Transform(rotation=[0, 0, 1, 2])


def test_transforms_have_a_length_and_elements() -> None:
    batch = transform(4, 2, seed=4)
    assert len(batch) == 4
    assert batch[1].batch_shape == (2,)
    assert batch[1, 0] == batch[..., 0][1]
    assert [t.batch_shape for t in batch] == [(2,)] * 4
    assert np.array_equal(batch[1:, 1].matrix, batch.matrix[1:, 1])
    spread = Transform(np.arange(6.0).reshape(2, 3))
    assert spread[1] == Transform([3, 4, 5])
    assert Transform(np.zeros((0, 3))) and len(Transform(np.zeros((0, 3)))) == 0  # noqa: PT018 (a value, though empty)
    with pytest.raises(TypeError, match="a single Transform has no length"):
        len(Transform())
    with pytest.raises(IndexError, match=r"^Transform with batch axes \(2,\) has no element 2$"):
        spread[2]


def test_exactness_is_judged_exactly() -> None:
    """The helper above rounds too; what it says of one mended matrix is what exact arithmetic says."""
    axes = OrientedBox([0, 0, 0], random(1, 8)[0].round(6), [1, 1, 1]).axes
    exact = [[Fraction(float(v)) for v in row] for row in axes]
    products = [[sum(exact[k][i] * exact[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    assert max(abs(products[i][j] - (i == j)) for i in range(3) for j in range(3)) <= 3 * EPS
