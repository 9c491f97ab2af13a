"""An explanation as Markdown: a page whose formulas GitHub and GitLab set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from collision.explaining.formulas import tex_number
from collision.explaining.records import Explanation, Formula, Step, Value
from collision.explaining.text import article_of, unit_of

#: What a formula is aligned at.
_RELATION = re.compile(r"(?<![<>=&\\])[=<>]|\\(leq|geq|lt|gt|neq|approx)(?![a-z])")


def as_markdown(told: Explanation, *, pictures: Sequence[str] = (), level: int = 1) -> str:
    r"""Return an explanation as Markdown.

    Parameters
    ----------
    told : Explanation
        What `collision.explain` returned.
    pictures : sequence of str, optional
        A picture for each step, as it is named from the page; none for an empty name.
    level : int
        Of its heading; the steps are one below.

    Raises
    ------
    ValueError
        If there are pictures, but not one for each step.

    Examples
    --------
    >>> from collision import Sphere, explain
    >>> page = as_markdown(explain("distance", Sphere([0, 0, 0], 1), Sphere([3, 4, 0], 2)))
    >>> print(page.partition("## 2. ")[0])
    # distance of A and B
    <BLANKLINE>
    A and B are 2 apart.
    <BLANKLINE>
    ## 1. Shrink to the cores
    <BLANKLINE>
    A and B are each a center, grown by a radius. Without the radii the cores are left,
    and few kernels serve all pairs.
    <BLANKLINE>
    - $`r_A = 1`$ unit: radius of A
    - $`r_B = 2`$ units: radius of B
    <BLANKLINE>
    <BLANKLINE>
    """
    if pictures and len(pictures) != len(told.steps):
        raise ValueError(f"pictures must be one for each of {len(told.steps)} steps, got {len(pictures)}")
    title = told.query.replace("_", " ") + (f" of {' and '.join(map(_escaped, told.names))}" if told.names else "")
    parts = [f"{'#' * level} {title}", _escaped(told.summary)]
    for number, step in enumerate(told.steps):
        picture = pictures[number] if pictures else ""
        parts += _step(number + 1, step, picture, "#" * (level + 1))
    return "\n\n".join(filter(None, parts)) + "\n"


def _step(number: int, step: Step, picture: str, marks: str) -> Iterator[str]:
    yield f"{marks} {number}. {_escaped(step.title)}{article_of(step)}"
    yield _escaped(step.text)
    if picture:
        yield f"![{_escaped(step.title)}]({picture})"
    yield from map(formula_block, step.formulas)
    lines: list[str] = []
    for value in step.values:
        if _is_matrix(value):
            yield from ("\n".join(lines), _matrix(value))
            lines = []
        else:
            lines.append(_value(value))
    yield "\n".join(lines)


def formula_block(rule: Formula) -> str:
    r"""Return a formula as a block, its numbers below its symbols.

    Examples
    --------
    >>> print(formula_block(Formula("d = a + b", "3 = 1 + 2")))
    ```math
    \begin{aligned}
    d &= a + b \\
    3 &= 1 + 2
    \end{aligned}
    ```
    """
    rows = [rule.symbols] if rule.numbers == rule.symbols else [rule.symbols, rule.numbers]
    inner = " \\\\\n".join(_aligned(row) for row in rows)
    return f"```math\n\\begin{{aligned}}\n{inner}\n\\end{{aligned}}\n```"


def _aligned(tex: str) -> str:
    """Mark the first relation of a formula that stands in no group."""
    for found in _RELATION.finditer(tex):
        before = tex[: found.start()]
        if before.count("{") == before.count("}"):
            return f"{before}&{tex[found.start() :]}"
    return f"& {tex}"


def _is_matrix(value: Value) -> bool:
    return isinstance(value.value, tuple) and bool(value.value) and isinstance(value.value[0], tuple)


def _matrix(value: Value) -> str:
    assert isinstance(value.value, tuple)
    rows = [" & ".join(map(tex_number, row)) for row in value.value if isinstance(row, tuple)]
    inner = " \\\\\n".join(rows)
    said = f"{_escaped(value.means)}{',' if unit_of(value) else ':'}" if value.means else ""
    block = f"```math\n{value.symbol} = \\begin{{bmatrix}}\n{inner}\n\\end{{bmatrix}}\n```"
    head = f"{said}{f' in{unit_of(value)}:' if unit_of(value) else ''}".strip()
    return f"{head[:1].upper()}{head[1:]}\n\n{block}" if head else block


def _value(value: Value) -> str:
    # Between these marks nothing is read as Markdown: not even a backslash before a comma.
    means = f": {_escaped(value.means)}" if value.means else ""
    return f"- $`{value.symbol} = {tex_number(value.value)}`${unit_of(value)}{means}"


def _escaped(text: str) -> str:
    """Return a text in which nothing is read as Markdown: names of shapes may hold any characters."""
    escaped = re.sub(r"([\\`*_\[\]<>$#|~&])", r"\\\1", text)
    # A line that begins so would be a part of a list.
    return re.sub(r"^([-+=]|\d+(?=[.)]))", lambda found: "".join(f"&#{ord(sign)};" for sign in found[1]), escaped)
