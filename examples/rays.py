"""A fan of rays.

Rays from one eye end at the first thing that they hit, at a dot; those that hit nothing end after 7. What the eye sees
is hatched; the marble is in the shadow of the crate, the lamp aside. Try: drag the marble or the lamp into the fan.
"""

import numpy as np

from collision import AABB, Camera, Capsule, Expectation, OrientedBox, Point, Ray, Scene, Segment, Shape, Sphere
from viewer.files.places import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)

#: How many rays there are, how far they go, and to which side the last one goes, in degrees.
COUNT, REACH, SIDE = 13, 7.0, 40.0

EYE = np.array([0.0, -3.0, 0.5])

SHAPES: dict[str, Shape] = {
    "ball": Sphere([-2.6, 1.0, 0.6], 0.6),
    "rod": Capsule([-1.1, 2.6, 0.3], [-0.2, 2.9, 0.9], 0.25),
    "crate": OrientedBox([0.9, 0.6, 0.45], [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]], [0.45, 0.45, 0.45]),
    "marble": Sphere([1.45, 2.3, 0.5], 0.3),
    "slab": AABB([2.7, 1.0, 0.0], [3.3, 2.3, 0.9]),
    "lamp": Capsule([-3.6, -1.4, 0.2], [-3.6, -1.4, 1.4], 0.2),
}


def fan() -> Ray:
    """Return the rays: a batch, side by side."""
    angles = np.radians(np.linspace(-SIDE, SIDE, COUNT))
    return Ray(EYE, np.stack([np.sin(angles), np.cos(angles), np.zeros(COUNT)], axis=-1))


def scene() -> Scene:
    rays = fan()
    hits = Scene(SHAPES).raycast(rays, max_distance=REACH)
    ends = np.where(hits.hit[:, None], hits.point, EYE + REACH * rays.direction)
    return Scene(
        {**SHAPES, "rays": Segment(EYE, ends), "hits": Point(hits.point[hits.hit])},
        ignored=[("rays", "rays"), ("hits", "*")],
        camera=Camera(position=(1.0, -11.5, 10.0), target=(0.0, 0.9, 0.0)),
        expectations=[
            Expectation("ray", origin=EYE, direction=[0.3, 1.0, 0.0], b="crate", without=["rays", "hits"]),
            Expectation("collide", "rays", "*", depth=1e-9, reason="a ray ends where it hits"),
            Expectation("apart", "marble", "rays", reason="it is in the shadow of the crate"),
        ],
        title=TITLE,
        caption=CAPTION,
    )


def ask() -> None:
    """Print what the picture is of, with the calls that ask for it."""
    shapes, rays = Scene(SHAPES), fan()
    print(f"{int(shapes.raycast(rays, max_distance=REACH).hit.sum()) = }")
    print(f"{sorted(set(shapes.raycast(rays, max_distance=REACH).name) - {''}) = }")
    print(f"{float(shapes.raycast(rays, max_distance=REACH).enter[0].round(3)) = }")


if __name__ == "__main__":
    import viewer
    from viewer.studio.scripts import told_in_a_line

    ask()
    with told_in_a_line():
        viewer.view(scene())
