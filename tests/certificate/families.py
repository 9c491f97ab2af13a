"""Hard pairs for the certificate, in batches: what `tests.strategies` describes one by one, and more that is nearly so.

Nearly is the point of most of them: directions, places and turns are off by 1e-17 to 1e-6 from where a face, an edge or
a corner is met exactly, and from where boxes are aligned.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from scipy.spatial.transform import Rotation

from collision.base.fields import FloatArray
from collision.shapes.kinds import AABB, KINDS
from tests.strategies import RIGHT_ANGLES, ROUND, SPANNED, Generator, Kind, Recipe

Kinds: TypeAlias = tuple[Kind, Kind]
Recipes: TypeAlias = tuple[Recipe, Recipe]
Family: TypeAlias = Callable[[Kinds, Generator, int], Recipes]

_RIGHT_ANGLES = np.stack(RIGHT_ANGLES)


class Cases(NamedTuple):
    """Pairs of two kinds as two batches, and the names of the families that they are of."""

    a: Any
    b: Any
    families: list[str]

    def turned(self) -> Cases:
        return Cases(self.b, self.a, self.families)

    def code(self, i: int) -> str:
        """Return Python code that makes one case."""
        return f"a = {self.a[i]!r}\nb = {self.b[i]!r}"


# --- numbers, directions, frames ------------------------------------------------------------------


def hairs(rng: Generator, *shape: int, finest: float = -17.0, coarsest: float = -6.0) -> FloatArray:
    """Return lengths from 1e-17 to 1e-6, any power of ten alike, and now and then zero."""
    return np.asarray(10.0 ** rng.uniform(finest, coarsest, shape) * (rng.random(shape) < 0.9))


def directions(rng: Generator, n: int) -> FloatArray:
    """Return unit vectors: any, along an axis, or in the plane of two."""
    ways = rng.normal(size=(n, 3)) * rng.choice([1.0, 1.0, 0.0], size=(n, 3))
    ways[~ways.any(axis=1), 0] = 1.0
    return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True))


def turns(ways: FloatArray, angles: FloatArray) -> FloatArray:
    """Return the matrices of turns about unit vectors."""
    return np.asarray(Rotation.from_rotvec(angles[:, None] * ways).as_matrix())


def random_frames(rng: Generator, n: int) -> FloatArray:
    return np.asarray(Rotation.random(n, rng=rng).as_matrix())


def right_angles(rng: Generator, n: int) -> FloatArray:
    return np.asarray(_RIGHT_ANGLES[rng.integers(len(_RIGHT_ANGLES), size=n)])


def in_planes(rng: Generator, n: int) -> FloatArray:
    """Return frames turned about one of the world's axes: all of their other axes are in its plane, to the last bit."""
    angles = np.where(rng.random(n) < 0.5, rng.choice([0.0, np.pi / 4, np.pi / 2, 0.3], n), rng.uniform(0, np.pi, n))
    return np.asarray(right_angles(rng, n) @ turns(np.eye(3)[rng.integers(3, size=n)], angles) @ right_angles(rng, n))


def nearly(frames: FloatArray, rng: Generator) -> FloatArray:
    """Turn frames by a hair, about any axis or about one of the world's."""
    n = len(frames)
    return np.asarray(turns(directions(rng, n), hairs(rng, n)) @ frames)


def taken(frames: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the axes of each frame times weights (n, 3), summed."""
    return np.asarray((frames @ weights[:, :, None])[:, :, 0])


def mixed(rng: Generator, n: int, *choices: Any) -> FloatArray:
    """Return rows of several arrays, each row from any of them."""
    pick = rng.integers(len(choices), size=n)
    return np.asarray(np.stack([np.broadcast_to(choice, np.shape(choices[0])) for choice in choices])[pick, range(n)])


# --- recipes --------------------------------------------------------------------------------------


def plain(rng: Generator, n: int) -> Recipe:
    return Recipe(
        rng.normal(size=(n, 3)), random_frames(rng, n), rng.uniform(0.2, 1.0, (n, 3)), rng.uniform(0.2, 1.0, n)
    )


def whole(rng: Generator, n: int) -> Recipe:
    """Make recipes of small whole numbers: flat and zero-length shapes and exact touches come by themselves."""
    at, half = rng.integers(-3, 4, (n, 3)).astype(float), rng.integers(0, 3, (n, 3)).astype(float)
    return Recipe(at, right_angles(rng, n), half, rng.integers(0, 3, n).astype(float))


def frames_of(kind: Kind, recipe: Recipe) -> FloatArray:
    return np.broadcast_to(np.eye(3), recipe.frame.shape) if kind is AABB else recipe.frame


def core_offsets(kind: Kind, recipe: Recipe, weights: FloatArray) -> FloatArray:
    """Return the offset of a point of the core from its place: the half sizes times weights, as far as there are any.

    Shapes that are not spanned by half sizes are at their place alone.
    """
    return taken(frames_of(kind, recipe), recipe.half * weights * (np.arange(3) < SPANNED.get(kind, 0)))


def radius_of(kind: Kind, recipe: Recipe) -> FloatArray:
    return np.asarray(recipe.radius * (kind in ROUND))


def meeting(kinds: Kinds, a: Recipe, b: Recipe, rng: Generator, gaps: Any = 0.0) -> Recipes:
    """Move b so that any point of its core lies on one of a's, or a gap away."""
    n = len(a.at)
    ways = directions(rng, n)
    first, second = rng.uniform(-1.0, 1.0, (2, n, 3))
    point = a.at + core_offsets(kinds[0], a, first) + np.reshape(gaps, (-1, 1)) * ways
    return a, replace(b, at=point - core_offsets(kinds[1], b, second))


# --- families -------------------------------------------------------------------------------------


def anywhere(kinds: Kinds, rng: Generator, n: int) -> Recipes:
    a, b = plain(rng, n), plain(rng, n)
    reach = sum(radius_of(kind, r) for kind, r in zip(kinds, (a, b), strict=True)) + 0.5
    return meeting(kinds, a, b, rng, reach * rng.uniform(0.0, 2.0, n))


def sharing_a_point(kinds: Kinds, rng: Generator, n: int) -> Recipes:
    return meeting(kinds, plain(rng, n), plain(rng, n), rng)


def on_a_lattice(_kinds: Kinds, rng: Generator, n: int) -> Recipes:
    return whole(rng, n), whole(rng, n)


def nearly_on_a_lattice(_kinds: Kinds, rng: Generator, n: int) -> Recipes:
    """Boxes that are aligned but for a hair, apart, touching and deep, and lines that run along them."""
    a, b = whole(rng, n), whole(rng, n)
    off = hairs(rng, n, 1) * directions(rng, n) * (rng.random((n, 1)) < 0.5)
    return a, replace(b, frame=nearly(b.frame, rng), at=b.at + off)


def at_features(kinds: Kinds, rng: Generator, n: int) -> Recipes:
    """Put a face, an edge or a corner of b near one of a, at a hair's or any distance, along it but for a hair.

    Directions are along the other's axes or in the planes of its faces, but for a hair.
    """
    return _at_features(kinds, mixed_recipes(rng, n, plain(rng, n), whole(rng, n)), plain(rng, n), rng)


def slender_at_features(kinds: Kinds, rng: Generator, n: int) -> Recipes:
    """Put long and thin, large and small shapes there: a million times as long as thick, or as the other."""
    factors = 10.0 ** mixed(rng, n, rng.uniform(-6.0, 6.0, (n, 8)), rng.choice([-3.0, 0.0, 3.0], (n, 8)))
    a, b = mixed_recipes(rng, n, plain(rng, n), whole(rng, n)), plain(rng, n)
    a = replace(a, half=a.half * factors[:, :3], radius=a.radius * factors[:, 3])
    return _at_features(kinds, a, replace(b, half=b.half * factors[:, 4:7], radius=b.radius * factors[:, 7]), rng)


def _at_features(kinds: Kinds, a: Recipe, b: Recipe, rng: Generator) -> Recipes:
    n = len(a.at)
    base = _base(kinds, rng, n)
    a = replace(a, frame=base)
    b = replace(b, frame=nearly(base @ in_planes(rng, n), rng))
    corners = rng.choice([-1.0, 1.0, -1.0, 1.0, 0.0, 0.4], (2, n, 3))
    ways = taken(base, np.where(np.abs(corners[0]) == 1.0, corners[0], 0.0))
    ways = mixed(rng, n, ways / np.maximum(np.linalg.norm(ways, axis=1, keepdims=True), 1.0), directions(rng, n))
    gaps = mixed(rng, n, hairs(rng, n), -hairs(rng, n), rng.uniform(0.0, 1.0, n), rng.uniform(-0.5, 0.0, n))
    grown = radius_of(kinds[0], a) + radius_of(kinds[1], b)
    gaps = gaps + grown * rng.integers(0, 2, n)
    point = a.at + core_offsets(kinds[0], a, corners[0]) + gaps[:, None] * ways
    noise = hairs(rng, n, 3) * rng.choice([-1.0, 0.0, 1.0], (n, 3))
    return a, replace(b, at=point + noise - core_offsets(kinds[1], b, corners[1]))


def inside_along_faces(kinds: Kinds, rng: Generator, n: int) -> Recipes:
    """Overlap deeply, a direction of b being in a plane of a but for the last bits, as cos(pi / 2) makes them."""
    a, b = mixed_recipes(rng, n, plain(rng, n), whole(rng, n)), plain(rng, n)
    base = _base(kinds, rng, n)
    leaning = turns(directions(rng, n), hairs(rng, n, coarsest=-15.0))
    a, b = replace(a, frame=base), replace(b, frame=leaning @ base @ in_planes(rng, n))
    return meeting(kinds, a, b, rng)


def past_corners(kinds: Kinds, rng: Generator, n: int) -> Recipes:
    """Pass corners, edges and ends at a hair, and lean from an edge by a hair that is as wide."""
    a, b = mixed_recipes(rng, n, plain(rng, n), whole(rng, n)), plain(rng, n)
    base = _base(kinds, rng, n)
    hair = hairs(rng, n, finest=-12.0, coarsest=-5.0)
    turned = turns(directions(rng, n), hair * rng.uniform(0.0, 4.0, n))
    a, b = replace(a, frame=base), replace(b, frame=turned @ base @ right_angles(rng, n))
    signs = rng.choice([-1.0, 1.0], (n, 3))
    outside = hair[:, None] * rng.uniform(-1.0, 4.0, (n, 3)) * signs * rng.choice([0.0, 1.0, 1.0], (n, 3))
    ends = mixed(rng, n, rng.uniform(-1.0, 1.0, (n, 3)), rng.choice([-1.0, 0.0, 1.0], (n, 3)))
    point = a.at + core_offsets(kinds[0], a, signs) + taken(base, outside)
    return a, replace(b, at=point - core_offsets(kinds[1], b, ends))


def _base(kinds: Kinds, rng: Generator, n: int) -> FloatArray:
    """Return frames for the first shape: the world's where there is an axis-aligned box, else any in two of three."""
    world = np.broadcast_to(np.eye(3), (n, 3, 3))
    return world if AABB in kinds else mixed(rng, n, world, right_angles(rng, n), random_frames(rng, n))


def nearly_the_same(_kinds: Kinds, rng: Generator, n: int) -> Recipes:
    """Make both the same, but for a hair in the place, the turn and the sizes; or for some of these not at all."""
    a = mixed_recipes(rng, n, plain(rng, n), whole(rng, n))
    a = replace(a, frame=mixed(rng, n, a.frame, np.broadcast_to(np.eye(3), (n, 3, 3))))
    frame = mixed(rng, n, nearly(a.frame, rng), a.frame)
    at = a.at + hairs(rng, n, 1) * rng.normal(size=(n, 3)) * rng.integers(0, 2, (n, 1))
    half = a.half * (1.0 + hairs(rng, n, 3) * rng.integers(0, 2, (n, 1)))
    return a, Recipe(
        at, frame @ mixed(rng, n, np.broadcast_to(np.eye(3), (n, 3, 3)), right_angles(rng, n)), half, a.radius
    )


def parallel(kinds: Kinds, rng: Generator, n: int) -> Recipes:
    """Give both the same frame but for a hair: side by side, one behind the other, or collinear."""
    a, b = plain(rng, n), plain(rng, n)
    b = replace(
        b, frame=mixed(rng, n, a.frame, nearly(a.frame, rng)) @ mixed(rng, n, *_RIGHT_ANGLES[:4, None].repeat(n, 1))
    )
    a, aside = meeting(kinds, a, b, rng, rng.uniform(0.0, 20.0, n) ** rng.integers(-2, 2, n))
    behind = a.at + rng.uniform(-3.0, 3.0, (n, 1)) * a.frame[:, :, 0]
    return a, replace(b, at=mixed(rng, n, aside.at, behind))


def concentric(_kinds: Kinds, rng: Generator, n: int) -> Recipes:
    a, b = plain(rng, n), plain(rng, n)
    return a, replace(b, at=a.at + hairs(rng, n, 1) * directions(rng, n) * rng.integers(0, 2, (n, 1)))


def contained(kinds: Kinds, rng: Generator, n: int) -> Recipes:
    a, b = sharing_a_point(kinds, rng, n)
    small = rng.choice([0.5, 0.1, 1e-3, 1e-6], n)
    return a, replace(
        b, half=b.half * small[:, None], radius=b.radius * small, at=a.at + (b.at - a.at) * rng.uniform(0, 1, (n, 1))
    )


def flat(kinds: Kinds, rng: Generator, n: int) -> Recipes:
    """Zero lengths, flat boxes, boxes that are sticks or points; or thin as paper, foil or rounding."""
    a, b = at_features(kinds, rng, n)
    sizes = mixed(rng, n, rng.integers(0, 2, (n, 8)).astype(float), rng.choice([1.0, 1e-3, 1e-8, 1e-16], (n, 8)))
    a = replace(a, half=a.half * sizes[:, :3], radius=a.radius * sizes[:, 3])
    b = replace(b, half=b.half * sizes[:, 4:7], radius=b.radius * sizes[:, 7])
    gaps = rng.choice([0.0, 0.0, 1e-16, 1e-8, 0.5], n)
    met = meeting(kinds, a, b, rng, gaps)[1]
    return a, replace(b, at=mixed(rng, n, b.at, met.at))


def of_mixed_sizes(kinds: Kinds, rng: Generator, n: int) -> Recipes:
    """Make the one up to 1e12 times as large as the other, each with sides of its own."""
    factors = 10.0 ** rng.uniform(-6.0, 6.0, (2, n, 4))
    a, b = (replace(plain(rng, n), half=f[:, :3], radius=f[:, 3]) for f in factors)
    return meeting(kinds, a, b, rng, rng.choice([0.0, 1e-6, 1.0, 1e6], n))


def mixed_recipes(rng: Generator, n: int, first: Recipe, second: Recipe) -> Recipe:
    pick = rng.random(n) < 0.5
    return Recipe(
        np.where(pick[:, None], first.at, second.at),
        np.where(pick[:, None, None], first.frame, second.frame),
        np.where(pick[:, None], first.half, second.half),
        np.where(pick, first.radius, second.radius),
    )


#: The families, and how many of a hundred cases are of each.
FAMILIES: dict[Family, int] = {
    anywhere: 4,
    sharing_a_point: 5,
    on_a_lattice: 6,
    nearly_on_a_lattice: 12,
    at_features: 16,
    slender_at_features: 6,
    inside_along_faces: 8,
    past_corners: 10,
    nearly_the_same: 10,
    parallel: 7,
    concentric: 3,
    contained: 2,
    flat: 8,
    of_mixed_sizes: 3,
}


def somewhere(a: Recipe, b: Recipe, rng: Generator) -> Recipes:
    """Leave most as they are; make some larger or smaller, up to a million times, and put some far from the origin."""
    n = len(a.at)
    pick = rng.random(n)
    scale = np.where(pick < 0.2, 10.0 ** rng.uniform(-6.0, 6.0, n), 1.0)
    scale = np.where((pick >= 0.2) & (pick < 0.3), 2.0 ** rng.integers(-20, 21, n), scale)
    far = 10.0 ** rng.uniform(0.0, 6.0, (n, 1)) * rng.uniform(-1.0, 1.0, (n, 3)) * (pick > 0.75)[:, None]
    far = np.where((pick > 0.85)[:, None], far.round(), far)
    first, second = (
        Recipe(r.at * scale[:, None] + far, r.frame, r.half * scale[:, None], r.radius * scale) for r in (a, b)
    )
    return first, second


def cases(kinds: Kinds, count: int, part: int = 0) -> Cases:
    """Return pairs of two kinds, the same for the same part.

    Either of the two is the one that families put the other beside; an axis-aligned box always is, as it cannot turn.
    """
    rng = np.random.default_rng([2028, part, *(KINDS.index(kind) for kind in kinds)])
    made: list[Recipes] = []
    families: list[str] = []
    for family, share in FAMILIES.items():
        n = max(2, count * share // 100)
        turned = 0 if kinds[0] is AABB else n if kinds[1] is AABB else n // 2
        made += [
            somewhere(*family(kinds, rng, n - turned), rng),
            somewhere(*family(kinds[::-1], rng, turned), rng)[::-1],
        ]
        families += [family.__name__.replace("_", " ")] * n
    a, b = (_joined([pair[side] for pair in made]).build(kind) for side, kind in enumerate(kinds))
    return Cases(a, b, families)


def _joined(recipes: list[Recipe]) -> Recipe:
    return Recipe(*(np.concatenate([getattr(r, name) for r in recipes]) for name in ("at", "frame", "half", "radius")))
