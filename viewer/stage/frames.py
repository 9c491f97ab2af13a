"""The pixels of a frame: read from a window, and averaged where there are more than the picture has."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PIL import Image
from pyvista.plotting.utilities import image_from_window
from vtkmodules.vtkRenderingCore import vtkRenderWindow

Pixels = npt.NDArray[np.uint8]


def grab(window: vtkRenderWindow, oversampling: int, *, transparent: bool) -> Pixels:
    """Return the last frame of a window as an array (height, width, 3 or 4), its upper row first.

    Parameters
    ----------
    window : vtkRenderWindow
        Has drawn a frame; a transparent one over black that is not there at all.
    oversampling : int
        How many of its pixels a pixel of the picture has, along each side.
    transparent : bool
        Whether to read how opaque each pixel is, too.
    """
    pixels: Pixels = image_from_window(window, ignore_alpha=not transparent)
    if transparent:
        return straight(pixels, oversampling)
    if oversampling > 1:
        pixels = np.array(Image.fromarray(pixels).reduce(oversampling))
    return pixels


def straight(pixels: Pixels, oversampling: int = 1) -> Pixels:
    """Return pixels whose colours are not weighted by how opaque they are, as files have them.

    What is drawn over transparent black has colours that are weighted by it. Averages are taken of these: an edge then
    has the colour of what it is the edge of, and no dark rim before a light page.

    Parameters
    ----------
    pixels : ndarray of uint8, shape (height, width, 4)
        With weighted colours.
    oversampling : int
        How many of them make one of the picture, along each side.

    Examples
    --------
    >>> edge = np.array([[[200, 100, 0, 255], [0, 0, 0, 0]], [[200, 100, 0, 255], [0, 0, 0, 0]]], dtype=np.uint8)
    >>> straight(edge, 2).tolist()
    [[[200, 100, 0, 128]]]
    """
    height, width = (side // oversampling for side in pixels.shape[:2])
    blocks = pixels.reshape(height, oversampling, width, oversampling, 4).astype(np.uint16)
    sums = blocks.sum(axis=(1, 3), dtype=np.uint16)
    opacity = sums[..., 3:]
    colors = (sums[..., :3].astype(np.uint32) * 255 + opacity // 2) // np.maximum(opacity, 1)
    count = oversampling * oversampling
    alpha = (opacity.astype(np.uint32) + count // 2) // count
    return np.concatenate([np.minimum(colors, 255), alpha], axis=-1).astype(np.uint8)
