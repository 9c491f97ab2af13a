"""Marks as triangles: as wide, as long and as broken as they should be in the picture; and how the camera moves."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collision import AABB, Camera, Sphere
from viewer.camera.camera import Viewport
from viewer.camera.navigation import ZOOM, orbit, pan, zoom
from viewer.camera.outline import corners
from viewer.records.drawables import Arrow, Marker, Patch, Role, Solid, Stroke
from viewer.records.theme import DARK, LIGHT, Style
from viewer.stage.extent import Extent, clipping_range, origin_in
from viewer.stage.marks.layers import Layers, Ribbons, Triangles, layers, order
from viewer.stage.marks.pieces import Mark, Table
from viewer.stage.marks.projection import view_numbers

SIZE = (640, 480)
FLOATS = npt.NDArray[np.float64]

PERSPECTIVE = Viewport(Camera((4.0, -5.0, 3.0), view_angle=40.0), SIZE)
PARALLEL = Viewport(Camera((4.0, -5.0, 3.0), parallel_height=6.0), SIZE)
DOWN = Viewport(Camera((0.0, 0.0, 10.0), up=(0.0, 1.0, 0.0)), SIZE)
VIEWS = [PERSPECTIVE, PARALLEL, DOWN]
views = pytest.mark.parametrize("view", VIEWS, ids=["perspective", "parallel", "down"])

#: Marks are kept in single precision, relative to an origin near them: in pixels, they are as exact as this.
SINGLE = 1e-3

coordinates = st.floats(-50, 50)
points = st.tuples(coordinates, coordinates, coordinates)


def drawn(view: Viewport, mark: Mark, **style: object) -> Layers:
    look = replace(Style((1, 2, 3)), **style)  # type: ignore[arg-type]
    return layers([mark], view, replace(LIGHT, styles={**LIGHT.styles, mark.role: look}), 1.0)


def clipped(start: FLOATS, end: FLOATS, view: Viewport) -> tuple[FLOATS, FLOATS]:
    """Return what is seen of lines."""
    pieces = seen_of(view, Stroke(start, end, Role.WITNESS))
    return pieces[:, 0], pieces[:, 1]


def seen_of(view: Viewport, *marks: Mark) -> FLOATS:
    """Return what is seen of the lines of marks, dashed ones in pieces."""
    table = Table()
    assert table.write(marks, LIGHT.styles)
    count = table.look(view_numbers(view), 1.0)
    return table.seen[:count]


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
    first, last = clipped(a, b, view)
    samples = a + np.linspace(0.0, 1.0, 400)[:, None] * (b - a)
    seen = samples[in_picture(samples, view)]
    if not len(first):
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
def test_what_is_not_cut_keeps_its_digits(view: Viewport) -> None:
    start, end = np.array([[0.1, 0.2, 0.3]]), np.array([[0.7, -0.2, 0.1]])
    first, last = clipped(start, end, view)
    assert (first == start).all()
    assert (last == end).all()


@views
def test_a_stroke_is_as_wide_at_both_ends(view: Viewport) -> None:
    start, end = np.array([[-1.0, -1.0, 0.0]]), np.array([[0.5, 1.0, 0.5]])
    line, casing, *_ = drawn(view, Stroke(start, end, Role.FREE), width=6.0)
    pixels, _ = view.project(line.points)
    sides = np.linalg.norm(pixels[[0, 1]] - pixels[[3, 2]], axis=1)
    np.testing.assert_allclose(sides, 6.0, rtol=SINGLE)
    outer, _ = view.project(casing.points)
    assert np.linalg.norm(outer[3] - outer[4]) > 8.0


@views
def test_a_stroke_seen_end_on_is_no_error(view: Viewport) -> None:
    eye = view.eye
    stroke = Stroke(np.array([0.5 * eye]), np.array([0.25 * eye]), Role.FREE)
    for triangles in layers([stroke, Stroke(np.zeros((1, 3)), np.zeros((1, 3)), Role.EXTENSION)], view, LIGHT, 1.0):
        assert np.isfinite(triangles.points).all()


def dash_lengths(view: Viewport, start: FLOATS, end: FLOATS) -> FLOATS:
    dashes = seen_of(view, Stroke(start, end, Role.EXTENSION))
    return np.asarray(np.linalg.norm(np.subtract(*(view.project(dashes[:, k])[0] for k in (0, 1))), axis=1))


@views
def test_dashes_are_even_in_the_picture(view: Viewport) -> None:
    start, end = np.array([[-1.5, -1.5, 0.0]]), np.array([[1.0, 1.5, 0.5]])
    lengths = dash_lengths(view, start, end)
    assert len(lengths) > 8
    np.testing.assert_allclose(lengths, lengths[0], rtol=1e-6)
    whole = float(np.linalg.norm(np.subtract(*(view.project(p)[0] for p in (start, end)))))
    assert lengths.sum() / whole == pytest.approx(0.6, abs=0.05)


@views
@pytest.mark.parametrize("count", [3, 48, 600])
def test_dashes_run_on_along_a_curve(view: Viewport, count: int) -> None:
    angle = 2.0 * np.pi * np.arange(count + 1) / count
    curve = np.column_stack([np.cos(angle), np.sin(angle), 0.2 * angle])
    lengths = dash_lengths(view, curve[:-1], curve[1:])
    whole = np.linalg.norm(np.diff(view.project(curve)[0], axis=0), axis=1).sum()
    assert lengths.sum() / whole == pytest.approx(0.6, abs=0.06)


def test_many_dashes_are_no_more_than_fit_the_picture() -> None:
    start, end = np.array([[-1e9, 0.0, 0.0]]), np.array([[1e9, 0.0, 0.0]])
    assert 10 < len(dash_lengths(PERSPECTIVE, start, end)) < 80
    # In a larger picture there are more than room was made for at first.
    lengths = dash_lengths(replace(PERSPECTIVE, size=(6400, 4800)), start, end)
    assert 200 < len(lengths) < 800
    np.testing.assert_allclose(lengths[1:-1], lengths[1], rtol=1e-6)


@views
def test_a_dot_is_round_and_as_large_anywhere(view: Viewport) -> None:
    places = np.array([[0.0, 0.0, 0.0], [1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]])
    disks, rings = np.split(drawn(view, Marker(places, Role.FREE), size=20.0).solid.points, 2)
    # The disk (its inner rim is its center) and the ring around it.
    for found, expected in ((disks, [0.0, 10.0]), (rings, [10.0, 11.6])):
        pixels, _ = view.project(found)
        radii = np.linalg.norm(pixels.reshape(3, -1, 2) - view.project(places)[0][:, None], axis=-1)
        np.testing.assert_allclose(np.unique(radii.round(3)), expected, atol=1e-5)


def test_thousands_of_dots_are_drawn_with_fewer_corners() -> None:
    few, many = (layers([Marker(np.zeros((n, 3)), Role.CONTACT)], PERSPECTIVE, LIGHT, 1.0).top_solid for n in (1, 5000))
    assert len(many.corners) / 5000 < len(few.corners) / 2


@views
def test_an_arrow_ends_at_its_end(view: Viewport) -> None:
    start, end = np.array([[-1.0, 0.0, 0.0]]), np.array([[1.0, 0.5, 0.5]])
    shaft, head = np.split(view.project(drawn(view, Arrow(start, end, Role.NORMAL)).solid.points)[0], [4])
    neck = end - (end - start) / np.linalg.norm(end - start) * (17.0 * view.units_per_pixel(end))
    for place in (neck[0], end[0]):
        off = np.linalg.norm(head - view.project(place)[0], axis=1)
        assert off.min() == pytest.approx(0.0, abs=SINGLE)
    along = np.subtract(*(view.project(place)[0] for place in (end[0], start[0])))
    assert (head @ along).max() <= view.project(end[0])[0] @ along + 6.0 * np.linalg.norm(along)
    assert (shaft @ along).max() == pytest.approx(view.project(neck[0])[0] @ along, rel=1e-5)


def test_a_short_arrow_has_a_short_head() -> None:
    above = Viewport(Camera((0.0, 0.0, 10.0), up=(0.0, 1.0, 0.0), parallel_height=6.0), SIZE)
    start, end = np.zeros((1, 3)), np.array([[0.01, 0.0, 0.0]])
    head = drawn(above, Arrow(start, end, Role.NORMAL)).solid.points[4:]
    assert head[:, 0].min() == pytest.approx(0.004)
    assert head[:, 0].max() == pytest.approx(0.01)


@pytest.mark.parametrize("count", [0, 1, 5, 4000])
def test_numbers_of_marks_are_those_of_their_arrays_however_they_lie_in_memory(count: int) -> None:
    rng = np.random.default_rng(2)
    points = rng.normal(size=(3, 2 * count)).T[::2]  # neither contiguous nor in the order of rows
    whole = np.arange(3 * count).reshape(count, 3)
    marks = [
        Stroke(points, np.broadcast_to(points[:1], points.shape), Role.NORMAL),
        Marker(whole, Role.CONTACT),  # type: ignore[arg-type]
    ]
    table = Table()
    for _ in range(2):  # into new memory, and into that which is kept
        table.write(marks, LIGHT.styles)
        expected = np.concatenate([points, marks[0].end, whole]).ravel()  # type: ignore[union-attr]
        np.testing.assert_array_equal(table._numbers, expected)
        points *= 2.0


def test_ends_without_a_start_are_refused() -> None:
    with pytest.raises(ValueError, match="got 9 coordinates instead of 6"):
        layers([Stroke(np.zeros((1, 3)), np.zeros((2, 3)), Role.FREE)], PERSPECTIVE, LIGHT, 1.0)


@views
def test_what_has_no_place_is_left_out(view: Viewport) -> None:
    nowhere = np.full((1, 3), np.nan)
    behind = np.array([3.0 * view.eye])
    marks: list[Mark] = [
        Marker(np.concatenate([nowhere, behind]), Role.CONTACT),
        Stroke(np.concatenate([nowhere, behind]), np.concatenate([behind, behind]), Role.WITNESS),
        Arrow(np.concatenate([nowhere, behind, behind]), np.concatenate([behind, behind, behind]), Role.NORMAL),
        Patch(np.stack([np.tile(nowhere, (4, 1)), np.tile(behind, (4, 1))]), Role.AXIS_X),
    ]
    assert [len(triangles.corners) for triangles in layers(marks, view, LIGHT, 1.0)] == [0, 0, 0, 0]


@views
def test_later_marks_lie_over_earlier_ones(view: Viewport) -> None:
    place = np.array([[0.2, 0.1, 0.0]])
    roles = (Role.CONTACT, Role.NEAREST, Role.FOOT)
    merged = layers([Marker(place, role) for role in roles], view, LIGHT, 1.0).top_solid
    depth = (merged.points - view.eye) @ view.forward
    nearest = [depth[(merged.colors[:, :3] == LIGHT.styles[role].color).all(axis=1)].max() for role in roles]
    assert nearest[0] > nearest[1] > nearest[2]
    # They are nearer to the eye, but nowhere else in the picture.
    for role in roles:
        own = merged.points[(merged.colors[:, :3] == LIGHT.styles[role].color).all(axis=1)]
        np.testing.assert_allclose(view.project(own)[0].mean(axis=0), view.project(place[0])[0], atol=SINGLE)


def test_marks_go_to_their_layers() -> None:
    ends = (np.zeros((1, 3)), np.ones((1, 3)))
    free = layers([Stroke(*ends, Role.FREE)], PERSPECTIVE, LIGHT, 1.0)
    assert len(free.solid.corners) == 2
    assert not len(free.top_solid.corners)
    assert (free.top_clear.colors[:, 3] < 255).all()  # the ghost
    top = layers([Stroke(*ends, Role.WITNESS)], PERSPECTIVE, LIGHT, 1.0)
    assert not len(top.solid.corners)
    assert len(top.top_solid.corners) == 2


def check_valid(triangles: Triangles) -> None:
    assert triangles.corners.max(initial=-1) < len(triangles.points)
    assert triangles.colors.shape == (len(triangles.points), 4)


@given(st.lists(st.tuples(points, points), max_size=5))
def test_any_marks_make_valid_triangles(ends: list[tuple[tuple[float, ...], tuple[float, ...]]]) -> None:
    start, end = (np.array([pair[k] for pair in ends]).reshape(-1, 3) for k in (0, 1))
    marks: list[Mark] = [Stroke(start, end, Role.BOUNDS), Arrow(start, end, Role.NORMAL), Marker(start, Role.HIT)]
    for view in VIEWS:
        for triangles in layers(marks, view, LIGHT, 0.7):
            check_valid(triangles)
            assert np.isfinite(triangles.points).all()


NOTHING = (np.inf, -np.inf)


@views
def test_the_camera_sees_just_all_bodies(view: Viewport) -> None:
    box = ((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0))
    near, far = clipping_range([box], NOTHING, view)
    depth = (corners(*map(np.array, box)) - view.eye) @ view.forward
    assert near == pytest.approx(0.99 * depth.min(), rel=1e-12)
    assert far == pytest.approx(1.01 * depth.max(), rel=1e-12)
    inner = ((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))
    assert clipping_range([inner, box, inner], NOTHING, view) == (near, far)
    # A line to the horizon is seen too, and one past the eye does not make the depth buffer coarse.
    near_with, far_with = clipping_range([box], (1e-9, 1e5), view)
    assert far_with >= 1e5 * 0.9 or far_with == pytest.approx(near_with * 1e6)
    assert near_with > 5e-4 * depth.max()


def test_an_eye_inside_a_body_still_sees() -> None:
    near, far = clipping_range([((-100.0,) * 3, (100.0,) * 3)], NOTHING, PERSPECTIVE)
    assert 0.0 < near < 1.0
    assert far > 100.0
    assert clipping_range([], NOTHING, PERSPECTIVE)[0] > 0.0


def some_marks(rng: np.random.Generator) -> list[Mark]:
    """Return a few marks of all kinds, near each other or not, and some of them behind the eye."""
    marks: list[Mark] = []
    for kind in rng.permutation(rng.integers(0, 4, int(rng.integers(0, 6)))):
        count, role = int(rng.integers(0, 4)), Role(rng.choice([*Role]))
        places = rng.normal(size=(count, 4, 3)) * rng.choice([0.1, 1.0, 9.0])
        ends = places[:, 0], places[:, 1]
        pick: list[Mark] = [Patch(places, role), Stroke(*ends, role), Arrow(*ends, role), Marker(ends[0], role)]
        marks.append(pick[kind])
    return sorted(marks, key=order)


def bits(ribbons: Ribbons) -> list[bytes]:
    """Return all that is drawn of marks, and how near and far they are."""
    parts = [part.first(*counts) for part, counts in zip(ribbons.layers, ribbons.counts, strict=True)]
    return [*(array.tobytes() for part in parts for array in part), repr(ribbons.depths).encode()]


@pytest.mark.parametrize("seed", range(3))
def test_marks_in_kept_memory_are_those_made_from_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kept, marks, theme, view, origin = Ribbons(), some_marks(rng), LIGHT, VIEWS[0], np.zeros(3)
    corners_of: list[list[list[int]]] = [[]] * 4
    moved, renewed = 0, 0
    for _ in range(150):
        what = rng.choice(["move", "others", "view", "theme", "origin"], p=[0.6, 0.2, 0.1, 0.05, 0.05])
        if what == "move":
            marks = [shifted(mark, rng.normal(size=3) * 0.1) for mark in marks]
        elif what == "others":
            marks = some_marks(rng)
        elif what == "view":
            view = VIEWS[int(rng.integers(len(VIEWS)))]
        elif what == "theme":
            theme = DARK if theme is LIGHT else LIGHT
        else:
            origin = rng.normal(size=3)
        before, new = kept.layers, Ribbons()
        kept.write(marks, view, theme, 1.0, origin)
        new.write(marks, view, theme, 1.0, origin)
        assert bits(kept) == bits(new), what
        for k, (part, counts) in enumerate(zip(kept.layers, kept.counts, strict=True)):
            now = part.first(*counts).corners.tolist()
            # Of a layer that has as many triangles as before, in the same memory, it is said whether they are others.
            if kept.layers is before and now and len(now) == len(corners_of[k]):
                assert bool(kept.changed[k]) == (now != corners_of[k])
                moved += not kept.changed[k]
            corners_of[k] = now or corners_of[k]
        renewed += kept.layers is not before
    assert moved > 50
    assert renewed < 20


def test_as_many_triangles_with_other_corners_are_others() -> None:
    places, kept = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]), Ribbons()
    # Two disks and then two rings, or a disk and its ring and then the others.
    together: list[Mark] = [Marker(places, Role.CONTACT)]
    apart: list[Mark] = [Marker(places[k : k + 1], Role.CONTACT) for k in (0, 1)]
    found = []
    for marks in (together, together, apart, apart, together):
        kept.write(marks, DOWN, LIGHT, 1.0, np.zeros(3))
        found.append((kept.counts[2], kept.changed))
    assert len({counts for counts, _ in found}) == 1
    assert [changed for _, changed in found] == [[0, 0, flag, 0] for flag in (1, 0, 1, 0, 1)]


def shifted(mark: Mark, by: FLOATS) -> Mark:
    """Return a mark moved."""
    moved = {f.name: getattr(mark, f.name) + by for f in fields(mark) if f.name != "role"}
    return replace(mark, **moved)


def test_the_box_around_solids() -> None:
    far = Solid(Sphere([[10.0, 0.0, 0.0], [12.0, 0.0, 4.0]], 1.0), np.zeros(2, np.uint8))
    nothing = Solid(Sphere(np.zeros((0, 3)), 1.0), np.zeros(0, np.uint8))
    for solids in ([far], [far, nothing]):
        np.testing.assert_array_equal(Extent().around(solids), [[9.0, -1.0, -1.0], [13.0, 1.0, 5.0]])
    assert Extent().around([]) is None
    assert Extent().around([nothing]) is None


def test_the_box_around_solids_of_which_a_few_moved() -> None:
    rng = np.random.default_rng(7)
    balls = Sphere(rng.normal(size=(1000, 3)), rng.uniform(0.0, 0.2, 1000))
    extent = Extent()
    far = np.argsort(-np.abs(balls.center).max(axis=1))
    for count, by in ((0, 1.0), (1, 0.0), (1, 90.0), (5, 0.0), (63, 0.0), (63, 90.0), (300, 0.0)):
        # Those that reach farthest move to the middle, or those in the middle far out.
        rows = np.sort(far[:count] if by < 1.0 else far[-count:])
        center = balls.center.copy()
        center[rows] *= by
        moved = Sphere(center, balls.radius)
        box = AABB.union(moved.bounds())
        changes = {row: moved[row] for row in rows.tolist()}
        found = extent.around([Solid(balls, np.zeros(1000, np.uint8), changes)])
        np.testing.assert_array_equal(found, [box.lower, box.upper])


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
