"""A user's mistakes that are told before any work is done: above all, files that cannot be written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class MistakeError(Exception):
    """A user's mistake that no reader finds by itself; the text says what was expected and what was given."""


def check_output(path: Path, suffix: str) -> None:
    """Refuse an output file before any work is done for it."""
    with writing(path):  # a name may be too long even to be looked for
        _check_path(path, suffix)


def _check_path(path: Path, suffix: str) -> None:
    if path.exists() and not path.is_file() and not path.is_dir():
        raise MistakeError(f"{path}: this is a device, and a {suffix} file is to be written")
    if path.suffix.lower() != suffix:
        got = f"{path.suffix}" if path.suffix else "no ending"
        raise MistakeError(f"{path}: the file to write must end in {suffix}, got {got}")
    if path.is_dir():
        raise MistakeError(f"{path}: this is a folder, and a file is to be written")
    if not path.parent.is_dir():
        raise MistakeError(f"{path}: there is no folder {path.parent} to write it in")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say in words that a file cannot be written."""
    try:
        yield
    except OSError as error:
        raise MistakeError(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}") from error
