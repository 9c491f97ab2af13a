"""Paths that users name: which file is meant, and in words why it cannot be read or written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from viewer.records.text import shortened

#: How much of a path is said in an error: the end of a longer one.
LONGEST = 100


def target_of(name: str, suffix: str, what: str) -> Path:
    """Return the file of a suffix that a user names to save something in, or say why it cannot be one."""
    try:
        target = Path(name).expanduser()
    except RuntimeError as error:  # there is no such user
        raise ValueError(f"{name} cannot be reached: there is no such user, or none with a folder") from error
    if is_folder(target):
        raise ValueError(f"{target} is a folder: name a file in it")
    if not target.suffix and not name.endswith(os.sep):
        target = target.with_suffix(suffix)
    if target.suffix.lower() != suffix:
        raise ValueError(f"{what} are saved as {suffix} files, got {target.name}")
    if not is_folder(target.parent):
        raise ValueError(f"there is no folder {target.parent}")
    if is_folder(target):
        raise ValueError(f"{target} is a folder: name a file in it")
    return target


def is_folder(path: Path) -> bool:
    """Say whether there is a folder."""
    with in_words(path, "reached"):
        return path.is_dir()


@contextmanager
def in_words(path: Path, done: str) -> Iterator[None]:
    """Say in words that a path cannot be written or read: a name may be too long, a folder not one to enter."""
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        name = shortened(str(path), LONGEST, tail=1.0)
        why = "it is no text in UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror or str(error)
        raise ValueError(f"{name} cannot be {done}: {why[:1].lower()}{why[1:]}") from error
