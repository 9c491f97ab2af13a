"""A sphere in capsule space.

Does a sphere touch a capsule whose object is turned, moved and scaled? Try: drag the sphere along the capsule and past
its ends; then open the states in which the object has another scale.

An object of a game engine carries its capsule along: it lies along one of the object's axes, with its own height and
radius. The usual test takes the sphere's center into the space of the capsule, where that lies along z around the
origin, clamps the center to the axis there, and compares the squared distance with the squared sum of the radii. This
is right as long as the object has scale 1.
"""

from collision import Camera, CapsuleCollider, Scene, Show, Sphere, Transform, intersects, signed_distance
from viewer.files.lessons import Ask, Lesson, State, written

COLLIDER = CapsuleCollider(center=[0.0, 0.0, 0.0], axis="z", height=2.8, radius=0.5)


def _placed(scale: float) -> Transform:
    """Return where the object is: turned by 60 degrees about y."""
    return Transform([0.0, 0.0, 1.4], [0.0, 0.5, 0.0, 0.8660254037844386], scale)


PLACED = _placed(1.0)

SHAPES = {"sphere": Sphere([0.9, 0.0, 0.9], 0.5), "capsule": COLLIDER.in_world(PLACED)}

CAMERA = Camera(position=(1.5, -9.0, 3.8), target=(0.0, 0.0, 1.4))


def _verdicts(scene: Scene, scale: float, collider: CapsuleCollider = COLLIDER) -> str:
    sphere, capsule = scene["sphere"], scene["capsule"]
    assert isinstance(sphere, Sphere)
    usual = "hit" if collider.sphere_test(_placed(scale), sphere).hit else "no hit"
    truth = "hit" if intersects(sphere, capsule) else "no hit"
    gap = float(signed_distance(sphere, capsule))
    return f"The usual test says: {usual}. In the world it is: {truth}, with a signed distance of {gap:.4g}."


def _state(title: str, scale: float, sphere: Sphere, asks: str, why: str) -> State:
    return State(
        title,
        {"capsule": COLLIDER.in_world(_placed(scale)), "sphere": sphere},
        asks,
        lambda scene: f"{_verdicts(scene, scale)} {why}",
        names={"placed": _placed(scale)},
        steps=("What is true",),
    )


BALL = CapsuleCollider(center=[0.0, 0.0, 0.0], axis="z", height=1.0, radius=0.5)

LESSON = Lesson(
    text=__doc__,
    shapes=SHAPES,
    camera=CAMERA,
    shows=(Show("closest_points", "sphere", "capsule"),),
    asks=(
        Ask(
            "bool(collider.sphere_test(placed, sphere).hit), bool(intersects(collider.in_world(placed), sphere))",
            "sphere_test",
            ("collider", "placed", "sphere"),
            called=("capsule", "sphere"),
            says="The two matrices, the capsule's own space beside the world, and the comparison of the squares.",
        ),
    ),
    names={"collider": COLLIDER, "placed": PLACED},
    predict="The capsule's own z points to the right and up. Where in capsule space is the sphere's center, above "
    "the middle of the capsule or below it?",
    answer=lambda scene: (
        f"Above it, at {written(COLLIDER.sphere_test(PLACED, scene['sphere']).center)}: in the world it is below the "
        f"capsule, and along the axis it is past the middle. {_verdicts(scene, 1.0)}"
    ),
    drag="Drag the sphere along the capsule: the near point goes with it, and stays in the middle of the cap past an "
    "end.",
    states={
        "half-the-scale": _state(
            "Scale 0.5",
            0.5,
            Sphere([0.3, 0.0, 0.88], 0.5),
            "The object has half its size, and the sphere has not. Does the usual test see that they touch?",
            "The test measures in capsule space, where all lengths of the world are doubled, and takes the radius of "
            "the sphere as it is: too small there.",
        ),
        "scale-2": _state(
            "Scale 2",
            2.0,
            Sphere([0.875, 0.0, -0.116], 0.5),
            "The object is twice as large. Does the usual test see the gap?",
            "In capsule space the lengths of the world are halved, and the radius of the sphere, which is not, is "
            "too large.",
        ),
        "zero-length": State(
            "A capsule that is a ball",
            {"capsule": BALL.in_world(PLACED), "sphere": Sphere([0.8, 0.0, 1.0], 0.5)},
            "The height is two radii: the two cap centers are one point, and the article divides by their distance. "
            "What comes?",
            lambda scene: f"{_verdicts(scene, 1.0, BALL)} The rate is not asked for: the near point is that one point.",
            names={"collider": BALL},
        ),
        "from-inside": State(
            "From inside",
            {"sphere": Sphere([0.3, 0.0, 1.2], 0.2)},
            "The sphere is in the capsule as a whole. Do the two verdicts agree?",
            lambda scene: f"They do. {_verdicts(scene, 1.0)}",
        ),
    },
)

scene, states = LESSON.scene, LESSON.scenes
