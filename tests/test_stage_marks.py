"""Marks as wide, as long and as broken as they should be in the picture; and how the camera moves."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collision import AABB, Camera, Sphere
from tests.drawing import picture_of
from viewer.camera.camera import Viewport
from viewer.camera.navigation import ZOOM, orbit, pan, zoom
from viewer.camera.outline import corners
from viewer.records.drawables import Arrow, Drawable, Marker, Patch, Role, Solid, Stroke
from viewer.records.theme import LIGHT
from viewer.stage.extent import bounds_of, clipping_range, origin_in
from viewer.stage.marks import clipped
from viewer.stage.solids.kinds import corners_of, sort_solids
from viewer.stage.stage import Stage

SIZE = (640, 480)
FLOATS = npt.NDArray[np.float64]

PERSPECTIVE = Viewport(Camera((4.0, -5.0, 3.0), view_angle=40.0), SIZE)
PARALLEL = Viewport(Camera((4.0, -5.0, 3.0), parallel_height=6.0), SIZE)
DOWN = Viewport(Camera((0.0, 0.0, 10.0), up=(0.0, 1.0, 0.0)), SIZE)
VIEWS = [PERSPECTIVE, PARALLEL, DOWN]
views = pytest.mark.parametrize("view", VIEWS, ids=["perspective", "parallel", "down"])

coordinates = st.floats(-50, 50)
points = st.tuples(coordinates, coordinates, coordinates)


def pixels_of(view: Viewport, role: Role, *drawables: Drawable) -> FLOATS:
    """Return the pixels of a picture in the colour of a role, (n, 2), from its lower left corner."""
    image = picture_of(drawables, view.camera, view.size)
    rows, columns = np.nonzero(np.abs(image - LIGHT.styles[role].color).max(axis=2) < 12)
    return np.column_stack([columns + 0.5, view.size[1] - rows - 0.5])


def across(found: FLOATS, start: FLOATS, end: FLOATS) -> tuple[FLOATS, FLOATS]:
    """Return how far pixels are along a line in the picture, and beside it."""
    line = (end - start) / np.linalg.norm(end - start)
    off = found - start
    return off @ line, off @ np.array([line[1], -line[0]])


def in_picture(points: FLOATS, view: Viewport) -> npt.NDArray[np.bool_]:
    pixels, depth = view.project(points)
    inside = (pixels >= 0.0) & (pixels <= view.size)
    return np.asarray(inside.all(axis=1) & (depth > 0.01))


@views
@given(points, points)
def test_clipping_keeps_all_that_is_in_the_picture(
    view: Viewport, start: tuple[float, ...], end: tuple[float, ...]
) -> None:
    a, b = np.array([start]), np.array([end])
    pieces, inside = clipped(np.stack([a, b], axis=1), view)
    first, last = pieces[:, 0], pieces[:, 1]
    samples = a + np.linspace(0.0, 1.0, 400)[:, None] * (b - a)
    seen = samples[in_picture(samples, view)]
    if not inside.any():
        assert not len(seen)
        return
    along = last[0] - first[0]
    length = float(along @ along)
    if length:
        rate = (seen - first[0]) @ along / length
        assert ((rate > -1e-9) & (rate < 1.0 + 1e-9)).all()
    pixels, depth = view.project(np.stack([first[0], last[0]]))
    assert (depth > 0.0).all()
    assert (pixels >= np.multiply(view.size, -0.06)).all()
    assert (pixels <= np.multiply(view.size, 1.06)).all()


@views
def test_a_stroke_is_as_wide_at_both_ends(view: Viewport) -> None:
    start, end = np.array([[-1.0, -1.0, 0.0]]), np.array([[0.5, 1.0, 0.5]])
    ends = view.project(np.concatenate([start, end]))[0]
    found = pixels_of(view, Role.NORMAL, Stroke(start, end, Role.NORMAL))
    along, beside = across(found, *ends)
    length = float(np.linalg.norm(ends[1] - ends[0]))
    assert -2.0 < along.min() < 2.0
    assert along.max() == pytest.approx(length, abs=2.0)
    sides = [np.ptp(beside[(along > at * length) & (along < (at + 0.2) * length)]) for at in (0.05, 0.75)]
    assert sides[0] == pytest.approx(sides[1], abs=1.1)


def test_a_stroke_is_as_wide_as_its_style_in_a_large_picture() -> None:
    view = Viewport(PARALLEL.camera, (2560, 1920))
    start, end = -view.right, view.right
    found = pixels_of(view, Role.NORMAL, Stroke(start[None], end[None], Role.NORMAL))
    assert np.ptp(found[:, 1]) + 1.0 == pytest.approx(2.0 * LIGHT.styles[Role.NORMAL].width, abs=1.5)


@views
def test_a_stroke_goes_on_to_the_edge_of_the_picture_when_it_ends_behind_the_eye(view: Viewport) -> None:
    target, aside = np.array(view.camera.target), 0.3 * view.right
    stroke = Stroke((target + aside)[None], (view.eye - 9.0 * view.forward + 0.5 * view.up)[None], Role.NORMAL)
    straight = Stroke((target + aside - 0.4 * view.right)[None], (target + 1e7 * view.up)[None], Role.WITNESS)
    if view.camera.parallel_height is None:
        assert pixels_of(view, Role.NORMAL, stroke)[:, 1].max() > 470.0
    assert pixels_of(view, Role.WITNESS, straight)[:, 1].max() > 470.0


@views
def test_a_stroke_seen_end_on_is_no_error(view: Viewport) -> None:
    eye = view.eye
    stroke = Stroke(np.array([0.5 * eye]), np.array([0.25 * eye]), Role.FREE)
    pixels_of(view, Role.FREE, stroke, Stroke(np.zeros((1, 3)), np.zeros((1, 3)), Role.EXTENSION))


def runs(found: FLOATS, ends: FLOATS) -> FLOATS:
    """Return where the dashes of a line begin, and how long they are, in pixels."""
    along = np.unique(across(found, *ends)[0].round())
    breaks = np.flatnonzero(np.diff(along) > 2.0)
    first, last = along[np.concatenate([[0], breaks + 1])], along[np.concatenate([breaks, [-1]])]
    return np.column_stack([first, last - first])


@views
def test_dashes_are_even_in_the_picture(view: Viewport) -> None:
    start, end = np.array([[-1.5, -1.5, 0.0]]), np.array([[1.0, 1.5, 0.5]])
    ends = view.project(np.concatenate([start, end]))[0]
    found = runs(pixels_of(view, Role.KEPT, Stroke(start, end, Role.KEPT)), ends)
    assert len(found) > 8
    assert np.ptp(found[:, 1]) <= 3.0
    assert np.ptp(np.diff(found[:, 0])) <= 3.0
    # A whole dash is at both ends.
    assert found[0, 0] == pytest.approx(0.0, abs=2.0)
    assert found[-1].sum() == pytest.approx(np.linalg.norm(ends[1] - ends[0]), abs=3.0)


@pytest.mark.parametrize("count", [3, 48, 600])
def test_dashes_run_on_along_a_curve(count: int) -> None:
    angle = 2.0 * np.pi * np.arange(count + 1) / count
    curve = np.column_stack([np.cos(angle), np.sin(angle), 0.0 * angle])
    broken = len(pixels_of(DOWN, Role.KEPT, Stroke(curve[:-1], curve[1:], Role.KEPT)))
    whole = len(pixels_of(DOWN, Role.NEAREST, Stroke(curve[:-1], curve[1:], Role.NEAREST)))
    wider = LIGHT.styles[Role.KEPT].width / LIGHT.styles[Role.NEAREST].width
    assert broken / whole / wider == pytest.approx(0.6, abs=0.12)


def test_dashes_of_a_line_without_end_are_as_long_as_others() -> None:
    start, end = np.array([[-1e9, 0.0, 0.0]]), np.array([[1e9, 0.0, 0.0]])
    found = runs(pixels_of(DOWN, Role.KEPT, Stroke(start, end, Role.KEPT)), np.array([[0.0, 240.0], [640.0, 240.0]]))
    assert 30 < len(found) < 90
    assert np.ptp(found[1:-1, 1]) <= 2.0


@views
def test_a_dot_is_round_and_as_large_anywhere(view: Viewport) -> None:
    places = np.array([[0.0, 0.0, 0.0], [1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]])
    found = pixels_of(view, Role.HANDLE, Marker(places, Role.HANDLE))
    radius = 0.5 * 0.8 * LIGHT.styles[Role.HANDLE].size
    for place in view.project(places)[0]:
        off = np.linalg.norm(found - place, axis=1)
        assert off[off < 12.0].max() == pytest.approx(radius, abs=1.2)
        assert np.count_nonzero(off < 12.0) == pytest.approx(np.pi * (radius - 0.5) ** 2, rel=0.2)


@views
def test_an_arrow_ends_at_its_end(view: Viewport) -> None:
    start, end = np.array([[-1.0, 0.0, 0.0]]), np.array([[1.0, 0.5, 0.5]])
    ends = view.project(np.concatenate([start, end]))[0]
    found = pixels_of(view, Role.NORMAL, Arrow(start, end, Role.NORMAL))
    along, _ = across(found, *ends)
    assert along.min() == pytest.approx(0.0, abs=2.0)
    with Stage.offscreen(view.size) as stage:
        stage.draw([Arrow(start, end, Role.NORMAL)], view.camera)
        image = stage.image().astype(int)
    rows, columns = np.nonzero((image[..., 2] - image[..., 1] > 50) & (image[..., 2] > image[..., 0]))
    all_of_it, beside = across(np.column_stack([columns + 0.5, view.size[1] - rows - 0.5]), *ends)
    length = float(np.linalg.norm(ends[1] - ends[0]))
    assert all_of_it.max() == pytest.approx(length, abs=2.5)
    assert 6.0 < np.ptp(beside[all_of_it > length - 20.0]) < 14.0  # the head


def test_what_is_about_a_point_is_as_long_in_every_picture() -> None:
    end = np.array([[0.0, 60.0, 0.0]])
    lengths = []
    for far in (4.0, 10.0):
        with Stage.offscreen(SIZE) as stage:  # the same record, from near and from far
            stage.draw([Stroke(0.0 * end, end, Role.NORMAL, about=np.zeros((1, 3)))], DOWN.camera)
            stage.camera = Camera((0.0, 0.0, far), up=(0.0, 1.0, 0.0))
            image = stage.image().astype(int)
        rows = np.flatnonzero((np.abs(image - LIGHT.styles[Role.NORMAL].color).max(axis=2) < 12).any(axis=1))
        lengths.append(np.ptp(rows))
    assert lengths == pytest.approx([60.0, 60.0], abs=2.0)


def test_ends_without_a_start_are_refused() -> None:
    with pytest.raises(ValueError, match="got 2 ends of 1 lines"):
        pixels_of(PERSPECTIVE, Role.FREE, Stroke(np.zeros((1, 3)), np.zeros((2, 3)), Role.FREE))


@views
def test_what_has_no_place_is_left_out(view: Viewport) -> None:
    nowhere = np.full((1, 3), np.nan)
    behind = np.array([3.0 * view.eye])
    marks: list[Drawable] = [
        Marker(np.concatenate([nowhere, behind]), Role.CONTACT),
        Stroke(np.concatenate([nowhere, behind]), np.concatenate([behind, behind]), Role.WITNESS),
        Arrow(np.concatenate([nowhere, behind, behind]), np.concatenate([behind, behind, behind]), Role.NORMAL),
        Patch(np.stack([np.tile(nowhere, (4, 1)), np.tile(behind, (4, 1))]), Role.AXIS_X),
    ]
    for role in (Role.CONTACT, Role.WITNESS, Role.NORMAL, Role.AXIS_X):
        assert not len(pixels_of(view, role, *marks))


@views
def test_later_marks_lie_over_earlier_ones_and_over_solids(view: Viewport) -> None:
    place = np.array([[0.2, 0.1, 0.0]])
    roles = (Role.CONTACT, Role.NEAREST, Role.FOOT)
    marks = [Marker(place, role) for role in roles]
    wall = Solid.of(Sphere(0.5 * view.eye[None], 0.3), np.zeros(1, np.uint8))
    assert [len(pixels_of(view, role, wall, *marks)) > 40 for role in roles] == [False, False, True]


def test_what_solids_hide_of_points_and_lines_shows_through() -> None:
    wall = Solid.of(AABB([[-9.0, -9.0, 2.0]], [[9.0, 9.0, 3.0]]), np.zeros(1, np.uint8))
    stroke = Stroke(np.array([[-1.0, 0.0, 0.0]]), np.array([[1.0, 0.0, 0.0]]), Role.HIT)
    with Stage.offscreen(SIZE) as stage:
        stage.draw([wall], DOWN.camera)
        bare = stage.image().astype(int)
        stage.draw([wall, stroke])
        red = np.abs(stage.image() - bare)[238:243, 300:340].max()
    assert 40 < red < 160  # neither plain nor gone


def test_only_dashes_and_very_long_lines_are_made_anew_for_another_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    for role, far, anew in ((Role.NORMAL, 1.0, False), (Role.KEPT, 1.0, True), (Role.NORMAL, 1e6, True)):
        with Stage.offscreen((160, 120)) as stage:
            stage.draw([Stroke(np.zeros((1, 3)), np.array([[far, 0.0, 0.0]]), role)], DOWN.camera)
            stage.render()
            assert stage._marks.follow == anew


NOTHING = (np.inf, -np.inf)


@views
def test_the_camera_sees_just_all_bodies(view: Viewport) -> None:
    box = ((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0))
    near, far = clipping_range(np.array([box]), NOTHING, view)
    depth = (corners(*map(np.array, box)) - view.eye) @ view.forward
    assert near == pytest.approx(0.99 * depth.min(), rel=1e-12)
    assert far == pytest.approx(1.01 * depth.max(), rel=1e-12)
    inner = ((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
    assert clipping_range(np.array([inner, box, inner]), NOTHING, view) == (near, far)
    # A line to the horizon is seen too, and one past the eye does not make the depth buffer coarse.
    near_with, far_with = clipping_range(np.array([box]), (1e-9, 1e5), view)
    assert far_with >= 1e5 * 0.9 or far_with == pytest.approx(near_with * 1e6)
    assert near_with > 5e-4 * depth.max()


def test_an_eye_inside_a_body_still_sees() -> None:
    near, far = clipping_range(np.array([[[-100.0] * 3, [100.0] * 3]]), NOTHING, PERSPECTIVE)
    assert 0.0 < near < 1.0
    assert far > 100.0
    assert clipping_range(np.zeros((0, 2, 3)), NOTHING, PERSPECTIVE)[0] > 0.0


def test_the_box_around_solids() -> None:
    far = Solid.of(Sphere([[10.0, 0.0, 0.0], [12.0, 0.0, 4.0]], 1.0), np.zeros(2, np.uint8))
    nothing = Solid.of(Sphere(np.zeros((0, 3)), 1.0), np.zeros(0, np.uint8))
    for solids in ([far], [far, nothing]):
        np.testing.assert_array_equal(
            bounds_of(*corners_of(sort_solids(solids))), [[[9.0, -1.0, -1.0], [13.0, 1.0, 5.0]]]
        )
    for solids in ([], [nothing]):
        assert bounds_of(*corners_of(sort_solids(solids))).shape == (0, 2, 3)


def test_the_origin_is_near_the_middle_and_stays() -> None:
    lower, upper = np.array([1e5, -4.2, 0.0]), np.array([1e5 + 9.2, -1.0, 2.6])
    origin = origin_in(lower, upper)
    assert np.abs(origin - 0.5 * (lower + upper)).max() <= 0.5 * 9.2
    assert (origin_in(lower + 0.01, upper + 0.02) == origin).all()
    rng = np.random.default_rng(0)
    for lower in rng.normal(size=(200, 3)) * 10.0 ** rng.uniform(-6.0, 6.0, (200, 1)):
        upper = lower + rng.uniform(0.0, 1.0, 3) * 10.0 ** rng.uniform(-6.0, 6.0)
        size = (upper - lower).max()
        assert np.abs(origin_in(lower, upper) - 0.5 * (lower + upper)).max() <= 0.5 * size
        nearby = [origin_in(lower, upper + step * size) for step in np.linspace(0.0, 0.1, 40)]
        assert len(np.unique(nearby, axis=0)) <= 5  # each coordinate once, and once for a larger grid
    assert (origin_in(lower, lower) == lower).all()


@views
@given(st.floats(-300, 300), st.floats(-300, 300))
def test_turning_keeps_the_target_the_distance_and_z_up(view: Viewport, right: float, up: float) -> None:
    camera = orbit(view, right, up)
    assert camera.target == view.camera.target
    distances = [np.linalg.norm(np.subtract(c.position, c.target)) for c in (camera, view.camera)]
    assert distances[0] == pytest.approx(distances[1])
    moved = Viewport(camera, SIZE)
    assert moved.right[2] == pytest.approx(0.0, abs=1e-9)
    assert moved.up[2] >= -1e-9
    assert (camera.view_angle, camera.parallel_height) == (view.camera.view_angle, view.camera.parallel_height)


@pytest.mark.parametrize("view", [PERSPECTIVE, PARALLEL])
def test_what_is_in_front_follows_a_turn(view: Viewport) -> None:
    front = np.multiply(0.3, view.camera.position)
    before = view.project(front)[0]
    for right, up in ((30.0, 0.0), (0.0, 30.0), (-20.0, -10.0)):
        after = Viewport(orbit(view, right, up), SIZE).project(front)[0]
        assert (np.sign((after - before).round(6)) == np.sign([right, up])).all() or right * up == 0.0
        assert (after - before) @ [right, up] > 0.0


def test_a_turn_there_and_back() -> None:
    there = orbit(PERSPECTIVE, 40.0, 25.0)
    back = orbit(Viewport(there, SIZE), -40.0, -25.0)
    np.testing.assert_allclose(back.position, PERSPECTIVE.camera.position, rtol=1e-12)


def test_looking_straight_down_the_picture_does_not_jump() -> None:
    still = Viewport(orbit(DOWN, 0.0, 0.0), SIZE)
    np.testing.assert_allclose(still.up, DOWN.up, atol=1e-12)
    np.testing.assert_allclose(still.eye, DOWN.eye, atol=1e-12)


@views
def test_panning_moves_the_target_with_the_hand(view: Viewport) -> None:
    place = np.array(view.camera.target)
    before = view.project(place)[0]
    after = Viewport(pan(view, 31.0, -17.0), SIZE).project(place)[0]
    np.testing.assert_allclose(after - before, [31.0, -17.0], atol=1e-9)


@views
@given(st.floats(0, 640), st.floats(0, 480), st.integers(-5, 5))
def test_zooming_keeps_what_is_under_the_cursor(view: Viewport, x: float, y: float, clicks: int) -> None:
    per_pixel = view.units_per_pixel(view.camera.target)
    place = view.camera.target + per_pixel * ((x - 320.0) * view.right + (y - 240.0) * view.up)
    moved = Viewport(zoom(view, clicks, x, y), SIZE)
    np.testing.assert_allclose(moved.project([place])[0][0], [x, y], atol=1e-6)
    assert moved.units_per_pixel(moved.camera.target) == pytest.approx(per_pixel * ZOOM**clicks)


@views
def test_zooming_has_an_end(view: Viewport) -> None:
    for clicks in (50.0, -50.0):
        now = view
        for _ in range(40):
            now = Viewport(zoom(now, clicks, 320.0, 240.0), SIZE)
        assert np.isfinite(now.eye).all()
        assert now.units_per_pixel(now.camera.target) > 0.0
