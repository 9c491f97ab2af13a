"""Very many shapes in a session: a key asks for arrays, and not for each shape by itself."""

from __future__ import annotations

import numpy as np
import pytest

from collision import AABB, Capsule, Ray, Scene, Shape, Sphere, why
from collision.scene import why as whys
from collision.scene.elements import Elements
from tests.helpers import chord
from viewer.camera.elements import numbers_of
from viewer.picture.present import present
from viewer.session import Session
from viewer.session.selection import Selection

COUNT = 600


def crowd() -> Scene:
    """Return many entries of several kinds, and a batch."""
    places = np.random.default_rng(3).uniform(-30, 30, (COUNT, 3))
    kinds = (
        lambda p: Sphere(p, 0.5),
        lambda p: Capsule(p, p + 0.5, 0.3),
        lambda p: AABB(p - 0.5, p + 0.5),
        lambda p: Ray(p, [0, 0, 1]),
    )
    shapes: dict[str, Shape] = {f"s{k}": kinds[k % 4](place) for k, place in enumerate(places)}
    return Scene({**shapes, "batch": Sphere(places[:5], 0.2)})


def test_numbers_are_those_of_each_name() -> None:
    scene = crowd()
    names = ["s17", "batch", "s3", "batch[2]", "s599"]
    assert numbers_of(scene, names).tolist() == [n for name in names for n in scene.element_numbers(name)]


def test_handles_are_in_the_middle_of_many_as_of_few() -> None:
    scene = crowd()
    session = Session(scene)
    session.selection.select_all()
    boxes = [shape.bounds() if shape.bounded else AABB(shape.origin, shape.origin) for shape in scene.shapes.values()]
    lower = np.min([b.lower.reshape(-1, 3).min(axis=0) for b in boxes], axis=0)
    upper = np.max([b.upper.reshape(-1, 3).max(axis=0) for b in boxes], axis=0)
    assert session.manipulation.tool.gizmo is not None
    assert session.manipulation.tool.gizmo.subject.middle == pytest.approx(0.5 * (lower + upper))


def test_what_is_hidden_counts_where_it_is_selected() -> None:
    scene = Scene({name: Sphere([x, 0, 0], 1) for name, x in (("a", 0), ("b", 4), ("c", 8))}).replaced(hidden=["c"])
    session = Session(scene)
    session.select_many(["a", "c"])
    assert session.manipulation.tool.gizmo is not None
    assert session.manipulation.tool.gizmo.subject.middle.tolist() == [4, 0, 0]


def test_a_key_asks_for_no_box_of_each_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(crowd())
    present(session)
    asked: list[Shape] = []
    bounds = Shape.bounds
    monkeypatch.setattr(Shape, "bounds", lambda shape: asked.append(shape) or bounds(shape))  # type: ignore[func-returns-value]
    for keys in ("ctrl+a", "t", "l", "n", "m", "w", "ctrl+i", "Tab", "bracketright", "c", "v", "Escape"):
        chord(session, keys)
        present(session)
    assert len(asked) < COUNT // 4


def test_a_picture_asks_once_what_handles_are_put_on(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session(crowd())
    made = []
    subject = Selection.subject
    monkeypatch.setattr(Selection, "subject", lambda *of: made.append(1) or subject(*of))  # type: ignore[func-returns-value]
    session.settings.toggle("bar")
    session.selection.select_all()
    present(session)
    present(session)
    assert len(made) == 1
    session.move_selection([1, 0, 0])
    present(session)
    assert len(made) == 2


def test_why_looks_for_a_rule_only_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, made = crowd(), []
    monkeypatch.setattr(whys, "Elements", lambda shapes: made.append(len(shapes)) or Elements(shapes))
    assert why(scene, "s0", "s1").rule is None
    assert why(scene.ignoring(("s0", "s2")), "s0", "s1").rule is None
    assert made == [2, 2]  # the two
    assert why(scene.ignoring(("s0", "s1")), "s0", "s1").rule == ("s0", "s1")
    hidden = scene.ignoring(("s0", "s1")).replaced(hidden=["s0"])
    assert why(hidden, "s0", "s1").rule == ("s0", "s1")
