"""Explanations: the same bits as the query, and values that are what they are said to be."""

from __future__ import annotations

import pytest

from collision import Point, Sphere, closest_points, explain, signed_distance
from collision.explaining.trace import trace
from collision.separation.cores import Linear, nearest_parameter
from collision.vec3 import Vec3


def test_the_result_is_the_query_s() -> None:
    a, b = Sphere([0, 0, 0], 1), Sphere([3, 4, 0.1], 2)
    assert explain(signed_distance, a, b).result == signed_distance(a, b)
    told = explain(closest_points, a, b).result
    assert all((x == y).all() for x, y in zip(told, closest_points(a, b), strict=True))


def test_what_kernels_name_is_read_back() -> None:
    line = Linear(Vec3(0.0, 0.0, 0.0), Vec3(2.0, 0.0, 0.0), Vec3(2.0, 0.0, 0.0), 0.0, 1.0)
    call = trace(nearest_parameter, line, Vec3(1.0, 5.0, 0.0))
    assert (call.name, call["squared"], call.result) == ("nearest_parameter", 4.0, 0.5)
    assert call.arguments["p"] == Vec3(1.0, 5.0, 0.0)


def test_what_cannot_be_explained_is_named() -> None:
    with pytest.raises(ValueError, match="'nonsense' is no query that can be explained; these can: signed_distance"):
        explain("nonsense", Point([0, 0, 0]), Point([1, 0, 0]))
