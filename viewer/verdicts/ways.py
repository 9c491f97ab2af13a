"""What a picture is of where a ray, or a shape on its way, meets what it should not: the way, and its first touch."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from collision import Expectation, Ray, Scene, SceneHit, SceneSweep, Shape, contact
from collision.inner import FloatArray
from viewer.camera.camera import unit_vector
from viewer.camera.outline import finite_bounds
from viewer.records.drawables import Arrow, Drawable, Ghost, Label, Marker, Role, SolidShape, Stroke
from viewer.records.words import number, size_of
from viewer.verdicts.records import Half, Subject, boxes_of


def ray_subject(scene: Scene, promise: Expectation) -> Subject:
    """Return what the picture of a ray is of that hits what it should not, or not where it should.

    Parameters
    ----------
    scene : Scene
        At rest.
    promise : Expectation
        About a ray.
    """
    without, wanted = _elements(scene, promise.without), _elements(scene, [promise.b])
    given = scene[promise.a] if promise.origin is None else Ray(promise.origin, promise.direction)
    assert isinstance(given, Ray)  # for type checkers: scenes refuse others
    ray = Ray(given.origin, unit_vector(given.direction))
    own = [promise.a] if promise.origin is None else []
    hit = scene.raycast(ray, without=[*without, *own])
    only = [*without, *own, *_others_than(scene, wanted)]
    aim = scene.raycast(ray, without=only) if wanted else None
    met = [one for one in (hit, aim) if one is not None and one.hit]
    names = [str(one.name) for one in met] or [name for name in wanted[:1] if not scene[name].batch_shape]
    shapes = [scene[name] for name in names]
    reach = _reach(scene, ray.origin)
    ends = [one.point for one in met]
    if promise.distance is not None and promise.b:
        ends.append(ray.origin + promise.distance[1] * ray.direction)
    ends = ends or [contact(ray, shape).on_a for shape in shapes] or [ray.origin + reach * ray.direction]
    points = np.stack([ray.origin, *ends])
    actual = _ray_half(scene, ray, float(hit.enter) if hit.hit else None, str(hit.name or ""), reach)
    return Subject(
        tuple(dict.fromkeys([*names, *own])),
        ray.direction,
        points,
        boxes_of(shapes, points),
        0.0,
        actual,
        _unblocked(_promised_ray(scene, ray, promise, hit, aim, reach), hit, wanted),
    )


def _promised_ray(
    scene: Scene, ray: Ray, promise: Expectation, hit: SceneHit, aim: SceneHit | None, reach: float
) -> Half | None:
    """Return a ray as it was promised; None if what it should hit is not on its way."""
    if not promise.b:
        return _ray_half(scene, ray, None, "", reach)
    if promise.distance is not None:
        place = float(np.clip(hit.enter if hit.hit else promise.distance[0], *promise.distance))
        return _ray_half(scene, ray, place, promise.b, reach)
    if aim is not None and aim.hit:
        return _ray_half(scene, ray, float(aim.enter), str(aim.name), reach)
    return None


def _ray_half(scene: Scene, ray: Ray, distance: float | None, name: str, reach: float) -> Half:
    """Return a ray up to where it hits, or through all there is."""
    end = ray.origin + (reach if distance is None else distance) * ray.direction
    way = Arrow(ray.origin[None], end[None], Role.WITNESS)
    if distance is None:
        return Half(scene, (way, Label(0.5 * ray.origin + 0.5 * end, "hits nothing")))
    text = f"hits {name} at {number(distance, size_of(end))}"
    return Half(scene, (way, Marker(end[None], Role.ENTRY), Label(end, text)))


def sweep_subject(scene: Scene, promise: Expectation) -> Subject | None:
    """Return what the picture of a shape on its way is of; None where nothing is on a way.

    Parameters
    ----------
    scene : Scene
        At rest.
    promise : Expectation
        About a sweep.
    """
    own, wanted = _elements(scene, [promise.a]), _elements(scene, [promise.b])
    way, movers = np.asarray(promise.motion, dtype=np.float64), _shown(scene, own)
    if not movers or not way.any():
        return None
    without = [*own, *_elements(scene, promise.without)]
    hit, mover = min(
        ((scene.sweep(name, motion=way, without=without), name) for name in movers),
        key=lambda found: (not found[0].hit, float(found[0].fraction)),
    )
    only = [*without, *_others_than(scene, wanted)]
    aim = scene.sweep(mover, motion=way, without=only) if wanted else None
    names = [mover, *(str(one.name) for one in (hit, aim) if one is not None and one.hit)]
    shape = scene[mover]
    start = finite_bounds(shape).center
    points = np.stack([start, start + way, start + (float(hit.fraction) if hit.hit else 1.0) * way])
    seen = [shape, shape.translated(way), *(scene[name] for name in names[1:])]
    return Subject(
        tuple(dict.fromkeys(names)),
        unit_vector(way),
        points,
        boxes_of(seen, points),
        0.0,
        _sweep_half(scene, shape, way, float(hit.fraction) if hit.hit else None, str(hit.name or "")),
        _unblocked(_promised_sweep(scene, shape, promise, aim), hit, wanted),
    )


def _promised_sweep(scene: Scene, shape: Shape, promise: Expectation, aim: SceneSweep | None) -> Half | None:
    """Return a way as it was promised; None if what should be touched is not on it."""
    way = np.asarray(promise.motion, dtype=np.float64)
    if not promise.b:
        return _sweep_half(scene, shape, way, None, "")
    if promise.fraction is not None:
        return _sweep_half(scene, shape, way, promise.fraction[0], promise.b)
    if aim is not None and aim.hit:
        return _sweep_half(scene, shape, way, float(aim.fraction), str(aim.name))
    return None


def _sweep_half(scene: Scene, shape: Shape, way: FloatArray, part: float | None, name: str) -> Half:
    """Return a shape on its way, as far as it gets."""
    start, done = finite_bounds(shape).center, way if part is None else part * way
    marks: list[Drawable] = [Stroke(start[None], (start + way)[None], Role.EXTENSION)]
    if done.any():
        marks.append(Arrow(start[None], (start + done)[None], Role.WITNESS))
    there = shape.translated(done)
    if isinstance(there, SolidShape):
        marks.append(Ghost(there))
    text = "touches nothing" if part is None else f"touches {name} at {number(part)} of the way"
    return Half(scene, (*marks, Label(start + done, text)))


def _unblocked(half: Half | None, hit: SceneHit | SceneSweep, wanted: list[str]) -> Half | None:
    """Return the promised half of a way; one sees through what should not be met on it."""
    if half is None or not hit.hit or str(hit.name) in wanted:
        return half
    return half._replace(clear=(str(hit.name),))


def _elements(scene: Scene, names: Iterable[str]) -> list[str]:
    found = scene.promised_names
    return [scene.element_name(int(one)) for name in names if name for one in found.numbers(name)]


def _shown(scene: Scene, names: Iterable[str]) -> list[str]:
    hidden = set(_elements(scene, scene.hidden))
    return [name for name in names if name not in hidden]


def _others_than(scene: Scene, names: Iterable[str]) -> list[str]:
    wanted = set(names)
    return [name for name in scene.element_names if name not in wanted]


def _reach(scene: Scene, origin: FloatArray) -> float:
    """Return how far a ray is drawn that hits nothing: through all of the scene."""
    box = scene.bounds()
    if box is None:
        return 1.0
    far = np.maximum(np.abs(box.lower - origin), np.abs(box.upper - origin))
    return float(np.linalg.norm(far)) or 1.0
