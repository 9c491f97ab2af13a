"""Everything that `sweep` returns is certified, for all pairs of kinds in both orders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from collision import HalfSpace, Sphere, Sweep, sweep
from tests import oracles
from tests.certificate.families import Cases
from tests.certificate.report import COUNT, LIMIT, about_level, parts, same_bits, verdict
from tests.certificate.sweeps import Motions, motions, sweep_certificate
from tests.corpus import ORDERED, Order, names
from tests.remembered import MOTIONS


@pytest.mark.parametrize("order", ORDERED, ids=names)
def test_all_that_sweep_returns_is_certified(order: Order, pytestconfig: pytest.Config) -> None:
    for part in parts(pytestconfig):
        case = motions(order, COUNT // 2, part)
        got = sweep(case.pairs.a, case.pairs.b, motion=case.motion)
        wrong = verdict(case, sweep_certificate(case, got), "sweep(a, b, motion=motion)")
        assert not wrong, wrong
        _alone(case, got, part)


def _alone(case: Motions, got: Any, part: int) -> None:
    for i in range(part % 97, len(case.families), 97):
        alone = sweep(case.pairs.a[i], case.pairs.b[i], motion=case.motion[i])
        for name, value in alone._asdict().items():
            assert same_bits(value, getattr(got, name)[i]), f"{name}:\n{case.code(i)}"


@pytest.mark.parametrize("order", ORDERED, ids=names)
def test_what_exactly_touches_is_no_miss(order: Order) -> None:
    """Also where both are thin, so that no step on the way shows it."""
    case = motions(order, 200)
    got = sweep(case.pairs.a, case.pairs.b, motion=case.motion)
    for i in range(0, len(case.families), 3):
        touch = oracles.first_touch(case.pairs.a[i], case.pairs.b[i], case.motion[i])
        if touch is not None and touch <= 1 and not about_level(case.pairs.a[i], case.pairs.b[i]):
            assert got.hit[i], f"{float(touch)!r}:\n{case.code(i)}"


@pytest.mark.parametrize("order", [order for order in ORDERED if order != (HalfSpace, HalfSpace)], ids=names)
def test_some_hit_and_some_miss(order: Order) -> None:
    case = motions(order, 200)
    hits = np.mean(sweep(case.pairs.a, case.pairs.b, motion=case.motion).hit)
    assert 0.05 < hits < 0.99


@pytest.mark.parametrize("name", MOTIONS)
def test_remembered_motions_are_certified(name: str) -> None:
    a, b, motion = MOTIONS[name]
    for first, second, way in ((a, b, np.array([motion])), (b, a, -np.array([motion]))):
        case = Motions(Cases(first.flattened(), second.flattened(), ["remembered"]), way)
        got = sweep(case.pairs.a, case.pairs.b, motion=case.motion)
        wrong = verdict(case, sweep_certificate(case, got), "sweep(a, b, motion=motion)")
        assert not wrong, wrong


# --- the certificate itself -----------------------------------------------------------------------


def test_whatever_is_spoiled_is_found() -> None:
    """A ball that comes to another, one that starts in touch, and one that misses."""
    a, b = Sphere([[0, 0, 0], [3, 0, 0], [0, 5, 0]], 1), Sphere([[4, 1, 0]] * 3, 1)
    case = Motions(Cases(a, b, ["by hand"] * 3), np.array([[8.0, 0.0, 0.0]] * 3))
    got = sweep(a, b, motion=case.motion)
    assert got.hit.tolist() == [True, True, False]
    assert np.all(worst(case, got) <= LIMIT)
    late = np.where(got.hit, got.fraction + 1e-9, np.nan)
    aside = np.array([0.0, 0.0, 1e-9])
    spoiled = {
        "late": (0, got._replace(fraction=late)),
        "early": (0, got._replace(fraction=2 * got.fraction - late)),
        "passed": (0, got._replace(fraction=np.full(3, 0.7))),
        "the other way": (0, got._replace(normal=-got.normal)),
        "leaning": (0, got._replace(normal=got.normal + aside)),
        "elsewhere": (0, got._replace(point=got.point + aside)),
        "at once": (0, got._replace(fraction=0.0 * got.fraction)),
        "not at once": (1, got._replace(fraction=late)),
        "missed": (0, got._replace(hit=~got.hit, fraction=np.full(3, np.nan))),
        "hit": (2, got._replace(fraction=np.full(3, 0.5))),
        "a number of a miss": (2, got._replace(point=np.zeros((3, 3)))),
    }
    for what, (row, answer) in spoiled.items():
        assert worst(case, answer)[row] > 1e-11, what


def test_a_miss_that_touches_is_found() -> None:
    a, b = Sphere([[0, 0, 0]], 1), Sphere([[4, 1.9999, 0]], 1)
    case = Motions(Cases(a, b, ["by hand"]), np.array([[8.0, 0.0, 0.0]]))
    nothing = np.full((1, 3), np.nan)
    assert worst(case, Sweep(np.array([False]), nothing[:, 0], nothing, nothing))[0] == pytest.approx(1e-4 / 4, rel=0.1)


def worst(case: Motions, got: Sweep) -> Any:
    return np.max(list(sweep_certificate(case, got).values()), axis=0)
