"""Cases of contact patches, of what holds what, and of shapes with more than one shortest way out."""

from __future__ import annotations

from collision.explaining.cases.case import Case
from collision.shapes.kinds import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Sphere

_FLOOR = AABB([-2, -2, -1], [2, 2, 0])
_GROUND = HalfSpace([0, 0, 0], [0, 0, 1])
_EIGHTH = [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]
_ON_EDGE = [[1.0, 0.0, 0.0], [0.0, 0.8, -0.6], [0.0, 0.6, 0.8]]
_TILTED = [[0.9994000599920009, 0.0, 0.034633679623], [0.0, 1.0, 0.0], [-0.034633679623, 0.0, 0.9994000599920009]]

_PATCHES = {
    "crate on a floor": Case(
        "manifold",
        (_FLOOR, AABB([0, 0, -0.125], [3, 1, 1])),
        "The part of its face that is over the floor, four corners.",
    ),
    "turned crate on another": Case(
        "manifold",
        (AABB([-1, -1, -1], [1, 1, 0]), OrientedBox([0, 0, 0.875], _EIGHTH, [1, 1, 1])),
        "Each face cuts the corners off the other: eight are left.",
    ),
    "tilted crate on a floor": Case(
        "manifold",
        (_FLOOR, OrientedBox([0, 0, 0.9375], _TILTED, [1, 1, 1])),
        "It counts as lying on the floor, with corners of different depth.",
    ),
    "crate that stands on an edge": Case(
        "manifold", (_FLOOR, OrientedBox([0, 0, 1.375], _ON_EDGE, [1, 1, 1])), "An edge on a face has two points."
    ),
    "crate that sticks out over a floor": Case(
        "manifold",
        (_FLOOR, OrientedBox([2.5, 0.5, 1.375], _ON_EDGE, [1, 1, 1])),
        "The edge is cut where the floor ends.",
    ),
    "crate that stands on a corner": Case(
        "manifold",
        (
            _FLOOR,
            OrientedBox(
                [0, 0, 1.6875], [[2 / 3, -1 / 3, 2 / 3], [2 / 3, 2 / 3, -1 / 3], [-1 / 3, 2 / 3, 2 / 3]], [1, 1, 1]
            ),
        ),
        "A corner is a point: the closest points are all there is.",
    ),
    "crate on the ground": Case(
        "manifold", (_GROUND, AABB([0, 0, -0.125], [1, 2, 1])), "Nothing is cut off by a plane that goes on for ever."
    ),
    "two half-spaces that face each other": Case(
        "manifold",
        (_GROUND, HalfSpace([0, 0, 1], [0, 0, -1])),
        "Neither has a corner to name.",
        {"margin": 2.0},
    ),
    "line on the ground": Case("manifold", (_GROUND, Line([0, 0, 0], [1, 0, 0])), "It has no end to name."),
    "ray on a floor": Case("manifold", (_FLOOR, Ray([-1, 0, 0], [1, 0, 0])), "It is cut where the floor ends."),
    "pill on a floor": Case(
        "manifold", (_FLOOR, Capsule([-1, 0, 0.5], [1, 0, 0.5], 0.5)), "A round edge on a face has two points."
    ),
    "pill beside a pill": Case(
        "manifold",
        (Capsule([-1, 0, 0], [2, 0, 0], 0.5), Capsule([0, 0.25, 0.875], [3, 0.25, 0.875], 0.5)),
        "Two round edges side by side, as far as they overlap.",
    ),
    "pills that cross": Case(
        "manifold",
        (Capsule([-1, 0, 0], [2, 0, 0], 0.5), Capsule([0, -2, 0.875], [0, 2, 0.875], 0.5)),
        "They cross at more than the angle, so they touch at one point.",
    ),
    "pills that cross at a small angle": Case(
        "manifold",
        (Capsule([-2, 0, 0], [2, 0, 0], 0.5), Capsule([-2, -0.1, 0.875], [2, 0.1, 0.875], 0.5)),
        "The corners are not as deep as where they cross, so that point is added.",
    ),
    "edges of two boxes side by side": Case(
        "manifold",
        (OrientedBox([0, 0, 0], _ON_EDGE, [2, 1, 1]), OrientedBox([1, 0.25, 2.75], _ON_EDGE, [2, 1, 1])),
        "Faces slide over each other here.",
    ),
    "ball on a floor": Case("manifold", (_FLOOR, Sphere([0, 0, 0.75], 1)), "What is round both ways has one point."),
    "ball above a floor": Case("manifold", (_FLOOR, Sphere([0, 0, 3], 1)), "They are apart: there is no contact."),
    "short pill on a floor": Case(
        "manifold", (_FLOOR, Capsule([0, 0, 0.5], [0, 0, 0.5], 0.5)), "An axis without a length is a point."
    ),
    "thin crate on a floor": Case(
        "manifold", (_FLOOR, AABB([0, 0, -0.125], [0, 1, 1])), "A face without a width is an edge."
    ),
    "thin crate the other way on a floor": Case(
        "manifold", (_FLOOR, AABB([0, 0, -0.125], [1, 0, 1])), "A face without a width is an edge."
    ),
}

_MORE_PATCHES = {
    "crates side by side along x": Case(
        "manifold",
        (AABB([0, 0, 0], [1, 1, 1]), AABB([0.875, 0.25, 0.25], [2, 2, 2])),
        "The foremost faces lie along x.",
    ),
    "crates side by side along y": Case(
        "manifold",
        (AABB([0, 0, 0], [1, 1, 1]), AABB([0.25, 0.875, 0.25], [2, 2, 2])),
        "The foremost faces lie along y.",
    ),
    "crate that stands on another edge": Case(
        "manifold",
        (OrientedBox([0, 0, 1.375], [[0.8, 0.0, 0.6], [0.0, 1.0, 0.0], [-0.6, 0.0, 0.8]], [1, 1, 1]), _FLOOR),
        "The face that it stands on is that of B.",
    ),
    "crate that stands on the edge beside that": Case(
        "manifold",
        (_FLOOR, OrientedBox([0, 0, 1.375], [[1.0, 0.0, 0.0], [0.0, 0.8, 0.6], [0.0, -0.6, 0.8]], [1, 1, 1])),
        "Which edge is foremost, the signs of the normal along its axes say.",
    ),
    "crate that stands on another corner": Case(
        "manifold",
        (
            _FLOOR,
            OrientedBox(
                [0, 0, 1.625], [[-2 / 3, 1 / 3, 2 / 3], [-2 / 3, -2 / 3, -1 / 3], [1 / 3, -2 / 3, 2 / 3]], [1, 1, 1]
            ),
        ),
        "Which corner is foremost, the signs of the normal along its axes say.",
    ),
    "tilted crate that comes first": Case(
        "manifold",
        (OrientedBox([0, 0, 0.9375], _TILTED, [1, 1, 1]), _FLOOR),
        "The face that is more level stays as it is, and the other is cut to it.",
    ),
    "segments that part at a small angle": Case(
        "manifold",
        (Segment([0, 0, 0], [2, 0, 0]), Segment([0, 0, 0.5], [2, 0.125, 0.5])),
        "They are beside each other at one end only.",
        {"margin": 1.0},
    ),
    "pill that stands on its end": Case(
        "manifold",
        (_FLOOR, Capsule([0, 0, 0.4375], [0, 0, 2], 0.5)),
        "Its axis is steep, so its end counts as a point.",
    ),
    "ball against a floor": Case("manifold", (Sphere([0, 0, 0.75], 1), _FLOOR), "The ball comes first here."),
    "pill against a floor": Case(
        "manifold", (Capsule([-1, 0, 0.5], [1, 0, 0.5], 0.5), _FLOOR), "The pill comes first here."
    ),
    "crates whose faces only share a border": Case(
        "manifold",
        (_FLOOR, AABB([2, 0, 0], [3, 1, 1])),
        "What the faces have in common has no width: corners that are one count once.",
    ),
    "crate that touches with one side": Case(
        "manifold",
        (_FLOOR, OrientedBox([0, 0, 1.03125], _TILTED, [1, 1, 1])),
        "The corners on its other side are farther away than the margin, and left out.",
    ),
    "pills side by side, end after end": Case(
        "manifold",
        (Capsule([-1, 0, 0], [2, 0, 0], 0.5), Capsule([2.03125, 0, 0.875], [5, 0, 0.875], 0.5)),
        "Seen along the normal they do not overlap.",
    ),
    "pills side by side, end at end": Case(
        "manifold",
        (Capsule([-1, 0, 0], [2, 0, 0], 0.5), Capsule([2, 0, 0.875], [5, 0, 0.875], 0.5)),
        "They overlap in a single point.",
    ),
    "segments side by side": Case(
        "manifold",
        (Segment([0, 0, 0], [2, 0, 0]), Segment([1, 0, 0.5], [3, 0, 0.5])),
        "What has no width is beside the other all along.",
        {"margin": 1.0},
    ),
    "segments that cross at a small angle": Case(
        "manifold",
        (Segment([-1, 0, 0], [1, 0, 0]), Segment([-1, -0.0625, 0.5], [1, 0.0625, 0.5])),
        "What has no width is beside the other all along, or crosses it.",
        {"margin": 1.0},
    ),
    "lines side by side": Case(
        "manifold",
        (Line([0, 0, 0], [1, 0, 0]), Line([0, 0, 1], [1, 0, 0])),
        "Neither has an end to name.",
        {"margin": 2.0},
    ),
    "pill that leans down on a floor": Case(
        "manifold",
        (_FLOOR, Capsule([-1, 0, 0.5], [1, 0, 0.5625], 0.5)),
        "A line up from under its end leaves it through the ball there.",
        {"margin": 0.125},
    ),
    "pill that leans up on a floor": Case(
        "manifold",
        (_FLOOR, Capsule([-1, 0, 0.5625], [1, 0, 0.5], 0.5)),
        "A line up from under its end leaves it through the ball there.",
        {"margin": 0.125},
    ),
    "pill beside the border of a floor": Case(
        "manifold",
        (_FLOOR, Capsule([2.03125, -1, 0.5], [2.03125, 1, 0.5], 0.5)),
        "Seen along the normal, nothing of it is over the floor.",
        {"margin": 0.125},
    ),
    "ray that leaves a floor": Case(
        "manifold", (_FLOOR, Ray([1, 0, 0], [-1, 0, 0])), "It is cut where the floor ends on the other side."
    ),
}

_HOLDS = {
    "ball in a room": Case(
        "contains",
        (AABB([0, 0, 0], [4, 4, 4]), Sphere([1, 1, 1], 1)),
        "Its center, with the radius around it, decides.",
    ),
    "point in a room, as an article has it": Case(
        "contains", (AABB([0, 0, 0], [4, 4, 4]), Point([1, 2, 3])), "Each coordinate is compared with two numbers."
    ),
    "crate that sticks out of a room": Case(
        "contains",
        (AABB([0, 0, 0], [4, 4, 4]), OrientedBox([2, 3, 2], _EIGHTH, [1, 1, 1])),
        "Of its eight corners the one that sticks out the most decides.",
    ),
    "pill in a ball": Case(
        "contains", (Sphere([0, 0, 0], 3), Capsule([0, 0, 0], [1, 1, 1], 0.5)), "Its two ends, each with the radius."
    ),
    "ray in a room": Case(
        "contains", (AABB([0, 0, 0], [4, 4, 4]), Ray([1, 1, 1], [1, 0, 0])), "What has no end is in nothing that ends."
    ),
    "line in a ray": Case(
        "contains", (Ray([0, 0, 0], [1, 0, 0]), Line([1, 0, 0], [1, 0, 0])), "What ends on one side holds no line."
    ),
    "half-space in a line": Case("contains", (Line([0, 0, 0], [1, 0, 0]), _GROUND), "Only a half-space holds one."),
    "ray in a line": Case("contains", (Line([0, 0, 0], [2, 0, 0]), Ray([1, 0, 0], [1, 0, 0])), "Same way, same line."),
    "ray in a ray": Case(
        "contains", (Ray([0, 0, 0], [1, 0, 0]), Ray([1, 0, 0], [1, 0, 0])), "It starts farther along."
    ),
    "line along the ground": Case("contains", (_GROUND, Line([0, 0, -1], [1, 0, 0])), "It does not rise to the plane."),
    "ray out of the ground": Case("contains", (_GROUND, Ray([0, 0, -1], [0, 0.6, 0.8])), "It rises above the plane."),
    "half-space in a half-space": Case(
        "contains", (_GROUND, HalfSpace([0, 0, -1], [0, 0, 1])), "Same normal, and its plane lies deeper."
    ),
}

_WAYS = {
    "balls that overlap, all ways out": Case(
        "all_normals", (Sphere([0, 0, 0], 1), Sphere([0, 0, 1], 1)), "The centers are apart: there is one way."
    ),
    "concentric balls, all ways out": Case(
        "all_normals", (Sphere([0, 0, 0], 1), Sphere([0, 0, 0], 2)), "Every direction is as short."
    ),
    "ball on the axis of a pill, all ways out": Case(
        "all_normals", (Sphere([0, 0, 0], 1), Capsule([0, 0, -2], [0, 0, 2], 0.5)), "A whole circle of ways."
    ),
    "ball at the end of the axis of a pill, all ways out": Case(
        "all_normals", (Sphere([0, 0, 2], 1), Capsule([0, 0, -2], [0, 0, 2], 0.5)), "Half of the sphere."
    ),
    "axes that cross, all ways out": Case(
        "all_normals", (Segment([-1, 0, 0], [1, 0, 0]), Segment([0, -1, 0], [0, 1, 0])), "To either side of the plane."
    ),
    "axes that meet at an end, all ways out": Case(
        "all_normals", (Segment([0, 0, 0], [1, 0, 0]), Segment([0, -1, 0], [0, 1, 0])), "An arc around the end."
    ),
    "point on the corner of a box, all ways out": Case(
        "all_normals", (AABB([0, 0, 0], [1, 1, 1]), Point([1, 1, 1])), "All that lies between three faces."
    ),
    "point on the edge of a box, all ways out": Case(
        "all_normals", (AABB([0, 0, 0], [1, 1, 1]), Point([1, 1, 0.5])), "An arc from one face to the other."
    ),
    "ball in the middle of a cube, all ways out": Case(
        "all_normals", (Sphere([1, 1, 1], 0.5), AABB([0, 0, 0], [2, 2, 2])), "Six single ones."
    ),
    "ball in the ground, all ways out": Case(
        "all_normals", (Sphere([0, 0, 0], 1), _GROUND), "Out of a half-space leads its normal alone."
    ),
    "half-spaces through each other, all ways out": Case(
        "all_normals", (_GROUND, HalfSpace([0, 0, 0], [1, 0, 0])), "No move parts them."
    ),
}

CONTACTS = {**_PATCHES, **_MORE_PATCHES, **_HOLDS, **_WAYS}


HARD_CONTACTS = {
    "pill beside a segment, end at end to rounding": Case(
        "manifold",
        (
            Capsule(
                [-0.1220882467830999, 1.317262122056864, -0.6172130178729591],
                [-0.138373348040617, 0.8972039371232411, -0.589378550313822],
                0.9507840623519417,
            ),
            Segment(
                [-0.2890298485173266, 2.744002975889973, -1.4988678666415902],
                [-0.34350895323835573, 1.3387680068143095, -1.4057522743112973],
            ),
        ),
        "Seen along the normal they miss each other by rounding, which counts as a point.",
    ),
    "pill over the edge of a box, to rounding": Case(
        "manifold",
        (
            Capsule(
                [1.170474343461862e-06, -2.340948686923724e-06, 0.0],
                [1.170474343461862e-06, 2.340948686923724e-06, 0.0],
                2.340948686923724e-06,
            ),
            OrientedBox(
                [-1.170474343461862e-06, -1.170474343461862e-06, -2.340948686923724e-06],
                [
                    [1.0, 3.201400845125023e-10, -7.215250259904625e-10],
                    [-3.201400849554693e-10, 1.0, -6.139315621598053e-10],
                    [7.215250257939184e-10, 6.139315623907944e-10, 1.0],
                ],
                [2.340948686923724e-06, 2.340948686923724e-06, 1.170474343461862e-06],
            ),
        ),
        "Rounding puts the whole edge beside the face, so only the closest points are left.",
    ),
    "concentric boxes at angles": Case(
        "manifold",
        (
            OrientedBox(
                [-5.105677513205723e-06, 1.3630141421472859e-06, 1.9293363276299825e-06],
                [
                    [0.43838479115997064, -0.22812539895764666, 0.869354690117931],
                    [0.4950081629047815, -0.7460552529186505, -0.44538576341203584],
                    [0.7501904381803746, 0.6255880129469419, -0.21413534159459668],
                ],
                [2.86065611396265e-06, 8.066975624095697e-06, 7.994711025269632e-06],
            ),
            OrientedBox(
                [-5.105677513205723e-06, 1.3630141421472859e-06, 1.9293363276299825e-06],
                [
                    [-0.6161669457737705, 0.6644270955203633, 0.42293608225616985],
                    [-0.5222213359411574, -0.7466211685693519, 0.4121185593151181],
                    [0.5895957693400256, 0.03306758809634655, 0.8070212905455679],
                ],
                [6.952477960465653e-06, 6.276028551552399e-06, 8.610342030343864e-06],
            ),
        ),
        "Each face cuts all corners off the other, and they are of different depth.",
    ),
}
