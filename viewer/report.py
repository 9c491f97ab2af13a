"""The contacts of a scene as text for people, and as JSON for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from collision import Contacts, Scene
from collision.fields import FloatArray
from viewer.ignored import ignored_count, ignored_note
from viewer.words import counted

if TYPE_CHECKING:
    from collision.importers import Skipped
    from viewer.loading import Loaded

#: The version of the JSON below; it grows when a key changes its meaning or goes, not when one is added.
JSON_VERSION = 1


class ContactTable:
    """The contacts as a table, a line each; stacked, where the terminal is too narrow for that.

    Parameters
    ----------
    scene : Scene
        Has the names.
    contacts : Contacts
        What `Scene.contacts` returned.
    signed : bool
        Whether to give signed distances (for contacts with a margin), rather than depths.
    """

    def __init__(self, scene: Scene, contacts: Contacts, *, signed: bool = False) -> None:
        self.header = ("A", "B", "signed distance" if signed else "depth", "contact point", "normal A to B")
        amounts = contacts.signed_distance if signed else contacts.depth
        points = _columns(contacts.point)
        normals = _columns(contacts.normal)
        self.rows = [
            (scene.element_name(int(a)), scene.element_name(int(b)), _number(amount), point, normal)
            for (a, b), amount, point, normal in zip(contacts.pairs, amounts, points, normals, strict=True)
        ]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        # Rich's own table takes a millisecond a row: too long for the thousands of pairs of a crowd.
        widths = [max(map(cell_len, column)) for column in zip(self.header, *self.rows, strict=True)]
        width = sum(widths) + len(_GAP) * (len(widths) - 1)
        if width > options.max_width:
            yield from self._stacked()
            return
        yield _line(self.header, widths, "bold")
        yield Text(("-" if options.ascii_only else "─") * width, no_wrap=True, overflow="ignore")
        for row in self.rows:
            yield _line(row, widths)

    def _stacked(self) -> Iterator[Text]:
        for a, b, *values in self.rows:
            yield Text(f"{a}  {b}", style="bold", overflow="fold")
            for title, value in zip(self.header[2:], values, strict=True):
                yield Text(f"    {title:<15} {value}", overflow="fold")


_GAP = "   "


def _line(cells: Sequence[str], widths: Sequence[int], style: str = "") -> Text:
    """Return a row of a table: numbers to the right, the rest to the left, nothing behind the last."""
    padded = [cell + " " * (width - cell_len(cell)) for cell, width in zip(cells, widths, strict=True)]
    padded[2] = cells[2].rjust(widths[2])
    return Text(_GAP.join(padded).rstrip(), style=style, no_wrap=True, overflow="ignore")


def summary(scene: Scene, contacts: Contacts, *, margin: float = 0.0) -> str:
    """Say in one sentence how many pairs were found.

    Examples
    --------
    >>> from collision import Sphere
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1.5, 0, 0], 1)})
    >>> summary(scene, scene.contacts())
    '1 pair of 2 shapes collides.'
    >>> summary(scene.ignoring(("a", "b")), scene.ignoring(("a", "b")).contacts())
    'No pair of 2 shapes collides; 1 pair ignored.'
    """
    count = len(contacts)
    among = f"{counted(count, 'pair') if count else 'No pair'} of {counted(scene.element_count, 'shape')}"
    many = count > 1
    near = f"{'are' if many else 'is'} within {margin:g} of each other"
    found = near if margin else "collide" if many else "collides"
    note = ignored_note(scene)
    return f"{among} {found}{f'; {note}' if note else ''}."


def skipped_lines(skipped: Sequence[Skipped]) -> list[str]:
    """Say what of a foreign model was left out, a line for each reason.

    Examples
    --------
    >>> from collision.importers import Skipped
    >>> skipped_lines([Skipped("floor", "plane", "it is infinite"), Skipped("sky", "plane", "it is infinite")])
    ['left out: floor, sky (plane): it is infinite']
    """
    reasons: dict[tuple[str, str], list[str]] = {}
    for part in skipped:
        reasons.setdefault((part.kind, part.reason), []).append(part.name)
    return [f"left out: {', '.join(names)} ({kind}): {reason}" for (kind, reason), names in reasons.items()]


def to_json(source: str, loaded: Loaded, contacts: Contacts, *, margin: float) -> str:
    """Write the contacts as JSON.

    The keys are stable: ``version``, ``scene``, ``title``, ``shapes``, ``ignored`` (how many pairs are), ``margin``,
    ``pairs``, ``skipped`` and ``notes``. A pair has ``a``, ``b``, ``colliding``, ``signed_distance``, ``depth``,
    ``point``, ``normal`` (from a to b), ``on_a`` and ``on_b``; a skipped part has ``name``, ``kind`` and ``reason``.
    Numbers are written to the last bit.
    """
    document = {
        "version": JSON_VERSION,
        "scene": source,
        "title": loaded.scene.title,
        "shapes": loaded.scene.element_count,
        "ignored": ignored_count(loaded.scene),
        "margin": margin,
        "pairs": list(_json_pairs(loaded.scene, contacts)),
        "skipped": [part._asdict() for part in loaded.skipped],
        "notes": list(loaded.notes),
    }
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    # A point on one line. No text can match: line ends inside of texts are escaped.
    return re.sub(r"\[\n\s+([-+.\de]+),\n\s+([-+.\de]+),\n\s+([-+.\de]+)\n\s+\]", r"[\1, \2, \3]", text)


def _json_pairs(scene: Scene, contacts: Contacts) -> Iterator[dict[str, Any]]:
    depths = contacts.depth
    colliding = {(int(a), int(b)) for a, b in scene.colliding_pairs()}
    for row, (a, b) in enumerate(contacts.pairs):
        yield {
            "a": scene.element_name(int(a)),
            "b": scene.element_name(int(b)),
            "colliding": (int(a), int(b)) in colliding,
            "signed_distance": float(contacts.signed_distance[row]),
            "depth": float(depths[row]),
            "point": contacts.point[row].tolist(),
            "normal": contacts.normal[row].tolist(),
            "on_a": contacts.on_a[row].tolist(),
            "on_b": contacts.on_b[row].tolist(),
        }


def _columns(vectors: FloatArray) -> list[str]:
    """Write vectors with their numbers in columns, so that they can be compared by eye."""
    # Beside the largest coordinate, a tiny one is rounding: it is shown as zero.
    largest = np.max(np.abs(vectors), axis=-1, keepdims=True, initial=0.0)
    shown = np.where(np.abs(vectors) < 1e-9 * largest, 0.0, vectors)
    texts = [[_number(value) for value in vector] for vector in shown]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return ["  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)) for row in texts]


def _number(value: float) -> str:
    """Write a number with four significant digits, without a sign on zero.

    Examples
    --------
    >>> [_number(value) for value in (0.25, -0.0, 1 / 3, 123456.0)]
    ['0.25', '0', '0.3333', '1.235e+05']
    """
    return f"{value + 0.0:.4g}"
