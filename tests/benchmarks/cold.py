"""What a new process pays: importing `collision`, and the first query ever on a machine."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from tests.benchmarks.inputs import CORES, pairs
from tests.benchmarks.measure import Bench, Disagreement, Effort, Result, Row, Task, within

_ROOT = Path(__file__).parent.parent.parent

#: All of it: a name that is asked for imports what it is in, and nothing else.
_IMPORT = "import time; began = time.perf_counter(); from collision import *; print(time.perf_counter() - began)"


def tasks(effort: Effort) -> Iterator[Task]:
    """Yield what there is to measure."""
    yield Task("import of collision", _import)
    for core in list(CORES)[: effort.cold_cores]:
        yield Task(f"first query ever, {core}", partial(_first_query, core))


def _import(bench: Bench) -> Iterable[Row]:
    """Import in a new process, the interpreter's own start not counted; the first time warms up the disk."""
    seconds = []
    for number in range(bench.effort.starts + 1):
        bench.say(f"start {number + 1}")
        seconds.append(float(_python(_IMPORT)))
    yield Row("import of collision, warm", "", Result(None, np.array(seconds[1:])), goal=within(0.5))


def _first_query(core: str, bench: Bench) -> Iterable[Row]:
    """Ask for a distance in a new process without compiled code at hand; everything counts, from its start to its end.

    The caches are thrown away afterwards.
    """
    batch = pairs(core, 1)
    a, b = batch.a[0], batch.b[0]
    code = f"from collision import *; print(float(signed_distance({a!r}, {b!r})))"
    with tempfile.TemporaryDirectory(prefix="collision-benchmark-") as folder:
        bench.say("compiling")
        began = time.perf_counter()
        _python(code, COLLISION_CACHE_DIR=folder, COLLISION_CODE="compiled")
        seconds = time.perf_counter() - began
        if not any(path.is_file() for path in Path(folder).rglob("*")):
            raise Disagreement("the compiled code was not kept in the empty cache, so it may have come from another")
    yield Row("first query ever, compiled for it", core, Result(None, np.array([seconds])), goal=within(5.0))


def _python(code: str, **environment: str) -> str:
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=_ROOT, env=os.environ | environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{code}\n{done.stderr}")
    return done.stdout
