"""A turning knot and its bounds.

As the knot turns, its box must be refitted at every angle; its bounding sphere stays as it is, and is roomier still.
The ball is inside both, a false alarm: of the chain's capsules, only the red links really touch something.

Run with a file name, this writes the whole turn as an animation: ``python examples/knot.py knot.gif``.
"""

import sys
from collections.abc import Iterator

import numpy as np
from scipy.spatial.transform import Rotation

from collision import Camera, Capsule, Scene, Show, Sphere, Transform
from viewer.files.catalogue import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)

#: Links of the chain, and how thick they are.
LINKS, RADIUS = 90, 0.42

#: Links that are this near to each other along the chain always overlap: they are not tested.
NEIGHBOURS = 5


def knot(angle: float) -> Capsule:
    """Return a trefoil knot as a closed chain of capsules, turned by an angle in degrees."""
    t = np.linspace(0.0, 2.0 * np.pi, LINKS, endpoint=False)
    x, y, z = np.sin(t) + 2.0 * np.sin(2.0 * t), np.cos(t) - 2.0 * np.cos(2.0 * t), -np.sin(3.0 * t)
    turn = Rotation.from_rotvec(np.radians(angle) * np.array([0.0, 0.6, 0.8]))
    points = Transform(rotation=turn).apply(np.stack([x, y, z], axis=-1))
    return Capsule(points, np.roll(points, -1, axis=0), RADIUS)


def scene(angle: float = 0.0) -> Scene:
    steps = range(1, NEIGHBOURS + 1)
    neighbours = [(f"knot[{i}]", f"knot[{(i + step) % LINKS}]") for step in steps for i in range(LINKS)]
    return Scene(
        {
            "knot": knot(angle),
            "ball": Sphere([2.5, -1.7, 0.7], 0.4),
            "marble": Sphere([-0.2, -3.1, 0.5], 0.22),
        },
        ignored=neighbours,
        shows=[Show("bounds", "knot"), Show("bounding_sphere", "knot")],
        camera=Camera(position=(7.0, -17.8, 8.0), target=(-0.2, 0.0, 0.1)),
        title=TITLE,
        caption=CAPTION,
    )


def frames(count: int = 72) -> Iterator[Scene]:
    """Yield the scenes of one whole turn."""
    return (scene(angle) for angle in np.linspace(0.0, 360.0, count, endpoint=False))


if __name__ == "__main__":
    import viewer

    if len(sys.argv) > 1:
        viewer.render_frames(frames(), sys.argv[1], fps=24, size=(800, 600))
    else:
        viewer.view(scene())
