"""All pairs of a scene in one call: the same as found step by step, for scenes of all kinds, and as plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    intersects,
)
from collision.base.fields import FloatArray, IntArray
from collision.broadphase import search
from collision.broadphase.tree import SORT_THRESHOLD
from collision.scene import pairs as scene_pairs
from collision.scene import world
from collision.scene.elements import Elements
from collision.scene.pairs import ONE_CALL

#: From a scene without a pair over both sides of where boxes are sorted, and where there is a tree, to several levels.
COUNTS = (1, 2, 9, SORT_THRESHOLD, SORT_THRESHOLD + 1, search.TREE_THRESHOLD, search.TREE_THRESHOLD + 1, 600)


def mixed(count: int, seed: int = 0, spread: float = 1.2) -> dict[str, Shape]:
    """Return batches of all kinds that have an end, single shapes, a grid, and a batch with one radius for all."""
    rng = np.random.default_rng(seed)

    def places(*lead: int) -> Any:
        return rng.uniform(0.0, spread * max(count, 2) ** (1 / 3), (*lead, 3))

    n = max(count // 6, 1)
    quaternions, corner = rng.normal(size=(n, 4)), places(n)
    shapes: dict[str, Shape] = {
        "balls": Sphere(places(n), 0.4),
        "capsules": Capsule(start := places(n), start + rng.normal(size=(n, 3)) * 0.4, rng.uniform(0.1, 0.3, n)),
        "boxes": OrientedBox(places(n), quaternions, rng.uniform(0.1, 0.4, (n, 3))),
        "walls": AABB(corner, corner + rng.uniform(0.1, 0.9, (n, 3))),
        "points": Point(places(1 + n // 3, 2)),
        "one": Sphere(places(), 0.5),
        "sticks": Segment(start := places(n), start + rng.normal(size=(n, 3))),
        "dust": Point(places(count)),  # as many as are left
    }
    kept, total = {}, 0
    for name, shape in shapes.items():
        rest = count - total
        if rest > 0:
            kept[name] = shape if (size := int(np.prod(shape.batch_shape))) <= rest else shape.flattened()[:rest]
            total += min(size, rest)
    assert total == count
    return kept


def every_touching(shapes: dict[str, Shape]) -> IntArray:
    """Return the touching pairs of all, compared each with each."""
    singles = [one for shape in shapes.values() for one in (shape.flattened() if shape.batch_shape else [shape])]
    found = [(i, j) for j, b in enumerate(singles) for i, a in enumerate(singles[:j]) if intersects(a, b)]
    return np.array(sorted(found), dtype=np.int64).reshape(-1, 2)


@pytest.mark.parametrize("count", COUNTS)
def test_pairs_are_those_of_the_way_in_steps(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = mixed(count, count)
    pairs = Scene(shapes).colliding_pairs()
    monkeypatch.setattr(scene_pairs, "ONE_CALL", 0)
    stepwise = Scene(shapes).colliding_pairs()
    assert pairs.dtype == stepwise.dtype
    assert np.array_equal(pairs, stepwise)
    if count <= search.TREE_THRESHOLD + 1:
        assert np.array_equal(pairs, every_touching(shapes))
    if count > 9:
        assert len(pairs) > count // 10


@pytest.mark.parametrize("single", [True, False])
def test_many_entries_are_answered_as_few(single: bool) -> None:
    shapes = mixed(60, 3)
    many = {
        f"{name} {k}": one if single else one.flattened()
        for name, shape in shapes.items()
        for k, one in enumerate(shape.flattened() if shape.batch_shape else [shape])
    }
    assert len(many) > 50
    assert np.array_equal(Scene(many).colliding_pairs(), Scene(shapes).colliding_pairs())


@pytest.mark.parametrize("count", [SORT_THRESHOLD, 700])
def test_a_heap_has_more_pairs_than_there_is_room_for_at_first(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    heap = Scene({"heap": Sphere(np.random.default_rng(4).normal(0.0, 0.1, (count, 3)), 1.0)})
    assert np.array_equal(heap.colliding_pairs(), np.argwhere(np.triu(np.ones((count, count)), 1)))
    monkeypatch.setattr(search, "_EACH", 1 << 50)
    with pytest.raises(MemoryError, match="pairs of shapes whose bounds overlap"):
        Scene(heap.shapes).colliding_pairs()


def test_many_that_nearly_all_overlap_go_in_steps_which_take_several_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    heap = Scene({"heap": Sphere(np.random.default_rng(5).uniform(0.0, 6.0, (300, 3)), 1.0)})
    pairs = heap.colliding_pairs()
    assert len(pairs) > 3 * 300
    monkeypatch.setattr(scene_pairs, "_CANDIDATES", 3 * 300)
    assert scene_pairs.touching_in_one_call(heap.shapes.values(), Elements(heap.shapes).starts) is None
    assert np.array_equal(Scene(heap.shapes).colliding_pairs(), pairs)


def test_ignored_pairs_are_left_out_of_what_one_call_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world, "hierarchy_of", lambda elements: pytest.fail("it was to be one call"))
    balls = Sphere([[0, 0, 0], [1, 0, 0], [5, 0, 0]], 1)
    assert Scene({"balls": balls}, ignored=[("balls[0]", "balls[1]")]).colliding_pairs().tolist() == []
    shapes = mixed(200, 7, spread=0.8)
    every = Scene(shapes).colliding_pairs()
    for ignored in ([("balls", "*")], [("balls", "balls"), ("one", "boxes")], [("capsules[1*", "*")]):
        scene = Scene(shapes, ignored=ignored)
        kept = every[[bool(scene.tested(a, b)[0]) for a, b in every[:, :, None]]]
        assert np.array_equal(scene.colliding_pairs(), kept)
        assert len(kept) < len(every)


def endless(rng: np.random.Generator, reach: float) -> dict[str, Shape]:
    """Return walls, of which two overlap for ever, and rays and lines, some of them level with others."""
    normals = np.concatenate([np.eye(3), rng.normal(size=(2, 3))])
    return {
        "walls": HalfSpace(0.3 * reach * np.abs(normals), -normals),
        "rays": Ray(rng.uniform(0.0, reach, (4, 3)), rng.normal(size=(4, 3))),
        "lines": Line(rng.uniform(0.0, reach, (3, 3)), [[1, 0, 0], [1, 0, 0], [0.2, 1, 0.1]]),
        "floor": HalfSpace([0, 0, 0.2], [0, 0, 1]),
        "ray": Ray([0, 0, 0.2], [1, 0, 0]),
    }


def mixed_with_endless(count: int, seed: int) -> dict[str, Shape]:
    """Return shapes of all kinds, those without end before and behind the others."""
    every = endless(np.random.default_rng(seed), 1.2 * max(count, 8) ** (1 / 3))
    first = {name: every.pop(name) for name in ("walls", "rays")}
    return first | (mixed(count, seed) if count else {}) | every


@pytest.mark.parametrize("count", [0, 1, 40, search.TREE_THRESHOLD - 14, search.TREE_THRESHOLD - 13, 500])
def test_what_has_no_end_is_answered_in_the_same_call(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = mixed_with_endless(count, count)
    elements = Elements(shapes)
    pairs = Scene(shapes).colliding_pairs()
    if count <= 40:
        walls = {n for name in ("walls", "floor") for n in elements.numbers(name)}
        assert pairs.tolist() == [pair for pair in every_touching(shapes).tolist() if not {*pair} <= walls]
    monkeypatch.setattr(scene_pairs, "ONE_CALL", 0)
    assert np.array_equal(pairs, Scene(shapes).colliding_pairs())
    assert len(pairs) > max(count // 10, 4)


def test_two_walls_never_touch_in_a_scene() -> None:
    walls = {"a": HalfSpace([0, 0, 0], [0, 0, 1]), "b": HalfSpace([0, 0, 1], [0, 0, 1])}
    assert Scene(walls).colliding_pairs().tolist() == []
    assert Scene({**walls, "ball": Sphere([0, 0, 1], 1)}).colliding_pairs().tolist() == [[0, 2], [1, 2]]


def test_very_many_go_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scene_pairs.SCENE_TOUCHING, "run", lambda *given: pytest.fail("it was to go in steps"))
    places = 9.0 * np.arange(ONE_CALL + 1)[:, None] * [1, 0, 0]
    assert len(Scene({"many": Sphere(places, 1)}).colliding_pairs()) == 0


@pytest.mark.parametrize("count", [7, 30, search.TREE_THRESHOLD + 1])
def test_as_plain_python_it_comes_to_the_same_within_its_memory(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run all of it as Python, where an index past the end is an error, from the same arguments."""
    shapes = mixed_with_endless(count, 5)
    batches, starts = [shape.flattened() for shape in shapes.values()], Elements(shapes).starts
    tables, types = [table_of(shape) for shape in batches], [int(shape.core_type) for shape in batches]
    strides = [strides_of(shape) for shape in batches]
    count, capacity = starts[-1], 6000
    memory = np.empty(scene_pairs.memory_size(count, capacity))
    found = np.empty(2 * capacity, dtype=np.int64)
    no_corners = [0] * len(batches), np.empty(0)
    given = types, starts, tables, strides, *no_corners, memory, scene_pairs.HILBERT.reshape(-1), found
    with np.errstate(invalid="ignore"):  # infinite times zero
        total = scene_pairs._scene(count, capacity, *given)
    pairs = scene_pairs.touching_in_one_call(shapes.values(), starts)
    assert pairs is not None
    assert np.array_equal(found[: 2 * total].reshape(-1, 2), pairs)
    assert len(pairs) > 1


@pytest.mark.parametrize("seed", range(3))
def test_pairs_of_one_that_moved_are_those_of_a_new_scene(seed: int) -> None:
    """Of every kind some are moved: by nothing too, on to others before and after them, and to where none is."""
    scene = Scene(mixed(3 * SORT_THRESHOLD, seed))
    found = 0
    for number in range(seed, scene.element_count, 5):
        name = scene.element_name(number)
        for offset in ([0, 0, 0], [0.6, -0.3, 0.2], [1e3, 0, 0]):
            moved = scene.moved(name, offset) if any(offset) else scene
            every = Scene(moved.shapes).colliding_pairs()
            assert np.array_equal(moved.pairs_of(name), every[(every == number).any(axis=1)])
            found += len(moved.pairs_of(name))
        scene = scene if seed else Scene(moved.shapes)
    assert found > 50


def test_one_that_touches_very_many() -> None:
    shapes = {"dust": Point(np.random.default_rng(6).uniform(-1, 1, (900, 3))), "cloud": Sphere([9, 0, 0], 2)}
    scene = Scene(shapes).moved("cloud", [-9, 0, 0])
    assert scene.pairs_of("cloud").tolist() == [[k, 900] for k in range(900)]


def test_one_among_others_that_changed_or_are_hidden_or_ignored() -> None:
    row = Scene({"row": Sphere(np.arange(2 * SORT_THRESHOLD)[:, None] * [1.5, 0, 0], 1)})
    both = row.moved("row[3]", [0, 9, 0]).moved("row[4]", [0, 9, 0])
    assert both.pairs_of("row[4]").tolist() == [[3, 4]]
    assert row.replaced(hidden=["row[3]"]).pairs_of("row[4]").tolist() == [[4, 5]]
    assert row.replaced(ignored=[("row[3]", "row[4]")]).pairs_of("row[4]").tolist() == [[4, 5]]
    floor = row.replaced(shapes={**row.shapes, "floor": HalfSpace([0, 0, -1], [0, 0, 1])})
    assert floor.pairs_of("row[0]").tolist() == [[0, 1], [0, 2 * SORT_THRESHOLD]]


def table_of(shape: Shape) -> list[FloatArray]:
    values = shape.values()
    return [np.asarray(values[v] if isinstance(v, str) else v, dtype=float).reshape(-1) for v in shape._operands]


def strides_of(shape: Shape) -> list[int]:
    return [*shape.operands[1]]
