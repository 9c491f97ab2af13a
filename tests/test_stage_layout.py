"""Text in pictures: nothing covers anything, nothing leaves the picture, and what is left out is said."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collision import Camera
from viewer.camera.camera import Viewport
from viewer.layout.arrangement import arrange, by_type
from viewer.layout.formulas import TypesetFormula
from viewer.layout.gallery import place_gallery
from viewer.layout.page import Page
from viewer.layout.panels import Sheet, place_panels
from viewer.layout.parts import Placed, Plate, Swatch
from viewer.records.drawables import Gallery, GalleryItem, Label, Marker, Panel, Role, Row, ShapeFlags, Stroke, Timeline
from viewer.records.pixels import Rect
from viewer.records.sizes import unit_of
from viewer.records.theme import FONT_SIZE
from viewer.stage.sight import SeenLabel
from viewer.stage.text.fonts import Fonts
from viewer.stage.text.labels import Labels, PlacedLabel

FONT = 15.0
CORNERS = ("upper-left", "upper-right", "lower-left", "lower-right", "center")


def width(text: str, size: float, bold: bool) -> float:
    return len(text) * size * (0.62 if bold else 0.58)


def placed(*panels: Panel, size: tuple[int, int] = (1280, 960), triad: float = 84.0) -> Sheet:
    return place_panels(panels, Page(size, 1.0, FONT, width), triad)


def inside(rect: Rect, size: tuple[int, int]) -> bool:
    return rect.x >= 0 and rect.y >= 0 and rect.x + rect.width <= size[0] and rect.y + rect.height <= size[1]


def texts(panel: Placed) -> list[str]:
    return [run.text for run in panel.runs]


def swatches(panel: Placed) -> list[Swatch]:
    return [shape for shape in panel.part.shapes if isinstance(shape, Swatch)]


def corners(sheet: Sheet) -> list[str]:
    return [panel.panel.corner for panel in sheet.panels if panel.panel is not None]


words = st.text(st.sampled_from("abc defgh-ij\t"), max_size=60)
rows = st.lists(st.builds(Row, words, st.sampled_from([None, ShapeFlags.HIT, Role.NORMAL])), max_size=60)
panels = st.builds(Panel, st.sampled_from(CORNERS), rows.map(tuple), st.text(st.sampled_from("abc de"), max_size=80))


@given(st.lists(panels, max_size=8), st.integers(240, 2000), st.integers(200, 1500))
def test_panels_stay_apart_and_in_the_picture(many: list[Panel], w: int, h: int) -> None:
    sheet = placed(*many, size=(w, h), triad=40.0)
    plates = [panel.plate for panel in sheet.panels] + ([sheet.triad] if sheet.triad else [])
    for plate in plates:
        assert inside(plate, (w, h))
    for a, b in combinations(plates, 2):
        assert not a.overlaps(b)
    for panel in sheet.panels:
        x, y, wide, high = panel.plate
        for run in panel.runs:
            assert x <= run.x
            assert run.x + width(run.text, run.size, run.bold) <= x + wide
            assert y <= run.y
            assert run.y + run.size <= y + high
        for swatch in swatches(panel):
            assert x <= swatch.rect.x < swatch.rect.x + swatch.rect.width <= x + wide
            assert y <= swatch.rect.y < swatch.rect.y + swatch.rect.height <= y + high
        lines = {(run.x, run.y) for run in panel.runs}
        assert len(lines) == len(panel.runs)  # no two texts at one place


@pytest.mark.parametrize("corner", CORNERS)
def test_each_corner_is_a_corner(corner: str) -> None:
    (panel,) = placed(Panel(corner, (Row("text"),))).panels  # type: ignore[arg-type]
    x, y = panel.plate.x + panel.plate.width / 2, panel.plate.y + panel.plate.height / 2
    assert (x < 400) == corner.endswith("left")
    assert (x > 880) == corner.endswith("right")
    assert (y < 320) == corner.startswith("lower")
    assert (y > 640) == corner.startswith("upper")


def test_a_long_table_says_how_much_is_left_out() -> None:
    table = Panel("upper-left", tuple(Row(f"row {n}") for n in range(5000)), "Many")
    (panel,) = placed(table).panels
    shown = sum(text.startswith("row") for text in texts(panel))
    assert 20 < shown < 60
    assert texts(panel)[0] == "Many"
    assert texts(panel)[-1] == f"… and {5000 - shown:,} more"
    assert panel.part.texts[-1].ink == "faint"


def test_the_longest_panel_gives_way() -> None:
    long = Panel("upper-left", tuple(Row(f"row {n}") for n in range(100)))
    short = Panel("lower-left", (Row("a caption"),))
    first, second = placed(long, short).panels
    assert texts(first)[-1].endswith("more")
    assert texts(second) == ["a caption"]


def test_columns_are_aligned_and_numbers_to_the_right() -> None:
    table = Panel("upper-left", (Row("ball\t−0.25"), Row("upper arm\t−100.25"), Row("a title over both")))
    (panel,) = placed(table).panels
    ball, shallow, arm, deep, _ = panel.runs
    assert ball.x == arm.x
    ends = [run.x + width(run.text, run.size, False) for run in (shallow, deep)]
    assert ends[0] == pytest.approx(ends[1], abs=1.0)
    assert shallow.x > deep.x > arm.x + width(arm.text, arm.size, False)


def test_signs_by_themselves_are_no_numbers_and_a_dash_for_none_is_one() -> None:
    cells = ["Ctrl+Shift+S", "-", ".", ",", "+", "]", "12.5", ".5", "–", "inf"]
    (panel,) = placed(Panel("upper-left", tuple(Row(f"name\t{cell}") for cell in cells))).panels
    left = {run.text: run.x for run in panel.runs if run.text != "name"}
    assert {cell for cell in cells if left[cell] == left["Ctrl+Shift+S"]} == set(cells[:6])


def test_long_text_is_broken_between_words() -> None:
    sentence = "one two three four five six seven eight nine ten " * 12
    left, right = placed(Panel("upper-left", (Row(sentence.strip()),)), Panel("upper-right", (Row("x"),))).panels
    assert left.plate.x + left.plate.width < right.plate.x
    assert len(left.runs) > 5
    assert " ".join(texts(left)) == sentence.strip()


def test_two_lines_are_about_equally_long() -> None:
    pairs = 0
    for words in range(4, 40):
        (panel,) = placed(Panel("lower-left", (Row("word " * words + "end"),)), size=(640, 480)).panels
        if len(panel.runs) == 2:
            pairs += 1
            first, second = map(len, texts(panel))
            assert 0.7 * first < second < 1.4 * first
    assert pairs > 5


@pytest.mark.parametrize("length", [100, 1000])
def test_a_word_that_is_too_long_is_broken(length: int) -> None:
    (panel,) = placed(Panel("upper-left", (Row("x" * length),)), size=(400, 300)).panels
    *lines, last = texts(panel)
    assert lines
    assert all(20 < len(line) < 50 for line in lines)
    assert last.endswith("…") is (length == 1000)
    assert len("".join([*lines, last])) == 100 or length == 1000
    assert all(panel.plate.covers(run.x, run.y) for run in panel.runs)


def test_names_that_begin_alike_are_told_apart_by_their_ends() -> None:
    names = [f"left_arm_of_the_robot_upper_link_collision_{k}" for k in range(4)]
    rows = tuple(Row(f"{a}\t{b}\t-0.1") for a, b in pairwise(names))
    (panel,) = placed(Panel("upper-left", rows), size=(640, 480)).panels
    cells = [text for text in texts(panel) if "…" in text]
    assert len(cells) == 6
    assert [cell[-1] for cell in cells] == ["0", "1", "1", "2", "2", "3"]
    assert all(cell.startswith("left_arm") for cell in cells)


def test_a_panel_in_the_center_takes_the_place_of_others() -> None:
    help_panel = Panel("center", tuple(Row(f"a key and what it does, {n}") for n in range(30)), "Keys")
    others = [Panel("upper-left", (Row("wide " * 30),) * 12), Panel("lower-right", (Row("small"),))]
    sheet = placed(*others, help_panel, size=(640, 600))
    assert [texts(panel)[0] for panel in sheet.panels] == ["small", "Keys"]


def test_a_caption_is_as_wide_as_can_be_read_and_leaves_the_small_axes_their_place() -> None:
    caption = Panel("lower-left", (Row("a word or two " * 18),))
    for size in ((800, 960), (1280, 960), (3000, 1000)):
        sheet = placed(caption, Panel("upper-right", (Row("legend"),)), size=size)
        plate = sheet.panels[0].plate
        room = min(size[0] - 2 * 16 - 84 - 10, 46 * FONT)
        assert 0.7 * room < plate.width <= room
        needed = width("a word or two " * 18, FONT, False) / (room - 24)
        assert len(sheet.panels[0].runs) == pytest.approx(needed, abs=1.0)  # no more lines than the room asks for
        assert sheet.triad == Rect(size[0] - 16 - 84, 16, 84, 84)


def test_a_caption_that_is_too_long_is_cut_and_says_so() -> None:
    caption = Panel("lower-left", (Row("a word or two " * 200),))
    (panel,) = placed(caption, size=(640, 480)).panels
    assert panel.plate.height < 0.45 * 480
    assert texts(panel)[-1].endswith("…")
    assert not any("more" in text for text in texts(panel))
    assert placed(caption, size=(640, 60)).panels == ()


def test_a_wide_caption_ends_below_the_legend() -> None:
    legend = Panel("upper-right", tuple(Row(f"what color {n} means in this picture") for n in range(30)))
    caption = Panel("lower-left", (Row("a word or two " * 20),))
    sheet = placed(legend, caption, size=(640, 480))
    plates = dict(zip(corners(sheet), [panel.plate for panel in sheet.panels], strict=True))
    lower, upper = plates["lower-left"], plates["upper-right"]
    assert lower.x + lower.width > upper.x
    assert upper.y >= lower.y + lower.height


def test_a_title_has_the_room_that_the_legend_leaves() -> None:
    title = Panel("upper-left", (), "A title of a length")
    (left, _) = placed(title, Panel("upper-right", (Row("x"),)), size=(400, 300)).panels
    assert texts(left) == ["A title of a length"]
    assert left.plate.width > 200


def test_a_panel_stays_above_the_small_axes() -> None:
    sheet = placed(Panel("lower-left", (Row("caption"),)), Panel("lower-right", (Row("h: keys"),)))
    assert sheet.triad is not None
    assert sheet.triad.x > 1000
    assert sheet.panels[1].plate.y >= sheet.triad.y + sheet.triad.height


def test_the_small_axes_stay_in_their_corner_whatever_comes_and_goes() -> None:
    at = Rect(1280 - 16 - 84, 16, 84, 84)
    caption, status = Panel("lower-left", (Row("caption " * 40),)), Panel("lower-right", (Row("x " * 30),))
    legend = Panel("upper-right", tuple(Row(f"colour {n}") for n in range(90)))
    for panels in ((), (caption,), (status,), (caption, status), (caption, status, legend)):
        sheet = placed(*panels)
        assert sheet.triad == at
        assert not any(panel.plate.overlaps(at) for panel in sheet.panels)
    assert placed(triad=0.0).triad is None


#: A view in which the plane z = 0 is the picture, a unit to a pixel.
PAPER = Viewport(Camera((320, 240, 10), (320, 240, 0), (0, 1, 0), parallel_height=480), (640, 480))


def at(x: float, y: float, text: str) -> SeenLabel:
    point = np.array([x, y, 0.0])
    return SeenLabel(Label(point, text), point)


anchors = st.builds(
    at, st.floats(-50, 700), st.floats(-50, 500), st.text(st.sampled_from("abc 0.5"), min_size=1, max_size=25)
)


@given(st.lists(anchors, max_size=25), st.lists(st.tuples(st.floats(0, 500), st.floats(0, 400)), max_size=3))
def test_labels_cover_nothing(many: list[SeenLabel], corners: list[tuple[float, float]]) -> None:
    taken = [Rect(x, y, 120, 60) for x, y in corners]
    labels = Labels().place(many, PAPER, 1.0, FONT, width, taken)
    for label in labels:
        assert inside(label.plate, (640, 480))
        assert not any(label.plate.overlaps(rect) for rect in taken)
        assert label.plate.x <= label.run.x
        assert label.run.x + width(label.run.text, FONT, False) <= label.plate.x + label.plate.width
    for a, b in combinations(labels, 2):
        assert not a.plate.overlaps(b.plate)
    again = Labels().place(many, PAPER, 1.0, FONT, width, taken)
    assert again == labels


def one(label: tuple[PlacedLabel, ...]) -> Rect:
    assert len(label) == 1
    return label[0].plate


def test_a_label_stands_beside_what_it_names() -> None:
    plate = one(Labels().place([at(320, 240, "X")], PAPER, 1.0, FONT, width))
    assert not plate.covers(320, 240)
    assert np.hypot(plate.x - 320, plate.y - 240) < 15


def test_a_label_keeps_off_dots_and_lines() -> None:
    anchor = at(320, 240, "a label")
    free = one(Labels().place([anchor], PAPER, 1.0, FONT, width))
    middle = (free.x + free.width / 2, free.y + free.height / 2)
    dot = Marker(np.array([[*middle, 0.0]]), Role.WITNESS)
    off_dot = one(Labels().place([anchor], PAPER, 1.0, FONT, width, marks=[dot]))
    assert not off_dot.covers(*middle)
    line = Stroke(np.array([[320.0, middle[1], 0.0]]), np.array([[640.0, middle[1], 0.0]]), Role.WITNESS)
    off_line = one(Labels().place([anchor], PAPER, 1.0, FONT, width, marks=[line]))
    assert not off_line.covers(*middle)


def test_labels_of_one_point_find_places_around_it() -> None:
    many = [at(320, 240, f"label {n}") for n in range(6)]
    labels = Labels().place(many, PAPER, 1.0, FONT, width)
    assert len(labels) == 6
    assert labels[0].leader is None
    x0, y0, x1, y1 = labels[-1].leader or (0, 0, 0, 0)
    assert (x0, y0) == (320, 240)
    assert labels[-1].plate.covers(x1, y1)


def test_what_cannot_be_seen_gets_no_label() -> None:
    assert Labels().place([at(-5, 100, "left of it")], PAPER, 1.0, FONT, width) == ()
    assert Labels().place([at(50, 50, "under a panel")], PAPER, 1.0, FONT, width, [Rect(0, 0, 99, 99)]) == ()


def test_text_is_measured_as_it_is_drawn() -> None:
    assert Fonts().width("", 15, False) == 0.0
    assert Fonts().width("iiii", 15, False) < Fonts().width("mmmm", 15, False) < Fonts().width("mmmm", 30, False)
    assert Fonts().width("mmmm", 15, True) > Fonts().width("mmmm", 15, False)
    assert Fonts().width("1$ + 2$", 15, False) == pytest.approx(Fonts().width("1€ + 2€", 15, False), abs=4)
    # A sign that the font lacks still takes room: nothing is left out silently.
    assert Fonts().width("漢字", 15, False) == Fonts().width("□□", 15, False) > 15
    assert Fonts().width("a😀b", 15, False) > Fonts().width("ab", 15, False) + 12


# -- small pictures, and large texts --------------------------------------------------------------------------------

LONG = tuple(Row(f"a pair of shapes {k}\tanother shape {k}\t−0.{k}") for k in range(9))
TABLE, CAPTION = (
    Panel("upper-left", LONG, "A title"),
    Panel("lower-left", (Row("a word or two " * 30),), name="caption"),
)
LEGEND = Panel("upper-right", (Row("colliding", ShapeFlags.HIT), Row("a normal", Role.NORMAL)), spare=True)
CARD = Panel("upper-right", (Row("a sphere"),), "ball")


def covered(sheet: Sheet) -> float:
    return sum(panel.plate.width * panel.plate.height for panel in sheet.panels)


@pytest.mark.parametrize("size", [(640, 480), (500, 375), (400, 600), (900, 320)])
def test_panels_leave_most_of_a_small_picture_free(size: tuple[int, int]) -> None:
    sheet = placed(TABLE, LEGEND, CARD, CAPTION, size=size)
    assert covered(sheet) <= 0.25 * size[0] * size[1]
    assert corners(sheet) == ["upper-left", "upper-right"], "the caption goes"
    assert texts(sheet.panels[1]) == ["ball", "a sphere"], "the legend goes first, and not what is selected"
    assert texts(sheet.panels[0])[-1].endswith("more"), "then the table is cut"
    larger = placed(TABLE, LEGEND, CARD, CAPTION, size=(900, 675))
    assert corners(larger) == ["upper-left", "lower-left", "upper-right"]
    assert texts(larger.panels[1])[-1].endswith("…"), "before it goes, the caption is cut"
    whole = placed(TABLE, LEGEND, CARD, CAPTION)
    assert len(whole.panels) == 4
    assert not any("…" in text for panel in whole.panels for text in texts(panel))


def test_a_caption_goes_before_a_table_without_a_pair() -> None:
    table = Panel(
        "upper-left", (Row("9 colliding pairs"), Row("a\tb\t−1"), Row("c\td\t−2"), Row("e\tf\t−3")), "A title"
    )
    shown = {}
    for font in (FONT, 4 * FONT):
        sheet = place_panels([table, LEGEND, CAPTION], Page((1280, 960), 1.0, font, width))
        shown[font] = dict(zip(corners(sheet), map(texts, sheet.panels), strict=True))
    assert "lower-left" in shown[FONT]
    assert list(shown[4 * FONT]) == ["upper-left"]
    assert {"a", "b", "−1"} <= set(shown[4 * FONT]["upper-left"])


def test_a_table_takes_the_room_of_the_legend_that_gave_way() -> None:
    rows = Row("2 pairs"), Row("crate\tstep\t−0.165123"), Row("ball\trod\t−0.0697")
    table, legend = Panel("upper-left", rows, "A title"), replace(LEGEND, rows=(Row("a normal that is long"),) * 5)
    size, font = (1280, 960), 4.5 * FONT
    sheet = place_panels([table, legend, CAPTION], Page(size, 1.0, font, width))
    assert corners(sheet) == ["upper-left"]
    assert {"crate", "step", "−0.165123", "ball", "rod", "−0.0697"} <= set(texts(sheet.panels[0]))


def test_panels_grow_with_the_text() -> None:
    small, large = (place_panels([TABLE, LEGEND], Page((2000, 1500), 1.0, font, width)) for font in (FONT, 2 * FONT))
    for panel, twice in zip(small.panels, large.panels, strict=True):
        assert texts(panel) == texts(twice)
        assert 1.7 * panel.plate.width < twice.plate.width < 2.0 * panel.plate.width
        assert 1.7 * panel.plate.height < twice.plate.height < 2.0 * panel.plate.height
        for one, other in zip(swatches(panel), swatches(twice), strict=True):
            assert other.rect.width == pytest.approx(2.0 * one.rect.width)


def test_the_title_of_a_card_is_whole_where_there_is_room_for_two_lines_alone() -> None:
    titles = "A first scene", "Sphere against segment"
    page = Gallery("Title", "hint", tuple(GalleryItem(text, line="What it is about") for text in titles) * 10)
    gallery = place_gallery(page, Page((800, 480), unit_of((800, 480)), FONT_SIZE, Fonts().width))
    plates = [shape.rect for shape in gallery.part.shapes if isinstance(shape, Plate)]
    shown = [[(run.text, run.bold) for run in gallery.runs if plate.covers(run.x, run.y)] for plate in plates]
    assert [bold for _, bold in shown[0]] == [True, False]
    assert [bold for _, bold in shown[1]] == [True, True]
    assert " ".join(text for text, _ in shown[1]) == titles[1]
    assert all(any(plate.covers(run.x, run.y) for plate in plates) for run in gallery.runs[2:])


def test_the_strip_of_the_time_gives_way_to_a_table_of_keys_that_needs_its_room() -> None:
    strip, page = Timeline(0.0, 6.0, 1.0), Page((480, 360), 1.0, FONT, width)
    for count, is_shown in ((6, True), (12, False)):
        keys = Panel("center", tuple(Row(f"key {k}\twhat it does") for k in range(count)), "Keys")
        arranged = arrange(by_type([strip, keys]), page, lambda tex, size: TypesetFormula(0.0, 0.0, 0.0))
        assert (arranged.strip is not None) == is_shown
        (panel,) = arranged.sheet.panels
        assert f"key {count - 1}" in texts(panel)
        assert not any(panel.plate.overlaps(plate) for plate in arranged.plates if plate != panel.plate)


# -- the same whatever was before, and wherever the page begins --------------------------------------------------------


def test_what_was_laid_out_before_does_not_matter() -> None:
    long = Panel("upper-left", tuple(Row(f"ball {n}\t{0.1 * n:.3g}", ShapeFlags.HIT) for n in range(40)), "Many")
    other = Panel("lower-left", (Row("a caption of some words " * 9),))
    sizes = [(640, 480), (640, 640), (300, 220), (640, 480)]
    seen = [place_panels([long, other], Page(size, 1.0, 15.0, width)) for size in sizes]
    assert seen[0] == seen[3]
    assert len({len(sheet.panels[0].runs) for sheet in seen[:3]}) == 3
    alone = place_panels([long], Page((640, 480), 1.0, 15.0, width))
    assert len(alone.panels[0].runs) > len(seen[0].panels[0].runs)


def test_what_is_at_the_foot_stays_free() -> None:
    panels = [Panel(corner, (Row("text"), Row("more")), "Title") for corner in ("upper-left", "lower-left", "center")]
    page = Page((640, 400), 1.0, FONT, width)
    low = place_panels(panels, page, 40.0)
    high = place_panels(panels, replace(page, foot=80.0), 40.0)
    assert low.triad is not None
    assert high.triad == low.triad._replace(y=low.triad.y + 80)
    for a, b in zip(low.panels, high.panels, strict=True):
        assert b.plate == a.plate._replace(y=a.plate.y + 80)
        assert [run.y for run in b.runs] == [run.y + 80 for run in a.runs]


# -- the pointer -------------------------------------------------------------------------------------------------------


def test_the_row_at_a_pixel() -> None:
    rows = (Row("one"), Row(" ".join(map(str, range(100, 170)))), Row("three"))
    (panel,) = placed(Panel("upper-left", rows, "Title"), size=(1280, 960)).panels
    x = panel.plate.x + 5.0
    at = {run.text: panel.row_at(x, run.y + 4.0) for run in panel.runs}
    first, *long, last = list(at.values())[1:]
    assert at["Title"] is None
    assert (first, last) == (rows[0], rows[2])
    assert len(long) > 2
    assert set(long) == {rows[1]}
    assert panel.row_at(panel.plate.x - 1.0, panel.runs[1].y) is None
    assert panel.row_at(x, panel.plate.y - 1.0) is None


def test_each_cell_of_a_row_does_what_is_its_own() -> None:
    actions = tuple(lambda session, k=k: k for k in range(3))
    row = Row("first\tsecond\tthird", cells=actions)
    (panel,) = placed(Panel("upper-left", (row, Row("a rather long first cell\tb\tc")))).panels
    for run, action in zip(panel.runs, actions, strict=False):
        for x in (run.x, run.x + width(run.text, run.size, False)):
            found = panel.row_at(x, run.y + 4.0)
            assert found == row
            assert found is not None
            assert found.does is action
    assert panel.place_of(row) == panel.part.hits[0].rect


def test_a_table_whose_columns_could_not_be_read_is_broken_into_lines() -> None:
    table = Panel("upper-left", (Row("2 pairs"), Row("left upper arm\tright upper arm\t−0.165")))
    for size in ((1280, 960), (300, 600)):
        (panel,) = placed(table, size=size, triad=0.0).panels
        assert "…" not in "".join(texts(panel))
        assert " ".join(" ".join(texts(panel)).split()) == "2 pairs left upper arm right upper arm −0.165"
