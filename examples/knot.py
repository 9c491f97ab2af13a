"""A turning knot and its bounds.

As the knot turns, its box is refitted all the time; its bounding sphere stays, now roomier than the box, now not. The
ball is inside both, the marble inside the sphere: false alarms, but while a link touches one. Try: Space plays.

With a file name, this writes the whole turn as an animation: ``python examples/knot.py knot.gif``.
"""

import sys

import numpy as np

from collision import AABB, Camera, Capsule, Expectation, Motion, Scene, Show, Sphere, touching_intervals
from viewer.files.places import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)

#: Links of the chain, and how thick they are.
LINKS, RADIUS = 90, 0.42

#: Links that are this near to each other along the chain always overlap: they are not tested.
NEIGHBOURS = 5

#: How long a whole turn takes, and what it is about.
SECONDS, AXIS = 9.0, np.array([0.0, 0.6, 0.8])


def knot() -> Capsule:
    """Return a trefoil knot as a closed chain of capsules."""
    t = np.linspace(0.0, 2.0 * np.pi, LINKS, endpoint=False)
    x, y, z = np.sin(t) + 2.0 * np.sin(2.0 * t), np.cos(t) - 2.0 * np.cos(2.0 * t), -np.sin(3.0 * t)
    points = np.stack([x, y, z], axis=-1)
    return Capsule(points, np.roll(points, -1, axis=0), RADIUS)


def turn() -> Motion:
    """Return one whole turn. Between two rotations the short way is taken, so there are some on the way."""
    thirds = np.linspace(0.0, 1.0, 4)
    half = np.pi * thirds[:, None]
    rotations = np.concatenate([np.sin(half) * AXIS, np.cos(half)], axis=1)  # quaternions
    return Motion("knot", SECONDS * thirds, rotations=rotations, pivot=[0.0, 0.0, 0.0])


def scene() -> Scene:
    steps = range(1, NEIGHBOURS + 1)
    neighbours = [(f"knot[{i}]", f"knot[{(i + step) % LINKS}]") for step in steps for i in range(LINKS)]
    return Scene(
        {
            "knot": knot(),
            "ball": Sphere([1.9, -1.3, 0.0], 0.3),
            "marble": Sphere([-0.2, -3.1, 0.5], 0.22),
        },
        ignored=neighbours,
        shows=[Show("bounds", "knot"), Show("bounding_sphere", "knot")],
        motion=[turn()],
        expectations=[Expectation("collide", "knot", "ball"), Expectation("collide", "knot", "marble")],
        camera=Camera(position=(9.0, -23.4, 9.0), target=(-0.4, 0.0, -1.9)),
        title=TITLE,
        caption=CAPTION,
    )


def ask() -> None:
    """Print what the picture is of, with the calls that ask for it."""
    chain, turning = scene()["knot"], scene()
    print(f"{AABB.union(chain.bounds()).half_extents.round(3).tolist() = }")
    print(f"{float(Sphere.union(chain.bounding_sphere()).radius.round(3)) = }")
    print(f"{touching_intervals(turning).merged().round(2).tolist() = }")


if __name__ == "__main__":
    import viewer
    from viewer.studio.scripts import told_in_a_line

    ask()
    with told_in_a_line():
        if len(sys.argv) > 1:
            viewer.render_motion(scene(), sys.argv[1], fps=8, size=(800, 600))
        else:
            viewer.view(scene())
