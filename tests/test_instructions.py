"""Instructions do in machine code what they do in Python: calls by address, eight at a time, the place of a bit."""

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
    fetch,
    floats_from,
    ints_from,
    lowest_bit,
    memory_at,
    overlapping,
    singles_from,
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


def _sum(count: int, order: Ints, values: Floats, total: Floats) -> None:
    for k in range(count):
        fetch(values, order[k] + 1_000_000_000)  # where there may be nothing, which does no harm
        total[0] += values[order[k]]


def _parts(count: int, memory: Floats) -> None:
    floats, ints, singles = floats_from(memory, 1), ints_from(memory, count + 1), singles_from(memory, 2 * count + 1)
    for k in range(count):
        floats[k], ints[k], singles[k] = 0.5 * k, 7 * k, 0.25 * k


def _bits(count: int, masks: Ints, bits: Ints) -> None:
    for k in range(count):
        bits[k] = lowest_bit(masks[k])


DOUBLE = Loop("test_double", _double, (INT, FLOAT, FLOATS))
COUNT = Loop("test_count", _count, (INT, FLOAT, FLOATS), INT)
BOTH = Loop("test_both", _both, (INTS, INT, FLOATS), INT)
MEAN = Loop("test_mean", _mean, (INT, FLOATS), FLOAT)
CHOSEN = Loop("test_chosen", _chosen, (INTS, INT, INT, FLOATS), FLOAT)
OVERLAPS = Loop("test_overlaps", _overlaps, (INT, SINGLES, SINGLES, INTS))
SUM = Loop("test_sum", _sum, (INT, INTS, FLOATS, FLOATS))
PARTS = Loop("test_parts", _parts, (INT, FLOATS))
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


@pytest.mark.parametrize("function", ["compiled", "python"])
def test_memory_is_divided_and_fetched(function: str) -> None:
    count = 6
    memory, order, values, total = np.zeros(40), np.array([2, 0, 1]), np.array([1.0, 2.0, 4.0]), np.zeros(1)
    if function == "compiled":
        PARTS.run(count, address(memory))
        SUM.run(3, address(order), address(values), address(total))
    else:
        PARTS.function(count, memory)
        SUM.function(3, order, values, total)
    assert total[0] == 7.0
    assert memory[0] == 0.0
    assert memory[1:7].tolist() == [0.0, 0.5, 1.0, 1.5, 2.0, 2.5]
    assert memory[7:13].view(np.int64).tolist() == [0, 7, 14, 21, 28, 35]
    assert memory[13:16].view(np.float32).tolist() == [0.0, 0.25, 0.5, 0.75, 1.0, 1.25]
    assert not memory[16:].any()


def _by_address(begin: int) -> float:
    """Double a number where an address says that it is."""
    memory = memory_at(begin)
    memory[1] *= 2.0
    return memory[1]


@pytest.mark.parametrize("function", ["compiled", "python"])
def test_memory_is_found_by_its_address(function: str) -> None:
    memory = np.array([1.0, 2.0, 4.0])
    ask = ADDRESSED.run if function == "compiled" else ADDRESSED.function
    assert ask(address(memory)) == 4.0
    assert memory.tolist() == [1.0, 4.0, 4.0]


ADDRESSED = Loop("test_addressed", _by_address, (INT,), FLOAT)
