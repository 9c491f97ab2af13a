"""Some rows of a batch of solids, written into the arrays that VTK draws, as machine code.

In most steps of a session one shape of thousands is at another place. NumPy takes longer to pick it, to compare it and
to write it than this takes for hundreds of them. What is written is, bit for bit, what `viewer.stage.solids` writes for
whole batches.
"""

import math

import numpy as np

from collision.compile import BYTES, FLOATS, INT, INTS, SINGLES, TABLE, Loop, kernel
from collision.separation import corners
from collision.separation.cores import read_aligned, read_box, read_linear, read_point
from collision.vec3 import Vec3, add, dot, load, scale, store, sub

#: The thinnest side of a box, as a part of its longest, or at least: a flat box needs a normal.
THINNEST, LEAST = 1e-6, 1e-30

#: What may have changed: the arrays of the first cloud and of the second, and the axes of a box, which are not written
#: here. Or that a row cannot be written: it has no surface, or as a capsule a body where it had none, or none any more.
POINTS, COLORS, SIZES, TURNS = 1, 2, 4, 8
SECOND, TURNED, REFUSED = 4, 256, 512


@kernel
def _put(memory, k, number):  # type: ignore[no-untyped-def]
    """Write a number in single precision; tell whether it is another."""
    single = np.float32(number)
    other = memory[k] != single
    memory[k] = single  # also where it is equal: zero has two signs
    return other


@kernel
def _put_three(memory, k, v):  # type: ignore[no-untyped-def]
    x, y, z = _put(memory, 3 * k, v.x), _put(memory, 3 * k + 1, v.y), _put(memory, 3 * k + 2, v.z)
    return x or y or z


@kernel
def _paint(memory, k, palette, code):  # type: ignore[no-untyped-def]
    """Write the color of a standing; tell whether it is another."""
    other = False
    for i in range(4):
        part = palette[4 * code + i]
        if memory[4 * k + i] != part:
            memory[4 * k + i] = part
            other = True
    return other


@kernel
def _thickened(half):  # type: ignore[no-untyped-def]
    longest = max(half.x, half.y, half.z)
    least = THINNEST * (longest if longest > 0.0 else LEAST)
    return Vec3(max(half.x, least), max(half.y, least), max(half.z, least))


@kernel
def _ball(center, radius, color, k, palette, points, colors, radii):  # type: ignore[no-untyped-def]
    changed = POINTS if _put_three(points, k, center) else 0
    changed |= COLORS if _paint(colors, k, palette, color) else 0
    return changed | (SIZES if _put(radii, k, radius) else 0)


@kernel
def _rod(start, end, radius, color, k, origin, palette, points, colors, sizes, axes):  # type: ignore[no-untyped-def]
    """Write the body of a capsule, between the balls at its ends."""
    line = sub(end, start)
    length = math.sqrt(dot(line, line))
    changed = POINTS if _put_three(points, k, sub(add(start, scale(line, 0.5)), origin)) else 0
    changed |= COLORS if _paint(colors, k, palette, color) else 0
    changed |= SIZES if _put_three(sizes, k, Vec3(length, radius, radius)) else 0
    axis = Vec3(line.x / length, line.y / length, line.z / length)
    return changed | (TURNS if _put_three(axes, k, axis) else 0)


@kernel
def _turned(table, strides, old, steps, row):  # type: ignore[no-untyped-def]
    """Tell whether a box has other axes than before."""
    other = False
    for i in range(9):
        other = other or table[1][row * strides[1] + i] != old[1][row * steps[1] + i]
    return other


def _rows(  # type: ignore[no-untyped-def]
    rank, count, rows, table, strides, old, steps, standing, palette, shift, firsts, bodies, points, colors, radii,
    more, paints, sizes, axes, around,
):  # fmt: skip
    """Write rows of a batch of spheres, capsules or boxes; return what has changed, and store the box around them.

    What is said to be the first row is where the batch begins in the clouds: balls, the balls at the other ends of
    capsules, boxes. The bodies of capsules are numbered, less than zero where there is none.
    """
    changed, origin = 0, load(shift, 0)
    low, high = Vec3(math.inf, math.inf, math.inf), Vec3(-math.inf, -math.inf, -math.inf)
    for i in range(count):
        row = rows[i]
        k, color = firsts[0] + row, standing[row]
        least, most, radius = corners(rank, table, strides, row)
        low = Vec3(min(low.x, least.x - radius), min(low.y, least.y - radius), min(low.z, least.z - radius))
        high = Vec3(max(high.x, most.x + radius), max(high.y, most.y + radius), max(high.z, most.z + radius))
        if rank < 2 and radius == 0.0:
            changed |= REFUSED
        elif rank == 0:
            point, radius = read_point(table, strides, row)
            changed |= _ball(sub(point, origin), radius, color, k, palette, points, colors, radii)
        elif rank == 1:
            line, radius = read_linear(table, strides, row)
            a, b, body = line.origin, line.tip, bodies[row]
            if (dot(line.direction, line.direction) > 0.0) != (body >= 0):
                changed |= REFUSED
            else:
                changed |= _ball(sub(a, origin), radius, color, k, palette, points, colors, radii)
                changed |= _ball(sub(b, origin), radius, color, firsts[1] + row, palette, points, colors, radii)
                if body >= 0:
                    rod = _rod(a, b, radius, color, body, origin, palette, more, paints, sizes, axes)
                    changed |= rod << SECOND
        else:
            if rank == 2:
                box, _ = read_box(table, strides, row)
                center, half = box.origin, box.hi
                changed |= TURNED if _turned(table, strides, old, steps, row) else 0
            else:
                aligned, _ = read_aligned(table, strides, row)
                lower, upper = scale(aligned.lo, 0.5), scale(aligned.hi, 0.5)
                center, half = add(lower, upper), sub(upper, lower)
            wide = (half.x > 0.0) + (half.y > 0.0) + (half.z > 0.0)
            changed |= REFUSED if wide < 2 else 0
            changed |= (POINTS << SECOND) if _put_three(more, k, sub(center, origin)) else 0
            changed |= (COLORS << SECOND) if _paint(paints, k, palette, color) else 0
            changed |= (SIZES << SECOND) if _put_three(sizes, k, _thickened(half)) else 0
    store(around, 0, low)
    store(around, 3, high)
    return changed


ROWS = Loop(
    "solid_rows",
    _rows,
    (
        INT,
        INT,
        INTS,
        *[TABLE, INTS] * 2,
        BYTES,
        BYTES,
        FLOATS,
        INTS,
        INTS,
        *[SINGLES, BYTES, SINGLES] * 2,
        SINGLES,
        FLOATS,
    ),
    INT,
)
