"""Attributes that are kept: computed once, and one for all threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from collision.base.cached import cached_property


class Slow:
    """Something with an attribute that two threads compute at the same time."""

    def __init__(self) -> None:
        self.barrier, self.computed = Barrier(2), 0

    @cached_property
    def value(self) -> object:
        """A new object."""
        self.barrier.wait(10.0)
        self.computed += 1
        return object()


def test_the_first_value_stays_where_two_threads_compute_one() -> None:
    slow = Slow()
    with ThreadPoolExecutor(2) as pool:
        one, other = pool.map(lambda _: slow.value, range(2))
    assert slow.computed == 2
    assert one is other is slow.value
    assert slow.computed == 2  # it is kept


def test_it_can_be_dropped_and_is_computed_again() -> None:
    slow = Slow()
    slow.barrier = Barrier(1)
    first = slow.value
    assert slow.value is first
    del slow.__dict__["value"]
    assert slow.value is not first
    assert slow.computed == 2
    assert isinstance(Slow.value, cached_property)
