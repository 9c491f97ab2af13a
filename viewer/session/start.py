"""The first page: the examples as pictures to choose from, a new scene, a file by its name."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from viewer.files.catalogue import Example, find_examples, find_lessons
from viewer.files.loading import read
from viewer.records.events import Key, Pointer
from viewer.records.grid import Grid
from viewer.records.sizes import unit_of
from viewer.session.commands import BINDINGS
from viewer.session.dialog import Dialog
from viewer.session.document import Document
from viewer.session.guide import Guide
from viewer.session.requests import OpenScene
from viewer.session.settings import Settings
from viewer.session.view import View

#: The keys of the help and of the size of the text.
_FURTHER = (chord for key in ("h", "ctrl+plus", "ctrl+minus", "ctrl+0") for chord in BINDINGS[key].chords)

#: What can be done while the page is shown, beside choosing.
_ALLOWED = frozenset({"ctrl+o", "ctrl+n", "ctrl+w", "ctrl+q", "q", "shift+t", *_FURTHER})

#: The longest line of a card, in characters, if a shorter part of its sentence can stand alone; questions are whole.
_LONGEST = 60

#: The example that is shown first.
FIRST = "first"


class StartEntry(NamedTuple):
    """Something that can be opened: its title, a line below it, a picture or an icon, and what opens it."""

    title: str
    line: str
    opens: Callable[[], object]
    picture: str = ""
    icon: str = ""


class Start:
    """Shows what can be opened, and asks the window to open what is chosen."""

    def __init__(self, document: Document, view: View, settings: Settings, dialog: Dialog, guide: Guide) -> None:
        self._document, self._view, self._settings, self._dialog = document, view, settings, dialog
        #: What leads through the first minute.
        self.guide = guide
        #: Whether the page is shown, in the place of the scene.
        self.shown = False
        #: What can be opened.
        self.entries: tuple[StartEntry, ...] = ()
        #: The place of the entry that the arrow keys have come to.
        self.chosen = 0
        #: The first row of entries that is seen.
        self.first_row = 0
        #: Whether it shows the lessons in place of the examples.
        self.learns = False
        #: Whether it shows the lessons from now on when it is shown, as one of them is open.
        self.teaches = False
        #: Whether other scenes can be opened in the place of this one: whoever shows it says so, and heeds requests.
        self.may_open = False

    def show_page(self) -> None:
        """Show the page, or no longer, if it is shown."""
        self._check()
        self.shown = not self.shown
        if not self.entries or self.learns != self.teaches:
            self._list(lessons=self.teaches)
        self._document.touch()

    def open_card(self, number: int) -> None:
        """Do what a card stands for."""
        self._choose(number)
        self.entries[number].opens()

    def scroll_page(self, rows: int) -> None:
        """Scroll by so many rows; those that are seen stay within the page."""
        count, grid = len(self.entries), self._grid
        self.first_row = min(max(self.first_row + rows, 0), max(-(-count // grid.columns) - grid.rows, 0))
        self._document.touch()

    def show_lessons(self) -> None:
        """Show the lessons in place of the examples, in the order in which they are best learned."""
        self._check()
        self.shown = True
        self._list(lessons=True)

    def open_example(self, path: Path) -> None:
        """Open an example or a lesson in the place of the scene, or a lesson in one of its states."""
        self._read(path, is_example=True)

    def begin_scene(self) -> None:
        """Begin a new scene, once it is asked about what is not saved."""
        self._check()
        self._open(OpenScene(None))

    def ask_open(self) -> None:
        """Ask for a file to open."""
        self._check()
        self._dialog.ask_line("Open a scene file, a model, or an example by its name", self._named, "")

    # -- what is heard of ---------------------------------------------------------------------------------------------

    def mouse(self, _: Pointer) -> bool:
        """Keep the mouse from the scene behind the page."""
        return self.shown

    def key(self, key: Key) -> bool:
        """Choose by the arrow keys, open by Enter; keep all keys that would change the scene behind the page."""
        if not self.shown:
            return False
        columns = self._grid.columns
        rows = columns * self._grid.rows
        steps = {"left": -1, "right": 1, "up": -columns, "down": columns, "page up": -rows, "page down": rows}
        if key.name in steps:
            there = self.chosen + steps[key.name]
            self._choose(min(max(there, 0), len(self.entries) - 1))
        elif key.name in ("home", "end"):
            self._choose(0 if key.name == "home" else len(self.entries) - 1)
        elif key.name in ("return", "enter", "space"):
            self.open_card(self.chosen)
        elif key.name == "escape" and self.learns and not self.teaches:
            self._list(lessons=False)
        elif key.name == "escape":
            self.show_page()
        return BINDINGS.get(key.chord) is None or key.chord not in _ALLOWED

    # -- inside -------------------------------------------------------------------------------------------------------

    @property
    def _grid(self) -> Grid:
        size = self._view.viewport.size
        return Grid.of([entry[:2] for entry in self.entries], size, unit_of(size), self._settings.theme.font_size)

    def _choose(self, number: int) -> None:
        self.chosen = number
        self.first_row = self._grid.first_for(number, self.first_row, len(self.entries))
        self._document.touch()

    def _list(self, *, lessons: bool) -> None:
        """List the lessons or the examples, from the first on."""
        self.learns = lessons
        self.entries = tuple(self._opens(lesson) for lesson in find_lessons()) if lessons else self._found()
        self.chosen, self.first_row = 0, 0
        self._document.touch()

    def _found(self) -> tuple[StartEntry, ...]:
        try:
            examples = sorted(find_examples(), key=lambda example: (example.name != FIRST, example.name))
        except FileNotFoundError:  # the examples are optional
            examples = []
        line = "Each test step by step, and where it could break"
        lessons = [StartEntry("Lessons", line, self.show_lessons, icon="explain")] if find_lessons() else []
        return (
            *lessons,
            StartEntry("A new scene", "The key a adds shapes to it", self.begin_scene, icon="add"),
            StartEntry("A file", "A scene, a robot model, or Python with scene()", self.ask_open, icon="open"),
            *[self._opens(example) for example in examples if not example.lacks],
        )

    def _opens(self, example: Example) -> StartEntry:
        """Return the entry of an example or a lesson."""
        caption = example.caption.partition(" Try: ")[0]
        picture = example.name if example.thumbnail.exists() else ""
        opens = partial(self.open_example, example.path)
        return StartEntry(example.title, short_line(caption), opens, picture)

    def _read(self, path: Path, *, is_example: bool) -> None:
        self._open(OpenScene(read(path), is_example))

    def _named(self, name: str) -> None:
        path = Path(os.path.expanduser(name.strip()))
        self._read(path, is_example=not path.exists())

    def _open(self, request: OpenScene) -> None:
        self._dialog.ask_leave(partial(self._dialog.request, request))

    def _check(self) -> None:
        if not self.may_open:
            raise ValueError("this window shows one scene; collision-viewer open shows the examples")


def short_line(caption: str) -> str:
    """Return the first sentence of a caption, or the part of it that a card has room for.

    Examples
    --------
    >>> short_line("The arm bends. It is red."), short_line("Is it red? Yes.")
    ('The arm bends', 'Is it red?')
    >>> short_line("As the knot turns, its box is refitted all the time; its bounding sphere stays, now roomier.")
    'As the knot turns, its box is refitted all the time'
    """
    sentence = re.split(r"(?<=[.?!]) ", caption, maxsplit=1)[0].removesuffix(".")
    if len(sentence) <= _LONGEST or sentence.endswith("?"):
        return sentence
    ends = [found.start() for found in re.finditer("[,;:] ", sentence[: _LONGEST + 2])]
    return sentence[: ends[-1]] if ends else sentence
