"""Box against box.

Two boxes at any angle: is there a gap between them, and where? Try: drag one box by a handle until an edge meets an
edge, then turn it until a side meets a side.

If two convex shapes are apart, a plane fits in between. For boxes it is enough to try fifteen directions: the three
axes of each box, and the nine directions that are at right angles to one edge of each. Along each of them both boxes
are intervals. If one direction parts the intervals, the boxes are apart; if none does, they overlap, and the direction
in which they overlap least is the shortest way out.
"""

from collision import Camera, OrientedBox, Scene, Show, all_normals, closest_points, signed_distance
from viewer.files.lessons import Ask, Lesson, State, scaled, stepped_back, written, yes_or_no

#: Turned by 30 degrees about z, and by 45 degrees about y.
ABOUT_Z = [0.0, 0.0, 0.25881904510252074, 0.9659258262890683]
ABOUT_Y = [0.0, 0.3826834323650898, 0.0, 0.9238795325112867]

SHAPES = {
    "box": OrientedBox([-1.0, 0.0, 0.7], ABOUT_Z, [1.1, 0.8, 0.7]),
    "crate": OrientedBox([1.45, 0.2, 1.1], ABOUT_Y, [0.7, 0.7, 0.7]),
}

CAMERA = Camera(position=(3.5, -9.0, 5.5), target=(0.1, 0.0, 0.9))


def _gap(scene: Scene) -> float:
    return float(signed_distance(scene["box"], scene["crate"]))


def _normal(scene: Scene) -> str:
    return written(closest_points(scene["box"], scene["crate"]).normal)


LESSON = Lesson(
    text=__doc__,
    shapes=SHAPES,
    camera=CAMERA,
    shows=(Show("closest_points", "box", "crate"),),
    asks=(
        Ask(
            "float(signed_distance(box, crate).round(4))",
            "signed_distance",
            ("box", "crate"),
            says="Along each of the fifteen directions: how far apart the centers are, less how far both boxes reach. "
            "The widest gap is what parts them. Where an edge faces an edge, or a side faces anything, it is the "
            "distance; where a corner faces a corner the boxes are farther apart than that.",
            short="""
def reach(box, n):
    return box.half_extents @ abs(n @ box.axes)
edges = [np.cross(a, b) for a in box.axes.T for b in crate.axes.T]
axes = [*box.axes.T, *crate.axes.T, *(n / np.linalg.norm(n) for n in edges if n.any())]
gaps = [abs(n @ (crate.center - box.center)) - reach(box, n) - reach(crate, n) for n in axes]
len(axes), round(float(max(gaps)), 4)
""",
        ),
    ),
    predict="The crate stands on an edge, its other edge towards the box. Is there a gap between the two?",
    answer=lambda scene: (
        f"There is, of {_gap(scene):.4g}, along {_normal(scene)}: at right angles to an edge of each, and along no "
        "axis of either."
    ),
    guess=yes_or_no(lambda scene: _gap(scene) > 0.0),
    drag="Go to the gaps along the axes, and drag the crate to and fro: the bars move, and another "
    "direction becomes the one that decides. Then turn it.",
    states={
        "overlapping": State(
            "One in the other",
            {"crate": OrientedBox([0.6, 0.2, 1.1], ABOUT_Y, [0.7, 0.7, 0.7])},
            "The crate was pushed to the left, into the box. In which direction is the shortest way out?",
            lambda scene: (
                f"Along {_normal(scene)}, by {-_gap(scene):.4g}: of all directions the one in which the two overlap "
                "least."
            ),
            python="closest_points(box, crate).normal.round(4).tolist()",
            steps=("Gaps along the axes",),
        ),
        "parallel": State(
            "Parallel edges",
            {
                "box": OrientedBox([-1.0, 0.0, 0.7], [0.0, 0.0, 0.0, 1.0], [1.1, 0.8, 0.7]),
                "crate": OrientedBox([1.1, 0.3, 0.7], [0.0, 0.0, 0.0, 1.0], [0.7, 0.7, 0.7]),
            },
            "All edges of the one are parallel to edges of the other: the cross product of two of them is zero, and "
            "is no direction. What becomes of the nine?",
            lambda scene: (
                f"None of them is needed, as the sides' own directions say all: {_gap(scene):.4g} is left, along "
                f"{_normal(scene)}. A test that divides by the length of such a product finds directions of nothing "
                "but rounding."
            ),
        ),
        "from-inside": State(
            "From inside",
            {
                "box": OrientedBox([0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0], [1.0, 1.0, 1.0]),
                "crate": OrientedBox([0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0], [0.5, 0.5, 0.5]),
            },
            "The crate is in the very middle of the box. Which way out is the shortest?",
            lambda scene: (
                f"{len(all_normals(scene['box'], scene['crate']).corners)} ways are as short, one through each side. "
                f"Always the same one is returned, {_normal(scene)}, and the depth is {-_gap(scene):.4g}."
            ),
            python="len(all_normals(box, crate).corners)",
            steps=("Gaps along the axes",),
        ),
        "edge-to-edge": State(
            "Edge against edge",
            {"crate": OrientedBox([0.9, -0.9, 2.0], [0.3, 0.3, -0.1, 0.9], [0.7, 0.7, 0.7])},
            "Two edges are nearest to each other, and they are askew. Does the axis of a side show the gap?",
            lambda scene: (
                f"It shows less than there is: the gap is {_gap(scene):.4g}, along {_normal(scene)}, at right angles "
                "to both edges."
            ),
        ),
        "scale-2": State(
            "Scale 2",
            scaled(SHAPES, 2.0),
            "Everything is twice as large. Does another direction decide?",
            lambda scene: f"No: {_normal(scene)} as before, and the distance is {_gap(scene):.4g}.",
            more={"camera": stepped_back(CAMERA, 2.0)},
        ),
    },
)

scene, states = LESSON.scene, LESSON.scenes
