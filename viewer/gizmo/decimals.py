"""Shapes moved by numbers that people write, to places that people would write."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from collision import Shape
from collision.inner import FloatArray, decimal_sum


def shifted(shape: Shape, offset: FloatArray) -> Shape:
    """Return a shape moved by an offset (3,), its places by `decimal_sum`.

    Examples
    --------
    >>> from collision import Sphere
    >>> shifted(Sphere([1.2, 0.0, 0.0], 1), np.array([-1.0, 0.0, 0.0]))
    Sphere(center=[0.2, 0.0, 0.0], radius=1.0)
    """
    moved = shape.translated(offset)
    old, places = shape.values(), dict[str, FloatArray]()
    for name, value in moved.values().items():
        if not np.array_equal(value, old[name]):
            place = decimal_sum(old[name], offset)
            if not np.array_equal(place, value):
                places[name] = place
    return replace(moved, **places) if places else moved
