"""What an explanation is made of: steps, and in each what is said, computed and shown.

Texts are plain; formulas are TeX in the part of it that matplotlib's mathtext and web pages both set. All records are
values that never change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from collision.shapes.shape import Shape

#: What a number is measured in: scene units, their squares, nothing, degrees.
Unit: TypeAlias = Literal["", "length", "length²", "degrees"]

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
        ``"length"`` for scene units, ``"length²"``, ``"degrees"``, or nothing.
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
    """A formula twice, as TeX: with symbols, and with numbers in their place."""

    symbols: str
    numbers: str


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


def linked(step: Step) -> Step:
    """Return a step whose values and plot name no marks but those that it has.

    Where something is of no length, or nowhere, there is nothing to be marked.
    """
    there = {mark.label for mark in (*step.marks, *(step.space.marks if step.space else ()))}

    def kept(part: Any) -> Any:
        return part if part.mark in there else replace(part, mark="")

    plot = step.plot
    if plot is not None:
        plot = replace(plot, points=tuple(map(kept, plot.points)), areas=tuple(map(kept, plot.areas)))
    return replace(step, values=tuple(map(kept, step.values)), plot=plot)


@dataclass(frozen=True, eq=False)
class Explanation:
    """How a query reached its answer.

    Attributes
    ----------
    query : str
        Its name.
    names : tuple of str
        What the shapes are called in texts.
    given : tuple
        What the query was given: shapes, a scene, motions.
    steps : tuple of Step
        In order.
    result : object
        What the query returned, to the last bit.
    summary : str
        The answer in a sentence.
    """

    query: str
    names: tuple[str, ...]
    given: tuple[Any, ...]
    steps: tuple[Step, ...]
    result: Any
    summary: str = ""

    def __str__(self) -> str:
        """Return the trace as plain text."""
        return self.as_text()

    def as_text(self, *, width: int | None = None) -> str:
        """Return it as plain text: formulas in the signs of Unicode.

        Parameters
        ----------
        width : int, optional
            Where sentences and formulas are broken, formulas before a sign; nowhere unless given.

        Returns
        -------
        str
            Of many lines, without an end of the last one.

        Notes
        -----
        That is what ``str`` returns, too.

        Examples
        --------
        >>> from collision import Sphere, explain
        >>> told = explain("distance", Sphere([0, 0, 0], 1), Sphere([3, 4, 0], 2))
        >>> told.as_text().splitlines()[0]
        'distance: A and B are 2 apart.'
        """
        from collision.explaining.text import as_text

        return as_text(self, width=width)

    def as_markdown(self, *, pictures: Sequence[str] = ()) -> str:
        """Return it as a page in Markdown, whose formulas GitHub and GitLab set.

        Parameters
        ----------
        pictures : sequence of str, optional
            A picture for each step, as it is named from the page; an empty name for none.

        Returns
        -------
        str
            The page.

        Raises
        ------
        ValueError
            If there are pictures, but not one for each step.

        Notes
        -----
        Formulas are in blocks that begin with ``math``, matrices as such, and single values between ``$`` and a
        backtick, where nothing in them is read as Markdown.

        Examples
        --------
        >>> from collision import Sphere, explain
        >>> told = explain("distance", Sphere([0, 0, 0], 1), Sphere([3, 4, 0], 2))
        >>> told.as_markdown().splitlines()[0]
        '# distance of A and B'
        """
        from collision.explaining.markdown import as_markdown

        return as_markdown(self, pictures=pictures)

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON holds it.

        Returns
        -------
        dict
            Of what JSON knows. Shapes are as scene files have them.

        Notes
        -----
        Numbers that are not finite are None, all others are exact. Its ``version`` grows when a key changes its
        meaning or goes.

        Examples
        --------
        >>> from collision import Sphere, explain
        >>> told = explain("distance", Sphere([0, 0, 0], 1), Sphere([3, 4, 0], 2)).as_dict()
        >>> told["result"], told["steps"][1]["title"]
        (2.0, 'Nearest points of the cores')
        """
        from collision.explaining.tables import as_dict

        return as_dict(self)

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """Return the JSON schema of what `as_dict` returns.

        Returns
        -------
        dict
            Of draft 7.

        Notes
        -----
        ``collision-viewer schema --explanation`` writes it.

        Examples
        --------
        >>> from collision import Explanation
        >>> Explanation.json_schema()["title"]
        'Explanation of collision-viewer'
        """
        from collision.explaining.tables import explanation_schema

        return explanation_schema()
