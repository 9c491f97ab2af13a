"""Larger text in the window: from the command line, from Python and by keys, everywhere alike."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import viewer
from collision import Motion, Scene, Sphere
from tests.desk import Desk
from viewer.cli.commands import main
from viewer.records.sizes import SCALES
from viewer.records.theme import THEMES
from viewer.session import Session
from viewer.session.requests import OpenScene
from viewer.stage.stage import Stage
from viewer.studio.app import App

SIZE = (640, 480)
SCENE = Scene(
    {"ball": Sphere([0, 0, 0], 1), "other": Sphere([3, 0, 0], 1)},
    title="Two balls",
    motion=[Motion("other", [0, 1], [[0, 0, 0], [-2, 0, 0]])],
)


@pytest.fixture
def app() -> Iterator[App]:
    with Stage.offscreen(SIZE) as stage:
        yield App(Session(SCENE, size=SIZE), stage, switches=True)


def dark_share(app: App) -> float:
    app.refresh()
    return float((app.stage.image().max(axis=-1) < 90).mean())


def test_keys_make_all_text_larger_and_smaller_and_as_it_was(app: App) -> None:
    desk, settings = Desk(app.stage, app.stage._handlers), app.session.settings
    usual, ink = settings.theme.font_size, dark_share(app)
    desk.key("plus", "+", ctrl=True)
    desk.key("equal", "=", ctrl=True)
    assert (settings.scale, settings.theme.font_size) == (1.5, 1.5 * usual)
    assert dark_share(app) > 1.3 * ink  # letters are dark
    desk.key("minus", "-", ctrl=True)
    assert settings.scale == 1.25
    desk.key("0", "0", ctrl=True)
    assert settings.scale == 1.0
    assert dark_share(app) == ink


def test_there_is_a_largest_and_a_smallest_and_that_is_said() -> None:
    session = Session(SCENE)
    for key, last in (("plus", SCALES[-1]), ("minus", SCALES[0])):
        for _ in SCALES:
            session.key(key, ctrl=True)
        assert session.settings.scale == last
        assert f"than {last:g} times" in session.notice


def test_a_scale_between_the_steps_goes_to_the_next_of_them() -> None:
    session = Session(SCENE)
    session.settings.set_scale(1.4)
    session.settings.change_scale(1)
    assert session.settings.scale == 1.5
    session.settings.set_scale(1.4)
    session.settings.change_scale(-1)
    assert session.settings.scale == 1.25


def test_another_theme_and_another_scene_keep_the_size_of_the_text(app: App) -> None:
    settings = app.session.settings
    settings.set_scale(2.0)
    settings.next_theme()
    assert settings.theme.font_size == 2.0 * [*THEMES.values()][1].font_size
    app.session.dialog.request(OpenScene(None))
    app.refresh()
    assert app.session.settings is not settings
    assert (app.session.settings.scale, app.session.settings.theme) == (2.0, settings.theme)


@pytest.mark.parametrize("scale", [0.4, 4.5, float("nan"), True, "2"])
def test_a_scale_that_is_none_is_refused_in_words(scale: object) -> None:
    for opens in (viewer.view, viewer.show):
        with pytest.raises(ValueError, match=r"scale must be a number from 0\.5 to 4, got"):
            opens(SCENE, scale=scale)  # type: ignore[operator]


def test_the_command_line_refuses_it_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["open", "first", "--scale", "9"]) == 2
    assert capsys.readouterr().err == "collision-viewer: --scale must be a number from 0.5 to 4, got 9.0\n"


def test_the_window_opens_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr("viewer.studio.app.run", lambda scene, **options: seen.append(options["scale"]) or scene)
    assert main(["open", "first", "--scale", "1.5"]) == 0
    viewer.view(SCENE, scale=2)
    assert np.allclose(seen, [1.5, 2.0])
