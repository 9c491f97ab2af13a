"""Pictures are compared as an eye does: edges may be drawn otherwise, and what turned red is always seen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import pyvista as pv
from PIL import Image

import viewer
from collision import Scene, Sphere
from tests.slow import one_in
from viewer.cli import main
from viewer.files.differences import AREA, Difference, compare_pictures, read_picture, where
from viewer.picture.present import present
from viewer.records.drawables import Bar, Label, Panel
from viewer.records.theme import LIGHT
from viewer.session import Session
from viewer.stage.stage import Stage

SIZE = (1280, 960)


def drawn(smoothing: str = "") -> np.ndarray:
    """Draw the first example without its texts, and smooth its edges as VTK does, or in our own way."""
    session = Session(viewer.as_scene("first"), size=SIZE)
    shown = [drawable for drawable in present(session) if not isinstance(drawable, Panel | Label | Bar)]
    plotter = pv.Plotter(off_screen=True, window_size=list(SIZE), lighting="none", theme=pv.themes.Theme())
    plotter.background_color = pv.Color(LIGHT.background)
    if smoothing == "msaa":
        plotter.enable_anti_aliasing("msaa", multi_samples=8)
    else:
        plotter.disable_anti_aliasing()
    with Stage(plotter) if smoothing else Stage.offscreen(SIZE) as stage:
        stage.draw(shown, session.viewport.camera)
        return stage.image()


@pytest.fixture(scope="module")
def smooth() -> np.ndarray:
    return drawn()


@pytest.mark.parametrize(("smoothing", "most"), one_in(2, [("msaa", 150), ("none", 600)]))
def test_edges_that_are_smoothed_otherwise_are_the_same(smooth: np.ndarray, smoothing: str, most: int) -> None:
    other = drawn(smoothing)
    found = compare_pictures(smooth, other)
    assert (other != smooth).any(axis=-1).sum() > 1000
    assert found.within(most), found.clusters  # of 100,000 and more that are not the same


@pytest.mark.parametrize("part", one_in(2, [0.3, 0.1]))
def test_a_camera_that_is_off_by_less_than_a_pixel_makes_no_areas(part: float) -> None:
    view = Session(viewer.as_scene("first"), size=SIZE).viewport
    step = part * float(view.units_per_pixel(view.camera.target)) * view.right
    moved = [tuple(np.add(place, step).tolist()) for place in (view.camera.position, view.camera.target)]
    camera = type(view.camera)(moved[0], moved[1], view.camera.up, view.camera.view_angle)
    a, b = (viewer.render("first", size=SIZE, camera=one, panels=False) for one in (view.camera, camera))
    found = compare_pictures(a, b)
    assert not found.area
    assert found.count < 0.005 * (a != b).any(axis=-1).sum()


@pytest.mark.parametrize("theme", one_in(2, ["light", "dark", "colour-blind-dark", "colour-blind"]))
def test_a_small_ball_that_collides_is_always_seen(theme: str) -> None:
    """Six pixels across, in a picture of a million and more, and though fifty pixels may differ."""
    rng = np.random.default_rng(4)
    rest = {f"r{number}": Sphere(rng.uniform(-100, 100, 3), rng.uniform(2, 8)) for number in range(12)}
    free = Scene({**rest, "ball": Sphere([0, 0, 120], 1.1), "grain": Sphere([0, 0, 140], 0.2)})
    view = Session(free, size=SIZE).viewport
    across = 2.2 / float(view.units_per_pixel([0, 0, 120]))
    assert 5.0 < across < 8.0
    a, b = (
        viewer.render(scene, size=SIZE, camera=view.camera, panels=False, theme=theme)
        for scene in (free, free.moved("grain", [0, 0, -20]))
    )
    patch = np.abs(view.project([0, 0, 120])[0] - (0, SIZE[1])).astype(int)
    c = a.copy()  # nothing but the ball itself, without its name
    c[patch[1] - 5 : patch[1] + 6, patch[0] - 5 : patch[0] + 6] = b[
        patch[1] - 5 : patch[1] + 6, patch[0] - 5 : patch[0] + 6
    ]
    found = compare_pictures(a, c)
    assert found.area
    assert not found.within(50)
    assert found.clusters[0].left - 3 <= patch[0] <= found.clusters[0].right + 3


def plain(color: tuple[int, ...], size: tuple[int, int] = (60, 40)) -> np.ndarray:
    return np.full((size[1], size[0], len(color)), color, dtype=np.uint8)


def with_square(side: int, at: int = 8) -> np.ndarray:
    picture = plain((240, 240, 240))
    picture[at : at + side, at : at + side] = 200, 30, 30
    return picture


@pytest.mark.parametrize("side", [1, 2, 3, 5])
def test_areas_are_squares_of_three_pixels(side: int) -> None:
    found = compare_pictures(plain((240, 240, 240)), with_square(side))
    assert found.count == side * side
    assert found.area == (side >= AREA)
    assert found.within(25) == (side < AREA)
    assert where(found) == [f"{side * side} in {side}x{side} pixels at (8, 8)"]
    assert (found.image[8 : 8 + side, 8 : 8 + side] == (230, 0, 60)).all()


def test_what_is_seen_through_is_on_white() -> None:
    assert compare_pictures(plain((255, 255, 255)), plain((0, 0, 0, 0))).count == 0
    assert compare_pictures(plain((0, 0, 0, 255)), plain((0, 0, 0, 0))).count == 2400


def test_many_places_are_counted() -> None:
    picture = plain((240, 240, 240), (600, 100))
    picture[50, 20:580:40] = 0
    found = compare_pictures(plain((240, 240, 240), (600, 100)), picture)
    assert isinstance(found, Difference)
    assert len(found.clusters) == 14
    assert where(found)[-1] == "and 9 more places"


def test_what_winds_through_a_picture_is_one_place() -> None:
    picture = plain((240, 240, 240), (205, 205))
    picture[::40] = 0
    assert len(compare_pictures(plain((240, 240, 240), (205, 205)), picture).clusters) == 6
    for row in range(0, 200, 40):
        picture[row : row + 40, 0 if row % 80 else -1] = 0
    (place,) = compare_pictures(plain((240, 240, 240), (205, 205)), picture).clusters
    assert (place.left, place.top, place.right, place.bottom) == (0, 0, 204, 200)


def save(picture: np.ndarray, path: Path) -> str:
    Image.fromarray(picture).save(path)
    return str(path)


@pytest.fixture
def expected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> np.ndarray:
    """Draw the first example to the picture that is expected, and return it."""
    monkeypatch.chdir(tmp_path)
    assert main(["render", "first", "-o", "old.png", "--size", "200x150"]) == 0
    return read_picture("old.png").copy()


NEW = ["render", "first", "-o", "new.png", "--size", "200x150", "--baseline", "old.png"]


def test_render_says_where_a_picture_is_not_as_before(expected: np.ndarray, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*NEW, "-q"]) == 0
    assert capsys.readouterr().out == "new.png\n"
    assert main(NEW) == 0
    assert capsys.readouterr().out.endswith("\nnew.png\n0 pixels differ\n")
    expected[5:7, 5:7, :3] = (0, 0, 255)
    save(expected, Path("old.png"))
    assert main([*NEW, "--max-pixels", "4"]) == 0
    assert capsys.readouterr().out.endswith("4 pixels differ, 4 allowed\n  4 in 2x2 pixels at (5, 5)\n")
    assert not Path("new-difference.png").exists()
    assert main([*NEW, "-q"]) == 10
    assert capsys.readouterr().out == "new.png\nnew-difference.png\n"
    assert read_picture("new-difference.png").shape == (150, 200, 4)
    expected[5:9, 5:9, :3] = (0, 0, 255)
    save(expected, Path("old.png"))
    assert main([*NEW, "--max-pixels", "50"]) == 10
    assert "not only edges" in capsys.readouterr().out


def test_render_says_what_is_no_picture_to_compare_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = save(plain((9, 9, 9), (30, 40)), tmp_path / "small.png")
    text, cut = tmp_path / "text.png", tmp_path / "cut.png"
    text.write_text("no picture", encoding="utf-8")
    cut.write_bytes(Path(small).read_bytes()[:70])
    words = ["render", "first", "-o", str(tmp_path / "new.png"), "--size", "200x150", "-q"]
    for baseline, said in (
        (small, "must be of one size, got 30x40 and 200x150"),
        (text, "text.png: this is no picture"),
        (cut, "cut.png: "),
        (tmp_path / "none.png", "none.png: there is no such file"),
        (tmp_path, "cannot be read: expected a file, got a directory"),
    ):
        assert main([*words, "--baseline", str(baseline)]) == 2, baseline
        error = capsys.readouterr().err
        assert said in error
        assert "Traceback" not in error
    assert main([*words, "--max-pixels", "-1"]) == 2
    assert "--max-pixels must be a whole number, zero or more, got '-1'" in capsys.readouterr().err
