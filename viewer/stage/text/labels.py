"""Where labels go in a picture: near what they name. Pure arithmetic, no renderer.

No label covers another, a panel or the small axes, and none leaves the picture. One that is not right beside its point
has a line to it. Coordinates are pixels, the origin the lower left corner.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from viewer.camera.camera import Viewport
from viewer.records.drawables import Arrow, Label, Marker, Role, Stroke
from viewer.records.pixels import Measure, Rect, Run
from viewer.stage.text.label_places import APART, AWAY, BESIDE, Four, Ground, Place, Plate

#: What a place costs more, in steps, for each plate that the line to the point crosses, and for each such line that the
#: plate covers; and what it costs less if the label had it in the last picture.
_CROSSING, _STAYING = 1.5, 0.75

#: Padding of a label's plate, in units, and its height in those of the text.
_PAD, _HIGH = 5.0, 1.35

#: Labels take no more than this part of what panels leave of the picture.
_SHARE = 0.1

#: Numbers change from one picture to the next, and what they are about does not.
_NUMBER = re.compile(r"[\d.,\N{MINUS SIGN}]+")


class PlacedLabel(NamedTuple):
    """A plate with a text, and where the line from what it names to it begins and ends, if it stands apart from it."""

    plate: Rect
    run: Run
    leader: Four | None
    role: Role


def place_labels(
    labels: Sequence[Label],
    view: Viewport,
    unit: float,
    font: float,
    measure: Measure,
    taken: Iterable[Rect] = (),
    marks: Sequence[Marker | Stroke | Arrow] = (),
    scale: int = 1,
) -> tuple[PlacedLabel, ...]:
    """Return labels placed near what they name. Names come last, and what finds no free place is left out.

    Parameters
    ----------
    labels : sequence of Label
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
    scale : int
        How many pixels of the view there are to one of those in which labels have their room, along each side.

    Examples
    --------
    >>> from collision import Camera
    >>> view = Viewport(Camera((6, -6, 4)), (640, 480))
    >>> labels = [Label(np.zeros(3), "A"), Label(np.zeros(3), "B")]
    >>> a, b = place_labels(labels, view, 1.0, 15.0, lambda text, size, bold: size * len(text))
    >>> a.plate.overlaps(b.plate)
    False
    """
    return Labels().place(labels, view, unit, font, measure, taken, marks, scale)


class Labels:
    """Places the labels of one picture after another: each stays on its side of what it names while that is as good."""

    def __init__(self) -> None:
        #: The numbers of the places that labels had in the last picture, by what they are about.
        self._last: dict[tuple[str, int], int] = {}

    def place(
        self,
        labels: Sequence[Label],
        view: Viewport,
        unit: float,
        font: float,
        measure: Measure,
        taken: Iterable[Rect] = (),
        marks: Sequence[Marker | Stroke | Arrow] = (),
        scale: int = 1,
    ) -> tuple[PlacedLabel, ...]:
        """Do what `place_labels` does."""
        taken, text = list(taken), font * unit
        plates = _cut(_seen(labels, view, taken, scale, text, measure, round(_PAD * unit)), view, taken)
        last, self._last = self._last, {}
        if not plates:
            return ()
        ground = Ground(plates, view, unit, text, taken, marks)
        placed, others, keys, near = (
            list[PlacedLabel](),
            _Placed(taken, APART * unit),
            _keys(plates),
            ground.near(plates),
        )
        # Farther away nothing costs less than a step. Most that go there are known before: all are asked for at once.
        away = [k for k, some in enumerate(near) if not some or some[0].cost > 1.0 or last.get(keys[k], 0) >= AWAY]
        far = dict(zip(away, ground.far([plates[k] for k in away]), strict=True))
        for k, (key, plate) in enumerate(zip(keys, plates, strict=True)):
            stay = last.get(key, -1)
            least, place = others.best(plate, near[k], stay)
            if k in far or least > 1.0:
                places = far[k] if k in far else ground.far([plate])[0]
                least, place = min((least, place), others.best(plate, places, stay), key=lambda one: one[0])
            if place is None:
                continue
            self._last[key] = place.number
            rect, leader = others.add(plate, place)
            run = Run(rect.x + round(_PAD * unit), rect.y + round(0.2 * text), plate.text, text)
            placed.append(PlacedLabel(rect, run, leader, plate.label.role))
        return tuple(placed)


class _Placed:
    """What of a picture is taken: panels and labels, and the lines of these."""

    def __init__(self, taken: Sequence[Rect], gap: float) -> None:
        self._gap, self._leaders = gap, list[Four]()
        self._rects: list[Four] = [(r.x, r.y, r.x + r.width, r.y + r.height) for r in taken]

    def best(self, plate: Plate, places: Sequence[Place], stay: int) -> tuple[float, Place | None]:
        """Return what the best of some places costs, and it; the last one is cheaper. None where none is free."""
        least, best = np.inf, None
        for place in places:
            if place.cost - _STAYING >= least:
                break
            cost = place.cost - _STAYING * (place.number == stay)
            rect = place.left, place.bottom, place.right, place.top
            if cost >= least or not self._free(*rect):
                continue
            crossed = sum([_crosses(other, rect) for other in self._leaders])
            if (leader := _leader(plate, place)) is not None:
                crossed += sum([_crosses(leader, other) for other in self._rects])
            if cost + _CROSSING * crossed < least:
                least, best = cost + _CROSSING * crossed, place
        return least, best

    def add(self, plate: Plate, place: Place) -> tuple[Rect, Four | None]:
        """Put a plate in a place; return where it is, and its line."""
        leader = _leader(plate, place)
        if leader is not None:
            self._leaders.append(leader)
        self._rects.append((place.left, place.bottom, place.right, place.top))
        return Rect(place.left, place.bottom, plate.width, plate.height), leader

    def _free(self, left: float, bottom: float, right: float, top: float) -> bool:
        gap = self._gap
        for x, y, end_x, end_y in self._rects:
            if left < end_x + gap and x < right + gap and bottom < end_y + gap and y < top + gap:
                return False
        return True


def _leader(plate: Plate, place: Place) -> Four | None:
    """Return the line from what is named to the nearest point of the plate; None where it is clear without."""
    if place.number < BESIDE or (place.number < AWAY and not place.unclear and not plate.is_name):
        return None
    x, y = min(max(plate.x, place.left), place.right), min(max(plate.y, place.bottom), place.top)
    return plate.x, plate.y, x, y


def _crosses(line: Four, box: Four) -> bool:
    """Say whether a line has a point inside a box."""
    x, y, end_x, end_y = line
    left, bottom, right, top = box
    if max(x, end_x) <= left or min(x, end_x) >= right or max(y, end_y) <= bottom or min(y, end_y) >= top:
        return False
    enter, leave = 0.0, 1.0
    for start, along, low, high in ((x, end_x - x, left, right), (y, end_y - y, bottom, top)):
        if along:
            first, last = sorted(((low - start) / along, (high - start) / along))
            enter, leave = max(enter, first), min(leave, last)
    return enter < leave


def _seen(
    labels: Sequence[Label],
    view: Viewport,
    taken: Sequence[Rect],
    scale: int,
    size: float,
    measure: Measure,
    pad: int,
) -> list[Plate]:
    """Return the plates of labels of what is seen in a picture, and not covered; those of names come last."""
    labels = sorted((label for label in labels if label.text), key=lambda label: label.role is Role.NAME)
    if not labels:
        return []
    points = np.concatenate([label.position for label in labels], axis=None)
    if len(points) != 3 * len(labels):
        raise ValueError(f"points must be (3,): got {len(points)} numbers for {len(labels)} labels")
    pixels, depth = view.project(points.reshape(-1, 3))
    plates = []
    for label, (x, y), before in zip(labels, pixels.tolist(), depth.tolist(), strict=True):
        inside = before > 0.0 and 0.0 <= x <= view.size[0] and 0.0 <= y <= view.size[1]
        if inside and not any(rect.covers(x, y) for rect in taken):
            text, room = (
                label.text.replace("\n", " ").replace("\t", "  "),
                (scale * label.room[0], scale * label.room[1]),
            )
            width = round(measure(text, size, False)) + 2 * pad
            plates.append(Plate(label, text, width, round(_HIGH * size), x, y, room))
    return plates


def _cut(plates: list[Plate], view: Viewport, taken: Sequence[Rect]) -> list[Plate]:
    """Return as many of some plates as a picture has room for."""
    room = _SHARE * (view.size[0] * view.size[1] - sum(rect.width * rect.height for rect in taken))
    return [
        plate
        for plate, sum_ in zip(plates, accumulate(p.width * p.height for p in plates), strict=True)
        if sum_ <= room
    ]


def _keys(plates: Sequence[Plate]) -> list[tuple[str, int]]:
    """Return what tells labels apart from one picture to the next: names, and words, of which there may be many."""
    counts, keys = dict[str, int](), list[tuple[str, int]]()
    for plate in plates:
        words = plate.text if plate.is_name else _NUMBER.sub("#", plate.text)
        counts[words] = counts.get(words, 0) + 1
        keys.append((words, counts[words]))
    return keys
