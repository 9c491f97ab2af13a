"""All pairs of a scene in one call: the same as found step by step, for scenes of all kinds, and as plain Python."""

from __future__ import annotations

import ctypes
import weakref
from itertools import pairwise
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
from collision.base.fields import IntArray
from collision.broadphase import few, search
from collision.broadphase.hierarchy import FEW
from collision.scene import at_once, world
from collision.scene.at_once import MOST, touching_at_once
from collision.scene.elements import Elements

#: From a scene without a pair over both sides of where boxes are sorted, and where there is a tree, to several levels.
COUNTS = (1, 2, 9, FEW, FEW + 1, few.FEW, few.FEW + 1, 600)


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
    monkeypatch.setattr(world, "touching_at_once", lambda elements: None)
    stepwise = Scene(shapes).colliding_pairs()
    assert pairs.dtype == stepwise.dtype
    assert np.array_equal(pairs, stepwise)
    if count <= few.FEW + 1:
        assert np.array_equal(pairs, every_touching(shapes))
    if count > 9:
        assert len(pairs) > count // 10


@pytest.mark.parametrize("single", [True, False])
def test_many_entries_are_joined_by_kind(single: bool) -> None:
    shapes = mixed(60, 3)
    many = {
        f"{name} {k}": one if single else one.flattened()
        for name, shape in shapes.items()
        for k, one in enumerate(shape.flattened() if shape.batch_shape else [shape])
    }
    assert len(many) > 50
    assert np.array_equal(Scene(many).colliding_pairs(), Scene(shapes).colliding_pairs())


def test_what_another_thread_has_a_scene_forget_stays_as_long_as_it_is_worked_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    elements = Elements({f"ball {k}": Sphere([0.5 * k, 0, 0], 0.3) for k in range(at_once.BATCHES + 1)})
    numbers, address = weakref.ref(elements.groups[0].elements), at_once.address

    def forgetting(array: IntArray) -> int:
        elements.forget()
        assert numbers() is not None
        return address(array)

    monkeypatch.setattr(at_once, "address", forgetting)
    pairs = touching_at_once(elements)
    assert pairs is not None
    assert pairs.tolist() == [[k, k + 1] for k in range(at_once.BATCHES)]
    assert numbers() is None


def test_entries_without_elements_count_for_nothing() -> None:
    none = {"none": Sphere(np.empty((0, 3)), 1.0), "no boxes": AABB(np.empty((0, 2, 3)), np.empty((0, 2, 3)))}
    assert Scene(none).colliding_pairs().shape == (0, 2)
    assert Scene().colliding_pairs().shape == (0, 2)
    two = {"a": Sphere([0, 0, 0], 1), **none, "b": Sphere([1, 0, 0], 1)}
    assert Scene(two).colliding_pairs().tolist() == [[0, 1]]


@pytest.mark.parametrize("count", [FEW, 700])
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
    monkeypatch.setattr(at_once, "_DENSE", 299)
    assert touching_at_once(Elements(heap.shapes)) is None
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


@pytest.mark.parametrize("count", [0, 1, 40, few.FEW - 14, few.FEW - 13, 500])
def test_what_has_no_end_is_answered_in_the_same_call(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shapes = mixed_with_endless(count, count)
    elements = Elements(shapes)
    pairs = touching_at_once(elements)
    assert pairs is not None
    if count <= 40:
        walls = {n for name in ("walls", "floor") for n in elements.numbers(name)}
        assert pairs.tolist() == [pair for pair in every_touching(shapes).tolist() if not {*pair} <= walls]
    monkeypatch.setattr(world, "touching_at_once", lambda elements: None)
    assert np.array_equal(pairs, Scene(shapes).colliding_pairs())
    assert len(pairs) > max(count // 10, 4)


def test_two_walls_never_touch_in_a_scene() -> None:
    walls = {"a": HalfSpace([0, 0, 0], [0, 0, 1]), "b": HalfSpace([0, 0, 1], [0, 0, 1])}
    assert Scene(walls).colliding_pairs().tolist() == []
    assert Scene({**walls, "ball": Sphere([0, 0, 1], 1)}).colliding_pairs().tolist() == [[0, 2], [1, 2]]


def test_scenes_with_more_to_them_go_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_once.AT_ONCE, "briefly", lambda *given: pytest.fail("it was to go in steps"))
    monkeypatch.setattr(at_once.AT_ONCE, "run", lambda *given: pytest.fail("it was to go in steps"))
    places = 9.0 * np.arange(MOST + 1)[:, None] * [1, 0, 0]
    assert len(Scene({"many": Sphere(places, 1)}).colliding_pairs()) == 0
    rays = Ray(places[:200] + np.array([0, 9, 0]), [0, 1, 0])
    assert len(Scene({"balls": Sphere(places[:200], 1), "rays": rays}).colliding_pairs()) == 0


@pytest.mark.parametrize("count", [7, 30, few.FEW + 1])
def test_as_plain_python_it_comes_to_the_same_within_its_memory(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run all of it as Python, where an index past the end is an error, from the same arguments."""
    shapes = mixed_with_endless(count, 5)
    batches, starts = [shape.flattened() for shape in shapes.values()], Elements(shapes).starts
    tables = [table_of(shape) for shape in batches]
    ranks, calls = [shape.core_type for shape in batches], []
    calls += [at_once.BOUNDS[rank].function for rank in ranks]
    for a in ranks:
        calls += [at_once.LOOPS[min(a, b), max(a, b)].distance.function for b in ranks]
    count, room = starts[-1], 6000
    memory, found = np.empty(at_once.memory_size(count, room)), np.empty(2 * room, dtype=np.int64)
    numbers = np.array([count, len(batches), room, *np.diff(starts)])
    given = tables, [shape.layout.count for shape in batches], [np.arange(a, b) for a, b in pairwise(starts)]
    with np.errstate(invalid="ignore"):  # infinite times zero
        total = at_once._at_once(numbers, ranks, calls, *given, memory, at_once.HILBERT.reshape(-1), found)
    pairs = touching_at_once(Elements(shapes))
    assert pairs is not None
    assert np.array_equal(found[: 2 * total].reshape(-1, 2), pairs)
    assert len(pairs) > 1


@pytest.mark.parametrize("seed", range(3))
def test_pairs_of_one_that_moved_are_those_of_a_new_scene(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of every kind some are moved: by nothing too, on to others before and after them, and to where none is."""
    scene = Scene(mixed(3 * FEW, seed))
    monkeypatch.setattr(world, "pairs_of", lambda *_: pytest.fail("it was to be one call"))
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


def test_one_among_others_that_changed_or_are_hidden_or_ignored_goes_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(world, "touching_one", lambda *_: pytest.fail("it was to go in steps"))
    row = Scene({"row": Sphere(np.arange(2 * FEW)[:, None] * [1.5, 0, 0], 1)})
    both = row.moved("row[3]", [0, 9, 0]).moved("row[4]", [0, 9, 0])
    assert both.pairs_of("row[4]").tolist() == [[3, 4]]
    assert row.replaced(hidden=["row[3]"]).pairs_of("row[4]").tolist() == [[4, 5]]
    assert row.replaced(ignored=[("row[3]", "row[4]")]).pairs_of("row[4]").tolist() == [[4, 5]]
    floor = row.replaced(shapes={**row.shapes, "floor": HalfSpace([0, 0, -1], [0, 0, 1])})
    assert floor.pairs_of("row[0]").tolist() == [[0, 1], [0, 2 * FEW]]


class Table(list[Any]):
    """The operands of a flat batch, and behind them their strides."""

    def __getitem__(self, number: Any) -> Any:
        part = super().__getitem__(number)
        return np.array(part, dtype=np.int64) if isinstance(number, slice) else part


def table_of(shape: Shape) -> Table:
    values = shape.values()
    operands = [np.asarray(values[v] if isinstance(v, str) else v, dtype=float).reshape(-1) for v in shape._operands]
    return Table([*operands, *(ctypes.c_int64 * len(operands)).from_address(shape.operands.strides)])
