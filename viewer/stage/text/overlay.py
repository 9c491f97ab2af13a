"""What is written over a picture: panels, labels and the small axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vtkmodules.vtkRenderingCore import vtkRenderer

from viewer.camera.camera import Viewport
from viewer.layout.arrangement import Arrangement, ByType, arrange
from viewer.layout.formulas import Typeset, TypesetFormula
from viewer.layout.page import Page
from viewer.layout.parts import Area, Disk, ExamplePicture, Part, Path, Shape, Written
from viewer.records.commands import Command
from viewer.records.drawables import (
    Bar,
    ExplanationPanel,
    Gallery,
    Ground,
    Panel,
    Patch,
    Role,
    Row,
    Timeline,
)
from viewer.records.theme import Theme
from viewer.stage.sight import Mark, SeenLabel
from viewer.stage.text.canvas import Canvas
from viewer.stage.text.fonts import Fonts
from viewer.stage.text.images import Images
from viewer.stage.text.labels import Labels, PlacedLabel
from viewer.stage.text.triad import arrow_at, triad_part

#: The drawables that are panels, and the one that says that there are small axes.
PANELS = Panel, Bar, Gallery, ExplanationPanel, Timeline, Ground

#: Radius of the corners of a label's plate, and of the dot where a line to a name begins, in units; how opaque lines
#: are.
_ROUND, _DOT, _LEADER = 4.0, 2.0, 0.8


class Overlay:
    """Writes over a renderer's picture.

    Parameters
    ----------
    renderer : vtkRenderer
        Gets the actors.
    theme : Theme
        Colors, and the size of the text.
    """

    def __init__(self, renderer: vtkRenderer, theme: Theme) -> None:
        self._theme, self._fonts = theme, Fonts()
        self._formulas: Typeset | None = None
        self._canvas = Canvas(renderer, theme, self._fonts)
        #: What is drawn over the texts of the other.
        self._top = Canvas(renderer, theme, self._fonts)
        self._images = Images(renderer)
        #: Whether labels stay where they were in the last picture while that is as good, so that none jumps in a window
        #: or a film. Otherwise a picture depends on no other.
        self._steady = False
        self.labels = Labels()
        #: The row under the pointer that a click would do something with.
        self.hot: Row | None = None
        #: What was arranged last, and of what: mostly the same is arranged again, as the camera or the pointer moves.
        self._last: tuple[object, Arrangement] | None = None

    def stay(self) -> None:
        """Have labels stay where they are in the next picture, which depends on none before it."""
        self._steady, self.labels = True, Labels()

    def restyle(self, theme: Theme) -> None:
        """Take other colors for the next picture."""
        self._theme = theme

    def arrange(self, drawables: ByType, size: tuple[int, int], unit: float) -> Arrangement:
        """Return where the panels of a picture of a size are; where there is a ground, the small axes are, too."""
        page = Page(size, unit, self._theme.font_size, self._fonts.width)
        panels: dict[type, list[Any]] = {kind: drawables[kind] for kind in PANELS if kind in drawables}
        given = panels, page, self.hot
        if self._last is None or self._last[0] != given:
            self._last = given, arrange(panels, page, self._typeset, self.hot)
        return self._last[1]

    def panel_at(self, drawables: ByType, view: Viewport, unit: float, x: float, y: float) -> tuple[bool, Row | None]:
        """Say whether a panel covers a pixel, and return the row of it that is there; or that of a small axis."""
        arranged = self.arrange(drawables, view.size, unit)
        covered, row = arranged.panel_at(x, y)
        triad = arranged.sheet.triad
        if covered or triad is None or not triad.covers(x, y):
            return covered, row
        arrow = arrow_at(triad, view, x, y)
        return arrow is not None, arrow

    def time_at(self, drawables: ByType, size: tuple[int, int], unit: float, x: float) -> float | None:
        """Return the time at a place of the strip, the nearest that there is; None without a strip."""
        times = self.arrange(drawables, size, unit).times
        return None if times is None else times.time_at(x)

    def part_at(self, drawables: ByType, size: tuple[int, int], unit: float, drags: Command, x: float) -> float | None:
        """Return the part of the track of a command at which a place is; None where it is not seen."""
        return self.arrange(drawables, size, unit).part_at(drags, x)

    def write(
        self, drawables: ByType, labels: Sequence[SeenLabel], marks: Sequence[Mark], view: Viewport, unit: float
    ) -> None:
        """Write all there is to be read in a picture. Labels keep off marks, as far as they can."""
        theme, font, measure = self._theme, self._theme.font_size, self._fonts.width
        arranged = self.arrange(drawables, view.size, unit)
        parts, triad = arranged.below(self.hot), arranged.sheet.triad
        if triad is not None:
            parts.insert(0, triad_part(triad, view, unit, font * unit, measure, self.hot))
        if not self._steady:
            self.labels = Labels()
        off = [mark for mark in marks if not isinstance(mark, Patch)]
        placed = self.labels.place(labels, view, unit, font, measure, arranged.plates, off)
        self._canvas.write([*parts, *(self._label(label, unit) for label in placed)], theme, unit)
        self._top.write(arranged.above(self.hot), theme, unit)
        pictures = [
            (shape.name, shape.rect) for part in parts for shape in part.shapes if isinstance(shape, ExamplePicture)
        ]
        if self._images.show(pictures, theme.plate):
            self._top.come_to_top()

    def _label(self, label: PlacedLabel, unit: float) -> Part:
        """Return a label on its plate, and the line to what it names."""
        style, shapes = self._theme.styles[label.role], list[Shape]()
        if label.leader is not None:
            x, y, end_x, end_y = label.leader
            shapes.append(Path(((x, y), (end_x, end_y)), style.width * unit, label.role, _LEADER))
            shapes += [Disk((x, y), _DOT * unit, label.role)] if label.role is Role.NAME else []
        shapes.append(Area(label.plate, "plate", self._theme.plate_opacity * style.opacity, _ROUND * unit))
        return Part(label.plate.height, (Written(label.run, label.role),), tuple(shapes))

    def _typeset(self, tex: str, size: float) -> TypesetFormula:
        """Return a formula in letters of a height. Only a picture with formulas waits for Matplotlib."""
        if self._formulas is None:
            from viewer.stage.text.formulas import Formulas

            self._formulas = Formulas()
        return self._formulas(tex, size)
