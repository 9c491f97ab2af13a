"""Cases of pairs of a scene that moves: those that show how, and one for each branch of how pairs are followed."""

from __future__ import annotations

from collision.explaining.cases.case import Case, touching_intervals
from collision.scene.scene import Scene
from collision.shapes.kinds import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Segment, Shape, Sphere
from collision.shapes.motion import Motion


def _moving(a: Shape, b: Shape, says: str, *motion: Motion, **more: float) -> Case:
    return touching_intervals(says, Scene({"a": a, "b": b}, motion=motion), **more)


_FLY = Motion("ball", times=[0, 10], offsets=[[0, 0, 0], [10, 0, 0]])
_SWING = Motion("rod", times=[0, 1, 2], rotations=[[0, 0, 0, 1], [0, 0, 1, 1], [0, 0, 1, 0]], pivot=[0, 0, 0])
_BALL, _ROD = Sphere([0, 0, 0], 1), Capsule([0, 0, 0], [4, 0, 0], 0.25)
_ROLLED = [0, 1, 0, 1]
_HALF_TURN = Motion("a", times=[0, 1, 2], rotations=[[0, 0, 0, 1], [0, 0, 1, 1], [0, 0, 1, 0]], pivot=[0, 0, 0])

INTERVALS = {
    "ball that flies through a post": touching_intervals(
        "A sweep forth finds the first touch, a sweep back the last.",
        Scene({"ball": _BALL, "post": Sphere([5, 0, 0], 1)}, motion=[_FLY]),
    ),
    "ball that flies past a post": touching_intervals(
        "The boxes around all places meet, the shapes do not.",
        Scene({"ball": _BALL, "post": Sphere([5, 2, 1], 1)}, motion=[_FLY]),
    ),
    "ball that flies far from a post": touching_intervals(
        "The boxes around all places do not meet.", Scene({"ball": _BALL, "post": Sphere([5, 9, 0], 1)}, motion=[_FLY])
    ),
    "pair that is ignored while it moves": touching_intervals(
        "It is not compared.",
        Scene({"ball": _BALL, "post": Sphere([5, 0, 0], 1)}, motion=[_FLY], ignored=[("ball", "post")]),
    ),
    "pair that is moved as one": _moving(
        _BALL,
        Sphere([1, 0, 0], 1),
        "Neither moves against the other.",
        Motion("*", times=[0, 1], offsets=[[0, 0, 0], [3, 0, 0]]),
    ),
    "pair that is moved as one, side by side": _moving(
        _BALL,
        Sphere([1.5, 1.5, 0], 1),
        "Neither moves against the other, and they do not touch.",
        Motion("*", times=[0, 1], offsets=[[0, 0, 0], [3, 0, 0]]),
    ),
    "moment of a motion": touching_intervals(
        "From a time to the same time.",
        Scene({"ball": _BALL, "post": Sphere([5, 0, 0], 1)}, motion=[_FLY]),
        start=4.0,
        stop=4.0,
    ),
    "rod that swings through a ball": touching_intervals(
        "Steps that are certain, and two changes.",
        Scene({"rod": _ROD, "ball": Sphere([0, 3, 0], 0.5)}, motion=[_SWING]),
    ),
    "rod that swings through a ball, to the last bit": touching_intervals(
        "Steps as short as a change is sought to: nothing is left to be halved.",
        Scene({"rod": _ROD, "ball": Sphere([0, 3, 0], 0.5)}, motion=[_SWING]),
        resolution=1e-11,
    ),
    "rod that swings late": _moving(
        _ROD,
        Sphere([0, 3, 0], 0.5),
        "After a year of seconds, there is soon no number between two times.",
        Motion("a", times=[3e7, 3e7 + 1e-3], rotations=[[0.0, 0, 0, 1], [0, 0, 1, 0.5]], pivot=[0, 0, 0]),
    ),
    "rod that swings, seen from its last keyframe on": _moving(
        _ROD, Sphere([-3, 0.5, 0], 0.5), "What has ended keeps its place.", _HALF_TURN, start=1.5, stop=4.0
    ),
    "rod that swung long ago": _moving(
        _ROD, Sphere([-3, 0, 0], 0.5), "All keyframes are past.", _HALF_TURN, start=3.0, stop=4.0
    ),
    "rod that swings, seen from its middle on": _moving(
        _ROD,
        Sphere([-3, 0.5, 0], 0.5),
        "Two keyframes are past.",
        Motion(
            "a", times=[0, 1, 2, 3], rotations=[[0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 1, 1], [0, 0, 1, 0]], pivot=[0, 0, 0]
        ),
        start=2.5,
    ),
    "two that turn, each by its own keyframes": _moving(
        _ROD,
        Capsule([0, 4, 0], [4, 4, 0], 0.25),
        "One has ended, and the other goes on.",
        Motion("a", times=[0, 1], rotations=[[0, 0, 0, 1], [0, 0, 1, 1]], pivot=[0, 0, 0]),
        Motion(
            "b",
            times=[0, 0.5, 1.5, 2],
            rotations=[[0, 0, 0, 1], [0, 0, 1, 1], [0, 0, 1, 0], [0, 0, 1, -1]],
            pivot=[0, 4, 0],
        ),
    ),
    "ball that rolls": _moving(
        Sphere([0, 0, 1], 1),
        AABB([2, -1, 0], [4, 1, 1]),
        "It turns in place: it goes where its center goes.",
        Motion("a", times=[0, 1], offsets=[[0, 0, 0], [4, 0, 0]], rotations=[[0, 0, 0, 1], _ROLLED], pivot=[0, 0, 1]),
    ),
    "ball that rolls past a box": _moving(
        Sphere([0, 0, 3], 1),
        AABB([2, -1, 0], [4, 1, 1]),
        "Neither sweep finds a touch.",
        Motion(
            "a",
            times=[0, 1],
            offsets=[[0.0, 0, 0], [4, 0, -0.5]],
            rotations=[[0, 0, 0, 1], [0, 1, 0, 1]],
            pivot=[0, 0, 3],
        ),
    ),
    "half-space that turns in a line": _moving(
        Line([0, 0, 0], [1, 0, 1]),
        HalfSpace([0, 0, 0], [0, 0, 1]),
        "Neither ends, so there is no bound on the speed: steps are as long as the resolution.",
        Motion("b", times=[0, 1], rotations=[[0, 0, 0, 1], [0, 1, 0, 2]], pivot=[0, 0, 0]),
        resolution=0.25,
    ),
    "segment near a half-space that turns": _moving(
        Segment([4, 0, 1], [1, 1, 0]),
        HalfSpace([-1, -1, 2], [-2, -1, -3]),
        "Within half a unit counts as touching; for a while nothing turns.",
        Motion("b", times=[0, 1, 2], rotations=[[1, 1, 1, 1], [1, 1, 1, 1], [0, 0, -1, 1]], pivot=[0, -1, 3]),
        resolution=0.2,
        margin=0.5,
    ),
    "flat box that waits and then turns": _moving(
        OrientedBox([-1, -1, -1], [0, 1, 0, 0], [0, 2, 1]),
        Segment([0, 2, 3], [-2, -1, -2]),
        "In the first piece nothing turns, and nothing touches.",
        Motion("a", times=[0, 1, 2], rotations=[[0, 0, -1, 1], [0, 0, -1, 1], [0, 0, 0, 1]], pivot=[3, -1, 0]),
        resolution=0.05,
        margin=0.5,
    ),
    "box that two motions carry": _moving(
        OrientedBox([-2, 1, -1], [0, 0, 0, 1], [0, 2, 0]),
        Segment([-2, -1, 1], [-3, 0, -2]),
        "One motion carries the other: an arm of two joints.",
        Motion("a", times=[0, 1], offsets=[[-1, -2, 2], [0, 1, 1]]),
        Motion("b", times=[0, 1, 2], offsets=[[-1, 1, -1], [3, -2, -2], [-1, 0, 2]]),
        Motion(
            "a",
            times=[0, 1, 2],
            offsets=[[1, 0, 1], [-1, -3, -1], [3, -1, 1]],
            rotations=[[0, 0, 1, 2], [0, 0, 0, 1], [0, 0, 0, 1]],
            pivot=[4, 4, -1],
        ),
        resolution=0.05,
    ),
    "capsule and point that turn about different axes": _moving(
        Capsule([-1, 1, 3], [-1, 1, -2], 1),
        Point([-1, -2, 1]),
        "The normal is also kept as seen from the world.",
        Motion("a", times=[0, 1, 2], rotations=[[0, 0, -1, 1], [1, 0, 0, 1], [0, 0, 0, 1]], pivot=[0, 2, 4]),
        Motion("b", times=[0, 1, 2], offsets=[[0, 0, -1], [1, 0, 3], [-2, 1, 1]]),
        Motion(
            "b",
            times=[0, 1, 2],
            offsets=[[3, 3, -1], [1, -1, 0], [-1, 2, -1]],
            rotations=[[0, 1, 0, 0], [0, 1, 0, 1], [0, 0, 0, 1]],
            pivot=[-1, 4, 2],
        ),
        resolution=0.05,
    ),
    "boxes kept upright by two motions": _moving(
        AABB([0, -3, 0], [0, -2, 1]),
        AABB([-1, -3, 4], [1, -2, 5]),
        "They grow and shrink as they turn.",
        Motion("a", times=[0, 1], offsets=[[1, -1, 1], [-1, 0, 2]]),
        Motion(
            "b",
            times=[0, 1, 2],
            offsets=[[3, -1, -3], [2, -2, -3], [4, -1, -3]],
            rotations=[[0, 0, 0, 1], [0, 0, 0, 1], [0, 1, 0, 1]],
            pivot=[0, -2, -3],
        ),
        Motion(
            "b",
            times=[0, 1],
            offsets=[[-2, 1, 0], [-2, -3, 2]],
            rotations=[[0, 0, 0, 1], [1, 0, 0, 1]],
            pivot=[0, 3, 0],
        ),
        resolution=0.05,
    ),
    "point that a half-space turns over twice": _moving(
        Point([4, -1, 1]),
        HalfSpace([4, 0, 3], [1, 0, 1]),
        "Two intervals, with a gap between them.",
        Motion("b", times=[0, 1, 2], rotations=[[1, 2, 0, 2], [0, 0, 0, 1], [0, 1, 0, 0]], pivot=[-3, 1, 3]),
        resolution=0.05,
    ),
    "ball and box about three axes": _moving(
        Sphere([-2, 1, 1], 1),
        AABB([-1, 0, 2], [1, 2, 2]),
        "The axes have no direction in common.",
        Motion("b", times=[0, 1], rotations=[[0, 0, 0, 1], [1, 1, 1, 1]], pivot=[-1, 1, 0]),
        Motion("a", times=[0, 1], rotations=[[0, 0, 0, 1], [1, 0, 0, 3]], pivot=[1, -3, 0]),
        Motion("b", times=[0, 1], rotations=[[1, 0, 0, 1], [0, 0, 1, 2]], pivot=[4, 0, 1]),
        resolution=0.2,
    ),
    "box kept upright near a half-space that turns": _moving(
        AABB([0, 1, 1], [0, 2, 2]),
        HalfSpace([0, -1, 4], [1, -3, 1]),
        "Both turn, and one has no end.",
        Motion("a", times=[0, 1], rotations=[[1, 0, 0, 1], [0, 0, 0, 1]], pivot=[4, 3, 1]),
        Motion(
            "b",
            times=[0, 1, 2],
            offsets=[[-1, 1, 0], [-1, -1, -2], [3, 1, 0]],
            rotations=[[0, 0, 0, 1], [1, 0, 0, 3], [0, 1, 0, 1]],
            pivot=[-2, 0, -2],
        ),
        resolution=0.05,
        margin=0.5,
    ),
}
