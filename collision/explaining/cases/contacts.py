"""Cases of contact patches, of what holds what, and of shapes with more than one shortest way out."""

from __future__ import annotations

from collision.explaining.cases.case import all_normals, contains, manifold
from collision.shapes.kinds import AABB, Capsule, ConvexHull, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Sphere

_FLOOR = AABB([-2, -2, -1], [2, 2, 0])
_GROUND = HalfSpace([0, 0, 0], [0, 0, 1])
_EIGHTH = [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]]
_ON_EDGE = [[1.0, 0.0, 0.0], [0.0, 0.8, -0.6], [0.0, 0.6, 0.8]]
#: A column with six sides, and one that stands on it, turned by a right angle; and their twelve-sided like.
_HEXAGON = [(2, 0), (1, 2), (-1, 2), (-2, 0), (-1, -2), (1, -2)]
_TWELVE = [(4, 1), (3, 3), (1, 4), (-1, 4), (-3, 3), (-4, 1), (-4, -1), (-3, -3), (-1, -4), (1, -4), (3, -3), (4, -1)]
_COLUMN = ConvexHull([[x, y, z] for x, y in _HEXAGON for z in (-1, 0)])
_ON_COLUMN = ConvexHull([[-y, x, z] for x, y in _HEXAGON for z in (-0.125, 1)])
_DRUM = ConvexHull([[x, y, z] for x, y in _TWELVE for z in (0, 2)])
_TILTED = [[0.9994000599920009, 0.0, 0.034633679623], [0.0, 1.0, 0.0], [-0.034633679623, 0.0, 0.9994000599920009]]

_PATCHES = {
    "crate on a floor": manifold(
        "The part of its face that is over the floor, four corners.", _FLOOR, AABB([0, 0, -0.125], [3, 1, 1])
    ),
    "turned crate on another": manifold(
        "Each face cuts the corners off the other: eight are left.",
        AABB([-1, -1, -1], [1, 1, 0]),
        OrientedBox([0, 0, 0.875], _EIGHTH, [1, 1, 1]),
    ),
    "tilted crate on a floor": manifold(
        "It counts as lying on the floor, with corners of different depth.",
        _FLOOR,
        OrientedBox([0, 0, 0.9375], _TILTED, [1, 1, 1]),
    ),
    "column on a column": manifold(
        "Faces of six corners are cut to each other as those of boxes are.", _COLUMN, _ON_COLUMN
    ),
    "column on a floor": manifold("All corners of its face are over the floor.", _FLOOR, _ON_COLUMN),
    "drum on the ground": manifold("Of twelve corners eight are told.", _GROUND, _DRUM),
    "crate that stands on an edge": manifold(
        "An edge on a face has two points.", _FLOOR, OrientedBox([0, 0, 1.375], _ON_EDGE, [1, 1, 1])
    ),
    "crate that sticks out over a floor": manifold(
        "The edge is cut where the floor ends.", _FLOOR, OrientedBox([2.5, 0.5, 1.375], _ON_EDGE, [1, 1, 1])
    ),
    "crate that stands on a corner": manifold(
        "A corner is a point: the closest points are all there is.",
        _FLOOR,
        OrientedBox(
            [0, 0, 1.6875], [[2 / 3, -1 / 3, 2 / 3], [2 / 3, 2 / 3, -1 / 3], [-1 / 3, 2 / 3, 2 / 3]], [1, 1, 1]
        ),
    ),
    "crate on the ground": manifold(
        "Nothing is cut off by a plane that goes on for ever.", _GROUND, AABB([0, 0, -0.125], [1, 2, 1])
    ),
    "two half-spaces that face each other": manifold(
        "Neither has a corner to name.", _GROUND, HalfSpace([0, 0, 1], [0, 0, -1]), margin=2.0
    ),
    "line on the ground": manifold("It has no end to name.", _GROUND, Line([0, 0, 0], [1, 0, 0])),
    "ray on a floor": manifold("It is cut where the floor ends.", _FLOOR, Ray([-1, 0, 0], [1, 0, 0])),
    "pill on a floor": manifold(
        "A round edge on a face has two points.", _FLOOR, Capsule([-1, 0, 0.5], [1, 0, 0.5], 0.5)
    ),
    "pill beside a pill": manifold(
        "Two round edges side by side, as far as they overlap.",
        Capsule([-1, 0, 0], [2, 0, 0], 0.5),
        Capsule([0, 0.25, 0.875], [3, 0.25, 0.875], 0.5),
    ),
    "pills that cross": manifold(
        "They cross at more than the angle, so they touch at one point.",
        Capsule([-1, 0, 0], [2, 0, 0], 0.5),
        Capsule([0, -2, 0.875], [0, 2, 0.875], 0.5),
    ),
    "pills that cross at a small angle": manifold(
        "The corners are not as deep as where they cross, so that point is added.",
        Capsule([-2, 0, 0], [2, 0, 0], 0.5),
        Capsule([-2, -0.1, 0.875], [2, 0.1, 0.875], 0.5),
    ),
    "edges of two boxes side by side": manifold(
        "Faces slide over each other here.",
        OrientedBox([0, 0, 0], _ON_EDGE, [2, 1, 1]),
        OrientedBox([1, 0.25, 2.75], _ON_EDGE, [2, 1, 1]),
    ),
    "ball on a floor": manifold("What is round both ways has one point.", _FLOOR, Sphere([0, 0, 0.75], 1)),
    "ball above a floor": manifold("They are apart: there is no contact.", _FLOOR, Sphere([0, 0, 3], 1)),
    "short pill on a floor": manifold(
        "An axis without a length is a point.", _FLOOR, Capsule([0, 0, 0.5], [0, 0, 0.5], 0.5)
    ),
    "thin crate on a floor": manifold("A face without a width is an edge.", _FLOOR, AABB([0, 0, -0.125], [0, 1, 1])),
    "thin crate the other way on a floor": manifold(
        "A face without a width is an edge.", _FLOOR, AABB([0, 0, -0.125], [1, 0, 1])
    ),
}

_MORE_PATCHES = {
    "crates side by side along x": manifold(
        "The foremost faces lie along x.", AABB([0, 0, 0], [1, 1, 1]), AABB([0.875, 0.25, 0.25], [2, 2, 2])
    ),
    "crates side by side along y": manifold(
        "The foremost faces lie along y.", AABB([0, 0, 0], [1, 1, 1]), AABB([0.25, 0.875, 0.25], [2, 2, 2])
    ),
    "crate that stands on another edge": manifold(
        "The face that it stands on is that of B.",
        OrientedBox([0, 0, 1.375], [[0.8, 0.0, 0.6], [0.0, 1.0, 0.0], [-0.6, 0.0, 0.8]], [1, 1, 1]),
        _FLOOR,
    ),
    "crate that stands on the edge beside that": manifold(
        "Which edge is foremost, the signs of the normal along its axes say.",
        _FLOOR,
        OrientedBox([0, 0, 1.375], [[1.0, 0.0, 0.0], [0.0, 0.8, 0.6], [0.0, -0.6, 0.8]], [1, 1, 1]),
    ),
    "crate that stands on another corner": manifold(
        "Which corner is foremost, the signs of the normal along its axes say.",
        _FLOOR,
        OrientedBox(
            [0, 0, 1.625], [[-2 / 3, 1 / 3, 2 / 3], [-2 / 3, -2 / 3, -1 / 3], [1 / 3, -2 / 3, 2 / 3]], [1, 1, 1]
        ),
    ),
    "tilted crate that comes first": manifold(
        "The face that is more level stays as it is, and the other is cut to it.",
        OrientedBox([0, 0, 0.9375], _TILTED, [1, 1, 1]),
        _FLOOR,
    ),
    "segments that part at a small angle": manifold(
        "They are beside each other at one end only.",
        Segment([0, 0, 0], [2, 0, 0]),
        Segment([0, 0, 0.5], [2, 0.125, 0.5]),
        margin=1.0,
    ),
    "pill that stands on its end": manifold(
        "Its axis is steep, so its end counts as a point.", _FLOOR, Capsule([0, 0, 0.4375], [0, 0, 2], 0.5)
    ),
    "ball against a floor": manifold("The ball comes first here.", Sphere([0, 0, 0.75], 1), _FLOOR),
    "pill against a floor": manifold("The pill comes first here.", Capsule([-1, 0, 0.5], [1, 0, 0.5], 0.5), _FLOOR),
    "crates whose faces only share a border": manifold(
        "What the faces have in common has no width: corners that are one count once.",
        _FLOOR,
        AABB([2, 0, 0], [3, 1, 1]),
    ),
    "crate that touches with one side": manifold(
        "The corners on its other side are farther away than the margin, and left out.",
        _FLOOR,
        OrientedBox([0, 0, 1.03125], _TILTED, [1, 1, 1]),
    ),
    "pills side by side, end after end": manifold(
        "Seen along the normal they do not overlap.",
        Capsule([-1, 0, 0], [2, 0, 0], 0.5),
        Capsule([2.03125, 0, 0.875], [5, 0, 0.875], 0.5),
    ),
    "pills side by side, end at end": manifold(
        "They overlap in a single point.",
        Capsule([-1, 0, 0], [2, 0, 0], 0.5),
        Capsule([2, 0, 0.875], [5, 0, 0.875], 0.5),
    ),
    "segments side by side": manifold(
        "What has no width is beside the other all along.",
        Segment([0, 0, 0], [2, 0, 0]),
        Segment([1, 0, 0.5], [3, 0, 0.5]),
        margin=1.0,
    ),
    "segments that cross at a small angle": manifold(
        "What has no width is beside the other all along, or crosses it.",
        Segment([-1, 0, 0], [1, 0, 0]),
        Segment([-1, -0.0625, 0.5], [1, 0.0625, 0.5]),
        margin=1.0,
    ),
    "lines side by side": manifold(
        "Neither has an end to name.", Line([0, 0, 0], [1, 0, 0]), Line([0, 0, 1], [1, 0, 0]), margin=2.0
    ),
    "pill that leans down on a floor": manifold(
        "A line up from under its end leaves it through the ball there.",
        _FLOOR,
        Capsule([-1, 0, 0.5], [1, 0, 0.5625], 0.5),
        margin=0.125,
    ),
    "pill that leans up on a floor": manifold(
        "A line up from under its end leaves it through the ball there.",
        _FLOOR,
        Capsule([-1, 0, 0.5625], [1, 0, 0.5], 0.5),
        margin=0.125,
    ),
    "pill beside the border of a floor": manifold(
        "Seen along the normal, nothing of it is over the floor.",
        _FLOOR,
        Capsule([2.03125, -1, 0.5], [2.03125, 1, 0.5], 0.5),
        margin=0.125,
    ),
    "ray that leaves a floor": manifold(
        "It is cut where the floor ends on the other side.", _FLOOR, Ray([1, 0, 0], [-1, 0, 0])
    ),
}

_HOLDS = {
    "ball in a room": contains(
        "Its center, with the radius around it, decides.", AABB([0, 0, 0], [4, 4, 4]), Sphere([1, 1, 1], 1)
    ),
    "point in a room, as an article has it": contains(
        "Each coordinate is compared with two numbers.", AABB([0, 0, 0], [4, 4, 4]), Point([1, 2, 3])
    ),
    "crate that sticks out of a room": contains(
        "Of its eight corners the one that sticks out the most decides.",
        AABB([0, 0, 0], [4, 4, 4]),
        OrientedBox([2, 3, 2], _EIGHTH, [1, 1, 1]),
    ),
    "pill in a ball": contains(
        "Its two ends, each with the radius.", Sphere([0, 0, 0], 3), Capsule([0, 0, 0], [1, 1, 1], 0.5)
    ),
    "ray in a room": contains(
        "What has no end is in nothing that ends.", AABB([0, 0, 0], [4, 4, 4]), Ray([1, 1, 1], [1, 0, 0])
    ),
    "line in a ray": contains(
        "What ends on one side holds no line.", Ray([0, 0, 0], [1, 0, 0]), Line([1, 0, 0], [1, 0, 0])
    ),
    "half-space in a line": contains("Only a half-space holds one.", Line([0, 0, 0], [1, 0, 0]), _GROUND),
    "ray in a line": contains("Same way, same line.", Line([0, 0, 0], [2, 0, 0]), Ray([1, 0, 0], [1, 0, 0])),
    "ray in a ray": contains("It starts farther along.", Ray([0, 0, 0], [1, 0, 0]), Ray([1, 0, 0], [1, 0, 0])),
    "line along the ground": contains("It does not rise to the plane.", _GROUND, Line([0, 0, -1], [1, 0, 0])),
    "ray out of the ground": contains("It rises above the plane.", _GROUND, Ray([0, 0, -1], [0, 0.6, 0.8])),
    "half-space in a half-space": contains(
        "Same normal, and its plane lies deeper.", _GROUND, HalfSpace([0, 0, -1], [0, 0, 1])
    ),
}

_WAYS = {
    "balls that overlap, all ways out": all_normals(
        "The centers are apart: there is one way.", Sphere([0, 0, 0], 1), Sphere([0, 0, 1], 1)
    ),
    "concentric balls, all ways out": all_normals(
        "Every direction is as short.", Sphere([0, 0, 0], 1), Sphere([0, 0, 0], 2)
    ),
    "ball on the axis of a pill, all ways out": all_normals(
        "A whole circle of ways.", Sphere([0, 0, 0], 1), Capsule([0, 0, -2], [0, 0, 2], 0.5)
    ),
    "ball at the end of the axis of a pill, all ways out": all_normals(
        "Half of the sphere.", Sphere([0, 0, 2], 1), Capsule([0, 0, -2], [0, 0, 2], 0.5)
    ),
    "axes that cross, all ways out": all_normals(
        "To either side of the plane.", Segment([-1, 0, 0], [1, 0, 0]), Segment([0, -1, 0], [0, 1, 0])
    ),
    "axes that meet at an end, all ways out": all_normals(
        "An arc around the end.", Segment([0, 0, 0], [1, 0, 0]), Segment([0, -1, 0], [0, 1, 0])
    ),
    "point on the corner of a box, all ways out": all_normals(
        "All that lies between three faces.", AABB([0, 0, 0], [1, 1, 1]), Point([1, 1, 1])
    ),
    "point on the edge of a box, all ways out": all_normals(
        "An arc from one face to the other.", AABB([0, 0, 0], [1, 1, 1]), Point([1, 1, 0.5])
    ),
    "ball in the middle of a cube, all ways out": all_normals(
        "Six single ones.", Sphere([1, 1, 1], 0.5), AABB([0, 0, 0], [2, 2, 2])
    ),
    "ball in the ground, all ways out": all_normals(
        "Out of a half-space leads its normal alone.", Sphere([0, 0, 0], 1), _GROUND
    ),
    "half-spaces through each other, all ways out": all_normals(
        "No move parts them.", _GROUND, HalfSpace([0, 0, 0], [1, 0, 0])
    ),
}

CONTACTS = {**_PATCHES, **_MORE_PATCHES, **_HOLDS, **_WAYS}


HARD_CONTACTS = {
    "pill beside a segment, end at end to rounding": manifold(
        "Seen along the normal they miss each other by rounding, which counts as a point.",
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
    "pill over the edge of a box, to rounding": manifold(
        "Rounding puts the whole edge beside the face, so only the closest points are left.",
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
    "concentric boxes at angles": manifold(
        "Each face cuts all corners off the other, and they are of different depth.",
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
}
