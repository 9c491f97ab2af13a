"""The texts around a picture: who collides, what is selected, what the colours mean, the caption and the keys."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from operator import methodcaller as do
from typing import TYPE_CHECKING

import numpy as np

from collision import Contacts, Scene, why
from viewer.picture.drawables import (
    STANDINGS,
    Arrow,
    Drawable,
    Ghost,
    Marker,
    Panel,
    Patch,
    Role,
    Row,
    Solid,
    Solidity,
    Stroke,
)
from viewer.picture.pairs import Closeup, closeup_of, direction_text, normals_text
from viewer.picture.text import around, without_carets
from viewer.picture.words import counted, number, size_of
from viewer.session.commands import help_pages
from viewer.view.sizes import unit_of

if TYPE_CHECKING:
    from viewer.session import Prompt, Session

#: Rows of the table of colliding pairs before it is cut, at most and at least, and how many pixels of the picture's
#: height there are to a row: in a small picture a long table would hide what it is about.
TABLE_ROWS, FEWEST_ROWS, ROW_HEIGHT = 8, 3, 120

#: So many rows of the table give way to what there is to know of the selected pair.
DETAILS = 3

#: Units of a picture's width that a plate leaves free beside its text; the shortest line, in heights of its letters.
FRAME, SHORTEST = 60.0, 8.0

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
    Role.LYING: "contact point",
    Role.NORMAL: "normal",
    Role.ENTRY: "enter: where the ray hits",
    Role.CROSSING: "crossing point",
    Role.NEAREST: "nearest point",
    Role.FOOT: "X, foot of the perpendicular",
    Role.EXTENSION: "axis, extension",
    Role.BOUNDS: "bounding volume",
    Role.GHOST: "pushed out",
    Role.BOX: "box of the broad phase",
    Role.KEPT: "boxes overlap, shapes do not",
    Role.KEPT_HIT: "boxes overlap, and shapes",
}


def table_rows(height: int) -> int:
    """Return how many rows of the table a picture of this height has room for."""
    return min(max(height // ROW_HEIGHT, FEWEST_ROWS), TABLE_ROWS)


def collision_panel(
    session: Session, contacts: Contacts, closeup: Closeup | None, rows: int, notes: Sequence[str] = ()
) -> Panel:
    """Return the title, the table of the deepest of the colliding pairs, some notes, and what is selected.

    With the distances, the table lists all pairs within the margin. It shows the part in which the selected pair is.
    """
    scene, pair = session.scene, session.pair
    listed, margin = (session.listed, session.margin) if session.toggles.distances else (contacts, None)
    if pair is not None:
        rows = max(rows - DETAILS, FEWEST_ROWS)
    head = _head(len(contacts), len(listed), margin, scene.element_count > 0)
    lines = [head, *_pair_rows(scene, listed, rows, pair), *[Row(note) for note in notes if note]]
    if session.selected:
        lines += _selection_rows(scene, session, closeup, pair)
    return Panel("upper-left", tuple(lines), scene.title)


def _head(colliding: int, listed: int, margin: float | None, any_shapes: bool) -> Row:
    if not listed and margin is not None:
        return Row(f"no pair within {number(margin)}")
    if not listed:
        return Row("no collisions" if any_shapes else "no shapes yet: a adds one")
    if margin is None:
        return Row(f"{counted(colliding, 'colliding pair')}, signed distance", Solidity.HIT)
    return Row(f"{counted(listed, 'pair')} within {number(margin)}, colliding: {colliding:,}", Role.WITNESS)


def _pair_rows(scene: Scene, contacts: Contacts, count: int, pair: tuple[str, str] | None) -> list[Row]:
    """Return the rows of the deepest pairs, or of those around the selected one."""
    total = len(contacts)
    # A row that says "and 1 more" takes as much room as the one that it stands for.
    count += total == count + 1
    marked = None if pair is None else _row_of(scene, contacts, pair)
    order = contacts.deepest(count if marked is None else total)
    place = 0 if marked is None else int(np.flatnonzero(order == marked)[0])
    first = min(max(place - count // 2, 0), max(total - count, 0))
    shown = order[first : first + count].tolist()
    scale = size_of(contacts.point[shown])
    rows = [Row(f"{first:,} deeper")] if first else []
    for row in shown:
        a, b = map(scene.element_name, contacts.pairs[row].tolist())
        text = f"{a}\t{b}\t{number(float(contacts.signed_distance[row]), scale)}"
        rows.append(Row(text, Solidity.SELECTED if row == marked else None, do("show_pair", a, b)))
    if (more := total - first - len(shown)) > 0:
        rows.append(Row(f"and {more:,} more"))
    return rows


def _row_of(scene: Scene, contacts: Contacts, pair: tuple[str, str]) -> int | None:
    """Return the row of a pair among contacts."""
    numbers = sorted(scene.element_numbers(name)[0] for name in pair)
    rows = np.flatnonzero((contacts.pairs == numbers).all(axis=1))
    return int(rows[0]) if len(rows) else None


def _selection_rows(scene: Scene, session: Session, closeup: Closeup | None, pair: tuple[str, str] | None) -> list[Row]:
    if closeup is not None and pair is not None:
        return _pair_details(session, closeup)
    selected = session.selected
    name = selected[-1]
    alone = closeup is not None and closeup.b == name
    shape = closeup.shapes[1] if closeup is not None and alone else scene[name]
    others = [Row(f"{counted(len(selected), 'shape')} selected, the last:")] if len(selected) > 1 else []
    row = _shape_row(name, type(shape).__name__)
    if shape.batch_shape:
        return [*others, row, Row(counted(len(scene.element_numbers(name)), "element"))]
    nearest = closeup or closeup_of(scene, (name,))
    if nearest is None:
        return [*others, row]
    choice = normals_text(nearest.normals) if nearest.signed_distance <= 0.0 else ""
    ways = [Row(choice, Role.NORMAL)] if choice else []
    return [*others, row, Row(f"nearest: {nearest.a}, {nearest.distance}"), *ways]


def _shape_row(name: str, kind: str) -> Row:
    return Row(f"{name}, {kind}", Solidity.SELECTED)


def _pair_details(session: Session, closeup: Closeup) -> list[Row]:
    """Return what there is to know of the selected pair, and why it is reported or not."""
    names = [
        _shape_row(name, type(shape).__name__)
        for name, shape in zip((closeup.a, closeup.b), closeup.shapes, strict=True)
    ]
    touch = closeup.contact
    scale = size_of(touch.on_a, touch.on_b)
    measured = Row(f"{closeup.distance}, normal {direction_text(touch.normal)}")
    choice = normals_text(closeup.normals)
    margin = session.margin if session.toggles.distances else 0.0
    reason = why(session.scene, closeup.a, closeup.b, margin=margin)
    verdict = f"{'' if reason.reported else 'not '}reported: {reason.in_words(partial(number, scale=scale))}"
    return [*names, measured, *([Row(choice, Role.NORMAL)] if choice else []), Row(verdict)]


def legend_panel(drawables: Iterable[Drawable]) -> Panel | None:
    """Return what the colours, dots and arrows of a picture mean: of those that it has."""
    seen, rows = frozenset(_seen(drawables)), dict[str, Row]()
    for key, text in LEGEND.items():
        if key in seen:
            rows.setdefault(text, Row(text, key))
    return Panel("upper-right", tuple(rows.values())) if rows else None


def _seen(drawables: Iterable[Drawable]) -> Iterable[Role | Solidity]:
    for drawable in drawables:
        if isinstance(drawable, Solid):
            # Bytes are searched far faster than arrays are sorted or counted.
            codes = np.asarray(drawable.standing, np.uint8).tobytes()
            present = [standing for standing in STANDINGS if standing in codes]
            yield from (standing & Solidity.HIT for standing in present)
            yield from (Solidity.SELECTED for standing in present if standing & Solidity.SELECTED)
        elif isinstance(drawable, Ghost):
            yield Role.GHOST
        elif isinstance(drawable, Marker | Stroke | Arrow | Patch):
            yield drawable.role


def caption_panel(caption: str) -> Panel | None:
    """Return what the scene teaches."""
    return Panel("lower-left", (Row(caption),)) if caption else None


def status_panel(lines: tuple[str, ...]) -> Panel | None:
    """Return what the handles do, and how much has been done."""
    return Panel("lower-right", tuple(map(Row, lines))) if lines else None


def keys_panel(session: Session) -> Panel:
    """Return the table of keys, or the page of it that is open."""
    pages, page = help_pages(session.viewport.size), session.help_page
    rows = tuple(Row(f"{key}\t{what}", does=do("turn_help")) for key, what in pages[page].items())
    return Panel("center", rows, "Keys" if len(pages) == 1 else f"Keys, page {page + 1} of {len(pages)}; h turns it")


def line_room(session: Session) -> float:
    """Return for how many heights of its letters a line as wide as the picture has room, within a plate's frame."""
    size = session.viewport.size
    return max((size[0] / unit_of(size) - FRAME) / session.theme.font_size, SHORTEST)


def notice_panel(text: str) -> Panel:
    """Return what the last command has to say."""
    return Panel("lower-right", (Row(without_carets(text)),))


def prompt_panel(prompt: Prompt, room: float = math.inf) -> Panel:
    """Return a question: with the line as far as it is typed, or the choices, and what was wrong with the answer.

    Of a line that is longer than there is room, what is around the cursor is shown.
    """
    choices, faint = prompt.choices.items(), prompt.faint
    rows = [Row(f"{key}\t{what}", does=do("answer", key), faint=key in faint) for key, what in choices]
    if not prompt.choices:
        line, hint = f"{prompt.text[: prompt.cursor]}|{prompt.text[prompt.cursor :]}", "Ctrl+Backspace: clear"
        if prompt.whole:
            line, hint = f"[{prompt.text}]", "type to replace it, End: edit it"
        line = around(line, len(line) - 1 if prompt.whole else prompt.cursor, room)
        rows = [Row(line), Row(f"Enter: done, {hint}, Esc: cancel")]
    else:
        rows.append(Row("Esc\tcancel", does=do("dismiss")))
    if prompt.error:
        rows.insert(1 if not prompt.choices else 0, Row(without_carets(prompt.error), Solidity.HIT))
    return Panel("center", tuple(rows), prompt.title, at=prompt.at)
