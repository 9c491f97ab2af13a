"""Many questions to a scene at once: the answers are those of asking every element, and of asking one by one."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    HalfSpace,
    Line,
    Point,
    Ray,
    Scene,
    Shape,
    Sphere,
    Transform,
    closest_points,
    contact,
    signed_distance,
    sweep,
)
from collision.base.fields import BoolArray, FloatArray
from collision.broadphase.tree import SORT_THRESHOLD
from collision.shapes.kinds import KINDS
from tests.crowds import crowd, crowds, places, shapes, shown
from tests.slow import some

WITHOUT = ("ball", "Sphere[2]")

#: Entries of `crowds` to ask for: bounded and not, with hidden elements and ignored pairs.
ENTRIES = ("Point", "Capsule", "AABB", "OrientedBox", "Line", "HalfSpace", "Sphere")


def strangers(scene: Scene, rng: np.random.Generator, count: int, title: str) -> Iterator[Shape]:
    """Yield batches of every kind that are not in a scene, in and around it."""
    for kind in KINDS:
        middle, size = places(title.split(maxsplit=1)[0], rng, count)
        yield shapes(kind, middle + rng.normal(0.0, 0.5, (count, 3)), size, rng)


def table(scene: Scene, ask: Any, batch: Shape) -> FloatArray:
    """Return what a query says of each shape of a flat batch and each element, (n, elements)."""
    return np.stack([np.asarray(ask(batch, scene.element(e))) for e in range(scene.element_count)], axis=1)


def allowed(scene: Scene, own: range | None, without: tuple[str, ...], count: int) -> BoolArray:
    """Tell which elements each asker may have to do with, in another way than the scene does."""
    mask = np.zeros((count, scene.element_count), dtype=bool)
    mask[:, shown(scene, without)] = True
    if own is None:
        return mask
    names = [(name, name.partition("[")[0]) for name in scene.element_names]

    def covers(pattern: str, element: int) -> bool:
        return any(fnmatchcase(name, pattern.replace("[", "[[]")) for name in names[element])

    hidden = {number for name in scene.hidden for number in scene.element_numbers(name)}
    for row, number in enumerate(own):
        mask[row, number] = False
        mask[row] &= number not in hidden
        if isinstance(scene.element(number), HalfSpace):
            mask[row] &= [not isinstance(scene.element(e), HalfSpace) for e in range(scene.element_count)]
        for a, b in scene.ignored:
            for one, other in ((a, b), (b, a)):
                if covers(one, number):
                    mask[row] &= ~np.array([covers(other, e) for e in range(scene.element_count)])
    return mask


def order_of(gaps: FloatArray, mask: BoolArray) -> tuple[Any, FloatArray]:
    """Return the elements that may be, by distance and then by number, -1 and NaN after the last."""
    number = np.argsort(np.where(mask, gaps, np.inf), axis=1, kind="stable")
    gap = np.take_along_axis(gaps, number, axis=1)
    held = np.take_along_axis(mask, number, axis=1)
    return np.where(held, number, -1), np.where(held, gap, np.nan)


def assert_points(scene: Scene, found: Any, batch: Shape, rows: Iterable[int]) -> None:
    """Compare names and points with those of the single elements."""
    for index in np.ndindex(found.element.shape):
        if index[0] not in rows:
            continue
        element = int(found.element[index])
        mine = [part[index] for part in found.points]
        if element < 0:
            assert found.name[index] == ""
            assert all(np.isnan(part).all() for part in mine)
            continue
        assert found.name[index] == scene.element_name(element)
        for part, wanted in zip(mine, closest_points(batch[index[0]], scene.element(element)), strict=True):
            np.testing.assert_array_equal(part, wanted)


def test_the_nearest_to_many_are_those_of_asking_every_element() -> None:
    rng, deep, equal = np.random.default_rng(0), 0, 0
    for title, scene in some(2, crowds(0)):
        askers: list[tuple[Any, Shape, range | None]] = [(b, b, None) for b in strangers(scene, rng, 5, title)]
        askers += [(name, scene[name], scene.element_numbers(name)) for name in ENTRIES]
        for asked, batch, own in askers:
            gaps = table(scene, signed_distance, batch)
            for without in ((), WITHOUT):
                number, gap = order_of(gaps, allowed(scene, own, without, len(batch)))
                found = scene.nearest(asked, without=without)
                assert found is not None
                assert found.element.shape == (len(batch),), title
                np.testing.assert_array_equal(found.element, number[:, 0])
                np.testing.assert_array_equal(found.signed_distance, gap[:, 0])
                several = scene.nearest(asked, k=4, without=without)
                assert several is not None
                np.testing.assert_array_equal(several.element, number[:, :4])
                np.testing.assert_array_equal(several.signed_distance, gap[:, :4])
                assert_points(scene, found, batch, range(0, len(batch), 3)) if without else None
                deep += int(np.sum(gap[:, 0] < 0.0))
                equal += int(np.sum(gap[:, 0] == gap[:, 1]))
    assert deep > 70
    assert equal > 25  # ties, which go to the lowest number


def test_as_many_as_there_are_and_no_more_are_nearest() -> None:
    rng = np.random.default_rng(3)
    scene = crowd("even", 36, 3)
    batch = Sphere(rng.uniform(0, 5, (4, 3)), 0.2)
    number, gap = order_of(table(scene, signed_distance, batch), allowed(scene, None, (), 4))
    found = scene.nearest(batch, k=scene.element_count + 3)
    assert found is not None
    none = np.full((4, 3), -1)
    np.testing.assert_array_equal(found.element, np.concatenate([number, none], axis=1))
    np.testing.assert_array_equal(found.signed_distance, np.concatenate([gap, none * np.nan], axis=1))
    assert_points(scene, found, batch, range(4))
    np.testing.assert_array_equal(found.on_a, found.points.on_a)
    np.testing.assert_array_equal(found.normal, found.points.normal)
    one = scene.nearest(batch[2], k=2)
    assert one is not None
    assert one.element.tolist() == number[2, :2].tolist()
    assert one.on_b.shape == (2, 3)
    assert one.name.tolist() == [scene.element_name(e) for e in number[2, :2].tolist()]


def test_many_are_answered_as_each_alone() -> None:
    rng, near, swept = np.random.default_rng(4), 0, 0
    for title, scene in crowds(4):
        for batch in strangers(scene, rng, 4, title):
            way = rng.normal(0.0, 2.0, (4, 3))
            found, hit = scene.nearest(batch), scene.sweep(batch, motion=way)
            contacts = scene.contacts(of=batch, margin=0.2)
            assert found is not None
            for row in range(4):
                alone = scene.nearest(batch[row])
                assert alone is not None
                assert (alone.element, alone.name) == (found.element[row], found.name[row])
                assert alone.signed_distance == found.signed_distance[row]
                for mine, part in zip(alone.points, found.points, strict=True):
                    np.testing.assert_array_equal(mine, part[row])
                for mine, part in zip(scene.sweep(batch[row], motion=way[row]), hit, strict=True):
                    np.testing.assert_array_equal(mine, part[row])
                single = scene.contacts(of=batch[row], margin=0.2)
                rows = contacts.pairs[:, 0] == row
                assert single.pairs[:, 1].tolist() == contacts.pairs[rows, 1].tolist()
                for mine, part in zip(single._parts()[1:], contacts._parts()[1:], strict=True):
                    np.testing.assert_array_equal(mine, part[rows])
                near += len(single)
            swept += int(hit.hit.sum())
    assert near > 250
    assert swept > 100


@pytest.mark.parametrize("margin", [0.0, 0.4])
def test_the_contacts_of_many_are_those_of_asking_every_element(margin: float) -> None:
    rng, met = np.random.default_rng(5), 0
    for title, scene in crowds(5):
        for batch in strangers(scene, rng, 5, title):
            every = [contact(batch, scene.element(e), margin=margin) for e in range(scene.element_count)]
            touching = np.stack([record.touching for record in every], axis=1) & allowed(scene, None, (), 5)
            wanted = np.argwhere(touching)
            found = scene.contacts(of=batch, margin=margin)
            assert found.pairs.tolist() == wanted.tolist(), title
            for part in ("signed_distance", "point", "normal", "on_a", "on_b", "depth"):
                values = [getattr(every[e], part)[row] for row, e in wanted.tolist()]
                expected = np.array(values).reshape(getattr(found, part).shape)
                np.testing.assert_array_equal(getattr(found, part), expected)
            if not margin:
                assert scene.pairs_of(batch).tolist() == wanted.tolist()
            met += len(found)
    assert met > 150


def test_the_first_touches_of_many_are_those_of_sweeping_against_every_element() -> None:
    rng, hits, missed, at_once = np.random.default_rng(6), 0, 0, 0
    for title, scene in some(2, crowds(6)):
        askers: list[tuple[Any, Shape, range | None]] = [(b, b, None) for b in strangers(scene, rng, 5, title)]
        askers += [(name, scene[name], scene.element_numbers(name)) for name in ENTRIES]
        for asked, batch, own in askers:
            way = rng.normal(size=(len(batch), 3)) * rng.choice([0.0, 0.3, 3.0], (len(batch), 3))
            every = [sweep(batch, scene.element(e), motion=way) for e in range(scene.element_count)]
            fraction = np.stack([record.fraction for record in every], axis=1)
            mask = allowed(scene, own, WITHOUT, len(batch)) & ~np.isnan(fraction)
            number, first = (values[:, 0] for values in order_of(fraction, mask))
            found = scene.sweep(asked, motion=way, without=WITHOUT)
            np.testing.assert_array_equal(found.element, number, title)
            np.testing.assert_array_equal(found.fraction, first)
            np.testing.assert_array_equal(found.hit, number >= 0)
            for row, element in enumerate(number.tolist()):
                none = np.full(3, np.nan)
                point, normal = (
                    (every[element].point[row], every[element].normal[row]) if element >= 0 else (none, none)
                )
                np.testing.assert_array_equal(found.point[row], point)
                np.testing.assert_array_equal(found.normal[row], normal)
                assert found.name[row] == (scene.element_name(element) if element >= 0 else "")
            hits, missed, at_once = hits + found.hit.sum(), missed + (~found.hit).sum(), at_once + (first == 0.0).sum()
    assert missed > 50
    assert hits - at_once > 30
    assert at_once > 70


@pytest.mark.parametrize("margin", [0.0, 0.4])
def test_the_contacts_of_two_scenes_are_those_of_asking_each_with_each(margin: float) -> None:
    met = 0
    others = [scene for _, scene in crowds(8)]
    for (title, one), other in zip(crowds(7), others, strict=True):
        found = one.contacts_with(other, margin=margin)
        pairs: list[list[int]] = []
        for i in shown(one):
            batches = [(other.element_numbers(name)[0], contact(one.element(i), other[name], margin=margin))
                       for name in other if {type(one.element(i)), type(other[name])} != {HalfSpace}]  # fmt: skip
            touching = [start + j for start, record in batches for j in np.flatnonzero(record.touching).tolist()]
            pairs += [[i, j] for j in sorted(set(touching) & set(shown(other)))]
        assert found.pairs.tolist() == pairs, title
        for row in np.linspace(0, len(pairs) - 1, min(len(pairs), 10)).astype(int).tolist():
            record = contact(one.element(pairs[row][0]), other.element(pairs[row][1]))
            for part in ("signed_distance", "point", "normal", "on_a", "on_b"):
                np.testing.assert_array_equal(getattr(found, part)[row], getattr(record, part))
        met += len(pairs)
    assert met > 500


def test_batches_of_several_axes_and_of_none_are_answered_in_their_axes() -> None:
    rng = np.random.default_rng(9)
    scene = crowd("even", 3 * SORT_THRESHOLD, 9)
    grid = Sphere(rng.uniform(0, 9, (2, 3, 1, 3)), [[0.1], [0.2], [0.3]])
    flat = grid.flattened()
    found, each = scene.nearest(grid), scene.nearest(flat)
    assert found is not None
    assert each is not None
    assert found.element.shape == found.name.shape == found.signed_distance.shape == (2, 3, 1)
    assert found.points.on_a.shape == found.normal.shape == (2, 3, 1, 3)
    assert found.element.ravel().tolist() == each.element.tolist()
    np.testing.assert_array_equal(found.on_b.reshape(-1, 3), each.on_b)
    several = scene.nearest(grid, k=2)
    assert several is not None
    assert several.element.shape == several.name.shape == (2, 3, 1, 2)
    assert several.normal.shape == (2, 3, 1, 2, 3)
    assert scene.contacts(of=grid, margin=0.3).pairs.tolist() == scene.contacts(of=flat, margin=0.3).pairs.tolist()
    ways = rng.normal(0.0, 3.0, (3, 4, 3))
    hits = scene.sweep(grid, motion=ways)
    assert hits.element.shape == hits.fraction.shape == (2, 3, 4)
    for index in np.ndindex(2, 3, 4):
        alone = scene.sweep(grid[index[0], index[1], 0], motion=ways[index[1:]])
        assert (hits.element[index], hits.name[index]) == (alone.element, alone.name)
        np.testing.assert_array_equal(hits.fraction[index], alone.fraction)
    for empty in (Sphere(np.empty((0, 3)), 1), Line(np.empty((2, 0, 3)), [1, 0, 0])):
        lead = empty.batch_shape
        nothing = scene.nearest(empty)
        assert nothing is not None
        assert nothing.element.shape == lead
        assert nothing.points.normal.shape == (*lead, 3)
        assert len(scene.contacts(of=empty)) == 0
        assert scene.sweep(empty, motion=[1, 0, 0]).point.shape == (*lead, 3)


def test_scenes_of_nothing_answer_for_many() -> None:
    points = Point([[0, 0, 0], [1, 0, 0]])
    for scene in (Scene(), Scene({"none": Sphere(np.empty((0, 3)), 1)}), Scene({"a": Point([0, 0, 0])}, hidden=["a"])):
        found = scene.nearest(points, k=2)
        assert found is not None
        assert found.element.tolist() == [[-1, -1], [-1, -1]]
        assert found.name.tolist() == [["", ""], ["", ""]]
        assert np.isnan([found.signed_distance]).all()
        assert np.isnan(found.on_a).all()
        assert scene.nearest(Point([0, 0, 0])) is None
        assert scene.nearest(Line([0, 0, 0], [1, 0, 0])) is None
        assert len(scene.contacts(of=points)) == len(scene.contacts_with(scene)) == 0
        assert not scene.sweep(points, motion=[1, 0, 0]).hit.any()
        for name in scene:
            own = scene.nearest(name)
            assert own is None or set(own.element.tolist()) <= {-1}


def test_one_element_is_the_nearest_to_all_but_itself() -> None:
    scene = Scene({"ball": Sphere([[0, 0, 0]], 1)})
    found, own = scene.nearest(Point([[3, 0, 0], [0.5, 0, 0]])), scene.nearest("ball")
    assert found is not None
    assert own is not None
    assert found.signed_distance.tolist() == [2.0, -0.5]
    assert own.element.tolist() == [-1]
    assert scene.contacts_with(scene).pairs.tolist() == [[0, 0]]


def test_a_long_motion_through_many_finds_the_first() -> None:
    """A wall behind a crowd: the boxes on the way are those that the mover comes by, not all around its way."""
    rng = np.random.default_rng(11)
    crowd_of_balls = Sphere(rng.uniform(-50, 50, (2000, 3)) * [1, 1, 0] + [0, 0, 5], 0.5)
    scene = Scene({"balls": crowd_of_balls, "wall": AABB([60, -99, -99], [61, 99, 99])})
    starts = rng.uniform(-50, 50, (50, 3)) * [0, 1, 0] + [-60, 0, 0]
    hits = scene.sweep(Sphere(starts, 1), motion=[1000, 0, 0])
    assert set(hits.name) == {"wall"}
    np.testing.assert_allclose(hits.fraction, 0.119, rtol=1e-12)


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda found: pickle.loads(pickle.dumps(found))])
def test_answers_can_be_copied_and_pickled(again: Any) -> None:
    scene = crowd("even", 36, 3)
    for options in ({}, {"k": 2}):
        for asked in ("ball", "Sphere"):
            found = scene.nearest(asked, **options)
            copied = again(scene.nearest(asked, **options))
            for part in ("element", "name", "signed_distance", "on_a", "on_b", "normal"):
                np.testing.assert_array_equal(getattr(copied, part), getattr(found, part))
    hits = scene.raycast_all(Ray(scene.element(0).bounds().center, [1, 0.1, 0]))
    assert len(hits) > 0
    assert again(hits).name.tolist() == hits.name.tolist()


def test_what_is_no_shape_and_no_name_is_refused() -> None:
    scene: Any = crowd("even", 36, 3)
    for ask in (scene.nearest, scene.pairs_of, lambda given: scene.contacts(of=given)):
        for given, word in (([0, 0, 0], "list"), (3, "int"), (scene, "Scene")):
            with pytest.raises(TypeError, match=f"^a shape is given by its name .*, got {word}$"):
                ask(given)
    with pytest.raises(TypeError, match="or a placement at the end, got neither"):
        scene.sweep("ball")
    with pytest.raises(TypeError, match="or a placement at the end, got both"):
        scene.sweep("ball", motion=[1, 0, 0], end=Transform())
