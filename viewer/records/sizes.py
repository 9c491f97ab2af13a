"""Sizes of pictures and windows, in pixels, and round lengths, in scene units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Real
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collision import AABB

#: Width and height in pixels where nothing else is asked for.
DEFAULT = (1280, 960)

#: The smallest and the largest side in pixels: below it nothing can be read, above it few drivers draw.
SMALLEST, LARGEST = 64, 8192

#: Of a screen, so much is left to a window: a bar with its title and one of the desktop take the rest.
SCREEN_SHARE = 0.9

#: The height in pixels at which a unit of the theme is a pixel, and the part of its size below which text does not
#: shrink, except in thumbnails.
UNIT_HEIGHT, SMALLEST_UNIT = 960.0, 0.8

#: The height of a picture below which lines of constant length are in proportion to it.
SMALL_HEIGHT = 480.0

#: Powers of two that sizes are scaled by come in steps of so many: who zooms seldom comes to another one.
_POWER_STEP = 64

#: How many times as large as usual text is made by keys, step by step; the first and the last are the limits of any.
SCALES = (0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0)

#: Squares of the ground along the longer side of a scene, about.
SQUARES = 10


def power_of(size: float) -> int:
    """Return the power of two that brings a length near to one, where it can be squared; 0 for all ordinary lengths.

    Examples
    --------
    >>> [power_of(size) for size in (1e-9, 1.0, 1e9, 1e30, 1e-200)]
    [0, 0, 0, -128, 640]
    """
    return -_POWER_STEP * round(math.frexp(size)[1] / _POWER_STEP)


def unit_of(size: tuple[int, int]) -> float:
    """Return how many pixels a unit of the theme has: in proportion to the picture, but text stays legible."""
    side = min(size[1], 0.9 * size[0])
    return max(side / UNIT_HEIGHT, min(SMALLEST_UNIT, 2.0 * side / UNIT_HEIGHT))


def pixel_scale(size: tuple[int, int]) -> float:
    """Return how many pixels lines of constant length have to one of theirs: fewer in a small picture, as shapes have.

    Examples
    --------
    >>> pixel_scale((1280, 960)), pixel_scale((320, 240)), pixel_scale((2560, 1920))
    (1.0, 0.5, 2.0)
    """
    return min(max(1.0, size[1] / UNIT_HEIGHT), min(size[1], 0.9 * size[0]) / SMALL_HEIGHT)


def is_crowded(size: tuple[int, int], scale: float) -> bool:
    """Say whether the text of a picture is larger than in proportion: it is so small, or the text so many times larger.

    Examples
    --------
    >>> is_crowded((1280, 960), 1.0), is_crowded((640, 480), 1.0), is_crowded((1280, 960), 1.5)
    (False, True, True)
    """
    return scale * unit_of(size) * UNIT_HEIGHT > 1.01 * min(size[1], 0.9 * size[0])


def fitting(size: tuple[int, int], screen: tuple[int, int]) -> tuple[int, int]:
    """Return the size of a window that was to have a size, on a screen; in proportion where it has to be smaller.

    Examples
    --------
    >>> fitting((1280, 960), (1920, 1080)), fitting((1280, 960), (1280, 720)), fitting((1280, 960), (0, 0))
    ((1280, 960), (864, 648), (1280, 960))
    """
    if min(screen) <= 0:  # it is not known
        return size
    share = min(1.0, *(SCREEN_SHARE * there / wanted for there, wanted in zip(screen, size, strict=True)))
    return max(round(share * size[0]), SMALLEST), max(round(share * size[1]), SMALLEST)


def checked_size(size: Sequence[int]) -> tuple[int, int]:
    """Return the width and the height of a picture.

    Raises
    ------
    ValueError
        If they are not two whole numbers from 64 to 8192.

    Examples
    --------
    >>> checked_size([1280, 720])
    (1280, 720)
    """
    import numpy as np  # the help of commands says sizes, and needs nothing more

    sides = tuple(size) if isinstance(size, Sequence | np.ndarray) else ()
    whole = all(isinstance(side, int | np.integer) and not isinstance(side, bool) for side in sides)
    if len(sides) != 2 or not whole or not all(SMALLEST <= side <= LARGEST for side in sides):
        raise ValueError(
            "the size of a picture must be two whole numbers of pixels, "
            f"each from {SMALLEST} to {LARGEST}, got {size!r}"
        )
    return int(sides[0]), int(sides[1])


def checked_scale(scale: float) -> float:
    """Return how many times as large as usual text is to be.

    Raises
    ------
    ValueError
        If it is no number from 0.5 to 4.

    Examples
    --------
    >>> checked_scale(1.5)
    1.5
    """
    number = isinstance(scale, Real) and not isinstance(scale, bool)
    if not number or not SCALES[0] <= scale <= SCALES[-1]:
        raise ValueError(f"scale must be a number from {SCALES[0]:g} to {SCALES[-1]:g}, got {scale!r}")
    return float(scale)


def round_length(value: float) -> float:
    """Return the number nearest to a value, by ratio, of 1, 2 and 5 times the powers of ten.

    Examples
    --------
    >>> round_length(0.17), round_length(3.0), round_length(8.0)
    (0.2, 2.0, 10.0)
    """
    import numpy as np

    power = 10.0 ** np.floor(np.log10(value))
    return float(min((f * power for f in (1.0, 2.0, 5.0, 10.0)), key=lambda length: abs(np.log(length / value))))


def grid_step(bounds: AABB | None) -> float:
    """Return how wide the ground's squares are below a box, and what lengths snap to: a round length.

    Examples
    --------
    >>> from collision import AABB
    >>> grid_step(AABB([0, 0, 0], [3, 5, 1])), grid_step(None)
    (0.5, 0.2)
    """
    half = 0.0 if bounds is None else float(bounds.half_extents.max())
    return round_length(2.0 * (half or 1.0) / SQUARES)
