"""What object code in the cache depends on: the code and the values that a loop reaches, and nothing else."""

from __future__ import annotations

import math
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from collision.kernels import vec3
from collision.kernels.loops import LOOPS
from collision.kernels.vec3 import scale
from collision.native import FLOAT, Loop, kernel
from collision.native.compiler import toolchain
from collision.native.digest import dependencies

#: Two loops over three kernels, the deepest of which only one of them reaches.
SOURCE = '''
import math
from typing import NamedTuple
import numpy as np
from collision.native import kernel

WIDTH = 2.0
TURNS = (1, 2.5, "way")
single = np.float32

class Pair(NamedTuple):
    x: float
    y: float = 1.0

@kernel
def deep(x):
    """Return x wider."""
    return x * WIDTH

@kernel
def between(x):
    p = Pair(deep(x), 1.0)
    return p.x + p.y

@kernel
def beside(x):
    return math.sqrt(x) + TURNS[1] + np.int64(x)

def reaching(x):
    return between(x) + 1.0

def other(x):
    return beside(x) + 1.0

def made(inner, by):
    def loop(x):
        return inner(x) * by
    return loop

closed = made(between, 3.0)
'''


def digests(source: str) -> tuple[str, ...]:
    """Return the digests of the loops of a source: one that reaches the deepest kernel, one that does not, one made."""
    module = types.ModuleType("written_here")
    exec(compile(source, "written_here", "exec"), module.__dict__)
    return tuple(dependencies(getattr(module, name)).digest for name in ("reaching", "other", "closed"))


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("x * WIDTH", "x / WIDTH", (True, False, True)),
        ("x * WIDTH", "x * WIDTH * 1.0", (True, False, True)),
        ("WIDTH = 2.0", "WIDTH = 2", (True, False, True)),
        ("WIDTH = 2.0", "WIDTH = np.float64(2.0)", (True, False, True)),
        ("WIDTH = 2.0", "WIDTH = 2.0000000000000004", (True, False, True)),
        ("    x: float\n    y: float = 1.0", "    y: float\n    x: float = 1.0", (True, False, True)),
        ("y: float = 1.0", "y: float = 2.0", (True, False, True)),
        ("p.x + p.y", "p.y + p.x", (True, False, True)),
        ("TURNS = (1, 2.5", "TURNS = (1, 2.25", (False, True, False)),
        ("TURNS[1]", "TURNS[0]", (False, True, False)),
        ("math.sqrt", "math.cbrt", (False, True, False)),
        ("np.int64", "np.int32", (False, True, False)),
        ("np.int64", "single", (False, True, False)),
        ("between(x) + 1.0", "between(x) + 1", (True, False, False)),
        ("between(x) + 1.0", "between(x) + -0.0", (True, False, False)),
        ("made(between, 3.0)", "made(between, 4.0)", (False, False, True)),
        ("made(between, 3.0)", "made(deep, 3.0)", (False, False, True)),
        ("def reaching(x)", "def reaching(x, y=2.0)", (True, False, False)),
        # What does not count:
        ("Return x wider.", "Return x, but wider.", (False, False, False)),
        ("def between(x):\n", "def between(x):\n    # a comment\n\n", (False, False, False)),
        ("def between(x)", "def between(x: float) -> float", (False, False, False)),
        ("single = np.float32", "single = np.float64", (False, False, False)),
        ("def other", "def more(x):\n    return beside(x)\n\ndef other", (False, False, False)),
    ],
)
def test_a_digest_changes_with_what_is_reached_and_with_nothing_else(
    old: str, new: str, changes: tuple[bool, ...]
) -> None:
    assert old in SOURCE
    pairs = zip(digests(SOURCE), digests(SOURCE.replace(old, new)), strict=True)
    assert tuple(one != two for one, two in pairs) == changes


def test_a_docstring_that_code_reads_counts() -> None:
    source = 'def reaching(x):\n    "a"\n    return "a"\n\nother = closed = reaching\n'
    assert digests(source) != digests(source.replace('"a"', '"b"'))


def test_the_arguments_and_the_result_count() -> None:
    def loop(x: float) -> float:
        return x

    assert len({dependencies(loop, *more).digest for more in ((), ("int64",), ("float64",), (None,))}) == 4


def test_a_kernel_deep_down_changes_all_loops_that_reach_it_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    loops = {loop.name: loop for pair in LOOPS.values() for loop in pair}
    before = {name: dependencies(loop.function) for name, loop in loops.items()}
    assert len({found.digest for found in before.values()}) == len(loops), "two loops have the same digest"
    changed: Any = vec3.perpendicular
    reach = {name for name, found in before.items() if changed in found.kernels}
    assert set() < reach < set(loops)
    monkeypatch.setattr(changed, "function", lambda d: scale(d, 1.0))
    after = {name: dependencies(loop.function).digest for name, loop in loops.items()}
    assert {name for name in loops if after[name] != before[name].digest} == reach


def test_running_a_kernel_as_python_does_not_change_its_digest() -> None:
    function: Any = vec3.norm
    before = dependencies(function.function).digest
    for number in range(2000):  # Python rewrites bytecode that runs often
        vec3.norm(vec3.Vec3(float(number), 1.0, 0.0))
    assert dependencies(function.function).digest == before


def test_digests_are_the_same_in_every_process() -> None:
    code = (
        "from collision.queries.separation import LOOPS\n"
        "from collision.native.compiler import toolchain\n"
        "from collision.native.digest import dependencies\n"
        "print(*[dependencies(loop.function).digest for loop in LOOPS[2, 2]], toolchain())\n"
    )
    command = [sys.executable, "-c", code]
    root = Path(__file__).parent.parent
    printed = {subprocess.run(command, check=True, capture_output=True, cwd=root).stdout for _ in range(2)}
    assert printed == {
        (" ".join([*(dependencies(loop.function).digest for loop in LOOPS[2, 2]), toolchain()]) + "\n").encode()
    }


def test_the_toolchain_follows_numbas_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    before = toolchain()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert toolchain.__wrapped__() != before


class Half(NamedTuple):
    """A record that a kernel makes."""

    value: float


TABLE: Any = {"a": 1.0}
RECORD = Half(0.5)


def python(x: float) -> float:
    """Return a number, as Python alone."""
    return x


def refused() -> list[tuple[Callable[..., Any], str]]:
    """Return functions that use what no digest can follow, and the names of that."""
    table = TABLE
    inner = kernel(lambda x: x + table["a"])
    return [
        (lambda: TABLE["a"], "TABLE, a dict"),
        (lambda x: 1.0 + python(x), "python, a function"),
        (lambda: vec3.EPS, "vec3, a module"),
        (lambda: np_array[0], "np_array, a ndarray"),
        (lambda x: 1.0 + inner(x), "table, a dict"),
    ]


np_array = np.zeros(3)


@pytest.mark.parametrize("number", range(5))
def test_what_cannot_be_followed_is_refused(number: int) -> None:
    function, words = refused()[number]
    with pytest.raises(TypeError, match=f"uses {words}: compiled code can use"):
        dependencies(function)


def test_an_attribute_that_has_the_name_of_something_else_is_none_of_it() -> None:
    assert dependencies(lambda x: RECORD.value + x.python + x.TABLE).digest


def test_code_made_of_a_changed_kernel_is_not_kept_from_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLLISION_CACHE_DIR", str(tmp_path))
    inner: Any = kernel(lambda x: x + 1.0)
    outer = kernel(lambda x: math.sqrt(inner(x)))

    def answer() -> float:
        return Loop("test_changed", lambda x: 1.0 + outer(x), (FLOAT,), FLOAT).run(8.0)  # type: ignore[no-any-return]

    assert answer() == 4.0
    monkeypatch.setattr(inner, "function", lambda x: x + 8.0)
    assert answer() == 5.0
    monkeypatch.undo()
    monkeypatch.setenv("COLLISION_CACHE_DIR", str(tmp_path))
    assert answer() == 4.0
    assert len(list(tmp_path.rglob("test_changed-*.o"))) == 2
