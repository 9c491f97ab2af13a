"""What a picture is made of: records that say what is to be seen, and in which role. Nobody changes one.

No colours, no line widths and no PyVista here. The presenter and the gizmo make these records, `viewer.picture.theme`
says what a role looks like, and `viewer.stage` draws them. All coordinates are world coordinates. Marks and labels,
which every picture makes by the dozen, are not frozen as the others are: that would take three times as long.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from collision import AABB, Capsule, OrientedBox, Shape, Sphere
from collision.inner import FloatArray, joined, with_elements

if TYPE_CHECKING:
    from viewer.session.keys import Command


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
    PLANE = "plane"  # of a half-space ...
    PLANE_HIT = "plane-hit"  # ... that collides
    WITNESS = "witness"  # closest points, and the stroke between them
    CONTACT = "contact"
    LYING = "lying"  # the corners of where two shapes lie on each other
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


#: The kinds of shapes that have a surface.
SolidShape: TypeAlias = Sphere | Capsule | AABB | OrientedBox

_NONE: npt.NDArray[np.intp] = np.zeros(0, dtype=np.intp)


class Solid:
    """A flat batch of solid shapes of one kind, with a `Solidity` for each.

    It may say that it is like an earlier one but for some rows: whoever has drawn that one, or another that is like it,
    draws only these.

    Parameters
    ----------
    shape : Sphere, Capsule, AABB or OrientedBox
        The batch.
    standing : ndarray of uint8
        How each of it stands.
    like : Solid, optional
        The earlier one.
    rows : ndarray of int, optional
        Where this one differs from it, in shape or standing.
    """

    def __init__(
        self,
        shape: SolidShape,
        standing: npt.NDArray[np.uint8],
        like: Solid | None = None,
        rows: npt.NDArray[np.intp] = _NONE,
    ) -> None:
        self.__dict__["shape"] = shape
        self.standing, self.like, self.rows = standing, like, rows
        #: The shapes that differ, by row; the other rows differ in their standing alone.
        self.moved: Mapping[int, SolidShape] = {row: shape[row] for row in rows.tolist()} if like else {}

    def but(
        self, standing: npt.NDArray[np.uint8], moved: Mapping[int, SolidShape], rows: npt.NDArray[np.intp]
    ) -> Solid:
        """Return a solid like this one but for its standing and a few single shapes, by row.

        Its `rows` are those of the shapes and of all whose standing differs, in order. The whole batch is put together
        only if it is asked for.

        Examples
        --------
        >>> balls = Solid(Sphere(np.eye(3), 0.5), np.zeros(3, np.uint8))
        >>> solid = balls.but(np.zeros(3, np.uint8), {1: Sphere([0, 9, 0], 0.5)}, np.array([1]))
        >>> solid.some.center, solid.shape.center[0], solid.like is balls
        (array([[0., 9., 0.]]), array([1., 0., 0.]), True)
        """
        solid = object.__new__(Solid)
        solid.standing, solid.like, solid.rows, solid.moved = standing, self, rows, moved
        return solid

    @cached_property
    def shape(self) -> SolidShape:
        """The batch."""
        assert self.like is not None  # else it was given
        return _with(self.like.shape, self.moved)

    @property
    def kind(self) -> type[SolidShape]:
        """What kind of shapes they are."""
        return type((self.like or self).shape)

    @cached_property
    def some(self) -> SolidShape:
        """The shapes in the rows that differ."""
        if self.moved and len(self.moved) == len(self.rows):
            return cast("SolidShape", joined(self.kind, [*self.moved.values()]))
        return self.at(self.rows)

    def at(self, rows: npt.NDArray[np.intp]) -> SolidShape:
        """Return the shapes in some rows."""
        if self.like is None or "shape" in self.__dict__:
            return self.shape[rows]
        places = {place: self.moved[row] for place, row in enumerate(rows.tolist()) if row in self.moved}
        return _with(self.like.shape[rows], places)


def _with(batch: SolidShape, single: Mapping[int, SolidShape]) -> SolidShape:
    """Return a batch with some shapes in the place of others."""
    places: dict[tuple[int, ...], Shape] = {(row,): shape for row, shape in single.items()}
    return cast("SolidShape", with_elements(batch, places)) if places else batch


@dataclass(frozen=True, eq=False)
class Ghost:
    """One solid that is not there: drawn as an outline that one sees through, in the colour of what is selected."""

    shape: SolidShape


@dataclass(frozen=True)
class SeeThrough:
    """Says that all solids of the picture are drawn as outlines that one sees through."""


@dataclass(eq=False)
class Marker:
    """Dots of constant size on the screen, points (n, 3)."""

    points: FloatArray
    role: Role


@dataclass(eq=False)
class Stroke:
    """Straight lines of constant width on the screen, from start (n, 3) to end (n, 3)."""

    start: FloatArray
    end: FloatArray
    role: Role


@dataclass(eq=False)
class Arrow:
    """Arrows with heads of constant size on the screen, from start (n, 3) to end (n, 3)."""

    start: FloatArray
    end: FloatArray
    role: Role


@dataclass(eq=False)
class Patch:
    """Filled, see-through quadrilaterals, corners (n, 4, 3) in order."""

    corners: FloatArray
    role: Role


@dataclass(eq=False)
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

    A faint one is a choice that has nothing to do just now. Rows of one text and swatch do the same, so they count as
    equal.
    """

    text: str
    swatch: Role | Solidity | None = None
    does: Command | None = field(default=None, compare=False, repr=False)
    faint: bool = False


@dataclass(frozen=True)
class Panel:
    """Lines of text in a corner of the picture: title, table of collisions, legend, keys. A quiet one has no plate.

    One in the center may have a place instead, `at` some parts of the picture's width and height: its upper left corner
    is there, as far as there is room.
    """

    corner: Literal["upper-left", "upper-right", "lower-left", "lower-right", "center"]
    rows: tuple[Row, ...]
    title: str = ""
    quiet: bool = False
    at: tuple[float, float] | None = None


class TimelineRow(NamedTuple):
    """A pair by its names, and when it touches: begins and ends."""

    pair: tuple[str, str]
    spells: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Timeline:
    """The time of a motion, and when what touches: a strip at the foot of the picture.

    `merged` are the intervals in which anything touches, `rows` the pairs that there is room for, and `more` is how
    many others there are. `kept` lines stay empty: of pairs that are not known while something is in hand.
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
    kept: int = 0


@dataclass(frozen=True)
class Ground:
    """A grid in a plane of constant z, in squares of `spacing`, centered at (x, y) = `center`."""

    z: float
    spacing: float
    center: tuple[float, float]
    half_size: float


Drawable: TypeAlias = Solid | Ghost | SeeThrough | Marker | Stroke | Arrow | Patch | Label | Panel | Timeline | Ground
