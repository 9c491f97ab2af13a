"""What lies inside of something, at rest and over a motion: a convex shape holds what it holds the corners of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray
from collision.kernels.cores import TOUCH
from collision.queries.distances import contains, distances_to
from collision.queries.separation import separate
from collision.scene.expectations import Expectation
from collision.scene.scene import Scene, movers_of
from collision.shapes.kinds import AABB, Point, Shape, Sphere
from collision.shapes.motion import Motion
from collision.timeline.distances import Extreme, ReducedSearch
from collision.timeline.extremes import MovingScene


def out_of(shape: Shape, holder: Shape, tolerance: float) -> float:
    """Return how far a shape sticks out of another; zero or less, where it lies inside to rounding and a tolerance."""
    if not shape.bounded:
        return 0.0 if bool(contains(holder, shape)) else float("inf")
    points = shape.core.extremes(distances_to(holder))
    record = separate(holder, Point(points), (len(points),))
    far: FloatArray = record.signed_distance + shape.core.radius
    worst = int(np.argmax(np.where(np.isnan(far), np.inf, far)))
    out = float(far[worst])
    inside = bool(contains(holder, shape)) or out <= tolerance + TOUCH * float(np.max(record.size))
    return min(out, 0.0) if inside else out if out > 0.0 else float("inf")


class Held(NamedTuple):
    """Something that is to lie inside, or that holds it: its name, its shape at rest, and all that moves it."""

    name: str
    shape: Shape
    motions: list[Motion]

    @property
    def undecidable(self) -> str:
        """Why it has no corners, or not the same all the time; nothing if it has."""
        if not self.shape.bounded:
            return "has no end"
        if self.shape.core.vertices() is None:
            return "has curved faces"
        turns = any(motion.turns for motion in self.motions)
        return "is kept upright as it turns" if turns and isinstance(self.shape, AABB) else ""


class InsideSearch:
    """The search for when shapes stick out most, or least: in a scene in which corners, as spheres, move as they do."""

    def __init__(self, moving: MovingScene, expectation: Expectation) -> None:
        self._moving, self._quantifier = moving, expectation.quantifier
        self._holders = self._elements(expectation.b)
        inner = [Held("", Point(expectation.point), [])] if expectation.point is not None else None
        self.held = self._elements(expectation.a) if inner is None else inner
        self._other = np.array([[holder.name != one.name for holder in self._holders] for one in self.held])

    @property
    def possible(self) -> bool:
        """Whether each has something else that could hold it."""
        return bool(self.held) and bool(self._other.any(axis=1).all())

    def _elements(self, name: str) -> list[Held]:
        scene, found = self._moving.scene, []
        for number in np.intersect1d(self._moving.names.numbers(name), self._moving.shown).tolist():
            own = scene.element_name(number)
            found.append(Held(own, scene.element(number), movers_of(scene).motions_of(number, own, scene)))
        return found

    def extreme(self) -> Extreme:
        """Return by how much they stick out of what holds them best."""
        shapes: dict[str, Shape] = {f"holder {k}": holder.shape for k, holder in enumerate(self._holders)}
        motions = [motion.of(f"holder {k}") for k, holder in enumerate(self._holders) for motion in holder.motions]
        counts, radii = [], []
        for k, one in enumerate(self.held):
            points, radius = one.shape.core.vertices(), float(one.shape.core.radius)
            assert points is not None, one.undecidable
            counts.append(len(points))
            radii.append(radius)
            shapes[f"held {k}"] = Sphere(points, radius)
            motions += [motion.of(f"held {k}") for motion in one.motions]
        self._first_corners, self._radii = np.cumsum([0, *counts[:-1]]), np.array(radii)
        scene = Scene(shapes, motion=motions)
        corners = np.arange(len(self._holders), scene.element_count)
        holders = np.arange(len(self._holders))
        pairs = np.stack([np.tile(corners, len(holders)), np.repeat(holders, len(corners))], axis=1)
        largest = self._quantifier == "always"
        timed = MovingScene(scene, self._moving.start, self._moving.stop).timed(pairs)
        search = ReducedSearch(timed, self._out, largest=largest)
        level = TOUCH * self._moving.reach
        return search.found(None if self._quantifier == "never" else level, any_beyond=self._quantifier == "ever")

    def _each(self, gaps: FloatArray) -> FloatArray:
        """Return how far each sticks out of each holder, (n, holders, held), from the distances of spheres."""
        by_holder = gaps.reshape(len(gaps), len(self._holders), -1)
        # A sphere is inside where its center is, and farther from the surface than its radius.
        found = np.maximum.reduceat(by_holder, self._first_corners, axis=2) + 2.0 * self._radii
        return np.where(self._other.T, found, np.inf)

    def _out(self, gaps: FloatArray) -> FloatArray:
        """Return how far out that sticks which counts: of what may never be inside, that which is farthest in."""
        best = self._each(gaps).min(axis=1)
        return np.asarray(best.min(axis=1) if self._quantifier == "never" else best.max(axis=1))

    def names(self, found: Extreme) -> tuple[str, str]:
        """Return the names of what counts at a moment, and of what holds it best."""
        each = self._each(found.gaps[None])[0]
        best = each.min(axis=0)
        held = int(np.argmin(best) if self._quantifier == "never" else np.argmax(best))
        return self.held[held].name, self._holders[int(np.argmin(each[:, held]))].name
