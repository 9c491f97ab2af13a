"""The menus: every command by its name, for the mouse, and for who does not know its key yet.

A menu is a question with choices: a letter of each is its key there, arrow keys go through them, and a click on its row
is as good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple, TypeAlias

from viewer.records.commands import Command
from viewer.records.keys import printed
from viewer.session.commands import BINDINGS, MENUS, Binding, Question
from viewer.session.dialog import Dialog, Prompt
from viewer.session.document import Document
from viewer.session.selection import Selection
from viewer.session.view import View

#: What stands beside that which is on, and beside that which opens another menu.
ON, LEADS_ON = "\N{CHECK MARK}", "\N{BLACK RIGHT-POINTING SMALL TRIANGLE}"

#: The commands in the menu of what is selected, by their keys.
_OF_SHAPES = ("g", "r", "s", "return", "ctrl+d", "f2", "ctrl+h", "shift+h", "f", "shift+e", "delete")

#: So many names stand in the title of a menu at most.
_FEW = 2

#: Where a menu is opened, in pixels, and what returns to the one before it.
Place: TypeAlias = tuple[float, float] | None
Back: TypeAlias = Callable[[], object] | None


class Entry(NamedTuple):
    """A row of a menu: its name, what it does, what stands beside it, and whether that opens another menu."""

    name: str
    does: Callable[[], object]
    beside: str = ""
    faint: bool = False
    leads_on: bool = False


class Menus:
    """Asks which command to give.

    Parameters
    ----------
    document, view, selection, dialog
        What it is about, where a menu opens, what is selected for it, and what asks.
    do, tell : callable
        Give a command to the session; and return what the session answers to a question of the table.
    """

    def __init__(
        self,
        document: Document,
        view: View,
        selection: Selection,
        dialog: Dialog,
        *,
        do: Callable[[Command], None],
        tell: Callable[[Question], object],
    ) -> None:
        self._document, self._view, self._selection, self._dialog = document, view, selection, dialog
        self._do, self._tell = do, tell

    def ask_menu(self, title: str | None = None, at: tuple[float, float] | None = None) -> None:
        """Ask which command of a menu to give, by its title in `viewer.session.commands.MENUS`; or else which menu.

        Parameters
        ----------
        title : str, optional
            Of the menu.
        at : tuple of 2 floats, optional
            The pixel where it opens; by default it does in the middle of the picture. Where a shape is seen there, it
            is selected unless it is already, and without a title, the menu is that of what is selected.

        Raises
        ------
        ValueError
            If there is no such menu.
        """
        if title is not None and title not in MENUS:
            raise ValueError(f"a menu is one of {', '.join(MENUS)}, got {title!r}")
        if title is None and at is not None and self._selection.point_at(*at):
            self._ask_shapes(at)
        elif title is None:
            self._ask_titles(at)
        else:
            self._ask_commands(title, at)

    def ask_menus(self, at: Place = None) -> None:
        """Ask which menu.

        Parameters
        ----------
        at : tuple of 2 floats, optional
            The pixel where it opens, whatever is seen there.
        """
        self._ask_titles(at)

    def _ask_titles(self, at: Place, *, hot: str = "", back: Back = None) -> None:
        """Ask which menu."""
        entries = []
        for title in MENUS:
            returning = partial(self._ask_titles, at, hot=title, back=back)
            entries.append(Entry(title, partial(self._ask_commands, title, at, returning), LEADS_ON, leads_on=True))
        self._ask("Menu", entries, at, hot, back)

    def _ask_commands(self, title: str, at: Place, back: Back = None) -> None:
        """Ask which command of a menu."""
        self._ask(title, map(self._entry, MENUS[title]), at, "", back)

    def _ask_shapes(self, at: Place, *, hot: str = "") -> None:
        """Ask what to do with what is selected."""
        names, pair = self._document.selected, self._selection.pair
        commands = [BINDINGS[key] for key in _OF_SHAPES]
        if pair is not None:
            commands.insert(-1, Binding("frame the pair", "", "", Command("selection.show_pair", *pair)))
        further = Entry("general menu", lambda: None, LEADS_ON, leads_on=True)
        returning = partial(self._ask_shapes, at, hot=further.name)
        further = further._replace(does=partial(self._ask_titles, at, back=returning))
        title = " and ".join(names) if len(names) <= _FEW else f"{len(names)} shapes"
        if len(names) == 1:
            title = f"{title}, {type(self._document.scene[title]).__name__}"
        self._ask(title, [*map(self._entry, commands), further], at, hot)

    def _ask(self, title: str, entries: Iterable[Entry], at: Place, hot: str = "", back: Back = None) -> None:
        """Ask for one of some entries; one of them may be lit, by its name."""
        entries = list(entries)
        of = dict(zip(letters(entry.name for entry in entries), entries, strict=True))
        width, height = self._view.viewport.size
        prompt = Prompt(
            title,
            {key: "\t".join(filter(None, (entry.name, entry.beside))) for key, entry in of.items()},
            at=None if at is None else (at[0] / width, at[1] / height),
            faint=frozenset(key for key, entry in of.items() if entry.faint),
            hot=next((key for key, entry in of.items() if entry.name == hot), ""),
            is_menu=True,
            leads_on=frozenset(key for key, entry in of.items() if entry.leads_on),
            back=back,
            answered=lambda key: of[key].does(),
        )
        self._dialog.ask(prompt)

    def _entry(self, command: Binding) -> Entry:
        """Return the row of a command: beside its name its key, and a mark where it would turn something off."""
        on = command.on is not None and self._tell(command.on)
        beside = "\t".join([*map(printed, filter(None, command.chords[:1])), *([ON] if on else [])])
        return Entry(command.name, partial(self._do, command.command), beside, not self._tell(command.can))


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
