"""How much is certified, how exactly, and what a failure looks like: the worst case, as code."""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

import numpy as np
import pytest

from collision import ConvexHull, Cylinder, HalfSpace, Ray, Shape
from tests.certificate.pairs import LENGTH, Errors

#: Cases a pair of kinds in every run, and how many times as many with --deep.
COUNT, DEEP_PARTS = 3000, 100
#: The most that anything may be off by, relative to the size of the pair; and the length of the normal.
LIMIT, LENGTH_LIMIT = 1e-14, 1e-15
#: Kinds of which a few pairs in thousands are off by more: rays that brush slivers, cylinders as thin as a line, and
#: points of hulls whose edges are all but parallel.
BRUSHING: dict[frozenset[type[Shape]], float] = {
    frozenset({Ray, ConvexHull}): 1e-8,
    frozenset({Cylinder, ConvexHull}): 1e-8,
    frozenset({ConvexHull}): 1e-8,
}


class Coded(Protocol):
    """Cases, by their families and as Python code."""

    @property
    def families(self) -> list[str]: ...

    def code(self, i: int) -> str: ...


def parts(config: pytest.Config) -> range:
    """Return the numbers of the parts to go through, of `COUNT` cases each."""
    return range(DEEP_PARTS if config.getoption("--deep") else 1)


def expected_to_fail(reasons: dict[str, str], pairs: dict[str, Any], *, seldom: bool = False) -> list[Any]:
    """Return parameters by their names, those that are known to fail marked with the reason; or that seldom fail."""
    marks = {name: pytest.mark.xfail(reason=reason, strict=not seldom) for name, reason in reasons.items()}
    return [pytest.param(pair, id=name, marks=marks.get(name, ())) for name, pair in pairs.items()]


def verdict(pairs: Coded, errors: Errors, ask: str = "closest_points(a, b)", most: float = LIMIT) -> str:
    """Return what is wrong, with the families and the worst case of each error as code; nothing where all is well."""
    words = []
    for what, measured in errors.items():
        limit = LENGTH_LIMIT if what == LENGTH else most
        bad = np.flatnonzero(measured > limit)
        if bad.size:
            worst = int(np.argmax(measured))
            families = dict(Counter(pairs.families[i] for i in bad))
            words.append(
                f"{what}: {bad.size} of {len(measured)} by more than {limit:g} of the size ({families});\n"
                f"the worst by {measured[worst]:.3g} ({pairs.families[worst]}):\n{pairs.code(worst)}\nprint({ask})"
            )
    return "\n\n".join(words)


def same_bits(got: Any, wanted: Any) -> bool:
    return np.asarray(got).tobytes() == np.asarray(wanted).tobytes()


def about_level(a: Any, b: Any) -> bool:
    """Tell whether it is a matter of rounding if two single shapes without an end are parallel.

    Exactly, they may then meet at any distance, or have no depth.
    """
    if a.bounded or b.bounded:
        return False
    ways = [shape.values()["normal" if isinstance(shape, HalfSpace) else "direction"] for shape in (a, b)]
    across = isinstance(a, HalfSpace) != isinstance(b, HalfSpace)
    return bool(np.abs(np.dot(*ways) if across else np.cross(*ways)).max() < LIMIT)
