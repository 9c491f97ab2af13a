"""The searches of a tree of boxes: which of them overlap each other, one box, or each of many volumes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from collision.broadphase.rows import ROW, meet, store_widened
from collision.broadphase.tree import LEAF
from collision.broadphase.volumes import KERNELS, VolumeKernels, Volumes
from collision.fields import IntArray
from collision.native import FLOAT, FLOATS, INT, INTS, Floats, Ints, Loop, address, kernel
from collision.ram import check_memory


class Tried(NamedTuple):
    """What a search stored where there was room for some, and how many there are."""

    search: Loop
    places: tuple[float | None, ...]
    some: IntArray
    total: int

    @classmethod
    def of(cls, search: Loop, places: tuple[float | None, ...], guess: int, each: tuple[int, ...] = (2,)) -> Tried:
        """Search, with room for so many; `places` are all arguments but the last two, the room and its size."""
        # Filled and counted at once: a scene as sparse as most needs no second pass.
        found = np.empty((guess, *each), dtype=np.int64)
        total = search.run(*places, address(found), guess)
        return cls(search, places, found[:total], total)

    def all(self) -> IntArray:
        """Return all, searched for once more where there was room only for some."""
        if self.total <= len(self.some):
            return self.some
        found = np.empty((self.total, *self.some.shape[1:]), dtype=np.int64)
        self.search.run(*self.places, address(found), self.total)
        return found


#: Bytes that a pair of bounds takes until it is known whether its shapes touch.
_EACH = 64


def filled(search: Loop, places: tuple[float | None, ...], guess: int, each: tuple[int, ...] = (2,)) -> IntArray:
    """Return the pairs (or numbers) that a search stores, which takes the place for them and their number last."""
    tried = Tried.of(search, places, guess, each)
    check_count(tried.total)
    return tried.all()


def check_count(count: int) -> None:
    """Refuse more pairs than there is memory for."""
    check_memory(_EACH * count, f"there are {count:,} pairs of shapes whose bounds overlap")


@kernel
def after(node: int) -> int:
    """Return the node that follows a subtree in a walk through the tree; 1 when the walk is over."""
    while node & 1 and node != 1:
        node >>= 1
    return node if node == 1 else node + 1


@kernel
def _match(
    boxes: Floats, order: Ints, a: int, first: int, last: int, reach: float, found: Ints, room: int, total: int
) -> int:
    """Store the pairs of box a with boxes first to last, and return how many there are by now."""
    for b in range(first, last):
        if meet(boxes, ROW * a, boxes, ROW * b, reach):
            if total < room:
                i, j = order[a], order[b]
                found[2 * total], found[2 * total + 1] = min(i, j), max(i, j)
            total += 1
    return total


def _among(
    count: int, lower: Floats, upper: Floats, widening: float, rows: Floats, reach: float, found: Ints, room: int
) -> int:
    """Store the pairs of boxes that overlap, widened, by comparing each with each; return their number."""
    for i in range(count):
        store_widened(lower, upper, 3 * i, widening, rows, ROW * i)
    total = 0
    for a in range(count):
        for b in range(a + 1, count):
            if meet(rows, ROW * a, rows, ROW * b, reach):
                if total < room:
                    found[2 * total], found[2 * total + 1] = a, b
                total += 1
    return total


def _pairs(
    order: Ints,
    boxes: Floats,
    nodes: Floats,
    first: int,
    last: int,
    end: int,
    half: int,
    reach: float,
    stack: Ints,
    found: Ints,
    room: int,
) -> int:
    """Store the pairs that the boxes below some nodes have among them or with those below later nodes; count them all.

    The nodes, first to last, and the later ones, up to end, are of one level. Two nodes of one level that overlap are
    opened both: what is left to compare waits on a stack.
    """
    total = 0
    for node in range(first, last):
        for other in range(node, end):
            if not meet(nodes, ROW * node, nodes, ROW * other, reach):
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
                        elif meet(boxes, ROW * box, nodes, ROW * b, reach):
                            total = _match(boxes, order, box, further, further + LEAF, reach, found, room, total)
                    continue
                for c in range(4):
                    p, q = 2 * a + (c >> 1), 2 * b + (c & 1)
                    if p <= q and meet(nodes, ROW * p, nodes, ROW * q, reach):
                        stack[2 * depth], stack[2 * depth + 1] = p, q
                        depth += 1
    return total


def _near(
    lower: Floats,
    upper: Floats,
    widening: float,
    box: Floats,
    but: int,
    boxes: Floats,
    nodes: Floats,
    order: Ints,
    half: int,
    found: Ints,
    room: int,
) -> int:
    """Store the boxes but one that overlap one, widened as they are; return their number."""
    store_widened(lower, upper, 0, widening, box, 0)
    node, total = 1, 0
    while True:
        if meet(box, 0, nodes, ROW * node, 0.0):
            if node < half:
                node *= 2
                continue
            for b in range((node - half) * LEAF, (node - half + 1) * LEAF):
                if meet(box, 0, boxes, ROW * b, 0.0) and order[b] != but:
                    if total < room:
                        found[total] = order[b]
                    total += 1
        node = after(node)
        if node == 1:
            return total


def _met_by(kernels: VolumeKernels) -> Callable[..., int]:
    """Return the search for the boxes that volumes of a kind meet."""
    read, meets = kernels.read, kernels.meets

    def search(
        first: int,
        last: int,
        one: Floats,
        other: Floats,
        starts: Floats,
        widening: float,
        reach: float,
        boxes: Floats,
        nodes: Floats,
        order: Ints,
        half: int,
        found: Ints,
        room: int,
    ) -> int:
        total = 0
        for number in range(first, last):
            volume, node, walking = read(one, other, starts, number, widening, reach), 1, True
            while walking:
                if meets(volume, nodes, ROW * node):
                    if node < half:
                        node *= 2
                        continue
                    for b in range((node - half) * LEAF, (node - half + 1) * LEAF):
                        if meets(volume, boxes, ROW * b):
                            if total < room:
                                found[2 * total], found[2 * total + 1] = number, order[b]
                            total += 1
                node = after(node)
                walking = node != 1
        return total

    return search


_TREE = (FLOATS, FLOATS, INTS, INT)
_FOUND = (INTS, INT)
AMONG = Loop("among", _among, (INT, FLOATS, FLOATS, FLOAT, FLOATS, FLOAT, *_FOUND), INT)
PAIRS = Loop("tree_pairs", _pairs, (INTS, FLOATS, FLOATS, INT, INT, INT, INT, FLOAT, INTS, *_FOUND), INT)
NEAR = Loop("tree_near", _near, (FLOATS, FLOATS, FLOAT, FLOATS, INT, *_TREE, *_FOUND), INT)

_VOLUMES = (INT, INT, FLOATS, FLOATS, FLOATS, FLOAT, FLOAT)

#: The searches for boxes that volumes meet, by the kind of the volumes.
MET: dict[type[Volumes], Loop] = {
    kind: Loop(f"tree_{kernels.name}", _met_by(kernels), (*_VOLUMES, *_TREE, *_FOUND), INT)
    for kind, kernels in KERNELS.items()
}
