"""Exact collision tests between points, segments, rays, lines, spheres, capsules, boxes and half-spaces.

Shapes are frozen values that may carry batch axes; queries are functions of two shapes of any kinds. Right-handed
coordinates, z up, lengths in scene units. Coordinates and sizes may be of any scale from 1e-70 to 1e70; what lies
beyond is answered without an error or a warning, but it may be with infinity, NaN or a wrong number.

Examples
--------
>>> from collision import Capsule, Sphere, closest_points, signed_distance
>>> arm, ball = Capsule([0, 0, 0], [0, 0, 2], 0.5), Sphere([2, 0, 1], 0.25)
>>> float(signed_distance(arm, ball))
1.25
>>> closest_points(arm, ball).on_a
array([0.5, 0. , 1. ])
"""

from __future__ import annotations

import importlib
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collision.explaining.explain import explain
    from collision.explaining.records import Explanation
    from collision.poses.bodies import Bodies, NearestPair
    from collision.promises.judge import judge
    from collision.promises.records import BrokenPair, Counts, Judgement, Verdict
    from collision.promises.stating import current_expectations
    from collision.queries.ambiguity import Normals, all_normals
    from collision.queries.casts import Crossings, RayHit, crossings, raycast
    from collision.queries.distances import (
        ClosestPoints,
        Contact,
        closest_points,
        contact,
        contains,
        distance,
        intersects,
        signed_distance,
    )
    from collision.queries.feet import Foot, foot
    from collision.queries.gradients import PoseGradient, pose_gradient
    from collision.queries.manifolds import Manifold, manifold
    from collision.queries.sweeps import Sweep, SweepStep, sweep, sweep_steps
    from collision.scene.expectations import Expectation
    from collision.scene.listing import FirstContacts
    from collision.scene.name_groups import NameGroup
    from collision.scene.reasons import Reason, candidate_pairs, why
    from collision.scene.scene import Camera, Contacts, Nearest, Scene, SceneHit, SceneHits, SceneSweep, Show
    from collision.shapes.capsule_space import CapsuleCollider, SphereTest
    from collision.shapes.kinds import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Sphere
    from collision.shapes.motion import Motion
    from collision.shapes.shape import Shape
    from collision.shapes.transforms import Transform
    from collision.timeline.extremes import ExtremeDistance, extreme_distance
    from collision.timeline.intervals import TouchingIntervals, touching_intervals

__all__ = [
    "AABB",
    "Bodies",
    "BrokenPair",
    "Camera",
    "Capsule",
    "CapsuleCollider",
    "ClosestPoints",
    "Contact",
    "Contacts",
    "Counts",
    "Crossings",
    "Expectation",
    "Explanation",
    "ExtremeDistance",
    "FirstContacts",
    "Foot",
    "HalfSpace",
    "Judgement",
    "Line",
    "Manifold",
    "Motion",
    "NameGroup",
    "Nearest",
    "NearestPair",
    "Normals",
    "OrientedBox",
    "Point",
    "PoseGradient",
    "Ray",
    "RayHit",
    "Reason",
    "Scene",
    "SceneHit",
    "SceneHits",
    "SceneSweep",
    "Segment",
    "Shape",
    "Show",
    "Sphere",
    "SphereTest",
    "Sweep",
    "SweepStep",
    "TouchingIntervals",
    "Transform",
    "Verdict",
    "all_normals",
    "candidate_pairs",
    "closest_points",
    "contact",
    "contains",
    "crossings",
    "current_expectations",
    "distance",
    "explain",
    "extreme_distance",
    "foot",
    "intersects",
    "judge",
    "manifold",
    "pose_gradient",
    "raycast",
    "signed_distance",
    "sweep",
    "sweep_steps",
    "touching_intervals",
    "why",
]

#: Where the public names are. A module is imported when a name of it is first asked for, so that who needs little of
#: this waits for little.
_HOMES = MappingProxyType(
    {
        "collision.queries.ambiguity": ("Normals", "all_normals"),
        "collision.poses.bodies": ("Bodies", "NearestPair"),
        "collision.shapes.capsule_space": ("CapsuleCollider", "SphereTest"),
        "collision.queries.casts": ("Crossings", "RayHit", "crossings", "raycast"),
        "collision.scene.expectations": ("Expectation",),
        "collision.explaining.explain": ("explain",),
        "collision.explaining.records": ("Explanation",),
        "collision.timeline.extremes": ("ExtremeDistance", "extreme_distance"),
        "collision.queries.feet": ("Foot", "foot"),
        "collision.queries.gradients": ("PoseGradient", "pose_gradient"),
        "collision.timeline.intervals": ("TouchingIntervals", "touching_intervals"),
        "collision.promises.judge": ("judge",),
        "collision.promises.records": ("BrokenPair", "Counts", "Judgement", "Verdict"),
        "collision.promises.stating": ("current_expectations",),
        "collision.queries.manifolds": ("Manifold", "manifold"),
        "collision.shapes.motion": ("Motion",),
        "collision.scene.name_groups": ("NameGroup",),
        "collision.queries.distances": (
            "ClosestPoints",
            "Contact",
            "closest_points",
            "contact",
            "contains",
            "distance",
            "intersects",
            "signed_distance",
        ),
        "collision.scene.reasons": ("Reason", "candidate_pairs", "why"),
        "collision.scene.listing": ("FirstContacts",),
        "collision.scene.scene": (
            "Camera",
            "Contacts",
            "Nearest",
            "Scene",
            "SceneHit",
            "SceneHits",
            "SceneSweep",
            "Show",
        ),
        "collision.shapes.shape": ("Shape",),
        "collision.shapes.kinds": (
            "AABB",
            "Capsule",
            "HalfSpace",
            "Line",
            "OrientedBox",
            "Point",
            "Ray",
            "Segment",
            "Sphere",
        ),
        "collision.queries.sweeps": ("Sweep", "SweepStep", "sweep", "sweep_steps"),
        "collision.shapes.transforms": ("Transform",),
    }
)

if not TYPE_CHECKING:

    def __getattr__(name):
        """Return a public name of a module that is not imported yet."""
        for home, names in _HOMES.items():
            if name in names:
                value = getattr(importlib.import_module(home), name)
                return globals().setdefault(name, value)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__all__})
