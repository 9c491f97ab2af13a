"""What a process imports, and what it does not: nothing that a user would wait for in vain."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

#: What takes long to import, or is not always there, in each of these for some commands alone.
HEAVY = {
    "PIL",
    "concurrent.futures",
    "cyclopts",
    "logging",
    "matplotlib",
    "mujoco",
    "numba",
    "numpy",
    "numpy.ma",
    "pydantic",
    "pyvista",
    "rich",
    "scipy",
    "tomlkit",
    "vtkmodules",
}

#: Runs commands in one process, and says after each which modules are there, and which examples have been opened.
STEPS = """
import json, os, sys
opened = []
sys.addaudithook(lambda event, found: opened.append(str(found[0])) if event == "open" else None)
def say(name):
    examples = {os.path.basename(path) for path in opened if os.path.dirname(path) == sys.argv[2]}
    print("STEP", json.dumps([name, sorted(sys.modules), sorted(examples)]))
import collision
say("import")
from viewer.cli import main
for words in json.loads(sys.argv[1]):
    assert main(words) == (10 if words[0] == "check" else 0)
    say(words[0])
"""


def steps(folder: Path, *commands: list[str]) -> dict[str, tuple[set[str], list[str]]]:
    """Return the heavy modules and the opened examples after each command."""
    words = [sys.executable, "-c", STEPS, json.dumps(commands), str(ROOT / "examples")]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line.removeprefix("STEP ")) for line in done.stdout.splitlines() if line.startswith("STEP ")]
    return {name: (HEAVY.intersection(modules), examples) for name, modules, examples in found}


def test_commands_import_what_they_need(tmp_path: Path) -> None:
    found = steps(tmp_path, ["check", "first"], ["test", "first"], ["render", "first", "-o", "first.png"])
    assert found["import"] == (set(), [])
    checking = {"cyclopts", "numpy", "pydantic"}
    drawing = {"PIL", "logging", "matplotlib", "numpy.ma", "pyvista", "vtkmodules"}
    assert found["check"][0] == checking
    assert found["check"][1] == ["first.toml"], "an example is found by its name alone"
    assert found["test"][0] == checking
    assert found["render"][0] - found["test"][0] == drawing


def test_help_imports_no_numbers(tmp_path: Path) -> None:
    assert steps(tmp_path, ["--help"])["--help"][0] == {"cyclopts", "rich"}
