"""The first touch of two shapes in straight relative motion.

The distance of two convex shapes is then a convex function of time, and its slope is minus the speed along the normal.
Newton's method started before the touch therefore never passes it.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from collision.kernels.core import ROW, AnyCore, general, moved_in_search, read, separate, size
from collision.kernels.cores import ROUNDING, TOUCH, Separation
from collision.kernels.loops import PAIRS
from collision.kernels.table import Solve
from collision.kernels.vec3 import Vec3, add, along, dot, largest, load, norm, scale, store, sub
from collision.native import FLOATS, INT, Floats, Ints, Loop, Table, kernel

#: A grazing touch is a double root, where each step only halves the way: 2^-53 of it needs 53 steps.
MAX_STEPS = 80

#: Two gaps that differ by less than this times the size differ by rounding: that of two distances and of two motions.
_SAME = 8.0 * ROUNDING

#: A normal that leads this far aside from the other core, relative to the size, is not the same but for rounding.
_SURE = 4.0 * ROUNDING

#: The distance of two cores, relative to their size, from which on rounding hardly turns its direction.
THIN = 1e-6

#: A last step from a gap of rounding goes at most a thousand times as far, nearly all of it sideways, where the cores
#: are so far from each other that this does not matter, and else twenty times as far.
_STEEP, _STEEP_THIN = 1e-3, 0.05

#: Normals that differ by no more are of the same two features.
ALIKE = 1e-3

#: How far aside, relative to the size, the normal of a touch is looked for, where there is a gap; then nearer, three
#: times, for features that are small.
_ASIDE, _NEARER, _LOOKS = 1e-4, 1e-2, 4

#: Two normals with less than this for a product have hardly a sum.
_OPPOSITE = -0.5


class Choice(NamedTuple):
    """A normal, and the gap that it shows."""

    normal: Vec3
    gap: float


class KnownTouch(NamedTuple):
    """A touch: normals of the approach, the joint radius, the motion, and what is no more than rounding.

    `last` is the normal before the last step, where rounding may have turned it; `facing` is the one that was kept.
    """

    last: Choice
    facing: Vec3
    radius: float
    v: Vec3
    hair: float


@kernel
def advance(
    s: Separation, before: Vec3, radius: float, v: Vec3, t: float, size: float, far: float
) -> tuple[float, bool, Vec3]:
    """Return the time of the next step (infinity: the way is clear), whether they touch at the time given, a normal.

    `before` is the normal of the step before, or zero. It is kept where along it the gap would be the same to rounding.
    `far` is the largest coordinate so far of where they were nearest, which rounding of the step is relative to.
    """
    gap, reach = s.distance - radius, max(size, largest(s.on_a))
    at_start = before.x == 0.0 and before.y == 0.0 and before.z == 0.0
    closing, normal = dot(s.normal, v), s.normal  # how fast the gap shrinks
    if not at_start and s.distance <= THIN * reach:
        normal = s.normal if s.distance * largest(sub(s.normal, before)) > _SAME * reach else before
    tolerance = TOUCH * (size if at_start or t == 1.0 else reach)
    if gap <= tolerance and (at_start or gap <= 0.0 or closing <= 0.0 or t == 1.0):
        return t, True, normal if at_start or dot(normal, v) > 0.0 else before
    if closing <= 0.0:
        # Rounding may have led past the touch, by more the flatter the angle was, or right through what has no
        # thickness: step back and decide there. Else the tangents show that they never came so near.
        earlier = dot(before, v)
        past = earlier > 0.0 and closing < 0.0 and gap * earlier <= -TOUCH * max(reach, far) * closing
        past = past and gap <= -t * closing  # no farther back than the start
        return (t + gap / closing if past else math.inf), False, before
    if gap <= ROUNDING * (size if at_start or t == 1.0 else reach):  # near enough; the last step is taken if not wild
        steep = _STEEP
        if s.distance <= THIN * reach:
            steep, closing, gap = _STEEP_THIN, dot(normal, v), s.distance * dot(s.normal, normal) - radius
        last = t + gap / closing if closing > steep * norm(v) else t
        return min(last, 1.0), t == 1.0 or last <= 1.0, normal  # the end of the way decides what is beyond it
    following = t + gap / closing
    if t < 1.0 < following <= 2.0:  # Newton stays short of the touch: the end of the way decides
        return 1.0, False, normal
    return following, following == t, normal


@kernel
def level(one: Choice, other: Choice, v: Vec3) -> Choice:
    """Return the normal between two that is at a right angle to a motion, if its gap is larger than the second's."""
    into, out = dot(other.normal, v), -dot(one.normal, v)
    if not into > 0.0 or dot(one.normal, other.normal) < _OPPOSITE:
        return other
    between = add(scale(one.normal, into), scale(other.normal, out))
    long, gap = norm(between), one.gap * into + other.gap * out
    return Choice(scale(between, 1.0 / long), gap / long) if gap > other.gap * long else other


def _looking(solve: Solve, moved: Callable[[Any, float, Vec3], Any]) -> Callable[..., Choice]:
    """Return the kernel that looks for a normal of a touch aside of it, where there is a gap."""

    @kernel
    def look(there: Any, core_b: Any, aside: Vec3, known: KnownTouch, best: Choice) -> Choice:
        """Return the better of a choice and the normal a little aside; if need be three times more, ever nearer."""
        for _ in range(_LOOKS):
            s = solve(moved(there, -1.0, aside), core_b)
            gap, n = s.distance - known.radius - dot(s.normal, aside), s.normal
            if dot(n, known.v) < -known.hair:
                best = level(Choice(n, gap), best, known.v)
            elif gap > best.gap:
                best = Choice(n, gap)
            if best.gap >= -known.hair:
                break
            aside = scale(aside, _NEARER)
        return best

    return look


def settled_normal(solve: Solve, moved: Callable[[Any, float, Vec3], Any]) -> Callable[..., Vec3]:
    """Return the kernel that finds the normal of a touch."""
    look = _looking(solve, moved)

    @kernel
    def settled(there: Any, core_b: Any, s: Separation, known: KnownTouch, size: float) -> Vec3:
        """Return a normal along which both are apart but for rounding, and which the motion does not lead out of."""
        hair, facing, best = known.hair, known.facing, known.last
        turned, out = largest(sub(s.normal, facing)), dot(s.normal, known.v) < -hair
        if not out and (turned <= ALIKE or s.distance * turned > _SURE * size):
            return s.normal
        for k in range(4):
            if best.gap < -hair:
                tried = known.last.normal if k == 0 else facing if k == 1 else scale(s.normal, 1.0 if k == 2 else -1.0)
                best = look(there, core_b, scale(tried, _ASIDE * size), known, best)
        if out and s.distance * largest(sub(s.normal, best.normal)) > _SURE * size:
            best = level(Choice(s.normal, s.distance - known.radius), best, known.v)
        return best.normal

    return settled


def straight_search(solve: Solve, moved: Callable[[Any, float, Vec3], Any]) -> Callable[..., Any]:
    """Return the kernel that finds the first touch of two cores, the first of which moves."""
    settled = settled_normal(solve, moved)

    @kernel
    def search(core_a: Any, core_b: Any, radius: float, v: Vec3, size: float) -> tuple[float, Separation, Vec3]:
        """Return the time of the first touch (NaN for a miss), the separation then, and the normal."""
        t, touch, facing, far = 0.0, False, Vec3(0.0, 0.0, 0.0), 0.0
        s = solve(core_a, core_b)
        before, since = s, 0.0
        for _ in range(MAX_STEPS):
            following, touch, facing = advance(s, facing, radius, v, t, size, far)
            if following > 1.0 or following == t:
                t = following
                break
            t, since, far, before = following, t, max(far, largest(s.on_a)), s
            s = solve(moved(core_a, t, v), core_b)
            if touch:  # the point is where they are then
                break
        if not touch or t > 2.0:
            return math.nan, s, facing
        t = min(max(t, 0.0), 1.0)
        if t > 0.0:
            reach = max(size, largest(s.on_a))
            closing, last = dot(before.normal, v), Choice(facing, -THIN * reach)
            if closing >= 0.0:
                gap = before.distance - radius - (t - since) * closing
                last = Choice(before.normal, gap if before.distance > THIN * reach else last.gap)
            facing = settled(moved(core_a, t, v), core_b, s, KnownTouch(last, facing, radius, v, TOUCH * reach), reach)
        return t, s, facing

    return search


#: The same for cores of any type in the rows of a search, the core of the lower type first.
search_any = straight_search(separate, moved_in_search)


def _sweep(
    first: int, last: int, indexed: int, ta: Table, sa: Ints, ia: Ints, tb: Table, sb: Ints, ib: Ints,
    vectors: Table, step: Ints, out: Table,
    type_a: int, type_b: int, corners_a: Floats, corners_b: Floats, scratch: Floats,
) -> None:  # fmt: skip
    """Fill in the first touches of pairs, the first of which moves: fraction, point and normal, NaN for a miss."""
    given_a, given_b = AnyCore(type_a, scratch, 0, corners_a), AnyCore(type_b, scratch, ROW, corners_b)
    core_a, core_b = general(given_a), general(given_b)  # boxes with the world's axes are swept as any others
    fraction, point, normal = out[0], out[1], out[2]
    for k in range(first, last):
        i, j = (ia[k], ib[k]) if indexed else (k, k)
        radius_a, radius_b = read(given_a, ta, sa, i, 0), read(given_b, tb, sb, j, 0)
        v, radius = load(vectors[0], k * step[0]), radius_a + radius_b
        t, s, facing = search_any(core_a, core_b, radius, v, max(size(core_a), size(core_b), radius))
        hit, nowhere = t >= 0.0, Vec3(math.nan, math.nan, math.nan)
        fraction[k] = t
        store(point, 3 * k, along(s.on_b, -radius_b, s.normal) if hit else nowhere)
        store(normal, 3 * k, facing if hit else nowhere)


#: Takes pairs, the types of both cores, the lower first, the tables that these refer to, and `SEARCH_ROWS` rows.
LOOP = Loop("sweep", _sweep, (*PAIRS, INT, INT, FLOATS, FLOATS, FLOATS))
