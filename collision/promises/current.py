"""What holds in a scene as it is, as expectations: to be looked over, kept, and compared with later."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from collision.base.fields import read_margin
from collision.promises.checking import RELATIVE_TOLERANCE, judge
from collision.promises.pairs import StillScene, expected_among
from collision.scene.expectations import STATED, Expectation
from collision.scene.scene import Scene, check_scene
from collision.timeline.extremes import MovingScene, NearPairs
from collision.timeline.intervals import touching_intervals

#: Numbers are rounded outwards to this many digits.
_DIGITS = 3


def current_expectations(scene: Scene, *, margin: float = 0.0) -> tuple[Expectation, ...]:
    """Return promises that a scene keeps as it is, as a tuple of `Expectation`.

    These are on all pairs that collide, each with its depth; those that touch; the clearance of those that are near,
    and in any case that of the nearest. Over a motion they also say when pairs collide, and when not. Numbers are those
    of `collision.extreme_distance` and `collision.touching_intervals`, rounded outwards to three digits. What `judge`
    does not find to hold is left out.

    Parameters
    ----------
    scene : Scene
        What its own promises are about is not stated again, unless their ids show that this function made them.
    margin : float
        How near to each other pairs are that do not touch, so that their clearance is stated; zero or more.

    Examples
    --------
    >>> from collision import Scene, Sphere
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1.75, 0, 0], 1)})
    >>> current_expectations(scene)
    (Expectation('collide', 'a', 'b', depth=(0.25, 0.25), id='now: collide a b'),)
    """
    near = read_margin(margin, "current_expectations")
    own = [one for one in check_scene(scene, "current_expectations").expectations if not one.stated]
    alone = scene.replaced(expectations=own)
    found = list(_of_pairs(alone, near))
    if scene.span is not None:
        found += _of_times(alone)
    own_ids = {one.id for one in own}
    named = [replace(one, id=STATED + one.id) for one in found if STATED + one.id not in own_ids]
    kept = {verdict.id for verdict in judge(scene.replaced(expectations=named, open=True)).verdicts if verdict.ok}
    return tuple(one for one in named if one.id in kept)


def _of_pairs(scene: Scene, margin: float) -> Iterator[Expectation]:
    """Yield what holds of the pairs that come near, and in any case of the nearest: depth, touch or clearance."""
    found = _near(scene, margin)
    found = found.rows(np.flatnonzero(~expected_among(scene, found.pairs)))
    for (i, j), gap, size in zip(found.pairs.tolist(), found.gap.tolist(), found.size.tolist(), strict=True):
        a, b = scene.element_name(i), scene.element_name(j)
        if not math.isfinite(gap):
            continue
        if abs(gap) <= RELATIVE_TOLERANCE * size:
            yield Expectation("touch", a, b, when="ever" if scene.span else "")
        elif gap < 0.0:
            yield Expectation("collide", a, b, depth=(rounded(-gap, down=True), rounded(-gap, down=False)))
        else:
            yield Expectation("apart", a, b, clearance=rounded(gap, down=True))


def _near(scene: Scene, margin: float) -> NearPairs:
    """Return the pairs that come as near as a margin, in their order, and in any case the nearest of all."""
    view: MovingScene | StillScene = MovingScene(scene, *scene.span) if scene.span else StillScene(scene)
    found = view.nearest("*", "*", margin)
    return found.rows(np.lexsort((found.pairs[:, 1], found.pairs[:, 0])))


def rounded(value: float, *, down: bool) -> float:
    """Round a number to few digits, downwards or upwards; one that has few digits, but for rounding, stays.

    Examples
    --------
    >>> rounded(0.123456, down=True), rounded(0.123456, down=False), rounded(0.1 + 0.2, down=False)
    (0.123, 0.124, 0.3)
    """
    near = float(f"{value:.{_DIGITS - 1}e}")
    if abs(near - value) <= RELATIVE_TOLERANCE * value:
        return near
    unit = 10.0 ** (math.floor(math.log10(value)) - _DIGITS + 1)
    steps = math.floor(value / unit) if down else math.ceil(value / unit)
    return float(f"{steps * unit:.{_DIGITS - 1}e}")


def _of_times(scene: Scene) -> Iterator[Expectation]:
    """Yield when pairs collide, and when they do not."""
    found = touching_intervals(scene)
    if not len(found):
        return
    unit = 10.0 ** (math.floor(math.log10(found.stop - found.start)) - _DIGITS)
    free = ~expected_among(scene, found.pairs)
    for pair in np.unique(found.pairs[free], axis=0):
        rows = np.flatnonzero((found.pairs == pair).all(axis=1))
        a, b = scene.element_name(int(pair[0])), scene.element_name(int(pair[1]))
        touching = np.stack([found.begin[rows], found.end[rows]], axis=1)
        between = np.concatenate([[found.start], touching.ravel(), [found.stop]]).reshape(-1, 2)
        for begin, end in touching.tolist():
            if span := _shortened(begin, end, unit, found.start, found.stop):
                yield Expectation("collide", a, b, during=span)
        for begin, end in between.tolist():
            if span := _shortened(begin, end, unit, found.start, found.stop):
                yield Expectation("collide", a, b, when="never", during=span)


def _shortened(begin: float, end: float, unit: float, start: float, stop: float) -> tuple[float, float] | None:
    """Return a time within another, of few digits; None where there is none. The first and the last time stay."""
    low = begin if begin == start else unit * (math.floor(begin / unit) + 1)
    high = end if end == stop else unit * (math.ceil(end / unit) - 1)
    low, high = (edge if edge in (start, stop) else float(f"{edge:.12g}") for edge in (low, high))
    return (low, high) if low < high else None
