"""An explanation as Markdown: a page whose formulas GitHub and GitLab set."""

from __future__ import annotations

import re
from collections.abc import Iterator

from collision.explaining.records import Formula, Step, Value, is_matrix, listed, tex_number
from collision.explaining.text import article_of, unit_of

#: What a formula is aligned at.
_RELATION = re.compile(r"(?<![<>=&\\])[=<>]|\\(leq|geq|lt|gt|neq|approx)(?![a-z])")


def step_as_markdown(number: int, step: Step, picture: str, level: int, known: set[Value]) -> Iterator[str]:
    """Yield the paragraphs of a step: a heading of a level, its text, its picture, its formulas and its values.

    A number stands once: in a formula, or else in the list; see `listed`.
    """
    yield f"{'#' * level} {number}. {escaped(step.title)}{article_of(step)}"
    yield escaped(step.text)
    if picture:
        yield f"![{escaped(step.title)}]({picture})"
    yield from map(formula_block, step.formulas)
    lines = list[str]()
    for value, told in listed(step, known):
        if is_matrix(value):
            yield from ("\n".join(lines), _matrix(value))
            lines = []
        else:
            lines.append(_value(value, told=told))
    yield "\n".join(lines)


def formula_block(rule: Formula) -> str:
    r"""Return a formula as a block, its numbers below its symbols."""
    rows = [rule.symbols] if rule.numbers == rule.symbols else [rule.symbols, rule.numbers]
    inner = " \\\\\n".join(aligned(row) for row in rows)
    return f"```math\n\\begin{{aligned}}\n{inner}\n\\end{{aligned}}\n```"


def aligned(tex: str) -> str:
    """Mark the first relation of a formula that stands in no group."""
    for found in _RELATION.finditer(tex):
        before = tex[: found.start()]
        if before.count("{") == before.count("}"):
            return f"{before}&{tex[found.start() :]}"
    return f"& {tex}"


def _matrix(value: Value) -> str:
    assert isinstance(value.value, tuple)
    rows = [" & ".join(map(tex_number, row)) for row in value.value if isinstance(row, tuple)]
    inner = " \\\\\n".join(rows)
    said = f"{escaped(value.means)}{',' if unit_of(value) else ':'}" if value.means else ""
    block = f"```math\n{value.symbol} = \\begin{{bmatrix}}\n{inner}\n\\end{{bmatrix}}\n```"
    head = f"{said}{f' in{unit_of(value)}:' if unit_of(value) else ''}".strip()
    return f"{head[:1].upper()}{head[1:]}\n\n{block}" if head else block


def _value(value: Value, *, told: bool) -> str:
    # Between these marks nothing is read as Markdown: not even a backslash before a comma.
    means = f": {escaped(value.means)}" if value.means else ""
    if told:
        return f"- $`{value.symbol}`${means}"
    return f"- $`{value.symbol} = {tex_number(value.value)}`${unit_of(value)}{means}"


def escaped(text: str) -> str:
    """Return a text in which nothing is read as Markdown: names of shapes may hold any characters."""
    escaped = re.sub(r"([\\`*_\[\]<>$#|~&])", r"\\\1", text)
    # A line that begins so would be a part of a list.
    return re.sub(r"^([-+=]|\d+(?=[.)]))", lambda found: "".join(f"&#{ord(sign)};" for sign in found[1]), escaped)
