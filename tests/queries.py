"""All that can be asked about two shapes, for tests that go through every query."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from collision import (
    Point,
    Ray,
    Shape,
    Sphere,
    Transform,
    closest_points,
    contact,
    contains,
    crossings,
    distance,
    foot,
    intersects,
    manifold,
    pose_gradient,
    raycast,
    signed_distance,
    sweep,
)
from tests.strategies import LINE_LIKE, LINEAR

MOTION = [1.0, -2.0, 0.5]
PAIRWISE: tuple[Callable[..., Any], ...] = (signed_distance, distance, intersects, contains, closest_points, contact)


def answers(a: Shape, b: Shape, motion: Any = MOTION, *, length: float = 1.0) -> dict[str, Any]:
    """Return all that can be asked about two shapes, by query and field; motions and margins are in some length."""
    found: dict[str, Any] = {query.__name__: query(a, b) for query in PAIRWISE}
    found |= {
        "sweep": sweep(a, b, motion=np.multiply(motion, length)),
        "manifold": manifold(a, b),
        "pose_gradient": pose_gradient(a, b),
    }
    if a.bounded or b.bounded:
        end = Transform(np.multiply(motion, length), [0.1, -0.2, 0.3, 0.9])
        found["sweep.turning"] = sweep(a, b, end=end, pivot=np.multiply([0.5, 0.25, -1.0], length))
    found["manifold.margin"] = manifold(a, b, margin=0.5 * length)
    if isinstance(a, Ray):
        found["raycast"] = raycast(a, b)
    if isinstance(a, LINE_LIKE):
        found["crossings"] = crossings(a, b)
    if isinstance(a, Point | Sphere) and isinstance(b, LINEAR):
        found["foot"] = foot(a, b)
    fields = {}
    for query, answer in found.items():
        if isinstance(answer, tuple):
            fields.update({f"{query}.{name}": value for name, value in answer._asdict().items()})
        else:
            fields[query] = answer
    return fields


def same_bits(got: Any, wanted: Any) -> bool:
    """Tell whether numbers have the same bits, type and axes; texts may be of different widths."""
    got, wanted = np.asarray(got), np.asarray(wanted)
    if got.dtype.kind == "U":
        return got.shape == wanted.shape and bool(np.all(got == wanted))
    return got.dtype == wanted.dtype and got.shape == wanted.shape and got.tobytes() == wanted.tobytes()


def same_values(got: Any, wanted: Any) -> bool:
    """Tell whether numbers, or texts, are the same; zeros of either sign are."""
    return np.array_equal(got, wanted, equal_nan=np.asarray(wanted).dtype.kind == "f")
