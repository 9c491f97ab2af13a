"""What a picture is of where two shapes break a promise: the two, and the second where it would keep it."""

from __future__ import annotations

import numpy as np

from collision import Point, Scene, Verdict, contact, contains, signed_distance
from collision.inner import FloatArray
from viewer.camera.outline import finite_bounds
from viewer.picture.pairs import Closeup
from viewer.verdicts.records import Half, Subject, boxes_of


def pair_subject(scene: Scene, verdict: Verdict) -> Subject | None:
    """Return what the picture of a verdict on two shapes is of; None where they are nowhere nearest."""
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
        return _inside_subject(scene, (a, b), touch.normal, places, promised)
    seen, length = [*shapes], abs(gap) if np.isfinite(gap) else 0.0  # of what overlaps without end all that is drawn
    if promised is not None and promised.closeup is not None:
        seen.append(promised.closeup.shapes[1])
        length = max(length, abs(promised.closeup.signed_distance))
    actual = Half(scene, hit=gap <= 0.0, closeup=Closeup(a, b, shapes))
    if promise is not None and promise.normal is not None:
        direction = np.asarray(promise.normal) / np.linalg.norm(promise.normal)
        actual = actual._replace(promised_normal=direction)
        promised = promised and promised._replace(promised_normal=direction)
    return Subject((a, b), touch.normal, places, boxes_of(seen, places), length, actual, promised)


def _inside_subject(
    scene: Scene, names: tuple[str, str], normal: FloatArray, places: FloatArray, promised: Half | None
) -> Subject:
    """Return something that is, or is not, inside another, which one sees through."""
    shapes = [scene[name] for name in names]
    seen = shapes if promised is None else [*shapes, *(promised.scene[name] for name in names)]
    actual = Half(scene, clear=(names[1],))
    after = promised and Half(promised.scene, clear=(names[1],))
    return Subject(names, normal, places[1:2], boxes_of(seen, places[1:2]), 0.0, actual, after)


def _free_name(scene: Scene, name: str) -> str:
    while name in scene:
        name += " "
    return name.strip() if name.strip() not in scene else name + "."


def _mended(scene: Scene, verdict: Verdict, names: tuple[str, str], normal: FloatArray, gap: float) -> Half | None:
    """Return the scene with the second of a pair moved so that the promise holds."""
    a, b = names
    move = _mending_move(scene, verdict, names, normal, gap)
    if move is None:
        return None
    try:
        moved = scene.moved(b, move)
    except ValueError:  # beyond all numbers
        return None
    return Half(moved, closeup=Closeup(a, b, (moved[a], moved[b])))


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
