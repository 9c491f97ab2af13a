"""Cases of sweeps, and of their steps."""

from __future__ import annotations

from collision.explaining.cases.case import Case
from collision.shapes.kinds import Capsule, HalfSpace, OrientedBox, Sphere
from collision.shapes.transforms import Transform

_BALL = Sphere([0, 0, 0], 1)
_BOX = OrientedBox([0, 0, 0], [0, 0, 1, 2], [2, 1, 1])


_QUARTER = Transform(rotation=[0, 0, 1, 1])

SWEEPS = {
    "ball that flies to a ball": Case(
        "sweep", (_BALL, Sphere([5, 1, 0], 1)), "Each tangent ends before the touch.", {"motion": [6, 0, 0]}
    ),
    "ball that flies past a ball": Case(
        "sweep", (_BALL, Sphere([5, 3, 0], 0.5)), "The distance grows again: the way is clear.", {"motion": [9, 0, 0]}
    ),
    "ball that stops short of a ball": Case(
        "sweep", (_BALL, Sphere([5, 0, 0], 1)), "The tangent is zero beyond the end.", {"motion": [2, 0, 0]}
    ),
    "ball that grazes a ball": Case(
        "sweep", (_BALL, Sphere([5, 2, 0], 1)), "A double root, where each step halves the way.", {"motion": [6, 0, 0]}
    ),
    "balls that touch from the start": Case(
        "sweep", (_BALL, Sphere([1.5, 0, 0], 1)), "They overlap already.", {"motion": [1, 0, 0]}
    ),
    "box that flies to a ball": Case(
        "sweep", (_BOX, Sphere([6, 1, 0], 1)), "Seen from the box, it is the ball that moves.", {"motion": [5, 0, 0]}
    ),
    "rod that swings to a post": Case(
        "sweep",
        (Capsule([0, 0, 0], [5, 0, 0], 0.25), Capsule([3, 3, -1], [3, 3, 1], 0.5)),
        "Steps that are certain to pass no touch.",
        {"end": _QUARTER},
    ),
    "box that spins over a floor": Case(
        "sweep",
        (OrientedBox([0, 0, 2], [0, 0, 0, 1], [1, 1, 1]), HalfSpace([0, 0, 0], [0, 0, 1])),
        "A rotation about the normal costs nothing.",
        {"end": _QUARTER},
    ),
    "steps of a ball that flies to a ball": Case(
        "sweep_steps", (_BALL, Sphere([5, 1, 0], 1)), "The same steps as those of the sweep.", {"motion": [6, 0, 0]}
    ),
}
