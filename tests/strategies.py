"""Shapes and pairs of shapes that are hard: for seeded batches (`random_pairs`) and for Hypothesis (`pairs`).

Every kind is built from one `Recipe` (a place, a frame, three half sizes, a radius), so that one description of a
difficulty, such as "nearly parallel" or "touching", serves all pairs of kinds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any, TypeAlias

import numpy as np
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from collision.base.fields import FloatArray
from collision.shapes.kinds import (
    AABB,
    KINDS,
    Capsule,
    ConvexHull,
    Cylinder,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Segment,
    Shape,
    Sphere,
)

Kind: TypeAlias = type[Shape]
Generator: TypeAlias = np.random.Generator

#: All unordered pairs of the kinds.
PAIRS: tuple[tuple[Kind, Kind], ...] = tuple(combinations_with_replacement(KINDS, 2))
#: Kinds whose answers the oracle knows exactly; those of cylinders and hulls are certified, in files of theirs as well.
EXACT: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind not in (Cylinder, ConvexHull))
EXACT_PAIRS: tuple[tuple[Kind, Kind], ...] = tuple(pair for pair in PAIRS if {*pair} <= {*EXACT})
#: Kinds that have a radius; hulls of recipes have none.
ROUND: tuple[Kind, ...] = tuple(
    kind for kind in KINDS if kind is not ConvexHull and any(field.name == "radius" for field in kind._fields)
)
UNBOUNDED: tuple[Kind, ...] = tuple(kind for kind in KINDS if not kind.bounded)
LINE_LIKE: tuple[Kind, ...] = (Segment, Ray, Line)
LINEAR: tuple[Kind, ...] = (*LINE_LIKE, Capsule)
#: How many of the half sizes of a recipe span the core of a kind, if any.
SPANNED: dict[Kind, int] = {**dict.fromkeys((*LINEAR, Cylinder), 1), AABB: 3, OrientedBox: 3, ConvexHull: 3}
#: The corners of a cube.
CORNERS: FloatArray = np.array(list(np.ndindex(2, 2, 2))) * 2.0 - 1.0
SOLID: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind in ROUND or SPANNED.get(kind) == 3)
#: Kinds without volume: two of them meet by construction only, never by chance.
THIN: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind not in (*SOLID, HalfSpace))


def parted(pair: tuple[Kind, Kind]) -> bool:
    """Tell whether a move parts any two shapes of these kinds, however deep they overlap."""
    return HalfSpace not in pair or not (pair[0] in UNBOUNDED and pair[1] in UNBOUNDED)


@dataclass(frozen=True)
class Recipe:
    """Where a shape is, how it is turned, and how large it is; each kind takes what it has. One, or a batch.

    A linear piece lies along the first axis of the frame, half of it on either side of the place; a ray starts where
    that piece does, and a line is given by that point. The plane of a half-space goes through the place, its normal
    along the last axis.
    """

    at: FloatArray
    frame: FloatArray
    half: FloatArray
    radius: Any

    def build(self, kind: Kind) -> Shape:
        way = self.frame[..., :, 0]
        step = self.half[..., :1] * way
        start, end = self.at - step, self.at + step
        makers: dict[Kind, Callable[[], Shape]] = {
            Point: lambda: Point(self.at),
            Segment: lambda: Segment(start, end),
            Ray: lambda: Ray(start, way),
            Line: lambda: Line(start, way),
            Sphere: lambda: Sphere(self.at, self.radius),
            Capsule: lambda: Capsule(start, end, self.radius),
            Cylinder: lambda: Cylinder(start, self._another(end, start), self.radius),
            AABB: lambda: AABB(self.at - self.half, self.at + self.half),
            OrientedBox: lambda: OrientedBox(self.at, self.frame, self.half),
            ConvexHull: lambda: ConvexHull(
                self.at[..., None, :] + (CORNERS * self.half[..., None, :]) @ np.swapaxes(self.frame, -1, -2)
            ),
            HalfSpace: lambda: HalfSpace(self.at, self.frame[:, 2]),
        }
        return makers[kind]()

    def _another(self, end: FloatArray, start: FloatArray) -> FloatArray:
        """Return an end, or where that is the start, a point a little farther on: a cylinder has an axis."""
        size = np.abs(self.at).max(axis=-1) + self.half.max(axis=-1) + self.radius
        farther = start + 2.0**-20 * np.where(size > 0.0, size, 1.0)[..., None] * self.frame[..., :, 0]
        return np.where(np.all(start == end, axis=-1)[..., None], farther, end)

    def inner_offset(self, kind: Kind, rng: Generator) -> FloatArray:
        """From the place to a random point inside the shape."""
        weights: FloatArray = rng.uniform(-1.0, 1.0, 3) * self.half * (np.arange(3) < SPANNED.get(kind, 0))
        return weights if kind is AABB else self.frame @ weights

    def edges(self, kind: Kind) -> list[FloatArray]:
        """Return the half edges of the core: it is the place plus each of them -1 to 1 times; a ray goes on."""
        frame = np.eye(3) if kind is AABB else self.frame
        return [self.half[i] * frame[:, i] for i in range(SPANNED.get(kind, 0))]

    def end_along(self, kind: Kind, normal: FloatArray, rng: Generator) -> FloatArray:
        """From the place to where the core reaches farthest along a normal; anywhere on an edge that is level."""
        offset = np.zeros(3)
        for edge in self.edges(kind):
            gain = float(edge @ normal)
            level = abs(gain) <= 1e-9 * float(np.linalg.norm(edge))
            offset += edge * (rng.uniform(-1.0, 1.0) if level else np.sign(gain))
        return offset

    def reach(self, kind: Kind) -> float:
        """Roughly how thick the shape is, with a little for lengths, which are easy to hit."""
        half = 0.95 * float(self.half.mean()) if SPANNED.get(kind, 0) > 1 else 0.0
        return half + (self.radius if kind in ROUND else 0.0) + (0.15 if kind in LINEAR else 0.0)


@dataclass(frozen=True)
class Case:
    """One pair of single shapes.

    Where the coordinates are decimals, `twin` is the same pair in whole numbers: if those touch exactly, this pair is
    meant to touch too, although 0.1 + 0.2 is not 0.3.
    """

    label: str
    a: Shape
    b: Shape
    twin: tuple[Shape, Shape] | None = None


# --- recipes --------------------------------------------------------------------------------------

RIGHT_ANGLES: tuple[FloatArray, ...] = tuple(Rotation.create_group("O").as_matrix().round())
STEPS: tuple[tuple[int, int, int], ...] = ((1, 1, 0), (0, 1, -1), (1, 1, 1), (1, 2, 2), (-2, 1, 2), (3, 0, 4))


def random_frame(rng: Generator) -> FloatArray:
    return np.asarray(Rotation.random(rng=rng).as_matrix(), dtype=np.float64)


def tilted(frame: FloatArray, angle: float, rng: Generator) -> FloatArray:
    """Turn the frame about a random axis."""
    axis = rng.normal(size=3)
    turned: FloatArray = Rotation.from_rotvec(angle * axis / np.linalg.norm(axis)).as_matrix() @ frame
    return turned


def generic(rng: Generator) -> Recipe:
    return Recipe(rng.normal(size=3), random_frame(rng), rng.uniform(0.2, 1.0, 3), float(rng.uniform(0.2, 1.0)))


def lattice(rng: Generator) -> Recipe:
    """Whole numbers: flat and zero-length shapes, and all sorts of exact touches, come by themselves."""
    frame = RIGHT_ANGLES[rng.integers(len(RIGHT_ANGLES))]
    at = rng.integers(-3, 4, 3).astype(float)
    return Recipe(at, frame, rng.integers(0, 3, 3).astype(float), float(rng.integers(0, 3)))


Pair: TypeAlias = tuple[Recipe, Recipe]
Family: TypeAlias = Callable[[Kind, Kind, Generator], Pair]


def _meeting(a: Recipe, b: Recipe, kinds: tuple[Kind, Kind], rng: Generator, gap: float = 0.0) -> Pair:
    """Move b so that a random inner point of it lies on one of a, or a gap away."""
    way = rng.normal(size=3)
    point = a.at + a.inner_offset(kinds[0], rng) + gap * way / np.linalg.norm(way)
    return a, replace(b, at=point - b.inner_offset(kinds[1], rng))


def anywhere(kind_a: Kind, kind_b: Kind, rng: Generator) -> Pair:
    """No difficulty: about half of these meet, if their kinds can."""
    a, b = generic(rng), generic(rng)
    reach = a.reach(kind_a) + b.reach(kind_b) or 1.0
    far = 2.0 if HalfSpace not in (kind_a, kind_b) else 25.0  # half of all ways lead into a half-space
    return _meeting(a, b, (kind_a, kind_b), rng, gap=reach * float(rng.uniform(0.1, far)))


def sharing_a_point(kind_a: Kind, kind_b: Kind, rng: Generator) -> Pair:
    return _meeting(generic(rng), generic(rng), (kind_a, kind_b), rng)


def on_a_lattice(_a: Kind, _b: Kind, rng: Generator) -> Pair:
    return lattice(rng), lattice(rng)


def touching(kind_a: Kind, kind_b: Kind, rng: Generator) -> Pair:
    """On a lattice, and moved along an axis until b begins where a ends."""
    a, b = lattice(rng), lattice(rng)
    axis = int(rng.integers(3))
    at = a.at.copy()
    at[axis] += _end_of(a, kind_a, axis) + _end_of(b, kind_b, axis)
    slide = rng.integers(-1, 2, 3) if rng.random() < 0.3 else np.zeros(3)
    slide[axis] = 0
    return a, replace(b, at=at + slide)


def _end_of(recipe: Recipe, kind: Kind, axis: int) -> float:
    return float((recipe.radius if kind in ROUND else 0.0) + sum(abs(edge[axis]) for edge in recipe.edges(kind)))


def parallel(kind_a: Kind, kind_b: Kind, rng: Generator) -> Pair:
    """Give both the same frame or opposite ones: side by side, or one behind the other."""
    a, b = generic(rng), generic(rng)
    b = replace(b, frame=a.frame @ np.diag([1.0, 1.0, 1.0] if rng.random() < 0.5 else [-1.0, -1.0, 1.0]))
    if rng.random() < 0.3:  # collinear, as far as rounding lets them
        return a, replace(b, at=a.at + float(rng.uniform(-3.0, 3.0)) * a.frame[:, 0])
    return _meeting(a, b, (kind_a, kind_b), rng, gap=float(rng.uniform(0.0, 2.0)))


def nearly_parallel(kind_a: Kind, kind_b: Kind, rng: Generator) -> Pair:
    a, b = parallel(kind_a, kind_b, rng)
    return a, replace(b, frame=tilted(b.frame, 10.0 ** -float(rng.integers(3, 13)), rng))


def at_right_angles(kind_a: Kind, kind_b: Kind, rng: Generator) -> Pair:
    """Give both the same frame, its axes in another order: most cross products are zero, or nearly."""
    a, b = generic(rng), generic(rng)
    b = replace(b, frame=a.frame @ RIGHT_ANGLES[rng.integers(len(RIGHT_ANGLES))])
    return _meeting(a, b, (kind_a, kind_b), rng, gap=float(rng.choice([0.0, 1e-9, 0.5])))


def brushing(kind_a: Kind, kind_b: Kind, rng: Generator) -> Pair:
    """Touch at corners, edges or faces at any angle, or all but touch: with their radii, or the cores alone."""
    gap = float(rng.choice([0.0, 0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3]) * rng.choice([-1.0, 1.0]))
    a, b, _ = touching_along(kind_a, kind_b, rng, gap=gap, grown=bool(rng.random() < 0.5))
    return a, b


def touching_along(
    kind_a: Kind, kind_b: Kind, rng: Generator, *, gap: float = 0.0, grown: bool = True
) -> tuple[Recipe, Recipe, FloatArray]:
    """Return two recipes that touch to rounding, or are a gap apart, and their normal; grown is with their radii."""
    a, b = generic(rng), generic(rng)
    normal = _normal_between((a, kind_a), (b, kind_b), rng=rng)
    if grown:
        gap += sum(r.radius for r, kind in ((a, kind_a), (b, kind_b)) if kind in ROUND)
    end_a, end_b = a.end_along(kind_a, normal, rng), b.end_along(kind_b, -normal, rng)
    return a, replace(b, at=a.at + end_a + gap * normal - end_b), normal


def _normal_between(*sides: tuple[Recipe, Kind], rng: Generator) -> FloatArray:
    """Return a unit vector at a right angle to none, one or two edges; to endless ones in any case; or to a plane."""
    for (recipe, kind), sign in zip(sides, (1.0, -1.0), strict=True):
        if kind is HalfSpace:
            return sign * recipe.frame[:, 2]
    endless = [edge for recipe, kind in sides if kind in (Ray, Line) for edge in recipe.edges(kind)]
    others = [edge for recipe, kind in sides if kind not in (Ray, Line) for edge in recipe.edges(kind)]
    wanted = max(len(endless), int(rng.integers(0, 3)))
    edges = [*endless, *(others[i] for i in rng.permutation(len(others)))][:wanted]
    normal: FloatArray = rng.normal(size=3)
    if len(edges) == 2 and np.any(np.cross(*edges)):
        normal = np.cross(*edges)
    elif edges:
        normal = np.cross(edges[0], normal)
    return normal / np.linalg.norm(normal)


def nearly_aligned(kind_a: Kind, kind_b: Kind, rng: Generator) -> Pair:
    """On a lattice, but for a turn of 1e-9 radians."""
    a, b = on_a_lattice(kind_a, kind_b, rng)
    return a, replace(b, frame=tilted(b.frame, 1e-9, rng))


def coincident(_a: Kind, _b: Kind, rng: Generator) -> Pair:
    a = generic(rng)
    return a, a


def concentric(_a: Kind, _b: Kind, rng: Generator) -> Pair:
    a = generic(rng)
    return a, replace(generic(rng), at=a.at)


def contained(kind_a: Kind, kind_b: Kind, rng: Generator) -> Pair:
    a, b = sharing_a_point(kind_a, kind_b, rng)
    shrink = float(rng.choice([0.5, 0.1, 1e-3, 1e-6]))
    return a, replace(b, half=b.half * shrink, radius=b.radius * shrink, at=a.at + (b.at - a.at) * 0.3)


def small_and_near(kind_a: Kind, kind_b: Kind, rng: Generator) -> Pair:
    """Put a small shape somewhere in a solid or just outside: about half of them lie inside altogether."""
    a, b = generic(rng), generic(rng)
    around = 0.62 * a.radius * rng.normal(size=3) if kind_a in (Sphere, Capsule, HalfSpace) else np.zeros(3)
    place = a.at + 1.2 * a.inner_offset(kind_a, rng) + around
    return a, replace(b, half=0.1 * b.half, radius=0.1 * b.radius, at=place)


def degenerate(kind_a: Kind, kind_b: Kind, rng: Generator) -> Pair:
    """Zero lengths, zero radii, flat boxes, boxes that are sticks or points."""
    a, b = anywhere(kind_a, kind_b, rng)

    def flatten(r: Recipe) -> Recipe:
        return replace(r, half=r.half * rng.integers(0, 2, 3), radius=r.radius * float(rng.integers(0, 2)))

    return flatten(a), flatten(b)


def flat_and_meeting(kind_a: Kind, kind_b: Kind, rng: Generator) -> Pair:
    a, b = degenerate(kind_a, kind_b, rng)
    return _meeting(a, b, (kind_a, kind_b), rng)


def nearly_flat(kind_a: Kind, kind_b: Kind, rng: Generator) -> Pair:
    """Thin as paper, thin as foil, or so thin that it is lost in rounding."""
    a, b = anywhere(kind_a, kind_b, rng)

    def thinned(r: Recipe) -> Recipe:
        factors = rng.choice([1.0, 1e-3, 1e-8, 1e-16], 4)
        return replace(r, half=r.half * factors[:3], radius=r.radius * float(factors[3]))

    return _meeting(thinned(a), thinned(b), (kind_a, kind_b), rng, gap=float(rng.choice([0.0, 1e-16, 1e-8, 0.5])))


def of_mixed_sizes(kind_a: Kind, kind_b: Kind, rng: Generator) -> Pair:
    """Make the one up to 1e12 times as large as the other, each with sides of its own."""
    factors = 10.0 ** rng.uniform(-6.0, 6.0, (2, 4))
    a, b = (replace(generic(rng), half=f[:3], radius=float(f[3])) for f in factors)
    return _meeting(a, b, (kind_a, kind_b), rng, gap=float(rng.choice([0.0, 1e-6, 1.0, 1e6])))


_ANGLES = (0.0, 1e-12, 1e-9, 1e-6, 1e-3, 0.3, np.pi / 4, np.pi / 2)
_NUMBERS = (0.0, 0.1, 0.3, 0.5, 1 / 3, 1.0, 2.0, 1e-6, 1e-3, 33.0, 1e6, 999_999.9)


def assorted(_a: Kind, _b: Kind, rng: Generator) -> Pair:
    """Take every number from a short list, so that any two are often equal, or twelve powers of ten apart."""
    a, b = (
        Recipe(
            rng.choice(_NUMBERS, 3) * rng.choice([-1.0, 1.0], 3),
            _frame(RIGHT_ANGLES[rng.integers(24)], STEPS[rng.integers(len(STEPS))], float(rng.choice(_ANGLES))),
            rng.choice(_NUMBERS, 3),
            float(rng.choice(_NUMBERS)),
        )
        for _ in range(2)
    )
    shared = [name for name in ("at", "frame", "half", "radius") if rng.random() < 0.4]
    return a, replace(b, **{name: getattr(a, name) for name in shared})


def _frame(turn: FloatArray, axis: tuple[int, int, int], angle: float) -> FloatArray:
    way = np.array(axis, dtype=float)
    frame: FloatArray = Rotation.from_rotvec(angle * way / np.linalg.norm(way)).as_matrix() @ turn
    return turn if angle == 0.0 else frame


FAMILIES: dict[str, Family] = {
    family.__name__.replace("_", " "): family
    for family in (
        anywhere,
        sharing_a_point,
        on_a_lattice,
        touching,
        parallel,
        nearly_parallel,
        at_right_angles,
        brushing,
        nearly_aligned,
        coincident,
        concentric,
        contained,
        degenerate,
        flat_and_meeting,
        nearly_flat,
        of_mixed_sizes,
        assorted,
    )
}
_WHOLE = ("on a lattice", "touching")


def random_case(family: str, kind_a: Kind, kind_b: Kind, rng: Generator, *, plain: bool = False) -> Case:
    """One pair of a family, as it is (plain) or somewhere, at some scale."""
    a, b = FAMILIES[family](kind_a, kind_b, rng)
    whole = family in _WHOLE
    factor, offset, words = (1.0, np.zeros(3), "") if plain else somewhere(rng, whole)
    if whole and not plain and rng.random() < 0.6:
        tenths = moved(a, 0.1, offset, rounded=True).build(kind_a), moved(b, 0.1, offset, rounded=True).build(kind_b)
        twin = moved(a, 1.0, offset * 10.0).build(kind_a), moved(b, 1.0, offset * 10.0).build(kind_b)
        return Case(f"{family}, in tenths, offset {offset.tolist()}", *tenths, twin)
    shapes = moved(a, factor, offset).build(kind_a), moved(b, factor, offset).build(kind_b)
    return Case(f"{family}{words}", *shapes)


def somewhere(rng: Generator, whole: bool) -> tuple[float, FloatArray, str]:
    """Choose a scale and an offset: mostly none; powers of two and whole numbers where a lattice must stay one."""
    pick = rng.random()
    factor, offset = 1.0, np.zeros(3)
    if 0.4 <= pick < 0.7:
        factor = 2.0 ** int(rng.integers(-20, 21)) if whole else 10.0 ** float(rng.uniform(-6.0, 6.0))
    elif pick >= 0.7:
        offset = (1e6 * rng.uniform(-1.0, 1.0, 3)).round() if whole else 1e6 * rng.uniform(-1.0, 1.0, 3)
    return factor, offset, f", scale {factor:g}, offset {offset.tolist()}"


def moved(r: Recipe, factor: float, offset: FloatArray, *, rounded: bool = False) -> Recipe:
    """Scale, then move. Rounded: every number becomes the double nearest to its decimal."""
    at, half, radius = r.at * factor + offset, r.half * factor, r.radius * factor
    if rounded:
        at, half, radius = at.round(1), half.round(1), round(radius, 1)
    return Recipe(at, r.frame, half, radius)


def random_pairs(kind_a: Kind, kind_b: Kind, n: int, seed: int) -> list[Case]:
    """Return n pairs of two kinds, the families in turn; the same for the same seed."""
    rng = np.random.default_rng([seed, KINDS.index(kind_a), KINDS.index(kind_b)])
    names = list(FAMILIES)
    return [random_case(names[i % len(names)], kind_a, kind_b, rng) for i in range(n)]


# --- Hypothesis -----------------------------------------------------------------------------------


def _clear_of_zero(value: float) -> float:
    return value if abs(value) >= 1e-6 else 0.0


#: Coordinates that shrink to small whole numbers; sizes from 1e-6 to 1e6.
coordinates: st.SearchStrategy[float] = st.one_of(
    st.integers(-4, 4).map(float),
    st.integers(-40, 40).map(lambda tenths: tenths / 10.0),
    st.sampled_from([1e-6, -1e-6, 1e-3, 1e6, -1e6, 999_999.9, 1 / 3]),
    st.floats(-1e6, 1e6).map(_clear_of_zero),
)
lengths: st.SearchStrategy[float] = coordinates.map(abs)
places: st.SearchStrategy[FloatArray] = st.tuples(coordinates, coordinates, coordinates).map(np.array)
half_sizes: st.SearchStrategy[FloatArray] = st.tuples(lengths, lengths, lengths).map(np.array)


frames: st.SearchStrategy[FloatArray] = st.builds(
    _frame,
    st.sampled_from(RIGHT_ANGLES),
    st.sampled_from(STEPS),
    st.one_of(st.sampled_from([0.0, 1e-12, 1e-9, 1e-6, 1e-3]), st.floats(0.01, 3.0)),
)
recipes: st.SearchStrategy[Recipe] = st.builds(Recipe, places, frames, half_sizes, lengths)


def shapes(*kinds: Kind) -> st.SearchStrategy[Shape]:
    """Return any shape of some kinds (all if none is named)."""
    return st.builds(lambda recipe, kind: recipe.build(kind), recipes, st.sampled_from(kinds or KINDS))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Shape, Shape]:
    """Return a pair of any two kinds whose answers are known exactly; often they share their place, frame or sizes."""
    kind_a, kind_b = draw(st.sampled_from(EXACT_PAIRS))
    a, b = draw(recipes), draw(recipes)
    shared = draw(st.sets(st.sampled_from(["at", "frame", "half", "radius"]), max_size=2))
    return a.build(kind_a), replace(b, **{name: getattr(a, name) for name in shared}).build(kind_b)
