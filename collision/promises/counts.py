"""How many shapes and pairs of a scene are tested, ignored and hidden."""

from __future__ import annotations

import numpy as np

from collision.promises.records import Counts
from collision.scene.scene import Scene


def counts_of(scene: Scene) -> Counts:
    """Return what there is to be tested in a scene."""
    shown: list[int] = sorted(number for elements, _ in scene.groups for number in elements.tolist())
    ignored = _ignored(scene, shown)
    return Counts(len(shown), len(shown) * (len(shown) - 1) // 2 - ignored, ignored, scene.element_count - len(shown))


def _ignored(scene: Scene, shown: list[int]) -> int:
    """Return how many pairs of some elements are ignored."""
    listed, sets, count = scene._world.ignored.table
    inside = np.zeros(count, dtype=bool)
    inside[shown] = True
    keys = np.unique(listed[listed // max(count, 1) != listed % max(count, 1)])
    keys = keys[inside[keys // max(count, 1)] & inside[keys % max(count, 1)]] if len(keys) else keys
    if not len(sets):
        return len(keys)
    # Elements that are in the same sets are alike: few kinds of them, even where there are very many elements.
    kinds, kind, counts = np.unique(sets[:, shown], axis=1, return_inverse=True, return_counts=True)
    first, second = kinds[0::2], kinds[1::2]
    met = (first.T.astype(np.int64) @ second.astype(np.int64)) > 0
    met |= met.T
    pairs = np.outer(counts, counts) - np.diag(counts)  # each twice, and none of an element with itself
    of = np.zeros(count, dtype=np.intp)
    of[shown] = kind.ravel()
    alone = ~met[of[keys // count], of[keys % count]]
    return int(pairs[met].sum()) // 2 + int(np.count_nonzero(alone))
