"""The shapes of a scene as they are drawn: solids in batches, dots and lines for what is thin, planes for half-spaces.

However many shapes a scene has, its solids become at most four drawables, one for each solid kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from collision import (
    AABB,
    Capsule,
    Contacts,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    contains,
    crossings,
)
from collision.inner import BoolArray, FloatArray
from viewer.camera.camera import Viewport, distance, length
from viewer.camera.elements import numbers_of
from viewer.picture.planes import planes
from viewer.picture.tiny import thin_ends
from viewer.records.drawables import Drawable, Marker, ShapeFlags, Solid, SolidShape, Stroke, thin_roles
from viewer.records.sizes import power_of

#: The `ShapeFlags` of elements, one code each.
Flags: TypeAlias = npt.NDArray[np.uint8]

#: Lines run at least this far, in sizes of the view: seen at a flat angle they still reach the edge of the picture.
REACH = 20.0


def shape_flags(scene: Scene, contacts: Contacts, selected: Sequence[str], hovered: Sequence[str] = ()) -> Flags:
    """Return the `ShapeFlags` of every element: it collides if it is in another, deeper than a touch goes.

    Examples
    --------
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1), "c": Sphere([5, 0, 0], 1)})
    >>> shape_flags(scene, scene.contacts(), ["b"])
    array([1, 3, 0], dtype=uint8)
    """
    flags = np.full(scene.element_count, ShapeFlags.FREE, dtype=np.uint8)
    flags[contacts.pairs[contacts.only_touching].ravel()] = ShapeFlags.TOUCHING
    flags[contacts.pairs[~contacts.only_touching].ravel()] = ShapeFlags.HIT
    for flag, names in ((ShapeFlags.SELECTED, selected), (ShapeFlags.HOVERED, hovered)):
        flags[numbers_of(scene, names)] |= np.uint8(flag)
    return flags


def shape_drawables(
    scene: Scene, flags: Flags, viewport: Viewport, dots: BoolArray, lines: BoolArray
) -> list[Drawable]:
    """Return what is drawn of the shapes of a scene.

    Parameters
    ----------
    scene : Scene
        The shapes.
    flags : ndarray of uint8
        The `ShapeFlags` of every element.
    viewport : Viewport
        Lines and rays end where they leave it.
    dots : ndarray of bool
        Which elements are drawn as dots as well, as they are too small to be seen.
    lines : ndarray of bool
        Which elements are drawn as lines as well, as they are too thin to be seen.
    """
    drawables: list[Drawable] = [
        Solid.of(shape, flags[elements]) for elements, shape in scene.groups if isinstance(shape, SolidShape)
    ]
    for elements, shape in scene.groups:
        if not isinstance(shape, SolidShape):
            drawables += _thin(scene, shape, flags[elements], viewport)
    for elements, shape in scene.groups if dots.any() else ():
        rows = dots[elements]
        if rows.any():
            drawables += _markers(shape[rows].bounds().center, flags[elements][rows])
    for elements, shape in scene.groups if lines.any() else ():
        rows = lines[elements]
        if rows.any() and isinstance(shape, Capsule | AABB | OrientedBox):
            drawables += _strokes(*thin_ends(shape[rows], viewport), flags[elements][rows])
    return drawables


def _thin(scene: Scene, shape: Shape, flags: Flags, viewport: Viewport) -> list[Drawable]:
    if isinstance(shape, Point):
        return _markers(shape.position, flags)
    if isinstance(shape, Segment):
        ends = [Marker(np.concatenate([shape.start[r], shape.end[r]]), role) for role, r in thin_roles(flags)]
        return [*_strokes(shape.start, shape.end, flags), *ends]
    if isinstance(shape, Ray | Line):
        return _strokes(*clipped(shape, view_ball(scene, viewport)), flags)
    if isinstance(shape, HalfSpace):
        return planes(shape, scene.bounds(), thin_roles(flags))
    return []


def _markers(points: FloatArray, flags: Flags) -> list[Drawable]:
    return [Marker(points[rows], role) for role, rows in thin_roles(flags)]


def _strokes(start: FloatArray, end: FloatArray, flags: Flags) -> list[Drawable]:
    seen = ~np.isnan(start[:, 0])
    return [Stroke(start[r & seen], end[r & seen], role) for role, r in thin_roles(flags) if (r & seen).any()]


def view_ball(scene: Scene, viewport: Viewport) -> Sphere:
    """Return a ball so large that whatever leaves it has left the picture, or all but vanished in the distance."""
    camera = viewport.camera
    size = distance(camera)
    bounds = scene.bounds()
    corners = [] if bounds is None else [bounds.lower, bounds.upper]
    farthest = max((length(corner - camera.target) for corner in corners), default=0.0)
    return Sphere(camera.target, REACH * size + farthest)


def clipped(lines: Ray | Line, ball: Sphere) -> tuple[FloatArray, FloatArray]:
    """Return the pieces of rays or lines inside a ball, as start and end points; NaN for those that miss it."""
    power = power_of(float(ball.radius))
    if power:  # the squares of such lengths would be no numbers, or zero
        if isinstance(lines, Ray):
            lines = Ray(np.ldexp(lines.origin, power), lines.direction)
        else:
            lines = Line(np.ldexp(lines.point, power), lines.direction)
        ball = Sphere(np.ldexp(ball.center, power), np.ldexp(ball.radius, power))
    first, second = np.moveaxis(crossings(lines, ball).points, 1, 0)
    if isinstance(lines, Ray):
        inside = contains(ball, Point(lines.origin))[:, None]
        first, second = np.where(inside, lines.origin, first), np.where(inside, first, second)
    return np.ldexp(first, -power), np.ldexp(second, -power)
