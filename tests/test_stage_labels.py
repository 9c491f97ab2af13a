"""Labels of whole scenes: none covers another or a panel, none is taken for another's, and none jumps without need."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 - without which VTK has no actors
from vtkmodules.vtkRenderingCore import vtkRenderer

import viewer
from collision import AABB, Capsule, Point, Scene, Segment, Shape, Show, Sphere
from collision.inner import FloatArray
from tests.helpers import seen_labels
from tests.slow import deep, one_in
from viewer.layout.arrangement import Arrangement, by_type
from viewer.layout.page import Page
from viewer.layout.panels import place_panels
from viewer.picture.present import present
from viewer.records.drawables import Panel, Patch, Role
from viewer.records.pixels import Rect
from viewer.records.sizes import unit_of
from viewer.records.theme import LIGHT
from viewer.session import Session
from viewer.stage.sight import Sight
from viewer.stage.text.fonts import Fonts
from viewer.stage.text.labels import Labels, PlacedLabel
from viewer.stage.text.overlay import Overlay

SIZES = ((640, 480), (1280, 960), (1920, 700), (400, 600))

FONTS = Fonts()


def crowd(seed: int, count: int) -> Scene:
    rng = np.random.default_rng(seed)
    places = rng.uniform(-3.0, 3.0, (count, 3))
    shapes: dict[str, Shape] = {f"ball {k}": Sphere(place, rng.uniform(0.2, 0.9)) for k, place in enumerate(places)}
    shapes["rod"] = Capsule(places[0] + 1.0, places[1] - 1.0, 0.2)
    shapes["box"] = AABB(places[2] - 1.0, places[2] + 0.5)
    shapes["edge"] = Segment(places[0], places[-1])
    shapes["P"] = Point(places[1] + 2.0)
    shows = [Show("closest_points", "rod", "box"), Show("foot", "P", "edge"), Show("crossings", "edge", "ball 1")]
    return Scene(shapes, shows=shows, title="A crowd", caption="What all of this is about, in a line or two. " * 3)


def placed(session: Session, labels: Labels, font: float = LIGHT.font_size) -> tuple[list[PlacedLabel], list[Rect]]:
    """Return the labels of a picture, and the plates of its panels."""
    drawables, size = present(session), session.viewport.size
    unit, panels = unit_of(size), [d for d in drawables if isinstance(d, Panel)]
    sheet = place_panels(panels, Page(size, unit, font, FONTS.width), 84.0)
    plates = [*(panel.plate for panel in sheet.panels), *filter(None, [sheet.triad])]
    sight = Sight(drawables)
    marks = [mark for mark in sight.marks(session.viewport) if not isinstance(mark, Patch)]
    return list(
        labels.place(sight.labels(session.viewport), session.viewport, unit, font, FONTS.width, plates, marks)
    ), plates


def away(plate: Rect, x: float, y: float) -> float:
    """Return how far a point is from a plate."""
    across = max(plate.x - x, x - plate.x - plate.width, 0.0)
    return float(np.hypot(across, max(plate.y - y, y - plate.y - plate.height, 0.0)))


@cache
def scenes() -> list[Scene]:
    """Return the scenes to look at, with one in three of the examples, or with ``--deep`` all."""
    shown = [viewer.as_scene(example.path) for example in viewer.find_examples()[:: 1 if deep() else 3]]
    return [*shown, crowd(1, 6), crowd(2, 12), crowd(3, 40)]


def viewed() -> list[tuple[Scene, str]]:
    """Return a view for each of the scenes, and none for their own."""
    return [(scene, ["", "z", "iso", "-y"][k % 4]) for k, scene in enumerate(scenes())]


def sessions(size: tuple[int, int]) -> Iterator[Session]:
    for scene, view in viewed():
        session = Session(scene, size=size)
        if view:
            session.view.look(view)
        session.settings.toggle("distances")
        yield session


@pytest.mark.parametrize(("size", "scale"), one_in(5, product(SIZES, [0.75, 2.5])))
def test_labels_cover_nothing_and_stay_in_the_picture(size: tuple[int, int], scale: float) -> None:
    count = 0
    for session in sessions(size):
        labels, plates = placed(session, Labels(), scale * LIGHT.font_size)
        count += len(labels)
        for label in labels:
            x, y, wide, high = label.plate
            assert x >= 0
            assert y >= 0
            assert x + wide <= size[0]
            assert y + high <= size[1]
            assert not any(label.plate.overlaps(plate) for plate in plates)
        assert not any(a.plate.overlaps(b.plate) for a, b in combinations(labels, 2))
    assert count > (10 if scale > 1.0 else 2 * len(viewed()))


def test_no_label_is_taken_for_that_of_another_point() -> None:
    lines = crossings = count = 0
    for session in sessions((1280, 960)):
        labels, _ = placed(session, Labels())
        named: dict[str, list[FloatArray]] = {label.run.text: [] for label in labels}
        for each in seen_labels(session):
            if each.label.text in named:
                named[each.label.text].append(session.viewport.project(each.point)[0])
        points = [point for some in named.values() for point in some]
        for label in labels:
            (x, y), height = min(named[label.run.text], key=lambda p: away(label.plate, *p)), 20
            count += 1
            if label.leader is not None:
                lines += 1
                assert away(label.plate, *label.leader[2:]) == 0.0
                assert min(np.hypot(*(point - label.leader[:2])) for point in named[label.run.text]) < 1e-6
                crossings += sum(crosses(label.leader, other.plate) for other in labels if other is not label)
                continue
            own = away(label.plate, x, y)
            assert own <= height, "what stands farther away has a line"
            inside = label.role is Role.NAME and label.plate.covers(x, y)
            others = [point for point in points if np.hypot(*(point - (x, y))) > 1.5]
            assert inside or all(away(label.plate, *point) > own for point in others)
    assert 0.2 * count < lines < 0.7 * count
    assert crossings < 0.05 * lines


def crosses(line: tuple[float, ...], plate: Rect) -> bool:
    """Say whether a line is seen to go over a plate."""
    x, y, end_x, end_y = line
    return any(plate.grown(-1.0).covers(x + t * (end_x - x), y + t * (end_y - y)) for t in np.linspace(0.0, 1.0, 200))


def test_labels_stay_where_they_are_while_the_view_turns() -> None:
    def jumps(labels: list[Labels]) -> int:
        count, last = 0, dict[str, tuple[float, ...]]()
        session = Session(crowd(2, 12), size=(640, 480))
        for one in labels:
            session.view.orbit(1.0, 0.0)
            shown, _ = placed(session, one)
            places: dict[str, tuple[float, ...]] = {
                label.run.text: label.plate[:2] for label in shown if label.role is Role.NAME
            }
            count += sum(np.hypot(*np.subtract(places[name], last[name])) > 20 for name in places.keys() & last)
            last = places
        return count

    turns = 60 if deep() else 25
    remembered = jumps([Labels()] * turns)
    assert remembered <= 0.6 * jumps([Labels() for _ in range(turns)])


def plates(session: Session, scale: float) -> Arrangement:
    """Return where the panels and all else that is written over a picture are, in a larger text."""
    theme = replace(LIGHT, font_size=scale * LIGHT.font_size)
    session.settings.set_theme(theme)
    size = session.viewport.size
    return Overlay(vtkRenderer(), theme).arrange(by_type(present(session)), size, unit_of(size))


@pytest.mark.parametrize(
    ("size", "scale"), one_in(4, product([(640, 480), (1280, 960), (3840, 2160)], [0.75, 1.5, 2.5]))
)
def test_nothing_overlaps_in_a_text_of_any_size(size: tuple[int, int], scale: float) -> None:
    for scene in scenes():
        session = Session(scene, size=size)
        session.settings.toggle("bar")
        places = plates(session, scale)
        for plate in places.plates:
            assert plate.x >= 0
            assert plate.y >= 0
            assert plate.x + plate.width <= size[0]
            assert plate.y + plate.height <= size[1]
        for a, b in combinations(places.plates, 2):
            assert not a.overlaps(b)


def test_all_that_is_written_grows_with_the_text() -> None:
    examples = (viewer.as_scene(example.path) for example in viewer.find_examples())
    arm = next(scene for scene in examples if scene.span is not None)
    session = Session(arm, size=(3840, 2160))
    session.settings.toggle("bar")
    small, large = plates(session, 0.5), plates(session, 1.0)
    for one, twice in [(small.sheet.triad, large.sheet.triad), (small.bar, large.bar), (small.strip, large.strip)]:
        assert one is not None
        assert twice is not None
        first, second = (place if isinstance(place, Rect) else place.plate for place in (one, twice))
        assert 1.6 * first.height < second.height < 2.1 * first.height
    texts = [[run.text for run in places.sheet.panels[0].runs] for places in (small, large)]
    assert texts[0] == texts[1]
    wide = [places.sheet.panels[0].plate.width for places in (small, large)]
    assert 1.6 * wide[0] < wide[1] < 2.1 * wide[0]


def test_fewer_rows_are_shown_in_a_larger_text() -> None:
    def lines(scale: float) -> int:
        session = Session(crowd(3, 60))
        session.settings.set_scale(scale)
        (panel,) = (d for d in present(session) if isinstance(d, Panel) and d.corner == "upper-left")
        return len(panel.rows)

    assert lines(0.75) >= lines(1.0) > lines(2.0) > 2
