"""Blocks of pairs: the same bits as pair by pair, and most pairs decided in the block."""

from __future__ import annotations

import ctypes
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
    Segment,
    Shape,
    Sphere,
    closest_points,
    contact,
    intersects,
    signed_distance,
)
from collision.fields import FloatArray
from collision.native import BLOCK, NONE, PAIRS, Loop, operands, table
from collision.native.memory import block_memory
from collision.separation import LOOPS, separate
from tests.cases import check_each
from tests.remembered import REMEMBERED

#: Kinds for each pair of cores with blocks.
ORDINARY: dict[tuple[int, int], tuple[type[Shape], type[Shape]]] = {
    (0, 1): (Sphere, Capsule),
    (0, 2): (Sphere, OrientedBox),
    (1, 1): (Capsule, Capsule),
    (1, 2): (Capsule, OrientedBox),
    (2, 2): (OrientedBox, OrientedBox),
}

#: How many pairs of each two kinds are tried.
COUNT = 50_000

#: The pairs of kinds, one for each way in which the two cores with blocks can be read.
KINDS: tuple[tuple[type[Shape], type[Shape]], ...] = (
    (Point, Segment),
    (Sphere, Capsule),
    (Sphere, Ray),
    (Point, Line),
    (Capsule, Capsule),
    (Segment, Ray),
    (Capsule, Line),
    (Line, Ray),
    (Sphere, OrientedBox),
    (Point, AABB),
    (Capsule, OrientedBox),
    (Segment, AABB),
    (Ray, OrientedBox),
    (Line, AABB),
    (OrientedBox, OrientedBox),
    (AABB, OrientedBox),
)


def hard(count: int, seed: int) -> FloatArray:
    """Return four points each, of which the first and the last two are joined by lines that meet in every odd way."""
    rng = np.random.default_rng(seed)
    points = rng.normal(0.0, 1.0, (count, 4, 3))
    part = rng.integers(0, 8, count)
    coarse = np.isin(part, (1, 2))
    points[coarse] = rng.integers(-2, 3, (np.count_nonzero(coarse), 4, 3)) / 2.0  # equal, parallel, crossing, on it
    near = 10.0 ** rng.uniform(-18.0, 0.0, (count, 1)) * rng.normal(0.0, 1.0, (count, 3))
    steps = points[:, 1] - points[:, 0]
    points[part == 3, 3] = (points[:, 2] + steps * rng.uniform(-2.0, 2.0, (count, 1)) + near)[part == 3]  # parallel
    points[part == 4, 2] = (points[:, 0] + steps * rng.uniform(-0.2, 1.2, (count, 1)) + near)[part == 4]  # on the other
    points[part == 5, 2] = points[part == 5, 1]  # end to end
    points[part == 6, 1] = (points[:, 0] + near)[part == 6]  # as short as can be
    points[part == 7] += rng.uniform(-1e8, 1e8, (count, 1, 3))[part == 7]
    scale = np.where(rng.random(count) < 0.3, 10.0 ** rng.uniform(-75.0, 75.0, count), 1.0)
    return np.asarray(points * scale[:, None, None])


def turns(count: int, seed: int) -> FloatArray:
    """Return frames, of which many have parallel axes, and some axes that are nearly so."""
    rng = np.random.default_rng(seed)
    way, other = rng.normal(0.0, 1.0, (2, count, 3))
    part = rng.integers(0, 4, count)
    sharp, near = np.eye(3)[rng.integers(0, 3, (2, count))], 10.0 ** rng.uniform(-18.0, 0.0, (2, count, 1))
    for k in (1, 2):  # about one axis or none, and nearly
        way[part == k], other[part == k] = sharp[0][part == k], sharp[1][part == k] + (k - 1) * other[part == k]
    way[part == 3], other[part == 3] = (sharp + near * (way, other))[:, part == 3]
    x = way / np.linalg.norm(way, axis=-1, keepdims=True)
    z = np.cross(x, other)
    length = np.linalg.norm(z, axis=-1, keepdims=True)
    z = np.where(
        length > 1e-3, z / np.where(length > 1e-3, length, 1.0), np.cross(x, np.roll(x, 1, axis=-1) + sharp[1])
    )
    frames = np.stack([x, np.cross(z, x), z], axis=-1)
    fine = np.abs(np.swapaxes(frames, -1, -2) @ frames - np.eye(3)).max(axis=(-1, -2)) < 1e-12
    frames[~fine] = np.eye(3)
    return np.asarray(frames)


def built(kind: type[Shape], start: FloatArray, end: FloatArray, radius: FloatArray, axes: FloatArray) -> Shape:
    """Return a shape of a kind between points, as far as it has an end."""
    if kind is AABB:
        return AABB(np.minimum(start, end), np.maximum(start, end))
    if kind is OrientedBox:
        return OrientedBox(0.5 * start + 0.5 * end, axes, 0.5 * np.abs(end - start))
    if kind in (Point, Sphere):
        return Point(start) if kind is Point else Sphere(start, radius)
    if kind in (Ray, Line):
        away = np.where((end == start).all(axis=-1, keepdims=True), [0.0, 0.0, 1.0], end - start)
        return Ray(start, away) if kind is Ray else Line(start, away)
    return Segment(start, end) if kind is Segment else Capsule(start, end, radius)


def hard_pair(kinds: tuple[type[Shape], type[Shape]], count: int, seed: int = 1) -> tuple[Shape, Shape]:
    """Return two batches that are hard for each other."""
    points = hard(count, seed)
    radius = np.abs(points[:, 0] - points[:, 3]).max(axis=1) * np.random.default_rng(seed).choice([0.0, 0.3], count)
    axes = turns(count, seed), turns(count, seed + 1)
    axes[1][::3] = axes[0][::3]  # parallel, and nearly where they are rounded
    return built(kinds[0], points[:, 0], points[:, 1], radius, axes[0]), built(
        kinds[1], points[:, 2], points[:, 3], 0.5 * radius, axes[1]
    )


def ordinary(kinds: tuple[type[Shape], type[Shape]], count: int, rng: np.random.Generator) -> tuple[Shape, Shape]:
    """Return two batches of shapes that are anywhere."""
    start, end, other, last = rng.normal(0.0, 1.0, (4, count, 3))
    radius = rng.uniform(0.1, 0.5, count)
    axes = np.linalg.qr(rng.normal(0.0, 1.0, (2, count, 3, 3)))[0]
    axes[..., 0] *= np.linalg.det(axes)[..., None]
    return built(kinds[0], start, end, radius, axes[0]), built(kinds[1], other, last, radius, axes[1])


@pytest.fixture
def twice(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], None]:
    """Return what compares the answer that blocks give with the one that pair by pair gives."""

    def compare(ask: Callable[[], Any]) -> None:
        used: list[int] = []

        def given(columns: int, count: int) -> tuple[Any, Any]:
            made = block_memory(columns, count)
            used.append(made[1][0])
            return made

        with monkeypatch.context() as patch, np.errstate(all="ignore"):
            patch.setattr(operands, "block_memory", given)
            by_blocks = ask()
            assert BLOCK in used  # else there is nothing to compare
            patch.setattr(operands, "block_memory", lambda columns, count: NONE)
            pair_by_pair = ask()
        for one, other in zip(by_blocks, pair_by_pair, strict=True):
            assert np.asarray(one).tobytes() == np.asarray(other).tobytes()

    return compare


# -- bits --------------------------------------------------------------------------------------------------------------


def test_blocks_answer_hard_pairs_with_the_bits_of_one_pair_alone(
    twice: Callable[[Callable[[], Any]], None], request: pytest.FixtureRequest
) -> None:
    rounds = 20 if request.config.getoption("--deep", default=False) else 1

    def check(kinds: tuple[type[Shape], type[Shape]]) -> None:
        for seed in range(rounds):
            a, b = hard_pair(kinds, COUNT, seed)
            twice(lambda: closest_points(a, b))  # noqa: B023 - it is called at once
            twice(lambda: (signed_distance(a, b), intersects(a, b)))  # noqa: B023

    check_each(KINDS, check, lambda kinds: " ".join(kind.__name__ for kind in kinds))


def ends_at_right_angles(count: int) -> tuple[Shape, Shape]:
    """Return segments of which the first ends just where the common perpendicular stands, short against both."""
    rng = np.random.default_rng(7)
    way, across, end = rng.normal(0.0, 1.0, (3, count, 3))
    normal = np.cross(way, across)
    normal *= 10.0 ** rng.uniform(-3.0, 0.0, (count, 1)) / np.linalg.norm(normal, axis=1, keepdims=True)
    back = rng.uniform(0.1, 0.9, (count, 1))
    return Segment(end, end + way), Segment(end + normal - back * across, end + normal + (1.0 - back) * across)


def test_gaps_that_lead_back_into_a_piece_by_rounding_are_left_to_the_kernel_of_one_pair(
    twice: Callable[[Callable[[], Any]], None],
) -> None:
    """How much of it a block lets pass is the kernel's own limit, less some rounding: with a higher one bits differ."""
    a, b = ends_at_right_angles(COUNT)
    twice(lambda: closest_points(a, b))
    twice(lambda: closest_points(b, a))


def test_blocks_answer_one_shape_against_many_and_listed_elements(twice: Callable[[Callable[[], Any]], None]) -> None:
    rng = np.random.default_rng(3)
    for kinds in ((Sphere, Capsule), (Capsule, Segment), (OrientedBox, Sphere), (AABB, OrientedBox)):
        a, b = hard_pair(kinds, 1000)
        index = rng.integers(0, 1000, 3000), rng.integers(0, 1000, 3000)
        twice(lambda: closest_points(a[7], b))  # noqa: B023
        twice(lambda: closest_points(a, b[7]))  # noqa: B023
        twice(lambda: separate(a, b, (3000,), index))  # noqa: B023
        twice(lambda: closest_points(b, a))  # noqa: B023


def test_blocks_answer_the_same_whether_sizes_are_asked_for_or_not() -> None:
    """If not, they have no memory of their own."""
    for kinds in ((Sphere, Capsule), (Capsule, Segment), (Sphere, OrientedBox), (AABB, OrientedBox)):
        a, b = hard_pair(kinds, 1000)
        with np.errstate(all="ignore"):
            points, kept = closest_points(a, b), contact(a, b)
        for name, column in zip(points._fields, points, strict=True):
            assert column.tobytes() == getattr(kept, name).tobytes()


def test_remembered_pairs_are_the_same_in_a_block() -> None:
    found, count = set(), 20 * BLOCK
    for a, b in REMEMBERED.values():
        ranks = a.rank, b.rank
        if not LOOPS[min(ranks), max(ranks)].record.columns:
            continue
        found.add((min(ranks), max(ranks)))
        alone, many = closest_points(a, b), closest_points(_repeated(a, count), _repeated(b, count))
        for one, column in zip(alone, many, strict=True):
            assert column.tobytes() == np.broadcast_to(one, column.shape).tobytes()
    assert {(1, 1), (2, 2)} < found


def _repeated(shape: Shape, count: int) -> Shape:
    """Return a batch of one shape many times."""
    return type(shape)(**{name: np.repeat(value[None], count, axis=0) for name, value in shape.values().items()})


# -- what is decided in a block ----------------------------------------------------------------------------------------


def in_blocks(loop: Loop, a: Shape, b: Shape) -> tuple[FloatArray, FloatArray]:
    """Run a loop over whole blocks; return signed distances, and the memory of the last block that was asked."""
    memory, count = np.zeros(loop.columns * BLOCK), len(a)
    outputs = [np.empty(count * width) for width in ((1, 1, 3, 3, 3) if loop.arguments == PAIRS else (1,))]
    numbers = () if loop.arguments == PAIRS else (0.0,)
    x, y = a.operands, b.operands
    more = table([memory]), (ctypes.c_int64 * 1)(BLOCK)
    loop.run(0, count, False, x.table, x.strides, None, y.table, y.strides, None, *more, table(outputs), *numbers)
    return outputs[0], memory


def block_of(loop: Loop, a: Shape, b: Shape) -> tuple[FloatArray, FloatArray]:
    """Run a loop over one block; return signed distances, and what the block's kernel alone made of them."""
    found, memory = in_blocks(loop, a, b)
    at = memory.size - BLOCK * (11 if loop.arguments == PAIRS else 1)
    return found, memory[at : at + BLOCK]


def test_blocks_decide_nearly_all_ordinary_pairs_and_leave_the_others() -> None:
    rng = np.random.default_rng(4)
    left: dict[tuple[int, int], int] = {}
    total = 40 * BLOCK
    for ranks, kinds in ORDINARY.items():
        for loop in LOOPS[ranks][:2]:
            left[ranks] = 0
            for _ in range(total // BLOCK):
                found, quick = block_of(loop, *ordinary(kinds, BLOCK, rng))
                decided = ~np.isnan(quick)
                assert np.array_equal(found[decided], quick[decided])
                assert not np.isnan(found).any()
                left[ranks] += int(np.count_nonzero(~decided))
    assert left[0, 1] == left[0, 2] == 0
    assert 0 < left[1, 2] < 0.35 * total  # pieces that enter a box
    assert 0 < left[2, 2] < 0.03 * total
    assert 0 < left[1, 1] < 0.06 * total  # directions that differ by less than 15 degrees


def test_blocks_leave_to_the_kernel_of_one_pair_what_touches_or_is_parallel() -> None:
    zero, way = np.zeros((BLOCK, 3)), np.tile([1.0, 0.0, 0.0], (BLOCK, 1))
    _, quick = block_of(LOOPS[0, 1].record, Point(0.5 * way), Segment(zero, way))
    assert np.isnan(quick).all()
    _, quick = block_of(LOOPS[1, 1].record, Segment(zero, way), Segment(zero + 1.0, way + 1.0))
    assert np.isnan(quick).all()


def test_after_a_block_that_leaves_most_pairs_the_next_three_are_not_asked() -> None:
    """The memory of a block then has the pairs of the block before."""
    x = np.arange(6.0 * BLOCK)[:, None] * [1.0, 0.0, 0.0]
    inside = np.arange(len(x))[:, None] < BLOCK  # the first block's pieces enter their boxes
    a = Segment(x + np.where(inside, 0.0, [0.0, 2.0, 0.0]), x + np.array([0.0, 4.0, 1.0]))
    b = OrientedBox(x, np.eye(3), [0.5, 0.5, 0.5])
    for blocks, last in ((1, 0), (2, 0), (4, 0), (5, 4), (6, 5)):
        _, memory = in_blocks(LOOPS[1, 2].record, a[: blocks * BLOCK], b[: blocks * BLOCK])
        assert memory[0] == x[last * BLOCK, 0]


def test_a_loop_over_blocks_runs_as_python_with_the_same_bits() -> None:
    for ranks, kinds in ORDINARY.items():
        a, b = hard_pair(kinds, BLOCK + 5)
        loop, found = LOOPS[ranks].distance, np.empty(len(a))
        sides = [[v.reshape(-1) for v in shape.values().values()] for shape in (a, b)]
        given: list[Any] = []
        for shape, arrays in zip((a, b), sides, strict=True):
            strides = [value.size // len(shape) for value in arrays]
            if shape.rank == 1:  # the limits of the parameter stand for all
                arrays[2:2], strides[2:2] = [np.array([0.0]), np.array([1.0])], [0, 0]
            if shape.rank == 2:  # half extents stand for both corners, with a sign
                arrays[3:], strides[3:] = [arrays[2], np.array([-1.0])], [3, 0]
            given += [arrays, strides, None]
        with np.errstate(all="ignore"):
            loop.function(0, len(a), 0, *given, [np.zeros(loop.columns * BLOCK)], [BLOCK], [found], 0.0)
        assert found.tobytes() == signed_distance(a, b).tobytes()
