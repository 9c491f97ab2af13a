"""Scenes that share what did not change: their answers are those of scenes that are built anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
)
from collision.broadphase.tree import SORT_THRESHOLD
from collision.native import THREAD_GRAIN
from collision.scene import pairs as loops_of_pairs
from collision.scene import walks
from collision.scene.world import MAX_CHANGED
from collision.shapes import rows

IGNORED = (("balls[1]", "*"), ("box*", "boxes"), ("rod", "balls[0]"))


def make(count: int, seed: int) -> Scene:
    rng = np.random.default_rng(seed)
    side = 1.5 * count ** (1 / 3)

    def places(*axes: int) -> np.ndarray:
        return rng.uniform(0, side, (*axes, 3))

    third = count // 3
    shapes: dict[str, Shape] = {
        "ball": Sphere(places(), 0.8),
        "balls": Sphere(places(third), rng.uniform(0.2, 0.6, third)),
        "box": AABB([0, 0, 0], [1, 1, 1]),
        "boxes": OrientedBox(places(third // 2, 2), np.eye(3), [0.3, 0.4, 0.5]),
        "rod": Capsule(places(), places(), 0.3),
        "rods": Capsule(start := places(third), start + 0.5, 0.2),
        "axis": Line([0, 0, 0], [1, 1, 1]),
        "edge": Segment(places(), places()),
        "dot": Point(places()),
    }
    return Scene(shapes, ignored=IGNORED)


def anew(scene: Scene) -> Scene:
    return Scene(dict(scene.shapes), ignored=scene.ignored)


def assert_same_answers(scene: Scene, fresh: Scene, rng: np.random.Generator) -> None:
    assert scene == fresh
    pairs = fresh.colliding_pairs()
    np.testing.assert_array_equal(scene.colliding_pairs(), pairs)
    for margin in (0.0, 0.3):
        mine, wanted = scene.contacts(margin=margin), fresh.contacts(margin=margin)
        for field in ("pairs", "signed_distance", "point", "normal", "on_a", "on_b", "depth"):
            np.testing.assert_array_equal(getattr(mine, field), getattr(wanted, field))
    for name in ("ball", "boxes[0,1]", "rods", "axis"):
        numbers = fresh.element_numbers(name)
        np.testing.assert_array_equal(scene.pairs_of(name), pairs[np.isin(pairs, numbers).any(axis=1)])
    for name in ("dot", "balls[2]", "axis"):
        mine_nearest, wanted_nearest = scene.nearest(name), fresh.nearest(name)
        assert mine_nearest is not None
        assert wanted_nearest is not None
        assert (mine_nearest.element, mine_nearest.name) == (wanted_nearest.element, wanted_nearest.name)
    rays = Ray(rng.uniform(-1, 3, (20, 3)), rng.normal(size=(20, 3)))
    for mine_hits, wanted_hits in zip(scene.raycast(rays), fresh.raycast(rays), strict=True):
        np.testing.assert_array_equal(mine_hits, wanted_hits)
    for mine_group, wanted_group in zip(scene.groups, fresh.groups, strict=True):
        np.testing.assert_array_equal(mine_group.elements, wanted_group.elements)
        assert mine_group.shape == wanted_group.shape
    assert scene.bounds() == fresh.bounds()


@pytest.mark.parametrize("count", [30, 3 * SORT_THRESHOLD])
@pytest.mark.parametrize("seed", range(3))
def test_a_scene_after_many_moves_answers_as_one_built_anew(count: int, seed: int) -> None:
    scene = make(count, seed)
    rng = np.random.default_rng(seed)
    names = ["ball", "box", "rod", "edge", "dot", "axis", "balls[0]", "balls[2]", "rods[3]", "boxes[0,1]", "boxes[1,0]"]
    met = 0
    for step in range(12):
        before = scene, scene.colliding_pairs()
        scene = scene.moved(str(rng.choice(names)), rng.normal(size=3))
        if step % 4 == 3:
            scene = scene.moved("balls", [0.1, 0, 0])  # more than are kept apart, in the larger scene
        assert_same_answers(scene, anew(scene), rng)
        np.testing.assert_array_equal(before[0].colliding_pairs(), before[1])  # the old one is still what it was
        met += len(scene.colliding_pairs())
    assert met > 0


def test_work_shared_by_threads_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = make(60, 7)
    rays = Ray(np.random.default_rng(0).uniform(-1, 3, (50, 3)), [1, 1, 1])
    pairs, contacts, hits = alone.colliding_pairs(), alone.contacts(margin=0.5), alone.raycast(rays)
    parts: list[int] = []

    def in_parts(work: Callable[[int, int], Any], count: int, part: int = THREAD_GRAIN) -> list[Any]:
        parts.append(part)
        return [work(first, min(first + 7, count)) for first in range(0, count, 7)]

    for module in (rows, loops_of_pairs, walks):
        monkeypatch.setattr(module, "in_parts", in_parts)
    monkeypatch.setattr(loops_of_pairs, "ONE_CALL", 0)  # which few are worth no thread to
    shared = make(60, 7)
    np.testing.assert_array_equal(shared.colliding_pairs(), pairs)
    for field in ("pairs", "signed_distance", "on_a", "on_b", "normal"):
        np.testing.assert_array_equal(getattr(shared.contacts(margin=0.5), field), getattr(contacts, field))
    np.testing.assert_array_equal(shared.raycast(rays).enter, hits.enter)
    assert len(parts) > 2
    assert np.isfinite(hits.enter).any()
    assert len(pairs) > 20


def test_an_element_that_is_replaced_by_another_kind_makes_a_new_scene() -> None:
    scene = make(30, 0).with_shape("ball", AABB([0, 0, 0], [2, 2, 2]))
    assert_same_answers(scene, anew(scene), np.random.default_rng(0))


def test_going_over_the_limit_of_changes_loses_none() -> None:
    scene = Scene({"crowd": Sphere(np.arange(600.0).reshape(200, 3) * 2, 1)})
    for number in range(MAX_CHANGED + 10):
        scene = scene.moved(f"crowd[{number}]", [0, 0, 0.5])
    moved = scene.shapes["crowd"]
    assert isinstance(moved, Sphere)
    heights = moved.center[:, 2] - (np.arange(600.0).reshape(200, 3) * 2)[:, 2]
    assert heights.tolist() == [0.5] * (MAX_CHANGED + 10) + [0.0] * (200 - MAX_CHANGED - 10)


def test_what_a_scene_gives_away_is_not_its_own_memory() -> None:
    scene = make(30, 1)
    scene.colliding_pairs()[:] = -1
    contacts = scene.contacts()
    for shared in (contacts.pairs, contacts.signed_distance, contacts.normal, contacts.on_a, contacts.on_b):
        with pytest.raises(ValueError, match="read-only"):
            shared[:] = -1
    assert_same_answers(scene, anew(scene), np.random.default_rng(1))


def test_what_is_kept_of_an_answer_is_the_answer() -> None:
    """The deepest pairs, the elements and the bounds asked for before are those that are worked out now."""
    rng = np.random.default_rng(4)
    scene = make(60, 7)
    for _ in range(30):
        name = str(rng.choice(["ball", "balls[1]", "rods[3]", "boxes[0,1]", "edge"]))
        scene = scene.moved(name, rng.normal(size=3))
        fresh = anew(scene)
        contacts, wanted = scene.contacts(margin=0.5), fresh.contacts(margin=0.5)
        for count in (3, 1, 3, 0, 10_000, 3):
            rows = np.argsort(wanted.signed_distance, kind="stable")[:count]
            np.testing.assert_array_equal(contacts.deepest(count), rows)
        with pytest.raises(ValueError, match="read-only"):
            contacts.deepest(3)[:] = 0
        for number in rng.integers(scene.element_count, size=20).tolist():
            mine, theirs = scene.element(number), fresh.element(number)
            assert mine == theirs == scene.element(number) == scene[scene.element_name(number)]
            assert scene.element_numbers(scene.element_name(number)) == range(number, number + 1)
            if mine.bounded:
                assert mine.bounds() == theirs.bounds() == AABB(*theirs.corners()) == mine.bounds()


@pytest.mark.parametrize("size", [0.3, 3.0])
def test_a_drag_in_which_who_collides_and_who_is_nearest_are_asked_in_turn(size: float) -> None:
    """What is kept of one search for the next leads to the answers of a scene built anew, in whatever order."""
    rng, few, many, kept, last = np.random.default_rng(6), 0, 0, 0, None
    first = make(3 * SORT_THRESHOLD, 5).without("axis").with_shape("ball", Sphere([4.0, 4.0, 4.0], size))
    name, scene = "ball", first
    for _ in range(120):
        if rng.random() < 0.2:
            name = str(rng.choice(["ball", "balls[2]", "rods[3]", "boxes[0,1]"]))
        scene = first.moved(name, rng.normal(size=3) * rng.choice([0.2, 3.0]) + rng.choice([0.0, 0.0, 50.0]))
        if rng.random() < 0.1:
            scene = scene.replaced(hidden=rng.choice(["balls[1]", "rod", name], 2, replace=False).tolist())
        fresh = Scene(dict(scene.shapes), ignored=scene.ignored, hidden=scene.hidden)
        for ask in rng.choice(["contacts", "nearest", "nearest without", "other"], size=3):
            if ask == "contacts":
                margin = float(rng.choice([0.0, 0.3]))
                mine, wanted = scene.contacts(margin=margin), fresh.contacts(margin=margin)
                kept, last = kept + (mine is last), mine
                for own, theirs in zip(mine._parts(), wanted._parts(), strict=True):
                    np.testing.assert_array_equal(own, theirs)
                touching = len(scene.pairs_of(name))
                few, many = few + (0 < touching <= 2), many + (touching > 8)
            else:
                of, without = ("edge" if ask == "other" else name), ["balls"] if "without" in ask else []
                assert scene.nearest_element(of, without=without) == fresh.nearest_element(of, without=without)
    assert min(few, kept) > 5
    assert size < 1.0 or many > 5
