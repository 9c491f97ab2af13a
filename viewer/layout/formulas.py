r"""Formulas in the room that there is: in one line, in several, or smaller."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from viewer.layout.page import ABOVE, BELOW
from viewer.layout.parts import Area, Ink, Part, Shape, Written
from viewer.records.pixels import Rect, TextRun

#: Between the lines of a formula, at least; how far the second and all others begin to the right; and how much of a
#: line is written at least before it is broken: in heights of the letters.
LINE_GAP, _INDENT, _LEAST = 0.3, 1.2, 4.0

#: Fractions that only fit in letters so much smaller are written with a slash. In each try, letters are so much
#: smaller.
_READABLE, _SMALLER = 0.75, 0.95

_RELATIONS, _OPERATORS = frozenset("=<>≤≥≠≈→⇒∈≡≪≫∼"), frozenset("+-−⋅×±∓∧∨∩∪/*")


class TypesetFormula(NamedTuple):
    """A formula: its width, how far it reaches above the line and below it, its letters and its bars.

    It begins at (0, 0), on the line; so do its letters, a run each.
    """

    width: float
    above: float
    below: float
    runs: tuple[TextRun, ...] = ()
    bars: tuple[Rect, ...] = ()

    def scaled(self, by: float) -> TypesetFormula:
        """Return it so many times as large."""
        runs = tuple([run._replace(x=by * run.x, y=by * run.y, size=by * run.size) for run in self.runs])
        bars = tuple([Rect(*(by * side for side in bar)) for bar in self.bars])
        return TypesetFormula(by * self.width, by * self.above, by * self.below, runs, bars)

    def part(self, x: float, y: float, ink: Ink = "text") -> Part:
        """Return it as a part, which begins at a place on its line."""
        texts = tuple([Written(run.moved(x, y), ink) for run in self.runs])
        # A bar that is thinner than a pixel may be seen nowhere.
        bars = [Rect(x + bar.x, y + bar.y, bar.width, max(bar.height, 1.0)) for bar in self.bars]
        return Part(self.above + self.below, texts, tuple([Area(bar, ink) for bar in bars]))


#: Sets a formula of TeX in one line, in letters of a height.
Typeset: TypeAlias = Callable[[str, float], TypesetFormula]


def formula_lines(tex: str, size: float, room: float, typeset: Typeset) -> list[TypesetFormula]:
    """Return a formula in lines that fit into a width, in letters of a height or smaller."""
    whole, scale = typeset(tex, size), 1.0
    while (lines := _broken(whole.scaled(scale), scale * size, room)) and scale * size > 1.0:
        if max(line.width for line in lines) <= room:
            break
        scale *= _SMALLER
        if scale < _READABLE and "\\frac" in tex:
            return formula_lines(with_slashes(tex), size, room, typeset)
    return lines


def formula_part(
    lines: Sequence[TypesetFormula], leading: float, size: float, ink: Ink = "text", indent: float = 0.0
) -> Part:
    """Return the lines of a formula one below the other, each as high as it is, but not lower than a line of text."""
    y, texts, shapes = 0.0, list[Written](), list[Shape]()
    for line in lines:
        spare = max(leading - line.above - line.below, LINE_GAP * size)
        part = line.part(indent, y - 0.5 * spare - line.above, ink)
        texts += part.texts
        shapes += part.shapes
        y -= spare + part.height
    return Part(-y, tuple(texts), tuple(shapes))


def places_of(formula: Part, signs: str, font: str, width: Callable[[TextRun], float]) -> Iterator[Rect]:
    """Return where signs stand one after the other in a formula: a whole number, a vector, or a symbol in a font."""
    runs = [text.run for text in formula.texts]
    for found in re.finditer(rf"(?<![\d.]){re.escape(signs.replace(' ', ''))}(?![\d.])", "".join(r.text for r in runs)):
        some = runs[found.start() : found.end()]
        first, last = some[0], some[-1]
        # Of signs that follow each other in TeX, some may stand in another line, or in a script.
        if {(run.y, run.font, run.size) for run in some} == {(first.y, font, first.size)}:
            top, foot = first.y + ABOVE * first.size, first.y - BELOW * first.size
            yield Rect(first.x, foot, last.x + width(last) - first.x, top - foot)


def with_slashes(tex: str) -> str:
    r"""Return a formula with its fractions in one line.

    Examples
    --------
    >>> with_slashes(r"t = \frac{a \cdot b}{2} + 1")
    't = (a \\cdot b)\\,/\\,2 + 1'
    """
    head, found, rest = tex.partition(r"\frac")
    if not found:
        return tex
    over, rest = _group_of(rest)
    under, rest = _group_of(rest)
    parts = [part if re.fullmatch(r"\w+|\d+\.\d+", part) else f"({part})" for part in map(with_slashes, (over, under))]
    slash = r"\,/\,"  # Matplotlib leaves no room about it
    return f"{head}{slash.join(parts)}{with_slashes(rest)}"


def _group_of(tex: str) -> tuple[str, str]:
    """Return what stands in the braces that come next, and the rest."""
    depth = 0
    for k, sign in enumerate(tex):
        depth += (sign == "{") - (sign == "}")
        if not depth:
            return tex[1:k].strip(), tex[k + 1 :]
    return tex[1:], ""


def _broken(formula: TypesetFormula, size: float, room: float) -> list[TypesetFormula]:
    """Return a formula in lines: broken before a relation, else at an operator or after a comma."""
    lines, start, indent, breaks = list[TypesetFormula](), 0.0, 0.0, [*_breaks(formula)]
    while formula.width - start > room - indent:
        fitting = [
            (rank, -x) for rank, x in breaks if start + _LEAST * size < x <= start + room - indent and x < formula.width
        ]
        if not fitting:  # it is too wide up to the next place at which it can be broken
            fitting = [(0, -x) for _, x in breaks if x > start + _LEAST * size][:1]
        if not fitting:
            break
        end = -min(fitting)[1]
        lines.append(_between(formula, start, end, indent))
        start, indent = end, _INDENT * size
    return [*lines, _between(formula, start, math.inf, indent)] if lines else [formula]


def _breaks(formula: TypesetFormula) -> Iterator[tuple[int, float]]:
    """Return where a formula can be broken, the best of them with the least numbers."""
    depth, before = 0, ""
    for run in sorted(formula.runs):
        inside = any(bar.x <= run.x < bar.x + bar.width for bar in formula.bars)  # of a fraction or a root
        depth += (run.text in "([") - (run.text in ")]")
        on_line = run.y == 0.0 and not inside
        binary = before not in {"", "(", "[", ",", *_RELATIONS, *_OPERATORS}
        if on_line and run.text in _RELATIONS:
            yield 3 * (depth > 0), run.x
        elif on_line and run.text in _OPERATORS and binary:
            yield 1 + 3 * (depth > 0), run.x
        elif on_line and before == "," and depth == 0:
            yield 2, run.x
        if run.y == 0.0:
            before = run.text


def _between(formula: TypesetFormula, start: float, end: float, indent: float) -> TypesetFormula:
    """Return a part of a formula as a line of its own."""
    runs = tuple([run.moved(indent - start, 0.0) for run in formula.runs if start <= run.x < end])
    bars = tuple([bar.moved(indent - start, 0.0) for bar in formula.bars if start <= bar.x < end])
    width = min(end, formula.width) - start + indent
    if bars or any(run.font and not run.font.startswith("DejaVuSans-") for run in runs):  # delimiters that are high
        return TypesetFormula(width, formula.above, formula.below, runs, bars)
    above = max([run.y + ABOVE * run.size for run in runs], default=0.0)
    return TypesetFormula(width, above, max([BELOW * run.size - run.y for run in runs], default=0.0), runs, bars)
