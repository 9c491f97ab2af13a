r"""Formulas in pixels: the part of TeX that explanations are written in, set at once. Pure arithmetic, no renderer.

Numbers of a formula change with every move of a drag, and with them what stands where. Matplotlib's mathtext takes some
milliseconds for a formula; this takes a part of one for all of a card. It knows fractions, roots, powers and indices,
bold and upright letters, delimiters that grow, and symbols by their names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from viewer.records.pixels import Run
from viewer.stage.text.symbols import ALPHABETS, BOLD, FUNCTIONS, OVER, SPACES, SYMBOLS, with_slashes

#: Width in pixels of a text of a height in pixels, bold or not, slanted or not.
MeasureAll: TypeAlias = Callable[[str, float, bool, bool], float]

#: What an atom is: a relation, an operator between two operands, what opens, what closes or ends a part, or a letter.
Kind: TypeAlias = Literal["relation", "operator", "open", "close", "comma", "letter", "space"]

#: What reaches below the line.
_DEEP = frozenset("()[]{}|\N{DOUBLE VERTICAL LINE}gjpqy,;Qμρφ")

_RELATIONS = frozenset("=<>≤≥≠≈→⇒∈≡≪≫∼")
_OPERATORS = frozenset("+-−⋅×±∓∧∨∩∪/*")

#: A number, and a token: a vector of numbers is one, as most of what is to be set are those.
_NUMBER = r"\d+(?:\.\d+)?"
_TOKEN = re.compile(rf"\\[A-Za-z]+|\\.|\(-?{_NUMBER}(?:,\\,-?{_NUMBER})*\)|{_NUMBER}|\s+|.")
_SINGLE = re.compile(rf"\(-?{_NUMBER}(?:,\\,-?{_NUMBER})*\)|{_NUMBER}")

#: So many formulas are kept at most.
_MOST = 128

#: Lengths in heights of the text: spaces about relations and operators, and after a comma; how high the middle of
#: operators is; how far a fraction's parts are from its bar, and how wide bars are; how much smaller a power is, and
#: how far up, and an index down.
_RELATION, _OPERATOR, _COMMA = 0.26, 0.2, 0.14
_AXIS, _BAR_GAP, _BAR, _OVERHANG = 0.34, 0.16, 0.065, 0.08
_SMALL, _UP, _DOWN = 0.7, 0.4, 0.2

#: How far letters reach above the line and below it, in heights of the text.
ABOVE, BELOW = 0.78, 0.24

#: The names that mean something here; any other is written as it is.
KNOWN = frozenset({*SYMBOLS, *FUNCTIONS, *SPACES, *ALPHABETS, *OVER, "frac", "sqrt", "left", "right"})

#: A formula that is too wide is broken into lines; the second and all others begin so far in, in heights of the text.
_INDENT = 1.2

#: A part that is as wide as a line stands after a relation on a line of its own, and with it takes so much more.
_AFTER = _INDENT + 1.4

#: Fractions that only fit in letters so much smaller are written with a slash, over several lines.
_READABLE = 0.75

#: No line is broken before so much of it is written, in heights of the text.
_LEAST = 4.0


class Bar(NamedTuple):
    """A straight line of a formula, from x and y to x and y, and its width."""

    ends: tuple[float, float, float, float]
    width: float


class Box(NamedTuple):
    """A part of a formula: its width, how far it reaches above the line and below it, its letters and its lines.

    It begins at (0, 0), on the line. The place of a run is where it stands on the line, too.
    """

    width: float
    above: float
    below: float
    runs: tuple[Run, ...] = ()
    bars: tuple[Bar, ...] = ()

    def at(self, x: float, y: float) -> Box:
        """Return it elsewhere; it then begins there."""
        runs = tuple([run.moved(x, y) for run in self.runs])
        bars = tuple([Bar((a + x, b + y, c + x, d + y), width) for (a, b, c, d), width in self.bars])
        return Box(self.width, self.above, self.below, runs, bars)


class Atom(NamedTuple):
    """A box and what it is."""

    box: Box
    kind: Kind


class Maths:
    r"""Sets formulas.

    Parameters
    ----------
    measure : callable
        Says how wide a text is.

    Examples
    --------
    >>> maths = Maths(lambda text, size, bold, slanted: size * len(text))
    >>> [run.text for run in maths.lines(r"t = \frac{a}{2}", 10.0, 500.0)[0].runs]
    ['t', '=', 'a', '2']
    """

    def __init__(self, measure: MeasureAll) -> None:
        self._measure = measure
        #: What was set last: from one picture to the next most formulas stay.
        self._known: dict[tuple[str, float, float], list[Box]] = {}

    def lines(self, tex: str, size: float, room: float) -> list[Box]:
        """Return a formula in letters of a height, in lines that fit into a width; smaller, where one part does not."""
        key = tex, size, room
        if key not in self._known:
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[key] = self._lines(*key)
        return self._known[key]

    def line(self, tex: str, size: float) -> Box:
        """Return a formula in one line."""
        return next(iter(self.lines(tex, size, math.inf)), Box(0.0, 0.0, 0.0))

    # -- inside --------------------------------------------------------------------------------------------------------

    def _lines(self, tex: str, size: float, room: float) -> list[Box]:
        atoms = self._atoms(tex, size)
        widest = max([atom.box.width for atom in atoms], default=0.0)
        left = room - _AFTER * size
        if 0.0 < left < _READABLE * widest and "\\frac" in tex:
            return self._lines(with_slashes(tex), size, room)
        if widest > left > 0.0 and size > 1.0:
            return self._lines(tex, max(0.98 * size * left / widest, 1.0), room)
        return _broken(atoms, size, room)

    def _atoms(self, tex: str, size: float) -> list[Atom]:
        return _Reader(self._measure, _TOKEN.findall(tex)).atoms(size)


class _Reader:
    """Reads the tokens of a formula, one after another."""

    def __init__(self, measure: MeasureAll, tokens: Sequence[str]) -> None:
        self._measure, self._tokens, self._next = measure, tokens, 0

    def atoms(self, size: float, alphabet: str = "", end: str = "") -> list[Atom]:
        """Return the atoms up to a token that ends the group, or to the end."""
        found: list[Atom] = []
        while self._next < len(self._tokens):
            token = self._take()
            if token == end or (end == "" and token == "}"):
                break
            if token in "^_" and found:
                found[-1] = self._scripted(found[-1], token, size)
            elif token == "'" and found:
                found[-1] = Atom(_beside(found[-1].box, self._text("\N{PRIME}", size)), found[-1].kind)
            else:
                found += self._atom(token, size, alphabet)
        return found

    def _take(self) -> str:
        self._next += 1
        return self._tokens[self._next - 1]

    def _group(self, size: float, alphabet: str = "") -> Box:
        """Return the group, or the single token, that comes next."""
        while self._next < len(self._tokens) and self._tokens[self._next].isspace():
            self._next += 1
        if self._next >= len(self._tokens):
            return Box(0.0, 0.0, 0.0)
        token = self._take()
        if token != "{":
            return _row([*self._atom(token, size, alphabet)])
        return _row(_spaced(self.atoms(size, alphabet, "}"), size))

    def _atom(self, token: str, size: float, alphabet: str) -> Iterator[Atom]:
        if token == "{":
            yield Atom(_row(_spaced(self.atoms(size, alphabet, "}"), size)), "letter")
        elif token.startswith("\\"):
            yield from self._command(token[1:], size, alphabet)
        elif token.isspace():
            if alphabet in ("text", "mathrm", "operatorname"):
                yield Atom(Box(0.3 * size, 0.0, 0.0), "space")
        elif token == "~":
            yield Atom(Box(0.3 * size, 0.0, 0.0), "space")
        else:
            yield self._character(token, size, alphabet)

    def _command(self, name: str, size: float, alphabet: str) -> Iterator[Atom]:
        if name in SPACES:
            yield Atom(Box(SPACES[name] * size, 0.0, 0.0), "space")
        elif name == "frac":
            yield Atom(self._fraction(size, alphabet), "letter")
        elif name == "sqrt":
            yield Atom(_root(self._group(size, alphabet), size), "letter")
        elif name in ALPHABETS:
            yield Atom(self._word(size, name) or self._group(size, name), "letter")
        elif name in OVER:
            yield Atom(_over(self._group(size, alphabet), size, name), "letter")
        elif name == "left":
            yield Atom(self._fenced(size, alphabet), "letter")
        elif name in FUNCTIONS:
            yield Atom(self._text(name, size), "letter")
            if self._next < len(self._tokens) and not self._tokens[self._next].startswith(
                ("(", "_", "^", "\\left", "{")
            ):
                yield Atom(Box(0.17 * size, 0.0, 0.0), "space")
        elif name in SYMBOLS:
            yield self._character(SYMBOLS[name], size, alphabet or "mathrm")
        elif name not in KNOWN:
            yield Atom(self._text(name, size), "letter")  # better its name than nothing

    def _word(self, size: float, alphabet: str) -> Box | None:
        """Return a group of plain letters as one text; None where there is anything else in it."""
        rest = self._tokens[self._next :]
        end = rest.index("}") if "}" in rest else 0
        letters = "".join(rest[1:end])
        if not end or rest[0] != "{" or not letters.replace(" ", "").isalnum() or alphabet == "mathit":
            return None
        self._next += end + 1
        return self._text(letters, size, bold=alphabet in BOLD)

    def _character(self, text: str, size: float, alphabet: str) -> Atom:
        if len(text) > 2 and text[0] == "(":
            text = text.replace("\\,", " ")
        text = text.replace("-", "\N{MINUS SIGN}") if alphabet != "text" else text
        bold = alphabet in BOLD
        slanted = text.isascii() and text.isalpha() and alphabet in ("", "mathit")
        kind: Kind = "letter"
        if text in _RELATIONS:
            kind = "relation"
        elif text in _OPERATORS:
            kind = "operator"
        elif text in "([":
            kind = "open"
        elif text in ")]":
            kind = "close"
        elif text in ",;":
            kind = "comma"
        return Atom(self._text(text, size, bold=bold, slanted=slanted), kind)

    def _text(self, text: str, size: float, *, bold: bool = False, slanted: bool = False) -> Box:
        width = self._measure(text, size, bold, slanted)
        run = Run(0.0, 0.0, text, size, bold=bold, slanted=slanted, on_line=True)
        return Box(
            width,
            ABOVE * size,
            BELOW * size if text[0] in _DEEP else 0.02 * size,
            (run,),
        )

    def _scripted(self, base: Atom, which: str, size: float) -> Atom:
        """Return an atom with a power or an index, and the other one where that follows."""
        scripts = {which: self._group(_SMALL * size)}
        if self._next < len(self._tokens) and self._tokens[self._next] in "^_" and self._tokens[self._next] != which:
            other = self._take()
            scripts[other] = self._group(_SMALL * size)
        box, beyond = base.box, 0.0
        for kind, script in scripts.items():
            tall = max(box.above - ABOVE * size, 0.0)
            up = _UP * size + tall if kind == "^" else -_DOWN * size - max(base.box.below - BELOW * size, 0.0)
            moved = script.at(base.box.width + 0.04 * size, up)
            beyond = max(beyond, script.width + 0.06 * size)
            box = Box(
                base.box.width + beyond,
                max(box.above, up + script.above),
                max(box.below, script.below - up),
                (*box.runs, *moved.runs),
                (*box.bars, *moved.bars),
            )
        return Atom(box, base.kind)

    def _fraction(self, size: float, alphabet: str) -> Box:
        top, bottom = self._group(0.92 * size, alphabet), self._group(0.92 * size, alphabet)
        width = max(top.width, bottom.width) + 2.0 * _OVERHANG * size
        up = _AXIS * size + _BAR_GAP * size + top.below
        down = _AXIS * size - _BAR_GAP * size - bottom.above
        over, under = top.at(0.5 * (width - top.width), up), bottom.at(0.5 * (width - bottom.width), down)
        bar = Bar((0.0, _AXIS * size, width, _AXIS * size), max(_BAR * size, 1.0))
        whole = Box(
            width, up + top.above, bottom.below - down, (*over.runs, *under.runs), (*over.bars, *under.bars, bar)
        )
        return _padded(whole, 0.06 * size)

    def _fenced(self, size: float, alphabet: str) -> Box:
        """Return what stands between two delimiters, which are as high as that is."""
        opening = self._take() if self._next < len(self._tokens) else "."
        inner, depth = list[str](), 0
        while self._next < len(self._tokens):
            token = self._take()
            depth += (token == "\\left") - (token == "\\right")
            if depth < 0:
                break
            inner.append(token)
        closing = self._take() if self._next < len(self._tokens) else "."
        box = _row(_spaced(_Reader(self._measure, inner).atoms(size, alphabet), size))
        parts = [self._delimiter(opening, size, box), box, self._delimiter(closing, size, box)]
        return _row([Atom(part, "letter") for part in parts])

    def _delimiter(self, token: str, size: float, inner: Box) -> Box:
        if token == ".":
            return Box(0.0, 0.0, 0.0)
        text = SYMBOLS.get(token[1:], token[1:]) if token.startswith("\\") else token
        scale = max((inner.above + inner.below) / ((ABOVE + BELOW) * size), 1.0)
        grown = self._text(text, scale * size)
        return grown.at(0.0, scale * BELOW * size - inner.below) if scale > 1.0 else grown


def single(tex: str) -> str:
    r"""Return the text that a number or a vector of numbers is written as; nothing for all else.

    Examples
    --------
    >>> single(r"(1,\,2.5)"), single("4"), single(r"1.5 \times 10^{-9}")
    ('(1, 2.5)', '4', '')
    """
    plain = tex.replace("\\,", " ").replace("-", "\N{MINUS SIGN}")
    return plain if _SINGLE.fullmatch(tex) else ""


def _spaced(atoms: Sequence[Atom], size: float) -> list[Atom]:
    """Return atoms with the spaces about relations and operators, and after commas."""
    found: list[Atom] = []
    for k, atom in enumerate(atoms):
        if atom.kind == "relation":
            found.append(Atom(_padded(atom.box, _RELATION * size), atom.kind))
        elif atom.kind == "operator" and _binary(atoms[:k]) and k + 1 < len(atoms):
            found.append(Atom(_padded(atom.box, _OPERATOR * size), atom.kind))
        elif atom.kind == "comma":
            found.append(Atom(atom.box._replace(width=atom.box.width + _COMMA * size), atom.kind))
        else:
            found.append(atom)
    return found


def _binary(before: Sequence[Atom]) -> bool:
    """Say whether an operator after some atoms stands between two operands: a sign does not."""
    last = next((atom for atom in reversed(before) if atom.kind != "space"), None)
    return last is not None and last.kind in ("letter", "close")


def _row(atoms: Sequence[Atom]) -> Box:
    """Return atoms one beside the other, as one box."""
    x, runs, bars = 0.0, list[Run](), list[Bar]()
    for box, _ in atoms:
        moved = box.at(x, 0.0) if x else box
        runs += moved.runs
        bars += moved.bars
        x += box.width
    above, below = (max([side(atom.box) for atom in atoms], default=0.0) for side in (_above, _below))
    return Box(x, above, below, tuple(runs), tuple(bars))


def _above(box: Box) -> float:
    return box.above


def _below(box: Box) -> float:
    return box.below


def _beside(a: Box, b: Box) -> Box:
    return _row([Atom(a, "letter"), Atom(b, "letter")])


def _padded(box: Box, by: float) -> Box:
    return box.at(by, 0.0)._replace(width=box.width + 2.0 * by)


def _over(box: Box, size: float, name: str) -> Box:
    """Return a box with a line above it; with a head, where that is an arrow, or pointed, as a hat."""
    y, width = box.above + 0.08 * size, max(_BAR * size, 1.0)
    if name == "hat":
        middle, half = 0.5 * box.width, min(0.25 * size, 0.5 * box.width)
        bars = [Bar((middle - half, y, middle, y + half), width), Bar((middle, y + half, middle + half, y), width)]
    else:
        bars = [Bar((0.0, y, box.width, y), width)]
    if name == "vec":
        head = 0.14 * size
        bars += [Bar((box.width - head, y + side * head, box.width, y), width) for side in (1.0, -1.0)]
    return box._replace(above=y + 0.3 * size, bars=(*box.bars, *bars))


def _root(box: Box, size: float) -> Box:
    """Return the root of a box."""
    sign, width = 0.62 * size, max(_BAR * size, 1.0)
    top, foot = box.above + 0.12 * size, -box.below
    inner = box.at(sign + 0.06 * size, 0.0)
    whole = sign + 0.12 * size + box.width
    corners = [(0.05 * size, 0.3 * size), (0.2 * size, 0.36 * size), (0.36 * size, foot), (sign, top), (whole, top)]
    bars = [Bar((*a, *b), width) for a, b in pairwise(corners)]
    return Box(whole + 0.05 * size, top + 0.1 * size, max(box.below, 0.05 * size), inner.runs, (*inner.bars, *bars))


def _broken(atoms: Sequence[Atom], size: float, room: float) -> list[Box]:
    """Return atoms in lines that fit into a width: broken before a relation, else at an operator or after a comma."""
    spaced, lines, first = _spaced(atoms, size), list[Box](), 0
    while first < len(spaced):
        indent = _INDENT * size if lines else 0.0
        last = _fitting(spaced, first, room - indent, _LEAST * size)
        line = _row(spaced[first:last])
        lines.append(line.at(indent, 0.0)._replace(width=line.width + indent))
        first = last
    return lines


def _fitting(atoms: Sequence[Atom], first: int, room: float, least: float) -> int:
    """Return where the line that begins at an atom ends, with so much of the width taken at least."""
    x, ends = 0.0, dict[str, int]()
    for k in range(first, len(atoms)):
        box, kind = atoms[k]
        if k > first and kind in ("relation", "operator") and x >= least:
            ends[kind] = k
        x += box.width
        if x > room:
            hangs = k - 1 > first and atoms[k - 1].kind == "relation"
            last = k - 1 if hangs else max(k, first + 1)
            return next((ends[kind] for kind in ("relation", "operator", "comma") if kind in ends), last)
        if kind == "comma" and x >= least:
            ends["comma"] = k + 1
    return len(atoms)
