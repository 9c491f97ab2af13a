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
from collision.kernels.hull import HullCore, hull_middle, hull_numbers, hull_size, polytope_pair
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
    numbers = hull_numbers(points[found.corners], found.normals, found.edges, found.sides)
    x, y, z = np.eye(3) if axes is None else axes.T
    core = HullCore(Vec3(*offset), Vec3(*x), Vec3(*y), Vec3(*z), numbers, 0)
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


KINDS: dict[str, tuple[Callable[[Generator], Solid], hull.Polyhedral]] = {
    "point": (of_point, hull.POINT),
    "segment": (of_segment, hull.SEGMENT),
    "box": (of_box, hull.BOX),
    "hull": (of_hull, hull.HULL),
}

solve_hulls = polytope_pair(hull.HULL, hull.HULL)


def off(corners: FloatArray, point: FloatArray) -> float:
    """Return how far outside of the hull of points another point is."""
    found = polytope(corners)
    numbers = hull_numbers(corners[found.corners], found.normals, found.edges, found.sides)
    faces = numbers[hull.HEAD + 3 * int(numbers[0]) :][: 4 * int(numbers[1])].reshape(-1, 4)
    return float(max((faces[:, :3] @ (point - numbers[3:6]) - faces[:, 3]).max(), 0.0))


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
    make, known = KINDS[kind_a]
    rng = np.random.default_rng(seed)
    a, b = make(rng), of_hull(rng)
    distance = certified(a, b, polytope_pair(known, hull.HULL)(a.core, b.core))
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
    distance = certified(a, b, solve_hulls(a.core, b.core))
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
@pytest.mark.parametrize("seed", range(25))
def test_hard_pairs_are_certified(family: Callable[[Generator], tuple[Solid, Solid]], seed: int) -> None:
    a, b = family(np.random.default_rng(seed))
    one, other = (certified(*given, solve_hulls(given[0].core, given[1].core)) for given in ((a, b), (b, a)))
    size = max(np.abs(a.corners).max(), np.abs(b.corners).max())
    assert one == pytest.approx(other, rel=0.0, abs=16 * EPS * size)


def test_a_hull_knows_its_middle_and_its_size() -> None:
    axes = Rotation.from_rotvec([0.0, 0.0, np.pi / 2]).as_matrix()
    core = of_points(np.array([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 2.0, 0.0]]), axes, (10.0, 0.0, 0.0)).core
    assert np.allclose(hull_middle(core), [9.0, 2.0, 0.0])
    assert hull_size(core) == 14.0
