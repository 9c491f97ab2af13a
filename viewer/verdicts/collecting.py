"""From the words of a command line to the scenes that they name: files, folders, patterns, examples, stdin."""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from collision.inner import not_read
from viewer.files import STDIN
from viewer.verdicts import SCENE_FILES

#: A TOML file in a folder is a scene if a line of it begins like one: also if something else in it is wrong.
_IS_SCENE = re.compile(
    rb"(?:^|\A\xef\xbb\xbf)\s*(?:\[\s*([\"']?)shapes\1\s*[.\]]|\[\[\s*([\"']?)expect\2\s*\]\]|([\"']?)shapes\3\s*[.=])",
    re.MULTILINE,
)

#: What else may be a scene, by the ending of its name: in a folder it is not tested, as code is only run when named.
_MAY_BE = {
    ".py": re.compile(rb"^def scene\(|^scene\s*=", re.MULTILINE),
    ".xml": re.compile(rb"<mujoco\b|<robot\b"),
    ".urdf": re.compile(rb""),
}

_ENDINGS = (".toml", *_MAY_BE)

#: Folders that hold no scenes of the user's.
_PASSED_BY = {"node_modules", "__pycache__"}


class Source(NamedTuple):
    """Where a scene is: its path, and its text if that has been read already; or why nothing can be read there."""

    path: str
    data: bytes | None = None
    error: str = ""


class Collected(NamedTuple):
    """What some words name: scenes in order, folders without any, and what else is in folders.

    `other_files` are the TOML files that are no scenes, `passed` are Python scenes and models, which may be scenes.
    """

    sources: tuple[Source, ...]
    empty: tuple[str, ...] = ()
    other_files: int = 0
    passed: tuple[str, ...] = ()


def collect(words: Iterable[str], stdin: bytes = b"") -> Collected:
    """Return the scenes that some words name, each once.

    Words are files, folders, patterns, names of examples, and ``-`` for stdin. In folders ``*.scene.toml`` are scenes,
    and other ``.toml`` with a table of shapes or promises, or that cannot be read; hidden folders and virtual
    environments are passed by. A folder that cannot be read is a source with an error.
    """
    found: dict[str, Source] = {}
    empty, others, passed = list[str](), 0, dict[str, None]()

    def fail(error: OSError) -> None:
        path = str(error.filename)
        words = f"this folder cannot be read: {(error.strerror or str(error)).lower()}"
        found.setdefault(os.path.realpath(path), Source(shown(path), error=words))

    for word in words:
        if word == "-":
            found.setdefault(STDIN, Source(STDIN, stdin))
            continue
        for path in _named(word, fail):
            if not os.path.isdir(path):
                found.setdefault(os.path.realpath(path), Source(shown(path)))
                continue
            files = list(_files_in(path, fail))
            tables = [file for file in files if file.lower().endswith(".toml")]
            scenes = [file for file in tables if _holds_scene(file)]
            others += len(tables) - len(scenes)
            passed.update((shown(file), None) for file in sorted({*files} - {*tables}) if _may_be_scene(file))
            found.update({os.path.realpath(file): Source(shown(file)) for file in scenes if _new(file, found)})
            if not scenes and os.path.realpath(path) not in found:
                empty.append(shown(path))
    named = {source.path for source in found.values()}
    return Collected(tuple(found.values()), tuple(empty), others, tuple(path for path in passed if path not in named))


def shard_of(sources: tuple[Source, ...], number: int, count: int) -> tuple[Source, ...]:
    """Return one of several shares: every so-many-th of the scenes, in their order. All shares together are all."""
    return sources[number - 1 :: count]


def shown(path: str) -> str:
    """Return a path as reports write it: from the folder where the program was started, if it lies in there."""
    try:
        near = os.path.relpath(path)
    except ValueError:  # on another drive
        near = path
    return (os.path.normpath(path) if near.startswith("..") else near).replace(os.sep, "/")


def _new(file: str, found: dict[str, Source]) -> bool:
    return os.path.realpath(file) not in found


def _named(word: str, fail: Callable[[OSError], None]) -> list[str]:
    """Return what a word names: itself, or what matches it; itself too if nothing does, for the reader to say so."""
    if os.path.exists(word) or not glob.has_magic(word):
        return [word]
    wrong = list[str]()

    def fail_within(error: OSError) -> None:
        if _leads_into(word, str(error.filename)):
            wrong.append(str(error.filename))
            fail(error)

    # What glob cannot look into, it passes by.
    parts = word.split(os.sep)
    fixed = next(n for n, part in enumerate(parts) if glob.has_magic(part))
    for _ in os.walk(os.sep.join(parts[:fixed]) or (os.sep if os.path.isabs(word) else os.curdir), onerror=fail_within):
        pass
    return sorted(glob.glob(word, recursive=True)) or ([] if wrong else [word])


def _leads_into(pattern: str, folder: str) -> bool:
    """Tell whether what is in a folder, or further within, may fit a pattern.

    Examples
    --------
    >>> [_leads_into("arms/*/*.toml", folder) for folder in ("arms", "arms/left", "arms/left/old")]
    [True, True, False]
    >>> _leads_into("arms/**/*.toml", "arms/left/old")
    True
    """
    wanted, given = (os.path.normpath(path).split(os.sep) for path in (pattern, folder))
    for want, part in zip(wanted, given, strict=False):
        if want == "**":
            return not part.startswith(".")
        if not fnmatch.fnmatch(part, want):
            return False
    return len(given) < len(wanted)


def _files_in(folder: str, fail: Callable[[OSError], None]) -> Iterator[str]:
    """Yield the files of the endings of scenes in a folder and in those within it, in the order of their names."""
    whole = os.path.realpath(folder)
    been: set[str] = set()
    for place, folders, files in os.walk(folder, onerror=fail, followlinks=True):
        real = os.path.realpath(place)
        # A link may lead to where it is itself, and to all that this folder is in.
        if "pyvenv.cfg" in files or real in been or (real != whole and _is_within(whole, real)):
            folders.clear()
            continue
        been.add(real)
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _PASSED_BY)
        yield from (os.path.join(place, name) for name in sorted(files) if name.lower().endswith(_ENDINGS))


def _is_within(path: str, folder: str) -> bool:
    return path.startswith(os.path.join(folder, ""))


def _holds_scene(file: str) -> bool:
    if file.lower().endswith(SCENE_FILES):
        return True
    data = _beginning(file)
    if data is None:
        return True  # for the reader to say why
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return True  # as it is no TOML
    return _IS_SCENE.search(data.replace(b"\r", b"\n")) is not None


def _may_be_scene(file: str) -> bool:
    """Tell whether a file that folders are not looked through for is Python with a scene, or a model."""
    data = _beginning(file)
    return data is not None and _MAY_BE[os.path.splitext(file)[1].lower()].search(data) is not None


def _beginning(file: str) -> bytes | None:
    """Return what is in a file; None where it cannot be read."""
    try:
        if not_read(os.stat(file)):
            return None
        with open(file, "rb") as stream:
            return stream.read()
    except OSError:
        return None
