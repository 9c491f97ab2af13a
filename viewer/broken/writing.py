"""Pictures and reports of broken promises as files: each is written whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from collision.inner import write_bytes, write_text
from viewer.broken.report import GENERATOR, ScenePart, html_report

#: The page in the folder of a report, and where its pictures are.
INDEX, PICTURES = "index.html", "pictures"

#: What a report ends in that is one file.
PAGES = (".html", ".htm")

#: How many letters of a promise are in the name of its picture.
_LETTERS = 60


def picture_names(parts: Sequence[ScenePart]) -> dict[int, str]:
    """Return names of files for all pictures, by the number of their finding, counted from 1 through all scenes.

    Examples
    --------
    >>> from viewer.broken.report import Finding
    >>> finding = Finding("apart a <b>", "broken", "", "", picture=b"...")
    >>> picture_names([ScenePart("scenes/arm.toml", findings=(finding, finding._replace(picture=None)))])
    {1: 'arm-apart-a-b.png'}
    """
    found: dict[int, str] = {}
    number = 0
    for part in parts:
        for finding in part.findings:
            number += 1
            if finding.picture is None:
                continue
            stem = _plain(f"{Path(part.path).stem}-{finding.id}")
            name, more = f"{stem}.png", 1
            while name.lower() in {other.lower() for other in found.values()}:
                more += 1
                name = f"{stem}-{more}.png"
            found[number] = name
    return found


def write_pictures(parts: Sequence[ScenePart], folder: str | os.PathLike[str]) -> dict[int, Path]:
    """Write all pictures of findings into a folder, which is made where it is not there.

    Parameters
    ----------
    parts : sequence of ScenePart
        What was found.
    folder : path
        Where to.

    Returns
    -------
    dict of int to Path
        The files, by the number of their finding.

    Raises
    ------
    OSError
        If something cannot be written.
    """
    target, names = Path(folder), picture_names(parts)
    target.mkdir(parents=True, exist_ok=True)
    findings = [finding for part in parts for finding in part.findings]
    for number, name in names.items():
        write_bytes(target / name, findings[number - 1].picture or b"")
    return {number: target / name for number, name in names.items()}


def write_report(parts: Sequence[ScenePart], path: str | os.PathLike[str], notes: Sequence[str] = ()) -> Path:
    """Write the report: one file with all pictures in it, or a folder with a page and its pictures.

    Parameters
    ----------
    parts : sequence of ScenePart
        What was found.
    path : path
        A file, if it ends in ``.html`` or ``.htm``, and else a folder.
    notes : sequence of str
        What there is to say of the whole.

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
        write_text(target, html_report(parts, notes=notes))
        return target
    check_report(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as made:
        new, old = Path(made, "new"), Path(made, "old")
        files = write_pictures(parts, new / PICTURES)
        page = html_report(parts, {number: f"{PICTURES}/{file.name}" for number, file in files.items()}, notes)
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
