"""Of a test that fails the pictures are kept: those in its variables, and those that it wrote."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.pictures import keep

FAILING = """
import numpy as np
from PIL import Image

def test_red(tmp_path):
    image = np.zeros((20, 30, 3), np.uint8)
    Image.new("RGB", (9, 9)).save(tmp_path / "written.png")
    assert image.any(), "it is black"
"""


def test_pictures_of_a_failed_test_are_kept(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(FAILING, encoding="utf-8")
    root = Path(__file__).parent.parent
    words = [f"--failed-pictures={tmp_path / 'kept'}", f"--rootdir={root}", f"--confcutdir={root}", "-q"]
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider", *words]
    done = subprocess.run(
        [*command, str(tmp_path / "test_it.py")], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr
    (image,) = (tmp_path / "kept").rglob("image.png")
    with Image.open(image) as kept:
        assert kept.size == (30, 20)
    assert image.with_name("written.png").exists()
    assert "image.png" in done.stdout


def test_what_is_no_picture_is_not_kept(tmp_path: Path) -> None:
    def fail() -> None:
        flags, image = np.ones(9, np.uint8), np.zeros((16, 16, 4), np.uint8)
        raise AssertionError(f"{flags} {image.shape}")

    with pytest.raises(AssertionError) as caught:
        fail()
    assert [path.name for path in keep(tmp_path, "test", caught.tb, None)] == ["image.png"]
