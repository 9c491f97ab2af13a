"""What has nothing to do just now is faint in the menus, and says why when it is chosen all the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter

import numpy as np
import pytest

from collision import AABB, Capsule, Motion, OrientedBox, Point, Scene, Sphere
from collision.importers import Joint, Model, VisualMesh
from viewer.picture.present import present
from viewer.records.drawables import Panel
from viewer.records.events import Pointer
from viewer.session import Session
from viewer.session.commands import MENUS
from viewer.session.dialog import letters
from viewer.session.session import METHODS, Method
from viewer.stage.stage import Stage
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")

SIZE = (800, 600)

SCENE = Scene(
    {
        "a": Sphere([0, 0, 0], 1),
        "b": Sphere([1.2, 0, 0], 1),
        "rod": Capsule([0, 3, 0], [2, 3, 0], 0.4),
        "crate": AABB([4, 4, 0], [5, 5, 1]),
        "box": OrientedBox([8, 0, 0], np.eye(3), [1, 1, 1]),
        "crates": AABB([[0, 8, 0], [4, 8, 0]], [[1, 9, 1], [5, 9, 1]]),
        "dot": Point([0, 0, 9]),
        "none": Sphere(np.zeros((0, 3)), 1),
    }
)

JOINTS = [Joint("turn", "continuous", "base", "arm")]
LOOKS = (VisualMesh("arm", np.eye(3), np.array([[0, 1, 2]])),)
ROBOT = replace(Model.of({"base": {}, "arm": {"tip": Sphere([1, 0, 0], 0.2)}}, JOINTS), visuals=LOOKS)


def after_undo(session: Session) -> None:
    session.select("rod")
    session.move_selection([0, 0, 1])
    session.undo()


def looked(session: Session) -> None:
    session.view.remember("1")
    session.select("b")
    session.document.hide()


def chosen(*names: str) -> Callable[[Session], None]:
    return lambda session: session.select_many(names)


def explained(session: Session) -> None:
    session.select_many(["a", "crate"])
    session.explaining.explain()


def turned_and_back(session: Session) -> None:
    session.view.orbit(20, 0)
    session.view.pan(20, 0)
    session.view.undo()


WAYS: dict[str, tuple[Scene, Callable[[Session], None]]] = {
    "nothing selected": (SCENE, lambda session: None),
    "empty": (Scene(), lambda session: None),
    "after undo": (SCENE, after_undo),
    "hidden and remembered": (SCENE, looked),
    "turned": (SCENE, turned_and_back),
    "all": (SCENE.without("none"), lambda session: session.selection.select_all()),
    **{name: (SCENE, chosen(name)) for name in SCENE},
    "an element": (SCENE, chosen("crates[1]")),
    "a box and an element": (SCENE, chosen("crate", "crates[1]")),
    "two": (SCENE, chosen("a", "crate")),
    "explained": (SCENE, explained),
    "a motion": (SCENE.replaced(motion=[Motion("a", [0, 1], [[0, 0, 0], [1, 0, 0]])]), chosen("a")),
    "apart": (SCENE.without("b"), chosen("rod")),
    "a robot": (ROBOT.scene, lambda session: None),
}


def made(way: str) -> Session:
    scene, do = WAYS[way]
    session = Session(scene, size=SIZE, model=ROBOT if scene is ROBOT.scene else None)
    do(session)
    return session


def faint_in(session: Session, title: str) -> set[str]:
    """Return the names of what is faint in a menu."""
    session.dialog.ask_menu(title)
    assert session.prompt is not None
    names = letters(command.name for command in MENUS[title])
    faint = {names[key] for key, command in session.prompt.commands.items() if not session.can(command)}
    session.dialog.dismiss()
    return faint


def state(session: Session) -> list[object]:
    names = (
        "scene selected viewport settings.toggles settings.margin settings.theme prompt closed selection.part pending"
    )
    return [*attrgetter(*names.split())(session), session.time]


@pytest.mark.parametrize("way", WAYS)
def test_what_is_faint_is_just_what_only_says_why_not(way: str) -> None:
    for title, menu in MENUS.items():
        faint = faint_in(made(way), title)
        for command in menu:
            session = made(way)
            before = state(session)
            session.do(command.command)
            # Why a sphere is not turned stands where its handles would be told of.
            gizmo = session.manipulation.tool.gizmo
            refused = bool(session.notice or (gizmo and gizmo.note)) and state(session) == before
            assert (command.name in faint) == refused, (command.name, session.notice)


#: What needs a file, a window, or a lesson that is open.
OF_WINDOWS = {
    *("revert to the file", "examples", "open a file", "new scene", "save a picture", "share as a page"),
    *("go on with the lesson", "back in the lesson", "save this pose"),
}


def test_every_need_is_met_and_missed_somewhere() -> None:
    faint = {way: set().union(*(faint_in(made(way), title) for title in MENUS)) for way in WAYS}
    listed = [command for menu in MENUS.values() for command in menu]
    needy = [
        command.name for command in listed if METHODS[command.command.name].can is not Method._field_defaults["can"]
    ]
    assert len(needy) > 20
    for name in needy:
        assert any(name in some for some in faint.values()), name
        if name not in OF_WINDOWS:
            assert any(name not in some for some in faint.values()), name


def test_what_comes_from_a_file_can_go_back_to_it(tmp_path) -> None:  # type: ignore[no-untyped-def]
    session = made("two")
    assert "revert to the file" in faint_in(session, "File")
    session.comes_from(tmp_path / "scene.toml")
    assert "revert to the file" not in faint_in(session, "File")


def test_a_faint_row_is_drawn_so_is_not_tinted_and_says_why_when_it_is_clicked() -> None:
    with Stage.offscreen(SIZE) as stage:
        app = App(Session(SCENE, size=SIZE), stage)
        app.session.dialog.ask_menu("Edit")
        app.refresh()
        (panel,) = (one for one in present(app.session) if isinstance(one, Panel) and one.title == "Edit")
        faint = {row.text.split("\t")[0] for row in panel.rows if row.faint}
        assert {"undo", "delete", "rename"} <= faint
        assert "add a shape" not in faint
        places = {}
        for y in range(2, SIZE[1], 6):
            _, row = stage.panel_at(SIZE[0] // 2, y)
            if row is not None:
                places[row.text.split("\t")[0]] = (SIZE[0] // 2, y)
        darkest = {}
        for name in ("undo", "add a shape"):
            top = SIZE[1] - places[name][1]
            darkest[name] = int(stage.image()[top - 8 : top + 8, 300:500].max(axis=2).min())
        assert darkest["undo"] > darkest["add a shape"] + 30
        for name, tinted in (("undo", False), ("add a shape", True)):
            stage.send("move", Pointer(*places[name]))
            before = stage.image()
            stage.point(None)
            assert np.any(before != stage.image()) == tinted, name
        stage.send("press", Pointer(*places["undo"], "left"))
        assert app.session.prompt is None
        assert app.session.notice == "nothing to undo"
