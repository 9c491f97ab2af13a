"""The handles and the arithmetic of a drag: what is grabbed stays under the cursor, whatever the view."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from collision import AABB, Camera, Capsule, ConvexHull, Line, OrientedBox, Point, Ray, Segment, Shape, Sphere
from viewer.camera.camera import Viewport
from viewer.camera.framing import VIEWS, frame
from viewer.gizmo import AXIS_LENGTH, Axes, Handle, Move, Mover, Part, SnapOptions, Subject, with_part
from viewer.gizmo.translating import SQUARE, TIP_LENGTH, MoveDrag
from viewer.records.drawables import Arrow, Marker, Patch, Role

SIZE = (800, 600)
PERSPECTIVE = Viewport(Camera((6, -9, 7)), SIZE)
PARALLEL = Viewport(Camera((6, -9, 7), parallel_height=9.0), SIZE)
FROM_ABOVE = Viewport(Camera((0, 0, 12), up=(0, 1, 0)), SIZE)
VIEWPORTS = [PERSPECTIVE, PARALLEL, FROM_ABOVE]

KINDS: list[Shape] = [
    Point([1, 1, 0]),
    Segment([0, 0, 0], [2, 1, 1]),
    Ray([0, 1, 0], [1, 2, 0.5]),
    Line([0, 1, 0], [1, -1, 0.3]),
    Sphere([0.5, 0, 1], 0.7),
    Capsule([0, 0, 0], [0, 0, 2], 0.5),
    AABB([0, 0, 0], [1, 2, 1]),
    ConvexHull([[-1, -1, 0], [1, -1, 0.2], [0.5, 1.2, 0], [0, 0.1, 1.8]]),
    OrientedBox([0, 0, 1], np.eye(3), [1, 0.5, 0.5]),
    Sphere([[0, 0, 0], [2, 0, 0]], 0.5),
]


def mover(shape: Shape, part: Part = "body", reach: float | None = None, axes: Axes = "world") -> Mover:
    return Mover(Subject.of([shape], axes), part, reach)


def offset_at(drag: MoveDrag, viewport: Viewport, x: float, y: float) -> np.ndarray | None:
    """Return how far a drag has moved its part at a pixel."""
    found = drag.update(viewport, x, y, SnapOptions(), None)
    return None if found is None else found.offset


def middle_of(gizmo: Mover, viewport: Viewport, handle: Handle) -> tuple[float, float]:
    """Return a pixel well inside a handle, worked out apart from the gizmo's own hit test."""
    at = gizmo.parts(viewport)[handle.part]
    unit = viewport.units_per_pixel(at)
    along = np.zeros(3)
    if handle.kind == "axis":
        along = np.eye(3)[handle.axis] * unit * 0.9 * AXIS_LENGTH
    if handle.kind == "plane":
        along = (1.0 - np.eye(3)[handle.axis]) * unit * 0.5 * sum(SQUARE)
    x, y = viewport.project(at + along)[0]
    return float(x), float(y)


def body_handles(viewport: Viewport) -> set[Handle]:
    """Return the handles of a body that this view can drag."""
    if viewport is not FROM_ABOVE:
        return {Handle("body", kind, axis) for kind in ("axis", "plane") for axis in range(3)} | {
            Handle("body", "view")
        }
    return {Handle("body", "axis", 0), Handle("body", "axis", 1), Handle("body", "plane", 2), Handle("body", "view")}


@pytest.mark.parametrize("shape", KINDS, ids=lambda shape: type(shape).__name__)
@pytest.mark.parametrize("viewport", VIEWPORTS, ids=["perspective", "parallel", "above"])
def test_every_handle_is_hit_where_it_is_drawn(shape: Shape, viewport: Viewport) -> None:
    gizmo = mover(shape)
    handles = gizmo.handles(viewport)
    extra = {"Segment": 2, "Capsule": 2, "Ray": 1, "Line": 1}.get(type(shape).__name__, 0)
    # The view from above is from above the origin: an arrow along z is short there, not a dot, beside the middle.
    assert len(handles) <= 7 + extra
    assert Handle("body", "view") in handles
    missed = [h for h in handles if gizmo.hit(viewport, *middle_of(gizmo, viewport, h)) != h]
    # Dots lie over squares, and squares over arrows: only such a handle may be hidden where it was aimed at.
    for handle in missed:
        over = gizmo.hit(viewport, *middle_of(gizmo, viewport, handle))
        assert over is not None
        assert ["view", "plane", "axis"].index(over.kind) <= ["view", "plane", "axis"].index(handle.kind)
    assert len(missed) <= 2


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=["perspective", "parallel", "above"])
def test_a_sphere_in_the_middle_has_exactly_the_handles_that_the_view_can_drag(viewport: Viewport) -> None:
    gizmo = mover(Sphere([0, 0, 0], 1))
    assert set(gizmo.handles(viewport)) == body_handles(viewport)
    for handle in gizmo.handles(viewport):
        assert gizmo.hit(viewport, *middle_of(gizmo, viewport, handle)) == handle


def test_beside_the_handles_nothing_is_hit() -> None:
    gizmo = mover(Sphere([0, 0, 0], 1))
    assert gizmo.hit(PERSPECTIVE, 5, 5) is None
    x, y = PERSPECTIVE.project(np.zeros(3))[0]
    assert gizmo.hit(PERSPECTIVE, x, y - 3 * AXIS_LENGTH) is None


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=["perspective", "parallel", "above"])
@pytest.mark.parametrize("shape", KINDS, ids=lambda shape: type(shape).__name__)
def test_the_grabbed_point_stays_under_the_cursor(shape: Shape, viewport: Viewport) -> None:
    gizmo = mover(shape)
    for handle, at in gizmo.handles(viewport).items():
        x, y = middle_of(gizmo, viewport, handle)
        drag = gizmo.begin(viewport, handle, x, y)
        assert drag is not None
        assert np.array_equal(drag.at, at)
        axis = np.eye(3)[handle.axis]
        # An arrow follows the cursor along its own line in the picture; the others follow it anywhere.
        to_x, to_y = viewport.project(drag.grabbed + 0.8 * axis)[0] if handle.kind == "axis" else (x + 37, y - 21)
        offset = offset_at(drag, viewport, to_x, to_y)
        assert offset is not None
        assert viewport.project(drag.grabbed + offset)[0] == pytest.approx([to_x, to_y], abs=1.0)
        size = np.abs(drag.grabbed).max() + np.linalg.norm(offset)
        if handle.kind == "axis":
            assert offset == pytest.approx(0.8 * axis, abs=viewport.units_per_pixel(drag.grabbed))
        elif handle.kind == "plane":
            assert abs(offset @ axis) <= 1e-12 * size
        else:
            assert abs(offset @ viewport.forward) <= viewport.units_per_pixel(drag.grabbed)


pixel = st.tuples(st.floats(-400, 1200), st.floats(-300, 900))


@given(
    eye=st.tuples(*[st.floats(-20, 20)] * 3).filter(lambda p: np.linalg.norm(p) > 3.0 and np.hypot(*p[:2]) > 0.1),
    path=st.lists(pixel, min_size=1, max_size=6),
    parallel=st.booleans(),
    data=st.data(),
)
def test_a_drag_depends_on_the_press_and_the_cursor_alone(eye, path, parallel, data) -> None:
    viewport = Viewport(Camera(eye, parallel_height=8.0 if parallel else None), SIZE)
    gizmo = mover(Capsule([-0.5, 0, 0], [0.5, 0.4, 0.2], 0.2))
    handle = data.draw(st.sampled_from(sorted(gizmo.handles(viewport))))
    start = middle_of(gizmo, viewport, handle)
    drag = gizmo.begin(viewport, handle, *start)
    assume(drag is not None)
    offsets = [offset_at(drag, viewport, *to) for to in [*path, start]]
    # Back where it began, whatever the way, the shape is back to the last bit.
    assert offsets[-1].tolist() == [0.0, 0.0, 0.0]
    for offset, to in zip(offsets, [*path, start], strict=True):
        if offset is not None:
            assert np.isfinite(offset).all()
            assert viewport.units_per_pixel(drag.grabbed + offset) > 0.0
            again = offset_at(drag, viewport, *to)
            assert np.array_equal(again, offset)


def test_what_points_at_the_viewer_or_is_seen_edge_on_cannot_be_dragged() -> None:
    gizmo = mover(Sphere([0, 0, 0], 1))
    for handle in (Handle("body", "axis", 2), Handle("body", "plane", 0), Handle("body", "plane", 1)):
        assert gizmo.begin(FROM_ABOVE, handle, 400, 300) is None
    assert gizmo.begin(FROM_ABOVE, Handle("body", "axis", 0), 440, 300) is not None


def test_beyond_the_horizon_of_a_plane_the_drag_holds() -> None:
    viewport = Viewport(Camera((0, -10, 4), (0, 0, 4), view_angle=60), SIZE)
    gizmo = mover(Sphere([0, 0, 0], 1))
    handle = Handle("body", "plane", 2)
    drag = gizmo.begin(viewport, handle, *middle_of(gizmo, viewport, handle))
    assert drag is not None
    horizon = SIZE[1] / 2
    assert offset_at(drag, viewport, 400, horizon - 60) is not None
    assert offset_at(drag, viewport, 400, horizon) is None
    assert offset_at(drag, viewport, 400, horizon + 60) is None


def test_beyond_the_vanishing_point_of_an_axis_the_drag_holds() -> None:
    viewport = Viewport(Camera((2, -10, 3), (0, 0, 0), view_angle=60), SIZE)
    gizmo = mover(Sphere([0, 0, 0], 1))
    handle = Handle("body", "axis", 1)
    drag = gizmo.begin(viewport, handle, *middle_of(gizmo, viewport, handle))
    assert drag is not None
    away, _ = viewport.project([drag.grabbed, np.add(drag.grabbed, (0, 1e9, 0))])
    vanishing, towards = away[1], away[1] - away[0]
    assert offset_at(drag, viewport, *(away[0] + 0.5 * towards)) is not None
    assert offset_at(drag, viewport, *vanishing) is None
    assert offset_at(drag, viewport, *(vanishing + 0.7 * towards)) is None


def test_a_shape_behind_the_eye_has_no_handles() -> None:
    viewport = Viewport(Camera((0, -5, 0), (0, -10, 0)), SIZE)
    gizmo = mover(Sphere([0, 0, 0], 1))
    assert gizmo.handles(viewport) == {}
    assert gizmo.hit(viewport, 400, 300) is None
    assert gizmo.drawables(viewport) == ()


def test_one_end_before_the_eye_can_still_be_dragged() -> None:
    viewport = Viewport(Camera((0, -5, 0), (0, 0, 0)), SIZE)
    gizmo = mover(Segment([0, 0, 0], [0, -20, 0]))
    assert set(gizmo.handles(viewport)) == {Handle("start", "view")}


@pytest.mark.parametrize("size", [(400, 300), (800, 600), (1600, 900)])
@pytest.mark.parametrize("far", [1.0, 30.0])
def test_handles_have_a_constant_size_in_the_picture(size: tuple[int, int], far: float) -> None:
    viewport = Viewport(Camera((2 * far, -3 * far, 2 * far)), size)
    gizmo = mover(Sphere([0, 0, 0], 1))
    at = viewport.project(np.zeros(3))[0]
    for drawable in gizmo.drawables(viewport):
        if isinstance(drawable, Arrow):
            length = np.linalg.norm(viewport.project(drawable.end)[0] - at)
            foreshortened = np.linalg.norm(
                np.cross(drawable.end[0] / np.linalg.norm(drawable.end[0]), viewport.forward)
            )
            assert length == pytest.approx(AXIS_LENGTH * foreshortened, rel=0.15)


def test_handles_grow_with_a_picture_of_very_many_pixels() -> None:
    camera = Camera((6, -9, 7))
    small, large = (Viewport(camera, size) for size in ((1280, 960), (3840, 2880)))
    sizes = []
    for viewport in (small, large):
        arrows = [d for d in mover(Sphere([0, 0, 0], 1)).drawables(viewport) if isinstance(d, Arrow)]
        sizes.append([float(arrow.end.max()) for arrow in arrows])
    assert sizes[1] == pytest.approx(sizes[0])
    assert len(sizes[0]) == 3


def test_what_is_drawn_is_what_can_be_grabbed_and_the_hot_one_differs() -> None:
    gizmo = mover(Capsule([-1, 0, 0], [1, 0, 0], 0.3))
    hot = Handle("body", "axis", 1)
    drawn = gizmo.drawables(PERSPECTIVE, hot)
    assert len(drawn) == len(gizmo.handles(PERSPECTIVE)) == 9
    roles = sorted(str(d.role) for d in drawn if isinstance(d, Arrow | Patch | Marker))
    assert roles == sorted(["axis-x", "axis-z", "hot", "axis-x", "axis-y", "axis-z", "view-plane", "handle", "handle"])
    arrow = next(d for d in drawn if d.role is Role.HOT)  # type: ignore[union-attr]
    assert isinstance(arrow, Arrow)
    assert (arrow.end - arrow.start)[0, [0, 2]].tolist() == [0.0, 0.0]


def test_the_full_set_of_handles_can_stand_at_an_end() -> None:
    capsule = Capsule([-1, 0, 0], [1, 0, 0], 0.3)
    gizmo = mover(capsule, "end")
    handle = Handle("end", "axis", 2)
    x, y = middle_of(gizmo, PERSPECTIVE, handle)
    assert gizmo.hit(PERSPECTIVE, x, y) == handle
    dots = {h.part for h in gizmo.handles(PERSPECTIVE) if h.kind == "view"}
    assert dots == {"body", "start", "end"}


def test_the_tip_of_a_ray_turns_it_and_stays_under_the_cursor() -> None:
    ray = Ray([0, 0, 0], [1, 0, 0])
    gizmo = mover(ray)
    handle = Handle("tip", "view")
    x, y = middle_of(gizmo, FROM_ABOVE, handle)
    assert (x, y) == pytest.approx((400 + TIP_LENGTH, 300))
    drag = gizmo.begin(FROM_ABOVE, handle, x, y)
    assert drag is not None
    offset = offset_at(drag, FROM_ABOVE, 400, 500)
    assert offset is not None
    turned = with_part(ray, "tip", drag.at + offset)
    assert isinstance(turned, Ray)
    assert turned.direction == pytest.approx([0, 1, 0], abs=1e-12)
    assert np.array_equal(turned.origin, ray.origin)
    tip = gizmo.after(Move(offset, "tip", drag.at), Subject.of([turned])).parts(FROM_ABOVE)["tip"]
    assert FROM_ABOVE.project(tip)[0] == pytest.approx([400, 500], abs=1.0)


def test_a_tip_on_its_own_origin_would_point_nowhere_and_holds() -> None:
    viewport = Viewport(Camera((0, 0, 16), up=(0, 1, 0), parallel_height=6.0), SIZE)  # a pixel is 1/100, in binary: not
    gizmo = mover(Ray([0, 0, 0], [1, 0, 0]), reach=1.0)
    drag = gizmo.begin(viewport, Handle("tip", "view"), 500, 300)
    assert drag is not None
    held = [offset_at(drag, viewport, 400, 300), offset_at(drag, viewport, 400, 301)]
    assert held[0] is None
    assert held[1] is not None


@pytest.mark.parametrize("name", VIEWS)
def test_in_every_named_view_a_shape_can_be_moved_in_the_plane_that_is_seen(name: str) -> None:
    viewport = Viewport(frame(AABB([-1, -1, -1], [1, 1, 1]), name), SIZE)
    handles = mover(Sphere([0, 0, 0], 1)).handles(viewport)
    assert sum(handle.kind == "axis" for handle in handles) >= 2
    assert any(handle.kind == "plane" for handle in handles)


def test_parts_move_alone() -> None:
    capsule = Capsule([0, 0, 0], [0, 0, 2], 0.5)
    assert with_part(capsule, "start", [1, 0, 0]) == Capsule([1, 0, 0], [0, 0, 2], 0.5)
    assert with_part(capsule, "end", [1, 0, 0]) == Capsule([0, 0, 0], [1, 0, 0], 0.5)
    assert with_part(capsule, "body", [0, 0, 5]) == Capsule([0, 0, 4], [0, 0, 6], 0.5)
    assert with_part(Line([1, 0, 0], [1, 0, 0]), "tip", [1, 3, 0]) == Line([1, 0, 0], [0, 1, 0])
    with pytest.raises(ValueError, match="the sphere has no end that could be moved"):
        with_part(Sphere([0, 0, 0], 1), "end", [1, 0, 0])
    with pytest.raises(ValueError, match="direction"):
        with_part(Ray([1, 2, 3], [1, 0, 0]), "tip", [1, 2, 3])
