"""The panel of the joints of a robot: a slider for each, with its limits and its value."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from viewer.picture.prompts import line_room, line_rows, typed_line
from viewer.records.commands import Command
from viewer.records.drawables import Panel, Row, Slider
from viewer.records.sizes import unit_of
from viewer.session.joints import JointNumber
from viewer.session.prompt import JOINTS

if TYPE_CHECKING:
    from viewer.session import Session

#: Digits of limits, of values in a list, and how wide a value is that is typed, in heights of the text.
_DIGITS, _VALUE, _TYPED = 4, 4, 6.0

#: In a picture that is narrower, in heights of the text, limits are told only of a joint in hand.
_NARROW = 44.0

#: What stands beside the track of a joint that has no end.
ENDLESS = "\N{CLOCKWISE OPEN CIRCLE ARROW}"


def sliders_panel(session: Session) -> Panel | None:
    """Return the panel of the joints; None where it is not shown."""
    panel, asked = session.sliders, session.prompt
    if not panel.shown or not session.joints.numbers:
        return None
    listed, (first, shown) = panel.listed, panel.window
    rows: list[Row] = []
    find = Command("dialog.ask_joints")
    if asked is not None and asked.place == JOINTS:
        rows += line_rows(asked, line_room(session), "Enter: done, Esc: all of them")
    elif panel.filter:
        rows.append(Row(f"{len(listed):,} with {panel.filter!r}", does=find))
    values = session.joints.values
    for name in shown:
        rows += _slider_rows(session, session.joints.number(name), values[name])
    if len(listed) > len(shown):
        part = f"{first + 1:,}\N{EN DASH}{first + len(shown):,} of {len(listed):,}"
        rows.append(Row(f"{part}, Ctrl+J finds", does=find))
    rows.append(Row("poses: Shift+J", does=Command("dialog.ask_pose")))
    scrolled = tuple(replace(row, scrolls=Command("sliders.scroll")) for row in rows)
    return Panel("upper-right", scrolled, "Joints", name="joints")


def _slider_rows(session: Session, one: JointNumber, value: float) -> list[Row]:
    """Return the row of a joint, and below one that is typed what can be done."""
    asked, (lower, upper) = session.prompt, session.joints.track(one.name)
    size = session.viewport.size
    narrow = size[0] < _NARROW * unit_of(size) * session.settings.theme.font_size
    limits = ("", "", ENDLESS) if one.endless else ("", "", "") if narrow else _limits(one)
    shown, below = one.written(value, _VALUE), list[Row]()
    if asked is not None and asked.place == f"{JOINTS}: {one.name}":
        shown = f"[{asked.text}]" if asked.whole else typed_line(asked, _TYPED)
        unit = "degrees" if one.angle else "scene units"
        below = line_rows(asked, math.inf, f"{unit}; Enter: done, Tab: the next, Esc: leave")[1:]
    name = f"{one.name} (follows)" if one.follows else one.name
    at = value - round(value / (upper - lower)) * (upper - lower) if one.endless and one.angle else value
    choose, ask = Command("sliders.choose", one.name), Command("dialog.ask_joint", one.name)
    follows = bool(one.follows)
    row = Slider(
        "\t".join([name, *limits, shown]),
        does=ask if follows else choose,  # which says what it follows
        faint=follows,
        highlighted=session.sliders.listens and one.name == session.sliders.chosen,
        cells=() if follows else (choose, choose, choose, choose, ask),
        drags=None if follows else Command("joints.slide_to", one.name),
        knob=(at - lower) / (upper - lower) if upper > lower else 0.5,
        beyond=not one.lower <= value <= one.upper,
        zero=-lower / (upper - lower) if lower < 0.0 < upper else None,
    )
    return [row, *below]


def _limits(one: JointNumber) -> tuple[str, str, str]:
    return one.written(one.lower, _DIGITS), "", one.written(one.upper, _DIGITS)
