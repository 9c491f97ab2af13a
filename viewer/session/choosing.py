"""Menus, and commands that are given by a click on what a panel says."""

from __future__ import annotations

from collision import AABB
from viewer.gizmo import Mode
from viewer.session.asking import BOOKMARKS, Asking, reason
from viewer.session.keys import COMMANDS, Command
from viewer.session.menus import MENUS, NEEDS, ON, SWITCHES, letters, printed
from viewer.view.picking import pick


class Choosing(Asking):
    """The layer of a session that has menus."""

    def do(self, command: Command) -> None:
        """Give a command, such as one of `viewer.session.keys.COMMANDS`; what it cannot do, it says in `notice`."""
        self.say("")
        try:
            command(self)  # type: ignore[arg-type]  # the session is whole by the time that anybody gives commands
        except (ValueError, KeyError) as error:  # a key or a click has nobody else to tell
            self.say(reason(error))

    def ask_menu(self, title: str | None = None, *, at: tuple[float, float] | None = None) -> None:
        """Ask which command of a menu to give, by its title in `viewer.session.menus.MENUS`; or else which menu.

        Parameters
        ----------
        title : str, optional
            Of the menu.
        at : tuple of 2 floats, optional
            The pixel where it opens; by default it does in the middle of the picture. What is seen there is what the
            commands are for: a shape that is not selected is, and nothing else.

        Raises
        ------
        ValueError
            If there is no such menu.
        """
        width, height = self.viewport.size
        place = None if at is None else (at[0] / width, at[1] / height)
        if title is None:
            if at is not None:
                self._mean(*at)
            menus = letters(MENUS)
            self._ask("Menu", lambda key: self.ask_menu(menus[key], at=at), choices=menus, at=place)
            return
        if title not in MENUS:
            raise ValueError(f"a menu is one of {', '.join(MENUS)}, got {title!r}")
        keys = letters(MENUS[title])
        rows = [(key, name, MENUS[title][name]) for key, name in keys.items()]
        choices = {key: f"{name}\t{printed(chord)}{self._mark(chord)}" for key, name, chord in rows}
        faint = frozenset(key for key, _, chord in rows if chord in NEEDS and not getattr(self, NEEDS[chord]))
        self._ask(title, lambda key: self.do(COMMANDS[MENUS[title][keys[key]]]), choices=choices, at=place, faint=faint)

    # -- what there is to do, for the menus ---------------------------------------------------------------------------

    @property
    def movable(self) -> bool:
        """Whether something is selected that handles can move."""
        return self._can("translate")

    @property
    def turnable(self) -> bool:
        """Whether something is selected that handles can turn."""
        return self._can("rotate")

    @property
    def sizable(self) -> bool:
        """Whether something is selected that handles can resize or scale."""
        return self._can("size")

    def _can(self, mode: Mode) -> bool:
        gizmo = self._new_gizmo(self._scene, mode)
        return gizmo is not None and not gizmo.note

    @property
    def has_ends(self) -> bool:
        """Whether what is selected has an end, or a tip, that moves alone."""
        return len(self._parts()) > 1

    @property
    def renamable(self) -> bool:
        """Whether the active one of what is selected has a name of its own."""
        return self.selection in self._scene.shapes

    @property
    def orientable(self) -> bool:
        """Whether a box is selected that `orient_selection` makes one that turns; elements of batches are none."""
        boxes = [name for name in self.selected if isinstance(self._scene[name], AABB)]
        return bool(boxes) and all(name in self._scene.shapes for name in boxes)

    def _mark(self, chord: str) -> str:
        """Return a column with a mark where a command would turn something off, or else nothing."""
        switch = SWITCHES.get(chord)
        if switch is None:
            return ""
        return f"\t{ON}" if getattr(self.toggles if hasattr(self.toggles, switch) else self, switch) else ""

    def _mean(self, x: float, y: float) -> None:
        """Select what is seen at a pixel, unless it is selected already, or nothing is."""
        found = pick(self.scene, self.viewport, x, y)
        if found is not None:
            number = self.scene.element_numbers(found)[0]
            if not any(number in self.scene.element_numbers(name) for name in self.selected):
                self.select(found)

    def ask_recall(self) -> None:
        """Ask which of the views that are remembered to return to.

        Raises
        ------
        ValueError
            If there is none.
        """
        kept = {key: "" for key in BOOKMARKS if key in self.bookmarks}
        if not kept:
            raise ValueError("no view is remembered; Ctrl+B remembers this one")
        self._ask("Return to the view", self.recall, choices=kept)
