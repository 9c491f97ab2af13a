"""What a drag works out in plain numbers is what `collision` says, and what handles keep is what is made anew."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import (
    AABB,
    Camera,
    Capsule,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Sphere,
    closest_points,
    raycast,
)
from viewer.gizmo import GIZMOS, Gizmo, Handle, Turner
from viewer.gizmo import handles as common
from viewer.gizmo.handles import ALONG_LINE, PLANE_REACH, on_line, on_plane, view_frame
from viewer.gizmo.translating import _outline
from viewer.picture.drawables import Drawable
from viewer.session import Session
from viewer.view.camera import Viewport

SIZE = (640, 480)


def a_view(rng: np.random.Generator, at: np.ndarray, size: float) -> Viewport:
    """Return a view of about a size of what is about a point, in perspective or parallel."""
    position, target = at + size * rng.normal(size=(2, 3))
    height = float(size * rng.uniform(0.1, 5.0)) if rng.integers(2) else None
    angle = float(rng.uniform(1.0, 100.0))
    return Viewport(Camera(position.tolist(), target.tolist(), view_angle=angle, parallel_height=height), SIZE)


def a_view_and_a_place(rng: np.random.Generator, *, far: bool) -> tuple[Viewport, np.ndarray]:
    """Return a view and a point in it, of any size; far from the origin, too."""
    size, away = 10.0 ** rng.integers(-6, 7), 10.0 ** rng.integers(0, 4) * far
    there = away * size * rng.normal(size=3)
    return a_view(rng, there, size), there + size * rng.normal(size=3)


def test_the_point_of_a_plane_is_where_the_ray_meets_a_flat_box() -> None:
    rng, met = np.random.default_rng(5), 0
    for number in range(1500):
        view, at = a_view_and_a_place(rng, far=number % 3 == 0)
        axes = [np.eye(3), view_frame(view), Rotation.random(rng=rng).as_matrix()][number % 3]
        frame = OrientedBox([0, 0, 0], axes, [1, 1, 1]).axes
        x, y = (rng.uniform(-0.5, 1.5, 2) * SIZE).tolist()
        reach = PLANE_REACH * np.linalg.norm(at - view.eye)
        hit = raycast(view.ray(x, y), OrientedBox(at, frame, [reach, reach, 0.0]))
        found = on_plane(view, at, frame, x, y)
        assert (found is not None) == bool(hit.hit and hit.enter > 0.0)
        if found is not None:
            met += 1
            size = max(np.abs(found).max(), np.abs(at).max(), np.linalg.norm(view.eye))
            assert np.abs(found - hit.point).max() <= 4e-15 * size
    assert 500 < met < 1400


def test_the_point_of_a_line_is_the_one_nearest_to_the_ray() -> None:
    rng, met = np.random.default_rng(6), 0
    for number in range(1500):
        view, at = a_view_and_a_place(rng, far=number % 3 == 0)
        x, y = (rng.uniform(-0.5, 1.5, 2) * SIZE).tolist()
        ray = view.ray(x, y)
        aside = 10.0 ** -rng.uniform(0.0, 3.0) * rng.normal(size=3)  # some lines are seen nearly end on
        line = Line(at, [ray.direction + aside, np.eye(3)[number % 3]][number % 2])
        sine = float(np.linalg.norm(np.cross(ray.direction, line.direction)))
        nearest = closest_points(line, ray)
        before_eye = (nearest.on_b - ray.origin) @ ray.direction > 0.0
        found = on_line(view, at, line.direction, x, y)
        assert (found is not None) == bool(before_eye and sine >= ALONG_LINE)
        if found is not None:
            met += 1
            coordinates = max(np.abs(v).max() for v in (at, view.eye, found))
            assert np.abs(found - nearest.on_a).max() <= 1e-14 * coordinates / sine
    assert 300 < met < 1400


def test_beyond_the_horizon_and_behind_the_eye_there_is_no_point() -> None:
    view, flat = Viewport(Camera((0, -10, 1), (0, 0, 1)), SIZE), np.eye(3)
    x, y = 0.5 * np.array(SIZE)
    assert on_plane(view, np.zeros(3), flat, x, y) is None  # along the plane
    assert on_plane(view, np.zeros(3), flat, x, y + 50) is None  # upwards, away from it
    assert on_plane(view, np.zeros(3), flat, x, y - 1e-3) is None  # too far off
    assert on_plane(view, np.zeros(3), flat, x, y - 50) is not None
    assert on_line(view, np.zeros(3), np.array([0.0, 1.0, 0.0]), x, y) is None  # end on
    assert on_line(view, np.array([0.0, -20.0, 0.0]), flat[0], x, y) is None  # behind the eye


SCENE = Scene(
    {
        "ball": Sphere([0, 0, 0], 1),
        "upright": AABB([1.5, -1, -1], [3, 1, 1]),
        "crate": OrientedBox([0, 3, 0], np.array([[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]]), [1, 0.5, 0.5]),
        "arm": Capsule([-3, 0, 0], [-3, 1, 2], 0.4),
        "dot": Capsule([-1, 0, 3], [-1, 0, 3], 0.4),
        "edge": Segment([0, -3, 0], [2, -3, 1]),
        "ray": Ray([-3, -3, 0], [0, 1, 0.2]),
        "point": Point([-2, -2, 0]),
        "crowd": Sphere([[5, 0, 0], [5, 1.2, 0], [5, 3, 0]], [0.5, 0.75, 0.5]),
    }
)


def bits(drawables: tuple[Drawable, ...]) -> list[tuple[object, ...]]:
    """Return all that there is in some drawables."""
    return [
        (type(drawable), *(v.tolist() if isinstance(v, np.ndarray) else v for v in vars(drawable).values()))
        for drawable in drawables
    ]


def made_anew(gizmo: Gizmo, viewport: Viewport, hot: Handle | None) -> tuple[Drawable, ...]:
    """Return the drawables of handles that nothing is known of."""
    for kept in (_outline, view_frame, common._plane_frames):
        kept.forget()
    values = {field.name: getattr(gizmo, field.name) for field in dataclasses.fields(gizmo)}
    if isinstance(gizmo, Turner):
        values["still"] = None
    return type(gizmo)(**values).drawables(viewport, hot)


@pytest.mark.parametrize("seed", range(6))
def test_handles_that_are_kept_are_those_made_anew(seed: int) -> None:
    rng, seen, dragged = np.random.default_rng(seed), 0, 0
    session, names = Session(SCENE, size=SIZE), [*SCENE.shapes, "crowd[1]"]
    session.select(names[seed])
    for _ in range(40):
        act = rng.integers(12)
        if act == 0:
            session.select_many(rng.choice(names, size=rng.integers(1, 3), replace=False).tolist())
        elif act == 1:
            session.set_mode(rng.choice(list(GIZMOS)))
        elif act == 2:
            session.switch_axes()
        elif act == 3:
            session.orbit(*rng.uniform(-200, 200, 2).tolist())
        elif act == 4:
            session.zoom(float(rng.choice([-1.0, 1.0])))
        elif act == 5 and rng.integers(2):
            session.switch_projection()
        elif session.gizmo is not None and not session.dragging:
            middle = session.viewport.project(session.gizmo.subject.middle)[0][0]
            near = (middle + rng.uniform(-120, 120, (40, 2))).tolist()
            x, y = next((at for at in near if session.gizmo.hit(session.viewport, *at)), near[0])
            session.press(x, y)
        for _ in range(3):
            x, y = (rng.uniform(0.0, 1.0, 2) * SIZE).tolist()
            session.move(x, y, ctrl=bool(rng.integers(2)))
            gizmo = session.gizmo
            if gizmo is not None:
                shown = session.handles
                assert session.handles is shown
                assert bits(shown) == bits(made_anew(gizmo, session.viewport, session.hot))
                seen, dragged = seen + len(shown), dragged + session.dragging
        if rng.integers(3) == 0:
            session.release(x, y)
    assert seen > 150
    assert dragged > 10
