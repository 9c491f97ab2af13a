"""A sphere in capsule space.

Does a sphere touch a capsule whose object is turned, moved and scaled? Try: drag the sphere along the capsule and past
its ends; then open the states in which the object has another scale.

An object of a game engine carries its capsule along: it lies along one of the object's axes, with its own height and
radius. The usual test takes the sphere's center into the space of the capsule, where that lies along z around the
origin, clamps the center to the axis there, and compares the squared distance with the squared sum of the radii. This
is right as long as the object has scale 1. Here the capsule lies along y of its object, which is what engines begin
with, and once along z.
"""

from collision import Camera, CapsuleCollider, Scene, Show, Sphere, Transform, intersects, signed_distance
from viewer.files.lessons import Ask, Guess, Lesson, State, written, yes_or_no

#: Along y, as colliders are unless something else is said.
COLLIDER = CapsuleCollider(center=[0.0, 0.0, 0.0], axis="y", height=2.8, radius=0.5)


def _placed(scale: float) -> Transform:
    """Return where the object is: turned so that its y points to the right and up."""
    return Transform(
        [0.0, 0.0, 1.4], [0.18301270189221933, -0.18301270189221933, -0.6830127018922193, 0.6830127018922193], scale
    )


#: The same capsule as one that lies along z of its object, which is turned by 60 degrees about y.
ALONG_Z = CapsuleCollider(center=[0.0, 0.0, 0.0], axis="z", height=2.8, radius=0.5)
TURNED = Transform([0.0, 0.0, 1.4], [0.0, 0.5, 0.0, 0.8660254037844386])


PLACED = _placed(1.0)

SHAPES = {"sphere": Sphere([0.9, 0.0, 0.9], 0.5), "capsule": COLLIDER.in_world(PLACED)}

CAMERA = Camera(position=(1.5, -9.0, 3.8), target=(0.0, 0.0, 1.4))


def _verdicts(scene: Scene, placed: Transform, collider: CapsuleCollider = COLLIDER) -> str:
    sphere, capsule = scene["sphere"], scene["capsule"]
    assert isinstance(sphere, Sphere)
    usual = "hit" if collider.sphere_test(placed, sphere).hit else "no hit"
    truth = "hit" if intersects(sphere, capsule) else "no hit"
    gap = float(signed_distance(sphere, capsule))
    return f"The usual test says: {usual}. In the world it is: {truth}, with a signed distance of {gap:.4g}."


def _agree(scene: Scene, placed: Transform) -> bool:
    """Return whether the usual test says what is true."""
    sphere = scene["sphere"]
    assert isinstance(sphere, Sphere)
    return bool(COLLIDER.sphere_test(placed, sphere).hit) == bool(intersects(sphere, scene["capsule"]))


def _state(title: str, scale: float, sphere: Sphere, asks: str, why: str) -> State:
    return State(
        title,
        {"capsule": COLLIDER.in_world(_placed(scale)), "sphere": sphere},
        asks,
        lambda scene: f"{_verdicts(scene, _placed(scale))} {why}",
        names={"placed": _placed(scale)},
        steps=("What is true",),
        guess=yes_or_no(lambda scene: _agree(scene, _placed(scale))),
    )


BALL = CapsuleCollider(center=[0.0, 0.0, 0.0], axis="y", height=1.0, radius=0.5)

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
            says="Of a capsule that is known in the world: the foot Pn of the perpendicular from the sphere's center "
            "Pc on the line through the centers Ps and Pe of the two caps, at a rate that is clamped to 0 to 1; then "
            "its distance from Pc, against both radii. The article on sphere against capsule (a Unity blog) does the "
            "same in the capsule's own space, with two matrices, and compares squares.",
            short="""
Ps, Pe, Pc = capsule.start, capsule.end, sphere.center
rate = (Pc - Ps) @ (Pe - Ps) / ((Pe - Ps) @ (Pe - Ps))
Pn = Ps + np.clip(rate, 0, 1) * (Pe - Ps)
bool(np.linalg.norm(Pc - Pn) - capsule.radius <= sphere.radius)
""",
        ),
    ),
    names={"collider": COLLIDER, "placed": PLACED},
    predict="The capsule's axis points to the right and up. In capsule space that is z: where there is the sphere's "
    "center, above the middle of the capsule or below it?",
    answer=lambda scene: (
        f"Above it, at {written(COLLIDER.sphere_test(PLACED, scene['sphere']).center)}: in the world it is below the "
        f"capsule, and along the axis it is past the middle. {_verdicts(scene, PLACED)}"
    ),
    guess=Guess(
        ("above", "below"),
        lambda scene: "above" if COLLIDER.sphere_test(PLACED, scene["sphere"]).center[2] > 0.0 else "below",
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
            lambda scene: (
                f"{_verdicts(scene, PLACED, BALL)} The rate is not asked for: the near point is that one point."
            ),
            names={"collider": BALL},
        ),
        "along-z": State(
            "Along z, past an end",
            {"capsule": ALONG_Z.in_world(TURNED), "sphere": Sphere([1.9, 0.0, 2.2], 0.5)},
            "The capsule lies along z of its object, which is turned another way, and the sphere is past an end. What "
            "becomes of the matrix M, and of the rate?",
            lambda scene: (
                "M is the identity, as capsule space has its axis along z, too. The rate is "
                f"{float(ALONG_Z.sphere_test(TURNED, scene['sphere']).near_rate):.4g}, more than 1, so that the end is "
                f"nearest. {_verdicts(scene, TURNED, ALONG_Z)}"
            ),
            names={"collider": ALONG_Z, "placed": TURNED},
            steps=("Foot on the axis",),
        ),
        "from-inside": State(
            "From inside",
            {"sphere": Sphere([0.3, 0.0, 1.2], 0.2)},
            "The sphere is in the capsule as a whole. Do the two verdicts agree?",
            lambda scene: f"They do. {_verdicts(scene, PLACED)}",
            guess=yes_or_no(lambda scene: _agree(scene, PLACED)),
        ),
    },
)

scene, states = LESSON.scene, LESSON.scenes
