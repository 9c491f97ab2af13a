"""Boxes that rest, in blocks of eight: those near each other share a block, and eight blocks lie in one of the next.

They are kept in single precision, rounded outwards, and eight are compared at once. What is found so is looked at again
with all digits.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.kernels.vec3 import Vec3
from collision.native import LANES, Single, kernel

#: Numbers of a block in memory: of eight boxes the lower corners' x, y and z, then the upper ones'.
BLOCK = 6 * LANES

#: By so much of itself a number is moved outwards before it is rounded to single precision.
_OUTWARDS = 2.0**-22

_Singles = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


class Blocks(NamedTuple):
    """Boxes in blocks, the one that all lie in first.

    Attributes
    ----------
    order : ndarray of int, shape (n,)
        The numbers of the boxes in the order of the lowest blocks.
    boxes : ndarray of float32, shape (b, 6, 8)
        The blocks; a place that is left empty overlaps nothing.
    first : ndarray of int, shape (b,)
        Of each block the number of the block in its first box; of a lowest one, -1 less the place in the order of its
        first box.
    most : int
        So many blocks and boxes may wait to be looked at.
    """

    order: IntArray
    boxes: _Singles
    first: IntArray
    most: int


def blocks_of(lower: FloatArray, upper: FloatArray) -> Blocks:
    """Return finite boxes (n, 3) in blocks."""
    order = _arranged(0.5 * lower + 0.5 * upper)
    low, high = lower[order], upper[order]
    levels, firsts = [_blocked(low, high)], [-1 - LANES * np.arange(_count(len(order)))]
    while len(levels[-1]) > 1:
        low, high = levels[-1][:, :3].min(axis=-1), levels[-1][:, 3:].max(axis=-1)
        firsts.append(LANES * np.arange(_count(len(low))))
        levels.append(_blocked(low, high))
    start, first = 0, []
    for level, own in zip(reversed(levels), reversed(firsts), strict=True):
        start += len(level)
        first.append(own if own[0] < 0 else own + start)  # those below come next
    boxes = _outwards(np.concatenate(levels[::-1]))
    return Blocks(order, boxes, np.concatenate(first).astype(np.int64), LANES * (1 + len(levels)))


def _count(boxes: int) -> int:
    return max(-(-boxes // LANES), 1)


def _arranged(centers: FloatArray) -> IntArray:
    """Return the numbers of points in an order in which eights are near each other: halved along the longest side."""
    order = np.arange(len(centers), dtype=np.int64)
    waiting = [(0, len(centers))]
    while waiting:
        start, end = waiting.pop()
        if end - start <= LANES:
            continue
        here = order[start:end]
        places = centers[here]
        axis = int(np.argmax(places.max(axis=0) - places.min(axis=0)))
        whole = LANES ** int(math.log(end - start - 1, LANES))  # of the largest blocks that are filled
        half = whole * max(round((end - start) / (2 * whole)), 1)
        order[start:end] = here[np.argsort(places[:, axis], kind="stable")]
        waiting += [(start, start + half), (start + half, end)]
    return order


def _blocked(lower: FloatArray, upper: FloatArray) -> FloatArray:
    blocks = np.empty((_count(len(lower)), 6, LANES))
    blocks[:, :3], blocks[:, 3:] = math.inf, -math.inf
    block, lane = np.divmod(np.arange(len(lower)), LANES)
    blocks[block, :3, lane], blocks[block, 3:, lane] = lower, upper
    return blocks


def _outwards(blocks: FloatArray) -> _Singles:
    with np.errstate(over="ignore"):  # what is too large is infinite
        found = blocks.astype(np.float32)
    finite = np.isfinite(blocks)  # all but empty places
    found[:, :3] = np.where(finite[:, :3], np.nextafter(found[:, :3], np.float32(-np.inf)), found[:, :3])
    found[:, 3:] = np.where(finite[:, 3:], np.nextafter(found[:, 3:], np.float32(np.inf)), found[:, 3:])
    return np.where(finite, found, np.float32(np.nan))  # which no comparison holds for


@kernel
def below(value: float) -> Single:
    """Return a number of single precision that is no more than a value."""
    return np.float32(value - _OUTWARDS * abs(value))


@kernel
def beyond(value: float) -> Single:
    """Return a number of single precision that is no less than a value, but for the smallest."""
    return np.float32(value + _OUTWARDS * abs(value))


@kernel
def ball_box(p: Vec3, radius: float, lo: Vec3, hi: Vec3) -> float:
    """Return the signed distance of a ball and a box along the axes."""
    x, y, z = max(lo.x - p.x, p.x - hi.x), max(lo.y - p.y, p.y - hi.y), max(lo.z - p.z, p.z - hi.z)
    inside = max(x, y, z)
    if inside <= 0.0:
        return inside - radius
    x, y, z = max(x, 0.0), max(y, 0.0), max(z, 0.0)
    return math.sqrt(x * x + y * y + z * z) - radius
