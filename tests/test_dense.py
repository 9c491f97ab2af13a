"""Scenes in which almost all pairs collide: what is printed, the time and the memory stay small, and it is said so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collision import Contacts, Motion, Scene, Sphere
from collision.base import ram as memory
from collision.scenefile import save_scene
from viewer.cli import ExitCode, main

ROOT = Path(__file__).parent.parent


def heap(count: int) -> Scene:
    return Scene({"s": Sphere(np.zeros((count, 3)), 1.0)})


@pytest.fixture
def heaped(tmp_path: Path) -> str:
    save_scene(heap(100), tmp_path / "heap.toml")
    return str(tmp_path / "heap.toml")


@pytest.mark.parametrize("margin", [0.0, 0.5])
@pytest.mark.parametrize("change", ["none", "moved", "hidden", "ignored"])
def test_the_first_contacts_are_those_of_all(margin: float, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collision.scene.scene._BLOCK", 100)
    places = np.random.default_rng(1).random((400, 3)) * 8.0
    scene = Scene({"s": Sphere(places, 1.0)})
    scene = {
        "none": scene,
        "moved": scene.moved("s[3]", [1, 0, 0]),
        "hidden": scene.replaced(hidden=["s[7]"]),
        "ignored": scene.ignoring(("s[1]", "s[2]")),
    }[change]
    wanted = scene.contacts(margin=margin)
    for most in (0, 7, 10**9):
        found = scene.first_contacts(most, margin=margin)
        assert found.total == len(wanted) > 1000
        same(found.contacts, wanted, most)
        touching = {tuple(pair) for pair in scene.colliding_pairs().tolist()}
        assert found.colliding.tolist() == [tuple(pair) in touching for pair in found.contacts.pairs.tolist()]
    assert scene.has_contact(margin=margin)


@pytest.mark.parametrize(
    ("most", "error", "message"),
    [
        (-1, ValueError, "first_contacts: most must be zero or more, got -1"),
        (2.5, TypeError, "first_contacts: most must be a whole number, got 2.5"),
        (None, TypeError, "first_contacts: most must be a whole number, got None"),
    ],
)
def test_the_number_of_first_contacts_is_checked(most: Any, error: type[Exception], message: str) -> None:
    scene = Scene({"heap": Sphere([[0, 0, 0]] * 3, 1)})
    with pytest.raises(error, match=message):
        scene.first_contacts(most)
    with pytest.raises(error, match=message.replace("first_contacts: most", "deepest: count")):
        scene.contacts().deepest(most)


def same(found: Contacts, wanted: Contacts, most: int) -> None:
    for name in ("pairs", "signed_distance", "point", "normal", "on_a", "on_b"):
        assert np.array_equal(getattr(found, name), getattr(wanted, name)[:most])


def test_whether_there_is_a_contact_is_known_before_all_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = heap(5000)
    monkeypatch.setattr(memory, "memory", lambda: 1 << 27)
    with pytest.raises(MemoryError, match="there are 12,497,500 pairs of shapes whose bounds overlap"):
        scene.contacts()
    assert scene.has_contact()
    apart = Scene({"s": Sphere([[0, 0, 0], [3, 0, 0]], 1.0)})
    assert not apart.has_contact()
    assert apart.has_contact(margin=1.0)
    assert apart.moved("s[1]", [-2, 0, 0]).has_contact()


def test_a_list_ends_where_it_is_long_and_says_so(heaped: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", heaped]) == ExitCode.BROKEN
    *_, more, total = lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1004
    assert more == "... and 3,950 more pairs: --max-pairs sets how many are listed."
    assert total == "4,950 pairs of 100 shapes collide."
    assert main(["check", heaped, "--max-pairs", "9999"]) == ExitCode.BROKEN
    assert len(capsys.readouterr().out.splitlines()) == 4953
    assert main(["check", heaped, "--format", "json", "--max-pairs", "3"]) == ExitCode.BROKEN
    document = json.loads(capsys.readouterr().out)
    assert (document["count"], document["truncated"], len(document["pairs"])) == (4950, True, 3)
    assert all(pair["colliding"] for pair in document["pairs"])
    assert main(["check", heaped, "--max-pairs", "0"]) == ExitCode.BROKEN
    assert main(["check", heaped, "--max-pairs", "-1"]) == ExitCode.MISTAKE


def test_a_verdict_alone_is_the_exit_code(heaped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", heaped, "--quiet"]) == ExitCode.BROKEN
    assert capsys.readouterr().out == ""
    save_scene(Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([3, 0, 0], 1)}), tmp_path / "apart.toml")
    assert main(["check", str(tmp_path / "apart.toml"), "-q"]) == ExitCode.FINE
    assert capsys.readouterr().out == ""
    assert main(["check", heaped, "--quiet", "--format", "json"]) == ExitCode.MISTAKE


def test_the_times_of_a_motion_end_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    away = Motion("s[0]", times=[0, 1], offsets=[[0, 0, 0], [9, 0, 0]])
    save_scene(heap(20).replaced(motion=[away]), tmp_path / "away.toml")
    assert main(["check", str(tmp_path / "away.toml"), "--max-pairs", "5"]) == ExitCode.BROKEN
    out = capsys.readouterr().out
    assert "... and 185 more times: --max-pairs sets how many are listed." in out
    assert len(out.splitlines()) == 9
    assert main(["check", str(tmp_path / "away.toml"), "--max-pairs", "5", "--format", "json"]) == ExitCode.BROKEN
    motion = json.loads(capsys.readouterr().out)["motion"]
    assert (motion["count"], motion["truncated"], len(motion["intervals"])) == (190, True, 5)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are another's there")
@pytest.mark.parametrize(("count", "code"), [(2000, 10), (30_000, 2)])
def test_little_memory_is_enough_or_it_is_said(tmp_path: Path, count: int, code: int) -> None:
    save_scene(heap(count), tmp_path / "heap.toml")
    command = f"ulimit -v 2000000; exec {sys.executable} -m viewer check {tmp_path}/heap.toml"
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert len(done.stdout) < 100_000
    assert "Traceback" not in done.stderr
    if code == 2:
        assert "out of memory: there are 449,985,000 pairs of shapes whose bounds overlap" in done.stderr
