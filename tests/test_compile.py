"""Compiled loops: built when needed, kept whole in the cache, and never stale or broken."""

from __future__ import annotations

import ctypes
import hashlib
import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collision.native import compile as compiling
from collision.native.compile import FLOAT, FLOATS, INT, Loop, in_parts, kernel

ROOT = Path(__file__).parent.parent

#: Asks one question after the other, in the order of the words given, and says what was compiled for it.
ASK = """
import sys
from collision import Capsule, Segment, Sphere, contact, signed_distance
from collision.native import compile as compiling
compiling.on_compile.append(lambda name: print(name, file=sys.stderr))
ball, arm = Sphere([0, 0, 0], 1), Segment([1.5, 0, 0], [3, 0, 0])
questions = {
    "ball-ball": lambda: contact(ball, Sphere([1.5, 0, 0], 1)).depth,
    "ball-arm": lambda: contact(ball, arm).signed_distance,
    "distance": lambda: signed_distance(ball, arm),
}
print(*[float(questions[word]()) for word in sys.argv[1:]])
print("numba" in sys.modules)
"""


def start(words: list[str], cache: Path) -> subprocess.Popen[str]:
    environment = os.environ | {"COLLISION_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", ASK, *words]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment
    )


def test_processes_that_fill_one_cache_at_once_leave_it_whole(tmp_path: Path) -> None:
    orders = [["ball-ball", "ball-arm", "distance"], ["distance", "ball-arm", "ball-ball"]]
    together = [start(words, tmp_path) for words in orders]
    for process in together:
        answers, _ = process.communicate()
        assert answers.split() == ["0.5", "0.5", "0.5", "True"]
    later = start(orders[0], tmp_path)
    answers, compiled = later.communicate()
    assert later.returncode == 0, f"the cache they left is broken: exit code {later.returncode}"
    assert answers.split() == ["0.5", "0.5", "0.5", "False"], "loading should not need Numba"
    assert compiled == ""
    assert not list(tmp_path.rglob("*.tmp"))


def test_a_damaged_file_is_compiled_again(tmp_path: Path) -> None:
    assert start(["distance"], tmp_path).communicate()[1] == "checks\npoint_linear_one\n"
    (file,) = tmp_path.rglob("point_linear_one.o")
    whole = file.read_bytes()
    for damaged in (b"", whole[:-100], whole[:200] + b"x" + whole[201:]):
        file.write_bytes(damaged)
        answers, compiled = start(["distance"], tmp_path).communicate()
        assert answers.split()[0] == "0.5"
        assert compiled == "point_linear_one\n"
        digest, _, rest = file.read_bytes().partition(b"\n")
        assert digest.decode() == hashlib.sha256(rest).hexdigest()


def test_a_cache_that_cannot_be_written_does_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    answers, _ = start(["distance"], tmp_path / "file" / "cache").communicate()
    assert answers.split()[0] == "0.5"


def test_every_version_has_files_of_its_own_and_old_ones_go(tmp_path: Path) -> None:
    for number in range(20):
        old = tmp_path / f"{number:020x}"
        old.mkdir()
        os.utime(old, (number, number))
    (tmp_path / "not ours").mkdir()
    start(["distance"], tmp_path).communicate()
    left = sorted(path.name for path in tmp_path.iterdir())
    assert len(left) == 17
    assert "not ours" in left
    assert f"{19:020x}" in left
    assert f"{0:020x}" not in left


def test_importing_compiles_and_loads_nothing(tmp_path: Path) -> None:
    code = "import sys, collision; sys.exit('numba' in sys.modules)"
    subprocess.run(
        [sys.executable, "-c", code], check=True, cwd=ROOT, env=os.environ | {"COLLISION_CACHE_DIR": str(tmp_path)}
    )
    assert not list(tmp_path.iterdir())


@kernel
def half(x: float) -> float:
    """Return half of a number."""
    return 0.5 * x


def test_kernels_run_as_python_and_as_machine_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_folder", lambda package: tmp_path)
    loop = Loop("test_half", lambda x: half(x) + 1.0, (FLOAT,), FLOAT)  # type: ignore[no-any-return]
    assert half(3.0) == 1.5
    assert loop.run(3.0) == 2.5
    assert half.__doc__ == "Return half of a number."


def by_machine(values: list[list[float]], pipeline: Any) -> list[float]:
    """Return what a loop, compiled now, answers."""
    mean = kernel(lambda a, b: max(half(a + b), a, 0.25))
    loop = Loop(f"test_{pipeline is None}", lambda a, b: math.sqrt(mean(a, b)) / a, (FLOAT, FLOAT), FLOAT)
    return [loop.run(*pair) for pair in values]


def test_either_way_through_numba_comes_to_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_folder", lambda package: tmp_path)
    short = compiling._pipeline()
    assert short is not None, "this version of Numba has no short way"
    values = np.random.default_rng(0).normal(size=(50, 2)).tolist()
    monkeypatch.setattr(compiling, "_pipeline", lambda: short)
    answers = by_machine(values, short)
    monkeypatch.setattr(compiling, "_pipeline", lambda: None)
    assert by_machine(values, None) == answers
    assert len(set(answers)) == 50


def test_a_numba_without_the_short_way_is_asked_for_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_LEFT_OUT", ("_optimize_functions", "_renamed"))
    assert compiling._pipeline.__wrapped__() is None


def test_code_that_needs_a_running_numba_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_folder", lambda package: tmp_path)
    with pytest.raises(RuntimeError, match=r"the loop test_allocates is not freestanding: it calls .*NRT"):
        _ = Loop("test_allocates", lambda n, out: np.zeros(n).sum(), (INT, FLOATS), FLOAT).run
    assert not list(tmp_path.iterdir())


def test_work_in_parts_covers_everything_once_in_order() -> None:
    for count in (0, 1, 10, 1000, 1001):
        parts = in_parts(lambda first, last: list(range(first, last)), count, 100)
        assert [i for part in parts for i in part] == list(range(count))


def test_threads_that_ask_first_get_the_same_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_folder", lambda package: tmp_path)
    compiled: list[str] = []
    monkeypatch.setattr(compiling, "on_compile", [compiled.append])
    loop = Loop("test_threads", lambda x: half(x) * 4.0, (FLOAT,), FLOAT)  # type: ignore[no-any-return]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda x: loop.run(float(x)), range(64))) == [2.0 * x for x in range(64)]
    assert compiled == ["test_threads"]


def test_bulk_work_lets_other_threads_run() -> None:
    # Only a call without a look at its arguments keeps the interpreter to itself, and those are short.
    from collision.separation import LOOPS

    flags = {loop: loop.run._flags_ for loop in LOOPS[0, 0]}
    python_api = ctypes.pythonapi._FuncPtr._flags_ & ~ctypes.CDLL(None)._FuncPtr._flags_
    assert [bool(flags[loop] & python_api) for loop in LOOPS[0, 0]] == [False, False, True]
