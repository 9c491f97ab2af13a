"""How fast points of shapes that chains of links move can be, and be accelerated: what follows for their distance.

**Certain steps.** How far can two shapes go on before they may touch?

Along any direction, however it moves, the gap between two shapes is never more than their distance. So the direction
of the normal at a time is kept: in the world, or in the frame of one of the shapes. The gap along it is the least over
all pairs of points, one of each shape. To first order in time each of these is a straight line, from which the motion
leads away by no more than half the bound on the acceleration times the square of the time. The least of straight lines
is a concave function. Less the square it still is, so where it becomes zero can be bracketed, and the near end of the
bracket is where to go. A rotation about the normal itself costs nothing.

Where the normal turns in all of these frames, as between two edges, such steps only take a part of the way. So near a
touch the search also leaps: to where Newton's method says, or the secant. No touch was passed if the gap is open there
too, and the direction that goes evenly from one normal to the other shows it: with s from 0 to 1 between two times that
are h apart, the gap along that direction is, for every pair of points, at least the chord over the two gaps less
s (1 - s) h (|n - m| v + 1.5 a h), where n and m are the normals, v and a the bounds on speed and acceleration. That
stays above zero if what s (1 - s) is multiplied by is less than the square of the sum of the roots of the two gaps.

Conservative advancement: Mirtich, *Impulse-based Dynamic Simulation of Rigid Body Systems* (1996), section 2.3; with
bounds along a direction: Zhang, Redon, Lee and Kim, "Continuous collision detection for articulated models using Taylor
models and temporal culling" (SIGGRAPH 2007).

**Ranges.** Where the distances at two times are known, those in between are bounded. Along a direction that is kept in
one of the frames, each pair of points moves almost in a straight line, from which it is led away by no more than an
eighth of the bound on the acceleration times the square of the time. So the gap at both times bounds the distance from
below: along the normal of the first time and along that of the second. The bound on the speed holds from above, too.

**Boxes.** Between two positions of a shape, no point is farther from the line through its own two than that eighth.
"""

import math
from typing import NamedTuple

from collision.kernels.chains import (
    Axis,
    Bend,
    Chain,
    Twist,
    bent,
    carried,
    common_axis,
    drift_at,
    joint_at,
    largest_start,
    link_at,
    turns,
    twisted,
    velocity_at,
)
from collision.kernels.core import ROW, AnyCore, bounds, farthest, gain, separate, turned, upright
from collision.kernels.cores import TOUCH, Separation
from collision.kernels.vec3 import Vec3, add, cross, dot, largest, norm, scale, sub
from collision.native import kernel

#: Rounds in which the end of a step is bracketed, each of a chord and of a half.
_BRACKET_ROUNDS = 4

#: What is left of a step that is taken to where the gap would be all but closed.
_SHORTENING = 1.0 - 1e-6

_STILL = Vec3(0.0, 0.0, 0.0)


class Body(NamedTuple):
    """A core as it is given, and its chain; a box with the world's axes stays upright, and grows as it turns."""

    core: AnyCore
    upright: bool
    grows: bool
    chain: Chain


class Moment(NamedTuple):
    """Two bodies at a time: the cores as they are turned, their separation, how they move, and where the cores are."""

    core_a: AnyCore
    core_b: AnyCore
    s: Separation
    twist_a: Twist
    twist_b: Twist
    number: int


class MotionLimits(NamedTuple):
    """Bounds for a piece of time on speeds and accelerations of one body's points against the other's, in three frames.

    All of these accelerations are at a right angle to an axis, if it is common.
    """

    in_world: Bend
    in_a: Bend
    in_b: Bend
    axis: Vec3
    common: bool


@kernel
def moment(a: Body, b: Body, time: float, number: int) -> Moment:
    """Return where two bodies are at a time. There is memory for two moments; `number` is 0 or 1."""
    own = ROW * (2 + 4 * number)
    core_a, twist_a = _placed(a.core, a.chain, time, own)
    core_b, twist_b = _placed(b.core, b.chain, time, own + 2 * ROW)
    there_a = upright(core_a, own + ROW) if a.upright else core_a
    there_b = upright(core_b, own + 3 * ROW) if b.upright else core_b
    core_a, core_b = core_a if a.grows else there_a, core_b if b.grows else there_b
    return Moment(core_a, core_b, separate(there_a, there_b), twist_a, twist_b, number)


@kernel
def _placed(core: AnyCore, chain: Chain, time: float, to: int) -> tuple[AnyCore, Twist]:
    """Return a core where a chain takes it at a time, and how it moves."""
    twist = Twist(_STILL, _STILL, _STILL)
    for i in range(chain.first, chain.last):
        link = link_at(chain, i, time)
        core, twist = turned(core, to, link.pose), twisted(twist, link, i == chain.first)
    return core, twist


@kernel
def limits(a: Body, b: Body, now: Moment, time: float, left: float) -> MotionLimits:
    """Return what holds from a time on, for the rest of the piece that it is in."""
    own_a, own_b = _forth(now.core_a, a, time, left), _forth(now.core_b, b, time, left)
    apart = norm(sub(drift_at(a.chain, time), drift_at(b.chain, time)))
    in_world = Bend(own_a.speed + own_b.speed + apart, own_a.acceleration + own_b.acceleration)
    axis = common_axis(b.chain, time, common_axis(a.chain, time, Axis(_STILL, True, 0)))
    from_a = _back(now.core_b, b, a.chain, Bend(own_b.speed + apart, own_b.acceleration), time, left)
    from_b = _back(now.core_a, a, b.chain, Bend(own_a.speed + apart, own_a.acceleration), time, left)
    common = axis.common and not (a.grows or b.grows)  # which grow along the world's axes
    none = Bend(math.inf, math.inf)  # seen from what turns it, a box that is kept upright moves itself
    return MotionLimits(in_world, none if a.grows else from_a, none if b.grows else from_b, axis.direction, common)


@kernel
def least_speed(limits: MotionLimits) -> float:
    """Return a bound on how fast two bodies come nearer."""
    return min(limits.in_world.speed, limits.in_a.speed, limits.in_b.speed)


@kernel
def slope_of(now: Moment) -> float:
    """Return how fast the gap between two bodies grows."""
    away = sub(velocity_at(now.twist_b, now.s.on_b), velocity_at(now.twist_a, now.s.on_a))
    return dot(now.s.normal, away)


@kernel
def _forth(core: AnyCore, body: Body, time: float, left: float) -> Bend:
    """Return the bounds for a body whose core is where it is at a time, but for the drift of its last link."""
    bend = Bend(0.0, 0.0)
    for i in range(body.chain.first, body.chain.last):
        joint = joint_at(body.chain, i, time)
        if joint.rate != 0.0:
            bend = bent(bend, joint.rate, farthest(core, body.grows, joint.at, joint.axis) + bend.speed * left)
        if i < body.chain.last - 1:
            bend = Bend(bend.speed + joint.speed, bend.acceleration)
    return bend


@kernel
def _back(core: AnyCore, body: Body, other: Chain, known: Bend, time: float, left: float) -> Bend:
    """Return the bounds for a body seen from what another chain carries; known are those but for its turning."""
    bend = known
    for k in range(other.last - other.first):
        joint = joint_at(other, other.last - 1 - k, time)
        if k > 0:
            bend = Bend(bend.speed + joint.speed, bend.acceleration)
        if joint.rate != 0.0:
            bend = bent(bend, joint.rate, farthest(core, body.grows, joint.at, joint.axis) + bend.speed * left)
    return bend


class FrameView(NamedTuple):
    """A frame in which a direction is fixed: how it spins, and half of how ways are bent, seen from there."""

    spin: Vec3
    bend: float


@kernel
def step(a: Body, b: Body, now: Moment, limits: MotionLimits, gap: float, left: float) -> float:
    """Return for how long two bodies, their surfaces a gap apart, are certain not to touch; at most what is left."""
    best = gap / least_speed(limits)
    if best > left:
        return left
    side = norm(cross(now.s.normal, limits.axis)) if limits.common else 1.0
    slope, w_a, w_b = slope_of(now), now.twist_a.spin, now.twist_b.spin
    for k in range(3):  # seen from A, from B, and from the world, which is as good as what does not turn
        bend = (limits.in_a if k == 0 else limits.in_b if k == 1 else limits.in_world).acceleration
        if best < left and bend < math.inf and (k < 2 or (turns(a.chain) and turns(b.chain))):
            seen = FrameView(w_a if k == 0 else w_b if k == 1 else _STILL, 0.5 * side * bend)
            best = max(best, _clear(a, b, now, seen, gap, slope, left))
    return min(best, left)


@kernel
def _gap_after(a: Body, b: Body, now: Moment, seen: FrameView, gap: float, slope: float, after: float) -> float:
    """Return what the gap along the normal is at least after a time, as seen from a frame."""
    n, back = now.s.normal, scale(now.s.normal, -1.0)
    spin, spin_a, spin_b = scale(seen.spin, after), scale(now.twist_a.spin, after), scale(now.twist_b.spin, after)
    lost_a = gain(now.core_a, a.grows, now.s.on_a, n, spin_a, spin)
    lost_b = gain(now.core_b, b.grows, now.s.on_b, back, spin_b, spin)
    return gap + slope * after - (lost_a + lost_b) - seen.bend * after * after


@kernel
def _clear(a: Body, b: Body, now: Moment, seen: FrameView, gap: float, slope: float, left: float) -> float:
    """Return a time up to which the gap along the normal, as seen from a frame, is certain to be open."""
    most = _parabola(gap, slope, seen.bend)  # if no other points come nearer than those that are nearest now
    far = min(left, most)
    at_far = _gap_after(a, b, now, seen, gap, slope, far)
    if at_far > 0.0:
        return far
    near, at_near = 0.0, _gap_after(a, b, now, seen, gap, slope, 0.0)
    if not at_near > 0.0:
        return 0.0
    for _ in range(_BRACKET_ROUNDS):  # it is concave: above its chords, and so positive where they end
        chord = near + (far - near) * (at_near / (at_near - at_far))
        at_chord = _gap_after(a, b, now, seen, gap, slope, chord)
        if not near < chord < far or not at_chord > 0.0:  # by rounding
            break
        near, at_near = chord, at_chord
        middle = 0.5 * near + 0.5 * far
        at_middle = _gap_after(a, b, now, seen, gap, slope, middle)
        if at_middle > 0.0:
            near, at_near = middle, at_middle
        else:
            far, at_far = middle, at_middle
    return near


@kernel
def _parabola(gap: float, slope: float, bend: float) -> float:
    """Return just less than the time at which gap + slope t - bend t² is zero; infinity for never."""
    root = math.sqrt(slope * slope + 4.0 * bend * gap)
    end = 0.5 * (slope + root) / bend if slope > 0.0 else 2.0 * gap / (root - slope)
    return _SHORTENING * end


@kernel
def leapt(
    a: Body, b: Body, now: Moment, then: Moment, start: float, stop: float, limits: MotionLimits, gaps: Vec3
) -> bool:
    """Tell whether two bodies, with gaps between them at two times (x and y), are certain not to touch in between."""
    h, n, m = stop - start, now.s.normal, then.s.normal
    side = _side(limits, n, m)
    in_a, in_b = carried(a.chain, m, stop, start), carried(b.chain, m, stop, start)
    loss = _bowed(limits.in_world, side, norm(sub(m, n)), h)
    loss = min(loss, _bowed(limits.in_a, side, norm(sub(in_a, n)), h))
    loss = min(loss, _bowed(limits.in_b, side, norm(sub(in_b, n)), h))
    return loss < (math.sqrt(gaps.x) + math.sqrt(max(gaps.y, 0.0))) ** 2


@kernel
def _side(limits: MotionLimits, n: Vec3, m: Vec3) -> float:
    """Return the largest part of an acceleration that is along one of two normals."""
    return max(norm(cross(n, limits.axis)), norm(cross(m, limits.axis))) if limits.common else 1.0


@kernel
def _bowed(bend: Bend, side: float, turned: float, h: float) -> float:
    """Return four times what the gap may be less than its chord by."""
    return h * (turned * bend.speed + 1.5 * side * bend.acceleration * h) if bend.acceleration < math.inf else math.inf


class Range(NamedTuple):
    """Bounds on the signed distance between two times, and at which part of the time to look next."""

    least: float
    most: float
    cut: float


@kernel
def range_between(
    a: Body, b: Body, now: Moment, then: Moment, limits: MotionLimits, radius: float, start: float, stop: float
) -> Range:
    """Return bounds on the signed distance between two times, of chains that hold the links in force between them."""
    time, first, last = stop - start, now.s.distance - radius, then.s.distance - radius
    n, m, acceleration = now.s.normal, then.s.normal, limits.in_world.acceleration
    there, back = n, m  # the directions of one time as they are at the other
    if limits.in_a.acceleration < acceleration:
        acceleration = limits.in_a.acceleration
        there, back = carried(a.chain, n, start, stop), carried(a.chain, m, stop, start)
    if limits.in_b.acceleration < acceleration:
        acceleration = limits.in_b.acceleration
        there, back = carried(b.chain, n, start, stop), carried(b.chain, m, stop, start)
    bowed = 0.125 * acceleration * _side(limits, n, m) * time * time
    near, way = min(first, last), least_speed(limits) * time
    # The larger of two straight lines: from the first gap to that along the first normal, and the same from the last.
    ahead, behind = _gap_along(a, b, then, there, radius), _gap_along(a, b, now, back, radius)
    rise, fall = first - behind, last - ahead
    cut = rise / (rise + fall) if 0.0 < rise + fall < math.inf else 0.5
    valley = first + (ahead - first) * cut if 0.0 < cut < 1.0 else near
    least, most = -math.inf, math.inf  # comparisons leave out what is no number
    if min(valley, near) - bowed > least:
        least = min(valley, near) - bowed
    if 0.5 * (first + last - way) > least:
        least = 0.5 * (first + last - way)
    if 0.5 * (first + last + way) < most:
        most = 0.5 * (first + last + way)
    if acceleration == 0.0 and max(first, last) < most:  # the distance is convex
        most = max(first, last)
    return Range(min(least, near), max(most, first, last), cut)


@kernel
def _gap_along(a: Body, b: Body, now: Moment, m: Vec3, radius: float) -> float:
    """Return the gap between two bodies along a direction, in which an endless one does not turn."""
    beyond_a = gain(now.core_a, a.grows, now.s.on_a, m, _STILL, _STILL)
    beyond_b = gain(now.core_b, b.grows, now.s.on_b, scale(m, -1.0), _STILL, _STILL)
    return dot(m, sub(now.s.on_b, now.s.on_a)) - (beyond_a + beyond_b) - radius


class SweptBox(NamedTuple):
    """The corners of a box around all positions of a core, and a bound on the speed of its points."""

    lower: Vec3
    upper: Vec3
    speed: float


@kernel
def swept(body: Body, start: float, stop: float) -> SweptBox:
    """Return the box around a core at two times and between, for which the links of its chain are in force."""
    core, _ = _placed(body.core, body.chain, start, ROW * 2)
    bend = _forth(core, body, start, stop - start)
    if not bend.acceleration < math.inf:
        everywhere = Vec3(math.inf, math.inf, math.inf)
        return SweptBox(scale(everywhere, -1.0), everywhere, math.inf)
    last, _ = _placed(body.core, body.chain, stop, ROW * 4)
    box = united(_box(core, body, ROW * 3), _box(last, body, ROW * 5))
    beyond = 0.125 * bend.acceleration * (stop - start) * (stop - start)
    if body.chain.last > body.chain.first:  # where a body is taken is rounded
        beyond += TOUCH * max(largest(box.lower), largest(box.upper), largest_start(body.chain))
    slack = Vec3(beyond, beyond, beyond)
    return SweptBox(sub(box.lower, slack), add(box.upper, slack), bend.speed + norm(drift_at(body.chain, start)))


@kernel
def _box(core: AnyCore, body: Body, to: int) -> SweptBox:
    """Return the box around the core of a body that is placed."""
    lower, upper = bounds(upright(core, to) if body.upright else core)
    return SweptBox(lower, upper, 0.0)


@kernel
def united(a: SweptBox, b: SweptBox) -> SweptBox:
    """Return what is around both."""
    lower = Vec3(min(a.lower.x, b.lower.x), min(a.lower.y, b.lower.y), min(a.lower.z, b.lower.z))
    upper = Vec3(max(a.upper.x, b.upper.x), max(a.upper.y, b.upper.y), max(a.upper.z, b.upper.z))
    return SweptBox(lower, upper, max(a.speed, b.speed))
