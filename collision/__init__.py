"""Exact collision tests between points, segments, rays, lines, spheres, capsules, boxes and half-spaces.

Shapes are frozen values that may carry batch axes; queries are functions of two shapes of any kinds. Right-handed
coordinates, z up, lengths in scene units. Coordinates and sizes may be of any scale from 1e-70 to 1e70; scenes
refuse what lies well beyond, and queries of two shapes answer it, but maybe with infinity, NaN or a wrong number.

Examples
--------
>>> from collision import Capsule, Sphere, closest_points, signed_distance
>>> arm, ball = Capsule([0, 0, 0], [0, 0, 2], 0.5), Sphere([2, 0, 1], 0.25)
>>> float(signed_distance(arm, ball))
1.25
>>> closest_points(arm, ball).on_a
array([0.5, 0. , 1. ])
"""

from collision.base.lazy import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__, __file__)
