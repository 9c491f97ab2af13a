"""Arithmetic of the table of pairs: how many rows it has, which names a filter finds, and the order of the rows."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from collision import Contacts, Scene
from collision.inner import BoolArray, IntArray

#: Rows of the table at most and at least. By heights of the text, in pixels of the picture: what is left without rows,
#: and how much there is to a row of the rest. In a small picture a long table would hide what it is about.
TABLE_ROWS, FEWEST_ROWS, NO_ROWS, ROW_HEIGHT = 8, 2, 14.0, 6.0

#: What pairs are sorted by.
Order = Literal["depth", "name"]

Keys = npt.NDArray[np.float64] | npt.NDArray[np.int64]


def table_rows(height: int, font: float) -> int:
    """Return how many rows of the table a picture of this height has room for, in a text that is so high, in units."""
    return min(max(int((height / font - NO_ROWS) / ROW_HEIGHT), FEWEST_ROWS), TABLE_ROWS)


class PairRows(NamedTuple):
    """The pairs that are shown, in order; the place of the first, how many are listed, and in all; the selected one."""

    contacts: Contacts
    first: int
    listed: int
    all: int
    selected: int | None


class NameOrder(NamedTuple):
    """What was worked out of the names of a scene: which elements a filter finds, or their order by name."""

    names: tuple[str, ...]
    text: str
    found: tuple[BoolArray, ...]
    rank: IntArray


def matches(names: tuple[str, ...], text: str) -> BoolArray:
    """Return which names have a text in them; * stands for any characters, ? for one."""
    parts = [re.escape(part).replace(r"\?", ".") for part in text.split("*")]
    pattern = re.compile("".join(f"(?>.*?{part})" for part in parts), re.IGNORECASE)  # each where it is first found
    return np.fromiter(map(bool, map(pattern.match, names)), bool, len(names))


def natural(name: str) -> list[tuple[int, str]]:
    """Return what names are sorted by: numbers in them by their size."""
    return [(int(part), "") if part.isdecimal() else (-1, part.lower()) for part in re.split(r"(\d+)", name)]


def row_of(scene: Scene, contacts: Contacts, pair: tuple[str, str]) -> int | None:
    """Return the row of a pair among contacts."""
    numbers = sorted(scene.element_numbers(name)[0] for name in pair)
    rows = np.flatnonzero((contacts.pairs == numbers).all(axis=1))
    return int(rows[0]) if len(rows) else None
