"""The values of a shape looked over in one pass, by machine code: whether all are finite and follow the rules.

What is wrong, and where, is for `collision.fields` to find out at leisure. Directions become unit vectors here, and
what is all but a rotation becomes one.
"""

import math

from collision.native import FLOATS, INT, INTS, Floats, Ints, Loop, kernel
from collision.rotations import ALLOWED, settle
from collision.vec3 import EPS, Vec3, dot, largest, load, store

_ALLOWED = ALLOWED  # a plain global: loops take it as a constant

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


def _check(fields: int, values: Floats, sizes: Ints, rules: Ints) -> int:
    """Return the first field, counted from 1, that has a number that is not finite or breaks its rule; 0 for none."""
    end = 0
    for field in range(fields):
        start, rule, bad = end, rules[field], False
        end = start + sizes[field]
        for i in range(start, end):
            bad |= (not abs(values[i]) < math.inf) | ((rule == 1) & (values[i] < 0.0))
        if not bad and rule == 2:
            for i in range(start, end, 3):
                bad |= set_unit(values, i)
        elif not bad and rule == 3:
            for i in range(start, end, 9):
                bad |= settle(values, i, _ALLOWED)
        if bad:
            return field + 1
    return 0


#: For several fields, one after the other in memory: the numbers in each, and the number of its rule.
CHECK = Loop("checks", _check, (INT, FLOATS, INTS, INTS), INT)
