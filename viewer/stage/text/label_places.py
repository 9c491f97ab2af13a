"""The places where labels can stand about what they name, and what each of them costs. Pure arithmetic, no renderer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from collision.inner import BoolArray, FloatArray
from viewer.camera.camera import Viewport
from viewer.records.drawables import Arrow, Label, Marker, Role, Stroke
from viewer.records.pixels import Rect
from viewer.stage.text.clutter import Clutter

#: A line in the picture, from x and y to x and y; or a rectangle: left, bottom, right, top.
Four: TypeAlias = tuple[float, float, float, float]

#: Where a label may stand about what it names, in order of preference: to the right (1) or left (-1), above or below;
#: and how far away, in heights of the text. A name is left out rather than put farther away than the first few.
_DIRECTIONS = ((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (0, 1), (-1, 0), (0, -1))
_DISTANCES = (0.33, 1.1, 2.3, 3.9, 7.0, 12.5)
_NAMES_GO = 4

#: A dot reaches so far, in units: distances begin there.
_DOT = 5.0

#: All places, from the nearest to the farthest: to which side, how far up, how far away, and what that costs. On a
#: diagonal the plate's corner is nearer on each axis, for the same distance. The first place is on what is named.
_PLACES = np.array(
    [
        (0.0, 0.0, -_DOT, -1.0),
        *(
            (right, above, distance * (0.75 if right and above else 1.0), step + 0.1 * rank)
            for step, distance in enumerate(_DISTANCES)
            for rank, (right, above) in enumerate(_DIRECTIONS)
        ),
    ]
)

#: The first that is beside what is named, the first of those farther away, and the first that is too far for a name.
BESIDE, AWAY, _TOO_FAR = 1, 1 + len(_DIRECTIONS), 1 + _NAMES_GO * len(_DIRECTIONS)

#: What else a place costs, as if it were so many steps farther away: for each dot, and each point that another label
#: names, that is covered; for a line that is covered, by heights of the text; for a plate that is all on other shapes;
#: and for being as near to what another label names. Covering is never worse than so many steps.
_DOT_COST, _LINE_COST, _SHAPE_COST, _UNCLEAR_COST, _WORST = 1.6, 0.5, 1.2, 0.35, 5.0

#: A label is not taken for another's where what the other names is so many times farther away.
_CLEARLY = 1.3

#: How far from a label's plate a dot or a line must be not to seem covered by it, in units: lines have a width.
_CLEARANCE = 3.0

#: How far from the edge of the picture and from each other labels stay, in units.
_EDGE, APART = 4.0, 2.0


class Plate(NamedTuple):
    """A label that is to be placed: its text, its plate's width and height, and the pixel that it names.

    The room is how wide and high what it names is around that, in pixels.
    """

    label: Label
    text: str
    width: int
    height: int
    x: float
    y: float
    room: tuple[float, float]

    @property
    def is_name(self) -> bool:
        """Whether it is the name of a shape."""
        return self.label.role is Role.NAME

    @property
    def inside(self) -> Four:
        """The inside of what it names, as far as that is known."""
        wide, high = 0.5 * self.room[0], 0.5 * self.room[1]
        return self.x - wide, self.y - high, self.x + wide, self.y + high

    @property
    def fits(self) -> bool:
        """Whether there is room for it on what it names."""
        return self.width <= self.room[0] and self.height <= self.room[1]


class Place(NamedTuple):
    """A place for a plate: what it costs, its number, where it is, and whether another label's point is as near."""

    cost: float
    number: int
    left: float
    bottom: float
    right: float
    top: float
    unclear: bool


class Ground:
    """Says where plates can stand in a picture, and what it costs, before there are others.

    Parameters
    ----------
    plates : sequence of Plate
        All that are to be placed.
    view : Viewport
        The camera, and the picture in pixels.
    unit, text : float
        Pixels in a unit of the theme, and the height of the text in pixels.
    taken : sequence of Rect
        What must not be covered.
    marks : sequence of Marker, Stroke or Arrow
        Dots and lines that are better not covered.
    """

    def __init__(
        self,
        plates: Sequence[Plate],
        view: Viewport,
        unit: float,
        text: float,
        taken: Sequence[Rect],
        marks: Sequence[Marker | Stroke | Arrow],
    ) -> None:
        self._size, self._unit, self._text = view.size, unit, text
        self._taken = np.array([(r.x, r.y, r.x + r.width, r.y + r.height) for r in taken]).reshape(-1, 4)
        self._points = np.array([(plate.x, plate.y) for plate in plates])
        self._clutter = clutter = Clutter(view, unit)
        clutter.add_pixels(self._points, _DOT_COST)
        if dots := [mark.points for mark in marks if isinstance(mark, Marker)]:
            clutter.add_points(np.concatenate(dots), _DOT_COST)
        if lines := [mark for mark in marks if not isinstance(mark, Marker)]:
            start, end = (np.concatenate([getattr(line, side) for line in lines]) for side in ("start", "end"))
            clutter.add_lines(start, end, _LINE_COST / text)
        for plate in plates:
            if any(plate.room):
                clutter.add_area(*plate.inside, _SHAPE_COST / (plate.width * plate.height))

    def near(self, plates: Sequence[Plate]) -> list[list[Place]]:
        """Return for each of the plates the free places on or beside what it names, the cheapest first."""
        boxes, costs = self._boxes(plates, 0, AWAY)
        costs[:, 0] -= _DOT_COST  # what it names is one of the dots
        costs[[not plate.fits for plate in plates], 0] = np.inf
        unclear = self._unclear(boxes)
        return _places(boxes, costs + _UNCLEAR_COST * unclear, unclear, 0)

    def far(self, plates: Sequence[Plate]) -> list[list[Place]]:
        """Return for each of the plates the free places farther away, the cheapest first."""
        if not plates:
            return []
        boxes, costs = self._boxes(plates, AWAY, len(_PLACES))
        costs[[plate.is_name for plate in plates], _TOO_FAR - AWAY :] = np.inf
        return _places(boxes, costs, np.zeros(costs.shape, bool), AWAY)

    def _boxes(self, plates: Sequence[Plate], first: int, last: int) -> tuple[FloatArray, FloatArray]:
        """Return some places of plates, (n, places, 4), and what they cost: infinitely much where they are not free."""
        sizes = np.array([(plate.width, plate.height) for plate in plates], dtype=float)[:, None]
        points = np.array([(plate.x, plate.y) for plate in plates])[:, None]
        sides, off, steps = _PLACES[first:last, :2], _PLACES[first:last, 2:3], _PLACES[first:last, 3]
        low = points + sides * (_DOT * self._unit + off * self._text) - (0.5 - 0.5 * sides) * sizes
        low = np.floor(low + 0.5)
        boxes = np.concatenate([low, low + sizes], axis=2)
        rim = _CLEARANCE * self._unit * np.array([-1.0, -1.0, 1.0, 1.0])
        covering = self._clutter.within(boxes + rim)
        insides = np.array([plate.inside for plate in plates])[:, None]
        own = np.minimum(boxes, insides)[..., 2:] - np.maximum(boxes, insides)[..., :2]
        covering -= _SHAPE_COST * np.maximum(own, 0.0).prod(axis=2) / sizes.prod(axis=2)
        return boxes, np.where(self._clear(boxes), steps + np.minimum(np.maximum(covering, 0.0), _WORST), np.inf)

    def _clear(self, boxes: FloatArray) -> BoolArray:
        """Tell of places whether they are in the picture and off all that is taken."""
        low, high, edge, gap = boxes[..., :2], boxes[..., 2:], _EDGE * self._unit, APART * self._unit
        clear = (low >= edge).all(axis=2) & (high <= np.array(self._size) - edge).all(axis=2)
        apart = (low[..., None, :] >= self._taken[:, 2:] + gap) | (self._taken[:, :2] >= high[..., None, :] + gap)
        return np.asarray(clear & np.all(np.any(apart, axis=3), axis=2))

    def _unclear(self, boxes: FloatArray) -> BoolArray:
        """Tell of the near places whether what another label names is about as near as what this one names."""
        points = self._points
        off = np.maximum(np.maximum(boxes[:, :, None, :2] - points, points - boxes[:, :, None, 2:]), 0.0)
        away = np.hypot(off[..., 0], off[..., 1])
        own = away[np.arange(len(points)), :, np.arange(len(points))]
        other = np.abs(points[:, None] - points).max(axis=2) > 1.0  # two labels of one point are no trouble
        return np.asarray(((away <= _CLEARLY * own[..., None]) & other[:, None]).any(axis=2))


def _places(boxes: FloatArray, costs: FloatArray, unclear: BoolArray, first: int) -> list[list[Place]]:
    """Return the free places of each plate, the cheapest first."""
    found = []
    for some, own, flags in zip(boxes.tolist(), costs.tolist(), unclear.tolist(), strict=True):
        numbers = sorted((cost, k) for k, cost in enumerate(own) if cost < np.inf)
        found.append([Place._make((cost, first + k, *some[k], flags[k])) for cost, k in numbers])
    return found
