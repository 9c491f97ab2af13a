"""Lines that follow the camera, those without an end and the outlines of what is round, as a camera sees them."""

from __future__ import annotations

import numpy as np

from collision import AABB, Capsule, ConvexHull, Cylinder, Line, OrientedBox, Ray, Segment, Shape, Sphere
from collision.inner import FloatArray, IntArray
from viewer.camera.camera import Viewport, distance, lengths, unit_vector
from viewer.camera.outline import EDGES, circles, corners_of
from viewer.records.drawables import Arrow, Core, Cores, Role, Stroke
from viewer.records.sizes import pixel_scale, unit_of

#: Lines run at least this far, in sizes of the view: seen at a flat angle they still reach the edge of the picture.
REACH = 100.0

#: What is no wider in a picture than so many units is hidden by lines on it.
_NARROW = 10.0

#: The label of a line stands so far along it, in heights of the picture.
_ALONG = 0.2

#: A circle in straight pieces.
_TURN = np.linspace(0.0, 2.0 * np.pi, 49)
_CIRCLE = np.stack([np.cos(_TURN), np.sin(_TURN)], axis=1)


def stroke_of(shape: Shape, role: Role) -> Stroke:
    """Return the lines that a flat batch of shapes other than points and half-spaces is drawn with."""
    if isinstance(shape, Segment):
        return Stroke(shape.start, shape.end, role)
    if isinstance(shape, Ray):
        return Stroke(shape.origin, shape.direction, role, endless="forward")
    if isinstance(shape, Line):
        return Stroke(shape.point, shape.direction, role, endless="both")
    if isinstance(shape, AABB | OrientedBox):
        ends = corners_of(shape)[EDGES].swapaxes(0, 2)  # by box, by start and end, by edge
        return Stroke(ends[:, 0].reshape(-1, 3), ends[:, 1].reshape(-1, 3), role)
    if isinstance(shape, Sphere):
        return Stroke(shape.center, shape.center, role, radii=shape.radius)
    if isinstance(shape, Capsule | Cylinder):
        return Stroke(shape.start, shape.end, role, radii=shape.radius, flat=isinstance(shape, Cylinder))
    if isinstance(shape, ConvexHull):
        start, end = zip(*(_edges(hull, hull.polytope.edges) for hull in shape), strict=True)
        return Stroke(np.concatenate(start), np.concatenate(end), role)
    raise TypeError(f"a {type(shape).__name__} is not drawn with lines")


def outline_of(shape: Shape, role: Role, view: Viewport) -> Stroke:
    """Return the outline of one solid, in a flat batch, in a view: of a hull, the edges with but one face seen."""
    if not isinstance(shape, ConvexHull):
        seen = as_seen(stroke_of(shape, role), view)
        assert isinstance(seen, Stroke)
        return seen
    hull = shape[0]
    found = hull.polytope
    corners = hull.points[found.corners]
    inside = corners.mean(axis=0)
    towards = view.eye - corners[[face[0] for face in found.faces]]
    if view.camera.parallel_height is not None:
        towards = np.broadcast_to(-view.forward, towards.shape)
    front = np.einsum("ni,ni->n", found.normals, towards) > 0.0
    edges = found.edges[front[found.sides[:, 0]] != front[found.sides[:, 1]]]
    start, end = _edges(hull, edges)
    # A hull that is grown by a radius is seen so much larger.
    aside = np.cross(
        end - start, 0.5 * (start + end) - view.eye if view.camera.parallel_height is None else view.forward
    )
    aside *= float(hull.radius) / np.maximum(lengths(aside), 1e-300)[:, None]
    aside *= np.where(np.einsum("ni,ni->n", aside, start - inside) < 0.0, -1.0, 1.0)[:, None]
    return Stroke(start + aside, end + aside, role)


def _edges(hull: ConvexHull, edges: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return the ends of edges of a hull."""
    start, end = hull.points[hull.polytope.corners][edges.T]
    return start, end


def as_seen(lines: Stroke | Arrow, view: Viewport) -> Stroke | Arrow:
    """Return lines with ends in the world that look in a view as these do; the same where these have such ends.

    Parameters
    ----------
    lines : Stroke or Arrow
        Strokes and arrows of constant length, or strokes that are endless, outlines, or on what may be narrow.
    view : Viewport
        From where they are seen.

    Examples
    --------
    >>> from collision import Camera, Sphere
    >>> view = Viewport(Camera((0, -9, 0)), (640, 480))
    >>> ball = as_seen(stroke_of(Sphere([[0, 0, 0]], [1]), Role.GHOST), view)
    >>> bool(np.allclose(np.hypot(ball.start[:, 0], ball.start[:, 2]), 1.0))
    True
    """
    if lines.about is not None:
        size = pixel_scale(view.size) * view.units_per_pixel(lines.about)[:, None]
        return type(lines)(lines.about + size * lines.start, lines.about + size * lines.end, lines.role)
    if isinstance(lines, Arrow):
        return lines
    if lines.endless:
        away = lengths(lines.start - view.camera.target)[:, None]
        way = (REACH * distance(view.camera) + away) * lines.end
        return Stroke(lines.start - way if lines.endless == "both" else lines.start, lines.start + way, lines.role)
    if lines.radii is not None:
        outlines = _flat_outlines if lines.flat else _outlines
        return Stroke(*outlines(lines.start, lines.end, lines.radii, view), lines.role)
    if lines.widths is not None:
        wide = ~(lines.widths < _NARROW * unit_of(view.size) * view.units_per_pixel(lines.start))
        return Stroke(lines.start[wide], lines.end[wide], lines.role)
    return lines


def _outlines(start: FloatArray, end: FloatArray, radii: FloatArray, view: Viewport) -> tuple[FloatArray, FloatArray]:
    """Return circles around both ends of capsules, or around the middles of balls, and the lines that touch them."""
    around = radii[:, None, None] * (_CIRCLE @ np.stack([view.right, view.up]))
    long = (start != end).any(axis=1)
    circles = np.concatenate([start[:, None] + around, (end[:, None] + around)[long]])
    aside = np.cross(end - start, view.forward)
    across = lengths(aside)
    long = across > 0.0
    offset = (radii[long] / across[long])[:, None] * aside[long]
    first, last = (np.concatenate([ends[long] + offset, ends[long] - offset]) for ends in (start, end))
    return (
        np.concatenate([circles[:, :-1].reshape(-1, 3), first]),
        np.concatenate([circles[:, 1:].reshape(-1, 3), last]),
    )


def _flat_outlines(
    start: FloatArray, end: FloatArray, radii: FloatArray, view: Viewport
) -> tuple[FloatArray, FloatArray]:
    """Return the rims of cylinders, and the lines along their sides that lines of sight touch."""
    around = radii[:, None, None] * circles(end - start, view.forward, _TURN)
    rims = np.concatenate([start[:, None] + around, end[:, None] + around])
    axis = (end - start) / lengths(end - start)[:, None]
    # Towards the eye, across the axis: a side is touched where its normal is across the line of sight.
    towards = np.broadcast_to(-view.forward, start.shape) if view.camera.parallel_height else view.eye - start
    towards = towards - (towards * axis).sum(axis=1, keepdims=True) * axis
    away = lengths(towards)
    part = np.zeros_like(radii) if view.camera.parallel_height else radii / np.maximum(away, 1e-300)
    seen = (away > 0.0) & (part < 1.0)
    towards, axis, part = towards[seen] / away[seen, None], axis[seen], part[seen, None]
    beside = np.sqrt(1.0 - part * part) * np.cross(axis, towards)
    touched = [radii[seen, None] * (part * towards + sign * beside) for sign in (-1.0, 1.0)]
    return (
        np.concatenate([rims[:, :-1].reshape(-1, 3), *(start[seen] + off for off in touched)]),
        np.concatenate([rims[:, 1:].reshape(-1, 3), *(end[seen] + off for off in touched)]),
    )


def label_point(of: Cores, view: Viewport) -> FloatArray:
    """Return where the label of a ball stands, above it, or that of a line, along it."""
    row = of.rows[0]
    if of.core is Core.POINT:
        return np.asarray(row + of.radii[0] * view.up)
    return np.asarray(row[:3] + _ALONG * view.size[1] * view.units_per_pixel(row[:3]) * unit_vector(row[3:6]))
