"""Editing in a real window: clicks, drags, numbers, undo, saving, and the question on closing."""

from __future__ import annotations

import ctypes
import ctypes.util
from collections.abc import Iterator
from pathlib import Path

import pytest

from collision.scenefile import load_scene
from tests.test_window import amber_pixels, arrow_tip
from tests.windows import MARKS, PATIENCE, SIZE, TITLE, Display, Window, opened_window

pytestmark = MARKS

TEXT = f"""# Three shapes.
title = "{TITLE}"

[shapes.ball]
kind = "sphere"
center = [0, 0, 0]     # in the middle
radius = 1

[shapes.box]
kind = "aabb"
lower = [2, -1, -1]
upper = [4, 1, 1]

[shapes.arm]
kind = "capsule"
start = [-3, 0, -1]
end = [-3, 0, 1]
radius = 0.4
"""

PROGRAM = f"""
import json, sys
from viewer.studio.app import run, window_title
from viewer.files.loading import read

def say(session):
    camera = session.viewport.camera
    print(json.dumps({{
        "selected": session.selected,
        "shapes": list(session.scene),
        "ball": session.scene["ball"].values()["center"].tolist() if "ball" in session.scene else None,
        "pending": session.pending,
        "hovered": session.manipulation.pointing.hovered,
        "box": session.selection.box,
        "hidden": sorted(session.document.hidden),
        "prompt": session.prompt and session.prompt.title,
        "text": session.prompt and session.prompt.text,
        "notice": session.notice,
        "title": window_title(session),
        "size": session.viewport.size,
        "position": camera.position,
        "target": camera.target,
    }}), flush=True)

run(read(sys.argv[1]), size={SIZE}, watch=say)
print(json.dumps({{"left": True}}), flush=True)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "scene.toml"
    path.write_text(TEXT)
    return path


@pytest.fixture
def window(display: Display, file: Path) -> Iterator[Window]:
    with opened_window(display, PROGRAM, str(file)) as opened:
        yield opened


def keys(window: Window, *names: str) -> None:
    for name in names:
        window.xdotool("key", name)


def name_on_screen(window: Window) -> str:
    number = window.xdotool("search", "--onlyvisible", "--name", TITLE).split()[-1]
    return window.xdotool("getwindowname", number).strip()


def test_click_drag_type_a_number_undo_save(window: Window, file: Path) -> None:
    window.click(window.pixel(0, 0, 1))
    window.wait(lambda said: said["selected"] == ["ball"], "the ball is selected")
    window.settled(lambda image: amber_pixels(image) > 1000, "an amber rim")
    start = arrow_tip(window, 2)
    window.to(start)
    window.xdotool("mousedown", 1)
    window.to((start[0], start[1] - 60))
    window.xdotool("mouseup", 1)
    dragged = window.wait(lambda said: not said["pending"] and said["ball"][2] > 0.1, "the ball is up")
    assert dragged["title"].startswith("*")
    assert name_on_screen(window).startswith(f"*{TITLE}")
    keys(window, "ctrl+z")
    said = window.wait(lambda said: said["ball"] == [0.0, 0.0, 0.0], "the drag is undone in one step")
    assert said["title"].startswith(TITLE)
    keys(window, "g", "z", "1", "period", "2", "5", "Return")
    window.wait(lambda said: said["ball"] == [0.0, 0.0, 1.25] and not said["pending"], "the ball is up by a number")
    keys(window, "ctrl+s")
    said = window.wait(lambda said: said["notice"] == "saved scene.toml", "it is saved")
    assert said["title"].startswith(TITLE)
    assert file.read_text() == TEXT.replace("[0, 0, 0]     # in", "[0, 0, 1.25]     # in")


def dragged(window: Window, start: tuple[int, int], button: int = 1) -> None:
    window.to(start)
    window.xdotool("mousedown", button)
    for part in (20, 40, 60):
        window.to((start[0] + part, start[1] + part // 3))
    window.xdotool("mouseup", button)


def test_a_shape_is_pressed_and_dragged_and_the_view_is_turned_and_taken_back(window: Window) -> None:
    window.to((window.origin[0] + 5, window.origin[1] + SIZE[1] // 2))
    start = window.pixel(0, 0, 1)
    window.to(start)
    view = window.wait(lambda said: said["hovered"] == "ball", "the ball is under the pointer")["position"]
    dragged(window, start)
    moved = window.wait(lambda said: not said["pending"] and said["ball"] != [0, 0, 0], "the ball is elsewhere")
    assert moved["position"] == view
    assert moved["selected"] == ["ball"]
    keys(window, "ctrl+z", "Escape")
    window.wait(lambda said: said["ball"] == [0, 0, 0], "it is back")
    keys(window, "shift+l")
    for button in (1, 2):
        dragged(window, start, button)
        window.wait(lambda said: said["position"] != view, "the view has turned")
        keys(window, "alt+z")
        back = window.wait(lambda said: said["position"] == view, "and back")
        assert back["ball"] == [0, 0, 0]


def test_shapes_are_boxed_hidden_deleted_and_renamed(window: Window, file: Path) -> None:
    window.to((window.origin[0] + 3, window.origin[1] + 3))
    window.xdotool("keydown", "ctrl")
    window.xdotool("mousedown", 1)
    window.to((window.origin[0] + SIZE[0] // 2, window.origin[1] + SIZE[1] // 2))
    window.wait(lambda said: said["box"] is not None, "a box is drawn")
    window.to((window.origin[0] + SIZE[0] - 3, window.origin[1] + SIZE[1] - 3))
    window.xdotool("mouseup", 1)
    window.xdotool("keyup", "ctrl")
    window.wait(lambda said: len(said["selected"]) == 3, "all is selected")
    window.settled(lambda image: amber_pixels(image) > 4000, "amber rims around all shapes")
    keys(window, "Escape")
    window.click(window.pixel(0, 0, 1))
    window.wait(lambda said: said["selected"] == ["ball"], "the ball is selected")
    keys(window, "ctrl+h")
    window.wait(lambda said: said["hidden"] == ["ball"], "the ball is hidden")
    keys(window, "ctrl+shift+h")
    window.click(window.pixel(0, 0, 1))
    keys(window, "F2")
    window.wait(lambda said: said["prompt"] == "Rename ball", "a name is asked for")
    keys(window, "ctrl+BackSpace", "B", "i", "g", "underscore", "1", "Return")
    window.wait(lambda said: said["shapes"] == ["Big_1", "box", "arm"], "the ball has another name")
    keys(window, "Delete")
    window.wait(lambda said: said["shapes"] == ["box", "arm"], "it is gone")
    keys(window, "ctrl+z", "ctrl+s")
    window.wait(lambda said: said["notice"] == "saved scene.toml", "it is saved")
    assert file.read_text() == TEXT.replace("[shapes.ball]", "[shapes.Big_1]")


class ClientMessage(ctypes.Structure):
    """A message between programs, as Xlib has it, padded to the size of any event."""

    _fields_ = (
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", ctypes.c_ulong),
        ("message_type", ctypes.c_ulong),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("padding", ctypes.c_long * 16),
    )


def closed_by_its_manager(window: Window) -> None:
    """Ask the window to close, as the close button of a window manager does; on this screen there is none."""
    number = int(window.xdotool("search", "--onlyvisible", "--name", TITLE).split()[-1])
    x11 = ctypes.CDLL(ctypes.util.find_library("X11"))
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    connection = ctypes.c_void_p(x11.XOpenDisplay(window.environment["DISPLAY"].encode()))
    protocols, delete = (x11.XInternAtom(connection, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
    data = (ctypes.c_long * 5)(delete, 0, 0, 0, 0)
    message = ClientMessage(33, 0, 1, connection, number, protocols, 32, data)
    assert x11.XSendEvent(connection, ctypes.c_ulong(number), 0, ctypes.c_long(0), ctypes.byref(message))
    x11.XCloseDisplay(connection)


@pytest.mark.parametrize("way", ["q", "ctrl+w", "button"])
def test_closing_asks_about_unsaved_changes(display: Display, file: Path, way: str) -> None:
    with opened_window(display, PROGRAM, str(file), own=way == "q") as window:
        _closed_in_two_steps(window, way)
        assert way != "q" or window.process.wait(PATIENCE) == 0
    moved = load_scene(file)["ball"].values()["center"][2] > 0.0
    assert moved == (way == "q")


def _closed_in_two_steps(window: Window, way: str) -> None:
    def close() -> None:
        closed_by_its_manager(window) if way == "button" else keys(window, way)

    window.click(window.pixel(0, 0, 1))
    window.wait(lambda said: said["selected"] == ["ball"], "the ball is selected")
    keys(window, "Up")
    window.wait(lambda said: said["ball"][2] > 0.0, "the ball is nudged")
    plain = window.image()
    close()
    window.wait(lambda said: said["prompt"] == "scene.toml has unsaved changes", "it is asked")
    window.settled(lambda image: bool((image != plain).any(axis=-1).mean() > 0.02), "the question")
    keys(window, "Escape")
    window.wait(lambda said: said["prompt"] is None, "it goes on")
    assert window.process.poll() is None
    close()
    window.wait(lambda said: said["prompt"] is not None, "it is asked again")
    keys(window, "s" if way == "q" else "d")
    window.wait(lambda said: "left" in said, "goodbye")


def test_without_changes_the_close_button_just_closes(window: Window) -> None:
    closed_by_its_manager(window)
    window.wait(lambda said: "left" in said, "goodbye")
