"""The smallest scene that breaks a promise in the same way: those that it is about, and what moves them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from collision import Expectation, Motion, Scene, Shape, Verdict, judge
from collision.inner import FloatArray
from viewer.camera.outline import finite_bounds

#: Of a batch that moves not so many elements are kept beside the one that it is about.
_FEW = 16

#: How much the same numbers may be off that are computed of fewer shapes, as a part of their size.
_SAME = 1e-6


def minimal_scene(scene: Scene, verdict: Verdict) -> Scene | None:
    """Return a scene of few shapes that breaks a promise as another scene does.

    Parameters
    ----------
    scene : Scene
        The scene that was judged.
    verdict : Verdict
        What is broken in it.

    Returns
    -------
    Scene or None
        With the shapes that the verdict is about, their motions, and the one promise; judging it gives the same
        numbers. None if it is broken by what is not there, or by more than these shapes.

    Examples
    --------
    >>> from collision import Sphere
    >>> balls = Sphere([[0, 0, 0], [1.5, 0, 0], [9, 0, 0]], 1)
    >>> scene = Scene({"balls": balls, "far": Sphere([0, 9, 0], 1)}, expectations=[Expectation("apart", "*", "balls")])
    >>> small = minimal_scene(scene, judge(scene).verdicts[0])
    >>> list(small), small.expectations
    (['balls', 'balls 1'], (Expectation('apart', 'balls', 'balls 1', id='apart * balls'),))
    """
    if verdict.ok or verdict.pair is None:
        return None
    promise = verdict.expectation
    names = [name for name in verdict.pair if name]
    if promise is not None and promise.kind in ("ray", "sweep"):
        names += _meant(scene, promise.b)[:_FEW]
    kept = _renamed(scene, dict.fromkeys(names))
    shapes = {new: scene[name] for name, new in kept.items()}
    motion = [own for name, new in kept.items() for own in _motions(scene, name, new)]
    wanted = _in_time(_promise(scene, verdict, kept), motion)
    small = Scene(shapes, title=scene.title, motion=motion, expectations=[wanted], open=True)
    return small if _alike(small, verdict) else None


def _renamed(scene: Scene, names: Iterable[str]) -> dict[str, str]:
    """Return new names for elements: one of a batch cannot keep its own."""
    found: dict[str, str] = {}
    for name in names:
        new = base = name.partition("[")[0]
        number = 0
        while new in found.values():
            number += 1
            new = f"{base} {number}"
        found[name] = new
    return found


def _meant(scene: Scene, name: str) -> list[str]:
    return [scene.element_name(int(number)) for number in scene.promised_names.numbers(name)] if name else []


def _motions(scene: Scene, name: str, new: str) -> list[Motion]:
    """Return what moves an element, as motions of it alone."""
    number, found = scene.element_numbers(name)[0], []
    for motion in scene.motion:
        if number not in scene.promised_names.numbers(motion.shape):
            continue
        own = motion.of(new)
        if motion.turns and motion.pivot is None:
            whole = scene[name if "[" in motion.shape else name.partition("[")[0]]
            pivot = _middle(whole)
            own = Motion(new, motion.times, motion.offsets, motion.rotations, pivot=pivot)
        found.append(own)
    return found


def _middle(shape: Shape) -> FloatArray:
    """Return what a shape turns about unless something else is said."""
    box = finite_bounds(shape.flattened())
    return np.asarray(0.5 * (box.lower.min(axis=0) + box.upper.max(axis=0)))


def _promise(scene: Scene, verdict: Verdict, kept: dict[str, str]) -> Expectation:
    """Return the promise with the names of single shapes."""
    promise, pair = verdict.expectation, verdict.pair or ("", "")
    a, b = (kept.get(name, "") for name in pair)
    if promise is None:
        return Expectation("apart", a, b)
    if promise.kind == "ray":
        return replace(promise, a=promise.a and a, b=_target(scene, promise, kept), without=())
    if promise.kind == "sweep":
        return replace(promise, a=a, b=_target(scene, promise, kept), without=())
    if promise.point is not None:
        return replace(promise, b=b)
    return replace(promise, a=a, b=b)


def _in_time(promise: Expectation, motion: list[Motion]) -> Expectation:
    """Return a promise about the times of a motion that may be shorter, or none: before and after, all rests."""
    if not promise.timed:
        return promise
    if not motion:
        return replace(promise, at=None, during=None)
    begin, end = min(one.times[0] for one in motion), max(one.times[-1] for one in motion)
    if promise.at is not None:
        return replace(promise, at=float(np.clip(promise.at, begin, end)))
    return replace(promise, during=tuple(np.clip(promise.during, begin, end).tolist()))


def _target(scene: Scene, promise: Expectation, kept: dict[str, str]) -> str:
    """Return the new name of the first of those that a ray or a sweep should find."""
    return next((kept[name] for name in _meant(scene, promise.b) if name in kept), "")


def _alike(small: Scene, verdict: Verdict) -> bool:
    """Tell whether a scene breaks a promise by the same numbers."""
    found = judge(small).verdicts[0]
    if found.ok:
        return False
    wanted = verdict.values.get("signed_distance", verdict.values.get("distance", verdict.values.get("fraction")))
    got = found.values.get("signed_distance", found.values.get("distance", found.values.get("fraction")))
    if wanted is None or got is None:
        return wanted is got
    return math.isclose(got, wanted, rel_tol=_SAME)
