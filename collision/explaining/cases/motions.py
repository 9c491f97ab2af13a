"""Cases of shapes that move: sweeps, their steps, and when pairs of a moving scene touch."""

from __future__ import annotations

from collision.explaining.cases import Case
from collision.motion import Motion
from collision.scene.scene import Scene
from collision.shapes import Capsule, HalfSpace, OrientedBox, Sphere
from collision.transforms import Transform

_BALL = Sphere([0, 0, 0], 1)
_BOX = OrientedBox([0, 0, 0], [0, 0, 1, 2], [2, 1, 1])


_QUARTER = Transform(rotation=[0, 0, 1, 1])

_SWEEPS = {
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

_FLY = Motion("ball", times=[0, 10], offsets=[[0, 0, 0], [10, 0, 0]])
_SWING = Motion("rod", times=[0, 1, 2], rotations=[[0, 0, 0, 1], [0, 0, 1, 1], [0, 0, 1, 0]], pivot=[0, 0, 0])
_ROD = Capsule([0, 0, 0], [4, 0, 0], 0.25)

_INTERVALS = {
    "ball that flies through a post": Case(
        "touching_intervals",
        (Scene({"ball": _BALL, "post": Sphere([5, 0, 0], 1)}, motion=[_FLY]),),
        "A sweep forth finds the first touch, a sweep back the last.",
    ),
    "ball that flies past a post": Case(
        "touching_intervals",
        (Scene({"ball": _BALL, "post": Sphere([5, 2, 1], 1)}, motion=[_FLY]),),
        "The boxes around all places meet, the shapes do not.",
    ),
    "ball that flies far from a post": Case(
        "touching_intervals",
        (Scene({"ball": _BALL, "post": Sphere([5, 9, 0], 1)}, motion=[_FLY]),),
        "The boxes around all places do not meet.",
    ),
    "rod that swings through a ball": Case(
        "touching_intervals",
        (Scene({"rod": _ROD, "ball": Sphere([0, 3, 0], 0.5)}, motion=[_SWING]),),
        "Steps that are certain, and two changes.",
    ),
}

MOTIONS = {**_SWEEPS, **_INTERVALS}
