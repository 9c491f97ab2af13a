"""Whether two pictures show the same: as an eye compares them, whatever drew them.

How far two colours are from each other is measured as by pixelmatch, with which Playwright compares screenshots: in the
YIQ space (Kotsarenko and Ramos, *Measuring perceived color difference using YIQ NTSC transmission color space in mobile
applications*, 2010). Edges, which every renderer smooths in a way of its own, are told from the colours around them:
what pixelmatch does for that needs plain areas beside them, which shaded solids have not.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import starmap
from os import PathLike, stat
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image as Pictures
from PIL import UnidentifiedImageError

from collision.inner import BoolArray, IntArray, not_read

_Colors: TypeAlias = npt.NDArray[np.float32]

#: The largest distance of two colours, squared, and which part of the largest distance the eye does not see.
_FARTHEST, _UNSEEN = 35215.0, 0.2

#: From RGB to YIQ, and how much each of these counts.
_YIQ = np.array(
    [
        [0.29889531, 0.58662247, 0.11448223],
        [0.59597799, -0.2741761, -0.32180189],
        [0.21147017, -0.52261711, 0.31114694],
    ],
    dtype=np.float32,
)
_WEIGHTS = np.array([0.5053, 0.299, 0.1957], dtype=np.float32)

#: A pixel and those around it; and by how much, of 255, a colour may lie beyond theirs.
_AROUND = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)]
_SLACK = 8.0

#: A difference that fills a square of so many pixels, each as far off as this, is no edge that is drawn otherwise,
#: however small it is: what is red is so far from every other colour of a solid.
AREA, CLEAR = 3, 0.25

#: Where more than this part of a picture differs, there is no need to tell which of it are edges.
_MOST = 0.1

#: Differences in squares of this side, in pixels, that touch are told as one.
_TILE = 12

#: How much is left of a picture's contrast behind what differs, and its colour.
_FADED, _MARK = 0.15, (230, 0, 60)


class Cluster(NamedTuple):
    """Where pictures differ: the pixels from left to right and from top to bottom, and how many of them differ."""

    left: int
    top: int
    right: int
    bottom: int
    pixels: int


@dataclass(frozen=True, eq=False)
class Difference:
    """How many pixels of two pictures differ that are no smoothed edges, and where, the largest cluster first.

    `area` tells whether a square of three by three pixels differs somewhere: then it is no matter of edges.
    """

    count: int
    area: bool
    clusters: tuple[Cluster, ...]
    image: npt.NDArray[np.uint8]

    def within(self, most: int) -> bool:
        """Tell whether the two count as the same: nothing but edges differs, and no more than so many pixels."""
        return not self.area and self.count <= most


def read_picture(path: str | PathLike[str]) -> npt.NDArray[np.uint8]:
    """Return a picture from a file, as red, green, blue and opacity."""
    try:
        if words := not_read(stat(path)):
            raise ValueError(words)
        with Pictures.open(path) as picture:
            return np.asarray(picture.convert("RGBA"))
    except UnidentifiedImageError:
        raise ValueError(f"{path}: this is no picture that can be read, such as a .png") from None
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except (OSError, SyntaxError, ValueError, Pictures.DecompressionBombError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ValueError(f"{path}: cannot be read: {said.lower()}") from error


def compare_pictures(a: npt.NDArray[np.uint8], b: npt.NDArray[np.uint8]) -> Difference:
    """Return how two pictures differ."""
    if a.shape[:2] != b.shape[:2]:
        sizes = " and ".join(f"{one.shape[1]}x{one.shape[0]}" for one in (a, b))
        raise ValueError(f"the two pictures must be of one size, got {sizes}")
    changed = np.flatnonzero((a != b).any(axis=-1) if a.shape == b.shape else np.ones(a.shape[:2], dtype=bool))
    one, other = (_on_white(picture) for picture in (a, b))
    differs = np.zeros(a.shape[:2], dtype=bool)
    delta = (one.reshape(-1, 3)[changed] - other.reshape(-1, 3)[changed]) @ _YIQ.T
    off = np.zeros(a.shape[:2], dtype=np.float32)
    off.ravel()[changed] = (delta * delta) @ (_WEIGHTS / _FARTHEST)
    differs, solid = off > _UNSEEN**2, _areas(off > CLEAR**2)
    area = bool(solid.any())
    counted = differs.copy()
    rows, columns = np.nonzero(differs)
    if len(rows) <= _MOST * differs.size:
        edges = _edges(one, other, rows, columns) & _edges(other, one, rows, columns)
        counted[rows[edges], columns[edges]] = solid[rows[edges], columns[edges]]
    return Difference(int(np.count_nonzero(counted)), area, _clusters(counted), _marked(one, counted))


def _areas(clear: BoolArray) -> BoolArray:
    """Return the pixels of squares that are all set, and those beside them: their edges are smoothed, too."""
    return _around(_around(clear, AREA) == AREA * AREA, AREA + 2) > 0


def _around(pixels: BoolArray, side: int) -> IntArray:
    """Count the set pixels in the square of an odd side around each."""
    counts = pixels.astype(np.int64)
    for axis in (0, 1):
        margins = [(side // 2 + 1, side // 2) if axis == along else (0, 0) for along in (0, 1)]
        sums = np.moveaxis(np.cumsum(np.pad(counts, margins), axis=axis), axis, 0)
        counts = np.moveaxis(sums[side:] - sums[:-side], 0, axis)
    return counts


def _on_white(picture: npt.NDArray[np.uint8]) -> _Colors:
    colors = picture[..., :3].astype(np.float32)
    if picture.shape[-1] == 3:
        return colors
    return np.asarray(255.0 + (colors - 255.0) * (picture[..., 3:].astype(np.float32) / 255.0))


def _edges(picture: _Colors, other: _Colors, rows: IntArray, columns: IntArray) -> BoolArray:
    """Tell of which pixels of a picture the colour lies between those around the same place of another.

    At an edge that is smoothed otherwise, or is off by less than a pixel, it does so in both.
    """
    tall, wide = picture.shape[:2]
    around = [(np.clip(rows + y, 0, tall - 1), np.clip(columns + x, 0, wide - 1)) for x, y in _AROUND]
    low = high = other[around[0]]
    for there in around[1:]:
        colors = other[there]
        low, high = np.minimum(low, colors), np.maximum(high, colors)
    own = picture[rows, columns]
    return np.asarray(((own >= low - _SLACK) & (own <= high + _SLACK)).all(axis=-1))


def _clusters(differs: BoolArray) -> tuple[Cluster, ...]:
    """Return where pixels differ: boxes around those that are in tiles of the picture that touch."""
    rows, columns = np.nonzero(differs)
    wide = differs.shape[1] // _TILE + 3  # with room for a tile beside the first and the last
    tiles, tile_of = np.unique((rows // _TILE + 1) * wide + columns // _TILE + 1, return_inverse=True)
    left, region = dict(zip(tiles.tolist(), range(len(tiles)), strict=True)), np.zeros(len(tiles), dtype=np.int64)
    found = 0
    while left:
        reached = [left.popitem()]
        while reached:
            tile, number = reached.pop()
            region[number] = found
            beside = (tile + step + across for step in (-wide, 0, wide) for across in (-1, 0, 1))
            reached += [(other, left.pop(other)) for other in beside if other in left]
        found += 1
    number = region[tile_of]
    order = np.argsort(number, kind="stable")
    firsts = np.flatnonzero(np.diff(number[order], prepend=-1))
    sides = [low.reduceat(at[order], firsts) for low in (np.minimum, np.maximum) for at in (columns, rows)]
    sizes = np.diff(firsts, append=len(order))
    clusters = starmap(Cluster, zip(*(side.tolist() for side in (*sides, sizes)), strict=True))
    return tuple(sorted(clusters, key=lambda one: (-one.pixels, one.top, one.left)))


def _marked(picture: _Colors, differs: BoolArray) -> npt.NDArray[np.uint8]:
    """Return a picture in faint grey, with some pixels in red, and their surroundings in a paler red."""
    grey = 255.0 + _FADED * (picture @ _YIQ[0] - 255.0)
    found = np.repeat(grey[..., None], 3, axis=-1).astype(np.uint8)
    around = (_around(differs, 5) > 0) & ~differs
    found[around] = (255, 214, 140)
    found[differs] = _MARK
    return found


def where(found: Difference, most: int = 5) -> list[str]:
    """Say where pictures differ, a line for each of the largest clusters."""
    lines = [
        f"{one.pixels:,} in {one.right - one.left + 1}x{one.bottom - one.top + 1} pixels at ({one.left}, {one.top})"
        for one in found.clusters[:most]
    ]
    more = len(found.clusters) - most
    return [*lines, f"and {more:,} more places"] if more > 0 else lines
