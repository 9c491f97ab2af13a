"""What steps are made of: what is said, computed and shown in each, and formulas made of one template.

Formulas are TeX in the part of it that matplotlib's mathtext and web pages both set.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import numpy as np

from collision.shapes.kinds import Segment, Shape

#: What a number is measured in: nothing, scene units, their squares, their fourth powers, degrees.
Unit: TypeAlias = Literal["", "length", "length²", "length⁴", "degrees"]

#: A number, a truth, a vector or a point, or the rows of a matrix.
Quantity: TypeAlias = float | bool | int | tuple[float, ...] | tuple[tuple[float, ...], ...]

#: What a mark stands for, which says how it looks.
MarkRole: TypeAlias = Literal[
    "core",  # what is left of a shape without its radius
    "given",  # a shape as it was given, where that is not in the scene: one in another space
    "point",  # a point found on the way
    "witness",  # a point of the answer
    "gap",  # what a length is measured along
    "normal",  # a direction: from the start to the end of a segment
    "guide",  # a line, a plane or a box drawn to see by
    "outside",  # found, but of no use: out of range, clamped, thrown away
    "chosen",  # the one of several that decides
    "other",  # the ones of several that do not
]


@dataclass(frozen=True)
class Value:
    """A named number.

    Attributes
    ----------
    symbol : str
        Its name in formulas, as TeX.
    value : float, bool, int, or tuple
        A vector's three numbers, or the rows of a matrix.
    unit : str
        ``"length"`` for scene units, ``"length²"``, ``"length⁴"``, ``"degrees"``, or nothing.
    mark : str
        The label of the mark that shows it; nothing where none does.
    means : str
        What it is, in a few words.
    """

    symbol: str
    value: Quantity
    unit: Unit = ""
    mark: str = ""
    means: str = ""


@dataclass(frozen=True)
class Formula:
    """A formula twice, as TeX: with symbols, and with numbers in their place; and the symbols whose numbers it has."""

    symbols: str
    numbers: str
    told: frozenset[str] = field(default=frozenset(), repr=False, compare=False)


@dataclass(frozen=True)
class Mark:
    """Something to be drawn in the scene.

    Attributes
    ----------
    label : str
        Short, plain, and no other mark's of the step.
    role : str
        What it stands for.
    shape : Shape
        Where it is: a point, a segment (for a gap or a normal from start to end), a line, a box, ...
    """

    label: str
    role: MarkRole
    shape: Shape


def arrow(label: str, start: Iterable[Any], way: Iterable[Any]) -> Mark:
    """Return the mark of a direction, from a point."""
    start, way = vector_of(start), vector_of(way)
    return Mark(label, "normal", Segment(start, [x + step for x, step in zip(start, way, strict=True)]))


@dataclass(frozen=True)
class PlotLine:
    """A curve of a plot."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    role: MarkRole
    label: str = ""


@dataclass(frozen=True)
class PlotPoint:
    """A point of a plot, and the label of the mark in the scene that is the same."""

    x: float
    y: float
    role: MarkRole
    label: str = ""
    mark: str = ""


@dataclass(frozen=True)
class PlotArea:
    """A rectangle of a plot (an interval's bar, a range), and the label of the mark in the scene that is the same."""

    x: tuple[float, float]
    y: tuple[float, float]
    role: MarkRole
    label: str = ""
    mark: str = ""


@dataclass(frozen=True)
class Plot:
    """A small plot: a parabola, the unit square of two parameters, intervals as bars, a distance over time.

    Attributes
    ----------
    title, x_label, y_label : str
        Plain texts.
    x_range, y_range : pair of float
        What is shown.
    lines, points, areas : tuple
        What is in it; areas lie below, points on top.
    rows : tuple of str
        Names of rows, for bars: row k is at y = k, the first one on top; then there is no scale of y.
    square : bool
        Whether one unit is as long across as up.
    """

    title: str
    x_label: str
    y_label: str
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    lines: tuple[PlotLine, ...] = ()
    points: tuple[PlotPoint, ...] = ()
    areas: tuple[PlotArea, ...] = ()
    rows: tuple[str, ...] = ()
    square: bool = False


@dataclass(frozen=True)
class Space:
    """Another space than the world, to be shown as a second picture."""

    title: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Step:
    """A step of an explanation.

    Attributes
    ----------
    title : str
        A few words; the same for the same step of any pair.
    text : str
        One or two plain sentences.
    formulas : tuple of Formula
        With symbols, and with numbers in place.
    values : tuple of Value
        What was computed.
    marks : tuple of Mark
        What shows it in the scene.
    plot : Plot, optional
        What shows it beside the scene.
    space : Space, optional
        A second picture.
    kernel : str
        The kernel whose values these are; nothing where they are the article's.
    article : bool
        Whether this is how an article does it, computed beside the kernel's way.
    """

    title: str
    text: str
    formulas: tuple[Formula, ...] = ()
    values: tuple[Value, ...] = ()
    marks: tuple[Mark, ...] = ()
    plot: Plot | None = None
    space: Space | None = None
    kernel: str = ""
    article: bool = False


def listed(step: Step, known: set[Value]) -> Iterator[tuple[Value, bool]]:
    """Yield the values to list below the formulas of a step, and whether a formula has the number already.

    What is known from steps before is left out, and what is not is known from now on.
    """
    told = frozenset[str]().union(*(rule.told for rule in step.formulas))
    for value in step.values:
        bare = replace(value, mark="")
        if bare not in known and (value.means or value.symbol not in told):
            known.add(bare)
            yield value, value.symbol in told


def is_matrix(value: Value) -> bool:
    """Return whether a value has rows of numbers."""
    return isinstance(value.value, tuple) and bool(value.value) and isinstance(value.value[0], tuple)


def linked(step: Step) -> Step:
    """Return a step whose values and plot name no marks but those that it has, as where something is of no length."""
    there = {mark.label for mark in (*step.marks, *(step.space.marks if step.space else ()))}

    def kept(part: Any) -> Any:
        return part if part.mark in there else replace(part, mark="")

    plot = step.plot
    if plot is not None:
        plot = replace(plot, points=tuple(map(kept, plot.points)), areas=tuple(map(kept, plot.areas)))
    return replace(step, values=tuple(map(kept, step.values)), plot=plot)


# --- formulas -------------------------------------------------------------------------------------

#: A symbol of a template: <t>.
_SYMBOL = re.compile(r"<(\w+)>")

#: The end of what a number must not follow at once: a symbol or a digit. A greater-than sign is none.
_BESIDE = re.compile(r"(<\w+>|\d)$")

#: The end of what a negative number needs no brackets after.
_ALONE = re.compile(r"([={(,|\[>]|\\(lt|leq|geq))$|^$")


def formula(template: str, **values: Value) -> Formula:
    r"""Return a formula of a template in TeX, in which symbols stand in angle brackets.

    Parameters
    ----------
    template : str
        Such as ``r"<t> = \frac{<w> \cdot <d>}{<d> \cdot <d>}"``; a comparison is written ``\lt`` or ``\leq``.
    **values : Value
        What stands for each symbol.

    Examples
    --------
    >>> b, c = Value("b", -2.0), Value("c", 0.5)
    >>> formula(r"<c> = 4<c><c> + <b><c>", b=b, c=c)
    Formula(symbols='c = 4cc + bc', numbers='0.5 = 4\\cdot 0.5\\cdot 0.5 + (-2)\\cdot 0.5')
    >>> formula(r"<b> \lt <c>", b=b, c=c).numbers
    '-2 < 0.5'
    """

    def numbers(found: re.Match[str]) -> str:
        value = values[found[1]].value
        text = tex_number(value)
        before, after = template[: found.start()].rstrip(), template[found.end() :].lstrip()
        beside = bool(_BESIDE.search(before))
        alone = not beside and bool(_ALONE.search(before)) and not after.startswith("^")
        if (not alone and not isinstance(value, tuple) and value < 0.0) or (
            "\\times" in text and after.startswith("^")
        ):
            return f"({text})"
        # Two numbers side by side would be read as one.
        return rf"\cdot {text}" if beside and text[0].isdigit() else text

    texts = _SYMBOL.sub(lambda found: values[found[1]].symbol, template), _SYMBOL.sub(numbers, template)
    # A sign that brackets keep out of templates; mathtext knows it by this name alone.
    symbols, figures = (text.replace(r"\lt ", "< ") for text in texts)
    return Formula(symbols, figures, frozenset(value.symbol for value in values.values()))


def vector_of(numbers: Iterable[Any]) -> tuple[float, ...]:
    """Return numbers as a vector: those of NumPy as Python's, others as they are."""
    return tuple([x if isinstance(x, float) and not isinstance(x, np.floating) else float(x) for x in numbers])


def at_most(holds: bool) -> str:
    """Return the sign in a template for what is at most something else, or is more."""
    return r"\leq" if holds else ">"


def tex_number(value: Quantity) -> str:
    r"""Return a number, a vector or a matrix in TeX, with four digits.

    Examples
    --------
    >>> tex_number(1 / 3), tex_number((1.0, 0.0, -2.5)), tex_number(1.5e-9), tex_number(10011)
    ('0.3333', '(1,\\,0,\\,-2.5)', '1.5 \\times 10^{-9}', '10011')
    """
    if isinstance(value, bool):
        return r"\mathrm{yes}" if value else r"\mathrm{no}"
    if isinstance(value, tuple):
        return "(" + r",\,".join(tex_number(part) for part in value) + ")"
    if isinstance(value, int):
        return str(value)
    if math.isinf(value):
        return r"\infty" if value > 0 else r"-\infty"
    digits, _, power = f"{value + 0.0:.4g}".partition("e")
    return digits if not power else rf"{digits} \times 10^{{{int(power)}}}"
