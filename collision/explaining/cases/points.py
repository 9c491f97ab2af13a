"""Cases of a point against a point."""

from __future__ import annotations

from collision.explaining.cases import Case
from collision.shapes import Sphere

POINTS = {
    "two spheres": Case(
        "signed_distance", (Sphere([0, 0, 0], 1), Sphere([3, 4, 0], 2)), "The gap lies between the two centers."
    ),
    "concentric spheres": Case(
        "signed_distance",
        (Sphere([0, 0, 0], 1), Sphere([0, 0, 0], 2)),
        "Every direction parts them as quickly; up is taken.",
    ),
}
