"""Instructions do in machine code what they do in Python: calls by address, eight comparisons, the place of a bit."""

from __future__ import annotations

import numpy as np
import pytest

from collision.native import (
    FLOAT,
    FLOATS,
    INT,
    INTS,
    LANES,
    SINGLES,
    Floats,
    Ints,
    Loop,
    Singles,
    address,
    call,
    call_for_float,
    call_for_int,
    lowest_bit,
    overlapping,
)

_PER_BOX = 6


def _double(count: int, factor: float, values: Floats) -> None:
    for k in range(count):
        values[k] *= factor


def _count(count: int, limit: float, values: Floats) -> int:
    total = 0
    for k in range(count):
        total += values[k] > limit
    return total


def _both(addresses: Ints, count: int, values: Floats) -> int:
    call(addresses, 0, (count, 2.0, values))
    return 100 * call_for_int(addresses, 1, (count, 3.0, values)) + count


def _mean(count: int, values: Floats) -> float:
    total = 0.0
    for k in range(count):
        total += values[k]
    return total / count


def _chosen(addresses: Ints, which: int, count: int, values: Floats) -> float:
    return 1.0 + call_for_float(addresses, which, (count, values))


def _overlaps(count: int, blocks: Singles, corners: Singles, masks: Ints) -> None:
    for k in range(count):
        at, one = _PER_BOX * LANES * k, _PER_BOX * k
        masks[k] = overlapping(
            blocks,
            at,
            corners[one],
            corners[one + 1],
            corners[one + 2],
            corners[one + 3],
            corners[one + 4],
            corners[one + 5],
        )


def _bits(count: int, masks: Ints, bits: Ints) -> None:
    for k in range(count):
        bits[k] = lowest_bit(masks[k])


DOUBLE = Loop("test_double", _double, (INT, FLOAT, FLOATS))
COUNT = Loop("test_count", _count, (INT, FLOAT, FLOATS), INT)
BOTH = Loop("test_both", _both, (INTS, INT, FLOATS), INT)
MEAN = Loop("test_mean", _mean, (INT, FLOATS), FLOAT)
CHOSEN = Loop("test_chosen", _chosen, (INTS, INT, INT, FLOATS), FLOAT)
OVERLAPS = Loop("test_overlaps", _overlaps, (INT, SINGLES, SINGLES, INTS))
BITS = Loop("test_bits", _bits, (INT, INTS, INTS))


def test_a_loop_calls_others_by_their_address() -> None:
    values = np.array([1.0, 2.0, 4.0])
    addresses = np.array([DOUBLE.address, COUNT.address], dtype=np.int64)
    assert BOTH.run(address(addresses), 3, address(values)) == 203
    assert values.tolist() == [2.0, 4.0, 8.0]


def test_in_python_it_calls_their_functions() -> None:
    values = np.array([1.0, 2.0, 4.0])
    assert BOTH.function([DOUBLE.function, COUNT.function], 3, values) == 203
    assert values.tolist() == [2.0, 4.0, 8.0]


def test_a_loop_gets_a_float_from_another() -> None:
    values, addresses = np.array([1.0, 2.0, 4.5]), np.array([0, MEAN.address], dtype=np.int64)
    assert CHOSEN.run(address(addresses), 1, 3, address(values)) == 3.5
    assert CHOSEN.function([None, MEAN.function], 1, 3, values) == 3.5


def test_eight_boxes_are_compared_at_once_as_in_python() -> None:
    rng = np.random.default_rng(1)
    count = 400
    # Few different numbers, so that many boxes just touch; and some that are infinite, or no numbers at all.
    blocks = rng.integers(-3, 4, (count, _PER_BOX, LANES)).astype(np.float32)
    blocks[:, 3:] += rng.integers(0, 3, (count, 3, LANES)).astype(np.float32)
    blocks[rng.random(blocks.shape) < 0.02] = np.inf
    blocks[rng.random(blocks.shape) < 0.02] = -np.inf
    blocks[rng.random(blocks.shape) < 0.02] = np.nan
    corners = rng.integers(-3, 4, (count, _PER_BOX)).astype(np.float32)
    corners[:, 3:] += 2.0
    corners[::50, 0], corners[25::50, 4] = np.nan, np.inf
    masks, expected = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    OVERLAPS.run(count, address(blocks), address(corners), address(masks))
    OVERLAPS.function(count, blocks.reshape(-1), corners.reshape(-1), expected)
    apart = (corners[:, :3, None] <= blocks[:, 3:]) & (corners[:, 3:, None] >= blocks[:, :3])
    plain = (apart.all(axis=1) << np.arange(LANES)).sum(axis=1)
    assert np.array_equal(masks, plain)
    assert np.array_equal(expected, plain)
    assert np.mean(masks != 0) > 0.1
    assert len(np.unique(masks)) > 20


@pytest.mark.parametrize("function", ["compiled", "python"])
def test_the_lowest_bit_is_found(function: str) -> None:
    masks = np.array([1, 2, 0b1100, 255, 1 << 40, -1, -(1 << 62)], dtype=np.int64)
    bits = np.empty(len(masks), dtype=np.int64)
    if function == "compiled":
        BITS.run(len(masks), address(masks), address(bits))
    else:
        BITS.function(len(masks), [int(mask) for mask in masks], bits)
    assert bits.tolist() == [0, 1, 2, 0, 40, 0, 62]
