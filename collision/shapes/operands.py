"""Where the numbers of shapes are in memory, one or a batch, and what they are checked for in one call.

What is wrong is for `collision.base.fields` to find out. Directions become unit vectors, near rotations exact ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, count, pairwise
from operator import itemgetter
from struct import Struct
from typing import Any, NamedTuple

from collision.base.fields import (
    DIRECTION,
    EXTENTS,
    LARGEST,
    NOT_NEGATIVE,
    SMALLEST,
    Field,
    FloatArray,
    Rule,
    check_broadcast,
)
from collision.kernels.frames import ALLOWED, unit
from collision.kernels.vec3 import largest, load, store
from collision.native import ADDRESSES, INT, INTEGERS, INTS, TABLE, Floats, Ints, Loop, Table, address, kernel
from collision.shapes.rotations import ROTATION, orthonormalise_at

#: What `Shape.packed` begins with, before the core type: no other bytes are taken for those of a shape.
SHAPE_MARK = int.from_bytes(b"shape!", "big")

#: How the fast call takes a single shape: the mark with its core type, and the address of the table of its operands.
PACKED = Struct("<qq")


_FINITE, _NOT_NEGATIVE, _DIRECTION, _ROTATION = range(4)

#: What the loop calls the rules of fields.
_NUMBERS: dict[Rule | None, int] = {
    None: _FINITE,
    NOT_NEGATIVE: _NOT_NEGATIVE,
    EXTENTS: _NOT_NEGATIVE,
    DIRECTION: _DIRECTION,
    ROTATION: _ROTATION,
}


def is_length(field: Field) -> bool:
    """Tell whether the numbers of a field are coordinates or sizes, which directions and rotations are not."""
    return _NUMBERS[field.rule] in (_FINITE, _NOT_NEGATIVE)


class Form(NamedTuple):
    """What follows from the shapes of the arrays of the fields: batch axes, how many numbers to check, and strides."""

    lead: tuple[int, ...]
    sizes: Any
    strides: Any


class Layout:
    """Which operands of a core the fields of a kind are.

    Attributes
    ----------
    given : sequence of str or ndarray
        The operands: names of fields, and constants; `count` of them.
    parts : list of tuple
        Where each field is among the numbers of one shape: its name, the first, the end, and its axes. A field of
        no fixed length takes none of them.
    fixed : bool
        Whether all shapes have as many numbers.
    rules, only_finite : array of int
        What values are checked by: all rules, or that they are finite.
    """

    def __init__(self, kind: str, fields: Sequence[Field], given: Sequence[str | FloatArray]) -> None:
        self.given, self.count = given, len(given)  # constants must stay in memory
        self.fixed = all(None not in field.core for field in fields)
        spans = pairwise(accumulate((math.prod(n or 0 for n in field.core) for field in fields), initial=0))
        self.parts = [(field.name, *span, field.core) for field, span in zip(fields, spans, strict=True)]
        self.form: Callable[[tuple[tuple[int, ...], ...]], Form] = lru_cache(256)(self._form)
        self._kind, self._fields = kind, fields
        #: Where each operand is among the fields and, behind them, the constants.
        self._constants = [address(value) for value in given if not isinstance(value, str)]
        names, behind = [field.name for field in fields], count(len(fields))
        self._sources = [names.index(v) if isinstance(v, str) else next(behind) for v in given]
        self._picked = itemgetter(*self._sources)
        self.rules = self._of_fields([_NUMBERS[field.rule] for field in fields])
        self.only_finite = INTEGERS[self.count]()

    def _of_fields(self, numbers: Sequence[int]) -> Any:
        """Return a number for each operand: that of its field, and zero for constants."""
        return INTEGERS[self.count](*self._picked([*numbers, *(0 for _ in self._constants)]))

    def _form(self, axes: tuple[tuple[int, ...], ...]) -> Form:
        leads = {f.name: own[: len(own) - f.width] for f, own in zip(self._fields, axes, strict=True)}
        lead = check_broadcast(self._kind, **leads)
        # An axis of one element is repeated, as an axis that is missing is.
        cores = [own[len(own) - f.width :] for f, own in zip(self._fields, axes, strict=True)]
        steps = [
            math.prod(core) if lead and lead[0] > 1 else 0 for core, lead in zip(cores, leads.values(), strict=True)
        ]
        sizes = self._of_fields([*map(math.prod, axes)])
        for k, source in enumerate(self._sources):
            if source in self._sources[:k]:
                sizes[k] = 0
        return Form(lead, sizes, self._of_fields(steps))

    def table(self, values: Iterable[FloatArray]) -> Any:
        """Return where the operands are in memory, given the values of each field."""
        return ADDRESSES[self.count](*self._picked([address(value) for value in values] + self._constants))


# -- the check -------------------------------------------------------------------------------------------------------

#: What is told of numbers: all is well; a length may be out of range; one is not finite or breaks its rule.
FINE, FAR, BROKEN = range(3)

_ALLOWED, _SMALLEST, _LARGEST = ALLOWED, SMALLEST, LARGEST  # plain globals: loops take them as constants


@kernel
def _looked_over(values: Floats, size: int, rule: int) -> int:
    """Tell how it is about numbers that follow a rule; directions and rotations are put right."""
    bad, far = False, False
    for i in range(size):
        number = abs(values[i])
        bad |= (not number < math.inf) | ((rule == _NOT_NEGATIVE) & (values[i] < 0.0))
        far |= (number > _LARGEST) | ((number != 0.0) & (number < _SMALLEST))
    if bad:
        return BROKEN
    if rule == _DIRECTION:
        for i in range(0, size, 3):
            direction = load(values, i)
            bad |= largest(direction) == 0.0
            store(values, i, unit(direction))
    elif rule == _ROTATION:
        for i in range(0, size, 9):
            bad |= orthonormalise_at(values, i, _ALLOWED)
    else:
        return FAR if far else FINE
    return BROKEN if bad else FINE


def _look_over(count: int, operands: Table, sizes: Ints, rules: Ints) -> int:
    """Tell the worst of all operands, up to the first that is broken."""
    worst = FINE
    for k in range(count):
        found = _looked_over(operands[k], sizes[k], rules[k])
        if found == BROKEN:
            return BROKEN
        worst = max(worst, found)
    return worst


#: For how many operands there are, where their numbers are, how many these are, and which rules they follow.
LOOK_OVER = Loop("checks", _look_over, (INT, TABLE, INTS, INTS), INT)
