"""What the command that tests scenes writes of a folder of them, and how these texts are renewed."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import tempfile
from pathlib import Path
from unittest.mock import patch

from viewer.cli import main

HERE = Path(__file__).resolve().parent
SCENES, EXPECTED = HERE / "scenes", HERE / "expected"

#: The forms of a report, each with the words of the command.
FORMS = {
    "report.txt": ("--accept", "accepted.toml"),
    "report.json": ("--accept", "accepted.toml", "--format", "json"),
    "report.github": ("--accept", "accepted.toml", "--format", "github"),
    "only.txt": ("--only", "cable*", "--verbose"),
}


def reports() -> dict[str, str]:
    """Return what is written, by the name of the file in which it is expected."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        shutil.copytree(SCENES, folder, dirs_exist_ok=True)
        found = {name: _out("test", ".", "missing.toml", "parts.xml", *words) for name, words in FORMS.items()}
        junit = ("--accept", "accepted.toml", "--junit", "report.xml")
        with patch.dict(os.environ, {"GITHUB_STEP_SUMMARY": "summary.md"}):
            _out("test", ".", "missing.toml", "parts.xml", *junit, "--format", "github")
        for name in ("report.xml", "summary.md"):
            found[name] = _without_times(Path(name).read_text(encoding="utf-8"))
    return found


def _out(*words: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = main(words)
    return _without_times(f"{out.getvalue()}exit code {code}\n")


def _without_times(text: str) -> str:
    return re.sub(r'("seconds": |time=")[\d.e-]+', r"\g<1>0", text)


def renew() -> None:
    """Write what is written now as what is expected, to be looked over in a diff."""
    for name, text in reports().items():
        (EXPECTED / name).write_text(text, encoding="utf-8")
