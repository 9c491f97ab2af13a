"""Object code in files: written whole, checked when read, compiled by one process at a time, and forgotten when old."""

from __future__ import annotations

import os
import re
import stat
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from collision.base.files import write_bytes

if TYPE_CHECKING:
    from collision.native.compiler import ObjectCode

#: Names the folder to keep it in.
CACHE_VARIABLE = "COLLISION_CACHE_DIR"

_NAME = "collision-viewer"


class CacheWarning(RuntimeWarning):
    """Compiled code cannot be kept in its usual folder; the text says where it is kept instead."""


def usual_folder() -> Path | None:
    """Return the folder that the environment names, or that of the user's cache; None for a user without a home."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    import platformdirs  # what is compiled already needs no cache

    try:
        folder = platformdirs.user_cache_path(_NAME, appauthor=False)
    except RuntimeError:  # from platformdirs 4.4 on; those before return a path that begins with a tilde
        return None
    return folder if folder.is_absolute() else None


def temporary_folder(*, create: bool = False) -> Path | None:
    """Return the user's own temporary folder, for what cannot be kept elsewhere; it may be made if it is not there.

    What is in it is run. So it is used only where it is this user's, and nobody else can write there.
    """
    import tempfile  # which imports much, and is rarely needed

    user = "" if sys.platform == "win32" else f"-{os.getuid()}"  # Windows has a temporary folder for each user
    try:
        folder = Path(tempfile.gettempdir(), _NAME + user)
        if create:
            with suppress(FileExistsError):
                folder.mkdir(mode=0o700)
        found = folder.lstat()
    except OSError:
        return None
    if not stat.S_ISDIR(found.st_mode):
        return None
    if sys.platform != "win32" and (found.st_uid != os.getuid() or found.st_mode & 0o077):
        return None
    return folder


def writable_folder(part: str) -> Path | None:
    """Return a folder that can be written: this part of the usual one, or else of a temporary one; None without any."""
    folder = usual_folder()
    if folder is not None and _made(folder / part):
        return folder / part
    folder = temporary_folder(create=True)
    return folder / part if folder is not None and _made(folder / part) else None


def say_where(kept: Path | None) -> None:
    """Warn where something is not kept in its usual folder; Python says the same text once in a program."""
    folder = usual_folder()
    if kept is not None and folder is not None and kept.is_relative_to(folder):
        return
    why = "there is no home directory" if folder is None else f"{folder} cannot be written"
    instead = f"it is kept in {kept.parent} for now" if kept else "every program compiles what it needs"
    text = f"what is compiled cannot be kept in its place: {why}; {instead}. {CACHE_VARIABLE} names another folder"
    warnings.warn(text, CacheWarning, stacklevel=2)


def _made(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)


#: So many toolchains keep their files beside each other, and of each loop so many versions.
_KEPT = 16

#: Seconds to wait for another process that compiles the same loop, in all, and from one look to the next. It takes
#: some seconds; a process that is stopped must not stop others.
_PATIENCE, _LOOK = 120.0, 0.02


class ObjectFile:
    """Where the object code of a loop is kept, by its name and a digest of what it depends on."""

    def __init__(self, name: str, digest: str) -> None:
        from collision.native.compiler import toolchain  # and with it llvmlite

        tools = toolchain()
        self._title = f"{name} {digest} {tools}".encode()
        self._name, self._folder, self._file = name, tools[:20], f"{name}-{digest[:20]}.o"

    def read(self) -> ObjectCode | None:
        """Return what `write` stored, or None where it is not there, was damaged, or is another loop's."""
        folders = [folder for folder in (usual_folder(), temporary_folder()) if folder is not None]
        return next(filter(None, (self._read(folder / self._folder / self._file) for folder in folders)), None)

    def _read(self, path: Path) -> ObjectCode | None:
        try:
            content = path.read_bytes()
        except OSError:
            return None
        import hashlib  # takes long, and what is in a library needs none

        check, _, rest = content.partition(b"\n")
        if hashlib.sha256(rest).hexdigest().encode() != check:
            return None  # loading broken code would end the program, without a word
        title, symbol, code = rest.split(b"\n", 2)
        if title != self._title:
            return None
        from collision.native.compiler import ObjectCode

        return ObjectCode(symbol.decode(), code)

    def write(self, made: ObjectCode) -> None:
        """Keep object code. Where nothing can be kept, every program compiles for itself."""
        own = writable_folder(self._folder)
        say_where(own)
        if own is None:
            return
        import hashlib

        rest = b"\n".join([self._title, made.symbol.encode(), made.code])
        with suppress(OSError):
            write_bytes(own / self._file, hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest)
            _forget(own, re.escape(self._name) + r"-[0-9a-f]{20}\.o")
            _forget(own.parent, "[0-9a-f]{20}")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep others from compiling the same meanwhile; where there is no lock, or the wait is too long, all go on."""
        own = writable_folder(self._folder)
        path = None if own is None else (own / self._file).with_suffix(".lock")
        try:
            file = None if path is None else os.open(path, os.O_RDWR | os.O_CREAT)
        except OSError:
            file = None
        if file is None or path is None:
            yield
            return
        try:
            end = time.monotonic() + _PATIENCE
            while not _lock(file) and time.monotonic() < end:
                time.sleep(_LOOK)
            yield
        finally:
            os.close(file)
            with suppress(OSError):  # Windows deletes no file that others wait for
                path.unlink()


def _forget(folder: Path, pattern: str) -> None:
    """Delete all but the newest of some files or folders."""
    import shutil

    versions = [path for path in folder.iterdir() if re.fullmatch(pattern, path.name)]
    for old in sorted(versions, key=lambda path: path.stat().st_mtime, reverse=True)[_KEPT:]:
        if old.is_dir():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.unlink(missing_ok=True)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> bool:
        """Take a lock that goes with the file, and tell whether to go on: nobody else has it, or there are no locks."""
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return not isinstance(error, PermissionError)
        return True

else:
    import fcntl

    def _lock(file: int) -> bool:
        """Take a lock that goes with the file, and tell whether to go on: nobody else has it, or there are no locks."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return not isinstance(error, BlockingIOError)
        return True
