"""The first page: the examples as pictures to choose from, a new scene, a file by its name."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from viewer.files.catalogue import Example, find_examples, find_lessons
from viewer.files.loading import Loaded, read
from viewer.records.commands import Command
from viewer.records.drawables import Card, Cards
from viewer.records.events import Key, Pointer
from viewer.records.grid import Grid
from viewer.records.sizes import unit_of
from viewer.session.commands import BINDINGS
from viewer.session.dialog import Dialog
from viewer.session.document import Document
from viewer.session.settings import Settings
from viewer.session.updates import Updates
from viewer.session.view import View

#: What can be done while the page is shown, beside choosing.
_ALLOWED = frozenset({"ctrl+o", "ctrl+n", "ctrl+w", "ctrl+q", "q", "shift+t", *BINDINGS["h"].chords})

#: The example that is shown first.
FIRST = "first"


class Wish(NamedTuple):
    """What the user wants to see in the place of the scene: that of a file, which may be an example, or a new one."""

    loaded: Loaded | None
    is_example: bool = False


class StartPage:
    """Shows what can be opened, and notes what the user wants; the window opens it.

    Parameters
    ----------
    leave : callable
        Asks about what is not saved, and then does what it is given. All else are parts that are used.
    """

    def __init__(
        self,
        document: Document,
        view: View,
        settings: Settings,
        dialog: Dialog,
        updates: Updates,
        *,
        leave: Callable[[Callable[[], object]], None],
    ) -> None:
        self._document, self._view, self._settings = document, view, settings
        self._dialog, self._updates = dialog, updates
        self._leave = leave
        self._shown = False
        #: What can be opened: titles, lines, pictures, and what is wished by each.
        self._entries: tuple[tuple[Card, Callable[[], object]], ...] = ()
        self._chosen, self._first = 0, 0
        #: Whether it shows the lessons in place of the examples.
        self._learns = False
        self._wish: Wish | None = None
        self._may_open = False

    @property
    def may_open(self) -> bool:
        """Whether other scenes can be opened in the place of this one."""
        return self._may_open

    def allow_opening(self) -> None:
        """Have other scenes be opened in the place of this one: whoever shows it looks for the wish."""
        self._may_open = True

    @property
    def page(self) -> Cards | None:
        """The page as it is drawn; None where it is not shown."""
        if not self._shown:
            return None
        back = "; Esc: back to the scene" if len(self._document.scene) else ""
        back = "; Esc: back to the examples" if self._learns else back
        hint = f"click, or arrows and Enter; Ctrl+O: open a file, Ctrl+N: new scene{back}"
        scrolls = Command("start.scroll_page")
        cards = tuple(
            replace(card, does=Command("start.open_card", k), lit=k == self._chosen, scrolls=scrolls)
            for k, (card, _) in enumerate(self._entries)
        )
        title = "What do you want to learn? Begin with the first" if self._learns else "What do you want to see?"
        return Cards(title, hint, cards, self._first, scrolls)

    @property
    def wish(self) -> Wish | None:
        """What the user wants to open; None for nothing."""
        return self._wish

    def show_page(self) -> None:
        """Show the page, or no longer, if it is shown.

        Raises
        ------
        ValueError
            If no other scene can be opened here.
        """
        self._check()
        self._shown = not self._shown
        if not self._entries or self._learns:
            self._list(lessons=False)
        self._updates.touch()

    def open_card(self, number: int) -> None:
        """Do what a card stands for."""
        self._choose(number)
        self._entries[number][1]()

    def scroll_page(self, rows: int) -> None:
        """Scroll by so many rows; those that are seen stay within the page."""
        count, grid = len(self._entries), self._grid
        self._first = min(max(self._first + rows, 0), max(-(-count // grid.columns) - grid.rows, 0))
        self._updates.touch()

    def show_lessons(self) -> None:
        """Show the lessons in place of the examples, in the order in which they are best learned."""
        self._check()
        self._shown = True
        self._list(lessons=True)

    def begin_scene(self) -> None:
        """Begin a new scene, once it is asked about what is not saved."""
        self._check()
        self._open(Wish(None))

    def ask_open(self) -> None:
        """Ask for a file to open."""
        self._check()
        self._dialog.ask_line("Open a scene file, a model, or an example by its name", self._named, "")

    # -- what is heard of ---------------------------------------------------------------------------------------------

    def mouse(self, _: Pointer) -> bool:
        """Keep the mouse from the scene behind the page."""
        return self._shown

    def key(self, key: Key) -> bool:
        """Choose by the arrow keys, open by Enter; keep all keys that would change the scene behind the page."""
        if not self._shown:
            return False
        columns = self._grid.columns
        rows = columns * self._grid.rows
        steps = {"left": -1, "right": 1, "up": -columns, "down": columns, "page up": -rows, "page down": rows}
        if key.name in steps:
            there = self._chosen + steps[key.name]
            self._choose(min(max(there, 0), len(self._entries) - 1))
        elif key.name in ("home", "end"):
            self._choose(0 if key.name == "home" else len(self._entries) - 1)
        elif key.name in ("return", "enter", "space"):
            self.open_card(self._chosen)
        elif key.name == "escape" and self._learns:
            self._list(lessons=False)
        elif key.name == "escape":
            self.show_page()
        return BINDINGS.get(key.chord) is None or key.chord not in _ALLOWED

    # -- inside -------------------------------------------------------------------------------------------------------

    @property
    def _grid(self) -> Grid:
        size = self._view.viewport.size
        return Grid.of(len(self._entries), size, unit_of(size), self._settings.theme.font_size)

    def _choose(self, number: int) -> None:
        self._chosen = number
        self._first = self._grid.first_for(number, self._first, len(self._entries))
        self._updates.touch()

    def _list(self, *, lessons: bool) -> None:
        """List the lessons or the examples, from the first on."""
        self._learns = lessons
        self._entries = tuple(self._opens(lesson) for lesson in find_lessons()) if lessons else self._found()
        self._chosen, self._first = 0, 0
        self._updates.touch()

    def _found(self) -> tuple[tuple[Card, Callable[[], object]], ...]:
        try:
            examples = sorted(find_examples(), key=lambda example: (example.name != FIRST, example.name))
        except FileNotFoundError:  # the examples are optional
            examples = []
        entries = [self._opens(example) for example in examples]
        if find_lessons():
            lessons = Card("Lessons", line="Each test step by step, and where it could break", icon="explain")
            entries.append((lessons, self.show_lessons))
        new = Card("A new scene", line="The key a adds shapes to it", icon="add")
        file = Card("A file", line="A scene, a robot model, or Python with scene()", icon="open")
        return (*entries, (new, self.begin_scene), (file, self.ask_open))

    def _opens(self, example: Example) -> tuple[Card, Callable[[], object]]:
        """Return the card of an example or a lesson, and what opens it."""
        line = example.caption.partition(" Try: ")[0].partition(". ")[0]
        picture = example.thumbnail if example.thumbnail.exists() else None
        card = Card(example.title, line=line.removesuffix("."), picture=picture)
        return card, partial(self._read, example.path, is_example=True)

    def _read(self, path: Path, *, is_example: bool) -> None:
        self._open(Wish(read(path), is_example))

    def _named(self, name: str) -> None:
        path = Path(os.path.expanduser(name.strip()))
        self._read(path, is_example=not path.exists())

    def _open(self, wish: Wish) -> None:
        self._leave(lambda: self._want(wish))

    def _want(self, wish: Wish) -> None:
        self._wish = wish
        self._updates.touch()

    def _check(self) -> None:
        if not self._may_open:
            raise ValueError("this window shows one scene; collision-viewer open shows the examples")
