"""Errors in a scene file that cannot be read: every problem, each with its line and its key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from collision.base.files import shown_path
from collision.files.toml import Path, dotted, inline, shortened


class Problem(NamedTuple):
    """One thing that is wrong.

    Attributes
    ----------
    path : tuple of str and int
        Where in the file: keys, and numbers of array elements from zero; empty for the file as a whole.
    text : str
        What was expected and what is there.
    line, column : int, optional
        From one, where they are known.
    """

    path: Path
    text: str
    line: int | None = None
    column: int | None = None


class WrongError(ValueError):
    """A value that is not what a file may hold there.

    Attributes
    ----------
    problems : tuple of Problem
        Everything that is wrong with it; their paths begin at the value.
    """

    def __init__(self, *problems: Problem) -> None:
        self.problems = problems
        super().__init__("; ".join(problem.text for problem in problems))

    def inside(self, *path: str | int) -> tuple[Problem, ...]:
        """Return the problems as those of what holds the value, at a path."""
        return tuple(problem._replace(path=(*path, *problem.path)) for problem in self.problems)


def problem(text: str, where: Path = ()) -> WrongError:
    """Return an error for a reader to raise; `where` leads on from the value at hand."""
    return WrongError(Problem(where, text))


def mismatch(expected: str, value: object, where: Path = ()) -> WrongError:
    """Return the error that a value is not what was expected."""
    return problem(f"expected {expected}, got {shortened(value)}", where)


class SceneFileError(ValueError):
    """A scene file cannot be read or written; the message has one line for every problem in it.

    Attributes
    ----------
    source : str
        The file, as the user named it.
    problems : tuple of Problem
        In the order of their lines.
    """

    def __init__(self, source: str, problems: Iterable[Problem]) -> None:
        self.source = source
        self.problems = tuple(problems)
        super().__init__(source, self.problems)  # as they are: so a pickle makes the same error

    def __str__(self) -> str:
        return "\n".join(_written(self.source, problem) for problem in self.problems)


def _written(source: str, problem: Problem) -> str:
    named = shown_path(source) if source else ""  # without one, where the reader names the file
    place = ":".join(str(part) for part in (named, problem.line, problem.column) if part is not None)
    return ": ".join(part for part in (place, _spoken(problem.path), problem.text) if part)


def _spoken(path: Path) -> str:
    """Write where a problem is: what has no name in the file (shows, motions, promises, pairs to ignore) is counted.

    Examples
    --------
    >>> _spoken(("show", 0, "a")), _spoken(("ignore", 1, 0)), _spoken(("shapes", "crowd", "radius", 3))
    ('show 1: a', 'ignore, pair 2', 'shapes.crowd.radius[3]')
    """
    match path:
        case ("ignore", int(number), *_):
            return f"ignore, pair {number + 1}"
        case (str(kind), int(number), *inner):
            return f"{kind} {number + 1}: {dotted(tuple(inner))}" if inner else f"{kind} {number + 1}"
    return dotted(path)


def suggestion(name: object, known: Iterable[str]) -> str:
    """Return a half-sentence with the nearest known name, or nothing where none is near.

    Examples
    --------
    >>> suggestion("centre", ["center", "radius"])
    '; did you mean "center"?'
    """
    near = nearest(name, known)
    return f"; did you mean {inline(near[0])}?" if near else ""


def nearest(name: object, known: Iterable[str]) -> list[str]:
    """Return the known name that is nearest to another, if any is near."""
    import difflib

    return difflib.get_close_matches(str(name), list(known), n=1, cutoff=0.7)
