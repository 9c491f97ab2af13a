"""What is measured: the worst errors of signed distances, witness points and normals, and wrong verdicts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from collision import AABB, Capsule, OrientedBox, Shape, Sphere, closest_points, signed_distance
from tests.accuracy.errors import answer_errors
from tests.accuracy.peers import Answer, Solid, answers
from tests.certificate.families import cases
from tests.certificate.pairs import BETTER, LENGTH, ROOM, certificate
from tests.certificate.report import COUNT
from tests.corpus import Corpus, Order, corpus_of
from tests.strategies import EXACT, EXACT_PAIRS, FAMILIES, PAIRS, SOLID, random_case, random_pairs

#: Pairs of kinds that other libraries have too.
SHARED: list[Order] = list(combinations_with_replacement([kind for kind in SOLID if kind in EXACT], 2))
#: Pairs of kinds that the oracle has no exact answers for; theirs are certified.
CERTIFIED: list[Order] = [order for order in PAIRS if order not in EXACT_PAIRS]
#: Everyday pairs of each two kinds, and rounds of all families of hard ones that other libraries are asked.
ORDINARY, ROUNDS = 400, 20
#: A verdict counts as wrong only where the shapes are apart or overlap by more than this many sizes.
CLEAR = 1e-9


class Worst(NamedTuple):
    """The worst error where shapes are apart, and where they overlap or touch."""

    apart: float
    overlapping: float


class Figure(NamedTuple):
    """How far off the answers to many pairs are at worst, and what went wrong.

    Attributes
    ----------
    distances : Worst
        |error| / size of the signed distance.
    points : Worst
        How far a witness point is from the surface it should be on, or by how much the two are not as far from each
        other as the shapes; as a part of the size.
    rooms : Worst
        How much less room there is between the shapes along the normal than along the best; as a part of the size.
    angles : Worst
        Between the normal and the exact one, in radians.
    asked, wrong : int
        How many pairs, and how many wrong verdicts.
    troubles : Counter of str
        Why there was no answer.
    """

    distances: Worst
    points: Worst
    rooms: Worst
    angles: Worst
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
    one, other = (_figure(pairs, _ours(pairs)) for pairs in (corpus, corpus.turned()))
    worst = (Worst(*map(max, *both)) for both in zip(one[:4], other[:4], strict=True))
    return Figure(*worst, one.asked, max(one.wrong, other.wrong), Counter())


def _ours(corpus: Corpus) -> list[Answer]:
    columns = closest_points(corpus.a, corpus.b)
    return [Answer(float(d), bool(d <= 0.0), *vectors) for d, *vectors in zip(*columns, strict=True)]


def theirs(name: str, corpus: Corpus) -> Figure:
    """Measure another library."""
    return _figure(corpus, list(answers(name, [(solid(case.a), solid(case.b)) for case in corpus.cases])))


def _figure(corpus: Corpus, got: list[Answer]) -> Figure:
    troubles = Counter(answer.trouble for answer in got if answer.trouble)
    rows = np.array([i for i, answer in enumerate(got) if not answer.trouble], dtype=int)
    exact = [corpus.exact[i] for i in rows]
    told = [got[i] for i in rows]
    apart = np.array([e.signed_distance > 0 for e in exact], dtype=bool)
    parts = zip(told, exact, corpus.size[rows], strict=True)
    distances = np.array([relative_error(answer.distance, e.signed_distance, float(size)) for answer, e, size in parts])
    errors = answer_errors(corpus.a[rows], corpus.b[rows], exact, corpus.size[rows], told)
    worst = (Worst(*(float(e[which].max(initial=0.0)) for which in (apart, ~apart))) for e in (distances, *errors))
    clear = [abs(e.signed_distance) > CLEAR * size for e, size in zip(exact, corpus.size[rows], strict=True)]
    touching = np.array([answer.touching for answer in told], dtype=bool)
    return Figure(*worst, len(got), int(np.sum((touching == apart)[clear])), troubles)


def relative_error(got: float, exact: Fraction, size: float) -> float:
    """Return |error| / size; no number at all is infinitely wrong, unless minus infinity is right."""
    if got == exact:
        return 0.0
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
    corpus = corpus_of(order, rounds)
    found = [*signed_distance(corpus.a, corpus.b), *signed_distance(corpus.b, corpus.a)]
    pairs = zip(found, [*corpus.exact, *corpus.exact], [*corpus.size, *corpus.size], strict=True)
    return max(relative_error(d, e.signed_distance, float(size)) for d, e, size in pairs)


class Certified(NamedTuple):
    """How far off the answers to certified pairs are at worst, as a part of the size.

    Attributes
    ----------
    distance : float
        By how much the room along the normal, or along a better direction, is not the signed distance.
    points : float
        How far a witness point is off its surface or its place, or by how much both are not as far apart as is said.
    """

    distance: float
    points: float


def certified(order: Order) -> Certified:
    """Return the worst errors that the certificate finds in pairs of two kinds, in both orders."""
    pairs = cases(order, COUNT)
    found = [certificate(a, b, closest_points(a, b)) for a, b in ((pairs.a, pairs.b), (pairs.b, pairs.a))]
    worst = {what: max(float(errors[what].max()) for errors in found) for what in found[0]}
    distance = max(worst.pop(what) for what in (ROOM, BETTER))
    worst.pop(LENGTH)
    return Certified(distance, max(worst.values()))
