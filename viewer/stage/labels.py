"""Where labels go in a picture: near what they name. Pure arithmetic, no renderer.

No label covers another, a panel or the small axes, and none leaves the picture. Coordinates are pixels, the origin the
lower left corner.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, takewhile
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from collision.fields import FloatArray
from viewer.drawables import Role
from viewer.stage.layout import Measure, Rect, Run

#: Where a label may stand about what it names, in order of preference: to the right (1) or left (-1), above or below.
_DIRECTIONS = ((1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (0, 1), (-1, 0), (0, -1))

#: How far from what it names a label may stand, in units.
_DISTANCES = (10.0, 22.0, 40.0, 64.0, 96.0, 136.0, 190.0, 260.0)

#: What a place on the shape that is named costs, as if it were so many steps away; a name is left out rather than put
#: farther away than this many steps: it would be taken for that of another shape.
_ON_IT, _NAMES_GO = -1.0, 4

#: A label from this distance on has a line to what it names; a name, wherever it is not on its shape.
_LEADER, _NAME_LEADER = 30.0, 1.0

#: Padding of a label's plate, in units.
_LABEL_PAD = 5.0

#: Covering a dot, or what another label names, counts like so many steps farther away; and so does covering a line over
#: the plate's whole width.
_COVERING_DOT, _COVERING_LINE = 1.6, 2.4


class PlacedLabel(NamedTuple):
    """A plate with a text, and where the line from it to what it names begins and ends, if it stands apart from it."""

    plate: Rect
    run: Run
    leader: tuple[float, float, float, float] | None
    role: Role


@dataclass(frozen=True)
class _Busy:
    """What is better not covered."""

    dots: FloatArray
    lines: FloatArray
    known: dict[Rect, float] = field(default_factory=dict)

    @cached_property
    def _along(self) -> tuple[FloatArray, FloatArray]:
        """Return where lines go, without zeros, and how long they are."""
        along = self.lines[:, 1] - self.lines[:, 0]
        safe = np.where(np.abs(along) < _LEVEL, _LEVEL, along)  # far below what is seen, far above overflow
        return safe, np.hypot(along[:, 0], along[:, 1])

    def costs(self, plates: Sequence[Rect]) -> list[float]:
        """Return what it costs to cover as much as each of some plates does."""
        new = [plate for plate in plates if plate not in self.known]
        if new:
            self.known.update(zip(new, self._costs(new), strict=True))
        return [self.known[plate] for plate in plates]

    def _costs(self, plates: Sequence[Rect]) -> list[float]:
        low, size = np.split(np.array(plates)[:, None], 2, axis=2)
        high = low + size
        cost = _COVERING_DOT * ((self.dots >= low) & (self.dots <= high)).all(axis=2).sum(axis=1)
        if len(self.lines):
            (safe, length), start = self._along, self.lines[:, 0]
            first, last = (low - start) / safe, (high - start) / safe
            leave = np.maximum(first, last).min(axis=2)
            inside = np.minimum(leave, 1.0) - np.maximum(np.minimum(first, last).max(axis=2), 0.0)
            covered = np.maximum(inside, 0.0) @ length
            cost = cost + _COVERING_LINE * np.minimum(covered / size[:, 0, 0], 2.0)
        return [float(value) for value in cost]


#: How far from a label's plate a dot or a line must be not to seem covered by it, in units: lines have a width.
_CLEARANCE = 3.0

#: A line that rises by less than this many pixels is level.
_LEVEL = 1e-6

_EMPTY, _EMPTY_LINES = np.zeros((0, 2)), np.zeros((0, 2, 2))


class Anchor(NamedTuple):
    """A label's text, its role, the pixel that it names, and the room on what it names there, in pixels."""

    x: float
    y: float
    text: str
    role: Role = Role.TEXT
    room: tuple[float, float] = (0.0, 0.0)


def place_labels(
    anchors: Sequence[Anchor],
    size: tuple[int, int],
    unit: float,
    font: float,
    measure: Measure,
    taken: Iterable[Rect] = (),
    dots: FloatArray | None = None,
    lines: FloatArray | None = None,
) -> tuple[PlacedLabel, ...]:
    """Return labels placed near their anchors, in the order given; those that find no free place are left out.

    Parameters
    ----------
    anchors : sequence of Anchor
        The texts and the pixels they name. Anchors that cannot be seen get no label.
    size : tuple of 2 ints
        Of the picture, in pixels.
    unit : float
        Pixels in a unit of the theme.
    font : float
        Height of the text, in units.
    measure : callable
        Says how wide a text is.
    taken : iterable of Rect
        What must not be covered, such as panels.
    dots : ndarray, shape (n, 2), optional
        Pixels that are better not covered.
    lines : ndarray, shape (n, 2, 2), optional
        Straight lines that are better not covered: the pixels where they begin and end.

    Examples
    --------
    >>> anchors = [Anchor(320, 240, "A"), Anchor(320, 240, "B")]
    >>> a, b = place_labels(anchors, (640, 480), 1.0, 15.0, lambda text, size, bold: size * len(text))
    >>> a.plate.overlaps(b.plate)
    False
    """
    picture = Rect(0.0, 0.0, *size)
    occupied = list(taken)
    visible = [
        anchor
        for anchor in anchors
        if picture.covers(anchor.x, anchor.y) and not any(plate.covers(anchor.x, anchor.y) for plate in occupied)
    ]
    named = np.array([(anchor.x, anchor.y) for anchor in visible]).reshape(-1, 2)
    busy = _Busy(np.concatenate([named, _EMPTY if dots is None else dots]), _EMPTY_LINES if lines is None else lines)
    placed = []
    texts = [anchor.text.replace("\n", " ").replace("\t", "  ") for anchor in visible]
    widths = [round(measure(text, font * unit, False) + 2.0 * _LABEL_PAD * unit) for text in texts]
    height = round(1.35 * font * unit)
    # Most labels find a place at the first distance: what all these cost is found at once.
    around = (_places(anchor, width, height, unit) for anchor, width in zip(visible, widths, strict=True))
    nearest = [plate for places in around for _, _, _, plate in takewhile(lambda place: place[0] < 1.0, places)]
    busy.costs([plate.grown(_CLEARANCE * unit) for plate in nearest])
    for anchor, text, width in zip(visible, texts, widths, strict=True):
        best = _best_place(anchor, width, height, busy, occupied, size, unit)
        if best is None:
            continue
        plate, distance = best
        occupied.append(plate)
        run = Run(plate.x + round(_LABEL_PAD * unit), plate.y + round(0.2 * font * unit), text, font * unit)
        leader = _leader(anchor, plate) if distance >= (_NAME_LEADER if anchor.role is Role.NAME else _LEADER) else None
        placed.append(PlacedLabel(plate, run, leader, anchor.role))
    return tuple(placed)


def _best_place(
    anchor: Anchor,
    width: float,
    height: float,
    busy: _Busy,
    occupied: Sequence[Rect],
    size: tuple[int, int],
    unit: float,
) -> tuple[Rect, float] | None:
    """Return the free place that costs least, and its distance in units."""
    edge, best = 4.0 * unit, None
    for least, ring in groupby(_places(anchor, width, height, unit), key=itemgetter(0)):
        if best is not None and least >= best[0]:
            break  # farther away nothing costs less
        free = [
            (cost, distance, plate)
            for _, cost, distance, plate in ring
            if edge <= plate.x <= size[0] - edge - width
            and edge <= plate.y <= size[1] - edge - height
            and not any(plate.overlaps(other, 2.0 * unit) for other in occupied)
        ]
        more = busy.costs([plate.grown(_CLEARANCE * unit) for *_, plate in free]) if free else []
        for (cost, distance, plate), covering in zip(free, more, strict=True):
            if best is None or cost + covering < best[0]:
                best = (cost + covering, plate, distance)
    return None if best is None else best[1:]


def _places(anchor: Anchor, width: float, height: float, unit: float) -> Iterator[tuple[float, float, float, Rect]]:
    """Yield places for a plate: what those from here on cost at least, what it costs, its distance in units, itself."""
    if width <= anchor.room[0] and height <= anchor.room[1]:
        cost = _ON_IT - _COVERING_DOT  # what it names is one of the dots that are better not covered
        yield _ON_IT, cost, 0.0, Rect(round(anchor.x - 0.5 * width), round(anchor.y - 0.5 * height), width, height)
    name = anchor.role is Role.NAME
    for step, distance in enumerate(_DISTANCES[:_NAMES_GO] if name else _DISTANCES):
        for rank, (right, above) in enumerate(_DIRECTIONS):
            yield step, step + 0.1 * rank, distance, _beside(anchor, width, height, right, above, distance * unit)


def _beside(anchor: Anchor, width: float, height: float, right: int, above: int, distance: float) -> Rect:
    # On a diagonal the plate's corner is nearer on each axis, for the same distance.
    step = distance * (0.75 if right and above else 1.0)
    x = anchor.x + right * step - (0.5 - 0.5 * right) * width
    y = anchor.y + above * step - (0.5 - 0.5 * above) * height
    return Rect(round(x), round(y), width, height)


def _leader(anchor: Anchor, plate: Rect) -> tuple[float, float, float, float]:
    x = min(max(anchor.x, plate.x), plate.x + plate.width)
    y = min(max(anchor.y, plate.y), plate.y + plate.height)
    return anchor.x, anchor.y, x, y


#: An axis that is seen shorter than this part of the longest has no letter: it points at the eye, or away from it.
_END_ON = 0.25

#: How near to an axis another's letter may stand, as a part of the letter's height.
_OFF_AXIS = 0.65


def axis_letters(tips: FloatArray, beyond: float, height: float) -> dict[int, FloatArray]:
    """Return where the letters of the small axes stand, each beyond the tip of its axis.

    An axis that points at the eye has no letter: it would stand on the others.

    Parameters
    ----------
    tips : ndarray, shape (3, 2)
        Where each axis ends, in pixels from where all begin.
    beyond : float
        How far from the tip the middle of a letter is, in pixels.
    height : float
        Of a letter, in pixels.

    Examples
    --------
    >>> along_z = np.array([[30.0, 0.0], [0.0, 30.0], [0.0, 1.0]])
    >>> sorted(axis_letters(along_z, 9.0, 12.0))
    [0, 1]
    """
    lengths = np.linalg.norm(tips, axis=1)
    found: dict[int, FloatArray] = {}
    for i in np.argsort(-lengths, kind="stable").tolist():
        if lengths[i] <= _END_ON * lengths.max():
            continue
        at = tips[i] * (1.0 + beyond / lengths[i])
        axes = [tips[j] * np.clip(tips[j] @ at / lengths[j] ** 2, 0.0, 1.0) for j in range(3) if j != i and lengths[j]]
        clear = all(np.linalg.norm(at - on_axis) > _OFF_AXIS * height for on_axis in axes)
        if clear and all(np.linalg.norm(at - other) > height for other in found.values()):
            found[i] = at
    return found
