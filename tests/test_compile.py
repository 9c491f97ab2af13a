"""Compiled loops: built when needed, kept whole in the cache, and never stale or broken."""

from __future__ import annotations

import ctypes
import doctest
import hashlib
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collision.native import FLOAT, FLOATS, INT, CacheWarning, Loop, cache, compiler, in_parts, kernel, loops_of
from collision.native import loop as looping
from collision.native.cache import ObjectFile
from collision.native.compiler import ObjectCode
from tests.slow import one_in

ROOT = Path(__file__).parent.parent

#: Asks one question after the other, in the order of the words given, and says what was compiled for it.
ASK = """
import sys
from collision import Capsule, Segment, Sphere, contact, signed_distance
from collision.native import on_compile
on_compile.append(lambda name: print(name, file=sys.stderr))
ball, arm = Sphere([0, 0, 0], 1), Segment([1.5, 0, 0], [3, 0, 0])
questions = {
    "ball-ball": lambda: contact(ball, Sphere([1.5, 0, 0], 1)).depth,
    "ball-arm": lambda: contact(ball, arm).signed_distance,
    "distance": lambda: signed_distance(ball, arm),
}
print(*[float(questions[word]()) for word in sys.argv[1:]])
print("numba" in sys.modules)
"""


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let this process keep object code in a folder of its own."""
    monkeypatch.setenv("COLLISION_CACHE_DIR", str(tmp_path))
    return tmp_path


def compiling(cache: Path) -> dict[str, str]:
    """Return the environment of a process that takes nothing from a library, and keeps what it compiles in a folder."""
    return os.environ | {"COLLISION_CACHE_DIR": str(cache), "COLLISION_CODE": "compiled"}


@kernel
def half(x: float) -> float:
    """Return half of a number."""
    return 0.5 * x


def start(words: list[str], cache: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", ASK, *words]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=compiling(cache)
    )


def test_processes_that_fill_one_cache_at_once_compile_everything_once_and_leave_it_whole(tmp_path: Path) -> None:
    orders = [["ball-ball", "ball-arm", "distance"], ["distance", "ball-arm", "ball-ball"]]
    together = [start(words, tmp_path) for words in orders]
    compiled: Counter[str] = Counter()
    for process, words in zip(together, orders, strict=True):
        answers, names = process.communicate()
        assert answers.split()[:-1] == ["0.5"] * len(words)
        compiled += Counter(names.split())
    asked = [
        "checks",
        "point_point_record",
        "point_linear_record",
        "fast_distance",
        "point_linear_one",
    ]
    assert compiled == Counter(asked)
    later = start(orders[0], tmp_path)
    answers, names = later.communicate()
    assert later.returncode == 0, f"the cache they left is broken: exit code {later.returncode}"
    assert answers.split() == ["0.5", "0.5", "0.5", "False"], "loading should not need Numba"
    assert names == ""
    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.suffix for path in left} == {".o"}
    assert len(left) == len(asked)


def compiled_by(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list in which the names of the loops appear that are compiled from now on."""
    names: list[str] = []
    monkeypatch.setattr(looping, "on_compile", [names.append])
    return names


def test_a_damaged_file_is_compiled_again(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask() -> float:
        return float(Loop("damaged", lambda x: 2.0 * half(half(x)), (FLOAT,), FLOAT).run(8.0))

    compiled = compiled_by(monkeypatch)
    assert [ask(), ask()] == [4.0, 4.0]
    assert compiled == ["damaged"]
    (file,) = own_cache.rglob("damaged-*.o")
    whole = file.read_bytes()
    for damaged in (b"", whole[:-100], whole[:200] + b"x" + whole[201:]):
        file.write_bytes(damaged)
        compiled.clear()
        assert ask() == 4.0
        assert compiled == ["damaged"]
        digest, _, rest = file.read_bytes().partition(b"\n")
        assert digest.decode() == hashlib.sha256(rest).hexdigest()


def test_a_whole_file_of_another_loop_or_version_is_not_run(own_cache: Path) -> None:
    ObjectFile("one", "a" * 64).write(ObjectCode("symbol", b"code\nwith\nlines"))
    (file,) = own_cache.rglob("*.o")
    assert ObjectFile("one", "a" * 64).read() == ("symbol", b"code\nwith\nlines")
    whole = file.read_bytes()
    for name, digest in (("two", "a" * 64), ("one", "b" * 64), ("one", "a" * 20 + "b" * 44)):
        file.with_name(f"{name}-{digest[:20]}.o").write_bytes(whole)
        assert ObjectFile(name, digest).read() is None


@pytest.fixture
def no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Name a cache that cannot be written, and return the folder for what is temporary."""
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("COLLISION_CACHE_DIR", str(tmp_path / "file" / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def unkept() -> float:
    return float(Loop("unkept", lambda x: half(x) + 2.0, (FLOAT,), FLOAT).run(3.0))


def test_where_the_cache_cannot_be_written_a_temporary_one_is_kept(
    no_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = compiled_by(monkeypatch)
    with pytest.warns(CacheWarning, match="file/cache cannot be written; it is kept in .*COLLISION_CACHE_DIR names"):
        assert unkept() == 3.5
    assert unkept() == 3.5  # without a warning, which would be an error
    assert compiled == ["unkept"]
    (own,) = no_cache.glob("collision-viewer*")
    assert [path.suffix for path in own.rglob("*") if path.is_file()] == [".o"]
    assert os.name == "nt" or own.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name == "nt", reason="a user's temporary folder is the user's own there")
@pytest.mark.parametrize("of_others", ["mode", "link", "file"])
def test_what_others_could_have_written_is_not_run(
    no_cache: Path, monkeypatch: pytest.MonkeyPatch, of_others: str
) -> None:
    own = no_cache / f"collision-viewer-{os.getuid()}"
    if of_others == "file":
        own.write_text("")
    elif of_others == "link":
        (no_cache / "elsewhere").mkdir(mode=0o700)
        own.symlink_to(no_cache / "elsewhere")
    else:
        own.mkdir()
        own.chmod(0o777)
    compiled = compiled_by(monkeypatch)
    for _ in range(2):
        with pytest.warns(CacheWarning, match="every program compiles what it needs"):
            assert unkept() == 3.5
    assert compiled == ["unkept"] * 2
    assert not list(no_cache.rglob("*.o"))


def test_what_is_prepared_is_read_from_a_folder_that_cannot_be_written(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert unkept() == 3.5
    monkeypatch.setattr(cache, "_made", lambda folder: False)  # to the user that runs the tests all may be open
    compiled = compiled_by(monkeypatch)
    assert unkept() == 3.5
    assert compiled == []


def test_a_user_without_a_home_has_a_temporary_cache(tmp_path: Path) -> None:
    code = """
import os, sys
os.environ.pop("HOME", None)
if os.name != "nt":
    import pwd
    def nobody(number): raise KeyError(number)
    pwd.getpwuid = nobody
from collision.native import cache
print(cache.usual_folder(), cache.writable_folder("x"))
"""
    variables = ("HOME", "COLLISION_CACHE_DIR", "USERPROFILE", "LOCALAPPDATA")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", *variables))}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment | {"TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    if os.name != "nt":  # which knows it without these
        assert done.stdout.split() == ["None", str(tmp_path / f"collision-viewer-{os.getuid()}" / "x")]


def test_all_loops_are_found_that_can_be_compiled_beforehand() -> None:
    code = """
import gc
from collision.native import Loop, loops_of
found = {id(loop) for loop in loops_of("collision")}
import viewer.studio.app, viewer.studio.pictures, viewer.cli
print(*[thing.name for thing in gc.get_objects() if type(thing) is Loop and id(thing) not in found], len(found) > 80)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"]


def test_where_nothing_compiles_the_same_loops_are_found() -> None:
    """An installed package has what compiles as modules, and not what these need: ``warm-up`` finds nothing to do."""
    code = """
import sys
from collision.native import loops_of
sys.modules |= {"numba": None, "llvmlite": None}
print(*[loop.name for loop in loops_of("collision", all_installed=False)])
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [loop.name for loop in loops_of("collision")]


def test_every_version_has_files_of_its_own_and_old_ones_go(own_cache: Path) -> None:
    for number in range(20):
        old = own_cache / f"{number:020x}"
        old.mkdir()
        os.utime(old, (number, number))
    (own_cache / "not ours").mkdir()
    assert Loop("newest", lambda x: half(x) + 3.0, (FLOAT,), FLOAT).run(3.0) == 4.5
    left = sorted(path.name for path in own_cache.iterdir())
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


def test_kernels_run_as_python_and_as_machine_code(own_cache: Path) -> None:
    loop = Loop("test_half", lambda x: half(x) + 1.0, (FLOAT,), FLOAT)
    assert half(3.0) == 1.5
    assert loop.run(3.0) == 2.5
    assert half.__doc__ == "Return half of a number."


def test_a_file_copied_over_another_is_compiled_again(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def loops() -> tuple[Loop, Loop]:
        return Loop("one", lambda x: 2.0 * half(half(x)), (FLOAT,), FLOAT), Loop(
            "two", lambda x: x + 1.0, (FLOAT,), FLOAT
        )

    assert [loop.run(8.0) for loop in loops()] == [4.0, 9.0]
    (one,), (two,) = own_cache.rglob("one-*.o"), own_cache.rglob("two-*.o")
    shutil.copy(one, two)
    compiled = compiled_by(monkeypatch)
    assert [loop.run(8.0) for loop in loops()] == [4.0, 9.0]
    assert compiled == ["two"]


def by_machine(values: list[list[float]], pipeline: Any) -> list[float]:
    """Return what a loop, compiled now, answers."""
    inner: Any = half
    inner.renew(f"by {pipeline}")  # it is compiled the same way
    mean = kernel(lambda a, b: max(half(a + b), a, 0.25))
    loop = Loop(f"test_{pipeline is None}", lambda a, b: math.sqrt(mean(a, b)) / a, (FLOAT, FLOAT), FLOAT)
    return [loop.run(*pair) for pair in values]


def test_either_way_through_numba_comes_to_the_same(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    short = compiler._pipeline()
    assert short is not None, "this version of Numba has no short way"
    values = np.random.default_rng(0).normal(size=(50, 2)).tolist()
    monkeypatch.setattr(compiler, "_pipeline", lambda: short)
    answers = by_machine(values, short)
    monkeypatch.setattr(compiler, "_pipeline", lambda: None)
    assert by_machine(values, None) == answers
    assert len(set(answers)) == 50


def test_a_numba_without_the_short_way_is_asked_for_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "_OVERRIDDEN", ("finalize", "_renamed"))
    assert compiler._pipeline.__wrapped__() is None


def test_what_a_user_compiles_carelessly_is_no_part_of_loops(own_cache: Path) -> None:
    import numba

    compiler.assembled(_larger, (FLOAT, FLOAT), FLOAT)
    careless: Any = numba.njit(fastmath=True)(_larger)
    assert careless(1.0, 2.0) == 2.0
    assert "fast" in next(iter(careless.inspect_llvm().values()))
    made = compiler.assembled(_larger, (FLOAT, FLOAT), FLOAT)
    assert not re.search(r"\bfast\b", "\n".join(made.parts))


def _larger(a: float, b: float) -> float:
    return max(a, b)


def test_code_that_needs_a_running_numba_is_refused(own_cache: Path) -> None:
    with pytest.raises(RuntimeError, match=r"(?s)the loop test_allocates cannot be compiled: .*zeros"):
        _ = Loop("test_allocates", lambda n, out: np.zeros(n).sum(), (INT, FLOATS), FLOAT).run
    with pytest.raises(RuntimeError, match=r"the loop test_sine is not freestanding: it calls sin$"):
        _ = Loop("test_sine", lambda x: math.sin(x) + 1.0, (FLOAT,), FLOAT).run
    assert not [path for path in own_cache.rglob("*") if path.is_file()]


def test_work_in_parts_covers_everything_once_in_order() -> None:
    for count in (0, 1, 10, 1000, 1001):
        parts = in_parts(lambda first, last: list(range(first, last)), count, 100)
        assert [i for part in parts for i in part] == list(range(count))


def test_threads_that_ask_first_get_the_same_answer(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = compiled_by(monkeypatch)
    loop = Loop("test_threads", lambda x: half(x) * 4.0, (FLOAT,), FLOAT)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda x: loop.run(float(x)), range(64))) == [2.0 * x for x in range(64)]
    assert compiled == ["test_threads"]


def test_code_stays_in_memory_as_long_as_it_can_be_called(own_cache: Path) -> None:
    run = Loop("test_kept", lambda x: half(x) * 2.0, (FLOAT,), FLOAT).run  # the loop itself is gone
    assert run(3.0) == 3.0


def test_a_lock_of_a_process_that_ended_blocks_nobody(own_cache: Path) -> None:
    file = ObjectFile("one", "a" * 64)
    code = "from collision.native.cache import ObjectFile; import os, time\n"
    code += "with ObjectFile('one', 'a' * 64).locked():\n    print('locked', flush=True)\n    time.sleep(600)"
    holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=ROOT)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"locked\n"
    threading.Timer(0.5, holder.kill).start()
    begin = time.monotonic()
    with file.locked():
        assert time.monotonic() - begin > 0.3, "somebody else had it"
    holder.communicate()
    assert time.monotonic() - begin < 0.5 * cache._PATIENCE


def test_waiting_for_a_process_that_does_not_go_on_has_an_end(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_PATIENCE", 0.2)
    with ObjectFile("one", "a" * 64).locked():
        begin = time.monotonic()
        with ObjectFile("one", "a" * 64).locked():
            assert 0.2 <= time.monotonic() - begin < 10.0
        with ObjectFile("two", "a" * 64).locked():
            pass


def test_only_the_newest_versions_of_a_loop_are_kept(own_cache: Path) -> None:
    for number in range(20):
        ObjectFile("one", f"{number:064x}"[::-1]).write(ObjectCode("symbol", b"code"))
        newest = max(own_cache.rglob("*.o"), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (number, number))
    ObjectFile("one-more", "a" * 64).write(ObjectCode("symbol", b"code"))
    left = [path.name for path in own_cache.rglob("*.o")]
    assert len(left) == 17
    assert [name for name in left if name.startswith("one-more")]
    assert ObjectFile("one", f"{19:064x}"[::-1]).read() is not None
    assert ObjectFile("one", f"{0:064x}"[::-1]).read() is None


#: Forks while another thread is compiling, and lets the child compile, load and ask.
FORK = """
import os, sys, threading
from collision import AABB, Capsule, Sphere, signed_distance
from collision.native import on_compile
box = AABB([2, -1, -1], [3, 1, 1])
def ask(shape):
    return float(signed_distance(shape, box))
begun, names = threading.Event(), []
on_compile.append(lambda name: names.append(name) or len(names) == int(sys.argv[1]) and begun.set())
thread = threading.Thread(target=lambda: (ask(Sphere([0, 0, 0], 1)), ask(Capsule([0, 0, 0], [0, 0, 1], 1))))
thread.start()
begun.wait()
child = os.fork()
answers = (child == 0, ask(Sphere([0, 0, 0], 2)), ask(Capsule([0, 0, 0], [0, 0, 1], 1)))
os.write(1, (" ".join(map(str, answers)) + "\\n").encode())
if child == 0:
    os._exit(0)
thread.join()
sys.exit(os.waitpid(child, 0)[1])
"""


@pytest.mark.deep
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")
@pytest.mark.parametrize("number", one_in(2, [2, 1]))  # of the loop that is being compiled
def test_a_child_forked_while_another_thread_compiles_goes_on(number: int, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-c", FORK, str(number)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=compiling(tmp_path), start_new_session=True
    )
    try:
        printed, _ = process.communicate(timeout=240)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        pytest.fail("a process hangs")
    assert process.returncode == 0
    assert sorted(printed.splitlines()) == ["False 0.0 1.0", "True 0.0 1.0"]


def test_bulk_work_lets_other_threads_run() -> None:
    # Only the fast call keeps the interpreter to itself, and that is short.
    from collision.kernels.loops import LOOPS

    flags = {loop: loop.run._flags_ for loop in LOOPS[0, 0]}
    python_api = ctypes.pythonapi._FuncPtr._flags_ & ~ctypes.CDLL(None)._FuncPtr._flags_
    assert [bool(flags[loop] & python_api) for loop in LOOPS[0, 0]] == [False] * 3


def test_the_page_on_machine_code_is_true(own_cache: Path) -> None:
    page = ROOT / "collision" / "native" / "README.md"
    failed, tried = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert not failed
    assert tried > 10
