"""The broad phase: which pairs can touch at all, from bounds alone.

One structure answers everything: a *bounding volume hierarchy* over the boxes in Morton order, a space-filling curve
along which what is near in space is near in memory. It needs no cell size, so it minds neither thin lines of shapes,
nor clusters, nor shapes of very different sizes, and building it is one sort. The tree is the complete binary one over
leaves of a few neighbours each, numbered like a heap, so it needs no pointers. (Lauterbach et al., *Fast BVH
Construction on GPUs*, 2009, has trees over Morton codes.)

Works on arrays of lower and upper corners, (n, 3), infinite where a shape is unbounded, and answers with arrays of
indices. Bounds are widened by the rounding that the narrow phase grants to touching shapes, so no touch is lost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from os import cpu_count
from typing import Any

import numba
import numpy as np

from collision.fields import BoolArray, FloatArray, IntArray
from collision.separation import TOUCH

#: Boxes to a leaf: comparing two handfuls costs less than walking the tree to tell them apart.
LEAF = 4

#: Up to so many boxes are compared each with each, which needs no tree (and nothing compiled for it).
FEW = 128

#: The narrow phase lets shapes touch across `TOUCH` times the largest coordinate; bounds give way by twice that.
_ROOM = 2.0 * TOUCH

_options: Any = {"cache": True, "nogil": True, "error_model": "numpy"}
_compiled: Any = numba.njit(**_options)


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
    >>> boxes.along(np.array([-1.0, 0.5, 0.5]), np.array([1.0, 0, 0]))
    array([0, 1, 2])
    """

    def __init__(self, lower: FloatArray, upper: FloatArray) -> None:
        self.count = len(lower)
        self._lower, self._upper = lower, upper
        bounded = np.isfinite(lower).all(axis=1) & np.isfinite(upper).all(axis=1)
        self._bounded, self._wide = np.flatnonzero(bounded), np.flatnonzero(~bounded)

    def pairs(self, *, margin: float = 0.0) -> IntArray:
        """Return the pairs of boxes that overlap, or are no more than a margin apart along each axis.

        Parameters
        ----------
        margin : float
            Zero or more.

        Returns
        -------
        ndarray of int, shape (k, 2)
            i < j, in lexicographic order.
        """
        if margin > 0.0:
            return Hierarchy(self._lower - 0.5 * margin, self._upper + 0.5 * margin).pairs()
        if self.count <= FEW:
            everyone: IntArray = np.stack(np.triu_indices(self.count, 1), axis=1)
            return everyone[_overlap(self._rows(everyone[:, 0]), self._rows(everyone[:, 1]))]
        keys = np.concatenate([*self._wide_keys(), *self._tree_keys()])
        keys.sort()
        return np.stack(np.divmod(keys, self.count), axis=1)

    def near(self, lower: FloatArray, upper: FloatArray) -> IntArray:
        """Return the boxes that overlap one box, given by its corners (3,), in order."""
        # Infinite sides would meet the empty nodes that fill the tree up.
        box = np.nan_to_num(_widened(lower[None], upper[None]))
        few = np.arange(self.count) if self.count <= FEW else self._wide
        few = few[_overlap(self._rows(few), box)]
        return few if self.count <= FEW else self._with_tree(few, _find_near, box)

    def along(self, origin: FloatArray, direction: FloatArray) -> IntArray:
        """Return the boxes that a ray may hit, given by its origin and direction (3,), in order."""
        room = _ROOM * np.abs(origin).max()
        few = np.arange(self.count) if self.count <= FEW else self._wide
        few = few[[_ray_meets(origin, direction, room, box) for box in self._rows(few)]] if len(few) else few
        ray = np.concatenate([origin, direction, [room]])
        return few if self.count <= FEW else self._with_tree(few, _find_along, ray)

    def _rows(self, index: IntArray) -> FloatArray:
        """Return some boxes, widened, as rows of six numbers."""
        return _widened(self._lower[index], self._upper[index])

    @cached_property
    def _tree(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """The bounded boxes in Morton order: their indices, their corners by leaf, and the corners of all nodes."""
        everything = len(self._bounded) == self.count
        lower, upper = (v if everything else v[self._bounded] for v in (self._lower, self._upper))
        order = _sorted_by_code(_morton_codes(lower, upper))
        leaves = max(-(-len(order) // LEAF), 1)
        boxes, nodes = np.empty((leaves * LEAF, 6)), np.empty((2 << math.ceil(math.log2(leaves)), 6))
        _fit(lower, upper, order, _ROOM, boxes, nodes)
        return order if everything else self._bounded[order], boxes, nodes

    def _with_tree(self, few: IntArray, search: Any, query: FloatArray) -> IntArray:
        """Return some boxes and those of the tree that a search finds."""
        order, boxes, nodes = self._tree
        found = np.empty(256, dtype=np.int64)
        total = search(query, boxes, nodes, found)
        if total > len(found):  # counted, and not stored: now there is room
            found = np.empty(total, dtype=np.int64)
            search(query, boxes, nodes, found)
        return np.sort(np.concatenate([few, order[found[:total]]]))

    def _wide_keys(self) -> Iterator[IntArray]:
        """Yield the pairs that an unbounded shape has with each that is bounded or comes after it, as keys."""
        for k, wide in enumerate(self._wide):
            others = np.concatenate([self._bounded, self._wide[k + 1 :]])
            near = others[_overlap(self._rows(others), self._rows(np.array([wide])))]
            yield np.minimum(near, wide) * self.count + np.maximum(near, wide)

    def _tree_keys(self) -> Iterator[IntArray]:
        """Yield the pairs of bounded boxes, found by several threads in parts, as keys i n + j with i < j."""
        order, boxes, nodes = self._tree
        leaves = len(boxes) // LEAF
        threads = min(cpu_count() or 1, max(leaves // 1024, 1))
        cuts = [leaves * part // (4 * threads) for part in range(4 * threads + 1)]

        def work(part: int) -> IntArray:
            first, last = cuts[part], cuts[part + 1]
            # Filled and counted at once: a scene as sparse as most needs no second pass.
            keys = np.empty(LEAF * (last - first) + 16, dtype=np.int64)
            total = _find_pairs(boxes, nodes, order, self.count, first, last, keys)
            if total > len(keys):
                keys = np.empty(total, dtype=np.int64)
                _find_pairs(boxes, nodes, order, self.count, first, last, keys)
            return keys[:total]

        with ThreadPoolExecutor(threads) as pool:
            yield from pool.map(work, range(4 * threads))


def _widened(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return boxes with room for rounding, as rows of six numbers."""
    corners = np.concatenate([lower, upper], axis=1)
    room = _ROOM * np.where(np.isfinite(corners), np.abs(corners), 0.0).max(axis=1, keepdims=True, initial=0.0)
    return np.asarray(corners + room * np.repeat([-1.0, 1.0], 3))


def _overlap(a: FloatArray, b: FloatArray) -> BoolArray:
    """Tell which rows of boxes overlap."""
    return np.asarray(np.all((a[:, :3] <= b[:, 3:]) & (b[:, :3] <= a[:, 3:]), axis=1))


@_compiled
def _spread(v):  # type: ignore[no-untyped-def]
    """Put two zero bits between the lower 21 bits of a number."""
    v = (v | (v << np.uint64(32))) & np.uint64(0x1F00000000FFFF)
    v = (v | (v << np.uint64(16))) & np.uint64(0x1F0000FF0000FF)
    v = (v | (v << np.uint64(8))) & np.uint64(0x100F00F00F00F00F)
    v = (v | (v << np.uint64(4))) & np.uint64(0x10C30C30C30C30C3)
    return (v | (v << np.uint64(2))) & np.uint64(0x1249249249249249)


@_compiled
def _morton_codes(lower, upper):  # type: ignore[no-untyped-def]
    """Return the place of each box's center along the curve: 21 bits an axis, one scale for all three.

    One scale, because the noise across a thin line of shapes must not get as many bits as the way along it.
    """
    start, extent = np.zeros(3), 0.0
    for k in range(3):
        least, most = math.inf, -math.inf
        for i in range(len(lower)):
            middle = 0.5 * lower[i, k] + 0.5 * upper[i, k]
            least, most = min(least, middle), max(most, middle)
        start[k] = least
        extent = max(extent, most - least)
    scale = 2097151.0 / extent if extent > 0.0 else 0.0
    codes = np.empty(len(lower), dtype=np.uint64)
    for i in range(len(lower)):
        code = np.uint64(0)
        for k in range(3):
            step = (0.5 * lower[i, k] + 0.5 * upper[i, k] - start[k]) * scale
            code |= _spread(np.uint64(min(max(step, 0.0), 2097151.0))) << np.uint64(k)
        codes[i] = code
    return codes


@_compiled
def _sorted_by_code(codes):  # type: ignore[no-untyped-def]
    """Return the order that sorts 63-bit codes: a radix sort, eleven bits a pass, passes without effect left out."""
    n = len(codes)
    order = np.arange(n)
    source, target, moved = codes.copy(), np.empty_like(codes), np.empty_like(order)
    digit = np.uint64(2047)
    counts = np.zeros((6, 2048), dtype=np.int64)
    for i in range(n):
        for k in range(6):
            counts[k, (codes[i] >> np.uint64(11 * k)) & digit] += 1
    for k in range(6):
        count = counts[k]
        if count.max() == n:
            continue
        total = 0
        for d in range(2048):
            total, count[d] = total + count[d], total
        for i in range(n):
            d = (source[i] >> np.uint64(11 * k)) & digit
            place = count[d]
            count[d] = place + 1
            target[place], moved[place] = source[i], order[i]
        source, target = target, source
        order, moved = moved, order
    return order


@_compiled
def _fit(lower, upper, order, room, boxes, nodes):  # type: ignore[no-untyped-def]
    """Put the boxes, widened, in order into the leaves, and fit the nodes, numbered like a heap from 1, around them."""
    first = len(nodes) // 2
    for k in range(3):
        nodes[:, k], nodes[:, 3 + k] = math.inf, -math.inf
    for place in range(len(boxes)):
        leaf = first + place // LEAF
        if place >= len(order):  # the last leaf is filled up with boxes that overlap nothing
            boxes[place, :3], boxes[place, 3:] = math.inf, -math.inf
            continue
        i, size = order[place], 0.0
        for k in range(3):
            size = max(size, abs(lower[i, k]), abs(upper[i, k]))
        for k in range(3):
            boxes[place, k], boxes[place, 3 + k] = lower[i, k] - room * size, upper[i, k] + room * size
            nodes[leaf, k] = min(nodes[leaf, k], boxes[place, k])
            nodes[leaf, 3 + k] = max(nodes[leaf, 3 + k], boxes[place, 3 + k])
    for node in range(first - 1, 0, -1):
        for k in range(3):
            nodes[node, k] = min(nodes[2 * node, k], nodes[2 * node + 1, k])
            nodes[node, 3 + k] = max(nodes[2 * node, 3 + k], nodes[2 * node + 1, 3 + k])


@_compiled
def _meet(a, i, b, j):  # type: ignore[no-untyped-def]
    """Tell whether row i of a and row j of b are boxes that overlap."""
    return (
        a[i, 0] <= b[j, 3]
        and b[j, 0] <= a[i, 3]
        and a[i, 1] <= b[j, 4]
        and b[j, 1] <= a[i, 4]
        and a[i, 2] <= b[j, 5]
        and b[j, 2] <= a[i, 5]
    )


@_compiled
def _ray_meets(origin, direction, room, box):  # type: ignore[no-untyped-def]
    """Tell whether a ray may hit a box, by the slab method; quotients are rounded, and so get some room too."""
    if not box[0] <= box[3]:
        return False  # the empty box that fills a leaf up
    enter, leave = 0.0, math.inf
    for k in range(3):
        least, most = box[k] - room - origin[k], box[3 + k] + room - origin[k]
        if direction[k] == 0.0:
            if least > 0.0 or most < 0.0:
                return False
            continue
        a, b = least / direction[k], most / direction[k]
        enter, leave = max(enter, min(a, b)), min(leave, max(a, b))
    return enter <= leave * (1.0 + 4.0 * _ROOM)


@_compiled
def _after(node, root):  # type: ignore[no-untyped-def]
    """Return the node that follows a subtree in a walk below root; root itself when the walk is over."""
    while node != root and node & 1:
        node >>= 1
    return node if node == root else node + 1


@_compiled
def _find_pairs(boxes, nodes, order, count, first, last, keys):  # type: ignore[no-untyped-def]
    """Store the pairs that the boxes of some leaves have among them or with a later leaf's; return their number.

    Those that are too many for the array are counted and not stored. The later leaves are those below the right
    siblings of the leaf's ancestors.
    """
    leaf_nodes = len(nodes) // 2
    total = 0
    for leaf in range(first, last):
        me, start = leaf_nodes + leaf, leaf * LEAF
        for a in range(start, start + LEAF):
            total = _match(boxes, order, count, a, a + 1, start + LEAF, keys, total)
        ancestor = me
        while ancestor > 1:
            root = node = ancestor + 1
            while ancestor & 1 == 0:
                if _meet(nodes, me, nodes, node):
                    if node < leaf_nodes:
                        node *= 2
                        continue
                    other = (node - leaf_nodes) * LEAF
                    for a in range(start, start + LEAF):
                        if _meet(boxes, a, nodes, node):
                            total = _match(boxes, order, count, a, other, other + LEAF, keys, total)
                node = _after(node, root)
                if node == root:
                    break
            ancestor >>= 1
    return total


@_compiled
def _match(boxes, order, count, a, first, last, keys, total):  # type: ignore[no-untyped-def]
    """Store the pairs of box a with boxes first to last, and return how many there are by now."""
    for b in range(first, last):
        if _meet(boxes, a, boxes, b):
            if total < len(keys):
                keys[total] = min(order[a], order[b]) * count + max(order[a], order[b])
            total += 1
    return total


@_compiled
def _find_near(box, boxes, nodes, found):  # type: ignore[no-untyped-def]
    """Store the boxes that overlap one; return their number."""
    leaf_nodes, node, total = len(nodes) // 2, 1, 0
    while True:
        if _meet(box, 0, nodes, node):
            if node < leaf_nodes:
                node *= 2
                continue
            for b in range((node - leaf_nodes) * LEAF, (node - leaf_nodes + 1) * LEAF):
                if _meet(box, 0, boxes, b):
                    if total < len(found):
                        found[total] = b
                    total += 1
        node = _after(node, 1)
        if node == 1:
            return total


@_compiled
def _find_along(ray, boxes, nodes, found):  # type: ignore[no-untyped-def]
    """Store the boxes that a ray may hit; return their number."""
    leaf_nodes, node, total = len(nodes) // 2, 1, 0
    origin, direction, room = ray[:3], ray[3:6], ray[6]
    while True:
        if _ray_meets(origin, direction, room, nodes[node]):
            if node < leaf_nodes:
                node *= 2
                continue
            for b in range((node - leaf_nodes) * LEAF, (node - leaf_nodes + 1) * LEAF):
                if _ray_meets(origin, direction, room, boxes[b]):
                    if total < len(found):
                        found[total] = b
                    total += 1
        node = _after(node, 1)
        if node == 1:
            return total
