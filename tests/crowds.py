"""Scenes to find things in, made to mislead a search: thin lines of shapes, giants, heaps, twins, far away."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.spatial.transform import Rotation

from collision import (
    AABB,
    Capsule,
    ConvexHull,
    Cylinder,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
)
from collision.base.fields import FloatArray
from collision.broadphase.tree import SORT_THRESHOLD
from collision.shapes.kinds import KINDS
from tests.slow import deep

LAYOUTS = ("even", "line", "giants", "heap", "twins", "far")

#: With and without a tree.
SIZES = (36, SORT_THRESHOLD + 60)


def places(layout: str, rng: np.random.Generator, count: int) -> tuple[FloatArray, FloatArray]:
    """Return where shapes are, and how large they are."""
    side = 1.5 * count ** (1 / 3)
    middle, size = rng.uniform(0.0, side, (count, 3)), rng.uniform(0.1, 0.5, count)
    if layout == "line":
        middle *= [side**2, 0.05, 0.05]
    elif layout == "giants":
        size[rng.random(count) < 0.1] *= 30.0
    elif layout == "heap":
        middle = rng.normal(0.0, 0.3, (count, 3))
    elif layout == "twins":
        middle, size = np.round(middle / 3.0) * 3.0, np.full(count, 0.5)
    elif layout == "far":
        middle += [1e6, -2e6, 3e6]
    return middle, size


def shapes(kind: type[Shape], middle: FloatArray, size: FloatArray, rng: np.random.Generator) -> Shape:
    """Return a batch of a kind at places, of sizes."""
    count, half = len(middle), size[:, None] * rng.choice([0.5, 1.0], (len(middle), 3))
    way = size[:, None] * np.eye(3)[rng.integers(3, size=count)] + (rng.random((count, 1)) < 0.5) * half
    made = {
        Point: lambda: Point(middle),
        Segment: lambda: Segment(middle - way, middle + way),
        Ray: lambda: Ray(middle, way),
        Line: lambda: Line(middle, way),
        HalfSpace: lambda: HalfSpace(middle * [1.0, 1.0, -2.0], [0.0, 0.0, 1.0]),
        Sphere: lambda: Sphere(middle, size),
        Capsule: lambda: Capsule(middle - way, middle + way, 0.5 * size),
        Cylinder: lambda: Cylinder(middle - way, middle + way, 0.5 * size),
        AABB: lambda: AABB(middle - half, middle + half),
        ConvexHull: lambda: ConvexHull(middle[:, None] + rng.uniform(-1.5, 1.5, (count, 6, 3)) * size[:, None, None]),
        OrientedBox: lambda: OrientedBox(middle, Rotation.random(count, random_state=rng).as_matrix(), half),
    }
    return made[kind]()


def crowd(layout: str, count: int, seed: int, kinds: tuple[type[Shape], ...] = KINDS) -> Scene:
    """Return a scene of about so many elements, of every kind; only a few have no end."""
    rng = np.random.default_rng(seed)
    bounded = [kind for kind in kinds if kind.bounded]
    entries: dict[str, Shape] = {}
    for kind in kinds:
        number = -(-count // len(bounded)) if kind.bounded else 3
        middle, size = places(layout, rng, number)
        entries[kind.__name__] = shapes(kind, middle, size, rng)
    entries["ball"] = Sphere(entries["Point"].values()["position"][0], 0.3)
    return Scene(entries)


def crowds(seed: int, kinds: tuple[type[Shape], ...] = KINDS) -> Iterator[tuple[str, Scene]]:
    """Yield scenes of all layouts, as they are, and after moves with some elements hidden and pairs ignored.

    Without ``--deep``, each layout has one of the sizes.
    """
    for number, layout in enumerate(LAYOUTS):
        for count in SIZES if deep() else [SIZES[(seed + number) % 2]]:
            scene = crowd(layout, count, seed, kinds)
            yield f"{layout} of {count}", scene
            changed = scene.ignoring(("Sphere[1]", "*"), ("Capsule", "AABB"), ("ball", "OrientedBox[2]"))
            changed = changed.replaced(hidden=["Point[1]", "AABB[0]", "Segment"])
            yield f"{layout} of {count}, changed", changed.moved(["ball", "Sphere[0]", "Capsule[2]"], [0.4, 0.1, 0.2])


def shown(scene: Scene, without: tuple[str, ...] = ()) -> list[int]:
    """Return the elements that are neither hidden nor left out."""
    gone = {number for name in (*scene.hidden, *without) for number in scene.element_numbers(name)}
    return [number for number in range(scene.element_count) if number not in gone]
