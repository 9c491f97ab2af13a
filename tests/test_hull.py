"""Convex hulls against hulls, boxes, segments and points: certified, and beside exact rational arithmetic."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.random import Generator
from scipy.spatial.transform import Rotation

from collision.base.fields import FloatArray
from collision.kernels import hull
from collision.kernels.cores import Box, Linear, Separation
from collision.kernels.halfspace import HalfSpaceCore
from collision.kernels.hull import HullCore, hull_middle, hull_numbers, hull_size
from collision.kernels.turned import Pose
from collision.kernels.vec3 import Vec3
from collision.shapes.polytope import polytope
from tests.oracles import exact, hulls_apart

EPS = 2.0**-52


class Solid(NamedTuple):
    """A core as kernels take it, and its corners (n, 3) in the world; where it is posed they are rounded."""

    core: Any
    corners: FloatArray


def of_points(points: FloatArray, axes: FloatArray | None = None, offset: Any = (0.0, 0.0, 0.0)) -> Solid:
    """Return the hull of points, posed."""
    found = polytope(points)
    middle, numbers = hull_numbers(points[found.corners], *found[1:])
    x, y, z = (np.eye(3) if axes is None else axes.T).tolist()
    place = (middle if axes is None else axes @ middle) + offset
    core = HullCore(Vec3(*place.tolist()), Vec3(*x), Vec3(*y), Vec3(*z), Vec3(0.0, 0.0, 0.0), numbers.tolist(), 0)
    world = points[found.corners]
    return Solid(core, world if axes is None else world @ axes.T + offset)


def of_point(rng: Generator) -> Solid:
    point = rng.normal(size=3)
    return Solid(Vec3(*point.tolist()), point[None])


def of_segment(rng: Generator) -> Solid:
    start, end = rng.normal(size=(2, 3))
    one, other = Vec3(*start.tolist()), Vec3(*end.tolist())
    return Solid(Linear(one, Vec3(*(end - start).tolist()), other, 0.0, 1.0), np.array([start, end]))


def of_box(rng: Generator) -> Solid:
    lower, upper = np.sort(rng.normal(size=(2, 3)), axis=0)
    corners = np.stack(np.meshgrid(*np.stack([lower, upper]).T), axis=-1).reshape(-1, 3)
    axes = Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0), Vec3(0.0, 0.0, 1.0)
    return Solid(Box(Vec3(0.0, 0.0, 0.0), *axes, Vec3(*lower.tolist()), Vec3(*upper.tolist())), corners)


def of_hull(rng: Generator) -> Solid:
    return of_points(rng.normal(size=(int(rng.integers(1, 7)), 3)))


KINDS: dict[str, tuple[Callable[[Generator], Solid], Callable[[Any, Any], Separation]]] = {
    "point": (of_point, hull.point_hull),
    "segment": (of_segment, hull.linear_hull),
    "box": (of_box, hull.box_hull),
    "hull": (of_hull, hull.hull_hull),
}


def off(corners: FloatArray, point: FloatArray) -> float:
    """Return how far outside of the hull of points another point is."""
    found = polytope(corners)
    middle, numbers = hull_numbers(corners[found.corners], *found[1:])
    faces = numbers[hull.HEAD + 3 * int(numbers[0]) :][: 4 * int(numbers[1])].reshape(-1, 4)
    return float(max((faces[:, :3] @ (point - middle) - faces[:, 3]).max(), 0.0))


def certified(a: Solid, b: Solid, found: Separation, most: float = 16.0) -> float:
    """Check an answer by the corners alone, and return the signed distance."""
    size = max(np.abs(a.corners).max(), np.abs(b.corners).max())
    normal, on_a, on_b = (np.array(v) for v in (found.normal, found.on_a, found.on_b))
    assert abs(np.linalg.norm(normal) - 1.0) <= 4 * EPS
    assert np.abs(on_a + found.distance * normal - on_b).max() <= 4 * EPS * size
    room = (b.corners @ normal).min() - (a.corners @ normal).max()
    assert abs(room - found.distance) <= most * EPS * size
    assert off(a.corners, on_a) <= most * EPS * size
    assert off(b.corners, on_b) <= most * EPS * size
    return found.distance


@pytest.mark.parametrize("kind_a", KINDS)
@pytest.mark.parametrize("seed", range(12))
def test_pairs_are_as_in_exact_arithmetic(kind_a: str, seed: int) -> None:
    make, solve = KINDS[kind_a]
    rng = np.random.default_rng(seed)
    a, b = make(rng), of_hull(rng)
    distance = certified(a, b, solve(a.core, b.core))
    wanted = float(hulls_apart([exact(p) for p in a.corners], [exact(p) for p in b.corners]))
    assert distance == pytest.approx(
        wanted, rel=0.0, abs=32 * EPS * max(np.abs(a.corners).max(), np.abs(b.corners).max())
    )


@pytest.mark.parametrize("seed", range(60))
def test_whole_numbers_meet_in_every_way(seed: int) -> None:
    """Corners on a grid of five: hulls that share corners, edges and faces, flat ones, and those that are one point."""
    rng = np.random.default_rng(seed)
    points = [rng.integers(0, 5, size=(int(rng.integers(1, 8)), 3)).astype(float) for _ in range(2)]
    if seed % 3 == 0:
        points[1][:, 2] = points[0][0, 2]
    if seed % 5 == 0:
        points[1] = points[0] + rng.integers(-1, 2, size=3)
    a, b = of_points(points[0]), of_points(points[1])
    distance = certified(a, b, hull.hull_hull(a.core, b.core))
    wanted = float(hulls_apart([exact(p) for p in a.corners], [exact(p) for p in b.corners]))
    assert distance == pytest.approx(wanted, rel=0.0, abs=64 * EPS)


def turned_a_little(rng: Generator, points: FloatArray) -> FloatArray:
    return np.asarray(points @ Rotation.from_rotvec(rng.normal(size=3) * 10.0 ** rng.uniform(-17, -2)).as_matrix().T)


def family_of_the_same(rng: Generator) -> tuple[Solid, Solid]:
    """Return the same hull twice, turned by little: faces and edges are all but parallel."""
    points = rng.normal(size=(int(rng.integers(2, 16)), 3))
    shift = rng.normal(size=3) * 10.0 ** rng.uniform(-16, 0.5)
    return of_points(points), of_points(turned_a_little(rng, points) + shift)


def family_of_thin(rng: Generator) -> tuple[Solid, Solid]:
    """Return plates and needles, maybe as thin as rounding."""
    thin = 10.0 ** rng.uniform(-17, -1, size=(2, 3)) ** rng.integers(0, 2, size=(2, 3))
    axes = Rotation.random(2, rng=rng).as_matrix()
    points = rng.normal(size=(2, 12, 3)) * thin[:, None] @ axes
    return of_points(points[0]), of_points(points[1] + rng.normal(size=3) * 0.3)


def family_of_far(rng: Generator) -> tuple[Solid, Solid]:
    """Return small ones far from the origin."""
    points = rng.normal(size=(2, 10, 3)) + np.array([1e6, -1e6, 1e5])
    return of_points(points[0]), of_points(points[1] + rng.normal(size=3))


def family_of_prisms(rng: Generator) -> tuple[Solid, Solid]:
    """Return prisms whose ends lie on each other, to rounding."""
    angles = np.arange(int(rng.integers(3, 9)))
    ring = np.stack([np.cos(angles), np.sin(angles), 0.0 * angles], axis=1)
    prism = np.concatenate([ring, ring + np.array([0.0, 0.0, 1.0])])
    axes = Rotation.random(rng=rng).as_matrix()
    shift = np.array([*rng.uniform(-1, 1, size=2), rng.choice([1.0, 1.0 - 1e-9, 1.0 + 1e-12])])
    return of_points(prism @ axes.T), of_points((prism + shift) @ axes.T)


def family_of_posed(rng: Generator) -> tuple[Solid, Solid]:
    axes = Rotation.random(2, rng=rng).as_matrix()
    points, offsets = rng.normal(size=(2, 20, 3)), rng.normal(size=(2, 3)) * rng.uniform(0, 3)
    a, b = (of_points(*given) for given in zip(points, axes, offsets.tolist(), strict=True))
    return a, b


FAMILIES = [family_of_the_same, family_of_thin, family_of_far, family_of_prisms, family_of_posed]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
@pytest.mark.parametrize("seed", [*range(20), 1046, 1223, 1258, 1530, 1531])  # segments a hair apart, nearly parallel
def test_hard_pairs_are_certified(family: Callable[[Generator], tuple[Solid, Solid]], seed: int) -> None:
    a, b = family(np.random.default_rng(seed))
    one, other = (certified(*given, hull.hull_hull(given[0].core, given[1].core)) for given in ((a, b), (b, a)))
    size = max(np.abs(a.corners).max(), np.abs(b.corners).max())
    assert one == pytest.approx(other, rel=0.0, abs=16 * EPS * size)


def test_a_hull_knows_its_middle_and_its_size() -> None:
    axes = Rotation.from_rotvec([0.0, 0.0, np.pi / 2]).as_matrix()
    core = of_points(np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 2.0, 0.0]]), axes, (10.0, 0.0, 0.0)).core
    assert np.allclose(hull_middle(core), [10.0 - 2.0 / 3.0, 4.0 / 3.0, 0.0])
    assert 10.0 <= hull_size(core) <= 14.0


def cube(half: float = 1.0, **posed: Any) -> HullCore:
    return of_points(half * (2.0 * np.array(list(np.ndindex(2, 2, 2)), dtype=float) - 1.0), **posed).core  # type: ignore[no-any-return]


def line(origin: Any, direction: Any, low: float = -np.inf) -> Linear:
    return Linear(Vec3(*origin), Vec3(*direction), Vec3(*direction), low, np.inf)


def test_lines_run_through_hulls() -> None:
    assert hull.clip_hull(line((-5.0, 0.5, 0.0), (2.0, 0.0, 0.0)), cube(), 0.0, 5.0) == (2.0, 3.0)
    assert hull.clip_hull(line((-5.0, 1.0, 1.0), (1.0, 0.0, 0.0)), cube(), 0.0, 5.0) == (4.0, 6.0)  # along an edge
    assert hull.clip_hull(line((0.0, 2.0, 0.0), (1.0, -1.0, 0.0)), cube(), 0.0, 5.0) == (1.0, 1.0)  # past an edge
    assert np.isnan(hull.clip_hull(line((0.0, 2.1, 0.0), (1.0, -1.0, 0.0)), cube(), 0.0, 5.0)).all()
    assert np.isnan(hull.clip_hull(line((-5.0, 1.1, 0.0), (1.0, 0.0, 0.0)), cube(), 0.0, 5.0)).all()
    square = of_points(np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]])).core
    assert hull.clip_hull(line((1.0, 1.0, 4.0), (0.0, 0.0, -2.0)), square, 0.0, 4.0) == (2.0, 2.0)
    assert hull.clip_hull(line((-1.0, 1.0, 0.0), (1.0, 0.0, 0.0)), square, 0.0, 4.0) == (1.0, 3.0)
    assert np.isnan(hull.clip_hull(line((3.0, 1.0, 4.0), (0.0, 0.0, -2.0)), square, 0.0, 4.0)).all()


def test_the_surface_of_a_hull_is_that_of_its_faces() -> None:
    down = line((0.5, 0.0, 3.0), (0.0, 0.0, -1.0))
    assert hull.surface_hull(down, 2.0, cube(), 0.0, 3.0) == (0.0, (0.5, 0.0, 1.0), (0.0, 0.0, 1.0))
    assert hull.surface_hull(down, 4.0, cube(), 0.0, 3.0).normal == (0.0, 0.0, -1.0)
    assert hull.surface_hull(down, 1.0, cube(), 0.0, 3.0).gap == 1.0


def test_lines_and_rays_without_an_end_are_left_sideways() -> None:
    through = hull.linear_hull(line((0.25, 0.0, 50.0), (0.0, 0.0, 1.0)), cube())
    assert (through.distance, through.normal) == (pytest.approx(-0.75), (-1.0, 0.0, 0.0))
    beside = hull.linear_hull(line((3.0, -30.0, -40.0), (0.0, 0.6, 0.8)), cube())
    assert (beside.distance, beside.normal) == (pytest.approx(2.0), (-1.0, 0.0, 0.0))
    ahead = hull.linear_hull(line((0.0, 0.0, 3.0), (0.0, 0.0, 1.0), 0.0), cube())
    assert ahead.distance == pytest.approx(2.0)
    assert np.allclose([ahead.on_a, ahead.on_b], [(0.0, 0.0, 3.0), (0.0, 0.0, 1.0)])
    inside = hull.linear_hull(line((0.0, 0.0, 0.5), (0.0, 0.0, 1.0), 0.0), cube())
    assert (inside.distance, inside.normal) == (pytest.approx(-0.5), (0.0, 0.0, -1.0))


def test_a_half_space_is_left_by_the_lowest_of_a_hull() -> None:
    space = HalfSpaceCore(Vec3(0.0, 0.0, -1.5), Vec3(0.0, 0.0, 1.0))
    assert hull.half_space_hull(space, cube()) == (0.5, (0.0, 0.0, -1.5), (0.0, 0.0, -1.0), (0.0, 0.0, 1.0))
    tilted = cube(axes=Rotation.from_rotvec([np.pi / 4, 0.0, 0.0]).as_matrix(), offset=(0.0, 0.0, 0.0))
    assert hull.half_space_hull(space, tilted).distance == pytest.approx(1.5 - 2**0.5, abs=4 * EPS)


@pytest.mark.parametrize("seed", range(8))
def test_posed_moved_and_stored_hulls_are_where_their_corners_are(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axes, given = Rotation.random(rng=rng).as_matrix(), of_points(rng.normal(size=(9, 3)))
    pose = Pose(*(Vec3(*v) for v in (*rng.normal(size=(2, 3)).tolist(), *axes.T.tolist())))
    corners = (given.corners - pose.center) @ axes.T + pose.position
    row, moved = [0.0] * 18, hull.moved_hull(hull.posed_hull(given.core, pose), 0.5, Vec3(2.0, 0.0, 0.0))
    hull.store_hull(row, 0, moved)
    found = hull.load_hull(row, 0, given.core.table)
    corners[:, 0] += 1.0
    assert np.allclose(hull.hull_bounds(found), [corners.min(axis=0), corners.max(axis=0)])
    assert hull.turned_hull(given.core, pose).middle == hull.posed_hull(given.core, pose).middle
    point, axis = Vec3(0.0, 0.0, 0.0), Vec3(0.0, 0.0, 1.0)
    assert hull.farthest_hull(given.core, False, point, axis) == pytest.approx(
        np.linalg.norm(given.corners[:, :2], axis=1).max()
    )
    nowhere, m = Vec3(0.0, 0.0, 0.0), Vec3(*axes[0].tolist())
    top = Vec3(*given.corners[np.argmax(given.corners @ axes[0])].tolist())
    assert abs(hull.hull_gain(given.core, False, top, m, nowhere, nowhere)) <= 8 * EPS
    turns = Vec3(*rng.normal(size=3).tolist())
    most = ((given.corners - top) @ (axes[0] + np.cross(axes[0], turns))).max()
    assert hull.hull_gain(given.core, False, top, m, turns, nowhere) == pytest.approx(most)


def test_the_foremost_of_a_hull_is_a_level_face_or_edge_or_a_corner() -> None:
    face = hull.hull_feature(cube(), 0.0, Vec3(0.0, 0.0, 1.0), 0.0)
    assert (face.dimension, face.origin, face.ring.number) == (2, (0.0, 0.0, 1.0), 4)
    edge = hull.hull_feature(cube(), 0.0, Vec3(0.6, 0.8, 0.0), 0.0)
    assert (edge.dimension, abs(edge.u.z), edge.origin.x, edge.origin.y) == (1, 1.0, 1.0, 1.0)
    assert hull.hull_feature(cube(), 0.0, Vec3(0.48, 0.64, 0.6), 0.0)[:2] == (0, (1.0, 1.0, 1.0))
    grown = hull.hull_feature(cube(), 0.5, Vec3(0.0, 0.6, -0.8), 0.0)  # what is flat of it
    assert (grown.dimension, grown.radius, grown.origin[1:]) == (1, 0.0, (1.3, -1.4))
    assert hull.hull_feature(cube(), 0.5, Vec3(0.0, 0.0, -1.0), 0.0).origin.z == -1.5
