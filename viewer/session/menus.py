"""The menus: every command by its name, for the mouse, and for who does not know its key yet.

A menu is a question with choices: a letter of each is its key there, and a click on its row is as good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from viewer.session.commands import MENUS, Action, Command
from viewer.session.dialog import Dialog, Prompt
from viewer.session.keys import printed
from viewer.session.selection import Selection
from viewer.session.view import View

#: What stands beside that which is on.
ON = "\N{CHECK MARK}"


class Menus:
    """Asks which command to give.

    Parameters
    ----------
    view, selection, dialog
        Where a menu opens, what is selected for it, and what asks.
    do, tell : callable
        Do an action to the session; and return what an action says of the session.
    """

    def __init__(
        self,
        view: View,
        selection: Selection,
        dialog: Dialog,
        *,
        do: Callable[[Action], None],
        tell: Callable[[Action], object],
    ) -> None:
        self._view, self._selection, self._dialog = view, selection, dialog
        self._do, self._tell = do, tell

    def ask_menu(self, title: str | None = None, *, at: tuple[float, float] | None = None) -> None:
        """Ask which command of a menu to give, by its title in `viewer.session.commands.MENUS`; or else which menu.

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
        width, height = self._view.viewport.size
        place = None if at is None else (at[0] / width, at[1] / height)
        if title is None:
            if at is not None:
                self._selection.point_at(*at)
            titles = letters(MENUS)
            self._dialog.ask(Prompt("Menu", titles, at=place, answered=lambda key: self.ask_menu(titles[key], at=at)))
            return
        if title not in MENUS:
            raise ValueError(f"a menu is one of {', '.join(MENUS)}, got {title!r}")
        commands = dict(zip(letters(command.name for command in MENUS[title]), MENUS[title], strict=True))
        choices = {key: self._row(command) for key, command in commands.items()}
        faint = frozenset(key for key, command in commands.items() if not self._tell(command.can))

        def answered(key: str) -> None:
            self._do(commands[key].action)

        self._dialog.ask(Prompt(title, choices, at=place, faint=faint, answered=answered))

    def _row(self, command: Command) -> str:
        """Return the columns of a command: its name, its key, and a mark where it would turn something off."""
        on = command.on is not None and self._tell(command.on)
        return "\t".join([command.name, printed(command.chords[0]), *([ON] if on else [])])


def letters(names: Iterable[str]) -> dict[str, str]:
    """Return a key for each of some names: the first of its letters that none before it has, or else a digit.

    Examples
    --------
    >>> letters(["save", "save as", "revert"])
    {'s': 'save', 'a': 'save as', 'r': 'revert'}
    """
    keys: dict[str, str] = {}
    for name in names:
        characters = [*filter(str.isalpha, name.lower()), *"123456789"]
        keys[next(character for character in characters if character not in keys)] = name
    return keys
