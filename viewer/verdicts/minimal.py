"""The smallest scene that breaks a promise in the same way: those that it is about, and what moves them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from collision import Expectation, Motion, Scene, Verdict, judge
from collision.testing import reduced

#: Of a batch that moves not so many elements are kept beside the one that it is about.
_FEW = 16

#: How much the same numbers may be off that are computed of fewer shapes, as a part of their size.
_SAME = 1e-6


def minimal_scene(scene: Scene, verdict: Verdict) -> Scene | None:
    """Return a scene of few shapes that breaks a promise as another scene does, with the same numbers.

    It is None if the promise is broken by what is not there, or by more than the shapes that the verdict is about.
    """
    if verdict.ok or verdict.pair is None:
        return None
    promise = verdict.expectation
    names = [name for name in verdict.pair if name]
    if promise is not None and promise.kind in ("ray", "sweep"):
        names += _elements(scene, promise.b)[:_FEW]
    names = list(dict.fromkeys(names))
    small = reduced(scene, names)
    wanted = _in_time(_promise(scene, verdict, dict(zip(names, small, strict=True))), small.motion)
    small = small.replaced(title=scene.title, expectations=[wanted], open=True)
    return small if _alike(small, verdict) else None


def _elements(scene: Scene, name: str) -> list[str]:
    return [scene.element_name(int(number)) for number in scene.promised_names.numbers(name)] if name else []


def _promise(scene: Scene, verdict: Verdict, renamed: Mapping[str, str]) -> Expectation:
    """Return the promise with the new names of single shapes."""
    promise, pair = verdict.expectation, verdict.pair or ("", "")
    a, b = (renamed.get(name, "") for name in pair)
    if promise is None:
        return Expectation("apart", a, b)
    if promise.kind in ("ray", "sweep"):
        target = next((renamed[name] for name in _elements(scene, promise.b) if name in renamed), "")
        return replace(promise, a=promise.a and a, b=target, without=())
    if promise.point is not None:
        return replace(promise, b=b)
    return replace(promise, a=a, b=b)


def _in_time(promise: Expectation, motion: Sequence[Motion]) -> Expectation:
    """Return a promise about the times of a motion that may be shorter, or none: before and after, all rests."""
    if not promise.timed:
        return promise
    if not motion:
        return replace(promise, at=None, during=None)
    begin, end = min(one.times[0] for one in motion), max(one.times[-1] for one in motion)
    if promise.at is not None:
        return replace(promise, at=float(np.clip(promise.at, begin, end)))
    return replace(promise, during=tuple(np.clip(promise.during, begin, end).tolist()))


def _alike(small: Scene, verdict: Verdict) -> bool:
    """Tell whether a scene breaks a promise by the same numbers."""
    found = judge(small).verdicts[0]
    if found.ok:
        return False
    names = ("signed_distance", "distance", "fraction")
    got, wanted = (next((one.values[n] for n in names if n in one.values), None) for one in (found, verdict))
    if wanted is None or got is None:
        return wanted is got
    return math.isclose(got, wanted, rel_tol=_SAME)
