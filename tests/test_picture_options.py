"""What a picture is to be like: at a time, without its background or its panels, with larger text, of a pair."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

import viewer
from collision import Camera, Motion, Scene, Sphere
from tests.helpers import files_in, red_pixels
from tests.slow import one_in
from viewer.cli.commands import main
from viewer.cli.errors import ExitCode
from viewer.records.theme import THEMES
from viewer.session import Session
from viewer.studio.options import PictureKeywords, PictureOptions

Pixels = npt.NDArray[np.uint8]

SIZE = (320, 240)
BALLS = {"near": Sphere([0, 0, 1], 1), "far": Sphere([1, 6, 1], 1), "other": Sphere([20, 0, 1], 1)}
SLIDE = Scene(
    {"still": Sphere([0, 0, 1], 1), "moving": Sphere([5, 0, 1], 1)},
    motion=[Motion("moving", times=[0, 2], offsets=[[0, 0, 0], [-4, 0, 0]])],
    caption="A slide",
)


def over(image: Pixels, color: tuple[int, int, int]) -> Pixels:
    """Return a transparent picture on a page of a colour."""
    page = Image.new("RGBA", (image.shape[1], image.shape[0]), (*color, 255))
    page.alpha_composite(Image.fromarray(image))
    return np.asarray(page.convert("RGB"))


def opaque(image: Pixels) -> int:
    return int(np.count_nonzero(image[..., 3] > 128))


def test_keywords_are_those_of_the_record() -> None:
    assert [field.name for field in fields(PictureOptions)] == [*PictureKeywords.__annotations__]


# -- transparent -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", one_in(2, THEMES))
def test_on_a_page_of_its_own_colour_a_transparent_picture_is_the_usual_one(theme: str) -> None:
    page = THEMES[theme].background
    cases = (("first", None), ("first", ("rod", "marble")), ("knot", None))
    for name, focus in cases if theme == "light" else cases[:1]:
        clear = viewer.render(name, size=SIZE, theme=theme, focus=focus, transparent=True)
        usual = viewer.render(name, size=SIZE, theme=theme, focus=focus)
        assert clear.shape == (*usual.shape[:2], 4)
        assert np.abs(over(clear, page).astype(int) - usual).max() <= 6  # no rims, dark or light


def test_what_nothing_is_drawn_on_is_not_there_at_all(tmp_path: Path) -> None:
    camera = Camera((0, -8, 1), (0, 0, 1), parallel_height=8)
    session = Session(Scene({"ball": Sphere([0, 0, 1], 1)}), size=SIZE)
    session.view.set_camera(camera)
    session.settings.toggle("grid")
    session.settings.toggle("labels")
    image = viewer.snapshot(session, tmp_path / "a.png", transparent=True, panels=False)
    assert set(np.unique(image[..., 3])) >= {0, 255}
    assert opaque(image) == pytest.approx(np.pi * 30**2, rel=0.02)  # a unit is 30 pixels
    assert not image[..., :3][image[..., 3] == 0].any()
    with Image.open(tmp_path / "a.png") as file:
        assert file.mode == "RGBA"
        assert np.array_equal(np.asarray(file), image)


@pytest.mark.parametrize("suffix", [".png", ".apng", ".webp"])
def test_animations_are_transparent_in_every_frame(suffix: str, tmp_path: Path) -> None:
    options = PictureKeywords(size=SIZE, transparent=True, panels=False)
    viewer.render_motion(SLIDE, tmp_path / f"a{suffix}", fps=1, progress=False, **options)
    with Image.open(tmp_path / f"a{suffix}") as movie:
        assert getattr(movie, "n_frames", 1) == 3
        for number in range(3):
            movie.seek(number)
            frame = np.asarray(movie.convert("RGBA"))
            expected = viewer.render(SLIDE, time=float(number), **options)
            assert np.array_equal(frame[..., 3], expected[..., 3])
            assert np.array_equal(frame[frame[..., 3] > 0], expected[expected[..., 3] > 0])


def test_what_cannot_be_transparent_is_refused(tmp_path: Path) -> None:
    for name in ("a.gif", "a.mp4"):
        with pytest.raises(ValueError, match=r"transparent as a \.webp, \.apng, \.png file, and not as"):
            viewer.render_motion(SLIDE, tmp_path / name, transparent=True, progress=False)
    assert files_in(tmp_path) == []


# -- panels, text, projection ------------------------------------------------------------------------------------------


def test_without_panels_labels_and_shapes_stay() -> None:
    with_panels, without = (
        viewer.render(SLIDE, size=(640, 480), transparent=True, panels=panels) for panels in (True, False)
    )
    corner = slice(20, 40), slice(20, 60)
    assert with_panels[corner][..., 3].min() > 200
    assert with_panels[-60:-20, 100:300, 3].min() > 200  # the strip of the time
    assert not without[corner][..., 3].any()
    text = Scene({"a": Sphere([0, 0, 0], 1)})
    session = Session(text, size=(640, 480))
    labelled = viewer.snapshot(session, panels=False)
    session.settings.toggle("labels")
    assert not np.array_equal(labelled, viewer.snapshot(session, panels=False))


def test_shapes_fill_a_picture_without_panels() -> None:
    pair = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1)}, caption="Long. " * 60)
    reds = [red_pixels(viewer.render(pair, size=(640, 480), panels=panels)) for panels in (True, False)]
    assert reds[1] > 1.1 * reds[0]


def test_text_grows() -> None:
    plates = []
    for scale in (0.5, 1.0, 2.0):
        image = viewer.render(SLIDE, size=(640, 480), scale=scale, transparent=True, camera=Camera((0, -900, 0)))
        plates.append(opaque(image))
    assert plates[0] * 1.8 < plates[1] < plates[2] / 1.8


def test_in_parallel_what_is_far_looks_as_large() -> None:
    camera = Camera((0.5, -14, 1), (0.5, 0, 1))

    def areas(**options: Any) -> list[int]:
        pictures = []
        for name in ("near", "far"):
            session = Session(Scene({name: BALLS[name]}), size=SIZE)
            session.view.set_camera(camera)
            if options.get("parallel"):
                session.view.switch_projection()
            session.settings.toggle("grid")
            session.settings.toggle("labels")
            pictures.append(opaque(viewer.snapshot(session, transparent=True, panels=False)))
        return pictures

    near, far = areas()
    assert far < 0.6 * near
    near, far = areas(parallel=True)
    assert far == pytest.approx(near, rel=0.02)
    assert not np.array_equal(
        viewer.render(BALLS, size=SIZE, camera=camera), viewer.render(BALLS, size=SIZE, camera=camera, parallel=True)
    )


# -- a time, a pair ----------------------------------------------------------------------------------------------------


def test_a_time_is_seen() -> None:
    reds = [red_pixels(viewer.render(SLIDE, size=SIZE, time=time, panels=False)) for time in (0.0, 0.9, 2.0)]
    assert max(reds[:2]) < 100  # an axis
    assert reds[2] > 1000
    assert np.array_equal(viewer.render(SLIDE, size=SIZE), viewer.render(SLIDE, size=SIZE, time=0))
    for wrong in (-0.1, 2.1, float("nan")):
        with pytest.raises(ValueError, match=r"must be one of the motion, got .*; the motion lasts from 0 to 2 s"):
            viewer.render(SLIDE, size=SIZE, time=wrong)
    with pytest.raises(ValueError, match="the scene has no motion"):
        viewer.render(BALLS, size=SIZE, time=0.0)
    nothing: Any = "1"
    with pytest.raises(ValueError, match="the time must be a number of seconds, got '1'"):
        viewer.render(SLIDE, size=SIZE, time=nothing)


def test_a_pair_is_seen_from_near_and_all_others_are_faded() -> None:
    pair = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([3, 0, 0], 1), "c": Sphere([1.5, -4, 0], 0.8)})
    usual, near = (viewer.render(pair, size=SIZE, panels=False, focus=focus) for focus in (None, ("b", "a")))
    solid = [int(np.count_nonzero(picture.max(axis=-1) < 225)) for picture in (usual, near)]
    assert solid[1] > 1.2 * solid[0]
    hit = pair.with_shape("d", Sphere([1.5, -4.5, 0], 0.8))
    reds = [red_pixels(viewer.render(hit, size=SIZE, panels=False, focus=pair)) for pair in (("c", "d"), ("a", "b"))]
    assert reds[0] > 4000 > 10 * reds[1]
    camera = Camera((0, -30, 0))
    pictures = [viewer.render(pair, size=SIZE, camera=camera, focus=focus) for focus in (None, ("a", "b"))]
    assert 0 < np.any(pictures[0] != pictures[1], axis=-1).sum() < 2000  # the camera that is given stays


def test_mistakes_in_options() -> None:
    for wrong, words in (
        ({"scale": 0.4}, "scale must be a number from 0.5 to 4, got 0.4"),
        ({"scale": 5}, "scale must be"),
        ({"scale": float("nan")}, "scale must be"),
        ({"scale": "a"}, "scale must be a number from 0.5 to 4, got 'a'"),
        ({"scale": True}, "scale must be"),
        ({"camera": 3}, "camera must be a collision.Camera, got 3"),
        ({"focus": ("near", "fat")}, "did you mean 'far'"),
        ({"focus": ("near", "near")}, "two shapes, got 'near' twice"),
        ({"focus": "near"}, "names of two shapes, got 'near'"),
        ({"focus": 3}, "names of two shapes, got 3"),
    ):
        with pytest.raises(ValueError, match=words):
            viewer.render(BALLS, size=SIZE, **wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="there is no option 'paralel' of a picture; did you mean 'parallel'"):
        viewer.render(BALLS, size=SIZE, paralel=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="there is no option 'foo' of a picture; there are size, view, "):
        viewer.render_motion(BALLS, "balls.gif", foo=1)  # type: ignore[call-arg]


# -- on the command line -----------------------------------------------------------------------------------------------


def test_all_options_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.png"
    words = ["--transparent", "--no-panels", "--parallel", "--scale", "1.5", "--quiet"]
    common = ["robot_arm", "forearm", "wall", "--size", "320x240", *words]
    assert main(["render", *common, "-o", str(path), "--at", "5.5"]) == ExitCode.FINE
    with Image.open(path) as picture:
        assert picture.mode == "RGBA"
        once = np.asarray(picture)
    arguments = PictureKeywords(panels=False, parallel=True, scale=1.5, focus=("forearm", "wall"), transparent=True)
    assert np.array_equal(once, viewer.render("robot_arm", size=SIZE, time=5.5, **arguments))
    moving = path.with_suffix(".apng")
    assert main(["render", *common, "-o", str(moving), "--during", "5:5.5", "--fps", "2"]) == ExitCode.FINE
    with Image.open(moving) as movie:
        assert (getattr(movie, "n_frames", 1), movie.mode) == (2, "RGBA")
    assert capsys.readouterr().out == f"{path}\n{moving}\n"


def test_render_says_of_which_time_it_speaks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-o", str(tmp_path / "a.png"), "--size", "160x120"]
    assert main(["render", "robot_arm", *words]) == ExitCode.FINE
    out = capsys.readouterr().out
    assert "No pair of 8 shapes collides at the start (t = 0)" in out
    assert 'The scene moves: "collision-viewer check robot_arm" lists what touches during its motion.' in out
    assert main(["render", "robot_arm", *words, "--at", "5.5"]) == ExitCode.FINE
    out = capsys.readouterr().out
    assert "2 pairs of 8 shapes collide at 5.5 s" in out
    assert "The scene moves" not in out
    assert main(["render", "first", *words]) == ExitCode.FINE
    assert "2 pairs of 6 shapes collide." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["robot_arm", "--at", "99"], "--at must be a time of the motion, got 99; the motion lasts from 0 to"),
        (["first", "--at", "0"], "the scene has no motion"),
        (["robot_arm", "--at", "soon"], "collision-viewer: --at must be a time in seconds, or worst, got 'soon'"),
        (["first", "--scale", "9"], "--scale must be a number from 0.5 to 4, got 9"),
        (["first", "ball", "crat"], "collision-viewer: first: there is no shape named"),
        (["first", "ball", "crat"], "did you mean 'crate'"),
        (["first", "ball", "ball"], "first: expected the names of two shapes, got 'ball' twice"),
    ],
)
def test_mistakes_are_told(words: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", *words, "-o", str(tmp_path / "a.png")]) == ExitCode.MISTAKE
    assert message in capsys.readouterr().err
    assert files_in(tmp_path) == []


def test_a_transparent_gif_is_refused_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "robot_arm", "-o", str(tmp_path / "a.gif"), "--transparent"]) == ExitCode.MISTAKE
    assert "not as .gif" in capsys.readouterr().err
