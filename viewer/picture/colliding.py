"""Who collides, in forms that stay the same objects from picture to picture for as long as nothing about them changes.

Most of a picture depends on which pairs collide, and not on how deeply. Those pairs are compared once a picture, here;
whoever depends on them sees by ``is`` that they are those of the last picture.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from collision import Contacts, Scene
from collision.inner import Group, IntArray
from viewer.latest import Latest
from viewer.picture.drawables import Solidity


class _Pairs:
    """The pairs of the last contacts, renewed where others collide."""

    def __init__(self) -> None:
        self._pairs: IntArray = np.zeros((0, 2), dtype=np.int64)
        self._bytes = b""

    def __call__(self, contacts: Contacts) -> IntArray:
        """Return the pairs of some contacts: for as long as the pairs are equal, the same array."""
        given = contacts.pairs.tobytes()
        if given != self._bytes:
            self._pairs, self._bytes = contacts.pairs, given
        return self._pairs


#: The pairs of some contacts: for as long as the pairs are equal, the same array.
pairs_of = Latest(_Pairs())


#: So few are found sooner one after the other than by sorting.
_FEW = 8


@Latest
def deepest_of(contacts: Contacts, count: int) -> IntArray:
    """Return the rows of so many pairs, the deepest first: the table lists them, and their shapes are named."""
    if not 0 < count <= _FEW or count >= len(contacts):
        return contacts.deepest(count)
    rows, left = [], contacts.signed_distance.copy()
    for _ in range(count):
        row = int(left.argmin())
        rows.append(row)
        left[row] = np.inf
    return np.array(rows)


class _Standings:
    """The codes of the last picture, renewed where other pairs collide or something else is selected."""

    def __init__(self) -> None:
        self._of: tuple[tuple[Group, ...], tuple[str, ...], IntArray] | None = None
        self._codes: npt.NDArray[np.uint8] = np.zeros(0, dtype=np.uint8)

    def __call__(self, scene: Scene, contacts: Contacts, selected: tuple[str, ...]) -> npt.NDArray[np.uint8]:
        """Return the `Solidity` code of every element: for as long as no code changes, the same array, read-only.

        Examples
        --------
        >>> from collision import Sphere
        >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1), "c": Sphere([5, 0, 0], 1)})
        >>> before, moved = standings(scene, scene.contacts(), ("b",)), scene.moved("b", [0.1, 0, 0])
        >>> before, standings(moved, moved.contacts(), ("b",)) is before
        (array([1, 3, 0], dtype=uint8), True)
        """
        groups, pairs, last = scene.changes.groups, pairs_of(contacts), self._of
        # Where all is hidden there are no groups, and every tuple of none is the same one.
        if last is None or not groups or last[0] is not groups or last[1] != selected or last[2] is not pairs:
            self._of, self._codes = (groups, selected, pairs), _codes(scene, pairs, selected)
        return self._codes


standings = _Standings()


def _codes(scene: Scene, pairs: IntArray, selected: tuple[str, ...]) -> npt.NDArray[np.uint8]:
    codes = np.full(scene.element_count, Solidity.FREE, dtype=np.uint8)
    codes[pairs.ravel()] = Solidity.HIT
    for name in selected:
        own = scene.element_numbers(name)
        codes[own.start : own.stop] |= np.uint8(Solidity.SELECTED)
    codes.flags.writeable = False
    return codes
