"""Actors of flat colored triangles, and the ground: what is drawn as it is, without light."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkProp, vtkRenderer

from collision.inner import FloatArray
from viewer.records.drawables import Ground
from viewer.records.theme import Theme
from viewer.stage.extent import Corners
from viewer.stage.solids.floor_code import Lies, lay, set_size, set_squares, write_floor_code
from viewer.stage.solids.meshes import glyphs, poly_data
from viewer.stage.solids.shading import set_view
from viewer.stage.solids.shadows import cast
from viewer.stage.vtk_camera import Tile


class Others:
    """The props of a renderer but some that are known: what else a user shows in a plotter.

    Parameters
    ----------
    renderer : vtkRenderer
        Whose props they are; it is asked for all of them again only when one has come or gone.
    """

    def __init__(self, renderer: vtkRenderer) -> None:
        self._props: Any = renderer.GetViewProps()
        self._count = -1
        self._others: list[vtkProp] = []

    def boxes(self, known: Sequence[Sequence[vtkProp]]) -> list[Corners]:
        """Return the lowest and the highest corner of each prop that is seen and is not among those that are known."""
        if self._props.GetMTime() != self._count:
            mine = {prop for props in known for prop in props}
            self._count, self._others = self._props.GetMTime(), [prop for prop in self._props if prop not in mine]
        found: list[Corners] = []
        for prop in self._others:
            if prop.GetVisibility() and prop.GetUseBounds():
                bounds = prop.GetBounds()
                if bounds is not None and bounds[0] <= bounds[1]:
                    found.append((bounds[0::2], bounds[1::2]))
        return found


#: Where they have faded to nothing that is seen, as a part of the way from the middle of the ground to its border.
_SEEN = 0.94


class GroundActor:
    """A grid that fades towards its border: a strip for each line, ruled by its shader."""

    def __init__(self, theme: Theme) -> None:
        # Coordinates from -1 to 1 reach the shader as they are; the actor's own matrix puts the grid in its place.
        self._mapper = glyphs(_strip())
        self.actor = vtkActor()
        self.actor.SetMapper(self._mapper)
        self.actor.SetVisibility(False)
        lay(self.actor, theme, Lies.LINE)
        cast(self.actor, (), np.zeros(3))
        self.ground: Ground | None = None
        self._theme, self._several = theme, False
        self._write(Ground(0.0, 1.0, (0.0, 0.0), 1.0))

    def update(self, ground: Ground | None) -> None:
        """Show a ground, or none."""
        if ground is not None and ground != self.ground:
            self._write(ground)
        self.ground = ground
        self.actor.SetVisibility(ground is not None)

    def draw_beside(self, floors: int) -> None:
        """Take the code of shadows on so many floors: what is alike is compiled once."""
        if (floors > 1) != self._several:
            self._several = floors > 1
            write_floor_code(self.actor, self._theme, several=self._several)

    @property
    def bounds(self) -> Corners | None:
        """The lowest and the highest corner of the ground; None without one."""
        if self.ground is None:
            return None
        (x, y), z, half = self.ground.center, self.ground.z, self.ground.half_size
        return (x - half, y - half, z), (x + half, y + half, z)

    @contextmanager
    def as_lines(self, renderer: vtkRenderer) -> Iterator[None]:
        """Have a renderer draw lines that exporters can take: this actor's own have no width without its shader."""
        lines = self._lines()
        renderer.AddViewProp(lines)
        self.actor.VisibilityOff()
        try:
            yield
        finally:
            renderer.RemoveViewProp(lines)
            self.actor.SetVisibility(lines.GetVisibility())

    def _lines(self) -> vtkActor:
        actor = vtkActor()
        ground = self.ground
        if ground is not None:
            data, points, cells = vtkPolyData(), vtkPoints(), vtkCellArray()
            half, middle = ground.half_size / ground.spacing, np.array([*ground.center, ground.z])
            shift = np.mod(-np.array(ground.center) / ground.spacing, 5.0)
            for axis in (0, 1):
                for at in _lines(half, float(shift[axis])).tolist():
                    reach = float(np.sqrt(max(_SEEN**2 - at * at, 0.0)))
                    cells.InsertNextCell(2)
                    for end in (-reach, reach):
                        place = (at, end, 0.0) if axis == 0 else (end, at, 0.0)
                        cells.InsertCellPoint(points.InsertNextPoint(*(middle + ground.half_size * np.array(place))))
            data.SetPoints(points)
            data.SetLines(cells)
            mapper = vtkPolyDataMapper()
            mapper.SetInputData(data)
            actor.SetMapper(mapper)
            actor.GetProperty().SetColor(*(part / 255.0 for part in self._theme.grid))
        actor.SetVisibility(ground is not None)
        return actor

    def restyle(self, theme: Theme) -> None:
        """Take another color for the lines."""
        self._theme = theme
        write_floor_code(self.actor, theme, several=self._several)

    def set_view(self, unit: float, part: Tile) -> None:
        """Follow the picture's size, or that of a part of it, in pixels."""
        set_view(self.actor, unit=unit, pixel=1.0, parallel=False)
        set_size(self.actor, part)

    def _write(self, ground: Ground) -> None:
        self.actor.SetPosition(*ground.center, ground.z)
        self.actor.SetScale(ground.half_size, ground.half_size, 1.0)
        half = ground.half_size / ground.spacing
        # Lines stand at whole multiples of the spacing, and every fifth of them is bold, wherever the middle is.
        first, second = np.mod(-np.array(ground.center) / ground.spacing, 5.0).tolist()
        set_squares(self.actor, half=half, shift=(first, second))
        self._mapper.SetInputData(_strips([_lines(half, first), _lines(half, second)]))


def _lines(half: float, shift: float) -> FloatArray:
    """Return where lines cross an axis of the ground, from -1 to 1, as far as they are seen."""
    seen = _SEEN * half
    return (np.arange(np.ceil(-seen - shift), np.floor(seen - shift) + 1.0) + shift) / half


def _strip() -> vtkPolyData:
    """Return what becomes of each line: a strip, with coordinates from -1 to 1 across it and along it."""
    corners = np.array([(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (1.0, 1.0, 0.0), (-1.0, 1.0, 0.0)])
    return poly_data(corners, np.array([(0, 1, 2), (0, 2, 3)]), {})


def _strips(lines: Sequence[FloatArray]) -> vtkPolyData:
    """Return the middles of lines across either axis, how far they reach along their own, and which way that goes.

    The ground is round.
    """
    at = np.concatenate(lines)
    first = np.arange(len(at)) < len(lines[0])
    points, size = np.zeros((len(at), 3)), np.ones((len(at), 3))
    points[first, 0], points[~first, 1] = at[first], at[~first]
    size[:, 1] = np.sqrt(np.maximum(_SEEN**2 - at * at, 0.0))
    # The first lines go along the second axis, the others are turned by a right angle.
    half_turn = np.sqrt(0.5)
    quaternion = np.where(first[:, None], [1.0, 0.0, 0.0, 0.0], [half_turn, 0.0, 0.0, half_turn])
    arrays = {"size": size.astype(np.float32), "quaternion": quaternion.astype(np.float32)}
    arrays["color"] = np.full((len(at), 4), 255, np.uint8)
    return poly_data(points, np.zeros((0, 3), np.int64), arrays)
