"""The WebAssembly module for tests: built once and kept in the cache, and asked in Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from collision import Shape
from collision.base.fields import FloatArray
from collision.native.library import NoCodeError
from collision.wasm import build, building

NODE = shutil.which("node")
LOADER = Path(building.__file__).with_name("collision.mjs")
JOBS = Path(__file__).with_name("wasm_jobs.mjs")


def put_into(folder: Path) -> None:
    """Put the module and its tables into a folder; skip the test where there can be none."""
    if NODE is None:
        pytest.skip("there is no Node.js here")
    try:
        build(folder)
    except NoCodeError as error:
        pytest.skip(str(error))


class Job(NamedTuple):
    """A question to some batches: the name of a method of the loader's `Collision`, and what it takes after them."""

    question: str
    shapes: Sequence[Shape]
    extra: tuple[FloatArray | float | None, ...] = ()


def asked(module: Path, folder: Path, jobs: Sequence[Job], repeats: int = 1) -> tuple[list[FloatArray], list[float]]:
    """Return all numbers of each answer, one after the other, and the least seconds that each took of some repeats."""
    told = []
    for number, job in enumerate(jobs):
        arrays = {f"{number}-{side}": rows(shape) for side, shape in enumerate(job.shapes)}
        given: list[Any] = []
        for place, value in enumerate(job.extra):
            if isinstance(value, np.ndarray):
                arrays[f"{number}.{place}"] = value
            given.append(f"{number}.{place}" if isinstance(value, np.ndarray) else value)
        for name, array in arrays.items():
            np.ascontiguousarray(array, dtype=np.float64).tofile(folder / name)
        kinds = [[type(shape).__name__, f"{number}-{side}"] for side, shape in enumerate(job.shapes)]
        told.append({"question": job.question, "shapes": kinds, "extra": given, "answer": f"{number}"})
    (folder / "jobs.json").write_text(json.dumps({"repeats": repeats, "jobs": told}), encoding="utf-8")
    said = node(JOBS, LOADER, module, folder)
    return [np.fromfile(folder / job["answer"]) for job in told], json.loads(said)


def node(script: Path, *arguments: Path, folder: Path | None = None) -> str:
    """Run a script in Node and return what it writes."""
    assert NODE is not None
    done = subprocess.run(
        [NODE, script, *arguments], capture_output=True, text=True, cwd=folder, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(shapes: Shape) -> FloatArray:
    """Return the numbers of the fields of each shape of a batch, in order."""
    flat = shapes.flattened() if shapes.batch_shape else shapes[None]
    return np.concatenate([value.reshape(len(flat), -1) for value in flat.values().values()], axis=1)


def same_bits(one: FloatArray, other: FloatArray) -> Any:
    """Tell which numbers are the same, to the last bit; for what is no number any pattern of bits will do."""
    return (one.view(np.int64) == other.view(np.int64)) | (np.isnan(one) & np.isnan(other))
