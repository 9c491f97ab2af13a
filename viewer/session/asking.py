"""What the session asks the user: a line to type, or a choice; and what becomes of the answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from viewer.session.filing import SAVED, Conflict
from viewer.session.playing import Playing

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


@dataclass(frozen=True)
class Prompt:
    """A question, drawn in the picture until it is answered; the keys go there meanwhile.

    Attributes
    ----------
    title : str
        What is asked.
    choices : mapping of str to str
        Keys, and what each stands for; without any, a line of text is asked for.
    text : str
        The line, as far as it is typed.
    cursor : int
        Where in it the next sign goes.
    error : str
        What is wrong with the last answer.
    whole : bool
        Whether all of the line is selected, as where it is suggested: a sign then takes its place.
    at : tuple of 2 floats, optional
        Where it stands, in parts of the picture's width and height; by default in the middle of the picture.
    faint : frozenset of str
        The choices that have nothing to do just now.
    """

    title: str
    choices: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    text: str = ""
    cursor: int = 0
    error: str = ""
    whole: bool = False
    at: tuple[float, float] | None = None
    faint: frozenset[str] = frozenset()
    _answered: Callable[[str], object] = field(default=lambda _: None, repr=False, compare=False)

    def typed(self, symbol: str, text: str = "", *, ctrl: bool = False) -> Prompt:
        """Return the prompt after a key that changes its line.

        Examples
        --------
        >>> Prompt("Name", text="bal", cursor=3).typed("l", "l").typed("home").typed("delete").text
        'all'
        >>> Prompt("Name", text="ball", cursor=4, whole=True).typed("x", "x").text
        'x'
        >>> Prompt("Name", text="ball", cursor=4, whole=True).typed("backspace").text
        ''
        """
        line, at, whole = self.text, self.cursor, self.whole
        match symbol:
            case "a" if ctrl:
                return replace(self, cursor=len(line), whole=bool(line))
            case "backspace" | "delete" if whole:
                line, at = "", 0
            case "left" | "right" | "home" | "end":
                at = {"left": max(at - 1, 0), "right": min(at + 1, len(line)), "home": 0, "end": len(line)}[symbol]
            case "backspace" if ctrl:
                line, at = line[at:], 0
            case "backspace" if at:
                line, at = line[: at - 1] + line[at:], at - 1
            case "delete":
                line = line[:at] + line[at + 1 :]
            case _ if text and not ctrl:
                line, at = (text, len(text)) if whole else (line[:at] + text + line[at:], at + len(text))
            case _:
                return self
        if (line, at, False) == (self.text, self.cursor, whole):
            return self
        return replace(self, text=line, cursor=at, error="", whole=False)


class Asking(Playing):
    """The layer of a session that asks before something is lost, and for names."""

    _prompt: Prompt | None = None
    closed: bool = False

    @property
    def prompt(self) -> Prompt | None:
        """The question that waits for an answer."""
        return self._prompt

    def answer(self, text: str) -> None:
        """Answer the question: by the key of a choice, or by a line of text.

        Where the answer will not do, the question stays and says why.

        Raises
        ------
        ValueError
            If nothing is asked, or the key is none of the choices.
        """
        asked = self._prompt
        if asked is None:
            raise ValueError("nothing is asked")
        if asked.choices and text not in asked.choices:
            raise ValueError(f"an answer is one of {', '.join(asked.choices)}, got {text!r}")
        self._prompt = None
        try:
            asked._answered(text)
        except (ValueError, KeyError) as error:
            self._prompt = replace(asked, text=text, cursor=len(text), error=reason(error), whole=False)
        self._touch()

    def dismiss(self) -> None:
        """Leave the question without an answer, and everything as it is."""
        self._prompt = None
        self._touch()

    def _write_prompt(self, prompt: Prompt) -> None:
        if prompt != self._prompt:
            self._prompt = prompt
            self._touch()

    # -- the mouse, which a question keeps from the scene -------------------------------------------------------------

    def press(self, x: float, y: float, *, ctrl: bool = False) -> bool:  # noqa: D102 (said below)
        return self._prompt is not None or super().press(x, y, ctrl=ctrl)

    def move(self, x: float, y: float, *, shift: bool = False, ctrl: bool = False) -> bool:  # noqa: D102
        return self._prompt is not None or super().move(x, y, shift=shift, ctrl=ctrl)

    def release(self, x: float, y: float, *, shift: bool = False, ctrl: bool = False) -> bool:  # noqa: D102
        return self._prompt is not None or super().release(x, y, shift=shift, ctrl=ctrl)

    # -- what is asked ------------------------------------------------------------------------------------------------

    def ask_add(self) -> None:
        """Ask what to add."""
        names = {key: kind if kind != "aabb" else "box along the axes (AABB)" for key, kind in _KINDS.items()}
        self._ask("Add", lambda key: self.add(_KINDS[key]), choices=names)

    def ask_rename(self) -> None:
        """Ask for another name for the active one of the selected entries."""
        old = self._chosen()[-1]
        if old not in self._scene.shapes:
            self.rename(old, old=old)  # which says why not
        self._ask(f"Rename {old}", lambda new: self.rename(new.strip(), old=old), text=old)

    def ask_save(self) -> None:
        """Save the scene; ask where, if it has no file that it can be saved in, and before anything is overwritten.

        What is in hand is let go first: what is saved is what is seen.
        """
        self.accept()
        self._ask_save(lambda: None)

    def ask_save_as(self) -> None:
        """Ask for the file to save the scene in; what is in hand is let go first."""
        self.accept()
        self._ask_save_as("Save as", lambda: None)

    def ask_remember(self) -> None:
        """Ask which bookmark is to remember the view."""
        taken = {key: "" if key not in self.bookmarks else "in place of another view" for key in BOOKMARKS}
        self._ask("Remember this view as", self.remember, choices=taken)

    def ask_close(self) -> None:
        """End the session; ask what to do with unsaved changes to a file, if there are any.

        What is in hand is let go first, and is a change like any other.
        """
        self.accept()
        self.cancel()
        if not self.dirty or self.path is None:
            self.close()
            return
        choices = {"s": "save them", "d": "discard them"}

        def answered(key: str) -> None:
            if key == "s":
                self._ask_save(self.close)
            elif key == "d":
                self.close()

        self._ask(f"{self.path.name} has unsaved changes", answered, choices=choices)

    def revert(self) -> None:  # noqa: D102 (see Filing)
        super().revert()
        self.say(f"read {self.path.name if self.path else ''} again; undo brings back what was")

    def close(self) -> None:
        """End the session, whatever changed."""
        self.closed = True
        self._touch()

    # -- inside -------------------------------------------------------------------------------------------------------

    def _ask(
        self,
        title: str,
        answered: Callable[[str], object],
        *,
        choices: Mapping[str, str] = MappingProxyType({}),
        text: str = "",
        error: str = "",
        at: tuple[float, float] | None = None,
        faint: frozenset[str] = frozenset(),
    ) -> None:
        self.cancel()
        self._prompt = Prompt(title, choices, text, len(text), error, bool(text), at, faint, answered)
        self._touch()

    def _ask_save(self, after: Callable[[], object]) -> None:
        if not self.saves_over:
            why = f"{self.path.name} cannot be saved over. " if self.path else ""
            self._ask_save_as(f"{why}Save as", after)
            return
        try:
            self.save()
        except Conflict as conflict:
            self._ask_overwrite(conflict, lambda: self.save(overwrite=True), after)
        else:
            self._saved(after)

    def _ask_save_as(self, title: str, after: Callable[[], object]) -> None:
        def answered(name: str) -> None:
            try:
                self.save_as(name)
            except Conflict as conflict:
                self._ask_overwrite(conflict, lambda: self.save_as(name, overwrite=True), after)
            else:
                self._saved(after)

        suggested = str(self.path.with_suffix(SAVED)) if self.path else f"scene{SAVED}"
        if self.path is not None and not (self.saves_over and os.path.isdir(self.path.parent)):
            suggested = Path(suggested).name  # where the user is, not in a folder of examples or of models
        self._ask(title, answered, text=suggested)

    def _ask_overwrite(self, conflict: Conflict, save: Callable[[], object], after: Callable[[], object]) -> None:
        def answered(key: str) -> None:
            if key == "o":
                save()
                self._saved(after)
            elif key == "r":
                self.revert()
            elif key == "a":
                self._ask_save_as("Save as", after)

        self._ask(str(conflict), answered, choices=conflict.ways)

    def _saved(self, after: Callable[[], object]) -> None:
        self.say(f"saved {self.path.name if self.path else ''}")
        after()


def reason(error: Exception) -> str:
    """Return what an error says, without the quotes that a KeyError puts around it."""
    return str(error.args[0]) if isinstance(error, KeyError) else str(error)
