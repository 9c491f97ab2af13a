"""A published picture that shows something else than what is drawn today is found, whichever versions drew it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import tests.published as published
import viewer
from viewer.records.theme import LIGHT


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    monkeypatch.setattr(published, "EXAMPLES", tmp_path / "examples")
    made, kept = tmp_path / "made", tmp_path / "kept"
    made.mkdir()
    kept.mkdir()
    viewer.render("first", kept / "first.png", size=(640, 480))
    return made, kept


@pytest.mark.parametrize("exact", [True, False])
def test_the_same_picture_is_current(folders: tuple[Path, Path], exact: bool) -> None:
    made, kept = folders
    viewer.render("first", made / "first.png", size=(640, 480))
    assert list(published.stale(made, kept, exact=exact)) == []


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("change", [{"hatch_angle": LIGHT.hatch_angle - 15}, {"hatch_period": LIGHT.hatch_period + 3}])
def test_another_hatching_is_found(folders: tuple[Path, Path], exact: bool, change: dict[str, float]) -> None:
    made, kept = folders
    viewer.render("first", made / "first.png", size=(640, 480), theme=replace(LIGHT, **change))
    (line,) = published.stale(made, kept, exact=exact)
    assert line.startswith("kept/first.png: ")


def test_a_picture_that_is_not_published_is_named(folders: tuple[Path, Path]) -> None:
    made, kept = folders
    viewer.render("first", made / "second.png", size=(64, 64))
    assert list(published.stale(made, kept, exact=True)) == ["kept/second.png: it is not published"]
