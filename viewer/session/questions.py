"""What a session asks: for names, before something is lost, and what becomes of the answers."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

from viewer.session.contents import Contents
from viewer.session.dialog import PAIRS, Dialog, Prompt, reason
from viewer.session.document import Document
from viewer.session.file import READ_AGAIN, SAVE_AS, SAVED, Conflict, File
from viewer.session.pair_table import PairTable
from viewer.session.transform_tool import TransformTool
from viewer.session.updates import Updates
from viewer.session.view import View

#: What can be added, by the key that adds it.
_KINDS = MappingProxyType(
    {
        "s": "sphere",
        "c": "capsule",
        "b": "box",
        "a": "aabb",
        "e": "segment",
        "r": "ray",
        "l": "line",
        "p": "point",
        "h": "halfspace",
    }
)

#: The keys of bookmarks.
BOOKMARKS = "123456789"


class Questions:
    """Asks, and does what is answered.

    Parameters
    ----------
    close : callable
        Ends the session. All else are the parts that are asked about.
    """

    def __init__(
        self,
        document: Document,
        view: View,
        pairs: PairTable,
        tool: TransformTool,
        contents: Contents,
        file: File,
        dialog: Dialog,
        updates: Updates,
        close: Callable[[], object],
    ) -> None:
        self._document, self._view, self._pairs, self._tool = document, view, pairs, tool
        self._contents = contents
        self._file, self._dialog, self._updates, self._close = file, dialog, updates, close
        self._asks_always = False

    def ask_add(self) -> None:
        """Ask what to add."""
        names = {key: kind if kind != "aabb" else "box along the axes (AABB)" for key, kind in _KINDS.items()}
        self._dialog.ask_choice("Add", lambda key: self._contents.add(_KINDS[key]), names)

    def ask_rename(self) -> None:
        """Ask for another name for the active one of the selected entries."""
        old = self._document.chosen()[-1]
        if old not in self._document.scene.shapes:
            self._contents.rename(old, old=old)  # which says why not
        self._dialog.ask_line(f"Rename {old}", lambda new: self._contents.rename(new.strip(), old=old), old)

    def ask_filter(self) -> None:
        """Ask which pairs the table is to list: those whose names have what is typed, as it is typed."""
        text = self._pairs.filter

        def stepped(_: str, steps: int) -> None:
            self._pairs.scroll_pairs(steps)

        self._dialog.ask(
            Prompt(
                "Find pairs",
                text=text,
                cursor=len(text),
                whole=bool(text),
                place=PAIRS,
                answered=self._pairs.filter_pairs,
                changed=self._pairs.filter_pairs,
                stepped=stepped,
                dropped=lambda: self._pairs.filter_pairs(""),
            )
        )

    def ask_save(self) -> None:
        """Save the scene; ask where, if it has no file that it can be saved in, and before anything is overwritten.

        What is in hand is let go first: what is saved is what is seen.
        """
        self._tool.accept()
        self._ask_save(lambda: None)

    def ask_save_as(self) -> None:
        """Ask for the file to save the scene in; what is in hand is let go first."""
        self._tool.accept()
        self._ask_save_as("Save as", lambda: None)

    def ask_remember(self) -> None:
        """Ask which bookmark is to remember the view."""
        taken = {key: "" if key not in self._view.bookmarks else "in place of another view" for key in BOOKMARKS}
        self._dialog.ask_choice("Remember this view as", self._view.remember, taken)

    def ask_recall(self) -> None:
        """Ask which of the views that are remembered to return to.

        Raises
        ------
        ValueError
            If there is none.
        """
        kept = {key: "" for key in BOOKMARKS if key in self._view.bookmarks}
        if not kept:
            raise ValueError("no view is remembered; Ctrl+B remembers this one")
        self._dialog.ask_choice("Return to the view", self._view.recall, kept)

    def ask_close(self) -> None:
        """End the session; ask what to do with unsaved changes to a file, if there are any.

        What is in hand is let go first, and is a change like any other.
        """
        self.ask_leave(self._close)

    def ask_always(self) -> None:
        """Ask about unsaved changes also where the scene comes from no file, as nobody else gets them."""
        self._asks_always = True

    def ask_leave(self, after: Callable[[], object]) -> None:
        """Do what follows when the scene is left; ask about unsaved changes first, as `ask_close` does."""
        self._tool.accept()
        self._document.interrupt()
        path = self._file.path
        if not self._file.dirty or (path is None and not self._asks_always):
            after()
            return
        choices = {"s": "save them", "d": "discard them"}

        def answered(key: str) -> None:
            if key == "s":
                self._ask_save(after)
            elif key == "d":
                after()

        name = "the new scene" if path is None else path.name
        self._dialog.ask_choice(f"{name} has unsaved changes", answered, choices)

    def look_at_file(self) -> None:
        """Take over a change of the file by another program; where something is not saved, ask first.

        To be called now and then. While something is in hand or asked, nothing happens. A file that cannot be read, as
        in the middle of a change, is said, and the scene stays as it is.
        """
        if self._document.held or self._dialog.prompt is not None or not self._file.changed_outside():
            return
        if not self._file.dirty:
            self._read_again()
            return

        def answered(key: str) -> None:
            if key == "r":
                self._file.revert()
            elif key == "a":
                self._ask_save_as("Save as", lambda: None)

        name = self._file.path.name if self._file.path else ""
        title = f"{name} was changed by another program, and here there are unsaved changes"
        self._dialog.ask_choice(title, answered, {"k": "keep those here"} | READ_AGAIN | SAVE_AS)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _read_again(self) -> None:
        try:
            self._file.revert()
        except ValueError as error:
            path = self._file.path
            why = reason(error).replace(str(path), path.name if path else "")
            self._updates.say(f"the file has changed and cannot be read, the scene stays as it was: {why}")

    def _ask_save(self, after: Callable[[], object]) -> None:
        if not self._file.saves_over:
            why = f"{self._file.path.name} cannot be saved over. " if self._file.path else ""
            self._ask_save_as(f"{why}Save as", after)
            return
        try:
            self._file.save()
        except Conflict as conflict:
            self._ask_overwrite(conflict, lambda: self._file.save(overwrite=True), after)
        else:
            self._saved(after)

    def _ask_save_as(self, title: str, after: Callable[[], object]) -> None:
        def answered(name: str) -> None:
            try:
                self._file.save_as(name)
            except Conflict as conflict:
                self._ask_overwrite(conflict, lambda: self._file.save_as(name, overwrite=True), after)
            else:
                self._saved(after)

        suggested = str(self._file.path.with_suffix(SAVED)) if self._file.path else f"scene{SAVED}"
        if self._file.path is not None and not (self._file.saves_over and os.path.isdir(self._file.path.parent)):
            suggested = Path(suggested).name  # where the user is, not in a folder of examples or of models
        self._dialog.ask_line(title, answered, suggested)

    def _ask_overwrite(self, conflict: Conflict, save: Callable[[], object], after: Callable[[], object]) -> None:
        def answered(key: str) -> None:
            if key == "o":
                save()
                self._saved(after)
            elif key == "r":
                self._file.revert()
            elif key == "a":
                self._ask_save_as("Save as", after)

        self._dialog.ask_choice(str(conflict), answered, conflict.ways)

    def _saved(self, after: Callable[[], object]) -> None:
        self._updates.say(f"saved {self._file.path.name if self._file.path else ''}")
        after()
