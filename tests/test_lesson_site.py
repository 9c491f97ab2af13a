"""The lessons as a site: in a browser each page says what Python says, asks nobody for anything, and can be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from html import unescape
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from collision import Scene, Sphere
from collision.inner import Value, all_cases, step_as_html
from tests.browser import assert_drawn, opened
from tests.slow import deep, some
from viewer.cli import ExitCode, main
from viewer.files import folders
from viewer.files.catalogue import find_lessons
from viewer.files.lessons import Guess, Lesson
from viewer.files.loading import read
from viewer.files.places import LESSONS
from viewer.page.export import part
from viewer.page.facts import rows_of
from viewer.stage.gl import GLUnavailable
from viewer.studio import lessons, live_steps, pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

in_browser = [pytest.mark.xdist_group("lessons"), pytest.mark.slow]  # all need the site and start a browser

_NAMED = ("circle_segment", "two_boxes", "broad_phase", "capsule_space", "moving_ball")

#: The lessons that are written and opened: those that tests name, and with ``--deep`` all.
OPENED = [name for name in LESSONS if deep() or name in _NAMED]


def lessons_of(*names: str) -> pytest.MarkDecorator:
    """Try some lessons, in the browser, which takes seconds each; and with ``--deep`` all."""
    return pytest.mark.parametrize("name", LESSONS if deep() else names)


Open = Callable[..., AbstractContextManager[Any]]

#: What is read of groups of steps: of each step its text, and whether it is pale.
_READ = """all => all.filter((group) => group.children.length).map((group) => ({
  ask: Number(group.dataset.ask), kind: group.dataset.kind, stale: group.classList.contains("stale"),
  steps: [...group.children].map((step) => [step.textContent, step.classList.contains("stale")]),
}))"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the site without pictures, which take longer than all the rest."""

    def refuse(*_: object) -> None:
        raise GLUnavailable("nothing can be drawn")

    folder = tmp_path_factory.mktemp("lessons") / "site"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "take", refuse)
        patch.setattr(live_steps, "_ROUNDS", 1)
        patch.setattr(lessons, "find_lessons", lambda: [one for one in find_lessons() if one.path.stem in OPENED])
        folders.write_folder(folder, lessons.site(progress=False))
    return folder


@pytest.fixture
def open_lesson(chromium: Browser, site: Path) -> Open:
    def open_one(name: str, **options: Any) -> Any:
        return opened(chromium, site / f"{name}.html", beside=True, **options)

    return open_one


def lesson_of(name: str) -> Lesson:
    found = read(f"lessons/{name}").lesson
    assert found is not None
    return found.lesson


def states_of(it: Lesson) -> dict[str, tuple[Scene, Guess | None]]:
    """Return the scene in each state with its guess, as it is opened first."""
    return {
        "scene": (it.scene(), it.guess),
        **{name: (scene, it.states[name].guess) for name, scene in it.scenes().items()},
    }


def choose(page: Any, state: str) -> None:
    page.locator(f'#states a[href="#{state}"]').click()
    page.wait_for_function(
        "state => globalThis.page && document.getElementById(state).dataset.alive === 'yes'", arg=state
    )


def rows(scene: Scene) -> list[list[float]]:
    """Return the numbers of all shapes where they are at first."""
    now = scene if scene.span is None else scene.at(scene.span[0])
    found = {
        int(element): row
        for elements, shape in now.groups
        for element, row in zip(elements, rows_of(shape).tolist(), strict=True)
    }
    return [found[element] for element in sorted(found)]


def numbers(text: str) -> list[str]:
    return re.findall(r"\d+(?:\.\d+)?", text)


#: Whether anything in a page is red, or as what touches.
RED = "page.flags.some((flag) => flag & 17)"


class TestInTheBrowser:
    pytestmark = in_browser

    @lessons_of("circle_segment", "moving_ball")
    def test_states_change_the_scene_and_predictions_are_judged(self, name: str, open_lesson: Open) -> None:
        it = lesson_of(name)
        with open_lesson(name) as page:
            page.wait_for_function("document.body.classList.contains('alive')")
            assert_drawn(page)
            for state, (scene, guess) in states_of(it).items():
                choose(page, state)
                assert page.evaluate("page.world.elements.map((element) => page.world.row(element))") == rows(scene)
                assert page.locator("main > article:visible").count() == 1
                article = page.locator(f"article#{state}")
                answer = article.locator("details")
                assert answer.get_attribute("open") is None
                assert article.locator(".choices").count() == (guess is not None)
                if guess is not None:
                    assert page.evaluate("page.veiled")
                    page.wait_for_function(f"!({RED})")
                    for choice in guess.choices:
                        article.get_by_role("button", name=choice, exact=True).click()
                        right = choice == guess.right(scene)
                        said = article.locator(".choices [role=status]").text_content()
                        assert said == ("Right." if right else "Not so: look at the answer."), (state, choice)
                    assert answer.get_attribute("open") is not None
                    assert not page.evaluate("page.veiled")
                    page.wait_for_function(f"({RED}) === (page.world.contacts.size > 0)")

    def test_red_is_told_while_a_shape_is_dragged_for_the_first_time(self, open_lesson: Open) -> None:
        with open_lesson("capsule_space", size=(1280, 800)) as page:
            page.wait_for_function("document.body.classList.contains('alive')")
            assert page.evaluate("page.veiled")
            x, y = page.evaluate(
                "(() => { const center = page.world.row(page.world.names.indexOf('sphere')).slice(0, 3);"
                "const [x, y] = page.view.pixelOf(center);"
                "const box = page.canvas.getBoundingClientRect(); return [x + box.x, y + box.y]; })()"
            )
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x - 10, y - 10, steps=3)
            assert page.evaluate("page.doc.before !== null && page.world.contacts.size === 1")
            page.wait_for_function(RED)
            page.keyboard.press("Escape")
            page.wait_for_function(f"page.veiled && !({RED})")

    @lessons_of("two_boxes", "capsule_space")
    def test_numbers_of_formulas_are_those_of_python(self, name: str, open_lesson: Open) -> None:
        it = lesson_of(name)
        told = {"scene": [it.explained(it.scene(), ask=ask) for ask in it.asks]}
        told |= {state: [it.explained(scene, state)] for state, scene in it.scenes().items()}
        with open_lesson(name) as page:
            for state, explanations in told.items():
                for ask, explanation in enumerate(explanations):
                    for number, step in enumerate(explanation.steps, 1):
                        own = it.states[state].ask if state in it.states else ask
                        shown = page.locator(f'article#{state} [data-step="{own}-{number}"]')
                        if state == "scene" and not (step.article or it.asks[ask].full):
                            assert shown.count() == 0
                            continue
                        assert shown.locator("p").first.text_content() == step.text
                        seen = shown.locator("math[display=block]").evaluate_all(
                            "all => all.map(math => [...math.querySelectorAll('mtr:last-child mn')]"
                            ".map(number => number.textContent))"
                        )
                        assert seen == [numbers(rule.numbers) for rule in step.formulas]

    def test_what_a_step_shows_in_the_scene_follows_a_drag(self, open_lesson: Open) -> None:
        with open_lesson("circle_segment", size=(1280, 800)) as page:
            page.wait_for_function("document.body.classList.contains('alive')")
            page.get_by_role("button", name="The article: inner and cross product").click()
            step = lesson_of("circle_segment").explained(lesson_of("circle_segment").scene()).steps[0]
            shown = page.evaluate("page.more.labels.map((label) => label.text)")
            assert set(shown) == {mark.label for mark in step.marks}
            x, y = page.evaluate(
                "(() => { const [x, y] = page.view.pixelOf([1, 1.5, 0]), box = page.canvas.getBoundingClientRect();"
                "return [x + box.x, y + box.y]; })()"
            )
            page.mouse.move(x, y)
            page.mouse.down()
            page.mouse.move(x + 30, y + 40, steps=3)
            page.mouse.up()
            said = page.locator("#changed")
            assert said.is_visible()
            assert "The steps follow; answers are those of \u201cThe scene\u201d" in (said.text_content() or "")
            it = lesson_of("circle_segment")
            center = page.evaluate("page.world.row(page.world.names.indexOf('circle'))")[:3]
            circle = it.scene()["circle"]
            assert isinstance(circle, Sphere)
            dragged = it.scene().replaced(shapes={**it.shapes, "circle": Sphere(center, circle.radius)})
            drawn = dict(page.evaluate("page.more.labels.map(({ text, point }) => [text, point])"))
            assert drawn.keys() == set(shown)
            for mark in it.explained(dragged).steps[0].marks:
                ends = [*mark.shape.values().values()]
                assert drawn[mark.label] == pytest.approx(np.mean(ends, axis=0)), mark.label
            page.evaluate("page.doc.change([[page.world.names.indexOf('segment'), [0, 0, 0, 0, 0, 0]]])")
            assert page.evaluate("page.more.labels") == [], "no article tells of a segment without a length"
            page.get_by_role("button", name="Set it back").click()
            said.wait_for(state="hidden")
            assert page.evaluate("page.world.elements.map((element) => page.world.row(element))") == rows(
                lesson_of("circle_segment").scene()
            )

    @lessons_of("circle_segment", "moving_ball")
    def test_steps_follow_the_scene_and_are_those_of_python(self, name: str, open_lesson: Open) -> None:
        it, random, follows, tries = lesson_of(name), Random(name), 0, 0
        with open_lesson(name) as page:
            for state, (scene, _) in states_of(it).items():
                choose(page, state)
                for k in range(6):
                    asked = it.ask_in(state if state in it.states else "")
                    shapes = [name for name in asked.given if name in scene.shapes] or ["bead", "bar"]
                    moved = shapes[k % len(shapes)]
                    way = [random.gauss(0.0, (0.05, 0.5)[k % 2]) for _ in range(3)]
                    other = scene.replaced(shapes={**scene.shapes, moved: scene[moved].translated(way)})
                    page.evaluate(
                        "numbers => page.doc.change(page.world.elements.map((k) => [k, numbers[k]]))", rows(other)
                    )
                    groups = page.locator(f"article#{state} .steps").evaluate_all(_READ)
                    for group in groups:
                        ask = it.asks[group["ask"]]
                        tries += 1
                        if group["stale"]:
                            continue
                        follows += 1
                        told = it.explained(other, state if state in it.states else "", ask=ask)
                        kept = {"all": (True, False), "article": (True,), "kernel": (False,)}[group["kind"]]
                        known = set[Value]()
                        html = ["".join(step_as_html(n, step, 4, known)) for n, step in enumerate(told.steps, 1)]
                        expected = [text for step, text in zip(told.steps, html, strict=True) if step.article in kept]
                        assert len(group["steps"]) == len(expected)
                        for (seen, stale), text in zip(group["steps"], expected, strict=True):
                            assert stale or seen == unescape(re.sub("<[^>]*>", "", text)), (state, moved, way)
        assert follows > 0.4 * tries

    def test_steps_that_cannot_follow_say_so(self, open_lesson: Open) -> None:
        with open_lesson("broad_phase") as page:
            page.wait_for_function("document.body.classList.contains('alive')")
            said = page.locator("article#scene .standing").all_text_contents()
            told = "through all shapes: they tell of \u201cThe scene\u201d, not of what was dragged."
            assert said[0] == f"\u201cDown the tree\u201d and \u201cWhat is left\u201d go {told}"
            page.evaluate("page.doc.change([[0, page.world.row(0).map((x) => x + 0.1)]])")
            steps = page.locator('article#scene .steps[data-kind="kernel"]').first.locator(".step")
            assert steps.evaluate_all("all => all.map((step) => step.classList.contains('stale'))") == [
                *(False, False),
                *(True, True),
            ]

    def test_steps_stay_while_what_they_know_of_is_another(self, open_lesson: Open) -> None:
        with open_lesson("capsule_space") as page:
            page.wait_for_function("document.body.classList.contains('alive')")
            steps = page.locator('article#scene .steps[data-kind="kernel"]')
            move = (
                "name => { const k = page.world.names.indexOf(name);"
                "page.doc.change([[k, page.world.row(k).map((x) => x + 0.01)]]); }"
            )
            page.evaluate(move, "sphere")
            assert "stale" not in (steps.get_attribute("class") or "")
            page.evaluate(move, "capsule")  # whose collider is known to Python alone
            assert "stale" in (steps.get_attribute("class") or "")

    def test_numbers_are_written_as_python_writes_them(self, chromium: Browser, tmp_path: Path) -> None:
        code = re.sub("^(import .*|export )", "", part("steps.mjs"), flags=re.MULTILINE)
        (tmp_path / "numbers.html").write_text(f"<!doctype html><script>{code}</script>", encoding="utf-8")
        random = Random(1)
        values = [0.0, -0.0, 1.0, 10.0, 2582.4, 99995.0, 0.125, 2.5, 1e-4, 9.9996e-5, 1e16, 5e-324, 1.7e308]
        values += [round(random.uniform(-1.0, 1.0), k % 9) * 10.0 ** random.randint(-9, 9) for k in range(500)]
        with opened(chromium, tmp_path / "numbers.html") as page:
            for digits in range(1, 8):
                seen = page.evaluate("([all, n]) => all.map((x) => general(x, n))", [values, digits])
                assert seen == [f"{x:.{digits}g}" for x in values]

    @lessons_of("broad_phase")
    def test_a_phone_shows_the_scene_and_no_text_is_cut(self, name: str, open_lesson: Open) -> None:
        with open_lesson(name, size=(390, 844), touch=True, scheme="dark") as page:
            page.wait_for_function("document.body.classList.contains('alive')")
            assert_drawn(page)
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            ways = [
                np.subtract(camera["target"], camera["position"])
                for camera in page.evaluate("[page.view.camera, page.facts.camera]")
            ]
            ways = [way / np.linalg.norm(way) for way in ways]
            assert np.allclose(*ways), "it is seen from the side that the text speaks of"

    def test_on_a_phone_no_panel_covers_another_or_a_shape(self, open_lesson: Open) -> None:
        with open_lesson("moving_ball", size=(390, 844), touch=True) as page:
            page.wait_for_function("document.body.classList.contains('alive')")
            page.get_by_role("button", name="See all").tap()
            for _ in range(2):
                panels = page.evaluate("page.panels()")
                assert len(panels) >= 2
                for k, (left, top, right, bottom) in enumerate(panels):
                    for other in panels[k + 1 :]:
                        assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
                highest = page.evaluate("Math.max(...page.subject().map((point) => page.view.pixelOf(point)[1]))")
                assert all(highest < top for _, top, _, bottom in panels if bottom > highest)
                page.locator("article#scene summary").tap()  # then the strip says when they touch
                page.get_by_role("button", name="See all").tap()
            choose(page, "from-inside")
            assert page.evaluate("page.world.contacts.size")
            assert page.locator("#count").is_disabled(), "there is no list that it could open"

    def test_a_link_opens_a_state_and_the_list_leads_to_all(self, open_lesson: Open) -> None:
        with open_lesson("two_boxes", fragment="from-inside") as page:
            page.wait_for_function("document.body.classList.contains('alive')")
            assert page.locator("main > article:visible").get_attribute("id") == "from-inside"
        with open_lesson("index") as page:
            links = page.locator(".cards a").evaluate_all("all => all.map(link => link.getAttribute('href'))")
            assert links == [f"{name}.html" for name in OPENED]

    def test_without_scripts_all_of_the_text_is_there(self, chromium: Browser, site: Path) -> None:
        context = chromium.new_context(java_script_enabled=False, offline=True)
        page = context.new_page()
        page.goto((site / "circle_segment.html").as_uri())
        it = lesson_of("circle_segment")
        for state in it.states.values():
            assert page.get_by_role("heading", name=state.title, exact=True).is_visible()
        assert page.locator("article:visible").count() == 1 + len(it.states)
        assert page.locator(".choices:visible").count() == 0, "nothing would judge them"
        context.close()


# -- the command -------------------------------------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lessons, "site", lambda progress: {"index.html": _INDEX, "a.html": b"a"})


_INDEX = b'<meta name="generator" content="collision-viewer lessons">'


@pytest.mark.usefixtures("quick")
def test_an_earlier_site_is_written_over_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "deep" / "lessons"
    assert main(["lessons", "-o", str(folder)]) == ExitCode.FINE
    assert capsys.readouterr().out.strip() == str(folder / "index.html")
    (folder / "old.html").write_text("old", encoding="utf-8")
    assert main(["lessons", "-o", str(folder)]) == ExitCode.FINE
    assert {path.name for path in folder.iterdir()} == {"index.html", "a.html"}
    assert [path.name for path in folder.parent.iterdir()] == ["lessons"]


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("full", "there is something in this folder that is no site of the lessons; name another, or a new one"),
        ("full/note.txt", "there is a file of this name; the lessons are written as a folder"),
        ("full/note.txt/lessons", "a part of its path is a file"),
    ],
)
def test_what_is_no_site_is_left_alone(
    target: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "note.txt").write_text("mine", encoding="utf-8")
    assert main(["lessons", "-o", str(tmp_path / target)]) == ExitCode.MISTAKE
    assert capsys.readouterr().err == f"collision-viewer: {tmp_path / target}: cannot be written: {words}\n"
    assert (tmp_path / "full" / "note.txt").read_text(encoding="utf-8") == "mine"


@pytest.mark.usefixtures("quick")
def test_a_site_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "lessons"
    folder.mkdir()
    (folder / "index.html").write_bytes(_INDEX + b"old")

    def write(path: Path, data: bytes) -> None:
        if path.name == "a.html":
            raise OSError(28, "No space left on device")
        path.write_bytes(data)

    monkeypatch.setattr(folders, "write_bytes", write)
    assert main(["lessons", "-o", str(folder)]) == ExitCode.MISTAKE
    assert "cannot be written: no space left on device" in capsys.readouterr().err
    assert [path.name for path in tmp_path.rglob("*")] == ["lessons", "index.html"]
    assert (folder / "index.html").read_bytes().endswith(b"old")


# -- formulas ----------------------------------------------------------------------------------------------------------


def test_every_formula_of_every_explanation_is_written_as_mathml() -> None:
    from xml.etree import ElementTree

    from collision import explain

    formulas = 0
    for case in some(6, all_cases().values()):
        for number, step in enumerate(explain(case.query, *case.given, **case.more).steps, 1):
            text = "".join(step_as_html(number, step, 2, set()))
            for math in re.findall("<math.*?</math>", text):
                ElementTree.fromstring(math)
            seen = [
                numbers(" ".join(ElementTree.fromstring(row).itertext()))
                for row in re.findall(r"<math display.*?</math>", text)
            ]
            for rule, found in zip(step.formulas, seen, strict=True):
                both = [rule.symbols] if rule.symbols == rule.numbers else [rule.symbols, rule.numbers]
                assert found == [x for part in both for x in numbers(part)], rule
            formulas += len(step.formulas)
    assert formulas > (500 if deep() else 80)
