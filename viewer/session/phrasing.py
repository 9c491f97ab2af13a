"""Changes by key: phrases such as ``g x 1.5 Enter``, and those that the selection refuses.

A phrase that is refused is swallowed: what follows is part of it, and no command. ``r z 90`` is to turn, never to look
along z.
"""

from __future__ import annotations

from collections.abc import Iterable

from collision import Scene
from viewer.gizmo import GIZMOS, Hand, Mode
from viewer.gizmo.hand import Entry
from viewer.session.handling import Handling
from viewer.session.keys import chord

#: The planes that are chosen by the axis that they leave out.
_PLANES = {"x": "yz", "y": "xz", "z": "xy"}


class Phrasing(Handling):
    """The layer of a session that takes the selection in hand by a key, and then an axis and numbers."""

    _refused: bool = False

    @property
    def typing(self) -> bool:
        """Whether a number has been begun for what is in hand: keys that are no part of it are then no commands."""
        return self._hand is not None and self._hand.entry.begun

    @property
    def past_the_only(self) -> bool:
        """Whether Tab was pressed after the only number that there is to type."""
        return self._hand is not None and self._hand.entry.ended

    @property
    def refusing(self) -> bool:
        """Whether a mode was refused, and what follows of the phrase is swallowed."""
        return self._refused

    def begin(self, mode: Mode, axis: str | None = None) -> None:
        """Take the selection in hand without the mouse: keys choose an axis and type numbers, Enter is the end of it.

        Parameters
        ----------
        mode : str
            ``translate``, ``rotate`` or ``size``.
        axis : str, optional
            ``x``, ``y`` or ``z``; a plane to move in, such as ``xy``; ``view`` to turn in the plane of the view; or the
            name of a size. Without it, all three coordinates, the view, or all sizes can be typed.

        Raises
        ------
        ValueError
            If nothing is selected, there is nothing that the mode could change, or the axis is none of it.

        Examples
        --------
        >>> from collision import Sphere
        >>> from viewer.session import Session
        >>> session = Session(Scene({"ball": Sphere([0, 0, 0], 1)}))
        >>> session.select("ball")
        >>> session.begin("translate", axis="x")
        >>> all([session.type_key(key) for key in ("1", ".", "5", "Return")])
        True
        >>> session.scene["ball"].center
        array([1.5, 0. , 0. ])
        """
        if mode not in GIZMOS:
            raise ValueError(f"mode must be one of {', '.join(GIZMOS)}, got {mode!r}")
        self.cancel()
        gizmo = self._gizmo_for(mode)
        handle = None if axis is None else gizmo.along(axis)
        self._mode, self._hover = mode, None
        if mode != "translate":
            self._part = "body"
        self._hand = Hand(self._scene, self._selected, gizmo, handle)
        self._touch()

    def take(self, mode: Mode) -> None:
        """Show the handles of a mode, and begin it where something is selected that it can change.

        Where it cannot, `type_key` takes what follows, up to Enter, Escape, a click or a command, and does nothing.

        Raises
        ------
        ValueError
            If nothing is selected, or it has no elements.
        """
        self.set_mode(mode)
        self._refused = True
        gizmo = self._gizmo_for(mode, checked=False)
        if not gizmo.note:
            self.begin(mode)
        elif self.gizmo is None:  # which would say so
            raise ValueError(gizmo.note)

    def type_key(self, symbol: str, *, shift: bool = False, ctrl: bool = False, alt: bool = False) -> bool:
        """Take a key for what is in hand; False when nothing is, or the key means nothing to it.

        ``x``, ``y`` and ``z`` choose an axis (the same again: of the world or the shape's own; with Shift: the plane
        across it), then digits, a point and a minus are typed; Tab goes to the next number, Backspace back, Enter
        accepts, and Escape drops all.
        """
        hand, name = self._hand, chord(symbol, shift=shift, ctrl=ctrl, alt=alt)
        if self._refused:
            return self._swallow(name)
        if hand is None:
            return False
        if name in ("return", "enter"):
            refused = hand.trouble and hand.change is None and hand.entry.begun
            return True if refused else self.accept()  # what was typed stays there, and why it cannot be done
        if name == "escape":
            return self.cancel()
        bare = name.removeprefix("shift+")
        if bare in _PLANES:
            self._choose(hand, _PLANES[bare] if shift and hand.gizmo.mode == "translate" else bare)
        elif not hand.type(name if bare == "tab" else bare, self._viewport):
            return False
        self._follow(hand)
        return True

    def _swallow(self, name: str) -> bool:
        """Tell whether a key is part of a phrase that is refused."""
        bare = name.removeprefix("shift+")
        part = bare in _PLANES or Entry.of(1).pressed(name if bare == "tab" else bare) is not None
        # Shift by itself, which is held for a plane, is no command that would end the phrase.
        self._refused = part or bare.startswith("shift")
        return part or name in ("return", "enter", "escape")

    def _choose(self, hand: Hand, axis: str) -> None:
        try:
            handle = hand.gizmo.along(axis)
        except ValueError as trouble:
            hand.trouble = str(trouble)
            return
        if handle == hand.handle:
            # The same axis again is that of the others for this phrase, and no longer.
            own = self._own_axes or self._axes
            self._follow_axes("local" if self._axes == "world" else "world")
            self._own_axes = own
        else:
            self._retake(hand, handle)

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
