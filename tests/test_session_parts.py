"""What a session is made of: parts that stand alone, hold no other's private names, and one facade over them."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

from collision import Camera, Scene, Sphere
from tests.cases import check_each
from viewer.records.events import Key, Pointer
from viewer.session import Session
from viewer.session.commands import BINDINGS, MENUS, TABLE, Binding
from viewer.session.document import Document
from viewer.session.joints import Joints
from viewer.session.player import Player
from viewer.session.selection import Selection
from viewer.session.settings import Settings
from viewer.session.view import View

VIEWER = Path(__file__).parents[1] / "viewer"
FILES = [*sorted(VIEWER.glob("session/*.py")), *sorted(VIEWER.glob("gizmo/*.py")), VIEWER / "studio" / "app.py"]
TREES = {path.stem: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}
SCENE = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)})
SIZE = (800, 600)


# -- parts -------------------------------------------------------------------------------------------------------------


def test_no_file_uses_a_private_name_of_another() -> None:
    assert len(FILES) > 20
    allowed = {"_replace", "_fields", "_asdict"}  # of named tuples, public by their documentation
    for name, tree in TREES.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Attribute) or not node.attr.startswith("_") or node.attr.startswith("__"):
                continue
            of_its_own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            assert of_its_own or node.attr in allowed, f"{name}, line {node.lineno}: {ast.unparse(node)}"


def test_private_names_are_set_in_the_constructor_and_nowhere_else_first() -> None:
    for name, tree in TREES.items():
        for kind in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
            methods = [node for node in kind.body if isinstance(node, ast.FunctionDef)]
            stored = {method.name: set(_stored(method)) for method in methods}
            first = stored.pop("__init__", set())
            fields = {node.target.id for node in kind.body if isinstance(node, ast.AnnAssign) and _named(node.target)}
            for method, names in stored.items():
                if method != "__post_init__":
                    assert names <= first | fields, f"{name}: {kind.name}.{method} makes up {names - first - fields}"


def _named(node: ast.expr) -> bool:
    return isinstance(node, ast.Name)


def _stored(method: ast.FunctionDef) -> list[str]:
    """Return the attributes of itself that a method sets."""
    nodes = [node for node in ast.walk(method) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)]
    return [node.attr for node in nodes if isinstance(node.value, ast.Name) and node.value.id == "self"]


def test_no_part_inherits_from_another() -> None:
    trees = {stem: tree for stem, tree in TREES.items() if (VIEWER / "session" / f"{stem}.py").is_file()}
    kinds = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    names = {kind.name for kind in kinds}
    assert len(names) > 20
    for kind in kinds:
        bases = {node.id for base in kind.bases for node in ast.walk(base) if isinstance(node, ast.Name)}
        assert not bases & names, f"{kind.name} is one of {bases & names}"


def test_parts_can_be_used_without_the_facade() -> None:
    interrupted: list[bool] = []
    document = Document(SCENE, None, lambda: bool(interrupted.append(True)))  # type: ignore[func-returns-value]
    player = Player(document)
    view = View(document, player, SIZE, "z")
    selection = Selection(document, player, view, Settings(document, player, view), Joints(document, player, view))
    selection.select("b")
    before = document.revision
    document.commit(document.scene.moved("b", [0, 0, 1]))
    assert document.revision > before
    assert document.undoable
    document.undo()
    assert document.scene is SCENE
    assert document.selected == ("b",)
    assert interrupted == [True, True]  # by the choice and by the step back
    view.set_camera(Camera((0, 0, 20), up=(0, 1, 0)))
    assert selection.click(SIZE[0] / 2, SIZE[1] / 2) == "a"
    assert not selection.press(Pointer(5, 5))
    selection.draw_box()
    assert selection.press(Pointer(5, 5))
    assert selection.release(Pointer(795, 595))
    assert document.selected == ("a", "b")


def test_a_scene_in_hand_is_no_step_until_it_is_let_go() -> None:
    document = Document(SCENE, None, lambda: False)
    moved = SCENE.moved("a", [1, 0, 0])
    document.preview(moved)
    assert (document.held, document.scene, document.settled) == (True, moved, SCENE)
    assert not document.undoable
    document.preview(None)
    assert (document.held, document.scene) == (False, SCENE)
    document.preview(moved)
    document.commit(moved)
    assert (document.held, document.settled, document.undoable) == (False, moved, True)
    document.undo()
    assert document.scene is SCENE
    document.redo()
    assert document.scene is moved


# -- the session -------------------------------------------------------------------------------------------------------


def test_every_public_name_of_a_session_and_its_parts_is_explained() -> None:
    session = Session(SCENE)
    parts = [part for name, part in vars(session).items() if not name.startswith("_") and name != "closed"]
    parts += [part for name, part in vars(session.manipulation).items() if not name.startswith("_")]
    assert len(parts) == 17
    for kind in (Session, *map(type, parts), type(session.start.guide)):
        public = [name for name in vars(kind) if not name.startswith("_")]
        assert public
        assert [f"{kind.__name__}.{name}" for name in public if not inspect.getdoc(getattr(kind, name))] == []


def test_what_is_read_cannot_be_set() -> None:
    with pytest.raises(AttributeError):
        Session(SCENE).scene = SCENE  # type: ignore[misc]
    with pytest.raises(AttributeError):
        Session(SCENE).player.scene = SCENE  # type: ignore[misc]


# -- the table of commands ---------------------------------------------------------------------------------------------


def test_keys_menus_and_help_are_those_of_the_table() -> None:
    rows = [row for row in TABLE if isinstance(row, Binding)]
    keys = [key for row in rows for key in row.chords]
    assert [key for key in BINDINGS if keys.count(key) > 1] == []  # keys of two commands
    assert set(keys) == set(BINDINGS)
    assert sorted(row.name for row in rows if row.menu) == sorted(row.name for menu in MENUS.values() for row in menu)
    assert all(Key(*_held(key)).chord == key for key in BINDINGS)


def _held(chord: str) -> tuple[str, bool, bool, bool]:
    *held, symbol = chord.split("+")
    return symbol, "shift" in held, "ctrl" in held, "alt" in held


def test_every_row_asks_and_does_what_a_session_has() -> None:
    check_each([row for row in TABLE if isinstance(row, Binding)], _asks_and_does, lambda row: row.keys)


def _asks_and_does(row: Binding) -> None:
    """Ask and do: a name that a session has not would be an AttributeError, which nothing catches."""
    session = Session(SCENE, size=SIZE)
    assert session.can(row.command) in (True, False)
    assert session.is_on(row.command) in (True, False)
    session.do(row.command)
