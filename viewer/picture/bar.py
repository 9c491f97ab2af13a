"""The bar of buttons: the commands that one wants first, each as an icon with a tip."""

from __future__ import annotations

from typing import TYPE_CHECKING

from viewer.gizmo import GIZMOS
from viewer.records.commands import Command
from viewer.records.drawables import Bar, Button
from viewer.records.keys import printed
from viewer.records.sizes import unit_of
from viewer.records.theme import FONT_SIZE
from viewer.session.commands import BINDINGS

if TYPE_CHECKING:
    from viewer.session import Session

#: What the mouse does in place of a key: it takes handles, where keys take the selection itself.
_BY_MOUSE = {key: Command("manipulation.tool.set_mode", mode) for key, mode in zip("grs", GIZMOS, strict=True)}

#: The icons by the keys of their commands, in groups.
_GROUPS: tuple[dict[str, str], ...] = (
    {"g": "move", "r": "turn", "s": "size"},
    {"a": "add", "ctrl+z": "undo"},
    {"space": "play", "shift+e": "explain", "f": "frame", "w": "see-through", "ctrl+p": "picture", "shift+l": "lock"},
    {"j": "joints"},
    {"h": "help", "f10": "menu"},
)

#: Where a menu that is opened by a button stands, in units from the left.
_BESIDE = 58.0


def bar_of(session: Session) -> Bar:
    """Return the buttons, as they are just now: which are on, and which have nothing to do."""
    buttons = []
    for group in _GROUPS:
        left_out = {"space": not session.player.has_motion, "j": session.joints.model is None}
        shown = [key for key in group if key in BINDINGS and not left_out.get(key)]
        buttons += [_button(session, key, group[key], first=key == shown[0]) for key in shown]
    return Bar(tuple(buttons))


def _button(session: Session, key: str, icon: str, *, first: bool) -> Button:
    binding, size = BINDINGS[key], session.viewport.size
    does = _BY_MOUSE.get(key, binding.command)
    if icon == "play" and session.player.playing:
        icon = "pause"
    elif icon == "lock" and not session.manipulation.tool.locked:
        icon = "unlock"
    elif icon == "menu":  # beside the bar, whatever shape is seen there
        does = Command(
            "dialog.ask_menus", (_BESIDE * unit_of(size) * session.settings.theme.font_size / FONT_SIZE, 0.5 * size[1])
        )
    return Button(
        f"{binding.name or icon}\t{printed(key)}",
        does=does,
        faint=not session.can(does),
        icon=icon,
        on=session.is_on(does),
        first=first,
    )
