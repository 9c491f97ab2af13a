"""Scenes in notebooks: what hands do in the browser comes to Python, and what Python sets is shown there."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import viewer
from collision import AABB, Capsule, Motion, OrientedBox, Scene, Sphere
from tests.browser import assert_drawn, opened, settle
from tests.pages import ROOT
from viewer.page.facts import rows_of
from viewer.studio import pages

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.slow]  # all start a browser

SCENE = Scene({"ball": Sphere([0, 0, 0.5], 0.5), "crate": AABB([2, -0.5, 0], [3, 0.5, 1])})

#: The numbers of the shapes, and the page in the browser.
NUMBERS, PAGE = {"ball": 0, "crate": 1, "shadow": 2}, "document.querySelector('main > div').page"

#: What stands for a notebook: a model whose changes Python hears and answers.
NOTEBOOK = """<main></main><script type=module>
const state = $STATE, heard = {};
globalThis.unanswered = 0;
globalThis.receive = (changes) => {
  for (const [name, value] of Object.entries(changes)) {
    const other = JSON.stringify(state[name]) !== JSON.stringify(value);
    state[name] = value;
    if (other) for (const listener of heard[`change:${name}`] ?? []) listener();
  }
};
const model = {
  get: (name) => state[name],
  set: (name, value) => (state[name] = value),
  save_changes: async () => { unanswered++; receive(await $HEAR(state._moved)); unanswered--; },
  on: (event, listener) => (heard[event] ??= []).push(listener),
  off() {},
};
const { default: widget } = await import(URL.createObjectURL(new Blob([$ESM], { type: "text/javascript" })));
globalThis.end = await widget.render({ model, el: document.querySelector("main") });
globalThis.alive = true;
</script>"""


def told(widget: Any) -> dict[str, Any]:
    return {name: json.loads(json.dumps(getattr(widget, name))) for name in ("_facts", "_answer", "_height")}


class Cell:
    """A widget in a page."""

    def __init__(self, page: Any, widget: Any) -> None:
        self.page, self.widget = page, widget

    def show(self) -> None:
        """Have the browser know what Python has set, and draw it."""
        self.page.evaluate("state => receive(state)", told(self.widget))
        self.page.wait_for_function(f"serial => {PAGE}.facts.serial === serial", arg=self.widget._answer["serial"])
        self.settle()

    def settle(self) -> None:
        """Wait until Python has heard of and answered all that hands did, and the page has taken the answers."""
        settle(self.page)
        self.page.wait_for_function("globalThis.unanswered === 0")
        settle(self.page)

    def drag(self, start: list[float], end: list[float]) -> None:
        (x, y), (u, v) = (self.pixel(point) for point in (start, end))
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        for part in (0.25, 0.5, 0.75, 1.0):
            self.page.mouse.move(x + part * (u - x), y + part * (v - y))
            self.settle()

    def release(self) -> None:
        self.page.mouse.up()
        self.settle()

    def pixel(self, point: list[float]) -> tuple[float, float]:
        box = self.page.locator("canvas").bounding_box()
        x, y = self.page.evaluate(f"point => {PAGE}.view.pixelOf(point).slice(0, 2)", point)
        return box["x"] + x, box["y"] + y

    def row(self, name: str) -> list[float]:
        found: list[float] = self.page.evaluate(f"n => {PAGE}.world.row(n)", NUMBERS[name])
        return found


@pytest.fixture
def cell(chromium: Browser, tmp_path: Path) -> Iterator[Any]:
    with ExitStack() as stack:

        def made(widget: Any) -> Cell:
            path = tmp_path / "notebook.html"
            name = re.sub(r"\W", "_", tmp_path.name)  # its own in each test, as a page is kept for the next
            text = NOTEBOOK.replace("$STATE", json.dumps(told(widget))).replace("$ESM", json.dumps(widget._esm))
            text = text.replace("$HEAR", name)
            path.write_text(f"<!doctype html><meta charset=utf-8>{text}", "utf-8")
            page = stack.enter_context(opened(chromium, path))

            def hear(moved: dict[str, Any]) -> dict[str, Any]:
                widget._moved = moved
                return told(widget)

            page.expose_function(name, hear)
            page.wait_for_function("globalThis.alive")
            return Cell(page, widget)

        yield made


def with_shadow(scene: Scene) -> Scene:
    """Have a ball its shadow beside it, and let it not go too far."""
    x, y, z = scene["ball"].center  # type: ignore[attr-defined]
    if x > 1.5:
        raise ValueError("the ball may not go there")
    return scene.with_shape("shadow", Sphere([x, y + 2, z], 0.3))


def test_a_drag_comes_to_python_and_what_python_sets_is_shown(cell: Any) -> None:
    widget = viewer.widget(SCENE)
    seen: list[Scene] = []
    widget.observe(lambda change: seen.append(change.new), "scene")
    shown = cell(widget)
    assert_drawn(shown.page)
    shown.drag([0, 0, 0.5], [1.8, 0, 0.5])
    assert len(seen) >= 2, "also in the middle of a drag"
    shown.release()
    assert len(widget.scene.colliding_pairs()) == 1
    assert shown.row("ball") == rows_of(widget.scene.groups[0].shape)[0].tolist()
    assert shown.row("ball") != [0, 0, 0.5, 0.5]
    shown.page.keyboard.press("Control+z")
    shown.settle()
    assert widget.scene == SCENE
    widget.scene = SCENE.moved("crate", [0, 1, 0])
    serial = widget._answer["serial"]
    shown.show()
    assert shown.row("crate")[1] == 0.5
    assert widget._answer["serial"] == serial, "only numbers were sent"
    widget.scene = Scene({"ball": Capsule([0, 0, 1], [0, 0, 2], 0.3)})
    shown.show()
    assert shown.row("ball") == [0, 0, 1, 0, 0, 2, 0.3]
    assert shown.page.locator("canvas").count() == 1


@pytest.mark.parametrize("given", [None, 3])
def test_what_is_no_scene_is_refused_and_the_scene_stays(given: Any) -> None:
    scene = Scene({"ball": Sphere([0, 0, 0], 1)})
    widget = viewer.widget(scene)
    with pytest.raises(ValueError, match="what is to be seen must be a"):
        widget.scene = given
    assert widget.scene is scene


def test_other_shapes_follow_what_is_dragged_and_what_is_refused_is_said(cell: Any) -> None:
    widget = viewer.widget(with_shadow(SCENE), react=with_shadow)
    shown = cell(widget)
    shown.drag([0, 0, 0.5], [1, -0.5, 0.5])
    ball, shadow = shown.row("ball"), shown.row("shadow")
    assert shadow[:3] == [ball[0], ball[1] + 2, ball[2]]
    before = (
        f"(([x, ...more]) => ({PAGE}.doc.preview([[0, [x + 0.01, ...more]]]), {PAGE}.world.row(2)))"
        f"({PAGE}.world.row(0))"
    )
    assert shown.page.evaluate(before) == shadow, "it stays where it was until Python has answered"
    shown.release()
    assert widget.scene == with_shadow(widget.scene)
    assert widget.scene["ball"].center[0] > 0.5
    kept = widget.scene
    shown.drag([*map(float, widget.scene["ball"].center)], [1.9, 1, 0.5])
    shown.page.get_by_text("the ball may not go there").wait_for()
    shown.release()
    assert widget.scene["ball"].center[0] <= 1.5
    assert shown.row("ball")[:3] == widget.scene["ball"].center.tolist()
    assert kept.shapes.keys() == widget.scene.shapes.keys()


def test_what_is_dragged_while_it_moves_is_carried_back_to_where_it_rests(cell: Any) -> None:
    box = OrientedBox([0, 0, 1], np.eye(3), [0.4, 0.3, 0.2])
    turn = Motion("box", times=[0, 1], offsets=[[0, 0, 2], [1, 0, 2]], rotations=[[0, 0, 0, 1], [0, 0, 1, 1]])
    scene = Scene({"box": box, "crate": AABB([2, -0.5, 0], [3, 0.5, 1])}, motion=[turn])
    widget = viewer.widget(scene)
    shown = cell(widget)
    shown.page.evaluate(f"{PAGE}.doc.go({PAGE}.doc.times.length - 1)")
    row = shown.page.evaluate(f"{PAGE}.world.row(0)")
    shown.page.evaluate(f"row => {PAGE}.doc.change([[0, row]])", [row[0], row[1] + 0.5, *row[2:]])
    shown.settle()
    moved = widget.scene.at(1)["box"]
    assert np.allclose(moved.center, [1, 0.5, 3])
    assert np.allclose(moved.axes, scene.at(1)["box"].axes)
    assert np.allclose(widget.scene["box"].center, [0, 0.5, 1])
    assert np.allclose(shown.page.evaluate(f"{PAGE}.world.row(0)")[:3], [1, 0.5, 3])


def test_a_scene_is_alive_where_a_notebook_is_read(chromium: Browser, tmp_path: Path) -> None:
    widget = viewer.widget(SCENE)
    bundle = widget._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    for text in (data["text/html"], pages.notebook_html(SCENE)):
        assert re.match(r'<iframe srcdoc="[^"]*" sandbox="allow-scripts allow-downloads" ', text)
        path = tmp_path / "read.html"
        path.write_text(f"<!doctype html><meta charset=utf-8>{text}", "utf-8")
        with opened(chromium, path) as page:
            frame = page.frame_locator("iframe")
            frame.get_by_text("no collisions").wait_for()
            assert frame.locator("canvas").is_visible()


@pytest.mark.deep
def test_the_notebook_among_the_examples_is_alive_where_it_is_kept_as_a_page(chromium: Browser, tmp_path: Path) -> None:
    beside = Path(pytest.importorskip("nbconvert").__file__).parents[4] / "share" / "jupyter"  # has its templates
    options = ["--execute", "--to", "html", "--ExecutePreprocessor.store_widget_state=False", "--output-dir", tmp_path]
    command = [sys.executable, "-m", "nbconvert", *options, ROOT / "examples" / "notebook.ipynb"]
    subprocess.run(command, check=True, timeout=300, env={**os.environ, "JUPYTER_PATH": str(beside)})
    context = chromium.new_context(offline=True)  # the page itself asks for MathJax, which no scene needs
    page = context.new_page()
    page.goto((tmp_path / "notebook.html").as_uri())
    assert page.locator("iframe").count() == 3
    for number in range(3):
        page.locator("iframe").nth(number).scroll_into_view_if_needed()
        frame = page.frame_locator("iframe").nth(number)
        frame.locator("canvas").wait_for()
        frame.get_by_text("colli").first.wait_for()
    context.close()
