"""The camera's arithmetic, against VTK's own projection and against its contract."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow

from collision import AABB, Camera
from tests.cases import check_each
from viewer.camera.camera import Viewport
from viewer.camera.framing import VIEWS, frame

SIZE = (640, 400)
CAMERAS = [
    Camera((4, -6, 5)),
    Camera((4, -6, 5), (1, 0.5, 2), (0.1, 1, 0.3), 55.0),
    Camera((0, 0, 9), (0, 0, 0), (0, 1, 0), 20.0),
    Camera((4, -6, 5), parallel_height=4.5),
    Camera((1e3 + 4, -6, 5), (1e3, 0, 0), view_angle=12.0),
]


LENSES = {False: None, True: Camera((1, 0, 0), parallel_height=1.0)}


def corners_of(box: AABB) -> np.ndarray:
    x, y, z = np.stack([box.lower, box.upper]).T
    return np.array([[a, b, c] for a in x for b in y for c in z])


@pytest.mark.parametrize("camera", CAMERAS)
def test_projection_agrees_with_vtk(camera: Camera) -> None:
    window, renderer = vtkRenderWindow(), vtkRenderer()
    window.SetOffScreenRendering(1)
    window.SetSize(*SIZE)
    window.AddRenderer(renderer)
    theirs = renderer.GetActiveCamera()
    theirs.SetPosition(camera.position)
    theirs.SetFocalPoint(camera.target)
    theirs.SetViewUp(camera.up)
    theirs.SetViewAngle(camera.view_angle)
    if camera.parallel_height is not None:
        theirs.ParallelProjectionOn()
        theirs.SetParallelScale(camera.parallel_height / 2)

    view = Viewport(camera, SIZE)
    points = np.array(camera.target) + np.random.default_rng(7).uniform(-1.0, 1.0, (40, 3))
    pixels, depth = view.project(points)
    theirs.SetClippingRange(depth.min() * 0.9, depth.max() * 1.1)
    for point, pixel in zip(points, pixels, strict=True):
        renderer.SetWorldPoint(*point, 1.0)
        renderer.WorldToDisplay()
        assert renderer.GetDisplayPoint()[:2] == pytest.approx(pixel, abs=1e-6)


@pytest.mark.parametrize("camera", CAMERAS)
def test_the_ray_of_a_pixel_passes_through_what_is_seen_there(camera: Camera) -> None:
    view = Viewport(camera, SIZE)
    points = np.array(camera.target) + np.random.default_rng(11).uniform(-2.0, 2.0, (40, 3))
    pixels, depth = view.project(points)
    for point, (x, y), far in zip(points, pixels, depth, strict=True):
        ray = view.ray(x, y)
        along = (point - ray.origin) @ ray.direction
        assert along > 0.0
        miss = np.linalg.norm(ray.origin + along * ray.direction - point)
        assert miss <= 1e-12 * (far + np.abs(point).max())


@pytest.mark.parametrize("camera", CAMERAS)
def test_units_per_pixel_is_the_step_from_a_pixel_to_the_next(camera: Camera) -> None:
    view = Viewport(camera, SIZE)
    point = np.add(camera.target, (0.3, -0.2, 0.4))
    step = view.units_per_pixel(point)
    pixels, _ = view.project([point, point + step * view.right, point + step * view.up])
    assert pixels[1] - pixels[0] == pytest.approx([1.0, 0.0], abs=1e-6)
    assert pixels[2] - pixels[0] == pytest.approx([0.0, 1.0], abs=1e-6)


@pytest.mark.parametrize("camera", CAMERAS)
def test_one_place_and_many_have_the_same_answers(camera: Camera) -> None:
    view = Viewport(camera, SIZE)
    points = np.array(camera.target) + np.random.default_rng(13).uniform(-2.0, 2.0, (4, 5, 3))
    pixels, depth = view.project(points)
    sizes, rays = view.units_per_pixel(points), view.ray(pixels[..., 0], pixels[..., 1])
    for place in np.ndindex(4, 5):
        pixel, far = view.project(points[place])
        assert pixel == pytest.approx(pixels[place], rel=1e-14)
        assert far == pytest.approx(depth[place], rel=1e-14)
        assert view.units_per_pixel(points[place]) == pytest.approx(sizes[place], rel=1e-14)
        assert view.ray(*pixels[place]) == rays[place]


def test_axes_are_a_right_handed_frame() -> None:
    view = Viewport(CAMERAS[1], SIZE)
    axes = np.stack([view.right, view.up, -view.forward])
    assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-15)
    assert np.linalg.det(axes) == pytest.approx(1.0)


def test_a_point_behind_the_eye_has_no_pixel_in_perspective() -> None:
    view = Viewport(Camera((0, 0, 10), up=(0, 1, 0)), SIZE)
    pixels, depth = view.project([[0, 0, 11], [0, 0, 10], [0, 0, 9]])
    assert np.isnan(pixels).all(axis=1).tolist() == [True, True, False]
    assert depth.tolist() == [-1.0, 0.0, 1.0]
    assert np.isnan(view.units_per_pixel((0, 0, 11)))


@pytest.mark.parametrize(
    ("name", "right", "up"), [("x", "y", "z"), ("-y", "x", "z"), ("z", "x", "y"), ("-z", "-x", "y")]
)
def test_named_views_show_the_axes_that_one_expects(name: str, right: str, up: str) -> None:
    axis = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1), "-x": (-1, 0, 0)}
    view = Viewport(frame(None, name), SIZE)
    assert view.right == pytest.approx(np.array(axis[right]), abs=1e-15)
    assert view.up == pytest.approx(np.array(axis[up]), abs=1e-15)
    towards_eye = np.array(VIEWS[name].towards_eye)
    assert view.forward == pytest.approx(-towards_eye / np.linalg.norm(towards_eye), abs=1e-15)


coordinate = st.floats(-1e3, 1e3, width=32)
extent = st.floats(0.5, 50.0, width=32)


@given(
    center=st.tuples(coordinate, coordinate, coordinate),
    half=st.tuples(extent, extent, extent),
    view=st.sampled_from(sorted(VIEWS)) | st.just((0.3, 2.0, -1.1)),
    parallel=st.booleans(),
    margin=st.floats(0.0, 0.3),
    aspect=st.sampled_from([0.5, 1.0, 1.6]),
)
def test_a_framed_box_fills_the_free_part_of_the_picture(center, half, view, parallel, margin, aspect) -> None:
    box = AABB(np.subtract(center, half), np.add(center, half))
    # The thinnest side is at least 1/100 of the longest here; thinner ones than 1/20 are framed as if they were that.
    size = (round(1000 * aspect), 1000)
    camera = frame(box, view, aspect, margin=margin, lens=LENSES[parallel])
    thick = np.maximum(half, 0.05 * max(half))
    pixels, depth = Viewport(camera, size).project(corners_of(AABB(center - thick, center + thick)))
    assert depth.min() > 0.0
    low, high = pixels.min(axis=0) / size, pixels.max(axis=0) / size
    assert low == pytest.approx(np.maximum(low, margin), abs=1e-6)
    assert high == pytest.approx(np.minimum(high, 1.0 - margin), abs=1e-6)
    # On the tighter axis both edges are reached: there is no larger picture of it.
    tighter = np.argmax(high - low)
    assert (high - low)[tighter] == pytest.approx(1.0 - 2.0 * margin, abs=1e-6)


@pytest.mark.parametrize("parallel", [False, True])
def test_many_boxes_are_framed_more_closely_than_the_box_around_them(parallel: bool) -> None:
    # In a row that rises from left to right: their common box has corners above on the left, with nothing there.
    lower = np.array([[-5, -5, -5], [0, 0, 0], [4, 4, 4]])
    boxes = AABB(lower, lower + 1.0)
    close, wide = (frame(box, "iso", 1.6, margin=0.05, lens=LENSES[parallel]) for box in (boxes, AABB.union(boxes)))
    corners = np.concatenate([corners_of(box) for box in boxes])
    size = (1600, 1000)
    for camera, tight in ((close, True), (wide, False)):
        pixels, _ = Viewport(camera, size).project(corners)
        filled = (pixels.max(axis=0) - pixels.min(axis=0)) / size
        assert bool(abs(filled.max() - 0.9) < 1e-9) is tight
        assert (pixels.min(axis=0) >= 0.05 * np.array(size) - 1e-6).all()
        assert (pixels.max(axis=0) <= 0.95 * np.array(size) + 1e-6).all()


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize(
    "box",
    [
        None,
        AABB([0, 0, 0], [0, 0, 0]),
        AABB([1e6, 0, 0], [1e6, 0, 0]),
        AABB([1e15, 2e15, 0], [1e15, 2e15, 0]),
        AABB([-5, 1, 1], [5, 1, 1]),
        AABB([-5, -5, 0], [5, 5, 0]),
        AABB([1e-9, 0, 0], [2e-9, 1e-9, 1e-9]),
        AABB([-1e30, 0, 0], [1e30, 1, 1]),
        AABB(np.zeros((0, 3)), np.zeros((0, 3))),
        AABB([[-1, 2, 3], [1, 2, 3]], [[-1, 2, 3], [1, 2, 3]]),
    ],
)
def test_bounds_without_a_size_are_framed_too(box: AABB | None, parallel: bool) -> None:
    middle = np.zeros(3) if box is None or 0 in box.batch_shape else AABB.union(box).center

    def check(view: str) -> None:
        pixels, depth = Viewport(frame(box, view, lens=LENSES[parallel]), SIZE).project([middle])
        # Perspective shifts the middle of a box a little off the middle of its outline.
        assert pixels[0] / SIZE == pytest.approx([0.5, 0.5], abs=0.1)
        assert depth[0] > 0.0

    check_each(VIEWS, check)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"view": "up"}, "view must be one of iso, x, y, z, -x, -y, -z, got 'up'"),
        ({"view": (0, 0, 0)}, "view must be a name or a direction"),
        ({"margin": 0.5}, "margin must be from 0"),
        ({"aspect": 0.0}, "aspect must be positive"),
    ],
)
def test_what_cannot_be_framed_is_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        frame(AABB([0, 0, 0], [1, 1, 1]), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [(0, 100), (100, np.nan), (np.inf, 100), (100,), "xy", ("100", "100"), None, 100])
def test_a_picture_has_a_size(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="two positive numbers of pixels"):
        Viewport(Camera((1, 1, 1)), size)
