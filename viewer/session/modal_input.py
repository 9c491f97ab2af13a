"""Changes by key: phrases such as ``g x 1.5 Enter``, and those that the selection refuses.

A phrase that is refused is swallowed: what follows is part of it, and no command. ``r z 90`` is to turn, never to look
along z.
"""

from __future__ import annotations

from viewer.gizmo import Mode
from viewer.gizmo.active_drag import ActiveDrag, Entry
from viewer.records.events import Key, Pointer
from viewer.session.document import Document
from viewer.session.transform_tool import TransformTool
from viewer.session.view import View

#: The planes that are chosen by the axis that they leave out.
_PLANES = {"x": "yz", "y": "xz", "z": "xy"}


class ModalInput:
    """Takes keys for what a tool has in hand."""

    def __init__(self, document: Document, view: View, tool: TransformTool) -> None:
        self._document, self._view, self._tool = document, view, tool
        self._refused = False

    def obstacle(self, key: Key, *, bound: bool) -> str:
        """Say why a key gives no command now, as a number is being typed or comes next; nothing where it may."""
        hand = self._tool.hand
        if hand is not None and hand.entry.begun and (bound or key.character):
            what = "there is only one number to type" if hand.entry.ended else "a number is being typed"
            return f"{what}: Enter takes it, Esc drops it"
        chosen = hand is not None and hand.pressed is None and hand.handle is not None  # an axis, by key
        if chosen and key.character and not (key.ctrl or key.alt):
            return "a number comes next: Enter is the end of it, Esc drops it"
        return ""

    def take(self, mode: Mode) -> None:
        """Show the handles of a mode, and begin it where something is selected that it can change."""
        self._tool.set_mode(mode)
        self._refused = True
        gizmo = self._tool.gizmo_for(mode, checked=False)
        if not gizmo.note:
            self._tool.begin(mode)
        elif self._tool.gizmo is None:  # which would say so
            raise ValueError(gizmo.note)

    def type_key(self, symbol: str, *, shift: bool = False, ctrl: bool = False, alt: bool = False) -> bool:
        """Take a key for what is in hand; False when nothing is, or the key means nothing to it."""
        hand, key = self._tool.hand, Key(symbol, shift, ctrl, alt).chord
        if self._refused:
            return self._swallow(key)
        if hand is None:
            return False
        if key in ("return", "enter"):
            refused = hand.trouble and hand.change is None and hand.entry.begun
            return True if refused else self._tool.accept()  # what was typed stays there, and why it cannot be done
        if key == "escape":
            return self._tool.cancel()
        bare = key.removeprefix("shift+")
        if bare in _PLANES:
            self._choose(hand, _PLANES[bare] if shift and hand.gizmo.mode == "translate" else bare)
        elif not hand.type(key if bare == "tab" else bare, self._view.viewport):
            return False
        self._tool.show_hand()
        return True

    def _swallow(self, key: str) -> bool:
        """Tell whether a key is part of a phrase that is refused."""
        bare = key.removeprefix("shift+")
        part = bare in _PLANES or Entry.of(1).pressed(key if bare == "tab" else bare) is not None
        # Shift by itself, which is held for a plane, is no command that would end the phrase.
        self._refused = part or bare.startswith("shift")
        return part or key in ("return", "enter", "escape")

    def _choose(self, hand: ActiveDrag, axis: str) -> None:
        try:
            handle = hand.gizmo.along(axis)
        except ValueError as trouble:
            hand.trouble = str(trouble)
            return
        if handle == hand.handle:  # the same axis again
            self._tool.switch_axes_in_hand()
        else:
            self._tool.retake(handle)

    # -- what is heard of ---------------------------------------------------------------------------------------------

    def key(self, key: Key) -> bool:
        """Take a key for what is in hand; whatever the last command had to say is no longer said."""
        taken = self.type_key(key.symbol, shift=key.shift, ctrl=key.ctrl, alt=key.alt)
        if not self._refused:  # why it is refused stands there to the end of the phrase
            self._document.say("")
        return taken

    def press(self, _: Pointer) -> bool:
        """End a phrase that is refused, and leave the mouse to others."""
        self._refused = False
        return False

    def cancel(self) -> bool:
        """End a phrase that is refused, which is nothing in hand."""
        self._refused = False
        return False
