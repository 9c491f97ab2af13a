"""Numbers as they are typed, key by key."""

from __future__ import annotations

from dataclasses import dataclass, replace

#: The names of keys that stand for a character.
_CHARACTERS = {"period": ".", "decimal": ".", "comma": ".", "separator": ".", "minus": "-", "subtract": "-"}


@dataclass(frozen=True)
class Entry:
    """Numbers that are being typed, one after the other.

    Parameters
    ----------
    texts : tuple of str
        What has been typed of each.
    active : int
        Which one is being typed.
    ended : bool
        Whether Tab was pressed after the only one: digits are then no more of it, until Backspace.

    Examples
    --------
    >>> entry = Entry.of(3)
    >>> for key in ("1", "period", "5", "minus", "tab", "2"):
    ...     entry = entry.pressed(key)
    >>> entry.texts, entry.values
    (('-1.5', '2', ''), (-1.5, 2.0, None))
    """

    texts: tuple[str, ...]
    active: int = 0
    ended: bool = False

    @classmethod
    def of(cls, count: int) -> Entry:
        """Return so many numbers of which nothing has been typed."""
        return cls(("",) * count)

    def of_others(self, count: int) -> Entry:
        """Return the numbers as they are for so many others; for a single one, that which is being typed.

        Examples
        --------
        >>> entry = Entry(("1", "2", ""), 1)
        >>> entry.of_others(1).texts, entry.of_others(2).texts
        (('2',), ('1', '2'))
        """
        if count == 1:
            return Entry((self.texts[self.active] or next(filter(None, self.texts), ""),))
        texts = (*self.texts, *[""] * count)[:count]
        return Entry(texts, min(self.active, count - 1))

    @property
    def begun(self) -> bool:
        """Whether anything has been typed."""
        return any(self.texts)

    @property
    def values(self) -> tuple[float | None, ...]:
        """The numbers; None for one that was not typed, or not to its first digit."""
        return tuple(_value(text) for text in self.texts)

    def pressed(self, key: str) -> Entry | None:
        """Return the numbers after another key; None for a key that means nothing here.

        Digits, a point or a comma, and ``e`` for powers of ten; a minus turns the sign, Backspace takes the last
        character away, Tab goes to the next number.
        """
        text = self.texts[self.active]
        key = _CHARACTERS.get(key, key)
        if key in ("tab", "shift+tab") and len(self.texts) == 1:
            return None if self.begun else self  # the next digits would be taken for more of the same number
        if self.ended and key != "backspace":
            return None
        if key == "tab":
            return replace(self, active=(self.active + 1) % len(self.texts))
        if key == "shift+tab":
            return replace(self, active=(self.active - 1) % len(self.texts))
        if key == "backspace":
            return self._with(text[:-1])
        if key == "-" and not text.endswith("e"):
            return self._with(text[1:] if text.startswith("-") else f"-{text}")
        if key == "-" or (key.isascii() and key.isdigit() and len(key) == 1):
            return self._with(text + key)
        if key == "." and not {".", "e"} & set(text):
            return self._with(f"{text}.")
        if key == "e" and "e" not in text and _value(text) is not None:
            return self._with(f"{text}e")
        return self if key == "." else None

    def _with(self, text: str) -> Entry:
        return replace(self, texts=(*self.texts[: self.active], text, *self.texts[self.active + 1 :]), ended=False)


def _value(text: str) -> float | None:
    """Return the number that a text is, or is the beginning of."""
    try:
        return float(text.rstrip("e-.") if text.endswith(("e", "e-")) else text)
    except ValueError:
        return None
