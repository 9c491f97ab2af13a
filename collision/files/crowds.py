"""Many tables of shapes at once: those that are alike are read as one batch, which takes a tenth of the time.

What is not plain, or not right, is left to the tables of `shapes.py`, one by one: they know what to say of it.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from collision.files.shapes import FORMS, form_of
from collision.scene.names import check_name
from collision.shapes.kinds import Shape

#: Fewer are read one by one.
MANY = 100

#: The keys that are three numbers each, and those that are one.
_VECTORS = frozenset(
    ("position", "start", "end", "origin", "direction", "point", "center", "lower", "upper", "half_extents", "normal")
)
_NUMBERS = frozenset(("radius",))

#: The forms in which one value of a batch says nothing of another.
_FORMS = FORMS.keys() - {"collider"}


def crowd_of(tables: object) -> dict[str, Shape]:
    """Return the single shapes that plain tables describe, by name; of tables with any mistake, nothing."""
    if not isinstance(tables, dict) or len(tables) < MANY:
        return {}
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, table in tables.items():
        if isinstance(table, dict) and isinstance(table.get("kind"), str):
            groups.setdefault((table["kind"], *table), []).append(name)
    found: dict[str, Shape] = {}
    for names in groups.values():
        if len(names) >= MANY:
            found |= _alike(names, [tables[name] for name in names])
    return found


def _alike(names: list[str], tables: list[dict[str, Any]]) -> dict[str, Shape]:
    """Return the shapes of tables that have the same kind and the same keys; nothing where one is not plain."""
    form, keys = form_of(tables[0]), tables[0].keys() - {"kind"}
    if form not in _FORMS or not keys <= _VECTORS | _NUMBERS:
        return {}
    columns = {key: [table[key] for table in tables] for key in keys}
    if not all(_plain(column, key in _VECTORS) for key, column in columns.items()):
        return {}
    try:
        for name in names:
            check_name(name)
        made = FORMS[form].read({"kind": tables[0]["kind"], **columns}).shape
    except ValueError:
        return {}
    return {name: made[row] for row, name in enumerate(names)}


def _plain(column: list[Any], vectors: bool) -> bool:
    """Tell whether all values are numbers, or all are lists of three numbers."""
    if vectors:
        if set(map(type, column)) != {list} or set(map(len, column)) != {3}:
            return False
        return set(map(type, chain.from_iterable(column))) <= {int, float}
    return set(map(type, column)) <= {int, float}
