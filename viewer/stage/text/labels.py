"""Where labels go in a picture: near what they name. Pure arithmetic, no renderer.

Each takes the best place that those before it have left: on what it names, or on one of eight sides, near or farther
away. No label covers another, a panel or the small axes, and none leaves the picture. One that is not right beside its
point has a line to it. Coordinates are pixels, the origin the lower left corner.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from collision.inner import BoolArray, FloatArray
from viewer.camera.camera import Viewport
from viewer.records.drawables import Arrow, Label, Marker, Role, Stroke
from viewer.records.pixels import Measure, Rect, TextRun
from viewer.stage.sight import SeenLabel

#: A line in the picture, from x and y to x and y; or a rectangle: left, bottom, right, top.
Four: TypeAlias = tuple[float, float, float, float]

#: The sides on which a label may stand, the better first: to the right (1) or left (-1), above or below; and how far
#: away, in heights of the text, beyond a dot of so many units.
_SIDES = ((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (0, 1), (-1, 0), (0, -1))
_DISTANCES, _DOT = (0.33, 2.3), 5.0

#: All places: to which side, how far up, how far away, and what each costs. On a diagonal the plate's corner is nearer
#: on each axis, for the same distance. The first place is on what is named.
_PLACES = np.array(
    [
        (0.0, 0.0, -_DOT, -1.0),
        *(
            (right, above, distance * (0.75 if right and above else 1.0), ring + 0.1 * rank)
            for ring, distance in enumerate(_DISTANCES)
            for rank, (right, above) in enumerate(_SIDES)
        ),
    ]
)
_FAR = 1 + len(_SIDES)

#: What it costs, as if it were so many steps farther away, to cover a dot or a point that another label names, or a
#: line; that the line to the point crosses a plate, or the plate such a line; that another's point is as near; and what
#: a place costs less that the label had in the last picture. Of many marks, the first count; of a curve, which has many
#: pieces, so many lines.
_ON_DOT, _ON_LINE, _CROSSING, _UNCLEAR, _STAYING, _MOST, _MOST_LINES = 1.6, 0.8, 1.5, 0.35, 1.5, 500, 2

#: A label is not taken for another's where what the other names is so many times farther away.
_CLEARLY = 1.3

#: How far labels stay from the edge of the picture, from each other, and from dots and lines, in units.
_EDGE, _APART, _CLEARANCE = 4.0, 2.0, 3.0

#: Padding of a label's plate, in units, and its height in those of the text.
_PAD, _HIGH = 5.0, 1.35

#: Labels take no more than this part of what panels leave of the picture.
_SHARE = 0.1

#: Numbers change from one picture to the next, and what they are about does not.
_NUMBER = re.compile(r"[\d.,\N{MINUS SIGN}]+")


class PlacedLabel(NamedTuple):
    """A plate with a text, and where the line from what it names to it begins and ends, if it stands apart from it."""

    plate: Rect
    run: TextRun
    leader: Four | None
    role: Role


class _Unplaced(NamedTuple):
    """A label that is to be placed: its text, its plate's width and height, and the pixel that it names."""

    label: Label
    text: str
    width: int
    height: int
    x: float
    y: float
    room: tuple[float, float]


class Labels:
    """Places the labels of one picture after another: each stays on its side of what it names while that is as good.

    Examples
    --------
    >>> from collision import Camera
    >>> view = Viewport(Camera((6, -6, 4)), (640, 480))
    >>> labels = [SeenLabel(Label(np.zeros(3), text), np.zeros(3)) for text in "AB"]
    >>> a, b = Labels().place(labels, view, 1.0, 15.0, lambda text, size, bold: size * len(text))
    >>> a.plate.overlaps(b.plate)
    False
    """

    def __init__(self) -> None:
        #: The numbers of the places that labels had in the last picture, by what they are about.
        self._last: dict[tuple[str, int], int] = {}

    def place(
        self,
        labels: Sequence[SeenLabel],
        view: Viewport,
        unit: float,
        font: float,
        measure: Measure,
        taken: Iterable[Rect] = (),
        marks: Sequence[Marker | Stroke | Arrow] = (),
    ) -> tuple[PlacedLabel, ...]:
        """Return labels placed near what they name. Names come last, and what finds no free place is left out.

        Parameters
        ----------
        labels : sequence of SeenLabel
            The texts and the points they name. Where these cannot be seen, there is no label.
        view : Viewport
            The camera, and the picture in pixels.
        unit : float
            Pixels in a unit of the theme.
        font : float
            Height of the text, in units.
        measure : callable
            Says how wide a text is.
        taken : iterable of Rect
            What must not be covered, such as panels.
        marks : sequence of Marker, Stroke or Arrow
            Dots and lines that are better not covered.
        """
        taken, text = list(taken), font * unit
        plates = _seen(labels, view, taken, text, measure, round(_PAD * unit))
        last, self._last = self._last, {}
        if not plates:
            return ()
        points = np.array([(plate.x, plate.y) for plate in plates])
        dots, lines = _marks(marks, view)
        clear = _CLEARANCE * unit
        rects, leaders = [(r.x, r.y, r.x + r.width, r.y + r.height) for r in taken], list[Four]()
        placed = list[PlacedLabel]()
        for key, plate in zip(_keys(plates), plates, strict=True):
            boxes = _boxes(plate, unit, text)
            others = points[np.hypot(*(points - (plate.x, plate.y)).T) > 1.5]
            lines_to = np.column_stack([np.broadcast_to((plate.x, plate.y), (len(boxes), 2)), _nearest(boxes, plate)])
            unclear = _unclear(boxes, lines_to, others)
            costs = _PLACES[:, 3] + _UNCLEAR * unclear
            costs += _ON_DOT * _covered(boxes, np.concatenate([dots, others]), clear).sum(axis=1)
            costs += _ON_LINE * np.minimum(_crossed(lines, _grown(boxes, clear)).sum(axis=1), _MOST_LINES)
            name = plate.label.role is Role.NAME
            led = (np.arange(len(boxes)) >= _FAR) | (np.arange(len(boxes)) > 0) & (unclear | name)
            crossed = _crossed(np.array(leaders), boxes).sum(axis=1)
            crossed += led * _crossed(lines_to, np.array(rects)).sum(axis=0)
            costs += _CROSSING * crossed
            number = last.get(key)
            if number is not None:
                costs[number] -= _STAYING
            fits = (plate.width <= plate.room[0] and plate.height <= plate.room[1]) | (np.arange(len(boxes)) > 0)
            free = fits & _inside(boxes, view.size, _EDGE * unit) & ~_overlapping(boxes, rects, _APART * unit)
            best = int(np.argmin(np.where(free, costs, np.inf)))
            if not free[best]:
                continue
            self._last[key] = best
            left, bottom, right, top = boxes[best].tolist()
            rects.append((left, bottom, right, top))
            x, y, end_x, end_y = lines_to[best].tolist()
            leader = (x, y, end_x, end_y) if led[best] else None
            leaders += [leader] if leader is not None else []
            run = TextRun(left + round(_PAD * unit), bottom + round(0.2 * text), plate.text, text)
            placed.append(PlacedLabel(Rect(left, bottom, plate.width, plate.height), run, leader, plate.label.role))
        return tuple(placed)


def _seen(
    labels: Sequence[SeenLabel], view: Viewport, taken: Sequence[Rect], size: float, measure: Measure, pad: int
) -> list[_Unplaced]:
    """Return as many plates as a picture has room for, of what is seen and not covered; those of names come last."""
    labels = sorted((each for each in labels if each.label.text), key=lambda each: each.label.role is Role.NAME)
    if not labels:
        return []
    pixels, depth = view.project(np.array([each.point for each in labels]))
    room = _SHARE * (view.size[0] * view.size[1] - sum(rect.width * rect.height for rect in taken))
    plates = []
    for (label, _, around), (x, y), before in zip(labels, pixels.tolist(), depth.tolist(), strict=True):
        inside = before > 0.0 and 0.0 <= x <= view.size[0] and 0.0 <= y <= view.size[1]
        if inside and not any(rect.covers(x, y) for rect in taken):
            text = label.text.replace("\n", " ").replace("\t", "  ")
            plate = _Unplaced(
                label, text, round(measure(text, size, False)) + 2 * pad, round(_HIGH * size), x, y, around
            )
            room -= plate.width * plate.height
            if room < 0.0:
                break
            plates.append(plate)
    return plates


def _keys(plates: Sequence[_Unplaced]) -> list[tuple[str, int]]:
    """Return what tells labels apart from one picture to the next: names, and words, of which there may be many."""
    counts, keys = dict[str, int](), list[tuple[str, int]]()
    for plate in plates:
        words = plate.text if plate.label.role is Role.NAME else _NUMBER.sub("#", plate.text)
        counts[words] = counts.get(words, 0) + 1
        keys.append((words, counts[words]))
    return keys


def _marks(marks: Sequence[Marker | Stroke | Arrow], view: Viewport) -> tuple[FloatArray, FloatArray]:
    """Return the pixels of dots (n, 2), and the lines (n, 4), of which both ends are before the eye."""
    dots = [mark.points[:_MOST] for mark in marks if isinstance(mark, Marker)]
    ends = [np.stack([mark.start[:_MOST], mark.end[:_MOST]], axis=1) for mark in marks if not isinstance(mark, Marker)]
    points = view.project(np.concatenate([np.zeros((0, 3)), *dots])[:_MOST])[0]
    lines = view.project(np.concatenate([np.zeros((0, 2, 3)), *ends])[:_MOST])[0].reshape(-1, 4)
    return points[np.isfinite(points).all(axis=1)], lines[np.isfinite(lines).all(axis=1)]


def _boxes(plate: _Unplaced, unit: float, text: float) -> FloatArray:
    """Return the rectangles of all places of a plate, on whole pixels."""
    right, above, distance, _ = _PLACES.T
    away = distance * text + _DOT * unit
    away[0] = 0.0
    left = plate.x + right * away + 0.5 * (right - 1.0) * plate.width
    bottom = plate.y + above * away + 0.5 * (above - 1.0) * plate.height
    left, bottom = np.round(left), np.round(bottom)
    return np.column_stack([left, bottom, left + plate.width, bottom + plate.height])


def _nearest(boxes: FloatArray, plate: _Unplaced) -> FloatArray:
    """Return the point of each rectangle that is nearest to what a plate names."""
    return np.asarray(np.clip((plate.x, plate.y), boxes[:, :2], boxes[:, 2:]))


def _unclear(boxes: FloatArray, lines_to: FloatArray, others: FloatArray) -> BoolArray:
    """Tell of which places another label's point is about as near as one's own."""
    own = np.hypot(*(lines_to[:, 2:] - lines_to[:, :2]).T)
    off = np.clip(others, boxes[:, None, :2], boxes[:, None, 2:]) - others
    away = np.hypot(off[..., 0], off[..., 1]).min(axis=1, initial=np.inf)
    return np.asarray((away < _CLEARLY * own) & (own > 0.0))


def _grown(boxes: FloatArray, by: float) -> FloatArray:
    return np.asarray(boxes + np.array([-by, -by, by, by]))


def _covered(boxes: FloatArray, points: FloatArray, clear: float) -> BoolArray:
    """Tell which rectangles cover which points, or come nearer than that."""
    low, high = boxes[:, None, :2] - clear, boxes[:, None, 2:] + clear
    return np.asarray(((points > low) & (points < high)).all(axis=2))


def _inside(boxes: FloatArray, size: tuple[int, int], edge: float) -> BoolArray:
    return np.asarray((boxes[:, :2] >= edge).all(axis=1) & (boxes[:, 2:] <= np.array(size) - edge).all(axis=1))


def _overlapping(boxes: FloatArray, rects: Sequence[Four], gap: float) -> BoolArray:
    """Tell which rectangles have a point in common with any of some others, or come nearer to it than a gap."""
    other = np.array(rects).reshape(-1, 4)
    apart = (boxes[:, None, :2] >= other[:, 2:] + gap) | (other[:, :2] >= boxes[:, None, 2:] + gap)
    clear = np.asarray(apart.any(axis=2))
    return np.asarray(~np.asarray(clear.all(axis=1)))


def _crossed(lines: FloatArray, boxes: FloatArray) -> BoolArray:
    """Tell which lines (n, 4) have a point inside of which rectangles: (m, 4), for (m, n)."""
    start, way = lines.reshape(-1, 4)[:, :2], lines.reshape(-1, 4)[:, 2:] - lines.reshape(-1, 4)[:, :2]
    boxes = boxes.reshape(-1, 1, 4)  # one for each line
    with np.errstate(divide="ignore", invalid="ignore"):
        first, last = (boxes[..., :2] - start) / way, (boxes[..., 2:] - start) / way
    level = way == 0.0
    within = (start > boxes[..., :2]) & (start < boxes[..., 2:])
    enter = np.where(level, np.where(within, -np.inf, np.inf), np.minimum(first, last)).max(axis=2)
    leave = np.where(level, np.where(within, np.inf, -np.inf), np.maximum(first, last)).min(axis=2)
    return np.asarray(np.maximum(enter, 0.0) < np.minimum(leave, 1.0))
