"""The ground: a grid that fades towards its border."""

from __future__ import annotations

from typing import cast

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from collision.inner import FloatArray
from viewer.records.drawables import Ground
from viewer.records.theme import Theme
from viewer.stage.polydata import bare_actor, poly_data, show
from viewer.stage.solids.shading import set_color, set_fragment_code
from viewer.stage.vtk_camera import Tile

#: Where lines have faded to nothing that is seen, as a part of the way from the middle of the ground to its border.
_SEEN = 0.94

#: Opacity of the lines of the ground, and of every fifth of them.
_FINE, _BOLD = 0.32, 0.55

#: How far a pixel is from the nearest line and from the nearest fifth one, along both axes. Where squares are only a
#: few pixels wide, their lines fade before they blur.
_SQUARES = """
  vec2 square = stageOn * stageHalf - stageShift;
  // VTK may draw several fragments for a pixel (SSAA).
  float fragment = 0.5 * stageWidth * fwidth(stageSeen.x / stageSeen.y);
  vec2 pixels = fragment / max(fwidth(square), vec2(1.0e-30));
"""
_PAINT = f"""
    vec2 fine = clamp((pixels - 4.0 * stageUnit) / (8.0 * stageUnit), 0.0, 1.0) * {_FINE:.4f};
    vec2 off = abs(fract(square + 0.5) - 0.5) * pixels;
    vec2 fifth = 5.0 * abs(fract(0.2 * square + 0.5) - 0.5) * pixels;
    fine *= clamp(0.5 * stageUnit + 0.5 - off, 0.0, 1.0);
    vec2 bold = {_BOLD:.4f} * clamp(0.6 * stageUnit + 0.5 - fifth, 0.0, 1.0);
    float opacity = max(max(fine.x, fine.y), max(bold.x, bold.y));
    opacity *= 1.0 - smoothstep(0.45, 1.0, length(stageOn));
    if (opacity <= 0.0) {{ discard; }}
    fragOutput0 = vec4(stageGrid, opacity);
"""


class GroundActor:
    """Draws the ground, or none: a disk, on which each pixel knows how near it is to a line."""

    def __init__(self, theme: Theme) -> None:
        mapper = vtkPolyDataMapper()
        mapper.SetInputData(_disk())
        self.actor = bare_actor(mapper)
        self.actor.VisibilityOff()
        passed = "vec2 stageOn = vertexMC.xy", "vec2 stageSeen = (MCDCMatrix * vertexMC).xw"
        set_fragment_code(self.actor.GetShaderProperty(), "", _PAINT, passed, first=_SQUARES)
        self.ground: Ground | None = None
        self.restyle(theme)

    def update(self, ground: Ground | None) -> None:
        """Show a ground, or none."""
        self.ground = ground
        self.actor.SetVisibility(ground is not None)
        if ground is not None:
            # Coordinates from -1 to 1 reach the shader as they are; the actor's own matrix puts the grid in its place.
            self.actor.SetPosition(*ground.center, ground.z)
            self.actor.SetScale(ground.half_size, ground.half_size, 1.0)
            uniforms = self.actor.GetShaderProperty().GetFragmentCustomUniforms()
            uniforms.SetUniformf("stageHalf", ground.half_size / ground.spacing)
            # Lines stand at whole multiples of the spacing, and every fifth of them is bold, wherever the middle is.
            uniforms.SetUniform2f("stageShift", _shift(ground))

    @property
    def bounds(self) -> FloatArray:
        """The lowest and the highest corner of the ground, (1, 2, 3); (0, 2, 3) without one."""
        if self.ground is None:
            return np.zeros((0, 2, 3))
        half = self.ground.half_size
        return np.add((*self.ground.center, self.ground.z), [[(-half, -half, 0.0), (half, half, 0.0)]])

    def as_lines(self) -> vtkActor:
        """Return an actor of lines that exporters can take: this one's own have no width without its shader."""
        actor, ground = vtkActor(), self.ground
        actor.SetMapper(vtkPolyDataMapper())
        if ground is None:
            show(actor, pv.PolyData())
            return actor
        lines = list[FloatArray]()
        for axis, shift in enumerate(_shift(ground)):
            at = _lines(ground.half_size / ground.spacing, shift)
            reach = np.sqrt(np.maximum(_SEEN**2 - at * at, 0.0))
            ends = np.zeros((len(at), 2, 3))
            ends[:, :, axis], ends[:, :, 1 - axis] = at[:, None], np.column_stack([-reach, reach])
            lines.append(ends.reshape(-1, 3))
        middle = np.array([*ground.center, ground.z])
        show(actor, pv.line_segments_from_points(middle + ground.half_size * np.concatenate(lines)))
        actor.GetProperty().SetColor(*(part / 255.0 for part in self._theme.grid))
        return actor

    def restyle(self, theme: Theme) -> None:
        """Take another color for the lines."""
        self._theme = theme
        set_color(self.actor, "stageGrid", theme.grid)

    def set_view(self, unit: float, part: Tile) -> None:
        """Follow the picture's size, or that of a part of it, in pixels."""
        uniforms = self.actor.GetShaderProperty().GetFragmentCustomUniforms()
        uniforms.SetUniformf("stageUnit", unit)
        uniforms.SetUniformf("stageWidth", part.width)


def _disk(corners: int = 48) -> pv.PolyData:
    """Return a disk that reaches as far as anything is seen of the ground, which has a half size of 1."""
    turn = 2.0 * np.pi * np.arange(corners) / corners
    rim = _SEEN * np.column_stack([np.cos(turn), np.sin(turn), np.zeros(corners)])
    second = np.arange(1, corners - 1)
    return poly_data(rim, np.column_stack([np.zeros(len(second), np.int64), second, second + 1]))


def _shift(ground: Ground) -> list[float]:
    """Return how far the middle of the ground is from a fifth line, in squares, along both axes."""
    return cast("list[float]", np.mod(-np.array(ground.center) / ground.spacing, 5.0).tolist())


def _lines(half: float, shift: float) -> FloatArray:
    """Return where lines cross an axis of the ground, from -1 to 1, as far as they are seen."""
    seen = _SEEN * half
    return (np.arange(np.ceil(-seen - shift), np.floor(seen - shift) + 1.0) + shift) / half
