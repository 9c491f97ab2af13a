"""The solids of a scene as they are drawn, each batch like that of the last picture but for a few rows."""

from __future__ import annotations

from collections.abc import Mapping
from operator import is_

import numpy as np
import numpy.typing as npt

from collision import AABB, Capsule, OrientedBox, Scene, Sphere
from collision.inner import Group, IntArray
from viewer.picture.drawables import Solid, SolidShape

#: Of more rows than this part of a batch, the whole batch is new.
_FEW = 0.125

_KINDS = (Sphere, Capsule, AABB, OrientedBox)
_NONE: IntArray = np.zeros(0, dtype=np.intp)
_NOTHING: Mapping[int, SolidShape] = {}


class _Batch:
    """A batch as it was drawn last. Where nothing has changed about it, it is drawn by the very same object again."""

    def __init__(self, elements: IntArray, shape: SolidShape, codes: npt.NDArray[np.uint8]) -> None:
        self._elements, self._codes, self._standing = elements, codes, _picked(codes, elements)
        #: The batch as it was at first, and the rows that stand otherwise now.
        self._like, self._painted = Solid(shape, self._standing), _NONE
        self._last = self._like.but(self._standing, _NOTHING, _NONE)

    def solid(self, codes: npt.NDArray[np.uint8], moved: Mapping[int, SolidShape]) -> Solid:
        """Return it with the codes of all elements and with some shapes, by row, that are not what they were."""
        if codes is not self._codes or codes.flags.writeable:
            self._paint(codes)
        last = self._last
        same = self._standing is last.standing
        if same and moved is last.moved:
            return last
        if not same or moved.keys() != last.moved.keys():
            rows = self._rows(moved)
        elif all(map(is_, moved.values(), last.moved.values())):
            return last
        else:
            rows = last.rows
        self._last = self._like.but(self._standing, moved, rows)
        return self._last

    def _rows(self, moved: Mapping[int, SolidShape]) -> IntArray:
        rows = np.array(sorted({*moved, *self._painted.tolist()}), dtype=np.intp)
        if len(rows) > _FEW * len(self._standing):
            self._like, self._painted = Solid(self._like.shape, self._standing), _NONE
            rows = np.array([*moved], dtype=np.intp)
        return rows

    def _paint(self, codes: npt.NDArray[np.uint8]) -> None:
        self._codes, standing = codes, _picked(codes, self._elements)
        if not np.array_equal(standing, self._standing):
            self._standing, self._painted = standing, np.flatnonzero(standing != self._like.standing)


def _picked(codes: npt.NDArray[np.uint8], elements: IntArray) -> npt.NDArray[np.uint8]:
    standing = codes[elements]
    standing.flags.writeable = False
    return standing


class _Solids:
    """The batches of the last scene; one that differs from it in a few elements has the same, but for those."""

    def __init__(self) -> None:
        self._groups: tuple[Group, ...] = ()
        self._batches: dict[int, _Batch] = {}
        #: The batches and the rows of elements that have changed; None for one that is hidden or no solid.
        self._places: dict[int, tuple[int, int] | None] = {}

    def __call__(self, scene: Scene, codes: npt.NDArray[np.uint8]) -> list[Solid]:
        """Return the solids of a scene, one for each solid kind.

        Parameters
        ----------
        scene : Scene
            The shapes.
        codes : ndarray of uint8
            The `Solidity` of every element. If it cannot be written to, it is not looked at a second time.

        Examples
        --------
        >>> from collision import Sphere
        >>> scene = Scene({"crowd": Sphere(np.eye(9, 3), 0.1)})
        >>> codes = np.zeros(9, np.uint8)
        >>> before, after = solids(scene, codes), solids(scene.moved("crowd[5]", [0, 0, 9]), codes)
        >>> after[0].like is before[0].like, before[0].rows, after[0].rows
        (True, array([], dtype=int64), array([5]))
        """
        groups, changes = scene.changes
        if groups is not self._groups:
            self._batches = {
                number: _Batch(elements, shape, codes)
                for number, (elements, shape) in enumerate(groups)
                if isinstance(shape, _KINDS)
            }
            self._groups, self._places = groups, {}
        moved: dict[int, dict[int, SolidShape]] = {}
        for number in sorted(changes):
            if number not in self._places:
                self._places[number] = self._place(number)
            place, shape = self._places[number], changes[number]
            if place is not None and isinstance(shape, _KINDS):
                moved.setdefault(place[0], {})[place[1]] = shape
        return [batch.solid(codes, moved.get(number, _NOTHING)) for number, batch in self._batches.items()]

    def _place(self, number: int) -> tuple[int, int] | None:
        for batch in self._batches:
            elements = self._groups[batch].elements
            row = int(np.searchsorted(elements, number))
            if row < len(elements) and elements[row] == number:
                return batch, row
        return None


solids = _Solids()
