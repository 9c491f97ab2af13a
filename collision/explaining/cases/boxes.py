"""Cases of boxes: with points, along the axes, at angles, and nearly special, where rounding decides how far to go."""

from __future__ import annotations

from collision.explaining.cases.case import intersects, signed_distance
from collision.shapes.kinds import AABB, OrientedBox, Point, Sphere

_ROOM = AABB([0, 0, 0], [4, 3, 2])
_CRATE = OrientedBox([0, 0, 0], [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]], [2, 1, 0.5])

_POINTS = {
    "ball beside a box": signed_distance("One coordinate is clamped.", Sphere([6, 1, 1], 1), _ROOM),
    "ball over the corner of a box": signed_distance(
        "All coordinates are clamped, to the corner.", Sphere([5, 4, 4], 1), _ROOM
    ),
    "ball beside a turned box": signed_distance(
        "The center is taken into the box's own space first.", Sphere([3, 3, 1], 1), _CRATE
    ),
    "ball whose center is in a turned box": signed_distance(
        "From inside, the nearest face is the way out.", Sphere([0.5, 0.9, 0.2], 0.25), _CRATE
    ),
    **{
        f"point below the {name} of a box": signed_distance(
            f"From inside, the {name} is the nearest of the six faces.", Point(at), _ROOM
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
    "point on the face of a box": intersects(
        "On the surface the depth is zero, and that counts as touching.", Point([2, 1.5, 2]), _ROOM
    ),
    "point in the middle of a cube": signed_distance(
        "All faces are as near; the first is taken.", Point([1, 1, 1]), AABB([0, 0, 0], [2, 2, 2])
    ),
    "point against a box, as an article has it": intersects(
        "Each coordinate is compared with the least and the greatest one.", Point([1, 1, 3]), _ROOM
    ),
    "ball that touches a box, as an article has it": intersects(
        "They touch exactly: by the article's code that is no collision.", Sphere([5, 1, 1], 1), _ROOM
    ),
    "ball without a radius in a box, as an article has it": intersects(
        "Its distance is its radius, which the article's code takes for apart.", Sphere([1, 1, 1], 0), _ROOM
    ),
    "balls that overlap, as an article has it": intersects(
        "The distance of the centers is less than the radii.", Sphere([0, 0, 0], 1), Sphere([1, 1, 0], 1)
    ),
}

_ALIGNED = {
    "boxes apart along one axis": signed_distance(
        "Only x parts the two.", AABB([0, 0, 0], [1, 1, 1]), AABB([2, 0.5, 0.25], [3, 2, 0.75])
    ),
    "boxes apart along all axes": signed_distance(
        "Corner faces corner.", AABB([3, 3, 3], [4, 4, 4]), AABB([0, 0, 0], [1, 2, 1])
    ),
    "boxes apart along y, the other way": signed_distance(
        "Now B comes first along y.", AABB([0, 3, 0], [1, 4, 1]), AABB([0, 0, 0], [1, 2, 1])
    ),
    "boxes apart along z": signed_distance(
        "Now B comes first along z.", AABB([0, 0, 3], [1, 1, 4]), AABB([0, 0, 0], [1, 1, 1])
    ),
    "boxes that touch face to face": intersects(
        "A gap of zero counts as touching.", AABB([0, 0, 0], [1, 1, 1]), AABB([1, 0, 0], [2, 1, 1])
    ),
    **{
        f"boxes that overlap least along {axis}, {side}": signed_distance(
            f"The shortest way out is along {axis}.", *(pair if side == "upwards" else pair[::-1])
        )
        for axis, pair in {
            "x": (AABB([0, 0, 0], [2, 2, 2]), AABB([1.75, 0.5, 0.5], [3, 3, 3])),
            "y": (AABB([0, 0, 0], [2, 2, 2]), AABB([0.5, 1.75, 0.5], [3, 3, 3])),
            "z": (AABB([0, 0, 0], [2, 2, 2]), AABB([0.5, 0.5, 1.75], [3, 3, 3])),
        }.items()
        for side in ("upwards", "downwards")
    },
    "boxes against each other, as an article has it": intersects(
        "Of six comparisons one fails.", AABB([0, 0, 0], [2, 2, 2]), AABB([1, 1, 3], [3, 3, 4])
    ),
}

_CORNER_DOWN = [[2 / 3, -1 / 3, 2 / 3], [2 / 3, 2 / 3, -1 / 3], [-1 / 3, 2 / 3, 2 / 3]]

_TURNED = {
    "corner of a box over the face of another": signed_distance(
        "A face decides, and the step along its normal is all there is.",
        _CRATE,
        OrientedBox([4, 0, 0], _CORNER_DOWN, [1, 1, 1]),
    ),
    "edge of a box beside the edge of another": signed_distance(
        "The search slides along edges to the nearest points.",
        _CRATE,
        OrientedBox([2.5, 2.5, 1], _CORNER_DOWN, [1, 1, 1]),
    ),
    "boxes at angles that overlap": signed_distance(
        "No axis parts them; the least overlap is the way out.",
        _CRATE,
        OrientedBox([1.5, 1, 0.5], _CORNER_DOWN, [1, 1, 1]),
    ),
    "turned box in a box along the axes": signed_distance(
        "Some edges are parallel and have no axis.", AABB([-2, -2, -2], [2, 2, 2]), _CRATE
    ),
    "turned box beside a box along the axes": signed_distance(
        "A face parts them, so no pair of edges is asked.", AABB([3, -2, -2], [4, 2, 2]), _CRATE
    ),
    "boxes with the same axes": signed_distance(
        "Faces that face each other: the middles of where they are level serve.",
        _CRATE,
        OrientedBox([1, 2.5, 0.25], [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]], [1, 1, 1]),
    ),
}

BOXES = {**_POINTS, **_ALIGNED, **_TURNED}


HARD_BOXES = {
    "chip that grazes a huge box, far away": signed_distance(
        "Several axes are equally short to rounding; they are tried until the points fit.",
        OrientedBox(
            [-33762103096.85674, -10408150427.127117, -16572303900.069262],
            [
                [0.8213365644735321, 0.3889577374513257, -0.4172746413761088],
                [-0.4741002801775312, 0.8722351817632868, -0.12014454640120613],
                [0.31723047173057184, 0.29650913336878965, 0.9008036199052973],
            ],
            [18701.524188552135, 21678.791525390585, 20557.745828705112],
        ),
        OrientedBox(
            [-33762097846.08789, -10408122532.384539, -16572319731.998135],
            [
                [-0.4172746413761088, -0.8213365644735321, -0.3889577374513257],
                [-0.12014454640120613, 0.4741002801775312, -0.8722351817632868],
                [0.9008036199052973, -0.31723047173057184, -0.29650913336878965],
            ],
            [1.9182182161701848, 1.0188153710131664, 0.0],
        ),
    ),
    "edge just over the face of a box of the same size, far away": signed_distance(
        "Twelve slides are not enough, so the search is run once more from the other box.",
        OrientedBox(
            [-2106095.875665506, 689730.4974757332, -1617686.6432609914],
            [
                [-0.041939074050099, -0.6110508155695655, -0.7904796106539301],
                [0.998079252834708, 0.010482804234333232, -0.06105666119512043],
                [0.04559516562895005, -0.7915219590176594, 0.6094375023446746],
            ],
            [1.2571024369925887, 1.6216322558312009, 1.7227096419243964],
        ),
        OrientedBox(
            [-2106095.8584918245, 689727.5215571771, -1617687.020451024],
            [
                [0.1268753378189444, 0.9910316483472473, 0.041939487687219106],
                [0.05058556338695163, 0.03576159494840675, -0.9980792599305782],
                [-0.9906279571212159, 0.12875317588659219, -0.04559462982592144],
            ],
            [1.2571024369925887, 1.6216322558312009, 1.7227096419243964],
        ),
    ),
    "chip at the edge of a huge thin box": signed_distance(
        "The first points do not fit to rounding, so all edges are tried.",
        OrientedBox(
            [88150.57368811058, -79882.10750862624, -111636.26544204711],
            [
                [0.7636835715317458, 0.13065952521936394, -0.6322305679433468],
                [-0.17496340637048466, -0.9007679440688201, -0.39749832373139243],
                [-0.6214299711180279, 0.4141801533239861, -0.6650410450406545],
            ],
            [2495.703164065626, 88661.37313766406, 3.926594291897083e-05],
        ),
        OrientedBox(
            [101642.27577256502, -160182.90528227005, -76466.15650953486],
            [
                [0.6322305685078619, -0.7636835715317458, 0.1306595224878086],
                [0.39749831983962003, 0.17496340637048466, -0.9007679457862136],
                [0.665041046830122, 0.6214299711180279, 0.4141801504506729],
            ],
            [0.0, 1.6294044283675488, 0.5918788324151878],
        ),
    ),
    "cube that all but touches another, turned by a hair": signed_distance(
        "The gap is so small that its own direction is noise.",
        OrientedBox(
            [-162450.02425079577, -230312.20316030024, -335224.1504352028],
            [
                [-0.5368708799940746, -0.1375532309870245, -0.8323753761731655],
                [-0.4783186246257995, -0.7631000747761519, 0.4346142763563057],
                [-0.6949683097454674, 0.6314723941089286, 0.34389193641006827],
            ],
            [1.0, 1.0, 1.0],
        ),
        OrientedBox(
            [-162451.77369123368, -230313.35503675093, -335224.8840116923],
            [
                [-0.536870879994061, 0.13755323098697758, 0.832375376173182],
                [-0.47831862462584396, 0.7631000747761425, -0.43461427635627337],
                [-0.6949683097454472, -0.6314723941089503, -0.34389193641006915],
            ],
            [1.0, 1.0, 1.0],
        ),
    ),
    "box that dips into a huge one": signed_distance(
        "Of several ways out that are equally short to rounding, the one that fits is taken.",
        OrientedBox(
            [413742.6544052649, -298294.27939811145, 237898.41266384622],
            [
                [0.911009910551936, 0.2716822812584498, -0.31024132691560863],
                [-0.32172065153345225, 0.9388720314853815, -0.12253624309323025],
                [0.2579859787915692, 0.21144277368762637, 0.9427275259597752],
            ],
            [745029.3851731936, 339562.93078971823, 791843.0736269667],
        ),
        OrientedBox(
            [243055.42858685675, 10408.445536132087, -618095.3857871948],
            [
                [-0.31024132691560863, 0.2716822812584498, -0.911009910551936],
                [-0.12253624309323025, 0.9388720314853815, 0.32172065153345225],
                [0.9427275259597752, 0.21144277368762637, -0.2579859787915692],
            ],
            [2.0, 1.0, 2.0],
        ),
    ),
    "stick that touches the edge of a box": signed_distance(
        "Neither search finds points that fit, so all twenty-four edges are tried.",
        OrientedBox(
            [0.0, 0.0, -0.0],
            [
                [0.5793517767668324, 0.08508261766550412, -0.8106247386604356],
                [-0.042213351838883334, -0.9900700704084748, -0.13408686963265085],
                [-0.8139837539433085, 0.11190265346515474, -0.5700072319399256],
            ],
            [0.018296577671436904, 0.013953526284180928, 71.80391965649454],
        ),
        OrientedBox(
            [58.546203819909415, 11.068790307700462, 39.106945595787224],
            [
                [-0.911666243605222, -0.15866024317370125, -0.37906673226070037],
                [0.23321363486344948, -0.9592761875668836, -0.15937564582119185],
                [-0.3383431110345253, -0.23370092683429025, 0.911541450517897],
            ],
            [1.0, 1.0, 2.0],
        ),
    ),
}
