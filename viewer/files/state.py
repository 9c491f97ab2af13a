"""What a file was like at a moment, to tell later whether another program has changed it; whether scenes are alike."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, TypeAlias

from collision import Scene

#: When a file was written, how long it is, and which of all files it is.
Stamp: TypeAlias = tuple[int, int, int]

#: Nanoseconds in which some file systems give two writes the same time.
COARSEST = 2_000_000_000


class FileState(NamedTuple):
    """A stamp of a file, and then its bytes; both are None where there is no such file.

    The stamp is the older of the two: where the file changes in between, a look at it tells.
    """

    stamp: Stamp | None
    data: bytes | None

    @property
    def digest(self) -> bytes:
        """A digest of the bytes; nothing where there is no file."""
        import hashlib

        return b"" if self.data is None else hashlib.sha256(self.data).digest()


def state_of(path: Path) -> FileState:
    """Return what a file is like now."""
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


def alike(a: Scene, b: Scene, likely: Iterable[str] = ()) -> bool:
    """Tell whether a file would have the same of two scenes, where it is not said what is hidden.

    What is `likely` to differ is looked at first, so that all that is alike need not be.
    """
    names = ("ignored", "shows", "motion", "camera", "title", "caption", "expectations", "name_groups", "open")
    if any(getattr(a, name) != getattr(b, name) for name in names):
        return False
    if a.shapes is b.shapes:
        return True
    if len(a) != len(b) or any(name in a and (name not in b or a[name] != b[name]) for name in likely):
        return False
    pairs = zip(a.shapes.items(), b.shapes.items(), strict=True)
    return all(first == second and (one is two or one == two) for (first, one), (second, two) in pairs)
