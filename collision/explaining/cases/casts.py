"""Cases of lines, rays and segments that meet shapes, of a sphere in capsule space, and of sweeps."""

from __future__ import annotations

from collision.capsule_space import CapsuleCollider
from collision.explaining.cases import Case
from collision.motion import Motion
from collision.scene.scene import Scene
from collision.shapes import AABB, Capsule, HalfSpace, Line, OrientedBox, Ray, Segment, Sphere
from collision.transforms import Transform

_BALL = Sphere([0, 0, 0], 1)
_CAPSULE = Capsule([0, 0, -1], [0, 0, 1], 0.5)
_BOX = OrientedBox([0, 0, 0], [0, 0, 1, 2], [2, 1, 1])
_PILL = CapsuleCollider([0, 0, 0], "y", 4, 0.5)

_CROSSINGS = {
    "segment through a ball": Case(
        "crossings", (Segment([-2, 0.5, 0], [2, 0.5, 0]), _BALL), "Both roots are on the segment: two crossings."
    ),
    "segment that ends in a ball": Case(
        "crossings", (Segment([-2, 0.5, 0], [0, 0.5, 0]), _BALL), "One root is past the end: one crossing."
    ),
    "segment wholly inside a ball": Case(
        "crossings",
        (Segment([-0.5, 0.25, 0], [0.5, 0.25, 0]), _BALL),
        "No root is on the segment: an article takes that for a miss.",
    ),
    "segment that stops before a ball": Case(
        "crossings", (Segment([-4, 0.5, 0], [-2, 0.5, 0]), _BALL), "Its line goes through the ball, beyond its end."
    ),
    "line tangent to a ball": Case("crossings", (Line([0, 1, 0], [1, 0, 0]), _BALL), "One crossing, to rounding."),
    "line past a ball": Case("crossings", (Line([0, 2, 0], [1, 0, 0]), _BALL), "The foot is farther than the radius."),
    "segment without length in a ball": Case(
        "crossings", (Segment([0.5, 0, 0], [0.5, 0, 0]), _BALL), "An article would divide by zero."
    ),
    "segment without length on a ball": Case(
        "crossings", (Segment([1, 0, 0], [1, 0, 0]), _BALL), "It touches, and crosses once."
    ),
    "segment without length beside a ball": Case(
        "crossings", (Segment([3, 0, 0], [3, 0, 0]), _BALL), "It is a point outside."
    ),
    "line through the middle of a capsule": Case(
        "crossings", (Line([0, 0, 0.25], [1, 0, 0.25]), _CAPSULE), "In and out by the wall of the cylinder."
    ),
    "line through the caps of a capsule": Case(
        "crossings", (Line([0, 0.125, 0], [1, 0, 4]), _CAPSULE), "In and out by the balls at its ends."
    ),
    "line along a capsule": Case(
        "crossings", (Line([0.25, 0, 0], [0, 0, 1]), _CAPSULE), "In by the ball at one end, out by the other."
    ),
    "line past a capsule": Case("crossings", (Line([2, 0, 0], [0, 1, 0]), _CAPSULE), "Farther than the radius."),
    "line tangent to a capsule": Case("crossings", (Line([0.5, 0, 0], [0, 1, 0]), _CAPSULE), "One crossing."),
    "line through a capsule without length": Case(
        "crossings",
        (Line([0, 0, 0], [1, 0, 0]), Capsule([0, 0, 0], [0, 0, 0], 1)),
        "A capsule without length is a ball.",
    ),
    "segment through a box": Case("crossings", (Segment([-4, -1, 0], [4, 1, 0.5]), _BOX), "Three slabs, one part."),
    "line level with two faces of a box": Case(
        "crossings", (Line([0, 0, 0], [1, 0, 0]), AABB([-1, -1, -1], [1, 1, 1])), "Only one slab narrows it."
    ),
    "line past a box": Case("crossings", (Line([0, 4, 0], [1, 0, 0]), _BOX), "Outside where it is nearest."),
    "line through a half-space": Case(
        "crossings", (Line([0, 0, 1], [1, 0, -1]), HalfSpace([0, 0, 0], [0, 0, 1])), "One crossing, inside without end."
    ),
    "line level over a half-space": Case(
        "crossings", (Line([0, 0, 1], [1, 0, 0]), HalfSpace([0, 0, 0], [0, 0, 1])), "Level, and outside."
    ),
}

_RAYCASTS = {
    "ray into a ball": Case("raycast", (Ray([-3, 0.5, 0], [1, 0, 0]), _BALL), "It enters by the smaller root."),
    "ray from inside a ball": Case(
        "raycast", (Ray([0, 0.5, 0], [1, 0, 0]), _BALL), "It hits at zero, with a normal against itself."
    ),
    "ray off the surface of a ball": Case(
        "raycast", (Ray([1, 0, 0], [1, 0, 0]), _BALL), "It starts in touch, and leaves at once."
    ),
    "ray that grazes from the surface of a ball": Case(
        "raycast", (Ray([0, 1, 0], [1, 0, 0]), _BALL), "It starts on the surface, and hits there."
    ),
    "ray that does not reach a ball": Case(
        "raycast", (Ray([-4, 0, 0], [1, 0, 0]), _BALL), "It goes no farther than two.", {"max_distance": 2.0}
    ),
    "ray into a capsule": Case("raycast", (Ray([-3, 0.25, 0], [1, 0, 0.25]), _CAPSULE), "By the wall."),
    "ray into a box": Case("raycast", (Ray([-4, -1, 0.5], [4, 1, 0]), _BOX), "By the slab that it enters last."),
    "ray into a half-space": Case(
        "raycast", (Ray([0, 0, 2], [1, 0, -1]), HalfSpace([0, 0, 0], [0, 0, 1])), "It never leaves again."
    ),
}

_CAPSULE_SPACE = {
    "sphere beside a capsule collider": Case(
        "sphere_test", (_PILL, Transform([1, 0, 0]), Sphere([1.75, 0.5, 0], 0.25)), "The foot lies on the axis."
    ),
    "sphere beyond a capsule collider": Case(
        "sphere_test", (_PILL, Transform(), Sphere([0, 2.25, 0], 0.5)), "The foot is clamped to the end."
    ),
    "capsule collider of scale two": Case(
        "sphere_test",
        (_PILL, Transform(scale=2), Sphere([1.75, 0, 0], 0.5)),
        "The test says that they touch, and they do not: the radius of the sphere was not scaled.",
    ),
    "capsule collider shorter than two radii": Case(
        "sphere_test",
        (CapsuleCollider([0, 0, 0], "y", 0.5, 0.5), Transform(), Sphere([0, 1.25, 0], 0.5)),
        "Its ends have changed places.",
    ),
    "capsule collider that is a ball": Case(
        "sphere_test",
        (CapsuleCollider([0, 0, 0], "y", 1, 0.5), Transform(), Sphere([0.5, 0, 0], 0.25)),
        "There is no rate.",
    ),
}

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

CASTS = {**_CROSSINGS, **_RAYCASTS, **_CAPSULE_SPACE, **_SWEEPS, **_INTERVALS}
