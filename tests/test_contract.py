"""One contract for all pairs of kinds, in both orders, against exact answers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from collision import (
    HalfSpace,
    Shape,
    contact,
    contains,
    intersects,
    signed_distance,
)
from tests import oracles
from tests.corpus import (
    ORDERED,
    Corpus,
    Order,
    accuracy,
    check,
    corpus_fixture,
    exactly,
    gap,
    names,
    one_order,
    stacked,
)
from tests.remembered import REMEMBERED
from tests.strategies import (
    EXACT_PAIRS,
    SOLID,
    THIN,
    UNBOUNDED,
    Case,
    pairs,
    parted,
    random_case,
    small_and_near,
)

__all__ = ["corpus_fixture"]  # a fixture, which tests ask for by its name


# --- against exact answers ------------------------------------------------------------------------


@pytest.mark.every
@one_order
def test_the_contract_holds_for_hard_pairs(corpus: Corpus) -> None:
    for each in (corpus, corpus.turned()):
        distances_are_accurate(each)
        touching_counts_as_a_hit(each)
        contains_counts_the_boundary(each)
        contacts_are_those_within_the_margin(each)


def distances_are_accurate(corpus: Corpus) -> None:
    got = signed_distance(corpus.a, corpus.b)
    errors = [gap(value, e.signed_distance) for value, e in zip(got, corpus.exact, strict=True)]
    check(corpus, errors, accuracy(corpus.a, corpus.b), "signed distance")


def touching_counts_as_a_hit(corpus: Corpus) -> None:
    got = intersects(corpus.a, corpus.b)
    for i, case in enumerate(corpus.cases):
        exact = corpus.exact[i].signed_distance
        meant_to_touch = case.twin is not None and oracles.signed_distance(*case.twin) == 0
        if exact == 0 or meant_to_touch:
            assert got[i], f"touching, but no hit: {case}"
        elif abs(exact) > 1e-14 * corpus.size[i]:
            assert got[i] == (exact < 0), f"signed distance {float(exact)!r}: {case}"


def contains_counts_the_boundary(corpus: Corpus) -> None:
    if not isinstance(corpus.a, (*SOLID, HalfSpace)):
        return
    got = contains(corpus.a, corpus.b)
    overhangs = exactly(oracles.overhang, [case.a for case in corpus.cases], [case.b for case in corpus.cases])
    for i, (case, over) in enumerate(zip(corpus.cases, overhangs, strict=True)):
        if over is None:
            assert not got[i], f"reaches to infinity: {case}"
        elif over == 0 or abs(over) > 1e-14 * corpus.size[i]:
            assert got[i] == (over <= 0), f"sticks out by {float(over)!r}: {case}"


def contacts_are_those_within_the_margin(corpus: Corpus) -> None:
    near, margin = signed_distance(corpus.a, corpus.b), float(np.median(corpus.size))
    touching = contact(corpus.a, corpus.b, margin=margin).touching
    clear = np.abs(near - margin) > 1e-14 * np.maximum(corpus.size, margin)
    assert np.array_equal(touching[clear], (near <= margin)[clear])


@given(pairs())
def test_the_contract_holds_for_any_pair(pair: tuple[Shape, Shape]) -> None:
    test_the_contract_holds_for_hard_pairs(Corpus.of([Case("any", *pair)]))


@pytest.mark.parametrize("pair", REMEMBERED.values(), ids=REMEMBERED.keys())
def test_the_contract_holds_where_it_once_did_not(pair: tuple[Shape, Shape]) -> None:
    test_the_contract_holds_for_hard_pairs(Corpus.of([Case("remembered", *pair)]))


# --- the cases themselves -------------------------------------------------------------------------


def _by_chance(order: Order) -> bool:
    """Tell whether shapes of two kinds sometimes meet and sometimes do not."""
    return parted(order) and (order[0] not in THIN or order[1] not in THIN)


@pytest.mark.parametrize("order", [pair for pair in EXACT_PAIRS if _by_chance(pair)], ids=names)
def test_about_half_of_the_random_cases_hit(order: Order) -> None:
    rng = np.random.default_rng(7)
    cases = [random_case("anywhere", *order, rng, plain=True) for _ in range(120)]
    hits = sum(oracles.signed_distance(case.a, case.b) <= 0 for case in cases)
    assert 0.3 <= hits / len(cases) <= 0.7


@pytest.mark.parametrize(
    "order", [(a, b) for a, b in ORDERED if a in (*SOLID, HalfSpace) and b not in UNBOUNDED], ids=names
)
def test_about_half_of_small_shapes_lie_inside(order: Order) -> None:
    rng = np.random.default_rng(9)
    cases = [[r.build(k) for r, k in zip(small_and_near(*order, rng), order, strict=True)] for _ in range(120)]
    inside = np.array([(oracles.overhang(a, b) or oracles.ZERO) <= 0 for a, b in cases])
    assert 0.3 <= inside.mean() <= 0.7
    assert np.array_equal(contains(stacked([a for a, _ in cases]), stacked([b for _, b in cases])), inside)


@one_order
def test_the_cases_hold_exact_touches(corpus: Corpus) -> None:
    touches = [c for c in corpus.cases if c.label.startswith("touching")]
    exact = [oracles.signed_distance(*(c.twin or (c.a, c.b))) == 0 for c in touches]
    assert any(exact) or set(map(type, (corpus.cases[0].a, corpus.cases[0].b))) == {HalfSpace}
