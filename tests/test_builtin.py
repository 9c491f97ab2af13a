"""Loops that Python calls itself: what they take, what they refuse, and that they leave objects as they are."""

from __future__ import annotations

import gc
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from threading import Barrier

import numpy as np
import pytest

from collision import Shape, Sphere, intersects, signed_distance
from collision.native import FLOAT, FLOATS, INT, INTS, Floats, Ints, Loop, address, builtin
from collision.native.builtin import brief
from collision.queries import single
from collision.queries.single import BETWEEN
from collision.shapes.kinds import KINDS
from tests.sampling import batch


def _mixed(count: int, one: Ints, other: Floats, number: int) -> int:
    """Add up what is at three places, and a number."""
    total = number
    for k in range(count):
        total += one[k] + int(other[k])
    return total


MIXED = Loop("test_mixed", _mixed, (INT, INTS, FLOATS, INT), INT)


def _twelve(
    a: int, b: int, c: int, d: int, e: int, f: int, g: int, h: int, i: int, j: int, k: int, out: Ints
) -> None:  # fmt: skip
    out[0] = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k


TWELVE = Loop("test_twelve", _twelve, (*[INT] * 11, INTS))


@pytest.fixture(params=["by Python", "by ctypes"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Have calls made by Python, or as they are made where Python's objects look different."""
    monkeypatch.setattr(builtin, "IS_SO", request.param == "by Python")
    monkeypatch.setattr(single, "IS_SO", request.param == "by Python")
    return str(request.param)


def test_this_python_calls_loops_itself() -> None:
    free_threaded = not getattr(sys, "_is_gil_enabled", lambda: True)()
    assert (sys.implementation.name == "cpython" and not free_threaded) == builtin.IS_SO
    if builtin.IS_SO:
        assert type(MIXED.briefly).__name__ == "builtin_function_or_method"


def test_numbers_bytes_arrays_and_addresses_are_taken(way: str) -> None:
    call, ones, floats = brief(MIXED), np.array([1, 2, 3]), np.array([10.0, 20.0, 30.0])
    assert call(3, ones, floats, 1000) == 1066
    assert call(2, ones.tobytes(), floats.tobytes(), -1) == 32
    assert call(1, address(ones), floats[2:], -(1 << 62)) == 31 - (1 << 62)
    assert call(0, 0, 0, (1 << 63) - 1) == (1 << 63) - 1


def test_all_of_twelve_arguments_arrive(way: str) -> None:
    out = np.zeros(1, dtype=np.int64)
    brief(TWELVE)(*range(1, 12), out)
    assert out[0] == sum(k * k for k in range(1, 12))


@pytest.mark.skipif(not builtin.IS_SO, reason="ctypes makes the calls here")
@pytest.mark.parametrize(
    ("given", "error"),
    [
        ((0, None, None, 0), TypeError),
        ((0, 0, 0, 1.5), TypeError),
        ((0, 0, 0, "1"), TypeError),
        ((0, 0, 0, 1 << 64), OverflowError),
        ((), TypeError),
        ((0, 0, 0), TypeError),
        ((0, 0, 0, 0, 0), TypeError),
        (tuple(range(13)), TypeError),
    ],
)
def test_what_cannot_be_handed_to_a_loop_is_refused_before_it_runs(
    given: tuple[object, ...], error: type[Exception]
) -> None:
    with pytest.raises(error):
        MIXED.briefly(*given)


@pytest.mark.parametrize(
    ("arguments", "result"), [((INT, FLOAT), INT), ((INT,), FLOAT), ((INT,) * 13, INT)], ids=["a float", "one", "many"]
)
def test_loops_that_python_cannot_call_are_refused(way: str, arguments: tuple[str, ...], result: str) -> None:
    with pytest.raises(TypeError, match="the loop test_refused takes or returns floats, or takes over 12 arguments"):
        brief(Loop("test_refused", _mixed, arguments, result))


def test_code_stays_in_memory_as_long_as_what_calls_it(way: str) -> None:
    loop = Loop("test_mixed", _mixed, MIXED.arguments, MIXED.result)
    call, code = brief(loop), weakref.ref(loop.run)
    del loop
    gc.collect()
    assert code() is not None
    assert call(1, np.array([2]), np.array([3.0]), 4) == 9
    del call
    gc.collect()
    assert code() is None


def test_distances_are_the_same_by_both_ways(way: str) -> None:
    between = single.Between(0.0, BETWEEN._loop)
    for first, second in product(KINDS, KINDS):
        a, b = batch(first, 2, seed=3), batch(second, 2, seed=4)
        for x, y in product(a, b):
            assert x.single is not None
            assert y.single is not None
            expected = np.float64(between.first(x.single, y.single)).tobytes()
            assert np.float64(between.call(x.single, y.single)).tobytes() == expected
            assert np.asarray(signed_distance(x, y)).tobytes() == expected


def test_a_distance_nobody_has_asked_for_is_refused_and_then_known(way: str) -> None:
    between, a, b = single.Between(0.0, BETWEEN._loop), Sphere([0, 0, 0], 1), Sphere([3, 0, 0], 1)
    with pytest.raises(TypeError):
        between.call(a.single, b.single)
    assert a.single is not None
    assert b.single is not None
    assert between.first(a.single, b.single) == 1.0
    assert between.call(a.single, b.single) == 1.0
    for wrong in ((a.single, None), (Sphere([[0, 0, 0]], 1).single, b.single), ("text", b.single)):
        with pytest.raises(TypeError):
            between.call(*wrong)


@pytest.mark.skipif(not builtin.IS_SO, reason="ctypes makes the calls here")
def test_calls_keep_no_object_and_take_none() -> None:
    a, b = Sphere([0, 0, 0], 1), Sphere([3, 0, 0], 1)
    numbers, large = np.arange(3), 1 << 60
    signed_distance(a, b)
    watched = (a.single, b.single, numbers, large, None)
    before = [sys.getrefcount(one) for one in watched]
    results: list[object] = [BETWEEN.call(a.single, b.single) for _ in range(1000)]
    results += [MIXED.briefly(0, numbers, 0, large) for _ in range(1000)]
    results.append(object())
    assert len({sys.getrefcount(one) for one in (results[0], results[1500], results[-1])}) == 1
    del results
    for _ in range(1000):
        with pytest.raises(TypeError):
            BETWEEN.call(a.single, None)
    after = [sys.getrefcount(one) for one in watched]
    assert all(abs(now - then) < 100 for now, then in zip(after, before, strict=True))


def test_a_shape_of_a_batch_is_asked_as_it_is_alone() -> None:
    for kind in KINDS:
        shapes = batch(kind, 3, seed=5)
        alone = kind(**shapes[1].values())
        other = Sphere([0.3, 0.2, 0.1], 0.4)
        assert shapes[1].single is not None
        assert (
            np.asarray(signed_distance(shapes[1], other)).tobytes()
            == np.asarray(signed_distance(alone, other)).tobytes()
        )
        assert intersects(shapes[1], other) == intersects(alone, other)


def test_threads_that_ask_first_get_one_function_for_all_kinds(way: str) -> None:
    for _ in range(20):
        between, start = single.Between(0.0, BETWEEN._loop), Barrier(len(KINDS))

        def ask(kind: type[Shape], between: single.Between = between, start: Barrier = start) -> bool:
            shape, ball = batch(kind, 1, seed=6)[0], Sphere([0, 0, 0], 1)
            own, other = shape.single, ball.single
            assert own is not None
            assert other is not None
            start.wait()
            return between.first(own, other) == between.call(own, other)

        with ThreadPoolExecutor(len(KINDS)) as pool:
            assert list(pool.map(ask, KINDS)) == [True] * len(KINDS)


class Lookalike:
    """No shape, but with bytes where a shape has those that say what it is."""

    def __init__(self, single: bytes) -> None:
        self.single, self.batch_shape = single, ()


@pytest.mark.parametrize("own", [b"", b"1", bytes(8), bytes(200), b"\0!epahr\0" + bytes(80), b"\xff" * 64])
def test_bytes_that_are_not_of_a_shape_are_not_read_as_one(way: str, own: bytes) -> None:
    ball, other = Sphere([0, 0, 0], 1), Lookalike(own)
    assert signed_distance(ball, ball) == -2.0
    for a, b in ((ball, other), (other, ball), (other, other)):
        for query in (signed_distance, intersects):
            with pytest.raises(TypeError, match="takes two shapes"):
                query(a, b)  # type: ignore[arg-type]
    between = single.Between(0.0, BETWEEN._loop)
    assert ball.single
    assert between.first(ball.single, ball.single) == -2.0
    for given in ((ball.single, own), (own, ball.single), (own, own)):
        with pytest.raises(TypeError):
            between.call(*given)
