"""Solids too small or too thin to be seen: they are drawn as dots and lines, and the picture says so."""

from __future__ import annotations

import numpy as np

from collision import AABB, Capsule, ConvexHull, Cylinder, OrientedBox, Shape
from collision.inner import BoolArray, FloatArray, IntArray
from viewer.camera.camera import Viewport, lengths
from viewer.camera.outline import circles, corners_of
from viewer.records.drawables import SolidShape
from viewer.records.words import counted

#: A solid that is smaller than this in the picture, in pixels, is tiny.
TINY = 2.0

#: One that is larger, but not so wide anywhere, is thin.
THIN = 1.5

#: Points of a rim that stand for a flat end of a cylinder, the first where it is widest in the picture.
_AROUND = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)

#: Dots or lines of more shapes than this would hide the scene: then only those that collide get one, if they are not
#: more.
MOST_DOTS = 200


def unseen(shapes: Shape, viewport: Viewport) -> tuple[BoolArray, BoolArray]:
    """Tell of each of a flat batch whether it is in the picture but too small to be seen, and whether it is too thin.

    Points, segments, rays and lines are drawn with a constant width, so none of them is.

    Examples
    --------
    >>> from collision import Camera, Sphere
    >>> view = Viewport(Camera(position=(0, 0, 20), up=(0, 1, 0)), (640, 480))
    >>> unseen(Sphere([[0, 0, 0], [2, 0, 0]], [1, 1e-3]), view)[0]
    array([False,  True])
    """
    if not isinstance(shapes, SolidShape):
        none = np.zeros(shapes.batch_shape, dtype=bool)
        return none, none
    with np.errstate(over="ignore", invalid="ignore"):
        lower, upper = shapes.corners()
        center = 0.5 * lower + 0.5 * upper
        pixel = viewport.units_per_pixel(center)
        size = (upper - lower).max(axis=-1) / pixel
        small = np.asarray(size < TINY)
        thin = ~small & _are_thin(shapes, pixel, viewport)
        if small.any():
            pixels, _ = viewport.project(center[small])
            small[small] = ((pixels >= 0.0) & (pixels <= viewport.size)).all(axis=-1)
    return small, thin


def _are_thin(shapes: SolidShape, pixel: FloatArray, viewport: Viewport) -> BoolArray:
    """Tell which shapes are thin where they come nearest to the eye. Those of no width at all are lines anyway."""
    if isinstance(shapes, ConvexHull):
        with np.errstate(invalid="ignore"):  # a point, whose corners are at one place, is small
            return np.asarray(_outlines(shapes, viewport)[2] < THIN)
    if not isinstance(shapes, Capsule | Cylinder | AABB | OrientedBox):
        return np.zeros(shapes.batch_shape, dtype=bool)
    if isinstance(shapes, Capsule):
        width = 2.0 * shapes.radius
    else:
        x, y, z = _half_extents(shapes).T
        width = 2.0 * np.maximum(np.minimum(x, y), np.minimum(np.maximum(x, y), z))  # the second largest
    thin = (width > 0.0) & ~(width >= THIN * pixel)  # also where the middle is not before the eye
    if thin.any():
        start, end = _middle_lines(shapes[thin])
        along, towards = end - start, viewport.eye - start
        scale = np.abs(along).max(axis=-1, keepdims=True)
        scale[scale == 0.0] = 1.0  # of a capsule without a length: all of its line is where it starts
        unit = along / scale
        part = (towards / scale * unit).sum(axis=-1) / np.maximum((unit * unit).sum(axis=-1), 1.0)
        part = part.clip(0.0, 1.0)
        away = lengths(towards - part[:, None] * along)
        thin[thin] = width[thin] < THIN * viewport.units_per_pixel(viewport.eye + away[:, None] * viewport.forward)
    if not isinstance(shapes, Capsule):
        flat = ~thin & (width > 0.0) & (2.0 * _half_extents(shapes).min(axis=-1) < THIN * pixel)
        if flat.any():
            thin[flat] = _outlines(shapes[flat], viewport)[2] < THIN
    return np.asarray(thin)


def _half_extents(shapes: Cylinder | AABB | OrientedBox) -> FloatArray:
    """Return the half extents of boxes, or of the boxes around cylinders, of which the last is along the axis."""
    if isinstance(shapes, Cylinder):
        return np.stack([shapes.radius, shapes.radius, 0.5 * lengths(shapes.end - shapes.start)], axis=-1)
    return shapes.half_extents


def thin_ends(
    shapes: Capsule | Cylinder | AABB | OrientedBox | ConvexHull, viewport: Viewport
) -> tuple[FloatArray, FloatArray]:
    """Return the ends of the lines that thin solids of a flat batch look like: rods, and plates seen from the side."""
    if isinstance(shapes, ConvexHull):
        return _outlines(shapes, viewport)[:2]
    start, end = _middle_lines(shapes)
    if isinstance(shapes, Capsule):
        return start, end
    second = np.sort(_half_extents(shapes), axis=-1)[:, 1]
    plates = 2.0 * second >= THIN * viewport.units_per_pixel(0.5 * start + 0.5 * end)
    if plates.any():
        start[plates], end[plates], _ = _outlines(shapes[plates], viewport)
    return start, end


def _middle_lines(shapes: Capsule | Cylinder | AABB | OrientedBox) -> tuple[FloatArray, FloatArray]:
    """Return the ends of axes, or of the longest lines along an axis of boxes, through their middles."""
    if isinstance(shapes, Capsule | Cylinder):
        return shapes.start.copy(), shapes.end.copy()
    half, rows = shapes.half_extents, np.arange(len(shapes))
    longest = half.argmax(axis=-1)
    axes = np.eye(3)[longest] if isinstance(shapes, AABB) else shapes.axes[rows, :, longest]
    reach = half[rows, longest, None] * axes
    return shapes.center - reach, shapes.center + reach


def _outlines(
    shapes: Cylinder | AABB | OrientedBox | ConvexHull, viewport: Viewport
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the two corners that are seen the farthest apart, and how wide shapes are across that line.

    Those of cylinders are on their rims; of hulls, one is the farthest from any, and the other the farthest from that.
    The width is in pixels, and NaN for a shape that reaches behind the eye.
    """
    if isinstance(shapes, Cylinder):
        around = shapes.radius[:, None, None] * circles(shapes.end - shapes.start, viewport.forward, _AROUND)
        corners = np.concatenate([shapes.start[:, None] + around, shapes.end[:, None] + around], axis=1)
    else:
        corners = shapes.points if isinstance(shapes, ConvexHull) else np.swapaxes(corners_of(shapes), 0, 1)
    (pixels, depths), rows = viewport.project(corners), np.arange(len(shapes))
    if isinstance(shapes, ConvexHull):
        first = _farthest(pixels - pixels[:, :1])
        second = _farthest(pixels - pixels[rows, first][:, None])
    else:
        pairs = np.stack(np.triu_indices(corners.shape[1], 1))
        first, second = pairs[:, _farthest(pixels[:, pairs[0]] - pixels[:, pairs[1]])]
    line = pixels[rows, first] - pixels[rows, second]
    off = pixels - pixels[:, :1]
    across = (off[..., 0] * line[:, None, 1] - off[..., 1] * line[:, None, 0]) / lengths(line)[:, None]
    ends = []
    for end in (first, second):  # of corners that are seen at one place, the nearest: none hides it
        there = np.abs(pixels - pixels[rows, end][:, None]).max(axis=-1) < THIN
        ends.append(corners[rows, np.where(there, depths, np.inf).argmin(axis=-1)])
    wide = np.ptp(across, axis=-1)
    if isinstance(shapes, ConvexHull):
        wide += 2.0 * shapes.radius / viewport.units_per_pixel(ends[0])
    return ends[0], ends[1], wide


def _farthest(offsets: FloatArray) -> IntArray:
    """Return which of the offsets of each shape, (n, k, 2), is the longest."""
    return np.asarray(np.nan_to_num(np.square(offsets).sum(axis=-1), nan=-1.0).argmax(axis=-1))


def dotted(tiny: BoolArray, colliding: BoolArray) -> BoolArray:
    """Return which tiny shapes are drawn as dots, or thin ones as lines, so that there are not too many."""
    for some in (tiny, tiny & colliding):
        if np.count_nonzero(some) <= MOST_DOTS:
            return some
    return np.zeros_like(tiny)


def tiny_note(tiny: BoolArray, dots: BoolArray) -> str:
    """Say how many shapes are too small to be seen, and what is done about it; nothing where there are none.

    Examples
    --------
    >>> tiny_note(np.array([True, False, True]), np.array([True, False, True]))
    '2 shapes smaller than 2 pixels, drawn as dots'
    """
    return _note(tiny, dots, f"smaller than {TINY:g} pixels", ("a dot", "dots"))


def thin_note(thin: BoolArray, lines: BoolArray) -> str:
    """Say how many shapes are too thin to be seen, and what is done about it; nothing where there are none.

    Examples
    --------
    >>> thin_note(np.array([True, False]), np.array([True, False]))
    '1 shape thinner than 1.5 pixels, drawn as a line'
    """
    return _note(thin, lines, f"thinner than {THIN:g} pixels", ("a line", "lines"))


def _note(some: BoolArray, shown: BoolArray, what: str, drawn_as: tuple[str, str]) -> str:
    """Say how many shapes are something, and what one or many of those shown are drawn as."""
    count, drawn = int(np.count_nonzero(some)), int(np.count_nonzero(shown))
    if not count:
        return ""
    which = "" if drawn == count else f"{drawn:,} of them "
    done = f", {which}drawn as {drawn_as[drawn > 1]}" if drawn else ""
    return f"{counted(count, 'shape')} {what}{done}"
