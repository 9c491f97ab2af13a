"""A picture's records in the world do not depend on the camera or on the picture's size: a stage finds what follows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from collision import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Scene, Segment, Show, Sphere
from viewer.files.catalogue import find_lessons
from viewer.files.loading import read
from viewer.picture.handles import handle_marks
from viewer.picture.present import present
from viewer.records.drawables import Bar, Drawable, ExplanationPanel, Gallery, Panel, Timeline
from viewer.records.protocol import with_ids
from viewer.session import Session

#: What is of the screen by its nature, and left out here. Panels: how much they say follows from the picture's size.
#: `handle_marks`: handles are as large in every picture, and those that cannot be dragged in a view are not there; the
#: rectangle of a selection is drawn in pixels. Which shapes between the eye and a pair are faded is the session's
#: choice, `Selection.faded`, as a press takes what is behind them: no session here has any.
PANELS = Panel, Bar, Gallery, ExplanationPanel, Timeline

#: Two views, and the sizes of their pictures: far on one side, and near above where tiny shapes have a size.
VIEWS = (("iso", 0.0, (1280, 960)), ("z", 9.0, (300, 200)))


def example(name: str) -> Session:
    return Session(read(name).scene)


def all_kinds() -> Session:
    shapes = {
        "floor": HalfSpace([0, 0, -0.5], [0, 0, 1]),
        "wall": HalfSpace([-3, 0, 0], [1, 0.2, 0]),
        "ball": Sphere([0, 0, 0], 1),
        "arm": Capsule([0.5, 0, 0], [3, 0, 1], 0.4),
        "box": OrientedBox([0, 3, 0], np.eye(3), [1, 0.5, 0.3]),
        "aabb": AABB([0.5, 2, -1], [4, 4, 0]),
        "edge": Segment([-2, -2, 0], [2, -2, 1]),
        "ray": Ray([-5, 0, 0], [1, 0, 0]),
        "line": Line([0, 0, 2], [0, 1, 0.5]),
        "P": Point([2, -2, 2]),
        "grain": Sphere([5, 5, 0], 1e-4),
        "wire": Capsule([-4, 4, 0], [4, 5, 0], 1e-4),
        "plate": AABB([5, -2, 0], [8, 2, 1e-5]),
    }
    queries = (
        ("contact", "ball", "arm"),
        ("crossings", "line", "ball"),
        ("raycast", "ray", "ball"),
        ("foot", "P", "edge"),
    )
    return Session(Scene(shapes, shows=[Show(*query) for query in queries]))


def with_all_shown() -> Session:
    session = all_kinds()
    session.settings.set_margin(2.0)
    for name in ("distances", "normals", "contacts", "boxes", "ghost"):
        session.settings.toggle(name)
    return session


def selected() -> Session:
    session = Session(
        Scene(
            {
                "nut": Sphere([0, 0, 0], 1),
                "bolt": Capsule([0, 0, 0], [0, 0, 3], 0.3),
                "lid": AABB([-2, -2, 0.5], [2, 2, 4]),
            }
        )
    )
    session.select_many(["nut", "bolt"])
    return session


def explained(a: str, b: str, query: str, step: int) -> Session:
    session = all_kinds()
    session.explaining.explain(a, b, query=query)
    session.explaining.turn_step(step)
    return session


def crowd() -> Session:
    places = np.random.default_rng(1).uniform(-10.0, 10.0, (2, 500, 3))
    arms = Capsule(places[1], places[1] + 1.0, 0.3)
    return Session(Scene({"balls": Sphere(places[0], 0.7), "arms": arms}))


SESSIONS: dict[str, Callable[[], Session]] = {
    **{name: lambda name=name: example(name) for name in ("first", "sweep", "rays", "slope", "level_sets")},
    **{f"lesson {each.name}": lambda name=each.name: example(name) for each in find_lessons()},
    "half-spaces and lines": all_kinds,
    "all shown": with_all_shown,
    "selected": selected,
    **{
        f"{query} {a} {b} step {k}": lambda case=(a, b, query, k): explained(*case)
        for a, b, query in (("ball", "arm", "contact"), ("line", "ball", "crossings"), ("ray", "box", "raycast"))
        for k in range(4)
    },
    "1,000 shapes": crowd,
}


def seen_from(session: Session, side: str, clicks: float, size: tuple[int, int]) -> dict[str, Drawable]:
    """Return the records of a picture from a side, nearer by some clicks, without panels and handles."""
    session.view.resize(size)
    session.view.look(side)
    session.view.zoom(clicks)
    handles = handle_marks(session)
    records = [each for each in present(session) if not isinstance(each, PANELS) and each not in handles]
    return with_ids(records)


@pytest.mark.parametrize("name", SESSIONS)
def test_records_do_not_change_with_the_camera_or_the_size_of_the_picture(name: str) -> None:
    session = SESSIONS[name]()
    far, near = (seen_from(session, *view) for view in VIEWS)
    differ = [id for id in {**far, **near} if far.get(id) != near.get(id)]
    assert differ == []
