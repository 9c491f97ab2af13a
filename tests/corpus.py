"""The hard pairs of every two kinds as batches, with their exact answers: what the tests of all queries go through."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import pytest

from collision import OrientedBox, Shape
from collision.base.fields import FloatArray
from tests import oracles
from tests.strategies import EXACT, EXACT_PAIRS, FAMILIES, PAIRS, Case, Kind, random_pairs

EPS = float(np.finfo(np.float64).eps)
#: Rounds of all families of hard cases for each pair of kinds: some 3,000 pairs of shapes, and with --deep 100,000.
ROUNDS, DEEP_ROUNDS = 5, 164
#: From here on exact answers are worth the start of other processes.
MANY = 1000

Order: TypeAlias = tuple[Kind, Kind]
ORDERED: list[Order] = list(product(EXACT, EXACT))
Answer = TypeVar("Answer")


def names(order: Order) -> str:
    return "-".join(kind.__name__ for kind in order)


def accuracy(a: Shape, b: Shape) -> float:
    """Return the promised |error| / size of the signed distance."""
    return 1e-14 if isinstance(a, OrientedBox) or isinstance(b, OrientedBox) else 1e-15


def stacked(shapes: list[Any]) -> Shape:
    """Return single shapes of one kind as a batch."""
    batch: Shape = type(shapes[0])(**{k: np.stack([s.values()[k] for s in shapes]) for k in shapes[0].values()})
    return batch


# --- exact answers --------------------------------------------------------------------------------


@cache
def _processes() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("spawn"))


def exactly(function: Callable[..., Answer], *arguments: Iterable[Any]) -> list[Answer]:
    """Return a slow function of all the arguments, one after the other; where they are many, in several processes."""
    rows = [list(column) for column in arguments]
    if len(rows[0]) < MANY or os.cpu_count() == 1:
        return list(map(function, *rows))
    return list(_processes().map(function, *rows, chunksize=100))


# --- the corpus -----------------------------------------------------------------------------------


class Corpus(NamedTuple):
    """The hard pairs of two kinds, one by one and as batches, with the exact answers."""

    cases: list[Case]
    a: Shape
    b: Shape
    exact: list[oracles.Separation]
    size: FloatArray

    @classmethod
    def of(cls, cases: list[Case]) -> Corpus:
        first, second = [c.a for c in cases], [c.b for c in cases]
        exact = exactly(oracles.separation, first, second)
        size = np.array([oracles.size_of(*pair) for pair in zip(first, second, exact, strict=True)])
        return cls(cases, stacked(first), stacked(second), exact, size)

    @property
    def endless(self) -> Any:
        """Tell in which cases no move parts the two."""
        return np.array([e.signed_distance == -np.inf for e in self.exact])

    def turned(self) -> Corpus:
        cases = [Case(c.label, c.b, c.a, c.twin) for c in self.cases]
        exact = [e._replace(core_a=e.core_b, core_b=e.core_a) for e in self.exact]
        return Corpus(cases, self.b, self.a, exact, self.size)

    @property
    def generic(self) -> Any:
        """Tell which cases have nothing special: their nearest points are unique."""
        return np.array([case.label.startswith("anywhere") for case in self.cases]) & ~self.endless


@cache
def corpus_of(order: Order, rounds: int) -> Corpus:
    if order not in PAIRS:
        return corpus_of(order[::-1], rounds).turned()
    return Corpus.of(random_pairs(*order, n=len(FAMILIES) * rounds, seed=2026))


@pytest.fixture(name="corpus")
def corpus_fixture(request: pytest.FixtureRequest) -> Corpus:
    """Return the corpus of an order of kinds, given by the test's parameter; test files import this."""
    return corpus_of(request.param, DEEP_ROUNDS if request.config.getoption("--deep") else ROUNDS)


def tried_first(order: Order) -> bool:
    """Tell which of the two orders of two kinds a plain run tries: of every kind some first and some second."""
    first, second = map(EXACT.index, order)
    return first == second or (first < second) == ((first + second) % 2 == 0)


#: Any two kinds in one order, and with ``--deep`` in both.
any_two_kinds = [
    pytest.param(order, marks=[] if tried_first(order) else pytest.mark.deep, id=names(order)) for order in ORDERED
]

both_orders = pytest.mark.parametrize("corpus", any_two_kinds, indirect=True)
one_order = pytest.mark.parametrize("corpus", EXACT_PAIRS, ids=names, indirect=True)


# --- verdicts -------------------------------------------------------------------------------------


def check(corpus: Corpus, errors: Any, limit: float, what: str) -> None:
    """Fail, naming the worst case, if an error is above limit × size."""
    measured = np.abs(np.asarray(errors, dtype=float)) / np.where(corpus.size > 0.0, corpus.size, 1.0)
    measured = np.where(np.isnan(measured), np.inf, measured)
    bad = np.flatnonzero(measured > limit)
    if bad.size:
        worst = int(np.argmax(measured))
        case = corpus.cases[worst]
        pytest.fail(
            f"{what}: {bad.size} of {len(corpus.cases)} are off by more than {limit:g} of the size; the worst by "
            f"{measured[worst]:.3g}:\n  a = {case.a!r}\n  b = {case.b!r}\n  ({case.label})\n"
            f"  exact signed distance {float(corpus.exact[worst].signed_distance)!r}, size {corpus.size[worst]!r}, "
            f"families: {sorted({corpus.cases[i].label.split(',')[0] for i in bad})}"
        )


def change(one: Any, other: Any) -> Any:
    """Return by how much numbers differ: infinite ones that are the same not at all."""
    with np.errstate(invalid="ignore"):
        return np.where(one == other, 0.0, np.subtract(one, other))


def gap(got: Any, exact: Fraction) -> float:
    """Return the error of a computed number; not a number stays so, and minus infinity is right where it is exact."""
    if got == exact == -np.inf:
        return 0.0
    return float(Fraction(float(got)) - exact) if np.isfinite(got) and exact != -np.inf else np.nan
