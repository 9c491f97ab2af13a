"""Pictures of drawables, in stages that are kept: to open one takes longer than to draw a small picture."""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from collision import Camera
from viewer.records.drawables import Drawable
from viewer.records.theme import LIGHT, Theme
from viewer.stage.stage import Stage


@cache
def _stage(size: tuple[int, int]) -> Stage:
    stage = Stage.offscreen(size)
    atexit.register(stage.close)
    return stage


def picture_of(
    drawables: Sequence[Drawable], camera: Camera, size: tuple[int, int], theme: Theme = LIGHT
) -> npt.NDArray[np.int64]:
    """Return the pixels of a picture, whose differences may be negative."""
    stage = _stage(size)
    stage.restyle(theme)
    stage.draw(drawables, camera)
    return stage.image().astype(np.int64)
