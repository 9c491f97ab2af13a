"""Circle against segment.

Which point of a segment is nearest to a circle, and is it within the radius? Try: drag the circle along the segment and
past its ends, then drag one end onto the other.

The perpendicular from the circle's center P meets the line through the ends A and B at X. Before A and after B the
segment has no such point, and its end is the nearest one instead: three regions, one rule. A bat, which is a turned
rectangle, has four edges, each of them a segment: a ball that touches one of them touches the bat. A ball that lies in
the middle of it touches none, so one more test is needed: whether the center is inside.
"""

from collision import Camera, OrientedBox, Scene, Segment, Show, Sphere, foot, intersects, signed_distance
from viewer.files.lessons import Ask, Guess, Lesson, State, scaled, stepped_back, yes_or_no

SHAPES = {
    "circle": Sphere([1.0, 1.5, 0.0], 1.0),
    "segment": Segment([-2.0, -0.5, 0.0], [2.0, 0.5, 0.0]),
}

#: A bat, and the longer one of its edges that the segment is in one of the states.
BAT = OrientedBox([0.0, 0.0, 0.0], [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]], [2.2, 0.7, 0.0])
BAT_EDGE = Segment(BAT.center + BAT.axes @ [-2.2, 0.7, 0.0], BAT.center + BAT.axes @ [2.2, 0.7, 0.0])

CAMERA = Camera(position=(0.0, 0.0, 20.0), up=(0.0, 1.0, 0.0), parallel_height=7.2)


def _gap(scene: Scene) -> float:
    return float(signed_distance(scene["circle"], scene["segment"]))


def _rate(scene: Scene) -> float:
    return float(foot(scene["circle"], scene["segment"]).parameter)


def _hit(scene: Scene) -> bool:
    return bool(intersects(scene["circle"], scene["segment"]))


LESSON = Lesson(
    text=__doc__,
    shapes=SHAPES,
    camera=CAMERA,
    shows=(Show("foot", "circle", "segment"),),
    asks=(
        Ask(
            "float(signed_distance(circle, segment).round(4))",
            "intersects",
            ("circle", "segment"),
            says="Two lengths say it all, by an inner and by a cross product: how far along the segment X is, and how "
            "far aside of it P is.",
            short="""
A, B, P, r = segment.start, segment.end, circle.center, circle.radius
n = (B - A) / np.linalg.norm(B - A)
AX, PX = n @ (P - A), np.linalg.norm(np.cross(n, P - A))
d = PX if 0 <= AX <= np.linalg.norm(B - A) else np.linalg.norm(P - (A if AX < 0 else B))
round(float(d - r), 4)
""",
        ),
    ),
    predict="How far along the segment, from A at 0 to B at 1, is the point that is nearest to the circle? Do they "
    "touch?",
    answer=lambda scene: (
        f"At {_rate(scene):.4g} of the way. The center is farther from there than its radius: {_gap(scene):.4g} is "
        "left between the two."
    ),
    guess=Guess(
        ("about a half, and they do", "about four fifths, and they do", "about four fifths, and they do not"),
        lambda scene: (
            f"about {'a half' if _rate(scene) < 0.65 else 'four fifths'}, and they {'do' if _hit(scene) else 'do not'}"
        ),
    ),
    drag="Drag the circle along the segment: X goes with it, and stops at no end. The nearest point of the segment "
    "does: once X is past an end, it stays there. Then drag an end by its dot.",
    states={
        "past-the-end": State(
            "Past the end",
            {"circle": Sphere([3.4, 1.2, 0.0], 1.0)},
            "The perpendicular from the center misses the segment. What is the nearest point now?",
            lambda scene: (
                f"X is at {_rate(scene):.4g} of the way, which is more than 1: the end B is the nearest point, and "
                f"{_gap(scene):.4g} is left. A test that forgets to clamp measures to X, where nothing is."
            ),
            steps=("Clamp to the ends",),
            guess=Guess(("A", "B", "X"), lambda scene: "A" if _rate(scene) <= 0 else "B" if _rate(scene) >= 1 else "X"),
        ),
        "zero-length": State(
            "Zero length",
            {"segment": Segment([0.5, 0.0, 0.0], [0.5, 0.0, 0.0])},
            "A lies on B, and the segment is a point. The article divides by the length of AB. What is the distance?",
            lambda scene: (
                f"{_gap(scene):.4g}, as of two points. The kernel asks whether the length is zero before it divides, "
                "and takes A."
            ),
            steps=("Project the point on the line",),
        ),
        "in-the-bat": State(
            "A ball in the bat",
            {"circle": Sphere([0.0, 0.0, 0.0], 0.3), "segment": BAT_EDGE, "bat": BAT},
            "The segment is one of the four edges of a bat, and the ball lies in the middle of that. It touches no "
            "edge. Do the ball and the bat touch?",
            lambda scene: (
                f"{'Yes' if intersects(scene['circle'], scene['bat']) else 'No'}, though {_gap(scene):.4g} is left to "
                "the edge, and to each of the others at least as much: edges alone do not tell. The center is in the "
                f"bat, so the ball is {-float(signed_distance(scene['circle'], scene['bat'])):.4g} deep."
            ),
            python="bool(intersects(circle, segment)), bool(intersects(circle, bat))",
            more={"ignored": (("segment", "bat"),)},
            guess=yes_or_no(lambda scene: bool(intersects(scene["circle"], scene["bat"]))),
        ),
        "from-inside": State(
            "From inside",
            {"circle": Sphere([0.2, 0.3, 0.0], 2.9)},
            "The whole segment is inside of the circle, and crosses it nowhere. Do the two touch?",
            lambda scene: (
                f"{'Yes' if _hit(scene) else 'No'}: shapes are solid here. The "
                f"distance is {_gap(scene):.4g}; so far the segment would have to be moved to be out."
            ),
            guess=yes_or_no(_hit),
        ),
        "touching": State(
            "Just touching",
            {"circle": Sphere([0.5, 1.0, 0.0], 1.0), "segment": Segment([-2.0, 0.0, 0.0], [2.0, 0.0, 0.0])},
            "The center is exactly one radius away from the segment. Is that a hit?",
            lambda scene: (
                f"{'Yes' if _hit(scene) else 'No'}, at a distance of "
                f"{_gap(scene):.4g}: touching counts, within the rounding of the numbers at hand."
            ),
            guess=yes_or_no(_hit),
        ),
        "scale-2": State(
            "Scale 2",
            scaled(SHAPES, 2.0),
            "Everything is twice as large. Which numbers double, and which stay?",
            lambda scene: (
                f"Lengths double: {_gap(scene):.4g} is left. What has no unit stays: the nearest point is at "
                f"{_rate(scene):.4g} of the way. Nothing is compared with a fixed small number, so nothing else "
                "changes."
            ),
            more={"camera": stepped_back(CAMERA, 2.0)},
        ),
    },
)

scene, states = LESSON.scene, LESSON.scenes
