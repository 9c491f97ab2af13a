"""Verdicts on promises about rays, sweeps, and what lies inside of what."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from collision.base.fields import FloatArray
from collision.kernels.cores import TOUCH
from collision.promises.bands import RIGHT, Band, number, promised, told_apart
from collision.promises.pairs import StillScene
from collision.promises.records import Verdict
from collision.promises.still import mending, nothing_tested
from collision.queries.distances import closest_points, contains
from collision.queries.separation import separate
from collision.scene.expectations import Expectation
from collision.shapes.balls import extreme_points
from collision.shapes.kinds import Point, Ray, Shape


def ray_verdict(still: StillScene, promise: Expectation, tolerance: float) -> Verdict:
    """Return the verdict on what a ray hits first."""
    scene, expected = still.scene, promised(promise, moving=False)
    without = element_names(still, promise.without)
    if promise.origin is None:
        ray = scene[promise.a]
        without.append(promise.a)
    else:
        ray = Ray(promise.origin, promise.direction)
    assert isinstance(ray, Ray)  # for type checkers: scenes refuse others
    hit = scene.raycast(ray, without=without)
    size = max(float(np.abs(ray.origin).max()), abs(float(hit.enter))) if hit.hit else 0.0
    actual = f"it hits {hit.name} at {number(float(hit.enter))}" if hit.hit else "it hits nothing"
    ok, said = _first_hit(
        still, promise, int(hit.element), float(hit.enter), promise.distance, RIGHT * size + tolerance
    )
    pair = (promise.a, str(hit.name)) if hit.hit else None
    values = {"distance": float(hit.enter)} if hit.hit else {}
    return Verdict(promise.id, ok, expected, said or actual, promise, pair, values=values, count=int(not ok))


def sweep_verdict(still: StillScene, promise: Expectation, tolerance: float) -> Verdict:
    """Return the verdict on what a shape, or several that move together, touch first on a straight way."""
    scene, expected = still.scene, promised(promise, moving=False)
    numbers = still.shown(still.names.numbers(promise.a))
    if not len(numbers):
        return nothing_tested(still, promise, expected)
    own = [scene.element_name(number) for number in still.names.numbers(promise.a).tolist()]
    without = [*own, *element_names(still, promise.without)]
    hits = [
        (scene.sweep(name, motion=promise.motion, without=without), name) for name in map(scene.element_name, numbers)
    ]
    hit, name = min(hits, key=lambda found: (not found[0].hit, float(found[0].fraction), int(found[0].element)))
    ok, said = _first_hit(still, promise, int(hit.element), float(hit.fraction), promise.fraction, RIGHT + tolerance)
    words = (
        f"{name} touches {hit.name} at {number(float(hit.fraction))} of the way" if hit.hit else "it touches nothing"
    )
    values = {"fraction": float(hit.fraction)} if hit.hit else {}
    pair = (name, str(hit.name)) if hit.hit else None
    return Verdict(promise.id, ok, expected, said or words, promise, pair, values=values, count=int(not ok))


def _first_hit(
    still: StillScene,
    promise: Expectation,
    element: int,
    place: float,
    wanted: tuple[float, float] | None,
    slack: float,
) -> tuple[bool, str]:
    """Tell whether what is hit is what should be, and there; and say of a place that only looks right which it is."""
    if element < 0 or not promise.b:
        return (element < 0) == (not promise.b), ""
    if not still.names.mask(promise.b)[element]:
        return False, ""
    if wanted is None or wanted[0] - slack <= place <= wanted[1] + slack:
        return True, ""
    near = [limit for limit in wanted if number(limit) == number(place)]
    if near:
        return False, f"it hits {still.scene.element_name(element)} at {told_apart(place, near[0])[0]}"
    return False, ""


def element_names(still: StillScene, names: Iterable[str]) -> list[str]:
    """Return the names of all elements that some names, patterns and groups stand for."""
    return [still.scene.element_name(number) for name in names for number in still.names.numbers(name).tolist()]


def inside_verdict(still: StillScene, promise: Expectation, tolerance: float) -> Verdict:
    """Return the verdict on what lies inside of something."""
    scene, expected = still.scene, promised(promise, moving=False)
    never = promise.quantifier == "never"
    holders = [scene.element_name(number) for number in still.shown(still.names.numbers(promise.b)).tolist()]
    held: list[tuple[str, Shape]] = (
        [("", Point(promise.point))]
        if promise.point is not None
        else [
            (name, scene[name])
            for name in map(scene.element_name, still.shown(still.names.numbers(promise.a)).tolist())
        ]
    )
    cases = [
        (min((out_of(shape, scene[holder], tolerance), holder) for holder in holders if holder != name), name)
        for name, shape in held
        if any(holder != name for holder in holders)
    ]
    if not cases:
        return nothing_tested(still, promise, expected)
    (out, holder), name = (min if never else max)(cases, key=lambda case: case[0])
    inside = out <= 0.0
    what = name or "it"
    amount = f" by {number(out)}" if np.isfinite(out) else ""
    actual = f"{what} lies inside {holder}" if inside else f"{what} sticks out of {holder}{amount}"
    if name == "" and not inside:
        actual = f"it is {number(out)} outside {holder}"
    ok = inside != never
    values = {"signed_distance": out} if np.isfinite(out) else {}
    return Verdict(
        promise.id, ok, expected, actual, promise, (name, holder), values=values, count=int(not ok),
        move=None if ok or never else _back_in(name, promise, scene[holder], out, scene[name] if name else None),
    )  # fmt: skip


def _back_in(
    name: str, promise: Expectation, holder: Shape, out: float, shape: Shape | None
) -> tuple[float, float, float] | None:
    """Return how the holder has to move to hold a point; None for all other shapes."""
    point = Point(promise.point) if shape is None and promise.point is not None else shape
    if not isinstance(point, Point):
        return None
    return mending(Band(-np.inf, 0.0), out, closest_points(point, holder).normal)


def out_of(shape: Shape, holder: Shape, tolerance: float) -> float:
    """Return how far a shape sticks out of another; zero or less, where it lies inside to rounding and a tolerance."""
    if not shape.bounded:
        return 0.0 if bool(contains(holder, shape)) else float("inf")
    points, radius = extreme_points(shape)
    point = Point(np.stack(points))
    record = separate(holder, point, (len(points),))
    far: FloatArray = record.signed_distance + radius
    worst = int(np.argmax(np.where(np.isnan(far), np.inf, far)))
    out = float(far[worst])
    inside = bool(contains(holder, shape)) or out <= tolerance + TOUCH * float(np.max(record.size))
    return min(out, 0.0) if inside else out if out > 0.0 else float("inf")
