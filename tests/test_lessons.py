"""Every lesson opens, breaks nothing, and its page is what is worked out of it today."""

from __future__ import annotations

import doctest
import re
import shlex
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import viewer.studio.app
from collision import Scene, candidate_pairs
from viewer.camera.camera import Viewport
from viewer.cli import ExitCode, main
from viewer.files.catalogue import Example, find_lessons
from viewer.files.lessons import ARTICLES, Lesson
from viewer.files.loading import LoadError, read
from viewer.files.places import LESSONS
from viewer.picture.explained import step_card
from viewer.picture.present import present
from viewer.records.drawables import Gallery, Label, Panel, Role, ShapeFlags, Solid, Timeline
from viewer.session import Session
from viewer.session.requests import OpenScene

FOLDER = Path(__file__).parent.parent / "examples" / "lessons"

every_lesson = pytest.mark.parametrize("name", LESSONS)


@pytest.fixture(scope="module")
def build() -> Iterator[ModuleType]:
    sys.path.insert(0, str(FOLDER))
    yield import_module("_build")
    sys.path.remove(str(FOLDER))
    del sys.modules["_build"]


@pytest.fixture
def lesson(build: ModuleType, name: str) -> Lesson:
    found: Lesson = build.lesson(name)
    return found


def page_of(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def wording(page: str) -> str:
    """Return a page without its code."""
    return re.sub(r"```.*?```|\$`.*?`\$", "", page, flags=re.DOTALL)


# -- the catalogue -----------------------------------------------------------------------------------------------------


def test_lessons_are_those_of_the_folder() -> None:
    assert set(LESSONS) == {path.stem for path in FOLDER.glob("[!_]*.py")}
    assert {f"{name}.md" for name in LESSONS} | {"README.md"} == {path.name for path in FOLDER.glob("*.md")}
    assert [lesson.name for lesson in find_lessons()] == [f"lessons/{name}" for name in LESSONS]


@pytest.mark.parametrize("example", find_lessons(), ids=lambda example: example.path.stem)
def test_a_lesson_says_what_it_is(example: Example) -> None:
    scene = example.scene()
    assert (scene.title, scene.caption) == (example.title, example.caption)
    assert "Try: " in example.caption
    assert len(example.caption) < 400
    assert example.thumbnail.stat().st_size < 30_000


def test_the_boxes_that_a_lesson_speaks_of_are_drawn_without_a_key() -> None:
    scene = next(example for example in find_lessons() if example.path.stem == "broad_phase").scene()
    labels = {label.text for label in present(Session(scene)) if isinstance(label, Label)}
    assert {"box of bar", "box of bead"} <= labels


@every_lesson
def test_a_lesson_has_states_that_could_break_it(name: str, lesson: Lesson) -> None:
    assert "scale-2" in lesson.states
    assert len(lesson.states) >= 4
    scenes = lesson.scenes()
    seen = {tuple(scene.shapes.values()) for scene in (lesson.scene(), *scenes.values())}
    assert len(seen) == len(scenes) + 1, "no two are the same"
    for state, scene in scenes.items():
        loaded = read(f"lessons/{name}/{state}")
        assert loaded.scene == scene
        assert loaded.path == FOLDER / f"{name}.py"


@every_lesson
def test_all_of_a_lesson_is_in_the_picture(lesson: Lesson) -> None:
    for scene in (lesson.scene(), *lesson.scenes().values()):
        assert scene.camera is not None
        view = Viewport(scene.camera, (1280, 960))
        for group in scene.groups:
            if not group.shape.bounded:
                continue
            box = group.shape.bounds()
            pixels, depth = view.project(np.concatenate([np.atleast_2d(box.lower), np.atleast_2d(box.upper)]))
            assert np.all(depth > 0.0)
            # Gravel on the ground may go on beside the picture.
            inside = np.all((pixels > 0.0) & (pixels < view.size), axis=1)
            assert inside.mean() > 0.6 if len(inside) > 9 else inside.all(), scene.caption


def test_a_state_that_is_not_there_is_named() -> None:
    with pytest.raises(LoadError, match="there is no state 'zero-lenth'; did you mean zero-length"):
        read("lessons/circle_segment/zero-lenth")
    with pytest.raises(LoadError, match="no function states"):
        read("knot/zero")
    with pytest.raises(LoadError, match="only Python with a function states"):
        read("first/zero")
    with pytest.raises(LoadError, match="did you mean lessons/two_boxes"):
        read("lessons/two_boxs")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("def states(): return 1", r"states\(\) must return scenes by name, got int"),
        ("def states(): return {'a': 1}", r"states\(\)\['a'\]: must return a collision.Scene .*, got int"),
        ("def states(): return {}", r"there is no state 'a'; it has none"),
        ("def states(): return 1 / 0", r"scene\.py:1: ZeroDivisionError"),
        ("states = 1", "no function states"),
    ],
)
def test_mistakes_in_states_are_told_in_a_line(code: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "scene.py"
    path.write_text(code, encoding="utf-8")
    with pytest.raises(LoadError, match=text):
        read(f"{path}/a")


def test_any_python_scene_may_have_states(tmp_path: Path) -> None:
    path = tmp_path / "scene.py"
    path.write_text("from collision import Sphere\ndef states():\n    return {'far': {'ball': Sphere([9, 0, 0], 1)}}\n")
    assert read(f"{path}/far").scene == Scene({"ball": read(f"{path}/far").scene["ball"]})


# -- in the window ----------------------------------------------------------------------------------------------------


def opened(name: str) -> Session:
    """Return a session as a window opens a lesson."""
    loaded = read(name)
    session = Session(loaded.scene, size=(1280, 960))
    session.start.may_open = True
    session.file.comes_from(loaded.path, template=True)
    assert loaded.lesson is not None
    session.lesson.begin(loaded.lesson)
    return session


@every_lesson
def test_a_lesson_is_opened_with_its_question_explained(name: str, lesson: Lesson) -> None:
    session, told = opened(f"lessons/{name}"), lesson.explained(lesson.scene())
    explanation = session.explaining.explanation
    assert explanation is not None
    assert (explanation.query, session.explaining.step) == (lesson.asks[0].query, 0)
    assert [step.title for step in explanation.steps] == [step.title for step in told.steps]
    assert session.lesson.text == lesson.predict
    for state in lesson.states:
        asked = opened(f"lessons/{name}/{state}")
        assert asked.lesson.text == lesson.states[state].asks
        explanation = asked.explaining.explanation
        assert explanation is not None
        assert explanation.query == lesson.ask_in(state).query


def test_a_key_leads_through_a_lesson_its_states_and_to_the_next() -> None:
    name, seen = "lessons/circle_segment", []
    while name.startswith("lessons/circle_segment"):
        session = opened(name)
        seen.append(session.lesson.text)
        while not (requests := session.dialog.take_requests()):
            before = session.lesson.onward
            assert session.key("F8")
            assert session.lesson.onward != before or before.startswith("next: ")
        (request,) = requests
        assert isinstance(request, OpenScene)
        assert request.loaded is not None
        assert request.loaded.lesson is not None
        path, state = request.loaded.lesson.path, request.loaded.lesson.state
        name = "/".join(filter(None, [f"lessons/{path.stem}", state]))
    assert name == f"lessons/{LESSONS[1]}"
    assert len(seen) == len({*seen}) == 1 + len(read("lessons/circle_segment/scale-2").lesson.lesson.states)  # type: ignore[union-attr]
    session.key("e", ctrl=True)
    assert session.start.learns
    (page,) = (drawable for drawable in present(session) if isinstance(drawable, Gallery))
    assert page.hint.endswith("Esc: back to the scene")
    session.key("Escape")
    assert not session.start.shown
    assert not session.closed


def test_the_card_keeps_the_result_to_itself_until_the_answer_is_told() -> None:
    session = opened("lessons/circle_segment")
    card = step_card(session)
    assert card is not None
    assert card.summary == ""
    session.key("F8")
    card, explanation = step_card(session), session.explaining.explanation
    assert card is not None
    assert explanation is not None
    assert card.summary == explanation.summary == "circle and segment are 0.2127 apart."


@every_lesson
def test_nothing_is_red_until_the_answer_is_told_or_a_shape_is_dragged(name: str) -> None:
    def told(session: Session) -> tuple[bool, bool, bool]:
        """Return whether shapes are red or touch, whether the strip has times of it, and whether there is a table."""
        drawn = present(session)
        flags = [solid.flags & (ShapeFlags.HIT | ShapeFlags.TOUCHING) for solid in drawn if isinstance(solid, Solid)]
        roles = {getattr(drawable, "role", None) for drawable in drawn}
        return (
            any(own.any() for own in flags) or bool(roles & {Role.HIT, Role.TOUCHING}),
            any(strip.merged or strip.rows for strip in drawn if isinstance(strip, Timeline)),
            any(isinstance(panel, Panel) and panel.name == "table" for panel in drawn),
        )

    session = opened(f"lessons/{name}")
    assert told(session) == (False, False, False)
    session.key("F8")
    touches = session.player.touching
    all_told = (len(session.scene.contacts()) > 0, touches is not None and len(touches) > 0, True)
    assert told(session) == all_told
    session.key("shift+F8")
    assert told(session) == (False, False, False)
    session.select(next(iter(session.scene.shapes)))
    session.move_selection([1e-6, 0, 0])
    assert told(session) == all_told


def test_an_explanation_of_a_whole_scene_follows_it() -> None:
    session = opened("lessons/broad_phase")
    before = session.explaining.explanation
    session.select("bead")
    session.move_selection([-1.0, 0.6, 0.2])
    after = session.explaining.explanation
    assert after is not None
    assert before is not after
    assert len(after.result) == len(candidate_pairs(session.scene))
    session.key("q")
    assert session.closed, "a lesson that was tried closes at once"


# -- the pages ---------------------------------------------------------------------------------------------------------


@every_lesson
def test_a_page_is_what_its_lesson_makes(build: ModuleType, name: str) -> None:
    assert build.page(name) == page_of(name), "python examples/lessons/_build.py --pages makes the pages anew"


def test_the_list_of_lessons_is_made_of_them(build: ModuleType) -> None:
    assert build.readme() == page_of("README"), "python examples/lessons/_build.py --pages makes the pages anew"


@every_lesson
def test_a_page_has_all_its_parts(name: str, lesson: Lesson) -> None:
    page = page_of(name)
    found = re.findall(r"^## (.*)$", page, re.MULTILINE)
    assert found == ["Predict", "Drag", "In short", "In full", "Break it"]
    assert page.count("<details>") == page.count("</details>") == 2 + len(lesson.states)
    assert len(re.findall(r"^####? \d+\. ", page, re.MULTILINE)) >= 4
    assert not re.search(r"\\[a-zA-Z]", wording(page)), "no formula is outside of its marks"
    assert not re.search(r"\bnan\b|\binf\b|(?<![\w.])-0(?![.\d])", wording(page)), (
        "no number that is none, no zero with a sign"
    )


@every_lesson
def test_code_of_a_page_gives_the_answers_shown(name: str) -> None:
    for number, block in enumerate(re.findall(r"^```pycon\n(.*?)^```$", page_of(name), re.MULTILINE | re.DOTALL)):
        test = doctest.DocTestParser().get_doctest(block, {}, f"block {number}", name, 0)
        report: list[str] = []
        failed, tried = doctest.DocTestRunner().run(test, out=report.append)
        assert tried
        assert not failed, "".join(report)


@pytest.mark.parametrize("page", [*LESSONS, "README"])
def test_commands_of_a_page_run(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(viewer.studio.app, "run", lambda *_, **__: None)  # a window would wait for its user
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^collision-viewer (.*)$", page_of(page), re.MULTILINE)
    assert commands
    for command in commands:
        assert main(shlex.split(command)) == ExitCode.FINE
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("page", [*LESSONS, "README"])
def test_links_and_pictures_of_a_page_are_there(page: str) -> None:
    for target in {*re.findall(r"\]\(([^)]+)\)", page_of(page))} - {*ARTICLES.values()}:
        path = FOLDER / target.partition("#")[0]
        assert path.is_file(), target
        assert path.suffix != ".webp" or path.stat().st_size < 80_000, f"{target} is large"


def test_every_picture_is_shown() -> None:
    shown = {name for page in LESSONS for name in re.findall(r"pictures/([\w-]+\.webp)\)", page_of(page))}
    assert {path.name for path in (FOLDER / "pictures").glob("*.webp")} == shown
    small = {path.stem for path in (FOLDER / "pictures" / "small").glob("*.png")}
    assert small == set(LESSONS)
