"""The library of all loops, compiled when this was built: where it is, whether it may be used, what is in it.

An installed package has it beside this file. In a checkout, it may lie in `build/`, where `pip install .` has left it:
of that, the loops are used that are the same still, byte for byte of bytecode.
"""

from __future__ import annotations

import ctypes
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

from collision.native.targets import PREFIX, own_prefix, targets

#: Says which code to run: the name of a baseline, or ``compiled`` for what is compiled here, for this processor.
CODE_VARIABLE, COMPILED = "COLLISION_CODE", "compiled"

#: Where the library is in an installed package.
INSTALLED = Path(__file__).with_name("library")

#: Where building leaves it in a checkout.
LEFT = Path(__file__).parents[2] / "build" / "loops"

#: The file that says what is in a library.
MANIFEST = "loops.json"

#: A text in every library: `Manifest.identity`.
IDENTITY = "collision_identity"

#: What helps where the library of an installed package cannot be used.
_ANEW = "installing it anew mends that"

#: What all of this is compiled by.
_COMPILERS = ("compiler.py", "instructions.py")


class Built(NamedTuple):
    """The library of one baseline; of one that is part of another it is the same.

    Attributes
    ----------
    baseline, file : str
        Its name, and that of the file.
    needs : list of str
        What NumPy calls what the processor must have.
    size : int
        How many bytes the file has: one that is cut short would end the program, without a word.
    checksum : str
        Of all its bytes.
    """

    baseline: str
    file: str
    needs: list[str]
    size: int
    checksum: str

    @classmethod
    def of(cls, baseline: str, path: Path, needs: Sequence[str]) -> Built:
        """Return what is to be said of a file."""
        import hashlib  # only building and looking for damage need it

        content = path.read_bytes()
        return cls(baseline, path.name, [*needs], len(content), hashlib.sha256(content).hexdigest())


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
        The library of each baseline, the best first.
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
            raise WrongLibraryError(f"{path} cannot be used: {error}; {_ANEW}") from None

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

    def symbol(self, name: str) -> str:
        """Return the name that a loop has in it: of the code for the baseline alone, where there is such."""
        own = f"{own_prefix(self.baseline)}{name}"
        return own if hasattr(self.code, own) else f"{PREFIX}{name}"


class NoCodeError(ImportError):
    """There is no machine code to run; the text says why, and what to do about it.

    Attributes
    ----------
    advised : bool
        Whether the text says what to do; of all other errors of imports it does not.
    """

    advised = True


class WrongLibraryError(NoCodeError):
    """The library of an installed package does not belong to it, or not to this machine."""


class _Place(NamedTuple):
    """Where the library to use is, what is in it, and whether building has left it in a checkout."""

    folder: Path
    manifest: Manifest
    left: bool

    @property
    def remedy(self) -> str:
        """What helps where it cannot be used."""
        return f"deleting {self.folder} mends that" if self.left else _ANEW


@cache
def built_library() -> Library | None:
    """Return the library to use, if there is one.

    Raises
    ------
    NoCodeError
        If the environment asks for code that there is not.
    WrongLibraryError
        If the library is damaged, of another version, or for other processors. One that building has left in a
        checkout is passed over then, unless the environment asks for it.
    """
    wanted = wanted_code()
    place = _place(wanted)
    if place is None:
        return None
    try:
        return _opened(place, wanted)
    except WrongLibraryError:
        if wanted or not place.left:
            raise
        return None  # of a build that was broken off nothing is of use


def verified_library() -> Library | None:
    """Return the library to use, after a look at all its bytes: what is damaged may end the program when it is used.

    Raises
    ------
    NoCodeError, WrongLibraryError
        As for `built_library`.
    """
    place = _place(wanted_code())
    if place is None:
        return None
    for built in place.manifest.built:
        path = place.folder / built.file
        whole = path.exists() and path.stat().st_size == built.size  # which is looked at in any case
        if whole and Built.of(built.baseline, path, built.needs) != built:
            raise WrongLibraryError(f"{path} is damaged: it has other bytes than it was built with; {place.remedy}")
    return built_library()


def wanted_code() -> str | None:
    """Return which code the environment asks for, if it asks for any.

    Raises
    ------
    NoCodeError
        If there is no such code for this system.
    """
    wanted = os.environ.get(CODE_VARIABLE) or None
    names = [COMPILED, *(target.baseline for target in targets())]
    if wanted not in (None, *names):
        expected = " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
        raise NoCodeError(f"{CODE_VARIABLE} is {wanted!r}; expected {expected}")
    return wanted


def _place(wanted: str | None) -> _Place | None:
    if wanted == COMPILED:
        return None
    if (INSTALLED / MANIFEST).exists():
        return _Place(INSTALLED, Manifest.read(INSTALLED), left=False)
    manifest = _left()
    if manifest and (manifest.python, manifest.system, manifest.compilers) == (bytecode(), system(), compilers()):
        return _Place(LEFT, manifest, left=True)
    if wanted:
        advice = '"pip install ." in the checkout leaves one'
        raise NoCodeError(f"{CODE_VARIABLE} is {wanted!r}, and there is no library of that here; {advice}")
    return None


def _left() -> Manifest | None:
    """Return what is in the library that building has left in a checkout, if this version has written that."""
    with suppress(WrongLibraryError):  # of another version nothing is of use, and there may be none
        return Manifest.read(LEFT)
    return None


def _opened(place: _Place, wanted: str | None) -> Library:
    built = _fitting(place, wanted)
    path = place.folder / built.file
    try:
        size = path.stat().st_size
        if size != built.size:
            raise WrongLibraryError(f"{path} is damaged: it has {size} bytes, expected {built.size}; {place.remedy}")
        code = ctypes.CDLL(str(path))
        identity = ctypes.c_char.in_dll(code, IDENTITY)
    except (OSError, ValueError) as error:
        raise WrongLibraryError(f"{path} cannot be used: {error}; {place.remedy}") from None
    if ctypes.string_at(ctypes.addressof(identity)).decode() != place.manifest.identity:
        raise WrongLibraryError(f"{path} is not of this version; {place.remedy}")
    return Library(code, built.baseline, place.manifest, place.left)


def _fitting(place: _Place, wanted: str | None) -> Built:
    """Return the best of a library for this processor, or what is wanted of it."""
    every = place.manifest.built
    has = _features() if any(built.needs for built in every) else {}
    for built in every:
        if all(map(has.get, built.needs)) and wanted in (None, built.baseline):
            return built
    names = wanted or ", ".join(built.baseline for built in every)
    asked = f", and {CODE_VARIABLE} asks for that" if wanted else ""
    raise WrongLibraryError(f"{place.folder} has code for processors with {names}, and this is none{asked}")


def _features() -> dict[str, bool]:
    """Return what NumPy knows of this processor."""
    found: dict[str, bool] = importlib.import_module("numpy._core._multiarray_umath").__cpu_features__
    return found  # what `numpy.show_runtime` prints


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
    import hashlib

    digest = hashlib.sha256()
    for name in _COMPILERS:
        digest.update(Path(__file__).with_name(name).read_bytes())
    return digest.hexdigest()
