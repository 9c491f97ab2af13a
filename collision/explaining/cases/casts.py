"""Cases of lines, rays and segments that meet shapes, of a sphere in capsule space, and those that rounding decides."""

from __future__ import annotations

from collision.explaining.cases.case import Case
from collision.shapes.capsule_space import CapsuleCollider
from collision.shapes.kinds import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Sphere
from collision.shapes.transforms import Transform

_BALL = Sphere([0, 0, 0], 1)
_CAPSULE = Capsule([0, 0, -1], [0, 0, 1], 0.5)
_BOX = OrientedBox([0, 0, 0], [0, 0, 1, 2], [2, 1, 1])
_GROUND = HalfSpace([0, 0, 0], [0, 0, 1])
_ROD = Segment([0, 0, -1], [0, 0, 1])
_PILL = CapsuleCollider([0, 0, 0], "y", 4, 0.5)

_CROSSINGS = {
    "segment through a ball": Case(
        "crossings", (Segment([-2, 0.5, 0], [2, 0.5, 0]), _BALL), "Both roots are on the segment: two crossings."
    ),
    "segment that ends in a ball": Case(
        "crossings", (Segment([-2, 0.5, 0], [0, 0.5, 0]), _BALL), "One root is past the end: one crossing."
    ),
    "segment wholly inside a ball": Case(
        "crossings",
        (Segment([-0.5, 0.25, 0], [0.5, 0.25, 0]), _BALL),
        "No root is on the segment: an article takes that for a miss.",
    ),
    "segment that stops before a ball": Case(
        "crossings", (Segment([-4, 0.5, 0], [-2, 0.5, 0]), _BALL), "Its line goes through the ball, beyond its end."
    ),
    "line tangent to a ball": Case("crossings", (Line([0, 1, 0], [1, 0, 0]), _BALL), "One crossing, to rounding."),
    "line past a ball": Case("crossings", (Line([0, 2, 0], [1, 0, 0]), _BALL), "The foot is farther than the radius."),
    "segment without length in a ball": Case(
        "crossings", (Segment([0.5, 0, 0], [0.5, 0, 0]), _BALL), "An article would divide by zero."
    ),
    "segment without length on a ball": Case(
        "crossings", (Segment([1, 0, 0], [1, 0, 0]), _BALL), "It touches, and crosses once."
    ),
    "segment without length beside a ball": Case(
        "crossings", (Segment([3, 0, 0], [3, 0, 0]), _BALL), "It is a point outside."
    ),
    "line through the middle of a capsule": Case(
        "crossings", (Line([0, 0, 0.25], [1, 0, 0.25]), _CAPSULE), "In and out by the wall of the cylinder."
    ),
    "line through the caps of a capsule": Case(
        "crossings", (Line([0, 0.125, 0], [1, 0, 4]), _CAPSULE), "In and out by the balls at its ends."
    ),
    "line along a capsule": Case(
        "crossings", (Line([0.25, 0, 0], [0, 0, 1]), _CAPSULE), "In by the ball at one end, out by the other."
    ),
    "line past a capsule": Case("crossings", (Line([2, 0, 0], [0, 1, 0]), _CAPSULE), "Farther than the radius."),
    "line tangent to a capsule": Case("crossings", (Line([0.5, 0, 0], [0, 1, 0]), _CAPSULE), "One crossing."),
    "line through a capsule without length": Case(
        "crossings",
        (Line([0, 0, 0], [1, 0, 0]), Capsule([0, 0, 0], [0, 0, 0], 1)),
        "A capsule without length is a ball.",
    ),
    "segment through a box": Case("crossings", (Segment([-4, -1, 0], [4, 1, 0.5]), _BOX), "Three slabs, one part."),
    "line level with two faces of a box": Case(
        "crossings", (Line([0, 0, 0], [1, 0, 0]), AABB([-1, -1, -1], [1, 1, 1])), "Only one slab narrows it."
    ),
    "line past a box": Case("crossings", (Line([0, 4, 0], [1, 0, 0]), _BOX), "Outside where it is nearest."),
    "line through a half-space": Case(
        "crossings", (Line([0, 0, 1], [1, 0, -1]), _GROUND), "One crossing, inside without end."
    ),
    "line level over a half-space": Case("crossings", (Line([0, 0, 1], [1, 0, 0]), _GROUND), "Level, and outside."),
}

_RAYCASTS = {
    "ray into a ball": Case("raycast", (Ray([-3, 0.5, 0], [1, 0, 0]), _BALL), "It enters by the smaller root."),
    "ray from inside a ball": Case(
        "raycast", (Ray([0, 0.5, 0], [1, 0, 0]), _BALL), "It hits at zero, with a normal against itself."
    ),
    "ray off the surface of a ball": Case(
        "raycast", (Ray([1, 0, 0], [1, 0, 0]), _BALL), "It starts in touch, and leaves at once."
    ),
    "ray that grazes from the surface of a ball": Case(
        "raycast", (Ray([0, 1, 0], [1, 0, 0]), _BALL), "It starts on the surface, and hits there."
    ),
    "ray that does not reach a ball": Case(
        "raycast", (Ray([-4, 0, 0], [1, 0, 0]), _BALL), "It goes no farther than two.", {"max_distance": 2.0}
    ),
    "ray into a capsule": Case("raycast", (Ray([-3, 0.25, 0], [1, 0, 0.25]), _CAPSULE), "By the wall."),
    "ray into a box": Case("raycast", (Ray([-4, -1, 0.5], [4, 1, 0]), _BOX), "By the slab that it enters last."),
    "ray into a half-space": Case("raycast", (Ray([0, 0, 2], [1, 0, -1]), _GROUND), "It never leaves again."),
}

_CAPSULE_SPACE = {
    "sphere beside a capsule collider": Case(
        "sphere_test", (_PILL, Transform([1, 0, 0]), Sphere([1.75, 0.5, 0], 0.25)), "The foot lies on the axis."
    ),
    "sphere beyond a capsule collider": Case(
        "sphere_test", (_PILL, Transform(), Sphere([0, 2.25, 0], 0.5)), "The foot is clamped to the end."
    ),
    "capsule collider of scale two": Case(
        "sphere_test",
        (_PILL, Transform(scale=2), Sphere([1.75, 0, 0], 0.5)),
        "The test says that they touch, and they do not: the radius of the sphere was not scaled.",
    ),
    "capsule collider shorter than two radii": Case(
        "sphere_test",
        (CapsuleCollider([0, 0, 0], "y", 0.5, 0.5), Transform(), Sphere([0, 1.25, 0], 0.5)),
        "Its ends have changed places.",
    ),
    "capsule collider that is a ball": Case(
        "sphere_test",
        (CapsuleCollider([0, 0, 0], "y", 1, 0.5), Transform(), Sphere([0.5, 0, 0], 0.25)),
        "There is no rate.",
    ),
}

_MORE_CROSSINGS = {
    "line level inside a half-space": Case(
        "crossings", (Line([0, 0, -1], [1, 0, 0]), _GROUND), "All of it is inside, and it crosses nothing."
    ),
    "segment through a segment": Case(
        "crossings", (Segment([-2, 0, 0], [2, 0, 0]), _ROD), "Without a radius, the normal is against the line."
    ),
    "segment up through the start of a segment": Case(
        "crossings", (Segment([-1, 0, -2], [1, 0, 0]), _ROD), "At an end the normal may lead on along the axis."
    ),
    "segment down through the start of a segment": Case(
        "crossings", (Segment([-1, 0, 0], [1, 0, -2]), _ROD), "There it may not lead back into the axis."
    ),
    "segment up through the end of a segment": Case(
        "crossings", (Segment([-1, 0, 0], [1, 0, 2]), _ROD), "There it may not lead back into the axis."
    ),
    "segment down through the end of a segment": Case(
        "crossings", (Segment([-1, 0, 2], [1, 0, 0]), _ROD), "At an end the normal may lead on along the axis."
    ),
    "segment through a segment without length": Case(
        "crossings", (Segment([-1, 0, 0], [1, 0, 0]), Segment([0, 0, 0], [0, 0, 0])), "That is a point."
    ),
    "segment through a line": Case(
        "crossings", (Segment([-1, 0, 0], [1, 0, 0]), Line([0, 0, 0], [0, 0, 1])), "The axis has no ends."
    ),
    "line along a line": Case("crossings", (Line([0, 0, 0], [0, 0, 1]), Line([0, 0, 3], [0, 0, 1])), "Neither ends."),
    "line along a ray": Case(
        "crossings",
        (Line([0, 0, 0], [0, 0, 1]), Ray([0, 0, 3], [0, 0, 1])),
        "In at the start, and never out.",
    ),
    "line against a ray": Case(
        "crossings",
        (Line([0, 0, 0], [0, 0, -1]), Ray([0, 0, 3], [0, 0, 1])),
        "In from far away, out at the start.",
    ),
    "segment without length beside a point": Case(
        "crossings", (Segment([0, 0, 2], [0, 0, 2]), Point([0, 0, 0])), "Two points, apart."
    ),
    "segment without length on a point": Case(
        "crossings", (Segment([0, 0, 0], [0, 0, 0]), Point([0, 0, 0])), "Two points in one place: up is taken."
    ),
    "segment that ends on a half-space": Case(
        "crossings", (Segment([0, 0, 2], [0, 0, 0]), _GROUND), "It touches with its end."
    ),
    "ray that leaves the plane of a half-space": Case(
        "crossings", (Ray([0, 0, 0], [1, 0, 1]), _GROUND), "It touches with its start."
    ),
    "ray off a ball": Case("crossings", (Ray([1, 0, 0], [1, 0, 0]), _BALL), "It touches with its start."),
    "segment that ends on a ball, far along": Case(
        "crossings", (Segment([3, 0, 0], [1, 0, 0]), _BALL), "It touches with its end."
    ),
    "segment that ends in a box": Case(
        "crossings", (Segment([-3, 0, 0], [0, 0, 0]), AABB([-1, -1, -1], [1, 1, 1])), "One crossing, and an end inside."
    ),
    "line through a flat box": Case(
        "crossings", (Line([0, 0, 0], [0, 1, 1]), AABB([-1, -1, 0], [1, 1, 0])), "In and out at once."
    ),
    "line through a box that is a segment": Case(
        "crossings", (Line([0, 0, 0], [0, 0, 1]), AABB([0, 0, -1], [0, 0, 1])), "Along it: level in two slabs."
    ),
    "line through a box that is a point": Case(
        "crossings", (Line([0, 0, 0], [0, 0, 1]), AABB([0, 0, 0], [0, 0, 0])), "No larger than rounding."
    ),
    "line past an edge of a box": Case(
        "crossings", (Line([1, 1, 0], [1, -1, 0]), AABB([-1, -1, -1], [1, 1, 1])), "It touches in one point."
    ),
}

_MORE_RAYCASTS = {
    "ray that starts an ulp before a ball": Case(
        "raycast", (Ray([-1.0000000000000002, 0, 0], [1, 0, 0]), _BALL), "It starts on the surface, to rounding."
    ),
    "ray past an edge of a box": Case(
        "raycast", (Ray([2, 0, 0], [-1, 1, 0]), AABB([-1, -1, -1], [1, 1, 1])), "It touches the edge."
    ),
    "ray into the top of a box": Case(
        "raycast",
        (Ray([0.25, 0.5, 4], [0, 0.125, -1]), AABB([-1, -1, -1], [1, 1, 1])),
        "Its normal is up.",
    ),
    "ray into the side of a box": Case(
        "raycast",
        (Ray([0.25, 4, 0.5], [0, -1, 0.125]), AABB([-1, -1, -1], [1, 1, 1])),
        "Its normal is along y.",
    ),
    "ray into a flat box": Case(
        "raycast", (Ray([0, 0, 2], [0, 0, -1]), AABB([-1, -1, 0], [1, 1, 0])), "The side is taken by which it comes in."
    ),
    "ray out of a flat box": Case(
        "raycast", (Ray([0, 0, 0], [0, 0, -1]), AABB([-1, -1, 0], [1, 1, 0])), "It starts on it."
    ),
    "ray into a point": Case("raycast", (Ray([-2, 0, 0], [1, 0, 0]), Point([0, 0, 0])), "A ball without a radius."),
}

CASTS = {**_CROSSINGS, **_MORE_CROSSINGS, **_RAYCASTS, **_MORE_RAYCASTS, **_CAPSULE_SPACE}


_LEANING = Line([1.000000000000004, 0, 0], [1.5e-15, 0, 1])

HARD_CASTS = {
    "ray off a ball, all but level with it": Case(
        "raycast", (Ray([0, 0, 1], [1, 0, 1e-9]), Sphere([0, 0, 0], 1)), "The part inside lies behind its start."
    ),
    "line that leans away from a capsule": Case(
        "crossings",
        (_LEANING, Capsule([0, 0, -4], [0, 0, 4], 1)),
        "It grazes the ball at the start, not the other.",
    ),
    "line that leans towards a capsule": Case(
        "crossings",
        (_LEANING, Capsule([0, 0, 4], [0, 0, -4], 1)),
        "It grazes the ball at the end, not the other.",
    ),
    "ray from afar, all but along a capsule": Case(
        "raycast",
        (
            Ray(
                [-612.5381739265188, -699.6620675271716, 325.50409842636697],
                [0.6220499996191374, 0.7075257872300131, -0.3353521408585033],
            ),
            Capsule(
                [7.047819249449382, 5.061134541663852, -8.519676808292795],
                [8.005355444810222, 6.150245627330135, -9.035892246377143],
                0.8982695598159263,
            ),
        ),
        "The endless cylinder is left far away: steps of Newton's method lead back.",
    ),
    "ray all but along a long thin capsule": Case(
        "raycast",
        (
            Ray(
                [-1.5595097019915611, -2051.901866186525, -2993.7541258729284],
                [-2.128964843502359e-13, 0.9527356577437965, 0.3038005372995503],
            ),
            Capsule(
                [-1.5590836380416695, 0.9421281407345922, -0.5076193100640639],
                [-1.5590836380416695, -1109.0202588982079, -2693.095767412408],
                0.00042606416058614836,
            ),
        ),
        "What leads into the axis at its end is rounding, and taken off.",
    ),
    "segment through a segment, to rounding": Case(
        "crossings",
        (
            Segment(
                [-0.5368366215328879, -0.23501268976578987, 0.4291562689784503],
                [-0.46762149316739854, -1.040577214225794, -0.22929053716570555],
            ),
            Segment(
                [-1.0580788282845892, -1.1418806385136284, -0.156809019605664],
                [-0.37936072940855525, -0.7141329993907842, 0.007392412829776582],
            ),
        ),
        "There is a gap, of rounding: its direction says nothing.",
    ),
    "segment that touches the end of a segment": Case(
        "crossings",
        (
            Segment(
                [1.1347008550114261, 0.04946288620472061, 0.3174224614446226],
                [0.3588308466980255, -1.3951448780050644, 0.26436216399340584],
            ),
            Segment(
                [0.8793947553949564, -0.42589660675700625, 0.2999625552211462],
                [1.3640562375141525, 0.4765042240275231, 0.33310764670405396],
            ),
        ),
        "The two are all but parallel.",
    ),
    "segment that touches an edge of a box, to rounding": Case(
        "crossings",
        (
            Segment(
                [0.9171879661287186, 1.5102344620282453, -0.17910469983289481],
                [1.3734908634122376, 1.6374469124028617, -0.22442499159239251],
            ),
            OrientedBox(
                [1.5257328394806677, 2.4619864799923237, -0.19607205891129648],
                [
                    [-0.9237587515440958, 0.3149727485974101, -0.21785760621719502],
                    [0.19879842935311867, 0.8805824775728449, 0.4301786659963548],
                    [0.32733614745766587, 0.3540715575030886, -0.8760618578244977],
                ],
                [0.5763098560590665, 0.8924111081950841, 0.2944416183735714],
            ),
        ),
        "The slabs have nothing in common, but for rounding.",
    ),
    "ray that touches a large ball far away": Case(
        "crossings",
        (
            Ray(
                [-526453.2541573661, 464664.20863283967, 1141770.800554427],
                [7.173083123263582e-13, -2.224972869588185e-12, -1.0],
            ),
            Sphere([-941216.7361898283, 1758519.130311126, 1141770.800554427], 1358708.690035806),
        ),
        "Where it grazes is known to the root of rounding only.",
    ),
    "segment that ends on a leaning half-space, to rounding": Case(
        "crossings",
        (Segment([-2, 1, 0], [0.25, 0, -0.5]), HalfSpace([-1, -3.5076923076923077, -0.061538461538461096], [0, 1, 8])),
        "The end of the segment touches, and the line goes in beyond it.",
    ),
}
