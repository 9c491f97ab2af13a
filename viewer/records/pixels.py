"""Rectangles and pieces of text in a picture, in pixels; the origin is the lower left corner of the picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

#: Width in pixels of a text of a height in pixels, bold or not.
Measure: TypeAlias = Callable[[str, float, bool], float]


class Rect(NamedTuple):
    """A rectangle in pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """The point in its middle."""
        return self.x + 0.5 * self.width, self.y + 0.5 * self.height

    def overlaps(self, other: Rect) -> bool:
        """Say whether two rectangles have more than a border in common."""
        across = self.x < other.x + other.width and other.x < self.x + self.width
        return across and self.y < other.y + other.height and other.y < self.y + self.height

    def grown(self, by: float) -> Rect:
        """Return the rectangle with a rim around it."""
        return Rect(self.x - by, self.y - by, self.width + 2.0 * by, self.height + 2.0 * by)

    def moved(self, x: float, y: float) -> Rect:
        """Return it elsewhere, by so many pixels."""
        return Rect(self.x + x, self.y + y, self.width, self.height)

    def within(self, other: Rect) -> bool:
        """Say whether no part of it is outside another."""
        across = other.x <= self.x and self.x + self.width <= other.x + other.width
        return across and other.y <= self.y and self.y + self.height <= other.y + other.height

    def covers(self, x: float, y: float) -> bool:
        """Say whether a point lies inside."""
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height


class TextRun(NamedTuple):
    """A piece of text: its lower left corner, its height, whether it is bold, and its font, if not the usual one.

    One that is on the line stands there with its letters, and what of them reaches below it is below the corner.
    """

    x: float
    y: float
    text: str
    size: float
    bold: bool = False
    font: str = ""
    on_line: bool = False

    def moved(self, x: float, y: float) -> TextRun:
        """Return it elsewhere, by so many pixels."""
        return TextRun(self.x + x, self.y + y, self.text, self.size, self.bold, self.font, self.on_line)
