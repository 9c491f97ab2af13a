"""What is compiled when the package is built: freestanding, never another's, with the bits of code made on demand."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from collision.native import (
    CODE_VARIABLE,
    FLOAT,
    Loop,
    ahead,
    built_library,
    kernel,
    library,
    linking,
    loops_of,
)
from collision.native.compiler import C_LIBRARY
from collision.native.library import Manifest, NoCodeError, WrongLibraryError
from collision.native.linking import SYSTEMS, Target, own_target
from tests.cases import check_each
from tests.object_files import undefined
from tests.slow import some

ROOT = Path(__file__).parent.parent

#: What of a package is compiled here in a plain run: a part that is quick to compile.
FEW = ("collision.shapes.operands", "collision.broadphase.tree", "collision.kernels.core")

#: What a system's own library has: on Windows what lets a large stack grow page by page, on macOS what clears memory.
SYSTEM_LIBRARY = {"___chkstk_ms", "_fltused", "__bzero", "bzero"}

#: All of this is about one library, which is built once.
pytestmark = [
    pytest.mark.xdist_group("library"),
    pytest.mark.skipif(own_target() is None, reason="nothing is compiled ahead for this system"),
]


def target() -> Target:
    found = own_target()
    assert found is not None
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """Return the folder of a library: of a few loops, with ``--deep`` of all."""
    folder = tmp_path_factory.mktemp("library")
    packages = ("collision",) if pytestconfig.getoption("--deep") else FEW
    try:
        ahead.build(folder, packages, target())
    except linking.NoLinkerError as error:
        pytest.skip(str(error))
    return folder


@pytest.fixture
def installed(built: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Take the library for that of an installed package."""
    monkeypatch.setattr(library, "INSTALLED", built)
    monkeypatch.delenv(CODE_VARIABLE, raising=False)
    built_library.cache_clear()
    yield built
    built_library.cache_clear()


def test_a_library_calls_nothing_that_not_every_process_has(built: Path) -> None:
    manifest = Manifest.read(built)
    assert manifest.baseline == target().baseline
    if manifest.file.endswith(".so"):
        assert undefined((built / manifest.file).read_bytes()) <= C_LIBRARY
    for path in (built / "objects").glob("*.o"):
        if sys.platform != "win32":
            assert undefined(path.read_bytes()) <= C_LIBRARY


def test_code_for_every_system_is_freestanding(pytestconfig: pytest.Config) -> None:
    module = ahead.module_of(loops_of(*(("collision",) if pytestconfig.getoption("--deep") else FEW)))

    def check(wanted: Target) -> None:
        assert undefined(ahead.code_for(module, wanted)) <= C_LIBRARY | SYSTEM_LIBRARY

    check_each(some(2, SYSTEMS.values()), check)


def test_a_library_that_calls_anything_else_is_not_made() -> None:
    import numba

    allocating = Loop("test_allocates", lambda x: [x, x][int(x)], (FLOAT,), FLOAT)
    with pytest.raises((RuntimeError, numba.core.errors.NumbaError)):
        ahead.code_for(ahead.module_of([allocating]), target())


def test_loops_of_an_installed_package_are_taken_from_its_library(
    installed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLLISION_CACHE_DIR", str(tmp_path))
    found = built_library()
    assert found is not None
    assert not found.left
    for loop in loops_of(*FEW):
        anew = Loop(loop.name, loop.function, loop.arguments, loop.result)
        assert anew.address == ctypes.cast(found.code[f"collision_{loop.name}"], ctypes.c_void_p).value
    assert not [*tmp_path.rglob("*")]


@kernel
def third(x: float) -> float:
    """Return a third of a number."""
    return x / 3.0


def test_what_a_checkout_has_changed_since_is_compiled(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "LEFT", installed)
    monkeypatch.setattr(library, "INSTALLED", installed / "nowhere")
    found = built_library()
    assert found is not None
    assert found.left
    (loop, *_) = loops_of(FEW[-1])
    assert loop.is_in(found)
    assert not Loop(loop.name, lambda x: 1.0 + third(x), loop.arguments, loop.result).is_in(found)
    assert not Loop(loop.name, loop.function, loop.arguments[1:], loop.result).is_in(found)
    assert not Loop("another", loop.function, loop.arguments, loop.result).is_in(found)
    for name, other in (("bytecode", "cpython-27"), ("system", "amiga"), ("compilers", "0")):
        with monkeypatch.context() as changed:
            changed.setattr(library, name, lambda other=other: other)
            built_library.cache_clear()
            assert built_library() is None, f"made by another {name}, and taken"


def test_a_library_of_another_version_or_machine_is_refused(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Manifest.read(installed)
    features = library._features() | {"WIDER": False}
    monkeypatch.setattr(library, "_features", lambda: features)
    try:
        for wrong, message in (
            (whole._replace(checksum=0), "is damaged, or of another version; installing it anew mends that"),
            (whole._replace(file="no.so"), "cannot be used: .* No such file"),
            (whole._replace(needs=["WIDER"]), f"processors with {whole.baseline}, and this is none"),
        ):
            wrong.write(installed)
            built_library.cache_clear()
            with pytest.raises(WrongLibraryError, match=message):
                built_library()
    finally:
        whole.write(installed)


@pytest.mark.parametrize("text", ["", "{}", '{"python": "0", "system":', '{"file": ["generic", "a.so"]}', "[1]"])
def test_a_list_of_loops_of_another_version_is_refused_or_passed_over(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / library.MANIFEST).write_text(text, encoding="utf-8")
    monkeypatch.delenv(CODE_VARIABLE, raising=False)
    monkeypatch.setattr(library, "INSTALLED", tmp_path)
    with pytest.raises(WrongLibraryError, match=rf"{library.MANIFEST} cannot be used: .*; installing it anew"):
        built_library.__wrapped__()
    monkeypatch.setattr(library, "LEFT", tmp_path)
    monkeypatch.setattr(library, "INSTALLED", tmp_path / "nowhere")
    assert built_library.__wrapped__() is None


def test_the_environment_says_which_code_runs(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for wanted, there in (("", True), ("compiled", False)):
        monkeypatch.setenv(CODE_VARIABLE, wanted)
        built_library.cache_clear()
        assert (built_library() is not None) == there
    monkeypatch.setenv(CODE_VARIABLE, "vax")
    built_library.cache_clear()
    with pytest.raises(NoCodeError, match=r"^COLLISION_CODE is 'vax'; expected compiled, or nothing$"):
        built_library()


@pytest.mark.parametrize("harm", ["cut short", "changed"])
@pytest.mark.parametrize("left", [True, False])
def test_a_library_that_is_damaged_is_not_opened(
    harm: str, left: bool, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would end the program (SIGBUS) when what is missing is needed."""
    shutil.copytree(built, tmp_path / "library", ignore=shutil.ignore_patterns("objects", "again"))
    monkeypatch.delenv(CODE_VARIABLE, raising=False)
    monkeypatch.setattr(library, "LEFT", tmp_path / "library")
    monkeypatch.setattr(library, "INSTALLED", tmp_path / ("nowhere" if left else "library"))
    opened: list[str] = []
    monkeypatch.setattr(ctypes, "CDLL", opened.append)
    path = tmp_path / "library" / Manifest.read(built).file
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(path.read_bytes()[:-4096] if harm == "cut short" else content)
    if left:
        assert built_library.__wrapped__() is None
    else:
        with pytest.raises(WrongLibraryError, match="is damaged, or of another version; installing it anew mends"):
            built_library.__wrapped__()
    assert opened == []


class NoWork(ProcessPoolExecutor):
    """Processes that are given nothing to do."""

    def submit(self, *given: Any, **_: Any) -> Any:
        pytest.fail(f"it compiles again: {given}")


def test_what_was_compiled_before_is_not_compiled_again(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "ProcessPoolExecutor", NoWork)
    ahead.build(built, FEW, target())


def test_loops_are_dealt_out_whole_and_evenly() -> None:
    loops = loops_of("collision.queries.separation")
    groups = ahead.dealt(loops, 3)
    assert sorted(name for group in groups for name in group) == [loop.name for loop in loops]
    assert len(groups) == 3
    assert ahead.dealt(loops, 3) == groups
    assert ahead.dealt(loops[:1], 3) == [(loops[0].name,)]


def test_every_loop_of_an_installed_package_is_in_its_library() -> None:
    # Also those of modules that need what is not there while the library is built.
    found = built_library()
    if found is None:
        pytest.skip('there is no library: pip install "." in the checkout leaves one')
    assert {loop.name for loop in loops_of("collision")} == {*found.manifest.loops}


def test_all_code_has_the_same_bits(pytestconfig: pytest.Config) -> None:
    found = built_library()
    if found is None:
        pytest.skip('there is no library: pip install "." in the checkout leaves one')
    deep = pytestconfig.getoption("--deep")
    printed = []
    for code in ("", "compiled") if deep else ("",):
        command = [sys.executable, "-m", "tests.code_bits", *(("400", "1") if deep else ("30", "0"))]
        environment = os.environ | {CODE_VARIABLE: code, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        printed.append(done.stdout.splitlines())
    assert len(printed[0]) > 140
    assert {*printed[0][-1].split()} == {*found.manifest.loops}, "not all loops have run"
    assert printed[-1] == printed[0]


def test_without_a_compiler_it_is_said_in_a_sentence(tmp_path: Path) -> None:
    code = """
import sys
sys.modules["numba"] = None
from viewer.__main__ import main
sys.exit(main())
"""
    environment = os.environ | {CODE_VARIABLE: "compiled", "COLLISION_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", code, "check", "first"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "COLLISION_CODE is 'compiled', and what compiles it is not installed (numba); in the checkout" in done.stderr
    assert 'pip install ".[compile]" brings it' in done.stderr
    assert "Traceback" not in done.stderr
    assert "anew" not in done.stderr


def test_zig_links_where_there_is_no_c_compiler(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ziglang", reason="the package ziglang, which has a linker, is not installed")
    objects = [path for path in (built / "objects").glob("*.o") if path.name.startswith(target().baseline)]
    monkeypatch.setattr(linking, "c_compiler", lambda: None)
    made = tmp_path / f"zig-{linking.library_name(target())}"
    linking.link(target(), objects, made)
    assert ctypes.CDLL(str(made))


def test_where_nothing_links_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linking, "c_compiler", lambda: None)
    monkeypatch.setitem(sys.modules, "ziglang", None)
    with pytest.raises(linking.NoLinkerError, match="neither a C compiler nor the package ziglang"):
        linking.link(target(), [], tmp_path / "loops.so")
    monkeypatch.setattr(ahead, "_compile_all", lambda *_: pytest.fail("it compiles what it cannot link"))
    with pytest.raises(linking.NoLinkerError, match="neither"):
        ahead.build(tmp_path, FEW, target())
