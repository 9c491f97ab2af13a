"""Files that are written whole or not at all, and how messages name them."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path


def shown_path(path: str | os.PathLike[str]) -> str:
    r"""Return a path as a message names it: as Python writes it where a terminal would show something else, or nothing.

    Examples
    --------
    >>> shown_path("arm.toml"), shown_path("a\nb.toml"), shown_path(" ")
    ('arm.toml', "'a\\nb.toml'", "' '")
    """
    text = os.fspath(path)
    return text if text.isprintable() and text.strip() else repr(text)


def not_regular(found: os.stat_result) -> str:
    """Say what a file is that may have no end, or wait for somebody to write; nothing for a regular one.

    Examples
    --------
    >>> not_regular(os.stat(os.devnull))
    'expected a regular file, got a pipe, a socket or a device'
    """
    if stat.S_ISDIR(found.st_mode):
        return "expected a file, got a directory"
    return "" if stat.S_ISREG(found.st_mode) else "expected a regular file, got a pipe, a socket or a device"


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file, whole or not at all, with the permissions of the old one; a link is followed.

    If the file is read-only or cannot be written, an ``OSError`` that names it is raised, and nothing is left beside
    it.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not os.access(target, os.W_OK):
        # A rename would replace it all the same.
        raise PermissionError(13, "it is read-only", str(path))
    fresh = target.with_name(f".{target.name[:50]}.{os.urandom(6).hex()}.tmp")
    try:
        with open(fresh, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            fresh.chmod(target.stat().st_mode)
        fresh.replace(target)
    except BaseException as error:
        fresh.unlink(missing_ok=True)
        if isinstance(error, OSError):  # which names the fresh file
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file in UTF-8, whole or not at all; see `write_bytes`."""
    write_bytes(path, text.encode("utf-8"))
