"""The core record: cores of any type as rows in memory, and for each question one kernel that chooses by the type.

A core is a row of `ROW` numbers, with its type and its radius beside it. The file of a core has the two kernels that
read its row and write it; `collision.kernels.table` lists them.

===========  ===================================================================================
core         numbers of its row
===========  ===================================================================================
point        0-2 the point
linear       0-2 origin, 3-5 direction, 6-8 tip, 9 and 10 the least and the largest parameter
box          0-2 origin, 3-5, 6-8 and 9-11 the axes, 12-14 the lower corner, 15-17 the upper one
aligned box  as a box, with the world's origin and axes
half-space   0-2 a point of the plane, 3-5 the normal
cylinder     0-2 and 3-5 the ends, 6-8 the center, 9-11 the axis, 12 half the length, 13 the radius
hull         0-2 the middle, 3-5, 6-8 and 9-11 the axes, 12 where its corners and faces are in the table
===========  ===================================================================================

A core that does not fit into a row refers from there to a table of corners, which lies beside the rows; what poses and
motions change is in the row. What asks about cores by rows alone works for every type, those to come as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import FloatArray, IntArray
from collision.kernels.cores import Linear, Separation
from collision.kernels.features import Feature
from collision.kernels.nearness import Corners
from collision.kernels.passes import CoreHit, hit_of
from collision.kernels.table import GENERAL, KERNELS, ROWS, CoreRow, CoreType, for_all_cores
from collision.kernels.turned import Pose
from collision.kernels.vec3 import Vec3, store
from collision.native import (
    FLOATS,
    INT,
    INT_TABLE,
    INTS,
    TABLES,
    Floats,
    Ints,
    IntTable,
    Loop,
    Table,
    Tables,
    address,
    kernel,
)

#: The numbers of a core.
ROW = 18


class CoreMemory(NamedTuple):
    """Cores in memory, as kernels see them: types, rows and radii, and the table of corners that rows refer to."""

    types: Ints
    rows: Floats
    radii: Floats
    corners: Floats


class AnyCore(NamedTuple):
    """A core of any type: its type, the memory of its row, the number there at which that begins, and the corners."""

    type: int
    numbers: Floats
    at: int
    corners: Floats


#: How loops take `CoreMemory`; `CoreRows.addresses` are the addresses.
CORES = (INTS, FLOATS, FLOATS, FLOATS)


class CoreRows:
    """The cores of shapes: types (n,), rows (n, ROW), radii (n,), and the table of corners (m,) that rows refer to."""

    def __init__(self, types: IntArray, rows: FloatArray, radii: FloatArray, corners: FloatArray) -> None:
        self.types, self.rows, self.radii, self.corners = types, rows, radii, corners

    @cached_property
    def addresses(self) -> tuple[int, int, int, int]:
        """The addresses of the arrays, good as long as this lives: what loops take for `CORES`."""
        return address(self.types), address(self.rows), address(self.radii), address(self.corners)

    @classmethod
    def empty(cls, count: int, corners: FloatArray) -> CoreRows:
        """Return rows for so many cores, to be written, with the table that they refer to."""
        return cls(np.empty(count, dtype=np.int64), np.empty((count, ROW)), np.empty(count), corners)

    def __len__(self) -> int:
        return len(self.types)


@kernel
def core_at(cores: CoreMemory, i: int) -> AnyCore:
    """Return core number i."""
    return AnyCore(cores.types[i], cores.rows, ROW * i, cores.corners)


# -- one kernel for all types ---------------------------------------------------------------------------------------


def _by_type(cases: Mapping[CoreType, Callable[..., Any]]) -> Callable[..., Any]:
    """Return the kernel that calls the case for the type of its first argument, a core."""
    (first_type, first), *others = cases.items()
    if not others:
        return first
    number, rest = int(first_type), _by_type(dict(others))

    @kernel
    def by_type(core: AnyCore, *given: Any) -> Any:
        return first(core, *given) if core.type == number else rest(core, *given)

    return by_type


def _types_taking(kernels: Mapping[Any, Callable[..., Any]]) -> dict[CoreType, CoreType]:
    """Return as what each type is read: where it shares the kernel of its general type, as that."""
    general = {own: GENERAL.get(own, own) for own in CoreType}
    return {own: other if kernels[own] is kernels[other] else own for own, other in general.items()}


def _asking(kernels: Mapping[Any, Callable[..., Any]]) -> Callable[..., Any]:
    """Return the kernel for cores of any type that asks the one for a type, given all of these."""

    def case(own: CoreType, taken: CoreType) -> Callable[..., Any]:
        ask, load = kernels[own], _loading(taken)

        @kernel
        def asking(core: AnyCore, *given: Any) -> Any:
            return ask(load(core), *given)

        return asking

    return _by_type({own: case(own, taken) for own, taken in _types_taking(kernels).items()})


def _making(kernels: Mapping[Any, Callable[..., Any]]) -> Callable[..., AnyCore]:
    """Return the kernel for cores of any type that makes a core, and writes it to a row that begins at a number."""

    def case(own: CoreType, taken: CoreType) -> Callable[..., Any]:
        make, load, store, made = kernels[own], _loading(taken), ROWS[taken].store, int(taken)

        @kernel
        def making(core: AnyCore, to: int, *given: Any) -> AnyCore:
            store(core.numbers, to, make(load(core), *given))
            return AnyCore(made, core.numbers, to, core.corners)

        return making

    return _by_type({own: case(own, taken) for own, taken in _types_taking(kernels).items()})


def _loading(own: CoreType) -> Callable[[AnyCore], Any]:
    """Return the kernel that reads the row of a core of a type."""
    load = ROWS[own].load

    @kernel
    def loading(core: AnyCore) -> Any:
        return load(core.numbers, core.at)

    @kernel
    def loading_with_table(core: AnyCore) -> Any:
        return load(core.numbers, core.at, core.corners)

    return loading if ROWS[own].reference is None else loading_with_table


def _reading(own: CoreType) -> Callable[..., Any]:
    read_core, store, reference = ROWS[own].read, ROWS[own].store, ROWS[own].reference

    @kernel
    def reading(core: AnyCore, table: Table, strides: Ints, i: int, begin: int) -> float:
        found, radius = read_core(table, strides, i)
        store(core.numbers, core.at, found)
        return radius

    if reference is None:
        return reading
    number = reference

    @kernel
    def reading_reference(core: AnyCore, table: Table, strides: Ints, i: int, begin: int) -> float:
        radius = reading(core, table, strides, i, begin)
        core.numbers[core.at + number] += begin  # which it counts from the first element of its shape
        return radius

    return reading_reference


def _separating(
    pairs: list[tuple[CoreType, CoreType]], otherwise: Callable[[AnyCore, AnyCore], Separation]
) -> Callable[[AnyCore, AnyCore], Separation]:
    """Return the kernel that separates two cores whose types are one of some pairs, and what it does with others."""
    if not pairs:
        return otherwise
    (type_a, type_b), *others = pairs
    solve, load_a, load_b = KERNELS[type_a, type_b], _loading(type_a), _loading(type_b)
    number_a, number_b, rest = int(type_a), int(type_b), _separating(others, otherwise)

    @kernel
    def separating(a: AnyCore, b: AnyCore) -> Separation:
        if a.type == number_a and b.type == number_b:
            return solve(load_a(a), load_b(b))
        return rest(a, b)

    return separating


def _separate() -> Callable[[AnyCore, AnyCore], Separation]:
    """Return the kernel for all pairs: those with a kernel of their own first, others as their general types."""
    special = [pair for pair in KERNELS if {*pair} & {*GENERAL}]
    *most, (type_a, type_b) = [pair for pair in KERNELS if pair not in special]
    solve, load_a, load_b = KERNELS[type_a, type_b], _loading(type_a), _loading(type_b)

    @kernel
    def last(a: AnyCore, b: AnyCore) -> Separation:
        return solve(load_a(a), load_b(b))

    in_general = _separating(most, last)

    @kernel
    def as_general(a: AnyCore, b: AnyCore) -> Separation:
        return in_general(general(a), general(b))

    return _separating(special, as_general)


_BOX, _ALIGNED = int(CoreType.BOX), int(CoreType.ALIGNED)


@kernel
def general(core: AnyCore) -> AnyCore:
    """Return a core as its general type: a box with the world's axes as any box."""
    return AnyCore(_BOX if core.type == _ALIGNED else core.type, core.numbers, core.at, core.corners)


@kernel
def is_upright(core_type: int) -> bool:
    """Tell whether cores of a type keep the world's axes."""
    return core_type == _ALIGNED


def _of_rows(of: Callable[[CoreRow], Callable[..., Any]]) -> dict[CoreType, Callable[..., Any]]:
    return {own: of(row) for own, row in ROWS.items()}


def _hit(row: CoreRow) -> Callable[..., CoreHit]:
    hit_in_order = hit_of(row)

    @kernel
    def hit(core: Any, ray: Linear, radius: float, size: float) -> CoreHit:
        return hit_in_order(ray, core, radius, size)

    return hit


#: (core, table, strides, i, begin) -> float: writes element i of operands to the row of a core; returns the radius.
#: What the row refers to is in the table of corners as it is in the operands, from a number on.
read: Callable[[AnyCore, Table, Ints, int, int], float] = _by_type({own: _reading(own) for own in CoreType})

#: (a, b) -> Separation, the core of the lower type first.
separate: Callable[[AnyCore, AnyCore], Separation] = _separate()

#: As in the rows of the table. What returns a core takes the number at which its row begins.
size: Callable[[AnyCore], float] = _asking(_of_rows(lambda row: row.size))
bounds: Callable[[AnyCore], tuple[Vec3, Vec3]] = _asking(_of_rows(lambda row: row.bounds))
bound: Callable[[AnyCore, float, Corners, Corners], float] = _asking(_of_rows(lambda row: row.bound))
feature: Callable[[AnyCore, float, Vec3, float], Feature] = _asking(_of_rows(lambda row: row.feature))
farthest: Callable[[AnyCore, bool, Vec3, Vec3], float] = _asking(_of_rows(lambda row: row.turning.farthest))
gain: Callable[[AnyCore, bool, Vec3, Vec3, Vec3, Vec3], float] = _asking(_of_rows(lambda row: row.turning.gain))
turned: Callable[[AnyCore, int, Pose], AnyCore] = _making(_of_rows(lambda row: row.turning.turned))
posed: Callable[[AnyCore, int, Pose], AnyCore] = _making(_of_rows(lambda row: row.turning.posed))
upright: Callable[[AnyCore, int], AnyCore] = _making(_of_rows(lambda row: row.turning.upright))
moved: Callable[[AnyCore, int, float, Vec3], AnyCore] = _making(_of_rows(lambda row: row.moved))

#: (core, ray, radius, size) -> CoreHit: where a ray (of `collision.kernels.passes.limited`) hits it.
hit: Callable[[AnyCore, Linear, float, float], CoreHit] = _asking(for_all_cores(_hit))


@kernel
def separate_any(a: AnyCore, b: AnyCore) -> tuple[Separation, bool]:
    """Separate two cores in any order; tell whether the record is that of the second and the first."""
    swap = a.type > b.type
    return (separate(b, a) if swap else separate(a, b)), swap


# -- memory for searches --------------------------------------------------------------------------------------------

#: The rows of a search in time: two cores as given, two moved, and at each of two times both, and both upright.
SEARCH_ROWS = 12

#: The number at which the rows of moved cores begin.
_MOVED = 10 * ROW


@kernel
def core_in(core_type: int, numbers: Floats, row: int, corners: Floats) -> AnyCore:
    """Return the core that is to be read to a row of a search: a box with the world's axes is read as any box."""
    return general(AnyCore(core_type, numbers, ROW * row, corners))


@kernel
def moved_in_search(core: AnyCore, t: float, v: Vec3) -> AnyCore:
    """Return a core after a part of its motion; it can itself be moved. The next one that is moved overwrites it."""
    return moved(core, _MOVED if core.at < _MOVED else _MOVED + ROW, t, v)


# -- from operands to rows ------------------------------------------------------------------------------------------


class Entries(NamedTuple):
    """Shapes as loops take them: the types of their cores, the number of the first element of each, and operands.

    At `begins` is where in the table of corners those of each begin.
    """

    types: Ints
    starts: Ints
    tables: Tables
    strides: IntTable
    begins: Ints


#: How loops take `Entries`.
ENTRIES = (INTS, INTS, TABLES, INT_TABLE, INTS)


@kernel
def encode(entries: Entries, first: int, last: int, cores: CoreMemory) -> None:
    """Write cores number `first` to `last`."""
    entry = 0
    for i in range(first, last):
        while entries.starts[entry + 1] <= i:
            entry += 1
        own, row = entries.types[entry], i - entries.starts[entry]
        cores.types[i] = own
        core = AnyCore(own, cores.rows, ROW * i, cores.corners)
        cores.radii[i] = read(core, entries.tables[entry], entries.strides[entry], row, entries.begins[entry])


def _encode(
    first: int, last: int, entry_types: Ints, starts: Ints, tables: Tables, strides: IntTable, begins: Ints,
    types: Ints, rows: Floats, radii: Floats, corners: Floats,
) -> None:  # fmt: skip
    encode(Entries(entry_types, starts, tables, strides, begins), first, last, CoreMemory(types, rows, radii, corners))


ENCODE = Loop("core_rows", _encode, (INT, INT, *ENTRIES, *CORES))


def _bounds(
    first: int, last: int, types: Ints, rows: Floats, radii: Floats, corners: Floats, lower: Floats, upper: Floats
) -> None:
    store_bounds(CoreMemory(types, rows, radii, corners), first, last, lower, upper)


@kernel
def store_bounds(cores: CoreMemory, first: int, last: int, lower: Floats, upper: Floats) -> None:
    """Store the corners of the boxes around some shapes: infinite for those that have no end."""
    for i in range(first, last):
        (a, b), radius = bounds(core_at(cores, i)), cores.radii[i]
        store(lower, 3 * i, Vec3(a.x - radius, a.y - radius, a.z - radius))
        store(upper, 3 * i, Vec3(b.x + radius, b.y + radius, b.z + radius))


BOUNDS = Loop("core_bounds", _bounds, (INT, INT, *CORES, FLOATS, FLOATS))
