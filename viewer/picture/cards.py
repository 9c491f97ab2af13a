"""The card of what is selected: what there is to know of a shape, or of a pair."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from collision import Shape, why
from viewer.picture.drawables import Panel, Role, Row, Solidity
from viewer.picture.pairs import Closeup, direction_text, normals_text
from viewer.picture.words import counted, number, size_of

if TYPE_CHECKING:
    from viewer.session import Session


def card_panel(session: Session, closeup: Closeup | None) -> Panel | None:
    """Return what there is to know of what is selected; None where nothing is."""
    selected, scene = session.selected, session.scene
    if not selected:
        return None
    if closeup is not None and session.pair is not None:
        names, rows = f"{closeup.a} \N{MIDDLE DOT} {closeup.b}", _pair_rows(session, closeup)
    else:
        names = selected[0] if len(selected) == 1 else counted(len(selected), "shape")
        rows = _nearest_rows(closeup) if len(selected) == 1 else []
    kinds = [Row(kinds_text([scene[name] for name in selected]), Solidity.SELECTED)]
    return Panel("upper-right", (*kinds, *rows), names)


def kinds_text(shapes: Iterable[Shape]) -> str:
    """Say which kinds some shapes and batches are of, and how many of each there are.

    Examples
    --------
    >>> from collision import Point, Sphere
    >>> kinds_text([Sphere([[0, 0, 0], [1, 0, 0]], 1), Sphere([2, 0, 0], 1), Point([0, 0, 0])])
    '3 Spheres, Point'
    """
    counts = Counter[str]()
    for shape in shapes:
        counts[type(shape).__name__] += math.prod(shape.batch_shape)
    return ", ".join(
        kind if count == 1 else f"{count:,} {kind}{'es' if kind.endswith('x') else 's'}"
        for kind, count in counts.items()
    )


def _nearest_rows(closeup: Closeup | None) -> list[Row]:
    if closeup is None:
        return []
    choice = normals_text(closeup.normals) if closeup.signed_distance <= 0.0 else ""
    return [Row(f"nearest: {closeup.a}, {closeup.distance}"), *([Row(choice, Role.NORMAL)] if choice else [])]


def _pair_rows(session: Session, closeup: Closeup) -> list[Row]:
    """Return what there is to know of the selected pair, and why it is reported or not."""
    touch = closeup.contact
    scale = size_of(touch.on_a, touch.on_b)
    measured = Row(f"{closeup.distance}, normal {direction_text(touch.normal)}")
    choice = normals_text(closeup.normals)
    margin = session.margin if session.toggles.distances else 0.0
    reason = why(session.scene, closeup.a, closeup.b, margin=margin)
    verdict = f"{'' if reason.reported else 'not '}reported: {reason.in_words(partial(number, scale=scale))}"
    return [measured, *([Row(choice, Role.NORMAL)] if choice else []), Row(verdict)]
