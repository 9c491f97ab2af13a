"""Which pairs of geoms MuJoCo compares, and how a scene says so in few words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from collision.base.fields import BoolArray, IntArray
from collision.scene.names import matcher


def compared_pairs(model: Any, geoms: Sequence[int]) -> BoolArray:
    """Return a symmetric table of which geoms MuJoCo would compare with which.

    Parameters
    ----------
    model : mujoco.MjModel
        A compiled model.
    geoms : sequence of int
        The geoms that the rows and columns stand for.
    """
    import mujoco

    numbers = np.asarray(geoms, dtype=np.intp)
    body = model.geom_bodyid[numbers].astype(np.intp)
    weld = model.body_weldid[body]
    moved = model.body_treeid[body] >= 0  # by any joint
    types, affinities = model.geom_contype[numbers], model.geom_conaffinity[numbers]

    match = (types[:, None] & affinities) != 0
    table = (match | match.T) & (weld[:, None] != weld) & (moved[:, None] | moved) & ~_excluded(model, body)
    if not model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_FILTERPARENT:
        parent = model.body_weldid[model.body_parentid[weld]]
        child = (weld[:, None] == parent) & (weld[:, None] != 0) & (weld != 0)
        table &= ~(child | child.T)
    _add_explicit(model, numbers, table)
    plane = model.geom_type[numbers] == mujoco.mjtGeom.mjGEOM_PLANE
    table &= ~(plane[:, None] & plane)  # MuJoCo has no contacts between planes
    return np.asarray(table, dtype=bool)


def _excluded(model: Any, body: IntArray) -> BoolArray:
    """Return which pairs an <exclude> names by their bodies; MuJoCo keeps each as one number, the lower body first."""
    lower, upper = np.minimum(body[:, None], body), np.maximum(body[:, None], body)
    return np.isin((lower << 16) + upper, model.exclude_signature.astype(np.intp))


def _add_explicit(model: Any, numbers: IntArray, table: BoolArray) -> None:
    """Set what a <pair> names: it is compared whatever the other rules say."""
    row = np.full(model.ngeom, -1)
    row[numbers] = np.arange(len(numbers))
    first, second = row[model.pair_geom1], row[model.pair_geom2]
    here = (first >= 0) & (second >= 0) & (first != second)
    table[first[here], second[here]] = table[second[here], first[here]] = True


def compared_with_nothing(model: Any, geoms: Sequence[int], table: BoolArray) -> BoolArray:
    """Return which geoms can meet nothing, like visual geoms: contype and conaffinity zero, and no <pair> with them."""
    numbers = np.asarray(geoms, dtype=np.intp)
    bits = model.geom_contype[numbers] | model.geom_conaffinity[numbers]
    return np.asarray(~table.any(axis=1) & (bits == 0), dtype=bool)


def ignored_pairs(
    names: Sequence[str], groups: Sequence[object], table: BoolArray, alone: BoolArray
) -> list[tuple[str, str]]:
    """Return the pairs that a scene must ignore, with ``*`` for the numbers in names that are alike.

    Parameters
    ----------
    names : sequence of str
        One for each row of the table, in scene order.
    groups : sequence
        Names share a pattern only within a group, such as a body.
    table : ndarray of bool, shape (n, n)
        Which pairs are compared.
    alone : ndarray of bool, shape (n,)
        Which are compared with nothing, also with nothing that may be added to the scene.

    Examples
    --------
    >>> names, bodies = ["arm1", "arm2", "arm3", "hand"], [1, 1, 1, 2]
    >>> ignored_pairs(names, bodies, np.zeros((4, 4), dtype=bool), np.array([False, False, False, False]))
    [('arm*', 'arm*'), ('arm*', 'hand')]
    >>> ignored_pairs(names, bodies, np.zeros((4, 4), dtype=bool), np.array([False, False, False, True]))
    [('hand', '*'), ('arm*', 'arm*')]
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
    """Return patterns, and for each the places of the names it stands for; every name is under exactly one."""
    alike: dict[tuple[object, str], list[int]] = defaultdict(list)
    for place, (name, group) in enumerate(zip(names, groups, strict=True)):
        alike[group, re.sub(r"\d+", "*", name)].append(place)
    patterns: dict[str, list[int]] = {}
    for (_, pattern), places in alike.items():
        wanted = matcher(pattern)
        # A pattern must pay, must not reach beyond its group, and without letters it would stand for too much.
        if len(places) > 2 and pattern.strip("*") and sum(map(bool, map(wanted.fullmatch, names))) == len(places):
            patterns[pattern] = places
        else:
            patterns.update((names[place], [place]) for place in places)
    return patterns
