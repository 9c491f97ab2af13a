"""What is typed after a mode that the selection refuses: it is part of a phrase, and no command."""

from __future__ import annotations

from collections.abc import Iterable

from collision import Scene
from viewer.gizmo import Mode
from viewer.gizmo.entry import Entry
from viewer.keys import chord
from viewer.session.handling import Handling


class Refusing(Handling):
    """The layer of a session that takes an axis and a number where there is nothing to change, and does nothing.

    They would be commands otherwise: ``r z 90`` is to turn, never to look along z.
    """

    _refused: bool = False

    def take(self, mode: Mode) -> None:
        """Show the handles of a mode, and begin it where something is selected that it can change.

        Where it cannot, `type_key` takes what follows, up to Enter, Escape, a click or a command, and does nothing.
        """
        super().take(mode)
        self._refused = self.gizmo is not None and bool(self.gizmo.note)

    def type_key(  # noqa: D102 (see Handling)
        self, symbol: str, *, shift: bool = False, ctrl: bool = False, alt: bool = False
    ) -> bool:
        if not self._refused:
            return super().type_key(symbol, shift=shift, ctrl=ctrl, alt=alt)
        name = chord(symbol, shift=shift, ctrl=ctrl, alt=alt)
        bare = name.removeprefix("shift+")
        part = bare in ("x", "y", "z") or Entry.of(1).pressed(name if bare == "tab" else bare) is not None
        # Shift by itself, which is held for a plane, is no command that would end the phrase.
        self._refused = part or bare.startswith("shift")
        return part or name in ("return", "enter", "escape")

    # -- what ends it -------------------------------------------------------------------------------------------------

    def press(self, x: float, y: float, *, ctrl: bool = False) -> bool:  # noqa: D102 (see Handling)
        self._refused = False
        return super().press(x, y, ctrl=ctrl)

    def cancel(self) -> bool:  # noqa: D102 (see Handling)
        self._refused = False
        return super().cancel()

    def select_many(self, names: Iterable[str]) -> None:  # noqa: D102 (see Handling)
        self._refused = False
        super().select_many(names)

    def _show(self, scene: Scene, selected: Iterable[str]) -> None:
        self._refused = False
        super()._show(scene, selected)
