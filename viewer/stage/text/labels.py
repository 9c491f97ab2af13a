"""Where labels go in a picture: near what they name. Pure arithmetic, no renderer.

No label covers another, a panel or the small axes, and none leaves the picture. Coordinates are pixels, the origin the
lower left corner.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from collision.inner import FloatArray, address
from viewer.picture.drawables import Arrow, Label, Marker, Role, Stroke
from viewer.picture.pixels import Measure, Rect, Run
from viewer.stage.marks.projection import view_numbers
from viewer.stage.text.label_places import ANSWER, DOT, LINE, PLACE, PLACES, RECTANGLE, Answer
from viewer.view.camera import Viewport

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
    """Return labels placed near what they name, in the order given; those that find no free place are left out.

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
    labels = [label for label in labels if label.text]
    if not labels:
        return ()
    texts = [_text(label.text, unit, font, measure) for label in labels]
    height, count, memory = round(1.35 * font * unit), len(labels), array("d", view.size)
    for label, (_, width) in zip(labels, texts, strict=True):
        wide, high = label.room
        memory.extend((width, scale * wide, scale * high, label.role is Role.NAME))
    rects = len(memory)
    for plate in taken:
        memory.extend(plate)
    given, dot_count, line_count = _coordinates(labels, marks)
    plates = (len(memory) - rects) // RECTANGLE
    # After what is given, room for the labels; for the pixels of dots, of what is named, and of lines; and the answer.
    dots = rects + RECTANGLE * (plates + count)
    seen = dots + DOT * (dot_count + count)
    found = seen + LINE * line_count
    memory.frombytes(bytes(8 * (found + ANSWER * count - len(memory))))
    start, _ = memory.buffer_info()
    arrays = start, start + 8 * rects, start + 8 * dots, start + 8 * seen, start + 8 * found
    numbers = view_numbers(view)
    inputs = address(PLACES), address(numbers), address(given)
    PLACE.run(count, plates, dot_count, line_count, height, unit, *inputs, *arrays)
    placed, places = [], memory[found:].tolist()
    for k, (label, (text, width)) in enumerate(zip(labels, texts, strict=True)):
        answer = Answer(*places[ANSWER * k : ANSWER * (k + 1)])
        if answer.distance >= 0.0:
            placed.append(_placed(text, label.role, answer, (width, height), font * unit, unit))
    return tuple(placed)


def _coordinates(
    labels: Sequence[Label], marks: Sequence[Marker | Stroke | Arrow]
) -> tuple[npt.NDArray[np.float64], int, int]:
    """Return what labels name, dots, starts of lines and their ends, as numbers; and how many dots and lines there are.

    Raises
    ------
    ValueError
        If these do not fit: a loop would read what is not there.
    """
    dots = [mark.points for mark in marks if isinstance(mark, Marker)]
    lines = [mark for mark in marks if not isinstance(mark, Marker)]
    starts = [line.start for line in lines]
    dot_count, line_count = sum(map(len, dots)), sum(map(len, starts))
    parts = [*[label.position for label in labels], *dots, *starts, *[line.end for line in lines]]
    given = np.concatenate(parts, axis=None, dtype=np.float64)
    wanted = 3 * (len(labels) + dot_count + 2 * line_count)
    if len(given) != wanted:
        raise ValueError(f"points must be (n, 3), and lines need as many ends: got {len(given)} numbers, not {wanted}")
    return given, dot_count, line_count


def _text(text: str, unit: float, font: float, measure: Measure) -> tuple[str, int]:
    """Return the text of a label as it is written, on one line, and how wide its plate is."""
    text = text.replace("\n", " ").replace("\t", "  ")
    return text, round(measure(text, font * unit, False) + 2.0 * _LABEL_PAD * unit)


def _placed(text: str, role: Role, place: Answer, size: tuple[int, int], height: float, unit: float) -> PlacedLabel:
    """Return a label on its plate of a size, with its text of a height."""
    x, y, distance, at_x, at_y = place
    width, high = size
    apart = distance >= (_NAME_LEADER if role is Role.NAME else _LEADER)
    # The line goes to the point of the plate that is nearest to what is named.
    leader = (at_x, at_y, min(max(at_x, x), x + width), min(max(at_y, y), y + high)) if apart else None
    run = Run(x + round(_LABEL_PAD * unit), y + round(0.2 * height), text, height)
    return PlacedLabel(Rect(x, y, width, high), run, leader, role)


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
