"""A world as compiled walks see it: the tree, the elements that are not in it, and where the shapes of all are.

Most elements are in the leaves of the broad phase's tree. A few are listed beside it, each looked at by every query:
those that have no end, those that were replaced since the tree was built, and all of a scene of few elements.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import NamedTuple

from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.broadphase.blocks import Tree
from collision.broadphase.tree import TREE, TreeMemory
from collision.native import (
    BYTES,
    FLOATS,
    INT_TABLE,
    INTS,
    TABLES,
    Bytes,
    Floats,
    Ints,
    IntTable,
    Tables,
    address,
    kernel,
)
from collision.scene.pairing import Batches

#: What every walk takes, in this order; `SceneMemory.arguments` has it, and `read_scene` reads it.
SCENE = (*TREE, FLOATS, INT_TABLE, BYTES, TABLES, INT_TABLE, INTS)


class Listed(NamedTuple):
    """Elements beside the tree: their boxes as rows of six numbers, their numbers, and of each its batch and row."""

    boxes: FloatArray
    numbers: IntArray
    owners: IntArray


class SceneMemory:
    """Where all that walks through a world read is in memory.

    Parameters
    ----------
    tree : TreeMemory or None
        None for a scene of few elements, which are all listed.
    listed : Listed
        Those beside the tree, without any that are hidden.
    gone : ndarray of bool, shape (n,), or None
        Which elements in the tree are not to be found; None where all are.
    batches : Batches
        Where the shapes are.
    """

    def __init__(self, tree: TreeMemory | None, listed: Listed, gone: BoolArray | None, batches: Batches) -> None:
        self._kept = tree, listed, gone, batches  # all must stay in memory
        self.tree = tree.places() if tree is not None else (0,) * len(TREE)
        self._sizes = (ctypes.c_int64 * 3)(tree is not None, len(listed.numbers), gone is not None)
        self._boxes = _place(listed.boxes)
        ints = [_place(array) for array in (batches.places, listed.numbers, listed.owners)]
        self._ints = (ctypes.c_void_p * 4)(*ints, ctypes.addressof(self._sizes))
        self._gone = _place(gone)
        operands = [shape.operands for shape in batches.shapes]
        #: The ranks of the batches.
        self.ranks = tuple([shape.core_type for shape in batches.shapes])
        self._tables = (ctypes.c_void_p * len(operands))(*(own.table for own in operands))
        self._strides = (ctypes.c_void_p * len(operands))(*(own.strides for own in operands))

        #: Where the tree is, and the batch and row of each element with the operands of the batches.
        self.batches = self._ints[0], self._tables, self._strides
        self._arguments: dict[str, tuple[object, ...]] = {}

    def arguments(self, walk: str, case_of: Callable[[int], int]) -> tuple[object, ...]:
        """Return what a walk of some name takes, given the case for the rank of each batch; it is kept."""
        known = self._arguments.get(walk)
        if known is None:
            cases = (ctypes.c_int64 * len(self.ranks))(*map(case_of, self.ranks))
            known = *self.tree, self._boxes, self._ints, self._gone, self._tables, self._strides, cases
            self._arguments[walk] = known
        return known


def _place(array: FloatArray | IntArray | BoolArray | None) -> int:
    return 0 if array is None else address(array)


class SceneView(NamedTuple):
    """A world as kernels see it.

    `owners` has the batch and the row of each element in the tree, if there is one. The `few` elements beside it have
    boxes, numbers and owners of their own. `tables`, `strides` and `cases` are by batch.
    """

    tree: Tree
    any_tree: int
    owners: Ints
    few: int
    few_boxes: Floats
    few_numbers: Ints
    few_owners: Ints
    any_gone: int
    gone: Bytes
    tables: Tables
    strides: IntTable
    cases: Ints


#: Where in the table that a walk takes each part is.
_OWNERS, _FEW_NUMBERS, _FEW_OWNERS, _SIZES = 0, 1, 2, 3
_ANY_TREE, _FEW, _ANY_GONE = 0, 1, 2


@kernel
def read_scene(
    tree: Tree, few_boxes: Floats, ints: IntTable, gone: Bytes, tables: Tables, strides: IntTable, cases: Ints
) -> SceneView:
    """Read a world from what a walk takes."""
    sizes = ints[_SIZES]
    return SceneView(
        tree,
        sizes[_ANY_TREE],
        ints[_OWNERS],
        sizes[_FEW],
        few_boxes,
        ints[_FEW_NUMBERS],
        ints[_FEW_OWNERS],
        sizes[_ANY_GONE],
        gone,
        tables,
        strides,
        cases,
    )


@kernel
def is_gone(scene: SceneView, number: int) -> bool:
    """Tell whether an element in the tree is not to be found, or is none: a place that is empty."""
    return number < 0 or (scene.any_gone != 0 and scene.gone[number] != 0)
