"""There is a picture of every mode, made as a session shows it; `tests.published` compares them all."""

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


def test_a_snapshot_is_what_a_session_shows(tmp_path: Path) -> None:
    session = Session(Scene({"ball": Sphere([0, 0, 0], 1)}), size=(320, 240))
    plain = viewer.snapshot(session)
    session.select("ball")
    session.settings.set_theme("dark")
    before = session.revision
    chosen = viewer.snapshot(session, tmp_path / "ball.png")
    assert session.revision == before
    assert np.array_equal(chosen, np.asarray(Image.open(tmp_path / "ball.png").convert("RGB")))
    assert plain.mean() > 200 > 100 > chosen.mean()
    with pytest.raises(ValueError, match=r"\.png"):
        viewer.snapshot(session, tmp_path / "ball.jpg")
