"""What is written over a picture does not depend on what was written before: nothing that is kept goes stale."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow, vtkWindowToImageFilter

from collision import Camera
from viewer.camera.camera import Viewport
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
from viewer.records.pixels import Rect, Run
from viewer.records.theme import DARK, LIGHT, Theme
from viewer.stage.renderers import see_pixels
from viewer.stage.text.blocks import PlacedPanel
from viewer.stage.text.canvas import Canvas
from viewer.stage.text.fonts import Fonts
from viewer.stage.text.labels import PlacedLabel
from viewer.stage.text.lines import Page
from viewer.stage.text.overlay import Overlay, by_type
from viewer.stage.text.panels import Panels, place_panels
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


def test_where_panels_go_does_not_depend_on_where_others_went() -> None:
    writer, page, kept = Writer(2), Page(SIZE, 1.0, 15.0, Fonts().width), Panels()
    for _ in range(300):
        assert kept.place(writer.panels, page, 84.0) == Panels().place(writer.panels, page, 84.0)
        writer.change()


PLATE = PlacedPanel("upper-left", Rect(20, 200, 150, 80), (), ())
LABEL = PlacedLabel(Rect(200, 60, 90, 20), Run(205, 63, "label", 15.0), (300.0, 100.0, 290.0, 80.0), Role.NAME)


class Sheet:
    """A canvas, and the triangles that VTK gets of it: points, colors and corners."""

    def __init__(self) -> None:
        self.renderer = vtkRenderer()
        self.canvas = Canvas(self.renderer, LIGHT, Fonts())

    def drawn(self, unit: float, *things: PlacedPanel | PlacedLabel) -> tuple[list[object], ...]:
        self.canvas.begin(unit)
        for thing in things:
            if isinstance(thing, PlacedPanel):
                self.canvas.panels([thing])
            else:
                self.canvas.labels([thing])
        self.canvas.end()
        (shapes, _) = self.renderer.GetViewProps()
        data = shapes.GetMapper().GetInput()
        arrays = data.GetPoints().GetData(), data.GetPointData().GetScalars(), data.GetPolys().GetConnectivityArray()
        return tuple(vtk_to_numpy(array).tolist() for array in arrays)


@pytest.mark.parametrize(
    ("unit", "things"),
    [
        (1.0, (LABEL, PLATE)),
        (2.0, (PLATE, LABEL)),
        (1.0, (PLATE, LABEL._replace(plate=Rect(210, 60, 90, 20)))),
        (1.0, (PLATE,)),
        (1.0, ()),
    ],
    ids=["in another order", "at another size", "elsewhere", "fewer", "none"],
)
def test_shapes_are_those_of_a_new_picture(unit: float, things: tuple[PlacedPanel | PlacedLabel, ...]) -> None:
    sheet = Sheet()
    before = sheet.drawn(1.0, PLATE, LABEL)
    assert sheet.drawn(unit, *things) == Sheet().drawn(unit, *things) != before
    assert sheet.drawn(1.0, PLATE, LABEL) == before


def test_the_row_at_a_pixel() -> None:
    rows = (Row("one"), Row("a longer text " * 12), Row("three"))
    (panel,) = place_panels([Panel("upper-left", rows, "Title")], SIZE, 1.0, 15.0, Fonts().width).panels
    x = panel.plate.x + 5.0
    at = {run.text: panel.row_at(x, run.y + 4.0) for run in panel.runs}
    first, *long, last = list(at.values())[1:]
    assert at["Title"] is None
    assert (first, last) == (rows[0], rows[2])
    assert len(long) > 2
    assert set(long) == {rows[1]}
    assert panel.row_at(panel.plate.x - 1.0, panel.runs[1].y) is None
    assert panel.row_at(x, panel.plate.y - 1.0) is None
