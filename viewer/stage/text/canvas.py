"""The flat part of a picture: draws the parts of panels, in pixels."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderer

from viewer.layout.parts import Area, Disk, ExamplePicture, Ink, Part, Path, Plate, Polygon, Shape, Swatch
from viewer.records.drawables import Role, ShapeFlags
from viewer.records.pixels import Rect
from viewer.records.theme import Color, Theme
from viewer.stage.flat import flat_actor, show_polygons
from viewer.stage.hatch import stripes
from viewer.stage.text.fonts import Fonts
from viewer.stage.text.glyphs import TextActor
from viewer.stage.text.shapes import Flat, dot, joined, path, plate, polygon, rounded

#: Radius of a plate's corners, and width of its border, in units.
_ROUND, _BORDER = 5.0, 1.0

#: The period of the stripes of a swatch, as a part of its side, that of a bar, in units, and how wide the widest are,
#: in periods.
_SWATCH_PERIOD, _BAR_PERIOD, _WIDEST_STRIPE = 0.297, 6.0, 1.414

#: How much of the color of a text is in what is pale.
_PALE = 0.4


class Canvas:
    """Draws parts over a renderer's picture: all their shapes, and over these all their texts.

    It keeps the triangles of what comes again.

    Parameters
    ----------
    renderer : vtkRenderer
        Gets the actors.
    theme : Theme
        Colors.
    fonts : Fonts
        What texts are written in.
    """

    def __init__(self, renderer: vtkRenderer, theme: Theme, fonts: Fonts) -> None:
        self._renderer, self._theme, self._unit = renderer, theme, 1.0
        self._texts = TextActor(fonts)
        self._flat = flat_actor()
        renderer.AddViewProp(self._flat)
        renderer.AddViewProp(self._texts.actor)
        #: The triangles of the shapes of each part of the last picture.
        self._last: dict[tuple[Shape, ...], Flat] = {}

    def come_to_top(self) -> None:
        """Be drawn over all that the renderer has so far."""
        for actor in (self._flat, self._texts.actor):
            self._renderer.RemoveViewProp(actor)
            self._renderer.AddViewProp(actor)

    def write(self, parts: Iterable[Part], theme: Theme, unit: float) -> None:
        """Show these parts and no others, in the colors of a theme, at so many pixels for a unit."""
        parts = list(parts)
        if unit != self._unit:
            self._texts.forget()
        anew = (theme, unit) != (self._theme, self._unit)
        if anew:
            self._last, self._theme, self._unit = {}, theme, unit
        flat = {part.shapes: self._last.get(part.shapes) or self._triangulated(part.shapes) for part in parts}
        if anew or [*flat] != [*self._last]:
            show_polygons(self._flat, *joined(flat.values()))
        self._last = flat
        self._texts.write([(run, self._color(ink)) for part in parts for run, ink in part.texts if run.text])

    def _triangulated(self, shapes: Iterable[Shape]) -> Flat:
        return joined([flat for shape in shapes for flat in self._drawn(shape)])

    def _drawn(self, shape: Shape) -> list[Flat]:
        theme, unit = self._theme, self._unit
        match shape:
            case Path(points, width, ink, opacity):
                return [path(np.array(points), width, self._color(ink), opacity)]
            case Polygon(points, ink):
                return [polygon(np.array(points), self._color(ink))]
            case Disk(center, radius, ink):
                return [dot(np.array(center), radius, self._color(ink))]
            case Area(rect, ink, opacity, corner):
                filled = rounded(rect, corner, self._color(ink), opacity)
                return (
                    [filled, *self._stripes(rect, ink, _BAR_PERIOD * unit)] if isinstance(ink, ShapeFlags) else [filled]
                )
            case Plate(rect):
                colors = theme.plate, theme.plate_border, theme.plate_opacity
                return plate(rect, _ROUND * unit, _BORDER * unit, *colors)
            case Swatch(rect, key):
                return self._solid_swatch(rect, key) if isinstance(key, ShapeFlags) else self._mark(rect, key)
            case ExamplePicture():  # `Images` shows it
                return []

    def _color(self, ink: Ink) -> Color:
        theme = self._theme
        if isinstance(ink, Role):
            return theme.styles[ink].color
        if isinstance(ink, ShapeFlags):
            return theme.paints[ink].color
        if ink == "pale":
            mixed = _PALE * np.array(theme.text) + (1.0 - _PALE) * np.array(theme.plate)
            red, green, blue = np.round(mixed).astype(int).tolist()
            return red, green, blue
        plain = {"text": theme.text, "faint": theme.faint_text, "border": theme.plate_border, "plate": theme.plate}
        return plain.get(ink, theme.accent if ink == "accent" else theme.background)

    def _mark(self, rect: Rect, role: Role) -> list[Flat]:
        """Return what marks of a role look like, in a square."""
        style, unit, middle = self._theme.styles[role], self._unit, rect.middle[1]
        left, right = np.array([rect.x, middle]), np.array([rect.x + rect.width, middle])
        if style.sign == "dot":
            return [dot(0.5 * (left + right), 0.36 * rect.width, style.color)]
        if style.sign == "patch":
            return [rounded(rect, 2.0 * unit, style.color, style.fill)]
        if style.sign == "arrow":
            neck, half = 0.5 * (left + right), np.array([0.0, 0.3 * rect.height])
            shaft = path(np.array([left, neck]), style.width * unit, style.color)
            return [shaft, polygon(np.array([neck - half, right, neck + half]), style.color)]
        parts = ((0.0, 0.24), (0.38, 0.62), (0.76, 1.0)) if style.dashed else ((0.0, 1.0),)
        ends = [left + np.outer(part, right - left) for part in parts]
        return [path(points, style.width * unit, style.color) for points in ends]

    def _solid_swatch(self, rect: Rect, flags: ShapeFlags) -> list[Flat]:
        """Return a square as a solid with these flags looks: with its outline or its rim, and its stripes."""
        paint, unit = self._theme.paints[flags], self._unit
        red, green, blue = (round(part * (1.0 - paint.outline)) for part in paint.color)
        inner = rect.grown(-unit if paint.rim is None else -2.0 * unit)
        shapes = [rounded(rect, 3.0 * unit, paint.rim or (red, green, blue)), rounded(inner, 2.0 * unit, paint.color)]
        return shapes + self._stripes(inner, flags, _SWATCH_PERIOD * inner.width)

    def _stripes(self, rect: Rect, flags: ShapeFlags, period: float) -> list[Flat]:
        """Return the stripes of a solid with these flags, in a rectangle."""
        paint = self._theme.paints[flags]
        if paint.stripe is None:
            return []
        width = _WIDEST_STRIPE * self._theme.hatch_width * paint.stripe_width * period
        bands = stripes(self._theme, (rect.width, rect.height), period, width)
        return [polygon(np.array([rect.x, rect.y]) + band, paint.stripe) for band in bands]
