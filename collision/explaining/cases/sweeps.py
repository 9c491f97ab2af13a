"""Cases of sweeps: straight ones, those that rounding decides, and those in which something turns."""

from __future__ import annotations

from collision.explaining.cases.case import sweep, sweep_steps, touching_intervals
from collision.scene.scene import Scene
from collision.shapes.kinds import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Sphere
from collision.shapes.motion import Motion
from collision.shapes.transforms import Transform

_BALL = Sphere([0, 0, 0], 1)
_BOX = OrientedBox([0, 0, 0], [0, 0, 1, 2], [2, 1, 1])


_QUARTER = Transform(rotation=[0, 0, 1, 1])

SWEEPS = {
    "ball that flies to a ball": sweep(
        "Each tangent ends before the touch.", _BALL, Sphere([5, 1, 0], 1), motion=[6, 0, 0]
    ),
    "ball that flies past a ball": sweep(
        "The distance grows again: the way is clear.", _BALL, Sphere([5, 3, 0], 0.5), motion=[9, 0, 0]
    ),
    "ball that stops short of a ball": sweep(
        "The tangent is zero beyond the end.", _BALL, Sphere([5, 0, 0], 1), motion=[2, 0, 0]
    ),
    "ball that grazes a ball": sweep(
        "A double root, where each step halves the way.", _BALL, Sphere([5, 2, 0], 1), motion=[6, 0, 0]
    ),
    "balls that touch from the start": sweep("They overlap already.", _BALL, Sphere([1.5, 0, 0], 1), motion=[1, 0, 0]),
    "box that flies to a ball": sweep(
        "Seen from the box, it is the ball that moves.", _BOX, Sphere([6, 1, 0], 1), motion=[5, 0, 0]
    ),
    "rod that swings to a post": sweep(
        "Steps that are certain to pass no touch.",
        Capsule([0, 0, 0], [5, 0, 0], 0.25),
        Capsule([3, 3, -1], [3, 3, 1], 0.5),
        end=_QUARTER,
    ),
    "box that spins over a floor": sweep(
        "A rotation about the normal costs nothing.",
        OrientedBox([0, 0, 2], [0, 0, 0, 1], [1, 1, 1]),
        HalfSpace([0, 0, 0], [0, 0, 1]),
        end=_QUARTER,
    ),
    "steps of a ball that flies to a ball": sweep_steps(
        "The same steps as those of the sweep.", _BALL, Sphere([5, 1, 0], 1), motion=[6, 0, 0]
    ),
}


HARD_SWEEPS = {
    "ball that flies past a point": sweep(
        "It never came nearer than at the start.", Sphere([4, 1, 4], 2), Point([2, 1, -3]), motion=[1, 2, 1]
    ),
    "ray that flies past a ray": sweep(
        "The tangent is zero only long after the end.",
        Ray([0, 0, 0], [1, 1, 0]),
        Ray([-1, 1, 1], [-2, -3, -3]),
        motion=[1, 0, 4],
    ),
    "segment that meets an edge of a flat box": sweep(
        "Of what has no thickness there is no gap at the touch: the normal before is kept.",
        Segment([-3, -2, 1], [0, -1, -1]),
        OrientedBox([-1, 2, -1], [0, 1, 0, 1], [2, 0, 1]),
        motion=[0, 4, -1],
    ),
    "flat box that touches a box at the very end": sweep(
        "They do not meet on the way.", AABB([0, 0, 3], [1, 0, 3]), AABB([4, 0, -1], [4, 0, 1]), motion=[3, 0, 0]
    ),
    "point that comes to a corner of a box": sweep(
        "The normal of the touch turns from an edge to a face.",
        Point([-1, -2, 2]),
        AABB([-2, 0, 0], [-1, 1, 2]),
        motion=[0, 2, -2],
    ),
    "rays that cross in flight": sweep(
        "The last bit of the gap has any direction: a normal is looked for aside.",
        Ray([-3, -2, 2], [3, 1, 0]),
        Ray([-1, -1, 3], [2, -2, -2]),
        motion=[1, -2, 1],
    ),
    "ray that flies over a segment": sweep(
        "They touch, and part at once.", Ray([0, 2, 0], [4, -1, 0]), Segment([3, 4, 0], [0, 0, -1]), motion=[-3, -1, -1]
    ),
    "flat box that ends in touch with a box": sweep(
        "What is at the end decides.",
        OrientedBox([-3, 0, 1], [1, 0, 0, 3], [1, 2, 0]),
        AABB([-1, 1, 0], [1, 2, 2]),
        motion=[1, 2, -1],
    ),
    "ray through a segment, to rounding": sweep(
        "Rounding led past the touch, right through: a step back.",
        Ray(
            [0.4386062229794867, 0.607577708647492, -0.5318990804410281],
            [0.9334603753422892, 0.16551247328163762, 0.3182095989344565],
        ),
        Segment(
            [-0.48722763755937937, -0.8206779250902122, -0.7483996900145241],
            [0.485737774698906, 0.6415379229845654, -0.5179515616487346],
        ),
        motion=[-0.04540106143822559, 0.139246888737846, -0.027669153434426504],
    ),
    "points that meet, far away": sweep(
        "The last bit of the gap has any direction.",
        Point([-562283.3234868299, -606279.8785712095, -57841.70153490742]),
        Point([-562283.3030311238, -606279.8810864058, -57842.12615571035]),
        motion=[0.026462092125909595, -0.0032537305446032104, -0.5493017353486792],
    ),
    "balls that graze, far away": sweep(
        "The motion leads out of one normal and into the next: the one between them is level with it.",
        Sphere([-535311.1326151437, -177234.11441005062, -708606.1383306652], 0.40651192521693763),
        Sphere([-535310.5297315306, -177234.1110047626, -708607.2413317554], 0.5542732152884422),
        motion=[0.8574020160780944, -0.8634560400752394, -0.5010645141444869],
    ),
    "short segment that flies to a small ball from very far": sweep(
        "A place on so long a way is known to a thousandth.",
        Segment(
            [848.6940466856336, 4294837871798.09, 18881.53660872359],
            [849.7705575947275, 4294837871797.1606, 18881.72035996415],
        ),
        Sphere([-1103.6737586578213, -3096.423950145499, 6788.591103695692], 0.71941719416947),
        motion=[-2223.6789540446775, -4889783027488.669, -13767.619357372621],
    ),
    "point that flies to a line from afar": sweep(
        "The last step, from a gap of rounding, would lead beyond the end.",
        Point([20.96541460232089, -14.178696093953306, 97.9310572069413]),
        Line(
            [8.17384941396626, -2.4929112402396516, 12.55856289684939],
            [0.637777459230291, -0.531239101107351, 0.5576960910320312],
        ),
        motion=[-12.759701211773725, 11.659243636190894, -85.34463127585211],
    ),
    "rays that are all but parallel, and graze": sweep(
        "Each step only halves the way, and no touch is found.",
        Ray([175.19378193882517, 447.9706389873648, 285.75586182456414], [1, 0, 0]),
        Ray(
            [174.7472617869163, 379.2818629151818, 285.7558620044197],
            [1.0, 3.976037938846464e-12, 2.220445756375859e-16],
        ),
        motion=[5.6441025114704966e-11, -73.3454496533873, 1.4407302812772854e-13],
    ),
    "line that grazes a capsule as wide as a town": sweep(
        "A normal is looked for aside of each that is known, ever nearer.",
        Line([2.161191679785565, 35293.95650771602, 11104.283815064598], [0, -1, 0]),
        Capsule(
            [91147.69049983722, 1955.0246294390097, 1021.6360835918244],
            [91147.69049983722, 0.44084355218319615, -1.2655433928647994],
            91145.52930724039,
        ),
        motion=[8.24430556869336e-06, -107069.30165806395, -99840.07201693137],
    ),
    "segment that a flat box meets, but for a margin": touching_intervals(
        "At the end of the interval, a normal is looked for aside.",
        Scene(
            {"a": AABB([3, -2, 0], [4, 0, 2]), "b": Segment([-2, -1, 2], [4, 1, 2])},
            motion=[Motion("a", times=[0, 1], offsets=[[0, 0, 1], [3, 3, 4]])],
        ),
        margin=1e-300,
    ),
}


TURNING = {
    "line and segment that turn about different axes": sweep(
        "The axes have no direction in common, and a line has no bound on its speed but as seen from itself.",
        Line([3, -2, 0], [1, 3, 2]),
        Segment([3, 0, 2], [-1, -2, 1]),
        end=Transform(rotation=[1, 2, 0, 2]),
        b_end=Transform([1, -3, 0], [0, 0, -1, 1]),
    ),
    "flat box that turns half a turn to a point": sweep(
        "Half a turn goes about the one of two opposite axes whose largest component is positive.",
        OrientedBox([-3, 2, 0], [0, 0, 0, 1], [2, 1, 0]),
        Sphere([-1, -1, 0], 0),
        end=Transform([0, -1, 4], [0, 1, 0, 0]),
    ),
    "half-space and segment that both turn": sweep(
        "They touch at the start, or the gap has a direction still: the normal is that of the gap.",
        HalfSpace([-1, -2, 1], [0, -1, 3]),
        Capsule([0, -1, 3], [3, -3, 0], 0),
        end=Transform([1, 2, 1], [0, 0, 1, 2]),
        pivot=[2, 0, 3],
        b_end=Transform([1, -1, -3], [1, 2, 0, 2]),
        b_pivot=[3, 1, 0],
    ),
    "ball that turns to a capsule that slides": sweep(
        "What only slides adds to the speed, and bends no way.",
        Sphere([1, -3, 0], 2),
        Capsule([3, 0, -1], [-1, -2, -1], 1),
        end=Transform(rotation=[1, 0, 0, 3]),
        b_end=Transform([1, 0, 2]),
    ),
    "segment that turns half a turn to a box along the axes": sweep(
        "The box keeps the axes of the world.",
        Segment([3, 4, 0], [2, 0, 1]),
        AABB([0, -2, 0], [0, 0, 1]),
        end=Transform([1, 0, 0], [0, 0, 1, 0]),
    ),
    "box kept upright as it turns to a box that slides": sweep(
        "A box that is kept upright grows and shrinks as it turns.",
        AABB([4, 2, 4], [5, 4, 4]),
        OrientedBox([4, 0, -1], [0, 0, 1, 1], [1, 1, 0]),
        end=Transform([-1, 1, 1], [1, 1, 1, 1]),
        start=Transform([-3, 0, -1], [1, 0, 0, 1]),
        b_end=Transform([4, 0, 0]),
        b_pivot=[-1, 0, 1],
    ),
    "capsule and segment that turn about different axes": sweep(
        "Both turn, so the normal is also kept as seen from the world.",
        Capsule([-3, 1, 2], [-1, -3, -3], 1),
        Segment([1, -3, 3], [-2, -2, 0]),
        end=Transform([-2, 1, 0], [1, 1, 1, 1]),
        b_end=Transform([-3, 0, 0], [0, 0, 1, 2]),
    ),
    "segment and ray that both turn": sweep(
        "The end of a step is bracketed by chords and halves.",
        Capsule([-1, 2, -2], [0, 1, 2], 0),
        Ray([-1, 3, 0], [-3, 0, 3]),
        end=Transform([4, 0, 0], [0, 1, 0, 1]),
        b_end=Transform([0, 3, 3], [1, 0, 0, 1]),
    ),
    "half-space that turns half a turn to a segment": sweep(
        "The normal of the touch is that of the plane.",
        HalfSpace([0, 2, -2], [0, 1, 1]),
        Capsule([1, 4, 4], [0, 0, 3], 0),
        end=Transform([4, 1, 1], [0, 0, 1, 0]),
    ),
    "two boxes kept upright as both turn": sweep(
        "Neither is still as seen from the other.",
        AABB([2, 1, -1], [2, 1, 0]),
        AABB([0, -1, 2], [0, 0, 3]),
        end=Transform(rotation=[1, 2, 0, 2]),
        start=Transform(rotation=[0, 0, 1, 0]),
        b_end=Transform(rotation=[1, 1, 1, 1]),
        b_pivot=[2, -1, 2],
    ),
    "capsule that turns half a turn to a box that turns": sweep(
        "A leap that is not certain to pass no touch is not taken.",
        Capsule([-2, 4, -1], [0, 2, -2], 2),
        OrientedBox([1, 0, 3], [0, 0, 0, 1], [1, 2, 1]),
        end=Transform([3, 1, 4], [0, 1, 0, 0]),
        b_end=Transform([1, -1, -1], [1, 1, 1, 1]),
        b_pivot=[3, -2, 1],
    ),
    "box kept upright as it turns to a box that rests": sweep(
        "It grows along the axes of the world, so an axis in common is of no use.",
        AABB([0, 2, 0], [2, 3, 1]),
        AABB([1, -2, -3], [3, -1, -1]),
        end=Transform(rotation=[0, 0, 1, 0]),
        start=Transform([4, 1, 0], [0, 0, 1, 1]),
    ),
    "ball that turns about a point far from it": sweep(
        "The secant leads no farther than what is certain.",
        Sphere([0, -1, -3], 2),
        Capsule([-1, 2, 1], [3, 0, 1], 1),
        end=Transform([3, -1, 4], [0, 0, 1, 0]),
        pivot=[4, 2, 0],
    ),
    "box kept upright as it turns half a turn to a segment": sweep(
        "Near the touch the gap has hardly a direction: the normal is that of the approach.",
        AABB([0, 0, 0], [2, 2, 2]),
        Segment([1, 0, 4], [-3, 0, -3]),
        end=Transform(rotation=[0, 1, 0, 0]),
    ),
    "ball that turns to a ray that turns": sweep(
        "Along the axis about which it turns, what has no end has a bound on its speed.",
        Sphere([0, -3, -1], 1),
        Ray([0, 1, 1], [1, 0, 0]),
        end=Transform(rotation=[1, 0, 0, 3]),
        b_end=Transform([3, 0, 1], [1, 1, 1, 1]),
        b_pivot=[2, -1, 4],
    ),
    "segment that turns to a flat box": sweep(
        "By rounding a chord may end where its bracket does.",
        Segment([-1, 0, 1], [2, 3, -1]),
        AABB([0, 0, 0], [0, 2, 2]),
        end=Transform([0, 2, 0], [0, 1, 0, 1]),
        start=Transform([-1, 2, 1], [0, 0, 1, 2]),
        pivot=[0, -2, 3],
    ),
    "ball that turns beside a ray along the axis": sweep(
        "As seen from the ball the ray turns about itself.",
        Sphere([1, -3, -1], 1),
        Ray([1, -2, 0], [-2, 0, 0]),
        end=Transform(rotation=[1, 0, 0, 3]),
        pivot=[0, -1, 0],
    ),
    "box that is a segment, kept upright, and a line that turns": sweep(
        "A line that turns into the direction of the gap has no bound there.",
        AABB([3, -1, 1], [3, -1, 2]),
        Line([1, -1, 2], [0, 0, -3]),
        end=Transform(rotation=[1, 0, 0, 1]),
        b_end=Transform(rotation=[0, 0, 1, 1]),
    ),
    "point that turns to a ray": sweep(
        "A ray that turns away from the direction of the gap is nearest with its start.",
        Point([2, -3, -1]),
        Ray([4, -3, -1], [-3, -3, -3]),
        end=Transform([-1, -3, 0], [1, 1, 1, 1]),
    ),
    "box kept upright that starts turned": sweep(
        "A box turned by thirds of a turn has the axes of the world again.",
        AABB([3, 3, 1], [4, 3, 2]),
        Capsule([0, 1, 1], [-2, 0, 1], 0),
        end=Transform(rotation=[1, 2, 0, 2]),
        start=Transform(rotation=[1, 1, 1, 1]),
    ),
    "box that is a segment, turned to a segment": sweep(
        "The gap came out on the other side, where there is no room.",
        OrientedBox([-1, 0, -1], [1, 0, 0, 3], [1, 0, 0]),
        Segment([0, 0, 0], [-3, 0, -1]),
        end=Transform(rotation=[0, 1, 0, 1]),
        pivot=[-1, 0, 3],
    ),
    "flat box that turns over a box": sweep(
        "By rounding the gap at the end of a chord is not above zero.",
        OrientedBox([-2, -1, 0], [0, 0, 0, 1], [0, 1, 0]),
        OrientedBox([1, -1, 1], [0, 0, 0, 1], [2, 1, 1]),
        end=Transform(rotation=[0, 0, 1, 1]),
        start=Transform([1, 2, 0], [1, 0, 0, 1]),
    ),
    "line that turns about an axis along it": sweep(
        "A line has a bound on its speed where it turns about its own direction.",
        Line([3, 0, 0], [0, 0, 1]),
        Sphere([0, 3, 0], 1),
        end=Transform(rotation=[0, 0, 1, 1]),
    ),
    "line that turns about an axis along it, askew": sweep(
        "The axis is along the line to rounding only: half of the times the line seems to turn towards the ball.",
        Line([0, 3, 0], [2, -1, 2]),
        Sphere([3, 2, -1], 1),
        end=Transform(rotation=[2, -1, 2, 1]),
        b_end=Transform(rotation=[2, -1, 2, -1]),
    ),
    "segment that meets a line, and comes out on its other side": sweep(
        "The gap is of rounding, and its direction has turned around: the one that leads into the line is kept.",
        Segment([3, 2, 1], [-1, 1, 0]),
        Line([1, 2, -1], [3, 0, -1]),
        end=Transform(rotation=[0, 1, 0, 0]),
    ),
}
