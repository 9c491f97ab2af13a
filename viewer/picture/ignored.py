"""How many pairs of a scene are never reported, and how many shapes are hidden: what a picture does not tell."""

from __future__ import annotations

import numpy as np

from collision import Scene
from collision.inner import Elements, Group
from viewer.picture.words import counted


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
    return _count(scene)


class _Count:
    """The number for the last scene: those made of it by moving a few shapes have the same first groups."""

    def __init__(self) -> None:
        self._of: tuple[tuple[Group, ...], tuple[tuple[str, str], ...]] | None = None
        self._count = 0

    def __call__(self, scene: Scene) -> int:
        """Return the number of ignored pairs: a drag must not count them anew for every picture."""
        groups, ignored = scene.changes.groups, scene.ignored
        # Where all is hidden there are no groups, and every tuple of none is the same one.
        if self._of is None or not groups or self._of[0] is not groups or self._of[1] is not ignored:
            self._of, self._count = (groups, ignored), _counted(Elements(scene.shapes), ignored)
        return self._count


_count = _Count()


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


def hidden_note(scene: Scene) -> str:
    """Say how many shapes are hidden, and so not tested either; nothing where there are none.

    Examples
    --------
    >>> from collision import Sphere
    >>> crowd = {"crowd": Sphere(np.zeros((4, 3)), 1), "ball": Sphere([0, 0, 0], 1)}
    >>> hidden_note(Scene(crowd, hidden=["crowd", "crowd[1]", "ball"]))
    '5 shapes hidden, and not tested'
    """
    hidden = {number for name in scene.hidden for number in scene.element_numbers(name)}
    return f"{counted(len(hidden), 'shape')} hidden, and not tested" if hidden else ""


def is_hidden(scene: Scene, name: str) -> bool:
    """Say whether an entry or an element is hidden, or an element of it is; no name is not.

    Examples
    --------
    >>> from collision import Sphere
    >>> scene = Scene({"crowd": Sphere(np.zeros((4, 3)), 1), "ball": Sphere([0, 0, 0], 1)}, hidden=["crowd[1]"])
    >>> is_hidden(scene, "crowd"), is_hidden(scene, "crowd[2]"), is_hidden(scene, "ball"), is_hidden(scene, "")
    (True, False, False, False)
    """
    if not scene.hidden or not name:
        return False
    numbers = scene.element_numbers(name)
    return any(not set(numbers).isdisjoint(scene.element_numbers(hidden)) for hidden in scene.hidden)
