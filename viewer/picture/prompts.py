"""Questions and menus as panels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from viewer.records.commands import Command
from viewer.records.drawables import Panel, Row, ShapeFlags
from viewer.records.keys import printed
from viewer.records.text import around, without_carets

#: What stands before an option that is ticked, and before one that is not.
TICKED, OPEN = "\N{BALLOT BOX WITH CHECK}", "\N{BALLOT BOX}"

if TYPE_CHECKING:
    from viewer.session import Prompt


def prompt_panel(prompt: Prompt, room: float = math.inf, count: int = 14) -> Panel:
    """Return a question: with the line as far as it is typed, or the choices, and what was wrong with the answer.

    Of a line that is longer than there is room, what is around the cursor is shown; of a list that is found, so many
    choices around the one that is lit.
    """
    if prompt.finds:
        rows = [Row(typed_line(prompt, room)), *_found(prompt, count)]
        rows.append(Row("Enter: do it, arrows: choose, Esc: close", faint=True))
    elif prompt.choices:
        rows = [*_error_rows(prompt), *_choices(prompt)]
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


def _found(prompt: Prompt, count: int) -> list[Row]:
    """Return as many of the choices as there is room for, and how many others there are."""
    keys = [*prompt.choices]
    if not keys:
        return [Row("no command has these words", faint=True)]
    at = keys.index(prompt.hot) if prompt.hot in keys else 0
    first = min(max(at - count // 2, 0), max(len(keys) - count, 0))
    scrolls = Command("dialog.step_choice")
    rows = [
        Row(
            prompt.choices[key],
            does=Command("dialog.answer", key),
            faint=key in prompt.faint,
            highlighted=key == prompt.hot,
            scrolls=scrolls,
        )
        for key in keys[first : first + count]
    ]
    last = first + len(rows)
    part = f"{first + 1}\N{EN DASH}{last} of {len(keys)}"
    return [*rows, *([Row(part, faint=True, scrolls=scrolls)] if len(keys) > len(rows) else [])]


def _choices(prompt: Prompt) -> list[Row]:
    """Return the choices: of a menu, the letter that chooses each is marked; of others, the key stands before it."""
    rows = []
    for key, what in prompt.choices.items():
        inside = prompt.is_menu and key in what.partition("\t")[0].lower()
        text = what if inside else f"{key} {what}" if prompt.is_menu else f"{key}\t{what}"
        mark, highlighted = key if prompt.is_menu else "", key == prompt.hot
        rows.append(
            Row(text, does=Command("dialog.answer", key), faint=key in prompt.faint, mark=mark, highlighted=highlighted)
        )
    return [*rows, Row("close\tEsc" if prompt.is_menu else "Esc\tcancel", does=Command("dialog.dismiss"))]
