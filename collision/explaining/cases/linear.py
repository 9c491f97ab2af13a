"""Cases of points and linear pieces against points, each other, boxes and half-spaces."""

from __future__ import annotations

import math

from collision.explaining.cases.case import closest_points, contact, distance, foot, intersects, signed_distance, sweep
from collision.shapes.kinds import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Sphere
from collision.shapes.transforms import Transform

POINTS = {
    "two spheres": signed_distance("The gap lies between the two centers.", Sphere([0, 0, 0], 1), Sphere([3, 4, 0], 2)),
    "concentric spheres": signed_distance(
        "Every direction parts them as quickly; up is taken.", Sphere([0, 0, 0], 1), Sphere([0, 0, 0], 2)
    ),
    "points as far apart as few numbers are": signed_distance(
        "The squares are too large for a number.", Point([0, 0, 0]), Point([1e150, 1e150, 0])
    ),
    "points as near as few numbers are": signed_distance(
        "The squares are too small for a number.", Point([0, 0, 0]), Point([1e-150, 0, 0])
    ),
    "points an unimaginably small way apart": signed_distance(
        "Not even one divided by the gap is a number.", Point([0, 0, 0]), Point([1e-305, 0, 0])
    ),
}


_FLAT = Segment([0, 0, 0], [2, 0, 0])

POINT_AND_PIECE = {
    "sphere beside a segment": intersects(
        "The foot of the perpendicular is between the ends.", Sphere([0.5, 1, 0], 0.8), _FLAT
    ),
    "sphere before a segment": intersects(
        "The foot is on the extension, so the start is nearest.", Sphere([-1, 1, 0], 0.8), _FLAT
    ),
    "sphere beyond a segment": intersects(
        "The foot is on the extension, so the end is nearest.", Sphere([3, 1, 0], 0.8), _FLAT
    ),
    "sphere touching a segment": intersects(
        "Touching counts, to us, and not to the article.", Sphere([0.5, 1, 0], 1), _FLAT
    ),
    "sphere centered on a segment": contact(
        "The gap has no direction, so they part sideways.", Sphere([0.5, 0, 0], 0.8), _FLAT
    ),
    "sphere centered on an upright segment": contact(
        "The axis that it leans to least is x.", Sphere([0, 0, 0.5], 0.8), Segment([0, 0, 0], [0, 0, 2])
    ),
    "sphere centered on a segment that leans to z": contact(
        "The axis that it leans to least is x.", Sphere([0, 0.5, 1], 0.8), Segment([0, 0, 0], [0, 1, 2])
    ),
    "sphere centered on a segment that leans to x": contact(
        "The axis that it leans to least is y.", Sphere([1, 0, 0.5], 0.8), Segment([0, 0, 0], [2, 0, 1])
    ),
    "point in line with a segment": signed_distance(
        "The gap leads on from the end, and nothing is taken off.", Point([3, 0, 0]), _FLAT
    ),
    "point at the end of a segment": signed_distance(
        "They touch at the end, and part sideways.", Point([2, 0, 0]), _FLAT
    ),
    "sphere and a zero-length segment": distance(
        "The segment is a point: its start serves.", Sphere([0, 2, 0], 0.5), Segment([1, 1, 0], [1, 1, 0])
    ),
    "point on a zero-length segment": signed_distance(
        "Two equal points part upwards.", Point([1, 1, 0]), Segment([1, 1, 0], [1, 1, 0])
    ),
    "sphere behind a ray": closest_points(
        "A ray has a start, and no end.", Sphere([-2, 1, 0], 0.5), Ray([0, 0, 0], [1, 0, 0])
    ),
    "sphere beside a line": closest_points(
        "A line has no ends to clamp to.", Sphere([-20, 1, 0], 0.5), Line([0, 0, 0], [1, 0, 0])
    ),
    "sphere touching a capsule": contact(
        "Both radii are added.", Sphere([3, 1, 0], 0.5), Capsule([0, 0, 0], [2, 0, 0], 0.5)
    ),
    "foot between the ends": foot("The foot is the nearest point itself.", Point([0.5, 1, 0]), _FLAT),
    "foot before the start": foot("The foot is on the extension.", Point([-1, 1, 0]), _FLAT),
    "foot beyond the end": foot("Of a sphere its center counts.", Sphere([3, 1, 0], 0.5), _FLAT),
    "foot on a line": foot("A line has no ends.", Point([-20, 1, 0]), Line([0, 0, 0], [1, 0, 0])),
    "foot on a zero-length segment": foot(
        "There is no direction to project on.", Point([0, 2, 0]), Segment([1, 1, 0], [1, 1, 0])
    ),
}

PIECE_AND_PIECE = {
    "segments that pass each other": signed_distance(
        "Both are nearest inside, where the common perpendicular stands.",
        Segment([-1, 0, 0], [1, 0, 0]),
        Segment([0.25, -1, 1], [0.25, 1, 1]),
    ),
    "segments that cross": signed_distance(
        "The gap has no direction, so the cross product serves.",
        Segment([-1, 0, 0], [1, 0, 0]),
        Segment([0.25, -1, 0], [0.25, 1, 0]),
    ),
    "segment beyond the end of another": signed_distance(
        "The edge s = 1 of the square clamps.", Segment([-1, 0, 0], [1, 0, 0]), Segment([2, -1, 1], [2, 1, 1])
    ),
    "segment that ends beside another": signed_distance(
        "The edge t = 0 of the square clamps, and s is found once more.",
        Segment([-1, 0, 0], [1, 0, 0]),
        Segment([0.25, 1, 1], [0.25, 3, 1]),
    ),
    "segment beyond the start of another": signed_distance(
        "The edge s = 0 of the square clamps.", Segment([1, 0, 0], [-1, 0, 0]), Segment([2, 1, 1], [2, -1, 1])
    ),
    "segment whose end is beside another": signed_distance(
        "The edge t = 1 of the square clamps, and s is found once more.",
        Segment([-1, 0, 0], [1, 0, 0]),
        Segment([0.25, 3, 1], [0.25, 1, 1]),
    ),
    "segments that both end": signed_distance(
        "Clamping both parameters at once would be wrong: one is clamped, the other found for it.",
        Segment([0, 0, 0], [2, 1, 0]),
        Segment([3, 1, 1], [2, 4, 2]),
    ),
    "parallel segments side by side": signed_distance(
        "All there is as near, and the middle serves.", Segment([0, 0, 0], [4, 0, 0]), Segment([1, 1, 0], [3, 1, 0])
    ),
    "parallel segments one behind the other": signed_distance(
        "They are nearest with two ends.", Segment([0, 0, 0], [1, 0, 0]), Segment([2, 1, 0], [3, 1, 0])
    ),
    "segments on one line, overlapping": signed_distance(
        "The gap is zero, so they part sideways.", Segment([0, 0, 0], [2, 0, 0]), Segment([1, 0, 0], [3, 0, 0])
    ),
    "parallel rays, the same way": signed_distance(
        "They run side by side from 2 on.", Ray([0, 0, 0], [1, 0, 0]), Ray([2, 1, 0], [1, 0, 0])
    ),
    "parallel rays, opposite ways": signed_distance(
        "They lie side by side from 0 to 2.", Ray([0, 0, 0], [1, 0, 0]), Ray([2, 1, 0], [-1, 0, 0])
    ),
    "parallel rays, apart": signed_distance(
        "They are nearest with their starts.", Ray([0, 0, 0], [-1, 0, 0]), Ray([2, 1, 0], [1, 0, 0])
    ),
    "parallel lines": signed_distance(
        "One place is as good as another.", Line([0, 0, 0], [1, 0, 0]), Line([5, 1, 0], [1, 0, 0])
    ),
    "line parallel to a ray": signed_distance(
        "Side by side without an end.", Line([0, 0, 0], [1, 0, 0]), Ray([5, 1, 0], [-1, 0, 0])
    ),
    "nearly parallel lines": signed_distance(
        "The cross product is computed with twice the digits.",
        Line([0, 0, 0], [1, 0, 0]),
        Line([0, 0, 1], [1, 1e-9, 0]),
    ),
    "segment nearly parallel to a ray": signed_distance(
        "Parallel is what is so to rounding, and this is not.",
        Ray([0, 0, 0], [1, 0, 0]),
        Segment([1, 0, 1], [3, 1e-9, 1]),
    ),
    "segments an unimaginably small way apart": signed_distance(
        "The gap has a direction however short it is.",
        Segment([0, 0, 0], [-1, 0, 0]),
        Segment([1e-295, 0, 0], [1, 1, 0]),
    ),
    "lines that pass": signed_distance("Nothing is clamped.", Line([0, 0, 0], [1, 0, 0]), Line([3, 4, 2], [0, 1, 1])),
    "zero-length segment beside another": signed_distance(
        "It is a point, and the kernel of a point takes over.", Segment([1, 1, 0], [1, 1, 0]), _FLAT
    ),
    "segment beside one of zero length": signed_distance(
        "The second is a point, so the two are exchanged.", _FLAT, Segment([1, 1, 0], [1, 1, 0])
    ),
    "capsules that overlap": contact(
        "The axes are apart by less than both radii.",
        Capsule([-1, 0, 0], [1, 0, 0], 0.5),
        Capsule([0.25, -1, 0.8], [0.25, 1, 0.8], 0.5),
    ),
    "ray that a segment touches with its end": signed_distance(
        "The gap is little more than rounding, and what is taken off along one piece leads into the other.",
        Ray(
            [-1.0215338663748414, 0.4535055696245803, -0.27864969799638],
            [-0.007845485565160744, -0.05794330944720549, 0.9982890469430947],
        ),
        Segment([-2, 0.36, 0], [-1.021604632434036, 0.452982922602647, -0.269645158863347]),
    ),
    "segments whose ends meet": signed_distance(
        "They touch at their ends, and part sideways.", Segment([0, 0, 0], [1, 0, 0]), Segment([1, 0, 0], [1, 1, 0])
    ),
}

_CRATE = AABB([-1, -1, -1], [1, 1, 1])
_TURNED = OrientedBox([0, 0, 0], [0, 0, math.sin(math.pi / 8), math.cos(math.pi / 8)], [1, 1, 1])

PIECE_AND_BOX = {
    "segment above a side of a box": signed_distance(
        "It is nearest with its start.", Segment([-0.5, 0, 2], [0.5, 0.25, 3]), _CRATE
    ),
    "segment level with a side of a box": signed_distance(
        "All of it is as near, the middle serves.", Segment([-0.5, 0, 2], [0.5, 0.25, 2]), _CRATE
    ),
    "segment beside an edge of a box": signed_distance(
        "It is nearest between its ends, and the normal is at a right angle to it.",
        Segment([3, 0, 0], [0, 0.5, 3.5]),
        _CRATE,
    ),
    "segment beside a corner of a box": signed_distance(
        "Three slabs have their say.", Segment([3, 0.5, 2], [0, 3, 2.5]), _CRATE
    ),
    "line along an edge of a box": signed_distance(
        "It is parallel to the edge, and the middle serves.", Line([2, 2, 0], [0, 0, 1]), _CRATE
    ),
    "segment stuck through a box": contact(
        "It is shortest out through the nearest side.", Segment([-3, 0, 0.5], [3, 0.25, 0.5]), _CRATE
    ),
    "segment that cuts an edge of a box": contact(
        "The way out is across.", Segment([2, -0.8, 0.5], [0.8, -2, -0.5]), AABB([-1, -1.5, -1], [1.5, 1, 1])
    ),
    "segment inside a turned box": contact(
        "It comes out with the end that is nearest.", Segment([0, 0, 0.5], [0.5, 0, 0.75]), _TURNED
    ),
    "segment that touches a side of a box": intersects(
        "The end is on the side.", Segment([-0.5, 0, 1], [0.5, 0.25, 3]), _CRATE
    ),
    "segment a hair above a side of a box": signed_distance(
        "They are apart by so little that the gap has no direction.",
        Segment([0, 0, 1.000000000000002], [0.5, 0, 3]),
        _CRATE,
    ),
    "segment a hair beside a corner of a box": signed_distance(
        "Rounding hides that an edge is just as near as the corner, and the way across it is taken.",
        Segment(
            [0.93706267908949, 1.000015649105, 1.80713574727214], [1.028987383887624, 0.999992792407, 0.628253102974158]
        ),
        _CRATE,
    ),
    "capsule across a corner of a box": contact(
        "Moved along the way out, it touches neither with its end nor with the middle of what was inside.",
        Capsule([-1.249, 0, 0.59], [0, 0, 2], 0),
        AABB([-1.249, -0.1124, 0], [0, 1, 0.5915]),
    ),
    "capsule beside a turned box": contact(
        "The box's own frame makes it a box along axes.", Capsule([2, -1, -0.5], [2, 0.5, 1], 0.25), _TURNED
    ),
    "ray against a box": contact("A ray has one end only.", Ray([-3, 0, 0.5], [1, 0.1, 0]), _CRATE),
    "line straight through a box": contact(
        "It is always in the slabs of y and z.", Line([-3, 0, 0.5], [1, 0, 0]), _CRATE
    ),
    "upright line through a box": contact(
        "It is always in the slabs of x and y.", Line([0.5, 0, 0], [0, 0, 1]), _CRATE
    ),
    "line through a box": contact("A line parts only sideways.", Line([-3, 0, 0.5], [1, 0.1, 0]), _CRATE),
    "zero-length capsule beside a box": signed_distance(
        "Nothing moves along a piece without a length: every parameter is as good.",
        Capsule([2, 2, 2], [2, 2, 2], 0.5),
        _CRATE,
    ),
    "zero-length segment inside a box": contact(
        "It leaves through the nearest side, as a point does.", Segment([0.5, 0, 0], [0.5, 0, 0]), _CRATE
    ),
}

_GROUND = HalfSpace([0, 0, 0], [0, 0, 1])

HALF_SPACES = {
    "sphere above the ground": signed_distance("Height less the radius.", Sphere([0, 0, 2], 0.5), _GROUND),
    "sphere under the ground": contact("The height is below zero.", Sphere([0, 0, -2], 0.5), _GROUND),
    "segment on a slope above the ground": signed_distance(
        "The lower end is nearest.", Segment([0, 0, 2], [2, 0, 1]), _GROUND
    ),
    "segment that starts low": signed_distance("The lower end is the start.", Segment([0, 0, 1], [2, 0, 2]), _GROUND),
    "segment level with the ground": signed_distance(
        "Both ends are as high, so the middle serves.", Segment([0, 0, 1], [2, 0, 1]), _GROUND
    ),
    "ray that rises": signed_distance("Its start is lowest.", Ray([0, 0, 1], [1, 0, 1]), _GROUND),
    "ray level with the ground": signed_distance("It is level.", Ray([0, 0, 1], [1, 0, 0]), _GROUND),
    "ray into the ground": signed_distance("No move takes it out.", Ray([0, 0, 1], [1, 0, -1]), _GROUND),
    "line through the ground": signed_distance("No move takes it out.", Line([0, 0, 1], [1, 0, 1]), _GROUND),
    "box on the ground": contact("A whole side is lowest.", AABB([-1, -1, 0], [1, 1, 2]), _GROUND),
    "turned box above the ground": signed_distance(
        "One edge is lowest, and its middle serves.",
        OrientedBox([0, 0, 3], [math.sin(0.25), 0, 0, math.cos(0.25)], [1, 1, 1]),
        _GROUND,
    ),
    "half-spaces that face each other": signed_distance(
        "The planes are as far apart everywhere.", _GROUND, HalfSpace([0, 0, 2], [0, 0, -1])
    ),
    "half-spaces that cross": signed_distance(
        "They share a wedge without an end.", _GROUND, HalfSpace([1, 0, 0], [1, 0, 1])
    ),
    "half-spaces one in the other": signed_distance(
        "The lower one is in the other.", _GROUND, HalfSpace([0, 0, 2], [0, 0, 1])
    ),
    "half-spaces one in the other, the higher one first": signed_distance(
        "The lower one is in the other.", HalfSpace([0, 0, 2], [0, 0, 1]), _GROUND
    ),
}

MOVING = {
    "rod that flies to a box": sweep(
        "Its ends move along, and each step asks how far it is from the box.",
        Capsule([-4, -1, 0], [-4, 1, 0.5], 0.25),
        _CRATE,
        motion=[6, 0, 0],
    ),
    "line that flies to a rod": sweep(
        "Only the point that it is given by moves along.",
        Line([-4, 0, 0], [0, 1, 0.5]),
        Capsule([0, 0, 0], [0, 1, 0], 0.5),
        motion=[6, 0, 0],
    ),
    "box that tips over a floor": sweep(
        "A rotation about another axis than the normal costs as much as the corners are far out.",
        OrientedBox([0, 0, 2], [0, 0, 0, 1], [1.5, 1, 1]),
        _GROUND,
        end=Transform(rotation=[0, 1, 0, 1]),
    ),
}

LINEARS = {**POINT_AND_PIECE, **PIECE_AND_PIECE, **PIECE_AND_BOX, **HALF_SPACES, **MOVING}
