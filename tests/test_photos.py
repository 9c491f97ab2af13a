"""Pictures that are saved from the window: what they show, what is asked for, and that nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import viewer
from collision import AABB, Scene, Sphere
from tests import published
from tests.helpers import files_in, type_keys, write
from viewer.files.loading import ModelOptions
from viewer.files.loading import read as load
from viewer.picture.present import present
from viewer.picture.prompts import OPEN, TICKED
from viewer.records.commands import Command
from viewer.records.drawables import Panel
from viewer.records.events import Key, Pointer
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")

SIZE = (480, 360)
SCENE = Scene({"ball": Sphere([0, 0, 0], 1), "box": AABB([0.5, -1, -1], [4, 1, 1])}, title="A ball in a box")


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    monkeypatch.chdir(tmp_path)
    with Stage.offscreen(SIZE) as stage:
        yield App(Session(SCENE, size=SIZE), stage)


def save(app: App, name: str, *options: str) -> None:
    """Save a picture as a user does, by keys."""
    app.stage.send("key", Key("p", ctrl=True))
    for option in options:
        app.stage.send("key", Key(option, alt=True))
    write(app.session, name)
    app.stage.send("key", Key("Return"))


def asked(session: Session) -> Panel:
    return next(d for d in present(session) if isinstance(d, Panel) and d.corner == "center")


def read(path: Path) -> np.ndarray:
    return np.asarray(Image.open(path))


def test_it_is_what_the_window_shows_without_the_bar_and_what_the_pointer_lights(app: App, tmp_path: Path) -> None:
    app.session.select("ball")
    app.refresh()
    app.stage.send("move", Pointer(15, 180))
    save(app, "seen")
    assert files_in(tmp_path) == ["seen.png"]
    assert app.session.notice == "saved seen.png"
    plain = Session(SCENE, size=SIZE)
    plain.select("ball")
    plain.view.set_camera(app.session.viewport.camera)
    assert np.array_equal(read(tmp_path / "seen.png"), viewer.snapshot(plain))


def test_a_snapshot_has_no_bar() -> None:
    session = Session(SCENE, size=SIZE)
    before = viewer.snapshot(session)
    session.settings.toggle("bar")
    assert np.array_equal(viewer.snapshot(session), before)


def test_the_name_of_the_scene_is_suggested_and_enter_is_enough(app: App, tmp_path: Path) -> None:
    app.session.dialog.ask_picture()
    assert asked(app.session).rows[0].text == "[scene.png]"
    app.session.dialog.dismiss()
    (tmp_path / "hall.toml").write_text('[shapes.a]\nkind = "sphere"\ncenter = [0, 0, 0]\nradius = 1')
    app.session.comes_from(tmp_path / "hall.toml")
    app.stage.send("key", Key("p", ctrl=True))
    app.stage.send("key", Key("Return"))
    assert files_in(tmp_path) == ["hall.png", "hall.toml"]


def test_the_scene_is_shared_as_a_page_beside_its_file_and_nothing_is_overwritten_unasked(
    app: App, tmp_path: Path
) -> None:
    (tmp_path / "hall.toml").write_text('[shapes.a]\nkind = "sphere"\ncenter = [0, 0, 0]\nradius = 1')
    app.session.comes_from(tmp_path / "hall.toml")
    app.stage.send("key", Key("p", ctrl=True, shift=True))
    page = tmp_path / "hall.html"
    assert str(page) in app.session.notice
    assert f"<title>{app.session.scene.title or 'A scene'}</title>" in page.read_text("utf-8")
    page.write_text("mine")
    app.stage.send("key", Key("p", ctrl=True, shift=True))
    assert asked(app.session).title == f"there is a file {page} already"
    app.stage.send("key", Key("Escape"))
    assert page.read_text("utf-8") == "mine"
    app.stage.send("key", Key("p", ctrl=True, shift=True))
    app.stage.send("key", Key("o"))
    assert 'id="scene"' in page.read_text("utf-8")


def test_an_example_is_shared_in_this_folder(app: App, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    path = tmp_path / "elsewhere" / "hall.toml"
    path.write_text('[shapes.a]\nkind = "sphere"\ncenter = [0, 0, 0]\nradius = 1')
    app.session.file.comes_from(path, template=True)
    app.session.do(Command("dialog.share_page"))
    app.refresh()
    assert files_in(tmp_path) == ["elsewhere", "hall.html"]


def test_a_robot_is_shared_in_its_pose() -> None:
    loaded = load(published.EXAMPLES / "robots" / "picker.urdf", ModelOptions(joints=(("turn", 0.5),)))
    session = Session(loaded.scene, model=loaded.model)
    session.file.comes_from(loaded.path, wanted=loaded.wanted)
    shared = session.file.shared(session.resting)
    assert shared.model is loaded.model
    assert shared.opening()[0].split("open ")[1] == (
        f"{loaded.path} --joint turn=0.5 --joint shoulder=0.0 --joint elbow=0.0 --joint wrist=0.0 --joint grip=0.0"
    )


def test_options_are_ticked_by_keys_and_by_clicks_and_are_kept(app: App, tmp_path: Path) -> None:
    save(app, "plain")
    save(app, "clear", "t", "p")
    whole, clear = read(tmp_path / "plain.png"), read(tmp_path / "clear.png")
    assert whole.shape == (SIZE[1], SIZE[0], 3)
    assert clear.shape == (SIZE[1], SIZE[0], 4)
    assert (clear[..., 3] == 0).mean() > 0.3
    assert clear[5, 100, 3] == 0, "there is no panel"
    app.session.dialog.ask_picture()
    rows = asked(app.session).rows
    assert [row.text for row in rows[1:-1]] == [
        f"{TICKED} transparent background\tAlt+T", f"{TICKED} without panels\tAlt+P", f"{OPEN} double size\tAlt+D"
    ]  # fmt: skip
    for row in rows[1:-1]:
        assert row.does is not None
        app.session.do(row.does)
    app.stage.send("key", Key("End"))
    app.stage.send("key", Key("Return"))
    large = read(tmp_path / "scene.png")
    assert large.shape == (2 * SIZE[1], 2 * SIZE[0], 3)
    assert app.session.viewport.size == SIZE
    half = np.asarray(Image.fromarray(large).reduce(2)).astype(int)
    assert np.abs(half - whole).mean() < 12 < np.abs(half[::-1] - whole).mean(), "the same picture"


def test_nothing_is_overwritten_unasked(app: App, tmp_path: Path) -> None:
    (tmp_path / "mine.png").write_bytes(b"precious")
    save(app, "mine.png")
    prompt = app.session.prompt
    assert prompt is not None
    assert prompt.title == "there is a file mine.png already"
    app.stage.send("key", Key("a"))
    assert asked(app.session).title == "Save a picture as"
    app.stage.send("key", Key("Escape"))
    assert (tmp_path / "mine.png").read_bytes() == b"precious"
    save(app, "mine")
    app.stage.send("key", Key("o"))
    assert read(tmp_path / "mine.png").shape[:2] == SIZE[::-1]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (" ", "a name of a .png file is wanted"),
        ("a.jpg", "a picture is written to a .png file, got .jpg"),
        ("nowhere/a.png", "there is no folder nowhere"),
        ("x" * 300, "cannot be"),
    ],
)
def test_a_name_that_will_not_do_is_answered_in_words(app: App, tmp_path: Path, name: str, why: str) -> None:
    save(app, name)
    prompt = app.session.prompt
    assert prompt is not None
    assert why in prompt.error
    assert files_in(tmp_path) == []


def test_what_is_too_large_is_said(app: App) -> None:
    app.session.view.resize((4800, 3600))
    save(app, "large", "d")
    assert app.session.prompt is not None
    assert "from 64 to 8192" in app.session.prompt.error
    assert app.session.viewport.size == (4800, 3600)


def test_a_session_without_a_window_says_what_to_use_instead() -> None:
    session = Session(SCENE)
    type_keys(session, "space")
    assert session.key("p", ctrl=True)
    assert "viewer.snapshot" in session.notice
    with pytest.raises(ValueError, match="there is no option 't' to tick"):
        session.dialog.tick_option("t")
