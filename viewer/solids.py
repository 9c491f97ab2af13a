"""The solids of a scene as they are drawn, each batch like that of the last picture but for a few rows."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from collision import AABB, Capsule, OrientedBox, Scene, Sphere
from collision.elements import Group
from collision.fields import IntArray
from viewer.drawables import Solid

#: Of more rows than this part of a batch, the whole batch is new.
_FEW = 0.125


class _Solids:
    """The solids of the last scene, those of a scene that differs from it in a few elements are like."""

    def __init__(self) -> None:
        self._groups: tuple[Group, ...] = ()
        self._like: dict[int, Solid] = {}

    def __call__(self, scene: Scene, codes: npt.NDArray[np.uint8]) -> list[Solid]:
        """Return the solids of a scene, one for each solid kind.

        Parameters
        ----------
        scene : Scene
            The shapes.
        codes : ndarray of uint8
            The `Solidity` of every element.

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
            self._groups, self._like = groups, {}
        changed = np.array(sorted(changes), dtype=np.intp)
        found = []
        for number, (elements, shape) in enumerate(scene.groups):
            if isinstance(shape, Sphere | Capsule | AABB | OrientedBox):
                found.append(self._solid(number, shape, codes[elements], rows_of(elements, changed)))
        return found

    def _solid(
        self,
        number: int,
        shape: Sphere | Capsule | AABB | OrientedBox,
        standing: npt.NDArray[np.uint8],
        changed: IntArray,
    ) -> Solid:
        like = self._like.get(number)
        if like is not None:
            rows = np.flatnonzero(standing != like.standing)
            rows = np.union1d(rows, changed) if len(changed) else rows
            if len(rows) <= _FEW * len(standing):
                return Solid(shape, standing, like, rows)
        like = self._like[number] = Solid(self._groups[number].shape, standing)  # type: ignore[arg-type]
        return Solid(shape, standing, like, changed)


solids = _Solids()


def rows_of(elements: IntArray, numbers: IntArray) -> IntArray:
    """Return where some element numbers stand among others, both in order; those that do not are left out."""
    if not len(numbers):
        return numbers
    rows = np.searchsorted(elements, numbers)
    inside = rows < len(elements)
    rows, numbers = rows[inside], numbers[inside]
    return np.asarray(rows[elements[rows] == numbers])
