"""Where the numbers of shapes are in memory, one or a batch: addresses, and strides from element to element."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from struct import Struct
from typing import Any, NamedTuple

from collision.base.fields import FloatArray, check_broadcast
from collision.native import ADDRESSES, INTEGERS, address

#: What `packed` begins with, before the core type: no other bytes are taken for those of a shape.
SHAPE_MARK = int.from_bytes(b"shape!", "big")

#: How the fast call takes a single shape: the mark with its core type, and the address of the table of its operands.
PACKED = Struct("<qq")


def packed(core_type: int, table: int) -> bytes:
    """Return a single shape as the fast call takes it."""
    return PACKED.pack(SHAPE_MARK << 8 | core_type, table)


class Form(NamedTuple):
    """What follows from the axes of the fields of a shape.

    Attributes
    ----------
    lead : tuple of int
        The batch axes that the fields share.
    sizes : array of int
        How many numbers are checked of each operand: of constants, and where a field is one again, none.
    strides : array of int
        From one element to the next, of each operand.
    """

    lead: tuple[int, ...]
    sizes: Any
    strides: Any


class Layout:
    """Which operands of a core the fields of a kind are.

    Parameters
    ----------
    kind : str
        Its name.
    fields : mapping of str to tuple of int
        The axes of each field of one shape.
    operands : sequence of str or ndarray
        Names of fields, and constants.
    rules : sequence of int
        The rule that each field follows, as `collision.shapes.checks` calls it.

    Attributes
    ----------
    parts : list of tuple
        Where each field is among the numbers of one shape: its name, the first, the end, and its axes.
    given : sequence of str or ndarray
        The operands, as given.
    count : int
        How many operands there are.
    rules, only_finite : array of int
        What values are checked by: all rules, or that they are finite.
    form : callable
        Takes the axes of each field, and returns a `Form`; it keeps those of late.
    """

    def __init__(
        self,
        kind: str,
        fields: Mapping[str, tuple[int, ...]],
        operands: Sequence[str | FloatArray],
        rules: Sequence[int],
    ) -> None:
        self.given, self.count = operands, len(operands)  # constants must stay in memory
        ends = [*accumulate(map(math.prod, fields.values()))]
        self.parts = [*zip(fields, [0, *ends], ends, fields.values(), strict=False)]
        self.form: Callable[[tuple[tuple[int, ...], ...]], Form] = lru_cache(256)(self._form)
        self._kind, self._names = kind, [*fields]
        #: Where each operand is among the fields and, behind them, the constants.
        self._constants = [address(value) for value in operands if not isinstance(value, str)]
        behind = iter(range(len(fields), len(fields) + self.count))
        self._sources = [self._names.index(v) if isinstance(v, str) else next(behind) for v in operands]
        self._picked = itemgetter(*self._sources)
        self.rules, self.only_finite = self._of_fields(rules), INTEGERS[self.count]()

    def _of_fields(self, numbers: Sequence[int]) -> Any:
        """Return a number for each operand: that of its field, and zero for constants."""
        return INTEGERS[self.count](*self._picked([*numbers, *(0 for _ in self._constants)]))

    def _form(self, axes: tuple[tuple[int, ...], ...]) -> Form:
        leads = [own[: len(own) - len(part[3])] for own, part in zip(axes, self.parts, strict=True)]
        lead = check_broadcast(self._kind, **dict(zip(self._names, leads, strict=True)))
        # An axis of one element is repeated, as an axis that is missing is.
        steps = [
            last - first if own and own[0] > 1 else 0
            for own, (_, first, last, _) in zip(leads, self.parts, strict=True)
        ]
        sizes = self._of_fields([*map(math.prod, axes)])
        for k, source in enumerate(self._sources):
            if source in self._sources[:k]:
                sizes[k] = 0
        return Form(lead, sizes, self._of_fields(steps))

    def table(self, values: Iterable[FloatArray]) -> Any:
        """Return where the operands are in memory, given the values of each field."""
        return ADDRESSES[self.count](*self._picked([address(value) for value in values] + self._constants))
