"""Cylinders against each kind of core, before any shape has one: certified in long doubles, depth against an oracle.

What is right of an answer is told by the answer (`tests.certificate`): points on both surfaces, and room along the
normal. Apart that is a proof. A depth is proved to be no less; a search over all directions says that it is no more.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TypeAlias

import numpy as np
import pytest

from collision import ClosestPoints, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Shape
from collision.base.fields import FloatArray
from collision.kernels.cores import Box, Separation, linear
from collision.kernels.cylinder import (
    CylinderCore,
    box_cylinder,
    cylinder,
    half_space_cylinder,
    linear_cylinder,
    point_cylinder,
)
from collision.kernels.cylinders import cylinder_cylinder
from collision.kernels.halfspace import HalfSpaceCore
from collision.kernels.vec3 import load, scale, store
from collision.native import FLOATS, INT, Floats, Loop, address, kernel
from tests.certificate import bodies
from tests.certificate.bodies import Body
from tests.certificate.pairs import CORE_A, CORE_B, ON_A, ON_B, certificate_of
from tests.oracles import Foremost, foremost_of_corners, foremost_of_cylinder, overlap_between

#: Numbers of a pair: 15 of A, 7 of B; and of its answer.
ROW, ANSWER = 22, 10


@kernel
def _second(x: Floats, i: int) -> CylinderCore:
    return cylinder(load(x, i + 15), load(x, i + 18), x[i + 21])


@kernel
def _point(x: Floats, i: int) -> Separation:
    return point_cylinder(load(x, i), _second(x, i))


@kernel
def _linear(x: Floats, i: int) -> Separation:
    return linear_cylinder(linear(load(x, i), load(x, i + 3), x[i + 6], x[i + 7]), _second(x, i))


@kernel
def _box(x: Floats, i: int) -> Separation:
    half = load(x, i + 12)
    box = Box(load(x, i), load(x, i + 3), load(x, i + 6), load(x, i + 9), scale(half, -1.0), half)
    return box_cylinder(box, _second(x, i))


@kernel
def _half_space(x: Floats, i: int) -> Separation:
    return half_space_cylinder(HalfSpaceCore(load(x, i), load(x, i + 3)), _second(x, i))


@kernel
def _cylinder(x: Floats, i: int) -> Separation:
    return cylinder_cylinder(cylinder(load(x, i), load(x, i + 3), x[i + 6]), _second(x, i))


def _loop(solve: Callable[[Floats, int], Separation]) -> Callable[..., None]:
    def loop(count: int, x: Floats, out: Floats) -> None:
        for k in range(count):
            s = solve(x, 22 * k)
            out[10 * k] = s.distance
            store(out, 10 * k + 1, s.on_a)
            store(out, 10 * k + 4, s.on_b)
            store(out, 10 * k + 7, s.normal)

    return loop


SOLVE = {
    "point": _point,
    "segment": _linear,
    "ray": _linear,
    "line": _linear,
    "box": _box,
    "half-space": _half_space,
    "cylinder": _cylinder,
}
LOOPS = {solve: Loop(f"test_cylinder{solve.__name__}", _loop(solve), (INT, FLOATS, FLOATS)) for solve in SOLVE.values()}


def answers(name: str, pairs: FloatArray) -> FloatArray:
    """Return the answers (n, 10) for pairs (n, 22)."""
    out, x = np.empty((len(pairs), ANSWER)), np.ascontiguousarray(pairs)
    LOOPS[SOLVE[name]].run(len(pairs), address(x), address(out))
    return out


# -- families of cylinders, and other cores about them --------------------------------------------------------------

Rng: TypeAlias = np.random.Generator
#: Centers, axes, half lengths and radii.
Many: TypeAlias = tuple[FloatArray, FloatArray, FloatArray, FloatArray]
COUNT = 1000


def units(rng: Rng) -> FloatArray:
    v = rng.normal(size=(COUNT, 3))
    return np.asarray(v / np.linalg.norm(v, axis=1)[:, None])


def some(rng: Rng, spread: float = 1.0) -> Many:
    half, radius = 10.0 ** rng.uniform(-1, 0.5, COUNT), 10.0 ** rng.uniform(-1, 0.3, COUNT)
    return rng.normal(size=(COUNT, 3)) * spread, units(rng), half, radius


def across(rng: Rng, axis: FloatArray) -> FloatArray:
    v = np.cross(axis, units(rng))
    return np.asarray(v / np.linalg.norm(v, axis=1)[:, None])


def tilted(rng: Rng, axis: FloatArray, least: float, most: float) -> FloatArray:
    """Return axes turned by a power of ten."""
    angle = (10.0 ** rng.uniform(least, most, COUNT))[:, None]
    v = axis * np.cos(angle) + across(rng, axis) * np.sin(angle)
    return np.asarray(v / np.linalg.norm(v, axis=1)[:, None])


def thinned(rng: Rng, one: Many, part: float, zero: float) -> Many:
    """Make some discs and others needles."""
    c, u, h, r = one
    flat = rng.random(COUNT) < 0.5
    return c, u, np.where(flat, h * part, h), np.where(flat, r, r * zero)


def anywhere(rng: Rng) -> tuple[Many, Many]:
    return some(rng, 1.5), some(rng, 1.5)


def deep(rng: Rng) -> tuple[Many, Many]:
    return some(rng, 0.3), some(rng, 0.3)


def nearly_parallel(rng: Rng) -> tuple[Many, Many]:
    a, (c, _, h, r) = some(rng), some(rng, 1.5)
    return a, (c, tilted(rng, a[1], -16, -2), h, r)


def parallel(rng: Rng) -> tuple[Many, Many]:
    a, (c, _, h, r) = some(rng), some(rng, 1.5)
    c = np.where((rng.random(COUNT) < 0.3)[:, None], a[0] + a[1] * rng.normal(size=(COUNT, 1)), c)  # along one axis
    return a, (c, a[1], h, r)


def nearly_square(rng: Rng) -> tuple[Many, Many]:
    a, (c, _, h, r) = some(rng), some(rng, 1.5)
    return a, (c, tilted(rng, across(rng, a[1]), -16, -2), h, r)


def facing(rng: Rng) -> tuple[Many, Many]:
    """Two nearly parallel ends that touch, or all but touch."""
    a, (_, _, h, r) = some(rng), some(rng)
    gap = 10.0 ** rng.uniform(-14, 0, COUNT) * rng.choice([-1.0, 0.0, 1.0], COUNT)
    c = a[0] + a[1] * (a[2] + h + gap)[:, None] + across(rng, a[1]) * (a[3] * rng.uniform(0, 1.2, COUNT))[:, None]
    return a, (c, tilted(rng, a[1], -16, -3), h, r)


def on_a_lattice(rng: Rng) -> tuple[Many, Many]:
    """Whole numbers along the axes: all sorts of exact touches."""

    def one() -> Many:
        numbers = rng.integers(1, 4, (2, COUNT)).astype(float)
        axes = np.eye(3)[rng.integers(0, 3, COUNT)]
        return rng.integers(-2, 3, (COUNT, 3)).astype(float), axes, numbers[0], numbers[1]

    return one(), one()


def rim_on_rim(rng: Rng) -> tuple[Many, Many]:
    a, b = some(rng), some(rng)
    n, gap = units(rng), 10.0 ** rng.uniform(-12, 0, COUNT) * rng.choice([-1.0, 1.0], COUNT)

    def foremost(one: Many, way: FloatArray) -> FloatArray:
        _, u, h, r = one
        rise = np.einsum("ij,ij->i", u, way)
        aside = way - rise[:, None] * u
        aside /= np.linalg.norm(aside, axis=1)[:, None]
        return np.asarray(u * (np.sign(rise) * h)[:, None] + aside * r[:, None])

    return a, (a[0] + foremost(a, n) + n * gap[:, None] - foremost(b, -n), *b[1:])


def discs_and_needles(rng: Rng) -> tuple[Many, Many]:
    return thinned(rng, some(rng), 1e-6, 1e-6), thinned(rng, some(rng), 1e-9, 0.0)


def far_out(rng: Rng) -> tuple[Many, Many]:
    (c, *a), (d, *b) = some(rng), some(rng, 1.5)
    away = 1e6 * units(rng)
    return (c + away, a[0], a[1], a[2]), (d + away, b[0], b[1], b[2])


def large(rng: Rng) -> tuple[Many, Many]:
    a, b = ((c * 1e6, u, h * 1e6, r * 1e6) for c, u, h, r in (some(rng), some(rng, 1.5)))
    return a, b


def nearly_the_same(rng: Rng) -> tuple[Many, Many]:
    a = some(rng)
    off = units(rng) * (10.0 ** rng.uniform(-16, -1, COUNT) * rng.integers(0, 2, COUNT))[:, None]
    return a, (a[0] + off, tilted(rng, a[1], -16, -1), a[2], a[3])


#: By family what witness points may be off, in sizes of the pair: nearly parallel ends are the hardest.
FAMILIES: dict[Callable[[Rng], tuple[Many, Many]], float] = {
    anywhere: 1e-13,
    deep: 1e-12,
    nearly_parallel: 1e-10,
    parallel: 1e-13,
    nearly_square: 1e-11,
    facing: 1e-9,
    on_a_lattice: 1e-14,
    rim_on_rim: 1e-13,
    discs_and_needles: 1e-11,
    far_out: 1e-13,
    large: 1e-12,
    nearly_the_same: 1e-9,
}


def _numbers(one: Many) -> FloatArray:
    c, u, h, r = one
    return np.concatenate([c - u * h[:, None], c + u * h[:, None], r[:, None]], axis=1)


def first(name: str, one: Many, rng: Rng) -> tuple[FloatArray, Body]:
    """Return cores of some type that have the place and the axis of cylinders: their numbers (n, 15), and bodies."""
    (c, u, h, r), ends = one, _numbers(one)
    start, end = ends[:, :3], ends[:, 3:6]
    if name == "cylinder":
        return _filled(ends), bodies.cylinders(start, end, r)
    if name == "box":
        v = across(rng, u)
        axes, half = np.stack([u, v, np.cross(u, v)], axis=2), np.stack([h, r, r * rng.uniform(0.1, 10, COUNT)], axis=1)
        turns = (np.arange(3) + rng.integers(0, 3, (COUNT, 1))) % 3
        axes, half = np.take_along_axis(axes, turns[:, None], 2), np.take_along_axis(half, turns, 1)
        box = OrientedBox(c, axes, half)
        return _filled(c, box.axes.transpose(0, 2, 1).reshape(COUNT, 9), half), bodies.body(box)
    shapes: dict[str, Shape] = {
        "point": Point(start),
        "segment": Segment(start, end),
        "ray": Ray(start, u),
        "line": Line(start, u),
        "half-space": HalfSpace(start, u),
    }
    shape, span = shapes[name], {"segment": [0.0, 1.0], "ray": [0.0, np.inf], "line": [-np.inf, np.inf]}
    fields = list(shape.values().values())
    return _filled(*fields, np.broadcast_to(span.get(name, [0.0, 0.0]), (COUNT, 2))), bodies.body(shape)


def _filled(*numbers: FloatArray) -> FloatArray:
    joined = np.concatenate(numbers, axis=1)
    return np.concatenate([joined, np.zeros((COUNT, 15 - joined.shape[1]))], axis=1)


@pytest.mark.parametrize("name", SOLVE)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_answers_are_certified(family: Callable[[Rng], tuple[Many, Many]], name: str) -> None:
    rng = np.random.default_rng([list(FAMILIES).index(family), list(SOLVE).index(name)])
    a, b = family(rng)
    (numbers, body_a), ends = first(name, a, rng), _numbers(b)
    pairs = np.concatenate([numbers, ends], axis=1)
    out = answers(name, pairs)
    got = ClosestPoints(out[:, 0], out[:, 1:4], out[:, 4:7], out[:, 7:10])
    errors = certificate_of(body_a, bodies.cylinders(ends[:, :3], ends[:, 3:6], ends[:, 6]), got)
    allowed = {ON_A: FAMILIES[family], ON_B: FAMILIES[family], CORE_A: FAMILIES[family], CORE_B: FAMILIES[family]}
    for what, error in errors.items():
        assert error.max() <= allowed.get(what, 1e-14), (what, int(error.argmax()))
    for k in range(0, COUNT, 97):
        assert _in_python(name, pairs[k]) == out[k].tolist()


def _in_python(name: str, numbers: FloatArray) -> list[float]:
    s = SOLVE[name](list(numbers.tolist()), 0)
    return [s.distance, *s.on_a, *s.on_b, *s.normal]


@pytest.mark.parametrize("name", ["segment", "box", "cylinder"])
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_no_direction_is_a_shorter_way_out(family: Callable[[Rng], tuple[Many, Many]], name: str) -> None:
    """A depth is the least of all directions, which a search over the whole sphere confirms to 1e-6 of the size."""
    rng = np.random.default_rng([17, list(FAMILIES).index(family), list(SOLVE).index(name)])
    a, b = family(rng)
    (numbers, _), ends = first(name, a, rng), _numbers(b)
    out, checked = answers(name, np.concatenate([numbers, ends], axis=1)), 0
    for k in np.flatnonzero(out[:, 0] < 0.0)[:6]:
        size = float(np.abs([*numbers[k, :3], *ends[k]]).max())
        other = foremost_of_cylinder(ends[k, :3], ends[k, 3:6], ends[k, 6])
        lower, upper = overlap_between(_foremost(name, numbers[k]), other, out[k, 7:10], 1e-6 * size)
        assert upper > -1e-14 * size, "a direction parts them"
        assert -out[k, 0] <= upper + 1e-12 * size
        checked += lower > upper - 2e-6 * size
        if checked == 3:
            break
    assert checked > 0


def _foremost(name: str, numbers: FloatArray) -> Foremost:
    if name == "cylinder":
        return foremost_of_cylinder(numbers[:3], numbers[3:6], numbers[6])
    if name == "segment":
        return foremost_of_corners(numbers[:6].reshape(2, 3))
    signs = np.array(list(product((-1.0, 1.0), repeat=3)))
    return foremost_of_corners(numbers[:3] + (signs * numbers[12:15]) @ numbers[3:12].reshape(3, 3))


def test_what_touches_has_a_distance_of_zero() -> None:
    def up(x: float, y: float, z: float, half: float, radius: float) -> list[float]:
        return [x, y, z - half, x, y, z + half, radius]

    pairs = [  # beside, on top, rim above rim, and apart by one
        [*up(0, 0, 0, 1, 2), *[0.0] * 8, *up(5, 0, 0.5, 1, 3)],
        [*up(0, 0, 0, 1, 2), *[0.0] * 8, *up(1, 0, 3, 2, 1)],
        [*up(0, 0, 0, 1, 2), *[0.0] * 8, *up(3, 0, 3, 2, 1)],
        [*up(0, 0, 0, 1, 2), *[0.0] * 8, *up(1, 0, 4, 2, 1)],
    ]
    out = answers("cylinder", np.array(pairs, dtype=float))
    assert out[:, 0] == pytest.approx([0.0, 0.0, 0.0, 1.0], abs=1e-15)
    assert out[0, 1:4] == pytest.approx([2.0, 0.0, 0.25], abs=1e-15), "the middle of what lies side by side"
    assert out[1, 1:4] == pytest.approx([1.0, 0.0, 1.0], abs=1e-15), "the middle of what both ends have in common"
