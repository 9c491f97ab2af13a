"""The stripes of what collides: in the shaders of solids, and in the squares of a legend.

They run diagonally down: where the sum of a pixel's coordinates, in periods, is near a whole number and a half.
"""

from __future__ import annotations

import math

import numpy as np

from collision.inner import FloatArray
from viewer.records.theme import Theme

#: Half of a stripe's width, as a part of the period.
HALF_STRIPE = 0.2


def hatch_code(theme: Theme, place: str) -> str:
    """Return GLSL: a function of how much of a pixel is beside the stripes, which fade over one pixel.

    Parameters
    ----------
    theme : Theme
        How far apart the stripes are.
    place : str
        GLSL: the sum of the coordinates of a pixel. For what GLSL itself knows of its height Mesa needs a hundred
        instructions.
    """
    period, turn = theme.hatch_period, math.sqrt(0.5)
    return f"""
float stageBesideStripes()
{{
  float offset = abs(fract(({place}) * ({turn / period:.6f} / stageScale)) - 0.5);
  return clamp((offset - {HALF_STRIPE:.1f}) * ({period:.4f} * stageScale) + 0.5, 0.0, 1.0);
}}
"""


def stripes(side: float, period: float) -> list[FloatArray]:
    """Return the stripes of a square as polygons; x + y is a whole number of periods in the middle of each.

    Examples
    --------
    >>> [stripe.round(2).tolist() for stripe in stripes(1.0, 1.0)]
    [[[0.72, 0.0], [1.0, 0.0], [1.0, 0.28], [0.28, 1.0], [0.0, 1.0], [0.0, 0.72]]]
    """
    found = []
    half = HALF_STRIPE * period * math.sqrt(2.0)
    for k in range(1, math.ceil(2.0 * side / period)):
        stripe = _band(k * period - half, k * period + half, side)
        if len(stripe) > 2:
            found.append(stripe)
    return found


def _band(low: float, high: float, side: float) -> FloatArray:
    """Return the part of a square where x + y lies between two values, as the corners of a convex polygon."""

    def ends(total: float) -> list[tuple[float, float]]:
        total = min(max(total, 0.0), 2.0 * side)
        x = min(total, side)
        return [(x, total - x), (total - x, x)]

    (a, b), (c, d) = ends(low), ends(high)
    corners = [a, c, d, b]
    if low < side < high:  # the band goes round the square's two other corners
        corners = [a, (side, 0.0), c, d, (0.0, side), b]
    return np.array(corners)
