"""Many shapes: the broad phase.

Of the ten thousand pairs of a hundred and some shapes, how few have to be looked at? Try: drag the bead towards
the bar, and see their boxes overlap before they collide.

Around each shape lies a box along the axes. The boxes are put into a tree: boxes around boxes around boxes. To find
what a shape may touch, one starts at the root and opens only nodes whose box meets that of the shape. What is left are
candidates; only for these is the exact distance asked, by the narrow phase.
"""

import numpy as np

from collision import AABB, Camera, Capsule, OrientedBox, Scene, Shape, Show, Sphere, candidate_pairs, why
from viewer.files.lessons import Ask, Guess, Lesson, State, scaled, stepped_back, yes_or_no

#: Turned by 30 degrees about z.
TURNED = [0.0, 0.0, 0.25881904510252074, 0.9659258262890683]

#: Where gravel lies around the others: on a spiral, evenly.
TURN = np.arange(130) * np.radians(137.5)
AWAY = np.linspace(5.6, 6.9, 130)
GRAVEL = np.stack([0.1 + AWAY * np.cos(TURN), 0.1 + AWAY * np.sin(TURN), np.full(130, 0.12)], axis=-1)

SHAPES: dict[str, Shape] = {
    "ball": Sphere([-3.4, -1.0, 0.6], 0.6),
    "marble": Sphere([-2.5, -0.6, 0.3], 0.3),
    "rod": Capsule([-3.6, 1.2, 0.4], [-1.6, 2.2, 1.4], 0.2),
    "pin": Capsule([-1.6, 0.9, 0.2], [-1.6, 0.9, 1.6], 0.2),
    "crate": OrientedBox([-0.4, -1.2, 0.5], TURNED, [0.5, 0.5, 0.5]),
    "step": AABB([0.2, -1.9, 0.0], [1.6, -0.7, 0.4]),
    "post": Capsule([0.6, 1.4, 0.3], [0.6, 1.4, 1.9], 0.3),
    "wheel": Sphere([1.5, 1.9, 0.7], 0.7),
    "bar": Capsule([2.2, -1.8, 0.3], [3.8, 0.2, 0.9], 0.2),
    "bead": Sphere([4.5, -1.6, 0.3], 0.3),
    "plank": OrientedBox([3.0, 1.6, 0.4], TURNED, [0.9, 0.3, 0.4]),
    "cap": Sphere([3.5, 2.3, 1.0], 0.4),
    "gravel": Sphere(GRAVEL, 0.12),
}

CAMERA = Camera(position=(3.5, -14.5, 11.0), target=(0.1, -0.2, 0.2))


def _counts(scene: Scene) -> str:
    count = scene.element_count
    return (
        f"{len(candidate_pairs(scene))} of {count * (count - 1) // 2:,} pairs pass the broad phase, and "
        f"{len(scene.colliding_pairs())} of these collide"
    )


def _part(scene: Scene) -> str:
    count = scene.element_count
    part = len(candidate_pairs(scene)) / (count * (count - 1) // 2)
    return "half of them" if part > 0.2 else "one in ten" if part > 0.01 else "one in a thousand"


LESSON = Lesson(
    text=__doc__,
    shapes=SHAPES,
    camera=CAMERA,
    asks=(
        Ask(
            "len(candidate_pairs(scene)), len(scene.colliding_pairs())",
            "candidate_pairs",
            ("scene",),
            says="Without a tree every box is compared with every other one. The tree finds the same pairs, and opens "
            "only a few of its nodes.",
            short="""
boxes = [shape.bounds() for shape in scene.shapes.values()]
lower = np.concatenate([np.atleast_2d(box.lower) for box in boxes])
upper = np.concatenate([np.atleast_2d(box.upper) for box in boxes])
overlap = ((lower[:, None] <= upper) & (lower <= upper[:, None])).all(axis=-1)
int(np.triu(overlap, 1).sum())
""",
        ),
        Ask(
            "why(scene, 'bar', 'bead').because",
            "why",
            ("scene", "bar", "bead"),
            says="Why a pair is not reported: how far it came.",
        ),
    ),
    predict="How many pairs of boxes overlap, roughly: half of them, one in ten, or one in a thousand?",
    answer=lambda scene: f"{_counts(scene)}.",
    guess=Guess(("half of them", "one in ten", "one in a thousand"), _part),
    drag="Drag the bead towards the bar. The boxes around both, which are drawn, overlap long before the two collide: "
    "the bar lies askew, so that its box is far larger than it is, and has room for the bead. In the window, the key "
    "o shows the boxes of all shapes, and which pairs the broad phase keeps.",
    shows=(Show("bounds", "bar", label="box of bar"), Show("bounds", "bead", label="box of bead")),
    states={
        "askew": State(
            "Boxes that overlap, shapes that do not",
            {"bead": Sphere([3.6, -1.4, 0.5], 0.3)},
            "The bead lies within the box of the bar. Is the pair reported?",
            lambda scene: f"{why(scene, 'bar', 'bead')}",
            python="str(why(scene, 'bar', 'bead'))",
            steps=("The boxes around the two",),
            ask=1,
            guess=yes_or_no(lambda scene: bool(why(scene, "bar", "bead").reported)),
        ),
        "touching": State(
            "The bead in the bar",
            {"bead": Sphere([3.2, -0.8, 0.6], 0.3)},
            "The bead is moved on, into the bar. What decides now?",
            lambda scene: f"{why(scene, 'bar', 'bead')}",
            python="str(why(scene, 'bar', 'bead'))",
        ),
        "under-all": State(
            "One under all",
            {"step": AABB([-4.4, -2.4, -0.4], [5.2, 3.0, 0.05])},
            "The step is as wide as the ground, and all that stands there touches it. What is saved now?",
            lambda scene: (
                f"{_counts(scene)}: what is as wide as the scene meets nearly every box. Among the others there is as "
                "little to look at as before."
            ),
        ),
        "scale-2": State(
            "Scale 2",
            scaled(SHAPES, 2.0),
            "Everything is twice as large. Do the candidates change?",
            lambda scene: f"They do not: {_counts(scene)}.",
            more={"camera": stepped_back(CAMERA, 2.0)},
        ),
    },
)

scene, states = LESSON.scene, LESSON.scenes
