"""Many small cases in one test: all are tried, and those that fail are named."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import TypeVar

import pytest

T = TypeVar("T")


def each(argument: str, values: Iterable[object]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Have one test try each value of an argument, as many small cases.

    Examples
    --------
    >>> @each("number", [2, 3])
    ... def test(number: int) -> None:
    ...     assert number % 2 == 0, "odd"
    >>> test()
    Traceback (most recent call last):
        ...
    AssertionError: 1 of 2 cases fail
    3: odd
    """
    every = list(values)

    def of(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def tries_each(**given: object) -> None:
            check_each(every, lambda value: test(**given, **{argument: value}), repr)

        told = signature(test)
        left = [parameter for name, parameter in told.parameters.items() if name != argument]
        tries_each.__signature__ = told.replace(parameters=left)  # type: ignore[attr-defined]
        return tries_each

    return of


def check_each(cases: Iterable[T], check: Callable[[T], object], name: Callable[[T], str] = str) -> None:
    """Check every case, and fail with the names of those that fail and the trace of the first.

    A test of its own costs pytest more than such a check does; it is for cases that somebody may want to run alone.

    Examples
    --------
    >>> def is_even(number: int) -> None:
    ...     assert number % 2 == 0, "odd"
    >>> check_each([2, 4], is_even)
    >>> check_each([2, 3, 5], is_even)
    Traceback (most recent call last):
        ...
    AssertionError: 2 of 3 cases fail
    3: odd
    5: odd
    """
    cases = list(cases)
    failures: dict[str, BaseException] = {}
    for case in cases:
        try:
            check(case)
        except (Exception, pytest.fail.Exception) as failure:
            failures[name(case)] = failure
    assert cases, "there is no case"
    if failures:
        lines = "\n".join(f"{case}: {failure}" for case, failure in failures.items())
        raise AssertionError(f"{len(failures)} of {len(cases)} cases fail\n{lines}") from next(iter(failures.values()))
