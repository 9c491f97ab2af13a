"""Where what is compiled, or else found out about a machine, is kept: in the user's cache, or in a temporary folder."""

from __future__ import annotations

import os
import stat
import sys
import warnings
from contextlib import suppress
from pathlib import Path

#: Names the folder to keep it in.
CACHE_VARIABLE = "COLLISION_CACHE_DIR"

_NAME = "collision-viewer"


class CacheWarning(RuntimeWarning):
    """What is compiled cannot be kept where it belongs; the text says what is done instead."""


def usual() -> Path | None:
    """Return the folder that the environment names, or that of the user's cache; None for a user without a home."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    import platformdirs  # what is compiled already needs no cache

    try:
        place = platformdirs.user_cache_path(_NAME, appauthor=False)
    except RuntimeError:  # from platformdirs 4.4 on; those before return a path that begins with a tilde
        return None
    return place if place.is_absolute() else None


def temporary(*, create: bool = False) -> Path | None:
    """Return the user's own temporary folder, in which what cannot be kept elsewhere stays till the machine is cleared.

    What is in it is run. So it is used only where it is this user's, and nobody else can write there.

    Parameters
    ----------
    create : bool
        Whether to make it where it is not there.
    """
    import tempfile  # which imports much, and is rarely needed

    user = "" if sys.platform == "win32" else f"-{os.getuid()}"  # Windows has a temporary folder for each user
    try:
        place = Path(tempfile.gettempdir(), _NAME + user)
        if create:
            with suppress(FileExistsError):
                place.mkdir(mode=0o700)
        found = place.lstat()
    except OSError:
        return None
    if not stat.S_ISDIR(found.st_mode):
        return None
    if sys.platform != "win32" and (found.st_uid != os.getuid() or found.st_mode & 0o077):
        return None
    return place


def places() -> list[Path]:
    """Return the folders to look in."""
    return [place for place in (usual(), temporary()) if place is not None]


def writable_folder(part: str) -> Path | None:
    """Return a folder that can be written: this part of the usual one, or else of a temporary one; None without any."""
    place = usual()
    if place is not None and _made(place / part):
        return place / part
    place = temporary(create=True)
    return place / part if place is not None and _made(place / part) else None


def say_where(kept: Path | None) -> None:
    """Warn where something is not kept in its usual place; Python says the same text once in a program."""
    place = usual()
    if kept is not None and place is not None and kept.is_relative_to(place):
        return
    why = "there is no home directory" if place is None else f"{place} cannot be written"
    instead = f"it is kept in {kept.parent} for now" if kept else "every program compiles what it needs"
    text = f"what is compiled cannot be kept in its place: {why}; {instead}. {CACHE_VARIABLE} names another folder"
    warnings.warn(text, CacheWarning, stacklevel=2)


def _made(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)
