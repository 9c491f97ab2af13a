"""Sphere against capsule in capsule space.

A sphere's center is taken into the space in which the capsule lies along z; its near rate on the axis, clamped to 0..1,
gives the near point, whose distance is compared with the sum of the radii. That is right for unit scale alone; the
verdicts here hold under any scale.

The three capsules are colliders as game engines have them: a center, an axis (x, y or z), a height that includes the
caps, a radius, and their object's transform. The way of the caption leaves the sphere's radius unscaled; so the scene
tests capsules that were put into the world first, under the engine's own rule for scale. Give `scene` another scale to
see it.
"""

import numpy as np
from scipy.spatial.transform import Rotation

from collision import Camera, Capsule, CapsuleCollider, Scene, Shape, Show, Sphere, Transform
from collision.capsule_space import Axis
from viewer.files.catalogue import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)

#: For each axis: how far along the capsule's axis the sphere is (0 and 1 are the ends of the core), how far off it, and
#: its radius.
SPHERES: dict[Axis, tuple[float, float, float]] = {"x": (-0.5, 0.5, 0.45), "y": (0.6, 0.8, 0.45), "z": (1.4, 0.9, 0.4)}


def collider(axis: Axis) -> CapsuleCollider:
    """Return the capsule of one axis, in its object's own space."""
    return CapsuleCollider(center=[0.0, 0.0, 0.0], axis=axis, height=2.4, radius=0.5)


def placement(axis: Axis, scale: float | tuple[float, float, float] = 1.0) -> Transform:
    """Return the transform of the object that holds the capsule of one axis."""
    place = {"x": (-2.6, 0.0, 1.4), "y": (0.0, 0.0, 1.4), "z": (2.6, 0.0, 1.4)}[axis]
    return Transform(place, Rotation.from_euler("zx", [35.0, 20.0], degrees=True), scale)


def ball(axis: Axis, capsule: Capsule) -> Sphere:
    """Return the sphere that is tested against the capsule of one axis."""
    rate, off, radius = SPHERES[axis]
    along = capsule.end - capsule.start
    side = np.cross(along, [0.0, 1.0, 0.0])
    side *= off / np.linalg.norm(side)
    return Sphere(capsule.start + rate * along + side, radius)


def scene(scale: float | tuple[float, float, float] = 1.0) -> Scene:
    shapes: dict[str, Shape] = {}
    shows = []
    for axis in SPHERES:
        capsule = collider(axis).in_world(placement(axis, scale))
        shapes[f"capsule {axis}"], shapes[f"sphere {axis}"] = capsule, ball(axis, capsule)
        shows.append(Show("foot", f"sphere {axis}", f"capsule {axis}", label=f"axis {axis}"))
    return Scene(
        shapes,
        shows=shows,
        camera=Camera(position=(0.0, -13.0, 5.2), target=(0.0, 0.0, 1.3)),
        title=TITLE,
        caption=CAPTION,
    )


if __name__ == "__main__":
    import viewer

    viewer.view(scene())
