"""Pairs that turn as they move: everyday ones and hard ones, for all pairs of kinds of which one at least has an end.

Every style puts the pair where it is to be at some time of the way, and takes it from there to both ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from scipy.spatial.transform import Rotation

from collision import Shape, Transform
from collision.base.fields import FloatArray
from collision.shapes.kinds import KINDS
from tests.strategies import FAMILIES, Generator, Kind, moved, somewhere, touching_along


@dataclass(frozen=True)
class Way:
    """How a shape goes from one placement to another, about a pivot."""

    start: Transform
    end: Transform
    pivot: FloatArray


@dataclass(frozen=True)
class Turning:
    """Two single shapes, the way of the first, and that of the second if it does not rest.

    `due` is when they are sure to touch at the latest, if they are.
    """

    label: str
    a: Shape
    b: Shape
    way: Way
    other: Way | None
    due: float = np.inf


@dataclass(frozen=True)
class Spin:
    """A turn by a rotation vector about a point that drifts, and when everything is where it was given."""

    turn: FloatArray
    center: FloatArray
    drift: FloatArray
    when: float

    def way(self) -> Way:
        ends = []
        for part in (-self.when, 1.0 - self.when):
            frame = Rotation.from_rotvec(self.turn * part).as_matrix()
            ends.append(Transform(self.center + self.drift * part - frame @ self.center, frame))
        return Way(ends[0], ends[1], self.center)

    def velocity(self, p: FloatArray) -> FloatArray:
        return np.asarray(self.drift + np.cross(self.turn, p - self.center))


Style: TypeAlias = Callable[[Kind, Kind, Generator], tuple[Shape, Shape, Spin, Spin | None, float]]


def _spin(rng: Generator, when: float, angle: float, *, far: float = 1.0) -> Spin:
    axis = rng.normal(size=3)
    turn = axis / np.linalg.norm(axis) * angle
    return Spin(turn, far * rng.normal(size=3), rng.normal(size=3), when)


def _angle(rng: Generator) -> float:
    return float(rng.uniform(0.0, np.pi) if rng.random() < 0.7 else 10.0 ** rng.uniform(-9.0, 0.0))


def _touching(
    kind_a: Kind, kind_b: Kind, rng: Generator, gap: float, size: float = 1.0, offset: FloatArray | float = 0.0
) -> tuple[Shape, Shape, FloatArray, FloatArray]:
    """Return two shapes with a gap between them, their normal, and a point near where they touch."""
    a, b, normal = touching_along(kind_a, kind_b, rng, gap=gap)
    near = 0.5 * (a.at + b.at) * size + offset
    first, second = (moved(one, size, np.zeros(3) + offset).build(kind) for one, kind in ((a, kind_a), (b, kind_b)))
    return first, second, normal, near


def anywhere(kind_a: Kind, kind_b: Kind, rng: Generator) -> tuple[Shape, Shape, Spin, Spin | None, float]:
    """Share a point at some time of the way, or at none."""
    a, b = FAMILIES["sharing a point"](kind_a, kind_b, rng)
    when = float(rng.uniform(*((0.05, 1.0), (-1.0, -0.3))[rng.integers(2)]))
    other = _spin(rng, when, _angle(rng)) if rng.random() < 0.5 else None
    return (
        a.build(kind_a),
        b.build(kind_b),
        _spin(rng, when, _angle(rng)),
        other,
        when if 0.0 <= when <= 1.0 else np.inf,
    )


def through_any_pair(kind_a: Kind, kind_b: Kind, rng: Generator) -> tuple[Shape, Shape, Spin, Spin | None, float]:
    """Pass through a pair of any family, at any scale, near the origin or far from it."""
    names = list(FAMILIES)
    a, b = FAMILIES[names[rng.integers(len(names))]](kind_a, kind_b, rng)
    factor, offset, _ = somewhere(rng, whole=False)
    spin = _spin(rng, float(rng.uniform(-0.3, 1.3)), _angle(rng))
    place = replace(spin, center=(a.at + spin.center) * factor + offset, drift=spin.drift * factor)
    a, b = (moved(one, factor, offset) for one in (a, b))
    return a.build(kind_a), b.build(kind_b), place, None, np.inf


def grazing(kind_a: Kind, kind_b: Kind, rng: Generator) -> tuple[Shape, Shape, Spin, Spin | None, float]:
    """Touch in passing, to rounding, or almost touch, or hardly overlap."""
    gap = float(rng.choice([0.0, 1e-12, 1e-9, 1e-6]) * rng.choice([-1.0, 1.0]))
    a, b, normal, near = _touching(kind_a, kind_b, rng, gap)
    spin = _spin(rng, float(rng.uniform(0.1, 0.9)), _angle(rng))
    level = replace(spin, drift=spin.drift - (spin.velocity(near) @ normal) * normal)
    return a, b, level, None, level.when if gap <= -1e-9 else np.inf


def ending_in_touch(kind_a: Kind, kind_b: Kind, rng: Generator) -> tuple[Shape, Shape, Spin, Spin | None, float]:
    """Touch at the very end, or all but touch."""
    gap = float(rng.choice([1e-9, -1e-9]))
    a, b, normal, near = _touching(kind_a, kind_b, rng, gap)
    spin = _spin(rng, 1.0, _angle(rng))
    into = replace(spin, drift=spin.drift + (abs(spin.velocity(near) @ normal) + 3.0) * normal)
    return a, b, into, None, 1.0 if gap < 0.0 else np.inf


def starting_in_touch(kind_a: Kind, kind_b: Kind, rng: Generator) -> tuple[Shape, Shape, Spin, Spin | None, float]:
    """Touch at the start, or all but touch; then go closer, or part."""
    gap = float(rng.choice([1e-9, -1e-9]))
    a, b, _, _ = _touching(kind_a, kind_b, rng, gap)
    return a, b, _spin(rng, 0.0, _angle(rng)), None, 0.0 if gap < 0.0 else np.inf


def half_turn(kind_a: Kind, kind_b: Kind, rng: Generator) -> tuple[Shape, Shape, Spin, Spin | None, float]:
    """Turn by 180 degrees, to rounding, or nearly."""
    a, b = FAMILIES["anywhere"](kind_a, kind_b, rng)
    angle = np.pi - float(rng.choice([0.0, 1e-15, 1e-9, 1e-6]))
    return a.build(kind_a), b.build(kind_b), _spin(rng, float(rng.uniform(-0.2, 1.2)), angle), None, np.inf


def hardly(kind_a: Kind, kind_b: Kind, rng: Generator) -> tuple[Shape, Shape, Spin, Spin | None, float]:
    """Turn and move by very little, with a gap that is as small."""
    little = 10.0 ** float(rng.uniform(-12.0, -3.0))
    a, b, _, _ = _touching(kind_a, kind_b, rng, little * float(rng.uniform(-0.5, 1.0)))
    spin = _spin(rng, float(rng.uniform(0.0, 1.0)), little)
    return a, b, replace(spin, drift=spin.drift * little), None, np.inf


def far_beyond(kind_a: Kind, kind_b: Kind, rng: Generator) -> tuple[Shape, Shape, Spin, Spin | None, float]:
    """Start near, and go on for up to a thousand million sizes."""
    a, b, _, _ = _touching(kind_a, kind_b, rng, float(rng.choice([1e-6, 1e-3, 1.0])))
    spin = _spin(rng, 0.0, _angle(rng))
    return a, b, replace(spin, drift=spin.drift * 10.0 ** float(rng.uniform(2.0, 9.0))), None, np.inf


STYLES: dict[str, Style] = {
    style.__name__.replace("_", " "): style
    for style in (
        anywhere,
        through_any_pair,
        grazing,
        ending_in_touch,
        starting_in_touch,
        half_turn,
        hardly,
        far_beyond,
    )
}


def random_turning(style: str, kind_a: Kind, kind_b: Kind, rng: Generator) -> Turning:
    a, b, spin, other, due = STYLES[style](kind_a, kind_b, rng)
    return Turning(style, a, b, spin.way(), other.way() if other else None, due)


def random_turnings(kind_a: Kind, kind_b: Kind, rounds: int, seed: int) -> list[Turning]:
    """Return pairs of two kinds that turn, of all styles in turn; the same for the same seed."""
    rng = np.random.default_rng([seed, KINDS.index(kind_a), KINDS.index(kind_b)])
    return [random_turning(style, kind_a, kind_b, rng) for _ in range(rounds) for style in STYLES]
