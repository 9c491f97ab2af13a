"""Where labels go in a picture: near what they name. Pure arithmetic, no renderer.

No label covers another, a panel or the small axes, and none leaves the picture. Coordinates are pixels, the origin the
lower left corner.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from collision.compile import INTEGERS, address
from collision.fields import FloatArray
from viewer.camera import Viewport
from viewer.drawables import Role
from viewer.pixels import Measure, Rect, Run
from viewer.stage.placing import PIXELS, PLACE, PLACES
from viewer.stage.sight import sight_of

#: A label from this distance on has a line to what it names; a name, wherever it is not on its shape.
_LEADER, _NAME_LEADER = 30.0, 1.0

#: Padding of a label's plate, in units.
_LABEL_PAD = 5.0


class PlacedLabel(NamedTuple):
    """A plate with a text, and where the line from it to what it names begins and ends, if it stands apart from it."""

    plate: Rect
    run: Run
    leader: tuple[float, float, float, float] | None
    role: Role


#: Where the places of labels are in memory.
_PLACES = address(PLACES)

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
    texts = [_text(anchor.text, unit, font, measure) for anchor in anchors]
    height, count = round(1.35 * font * unit), len(anchors)
    # All in one row: the picture, the anchors, what is taken and the dots, with room for the labels and what they name,
    # and the labels' places.
    numbers: list[float] = [*size]
    for anchor, (_, width) in zip(anchors, texts, strict=True):
        x, y, _, role, (wide, high) = anchor
        numbers += (x, y, width, wide, high, role is Role.NAME)
    rects = len(numbers)
    for plate in taken:
        numbers += plate
    plates, dot = (len(numbers) - rects) // 4, len(numbers) + 4 * count
    numbers += [0.0] * (4 * count)
    if dots is not None:
        numbers += dots.ravel().tolist()
    known, found = (len(numbers) - dot) // 2, len(numbers) + 2 * count
    memory = array("d", numbers + [0.0] * (5 * count))
    lines = _EMPTY_LINES if lines is None else np.ascontiguousarray(lines)
    start, _ = memory.buffer_info()
    arrays = start, start + 16, start + 8 * rects, start + 8 * dot, address(lines), start + 8 * found
    PLACE.run(count, plates, known, len(lines), height, unit, _PLACES, *arrays)
    placed = []
    for k, (anchor, (text, width)) in enumerate(zip(anchors, texts, strict=True)):
        x, y, distance = memory[found + 3 * k : found + 3 * k + 3]
        if distance >= 0.0:
            placed.append(_placed(anchor, text, (x, y, width, height), distance, unit, font))
    return tuple(placed)


@lru_cache(maxsize=256)
def _text(text: str, unit: float, font: float, measure: Measure) -> tuple[str, int]:
    """Return the text of a label as it is written, on one line, and how wide its plate is."""
    text = text.replace("\n", " ").replace("\t", "  ")
    return text, round(measure(text, font * unit, False) + 2.0 * _LABEL_PAD * unit)


@lru_cache(maxsize=256)
def _placed(
    anchor: Anchor, text: str, place: tuple[float, float, float, float], distance: float, unit: float, font: float
) -> PlacedLabel:
    """Return a label on its plate, so far from what it names; the same one for as long as it stays there."""
    plate = Rect(*place)
    run = Run(plate.x + round(_LABEL_PAD * unit), plate.y + round(0.2 * font * unit), text, font * unit)
    leader = _leader(anchor, plate) if distance >= (_NAME_LEADER if anchor.role is Role.NAME else _LEADER) else None
    return PlacedLabel(plate, run, leader, anchor.role)


def seen(
    view: Viewport, points: Sequence[FloatArray], starts: Sequence[FloatArray], ends: Sequence[FloatArray]
) -> tuple[FloatArray, FloatArray]:
    """Return the pixels of points (n, 2), and those of the ends of lines (m, 2, 2), as far as they are before the eye.

    All are given as arrays (k, 3) of some of them.

    Examples
    --------
    >>> from collision import Camera
    >>> view = Viewport(Camera((0, 0, 10), up=(0, 1, 0)), (200, 100))
    >>> seen(view, [np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 20.0]])], [], [])[0]
    array([[100.,  50.]])
    """
    dots, lines = sum(map(len, points)), sum(map(len, starts))
    given = np.concatenate([_EMPTY, *points, *starts, *ends], axis=None, dtype=np.float64)
    if len(given) != 3 * (dots + 2 * lines):  # a loop would read what is not there
        raise ValueError(f"lines need as many ends as starts: got {len(given) // 3 - dots - lines} for {lines}")
    pixels, counts = np.empty(2 * dots + 4 * lines), INTEGERS[2]()
    start, to, (wide, high), sight = address(given), address(pixels), view.size, sight_of(view)
    arrays = start, start + 24 * dots, start + 24 * (dots + lines), to, to + 16 * dots, counts
    PIXELS.run(dots, lines, 0.5 * wide, 0.5 * high, sight[1], *arrays)
    in_view = pixels[2 * dots : 2 * dots + 4 * counts[1]]
    return pixels[: 2 * counts[0]].reshape(-1, 2), in_view.reshape(-1, 2, 2)


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
