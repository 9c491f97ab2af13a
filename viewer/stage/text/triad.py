"""The small axes: where they are seen, and which of them is at a pixel."""

from __future__ import annotations

import numpy as np

from collision.inner import FloatArray
from viewer.camera.camera import Viewport
from viewer.layout.parts import Area, Disk, Part, Path, Shape, Written
from viewer.records.commands import Command
from viewer.records.drawables import Role, Row
from viewer.records.pixels import Measure, Rect, TextRun

#: Length of the small axes, as a part of their square's side.
LENGTH = 0.33

#: How far from an arrow a click is still on it, and how far beyond its tip, where its letter is, as parts of that side.
_REACH, _BEYOND = 0.09, 0.12

#: Radius of the corners of their plate, and how far beyond the tip of an axis the middle of its letter is, as parts of
#: that side; how opaque the plate is; the height of letters, in those of the text; and how much wider an axis is under
#: the pointer.
_ROUND, _LETTER, _OPACITY, _TEXT, _HOT = 0.5, 0.113, 0.8, 0.9, 1.5

_ROLES = Role.AXIS_X, Role.AXIS_Y, Role.AXIS_Z

#: An arrow's foot is where all begin: of its length, this part is its own.
_OWN = 0.45

#: What a click on each does.
AXES = tuple(Row(f"look along {axis}", does=Command("view.look_along", axis)) for axis in "xyz")


def tips_of(place: Rect, view: Viewport) -> FloatArray:
    """Return where each axis ends (3, 2), in pixels from the middle of the square."""
    tips: FloatArray = LENGTH * place.width * np.column_stack([view.right, view.up])
    return tips


def arrow_at(place: Rect, view: Viewport, x: float, y: float) -> Row | None:
    """Return what a click on the axis at a pixel does; None beside them. Of several, the nearest to the eye.

    Examples
    --------
    >>> from collision import Camera
    >>> along_y = Viewport(Camera((0, -9, 0)), (640, 480))
    >>> arrow_at(Rect(0, 0, 100, 100), along_y, 85, 50).text, arrow_at(Rect(0, 0, 100, 100), along_y, 50, 50).text
    ('look along x', 'look along y')
    """
    at = np.array([x - place.x, y - place.y]) - 0.5 * place.width
    found: list[tuple[float, int]] = []
    for axis, tip in enumerate(tips_of(place, view)):
        length = float(np.linalg.norm(tip))
        along = tip / length if length > 0.0 else np.zeros(2)
        nearest = along * np.clip(at @ along, _OWN * length, length + _BEYOND * place.width)
        if np.linalg.norm(at - nearest) <= _REACH * place.width:
            found.append((float(view.forward[axis]), axis))
    return AXES[min(found)[1]] if found else None


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


def triad_part(place: Rect, view: Viewport, unit: float, text: float, measure: Measure, hot: Row | None) -> Part:
    """Return the small axes on a plate, the one that points away from the eye first; one may be under the pointer."""
    shapes: list[Shape] = [Area(place, "plate", _OPACITY, _ROUND * place.width)]
    middle, tips, height, texts = np.array(place.middle), tips_of(place, view), _TEXT * text, list[Written]()
    for i in sorted(range(3), key=lambda i: -view.forward[i]):
        pointed = AXES[i] == hot
        wide, (x, y) = (_HOT if pointed else 1.0) * unit, (middle + tips[i]).tolist()
        shapes += [Disk((x, y), 4.5 * wide, Role.HOT)] if pointed else []
        shapes += [Path((place.middle, (x, y)), 2.4 * wide, _ROLES[i]), Disk((x, y), 2.6 * wide, _ROLES[i])]
    for i, at in axis_letters(tips, _LETTER * place.width, height).items():
        x, y = middle + at - [0.5 * measure("xyz"[i], height, True), 0.5 * height]
        texts.append(Written(TextRun(round(x), round(y), "xyz"[i], height, bold=True), _ROLES[i]))
    return Part(place.height, tuple(texts), tuple(shapes))
