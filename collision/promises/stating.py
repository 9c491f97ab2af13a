"""What holds in a scene as it is, as promises: to be looked over, kept, and compared with later."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from collision.base.fields import IntArray, read_margin
from collision.promises.bands import RIGHT
from collision.promises.judge import judge
from collision.promises.pairs import StillScene
from collision.promises.still import told_of
from collision.scene.expectations import STATED, Expectation
from collision.scene.scene import Scene, check_scene
from collision.timeline.intervals import touching_intervals
from collision.timeline.pairs import MovingScene, NearPairs

#: Numbers are rounded outwards to this many digits.
_DIGITS = 3


def current_expectations(scene: Scene, *, margin: float = 0.0) -> tuple[Expectation, ...]:
    """Return promises that state what holds in a scene as it is.

    Parameters
    ----------
    scene : Scene
        Its own promises are kept in mind: what they are about is not stated again, unless their ids show that they
        were made by this function.
    margin : float
        How near to each other pairs are that do not touch, so that their clearance is stated.

    Returns
    -------
    tuple of Expectation
        All pairs that collide, each with its depth; those that touch; the clearance of those that are near, and in any
        case that of the nearest. Over a motion also when they collide, and when not. Numbers are rounded outwards to
        three digits. What `judge` does not find to hold is left out.

    Raises
    ------
    TypeError
        If that is no scene.
    ValueError
        If the margin is negative or not finite.

    Notes
    -----
    Depths and clearances over a motion are those of `collision.extreme_distance`, times those of
    `collision.touching_intervals`.

    Examples
    --------
    >>> from collision import Scene, Sphere
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1.75, 0, 0], 1), "c": Sphere([0, 4, 0], 1)})
    >>> for promise in current_expectations(scene, margin=3):
    ...     print(promise)
    Expectation('collide', 'a', 'b', depth=(0.25, 0.25), id='now: collide a b')
    Expectation('apart', 'a', 'c', clearance=2.0, id='now: apart a c')
    Expectation('apart', 'b', 'c', clearance=2.36, id='now: apart b c')
    """
    near = read_margin(margin, "current_expectations")
    own = [promise for promise in check_scene(scene, "current_expectations").expectations if not promise.stated]
    alone = scene.replaced(expectations=own)
    span = scene.span or (0.0, 0.0)
    found = _pairs(MovingScene(alone, *span), near)
    found = found.rows(np.flatnonzero(~told_of(StillScene(alone), own, found.pairs)))
    stated = list(_stated(alone, found))
    if scene.span is not None:
        stated += _times(alone, own)
    renamed = [promise for promise in stated if promise.id not in {one.id for one in own}]
    kept = {v.id for v in judge(scene.replaced(expectations=renamed, open=True)).verdicts if v.ok}
    return tuple(promise for promise in renamed if promise.id in kept)


def _pairs(moving: MovingScene, margin: float) -> NearPairs:
    """Return the pairs that come as near as a margin, in their order, and in any case the nearest of all."""
    scene = moving.scene
    if moving.start == moving.stop:
        contacts, still = scene.contacts(margin=margin), StillScene(scene)
        pairs = contacts.pairs
        if not len(pairs):
            nearest = [scene.nearest_element(scene.element_name(int(number))) for number in moving.shown]
            both = [sorted((int(a), b)) for a, b in zip(moving.shown, nearest, strict=True) if b is not None]
            pairs = np.unique(np.array(both, dtype=np.intp).reshape(-1, 2), axis=0)
            pairs = pairs[np.argsort(still.pair_gaps(pairs).signed_distance, kind="stable")[:1]]
        gaps = still.pair_gaps(pairs)
        none = np.zeros(len(pairs))
        return NearPairs(pairs, gaps.signed_distance, none, gaps.signed_distance, gaps.size, gaps.normal)
    pairs = _all_pairs(moving)
    found = moving.nearest_of(pairs, margin)
    return found.rows(np.lexsort((found.pairs[:, 1], found.pairs[:, 0])))


def _all_pairs(moving: MovingScene) -> IntArray:
    """Return all pairs that are tested."""
    i, j = (moving.shown[index] for index in np.triu_indices(len(moving.shown), 1))
    keep = moving.scene.tested(i, j)
    return np.stack([i[keep], j[keep]], axis=1)


def _stated(scene: Scene, found: NearPairs) -> Iterator[Expectation]:
    """Yield what holds of pairs: their depth, that they touch, or their clearance."""
    for (i, j), gap, size in zip(found.pairs.tolist(), found.gap.tolist(), found.size.tolist(), strict=True):
        a, b = scene.element_name(i), scene.element_name(j)
        if not math.isfinite(gap):
            continue
        if abs(gap) <= RIGHT * size:
            promise = Expectation("touch", a, b, when="ever" if scene.span else "")
        elif gap < 0.0:
            promise = Expectation("collide", a, b, depth=(rounded(-gap, down=True), rounded(-gap, down=False)))
        else:
            promise = Expectation("apart", a, b, clearance=rounded(gap, down=True))
        yield _named(promise)


def _named(promise: Expectation) -> Expectation:
    return Expectation(promise.kind, id=f"{STATED}{promise.made_id}", **promise.given())


def rounded(value: float, *, down: bool) -> float:
    """Round a number to few digits, downwards or upwards; one that has few digits, but for rounding, stays.

    Examples
    --------
    >>> rounded(0.123456, down=True), rounded(0.123456, down=False), rounded(0.1 + 0.2, down=False)
    (0.123, 0.124, 0.3)
    """
    near = float(f"{value:.{_DIGITS - 1}e}")
    if abs(near - value) <= RIGHT * value:
        return near
    unit = 10.0 ** (math.floor(math.log10(value)) - _DIGITS + 1)
    steps = math.floor(value / unit) if down else math.ceil(value / unit)
    return float(f"{steps * unit:.{_DIGITS - 1}e}")


def _times(scene: Scene, own: list[Expectation]) -> Iterator[Expectation]:
    """Yield when pairs collide, and when they do not."""
    found = touching_intervals(scene)
    if not len(found):
        return
    unit = 10.0 ** (math.floor(math.log10(found.stop - found.start)) - _DIGITS)
    fresh = ~told_of(StillScene(scene), own, found.pairs)
    for pair in np.unique(found.pairs[fresh], axis=0):
        rows = np.flatnonzero((found.pairs == pair).all(axis=1))
        names = scene.element_name(int(pair[0])), scene.element_name(int(pair[1]))
        spans = np.stack([found.begin[rows], found.end[rows]], axis=1)
        for begin, end in spans:
            span = _inside(float(begin), float(end), unit, found.start, found.stop)
            if span:
                yield _named(Expectation("collide", *names, during=span))
        edges = np.concatenate([[found.start], spans.ravel(), [found.stop]])
        for begin, end in edges.reshape(-1, 2):
            span = _inside(float(begin), float(end), unit, found.start, found.stop)
            if span:
                yield _named(Expectation("collide", *names, when="never", during=span))


def _inside(begin: float, end: float, unit: float, start: float, stop: float) -> tuple[float, float] | None:
    """Return a time within another, of few digits; None where there is none. The first and the last time stay."""
    low = begin if begin == start else unit * (math.floor(begin / unit) + 1)
    high = end if end == stop else unit * (math.ceil(end / unit) - 1)
    low, high = (edge if edge in (start, stop) else float(f"{edge:.12g}") for edge in (low, high))
    return (low, high) if low < high else None
