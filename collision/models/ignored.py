"""The pairs that a scene of a model ignores, written as few patterns."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from collision.base.fields import BoolArray
from collision.scene.names import matcher


def ignored_pairs(
    names: Sequence[str], groups: Sequence[object], table: BoolArray, alone: BoolArray
) -> list[tuple[str, str]]:
    """Return the pairs that a scene must ignore, with ``*`` for the numbers in names of one of `groups` that are alike.

    `table` (n, n) says which pairs are compared, and `alone` (n,) what is compared with nothing, ever.
    """
    patterns = _patterns(names, list(zip(groups, alone.tolist(), strict=True)))
    words = list(patterns)
    member = np.zeros((len(names), len(words)))
    for column, rows in enumerate(patterns.values()):
        member[rows, column] = 1.0
    size = member.sum(axis=0)
    blocked = ~table | np.eye(len(names), dtype=bool)
    whole = (member.T @ blocked @ member) == np.outer(size, size)  # all pairs of the two patterns
    lonely = (member.T @ alone) > 0.0
    named = np.triu(whole) & ~lonely & ~lonely[:, None] & ~np.diag(size == 1.0)
    covered = (member @ (whole | lonely | lonely[:, None]) @ member.T) > 0.0
    return [
        *((words[i], "*") for i in np.flatnonzero(lonely)),
        *((words[i], words[j]) for i, j in np.argwhere(named)),
        *((names[i], names[j]) for i, j in np.argwhere(np.triu(blocked & ~covered, 1))),
    ]


def _patterns(names: Sequence[str], groups: Sequence[object]) -> dict[str, list[int]]:
    """Return patterns, and for each the rows of the names it stands for; every name is under exactly one."""
    alike: dict[tuple[object, str], list[int]] = defaultdict(list)
    for row, (name, group) in enumerate(zip(names, groups, strict=True)):
        alike[group, re.sub(r"\d+", "*", name)].append(row)
    patterns: dict[str, list[int]] = {}
    for (_, pattern), rows in alike.items():
        matches = matcher(pattern).fullmatch
        # A pattern must pay, must not reach beyond its group, and without letters it would stand for too much.
        if len(rows) > 2 and pattern.strip("*") and sum(map(bool, map(matches, names))) == len(rows):
            patterns[pattern] = rows
        else:
            patterns.update((names[row], [row]) for row in rows)
    return patterns
