"""Where labels go, as machine code: of all places about what they name the cheapest that is free, one after the other.

And what of the picture they are better not put on: dots and lines, as they are seen. Rectangles are four numbers each:
the lower left corner, the width and the height, in pixels.
"""

import math
from typing import NamedTuple

import numpy as np

from collision.inner import FLOAT, FLOATS, INT, Floats, Loop, kernel, load
from viewer.stage.marks.projection import clip, pixel_of

#: Where a label may stand about what it names, in order of preference: to the right (1) or left (-1), above or below.
_DIRECTIONS = ((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (0, 1), (-1, 0), (0, -1))

#: How far from what it names a label may stand, in units; a name is left out rather than put farther away than the
#: first few of these: it would be taken for that of another shape.
_DISTANCES = (10.0, 22.0, 40.0, 64.0, 96.0, 136.0, 190.0, 260.0)
_NAMES_GO = 4

#: All places from the nearest to the farthest: the direction, the distance, what it costs, and what the step does. On a
#: diagonal the plate's corner is nearer on each axis, for the same distance.
PLACES = np.array(
    [
        (right, above, distance, distance * (0.75 if right and above else 1.0), step + 0.1 * rank, step)
        for step, distance in enumerate(_DISTANCES)
        for rank, (right, above) in enumerate(_DIRECTIONS)
    ]
)
_ALL_PLACES, _NAME_PLACES = len(PLACES), _NAMES_GO * len(_DIRECTIONS)

#: What a place on the shape that is named costs, as if it were so many steps away.
_ON_IT = -1.0

#: Covering a dot, or what another label names, counts like so many steps farther away; and so does covering a line over
#: the plate's whole width, or twice that at most.
_COVERING_DOT, _COVERING_LINE, _MOST_LINES = 1.6, 2.4, 2.0

#: How far from a label's plate a dot or a line must be not to seem covered by it, in units: lines have a width.
_CLEARANCE = 3.0

#: How far from the edge of the picture and from each other labels stay, in units.
_EDGE, _APART = 4.0, 2.0

#: A line that rises by less than this many pixels is level.
_LEVEL = 1e-6


#: Numbers in memory: of a place, a rectangle, a dot, a line, a label, an answer, and of the picture before the labels.
_PLACE, RECTANGLE, DOT, LINE, LABEL, ANSWER, _PICTURE = 6, 4, 2, 4, 4, 5, 2


class _Rectangle(NamedTuple):
    """A rectangle in the picture, by its lower left corner."""

    x: float
    y: float
    width: float
    height: float


class _Taken(NamedTuple):
    """The width and the height of the picture, and the rectangles in it that are taken, by how many they are."""

    picture: Floats
    number: int
    rectangles: Floats


class _Better(NamedTuple):
    """What is better not covered: dots and lines, by how many they are."""

    dot_count: int
    dots: Floats
    line_count: int
    lines: Floats


class _Label(NamedTuple):
    """The plate of a label, where in the picture what it names is seen, and how much room there is on that."""

    width: float
    height: float
    room: float
    room_above: float
    is_name: bool
    x: float
    y: float


class Answer(NamedTuple):
    """Where a label goes: its plate's corner, its distance in units, and the pixel that it names.

    The distance is less than nothing where no place is free, or what it names cannot be seen.
    """

    x: float
    y: float
    distance: float
    at_x: float
    at_y: float


class _Found(NamedTuple):
    """The cheapest place so far: what it costs, the plate's corner, and the distance."""

    cost: float
    x: float
    y: float
    distance: float


@kernel
def _read_rectangle(rectangles: Floats, k: int) -> _Rectangle:
    at = RECTANGLE * k
    return _Rectangle(rectangles[at], rectangles[at + 1], rectangles[at + 2], rectangles[at + 3])


@kernel
def _write_rectangle(rectangles: Floats, k: int, r: _Rectangle) -> None:
    at = RECTANGLE * k
    rectangles[at], rectangles[at + 1], rectangles[at + 2], rectangles[at + 3] = r.x, r.y, r.width, r.height


@kernel
def _write_dot(dots: Floats, k: int, x: float, y: float) -> None:
    dots[DOT * k], dots[DOT * k + 1] = x, y


@kernel
def _read_line(lines: Floats, k: int) -> tuple[float, float, float, float]:
    at = LINE * k
    return lines[at], lines[at + 1], lines[at + 2], lines[at + 3]


@kernel
def _write_line(lines: Floats, k: int, x: float, y: float, end_x: float, end_y: float) -> None:
    at = LINE * k
    lines[at], lines[at + 1], lines[at + 2], lines[at + 3] = x, y, end_x, end_y


@kernel
def _read_label(sizes: Floats, k: int, height: float, answer: Answer) -> _Label:
    at = _PICTURE + LABEL * k
    return _Label(sizes[at], height, sizes[at + 1], sizes[at + 2], sizes[at + 3] != 0.0, answer.at_x, answer.at_y)


@kernel
def _read_answer(out: Floats, k: int) -> Answer:
    at = ANSWER * k
    return Answer(out[at], out[at + 1], out[at + 2], out[at + 3], out[at + 4])


@kernel
def _write_answer(out: Floats, k: int, a: Answer) -> None:
    at = ANSWER * k
    out[at], out[at + 1], out[at + 2], out[at + 3], out[at + 4] = a.x, a.y, a.distance, a.at_x, a.at_y


@kernel
def _nearest_pixel(value: float) -> float:
    return float(math.floor(value + 0.5))


@kernel
def _free(plate: _Rectangle, unit: float, taken: _Taken) -> bool:
    """Tell whether a plate is in the picture and off all rectangles."""
    edge, gap = _EDGE * unit, _APART * unit
    x, y, width, height = plate
    wide, high = taken.picture[0], taken.picture[1]
    inside = edge <= x and x + width <= wide - edge and edge <= y and y + height <= high - edge
    if not inside:
        return False
    for k in range(taken.number):
        r = _read_rectangle(taken.rectangles, k)
        across = x < r.x + r.width + gap and r.x < x + width + gap
        if across and y < r.y + r.height + gap and r.y < y + height + gap:
            return False
    return True


@kernel
def _between(start: float, end: float, low: float, high: float) -> tuple[float, float]:
    """Return from which part of a line to which it is between two values, on one axis."""
    along = end - start
    if abs(along) < _LEVEL:
        along = _LEVEL  # far below what is seen, far above overflow
    first, last = (low - start) / along, (high - start) / along
    return min(first, last), max(first, last)


@kernel
def _covering(plate: _Rectangle, unit: float, better: _Better) -> float:
    """Return what it costs to cover all that a plate covers, with some clearance."""
    rim = _CLEARANCE * unit
    x, y, width, height = plate.x - rim, plate.y - rim, plate.width + 2.0 * rim, plate.height + 2.0 * rim
    cost = 0.0
    for k in range(better.dot_count):
        if x <= better.dots[DOT * k] <= x + width and y <= better.dots[DOT * k + 1] <= y + height:
            cost += _COVERING_DOT
    covered = 0.0
    for k in range(better.line_count):
        at = LINE * k
        start_x, start_y, end_x, end_y = (
            better.lines[at],
            better.lines[at + 1],
            better.lines[at + 2],
            better.lines[at + 3],
        )
        enter, leave = _between(start_x, end_x, x, x + width)
        enter_y, leave_y = _between(start_y, end_y, y, y + height)
        part = min(leave, leave_y, 1.0) - max(enter, enter_y, 0.0)
        if part > 0.0:
            covered += part * math.sqrt((end_x - start_x) ** 2 + (end_y - start_y) ** 2)
    return cost + _COVERING_LINE * min(covered / width, _MOST_LINES)


@kernel
def _seen(x: float, y: float, taken: _Taken) -> bool:
    """Tell whether a pixel is in the picture and off all rectangles."""
    if not (0.0 <= x <= taken.picture[0] and 0.0 <= y <= taken.picture[1]):
        return False
    for k in range(taken.number):
        r = _read_rectangle(taken.rectangles, k)
        if r.x <= x <= r.x + r.width and r.y <= y <= r.y + r.height:
            return False
    return True


@kernel
def marked(
    s: Floats, wide: float, high: float, dot_count: int, line_count: int, points: Floats, first: int, dots: Floats,
    lines: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Store the pixels of points from the first on, then those of the two ends of lines, as far as they are in view.

    What is not before the eye is left out. Return how many dots and lines are left. The middle of the picture is so
    many pixels from the left and from below.
    """
    dots_seen, lines_seen, at = 0, 0, 3 * first
    for k in range(dot_count):
        dot = pixel_of(s, load(points, at + 3 * k))
        if dot.size > 0.0:
            _write_dot(dots, dots_seen, wide + dot.x, high + dot.y)
            dots_seen += 1
    at += 3 * dot_count
    for k in range(line_count):
        seen, a, b = clip(s, load(points, at + 3 * k), load(points, at + 3 * (line_count + k)))
        if seen:
            begin, end = pixel_of(s, a), pixel_of(s, b)
            _write_line(lines, lines_seen, wide + begin.x, high + begin.y, wide + end.x, high + end.y)
            lines_seen += 1
    return dots_seen, lines_seen


@kernel
def _on_it(label: _Label, unit: float, taken: _Taken, better: _Better) -> _Found:
    """Return the place on what a label names, if it fits there."""
    if label.width <= label.room and label.height <= label.room_above:
        x, y = _nearest_pixel(label.x - 0.5 * label.width), _nearest_pixel(label.y - 0.5 * label.height)
        plate = _Rectangle(x, y, label.width, label.height)
        if _free(plate, unit, taken):
            # What it names is one of the dots that are better not covered.
            return _Found(_ON_IT - _COVERING_DOT + _covering(plate, unit, better), x, y, 0.0)
    return _Found(math.inf, 0.0, 0.0, -1.0)


@kernel
def _best(label: _Label, unit: float, places: Floats, taken: _Taken, better: _Better) -> _Found:
    """Return the cheapest place for a label."""
    best = _on_it(label, unit, taken, better)
    for k in range(_NAME_PLACES if label.is_name else _ALL_PLACES):
        at = _PLACE * k
        right, above, distance = places[at], places[at + 1], places[at + 2]
        off, cost, least = places[at + 3] * unit, places[at + 4], places[at + 5]
        if best.cost <= least:
            break  # farther away nothing costs less
        x = _nearest_pixel(label.x + right * off - (0.5 - 0.5 * right) * label.width)
        y = _nearest_pixel(label.y + above * off - (0.5 - 0.5 * above) * label.height)
        plate = _Rectangle(x, y, label.width, label.height)
        if cost < best.cost and _free(plate, unit, taken):
            cost += _covering(plate, unit, better)
            if cost < best.cost:
                best = _Found(cost, x, y, distance)
    return best


def _place(
    count: int, taken: int, dot_count: int, line_count: int, height: float, unit: float, places: Floats, s: Floats,
    points: Floats, sizes: Floats, rectangles: Floats, dots: Floats, lines: Floats, out: Floats,
) -> None:  # fmt: skip
    """Place labels.

    The points are what is named, dots, starts of lines, and their ends. The sizes are the picture's, then four numbers
    for each label: the plate's width, the room on what it names, and whether it is a name. The rectangles that are
    taken have room after them for the labels, and the dots for what is named. Of each label comes an answer.
    """
    wide, high = 0.5 * sizes[0], 0.5 * sizes[1]
    dot_count, line_count = marked(s, wide, high, dot_count, line_count, points, count, dots, lines)
    for k in range(count):
        named = pixel_of(s, load(points, 3 * k))
        x, y = wide + named.x, high + named.y
        seen = named.size > 0.0 and _seen(x, y, _Taken(sizes, taken, rectangles))
        _write_answer(out, k, Answer(0.0, 0.0, 0.0 if seen else -1.0, x, y))
        if seen:
            _write_dot(dots, dot_count, x, y)
            dot_count += 1
    better = _Better(dot_count, dots, line_count, lines)
    for k in range(count):
        answer = _read_answer(out, k)
        if answer.distance < 0.0:
            continue
        label = _read_label(sizes, k, height, answer)
        best = _best(label, unit, places, _Taken(sizes, taken, rectangles), better)
        _write_answer(out, k, Answer(best.x, best.y, best.distance, answer.at_x, answer.at_y))
        if best.distance >= 0.0:
            _write_rectangle(rectangles, taken, _Rectangle(best.x, best.y, label.width, label.height))
            taken += 1


PLACE = Loop("place_labels", _place, (*[INT] * 4, *[FLOAT] * 2, *[FLOATS] * 8))
