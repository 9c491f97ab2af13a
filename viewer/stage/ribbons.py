"""Marks as triangles that face the camera: pure arithmetic, no renderer.

A stroke of constant width on the screen is a ribbon across the view, as wide at each of its ends as so many pixels are
there; perspective keeps it straight and even in between. Dots, heads of arrows and dashes are cut from the same cloth.
The triangles are made anew for every camera, so infinite lines never reach beyond what is seen of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from collision.inner import (
    BYTES,
    FLOAT,
    FLOATS,
    INT,
    INTS,
    SINGLES,
    Bytes,
    FloatArray,
    Floats,
    Ints,
    Loop,
    Singles,
    Vec3,
    add,
    address,
    along,
    cross,
    dot,
    kernel,
    load,
    norm,
    scale,
    store,
    sub,
)
from viewer.camera import Viewport
from viewer.stage.sight import (
    ARROW,
    KINDS,
    MARKER,
    PATCH,
    SLOPE,
    STROKE,
    Mark,
    Table,
    ends_of,
    head_of,
    pixel_of,
    sight_of,
)
from viewer.theme import Style, Theme

#: Corners of a round dot; of dots in their thousands, fewer.
_CORNERS, _FEW_CORNERS, _MANY_DOTS = 28, 10, 1000

#: Half width of an arrow's head, as a part of its length; how bright its sides and its base are, and how much brighter
#: a side that faces the light.
_HEAD_RADIUS, _SIDES, _BASE, _LIGHT = 5.6 / 17.0, 0.86, 0.7, 0.14

#: Width of the ring around a marker, and of the casing on each side of a line, in units; how opaque the casing is.
_RING, _CASING, _CASING_OPACITY = 1.6, 1.3, 0.7

#: Marks stand this many pixels before what they mark (the last drawn the farthest), so that no surface cuts into them.
_FIRST_PULL, _LAST_PULL = 1.0, 5.0

#: The layer of what is over the solids and see-through, and of the parts of marks that solids hide.
_TOP_CLEAR = 3


class Triangles(NamedTuple):
    """Colored triangles in the world: vertices (n, 3), corners (m, 3), and red, green, blue, opacity of each vertex."""

    points: npt.NDArray[Any]
    corners: npt.NDArray[np.int64]
    colors: npt.NDArray[np.uint8]

    def first(self, vertices: int, triangles: int) -> Triangles:
        """Return the first so many vertices and triangles."""
        return Triangles(self.points[:vertices], self.corners[:triangles], self.colors[:vertices])


class Layers(NamedTuple):
    """Triangles by how they are drawn: among the solids or over them, opaque or see-through."""

    solid: Triangles
    clear: Triangles
    top_solid: Triangles
    top_clear: Triangles


NO_TRIANGLES = Triangles(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64), np.zeros((0, 4), dtype=np.uint8))


def layers(marks: Sequence[Mark], view: Viewport, theme: Theme, unit: float) -> Layers:
    """Return marks as triangles.

    Parameters
    ----------
    marks : sequence of Marker, Stroke, Arrow or Patch
        Later ones are drawn over earlier ones of the same kind, markers over arrows over strokes over patches.
    view : Viewport
        Where the picture is taken from, and its size in pixels.
    theme : Theme
        What the roles look like.
    unit : float
        Pixels in a unit of the theme.

    Examples
    --------
    >>> from collision import Camera
    >>> from viewer.drawables import Marker, Role
    >>> from viewer.theme import LIGHT
    >>> view = Viewport(Camera((0, 0, 10), up=(0, 1, 0)), (640, 480))
    >>> dot = Marker(np.zeros((1, 3)), Role.CONTACT)
    >>> [len(triangles.corners) > 0 for triangles in layers([dot], view, LIGHT, 1.0)]
    [False, False, True, False]
    """
    ribbons = Ribbons()
    ribbons.write(sorted(marks, key=order), view, theme, unit, np.zeros(3))
    return Layers(*(part.first(*counts) for part, counts in zip(ribbons.layers, ribbons.counts, strict=True)))


def order(mark: Mark) -> int:
    """Return the place of a mark's kind in the order in which marks cover each other."""
    return KINDS[type(mark)]


class Ribbons:
    """Marks as triangles, in memory that is kept from picture to picture.

    What follows from the kinds, roles and counts of the marks alone is made anew only for others of these, and the
    memory only where it is too small.
    """

    def __init__(self) -> None:
        #: Room for the triangles of each layer, as VTK takes them: vertices are relative to an origin, and single, ...
        self.layers = Layers(*[NO_TRIANGLES] * 4)
        #: ... how many vertices and triangles there are, ...
        self.counts: list[tuple[int, int]] = [(0, 0)] * 4
        #: ... and whether the triangles have other corners than before.
        self.changed: list[int] = [0] * 4
        #: The nearest and the farthest depth before the eye that there is anything; infinitely far, and negative.
        self.depths: tuple[float, float] = (math.inf, -math.inf)
        self._table = Table()
        self._theme: Theme | None = None
        self._used, self._depths = np.zeros(14, dtype=np.int64), np.zeros(2)
        #: The vertices and triangles of marks at most, but for their lines; and what there is room for.
        self._least, self._room = (0, 0), np.zeros(2, dtype=np.int64)
        #: The looks of the marks, and the halo.
        self._looks: FloatArray = np.zeros((0, 9))
        #: What `_LAYERS` writes to; and where that is, with the looks.
        self._memory: tuple[npt.NDArray[Any], ...] = ()
        self._places: list[int] = []

    def write(self, marks: Sequence[Mark], view: Viewport, theme: Theme, unit: float, origin: FloatArray) -> None:
        """Take these marks, and no others, in the order in which they cover each other."""
        if not marks:
            self.counts, self.depths = [(0, 0)] * 4, (math.inf, -math.inf)
            return
        if self._table.write(marks, theme.styles) or theme is not self._theme:
            self._style([theme.styles[mark.role] for mark in marks], theme)
        pieces = self._table.look(view, unit)
        self._make_room(self._least[0] + 12 * pieces, self._least[1] + 6 * pieces)
        sight = sight_of(view)
        _LAYERS.run(len(marks), unit, *self._table.places, sight[1], address(origin), *self._places)
        used, (near, far) = self._used.tolist(), self._depths.tolist()
        self.counts, self.changed, self.depths = [*zip(used[:4], used[4:8], strict=True)], used[10:], (near, far)

    def _style(self, styles: Sequence[Style], theme: Theme) -> None:
        self._theme, self._least = theme, _least_room(self._table.rows)
        self._looks = np.array([*map(_look, styles), (*theme.halo, *[0.0] * 6)])
        self._places = []

    def _make_room(self, vertices: int, triangles: int) -> None:
        if not self._memory or vertices > self._room[0] or triangles > self._room[1]:
            vertices, triangles = vertices + vertices // 4, triangles + triangles // 4  # for some more pieces of lines
            points, colors = np.zeros((4, vertices, 3), np.float32), np.zeros((4, vertices, 4), np.uint8)
            corners = np.zeros((4, triangles, 3), np.int64)
            self.layers = Layers(*map(Triangles, points, corners, colors))
            self._room = np.array([vertices, triangles], dtype=np.int64)
            draft, between = np.empty((vertices, 4)), np.empty((triangles, 3), dtype=np.int64)
            self._memory = self._room, draft, between, self._used, self._depths, points, corners, colors
            self._places = []
        if not self._places:
            self._places = list(map(address, (self._looks, _CIRCLE, *self._memory)))


def joined(parts: Iterable[Triangles]) -> Triangles:
    """Return several triangle sets as one, in order."""
    all_parts = [NO_TRIANGLES, *parts]
    starts = np.cumsum([0, *(len(part.points) for part in all_parts[:-1])])
    return Triangles(
        np.concatenate([part.points for part in all_parts]),
        np.concatenate([part.corners + start for part, start in zip(all_parts, starts, strict=True)]),
        np.concatenate([part.colors for part in all_parts]),
    )


def _least_room(rows: npt.NDArray[np.int64]) -> tuple[int, int]:
    """Return how many vertices and triangles marks have at most, but for their lines."""
    vertices, triangles = 0, 0
    for kind, count, _, _ in rows.tolist():
        around = _CORNERS if kind == ARROW or count < _MANY_DOTS else _FEW_CORNERS
        if kind == PATCH:
            vertices, triangles = vertices + 4 * count, triangles + 2 * count
        elif kind != STROKE:  # a disk and a ring, or a cone
            vertices, triangles = vertices + 4 * around * count, triangles + 3 * around * count
    return vertices, triangles


def _look(style: Style) -> tuple[float, ...]:
    """Return a style as numbers."""
    return (*style.color, style.width, style.size, style.opacity, style.fill, style.on_top, style.ghost)


#: The cosine and the sine of so many angles around a circle: a multiple of the corners of all dots.
_FINEST = 140
_CIRCLE = np.column_stack([part(2.0 * np.pi * np.arange(_FINEST) / _FINEST) for part in (np.cos, np.sin)])


# -- what is compiled --------------------------------------------------------------------------------------------------
#
# The parts of a mark that have the same color are drafted, one part after the other: vertices with how dark they are,
# and triangles between them. A draft is then copied to the layers that it is seen in.

#: Where it is kept how many vertices and triangles the draft has; before, those of the four layers. After, of each
#: layer whether its triangles have other corners than before.
_VERTICES, _TRIANGLES, _CHANGED = 8, 9, 10


@kernel
def _begin(used: Ints, depths: Floats) -> None:
    for k in range(14):
        used[k] = 0
    depths[0], depths[1] = math.inf, -math.inf


@kernel
def _vertex(draft: Floats, used: Ints, point: Vec3, shade: float) -> None:
    k = used[_VERTICES]
    store(draft, 4 * k, point)
    draft[4 * k + 3] = shade
    used[_VERTICES] = k + 1


@kernel
def _triangle(between: Ints, used: Ints, a: int, b: int, c: int) -> None:
    k = 3 * used[_TRIANGLES]
    between[k], between[k + 1], between[k + 2] = a, b, c
    used[_TRIANGLES] += 1


@kernel
def _quad(draft: Floats, between: Ints, used: Ints, a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> None:
    k = used[_VERTICES]
    _triangle(between, used, k, k + 1, k + 2)
    _triangle(between, used, k, k + 2, k + 3)
    _vertex(draft, used, a, 1.0)
    _vertex(draft, used, b, 1.0)
    _vertex(draft, used, c, 1.0)
    _vertex(draft, used, d, 1.0)


@kernel
def _ribbon(
    draft: Floats, between: Ints, used: Ints, s: Floats, unit: float, a: Vec3, b: Vec3, low: float, high: float
) -> None:
    """Draft a ribbon along a line, between edges so many units beside it."""
    first, last = pixel_of(s, a), pixel_of(s, b)
    x, y = last.x - first.x, last.y - first.y
    length = math.sqrt(x * x + y * y)
    # A stroke that is seen end on has no direction in the picture: any will do.
    x, y = (unit * x / length, unit * y / length) if length > 0.0 else (unit, 0.0)
    aside = Vec3(y * s[6] - x * s[9], y * s[7] - x * s[10], y * s[8] - x * s[11])
    near, far = scale(aside, first.size), scale(aside, last.size)
    _quad(draft, between, used, along(a, low, near), along(b, low, far), along(b, high, far), along(a, high, near))


@kernel
def _band(
    draft: Floats, between: Ints, used: Ints, circle: Floats, around: int, u: Vec3, v: Vec3, a: Vec3, inner: float,
    b: Vec3, outer: float, middle: float, shade: float, light: Vec3,
) -> None:  # fmt: skip
    """Draft what is between two circles, or between a circle and a point: a disk, a ring or a cone."""
    k = used[_VERTICES]
    for i in range(around):
        j = (i + 1) % around
        if inner > 0.0:
            _triangle(between, used, k + i, k + around + i, k + j)
        if outer > 0.0:
            _triangle(between, used, k + j, k + around + i, k + around + j)
    for n in range(2 * around):
        i = 2 * (_FINEST // around) * (n % around)
        out = add(scale(u, circle[i]), scale(v, circle[i + 1]))
        lit = middle if n < around and inner == 0.0 else min(max(shade + _LIGHT * dot(out, light), 0.0), 1.0)
        _vertex(draft, used, along(a, inner, out) if n < around else along(b, outer, out), lit)


@kernel
def _patches(
    draft: Floats, between: Ints, used: Ints, s: Floats, memory: Floats, at: int, kind: int, count: int
) -> None:
    """Draft patches; one that reaches behind the eye is left out."""
    for k in range(count):
        a, b = ends_of(memory, at, kind, count, 4 * k)
        c, d = ends_of(memory, at, kind, count, 4 * k + 2)
        before = pixel_of(s, a).size > 0.0 and pixel_of(s, b).size > 0.0
        if before and pixel_of(s, c).size > 0.0 and pixel_of(s, d).size > 0.0:
            _quad(draft, between, used, a, b, c, d)


@kernel
def _heads(
    draft: Floats, between: Ints, used: Ints, s: Floats, unit: float, circle: Floats, around: int, memory: Floats,
    at: int, kind: int, count: int,
) -> None:  # fmt: skip
    """Draft the heads of arrows: cones, a little darker on the sides that face away from the light."""
    light = Vec3(s[9] - 0.6 * s[6], s[10] - 0.6 * s[7], s[11] - 0.6 * s[8])
    for i in range(count):
        start, end = ends_of(memory, at, kind, count, i)
        neck, length = head_of(s, unit, start, end)
        if length > 0.0:
            line, radius = sub(end, neck), _HEAD_RADIUS * length
            axis = scale(line, 1.0 / norm(line))
            aside = cross(axis, Vec3(1.0, 0.0, 0.0) if abs(axis.x) < 0.9 else Vec3(0.0, 1.0, 0.0))
            u = scale(aside, 1.0 / norm(aside))
            v = cross(axis, u)
            for base in range(2):
                inner, tip, outer = (0.0, neck, radius) if base else (radius, end, 0.0)
                _band(draft, between, used, circle, around, u, v, neck, inner, tip, outer, _BASE, _SIDES, light)


@kernel
def _dots(
    draft: Floats, between: Ints, used: Ints, s: Floats, circle: Floats, around: int, memory: Floats, at: int,
    count: int, inner: float, outer: float,
) -> None:  # fmt: skip
    """Draft disks or rings across the view, of so many pixels."""
    right, up, nowhere = Vec3(s[6], s[7], s[8]), Vec3(s[9], s[10], s[11]), Vec3(0.0, 0.0, 0.0)
    for i in range(count):
        p = load(memory, at + 3 * i)
        size = pixel_of(s, p).size
        if size > 0.0:
            _band(draft, between, used, circle, around, right, up, p, inner * size, p, outer * size, 1.0, 1.0, nowhere)


@kernel
def _copy(
    draft: Floats, between: Ints, used: Ints, s: Floats, pull: float, color: Vec3, opacity: float, layer: int,
    room: Ints, origin: Floats, points: Singles, corners: Ints, colors: Bytes, depths: Floats,
) -> None:  # fmt: skip
    """Copy the draft to a layer, pulled towards the eye by so many pixels: in the picture, it stays where it is."""
    eye, forward = Vec3(s[0], s[1], s[2]), Vec3(s[3], s[4], s[5])
    base, more = used[layer], used[4 + layer]
    for i in range(used[_VERTICES]):
        p, shade, k = load(draft, 4 * i), draft[4 * i + 3], room[0] * layer + base + i
        size, to_eye = pull * pixel_of(s, p).size, sub(eye, p)
        distance = norm(to_eye)
        part = min(size / distance, 0.5) if distance > 0.0 else 0.0
        p = along(p, part, to_eye) if s[SLOPE] > 0.0 else along(p, -size, forward)
        store(points, 3 * k, sub(p, load(origin, 0)))
        depth = dot(sub(p, eye), forward)
        if depth > 0.0:
            depths[0], depths[1] = min(depths[0], depth), max(depths[1], depth)
        colors[4 * k] = round(shade * color.x)
        colors[4 * k + 1] = round(shade * color.y)
        colors[4 * k + 2] = round(shade * color.z)
        colors[4 * k + 3] = round(255.0 * opacity)
    for i in range(3 * used[_TRIANGLES]):
        k, corner = 3 * (room[1] * layer + more) + i, base + between[i]
        if corners[k] != corner:
            corners[k] = corner
            used[_CHANGED + layer] = 1
    used[layer] = base + used[_VERTICES]
    used[4 + layer] = more + used[_TRIANGLES]


def _layers(
    marks: int, unit: float, rows: Ints, memory: Floats, seen: Floats, ends: Ints, s: Floats, origin: Floats,
    looks: Floats, circle: Floats, room: Ints, draft: Floats, between: Ints, used: Ints, depths: Floats,
    points: Singles, corners: Ints, colors: Bytes,
) -> None:  # fmt: skip
    """Draw marks in order, and of each the parts from the lowest to the highest."""
    _begin(used, depths)
    step = unit * (_LAST_PULL - _FIRST_PULL) / marks
    for mark in range(marks):
        kind, count, at, look = rows[4 * mark], rows[4 * mark + 1], rows[4 * mark + 2], 9 * mark
        around = _FEW_CORNERS if kind == MARKER and count >= _MANY_DOTS else _CORNERS
        half, radius = 0.5 * looks[look + 3], 0.5 * looks[look + 4]
        on_top, ghost = looks[look + 7] > 0.0, looks[look + 8]
        for rank in range(3):
            opacity, color = looks[look + 5], load(looks, look)
            if rank == 0:  # the insides of patches; of lines, two thin lines beside them, which set them off
                opacity *= looks[look + 6] if kind == PATCH else _CASING_OPACITY
            if (rank == 0 and kind != PATCH) or (rank == 2 and kind == MARKER):
                color = load(looks, 9 * marks)  # the halo
            used[_VERTICES] = used[_TRIANGLES] = 0
            sides = 1 if rank == 1 else (2 if rank == 0 and kind != PATCH else 0)
            for side in range(sides):
                low = -half if rank == 1 else (half if side == 0 else -half - _CASING)
                high = half if rank == 1 else low + _CASING
                for k in range(ends[mark], ends[mark + 1]):
                    _ribbon(draft, between, used, s, unit, load(seen, 6 * k), load(seen, 6 * k + 3), low, high)
            if rank == 0 and kind == PATCH:
                _patches(draft, between, used, s, memory, at, kind, count)
            if rank == 2 and kind == ARROW:
                _heads(draft, between, used, s, unit, circle, around, memory, at, kind, count)
            if rank >= 1 and kind == MARKER:
                inner, outer = (0.0, radius) if rank == 1 else (radius, radius + _RING)
                _dots(draft, between, used, s, circle, around, memory, at, count, unit * inner, unit * outer)
            pull = _FIRST_PULL * unit + (mark + (0.5 if rank else 0.0)) * step
            layer = (2 if on_top else 0) + (1 if opacity < 1.0 else 0)
            for copy in range(1 if on_top or ghost == 0.0 else 2):
                if copy:  # what solids hide
                    layer, opacity = _TOP_CLEAR, ghost * opacity
                _copy(
                    draft, between, used, s, pull, color, opacity, layer, room, origin, points, corners, colors, depths
                )


_LAYERS = Loop(
    "mark_layers",
    _layers,
    (INT, FLOAT, INTS, FLOATS, FLOATS, INTS, *[FLOATS] * 4, INTS, FLOATS, INTS, INTS, FLOATS, SINGLES, INTS, BYTES),
)
