"""A file that another program changes while it is open: what changed is taken over, asked about, or said."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from collision import Scene, Sphere
from collision.scenefile import dump_scene, load_scene, save_scene
from viewer.files.loading import ModelOptions, read
from viewer.records.events import Timer
from viewer.session import Session
from viewer.session.file import Conflict
from viewer.stage.stage import Stage
from viewer.studio.app import LOOK, App

pytestmark = pytest.mark.usefixtures("undrawn")

BALLS = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([3, 0, 0], 1), "c": Sphere([9, 0, 0], 1)})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "balls.toml"
    save_scene(BALLS, path)
    return path


@pytest.fixture
def session(file: Path) -> Session:
    return opened(file)


def opened(path: Path) -> Session:
    loaded = read(path)
    session = Session(loaded.scene)
    session.comes_from(path, state=loaded.state)
    look(session)
    return session


def look(session: Session) -> None:
    """Look twice, as a window does in a second: what is still being written is left alone."""
    session.dialog.look_at_file()
    session.dialog.look_at_file()


def put(path: Path, scene: Scene) -> None:
    path.write_text(dump_scene(scene), encoding="utf-8")


def near(scene: Scene) -> Scene:
    return scene.moved("b", [-2, 0, 0])


def test_a_change_is_taken_over_as_one_step_and_nothing_else_changes(session: Session, file: Path) -> None:
    session.select("b")
    session.document.hide()
    session.select("a")
    session.settings.set_theme("dark")
    session.view.orbit(40, 10)
    seen = session.viewport
    put(file, near(BALLS).replaced(title="Nearer").with_shape("d", Sphere([0, 5, 0], 1)))
    session.dialog.look_at_file()
    assert "d" not in session.scene  # it may still be being written
    session.dialog.look_at_file()
    assert session.scene["b"] == Sphere([1, 0, 0], 1)
    assert (session.selected, session.document.hidden, session.viewport) == (("a",), {"b"}, seen)
    assert session.settings.theme.background == (24, 27, 33)
    assert not session.file.dirty
    assert session.notice == "read balls.toml again; undo brings back what was"
    session.undo()
    assert session.resting.shapes == BALLS.shapes
    assert session.file.dirty
    session.redo()
    assert not session.file.dirty


def test_what_was_selected_and_is_gone_is_not_selected(session: Session, file: Path) -> None:
    session.select("c")
    put(file, BALLS.without("c"))
    look(session)
    assert session.selected == ()


@pytest.mark.parametrize("how", ["rename", "write"])
def test_editors_that_put_another_file_in_its_place(session: Session, file: Path, how: str) -> None:
    for step in (1, 2, 3):
        fresh = file.with_name("balls.toml~") if how == "rename" else file
        before = file.stat()
        put(fresh, BALLS.moved("b", [0, float(step), 0]))
        os.utime(fresh, ns=(before.st_atime_ns, before.st_mtime_ns + step))
        fresh.replace(file)
        look(session)
        assert session.scene["b"] == Sphere([3, step, 0], 1)
    file.unlink()
    look(session)
    assert session.notice == "read balls.toml again; undo brings back what was"  # editors do so for a moment


def test_unsaved_changes_are_asked_about_once(session: Session, file: Path, tmp_path: Path) -> None:
    def change() -> None:
        session.select("a")
        session.move_selection([0, 0, 4])

    change()
    put(file, near(BALLS))
    look(session)
    assert session.prompt is not None
    assert session.prompt.title == "balls.toml was changed by another program, and here there are unsaved changes"
    assert [*session.prompt.choices] == ["k", "r", "a"]
    session.dialog.answer("k")
    look(session)
    assert session.prompt is None
    assert session.scene["a"] == Sphere([0, 0, 4], 1)

    put(file, BALLS.moved("b", [0, 7, 0]))  # another change
    look(session)
    assert session.prompt is not None
    session.dialog.answer("r")
    assert (session.scene["a"], session.scene["b"]) == (Sphere([0, 0, 0], 1), Sphere([3, 7, 0], 1))
    session.undo()
    assert session.scene["a"] == Sphere([0, 0, 4], 1)

    put(file, BALLS.moved("b", [0, 8, 0]))
    look(session)
    session.dialog.answer("a")
    session.dialog.answer(str(tmp_path / "mine.toml"))
    assert load_scene(tmp_path / "mine.toml")["a"] == Sphere([0, 0, 4], 1)
    assert load_scene(file)["b"] == Sphere([3, 8, 0], 1)


def test_nothing_is_asked_in_the_middle_of_something(session: Session, file: Path) -> None:
    session.select("a")
    session.manipulation.tool.begin("translate", "x")
    session.manipulation.modal.type_key("1")
    put(file, near(BALLS))
    look(session)
    assert session.pending
    assert session.prompt is None
    session.cancel()
    look(session)
    assert session.scene["b"] == Sphere([1, 0, 0], 1)
    session.dialog.ask_rename()
    put(file, BALLS)
    look(session)
    assert session.prompt is not None
    assert session.prompt.title.startswith("Rename")


def test_a_broken_file_is_said_and_the_scene_stays(session: Session, file: Path) -> None:
    good = file.read_text()
    file.write_text(good + "\n[shapes.d")
    look(session)
    assert session.notice.startswith(
        "the file has changed and cannot be read, the scene stays as it was: balls.toml:16:"
    )
    assert session.scene == BALLS
    session.say("")
    look(session)
    assert session.notice == ""  # once
    file.write_text(good)
    look(session)
    assert session.notice == "read balls.toml again; it is the same scene"
    assert not session.document.undoable
    put(file, near(BALLS))
    look(session)
    assert session.scene["b"] == Sphere([1, 0, 0], 1)


def test_what_the_window_saves_itself_is_no_change(session: Session, file: Path) -> None:
    session.select("a")
    session.move_selection([0, 0, 4])
    session.save()
    revision = session.revision
    look(session)
    look(session)
    os.utime(file)  # as a copy or a checkout does
    look(session)
    assert session.revision == revision


def test_code_is_run_again_and_that_is_said(tmp_path: Path) -> None:
    code = "from collision import Scene, Sphere\ndef scene(): return Scene({{'a': Sphere([{}, 0, 0], 1)}})\n"
    path = tmp_path / "made.py"
    path.write_text(code.format(0))
    session = opened(path)
    path.write_text(code.format(12))
    look(session)
    assert session.scene["a"] == Sphere([12, 0, 0], 1)
    assert session.notice == "ran the code of made.py again; undo brings back what was"
    path.write_text("1 / 0")
    look(session)
    assert "made.py:1: ZeroDivisionError" in session.notice


def test_a_change_while_the_file_is_read_is_not_lost(
    session: Session, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(path: Path, *wanted: ModelOptions) -> object:
        found = read(path, *wanted)
        put(file, BALLS.moved("b", [0, 7, 0]))
        return found

    put(file, near(BALLS))
    with monkeypatch.context() as patch:
        patch.setattr("viewer.files.loading.read", late)
        look(session)
    assert session.scene["b"] == Sphere([1, 0, 0], 1)
    look(session)
    assert session.scene["b"] == Sphere([3, 7, 0], 1)


def test_what_is_written_between_the_reading_and_the_window_is_seen(file: Path) -> None:
    loaded = read(file)
    put(file, near(BALLS))
    session = Session(loaded.scene)
    session.comes_from(file, state=loaded.state)
    with pytest.raises(Conflict):
        session.save()
    look(session)
    assert session.scene["b"] == Sphere([1, 0, 0], 1)


def test_a_window_is_told_what_was_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Stage.offscreen((320, 240)) as stage:
        app = App(Session(BALLS, size=stage.size), stage, switches=True)
        late = read(file)
        put(file, near(BALLS))
        monkeypatch.setattr("viewer.session.start.read", lambda _: late)
        app.session.start.ask_open()
        app.session.dialog.answer(str(file))
        app.refresh()
        assert app.session.scene["b"] == Sphere([3, 0, 0], 1)
        monkeypatch.undo()
        look(app.session)
        assert app.session.scene["b"] == Sphere([1, 0, 0], 1)


def test_a_second_writing_within_one_tick_of_the_clock_of_files_is_seen(session: Session, file: Path) -> None:
    text, facts = file.read_text(encoding="utf-8"), file.stat()
    file.write_text(text.replace("center = [3.0,", "center = [7.0,"), encoding="utf-8")
    os.utime(file, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert file.stat().st_size == facts.st_size
    look(session)
    assert session.scene["b"] == Sphere([7, 0, 0], 1)


def test_a_file_that_rests_is_not_read_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.utime(file, (1e9, 1e9))
    session = opened(file)
    monkeypatch.setattr(Path, "read_bytes", lambda _: pytest.fail("read though it rests"))
    look(session)


def test_a_window_looks_only_where_there_is_a_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in (None, file):
        with Stage.offscreen((320, 240)) as stage:
            asked: list[int] = []
            monkeypatch.setattr(stage, "wake_in", asked.append)
            session = Session(BALLS, size=stage.size)
            if path is not None:
                session.comes_from(path)
            app = App(session, stage)
            assert asked == ([] if path is None else [LOOK])
            put(file, near(BALLS))
            for _ in range(2):
                monkeypatch.setattr(app, "_looked", -1e9)
                stage.send("timer", Timer())
            assert (session.scene["b"] == Sphere([1, 0, 0], 1)) is (path is not None)
            put(file, BALLS)
