"""The library of all loops, compiled when this was built: where it is, whether it may be used, what is in it.

An installed package has it beside this file. In a checkout, it may lie in `build/`, where `pip install .` has left it:
of that, the loops are used that are the same still, byte for byte of bytecode.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import json
import os
import sys
import sysconfig
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from collision.native.targets import PREFIX

#: Says which code to run: the name of a baseline, or ``compiled`` for what is compiled here, for this processor.
CODE_VARIABLE = "COLLISION_CODE"

#: Where the library is in an installed package.
INSTALLED = Path(__file__).with_name("library")

#: Where building leaves it in a checkout.
LEFT = Path(__file__).parents[2] / "build" / "loops"

#: The file that says what is in a library.
MANIFEST = "loops.json"

#: A text in every library: `Manifest.identity`.
IDENTITY = "collision_identity"

#: What all of this is compiled by.
_COMPILERS = ("compiler.py", "instructions.py")


class Built(NamedTuple):
    """The library of one baseline.

    Attributes
    ----------
    baseline, file : str
        Its name, and that of the file.
    needs : list of str
        What NumPy calls what the processor must have.
    """

    baseline: str
    file: str
    needs: list[str]


class Manifest(NamedTuple):
    """What is in a library.

    Attributes
    ----------
    identity : str
        A digest of all of it, which is in each file, too.
    python, system : str
        Of which bytecode the digests are, and which system the code is for.
    compilers : str
        A digest of what compiled it.
    built : list of Built
        One file for each baseline, the best first.
    loops : dict
        The digest of each loop, and how it is called, by its name.
    """

    identity: str
    python: str
    system: str
    compilers: str
    built: list[Built]
    loops: dict[str, list[str]]

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Return what `write` wrote to a folder.

        Raises
        ------
        WrongLibraryError
            If another version wrote it, or not all of it.
        """
        path = folder / MANIFEST
        try:
            fields = json.loads(path.read_text(encoding="utf-8"))
            return cls(**fields | {"built": [Built(*built) for built in fields["built"]]})
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise WrongLibraryError(f"{path} cannot be used: {error}; installing it anew mends that") from None

    def write(self, folder: Path) -> None:
        """Write it to a folder."""
        (folder / MANIFEST).write_text(json.dumps(self._asdict()), encoding="utf-8")


class Library(NamedTuple):
    """A library that is open.

    Attributes
    ----------
    code : ctypes.CDLL
        What is in it.
    baseline : str
        The processors that it is for.
    manifest : Manifest
        What is in it.
    left : bool
        Whether building has left it in a checkout, so that the code may be another by now.
    """

    code: ctypes.CDLL
    baseline: str
    manifest: Manifest
    left: bool

    def has(self, name: str, function: Callable[..., Any], arguments: Sequence[str], result: str | None) -> bool:
        """Tell whether a loop is in it, and compiled of just this code."""
        digest, called = self.manifest.loops.get(name, ("", ""))
        if called != signature(arguments, result):
            return False
        return not self.left or digest == digest_of(function, arguments, result)


class WrongLibraryError(ImportError):
    """The library of an installed package does not belong to it, or not to this machine."""


@cache
def built_library() -> Library | None:
    """Return the library to use, if there is one."""
    wanted = os.environ.get(CODE_VARIABLE)
    if wanted == "compiled":
        return None
    if (INSTALLED / MANIFEST).exists():
        return _opened(INSTALLED, Manifest.read(INSTALLED), wanted, left=False)
    manifest = _left()
    if manifest and (manifest.python, manifest.system, manifest.compilers) == (bytecode(), system(), compilers()):
        return _opened(LEFT, manifest, wanted, left=True)
    return None


def _left() -> Manifest | None:
    """Return what is in the library that building has left in a checkout, if this version has written that."""
    with suppress(WrongLibraryError):  # of another version nothing is of use, and there may be none
        return Manifest.read(LEFT)
    return None


def _opened(folder: Path, manifest: Manifest, wanted: str | None, *, left: bool) -> Library | None:
    has = _features() if any(built.needs for built in manifest.built) else {}
    fit = [built for built in manifest.built if all(map(has.get, built.needs)) and wanted in (None, "", built.baseline)]
    if not fit:
        names = ", ".join(built.baseline for built in manifest.built)
        said = f" and {CODE_VARIABLE} says {wanted}" if wanted else ""
        raise WrongLibraryError(f"{folder} has code for processors with {names}, and this is none{said}")
    path = folder / fit[0].file
    try:
        code = ctypes.CDLL(str(path))
        identity = ctypes.c_char.in_dll(code, IDENTITY)
    except (OSError, ValueError) as error:
        raise WrongLibraryError(f"{path} cannot be used: {error}; installing it anew mends that") from None
    if ctypes.string_at(ctypes.addressof(identity)).decode() != manifest.identity:
        raise WrongLibraryError(f"{path} is not of this version; installing it anew mends that")
    return Library(code, fit[0].baseline, manifest, left)


def _features() -> dict[str, bool]:
    """Return what NumPy knows of this processor."""
    found: dict[str, bool] = importlib.import_module("numpy._core._multiarray_umath").__cpu_features__
    return found  # what `numpy.show_runtime` prints


def symbol(name: str) -> str:
    """Return the name that a loop has in the library."""
    return f"{PREFIX}{name}"


def signature(arguments: Sequence[str], result: str | None) -> str:
    """Return how a loop is called, as a text."""
    return f"{','.join(arguments)}:{result}"


def digest_of(function: Callable[..., Any], arguments: Sequence[str], result: str | None) -> str:
    """Return a digest of a loop, and of all that it calls."""
    from collision.native.digest import dependencies

    return dependencies(function, *arguments, result).digest


def bytecode() -> str:
    """Return the name of the bytecode of this Python: digests are of that."""
    return str(sys.implementation.cache_tag)


def system() -> str:
    """Return the name of the system and its processors."""
    return sysconfig.get_platform()


@cache
def compilers() -> str:
    """Return a digest of what compiles loops."""
    digest = hashlib.sha256()
    for name in _COMPILERS:
        digest.update(Path(__file__).with_name(name).read_bytes())
    return digest.hexdigest()
