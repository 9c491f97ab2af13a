"""The convex hull of points, against all supporting planes in exact rational arithmetic, and against qhull."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from scipy.spatial import ConvexHull as Qhull
from scipy.spatial.transform import Rotation

from collision import ConvexHull, Point, distance
from collision.base.fields import FloatArray
from collision.shapes.polytope import Polytope, polytope

EPS = 2.0**-52
TURNED = Rotation.random(rng=7).as_matrix()


def exact_hull(points: FloatArray) -> tuple[set[int], set[frozenset[int]]]:
    """Return the corners and, as the points on each, the faces of the hull of points that are in no plane."""
    every = [tuple(map(Fraction, point)) for point in points.tolist()]
    faces = set()
    for i, j, k in combinations(range(len(every)), 3):
        u, v = (tuple(x - y for x, y in zip(every[n], every[i], strict=True)) for n in (j, k))
        n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        heights = [sum(a * (x - y) for a, x, y in zip(n, p, every[i], strict=True)) for p in every]
        if any(n) and (max(heights) == 0 or min(heights) == 0):
            faces.add(frozenset(k for k, height in enumerate(heights) if height == 0))
    on = {i: [face for face in faces if i in face] for i in range(len(every))}
    alone = {i: frozenset.intersection(*on[i]) if on[i] else frozenset() for i in on}
    return {i for i in on if len(on[i]) > 2 and all(every[j] == every[i] for j in alone[i])}, faces


def checked(points: Any) -> Polytope:
    """Return the hull of points, having checked what holds for each: it is closed, convex, and no point is outside."""
    array = np.asarray(points, dtype=np.float64)
    found = polytope(array)
    corners, size = array[found.corners], np.abs(array).max()
    for normal, face in zip(found.normals, found.faces, strict=True):
        assert abs(np.linalg.norm(normal) - 1.0) <= 2 * EPS
        heights = (array - corners[face[0]]) @ normal
        assert heights.max() <= 32 * EPS * size
        assert heights[found.corners[face]].min() >= -32 * EPS * size
    sides = Counter(pair for face in found.faces for pair in zip(face, [*face[1:], face[0]], strict=True))
    if found.dimension > 1:
        assert set(sides.values()) == {1}
        assert {tuple(edge) for edge in found.edges.tolist()} | {(b, a) for a, b in found.edges.tolist()} == set(sides)
        assert len(found.corners) - len(found.edges) + len(found.faces) == 2
        for (a, b), (left, right) in zip(found.edges.tolist(), found.sides.tolist(), strict=True):
            ring = found.faces[left]
            assert ring[(ring.index(a) + 1) % len(ring)] == b
            ring = found.faces[right]
            assert ring[(ring.index(b) + 1) % len(ring)] == a
    return found


@pytest.mark.parametrize("seed", range(30))
def test_small_hulls_are_exact(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.integers(-2, 3, size=(int(rng.integers(5, 14)), 3)).astype(
        float
    )  # many repeat, or share lines, planes
    if np.linalg.matrix_rank(points - points[0]) < 3:
        points = np.concatenate([points, [[9.0, 0.0, 0.0], [0.0, 9.0, 0.0], [0.0, 0.0, 9.0], [-7.0, -7.0, -7.0]]])
    found = checked(points)
    corners, faces = exact_hull(points)
    assert {tuple(points[i]) for i in found.corners} == {tuple(points[i]) for i in corners}
    assert len(found.corners) == len({tuple(points[i]) for i in corners})
    assert len(found.faces) == len(faces)
    for face in found.faces:
        assert any(set(found.corners[face].tolist()) <= whole for whole in faces)


@pytest.mark.parametrize("count", [4, 5, 8, 32, 200])
@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("scale", [1e-60, 1.0, 1e60])
def test_hulls_are_those_of_qhull(count: int, offset: float, scale: float) -> None:
    points = (np.random.default_rng(count).normal(size=(count, 3)) + offset) * scale
    found = checked(points)
    assert found.corners.tolist() == sorted(Qhull((points / scale) - offset).vertices.tolist())
    assert {len(face) for face in found.faces} == {3}


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("offset", [0.0, 1e3])
@pytest.mark.parametrize("count", [2, 3, 9])
def test_grids_are_boxes_squares_segments_and_points(turned: bool, offset: float, count: int) -> None:
    """What is on an edge or a face is no corner, though no rounded corner of a turned box is exactly in its plane."""
    axes = TURNED if turned else np.eye(3)
    grid = np.stack(np.meshgrid(*[np.linspace(-1.0, 1.0, count)] * 3, indexing="ij"), axis=-1) @ axes.T + offset
    rng = np.random.default_rng(count)
    for levels, dimension, corners, faces in ((3, 3, 8, 6), (2, 2, 4, 2), (1, 1, 2, 0), (0, 0, 1, 0)):
        points = grid[(0,) * (3 - levels)].reshape(-1, 3)
        found = checked(rng.permutation(np.concatenate([points, points])))
        assert (found.dimension, len(found.corners), len(found.faces)) == (dimension, corners, faces)
    assert checked(grid[0].reshape(-1, 3)).edges.tolist() == [[0, 1], [1, 2], [2, 3], [3, 0]]


def test_a_prism_has_its_polygons() -> None:
    angles = np.arange(24) * np.pi / 12
    ring = np.stack([np.cos(angles), np.sin(angles), np.zeros(24)], axis=1)
    found = checked(np.concatenate([ring, ring + np.array([0.0, 0.0, 2.0])]) @ TURNED.T)
    assert sorted(map(len, found.faces)) == [4] * 24 + [24] * 2


@pytest.mark.parametrize("exponent", [*range(-14, 0), -17, -20])
def test_nearly_flat_and_nearly_repeated_points_leave_no_noise(exponent: int) -> None:
    rng = np.random.default_rng(-exponent)
    points = rng.normal(size=(60, 3))
    near = points + rng.normal(size=points.shape) * 10.0**exponent
    checked(np.concatenate([points, near]))
    flat = checked((points * [1.0, 1.0, 10.0**exponent]) @ TURNED.T)
    assert flat.dimension == (3 if exponent > -15 else 2)


@pytest.mark.parametrize("seed", range(60))
def test_plates_about_as_thin_as_rounding_are_solids_or_polygons(seed: int) -> None:
    rng = np.random.default_rng(seed)
    thin = [1.0, 1.0, 10.0 ** rng.uniform(-16.0, -14.5)]
    checked(rng.normal(size=(12, 3)) * thin @ Rotation.random(rng=rng).as_matrix())


@pytest.mark.parametrize("seed", range(12))
def test_no_point_of_a_needle_or_a_strip_is_lost(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(10):
        widths = 10.0 ** rng.integers(-17, 2, 3)
        box = np.array(list(product((0.0, 1.0), repeat=3)))
        own = box if rng.random() < 0.5 else rng.normal(size=(rng.integers(4, 12), 3))
        points = own * widths @ Rotation.random(rng=rng).as_matrix() + rng.normal(size=3) * 10.0 ** rng.integers(-3, 3)
        away = distance(Point(points), ConvexHull(points))
        assert away.max() <= 1e-14 * np.abs(points).max()


def test_triangles_whose_rounded_normals_are_zero_have_faces() -> None:
    points = [
        [0.2618361390020509, -0.6695860209491106, 0.6950513627517292],
        [-0.7851761243228401, 2.007401756840619, -2.0865858813927503],
        [0.5231757410476419, -1.3371369797488462, 1.3922502797167557],
        [-0.2616728457631579, 0.6689069632367957, -0.6957670560809405],
        [-0.0004927328194422996, 0.002036268427986224, 0.0021472832272038437],
        [-0.5241612066865264, 1.3412095166048186, -1.3879557132623481],
        [0.5233399853207893, -1.3378157358915082, 1.391534518641021],
        [-0.7856688571422824, 2.009438025268605, -2.0844385981655464],
    ]
    with np.errstate(all="raise", under="ignore"):
        assert checked(points).dimension == 3


@pytest.mark.parametrize("c", [0.9351246019850423, 0.6996528846087864, 0.8905587944087354])
def test_two_points_through_the_origin_are_a_segment(c: float) -> None:
    with np.errstate(all="raise"):
        assert polytope([[c, c, c], [-c, -c, -c]]).dimension == 1


def test_a_thousand_points_are_quick() -> None:
    points = np.random.default_rng(0).normal(size=(1000, 3))
    assert len(checked(points / np.linalg.norm(points, axis=1, keepdims=True)).corners) == 1000


def test_a_hull_without_points_is_refused() -> None:
    with pytest.raises(ValueError, match=r"polytope.points must be \(..., n, 3\) with n >= 1, got shape \(0, 3\)"):
        polytope(np.empty((0, 3)))
    with pytest.raises(ValueError, match=r"must be an array of shape \(n, 3\), got shape \(2, 4, 3\)"):
        polytope(np.zeros((2, 4, 3)))
    with pytest.raises(ValueError, match="must be finite"):
        polytope([[0.0, 0.0, np.nan]])
