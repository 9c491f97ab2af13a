"""Cases of straight sweeps where rounding decides, or features are left on the way: found among some thousands."""

from __future__ import annotations

from collections.abc import Sequence

from collision.explaining.cases.case import Case
from collision.scene.scene import Scene
from collision.shapes.kinds import AABB, Capsule, Line, OrientedBox, Point, Ray, Segment, Sphere
from collision.shapes.motion import Motion
from collision.shapes.shape import Shape


def _moved(a: Shape, b: Shape, motion: Sequence[float], says: str) -> Case:
    return Case("sweep", (a, b), says, {"motion": motion})


HARD_SWEEPS = {
    "ball that flies past a point": _moved(
        Sphere([4, 1, 4], 2), Point([2, 1, -3]), [1, 2, 1], "It never came nearer than at the start."
    ),
    "ray that flies past a ray": _moved(
        Ray([0, 0, 0], [1, 1, 0]),
        Ray([-1, 1, 1], [-2, -3, -3]),
        [1, 0, 4],
        "The tangent is zero only long after the end.",
    ),
    "segment that meets an edge of a flat box": _moved(
        Segment([-3, -2, 1], [0, -1, -1]),
        OrientedBox([-1, 2, -1], [0, 1, 0, 1], [2, 0, 1]),
        [0, 4, -1],
        "Of what has no thickness there is no gap at the touch: the normal before is kept.",
    ),
    "flat box that touches a box at the very end": _moved(
        AABB([0, 0, 3], [1, 0, 3]), AABB([4, 0, -1], [4, 0, 1]), [3, 0, 0], "They do not meet on the way."
    ),
    "point that comes to a corner of a box": _moved(
        Point([-1, -2, 2]),
        AABB([-2, 0, 0], [-1, 1, 2]),
        [0, 2, -2],
        "The normal of the touch turns from an edge to a face.",
    ),
    "rays that cross in flight": _moved(
        Ray([-3, -2, 2], [3, 1, 0]),
        Ray([-1, -1, 3], [2, -2, -2]),
        [1, -2, 1],
        "The last bit of the gap has any direction: a normal is looked for aside.",
    ),
    "ray that flies over a segment": _moved(
        Ray([0, 2, 0], [4, -1, 0]), Segment([3, 4, 0], [0, 0, -1]), [-3, -1, -1], "They touch, and part at once."
    ),
    "flat box that ends in touch with a box": _moved(
        OrientedBox([-3, 0, 1], [1, 0, 0, 3], [1, 2, 0]),
        AABB([-1, 1, 0], [1, 2, 2]),
        [1, 2, -1],
        "What is at the end decides.",
    ),
    "ray through a segment, to rounding": _moved(
        Ray(
            [0.4386062229794867, 0.607577708647492, -0.5318990804410281],
            [0.9334603753422892, 0.16551247328163762, 0.3182095989344565],
        ),
        Segment(
            [-0.48722763755937937, -0.8206779250902122, -0.7483996900145241],
            [0.485737774698906, 0.6415379229845654, -0.5179515616487346],
        ),
        [-0.04540106143822559, 0.139246888737846, -0.027669153434426504],
        "Rounding led past the touch, right through: a step back.",
    ),
    "points that meet, far away": _moved(
        Point([-562283.3234868299, -606279.8785712095, -57841.70153490742]),
        Point([-562283.3030311238, -606279.8810864058, -57842.12615571035]),
        [0.026462092125909595, -0.0032537305446032104, -0.5493017353486792],
        "The last bit of the gap has any direction.",
    ),
    "balls that graze, far away": _moved(
        Sphere([-535311.1326151437, -177234.11441005062, -708606.1383306652], 0.40651192521693763),
        Sphere([-535310.5297315306, -177234.1110047626, -708607.2413317554], 0.5542732152884422),
        [0.8574020160780944, -0.8634560400752394, -0.5010645141444869],
        "The motion leads out of one normal and into the next: the one between them is level with it.",
    ),
    "short segment that flies to a small ball from very far": _moved(
        Segment(
            [848.6940466856336, 4294837871798.09, 18881.53660872359],
            [849.7705575947275, 4294837871797.1606, 18881.72035996415],
        ),
        Sphere([-1103.6737586578213, -3096.423950145499, 6788.591103695692], 0.71941719416947),
        [-2223.6789540446775, -4889783027488.669, -13767.619357372621],
        "A place on so long a way is known to a thousandth.",
    ),
    "point that flies to a line from afar": _moved(
        Point([20.96541460232089, -14.178696093953306, 97.9310572069413]),
        Line(
            [8.17384941396626, -2.4929112402396516, 12.55856289684939],
            [0.637777459230291, -0.531239101107351, 0.5576960910320312],
        ),
        [-12.759701211773725, 11.659243636190894, -85.34463127585211],
        "The last step, from a gap of rounding, would lead beyond the end.",
    ),
    "rays that are all but parallel, and graze": _moved(
        Ray([175.19378193882517, 447.9706389873648, 285.75586182456414], [1, 0, 0]),
        Ray(
            [174.7472617869163, 379.2818629151818, 285.7558620044197],
            [1.0, 3.976037938846464e-12, 2.220445756375859e-16],
        ),
        [5.6441025114704966e-11, -73.3454496533873, 1.4407302812772854e-13],
        "Each step only halves the way, and no touch is found.",
    ),
    "line that grazes a capsule as wide as a town": _moved(
        Line([2.161191679785565, 35293.95650771602, 11104.283815064598], [0, -1, 0]),
        Capsule(
            [91147.69049983722, 1955.0246294390097, 1021.6360835918244],
            [91147.69049983722, 0.44084355218319615, -1.2655433928647994],
            91145.52930724039,
        ),
        [8.24430556869336e-06, -107069.30165806395, -99840.07201693137],
        "A normal is looked for aside of each that is known, ever nearer.",
    ),
    "segment that a flat box meets, but for a margin": Case(
        "touching_intervals",
        (
            Scene(
                {"a": AABB([3, -2, 0], [4, 0, 2]), "b": Segment([-2, -1, 2], [4, 1, 2])},
                motion=[Motion("a", times=[0, 1], offsets=[[0, 0, 1], [3, 3, 4]])],
            ),
        ),
        "At the end of the interval, a normal is looked for aside.",
        {"margin": 1e-300},
    ),
}
