"""Cores of any kind, in memory: a long search that asks for them so is compiled once, and serves all pairs of kinds.

Most of what such a search does is the same for all of them. With loops of their own, pairs would have it compiled ten
times, which takes many times longer than their kernels do. The kernels here ask of what kind a core is; all else
follows from the tables of cores and of pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from collision.kernels.cores import Box, Linear, Separation
from collision.kernels.halfspace import HalfSpace
from collision.kernels.table import KERNELS, ROWS, CoreRow, CoreType
from collision.kernels.turned import Pose
from collision.kernels.vec3 import Vec3, load, store
from collision.native import Floats, Ints, Table, kernel


class AnyCore(NamedTuple):
    """A core of any kind: its rank, the memory that it is in, and the number there at which it begins."""

    rank: int
    numbers: Floats
    at: int


#: A core has room in so many numbers; that many cores have, where one is searched for: those that are given, two that
#: are moved, and at each of two times both, and both upright.
SLOT, ROOM = 18, 12

#: Where those are that are moved.
_MOVED = 10 * SLOT


_BOX, _ALIGNED = int(CoreType.BOX), int(CoreType.ALIGNED)


@kernel
def core_in(rank: int, numbers: Floats, place: int) -> AnyCore:
    """Return the core that is to be read to a place in memory: a box with the world's axes is read as any box."""
    return AnyCore(_BOX if rank == _ALIGNED else rank, numbers, SLOT * place)


@kernel
def is_upright(rank: int) -> bool:
    """Tell whether cores of a rank keep the world's axes."""
    return rank == _ALIGNED


@kernel
def _load_linear(n: Floats, k: int) -> Linear:
    return Linear(load(n, k), load(n, k + 3), load(n, k + 6), n[k + 9], n[k + 10])


@kernel
def _store_linear(n: Floats, k: int, line: Linear) -> None:
    store(n, k, line.origin)
    store(n, k + 3, line.direction)
    store(n, k + 6, line.tip)
    n[k + 9], n[k + 10] = line.lo, line.hi


@kernel
def _load_box(n: Floats, k: int) -> Box:
    return Box(load(n, k), load(n, k + 3), load(n, k + 6), load(n, k + 9), load(n, k + 12), load(n, k + 15))


@kernel
def _store_box(n: Floats, k: int, box: Box) -> None:
    store(n, k, box.origin)
    store(n, k + 3, box.x)
    store(n, k + 6, box.y)
    store(n, k + 9, box.z)
    store(n, k + 12, box.lo)
    store(n, k + 15, box.hi)


@kernel
def _load_half_space(n: Floats, k: int) -> HalfSpace:
    return HalfSpace(load(n, k), load(n, k + 3))


@kernel
def _store_half_space(n: Floats, k: int, space: HalfSpace) -> None:
    store(n, k, space.point)
    store(n, k + 3, space.normal)


#: How a core is read from memory, and written to it.
_FORMS: dict[CoreType, tuple[Callable[[Floats, int], Any], Callable[[Floats, int, Any], None]]] = {
    CoreType.POINT: (load, store),
    CoreType.LINEAR: (_load_linear, _store_linear),
    CoreType.BOX: (_load_box, _store_box),
    CoreType.HALF_SPACE: (_load_half_space, _store_half_space),
}


def _one_of(kernels: list[tuple[int, Callable[..., Any]]]) -> Callable[..., Any]:
    """Return the kernel that calls the one of some that is for the rank of its first argument."""
    (number, first), *others = kernels
    if not others:
        return first
    rest = _one_of(others)

    @kernel
    def one_of(core: AnyCore, *given: Any) -> Any:
        return first(core, *given) if core.rank == number else rest(core, *given)

    return one_of


def _asking(of: Callable[[CoreRow], Callable[..., Any]]) -> Callable[..., Any]:
    """Return a kernel of the table, for cores of any kind."""

    def made(rank: CoreType) -> Callable[..., Any]:
        ask, load_core = of(ROWS[rank]), _FORMS[rank][0]

        @kernel
        def asking(core: AnyCore, *given: Any) -> Any:
            return ask(load_core(core.numbers, core.at), *given)

        return asking

    return _one_of([(int(rank), made(rank)) for rank in _FORMS])


def _making(of: Callable[[CoreRow], Callable[..., Any]]) -> Callable[..., AnyCore]:
    """Return a kernel of the table that returns a core; the second argument is at which number that one begins."""

    def made(rank: CoreType) -> Callable[..., Any]:
        make, (load_core, store_core) = of(ROWS[rank]), _FORMS[rank]

        @kernel
        def making(core: AnyCore, to: int, *given: Any) -> AnyCore:
            store_core(core.numbers, to, make(load_core(core.numbers, core.at), *given))
            return AnyCore(core.rank, core.numbers, to)

        return making

    return _one_of([(int(rank), made(rank)) for rank in _FORMS])


def _reading(rank: CoreType) -> Callable[..., Any]:
    read_core, store_core = ROWS[rank].read, _FORMS[rank][1]

    @kernel
    def reading(core: AnyCore, table: Table, strides: Ints, i: int) -> float:
        found, radius = read_core(table, strides, i)
        store_core(core.numbers, core.at, found)
        return radius

    return reading


def _separating(pairs: list[tuple[CoreType, CoreType]]) -> Callable[..., Any]:
    """Return the kernel that separates two cores whose ranks are one of some pairs."""
    (rank_a, rank_b), *others = pairs
    solve, load_a, load_b = KERNELS[rank_a, rank_b], _FORMS[rank_a][0], _FORMS[rank_b][0]
    number_a, number_b = int(rank_a), int(rank_b)

    @kernel
    def these(a: AnyCore, b: AnyCore) -> Separation:
        return solve(load_a(a.numbers, a.at), load_b(b.numbers, b.at))

    if not others:
        return these
    rest = _separating(others)

    @kernel
    def separating(a: AnyCore, b: AnyCore) -> Separation:
        return these(a, b) if a.rank == number_a and b.rank == number_b else rest(a, b)

    return separating


#: (core, table, strides, i) -> float: puts element i of operands to where a core is to be; returns the radius.
read: Callable[[AnyCore, Table, Ints, int], float] = _one_of([(int(rank), _reading(rank)) for rank in _FORMS])

#: The pairs that are asked about: what turns and has no end has no bound on its speed, and scenes do not compare their
#: half-spaces with each other.
_ASKED = [pair for pair in KERNELS if CoreType.ALIGNED not in pair and {*pair} != {CoreType.HALF_SPACE}]

#: (a, b) -> Separation, the core of the lower rank first.
separate: Callable[[AnyCore, AnyCore], Separation] = _separating(_ASKED)

#: As in the rows of the table. What returns a core takes where that is to be.
size: Callable[[AnyCore], float] = _asking(lambda row: row.size)
farthest: Callable[[AnyCore, bool, Vec3, Vec3], float] = _asking(lambda row: row.turning.farthest)
gain: Callable[[AnyCore, bool, Vec3, Vec3, Vec3, Vec3], float] = _asking(lambda row: row.turning.gain)
turned: Callable[[AnyCore, int, Pose], AnyCore] = _making(lambda row: row.turning.turned)
upright: Callable[[AnyCore, int], AnyCore] = _making(lambda row: row.turning.upright)
_moved: Callable[[AnyCore, int, float, Vec3], AnyCore] = _making(lambda row: row.moved)


@kernel
def moved(core: AnyCore, t: float, v: Vec3) -> AnyCore:
    """Return a core after a part of its motion; it can itself be moved. The next one that is moved takes its place."""
    return _moved(core, _MOVED if core.at < _MOVED else _MOVED + SLOT, t, v)
