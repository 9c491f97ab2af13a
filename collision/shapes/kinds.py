"""The nine kinds of shape.

A shape is a frozen, checked value. Its fields are read-only float64 arrays that may carry leading *batch axes*, which
broadcast by NumPy's rules: ``Sphere(centers, 0.5)`` with centers of shape (1000, 3) is a thousand spheres, and every
query takes it as it takes one.

Every shape is a *core* (a point, a linear piece, a box or a half-space) grown by a *radius*; the property `core` says
which, and it is all that the kernels of `collision.kernels` ever see. Shapes are closed sets: the surface belongs to
the shape.
"""

from collision.shapes.boxes import AABB, OrientedBox
from collision.shapes.halfspaces import HalfSpace
from collision.shapes.linear import Capsule, Line, Ray, Segment
from collision.shapes.points import Point, Sphere
from collision.shapes.shape import Shape

__all__ = ["AABB", "KINDS", "Capsule", "HalfSpace", "Line", "OrientedBox", "Point", "Ray", "Segment", "Shape", "Sphere"]

#: The kinds, in the order used wherever kinds are listed.
KINDS: tuple[type[Shape], ...] = (Point, Segment, Ray, Line, Sphere, Capsule, AABB, OrientedBox, HalfSpace)
