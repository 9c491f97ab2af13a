"""The rings that turn: what is grabbed follows the cursor about the axis, round and round, whatever the view."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collision import Camera, Capsule, OrientedBox, Point, Ray, Shape, Sphere
from viewer.camera.camera import Viewport
from viewer.camera.framing import VIEWS, frame
from viewer.gizmo import Handle, SnapOptions, Subject, Turn, Turner
from viewer.gizmo.handles import VIEW
from viewer.gizmo.rotating import RING, VIEW_RING, TurnDrag
from viewer.records.drawables import Marker, Role, Stroke
from viewer.records.theme import FAINT_ROLES, THEMES

SIZE = (800, 600)
PERSPECTIVE = Viewport(Camera((6, -9, 7)), SIZE)
PARALLEL = Viewport(Camera((6, -9, 7), parallel_height=9.0), SIZE)
ASIDE = Viewport(Camera((6, -9, 7), (-1.5, 1, 0.5), view_angle=60), SIZE)
VIEWPORTS = [PERSPECTIVE, PARALLEL, ASIDE]
NAMES = ["perspective", "parallel", "aside"]

CAPSULE = Capsule([-1, 0, 0.5], [1, 0.5, -0.25], 0.3)
FREE = SnapOptions()


def turner(shape: Shape = CAPSULE, axes: str = "world") -> Turner:
    return Turner(Subject.of([shape], axes))  # type: ignore[arg-type]


def axis_of(gizmo: Turner, viewport: Viewport, axis: int) -> np.ndarray:
    return -viewport.forward if axis == VIEW else gizmo.subject.frame[:, axis]


def on_ring(gizmo: Turner, viewport: Viewport, axis: int, degrees: float) -> tuple[np.ndarray, tuple[float, float]]:
    """Return a point of a ring and its pixel, worked out apart from the gizmo: from any point of it, turned."""
    at = gizmo.subject.middle
    normal = axis_of(gizmo, viewport, axis)
    across = np.cross(normal, [0.3, -0.5, 0.8])
    across /= np.linalg.norm(across)
    radians = np.radians(degrees)
    out = np.cos(radians) * across + np.sin(radians) * np.cross(normal, across)
    radius = (VIEW_RING if axis == VIEW else RING) * viewport.units_per_pixel(at)
    x, y = viewport.project(at + radius * out)[0]
    return at + radius * out, (float(x), float(y))


def near_places(gizmo: Turner, viewport: Viewport, axis: int) -> list[float]:
    """Return angles of the half of a ring that is nearer to the eye than its middle."""
    at = gizmo.subject.middle
    angles = np.arange(0.0, 360.0, 5.0)
    points = [on_ring(gizmo, viewport, axis, angle)[0] for angle in angles]
    depth = viewport.project(np.stack([*points, at]))[1]
    return [angle for angle, d in zip(angles, depth, strict=False) if d < depth[-1] or axis == VIEW]


def begun(gizmo: Turner, viewport: Viewport, axis: int, degrees: float) -> TurnDrag:
    drag = gizmo.begin(viewport, Handle("body", "ring", axis), *on_ring(gizmo, viewport, axis, degrees)[1])
    assert drag is not None
    return drag


@pytest.mark.parametrize("axes", ["world", "local"])
@pytest.mark.parametrize("viewport", VIEWPORTS, ids=NAMES)
def test_every_ring_is_hit_on_its_near_half_where_no_other_crosses_it(viewport: Viewport, axes: str) -> None:
    gizmo = turner(axes=axes)
    for handle in gizmo.handles(viewport):
        places = near_places(gizmo, viewport, handle.axis)
        hits = [gizmo.hit(viewport, *on_ring(gizmo, viewport, handle.axis, angle)[1]) for angle in places]
        assert None not in hits
        assert sum(hit == handle for hit in hits) > 0.6 * len(hits)


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=NAMES)
def test_far_halves_and_the_middle_are_no_handles(viewport: Viewport) -> None:
    gizmo = turner()
    assert gizmo.hit(viewport, *viewport.project(gizmo.subject.middle)[0]) is None
    for axis in range(3):
        near = near_places(gizmo, viewport, axis)
        for angle in set(np.arange(0.0, 360.0, 5.0)) - set(near):
            if min(abs((angle - other + 180) % 360 - 180) for other in near) > 20:
                found = gizmo.hit(viewport, *on_ring(gizmo, viewport, axis, angle)[1])
                assert found != Handle("body", "ring", axis)


@pytest.mark.parametrize("axes", ["world", "local"])
@pytest.mark.parametrize("viewport", VIEWPORTS, ids=NAMES)
def test_a_drag_turns_by_the_angle_between_the_places_also_beyond_a_whole_turn(viewport: Viewport, axes: str) -> None:
    gizmo = turner(axes=axes)
    axes_here = [handle.axis for handle in gizmo.handles(viewport)]
    assert len(axes_here) >= 3
    for axis in axes_here:
        drag, last = begun(gizmo, viewport, axis, 20.0), None
        for total in (*range(0, 1000, 40), *range(1000, -800, -75), *range(-700, 60, 75)):
            last = drag.update(viewport, *on_ring(gizmo, viewport, axis, 20.0 + total)[1], FREE, last)
            assert last is not None
            assert last.degrees == pytest.approx(total, abs=1e-6)
            assert last.axis == pytest.approx(axis_of(gizmo, viewport, axis))
            assert np.array_equal(last.about, gizmo.subject.middle)


@given(st.lists(st.tuples(st.floats(100, 700), st.floats(50, 550)), min_size=1, max_size=8))
def test_nothing_adds_up_but_whole_turns(path: list[tuple[float, float]]) -> None:
    gizmo = turner()
    start = on_ring(gizmo, PERSPECTIVE, 2, 200.0)[1]
    drag, last = begun(gizmo, PERSPECTIVE, 2, 200.0), None
    for to in path:
        last = drag.update(PERSPECTIVE, *to, FREE, last) or last
        alone = drag.update(PERSPECTIVE, *to, FREE, None)
        if last is not None and alone is not None:
            assert (last.degrees - alone.degrees) % 360.0 == pytest.approx(0.0, abs=1e-9) or (
                last.degrees - alone.degrees
            ) % 360.0 == pytest.approx(360.0)
    back = drag.update(PERSPECTIVE, *start, FREE, last)
    assert back is not None
    assert back.degrees % 360.0 == 0.0


def test_angles_snap_to_fifteen_degrees_and_turns_are_followed_all_the_same() -> None:
    gizmo = turner()
    drag, last = begun(gizmo, PARALLEL, 2, 0.0), None
    snap = SnapOptions(step=1.0, angle=15.0)
    for total in (3.0, 9.0, 100.0, 190.0, 275.0, 361.0, 383.0):
        last = drag.update(PARALLEL, *on_ring(gizmo, PARALLEL, 2, total)[1], snap, last)
        assert last is not None
        assert last.degrees == 15.0 * round(total / 15.0)
    assert drag.update(PARALLEL, *on_ring(gizmo, PARALLEL, 2, 384.4)[1], SnapOptions(angle=1.0), last).degrees == 384.0  # type: ignore[union-attr]


@pytest.mark.parametrize("name", [name for name in VIEWS if name != "iso"])
def test_in_views_along_an_axis_one_ring_and_that_of_the_view_can_be_dragged(name: str) -> None:
    viewport = Viewport(frame(CAPSULE.bounds(), name), SIZE)
    gizmo = turner(OrientedBox([0, 0.25, 0.125], np.eye(3), [1, 1, 1]))
    axis = "xyz".index(name.removeprefix("-"))
    assert {handle.axis for handle in gizmo.handles(viewport)} == {axis, VIEW}
    for other in {0, 1, 2} - {axis}:
        assert gizmo.begin(viewport, Handle("body", "ring", other), 400, 300) is None
    # What is seen edge on is drawn as a faint line.
    faint = {d.role for d in gizmo.drawables(viewport) if isinstance(d, Stroke)}
    names = (Role.AXIS_X_FAINT, Role.AXIS_Y_FAINT, Role.AXIS_Z_FAINT)
    assert {names[other] for other in {0, 1, 2} - {axis}} <= faint


def test_looking_along_an_axis_turning_is_counterclockwise_when_it_points_at_the_viewer() -> None:
    for name, sign in (("z", 1.0), ("-z", -1.0)):
        viewport = Viewport(Camera((0, 0, 10.0 * sign), up=(0, 1, 0)), SIZE)
        gizmo = turner(OrientedBox([0, 0, 0], np.eye(3), [1, 1, 1]))
        handle = Handle("body", "ring", 2)
        drag = gizmo.begin(viewport, handle, 400 + RING, 300)
        assert drag is not None
        turn = drag.update(viewport, 400, 300 + RING, FREE, None)
        assert turn is not None
        assert turn.degrees == pytest.approx(90.0 * sign), name
        seen = gizmo.begin(viewport, Handle("body", "ring", VIEW), 400 + VIEW_RING, 300)
        assert seen is not None
        assert seen.update(viewport, 400, 300 + VIEW_RING, FREE, None).degrees == pytest.approx(90.0)  # type: ignore[union-attr]


def test_beyond_the_horizon_and_in_the_very_middle_a_turn_holds() -> None:
    viewport = Viewport(Camera((0, -10, 4), (0, 0, 4), view_angle=60), SIZE)
    gizmo = turner(OrientedBox([0, 0, 0], np.eye(3), [1, 1, 1]))
    x, y = viewport.project(np.zeros(3))[0]
    drag = gizmo.begin(viewport, Handle("body", "ring", 2), x + RING, y)
    assert drag is not None
    assert drag.update(viewport, x, SIZE[1] / 2 - 20, FREE, None) is not None
    assert drag.update(viewport, x, SIZE[1] / 2 + 20, FREE, None) is None
    assert drag.update(viewport, x, y, FREE, None) is None
    assert drag.update(viewport, x + 10, y, FREE, None) is not None


@pytest.mark.parametrize("shape", [Point([0, 0, 0]), Sphere([0, 0, 0], 1)], ids=["point", "sphere"])
def test_what_is_the_same_from_all_sides_has_no_rings_and_says_so(shape: Shape) -> None:
    gizmo = turner(shape)
    assert gizmo.handles(PERSPECTIVE) == {}
    assert gizmo.drawables(PERSPECTIVE) == ()
    assert gizmo.note == f"a {type(shape).__name__.lower()} is the same from all sides: there is nothing to turn"
    both = Turner(Subject.of([shape, Sphere([1, 0, 0], 1)]))
    assert both.note == ""
    assert len(both.handles(PERSPECTIVE)) == 4


def test_behind_the_eye_there_are_no_rings() -> None:
    viewport = Viewport(Camera((0, -5, 0), (0, -10, 0)), SIZE)
    gizmo = turner()
    assert gizmo.handles(viewport) == {}
    assert gizmo.hit(viewport, 400, 300) is None
    assert gizmo.drawables(viewport) == ()


def test_close_to_the_eye_what_is_left_of_a_ring_can_still_be_hit() -> None:
    viewport = Viewport(Camera((0, -1e-3, 2e-4), (0, 0, 2e-4), view_angle=150), SIZE)
    gizmo = turner(Ray([0, 0, 0], [1, 0, 0]))
    points, _ = gizmo.ring(viewport, 2)
    behind = np.isnan(viewport.project(points)[0]).any(axis=1)
    assert gizmo.hit(viewport, 5, 5) is None
    assert gizmo.hit(viewport, *viewport.project(points[~behind])[0][0]) is not None


@pytest.mark.parametrize("far", [1.0, 30.0])
@pytest.mark.parametrize("size", [(400, 300), (1280, 960), (3840, 2880)])
def test_rings_have_a_constant_size_in_the_picture_and_their_far_halves_are_faint(
    size: tuple[int, int], far: float
) -> None:
    viewport = Viewport(Camera((2 * far, -3 * far, 2 * far)), size)
    gizmo = turner(OrientedBox([0, 0, 0], np.eye(3), [1, 1, 1]))
    middle = viewport.project(np.zeros(3))[0]
    drawn = gizmo.drawables(viewport, Handle("body", "ring", 1))
    strokes = {str(d.role): d for d in drawn if isinstance(d, Stroke)}
    assert set(strokes) == {"axis-x", "axis-x-faint", "axis-y-faint", "hot", "axis-z", "axis-z-faint", "view-plane"}
    reach = np.linalg.norm(viewport.project(strokes["view-plane"].start)[0] - middle, axis=1)
    assert reach == pytest.approx(VIEW_RING * viewport.scale, rel=1e-6)
    for axis, near, faint in ((0, "axis-x", "axis-x-faint"), (1, "hot", "axis-y-faint"), (2, "axis-z", "axis-z-faint")):
        depth = [viewport.project(0.5 * (strokes[role].start + strokes[role].end))[1].mean() for role in (near, faint)]
        assert depth[0] < viewport.project(np.zeros(3))[1] < depth[1]
        points = np.concatenate([strokes[role].start for role in (near, faint)])
        assert np.abs(points[:, axis]).max() <= 1e-12 * np.abs(points).max()
    assert any(isinstance(d, Marker) for d in drawn)


def test_in_hand_a_ring_has_spokes_to_where_it_was_grabbed_and_where_that_is_now() -> None:
    gizmo = turner()
    drag = begun(gizmo, PERSPECTIVE, 2, 30.0)
    turn = drag.update(PERSPECTIVE, *on_ring(gizmo, PERSPECTIVE, 2, 75.0)[1], FREE, None)
    assert turn is not None
    shown = gizmo.after(turn, Subject.of([turn.of(CAPSULE)]))
    strokes = [d for d in shown.drawables(PERSPECTIVE, drag.handle) if isinstance(d, Stroke) and len(d.start) == 1]
    ends = [stroke.end[0] for stroke in strokes]
    for end, angle in zip(ends, (30.0, 75.0), strict=True):
        assert end == pytest.approx(on_ring(gizmo, PERSPECTIVE, 2, angle)[0])
    assert strokes[1].role is Role.HOT


def test_typed_angles_are_about_the_axis_by_name() -> None:
    gizmo = turner(axes="local")
    turn = gizmo.typed(gizmo.along("z"), [30.0], PERSPECTIVE)
    along = np.subtract([1, 0.5, -0.25], [-1, 0, 0.5])
    assert turn.axis == pytest.approx(along / np.linalg.norm(along))
    assert gizmo.measured(None, turn) == (30.0,)
    assert gizmo.typed(None, [None], PERSPECTIVE).degrees == 0.0
    assert gizmo.typed(gizmo.along("view"), [1.0], PERSPECTIVE).axis == pytest.approx(-PERSPECTIVE.forward)
    assert isinstance(gizmo.typed(None, [5.0], PERSPECTIVE), Turn)
    with pytest.raises(ValueError, match="about x, y, z or view, got 'w'"):
        gizmo.along("w")


def test_in_every_theme_what_is_faint_has_the_colour_of_what_it_belongs_to() -> None:
    for name, theme in THEMES.items():
        for faint, whole in FAINT_ROLES.items():
            assert theme.styles[faint].color == theme.styles[whole].color, name
            assert theme.styles[faint].opacity < theme.styles[whole].opacity
            assert theme.styles[faint].width < theme.styles[whole].width
