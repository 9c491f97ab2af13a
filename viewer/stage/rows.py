"""Some rows of a batch of solids, written into the arrays that VTK draws, as machine code.

In most steps of a session one shape of thousands is at another place. NumPy takes longer to pick it, to compare it and
to write it than this takes for hundreds of them. What is written is, bit for bit, what `viewer.stage.solids` writes for
whole batches.
"""

import math

import numpy as np

from collision.inner import (
    BYTES,
    FLOATS,
    INT,
    INTS,
    SINGLES,
    TABLE,
    Bytes,
    Floats,
    Ints,
    Loop,
    Singles,
    Table,
    Vec3,
    add,
    dot,
    kernel,
    load,
    read_aligned,
    read_box,
    read_linear,
    read_point,
    scale,
    sub,
)

#: The thinnest side of a box, as a part of its longest, or at least: a flat box needs a normal.
THINNEST, LEAST = 1e-6, 1e-30

#: The shortest capsule, as a part of its radius: one of no length needs an axis.
SHORTEST = 1e-6

#: What may have changed: the arrays of a cloud, and the axes of a box, which are not written here. Or that a row cannot
#: be written: it has no surface.
POINTS, COLORS, SIZES, TURNS = 1, 2, 4, 8
ARRAYS, TURNED, REFUSED = 15, 16, 32


@kernel
def _put(memory: Singles, k: int, number: float) -> bool:
    """Write a number in single precision; tell whether it is another."""
    single = np.float32(number)
    other = memory[k] != single
    memory[k] = single  # also where it is equal: zero has two signs
    return other


@kernel
def _put_three(memory: Singles, k: int, v: Vec3) -> bool:
    x, y, z = _put(memory, 3 * k, v.x), _put(memory, 3 * k + 1, v.y), _put(memory, 3 * k + 2, v.z)
    return x or y or z


@kernel
def _paint(memory: Bytes, k: int, palette: Bytes, code: int) -> bool:
    """Write the color of a standing; tell whether it is another."""
    other = False
    for i in range(4):
        part = palette[4 * code + i]
        if memory[4 * k + i] != part:
            memory[4 * k + i] = part
            other = True
    return other


@kernel
def _thickened(half: Vec3) -> Vec3:
    longest = max(half.x, half.y, half.z)
    least = THINNEST * (longest if longest > 0.0 else LEAST)
    return Vec3(max(half.x, least), max(half.y, least), max(half.z, least))


@kernel
def _turned(table: Table, strides: Ints, old: Table, steps: Ints, row: int) -> bool:
    """Tell whether a box has other axes than before."""
    other = False
    for i in range(9):
        other = other or table[1][row * strides[1] + i] != old[1][row * steps[1] + i]
    return other


@kernel
def _box(rank: int, table: Table, strides: Ints, row: int) -> tuple[Vec3, Vec3]:
    """Return the middle and the half extents of a box of either kind."""
    if rank == 2:
        box, _ = read_box(table, strides, row)
        return box.origin, box.hi
    aligned, _ = read_aligned(table, strides, row)
    lower, upper = scale(aligned.lo, 0.5), scale(aligned.hi, 0.5)
    return add(lower, upper), sub(upper, lower)


def _rows(
    rank: int, count: int, rows: Ints, table: Table, strides: Ints, old: Table, steps: Ints, standing: Bytes,
    palette: Bytes, shift: Floats, first: int, points: Singles, colors: Bytes, sizes: Singles, axes: Singles,
) -> int:  # fmt: skip
    """Write rows of a batch of spheres, capsules or boxes, which begins there in its cloud; return what has changed."""
    changed, origin = 0, load(shift, 0)
    for i in range(count):
        row = rows[i]
        k = first + row
        if rank == 0:
            middle, radius = read_point(table, strides, row)
            changed |= SIZES if _put(sizes, k, radius) else 0
            thin = radius == 0.0
        elif rank == 1:
            line, radius = read_linear(table, strides, row)
            length = math.sqrt(dot(line.direction, line.direction))
            middle, axis = add(line.origin, scale(line.direction, 0.5)), Vec3(1.0, 0.0, 0.0)
            if length > 0.0:
                axis = Vec3(line.direction.x / length, line.direction.y / length, line.direction.z / length)
            changed |= SIZES if _put_three(sizes, k, Vec3(max(length, SHORTEST * radius), radius, radius)) else 0
            changed |= TURNS if _put_three(axes, k, axis) else 0
            thin = radius == 0.0
        else:
            middle, half = _box(rank, table, strides, row)
            changed |= TURNED if rank == 2 and _turned(table, strides, old, steps, row) else 0
            changed |= SIZES if _put_three(sizes, k, _thickened(half)) else 0
            thin = (half.x > 0.0) + (half.y > 0.0) + (half.z > 0.0) < 2
        changed |= POINTS if _put_three(points, k, sub(middle, origin)) else 0
        changed |= COLORS if _paint(colors, k, palette, standing[row]) else 0
        changed |= REFUSED if thin else 0
    return changed


ROWS = Loop(
    "solid_rows",
    _rows,
    (INT, INT, INTS, *[TABLE, INTS] * 2, BYTES, BYTES, FLOATS, INT, SINGLES, BYTES, SINGLES, SINGLES),
    INT,
)


def get_ready() -> None:
    """Compile or load what is needed now, rather than in the first step of a drag."""
    callable(ROWS.run)
