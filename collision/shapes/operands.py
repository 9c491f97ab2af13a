"""How shapes, one or a batch, are handed to loops: as addresses of numbers, and strides from element to element."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain
from struct import Struct
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.native import INTEGERS, NONE, PART, Loop, address, in_parts, table

if TYPE_CHECKING:
    from collision.shapes.shape import Shape

#: The pairs that are worth a thread of their own where elements are picked: many come from afar in memory.
_FEW = 2048


class Operands(NamedTuple):
    """Where the operands of a core are: the table of their places, and the strides from element to element.

    Both are addresses, and what they are of is there as long as the shape is.
    """

    table: int
    strides: int


#: What the mark of a shape begins with, at the end its rank: no other bytes are taken for those of a shape.
SHAPE_MARK = int.from_bytes(b"shape!", "big") << 8


class Layout:
    """Which operands of a core the fields of a kind are, and how its shapes lie in memory.

    A shape is one piece of memory: its mark; the table of the places of its operands; their strides; how many elements
    each field has, one or those of the batch; and the values, field by field. All of these are eight bytes each.

    Parameters
    ----------
    kind : str
        Its name.
    rank : int
        The place of the core among those of `collision.kernels`.
    fields : mapping of str to tuple of int
        The axes of each field of one shape.
    operands : sequence of str or ndarray
        Names of fields, and constants.
    rules : sequence of int
        The number of the rule that the values of each field follow; see `collision.shapes.checks`.

    Attributes
    ----------
    names : tuple of str
        Of the fields.
    parts : list of tuple
        Where each field is among the numbers of one shape: its name, the first, the end, and its axes.
    given : sequence of str or ndarray
        The operands, as given.
    count : int
        How many operands there are.
    begin : int
        Where in the memory of a shape the values are.
    cores : tuple of tuple of int
        The axes of each field of one shape.
    checked, finite, known : bytes
        What `collision.shapes.checks` takes as the plan of a kind: for values that are to be looked over by all rules,
        only for being finite, or not at all.
    """

    def __init__(
        self,
        kind: str,
        rank: int,
        fields: Mapping[str, tuple[int, ...]],
        operands: Sequence[str | FloatArray],
        rules: Sequence[int],
    ) -> None:
        self.kind, mark = kind, SHAPE_MARK | rank
        self.names, self.count = tuple(fields), len(operands)
        sizes = tuple(map(math.prod, fields.values()))
        ends = [*accumulate(sizes)]
        self.parts = [*zip(fields, [0, *ends], ends, fields.values(), strict=False)]
        self.given = operands  # constants must stay in memory
        self.begin, self.cores = 1 + 2 * self.count + len(fields), tuple(fields.values())
        sources = [(self.names.index(v), 0) if isinstance(v, str) else (-1, address(v)) for v in operands]
        self._sources, self._sizes = sources, sizes

        def plan(numbers: Sequence[int]) -> bytes:
            given = [len(fields), self.count, *chain(*zip(sizes, numbers, strict=True)), *chain(*sources), mark]
            return Struct(f"{len(given)}q").pack(*given)

        self.checked = plan(rules)
        #: Whether each field is of coordinates or sizes, which directions and rotations are not.
        self.lengths = [rule in (0, 1, 4) for rule in rules]
        self.finite, self.known = (
            plan([no if one else other for one in self.lengths]) for no, other in ((0, 5), (-1, -5))
        )
        #: What is before the values, given how many elements each field has; operands are not there yet.
        self.header: Callable[..., bytes] = partial(Struct(f"q{16 * self.count}x{len(fields)}q").pack, mark)
        self._own, self._mark = ctypes.c_int64 * (1 + 2 * self.count), mark

    def operands(self, places: Sequence[int], leads: Sequence[tuple[int, ...]]) -> Any:
        """Return the operands of a shape whose fields are anywhere: its mark, the table, and behind it the strides.

        Parameters
        ----------
        places : sequence of int
            Where the values of each field are.
        leads : sequence of tuple of int
            The batch axes of each field: one or none.
        """
        table = [places[field] if field >= 0 else place for field, place in self._sources]
        # An axis of one element is repeated, as an axis that is missing is.
        own = [size if lead and lead[0] > 1 else 0 for size, lead in zip(self._sizes, leads, strict=True)]
        return self._own(self._mark, *table, *[own[field] if field >= 0 else 0 for field, _ in self._sources])

    def picked(self, batch: Operands, row: int) -> Any:
        """Return the operands of one element of a flat batch, as `operands` does."""
        count = self.count
        known = (ctypes.c_int64 * (2 * count)).from_address(batch.table)[:]
        return self._own(self._mark, *[known[k] + 8 * row * known[count + k] for k in range(count)])


def run_pairs(
    loop: Loop,
    a: Shape,
    b: Shape,
    outputs: Sequence[FloatArray],
    *,
    extra: tuple[FloatArray, ...] = (),
    index: tuple[IntArray, IntArray] | None = None,
    numbers: tuple[float, ...] = (),
) -> None:
    """Run a loop over the pairs of two shapes whose batch axes broadcast, or over pairs of their elements.

    Parameters
    ----------
    loop : Loop
        With the arguments `PAIRS`, and maybe numbers after them.
    a, b : Shape
        In the loop's order of cores.
    outputs : sequence of ndarray
        What the loop fills, each with the joint batch axes and whatever axes of its own.
    extra : tuple of ndarray
        One array of vectors (..., 3), contiguous, with the joint batch axes or none.
    index : pair of ndarray of int, shape (n,), optional
        Elements of a and of b to pair, where these are flat batches; writable and contiguous, as new arrays are.
    numbers : tuple of float
        What the loop takes after `PAIRS`.
    """
    lead, count = outputs[0].shape, outputs[0].size
    if not count:
        return
    if index is None and (len(a.batch_shape) > 1 or len(b.batch_shape) > 1 or len(lead) > 1):
        index = (spread(a.batch_shape, lead), spread(b.batch_shape, lead))
        a, b = a.flattened(), b.flattened()
        # Copies, always: a loop cannot know of a vector that stands for many by a stride of zero.
        extra = tuple(np.broadcast_to(v, (*lead, 3)).flatten().reshape(-1, 3) for v in extra)
    first, second = a.operands, b.operands
    given = NONE
    if extra:
        given = table(extra), INTEGERS[1](3 if extra[0].ndim > 1 and len(extra[0]) > 1 else 0)
    index_a, index_b = map(address, index) if index is not None else (None, None)
    out = (ctypes.c_void_p * len(outputs))(*map(address, outputs))
    operands = (first.table, first.strides, index_a, second.table, second.strides, index_b)
    run, indexed = loop.run, index is not None

    def work(start: int, end: int) -> None:
        run(start, end, indexed, *operands, *given, out, *numbers)

    if count < PART:  # the usual case, without a detour
        work(0, count)
    else:
        in_parts(work, count)


#: Pairs in a row that are of two batches: the loop for these, both in its order, and the end of the pairs.
Stretch: TypeAlias = "tuple[Loop, Shape, Shape, int]"


def run_stretches(
    stretches: Sequence[Stretch],
    picks: tuple[int, int],
    count: int,
    out: Any,
    numbers: tuple[float, ...] = (),
) -> None:
    """Run loops over pairs of elements of flat batches, those of two batches after those of two others.

    Parameters
    ----------
    stretches : sequence of Stretch
        In order, without gaps.
    picks : pair of int
        Where the elements of a and of b are listed, of all pairs.
    count : int
        Of all pairs.
    out : array of addresses
        The table of outputs, each for all pairs.
    numbers
        As in `run_pairs`.
    """
    first, second = picks

    def work(start: int, last: int) -> None:
        for loop, a, b, end in stretches:
            if start < end:
                x, y, until = a.operands, b.operands, min(end, last)
                given = (x.table, x.strides, first, y.table, y.strides, second, *NONE, out, *numbers)
                loop.run(start, until, True, *given)
                start = until

    in_parts(work, count, _FEW)


def spread(batch_shape: tuple[int, ...], lead: tuple[int, ...]) -> IntArray:
    """Return for every element of the joint batch axes which element of a batch it is, counted flat."""
    own = np.arange(math.prod(batch_shape), dtype=np.int64).reshape(batch_shape)
    return np.broadcast_to(own, lead).flatten()  # a copy, always: what is only spread cannot be written to
