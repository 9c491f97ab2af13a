"""Scenes and widgets in Python alone: what they say of themselves, how often they tell it, and a notebook that runs."""

from __future__ import annotations

import asyncio
import builtins
import tomllib
import warnings
from html import unescape
from importlib import metadata
from typing import Any

import pytest

import viewer
from collision import AABB, Scene, Sphere
from collision.wasm import NoCodeError
from tests.pages import ROOT
from viewer.page import export
from viewer.studio import pages

SCENE = Scene({"ball": Sphere([0, 0, 0.5], 0.5), "crate": AABB([2, -0.5, 0], [3, 0.5, 1])})


def test_a_hundred_scenes_a_second_do_not_wait_in_a_queue() -> None:
    widget = viewer.widget(SCENE)
    told: list[Any] = []
    widget.observe(lambda change: told.append(change.new), "_answer")

    async def set_many() -> None:
        for step in range(500):
            widget.scene = SCENE.moved("ball", [0, 0, step])
            if step % 100 == 0:
                await asyncio.sleep(0)
        await asyncio.sleep(0.1)

    asyncio.run(set_many())
    assert told[-1]["rows"] == [(0, [0.0, 0.0, 499.5, 0.5], 0)]
    assert len(told) < 250


def test_a_scene_says_what_it_looks_like_by_an_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    known = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]["collision.notebook"]

    def entry_points(group: str) -> list[metadata.EntryPoint]:
        return [metadata.EntryPoint(name, value, group) for name, value in known.items()]

    monkeypatch.setattr(metadata, "entry_points", entry_points)
    text = SCENE._repr_html_()
    assert text is not None
    assert "canvas" not in unescape(text).partition("<script")[0]
    assert text.startswith("<iframe")
    monkeypatch.setattr(metadata, "entry_points", lambda group: [])
    assert SCENE._repr_html_() is None


def test_what_cannot_be_alive_is_a_picture_and_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "LONGEST", 1000)
    text = pages.notebook_html(SCENE)
    assert text.startswith('<img src="data:image/')
    assert "too large to be alive in a notebook" in text

    def missing(*_: object) -> str:
        raise NoCodeError("there is no collision.wasm")

    monkeypatch.setattr(export, "page_html", missing)
    assert pages.notebook_html(SCENE).endswith("<p>there is no collision.wasm</p>")


def test_without_anywidget_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    found = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name == "anywidget":
            raise ImportError(name)
        return found(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match=r'pip install "\.\[notebook\]"'):
        viewer.widget(SCENE)


def test_a_widget_takes_what_a_window_does() -> None:
    assert viewer.widget({"ball": Sphere([0, 0, 0], 1)}).scene == Scene({"ball": Sphere([0, 0, 0], 1)})
    with pytest.raises(ValueError, match="must be a collision"):
        viewer.widget(None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must be a collision"):
        viewer.widget(SCENE).scene = 3
    with pytest.raises(ValueError, match="theme"):
        viewer.widget(SCENE, theme="pink")


def test_the_notebook_among_the_examples_runs_and_has_no_outputs() -> None:
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    notebook = nbformat.read(ROOT / "examples" / "notebook.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its packages' own
        nbclient.NotebookClient(notebook, timeout=120).execute()
    shown = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    assert sum(data.get("text/html", "").startswith("<iframe") for data in shown) == 3
    assert sum("application/vnd.jupyter.widget-view+json" in data for data in shown) == 2
    assert [data["text/plain"] for data in shown][-1] == "[1]"
