"""Where labels go, as machine code: of all places about what they name the cheapest that is free, one after the other.

And what of the picture they are better not put on: dots and lines, as they are seen. Rectangles are four numbers each:
the lower left corner, the width and the height, in pixels.
"""

import math

import numpy as np

from collision.inner import FLOAT, FLOATS, INT, Floats, Loop, kernel, load
from viewer.stage.sight import clip, pixel_of

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


@kernel
def _nearest_pixel(value: float) -> float:
    return math.floor(value + 0.5)


@kernel
def _free(
    x: float, y: float, width: float, height: float, unit: float, picture: Floats, count: int, rects: Floats
) -> bool:
    """Tell whether a rectangle is in the picture and off all others."""
    edge, gap = _EDGE * unit, _APART * unit
    inside = edge <= x and x + width <= picture[0] - edge and edge <= y and y + height <= picture[1] - edge
    if not inside:
        return False
    for k in range(0, 4 * count, 4):
        across = x < rects[k] + rects[k + 2] + gap and rects[k] < x + width + gap
        if across and y < rects[k + 1] + rects[k + 3] + gap and rects[k + 1] < y + height + gap:
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
def _covering(
    x: float, y: float, width: float, height: float, dot_count: int, dots: Floats, line_count: int, lines: Floats
) -> float:
    """Return what it costs to cover all that a rectangle covers."""
    cost = 0.0
    for k in range(0, 2 * dot_count, 2):
        if x <= dots[k] <= x + width and y <= dots[k + 1] <= y + height:
            cost += _COVERING_DOT
    covered = 0.0
    for k in range(0, 4 * line_count, 4):
        enter, leave = _between(lines[k], lines[k + 2], x, x + width)
        enter_y, leave_y = _between(lines[k + 1], lines[k + 3], y, y + height)
        part = min(leave, leave_y, 1.0) - max(enter, enter_y, 0.0)
        if part > 0.0:
            covered += part * math.sqrt((lines[k + 2] - lines[k]) ** 2 + (lines[k + 3] - lines[k + 1]) ** 2)
    return cost + _COVERING_LINE * min(covered / width, _MOST_LINES)


@kernel
def _seen(x: float, y: float, picture: Floats, count: int, rects: Floats) -> bool:
    """Tell whether a pixel is in the picture and off all rectangles."""
    if not (0.0 <= x <= picture[0] and 0.0 <= y <= picture[1]):
        return False
    for k in range(0, 4 * count, 4):
        if rects[k] <= x <= rects[k] + rects[k + 2] and rects[k + 1] <= y <= rects[k + 1] + rects[k + 3]:
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
            dots[2 * dots_seen], dots[2 * dots_seen + 1] = wide + dot.x, high + dot.y
            dots_seen += 1
    at += 3 * dot_count
    for k in range(line_count):
        seen, a, b = clip(s, load(points, at + 3 * k), load(points, at + 3 * (line_count + k)))
        if seen:
            begin, end, to = pixel_of(s, a), pixel_of(s, b), 4 * lines_seen
            lines[to], lines[to + 1] = wide + begin.x, high + begin.y
            lines[to + 2], lines[to + 3] = wide + end.x, high + end.y
            lines_seen += 1
    return dots_seen, lines_seen


def _place(
    count: int, taken: int, dot_count: int, line_count: int, height: float, unit: float, places: Floats, s: Floats,
    points: Floats, sizes: Floats, rects: Floats, dots: Floats, lines: Floats, out: Floats,
) -> None:  # fmt: skip
    """Place labels.

    The points are what is named, dots, starts of lines, and their ends. The sizes are the picture's, then four numbers
    for each label: the plate's width, the room on what it names, and whether it is a name. The rectangles that are
    taken have room after them for the labels, and the dots for what is named. Of each label come the plate's corner,
    its distance, in units, and the pixel that it names; the distance is less than nothing where no place is free, or
    what it names cannot be seen.
    """
    wide, high, rim = 0.5 * sizes[0], 0.5 * sizes[1], _CLEARANCE * unit
    dot_count, line_count = marked(s, wide, high, dot_count, line_count, points, count, dots, lines)
    for k in range(count):
        named = pixel_of(s, load(points, 3 * k))
        x, y = wide + named.x, high + named.y
        seen = named.size > 0.0 and _seen(x, y, sizes, taken, rects)
        out[5 * k + 2], out[5 * k + 3], out[5 * k + 4] = 0.0 if seen else -1.0, x, y
        if seen:
            dots[2 * dot_count], dots[2 * dot_count + 1] = x, y
            dot_count += 1
    for k in range(count):
        if out[5 * k + 2] < 0.0:
            continue
        at_x, at_y, own = out[5 * k + 3], out[5 * k + 4], 2 + 4 * k
        width = sizes[own]
        best, best_x, best_y, best_distance = math.inf, 0.0, 0.0, -1.0
        if width <= sizes[own + 1] and height <= sizes[own + 2]:
            x, y = _nearest_pixel(at_x - 0.5 * width), _nearest_pixel(at_y - 0.5 * height)
            if _free(x, y, width, height, unit, sizes, taken, rects):
                plate = (x - rim, y - rim, width + 2.0 * rim, height + 2.0 * rim)
                # What it names is one of the dots that are better not covered.
                best = _ON_IT - _COVERING_DOT + _covering(*plate, dot_count, dots, line_count, lines)
                best_x, best_y, best_distance = x, y, 0.0
        last = _NAME_PLACES if sizes[own + 3] else _ALL_PLACES
        for p in range(0, 6 * last, 6):
            right, above, distance = places[p], places[p + 1], places[p + 2]
            off, cost, least = places[p + 3] * unit, places[p + 4], places[p + 5]
            if best <= least:
                break  # farther away nothing costs less
            x = _nearest_pixel(at_x + right * off - (0.5 - 0.5 * right) * width)
            y = _nearest_pixel(at_y + above * off - (0.5 - 0.5 * above) * height)
            if cost < best and _free(x, y, width, height, unit, sizes, taken, rects):
                plate = (x - rim, y - rim, width + 2.0 * rim, height + 2.0 * rim)
                cost += _covering(*plate, dot_count, dots, line_count, lines)
                if cost < best:
                    best, best_x, best_y, best_distance = cost, x, y, distance
        out[5 * k], out[5 * k + 1], out[5 * k + 2] = best_x, best_y, best_distance
        if best_distance >= 0.0:
            rects[4 * taken], rects[4 * taken + 1] = best_x, best_y
            rects[4 * taken + 2], rects[4 * taken + 3] = width, height
            taken += 1


PLACE = Loop("place_labels", _place, (*[INT] * 4, *[FLOAT] * 2, *[FLOATS] * 8))
