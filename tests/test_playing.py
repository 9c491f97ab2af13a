"""A session that plays: time, the strip at the foot of the picture, and edits while a motion is there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from collision import AABB, Motion, OrientedBox, Point, Scene, Sphere
from collision.scenefile import load_scene
from tests.helpers import strip_of
from viewer.layout.page import Page
from viewer.layout.parts import Area
from viewer.layout.strip import Strip, place_strip
from viewer.picture.present import present
from viewer.picture.timeline import timeline_of, timeline_rows
from viewer.records.commands import Command
from viewer.records.drawables import Panel, Role, ShapeFlags, Timeline, TimelineRow, TimelineSpan
from viewer.records.events import Key, Pointer, Timer
from viewer.records.sizes import unit_of
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.stage.text.fonts import Fonts
from viewer.studio.app import App

FLY = Motion("ball", [0, 10], [[0, 0, 0], [10, 0, 0]])
SHAPES = {"ball": Sphere([0, 0, 0], 1), "post": Sphere([5, 0, 0], 1)}
SCENE = Scene(SHAPES, motion=[FLY], title="Flight")
SIZE = (800, 600)


def make(scene: Scene = SCENE) -> Session:
    return Session(scene, size=SIZE)


# -- time --------------------------------------------------------------------------------------------------------------


def test_it_begins_at_the_start_and_shows_the_scene_at_the_time() -> None:
    session = make(SCENE.replaced(motion=[Motion("ball", [2, 4], [[0, 0, 3], [0, 0, 5]])]))
    assert (session.time, session.player.playing) == (2.0, False)
    assert session.scene["ball"].center.tolist() == [0, 0, 3]
    session.player.scrub(3)
    assert session.scene["ball"].center.tolist() == [0, 0, 4]
    assert session.scene is session.scene  # made once for a time
    assert session.resting["ball"].center.tolist() == [0, 0, 0]
    assert session.resting.motion
    for time, wanted in ((-1, 2.0), (99, 4.0)):
        session.player.scrub(time)
        assert session.time == wanted


def test_time_passes_while_it_plays_and_only_then() -> None:
    session = make()
    assert not session.player.tick(0.5)
    session.player.play()
    assert session.player.playing
    revision = session.revision
    assert session.player.tick(0.5)
    assert session.revision > revision
    assert session.time == 0.5
    assert not session.player.tick(0.0)
    session.player.pause()
    assert not session.player.tick(0.5)
    assert session.time == 0.5


def test_speed_and_loop() -> None:
    session = make()
    session.player.play()
    session.player.change_speed(1)
    session.player.tick(1.0)
    assert (session.player.speed, session.time) == (2.0, 2.0)
    for _ in range(9):
        session.player.change_speed(-1)
    assert session.player.speed == 0.1
    session.player.scrub(9.5)
    session.player.change_speed(99)
    session.player.tick(0.1)
    assert session.time == pytest.approx(0.5)  # once around
    assert session.player.playing
    session.player.switch_loop()
    session.player.tick(5.0)
    assert (session.time, session.player.playing) == (10.0, False)
    session.player.play()  # from the start
    assert (session.time, session.player.playing) == (0.0, True)


def test_steps_and_jumps() -> None:
    session = make()
    session.player.play()
    session.player.step(1)
    assert not session.player.playing
    assert session.time == pytest.approx(1 / 24)
    session.player.step(-5)
    assert session.time == 0.0
    visited = []
    for _ in range(4):
        session.player.to_change(1)
        visited.append(session.time)
    assert visited == pytest.approx([3, 7, 10, 10])
    session.player.to_change(-1)
    assert session.time == pytest.approx(7)
    session.to_start()
    assert session.time == 0.0
    session.player.to_end()
    assert session.time == 10.0


@pytest.mark.parametrize("seconds", [-1.0, math.nan, math.inf])
def test_time_that_cannot_be_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="tick: seconds must be zero or more"):
        make().player.tick(seconds)
    if not math.isfinite(seconds):
        with pytest.raises(ValueError, match=r"scrub: time must be .*finite number"):
            make().player.scrub(seconds)


def test_without_a_motion_nothing_plays() -> None:
    session = make(Scene(SHAPES))
    assert session.scene is session.resting
    camera = session.viewport.camera
    for act in (session.player.play, session.player.pause, session.player.play_or_pause, session.player.to_end):
        act()
    session.player.step(3)
    session.player.to_change(1)
    session.to_start()  # frames everything, as Home does elsewhere
    assert (session.player.playing, timeline_of(session), session.player.touching) == (False, None, None)
    assert not session.player.tick(1.0)
    assert session.viewport.camera.target == pytest.approx(camera.target)


def test_keys() -> None:
    session = make()

    def press(symbol: str, **held: bool) -> None:
        assert session.key(symbol, **held)

    press("space")
    assert session.player.playing
    press("space")
    press("period")
    assert (session.player.playing, session.time) == (False, pytest.approx(1 / 24))
    press("comma")
    assert session.time == 0.0
    press("greater", shift=True)
    assert session.time == pytest.approx(3)
    press("period", shift=True)
    press("less", shift=True)
    press("comma", shift=True)
    assert session.time == 0.0
    press("period", ctrl=True)
    assert session.player.speed == 2.0
    press("comma", ctrl=True)
    assert session.player.speed == 1.0
    press("End")
    assert session.time == 10.0
    press("Home")
    assert session.time == 0.0
    press("l", ctrl=True)
    assert not session.player.loop


# -- edits -------------------------------------------------------------------------------------------------------------


def test_edits_change_the_scene_at_rest_and_what_is_seen_follows() -> None:
    session = make()
    session.player.scrub(5)
    assert len(session.scene.colliding_pairs()) == 1
    session.select("post")
    session.move_selection([0, 3, 0])
    assert session.time == 5.0
    assert session.resting["post"].center.tolist() == [5, 3, 0]
    assert session.scene["post"].center.tolist() == [5, 3, 0]
    assert not len(session.scene.colliding_pairs())
    assert not len(session.player.touching or ())
    session.select("ball")
    session.move_selection([0, 0, 1])
    assert session.resting["ball"].center.tolist() == [0, 0, 1]
    assert session.scene["ball"].center.tolist() == [5, 0, 1]
    session.undo()
    session.undo()
    assert session.resting == SCENE
    assert session.time == 5.0


def test_handles_are_only_on_what_stands_where_it_rests() -> None:
    session = make()
    session.select("ball")
    assert session.manipulation.tool.gizmo is not None
    session.player.scrub(5)
    assert session.manipulation.tool.gizmo is None
    assert session.manipulation.tool.gizmo is None
    session.select("post")
    assert session.manipulation.tool.gizmo is not None
    session.select("ball")
    session.to_start()
    assert session.manipulation.tool.gizmo is not None


def test_what_moves_just_now_says_so_and_every_command_changes_how_it_rests() -> None:
    for command in (
        lambda s: s.move_selection([0, 0, 1]),
        lambda s: [s.key(key) for key in ("g", "z", "1", "Return")],
        lambda s: [s.key(key) for key in ("g", "Tab", "Tab", "1", "Return")],
    ):
        session = make()
        session.select("ball")
        session.player.scrub(5)
        camera, rest = session.viewport.camera, session.resting
        where = ("moving just now; Home goes to where it rests", "no handles here: keys change how it rests")
        assert session.manipulation.tool.status == where
        command(session)
        assert session.resting["ball"].center.tolist() == [0, 0, 1]
        assert session.scene["ball"].center.tolist() == [5, 0, 1]
        assert session.viewport.camera == camera
        assert session.manipulation.tool.status == where
        session.undo()
        assert session.resting == rest
    for command, radius in (
        (lambda s: s.resize_selection("radius", 2), 2),
        (lambda s: s.scale_selection(3), 3),
        (lambda s: [s.key(key) for key in ("s", "4", "Return")], 4),
    ):
        command(session)
        assert session.resting["ball"].radius == radius
        session.undo()
    session.key("Up")
    assert session.resting["ball"] != rest["ball"]
    session.key("Home")
    assert session.manipulation.tool.gizmo is not None
    assert session.manipulation.tool.status == ("size",)


def test_a_phrase_for_what_moves_says_what_it_changes_and_draws_no_handles() -> None:
    session = make()
    session.select("ball")
    session.player.scrub(5)
    session.key("g")
    session.key("z")
    session.key("1")
    note = "no handles here: keys change how it rests"
    assert session.manipulation.tool.status == ("move along z", "z\t1\N{LEFT ONE QUARTER BLOCK}", note)
    assert session.manipulation.tool.gizmo is None
    assert session.manipulation.tool.gizmo is None
    present(session)
    session.key("Escape")
    session.key("r")
    assert session.notice == "a sphere is the same from all sides: there is nothing to turn"


def test_a_phrase_for_what_moves_can_follow_its_own_axes() -> None:
    turned = OrientedBox([0, 0, 0], [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [1, 1, 1])
    session = make(Scene({"ball": turned}, motion=[FLY]))
    session.select("ball")
    session.player.scrub(5)
    for key in ("g", "x", "x", "2"):
        session.key(key)
    assert session.manipulation.tool.status[0] == "move along local x"
    session.key("Return")
    assert session.resting["ball"].center.tolist() == [0, 2, 0]
    assert session.manipulation.tool.axes == "world"


def test_what_rests_at_neither_end_says_so() -> None:
    never = Motion("ball", [0, 10], [[1, 0, 0], [2, 0, 0]])
    session = make(Scene({"ball": Sphere([0, 0, 0], 1)}, motion=[never]))
    session.select("ball")
    assert session.manipulation.tool.status[0] == "moving, and at neither end where it rests"
    ends = make(Scene({"ball": Sphere([0, 0, 0], 1)}, motion=[Motion("ball", [0, 10], [[1, 0, 0], [0, 0, 0]])]))
    ends.select("ball")
    assert ends.manipulation.tool.status[0] == "moving just now; End goes to where it rests"


def test_without_a_motion_its_keys_say_so() -> None:
    session = make(Scene({"ball": Sphere([0, 0, 0], 1)}))
    for symbol, shift in (("space", False), ("comma", False), ("period", False), ("greater", True), ("End", False)):
        session.key(symbol, shift=shift)
        assert session.notice == "this scene has no motion", symbol
        assert not session.player.playing
        assert session.time == 0.0


def test_a_click_selects_what_is_seen_there() -> None:
    session = make(Scene({"ball": Sphere([0, 0, 0], 1), "flag": Point([0, 0, 9])}, motion=[FLY]))
    for time in (0.0, 8.0):
        session.player.scrub(time)
        (x, y), _ = (part.ravel() for part in session.viewport.project([[time, 0, 0]]))
        assert session.selection.click(x, y) == "ball"
        session.deselect()


def test_while_something_is_in_hand_time_stands_still() -> None:
    session = make()
    session.select("post")
    session.player.play()
    gizmo = session.manipulation.tool.gizmo
    assert gizmo is not None
    view = session.viewport
    handles = [(x, y) for x in range(0, 800, 16) for y in range(150, 600, 16) if gizmo.hit(view, x, y)]
    x, y = handles[0]
    assert session.press(x, y)
    before = session.player.touching
    assert not session.player.tick(1.0)
    session.move(x + 60, y + 40)
    assert session.player.touching is before  # found anew once it is let go
    session.release(x + 60, y + 40)
    assert session.player.touching is not before
    assert session.player.tick(1.0)


def test_deleting_what_moves_ends_the_motion() -> None:
    session = make()
    session.player.scrub(5)
    session.player.play()
    session.select("ball")
    session.delete()
    assert (session.resting.motion, session.player.playing, timeline_of(session)) == ((), False, None)
    session.undo()
    assert session.time == 5.0
    assert session.scene["ball"].center.tolist() == [5, 0, 0]


def test_the_ground_lies_under_the_whole_motion() -> None:
    scene = Scene({"ball": Sphere([0, 0, 0], 1)}, motion=[Motion("ball", [0, 1, 2], [[0, 0, 0], [0, 0, 9], [4, 0, 0]])])
    assert make(scene).document.extent == AABB([-1, -1, -1], [5, 1, 10])


def test_what_is_saved_is_the_scene_at_rest(tmp_path: Any) -> None:
    path = tmp_path / "flight.toml"
    session = make()
    session.player.scrub(5)
    session.file.save_as(path)
    assert load_scene(path) == SCENE


# -- scenes that come --------------------------------------------------------------------------------------------------


def coming(count: int, taken: list[int]) -> Iterator[Scene]:
    for number in range(count):
        taken.append(number)
        yield Scene({"ball": Sphere([number, 0, 0], 1)})


def test_scenes_that_come_are_shown_at_their_pace() -> None:
    session, taken = make(Scene(SHAPES)), []
    session.player.follow(coming(10, taken), fps=10)
    assert session.player.playing
    assert not session.player.tick(0.05)
    assert session.player.tick(0.05)
    assert session.scene["ball"].center.tolist() == [0, 0, 0]
    session.player.tick(0.2)
    assert session.scene["ball"].center.tolist() == [2, 0, 0]
    session.player.pause()
    assert not session.player.tick(5.0)
    session.player.step(1)
    assert session.scene["ball"].center.tolist() == [3, 0, 0]
    session.player.play()
    session.player.tick(100.0)  # what is long overdue is not made up for at once
    assert taken == list(range(8))
    session.player.tick(0.4)
    assert (session.player.playing, len(taken)) == (False, 10)
    assert session.scene["ball"].center.tolist() == [9, 0, 0]
    session.undo()
    assert session.scene["ball"].center.tolist() == [9, 0, 0]  # the history does not know of them


def test_scenes_that_come_do_not_end_a_phrase_that_is_refused() -> None:
    session = make(Scene(SHAPES))
    session.player.follow(coming(10, []), fps=10)
    session.select("ball")
    session.key("r")
    session.player.tick(0.1)
    camera = session.viewport.camera
    assert session.key("z")
    assert session.viewport.camera == camera


def test_what_is_selected_stays_so_among_scenes_that_come_while_it_is_there() -> None:
    session = make(Scene(SHAPES))
    session.select_many(["ball", "post"])
    session.player.follow([Scene({"ball": Sphere([9, 0, 0], 1)})], fps=10)
    session.player.tick(0.1)
    assert session.selected == ("ball",)


@pytest.mark.parametrize("fps", [0.0, -1.0, math.nan, 1e6])
def test_a_pace_that_cannot_be_is_refused(fps: float) -> None:
    with pytest.raises(ValueError, match="fps must be above 0 and at most 1000"):
        make().player.follow([], fps)


# -- the strip ---------------------------------------------------------------------------------------------------------


def test_the_strip_says_when_what_touches() -> None:
    session = make()
    session.player.scrub(4)
    timeline = timeline_of(session)
    assert timeline is not None
    assert (timeline.start, timeline.stop, timeline.time) == (0.0, 10.0, 4.0)
    assert timeline.merged == (TimelineSpan(3.0, 7.0),)
    showing = Command("selection.show_pair", "ball", "post")
    assert timeline.rows == (TimelineRow(("ball", "post"), (TimelineSpan(3.0, 7.0),), showing),)
    assert timeline.more == 0
    assert timeline in present(session)
    session.settings.toggle("hud")
    assert not any(isinstance(drawable, Timeline) for drawable in present(session))


def test_what_only_touches_has_its_own_look_on_the_strip() -> None:
    """A crate slides over a floor, through a post, and comes to rest at a wall."""
    shapes = {
        "floor": AABB([-2, -2, -1], [20, 2, 0]),
        "crate": AABB([0, -1, 0], [2, 1, 2]),
        "post": Sphere([6, 0, 1], 0.5),
        "wall": AABB([12, -2, 0], [13, 2, 3]),
    }
    slide = Motion("crate", [0, 10], [[0, 0, 0], [10, 0, 0]])
    session = make(Scene(shapes, motion=[slide], ignored=[("floor", "wall")]))
    timeline = timeline_of(session)
    assert timeline is not None
    rows = {row.pair: row.intervals for row in timeline.rows}
    assert rows["floor", "crate"] == (TimelineSpan(0.0, 10.0, True),)
    assert rows["crate", "post"] == (TimelineSpan(3.5, 6.5),)
    assert rows["crate", "wall"] == (TimelineSpan(10.0, 10.0, True),)
    assert timeline.merged == (TimelineSpan(0.0, 10.0, True), TimelineSpan(3.5, 6.5))
    page = Page(SIZE, unit_of(SIZE), session.settings.theme.font_size, Fonts().width)
    placed = place_strip(strip_of(session), page)
    bars = [shape.ink for shape in placed.part.shapes if isinstance(shape, Area)]
    assert bars.count(Role.TOUCHING) == 1  # a moment is a line
    assert bars.count(ShapeFlags.TOUCHING) == 2
    assert bars.count(ShapeFlags.HIT) == 2


@pytest.mark.parametrize("last", ["Return", "Escape"])
def test_while_an_edit_is_in_hand_the_strip_has_no_touches_and_is_as_high(last: str) -> None:
    session = make()
    session.select("post")
    before, plate = timeline_of(session), strip_of(session).plate
    assert before is not None
    session.key("g")
    session.key("y")
    waiting = timeline_of(session)
    assert waiting is not None
    assert (waiting.merged, [row[:2] for row in waiting.rows]) == (before.merged, [row[:2] for row in before.rows])
    session.key("1")
    assert session.pending
    timeline = timeline_of(session)
    assert timeline is not None
    assert (timeline.merged, timeline.rows, timeline.more) == ((), (), 0)
    assert (timeline.start, timeline.stop, timeline.time) == (before.start, before.stop, before.time)
    assert strip_of(session).plate == plate
    session.key(last)
    after = timeline_of(session)
    assert after is not None
    assert [row.pair for row in after.rows] == [("ball", "post")]
    assert (after == before) == (last == "Escape")
    assert strip_of(session).plate == plate


def test_pairs_that_touch_all_the_time_come_last_and_the_others_by_time() -> None:
    posts = {f"post {x}": Sphere([x, 0, 0], 0.5) for x in (8, 4, 6)}
    scene = Scene({"floor": AABB([0, 0, -9], [9, 9, -0.5]), **posts, "ball": Sphere([0, 0, 0], 1)}, motion=[FLY])
    session = make(scene)
    found = session.player.touching
    assert found is not None
    only = np.zeros(len(found), dtype=bool)
    rows, more = timeline_rows(scene, found, only, 9)
    names = [" – ".join(row.pair) for row in rows]
    assert names[0] == "floor – ball"
    assert names[1:4] == ["post 4 – ball", "post 6 – ball", "post 8 – ball"]
    assert set(names[4:]) == {"floor – post 8", "floor – post 4", "floor – post 6"}
    assert more == 0
    rows, more = timeline_rows(scene, found, only, 2)
    assert ([" – ".join(row.pair) for row in rows], more) == (names[:2], 5)
    assert len(timeline_rows(scene, found, only, 6)[0]) == 7  # a row that says "and 1 more" would take as much room


@pytest.fixture
def app() -> Iterator[App]:
    with Stage.offscreen(SIZE) as stage:
        yield App(Session(SCENE, size=stage.size), stage)


def test_the_mouse_scrubs_on_the_strip_and_nowhere_else(app: App) -> None:
    session, send = app.session, app.stage.send
    session.select("post")
    strip = strip_of(session)
    y = strip.plate.y + 0.5 * strip.plate.height
    session.player.play()
    app.refresh()
    assert send("press", Pointer(strip.x_of(2.5), y, "left"))
    assert session.time == pytest.approx(2.5)
    assert not session.player.tick(1.0)  # held
    assert send("move", Pointer(strip.x_of(6.0), y + 300, "left"))  # wherever the mouse is, until it is let go
    assert session.time == pytest.approx(6.0)
    assert send("move", Pointer(-50, y, "left"))
    assert session.time == 0.0
    send("release", Pointer(-50, y, "left"))
    assert session.player.playing
    assert session.player.tick(0.5)
    assert session.document.active == "post"
    before = session.time
    send("press", Pointer(strip.x_of(2.5), strip.plate.y + strip.plate.height + 40, "left"))
    assert session.time == before


def test_a_question_keeps_the_mouse_from_the_strip_and_so_does_what_is_in_hand(app: App) -> None:
    session, send = app.session, app.stage.send
    strip = strip_of(session)
    x, y = strip.x_of(2.5), strip.plate.y + 0.5 * strip.plate.height
    session.dialog.ask_save_as()
    app.refresh()
    send("press", Pointer(x, y, "left"))
    send("release", Pointer(x, y, "left"))
    assert (session.time, session.prompt is None) == (0.0, False)
    session.dialog.dismiss()
    session.select("post")
    session.key("g")
    app.refresh()
    send("press", Pointer(x, y, "left"))
    send("release", Pointer(x, y, "left"))
    assert (session.time, session.pending) == (0.0, True)
    session.key("Escape")
    app.refresh()
    send("press", Pointer(x, y, "left"))
    send("release", Pointer(x, y, "left"))
    assert session.time == pytest.approx(2.5)


@pytest.mark.parametrize("size", [(320, 240), (800, 600), (1280, 960), (3840, 2160)])
def test_the_strip_fits_into_the_picture_and_nothing_else_covers_it(size: tuple[int, int]) -> None:
    names = [f"a shape with a rather long name {k}" for k in range(8)]
    shapes = {name: Sphere([k + 1, 0, 0], 0.3) for k, name in enumerate(names)}
    scene = Scene({"ball": Sphere([0, 0, 0], 1), **shapes}, motion=[FLY], title="Long", caption="Words. " * 20)
    with Stage.offscreen(size) as stage:
        session = Session(scene, size=stage.size)
        drawables = present(session)
        (timeline,) = (drawable for drawable in drawables if isinstance(drawable, Timeline))
        page = Page(size, unit_of(size), session.settings.theme.font_size, Fonts().width)
        strip = Strip.of(timeline, page)
        placed = place_strip(strip, page)
        rooms = stage.covered(drawables)
    assert 0 < strip.plate.x < strip.track.x < strip.track.x + strip.track.width < size[0] - strip.plate.x
    assert strip.plate.height < 0.4 * size[1]
    for text, ink in placed.part.texts:
        width = Fonts().width(text.text, text.size, text.bold)
        assert strip.plate.covers(text.x, text.y)
        assert strip.plate.covers(text.x + width - 1, text.y + 0.7 * text.size)
        if ink != "faint":
            assert text.x + width <= strip.track.x
    *others, own = rooms
    assert own.left == pytest.approx(strip.plate.x / size[0], abs=0.01)
    assert len(others) >= 2
    assert all(room.bottom >= own.top for room in others)


def test_shapes_are_framed_above_the_strip() -> None:
    scene = Scene(SHAPES | {"tall": AABB([4, -1, -6], [6, 1, 6])}, motion=[FLY])
    with Stage.offscreen(SIZE) as stage:
        session = Session(scene, size=stage.size)
        session.cover(stage.covered(present(session)))
        plate = strip_of(session).plate
    for x in (4, 6):
        for y in (-1, 1):
            pixels, _ = session.viewport.project([[x, y, -6]])
            assert pixels[0, 1] > plate.y + plate.height


def test_the_picture_has_the_bars_the_playhead_and_the_names() -> None:
    def image(time: float) -> np.ndarray:
        with Stage.offscreen(SIZE) as stage:
            session = Session(SCENE, size=stage.size)
            session.player.scrub(time)
            stage.draw(present(session), session.viewport.camera)
            return stage.image().astype(int)

    strip = strip_of(make())
    picture = image(5.0)
    row = picture[round(SIZE[1] - (strip.track.y + strip.track.height - 0.5 * strip.line))]
    red = (row[:, 0] > 180) & (row[:, 1] < 110)
    reds = np.flatnonzero(red)
    assert reds.min() == pytest.approx(strip.x_of(3.0), abs=2)
    assert reds.max() == pytest.approx(strip.x_of(7.0), abs=4)  # it may end in a stripe
    for time, seen in ((5.0, picture), (2.0, image(2.0))):
        x = round(strip.x_of(time))
        assert np.count_nonzero(seen[:, x - 1 : x + 2].max(axis=2).min(axis=1) < 90) > 0.6 * strip.track.height
    names = picture[round(SIZE[1] - strip.plate.y - strip.plate.height) : SIZE[1] - 16, 16 : round(strip.track.x)]
    assert np.count_nonzero(names.max(axis=2) < 120) > 100


def test_help_stands_above_the_strip_or_over_it_but_never_outside() -> None:
    with Stage.offscreen(SIZE) as stage:
        session = Session(SCENE, size=stage.size)
        session.settings.toggle("help")
        drawables = present(session)
        assert any(isinstance(panel, Panel) and panel.corner == "center" for panel in drawables)
        stage.draw(drawables, session.viewport.camera)
        stage.image()


# -- the window --------------------------------------------------------------------------------------------------------


class Clock:
    """A clock that is set."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("viewer.studio.app.monotonic", clock)
    return clock


def test_the_window_wakes_while_it_plays_and_sleeps_while_it_does_not(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Stage.offscreen(SIZE) as stage:
        asked: list[int] = []
        monkeypatch.setattr(stage, "wake_in", asked.append)
        session = Session(SCENE, size=stage.size)
        App(session, stage)
        stage.send("move", Pointer(5.0, 5.0))
        assert asked == []
        stage.send("key", Key("space"))
        assert len(asked) == 1
        clock.now += 0.25
        stage.send("timer", Timer())
        assert session.time == pytest.approx(0.25)
        assert len(asked) == 2
        clock.now += 0.5
        stage.send("timer", Timer())
        assert session.time == pytest.approx(0.75)
        stage.send("key", Key("space"))
        assert len(asked) == 3
        clock.now += 9.0
        stage.send("timer", Timer())  # one that was due already
        assert session.time == pytest.approx(0.75)
        assert len(asked) == 3
        stage.send("key", Key("space"))  # the time that it stood still does not count
        clock.now += 0.25
        stage.send("timer", Timer())
        assert session.time == pytest.approx(1.0)


def test_boxes_that_turn_are_seen_turned() -> None:
    spin = Motion("box", [0, 1], rotations=[[0, 0, 0, 1], [0, 0, 1, 1]])
    session = make(Scene({"box": OrientedBox([0, 0, 0], np.eye(3), [2, 1, 1])}, motion=[spin]))
    session.player.scrub(1)
    assert session.scene["box"].bounds().half_extents == pytest.approx([1, 2, 1])


@pytest.mark.parametrize("size", [(800, 600), (1280, 960), (3840, 2160)])
def test_the_strip_says_in_words_whether_it_plays(size: tuple[int, int]) -> None:
    with Stage.offscreen(size) as stage:
        session = Session(SCENE, size=stage.size)
        session.player.scrub(2.5)
        session.player.change_speed(-2)

        def said() -> str:
            page = Page(size, unit_of(size), session.settings.theme.font_size, Fonts().width)
            return place_strip(strip_of(session), page).runs[0].text

        assert said() == "paused 2.5 s × 0.25 ↻"
        session.player.play()
        assert said() == "playing 2.5 s × 0.25 ↻"


def test_a_motion_is_drawn_in_haste_while_it_plays_and_whole_when_it_pauses() -> None:
    with Stage.offscreen((320, 240)) as stage:
        stage.smooth, stage._waits = True, True  # as in a window that the processor draws
        app = App(Session(SCENE, size=(320, 240)), stage)
        smoothed = stage._overlay.GetUseFXAA
        app.refresh()
        stage.render()
        assert smoothed()
        app.session.player.play()
        app.refresh()
        assert not smoothed()
        app.session.player.pause()
        app.refresh()
        assert smoothed()
