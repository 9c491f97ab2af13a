"""Solids too small to be seen: they are drawn as dots of constant size, and the picture says so."""

from __future__ import annotations

import numpy as np

from collision import AABB, Capsule, OrientedBox, Scene, Sphere
from collision.fields import BoolArray
from viewer.camera import Viewport
from viewer.words import counted

#: A solid that is smaller than this in the picture, in pixels, is a speck.
SPECK = 2.0

#: Dots of more specks than this would hide the scene: then only those that collide get one, if they are not more.
MOST_DOTS = 200


def specks(scene: Scene, viewport: Viewport) -> BoolArray:
    """Tell of every element whether it is in the picture, but too small to be seen.

    Points, segments, rays and lines are drawn with a constant width, so none of them is.

    Examples
    --------
    >>> from collision import Camera, Sphere
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "grain": Sphere([2, 0, 0], 1e-3)})
    >>> specks(scene, Viewport(Camera(position=(0, 0, 20), up=(0, 1, 0)), (640, 480)))
    array([False,  True])
    """
    found: BoolArray = np.zeros(scene.element_count, dtype=bool)
    for elements, shape in scene.groups:
        if not isinstance(shape, Sphere | Capsule | AABB | OrientedBox):
            continue
        box = shape.bounds()
        pixels, _ = viewport.project(box.center)
        size = 2.0 * box.half_extents.max(axis=-1) / viewport.units_per_pixels(box.center)
        with np.errstate(invalid="ignore"):
            found[elements] = (size < SPECK) & ((pixels >= 0.0) & (pixels <= viewport.size)).all(axis=-1)
    return found


def dotted(found: BoolArray, colliding: BoolArray) -> BoolArray:
    """Return which of the specks are drawn as dots, so that there are not too many."""
    for some in (found, found & colliding):
        if np.count_nonzero(some) <= MOST_DOTS:
            return some
    return np.zeros_like(found)


def speck_note(found: BoolArray, dots: BoolArray) -> str:
    """Say how many shapes are too small to be seen, and what is done about it; nothing where there are none.

    Examples
    --------
    >>> speck_note(np.array([True, False, True]), np.array([True, False, True]))
    '2 shapes smaller than 2 pixels, drawn as dots'
    """
    count, drawn = int(np.count_nonzero(found)), int(np.count_nonzero(dots))
    if not count:
        return ""
    which = "" if drawn == count else f"{drawn:,} of them "
    done = f", {which}drawn as {'dots' if drawn > 1 else 'a dot'}" if drawn else ""
    return f"{counted(count, 'shape')} smaller than {SPECK:g} pixels{done}"
