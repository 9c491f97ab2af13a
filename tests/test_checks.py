"""Shapes made of arrays by machine code: the same as those made step by step, and the same refusals."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from collision import Capsule, OrientedBox, Shape, Sphere
from collision.native.builtin import IS_SO
from collision.shapes.checks import ARRAYS, FEW
from collision.shapes.kinds import KINDS
from tests.sampling import batch, one

by_python = pytest.mark.skipif(not IS_SO, reason="ctypes makes the calls here")


@pytest.fixture
def in_steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make all shapes step by step."""
    with monkeypatch.context() as patch:
        patch.setattr(ARRAYS, "fill", lambda *given: 0)
        yield


def arrays(kind: type[Shape], *axes: int) -> list[Any]:
    """Return writable arrays for the fields of a kind, which are to be put right where a rule does so."""
    rng = np.random.default_rng(len(axes))
    made = batch(kind, *axes) if axes else one(kind)
    values = {name: value.copy() for name, value in made.values().items()}
    for name in {"direction", "normal"} & values.keys():
        values[name] *= rng.uniform(0.1, 5.0, (*axes, 1))
    if "axes" in values:
        values["axes"] += 1e-9 * rng.normal(size=values["axes"].shape)
    return [*values.values()]


def inside(shape: Shape) -> tuple[Any, ...]:
    """Return all that a shape is to loops, but for where in memory it is."""
    known = shape.__dict__
    return known["_memory"][:8], known["_memory"][8 * shape.layout.begin :], known["batch_shape"], shape._field_leads()


def read(kind: type[Shape], given: list[Any]) -> bool:
    """Tell whether machine code makes a shape of arrays; where it does not, it keeps nothing."""
    shape = object.__new__(kind)
    filled = ARRAYS.fill(kind.layout.checked, shape, *given)
    assert shape.__dict__.keys() == ({"_memory", "batch_shape", "place"} if filled else set())
    return bool(filled)


@by_python
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("axes", [(), (0,), (1,), (2,), (33,)])
def test_shapes_of_arrays_are_those_made_in_steps(
    kind: type[Shape], axes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = arrays(kind, *axes)
    before = [value.copy() for value in given]
    assert read(kind, given)
    quick = kind(*given)
    assert all(np.array_equal(value, old) for value, old in zip(given, before, strict=True))
    monkeypatch.setattr(ARRAYS, "fill", lambda *given: 0)
    slow = kind(*given)
    assert quick == slow
    assert inside(quick) == inside(slow)
    assert quick.bounds() == slow.bounds() if kind.bounded else True
    strides = 2 * kind.layout.count
    own, other = (np.frombuffer(s.__dict__["_memory"], dtype=np.int64)[1 : 1 + strides] for s in (quick, slow))
    count = kind.layout.count
    assert np.array_equal(own[count:], other[count:])
    fields = [k for k, part in enumerate(kind.layout.given) if isinstance(part, str)]
    begins = [quick.place - 8 + 8 * kind.layout.begin, slow.place - 8 + 8 * kind.layout.begin]
    assert np.array_equal(own[fields] - begins[0], other[fields] - begins[1])


@by_python
def test_what_is_no_plain_array_of_numbers_is_left_to_python() -> None:
    class Own(np.ndarray[Any, Any]):
        """Not NumPy's own class."""

    centers, radii = np.zeros((4, 3)), np.ones(4)
    unaligned = np.zeros(97, dtype=np.uint8)[1:]
    unfit: list[Any] = [
        [[0.0, 0.0, 0.0]] * 4, None, 1.0, object(), b"bytes", (), type, np.float64(1.0), centers.astype(np.float32),
        centers.astype(">f8"), centers.astype(int), np.zeros((8, 3))[::2], np.zeros((3, 4)).T, centers.view(Own),
        np.ma.masked_array(centers), np.zeros((4, 2)), np.zeros(4), np.zeros((2, 2, 3)), np.zeros((5, 3)),
        np.zeros((0, 3)), np.zeros(3), np.array(0.0), unaligned.view(float).reshape(4, 3),
    ]  # fmt: skip
    assert read(Sphere, [centers, radii])
    for value in unfit:
        assert not read(Sphere, [value, radii])
    for value in [None, 1.0, [1.0] * 4, np.ones((4, 1)), np.ones(3), np.array(1.0), np.ones(8)[::2]]:
        assert not read(Sphere, [centers, value])
    many = np.zeros((FEW // 2, 3))
    assert read(Sphere, [many, np.ones(len(many))])
    assert not read(Sphere, [np.zeros((FEW // 2 + 1, 3)), np.ones(FEW // 2 + 1)])
    assert not read(OrientedBox, [centers, np.zeros((4, 4)), centers])
    assert not read(OrientedBox, [centers, np.zeros((4, 9)), centers])


@by_python
def test_a_call_of_another_form_is_refused() -> None:
    plan, shape, center, radius = Sphere.layout.checked, object.__new__(Sphere), np.zeros(3), np.array(1.0)
    more = plan, shape, center, radius, radius
    for given in [(), (plan,), (plan, shape), (plan, shape, center), more, (None, shape, center, radius)]:
        with pytest.raises(TypeError):
            ARRAYS.fill(*given)


@pytest.mark.parametrize(
    ("kind", "field", "value", "words"),
    [
        (Sphere, "radius", -1.0, "Sphere.radius must be zero or more, got -1.0 at element [2]"),
        (Sphere, "center", np.nan, "Sphere.center must be finite, got [nan, nan, nan] at element [2]"),
        (Capsule, "end", np.inf, "Capsule.end must be finite, got [inf, inf, inf] at element [2]"),
        (OrientedBox, "half_extents", -0.5, "OrientedBox.half_extents must be zero or more on every axis"),
        (OrientedBox, "axes", 2.0, "OrientedBox.axes must be"),
    ],
)
def test_wrong_values_are_refused_by_name(kind: type[Shape], field: str, value: float, words: str) -> None:
    given = dict(zip([f.name for f in kind._fields], arrays(kind, 4), strict=True))
    given[field][2] = value
    with pytest.raises(ValueError, match=re.escape(words)):
        kind(**given)


def test_a_wrong_value_is_refused_in_the_same_words_in_steps(in_steps: None) -> None:
    test_wrong_values_are_refused_by_name(Sphere, "radius", -1.0, "Sphere.radius must be zero or more, got -1.0")


@by_python
def test_neither_what_is_made_nor_what_is_refused_keeps_memory() -> None:
    good, bad = arrays(Capsule, 50), arrays(Capsule, 50)
    bad[-1][7] = -1.0
    for given in (good, bad):
        counts = [sys.getrefcount(value) for value in given]
        for _ in range(50):
            read(Capsule, given)
        assert [sys.getrefcount(value) for value in given] == counts
        gc.collect()
        before = sys.getallocatedblocks()
        for _ in range(500):
            read(Capsule, given)
        assert sys.getallocatedblocks() - before < 50


def test_a_shape_does_not_change_with_the_arrays_it_was_made_of() -> None:
    center, radius = np.zeros((2, 3)), np.ones(2)
    shape = Sphere(center, radius)
    center += 5.0
    assert shape.center.tolist() == [[0.0, 0.0, 0.0]] * 2
    with pytest.raises(ValueError, match="read-only"):
        shape.center[0] = 1.0
