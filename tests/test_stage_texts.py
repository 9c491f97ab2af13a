"""Texts are drawn as VTK draws them, though all are one actor; plates and the ground are drawn without waste."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pytest
import pyvista as pv
from matplotlib.ft2font import FT2Font
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import (
    vtkRenderer,
    vtkRenderWindow,
    vtkTextActor,
    vtkTextProperty,
    vtkWindowToImageFilter,
)

from collision import Camera
from collision.base.fields import FloatArray
from tests.slow import some
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
    TimelineSpan,
)
from viewer.records.pixels import Rect, TextRun
from viewer.records.theme import DARK, LIGHT, Color, Theme
from viewer.stage.renderers import see_pixels
from viewer.stage.sight import Sight
from viewer.stage.stage import Stage
from viewer.stage.text.fonts import Fonts, missing_glyphs, open_font
from viewer.stage.text.glyphs import TextActor
from viewer.stage.text.overlay import Overlay
from viewer.stage.text.shapes import plate
from viewer.stage.vtk_camera import Tile

SIZE = (480, 360)
INK: Color = (38, 44, 54)
IMAGE = npt.NDArray[np.int64]

#: Signs below the line, signs from other scripts, and signs that VTK would take for its own.
TEXTS = ("Most hills, fi", "jgpqy (ÇŞ)", "−0.125 ≤ α∈β → µ²", "cost 5$ + 6$", " two  spaces ", "kg/m³_[17]")


class Window:
    """A renderer in which a pixel is a pixel, and its picture."""

    def __init__(self) -> None:
        self.renderer, self.window = vtkRenderer(), vtkRenderWindow()
        self.window.SetOffScreenRendering(1)
        self.window.SetMultiSamples(0)
        self.window.SetDPI(72)
        self.window.SetSize(*SIZE)
        self.renderer.SetBackground(1.0, 1.0, 1.0)
        self.window.AddRenderer(self.renderer)
        see_pixels(self.renderer, Tile(0, 0, *SIZE))

    def picture(self) -> IMAGE:
        self.window.Render()
        grab = vtkWindowToImageFilter()
        grab.SetInput(self.window)
        grab.ReadFrontBufferOff()
        grab.Update()
        pixels = vtk_to_numpy(grab.GetOutput().GetPointData().GetScalars())
        return pixels.reshape(SIZE[1], SIZE[0], 3)[::-1].astype(np.int64)


class Sheet(Window):
    """A window in which texts are written."""

    def __init__(self) -> None:
        super().__init__()
        self.texts = TextActor(Fonts())
        self.renderer.AddViewProp(self.texts.actor)

    def written(self, runs: Sequence[TextRun], color: Color = INK) -> IMAGE:
        self.texts.write([(run, color) for run in runs])
        return self.picture()

    def by_vtk(self, runs: Sequence[TextRun]) -> IMAGE:
        """Return what VTK makes of the same texts, an actor for each."""
        self.texts.write([])
        actors = []
        for run in runs:
            actor = vtkTextActor(Fonts())
            actor.SetInput(run.text.replace("$", "\\$"))
            set_font(actor.GetTextProperty(), run)
            actor.GetTextProperty().SetColor(*(part / 255 for part in INK))
            actor.SetPosition(run.x, run.y)
            actors.append(actor)
            self.renderer.AddViewProp(actor)
        image = self.picture()
        for actor in actors:
            self.renderer.RemoveViewProp(actor)
        return image


def set_font(prop: vtkTextProperty, run: TextRun) -> None:
    prop.SetFontFamily(4)
    prop.SetFontFile(open_font("DejaVuSans-Bold.ttf" if run.bold else "DejaVuSans.ttf", 16).path)
    prop.SetFontSize(round(run.size))


def lines(size: float, *, bold: bool = False) -> list[TextRun]:
    return [TextRun(20, 20 + round(1.6 * size) * row, text, size, bold) for row, text in enumerate(TEXTS)]


@pytest.fixture(scope="module")
def sheet() -> Iterator[Sheet]:
    own = Sheet()
    yield own
    own.window.Finalize()


@pytest.mark.parametrize("bold", [False, True], ids=["plain", "bold"])
@pytest.mark.parametrize("size", [9.0, 12.75, 15.0, 33.6])
def test_signs_are_where_vtk_puts_them(sheet: Sheet, size: float, bold: bool) -> None:
    runs = lines(size, bold=bold)
    theirs = sheet.by_vtk(runs)
    assert (theirs < 200).any()
    # Both use FreeType, of their own versions: a shade may differ, a place may not.
    assert np.abs(sheet.written(runs) - theirs).max() <= 4


@pytest.mark.parametrize("text", ["a\u0301b", "\u0301", "n\u0303o\u0336 fi", "\t\n", "", "\ud800x", "\U0010ffff|"])
def test_characters_that_stand_over_others_or_nowhere_are_laid_out_too(sheet: Sheet, text: str) -> None:
    assert Fonts().width(text, 15.0, False) >= 0.0
    sheet.written([TextRun(20, 20, text, 15.0)])


def test_a_sign_that_the_font_lacks_is_seen(sheet: Sheet) -> None:
    assert np.array_equal(sheet.written([TextRun(20, 20, "漢字", 20)]), sheet.written([TextRun(20, 20, "□□", 20)]))
    assert (sheet.written([TextRun(20, 20, "漢", 20)]) < 200).any()


def test_of_other_texts_nothing_is_left(sheet: Sheet) -> None:
    one = sheet.written([TextRun(100, 90, "one", 15)])
    assert (one < 200).any()
    sheet.written(lines(30.0))
    assert np.array_equal(sheet.written([TextRun(100, 90, "one", 15)]), one)
    assert np.array_equal(sheet.written([TextRun(130, 90, "one", 15)])[:, 130:300], one[:, 100:270])
    assert (sheet.written([]) == 255).all()


def test_more_signs_than_there_was_room_for(sheet: Sheet) -> None:
    """Neither the array of rectangles nor the texture is large enough at first."""
    many = [TextRun(2, 5 + 14 * row, "many signs in a line, " * 4, 11) for row in range(24)]
    assert sum(len(run.text) for run in many) > 1024
    assert np.abs(sheet.by_vtk(many) - sheet.written(many)).max() <= 4
    height = sheet.texts.glyphs.size[1]
    for size in range(40, 70):
        sheet.written([TextRun(5, 5, "abcdefghijklmnopqrstuvwxyz", size)])
    assert sheet.texts.glyphs.size[1] > height
    assert np.abs(sheet.by_vtk(many) - sheet.written(many)).max() <= 4


def test_after_signs_are_forgotten_a_text_is_what_it_was() -> None:
    sheet, text = Sheet(), (TextRun(100, 90, "the same text", 15), INK)
    sheet.texts.write([text])
    before = sheet.picture()
    sheet.texts.forget()
    sheet.written([TextRun(20, 20, "others", 15)])  # whose signs are now where those of the text were
    sheet.texts.write([text])
    assert np.array_equal(sheet.picture(), before)
    sheet.window.Finalize()


def test_texts_have_their_own_colors(sheet: Sheet) -> None:
    red, blue = TextRun(20, 20, "■", 40), TextRun(120, 20, "■", 40)
    sheet.texts.write([(red, (200, 10, 20)), (blue, (10, 20, 200))])
    image = sheet.picture()
    assert (image[:, :100] == (200, 10, 20)).all(axis=-1).sum() > 200
    assert (image[:, 100:] == (10, 20, 200)).all(axis=-1).sum() > 200


def test_a_sign_is_drawn_once_for_each_size() -> None:
    texts = TextActor(Fonts())
    counts = [texts.glyphs.count]
    for text, size in (("abcabc", 15.0), ("cab", 15.0), ("cab", 16.0)):
        texts.write([(TextRun(0, 0, text, size), INK)])
        counts.append(texts.glyphs.count)
    assert counts == [0, 3, 3, 6]


def test_the_characters_that_a_font_lacks_are_found_as_freetype_finds_them() -> None:
    known = FT2Font(open_font("DejaVuSans.ttf", 16).path).get_charmap()
    every = "".join(map(chr, [*range(0x180, 0xD800), *range(0x1D400, 0x1F700)]))
    assert missing_glyphs(every) == "".join(character for character in every if ord(character) not in known)


# -- plates ------------------------------------------------------------------------------------------------------------


def test_no_pixel_of_a_plate_is_drawn_twice() -> None:
    parts = plate(Rect(10, 20, 200, 80), 5.0, 1.0, LIGHT.plate, LIGHT.plate_border, 0.9)
    area = 0.0
    for part in parts:
        a, b, c = part.points.swapaxes(0, 1)
        cross = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
        assert (cross >= 0.0).all()  # none is turned over, so no two of them overlap
        area += 0.5 * cross.sum()
    # The corners are round, with the radius of a plate and its border.
    assert area == pytest.approx(202 * 82 - (4 - np.pi) * 6**2, rel=1e-3)


# -- all that is written over a picture -------------------------------------------------------------------------------


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
        return Label(self.rng.normal(size=3), f"distance {self.number()}", role)

    def change(self) -> None:
        """Change some."""
        for k, panel in enumerate(self.panels):
            if panel.rows and self.rng.random() < 0.6:
                rows = list(panel.rows)
                rows[self.rng.integers(len(rows))] = self.row()
                self.panels[k] = Panel(panel.corner, tuple(rows), panel.title)
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
        strip = Timeline(
            0.0, 4.0, float(self.rng.uniform(0, 4)), rows=(TimelineRow(("a", "b"), (TimelineSpan(1.0, 2.0),)),)
        )
        some = [thing for thing in (strip, Ground(0.0, 1.0, (0.0, 0.0), 4.0)) if self.rng.random() < 0.5]
        return [*marks, *self.labels, *self.panels, *some]


class Picture(Window):
    """A picture with nothing but what is written over it."""

    def __init__(self, theme: Theme = LIGHT) -> None:
        super().__init__()
        self.overlay = Overlay(self.renderer, theme)

    def of(self, drawables: list[Drawable], unit: float) -> IMAGE:
        self.overlay.write(by_type(drawables), Sight(drawables).labels(VIEW), (), VIEW, unit)
        return self.picture()


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
    for theme, unit, drawables, found in some(3, written):
        fresh = Picture(theme)
        assert np.array_equal(found, fresh.of(drawables, unit))
        fresh.window.Finalize()


# -- the ground --------------------------------------------------------------------------------------------------------

CAMERAS = {
    "from above": Camera((0.1, 0.07, 11), (0.1, 0.07, 0), (0, 1, 0)),
    "from the side": Camera((8, -8, 5)),
    "from near": Camera((0.3, -3, 0.4)),
    "from below": Camera((1, -2, -4)),
    "parallel": Camera((8, -8, 5), parallel_height=8.0),
}


def by_rule(ground: Ground, camera: Camera, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> FloatArray:
    """Return how far some pixels are from a line of the ground, in pixels; infinite where there is no ground."""
    view = Viewport(camera, SIZE)
    corners = [view.ray(a, b) for a, b in ((0, 0), (SIZE[0], 0), (0, SIZE[1]))]

    def cell(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        def between(values: list[npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
            first, right, up = values
            return np.asarray(first + np.outer(x / SIZE[0], right - first) + np.outer(y / SIZE[1], up - first))

        origin = between([ray.origin for ray in corners])
        direction = between([ray.direction / (ray.direction @ view.forward) for ray in corners])
        way = (ground.z - origin[:, 2]) / direction[:, 2]
        points = (origin + way[:, None] * direction)[:, :2]
        away = np.hypot(*(points - ground.center).T) > 0.9 * ground.half_size
        points[away | (way < 0)] = np.nan
        return points / ground.spacing

    here = cell(x, y)
    span = np.abs(cell(x + 1, y) - here) + np.abs(cell(x, y + 1) - here)
    return np.nan_to_num((np.abs(here - np.round(here)) / span).min(axis=-1), nan=np.inf)


@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS)
def test_the_lines_of_the_ground_are_where_they_should_be_and_nowhere_else(camera: Camera) -> None:
    ground = Ground(0.0, 1.0, (0.5, -0.25), 8.0)
    with Stage.offscreen(SIZE) as stage:
        stage.draw([ground], camera)
        image = stage.image()[::-1].astype(int)
    # The small axes are in the lower right corner.
    columns, rows = np.random.default_rng(3).integers([0, 0], [SIZE[0] - 110, SIZE[1]], (4000, 2)).T
    ink = np.abs(image - LIGHT.background).max(axis=-1)[rows, columns]
    far = by_rule(ground, camera, columns + 0.5, rows + 0.5)
    on, off = far < 0.2, (far > 3.0) & np.isfinite(far)
    assert min(on.sum(), off.sum()) > 20
    assert (ink[on] > 3).mean() > 0.9  # far away, lines fade
    assert (ink[off] == 0).all()


def test_lines_of_the_ground_are_no_darker_where_they_cross() -> None:
    plotter = pv.Plotter(off_screen=True, window_size=list(SIZE), lighting="none")  # a pixel is a pixel there
    plotter.set_background("white")
    stage = Stage(plotter)
    stage.draw([Ground(0.0, 1.0, (0.0, 0.0), 9.0)], Camera((0, 0, 12), (0, 0, 0), (0, 1, 0)))
    ink = 255 - stage.image().astype(int).min(axis=-1)[60:300, 120:360]
    stage.close()
    columns, rows = (ink.mean(axis=axis) > 0.5 * ink.mean(axis=axis).max() for axis in (0, 1))
    assert min(rows.sum(), columns.sum()) >= 2
    crossing, beside = ink[np.ix_(rows, columns)], max(ink[rows][:, ~columns].max(), ink[~rows][:, columns].max())
    assert 20 < crossing.max() <= beside + 1
