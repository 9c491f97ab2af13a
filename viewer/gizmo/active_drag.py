"""What is in hand: a handle that is dragged or a change that waits for its numbers; and numbers as they are typed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from collision import AABB, Scene
from viewer.camera.camera import Viewport
from viewer.gizmo.changes import Change, check_size
from viewer.gizmo.handles import Drag, Gizmo, Handle, SnapOptions
from viewer.gizmo.subject import Subject
from viewer.records.words import number

#: What the text says where the next digit goes.
CARET = "\N{LEFT ONE QUARTER BLOCK}"

#: Digits of what has been done.
DIGITS = 5

REFITTED = "an aabb stays along the axes: refitted; Shift+O makes it a box that turns"


#: The names of keys that stand for a character.
_CHARACTERS = {"period": ".", "decimal": ".", "comma": ".", "separator": ".", "minus": "-", "subtract": "-"}


@dataclass(frozen=True)
class Entry:
    """Numbers that are being typed, one after the other; after Tab at the only one, digits are no more of it.

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
        """Return the numbers as they are for so many others; for a single one, that which is being typed."""
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
        """Return the numbers after another key; None for a key that means nothing here."""
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


@dataclass
class ActiveDrag:
    """Something in hand: every change is one of the scene as it was when it was taken, so that nothing adds up.

    Without a handle, all that the mode can change is waited for; a `bare` drag took the shape itself, and shows none.
    """

    scene: Scene
    names: tuple[str, ...]
    gizmo: Gizmo
    handle: Handle | None = None
    drag: Drag | None = None
    pressed: tuple[float, float] | None = None
    bare: bool = False
    moved: bool = False
    change: Change | None = None
    result: Scene = field(init=False)
    shown: Gizmo = field(init=False)
    entry: Entry = field(init=False)
    trouble: str = ""
    _refits: bool = field(init=False)

    def __post_init__(self) -> None:
        self.result, self.shown = self.scene, self.gizmo
        self.entry = Entry.of(len(self.gizmo.fields(self.handle)))
        self._refits = any(isinstance(self.scene[name], AABB) for name in self.names)

    def pull(self, viewport: Viewport, x: float, y: float, snap: SnapOptions) -> None:
        """Follow the cursor, unless numbers have been typed."""
        if self.drag is None or self.entry.begun:
            return
        change = self.drag.update(viewport, x, y, snap, self.change)
        if change is not None:
            self.do(change)

    def take(self, viewport: Viewport, handle: Handle | None) -> None:
        """Take another handle instead, at the place where the first one was pressed, for the numbers that there are."""
        self.handle, self.entry = handle, self.entry.of_others(len(self.gizmo.fields(handle)))
        if handle is not None and self.pressed is not None:
            self.drag = self.gizmo.begin(viewport, handle, *self.pressed)
        self._typed(viewport)

    def type(self, key: str, viewport: Viewport) -> bool:
        """Take a key as part of a number; False when it means nothing here."""
        entry = self.entry.pressed(key)
        if entry is None:
            if key in ("tab", "shift+tab"):  # what is typed next was meant for another number
                self.entry = replace(self.entry, ended=True)
            return False
        changed = entry.texts != self.entry.texts
        self.entry = entry
        if changed:
            self._typed(viewport)
        return True

    def _typed(self, viewport: Viewport) -> None:
        """Do what the numbers say."""
        self.drop()
        if self.entry.begun:
            try:
                check_size([value for value in self.entry.values if value is not None])
                self.do(self.gizmo.typed(self.handle, self.entry.values, viewport))
            except ValueError as trouble:
                self.drop(str(trouble))

    def do(self, change: Change) -> None:
        """Do a change in the place of the last; one that cannot be done leaves all as it was, and says why."""
        try:
            result = change.apply(self.scene, self.names)
        except ValueError as trouble:
            self.drop(str(trouble))
            return
        self.change, self.result, self.trouble = change, result, ""
        self.shown = self.gizmo.after(change, self._subject())

    def drop(self, trouble: str = "") -> None:
        """Put all back where it was."""
        self.change, self.result, self.shown, self.trouble = None, self.scene, self.gizmo, trouble

    def start_from(self, scene: Scene) -> None:
        """Go on from another scene, with the same change."""
        self.scene, self._refits = scene, any(isinstance(scene[name], AABB) for name in self.names)
        change = self.change
        self.drop()
        if change is not None:
            self.do(change)

    @property
    def rows(self) -> tuple[str, ...]:
        """What has been done, or typed; where nothing has, what there is to type."""
        if self.handle is not None or self.entry.begun:
            return self.amounts
        known = (row for row in self.amounts if not row.endswith("\t"))
        return (*known, self.gizmo.wanted(self.entry.active))

    @property
    def amounts(self) -> tuple[str, ...]:
        """What has been done so far, or typed, field by field."""
        names = self.gizmo.fields(self.handle)
        if self.change is None or self.entry.begun:
            shown = self._entered()
        else:
            values = self.gizmo.measured(self.handle, self.change)
            largest = max(map(abs, values))
            shown = [number(value, largest, DIGITS) for value in values]
        if names == ("angle",) and shown[0]:
            shown[0] += "\N{DEGREE SIGN}"
        return tuple([f"{name}\t{text}" for name, text in zip(names, shown, strict=True)])

    def _entered(self) -> list[str]:
        """Return what has been typed of each field, or else what it is before anything is done."""
        now = self.gizmo.now(self.handle)
        shown = ["" if value is None else number(value, abs(value), DIGITS) for value in now]
        if self.entry.begun:
            texts = [text.replace("-", "\N{MINUS SIGN}") for text in self.entry.texts]
            carets = [CARET * (place == self.entry.active) for place in range(len(texts))]
            shown = [text + caret or before for text, caret, before in zip(texts, carets, shown, strict=True)]
        return shown

    @property
    def notes(self) -> Iterator[str]:
        """What there is to know of the change."""
        if self.trouble:
            yield self.trouble
        if self._refits and self.gizmo.mode == "rotate":
            yield REFITTED

    def _subject(self) -> Subject:
        """Return the subject as the change has left it; its axes stay what they were."""
        gizmo = self.gizmo
        return gizmo.subject.after(self.result[self.names[-1]], getattr(self.change, "offset", None))


def _value(text: str) -> float | None:
    """Return the number that a text is, or is the beginning of."""
    try:
        return float(text.rstrip("e-.") if text.endswith(("e", "e-")) else text)
    except ValueError:
        return None
