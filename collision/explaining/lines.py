"""A line, a ray or a segment and a shape that it may meet: what the kernels that decide it computed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from collision.explaining.pairs import Side, memory_of
from collision.explaining.records import Mark, MarkRole
from collision.explaining.trace import Call, trace
from collision.kernels.cores import Linear, at
from collision.kernels.vec3 import Vec3
from collision.queries.casts import HITS, PASSES
from collision.shapes.kinds import Point, Segment
from collision.shapes.shape import Shape

#: What is drawn of a line without an end, beside what it meets: so many times the size of the pair.
_BEYOND = 2.0


@dataclass(frozen=True)
class Cast:
    """A linear piece and a shape that it may meet, and the record of the kernels that decided it.

    Attributes
    ----------
    line, target : Side
        The piece, and what it may meet.
    call : Call
        Of the kernel that knows whether it is met.
    span : Call
        Of the kernel that found where the line of the piece runs inside.
    stored : tuple of list
        What the kernels stored.
    """

    line: Side
    target: Side
    call: Call
    span: Call
    stored: tuple[list[float], ...]

    @property
    def piece(self) -> Linear:
        """The piece as the kernels saw it."""
        piece: Linear = self.line.core
        return piece

    @property
    def size(self) -> float:
        """The largest number that both are given by."""
        size: float = self.call.arguments["size"]
        return size

    @property
    def chord(self) -> Call | None:
        """The call that found the part of the line inside the shape; nothing for a piece without length."""
        return next((call for call in self.span.calls if call.name.startswith("chord_")), None)

    @property
    def speed(self) -> float:
        """The length of the direction: how far it goes for a unit of the parameter."""
        return math.hypot(*self.piece.direction)

    def shown(self, t: float) -> float:
        """Return a parameter that can be drawn: infinity is far beyond the shape."""
        if math.isfinite(t):
            return t
        first, last = self.chord.result if self.chord else (0.0, 0.0)
        ends = [end for end in (first, last) if math.isfinite(end)]
        middle = sum(ends) / len(ends) if ends else 0.0
        return middle + math.copysign(_BEYOND * (self.size or 1.0) / (self.speed or 1.0), t)

    def at(self, t: float) -> Vec3:
        """Return the point of the line at a parameter, to be drawn."""
        return at(self.piece, self.shown(t))

    def point(self, label: str, role: MarkRole, t: float) -> Mark:
        """Return a mark of a point of the line."""
        return Mark(label, role, Point(self.at(t)))

    def part(self, label: str, role: MarkRole, first: float, last: float) -> Mark:
        """Return a mark of a part of the line."""
        return Mark(label, role, Segment(self.at(first), self.at(last)))

    @property
    def carrier(self) -> Mark:
        """The line that the piece is on, as far as it is of interest."""
        first, last = self.chord.result if self.chord else (0.0, 0.0)
        known = [self.shown(t) for t in (first, last, self.piece.lo, self.piece.hi) if not math.isnan(t)]
        room = 0.25 * (max(known) - min(known))
        return self.part(f"line of {self.line.name}", "guide", min(known) - room, max(known) + room)


def cast_of(query: str, line: Shape, shape: Shape, limit: float, names: tuple[str, str]) -> Cast:
    """Run the kernels of `crossings` or `raycast` for a single piece and shape, and return what they did."""
    a, b = memory_of(line), memory_of(shape)
    nothing: Any = ()
    if query == "crossings":
        loop, stored = PASSES[shape.core_type].function, ([0.0], [0.0], [0.0] * 2, [0.0] * 6)
    else:
        loop, stored = HITS[shape.core_type].function, ([limit], [0.0], [0.0] * 3, [0.0] * 3)
    root = trace(loop, 0, 1, 0, a.table, a.strides, nothing, b.table, b.strides, nothing, nothing, nothing, stored)
    call = root.the("passing") if query == "crossings" else root.the("hit_one").the("hit")
    span = call.the("span")
    piece = call.arguments["piece" if query == "crossings" else "ray"]
    sides = Side(names[0], "A", line, piece, 0.0), Side(names[1], "B", shape, span["core"], span["radius"])
    return Cast(*sides, call, span, stored)


def same(result: Any, stored: tuple[list[float], ...]) -> bool:
    """Tell whether arrays have the numbers that were stored, to the last bit."""
    return all(np.array_equal(np.ravel(a), b, equal_nan=True) for a, b in zip(result, stored, strict=True))
