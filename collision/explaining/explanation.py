"""An explanation: how a query reached its answer, and that as plain text, as Markdown and as JSON holds it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from collision.explaining import markdown, text
from collision.explaining.records import Step, Value, linked


@dataclass(frozen=True, eq=False)
class Explanation:
    """How a query reached its answer.

    Attributes
    ----------
    query : str
        Its name.
    names : tuple of str
        The names of the shapes in texts.
    given : tuple
        The arguments of the query: shapes, a scene, motions.
    steps : tuple of Step
        In order.
    result : object
        The answer of the query, to the last bit.
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
        return self.as_text()

    def as_text(self, *, width: int | None = None) -> str:
        """Return it as plain text, as ``str`` does: formulas in the signs of Unicode.

        Parameters
        ----------
        width : int, optional
            Where sentences and formulas are broken, formulas before a sign; nowhere unless given.

        Examples
        --------
        >>> from collision import Sphere, explain
        >>> explanation = explain("distance", Sphere([0, 0, 0], 1), Sphere([3, 4, 0], 2))
        >>> print(explanation.as_text().partition("A and B are each")[0].rstrip())
        distance: A and B are 2 apart.
        <BLANKLINE>
        1. Shrink to the cores
        """
        known = set[Value]()
        return "\n\n".join(
            [
                text.wrapped(f"{self.query}: {self.summary}", width),
                *(text.step_as_text(number, step, width, known) for number, step in enumerate(self.steps, 1)),
            ]
        )

    def as_markdown(self, *, pictures: Sequence[str] = (), level: int = 1, steps: Sequence[int] | None = None) -> str:
        """Return it as a page in Markdown, whose formulas GitHub and GitLab set.

        Parameters
        ----------
        pictures : sequence of str, optional
            A picture for each of these steps, as it is named from the page; an empty name for none.
        level : int
            The level of the heading; those of the steps are one below.
        steps : sequence of int, optional
            The numbers of the steps to tell, from 1 on; by default all.

        Examples
        --------
        >>> from collision import Sphere, explain
        >>> explanation = explain("distance", Sphere([0, 0, 0], 1), Sphere([3, 4, 0], 2))
        >>> print(explanation.as_markdown().partition("A and B are each")[0].rstrip())
        # distance of A and B
        <BLANKLINE>
        A and B are 2 apart.
        <BLANKLINE>
        ## 1. Shrink to the cores
        """
        told = range(1, len(self.steps) + 1) if steps is None else steps
        if pictures and len(pictures) != len(told):
            raise ValueError(f"pictures must be one for each of {len(told)} steps, got {len(pictures)}")
        names = " and ".join(map(markdown.escaped, self.names))
        title = self.query.replace("_", " ") + (f" of {names}" if names else "")
        parts = [f"{'#' * level} {title}", markdown.escaped(self.summary)]
        known = set[Value]()
        for number, picture in zip(told, pictures or [""] * len(told), strict=True):
            parts += markdown.step_as_markdown(number, self.steps[number - 1], picture, level + 1, known)
        return "\n\n".join(filter(None, parts)) + "\n"

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON holds it, with shapes as scene files have them.

        Numbers that are not finite are None, all others are exact. Its ``version`` grows when a key changes its meaning
        or goes.

        Examples
        --------
        >>> from collision import Sphere, explain
        >>> table = explain("distance", Sphere([0, 0, 0], 1), Sphere([3, 4, 0], 2)).as_dict()
        >>> table["result"], table["given"][1]
        (2.0, {'kind': 'sphere', 'center': [3.0, 4.0, 0.0], 'radius': 2.0})
        """
        from collision.explaining import tables  # which imports what reads scene files

        return {
            "version": tables.VERSION,
            "query": self.query,
            "names": list(self.names),
            "given": [tables.json_of(thing) for thing in self.given],
            "summary": self.summary,
            "result": tables.json_of(self.result),
            "steps": [tables.step_table(step) for step in self.steps],
        }

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """Return the JSON schema of what `as_dict` returns, as ``collision-viewer schema explanation`` writes it.

        Examples
        --------
        >>> from collision import Explanation
        >>> Explanation.json_schema()["title"]
        'Explanation of collision-viewer'
        """
        from collision.explaining import tables

        return tables.explanation_schema()


class Question(NamedTuple):
    """What is to be explained."""

    query: str  # the name of a query
    given: tuple[Any, ...]  # what it is given in order
    more: dict[str, Any]  # what it is given by name
    names: tuple[str, str]  # what the shapes are called in texts
    result: Any  # what the query returned

    def confirm(self, ours: Sequence[Any], theirs: Sequence[Any]) -> None:
        """Raise an error if what the kernels gave as Python differs in a bit from what the query gave."""
        for one, other in zip(ours, theirs, strict=True):
            if not np.array_equal(one, other, equal_nan=np.asarray(one).dtype.kind == "f"):
                raise RuntimeError(f"{self.query}: the kernel run as Python gave {one!r}, the query {other!r}")

    def answered(self, steps: Iterable[Step], summary: str, names: tuple[str, ...] | None = None) -> Explanation:
        """Return the explanation that is made of some steps; its shapes may have other names than those asked for."""
        known = self.names if names is None else names
        return Explanation(self.query, known, self.given, tuple(map(linked, steps)), self.result, summary)
