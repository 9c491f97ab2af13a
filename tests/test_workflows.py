"""The jobs that the pages give to CI servers, on a small project of a user's own."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from viewer.cli import main

ROOT = Path(__file__).parents[1]
SCENES = ROOT / "tests" / "verdicts" / "scenes"


def jobs() -> list[list[str]]:
    """Return the words of each call of ``collision-viewer test`` in the jobs of the viewer's page."""
    page = (ROOT / "viewer" / "REFERENCE.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"- (?:run: )?collision-viewer (test .*)$", "\n".join(blocks), re.MULTILINE)
    return [shlex.split(line) for line in lines]


def test_there_is_a_job_for_each_of_two_servers() -> None:
    assert len(jobs()) == 2


@pytest.mark.parametrize("number", range(2))
def test_a_job_fails_where_a_promise_is_broken_and_leaves_its_reports(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "scenes").mkdir()
    shutil.copy(SCENES / "good.scene.toml", tmp_path / "scenes")
    monkeypatch.chdir(tmp_path)
    words = jobs()[number]
    assert main(words) == 0
    assert ElementTree.parse("junit.xml").getroot().get("failures") == "0"
    shutil.copy(SCENES / "broken.scene.toml", tmp_path / "scenes")
    assert main(words) == 10
    assert int(ElementTree.parse("junit.xml").getroot().get("failures", 0)) > 0
    page = Path("report.html").read_text(encoding="utf-8")
    assert "broken.scene.toml" in page
    assert "data:image/png" in page
