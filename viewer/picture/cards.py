"""The card of what is selected: what there is to know of a shape, or of a pair."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from collision import ConvexHull, Shape, why
from collision.inner import KIND_NAMES
from viewer.camera.elements import numbers_of
from viewer.picture.pairs import Closeup, normals_text
from viewer.picture.prompts import line_rows, typed_line
from viewer.picture.shapes import Flags
from viewer.records.commands import Command
from viewer.records.drawables import Panel, Role, Row, ShapeFlags
from viewer.records.text import around
from viewer.records.words import counted, number, size_of
from viewer.session.inspector import MOST, InspectorField

if TYPE_CHECKING:
    from viewer.session import Session


#: A number that is typed is shown around its cursor, so many letters wide.
TYPED = 9.0

#: A picture that is lower than so many pixels has fewer digits, and of a pair no witness points.
LOW = 720


def card_panel(session: Session, closeup: Closeup | None, flags: Flags) -> Panel | None:
    """Return what there is to know of what is selected, given the flags of all elements; None where nothing is."""
    selected, scene = session.selected, session.scene
    if not selected:
        return None
    mark = _selected_flags(flags[numbers_of(scene, selected)])
    kinds = [Row(kinds_text([scene[name] for name in selected]), mark)] if len(selected) <= MOST else []
    if len(selected) == 1 and isinstance(hull := scene[selected[0]], ConvexHull) and not hull.batch_shape:
        kinds.append(
            Row(f"{counted(len(hull.polytope.corners), 'corner')}, {counted(len(hull.polytope.faces), 'face')}")
        )
    rows = [row for field in session.manipulation.inspector.fields for row in _field_rows(session, field)]
    if closeup is not None and session.selection.pair is not None:
        names = f"{closeup.a} \N{MIDDLE DOT} {closeup.b}"
        rows += _pair_rows(session, closeup)
    else:
        names = selected[0] if len(selected) == 1 else counted(len(selected), "shape")
        rows += _nearest_rows(closeup) if len(selected) == 1 else []
    return Panel("upper-right", (*kinds, *rows), names, name="card")


def _selected_flags(flags: Flags) -> ShapeFlags:
    """Return how the card marks selected elements: as colliding if any of them is, else as touching if any is."""
    any_of = ShapeFlags(int(np.bitwise_or.reduce(flags)))
    return ShapeFlags.SELECTED | (any_of & ShapeFlags.HIT or any_of & ShapeFlags.TOUCHING)


def is_low(session: Session) -> bool:
    """Tell whether a picture has room only for the most important."""
    return session.viewport.size[1] < LOW


def _digits(session: Session) -> int:
    return 3 if is_low(session) else 6


def _field_rows(session: Session, field: InspectorField) -> list[Row]:
    """Return a field and its numbers, and below one that is typed what can be done."""
    digits, scale = _digits(session), size_of([value or 0.0 for value in field.numbers])
    cells = ["\N{EN DASH}" if value is None else number(value, scale, digits) for value in field.numbers]
    asked = session.prompt
    typed = [k for k in range(len(cells)) if asked is not None and asked.place == field.place(k)]
    commands = [Command("dialog.ask_number", field.name, k) for k in range(len(cells))]
    below = []
    if asked is not None and typed:
        cells[typed[0]] = around(f"[{asked.text}]", 0, TYPED) if asked.whole else typed_line(asked, TYPED)
        way = "degrees about the world's x, then y, then z; " if field.name == "rotation" else ""
        below = line_rows(asked, math.inf, f"{way}Enter: done, Tab: the next, Esc: leave")[1:]
    return [Row("\t".join([field.label, *cells]), cells=(commands[0], *commands), does=commands[0]), *below]


def kinds_text(shapes: Iterable[Shape]) -> str:
    """Say which kinds some shapes and batches are of, by their names in files, and how many of each there are.

    Examples
    --------
    >>> from collision import Point, Sphere
    >>> kinds_text([Sphere([[0, 0, 0], [1, 0, 0]], 1), Sphere([2, 0, 0], 1), Point([0, 0, 0])])
    '3 spheres, point'
    """
    counts = Counter[str]()
    for shape in shapes:
        counts[KIND_NAMES[type(shape)]] += math.prod(shape.batch_shape)
    return ", ".join(
        kind if count == 1 else f"{count:,} {kind}{'es' if kind.endswith('x') else 's'}"
        for kind, count in counts.items()
    )


def _nearest_rows(closeup: Closeup | None) -> list[Row]:
    if closeup is None:
        return []
    choice = normals_text(closeup.normals) if closeup.signed_distance <= 0.0 else ""
    nearest = Row(
        f"nearest: {closeup.a}, {closeup.distance}", does=Command("selection.show_pair", closeup.a, closeup.b)
    )
    return [nearest, *([Row(choice, Role.NORMAL)] if choice else [])]


def _pair_rows(session: Session, closeup: Closeup) -> list[Row]:
    """Return what else there is to know of the selected pair, and why it is reported or not."""
    touch = closeup.contact
    scale = size_of(touch.on_a, touch.on_b)
    vectors = {"normal": (touch.normal, 1.0)}
    if not is_low(session):
        vectors |= {f"on {closeup.a}": (touch.on_a, scale), f"on {closeup.b}": (touch.on_b, scale)}
    if 0.0 < touch.depth < math.inf:
        vectors["parted by"] = touch.depth * touch.normal, scale
    digits = _digits(session)
    rows = [
        Row("\t".join([what, *(number(x, size, digits) for x in v.tolist())])) for what, (v, size) in vectors.items()
    ]
    choice = normals_text(closeup.normals)
    margin = session.settings.margin if session.settings.toggles.distances else 0.0
    reason = why(session.scene, closeup.a, closeup.b, margin=margin)
    verdict = f"{'' if reason.reported else 'not '}reported: {reason.in_words(partial(number, scale=scale))}"
    return [*rows, *([Row(choice, Role.NORMAL)] if choice else []), Row(verdict)]
