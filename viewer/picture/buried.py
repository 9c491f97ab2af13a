"""The outline of what is selected, where other shapes hide it: what is in hand is never out of sight."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from collision import HalfSpace, Scene
from collision.inner import IntArray
from viewer.camera.camera import Viewport
from viewer.picture.explained import lines_of
from viewer.picture.notes import is_hidden
from viewer.records.drawables import Role, SolidShape, Stroke

#: Of more selected shapes than this, or beside more that are faded, none shows through.
_FEW, _FEW_FADED = 8, 64

#: Each line is seen or hidden in so many pieces, and what hides it is nearer by more than this part of the way.
_PIECES, _NEARER = 16, 1e-3


def buried_outlines(scene: Scene, selected: Sequence[str], faded: IntArray, viewport: Viewport) -> list[Stroke]:
    """Return what is hidden of the outlines of selected solids.

    Parameters
    ----------
    scene : Scene
        The shapes. One sees through half-spaces.
    selected : sequence of str
        Names of some: of each that is a single solid, the outline shows through.
    faded : ndarray of int
        The numbers of elements that one sees through.
    viewport : Viewport
        From where it is seen.

    Examples
    --------
    >>> from collision import Camera, Sphere
    >>> scene = Scene({"nut": Sphere([0, 0, 0], 1), "shell": Sphere([0, 0, 0], 2)})
    >>> viewport = Viewport(Camera((0, -9, 0)), (640, 480))
    >>> [len(buried_outlines(scene, [name], np.zeros(0, int), viewport)) for name in scene]
    [1, 0]
    """
    shown = [name for name in selected if len(scene.element_numbers(name)) == 1 and not is_hidden(scene, name)]
    names = [name for name in shown if isinstance(scene[name], SolidShape)]
    if not 0 < len(names) <= _FEW or len(faded) > _FEW_FADED:
        return []
    spaces = [name for name, shape in scene.shapes.items() if isinstance(shape, HalfSpace)]
    clear = [*spaces, *map(scene.element_name, faded.tolist())]
    found = []
    for name in names:
        start, end = (some[:, None] for some in lines_of(scene[name].flattened(), scene, viewport))
        ticks = np.linspace(0.0, 1.0, _PIECES + 1 if len(start) < 2 * _PIECES else 2)[:, None]
        places = start + ticks * (end - start)
        pieces = np.stack([places[:, :-1], places[:, 1:]], axis=2).reshape(-1, 2, 3)
        middle = pieces.mean(axis=1)
        pixels, depth = viewport.project(middle)
        before = depth > 0.0
        pieces, middle = pieces[before], middle[before]
        rays = viewport.ray(*pixels[before].T)
        way = np.sum((middle - rays.origin) * rays.direction, axis=-1)
        hits = scene.raycast(rays, max_distance=(1.0 - _NEARER) * way.clip(0.0), any_hit=True, without=[name, *clear])
        found.append(pieces[hits.hit])
    lines = np.concatenate(found)
    return [Stroke(lines[:, 0], lines[:, 1], Role.BURIED)] if len(lines) else []
