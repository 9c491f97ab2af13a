"""Small pictures: panels give way in one order, what is left can be read, and the subject fills the rest."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from viewer.files.loading import load
from viewer.picture.present import present
from viewer.records.drawables import Timeline
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")

EXAMPLES = Path(__file__).parents[1] / "examples"
SMALL = [(480, 360), (500, 400), (640, 480)]


def app_of(stage: Stage, name: str, *selected: str, time: float | None = None) -> App:
    session = Session(load(EXAMPLES / f"{name}.toml"), size=stage.size)
    app = App(session, stage)
    app.refresh()
    session.select_many(selected)
    if time is not None:
        session.player.scrub(time)
    app.refresh()
    return app


def texts(app: App) -> list[str]:
    drawn = app.stage._text.arrange(app.stage._drawables, app.stage._renderer.GetSize(), app.stage._unit)
    return [run.text for panel in drawn.sheet.panels for run in panel.runs]


@pytest.mark.parametrize("size", SMALL, ids=str)
@pytest.mark.parametrize("selected", [("forearm tip", "crate"), ("forearm tip", "upper arm"), ("wall",), ("forearm",)])
def test_the_numbers_and_the_names_of_a_card_are_whole(size: tuple[int, int], selected: tuple[str, ...]) -> None:
    with Stage.offscreen(size) as stage:
        app = app_of(stage, "robot_arm", *selected, time=4.0)
        shown = texts(app)
        fields = app.session.manipulation.inspector.fields
        assert not [text for text in shown if "…" in text and text[0] != "…" and len(text) < 12]
        for label in [field.label for field in fields] or ["distance", "normal"]:
            assert label in shown
    if len(selected) == 2:
        assert sum("." in text and text.strip("−.e-0123456789") == "" for text in shown) >= 3


@pytest.mark.parametrize("size", SMALL, ids=str)
@pytest.mark.parametrize("name", ["first", "robot_arm"])
def test_panels_leave_most_of_it_to_the_subject(size: tuple[int, int], name: str) -> None:
    with Stage.offscreen(size) as stage:
        app = app_of(stage, name)
        rooms = stage.covered(present(app.session))
        assert sum((room.right - room.left) * (room.top - room.bottom) for room in rooms) < 0.5
        pixels = np.concatenate(
            [
                app.session.viewport.project(shape.bounds().center)[0][None]
                for shape in app.session.scene.shapes.values()
            ]
        )
        wide, high = np.ptp(pixels, axis=0) / size
        assert wide > 0.2
        assert high > 0.09


def test_the_strip_shows_the_row_that_touches_where_there_is_room_for_one() -> None:
    session = Session(load(EXAMPLES / "robot_arm.toml"), size=(480, 360))
    seen = []
    for time in (4.0, 5.5):
        session.player.scrub(time)
        (strip,) = (d for d in present(session) if isinstance(d, Timeline))
        (row,) = strip.rows
        assert any(span.begin <= time <= span.end for span in row.intervals)
        assert strip.more == 2
        seen.append(row.pair)
    assert len({*seen}) == 2
    assert not math.isnan(session.time)
