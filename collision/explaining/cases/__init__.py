"""Named pairs that reach every branch of every kernel: what to explain where somebody wants to see that branch."""

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


def all_cases() -> dict[str, Case]:
    """Return all cases by name, in the order of the kernels."""
    from collision.explaining.cases.box import BOXES
    from collision.explaining.cases.casts import CASTS
    from collision.explaining.cases.contacts import CONTACTS
    from collision.explaining.cases.hard_boxes import HARD_BOXES
    from collision.explaining.cases.hard_casts import HARD_CASTS
    from collision.explaining.cases.hard_contacts import HARD_CONTACTS
    from collision.explaining.cases.hard_sweeps import HARD_SWEEPS
    from collision.explaining.cases.intervals import INTERVALS
    from collision.explaining.cases.linear import LINEARS
    from collision.explaining.cases.points import POINTS
    from collision.explaining.cases.scenes import SCENES
    from collision.explaining.cases.sweeps import SWEEPS
    from collision.explaining.cases.turning import TURNING

    return {
        **POINTS,
        **LINEARS,
        **BOXES,
        **HARD_BOXES,
        **CONTACTS,
        **HARD_CONTACTS,
        **SCENES,
        **CASTS,
        **HARD_CASTS,
        **SWEEPS,
        **HARD_SWEEPS,
        **TURNING,
        **INTERVALS,
    }
