"""Answers written to arrays that are there already are those that are returned without them."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from collision import ClosestPoints, Sphere, closest_points, contact, distance, intersects, signed_distance
from collision.shapes.kinds import KINDS
from tests.sampling import batch, one

QUERIES = {signed_distance: np.float64, distance: np.float64, intersects: np.bool_}

#: Batch axes of both shapes, and of the two together.
AXES: list[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]] = [
    ((5,), (5,), (5,)),
    ((), (5,), (5,)),
    ((2, 1), (3,), (2, 3)),
    ((0,), (), (0,)),
]


def points(lead: tuple[int, ...]) -> ClosestPoints:
    return ClosestPoints(np.full(lead, 7.0), *np.full((3, *lead, 3), 7.0))


@pytest.mark.parametrize(("axes_a", "axes_b", "joint"), AXES)
def test_answers_are_written_where_they_are_wanted(axes_a: Any, axes_b: Any, joint: Any) -> None:
    for kind_a, kind_b in product(KINDS, repeat=2):
        a, b = batch(kind_a, *axes_a), batch(kind_b, *axes_b, seed=1)
        for query, dtype in QUERIES.items():
            out = np.full(joint, 7, dtype=dtype)
            assert query(a, b, out=out) is out
            np.testing.assert_array_equal(out, query(a, b))
        record = points(joint)
        assert closest_points(a, b, out=record) is record
        kept = contact(a, b)  # which asks for sizes, too; what closest points do not ask for goes where distances go
        for name, mine, wanted in zip(record._fields, record, closest_points(a, b), strict=True):
            np.testing.assert_array_equal(mine, wanted)
            np.testing.assert_array_equal(mine, getattr(kept, name))


def test_two_single_shapes_have_an_answer_of_no_axes() -> None:
    for kind_a, kind_b in product(KINDS, repeat=2):
        a, b = one(kind_a), one(kind_b)
        for query, dtype in QUERIES.items():
            out = np.full((), 7, dtype=dtype)
            assert query(a, b, out=out) is out
            assert out[()] == query(a, b)
        record = closest_points(a, b, out=points(()))
        for mine, wanted in zip(record, closest_points(a, b), strict=True):
            np.testing.assert_array_equal(mine, wanted)


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
    record = points((4,))
    with pytest.raises(error, match=rf"^closest_points: out.signed_distance {WANTED}{message}$"):
        closest_points(a, b, out=record._replace(signed_distance=out))
    with pytest.raises(ValueError, match=r"^closest_points: out.normal must be .* shape \(4, 3\), got float64"):
        closest_points(a, b, out=record._replace(normal=np.empty(4)))
    with pytest.raises(TypeError, match=r"^closest_points: out must be a ClosestPoints, got tuple$"):
        closest_points(a, b, out=tuple(record))  # type: ignore[arg-type]
