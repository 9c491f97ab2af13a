"""The pictures of the pages come from one command, and show what the pages say."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from PIL import Image

import viewer
from collision import Scene, Sphere
from viewer.files.differences import compare_pictures, read_picture
from viewer.session import Session

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "examples" / "pictures"
MODES = (
    *("move", "turn", "resize", "group", "box", "menu", "question", "hidden", "parallel", "pair", "apart", "near"),
    *("broad_phase", "normals", "ambiguous", "dark", "colour_blind", "colour_blind_dark", "motion", "keys"),
    *("explain", "explain_line"),
)


@pytest.fixture(scope="module")
def gallery() -> Iterator[ModuleType]:
    sys.path.insert(0, str(ROOT / "examples"))
    yield import_module("_gallery")
    sys.path.remove(str(ROOT / "examples"))


def test_there_is_a_picture_of_every_mode(gallery: ModuleType) -> None:
    assert tuple(gallery.MODES) == MODES
    assert {f"mode_{name}.png" for name in MODES} == {path.name for path in PICTURES.glob("mode_*.png")}


@pytest.mark.parametrize("name", MODES)
def test_the_picture_is_what_the_command_makes(gallery: ModuleType, name: str, tmp_path: Path) -> None:
    gallery.picture(name, tmp_path)
    made, kept = (np.asarray(Image.open(folder / f"mode_{name}.png").convert("RGB")) for folder in (tmp_path, PICTURES))
    assert made.shape == kept.shape == (*gallery.SIZE[::-1], 3)
    # Graphics drivers differ at edges; a panel, a shape or a colour that is another covers more.
    assert (np.abs(made.astype(int) - kept).max(axis=2) > 60).mean() < 0.01


def test_the_picture_of_a_broken_promise_is_what_the_command_makes(gallery: ModuleType, tmp_path: Path) -> None:
    gallery.broken(tmp_path)
    made, kept = (read_picture(folder / "broken.png") for folder in (tmp_path, PICTURES))
    assert compare_pictures(kept, made).within(2000)


@pytest.mark.parametrize("example", viewer.find_examples(), ids=lambda example: example.name)
def test_the_small_picture_of_an_example_is_what_the_command_makes(
    gallery: ModuleType, example: viewer.Example, tmp_path: Path
) -> None:
    if example.path.suffix == ".xml":
        pytest.importorskip("mujoco")
    gallery.thumbnail(example, tmp_path)
    made, kept = (
        np.asarray(Image.open(path).convert("RGBA")) for path in (tmp_path / example.thumbnail.name, example.thumbnail)
    )
    assert made.shape == kept.shape
    assert (np.abs(made.astype(int) - kept).max(axis=2) > 60).mean() < 0.02
    assert 0.3 < (kept[..., 3] == 0).mean() < 0.998, "its background is left out, and something is seen"


def test_a_snapshot_is_what_a_session_shows(tmp_path: Path) -> None:
    session = Session(Scene({"ball": Sphere([0, 0, 0], 1)}), size=(320, 240))
    plain = viewer.snapshot(session)
    session.select("ball")
    session.set_theme("dark")
    before = session.revision
    chosen = viewer.snapshot(session, tmp_path / "ball.png")
    assert session.revision == before
    assert np.array_equal(chosen, np.asarray(Image.open(tmp_path / "ball.png").convert("RGB")))
    assert plain.mean() > 200 > 100 > chosen.mean()
    with pytest.raises(ValueError, match=r"\.png"):
        viewer.snapshot(session, tmp_path / "ball.jpg")
