"""What is measured: the worst |error| / size of signed distances, and wrong verdicts, against exact answers."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from collision import AABB, Capsule, OrientedBox, Shape, Sphere, signed_distance
from tests.accuracy.peers import Answer, Solid, answers
from tests.corpus import Corpus, Order, corpus_of
from tests.strategies import FAMILIES, SOLID, random_case, random_pairs

#: Pairs of kinds that other libraries have too.
SHARED: list[Order] = list(combinations_with_replacement(SOLID, 2))
#: Everyday pairs of each two kinds, and rounds of all families of hard ones that other libraries are asked.
ORDINARY, ROUNDS = 400, 20
#: A verdict counts as wrong only where the shapes are apart or overlap by more than this many sizes.
CLEAR = 1e-9


class Figure(NamedTuple):
    """The worst |error| / size where shapes are apart and where they overlap or touch, and what went wrong."""

    apart: float
    overlapping: float
    asked: int
    wrong: int
    troubles: Counter[str]


def ordinary(order: Order, count: int = ORDINARY) -> Corpus:
    """Return pairs about as large as 1, at places about as large as 1, half of them overlapping."""
    rng = np.random.default_rng([2028, *map(SOLID.index, order)])
    return Corpus.of([random_case("anywhere", *order, rng, plain=True) for _ in range(count)])


def hard(order: Order, rounds: int = ROUNDS) -> Corpus:
    """Return pairs of all families: touching, parallel, coincident, thin, tiny, huge, far from the origin.

    Not every library takes shapes without volume, so those are left out.
    """
    cases = random_pairs(*order, n=rounds * len(FAMILIES), seed=2026)
    return Corpus.of([case for case in cases if _has_volume(case.a) and _has_volume(case.b)])


def _has_volume(shape: Shape) -> bool:
    return min(solid(shape).sizes) > 0.0


def ours(corpus: Corpus) -> Figure:
    """Measure ourselves, with A and B in both orders."""
    ways = signed_distance(corpus.a, corpus.b), signed_distance(corpus.b, corpus.a)
    one, other = (_figure(corpus, [Answer(d, d <= 0.0) for d in map(float, values)]) for values in ways)
    worst = max(one.apart, other.apart), max(one.overlapping, other.overlapping)
    return Figure(*worst, one.asked, max(one.wrong, other.wrong), Counter())


def theirs(name: str, corpus: Corpus) -> Figure:
    """Measure another library."""
    return _figure(corpus, list(answers(name, [(solid(case.a), solid(case.b)) for case in corpus.cases])))


def _figure(corpus: Corpus, got: list[Answer]) -> Figure:
    apart = overlapping = 0.0
    wrong = 0
    for answer, exact, size in zip(got, corpus.exact, corpus.size, strict=False):
        if answer.trouble:
            continue
        error = relative_error(answer.distance, exact.signed_distance, float(size))
        if exact.signed_distance > 0:
            apart = max(apart, error)
        else:
            overlapping = max(overlapping, error)
        clear = abs(exact.signed_distance) > CLEAR * size
        wrong += bool(clear) and answer.touching != (exact.signed_distance <= 0)
    troubles = Counter(answer.trouble for answer in got if answer.trouble)
    return Figure(apart, overlapping, len(got), wrong, troubles)


def relative_error(got: float, exact: Fraction, size: float) -> float:
    """Return |error| / size; no number at all is infinitely wrong."""
    return float(abs(Fraction(got) - exact)) / (size or 1.0) if np.isfinite(got) else np.inf


def solid(shape: Shape) -> Solid:
    """Return a shape as other libraries take it."""
    match shape:
        case Sphere():
            return Solid("sphere", (float(shape.radius),), shape.center, np.eye(3))
        case AABB():
            half = 0.5 * shape.upper - 0.5 * shape.lower
            return Solid("box", tuple(half), 0.5 * shape.lower + 0.5 * shape.upper, np.eye(3))
        case OrientedBox():
            return Solid("box", tuple(shape.half_extents), shape.center, shape.axes)
        case Capsule():
            step = shape.end - shape.start
            length = float(np.linalg.norm(step))
            z = step / length if length > 0.0 else np.array([0.0, 0.0, 1.0])
            x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
            x /= np.linalg.norm(x)
            frame = np.stack([x, np.cross(z, x), z], axis=1)
            return Solid("capsule", (float(shape.radius), 0.5 * length), shape.start + 0.5 * step, frame)
    raise TypeError(f"other libraries have no {type(shape).__name__}")


def worst_of_all(order: Order, rounds: int) -> float:
    """Return our worst |error| / size over the hard pairs of two kinds, in both orders."""
    figure = ours(corpus_of(order, rounds))
    return max(figure.apart, figure.overlapping)
