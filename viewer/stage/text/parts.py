"""What the card of a step is made of: parts with texts, flat shapes, and places that the pointer finds.

Pure arithmetic, no renderer. Coordinates are pixels, y goes up; a part has its upper left corner at (0, 0).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple, TypeAlias

from viewer.records.drawables import Role, Row
from viewer.records.pixels import Rect, Run
from viewer.stage.text.maths import Box

#: What a text or a shape is drawn with: the color of a role, or one of the theme.
Ink: TypeAlias = Role | Literal["text", "faint", "border", "plate", "accent"]

#: Between the lines of a formula, at least, in heights of its letters.
LINE_GAP = 0.3

#: A point in pixels.
Point: TypeAlias = tuple[float, float]


class Path(NamedTuple):
    """A line through points."""

    points: tuple[Point, ...]
    width: float
    ink: Ink
    opacity: float = 1.0


class Area(NamedTuple):
    """A rectangle."""

    rect: Rect
    ink: Ink
    opacity: float = 1.0


class Disk(NamedTuple):
    """A dot."""

    center: Point
    radius: float
    ink: Ink


Shape: TypeAlias = Path | Area | Disk


class Written(NamedTuple):
    """A text and its color."""

    run: Run
    ink: Ink = "text"


class Hit(NamedTuple):
    """A place that the pointer finds, and what is there."""

    rect: Rect
    row: Row


class Part(NamedTuple):
    """A part of a card: how high it is, its texts, its shapes, and what the pointer finds in it."""

    height: float
    texts: tuple[Written, ...] = ()
    shapes: tuple[Shape, ...] = ()
    hits: tuple[Hit, ...] = ()

    def at(self, x: float, y: float) -> Part:
        """Return it elsewhere."""
        texts = tuple([Written(run.moved(x, y), ink) for run, ink in self.texts])
        hits = tuple([Hit(_moved(rect, x, y), row) for rect, row in self.hits])
        return Part(self.height, texts, tuple([_shape_at(shape, x, y) for shape in self.shapes]), hits)


def stacked(parts: Iterable[Part], gap: float, left: float = 0.0, top: float = 0.0) -> Part:
    """Return parts one below the other, as one that has its upper left corner at a place."""
    y, texts, shapes, hits = 0.0, list[Written](), list[Shape](), list[Hit]()
    for part in parts:
        moved = part.at(left, top + y)
        texts += moved.texts
        shapes += moved.shapes
        hits += moved.hits
        y -= part.height + gap
    return Part(max(-y - gap, 0.0), tuple(texts), tuple(shapes), tuple(hits))


def set_at(box: Box, x: float, y: float, ink: Ink = "text") -> tuple[tuple[Written, ...], tuple[Shape, ...]]:
    """Return the texts and shapes of a formula that begins at a place on its line."""
    texts = tuple([Written(run.moved(x, y), ink) for run in box.runs])
    bars = tuple([Path(((a + x, b + y), (c + x, d + y)), width, ink) for (a, b, c, d), width in box.bars])
    return texts, bars


def lines_part(lines: Sequence[Box], leading: float, size: float, ink: Ink = "text", indent: float = 0.0) -> Part:
    """Return the lines of a formula one below the other, each as high as it is, but not lower than a line of text."""
    y, texts, shapes = 0.0, list[Written](), list[Shape]()
    for box in lines:
        spare = max(leading - box.above - box.below, LINE_GAP * size)
        y -= 0.5 * spare + box.above
        written, bars = set_at(box, indent, y, ink)
        texts += written
        shapes += bars
        y -= box.below + 0.5 * spare
    return Part(-y, tuple(texts), tuple(shapes))


def _moved(rect: Rect, x: float, y: float) -> Rect:
    return Rect(rect.x + x, rect.y + y, rect.width, rect.height)


def _shape_at(shape: Shape, x: float, y: float) -> Shape:
    if isinstance(shape, Path):
        return Path(tuple([(u + x, v + y) for u, v in shape.points]), shape.width, shape.ink, shape.opacity)
    if isinstance(shape, Disk):
        return Disk((shape.center[0] + x, shape.center[1] + y), shape.radius, shape.ink)
    return Area(_moved(shape.rect, x, y), shape.ink, shape.opacity)
