"""Which nodes of a tree of boxes a search opens from a leaf, and which it passes over, read back from the search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from collision.base.fields import FloatArray
from collision.broadphase.search import PAIRS
from collision.broadphase.tree import LEAF, TreeMemory
from collision.explaining.records import MarkRole
from collision.explaining.trace import trace

#: Boxes by their corners, (n, 3) each.
_Corners = tuple[FloatArray, FloatArray]


class Walk(NamedTuple):
    """A walk from a leaf down to the later ones.

    Attributes
    ----------
    held : list of int
        The numbers of the boxes in the leaf.
    own : tuple, optional
        The box around the leaf; nothing where that is the whole tree.
    by_level : list of tuple
        From the top: a level, how many of its nodes were opened, and how many passed over.
    shown : list of tuple
        The boxes of nodes: a label, a role, and corners.
    leaves : frozenset of int
        Those that were opened.
    found : int
        How many pairs were found.
    """

    held: list[int]
    own: _Corners | None
    by_level: list[tuple[int, int, int]]
    shown: list[tuple[str, MarkRole, _Corners]]
    leaves: frozenset[int]
    found: int

    @property
    def opened_count(self) -> int:
        """How many nodes and leaves were opened."""
        return sum(opened for _, opened, _ in self.by_level)

    @property
    def passed_count(self) -> int:
        """How many were passed over, each with all that is in it."""
        return sum(passed for _, _, passed in self.by_level)


def leaf_of(tree: TreeMemory, number: int) -> int:
    """Return the leaf that a box is in."""
    return int(np.flatnonzero(tree.order == number)[0]) // LEAF


def walk_from(tree: TreeMemory, leaf: int, widening: float, margin: float) -> Walk:
    """Run the search from a leaf as Python, and return where it went."""
    found: Any = np.empty(0, dtype=np.int64)
    memory = (tree.blocks.ravel(), tree.order, tree.starts, tree.frame, tree.lower.ravel(), tree.upper.ravel())
    root = trace(PAIRS.function, leaf, leaf + 1, *memory, widening, margin * (1.0 + widening), found, 0)
    call = root.the("pairs_of_tree")
    levels, starts = int(tree.starts[0]), tree.starts
    looked = [part.arguments["block"] for part in call.calls if part.name == "_overlaps_one"]
    visited = [{int(block - starts[level + 1]) for block in looked if starts[level + 1] <= block < starts[level + 2]}
               for level in range(levels)]  # fmt: skip
    visited[0] = {int(part.arguments["b"]) for part in call.calls if part.name == "_pairs_of_leaves"} - {leaf}
    held = [int(number) for number in tree.order[LEAF * leaf : LEAF * (leaf + 1)] if number >= 0]
    own = boxes_of(tree, 0, [leaf]) if levels > 1 else None
    by_level, opened, passed = [], [], []
    for level in range(levels - 2, -1, -1):
        below = {LEAF * node + lane for node in visited[level + 1] for lane in range(LEAF)}
        there = {node for node in below if node < starts[level + 2] - starts[level + 1]}
        later = {node for node in there if (node + 1) * LEAF**level > leaf + 1}
        by_level.append((level, len(visited[level]), len(later - visited[level])))
        opened.append(boxes_of(tree, level, sorted(visited[level])))
        passed.append(boxes_of(tree, level, sorted(later - visited[level])))
    shown: list[tuple[str, MarkRole, _Corners]] = []
    for label, role, parts in (("opened", "chosen", opened), ("passed over", "other", passed)):
        corners = [np.concatenate([part[side] for part in parts]) for side in (0, 1)] if parts else []
        if corners and len(corners[0]):
            shown.append((label, role, (corners[0], corners[1])))  # type: ignore[arg-type]
    return Walk(held, own, by_level, shown, frozenset(visited[0]), int(root.result))


def boxes_of(tree: TreeMemory, level: int, nodes: Sequence[int]) -> _Corners:
    """Return the boxes around some blocks of a level, which the level above has."""
    if not nodes:
        return np.empty((0, 3)), np.empty((0, 3))
    start = tree.starts[level + 2]
    found = np.array([tree.blocks[start + node // LEAF, :, node % LEAF] for node in nodes], dtype=np.float64)
    found = found * tree.frame[4]
    return found[:, :3] + tree.frame[:3], found[:, 3:] + tree.frame[:3]
