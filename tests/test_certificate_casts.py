"""Everything that `raycast`, `crossings` and `foot` return is certified, for all kinds."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from collision import Point, Ray, Sphere, crossings, foot, raycast
from collision.shapes import KINDS
from tests.certificate.casts import cast_certificate, crossings_certificate, foot_certificate, from_farther
from tests.certificate.families import cases
from tests.certificate.report import COUNT, expected_to_fail, parts, same_bits, verdict
from tests.corpus import Order, names
from tests.strategies import LINE_LIKE, LINEAR

#: What does not hold yet, and why.
_LEVEL = "lines all but level with a face, or in a flat box, enter at another point or face"
NOT_YET: dict[str, str] = {
    "raycast Ray-Capsule": "rays all but along the axis enter elsewhere, normals of thin ones lean along the axis",
    "raycast Ray-AABB": _LEVEL,
    "raycast Ray-OrientedBox": _LEVEL,
    "crossings Ray-AABB": _LEVEL,
    "crossings Line-Capsule": "points past an end are off the surface",
}


def orders(first: Any, second: Any, query: str) -> list[Any]:
    return expected_to_fail(NOT_YET, {f"{query} {names(order)}": order for order in product(first, second)})


@pytest.mark.parametrize("order", orders([Ray], KINDS, "raycast"))
def test_all_that_raycast_returns_is_certified(order: Order, pytestconfig: pytest.Config) -> None:
    for part in parts(pytestconfig):
        pairs = from_farther(cases(order, COUNT, part), np.random.default_rng(part))
        got = raycast(pairs.a, pairs.b)
        wrong = verdict(pairs, cast_certificate(pairs.a, pairs.b, got), "raycast(a, b)")
        assert not wrong, wrong
        for i in range(part, COUNT, 97):
            for name, value in raycast(pairs.a[i], pairs.b[i])._asdict().items():
                assert same_bits(value, getattr(got, name)[i]), f"{name}:\n{pairs.code(i)}"


@pytest.mark.parametrize("order", orders(LINE_LIKE, KINDS, "crossings"))
def test_all_that_crossings_returns_is_certified(order: Order, pytestconfig: pytest.Config) -> None:
    for part in parts(pytestconfig):
        pairs = cases(order, COUNT, part)
        got = crossings(pairs.a, pairs.b)
        wrong = verdict(pairs, crossings_certificate(pairs.a, pairs.b, got), "crossings(a, b)")
        assert not wrong, wrong
        for i in range(part, COUNT, 97):
            for name, value in crossings(pairs.a[i], pairs.b[i])._asdict().items():
                assert same_bits(value, getattr(got, name)[i]), f"{name}:\n{pairs.code(i)}"


@pytest.mark.parametrize("order", orders((Point, Sphere), LINEAR, "foot"))
def test_all_that_foot_returns_is_certified(order: Order, pytestconfig: pytest.Config) -> None:
    for part in parts(pytestconfig):
        pairs = cases(order, COUNT, part)
        got = foot(pairs.a, pairs.b)
        wrong = verdict(pairs, foot_certificate(pairs.a, pairs.b, got), "foot(a, b)")
        assert not wrong, wrong
        for i in range(part, COUNT, 97):
            for name, value in foot(pairs.a[i], pairs.b[i])._asdict().items():
                assert np.array_equal(value, getattr(got, name)[i]), f"{name}:\n{pairs.code(i)}"
