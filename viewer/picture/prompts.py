"""Questions and menus as panels."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from viewer.records.commands import Command
from viewer.records.drawables import Panel, Row, ShapeFlags
from viewer.records.keys import printed
from viewer.records.sizes import unit_of
from viewer.records.text import around, without_carets

#: What stands before an option that is ticked, and before one that is not.
TICKED, OPEN = "\N{BALLOT BOX WITH CHECK}", "\N{BALLOT BOX}"

#: What stands beside a command that turns something on and off, where it is on.
ON = "\N{CHECK MARK}"

#: Units of a picture's width that a plate leaves free beside its text; the shortest line, in heights of its letters.
FRAME, SHORTEST = 60.0, 8.0

#: Of a list in the middle: units of the picture's height that are left free, the height of a line in heights of its
#: letters, how many other lines there are, and how many it has at most.
ABOVE, LINE, OTHERS, MOST_LISTED = 70.0, 1.5, 4, 14

if TYPE_CHECKING:
    from viewer.session import Prompt, Session


def prompt_panel(session: Session, prompt: Prompt) -> Panel:
    """Return a question: with the line as far as it is typed, or the choices, and what was wrong with the answer.

    Of a line that is longer than there is room, what is around the cursor is shown; of a list that is found, as many
    choices around the one that is lit as there is room for.
    """
    room = line_room(session)
    if prompt.finds:
        rows = [Row(typed_line(prompt, room)), *_found(session, prompt)]
        rows.append(Row("Enter: do it, arrows: choose, Esc: close", faint=True))
    elif prompt.choices:
        rows = [*_error_rows(prompt), *_choices(session, prompt)]
    else:
        hint = "type to replace it, End: edit it" if prompt.whole else "Ctrl+Backspace: clear"
        rows = line_rows(prompt, room, f"Enter: done, {hint}, Esc: cancel")
        rows[-1:-1] = [
            Row(
                f"{TICKED if key in prompt.ticked else OPEN} {what}\t{printed(f'alt+{key}')}",
                does=Command("dialog.tick_option", key),
            )
            for key, what in prompt.options.items()
        ]
    return Panel("center", tuple(rows), prompt.title, at=prompt.at, name="prompt")


def line_room(session: Session) -> float:
    """Return for how many heights of its letters a line as wide as the picture has room, within a plate's frame."""
    size = session.viewport.size
    return max((size[0] / unit_of(size) - FRAME) / session.settings.theme.font_size, SHORTEST)


def line_rows(prompt: Prompt, room: float, hint: str) -> list[Row]:
    """Return the rows of a line that is typed: the line itself, what is wrong with it, and what can be done."""
    return [Row(typed_line(prompt, room)), *_error_rows(prompt), Row(hint, faint=True)]


def typed_line(prompt: Prompt, room: float = math.inf) -> str:
    """Return what is typed of a line, as far as there is room around the cursor."""
    if prompt.whole:
        return around(f"[{prompt.text}]", len(prompt.text) + 1, room)
    return around(f"{prompt.text[: prompt.cursor]}|{prompt.text[prompt.cursor :]}", prompt.cursor, room)


def _error_rows(prompt: Prompt) -> list[Row]:
    return [Row(without_carets(prompt.error), ShapeFlags.HIT)] if prompt.error else []


def _found(session: Session, prompt: Prompt) -> list[Row]:
    """Return as many of the choices as there is room for, and how many others there are."""
    keys = [*prompt.choices]
    if not keys:
        return [Row("nothing has these words", faint=True)]
    size = session.viewport.size
    lines = (size[1] / unit_of(size) - ABOVE) / session.settings.theme.font_size / LINE
    count = min(max(int(lines) - OTHERS, 1), MOST_LISTED)
    at = keys.index(prompt.hot) if prompt.hot in keys else 0
    first = min(max(at - count // 2, 0), max(len(keys) - count, 0))
    scrolls = Command("dialog.step_choice")
    rows = [replace(_choice(session, prompt, key), scrolls=scrolls) for key in keys[first : first + count]]
    last = first + len(rows)
    part = f"{first + 1}\N{EN DASH}{last} of {len(keys)}"
    return [*rows, *([Row(part, faint=True, scrolls=scrolls)] if len(keys) > len(rows) else [])]


def _choices(session: Session, prompt: Prompt) -> list[Row]:
    """Return the choices: of a menu, the letter that chooses each is marked; of others, the key stands before it."""
    rows = []
    for key, what in prompt.choices.items():
        row, menu = _choice(session, prompt, key), prompt.is_menu
        inside = menu and key in what.partition("\t")[0].lower()
        text = row.text if inside else f"{key} {row.text}" if menu else f"{key}\t{row.text}"
        rows.append(replace(row, text=text, mark=key if menu else ""))
    return [*rows, Row("close\tEsc" if prompt.is_menu else "Esc\tcancel", does=Command("dialog.dismiss"))]


def _choice(session: Session, prompt: Prompt, key: str) -> Row:
    """Return a choice: a command is faint where there is nothing for it to do, and marked where it turns something off.

    In what is found, none is marked.
    """
    command = prompt.commands.get(key)
    on = f"\t{ON}" if command is not None and prompt.is_menu and session.is_on(command) else ""
    faint = command is not None and not session.can(command)
    return Row(prompt.choices[key] + on, does=Command("dialog.answer", key), faint=faint, highlighted=key == prompt.hot)
