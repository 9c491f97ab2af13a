"""Scene files: TOML that is pleasant to write by hand, to and from `collision.Scene`.

A file in full::

    title = "Arm and crates"
    caption = "The arm touches one crate and misses the other."
    ignore = [["arm*", "torso"], ["knot", "knot"]]   # pairs never reported; * stands for anything

    [camera]                                         # without it, the picture frames the scene
    position = [0, -12, 5]
    target = [0, 0, 1]                               # up, view_angle (degrees), parallel_height

    [shapes.torso]
    kind = "capsule"                                 # by its ends ...
    start = [0, 0, 0]
    end = [0, 0, 2]
    radius = 0.5

    [shapes."arm upper"]
    kind = "capsule"                                 # ... or as game engines give it: height includes the caps
    axis = "y"
    height = 2
    radius = 0.25
    transform = { position = [1, 0, 1.5], rotation = { axis = "z", angle = 30 }, scale = 1 }

    [shapes.crate]
    kind = "box"
    center = [3, 0, 0.5]
    size = [1, 1, 1]                                 # or half_extents
    rotation = { euler = [0, 0, 15] }                # or { axis, angle }, { matrix }, a quaternion [x, y, z, w]

    [shapes.knot]
    kind = "sphere"                                  # a batch: a list in place of one value
    center = [[0, 0, 4], [0.5, 0, 4], [1, 0, 4]]
    radius = 0.3

    [[show]]                                         # a query whose answer is drawn
    query = "closest_points"
    a = "arm upper"
    b = "crate"
    label = "gap"

    [[motion]]                                       # how a shape, an element or a pattern of names moves
    shape = "crate"
    time = [0, 1, 3]
    offset = [[0, 0, 0], [0, 0, 1], [2, 0, 1]]       # from its place above, at each time; evenly in between
    rotation = { axis = "z", angle = [0, 0, 90] }    # from how it stands; every way to write a rotation serves
    pivot = [3, 0, 0]                                # turns about this; without it, about the shape's own middle

    [groups]                                         # names for several names and patterns, in expect
    robot = ["arm*", "torso"]
    world = { include = ["*"], exclude = ["robot"] }

    [[expect]]                                       # what the scene promises; collision.judge says whether it holds
    apart = ["robot", "world"]                       # or collide, touch, ray, sweep, inside
    clearance = 0.05
    during = [0, 1]                                  # or at = 0.5; always, ever or never = true
    reason = "people reach in here"
    id = "room for hands"                            # made of the kind, the names and the time unless given

Kinds: point (position), segment (start, end), ray (origin, direction), line (point, direction), sphere (center,
radius), capsule (start, end, radius; or center, axis, height, radius), aabb (lower, upper), box (center,
half_extents or size, and rotation or axes, the rows of a matrix). Every shape may have a transform, which scales, then
turns, then moves it. Angles are in degrees, rotations right-handed; ``euler`` turns about the axes of the world in the
``order`` "xyz" unless given, and about the axes as they turn where the order is in capitals.

Motions are carried out in the order of the file, each about its pivot at rest: what bends an arm at the elbow stands
before what turns all of it at the shoulder. From a keyframe to the next a shape turns the short way, except with
``{ axis, angle }`` about one axis: there, 0 to 720 degrees is two whole turns.

Once anything is expected, pairs that no promise is about must not collide; ``open = true`` at the top lifts that.

A name in ``ignore``, of a motion or in a promise must exist, and a pattern there must match something.

Writing gives back equal scenes, to the last bit. Comments, the order of keys and the form in which a shape was written
are not part of a scene: `dump_scene` does without them, and `updated_text` keeps those of the text that it is given.
What is hidden in a scene is written like everything else.
"""

from typing import TYPE_CHECKING, Any

from collision.files.errors import Problem, SceneFileError
from collision.files.models import AxisAngle, json_schema
from collision.files.reading import expectation_lines, load_scene, parse_scene
from collision.files.writing import dump_scene, expectation_text, save_scene

if TYPE_CHECKING:
    from collision.files.updating import tables_of, updated_text

__all__ = [
    "AxisAngle",
    "Problem",
    "SceneFileError",
    "dump_scene",
    "expectation_lines",
    "expectation_text",
    "json_schema",
    "load_scene",
    "parse_scene",
    "save_scene",
    "tables_of",
    "updated_text",
]

#: What changes the text of a file needs tomlkit, which takes longer to import than a scene to be read.
_UPDATING = ("tables_of", "updated_text")

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Return a public name of what is not imported yet."""
        if name in _UPDATING:
            from collision.files import updating

            return getattr(updating, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
