"""A question that waits for its answer: a line to type, or a choice. The mouse and the keys go there meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from viewer.records.events import Key, Pointer
from viewer.session.document import Document
from viewer.session.updates import Updates

#: The panel of the pairs, as the place of a question.
PAIRS = "pairs"

#: How many steps the page keys go.
PAGE = 10

#: The keys that step, and how far.
_STEPS = MappingProxyType({"tab": 1, "down": 1, "shift+tab": -1, "up": -1, "page down": PAGE, "page up": -PAGE})


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
        (`PAGE`) do with it; and what is done when there is no answer.
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


class Dialog:
    """Asks one question at a time."""

    def __init__(self, document: Document, updates: Updates) -> None:
        self._document, self._updates = document, updates
        self._prompt: Prompt | None = None
        self._ticked: frozenset[str] = frozenset()

    @property
    def prompt(self) -> Prompt | None:
        """The question that waits for an answer."""
        return self._prompt

    def ask(self, prompt: Prompt) -> None:
        """Ask a question in the place of any other; what is in hand is put back."""
        self._document.interrupt()
        self._prompt = prompt
        self._updates.touch()

    def ask_line(self, title: str, answered: Callable[[str], object], text: str) -> None:
        """Ask for a line of text, and suggest one."""
        self.ask(Prompt(title, text=text, cursor=len(text), whole=bool(text), answered=answered))

    def ask_choice(self, title: str, answered: Callable[[str], object], choices: Mapping[str, str]) -> None:
        """Ask for a choice, by keys."""
        self.ask(Prompt(title, choices, answered=answered))

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
        self._prompt, self._ticked = None, asked.ticked
        self._try(asked, text, lambda: asked.answered(text))

    def leave_choice(self) -> None:
        """Light no choice: the arrow keys have come to one, but now the mouse has moved."""
        if self._prompt is not None and self._prompt.hot:
            self._show(replace(self._prompt, hot=""))

    def tick_option(self, option: str) -> None:
        """Tick one of the options of the question, or no longer.

        Raises
        ------
        ValueError
            If it has no such option.
        """
        asked = self._prompt
        if asked is None or option not in asked.options:
            raise ValueError(f"there is no option {option!r} to tick")
        self._show(replace(asked, ticked=asked.ticked ^ {option}))

    @property
    def ticked(self) -> frozenset[str]:
        """What was ticked in the question that was answered last."""
        return self._ticked

    def dismiss(self) -> None:
        """Leave the question without an answer, and everything as it is."""
        asked, self._prompt = self._prompt, None
        if asked is not None:
            asked.dropped()
        self._updates.touch()

    def _try(self, asked: Prompt, text: str, act: Callable[[], object]) -> None:
        """Do what a text is for; where it will not do, the question stays and says why."""
        try:
            act()
        except (ValueError, KeyError) as error:
            self._prompt = replace(asked, text=text, cursor=len(text), error=reason(error), whole=False)
        self._updates.touch()

    # -- what is heard of ---------------------------------------------------------------------------------------------

    def mouse(self, _: Pointer) -> bool:
        """Keep the mouse from everything else while something is asked."""
        return self._prompt is not None

    def key(self, key: Key) -> bool:
        """Take every key while something is asked."""
        asked = self._prompt
        if asked is None:
            return False
        character = "" if key.ctrl or key.alt else key.character
        if key.name == "escape":
            self.dismiss()
        elif asked.choices:
            self._choose(asked, key.name, character.lower())
        elif key.name in ("return", "enter"):
            self.answer(asked.text)
        elif key.alt and key.name in asked.options:
            self.tick_option(key.name)
        elif asked.stepped is not None and key.chord in _STEPS:
            step, steps = asked.stepped, _STEPS[key.chord]
            self._try(asked, asked.text, lambda: step(asked.text, steps))
        else:
            after = asked.typed(key.name, character, ctrl=key.ctrl)
            if after != asked:
                self._prompt = after
                self._try(after, after.text, lambda: after.changed(after.text))
        return True

    def _choose(self, asked: Prompt, name: str, character: str) -> None:
        """Go through choices by the arrow keys, into menus and out of them; or choose by a letter."""
        if name in ("up", "down"):
            self._show(asked.next_choice(1 if name == "down" else -1))
        elif asked.hot and (name in ("return", "enter") or (name == "right" and asked.hot in asked.leads_on)):
            self.answer(asked.hot)
        elif name in ("left", "backspace") and asked.back is not None:
            asked.back()
        elif character in asked.choices:
            self.answer(character)

    def _show(self, prompt: Prompt) -> None:
        if prompt != self._prompt:
            self._prompt = prompt
            self._updates.touch()


def reason(error: Exception) -> str:
    """Return what an error says, without the quotes that a KeyError puts around it."""
    return str(error.args[0]) if isinstance(error, KeyError) else str(error)
