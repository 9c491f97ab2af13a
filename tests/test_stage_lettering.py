"""What is written over a picture does not depend on what was written before: nothing that is kept goes stale."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow, vtkWindowToImageFilter

from collision import Camera
from viewer.picture.drawables import (
    Arrow,
    Drawable,
    Ground,
    Label,
    Marker,
    Panel,
    Role,
    Row,
    Solidity,
    Stroke,
    Timeline,
    TimelineRow,
)
from viewer.picture.pixels import Rect, Run
from viewer.picture.theme import DARK, LIGHT, Theme
from viewer.stage import blocks, labels
from viewer.stage.blocks import page_of
from viewer.stage.canvas import Canvas
from viewer.stage.labels import PlacedLabel
from viewer.stage.layout import Sheet, laid_out, place_panels, renewed
from viewer.stage.lettering import Lettering, by_type
from viewer.stage.plates import PlacedPanel
from viewer.stage.setting import text_width
from viewer.view.camera import Viewport

SIZE = (480, 360)
VIEW = Viewport(Camera((6, -6, 4)), SIZE)
SWATCHES = (None, None, Solidity.HIT, Solidity.SELECTED, Role.NORMAL, Role.WITNESS)

#: What the layout remembers, from one call to the next.
REMEMBERED = (
    blocks.page_of,
    blocks.words_of,
    blocks._lines,
    blocks._columns,
    blocks.line_of,
    blocks._swatch,
    blocks._edges,
    labels._text,
    labels._placed,
)


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
        self.lettering = Lettering(self.renderer, theme)

    def of(self, drawables: list[Drawable], unit: float) -> npt.NDArray[np.uint8]:
        self.lettering.write(by_type(drawables), VIEW, unit, 1)
        self.window.Render()
        grab = vtkWindowToImageFilter()
        grab.SetInput(self.window)
        grab.ReadFrontBufferOff()
        grab.Update()
        return vtk_to_numpy(grab.GetOutput().GetPointData().GetScalars()).copy()


def forget() -> None:
    for function in REMEMBERED:
        function.cache_clear()


def test_what_was_written_before_does_not_matter() -> None:
    writer, picture, theme, unit = Writer(1), Picture(), LIGHT, 1.0
    written = []
    for step in range(48):
        if step % 16 == 15:
            theme = DARK if theme is LIGHT else LIGHT
            picture.lettering.restyle(theme)
        if step % 12 == 11:
            unit = 1.25 if unit == 1.0 else 1.0
        drawables = writer.drawables()
        written.append((theme, unit, drawables, picture.of(drawables, unit)))
        if step % 4:  # or else the same is written at another size, or in other colors
            writer.change()
    picture.window.Finalize()
    assert len({found.tobytes() for *_, found in written}) > 40
    for theme, unit, drawables, found in written:
        forget()
        fresh = Picture(theme)
        assert np.array_equal(found, fresh.of(drawables, unit))
        fresh.window.Finalize()


def test_what_is_laid_out_does_not_depend_on_what_was() -> None:
    writer, sheets = Writer(2), []

    def placed(panels: list[Panel]) -> Sheet:
        return place_panels(panels, SIZE, 1.0, 15.0, text_width, 84.0)

    for _ in range(300):
        sheets.append((list(writer.panels), placed(writer.panels)))
        writer.change()
    for panels, sheet in sheets:
        forget()
        assert placed(panels) == sheet


PLATE = PlacedPanel("upper-left", Rect(20, 200, 150, 80), (), ())
LABEL = PlacedLabel(Rect(200, 60, 90, 20), Run(205, 63, "label", 15.0), (300.0, 100.0, 290.0, 80.0), Role.NAME)


def shapes(canvas: Canvas) -> tuple[list[object], ...]:
    """Return the triangles that VTK gets: points, colors and corners."""
    data = canvas._shapes.data
    arrays = data.GetPoints().GetData(), data.GetPointData().GetScalars(), data.GetPolys().GetConnectivityArray()
    return tuple(vtk_to_numpy(array).tolist() for array in arrays)


def draw(canvas: Canvas, unit: float, *things: PlacedPanel | PlacedLabel) -> tuple[list[object], ...]:
    canvas.begin(unit)
    for thing in things:
        if isinstance(thing, PlacedPanel):
            canvas.panels([thing])
        else:
            canvas.labels([thing])
    canvas.end()
    return shapes(canvas)


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
    canvas = Canvas(vtkRenderer(), LIGHT)
    before = draw(canvas, 1.0, PLATE, LABEL)
    if things:
        assert draw(canvas, unit, *things) == draw(Canvas(vtkRenderer(), LIGHT), unit, *things) != before
    else:
        draw(canvas, unit)
        assert canvas._shapes.data.GetNumberOfPoints() == 0
    assert draw(canvas, 1.0, PLATE, LABEL) == before


def test_what_stays_in_a_panel_is_the_same_object() -> None:
    """Who draws it sees so that there is nothing to do."""
    rows = (Row("ball\tbox\t0.25"), Row("nearest: c[7], distance 0.5"), Row("text", Solidity.HIT))
    other = (rows[0], Row("nearest: c[8], distance 0.75"), rows[2])
    (before,), (after,) = (
        place_panels([Panel("upper-left", rows)], SIZE, 1.0, 15.0, text_width).panels for rows in (rows, other)
    )
    assert [a is b for a, b in zip(before.lines, after.lines, strict=True)] == [True, False, True]
    assert before.swatches[0] is after.swatches[0]


def test_panels_of_which_words_change_are_where_they_would_be_anew() -> None:
    rng = np.random.default_rng(8)
    words = ["160 pairs, signed distance", "a\tb\t0.25", "c\tb\t\N{MINUS SIGN}0.5", "nearest: c[7]", "move", "x\t0.1"]
    swatches: list[Solidity | None] = [Solidity.HIT, None, None, None, None, None]

    def panels() -> list[Panel]:
        rows = [Row(text, swatch) for text, swatch in zip(words, swatches, strict=True)]
        return [Panel("upper-left", tuple(rows[:4]), "Title"), Panel("lower-right", tuple(rows[4:]))]

    sheet, found = laid_out(panels(), page_of(SIZE, 1.0, 15.0, text_width, 0.0), 84.0)
    kept = 0
    for _ in range(300):
        k = int(rng.integers(1, 6))
        number = f"{rng.integers(100) / 10 ** rng.integers(1, 3)}"
        words[k] = {1: f"a\tb\t{number}", 2: f"c\tb\t{number}", 3: f"nearest: c[{number}]", 5: f"x\t{number}"}.get(
            k, "turn"
        )
        if rng.integers(20) == 0:
            swatches[k] = Solidity.SELECTED if swatches[k] is None else None
        if rng.integers(20) == 0:
            words[3] = "nearest: " + "many more words " * int(rng.integers(1, 9))
        page = page_of(SIZE, 1.0, 15.0, text_width, 0.0)
        new = renewed(sheet, found, panels())
        kept += new is not None
        sheet, found = new or laid_out(panels(), page, 84.0)
        forget()
        assert sheet == laid_out(panels(), page_of(SIZE, 1.0, 15.0, text_width, 0.0), 84.0)[0]
    assert 50 < kept < 280


def test_the_row_at_a_pixel() -> None:
    rows = (Row("one"), Row("a longer text " * 12), Row("three"))
    (panel,) = place_panels([Panel("upper-left", rows, "Title")], SIZE, 1.0, 15.0, text_width).panels
    x = panel.plate.x + 5.0
    at = {run.text: panel.row_at(x, run.y + 4.0) for run in panel.runs}
    first, *long, last = list(at.values())[1:]
    assert at["Title"] is None
    assert (first, last) == (rows[0], rows[2])
    assert len(long) > 2
    assert set(long) == {rows[1]}
    assert panel.row_at(panel.plate.x - 1.0, panel.runs[1].y) is None
    assert panel.row_at(x, panel.plate.y - 1.0) is None
