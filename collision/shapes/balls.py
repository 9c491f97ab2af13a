"""The smallest sphere around spheres."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from collision.base.fields import FloatArray, length
from collision.shapes.bounding import sphere_around

#: What the largest gap may still shrink by, in parts of the radius, before the search is over.
_DONE = 2.0**-52

#: Steps at most: each makes the sphere larger, and few are needed but for rounding.
_STEPS = 1000


def sphere_around_balls(centers: FloatArray, radii: FloatArray) -> tuple[FloatArray, float]:
    """Return the center and the radius of the smallest sphere around some spheres.

    Parameters
    ----------
    centers : ndarray, shape (n, 3)
    radii : ndarray, shape (n,)

    Returns
    -------
    center : ndarray, shape (3,)
    radius : float

    Notes
    -----
    The radius is the largest distance from the center that is returned to the far side of a sphere, as computed: all
    are inside to within 4 units in the last place of it. It exceeds the smallest possible by no more than 1e-14 of
    itself and of the largest coordinate.

    The sphere that holds a few of them grows: the sphere that sticks out farthest joins those that hold it (four at
    most), and the smallest around these is found among the spheres that two, three and four of them touch from inside.
    K. Fischer and B. Gärtner, "The smallest enclosing ball of balls: combinatorial structure and algorithms" (2004),
    have the theory; trying all supports takes the place of their recursion, which is not right for balls of different
    sizes.
    """
    if np.all(radii == radii[0]):
        middle, _ = sphere_around(centers)
        return middle, float(np.max(length(centers - middle) + radii))
    scale = math.ldexp(1.0, math.frexp(float(np.abs(centers).max() + radii.max()))[1])  # a power of two rounds nothing
    origin = centers[np.argmax(radii)]
    places, sizes = (centers / scale - origin / scale), radii / scale
    held = [int(np.argmax(sizes))]
    center, radius = places[held[0]], float(sizes[held[0]])
    best = _reach(places, sizes, center), center
    for _ in range(_STEPS):
        out = length(places - center) + sizes
        farthest = int(np.argmax(out))
        best = min(best, (float(out[farthest]), center), key=lambda pair: pair[0])
        if farthest in held or out[farthest] <= radius * (1.0 + _DONE):
            break
        grown, center, held = _around_few(places, sizes, [*held, farthest])
        if grown <= radius:
            best = min(best, (_reach(places, sizes, center), center), key=lambda pair: pair[0])
            break
        radius = grown
    middle = (best[1] + origin / scale) * scale
    return middle, float(np.max(length(centers - middle) + radii))


def _reach(places: FloatArray, sizes: FloatArray, center: FloatArray) -> float:
    """Return how far spheres reach from a center."""
    return float(np.max(length(places - center) + sizes))


def _around_few(places: FloatArray, sizes: FloatArray, few: list[int]) -> tuple[float, FloatArray, list[int]]:
    """Return the smallest sphere around a few: how far they reach from its center, the center, and those that hold it.

    What decides is how far they reach, so that a badly rounded center is never the best.
    """
    some, their = places[few], sizes[few]
    found = []
    for count in range(1, min(len(few), 4) + 1):
        for support in combinations(few, count):
            centers = _touching(places[list(support)], sizes[list(support)])
            found += [(_reach(some, their, center), center, list(support)) for center in centers]
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
