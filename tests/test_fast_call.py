"""The fast call: the same distances as through ctypes, refusals of all else, and objects left as they are."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from threading import Barrier

import numpy as np
import pytest

from collision import Shape, Sphere, intersects, signed_distance
from collision.queries import distances, fast_call
from collision.queries.fast_call import DISTANCE, IS_ACTIVE, TESTED_PYTHONS, PairDistance
from collision.shapes.kinds import KINDS
from tests.sampling import batch

WAYS = [
    pytest.param(True, marks=pytest.mark.skipif(not IS_ACTIVE, reason="this Python is not known"), id="fast"),
    pytest.param(False, id="ctypes"),
]


@pytest.fixture(params=WAYS)
def fast(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Have distances asked by the fast call, or through ctypes."""
    for name in ("DISTANCE", "DISTANCE_TOUCHING"):
        known = getattr(distances, name)
        monkeypatch.setattr(distances, name, PairDistance(known._tolerance, known._loop, fast=request.param))
    return bool(request.param)


def packed(shape: Shape) -> bytes:
    assert shape.packed is not None
    return shape.packed


def test_it_is_active_on_the_pythons_that_are_known_alone() -> None:
    free_threaded = not getattr(sys, "_is_gil_enabled", lambda: True)()
    known = sys.implementation.name == "cpython" and sys.version_info[:2] in TESTED_PYTHONS
    assert (known and not free_threaded) == IS_ACTIVE
    signed_distance(Sphere([0, 0, 0], 1), Sphere([3, 0, 0], 1))
    assert (type(DISTANCE.call).__name__ == "builtin_function_or_method") == IS_ACTIVE
    assert fast_call.pair_call().startswith("a fast call" if IS_ACTIVE else "ctypes")


def test_distances_are_the_bits_of_batches_by_both_ways(fast: bool) -> None:
    for first, second in product(KINDS, KINDS):
        a, b = batch(first, 2, seed=3), batch(second, 2, seed=4)
        many, touching = signed_distance(a, b), intersects(a, b)
        for k in range(2):
            for _ in range(2):  # the first question makes ready for the second
                assert np.asarray(signed_distance(a[k], b[k])).tobytes() == many[k].tobytes()
                assert intersects(a[k], b[k]) == touching[k]


def test_a_distance_nobody_has_asked_for_is_refused_and_then_known(fast: bool) -> None:
    between, a, b = PairDistance(0.0, DISTANCE._loop, fast=fast), Sphere([0, 0, 0], 1), Sphere([3, 0, 0], 1)
    with pytest.raises(TypeError):
        between.call(packed(a), packed(b))
    assert between.first(packed(a), packed(b)) == 1.0
    assert between.call(packed(a), packed(b)) == 1.0
    for wrong in ((packed(a), None), (Sphere([[0, 0, 0]], 1).packed, packed(b)), ("text", packed(b))):
        with pytest.raises(TypeError):
            between.call(*wrong)


@pytest.mark.skipif(not IS_ACTIVE, reason="this Python is not known")
def test_other_numbers_of_arguments_are_refused() -> None:
    shape = Sphere([0, 0, 0], 1)
    own = packed(shape)
    call = PairDistance(0.0, DISTANCE._loop)
    call.first(own, own)
    for given in ((), (own,), (own, own, own)):
        with pytest.raises(TypeError):
            call.call(*given)


@pytest.mark.skipif(not IS_ACTIVE, reason="this Python is not known")
def test_calls_keep_no_object_and_take_none() -> None:
    shapes = Sphere([0, 0, 0], 1), Sphere([3, 0, 0], 1)
    a, b = map(packed, shapes)
    call = PairDistance(0.0, DISTANCE._loop)
    call.first(a, b)
    watched = (a, b, None)
    before = [sys.getrefcount(one) for one in watched]
    results: list[object] = [call.call(a, b) for _ in range(1000)]
    results.append(object())
    assert sys.getrefcount(results[0]) == sys.getrefcount(results[-1])
    del results
    for _ in range(1000):
        with pytest.raises(TypeError):
            call.call(a, None)
    after = [sys.getrefcount(one) for one in watched]
    assert all(abs(now - then) < 100 for now, then in zip(after, before, strict=True))


def test_a_shape_of_a_batch_is_asked_as_it_is_alone(fast: bool) -> None:
    for kind in KINDS:
        shapes = batch(kind, 3, seed=5)
        alone, other = kind(**shapes[1].values()), Sphere([0.3, 0.2, 0.1], 0.4)
        one, two = (np.asarray(signed_distance(shape, other)) for shape in (shapes[1], alone))
        assert one.tobytes() == two.tobytes()
        assert intersects(shapes[1], other) == intersects(alone, other)


def test_threads_that_ask_first_all_get_an_answer(fast: bool) -> None:
    ball = Sphere([0, 0, 0], 1)
    for number in range(20):
        start = Barrier(len(KINDS))

        def ask(kind: type[Shape], start: Barrier = start, number: int = number) -> bool:
            shape = batch(kind, 1, seed=number)[0]
            start.wait()
            return bool(signed_distance(shape, ball) == signed_distance(shape, ball))

        with ThreadPoolExecutor(len(KINDS)) as pool:
            assert list(pool.map(ask, KINDS)) == [True] * len(KINDS)


class Lookalike:
    """No shape, but with bytes where a shape has those that say what it is."""

    def __init__(self, own: bytes) -> None:
        self.packed, self.batch_shape = own, ()


@pytest.mark.parametrize("own", [b"", b"1", bytes(8), bytes(16), bytes(200), b"\0!epahr\0" + bytes(8), b"\xff" * 16])
def test_bytes_that_are_not_of_a_shape_are_not_read_as_one(fast: bool, own: bytes) -> None:
    ball, other = Sphere([0, 0, 0], 1), Lookalike(own)
    assert signed_distance(ball, ball) == -2.0
    for a, b in ((ball, other), (other, ball), (other, other)):
        for query in (signed_distance, intersects):
            with pytest.raises(TypeError, match="takes two shapes"):
                query(a, b)  # type: ignore[arg-type]
