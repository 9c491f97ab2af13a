"""The stripes of what collides: in the shaders of solids, and in the squares of a legend.

A theme says how far apart they are, how wide, and which way one goes from stripe to stripe; all that draws them asks
this module.
"""

from __future__ import annotations

import math

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor

from collision.inner import FloatArray
from viewer.records.theme import Theme
from viewer.stage.vtk_camera import Tile

#: GLSL for vertices, which tell how far they are on the way between stripes, times their depth, and that depth: VTK may
#: draw several fragments for a pixel (SSAA).
STRIPE = "stageStripe = vec2(dot(stageSums, gl_Position.xyw), gl_Position.w);"


def way_between(theme: Theme) -> tuple[float, float]:
    """Return the direction from stripe to stripe in a picture, to the right and up; the larger of the two is 1.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from viewer.records.theme import LIGHT
    >>> way_between(replace(LIGHT, hatch_angle=45.0))
    (1.0, 1.0)
    """
    angle = math.radians(theme.hatch_angle)
    x, y = math.cos(angle), math.sin(angle)
    longest = max(abs(x), abs(y))
    return round(x / longest, 12), round(y / longest, 12)


#: GLSL for fragments: how much of a pixel is beside the stripes, which fade over one pixel. ``stageClear.w`` says how
#: wide they are, as a part of the widest.
HATCH = """
float stageBesideStripes()
{
  float offset = abs(fract(stageStripe.x / stageStripe.y * stageHatch.x) - 0.5);
  return clamp((offset - stageHatch.y * stageClear.w) * stageHatch.z + 0.5, 0.0, 1.0);
}
"""


def set_stripes(actor: vtkActor, theme: Theme, unit: float, part: Tile) -> None:
    """Tell an actor's shader where stripes are, counted from the corner of the whole picture, and how wide."""
    left, low, width, height = part
    x, y = way_between(theme)
    sums = [0.5 * width * x, 0.5 * height * y, (0.5 * width + left) * x + (0.5 * height + low) * y]
    period = unit * theme.hatch_period
    uniforms = actor.GetShaderProperty().GetFragmentCustomUniforms()
    uniforms.SetUniform3f("stageSums", sums)
    uniforms.SetUniform3f("stageHatch", [1.0 / (math.hypot(x, y) * period), 0.5 * theme.hatch_width, period])


def stripes(theme: Theme, size: tuple[float, float], period: float, width: float) -> list[FloatArray]:
    """Return the stripes of a rectangle of a size as polygons: as in the theme, but for their period and width.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from viewer.records.theme import LIGHT
    >>> theme = replace(LIGHT, hatch_angle=45.0)
    >>> [stripe.round(2).tolist() for stripe in stripes(theme, (1.0, 1.0), 0.71, 0.4)]
    [[[0.0, 0.72], [0.72, 0.0], [1.0, 0.0], [1.0, 0.29], [0.29, 1.0], [0.0, 1.0]]]
    """
    way = np.array(way_between(theme)) / math.hypot(*way_between(theme))
    whole = np.array(size) * [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    along = whole @ way
    found = []
    for k in range(math.floor(along.min() / period) + 1, math.ceil(along.max() / period)):
        stripe = _before(whole, way, k * period + 0.5 * width)
        stripe = _before(stripe, -way, 0.5 * width - k * period)
        if len(stripe) > 2:
            found.append(stripe)
    return found


def _before(polygon: FloatArray, way: FloatArray, end: float) -> FloatArray:
    """Return the part of a convex polygon that is no farther on a way than an end."""
    corners: list[FloatArray] = []
    for a, b in zip(np.roll(polygon, 1, axis=0), polygon, strict=True):
        before, here = float(a @ way) - end, float(b @ way) - end
        if before * here < 0.0:
            corners.append(a + before / (before - here) * (b - a))
        if here <= 0.0:
            corners.append(b)
    return np.array(corners).reshape(-1, 2)
