"""What a picture is made of: records that say what is to be seen, and in which role. Nobody changes one.

No colours, no line widths and no PyVista here. `present` and the gizmos make these records, `viewer.records.theme`
says what a role looks like, and `viewer.stage` draws them. All coordinates are world coordinates. They are plain
values: `viewer.records.protocol` writes them as JSON, and README.md says what each is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntFlag, StrEnum
from types import MappingProxyType
from typing import Literal, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from collision import AABB, Capsule, ConvexHull, Cylinder, HalfSpace, Line, OrientedBox, Ray, Segment, Shape, Sphere
from collision.inner import BoolArray, FloatArray, MarkRole, Quantity, core_rows
from viewer.records.commands import Command
from viewer.records.record import Record


class ShapeFlags(IntFlag):
    """Flags of a shape, in one byte an element: ten thousand are painted by writing one array.

    Any may be set together; `ALL_FLAGS` are all there are. Whoever finds that elements are hovered or faded sets the
    bit in the bytes that `viewer.picture.shapes.shape_flags` returns: ``flags[numbers] |= np.uint8(ShapeFlags.FADED)``.

    Examples
    --------
    >>> ShapeFlags(3) is ShapeFlags.HIT | ShapeFlags.SELECTED
    True
    """

    FREE = 0
    HIT = 1  # collides: red and hatched in wide stripes, and nothing else is
    SELECTED = 2  # an amber rim, whatever else it is
    FADED = 4  # stands aside, so that others are seen: pale, and seen through; its hatching stays, faintly
    HOVERED = 8  # under the pointer: a bright rim, whatever else it is, also where it is selected
    TOUCHING = 16  # touches others, and is in none: a calm colour and fine stripes; what collides is `HIT` alone


#: All combinations of flags.
ALL_FLAGS = tuple(map(ShapeFlags, range(32)))


class Role(StrEnum):
    """What a mark stands for. The theme has one style for each."""

    FREE = "free"  # points, segments, rays and lines of the scene itself ...
    HIT = "hit"  # ... that collide
    TOUCHING = "touching"  # ... that only touch
    SELECTED = "selected"
    BURIED = "buried"  # what is selected, where others hide it
    HOVERED = "hovered"  # under the pointer
    FADED = "faded"  # what stands aside, so that others are seen
    PLANE = "plane"  # of a half-space ...
    PLANE_HIT = "plane-hit"  # ... that collides
    PLANE_TOUCHING = "plane-touching"  # ... that is only touched
    WITNESS = "witness"  # closest points, and the stroke between them
    CONTACT = "contact"
    LYING = "lying"  # the corners of where two shapes lie on each other
    MEETING = "meeting"  # where the surfaces of two solids that collide meet
    NORMAL = "normal"
    ENTRY = "entry"  # where a ray hits first
    CROSSING = "crossing"
    NEAREST = "nearest"  # the point of a line nearest to a center
    FOOT = "foot"  # foot of a perpendicular
    EXTENSION = "extension"  # a segment continued beyond its ends
    BOUNDS = "bounds"  # bounding boxes and spheres
    BOX = "box"  # what the broad phase compares
    KEPT = "kept"  # a pair that it kept, which does not collide ...
    KEPT_TOUCHING = "kept-touching"  # ... that touches and no more ...
    KEPT_HIT = "kept-hit"  # ... or collides
    OUTSIDE = "outside"  # found on the way, and of no use: out of range, or not what decides
    GHOST = "ghost"  # a shape where it would be if it were pushed out
    COVERED = "covered"  # what is drawn of a robot within its collision shapes ...
    UNCOVERED = "uncovered"  # ... and outside of all
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


#: The kinds of shapes that have a surface.
SolidShape: TypeAlias = Sphere | Capsule | Cylinder | AABB | OrientedBox | ConvexHull


class Core(StrEnum):
    """What is left of a shape without its radius, and so what the numbers of a row of `Cores` are.

    They are those of `collision.kernels.core`, without the numbers that a core does not have.
    """

    POINT = "point"  # 0-2 the point: of a sphere
    LINEAR = "linear"  # 0-2 start, 3-5 direction, 6-8 end, 9 and 10 least and largest parameter: capsule, line
    BOX = "box"  # 0-2 origin, 3-5, 6-8 and 9-11 the axes, 12-14 the lower corner in these, 15-17 the upper one
    ALIGNED = "aligned"  # as a box, with the world's origin and axes
    HALF_SPACE = "half-space"  # 0-2 a point of the plane, 3-5 the normal
    CYLINDER = "cylinder"  # 0-2 and 3-5 the ends, 6-8 the center, 9-11 the axis, 12 half the length, 13 the radius
    HULL = "hull"  # 0-2 the middle, 3-5, 6-8 and 9-11 the axes, 12 where in the table its corners and faces are

    @property
    def width(self) -> int:
        """How many numbers a row has."""
        few = {Core.POINT: 3, Core.LINEAR: 11, Core.HALF_SPACE: 6, Core.CYLINDER: 14, Core.HULL: 13}
        return few.get(self, 18)


#: The cores of shapes.
_CORES: Mapping[type[Shape], Core] = MappingProxyType(
    {
        Sphere: Core.POINT,
        **dict.fromkeys((Capsule, Segment, Ray, Line), Core.LINEAR),
        AABB: Core.ALIGNED,
        OrientedBox: Core.BOX,
        HalfSpace: Core.HALF_SPACE,
        Cylinder: Core.CYLINDER,
        ConvexHull: Core.HULL,
    }
)


@dataclass(frozen=True, eq=False)
class Cores(Record):
    """Shapes of one kind as the kernels of `collision` keep them.

    Parameters
    ----------
    core : Core
        What they are.
    rows : ndarray, shape (n, core.width)
        The numbers of each.
    radii : ndarray, shape (n,)
        How far around its core each reaches.
    table : ndarray, shape (m,)
        The numbers that rows of hulls refer to. Of each: how many corners, faces and edges it has, its dimension, and
        how far it reaches from its middle; its corners from there (3 numbers each); its faces (the normal and how high
        it is); its edges (their two corners, the faces on the left and on the right).
    """

    core: Core
    rows: FloatArray
    radii: FloatArray
    table: FloatArray

    @staticmethod
    def of_shape(shape: Shape) -> tuple[Core, FloatArray, FloatArray, FloatArray]:
        """Return the core, the rows, the radii and the table of a shape or a batch."""
        core, found = _CORES[type(shape)], core_rows([shape])
        return core, np.ascontiguousarray(found.rows[:, : core.width]), found.radii, found.corners

    def __len__(self) -> int:
        return len(self.radii)


@dataclass(frozen=True, eq=False)
class Solid(Cores):
    """Solids of one kind, with the `ShapeFlags` of each.

    Parameters
    ----------
    flags : ndarray of uint8, shape (n,)
        One byte a solid.
    transform : ndarray, shape (3, 4), optional
        Turns and moves all of them from where their rows say: for a group that moves together.

    Examples
    --------
    >>> solid = Solid.of(Sphere(np.eye(3), 0.5), np.array([0, 0, ShapeFlags.HIT], np.uint8))
    >>> solid.core, solid.rows.shape, solid.radii
    (<Core.POINT: 'point'>, (3, 3), array([0.5, 0.5, 0.5]))
    """

    flags: npt.NDArray[np.uint8]
    transform: FloatArray | None = None

    @classmethod
    def of(cls, shape: SolidShape, flags: npt.NDArray[np.uint8]) -> Self:
        """Return the solids of a shape or a batch."""
        return cls(*cls.of_shape(shape), flags)


def thin_roles(flags: npt.NDArray[np.uint8]) -> list[tuple[Role, BoolArray]]:
    """Return which of some shapes without a surface have which role.

    What is selected or hovered has a halo, and over it its own role.
    """
    hit, selected, faded, hovered, touching = ((flags & flag) > 0 for flag in ShapeFlags)
    roles = {
        Role.HOVERED: hovered,
        Role.SELECTED: selected,
        Role.FADED: faded,
        Role.FREE: ~(hit | touching | faded),
        Role.TOUCHING: touching & ~(hit | faded),
        Role.HIT: hit & ~faded,
    }
    return [(role, rows) for role, rows in roles.items() if rows.any()]


@dataclass(frozen=True, eq=False)
class Ghost(Cores):
    """A solid that is not there: drawn as an outline that one sees through, in the colour of what is selected."""

    @classmethod
    def of(cls, shape: SolidShape) -> Self:
        """Return the ghost of a shape."""
        return cls(*cls.of_shape(shape))


@dataclass(frozen=True, eq=False)
class Visual(Record):
    """What a link looks like: triangles that nothing is compared with, a pale ghost unless they are audited.

    Parameters
    ----------
    link : str
        Whose it is.
    points : ndarray, shape (n, 3)
        In the frame of the link.
    triangles : ndarray of int32, shape (m, 3)
        Which points each has.
    transform : ndarray, shape (3, 4)
        Where the link is.
    role : Role
        Faded, or where they are audited, covered or uncovered.
    """

    link: str
    points: FloatArray
    triangles: npt.NDArray[np.int32]
    transform: FloatArray
    role: Role = Role.FADED


@dataclass(frozen=True)
class SeeThrough(Record):
    """Says that all solids of the picture are seen through: their edges and hatching are plain, the rest is faint."""


@dataclass(frozen=True, eq=False)
class Marker(Record):
    """Dots of constant size on the screen, points (n, 3)."""

    points: FloatArray
    role: Role


@dataclass(frozen=True, eq=False)
class Stroke(Record):
    """Straight lines of constant width on the screen, from start (n, 3) to end (n, 3).

    Lines may be `about` points (n, 3): then they are of constant length, too, and start and end say how many pixels
    along each axis of the world they are from these. `endless` ones go on from `start` in the direction that `end` is,
    forward or both ways. Those with `radii` (n,) are axes of capsules, or of cylinders if they are `flat`, or middles
    of balls: the outlines of these are drawn. `widths` (n,) say how wide in the world that is on which lines lie: they
    are not drawn where it looks no wider than some lines.
    """

    start: FloatArray
    end: FloatArray
    role: Role
    about: FloatArray | None = None
    endless: Literal["", "forward", "both"] = ""
    radii: FloatArray | None = None
    widths: FloatArray | None = None
    flat: bool = False


@dataclass(frozen=True, eq=False)
class Arrow(Record):
    """Arrows with heads of constant size on the screen, from start (n, 3) to end (n, 3); `about` as of a `Stroke`."""

    start: FloatArray
    end: FloatArray
    role: Role
    about: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class Patch(Record):
    """Filled, see-through quadrilaterals, corners (n, 4, 3) in order."""

    corners: FloatArray
    role: Role


@dataclass(frozen=True, eq=False)
class Label(Record):
    """A text near a point (3,); the stage places it so that labels do not cover each other.

    `of` is what it is about, if it stands elsewhere in each view: a name where most is seen of the shape, else a text
    above a ball, or along a line. `value` is the distance that it writes, if it does: at one place, each is written
    once.
    """

    position: FloatArray
    text: str
    role: Role = Role.TEXT
    of: Cores | None = None
    value: float | None = None


@dataclass(frozen=True)
class Row:
    """One line of a panel, with a swatch of a role before it where one is named, and the command that a click gives.

    A faint one is a choice that has nothing to do just now. A letter of it may be marked, as the key that chooses it;
    keys have come to one that is highlighted. `scrolls` is the command that the wheel gives over the list that a row
    is of, followed by a number of rows. Of a row with columns, `cells` are the commands of clicks on each. `drags` is
    the command that the pointer gives along a track in it, followed by the part of the track at which it is. Rows of
    one text and swatch do the same, so they count as equal.
    """

    text: str
    swatch: Role | ShapeFlags | None = None
    does: Command | None = field(default=None, compare=False, repr=False)
    faint: bool = False
    scrolls: Command | None = field(default=None, compare=False, repr=False)
    mark: str = ""
    highlighted: bool = False
    cells: tuple[Command, ...] = field(default=(), compare=False, repr=False)
    drags: Command | None = field(default=None, compare=False, repr=False)

    @property
    def lights(self) -> bool:
        """Whether it lights up under the pointer."""
        return self.does is not None and not self.faint


@dataclass(frozen=True)
class Panel(Record):
    """Lines of text in a corner of the picture: title, table of collisions, legend, keys.

    Its `name` says which of them it is.

    A spare one is left out first where panels would cover too much. A fleeting one is for who is at the window, and in
    no picture that is saved.

    One in the center may have a place instead, `at` some parts of the picture's width and height: its upper left corner
    is there, as far as there is room.
    """

    corner: Literal["upper-left", "upper-right", "lower-left", "lower-right", "center"]
    rows: tuple[Row, ...]
    title: str = ""
    spare: bool = False
    fleeting: bool = False
    at: tuple[float, float] | None = None
    name: str = ""


@dataclass(frozen=True)
class Button(Row):
    """A button of the bar: its text, which is a tip, says its name and its key, with a tab between.

    An icon is one of `viewer.layout.icons`. One that is on is what is in use; the first of a group stands apart
    from those before it.
    """

    icon: str = ""
    on: bool = False
    first: bool = False

    @property
    def lights(self) -> bool:
        """Whether it lights up under the pointer: a faint one does, as its tip says what it would do."""
        return True


@dataclass(frozen=True)
class Slider(Row):
    """A number as a row of a panel: its name, its least and largest value and what it is, in columns, and a track.

    The text has an empty column for the track. The knob is at a part of it, as is zero if that lies on it; it is red
    where the number is beyond its limits. One that drags nothing follows another number.
    """

    knob: float = 0.0
    zero: float | None = None
    beyond: bool = False


@dataclass(frozen=True)
class Bar(Record):
    """Buttons at the left edge of a window, one below the other. No picture has it."""

    buttons: tuple[Button, ...]


@dataclass(frozen=True)
class GalleryItem(Row):
    """Something to open: its text is its title, below it stands a line, above it a picture or an icon.

    The picture is that of an example, by its name.
    """

    line: str = ""
    picture: str = ""
    icon: str = ""


@dataclass(frozen=True)
class Gallery(Record):
    """A page of items in a grid that fills the picture, of which the rows from the `first` on are seen."""

    title: str
    hint: str
    items: tuple[GalleryItem, ...]
    first: int = 0
    scrolls: Command | None = field(default=None, compare=False, repr=False)


#: What each role of a mark of an explanation looks like.
MARK_ROLES: Mapping[MarkRole, Role] = MappingProxyType(
    {
        "core": Role.NEAREST,
        "given": Role.BOUNDS,
        "point": Role.CROSSING,
        "witness": Role.WITNESS,
        "gap": Role.WITNESS,
        "normal": Role.NORMAL,
        "guide": Role.EXTENSION,
        "outside": Role.OUTSIDE,
        "chosen": Role.CONTACT,
        "other": Role.OUTSIDE,
    }
)


@dataclass(frozen=True)
class StepRow(Row):
    """A part of the explanation panel: what a click on it does, and the label of the mark that it belongs to."""

    label: str = ""


class FlatMark(NamedTuple):
    """A mark of another space as it is seen from the side of the camera: its dots, its lines, and its label's place."""

    label: str
    role: Role
    dots: tuple[tuple[float, float], ...]
    lines: tuple[tuple[float, float, float, float], ...]
    at: tuple[float, float] | None


class StepFormula(NamedTuple):
    """A formula twice, as TeX: with symbols, and with numbers in their place."""

    symbols: str
    numbers: str


class StepValue(NamedTuple):
    """A named number, vector or matrix: its symbol is TeX; the label and the role of the mark that shows it, if any.

    Below the formulas stands all of it, or no number where a formula has that already, or nothing.
    """

    symbol: str
    value: Quantity
    unit: str = ""
    mark: str = ""
    role: Role | None = None
    means: str = ""
    listed: Literal["", "name", "number"] = "number"


class StepCurve(NamedTuple):
    """A curve of a plot."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    role: Role
    label: str = ""


class StepPoint(NamedTuple):
    """A point of a plot, and the label of the mark in the scene that is the same."""

    x: float
    y: float
    role: Role
    label: str = ""
    mark: str = ""


class StepArea(NamedTuple):
    """A rectangle of a plot, and the label of the mark in the scene that is the same."""

    x: tuple[float, float]
    y: tuple[float, float]
    role: Role
    label: str = ""
    mark: str = ""


@dataclass(frozen=True)
class StepPlot:
    """A small plot; with names of rows, the first of them on top, row k is at y = k, and there is no scale of y.

    In a square one, a unit is as long across as up.
    """

    title: str
    x_label: str
    y_label: str
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    lines: tuple[StepCurve, ...] = ()
    points: tuple[StepPoint, ...] = ()
    areas: tuple[StepArea, ...] = ()
    rows: tuple[str, ...] = ()
    square: bool = False


class StepSpace(NamedTuple):
    """The marks of a step in another space than the world."""

    title: str
    marks: tuple[FlatMark, ...]


@dataclass(frozen=True)
class ExplanationPanel(Record):
    """A step of an explanation, on a panel at the right edge of a picture.

    `article` says that it is an article's way, computed beside the kernel's. The numbers of the mark that is
    `highlighted` are, too. The buttons are those that say what is explained, that go back and on, and that close it;
    the wheel goes back and on as well.
    """

    summary: str
    title: str
    text: str
    number: int
    count: int
    formulas: tuple[StepFormula, ...] = ()
    values: tuple[StepValue, ...] = ()
    plot: StepPlot | None = None
    space: StepSpace | None = None
    article: bool = False
    highlighted: str = ""
    buttons: tuple[StepRow, StepRow, StepRow, StepRow] = field(
        default=(StepRow(""), StepRow(""), StepRow(""), StepRow("")), repr=False
    )
    scrolls: Command | None = field(default=None, compare=False, repr=False)


class TimelineSpan(NamedTuple):
    """A time in which shapes collide, or only touch."""

    begin: float
    end: float
    touching: bool = False


class TimelineRow(NamedTuple):
    """A pair by its names, when it collides or touches, and the command that a click on the names gives."""

    pair: tuple[str, str]
    intervals: tuple[TimelineSpan, ...]
    does: Command | None = None


@dataclass(frozen=True)
class Timeline(Record):
    """The time of a motion, and when what touches: a strip at the foot of the picture.

    `merged` are the times in which anything only touches, and then those in which anything collides, `rows` the pairs
    that there is room for, and `more` is how many others there are. `kept` lines stay empty: of pairs that are not
    known while something is in hand. In a `still` picture nothing can be played. A click on the words about the time
    gives the command `plays`; the mouse on the track gives `scrubs`, followed by the time there.
    """

    start: float
    stop: float
    time: float
    playing: bool = False
    speed: float = 1.0
    loop: bool = True
    merged: tuple[TimelineSpan, ...] = ()
    rows: tuple[TimelineRow, ...] = ()
    more: int = 0
    kept: int = 0
    still: bool = False
    plays: Command | None = field(default=None, compare=False, repr=False)
    scrubs: Command | None = field(default=None, compare=False, repr=False)


class Floor(NamedTuple):
    """A parallelogram that looks up, by its middle and its half sides, anticlockwise from above."""

    center: tuple[float, float, float]
    u: tuple[float, float, float]
    v: tuple[float, float, float]


@dataclass(frozen=True)
class Shadows(Record):
    """Says that solids throw soft shadows straight down on these floors, of which the first three count."""

    floors: tuple[Floor, ...]


@dataclass(frozen=True)
class Ground(Record):
    """A grid in a plane of constant z, in squares of `spacing`, centered at (x, y) = `center`."""

    z: float
    spacing: float
    center: tuple[float, float]
    half_size: float


Drawable: TypeAlias = (
    Solid
    | Ghost
    | Visual
    | SeeThrough
    | Marker
    | Stroke
    | Arrow
    | Patch
    | Label
    | Panel
    | Bar
    | Gallery
    | ExplanationPanel
    | Timeline
    | Ground
    | Shadows
)
