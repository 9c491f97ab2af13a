"""What a named case is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Case(NamedTuple):
    """A query, what it is given, and what is special about it.

    Attributes
    ----------
    query : str
        Its name.
    given : tuple
        Two shapes, or what else the query takes.
    says : str
        What is to be seen, in a sentence.
    more : dict
        What the query takes by name.
    """

    query: str
    given: tuple[Any, ...]
    says: str
    more: Mapping[str, Any] = {}
