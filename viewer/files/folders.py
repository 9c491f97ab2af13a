"""Folders of pages: each is written as a whole or not at all, and only over an earlier one of its kind."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from collision.inner import write_bytes

#: The page of a folder that one opens.
INDEX = "index.html"


def check_folder(folder: Path, generator: str, what: str, wanted: str) -> None:
    """Refuse what cannot be written, or is there and no earlier folder of this kind: its page names its generator.

    Parameters
    ----------
    folder : Path
        What is to be written.
    generator : str
        What the page of such a folder says that it was made by.
    what, wanted : str
        What it is called in messages, and what it has to be.

    Raises
    ------
    OSError
        If no folder can be made there, a file is of this name, or something else is in the folder.
    """
    if not folder.exists():
        above = next(parent for parent in folder.absolute().parents if parent.exists())
        if not above.is_dir():
            raise NotADirectoryError(20, "a part of its path is a file")
        if not os.access(above, os.W_OK):
            raise PermissionError(13, "nothing may be written in the folder above it")
        return
    if not folder.is_dir():
        raise FileExistsError(17, f"there is a file of this name; {wanted}")
    index = folder / INDEX
    if not any(folder.iterdir()):
        return
    head = index.read_bytes()[:2000] if index.is_file() else b""
    if f'content="{generator}"'.encode() not in head:
        raise FileExistsError(17, f"there is something in this folder that is no {what}; name another, or a new one")


def write_folder(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write files by their names in a folder, all or none, in place of what was there; return its page."""
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as made:
        new, old = Path(made, "new"), Path(made, "old")
        for name, data in files.items():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            write_bytes(new / name, data)
        if folder.exists():
            os.replace(folder, old)
        try:
            os.replace(new, folder)
        except OSError:
            if old.exists():
                os.replace(old, folder)
            raise
        shutil.rmtree(old, ignore_errors=True)
    return folder / INDEX
