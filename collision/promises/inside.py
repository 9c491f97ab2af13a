"""Verdicts on what lies inside of something, over a motion."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray
from collision.kernels.cores import TOUCH
from collision.promises.bands import number, promised
from collision.promises.casts import inside_verdict
from collision.promises.pairs import StillScene
from collision.promises.records import Verdict
from collision.scene.expectations import Expectation
from collision.scene.scene import Scene
from collision.shapes.balls import extreme_points
from collision.shapes.kinds import AABB, Point, Shape, Sphere
from collision.shapes.motion import Motion
from collision.shapes.rotations import KnownQuaternions
from collision.timeline.least import EXACT
from collision.timeline.pairs import MovingScene
from collision.timeline.reduced import Extreme, ReducedSearch
from collision.timeline.tracks import Tracks


class _Held(NamedTuple):
    """Something that is to lie inside: its name, empty for a point; its shape at rest, and the motions of it."""

    name: str
    shape: Shape
    motions: tuple[Motion, ...]

    @property
    def decidable(self) -> bool:
        """Whether its corners are the same all the time."""
        turns = any(motion.turns for motion in self.motions)
        return self.shape.bounded and not (turns and isinstance(self.shape, AABB))


def moving_inside(moving: MovingScene, promise: Expectation, tolerance: float) -> Verdict:
    """Return the verdict on what lies inside of something over a time.

    Of a shape its corners are looked at, each with the radius around it: a convex shape holds it if it holds these.
    """
    expected = promised(promise, moving=True)
    if moving.start == moving.stop:
        still = replace(promise, at=None, during=None, id=promise.id)
        at_rest = inside_verdict(StillScene(moving.scene.at(moving.start)), still, tolerance)
        return replace(at_rest, expected=expected, expectation=promise, time=moving.start)
    holders = _elements(moving, promise.b)
    held = [_Held("", Point(promise.point), ())] if promise.point is not None else _elements(moving, promise.a)
    if not _pairs(held, holders):
        nothing = moving.names.nothing_to_test(promise.a or promise.b, promise.b, moving.scene.tested)
        return Verdict(promise.id, False, expected, nothing or "nothing was tested", promise)
    for one in held:
        if not one.decidable:
            words = f"of {one.name}, which has no end or is kept upright as it turns, it is told at single times only"
            return Verdict(promise.id, False, expected, words, promise)
    search = _Search(moving, held, holders, promise.quantifier)
    return _said(promise, expected, search, search.extreme(), tolerance)


def _said(promise: Expectation, expected: str, search: _Search, worst: Extreme, tolerance: float) -> Verdict:
    """Return the verdict that follows from how far something sticks out at the moment that counts."""
    never, slack = promise.quantifier == "never", TOUCH * worst.size + tolerance
    fuzz, inside = 4.0 * EXACT * worst.size, worst.value <= slack
    sure = {"never": worst.bound >= -fuzz, "always": worst.bound <= slack + fuzz}.get(promise.quantifier, True)
    ok = inside != never and sure
    name, holder = search.names(worst)
    what = name or "it"
    words = f"{what} lies inside {holder}" if inside else f"{what} sticks out of {holder} by {number(worst.value)}"
    doubt = f"; it is not certain that it is never beyond {number(worst.bound)}" if inside != never and not sure else ""
    return Verdict(
        promise.id,
        ok,
        expected,
        f"{words} at {number(worst.time)} s{doubt}",
        promise,
        (name, holder),
        worst.time,
        {"signed_distance": worst.value},
        count=int(not ok),
    )


def _elements(moving: MovingScene, name: str) -> list[_Held]:
    """Return the elements that a name stands for and that are not hidden, with all that moves them."""
    scene, found = moving.scene, []
    for element in np.intersect1d(moving.names.numbers(name), moving.shown).tolist():
        own = scene.element_name(element)
        steps = [step for chain in scene._movers.chains if element in chain.elements for step in chain.steps]
        motions = tuple(
            Motion(
                "any", s.motion.times, s.motion.offsets, KnownQuaternions(s.motion.rotations),
                pivot=scene._movers.pivot(s, scene),
            )
            for s in steps
        )  # fmt: skip
        found.append(_Held(own, scene.element(element), motions))
    return found


def _pairs(held: list[_Held], holders: list[_Held]) -> bool:
    """Tell whether each has something else that could hold it."""
    return bool(held) and all(any(other.name != one.name for other in holders) for one in held)


class _Search:
    """The search for when shapes stick out most, or least: in a scene in which corners, as spheres, move as they do."""

    def __init__(self, moving: MovingScene, held: list[_Held], holders: list[_Held], quantifier: str) -> None:
        self._held, self._holders, self._quantifier = held, holders, quantifier
        self._moving = moving
        self._own = np.array([[other.name != one.name for other in holders] for one in held])
        corners = [extreme_points(one.shape) for one in held]
        self._counts = [len(points) for points, _ in corners]
        self._radii = np.array([float(radius) for _, radius in corners])

    def extreme(self) -> Extreme:
        """Return by how much they stick out of what holds them best."""
        shapes: dict[str, Shape] = {f"holder {k}": holder.shape for k, holder in enumerate(self._holders)}
        motions = [motion.of(f"holder {k}") for k, holder in enumerate(self._holders) for motion in holder.motions]
        for k, one in enumerate(self._held):
            points, radius = extreme_points(one.shape)
            shapes[f"held {k}"] = Sphere(np.stack(points), float(radius))
            motions += [motion.of(f"held {k}") for motion in one.motions]
        scene = Scene(shapes, motion=motions)
        numbers = np.concatenate([list(scene.element_numbers(f"held {k}")) for k in range(len(self._held))])
        holders = np.concatenate([list(scene.element_numbers(f"holder {k}")) for k in range(len(self._holders))])
        pairs = np.stack([np.tile(numbers, len(holders)), np.repeat(holders, len(numbers))], axis=1)
        largest = self._quantifier == "always"
        tracks = Tracks(scene, pairs)
        search = ReducedSearch(tracks, self._moving.start, self._moving.stop, self._out, largest=largest)
        level = TOUCH * self._moving.reach
        return search.found(None if self._quantifier == "never" else level, any_beyond=self._quantifier == "ever")

    def _each(self, gaps: FloatArray) -> FloatArray:
        """Return how far each sticks out of each holder, (n, holders, held), from the distances of spheres."""
        by_holder = gaps.reshape(len(gaps), len(self._holders), -1)
        starts = np.cumsum([0, *self._counts[:-1]])
        # A sphere is inside where its center is, and farther from the surface than its radius.
        found = np.maximum.reduceat(by_holder, starts, axis=2) + 2.0 * self._radii
        return np.where(self._own.T, found, np.inf)

    def _out(self, gaps: FloatArray) -> FloatArray:
        """Return how far out that sticks which counts: of what may never be inside, that which is farthest in."""
        best = self._each(gaps).min(axis=1)
        return np.asarray(best.min(axis=1) if self._quantifier == "never" else best.max(axis=1))

    def names(self, found: Extreme) -> tuple[str, str]:
        """Return the names of what counts at a moment, and of what holds it best."""
        each = self._each(found.gaps[None])[0]
        best = each.min(axis=0)
        held = int(np.argmin(best) if self._quantifier == "never" else np.argmax(best))
        return self._held[held].name, self._holders[int(np.argmin(each[:, held]))].name
