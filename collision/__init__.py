"""Exact collision tests between points, segments, rays, lines, spheres, capsules and boxes.

Shapes are frozen values that may carry batch axes; queries are functions of two shapes of any kinds. Right-handed
coordinates, z up, lengths in scene units.

Examples
--------
>>> from collision import Capsule, Sphere, closest_points, signed_distance
>>> arm, ball = Capsule([0, 0, 0], [0, 0, 2], 0.5), Sphere([2, 0, 1], 0.25)
>>> float(signed_distance(arm, ball))
1.25
>>> closest_points(arm, ball).on_a
array([0.5, 0. , 1. ])
"""

from collision.capsule_space import CapsuleCollider, SphereTest
from collision.casts import Crossings, RayHit, crossings, raycast
from collision.queries import (
    ClosestPoints,
    Contact,
    Foot,
    closest_points,
    contact,
    contains,
    distance,
    foot,
    intersects,
    signed_distance,
)
from collision.scene import Camera, Contacts, Nearest, Scene, SceneHit, Show
from collision.shape import Shape
from collision.shapes import AABB, Capsule, Line, OrientedBox, Point, Ray, Segment, Sphere
from collision.sweeps import Sweep, SweepStep, sweep, sweep_steps
from collision.transforms import Transform

__all__ = [
    "AABB",
    "Camera",
    "Capsule",
    "CapsuleCollider",
    "ClosestPoints",
    "Contact",
    "Contacts",
    "Crossings",
    "Foot",
    "Line",
    "Nearest",
    "OrientedBox",
    "Point",
    "Ray",
    "RayHit",
    "Scene",
    "SceneHit",
    "Segment",
    "Shape",
    "Show",
    "Sphere",
    "SphereTest",
    "Sweep",
    "SweepStep",
    "Transform",
    "closest_points",
    "contact",
    "contains",
    "crossings",
    "distance",
    "foot",
    "intersects",
    "raycast",
    "signed_distance",
    "sweep",
    "sweep_steps",
]
