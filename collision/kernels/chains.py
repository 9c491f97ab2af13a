"""Chains of turning links: a shape is turned and moved by each of them in order, the innermost first.

A link turns evenly about an axis through a point that moves in a straight line. Over a *piece* of time no link has a
keyframe, and this holds for the whole of it:

* No point of a shape is faster than the sum, over the links, of the speed of each in its line and of its rate of
  turning times the distance of the farthest point from its axis.
* No point is accelerated by more than what the same sum gives for the second derivative: a link of rate w that turns
  what is itself no faster than v and accelerated by no more than a adds w² times that distance, and 2 w v.

Seen from one of the two shapes the other moves by its own links and then by those of the first undone, in reverse.
"""

import math
from typing import NamedTuple

from collision.kernels.cores import ROUNDING
from collision.kernels.turned import Pose, put, turn, turn_back
from collision.kernels.vec3 import Vec3, add, along, cross, dot, largest, load, norm, scale, sub
from collision.native import Floats, Ints, kernel

#: The numbers of a link over a piece of time: when it starts and how long it is, the point that it turns about, how far
#: that is off at the start and how much farther it goes, the axes at the start (columns), the axis and the angle.
START, LENGTH, CENTER, OFFSET, WAY, AXES, AXIS, ANGLE, LINK = 0, 1, 2, 5, 8, 11, 20, 23, 24

#: Axes that are this near to each other are parallel, to rounding.
_PARALLEL = 4.0 * ROUNDING

#: A quarter of a turn in two parts, the first of which has few digits, so that small multiples of it are exact.
_QUARTER, _REST = 1.57079632673412561417e00, 6.07710050650619224932e-11


class Chain(NamedTuple):
    """The links of a shape, innermost first: their numbers, and in which rows of them they are."""

    numbers: Floats
    rows: Ints
    first: int
    last: int


class Link(NamedTuple):
    """A link at a time: the pose, the axis, how fast it turns about it, and how its center moves."""

    pose: Pose
    axis: Vec3
    rate: float
    drift: Vec3


class Twist(NamedTuple):
    """How a rigid body moves: a point, the velocity there, and the angular velocity."""

    at: Vec3
    velocity: Vec3
    spin: Vec3


@kernel
def link_at(chain: Chain, i: int, time: float) -> Link:
    """Return link i of a chain at a time."""
    n, k = chain.numbers, LINK * chain.rows[i]
    part, angle = (time - n[k + START]) / n[k + LENGTH], n[k + ANGLE]
    axis, center, way = load(n, k + AXIS), load(n, k + CENTER), load(n, k + WAY)
    sine, cosine = sine_cosine(part * angle)
    x = rotated(Vec3(n[k + AXES], n[k + AXES + 3], n[k + AXES + 6]), axis, sine, cosine)
    y = rotated(Vec3(n[k + AXES + 1], n[k + AXES + 4], n[k + AXES + 7]), axis, sine, cosine)
    z = rotated(Vec3(n[k + AXES + 2], n[k + AXES + 5], n[k + AXES + 8]), axis, sine, cosine)
    position = add(center, along(load(n, k + OFFSET), part, way))
    per = 1.0 / n[k + LENGTH]
    return Link(Pose(center, position, x, y, z), axis, angle * per, scale(way, per))


@kernel
def put_in_force(chain: Chain, time: float) -> float:
    """Take each link of a chain to the one of its motion that holds at a time; return until when all of them do."""
    n, until = chain.numbers, math.inf
    for i in range(chain.first, chain.last):
        k = LINK * chain.rows[i]
        while n[k + LENGTH] < math.inf and n[k + LINK + START] <= time:
            k += LINK
        chain.rows[i] = k // LINK
        if n[k + LENGTH] < math.inf:
            until = min(until, n[k + LINK + START])
    return until


@kernel
def sine_cosine(angle: float) -> tuple[float, float]:
    """Return the sine and the cosine of an angle from zero to a few turns, each right to an ulp or so.

    They have the same bits everywhere, by two polynomials of fdlibm (Sun Microsystems, 1993), right to 2^-58.
    """
    quarters = int(angle / (_QUARTER + _REST) + 0.5)
    x = (angle - quarters * _QUARTER) - quarters * _REST
    z = x * x
    s = -1.66666666666666324348e-01 + z * (
        8.33333333332248946124e-03
        + z
        * (
            -1.98412698298579493134e-04
            + z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))
        )
    )
    c = 4.16666666666666019037e-02 + z * (
        -1.38888888888741095749e-03
        + z
        * (
            2.48015872894767294178e-05
            + z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))
        )
    )
    sine, cosine = x + x * z * s, 1.0 - (0.5 * z - z * z * c)
    turns = quarters % 4
    if turns == 1:
        return cosine, -sine
    if turns == 2:
        return -sine, -cosine
    if turns == 3:
        return -cosine, sine
    return sine, cosine


@kernel
def rotated(v: Vec3, axis: Vec3, sine: float, cosine: float) -> Vec3:
    """Return a vector turned about a unit axis (Rodrigues' formula)."""
    if sine == 0.0 and cosine == 1.0:
        return v
    level = along(scale(v, cosine), sine, cross(axis, v))
    return along(level, dot(axis, v) * (1.0 - cosine), axis)


@kernel
def turns(chain: Chain) -> bool:
    """Tell whether any link of a chain turns."""
    found = False
    for i in range(chain.first, chain.last):
        found = found or chain.numbers[LINK * chain.rows[i] + ANGLE] != 0.0
    return found


@kernel
def twisted(before: Twist, link: Link, first: bool) -> Twist:
    """Return how what a link carries moves, from how it moves before; `first` tells whether there is no link before."""
    arm = turn(link.pose, sub(link.pose.center if first else before.at, link.pose.center))
    own = scale(link.axis, link.rate)
    velocity = add(add(link.drift, cross(own, arm)), turn(link.pose, before.velocity))
    return Twist(add(link.pose.position, arm), velocity, add(own, turn(link.pose, before.spin)))


@kernel
def velocity_at(twist: Twist, p: Vec3) -> Vec3:
    """Return the velocity of the point of a body that is at a position."""
    return add(twist.velocity, cross(twist.spin, sub(p, twist.at)))


@kernel
def carried(chain: Chain, v: Vec3, start: float, stop: float) -> Vec3:
    """Return where a vector is at one time that is carried along by a chain and known at another."""
    for k in range(chain.last - chain.first):
        v = turn_back(link_at(chain, chain.last - 1 - k, start).pose, v)
    for i in range(chain.first, chain.last):
        v = turn(link_at(chain, i, stop).pose, v)
    return v


class TurningLink(NamedTuple):
    """The axis about which a link turns, in the world at a time: a point and the direction; its rate and its speed."""

    at: Vec3
    axis: Vec3
    rate: float
    speed: float


@kernel
def joint_at(chain: Chain, i: int, time: float) -> TurningLink:
    """Return the joint of link i of a chain at a time, where the links after it have taken it."""
    link = link_at(chain, i, time)
    at, axis = link.pose.position, link.axis
    for j in range(i + 1, chain.last):
        outer = link_at(chain, j, time).pose
        at, axis = put(outer, at), turn(outer, axis)
    return TurningLink(at, axis, link.rate, norm(link.drift))


@kernel
def largest_start(chain: Chain) -> float:
    """Return the largest coordinate of where the links of a chain start."""
    far = 0.0
    for i in range(chain.first, chain.last):
        k = LINK * chain.rows[i]
        far = max(far, largest(load(chain.numbers, k + CENTER)), largest(load(chain.numbers, k + OFFSET)))
    return far


@kernel
def drift_at(chain: Chain, time: float) -> Vec3:
    """Return how the center of the last link of a chain moves; not at all, without a link."""
    return link_at(chain, chain.last - 1, time).drift if chain.last > chain.first else Vec3(0.0, 0.0, 0.0)


class Bend(NamedTuple):
    """Bounds on the speed and on the acceleration of the points of a shape."""

    speed: float
    acceleration: float


@kernel
def bent(before: Bend, rate: float, far: float) -> Bend:
    """Return the bounds for what moves as before, and is turned at a rate about an axis no farther away than `far`."""
    if rate == 0.0:
        return before
    fast, hard = before
    return Bend(fast + rate * far, hard + rate * (2.0 * fast + rate * far))


class Axis(NamedTuple):
    """The direction of all axes about which two chains turn, where they have one in common; how many turn."""

    direction: Vec3
    common: bool
    turning: int


@kernel
def common_axis(chain: Chain, time: float, known: Axis) -> Axis:
    """Return the axis that the links of a chain have in common with what is known."""
    direction, common, turning = known
    for i in range(chain.first, chain.last):
        joint = joint_at(chain, i, time)
        if joint.rate != 0.0:
            if turning == 0:
                direction = joint.axis
            common = common and norm(cross(direction, joint.axis)) <= _PARALLEL
            turning += 1
    return Axis(direction, common, turning)
