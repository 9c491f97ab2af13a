"""A window in a process of its own, in the hand of a program: what both tell each other, and how either ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from threading import Event

import pytest

import viewer
from collision import Scene, Sphere
from viewer.session import Session
from viewer.studio.live.channel import Channel

PATIENCE = 60.0

BALLS = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([6, 0, 0], 1)})


# -- the line ----------------------------------------------------------------------------------------------------------


def line(heard: Callable[[object], object], back: Callable[[object], object]) -> tuple[Channel, Channel]:
    """Return both ends of a line."""
    (a_in, b_out), (b_in, a_out) = os.pipe(), os.pipe()
    one = Channel(os.fdopen(a_in, "rb"), os.fdopen(a_out, "wb"), back)
    return one, Channel(os.fdopen(b_in, "rb"), os.fdopen(b_out, "wb"), heard)


def test_only_the_latest_matters_and_nobody_waits() -> None:
    got, go, last = [], Event(), Event()

    def slow(message: object) -> None:
        got.append(message)
        go.wait(PATIENCE)
        if message in (None, ("last", 0)):
            last.set()

    one, other = line(slow, lambda _: None)
    big = bytes(1 << 20)  # far more than a pipe holds
    start = time.perf_counter()
    for number in range(100):
        one.say((big, number))
    assert time.perf_counter() - start < 5.0
    one.say(("last", 0))
    go.set()
    assert last.wait(PATIENCE)
    assert len(got) < 10
    one.finish(PATIENCE)
    assert other.ended.wait(PATIENCE)
    assert one.ended.wait(PATIENCE)
    assert got[-1] in (None, ("last", 0))


def test_the_end_of_the_line_is_heard_in_the_middle_of_a_message() -> None:
    heard = Event()
    incoming, outgoing = os.pipe()
    nowhere = os.fdopen(os.open(os.devnull, os.O_WRONLY), "wb")
    end = Channel(os.fdopen(incoming, "rb"), nowhere, lambda message: message is None and heard.set())
    os.write(outgoing, b"\x80\x04\x95\xff")
    os.close(outgoing)
    assert heard.wait(PATIENCE)
    assert end.ended.is_set()


# -- what a session makes of a scene that comes ------------------------------------------------------------------------


def test_a_scene_that_comes_keeps_camera_selection_and_what_is_hidden() -> None:
    session = Session(BALLS)
    session.select("b")
    session.document.hide()
    session.select("a")
    session.view.orbit(30, 10)
    seen = session.viewport
    assert session.file.put(BALLS.moved("a", [0, 1, 0]).with_shape("c", Sphere([0, 9, 0], 1)))
    assert session.scene["a"] == Sphere([0, 1, 0], 1)
    assert (session.viewport, session.selected, session.document.hidden) == (seen, ("a",), {"b"})
    assert not session.file.dirty
    assert session.file.put(Scene({"c": Sphere([0, 9, 0], 1)}))
    assert (session.selected, session.document.hidden) == ((), frozenset())


def test_many_scenes_leave_nothing_behind() -> None:
    session = Session(BALLS)
    for step in range(100):
        session.file.put(BALLS.moved("a", [0, step, 0]))
    assert not session.document.undoable


def test_nothing_comes_while_something_is_in_hand() -> None:
    session = Session(BALLS)
    session.select("a")
    session.manipulation.tool.begin("translate", "x")
    assert not session.file.put(BALLS.moved("b", [0, 5, 0]))
    assert session.pending


def test_what_comes_first_is_framed_and_the_ground_follows() -> None:
    session = Session(Scene(), size=(640, 480))
    session.file.put(BALLS.moved(("a", "b"), [500, 0, 0]))
    assert session.viewport.camera.target[0] == pytest.approx(503, abs=3)
    assert session.document.extent is not None
    assert session.document.extent.upper[0] == pytest.approx(507)


def test_mistakes_are_told_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="from 64 to 8192"):
        viewer.show(BALLS, size=(1, 1))
    with pytest.raises(ValueError, match="what is to be seen must be"):
        viewer.show(None)  # type: ignore[arg-type]
    monkeypatch.delenv("DISPLAY", raising=False)
    if sys.platform.startswith("linux"):
        with pytest.raises(RuntimeError, match="there is no display to open a window on"):
            viewer.show(BALLS)
