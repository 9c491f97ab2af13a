"""The kind of convex hulls: moves that keep what was found, flat and repeated points, rounded hulls, files, batches."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import (
    Capsule,
    ConvexHull,
    Line,
    Point,
    Ray,
    Scene,
    Sphere,
    Transform,
    closest_points,
    crossings,
    raycast,
    signed_distance,
    sweep,
)
from collision.base.fields import FloatArray
from collision.files.updating import updated_text
from collision.scenefile import dump_scene, parse_scene
from collision.shapes import kinds

CUBE = 2.0 * np.array(list(np.ndindex(2, 2, 2)), dtype=float) - 1.0


def some(seed: int, count: int = 20) -> FloatArray:
    return np.random.default_rng(seed).normal(size=(count, 3))


def test_a_hull_that_is_moved_keeps_its_faces(monkeypatch: pytest.MonkeyPatch) -> None:
    hull, moved = ConvexHull(some(1)), Transform([1, 2, 3], Rotation.from_rotvec([0.1, 0.2, 0.3]))
    with monkeypatch.context() as patched:
        patched.delattr(kinds, "hull_parts")
        there = hull.transformed(moved).translated([0, 0, 1])
        copy = pickle.loads(pickle.dumps(there))
    assert there == copy == ConvexHull(there.points)
    assert there.polytope.faces == hull.polytope.faces
    assert there.polytope.normals == pytest.approx(hull.polytope.normals @ moved.axes.T)
    ball = Sphere([4, 4, 4], 0.5)
    assert signed_distance(there, ball) == pytest.approx(signed_distance(ConvexHull(there.points), ball), abs=1e-15)


def test_a_hull_knows_its_faces_from_outside() -> None:
    faces = ConvexHull([*CUBE, [0, 0, 0]]).polytope
    assert sorted(map(len, faces.faces)) == [4] * 6
    for loop, normal in zip(faces.faces, faces.normals, strict=True):
        a, b, c = CUBE[faces.corners[loop[:3]]]
        assert np.cross(b - a, c - b) / 4.0 == pytest.approx(normal)
    square = ConvexHull(CUBE[CUBE[:, 2] > 0.0]).polytope
    assert (square.dimension, len(square.faces), len(square.edges)) == (2, 2, 4)
    assert ConvexHull([[0, 0, 0], [1, 1, 1], [3, 3, 3]]).polytope.corners.tolist() == [0, 2]
    assert ConvexHull([[1, 2, 3]] * 4).polytope.dimension == 0
    with pytest.raises(ValueError, match="a batch of 2 hulls has no polytope"):
        _ = ConvexHull([CUBE, CUBE]).polytope


def test_scaled_hulls_have_new_points() -> None:
    flat = ConvexHull(CUBE).transformed(Transform(scale=[2, -1, 0]))
    assert flat.bounds().upper.tolist() == [2, 1, 0]
    assert flat.polytope.dimension == 2
    assert ConvexHull(CUBE, 0.5).transformed(Transform(scale=2)).radius == 1.0
    with pytest.raises(ValueError, match="cannot follow a scale that differs between axes"):
        ConvexHull(CUBE, 0.5).transformed(Transform(scale=[1, 2, 1]))


@pytest.mark.parametrize("seed", range(40))
def test_a_hull_of_two_points_is_a_capsule(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ends, radius, origin = rng.normal(size=(2, 3)), rng.uniform(0.1, 1.0), 3.0 * rng.normal(size=3)
    ways = rng.normal(size=(8, 3)) - origin
    rod, hull = Capsule(*ends, radius), ConvexHull(ends, radius)
    for wanted, found in zip(raycast(Ray(origin, ways), rod), raycast(Ray(origin, ways), hull), strict=True):
        assert found == pytest.approx(wanted, abs=1e-12, nan_ok=True)
    assert crossings(Line(origin, ways), hull).count.tolist() == crossings(Line(origin, ways), rod).count.tolist()
    near, far = closest_points(Point(origin), hull), closest_points(Point(origin), rod)
    assert near.on_b == pytest.approx(far.on_b, abs=1e-12)


def test_a_scene_takes_hulls_of_any_number_of_points() -> None:
    shapes = {f"h{k}": ConvexHull(some(k, k) + 8.0 * k, 0.1) for k in range(1, 6)}
    scene = Scene(
        {**shapes, "crowd": ConvexHull(some(9, 12).reshape(3, 4, 3)), "none": ConvexHull(np.empty((0, 5, 3)))}
    )
    apart = [signed_distance(scene["h2"], scene[name]) for name in ("h3", "h4", "h5")]
    moved = scene.with_shape("h3", ConvexHull(some(1, 30)))
    assert len(moved.groups) == 1
    assert parse_scene(dump_scene(moved)).shapes == moved.shapes
    assert [signed_distance(moved["h2"], moved[name]) for name in ("h4", "h5")] == apart[1:]


FILE = """[shapes.wedge]
kind = "hull"  # mine
points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
transform = { position = [1, 2, 3] }
"""


def test_a_file_keeps_its_form_where_a_hull_is_moved() -> None:
    scene = parse_scene(FILE)
    moved = scene.with_shape("wedge", scene["wedge"].translated([0.5, 0, 0]))
    assert updated_text(FILE, moved) == FILE.replace("[1, 2, 3]", "[1.5, 2, 3]")
    turned = scene.with_shape("wedge", scene["wedge"].transformed(Transform(rotation=[0, 0, 1, 1])))
    assert parse_scene(updated_text(FILE, turned))["wedge"] == turned["wedge"]


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([], r"must be an array of shape \(..., n, 3\), n of one or more, got shape \(0,\)"),
        ([[0, 0]], r"must be an array of shape \(..., n, 3\), n of one or more, got shape \(1, 2\)"),
        (np.empty((0, 3)), r".* n of one or more, got shape \(0, 3\)"),
        ([[0, 0, np.nan]], "must be finite"),
    ],
)
def test_what_is_no_list_of_points_is_refused(points: object, words: str) -> None:
    with pytest.raises(ValueError, match=f"ConvexHull.points {words}"):
        ConvexHull(points)  # type: ignore[arg-type]


def test_sweeps_meet_rounded_hulls_when_they_meet_capsules() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        ends, radius, start = rng.normal(size=(2, 3)), rng.uniform(0.1, 0.6), 4.0 * rng.normal(size=3)
        ball, motion = Sphere(start, 0.3), rng.normal(size=3) - 1.6 * start
        wanted, found = (
            sweep(ball, other, motion=motion) for other in (Capsule(*ends, radius), ConvexHull(ends, radius))
        )
        assert found.hit == wanted.hit
        assert found.fraction == pytest.approx(wanted.fraction, abs=1e-14, nan_ok=True)
