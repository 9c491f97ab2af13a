"""Cases of lines that meet shapes where rounding decides: found by chance, among some thousand hard ones."""

from __future__ import annotations

from collision.explaining.cases.case import Case
from collision.shapes.kinds import Capsule, HalfSpace, Line, OrientedBox, Ray, Segment, Sphere

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
