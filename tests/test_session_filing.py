"""Saving, going back, and asking before anything is lost: a session without a window."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

from collision import Scene, Sphere
from collision.scenefile import dump_scene, load_scene
from tests.helpers import chord, write
from viewer.files.loading import read
from viewer.picture.present import present
from viewer.records.drawables import Panel
from viewer.session import Session
from viewer.session.file import Conflict

TEXT = """# Two balls.
title = "Two balls"

[shapes.a]         # the first
kind = "sphere"
center = [0, 0, 0]
radius = 1

[shapes.b]
kind = "sphere"
center = [3, 0, 0] # to the right
radius = 1
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "balls.toml"
    path.write_bytes(TEXT.encode())
    return path


@pytest.fixture
def session(file: Path) -> Session:
    return opened(file)


def opened(path: Path, *, template: bool = False) -> Session:
    session = Session(read(path).scene)
    session.comes_from(path, template=template)
    return session


def shift_b(session: Session) -> None:
    session.select("b")
    session.move_selection([0.5, 0, 0])


def test_a_scene_is_dirty_while_it_is_another_than_in_its_file(session: Session) -> None:
    assert not session.file.dirty
    session.select("a")
    session.document.hide()
    session.view.look("x")
    assert not session.file.dirty
    shift_b(session)
    assert session.file.dirty
    session.undo()
    assert not session.file.dirty
    session.redo()
    assert session.file.dirty
    session.save()
    assert not session.file.dirty
    session.undo()
    assert session.file.dirty
    session.redo()
    assert not session.file.dirty


def test_a_scene_is_clean_again_when_it_is_what_its_file_has_however_many_steps_that_took(session: Session) -> None:
    def steps() -> int:
        """Count the steps of the history, by taking them back and doing them again."""
        count = 0
        while session.document.undoable:
            session.undo()
            count += 1
        for _ in range(count):
            session.redo()
        return count

    session.select("b")
    session.move_selection([1, 0, 0])
    session.manipulation.nudge("up")
    assert session.file.dirty
    session.manipulation.nudge("down")
    assert session.file.dirty
    session.move_selection([-1, 0, 0])
    assert not session.file.dirty
    assert steps() == 4
    session.rename("c")
    assert session.file.dirty
    session.rename("b")
    assert not session.file.dirty
    assert steps() == 6
    session.select("a")
    session.resize_selection("radius", 2)
    session.select("b")
    session.move_selection([1, 0, 0])
    assert session.file.dirty
    session.move_selection([-1, 0, 0])
    assert session.file.dirty  # a is another still
    session.undo()
    session.undo()
    session.undo()
    assert not session.file.dirty
    session.change(session.scene.replaced(title="Others"))
    assert session.file.dirty
    session.change(session.scene.replaced(title="Two balls"))
    assert not session.file.dirty
    balls = dict(session.scene.shapes)
    session.change(session.scene.replaced(shapes={"b": balls["b"], "a": balls["a"]}))
    assert session.file.dirty  # they stand in another order in a file


def test_saving_changes_only_what_changed(session: Session, file: Path) -> None:
    shift_b(session)
    chord(session, "ctrl+s")
    assert file.read_text() == TEXT.replace("[3, 0, 0] # to", "[3.5, 0, 0] # to")
    assert session.notice == "saved balls.toml"
    session.undo()
    session.save()
    assert load_scene(file) == Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([3, 0, 0], 1)}, title="Two balls")
    assert os.listdir(file.parent) == ["balls.toml"]


def test_what_was_deleted_and_saved_comes_back_with_its_comments(session: Session, file: Path) -> None:
    session.select("a")
    session.delete()
    session.save()
    assert "# the first" not in file.read_text()
    assert "# to the right" in file.read_text()
    session.undo()
    session.save()
    assert file.read_text() == TEXT
    session.selection.select_all()
    session.delete()
    session.save()
    assert file.read_text() == '# Two balls.\ntitle = "Two balls"\n\n[shapes]\n'
    session.undo()
    session.save()
    assert file.read_text() == TEXT


def changed_at_random(session: Session, rng: np.random.Generator, deleted: set[str]) -> None:
    """Delete (but for b and e), add, rename, move, undo or redo; note the first words of what is deleted."""
    names = list(session.scene)
    mortal = [name for name in names if name[0] not in "be"]
    match rng.integers(7):
        case 0 if mortal:
            gone = list(rng.choice(mortal, rng.integers(1, min(len(mortal), 3) + 1), replace=False))
            session.select_many(gone)
            session.delete()
            deleted.update(name.partition(" ")[0] for name in gone)
        case 1:
            session.add(str(rng.choice(["sphere", "point"])))
        case 2:
            old = str(rng.choice(names))
            session.rename(f"{old.partition(' ')[0]} {rng.integers(10**6)}", old=old)
        case 3:
            session.select(str(rng.choice(names)))
            session.move_selection(rng.uniform(-1, 1, 3))
        case 4:
            session.redo()
        case _:
            session.undo()


@pytest.mark.parametrize("seed", range(6))
def test_comments_outlive_everything_but_their_own_shape(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    kinds = ("sphere", "point", "sphere", "segment", "sphere", "point")
    path = tmp_path / "remarks.toml"
    path.write_text("# head\n\n# more\ntitle = 't' # title\n\n" + "\n".join(map(written, "abcdef", kinds)))
    session, deleted = opened(path), set[str]()
    for _ in range(60):
        changed_at_random(session, rng, deleted)
        if rng.integers(2):
            session.save()
            text = path.read_text()
            assert dump_scene(load_scene(path)) == dump_scene(session.scene)
            assert text.startswith("# head\n\n# more\ntitle = 't' # title\n\n")
            for name in {*"abcdef"} - deleted:
                remarks = [text.count(f"# {name}{part}") for part in ("-above", "-head", "-kind", "-last")]
                assert remarks == [1] * 4


def written(name: str, kind: str) -> str:
    """Return the table of a shape with remarks wherever there may be some."""
    keys = {
        "sphere": "center = [0, 0, 0]\nradius = {}",
        "point": "position = [{}, 0, 0]",
        "segment": "start = [{}, 0, 0]\nend = [1, 2, 3]",
    }
    values = keys[kind].format(ord(name))
    return f'# {name}-above\n[shapes.{name}] # {name}-head\nkind = "{kind}" # {name}-kind\n{values} # {name}-last\n'


def test_saving_what_did_not_change_leaves_every_byte(session: Session, file: Path) -> None:
    session.select("a")
    session.document.hide()
    session.save()
    assert file.read_bytes() == TEXT.encode()


def test_saving_as_goes_on_with_the_new_file(session: Session, file: Path) -> None:
    shift_b(session)
    other = file.with_name("other")
    session.file.save_as(other)
    assert session.file.path == file.with_name("other.toml")
    assert session.file.heading == "Two balls"
    assert not session.file.dirty
    assert file.read_bytes() == TEXT.encode()
    assert "# to the right" in other.with_suffix(".toml").read_text()
    session.undo()
    session.save()
    assert load_scene(other.with_suffix(".toml")) == load_scene(file)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("  ", "a name of a .toml file is wanted, got nothing"),
        ("x.json", "x.json: a scene is written to a .toml file, got .json"),
        ("nowhere/x.toml", "there is no folder nowhere"),
        ("folder.toml", "folder.toml: this is a folder, and a scene is written to a file"),
        ("folder", "folder.toml: this is a folder, and a scene is written to a file"),
        ("..", "this is a folder, and a scene is written to a file"),
        ("plain", "plain: this is a folder, and a scene is written to a file"),
        ("x" * 300, "x cannot be reached: file name too long"),
        ("x" * 251, "x.toml cannot be written: file name too long"),
        ("~nobody-here/x", "~nobody-here/x cannot be reached: there is no such user"),
        ("locked/x", "locked.* cannot be reached: permission denied"),
    ],
)
def test_what_cannot_be_saved_as_is_said(
    session: Session, file: Path, name: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(file.parent)
    Path("folder.toml").mkdir()
    Path("plain").mkdir()
    is_dir = Path.is_dir

    def guarded(path: Path) -> bool:  # as for a user who may not enter it: root may enter everything
        if "locked" in path.parts[:-1]:
            raise PermissionError(13, "Permission denied", str(path))
        return is_dir(path)

    monkeypatch.setattr(Path, "is_dir", guarded)
    before = sorted(os.listdir())
    with pytest.raises(ValueError, match=message):
        session.file.save_as(name)
    chord(session, "ctrl+shift+s")
    assert session.prompt is not None
    assert session.prompt.text == str(file)
    session.dialog.answer(name)
    assert session.prompt is not None
    assert session.prompt.title == "Save as"
    assert session.prompt.text == name
    assert re.search(message, session.prompt.error)
    assert session.file.path == file
    assert sorted(os.listdir()) == before


def test_a_path_is_typed(session: Session, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    chord(session, "ctrl+shift+s")
    session.key("BackSpace", ctrl=True)
    for symbol in ("n", "e", "w", "underscore", "1", "period", "t", "o", "m", "l"):
        session.key(symbol)
    panels = [d for d in present(session) if isinstance(d, Panel) and d.corner == "center"]
    assert [panel.rows[0].text for panel in panels] == ["new_1.toml|"]
    session.key("Return")
    assert session.prompt is None
    assert session.file.path == Path("new_1.toml")
    assert load_scene("new_1.toml") == load_scene(file)


def test_an_existing_file_is_not_overwritten_unasked(session: Session, file: Path) -> None:
    other = file.with_name("other.toml")
    other.write_text("mine")
    with pytest.raises(Conflict, match=r"there is a file other\.toml already"):
        session.file.save_as(other)
    session.dialog.ask_save_as()
    session.dialog.answer(str(other))
    assert session.prompt is not None
    assert session.prompt.title == "there is a file other.toml already"
    session.key("Escape")
    assert other.read_text() == "mine"
    assert session.file.path == file
    session.dialog.ask_save_as()
    session.dialog.answer(str(other))
    session.key("o")
    assert session.prompt is None
    assert load_scene(other) == load_scene(file)


def test_a_file_that_changed_meanwhile_is_not_overwritten_unasked(session: Session, file: Path) -> None:
    shift_b(session)
    theirs = TEXT.replace("radius = 1\n", "radius = 2\n")
    file.write_text(theirs)
    with pytest.raises(Conflict, match=r"balls\.toml has changed on disk since it was read"):
        session.save()
    chord(session, "ctrl+s")
    assert session.prompt is not None
    assert set(session.prompt.choices) == {"o", "r", "a"}
    session.key("r")
    assert session.scene == load_scene(file)
    assert not session.file.dirty
    session.undo()
    assert session.file.dirty
    chord(session, "ctrl+s")
    assert session.prompt is None
    assert "[3.5, 0, 0] # to" in file.read_text()
    assert "radius = 1" in file.read_text()
    file.unlink()
    shift_b(session)
    chord(session, "ctrl+s")
    assert session.prompt is not None
    assert session.prompt.title == "balls.toml was deleted since it was read"
    assert session.prompt.choices == {"o": "write it again", "a": "save as another file"}
    session.key("o")
    assert load_scene(file) == session.scene


def test_a_file_whose_folder_went_with_it_is_saved_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    (folder / "balls.toml").write_text(TEXT)
    session = opened(folder / "balls.toml")
    (folder / "balls.toml").unlink()
    folder.rmdir()
    monkeypatch.chdir(tmp_path)
    shift_b(session)
    session.dialog.ask_close()
    session.key("s")
    assert session.prompt is not None
    assert session.prompt.title == "balls.toml was deleted since it was read, with its folder"
    assert session.prompt.choices == {"a": "save as another file"}
    session.key("a")
    assert session.prompt is not None
    assert session.prompt.text == "balls.toml"
    session.key("Return")
    assert session.closed
    assert "[3.5, 0, 0] # to the right" in (tmp_path / "balls.toml").read_text()


def test_a_file_that_is_there_can_be_left_for_another(session: Session, file: Path) -> None:
    other = file.with_name("other.toml")
    other.write_text("mine")
    session.dialog.ask_save_as()
    session.dialog.answer(str(other))
    session.key("a")
    session.dialog.answer(str(file.with_name("third")))
    assert session.prompt is None
    assert session.file.path == file.with_name("third.toml")
    assert other.read_text() == "mine"


def test_a_scene_that_no_file_can_hold_is_said(session: Session, file: Path) -> None:
    session.change(session.scene.replaced(title="\ud800"))
    with pytest.raises(ValueError, match=r"balls\.toml cannot be written: UTF-8 cannot hold a character .*, '.ud800'"):
        session.save()
    assert file.read_text() == TEXT


def test_reverting_is_a_step_that_can_be_undone(session: Session) -> None:
    shift_b(session)
    session.select("a")
    session.document.hide()
    changed = session.scene
    chord(session, "ctrl+r")
    assert session.scene["b"] == Sphere([3, 0, 0], 1)
    assert session.document.hidden == {"a"}
    assert not session.file.dirty
    assert session.notice == "read balls.toml again; undo brings back what was"
    session.undo()
    assert session.scene is changed
    assert session.file.dirty


def test_a_scene_without_a_file_says_so() -> None:
    session = Session(Scene({"a": Sphere([0, 0, 0], 1)}))
    with pytest.raises(ValueError, match="comes from no file: save it as a new one"):
        session.save()
    chord(session, "ctrl+r")
    assert session.notice == "this scene comes from no file, so there is nothing to return to"
    chord(session, "ctrl+s")
    assert session.prompt is not None
    assert session.prompt.text == "scene.toml"


def test_other_kinds_of_file_are_saved_as_new_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = tmp_path / "made.py"
    source.write_text(
        "from collision import Scene, Sphere\ndef scene():\n    return Scene({'b': Sphere([0, 0, 0], 1)})"
    )
    before = source.read_bytes()
    session = opened(source)
    shift_b(session)
    with pytest.raises(ValueError, match=r"made\.py cannot be saved over, as it is no \.toml file"):
        session.save()
    chord(session, "ctrl+s")
    assert session.prompt is not None
    assert session.prompt.title == "made.py cannot be saved over. Save as"
    assert session.prompt.text == "made.toml"
    session.key("Return")
    assert load_scene("made.toml") == session.scene
    assert source.read_bytes() == before
    chord(session, "ctrl+s")
    assert session.notice == "saved made.toml"


def test_an_example_stays_as_it_is(file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    session = opened(file, template=True)
    shift_b(session)
    with pytest.raises(ValueError, match=r"balls\.toml cannot be saved over, as it is an example"):
        session.save()
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    chord(session, "ctrl+s")
    session.key("Return")
    assert file.read_bytes() == TEXT.encode()
    assert "# to the right" in (home / "balls.toml").read_text()
    shift_b(session)
    session.save()
    assert load_scene(home / "balls.toml") == session.scene


def test_a_file_that_cannot_be_written_is_said(session: Session, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shift_b(session)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("viewer.session.file.write_bytes", refuse)
    chord(session, "ctrl+s")
    assert "balls.toml cannot be written: permission denied" in session.notice
    assert session.file.dirty
    session.dialog.ask_close()
    session.key("s")
    assert not session.closed
    assert session.prompt is not None
    assert "cannot be written" in session.prompt.error


# -- closing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["q", "ctrl+q", "ctrl+w"])
def test_without_changes_the_window_just_closes(session: Session, key: str) -> None:
    chord(session, key)
    assert session.closed
    assert session.prompt is None


def test_unsaved_changes_are_asked_about(session: Session, file: Path) -> None:
    shift_b(session)
    chord(session, "q")
    assert not session.closed
    asked = session.prompt
    assert asked is not None
    assert asked.title == "balls.toml has unsaved changes"
    assert set(asked.choices) == {"s", "d"}
    texts = [row.text for d in present(session) if isinstance(d, Panel) and d.corner == "center" for row in d.rows]
    assert texts == ["s\tsave them", "d\tdiscard them", "Esc\tcancel"]
    for key in ("q", "x", "Return", "Delete"):
        assert session.key(key)
        assert session.prompt == asked
    assert session.press(400, 300)
    session.dialog.ask_close()
    session.key("Escape")
    assert (session.closed, session.prompt) == (False, None)
    chord(session, "ctrl+w")
    session.key("s")
    assert session.closed
    assert load_scene(file) == session.scene


def test_changes_can_be_discarded(session: Session, file: Path) -> None:
    shift_b(session)
    chord(session, "q")
    session.key("d")
    assert session.closed
    assert file.read_bytes() == TEXT.encode()


def test_an_example_that_was_tried_closes_at_once(file: Path) -> None:
    session = opened(file, template=True)
    shift_b(session)
    assert session.file.dirty
    chord(session, "q")
    assert (session.closed, session.prompt) == (True, None)


def test_saving_on_the_way_out_asks_where_and_whether(file: Path, tmp_path: Path) -> None:
    python = tmp_path / "balls.py"  # which cannot be saved over
    python.write_text("", encoding="utf-8")
    session = opened(file)
    session.comes_from(python)
    shift_b(session)
    chord(session, "q")
    session.key("s")
    assert session.prompt is not None
    assert not session.closed
    session.key("Escape")
    assert not session.closed
    chord(session, "q")
    session.key("s")
    session.dialog.answer(str(file))
    assert session.prompt is not None
    assert not session.closed
    session.key("o")
    assert session.closed


def test_a_scene_of_the_callers_own_is_returned_and_nobody_is_asked() -> None:
    session = Session(Scene({"b": Sphere([0, 0, 0], 1)}))
    shift_b(session)
    assert session.file.dirty
    chord(session, "q")
    assert session.closed


def test_answers_from_python_are_checked(session: Session) -> None:
    with pytest.raises(ValueError, match="nothing is asked"):
        session.dialog.answer("s")
    shift_b(session)
    session.dialog.ask_close()
    with pytest.raises(ValueError, match="an answer is one of s, d, got 'x'"):
        session.dialog.answer("x")
    session.dialog.dismiss()
    write(session, "")
    assert session.prompt is None


def test_a_file_that_cannot_be_read_is_not_where_the_scene_comes_from(session: Session, tmp_path: Path) -> None:
    before = session.file.path
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    for name, words in (("folder", "is a directory"), ("bytes", "it is no text in UTF-8")):
        with pytest.raises(ValueError, match=rf"{name}\.toml cannot be read: {words}"):
            session.comes_from(tmp_path / f"{name}.toml")
        assert session.file.path == before
        assert not session.file.dirty
    shift_b(session)
    session.save()
