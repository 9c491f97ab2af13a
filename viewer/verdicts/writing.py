"""Pictures and reports of broken promises as files: each is written whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from collision.inner import write_bytes, write_text
from viewer.verdicts.html import GENERATOR, Evidence, html_report
from viewer.verdicts.results import Run

#: The page in the folder of a report, and where its pictures are.
INDEX, PICTURES = "index.html", "pictures"

#: What a report ends in that is one file.
PAGES = (".html", ".htm")

#: More pictures would take minutes, and nobody looks at them.
MAX_PICTURES = 200

#: How many letters of a promise are in the name of its picture.
_LETTERS = 60


def pictured(run: Run) -> list[int]:
    """Return the numbers of the promises that are shown in a picture: broken ones that something can be seen of."""
    found = [
        number
        for number, _, promise in run.numbered()
        if promise.state != "held" and (promise.b is not None or promise.kind in ("ray", "sweep"))
    ]
    return found[:MAX_PICTURES]


def named(run: Run, folder: Path) -> Run:
    """Return a run with the paths of the pictures that will be made in a folder."""
    names = _picture_names(run)
    files = iter([names.get(number) for number, _, _ in run.numbered()])
    scenes = []
    for scene in run.scenes:
        shown = zip(scene.promises, files, strict=False)
        promises = tuple(
            promise if file is None else promise.model_copy(update={"picture": (folder / file).as_posix()})
            for promise, file in shown
        )
        scenes.append(scene.model_copy(update={"promises": promises}))
    return run.model_copy(update={"scenes": tuple(scenes)})


def _picture_names(run: Run) -> dict[int, str]:
    """Return names of files for the pictures of a run, by the numbers of the promises."""
    wanted = set(pictured(run))
    found: dict[int, str] = {}
    for number, index, promise in run.numbered():
        if number not in wanted:
            continue
        stem = _plain(f"{Path(run.scenes[index].path).stem}-{promise.id}")
        name, more = f"{stem}.png", 1
        while name.lower() in {other.lower() for other in found.values()}:
            more += 1
            name = f"{stem}-{more}.png"
        found[number] = name
    return found


def write_pictures(run: Run, evidence: Mapping[int, Evidence], folder: str | os.PathLike[str]) -> dict[int, Path]:
    """Write all pictures of a run into a folder, which is made where it is not there.

    Parameters
    ----------
    run : Run
        What was found.
    evidence : mapping of int to Evidence
        Has the pictures, by the numbers of the promises.
    folder : path
        Where to.

    Returns
    -------
    dict of int to Path
        The files, by the numbers of the promises.

    Raises
    ------
    OSError
        If something cannot be written.
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    found = {}
    for number, name in _picture_names(run).items():
        picture = evidence.get(number, Evidence()).picture
        if picture is not None:
            write_bytes(target / name, picture)
            found[number] = target / name
    return found


def write_report(run: Run, evidence: Mapping[int, Evidence], path: str | os.PathLike[str]) -> Path:
    """Write the report: one file with all pictures in it, or a folder with a page and its pictures.

    Parameters
    ----------
    run : Run
        What was found.
    evidence : mapping of int to Evidence
        What shows that promises are broken, by their numbers.
    path : path
        A file, if it ends in ``.html`` or ``.htm``, and else a folder.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    OSError
        If something cannot be written; or the folder is there and is not an earlier report.
    """
    target = Path(path)
    if target.suffix.lower() in PAGES:
        write_text(target, html_report(run, evidence))
        return target
    check_report(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as made:
        new, old = Path(made, "new"), Path(made, "old")
        files = write_pictures(run, evidence, new / PICTURES)
        page = html_report(run, evidence, {number: f"{PICTURES}/{file.name}" for number, file in files.items()})
        write_text(new / INDEX, page)
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
    """Refuse to write over what is not a report.

    Raises
    ------
    FileExistsError
        If there is something else.
    """
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


def _plain(text: str) -> str:
    """Return the letters and digits of a text, and hyphens for all else: a name for a file of every system."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text).strip("-")[:_LETTERS].strip("-") or "picture"
