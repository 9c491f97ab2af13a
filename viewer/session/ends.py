"""Which part of a shape the handles are at, chosen without the mouse."""

from __future__ import annotations

from viewer.gizmo.changes import Part
from viewer.session.phrasing import Phrasing


class Ends(Phrasing):
    """The layer of a session that chooses between the body of a shape, its ends and its tip."""

    def choose_part(self, part: Part) -> None:
        """Have another part carry the handles: ``body``, ``start``, ``end`` or ``tip``.

        Raises
        ------
        ValueError
            If what is selected has no such part that moves alone.
        """
        parts = self._parts()
        if part not in parts:
            has = f"what is selected has {', '.join(parts)}" if parts else "select a shape first"
            raise ValueError(f"{has}, got {part!r}" if parts else has)
        self.cancel()
        self._mode, self._part, self._hover = "translate", part, None
        self._touch()

    def next_part(self) -> None:
        """Have the next of its parts carry the handles, round and round.

        Raises
        ------
        ValueError
            If what is selected has no end that moves alone.
        """
        parts = list(self._parts())
        if len(parts) == 1:
            raise ValueError("what is selected has no end that moves alone")
        place = parts.index(self._part) + 1 if self._part in parts else 0
        self.choose_part(parts[place % len(parts)] if parts else "body")
