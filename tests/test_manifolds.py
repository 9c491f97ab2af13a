"""Contact patches: their points are where they are said to be, and there is one at each corner."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from scipy.spatial.transform import Rotation

from collision import (
    AABB,
    Capsule,
    ConvexHull,
    Cylinder,
    HalfSpace,
    Line,
    Manifold,
    OrientedBox,
    Point,
    Ray,
    Segment,
    Shape,
    Sphere,
    Transform,
    closest_points,
    contact,
    manifold,
    raycast,
    signed_distance,
)
from collision.base.fields import BoolArray, FloatArray
from tests.certificate.families import cases
from tests.corpus import EPS, Order, names, stacked
from tests.oracles import in_common
from tests.strategies import CORNERS, LINEAR, PAIRS, Kind, random_frame

#: Kinds that have an edge or a face to lie on.
LEVEL: tuple[Kind, ...] = (*LINEAR, AABB, OrientedBox, HalfSpace, ConvexHull)
#: Kinds that do not end: two of them have at most one corner, or lie in each other without end.
ENDLESS = {Ray, Line, HalfSpace}
RESTING = list(product(LEVEL, LEVEL))

FIELDS = ("count", "on_a", "on_b", "signed_distance", "normal")
CUBE = AABB([-1, -1, -1], [1, 1, 1])


def turn(axis: str, degrees: float) -> FloatArray:
    return np.asarray(Rotation.from_euler(axis, degrees, degrees=True).as_matrix())


def points_of(patch: Manifold) -> FloatArray:
    """Return the points on A of the patch of a single pair."""
    return patch.on_a[: int(patch.count)]


def used(patch: Manifold) -> BoolArray:
    """Tell which of the points of a batch there are."""
    return np.asarray(np.arange(8) < patch.count[..., None])


def same_bits(one: Manifold, other: Manifold) -> bool:
    return all(np.array_equal(getattr(one, f), getattr(other, f), equal_nan=True) for f in FIELDS)


# --- what is said of every point ------------------------------------------------------------------


def lying(order: Order, rng: Generator, count: int = 60) -> tuple[Shape, Shape]:
    """Return a batch of pairs of which B lies on A, or is a little in it, level but for a turn of any smallness."""
    return tuple(map(stacked, zip(*(_one_lying(order, rng) for _ in range(count)), strict=True)))  # type: ignore[return-value]


def _one_lying(order: Order, rng: Generator) -> tuple[Shape, Shape]:
    tilt = 10.0 ** rng.uniform(-17.0, -0.8) * rng.normal(size=3)
    spin = Rotation.from_euler("z", rng.choice([0.0, 0.5 * np.pi, float(rng.uniform(0.0, 7.0))]))
    frame = random_frame(rng) if AABB not in order or rng.random() < 0.5 else np.eye(3)
    half, above = rng.uniform(0.2, 1.0, (2, 3)) * rng.choice([1.0, 1.0, 1.0, 0.0], (2, 3))
    radius = rng.uniform(0.1, 0.5, 2)
    heights = [
        radius[i] if kind is Capsule else (half, above)[i][2] if kind in (AABB, OrientedBox, ConvexHull) else 0.0
        for i, kind in enumerate(order)
    ]
    gap = float(rng.choice([0.0, 0.0, 0.02, -0.05, -0.3, 1e-12, -1e-9]))
    place = frame @ np.array([*rng.uniform(-0.6, 0.6, 2), sum(heights) + gap])
    scale, far = 10.0 ** rng.integers(-6, 7), rng.choice([0.0, 0.0, 1e3, 1e6]) * rng.normal(size=3)
    turned = frame @ (Rotation.from_rotvec(tilt) * spin).as_matrix()
    made = []
    for kind, at, axes, size, r in zip(order, (far, far + place), (frame, turned), (half, above), radius, strict=True):
        step = size[0] * axes[:, 0] * scale
        makers: dict[Kind, Callable[..., Shape]] = {
            Segment: lambda p, s, a, h, r: Segment(p - s, p + s),
            Ray: lambda p, s, a, h, r: Ray(p - s, a[:, 0]),
            Line: lambda p, s, a, h, r: Line(p - s, a[:, 0]),
            Capsule: lambda p, s, a, h, r: Capsule(p - s, p + s, r),
            AABB: lambda p, s, a, h, r: AABB(p - h, p + h),
            OrientedBox: lambda p, s, a, h, r: OrientedBox(p, a, h),
            ConvexHull: lambda p, s, a, h, r: ConvexHull(p + (CORNERS * h) @ a.T),
            HalfSpace: lambda p, s, a, h, r: HalfSpace(p, -a[:, 2] if made else a[:, 2]),
        }
        made.append(makers[kind](at * scale, step, axes, size * scale, r * scale))
    return made[0], made[1]


def extent(shape: Any) -> FloatArray:
    """Return the largest coordinate or radius of each element of a batch, as rounding goes by it."""
    values = shape.values()
    if isinstance(shape, ConvexHull):  # rounding goes by its middle, and by how far its corners are from that
        middle = shape.points.mean(axis=-2)
        far = np.linalg.norm(shape.points - middle[..., None, :], axis=-1).max(axis=-1)
        return np.asarray(np.abs(middle).max(axis=-1) + far + shape.radius)
    if "axes" in values:
        return np.asarray(np.abs(shape.center).max(axis=-1) + shape.half_extents.max(axis=-1))
    parts = [
        np.abs(v).max(axis=tuple(range(1, v.ndim))) if v.ndim > 1 else v
        for name, v in values.items()
        if name not in ("direction", "normal")
    ]
    return np.asarray(np.max(np.broadcast_arrays(*parts), axis=0))


def the_whole_contract(a: Shape, b: Shape, *, limit: float = 1e-14, **options: float) -> Manifold:
    """Check all that is said of the patches of a batch of pairs, and return them."""
    patch, near = manifold(a, b, **options), closest_points(a, b)
    endless = np.isneginf(near.signed_distance)  # no move parts them, and both points are one that they have in common
    assert np.all(patch.count[endless] == 1)
    assert np.array_equal(patch.on_a[endless, 0], patch.on_b[endless, 0])
    rows, slots = np.nonzero(used(patch) & ~endless[:, None])
    p, q, d = (values[rows, slots] for values in (patch.on_a, patch.on_b, patch.signed_distance))
    n = patch.normal[rows]
    reach = np.maximum(extent(a), extent(b))
    reach = np.maximum(reach, np.maximum(np.abs(near.on_a), np.abs(near.on_b)).max(axis=-1))
    size = np.maximum(np.maximum(reach[rows], np.abs(np.concatenate([p, q], axis=-1)).max(axis=-1)), 1e-300)
    assert np.array_equal(patch.normal, near.normal)
    for what, errors in (
        ("on A", signed_distance(Point(p), a[rows])),
        ("on B", signed_distance(Point(q), b[rows])),
        ("opposite", np.abs(q - p - d[:, None] * n).max(axis=-1)),
        ("no deeper than the pair", np.maximum(near.signed_distance[rows] - d, 0.0)),
    ):
        worst = int(np.argmax(np.abs(errors) / size)) if len(rows) else 0
        assert np.all(np.abs(errors) <= limit * size), (
            f"{what}: {errors[worst] / size[worst]:g}: {a[rows[worst]]!r}, {b[rows[worst]]!r}"
        )
    touching = contact(a, b, margin=options.get("margin", 0.0)).touching
    assert np.array_equal(patch.count > 0, touching)
    least = np.where(used(patch), patch.signed_distance, np.inf).min(axis=-1)
    assert np.all(least[touching] <= (near.signed_distance + limit * np.maximum(reach, 1e-300))[touching])
    assert np.all(d <= options.get("margin", 0.0) + 8.0 * EPS * size)
    for values in (patch.on_a, patch.on_b, patch.signed_distance):
        assert np.isnan(values[~used(patch)]).all()
        assert not np.isnan(values[used(patch)]).any()
    goes_around(patch, size=reach)
    return patch


def goes_around(patch: Manifold, size: FloatArray) -> None:
    """Check that points go around the normal counter-clockwise, without a dent; the last one may be inside."""
    for i in np.flatnonzero(patch.count > 3):
        points, n = patch.on_a[i, : int(patch.count[i])], patch.normal[i]
        level = points - (points @ n)[:, None] * n
        for skip in (0, 1):
            ring = level[: len(level) - skip]
            steps = np.roll(ring, -1, axis=0) - ring
            bends = np.cross(steps, np.roll(steps, -1, axis=0)) @ n
            if np.all(bends >= -1e-13 * size[i] * np.abs(steps).max()):
                break
        else:
            pytest.fail(f"not in order: {points}, {n}")


@pytest.mark.parametrize("order", PAIRS, ids=names)
def test_points_are_on_the_surfaces_opposite_to_each_other(order: Order) -> None:
    pairs = cases(order, 300)
    for angle, margin in product((0.1, 0.0, 1.0), (0.0, 1e9)):
        for one, other in ((pairs.a, pairs.b), (pairs.b, pairs.a)):
            the_whole_contract(one, other, angle=angle, margin=margin)


@pytest.mark.parametrize("order", RESTING, ids=names)
def test_patches_of_shapes_that_lie_on_each_other(order: Order) -> None:
    a, b = lying(order, np.random.default_rng([2, *map(LEVEL.index, order)]))
    for options in ({}, {"margin": 0.1}, {"angle": 1.0, "margin": 1e9}, {"angle": 0.0}):
        patch = the_whole_contract(a, b, **options)
    assert np.any(patch.count > 0)
    assert np.any(the_whole_contract(a, b, margin=1e9).count > 1) or {*order} <= ENDLESS


@pytest.mark.parametrize("order", RESTING, ids=names)
def test_the_other_order_has_the_same_points(order: Order) -> None:
    a, b = lying(order, np.random.default_rng(5), 40)
    one, other = manifold(a, b, margin=0.05), manifold(b, a, margin=0.05)
    size = np.maximum(extent(a), extent(b))
    level = np.abs(one.normal + other.normal).max(axis=-1) < 1e-14  # else there was a choice
    level &= np.isfinite(signed_distance(a, b))
    if {*order} <= {Ray, Line}:  # all but parallel ones are near each other over any length
        level &= (np.cross(*(shape.values()["direction"] for shape in (a, b))) ** 2).sum(axis=-1) > 1e-6
    assert level.sum() > 3
    for i in np.flatnonzero(level & (one.count == other.count)):
        k = int(one.count[i])
        for mine, theirs in ((one.on_a, other.on_b), (one.on_b, other.on_a)):
            apart = np.linalg.norm(mine[i, :k, None] - theirs[i, None, :k], axis=-1)
            assert apart.min(axis=1, initial=np.inf).max(initial=0.0) <= 1e-12 * size[i]
    assert np.mean((one.count == other.count)[level]) > 0.9  # the rest differ by points that are near the margin


# --- how many there are ---------------------------------------------------------------------------

PLATE = AABB([-2, -2, -1], [2, 2, 0])
GROUND = HalfSpace([5, 3, 0], [0, 0, 1])
STICK = Segment([-1, 0, 0], [1, 0, 0])
NUMBERS: dict[str, tuple[Shape, Shape, int]] = {
    "sphere on sphere": (Sphere([0, 0, 0], 1), Sphere([0, 0, 1.5], 1), 1),
    "sphere on box": (PLATE, Sphere([0, 0, 0.5], 0.5), 1),
    "point in box": (PLATE, Point([0, 0, -0.1]), 1),
    "sphere on capsule": (Capsule([-1, 0, 0], [1, 0, 0], 1), Sphere([0, 0, 2], 1), 1),
    "concentric spheres": (Sphere([0, 0, 0], 1), Sphere([0, 0, 0], 2), 1),
    "spheres that are apart": (Sphere([0, 0, 0], 1), Sphere([0, 0, 3], 1), 0),
    "box on box": (PLATE, AABB([-1, -1, -0.1], [1, 1, 2]), 4),
    "box on box, over the edge": (PLATE, AABB([1, 1, 0], [3, 3, 2]), 4),
    "turned box on box": (PLATE, OrientedBox([0, 0, 1], turn("z", 30), [1, 1, 1]), 4),
    "turned box on a box of its size": (CUBE, OrientedBox([0, 0, 1.9], turn("z", 45), [1, 1, 1]), 8),
    "turned box over a corner": (CUBE, OrientedBox([1, 1, 2], turn("z", 45), [1, 1, 1]), 3),
    "box in box": (CUBE, AABB([-0.5, -0.5, 0.2], [0.5, 0.5, 0.8]), 4),
    "the same box": (CUBE, CUBE, 4),
    "box beside box, edge on edge": (CUBE, AABB([1, -1, 1], [2, 1, 2]), 2),
    "box beside box, corner on corner": (CUBE, AABB([1, 1, 1], [2, 2, 2]), 1),
    "box on its edge": (PLATE, OrientedBox([0, 0, 1.4], turn("x", 45), [1, 1, 1]), 2),
    "box on its corner": (
        PLATE,
        OrientedBox([0, 0, 1.6], turn("y", 35) @ turn("x", 45), [1, 1, 1]),
        1,
    ),
    "edge across edge": (
        OrientedBox([0, 0, -1.4], turn("x", 45), [1, 1, 1]),
        OrientedBox([0, 0, 1.4], turn("y", 45), [1, 1, 1]),
        1,
    ),
    "capsule on box": (PLATE, Capsule([-1, 0, 0.5], [1, 0, 0.5], 0.5), 2),
    "capsule over the end of a box": (PLATE, Capsule([1, 0, 0.5], [5, 0, 0.5], 0.5), 2),
    "capsule along the edge of a box": (PLATE, Capsule([-1, 2.25, 0.25], [1, 2.25, 0.25], 0.5), 2),
    "capsule on its end": (PLATE, Capsule([0, 0, 0.5], [0, 0, 2], 0.5), 1),
    "capsule in box": (CUBE, Capsule([-0.5, 0, 0.6], [0.5, 0, 0.6], 0.1), 2),
    "capsule side by side": (Capsule([-1, 0, 0], [1, 0, 0], 0.5), Capsule([0, 0, 1], [3, 0, 1], 0.5), 2),
    "capsule across capsule": (Capsule([-1, 0, 0], [1, 0, 0], 0.5), Capsule([0, -1, 1], [0, 1, 1], 0.5), 1),
    "capsule behind capsule": (Capsule([-1, 0, 0], [1, 0, 0], 0.5), Capsule([2, 0, 0], [3, 0, 0], 0.5), 1),
    "capsules on one axis": (Capsule([-1, 0, 0], [1, 0, 0], 0.5), Capsule([0, 0, 0], [3, 0, 0], 0.25), 2),
    "capsule beside a box's edge": (
        OrientedBox([0, 0, -np.sqrt(2)], turn("x", 45), [1, 1, 1]),
        Capsule([-3, 0, 0.5], [0, 0, 0.5], 0.5),
        2,
    ),
    "segment on box": (PLATE, STICK, 2),
    "segment in box": (PLATE, Segment([-1, 0, -0.25], [1, 0, -0.25]), 2),
    "segment through box": (PLATE, Segment([-5, 0, -0.25], [5, 0, -0.25]), 2),
    "segment across segment, nearly along it": (STICK, Segment([-1, -1e-9, 0], [1, 1e-9, 0]), 1),
    "segment across segment": (STICK, Segment([0, -1, 0], [0, 1, 0]), 1),
    "segment on segment": (STICK, Segment([0.5, 0, 0], [9, 0, 0]), 2),
    "segment behind segment": (STICK, Segment([1, 0, 0], [9, 0, 0]), 1),
    "segment of no length": (PLATE, Segment([1, 1, 0], [1, 1, 0]), 1),
    "flat box in box": (CUBE, AABB([-0.5, -0.5, 0.5], [0.5, 0.5, 0.5]), 4),
    "flat box on flat box": (AABB([-1, -1, 0], [1, 1, 0]), AABB([0, 0, 0], [3, 3, 0]), 4),
    "box as thin as a stick": (PLATE, AABB([-1, 0, 0], [1, 0, 0]), 2),
    "box of no size": (PLATE, AABB([1, 0, 0], [1, 0, 0]), 1),
    "line over box": (PLATE, Line([0, 0, 0], [1, 0, 0]), 2),
    "ray from within": (PLATE, Ray([0, 0, 0], [1, 0, 0]), 2),
    "line on line": (Line([0, 0, 0], [1, 0, 0]), Line([5, 0, 0], [1, 0, 0]), 1),
    "ray on ray, the same way": (Ray([0, 0, 0], [1, 0, 0]), Ray([5, 0, 0], [1, 0, 0]), 1),
    "ray on ray, face to face": (Ray([0, 0, 0], [1, 0, 0]), Ray([5, 0, 0], [-1, 0, 0]), 2),
    "ray along a capsule": (Capsule([-1, 0, 0], [1, 0, 0], 0.5), Ray([0, 0.5, 0], [1, 0, 0]), 2),
    "box on half-space": (GROUND, AABB([-1, -1, -0.1], [1, 2, 1]), 4),
    "turned box on half-space": (GROUND, OrientedBox([0, 0, 1], turn("z", 20) @ turn("x", 3), [1, 1, 1]), 2),
    "box on its edge on half-space": (GROUND, OrientedBox([0, 0, 1.4], turn("x", 45), [1, 1, 1]), 2),
    "capsule on half-space": (GROUND, Capsule([-1, 5, 0.5], [1, 5, 0.5], 0.5), 2),
    "segment in half-space": (GROUND, Segment([-1, 5, -0.5], [1, 5, -0.5]), 2),
    "ball on half-space": (GROUND, Sphere([3, 4, 0.5], 0.5), 1),
    "line on half-space": (GROUND, Line([3, 4, 0], [1, 2, 0]), 1),
    "line through half-space": (GROUND, Line([3, 4, 0], [1, 2, 1]), 1),
    "half-space against half-space": (GROUND, HalfSpace([0, 0, -1], [0, 0, -1]), 1),
    "line through a box": (PLATE, Line([0, 0, 0], [0, 0, 1]), 2),
    "line past a corner": (PLATE, Line([2, 2, 0], [1, -1, 0.5]), 1),
}


@pytest.mark.parametrize(("a", "b", "count"), NUMBERS.values(), ids=NUMBERS.keys())
def test_as_many_points_as_there_are_corners(a: Shape, b: Shape, count: int) -> None:
    for pair in ((a, b), (b, a)):
        patch = the_whole_contract(*(stacked([shape]) for shape in pair))
        assert patch.count.tolist() == [count]


def test_edges_that_are_apart_lie_along_each_other() -> None:
    lower, upper = (OrientedBox([x, 0, z], turn("x", 45), [1, 1, 1]) for x, z in ((0, -1.5), (0.5, 1.5)))
    patch = manifold(lower, upper, margin=1.0)
    np.testing.assert_allclose(points_of(patch), [[1, 0, np.sqrt(2) - 1.5], [-0.5, 0, np.sqrt(2) - 1.5]], atol=1e-15)
    np.testing.assert_allclose(patch.signed_distance[:2], 3.0 - 2.0 * np.sqrt(2), atol=1e-15)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (
            Ray(
                [52348.978261868615, 21298.963468475114, -11202.010290413944],
                [-0.9085918513812512, -0.36967416161433714, 0.1944270090247932],
            ),
            Line(
                [14412.90930487758, 8956.141185526709, 28277.116106370886],
                [-0.9085918513812518, -0.3696741616143363, 0.1944270090247926],
            ),
        ),
        (
            Ray(
                [-0.055286921255463306, 0.01745454662954678, -0.006646377707835638],
                [0.947399803676124, -0.2991020963833157, 0.1138927036010098],
            ),
            Ray(
                [-0.04354086398349037, 0.014186888255630503, 0.0039417351562774545],
                [0.947399803676124, -0.2991020963833157, 0.11389270360100981],
            ),
        ),
    ],
    ids=["more", "less"],
)
def test_what_is_endless_has_no_corner_where_rounding_parts_it(a: Shape, b: Shape) -> None:
    for one, other in ((a, b), (b, a)):
        assert manifold(one, other, margin=1e9).count == 1


def test_a_crate_on_the_corner_of_a_floor() -> None:
    patch = manifold(AABB([-2, -2, -1], [2, 2, 0]), AABB([0, 0, -0.125], [3, 1, 1]))
    assert patch.count == 4
    assert patch.on_a[:4].tolist() == [[2, 1, 0], [0, 1, 0], [0, 0, 0], [2, 0, 0]]
    assert patch.on_b[:4].tolist() == [[2, 1, -0.125], [0, 1, -0.125], [0, 0, -0.125], [2, 0, -0.125]]
    assert patch.point[:4, 2].tolist() == [-0.0625] * 4
    assert patch.depth[:4].tolist() == [0.125] * 4
    assert np.isnan(patch.depth[4:]).all()


# --- against the shapes themselves ----------------------------------------------------------------


@pytest.mark.parametrize("kinds", [(AABB, AABB), (AABB, OrientedBox), (OrientedBox, OrientedBox)], ids=names)
def test_the_patch_is_where_both_surfaces_are_as_near(kinds: Order) -> None:
    """Rays along the normal meet both surfaces a signed distance apart in all of the patch, and nowhere beside it."""
    rng = np.random.default_rng([6, *map(LEVEL.index, kinds)])
    inside = outside = 0
    for _ in range(40):
        half, above = rng.uniform(0.3, 1.0, (2, 3))
        spin = turn("z", float(rng.uniform(0, 360))) if kinds[1] is OrientedBox else np.eye(3)
        place = np.array([*rng.uniform(-1.0, 1.0, 2), half[2] + above[2] - 0.05])
        if kinds[0] is OrientedBox:
            frame = random_frame(rng)
            a: Shape = OrientedBox([0, 0, 0], frame, half)
            b: Shape = OrientedBox(frame @ place, frame @ spin, above)
        else:
            a, frame = AABB(-half, half), np.eye(3)
            b = OrientedBox(place, spin, above) if kinds[1] is OrientedBox else AABB(place - above, place + above)
        patch = manifold(a, b)
        n = patch.normal
        if patch.count < 3 or abs(n @ frame[:, 2]) < 0.999999:
            continue
        places = frame @ np.vstack([rng.uniform(-1.6, 1.6, (2, 200)), np.zeros(200)])
        from_above, from_below = Ray(places.T + 9 * n, -n), Ray(places.T - 9 * n, n)
        gap = raycast(from_above, a).enter + raycast(from_below, b).enter - 18.0
        both = np.abs(gap - signed_distance(a, b)) < 1e-9
        ring = points_of(patch)
        steps = np.roll(ring, -1, axis=0) - ring
        within = np.all(np.cross(steps[:, None], places.T[None] - ring[:, None]) @ n >= 0.0, axis=0)
        assert np.array_equal(within, both)
        inside, outside = inside + int(within.sum()), outside + int((~within).sum())
    assert min(inside, outside) > 300


def prism(ring: FloatArray, low: float, high: float, radius: float = 0.0) -> ConvexHull:
    return ConvexHull([[x, y, z] for x, y in ring for z in (low, high)], radius)


@pytest.mark.parametrize("seed", range(60))
def test_faces_of_hulls_are_cut_as_in_exact_arithmetic(seed: int) -> None:
    """Columns on a grid, that share corners and sides and touch in edges and points, flat and thin ones among them."""
    rng = np.random.default_rng(seed)
    wide, corners, far = int(rng.choice([2, 4, 30])), rng.integers(1, 12, 2), rng.choice([0.0, 0.0, 100.0])
    rings = [rng.integers(-wide, wide + 1, (count, 2)).astype(float) for count in corners]
    radii = rng.choice([0.0, 0.0, 0.5], 2).tolist()
    depth = float(rng.choice([0.0, 0.0, 0.125]))
    low, high = -float(rng.integers(0, 2)) * wide, float(rng.integers(0, 2)) * wide
    gap = sum(radii) - depth
    lower, upper = prism(rings[0], low, 0.0, radii[0]), prism(rings[1], gap, gap + high, radii[1])
    wanted = in_common(*([(Fraction(x), Fraction(y)) for x, y in ring.tolist()] for ring in rings))
    pose = Transform(far * rng.normal(size=3), random_frame(rng))
    if not wanted or (depth and (low == 0.0 or high == 0.0)):
        return
    for a, b in ((lower, upper), (lower.transformed(pose), upper.transformed(pose))):
        patch = manifold(a, b)
        up = np.array([0.0, 0.0, 1.0]) if a is lower else pose.axes[:, 2]
        if patch.normal @ up < 1.0 - 1e-12:
            continue  # they part sideways as well
        the_whole_contract(*(stacked([shape]) for shape in (a, b)))
        own = points_of(patch) if a is lower else (points_of(patch) - pose.position) @ pose.axes
        off = np.linalg.norm(np.array(wanted, dtype=float)[:, None] - own[None, :, :2], axis=-1)
        assert off.min(axis=0).max() <= 1e-14 * (wide + far)
        if len(wanted) <= 8:
            assert patch.count == len(wanted)
            assert off.min(axis=1).max() <= 1e-14 * (wide + far)
        else:
            assert 5 <= patch.count <= 8
        assert np.abs(own[:, 2] - radii[0]).max() <= 1e-14 * (wide + far)
        assert np.abs(patch.signed_distance[: len(own)] + depth).max() <= 1e-14 * (wide + far)


def test_of_many_corners_those_are_told_that_are_farthest_in_eight_directions() -> None:
    ring = np.array([[np.cos(t), np.sin(t)] for t in 2 * np.pi * np.arange(40) / 40])
    patch = manifold(prism(ring, -1, 0), prism(ring, 0, 1))
    assert patch.count == 8
    turns = np.degrees(np.arctan2(*points_of(patch)[:, 1::-1].T))
    assert np.all(np.abs(np.abs(np.diff(turns) + 360) % 360 - 45) <= 9)


def test_a_hull_that_is_a_box_has_the_patches_of_that_box() -> None:
    rng = np.random.default_rng(3)
    corners = np.array(list(product((-1.0, 1.0), repeat=3)))
    others: list[Shape] = [
        *(OrientedBox([0.3, 0.2, 1.9], turn("z", degrees), [1, 0.8, 1]) for degrees in (0, 20, 45)),
        OrientedBox([0, 0, 2.35], turn("x", 45), [1, 1, 1]),
        Capsule([-3, 0, 1.4], [0.5, 0.2, 1.4], 0.5),
        Segment([-3, 0, 1], [0.5, 0.2, 1]),
        HalfSpace([0, 0, 0.9], [0, 0, -1]),
        Cylinder([0.8, 0, 0.9], [0.8, 0, 2], 0.5),
    ]
    for other, frame in product(others, (np.eye(3), random_frame(rng))):
        pose = Transform([0, 0, 0], frame)
        moved = other.transformed(pose)
        box, same = OrientedBox([0, 0, 0], frame, [1, 1, 1]), ConvexHull(corners).transformed(pose)
        for one, two in (((box, moved), (same, moved)), ((moved, box), (moved, same))):
            got, expected = manifold(*two), manifold(*one)
            assert got.count == expected.count
            np.testing.assert_allclose(points_of(got), points_of(expected), atol=4e-15)


@pytest.mark.parametrize("tilt", [1e-16, 1e-12, 1e-9, 1e-6, 1e-3, 0.05])
def test_a_tilted_box_has_the_same_corners_at_other_depths(tilt: float) -> None:
    rng = np.random.default_rng(8)
    room = 12.0 * tilt + 1e-12
    for _ in range(50):
        axis = rng.normal(size=3)
        axes = Rotation.from_rotvec(tilt * axis / np.linalg.norm(axis)).as_matrix() @ turn(
            "z", float(rng.uniform(20, 70))
        )
        lower, upper = AABB([-1, -1, -1], [1, 1, 0]), OrientedBox([0.1, 0.2, 0.9], axes, [1, 0.8, 1])
        level = OrientedBox([0.1, 0.2, 0.9], turn("z", np.degrees(np.arctan2(axes[1, 0], axes[0, 0]))), [1, 0.8, 1])
        got, flat = manifold(lower, upper, margin=1.0), manifold(lower, level)
        off = np.linalg.norm(points_of(got)[:, None] - points_of(flat)[None], axis=-1)
        assert off.min(axis=0).max() < room
        assert off.min(axis=1).max() < room
        wanted = flat.signed_distance[off.argmin(axis=1)]
        assert np.abs(got.signed_distance[: int(got.count)] - wanted).max() < room


def test_nothing_jumps_where_the_reference_face_changes() -> None:
    """Tilted by as much to either side of the normal, both faces are as level: a little more or less tips the scale."""
    lower = OrientedBox([0, 0, -1], turn("y", 1), [1, 1, 1])
    patches = [
        manifold(lower, OrientedBox([0.3, 0.2, 0.97], turn("y", -1 + shift) @ turn("z", 20), [1, 1, 1]), margin=0.2)
        for shift in np.linspace(-1e-9, 1e-9, 21)
    ]
    assert len({int(patch.count) for patch in patches}) == 1
    for one in patches[1:]:
        # The normal may jump from the one face's to the other's; the corners cannot by more than that times the depth.
        assert np.abs(points_of(one) - points_of(patches[0])).max() < 0.1 * np.sin(np.radians(2)) + 1e-8
        assert np.abs(one.signed_distance[: int(one.count)] - patches[0].signed_distance[: int(one.count)]).max() < 1e-3


@pytest.mark.parametrize("kind", [OrientedBox, Capsule])
def test_the_angle_decides_what_is_level(kind: Kind) -> None:
    for angle in (0.02, 0.1, 0.3):
        for tilt, count in (
            (0.999 * angle, 4 if kind is OrientedBox else 2),
            (1.001 * angle, 2 if kind is OrientedBox else 1),
        ):
            axes = Rotation.from_rotvec([0, tilt, 0]).as_matrix()
            shape: Shape = OrientedBox([0, 0, 1], axes, [1, 1, 1])
            if kind is Capsule:
                shape = Capsule(-axes[:, 0] + [0, 0, 0.5], axes[:, 0] + [0, 0, 0.5], 0.5)
            assert manifold(PLATE, shape, margin=5.0, angle=angle).count == count
            assert manifold(shape, PLATE, margin=5.0, angle=angle).count == count


def test_points_that_are_farther_than_the_margin_are_left_out() -> None:
    axes = Rotation.from_rotvec([0, 0.05, 0]).as_matrix()
    box = OrientedBox([0, 0, 1.0], axes, [1, 1, 1])
    high = 1.0 - np.cos(0.05) + np.sin(0.05)
    assert manifold(PLATE, box, margin=high * 0.999).count == 2
    patch = manifold(PLATE, box, margin=high * 1.001)
    assert patch.count == 4
    assert sorted(np.round(patch.signed_distance[:4], 12)) == pytest.approx(
        [1 - np.cos(0.05) - np.sin(0.05)] * 2 + [high] * 2
    )
    assert manifold(PLATE, box.translated([0, 0, 1])).count == 0
    assert manifold(PLATE, box.translated([0, 0, 1]), margin=2.0).count == 4


def test_capsules_that_cross_at_a_small_angle_are_deepest_between_their_ends() -> None:
    rods = Capsule([-5, 0, 0], [5, 0, 0], 0.5), Capsule([-5, -0.2, 0.9], [5, 0.2, 0.9], 0.5)
    patch = manifold(*rods)
    assert patch.count == 3
    assert patch.signed_distance[:3].argmin() == 2
    assert patch.signed_distance[2] == signed_distance(*rods)
    np.testing.assert_allclose(np.abs(patch.point[:2, 0]), 5.0, atol=0.02)
    np.testing.assert_allclose(patch.point[2], [0, 0, 0.45], atol=1e-15)
    # On both surfaces, so less deep than straight between the axes.
    assert patch.signed_distance[0] == pytest.approx(0.9 - np.sqrt(1.0 - 0.2**2), abs=1e-3)


def test_boxes_are_boxes_and_sticks_are_segments() -> None:
    """The kernels of all pairs of cores agree: a box is a box, aligned or not, and a stick is a segment."""
    box, as_box = AABB([-1, -1, -1], [1, 1, 0.25]), AABB([-1, -1, -1], [1, 1, 0.25]).oriented()
    crate = AABB([0, 0, 0], [2, 2, 2])
    expected = manifold(box, crate)
    for a, b in product((box, as_box), (crate, crate.oriented())):
        got = manifold(a, b)
        assert got.count == expected.count == 4
        np.testing.assert_allclose(points_of(got), points_of(expected), atol=1e-15)
    stick, segment = AABB([-3, 0, 0.25], [0.5, 0, 0.25]), Segment([-3, 0, 0.25], [0.5, 0, 0.25])
    np.testing.assert_allclose(points_of(manifold(box, stick)), points_of(manifold(box, segment)), atol=1e-15)


def test_large_batches_are_done_in_parts() -> None:
    rng = np.random.default_rng(9)
    places = rng.uniform(-2, 2, (70_000, 3))
    boxes = AABB(places - 0.5, places + 0.5)
    patch = manifold(CUBE, boxes)
    for i in rng.integers(0, 70_000, 50):
        assert same_bits(manifold(CUBE, boxes[int(i)]), Manifold(*(getattr(patch, f)[i] for f in FIELDS)))
    tips = places[:200] + np.array([1.0, 0.0, 0.0])
    sticks, grid = Capsule(places[:200], tips, 0.25), boxes[np.arange(350)[:, None]]
    patch = manifold(sticks, grid, margin=0.5)
    assert patch.count.shape == (350, 200)
    for i, j in zip(rng.integers(0, 350, 50).tolist(), rng.integers(0, 200, 50).tolist(), strict=True):
        one = manifold(sticks[j], grid[i, 0], margin=0.5)
        assert same_bits(one, Manifold(*(getattr(patch, f)[i, j] for f in FIELDS)))


def test_mistakes_are_named() -> None:
    with pytest.raises(TypeError, match="manifold"):
        manifold(CUBE, 3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="manifold: margin"):
        manifold(CUBE, CUBE, margin=-1.0)
    for angle in (-0.1, 1.6, np.nan, np.inf):
        with pytest.raises(ValueError, match="manifold: angle"):
            manifold(CUBE, CUBE, angle=angle)
    with pytest.raises(ValueError, match="broadcast"):
        manifold(Sphere(np.zeros((2, 3)), 1), Sphere(np.zeros((3, 3)), 1))
