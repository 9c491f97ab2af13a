"""What a picture of a broken promise is of, as records: its two halves, and what is to be seen of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from collision import AABB, Scene, Shape
from collision.inner import FloatArray
from viewer.camera.outline import finite_bounds
from viewer.picture.pairs import Closeup
from viewer.records.drawables import Drawable


class Half(NamedTuple):
    """One half of the picture: a scene at rest, and what is drawn over it.

    Attributes
    ----------
    scene : Scene
        As it is, or as it should be.
    marks : tuple of Drawable
        What is drawn besides the shapes.
    hit : bool
        Whether those that it is about are red, as they collide and should not.
    closeup : Closeup or None
        The pair that has witness points, a distance and normals.
    clear : tuple of str
        The elements that one sees through, whatever they hide.
    promised_normal : ndarray, shape (3,), or None
        The direction that was promised for the normal.
    """

    scene: Scene
    marks: tuple[Drawable, ...] = ()
    hit: bool = False
    closeup: Closeup | None = None
    clear: tuple[str, ...] = ()
    promised_normal: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class Subject:
    """What a picture is of.

    Parameters
    ----------
    names : tuple of str
        The elements that it is about: they have names, and nothing of them fades.
    across : ndarray, shape (3,)
        What is seen from the side: a normal, a ray, or a way.
    points : ndarray, shape (n, 3)
        Where it happens: all of it is to be seen.
    boxes : AABB
        Around what the picture is of, one or several.
    length : float
        How long that is which has to be seen: a gap, or how deep an overlap is; 0 where all of the boxes has to be.
    actual : Half
        As it is.
    promised : Half or None
        As it should be; None where no move of a single shape makes it so.
    """

    names: tuple[str, ...]
    across: FloatArray
    points: FloatArray
    boxes: AABB
    length: float
    actual: Half
    promised: Half | None = None


def boxes_of(shapes: Iterable[Shape], points: FloatArray) -> AABB:
    """Return boxes around some single shapes and points; what has no end counts by the points alone."""
    finite = [finite_bounds(shape) for shape in shapes if shape.bounded]
    lower = np.stack([*(box.lower for box in finite), *points])
    upper = np.stack([*(box.upper for box in finite), *points])
    return AABB(lower, upper)
