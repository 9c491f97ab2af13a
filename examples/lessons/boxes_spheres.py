"""Boxes and spheres around things.

Does a box overlap another one, and does a ball? Try: drag the ball around a corner of the box, then the crate beside
it; watch which axis parts the two.

Exact shapes are slow to compare, so games first compare what is drawn around them: boxes along the axes, and spheres.
Two such boxes overlap when they overlap on all three axes, which takes comparisons alone. Of a ball and a box one looks
for the point of the box that is nearest to the ball's center: each coordinate is clamped to the box on its own. No
corner has to be looked at. With points there are five such tests, and each takes a line or two.
"""

from collections.abc import Mapping
from itertools import combinations

from collision import AABB, Camera, Point, Scene, Shape, Show, Sphere, closest_points, intersects, signed_distance
from viewer.files.lessons import Ask, Guess, Lesson, State, scaled, stepped_back, written, yes_or_no

SHAPES = {
    "box": AABB([-1.0, -1.0, 0.0], [1.0, 1.0, 1.6]),
    "crate": AABB([0.6, 1.3, 0.0], [1.8, 2.5, 1.0]),
    "ball": Sphere([1.6, -1.4, 2.0], 0.7),
    "marble": Sphere([2.5, -1.0, 2.2], 0.5),
    "dot": Point([0.4, -0.5, 1.9]),
}

CAMERA = Camera(position=(6.5, -9.0, 6.5), target=(0.4, 0.4, 0.8))


def _gap(scene: Scene) -> float:
    return float(signed_distance(scene["ball"], scene["box"]))


def _axes(scene: Scene) -> int:
    """Return on how many axes the ball and the box overlap."""
    ball, box = scene["ball"].bounds(), scene["box"].bounds()
    return int(((ball.lower <= box.upper) & (box.lower <= ball.upper)).sum())


def _verdicts(shapes: Mapping[str, Shape]) -> list[bool]:
    return [bool(intersects(shapes[a], shapes[b])) for a, b in combinations(SHAPES, 2)]


LESSON = Lesson(
    text=__doc__,
    shapes=SHAPES,
    camera=CAMERA,
    shows=(Show("closest_points", "ball", "box"),),
    asks=(
        Ask(
            "bool(intersects(dot, box))",
            "intersects",
            ("dot", "box"),
            says="**A point in a box.** Three times two comparisons: no coordinate is below the least one of the box, "
            "nor above the greatest.",
            short="bool((box.lower <= dot.position).all() and (dot.position <= box.upper).all())",
            full=False,
        ),
        Ask(
            "bool(intersects(box, crate))",
            "intersects",
            ("box", "crate"),
            says="**A box against a box.** Three bars, one for each axis. A single axis on which they do not overlap "
            "is enough to part the two.",
            short="bool((box.lower <= crate.upper).all() and (crate.lower <= box.upper).all())",
            full=False,
        ),
        Ask(
            "bool(intersects(dot, ball))",
            "intersects",
            ("dot", "ball"),
            says="**A point in a sphere.** Its distance from the center, against the radius. Compared as squares, no "
            "root is needed.",
            short="bool(((dot.position - ball.center) ** 2).sum() <= ball.radius**2)",
            full=False,
        ),
        Ask(
            "bool(intersects(ball, marble))",
            "intersects",
            ("ball", "marble"),
            says="**A sphere against a sphere.** The distance of the centers, against both radii.",
            short="bool(((ball.center - marble.center) ** 2).sum() <= (ball.radius + marble.radius) ** 2)",
            full=False,
        ),
        Ask(
            "bool(intersects(ball, box))",
            "intersects",
            ("ball", "box"),
            says="**A sphere against a box.** The center of the ball, clamped to the box on each axis, and how far it "
            "is from there.",
            short="""
x = np.clip(ball.center, box.lower, box.upper)
bool(((x - ball.center) ** 2).sum() <= ball.radius**2)
""",
        ),
    ),
    predict="The ball is beside the edge of the box, above it and in front of it. On how many of the three axes do "
    "the ball and the box overlap, and do they touch?",
    answer=lambda scene: (
        "On all three axes the ball reaches into the box, so the box around the ball would be a hit. The ball itself "
        f"is none: {_gap(scene):.4g} is left, measured to the corner."
    ),
    guess=Guess(
        ("on two, so they do not", "on all three, and they do", "on all three, and yet they do not"),
        lambda scene: (
            "on two, so they do not"
            if _axes(scene) < 3
            else f"on all three, and {'they do' if intersects(scene['ball'], scene['box']) else 'yet they do not'}"
        ),
    ),
    drag="Drag the ball around the corner: the nearest point slides along a side, then along an edge, and stands "
    "still at the corner. Then drag the crate until only one axis parts it from the box.",
    states={
        "touching": State(
            "Side against side",
            {"crate": AABB([0.6, 1.0, 0.0], [1.8, 2.2, 1.0])},
            "The crate stands against the box: a whole side in common, and nothing inside. Is that a hit?",
            lambda scene: (
                f"{'Yes' if intersects(scene['box'], scene['crate']) else 'No'}: shapes are closed, so that touching "
                f"counts. Their distance is {float(signed_distance(scene['box'], scene['crate'])) + 0.0:.4g}."
            ),
            python="bool(intersects(box, crate))",
            guess=yes_or_no(lambda scene: bool(intersects(scene["box"], scene["crate"]))),
        ),
        "from-inside": State(
            "From inside",
            {"ball": Sphere([0.3, -0.4, 1.0], 0.3)},
            "The ball is in the box as a whole. Its center, clamped to the box, stays where it is, so that the "
            "article's distance is zero. How deep is it?",
            lambda scene: (
                f"{-_gap(scene):.4g}: out through the side that is nearest, and the radius beyond that. The kernel "
                "takes the axis on which the way out is shortest."
            ),
            python="float(signed_distance(ball, box).round(4))",
            steps=("Nearest points of the cores",),
            ask=4,
        ),
        "at-the-corner": State(
            "A corner",
            {"ball": Sphere([1.4, -1.4, 1.8], 0.7)},
            "The ball has come nearer to the corner, by a different way on each axis. Is it a hit now?",
            lambda scene: (
                f"{'Yes' if intersects(scene['ball'], scene['box']) else 'No'}: the squares of the three ways add up "
                f"to less than that of the radius; it is {-_gap(scene):.4g} deep at the corner "
                f"{written(closest_points(scene['ball'], scene['box']).on_b)}."
            ),
            python="bool(intersects(ball, box))",
            guess=yes_or_no(lambda scene: bool(intersects(scene["ball"], scene["box"]))),
        ),
        "scale-2": State(
            "Scale 2",
            scaled(SHAPES, 2.0),
            "Everything is twice as large. Does a verdict change?",
            lambda scene: (
                f"None does. The gap of the ball is {_gap(scene):.4g} now; squares of lengths are four times as "
                "large, on both sides of the comparison."
            ),
            python="float(signed_distance(ball, box).round(4))",
            more={"camera": stepped_back(CAMERA, 2.0)},
            guess=yes_or_no(lambda scene: _verdicts(scene.shapes) != _verdicts(SHAPES)),
        ),
    },
)

scene, states = LESSON.scene, LESSON.scenes
