"""Sums of numbers that people write: 1.2 and -1 are 0.2, not the 0.19999999999999996 of binary fractions."""

from __future__ import annotations

import math

import numpy as np

from collision.base.fields import FloatArray

#: A short decimal has no more digits than these, counted from the first of the larger of two numbers.
DIGITS = 12

#: Where both are as near to short decimals as floats can be, their sum as floats is no farther than this part of the
#: larger one from the sum of the decimals: each of four numbers is rounded once, of which two may be twice as large.
NEAR = 3.0 * float(np.finfo(np.float64).eps)

#: The powers of ten that floats hold without an error.
_POWERS = np.array([float(f"1e{digits}") for digits in range(23)])


def near_decimal(values: FloatArray, largest: FloatArray) -> FloatArray:
    """Return the short decimals that values are but for their rounding, and values themselves where they are none.

    Values are sums of two numbers each, of which `largest` is the larger magnitude, or more.
    """
    digits = DIGITS - np.floor(np.frexp(largest)[1] * math.log10(2.0)).astype(np.int64)
    power = _POWERS[np.clip(digits, 0, len(_POWERS) - 1)]
    short = np.rint(values * power) / power + 0.0  # no zero is negative
    return np.where(np.abs(short - values) <= NEAR * largest, short, values)


def decimal_sum(values: FloatArray, step: FloatArray | float) -> FloatArray:
    """Return values, each with a step added; where the sum is a short decimal but for its rounding, that decimal.

    Examples
    --------
    >>> decimal_sum(np.array([1.2, 0.1, 1 / 3]), np.array([-1.0, 0.2, 0.5])).tolist()
    [0.2, 0.3, 0.8333333333333333]
    """
    plain = values + step
    short = near_decimal(plain, np.maximum(np.abs(values), np.abs(step)))
    return np.where(np.asarray(step) != 0.0, short, plain)
