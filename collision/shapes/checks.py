"""The values of a shape checked in one call: whether all are finite and follow the rules of their fields.

What is wrong, and where, is for `collision.base.fields` to find out at leisure. Directions become unit vectors here,
and what is all but a rotation becomes one.
"""

from __future__ import annotations

import math

from collision.base.fields import DIRECTION, EXTENTS, LARGEST, NOT_NEGATIVE, SMALLEST, Field, Rule
from collision.kernels.frames import ALLOWED, unit
from collision.kernels.vec3 import largest, load, store
from collision.native import INT, INTS, TABLE, Floats, Ints, Loop, Table, kernel
from collision.shapes.rotations import ROTATION, orthonormalise_at

_FINITE, _NOT_NEGATIVE, _DIRECTION, _ROTATION = range(4)

#: What the loop calls the rules of fields.
NUMBERS: dict[Rule | None, int] = {
    None: _FINITE,
    NOT_NEGATIVE: _NOT_NEGATIVE,
    EXTENTS: _NOT_NEGATIVE,
    DIRECTION: _DIRECTION,
    ROTATION: _ROTATION,
}


def is_length(field: Field) -> bool:
    """Tell whether the numbers of a field are coordinates or sizes, which directions and rotations are not."""
    return NUMBERS[field.rule] in (_FINITE, _NOT_NEGATIVE)


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
