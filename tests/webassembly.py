"""The WebAssembly module for tests: built once and kept in the cache, and asked in Node.js or in a browser."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pytest

from collision import Shape
from collision.base.fields import FloatArray
from collision.native.library import NoCodeError
from collision.wasm import MODULE, TABLES, build, building
from viewer.page.facts import rows_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

NODE = shutil.which("node")
LOADER = Path(building.__file__).with_name("collision.mjs")
IN_NODE, JOBS = (Path(__file__).with_name(name) for name in ("wasm_node.mjs", "wasm_jobs.mjs"))

#: A page that has all in itself, and answers the jobs in files that are given to it.
PAGE = """<!doctype html><meta charset="utf-8"><input type="file" multiple>
<script type="module">
%s
%s
const bytes = Uint8Array.from(atob("%s"), (letter) => letter.charCodeAt(0));
const tables = %s;
const toText = (array) => new Promise((done) => {
  const reader = new FileReader();
  reader.onload = () => done(reader.result.split(",")[1] ?? "");
  reader.readAsDataURL(new Blob([array]));
});
globalThis.answerJobs = async () => {
  const files = new Map();
  for (const file of document.querySelector("input").files) files.set(file.name, await file.arrayBuffer());
  const told = JSON.parse(new TextDecoder().decode(files.get("jobs.json")));
  const answers = await answered(load, bytes, tables, told, (name) => new Float64Array(files.get(name)));
  return Promise.all(answers.map(({ all }) => toText(all)));
};
</script>
"""


def put_into(folder: Path) -> None:
    """Put the module and its tables into a folder; skip the test where there can be none."""
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
    write_jobs(folder, jobs, repeats)
    said = node(IN_NODE, LOADER, module, folder)
    return [np.fromfile(folder / str(number)) for number in range(len(jobs))], json.loads(said)


def write_page(module: Path, folder: Path) -> Path:
    """Write a page that has the module in itself, and return its path."""
    code = base64.b64encode((module / MODULE).read_bytes()).decode()
    path = folder / "page.html"
    path.write_text(
        PAGE % (LOADER.read_text(), JOBS.read_text(), code, (module / TABLES).read_text()), encoding="utf-8"
    )
    return path


def asked_in_page(page: Page, folder: Path, jobs: Sequence[Job]) -> list[FloatArray]:
    """Return what the page that `write_page` wrote answers, as `asked` does."""
    page.locator("input").set_input_files(write_jobs(folder, jobs, 1))
    return [np.frombuffer(base64.b64decode(text)) for text in page.evaluate("answerJobs()")]


def write_jobs(folder: Path, jobs: Sequence[Job], repeats: int) -> list[Path]:
    """Write jobs and their numbers to files, and return these."""
    told, files = [], [folder / "jobs.json"]
    for number, job in enumerate(jobs):
        arrays = {f"{number}-{side}": rows(shape) for side, shape in enumerate(job.shapes)}
        beside = {f"{number}-{side}-beside": _flat(shape).row_table for side, shape in enumerate(job.shapes)}
        arrays |= {name: table for name, table in beside.items() if table.size}
        given: list[Any] = []
        for place, value in enumerate(job.extra):
            if isinstance(value, np.ndarray):
                arrays[f"{number}.{place}"] = value
            given.append(f"{number}.{place}" if isinstance(value, np.ndarray) else value)
        for name, array in arrays.items():
            np.ascontiguousarray(array, dtype=np.float64).tofile(folder / name)
        files += [folder / name for name in arrays]
        kinds = [
            [type(shape).__name__, f"{number}-{side}", f"{number}-{side}-beside" if shape.row_table.size else ""]
            for side, shape in enumerate(job.shapes)
        ]
        told.append({"question": job.question, "shapes": kinds, "extra": given, "answer": f"{number}"})
    files[0].write_text(json.dumps({"repeats": repeats, "jobs": told}), encoding="utf-8")
    return files


def node(script: Path, *arguments: Path, folder: Path | None = None) -> str:
    """Run a script in Node and return what it writes."""
    if NODE is None:
        pytest.skip("there is no Node.js here")
    done = subprocess.run(
        [NODE, script, *arguments], capture_output=True, text=True, cwd=folder, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(shapes: Shape) -> FloatArray:
    """Return the numbers of the fields of each shape of a batch, in order."""
    return rows_of(_flat(shapes))


def _flat(shapes: Shape) -> Shape:
    return shapes.flattened() if shapes.batch_shape else shapes[None]


def same_bits(one: FloatArray, other: FloatArray) -> Any:
    """Tell which numbers are the same, to the last bit; for what is no number any pattern of bits will do."""
    return (one.view(np.int64) == other.view(np.int64)) | (np.isnan(one) & np.isnan(other))
