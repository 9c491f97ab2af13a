"""What a picture does not show: how many pairs of a scene are never reported, and how many shapes are hidden."""

from __future__ import annotations

import numpy as np

from collision import HalfSpace, Scene
from collision.inner import BoolArray, Elements
from viewer.records.words import counted


def ignored_count(scene: Scene) -> int:
    """Return the number of pairs of elements that a scene ignores.

    Examples
    --------
    >>> from collision import Sphere
    >>> crowd = {"crowd": Sphere(np.zeros((4, 3)), 1), "ball": Sphere([0, 0, 0], 1)}
    >>> ignored_count(Scene(crowd, ignored=[("crowd*", "crowd*"), ("crowd[0]", "crowd[1]"), ("ball", "crowd[2]")]))
    7
    """
    return _ignored_among(scene, np.ones(scene.element_count, dtype=bool))


def half_space_pairs(scene: Scene) -> int:
    """Return how many pairs of half-spaces a scene has that are seen and not ignored: no two are compared.

    Examples
    --------
    >>> walls = {"walls": HalfSpace(np.zeros((3, 3)), [[1, 0, 0], [0, 1, 0], [0, 0, 1]])}
    >>> half_space_pairs(Scene(walls)), half_space_pairs(Scene(walls, ignored=[("walls[0]", "walls[1]")]))
    (3, 2)
    """
    among = np.zeros(scene.element_count, dtype=bool)
    for name, shape in scene.shapes.items():
        if isinstance(shape, HalfSpace):
            among[scene.element_numbers(name)] = True
    for name in scene.hidden:
        among[scene.element_numbers(name)] = False
    count = int(among.sum())
    return count * (count - 1) // 2 - _ignored_among(scene, among)


def _ignored_among(scene: Scene, among: BoolArray) -> int:
    if not scene.ignored or not among.any():
        return 0
    elements = Elements(scene.shapes)
    names = sorted({name for pair in scene.ignored for name in pair})
    # Elements that the same names cover are alike: few kinds of them, even where there are very many elements.
    kinds, counts = np.unique(np.stack([elements.mask(name)[among] for name in names]), axis=1, return_counts=True)
    covered = {name: np.flatnonzero(row) for name, row in zip(names, kinds, strict=True)}
    ignored = np.zeros((len(counts), len(counts)), dtype=bool)
    for a, b in scene.ignored:
        ignored[np.ix_(covered[a], covered[b])] = True
    pairs = np.outer(counts, counts) - np.diag(counts)  # each twice, and none of an element with itself
    return int(pairs[ignored | ignored.T].sum()) // 2


def ignored_note(count: int) -> str:
    """Say how many pairs are ignored; nothing where there are none."""
    return f"{counted(count, 'pair')} ignored" if count else ""


def half_spaces_note(count: int) -> str:
    """Say how many pairs of half-spaces are not compared; nothing where there are none."""
    return f"{counted(count, 'pair')} of half-spaces {'is' if count == 1 else 'are'} not compared" if count else ""


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
