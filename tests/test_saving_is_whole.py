"""Saving while the process is killed: the file is always the old one or the new one, whole.

``--deep`` kills 200 times; every run some 20.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from collision.scenefile import dump_scene, load_scene
from tests.test_session_filing import TEXT, opened

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forks of a process that has loaded everything")

#: Loads everything once, and forks for each line that it reads: the fork saves on and on until it is killed. A fork of
#: this process costs nothing; a new Python that imports everything would cost seconds, two hundred times.
PROGRAM = """
import os, sys
from pathlib import Path
from collision.base.files import write_bytes
from viewer.files.loading import read
from viewer.session import Session

said = []

def begun():
    if not said:
        said.append(True)
        print("begun", flush=True)

def save_session(path):
    session = Session(read(path).scene)
    session.comes_from(path)
    while True:
        session.select("b")
        session.move_selection([0.5, 0, 0])
        session.save(overwrite=True)
        begun()
        session.undo()
        session.save(overwrite=True)

def write_much(path):
    while True:
        write_bytes(path, b"newer " * 500_000)
        begun()
        write_bytes(path, b"old " * 500_000)

for line in sys.stdin:
    what, path = line.split()
    child = os.fork()
    if not child:
        print(os.getpid(), flush=True)
        try:
            {"save": save_session, "write": write_much}[what](Path(path))
        finally:
            os._exit(1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Nursery:
    """A process that brings up children to kill."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def killed_after(self, seconds: float, what: str, path: Path) -> int:
        """Have a child write into a file, kill it so long after it has first done so, and return its exit code."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(what, path, file=self.process.stdin, flush=True)
        child = int(self.process.stdout.readline())
        assert self.process.stdout.readline() == "begun\n"
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        return int(self.process.stdout.readline())


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    root = Path(__file__).parent.parent
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        yield Nursery(process)
        assert process.stdin is not None
        process.stdin.close()


def kills(pytestconfig: pytest.Config) -> int:
    return 100 if pytestconfig.getoption("--deep") else 10


def test_a_saved_scene_is_the_old_or_the_new_one(nursery: Nursery, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    file = tmp_path / "balls.toml"
    file.write_text(TEXT)
    session = opened(file)
    session.select("b")
    session.move_selection([0.5, 0, 0])
    old, new = TEXT, TEXT.replace("[3, 0, 0] # to", "[3.5, 0, 0] # to")
    again = TEXT.replace("[3, 0, 0] # to", "[3.0, 0, 0] # to")
    rng, seen = np.random.default_rng(1), set()
    for number in range(kills(pytestconfig)):
        file.write_text(TEXT)
        assert nursery.killed_after(rng.uniform(0.0, 0.1) * (number > 0), "save", file) == -signal.SIGKILL
        text = file.read_text()
        seen.add(text)
        assert text in (old, new, again)
        assert dump_scene(load_scene(file)) in (dump_scene(session.resting), dump_scene(opened(file).resting))
    assert new in seen  # else the children were killed before they had begun


def test_a_large_file_is_the_old_or_the_new_one(nursery: Nursery, tmp_path: Path, pytestconfig: pytest.Config) -> None:
    file = tmp_path / "large"
    rng, seen = np.random.default_rng(2), set()
    for number in range(kills(pytestconfig)):
        file.write_bytes(b"old " * 500_000)
        assert nursery.killed_after(rng.uniform(0.0, 0.06) * (number > 0), "write", file) == -signal.SIGKILL
        seen.add(data := file.read_bytes())
        assert data in (b"old " * 500_000, b"newer " * 500_000)
    assert b"newer " * 500_000 in seen
