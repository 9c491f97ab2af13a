"""What handles keep is what is made anew, and a drag follows lines and planes as far as they are seen."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from collision import (
    AABB,
    Camera,
    Capsule,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Sphere,
)
from viewer.gizmo import GIZMOS, Gizmo, Handle, Turner
from viewer.gizmo import handles as common
from viewer.gizmo.handles import on_line, on_plane, view_frame
from viewer.gizmo.translating import _outline
from viewer.picture.drawables import Drawable
from viewer.session import Session
from viewer.view.camera import Viewport

SIZE = (640, 480)


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
            middle = session.viewport.project(session.gizmo.subject.middle)[0]
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
