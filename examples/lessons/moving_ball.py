"""A ball on its way.

Does a ball that goes straight ahead hit a crate, and when? Try: drag the crate into the way of the ball and out of it,
then play the motion with Space.

A game that looks only at the places where the ball is from frame to frame misses what lies in between. So one asks for
the first moment of the way at which the distance is zero. Between convex shapes the curve of the distance over time
bends upwards only, so that no tangent to it comes down to zero later than the curve does. One goes along the
tangent to its zero, asks for the distance there, and goes on from there: no step goes too far, and a few are
enough.
"""

from collision import Camera, Motion, OrientedBox, Scene, Segment, Sphere, signed_distance, sweep
from viewer.files.lessons import Ask, Guess, Lesson, State, scaled, stepped_back, written, yes_or_no

#: The whole way of the ball.
WAY = [6.0, 0.0, 0.0]

SHAPES = {
    "ball": Sphere([-3.2, -0.3, 0.8], 0.5),
    "crate": OrientedBox([1.0, 0.5, 0.6], [0.0, 0.0, 0.25881904510252074, 0.9659258262890683], [0.7, 0.6, 0.6]),
    "way": Segment([-3.2, -0.3, 0.8], [2.8, -0.3, 0.8]),
}

CAMERA = Camera(position=(1.5, -11.0, 6.0), target=(-0.2, 0.0, 0.5))


def _moving(factor: float = 1.0) -> tuple[Motion, ...]:
    return (Motion("ball", [0.0, 3.0], offsets=[[0.0, 0.0, 0.0], [factor * x for x in WAY]]),)


def _hit(scene: Scene) -> str:
    found = sweep(scene["ball"], scene["crate"], motion=_way(scene))
    touches = f"It touches the crate after {float(found.fraction):.4g} of the way, at {written(found.point)}"
    return touches if found.hit else "It never touches the crate"


def _way(scene: Scene) -> list[float]:
    moved: list[float] = scene.motion[0].offsets[-1].tolist()
    return moved


def _touches(scene: Scene) -> bool:
    return bool(sweep(scene["ball"], scene["crate"], motion=_way(scene)).hit)


LESSON = Lesson(
    text=__doc__,
    shapes=SHAPES,
    camera=CAMERA,
    ignored=(("way", "*"),),
    motion=_moving(),
    asks=(
        Ask(
            "round(float(sweep(ball, crate, motion=motion).fraction), 4)",
            "sweep",
            ("ball", "crate"),
            more={"motion": WAY},
            says="The distance over the fraction of the way, and the tangents along which the search goes. Here is the "
            "same search, with a slope that is measured.",
            short="""
def away(t):
    return float(signed_distance(ball.translated(t * np.array(motion)), crate))
t = 0.0
while away(t) > 1e-9:
    t -= away(t) / ((away(t) - away(t - 1e-6)) / 1e-6)
round(t, 4)
""",
        ),
    ),
    names={"motion": WAY},
    predict="The ball goes 6 to the right. After which part of its way does it touch the crate: less than a half, or "
    "more?",
    answer=lambda scene: f"{_hit(scene)}.",
    guess=Guess(
        ("less than a half", "more"),
        lambda scene: (
            "less than a half"
            if float(sweep(scene["ball"], scene["crate"], motion=_way(scene)).fraction) < 0.5
            else "more"
        ),
    ),
    drag="Drag the crate to and fro across the way: the ball touches a side, then an edge, then nothing any more. "
    "Play the motion: the strip below says when the two touch.",
    states={
        "passing": State(
            "A near miss",
            {
                "crate": OrientedBox(
                    [1.0, 1.2, 0.6], [0.0, 0.0, 0.25881904510252074, 0.9659258262890683], [0.7, 0.6, 0.6]
                )
            },
            "The crate stands a little farther back. Does the ball still touch it?",
            lambda scene: (
                f"{_hit(scene)}."
                if _touches(scene)
                else "It does not. The tangents come down to a place past the lowest one of the curve, from where the "
                "distance grows again: so it is certain that there is no touch, and the search ends."
            ),
            python="bool(sweep(ball, crate, motion=motion).hit)",
            steps=("Step 3",),
            guess=yes_or_no(_touches),
        ),
        "from-inside": State(
            "From inside",
            {"ball": Sphere([0.6, 0.2, 0.8], 0.5), "way": Segment([0.6, 0.2, 0.8], [3.6, 0.2, 0.8])},
            "The ball starts in the crate. When does it first touch it?",
            lambda scene: (
                f"{_hit(scene)}: it starts {-float(signed_distance(scene['ball'], scene['crate'])):.4g} deep, and "
                "whether its way leads out is left to who asked: the normal tells."
            ),
            names={"motion": [0.5 * x for x in WAY]},
            more={"motion": _moving(0.5)},
        ),
        "parallel": State(
            "Along a side",
            {"crate": OrientedBox([0.5, 0.8, 0.6], [0.0, 0.0, 0.0, 1.0], [1.0, 0.6, 0.6])},
            "The ball slides along a side of the crate, exactly one radius away from it. Is that a touch?",
            lambda scene: (
                f"{_hit(scene)}: where it comes beside it, as touching counts. The curve only just comes down to "
                "zero, so each tangent leads through half of the rest, and many steps are needed."
            ),
            guess=yes_or_no(_touches),
        ),
        "zero-length": State(
            "No way at all",
            {"way": Segment([-3.2, -0.3, 0.8], [-3.2, -0.3, 0.8])},
            "The way is zero: the ball stays where it is. What is there to answer?",
            lambda scene: (
                f"{_hit(scene)}: the two are {float(signed_distance(scene['ball'], scene['crate'])):.4g} apart, and "
                "stay so."
            ),
            python="bool(sweep(ball, crate, motion=motion).hit)",
            names={"motion": [0.0, 0.0, 0.0]},
            more={"motion": _moving(0.0)},
            guess=Guess(("a touch", "no touch"), lambda scene: "a touch" if _touches(scene) else "no touch"),
        ),
        "scale-2": State(
            "Scale 2",
            scaled(SHAPES, 2.0),
            "Everything is twice as large, the way of the ball too. When does it touch now?",
            lambda scene: f"{_hit(scene)}: a fraction has no unit, and stays; the place is twice as far away.",
            names={"motion": [2.0 * x for x in WAY]},
            more={"camera": stepped_back(CAMERA, 2.0), "motion": _moving(2.0)},
        ),
    },
)

scene, states = LESSON.scene, LESSON.scenes
