"""The texts around a picture: who collides, what is selected, what the colours mean, the caption and the keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from collision import Contacts
from viewer.picture.prompts import line_room, line_rows
from viewer.records.commands import Command
from viewer.records.drawables import (
    ALL_FLAGS,
    Arrow,
    Drawable,
    Ghost,
    Marker,
    Panel,
    Patch,
    Role,
    Row,
    ShapeFlags,
    Solid,
    Stroke,
    Visual,
)
from viewer.records.text import without_carets
from viewer.records.words import counted, number, size_of
from viewer.session.commands import ESSENTIALS
from viewer.session.prompt import PAIRS

if TYPE_CHECKING:
    from viewer.session import Session

#: What the table says of the order of its rows.
ORDERS = {"depth": "deepest first", "name": "by name"}

#: What stands before the name of a shape that is below another one of its link.
_BELOW = 4 * "\N{NO-BREAK SPACE}"

#: What the legend says, in this order, of what there is to see; what is plain, or selected, needs no words.
LEGEND: Mapping[Role | ShapeFlags, str] = {
    ShapeFlags.HIT: "colliding",
    Role.HIT: "colliding",
    ShapeFlags.TOUCHING: "touching",
    Role.TOUCHING: "touching",
    Role.PLANE_TOUCHING: "touching",
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
    Role.UNCOVERED: "drawn outside its collision shapes",
    Role.COVERED: "drawn inside its collision shapes",
    ShapeFlags.FREE: "collision shapes",
    Role.FADED: "visual shapes: not compared",
    Role.BOX: "box of the broad phase",
    Role.KEPT: "boxes overlap, shapes do not",
    Role.KEPT_TOUCHING: "boxes overlap, shapes touch",
    Role.KEPT_HIT: "boxes overlap, and shapes",
}


def collision_panel(session: Session, contacts: Contacts, notes: Sequence[str] = (), *, still: bool = False) -> Panel:
    """Return the title, a part of the table of pairs, and some notes; in a still picture, no keys.

    With the distances, the table lists all pairs within the margin, otherwise those that collide.
    """
    scene, shown, asked = session.scene, session.selection.pair_rows, session.prompt
    lines = [_head(session, contacts, shown.all, still=still)]
    if asked is not None and asked.place == PAIRS:
        lines += line_rows(asked, line_room(session), "Enter: done, Esc: all of them")
    elif session.selection.pair_filter:
        lines.append(Row(f"{shown.listed:,} with {session.selection.pair_filter!r}", does=Command("dialog.ask_filter")))
    pairs, scale = shown.contacts, size_of(shown.contacts.point)
    links, above = session.joints.links, frozenset[str]()
    for row, distance in enumerate(pairs.signed_distance.tolist()):
        a, b = map(scene.element_name, pairs.pairs[row].tolist())
        touching = bool(pairs.only_touching[row])
        of = frozenset(links.get(name, name) for name in (a, b))
        cells = [_of_link(name, links, whole=of != above) for name in (a, b)]
        above = of
        text = "\t".join([*cells, "touching" if touching else number(distance, scale)])
        state = ShapeFlags.TOUCHING if touching else ShapeFlags.HIT if distance <= 0.0 else ShapeFlags.FREE
        swatch = ShapeFlags.SELECTED | state if row == shown.selected else None
        lines.append(Row(text, swatch, Command("selection.show_pair", a, b)))
    if shown.listed > len(pairs) or session.selection.pair_order == "name":
        last = shown.first + len(pairs)
        part = f"{shown.first + 1:,}\N{EN DASH}{last:,} of {shown.listed:,}"
        lines.append(Row(f"{part}, {ORDERS[session.selection.pair_order]}", does=Command("selection.next_pair_order")))
    lines = [replace(line, scrolls=Command("selection.scroll_pairs")) for line in lines]
    return Panel("upper-left", (*lines, *[Row(note) for note in notes if note]), scene.title, name="table")


def _of_link(name: str, links: Mapping[str, str], *, whole: bool) -> str:
    """Return the name of a shape with that of its link before it, or without, below another one of the same link."""
    link = links.get(name)
    if link is None or name == link:
        return name
    short = name.removeprefix(f"{link}/")
    return f"{link}/{short}" if whole else f"{_BELOW}/{short}"


def _head(session: Session, contacts: Contacts, listed: int, *, still: bool) -> Row:
    distances, ask = session.settings.toggles.distances, Command("dialog.ask_filter")
    touching = int(np.count_nonzero(contacts.only_touching))
    colliding = len(contacts) - touching
    touches = f", {touching:,} touching" if touching else ""
    if not listed:
        shapes = session.scene.element_count > 0
        none = f"no pair within {number(session.settings.margin)}" if distances else "no collisions"
        return Row(none if shapes or distances else "no shapes" if still else "no shapes yet: a adds one")
    if distances:
        text = f"{counted(listed, 'pair')} within {number(session.settings.margin)}, colliding: {colliding:,}"
        return Row(text + touches, Role.WITNESS, ask)
    if not colliding:
        return Row(counted(touching, "touching pair"), ShapeFlags.TOUCHING, ask)
    return Row(f"{counted(colliding, 'colliding pair')}{touches}, signed distance", ShapeFlags.HIT, ask)


def legend_panel(drawables: Iterable[Drawable], small: str = "") -> Panel | None:
    """Return what the colours, dots and arrows of a picture mean: of those that it has.

    In the picture of an audit, collision shapes are not what is drawn, and so in the legend, too, with what is small.
    """
    seen, rows = frozenset(_seen(drawables)), dict[str, Row]()
    audited = bool(seen & {Role.COVERED, Role.UNCOVERED})
    if not audited:
        seen -= {ShapeFlags.FREE}
    for key, text in LEGEND.items():
        if key in seen:
            rows.setdefault(text, Row(text, key))
    if audited and small:
        rows[small] = Row(small)
    return Panel("upper-right", tuple(rows.values()), spare=True, name="legend") if rows else None


def _seen(drawables: Iterable[Drawable]) -> Iterable[Role | ShapeFlags]:
    for drawable in drawables:
        if isinstance(drawable, Solid):
            # Bytes are searched far faster than arrays are sorted or counted.
            codes = np.asarray(drawable.flags, np.uint8).tobytes()
            seen = [flags for flags in ALL_FLAGS if flags in codes]
            yield from (flag for flag in (ShapeFlags.HIT, ShapeFlags.TOUCHING) if any(flag & some for some in seen))
            if ShapeFlags.FREE in seen:
                yield ShapeFlags.FREE
        elif isinstance(drawable, Ghost):
            yield Role.GHOST
        elif isinstance(drawable, Visual | Marker | Stroke | Arrow | Patch):
            yield drawable.role


def caption_panel(caption: str, hint: str = "") -> Panel | None:
    """Return what the scene teaches, and what to try there, unless a hint leads to that."""
    if hint:
        caption = caption.partition(" Try: ")[0]
    return Panel("lower-left", (Row(caption),), name="caption") if caption else None


def status_panel(lines: tuple[str, ...]) -> Panel | None:
    """Return what the handles do, and how much has been done."""
    return Panel("lower-right", tuple(map(Row, lines)), spare=True, name="status") if lines else None


def keys_panel() -> Panel:
    """Return the keys that one needs first, in groups."""
    hide, rows = Command("settings.toggle", "help"), list[Row]()
    for group, keys in ESSENTIALS.items():
        rows.append(Row(group, does=hide, faint=True))
        rows += [Row(f"{key}\t{what}", does=hide) for key, what in keys.items()]
    return Panel("center", tuple(rows), "Keys; Ctrl+K finds all others", name="keys")


def guide_panel(text: str, ticked: str, *, low: bool) -> Panel | None:
    """Return the next thing to do in the first minute, or, with a tick, what was done just now.

    In a low picture, or in one of large text, it stands at the foot, where a caption stands in others.
    """
    text = f"\N{CHECK MARK} {ticked}" if ticked else text
    rows = Row(text, Role.HOT), Row("\N{MULTIPLICATION X} no more hints\tEsc", does=Command("start.guide.end"))
    return Panel("lower-left" if low else "lower-right", rows, fleeting=True, name="guide") if text else None


def lesson_panel(text: str, onward: str) -> Panel | None:
    """Return what a lesson says, and what comes next."""
    go_on = Row(f"\N{BLACK RIGHT-POINTING TRIANGLE} {onward}\tF8", does=Command("lesson.turn", 1))
    return Panel("lower-left", (Row(text), *([go_on] if onward else [])), name="lesson") if text else None


def notice_panel(text: str) -> Panel:
    """Return what the last command has to say."""
    return Panel("lower-right", (Row(without_carets(text)),), name="notice")
