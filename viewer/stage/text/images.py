"""Pictures from files over a picture: each in a rectangle of pixels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkRenderingCore import vtkActor2D, vtkImageMapper, vtkRenderer

from viewer.picture.pixels import Rect
from viewer.picture.theme import Color


class Images:
    """Shows pictures from files. It keeps those that it has read.

    Parameters
    ----------
    renderer : vtkRenderer
        Gets the actors.
    """

    def __init__(self, renderer: vtkRenderer) -> None:
        self._renderer = renderer
        self._actors: dict[tuple[Path, int, int, Color], vtkActor2D] = {}
        self._shown: list[tuple[Path, Rect]] = []

    def show(self, pictures: Sequence[tuple[Path, Rect]], paper: Color) -> bool:
        """Show these pictures in their places over a colour, and no others; say whether the renderer got new actors."""
        before = len(self._actors)
        for actor in self._actors.values() if self._shown or pictures else ():
            actor.SetVisibility(False)
        self._shown = list(pictures)
        for path, place in pictures:
            width, height = round(place.width), round(place.height)
            key = path, width, height, paper
            if key not in self._actors:
                self._actors[key] = self._made(fitted(path, width, height, paper))
            self._actors[key].SetPosition(round(place.x), round(place.y))
            self._actors[key].SetVisibility(True)
        return len(self._actors) > before

    def _made(self, pixels: npt.NDArray[np.uint8]) -> vtkActor2D:
        height, width, _ = pixels.shape
        data, mapper, actor = vtkImageData(), vtkImageMapper(), vtkActor2D()
        data.SetDimensions(width, height, 1)
        data.GetPointData().SetScalars(numpy_to_vtk(pixels[::-1].reshape(-1, 3), deep=True))
        mapper.SetInputData(data)
        mapper.SetColorWindow(255.0)
        mapper.SetColorLevel(127.5)
        actor.SetMapper(mapper)
        self._renderer.AddViewProp(actor)
        return actor


def fitted(path: Path, width: int, height: int, paper: Color) -> npt.NDArray[np.uint8]:
    """Return a picture from a file in the middle of a rectangle of a colour, as large as it fits there."""
    with Image.open(path) as file:
        picture = file.convert("RGBA")
    share = min(width / picture.width, height / picture.height)
    size = max(round(share * picture.width), 1), max(round(share * picture.height), 1)
    # The colour comes first: averaged with what is not there, edges would be dark.
    whole = Image.new("RGBA", picture.size, (*paper, 255))
    whole.alpha_composite(picture)
    page = Image.new("RGB", (width, height), paper)
    page.paste(
        whole.convert("RGB").resize(size, Image.Resampling.LANCZOS), ((width - size[0]) // 2, (height - size[1]) // 2)
    )
    return np.asarray(page)
