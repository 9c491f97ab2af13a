"""Cases of lines, rays and segments that meet shapes, of a sphere in capsule space, and those that rounding decides."""

from __future__ import annotations

from collision.explaining.cases.case import crossings, raycast, sphere_test
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
    "segment through a ball": crossings(
        "Both roots are on the segment: two crossings.", Segment([-2, 0.5, 0], [2, 0.5, 0]), _BALL
    ),
    "segment that ends in a ball": crossings(
        "One root is past the end: one crossing.", Segment([-2, 0.5, 0], [0, 0.5, 0]), _BALL
    ),
    "segment wholly inside a ball": crossings(
        "No root is on the segment: an article takes that for a miss.", Segment([-0.5, 0.25, 0], [0.5, 0.25, 0]), _BALL
    ),
    "segment that stops before a ball": crossings(
        "Its line goes through the ball, beyond its end.", Segment([-4, 0.5, 0], [-2, 0.5, 0]), _BALL
    ),
    "line tangent to a ball": crossings("One crossing, to rounding.", Line([0, 1, 0], [1, 0, 0]), _BALL),
    "line past a ball": crossings("The foot is farther than the radius.", Line([0, 2, 0], [1, 0, 0]), _BALL),
    "segment without length in a ball": crossings(
        "An article would divide by zero.", Segment([0.5, 0, 0], [0.5, 0, 0]), _BALL
    ),
    "segment without length on a ball": crossings(
        "It touches, and crosses once.", Segment([1, 0, 0], [1, 0, 0]), _BALL
    ),
    "segment without length beside a ball": crossings("It is a point outside.", Segment([3, 0, 0], [3, 0, 0]), _BALL),
    "line through the middle of a capsule": crossings(
        "In and out by the wall of the cylinder.", Line([0, 0, 0.25], [1, 0, 0.25]), _CAPSULE
    ),
    "line through the caps of a capsule": crossings(
        "In and out by the balls at its ends.", Line([0, 0.125, 0], [1, 0, 4]), _CAPSULE
    ),
    "line along a capsule": crossings(
        "In by the ball at one end, out by the other.", Line([0.25, 0, 0], [0, 0, 1]), _CAPSULE
    ),
    "line past a capsule": crossings("Farther than the radius.", Line([2, 0, 0], [0, 1, 0]), _CAPSULE),
    "line tangent to a capsule": crossings("One crossing.", Line([0.5, 0, 0], [0, 1, 0]), _CAPSULE),
    "line through a capsule without length": crossings(
        "A capsule without length is a ball.", Line([0, 0, 0], [1, 0, 0]), Capsule([0, 0, 0], [0, 0, 0], 1)
    ),
    "segment through a box": crossings("Three slabs, one part.", Segment([-4, -1, 0], [4, 1, 0.5]), _BOX),
    "line level with two faces of a box": crossings(
        "Only one slab narrows it.", Line([0, 0, 0], [1, 0, 0]), AABB([-1, -1, -1], [1, 1, 1])
    ),
    "line past a box": crossings("Outside where it is nearest.", Line([0, 4, 0], [1, 0, 0]), _BOX),
    "line through a half-space": crossings("One crossing, inside without end.", Line([0, 0, 1], [1, 0, -1]), _GROUND),
    "line level over a half-space": crossings("Level, and outside.", Line([0, 0, 1], [1, 0, 0]), _GROUND),
}

_RAYCASTS = {
    "ray into a ball": raycast("It enters by the smaller root.", Ray([-3, 0.5, 0], [1, 0, 0]), _BALL),
    "ray from inside a ball": raycast(
        "It hits at zero, with a normal against itself.", Ray([0, 0.5, 0], [1, 0, 0]), _BALL
    ),
    "ray off the surface of a ball": raycast(
        "It starts in touch, and leaves at once.", Ray([1, 0, 0], [1, 0, 0]), _BALL
    ),
    "ray that grazes from the surface of a ball": raycast(
        "It starts on the surface, and hits there.", Ray([0, 1, 0], [1, 0, 0]), _BALL
    ),
    "ray that does not reach a ball": raycast(
        "It goes no farther than two.", Ray([-4, 0, 0], [1, 0, 0]), _BALL, max_distance=2.0
    ),
    "ray into a capsule": raycast("By the wall.", Ray([-3, 0.25, 0], [1, 0, 0.25]), _CAPSULE),
    "ray into a box": raycast("By the slab that it enters last.", Ray([-4, -1, 0.5], [4, 1, 0]), _BOX),
    "ray into a half-space": raycast("It never leaves again.", Ray([0, 0, 2], [1, 0, -1]), _GROUND),
}

_CAPSULE_SPACE = {
    "sphere beside a capsule collider": sphere_test(
        "The foot lies on the axis.", _PILL, Transform([1, 0, 0]), Sphere([1.75, 0.5, 0], 0.25)
    ),
    "sphere beyond a capsule collider": sphere_test(
        "The foot is clamped to the end.", _PILL, Transform(), Sphere([0, 2.25, 0], 0.5)
    ),
    "capsule collider of scale two": sphere_test(
        "The test says that they touch, and they do not: the radius of the sphere was not scaled.",
        _PILL,
        Transform(scale=2),
        Sphere([1.75, 0, 0], 0.5),
    ),
    "capsule collider shorter than two radii": sphere_test(
        "Its ends have changed places.",
        CapsuleCollider([0, 0, 0], "y", 0.5, 0.5),
        Transform(),
        Sphere([0, 1.25, 0], 0.5),
    ),
    "capsule collider that is a ball": sphere_test(
        "There is no rate.", CapsuleCollider([0, 0, 0], "y", 1, 0.5), Transform(), Sphere([0.5, 0, 0], 0.25)
    ),
}

_MORE_CROSSINGS = {
    "line level inside a half-space": crossings(
        "All of it is inside, and it crosses nothing.", Line([0, 0, -1], [1, 0, 0]), _GROUND
    ),
    "segment through a segment": crossings(
        "Without a radius, the normal is against the line.", Segment([-2, 0, 0], [2, 0, 0]), _ROD
    ),
    "segment up through the start of a segment": crossings(
        "At an end the normal may lead on along the axis.", Segment([-1, 0, -2], [1, 0, 0]), _ROD
    ),
    "segment down through the start of a segment": crossings(
        "There it may not lead back into the axis.", Segment([-1, 0, 0], [1, 0, -2]), _ROD
    ),
    "segment up through the end of a segment": crossings(
        "There it may not lead back into the axis.", Segment([-1, 0, 0], [1, 0, 2]), _ROD
    ),
    "segment down through the end of a segment": crossings(
        "At an end the normal may lead on along the axis.", Segment([-1, 0, 2], [1, 0, 0]), _ROD
    ),
    "segment through a segment without length": crossings(
        "That is a point.", Segment([-1, 0, 0], [1, 0, 0]), Segment([0, 0, 0], [0, 0, 0])
    ),
    "segment through a line": crossings(
        "The axis has no ends.", Segment([-1, 0, 0], [1, 0, 0]), Line([0, 0, 0], [0, 0, 1])
    ),
    "line along a line": crossings("Neither ends.", Line([0, 0, 0], [0, 0, 1]), Line([0, 0, 3], [0, 0, 1])),
    "line along a ray": crossings(
        "In at the start, and never out.", Line([0, 0, 0], [0, 0, 1]), Ray([0, 0, 3], [0, 0, 1])
    ),
    "line against a ray": crossings(
        "In from far away, out at the start.", Line([0, 0, 0], [0, 0, -1]), Ray([0, 0, 3], [0, 0, 1])
    ),
    "segment without length beside a point": crossings(
        "Two points, apart.", Segment([0, 0, 2], [0, 0, 2]), Point([0, 0, 0])
    ),
    "segment without length on a point": crossings(
        "Two points in one place: up is taken.", Segment([0, 0, 0], [0, 0, 0]), Point([0, 0, 0])
    ),
    "segment that ends on a half-space": crossings("It touches with its end.", Segment([0, 0, 2], [0, 0, 0]), _GROUND),
    "ray that leaves the plane of a half-space": crossings(
        "It touches with its start.", Ray([0, 0, 0], [1, 0, 1]), _GROUND
    ),
    "ray off a ball": crossings("It touches with its start.", Ray([1, 0, 0], [1, 0, 0]), _BALL),
    "segment that ends on a ball, far along": crossings(
        "It touches with its end.", Segment([3, 0, 0], [1, 0, 0]), _BALL
    ),
    "segment that ends in a box": crossings(
        "One crossing, and an end inside.", Segment([-3, 0, 0], [0, 0, 0]), AABB([-1, -1, -1], [1, 1, 1])
    ),
    "line through a flat box": crossings(
        "In and out at once.", Line([0, 0, 0], [0, 1, 1]), AABB([-1, -1, 0], [1, 1, 0])
    ),
    "line through a box that is a segment": crossings(
        "Along it: level in two slabs.", Line([0, 0, 0], [0, 0, 1]), AABB([0, 0, -1], [0, 0, 1])
    ),
    "line through a box that is a point": crossings(
        "No larger than rounding.", Line([0, 0, 0], [0, 0, 1]), AABB([0, 0, 0], [0, 0, 0])
    ),
    "line past an edge of a box": crossings(
        "It touches in one point.", Line([1, 1, 0], [1, -1, 0]), AABB([-1, -1, -1], [1, 1, 1])
    ),
}

_MORE_RAYCASTS = {
    "ray that starts an ulp before a ball": raycast(
        "It starts on the surface, to rounding.", Ray([-1.0000000000000002, 0, 0], [1, 0, 0]), _BALL
    ),
    "ray past an edge of a box": raycast(
        "It touches the edge.", Ray([2, 0, 0], [-1, 1, 0]), AABB([-1, -1, -1], [1, 1, 1])
    ),
    "ray into the top of a box": raycast(
        "Its normal is up.", Ray([0.25, 0.5, 4], [0, 0.125, -1]), AABB([-1, -1, -1], [1, 1, 1])
    ),
    "ray into the side of a box": raycast(
        "Its normal is along y.", Ray([0.25, 4, 0.5], [0, -1, 0.125]), AABB([-1, -1, -1], [1, 1, 1])
    ),
    "ray into a flat box": raycast(
        "The side is taken by which it comes in.", Ray([0, 0, 2], [0, 0, -1]), AABB([-1, -1, 0], [1, 1, 0])
    ),
    "ray out of a flat box": raycast("It starts on it.", Ray([0, 0, 0], [0, 0, -1]), AABB([-1, -1, 0], [1, 1, 0])),
    "ray into a point": raycast("A ball without a radius.", Ray([-2, 0, 0], [1, 0, 0]), Point([0, 0, 0])),
}

CASTS = {**_CROSSINGS, **_MORE_CROSSINGS, **_RAYCASTS, **_MORE_RAYCASTS, **_CAPSULE_SPACE}


_LEANING = Line([1.000000000000004, 0, 0], [1.5e-15, 0, 1])

HARD_CASTS = {
    "ray off a ball, all but level with it": raycast(
        "The part inside lies behind its start.", Ray([0, 0, 1], [1, 0, 1e-9]), Sphere([0, 0, 0], 1)
    ),
    "line that leans away from a capsule": crossings(
        "It grazes the ball at the start, not the other.", _LEANING, Capsule([0, 0, -4], [0, 0, 4], 1)
    ),
    "line that leans towards a capsule": crossings(
        "It grazes the ball at the end, not the other.", _LEANING, Capsule([0, 0, 4], [0, 0, -4], 1)
    ),
    "ray from afar, all but along a capsule": raycast(
        "The endless cylinder is left far away: steps of Newton's method lead back.",
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
    "ray all but along a long thin capsule": raycast(
        "What leads into the axis at its end is rounding, and taken off.",
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
    "segment through a segment, to rounding": crossings(
        "There is a gap, of rounding: its direction says nothing.",
        Segment(
            [-0.5368366215328879, -0.23501268976578987, 0.4291562689784503],
            [-0.46762149316739854, -1.040577214225794, -0.22929053716570555],
        ),
        Segment(
            [-1.0580788282845892, -1.1418806385136284, -0.156809019605664],
            [-0.37936072940855525, -0.7141329993907842, 0.007392412829776582],
        ),
    ),
    "segment that touches the end of a segment": crossings(
        "The two are all but parallel.",
        Segment(
            [1.1347008550114261, 0.04946288620472061, 0.3174224614446226],
            [0.3588308466980255, -1.3951448780050644, 0.26436216399340584],
        ),
        Segment(
            [0.8793947553949564, -0.42589660675700625, 0.2999625552211462],
            [1.3640562375141525, 0.4765042240275231, 0.33310764670405396],
        ),
    ),
    "segment that touches an edge of a box, to rounding": crossings(
        "The slabs have nothing in common, but for rounding.",
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
    "ray that touches a large ball far away": crossings(
        "Where it grazes is known to the root of rounding only.",
        Ray(
            [-526453.2541573661, 464664.20863283967, 1141770.800554427],
            [7.173083123263582e-13, -2.224972869588185e-12, -1.0],
        ),
        Sphere([-941216.7361898283, 1758519.130311126, 1141770.800554427], 1358708.690035806),
    ),
    "segment that ends on a leaning half-space, to rounding": crossings(
        "The end of the segment touches, and the line goes in beyond it.",
        Segment([-2, 1, 0], [0.25, 0, -0.5]),
        HalfSpace([-1, -3.5076923076923077, -0.061538461538461096], [0, 1, 8]),
    ),
}
