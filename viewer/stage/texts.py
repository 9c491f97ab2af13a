"""Texts in pixels: each sign of a font is drawn once into one texture, and all texts are rectangles that show it.

So however much is written in a picture, it is one actor, and a number that changes is a matter of a few rectangles.
Signs stand where VTK, and with it FreeType, puts them: the steps from one to the next are asked for once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import accumulate
from operator import add
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import ImageFont
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkImageData, vtkPolyData
from vtkmodules.vtkRenderingCore import (
    vtkPolyDataMapper2D,
    vtkTextProperty,
    vtkTextRenderer,
    vtkTexture,
    vtkTexturedActor2D,
)

from collision.fields import FloatArray
from viewer.pixels import Run
from viewer.theme import Color

#: The DPI at which VTK's points are pixels.
_DPI = 72

#: VTK's number for a font that is read from a file.
_FONT_FILE = 4

#: The last of the signs that are known to be in the font, and what stands for one that is not.
_LATIN, _UNKNOWN = 0x17F, "\N{WHITE SQUARE}"

#: Signs that reach as far below the line as there is room below it.
_DEEP = "_/7Agfy"

#: Width of the texture, and its height at first, in pixels; it becomes higher as signs come.
_WIDTH, _HEIGHT = 2048, 64

#: Bytes of a sign's four corners, of those in the texture, and of their colors.
_POINTS, _TEXELS, _COLORS = 48, 32, 16

#: So many signs there is room for at first.
_ROOM = 1024


@lru_cache(maxsize=1024)
def text_width(text: str, size: float, bold: bool) -> float:
    """Return the width in pixels of a text of a height in pixels.

    Examples
    --------
    >>> text_width("", 15, False), text_width("0.25", 15, False) == text_width("1.75", 15, False)
    (0.0, True)
    """
    return float(_steps(text, max(round(size), 1), bold)[-1])


#: Texts of one color.
Texts: TypeAlias = tuple[tuple[Run, ...], Color]


class _Memory(NamedTuple):
    """Texts in their places and color as VTK's memory: of each sign the corners, those in the texture, and colors."""

    points: bytes
    texels: bytes
    colors: bytes


class TextActor:
    """All texts of a picture: one actor of rectangles, which are written in place."""

    def __init__(self) -> None:
        self._glyphs = GlyphSheet()
        self._written: list[Texts] = []
        #: The texts of the last pictures, most of which come again where they were, by the number (`id`) of their tuple
        #: of runs, which is kept, too; and the size of the texture for which they are right.
        self._known: dict[int, tuple[tuple[Run, ...], Color, _Memory]] = {}
        self._known_for = self._glyphs.size
        #: How many bytes of each array are shown.
        self._shown = [0, 0, 0]
        self._data, mapper = vtkPolyData(), vtkPolyDataMapper2D()
        self._make_room(_ROOM)
        mapper.SetInputData(self._data)
        self.actor = vtkTexturedActor2D()
        self.actor.SetTexture(self._glyphs.texture)
        self.actor.SetMapper(mapper)
        self.actor.SetVisibility(False)

    def forget(self) -> None:
        """Forget the signs: others, of another size, come."""
        self._glyphs.clear()
        self._known.clear()
        self._written = []

    def write(self, texts: Sequence[Texts]) -> None:
        """Show these texts in their colors, and no others; those that were written before are not made again."""
        if texts == self._written:
            return
        self._written = list(texts)
        self._make_new()
        if self._glyphs.size != self._known_for:  # signs have come that the texture had no room for
            self._known.clear()
            self._known_for = self._glyphs.size
            self._make_new()
        memories = [self._known[id(runs)][2] for runs, _ in self._written]
        joined = [b"".join(part) for part in zip(*memories, strict=True)] or [b"", b"", b""]
        total = len(joined[2]) // _COLORS
        if total > self._room:
            self._make_room(2 * total)
        self.actor.SetVisibility(total > 0)
        for k, (memory, new) in enumerate(zip(self._memories, joined, strict=True)):
            memory[: len(new)] = new
            if len(new) < self._shown[k]:  # a rectangle of no size is not seen
                memory[len(new) : self._shown[k]] = bytes(self._shown[k] - len(new))
            self._shown[k] = len(new)
        for array in self._arrays:
            array.Modified()
        self._data.Modified()

    def _make_new(self) -> None:
        """Make the memory of those texts that are new, or have another color: of all their signs at once."""
        if len(self._known) > _ROOM:  # of numbers that have changed since
            self._known.clear()
        known, glyphs = self._known, self._glyphs
        new = [(runs, color) for runs, color in self._written if known.get(id(runs), (runs, None))[1] != color]
        if not new:
            return
        signs: list[bytes] = []
        left: list[float] = []
        bottom: list[float] = []
        ends = []
        for runs, _ in new:
            for run in runs:
                own, steps = glyphs.line(run.text, run.size, run.bold)
                signs += own
                left += [run.x + step for step in steps[:-1]]
                bottom += [run.y] * len(own)
            ends.append(len(signs))
        both = np.frombuffer(b"".join(signs)).reshape(-1, 2, 4, 2)
        points = np.zeros((len(signs), 4, 3), np.float32)
        points[:, :, 0] = both[:, 0, :, 0] + np.array(left)[:, None]
        points[:, :, 1] = both[:, 0, :, 1] + np.array(bottom)[:, None]
        corners, texels = points.tobytes(), (both[:, 1] / glyphs.size).astype(np.float32).tobytes()
        for (runs, color), start, end in zip(new, (0, *ends), ends, strict=False):
            own_corners, own_texels = corners[_POINTS * start : _POINTS * end], texels[_TEXELS * start : _TEXELS * end]
            # The runs are kept, too: their number could come again else, for others.
            known[id(runs)] = runs, color, _Memory(own_corners, own_texels, bytes((*color, 255)) * (4 * (end - start)))

    def _make_room(self, count: int) -> None:
        self._room = count
        self._points = np.zeros((count, 4, 3), np.float32)
        self._texels = np.zeros((count, 4, 2), np.float32)
        self._colors = np.zeros((count, 4, 4), np.uint8)  # of each corner: red, green, blue and opacity
        points, cells, own = vtkPoints(), vtkCellArray(), self._data.GetPointData()
        points.SetData(numpy_to_vtk(self._points.reshape(-1, 3)))
        corners = np.arange(4 * count + 1, dtype=np.int64)
        cells.SetData(
            numpy_to_vtkIdTypeArray(corners[::4], deep=True), numpy_to_vtkIdTypeArray(corners[:-1], deep=True)
        )
        self._data.SetPoints(points)
        self._data.SetPolys(cells)
        own.SetTCoords(numpy_to_vtk(self._texels.reshape(-1, 2)))
        own.SetScalars(numpy_to_vtk(self._colors.reshape(-1, 4)))
        self._arrays: tuple[Any, ...] = (points, own.GetTCoords(), own.GetScalars())
        self._memories = [array.data.cast("B") for array in (self._points, self._texels, self._colors)]


class GlyphSheet:
    """A texture with the signs that have been written so far, each once for each height of the text."""

    def __init__(self) -> None:
        self.texture = vtkTexture()
        self.texture.InterpolateOff()  # a pixel of the texture is one of the picture
        self.texture.RepeatOff()
        self.texture.SetColorModeToDirectScalars()
        self.clear()

    def clear(self) -> None:
        """Forget all signs."""
        #: The rectangles of each sign that is there: its corners beside where it stands, and those in the texture, as
        #: memory, (2, 4, 2), which is put together many times as quickly as arrays are.
        self._signs: dict[tuple[int, bool], dict[str, bytes]] = {}
        #: Where the next sign goes, and where the next row of signs does.
        self._free, self._top = (0, 0), 0
        self._show(np.full((_HEIGHT, _WIDTH, 4), (255, 255, 255, 0), np.uint8))

    def line(self, text: str, size: float, bold: bool) -> tuple[list[bytes], tuple[int, ...]]:
        """Return the rectangles of the signs of a text; and where each stands, and where the text ends."""
        height = max(round(size), 1)
        signs = self._signs.setdefault((height, bold), {})
        found = []
        for sign in text.translate(_DRAWN):
            own = signs.get(sign)
            if own is None:
                own = signs[sign] = self._draw(sign, height, bold).tobytes()
            found.append(own)
        return found, _steps(text, height, bold)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the texture, in pixels."""
        return _WIDTH, len(self._pixels)

    def _draw(self, sign: str, size: int, bold: bool) -> FloatArray:
        """Draw a sign into the texture."""
        mask, (left, top) = _font(size, bold).getmask2(sign, mode="L", anchor="ls")
        width, height = mask.size
        x, y = self._place(width, height)
        if width and height:
            # Rows of a picture go down, and those of a texture up.
            self._pixels[y : y + height, x : x + width, 3] = np.array(mask).reshape(height, width)[::-1]
            self._image.GetPointData().GetScalars().Modified()
            self._image.Modified()
        base = _depth(size, bold)
        around = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=float)
        return np.stack([np.add(around, (left, base - top - height)), np.add(around, (x, y))])

    def _place(self, width: int, height: int) -> tuple[int, int]:
        """Return the lower left corner of a place that is free: rows of signs, one above the other."""
        x, y = self._free
        if x + width > _WIDTH:
            x, y = 0, self._top
        self._free, self._top = (x + width + 1, y), max(self._top, y + height + 1)
        while self._top > len(self._pixels):
            self._show(np.concatenate([self._pixels, np.full_like(self._pixels, (255, 255, 255, 0))]))
        return x, y

    def _show(self, pixels: npt.NDArray[np.uint8]) -> None:
        self._pixels = pixels
        self._image = vtkImageData()
        self._image.SetDimensions(_WIDTH, len(pixels), 1)
        self._image.GetPointData().SetScalars(numpy_to_vtk(pixels.reshape(-1, 4)))
        self.texture.SetInputData(self._image)


@lru_cache(maxsize=1024)
def _steps(text: str, size: int, bold: bool) -> tuple[int, ...]:
    """Return where the signs of a text stand, and where it ends."""
    signs, known = text.translate(_DRAWN), _pairs(size, bold)
    return tuple(accumulate([known[pair] for pair in map(add, signs, [*signs[1:], ""])], initial=0))


class _Pairs(dict[str, int]):
    """How far the second of two signs stands from the first, or how wide a sign is that none follows."""

    def __init__(self, size: int, bold: bool) -> None:
        self._size, self._bold = size, bold

    def __missing__(self, pair: str) -> int:
        both, last = (_measured(f" {signs} ", self._size, self._bold) for signs in (pair, pair[1:]))
        return self.setdefault(pair, both - last)


#: The same pairs for the same size.
_pairs = lru_cache(maxsize=64)(_Pairs)


@lru_cache(maxsize=8192)
def _measured(text: str, size: int, bold: bool) -> int:
    """Return how wide VTK draws a text that begins and ends with a space."""
    prop = vtkTextProperty()
    prop.SetFontFamily(_FONT_FILE)
    prop.SetFontFile(font_file(bold))
    prop.SetFontSize(size)
    box = [0, 0, 0, 0]
    # A dollar would begin a formula.
    if not vtkTextRenderer.GetInstance().GetBoundingBox(prop, text.replace("$", "\\$"), box, _DPI):
        raise RuntimeError(f"VTK cannot measure the text {text!r}")
    return box[1] - box[0] + 1


@lru_cache(maxsize=64)
def _font(size: int, bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font_file(bold), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=64)
def _depth(size: int, bold: bool) -> float:
    """Return how far signs reach below their line, in pixels."""
    return _font(size, bold).getbbox(_DEEP, anchor="ls")[3]


@cache
def font_file(bold: bool) -> str:
    """Return the path of DejaVu Sans, which has Greek, arrows and signs; VTK's own fonts do not.

    It comes with Matplotlib, which both VTK and PyVista require; this finds it without importing Matplotlib.
    """
    spec = find_spec("matplotlib")
    folders = [] if spec is None else list(spec.submodule_search_locations or [])
    for folder in folders:
        path = Path(folder, "mpl-data", "fonts", "ttf", "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf")
        if path.exists():
            return str(path)
    raise RuntimeError(
        "the font DejaVu Sans is missing: it comes with Matplotlib, which `pip install matplotlib` installs"
    )


class _Drawn(dict[int, int]):
    """The sign that is drawn for each: another one for those that the font lacks, which would be left out."""

    def __missing__(self, sign: int) -> int:
        known = sign <= _LATIN or sign in _signs()
        return self.setdefault(sign, sign if known else ord(_UNKNOWN))


#: A bar would divide what VTK measures into columns; the sign that takes its place looks the same.
_DRAWN = _Drawn({ord("|"): ord("\N{DIVIDES}")})


@cache
def _signs() -> frozenset[int]:
    """Return the code points that the font has."""
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(font_file(False)).get_charmap())
