"""A sweep past a row of shapes.

The ball goes 9 to the right. One call says what it touches first, how far on its way, and where: the dot. The ball
there stands still; the other goes on as if nothing were in its way, and the strip says when it touches what. Try: Space
plays; drag along the strip.
"""

from collision import (
    AABB,
    Camera,
    Capsule,
    Expectation,
    Motion,
    OrientedBox,
    Point,
    Scene,
    Segment,
    Shape,
    Sphere,
    touching_intervals,
)
from viewer.files.places import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)

#: The whole way of the ball, and how long it takes.
WAY, SECONDS = [9.0, 0.0, 0.0], 6.0

BALL = Sphere([-4.5, 0.0, 0.6], 0.5)

#: What the ball goes past, from left to right: the first two are not in its way.
ROW: dict[str, Shape] = {
    "low box": AABB([-3.3, -1.5, 0.0], [-2.4, -0.65, 0.8]),
    "marble": Sphere([-1.6, 1.0, 0.4], 0.4),
    "rod": Capsule([-0.4, 0.9, 0.3], [0.3, 0.5, 1.9], 0.25),
    "crate": OrientedBox([2.2, -0.7, 0.5], [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]], [0.5, 0.5, 0.5]),
    "post": Capsule([3.9, 0.6, 0.3], [3.9, 0.6, 1.5], 0.3),
}


def scene() -> Scene:
    first = Scene(ROW).sweep(BALL, motion=WAY)
    touching = BALL.translated([float(first.fraction) * step for step in WAY])
    return Scene(
        {
            "ball": BALL,
            **ROW,
            "its way": Segment(BALL.center, BALL.center + WAY),
            "first touch": Point(first.point),
            "ball there": touching,
        },
        ignored=[("its way", "*"), ("first touch", "*"), ("ball there", "*")],
        motion=[Motion("ball", [0.0, SECONDS], offsets=[[0.0, 0.0, 0.0], WAY])],
        camera=Camera(position=(2.0, -15.0, 7.2), target=(0.1, 0.0, 0.3)),
        expectations=[
            Expectation("sweep", "ball", "crate", motion=WAY, without=["its way", "first touch", "ball there"]),
            Expectation("apart", "ball", "rod", clearance=0.05),
            Expectation("collide", "ball", "crate"),
            Expectation("collide", "ball", "post"),
        ],
        title=TITLE,
        caption=CAPTION,
    )


def ask() -> None:
    """Print what the picture is of, with the calls that ask for it."""
    row, moving = Scene(ROW), scene()
    print(f"{str(row.sweep(BALL, motion=WAY).name) = }")
    print(f"{round(float(row.sweep(BALL, motion=WAY).fraction), 3) = }")
    print(f"{row.sweep(BALL, motion=WAY).point.round(3).tolist() = }")
    print(f"{touching_intervals(moving).begin.round(3).tolist() = }")


if __name__ == "__main__":
    import viewer
    from viewer.studio.scripts import told_in_a_line

    ask()
    with told_in_a_line():
        viewer.view(scene())
