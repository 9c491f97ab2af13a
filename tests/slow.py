"""Which tests are slow: measured, not guessed. ``pytest -m "not slow"`` runs the others, some cases of nearly all.

``slow.txt`` has a line for each test function whose cases together take longer than a moment: how many of its cases
are quick enough together, and its name. The others of its cases are marked as slow. It is written anew by
``python -m pytest --write-slow``, in one process, which takes as long as all tests do. For some files alone, as in
``python -m pytest --write-slow tests/test_matrix.py``, the lines of all others stay.

Of a function with many slow cases, mostly one for each pair of kinds, every twelfth is tried, and the others are left
to ``--deep``. Which of them differs from function to function, so that every pair of kinds is tried by many functions.
Where no case stands for another, as of the pages for readers, a function is marked with ``every``, and none is left.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Container, Generator, Iterable
from pathlib import Path
from typing import TypeVar
from zlib import crc32

import pytest
from hypothesis import settings

T = TypeVar("T")

LIST = Path(__file__).with_name("slow.txt")

#: Seconds of the processor that the quick cases of a test function may take together.
MOMENT = 0.05

#: Of a function with at least so many slow cases, one of so many is tried without ``--deep``, and at least one.
MANY, SHARE = 3, 12


def function_of(item: pytest.Item) -> str:
    """Return the name of a test without its case."""
    return item.nodeid.partition("[")[0].partition("@")[0]


def mark(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Mark as slow what the list says, and return what is left to ``--deep``.

    Of a function with many cases, those that are quick are spread over all.
    """
    left: list[pytest.Item] = []
    lines = LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []
    quick = {name: int(count) for count, name in (line.split(" ", 1) for line in lines)}
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        cases[function_of(item)].append(item)
    for name in quick.keys() & cases.keys():
        count, kept = len(cases[name]), quick[name]
        for number, item in enumerate(cases[name]):
            if number * kept // count == (number - 1) * kept // count or not kept:
                item.add_marker("slow")
        slow = [item for item in cases[name] if item.get_closest_marker("slow")]
        if len(slow) >= MANY and not slow[0].get_closest_marker("every"):
            first = crc32(name.encode()) % min(SHARE, len(slow))
            left += [item for number, item in enumerate(slow) if number % SHARE != first]
    return left


def deep() -> bool:
    """Say whether this is a run with ``--deep``, for loops that are longer then."""
    return settings().max_examples == settings.get_profile("deep").max_examples


def one_in(step: int, cases: Iterable[object]) -> list[object]:
    """Return the cases of a function, of which a plain run tries one in so many, and ``--deep`` all.

    Examples
    --------
    >>> [bool(case.marks) for case in one_in(3, range(4))]
    [False, True, True, False]
    """
    values = [case if isinstance(case, tuple) else (case,) for case in cases]
    left = [[pytest.mark.deep] if number % step else [] for number in range(len(values))]
    return [pytest.param(*case, marks=marks) for case, marks in zip(values, left, strict=True)]


def some(step: int, cases: Iterable[T]) -> list[T]:
    """Return one in so many of what a test goes through in a loop, and all with ``--deep``.

    Examples
    --------
    >>> some(3, range(7))
    [0, 3, 6]
    """
    return [*cases][:: 1 if deep() else step]


class Measure:
    """Measures all tests of a run, and writes their lines of the list at its end."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Measure one, with the processes that it starts."""
        begin = _processor_time()
        result = yield
        self.seconds[function_of(item)].append(_processor_time() - begin)
        return result

    def pytest_sessionfinish(self) -> None:
        """Write the list; lines of files that were not run stay, and those of files that are gone do not."""
        kept = kept_lines(LIST.read_text(encoding="utf-8"), {file_of(name) for name in self.seconds})
        lines = [*kept, *lines_of(self.seconds)]
        LIST.write_text("".join(sorted(lines, key=lambda line: line.split(" ", 1)[1])), encoding="utf-8")


def file_of(name: str) -> str:
    """Return the file of a test function."""
    return name.partition("::")[0]


def kept_lines(text: str, measured: Container[str]) -> list[str]:
    r"""Return the lines of a list that are of files that are there and were not measured.

    Examples
    --------
    >>> kept_lines("0 tests/slow.py::one\n2 tests/cases.py::two\n0 tests/gone.py::three\n", {"tests/slow.py"})
    ['2 tests/cases.py::two\n']
    """
    files = [(file_of(line.split(" ", 1)[1]), line) for line in text.splitlines(keepends=True)]
    root = LIST.parents[1]
    return [line for file, line in files if file not in measured and (root / file).exists()]


def lines_of(seconds: dict[str, list[float]]) -> list[str]:
    r"""Return the lines of the list, by the seconds of each case of each function.

    Examples
    --------
    >>> lines_of({"quick": [0.02, 0.02], "some": [0.02] * 9, "slow": [2.0]})
    ['0 slow\n', '2 some\n']
    """
    slow = {name: cases for name, cases in seconds.items() if sum(cases) > MOMENT}
    return [f"{int(MOMENT * len(cases) / sum(cases) + 1e-9)} {name}\n" for name, cases in sorted(slow.items())]


def _processor_time() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system
