"""What each promise about pairs says of a signed distance: from where to where it may be, and in which words."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray
from collision.kernels.cores import TOUCH
from collision.scene.expectations import Expectation, Vector

#: Numbers that are given as one, and touches, are right to this part of the size of the pair.
RIGHT = 1e-9


class Band(NamedTuple):
    """From where to where a signed distance may be; whether the lower end is left out, as of what must not touch."""

    low: float
    high: float
    above: bool = False

    def holds(self, gap: float) -> bool:
        """Tell whether a signed distance is in the band."""
        return (gap > self.low if self.above else gap >= self.low) and gap <= self.high

    def missing(self, gap: float) -> float:
        """Return by how much a signed distance has to change to be in the band."""
        if gap <= self.low:
            return (4.0 * self.low if self.above else self.low) - gap  # clearly apart, where touching is not enough
        return self.high - gap if gap > self.high else 0.0


def band_of(promise: Expectation, size: float, tolerance: float) -> Band:
    """Return where the signed distance of a pair may be that is given by numbers of some size.

    Parameters
    ----------
    promise : Expectation
        About pairs.
    size : float
        The largest number by which the two shapes are given.
    tolerance : float
        What is allowed beyond that.
    """
    slack = TOUCH * size
    if promise.kind == "apart":
        if promise.clearance == 0.0:
            return apart(size, tolerance)
        return Band(promise.clearance - slack - tolerance, math.inf)
    if promise.kind == "touch":
        far = (RIGHT * size if promise.tolerance is None else promise.tolerance + slack) + tolerance
        return Band(-far, far)
    least, most = promise.depth or (0.0, math.inf)
    return Band(-most - slack - tolerance, -least + slack + tolerance)


def apart(size: float, tolerance: float) -> Band:
    """Return where the signed distance may be of two that must not collide."""
    return Band(TOUCH * size, math.inf, above=True) if tolerance == 0.0 else Band(-tolerance - TOUCH * size, math.inf)


def angle_between(a: FloatArray, b: Vector) -> float:
    """Return the angle between two directions, in degrees."""
    u = np.asarray(b) / np.abs(b).max()
    u = u / np.linalg.norm(u)
    return math.degrees(2.0 * math.atan2(float(np.linalg.norm(a - u)), float(np.linalg.norm(a + u))))


# -- in words ----------------------------------------------------------------------------------------------------------


def number(value: float) -> str:
    """Write a number as people read it."""
    return f"{value:.6g}"


def exact(value: float) -> str:
    """Write a number that was given, with as few digits as tell which it is."""
    return number(value) if float(number(value)) == value else repr(value)


def told_apart(value: float, other: float) -> tuple[str, str]:
    """Write two numbers that are not the same such that this is seen."""
    for digits in range(6, 18):
        texts = f"{value:.{digits}g}", f"{other:.{digits}g}"
        if texts[0] != texts[1]:
            return texts
    return number(value), number(other)


def between(span: tuple[float, float]) -> str:
    """Write from where to where something may be."""
    low, high = span
    return exact(low) if low == high else f"{exact(low)} to {exact(high)}"


def vector(values: Vector) -> str:
    """Write three numbers."""
    return f"[{', '.join(map(number, values))}]"


def promised(promise: Expectation, moving: bool) -> str:
    """Say what is promised."""
    text = _promised(promise)
    if promise.normal is not None:
        text += f", the normal within {exact(promise.within)} degrees of {vector(promise.normal)}"
    return text + when(promise, moving)


def _promised(promise: Expectation) -> str:
    a, b = promise.a, promise.b
    match promise.kind:
        case "collide":
            if promise.depth is None:
                return f"{a} and {b} collide"
            deep = between(promise.depth) if promise.depth[0] else f"at most {exact(promise.depth[1])}"
            return f"{a} and {b} collide, {deep} deep"
        case "apart":
            return f"{a} and {b} " + (
                f"at least {exact(promise.clearance)} apart" if promise.clearance else "do not touch"
            )
        case "touch":
            near = "" if promise.tolerance is None else f" to within {exact(promise.tolerance)}"
            return f"{a} and {b} touch{near}"
        case "ray":
            who = f"the ray {a}" if promise.origin is None else f"the ray from {vector(promise.origin)}"
            at = f" at {between(promise.distance)}" if promise.distance else ""
            return f"{who} first hits {b}{at}" if b else f"{who} hits nothing"
        case "sweep":
            at = f" at {between(promise.fraction)} of the way" if promise.fraction else ""
            return f"{a} on its way first touches {b}{at}" if b else f"{a} on its way touches nothing"
        case _:
            return f"{a or vector(promise.point or (0.0, 0.0, 0.0))} lies inside {b}"


def when(promise: Expectation, moving: bool) -> str:
    """Say when something is promised; nothing where there is no other time than now."""
    word = promise.quantifier
    if promise.at is not None:
        return f"{', not' if word == 'never' else ''} at {exact(promise.at)} s"
    if promise.during is not None:
        span = f"from {exact(promise.during[0])} to {exact(promise.during[1])} s"
        return {"always": f", all the time {span}", "ever": f", at some time {span}"}.get(word, f", at no time {span}")
    if word == "never":
        return ", at no time" if moving else ": not so"
    if not moving or promise.kind in ("ray", "sweep"):
        return ""
    return ", at some time" if word == "ever" else ", all the time"


def apart_or_not(gap: float, size: float) -> str:
    """Say how far apart two shapes are, or how deep they overlap."""
    if abs(gap) <= TOUCH * size:
        return "touch"
    if not math.isfinite(gap):
        return "are at a distance that is no number" if math.isnan(gap) else "overlap without end"
    return f"are {number(gap)} apart" if gap > 0.0 else f"overlap by {number(-gap)}"
