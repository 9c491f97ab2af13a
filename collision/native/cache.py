"""Object code in files: written whole, checked when read, compiled by one process at a time, and forgotten when old."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from collision.base.files import write_bytes
from collision.native.compiler import ObjectCode, toolchain
from collision.native.places import places, say_where, writable_folder

#: So many toolchains keep their files beside each other, and of each loop so many versions.
_KEPT = 16

#: Seconds to wait for another process that compiles the same loop, in all, and from one look to the next. It takes
#: some seconds; a process that is stopped must not stop others.
_PATIENCE, _LOOK = 120.0, 0.02


class ObjectFile:
    """Where the object code of a loop is kept.

    Parameters
    ----------
    name : str
        The loop's.
    digest : str
        Of what its code depends on, beside the toolchain.
    """

    def __init__(self, name: str, digest: str) -> None:
        tools = toolchain()
        self._title = f"{name} {digest} {tools}".encode()
        self._name, self._folder, self._file = name, tools[:20], f"{name}-{digest[:20]}.o"

    def read(self) -> ObjectCode | None:
        """Return what `write` stored, or None where it is not there, was damaged, or is another loop's."""
        return next(filter(None, (self._read(place / self._folder / self._file) for place in places())), None)

    def _read(self, path: Path) -> ObjectCode | None:
        try:
            content = path.read_bytes()
        except OSError:
            return None
        check, _, rest = content.partition(b"\n")
        if hashlib.sha256(rest).hexdigest().encode() != check:
            return None  # loading broken code would end the program, without a word
        title, symbol, code = rest.split(b"\n", 2)
        return ObjectCode(symbol.decode(), code) if title == self._title else None

    def write(self, made: ObjectCode) -> None:
        """Keep object code. Where nothing can be kept, every program compiles for itself."""
        own = writable_folder(self._folder)
        say_where(own)
        if own is None:
            return
        rest = b"\n".join([self._title, made.symbol.encode(), made.code])
        with suppress(OSError):
            write_bytes(own / self._file, hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest)
            _forget(own, re.escape(self._name) + r"-[0-9a-f]{20}\.o")
            _forget(own.parent, "[0-9a-f]{20}")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from compiling the same meanwhile; those who waited should read first.

        The system lets go of the lock of a process that ends, in whatever way. Where there can be no lock, and where
        waiting takes too long, all go on.
        """
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


def _forget(place: Path, pattern: str) -> None:
    """Delete all but the newest of some files or folders."""
    versions = [path for path in place.iterdir() if re.fullmatch(pattern, path.name)]
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
