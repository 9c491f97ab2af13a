"""Regions of pixels: grown, shrunk, and told apart."""

from __future__ import annotations

import numpy as np

from collision.inner import BoolArray, IntArray


def grown(pixels: BoolArray, side: int) -> BoolArray:
    """Return the pixels around which a square of a side has any that is set."""
    return np.asarray(_around(pixels, side) > 0)


def shrunk(pixels: BoolArray, side: int) -> BoolArray:
    """Return the pixels around which a square of a side lies in the picture and is set as a whole."""
    return np.asarray(_around(pixels, side) == side * side)


def _around(pixels: BoolArray, side: int) -> IntArray:
    """Count the set pixels in the square of a side around each; of an even one, more lies above and to the left."""
    before = side // 2
    counts = pixels.astype(np.int64)
    for axis in (0, 1):
        margins = [(before + 1, side - 1 - before) if axis == along else (0, 0) for along in (0, 1)]
        sums = np.moveaxis(np.cumsum(np.pad(counts, margins), axis=axis), axis, 0)
        counts = np.moveaxis(sums[side:] - sums[:-side], 0, axis)
    return counts


def labels(pixels: BoolArray) -> IntArray:
    """Return a number for each set pixel, in the order of `numpy.nonzero`: the same for what touches.

    >>> labels(np.array([[1, 0, 0, 1], [0, 1, 0, 0]], dtype=bool)).tolist()
    [0, 1, 0]
    """
    step = pixels.shape[1] + 2  # so that runs at both ends of rows do not touch
    flat = np.zeros((len(pixels), step), dtype=np.int8)
    flat[:, 1:-1] = pixels
    change = np.diff(flat.ravel(), prepend=np.int8(0))
    begins, ends = np.flatnonzero(change == 1), np.flatnonzero(change == -1)  # runs of set pixels in rows
    # What a run touches in the next row follows each other there.
    first, last = np.searchsorted(ends, begins + step), np.searchsorted(begins, ends + step, side="right")
    counts = last - first
    upper = np.repeat(np.arange(len(begins)), counts)
    lower = np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
    lengths = ends - begins
    _, found = np.unique(_joined(len(begins), upper, lower), return_inverse=True)
    return np.repeat(found, lengths)


def _joined(count: int, a: IntArray, b: IntArray) -> IntArray:
    """Return for each of some things the first that it hangs together with, where each a hangs together with its b."""
    least = np.arange(count)
    while True:
        both = np.minimum(least[a], least[b])
        new = least.copy()
        for side in (a, b):
            np.minimum.at(new, side, both)
            np.minimum.at(new, least[side], both)  # and all that was joined to it before
        new = new[new]
        if np.array_equal(new, least):
            return least
        least = new
