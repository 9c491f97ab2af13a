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
    FloatArray,
    address,
)
from viewer.camera.camera import Viewport
from viewer.records.theme import Style, Theme
from viewer.stage.marks.pieces import ARROW, KINDS, PATCH, STROKE, Mark, Table
from viewer.stage.marks.projection import view_numbers
from viewer.stage.marks.triangles import CHANGED, CIRCLE, CORNERS, COUNTS, FEW_CORNERS, LAYERS, LOOK, MANY_DOTS


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
    >>> from viewer.records.drawables import Marker, Role
    >>> from viewer.records.theme import LIGHT
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
        self._used, self._depths = np.zeros(COUNTS, dtype=np.int64), np.zeros(2)
        #: The vertices and triangles of marks at most, but for their lines; and what there is room for.
        self._least, self._room = (0, 0), np.zeros(2, dtype=np.int64)
        #: The looks of the marks, and the halo.
        self._looks: FloatArray = np.zeros((0, LOOK))
        #: What `LAYERS` writes to; and where that is, with the looks.
        self._memory: tuple[npt.NDArray[Any], ...] = ()
        self._places: list[int] = []

    def write(self, marks: Sequence[Mark], view: Viewport, theme: Theme, unit: float, origin: FloatArray) -> None:
        """Take these marks, and no others, in the order in which they cover each other."""
        if not marks:
            self.counts, self.depths = [(0, 0)] * 4, (math.inf, -math.inf)
            return
        if self._table.write(marks, theme.styles) or theme is not self._theme:
            self._style([theme.styles[mark.role] for mark in marks], theme)
        numbers = view_numbers(view)
        pieces = self._table.look(numbers, unit)
        self._make_room(self._least[0] + 12 * pieces, self._least[1] + 6 * pieces)
        LAYERS.run(len(marks), unit, *self._table.places, address(numbers), address(origin), *self._places)
        used, (near, far) = self._used.tolist(), self._depths.tolist()
        self.counts, self.changed, self.depths = [*zip(used[:4], used[4:8], strict=True)], used[CHANGED:], (near, far)

    def _style(self, styles: Sequence[Style], theme: Theme) -> None:
        self._theme, self._least = theme, _least_room(self._table.rows)
        self._looks = np.array([*map(_look, styles), (*theme.halo, *[0.0] * (LOOK - 3))])
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
            self._places = list(map(address, (self._looks, CIRCLE, *self._memory)))


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
        around = CORNERS if kind == ARROW or count < MANY_DOTS else FEW_CORNERS
        if kind == PATCH:
            vertices, triangles = vertices + 4 * count, triangles + 2 * count
        elif kind != STROKE:  # a disk and a ring, or a cone and what is seen around it
            vertices, triangles = vertices + (6 * around + 4) * count, triangles + (3 * around + 2) * count
    return vertices, triangles


def _look(style: Style) -> tuple[float, ...]:
    """Return a style as numbers."""
    return (*style.color, style.width, style.size, style.opacity, style.fill, style.on_top, style.ghost, style.halo)
