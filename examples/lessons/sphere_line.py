"""Sphere against segment and line.

Where does a segment pierce a sphere, and where would the line through it? Try: drag an end into the ball, then the
other one too: the points are gone, and the hatching stays.

A point of the segment is P + t V, with t from 0 to 1. Its squared distance from the center is a parabola in t; where
that equals the squared radius the segment crosses the sphere. So t solves a quadratic, and the smaller solution is
where it enters. Solutions before 0 and after 1 belong to the line alone.
"""

from collision import Camera, Line, Scene, Segment, Show, Sphere, crossings, intersects, signed_distance
from viewer.files.lessons import Ask, Guess, Lesson, State, scaled, stepped_back

SHAPES = {
    "sphere": Sphere([0.3, 0.0, 1.4], 1.2),
    "segment": Segment([-2.4, -1.2, 0.6], [2.6, 0.4, 2.2]),
}

CAMERA = Camera(position=(2.2, -9.5, 4.6), target=(0.15, -0.2, 1.3))


def _rates(scene: Scene) -> list[float]:
    found = crossings(scene["segment"], scene["sphere"])
    return [float(t) for t in found.parameters[: int(found.count)]]


def _hit(scene: Scene) -> str:
    return "a hit" if intersects(scene["segment"], scene["sphere"]) else "no hit"


def _line(scene: Scene) -> list[float]:
    whole = scene["segment"]
    assert isinstance(whole, Segment)
    line = Line(whole.start, whole.end - whole.start)
    length = float(((whole.end - whole.start) ** 2).sum() ** 0.5)
    return [float(t) / length for t in crossings(line, scene["sphere"]).parameters]


def _two(rates: list[float]) -> str:
    return " and ".join(f"{t:.4g}" for t in rates)


LESSON = Lesson(
    text=__doc__,
    shapes=SHAPES,
    camera=CAMERA,
    shows=(Show("crossings", "segment", "sphere"),),
    asks=(
        Ask(
            "crossings(segment, sphere).parameters.round(4).tolist()",
            "crossings",
            ("segment", "sphere"),
            says="The quadratic with its numbers, its two solutions, and which of them lie on the segment.",
            short="""
P, V, C, r = segment.start, segment.end - segment.start, sphere.center, sphere.radius
X = P - C
a, b, c = V @ V, 2 * V @ X, X @ X - r**2
d = b**2 - 4 * a * c
roots = [(-b - np.sqrt(d)) / (2 * a), (-b + np.sqrt(d)) / (2 * a)] if d >= 0 else []
[round(float(t), 4) for t in roots if 0 <= t <= 1]
""",
        ),
    ),
    predict="The segment goes right through the ball. Which of the two solutions is where it enters, and is it "
    "nearer to 0 or to 1?",
    answer=lambda scene: (
        f"The smaller one, {_rates(scene)[0]:.4g}; it leaves at {_rates(scene)[1]:.4g}. In the middle between the two "
        "is the point that is nearest to the center."
    ),
    guess=Guess(
        ("the smaller, nearer to 0", "the smaller, nearer to 1", "the larger, nearer to 1"),
        lambda scene: f"the smaller, nearer to {0 if min(_rates(scene)) < 0.5 else 1}",
    ),
    drag="Drag the end P towards the ball: the solutions change, though the points stay, as t is measured in lengths "
    "of the segment. Then drag the ball off the line until the two points are one.",
    states={
        "from-inside": State(
            "From inside",
            {"segment": Segment([-0.3, -0.2, 1.2], [0.8, 0.1, 1.7])},
            "Both ends are in the ball, and nothing of the segment crosses the sphere. The article finds no solution "
            "from 0 to 1, and says: no contact. What is true?",
            lambda scene: (
                f"It is {_hit(scene)}: the ball is solid. The line through it crosses at {_two(_line(scene))}, before "
                "and after the segment, and the segment is "
                f"{-float(signed_distance(scene['segment'], scene['sphere'])):.4g} deep."
            ),
            python="bool(intersects(segment, sphere)), int(crossings(segment, sphere).count)",
            steps=("The roots",),
            guess=Guess(("a hit", "no hit"), _hit),
        ),
        "zero-length": State(
            "Zero length",
            {"segment": Segment([0.3, -0.9, 1.4], [0.3, -0.9, 1.4])},
            "P and Q are one point, in the ball. V is zero, and so is a: the formula divides by it. What comes?",
            lambda scene: (
                f"{_hit(scene).capitalize()}, and {len(_rates(scene))} crossings: the kernel looks at the point "
                "instead, and nothing is divided by zero."
            ),
            python="bool(intersects(segment, sphere)), int(crossings(segment, sphere).count)",
            steps=("A piece without length",),
            guess=Guess(("a hit", "no hit", "an error"), _hit),
        ),
        "too-short": State(
            "Too short",
            {"segment": Segment([-2.4, -1.2, 0.6], [-1.15, -0.8, 1.0])},
            "The segment points at the ball and ends before it. What do the two solutions say?",
            lambda scene: (
                f"They are {_two(_line(scene))}: beyond 1, so the line hits and the segment does not. It is "
                f"{_hit(scene)}, and {float(signed_distance(scene['segment'], scene['sphere'])):.4g} is left."
            ),
            python="int(crossings(segment, sphere).count), int(crossings(line, sphere).count)",
            names={"line": Line([-2.4, -1.2, 0.6], [1.25, 0.4, 0.4])},
            steps=("The roots",),
            guess=Guess(("a hit", "no hit"), _hit),
        ),
        "one-end-inside": State(
            "One end inside",
            {"segment": Segment([-2.4, -1.2, 0.6], [0.3, 0.0, 1.4])},
            "Q is the center of the ball. How many crossings are there?",
            lambda scene: (
                f"{len(_rates(scene))}, at {_rates(scene)[0]:.4g}: where it enters. It never leaves, as the other "
                f"solution is {_line(scene)[1]:.4g}."
            ),
            guess=Guess(("0", "1", "2"), lambda scene: str(len(_rates(scene)))),
        ),
        "scale-2": State(
            "Scale 2",
            scaled(SHAPES, 2.0),
            "Everything is twice as large. What becomes of a, b and c, and of the solutions?",
            lambda scene: f"a, b and c are four times as large, and the solutions stay: {_two(_rates(scene))}.",
            more={"camera": stepped_back(CAMERA, 2.0)},
        ),
    },
)

scene, states = LESSON.scene, LESSON.scenes
