"""Which elements of a scene some names stand for, as an array: of very many names as quickly as of few."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from collision import Scene
from collision.inner import IntArray


def numbers_of(scene: Scene, names: Iterable[str]) -> IntArray:
    """Return the numbers of all elements of some names."""
    ranges = [scene.element_numbers(name) for name in names]
    starts = np.array([numbers.start for numbers in ranges], dtype=np.int64)
    lengths = np.array([len(numbers) for numbers in ranges], dtype=np.int64)
    ends = np.cumsum(lengths)
    return np.repeat(starts - (ends - lengths), lengths) + np.arange(lengths.sum())
