"""Cases of boxes: with points, along the axes, and at angles."""

from __future__ import annotations

from collision.explaining.cases.case import Case
from collision.shapes.kinds import AABB, OrientedBox, Point, Sphere

_ROOM = AABB([0, 0, 0], [4, 3, 2])
_CRATE = OrientedBox([0, 0, 0], [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]], [2, 1, 0.5])

_POINTS = {
    "ball beside a box": Case("signed_distance", (Sphere([6, 1, 1], 1), _ROOM), "One coordinate is clamped."),
    "ball over the corner of a box": Case(
        "signed_distance", (Sphere([5, 4, 4], 1), _ROOM), "All coordinates are clamped, to the corner."
    ),
    "ball beside a turned box": Case(
        "signed_distance", (Sphere([3, 3, 1], 1), _CRATE), "The center is taken into the box's own space first."
    ),
    "ball whose center is in a turned box": Case(
        "signed_distance", (Sphere([0.5, 0.9, 0.2], 0.25), _CRATE), "From inside, the nearest face is the way out."
    ),
    **{
        f"point below the {name} of a box": Case(
            "signed_distance", (Point(at), _ROOM), f"From inside, the {name} is the nearest of the six faces."
        )
        for name, at in {
            "left face": [0.25, 1.5, 1],
            "right face": [3.75, 1.5, 1],
            "front face": [2, 0.25, 1],
            "back face": [2, 2.75, 1],
            "bottom": [2, 1.5, 0.25],
            "top": [2, 1.5, 1.75],
        }.items()
    },
    "point on the face of a box": Case(
        "intersects", (Point([2, 1.5, 2]), _ROOM), "On the surface the depth is zero, and that counts as touching."
    ),
    "point in the middle of a cube": Case(
        "signed_distance", (Point([1, 1, 1]), AABB([0, 0, 0], [2, 2, 2])), "All faces are as near; the first is taken."
    ),
    "point against a box, as an article has it": Case(
        "intersects", (Point([1, 1, 3]), _ROOM), "Each coordinate is compared with the least and the greatest one."
    ),
    "ball that touches a box, as an article has it": Case(
        "intersects", (Sphere([5, 1, 1], 1), _ROOM), "They touch exactly: by the article's code that is no collision."
    ),
    "ball without a radius in a box, as an article has it": Case(
        "intersects",
        (Sphere([1, 1, 1], 0), _ROOM),
        "Its distance is its radius, which the article's code takes for apart.",
    ),
    "balls that overlap, as an article has it": Case(
        "intersects",
        (Sphere([0, 0, 0], 1), Sphere([1, 1, 0], 1)),
        "The distance of the centers is less than the radii.",
    ),
}

_ALIGNED = {
    "boxes apart along one axis": Case(
        "signed_distance", (AABB([0, 0, 0], [1, 1, 1]), AABB([2, 0.5, 0.25], [3, 2, 0.75])), "Only x parts the two."
    ),
    "boxes apart along all axes": Case(
        "signed_distance", (AABB([3, 3, 3], [4, 4, 4]), AABB([0, 0, 0], [1, 2, 1])), "Corner faces corner."
    ),
    "boxes apart along y, the other way": Case(
        "signed_distance", (AABB([0, 3, 0], [1, 4, 1]), AABB([0, 0, 0], [1, 2, 1])), "Now B comes first along y."
    ),
    "boxes apart along z": Case(
        "signed_distance", (AABB([0, 0, 3], [1, 1, 4]), AABB([0, 0, 0], [1, 1, 1])), "Now B comes first along z."
    ),
    "boxes that touch face to face": Case(
        "intersects", (AABB([0, 0, 0], [1, 1, 1]), AABB([1, 0, 0], [2, 1, 1])), "A gap of zero counts as touching."
    ),
    **{
        f"boxes that overlap least along {axis}, {side}": Case(
            "signed_distance", pair if side == "upwards" else pair[::-1], f"The shortest way out is along {axis}."
        )
        for axis, pair in {
            "x": (AABB([0, 0, 0], [2, 2, 2]), AABB([1.75, 0.5, 0.5], [3, 3, 3])),
            "y": (AABB([0, 0, 0], [2, 2, 2]), AABB([0.5, 1.75, 0.5], [3, 3, 3])),
            "z": (AABB([0, 0, 0], [2, 2, 2]), AABB([0.5, 0.5, 1.75], [3, 3, 3])),
        }.items()
        for side in ("upwards", "downwards")
    },
    "boxes against each other, as an article has it": Case(
        "intersects", (AABB([0, 0, 0], [2, 2, 2]), AABB([1, 1, 3], [3, 3, 4])), "Of six comparisons one fails."
    ),
}

_CORNER_DOWN = [[2 / 3, -1 / 3, 2 / 3], [2 / 3, 2 / 3, -1 / 3], [-1 / 3, 2 / 3, 2 / 3]]

_TURNED = {
    "corner of a box over the face of another": Case(
        "signed_distance",
        (_CRATE, OrientedBox([4, 0, 0], _CORNER_DOWN, [1, 1, 1])),
        "A face decides, and the step along its normal is all there is.",
    ),
    "edge of a box beside the edge of another": Case(
        "signed_distance",
        (_CRATE, OrientedBox([2.5, 2.5, 1], _CORNER_DOWN, [1, 1, 1])),
        "The search slides along edges to the nearest points.",
    ),
    "boxes at angles that overlap": Case(
        "signed_distance",
        (_CRATE, OrientedBox([1.5, 1, 0.5], _CORNER_DOWN, [1, 1, 1])),
        "No axis parts them; the least overlap is the way out.",
    ),
    "turned box in a box along the axes": Case(
        "signed_distance", (AABB([-2, -2, -2], [2, 2, 2]), _CRATE), "Some edges are parallel and have no axis."
    ),
    "turned box beside a box along the axes": Case(
        "signed_distance", (AABB([3, -2, -2], [4, 2, 2]), _CRATE), "A face parts them, so no pair of edges is asked."
    ),
    "boxes with the same axes": Case(
        "signed_distance",
        (_CRATE, OrientedBox([1, 2.5, 0.25], [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]], [1, 1, 1])),
        "Faces that face each other: the middles of where they are level serve.",
    ),
}

BOXES = {**_POINTS, **_ALIGNED, **_TURNED}
