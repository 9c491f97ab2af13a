"""Verdicts on promises about pairs, over a motion: no moment is left out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.kernels.cores import TOUCH
from collision.promises.bands import Band, angle_between, apart, band_of, number, promised
from collision.promises.pairs import StillScene
from collision.promises.records import BrokenPair, Verdict
from collision.promises.still import gap_words, mending, more, told_of
from collision.scene.expectations import NOTHING_ELSE, Expectation
from collision.timeline.least import EXACT
from collision.timeline.pairs import MovingScene, NearPairs


class Worst(NamedTuple):
    """The moment that a verdict rests on: which pair, how far apart, when, and what is certain of all other moments.

    Attributes
    ----------
    pair : ndarray of int, shape (2,)
    gap, time : float
    bound : float
        From below for the least distance, from above for the largest.
    size : float
    normal : ndarray, shape (3,)
    """

    pair: IntArray
    gap: float
    time: float
    bound: float
    size: float
    normal: FloatArray


class Decided(NamedTuple):
    """Whether a promise is kept, the moment that says so, and whether it is certain."""

    ok: bool
    worst: Worst
    certain: bool
    broken: NearPairs | None = None


def moving_verdict(moving: MovingScene, promise: Expectation, tolerance: float, most: int) -> Verdict:
    """Return the verdict on a promise that shapes collide, stay apart or touch, over the time of a moving scene."""
    expected = promised(promise, moving=True)
    scene = moving.scene
    if nothing := moving.names.nothing_to_test(promise.a, promise.b, scene.tested):
        return Verdict(promise.id, False, expected, nothing, promise)
    found = _decide(moving, promise, tolerance)
    gap, size = found.worst.gap, found.worst.size
    names = _names(moving, found.worst.pair)
    values = _values(found.worst)
    ok = found.ok and found.certain and not math.isnan(gap)
    actual = f"{gap_words(promise, names, gap, size, found.ok)} at {number(found.worst.time)} s"
    if found.ok and not found.certain:
        actual += f"; it is not certain that it is never beyond {number(found.worst.bound)}"
    if promise.normal is not None:
        values["angle"] = angle_between(found.worst.normal, promise.normal)
        actual += f", the normal {number(values['angle'])} degrees off"
        inside = values["angle"] <= promise.within
        ok = (ok and inside) if promise.quantifier != "never" else ok or (found.certain and not inside)
    broken = found.broken if not ok else None
    count = 0 if ok else max(1, len(broken.pairs) if broken is not None else 1)
    band = band_of(promise, size, tolerance)
    return Verdict(
        promise.id,
        ok,
        expected,
        actual + more(count),
        promise,
        names,
        found.worst.time,
        values,
        None if ok or promise.quantifier == "never" else mending(band, gap, found.worst.normal),
        _others(moving, broken, most) if broken is not None else (),
        count,
    )


def _decide(moving: MovingScene, promise: Expectation, tolerance: float) -> Decided:
    """Return what the least and the largest distance say of a promise, those that are asked for."""
    scale = moving.reach
    band = band_of(promise, scale, tolerance)
    match promise.quantifier, promise.kind:
        case "always", _:
            return _always(moving, promise, band, tolerance)
        case "ever", "apart":
            far = _far(moving, promise, None)
            held = band_of(promise, far.size, tolerance).holds(far.gap)
            return Decided(held, far, True)
        case "ever", _:
            near = _near(moving, promise, -math.inf)[1]
            own = band_of(promise, near.size, tolerance)
            return Decided(own.holds(near.gap), near, near.bound >= own.low - _fuzz(near))
    return _never(moving, promise, tolerance)


def _always(moving: MovingScene, promise: Expectation, band: Band, tolerance: float) -> Decided:
    low = Decided(True, _NOWHERE, True)
    if band.low > -math.inf:
        pairs, near = _near(moving, promise, band.low + _slack(moving))
        bad = _too_near(pairs, [band_of(promise, size, tolerance) for size in pairs.size.tolist()])
        if bad.any():
            broken = pairs.rows(np.flatnonzero(bad))
            return Decided(False, _worst_of(broken), True, broken)
        limit = band_of(promise, near.size, tolerance).low
        low = Decided(True, near, bool(near.bound >= limit - _fuzz(near)))
    if band.high == math.inf:
        return low
    far = _far(moving, promise, band.high)
    limit = band_of(promise, far.size, tolerance).high
    if not far.gap <= limit:
        return Decided(False, far, True)
    certain = far.bound <= limit + _fuzz(far)
    return low if certain and not low.certain else Decided(True, far, certain)


def _too_near(pairs: NearPairs, bands: list[Band]) -> BoolArray:
    """Tell which pairs are below their bands."""
    gaps = zip(bands, pairs.gap.tolist(), strict=True)
    return np.array([not band._replace(high=math.inf).holds(gap) for band, gap in gaps], dtype=bool)


def _never(moving: MovingScene, promise: Expectation, tolerance: float) -> Decided:
    """At no time in the band: always nearer than it begins, or always farther than it ends."""
    if promise.kind == "apart":
        far = _far(moving, promise, None)
        band = band_of(promise, far.size, tolerance)
        return Decided(not band.holds(far.gap), far, far.bound <= band.low + _fuzz(far))
    near = _near(moving, promise, -math.inf)[1]
    band = band_of(promise, near.size, tolerance)
    if near.gap > band.high:
        return Decided(True, near, near.bound >= band.high - _fuzz(near))
    if near.gap < band.low:
        far = _far(moving, promise, band.low)
        if far.gap < band.low:
            return Decided(True, far, far.bound <= band.low + _fuzz(far))
    return Decided(False, near, True)


def _near(moving: MovingScene, promise: Expectation, level: float) -> tuple[NearPairs, Worst]:
    found = moving.nearest(promise.a, promise.b, level)
    return found, _worst_of(found)


def _worst_of(found: NearPairs) -> Worst:
    row = int(np.argmin(found.gap - TOUCH * found.size))
    gap, time, bound, size = (float(part[row]) for part in (found.gap, found.time, found.bound, found.size))
    return Worst(found.pairs[row], gap, time, bound, size, found.normal[row])


def _far(moving: MovingScene, promise: Expectation, level: float | None) -> Worst:
    far = moving.farthest(promise.a, promise.b, level)
    return Worst(far.pair, far.gap, far.time, far.bound, far.size, far.normal)


_NOWHERE = Worst(np.zeros(2, dtype=np.intp), 0.0, 0.0, 0.0, 0.0, np.zeros(3))


def _fuzz(worst: Worst) -> float:
    """Return how exactly extremes are known at best."""
    return 4.0 * EXACT * worst.size


def _slack(moving: MovingScene) -> float:
    """Return how near pairs have to come, beyond a level, to be looked at: as near as touches of the largest."""
    return TOUCH * moving.reach


def _names(moving: MovingScene, pair: IntArray) -> tuple[str, str]:
    return moving.scene.element_name(int(pair[0])), moving.scene.element_name(int(pair[1]))


def _values(worst: Worst) -> dict[str, float]:
    gap = worst.gap
    values = {"signed_distance": gap, "depth": max(-gap, 0.0) + 0.0, "clearance": max(gap, 0.0)}
    error = abs(worst.bound - gap)
    return values if error <= _fuzz(worst) else {**values, "error": error}


def _others(moving: MovingScene, broken: NearPairs, most: int) -> tuple[BrokenPair, ...]:
    order = np.argsort(broken.gap - TOUCH * broken.size, kind="stable")[1 : most + 1]
    rows = zip(broken.pairs[order], broken.gap[order].tolist(), broken.time[order].tolist(), strict=True)
    return tuple(BrokenPair(*_names(moving, pair), gap, time) for pair, gap, time in rows)


# -- all other pairs ---------------------------------------------------------------------------------------------------


def nothing_else_moves_in(moving: MovingScene, promises: Sequence[Expectation], tolerance: float, most: int) -> Verdict:
    """Return the verdict on the pairs that no promise is about: none of them collides at any time."""
    expected, still = "nothing else collides, all the time", StillScene(moving.scene)
    pairs = moving.meeting()
    pairs = pairs[~told_of(still, promises, pairs)]
    found = moving.nearest_of(pairs, _slack(moving))
    bad = _too_near(found, [apart(size, tolerance) for size in found.size.tolist()])
    if not bad.any():
        return _certain_of_nothing(moving, found, tolerance, expected)
    broken = found.rows(np.flatnonzero(bad))
    worst, count = _worst_of(broken), len(broken.pairs)
    names = _names(moving, worst.pair)
    words = gap_words(Expectation("apart", *names), names, worst.gap, worst.size, False)
    return Verdict(
        NOTHING_ELSE,
        False,
        expected,
        f"{words} at {number(worst.time)} s{more(count)}",
        None,
        names,
        worst.time,
        _values(worst),
        mending(apart(worst.size, tolerance), worst.gap, worst.normal),
        _others(moving, broken, most),
        count,
    )


def _certain_of_nothing(moving: MovingScene, found: NearPairs, tolerance: float, expected: str) -> Verdict:
    """Return the verdict where nothing was found: whether that is certain."""
    if not len(found.pairs):
        return Verdict(NOTHING_ELSE, True, expected, "nothing else collides")
    nearest = _worst_of(found)
    if nearest.bound >= -tolerance - _fuzz(nearest):
        return Verdict(NOTHING_ELSE, True, expected, "nothing else collides")
    names = _names(moving, nearest.pair)
    words = f"nothing else was found to collide, but it is not certain that {names[0]} and {names[1]} never do"
    return Verdict(NOTHING_ELSE, False, expected, words, None, names, nearest.time, _values(nearest), count=1)
