"""Marks drafted as triangles, as machine code.

The parts of a mark that have the same color are drafted, one part after the other: vertices with how dark they are, and
triangles between them. A draft is then copied to the layers that it is seen in.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from collision.inner import (
    BYTES,
    FLOAT,
    FLOATS,
    INT,
    INTS,
    SINGLES,
    Bytes,
    Floats,
    Ints,
    Loop,
    Singles,
    Vec3,
    add,
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
from viewer.stage.marks.pieces import ARROW, MARKER, PATCH, PIECE, Row, ends_of, head_of, point_of, read_row
from viewer.stage.marks.projection import EYE, FORWARD, RIGHT, SLOPE, UP, pixel_of

#: Corners of a round dot; of dots in their thousands, fewer.
CORNERS, FEW_CORNERS, MANY_DOTS = 28, 10, 1000

#: Half width of an arrow's head, as a part of its length; how bright its sides and its base are, and how much brighter
#: a side that faces the light.
_HEAD_RADIUS, _SIDES, _BASE, _LIGHT = 5.6 / 17.0, 0.86, 0.7, 0.14

#: Width of the ring around a marker, and of the casing on each side of a line, in units; how opaque the casing is.
_RING, _CASING, _CASING_OPACITY = 1.6, 1.3, 0.7

#: Marks stand this many pixels before what they mark (the last drawn the farthest), so that no surface cuts into them.
_FIRST_PULL, _LAST_PULL = 1.0, 5.0

#: The layer of what is over the solids and see-through, and of the parts of marks that solids hide.
_TOP_CLEAR = 3

#: Numbers of a look.
LOOK = 10

#: The parts of a mark from the lowest to the highest: what sets it off from anything behind it, what is inside of it or
#: beside its lines, these lines and dots, and what is on them.
_HALO, _UNDER, _LINES, _OVER = range(4)

#: The cosine and the sine of so many angles around a circle: a multiple of the corners of all dots.
_FINEST = 140
CIRCLE = np.column_stack([part(2.0 * np.pi * np.arange(_FINEST) / _FINEST) for part in (np.cos, np.sin)])

#: Numbers of a vertex of the draft: where it is, and how dark.
_DRAFTED = 4

#: Where it is kept how many vertices and triangles the four layers have, and then the draft; and, after these, of each
#: layer whether its triangles have other corners than before.
_LAYER_VERTICES, _LAYER_TRIANGLES, _VERTICES, _TRIANGLES, CHANGED, COUNTS = 0, 4, 8, 9, 10, 14


class _Draft(NamedTuple):
    """The part of a mark that is being drawn: vertices, triangles between them, and how many there are."""

    vertices: Floats
    triangles: Ints
    used: Ints


class _Round(NamedTuple):
    """A circle: cosines and sines of angles around any, with how many corners it is drawn, and its axes."""

    circle: Floats
    around: int
    u: Vec3
    v: Vec3


class _Shade(NamedTuple):
    """How bright a disk, a ring or a cone is: in its middle, at its sides, and where the light is."""

    middle: float
    sides: float
    light: Vec3


class _Look(NamedTuple):
    """A style, as `viewer.stage.marks.layers` writes it down."""

    color: Vec3
    width: float
    size: float
    opacity: float
    fill: float
    on_top: bool
    ghost: float
    halo: float


class _Target(NamedTuple):
    """The memory of the layers: how many vertices and triangles each has room for, their origin, and their arrays."""

    room: Ints
    origin: Floats
    points: Singles
    corners: Ints
    colors: Bytes
    depths: Floats


@kernel
def _read_look(looks: Floats, mark: int) -> _Look:
    k = LOOK * mark
    color, on_top = load(looks, k), looks[k + 7] > 0.0
    return _Look(color, looks[k + 3], looks[k + 4], looks[k + 5], looks[k + 6], on_top, looks[k + 8], looks[k + 9])


@kernel
def _vertex(draft: _Draft, point: Vec3, shade: float) -> None:
    k = draft.used[_VERTICES]
    store(draft.vertices, _DRAFTED * k, point)
    draft.vertices[_DRAFTED * k + 3] = shade
    draft.used[_VERTICES] = k + 1


@kernel
def _triangle(draft: _Draft, a: int, b: int, c: int) -> None:
    k = 3 * draft.used[_TRIANGLES]
    draft.triangles[k], draft.triangles[k + 1], draft.triangles[k + 2] = a, b, c
    draft.used[_TRIANGLES] += 1


@kernel
def _quad(draft: _Draft, a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> None:
    k = draft.used[_VERTICES]
    _triangle(draft, k, k + 1, k + 2)
    _triangle(draft, k, k + 2, k + 3)
    _vertex(draft, a, 1.0)
    _vertex(draft, b, 1.0)
    _vertex(draft, c, 1.0)
    _vertex(draft, d, 1.0)


@kernel
def _ribbon(draft: _Draft, s: Floats, unit: float, a: Vec3, b: Vec3, low: float, high: float) -> None:
    """Draft a ribbon along a line, between edges so many units beside it."""
    near, far = _aside(s, unit, a, b)
    _quad(draft, along(a, low, near), along(b, low, far), along(b, high, far), along(a, high, near))


@kernel
def _aside(s: Floats, unit: float, a: Vec3, b: Vec3) -> tuple[Vec3, Vec3]:
    """Return how far a unit goes across a line in the picture, at each of its ends."""
    first, last = pixel_of(s, a), pixel_of(s, b)
    x, y = last.x - first.x, last.y - first.y
    length = math.sqrt(x * x + y * y)
    # A stroke that is seen end on has no direction in the picture: any will do.
    x, y = (unit * x / length, unit * y / length) if length > 0.0 else (unit, 0.0)
    aside = sub(scale(load(s, RIGHT), y), scale(load(s, UP), x))
    return scale(aside, first.size), scale(aside, last.size)


@kernel
def _ribbons(
    draft: _Draft, s: Floats, unit: float, seen: Floats, first: int, last: int, low: float, high: float
) -> None:
    """Draft ribbons along pieces of lines."""
    for k in range(first, last):
        _ribbon(draft, s, unit, load(seen, PIECE * k), load(seen, PIECE * k + 3), low, high)


@kernel
def _band(draft: _Draft, disk: _Round, a: Vec3, inner: float, b: Vec3, outer: float, shade: _Shade) -> None:
    """Draft what is between two circles, or between a circle and a point: a disk, a ring or a cone."""
    k, around = draft.used[_VERTICES], disk.around
    for i in range(around):
        j = (i + 1) % around
        if inner > 0.0:
            _triangle(draft, k + i, k + around + i, k + j)
        if outer > 0.0:
            _triangle(draft, k + j, k + around + i, k + around + j)
    for n in range(2 * around):
        i = 2 * (_FINEST // around) * (n % around)
        out = add(scale(disk.u, disk.circle[i]), scale(disk.v, disk.circle[i + 1]))
        lit = min(max(shade.sides + _LIGHT * dot(out, shade.light), 0.0), 1.0)
        lit = shade.middle if n < around and inner == 0.0 else lit
        _vertex(draft, along(a, inner, out) if n < around else along(b, outer, out), lit)


@kernel
def _patches(draft: _Draft, s: Floats, row: Row) -> None:
    """Draft patches; one that reaches behind the eye is left out."""
    for k in range(row.many):
        a, b = ends_of(row, 4 * k)
        c, d = ends_of(row, 4 * k + 2)
        before = pixel_of(s, a).size > 0.0 and pixel_of(s, b).size > 0.0
        if before and pixel_of(s, c).size > 0.0 and pixel_of(s, d).size > 0.0:
            _quad(draft, a, b, c, d)


@kernel
def _heads(draft: _Draft, s: Floats, unit: float, circle: Floats, around: int, row: Row) -> None:
    """Draft the heads of arrows: cones, a little darker on the sides that face away from the light."""
    shade = _Shade(_BASE, _SIDES, along(load(s, UP), -0.6, load(s, RIGHT)))
    for i in range(row.many):
        start, end = ends_of(row, i)
        neck, length = head_of(s, unit, start, end)
        if length > 0.0:
            line, radius = sub(end, neck), _HEAD_RADIUS * length
            axis = scale(line, 1.0 / norm(line))
            u, v = _across(axis)
            disk = _Round(circle, around, u, v)
            _band(draft, disk, neck, radius, end, 0.0, shade)
            _band(draft, disk, neck, 0.0, neck, radius, shade)


@kernel
def _head_halos(draft: _Draft, s: Floats, unit: float, circle: Floats, around: int, row: Row, halo: float) -> None:
    """Draft what is seen around the heads of arrows: of the side a triangle across the view, of the base a disk."""
    shade = _Shade(1.0, 1.0, Vec3(0.0, 0.0, 0.0))
    for i in range(row.many):
        start, end = ends_of(row, i)
        neck, length = head_of(s, unit, start, end)
        if length > 0.0:
            line, more = sub(end, neck), halo * unit * pixel_of(s, end).size
            axis, radius = scale(line, 1.0 / norm(line)), _HEAD_RADIUS * length + more
            back, tip = along(neck, -more, axis), along(end, 2.0 * more, axis)
            near, far = _aside(s, unit, back, tip)
            wide = (radius + 0.6 * more) / norm(near) if norm(near) > 0.0 else 0.0
            low, high = along(back, -wide, near), along(back, wide, near)
            _quad(draft, low, along(tip, -0.3 * halo, far), along(tip, 0.3 * halo, far), high)
            u, v = _across(axis)
            disk = _Round(circle, around, u, v)
            _band(draft, disk, neck, 0.0, neck, radius, shade)


@kernel
def _across(axis: Vec3) -> tuple[Vec3, Vec3]:
    """Return two directions across an axis, and across each other."""
    aside = cross(axis, Vec3(1.0, 0.0, 0.0) if abs(axis.x) < 0.9 else Vec3(0.0, 1.0, 0.0))
    u = scale(aside, 1.0 / norm(aside))
    return u, cross(axis, u)


@kernel
def _dots(draft: _Draft, s: Floats, circle: Floats, around: int, row: Row, inner: float, outer: float) -> None:
    """Draft disks or rings across the view, of so many pixels."""
    disk = _Round(circle, around, load(s, RIGHT), load(s, UP))
    shade = _Shade(1.0, 1.0, Vec3(0.0, 0.0, 0.0))
    for i in range(row.many):
        p = point_of(row, i)
        size = pixel_of(s, p).size
        if size > 0.0:
            _band(draft, disk, p, inner * size, p, outer * size, shade)


@kernel
def _draw(
    draft: _Draft, rank: int, row: Row, look: _Look, s: Floats, unit: float, circle: Floats, seen: Floats, first: int,
    last: int,
) -> None:  # fmt: skip
    """Draft one part of a mark."""
    draft.used[_VERTICES] = draft.used[_TRIANGLES] = 0
    half, radius = 0.5 * look.width, 0.5 * look.size
    around = FEW_CORNERS if row.kind == MARKER and row.many >= MANY_DOTS else CORNERS
    if rank == _HALO and look.halo > 0.0:
        _ribbons(draft, s, unit, seen, first, last, -half - look.halo, half + look.halo)
        if row.kind == ARROW:
            _head_halos(draft, s, unit, circle, around, row, look.halo)
    elif rank == _UNDER and row.kind == PATCH:
        _patches(draft, s, row)
    elif rank == _UNDER and look.halo == 0.0:
        _ribbons(draft, s, unit, seen, first, last, half, half + _CASING)
        _ribbons(draft, s, unit, seen, first, last, -half - _CASING, -half - _CASING + _CASING)
    elif rank == _LINES:
        _ribbons(draft, s, unit, seen, first, last, -half, half)
    elif rank == _OVER and row.kind == ARROW:
        _heads(draft, s, unit, circle, around, row)
    if rank >= _LINES and row.kind == MARKER:
        inner, outer = (0.0, radius) if rank == _LINES else (radius, radius + _RING)
        _dots(draft, s, circle, around, row, unit * inner, unit * outer)


@kernel
def _copy(draft: _Draft, s: Floats, pull: float, color: Vec3, opacity: float, layer: int, to: _Target) -> None:
    """Copy the draft to a layer, pulled towards the eye by so many pixels: in the picture, it stays where it is."""
    eye, forward, used = load(s, EYE), load(s, FORWARD), draft.used
    base, more = used[_LAYER_VERTICES + layer], used[_LAYER_TRIANGLES + layer]
    for i in range(used[_VERTICES]):
        p, shade = load(draft.vertices, _DRAFTED * i), draft.vertices[_DRAFTED * i + 3]
        k = to.room[0] * layer + base + i
        size, to_eye = pull * pixel_of(s, p).size, sub(eye, p)
        distance = norm(to_eye)
        part = min(size / distance, 0.5) if distance > 0.0 else 0.0
        p = along(p, part, to_eye) if s[SLOPE] > 0.0 else along(p, -size, forward)
        store(to.points, 3 * k, sub(p, load(to.origin, 0)))
        depth = dot(sub(p, eye), forward)
        if depth > 0.0:
            to.depths[0], to.depths[1] = min(to.depths[0], depth), max(to.depths[1], depth)
        to.colors[4 * k] = round(shade * color.x)
        to.colors[4 * k + 1] = round(shade * color.y)
        to.colors[4 * k + 2] = round(shade * color.z)
        to.colors[4 * k + 3] = round(255.0 * opacity)
    for i in range(3 * used[_TRIANGLES]):
        k, corner = 3 * (to.room[1] * layer + more) + i, base + draft.triangles[i]
        if to.corners[k] != corner:
            to.corners[k] = corner
            used[CHANGED + layer] = 1
    used[_LAYER_VERTICES + layer] = base + used[_VERTICES]
    used[_LAYER_TRIANGLES + layer] = more + used[_TRIANGLES]


def _layers(
    marks: int, unit: float, rows: Ints, numbers: Floats, seen: Floats, ends: Ints, s: Floats, origin: Floats,
    looks: Floats, circle: Floats, room: Ints, vertices: Floats, triangles: Ints, used: Ints, depths: Floats,
    points: Singles, corners: Ints, colors: Bytes,
) -> None:  # fmt: skip
    """Draw marks in order, and of each the parts from the lowest to the highest."""
    draft, to = _Draft(vertices, triangles, used), _Target(room, origin, points, corners, colors, depths)
    for k in range(COUNTS):
        used[k] = 0
    depths[0], depths[1] = math.inf, -math.inf
    halo = _read_look(looks, marks).color
    step = unit * (_LAST_PULL - _FIRST_PULL) / marks
    for mark in range(marks):
        row, look = read_row(rows, numbers, mark), _read_look(looks, mark)
        for rank in range(4):
            opacity, color = look.opacity, look.color
            if rank == _UNDER:  # the insides of patches; of lines, two thin lines beside them, which set them off
                opacity *= look.fill if row.kind == PATCH else _CASING_OPACITY
            if rank == _HALO or (rank == _UNDER and row.kind != PATCH) or (rank == _OVER and row.kind == MARKER):
                color = halo
            _draw(draft, rank, row, look, s, unit, circle, seen, ends[mark], ends[mark + 1])
            pull = _FIRST_PULL * unit + (mark + (0.5 if rank >= _LINES else 0.0)) * step
            layer = (2 if look.on_top else 0) + (1 if opacity < 1.0 else 0)
            _copy(draft, s, pull, color, opacity, layer, to)
            if not look.on_top and look.ghost != 0.0:  # what solids hide
                _copy(draft, s, pull, color, look.ghost * opacity, _TOP_CLEAR, to)


LAYERS = Loop(
    "mark_layers",
    _layers,
    (INT, FLOAT, INTS, FLOATS, FLOATS, INTS, *[FLOATS] * 4, INTS, FLOATS, INTS, INTS, FLOATS, SINGLES, INTS, BYTES),
)
