"""Everything that `raycast`, `crossings` and `foot` return is certified, for all kinds."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from collision import Point, Ray, Segment, Shape, Sphere, crossings, foot, raycast, signed_distance
from collision.shapes.kinds import KINDS
from tests.certificate.bodies import body
from tests.certificate.casts import cast_certificate, crossings_certificate, foot_certificate, from_farther
from tests.certificate.families import Cases, cases
from tests.certificate.grazing import GRAZED, grazing
from tests.certificate.pairs import Errors, size_of
from tests.certificate.report import COUNT, LIMIT, expected_to_fail, parts, same_bits, verdict
from tests.corpus import Order, names
from tests.remembered import REMEMBERED_CASTS
from tests.strategies import LINE_LIKE, LINEAR, Kind

#: What does not hold yet, and why.
NOT_YET: dict[str, str] = {}


def orders(first: Any, second: Any, query: str) -> list[Any]:
    return expected_to_fail(
        NOT_YET, {f"{query} {names(order)}": order for order in product(first, second)}, seldom=True
    )


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


@pytest.mark.parametrize("kind", GRAZED, ids=lambda kind: kind.__name__)
def test_what_grazes_a_surface_is_certified(kind: Kind, pytestconfig: pytest.Config) -> None:
    for part in parts(pytestconfig):
        rays, segments = grazing(kind, COUNT, part)
        got = raycast(rays.a, rays.b)
        wrong = verdict(rays, cast_certificate(rays.a, rays.b, got), "raycast(a, b)")
        assert not wrong, wrong
        assert 0.3 < np.mean(got.hit) < 0.97
        apart, size = signed_distance(rays.a, rays.b), size_of(body(rays.a), body(rays.b)).astype(float)
        assert np.all(got.hit[apart <= 0.0])
        assert np.all(apart[got.hit] <= 4e-15 * size[got.hit])
        for pairs in (rays, segments):
            wrong = verdict(
                pairs, crossings_certificate(pairs.a, pairs.b, crossings(pairs.a, pairs.b)), "crossings(a, b)"
            )
            assert not wrong, wrong


@pytest.mark.parametrize("pair", REMEMBERED_CASTS.values(), ids=REMEMBERED_CASTS)
def test_remembered_casts_are_certified(pair: tuple[Ray, Shape]) -> None:
    pairs = Cases(pair[0].flattened(), pair[1].flattened(), ["remembered"])
    wrong = verdict(pairs, cast_certificate(pairs.a, pairs.b, raycast(pairs.a, pairs.b)), "raycast(a, b)")
    assert not wrong, wrong
    wrong = verdict(pairs, crossings_certificate(pairs.a, pairs.b, crossings(pairs.a, pairs.b)), "crossings(a, b)")
    assert not wrong, wrong


# --- the certificates themselves ------------------------------------------------------------------


def worst(errors: Errors) -> Any:
    return np.max(list(errors.values()), axis=0)


def test_whatever_is_spoiled_of_a_hit_is_found() -> None:
    rays, balls = Ray([[-3, 0.5, 0], [0.0, 0, 0]], [[1.0, 0, 0]] * 2), Sphere([[0.0, 0, 0], [0.5, 0, 0]], [1, 1])
    got = raycast(rays, balls)
    assert np.all(worst(cast_certificate(rays, balls, got)) <= LIMIT)
    aside = np.array([0.0, 1e-9, 0.0])
    spoiled = {
        "passed": (0, got._replace(enter=got.exit, point=rays.origin + got.exit[:, None] * rays.direction)),
        "late": (0, got._replace(enter=got.enter + 1e-9, point=got.point + 1e-9 * rays.direction)),
        "off the ray": (0, got._replace(point=got.point + aside)),
        "leaning": (0, got._replace(normal=got.normal + aside)),
        "inwards": (0, got._replace(normal=-got.normal)),
        "missed": (0, got._replace(hit=~got.hit)),
        "exit": (0, got._replace(exit=got.exit + 1e-9)),
        "exit is the entry": (0, got._replace(exit=got.enter)),
        "not at once": (1, got._replace(enter=got.exit)),
        "not against the ray": (1, got._replace(normal=-got.normal)),
    }
    for what, (row, answer) in spoiled.items():
        assert worst(cast_certificate(rays, balls, answer))[row] > 1e-11, what


def test_whatever_is_spoiled_of_crossings_is_found() -> None:
    pieces = Segment([[-2, 0.5, 0], [0.0, 0, 0], [-2.0, 3, 0]], [[2, 0.5, 0], [2.0, 0, 0], [2.0, 3, 0]])
    ball = Sphere([[0, 0, 0]] * 3, [1, 1, 1])
    got = crossings(pieces, ball)
    assert got.count.tolist() == [2, 1, 0]
    assert np.all(worst(crossings_certificate(pieces, ball, got)) <= LIMIT)
    first, none = np.array([[1.0, np.nan]]), np.full((3, 2), np.nan)
    one = got._replace(
        count=got.count.clip(max=1), parameters=got.parameters * first, points=got.points * first[..., None]
    )
    nothing = got._replace(count=got.count * 0, parameters=none, points=np.full((3, 2, 3), np.nan))
    spoiled = {
        "one is left out": (0, one),
        "both are left out": (0, nothing),
        "the only one is left out": (1, nothing),
        "shifted": (0, got._replace(parameters=got.parameters + 1e-9)),
        "off the surface": (1, got._replace(points=got.points * (1.0 + 1e-9))),
        "out of order": (0, got._replace(parameters=got.parameters[:, ::-1], points=got.points[:, ::-1])),
        "nearest": (2, got._replace(nearest=got.nearest + np.array([1e-3, 0.0, 0.0]))),
        "nearest off the line": (2, got._replace(nearest=got.nearest + np.array([0.0, 1e-9, 0.0]))),
    }
    for what, (row, answer) in spoiled.items():
        assert worst(crossings_certificate(pieces, ball, answer))[row] > 1e-11, what


def test_whatever_is_spoiled_of_a_foot_is_found() -> None:
    point, piece = Point([[0.5, 1, 0], [3.0, 1, 0]]), Segment([[0, 0, 0]] * 2, [[1, 0, 0]] * 2)
    got = foot(point, piece)
    assert np.all(worst(foot_certificate(point, piece, got)) <= LIMIT)
    along = np.array([1e-9, 0.0, 0.0])
    for answer in (
        got._replace(parameter=got.parameter + 1e-9),
        got._replace(parameter=got.parameter + 1e-9, point=got.point + along, nearest=got.nearest),
        got._replace(point=got.point + along),
        got._replace(nearest=got.nearest - along),
        got._replace(distance=got.distance + 1e-9),
        got._replace(region=got.region[::-1]),
    ):
        assert np.all(worst(foot_certificate(point, piece, answer)) > 1e-11)
