"""A question that waits for its answer: a line to type, or a choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from viewer.records.commands import Command

#: The panels of the pairs and of the joints, as places of questions.
PAIRS, JOINTS = "pairs", "joints"


@dataclass(frozen=True)
class Prompt:
    """A question, drawn in the picture until it is answered; without `choices` a line of text is asked for.

    `whole` is a line that is suggested: a character takes its place. `at` is in parts of the picture's size; `place`
    names the panel that it stands in, if it has none of its own. One that `finds` has a line as well as choices, which
    become fewer with what is typed. `commands` are what choices give, of a menu and of what is found, and `before` is
    the menu that another one was opened from.
    """

    title: str
    choices: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    text: str = ""
    cursor: int = 0
    error: str = ""
    whole: bool = False
    at: tuple[float, float] | None = None
    place: str = ""
    hot: str = ""
    finds: bool = False
    commands: Mapping[str, Command] = field(default_factory=lambda: MappingProxyType({}))
    before: Prompt | None = field(default=None, repr=False, compare=False)
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    ticked: frozenset[str] = frozenset()
    answered: Callable[[str], object] = field(default=lambda _: None, repr=False, compare=False)
    changed: Callable[[str], object] = field(default=lambda _: None, repr=False, compare=False)
    stepped: Callable[[str, int], object] | None = field(default=None, repr=False, compare=False)
    dropped: Callable[[], object] = field(default=lambda: None, repr=False, compare=False)

    @classmethod
    def line(cls, title: str, text: str, **options: Any) -> Prompt:
        """Return a question for a line of text, of which one is suggested."""
        return cls(title, text=text, cursor=len(text), whole=bool(text), **options)

    @property
    def is_menu(self) -> bool:
        """Whether it is a menu of commands."""
        return bool(self.commands) and not self.finds

    def next_choice(self, step: int) -> Prompt:
        """Return the prompt after a step of the arrow keys through its choices, round and round."""
        keys = [*self.choices]
        place = keys.index(self.hot) + step if self.hot in keys else min(step, 0)
        return replace(self, hot=keys[place % len(keys)])

    def typed(self, symbol: str, text: str = "", *, ctrl: bool = False) -> Prompt:
        """Return the prompt after a key that changes its line.

        >>> Prompt("Name", text="bal", cursor=3).typed("l", "l").typed("home").typed("delete").text
        'all'
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
