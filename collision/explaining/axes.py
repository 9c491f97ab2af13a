"""The fifteen axes along which the kernel of two boxes looks for a gap, read back from its loops."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from collision.explaining.bars import AXES
from collision.explaining.records import Formula, Value, formula
from collision.explaining.trace import Call

#: The axes that are normals of faces.
_FACES = 6


@dataclass(frozen=True)
class BoxAxis:
    """An axis, and what the kernel found along it.

    Attributes
    ----------
    number : int
        0 to 2 of the second box, 3 to 5 of the first, from 6 on of two edges.
    name : str
        In words.
    gap : float
        Between the shadows of the boxes, negative where these overlap.
    template : str
        How the gap comes about.
    parts : dict
        What stands for the symbols of that.
    """

    number: int
    name: str
    gap: float
    template: str
    parts: dict[str, Value]

    def rule(self, gap: Value) -> Formula:
        """Return how the gap comes about."""
        return formula(self.template, g=gap, **self.parts)


def axes_of(call: Call, a: str, b: str) -> list[BoxAxis]:
    """Return the axes that the kernel tried, but for those of parallel edges."""
    found, edges = _of_faces(call.the("widest_face"), a, b), call.find("widest_edge")
    return found if edges is None else [*found, *_of_edges(edges, a, b)]


def _given(call: Call, name: str) -> list[Any]:
    """Return all values that a name was given, in order."""
    return [assigned.value for assigned in call.assigned if assigned.name == name]


def _of_faces(call: Call, a: str, b: str) -> list[BoxAxis]:
    # Each gap is the first coordinate of `first` in turn.
    gaps, (reach_b, reach_a) = [first.x for first in _given(call, "first")], _given(call, "reach")
    into_a = call.the("into_a")
    seen = (*call.arguments["both"].center, *into_a.result)
    reaches = (*reach_b, *reach_a)
    axes = []
    for k in range(_FACES):
        owner, name = b if k < 3 else a, AXES[k % 3]
        parts = {"c": Value("c", seen[k], "length"), "r": Value("r", reaches[k], "length")}
        axes.append(BoxAxis(k, f"{owner} {name}", gaps[k], "<g> = |<c>| - <r>", parts))
    return axes


def _of_edges(call: Call, a: str, b: str) -> list[BoxAxis]:
    # All are turned once for each axis of B, and set anew for each of A; of `other` the second value counts.
    fars, reaches, xs, halves = (_given(call, name) for name in ("far", "reach", "x", "b"))
    sines, others = _given(call, "sine"), _given(call, "other")
    axes = []
    for k in range(9):
        j, i = divmod(k, 3)
        gap, x, half = others[2 * k + 1], xs[4 * j + i], halves[3 * j + i]
        if gap == -math.inf:
            continue
        parts = {
            "f": Value("f", fars[4 * j + i].x),
            "r": Value("r", reaches[4 * j + i].x),
            "by": Value("b_1", half.y),
            "bz": Value("b_2", half.z),
            "xy": Value("a_1", x.y),
            "xz": Value("a_2", x.z),
            "s": Value("s", sines[k]),
        }
        template = r"<g> = \frac{<f> - <r> - (<by>\,|<xz>| + <bz>\,|<xy>|)}{<s>}"
        axes.append(BoxAxis(_FACES + k, f"{a} {AXES[j]} × {b} {AXES[i]}", gap, template, parts))
    return axes
