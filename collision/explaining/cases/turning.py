"""Cases of sweeps in which something turns: found by chance, one for each branch of the steps that are certain."""

from __future__ import annotations

from typing import Any

from collision.explaining.cases.case import Case
from collision.shapes.kinds import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Sphere
from collision.shapes.shape import Shape
from collision.shapes.transforms import Transform


def _turned(a: Shape, b: Shape, says: str, **more: Any) -> Case:
    return Case("sweep", (a, b), says, more)


TURNING = {
    "line and segment that turn about different axes": _turned(
        Line([3, -2, 0], [1, 3, 2]),
        Segment([3, 0, 2], [-1, -2, 1]),
        "The axes have no direction in common, and a line has no bound on its speed but as seen from itself.",
        end=Transform(rotation=[1, 2, 0, 2]),
        b_end=Transform([1, -3, 0], [0, 0, -1, 1]),
    ),
    "flat box that turns half a turn to a point": _turned(
        OrientedBox([-3, 2, 0], [0, 0, 0, 1], [2, 1, 0]),
        Sphere([-1, -1, 0], 0),
        "Half a turn goes about the one of two opposite axes whose largest component is positive.",
        end=Transform([0, -1, 4], [0, 1, 0, 0]),
    ),
    "half-space and segment that both turn": _turned(
        HalfSpace([-1, -2, 1], [0, -1, 3]),
        Capsule([0, -1, 3], [3, -3, 0], 0),
        "They touch at the start, or the gap has a direction still: the normal is that of the gap.",
        end=Transform([1, 2, 1], [0, 0, 1, 2]),
        pivot=[2, 0, 3],
        b_end=Transform([1, -1, -3], [1, 2, 0, 2]),
        b_pivot=[3, 1, 0],
    ),
    "ball that turns to a capsule that slides": _turned(
        Sphere([1, -3, 0], 2),
        Capsule([3, 0, -1], [-1, -2, -1], 1),
        "What only slides adds to the speed, and bends no way.",
        end=Transform(rotation=[1, 0, 0, 3]),
        b_end=Transform([1, 0, 2]),
    ),
    "segment that turns half a turn to a box along the axes": _turned(
        Segment([3, 4, 0], [2, 0, 1]),
        AABB([0, -2, 0], [0, 0, 1]),
        "The box keeps the axes of the world.",
        end=Transform([1, 0, 0], [0, 0, 1, 0]),
    ),
    "box kept upright as it turns to a box that slides": _turned(
        AABB([4, 2, 4], [5, 4, 4]),
        OrientedBox([4, 0, -1], [0, 0, 1, 1], [1, 1, 0]),
        "A box that is kept upright grows and shrinks as it turns.",
        end=Transform([-1, 1, 1], [1, 1, 1, 1]),
        start=Transform([-3, 0, -1], [1, 0, 0, 1]),
        b_end=Transform([4, 0, 0]),
        b_pivot=[-1, 0, 1],
    ),
    "capsule and segment that turn about different axes": _turned(
        Capsule([-3, 1, 2], [-1, -3, -3], 1),
        Segment([1, -3, 3], [-2, -2, 0]),
        "Both turn, so the normal is also kept as seen from the world.",
        end=Transform([-2, 1, 0], [1, 1, 1, 1]),
        b_end=Transform([-3, 0, 0], [0, 0, 1, 2]),
    ),
    "segment and ray that both turn": _turned(
        Capsule([-1, 2, -2], [0, 1, 2], 0),
        Ray([-1, 3, 0], [-3, 0, 3]),
        "The end of a step is bracketed by chords and halves.",
        end=Transform([4, 0, 0], [0, 1, 0, 1]),
        b_end=Transform([0, 3, 3], [1, 0, 0, 1]),
    ),
    "half-space that turns half a turn to a segment": _turned(
        HalfSpace([0, 2, -2], [0, 1, 1]),
        Capsule([1, 4, 4], [0, 0, 3], 0),
        "The normal of the touch is that of the plane.",
        end=Transform([4, 1, 1], [0, 0, 1, 0]),
    ),
    "two boxes kept upright as both turn": _turned(
        AABB([2, 1, -1], [2, 1, 0]),
        AABB([0, -1, 2], [0, 0, 3]),
        "Neither is still as seen from the other.",
        end=Transform(rotation=[1, 2, 0, 2]),
        start=Transform(rotation=[0, 0, 1, 0]),
        b_end=Transform(rotation=[1, 1, 1, 1]),
        b_pivot=[2, -1, 2],
    ),
    "capsule that turns half a turn to a box that turns": _turned(
        Capsule([-2, 4, -1], [0, 2, -2], 2),
        OrientedBox([1, 0, 3], [0, 0, 0, 1], [1, 2, 1]),
        "A leap that is not certain to pass no touch is not taken.",
        end=Transform([3, 1, 4], [0, 1, 0, 0]),
        b_end=Transform([1, -1, -1], [1, 1, 1, 1]),
        b_pivot=[3, -2, 1],
    ),
    "box kept upright as it turns to a box that rests": _turned(
        AABB([0, 2, 0], [2, 3, 1]),
        AABB([1, -2, -3], [3, -1, -1]),
        "It grows along the axes of the world, so an axis in common is of no use.",
        end=Transform(rotation=[0, 0, 1, 0]),
        start=Transform([4, 1, 0], [0, 0, 1, 1]),
    ),
    "ball that turns about a point far from it": _turned(
        Sphere([0, -1, -3], 2),
        Capsule([-1, 2, 1], [3, 0, 1], 1),
        "The secant leads no farther than what is certain.",
        end=Transform([3, -1, 4], [0, 0, 1, 0]),
        pivot=[4, 2, 0],
    ),
    "box kept upright as it turns half a turn to a segment": _turned(
        AABB([0, 0, 0], [2, 2, 2]),
        Segment([1, 0, 4], [-3, 0, -3]),
        "Near the touch the gap has hardly a direction: the normal is that of the approach.",
        end=Transform(rotation=[0, 1, 0, 0]),
    ),
    "ball that turns to a ray that turns": _turned(
        Sphere([0, -3, -1], 1),
        Ray([0, 1, 1], [1, 0, 0]),
        "Along the axis about which it turns, what has no end has a bound on its speed.",
        end=Transform(rotation=[1, 0, 0, 3]),
        b_end=Transform([3, 0, 1], [1, 1, 1, 1]),
        b_pivot=[2, -1, 4],
    ),
    "segment that turns to a flat box": _turned(
        Segment([-1, 0, 1], [2, 3, -1]),
        AABB([0, 0, 0], [0, 2, 2]),
        "By rounding a chord may end where its bracket does.",
        end=Transform([0, 2, 0], [0, 1, 0, 1]),
        start=Transform([-1, 2, 1], [0, 0, 1, 2]),
        pivot=[0, -2, 3],
    ),
    "ball that turns beside a ray along the axis": _turned(
        Sphere([1, -3, -1], 1),
        Ray([1, -2, 0], [-2, 0, 0]),
        "As seen from the ball the ray turns about itself.",
        end=Transform(rotation=[1, 0, 0, 3]),
        pivot=[0, -1, 0],
    ),
    "box that is a segment, kept upright, and a line that turns": _turned(
        AABB([3, -1, 1], [3, -1, 2]),
        Line([1, -1, 2], [0, 0, -3]),
        "A line that turns into the direction of the gap has no bound there.",
        end=Transform(rotation=[1, 0, 0, 1]),
        b_end=Transform(rotation=[0, 0, 1, 1]),
    ),
    "point that turns to a ray": _turned(
        Point([2, -3, -1]),
        Ray([4, -3, -1], [-3, -3, -3]),
        "A ray that turns away from the direction of the gap is nearest with its start.",
        end=Transform([-1, -3, 0], [1, 1, 1, 1]),
    ),
    "box kept upright that starts turned": _turned(
        AABB([3, 3, 1], [4, 3, 2]),
        Capsule([0, 1, 1], [-2, 0, 1], 0),
        "A box turned by thirds of a turn has the axes of the world again.",
        end=Transform(rotation=[1, 2, 0, 2]),
        start=Transform(rotation=[1, 1, 1, 1]),
    ),
    "box that is a segment, turned to a segment": _turned(
        OrientedBox([-1, 0, -1], [1, 0, 0, 3], [1, 0, 0]),
        Segment([0, 0, 0], [-3, 0, -1]),
        "The gap came out on the other side, where there is no room.",
        end=Transform(rotation=[0, 1, 0, 1]),
        pivot=[-1, 0, 3],
    ),
    "flat box that turns over a box": _turned(
        OrientedBox([-2, -1, 0], [0, 0, 0, 1], [0, 1, 0]),
        OrientedBox([1, -1, 1], [0, 0, 0, 1], [2, 1, 1]),
        "By rounding the gap at the end of a chord is not above zero.",
        end=Transform(rotation=[0, 0, 1, 1]),
        start=Transform([1, 2, 0], [1, 0, 0, 1]),
    ),
    "line that turns about an axis along it": _turned(
        Line([3, 0, 0], [0, 0, 1]),
        Sphere([0, 3, 0], 1),
        "A line has a bound on its speed where it turns about its own direction.",
        end=Transform(rotation=[0, 0, 1, 1]),
    ),
    "line that turns about an axis along it, askew": _turned(
        Line([0, 3, 0], [2, -1, 2]),
        Sphere([3, 2, -1], 1),
        "The axis is along the line to rounding only: half of the times the line seems to turn towards the ball.",
        end=Transform(rotation=[2, -1, 2, 1]),
        b_end=Transform(rotation=[2, -1, 2, -1]),
    ),
    "segment that meets a line, and comes out on its other side": _turned(
        Segment([3, 2, 1], [-1, 1, 0]),
        Line([1, 2, -1], [3, 0, -1]),
        "The gap is of rounding, and its direction has turned around: the one that leads into the line is kept.",
        end=Transform(rotation=[0, 1, 0, 0]),
    ),
}
