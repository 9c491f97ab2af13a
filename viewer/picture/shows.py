"""What a scene asks to be shown: the answer of a query as dots, strokes, arrows and text.

Everything drawn here is an answer of `collision`; where an entry is a batch, its nearest element speaks for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from collision import (
    AABB,
    Capsule,
    Foot,
    Line,
    Manifold,
    Normals,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Show,
    Sphere,
    all_normals,
    closest_points,
    contact,
    crossings,
    foot,
    intersects,
    manifold,
    raycast,
    signed_distance,
)
from collision.inner import FloatArray
from viewer.camera.lines import stroke_of
from viewer.records.drawables import Arrow, Label, Marker, Role, Stroke
from viewer.records.words import gap, labelled, number, size_of

Mark: TypeAlias = Marker | Stroke | Arrow | Label

#: How long a normal is drawn, in pixels.
NORMAL_LENGTH = 70.0

#: Each arc of a set of normals is drawn in so many straight pieces.
_ARC_PIECES = 24

#: A crossing this near to H, in parts of its coordinates, is a tangent: half a chord is the root of a rounding.
TANGENT = 1e-7

#: Straight pieces of a great circle.
CIRCLE_PIECES = 96


def show_marks(scene: Scene, show: Show) -> list[Mark]:
    """Return what a show draws of a scene, as it is at this moment.

    Parameters
    ----------
    scene : Scene
        Where the show's names are looked up.
    show : Show
        The query and its shapes.

    Examples
    --------
    >>> from collision import Point
    >>> scene = Scene({"P": Point([0, 0, 0]), "Q": Point([3, 4, 0])}, shows=[Show("closest_points", "P", "Q")])
    >>> [mark.text for mark in show_marks(scene, scene.shows[0]) if isinstance(mark, Label)]
    ['distance 5']
    """
    shapes = [scene[name] for name in (show.a, show.b) if name]
    if any(not np.prod(shape.batch_shape, dtype=int) for shape in shapes):
        return []  # an empty batch has no answer
    return _QUERIES[show.query](show.label, *shapes)


def dots(role: Role, *points: FloatArray) -> Marker:
    """Return markers at points, each (3,)."""
    return Marker(np.array(points), role)


def stroke(role: Role, start: FloatArray, end: FloatArray) -> Stroke:
    """Return a single line between two points, each (3,)."""
    return Stroke(start[None], end[None], role)


def great_circles(sphere: Sphere) -> Stroke:
    """Return three great circles of a single sphere, one around each axis."""
    turn = np.linspace(0.0, 2.0 * np.pi, CIRCLE_PIECES + 1)
    circle = np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=-1)
    circles = sphere.center + sphere.radius * np.stack([np.roll(circle, axis, axis=-1) for axis in range(3)])
    return Stroke(circles[:, :-1].reshape(-1, 3), circles[:, 1:].reshape(-1, 3), Role.BOUNDS)


def normal_marks(point: FloatArray, normals: Normals) -> list[Mark]:
    """Return all normals at a point: one arrow, several, or the arcs of all that there are with arrows at corners."""
    tips = NORMAL_LENGTH * normals.corners
    marks: list[Mark] = [Arrow(np.zeros(tips.shape), tips, Role.NORMAL, np.broadcast_to(point, tips.shape))]
    for curve in normals.curves(_ARC_PIECES):
        around = NORMAL_LENGTH * curve
        marks.append(Stroke(around[:-1], around[1:], Role.NORMAL, np.broadcast_to(point, around[1:].shape)))
    return marks


def _closest_points(label: str, a: Shape, b: Shape) -> list[Mark]:
    a, b = _nearest_elements(a, b)
    closest = closest_points(a, b)
    value = float(closest.signed_distance)
    text = gap(value, size_of(closest.on_a, closest.on_b), label)
    return [*between(a, closest.on_a, b, closest.on_b), Label(_middle(closest.on_a, closest.on_b), text, value=value)]


def _contact(label: str, a: Shape, b: Shape) -> list[Mark]:
    a, b = _nearest_elements(a, b)
    touch = contact(a, b)
    value = float(touch.signed_distance)
    text = gap(value, size_of(touch.on_a, touch.on_b), label)
    if not touch.touching:
        return [*between(a, touch.on_a, b, touch.on_b), Label(touch.point, f"no contact, {text}", value=value)]
    normals = normal_marks(touch.point, all_normals(a, b))
    written = Label(touch.point, text, value=value)
    return [*normals, *corner_marks(manifold(a, b)), dots(Role.CONTACT, touch.point), written]


def corner_marks(*patches: Manifold) -> list[Mark]:
    """Return a small dot at each corner of some contact patches; none where shapes touch at one point only."""
    some = [patch.point[np.isfinite(patch.signed_distance) & (patch.count > 1)[..., None]] for patch in patches]
    points = np.concatenate([np.empty((0, 3)), *some])
    return [Marker(points, Role.LYING)] if len(points) else []


def _crossings(label: str, a: Shape, b: Shape) -> list[Mark]:
    line, shape = _nearest_elements(a, b)
    crossing = crossings(line, shape)
    count, nearest = int(crossing.count), crossing.nearest
    scale = size_of(nearest)
    marks: list[Mark] = [stroke(Role.NEAREST, nearest, shape.center)] if isinstance(shape, Sphere) else []
    marks += _center(shape)
    marks += [Label(end, text) for end, text in _rates(line)]
    values = [f"t = {number(float(t), scale)}" for t in crossing.parameters[:count]]
    if count == 1 and np.abs(crossing.points[0] - nearest).max() <= TANGENT * scale:
        return [*marks, dots(Role.CROSSING, nearest), Label(nearest, labelled(label, f"H, tangent, {values[0]}"))]
    marks += [dots(Role.NEAREST, nearest), Label(nearest, labelled(label, "H"))]
    if count:
        texts = [f"{name}{value}" for name, value in zip(_crossing_names(line, count), values, strict=True)]
        marks.append(dots(Role.CROSSING, *crossing.points[:count]))
        marks += [Label(point, text) for point, text in zip(crossing.points, texts, strict=False)]
        return marks
    apart = closest_points(line, shape)
    if apart.signed_distance > 0.0:
        marks += [stroke(Role.WITNESS, apart.on_a, apart.on_b), dots(Role.WITNESS, apart.on_b)]
        value = float(apart.signed_distance)
        marks.append(Label(_middle(apart.on_a, apart.on_b), gap(value, scale), value=value))
    return marks


def _rates(line: Shape) -> list[tuple[FloatArray, str]]:
    """Return where the parameter of a line is 0 and 1, as far as the line has ends there."""
    if isinstance(line, Segment):
        return [(line.start, "t = 0"), (line.end, "t = 1")]
    return [(line.origin, "t = 0")] if isinstance(line, Ray) else []


def _crossing_names(line: Shape, count: int) -> list[str]:
    if isinstance(line, Line):
        return ["P', ", "P, "] if count == 2 else ["P, "]
    return ["first, ", ""] if count == 2 else [""]


def _raycast(label: str, a: Ray, b: Shape) -> list[Mark]:
    ray, shape = _first_hit(a, b)
    hit = raycast(ray, shape)
    if not hit.hit:
        return [Label(ray.origin, labelled(label, "no hit"))]
    inside = float(hit.enter) == 0.0
    text = "starts inside" if inside else f"enter {number(float(hit.enter), size_of(hit.point))}"
    normals = [] if inside else normal_marks(hit.point, Normals("one", hit.normal[None]))
    return [*normals, dots(Role.ENTRY, hit.point), Label(hit.point, labelled(label, text))]


def _foot(label: str, a: Shape, b: Shape) -> list[Mark]:
    point_like, linear = _nearest_elements(a, b)
    result = foot(point_like, linear)
    center = point_like.core.middle()
    beyond = str(result.region) != "between"
    marks: list[Mark] = [*_ends(linear), *_center(point_like)]
    marks += [stroke(Role.FOOT, center, result.point), dots(Role.FOOT, result.point)]
    if beyond:
        marks.insert(0, stroke(Role.EXTENSION, result.nearest, result.point))
        marks += [stroke(Role.NEAREST, center, result.nearest), dots(Role.NEAREST, result.nearest)]
    where = f"X {_region(result, linear)}rate {number(float(result.parameter))}"
    verdict = _verdict(result, point_like, linear)
    distance = Label(_middle(center, result.nearest), verdict, value=float(result.distance))
    return [*marks, Label(result.point, labelled(label, where)), distance]


def _ends(linear: Shape) -> list[Mark]:
    """Return the names of the ends of a linear piece, and the axis of a capsule, which is not seen else."""
    if isinstance(linear, Ray):
        return [Label(linear.origin, "A")]
    if not isinstance(linear, Segment | Capsule):
        return []
    names: list[Mark] = [Label(linear.start, "A"), Label(linear.end, "B")]
    return [stroke(Role.EXTENSION, linear.start, linear.end), *names] if isinstance(linear, Capsule) else names


def _center(shape: Shape) -> list[Mark]:
    return [Label(shape.center, "C")] if isinstance(shape, Sphere) else []


def _region(result: Foot, linear: Shape) -> str:
    region = str(result.region)
    if region != "between":
        return f"{region} {'A' if region == 'before' else 'B'}, "
    return "between A and B, " if isinstance(linear, Segment | Capsule) else ""


def _verdict(result: Foot, point_like: Shape, linear: Shape) -> str:
    """Return the distance of the nearest point, against the sum of the radii where there are any."""
    distance = f"distance {number(float(result.distance), size_of(result.nearest))}"
    reach = sum(float(shape.radius) for shape in (point_like, linear) if isinstance(shape, Sphere | Capsule))
    if not reach:
        return distance
    relation = "\N{LESS-THAN OR EQUAL TO}" if intersects(point_like, linear) else ">"
    return f"{distance} {relation} {number(reach)}"


def _bounds(label: str, a: Shape) -> list[Mark]:
    box = AABB.union(a.bounds())
    top = np.array([*box.center[:2], box.upper[2]])
    return [stroke_of(box[None], Role.BOUNDS), *([Label(top, label)] if label else [])]


def _bounding_sphere(label: str, a: Shape) -> list[Mark]:
    ball = Sphere.around(a)
    top = ball.center + np.array([0.0, 0.0, float(ball.radius)])
    return [great_circles(ball), *([Label(top, label)] if label else [])]


def between(a: Shape, on_a: FloatArray, b: Shape, on_b: FloatArray) -> list[Mark]:
    """Return the stroke between two witness points, and dots at those that are on more than a point."""
    ends = [on for shape, on in ((a, on_a), (b, on_b)) if not isinstance(shape, Point)]
    return [stroke(Role.WITNESS, on_a, on_b), *([dots(Role.WITNESS, *ends)] if ends else [])]


def _middle(a: FloatArray, b: FloatArray) -> FloatArray:
    return 0.5 * a + 0.5 * b


def _nearest_elements(a: Shape, b: Shape) -> tuple[Any, Any]:
    """Return the two elements that are nearest to each other, or overlap the most."""
    if not a.batch_shape and not b.batch_shape:
        return a, b
    a, b = a.flattened(), b.flattened()
    i, j = np.unravel_index(int(np.argmin(signed_distance(a[:, None], b[None]))), (len(a), len(b)))
    return a[int(i)], b[int(j)]


def _first_hit(rays: Ray, shapes: Shape) -> tuple[Any, Any]:
    """Return the ray and the element that it enters first; any two when nothing is hit."""
    if not rays.batch_shape and not shapes.batch_shape:
        return rays, shapes
    a, b = rays.flattened(), shapes.flattened()
    enter = raycast(a[:, None], b[None]).enter
    i, j = np.unravel_index(int(np.argmin(np.where(np.isnan(enter), np.inf, enter))), enter.shape)
    return a[int(i)], b[int(j)]


_QUERIES: dict[str, Callable[..., list[Mark]]] = {
    "closest_points": _closest_points,
    "contact": _contact,
    "crossings": _crossings,
    "raycast": _raycast,
    "foot": _foot,
    "bounds": _bounds,
    "bounding_sphere": _bounding_sphere,
}
