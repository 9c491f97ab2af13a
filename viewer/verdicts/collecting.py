"""From the words of a command line to the scenes that they name: files, folders, patterns, examples, stdin."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from viewer.files import STDIN

#: A TOML file in a folder is a scene if a line of it begins like one: also if something else in it is wrong.
_IS_SCENE = re.compile(
    rb"(?:^|\A\xef\xbb\xbf)\s*(?:\[\s*([\"']?)shapes\1\s*[.\]]|\[\[\s*([\"']?)expect\2\s*\]\]|([\"']?)shapes\3\s*[.=])",
    re.MULTILINE,
)

#: Folders that hold no scenes of the user's.
_PASSED_BY = {"node_modules", "__pycache__"}


class Source(NamedTuple):
    """Where a scene is: its path as reports write it, and its text where it has been read already."""

    path: str
    data: bytes | None = None


class Collected(NamedTuple):
    """What some words name: scenes in order, folders without any, and how many TOML files in folders are no scenes."""

    sources: tuple[Source, ...]
    empty: tuple[str, ...] = ()
    other_files: int = 0


def collect(words: Iterable[str], stdin: bytes = b"") -> Collected:
    """Return the scenes that some words name, each once.

    Words are files, folders, patterns, names of examples, and ``-`` for stdin. In folders ``*.scene.toml`` are scenes,
    and other ``.toml`` with a table of shapes or promises; hidden folders and virtual environments are passed by.
    """
    found: dict[str, Source] = {}
    empty, others = [], 0
    for word in words:
        if word == "-":
            found.setdefault(STDIN, Source(STDIN, stdin))
            continue
        for path in _named(word):
            if not os.path.isdir(path):
                found.setdefault(os.path.realpath(path), Source(shown(path)))
                continue
            files = list(_files_in(path))
            scenes = [file for file in files if _holds_scene(file)]
            others += len(files) - len(scenes)
            found.update({os.path.realpath(file): Source(shown(file)) for file in scenes if _new(file, found)})
            if not scenes:
                empty.append(shown(path))
    return Collected(tuple(found.values()), tuple(empty), others)


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


def _named(word: str) -> list[str]:
    """Return what a word names: itself, or what matches it; itself too if nothing does, for the reader to say so."""
    if os.path.exists(word) or not glob.has_magic(word):
        return [word]
    return sorted(glob.glob(word, recursive=True)) or [word]


def _files_in(folder: str) -> Iterator[str]:
    """Yield the TOML files in a folder and in those within it, in the order of their names."""

    def fail(error: OSError) -> None:
        raise error

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
        yield from (os.path.join(place, name) for name in sorted(files) if name.lower().endswith(".toml"))


def _is_within(path: str, folder: str) -> bool:
    return path.startswith(os.path.join(folder, ""))


def _holds_scene(file: str) -> bool:
    if file.lower().endswith(".scene.toml"):
        return True
    with open(file, "rb") as stream:
        return _IS_SCENE.search(stream.read()) is not None
