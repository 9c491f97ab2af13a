"""The broad phase: which pairs can touch at all, from bounds alone.

One structure answers everything: a *bounding volume hierarchy* over the boxes in Morton order, a space-filling curve
along which what is near in space is near in memory. It needs no cell size, so it minds neither thin lines of shapes nor
clusters, and building it is one sort. Boxes of very different sizes are kept apart: each class of sizes has a stretch
of the order to itself, so that a few huge boxes do not swell the nodes of many small ones. The tree is the complete
binary one over leaves of a few neighbours each, numbered like a heap, so it needs no pointers; pairs come from
descending it against itself. (Lauterbach et al., *Fast BVH Construction on GPUs*, 2009, has trees over Morton codes.)

Works on arrays of lower and upper corners, (n, 3), infinite where a shape is unbounded, and answers with arrays of
indices. Bounds are widened by the rounding that the narrow phase grants to touching shapes, so no touch is lost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from collision.compile import FLOAT, FLOATS, INT, INTS, Loop, in_parts, kernel
from collision.fields import BoolArray, FloatArray, IntArray
from collision.operands import address
from collision.separation import TOUCH
from collision.vec3 import Vec3, along, largest, load, scale, sub

#: Boxes to a leaf: comparing two handfuls costs less than walking the tree to tell them apart.
LEAF = 4

#: Up to so many boxes are compared each with each, which needs no tree (and nothing compiled for it).
FEW = 128

#: The narrow phase lets shapes touch across `TOUCH` times the largest coordinate; bounds give way by twice that.
_ROOM = 2.0 * TOUCH

#: Bits of a place along one axis of the curve: 51 for three and the class of sizes, which seven passes of eight sort.
#: The last step is a little short, so that rounding stays within them.
_BITS = 16
_STEPS = 2.0**_BITS - 1.0 / 64.0
_PASSES = 7


class Tree(NamedTuple):
    """Boxes in the order of the curve, by leaves, and the nodes above them, as rows of six numbers: lower, upper.

    `order` has the number of each box. Nodes are numbered like a heap, from 1; the last leaves may be empty.
    """

    order: IntArray
    boxes: FloatArray
    nodes: FloatArray

    def places(self) -> tuple[int, int, int, int]:
        """Return where the boxes, the nodes and the order are, and how many nodes come before those of the leaves."""
        return self.boxes.ctypes.data, self.nodes.ctypes.data, self.order.ctypes.data, len(self.nodes) // 2


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
    >>> boxes.near(lower[1], lower[1] + 9.0)
    array([1])
    """

    def __init__(self, lower: FloatArray, upper: FloatArray) -> None:
        self.count = len(lower)
        self._lower, self._upper = lower, upper
        self._all_bounded = bool(np.isfinite(lower).all() and np.isfinite(upper).all())
        bounded = True if self._all_bounded else np.isfinite(lower).all(axis=1) & np.isfinite(upper).all(axis=1)
        self._wide = np.flatnonzero(np.logical_not(np.broadcast_to(bounded, self.count)))

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
        """
        reach = margin * (1.0 + _ROOM)
        if self.count <= FEW:
            return _among_few(_widened(self._lower, self._upper), reach)
        return np.concatenate([*self._wide_pairs(reach), *self._tree_pairs(reach)])

    def near(self, lower: FloatArray, upper: FloatArray) -> IntArray:
        """Return the boxes that overlap one box, given by its corners (3,), which must be finite, in order."""
        room = _ROOM * max(np.abs(lower).max(), np.abs(upper).max())
        box = np.concatenate([lower - room, upper + room])
        few = np.arange(self.count) if self.count <= FEW else self._wide
        if len(few):
            few = few[_overlap(self._rows(few), box[None], 0.0)]
        if self.count <= FEW:
            return few
        found = _filled(_NEAR, (address(box), *self._places), 128)[:, 0]
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
            rays = np.empty((len(origins), 7))
            rays[:, :3], rays[:, 3:6], rays[:, 6] = origins, directions, _ROOM * np.abs(origins).max(axis=1)

            def work(first: int, last: int) -> IntArray:
                return _filled(_ALONG, (first, last, address(rays), *self._places), 64 * (last - first))

            pairs += in_parts(work, len(rays), 256)
        return np.concatenate(pairs) if pairs else np.empty((0, 2), dtype=np.int64)

    def _rows(self, index: IntArray) -> FloatArray:
        """Return some boxes, widened, as rows of six numbers."""
        return _widened(self._lower[index], self._upper[index])

    @cached_property
    def _places(self) -> tuple[int, int, int, int]:
        return self._tree.places()

    @cached_property
    def _bounded(self) -> IntArray:
        """The boxes that have an end on every side."""
        return np.delete(np.arange(self.count), self._wide)

    @cached_property
    def _tree(self) -> Tree:
        """The bounded boxes."""
        lower, upper = (v if self._all_bounded else v[self._bounded] for v in (self._lower, self._upper))
        lower, upper = np.ascontiguousarray(lower), np.ascontiguousarray(upper)
        count = len(lower)
        leaves = max(-(-count // LEAF), 1)
        boxes, nodes = np.empty((leaves * LEAF, 6)), np.empty((2 << math.ceil(math.log2(leaves)), 6))
        order, (codes, others, moved) = np.empty(count, dtype=np.int64), np.empty((3, count), dtype=np.int64)
        counts = np.empty(_PASSES * 256, dtype=np.int64)
        if count:
            given = (lower, upper, _HILBERT, codes, others, moved, counts, order, boxes, nodes)
            _BUILD.run(count, leaves * LEAF, len(nodes) // 2, *(array.ctypes.data for array in given))
        else:
            boxes[:], nodes[:] = _EMPTY, _EMPTY
        return Tree(order if self._all_bounded else self._bounded[order], boxes, nodes)

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
        top = min(64, half)  # as many subtrees, each descended against itself and those after it
        places = [array.ctypes.data for array in (order, boxes, nodes)]

        def work(first: int, last: int) -> IntArray:
            stack = np.empty(8 * 64, dtype=np.int64)
            span = (top + first, top + last, 2 * top, half, reach, address(stack))
            return _filled(_PAIRS, (*places, *span), 2 * len(order) * (last - first) // top + 16)

        return in_parts(work, top, top // 2 if len(order) > 4096 else top)


def _filled(search: Loop, places: tuple[float, ...], guess: int) -> IntArray:
    """Return the pairs that a search stores, which takes the place for them and their number last."""
    # Filled and counted at once: a scene as sparse as most needs no second pass.
    found = np.empty((guess, 2), dtype=np.int64)
    total = search.run(*places, address(found), guess)
    if total > guess:
        found = np.empty((total, 2), dtype=np.int64)
        search.run(*places, address(found), total)
    return found[:total]


def _widened(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Return boxes with room for rounding, as rows of six numbers."""
    corners = np.concatenate([lower, upper], axis=1)
    room = _ROOM * np.where(np.isfinite(corners), np.abs(corners), 0.0).max(axis=1, keepdims=True, initial=0.0)
    return np.asarray(corners + room * np.repeat([-1.0, 1.0], 3))


def _overlap(a: FloatArray, b: FloatArray, reach: float) -> BoolArray:
    """Tell which rows of boxes overlap, or are no more than `reach` apart along each axis."""
    return np.asarray(np.all((a[:, :3] <= b[:, 3:] + reach) & (b[:, :3] <= a[:, 3:] + reach), axis=1))


def _among_few(rows: FloatArray, reach: float) -> IntArray:
    """Return the pairs among some boxes that overlap, by comparing each with each."""
    meets = np.ones((len(rows), len(rows)), dtype=bool)
    for k in range(3):
        below = rows[:, None, k] <= rows[None, :, 3 + k] + reach
        meets &= below & below.T
    return np.argwhere(np.triu(meets, 1))


_EMPTY = np.array([math.inf] * 3 + [-math.inf] * 3)


def _hilbert_table() -> IntArray:
    """Return for every state of the curve and two octants, one in the other, their place, plus 64 times the next state.

    A state is the corner at which the curve enters a cell, and the axis along which it leaves. The rules are those of
    C. H. Hamilton and A. Rau-Chaplin, "Compact Hilbert indices" (2008), for three dimensions.
    """
    table = np.empty((8, 3, 8), dtype=np.int64)  # for a single octant
    turned = [[((v << k) | (v >> (3 - k))) & 7 for k in range(3)] for v in range(8)]  # bits rotated to the left
    for entry, axis, octant in np.ndindex(table.shape):
        gray = turned[octant ^ entry][(2 - axis) % 3]
        place = gray ^ gray >> 1 ^ gray >> 2
        even = max((place - 1) // 2 * 2, 0)
        next_entry = entry ^ turned[even ^ even >> 1][(axis + 1) % 3]
        run = place if place & 1 else max(place - 1, 0)
        ones = next(k for k in range(4) if not run >> k & 1)
        next_axis = (axis + ones + 1) % 3
        table[entry, axis, octant] = place + 8 * (3 * next_entry + next_axis)
    table = table.reshape(24, 8)
    second = table[table >> 3]  # (state, octant, octant in it)
    return np.ascontiguousarray(8 * (table[:, :, None] & 7) + (second & 7) + 64 * (second >> 3))


_HILBERT = _hilbert_table()


@kernel
def _middle(lower, upper, i):  # type: ignore[no-untyped-def]
    """Return the center of a box; of halves, which cannot overflow."""
    return along(scale(load(lower, i), 0.5), 0.5, load(upper, i))


@kernel
def _size(lower, upper, i):  # type: ignore[no-untyped-def]
    """Return the longest side of a box."""
    return largest(sub(load(upper, i), load(lower, i)))


@kernel
def _size_class(size, usual):  # type: ignore[no-untyped-def]
    """Return the class of a size, 0 for the largest to 7; each spans a factor of eight, the fourth around the usual."""
    number, bound = 3, usual * math.sqrt(8.0)
    while size > bound and number > 0:
        number, bound = number - 1, 8.0 * bound
    bound = usual / math.sqrt(8.0)
    while size < bound and number < 7:
        number, bound = number + 1, bound / 8.0
    return number


@kernel
def _spread(v):  # type: ignore[no-untyped-def]
    """Put two zero bits between the bits of a number of up to 20."""
    v = (v | v << 32) & 0x1F00000000FFFF
    v = (v | v << 16) & 0x1F0000FF0000FF
    v = (v | v << 8) & 0x100F00F00F00F00F
    v = (v | v << 4) & 0x10C30C30C30C30C3
    return (v | v << 2) & 0x1249249249249249


@kernel
def _store_codes(count, lower, upper, table, codes):  # type: ignore[no-untyped-def]
    """Store the class of size and the place along the curve of each box's center, the class in the highest bits.

    All axes have one scale: the noise across a thin line of shapes must not get as many bits as the way along it.
    """
    start, end, total = _middle(lower, upper, 0), _middle(lower, upper, 0), 0.0
    for i in range(count):
        p = _middle(lower, upper, 3 * i)
        start = Vec3(min(start.x, p.x), min(start.y, p.y), min(start.z, p.z))
        end = Vec3(max(end.x, p.x), max(end.y, p.y), max(end.z, p.z))
        total += math.sqrt(_size(lower, upper, 3 * i))  # a mean of roots: a few giants do not count for all
    extent, usual = largest(sub(end, start)), (total / count) ** 2
    steps = _STEPS / extent if 0.0 < extent < math.inf else 0.0
    for i in range(count):
        code, state = _size_class(_size(lower, upper, 3 * i), usual), 0
        way = scale(sub(_middle(lower, upper, 3 * i), start), steps)
        octants = _spread(np.int64(way.x)) | _spread(np.int64(way.y)) << 1 | _spread(np.int64(way.z)) << 2
        for shift in range(3 * _BITS - 6, -1, -6):
            entry = table[64 * state + (octants >> shift & 63)]
            code, state = code << 6 | entry & 63, entry >> 6
        codes[i] = code


@kernel
def _sort(count, codes, others, order, moved, counts):  # type: ignore[no-untyped-def]
    """Sort codes and the order along with them: a radix sort, eight bits a pass, passes without effect left out."""
    for c in range(_PASSES * 256):
        counts[c] = 0
    for i in range(count):
        order[i] = i
        for k in range(_PASSES):
            counts[256 * k + (codes[i] >> 8 * k & 255)] += 1
    ends_in_moved = False
    for k in range(_PASSES):
        base, total = 256 * k, 0
        if counts[base + (codes[0] >> 8 * k & 255)] == count:
            continue
        for d in range(base, base + 256):
            here = counts[d]
            counts[d] = total
            total += here
        for i in range(count):
            d = base + (codes[i] >> 8 * k & 255)
            place = counts[d]
            counts[d] = place + 1
            others[place], moved[place] = codes[i], order[i]
        codes, others, order, moved = others, codes, moved, order
        ends_in_moved = not ends_in_moved
    if ends_in_moved:
        for i in range(count):
            moved[i] = order[i]


@kernel
def _fit(count, places, half, lower, upper, order, boxes, nodes):  # type: ignore[no-untyped-def]
    """Put the boxes, widened, in order into the leaves, and fit the nodes around them."""
    for node in range(2 * half):
        for k in range(3):
            nodes[6 * node + k], nodes[6 * node + 3 + k] = math.inf, -math.inf
    for place in range(places):
        box, leaf = 6 * place, 6 * (half + place // LEAF)
        if place >= count:  # the last leaf is filled up with boxes that overlap nothing
            for k in range(3):
                boxes[box + k], boxes[box + 3 + k] = math.inf, -math.inf
            continue
        i, size = 3 * order[place], 0.0
        for k in range(3):
            size = max(size, abs(lower[i + k]), abs(upper[i + k]))
        for k in range(3):
            least, most = lower[i + k] - _ROOM * size, upper[i + k] + _ROOM * size
            boxes[box + k], boxes[box + 3 + k] = least, most
            nodes[leaf + k], nodes[leaf + 3 + k] = min(nodes[leaf + k], least), max(nodes[leaf + 3 + k], most)
    for node in range(half - 1, 0, -1):
        left, right = 12 * node, 12 * node + 6
        for k in range(3):
            nodes[6 * node + k] = min(nodes[left + k], nodes[right + k])
            nodes[6 * node + 3 + k] = max(nodes[left + 3 + k], nodes[right + 3 + k])


def _build(  # type: ignore[no-untyped-def]
    count, places, half, lower, upper, table, codes, others, moved, counts, order, boxes, nodes
):
    """Sort the boxes along the curve and fit the tree."""
    _store_codes(count, lower, upper, table, codes)
    _sort(count, codes, others, order, moved, counts)
    _fit(count, places, half, lower, upper, order, boxes, nodes)


@kernel
def _meet(a, i, b, j, reach):  # type: ignore[no-untyped-def]
    """Tell whether the boxes from number i of a and from number j of b on overlap, or all but."""
    return (
        (a[i] - reach <= b[j + 3])
        & (b[j] - reach <= a[i + 3])
        & (a[i + 1] - reach <= b[j + 4])
        & (b[j + 1] - reach <= a[i + 4])
        & (a[i + 2] - reach <= b[j + 5])
        & (b[j + 2] - reach <= a[i + 5])
    )


@kernel
def _match(boxes, order, a, first, last, reach, found, room, total):  # type: ignore[no-untyped-def]
    """Store the pairs of box a with boxes first to last, and return how many there are by now."""
    for b in range(first, last):
        if _meet(boxes, 6 * a, boxes, 6 * b, reach):
            if total < room:
                i, j = order[a], order[b]
                found[2 * total], found[2 * total + 1] = min(i, j), max(i, j)
            total += 1
    return total


def _pairs(order, boxes, nodes, first, last, end, half, reach, stack, found, room):  # type: ignore[no-untyped-def]
    """Store the pairs that the boxes below some nodes have among them or with those below later nodes; count them all.

    The nodes, first to last, and the later ones, up to end, are of one level. Two nodes of one level that overlap are
    opened both: what is left to compare waits on a stack.
    """
    total = 0
    for node in range(first, last):
        for other in range(node, end):
            if not _meet(nodes, 6 * node, nodes, 6 * other, reach):
                continue
            stack[0], stack[1], depth = node, other, 1
            while depth > 0:
                depth -= 1
                a, b = stack[2 * depth], stack[2 * depth + 1]
                if a >= half:
                    start, further = (a - half) * LEAF, (b - half) * LEAF
                    for box in range(start, start + LEAF):
                        if a == b:
                            total = _match(boxes, order, box, box + 1, start + LEAF, reach, found, room, total)
                        elif _meet(boxes, 6 * box, nodes, 6 * b, reach):
                            total = _match(boxes, order, box, further, further + LEAF, reach, found, room, total)
                    continue
                for c in range(4):
                    p, q = 2 * a + (c >> 1), 2 * b + (c & 1)
                    if p <= q and _meet(nodes, 6 * p, nodes, 6 * q, reach):
                        stack[2 * depth], stack[2 * depth + 1] = p, q
                        depth += 1
    return total


@kernel
def _after(node):  # type: ignore[no-untyped-def]
    """Return the node that follows a subtree in a walk through the tree; 1 when the walk is over."""
    while node & 1 and node != 1:
        node >>= 1
    return node if node == 1 else node + 1


def _near(box, boxes, nodes, order, half, found, room):  # type: ignore[no-untyped-def]
    """Store the boxes that overlap one, as pairs of equals; return their number."""
    node, total = 1, 0
    while True:
        if _meet(box, 0, nodes, 6 * node, 0.0):
            if node < half:
                node *= 2
                continue
            for b in range((node - half) * LEAF, (node - half + 1) * LEAF):
                if _meet(box, 0, boxes, 6 * b, 0.0):
                    if total < room:
                        found[2 * total] = found[2 * total + 1] = order[b]
                    total += 1
        node = _after(node)
        if node == 1:
            return total


@kernel
def _ray_meets(rays, r, boxes, i):  # type: ignore[no-untyped-def]
    """Tell whether a ray may hit a box, by the slab method; quotients are rounded, and so get some room too."""
    if not boxes[i] <= boxes[i + 3]:
        return False  # the empty box that fills a leaf up
    enter, leave, room = 0.0, math.inf, rays[r + 6]
    for k in range(3):
        start, direction = rays[r + k], rays[r + 3 + k]
        least, most = boxes[i + k] - room - start, boxes[i + 3 + k] + room - start
        if direction == 0.0:
            if least > 0.0 or most < 0.0:
                return False
            continue
        a, b = least / direction, most / direction
        enter, leave = max(enter, min(a, b)), min(leave, max(a, b))
    return enter <= leave * (1.0 + 4.0 * _ROOM)


def _along(first, last, rays, boxes, nodes, order, half, found, room):  # type: ignore[no-untyped-def]
    """Store the pairs of a ray and a box that it may hit, for some rays; return their number."""
    total = 0
    for ray in range(first, last):
        node, walking = 1, True
        while walking:
            if _ray_meets(rays, 7 * ray, nodes, 6 * node):
                if node < half:
                    node *= 2
                    continue
                for b in range((node - half) * LEAF, (node - half + 1) * LEAF):
                    if _ray_meets(rays, 7 * ray, boxes, 6 * b):
                        if total < room:
                            found[2 * total], found[2 * total + 1] = ray, order[b]
                        total += 1
            node = _after(node)
            walking = node != 1
    return total


_ARRAYS = (FLOATS, FLOATS, INTS, INTS, INTS, INTS, INTS, INTS, FLOATS, FLOATS)
_BUILD = Loop("tree", _build, (INT, INT, INT, *_ARRAYS))
_PAIRS = Loop("tree_pairs", _pairs, (INTS, FLOATS, FLOATS, INT, INT, INT, INT, FLOAT, INTS, INTS, INT), INT)
_NEAR = Loop("tree_near", _near, (FLOATS, FLOATS, FLOATS, INTS, INT, INTS, INT), INT)
_ALONG = Loop("tree_along", _along, (INT, INT, FLOATS, FLOATS, FLOATS, INTS, INT, INTS, INT), INT)
