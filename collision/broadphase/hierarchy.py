"""The broad phase: which pairs can touch at all, from bounds alone.

One structure answers everything, the bounding volume hierarchy of `collision.broadphase.tree`. A handful of boxes is
compared each with each, and so are boxes without an end (of rays and lines) with all others.

Works on arrays of lower and upper corners, (n, 3), infinite where a shape is unbounded, and answers with arrays of
indices. Bounds are widened by the rounding that the narrow phase grants to touching shapes, so no touch is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from collision.broadphase.tree import ALONG, AMONG, NEAR, PAIRS, Tree, build_tree, widened
from collision.fields import BoolArray, FloatArray, IntArray, all_finite
from collision.native.compile import Loop, address, in_parts
from collision.separation.cores import TOUCH

#: Up to so many boxes are compared each with each, which needs no tree (and nothing compiled for it).
FEW = 128

#: More pairs than this are no answer that anybody could use, and would not fit into memory.
MOST = 1 << 31

#: The narrow phase lets shapes touch across `TOUCH` times the largest coordinate; bounds give way by twice that.
_ROOM = 2.0 * TOUCH


_NONE = np.empty(0, dtype=np.intp)


class Hierarchy:
    """Boxes, and what is needed to find those that overlap without comparing all.

    Parameters
    ----------
    lower, upper : ndarray, shape (n, 3)
        Corners, infinite where a shape is unbounded.

    Examples
    --------
    >>> import numpy as np
    >>> lower = np.array([[0.0, 0, 0], [5, 0, 0], [0.5, 0, 0]])
    >>> boxes = Hierarchy(lower, lower + 1.0)
    >>> boxes.pairs()
    array([[0, 2]])
    >>> boxes.near(np.stack([lower[1], lower[1] + 9.0]))
    array([1])
    """

    def __init__(self, lower: FloatArray, upper: FloatArray) -> None:
        self.count = len(lower)
        self._lower, self._upper = np.ascontiguousarray(lower), np.ascontiguousarray(upper)

    def pairs(self, *, margin: float = 0.0) -> IntArray:
        """Return the pairs of boxes that overlap, or are no more than a margin apart along each axis.

        Parameters
        ----------
        margin : float
            Zero or more.

        Returns
        -------
        ndarray of int, shape (k, 2)
            i < j, in no order that could be relied on.

        Raises
        ------
        ValueError
            If there are more than 2³¹ of them.
        """
        reach = margin * (1.0 + _ROOM)
        if self.count <= FEW:
            rows = np.empty((self.count, 6))
            given = (self.count, address(self._lower), address(self._upper), _ROOM, address(rows), reach)
            return _filled(AMONG, given, 2 * self.count)
        return np.concatenate([*self._wide_pairs(reach), *self._tree_pairs(reach)])

    def near(self, box: FloatArray, but: int = -1) -> IntArray:
        """Return the boxes that overlap one box, given by its corners (2, 3), which must be finite, in order.

        One of them may be left out: that which has been at another place since, and is now this box.
        """
        few = np.arange(self.count) if self.count <= FEW else self._wide
        if len(few):
            few = few[_overlap(self._rows(few), widened(box[:1], box[1:], _ROOM), 0.0) & (few != but)]
        if self.count <= FEW:
            return few
        ends = np.empty((4, 3))
        ends[:2] = box
        place = address(ends)
        found = _filled(NEAR, (place, place + 24, _ROOM, place + 48, but, *self._places), 128, ())
        found.sort()
        return np.sort(np.concatenate([few, found])) if len(few) else found

    def along(self, origins: FloatArray, directions: FloatArray) -> IntArray:
        """Return the boxes that rays may hit, the rays given by origins and directions (m, 3).

        Returns
        -------
        ndarray of int, shape (k, 2)
            Numbers of rays and of boxes, by rays.
        """
        few = np.arange(self.count) if self.count <= FEW else self._wide
        pairs = []
        if len(few):
            pairs.append(np.stack([np.repeat(np.arange(len(origins)), len(few)), np.tile(few, len(origins))], axis=1))
        if self.count > FEW:
            rays = [np.ascontiguousarray(vectors) for vectors in (origins, directions)]
            places = (*map(address, rays), _ROOM, *self._places)

            def work(first: int, last: int) -> IntArray:
                return _filled(ALONG, (first, last, *places), 64 * (last - first))

            pairs += in_parts(work, len(origins), 256)
        return np.concatenate(pairs) if pairs else np.empty((0, 2), dtype=np.int64)

    def _rows(self, index: IntArray) -> FloatArray:
        """Return some boxes, widened, as rows of six numbers."""
        return widened(self._lower[index], self._upper[index], _ROOM)

    @cached_property
    def _places(self) -> tuple[int, int, int, int]:
        return self._tree.places()

    @cached_property
    def _wide(self) -> IntArray:
        """The boxes that have no end on some side."""
        if all_finite(self._lower) and all_finite(self._upper):
            return _NONE
        return np.flatnonzero(~(np.isfinite(self._lower) & np.isfinite(self._upper)).all(axis=1))

    @cached_property
    def _bounded(self) -> IntArray:
        """The boxes that have an end on every side."""
        return np.delete(np.arange(self.count), self._wide)

    @cached_property
    def _tree(self) -> Tree:
        """The bounded boxes."""
        if not len(self._wide):
            return build_tree(self._lower, self._upper, _ROOM)
        order, boxes, nodes = build_tree(self._lower[self._bounded], self._upper[self._bounded], _ROOM)
        return Tree(self._bounded[order], boxes, nodes)

    def _wide_pairs(self, reach: float) -> Iterator[IntArray]:
        """Yield the pairs that an unbounded shape has with each that is bounded or comes after it."""
        for k, wide in enumerate(self._wide):
            others = np.concatenate([self._bounded, self._wide[k + 1 :]])
            near = others[_overlap(self._rows(others), self._rows(np.array([wide])), reach)]
            yield np.stack([np.minimum(near, wide), np.maximum(near, wide)], axis=1)

    def _tree_pairs(self, reach: float) -> list[IntArray]:
        """Return the pairs of bounded boxes, found by several threads in parts."""
        order, boxes, nodes = self._tree
        half = len(nodes) // 2
        many = len(order) > 4096
        top = min(64, half) if many else 1  # as many subtrees, each descended against itself and those after it
        places = [*map(address, (order, boxes, nodes))]

        def work(first: int, last: int) -> IntArray:
            stack = np.empty(8 * 64, dtype=np.int64)
            span = (top + first, top + last, 2 * top, half, reach, address(stack))
            return _filled(PAIRS, (*places, *span), 2 * len(order) * (last - first) // top + 16)

        return in_parts(work, top, top // 2 if many else top)


def _filled(search: Loop, places: tuple[float, ...], guess: int, each: tuple[int, ...] = (2,)) -> IntArray:
    """Return the pairs (or numbers) that a search stores, which takes the place for them and their number last."""
    # Filled and counted at once: a scene as sparse as most needs no second pass.
    found = np.empty((guess, *each), dtype=np.int64)
    total = search.run(*places, address(found), guess)
    if total > guess:
        if total > MOST:
            raise ValueError(f"there are {total:,} pairs of bounds that overlap; no more than {MOST:,} can be answered")
        found = np.empty((total, *each), dtype=np.int64)
        search.run(*places, address(found), total)
    return found[:total]


def _overlap(a: FloatArray, b: FloatArray, reach: float) -> BoolArray:
    """Tell which rows of boxes overlap, or are no more than `reach` apart along each axis."""
    return np.asarray(np.all((a[:, :3] <= b[:, 3:] + reach) & (b[:, :3] <= a[:, 3:] + reach), axis=1))
