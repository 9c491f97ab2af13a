"""Segment against segment.

Which points of two segments are nearest to each other? Try: drag one end so that the nearest point runs into an end and
stays there, then make the two parallel.

Each point is said by one number from 0 to 1: s on the first segment, t on the second. Together they are a place in the
unit square. The squared distance over that square is a valley with one lowest place. If it lies in the square, that is
the answer; if not, the answer is on an edge, and which edge it is has to be found with care: to clamp s and t one by
one is a common mistake.
"""

import numpy as np

from collision import Camera, Scene, Segment, Show, closest_points, signed_distance
from viewer.files.lessons import Ask, Lesson, State, scaled, stepped_back, written, yes_or_no

SHAPES = {
    "first": Segment([-2.0, -0.8, 0.4], [2.0, -0.4, 0.8]),
    "second": Segment([-0.6, 1.8, 2.6], [0.9, -1.0, 1.6]),
}

CAMERA = Camera(position=(4.2, -10.5, 6.2), target=(0.6, 0.2, 1.2))


def _gap(scene: Scene) -> float:
    return float(signed_distance(scene["first"], scene["second"]))


def _there(scene: Scene) -> str:
    found = closest_points(scene["first"], scene["second"])
    return f"{written(found.on_a)} and {written(found.on_b)}"


def _one_by_one(scene: Scene) -> float:
    """Return what comes of clamping s and t one by one: a mistake, that this lesson is about."""
    p, q = scene["first"], scene["second"]
    assert isinstance(p, Segment)
    assert isinstance(q, Segment)
    v, w = p.end - p.start, q.end - q.start
    s, t = np.clip(np.linalg.lstsq(np.stack([v, -w], axis=1), q.start - p.start, rcond=None)[0], 0.0, 1.0)
    return float(np.linalg.norm(p.start + s * v - q.start - t * w))


def _one_above_the_other(scene: Scene) -> bool:
    found = closest_points(scene["first"], scene["second"])
    return bool(np.allclose(found.on_a[:2], found.on_b[:2]))


LESSON = Lesson(
    text=__doc__,
    shapes=SHAPES,
    camera=CAMERA,
    shows=(Show("closest_points", "first", "second"),),
    asks=(
        Ask(
            "float(signed_distance(first, second).round(4))",
            "signed_distance",
            ("first", "second"),
            says="The unit square of s and t: clamp s, find the best t for it, clamp that, and find s once more.",
            short="""
p, u = first.start, first.end - first.start
q, v = second.start, second.end - second.start
n = np.cross(u, v)
s = np.clip(np.cross(q - p, v) @ n / (n @ n), 0, 1)
t = np.clip((p + s * u - q) @ v / (v @ v), 0, 1)
s = np.clip((q + t * v - p) @ u / (u @ u), 0, 1)
round(float(np.linalg.norm(p + s * u - q - t * v)), 4)
""",
        ),
    ),
    predict="Seen from above the two cross. Where they cross, one is far above the other. Are the nearest points "
    "there?",
    answer=lambda scene: (
        f"No. They are {_gap(scene):.4g} apart, at {_there(scene)}: nearer to the low end of the second one, as that "
        "comes down towards the first."
    ),
    guess=yes_or_no(_one_above_the_other),
    drag="Drag an end of the second segment down and up: the nearest points run along both segments. When one of "
    "them runs into an end, watch the other: it goes on, to another place than before.",
    states={
        "parallel": State(
            "Parallel",
            {"second": Segment([-1.0, 1.2, 0.6], [3.0, 1.6, 1.0])},
            "Both have the same direction. The formula for s divides by the squared sine of their angle, which is "
            "zero. How far apart are they?",
            lambda scene: (
                f"{_gap(scene):.4g}. A whole stretch is as near, and {_there(scene)} of it are returned; the kernel "
                "takes care that it divides by nothing that is zero or nearly so."
            ),
            steps=("Where they lie side by side",),
        ),
        "zero-length": State(
            "Zero length",
            {"second": Segment([0.6, 0.8, 1.4], [0.6, 0.8, 1.4])},
            "The second segment is a point, so that t means nothing. Where on the first is the nearest point?",
            lambda scene: (
                f"At the foot of the perpendicular from it; the two are {_gap(scene):.4g} apart, at {_there(scene)}."
            ),
        ),
        "past-the-end": State(
            "Past the end",
            {"second": Segment([1.6, 1.6, 1.6], [4.0, -1.2, 1.0])},
            "The two lines are nearest past the end of the first segment. To clamp s and t one by one: what is wrong "
            "with that?",
            lambda scene: (
                f"It finds two points that are {_one_by_one(scene):.4g} apart. But once s is clamped, another t is "
                f"nearer: the two are {_gap(scene):.4g} apart, at {_there(scene)}."
            ),
            steps=("Along the first", "Along the second"),
        ),
        "crossing": State(
            "They cross",
            {
                "first": Segment([-2.0, 0.0, 1.0], [2.0, 0.0, 1.0]),
                "second": Segment([-1.0, -1.0, 2.0], [1.0, 1.0, 0.0]),
            },
            "The two have a point in common. What is the distance, and which way is the normal?",
            lambda scene: (
                f"The distance is {_gap(scene):.4g}, and no way from one to the other is left that could be the "
                "normal. The kernel takes one that is at right angles to both: "
                f"{written(closest_points(scene['first'], scene['second']).normal)}."
            ),
            python="closest_points(first, second).normal.round(4).tolist()",
        ),
        "scale-2": State(
            "Scale 2",
            scaled(SHAPES, 2.0),
            "Everything is twice as large. What becomes of s and t?",
            lambda scene: f"Nothing: they have no unit. The distance doubles, to {_gap(scene):.4g}.",
            more={"camera": stepped_back(CAMERA, 2.0)},
        ),
    },
)

scene, states = LESSON.scene, LESSON.scenes
