"""Pictures and reports of broken promises as files: each is written whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path

from collision.inner import write_bytes, write_text
from viewer.verdicts.html import GENERATOR, html_report
from viewer.verdicts.results import PromiseResult, Run

#: The page in the folder of a report, and where its pictures are.
INDEX, PICTURES = "index.html", "pictures"

#: What a report ends in that is one file.
PAGES = (".html", ".htm")

#: More pictures would take minutes, and nobody looks at them.
MAX_PICTURES = 200

#: How many letters of a promise are in the name of its picture.
_LETTERS = 60


def picture_folder(html: Path | None) -> Path | None:
    """Return where pictures are files of their own; None where they are in the page, or there are none."""
    return None if html is None or html.suffix.lower() in PAGES else html / PICTURES


def named(run: Run, folder: Path | None) -> Run:
    """Return a run with names of files for the pictures of broken promises, and their paths if they go to a folder."""
    taken: set[str] = set()
    scenes = []
    for scene in run.scenes:
        promises = []
        for promise in scene.promises:
            if _can_be_drawn(promise) and len(taken) < MAX_PICTURES:
                file = _free_name(f"{Path(scene.path).stem}-{promise.id}", taken)
                path = None if folder is None else (folder / file).as_posix()
                promise = promise.model_copy(update={"file": file, "picture": path})
            promises.append(promise)
        scenes.append(scene.with_promises(promises))
    return run.with_scenes(scenes)


def _can_be_drawn(promise: PromiseResult) -> bool:
    return promise.state != "held" and (promise.b is not None or promise.kind in ("ray", "sweep"))


def _free_name(text: str, taken: set[str]) -> str:
    """Return a name that files of every system can have, and none in a folder has yet, whatever the case of letters."""
    stem = re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:_LETTERS].strip("-") or "picture"
    name, more = f"{stem}.png", 1
    while name.lower() in taken:
        more += 1
        name = f"{stem}-{more}.png"
    taken.add(name.lower())
    return name


def _write_pictures(run: Run, folder: Path) -> None:
    """Write all pictures of a run into a folder that is not there yet."""
    folder.mkdir(parents=True)
    for scene in run.scenes:
        for promise in scene.promises:
            if promise.image:
                write_bytes(folder / promise.file, promise.image)


def write_report(run: Run, target: Path) -> Path:
    """Write the report, and return its page: an ``.html`` file with all pictures in it, or one in a folder."""
    if target.suffix.lower() in PAGES:
        write_text(target, html_report(run))
        return target
    check_report(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as made:
        new, old = Path(made, "new"), Path(made, "old")
        _write_pictures(run, new / PICTURES)
        write_text(new / INDEX, html_report(run, PICTURES))
        if target.exists():
            os.replace(target, old)
        try:
            os.replace(new, target)
        except OSError:
            if old.exists():
                os.replace(old, target)
            raise
        shutil.rmtree(old, ignore_errors=True)
    return target / INDEX


def check_report(folder: Path) -> None:
    """Refuse to write over what is not a report."""
    if folder.suffix.lower() in PAGES or not folder.exists():
        return
    if not folder.is_dir():
        raise FileExistsError(17, "there is a file of this name; a report is a folder, or a file that ends in .html")
    index = folder / INDEX
    if not any(folder.iterdir()):
        return
    head = index.read_bytes()[:2000] if index.is_file() else b""
    if f'content="{GENERATOR}"'.encode() not in head:
        raise FileExistsError(17, "there is something in this folder that is no report; name another, or a new one")
