"""Cases of points and linear pieces against points, each other, boxes and half-spaces."""

from __future__ import annotations

import math

from collision.explaining.cases.case import Case
from collision.shapes.kinds import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Sphere
from collision.shapes.transforms import Transform

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


_FLAT = Segment([0, 0, 0], [2, 0, 0])

POINT_AND_PIECE = {
    "sphere beside a segment": Case(
        "intersects", (Sphere([0.5, 1, 0], 0.8), _FLAT), "The foot of the perpendicular is between the ends."
    ),
    "sphere before a segment": Case(
        "intersects", (Sphere([-1, 1, 0], 0.8), _FLAT), "The foot is on the extension, so the start is nearest."
    ),
    "sphere beyond a segment": Case(
        "intersects", (Sphere([3, 1, 0], 0.8), _FLAT), "The foot is on the extension, so the end is nearest."
    ),
    "sphere touching a segment": Case(
        "intersects", (Sphere([0.5, 1, 0], 1), _FLAT), "Touching counts, to us, and not to the article."
    ),
    "sphere centered on a segment": Case(
        "contact", (Sphere([0.5, 0, 0], 0.8), _FLAT), "The gap has no direction, so they part sideways."
    ),
    "sphere centered on an upright segment": Case(
        "contact", (Sphere([0, 0, 0.5], 0.8), Segment([0, 0, 0], [0, 0, 2])), "The axis that it leans to least is x."
    ),
    "sphere centered on a segment that leans to z": Case(
        "contact", (Sphere([0, 0.5, 1], 0.8), Segment([0, 0, 0], [0, 1, 2])), "The axis that it leans to least is x."
    ),
    "sphere centered on a segment that leans to x": Case(
        "contact", (Sphere([1, 0, 0.5], 0.8), Segment([0, 0, 0], [2, 0, 1])), "The axis that it leans to least is y."
    ),
    "point in line with a segment": Case(
        "signed_distance", (Point([3, 0, 0]), _FLAT), "The gap leads on from the end, and nothing is taken off."
    ),
    "point at the end of a segment": Case(
        "signed_distance", (Point([2, 0, 0]), _FLAT), "They touch at the end, and part sideways."
    ),
    "sphere and a zero-length segment": Case(
        "distance", (Sphere([0, 2, 0], 0.5), Segment([1, 1, 0], [1, 1, 0])), "The segment is a point: its start serves."
    ),
    "point on a zero-length segment": Case(
        "signed_distance", (Point([1, 1, 0]), Segment([1, 1, 0], [1, 1, 0])), "Two equal points part upwards."
    ),
    "sphere behind a ray": Case(
        "closest_points", (Sphere([-2, 1, 0], 0.5), Ray([0, 0, 0], [1, 0, 0])), "A ray has a start, and no end."
    ),
    "sphere beside a line": Case(
        "closest_points", (Sphere([-20, 1, 0], 0.5), Line([0, 0, 0], [1, 0, 0])), "A line has no ends to clamp to."
    ),
    "sphere touching a capsule": Case(
        "contact", (Sphere([3, 1, 0], 0.5), Capsule([0, 0, 0], [2, 0, 0], 0.5)), "Both radii are added."
    ),
    "foot between the ends": Case("foot", (Point([0.5, 1, 0]), _FLAT), "The foot is the nearest point itself."),
    "foot before the start": Case("foot", (Point([-1, 1, 0]), _FLAT), "The foot is on the extension."),
    "foot beyond the end": Case("foot", (Sphere([3, 1, 0], 0.5), _FLAT), "Of a sphere its center counts."),
    "foot on a line": Case("foot", (Point([-20, 1, 0]), Line([0, 0, 0], [1, 0, 0])), "A line has no ends."),
    "foot on a zero-length segment": Case(
        "foot", (Point([0, 2, 0]), Segment([1, 1, 0], [1, 1, 0])), "There is no direction to project on."
    ),
}

PIECE_AND_PIECE = {
    "segments that pass each other": Case(
        "signed_distance",
        (Segment([-1, 0, 0], [1, 0, 0]), Segment([0.25, -1, 1], [0.25, 1, 1])),
        "Both are nearest inside, where the common perpendicular stands.",
    ),
    "segments that cross": Case(
        "signed_distance",
        (Segment([-1, 0, 0], [1, 0, 0]), Segment([0.25, -1, 0], [0.25, 1, 0])),
        "The gap has no direction, so the cross product serves.",
    ),
    "segment beyond the end of another": Case(
        "signed_distance",
        (Segment([-1, 0, 0], [1, 0, 0]), Segment([2, -1, 1], [2, 1, 1])),
        "The edge s = 1 of the square clamps.",
    ),
    "segment that ends beside another": Case(
        "signed_distance",
        (Segment([-1, 0, 0], [1, 0, 0]), Segment([0.25, 1, 1], [0.25, 3, 1])),
        "The edge t = 0 of the square clamps, and s is found once more.",
    ),
    "segment beyond the start of another": Case(
        "signed_distance",
        (Segment([1, 0, 0], [-1, 0, 0]), Segment([2, 1, 1], [2, -1, 1])),
        "The edge s = 0 of the square clamps.",
    ),
    "segment whose end is beside another": Case(
        "signed_distance",
        (Segment([-1, 0, 0], [1, 0, 0]), Segment([0.25, 3, 1], [0.25, 1, 1])),
        "The edge t = 1 of the square clamps, and s is found once more.",
    ),
    "segments that both end": Case(
        "signed_distance",
        (Segment([0, 0, 0], [2, 1, 0]), Segment([3, 1, 1], [2, 4, 2])),
        "Clamping both parameters at once would be wrong: one is clamped, the other found for it.",
    ),
    "parallel segments side by side": Case(
        "signed_distance",
        (Segment([0, 0, 0], [4, 0, 0]), Segment([1, 1, 0], [3, 1, 0])),
        "All there is as near, and the middle serves.",
    ),
    "parallel segments one behind the other": Case(
        "signed_distance",
        (Segment([0, 0, 0], [1, 0, 0]), Segment([2, 1, 0], [3, 1, 0])),
        "They are nearest with two ends.",
    ),
    "segments on one line, overlapping": Case(
        "signed_distance",
        (Segment([0, 0, 0], [2, 0, 0]), Segment([1, 0, 0], [3, 0, 0])),
        "The gap is zero, so they part sideways.",
    ),
    "parallel rays, the same way": Case(
        "signed_distance", (Ray([0, 0, 0], [1, 0, 0]), Ray([2, 1, 0], [1, 0, 0])), "They run side by side from 2 on."
    ),
    "parallel rays, opposite ways": Case(
        "signed_distance", (Ray([0, 0, 0], [1, 0, 0]), Ray([2, 1, 0], [-1, 0, 0])), "They lie side by side from 0 to 2."
    ),
    "parallel rays, apart": Case(
        "signed_distance",
        (Ray([0, 0, 0], [-1, 0, 0]), Ray([2, 1, 0], [1, 0, 0])),
        "They are nearest with their starts.",
    ),
    "parallel lines": Case(
        "signed_distance", (Line([0, 0, 0], [1, 0, 0]), Line([5, 1, 0], [1, 0, 0])), "One place is as good as another."
    ),
    "line parallel to a ray": Case(
        "signed_distance", (Line([0, 0, 0], [1, 0, 0]), Ray([5, 1, 0], [-1, 0, 0])), "Side by side without an end."
    ),
    "nearly parallel lines": Case(
        "signed_distance",
        (Line([0, 0, 0], [1, 0, 0]), Line([0, 0, 1], [1, 1e-9, 0])),
        "The cross product is computed with twice the digits.",
    ),
    "segment nearly parallel to a ray": Case(
        "signed_distance",
        (Ray([0, 0, 0], [1, 0, 0]), Segment([1, 0, 1], [3, 1e-9, 1])),
        "Parallel is what is so to rounding, and this is not.",
    ),
    "segments an unimaginably small way apart": Case(
        "signed_distance",
        (Segment([0, 0, 0], [-1, 0, 0]), Segment([1e-295, 0, 0], [1, 1, 0])),
        "The gap has a direction however short it is.",
    ),
    "lines that pass": Case(
        "signed_distance", (Line([0, 0, 0], [1, 0, 0]), Line([3, 4, 2], [0, 1, 1])), "Nothing is clamped."
    ),
    "zero-length segment beside another": Case(
        "signed_distance",
        (Segment([1, 1, 0], [1, 1, 0]), _FLAT),
        "It is a point, and the kernel of a point takes over.",
    ),
    "segment beside one of zero length": Case(
        "signed_distance", (_FLAT, Segment([1, 1, 0], [1, 1, 0])), "The second is a point, so the two are exchanged."
    ),
    "capsules that overlap": Case(
        "contact",
        (Capsule([-1, 0, 0], [1, 0, 0], 0.5), Capsule([0.25, -1, 0.8], [0.25, 1, 0.8], 0.5)),
        "The axes are apart by less than both radii.",
    ),
    "ray that a segment touches with its end": Case(
        "signed_distance",
        (
            Ray(
                [-1.0215338663748414, 0.4535055696245803, -0.27864969799638],
                [-0.007845485565160744, -0.05794330944720549, 0.9982890469430947],
            ),
            Segment([-2, 0.36, 0], [-1.021604632434036, 0.452982922602647, -0.269645158863347]),
        ),
        "The gap is little more than rounding, and what is taken off along one piece leads into the other.",
    ),
    "segments whose ends meet": Case(
        "signed_distance",
        (Segment([0, 0, 0], [1, 0, 0]), Segment([1, 0, 0], [1, 1, 0])),
        "They touch at their ends, and part sideways.",
    ),
}

_CRATE = AABB([-1, -1, -1], [1, 1, 1])
_TURNED = OrientedBox([0, 0, 0], [0, 0, math.sin(math.pi / 8), math.cos(math.pi / 8)], [1, 1, 1])

PIECE_AND_BOX = {
    "segment above a side of a box": Case(
        "signed_distance", (Segment([-0.5, 0, 2], [0.5, 0.25, 3]), _CRATE), "It is nearest with its start."
    ),
    "segment level with a side of a box": Case(
        "signed_distance", (Segment([-0.5, 0, 2], [0.5, 0.25, 2]), _CRATE), "All of it is as near, the middle serves."
    ),
    "segment beside an edge of a box": Case(
        "signed_distance",
        (Segment([3, 0, 0], [0, 0.5, 3.5]), _CRATE),
        "It is nearest between its ends, and the normal is at a right angle to it.",
    ),
    "segment beside a corner of a box": Case(
        "signed_distance", (Segment([3, 0.5, 2], [0, 3, 2.5]), _CRATE), "Three slabs have their say."
    ),
    "line along an edge of a box": Case(
        "signed_distance", (Line([2, 2, 0], [0, 0, 1]), _CRATE), "It is parallel to the edge, and the middle serves."
    ),
    "segment stuck through a box": Case(
        "contact", (Segment([-3, 0, 0.5], [3, 0.25, 0.5]), _CRATE), "It is shortest out through the nearest side."
    ),
    "segment that cuts an edge of a box": Case(
        "contact",
        (Segment([2, -0.8, 0.5], [0.8, -2, -0.5]), AABB([-1, -1.5, -1], [1.5, 1, 1])),
        "The way out is across.",
    ),
    "segment inside a turned box": Case(
        "contact", (Segment([0, 0, 0.5], [0.5, 0, 0.75]), _TURNED), "It comes out with the end that is nearest."
    ),
    "segment that touches a side of a box": Case(
        "intersects", (Segment([-0.5, 0, 1], [0.5, 0.25, 3]), _CRATE), "The end is on the side."
    ),
    "segment a hair above a side of a box": Case(
        "signed_distance",
        (Segment([0, 0, 1.000000000000002], [0.5, 0, 3]), _CRATE),
        "They are apart by so little that the gap has no direction.",
    ),
    "segment a hair beside a corner of a box": Case(
        "signed_distance",
        (
            Segment(
                [0.93706267908949, 1.000015649105, 1.80713574727214],
                [1.028987383887624, 0.999992792407, 0.628253102974158],
            ),
            _CRATE,
        ),
        "Rounding hides that an edge is just as near as the corner, and the way across it is taken.",
    ),
    "capsule across a corner of a box": Case(
        "contact",
        (
            Capsule([-1.249, 0, 0.59], [0, 0, 2], 0),
            AABB([-1.249, -0.1124, 0], [0, 1, 0.5915]),
        ),
        "Moved along the way out, it touches neither with its end nor with the middle of what was inside.",
    ),
    "capsule beside a turned box": Case(
        "contact",
        (Capsule([2, -1, -0.5], [2, 0.5, 1], 0.25), _TURNED),
        "The box's own frame makes it a box along axes.",
    ),
    "ray against a box": Case("contact", (Ray([-3, 0, 0.5], [1, 0.1, 0]), _CRATE), "A ray has one end only."),
    "line straight through a box": Case(
        "contact", (Line([-3, 0, 0.5], [1, 0, 0]), _CRATE), "It is always in the slabs of y and z."
    ),
    "upright line through a box": Case(
        "contact", (Line([0.5, 0, 0], [0, 0, 1]), _CRATE), "It is always in the slabs of x and y."
    ),
    "line through a box": Case("contact", (Line([-3, 0, 0.5], [1, 0.1, 0]), _CRATE), "A line parts only sideways."),
    "zero-length capsule beside a box": Case(
        "signed_distance",
        (Capsule([2, 2, 2], [2, 2, 2], 0.5), _CRATE),
        "Nothing moves along a piece without a length: every parameter is as good.",
    ),
    "zero-length segment inside a box": Case(
        "contact", (Segment([0.5, 0, 0], [0.5, 0, 0]), _CRATE), "It leaves through the nearest side, as a point does."
    ),
}

_GROUND = HalfSpace([0, 0, 0], [0, 0, 1])

HALF_SPACES = {
    "sphere above the ground": Case("signed_distance", (Sphere([0, 0, 2], 0.5), _GROUND), "Height less the radius."),
    "sphere under the ground": Case("contact", (Sphere([0, 0, -2], 0.5), _GROUND), "The height is below zero."),
    "segment on a slope above the ground": Case(
        "signed_distance", (Segment([0, 0, 2], [2, 0, 1]), _GROUND), "The lower end is nearest."
    ),
    "segment that starts low": Case(
        "signed_distance", (Segment([0, 0, 1], [2, 0, 2]), _GROUND), "The lower end is the start."
    ),
    "segment level with the ground": Case(
        "signed_distance", (Segment([0, 0, 1], [2, 0, 1]), _GROUND), "Both ends are as high, so the middle serves."
    ),
    "ray that rises": Case("signed_distance", (Ray([0, 0, 1], [1, 0, 1]), _GROUND), "Its start is lowest."),
    "ray level with the ground": Case("signed_distance", (Ray([0, 0, 1], [1, 0, 0]), _GROUND), "It is level."),
    "ray into the ground": Case("signed_distance", (Ray([0, 0, 1], [1, 0, -1]), _GROUND), "No move takes it out."),
    "line through the ground": Case("signed_distance", (Line([0, 0, 1], [1, 0, 1]), _GROUND), "No move takes it out."),
    "box on the ground": Case("contact", (AABB([-1, -1, 0], [1, 1, 2]), _GROUND), "A whole side is lowest."),
    "turned box above the ground": Case(
        "signed_distance",
        (OrientedBox([0, 0, 3], [math.sin(0.25), 0, 0, math.cos(0.25)], [1, 1, 1]), _GROUND),
        "One edge is lowest, and its middle serves.",
    ),
    "half-spaces that face each other": Case(
        "signed_distance", (_GROUND, HalfSpace([0, 0, 2], [0, 0, -1])), "The planes are as far apart everywhere."
    ),
    "half-spaces that cross": Case(
        "signed_distance", (_GROUND, HalfSpace([1, 0, 0], [1, 0, 1])), "They share a wedge without an end."
    ),
    "half-spaces one in the other": Case(
        "signed_distance", (_GROUND, HalfSpace([0, 0, 2], [0, 0, 1])), "The lower one is in the other."
    ),
    "half-spaces one in the other, the higher one first": Case(
        "signed_distance", (HalfSpace([0, 0, 2], [0, 0, 1]), _GROUND), "The lower one is in the other."
    ),
}

MOVING = {
    "rod that flies to a box": Case(
        "sweep",
        (Capsule([-4, -1, 0], [-4, 1, 0.5], 0.25), _CRATE),
        "Its ends move along, and each step asks how far it is from the box.",
        {"motion": [6, 0, 0]},
    ),
    "line that flies to a rod": Case(
        "sweep",
        (Line([-4, 0, 0], [0, 1, 0.5]), Capsule([0, 0, 0], [0, 1, 0], 0.5)),
        "Only the point that it is given by moves along.",
        {"motion": [6, 0, 0]},
    ),
    "box that tips over a floor": Case(
        "sweep",
        (OrientedBox([0, 0, 2], [0, 0, 0, 1], [1.5, 1, 1]), _GROUND),
        "A rotation about another axis than the normal costs as much as the corners are far out.",
        {"end": Transform(rotation=[0, 1, 0, 1])},
    ),
}

LINEARS = {**POINT_AND_PIECE, **PIECE_AND_PIECE, **PIECE_AND_BOX, **HALF_SPACES, **MOVING}
