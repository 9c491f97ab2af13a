"""Triangles that are drawn as they are, without light: panels, texts, and pictures from files.

All have one shader, as Mesa compiles each for some time: the color of the corners, times that of a texture. What has no
picture of its own shows a white one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkTexture

from viewer.stage.solids.shading import set_fragment_code


def flat_actor(data: vtkPolyData, texture: vtkTexture, *, see_through: bool = True) -> vtkActor:
    """Return an actor of triangles in the colors of their corners, times those of a texture.

    What is see-through is drawn after what is opaque, in the order in which a renderer got it.
    """
    mapper, actor = vtkPolyDataMapper(), vtkActor()
    mapper.SetInputData(data)
    mapper.SetColorModeToDirectScalars()
    actor.SetMapper(mapper)
    actor.SetTexture(texture)
    actor.GetProperty().LightingOff()
    # VTK would ask for three numbers more, which take as long to compile as the rest of it.
    set_fragment_code(actor.GetShaderProperty(), "", "    fragOutput0 = vertexColorVSOutput;")
    # It is made for the camera: it must not decide where that stands or how far it sees.
    actor.UseBoundsOff()
    actor.PickableOff()
    if see_through:
        actor.ForceTranslucentOn()
    else:
        actor.ForceOpaqueOn()
    return actor


def pixel_texture(pixels: npt.NDArray[np.uint8]) -> vtkTexture:
    """Return a texture of pixels, (height, width, 4), that are shown as they are, with nothing in between."""
    texture = vtkTexture()
    texture.InterpolateOff()
    texture.RepeatOff()
    texture.SetColorModeToDirectScalars()
    texture.SetInputData(image_of(pixels, copied=True))
    return texture


def image_of(pixels: npt.NDArray[np.uint8], *, copied: bool = False) -> vtkImageData:
    """Return pixels, (height, width, 4), the lowest row first, as VTK's data: in their own memory, or copied."""
    image, (height, width, parts) = vtkImageData(), pixels.shape
    image.SetDimensions(width, height, 1)
    image.GetPointData().SetScalars(numpy_to_vtk(pixels.reshape(-1, parts), deep=copied))
    return image


def white_texture() -> vtkTexture:
    """Return the texture of what has no picture of its own."""
    return pixel_texture(np.full((1, 1, 4), 255, np.uint8))
