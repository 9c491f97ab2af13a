"""Sphere against capsule in capsule space.

Behind, capsules in the world, their objects at several scales. In front, capsule space: the usual test takes the
sphere's center there, but not its radius. Below scale 1 it misses hits, above it sees some that are none. Try: drag a
knob along its ruler: it says the scale of its object.

The three capsules are colliders as game engines have them: a center, an axis (x, y or z), a height that includes the
caps, a radius, and their object's transform. In capsule space every capsule lies along z, of the size that its collider
has, whatever the scale of its object. The sphere's center is clamped to the axis there, and its distance from that near
point compared with the sum of the radii: lengths of the world with lengths of the scaled space. So the pictures in
front are hatched where that test says hit; those behind, put into the world under the engine's own rule for scale,
where the shapes do intersect.
"""

import numpy as np

from collision import (
    Camera,
    Capsule,
    CapsuleCollider,
    Expectation,
    Scene,
    Segment,
    Shape,
    Show,
    Sphere,
    Transform,
    foot,
    intersects,
)
from collision.shapes.capsule_space import Axis
from viewer.files.places import title_and_caption

TITLE, CAPTION = title_and_caption(__doc__)

#: The scale of each object.
SCALES: dict[Axis, float] = {"x": 0.5, "y": 1.0, "z": 2.0}

#: The least and the largest scale on a ruler.
SMALLEST, LARGEST = 0.25, 2.5

#: For each: how far along the capsule's axis the sphere is (0 and 1 are the ends of the core), how far from its surface
#: (less than 0 is inside), and its radius.
SPHERES: dict[Axis, tuple[float, float, float]] = {
    "x": (0.5, -0.2, 0.45),
    "y": (0.6, -0.3, 0.45),
    "z": (0.7, 0.2, 0.45),
}

#: Where the objects are, and where their capsule spaces are drawn.
PLACES: dict[Axis, tuple[float, float, float]] = {"x": (-4.2, 2.6, 1.2), "y": (-0.4, 2.6, 1.4), "z": (4.4, 2.6, 2.4)}
FRONT: dict[Axis, tuple[float, float, float]] = {"x": (-3.4, -2.6, 1.2), "y": (0.0, -2.6, 1.2), "z": (3.4, -2.6, 1.2)}


def collider(axis: Axis) -> CapsuleCollider:
    """Return the capsule of one axis, in its object's own space."""
    return CapsuleCollider(center=[0.0, 0.0, 0.0], axis=axis, height=2.4, radius=0.5)


def placement(axis: Axis, scale: float | None = None) -> Transform:
    """Return the transform of the object that holds the capsule of one axis."""
    return Transform(PLACES[axis], (_turn(0, 20.0) @ _turn(2, 35.0)).axes, SCALES[axis] if scale is None else scale)


def _turn(axis: int, degrees: float) -> Transform:
    half = np.radians(0.5 * degrees)
    return Transform(rotation=[*(np.sin(half) * np.eye(3)[axis]), np.cos(half)])


def ball(axis: Axis, capsule: Capsule) -> Sphere:
    """Return the sphere that is tested against the capsule of one axis."""
    rate, gap, radius = SPHERES[axis]
    along = capsule.end - capsule.start
    side = np.cross(along, [0.0, 1.0, 0.0])
    side *= (float(capsule.radius) + radius + gap) / np.linalg.norm(side)
    return Sphere(capsule.start + rate * along + side, radius)


def ruler(axis: Axis) -> Capsule:
    """Return the thin rail, in front of all, on which a knob says the scale of an object: a unit further, one more."""
    x = FRONT[axis][0] - 0.5 * (LARGEST + SMALLEST)
    return Capsule([x + SMALLEST, -4.4, 0.2], [x + LARGEST, -4.4, 0.2], 0.05)


def knob(axis: Axis, scale: float) -> Sphere:
    """Return the knob of a ruler where it says a scale."""
    return Sphere(ruler(axis).start + np.array([scale - SMALLEST, 0.0, 0.0]), 0.2)


def scale_at(axis: Axis, place: Sphere) -> float:
    """Return the scale that a knob says, wherever it was dragged: that of the nearest place on the ruler."""
    rail = ruler(axis)
    nearest = foot(place, Segment(rail.start, rail.end)).nearest
    return SMALLEST + float(nearest[0] - rail.start[0])


def in_capsule_space(axis: Axis, sphere: Sphere, scale: float | None = None) -> tuple[Capsule, Sphere]:
    """Return what the usual test compares: the capsule as its collider has it, the sphere's center, its old radius."""
    own = collider(axis)
    test, half = own.sphere_test(placement(axis, scale), sphere), 0.5 * own.height - own.radius
    return Capsule([0.0, 0.0, -half], [0.0, 0.0, half], own.radius), Sphere(test.center, sphere.radius)


def react(scene: Scene) -> Scene:
    """Return the scene with all that follows from where its spheres are, and the knobs of the rulers."""
    shapes, shows = {**scene.shapes}, []
    for axis in SCALES:
        if f"scale {axis}" not in scene or f"sphere {axis}" not in scene:
            continue  # what is deleted or has another name is followed by nothing
        handle, sphere = scene[f"scale {axis}"], scene[f"sphere {axis}"]
        assert isinstance(handle, Sphere)
        assert isinstance(sphere, Sphere)
        scale = scale_at(axis, handle)
        capsule = collider(axis).in_world(placement(axis, scale))
        usual = (shape.translated(FRONT[axis]) for shape in in_capsule_space(axis, sphere, scale))
        for names, pair, label in (
            ((f"capsule {axis}", f"sphere {axis}"), (capsule, sphere), f"scale {scale:.3g}:"),
            ((f"usual capsule {axis}", f"usual sphere {axis}"), usual, "usual test:"),
        ):
            shapes.update(zip(names, pair, strict=True))
            shows.append(Show("closest_points", *names, label=label))
        shapes[f"ruler {axis}"] = ruler(axis)
        shapes[f"scale {axis}"] = knob(axis, scale)
    return scene.replaced(shapes=shapes, shows=shows)


#: At scale 0.5 the usual test misses a hit, at 2 it sees one that is none.
PROMISES = (
    Expectation("collide", "sphere x", "capsule x"),
    Expectation("apart", "usual sphere x", "usual capsule x", reason="the usual test misses it at scale 0.5"),
    Expectation("collide", "sphere y", "capsule y"),
    Expectation("collide", "usual sphere y", "usual capsule y"),
    Expectation("apart", "sphere z", "capsule z"),
    Expectation("collide", "usual sphere z", "usual capsule z", reason="the usual test sees a hit at scale 2"),
)


def scene(scale: float | None = None) -> Scene:
    """Return the scene; with a scale, all three objects have that."""
    shapes: dict[str, Shape] = {}
    for axis, known in SCALES.items():
        own = known if scale is None else scale
        shapes[f"sphere {axis}"] = ball(axis, collider(axis).in_world(placement(axis, own)))
        shapes[f"scale {axis}"] = knob(axis, own)
        shapes[f"ruler {axis}"] = ruler(axis)
    resting = Scene(
        shapes,
        ignored=[("scale*", "*"), ("ruler*", "*")],
        camera=Camera(position=(0.0, -18.0, 15.5), target=(0.0, 0.0, 0.4)),
        title=TITLE,
        caption=CAPTION,
    )
    return react(resting).replaced(expectations=PROMISES if scale is None else ())


def ask() -> None:
    """Print what the picture is of, with the calls that ask for it."""
    for axis, scale in SCALES.items():
        own, transform = collider(axis), placement(axis)
        sphere = ball(axis, own.in_world(transform))
        print(f"scale {scale}: {bool(own.sphere_test(transform, sphere).hit) = }")
        print(f"scale {scale}: {bool(intersects(own.in_world(transform), sphere)) = }")


if __name__ == "__main__":
    import viewer
    from viewer.studio.scripts import told_in_a_line

    ask()
    with told_in_a_line():
        viewer.view(scene(), react=react)
