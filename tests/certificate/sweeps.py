"""The certificate of what `sweep` returns: touches are found, neither early nor passed, and a miss never touches."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from collision import Sweep, signed_distance
from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.shapes.kinds import KINDS
from tests.certificate.bodies import Body, Wide, body, dot, norm, wide
from tests.certificate.families import Cases, Kinds, cases, directions, hairs, mixed
from tests.certificate.pairs import CUT, LENGTH, Errors, own_size, relative, room, size_of

TOUCH = "the point is off the surfaces at that time: they do not touch there"
UPRIGHT = "the point is not a radius along the normal from the cores at that time"
PASSED = "there is no room along the normal at that time: the touch was passed"
EARLIER = "there was no room along the normal at the start: they may have touched before"
START = "they start in touch, and the fraction is not 0; or the other way round"
DEPTH = "the room along the normal at the start is not the signed distance"
MISSED = "a miss, but they touch on the way"
EMPTY = "numbers of a miss are numbers, or those of a hit are none"


#: Shapes graze where the normal is so nearly at a right angle to the motion.
GRAZE = 1e-3

#: Of so many misses of a batch the least distance on the way is sought.
MISSES = 300


class Motions(NamedTuple):
    """Pairs of which the first moves."""

    pairs: Cases
    motion: FloatArray

    @property
    def families(self) -> list[str]:
        return self.pairs.families

    def code(self, i: int) -> str:
        """Return Python code that makes one case."""
        return f"{self.pairs.code(i)}\nmotion = {self.motion[i].tolist()}"


def motions(order: Kinds, count: int, part: int = 0) -> Motions:
    """Return moving pairs of two kinds: at some time of the motion, or at none, they are where a hard pair is.

    They move any way or along the world's axes and planes, but for a hair; from a millionth of their size to a thousand
    million times as far; and from a start in touch.
    """
    swap = KINDS.index(order[0]) > KINDS.index(order[1])
    pairs = cases(order[::-1] if swap else order, count, part)
    pairs = pairs.turned() if swap else pairs
    rng = np.random.default_rng([2029, part, *(KINDS.index(kind) for kind in order)])
    n = len(pairs.families)
    own = own_size(body(pairs.a), body(pairs.b)).astype(float)
    length = own * 10.0 ** mixed(
        rng, n, rng.uniform(-6.0, 9.0, n), rng.uniform(-1.0, 1.0, n), rng.uniform(-1.0, 1.0, n)
    )
    way = directions(rng, n) + hairs(rng, n, 3) * rng.choice([-1.0, 0.0, 1.0], (n, 3))
    motion = way * length[:, None]
    when = mixed(rng, n, np.zeros(n), np.ones(n), rng.uniform(0.0, 1.0, n), rng.uniform(-0.2, 1.5, n))
    return Motions(pairs._replace(a=pairs.a.translated(-when[:, None] * motion)), motion)


def moved(one: Body, motion: Wide, time: Wide) -> Body:
    """Return bodies after a part of their motion, all but unrounded; boxes with the world's axes have no other base."""
    return replace(one, base=one.base + time * motion)


def sweep_certificate(case: Motions, got: Sweep) -> Errors:
    """Return all errors of the sweeps of a batch.

    The shapes are apart along the normal at the start and still at the touch, so at all times between; and they touch
    where the point is, so the touch is the first. Of a miss the least distance on the way is sought, which is convex.
    Where they graze the time is a double root, right to the root of rounding; by as much the normal may lean.
    """
    first, second, motion = body(case.pairs.a), body(case.pairs.b), wide(case.motion)
    hit = np.isfinite(got.fraction)
    time = np.where(hit, got.fraction, 0.0).astype(np.longdouble)
    point, normal = wide(np.where(hit[:, None], got.point, 0.0)), wide(np.where(hit[:, None], got.normal, 0.0))
    there = moved(first, motion, time)
    size = size_of(first, second, point)
    size = np.maximum(size, there.extent())
    start = signed_distance(case.pairs.a, case.pairs.b)
    later = hit & (got.fraction > 0.0)
    own = own_size(first, second)
    grazes = dot(normal, motion) < GRAZE * norm(motion)
    errors = {
        LENGTH: np.where(hit, np.abs(norm(normal) - 1) * size, 0),
        TOUCH: np.where(later, np.maximum(there.off_surface(point), second.off_surface(point)), 0),
        UPRIGHT: np.where(
            later & ~grazes, np.maximum(there.off_core(point, normal), second.off_core(point, -normal)), 0
        ),
        PASSED: np.where(later, np.maximum(-room(there, second, normal, CUT * size), 0), 0),
        EARLIER: np.where(later, np.maximum(-room(first, second, normal, CUT * size), 0), 0),
        START: np.where(hit & ~later, np.maximum(start, 0), np.maximum(-start, 0)) * (size / own),
        DEPTH: np.where(hit & ~later & np.isfinite(start), np.abs(room(first, second, normal, CUT * size) - start), 0),
        MISSED: np.where(hit, 0, np.maximum(-_least_distance(case, np.flatnonzero(~hit)[:MISSES]), 0)),
        EMPTY: np.where((got.hit == hit) & _filled(got, hit), 0, np.inf) * size,
    }
    return {what: relative(error, size) for what, error in errors.items()}


def _filled(got: Sweep, hit: BoolArray) -> BoolArray:
    numbers = np.isfinite(np.column_stack([got.point, got.normal]))
    return np.asarray(np.all(numbers == hit[:, None], axis=1) & ~(got.fraction < 0.0) & ~(got.fraction > 1.0))


_GOLDEN = (np.sqrt(5.0) - 1.0) / 2.0


def _least_distance(case: Motions, rows: IntArray) -> FloatArray:
    """Return the least signed distance on the way of some cases, by golden sections; zero for the others."""
    least = np.zeros(len(case.families))
    a, b, motion = case.pairs.a[rows], case.pairs.b[rows], case.motion[rows]
    if not len(rows):
        return least

    def distance(time: FloatArray) -> FloatArray:
        return signed_distance(a.translated(time[:, None] * motion), b)

    low, high = np.zeros(len(rows)), np.ones(len(rows))
    best = np.minimum(distance(low), distance(high))
    inner, outer = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_inner, at_outer = distance(inner), distance(outer)
    for _ in range(40):
        left = at_inner <= at_outer
        low, high = np.where(left, low, inner), np.where(left, outer, high)
        best = np.minimum(best, np.minimum(at_inner, at_outer))
        new = np.where(left, high - _GOLDEN * (high - low), low + _GOLDEN * (high - low))
        at_new = distance(new)
        inner, outer = np.where(left, new, outer), np.where(left, inner, new)
        at_inner, at_outer = np.where(left, at_new, at_outer), np.where(left, at_inner, at_new)
    least[rows] = np.minimum(best, np.minimum(at_inner, at_outer))
    return least
