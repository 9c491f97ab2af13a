"""Pictures of examples over a picture: each in a rectangle of pixels."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from viewer.files.places import thumbnail_of
from viewer.records.pixels import Rect
from viewer.records.theme import Color
from viewer.stage.flat import flat_actor, pixel_texture, show_polygons


class Images:
    """Shows pictures of examples. It keeps those that it has read.

    Parameters
    ----------
    renderer : vtkRenderer
        Gets the actors.
    """

    def __init__(self, renderer: vtkRenderer) -> None:
        self._renderer = renderer
        self._actors: dict[tuple[str, int, int, Color], vtkActor] = {}
        self._shown: list[tuple[str, Rect]] = []

    def show(self, pictures: Sequence[tuple[str, Rect]], paper: Color) -> bool:
        """Show these pictures in their places over a colour, and no others; say whether the renderer got new actors."""
        before = len(self._actors)
        for actor in self._actors.values() if self._shown or pictures else ():
            actor.SetVisibility(False)
        self._shown = list(pictures)
        for name, place in pictures:
            width, height = round(place.width), round(place.height)
            key = name, width, height, paper
            if key not in self._actors:
                self._actors[key] = self._made(fitted(thumbnail_of(name), width, height, paper))
            self._actors[key].SetPosition(round(place.x), round(place.y), 0.0)
            self._actors[key].SetVisibility(True)
        return len(self._actors) > before

    def _made(self, pixels: npt.NDArray[np.uint8]) -> vtkActor:
        height, width, _ = pixels.shape
        opaque = np.full((height, width, 4), 255, np.uint8)
        opaque[..., :3] = pixels[::-1]
        corners, actor = np.array([[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]]), flat_actor(pixel_texture(opaque))
        show_polygons(actor, corners * (width, height), np.full((1, 4, 4), 255, np.uint8), corners)
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
