"""The card of what is selected: its numbers, read and typed, and its text to be copied."""

from __future__ import annotations

import re
from collections.abc import Callable
from keyword import iskeyword
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from collision import Scene, Shape, contact, signed_distance
from collision.inner import FloatArray
from viewer.gizmo.changes import Change, Move
from viewer.gizmo.fields import FIELDS, SetField, numbers_of
from viewer.session.dialog import Dialog, Prompt
from viewer.session.document import Document
from viewer.session.player import Player
from viewer.session.selection import Selection
from viewer.session.updates import Updates

#: Of more that is selected, the card has no numbers.
MOST = 64

#: The field of a pair: how far apart the two are, less than zero where they overlap.
DISTANCE = "signed_distance"

#: What fields are called on the card where they have another name than in files.
LABELS = MappingProxyType(
    {"rotation": "rotation \N{DEGREE SIGN}", "half_extents": "half extents", DISTANCE: "distance"}
)

#: How often a shape is moved to where it is as deep as is asked for, and how near that must come, as a part of it.
_STEPS, _CLOSE = 100, 1e-12


class CardField(NamedTuple):
    """A field of the card and its numbers; None for one in which what is selected differs."""

    name: str
    numbers: tuple[float | None, ...]

    @property
    def label(self) -> str:
        """What it is called on the card."""
        return LABELS.get(self.name, self.name)

    def place(self, number: int) -> str:
        """Return the place of the question for one of its numbers."""
        return f"card: {self.name} {number}"


class Cards:
    """Reads and changes the numbers of what is selected."""

    def __init__(
        self, document: Document, player: Player, selection: Selection, dialog: Dialog, updates: Updates
    ) -> None:
        self._document, self._player, self._selection = document, player, selection
        self._dialog, self._updates = dialog, updates
        self._copy: Callable[[str], str] = lambda _: ""

    @property
    def card(self) -> tuple[CardField, ...]:
        """The fields of what is selected: of a pair its signed distance, of several shapes what all of them have."""
        names, scene, pair = self._document.selected, self._player.scene, self._selection.pair
        if pair is not None:
            return (CardField(DISTANCE, (float(signed_distance(*(scene[name] for name in pair))),)),)
        if len(names) > MOST:
            return ()
        shapes = [shape for shape in (scene[name] for name in names) if 0 not in shape.batch_shape]
        if not shapes:
            return ()
        common = [name for name in FIELDS[type(shapes[0])] if all(name in FIELDS[type(shape)] for shape in shapes)]
        return tuple(CardField(name, _common([numbers_of(shape, name) for shape in shapes])) for name in common)

    # -- changes -------------------------------------------------------------------------------------------------------

    def set_number(self, name: str, *values: float, first: int = 0) -> None:
        """Give all that is selected another number in a field, or several numbers from one on, as one step.

        Parameters
        ----------
        name : str
            The field, such as ``radius``, ``center``, ``rotation`` (in degrees, about the world's x, then y, then z)
            or, of a pair, ``signed_distance``.
        *values : float
            The numbers.
        first : int
            The place of the first of them in the field: 0 for x.

        Raises
        ------
        ValueError
            If nothing is selected, it has no such field, it is moving just now, or a number will not do.

        Examples
        --------
        >>> from collision import Sphere
        >>> from viewer.session import Session
        >>> session = Session(Scene({"ball": Sphere([0, 0, 0], 1)}))
        >>> session.select("ball")
        >>> session.set_number("center", 2.5, first=2)
        >>> session.scene["ball"]
        Sphere(center=[0.0, 0.0, 2.5], radius=1.0)
        """
        names = self._document.chosen()
        field = next((field for field in self.card if field.name == name), None)
        if field is None:
            has = ", ".join(field.name for field in self.card) or "no numbers"
            raise ValueError(f"what is selected has {has}, got {name!r}")
        if not self._player.at_rest(names):
            raise ValueError("it is moving just now: its numbers can be changed where it rests, Home goes to the start")
        left = len(field.numbers) - first
        if not 0 < len(values) <= left:
            raise ValueError(f"{field.label} has {max(left, 0)} numbers from there on, got {len(values)}")
        self._document.interrupt()
        scene, change = self._document.scene, self._parting(values[0]) if name == DISTANCE else None
        if change is None:
            change, moved = SetField(name, first, tuple(map(float, values))), names
        else:
            moved = names[-1:]
        self._document.commit(change.apply(scene, moved))

    def _parting(self, wanted: float) -> Change:
        """Return the move of the second of a pair along the normal that makes their signed distance another one."""
        pair, scene = self._selection.pair, self._document.scene
        assert pair is not None
        if not np.isfinite(wanted):
            raise ValueError(f"distance must be finite, got {wanted:g}")
        a, b = (scene[name] for name in pair)
        touch = contact(a, b)
        if not np.isfinite(touch.signed_distance):
            raise ValueError("no move parts the two, so none gives them another distance")
        return Move(_offset(a, b, touch.normal, float(touch.signed_distance), float(wanted)), free=True)

    # -- questions -----------------------------------------------------------------------------------------------------

    def ask_card(self) -> None:
        """Ask for the first number of what is selected."""
        self._document.chosen()
        fields = self.card
        if not fields:
            raise ValueError("what is selected has no numbers to type")
        self.ask_number(fields[0].name)

    def ask_number(self, name: str, number: int = 0) -> None:
        """Ask for a number of the card: Enter takes it, and Tab goes on to the next.

        Raises
        ------
        ValueError
            If what is selected has no such number.
        """
        places = [(field, at) for field in self.card for at in range(len(field.numbers))]
        now = next((k for k, (field, at) in enumerate(places) if (field.name, at) == (name, number)), None)
        if now is None:
            raise ValueError(f"what is selected has no {name} {number}")
        field = places[now][0]
        value = field.numbers[number]
        shown = "" if value is None else written(value)

        def taken(text: str) -> None:
            if text.strip() != shown:
                self.set_number(name, *_read(text, field.label), first=number)

        def stepped(text: str, steps: int) -> None:
            taken(text)
            following, at = places[(now + (1 if steps > 0 else -1)) % len(places)]
            self.ask_number(following.name, at)

        self._dialog.ask(
            Prompt(
                field.label,
                text=shown,
                cursor=len(shown),
                whole=bool(shown),
                place=field.place(number),
                answered=taken,
                stepped=stepped,
            )
        )

    # -- the text ------------------------------------------------------------------------------------------------------

    @property
    def card_text(self) -> str:
        """What is selected in Python: a line for each shape, and for a pair, what there is to know of it."""
        scene, pair = self._player.scene, self._selection.pair
        lines = [f"{_identifier(name)} = {scene[name]!r}" for name in self._document.chosen()]
        return "\n".join(lines if pair is None else [*lines, *_facts(scene, pair)])

    def copy_card(self) -> None:
        """Copy the text of the card to where `copies_to` says."""
        self._updates.say(self._copy(self.card_text))

    @property
    def testable(self) -> bool:
        """Whether there are two shapes that a test could be about."""
        return self._player.scene.element_count > 1

    def copy_test(self) -> None:
        """Copy a test in Python: of the two shapes that are selected, or else of all that collide, as it is now."""
        from collision.testing import snippet

        scene, names = self._player.scene, self._document.selected
        pair = self._selection.pair or (tuple(names) if len(names) == 2 else ())
        self._updates.say(self._copy(snippet(scene, *pair)))

    def copies_to(self, copy: Callable[[str], str]) -> None:
        """Have a function take what is copied; it returns what to tell the user. A window gives the clipboard."""
        self._copy = copy


def written(value: float) -> str:
    """Write a number with all digits that mean something.

    Examples
    --------
    >>> written(0.1), written(29.999999999999996), written(1 / 3), written(2.0)
    ('0.1', '30', '0.333333333333333', '2')
    """
    return f"{value + 0.0:.15g}"


def _common(arrays: list[FloatArray]) -> tuple[float | None, ...]:
    """Return the numbers that are the same in all of some arrays (..., n); None for others."""
    rows = np.concatenate([array.reshape(-1, array.shape[-1]) for array in arrays])
    same = (rows == rows[0]).all(axis=0).tolist()
    return tuple(value if is_same else None for value, is_same in zip(rows[0].tolist(), same, strict=True))


def _read(text: str, label: str) -> list[float]:
    """Read one number, or several with commas or spaces between them."""
    parts = text.replace("\N{MINUS SIGN}", "-").replace(",", " ").split()
    numbers = []
    for part in parts or [""]:
        try:
            numbers.append(float(part))
        except ValueError:
            raise ValueError(f"{label} must be a number, got {part!r}") from None
    return numbers


def _offset(a: Shape, b: Shape, normal: FloatArray, distance: float, wanted: float) -> FloatArray:
    """Return how far B moves along the normal for its signed distance from A to become another one.

    Along the normal two shapes part, or come together until they touch, by what it moves. Deeper, another way out may
    be shorter; as no move changes the distance by more than its length, steps of what is missing never go too far.
    """
    along = wanted - distance
    for _ in range(_STEPS):
        missing = wanted - float(signed_distance(a, b.translated(along * normal)))
        if abs(missing) <= _CLOSE * max(abs(wanted), abs(distance), abs(along)):
            return np.asarray(along * normal)
        along += missing
    raise ValueError(f"no move along their normal makes the two {abs(wanted):g} deep")


def _identifier(name: str) -> str:
    """Return a name as one in Python."""
    word = re.sub(r"^(?=\d)", "_", re.sub(r"\W+", "_", name).strip("_"))
    return f"{word}_" if iskeyword(word) or not word else word


def _facts(scene: Scene, pair: tuple[str, str]) -> list[str]:
    """Return what there is to know of a pair, as comments."""
    touch = contact(*(scene[name] for name in pair))
    facts = {
        "signed_distance": touch.signed_distance,
        "normal": touch.normal,
        "on_a": touch.on_a,
        "on_b": touch.on_b,
    }
    if 0.0 < touch.depth < np.inf:
        facts["shortest move that parts them"] = touch.depth * touch.normal
    return [f"# {what}: {np.asarray(value).tolist()!r}" for what, value in facts.items()]
