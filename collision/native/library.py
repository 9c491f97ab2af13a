"""The library of all loops, compiled when this was built: where it is, whether it may be used, what is in it.

An installed package has it beside this file; in a checkout `pip install .` has left it in `build/`.
"""

from __future__ import annotations

import ctypes
import importlib
import json
import os
import sys
import sysconfig
import zlib
from functools import cache
from pathlib import Path
from typing import NamedTuple

#: If this is ``compiled``, nothing is taken from a library.
CODE_VARIABLE, COMPILED = "COLLISION_CODE", "compiled"

#: Where the library is in an installed package.
INSTALLED = Path(__file__).with_name("library")

#: Where building leaves it in a checkout.
LEFT = Path(__file__).parents[2] / "build" / "loops"

#: The file that says what is in a library.
MANIFEST = "loops.json"

#: What is put before the names of loops in a library.
PREFIX = "collision_"

#: What all of this is compiled by.
_COMPILERS = ("compiler.py", "instructions.py")


class Manifest(NamedTuple):
    """What is in a library: file and checksum, digests of loops and of what compiled them, and what processors need."""

    python: str
    system: str
    compilers: str
    baseline: str
    needs: list[str]
    file: str
    checksum: int
    loops: dict[str, list[str]]  # the digest of each, and its signature

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Return what `write` wrote to a folder, unless another version wrote it, or not all of it."""
        path = folder / MANIFEST
        try:
            return cls(**json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise WrongLibraryError(f"{path} cannot be used: {error}; {_remedy(folder)}") from None

    def write(self, folder: Path) -> None:
        """Write it to a folder."""
        (folder / MANIFEST).write_text(json.dumps(self._asdict()), encoding="utf-8")


class Library(NamedTuple):
    """A library that is open; one that building has `left` in a checkout may be of other code than there is by now."""

    code: ctypes.CDLL
    manifest: Manifest
    left: bool

    @property
    def baseline(self) -> str:
        """The processors that it is for."""
        return self.manifest.baseline


class NoCodeError(ImportError):
    """There is no machine code to run; the text says why, and what to do about it.

    Attributes
    ----------
    advised : bool
        Whether the text says what to do; that of other import errors does not.
    """

    advised = True


class WrongLibraryError(NoCodeError):
    """The library of an installed package does not belong to it, or not to this machine."""


@cache
def built_library() -> Library | None:
    """Return the library to use, if there is one, looked at to the last byte, or raise a `WrongLibraryError`."""
    if not takes_libraries():
        return None
    if (INSTALLED / MANIFEST).exists():
        return Library(*_opened(INSTALLED), left=False)
    try:
        code, manifest = _opened(LEFT)
    except WrongLibraryError:  # of another version nothing is of use, and there may be none
        return None
    same = (manifest.python, manifest.system, manifest.compilers) == (bytecode(), system(), compilers())
    return Library(code, manifest, left=True) if same else None


#: The same, by the name that it has in `collision.inner`.
verified_library = built_library


def takes_libraries() -> bool:
    """Tell whether the environment leaves it at libraries."""
    wanted = os.environ.get(CODE_VARIABLE) or None
    if wanted not in (None, COMPILED):
        raise NoCodeError(f"{CODE_VARIABLE} is {wanted!r}; expected {COMPILED}, or nothing")
    return wanted is None


def _opened(folder: Path) -> tuple[ctypes.CDLL, Manifest]:
    """Open a library, which has the bytes that it was built with: others may end the program, without a word."""
    manifest = Manifest.read(folder)
    path = folder / manifest.file
    has = _features()
    if not all(has.get(name, True) for name in manifest.needs):
        raise WrongLibraryError(f"{folder} has code for processors with {manifest.baseline}, and this is none")
    try:
        if checksum(path) != manifest.checksum:
            raise WrongLibraryError(f"{path} is damaged, or of another version; {_remedy(folder)}")
        return ctypes.CDLL(str(path)), manifest
    except OSError as error:
        raise WrongLibraryError(f"{path} cannot be used: {error}; {_remedy(folder)}") from None


def _remedy(folder: Path) -> str:
    return "installing it anew mends that" if folder == INSTALLED else f"deleting {folder} mends that"


def _features() -> dict[str, bool]:
    """Return what NumPy knows of this processor: what `numpy.show_runtime` prints."""
    found: dict[str, bool] = importlib.import_module("numpy._core._multiarray_umath").__cpu_features__
    return found


def checksum(path: Path) -> int:
    """Return a checksum of all bytes of a file, in less than a millisecond."""
    return zlib.crc32(path.read_bytes())


def bytecode() -> str:
    """Return the name of the bytecode of this Python: digests are of that."""
    return str(sys.implementation.cache_tag)


def system() -> str:
    """Return the name of the system and its processors."""
    return sysconfig.get_platform()


@cache
def compilers() -> str:
    """Return a digest of what compiles loops."""
    import hashlib

    digest = hashlib.sha256()
    for name in _COMPILERS:
        digest.update(Path(__file__).with_name(name).read_bytes())
    return digest.hexdigest()
