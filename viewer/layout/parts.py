"""What panels are made of: parts with texts, flat shapes, and places that the pointer finds.

Coordinates are pixels, y goes up. A part that has no place yet has its upper left corner at (0, 0).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

from viewer.records.drawables import Button, Panel, Role, Row, ShapeFlags
from viewer.records.pixels import Rect, TextRun

#: What a text or a shape is drawn with: the color of a role or of a surface, or one of the theme. What is pale is as
#: text, but hardly stands out from a plate; paper is what is behind everything.
Ink: TypeAlias = Role | ShapeFlags | Literal["text", "faint", "pale", "border", "plate", "paper", "accent"]

#: How opaque what is behind a highlighted row is.
TINT = 0.1

#: A point in pixels.
Point: TypeAlias = tuple[float, float]


class Path(NamedTuple):
    """A line through points."""

    points: tuple[Point, ...]
    width: float
    ink: Ink
    opacity: float = 1.0


class Polygon(NamedTuple):
    """A convex shape that is filled."""

    points: tuple[Point, ...]
    ink: Ink


class Disk(NamedTuple):
    """A dot."""

    center: Point
    radius: float
    ink: Ink


class Area(NamedTuple):
    """A rectangle, with round corners of a radius."""

    rect: Rect
    ink: Ink
    opacity: float = 1.0
    corner: float = 0.0


class Plate(NamedTuple):
    """What a panel stands on, with a border."""

    rect: Rect


class Swatch(NamedTuple):
    """A square that shows what a role or a surface looks like."""

    rect: Rect
    key: Role | ShapeFlags


class ExamplePicture(NamedTuple):
    """The picture of an example, as large as it fits into a rectangle."""

    rect: Rect
    name: str


Shape: TypeAlias = Path | Polygon | Disk | Area | Plate | Swatch | ExamplePicture


class Written(NamedTuple):
    """A text and its color."""

    run: TextRun
    ink: Ink = "text"


class Hit(NamedTuple):
    """A place that the pointer finds, and what is there."""

    rect: Rect
    row: Row


class Part(NamedTuple):
    """A part of a panel: how high it is, its texts, its shapes, and what the pointer finds in it, the topmost last."""

    height: float
    texts: tuple[Written, ...] = ()
    shapes: tuple[Shape, ...] = ()
    hits: tuple[Hit, ...] = ()

    def at(self, x: float, y: float) -> Part:
        """Return it elsewhere."""
        return Part(
            self.height,
            tuple([Written(run.moved(x, y), ink) for run, ink in self.texts]),
            tuple([_shape_at(shape, x, y) for shape in self.shapes]),
            tuple([Hit(rect.moved(x, y), row) for rect, row in self.hits]),
        )


class Placed(NamedTuple):
    """A panel in its place in a picture: its plate, and what is on it."""

    plate: Rect
    part: Part
    panel: Panel | None = None

    @property
    def is_center(self) -> bool:
        """Whether it is in the middle, where what is asked is."""
        return self.panel is not None and self.panel.corner == "center"

    @property
    def is_cut(self) -> bool:
        """Whether rows of it are not shown."""
        return self.panel is not None and len({row for _, row in self.part.hits}) < len({*self.panel.rows})

    @property
    def runs(self) -> tuple[TextRun, ...]:
        """All its texts."""
        return tuple([text.run for text in self.part.texts])

    def row_at(self, x: float, y: float) -> Row | None:
        """Return the row at a pixel."""
        return next((row for rect, row in reversed(self.part.hits) if rect.covers(x, y)), None)

    def place_of(self, row: Row | None) -> Rect | None:
        """Return where a row is, or a button that may look otherwise by now; None for any other."""
        found = None
        for rect, other in self.part.hits:
            if other == row or (isinstance(row, Button) and isinstance(other, Button) and row.text == other.text):
                if row is not None and row.does in (other.does, *other.cells):
                    return rect
                found = found or rect  # rows of one text may do different things
        return found


def joined(parts: Iterable[Part]) -> Part:
    """Return parts that have their places as one."""
    texts, shapes, hits, height = list[Written](), list[Shape](), list[Hit](), 0.0
    for part in parts:
        texts += part.texts
        shapes += part.shapes
        hits += part.hits
        height = max(height, part.height)
    return Part(height, tuple(texts), tuple(shapes), tuple(hits))


def stacked(parts: Iterable[Part], gap: float, left: float = 0.0, top: float = 0.0) -> Part:
    """Return parts one below the other, as one that has its upper left corner at a place."""
    y, moved = 0.0, list[Part]()
    for part in parts:
        moved.append(part.at(left, top + y))
        y -= part.height + gap
    return joined(moved)._replace(height=max(-y - gap, 0.0))


def _shape_at(shape: Shape, x: float, y: float) -> Shape:
    match shape:
        case Path(points) | Polygon(points):
            return shape._replace(points=tuple([(u + x, v + y) for u, v in points]))
        case Disk((u, v)):
            return shape._replace(center=(u + x, v + y))
        case _:
            return shape._replace(rect=shape.rect.moved(x, y))
