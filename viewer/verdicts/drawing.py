"""What is drawn of one half of the picture of a broken promise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from collision import Contacts, Scene, Shape
from collision.inner import FloatArray
from viewer.camera.camera import Viewport
from viewer.picture.batches import batches
from viewer.picture.names import Names
from viewer.picture.pairs import closeup_marks
from viewer.picture.planes import shadows
from viewer.picture.shapes import shape_drawables
from viewer.picture.shows import normal_length, without_repeats
from viewer.picture.tiny import TinyShapes, dotted
from viewer.records.drawables import Arrow, Drawable, Label, Panel, Role, Row, ShapeFlags, Stroke
from viewer.records.ground import ground
from viewer.records.sizes import unit_of
from viewer.records.text import wrapped
from viewer.records.theme import Theme
from viewer.verdicts.records import Half
from viewer.verdicts.views import covering

#: So many lines of a caption, at most; and what of the width of the picture they fill, at most.
_LINES, _WIDTH = 4, 0.9


def half_drawables(
    half: Half, names: Sequence[str], points: FloatArray, viewport: Viewport, *, named: bool = True
) -> list[Drawable]:
    """Return what is seen of one half: shapes, marks, and the names of those that it is about.

    Parameters
    ----------
    half : Half
        What it shows.
    names : sequence of str
        The elements that it is about: nothing of them fades.
    points : ndarray, shape (n, 3)
        Where it happens: what hides that is faded.
    viewport : Viewport
        How it is seen.
    named : bool
        Whether to write the names.
    """
    scene, parts = half.scene, batches(half.scene)
    own = tuple(int(number) for name in names for number in scene.element_numbers(name))
    flags = np.zeros(scene.element_count, dtype=np.uint8)
    flags[covering(scene, viewport, points, own)] |= np.uint8(ShapeFlags.FADED)
    if half.hit:
        flags[list(own)] |= np.uint8(ShapeFlags.HIT)
    for name in half.clear:
        flags[list(scene.element_numbers(name))] |= np.uint8(ShapeFlags.FADED)
    unseen = TinyShapes().with_thin(scene, viewport, parts)
    dots, lines = (dotted(some, (flags & ShapeFlags.HIT) > 0) for some in unseen)
    marks = list(half.marks)
    if half.closeup is not None:
        marks += closeup_marks(half.closeup, viewport, ghost=False, whole=True)
        if half.promised_normal is not None:
            marks += _promised(half.closeup.contact.point, half.promised_normal, viewport)
    below = ground(scene.bounds())
    return [
        below,
        shadows(scene, parts, below),
        *shape_drawables(scene, parts, flags, viewport, dots, lines),
        *without_repeats(marks, viewport),
        *(_names({name: scene[name] for name in names}, viewport) if named else ()),
    ]


def _promised(point: FloatArray, normal: FloatArray, viewport: Viewport) -> list[Drawable]:
    """Return the arrow of a direction that was promised, longer than that of the normal as it is."""
    tip = point + 1.6 * normal_length(viewport) * viewport.units_per_pixel(point) * normal
    return [Arrow(point[None], tip[None], Role.GHOST), Label(tip, "promised")]


def _names(shapes: dict[str, Shape], viewport: Viewport) -> list[Label]:
    """Return the names of some shapes, each where one sees it if nothing else is there."""
    texts = {str(number): name for number, name in enumerate(shapes)}
    alone = Scene({number: shapes[name] for number, name in texts.items()})
    found = Names().labels(alone, Contacts.none(), viewport, len(texts))
    return [Label(label.position, texts[label.text], Role.NAME, label.room) for label in found]


def caption(title: str, text: str, viewport_size: tuple[int, int], theme: Theme) -> Panel:
    """Return what is written over a half: whether it is what was promised or what is, and its words."""
    room = _WIDTH * viewport_size[0] / (unit_of(viewport_size) * theme.font_size)
    lines = wrapped(text, room)
    if len(lines) > _LINES:
        lines = [*lines[: _LINES - 1], lines[_LINES - 1] + " ..."]
    return Panel("upper-left", tuple(map(Row, lines)), title)


def window_frame(camera_height: float, viewport: Viewport, target: FloatArray, shape: tuple[float, float]) -> Stroke:
    """Return the rectangle that another parallel picture of some height and shape sees, as strokes."""
    half = 0.5 * camera_height
    across, up = half * shape[0] / shape[1] * viewport.right, half * viewport.up
    ends = np.stack([target - across - up, target + across - up, target + across + up, target - across + up])
    return Stroke(ends, np.roll(ends, -1, axis=0), Role.HOT)
