"""Polygons in pixels that are drawn as they are, without light: panels, texts, and pictures from files."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkTexture

from collision.inner import FloatArray
from viewer.stage.polydata import bare_actor, colored, poly_data, show
from viewer.stage.solids.shading import set_fragment_code


def flat_actor(texture: Any = None) -> vtkActor:
    """Return an actor of polygons in the colors of their corners, times those of a texture.

    They are drawn after what is opaque, in the order in which a renderer got their actors.
    """
    actor = bare_actor(colored(vtkPolyDataMapper()))
    actor.SetTexture(texture)
    actor.VisibilityOff()
    set_fragment_code(actor.GetShaderProperty(), "", "    fragOutput0 = vertexColorVSOutput;")
    return actor


def show_polygons(
    actor: vtkActor, points: FloatArray, colors: npt.NDArray[np.uint8], texels: FloatArray | None = None
) -> None:
    """Have an actor show polygons that all have as many corners, and no others.

    Parameters
    ----------
    actor : vtkActor
        A `flat_actor`.
    points : ndarray, shape (n, corners, 2)
        The pixels of the corners.
    colors : ndarray, shape (n, corners, 4)
        Red, green, blue and opacity of the corners.
    texels : ndarray, shape (n, corners, 2), optional
        Where the corners are in the texture, as parts of it.
    """
    count, corners, _ = points.shape
    numbers = np.arange(count * corners).reshape(count, corners)
    data = poly_data(np.pad(points.reshape(-1, 2), ((0, 0), (0, 1))), numbers, color=colors.reshape(-1, 4))
    if count and texels is not None:
        data.active_texture_coordinates = texels.reshape(-1, 2)
    show(actor, data)
    actor.SetVisibility(count > 0)


def pixel_texture(pixels: npt.NDArray[np.uint8]) -> vtkTexture:
    """Return a texture of pixels, (height, width, 4), that are shown as they are, with nothing in between."""
    texture = vtkTexture()
    texture.InterpolateOff()
    texture.RepeatOff()
    texture.SetColorModeToDirectScalars()
    texture.SetInputData(image_of(pixels))
    return texture


def image_of(pixels: npt.NDArray[np.uint8]) -> vtkImageData:
    """Return pixels, (height, width, 4), the lowest row first, as VTK's data in their own memory."""
    image, (height, width, parts) = vtkImageData(), pixels.shape
    image.SetDimensions(width, height, 1)
    image.GetPointData().SetScalars(numpy_to_vtk(pixels.reshape(-1, parts)))
    return image
