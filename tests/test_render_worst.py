"""The picture of the worst moment: when it is, and from where it is seen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from collision import Camera
from tests.helpers import red_pixels
from viewer.cli import ExitCode, main
from viewer.files.loading import load
from viewer.verdicts.pictures import worst_view


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def drawn(*words: str) -> np.ndarray:
    assert main(["render", *words, "-o", "x.png", "--size", "480x360"]) == ExitCode.FINE
    with Image.open("x.png") as picture:
        return np.asarray(picture)


def test_the_worst_moment_is_that_of_the_pair(capsys: pytest.CaptureFixture[str]) -> None:
    worst = drawn("robot_arm", "--at", "worst", "forearm tip", "wall")
    assert "collide at 5.5 s" in capsys.readouterr().out
    assert red_pixels(worst) > red_pixels(drawn("robot_arm", "--at", "5.5")) > 0
    capsys.readouterr()
    drawn("robot_arm", "--at", "worst", "forearm tip", "crate")
    assert "collides at 3.846" in capsys.readouterr().out


def test_it_is_seen_from_the_side_unless_a_view_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    cameras: list[Camera | None] = []
    monkeypatch.setattr("viewer.studio.pictures.take", lambda *args, **_: (cameras.append(args[2].camera), 1 / 0))
    for words in ([], ["--view", "x"]):
        main(["render", "robot_arm", "--at", "worst", "forearm tip", "wall", *words, "-o", "x.png"])
    scene = load("robot_arm").at(5.5)
    assert cameras == [worst_view(scene, "forearm tip", "wall", (1280, 960)), None]


def test_what_has_no_worst_moment_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    drawn("first", "--at", "worst", "ball", "crate")
    for words, said in (
        (["first", "--at", "worst"], "--at worst needs a motion, or the names of two shapes"),
        (["robot_arm", "--at", "wurst"], "must be a time in seconds, or worst, got 'wurst'"),
        (["robot_arm", "--at", "-1"], "--at must be a time of the motion, got -1"),
    ):
        assert main(["render", *words, "-o", "x.png"]) == ExitCode.MISTAKE
        assert said in capsys.readouterr().err
