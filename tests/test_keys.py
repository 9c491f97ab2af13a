"""Every key that a keyboard has, pressed in a stage: what we bind happens, and nothing else does."""

from __future__ import annotations

import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from collision import AABB, Camera, Motion, Scene, Sphere
from tests.desk import Desk
from tests.slow import some
from viewer.picture.present import present
from viewer.records.keys import chord, typed
from viewer.session import Session
from viewer.session.commands import BINDINGS
from viewer.stage.stage import Stage
from viewer.studio.app import App

SIZE = (160, 120)
SCENE = Scene(
    {"ball": Sphere([0, 0, 0], 1), "box": AABB([0.5, -1, -1], [4, 1, 1]), "far": Sphere([9, 0, 0], 1)},
    motion=[Motion("far", [0, 1], [[0, 0, 0], [-3, 0, 0]])],
)

#: What X11 calls the signs that have a name there.
NAMES = {
    **{"!": "exclam", '"': "quotedbl", "#": "numbersign", "$": "dollar", "%": "percent", "&": "ampersand"},
    **{"'": "apostrophe", "(": "parenleft", ")": "parenright", "*": "asterisk", "+": "plus", ",": "comma"},
    **{"-": "minus", ".": "period", "/": "slash", ":": "colon", ";": "semicolon", "<": "less", "=": "equal"},
    **{">": "greater", "?": "question", "@": "at", "[": "bracketleft", "\\": "backslash", "]": "bracketright"},
    **{"^": "asciicircum", "_": "underscore", "`": "grave", "{": "braceleft", "|": "bar", "}": "braceright"},
    **{"~": "asciitilde", " ": "space"},
}
SIGNS = string.ascii_letters + string.digits + string.punctuation + " "
OTHERS = ["Left", "Home", "Escape", "Tab", "Return", "Delete", "BackSpace", "F1", "F2", "F11", "Insert", "KP_0", "Menu"]


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    with Stage.offscreen(SIZE) as stage:
        monkeypatch.setattr(stage, "stop", lambda: None)
        yield App(Session(SCENE, size=SIZE), stage, copy=lambda _: "")  # whatever clipboard there is


def state(session: Session) -> tuple[object, ...]:
    asked = session.prompt
    return (
        session.resting,
        session.selected,
        session.viewport.camera,
        dict(session.view.bookmarks),
        session.settings.toggles,
        session.settings.scale,
        session.settings.margin,
        session.settings.theme,
        (session.time, session.player.playing, session.player.speed, session.player.loop),
        (
            session.manipulation.tool.mode,
            session.manipulation.tool.axes,
            session.manipulation.tool.snapping,
            session.selection.part,
        ),
        session.pending,
        None if asked is None else (asked.title, asked.text, asked.error),
        session.notice,
        session.closed,
    )


def prepared(session: Session) -> None:
    session.dialog.closed = False
    session.dialog.dismiss()
    session.cancel()
    session.to_start()
    session.player.pause()
    session.say("")
    while session.document.undoable:
        session.undo()
    session.view.set_camera(Camera((20, -30, 15)))
    session.select("ball")


@pytest.mark.parametrize("held", ["", "shift", "ctrl", "ctrl+shift", "alt", "ctrl+alt"])
def test_every_key_does_what_the_table_says_and_nothing_else(
    app: App, held: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # one of them writes a page
    desk, stage = Desk(app.stage, app.stage._handlers), app.stage
    model = Session(SCENE, size=SIZE)
    model.settings.toggle("bar")
    model.dialog.takes_pictures = True
    modifiers = {name: name in held.split("+") for name in ("shift", "ctrl", "alt")}
    signs = [*SIGNS, *OTHERS]
    bound = [sign for sign in signs if chord(NAMES.get(sign, sign), **modifiers) in BINDINGS]
    for sign in dict.fromkeys([*some(3, bound), *some(5, signs)]):
        symbol = NAMES.get(sign, sign)
        for session in (app.session, model):
            prepared(session)
        app.draw()
        before = state(model)
        desk.key(symbol, sign if len(sign) == 1 else "", **modifiers)
        pages = [*tmp_path.iterdir()]
        for page in pages:
            page.unlink()
        model.key(symbol, **modifiers)
        if pages:  # a session alone writes none
            model.say(app.session.notice)
        model.cover(stage.covered(present(model)))
        assert state(app.session) == state(model), (held, symbol)
        assert sign in bound or state(model) == before, f"{held} {symbol} is bound to nothing, and did something"
        closes = chord(symbol, **modifiers) in ("q", "ctrl+q", "ctrl+w")
        assert app.session.closed is closes
        assert stage.camera.position == pytest.approx(app.session.viewport.camera.position)
        assert not desk.interactor.GetDone()
        assert not stage.plotter.render_window.GetStereoRender()
        assert not stage.plotter.render_window.GetFullScreen()
    assert stage.image().shape == (SIZE[1], SIZE[0], 3)


def test_the_signs_of_keys_are_those_that_they_are_called_by() -> None:
    assert set(NAMES) == set(string.punctuation + " ")
    for sign, symbol in NAMES.items():
        assert typed(symbol) == sign
    assert [typed(sign) for sign in string.ascii_letters + string.digits] == list(string.ascii_letters + string.digits)
    assert [typed(symbol) for symbol in OTHERS if symbol != "KP_0"] == [""] * (len(OTHERS) - 1)


def test_a_sign_is_typed_as_the_users_keyboard_has_it(app: App) -> None:
    desk = Desk(app.stage, app.stage._handlers)
    app.session.select("ball")
    app.session.dialog.ask_rename()
    for symbol, sign in (
        ("End", ""),
        ("BackSpace", ""),
        ("adiaeresis", "ä"),
        ("underscore", "_"),
        ("Left", ""),
        ("X", "X"),
    ):
        desk.key(symbol, sign)
    assert app.session.prompt is not None
    assert app.session.prompt.text == "balä" + "X" + "_"
