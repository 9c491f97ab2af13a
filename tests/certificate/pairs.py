"""The certificate of what `closest_points` and `contact` return for pairs."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from collision import ClosestPoints, Shape
from collision.base.fields import FloatArray
from tests.certificate.bodies import Body, Wide, body, dot, facing, norm, wide

#: Errors of a batch of answers by what they are errors of, relative to the size of each pair.
Errors: TypeAlias = dict[str, FloatArray]

ON_A, ON_B = "on_a is off the surface", "on_b is off the surface"
CORE_A, CORE_B = "on_a is not a radius along the normal from the core", "on_b is not a radius from the core"
CLOSED = "on_b - on_a is not signed_distance * normal"
#: Shapes without an end are cut this many sizes away from their point or origin: no witness point is farther.
CUT = 4

#: What rises by no more than this over a unit of length is level beyond doubt.
LEVEL = 1e-16

LENGTH = "the normal is not of length one"
ROOM = "the room along the normal is not signed_distance"
BETTER = "another direction has more room than signed_distance"


def size_of(a: Body, b: Body, *points: Wide) -> Wide:
    """Return the largest absolute coordinate or radius of shapes and points; one where all are zero."""
    size = np.maximum(a.extent(), b.extent())
    for point in points:
        size = np.maximum(size, np.abs(point).max(axis=0))
    return np.where(size > 0, size, np.longdouble(1))


def own_size(a: Body, b: Body) -> Wide:
    """Return the largest absolute coordinate or radius of shapes alone."""
    return size_of(a, b)


def room(a: Body, b: Body, normal: Wide, end: Wide) -> Wide:
    """Return the least step along a normal from any point of a to any point of b; axes without an end are cut."""
    return -(a.support(normal, end) + b.support(-normal, end))


def certificate(a: Shape, b: Shape, answer: ClosestPoints) -> Errors:
    """Return all errors of the answers for two batches, with one batch axis each; infinite for what is no number."""
    return certificate_of(body(a), body(b), answer)


def certificate_of(first: Body, second: Body, answer: ClosestPoints) -> Errors:
    """Return all errors of the answers for two bodies.

    Where no move parts two shapes (a line that pierces a plane) the signed distance is minus infinity. Then both
    witnesses are one point that both have in common, and no direction is level with all that has no end.
    """
    on_a, on_b, normal = wide(answer.on_a), wide(answer.on_b), wide(answer.normal)
    distance = np.asarray(answer.signed_distance, dtype=np.longdouble)
    endless = distance == -np.inf
    distance = np.where(endless, 0, distance)
    size = size_of(first, second, on_a, on_b)
    most, farther = (most_room(first, second, cut * size) for cut in (2 * CUT, 3 * CUT))  # not out by a cut end
    parts = np.where(endless, most, 0) - np.where(endless, farther, 0) < LEVEL * size
    errors = {
        ON_A: np.where(endless, np.maximum(first.distance(on_a), 0), first.off_surface(on_a)),
        ON_B: np.where(endless, np.maximum(second.distance(on_b), 0), second.off_surface(on_b)),
        CORE_A: np.where(endless, 0, first.off_core(on_a, normal)),
        CORE_B: np.where(endless, 0, second.off_core(on_b, -normal)),
        CLOSED: np.abs(on_b - on_a - distance * normal).max(axis=0),
        LENGTH: np.abs(norm(normal) - 1) * size,
        ROOM: np.where(endless, 0, np.abs(room(first, second, normal, CUT * size) - distance)),
        BETTER: np.where(endless, np.where(parts, np.inf, 0), np.maximum(most - distance, 0)),
    }
    return {what: relative(error, size) for what, error in errors.items()}


def relative(error: Wide, size: Wide) -> FloatArray:
    """Return errors relative to sizes, infinite where they are no numbers."""
    share = (error / size).astype(np.float64)
    return np.where(np.isnan(share), np.inf, share)


def most_room(a: Body, b: Body, end: Wide) -> Wide:
    """Return the most room along any direction in which the depth of two cores could be least."""
    most = np.full(end.shape, -np.inf, dtype=np.longdouble)
    for normal in facing(a, b):
        there = dot(normal, normal) > 0.5
        for way in (normal, -normal):
            most = np.maximum(most, np.where(there, room(a, b, way, end), -np.inf))
    return most
