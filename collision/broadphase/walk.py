"""The walk down a tree of boxes: one for all searches, which give it what differs as kernels.

What waits is on a stack, the nearest on top, and is dropped where something nearer was found meanwhile: branch and
bound (Hjaltason and Samet, *Distance Browsing in Spatial Databases*, 1999; here depth first).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from collision.broadphase.blocks import BLOCK, LEVELS, Tree, box_at
from collision.kernels.nearness import Corners
from collision.native import LANES, Floats, Ints, ints_from, kernel, lowest_bit, scratch

#: All boxes of a block.
EVERY = (1 << LANES) - 1

#: What can wait: of each level all blocks but the one that is looked into, and one more.
_STACK = (LANES - 1) * LEVELS + 1


@kernel
def _every(tree: Tree, query: Any, state: Any, level: int, node: int) -> int:
    return EVERY


@kernel
def _no_bound(query: Any, box: Corners) -> float:
    return 0.0


@kernel
def _always(state: Any, bound: float) -> bool:
    return True


@kernel
def _never(query: Any, state: Any) -> bool:
    return False


def walk_of(
    visit: Callable[[Tree, Any, Any, int], Any],
    *,
    lanes: Callable[[Tree, Any, Any, int, int], int] = _every,
    bound: Callable[[Any, Corners], float] = _no_bound,
    worth: Callable[[Any, float], bool] = _always,
    done: Callable[[Any, Any], bool] = _never,
) -> Callable[[Tree, Any, Any, int], Any]:
    """Return the kernel (tree, query, state, lowest) -> state that takes a search down a tree.

    The query is what is looked for, the state what was found so far. The walk looks into blocks of the level `lowest`
    and above: where that is 0, the leaves, it visits boxes, and where it is 1 it visits leaves.

    Parameters
    ----------
    visit : kernel
        (tree, query, state, number) -> state: takes the slot of a box, or the number of a leaf.
    lanes : kernel
        (tree, query, state, level, node) -> mask: which boxes of a block may count, a bit each.
    bound : kernel
        (query, box) -> float: how near what is in a box can be, in the coordinates of the world.
    worth : kernel
        (state, bound) -> bool: whether what has a bound is worth a look.
    done : kernel
        (query, state) -> bool: whether the search may end; asked before each block.
    """

    @kernel
    def walk(tree: Tree, query: Any, state: Any, lowest: int) -> Any:
        stack = _Stack(ints_from(scratch(_STACK), 0), scratch(_STACK))
        depth = _push(stack, 0, 0, tree.starts[0] - 1, -math.inf)
        while depth > 0 and not done(query, state):
            depth -= 1
            code, least = stack.codes[depth], stack.bounds[depth]
            if not worth(state, least):
                continue
            base, level, node = depth, code % LEVELS, code // LEVELS
            block, mask = BLOCK * (tree.starts[level + 1] + node), lanes(tree, query, state, level, node)
            while mask:
                lane = lowest_bit(mask)
                mask &= mask - 1
                least = bound(query, box_at(tree, block + lane))
                if not worth(state, least):
                    continue
                if level > lowest:
                    depth = _push(stack, base, depth, LEVELS * (LANES * node + lane) + level - 1, least)
                else:
                    state = visit(tree, query, state, LANES * node + lane)
        return state

    return walk


class _Stack(NamedTuple):
    """What waits: blocks, and their bounds. The code of a block is its number times `LEVELS`, and its level."""

    codes: Ints
    bounds: Floats


@kernel
def _push(stack: _Stack, base: int, depth: int, code: int, bound: float) -> int:
    """Put a block on the stack, above those from a base on with greater bounds; return the new depth."""
    codes, bounds, index = stack.codes, stack.bounds, depth
    while index > base and bounds[index - 1] < bound:
        codes[index], bounds[index] = codes[index - 1], bounds[index - 1]
        index -= 1
    codes[index], bounds[index] = code, bound
    return depth + 1
