"""What is written over a picture does not depend on what was written before: nothing that is kept goes stale."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow, vtkWindowToImageFilter

from collision import Camera
from viewer.camera.camera import Viewport
from viewer.layout.arrangement import by_type
from viewer.records.drawables import (
    Arrow,
    Drawable,
    Ground,
    Label,
    Marker,
    Panel,
    Role,
    Row,
    ShapeFlags,
    Stroke,
    Timeline,
    TimelineRow,
)
from viewer.records.theme import DARK, LIGHT, Theme
from viewer.stage.renderers import see_pixels
from viewer.stage.text.overlay import Overlay
from viewer.stage.vtk_camera import Tile

SIZE = (480, 360)
VIEW = Viewport(Camera((6, -6, 4)), SIZE)
SWATCHES = (None, None, ShapeFlags.HIT, ShapeFlags.SELECTED, Role.NORMAL, Role.WITNESS)


class Writer:
    """Changes panels, labels and marks at random, a few at a time, as in a drag."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.panels = [self.panel(corner) for corner in ("upper-left", "upper-right", "lower-right")]
        self.labels = [self.label() for _ in range(6)]

    def number(self) -> str:
        return f"{self.rng.normal():.{self.rng.integers(5)}f}".replace("-", "\N{MINUS SIGN}")

    def row(self) -> Row:
        swatch = SWATCHES[self.rng.integers(len(SWATCHES))]
        kind = self.rng.integers(10)
        if kind < 5:
            return Row(f"s[{self.rng.integers(200)}]\tc[7]\t{self.number()}", swatch)
        if kind < 9:
            return Row(f"nearest: b[{self.rng.integers(200)}], distance {self.number()}", swatch)
        return Row("a longer text " * int(self.rng.integers(1, 9)), swatch)

    def panel(self, corner: str) -> Panel:
        rows = tuple(self.row() for _ in range(self.rng.integers(1, 7)))
        return Panel(corner, rows, "A title" if self.rng.random() < 0.3 else "", bool(self.rng.random() < 0.2))  # type: ignore[arg-type]

    def label(self) -> Label:
        role = (Role.TEXT, Role.NAME)[self.rng.integers(2)]
        return Label(self.rng.normal(size=3), f"distance {self.number()}", role, (80.0, 30.0 * self.rng.random()))

    def change(self) -> None:
        """Change some."""
        for k, panel in enumerate(self.panels):
            if panel.rows and self.rng.random() < 0.6:
                rows = list(panel.rows)
                rows[self.rng.integers(len(rows))] = self.row()
                self.panels[k] = Panel(panel.corner, tuple(rows), panel.title, panel.quiet)
        if self.rng.random() < 0.3:
            k = int(self.rng.integers(len(self.panels)))
            self.panels[k] = self.panel(str(self.rng.choice([panel.corner for panel in self.panels])))
        if self.rng.random() < 0.2:
            self.panels = [*self.panels[1:], self.panel(str(self.rng.choice(["lower-left", "center", "upper-left"])))]
        self.labels[self.rng.integers(len(self.labels))] = self.label()
        if self.rng.random() < 0.3:
            self.labels = [*self.labels[1:], self.label()]

    def drawables(self) -> list[Drawable]:
        """Return what there is now, with some marks, and now and then the strip of the time and the small axes."""
        start, end = self.rng.normal(size=(2, 2, 3))
        marks = [Marker(start, Role.CONTACT), Stroke(start, end, Role.WITNESS), Arrow(start, end, Role.NORMAL)]
        strip = Timeline(0.0, 4.0, float(self.rng.uniform(0, 4)), rows=(TimelineRow(("a", "b"), ((1.0, 2.0),)),))
        some = [thing for thing in (strip, Ground(0.0, 1.0, (0.0, 0.0), 4.0)) if self.rng.random() < 0.5]
        return [*marks, *self.labels, *self.panels, *some]


class Picture:
    """A picture with nothing but what is written over it."""

    def __init__(self, theme: Theme = LIGHT) -> None:
        self.renderer, self.window = vtkRenderer(), vtkRenderWindow()
        self.window.SetOffScreenRendering(1)
        self.window.SetMultiSamples(0)
        self.window.SetSize(*SIZE)
        self.window.AddRenderer(self.renderer)
        see_pixels(self.renderer, Tile(0, 0, *SIZE))
        self.overlay = Overlay(self.renderer, theme)

    def of(self, drawables: list[Drawable], unit: float) -> npt.NDArray[np.uint8]:
        self.overlay.write(by_type(drawables), VIEW, unit, 1)
        self.window.Render()
        grab = vtkWindowToImageFilter()
        grab.SetInput(self.window)
        grab.ReadFrontBufferOff()
        grab.Update()
        return vtk_to_numpy(grab.GetOutput().GetPointData().GetScalars()).copy()


def test_what_was_written_before_does_not_matter() -> None:
    writer, picture, theme, unit = Writer(1), Picture(), LIGHT, 1.0
    written = []
    for step in range(24):
        if step % 8 == 7:
            theme = DARK if theme is LIGHT else LIGHT
            picture.overlay.restyle(theme)
        if step % 6 == 5:
            unit = 1.25 if unit == 1.0 else 1.0
        drawables = writer.drawables()
        written.append((theme, unit, drawables, picture.of(drawables, unit)))
        if step % 4:  # or else the same is written at another size, or in other colors
            writer.change()
    picture.window.Finalize()
    assert len({found.tobytes() for *_, found in written}) > 20
    for theme, unit, drawables, found in written:
        fresh = Picture(theme)
        assert np.array_equal(found, fresh.of(drawables, unit))
        fresh.window.Finalize()
