"""Some rows of a batch of solids, written into the arrays that VTK draws, as machine code.

In most steps of a session one shape of thousands is at another place. NumPy takes longer to pick it, to compare it and
to write it than this takes for hundreds of them. What is written is, bit for bit, what `viewer.stage.solids` writes for
whole batches.
"""

import math

import numpy as np

from collision.compile import BYTES, FLOATS, INT, INTS, SINGLES, TABLE, Loop, kernel
from collision.separation.cores import read_aligned, read_box, read_linear, read_point
from collision.vec3 import Vec3, add, dot, load, scale, sub

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
def _write(place, color, k, palette, points, colors):  # type: ignore[no-untyped-def]
    """Write where a solid is, and how it stands; return what of it has changed."""
    changed = POINTS if _put_three(points, k, place) else 0
    return changed | (COLORS if _paint(colors, k, palette, color) else 0)


@kernel
def _thickened(half):  # type: ignore[no-untyped-def]
    longest = max(half.x, half.y, half.z)
    least = THINNEST * (longest if longest > 0.0 else LEAST)
    return Vec3(max(half.x, least), max(half.y, least), max(half.z, least))


@kernel
def _turned(table, strides, old, steps, row):  # type: ignore[no-untyped-def]
    """Tell whether a box has other axes than before."""
    other = False
    for i in range(9):
        other = other or table[1][row * strides[1] + i] != old[1][row * steps[1] + i]
    return other


@kernel
def _box(rank, table, strides, row):  # type: ignore[no-untyped-def]
    """Return the middle and the half extents of a box of either kind."""
    if rank == 2:
        box, _ = read_box(table, strides, row)
        return box.origin, box.hi
    aligned, _ = read_aligned(table, strides, row)
    lower, upper = scale(aligned.lo, 0.5), scale(aligned.hi, 0.5)
    return add(lower, upper), sub(upper, lower)


def _rows(  # type: ignore[no-untyped-def]
    rank, count, rows, table, strides, old, steps, standing, palette, shift, firsts, bodies, points, colors, radii,
    more, paints, sizes, axes,
):  # fmt: skip
    """Write rows of a batch of spheres, capsules or boxes; return what has changed.

    What is said to be the first row is where the batch begins in the clouds: balls, the balls at the other ends of
    capsules, boxes. The bodies of capsules are numbered, less than zero where there is none.
    """
    changed, origin = 0, load(shift, 0)
    for i in range(count):
        row = rows[i]
        color, body, balls, radius, axis = standing[row], -1, 0, 0.0, origin
        if rank == 0:
            start, radius = read_point(table, strides, row)
            end = middle = size = start
            balls, thin = 1, radius == 0.0
        elif rank == 1:
            line, radius = read_linear(table, strides, row)
            start, end, along = line.origin, line.tip, line.direction
            body, length = bodies[row], math.sqrt(dot(along, along))
            middle, size = add(start, scale(along, 0.5)), Vec3(length, radius, radius)
            axis = Vec3(along.x / length, along.y / length, along.z / length)
            balls, thin = 2, radius == 0.0 or (length > 0.0) != (body >= 0)
        else:
            middle, half = _box(rank, table, strides, row)
            changed |= TURNED if rank == 2 and _turned(table, strides, old, steps, row) else 0
            start = end = middle
            body, size = firsts[0] + row, _thickened(half)
            thin = (half.x > 0.0) + (half.y > 0.0) + (half.z > 0.0) < 2
        for ball in range(balls):
            k = firsts[ball] + row
            changed |= _write(sub(end if ball else start, origin), color, k, palette, points, colors)
            changed |= SIZES if _put(radii, k, radius) else 0
        if body >= 0:
            changed |= _write(sub(middle, origin), color, body, palette, more, paints) << SECOND
            changed |= (SIZES << SECOND) if _put_three(sizes, body, size) else 0
            if rank == 1:
                changed |= (TURNS << SECOND) if _put_three(axes, body, axis) else 0
        changed |= REFUSED if thin else 0
    return changed


ROWS = Loop(
    "solid_rows",
    _rows,
    (INT, INT, INTS, *[TABLE, INTS] * 2, BYTES, BYTES, FLOATS, INTS, INTS, *[SINGLES, BYTES, SINGLES] * 2, SINGLES),
    INT,
)


def get_ready() -> None:
    """Compile or load what is needed now, rather than in the first step of a drag."""
    callable(ROWS.run)
