"""What a picture is made of: frozen records that say what is to be seen, and in which role.

No colours, no line widths and no PyVista here. The presenter and the gizmo make these records, `viewer.theme` says what
a role looks like, and `viewer.stage` draws them. All coordinates are world coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from collision import AABB, Capsule, OrientedBox, Sphere
from collision.fields import FloatArray

if TYPE_CHECKING:
    from viewer.keys import Command


class Solidity(IntEnum):
    """How a solid stands: one code an element, so that ten thousand are painted by writing one array."""

    FREE = 0
    HIT = 1
    SELECTED = 2
    SELECTED_HIT = 3


class Role(StrEnum):
    """What a mark stands for. The theme has one style for each."""

    FREE = "free"  # points, segments, rays and lines of the scene itself ...
    HIT = "hit"  # ... that collide
    SELECTED = "selected"
    WITNESS = "witness"  # closest points, and the stroke between them
    CONTACT = "contact"
    NORMAL = "normal"
    ENTRY = "entry"  # where a ray hits first
    CROSSING = "crossing"
    NEAREST = "nearest"  # the point of a line nearest to a center
    FOOT = "foot"  # foot of a perpendicular
    EXTENSION = "extension"  # a segment continued beyond its ends
    BOUNDS = "bounds"  # bounding boxes and spheres
    BOX = "box"  # what the broad phase compares
    KEPT = "kept"  # a pair that it kept, which does not collide ...
    KEPT_HIT = "kept-hit"  # ... or does
    GHOST = "ghost"  # a shape where it would be if it were pushed out
    AXIS_X = "axis-x"
    AXIS_Y = "axis-y"
    AXIS_Z = "axis-z"
    AXIS_X_FAINT = "axis-x-faint"  # what of a handle is far, or cannot be dragged in this view
    AXIS_Y_FAINT = "axis-y-faint"
    AXIS_Z_FAINT = "axis-z-faint"
    VIEW_PLANE = "view-plane"
    HANDLE = "handle"  # a draggable end
    HOT = "hot"  # the handle under the cursor, or in hand
    TEXT = "text"
    NAME = "name"  # of a shape


@dataclass(frozen=True, eq=False)
class Solid:
    """A flat batch of solid shapes of one kind, with a `Solidity` for each.

    It may say that it is like an earlier one but for some `rows` (in order): whoever has drawn that one, or another
    that is like it, draws only these.
    """

    shape: Sphere | Capsule | AABB | OrientedBox
    standing: npt.NDArray[np.uint8]
    like: Solid | None = None
    rows: npt.NDArray[np.intp] = field(default_factory=lambda: np.zeros(0, dtype=np.intp))

    @cached_property
    def some(self) -> Sphere | Capsule | AABB | OrientedBox:
        """The shapes in these rows."""
        return self.shape[self.rows]


@dataclass(frozen=True, eq=False)
class Ghost:
    """One solid that is not there: drawn as an outline that one sees through, in the colour of what is selected."""

    shape: Sphere | Capsule | AABB | OrientedBox


@dataclass(frozen=True)
class SeeThrough:
    """Says that all solids of the picture are drawn as outlines that one sees through."""


@dataclass(frozen=True, eq=False)
class Marker:
    """Dots of constant size on the screen, points (n, 3)."""

    points: FloatArray
    role: Role


@dataclass(frozen=True, eq=False)
class Stroke:
    """Straight lines of constant width on the screen, from start (n, 3) to end (n, 3)."""

    start: FloatArray
    end: FloatArray
    role: Role


@dataclass(frozen=True, eq=False)
class Arrow:
    """Arrows with heads of constant size on the screen, from start (n, 3) to end (n, 3)."""

    start: FloatArray
    end: FloatArray
    role: Role


@dataclass(frozen=True, eq=False)
class Patch:
    """Filled, see-through quadrilaterals, corners (n, 4, 3) in order."""

    corners: FloatArray
    role: Role


@dataclass(frozen=True, eq=False)
class Label:
    """A text near a point (3,); the stage places it so that labels do not cover each other.

    `room` is how wide and high what it names is around the point, in pixels: where the text fits, it stands on it.
    """

    position: FloatArray
    text: str
    role: Role = Role.TEXT
    room: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Row:
    """One line of a panel, with a swatch of a role before it where one is named, and what a click on it does.

    Rows of one text and swatch do the same, so they count as equal.
    """

    text: str
    swatch: Role | Solidity | None = None
    does: Command | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Panel:
    """Lines of text in a corner of the picture: title, table of collisions, legend, keys. A quiet one has no plate."""

    corner: Literal["upper-left", "upper-right", "lower-left", "lower-right", "center"]
    rows: tuple[Row, ...]
    title: str = ""
    quiet: bool = False


class TimelineRow(NamedTuple):
    """A pair by its names, and when it touches: begins and ends."""

    pair: tuple[str, str]
    spells: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Timeline:
    """The time of a motion, and when what touches: a strip at the foot of the picture.

    `merged` are the intervals in which anything touches, `rows` the pairs that there is room for, and `more` is how
    many others there are.
    """

    start: float
    stop: float
    time: float
    playing: bool = False
    speed: float = 1.0
    loop: bool = True
    merged: tuple[tuple[float, float], ...] = ()
    rows: tuple[TimelineRow, ...] = ()
    more: int = 0


@dataclass(frozen=True)
class Ground:
    """A grid in a plane of constant z, in squares of `spacing`, centered at (x, y) = `center`."""

    z: float
    spacing: float
    center: tuple[float, float]
    half_size: float


Drawable: TypeAlias = Solid | Ghost | SeeThrough | Marker | Stroke | Arrow | Patch | Label | Panel | Timeline | Ground
