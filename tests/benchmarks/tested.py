"""Many small scenes that are tested for what they promise, by one process and by two."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from tests.benchmarks.measure import Bench, Disagreement, Effort, Result, Row, Task, faster, within

_ROOT = Path(__file__).parents[2]

_SCENE = """
[shapes.table]
kind = "box"
center = [0, 0, 0.5]
size = [2, 1, 1]

[shapes.crate]
kind = "box"
center = [0, 0, 1.5]
size = [1, 1, 1]
rotation = {{ euler = [0, 0, 15] }}

[shapes.ball]
kind = "sphere"
center = [{x}, 0, 1]
radius = 0.5

[[expect]]
touch = ["crate", "table"]
reason = "it rests"

[[expect]]
apart = ["ball", "*"]
clearance = 0.5
"""


def tasks(effort: Effort) -> Iterator[Task]:
    """Yield what there is to measure."""
    yield Task("scenes that are tested", _tested)


#: What is measured, in a Python that has imported nothing else, as the command does it.
_RUN = """
import sys, time
from viewer.cli.output import one_blas_thread
with one_blas_thread():
    from viewer.verdicts.collecting import collect
    from viewer.verdicts.judging import JudgeOptions
    from viewer.verdicts.running import judge_all
sources = collect([sys.argv[1]]).sources
judge_all(sources[:3], JudgeOptions())
began = time.perf_counter()
found = judge_all(sources, JudgeOptions(), jobs=int(sys.argv[2]))
print(time.perf_counter() - began, *{result.state for result in found})
"""


def _tested(bench: Bench) -> Iterable[Row]:
    """Test a folder of scenes; the start of the program is not counted, that of the second process is."""
    count = bench.effort.tested_scenes
    rounds: dict[int, list[float]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory(prefix="collision-benchmark-") as folder:
        for number in range(count):
            Path(folder, f"{number}.scene.toml").write_text(_SCENE.format(x=3 + number / count), encoding="utf-8")
        for number in range(min(3, bench.effort.starts)):
            for jobs, seconds in rounds.items():
                bench.say(f"round {number + 1}, {jobs} at once")
                seconds.append(_seconds(folder, jobs) / count)
    one, two = (Result(None, np.array(rounds[jobs])) for jobs in (1, 2))
    yield Row("a scene that is tested", f"of {count:,}", one, goal=within(0.004))
    yield Row("a scene that is tested, by two processes", f"of {count:,}", two, "one process", one, goal=faster(1.8))


def _seconds(folder: str, jobs: int) -> float:
    command = [sys.executable, "-c", _RUN, folder, str(jobs)]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Disagreement(done.stderr)
    seconds, *states = done.stdout.split()
    if states != ["held"]:
        raise Disagreement("a scene does not keep what it promises")
    return float(seconds)
