"""What is seen of the lines of marks, dashed ones in pieces, as machine code.

Marks are made anew for every frame, some ten of them or many thousands. NumPy would take a microsecond for each step of
the arithmetic, whatever there is to do; a loop over raw memory takes nanoseconds for a mark.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from collision.inner import (
    FLOAT,
    FLOATS,
    INT,
    INTS,
    FloatArray,
    Floats,
    Ints,
    Loop,
    Vec3,
    address,
    along,
    kernel,
    load,
    norm,
    store,
    sub,
)
from viewer.records.drawables import Arrow, Marker, Patch, Role, Stroke
from viewer.records.theme import Style
from viewer.stage.marks.projection import clip, from_eye, pixel_of

Mark: TypeAlias = Marker | Stroke | Arrow | Patch

#: Kinds of marks by number, in the order in which they cover each other.
PATCH, STROKE, ARROW, MARKER = range(4)
KINDS: dict[type, int] = {Patch: PATCH, Stroke: STROKE, Arrow: ARROW, Marker: MARKER}
_NUMBERS = (12, 6, 6, 3)  # coordinates of each, for every patch, line or point

#: Numbers of a mark in the table of marks, and of a piece of a line: its ends.
_ROW, PIECE = 4, 6

#: Length of a dash and of the gap after it, in units; and how many a stroke has at most, also where rounding would make
#: it longer than any picture: one from the far end of the universe.
_DASH, _GAP, _MOST_DASHES = 9.0, 6.0, 1 << 14

#: Length of an arrow's head, in units; never more than this part of the arrow.
_HEAD_LENGTH, _HEAD_PART = 17.0, 0.6


class Row(NamedTuple):
    """A mark as kernels see it: its kind, how many of it, whether it is dashed, and its numbers, from a place on."""

    kind: int
    many: int
    dashed: bool
    numbers: Floats
    at: int


@kernel
def read_row(rows: Ints, numbers: Floats, mark: int) -> Row:
    """Read what a mark is."""
    k = _ROW * mark
    return Row(rows[k], rows[k + 1], rows[k + 3] != 0, numbers, rows[k + 2])


@kernel
def point_of(row: Row, i: int) -> Vec3:
    """Return point i of a mark."""
    return load(row.numbers, row.at + 3 * i)


@kernel
def ends_of(row: Row, i: int) -> tuple[Vec3, Vec3]:
    """Return line i of a mark: a stroke, an arrow, or a side of a patch."""
    other = i - i % 4 + (i + 1) % 4 if row.kind == PATCH else row.many + i
    return point_of(row, i), point_of(row, other)


@kernel
def head_of(s: Floats, unit: float, start: Vec3, end: Vec3) -> tuple[Vec3, float]:
    """Return where the head of an arrow begins, and how long it is; no length where there is none to be seen."""
    line = sub(end, start)
    length, size = norm(line), pixel_of(s, end).size
    if not (0.0 < length < math.inf and size > 0.0):
        return end, 0.0
    head = min(_HEAD_LENGTH * unit * size, _HEAD_PART * length)
    return along(end, -head / length, line), head


@kernel
def _seen(s: Floats, unit: float, row: Row, i: int) -> tuple[bool, Vec3, Vec3]:
    """Return whether line i of a mark is seen, and what is seen of it."""
    a, b = ends_of(row, i)
    placed = True
    if row.kind == PATCH:  # of which every corner has to have a place
        c, d = ends_of(row, i - i % 4 + (i + 2) % 4)
        placed = abs(from_eye(s, c).z + from_eye(s, d).z) < math.inf
    if row.kind == ARROW:
        b, head = head_of(s, unit, a, b)
        placed = head > 0.0
    inside, a, b = clip(s, a, b)
    return placed and inside, a, b


@kernel
def _length(s: Floats, unit: float, a: Vec3, b: Vec3) -> float:
    """Return how long a line is in the picture, in units."""
    first, last = pixel_of(s, a), pixel_of(s, b)
    x, y = last.x - first.x, last.y - first.y
    return math.sqrt(x * x + y * y) / unit


@kernel
def _curve(s: Floats, unit: float, row: Row, first: int, lines: int) -> tuple[int, float]:
    """Return the first line beyond the curve that begins with some line, and how long a dash and its gap are on it.

    A stroke that begins where another ends goes on with it. A curve has a whole dash at both of its ends: its length is
    so many dashes and gaps less one gap.
    """
    total, begun, until = 0.0, False, Vec3(0.0, 0.0, 0.0)
    beyond = lines
    for i in range(first, lines):
        seen, a, b = _seen(s, unit, row, i)
        if seen:
            if begun and not (a.x == until.x and a.y == until.y and a.z == until.z):
                beyond = i
                break
            total += _length(s, unit, a, b)
            begun, until = True, b
    periods = max(float(round((total + _GAP) / (_DASH + _GAP))), 1.0)
    return beyond, total / (periods - _GAP / (_DASH + _GAP))


@kernel
def _put(pieces: Floats, room: int, k: int, a: Vec3, b: Vec3) -> int:
    """Write piece k where there is room for it; return the number of the next."""
    if k < room:
        store(pieces, PIECE * k, a)
        store(pieces, PIECE * k + 3, b)
    return k + 1


@kernel
def _dashes(
    s: Floats, a: Vec3, b: Vec3, length: float, low: float, period: float, pieces: Floats, room: int, k: int
) -> int:
    """Write the dashes of a line that begins so far along its curve; return the number of the next piece."""
    line, near, far = sub(b, a), pixel_of(s, a).size, pixel_of(s, b).size
    dash = period * (_DASH / (_DASH + _GAP))
    skipped = max(float(math.ceil((low - dash) / period)), 0.0)  # that end before this line
    for number in range(_MOST_DASHES):
        begin = (skipped + number) * period - low
        if not begin < length:
            break
        first, last = max(begin, 0.0) / length, min(begin + dash, length) / length
        if first < last:
            # Depth runs evenly with its inverse across the picture, not with the picture itself.
            first = first * near / (far + first * (near - far))
            last = last * near / (far + last * (near - far))
            k = _put(pieces, room, k, along(a, first, line), along(a, last, line))
    return k


def _pieces(
    marks: int, rows: Ints, numbers: Floats, s: Floats, unit: float, room: int, pieces: Floats, ends: Ints
) -> int:
    """Write what is seen of the lines of marks, dashed ones in pieces, and where those of each mark end."""
    k = ends[0]
    for mark in range(marks):
        row = read_row(rows, numbers, mark)
        lines = 0 if row.kind == MARKER else (4 * row.many if row.kind == PATCH else row.many)
        beyond, low, period = 0, 0.0, 0.0
        for i in range(lines):
            if row.dashed and i == beyond:
                beyond, period = _curve(s, unit, row, i, lines)
                low = 0.0
            seen, a, b = _seen(s, unit, row, i)
            if seen and row.dashed:
                length = _length(s, unit, a, b)
                k = _dashes(s, a, b, length, low, period, pieces, room, k)
                low += length
            elif seen:
                k = _put(pieces, room, k, a, b)
        ends[mark + 1] = k
    return k


#: So few numbers of several arrays are put together sooner as bytes than by NumPy.
_FEW = 4096

_FLOAT64 = np.dtype(np.float64)


def _as_bytes(array: FloatArray) -> bytes:
    """Return the numbers of an array, one after the other, as they lie in memory."""
    return (array if array.dtype is _FLOAT64 else array.astype(np.float64)).tobytes()


_PIECES = Loop("mark_pieces", _pieces, (INT, INTS, FLOATS, FLOATS, FLOAT, INT, FLOATS, INTS), INT)


class Table:
    """Marks as raw memory, in order: what they are, and their numbers.

    The memory is kept, and written anew as a whole only for marks of other kinds, roles or counts than the last ones;
    for others of the same, just their numbers are.
    """

    def __init__(self) -> None:
        #: Of each mark its kind, count, where its numbers begin and whether it is dashed.
        self.rows: npt.NDArray[np.int64] = np.zeros((0, 4), dtype=np.int64)
        self._numbers: FloatArray = np.zeros(0)
        self._bytes = self._numbers.view(np.uint8).data
        #: What is seen of the marks' lines, (n, 2, 3), and where in it the pieces of each mark begin and end.
        self.seen: FloatArray = np.zeros((0, 2, 3))
        self.ends: npt.NDArray[np.int64] = np.zeros(1, dtype=np.int64)
        #: Where these four are in memory.
        self.places: tuple[int, int, int, int] = (0, 0, 0, 0)
        self._kinds: list[tuple[type, Role, int]] = []
        self._styles: Mapping[Role, Style] = {}

    def write(self, marks: Sequence[Mark], styles: Mapping[Role, Style]) -> bool:
        """Write marks down; say whether they are of other kinds, roles (or styles) or counts than the last ones."""
        arrays: list[FloatArray] = []
        kinds: list[tuple[type, Role, int]] = []
        for mark in marks:
            if isinstance(mark, Marker):
                arrays.append(mark.points)
                count = len(mark.points)
            elif isinstance(mark, Patch):
                arrays.append(mark.corners)
                count = len(mark.corners)
            else:
                arrays += (mark.start, mark.end)
                count = len(mark.start)
            kinds.append((type(mark), mark.role, count))
        anew = kinds != self._kinds or styles is not self._styles
        if anew:
            self._make(kinds, styles)
        try:
            if len(self._numbers) <= _FEW:
                self._bytes[:] = b"".join(map(_as_bytes, arrays))
            else:
                np.concatenate(arrays, axis=None, out=self._numbers)
        except ValueError:  # a loop would read what is not there
            given, size = sum(np.size(array) for array in arrays), len(self._numbers)
            text = f"marks need as many ends as starts: got {given} coordinates instead of {size}"
            raise ValueError(text) from None
        return anew

    def _make(self, kinds: list[tuple[type, Role, int]], styles: Mapping[Role, Style]) -> None:
        rows, size = [], 0
        for mark, role, count in kinds:
            kind = KINDS[mark]
            rows.append((kind, count, size, styles[role].dashed and kind != ARROW))
            size += _NUMBERS[kind] * count
        self.rows, self._numbers = np.array(rows, dtype=np.int64), np.zeros(size)
        self._bytes = self._numbers.view(np.uint8).data
        self.ends = np.zeros(len(rows) + 1, dtype=np.int64)
        self._make_room(64 + size // 3)  # for as many pieces as there can be, but for dashes
        self._kinds, self._styles = kinds, styles

    def _make_room(self, count: int) -> None:
        self.seen = np.zeros((count, 2, 3))
        rows, numbers, seen, ends = map(address, (self.rows, self._numbers, self.seen, self.ends))
        self.places = rows, numbers, seen, ends

    def look(self, view: FloatArray, unit: float) -> int:
        """Fill in what is seen of the marks' lines in a view, given as numbers; return how many pieces that is."""
        while True:
            rows, numbers, seen, ends = self.places
            room = len(self.seen)
            count: int = _PIECES.run(len(self.rows), rows, numbers, address(view), unit, room, seen, ends)
            if count <= room:
                return count
            self._make_room(count + count // 4)
