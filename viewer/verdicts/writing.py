"""Pictures and reports of broken promises as files: each is written whole or not at all."""

from __future__ import annotations

import re
from pathlib import Path

from collision.inner import write_text
from viewer.files.folders import INDEX, check_folder, write_folder
from viewer.verdicts.html import GENERATOR, html_report
from viewer.verdicts.results import PromiseResult, Run

#: Where the pictures are in the folder of a report.
PICTURES = "pictures"

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


def write_report(run: Run, target: Path, script: str = "") -> Path:
    """Write the report, and return its page: an ``.html`` file with all pictures in it, or one in a folder.

    With the `script` of `viewer.verdicts.live` in it, pictures become live.
    """
    if target.suffix.lower() in PAGES:
        write_text(target, html_report(run, script=script))
        return target
    check_report(target)
    drawn = (promise for scene in run.scenes for promise in scene.promises if promise.image)
    pictures = {f"{PICTURES}/{promise.file}": promise.image for promise in drawn}
    return write_folder(target, {**pictures, INDEX: html_report(run, PICTURES, script).encode("utf-8")})


def check_report(folder: Path) -> None:
    """Refuse to write over what is not a report."""
    if folder.suffix.lower() not in PAGES:
        check_folder(folder, GENERATOR, "report", "a report is a folder, or a file that ends in .html")
