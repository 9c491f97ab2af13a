"""A question that waits for its answer: a line to type, or a choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

#: The panel of the pairs, as the place of a question.
PAIRS = "pairs"


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
        Where in it the next character goes.
    error : str
        What is wrong with the last answer.
    whole : bool
        Whether all of the line is selected, as where it is suggested: a character then takes its place.
    at : tuple of 2 floats, optional
        Where it stands, in parts of the picture's width and height; by default in the middle of the picture.
    faint : frozenset of str
        The choices that have nothing to do just now.
    place : str
        The panel that it stands in, such as `PAIRS`, where it has no panel of its own.
    hot : str
        The choice that the arrow keys have come to; none at first.
    is_menu : bool
        Whether the choices are rows of a menu, whose keys are letters of their names.
    leads_on : frozenset of str
        The choices that open another menu.
    back : callable, optional
        Returns to the menu that this one was opened from.
    options, ticked : mapping of str to str, frozenset of str
        What can be ticked beside a line, by the keys that do it with Alt; and which of them are.
    answered : callable
        What becomes of the answer.
    changed, stepped, dropped : callable, optional
        What becomes of the line whenever it has changed; what Tab and Down (1), Shift+Tab and Up (-1) and the page keys
        do with it; and what is done when there is no answer.
    """

    title: str
    choices: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    text: str = ""
    cursor: int = 0
    error: str = ""
    whole: bool = False
    at: tuple[float, float] | None = None
    faint: frozenset[str] = frozenset()
    place: str = ""
    hot: str = ""
    is_menu: bool = False
    leads_on: frozenset[str] = frozenset()
    back: Callable[[], object] | None = field(default=None, repr=False, compare=False)
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    ticked: frozenset[str] = frozenset()
    answered: Callable[[str], object] = field(default=lambda _: None, repr=False, compare=False)
    changed: Callable[[str], object] = field(default=lambda _: None, repr=False, compare=False)
    stepped: Callable[[str, int], object] | None = field(default=None, repr=False, compare=False)
    dropped: Callable[[], object] = field(default=lambda: None, repr=False, compare=False)

    def next_choice(self, step: int) -> Prompt:
        """Return the prompt after a step of the arrow keys through its choices, round and round.

        Examples
        --------
        >>> asked = Prompt("Menu", {"f": "File", "e": "Edit", "v": "View"})
        >>> asked.next_choice(1).hot, asked.next_choice(-1).hot, asked.next_choice(-1).next_choice(1).hot
        ('f', 'v', 'f')
        """
        keys = [*self.choices]
        place = keys.index(self.hot) + step if self.hot in keys else min(step, 0)
        return replace(self, hot=keys[place % len(keys)])

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
