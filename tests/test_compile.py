"""Compiled kernels: built when needed, and by several processes at once without harm to the cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

#: Asks one kernel after the other, in the order of the words given.
ASK = """
import sys
from collision import Capsule, Segment, Sphere, contact, intersects, signed_distance
ball, arm = Sphere([0, 0, 0], 1), Segment([1.5, 0, 0], [3, 0, 0])
questions = {
    "ball-ball": lambda: contact(ball, Sphere([1.5, 0, 0], 1)).depth,
    "ball-arm": lambda: contact(ball, arm).signed_distance,
    "distance": lambda: signed_distance(ball, arm),
}
print(*[float(questions[word]()) for word in sys.argv[1:]])
"""


def start(words: list[str], cache: Path) -> subprocess.Popen[str]:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", ASK, *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=environment)


def test_processes_that_fill_one_cache_at_once_leave_it_whole(tmp_path: Path) -> None:
    # Kernel names have a number that depends on what was compiled before: another order gives other names.
    orders = [["ball-ball", "ball-arm", "distance"], ["distance", "ball-arm", "ball-ball"]]
    together = [start(words, tmp_path) for words in orders]
    first, second = (process.communicate()[0].split() for process in together)
    assert first == second[::-1] == ["0.5", "0.5", "0.5"]

    later = start(orders[0], tmp_path)
    answers, _ = later.communicate()
    assert later.returncode == 0, f"the cache they left is broken: exit code {later.returncode}"
    assert answers.split() == first


def test_importing_compiles_nothing(tmp_path: Path) -> None:
    code = "import collision"
    subprocess.run(
        [sys.executable, "-c", code], check=True, cwd=ROOT, env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    )
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
