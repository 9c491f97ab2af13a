"""What must not matter does not: the order of A and B, of a batch, of axes and ends; the place, the turn, the scale."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from collision import (
    AABB,
    Capsule,
    Line,
    OrientedBox,
    Segment,
    Shape,
    Transform,
    closest_points,
    intersects,
    signed_distance,
)
from collision.base.fields import BoolArray, FloatArray
from tests.corpus import Corpus, accuracy, both_orders, change, check, corpus_fixture, one_order
from tests.queries import answers, same_values
from tests.strategies import RIGHT_ANGLES, random_frame

__all__ = ["corpus_fixture"]  # a fixture, which tests ask for by its name

#: How each number of an answer grows with the scene.
LENGTHS = (
    *("signed_distance", "on_a", "on_b", "point", "depth", "distance", "enter", "exit", "points", "nearest"),
    *("rotation_a", "rotation_b"),
)


def doubtless(corpus: Corpus) -> BoolArray:
    """Tell which pairs touch exactly, or are clearly apart or clearly overlapping."""
    exact = np.array([float(e.signed_distance) for e in corpus.exact])
    mask: BoolArray = (exact == 0.0) | (np.abs(exact) > 1e-14 * corpus.size)
    return mask


def rebuilt(shape: Shape, change: Callable[[str, FloatArray], FloatArray]) -> Shape:
    """Return a shape with every field changed."""
    return type(shape)(**{name: change(name, value) for name, value in shape.values().items()})


# --- to the last bit ------------------------------------------------------------------------------


@both_orders
def test_scaling_by_a_power_of_two_scales_every_answer_exactly(corpus: Corpus) -> None:
    there = answers(corpus.a, corpus.b)
    for factor in (2.0**-100, 2.0**100):
        scaled = answers(*(_scaled(shape, factor) for shape in (corpus.a, corpus.b)), length=factor)
        for name, value in there.items():
            word = name.rpartition(".")[2]
            along = {"parameters": corpus.a, "parameter": corpus.b}.get(word)  # a line: lengths, but of segments parts
            long = word in LENGTHS or not isinstance(along, Segment | Capsule | None)
            assert same_values(scaled[name], value * factor if long else value), (name, factor)


def _scaled(shape: Shape, factor: float) -> Shape:
    return rebuilt(shape, lambda name, value: value if name in ("direction", "axes", "normal") else value * factor)


# --- within rounding ------------------------------------------------------------------------------


@one_order
def test_however_a_pair_is_described_and_wherever_it_is_its_answers_agree(corpus: Corpus) -> None:
    swapping_swaps_the_answer(corpus)
    the_same_shape_described_otherwise_gives_the_same_answer(corpus)
    seen_in_a_mirror_the_distance_is_the_same(corpus)
    permuting_the_axes_permutes_the_answer(corpus)
    scaling_by_any_factor_scales_the_distance(corpus)
    moving_and_turning_both_shapes_keeps_the_distance(corpus)


def swapping_swaps_the_answer(corpus: Corpus) -> None:
    there, back = closest_points(corpus.a, corpus.b), closest_points(corpus.b, corpus.a)
    check(
        corpus,
        change(there.signed_distance, back.signed_distance),
        accuracy(corpus.a, corpus.b),
        "distance after swapping",
    )
    assert np.array_equal(intersects(corpus.a, corpus.b), intersects(corpus.b, corpus.a))
    for one, other in ((there.normal, -back.normal), (there.on_a, back.on_b), (there.on_b, back.on_a)):
        differ = np.where(corpus.generic, np.abs(one - other).max(axis=-1), 0.0)
        check(corpus, differ, 1e-9, "points and normal after swapping")


def the_same_shape_described_otherwise_gives_the_same_answer(corpus: Corpus) -> None:
    """Describe segments and lines the other way, boxes with their axes in any order and of either sign."""
    a, b = (_described_otherwise(shape, np.random.default_rng(13)) for shape in (corpus.a, corpus.b))
    there, other = closest_points(corpus.a, corpus.b), closest_points(a, b)
    check(corpus, change(other.signed_distance, there.signed_distance), 2 * accuracy(a, b), "distance")
    for name in ("normal", "on_a", "on_b"):
        differ = np.where(corpus.generic, np.abs(getattr(other, name) - getattr(there, name)).max(axis=-1), 0.0)
        check(corpus, differ, 1e-9, name)
    sure = doubtless(corpus)
    assert np.array_equal(intersects(a, b)[sure], intersects(corpus.a, corpus.b)[sure])


def _described_otherwise(shape: Shape, rng: np.random.Generator) -> Shape:
    if isinstance(shape, Segment):
        return Segment(shape.end, shape.start)
    if isinstance(shape, Capsule):
        return Capsule(shape.end, shape.start, shape.radius)
    if isinstance(shape, Line):
        return Line(shape.point, -shape.direction)
    if isinstance(shape, OrientedBox):
        turns = np.array(RIGHT_ANGLES)[rng.integers(len(RIGHT_ANGLES), size=len(shape))]
        half = np.abs(np.einsum("nij,ni->nj", turns, shape.half_extents))
        return OrientedBox(shape.center, shape.axes @ turns, half)
    return shape


def seen_in_a_mirror_the_distance_is_the_same(corpus: Corpus) -> None:
    """Take every point through the origin to the other side."""
    a, b = _mirrored(corpus.a), _mirrored(corpus.b)
    check(corpus, change(signed_distance(a, b), signed_distance(corpus.a, corpus.b)), 2 * accuracy(a, b), "distance")


def _mirrored(shape: Shape) -> Shape:
    if isinstance(shape, AABB):
        return AABB(-shape.upper, -shape.lower)
    return rebuilt(shape, lambda name, value: value if name in ("radius", "axes", "half_extents") else -value)


def permuting_the_axes_permutes_the_answer(corpus: Corpus) -> None:
    there = signed_distance(corpus.a, corpus.b)
    for order in ([1, 2, 0], [2, 0, 1]):
        got = signed_distance(_permuted(corpus.a, order), _permuted(corpus.b, order))
        check(corpus, change(got, there), 2 * accuracy(corpus.a, corpus.b), f"axes in the order {order}")


def _permuted(shape: Shape, order: list[int]) -> Shape:
    def permute(name: str, value: FloatArray) -> FloatArray:
        if name in ("radius", "half_extents"):
            return value
        return value[:, order, :] if name == "axes" else value[:, order]

    return rebuilt(shape, permute)


def scaling_by_any_factor_scales_the_distance(corpus: Corpus) -> None:
    """Compare distances; rounding of the scaled coordinates is part of the error."""
    for factor in (1e-3, 1 / 3, 0.7, 1e5):
        there = signed_distance(corpus.a, corpus.b) * factor
        scaled = signed_distance(_scaled(corpus.a, factor), _scaled(corpus.b, factor))
        check(corpus, change(scaled, there) / factor, 4 * accuracy(corpus.a, corpus.b), f"distance times {factor}")


def moving_and_turning_both_shapes_keeps_the_distance(corpus: Corpus) -> None:
    """Compare as oriented boxes where boxes turn; rounding of the moved coordinates is part of the error."""
    rng = np.random.default_rng(11)
    offset = rng.normal(size=(len(corpus.cases), 3)) * corpus.size[:, None]
    frames = np.stack([random_frame(rng) for _ in corpus.cases])
    there = signed_distance(corpus.a, corpus.b)
    shifted = signed_distance(corpus.a.translated(offset), corpus.b.translated(offset))
    check(corpus, change(shifted, there), 4e-14, "after a translation")
    turn = Transform(offset, frames)
    a, b = (s.oriented() if isinstance(s, AABB) else s for s in (corpus.a, corpus.b))
    check(corpus, change(signed_distance(a.transformed(turn), b.transformed(turn)), there), 4e-14, "after a rotation")
    sure = np.abs(there) > 1e-13 * corpus.size
    assert np.array_equal(intersects(a.transformed(turn), b.transformed(turn))[sure], (there <= 0.0)[sure])
