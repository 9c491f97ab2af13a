"""Motions as files: animations, numbered pictures and films, from Python and from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import viewer
from collision import Motion, Scene, Sphere
from collision.scenefile import save_scene
from tests.helpers import files_in
from viewer.cli import ExitCode, main
from viewer.files.movies import Movie, png
from viewer.picture.present import present

SIZE = (200, 160)
SLIDE = Motion("moving", [0, 1], [[0, 0, 0], [3, 0, 0]])
SCENE = Scene({"still": Sphere([0, 0, 0], 1), "moving": Sphere([0, 0, 0], 1)}, motion=[SLIDE])


def frames_of(path: Path) -> list[np.ndarray]:
    with Image.open(path) as file:
        frames = []
        for number in range(file.n_frames):
            file.seek(number)
            frames.append(np.asarray(file.convert("RGB")).astype(int))
    return frames


def reds(image: np.ndarray) -> int:
    """Count red pixels in the middle, where neither the table nor the strip of the time is."""
    middle = image[40:100, 60:140]
    return int(np.count_nonzero((middle[..., 0] > 140) & (middle[..., 1] < 110) & (middle[..., 2] < 110)))


def quick(path: Path, **options: Any) -> None:
    viewer.render_motion(SCENE, path, **{"fps": 4, "size": SIZE, "view": "-y", "progress": False} | options)


# -- files -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".gif", ".webp", ".apng", ".png"])
def test_a_motion_is_written_with_both_its_ends(suffix: str, tmp_path: Path) -> None:
    target = tmp_path / f"slide{suffix}"
    quick(target)
    frames = frames_of(target)
    assert len(frames) == 5
    assert [reds(frame) > 100 for frame in frames] == [True, True, True, False, False]
    assert files_in(tmp_path) == [target.name]


def test_part_of_a_motion_at_another_pace(tmp_path: Path) -> None:
    quick(tmp_path / "part.png", fps=8, start=0.75, stop=1.0)
    frames = frames_of(tmp_path / "part.png")
    assert len(frames) == 3
    assert all(reds(frame) < 100 for frame in frames)


def test_numbered_pictures_are_each_a_frame(tmp_path: Path) -> None:
    (tmp_path / "f-002.png").write_bytes(b"old")
    quick(tmp_path / "f-###.png")
    assert files_in(tmp_path) == [f"f-{k:03d}.png" for k in range(1, 6)]
    pictures = [np.asarray(Image.open(path)).astype(int) for path in sorted(tmp_path.iterdir())]
    assert [reds(picture) > 100 for picture in pictures] == [True, True, True, False, False]


@pytest.mark.parametrize(("name", "files"), [("f-%d.png", "f-{}.png"), ("f-%03d.png", "f-{:03d}.png")])
def test_numbers_of_pictures_are_named_as_in_c_too(
    name: str, files: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["render", "robot_arm", "-o", str(tmp_path / name), "--during", "3:4", "--fps", "2", "--quiet"]
    assert main([*words, "--size", "100x100"]) == ExitCode.FINE
    assert files_in(tmp_path) == [files.format(k) for k in range(1, 4)]
    words[3] = str(tmp_path / "f-%d-%d.png")
    assert main(words) == ExitCode.MISTAKE
    assert "expected one %d for the number of a frame, got 2" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # imageio's reader leaves a pipe open
def test_a_film(tmp_path: Path) -> None:
    v3 = pytest.importorskip("imageio.v3")
    pytest.importorskip("imageio_ffmpeg")
    quick(tmp_path / "slide.mp4", size=(201, 161))
    film = v3.imread(tmp_path / "slide.mp4")
    assert film.shape == (5, 160, 200, 3)
    assert [reds(frame.astype(int)) > 100 for frame in film] == [True, True, True, False, False]
    assert files_in(tmp_path) == ["slide.mp4"]


def test_a_film_without_imageio_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viewer.files.movies.find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r'slide.mp4: an .mp4 file needs imageio, .*"\.\[movies\]"') as caught:
        quick(tmp_path / "slide.mp4")
    assert str(caught.value).endswith("; .gif, .webp and .png files need nothing more")
    assert files_in(tmp_path) == []


@pytest.mark.parametrize("name", ["slide.gif", "f-##.png"])
@pytest.mark.parametrize("trouble", [KeyboardInterrupt, RuntimeError])
def test_what_is_cut_off_leaves_the_old_files(
    name: str, trouble: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / name.replace("##", "01")
    old.write_bytes(b"old")
    seen: list[float] = []

    def interrupted(session: Any, **how: Any) -> Any:
        seen.append(session.time)
        if session.time > 0.5:
            raise trouble
        return present(session, **how)

    monkeypatch.setattr("viewer.studio.pictures.present", interrupted)
    with pytest.raises(trouble):
        quick(tmp_path / name)
    assert max(seen) > 0.5
    assert old.read_bytes() == b"old"
    assert files_in(tmp_path) == [old.name]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("a.mov", {}, r"an animation is written to a \.gif, \.webp, \.apng, \.png, \.mp4 file, got \.mov"),
        ("a", {}, "got no ending"),
        ("no/a.gif", {}, "there is no folder"),
        ("a-##.gif", {}, "numbered files.* are .png files, got .gif"),
        ("a.gif", {"fps": 0}, "fps must be above 0"),
        ("a.gif", {"fps": 60}, r"fps must be at most 50 for a \.gif file, got 60: players"),
        ("a.gif", {"fps": 0.001}, r"fps must be at least 1/600 for a \.gif file, got 0.001"),
        (
            "a.gif",
            {"start": 0.5, "stop": 0.25},
            "start and stop must be in order and within",
        ),
        ("a.gif", {"stop": 2}, "within the motion, 0 to 1, got 0 and 2"),
        ("a.gif", {"start": float("nan")}, "within the motion"),
        ("a.gif", {"fps": 50, "stop": 1, "start": 0, "view": "up"}, "view must be"),
    ],
)
def test_mistakes_are_told_before_any_work(name: str, options: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        quick(tmp_path / name, **options)
    assert files_in(tmp_path) == []


def test_a_scene_without_motion_and_one_that_is_too_long(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a.gif: the scene has no motion"):
        viewer.render_motion(SCENE.replaced(motion=()), tmp_path / "a.gif")
    long = SCENE.replaced(motion=[Motion("moving", [0, 1e6], [[0, 0, 0], [3, 0, 0]])])
    with pytest.raises(ValueError, match="24,000,001 frames are too many"):
        viewer.render_motion(long, tmp_path / "a.gif")


def test_frames_are_packed_without_loss(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frames = [rng.integers(0, 256, (40, 60, 3), dtype=np.uint8) for _ in range(3)]
    movie = Movie(tmp_path / "a.png", fps=10)
    for frame in frames:
        movie.add(frame)
    assert len(movie) == 3
    movie.write()
    assert all(np.array_equal(a, b) for a, b in zip(frames_of(tmp_path / "a.png"), frames, strict=True))
    assert len(png(frames[0])) > 0
    with pytest.raises(ValueError, match="there is no scene to make an animation of"):
        Movie(tmp_path / "b.gif", fps=10).write()


def durations_of(path: Path) -> list[float]:
    with Image.open(path) as file:
        durations = []
        for number in range(file.n_frames):
            file.seek(number)
            file.load()
            durations.append(file.info["duration"])
    return durations


@pytest.mark.parametrize(
    ("name", "fps", "first"),
    [
        ("a.gif", 50, [20, 20, 20]),
        ("a.gif", 30, [30, 40, 30]),
        ("a.gif", 24, [40, 40, 40, 50]),
        ("a.gif", 40, [20, 30, 30, 20]),
        ("a.gif", 1 / 600, [600_000, 600_000]),
        ("a.webp", 60, [17, 16, 17]),
        ("a.webp", 1000, [1, 1]),
        ("a.png", 60, [pytest.approx(1000 / 60, abs=1e-3)]),
    ],
)
def test_an_animation_lasts_as_long_as_what_it_shows(name: str, fps: float, first: list[float], tmp_path: Path) -> None:
    movie = Movie(tmp_path / name, fps)
    for number in range(60):
        movie.add(np.repeat(np.arange(64).reshape(8, 8, 1) == number, 3, axis=2).astype(np.uint8) * 255)
    movie.write()
    durations = durations_of(tmp_path / name)
    assert len(durations) == 60
    assert durations[: len(first)] == first
    unit = 10 if name == "a.gif" else 1
    assert np.abs(np.cumsum(durations) - 1000 / fps * np.arange(1, 61)).max() <= unit / 2 + 1e-6


# -- the command line --------------------------------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    save_scene(SCENE.replaced(title="Slide"), tmp_path / "slide.toml")
    return tmp_path / "slide.toml"


def test_render_writes_an_animation_and_says_which(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(path.parent)
    assert (
        main(["render", "slide.toml", "-o", "slide.gif", "--fps", "4", "--size", "200x160", "--quiet"]) == ExitCode.FINE
    )
    assert capsys.readouterr().out == "slide.gif\n"
    assert len(frames_of(path.with_suffix(".gif"))) == 5
    words = [
        "render",
        "slide.toml",
        "-o",
        "p-#.png",
        "--fps",
        "4",
        "--during",
        "0.5:0.75",
        "--size",
        "200x160",
    ]
    assert main([*words, "--view", "-y", "--theme", "dark"]) == ExitCode.FINE
    assert {"p-1.png", "p-2.png"} < set(files_in(path.parent))
    assert capsys.readouterr().out == "2 files: p-1.png to p-2.png\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "a.mov"], "is written to a .png, .gif, .webp, .apng, .mp4 file, got .mov"),
        (["-o", "a"], "is written to a .png, .gif, .webp, .apng, .mp4 file, got no ending"),
        (["-o", "."], "this is a folder, and a picture or an animation is written to a file"),
        (["-o", "no/a.gif"], "there is no folder no"),
        (["--during", "0.9:0.1"], ": --during must be START:STOP, the earlier time first, got 0.9:0.1\n"),
        (
            ["--during", "5:9"],
            ": --during must be a time of the motion, got 5; the motion lasts from 0 to 1 s\n",
        ),
        (["--during", ":nan"], ": --during must be a time of the motion, got nan; the motion lasts from 0 to 1 s\n"),
        (["--fps", "0"], ": --fps must be above 0 and at most 1000, got 0\n"),
        (["--fps", "nan", "-o", "a.webp"], ": --fps must be above 0 and at most 1000, got nan\n"),
        (["--fps", "60"], ": --fps must be at most 50 for a .gif file, got 60: players"),
    ],
)
def test_render_explains_mistakes_of_animations(
    words: list[str], message: str, path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(path.parent)
    assert main(["render", "slide.toml", *([] if "-o" in words else ["-o", "slide.gif"]), *words]) == ExitCode.MISTAKE
    assert message in capsys.readouterr().err
    assert files_in(path.parent) == ["slide.toml"]


def test_an_animation_needs_a_motion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_scene(SCENE.replaced(motion=()), tmp_path / "still.toml")
    assert main(["render", str(tmp_path / "still.toml"), "-o", str(tmp_path / "a.gif")]) == ExitCode.MISTAKE
    assert "the scene has no motion" in capsys.readouterr().err


def test_check_lists_when_pairs_touch(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(path)]) == ExitCode.BROKEN
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split("  ")[0] == "A"
    assert lines[2].split() == ["still", "moving", "0", "0.666667"]
    assert lines[3] == "1 pair of 2 shapes collides during the motion, from 0 to 1 s."


def test_check_looks_at_one_time(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(path), "--at", "0.9"]) == ExitCode.FINE
    assert capsys.readouterr().out == "No pair of 2 shapes collides at 0.9 s.\n"
    assert main(["check", str(path), "--at", "0.5"]) == ExitCode.BROKEN
    assert "still   moving" in capsys.readouterr().out
    assert main(["check", str(path), "--at", "2"]) == ExitCode.MISTAKE
    assert "--at must be a time of the motion, got 2; the motion lasts from 0 to 1 s" in capsys.readouterr().err
    assert main(["check", "first", "--at", "2"]) == ExitCode.MISTAKE
    assert "the scene has no motion" in capsys.readouterr().err


def test_check_with_a_margin_during_a_motion(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(path), "--margin", "0.5"]) == ExitCode.BROKEN
    out = capsys.readouterr().out
    assert out.splitlines()[2].split() == ["still", "moving", "0", "0.833333"]
    assert "1 pair of 2 shapes is within 0.5 of each other during the motion" in out


def test_check_tells_programs_when_pairs_touch(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(path), "--format", "json"]) == ExitCode.BROKEN
    found = json.loads(capsys.readouterr().out)
    assert found["motion"]["start"] == 0.0
    assert found["motion"]["stop"] == 1.0
    (interval,) = found["motion"]["intervals"]
    assert (interval["a"], interval["b"], interval["begin"]) == ("still", "moving", 0.0)
    assert interval["end"] == pytest.approx(2 / 3)
    assert [(pair["a"], pair["depth"]) for pair in found["pairs"]] == [("still", 2.0)]  # at the start
    assert found["time"] is None
    assert main(["check", str(path), "--format", "json", "--at", "1"]) == ExitCode.FINE
    found = json.loads(capsys.readouterr().out)
    assert (found["motion"], found["pairs"], found["time"]) == (None, [], 1.0)


def test_of_many_intervals_each_has_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fro = Motion("moving", [0, 1, 2, 3], [[0, 0, 0], [3, 0, 0], [0, 0, 0], [3, 0, 0]])
    save_scene(SCENE.replaced(motion=[fro]), tmp_path / "fro.toml")
    assert main(["check", str(tmp_path / "fro.toml")]) == ExitCode.BROKEN
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[2:] for line in lines[2:4]] == [["0", "0.666667"], ["1.33333", "2.66667"]]
    assert lines[4].startswith("1 pair of 2 shapes collides")


def test_frames_a_second_are_a_number(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"^fps must be a number, got 'x'$"):
        viewer.render_motion("robot_arm", tmp_path / "a.gif", fps="x")  # type: ignore[arg-type]
