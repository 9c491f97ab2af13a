"""Circle against segment.

Which point of a segment is nearest to a circle, and is it within the radius? Try: drag the circle along the segment and
past its ends, then drag one end onto the other.

A turned rectangle against a circle is its four edges, each of which is a segment. So this one test tells whether a bat
hits a ball. The perpendicular from the circle's center P meets the line through the ends A and B at X. Before A and
after B the segment has no such point, and its end is the nearest one instead: three regions, one rule.
"""

from collision import Camera, Scene, Segment, Show, Sphere, foot, intersects, signed_distance
from viewer.files.lessons import Ask, Lesson, State, scaled, stepped_back

SHAPES = {
    "circle": Sphere([1.0, 1.5, 0.0], 1.0),
    "segment": Segment([-2.0, -0.5, 0.0], [2.0, 0.5, 0.0]),
}

CAMERA = Camera(position=(0.0, 0.0, 20.0), up=(0.0, 1.0, 0.0), parallel_height=7.2)


def _gap(scene: Scene) -> float:
    return float(signed_distance(scene["circle"], scene["segment"]))


def _rate(scene: Scene) -> float:
    return float(foot(scene["circle"], scene["segment"]).parameter)


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
            says="How far along the segment the perpendicular meets it, whether that has to be moved to an end, and "
            "how far it is from there to the circle. The article computes the same lengths by an inner and a cross "
            "product.",
        ),
    ),
    predict="How far along the segment, from A at 0 to B at 1, is the point that is nearest to the circle? Do they "
    "touch?",
    answer=lambda scene: (
        f"At {_rate(scene):.4g} of the way. The center is farther from there than its radius: {_gap(scene):.4g} is "
        "left between the two."
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
        "from-inside": State(
            "From inside",
            {"circle": Sphere([0.2, 0.3, 0.0], 2.9)},
            "The whole segment is inside of the circle, and crosses it nowhere. Do the two touch?",
            lambda scene: (
                f"{'Yes' if intersects(scene['circle'], scene['segment']) else 'No'}: shapes are solid here. The "
                f"distance is {_gap(scene):.4g}; so far the segment would have to be moved to be out."
            ),
        ),
        "touching": State(
            "Just touching",
            {"circle": Sphere([0.5, 1.0, 0.0], 1.0), "segment": Segment([-2.0, 0.0, 0.0], [2.0, 0.0, 0.0])},
            "The center is exactly one radius away from the segment. Is that a hit?",
            lambda scene: (
                f"{'Yes' if intersects(scene['circle'], scene['segment']) else 'No'}, at a distance of "
                f"{_gap(scene):.4g}: touching counts, within the rounding of the numbers at hand."
            ),
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
