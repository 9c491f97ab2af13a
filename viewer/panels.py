"""The texts around a picture: who collides, what is selected, what the colours mean, the caption and the keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from collision import Contacts, Scene
from viewer.drawables import Arrow, Drawable, Marker, Panel, Patch, Role, Row, Solid, Solidity, Stroke
from viewer.words import counted, gap, number, size_of

#: Rows of the table of colliding pairs before it is cut, at most and at least, and how many pixels of the picture's
#: height there are to a row: in a small picture a long table would hide what it is about.
TABLE_ROWS, FEWEST_ROWS, ROW_HEIGHT = 8, 3, 120

#: What the legend says, in this order, of what there is to see.
LEGEND: Mapping[Role | Solidity, str] = {
    Solidity.HIT: "colliding",
    Solidity.FREE: "not colliding",
    Solidity.SELECTED: "selected",
    Role.HIT: "colliding",
    Role.FREE: "not colliding",
    Role.SELECTED: "selected",
    Role.WITNESS: "closest points",
    Role.CONTACT: "contact point",
    Role.NORMAL: "normal",
    Role.ENTRY: "enter: where the ray hits",
    Role.CROSSING: "crossing point",
    Role.NEAREST: "nearest point",
    Role.FOOT: "X, foot of the perpendicular",
    Role.EXTENSION: "axis, extension",
    Role.BOUNDS: "bounding volume",
}


def table_rows(height: int) -> int:
    """Return how many rows of the table a picture of this height has room for."""
    return min(max(height // ROW_HEIGHT, FEWEST_ROWS), TABLE_ROWS)


def collision_panel(
    scene: Scene, contacts: Contacts, selection: str | None, rows: int, notes: Sequence[str] = ()
) -> Panel:
    """Return the title, the table of the deepest of the colliding pairs, some notes, and what is selected."""
    lines = [*_pair_rows(scene, contacts, rows), *map(Row, filter(None, notes)), *_selection_rows(scene, selection)]
    return Panel("upper-left", tuple(lines), scene.title)


def _pair_rows(scene: Scene, contacts: Contacts, count: int) -> list[Row]:
    if not len(contacts):
        return [Row("no collisions")]
    rows = [Row(f"{counted(len(contacts), 'colliding pair')}, signed distance", Solidity.HIT)]
    # A row that says "and 1 more" takes as much room as the one that it stands for.
    count += len(contacts) == count + 1
    deepest = np.argsort(contacts.signed_distance, kind="stable")[:count]
    scale = size_of(contacts.point[deepest])
    for index in deepest:
        a, b = (scene.element_name(int(element)) for element in contacts.pairs[index])
        rows.append(Row(f"{a}\t{b}\t{number(float(contacts.signed_distance[index]), scale)}"))
    if len(contacts) > count:
        rows.append(Row(f"and {len(contacts) - count:,} more"))
    return rows


def _selection_rows(scene: Scene, selection: str | None) -> list[Row]:
    if selection is None:
        return []
    shape = scene[selection]
    row = Row(f"{selection}, {type(shape).__name__}", Solidity.SELECTED)
    if shape.batch_shape:
        return [row, Row(counted(len(scene.element_numbers(selection)), "element"))]
    nearest = scene.nearest(selection)
    if nearest is None:
        return [row]
    found = nearest.points
    distance = gap(float(found.signed_distance), size_of(found.on_a, found.on_b))
    return [row, Row(f"nearest: {nearest.name}, {distance}")]


def legend_panel(drawables: Iterable[Drawable]) -> Panel | None:
    """Return what the colours, dots and arrows of a picture mean: of those that it has."""
    present = set(_standings(drawables))
    rows: list[Row] = []
    for key, text in LEGEND.items():
        if key in present and text not in [row.text for row in rows]:
            rows.append(Row(text, key))
    return Panel("upper-right", tuple(rows)) if rows else None


def _standings(drawables: Iterable[Drawable]) -> Iterable[Role | Solidity]:
    for drawable in drawables:
        if isinstance(drawable, Solid):
            codes = np.unique(drawable.standing)
            yield from (Solidity(code & Solidity.HIT) for code in codes)
            yield from (Solidity.SELECTED for code in codes if code & Solidity.SELECTED)
        elif isinstance(drawable, Marker | Stroke | Arrow | Patch):
            yield drawable.role


def caption_panel(scene: Scene) -> Panel | None:
    """Return what the scene teaches."""
    return Panel("lower-left", (Row(scene.caption),)) if scene.caption else None


def hint_panel() -> Panel:
    """Return where help is to be had."""
    return Panel("lower-right", (Row("h: keys"),), quiet=True)


def keys_panel(keys: Mapping[str, str]) -> Panel:
    """Return the table of keys."""
    return Panel("center", tuple(Row(f"{key}\t{what}") for key, what in keys.items()), "Keys")
