"""The values of a shape taken in one pass, by machine code: whether all are finite and follow the rules, and where.

What is wrong, and where, is for `collision.fields` to find out at leisure. Directions become unit vectors here, and
what is all but a rotation becomes one.
"""

import math

from collision.native import FLOATS, INT, INTS, Floats, Ints, Loop, floats_from, ints_from, kernel, place_of
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


@kernel
def _breaks(memory: Floats, start: int, end: int, rule: int) -> bool:
    """Tell whether the numbers of a field are not all finite, or break a rule; directions and rotations are put right.

    The rules are: 1, none is below zero; 2, directions; 3, rotations; 4, none is below the one as many places before it
    as there are. Of what is less than zero nothing is asked.
    """
    if rule < 0:
        return False
    bad = False
    for i in range(start, end):
        bad |= (not abs(memory[i]) < math.inf) | ((rule == 1) & (memory[i] < 0.0))
    if bad:
        return True
    if rule == 2:
        for i in range(start, end, 3):
            bad |= set_unit(memory, i)
    elif rule == 3:
        for i in range(start, end, 9):
            bad |= settle(memory, i, _ALLOWED)
    elif rule == 4:
        for i in range(start, end):
            bad |= memory[i] < memory[i - (end - start)]
    return bad


def _take(memory: Floats, plan: Ints) -> int:
    """Look over the values of a shape, and store where its operands are before them; see `Layout` for the plan.

    Returns
    -------
    int
        Where the table of the operands is; or, less than zero, the first field, counted from -1 downwards, that has a
        number that is not finite or breaks its rule.
    """
    memory = floats_from(memory, 1)  # the first is the rank
    ints, fields, operands = ints_from(memory, 0), plan[0], plan[1]
    counts, place = 2 * operands, place_of(memory)
    start = counts + fields
    for field in range(fields):
        end, rule = start + ints[counts + field] * plan[2 + 2 * field], plan[3 + 2 * field]
        if rule == 4 and ints[counts + field] != ints[counts + field - 1]:
            rule = 0  # which is for `Batch` to look at
        if _breaks(memory, start, end, rule):
            return -1 - field
        start = end
    for operand in range(operands):
        own, given = plan[2 + 2 * fields + 2 * operand], plan[3 + 2 * fields + 2 * operand]
        stride = 0
        if own >= 0:
            start = counts + fields
            for field in range(own):
                start += ints[counts + field] * plan[2 + 2 * field]
            given = place + 8 * start
            # An axis of one element is repeated, as an axis that is missing is.
            stride = plan[2 + 2 * own] if ints[counts + own] > 1 else 0
        ints[operand], ints[operands + operand] = given, stride
    return place


#: For the memory of a shape, and what its kind says of it.
TAKE = Loop("checks", _take, (FLOATS, INTS), INT)
