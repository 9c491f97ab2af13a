"""`explain`: from a query and what it is given to the steps of its answer."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from inspect import signature
from types import MappingProxyType
from typing import Any, cast

import numpy as np

from collision.explaining.records import Explanation

#: Where each query is explained: a function that takes its name, its result, its arguments by name, and the names of
#: the shapes.
_TELLERS = MappingProxyType(
    {
        "signed_distance": "collision.explaining.separation",
        "distance": "collision.explaining.separation",
        "intersects": "collision.explaining.separation",
        "closest_points": "collision.explaining.separation",
        "contact": "collision.explaining.separation",
        "foot": "collision.explaining.feet",
        "contains": "collision.explaining.containing",
        "manifold": "collision.explaining.contacts",
        "all_normals": "collision.explaining.normals",
        "candidate_pairs": "collision.explaining.broadphase",
        "why": "collision.explaining.broadphase",
        "crossings": "collision.explaining.casts",
        "raycast": "collision.explaining.casts",
        "sphere_test": "collision.explaining.capsule_space",
        "sweep": "collision.explaining.sweeps",
        "sweep_steps": "collision.explaining.sweeps",
        "touching_intervals": "collision.explaining.intervals",
    }
)

#: The classes of queries that are methods: what they are asked of is their first argument.
_OWNERS = MappingProxyType({"sphere_test": "CapsuleCollider"})

#: The names of the queries that can be explained.
EXPLAINED = tuple(_TELLERS)


def explain(
    query: Callable[..., Any] | str, /, *given: Any, names: tuple[str, str] = ("A", "B"), **more: Any
) -> Explanation:
    r"""Return how a query reaches its answer for two shapes, step by step, in the numbers that its kernels computed.

    Parameters
    ----------
    query : callable or str
        A query of this package, or its name.
    *given, **more
        What it is given: single shapes; for `candidate_pairs` and `why` a scene, and the names of two of its shapes;
        for `touching_intervals` a scene.
    names : pair of str
        What the shapes are called in texts; for `touching_intervals`, which two of the scene are meant.

    Returns
    -------
    Explanation
        ``.steps``, each with ``.title``, ``.text``, ``.formulas``, ``.values``, ``.marks``; ``.result`` is what the
        query returns.

    Raises
    ------
    TypeError
        If an argument is none that the query takes, or the names are not two texts.
    ValueError
        If that is no query that can be explained, a shape is a batch, or the names are the same.

    Notes
    -----
    The kernels of the query are run as Python, which gives the same bits as machine code, and what they give names to
    is read where it stands.

    Examples
    --------
    >>> from collision import Sphere, explain, signed_distance
    >>> told = explain(signed_distance, Sphere([0, 0, 0], 1), Sphere([3, 4, 0], 2))
    >>> float(told.result), [step.title for step in told.steps][:2]
    (2.0, ['Shrink to the cores', 'Nearest points of the cores'])
    >>> told.steps[1].formulas[1].numbers
    '5 = \\|(3,\\,4,\\,0)\\|'
    """
    name = query if isinstance(query, str) else getattr(query, "__name__", repr(query))
    if name not in _TELLERS:
        raise ValueError(f"explain: {name!r} is no query that can be explained; these can: {', '.join(_TELLERS)}")
    import collision

    owner: Any = getattr(collision, _OWNERS[name]) if name in _OWNERS else collision
    if name in _OWNERS and isinstance(getattr(query, "__self__", None), owner):
        given = (cast("Any", query).__self__, *given)
    run = cast("Callable[..., Any]", getattr(owner, name))
    _check(name, run, given, more, names)
    with np.errstate(all="ignore"):
        result = run(*given, **more)
    teller: Any = importlib.import_module(_TELLERS[name])
    told: Explanation = teller.explained(name, result, given, more, names)
    return told


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
    for place, value in [*enumerate(given, 1), *more.items()]:
        batch = getattr(value, "batch_shape", ())
        if batch:
            raise ValueError(
                f"explain: {name}: argument {place} is a batch of shape {batch}, and what is explained is one pair: "
                "pick one shape of it, such as shapes[0]"
            )
    if not (isinstance(names, tuple | list) and len(names) == 2 and all(isinstance(x, str) and x for x in names)):
        raise TypeError(f"explain: names must be two texts, what the shapes are called, got {names!r}")
    if names[0] == names[1]:
        raise ValueError(f"explain: names must differ, got {names[0]!r} twice")
