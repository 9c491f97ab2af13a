"""The smallest sphere around points, and around spheres."""

import math
from itertools import combinations, permutations
from typing import TypeAlias

import numpy as np

from collision.base.fields import ArrayLike, FloatArray, length, read_vector
from collision.kernels.vec3 import Vec3, along, cross, dot, load, norm, scale, store, sub
from collision.native import FLOATS, INT, INTS, Floats, Ints, Loop, address, kernel

#: A step may move the center sideways by so little that no rounded radius shows it, and still be needed: it brings in a
#: point that a later step leans on. In three dimensions only a few such steps can follow each other.
MAX_STEPS_WITHOUT_GAIN = 16

#: In a frame in which the points spread over about one, triangles (by squared area) and tetrahedra (by volume) flatter
#: than this add nothing that rounding would not take away again; smaller supports cover them.
FLAT_VOLUME = 1e-60

#: Every choice of two, three or four of five points, in every order that `_circumcenter` tells apart; -1 stands for
#: none (what is read for it is not used). Those of the first points come before those that need more.
SUPPORTS = np.array(
    sorted(
        (
            (*order, *[-1] * (4 - size))
            for size in (2, 3, 4)
            for order in permutations(range(5), size)
            if (order[0] < order[1] if size == 2 else order[1] < order[2])
        ),
        key=max,
    ),
    dtype=np.int64,
)
SUPPORT_COUNT = len(SUPPORTS)

#: What takes points into a frame: they are multiplied by a number, less an origin, and multiplied by another number.
Frame: TypeAlias = tuple[float, Vec3, float]


def sphere_around(points: ArrayLike, *, label: str = "sphere_around.points") -> tuple[FloatArray, FloatArray]:
    """Return the center (..., 3) and the radius (...) of the smallest sphere around points (..., n, 3), n of them each.

    The radius is the distance from the center to the farthest point, as computed: all points are inside to within 4
    units in the last place of it. It exceeds the smallest possible radius by no more than 8 units in the last place of
    itself plus one of the largest coordinate, which is what rounding the center costs. `label` is what an error calls
    the points.

    The point farthest outside is added to those that hold the sphere (four at most), and the smallest sphere around
    these few is found by trying the spheres through every two, three and four of them; this repeats until nothing is
    outside. It is the pivoting of B. Gärtner, "Fast and robust smallest enclosing balls" (ESA 1999), with a search over
    all supports in place of Welzl's recursion: no decision hangs on the sign of a rounded number.
    """
    array = read_points(points, label)
    lead, count = array.shape[:-2], array.shape[-2]
    center, radius, held = np.empty((*lead, 3)), np.empty(lead), np.empty(30)
    frames = _frames(array)
    given = (array.ctypes.data, count, SUPPORTS.ctypes.data, *map(address, (frames, held, center, radius)))
    _LOOP.run(radius.size, *given)
    return center, radius[()]


def read_points(points: ArrayLike, label: str) -> FloatArray:
    """Copy and check points (..., n, 3), at least one each; `label` names them in the error."""
    array = read_vector(points, label)
    if array.ndim < 2 or array.shape[-2] == 0:
        raise ValueError(f"{label} must be (..., n, 3) with n >= 1, got shape {array.shape}")
    return array


def _frames(points: FloatArray) -> FloatArray:
    """Return a frame for each batch element, (p * shrink - origin) * grow, with powers of two, which round nothing."""
    reach = np.abs(points).max(axis=(-2, -1))
    shrink = np.ldexp(1.0, np.minimum(-np.frexp(reach)[1] - 2, 1000))
    origin = points[..., 0, :] * shrink[..., None]
    spread = np.abs(points * shrink[..., None, None] - origin[..., None, :]).max(axis=(-2, -1))
    grow = np.ldexp(1.0, np.minimum(-np.frexp(spread)[1], 1000))
    return np.concatenate([shrink[..., None], origin, grow[..., None]], axis=-1)


@kernel
def _circumcenter(a: Vec3, b: Vec3, c: Vec3, count: int) -> Vec3:
    """Return the center of the smallest sphere through the origin and the first `count` of a, b, c that span a simplex.

    In a flat tetrahedron only the move along the normal of the triangle is uncertain, which hardly changes the radius.
    """
    n = cross(a, b)
    squared, volume = dot(n, n), dot(n, c)
    if count == 1 or squared <= FLAT_VOLUME:
        return scale(a, 0.5)
    side = sub(scale(b, dot(a, a)), scale(a, dot(b, b)))
    center = scale(cross(side, n), 0.5 / squared)
    if count == 2 or abs(volume) <= FLAT_VOLUME:
        return center
    return along(center, 0.5 * dot(c, sub(c, scale(center, 2.0))) / volume, n)


@kernel
def _best_support(held: Floats, count: int, supports: Ints) -> tuple[float, Vec3, int]:
    """Return the smallest sphere around two to five points: squared radius, center, and the row of its support.

    What decides is how far a center is from the farthest of the points, so a badly rounded one is never the best; all
    orders of a support have their turn, since rounding spoils some of them.
    """
    best, center, winner = math.inf, load(held, 0), 0
    for row in range(SUPPORT_COUNT):
        i, j, k, m = supports[4 * row], supports[4 * row + 1], supports[4 * row + 2], supports[4 * row + 3]
        if max(i, j, k, m) >= count:
            break
        base = load(held, 3 * i)
        # Where there is none, any point will do.
        a, b = sub(load(held, 3 * j), base), sub(load(held, 3 * max(k, 0)), base)
        c = sub(load(held, 3 * max(m, 0)), base)
        at = along(base, 1.0, _circumcenter(a, b, c, 1 + (k >= 0) + (m >= 0)))
        squared = 0.0
        for p in range(count):
            gap = sub(load(held, 3 * p), at)
            squared = max(squared, dot(gap, gap))
        if squared < best:
            best, center, winner = squared, at, row
    return best, center, winner


@kernel
def _farthest(points: Floats, start: int, count: int, frame: Frame, center: Vec3) -> tuple[float, Vec3]:
    """Return the point farthest from a center, both in the frame, and the squared distance."""
    shrink, origin, grow = frame
    best, farthest = -1.0, center
    for i in range(start, start + count):
        p = scale(sub(scale(load(points, 3 * i), shrink), origin), grow)
        gap = sub(p, center)
        squared = dot(gap, gap)
        if squared > best:
            best, farthest = squared, p
    return best, farthest


@kernel
def _smallest_center(points: Floats, start: int, total: int, frame: Frame, held: Floats, supports: Ints) -> Vec3:
    """Return the center of the smallest sphere, in the frame. `held` has memory for ten points to work with.

    The sphere around the few points held only grows, that around all only shrinks, and they meet in the answer.
    """
    store(held, 0, Vec3(0.0, 0.0, 0.0))
    count, waited, inner, center = 1, 0, 0.0, Vec3(0.0, 0.0, 0.0)
    outer, answer = math.inf, center
    while True:
        squared, farthest = _farthest(points, start, total, frame, center)
        waited += 1
        if squared < outer:
            outer, answer, waited = squared, center, 0
        if squared <= inner or waited > MAX_STEPS_WITHOUT_GAIN:
            return answer
        store(held, 3 * count, farthest)
        grown, center, row = _best_support(held, count + 1, supports)
        if grown > inner:
            inner, waited = grown, 0
        for number in range(15):
            held[15 + number] = held[number]
        count = 0
        for column in range(4):
            member = supports[4 * row + column]
            if member >= 0:
                store(held, 3 * count, load(held, 15 + 3 * member))
                count += 1


def _loop(
    batch: int, points: Floats, count: int, supports: Ints, frames: Floats, held: Floats, center: Floats, radius: Floats
) -> None:
    """Store the smallest sphere around the points of each batch element."""
    for k in range(batch):
        shrink, origin, grow = frames[5 * k], load(frames, 5 * k + 1), frames[5 * k + 4]
        middle = _smallest_center(points, k * count, count, (shrink, origin, grow), held, supports)
        position = along(origin, 1.0 / grow, middle)
        # The radius is measured from the center that is returned, after its rounding.
        _, farthest = _farthest(points, k * count, count, (shrink, position, 1.0), Vec3(0.0, 0.0, 0.0))
        store(center, 3 * k, Vec3(position.x / shrink, position.y / shrink, position.z / shrink))
        radius[k] = norm(farthest) / shrink


_LOOP = Loop("smallest_sphere", _loop, (INT, FLOATS, INT, INTS, FLOATS, FLOATS, FLOATS, FLOATS))


# --- around spheres -------------------------------------------------------------------------------

#: What the largest gap may still shrink by, in parts of the radius, before the search is over.
_LEAST_GAIN = 2.0**-52

#: Steps at most: each makes the sphere larger, and few are needed but for rounding.
_MAX_STEPS = 1000


def sphere_around_balls(centers: FloatArray, radii: FloatArray) -> tuple[FloatArray, float]:
    """Return the center and the radius of the smallest sphere around some spheres: centers (n, 3) and radii (n,).

    All are inside to within 4 units in the last place of the radius. It exceeds the smallest possible by no more than
    1e-14 of itself and of the largest coordinate.

    The sphere that sticks out farthest joins those that hold the sphere (four at most), and the smallest around these
    is found among the spheres that two, three and four of them touch from inside. K. Fischer and B. Gärtner, "The
    smallest enclosing ball of balls: combinatorial structure and algorithms" (2004), have the theory; trying all
    supports takes the place of their recursion, which is not right for balls of different sizes.
    """
    if np.all(radii == radii[0]):
        middle, _ = sphere_around(centers)
        return middle, float(np.max(length(centers - middle) + radii))
    scale = math.ldexp(1.0, math.frexp(float(np.abs(centers).max() + radii.max()))[1])  # a power of two rounds nothing
    origin = centers[np.argmax(radii)]
    scaled, sizes = (centers / scale - origin / scale), radii / scale
    held = [int(np.argmax(sizes))]
    center, radius = scaled[held[0]], float(sizes[held[0]])
    best = _reach(scaled, sizes, center), center
    for _ in range(_MAX_STEPS):
        out = length(scaled - center) + sizes
        farthest = int(np.argmax(out))
        best = min(best, (float(out[farthest]), center), key=lambda pair: pair[0])
        if farthest in held or out[farthest] <= radius * (1.0 + _LEAST_GAIN):
            break
        grown, center, held = _around_few(scaled, sizes, [*held, farthest])
        if grown <= radius:
            best = min(best, (_reach(scaled, sizes, center), center), key=lambda pair: pair[0])
            break
        radius = grown
    middle = (best[1] + origin / scale) * scale
    return middle, float(np.max(length(centers - middle) + radii))


def _reach(centers: FloatArray, sizes: FloatArray, center: FloatArray) -> float:
    """Return how far spheres reach from a center."""
    return float(np.max(length(centers - center) + sizes))


def _around_few(centers: FloatArray, sizes: FloatArray, few: list[int]) -> tuple[float, FloatArray, list[int]]:
    """Return the smallest sphere around a few balls: how far they reach, its center, and the balls that hold it."""
    some, their = centers[few], sizes[few]
    found = []
    for count in range(1, min(len(few), 4) + 1):
        for support in combinations(few, count):
            middles = _touching(centers[list(support)], sizes[list(support)])
            found += [(_reach(some, their, middle), middle, list(support)) for middle in middles]
    return min(found, key=lambda sphere: sphere[0])


def _touching(centers: FloatArray, radii: FloatArray) -> list[FloatArray]:
    """Return the centers, in the plane of the given ones, of spheres that touch all of some from around them.

    From the largest, whose center is the origin, the center x of a sphere of radius R is R - r away. Less the same of
    each other leaves equations that are linear in x and R, so x is a + R b, and a quadratic one for R is left.
    """
    first = int(np.argmax(radii))
    base, r = centers[first], radii[first]
    others = np.delete(centers, first, axis=0) - base
    theirs = np.delete(radii, first)
    if not len(others):
        return [base]
    # With s = R - r: others @ x = (|d|² - (r - r_i)²) / 2 - s (r - r_i)
    less = r - theirs
    right = np.stack([0.5 * (np.sum(others * others, axis=1) - less * less), -less], axis=1)
    a, b = np.linalg.lstsq(others, right, rcond=None)[0].T
    square, half, rest = 1.0 - b @ b, -(a @ b), -(a @ a)  # square s² + 2 half s + rest = 0
    root = np.sqrt(max(half * half - square * rest, 0.0))
    ways = [-half + root, -half - root]
    steps = [way / square for way in ways if square] + [rest / way for way in ways if way]
    return [base + a + s * b for s in steps if np.isfinite(s) and s >= 0.0]
