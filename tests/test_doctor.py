"""The doctor: what it finds, what it advises, and that it works where much is broken."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from rich.console import Console

from viewer.cli import ExitCode, doctor, main
from viewer.cli.doctor import Diagnosis, Finding, diagnose
from viewer.stage import gl

ROOT = Path(__file__).parent.parent

WORKS = gl.GLReport(ok=True, renderer="llvmpipe (LLVM 15)", window_class="vtkEGLRenderWindow")
BROKEN = gl.GLReport(ok=False, problem="OpenGL does not start", remedy="This helps: apt-get install -y libegl1")


def told(diagnosis: Diagnosis, width: int = 80) -> str:
    text = io.StringIO()
    Console(file=text, width=width).print(diagnosis, crop=False)
    return text.getvalue()


def finding(diagnosis: Diagnosis, topic: str) -> Finding:
    return next(finding for finding in diagnosis.findings if finding.topic == topic)


@pytest.fixture(autouse=True)
def answered(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare tests of other things the second process that asks machine code, and a look at all distributions."""
    if "code" not in request.node.name:
        monkeypatch.setattr(doctor, "ask_code", lambda: Finding("collision tests", "compiled when first needed"))
    if "distribution" not in request.node.name:
        monkeypatch.setattr(doctor, "conflicting_packages", list)


def test_a_healthy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gl, "probe", lambda: WORKS)
    monkeypatch.setattr(gl, "has_display", lambda: True)
    found = diagnose()
    assert found.can_draw
    assert all(one.ok and not one.remedy for one in found.findings if one.topic != "mujoco")
    assert finding(found, "OpenGL").found == "llvmpipe (LLVM 15), drawn by the processor, through vtkEGLRenderWindow"
    assert told(found).endswith("Pictures can be drawn.\n")


def test_it_looks_for_what_the_project_says_it_needs() -> None:
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(doctor.REQUIRED) == {re.split("[<>=~!]", need)[0] for need in project["dependencies"]}


def test_it_is_never_wider_than_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    renderer = "a renderer of a long name " * 5
    monkeypatch.setattr(gl, "probe", lambda: gl.GLReport(ok=True, renderer=renderer, window_class="vtkEGLRenderWindow"))
    monkeypatch.setattr(gl, "has_display", lambda: True)
    monkeypatch.setattr(doctor, "OPTIONAL", {})  # a remedy is never broken, however wide
    for width in (60, 80, 100_000):
        lines = told(diagnose(), width).splitlines()
        assert max(map(len, lines)) <= min(width, 80)
        assert lines == [line.rstrip() for line in lines]
    assert " ".join(" ".join(lines).split()).count("a renderer of a long name") == 5


def test_without_opengl_the_cure_stands_on_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cure = f"{BROKEN.remedy} and sixty more characters, so that the line is wider than a terminal is"
    monkeypatch.setattr(gl, "probe", lambda: gl.GLReport(ok=False, problem=BROKEN.problem, remedy=cure))
    assert f"OpenGL: {cure}\n" in told(diagnose(), width=60)
    assert main(["doctor"]) == ExitCode.NO_PICTURE
    assert capsys.readouterr().out.endswith("No picture can be drawn.\n")


def test_no_display_is_no_obstacle_to_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gl, "probe", lambda: WORKS)
    monkeypatch.setattr(gl, "has_display", lambda: False)
    found = diagnose()
    assert found.can_draw
    assert not finding(found, "display").ok
    assert '"render" and "check" do not' in told(found, 200)


@pytest.mark.parametrize(("name", "needed"), [("vtk", True), ("mujoco", False), ("pycollada", False)])
def test_a_missing_package_is_named_with_its_cure(name: str, needed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gl, "probe", lambda: WORKS)
    real = doctor.version

    def version(distribution: str) -> str:
        if distribution == name:
            raise doctor.PackageNotFoundError(name)
        return real(distribution)

    monkeypatch.setattr(doctor, "version", version)
    found = diagnose()
    assert finding(found, name).found == "not installed"
    assert f"{sys.executable} -m pip install {name}" in finding(found, name).remedy
    assert found.can_draw is not needed


def test_json_has_stable_keys(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(gl, "probe", lambda: BROKEN)
    assert main(["doctor", "--format", "json"]) == ExitCode.NO_PICTURE
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) == {"can_draw", "findings"}
    assert answer["can_draw"] is False
    assert all(set(one) == {"topic", "found", "ok", "needed", "remedy"} for one in answer["findings"])
    assert {"Python", "numpy", "vtk", "OpenGL", "display"} <= {one["topic"] for one in answer["findings"]}


def test_it_works_where_vtk_does_not_even_import(tmp_path: Path) -> None:
    """Both this program and the test picture meet a vtkmodules that is no VTK."""
    (tmp_path / "vtkmodules.py").write_text("raise ImportError('libX.so: cannot open')", encoding="utf-8")
    paths = os.pathsep.join([str(tmp_path), str(ROOT)])
    command = [sys.executable, "-m", "viewer", "doctor", "--format", "json"]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == ExitCode.NO_PICTURE, done.stderr
    found = {one["topic"]: one for one in json.loads(done.stdout)["findings"]}
    assert "libX.so: cannot open" in found["OpenGL"]["found"]


def test_code_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLLISION_CODE", raising=False)
    found = doctor.ask_code()
    assert found.ok, found
    assert re.fullmatch(r"compiled when .*; one pair by (a fast call|ctypes), .*", found.found)
    monkeypatch.setenv("COLLISION_CODE", "compiled")
    assert doctor.ask_code().found.startswith("compiled when first needed (COLLISION_CODE is 'compiled'); one pair by")
    monkeypatch.setenv("COLLISION_CODE", "vax")
    found = doctor.ask_code()
    assert (found.ok, found.needed, found.remedy) == (False, True, "")
    assert found.found.startswith("COLLISION_CODE is 'vax'; expected compiled")


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "a first question ended in SIGSEGV"),
        ("raise ImportError('libX.so: cannot open')", "ImportError: libX.so: cannot open"),
        ("Sphere = print; signed_distance = lambda a, b: 2.0", "a distance of 3 is said to be 2.0"),
    ],
)
def test_code_that_is_broken_is_told(does: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "collision").mkdir()
    (tmp_path / "collision" / "__init__.py").write_text(does, encoding="utf-8")
    (tmp_path / "collision" / "inner.py").write_text("built_library = pair_call = lambda: None", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = doctor.ask_code()
    assert not found.ok
    assert found.found == said


def test_code_of_an_installed_package_that_is_damaged_is_told(tmp_path: Path) -> None:
    for package in ("viewer", "collision"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "library"))
    folder = tmp_path / "collision" / "native" / "library"
    folder.mkdir()
    folder.joinpath("a.so").write_bytes(b"\x7fELF")
    fields = {"python": "", "system": "", "compilers": "", "loops": {}, "baseline": "any", "needs": [], "checksum": 0}
    folder.joinpath("loops.json").write_text(json.dumps({**fields, "file": "a.so"}), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    environment.pop("COLLISION_CODE", None)
    command = [sys.executable, "-c", "from viewer.cli.doctor import ask_code; print(ask_code())"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert "a.so is damaged, or of another version" in done.stdout, done
    assert f"{sys.executable} -m pip install --force-reinstall --no-deps ." in done.stdout
    asked = [sys.executable, "-m", "viewer", "check", str(ROOT / "examples" / "first.toml")]
    done = subprocess.run(asked, env=environment, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == ExitCode.BUG
    assert "a.so is damaged, or of another version; installing it anew mends that; this is" in done.stderr
    assert done.stderr.count("anew") == 1


@pytest.fixture
def rival(tmp_path: Path) -> Path:
    """Return a folder with another distribution of the name of one of our packages, as pip leaves it."""
    for path, text in {
        "collision/__init__.py": "from .poly import Poly\n",
        "collision/poly.py": "class Poly: ...\n",
        "collision-1.2.2.dist-info/METADATA": "Metadata-Version: 2.1\nName: collision\nVersion: 1.2.2\n",
        "collision-1.2.2.dist-info/top_level.txt": "collision\n",
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    return tmp_path


def test_another_distribution_of_our_name_is_seen(rival: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gl, "probe", lambda: WORKS)
    monkeypatch.syspath_prepend(str(rival))
    found = diagnose()
    assert not found.can_draw
    assert finding(found, "files").found.startswith("the distribution collision is installed, too, and overwrites")
    assert "pip uninstall -y collision, and then, in the checkout: " in finding(found, "files").remedy


def test_where_it_has_overwritten_ours_that_is_said(rival: Path) -> None:
    """Nothing of ours can be imported then; the doctor, who imports none of it, says the same."""
    shutil.copytree(ROOT / "viewer", rival / "viewer", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "viewer", "check", "first"]
    environment = os.environ | {"PYTHONPATH": str(rival)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=rival, check=False)
    assert done.returncode == ExitCode.BUG
    assert "Traceback" not in done.stderr
    assert "cannot start: ImportError: cannot import name" in done.stderr
    assert "the distribution collision is installed, too, and has overwritten files" in done.stderr
    asked = [*command[:3], "doctor"]
    done = subprocess.run(asked, env=environment, capture_output=True, text=True, cwd=rival, check=False)
    assert "the distribution collision is installed, too, and overwrites files" in " ".join(done.stdout.split())
