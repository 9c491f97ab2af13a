"""Texts are drawn as VTK draws them, though all are one actor; plates and the ground are drawn without waste."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

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
    vtkTextRenderer,
    vtkWindowToImageFilter,
)

from collision import Camera
from collision.base.fields import FloatArray
from viewer.camera.camera import Viewport
from viewer.layout.page import Page
from viewer.layout.panels import place_panels
from viewer.records.drawables import Ground, Panel, Row, ShapeFlags
from viewer.records.pixels import Rect, Run
from viewer.records.theme import LIGHT, Color
from viewer.stage.renderers import see_pixels
from viewer.stage.stage import Stage
from viewer.stage.text.fonts import Fonts, missing_glyphs, open_font
from viewer.stage.text.glyphs import TextActor
from viewer.stage.text.shapes import plate
from viewer.stage.vtk_camera import Tile

SIZE = (480, 360)
INK: Color = (38, 44, 54)
IMAGE = npt.NDArray[np.int64]

#: Signs below the line, signs from other scripts, and signs that VTK would take for its own.
TEXTS = ("Most hills, fi", "jgpqy (ÇŞ)", "−0.125 ≤ α∈β → µ²", "cost 5$ + 6$", " two  spaces ", "kg/m³_[17]")


class Sheet:
    """A renderer on which texts are written."""

    def __init__(self) -> None:
        self.renderer, self.window = vtkRenderer(), vtkRenderWindow()
        self.window.SetOffScreenRendering(1)
        self.window.SetMultiSamples(0)
        self.window.SetDPI(72)
        self.window.SetSize(*SIZE)
        self.renderer.SetBackground(1.0, 1.0, 1.0)
        self.window.AddRenderer(self.renderer)
        self.texts = TextActor(Fonts())
        self.renderer.AddViewProp(self.texts.actor)
        see_pixels(self.renderer, Tile(0, 0, *SIZE))

    def picture(self) -> IMAGE:
        self.window.Render()
        grab = vtkWindowToImageFilter()
        grab.SetInput(self.window)
        grab.ReadFrontBufferOff()
        grab.Update()
        pixels = vtk_to_numpy(grab.GetOutput().GetPointData().GetScalars())
        return pixels.reshape(SIZE[1], SIZE[0], 3)[::-1].astype(np.int64)

    def written(self, runs: Sequence[Run], color: Color = INK) -> IMAGE:
        self.texts.write([(run, color) for run in runs])
        return self.picture()

    def by_vtk(self, runs: Sequence[Run]) -> IMAGE:
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


def set_font(prop: vtkTextProperty, run: Run) -> None:
    prop.SetFontFamily(4)
    prop.SetFontFile(open_font("DejaVuSans-Bold.ttf" if run.bold else "DejaVuSans.ttf", 16).path)
    prop.SetFontSize(round(run.size))


def lines(size: float, *, bold: bool = False) -> list[Run]:
    return [Run(20, 20 + round(1.6 * size) * row, text, size, bold) for row, text in enumerate(TEXTS)]


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


@pytest.mark.parametrize("bold", [False, True], ids=["plain", "bold"])
def test_a_text_is_as_wide_as_vtk_draws_it(bold: bool) -> None:
    for run in lines(15.0, bold=bold):
        prop, box = vtkTextProperty(), [0, 0, 0, 0]
        set_font(prop, run)
        vtkTextRenderer.GetInstance().GetBoundingBox(prop, run.text.replace("$", "\\$"), box, 72)
        assert Fonts().width(run.text, 15.0, bold) == pytest.approx(box[1] - box[0] + 1, abs=2)


@pytest.mark.parametrize("text", ["a\u0301b", "\u0301", "n\u0303o\u0336 fi", "\t\n", "", "\ud800x", "\U0010ffff|"])
def test_characters_that_stand_over_others_or_nowhere_are_laid_out_too(sheet: Sheet, text: str) -> None:
    assert Fonts().width(text, 15.0, False) >= 0.0
    sheet.written([Run(20, 20, text, 15.0)])


def test_a_sign_that_the_font_lacks_is_seen(sheet: Sheet) -> None:
    assert np.array_equal(sheet.written([Run(20, 20, "漢字", 20)]), sheet.written([Run(20, 20, "□□", 20)]))
    assert (sheet.written([Run(20, 20, "漢", 20)]) < 200).any()


def test_of_other_texts_nothing_is_left(sheet: Sheet) -> None:
    one = sheet.written([Run(100, 90, "one", 15)])
    assert (one < 200).any()
    sheet.written(lines(30.0))
    assert np.array_equal(sheet.written([Run(100, 90, "one", 15)]), one)
    assert np.array_equal(sheet.written([Run(130, 90, "one", 15)])[:, 130:300], one[:, 100:270])
    assert (sheet.written([]) == 255).all()


def test_more_signs_than_there_was_room_for(sheet: Sheet) -> None:
    """Neither the array of rectangles nor the texture is large enough at first."""
    many = [Run(2, 5 + 14 * row, "many signs in a line, " * 4, 11) for row in range(24)]
    assert sum(len(run.text) for run in many) > 1024
    assert np.abs(sheet.by_vtk(many) - sheet.written(many)).max() <= 4
    height = sheet.texts.glyphs.size[1]
    for size in range(40, 70):
        sheet.written([Run(5, 5, "abcdefghijklmnopqrstuvwxyz", size)])
    assert sheet.texts.glyphs.size[1] > height
    assert np.abs(sheet.by_vtk(many) - sheet.written(many)).max() <= 4


def test_after_signs_are_forgotten_a_text_is_what_it_was() -> None:
    sheet, text = Sheet(), (Run(100, 90, "the same text", 15), INK)
    sheet.texts.write([text])
    before = sheet.picture()
    sheet.texts.forget()
    sheet.written([Run(20, 20, "others", 15)])  # whose signs are now where those of the text were
    sheet.texts.write([text])
    assert np.array_equal(sheet.picture(), before)
    sheet.window.Finalize()


def test_texts_have_their_own_colors(sheet: Sheet) -> None:
    red, blue = Run(20, 20, "■", 40), Run(120, 20, "■", 40)
    sheet.texts.write([(red, (200, 10, 20)), (blue, (10, 20, 200))])
    image = sheet.picture()
    assert (image[:, :100] == (200, 10, 20)).all(axis=-1).sum() > 200
    assert (image[:, 100:] == (10, 20, 200)).all(axis=-1).sum() > 200


def test_a_sign_is_drawn_once_for_each_size() -> None:
    texts = TextActor(Fonts())
    counts = [texts.glyphs.count]
    for text, size in (("abcabc", 15.0), ("cab", 15.0), ("cab", 16.0)):
        texts.write([(Run(0, 0, text, size), INK)])
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


# -- laying out --------------------------------------------------------------------------------------------------------


def test_what_was_laid_out_before_does_not_matter() -> None:
    def width(text: str, size: float, bold: bool) -> float:
        return 0.6 * size * len(text)

    long = Panel("upper-left", tuple(Row(f"ball {n}\t{0.1 * n:.3g}", ShapeFlags.HIT) for n in range(40)), "Many")
    other = Panel("lower-left", (Row("a caption of some words " * 9),))
    sizes = [(640, 480), (640, 360), (300, 220), (640, 480)]
    seen = [place_panels([long, other], Page(size, 1.0, 15.0, width)) for size in sizes]
    assert seen[0] == seen[3]
    assert len({len(sheet.panels[0].runs) for sheet in seen[:3]}) == 3
    alone = place_panels([long], Page((640, 480), 1.0, 15.0, width))
    assert len(alone.panels[0].runs) > len(seen[0].panels[0].runs)


def test_what_is_at_the_foot_stays_free() -> None:
    panels = [Panel(corner, (Row("text"), Row("more")), "Title") for corner in ("upper-left", "lower-left", "center")]
    page = Page((640, 400), 1.0, 15.0, Fonts().width)
    low = place_panels(panels, page, 40.0)
    high = place_panels(panels, replace(page, foot=80.0), 40.0)
    assert low.triad is not None
    assert high.triad == low.triad._replace(y=low.triad.y + 80)
    for a, b in zip(low.panels, high.panels, strict=True):
        assert b.plate == a.plate._replace(y=a.plate.y + 80)
        assert [run.y for run in b.runs] == [run.y + 80 for run in a.runs]


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
