"""Every query of any two kinds: whatever form the same question has, its answer has the same bits.

A plain run asks in one order of the two kinds, and ``--deep`` in both.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import pytest

from collision import (
    ClosestPoints,
    Shape,
    Sphere,
    closest_points,
    distance,
    intersects,
    signed_distance,
)
from tests.corpus import Order, any_two_kinds, stacked
from tests.queries import answers, same_bits
from tests.sampling import batch, crossed, varied
from tests.strategies import random_pairs

#: Queries that write a number for each pair where they are told to, and what it is made of.
WRITING = {signed_distance: np.float64, distance: np.float64, intersects: np.bool_}

#: Each pair of kinds has loops of its own, and is asked in milliseconds.
pytestmark = pytest.mark.every

Axes: TypeAlias = tuple[int, ...]

#: Batch axes of both shapes, and of the two together.
AXES: list[tuple[Axes, Axes, Axes]] = [
    ((), (), ()),
    ((0,), (), (0,)),
    ((), (0,), (0,)),
    ((0,), (1,), (0,)),
    ((3, 0), (3, 1), (3, 0)),
    ((2, 1), (1, 0), (2, 0)),
    ((5,), (5,), (5,)),
    ((), (5,), (5,)),
    ((2, 1), (1, 5), (2, 5)),
    ((1, 1, 1), (4,), (1, 1, 4)),
]

by_order = pytest.mark.parametrize("order", any_two_kinds)


def hard(order: Order, count: int) -> tuple[Shape, Shape]:
    """Return hard pairs of all families, as two batches."""
    cases = random_pairs(*order, n=count, seed=5)
    return stacked([case.a for case in cases]), stacked([case.b for case in cases])


def differing(got: dict[str, Any], wanted: dict[str, Any], index: Any = ...) -> list[str]:
    """Return the names of answers that are not those at an index of others."""
    assert got.keys() == wanted.keys()
    return [name for name, value in got.items() if not same_bits(value, np.asarray(wanted[name])[index])]


@by_order
def test_batches_answer_as_each_pair_alone(order: Order) -> None:
    first, second = crossed(order[0], 2, 3, seed=1), crossed(order[1], 2, 1, seed=2)[:, None]
    assert (first.batch_shape, second.batch_shape) == ((2, 3), (2, 1, 1))
    whole = answers(first, second)
    for i, j, k in np.ndindex(2, 2, 3):
        assert not differing(answers(first[j, k], second[i, 0, 0]), whole, (i, j, k))
    rows, columns = hard(order, 5)
    whole = answers(rows[:, None], columns[:4])
    for i, j in np.ndindex(5, 4):
        assert not differing(answers(rows[i], columns[j]), whole, (i, j)), (rows[i], columns[j])


@by_order
def test_neither_the_order_of_a_batch_nor_how_it_lies_in_memory_matters(order: Order) -> None:
    a, b = hard(order, 40)
    way = np.random.default_rng(4).normal(size=(40, 3))
    whole = answers(a, b, way)
    shuffle = np.random.default_rng(5).permutation(40)
    assert not differing(answers(a[shuffle], b[shuffle], way[shuffle]), whole, shuffle)
    back = slice(None, None, -3)  # views that run backwards, with gaps
    assert not differing(answers(a[back], b[back], way[back]), whole, back)
    assert not differing(answers(a[7], b[back], way[back]), answers(a[7], b, way), back)
    assert not differing(answers(a[back], b[7], way[back]), answers(a, b[7], way), back)


@by_order
def test_answers_have_the_joint_batch_axes_and_are_written_where_they_are_wanted(order: Order) -> None:
    for axes_a, axes_b, joint in AXES:
        a, b = varied(order[0], *axes_a), varied(order[1], *axes_b, seed=1)
        found = answers(a, b)
        for name, value in found.items():
            assert np.shape(value)[: len(joint)] == joint, (name, joint)
        for query, dtype in WRITING.items():
            out = np.full(joint, 7, dtype=dtype)
            assert query(a, b, out=out) is out
            assert same_bits(out, found[query.__name__]), (query.__name__, joint)
        record = ClosestPoints(np.full(joint, 7.0), *np.full((3, *joint, 3), 7.0))
        assert closest_points(a, b, out=record) is record
        for name, value in record._asdict().items():
            assert same_bits(value, found[f"closest_points.{name}"]), (name, joint)
            assert same_bits(value, found[f"contact.{name}"]), (name, joint)


@by_order
def test_answers_are_nobody_s_memory_and_change_no_argument(order: Order) -> None:
    for a, b in (hard(order, 7), (varied(order[0]), varied(order[1], seed=1))):
        before = [value.tobytes() for shape in (a, b) for value in shape.values().values()]
        first = answers(a, b)
        kept = {name: np.array(value) for name, value in first.items()}
        for value in first.values():
            if isinstance(value, np.ndarray) and value.flags.writeable:
                value[...] = np.zeros((), dtype=value.dtype)
        assert [value.tobytes() for shape in (a, b) for value in shape.values().values()] == before
        assert not differing(answers(a, b), kept)


def test_single_answers_are_numbers_of_numpy_and_arrays_of_their_own() -> None:
    a, b = Sphere([0, 0, 0], 1), Sphere([3, 0, 0], 1)
    assert type(signed_distance(a, b)).__name__ == "float64"
    assert type(intersects(a, b)).__name__ == "bool"
    kept = closest_points(a, b)
    before = [np.array(value) for value in kept]
    again = closest_points(a, Sphere([0, 5, 0], 1))
    assert all(np.array_equal(now, then) for now, then in zip(kept, before, strict=True))
    assert again.on_b.tolist() == [0.0, 4.0, 0.0]
    kept.on_a[:] = 7.0  # they are the caller's
    assert closest_points(a, b).on_a.tolist() == [1.0, 0.0, 0.0]


WANTED = r"must be a writable, C-contiguous array of float64, shape \(4,\), got "


def read_only() -> Any:
    array = np.empty(4)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("out", "error", "message"),
    [
        ([0.0] * 4, TypeError, "list"),
        (np.empty(4, dtype=np.float32), ValueError, r"float32, shape \(4,\)"),
        (np.empty((4, 1)), ValueError, r"float64, shape \(4, 1\)"),
        (np.empty(3), ValueError, r"float64, shape \(3,\)"),
        (np.empty(8)[::2], ValueError, "one that is not contiguous"),
        (read_only(), ValueError, "one that is read-only"),
    ],
)
def test_what_cannot_be_written_to_is_refused(out: Any, error: type[Exception], message: str) -> None:
    a, b = batch(Sphere, 4), batch(Sphere, 4, seed=1)
    for query in (signed_distance, distance):
        with pytest.raises(error, match=f"^{query.__name__}: out {WANTED}{message}$"):
            query(a, b, out=out)
    with pytest.raises(error, match=f"^intersects: out {WANTED.replace('float64', 'bool')}"):
        intersects(a, b, out=out)
    record = ClosestPoints(np.empty(4), *np.empty((3, 4, 3)))
    with pytest.raises(error, match=rf"^closest_points: out.signed_distance {WANTED}{message}$"):
        closest_points(a, b, out=record._replace(signed_distance=out))
    with pytest.raises(ValueError, match=r"^closest_points: out.normal must be .* shape \(4, 3\), got float64"):
        closest_points(a, b, out=record._replace(normal=np.empty(4)))
    with pytest.raises(TypeError, match=r"^closest_points: out must be a ClosestPoints, got tuple$"):
        closest_points(a, b, out=tuple(record))  # type: ignore[arg-type]
