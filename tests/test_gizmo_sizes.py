"""The handles of sizes: what is grabbed stays under the cursor, the other side stays in place, nothing is negative."""

from __future__ import annotations

import numpy as np
import pytest

from collision import AABB, Camera, Capsule, ConvexHull, Line, OrientedBox, Point, Ray, Segment, Shape, Sphere
from viewer.camera.camera import Viewport
from viewer.camera.framing import VIEWS, frame
from viewer.gizmo import Handle, Resize, Scale, Sizer, SnapOptions, Subject, sizes
from viewer.gizmo.changes import resized
from viewer.gizmo.sizing import NEAREST_DOT, SCALE_REACH
from viewer.records.drawables import Marker, Role

SIZE = (800, 600)
PERSPECTIVE = Viewport(Camera((6, -9, 7)), SIZE)
PARALLEL = Viewport(Camera((6, -9, 7), parallel_height=6.0), SIZE)
VIEWPORTS = [PERSPECTIVE, PARALLEL]
FREE = SnapOptions()

AXES = np.array([[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1]])
SHAPES: list[Shape] = [
    Sphere([0.5, 0, 1], 0.7),
    Capsule([0, -1, 0], [0.5, 0, 2], 0.5),
    Segment([0, 0, 0], [2, 1, 1]),
    AABB([0, 0, 0], [1, 2, 1]),
    OrientedBox([0, 0, 1], AXES, [1, 1.5, 0.8]),
    ConvexHull([[-1, -1, 0], [1, -1, 0.2], [0.5, 1.2, 0], [0, 0.1, 1.8]], 0.1),
]


def sizer(*shapes: Shape) -> Sizer:
    return Sizer(Subject.of(shapes))


def pixel(viewport: Viewport, point: np.ndarray) -> tuple[float, float]:
    x, y = viewport.project(np.asarray(point))[0]
    return float(x), float(y)


def change_at(shape: Shape, viewport: Viewport, handle: Handle, by: float, snap: SnapOptions = FREE) -> Resize:
    """Drag a handle outwards by a length in the world, and return what comes of it."""
    gizmo = sizer(shape)
    at = gizmo.handles(viewport)[handle]
    out = (at - gizmo.subject.middle) / np.linalg.norm(at - gizmo.subject.middle)
    drag = gizmo.begin(viewport, handle, *pixel(viewport, at))
    assert drag is not None
    change = drag.update(viewport, *pixel(viewport, at + by * out), snap, None)
    assert isinstance(change, Resize)
    return change


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=["perspective", "parallel"])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_every_handle_is_hit_where_it_is_drawn_and_follows_the_cursor(shape: Shape, viewport: Viewport) -> None:
    gizmo = sizer(shape)
    handles = gizmo.handles(viewport)
    assert len(handles) == {"Sphere": 1, "Capsule": 3, "Segment": 2}.get(type(shape).__name__, 6)
    drawn = np.concatenate([d.points for d in gizmo.drawables(viewport) if isinstance(d, Marker)])
    assert np.array_equal(drawn, np.stack(list(handles.values())))
    for handle, at in handles.items():
        assert gizmo.hit(viewport, *pixel(viewport, at)) == handle
        fine = viewport.units_per_pixel(at)  # to which sizes are rounded
        for by in (0.6, -0.2):
            change = change_at(shape, viewport, handle, by)
            after = resized(shape, change.name, change.value, change.side, change.along)
            there = sizer(after).handles(viewport)[handle]
            out = (at - gizmo.subject.middle) / np.linalg.norm(at - gizmo.subject.middle)
            if handle.kind != "radius":  # that one turns to the view anew
                assert there == pytest.approx(at + by * out, abs=fine)
            assert change.value == pytest.approx(sizes(shape)[change.name] + by, abs=fine)


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=["perspective", "parallel"])
@pytest.mark.parametrize("shape", SHAPES[1:], ids=lambda shape: type(shape).__name__)
def test_the_other_side_stays_and_with_both_the_middle_does(shape: Shape, viewport: Viewport) -> None:
    for handle in sizer(shape).handles(viewport):
        if handle.kind == "radius":
            continue
        opposite = handle._replace(side=-handle.side, part={"start": "end", "end": "start"}.get(handle.part, "body"))  # type: ignore[arg-type]
        for both in (False, True):
            change = change_at(shape, viewport, handle, 0.5, SnapOptions(both=both))
            after = resized(shape, change.name, change.value, change.side, change.along)
            before_handles, after_handles = sizer(shape).handles(viewport), sizer(after).handles(viewport)
            still = [before_handles[opposite], after_handles[opposite]]
            middles = [sizer(shape).subject.middle, sizer(after).subject.middle]
            assert np.allclose(*(middles if both else still), atol=1e-12)
            assert not np.allclose(*(still if both else middles), atol=0.1)
            expected, fine = sizes(shape)[change.name] + (1.0 if both else 0.5), viewport.units_per_pixel(middles[0])
            assert change.value == pytest.approx(expected, abs=fine)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_sizes_stop_at_zero_and_come_back_from_there(shape: Shape) -> None:
    for handle in sizer(shape).handles(PERSPECTIVE):
        for both in (False, True):
            change = change_at(shape, PERSPECTIVE, handle, -4.0, SnapOptions(both=both))
            assert change.value == 0.0
            flat = resized(shape, change.name, change.value, change.side, change.along)
            assert sizes(flat)[change.name] == 0.0
            assert handle in sizer(flat).handles(PERSPECTIVE) or handle.kind == "end"
            grown = change_at(flat, PERSPECTIVE, next(iter(sizer(flat).handles(PERSPECTIVE))), 0.5)
            assert grown.value > 0.0


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(
    "shape",
    [
        Sphere([1, 1, 1], 0),
        Capsule([1, 1, 1], [1, 1, 1], 0),
        Segment([1, 1, 1], [1, 1, 1]),
        AABB([1, 1, 1], [1, 1, 1]),
        OrientedBox([1, 1, 1], np.eye(3), [0, 0, 0]),
    ],
    ids=lambda shape: type(shape).__name__,
)
def test_what_has_no_size_has_handles_apart_in_every_view(shape: Shape, view: str) -> None:
    viewport = Viewport(frame(AABB([0, 0, 0], [3, 3, 3]), view), SIZE)
    gizmo = sizer(shape)
    handles = gizmo.handles(viewport)
    assert len(handles) >= {"Sphere": 1, "Capsule": 3, "Segment": 2}.get(type(shape).__name__, 4)
    pixels = viewport.project(np.stack(list(handles.values())))[0]
    middle = np.array(pixel(viewport, gizmo.subject.middle))
    assert (np.linalg.norm(pixels - middle, axis=1) > 0.5 * NEAREST_DOT).all()
    for handle, at in zip(handles, pixels, strict=True):
        assert gizmo.hit(viewport, *at) == handle
        drag = gizmo.begin(viewport, handle, *at)
        assert drag is not None
        change = drag.update(viewport, *(at + 2.0 * (at - middle)), FREE, None)
        assert isinstance(change, Resize)
        assert change.value > 0.0
        after = resized(shape, change.name, change.value, change.side, change.along)
        assert sizes(after)[change.name] == pytest.approx(change.value)


@pytest.mark.parametrize("name", [name for name in VIEWS if name != "iso"])
def test_a_face_that_looks_at_the_viewer_has_no_handle(name: str) -> None:
    viewport = Viewport(frame(AABB([-1, -1, -1], [1, 1, 1]), name), SIZE)
    axis = "xyz".index(name.removeprefix("-"))
    gizmo = sizer(AABB([-1, -1, -1], [1, 1, 1]))
    assert {handle.axis for handle in gizmo.handles(viewport)} == {0, 1, 2} - {axis}
    assert gizmo.begin(viewport, Handle("body", "face", axis, 1), 400, 300) is None


def test_a_capsule_seen_end_on_still_has_a_radius() -> None:
    viewport = Viewport(Camera((0, 0, 10), up=(0, 1, 0)), SIZE)
    assert set(sizer(Capsule([0, 0, -1], [0, 0, 1], 0.5)).handles(viewport)) == {Handle("body", "radius")}


def test_faces_on_the_far_side_are_faint() -> None:
    gizmo = sizer(AABB([0, 0, 0], [1, 1, 1]))
    roles = [d.role for d in gizmo.drawables(PARALLEL, Handle("body", "face", 2, 1)) if isinstance(d, Marker)]
    far = [Role.AXIS_X_FAINT, Role.AXIS_Y_FAINT, Role.AXIS_Z_FAINT]
    assert roles == [Role.AXIS_X, far[0], far[1], Role.AXIS_Y, Role.HOT, far[2]]


@pytest.mark.parametrize("viewport", VIEWPORTS, ids=["perspective", "parallel"])
def test_sizes_snap_to_whole_steps(viewport: Viewport) -> None:
    box = AABB([0.1, 0, 0], [1, 2, 1])
    change = change_at(box, viewport, Handle("body", "face", 0, 1), 0.33, SnapOptions(step=0.5))
    assert change.value == 1.0
    assert change_at(box, viewport, Handle("body", "face", 0, 1), 0.33, SnapOptions(step=0.1, both=True)).value == 1.6


@pytest.mark.parametrize("shape", [Point([0, 0, 0]), Ray([0, 0, 0], [1, 0, 0]), Line([0, 0, 0], [1, 0, 0])])
def test_what_can_have_no_size_says_so(shape: Shape) -> None:
    gizmo = sizer(shape)
    assert gizmo.note == f"a {type(shape).__name__.lower()} has no size"
    assert gizmo.handles(PERSPECTIVE) == {}
    assert gizmo.drawables(PERSPECTIVE) == ()


def test_behind_the_eye_there_are_no_handles() -> None:
    viewport = Viewport(Camera((0, -5, 0), (0, -10, 0)), SIZE)
    gizmo = sizer(AABB([0, 0, 0], [1, 1, 1]))
    assert (gizmo.handles(viewport), gizmo.drawables(viewport), gizmo.hit(viewport, 400, 300)) == ({}, (), None)


@pytest.mark.parametrize(
    "shapes",
    [(Sphere([[0, 0, 0], [2, 0, 0]], 0.5),), (Sphere([0, 0, 0], 0.5), Ray([2, 0, 0], [0, 1, 0]))],
    ids=["batch", "several"],
)
def test_several_shapes_are_scaled(shapes: tuple[Shape, ...]) -> None:
    gizmo = sizer(*shapes)
    ((handle, at),) = gizmo.handles(PARALLEL).items()
    x, y = pixel(PARALLEL, at)
    middle = pixel(PARALLEL, gizmo.subject.middle)
    assert (x - middle[0], y - middle[1]) == pytest.approx((SCALE_REACH, 0))
    drag = gizmo.begin(PARALLEL, handle, x, y)
    assert drag is not None
    for reach, factor in ((1.0, 1.0), (2.0, 2.0), (0.5, 0.5), (-1.0, 0.0)):
        change = drag.update(PARALLEL, middle[0] + reach * SCALE_REACH, y + 5, FREE, None)
        assert isinstance(change, Scale)
        assert change.factor == pytest.approx(factor, abs=1e-9)
        held = gizmo.after(change, gizmo.subject).handles(PARALLEL)[handle]
        assert pixel(PARALLEL, held)[0] == pytest.approx(middle[0] + factor * SCALE_REACH)
    snapped = drag.update(PARALLEL, middle[0] + 1.234 * SCALE_REACH, y, SnapOptions(step=5.0), None)
    assert isinstance(snapped, Scale)
    assert snapped.factor == 1.2
    assert gizmo.along("factor") == handle
    assert gizmo.measured(handle, change) == (0.0,)


def test_sizes_by_name() -> None:
    box = sizer(AABB([0, 0, 0], [1, 2, 1]))
    assert box.fields(None) == ("x", "y", "z")
    assert box.fields(box.along("y")) == ("y",)
    with pytest.raises(ValueError, match="there is no size 'radius' here, but x, y, z"):
        box.along("radius")
    capsule = sizer(Capsule([0, 0, 0], [0, 0, 2], 0.5))
    assert capsule.fields(None) == ("radius", "length")
    change = capsule.typed(None, [None, 3.0], PERSPECTIVE)
    assert capsule.measured(None, change) == (0.5, 3.0)
