"""The shapes of a scene as they are drawn: solids in batches, dots and lines for what is thin, planes for half-spaces.

However many shapes a scene has, its solids become at most five drawables, one for each solid kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from collision import (
    Contacts,
    HalfSpace,
    Point,
    Scene,
    Segment,
    Shape,
)
from viewer.camera.elements import numbers_of
from viewer.camera.lines import stroke_of
from viewer.picture.planes import planes
from viewer.records.drawables import Drawable, Marker, ShapeFlags, Solid, SolidShape, thin_roles

#: The `ShapeFlags` of elements, one code each.
Flags: TypeAlias = npt.NDArray[np.uint8]


def shape_flags(scene: Scene, contacts: Contacts, selected: Sequence[str], hovered: Sequence[str] = ()) -> Flags:
    """Return the `ShapeFlags` of every element: it collides if it is in another, deeper than a touch goes.

    Examples
    --------
    >>> from collision import Sphere
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1), "c": Sphere([5, 0, 0], 1)})
    >>> shape_flags(scene, scene.contacts(), ["b"])
    array([1, 3, 0], dtype=uint8)
    """
    flags = np.full(scene.element_count, ShapeFlags.FREE, dtype=np.uint8)
    flags[contacts.pairs[contacts.only_touching].ravel()] = ShapeFlags.TOUCHING
    flags[contacts.pairs[~contacts.only_touching].ravel()] = ShapeFlags.HIT
    for flag, names in ((ShapeFlags.SELECTED, selected), (ShapeFlags.HOVERED, hovered)):
        flags[numbers_of(scene, names)] |= np.uint8(flag)
    return flags


def shape_drawables(scene: Scene, flags: Flags) -> list[Drawable]:
    """Return what is drawn of the shapes of a scene.

    Parameters
    ----------
    scene : Scene
        The shapes.
    flags : ndarray of uint8
        The `ShapeFlags` of every element.
    """
    drawables: list[Drawable] = [
        Solid.of(shape, flags[elements]) for elements, shape in scene.groups if isinstance(shape, SolidShape)
    ]
    for elements, shape in scene.groups:
        if not isinstance(shape, SolidShape):
            drawables += _thin(scene, shape, flags[elements])
    return drawables


def _thin(scene: Scene, shape: Shape, flags: Flags) -> list[Drawable]:
    roles = thin_roles(flags)
    if isinstance(shape, Point):
        return [Marker(shape.position[rows], role) for role, rows in roles]
    if isinstance(shape, HalfSpace):
        return planes(shape, scene.bounds(), roles)
    drawables: list[Drawable] = [stroke_of(shape[rows], role) for role, rows in roles]
    if isinstance(shape, Segment):
        drawables += [Marker(np.concatenate([shape.start[r], shape.end[r]]), role) for role, r in roles]
    return drawables
