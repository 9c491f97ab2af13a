"""Pairs of which one moves: everyday ones and hard ones, for all 36 pairs of kinds.

Every style makes two recipes and a motion, mostly by putting the pair where it would be at some time of the motion and
then taking the first shape back to where it starts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from collision.base.fields import FloatArray
from collision.shapes.kinds import KINDS, Shape
from tests.strategies import FAMILIES, Generator, Kind, Recipe, lattice, moved, somewhere, touching_along

Journey: TypeAlias = tuple[Recipe, Recipe, FloatArray]
Style: TypeAlias = Callable[[Kind, Kind, Generator], Journey]


@dataclass(frozen=True)
class Moving:
    """Two single shapes, and the motion of the first. The twin is the same in whole numbers, as that of a `Case`."""

    label: str
    a: Shape
    b: Shape
    motion: FloatArray
    twin: tuple[Shape, Shape, FloatArray] | None = None


def _passing(a: Recipe, b: Recipe, motion: FloatArray, when: float) -> Journey:
    """Take the first shape back to where it must start to be here at some time."""
    return replace(a, at=a.at - when * motion), b, motion


def _any_way(rng: Generator, low: float = -1.0, high: float = 0.7) -> FloatArray:
    """Return a motion in any direction, a tenth of a unit to five units long unless told otherwise."""
    way = rng.normal(size=3)
    motion: FloatArray = way * 10.0 ** float(rng.uniform(low, high)) / np.linalg.norm(way)
    return motion


def across_the_way(kind_a: Kind, kind_b: Kind, rng: Generator) -> Journey:
    """No difficulty: half of these are sure to meet, if their kinds can; of the others few, too early or too late."""
    a, b = FAMILIES["sharing a point"](kind_a, kind_b, rng)
    when = rng.uniform(*((0.1, 1.0), (0.1, 1.0), (-1.5, -0.5), (1.5, 2.5))[rng.integers(4)])
    return _passing(a, b, _any_way(rng, 0.4, 0.8), float(when))


def through_any_pair(kind_a: Kind, kind_b: Kind, rng: Generator) -> Journey:
    """Pass through a pair of any family: flat, parallel, coincident, contained, of mixed sizes, ..."""
    families = list(FAMILIES.values())
    a, b = families[rng.integers(len(families))](kind_a, kind_b, rng)
    size = max(float(np.abs(r.half).max(initial=r.radius)) for r in (a, b)) + float(np.abs(a.at - b.at).max())
    return _passing(a, b, _any_way(rng) * size, float(rng.uniform(-0.3, 1.3)))


def along_an_edge(kind_a: Kind, kind_b: Kind, rng: Generator) -> Journey:
    """Move at a right angle to two axes of one of them."""
    family = ("anywhere", "parallel", "at right angles", "flat and meeting")[rng.integers(4)]
    a, b = FAMILIES[family](kind_a, kind_b, rng)
    axis = (a, b)[rng.integers(2)].frame[:, rng.integers(3)]
    return _passing(a, b, axis * float(rng.uniform(-4.0, 4.0)), float(rng.uniform(-0.3, 1.3)))


def ending_in_touch(kind_a: Kind, kind_b: Kind, rng: Generator) -> Journey:
    """Touch at the very end, to rounding, or all but touch."""
    gap = float(rng.choice([0.0, 1e-9, -1e-9]))
    a, b, normal = touching_along(kind_a, kind_b, rng, gap=gap)
    motion = _any_way(rng)
    return _passing(a, b, motion * (1.0 if motion @ normal > 0.0 else -1.0), 1.0)


def starting_in_touch(kind_a: Kind, kind_b: Kind, rng: Generator) -> Journey:
    """Touch at the start, to rounding, or all but touch; then go closer, part, or slide along."""
    a, b, normal = touching_along(kind_a, kind_b, rng, gap=float(rng.choice([0.0, 1e-9, -1e-9])))
    motion = _any_way(rng)
    if rng.random() < 0.3:
        motion -= (motion @ normal) * normal
    return a, b, motion


def grazing(kind_a: Kind, kind_b: Kind, rng: Generator) -> Journey:
    """Touch in passing, to rounding, or almost touch, or hardly overlap."""
    gap = float(rng.choice([0.0, 1e-12, 1e-9, 1e-6]) * rng.choice([-1.0, 1.0]))
    a, b, normal = touching_along(kind_a, kind_b, rng, gap=gap)
    motion = _any_way(rng)
    return _passing(a, b, motion - (motion @ normal) * normal, float(rng.uniform(0.1, 0.9)))


def at_rest(kind_a: Kind, kind_b: Kind, rng: Generator) -> Journey:
    a, b, _ = touching_along(kind_a, kind_b, rng, gap=float(rng.choice([0.0, 1e-9, -1e-9, 1.0])))
    return a, b, np.zeros(3)


def a_little(kind_a: Kind, kind_b: Kind, rng: Generator) -> Journey:
    """Move by so little that it is all but lost in rounding; touch on the way, or just not."""
    motion = _any_way(rng, -18.0, -3.0)
    gap = float(np.abs(motion).max() * rng.uniform(-1.0, 1.0))
    return *touching_along(kind_a, kind_b, rng, gap=gap)[:2], motion


def very_far(kind_a: Kind, kind_b: Kind, rng: Generator) -> Journey:
    """Move by up to a thousand million times the sizes."""
    a, b = FAMILIES["anywhere"](kind_a, kind_b, rng)
    return _passing(a, b, _any_way(rng, 2.0, 9.0), float(rng.uniform(0.0, 1.1)))


def in_whole_numbers(_a: Kind, _b: Kind, rng: Generator) -> Journey:
    """Grazing touches, touches at the end and at the start come by themselves, exactly."""
    a, b = lattice(rng), lattice(rng)
    return a, b, rng.integers(-6, 7, 3) * np.where(rng.random(3) < 0.4, 0.0, 1.0)


def through_nearly_parallel(kind_a: Kind, kind_b: Kind, rng: Generator) -> Journey:
    """Pass through each other at a tiny angle. At the start the nearest points may be as far away as 1e12 sizes."""
    a, b = FAMILIES["nearly parallel"](kind_a, kind_b, rng)
    return _passing(a, b, _any_way(rng), float(rng.uniform(0.1, 0.9)))


STYLES: dict[str, Style] = {
    style.__name__.replace("_", " "): style
    for style in (
        across_the_way,
        through_any_pair,
        along_an_edge,
        ending_in_touch,
        starting_in_touch,
        grazing,
        at_rest,
        a_little,
        very_far,
        in_whole_numbers,
    )
}
_WHOLE = "in whole numbers"


def random_motion(style: str | Style, kind_a: Kind, kind_b: Kind, rng: Generator, *, plain: bool = False) -> Moving:
    """One moving pair of a style, as it is (plain) or somewhere, at some scale."""
    journey = STYLES[style] if isinstance(style, str) else style
    a, b, motion = journey(kind_a, kind_b, rng)
    whole = style == _WHOLE
    factor, offset, words = (1.0, np.zeros(3), "") if plain else somewhere(rng, whole)

    def placed(factor: float, offset: FloatArray, rounded: bool = False) -> tuple[Shape, Shape]:
        first, second = (moved(recipe, factor, offset, rounded=rounded) for recipe in (a, b))
        return first.build(kind_a), second.build(kind_b)

    if whole and not plain and rng.random() < 0.6:
        twin = (*placed(1.0, offset * 10.0), motion)
        label = f"{style}, in tenths, offset {offset.tolist()}"
        return Moving(label, *placed(0.1, offset, rounded=True), (motion * 0.1).round(1), twin)
    return Moving(f"{style}{words}", *placed(factor, offset), motion * factor)


def random_motions(kind_a: Kind, kind_b: Kind, n: int, seed: int) -> list[Moving]:
    """Return n moving pairs of two kinds, the styles in turn; the same for the same seed."""
    rng = np.random.default_rng([seed, KINDS.index(kind_a), KINDS.index(kind_b)])
    names = list(STYLES)
    return [random_motion(names[i % len(names)], kind_a, kind_b, rng) for i in range(n)]
