"""Numbers and names as a picture writes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collision.inner import ArrayLike

#: A length below this part of the coordinates that it was computed from is rounding, and written as zero.
NOISE = 1e-13

#: The power of a number as Python writes it: with a plus, and two digits at least.
_POWER = re.compile(r"e\+?(-?)0*(\d)")


#: The index of a symbol, and the digits that it is written in.
_INDEX = re.compile(r"(?<=[A-Za-z])_(\d+)")
_SMALL_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def number(value: float, scale: float = 1.0, digits: int = 3) -> str:
    """Write a number with few significant digits and a real minus sign, and rounding noise as 0.

    Large ones are written in full, with commas, up to ten millions, and with a power of ten from there on.

    Parameters
    ----------
    value : float
        The number.
    scale : float
        The size of what it was computed from.
    digits : int
        How many are significant.

    Examples
    --------
    >>> number(1.23456), number(-0.5), number(-1e-17), number(123456.7), number(-2e9), number(1.5e-7)
    ('1.23', '−0.5', '0', '123,457', '−2e9', '1.5e−7')
    """
    return plain(value, scale, digits).replace("-", "\N{MINUS SIGN}")


def plain(value: float, scale: float = 1.0, digits: int = 4) -> str:
    """Write a number as `number` does, in the characters of every terminal.

    Examples
    --------
    >>> plain(1 / 3), plain(-0.5), plain(-0.0), plain(123456.7), plain(-1.25e-7)
    ('0.3333', '-0.5', '0', '123,457', '-1.25e-7')
    """
    if abs(value) <= NOISE * scale:
        return "0"
    whole = 10.0 ** (digits - 1) <= abs(value) < 1e7
    text = f"{value:,.0f}" if whole else f"{value:.{digits}g}"
    return _POWER.sub(r"e\1\2", text) if "e" in text else text


def gap(signed_distance: float, scale: float = 1.0, label: str = "") -> str:
    """Write a signed distance: a distance, a depth or a touch, with a user's own words before it.

    Examples
    --------
    >>> gap(0.25), gap(-0.5), gap(0.0)
    ('distance 0.25', 'depth 0.5', 'touching')
    >>> gap(0.25, label="gripper"), gap(-0.5, label="gripper")
    ('gripper 0.25', 'gripper depth 0.5')
    """
    text = number(abs(signed_distance), scale)
    words = "touching" if text == "0" else f"distance {text}" if signed_distance > 0.0 else f"depth {text}"
    return f"{label} {words.removeprefix('distance ')}" if label else words


def labelled(label: str, text: str) -> str:
    """Put a user's own words before a text.

    Examples
    --------
    >>> labelled("gripper", "no hit"), labelled("", "no hit")
    ('gripper: no hit', 'no hit')
    """
    return f"{label}: {text}" if label else text


def size_of(*points: ArrayLike) -> float:
    """Return the largest coordinate of some points: what rounding is relative to."""
    import numpy as np  # the command line writes words before it knows whether it needs numbers

    few: list[float] = []
    for place in points:
        values = place if isinstance(place, np.ndarray) else np.asarray(place)
        if values.size > _FEW:
            return max([float(np.abs(p).max(initial=0.0)) for p in points])
        few += values.tolist() if values.ndim == 1 else values.ravel().tolist()
    return max(map(abs, few), default=0.0)


#: Of so many numbers, and fewer, Python finds the largest sooner than NumPy does.
_FEW = 24


def with_indices(text: str) -> str:
    """Write the indices of plain symbols as small digits.

    Examples
    --------
    >>> with_indices("t_1 and x_20")
    't₁ and x₂₀'
    """
    return _INDEX.sub(lambda found: found[1].translate(_SMALL_DIGITS), text)


def counted(count: int, noun: str) -> str:
    """Write a count with its noun.

    Examples
    --------
    >>> counted(1, "pair"), counted(2, "pair"), counted(12345, "pair")
    ('1 pair', '2 pairs', '12,345 pairs')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def millimetres(length: float) -> str:
    """Write a length in metres in millimetres.

    Examples
    --------
    >>> millimetres(0.0123)
    '12.3 mm'
    """
    return f"{1e3 * length:.1f} mm"


def percent(least: float, most: float) -> str:
    """Write a share that is known within bounds.

    Examples
    --------
    >>> percent(0.45, 0.46), percent(0.001, 0.009), percent(0.0, 0.0)
    ('46 %', 'under 1 %', '0 %')
    """
    return "under 1 %" if least < most <= 0.01 else f"{50.0 * (least + most):.0f} %"
