"""An explanation as plain text, for terminals: formulas in the signs of Unicode."""

from __future__ import annotations

import re
import textwrap
from collections import deque
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from collision.explaining.records import Formula, Quantity, Step, Value, listed

#: What the commands of TeX are in plain text. Packages that turn TeX into text leave out the brackets of a fraction.
SIGNS: Mapping[str, str] = MappingProxyType(
    {
        **{"cdot": "·", "times": "×", "leq": "≤", "geq": "≥", "lt": "<", "gt": ">", "neq": "≠", "approx": "≈"},
        **{"in": "∈", "pm": "±", "to": "→", "infty": "∞", "ldots": "…", "dots": "…", "circ": "°", "Delta": "Δ"},
        **{
            "alpha": "α",
            "beta": "β",
            "delta": "δ",
            "epsilon": "ε",
            "theta": "θ",
            "lambda": "λ",
            "varphi": "φ",
            "phi": "φ",
            "omega": "ω",
        },
        **{"lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "prime": "′", "wedge": "∧", "vee": "∨"},
        **{"|": "‖", "Vert": "‖", "lVert": "‖", "rVert": "‖", "vert": "|", "{": "{", "}": "}"},
        **{",": " ", ";": " ", ":": " ", " ": " ", "!": "", "quad": "  ", "left": "", "right": ""},
    }
)

#: What stands after the digits of a number on a tape: its place, how many digits it has at most, and all of it.
NUMBERED = re.compile("\ue000(\\d+)\ue002(\\d+)\ue002([^\ue001]*)\ue001")

#: What only says how its group looks.
_LOOKS = frozenset({"mathbf", "mathrm", "mathit", "text", "operatorname", "hat", "vec", "overline"})

_RAISED = str.maketrans("0123456789-+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_TOKEN = re.compile(r"\\([a-zA-Z]+|.)|([{}^_])|([^\\{}^_]+)", re.DOTALL)

#: What a formula is broken before, and how much further in it then goes on.
_RELATIONS, _OPERATORS, _FURTHER = frozenset("=≠≈<>≤≥"), frozenset("+-·×/"), 3

#: What binds two parts of a formula less than a fraction does.
_LOOSE = re.compile(r"[\s+·×/]|(?<=.)-")


def numbered(place: int, digits: int, text: str) -> str:
    """Return what stands after the digits of a number that is on a tape; who looks for the e of a power finds none."""
    return f"\ue000{place}\ue002{digits}\ue002{text.replace('e', 'E')}\ue001"


def step_as_text(number: int, step: Step, width: int | None, known: set[Value]) -> str:
    """Return a step with its number, its text, its formulas and its values; broken at a width if there is one.

    A number stands once: in a formula, or else in the list; see `listed`.
    """
    lines = [wrapped(f"{number}. {step.title}{article_of(step)}", width, "", "   "), wrapped(step.text, width, "   ")]
    below = [line for rule in step.formulas for line in formula_lines(rule)]
    below += [line for value, told in listed(step, known) for line in _value(value, told=told)]
    for line in below:
        lines += [line] if width is None else folded(line, width)
    return "\n".join(lines)


def article_of(step: Step) -> str:
    """Return what is said after the title of a step that is an article's, unless that says so itself."""
    return " (the way of an article)" if step.article and "article" not in step.title else ""


def wrapped(text: str, width: int | None, indent: str = "", further: str | None = None) -> str:
    """Return a text, broken at a width if there is one; lines after the first may be indented further."""
    if width is None:
        return indent + text
    below = indent if further is None else further
    return textwrap.fill(text, width, initial_indent=indent, subsequent_indent=below, break_long_words=False)


def folded(line: str, width: int) -> list[str]:
    """Return a formula or a value in lines that fit into a width, with those below the first further in.

    It is broken outside of brackets where that can be: before a relation, else before an operator, else at a space.

    Examples
    --------
    >>> folded("  d = |(1, 2) - (3, 4)| + (5, 6) · (7, 8)", 30)
    ['  d = |(1, 2) - (3, 4)|', '     + (5, 6) · (7, 8)']
    """
    lines: list[str] = []
    while len(line) > width:
        indent = len(line) - len(line.lstrip())
        costs = [(*cost, -k) for k, cost in _breaks(line) if indent < k <= width]
        if not costs:
            break
        # A line that is nearly empty saves nothing.
        k = -min([cost for cost in costs if 2 * -cost[2] > width] or costs)[2]
        lines.append(line[:k])
        line = " " * (indent if len(lines) > 1 else indent + _FURTHER) + line[k:].lstrip()
    return [*lines, line]


def _breaks(line: str) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the spaces at which a line may break, each with its depth in brackets and how much it holds together."""
    depth, begun = 0, False
    for k, sign in enumerate(line):
        depth += (sign in "([") - (sign in ")]")
        before, after = line[:k].rpartition(" ")[2], line[k + 1 : k + 2]
        if sign == " " and begun and before not in _RELATIONS | _OPERATORS:
            yield k, (depth, 0 if after in _RELATIONS else 1 if after in _OPERATORS else 2)
        begun = begun or sign != " "


def formula_lines(rule: Formula) -> Iterator[str]:
    """Yield a formula with symbols, and below it with numbers."""
    symbols, numbers = plain(rule.symbols), plain(rule.numbers)
    yield f"     {symbols}"
    if numbers != symbols:
        yield f"     {numbers}"


def _value(value: Value, *, told: bool) -> Iterator[str]:
    name, means, said = plain(value.symbol), f" ({value.means})" if value.means else "", unit_of(value)
    rows = value.value
    if isinstance(rows, tuple) and rows and isinstance(rows[0], tuple):
        yield f"     {name}{said}{means}:"
        yield from matrix_lines(rows)
    else:
        yield f"     {name}{means}" if told else f"     {name} = {number(rows)}{said}{means}"


def unit_of(value: Value) -> str:
    """Return what stands after a number: its unit."""
    one = value.value == 1 and value.unit == "length"
    return {"length": " unit" if one else " units", "length²": " units²", "length⁴": " units⁴", "degrees": "°", "": ""}[
        value.unit
    ]


def matrix_lines(rows: tuple[object, ...]) -> Iterator[str]:
    """Yield the rows of a matrix, its columns one below the other."""
    cells = [[number(part) for part in row] for row in rows if isinstance(row, tuple)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        yield "       " + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))


def number(value: Quantity) -> str:
    """Return a number, a truth or a vector as text, with six digits; what is counted, whole.

    Examples
    --------
    >>> number((1.0, -0.0, 1 / 3)), number(True), number(float("inf")), number(312487500)
    ('(1, 0, 0.333333)', 'yes', '∞', '312487500')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, tuple):
        return "(" + ", ".join(number(part) for part in value) + ")"
    return f"{value + 0.0:.6g}".replace("inf", "∞").replace("nan", "no number")


def plain(tex: str) -> str:
    r"""Return a formula in TeX as plain text.

    Examples
    --------
    >>> plain(r"5 = \|(3,\,4,\,0)\| \leq 1.5 \times 10^{-9}")
    '5 = ‖(3, 4, 0)‖ ≤ 1.5 × 10⁻⁹'
    """
    return re.sub(r"  +", " ", _TexReader(tex).row()).strip()


class _TexReader:
    """Reads TeX from left to right: commands, groups in braces, what is raised and lowered."""

    def __init__(self, tex: str) -> None:
        self._tokens: deque[tuple[str, str, str]] = deque(_TOKEN.findall(tex))

    def row(self) -> str:
        """Return all up to the end of the group."""
        parts: list[str] = []
        while self._tokens:
            command, sign, text = self._tokens.popleft()
            if sign == "}":
                break
            if sign in ("^", "_"):
                parts.append(_script(sign, self._argument()))
            else:
                parts.append(text or self._one(command, sign))
        return "".join(parts)

    def _one(self, command: str, sign: str) -> str:
        if sign == "{":
            return self.row()
        if command in ("frac", "dfrac", "tfrac"):
            over, under = self._argument(), self._argument()
            return f"{_bracketed(over)} / {_bracketed(under)}"
        if command == "sqrt":
            inside = self._argument()
            return f"√{inside}" if inside.isalnum() else f"√({inside})"
        if command in _LOOKS:
            return self._argument()
        return SIGNS.get(command, command)

    def _argument(self) -> str:
        """Return the group that comes next, or the first sign of what comes."""
        command, sign, text = self._tokens.popleft() if self._tokens else ("", "", "")
        if not text:
            return self._one(command, sign)
        text = text.lstrip()
        if not text:
            return self._argument()
        if text[1:]:
            self._tokens.appendleft(("", "", text[1:]))
        return text[0]


def _script(sign: str, text: str) -> str:
    if sign == "_":
        return text.translate(_LOWERED) if text.isdigit() else f"_{text}"
    if re.fullmatch(r"[+-]?\d+", text):
        return text.translate(_RAISED)
    return text if text in ("°", "′") else f"^{_bracketed(text)}"


def _bracketed(text: str) -> str:
    """Return a part of a formula, in brackets unless it holds together by itself."""
    closed = text.startswith("(") and text.endswith(")") and text.count("(") == 1
    return text if closed or not _LOOSE.search(text) else f"({text})"
