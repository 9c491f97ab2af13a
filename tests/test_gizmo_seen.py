"""Where on a line or on a plane a pixel is: what a drag grabs and follows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import Camera, Line, OrientedBox
from viewer.camera.camera import Viewport
from viewer.gizmo.handles import ALONG_LINE, PLANE_REACH, plane_at, seen_at, view_frame

SIZE = (640, 480)


def a_view_and_a_place(rng: np.random.Generator, *, far: bool) -> tuple[Viewport, np.ndarray]:
    """Return a view, in perspective or parallel, and a point in it, of any size; far from the origin, too."""
    size, away = 10.0 ** rng.integers(-6, 7), 10.0 ** rng.integers(0, 4) * far
    there = away * size * rng.normal(size=3)
    position, target = there + size * rng.normal(size=(2, 3))
    height = float(size * rng.uniform(0.1, 5.0)) if rng.integers(2) else None
    angle = float(rng.uniform(1.0, 100.0))
    camera = Camera(position.tolist(), target.tolist(), view_angle=angle, parallel_height=height)
    return Viewport(camera, SIZE), there + size * rng.normal(size=3)


def size_of(*points: np.ndarray) -> float:
    return max(float(np.abs(point).max()) for point in points)


def test_the_point_of_a_plane_lies_on_it_and_on_the_ray_of_the_pixel() -> None:
    rng, met = np.random.default_rng(5), 0
    for number in range(600):
        view, at = a_view_and_a_place(rng, far=number % 3 == 0)
        axes = [np.eye(3), view_frame(view), Rotation.random(rng=rng).as_matrix()][number % 3]
        frame = OrientedBox([0, 0, 0], axes, [1, 1, 1]).axes
        x, y = (rng.uniform(-0.5, 1.5, 2) * SIZE).tolist()
        ray, normal = view.ray(x, y), frame[:, 2]
        found = seen_at(view, plane_at(view, at, frame), x, y)
        fall = float(ray.direction @ normal)
        there = ray.origin + ray.direction * ((at - ray.origin) @ normal / fall)
        before_eye = (there - ray.origin) @ ray.direction > 0.0
        beyond = np.abs((there - at) @ frame[:, :2]).max() > PLANE_REACH * np.linalg.norm(at - view.eye)
        assert (found is not None) == (before_eye and not beyond)
        if found is not None:
            met += 1
            assert np.abs(found - there).max() <= 1e-14 * size_of(found, at, view.eye) / abs(fall)
    assert 200 < met < 560


def test_the_point_of_a_line_is_the_one_nearest_to_the_ray() -> None:
    rng, met = np.random.default_rng(6), 0
    for number in range(600):
        view, at = a_view_and_a_place(rng, far=number % 3 == 0)
        x, y = (rng.uniform(-0.5, 1.5, 2) * SIZE).tolist()
        ray = view.ray(x, y)
        aside = 10.0 ** -rng.uniform(0.0, 3.0) * rng.normal(size=3)  # some lines are seen nearly end on
        line = Line(at, [ray.direction + aside, np.eye(3)[number % 3]][number % 2])
        across = np.cross(ray.direction, line.direction)
        sine = float(np.linalg.norm(across))
        found = seen_at(view, line, x, y)
        if found is None:
            on_ray = ray.origin - ray.direction * ((ray.origin - at) @ np.cross(line.direction, across)) / sine**2
            assert sine < ALONG_LINE or (on_ray - ray.origin) @ ray.direction <= 0.0
            continue
        met += 1
        assert sine >= ALONG_LINE
        size = size_of(at, view.eye, found)
        assert np.linalg.norm(np.cross(found - at, line.direction)) <= 1e-14 * size
        # From the point of a line that is nearest to another, the way to that is square to the line.
        way = found - ray.origin
        way = way - (way @ ray.direction) * ray.direction
        assert abs(float(way @ line.direction)) <= 1e-13 * size / sine
    assert 120 < met < 560


def test_beyond_the_horizon_and_behind_the_eye_there_is_no_point() -> None:
    view = Viewport(Camera((0, -10, 1), (0, 0, 1)), SIZE)
    x, y = 0.5 * np.array(SIZE)
    flat = plane_at(view, np.zeros(3), np.eye(3))
    assert seen_at(view, flat, x, y) is None  # along the plane
    assert seen_at(view, flat, x, y + 50) is None  # upwards, away from it
    assert seen_at(view, flat, x, y - 1e-3) is None  # too far off
    found = seen_at(view, flat, x, y - 50)
    assert found is not None
    assert view.project(found)[0] == pytest.approx([x, y - 50])
    assert seen_at(view, Line([0, 0, 0], [0, 1, 0]), x, y) is None  # end on
    assert seen_at(view, Line([0, -20, 0], [1, 0, 0]), x, y) is None  # behind the eye
