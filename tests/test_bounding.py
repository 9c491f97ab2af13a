"""The smallest sphere around points, against an exhaustive search in exact rational arithmetic."""

from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.optimize import nnls

from collision import Capsule, OrientedBox, Point, Ray, Sphere, contains
from collision.shapes.bounding import sphere_around
from tests.oracles import radius_around_balls

EPS = Fraction(1, 2**52)
Vector = tuple[Fraction, ...]


# -- the oracle: every support of one to four points, in fractions, nothing rounded ------------------------------------


def exact(point: Any) -> Vector:
    return tuple(Fraction(float(x)) for x in point)


def inner(a: Vector, b: Vector) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def minus(a: Vector, b: Vector) -> Vector:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def squared_distance(a: Vector, b: Vector) -> Fraction:
    return inner(minus(a, b), minus(a, b))


def solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """Solve a linear system by Gauss and Jordan; None where it is singular."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        pivot = next((k for k in range(i, len(rows)) if rows[k][i] != 0), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(len(rows)):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i], strict=True)]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def equidistant_center(support: tuple[Vector, ...]) -> Vector | None:
    """Return the point of the support's own plane (line, ...) that is equally far from all its points."""
    first, *others = support
    edges = [minus(p, first) for p in others]
    gram = [[2 * inner(a, b) for b in edges] for a in edges]
    weights = solve(gram, [gram[i][i] / 2 for i in range(len(edges))])
    if weights is None:
        return None
    return tuple(x + inner(tuple(weights), tuple(edge[axis] for edge in edges)) for axis, x in enumerate(first))


def smallest_sphere(points: Any) -> tuple[Fraction, Vector]:
    """Return the squared radius and the center."""
    distinct = list({exact(p) for p in points})
    supports = (s for size in (1, 2, 3, 4) for s in combinations(distinct, size))
    centers = filter(None, map(equidistant_center, supports))
    return min((max(squared_distance(c, p) for p in distinct), c) for c in centers)


def root(value: Fraction) -> Fraction:
    """Return the square root, to 60 digits."""
    with localcontext() as context:
        context.prec = 60
        return Fraction((Decimal(value.numerator) / Decimal(value.denominator)).sqrt())


def check(points: Any, smallest: Fraction) -> None:
    """Assert what the docstring promises: all points inside, and hardly larger than the smallest radius."""
    center, radius = sphere_around(points)
    given = Fraction(float(radius))
    farthest = root(max(squared_distance(exact(center), exact(p)) for p in points))
    assert farthest <= given * (1 + 4 * EPS)
    largest = Fraction(float(np.abs(points).max()))
    assert given <= smallest * (1 + 8 * EPS) + EPS * largest


# -- families of points, most of them nearly degenerate in some way ----------------------------------------------------

Rng = np.random.Generator
Family = Callable[[Rng, int], Any]


def small(rng: Rng, lowest: float = -16.0) -> float:
    return float(10.0 ** rng.uniform(lowest, 0.0))


def unit(rng: Rng, n: int) -> Any:
    p = rng.normal(size=(n, 3))
    return p / np.linalg.norm(p, axis=1, keepdims=True)


def generic(rng: Rng, n: int) -> Any:
    return rng.normal(size=(n, 3))


def flattened(rng: Rng, n: int) -> Any:
    return rng.normal(size=(n, 3)) * [1.0, small(rng), small(rng)]


def on_lattice(rng: Rng, n: int) -> Any:
    return rng.integers(-1, 2, (n, 3)).astype(float)


def nearly_cospherical(rng: Rng, n: int) -> Any:
    return unit(rng, n) * (1.0 + small(rng) * rng.normal(size=(n, 1)))


def nearly_on_a_circle(rng: Rng, n: int) -> Any:
    angle = rng.uniform(0.0, 2.0 * np.pi, n)
    ring = np.stack([np.cos(angle), np.sin(angle), small(rng) * rng.normal(size=n)], axis=1)
    return ring * (1.0 + small(rng) * rng.normal(size=(n, 1)))


def two_clusters(rng: Rng, n: int) -> Any:
    return rng.choice([-1.0, 1.0], (n, 1)) * [1.0, 0.0, 0.0] + small(rng) * rng.normal(size=(n, 3))


def nested_clusters(rng: Rng, n: int) -> Any:
    steps = rng.normal(size=(n, 3)) * np.sort(10.0 ** rng.uniform(-16.0, 0.0, (n, 1)), axis=0)[::-1]
    return np.cumsum(steps, axis=0)


def poles_and_ring(rng: Rng, n: int) -> Any:
    ring = unit(rng, n) * [0.0, 1.0, 1.0]
    ring *= (1.0 + small(rng, -12.0) * rng.normal(size=(n, 1))) / np.linalg.norm(ring, axis=1, keepdims=True)
    ring[:2] = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]][:n]
    return ring


def needles(rng: Rng, n: int) -> Any:
    """Two clusters, flat in another direction and of another size at either end."""
    ends = rng.permutation(np.resize([1.0, -1.0], n))
    width = np.where(ends > 0.0, small(rng), small(rng))
    return np.stack([ends, rng.normal(size=n) * width, rng.normal(size=n) * small(rng)], axis=1)


def spear(rng: Rng, n: int) -> Any:
    """One point far from a flat cluster."""
    points = rng.normal(size=(n, 3)) * [0.0, small(rng), small(rng)]
    points[0] = [1.0, 0.0, 0.0]
    return points


def repeated(rng: Rng, n: int) -> Any:
    return rng.normal(size=(2, 3))[rng.integers(0, 2, n)]


FAMILIES: list[Family] = [
    generic,
    flattened,
    on_lattice,
    nearly_cospherical,
    nearly_on_a_circle,
    two_clusters,
    nested_clusters,
    poles_and_ring,
    needles,
    spear,
    repeated,
]


def placed(points: Any, rng: Rng) -> Any:
    """Turn, scale and shift points: sizes from 1e-6 to 1e6, up to 1e9 sizes away from the origin."""
    turned = points @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
    size = 10.0 ** rng.uniform(-6.0, 6.0)
    away = rng.choice([0.0, size * 10.0 ** rng.uniform(0.0, 9.0)])
    return turned * size + away * rng.normal(size=3)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_no_support_gives_a_smaller_sphere(family: Family) -> None:
    rng = np.random.default_rng(1999)
    for n in [1, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6, 7]:
        points = family(rng, n)
        turned = points @ np.linalg.qr(rng.normal(size=(3, 3)))[0]
        for case in (points, turned, placed(points, rng)):
            check(case, root(smallest_sphere(case)[0]))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_points_inside_change_nothing(family: Family) -> None:
    rng = np.random.default_rng(8)
    for _ in range(6):
        few = placed(family(rng, 5), rng)
        squared, center = smallest_sphere(few)
        between = rng.dirichlet(np.full(len(few), 0.3), 100) @ few
        inside = [p for p in between if squared_distance(exact(p), center) <= squared]  # rounding puts some outside
        many = np.concatenate([few, np.reshape(inside, (-1, 3)), few])
        check(rng.permutation(many), root(squared))


def shells(rng: Rng) -> Iterator[Any]:
    for n in (6, 50, 1000):
        half = unit(rng, n)
        yield np.concatenate([half, -half])
    for n in (6, 50, 300):
        half = unit(rng, n) * [1.0, 1.0, 0.0]
        half /= np.linalg.norm(half, axis=1, keepdims=True)
        yield np.concatenate([half, -half])


def test_many_points_on_a_common_sphere_or_circle() -> None:
    rng = np.random.default_rng(5)
    for shell in shells(rng):
        # Rounded points are not quite on the sphere: it has room for the longest of them, and no less than the shortest
        # diameter. Both are within a few units in the last place of one.
        lengths = np.linalg.norm(shell, axis=1)
        center, radius = sphere_around(rng.permutation(shell))
        assert lengths.min() * (1 - 4e-16) <= radius <= lengths.max() * (1 + 4e-16)
        np.testing.assert_allclose(center, 0.0, atol=1e-14)


def test_steps_too_small_to_be_seen_in_the_radius_are_not_the_last() -> None:
    # Poles hold the sphere at first; the ring is a hundred millionth wider, and each step towards it changes the radius
    # by less than rounding. Two of the ring's points are opposite each other, so the answer is known.
    rng = np.random.default_rng(2)
    for _ in range(200):
        wide = 1.0 + 10.0 ** rng.uniform(-12.0, -6.0)
        ring = poles_and_ring(rng, 40)
        ring[2:] *= rng.uniform(1.0, wide, (38, 1)) / np.linalg.norm(ring[2:], axis=1, keepdims=True)
        ring[2], ring[3] = [0.0, wide, 0.0], [0.0, -wide, 0.0]
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        _, radius = sphere_around(rng.permutation(ring) @ turn)
        np.testing.assert_allclose(radius, wide, rtol=2e-15)


@pytest.mark.parametrize(
    ("points", "center", "radius"),
    [
        ([[1, 2, 3]], [1, 2, 3], 0.0),
        ([[1e6, -1e6, 0.1]] * 9, [1e6, -1e6, 0.1], 0.0),
        ([[0, 0, 0]] * 3, [0, 0, 0], 0.0),
        ([[0, 0, 0], [2, 0, 0]], [1, 0, 0], 1.0),
        ([[0, 0, 0], [3, 0, 0], [4, 0, 0]], [2, 0, 0], 2.0),  # on a line
        ([[0, 0, 0], [8, 0, 0], [1, 1, 0]], [4, 0, 0], 4.0),  # obtuse: the third is inside
        ([[3, 4, 0], [3, -4, 0], [-5, 0, 0]], [0, 0, 0], 5.0),  # acute
        ([[0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]], [1, 1, 0], 2.0**0.5),  # a square
        ([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], [0, 0, 0], 3.0**0.5),  # a regular tetrahedron
        ([[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)], [1, 1, 1], 3.0**0.5),  # a cube
    ],
)
def test_known_answers(points: Any, center: Any, radius: float) -> None:
    got_center, got_radius = sphere_around(points)
    np.testing.assert_allclose(got_center, center, rtol=1e-15, atol=4e-16)
    np.testing.assert_allclose(got_radius, radius, rtol=4e-16)


@pytest.mark.parametrize("size", [1e-320, 1e-300, 1e-160, 1e-60, 1e60, 1e160, 1e300])
def test_sizes_near_the_ends_of_the_number_range(size: float) -> None:
    corners = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1], [0, 0, 0]]) * size
    center, radius = sphere_around(corners)
    np.testing.assert_allclose(radius / size, 3.0**0.5, rtol=1e-15 if size > 1e-310 else 1e-3)
    np.testing.assert_allclose(center / size, 0.0, atol=1e-15)


def test_batch_axes_are_answered_one_by_one() -> None:
    points = np.random.default_rng(3).normal(size=(4, 5, 6, 3))
    center, radius = sphere_around(points)
    assert center.shape == (4, 5, 3)
    assert radius.shape == (4, 5)
    for index in np.ndindex(4, 5):
        one_center, one_radius = sphere_around(points[index])
        np.testing.assert_array_equal(center[index], one_center)
        assert radius[index] == one_radius
    empty_center, empty_radius = sphere_around(np.zeros((0, 6, 3)))
    assert (empty_center.shape, empty_radius.shape) == ((0, 3), (0,))


def test_shapes_take_it_from_points() -> None:
    points = np.random.default_rng(4).normal(size=(7, 10, 3))
    sphere = Sphere.from_points(points)
    center, radius = sphere_around(points)
    np.testing.assert_array_equal(sphere.center, center)
    np.testing.assert_array_equal(sphere.radius, radius)


# -- spheres around spheres --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_no_sphere_around_spheres_is_smaller(family: Family) -> None:
    rng = np.random.default_rng(17)
    for n in [1, 2, 3, 4, 5, 8, 20, 50]:
        centers = family(rng, n)
        radii = rng.uniform(0.0, rng.choice([0.01, 0.3, 3.0]), n) * rng.integers(0, 2, n)
        smallest = radius_around_balls(centers, radii)
        for factor in (1e-6, 1.0, 1e6):
            ball = Sphere.union(Sphere(factor * centers, factor * radii))
            reach = np.linalg.norm(factor * centers - ball.center, axis=1) + factor * radii
            size = max(float(ball.radius), float(np.abs(factor * centers).max()))
            assert np.abs(reach.max() - ball.radius) <= 1e-15 * size
            assert float(ball.radius) <= factor * smallest + 2e-14 * size
            # The center is among those of the spheres that touch it, so no move makes it nearer to all.
            tight = reach >= ball.radius - 1e-12 * size
            ways = (factor * centers[tight] - ball.center) / size
            weights = np.vstack([ways.T, np.ones(tight.sum())])
            assert float(nnls(weights, np.array([0.0, 0.0, 0.0, 1.0]))[1]) <= 1e-6


def test_one_sphere_may_hold_all_others() -> None:
    large, small = Sphere([1, 2, 3], 5), Sphere([[1, 2, 4], [2, 2, 3], [1, 0, 3]], [3, 4, 1])
    assert Sphere.union(small, large) == large


def test_the_sphere_around_a_chain_is_that_around_its_ends() -> None:
    turn = np.linspace(0.0, 2.0 * np.pi, 90, endpoint=False)
    x, y = np.sin(turn) + 2.0 * np.sin(2.0 * turn), np.cos(turn) - 2.0 * np.cos(2.0 * turn)
    knot = np.stack([x, y, -np.sin(3.0 * turn)], axis=-1)
    chain = Capsule(knot, np.roll(knot, -1, axis=0), 0.42)
    assert Sphere.around(chain).radius == pytest.approx(3.42, rel=1e-14)
    assert Sphere.union(chain.bounding_sphere()).radius > 3.5
    shapes = [chain, Point([0, 0, 5]), OrientedBox([0, 4, 0], [0.1, 0.2, 0.3, 1.0], [1, 2, 1]), Sphere([3, 0, 0], 2)]
    ball = Sphere.around(*shapes)
    assert all(np.all(contains(Sphere(ball.center, ball.radius * (1 + 1e-14)), shape)) for shape in shapes)


def test_what_has_no_sphere_around_it_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^Sphere\.around: a Ray reaches to infinity"):
        Sphere.around(Point([0, 0, 0]), Ray([0, 0, 0], [1, 0, 0]))
    with pytest.raises(TypeError, match=r"^Sphere\.around takes shapes, got int"):
        Sphere.around(3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="only empty batches"):
        Sphere.around(Sphere(np.zeros((0, 3)), 1))
    with pytest.raises(TypeError, match="takes shapes of that kind alone, got Point"):
        Sphere.union(Point([0, 0, 0]))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([1, 2, 3], r"sphere_around\.points must be \(\.\.\., n, 3\) with n >= 1, got shape \(3,\)"),
        (np.zeros((0, 3)), r"with n >= 1, got shape \(0, 3\)"),
        (np.zeros((5, 2)), r"sphere_around\.points must be an array of shape \(\.\.\., 3\), got shape \(5, 2\)"),
        ([[0, 0, np.nan]], r"sphere_around\.points must be finite, got \[0\.0, 0\.0, nan\] at element \[0\]"),
        ([[0, 0, np.inf]], r"sphere_around\.points must be finite"),
        ([["a", "b", "c"]], r"sphere_around\.points must be made of real numbers"),
    ],
)
def test_bad_points_are_named(points: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        sphere_around(points)
