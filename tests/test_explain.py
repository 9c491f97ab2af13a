"""Explanations: the same bits as the query, and values that are what they are said to be."""

from __future__ import annotations

from typing import Any

import pytest

from collision import Point, Segment, Sphere, explain


def test_what_cannot_be_explained_is_named() -> None:
    with pytest.raises(ValueError, match="'nonsense' is no query that can be explained; these can: signed_distance"):
        explain("nonsense", Point([0, 0, 0]), Point([1, 0, 0]))


BALL, BALLS = Sphere([0, 0, 0], 1), Sphere([[0, 0, 0], [1, 1, 1]], 1)


@pytest.mark.parametrize(
    ("given", "more", "error", "text"),
    [
        ((BALL,), {}, TypeError, "explain: signed_distance takes a, b: missing a required argument: 'b'"),
        ((), {}, TypeError, "explain: signed_distance takes a, b: missing a required argument: 'a'"),
        ((BALL, BALL, BALL), {}, TypeError, "explain: signed_distance takes a, b: too many positional arguments"),
        ((BALL, BALL), {"on": 1}, TypeError, "explain: signed_distance takes a, b: got an unexpected keyword argument"),
        ((BALL, BALL), {"out": None}, TypeError, "explain: signed_distance: out is for the answers of many pairs"),
        ((BALL, 3), {}, TypeError, "signed_distance takes two shapes, got int as b"),
        (
            (BALL, BALLS),
            {},
            ValueError,
            "argument 2 is a batch of shape .2,., .* pick one shape of it",
        ),
        ((BALL, BALL), {"names": "AB"}, TypeError, "names must be two texts, what the shapes are called, got 'AB'"),
        ((BALL, BALL), {"names": ("a", "a")}, ValueError, "names must differ, got 'a' twice"),
        ((Sphere([1e300, 0, 0], 1), Segment([-1e300, 0, 0], [3, 4, 5e299])), {}, ValueError, "are too large, or too"),
    ],
)
def test_a_mistake_is_named(given: tuple[Any, ...], more: dict[str, Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        explain("signed_distance", *given, **more)
