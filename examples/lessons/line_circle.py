"""Points where a line meets a circle.

Where does a line meet a circle: in two points, in one, or in none? Try: drag the circle across the line, and stop where
the two points become one.

One point of the line is nearest to the center C: H, the foot of the perpendicular. From there it is as far to P' where
the line enters as to P where it leaves: t, half the chord. C, H and P make a right triangle, whose long side is the
radius, so t follows from Pythagoras, and no equation has to be solved.
"""

from collision import Camera, Line, Scene, Show, Sphere, crossings
from viewer.files.lessons import Ask, Guess, Lesson, State, scaled, stepped_back, written

SHAPES = {
    "line": Line([-3.0, -1.0, 0.0], [4.0, 1.0, 0.0]),
    "circle": Sphere([0.4, 0.7, 0.0], 1.5),
}

CAMERA = Camera(position=(0.0, 0.8, 20.0), target=(0.0, 0.8, 0.0), up=(0.0, 1.0, 0.0), parallel_height=6.4)


def _count(scene: Scene) -> int:
    return int(crossings(scene["line"], scene["circle"]).count)


def _chord(scene: Scene) -> float:
    enters, leaves = crossings(scene["line"], scene["circle"]).parameters
    return float(leaves - enters)


LESSON = Lesson(
    text=__doc__,
    shapes=SHAPES,
    camera=CAMERA,
    shows=(Show("crossings", "line", "circle"),),
    asks=(
        Ask(
            "crossings(line, circle).points.round(4).tolist()",
            "crossings",
            ("line", "circle"),
            says="H, the triangle, and the two points of the circle that are half a chord away from H.",
            short="""
C, r, A, n = circle.center, circle.radius, line.point, line.direction
H = A + ((C - A) @ n) * n
CH = np.linalg.norm(H - C)
t = np.sqrt(r**2 - CH**2) if CH <= r else np.nan
[(H - t * n).round(4).tolist(), (H + t * n).round(4).tolist()]
""",
        ),
    ),
    predict="The line passes the center at less than the radius. Is the chord longer or shorter than the radius?",
    answer=lambda scene: (
        f"Longer: {_chord(scene):.4g} between the two points, and the radius is {scene['circle'].radius:.4g}."
    ),
    guess=Guess(
        ("longer", "shorter"), lambda scene: "longer" if _chord(scene) > float(scene["circle"].radius) else "shorter"
    ),
    drag="Drag the circle away from the line: the chord shrinks slowly first, then faster and faster, and is gone.",
    states={
        "tangent": State(
            "The tangent",
            {"line": Line([-3.0, -0.5, 0.0], [1.0, 0.0, 0.0]), "circle": Sphere([0.5, 1.0, 0.0], 1.5)},
            "The center is exactly one radius away from the line. The article asks whether |CH| and r are equal. How "
            "many points are there?",
            lambda scene: (
                f"{_count(scene)}. Numbers on a computer are rounded, so two lengths are seldom equal; the kernel "
                "allows for the rounding of the numbers that it was given, and for no more."
            ),
            python="int(crossings(line, circle).count)",
            steps=("Half the chord",),
            guess=Guess(("none", "1", "2"), lambda scene: str(_count(scene) or "none")),
        ),
        "miss": State(
            "A miss",
            {"circle": Sphere([0.4, 2.2, 0.0], 1.5)},
            "The line passes the circle. What is there still to say?",
            lambda scene: (
                f"{_count(scene)} points, and still H, at "
                f"{written(crossings(scene['line'], scene['circle']).nearest)}: the nearest point is always filled "
                "in."
            ),
            python="crossings(line, circle).nearest.round(4).tolist()",
        ),
        "through-the-center": State(
            "Through the center",
            {"line": Line([-3.0, 0.7, 0.0], [1.0, 0.0, 0.0])},
            "The line goes through C: the triangle has a side of length zero. Does it break?",
            lambda scene: f"No: the half chord is the radius, and the chord {_chord(scene):.4g}, the diameter.",
        ),
        "scale-2": State(
            "Scale 2",
            scaled(SHAPES, 2.0),
            "Everything is twice as large. What becomes of the chord?",
            lambda scene: (
                f"It doubles, to {_chord(scene):.4g}; and its square, with which the kernel works, is four times as "
                "large."
            ),
            more={"camera": stepped_back(CAMERA, 2.0)},
        ),
    },
)

scene, states = LESSON.scene, LESSON.scenes
