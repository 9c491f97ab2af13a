"""Paths that users name: which file is meant, and in words why it cannot be read or written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from collision.inner import shown_path
from viewer.records.text import shortened

#: How much of a path is said in an error: the end of a longer one.
LONGEST = 100


def target_of(name: str, suffix: str, what: str) -> Path:
    """Return the file of a suffix that a user names to save something in, or say why it cannot be one."""
    try:
        target = Path(name).expanduser()
    except RuntimeError as error:  # there is no such user
        raise ValueError(f"{name} cannot be reached: there is no such user, or none with a folder") from error
    if not target.suffix and not name.endswith(os.sep) and not is_folder(target):
        target = target.with_suffix(suffix)
    return checked_path(target, (suffix,), what)


def checked_path(path: str | os.PathLike[str], suffixes: Sequence[str], what: str) -> Path:
    """Return a path to write something to, or say why it cannot be one, before any work is done."""
    target = Path(path)
    name = _shown(target)
    with in_words(target, "written"):
        if target.exists() and not target.is_file():
            kind = "folder" if target.is_dir() else "device"
            raise ValueError(f"{name}: this is a {kind}, and {what} is written to a file")
        if target.suffix.lower() not in suffixes:
            got = target.suffix or "no ending"
            raise ValueError(f"{name}: {what} is written to a {', '.join(suffixes)} file, got {got}")
        if not target.parent.is_dir():
            raise ValueError(f"{name}: there is no folder {_shown(target.parent)}")
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
        why = "it is no text in UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror or str(error)
        raise ValueError(f"{_shown(path)} cannot be {done}: {why[:1].lower()}{why[1:]}") from error


def _shown(path: Path) -> str:
    return shortened(shown_path(path), LONGEST, tail=1.0)
