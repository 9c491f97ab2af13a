"""What a named case is, and a function for each query that makes cases of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Case(NamedTuple):
    """A query by name, what it is given by position and by name (`more`), and a sentence on what is special."""

    query: str
    given: tuple[Any, ...]
    says: str
    more: Mapping[str, Any] = {}


def _cases_of(query: str) -> Callable[..., Case]:
    """Return a function that makes cases of a query: it takes what is to be seen, and then what the query takes."""

    def case(says: str, *given: Any, **more: Any) -> Case:
        return Case(query, given, says, more)

    return case


all_normals = _cases_of("all_normals")
candidate_pairs = _cases_of("candidate_pairs")
closest_points = _cases_of("closest_points")
contact = _cases_of("contact")
contains = _cases_of("contains")
crossings = _cases_of("crossings")
distance = _cases_of("distance")
foot = _cases_of("foot")
intersects = _cases_of("intersects")
manifold = _cases_of("manifold")
raycast = _cases_of("raycast")
signed_distance = _cases_of("signed_distance")
sphere_test = _cases_of("sphere_test")
sweep = _cases_of("sweep")
sweep_steps = _cases_of("sweep_steps")
touching_intervals = _cases_of("touching_intervals")
why = _cases_of("why")
