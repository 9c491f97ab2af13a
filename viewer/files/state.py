"""What a file was like at a moment: enough to tell, later, whether another program has changed it since."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple, TypeAlias

#: When a file was written, how long it is, and which of all files it is.
Stamp: TypeAlias = tuple[int, int, int]

#: Nanoseconds in which some file systems give two writes the same time.
COARSEST = 2_000_000_000


class FileState(NamedTuple):
    """A stamp of a file, and then its bytes; both are None where there is no such file.

    The stamp is the older of the two, and of what is read from the file later. Where the file changes in between, the
    stamp is another one than the file's, so that a look at it tells.
    """

    stamp: Stamp | None
    data: bytes | None

    @property
    def digest(self) -> bytes:
        """A digest of the bytes; nothing where there is no file."""
        import hashlib

        return b"" if self.data is None else hashlib.sha256(self.data).digest()


def state_of(path: Path) -> FileState:
    """Return what a file is like now.

    Raises
    ------
    OSError
        If it is there and cannot be read.
    """
    stamp = stamp_of(path)
    try:
        return FileState(stamp, path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return FileState(None, None)


def stamp_of(path: Path) -> Stamp | None:
    """Return what another program cannot write without changing it; None where there is no file to be seen."""
    try:
        facts = path.stat()
    except (OSError, ValueError):
        return None
    return facts.st_mtime_ns, facts.st_size, facts.st_ino


def settled(stamp: Stamp | None) -> Stamp | None:
    """Return a stamp that whoever writes from now on changes; None where the file was written only just now."""
    return None if stamp is None or abs(time.time_ns() - stamp[0]) < COARSEST else stamp
