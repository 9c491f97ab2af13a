"""A world as compiled walks see it: the tree, the elements that are not in it, and where the shapes of all are.

Most elements are in the leaves of the broad phase's tree. A few are listed beside it, each looked at by every query:
those that have no end, those that were replaced since the tree was built, and all of a scene of few elements.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import NamedTuple

from collision.broadphase.tree import Tree
from collision.fields import BoolArray, FloatArray, IntArray
from collision.native import (
    BYTES,
    INT_TABLE,
    INTS,
    TABLE,
    TABLES,
    Bytes,
    Floats,
    Ints,
    IntTable,
    Table,
    Tables,
    address,
    kernel,
)
from collision.scene.pairing import Batches

#: What every walk takes, in this order; `SceneMemory.arguments` has it, and `read_scene` reads it.
SCENE = (TABLE, INT_TABLE, BYTES, TABLES, INT_TABLE, INTS)


class TreeElements(NamedTuple):
    """The tree of a broad phase, and for each of its places the batch of the element there and its row in it."""

    tree: Tree
    owners: IntArray


class Listed(NamedTuple):
    """Elements beside the tree: their boxes as rows of six numbers, their numbers, and of each its batch and row."""

    boxes: FloatArray
    numbers: IntArray
    owners: IntArray


class SceneMemory:
    """Where all that walks through a world read is in memory.

    Parameters
    ----------
    in_tree : TreeElements or None
        None for a scene of few elements, which are all listed.
    listed : Listed
        Those beside the tree, without any that are hidden.
    gone : ndarray of bool, shape (n,), or None
        Which elements in the tree are not to be found; None where all are.
    batches : Batches
        Where the shapes are.
    """

    def __init__(self, in_tree: TreeElements | None, listed: Listed, gone: BoolArray | None, batches: Batches) -> None:
        self._kept = in_tree, listed, gone, batches  # all must stay in memory
        order, boxes, nodes = in_tree.tree if in_tree is not None else (None, None, None)
        owners = in_tree.owners if in_tree is not None else None
        half = len(nodes) // 2 if nodes is not None else 0
        self._sizes = (ctypes.c_int64 * 3)(half, len(listed.numbers), gone is not None)
        self._floats = (ctypes.c_void_p * 3)(*(_place(array) for array in (boxes, nodes, listed.boxes)))
        ints = [_place(array) for array in (order, owners, listed.numbers, listed.owners)]
        self._ints = (ctypes.c_void_p * 5)(*ints, ctypes.addressof(self._sizes))
        self._gone = _place(gone)
        operands = [shape.operands for shape in batches.shapes]
        self._ranks = [shape.rank for shape in batches.shapes]
        self._tables = (ctypes.c_void_p * len(operands))(*(ctypes.addressof(own.table) for own in operands))
        self._strides = (ctypes.c_void_p * len(operands))(*(ctypes.addressof(own.strides) for own in operands))

    def arguments(self, case_of: Callable[[int], int]) -> tuple[object, ...]:
        """Return what a walk takes, given the case for the rank of each batch."""
        cases = (ctypes.c_int64 * len(self._ranks))(*map(case_of, self._ranks))
        return self._floats, self._ints, self._gone, self._tables, self._strides, cases


def _place(array: FloatArray | IntArray | BoolArray | None) -> int:
    return 0 if array is None else address(array)


class SceneView(NamedTuple):
    """A world as kernels see it.

    `boxes`, `nodes`, `order` and `half` are the tree; `owners` has the batch and the row of the element at each place.
    The `few` elements beside it have boxes, numbers and owners too. `tables`, `strides` and `cases` are by batch.
    """

    boxes: Floats
    nodes: Floats
    order: Ints
    owners: Ints
    half: int
    few: int
    few_boxes: Floats
    few_numbers: Ints
    few_owners: Ints
    any_gone: int
    gone: Bytes
    tables: Tables
    strides: IntTable
    cases: Ints


#: Where in the tables that a walk takes each part is.
_BOXES, _NODES, _FEW_BOXES = 0, 1, 2
_ORDER, _OWNERS, _FEW_NUMBERS, _FEW_OWNERS, _SIZES = 0, 1, 2, 3, 4
_HALF, _FEW, _ANY_GONE = 0, 1, 2


@kernel
def read_scene(floats: Table, ints: IntTable, gone: Bytes, tables: Tables, strides: IntTable, cases: Ints) -> SceneView:
    """Read a world from what a walk takes."""
    sizes = ints[_SIZES]
    return SceneView(
        floats[_BOXES],
        floats[_NODES],
        ints[_ORDER],
        ints[_OWNERS],
        sizes[_HALF],
        sizes[_FEW],
        floats[_FEW_BOXES],
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
    """Tell whether an element in the tree is not to be found."""
    return scene.any_gone != 0 and scene.gone[number] != 0
