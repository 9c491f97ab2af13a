"""What constructors refuse, in which words, and that shapes keep nothing of the arrays that they are made of."""

from __future__ import annotations

import pickle
import re
from typing import Any

import numpy as np
import pytest

from collision import AABB, Capsule, OrientedBox, Ray, Shape, Sphere, signed_distance
from collision.shapes.kinds import KINDS
from tests.sampling import batch, one


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


@pytest.mark.parametrize(
    ("kind", "field", "value", "words"),
    [
        (Sphere, "radius", -1.0, "Sphere.radius must be zero or more, got -1.0 at element [2]"),
        (Sphere, "center", np.nan, "Sphere.center must be finite, got [nan, nan, nan] at element [2]"),
        (Capsule, "end", np.inf, "Capsule.end must be finite, got [inf, inf, inf] at element [2]"),
        (OrientedBox, "half_extents", -0.5, "OrientedBox.half_extents must be zero or more on every axis"),
        (OrientedBox, "axes", 2.0, "OrientedBox.axes must be"),
        (Ray, "direction", 0.0, "Ray.direction must be a direction, not the zero vector, got [0.0, 0.0, 0.0] at"),
        (AABB, "lower", 1e9, "AABB.lower must not be above AABB.upper"),
    ],
)
def test_wrong_values_are_refused_by_name(kind: type[Shape], field: str, value: float, words: str) -> None:
    given = dict(zip([f.name for f in kind._fields], arrays(kind, 4), strict=True))
    given[field][2] = value
    with pytest.raises(ValueError, match=re.escape(words)):
        kind(**given)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("axes", [(), (0,), (1,), (3,), (2, 3)])
def test_a_shape_of_arrays_is_that_of_lists_and_leaves_the_arrays_alone(
    kind: type[Shape], axes: tuple[int, ...]
) -> None:
    given = arrays(kind, *axes)
    before = [value.copy() for value in given]
    shape = kind(*given)
    assert [value.tobytes() for value in given] == [value.tobytes() for value in before]
    if 0 not in axes:
        assert kind(*[value.tolist() for value in given]) == shape
    kept = {name: value.copy() for name, value in shape.values().items()}
    for value in given:
        value += 5.0
    for name, value in shape.values().items():
        assert value.flags.c_contiguous
        assert np.array_equal(value, kept[name])
        with pytest.raises(ValueError, match="read-only"):
            value[...] = 1.0


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_of_any_layout_are_taken(kind: type[Shape]) -> None:
    given = arrays(kind, 4)
    ball = Sphere([0, 0, 0], 1)
    odd = [np.asfortranarray(value) for value in given], [np.repeat(value, 2, axis=0)[::2] for value in given]
    for values in odd:
        assert kind(*values) == kind(*given)
        assert np.array_equal(signed_distance(kind(*values), ball), signed_distance(kind(*given), ball))


@pytest.mark.parametrize("kind", KINDS)
def test_a_shape_out_of_a_pickle_is_the_same_and_read_only(kind: type[Shape]) -> None:
    for shape in (one(kind), batch(kind, 3), batch(kind, 3)[1]):
        again = pickle.loads(pickle.dumps(shape))
        assert type(again) is kind
        assert again.batch_shape == shape.batch_shape
        for name, value in again.values().items():
            assert value.tobytes() == shape.values()[name].tobytes()
            assert not value.flags.writeable


def test_an_index_that_leaves_a_number_makes_a_single_shape() -> None:
    some = Sphere([[0, 0, 0], [1, 0, 0]], [1, 2])
    picked = some[np.array(1)]
    assert picked == Sphere([1, 0, 0], 2)
    assert type(picked.radius) is np.ndarray
    assert signed_distance(picked, Sphere([9, 0, 0], 1)) == 5.0
