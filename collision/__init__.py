"""Exact collision tests between points, segments, rays, lines, spheres, capsules, cylinders, boxes and half-spaces.

Shapes are frozen values that may carry batch axes; queries are functions of two shapes. Right-handed coordinates, z up,
lengths in scene units. Coordinates and sizes may be of any scale from 1e-70 to 1e70; scenes refuse what lies well
beyond, and queries of two shapes answer it, but maybe with infinity, NaN or a wrong number.

These hold for all queries, whose own texts say only what differs:

- Shapes may be of any kinds, in any order, single or batches. Batch axes broadcast by NumPy's rules, also with those of
  other arguments, and answers have the joint ones: numbers are arrays of shape ``(...)``, vectors ``(..., 3)``.
- Shapes are closed: touching counts. Distances, points and normals are exact to 1e-14 of the largest coordinate or
  radius of the two shapes.
- ``out`` takes arrays for the answer, in place of new ones: of its shape and type, contiguous and writable.
- A `TypeError` is raised if an argument is no shape or has another wrong type; a `ValueError` if axes do not broadcast,
  or a number is NaN or out of the range that is given.

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
