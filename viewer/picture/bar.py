"""The bar of buttons: the commands that one wants first, each as an icon with a tip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.records.commands import Command
from viewer.records.drawables import Bar, Button
from viewer.records.keys import printed
from viewer.records.sizes import unit_of
from viewer.records.theme import FONT_SIZE
from viewer.session.commands import BINDINGS, Question

if TYPE_CHECKING:
    from viewer.gizmo import Mode
    from viewer.session import Session

#: What the handles do, by the key of the command.
_MODES: dict[str, Mode] = {"g": "translate", "r": "rotate", "s": "size"}

#: The icons by the keys of their commands, in groups.
_GROUPS: tuple[dict[str, str], ...] = (
    {"g": "move", "r": "turn", "s": "size"},
    {"a": "add", "ctrl+z": "undo"},
    {"space": "play", "shift+e": "explain", "f": "frame", "w": "see-through", "ctrl+p": "picture", "shift+l": "lock"},
    {"h": "help", "f10": "menu"},
)

#: Where a menu that is opened by a button stands, in units from the left.
_BESIDE = 58.0


def bar_of(session: Session) -> Bar:
    """Return the buttons, as they are just now: which are on, and which have nothing to do."""
    buttons = []
    for group in _GROUPS:
        shown = [key for key in group if key in BINDINGS and (key != "space" or session.player.has_motion)]
        buttons += [_button(session, key, group[key], first=key == shown[0]) for key in shown]
    return Bar(tuple(buttons))


def _button(session: Session, key: str, icon: str, *, first: bool) -> Button:
    command, size = BINDINGS[key], session.viewport.size
    tip, does, can, on = command.name or icon, command.command, command.can, command.on
    if key in _MODES:  # the mouse takes handles; keys take the selection itself
        mode = _MODES[key]
        does = Command("manipulation.tool.set_mode", mode)
        on = lambda session: session.manipulation.tool.mode == mode and session.selected  # noqa: E731
        can = _changes(can)
    elif icon == "play" and session.player.playing:
        icon = "pause"
    elif icon == "lock" and not session.manipulation.tool.locked:
        icon = "unlock"
    elif icon == "menu":  # beside the bar, whatever shape is seen there
        does = Command(
            "dialog.ask_menus", (_BESIDE * unit_of(size) * session.settings.theme.font_size / FONT_SIZE, 0.5 * size[1])
        )
    on_now, faint = on is not None and bool(on(session)), not can(session)
    return Button(f"{tip}\t{printed(key)}", does=does, faint=faint, icon=icon, on=on_now, first=first)


def _changes(can: Question) -> Question:
    """Return whether handles have something to do: for what is selected, or else for what will be."""
    return lambda session: not session.selected or can(session)
