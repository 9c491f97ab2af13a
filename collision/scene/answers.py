"""The answers of a scene: records of numbers of elements, and what there is to know of them.

To a question about a batch, every attribute is an array with the batch's axes (...) first. Where there is no element,
its number is -1, its name is empty, and all else is NaN.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from collision.base.fields import BoolArray, FloatArray, IntArray, read_whole
from collision.queries.distances import ClosestPoints
from collision.scene.elements import Group, Names
from collision.shapes.kinds import Shape


@dataclass(frozen=True)
class Contacts:
    """Pairs of a scene that touch (or are within a margin), one row a pair.

    Attributes
    ----------
    pairs : ndarray of int, shape (k, 2)
        Element numbers, i < j, in lexicographic order. A shape that is not in the scene comes first, with the number -1
        or, of a batch, its number through the batch axes in C order. Of two scenes, the one that was asked comes first.
    signed_distance : ndarray, shape (k,)
    point, normal, on_a, on_b : ndarray, shape (k, 3)
        As in `collision.contact`; the normal points from the first element to the second.
    only_touching : ndarray of bool, shape (k,)
        Which of them touch and no more: they intersect, and are no deeper in each other than the tolerance by which
        they do, which is that of `intersects` for this pair. ``contact(a, b).touching`` is true of deeper pairs, too.
    """

    pairs: IntArray
    signed_distance: FloatArray
    point: FloatArray
    normal: FloatArray
    on_a: FloatArray
    on_b: FloatArray
    only_touching: BoolArray

    @classmethod
    def none(cls) -> Contacts:
        """Return the contacts of nothing.

        Examples
        --------
        >>> from collision import Contacts
        >>> len(Contacts.none())
        0
        """
        none, pairs = np.empty((0, 3)), np.empty((0, 2), dtype=np.int64)
        return cls(pairs, np.empty(0), none, none, none, none, np.empty(0, dtype=bool))

    def __len__(self) -> int:
        return len(self.pairs)

    def deepest(self, count: int) -> IntArray:
        """Return the read-only rows (n,) of so many pairs, those of the least signed distance, in order.

        Parameters
        ----------
        count : int
            How many at most, zero or more.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> found = Scene({"row": Sphere([[0, 0, 0], [1.5, 0, 0], [2, 0, 0]], 1)}).contacts()
        >>> found.pairs[found.deepest(1)]
        array([[1, 2]])
        """
        kept: dict[int, IntArray] = self.__dict__.setdefault("_deepest", {})
        count = read_whole(count, "deepest: count")
        rows = kept.get(count)
        if rows is None:
            gap = self.signed_distance
            few = np.arange(len(gap))
            if 0 < count < len(gap):
                few = np.flatnonzero(gap <= np.partition(gap, count - 1)[count - 1])
            rows = kept[count] = few[np.argsort(gap[few], kind="stable")][:count]
            rows.flags.writeable = False
        return rows

    def take(self, rows: Any) -> Contacts:
        """Return some of the pairs.

        Parameters
        ----------
        rows : slice or array_like of int or bool
            Which of them, as NumPy selects rows.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> found = Scene({"row": Sphere([[0, 0, 0], [1.5, 0, 0], [2, 0, 0]], 1)}).contacts()
        >>> found.take(found.signed_distance < -1).pairs
        array([[1, 2]])
        """
        return Contacts(*(part[rows] for part in self._parts()))

    def _parts(self) -> tuple[Any, ...]:
        return self.pairs, self.signed_distance, self.point, self.normal, self.on_a, self.on_b, self.only_touching

    @classmethod
    def _joined(cls, parts: Sequence[Contacts]) -> Contacts:
        """Return the contacts of one or more answers, one after the other."""
        return cls(*(np.concatenate(part) for part in zip(*(part._parts() for part in parts), strict=True)))

    def _read_only(self) -> Contacts:
        """Return these contacts, which many share from now on."""
        for part in self._parts():
            part.flags.writeable = False
        return self

    @property
    def depth(self) -> FloatArray:
        """How deep each pair overlaps; zero for pairs that are only near."""
        return np.maximum(-self.signed_distance, 0.0)


class FirstContacts(NamedTuple):
    """Some contacts of a scene, and how many there are.

    Attributes
    ----------
    contacts : Contacts
        The first, in lexicographic order of the pairs.
    colliding : ndarray of bool, shape (k,)
        Which of them intersect; with a margin, others are only near.
    total : int
        How many contacts the scene has.
    only_touching : int
        How many of all these touch and no more, as `Contacts.only_touching` says.
    """

    contacts: Contacts
    colliding: BoolArray
    total: int
    only_touching: int


class Changes(NamedTuple):
    """What differs between a scene and an earlier one: `elements` that were replaced since, by number.

    The `groups` of the earlier scene are the same object for all scenes that were made from it, and for no other scene.
    """

    groups: tuple[Group, ...]
    elements: Mapping[int, Shape]


@dataclass(frozen=True, eq=False)
class Nearest:
    """The nearest element of a scene; for a batch of shapes, or for several of the nearest, arrays of them.

    Attributes
    ----------
    element : int, or ndarray of int, shape (...)
        Its number. Where several were asked for, they are along the last axis, the nearest first.
    signed_distance : ndarray, shape (...)
        From the shape that was asked for to this element.
    name : str, or ndarray of str, shape (...)
        Its name.
    points : ClosestPoints
        The closest points of the shape that was asked for (A) and this element (B).
    """

    element: Any
    signed_distance: FloatArray
    name: Any = field(repr=False)
    points: ClosestPoints = field(repr=False)

    @property
    def on_a(self) -> FloatArray:
        """The witness points on the shapes that were asked for, ndarray, shape (..., 3)."""
        return self.points.on_a

    @property
    def on_b(self) -> FloatArray:
        """The witness points on the elements, ndarray, shape (..., 3)."""
        return self.points.on_b

    @property
    def normal(self) -> FloatArray:
        """The unit normals from the shapes to the elements, ndarray, shape (..., 3)."""
        return self.points.normal


class SceneHit(NamedTuple):
    """The first element that a ray hits (or any, if any will do).

    Attributes
    ----------
    element : int, or ndarray of int, shape (...)
    name : str, or ndarray of str, shape (...)
    enter : float, or ndarray, shape (...)
        The distance along the ray.
    point, normal : ndarray, shape (..., 3)
        Where the ray enters, and the outward normal there.
    """

    element: Any
    name: Any
    enter: Any
    point: FloatArray
    normal: FloatArray

    @property
    def hit(self) -> Any:
        """Whether there is one: a bool, or an ndarray of bool, shape (...)."""
        return self.element >= 0


@dataclass(frozen=True, eq=False)
class SceneHits:
    """All elements that rays hit, one row a hit: by rays, and for each ray in order along it.

    Of several at the same distance the one with the lowest number comes first.

    Attributes
    ----------
    ray : ndarray of int, shape (k,)
        The number of the ray, counted through the batch axes in C order: 0 for a single ray.
    element : ndarray of int, shape (k,)
        The number of the element.
    enter, exit : ndarray, shape (k,)
        Distances along the ray, as in `collision.raycast`.
    point, normal : ndarray, shape (k, 3)
        Where the ray enters, and the outward normal there.
    name : ndarray of str, shape (k,)
        The names of the elements.
    """

    ray: IntArray
    element: IntArray
    enter: FloatArray
    exit: FloatArray
    point: FloatArray
    normal: FloatArray
    name: Names = field(repr=False)

    def __len__(self) -> int:
        return len(self.ray)


class SceneSweep(NamedTuple):
    """The first element that a moving shape touches; for a batch of shapes or of motions, arrays of them.

    Attributes
    ----------
    element : int, or ndarray of int, shape (...)
    name : str, or ndarray of str, shape (...)
    fraction : float, or ndarray, shape (...)
        The part of the motion done by then, 0 to 1.
    point, normal : ndarray, shape (..., 3)
        Where they touch, and the unit normal there, from the moving shape to the element.
    """

    element: Any
    name: Any
    fraction: Any
    point: FloatArray
    normal: FloatArray

    @property
    def hit(self) -> Any:
        """Whether there is one: a bool, or an ndarray of bool, shape (...)."""
        return self.element >= 0
