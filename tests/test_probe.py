"""One shape and a scene: the scene's answers are those of asking every element one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from itertools import product
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    Point,
    Ray,
    Scene,
    Shape,
    Sphere,
    candidate_pairs,
    contact,
    raycast,
    signed_distance,
    sweep,
    touching_intervals,
    why,
)
from collision.broadphase.hierarchy import SORT_THRESHOLD
from collision.shapes.kinds import KINDS
from tests.sampling import one
from tests.test_world import make

#: Scenes with and without a tree, as they are and after moves, with something hidden, and what may be left out.
SIZES = (30, 3 * SORT_THRESHOLD)
LEFT_OUT = ("balls[3]", "rods", "axis")


def scenes() -> Iterator[Scene]:
    for count, seed in product(SIZES, range(2)):
        scene = make(count, seed)
        yield scene
        yield scene.replaced(hidden=["balls[4]", "boxes", "dot"]).moved(["ball", "balls[0]"], [0.4, 0.1, 0.2])


def strangers(rng: np.random.Generator) -> list[Shape]:
    return [one(kind).translated(rng.uniform(0, 5, 3)) for kind in KINDS]


def ignores(scene: Scene, a: int, b: int) -> bool:
    """Say whether a pair is ignored, in another way than the scene does."""

    def covers(pattern: str, element: int) -> bool:
        name = scene.element_name(element)
        literal = pattern.replace("[", "[[]")
        return fnmatchcase(name, literal) or fnmatchcase(name.partition("[")[0], literal)

    return any((covers(p, a) and covers(q, b)) or (covers(p, b) and covers(q, a)) for p, q in scene.ignored)


def partners(scene: Scene, own: int | None = None, without: tuple[str, ...] = ()) -> list[int]:
    """Return the elements that a shape has to do with, one by one."""
    gone = {n for name in (*scene.hidden, *without) for n in scene.element_numbers(name)} - {own}
    if own is not None and any(own in scene.element_numbers(name) for name in scene.hidden):
        return []
    return [
        e for e in range(scene.element_count)
        if e not in gone and e != own and (own is None or not ignores(scene, own, e))
    ]  # fmt: skip


def askers(scene: Scene, rng: np.random.Generator) -> Iterator[tuple[str | Shape, Shape, int | None]]:
    """Yield what is asked for, the shape, and its number if it has one."""
    for name in ("ball", "balls[1]", "rods[2]", "boxes[0,1]", "axis", "dot", "rod"):
        yield name, scene[name], scene.element_numbers(name)[0]
    for shape in strangers(rng):
        yield shape, shape, None


@pytest.mark.parametrize("without", [(), LEFT_OUT])
def test_the_nearest_is_that_of_asking_every_element(without: tuple[str, ...]) -> None:
    for scene in scenes():
        rng = np.random.default_rng(1)
        for asked, shape, number in askers(scene, rng):
            others = partners(scene, number, without)
            found = scene.nearest(asked, without=without)
            if not others:
                assert found is None
                continue
            distances = [float(signed_distance(shape, scene.element(e))) for e in others]
            assert found is not None
            assert found.element == others[int(np.argmin(distances))]
            assert found.name == scene.element_name(found.element)
            assert float(found.points.signed_distance) == min(distances)


def test_the_nearest_is_found_far_away_and_past_a_corner() -> None:
    """In the first box that is looked at there may be nothing, or something in a corner that is not the nearest."""
    rng = np.random.default_rng(6)
    points = rng.uniform(0, 10, (2 * SORT_THRESHOLD, 3))
    scene = Scene({"points": Point(points)})
    for place in rng.uniform(-10, 20, (100, 3)):
        found = scene.nearest(Point(place))
        assert found is not None
        assert found.element == int(np.argmin(np.linalg.norm(points - place, axis=1)))
    assert scene.nearest(Point([0, 0, 0]), without="points") is None


@pytest.mark.parametrize("margin", [0.0, 0.8])
def test_the_contacts_of_a_shape_are_those_of_asking_every_element(margin: float) -> None:
    met = 0
    for scene in scenes():
        for shape in strangers(np.random.default_rng(2)):
            singles = {e: contact(shape, scene.element(e), margin=margin) for e in partners(scene)}
            wanted = {e: record for e, record in singles.items() if record.touching}
            found = scene.contacts(of=shape, margin=margin)
            assert found.pairs.tolist() == [[-1, e] for e in wanted]
            for field in ("signed_distance", "point", "normal", "on_a", "on_b", "depth"):
                assert np.array_equal(getattr(found, field), [getattr(r, field) for r in wanted.values()] or
                                      getattr(found, field)[:0])  # fmt: skip
            met += len(found)
        whole = scene.contacts(margin=margin)
        for name in ("ball", "rods", "boxes[0,1]"):
            rows = np.isin(whole.pairs, scene.element_numbers(name)).any(axis=1)
            assert scene.contacts(of=name, margin=margin).pairs.tolist() == whole.pairs[rows].tolist()
    assert met > 100


@pytest.mark.parametrize("without", [(), LEFT_OUT])
def test_the_first_touch_is_that_of_sweeping_against_every_element(without: tuple[str, ...]) -> None:
    hits = asked_for = at_once = 0
    for scene in scenes():
        rng = np.random.default_rng(3)
        for asked, shape, number in askers(scene, rng):
            way = rng.normal(scale=rng.choice([0.3, 4.0]), size=3)
            others = partners(scene, number, without)
            records = [sweep(shape, scene.element(e), motion=way) for e in others]
            fractions = np.array([float(r.fraction) for r in records])
            found = scene.sweep(asked, motion=way, without=without)
            asked_for += 1
            if not np.isfinite(fractions).any():
                assert (found.element, found.name) == (-1, "")
                assert np.isnan([found.fraction, *found.point, *found.normal]).all()
                continue
            hits += 1
            first = int(np.nanargmin(fractions))
            at_once += fractions[first] == 0.0
            assert (found.element, found.name) == (others[first], scene.element_name(others[first]))
            assert found.fraction == fractions[first]
            assert np.array_equal(found.point, records[first].point)
            assert np.array_equal(found.normal, records[first].normal)
    assert 0.3 < hits / asked_for < 0.95
    assert 0.1 < at_once / hits < 0.9


def test_rays_pass_what_is_left_out() -> None:
    changed = 0
    for scene in scenes():
        rng = np.random.default_rng(4)
        rays = Ray(rng.uniform(-2, 6, (30, 3)), rng.normal(size=(30, 3)))
        found, others = scene.raycast(rays, without=LEFT_OUT), partners(scene, None, LEFT_OUT)
        enters = np.stack([raycast(rays, scene.element(e)).enter for e in others], axis=1)
        enters = np.where(np.isnan(enters), np.inf, enters)
        best = np.where(np.isfinite(enters.min(axis=1)), np.array(others)[enters.argmin(axis=1)], -1)
        assert found.element.tolist() == best.tolist()
        assert np.array_equal(found.enter, np.where(best >= 0, enters.min(axis=1), np.nan), equal_nan=True)
        changed += int(np.sum(found.element != scene.raycast(rays).element))
    assert changed > 5


def test_the_shooter_leaves_itself_out() -> None:
    scene = Scene({"gun": Sphere([0, 0, 0], 1), "target": Sphere([5, 0, 0], 1)})
    ray = Ray([0, 0, 0], [1, 0, 0])
    assert scene.raycast(ray).name == "gun"
    assert scene.raycast(ray, without="gun").name == "target"
    assert scene.raycast(ray, without=["gun", "target"]).name == ""
    assert scene.nearest("gun", without="target") is None
    assert scene.nearest("gun", without=["gun"]).name == "target"  # it is none of its own neighbours anyway
    assert scene.raycast(ray).name == "gun"


def test_what_is_hidden_asks_for_nothing() -> None:
    scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([3, 0, 0], 1)}, hidden=["a"])
    assert scene.nearest("a") is None
    assert scene.sweep("a", motion=[5, 0, 0]).element == -1
    assert scene.nearest(Point([0, 0, 0])).name == "b"


def test_of_several_touches_at_once_the_first_in_the_scene_wins() -> None:
    wall = AABB([3, -5, -5], [4, 5, 5])
    for names in (("x", "y"), ("y", "x")):
        scene = Scene({names[0]: wall, names[1]: wall})
        assert scene.sweep(Sphere([0, 0, 0], 1), motion=[8, 0, 0]).name == names[0]


def test_extreme_motions_lose_nothing() -> None:
    scene = Scene(
        {"wall": AABB([1e6, -1, -1], [2e6, 1, 1]), **{f"far {i}": Point([0, 9.0, i]) for i in range(SORT_THRESHOLD)}}
    )
    assert scene.sweep(Point([0, 0, 0]), motion=[1e9, 0, 0]).name == "wall"
    for huge in (1e308, -1e308):
        scene.sweep(Point([huge, 0, 0]), motion=[huge, huge, 0])
        scene.nearest(Point([huge, huge, 0]))
        scene.contacts(of=Sphere([huge, 0, 0], 1e308), margin=1e308)


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (
            lambda s: s.nearest_element(s["balls"]),
            ValueError,
            "takes a single shape, got a batch of 10",
        ),
        (lambda s: s.nearest_element("balls"), ValueError, r": 'balls' is a batch of 10 .* 'balls\[0\]'"),
        (lambda s: s.nearest("balls", k=0), ValueError, "^nearest: k must be at least one, got 0$"),
        (lambda s: s.nearest("balls", k=1.5), TypeError, "^nearest: k must be a whole number, got 1.5$"),
        (
            lambda s: s.sweep("balls", motion=np.ones((3, 3))),
            ValueError,
            r"broadcast together: shape \(10,\), motion \(3",
        ),
        (lambda s: s.contacts_with({}), TypeError, "^contacts_with takes a Scene, got dict$"),
        (lambda s: touching_intervals({}), TypeError, "^touching_intervals takes a Scene, got dict$"),
        (lambda s: why({}, "ball", "post"), TypeError, "^why takes a Scene, got dict$"),
        (lambda s: candidate_pairs({}), TypeError, "^candidate_pairs takes a Scene, got dict$"),
        (lambda s: s.raycast(Ray([0, 0, 0], [1, 0, 0]), any_hit="no"), TypeError, "any_hit must be .*, got 'no'$"),
        (lambda s: s.sweep("bal", motion=[1, 0, 0]), KeyError, "no shape named 'bal'"),
        (lambda s: s.sweep("ball", motion=[1, 0]), ValueError, r"^Scene\.sweep\.motion must be an array of shape"),
        (lambda s: s.contacts(of="bal"), KeyError, "no shape named 'bal'"),
        (lambda s: s.nearest("ball", without="bal"), KeyError, "no shape named 'bal'"),
        (lambda s: s.nearest("ball", without=3), TypeError, "^without must be a name or names, got int$"),
        (lambda s: s.raycast(Ray([0, 0, 0], [1, 0, 0]), without=["bal"]), KeyError, "no shape named 'bal'"),
    ],
)
def test_mistakes_are_named(ask: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ask(make(30, 0))


def test_all_names_are_listed() -> None:
    scene = make(30, 0)
    assert list(scene.element_names) == [scene.element_name(e) for e in range(scene.element_count)]
    assert Scene().element_names == ()
    assert all(re.fullmatch(r"\w+(\[[\d,]+\])?", name) for name in scene.element_names)
