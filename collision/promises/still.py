"""Verdicts on promises about pairs, in a scene at rest."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.promises.bands import (
    RIGHT,
    Band,
    angle_between,
    apart,
    apart_or_not,
    band_of,
    number,
    promised,
    told_apart,
)
from collision.promises.pairs import Gaps, StillScene, product
from collision.promises.records import BrokenPair, Verdict
from collision.queries.distances import signed_distance
from collision.scene.expectations import NOTHING_ELSE, Expectation, Vector
from collision.shapes.kinds import Shape

#: Up to so many pairs that a promise allows are looked up one by one.
_FEW = 4096


def pair_verdict(still: StillScene, promise: Expectation, tolerance: float, most: int) -> Verdict:
    """Return the verdict on a promise that shapes collide, stay apart or touch."""
    reach = promise.clearance if promise.kind == "apart" else 0.0
    found = still.near(promise.a, promise.b, reach)
    expected = promised(promise, moving=False)
    if not len(found.pairs):
        return nothing_tested(still, promise, expected)
    bad = _bad(found, promise, tolerance) if promise.kind == "apart" else np.zeros(len(found.pairs), dtype=bool)
    worst = found.nearest(bad)
    gap, size = float(found.signed_distance[worst]), float(found.size[worst])
    band = band_of(promise, size, tolerance)
    held = band.holds(gap)
    values = {"signed_distance": gap, "depth": max(-gap, 0.0) + 0.0, "clearance": max(gap, 0.0)}
    names = names_of(still, found.pairs[worst])
    actual = gap_words(promise, names, gap, size, held)
    if promise.normal is not None:
        values["angle"] = angle_between(found.normal[worst], promise.normal)
        actual += f", the normal {number(values['angle'])} degrees off"
        held = held and values["angle"] <= promise.within
    shapes = still.scene[names[0]], still.scene[names[1]]
    ok = held != (promise.quantifier == "never") and not math.isnan(gap)
    broken = bad if bad.any() and not ok else np.arange(len(bad)) == worst
    return Verdict(
        promise.id,
        ok,
        expected,
        actual + more(0 if ok else int(np.count_nonzero(broken))),
        promise,
        names,
        values=values,
        move=None if ok or promise.quantifier == "never" else mending(band, gap, found.normal[worst], shapes),
        others=() if ok else listed(still, found.rows(broken), most),
        count=0 if ok else int(np.count_nonzero(broken)),
    )


def _bad(found: Gaps, promise: Expectation, tolerance: float) -> BoolArray:
    """Tell which pairs are not far enough apart."""
    both = zip(found.signed_distance.tolist(), found.size.tolist(), strict=True)
    return np.array([not band_of(promise, size, tolerance).holds(gap) for gap, size in both])


def listed(still: StillScene, found: Gaps, most: int) -> tuple[BrokenPair, ...]:
    """Return some of the worst pairs, but for the very worst."""
    order = np.argsort(found.nearness, kind="stable")[1 : most + 1]
    return tuple(
        BrokenPair(*names_of(still, pair), gap)
        for pair, gap in zip(found.pairs[order], found.signed_distance[order].tolist(), strict=True)
    )


def nothing_tested(still: StillScene, promise: Expectation, expected: str) -> Verdict:
    """Return the verdict on a promise that no pair is tested for: what is not tested is not kept."""
    why = still.names.nothing_to_test(promise.a, promise.b, still.scene.tested)
    return Verdict(promise.id, False, expected, why or "nothing was tested", promise)


def names_of(still: StillScene, pair: IntArray) -> tuple[str, str]:
    """Return the names of a pair."""
    return still.scene.element_name(int(pair[0])), still.scene.element_name(int(pair[1]))


def gap_words(promise: Expectation, names: tuple[str, str], gap: float, size: float, held: bool) -> str:
    """Say how far apart a pair is; with as many digits as show the difference to what was promised."""
    a, b = names
    limits: Sequence[float] = promise.depth or (promise.clearance,)
    if promise.tolerance is not None:
        limits = (promise.tolerance,)
    alike = {"apart": gap, "collide": -gap}.get(promise.kind, abs(gap))  # what overlaps is not near to a clearance
    near = [limit for limit in limits if not held and limit and number(alike) == number(limit)]
    if near:
        said = told_apart(abs(gap), near[0])[0]
        return f"{a} and {b} " + (f"are {said} apart" if gap > 0.0 else f"overlap by {said}")
    return f"{a} and {b} {apart_or_not(gap, size)}"


def more(count: int) -> str:
    """Say how many more pairs break a promise."""
    return f", and {count - 1:,} more pair{'s' if count > 2 else ''}" if count > 1 else ""


def mending(band: Band, gap: float, normal: FloatArray, shapes: tuple[Shape, Shape] | None = None) -> Vector | None:
    """Return the shortest translation of the second of a pair that takes it into a band.

    Along the normal the distance changes as the way does, but not the depth of what is pushed into each other: other
    ways out may be shorter. So there the two shapes are tried.
    """
    if not math.isfinite(gap):
        return None
    step = band.missing(gap) * normal
    if not np.isfinite(step).all() or not step.any():
        return None
    if band.high < 0.0 and gap > band.high and shapes is not None:
        pushed = float(signed_distance(shapes[0], shapes[1].translated(step)))
        if abs(pushed - band.high) > RIGHT * abs(gap - band.high):
            return None
    x, y, z = (step + 0.0).tolist()
    return x, y, z


# -- all other pairs ---------------------------------------------------------------------------------------------------


def nothing_else(still: StillScene, promises: Sequence[Expectation], tolerance: float, most: int) -> Verdict:
    """Return the verdict on the pairs that no promise is about: none of them collides."""
    found = still.colliding
    found = found.rows(~told_of(still, promises, found.pairs))
    # That two touch is known to the last bit; only a tolerance makes a difference.
    bad = found if tolerance == 0.0 else found.rows(~(found.signed_distance >= -tolerance))
    expected = "nothing else collides"
    if not len(bad.pairs):
        return Verdict(NOTHING_ELSE, True, expected, expected)
    pair = bad.rows(np.array([bad.nearest()]))
    exact = still.pair_gaps(pair.pairs)  # with its size
    gap, size = float(pair.signed_distance[0]), float(exact.size[0])
    names, count = names_of(still, pair.pairs[0]), len(bad.pairs)
    return Verdict(
        NOTHING_ELSE,
        False,
        "nothing else collides",
        f"{names[0]} and {names[1]} {apart_or_not(gap, size)}{more(count)}",
        None,
        names,
        values={"signed_distance": gap, "depth": max(-gap, 0.0) + 0.0, "clearance": max(gap, 0.0)},
        move=mending(apart(size, tolerance), gap, pair.normal[0]),
        others=listed(still, bad, most),
        count=count,
    )


def told_of(still: StillScene, promises: Sequence[Expectation], pairs: IntArray) -> BoolArray:
    """Tell which pairs some promise is about: those that may collide, and those that are judged on their own."""
    count, keys = still.scene.element_count, list[Any]()
    mine = pairs.min(axis=1, initial=count) * count + pairs.max(axis=1, initial=0) if len(pairs) else np.zeros(0)
    found: BoolArray = np.zeros(len(pairs), dtype=bool)
    for promise in promises:
        if not speaks_for(promise) or not len(pairs):
            continue
        first, second = still.names.numbers(promise.a), still.names.numbers(promise.b)
        if len(first) * len(second) <= _FEW:
            own = product(first, second)
            keys.append(own.min(axis=1) * count + own.max(axis=1) if len(own) else np.zeros(0, dtype=np.intp))
            continue
        a, b = still.names.mask(promise.a), still.names.mask(promise.b)
        i, j = pairs.T
        found |= (a[i] & b[j]) | (a[j] & b[i])
    return found | np.isin(mine, np.concatenate(keys)) if keys else found


def speaks_for(promise: Expectation) -> bool:
    """Tell whether a promise is about all that its pairs may do.

    What may collide at some time is free to do so at others; what is apart, or never collides, all the time is judged
    for all of it. That something never touches, or is never inside, is no leave to overlap.
    """
    whole = not promise.timed
    match promise.kind, promise.quantifier:
        case "collide", "never":
            return whole and promise.depth is None and promise.normal is None
        case (("touch" | "inside"), "never"):
            return False
        case "apart", quantifier:
            return whole and quantifier == "always"
        case kind, _:
            return kind in ("collide", "touch", "inside") and bool(promise.a)
