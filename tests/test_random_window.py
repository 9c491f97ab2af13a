"""A window in which anything is done at any time: it never fails, the scene stays whole, and undo leads back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from collision import Camera, HalfSpace, Point, Scene, Sphere
from collision.scenefile import dump_scene, parse_scene
from viewer.files.loading import read
from viewer.picture.handles import handle_marks
from viewer.picture.present import present
from viewer.records.events import Button, Closing, Key, Pointer, Resized, Timer, Wheel
from viewer.session import Session
from viewer.session.commands import BINDINGS
from viewer.stage.events import Event, Kind, Navigator
from viewer.stage.stage import Stage
from viewer.studio.app import App

SIZE = (800, 600)
EXAMPLES = Path(__file__).parents[1] / "examples"
BUTTONS: tuple[Button, ...] = ("left", "left", "left", "left", "right", "middle")
EDITING = ("Return", "Escape", "Tab", "BackSpace", "Left", "End", "Delete", "Up", "Down", "Prior")
TYPED = (*"0123456789.-+e/ []*,abcxyznif\"'\\é<&\t", "\n", "中", "\N{ZERO WIDTH JOINER}")


class Hand:
    """Does anything with a window, at random."""

    def __init__(self, app: App, rng: np.random.Generator, file: Path | None = None) -> None:
        self.app, self.stage, self.rng, self.file = app, app.stage, rng, file
        self.at, self.held = (100.0, 100.0), cast("Button | None", None)
        self.navigator = Navigator(lambda: app.session.viewport, self._turn)
        self.changed = 0
        self.acts: dict[Callable[[], None], float] = {
            self.press: 12, self.move: 25, self.release: 12, self.wheel: 6, self.command: 14, self.type: 12,
            self.resize: 1, self.wait: 3, self.close: 0.5, self.spoil: 0.5,
        }  # fmt: skip

    def step(self) -> None:
        """Do something."""
        before = self.app.session.resting
        weights = np.array([*self.acts.values()])
        act = [*self.acts][int(self.rng.choice(len(weights), p=weights / weights.sum()))]
        act()
        self.changed += self.app.session.resting is not before
        if self.app.session.closed:
            self.app.session.dialog.closed = False

    def send(self, kind: Kind, event: Event) -> bool:
        return self.stage.send(kind, event)

    def _turn(self, camera: Camera) -> None:
        self.stage.camera = camera
        self.send("camera", camera)

    def place(self) -> tuple[float, float]:
        """Return a pixel: of a panel, of a handle, of a shape, near the last one, or anywhere, also outside."""
        rng, session, (width, height) = self.rng, self.app.session, self.stage.size
        what = rng.random()
        if what < 0.25 and (points := [d.points for d in handle_marks(session) if hasattr(d, "points")]):
            found = session.viewport.project(np.reshape(points[int(rng.integers(len(points)))], (-1, 3)))[0][0]
        elif what < 0.5 and session.scene.element_count:
            shape = session.scene.element(int(rng.integers(session.scene.element_count)))
            found = session.viewport.project(np.reshape(next(iter(shape.values().values())), (-1, 3)))[0][0]
        elif what < 0.75 and (rooms := self.stage.covered(present(session))):
            room, (x, y) = rooms[int(rng.integers(len(rooms)))], rng.uniform(0, 1, 2)
            across, up = room.left + x * (room.right - room.left), room.bottom + y * (room.top - room.bottom)
            found = np.multiply((across, up), (width, height))
        elif what < 0.9:
            found = self.at + rng.normal(0, 20, 2)
        else:
            found = rng.uniform(-0.5, 1.5, 2) * (width, height)
        x, y = (float(value) for value in found)
        return (float(round(x)), float(round(y))) if abs(x) < 1e6 and abs(y) < 1e6 else self.at

    def pointer(self, button: Button | None) -> Pointer:
        shift, ctrl, alt = (bool(held) for held in self.rng.random(3) < 0.1)
        return Pointer(*self.at, button, shift, ctrl, alt)

    def press(self) -> None:
        self.at = self.place()
        self.held = BUTTONS[int(self.rng.integers(len(BUTTONS)))]
        event = self.pointer(self.held)
        if not self.send("press", event):
            self.navigator.press(event)

    def move(self) -> None:
        self.at = self.place()
        event = self.pointer(self.held)
        if not self.send("move", event):
            self.navigator.drag(event)

    def release(self) -> None:
        button, self.held = self.held or BUTTONS[int(self.rng.integers(len(BUTTONS)))], None
        if self.rng.random() < 0.4:
            self.at = self.place()
        self.navigator.release()
        self.send("release", self.pointer(button))

    def wheel(self) -> None:
        event, clicks = self.pointer(None), float(self.rng.choice([-1.0, 1.0]))
        if not self.send("wheel", Wheel(event, clicks)):
            self.navigator.wheel(event, clicks)

    def command(self) -> None:
        *held, symbol = str(self.rng.choice(list(BINDINGS))).split("+")
        self.send("key", Key(symbol, "shift" in held, "ctrl" in held, "alt" in held))

    def type(self) -> None:
        for _ in range(int(self.rng.integers(1, 6))):
            text = str(self.rng.choice(TYPED))
            self.send("key", Key(text, text=text))
        self.send("key", Key(str(self.rng.choice(EDITING))))

    def resize(self) -> None:
        size = int(self.rng.integers(64, 1500)), int(self.rng.integers(64, 1200))
        self.stage.plotter.render_window.SetSize(2 * size[0], 2 * size[1])  # off screen, it draws at twice the size
        self.send("resize", Resized(*size))

    def wait(self) -> None:
        self.app.session.player.tick(float(self.rng.uniform(0, 0.5)))
        self.send("timer", Timer())

    def close(self) -> None:
        self.send("close", Closing())

    def spoil(self) -> None:
        """Change the file that the scene comes from, as another program does."""
        if self.file is None:
            return
        what = int(self.rng.integers(4))
        if what == 0:
            self.file.unlink(missing_ok=True)
        else:
            other = dump_scene(Scene({"a": Sphere([0, 0, 0], float(self.rng.uniform(1, 2))), "b": Point([3, 0, 0])}))
            self.file.write_text(["", "[shapes", other][what - 1])
        self.app.session.dialog.look_at_file()
        self.app.refresh()


def back_to_the_start(app: App) -> None:
    """Let go of everything, answer nothing, and undo all."""
    app.stage.send("release", Pointer(0, 0, "left"))
    app.session.dialog.dismiss()
    app.session.cancel()
    while app.session.document.undoable:
        app.session.undo()


@pytest.mark.parametrize("name", ["first.toml", "robot_arm.toml", "capsule_space.py", "robot.xml"])
def test_whatever_is_done_nothing_fails_and_undo_leads_back(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    monkeypatch.chdir(tmp_path)
    loaded = read(EXAMPLES / name)
    session = Session(loaded.scene, size=SIZE)
    file = tmp_path / name if name.endswith(".toml") else None
    if file is not None:
        file.write_text((EXAMPLES / name).read_text())
        session.comes_from(file)
    if loaded.react is not None:
        session.react_with(loaded.react)
    before = dump_scene(session.resting)
    steps = 20_000 if pytestconfig.getoption("--deep") else 120
    with Stage.offscreen(SIZE) as stage:
        monkeypatch.setattr(stage, "render", stage.prepare)  # all of a frame but the drawing
        hand = Hand(App(session, stage), np.random.default_rng(7), file)
        for number in range(steps):
            hand.step()
            if number % 100 == 99:
                text = dump_scene(session.resting)
                assert dump_scene(parse_scene(text)) == text
        back_to_the_start(hand.app)
    assert dump_scene(session.resting) == before
    assert hand.changed > 0.01 * steps  # idle play would prove nothing


@pytest.mark.parametrize("scene", [Scene(), Scene({"floor": HalfSpace([0, 0, 0], [0, 0, 1])})], ids=["none", "floor"])
def test_nothing_and_a_floor_alone_are_played_with_as_well(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(scene, size=SIZE)
    with Stage.offscreen(SIZE) as stage:
        monkeypatch.setattr(stage, "render", stage.prepare)
        hand = Hand(App(session, stage), np.random.default_rng(7))
        for _ in range(60):
            hand.step()
        back_to_the_start(hand.app)
    assert session.resting == scene


@pytest.mark.parametrize("typed", ["\t", "\n", "\r", "\x1b", "\u202e"])
def test_what_no_line_can_hold_is_not_typed(typed: str) -> None:
    session = Session(Scene({"ball": Sphere([0, 0, 0], 1)}), size=SIZE)
    session.select("ball")
    session.dialog.ask_number("radius")
    with Stage.offscreen(SIZE) as stage:
        app = App(session, stage)
        for text in ("2", typed):
            stage.send("key", Key("x", text=text))
        assert session.prompt is not None
        assert session.prompt.text == "2"
        for x, y in ((x, y) for x in range(400, SIZE[0], 10) for y in range(400, SIZE[1], 5)):
            stage.panel_at(x, y)
        assert app.session is session
