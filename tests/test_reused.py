"""Memory that is used again: nobody's while somebody has a part of it, and all of it written before it is read."""

from __future__ import annotations

import copy
import ctypes
import gc
import mmap
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import numpy as np
import pytest

from collision import Sphere, closest_points, contact, intersects, manifold, signed_distance
from collision.fields import FloatArray
from collision.native import Reused, reused
from collision.shapes import KINDS
from tests.sampling import batch

pytestmark = pytest.mark.skipif(reused.TAKE_IT is None, reason="nothing is kept on this system")

#: The numbers of an array that is just large enough, and that fills what it is in.
MANY = reused.PAGE // 8


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Reused:
    """Memory for answers of any size."""
    made = Reused(least=1)
    for user in ("separation", "manifolds"):
        monkeypatch.setattr(f"collision.{user}.ANSWERS", made)
    return made


def place(array: FloatArray) -> int:
    return int(array.__array_interface__["data"][0])


# -- all of it is written ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("axes", [((150,), (150,)), ((), (150,)), ((30, 1), (5,))], ids=str)
def test_every_number_of_an_answer_is_written(answers: Reused, axes: Any) -> None:
    """An answer has the same bytes whatever was in its memory; there are some blocks of pairs, and a rest."""
    for kinds in product(KINDS, repeat=2):
        a, b = (batch(kind, *own, seed=seed) for seed, (kind, own) in enumerate(zip(kinds, axes, strict=True)))
        for query in (signed_distance, intersects, closest_points, contact, manifold):
            zeros, ones = (asked_over(answers, pattern, lambda: query(a, b)) for pattern in (0x00, 0xFF))  # noqa: B023
            assert zeros == ones, f"{query.__name__} of {kinds}"


def asked_over(memory: Reused, pattern: int, ask: Callable[[], Any]) -> list[bytes]:
    """Return the bytes of an answer in memory whose bytes were all the same before."""
    before = [memory.floats(MANY) for _ in range(8)]  # a record, and the points of a patch
    for array in before:
        array.view(np.uint8).fill(pattern)
    places = set(map(place, before))
    del array, before
    answer = ask()
    parts = answer if isinstance(answer, tuple) else (answer,)
    assert places.intersection(map(place, parts)) or answer is parts[0], "it was in other memory"
    return [part.tobytes() for part in parts]


# -- it is somebody's as long as anybody sees a part of it -------------------------------------------------------------

#: What may be left of an array, and shows its numbers: each takes it and returns that.
VIEWS: dict[str, Callable[[Any], Any]] = {
    "itself": lambda array: array,
    "slice": lambda array: array[5:9],
    "number": lambda array: array[7:8].reshape(()),
    "slice of a slice": lambda array: array[::2][3:][::-1],
    "reshaped": lambda array: array.reshape(2, -1).T[4:],
    "bytes": lambda array: array.view(np.uint8)[1:],
    "broadcast": lambda array: np.broadcast_to(array[:1], (4, 1)),
    "windows": lambda array: np.lib.stride_tricks.sliding_window_view(array, 3),
    "subclass": lambda array: array.view(np.matrix)[0, 3:5],
    "memoryview": lambda array: memoryview(array)[2:4],
    "cast": lambda array: memoryview(array).cast("B")[2:4],
    "of a memoryview": lambda array: np.frombuffer(memoryview(array)[3:]),
    "ctypes": lambda array: (ctypes.c_double * 4).from_buffer(array, 16),
    "made of it": lambda array: np.ndarray((3,), buffer=array, offset=8),
    "interface": lambda array: np.asarray(array.view(np.recarray)),
    "dlpack": np.from_dlpack,
    "iterator": lambda array: array.flat,
    "pointer": lambda array: array.ctypes.data_as(ctypes.c_void_p),
}


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS.keys())
def test_memory_is_kept_only_when_nothing_shows_a_part_of_it(view: Callable[[Any], Any]) -> None:
    memory = Reused()
    array = memory.floats(MANY)
    array[:] = np.arange(MANY)
    at, left = place(array), view(array)
    del array
    gc.collect()
    assert memory.kept == 0
    other = memory.floats(MANY)
    assert place(other) != at
    other.fill(-1.0)
    assert (
        np.array_equal(ctypes.cast(left, ctypes.POINTER(ctypes.c_double))[:9], range(9))
        if isinstance(left, ctypes.c_void_p)
        else not np.any(np.asarray(left, dtype=float) < 0.0)
    )
    del left
    gc.collect()
    assert memory.kept == reused.PAGE
    assert place(memory.floats(MANY)) == at


def test_copies_are_elsewhere() -> None:
    memory = Reused()
    array = memory.floats(MANY)
    array.fill(1.0)
    copies = [array.copy(), copy.deepcopy(array), pickle.loads(pickle.dumps(array)), np.array(array), +array]
    del array
    memory.floats(MANY).fill(2.0)
    assert all(np.all(each == 1.0) for each in copies)


def test_an_answer_of_which_one_part_is_left_keeps_that_alone(answers: Reused) -> None:
    a, b = batch(Sphere, 200), batch(Sphere, 200, seed=1)
    answer = closest_points(a, b)
    normal, wanted = answer.normal, answer.normal.copy()
    del answer
    assert answers.kept == 3 * reused.PAGE
    for _ in range(3):
        closest_points(b, a)
    assert np.array_equal(normal, wanted)


def test_what_was_in_a_cycle_comes_back() -> None:
    memory = Reused()
    cycle: list[Any] = [memory.floats(MANY)]
    cycle.append(cycle)
    del cycle
    gc.collect()
    assert memory.kept == reused.PAGE


# -- how much is kept --------------------------------------------------------------------------------------------------


def test_small_arrays_are_of_numpy() -> None:
    memory = Reused()
    assert memory.floats(MANY - 1).flags.owndata
    assert memory.floats(0).size == 0
    assert memory.floats().shape == ()
    assert not memory.floats(MANY).flags.owndata
    assert Reused(least=1).floats(0, 3).shape == (0, 3)


def test_arrays_are_as_others() -> None:
    array = Reused().floats(MANY, 3)
    assert array.shape == (MANY, 3)
    assert array.dtype == np.float64
    assert array.flags.c_contiguous
    assert array.flags.writeable
    assert array.flags.aligned


def test_no_more_is_kept_than_was_allowed_and_the_newest() -> None:
    memory = Reused(most=3 * reused.PAGE)
    arrays = [memory.floats(MANY) for _ in range(5)]
    places = [place(array) for array in arrays]
    while arrays:
        del arrays[0]
    assert memory.kept == 3 * reused.PAGE
    again = [memory.floats(MANY) for _ in range(3)]
    assert {place(array) for array in again} == set(places[2:])
    del again
    del (large := [memory.floats(4 * MANY)])[0]  # noqa: F841 - more than is kept at all: what is there stays
    assert memory.kept == 3 * reused.PAGE
    memory.release()
    assert memory.kept == 0


def test_memory_serves_arrays_that_are_a_little_smaller_and_no_others() -> None:
    memory = Reused()
    at = place(memory.floats(4 * MANY))
    assert place(memory.floats(3 * MANY)) == at
    assert place(memory.floats(5 * MANY)) != at
    assert memory.kept == 9 * reused.PAGE
    small = memory.floats(MANY)
    assert memory.kept == 9 * reused.PAGE  # they are too large for it
    assert small.size == MANY


def test_a_system_without_memory_to_be_taken_back_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reused, "TAKE_IT", None)
    memory = Reused()
    assert memory.floats(MANY).flags.owndata
    assert memory.kept == 0
    monkeypatch.setattr(reused, "TAKE_IT", 12345)  # nor does one that refuses
    memory = Reused()
    assert memory.floats(MANY).size == MANY
    assert memory.kept == 0


def test_what_no_memory_is_left_for_is_refused_as_by_numpy() -> None:
    with pytest.raises(MemoryError):
        Reused().floats(1 << 50)
    with pytest.raises(ValueError, match="too big"):
        Reused().floats(1 << 62)


def test_what_is_kept_makes_room_where_there_is_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Reused()
    memory.floats(MANY)
    assert memory.kept
    make = mmap.mmap

    def full(*given: Any, **named: Any) -> mmap.mmap:
        if memory.kept:
            raise OSError(12, "Cannot allocate memory")
        return make(*given, **named)

    monkeypatch.setattr(mmap, "mmap", full)
    array = memory.floats(9 * MANY)
    assert not array.flags.owndata
    assert memory.kept == 0


# -- threads, forks, the end -------------------------------------------------------------------------------------------


def test_threads_have_memory_of_their_own() -> None:
    memory = Reused(most=4 * reused.PAGE)

    def ask(number: int) -> bool:
        rng, held, fine = np.random.default_rng(number), [], True
        for turn in range(60):
            array = memory.floats(MANY)
            array[::512] = mark = 1000.0 * number + turn
            held.append((array, mark))
            fine &= all(bool(np.all(one[::512] == own)) for one, own in held)
            held = [each for each in held if rng.random() < 0.5]
        return fine

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(8)))
    assert memory.kept <= 4 * reused.PAGE


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks on this system")
def test_a_process_that_is_forked_has_a_copy() -> None:
    memory = Reused()
    mine, kept = memory.floats(MANY), memory.floats(MANY)
    mine.fill(1.0)
    kept.fill(2.0)
    del kept
    child = os.fork()
    if not child:
        try:
            same = bool(np.all(mine == 1.0))
            memory.floats(MANY).fill(3.0)
            mine.fill(4.0)
            del mine
            memory.floats(MANY).fill(5.0)
        except BaseException:
            same = False
        os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert np.all(mine == 1.0)


def test_answers_that_live_to_the_end_of_a_program_say_nothing() -> None:
    code = """if True:
        import threading, types, sys
        from collision.native import ANSWERS
        answer, local = ANSWERS.floats(1 << 20), threading.local()
        local.answer, sys.modules["late"] = ANSWERS.floats(1 << 20), types.ModuleType("late")
        sys.modules["late"].answer = types.SimpleNamespace(answer=ANSWERS.floats(1 << 20))
        sys.modules["late"].answer.own = sys.modules["late"].answer
        sys.late = ANSWERS.floats(1 << 20)
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert (done.stdout, done.stderr) == ("", "")
