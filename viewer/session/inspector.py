"""What there is to read of what is selected: its numbers, which can be set, and its text."""

from __future__ import annotations

import re
from keyword import iskeyword
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from collision import Scene, contact, signed_distance
from collision.inner import FloatArray
from viewer.gizmo.fields import FIELDS, numbers_of, with_distance, with_field
from viewer.session.document import Document
from viewer.session.player import Player
from viewer.session.selection import Selection

#: Of more that is selected, the card has no numbers.
MOST = 64

#: The field of a pair: how far apart the two are, less than zero where they overlap.
DISTANCE = "signed_distance"

#: What fields are called on the card where they have another name than in files.
LABELS = MappingProxyType({"rotation": "rotation \N{DEGREE SIGN}", DISTANCE: "distance"})


class InspectorField(NamedTuple):
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


class Inspector:
    """Reads and changes the numbers of what is selected."""

    def __init__(self, document: Document, player: Player, selection: Selection) -> None:
        self._document, self._player, self._selection = document, player, selection

    @property
    def fields(self) -> tuple[InspectorField, ...]:
        """The fields of what is selected: of a pair its signed distance, of several shapes what all of them have."""
        names, scene, pair = self._document.selected, self._player.scene, self._selection.pair
        if pair is not None:
            return (InspectorField(DISTANCE, (float(signed_distance(*(scene[name] for name in pair))),)),)
        if len(names) > MOST:
            return ()
        shapes = [shape for shape in (scene[name] for name in names) if 0 not in shape.batch_shape]
        if not shapes:
            return ()
        common = [name for name in FIELDS[type(shapes[0])] if all(name in FIELDS[type(shape)] for shape in shapes)]
        return tuple(InspectorField(name, _common([numbers_of(shape, name) for shape in shapes])) for name in common)

    # -- changes -------------------------------------------------------------------------------------------------------

    def set_number(self, name: str, *values: float, first: int = 0) -> None:
        """Give all that is selected other numbers in a field, from the one at a place on, as one step.

        The field is one such as ``radius``, ``rotation`` (degrees about x, then y, then z) or, of a pair,
        ``signed_distance``.
        """
        names = self._document.chosen()
        field = next((field for field in self.fields if field.name == name), None)
        if field is None:
            has = ", ".join(field.name for field in self.fields) or "no numbers"
            raise ValueError(f"what is selected has {has}, got {name!r}")
        if not self._player.at_rest(names):
            raise ValueError("it is moving just now: its numbers can be changed where it rests, Home goes to the start")
        left = len(field.numbers) - first
        if not 0 < len(values) <= left:
            raise ValueError(f"{field.label} has {max(left, 0)} numbers from there on, got {len(values)}")
        self._document.interrupt()
        scene, numbers = self._document.scene, [*map(float, values)]
        pair = name == DISTANCE
        changed = with_distance(scene, names, *numbers) if pair else with_field(scene, names, name, first, numbers)
        self._document.commit(changed)

    # -- the text ------------------------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """What is selected in Python: a line for each shape, and for a pair, what there is to know of it."""
        scene, pair = self._player.scene, self._selection.pair
        lines = [f"{_identifier(name)} = {scene[name]!r}" for name in self._document.chosen()]
        return "\n".join(lines if pair is None else [*lines, *_facts(scene, pair)])

    @property
    def testable(self) -> bool:
        """Whether there are two shapes that a test could be about."""
        return self._player.scene.element_count > 1

    @property
    def test_text(self) -> str:
        """A test in Python: of the two shapes that are selected, or else of all that collide, as it is now."""
        from collision.testing import snippet

        scene, names = self._player.scene, self._document.selected
        return snippet(scene, *(self._selection.pair or (tuple(names) if len(names) == 2 else ())))


def written(value: float) -> str:
    """Write a number with all digits that mean something: 29.999999999999996 is 30."""
    return f"{value + 0.0:.15g}"


def _common(arrays: list[FloatArray]) -> tuple[float | None, ...]:
    """Return the numbers that are the same in all of some arrays (..., n); None for others."""
    rows = np.concatenate([array.reshape(-1, array.shape[-1]) for array in arrays])
    same = (rows == rows[0]).all(axis=0).tolist()
    return tuple(value if is_same else None for value, is_same in zip(rows[0].tolist(), same, strict=True))


def read_numbers(text: str, label: str) -> list[float]:
    """Read one number, or several with commas or spaces between them."""
    parts = text.replace("\N{MINUS SIGN}", "-").replace(",", " ").split()
    numbers = []
    for part in parts or [""]:
        try:
            numbers.append(float(part))
        except ValueError:
            raise ValueError(f"{label} must be a number, got {part!r}") from None
    return numbers


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
