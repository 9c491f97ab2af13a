"""Everything that queries of a scene return is certified, and nothing nearer or earlier is left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    ClosestPoints,
    HalfSpace,
    Ray,
    RayHit,
    Scene,
    Shape,
    Sweep,
    contact,
    raycast,
    signed_distance,
    sweep,
)
from collision.base.fields import FloatArray, IntArray
from collision.shapes.kinds import KINDS
from tests.certificate.casts import cast_certificate, from_farther
from tests.certificate.families import Cases, cases
from tests.certificate.pairs import certificate
from tests.certificate.report import expected_to_fail, same_bits, verdict
from tests.certificate.scenes import EACH, against_all, by_kinds, scene_of
from tests.certificate.sweeps import Motions, motions, sweep_certificate
from tests.strategies import THIN

#: How many scenes are asked, also with --deep.
SCENES, DEEP_SCENES = 3, 300

#: What does not hold yet, and why.
NOT_YET: dict[str, str] = {}


@pytest.fixture
def scenes(pytestconfig: pytest.Config) -> Iterable[Scene]:
    return map(scene_of, range(DEEP_SCENES if pytestconfig.getoption("--deep") else SCENES))


def certify(scene: Scene, first: IntArray, second: IntArray, points: list[FloatArray]) -> None:
    """Certify closest points of pairs of elements, by their numbers."""
    for rows, a, b in by_kinds(scene, first, second):
        answer = ClosestPoints(*(part[rows] for part in points))
        wrong = verdict(Cases(a, b, ["scene"] * len(rows)), certificate(a, b, answer))
        assert not wrong, wrong


@pytest.mark.parametrize("margin", expected_to_fail(NOT_YET, {"contacts": 0.0, "contacts in a margin": 0.125}))
def test_contacts_are_certified_and_all_there(scenes: Iterable[Scene], margin: float) -> None:
    for scene in scenes:
        found = scene.contacts(margin=margin)
        first, second = found.pairs.T
        certify(scene, first, second, [found.signed_distance, found.on_a, found.on_b, found.normal])
        assert same_bits(found.point, 0.5 * found.on_a + 0.5 * found.on_b)
        wanted: list[list[int]] = []  # of two half-spaces none
        spaces = {*scene.element_numbers("HalfSpace")}
        for i in range(scene.element_count):
            near = against_all(scene, lambda other, one: contact(one, other, margin=margin).touching, scene.element(i))
            wanted += [[i, j] for j in np.flatnonzero(near).tolist() if j > i and not {i, j} <= spaces]
        assert found.pairs.tolist() == wanted
        some = int(np.argmax(np.bincount(first)))
        alone, rows = scene.contacts(margin=margin, of=scene.element_name(some)), (first == some) | (second == some)
        assert same_bits(alone.pairs, found.pairs[rows])
        assert same_bits(alone.on_a, found.on_a[rows])


@pytest.mark.parametrize("query", expected_to_fail(NOT_YET, {"nearest": "nearest"}))
def test_the_nearest_is_certified_and_none_is_nearer(scenes: Iterable[Scene], query: str) -> None:
    for scene in scenes:
        numbers = np.arange(scene.element_count)
        answers = [getattr(scene, query)(scene.element_name(i)) for i in numbers.tolist()]
        elements = np.array([answer.element for answer in answers])
        points = [np.stack([getattr(answer.points, name) for answer in answers]) for name in ClosestPoints._fields]
        certify(scene, numbers, elements, points)
        for i in numbers.tolist():
            apart = against_all(scene, lambda other, one: signed_distance(one, other), scene.element(i))
            apart[[i, *scene.element_numbers("HalfSpace")] if isinstance(scene.element(i), HalfSpace) else i] = np.inf
            assert float(apart.min()) == float(points[0][i])
            assert int(apart.argmin()) == elements[i]


@pytest.mark.parametrize("query", expected_to_fail(NOT_YET, {"raycast": "raycast"}))
def test_first_hits_are_certified_and_none_is_earlier(scenes: Iterable[Scene], query: str) -> None:
    for part, scene in enumerate(scenes):
        pairs = from_farther(cases((Ray, AABB), 100, part), np.random.default_rng(part))
        rays = Ray(pairs.a.origin[::2], pairs.a.direction[::2])
        found = getattr(scene, query)(rays)
        enter = against_all(scene, lambda other, one: raycast(one, other).enter, rays[:, None])
        first = np.where(np.isnan(enter), np.inf, enter).min(axis=1)
        assert same_bits(np.where(np.isinf(first), np.nan, first), found.enter)
        assert same_bits(found.element >= 0, np.isfinite(first))
        hit = np.flatnonzero(found.element >= 0)
        assert hit.size
        for rows, _, b in by_kinds(scene, found.element[hit], found.element[hit]):
            which = hit[rows]
            a, leave = rays[which], raycast(rays[which], b).exit
            answer = RayHit(leave >= 0.0, found.enter[which], leave, found.point[which], found.normal[which])
            wrong = verdict(Cases(a, b, ["scene"] * len(rows)), cast_certificate(a, b, answer), "raycast(a, b)")
            assert not wrong, wrong


@pytest.mark.parametrize("query", expected_to_fail(NOT_YET, {"sweep": "sweep"}))
def test_first_touches_are_certified_and_none_is_earlier(scenes: Iterable[Scene], query: str) -> None:
    for part, scene in enumerate(scenes):
        hits = 0
        for kind in KINDS:
            case = motions((kind, KINDS[part % len(KINDS)]), 30, part)
            for i in range(0, len(case.families), 7):
                hits += _first_touch(scene, case.pairs.a[i], case.motion[i], query)
        assert hits > 3


def _first_touch(scene: Scene, moving: Shape, motion: FloatArray, query: str) -> bool:
    """Certify the first touch of a shape with a scene, and tell whether there is one."""
    found: Any = getattr(scene, query)(moving, motion=motion)
    fraction = against_all(scene, lambda other, one: sweep(one, other, motion=motion).fraction, moving)
    earliest = np.where(np.isnan(fraction), np.inf, fraction)
    if found.element < 0:
        assert np.isinf(earliest.min())
        return False
    assert found.fraction == earliest.min()
    assert found.element == earliest.argmin()
    pairs = Cases(moving.flattened(), scene.element(found.element).flattened(), ["scene"])
    answer = Sweep(*(np.asarray(part)[None] for part in (True, found.fraction, found.point, found.normal)))
    case = Motions(pairs, motion[None])
    wrong = verdict(case, sweep_certificate(case, answer), "sweep(a, b, motion=motion)")
    assert not wrong, wrong
    return True


def test_pairs_of_most_kinds_touch_in_scenes() -> None:
    seen = np.zeros((len(KINDS), len(KINDS)), dtype=bool)
    for part in range(SCENES):
        first, second = scene_of(part).contacts().pairs.T
        seen[first // EACH, second // EACH] = True
    space = KINDS.index(HalfSpace)
    assert not seen[space, space]
    seen[space, space] = True
    solid = [i for i, kind in enumerate(KINDS) if kind not in THIN]
    assert np.all((seen | seen.T)[np.ix_(solid, solid)])
    assert np.mean(seen | seen.T) > 0.7
