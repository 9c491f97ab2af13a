"""Cases of a point against a point."""

from __future__ import annotations

from collision.explaining.cases.case import Case
from collision.shapes.kinds import Point, Sphere

POINTS = {
    "two spheres": Case(
        "signed_distance", (Sphere([0, 0, 0], 1), Sphere([3, 4, 0], 2)), "The gap lies between the two centers."
    ),
    "concentric spheres": Case(
        "signed_distance",
        (Sphere([0, 0, 0], 1), Sphere([0, 0, 0], 2)),
        "Every direction parts them as quickly; up is taken.",
    ),
    "points as far apart as few numbers are": Case(
        "signed_distance", (Point([0, 0, 0]), Point([1e150, 1e150, 0])), "The squares are too large for a number."
    ),
    "points as near as few numbers are": Case(
        "signed_distance", (Point([0, 0, 0]), Point([1e-150, 0, 0])), "The squares are too small for a number."
    ),
    "points an unimaginably small way apart": Case(
        "signed_distance", (Point([0, 0, 0]), Point([1e-305, 0, 0])), "Not even one divided by the gap is a number."
    ),
}
