"""Names of entries and of elements as text: what may be one, how they are taken apart, and patterns of them."""

from __future__ import annotations

import re
from collections.abc import Iterable

_INDEXED = re.compile(r"(.*)\[(\d{1,18}(?:,\s*\d{1,18})*)\]", re.DOTALL)

#: What most names are; of others it is said what is wrong with them.
_PLAIN = re.compile(r"[\w .-]+")

#: What no name has in it, as a line cannot hold it: control characters, and the line ends of Unicode.
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def parsed(name: str) -> tuple[str, tuple[int, ...]]:
    """Take the name of an element apart; without a name where it cannot be one."""
    match = _INDEXED.fullmatch(name)
    return (match[1], tuple(map(int, match[2].split(",")))) if match else ("", ())


def meant(pattern: str, known: Iterable[str]) -> str | None:
    """Return the known name, or the pattern made of one, that comes nearest to one that stands for nothing."""
    import difflib

    start, star, end = pattern.partition("*")
    likely = {name[: len(start)] + star + name[len(name) - len(end) :] if star else name: None for name in known}
    return next(iter(difflib.get_close_matches(pattern, likely, n=1, cutoff=0.65)), None)


def matcher(pattern: str) -> re.Pattern[str]:
    """Return a pattern of names, in which ``*`` stands for anything, as a regular expression of linear time."""
    first, *parts = map(re.escape, pattern.split("*"))
    if not parts:
        return re.compile(first)
    *between, last = parts
    return re.compile(f"{first}{''.join(f'(?>.*?{part})' for part in between)}.*{last}", re.DOTALL)


def check_name(name: object, label: str = "a shape's name") -> None:
    """Refuse what cannot name an entry: brackets are for elements, asterisks for patterns."""
    if isinstance(name, str) and _PLAIN.fullmatch(name):
        return
    if name == "":
        raise ValueError(f"{label} must not be empty")
    if not isinstance(name, str) or any(character in name for character in "[]*"):
        raise ValueError(f"{label} must be text without the characters [ ] *, got {name!r}")
    if CONTROL.search(name):
        raise ValueError(f"{label} must be one line, without tabs and other control characters, got {name!r}")
