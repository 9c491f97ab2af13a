"""What is compiled when the package is built: freestanding, never another's, with the bits of code made on demand."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

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
    verified_library,
)
from collision.native.compiler import C_LIBRARY
from collision.native.library import Manifest, NoCodeError, WrongLibraryError
from collision.native.targets import SYSTEMS, targets
from tests.object_files import undefined

ROOT = Path(__file__).parent.parent

#: What of a package is compiled here in a plain run: a part that is quick to compile.
FEW = ("collision.shapes.checks", "collision.broadphase.rows")

#: What a system's own library has: on Windows a function sees that a large stack grows page by page.
SYSTEM_LIBRARY = {"___chkstk_ms", "_fltused"}

#: All of this is about one library, which is built once.
pytestmark = [
    pytest.mark.xdist_group("library"),
    pytest.mark.skipif(not targets(), reason="nothing is compiled ahead for this system"),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Path:
    """Return the folder of a library: of a few loops, with ``--deep`` of all."""
    folder = tmp_path_factory.mktemp("library")
    packages = ("collision", "viewer.stage.marks") if pytestconfig.getoption("--deep") else FEW
    wide = [loop.name for loop in loops_of(FEW[-1])]
    try:
        ahead.build(folder, packages, targets(), wide, wide, processes=None if len(packages) < len(FEW) + 1 else 1)
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
    assert [one.baseline for one in manifest.built] == [target.baseline for target in targets()]
    for one in manifest.built:
        if one.file.endswith(".so"):
            assert undefined((built / one.file).read_bytes()) <= C_LIBRARY
    for path in (built / "objects").glob("*.o"):
        if sys.platform != "win32":
            assert undefined(path.read_bytes()) <= C_LIBRARY


@pytest.mark.parametrize("system", SYSTEMS, ids="-".join)
def test_code_for_every_system_is_freestanding(system: tuple[str, str], pytestconfig: pytest.Config) -> None:
    loops = loops_of(*(("collision", "viewer.stage.marks") if pytestconfig.getoption("--deep") else FEW))
    module = ahead.module_of(loops)
    for target in targets(system):
        assert undefined(ahead.code_for(module, target)) <= C_LIBRARY | SYSTEM_LIBRARY


def test_a_library_that_calls_anything_else_is_not_made() -> None:
    import numba

    allocating = Loop("test_allocates", lambda x: [x, x][int(x)], (FLOAT,), FLOAT)
    with pytest.raises((RuntimeError, numba.core.errors.NumbaError)):
        ahead.code_for(ahead.module_of([allocating]), targets()[0])


def test_loops_of_an_installed_package_are_taken_from_its_library(
    installed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("COLLISION_CACHE_DIR", str(tmp_path))
    found = built_library()
    assert found is not None
    assert not found.left
    own = {loop.name for loop in loops_of(FEW[-1])} if part_of(found.baseline) else set()
    for loop in loops_of(*FEW):
        anew = Loop(loop.name, loop.function, loop.arguments, loop.result)
        name = f"collision_{found.baseline}_{loop.name}" if loop.name in own else f"collision_{loop.name}"
        assert anew.address == ctypes.cast(found.code[name], ctypes.c_void_p).value
    assert not [*tmp_path.rglob("*")]


def part_of(baseline: str) -> str:
    """Return the baseline in whose library the code for another one is; nothing for one with a library of its own."""
    return next(target.part_of for target in targets() if target.baseline == baseline)


def test_code_for_the_widest_vectors_is_a_part_of_a_library_and_all_else_is_taken_from_that(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = Manifest.read(installed)
    files = {one.baseline: one.file for one in manifest.built}
    parts = [target for target in targets() if target.part_of]
    if not parts:
        pytest.skip("every baseline of this system has a library of its own")
    assert len({*files.values()}) == len(files) - len(parts)
    known = library._features()
    for target in parts:
        assert files[target.baseline] == files[target.part_of]
        assert {*target.needs} <= {*known}, "NumPy has another name for that"
        monkeypatch.setattr(library, "_features", lambda target=target: dict.fromkeys(known, True))
        monkeypatch.setenv(CODE_VARIABLE, target.baseline)
        built_library.cache_clear()
        found = built_library()
        assert found is not None
        wide = {loop.name for loop in loops_of(FEW[-1])}
        for loop in loops_of(*FEW):
            has_own = found.symbol(loop.name) == f"collision_{target.baseline}_{loop.name}"
            assert has_own == (loop.name in wide)
            assert hasattr(found.code, found.symbol(loop.name))


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
    assert found.has(loop.name, loop.function, loop.arguments, loop.result)
    assert not found.has(loop.name, lambda x: 1.0 + third(x), loop.arguments, loop.result)
    assert not found.has(loop.name, loop.function, loop.arguments[1:], loop.result)
    assert not found.has("another", loop.function, loop.arguments, loop.result)
    for name, other in (("bytecode", "cpython-27"), ("system", "amiga"), ("compilers", "0")):
        with monkeypatch.context() as changed:
            changed.setattr(library, name, lambda other=other: other)
            built_library.cache_clear()
            assert built_library() is None, f"made by another {name}, and taken"


def test_a_library_of_another_version_or_machine_is_refused(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Manifest.read(installed)
    try:
        for wrong, message in (
            (whole._replace(identity="0" * 64), "not of this version"),
            (
                whole._replace(built=[whole.built[0]._replace(file="no.so", needs=[])]),
                "cannot be used: .* No such file",
            ),
            (whole._replace(built=[whole.built[0]._replace(needs=["WIDER"])]), "and this is none"),
        ):
            wrong.write(installed)
            built_library.cache_clear()
            with pytest.raises(WrongLibraryError, match=message):
                built_library()
    finally:
        whole.write(installed)


@pytest.mark.parametrize("text", ["", "{}", '{"identity": "0", "python":', '{"built": [["generic", "a.so"]]}', "[1]"])
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
    for target in targets()[-1:]:
        monkeypatch.setenv(CODE_VARIABLE, target.baseline)
        built_library.cache_clear()
        found = built_library()
        assert found is not None
        assert found.baseline == target.baseline
    monkeypatch.setenv(CODE_VARIABLE, "")
    built_library.cache_clear()
    assert built_library() is not None
    monkeypatch.setenv(CODE_VARIABLE, "compiled")
    built_library.cache_clear()
    assert built_library() is None


@pytest.mark.parametrize("there", [True, False], ids=["library", "no library"])
def test_code_that_there_is_not_is_named_with_what_is_expected(
    there: bool, installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not there:
        monkeypatch.setattr(library, "INSTALLED", tmp_path)
        monkeypatch.setattr(library, "LEFT", tmp_path)
    *names, last = ["compiled", *(target.baseline for target in targets())]
    monkeypatch.setenv(CODE_VARIABLE, "vax")
    with pytest.raises(NoCodeError, match=f"^COLLISION_CODE is 'vax'; expected {', '.join(names)} or {last}$"):
        built_library()
    monkeypatch.setenv(CODE_VARIABLE, last)
    if there:
        assert built_library() is not None
    else:
        with pytest.raises(NoCodeError, match=f"COLLISION_CODE is '{last}', and there is no library of that here"):
            built_library()


def test_code_that_is_asked_for_and_not_for_this_processor_is_refused(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide, *_ = targets()
    monkeypatch.setattr(library, "_features", dict)
    monkeypatch.setenv(CODE_VARIABLE, wide.baseline)
    if not wide.needs:
        pytest.skip("all processors of this system have what code needs")
    with pytest.raises(WrongLibraryError, match=f"{wide.baseline}, and this is none, and COLLISION_CODE asks for that"):
        built_library()


@pytest.mark.parametrize("left", [True, False])
def test_a_library_that_was_cut_short_is_not_opened(
    left: bool, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would end the program (SIGBUS) when what is missing is needed."""
    shutil.copytree(built, tmp_path / "library", ignore=shutil.ignore_patterns("objects", "again"))
    monkeypatch.delenv(CODE_VARIABLE, raising=False)
    monkeypatch.setattr(library, "LEFT", tmp_path / "library")
    monkeypatch.setattr(library, "INSTALLED", tmp_path / ("nowhere" if left else "library"))
    remedy = "deleting .* mends that" if left else "installing it anew mends that"
    opened: list[str] = []
    monkeypatch.setattr(ctypes, "CDLL", opened.append)
    for one in Manifest.read(built).built:
        path = tmp_path / "library" / one.file
        path.write_bytes(path.read_bytes()[:-4096])
    if left:
        assert built_library.__wrapped__() is None
        monkeypatch.setenv(CODE_VARIABLE, targets()[-1].baseline)
    with pytest.raises(WrongLibraryError, match=rf"is damaged: it has \d+ bytes, expected \d+; {remedy}$"):
        built_library.__wrapped__()
    assert opened == []


def test_a_library_with_other_bytes_is_seen_by_those_who_look(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert verified_library() is built_library()
    shutil.copytree(installed, tmp_path / "library", ignore=shutil.ignore_patterns("objects", "again"))
    monkeypatch.setattr(library, "INSTALLED", tmp_path / "library")
    for one in Manifest.read(installed).built:
        path = tmp_path / "library" / one.file
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    with pytest.raises(WrongLibraryError, match="is damaged: it has other bytes than it was built with; installing it"):
        verified_library()


def test_what_was_compiled_before_is_not_compiled_again(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages = ("collision.shapes.checks", "collision.broadphase.rows")
    wide = [loop.name for loop in loops_of(FEW[-1])]
    ahead.build(built / "again", packages, targets(), wide, wide, processes=1)
    compiled: list[object] = []
    monkeypatch.setattr(ahead, "_module", compiled.append)
    monkeypatch.setattr(ahead, "_compile", lambda *piece: compiled.append(piece))
    ahead.build(built / "again", packages, targets(), wide, wide, processes=1)
    assert compiled == []


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
    assert {loop.name for loop in loops_of("collision", "viewer.stage.marks")} == {*found.manifest.loops}


def test_all_code_has_the_same_bits(pytestconfig: pytest.Config) -> None:
    found = built_library()
    if found is None:
        pytest.skip('there is no library: pip install "." in the checkout leaves one')
    deep = pytestconfig.getoption("--deep")
    has, every = library._features(), found.manifest.built
    codes = [one.baseline for one in every if all(map(has.get, one.needs))] + (["compiled"] if deep else [])
    printed = {}
    for code in codes:
        command = [sys.executable, "-m", "tests.code_bits", *(("400", "1") if deep else ("30", "0"))]
        environment = os.environ | {CODE_VARIABLE: code, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        printed[code] = done.stdout.splitlines()
    (first, *others) = printed.values()
    assert len(first) > 150
    assert {*first[-1].split()} == {*found.manifest.loops}, "not all loops have run"
    for other in others:
        assert other == first
    if len(printed) < len(every):
        left = ", ".join(one.baseline for one in every if one.baseline not in printed)
        pytest.skip(f"this processor runs all but {left}, which is not compared")


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
    objects = [path for path in (built / "objects").glob("*.o") if path.name.startswith(targets()[-1].baseline)]
    monkeypatch.setattr(linking, "c_compiler", lambda: None)
    made = tmp_path / f"zig{linking.suffix(targets()[-1])}"
    linking.link(targets()[-1], objects, made)
    assert ctypes.CDLL(str(made))


def test_where_nothing_links_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linking, "c_compiler", lambda: None)
    monkeypatch.setitem(sys.modules, "ziglang", None)
    with pytest.raises(linking.NoLinkerError, match="neither a C compiler nor the package ziglang"):
        linking.link(targets()[-1], [], tmp_path / "loops.so")
    monkeypatch.setattr(ahead, "_compile_all", lambda *_: pytest.fail("it compiles what it cannot link"))
    with pytest.raises(linking.NoLinkerError, match="neither"):
        ahead.build(tmp_path, FEW, targets(), processes=1)
