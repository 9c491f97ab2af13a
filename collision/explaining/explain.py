"""`explain`: from a query and what it is given to the steps of its answer."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from inspect import signature
from types import MappingProxyType
from typing import Any, cast

import numpy as np

from collision.explaining.explanation import Explanation, Question
from collision.shapes.kinds import Shape

#: What is said of shapes that cannot be explained.
TOO_LARGE = "explain: the numbers that these shapes are given by are too large, or too small, for an exact answer"

#: The queries that can be explained: the module of each, and the one that explains it by a function `explained`, which
#: takes a `Question`.
_EXPLAINERS = MappingProxyType(
    {
        "signed_distance": ("queries.distances", "separation"),
        "distance": ("queries.distances", "separation"),
        "intersects": ("queries.distances", "separation"),
        "closest_points": ("queries.distances", "separation"),
        "contact": ("queries.distances", "separation"),
        "foot": ("queries.feet", "feet"),
        "contains": ("queries.distances", "containing"),
        "manifold": ("queries.manifolds", "contacts"),
        "all_normals": ("queries.ambiguity", "normals"),
        "candidate_pairs": ("scene.why", "broadphase"),
        "why": ("scene.why", "broadphase"),
        "crossings": ("queries.casts", "casts"),
        "raycast": ("queries.casts", "casts"),
        "sphere_test": ("shapes.capsule_space", "capsule_space"),
        "sweep": ("queries.sweeps", "sweeps"),
        "sweep_steps": ("queries.sweeps", "sweeps"),
        "touching_intervals": ("timeline.intervals", "intervals"),
    }
)

#: The classes of queries that are methods: what they are asked of is their first argument.
_OWNERS = MappingProxyType({"sphere_test": "CapsuleCollider"})

#: The names of the queries that can be explained.
EXPLAINED = tuple(_EXPLAINERS)


def explain(
    query: Callable[..., Any] | str, /, *given: Any, names: tuple[str, str] = ("A", "B"), **more: Any
) -> Explanation:
    r"""Return how a query reaches its answer for two shapes, step by step, in the numbers that its kernels computed.

    The kernels of the query are run as Python, which gives the same bits as machine code, and what they give names to
    is read where it stands. A `ValueError` is raised if that is no query that can be explained, a shape is a batch, or
    the names are the same.

    Parameters
    ----------
    query : callable or str
        A query of this package, or its name.
    *given, **more
        What it is given: single shapes; for `candidate_pairs` and `why` a scene, and the names of two of its shapes;
        for `touching_intervals` a scene.
    names : pair of str
        What the shapes are called in texts; for `touching_intervals`, which two of the scene are meant.

    Examples
    --------
    >>> from collision import Sphere, explain, signed_distance
    >>> explanation = explain(signed_distance, Sphere([0, 0, 0], 1), Sphere([3, 4, 0], 2))
    >>> float(explanation.result), [step.title for step in explanation.steps][:2]
    (2.0, ['Shrink to the cores', 'Nearest points of the cores'])
    """
    name = query if isinstance(query, str) else getattr(query, "__name__", repr(query))
    if name not in _EXPLAINERS:
        raise ValueError(f"explain: {name!r} is no query that can be explained; these can: {', '.join(EXPLAINED)}")
    module, explaining = _EXPLAINERS[name]
    home, explainer = import_module(f"collision.{module}"), import_module(f"collision.explaining.{explaining}")
    owner: Any = getattr(home, _OWNERS[name]) if name in _OWNERS else home
    if name in _OWNERS and isinstance(getattr(query, "__self__", None), owner):
        given = (cast("Any", query).__self__, *given)
    run: Callable[..., Any] = getattr(owner, name)
    _check(name, run, given, more, names)
    with np.errstate(all="ignore"):
        result = run(*given, **more)
    try:
        with np.errstate(all="ignore"):
            explanation: Explanation = explainer.explained(Question(name, given, more, (names[0], names[1]), result))
    except (ArithmeticError, RuntimeError, ValueError):
        if not any(isinstance(value, Shape) and value.out_of_range for value in (*given, *more.values())):
            raise
        raise ValueError(TOO_LARGE) from None
    return explanation


def _check(name: str, run: Callable[..., Any], given: tuple[Any, ...], more: dict[str, Any], names: Any) -> None:
    """Raise an error for what is not to be explained: what the query does not take, batches, names that are none."""
    takes = signature(run)
    try:
        takes.bind(*given, **more)
    except TypeError as mistake:
        plain = ", ".join(part.name for part in takes.parameters.values() if part.kind is not part.KEYWORD_ONLY)
        raise TypeError(f"explain: {name} takes {plain}: {mistake}") from None
    if "out" in more:
        raise TypeError(f"explain: {name}: out is for the answers of many pairs; leave it away")
    for position, value in [*enumerate(given, 1), *more.items()]:
        batch = getattr(value, "batch_shape", ())
        if batch:
            raise ValueError(
                f"explain: {name}: argument {position} is a batch of shape {batch}, and what is explained is one pair: "
                "pick one shape of it, such as shapes[0]"
            )
    if not (isinstance(names, tuple | list) and len(names) == 2 and all(isinstance(x, str) and x for x in names)):
        raise TypeError(f"explain: names must be two texts, what the shapes are called, got {names!r}")
    if names[0] == names[1]:
        raise ValueError(f"explain: names must differ, got {names[0]!r} twice")
