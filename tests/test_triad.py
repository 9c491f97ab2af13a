"""The small axes are clicked: the camera looks along one of them, and then from the other side."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from collision import AABB, Camera, Scene, Sphere
from viewer.camera.camera import Viewport
from viewer.records.events import Pointer
from viewer.records.pixels import Rect
from viewer.records.sizes import unit_of
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.stage.text.triad import AXES, LENGTH, arrow_at, tips_of
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")

SIZE = (800, 600)
SCENE = Scene({"ball": Sphere([0, 0, 0], 1), "box": AABB([2, -1, -1], [4, 1, 1])}, caption="A ball and a box")


@pytest.fixture
def app() -> Iterator[App]:
    with Stage.offscreen(SIZE) as stage:
        yield App(Session(SCENE, size=SIZE), stage)


def place() -> Rect:
    unit = unit_of(SIZE)
    return Rect(SIZE[0] - 100 * unit, 16 * unit, 84 * unit, 84 * unit)


def tip(app: App, axis: int) -> tuple[float, float]:
    """Return the pixel of the tip of an arrow."""
    square = place()
    x, y = tips_of(square, app.session.viewport)[axis] + [square.x, square.y] + 0.5 * square.width
    return float(x), float(y)


def click(app: App, x: float, y: float) -> bool:
    consumed = app.stage.send("press", Pointer(x, y, "left"))
    app.stage.send("release", Pointer(x, y, "left"))
    return consumed


@pytest.mark.parametrize("axis", range(3))
def test_a_click_looks_along_the_axis_and_another_from_the_other_side(app: App, axis: int) -> None:
    assert click(app, *tip(app, axis))
    assert app.session.viewport.forward == pytest.approx(-np.eye(3)[axis], abs=1e-9)
    for sign in (1.0, -1.0, 1.0):  # its arrow now points at the eye, or away from it
        square = place()
        middle = (square.x + 0.5 * square.width, square.y + 0.5 * square.width)
        assert click(app, *middle)
        assert app.session.viewport.forward == pytest.approx(sign * np.eye(3)[axis], abs=1e-9)


def test_nothing_is_selected_by_it_and_beside_the_arrows_the_view_is_turned_as_ever(app: App) -> None:
    app.session.select("ball")
    app.refresh()
    assert click(app, *tip(app, 2))
    assert app.session.selected == ("ball",)
    square = place()
    assert app.stage.panel_at(square.x + 3, square.y + 3) == (False, None)
    assert app.stage.send("press", Pointer(square.x + 3, square.y + 3, "left")) is False


def test_the_arrow_under_the_pointer_is_lit(app: App) -> None:
    calm = app.stage.image().astype(int)
    for axis in range(3):
        app.stage.send("move", Pointer(*tip(app, axis)))
        rows, columns = np.nonzero(np.abs(app.stage.image() - calm).max(axis=-1) > 8)
        x, y = tip(app, axis)
        assert len(rows) > 20
        assert rows.min() <= SIZE[1] - y <= rows.max()
        assert columns.min() <= x <= columns.max()
        assert np.ptp(columns) < 60
        app.stage.send("move", Pointer(400, 6))
    assert np.array_equal(app.stage.image(), calm)


def test_it_does_not_move_when_panels_do(app: App) -> None:
    before = tip(app, 0)
    for name in ("ball", None):
        app.session.select(name)
        app.session.say("a long notice " * 4 if name else "")
        app.refresh()
        assert app.stage.panel_at(*before)[1] is AXES[0]


def test_of_arrows_that_are_seen_one_behind_the_other_the_nearer_is_meant() -> None:
    square, middle = Rect(0, 0, 100, 100), 50.0
    view = Viewport(Camera((9, -9, 0)), (640, 480))  # x and y are seen to the same side, x towards the eye
    tips = tips_of(square, view)
    assert np.linalg.norm(tips[2]) == pytest.approx(100 * LENGTH)
    assert arrow_at(square, view, middle, middle + tips[2][1]) is AXES[2]
    assert arrow_at(square, view, middle + tips[0][0], middle + tips[0][1]) is AXES[0]
    assert arrow_at(square, view, middle, middle - 40) is None
    steep = Viewport(Camera((0.5, -0.5, 9)), (640, 480))
    assert arrow_at(square, steep, middle, middle) is AXES[2]
