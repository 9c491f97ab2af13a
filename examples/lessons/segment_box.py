"""Segment against box.

How far is a segment from a box that is turned? Try: drag the segment past an edge of the box, through it, and into
it as a whole.

Seen from the box its sides are along the axes, so the segment is brought there first. How far its points are from the
box, as t goes from 0 to 1, is a curve of pieces: it changes where the segment passes the plane of a side. On each piece
it is a parabola, and the curve has a single lowest place. So one goes through the pieces and stops there.
"""

from collision import Camera, OrientedBox, Scene, Segment, Show, closest_points, intersects, signed_distance
from viewer.files.lessons import Ask, Guess, Lesson, State, scaled, stepped_back, written

#: How the box is turned: by 30 degrees about z.
TURNED = [0.0, 0.0, 0.25881904510252074, 0.9659258262890683]

SHAPES = {
    "segment": Segment([-2.2, -2.2, 0.6], [2.4, -0.6, 2.6]),
    "box": OrientedBox([0.3, 0.4, 0.7], TURNED, [1.2, 0.9, 0.7]),
}

CAMERA = Camera(position=(4.5, -9.5, 6.0), target=(0.1, -0.2, 1.0))


def _gap(scene: Scene) -> float:
    return float(signed_distance(scene["segment"], scene["box"]))


def _normal(scene: Scene) -> str:
    return written(closest_points(scene["segment"], scene["box"]).normal)


def _nearest(scene: Scene) -> str:
    """Return what of the box is nearest: the normal has a part along one of its axes, along two, or along three."""
    box = scene["box"]
    assert isinstance(box, OrientedBox)
    along = abs(closest_points(scene["segment"], box).normal @ box.axes) > 1e-9
    return ("a side", "an edge", "a corner")[int(along.sum()) - 1]


LESSON = Lesson(
    text=__doc__,
    shapes=SHAPES,
    camera=CAMERA,
    shows=(Show("closest_points", "segment", "box"),),
    asks=(
        Ask(
            "float(signed_distance(segment, box).round(4))",
            "signed_distance",
            ("segment", "box"),
            says="The segment in the box's own axes, the distance over t with its breakpoints, and the lowest place. "
            "The curve has a single valley, so that a search which narrows it down finds the lowest place, too.",
            short="""
a, b = ((end - box.center) @ box.axes for end in (segment.start, segment.end))
def away(t):
    q = a + t * (b - a)
    return np.linalg.norm(q - np.clip(q, -box.half_extents, box.half_extents))
low, high = 0.0, 1.0
for _ in range(60):
    third = (high - low) / 3
    low, high = (low, high - third) if away(low + third) < away(high - third) else (low + third, high)
round(float(away(low)), 4)
""",
        ),
    ),
    predict="The segment rises past the box. What of the box is nearest to it: a corner, an edge or a side?",
    answer=lambda scene: (
        f"A corner: the normal is {_normal(scene)}, and has a part along each of the box's three axes. The two are "
        f"{_gap(scene):.4g} apart."
    ),
    guess=Guess(("a corner", "an edge", "a side"), _nearest),
    drag="Drag the segment towards the box until it goes through: the gap becomes a depth. Then turn it until "
    "the nearest thing is an edge, and then a side.",
    states={
        "through": State(
            "Through the box",
            {"segment": Segment([-2.2, -1.0, 0.2], [2.6, 1.6, 1.4])},
            "The segment goes in on one side and out on another. The distance over t is zero along a whole stretch. "
            "How deep is it?",
            lambda scene: (
                f"{-_gap(scene):.4g}: so far the segment has to go, along {_normal(scene)}, to be out. That is "
                "another question than the distance, and has a kernel of its own."
            ),
            steps=("The shortest way out",),
        ),
        "from-inside": State(
            "From inside",
            {"segment": Segment([-0.1, 0.2, 0.5], [0.5, 0.4, 0.9])},
            "Both ends are in the box. Which end decides how deep it is?",
            lambda scene: (
                f"The one that is farther from the side through which it leaves: it is {-_gap(scene):.4g} deep, and "
                f"goes out along {_normal(scene)}. Other segments of the same middle go out elsewhere."
            ),
        ),
        "parallel": State(
            "Parallel to a side",
            {
                "segment": Segment([-1.0, 0.0, 2.0], [1.0, 0.5, 2.0]),
                "box": OrientedBox([0.3, 0.4, 0.7], [0.0, 0.0, 0.0, 1.0], [1.2, 0.9, 0.7]),
            },
            "The segment lies above the top, and along it. The curve is level over a whole stretch. Which point is "
            "returned?",
            lambda scene: (
                f"{written(closest_points(scene['segment'], scene['box']).on_a)}, and {_gap(scene):.4g} is left: one "
                "of many as good, and always the same one."
            ),
            python="closest_points(segment, box).on_a.round(4).tolist()",
        ),
        "zero-length": State(
            "Zero length",
            {"segment": Segment([1.6, -1.4, 1.8], [1.6, -1.4, 1.8])},
            "The segment is a point, and the curve has a single value. What is left of the kernel's work?",
            lambda scene: f"The clamp of a point to the box: {_gap(scene):.4g}.",
        ),
        "scale-2": State(
            "Scale 2",
            scaled(SHAPES, 2.0),
            "Everything is twice as large. Do the breakpoints move along t?",
            lambda scene: (
                f"No: they have no unit. The distance doubles, to {_gap(scene):.4g}; the segment "
                f"{'touches' if intersects(scene['segment'], scene['box']) else 'does not touch'} the box."
            ),
            more={"camera": stepped_back(CAMERA, 2.0)},
        ),
    },
)

scene, states = LESSON.scene, LESSON.scenes
