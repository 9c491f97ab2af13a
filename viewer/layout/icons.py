"""The icons of buttons: lines and filled shapes in a square from -1 to 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from viewer.layout.parts import Disk, Ink, Path, Polygon, Shape
from viewer.records.pixels import Rect

#: How wide the lines of an icon are, as a part of half its side.
WIDTH = 0.2

Points = Sequence[tuple[float, float]]


class Icon(NamedTuple):
    """Lines through points, and convex shapes that are filled."""

    lines: tuple[Points, ...]
    fills: tuple[Points, ...] = ()


def _arc(start: float, stop: float, radius: float = 0.72, at: tuple[float, float] = (0.0, 0.0)) -> Points:
    """Return points on a part of a circle, by angles in degrees."""
    angles = np.radians(np.linspace(start, stop, 2 + int(abs(stop - start) / 15.0)))
    return [(at[0] + radius * float(np.cos(a)), at[1] + radius * float(np.sin(a))) for a in angles]


def _box(left: float, bottom: float, right: float, top: float) -> Points:
    return [(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]


#: The head of an arrow to the right, and to the other sides.
_HEAD = np.array([(1.0, 0.0), (0.58, 0.34), (0.58, -0.34)])
_QUARTER = np.array([[0.0, 1.0], [-1.0, 0.0]])
_HEADS = tuple(tuple(map(tuple, (_HEAD @ np.linalg.matrix_power(_QUARTER, k)).tolist())) for k in range(4))

_CORNERS = tuple([(0.9 * x, 0.35 * y), (0.9 * x, 0.9 * y), (0.35 * x, 0.9 * y)] for x in (-1, 1) for y in (-1, 1))

#: The body of the lock.
_LOCK = _box(-0.66, -0.85, 0.66, 0.08)

#: The icons by their names.
ICONS: Mapping[str, Icon] = MappingProxyType(
    {
        "move": Icon(([(-0.6, 0), (0.6, 0)], [(0, -0.6), (0, 0.6)]), _HEADS),
        "turn": Icon((_arc(40, -240),), ([(0.2, 0.72), (0.92, 0.86), (0.66, 0.16)],)),
        "size": Icon(
            (_box(-0.85, -0.85, -0.05, -0.05), [(0.05, 0.05), (0.6, 0.6)]), ([(0.9, 0.9), (0.3, 0.8), (0.8, 0.3)],)
        ),
        "add": Icon(([(-0.8, 0), (0.8, 0)], [(0, -0.8), (0, 0.8)])),
        "undo": Icon(
            ([(-0.5, 0.35), (0.2, 0.35), *_arc(90, -90, 0.5, (0.25, -0.15)), (-0.4, -0.65)],),
            ([(-0.95, 0.35), (-0.35, 0.8), (-0.35, -0.1)],),
        ),
        "play": Icon((), ([(-0.6, -0.85), (0.85, 0), (-0.6, 0.85)],)),
        "pause": Icon((), (_box(-0.65, -0.8, -0.2, 0.8)[:4], _box(0.2, -0.8, 0.65, 0.8)[:4])),
        "explain": Icon(
            ([(-0.9, -0.75), (-0.3, -0.75), (-0.3, -0.15), (0.3, -0.15), (0.3, 0.45), (0.9, 0.45)],),
            (_arc(0, 360, 0.2, (-0.6, 0.0)), _arc(0, 360, 0.2, (0.0, 0.6))),
        ),
        "frame": Icon(_CORNERS, (_arc(0, 360, 0.28),)),
        "see-through": Icon((_arc(30, 150, 1.1, (0, -0.55)), _arc(-30, -150, 1.1, (0, 0.55))), (_arc(0, 360, 0.3),)),
        "picture": Icon(
            (_box(-0.95, -0.65, 0.95, 0.5), _arc(0, 360, 0.32, (0, -0.08)), [(-0.35, 0.66), (0.35, 0.66)]),
        ),
        "lock": Icon(([(-0.4, 0.08), *_arc(180, 0, 0.4, (0, 0.4)), (0.4, 0.08)],), (_LOCK[:4],)),
        "unlock": Icon(([(-0.4, 0.08), *_arc(180, 20, 0.4, (0, 0.5))],), (_LOCK[:4],)),
        "open": Icon(
            ([(-0.95, -0.7), (-0.95, 0.65), (-0.3, 0.65), (-0.1, 0.4), (0.75, 0.4), (0.75, 0.05)],),
            ([(-0.95, -0.75), (0.7, -0.75), (1.0, 0.05), (-0.6, 0.05)],),
        ),
        "joints": Icon(
            ([(-0.9, 0.6), (0.9, 0.6)], [(-0.9, 0), (0.9, 0)], [(-0.9, -0.6), (0.9, -0.6)]),
            (_arc(0, 360, 0.26, (-0.35, 0.6)), _arc(0, 360, 0.26, (0.45, 0.0)), _arc(0, 360, 0.26, (-0.1, -0.6))),
        ),
        "help": Icon(([*_arc(170, -60, 0.42, (0, 0.42)), (0, -0.12), (0, -0.3)],), (_arc(0, 360, 0.15, (0, -0.74)),)),
        "menu": Icon(([(-0.8, 0.6), (0.8, 0.6)], [(-0.8, 0), (0.8, 0)], [(-0.8, -0.6), (0.8, -0.6)])),
    }
)


def icon(name: str, place: Rect, half: float, ink: Ink) -> list[Shape]:
    """Return an icon in the middle of a rectangle, so many pixels to each side."""
    middle, drawn, width = place.middle, ICONS[name], WIDTH * half

    def at(points: Points) -> tuple[tuple[float, float], ...]:
        return tuple([(middle[0] + half * x, middle[1] + half * y) for x, y in points])

    shapes: list[Shape] = [Polygon(at(fill), ink) for fill in drawn.fills]
    for line in map(at, drawn.lines):
        shapes += [Path(ends, width, ink) for ends in pairwise(line)]
        shapes += [Disk(place, 0.5 * width, ink) for place in line]
    return shapes
