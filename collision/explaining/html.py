"""Steps of an explanation as HTML, with formulas in MathML, which browsers set themselves."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from html import escape

from collision.explaining.markdown import aligned
from collision.explaining.records import Formula, Step, Value, is_matrix, listed, tex_number
from collision.explaining.text import NUMBERED, SIGNS, article_of, unit_of

#: A command of TeX, a number, a letter, or a sign; spaces say nothing.
_TOKEN = re.compile(r"\\([a-zA-Z]+|.)|(\d+(?:\.\d+)?(?:\ue000[^\ue001]*\ue001)?|[a-zA-Z]|[^\s\\])")

#: A number in a sentence that is on a tape.
_IN_WORDS = re.compile(rf"(-?)(?:\d[\d.]*|inf|nan){NUMBERED.pattern}(?:e[-+]?\d+)?")

#: Commands whose group is written upright, in bold or not, and those that are names of functions.
_UPRIGHT, _FUNCTIONS = {"mathbf": "bold", "mathrm": ""}, frozenset({"min", "max"})

#: Spaces after a comma, which browsers leave themselves, and others.
_SPACES = {",": "", ";": "0.28em", " ": "0.28em"}

#: What stands on both sides of something, and is as high as letters are.
_FENCES = frozenset("()[]|‖")

#: What a sign follows that has nothing to its left: that of a number, not that of a difference.
_BEFORE_SIGN = frozenset("=<>≤≥≠≈(,[·×")


def step_as_html(number: int, step: Step, level: int, known: set[Value]) -> Iterator[str]:
    """Yield the elements of a step: a heading of a level, its text, its formulas and its values.

    Values are listed as in Markdown: a number stands once, and what is known from steps before is left out.
    """
    yield f"<h{level}>{number}. {escape(step.title)}{article_of(step)}</h{level}>"
    yield f"<p>{_in_words(step.text)}</p>"
    yield from map(formula_as_html, step.formulas)
    rows = list[str]()
    for value, told in listed(step, known):
        equals = "" if told else f"<mo>=</mo>{_quantity(value)}"
        unit = "" if told else unit_of(value)
        rows.append(f"<dt><math>{mathml_row(value.symbol)}{equals}</math>{unit}</dt><dd>{escape(value.means)}</dd>")
    if rows:
        yield f"<dl>{''.join(rows)}</dl>"


def number_as_html(text: str) -> str:
    """Return a number of a formula, which stands there as Python writes it."""
    digits, _, power = text.partition("e")
    minus = "<mo>−</mo>" if digits.startswith("-") else ""
    number = f"{minus}<mn>{digits.removeprefix('-')}</mn>"
    if not power:
        return number
    minus = "<mo>−</mo>" if power.startswith("-") else ""
    return f"{number}<mo>×</mo><msup><mn>10</mn><mrow>{minus}<mn>{abs(int(power))}</mn></mrow></msup>"


def _in_words(text: str) -> str:
    """Return a sentence, in which numbers on a tape are elements of their own."""

    def element(found: re.Match[str]) -> str:
        minus, place, digits, number = found.groups()
        number = number.replace("E", "e")
        before = "" if number.startswith("-") else minus
        return f'{before}<span data-n="{place}" data-g="{digits}">{number}</span>'

    return _IN_WORDS.sub(element, escape(text))


def formula_as_html(rule: Formula) -> str:
    """Return a formula as a block, its numbers below its symbols."""
    rows = [rule.symbols] if rule.numbers == rule.symbols else [rule.symbols, rule.numbers]
    cells = [[mathml_row(side) for side in aligned(row).split("&", 1)] for row in rows]
    inner = "".join(f"<mtr><mtd>{left}</mtd><mtd>{right}</mtd></mtr>" for left, right in cells)
    return f'<math display="block"><mtable displaystyle="true">{inner}</mtable></math>'


def mathml(tex: str) -> str:
    r"""Return a formula in TeX as an element of MathML.

    Examples
    --------
    >>> mathml(r"t_0 \leq \frac{1}{2}")
    '<math><mrow><msub><mi>t</mi><mn>0</mn></msub><mo>≤</mo><mfrac><mn>1</mn><mn>2</mn></mfrac></mrow></math>'
    """
    return f"<math>{mathml_row(tex)}</math>"


def mathml_row(tex: str) -> str:
    """Return a formula, or a part of one, as a row of MathML."""
    return _Reader(tex).row()


def _quantity(value: Value) -> str:
    """Return the number of a value, or its matrix, as a row of MathML."""
    if not is_matrix(value):
        return mathml_row(tex_number(value.value))
    assert isinstance(value.value, tuple)
    rows = [[mathml_row(tex_number(part)) for part in row] for row in value.value if isinstance(row, tuple)]
    cells = "".join(f"<mtr>{''.join(f'<mtd>{cell}</mtd>' for cell in row)}</mtr>" for row in rows)
    return f'<mrow><mo>[</mo><mtable class="matrix">{cells}</mtable><mo>]</mo></mrow>'


class _Reader:
    """Reads TeX from left to right: commands, groups in braces, what is raised and lowered."""

    def __init__(self, tex: str) -> None:
        self._tokens: deque[tuple[str, str]] = deque(_TOKEN.findall(tex))

    def row(self) -> str:
        """Return all up to the end of the group, as one element."""
        parts = list[str]()
        before = "("
        while self._tokens:
            command, sign = self._tokens.popleft()
            if sign == "}":
                break
            if sign in ("^", "_"):
                parts[-1] = _script(sign, parts[-1], self._argument())
            elif sign == "'" and self._tokens and self._tokens[0][1] == "_":
                self._tokens.popleft()
                parts[-1] = f"<msubsup>{parts[-1]}{self._argument()}<mo>′</mo></msubsup>"
            elif sign == "'":
                parts[-1] = _script("^", parts[-1], "<mo>′</mo>")
            elif found := NUMBERED.search(sign):
                parts.append(self._on_tape(found, parts))
                before = "0"
            else:
                sign = sign or SIGNS.get(command, "")
                prefix = ' form="prefix"' if sign in ("-", "+") and before in _BEFORE_SIGN else ""
                parts.append(self._one(command, sign, prefix))
                before = before if command in _SPACES else sign or command
        return parts[0] if len(parts) == 1 else f"<mrow>{''.join(parts)}</mrow>"

    def _on_tape(self, found: re.Match[str], parts: list[str]) -> str:
        """Return a number on a tape as an element of its own; its sign and its power are read as well."""
        place, digits, number = found.groups()
        number = number.replace("E", "e")
        if number.startswith("-"):
            parts.pop()
        if "e" in number:  # times 10, raised
            for _ in range(3):
                self._tokens.popleft()
            self._argument()
        return f'<mstyle data-n="{place}" data-g="{digits}">{number_as_html(number)}</mstyle>'

    def _one(self, command: str, sign: str, attributes: str = "") -> str:
        if sign == "{":
            return self.row()
        if command == "frac":
            return f"<mfrac>{self._argument()}{self._argument()}</mfrac>"
        if command == "sqrt":
            return f"<msqrt>{self._argument()}</msqrt>"
        if command in _UPRIGHT:
            look = f' class="{_UPRIGHT[command]}"' if _UPRIGHT[command] else ""
            word, _, index = self._word().partition("_")
            base = f'<mi mathvariant="normal"{look}>{escape(word)}</mi>'
            return _script("_", base, mathml_row(index)) if index else base
        if command in _FUNCTIONS:
            return f"<mi>{command}</mi><mo>\N{FUNCTION APPLICATION}</mo>"
        if command in _SPACES:
            return f'<mspace width="{_SPACES[command]}"/>' if _SPACES[command] else ""
        if found := NUMBERED.search(sign):
            return self._on_tape(found, [])
        if sign[0].isdigit():
            return f"<mn>{sign}</mn>"
        if sign.isalpha() or sign == "∞":
            return f"<mi>{sign}</mi>"
        if sign in _FENCES:
            return f'<mo stretchy="false" lspace="0" rspace="0">{sign}</mo>'
        return f"<mo{attributes}>{escape(sign.replace('-', '−'))}</mo>"

    def _argument(self) -> str:
        """Return the group that comes next, or the one sign."""
        command, sign = self._tokens.popleft()
        return self._one(command, sign or SIGNS.get(command, ""))

    def _word(self) -> str:
        """Return the text of the group that comes next."""
        self._tokens.popleft()
        word = ""
        while (token := self._tokens.popleft())[1] != "}":
            word += token[1]
        return word


def _script(sign: str, base: str, script: str) -> str:
    tag = "msup" if sign == "^" else "msub"
    return f"<{tag}>{base}{script}</{tag}>"
