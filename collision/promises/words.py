"""What is expected of a scene, and how far apart shapes are, in words."""

from __future__ import annotations

import math

from collision.kernels.cores import TOUCH
from collision.scene.expectations import Expectation, Vector, shortest


def number(value: float) -> str:
    """Write a number as people read it."""
    return f"{value:.6g}"


def number_unlike(value: float, other: float) -> str:
    """Write a number with as many digits as show that it is not another one."""
    for digits in range(6, 18):
        text = f"{value:.{digits}g}"
        if text != f"{other:.{digits}g}":
            return text
    return number(value)


def gap_text(gap: float, size: float) -> str:
    """Say how far apart two shapes are, or how deep they overlap."""
    if abs(gap) <= TOUCH * size:
        return "touch"
    if not math.isfinite(gap):
        return "are at a distance that is no number" if math.isnan(gap) else "overlap without end"
    return f"are {number(gap)} apart" if gap > 0.0 else f"overlap by {number(-gap)}"


def expected_text(expectation: Expectation, moving: bool) -> str:
    """Say what is expected of a scene that moves, or of one that does not."""
    text = _what(expectation)
    if expectation.normal is not None:
        text += f", the normal within {shortest(expectation.within)} degrees of {_vector(expectation.normal)}"
    return text + _when(expectation, moving)


def _what(expectation: Expectation) -> str:
    a, b = expectation.a, expectation.b
    match expectation.kind:
        case "collide":
            if expectation.depth is None:
                return f"{a} and {b} collide"
            low, high = expectation.depth
            return f"{a} and {b} collide, {_range((low, high)) if low else f'at most {shortest(high)}'} deep"
        case "apart":
            far = f"at least {shortest(expectation.clearance)} apart" if expectation.clearance else "do not touch"
            return f"{a} and {b} {far}"
        case "touch":
            near = "" if expectation.tolerance is None else f" to within {shortest(expectation.tolerance)}"
            return f"{a} and {b} touch{near}"
        case "ray":
            ray = f"the ray {a}" if expectation.origin is None else f"the ray from {_vector(expectation.origin)}"
            at = f" at {_range(expectation.distance)}" if expectation.distance else ""
            return f"{ray} first hits {b}{at}" if b else f"{ray} hits nothing"
        case "sweep":
            at = f" at {_range(expectation.fraction)} of the way" if expectation.fraction else ""
            return f"{a} on its way first touches {b}{at}" if b else f"{a} on its way touches nothing"
        case _:
            return f"{a or _vector(expectation.point)} lies inside {b}"


def _when(expectation: Expectation, moving: bool) -> str:
    quantifier = expectation.quantifier
    if expectation.at is not None:
        return f"{', not' if quantifier == 'never' else ''} at {shortest(expectation.at)} s"
    if expectation.during is not None:
        part = {"always": "all the time", "ever": "at some time", "never": "at no time"}[quantifier]
        return f", {part} from {shortest(expectation.during[0])} to {shortest(expectation.during[1])} s"
    if quantifier == "never":
        return ", at no time" if moving else ": not so"
    if not moving or expectation.kind in ("ray", "sweep"):
        return ""
    return ", at some time" if quantifier == "ever" else ", all the time"


def _range(limits: tuple[float, float]) -> str:
    low, high = limits
    return shortest(low) if low == high else f"{shortest(low)} to {shortest(high)}"


def _vector(values: Vector) -> str:
    return f"[{', '.join(map(number, values))}]"
