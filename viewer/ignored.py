"""How many pairs of a scene are never reported: a picture without red may just not have been looked at."""

from __future__ import annotations

import numpy as np

from collision import Scene
from collision.elements import Elements
from viewer.words import counted


def ignored_count(scene: Scene) -> int:
    """Return the number of pairs of elements that a scene ignores.

    Examples
    --------
    >>> from collision import Sphere
    >>> crowd = {"crowd": Sphere(np.zeros((4, 3)), 1), "ball": Sphere([0, 0, 0], 1)}
    >>> ignored_count(Scene(crowd, ignored=[("crowd*", "crowd*"), ("crowd[0]", "crowd[1]"), ("ball", "crowd[2]")]))
    7
    """
    if not scene.ignored:
        return 0
    # A scene whose shapes only moved ignores as many: a drag must not count them anew for every picture.
    key = (scene.ignored, tuple((name, shape.batch_shape) for name, shape in scene.shapes.items()))
    if key not in _LAST:
        count = _counted(Elements(scene.shapes), scene.ignored)
        _LAST.clear()
        _LAST[key] = count
    return _LAST[key]


_LAST: dict[tuple[object, ...], int] = {}


def _counted(elements: Elements, ignored: tuple[tuple[str, str], ...]) -> int:
    names = sorted({name for pair in ignored for name in pair})
    # Elements that the same names cover are alike: few kinds of them, even where there are very many elements.
    kinds, counts = np.unique(np.stack([elements.mask(name) for name in names]), axis=1, return_counts=True)
    covered = {name: np.flatnonzero(row) for name, row in zip(names, kinds, strict=True)}
    found = np.zeros((len(counts), len(counts)), dtype=bool)
    for a, b in ignored:
        found[np.ix_(covered[a], covered[b])] = True
    pairs = np.outer(counts, counts) - np.diag(counts)  # each twice, and none of an element with itself
    return int(pairs[found | found.T].sum()) // 2


def ignored_note(scene: Scene) -> str:
    """Say how many pairs are ignored; nothing where there are none."""
    count = ignored_count(scene)
    return f"{counted(count, 'pair')} ignored" if count else ""
