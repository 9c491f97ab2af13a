"""Themes, see-through solids, ghosts and the keys that show them: on a real stage without a window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from collision import AABB, Camera, Capsule, Scene, Shape, Sphere
from tests.slow import deep, one_in
from viewer import render
from viewer.layout.page import Page
from viewer.layout.panels import place_panels
from viewer.picture.present import present
from viewer.records.drawables import Arrow, Drawable, Ghost, Marker, Panel, Patch, Role, SeeThrough, ShapeFlags, Solid
from viewer.records.events import Key
from viewer.records.sizes import unit_of
from viewer.records.theme import DARK, LIGHT, THEMES, Color, Theme
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.stage.text.fonts import Fonts
from viewer.studio.app import App

SIZE = (320, 240)
SCENE = Scene(
    {"ball": Sphere([0, 0, 0], 1), "rod": Capsule([0.5, 0, 0], [3, 0, 1], 0.5), "box": AABB([-4, -1, -1], [-2, 1, 1])},
    title="Three shapes",
    caption="A ball, a rod and a box.",
)
CAMERA = Camera((0, -10, 0))


def picture(drawables: list[Drawable], theme: Theme = LIGHT, *, mesh: bool = False) -> np.ndarray:
    with Stage.offscreen(SIZE, theme, mesh=mesh) as stage:
        stage.draw(drawables, CAMERA)
        return stage.image()


def solids(*drawables: Drawable) -> list[Drawable]:
    groups: list[tuple[Sphere | AABB, ShapeFlags]] = [(Sphere([[0, 0, 0]], 1), ShapeFlags.HIT)]
    groups.append((AABB([[1.5, -1, -1]], [[3, 1, 1]]), ShapeFlags.FREE))
    return [*drawables, *(Solid.of(shape, np.array([flags], np.uint8)) for shape, flags in groups)]


def unlike(image: np.ndarray, color: Color) -> int:
    return int((np.abs(image.astype(int) - color).max(axis=-1) > 8).sum())


# -- themes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_stage_that_changes_its_theme_draws_as_one_that_was_made_with_it(theme: Theme) -> None:
    session = Session(SCENE, size=SIZE)
    session.select_many(["ball", "rod"])
    session.settings.toggle("boxes")
    drawables = present(session)
    with Stage.offscreen(SIZE) as stage:
        stage.draw(drawables, session.viewport.camera)
        light = stage.image()
        stage.restyle(theme)
        own = stage.image()
        stage.restyle(LIGHT)
        assert np.array_equal(stage.image(), light)
    with Stage.offscreen(SIZE, theme) as stage:
        stage.draw(drawables, session.viewport.camera)
        assert np.array_equal(stage.image(), own)
    assert np.array_equal(own, light) == (theme is LIGHT)


def test_a_theme_by_name_and_one_of_ones_own() -> None:
    named = render(SCENE, size=SIZE, theme="dark")
    assert tuple(named[2, 160]) == DARK.background
    assert np.array_equal(render(SCENE, size=SIZE, theme=DARK), named)
    with pytest.raises(ValueError, match=r"theme must be light, dark, .* got 'drak'"):
        render(SCENE, size=SIZE, theme="drak")


@pytest.mark.parametrize(
    ("theme", "direction"), one_in(7, product(THEMES.values(), [(1, 0, 0.4), (0.2, -1, 0.1), (0, 1, 0.3)]))
)
def test_a_handle_is_set_off_from_what_has_its_colour(theme: Theme, direction: tuple[float, float, float]) -> None:
    wall = Solid.of(AABB([[-9, 4, -9]], [[9, 5, 9]]), np.array([ShapeFlags.HIT], np.uint8))
    arrow = Arrow(np.zeros((1, 3)), 2.0 * np.array([direction]), Role.AXIS_X)
    square = Patch(np.array([[[-2, 0, -2], [-1, 0, -2], [-1, 0, -1], [-2, 0, -1]]], float), Role.AXIS_X)
    with Stage.offscreen((1280, 960), theme) as stage:
        images = []
        for mark in ([], [arrow], [square]):
            stage.draw([wall, *mark], CAMERA)
            images.append(stage.image().astype(int))
    for image in images[1:]:
        changed = np.abs(image - images[0]).max(axis=-1) > 60
        inside = changed.copy()
        for way, axis in product((-2, -1, 1, 2), (0, 1)):
            inside &= np.roll(changed, way, axis)
        rim = changed & ~inside
        assert rim.sum() > 100
        assert (np.abs(image - theme.halo).max(axis=-1) <= 60)[rim].mean() > 0.3


# -- what one sees through ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mesh", [False, True])
def test_see_through_solids_keep_their_outline_and_show_what_is_behind(mesh: bool) -> None:
    behind = Solid.of(Sphere([[0, 3, 0]], 0.4), np.array([ShapeFlags.TOUCHING], np.uint8))
    before, through = picture(solids(), mesh=mesh), picture(solids(SeeThrough()), mesh=mesh)
    background = np.array(LIGHT.background)
    # Of each side of the box a quarter is left, and all of its outline.
    middle = np.s_[115:125, 255:265]
    solid = background - before[middle].astype(float).mean(axis=(0, 1))
    left = background - through[middle].astype(float).mean(axis=(0, 1))
    assert left[0] / solid[0] == pytest.approx(1.0 - 0.75**2, abs=0.08)
    # No pixel is left out: the middle is even.
    assert np.ptp(through[middle].astype(int), axis=(0, 1)).max() <= 2
    assert unlike(through, LIGHT.background) == pytest.approx(unlike(before, LIGHT.background), rel=0.02)
    # The ball behind the ball is seen.
    assert np.array_equal(picture([*solids(), behind], mesh=mesh), before)
    assert not np.array_equal(picture([*solids(SeeThrough()), behind], mesh=mesh), through)


def test_solids_turn_solid_again() -> None:
    with Stage.offscreen(SIZE) as stage:
        images = []
        for drawables in (solids(), solids(SeeThrough()), solids()):
            stage.draw(drawables, CAMERA)
            images.append(stage.image())
    assert np.array_equal(images[0], images[2])
    assert not np.array_equal(images[0], images[1])


@pytest.mark.parametrize("mesh", [False, True])
def test_the_nearer_covers_the_farther_in_each_pixel_whatever_is_drawn_first(mesh: bool) -> None:
    """Two balls, one of which collides, that enter each other: what is seen is no matter of their order."""
    pair = Sphere([[-0.3, 0, 0], [0.3, 0.2, 0]], 1.0)
    free, hit = np.array([0, ShapeFlags.HIT], np.uint8), np.array([ShapeFlags.HIT, 0], np.uint8)
    turned = Sphere(pair.center[::-1], 1.0)
    one = picture([SeeThrough(), Solid.of(pair, free)], mesh=mesh).astype(int)
    assert np.abs(one - picture([SeeThrough(), Solid.of(turned, hit)], mesh=mesh)).max() <= 2
    # To the left the free one is nearer, to the right the other: that is more red.
    left, right = (one[110:130, columns].mean(axis=(0, 1)) for columns in (slice(160, 168), slice(176, 182)))
    assert right[0] - right[2] > left[0] - left[2] + 10


@pytest.mark.parametrize("mesh", [False, True])
def test_what_is_faded_is_seen_through_and_the_others_are_not(mesh: bool) -> None:
    behind = Solid.of(Sphere([[0, 3, 0], [2.2, 3, 0]], 0.4), np.full(2, ShapeFlags.SELECTED, np.uint8))
    faded = [replace(s, flags=s.flags | np.uint8(ShapeFlags.FADED)) for s in solids() if isinstance(s, Solid)]
    ball, box = np.s_[118:122, 158:162], np.s_[118:122, 232:236]
    for veiled in ((True, False), (False, True), (False, False)):
        drawn = [two if hide else one for one, two, hide in zip(solids(), faded, veiled, strict=True)]
        image, without = (picture(some, mesh=mesh).astype(float) for some in ([*drawn, behind], drawn))
        assert [bool(np.abs(image[part] - without[part]).max() > 20) for part in (ball, box)] == list(veiled)


def test_a_capsule_that_one_sees_through_is_empty() -> None:
    rod = Solid.of(Capsule([[-1, 0, 0]], [[1, 0, 0]], 0.6), np.zeros(1, np.uint8))
    dark = []
    for mesh in (False, True):
        with Stage.offscreen(SIZE, mesh=mesh) as stage:
            stage.draw([SeeThrough(), rod], Camera((6, -6, 0)))
            image = stage.image().astype(int)
        # Within its outline no pixel has the full colour: the flat ends of its body are not drawn.
        inside = image[100:140, 130:190]
        dark.append(int((np.abs(inside - LIGHT.background).max(axis=-1) > 60).sum()))
    assert dark[1] == 0
    assert dark[0] < 200  # the outlines of the two balls at its ends


@pytest.mark.parametrize("mesh", [False, True])
def test_a_ghost_is_seen_and_seen_through(mesh: bool) -> None:
    without, ghost = picture(solids(), mesh=mesh), picture(solids(Ghost.of(Sphere([-2, 0, 0], 0.9))), mesh=mesh)
    differs = np.abs(ghost.astype(int) - without).max(axis=-1) > 4
    assert differs[:, :110].sum() > 1000
    assert not differs[:, 170:].any()
    with Stage.offscreen(SIZE, mesh=mesh) as stage:
        stage.draw(solids(Ghost.of(Sphere([-2, 0, 0], 0.9))), CAMERA)
        assert np.array_equal(stage.image(), ghost)
        stage.draw(solids(), CAMERA)
        assert np.array_equal(stage.image(), without)


def test_a_ghost_alone_is_in_the_picture_and_not_cut_off() -> None:
    image = picture([Ghost.of(Sphere([0, 0, 0], 1))])
    assert unlike(image, LIGHT.background) > 1000


@pytest.mark.parametrize("mesh", [False, True])
def test_a_ghost_goes_with_its_shape(mesh: bool) -> None:
    ghosts: list[list[Sphere | Capsule]] = [
        [Sphere([-2, 0, 0], 0.9)],
        [Sphere([-1.5, 0, 0.2], 0.9)],
        [Sphere([2, 0, 0], 0.4), Capsule([0, 0, 1], [1, 0, 1], 0.3)],
        [Sphere([-2, 0, 0], 0.9), Capsule([0, 1, 1], [1, 0, 1], 0.2)],
        [Capsule([0, 0, 1], [1, 0, 1], 0.3)],
        [],
        [Capsule([0, 0, 1], [1, 0, 1], 0.3)],
        [],
        [Capsule([0, 1, 1], [1, 0, 0], 0.2)],
        [Capsule([0, 40, 1], [1, 0, 0], 0.2)],
        [Sphere([0, 0, 2], 0.0)],
        [],
        [Sphere([0, 1, 2], 0.0)],
        [Sphere([0, 1, 2], 0.3)],
    ]
    with Stage.offscreen(SIZE, mesh=mesh) as stage:
        for number, shapes in enumerate(ghosts):
            drawn = solids(*map(Ghost.of, shapes))
            stage.draw(drawn, CAMERA)
            assert (number % 3 and not deep()) or np.array_equal(stage.image(), picture(drawn, mesh=mesh))


@pytest.mark.parametrize("mesh", [False, True])
def test_solids_that_come_back_are_those_that_are_drawn(mesh: bool) -> None:
    balls = Solid.of(Sphere([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]], 0.5), np.zeros(2, np.uint8))
    rod = Solid.of(Capsule([[0.0, 0.0, 0.0]], [[2.0, 0.0, 0.0]], 0.5), np.zeros(1, np.uint8))
    moved = Solid.of(Sphere([[0.0, 0.0, 0.0], [1.0, 0.0, 9.0]], [0.5, 0.7]), balls.flags)
    dot = Marker(np.array([[0.0, 0.0, 1.0]]), Role.CONTACT)
    thin = Solid.of(Sphere([[0.0, 0.0, 1.0]], 0.0), np.zeros(1, np.uint8))
    pictures: list[list[Drawable]] = [[balls], [dot], [balls], [], [moved, dot], [], [rod], [], [thin], [], [rod]]
    with Stage.offscreen(SIZE, mesh=mesh) as stage:
        for drawn in pictures:
            stage.draw(drawn, CAMERA)
            with Stage.offscreen(SIZE, mesh=mesh) as fresh:
                fresh.draw(drawn, CAMERA)
                assert np.array_equal(stage.image(), fresh.image())
                assert stage._solids.origin.tolist() == fresh._solids.origin.tolist()


# -- keys --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def bound() -> Iterator[App]:
    with Stage.offscreen(SIZE) as stage:
        yield App(Session(SCENE, size=SIZE), stage)


KEYS: dict[str, tuple[list[Key], Callable[[Session], object]]] = {
    "c": ([Key("c")], lambda s: s.settings.toggles.contacts),
    "v": ([Key("v")], lambda s: s.settings.toggles.normals),
    "m": ([Key("m")], lambda s: s.settings.toggles.distances),
    "o": ([Key("o")], lambda s: s.settings.toggles.boxes),
    "u": ([Key("u")], lambda s: s.settings.toggles.ghost),
    "w": ([Key("w")], lambda s: s.settings.toggles.see_through),
    "W": ([Key("W", shift=True)], lambda s: s.settings.toggles.shadows),
    "t": ([Key("t")], lambda s: s.settings.toggles.hud),
    "l": ([Key("l")], lambda s: s.settings.toggles.legend),
    "G": ([Key("G", shift=True)], lambda s: s.settings.toggles.grid),
    "n": ([Key("n")], lambda s: s.settings.toggles.labels),
    "theme": ([Key("T", shift=True)], lambda s: s.settings.theme.background),
    "margin": ([Key("plus", shift=True)], lambda s: s.settings.margin),
    "smaller margin": ([Key("minus")], lambda s: s.settings.margin),
    "margin, number pad": ([Key("KP_Add")], lambda s: s.settings.margin),
    "next pair": ([Key("bracketright")], lambda s: s.selection.pair),
    "previous pair": ([Key("bracketleft")], lambda s: s.selection.pair),
}


@pytest.mark.parametrize("name", KEYS)
def test_every_key_does_what_it_stands_for(bound: App, name: str) -> None:
    keys, value = KEYS[name]
    before, picture_before = value(bound.session), bound.stage.image()
    for key in keys:
        assert bound.stage.send("key", key)
    assert value(bound.session) != before
    if "margin" not in name and name not in ("u",):  # with nothing selected there is no ghost, and nothing near
        assert not np.array_equal(bound.stage.image(), picture_before)


def test_the_theme_of_the_window_is_that_of_the_session(bound: App) -> None:
    seen = []
    for _ in range(5):
        assert bound.stage.send("key", Key("T", shift=True))
        seen.append(tuple(bound.stage.image()[2, 160]))
        assert bound.stage.theme is bound.session.settings.theme
    assert seen[0] == DARK.background
    assert seen[3] == LIGHT.background
    assert seen[4] == seen[0]


# -- text and panels at all sizes --------------------------------------------------------------------------------------

CROWD = Scene(
    {f"a shape with a long name {k}": Sphere([1.9 * k, 0.1 * k * k, 0], 1) for k in range(30)},
    title="A scene with very many pairs",
    caption="Thirty balls in a row, each of which overlaps the one before it, and nothing else.",
)


@pytest.mark.parametrize("size", [(800, 600), (1280, 960), (3840, 2160)], ids=str)
def test_panels_leave_room_for_the_scene_with_everything_on(size: tuple[int, int]) -> None:
    with Stage.offscreen(size) as stage:
        session = Session(CROWD, size=size)
        for name in ("contacts", "normals", "distances", "boxes"):
            session.settings.toggle(name)
        session.selection.walk_pairs(1)
        session.cover(stage.covered(present(session)))
        drawables = present(session)
        rooms = stage.covered(drawables)
    covered = sum((room.right - room.left) * (room.top - room.bottom) for room in rooms)
    assert covered < 0.45
    # No panel reaches the pair that is looked at.
    assert session.selection.pair is not None
    ends = np.stack([session.scene[name].bounds().center for name in session.selection.pair])
    for x, y in session.viewport.project(ends)[0] / size:
        assert not any(room.left < x < room.right and room.bottom < y < room.top for room in rooms)
    (table,) = (d for d in drawables if isinstance(d, Panel) and d.corner == "upper-left")
    assert len(table.rows) <= 20


@pytest.mark.parametrize("size", [(500, 400), (640, 480), (1280, 960), (3840, 2160)], ids=str)
def test_the_help_and_the_commands_that_are_found_are_whole_whatever_the_size(size: tuple[int, int]) -> None:
    session = Session(SCENE, size=size)
    for key, ctrl in (("h", False), ("k", True)):
        session.key(key, ctrl=ctrl)
        panels = [d for d in present(session) if isinstance(d, Panel) and d.corner == "center"]
        (placed,) = place_panels(panels, Page(size, unit_of(size), LIGHT.font_size, Fonts().width)).panels
        assert not placed.is_cut
        texts = {run.text for run in placed.runs}
        assert {cell for row in panels[0].rows for cell in row.text.split("\t")} <= texts


@pytest.mark.parametrize("size", [(800, 600), (1280, 960), (3840, 2160)], ids=str)
def test_text_grows_with_the_picture_and_stays_legible(size: tuple[int, int]) -> None:
    session = Session(SCENE, size=size)
    panels = [d for d in present(session) if isinstance(d, Panel)]
    sheet = place_panels(panels, Page(size, unit_of(size), LIGHT.font_size, Fonts().width))
    heights = {run.size for panel in sheet.panels for run in panel.runs}
    assert min(heights) >= max(12.0, size[1] / 72)


@pytest.mark.filterwarnings("error")
def test_what_is_too_far_for_single_precision_is_no_error() -> None:
    picture([Solid.of(Sphere([[0, 0, 0], [1e200, 0, 0]], [1, 1e300]), np.zeros(2, np.uint8))])


# -- from inside -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parallel", [None, 4.0])
@pytest.mark.parametrize(
    "huge",
    [
        Sphere([0, 0, 0], 10),
        Capsule([0, 0, -12], [0, 0, 12], 8),
        Capsule([0, 0, 0], [0, 0, 12], 8),
        AABB([-9] * 3, [9] * 3),
    ],
    ids=["sphere", "capsule", "end of a capsule", "box"],
)
def test_from_inside_of_a_solid_one_sees_what_is_in_it(huge: Shape, parallel: float | None) -> None:
    camera = Camera((0, -4, -1), (0, 0, 0), parallel_height=parallel)
    inner = {"left": Sphere([-0.7, 0, 0], 0.4), "right": AABB([0.3, -0.4, -0.4], [1.1, 0.4, 0.4])}
    pictures = []
    with Stage.offscreen(SIZE) as stage:
        for scene in (Scene(inner), Scene({**inner, "huge": huge})):
            drawables = [drawable for drawable in present(Session(scene, size=SIZE)) if isinstance(drawable, Solid)]
            # Whoever is in a solid collides with it: only the colors are others.
            stage.draw([replace(one, flags=np.zeros_like(one.flags)) for one in drawables], camera)
            pictures.append(stage.image())
    assert unlike(pictures[0], LIGHT.background) > 1000
    assert (np.abs(pictures[0].astype(int) - pictures[1]).max(axis=-1) > 24).sum() < 30


@pytest.mark.parametrize(("count", "peels"), [(100, 4), (900, 2), (3000, 1)])
def test_the_more_shapes_are_seen_through_the_fewer_layers_are_sorted(count: int, peels: int) -> None:
    centers = np.random.default_rng(3).uniform(-2.0, 2.0, (count, 3))
    few = Solid.of(Sphere(centers, 0.1), np.where(np.arange(count) < 9, ShapeFlags.FADED, 0).astype(np.uint8))
    with Stage.offscreen(SIZE) as stage:
        for drawables, wanted in (([SeeThrough(), few], peels), ([few], 4)):
            stage.draw(drawables, Camera((6, -6, 4)))
            stage.prepare()
            assert stage.plotter.renderer.GetMaximumNumberOfPeels() == wanted
