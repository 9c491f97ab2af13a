"""What the picture of a verdict shows: the scene as it is, the scene as it was promised, and where to look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from collision import (
    AABB,
    Expectation,
    Motion,
    Point,
    Ray,
    Scene,
    SceneHit,
    SceneSweep,
    Shape,
    Verdict,
    contact,
    contains,
    extreme_distance,
    signed_distance,
)
from collision.inner import FloatArray
from viewer.camera.camera import unit_vector
from viewer.camera.outline import finite_bounds
from viewer.picture.pairs import Closeup
from viewer.picture.shapes import shape_flags
from viewer.records.drawables import Arrow, Drawable, Ghost, Label, Marker, Role, ShapeFlags, SolidShape, Stroke
from viewer.records.words import number, size_of


class DrawnScene(NamedTuple):
    """A scene at rest, as it is or as it was promised, and what is drawn over it; one sees through what is `clear`.

    What it is about has the `flag`: it collides, or touches.
    """

    scene: Scene
    marks: tuple[Drawable, ...] = ()
    flag: ShapeFlags = ShapeFlags.FREE
    closeup: Closeup | None = None
    clear: tuple[str, ...] = ()
    promised_normal: FloatArray | None = None


@dataclass(frozen=True, eq=False)
class BeforeAfter:
    """What was promised and what is; there is no promised scene where no move of a single shape makes it so.

    `names` are the elements that it is about, `across` what is seen from the side (a normal, a ray, a way), `length`
    that of the gap or the overlap that has to be seen. The `gap` by which something is missed is seen from its side.
    """

    names: tuple[str, ...]
    across: FloatArray
    points: FloatArray
    boxes: AABB
    length: float
    actual: DrawnScene
    promised: DrawnScene | None = None
    gap: FloatArray | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the elements that it is about."""
        scene = self.actual.scene
        return tuple(int(one) for name in self.names for one in scene.element_numbers(name))


def before_after(scene: Scene, verdict: Verdict) -> BeforeAfter | None:
    """Return what the picture of a verdict shows; None where that is about nothing that can be drawn."""
    when = verdict.time if verdict.time is not None else scene.span[0] if scene.span else None
    still = scene if when is None else scene.at(when)
    promise = verdict.expectation
    if promise is not None and promise.kind == "ray":
        return _ray(still, promise)
    if promise is not None and promise.kind == "sweep":
        return _sweep(still, promise)
    if verdict.pair is None:
        return None
    return _pair(still, verdict)


def _boxes(shapes: Iterable[Shape], points: FloatArray) -> AABB:
    """Return boxes around some single shapes and points; what has no end counts by the points alone."""
    finite = [finite_bounds(shape) for shape in shapes if shape.bounded]
    lower = np.stack([*(box.lower for box in finite), *points])
    upper = np.stack([*(box.upper for box in finite), *points])
    return AABB(lower, upper)


# -- two shapes --------------------------------------------------------------------------------------------------------


def _pair(scene: Scene, verdict: Verdict) -> BeforeAfter | None:
    """Return what the picture of a verdict on two shapes shows; None where they are nowhere nearest."""
    a, b = verdict.pair or ("", "")
    if not a:  # a point that is no shape of the scene
        promise = verdict.expectation
        if promise is None or promise.point is None:
            return None
        a = _free_name(scene, "the point")
        scene = scene.replaced(shapes={**scene.shapes, a: Point(promise.point)})
    shapes = scene[a], scene[b]
    if any(shape.batch_shape for shape in shapes):
        return None
    touch = contact(*shapes)
    places = np.stack([touch.on_a, touch.point, touch.on_b])
    if not np.isfinite(places).all() or not np.isfinite(touch.normal).all():
        return None
    gap = float(touch.signed_distance)
    promised = _mended(scene, verdict, (a, b), touch.normal, gap)
    promise = verdict.expectation
    if promise is not None and promise.kind == "inside":
        return _inside(scene, (a, b), touch.normal, places, promised)
    seen, length = [*shapes], abs(gap) if np.isfinite(gap) else 0.0  # of what overlaps without end all that is drawn
    if promised is not None and promised.closeup is not None:
        seen.append(promised.closeup.shapes[1])
        length = max(length, abs(promised.closeup.signed_distance))
    pair = Scene({"a": shapes[0], "b": shapes[1]})
    flag = ShapeFlags(int(shape_flags(pair, pair.contacts(), ())[0]))
    actual = DrawnScene(scene, flag=flag, closeup=Closeup(a, b, shapes))
    if promise is not None and {promise.a, promise.b} <= set(scene.name_groups):  # bodies, which no part leaves alone
        bodies = [_elements(scene, [name]) for name in (promise.a, promise.b)]
        actual, promised = actual._replace(clear=tuple(_others_than(scene, chain(*bodies)))), None
        seen = [AABB.union(_boxes([scene[name] for name in body], places)) for body in bodies]
    if promise is not None and promise.normal is not None:
        direction = np.asarray(promise.normal) / np.linalg.norm(promise.normal)
        actual = actual._replace(promised_normal=direction)
        promised = promised and promised._replace(promised_normal=direction)
    return BeforeAfter((a, b), touch.normal, places, _boxes(seen, places), length, actual, promised)


def _inside(
    scene: Scene, names: tuple[str, str], normal: FloatArray, places: FloatArray, promised: DrawnScene | None
) -> BeforeAfter:
    """Return something that is, or is not, inside another, which one sees through."""
    shapes = [scene[name] for name in names]
    seen = shapes if promised is None else [*shapes, *(promised.scene[name] for name in names)]
    actual = DrawnScene(scene, clear=(names[1],))
    after = promised and DrawnScene(promised.scene, clear=(names[1],))
    return BeforeAfter(names, normal, places[1:2], _boxes(seen, places[1:2]), 0.0, actual, after)


def _free_name(scene: Scene, name: str) -> str:
    while name in scene:
        name += "."
    return name


def _mended(
    scene: Scene, verdict: Verdict, names: tuple[str, str], normal: FloatArray, gap: float
) -> DrawnScene | None:
    """Return the scene with the second of a pair moved so that the promise holds."""
    a, b = names
    move = _mending_move(scene, verdict, names, normal, gap)
    if move is None:
        return None
    try:
        moved = scene.moved(b, move)
    except ValueError:  # beyond all numbers
        return None
    return DrawnScene(moved, closeup=Closeup(a, b, (moved[a], moved[b])))


def _mending_move(
    scene: Scene, verdict: Verdict, names: tuple[str, str], normal: FloatArray, gap: float
) -> FloatArray | None:
    if verdict.move is not None:
        return np.asarray(verdict.move)
    promise, (a, b) = verdict.expectation, (scene[name] for name in names)
    if promise is None or promise.normal is not None or not np.isfinite(gap):
        return None
    if promise.kind == "inside" and promise.quantifier != "never" and b.bounded and a.bounded:
        step = finite_bounds(a).center - finite_bounds(b).center
        return step if bool(contains(b.translated(step), a)) else None
    if promise.quantifier == "never" and promise.kind == "collide" and gap <= 0.0:
        apart = -gap * normal
        return apart if float(signed_distance(a, b.translated(apart))) >= gap else None
    if promise.quantifier == "never" and promise.kind == "apart":
        return -gap * normal
    return None


# -- rays, and shapes on their way -------------------------------------------------------------------------------------


def _ray(scene: Scene, promise: Expectation) -> BeforeAfter:
    """Return what the picture of a ray shows that hits what it should not, or not where it should."""
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
    actual = _drawn_ray(scene, ray, float(hit.enter) if hit.hit else None, str(hit.name or ""), reach)
    return BeforeAfter(
        tuple(dict.fromkeys([*names, *own])),
        ray.direction,
        points,
        _boxes(shapes, points),
        0.0,
        actual,
        _unblocked(_promised_ray(scene, ray, promise, hit, aim, reach), hit, wanted),
    )


def _promised_ray(
    scene: Scene, ray: Ray, promise: Expectation, hit: SceneHit, aim: SceneHit | None, reach: float
) -> DrawnScene | None:
    """Return a ray as it was promised; None if what it should hit is not on its way."""
    if not promise.b:
        return _drawn_ray(scene, ray, None, "", reach)
    if promise.distance is not None:
        place = float(np.clip(hit.enter if hit.hit else promise.distance[0], *promise.distance))
        return _drawn_ray(scene, ray, place, promise.b, reach)
    if aim is not None and aim.hit:
        return _drawn_ray(scene, ray, float(aim.enter), str(aim.name), reach)
    return None


def _drawn_ray(scene: Scene, ray: Ray, distance: float | None, name: str, reach: float) -> DrawnScene:
    """Return a ray up to where it hits, or through all there is."""
    end = ray.origin + (reach if distance is None else distance) * ray.direction
    way = Arrow(ray.origin[None], end[None], Role.WITNESS)
    if distance is None:
        return DrawnScene(scene, (way, Label(0.5 * ray.origin + 0.5 * end, "hits nothing")))
    text = f"hits {name} at {number(distance, size_of(end))}"
    return DrawnScene(scene, (way, Marker(end[None], Role.ENTRY), Label(end, text)))


def _sweep(scene: Scene, promise: Expectation) -> BeforeAfter | None:
    """Return what the picture of a shape on its way shows; None where nothing is on a way."""
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
    miss = None if aim is None or aim.hit else _miss(scene, mover, way, _shown(scene, wanted))
    names = [mover, *(str(one.name) for one in (hit, aim) if one is not None and one.hit)]
    shape = scene[mover]
    start = finite_bounds(shape).center
    points = np.stack([start, start + way, start + (float(hit.fraction) if hit.hit else 1.0) * way])
    actual = _drawn_sweep(scene, shape, way, float(hit.fraction) if hit.hit else None, str(hit.name or ""))
    promised = _promised_sweep(scene, shape, promise, aim)
    if miss is not None:
        names.append(miss.name)
        points = np.stack([points[0], miss.on_mover, points[1], miss.on_other])
        actual = actual._replace(marks=(*actual.marks, *_drawn_miss(shape, way, miss)))
        nearer = scene.moved(mover, miss.gap)
        promised = promised or _drawn_sweep(nearer, nearer[mover], way, miss.part, miss.name)
    seen = [shape, shape.translated(way), *(scene[name] for name in names[1:])]
    return BeforeAfter(
        tuple(dict.fromkeys(names)),
        unit_vector(way),
        points,
        _boxes(seen, points),
        0.0 if miss is None else float(np.linalg.norm(miss.gap)),
        actual,
        _unblocked(promised, hit, wanted),
        gap=None if miss is None else unit_vector(miss.gap),
    )


class _Miss(NamedTuple):
    """Where a shape on its way is nearest to one that it should touch, and passes: so far on its way, and where."""

    name: str
    part: float
    on_mover: FloatArray
    on_other: FloatArray

    @property
    def gap(self) -> FloatArray:
        """The way from the one to the other."""
        return self.on_other - self.on_mover


def _miss(scene: Scene, mover: str, way: FloatArray, wanted: list[str]) -> _Miss | None:
    """Return where a shape passes the nearest of some that it should touch; None where there is no such place."""
    if not wanted or not scene[mover].bounded:
        return None
    still = scene.replaced(ignored=(), hidden=(), motion=())
    flown = still.replaced(motion=[Motion(mover, times=[0, 1], offsets=np.stack([0.0 * way, way]))])
    passed = ((extreme_distance(flown, mover, name), name) for name in wanted if name != mover)
    found, name = min(passed, key=lambda one: float(one[0].signed_distance), default=(None, ""))
    if found is None:
        return None
    nearest = contact(scene[mover].translated(found.time * way), scene[name])
    ends = np.stack([nearest.on_a, nearest.on_b])
    if not (float(nearest.signed_distance) > 0.0 and np.isfinite(ends).all()):
        return None
    return _Miss(name, float(found.time), *ends)


def _drawn_miss(shape: Shape, way: FloatArray, miss: _Miss) -> list[Drawable]:
    """Return the gap by which a shape passes another, and the shape where it does."""
    there = shape.translated(miss.part * way)
    ends = miss.on_mover[None], miss.on_other[None]
    text = f"passes {miss.name} by {number(float(np.linalg.norm(miss.gap)), size_of(miss.on_other))}"
    marks: list[Drawable] = [Stroke(*ends, Role.HOT), Marker(np.concatenate(ends), Role.HOT)]
    marks.append(Label(np.mean(ends, axis=0)[0], text))
    return [*marks, Ghost.of(there)] if isinstance(there, SolidShape) else marks


def _promised_sweep(scene: Scene, shape: Shape, promise: Expectation, aim: SceneSweep | None) -> DrawnScene | None:
    """Return a way as it was promised; None if what should be touched is not on it."""
    way = np.asarray(promise.motion, dtype=np.float64)
    if not promise.b:
        return _drawn_sweep(scene, shape, way, None, "")
    if promise.fraction is not None:
        return _drawn_sweep(scene, shape, way, promise.fraction[0], promise.b)
    if aim is not None and aim.hit:
        return _drawn_sweep(scene, shape, way, float(aim.fraction), str(aim.name))
    return None


def _drawn_sweep(scene: Scene, shape: Shape, way: FloatArray, part: float | None, name: str) -> DrawnScene:
    """Return a shape on its way, as far as it gets."""
    start, done = finite_bounds(shape).center, way if part is None else part * way
    marks: list[Drawable] = [Stroke(start[None], (start + way)[None], Role.EXTENSION)]
    if done.any():
        marks.append(Arrow(start[None], (start + done)[None], Role.WITNESS))
    there = shape.translated(done)
    if isinstance(there, SolidShape):
        marks.append(Ghost.of(there))
    text = "touches nothing" if part is None else f"touches {name} at {number(part)} of the way"
    return DrawnScene(scene, (*marks, Label(start + done, text)))


def _unblocked(half: DrawnScene | None, hit: SceneHit | SceneSweep, wanted: list[str]) -> DrawnScene | None:
    """Return a way as it was promised, where one sees through what should not be met."""
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
