"""``python -m tests.code_bits COUNT SEED``: all that can be asked of COUNT hard pairs of any two kinds, as digests.

Run with different values of `COLLISION_CODE`, it must print the same. The last line lists the loops that have run.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from collision import Ray, Shape, all_normals, manifold, pose_gradient, raycast, sweep
from collision.native import loops_of
from tests import conftest  # noqa: F401 - which the modules of tests below expect to be there
from tests.corpus import ORDERED, names, stacked
from tests.crowds import crowds
from tests.strategies import random_pairs
from tests.test_robust import PAIRWISE, ask_scene, fresh_scene
from tests.turning import random_turnings


def numbers(answer: Any) -> Iterator[bytes]:
    """Yield the bits of all numbers of an answer; for what is no number any pattern of bits will do."""
    if isinstance(answer, Shape):
        yield from numbers(answer.values())
    elif isinstance(answer, dict):
        yield from numbers(list(answer.values()))
    elif isinstance(answer, tuple | list):
        for part in answer:
            yield from numbers(part)
    elif isinstance(answer, np.ndarray | np.generic | float | int):
        values = np.array(answer)
        if values.dtype.kind == "f":
            values[np.isnan(values)] = np.nan
        yield values.tobytes()
    else:
        yield repr(answer).encode()  # NumPy's and Python's are exact


def digest(*answers: Any) -> str:
    """Return a digest of the bits of answers."""
    return hashlib.sha256(b"".join(part for answer in answers for part in numbers(answer))).hexdigest()[:16]


def of_pairs(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Ask all queries of hard pairs, in batches and one by one."""
    for order in ORDERED:
        cases = random_pairs(*order, count, seed)
        a, b = stacked([case.a for case in cases]), stacked([case.b for case in cases])
        asked: list[Any] = [query(a, b) for query in PAIRWISE]
        asked += [query(case.a, case.b) for case in cases[:20] for query in PAIRWISE]
        asked += [sweep(a, b, motion=[1.0, -2.0, 0.5]), manifold(a, b), pose_gradient(a, b)]
        asked += [all_normals(case.a, case.b) for case in cases[:3]]
        if order[0] is Ray:
            asked.append(raycast(a, b))
        yield names(order), digest(*asked)


def of_turning(seed: int) -> Iterator[tuple[str, str]]:
    """Ask when shapes that turn touch."""
    bounded = [order for order in ORDERED if any(kind.bounded for kind in order)]
    for order in bounded[:: 1 if seed else 5]:
        cases = [each for each in random_turnings(*order, 1, seed) if each.other is None][:4]
        ways = [{"start": each.way.start, "end": each.way.end, "pivot": each.way.pivot} for each in cases]
        asked = [sweep(each.a, each.b, **way) for each, way in zip(cases, ways, strict=True)]
        yield f"turning {names(order)}", digest(*asked)


def of_scenes(seed: int) -> Iterator[tuple[str, str]]:
    """Ask scenes of all kinds for pairs, contacts, the nearest, and rays."""
    for margin in (0.0, 0.1):
        yield f"scene, margin {margin}", digest(*ask_scene(fresh_scene(), margin))
    for name, scene in crowds(seed):
        yield name, digest(scene.colliding_pairs())


if __name__ == "__main__":
    count, seed = map(int, sys.argv[1:])
    for title, bits in (*of_pairs(count, seed), *of_turning(seed), *of_scenes(seed)):
        print(title, bits)
    print(*[loop.name for loop in loops_of("collision") if "run" in vars(loop)])
