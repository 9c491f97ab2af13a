"""A scene has the same picture at every size, also where single precision does not hold it."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import viewer
from collision import AABB, Camera, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Scene, Segment, Sphere
from viewer.cli import ExitCode, main
from viewer.records.drawables import Ground, Solid
from viewer.stage.stage import Stage

#: Powers of ten, as the squares of the ground are round numbers.
SIZES = 1e-71, 1e-30, 1e18, 1e45, 1e71


def scene(s: float) -> Scene:
    shapes = {
        "ball": Sphere([0, 0, 0], s),
        "box": AABB([0, 0, 0], [s, 2 * s, s]),
        "rod": Capsule([-2 * s, 0, 0], [-2 * s, 0, 3 * s], 0.4 * s),
        "turned": OrientedBox([3 * s, 0, s], [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [0.5 * s, 0.6 * s, 0.7 * s]),
        "point": Point([0, -2 * s, s]),
        "segment": Segment([0, -3 * s, s], [2 * s, -2 * s, s]),
        "ray": Ray([-3 * s, -3 * s, s], [1, 0, 0]),
        "line": Line([-3 * s, 2 * s, s], [1, 1, 0]),
        "wall": HalfSpace([0, 0, -1.5 * s], [0, 0, 1]),
    }
    return Scene(shapes)


@pytest.mark.parametrize("parallel", [False, True])
def test_a_scene_looks_the_same_at_every_size(parallel: bool) -> None:
    def picture(size: float) -> np.ndarray:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return viewer.render(scene(size), size=(320, 240), panels=False, parallel=parallel).astype(int)

    ordinary = picture(1.0)
    red = (ordinary[..., 0] > ordinary[..., 2] + 60).sum()
    assert red > 1500
    for size in SIZES:
        off = np.abs(picture(size) - ordinary).max(axis=-1) > 24
        assert off.mean() < 0.035, (size, off.mean())  # names stand elsewhere


def test_a_camera_that_is_given_back_is_the_one_that_was_taken() -> None:
    for size in SIZES:
        camera = Camera((0.0, -4.0 * size, size), (0.0, 0.0, size))
        with Stage.offscreen((64, 64)) as stage:
            ball = Solid.of(Sphere([[0, 0, size]], size), np.zeros(1, np.uint8))
            stage.draw([ball, Ground(0.0, size, (0.0, 0.0), 4.0 * size)], camera)
            assert stage.camera == camera
            first = stage.image()
            stage.restyle(stage.theme)
            stage.draw([ball, Ground(0.0, size, (0.0, 0.0), 4.0 * size)])
            assert (stage.image() == first).all()
            assert stage.camera == camera


@pytest.mark.parametrize(
    ("size", "words"),
    [("1e305", "from 1e-72 to 1e72, or zero, got 1e+305"), ("1e-305", "from 1e-72 to 1e72, or zero, got 1e-305")],
)
def test_a_size_beyond_all_scenes_is_refused_in_a_sentence(
    size: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ball = f'[shapes.balls]\nkind = "sphere"\ncenter = [[0, 0, 0], [0, 0, 0]]\nradius = [{size}, 1]\n'
    Path("ball.toml").write_text(ball + '[[expect]]\napart = ["balls[0]", "balls[1]"]\n')
    for command in (["check", "ball.toml"], ["test", "ball.toml"], ["render", "ball.toml", "-o", "ball.png"]):
        assert main(command) == ExitCode.MISTAKE
        printed = capsys.readouterr()
        assert f"ball.toml:1: shapes.balls: must have a largest coordinate or size {words}" in printed.out + printed.err
    assert not Path("ball.png").exists()
