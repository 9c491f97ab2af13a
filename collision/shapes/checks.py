"""The values of a shape checked in one call: whether all are finite and follow the rules of their fields.

What is wrong, and where, is for `collision.base.fields` to find out at leisure. Directions become unit vectors here,
and what is all but a rotation becomes one.
"""

from __future__ import annotations

import math

from collision.base.fields import DIRECTION, EXTENTS, LARGEST, NOT_NEGATIVE, SMALLEST, Field, Rule
from collision.kernels.frames import ALLOWED
from collision.kernels.vec3 import EPS, Vec3, dot, largest, load, store
from collision.native import INT, INTS, TABLE, Floats, Ints, Loop, Table, kernel
from collision.shapes.rotations import ROTATION, settle

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

#: Lengths that differ from 1 by no more are 1 to rounding.
_UNIT = 3.0 * EPS


@kernel
def set_unit(vectors: Floats, i: int) -> bool:
    """Tell whether the vector from number i on is zero; if it is not, make it a unit vector.

    What is of unit length to rounding is left as it is, so that reading back what was written changes no bit. Others
    are divided by the largest component first, so that neither 1e-300 nor 1e300 is lost.
    """
    v = load(vectors, i)
    most = largest(v)
    if most > 0.0 and abs(math.sqrt(dot(v, v)) - 1.0) > _UNIT:
        v = Vec3(v.x / most, v.y / most, v.z / most)
        length = math.sqrt(dot(v, v))
        store(vectors, i, Vec3(v.x / length, v.y / length, v.z / length))
    return most == 0.0


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
            bad |= set_unit(values, i)
    elif rule == _ROTATION:
        for i in range(0, size, 9):
            bad |= settle(values, i, _ALLOWED)
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
