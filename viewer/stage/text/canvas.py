"""The flat part of a picture: plates, swatches, the small axes and text, in pixels."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
from vtkmodules.vtkRenderingCore import vtkRenderer

from viewer.camera.camera import Viewport
from viewer.records.drawables import Button, Role, Row, ShapeFlags
from viewer.records.pixels import Rect, Run
from viewer.records.theme import Color, Theme
from viewer.records.timeline import PlacedStrip
from viewer.stage.flat import flat_actor, white_texture
from viewer.stage.hatch import stripes
from viewer.stage.text.bar import PlacedBar, Tip
from viewer.stage.text.blocks import PlacedPanel, Swatch
from viewer.stage.text.cards import PlacedCards
from viewer.stage.text.fonts import Fonts
from viewer.stage.text.glyphs import TextActor, Texts
from viewer.stage.text.icons import icon_shapes
from viewer.stage.text.labels import PlacedLabel
from viewer.stage.text.parts import Disk, Ink, Path, Shape
from viewer.stage.text.polygons import Polygons
from viewer.stage.text.shapes import Flat, dot, joined, line, path, plate, polygon, rounded
from viewer.stage.text.step_cards import PlacedStep
from viewer.stage.text.triad import AXES, axis_letters, tips_of

#: Radius of a plate's corners, and width of its border, in units.
_ROUND, _BORDER = 5.0, 1.0

#: How opaque the tint is behind what a click would choose.
_TINT = 0.1

#: Radius of the corners of the plate below the small axes, as a part of its side, and how opaque it is.
_TRIAD_ROUND, _TRIAD_OPACITY = 0.5, 0.8

#: How far beyond the tip of a small axis the middle of its letter is, as a part of that side.
_LETTER = 0.113

#: The period of the stripes of a swatch, and how wide they were if they filled it, as parts of its side.
_SWATCH_PERIOD, _SWATCH_WIDTH = 0.297, 0.42


#: How opaque the mark is behind a button that is on, the part of a button that its icon takes, and how faint one is
#: that has nothing to do.
_ON, _ICON, _FAINT = 0.45, 0.29, 0.4


#: Width of the rim around a card that is chosen, in units.
_RIM = 3.5

#: How much wider one of the small axes is under the pointer.
_LIT = 1.5


class Piece(NamedTuple):
    """A part of a picture: its shapes, and texts that belong to them."""

    shapes: Flat
    texts: Sequence[Texts] = ()


class Canvas:
    """Draws flat shapes and texts over a renderer's picture. It keeps the shapes of what comes again.

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
        self._renderer, self._theme, self._fonts = renderer, theme, fonts
        self.unit = 1.0
        self._texts = TextActor(fonts)
        self._shapes = FlatActor()
        renderer.AddViewProp(self._shapes.actor)
        renderer.AddViewProp(self._texts.actor)
        #: The shapes of the last whole picture and of this one, by what they show; and the texts of this one.
        self._last: dict[Hashable, Piece] = {}
        self._pieces: dict[Hashable, Piece] = {}
        self._written: list[Texts] = []
        #: Which shapes VTK has, in their order; None where they are to be written anew in any case.
        self._handed: list[Hashable] | None = []

    def come_to_top(self) -> None:
        """Be drawn over all that the renderer has so far."""
        for actor in (self._shapes.actor, self._texts.actor):
            self._renderer.RemoveViewProp(actor)
            self._renderer.AddViewProp(actor)

    def restyle(self, theme: Theme) -> None:
        """Take other colors for the next picture."""
        self._theme = theme
        self._forget()

    def begin(self, unit: float) -> None:
        """Start a new picture; nothing of the last one is seen in it."""
        if unit != self.unit:
            self._texts.forget()
            self._forget()
        self.unit, self._pieces, self._written = unit, {}, []

    def end(self) -> None:
        """Hand the picture to VTK."""
        if [*self._pieces] != self._handed:
            self._shapes.write([piece.shapes for piece in self._pieces.values()])
        self._last, self._handed = self._pieces, [*self._pieces]
        self._texts.write([*(text for piece in self._pieces.values() for text in piece.texts), *self._written])

    def _forget(self) -> None:
        self._last, self._handed = {}, None

    def _draw(self, key: Hashable, make: Callable[..., Piece], *given: Any) -> None:
        """Draw what the last picture had, too, or else make it."""
        piece = self._last.get(key)
        self._pieces[key] = make(*given) if piece is None else piece

    def panels(self, panels: Sequence[PlacedPanel]) -> None:
        """Draw panels."""
        theme = self._theme
        for panel in panels:
            if not panel.quiet:
                self._draw(panel.plate, self._plate, panel.plate)
            for swatch in panel.swatches:
                self._draw(swatch, self._swatch, swatch)
            for mark in panel.marks:
                self._draw(("mark", mark), lambda at: Piece(rounded(at, 0.0, theme.text)), mark)
            ink = theme.faint_text if panel.quiet else theme.text
            self._written += [(line, theme.faint_text if line[0].faint else ink) for line in panel.lines if line]

    def tint(self, place: Rect) -> None:
        """Draw attention to a part of a panel."""
        self._draw(("tint", place), lambda: Piece(rounded(place, 0.0, self._theme.text, _TINT)))

    def labels(self, labels: Sequence[PlacedLabel]) -> None:
        """Draw labels."""
        for label in labels:
            self._draw((label.plate, label.leader, label.role), self._label, label)
            self._written.append(((label.run,), self._theme.styles[label.role].color))

    def _label(self, label: PlacedLabel) -> Piece:
        theme, unit, style, shapes = self._theme, self.unit, self._theme.styles[label.role], list[Flat]()
        if label.leader is not None:
            start, end = np.array(label.leader).reshape(2, 2)
            shapes.append(line(start, end, style.width * unit, style.color, 0.8))
            if label.role is Role.NAME:
                shapes.append(dot(start, 2.0 * unit, style.color))
        shapes.append(rounded(label.plate, 4.0 * unit, theme.plate, theme.plate_opacity * style.opacity))
        return Piece(joined(shapes))

    def triad(self, place: Rect, view: Viewport, hot: Row | None = None) -> None:
        """Draw the small axes on a plate, the one that points away from the eye first; one may be under the pointer."""
        lit = AXES.index(hot) if hot in AXES else None
        self._draw((place, *view.right.tolist(), *view.up.tolist(), lit), self._triad, place, view, lit)

    def _triad(self, place: Rect, view: Viewport, lit: int | None) -> Piece:
        shapes = [rounded(place, _TRIAD_ROUND * place.width, self._theme.plate, _TRIAD_OPACITY)]
        center = np.array([place.x + 0.5 * place.width, place.y + 0.5 * place.height])
        tips = tips_of(place, view)
        colors = [self._theme.styles[role].color for role in (Role.AXIS_X, Role.AXIS_Y, Role.AXIS_Z)]
        for i in sorted(range(3), key=lambda i: -view.forward[i]):
            wide = (_LIT if i == lit else 1.0) * self.unit
            if i == lit:
                shapes.append(dot(center + tips[i], 4.5 * wide, self._theme.styles[Role.HOT].color))
            shapes.append(line(center, center + tips[i], 2.4 * wide, colors[i]))
            shapes.append(dot(center + tips[i], 2.6 * wide, colors[i]))
        height, texts = 0.9 * self._theme.font_size * self.unit, list[Texts]()
        for i, at in axis_letters(tips, _LETTER * place.width, height).items():
            letter = "xyz"[i]
            x, y = center + at - [0.5 * self._fonts.width(letter, height, True), 0.5 * height]
            texts.append(((Run(round(x), round(y), letter, height, bold=True),), colors[i]))
        return Piece(joined(shapes), texts)

    def bar(self, bar: PlacedBar) -> None:
        """Draw the bar of buttons."""
        self._draw(bar.plate, self._plate, bar.plate)
        for button, place in bar.buttons:
            self._draw((place, button), self._button, button, place)

    def _button(self, button: Button, place: Rect) -> Piece:
        theme, shapes = self._theme, list[Flat]()
        if button.on:
            shapes.append(rounded(place, 0.18 * place.width, theme.styles[Role.HOT].color, _ON))
        center = np.array([place.x + 0.5 * place.width, place.y + 0.5 * place.height])
        ink, paper = np.array(theme.text), np.array(theme.plate)
        red, green, blue = np.round(_FAINT * ink + (1.0 - _FAINT) * paper if button.faint else ink).astype(int).tolist()
        return Piece(joined([*shapes, *icon_shapes(button.icon, center, _ICON * place.width, (red, green, blue))]))

    def tip(self, tip: Tip) -> None:
        """Draw the tip of a button."""
        self._draw(tip.plate, self._plate, tip.plate)
        self._written += [((run,), self._theme.faint_text if run.faint else self._theme.text) for run in tip.runs]

    def cards(self, page: PlacedCards, hot: Row | None) -> None:
        """Draw the plates and texts of a page of cards, one of which may be under the pointer, without the pictures."""
        theme = self._theme
        self._written += [((run,), theme.faint_text if run.faint else theme.text) for run in page.runs]
        for card, place, picture, runs in page.cards:
            if card.lit or hot == card:
                color = theme.styles[Role.HANDLE].color if card.lit else theme.faint_text
                rim = place.grown(_RIM * self.unit)
                self._draw(("rim", rim, color), self._rim, rim, color)
            self._draw(place, self._plate, place)
            if card.icon:
                self._draw(("icon", picture, card.icon), self._icon, picture, card.icon)
            self._written += [((run,), theme.faint_text if run.faint else theme.text) for run in runs]

    def _icon(self, place: Rect, icon: str) -> Piece:
        center = np.array([place.x + 0.5 * place.width, place.y + 0.5 * place.height])
        return Piece(joined(icon_shapes(icon, center, 0.3 * place.height, self._theme.faint_text)))

    def _rim(self, rect: Rect, color: Color) -> Piece:
        return Piece(rounded(rect, 2.0 * _ROUND * self.unit, color))

    def step(self, card: PlacedStep) -> None:
        """Draw the card of a step."""
        self._draw(card.plate, self._plate, card.plate)
        self._draw(card.shapes, self._step, card.shapes)
        # A run each would be slow to compare; those of a color are together.
        by_ink: dict[Ink, list[Run]] = {}
        for run, ink in card.texts:
            by_ink.setdefault(ink, []).append(run)
        self._written += [(tuple(runs), self._color(ink)) for ink, runs in by_ink.items()]

    def _step(self, shapes: Sequence[Shape]) -> Piece:
        drawn = []
        for shape in shapes:
            color = self._color(shape.ink)
            if isinstance(shape, Path):
                drawn.append(path(np.array(shape.points), shape.width, color, shape.opacity))
            elif isinstance(shape, Disk):
                drawn.append(dot(np.array(shape.center), shape.radius, color))
            else:
                drawn.append(rounded(shape.rect, 0.0, color, shape.opacity))
        return Piece(joined(drawn) if drawn else Flat(np.zeros((0, 3, 2)), np.zeros((0, 3, 4), np.uint8)))

    def _color(self, ink: Ink) -> Color:
        theme = self._theme
        if isinstance(ink, Role):
            return theme.styles[ink].color
        plain = {"text": theme.text, "faint": theme.faint_text, "border": theme.plate_border, "plate": theme.background}
        return plain.get(ink, theme.accent)

    def strip(self, strip: PlacedStrip) -> None:
        """Draw the strip of the time."""
        self._draw((strip.plate, strip.boxes), self._strip, strip)
        theme = self._theme
        self._written += [((text,), theme.faint_text if text.faint else theme.text) for text in strip.texts]

    def _strip(self, strip: PlacedStrip) -> Piece:
        theme, unit = self._theme, self.unit
        hit = theme.paints[ShapeFlags.HIT].color
        colors = {"track": theme.plate_border, "hit": hit, "tick": theme.faint_text, "head": theme.text}
        shapes = [self._plate(strip.plate).shapes]
        for box, part in strip.boxes:
            shapes.append(rounded(box, unit, colors[part]))
            if part == "head":  # a knob to take it by
                shapes.append(dot(np.array([box.x + 0.5 * box.width, box.y + box.height]), 5.0 * unit, theme.text))
        return Piece(joined(shapes))

    def _plate(self, rect: Rect) -> Piece:
        theme, unit = self._theme, self.unit
        shapes = plate(rect, _ROUND * unit, _BORDER * unit, theme.plate, theme.plate_border, theme.plate_opacity)
        return Piece(joined(shapes))

    def _swatch(self, swatch: Swatch) -> Piece:
        rect, key = swatch
        return Piece(joined(self._solid_swatch(rect, key) if isinstance(key, ShapeFlags) else self._mark(rect, key)))

    def _mark(self, rect: Rect, role: Role) -> list[Flat]:
        """Return what marks of a role look like, in a square."""
        style, unit = self._theme.styles[role], self.unit
        middle = rect.y + 0.5 * rect.height
        left, right = np.array([rect.x, middle]), np.array([rect.x + rect.width, middle])
        if style.sign == "dot":
            return [dot(0.5 * (left + right), 0.36 * rect.width, style.color)]
        if style.sign == "patch":
            return [rounded(rect, 2.0 * unit, style.color, style.fill)]
        if style.sign == "arrow":
            neck, half = 0.5 * (left + right), np.array([0.0, 0.3 * rect.height])
            shaft = line(left, neck, style.width * unit, style.color)
            return [shaft, polygon(np.array([neck - half, right, neck + half]), style.color)]
        parts = ((0.0, 0.24), (0.38, 0.62), (0.76, 1.0)) if style.dashed else ((0.0, 1.0),)
        across = right - left
        return [line(left + a * across, left + b * across, style.width * unit, style.color) for a, b in parts]

    def _solid_swatch(self, rect: Rect, flags: ShapeFlags) -> list[Flat]:
        """Return a square as a solid with these flags looks: with its outline or its rim, and its stripes."""
        paint, unit = self._theme.paints[flags], self.unit
        red, green, blue = (round(part * (1.0 - paint.outline)) for part in paint.color)
        inner = rect.grown(-unit if paint.rim is None else -2.0 * unit)
        shapes = [rounded(rect, 3.0 * unit, paint.rim or (red, green, blue)), rounded(inner, 2.0 * unit, paint.color)]
        if paint.stripe is not None:
            corner = np.array([inner.x, inner.y])
            width = _SWATCH_WIDTH * self._theme.hatch_width * inner.width
            bands = stripes(self._theme, inner.width, _SWATCH_PERIOD * inner.width, width)
            shapes += [polygon(corner + band, paint.stripe) for band in bands]
        return shapes


class FlatActor:
    """All flat shapes of a picture: one actor of colored triangles, which are written in place."""

    def __init__(self) -> None:
        self._triangles = Polygons(3)
        self.actor = flat_actor(self._triangles.data, white_texture())

    def write(self, shapes: Sequence[Flat]) -> None:
        """Show these shapes and no others."""
        shown, count = self._triangles, sum([len(shape.points) for shape in shapes])
        shown.reserve(count)
        if shapes:
            np.concatenate([shape.points for shape in shapes], out=shown.points[:count, :, :2], casting="same_kind")
            np.concatenate([shape.colors for shape in shapes], out=shown.colors[:count])
        shown.show(count)
