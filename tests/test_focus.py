"""Seeing a pair: what hides it stands aside, and the eye stays on its side and as high as it was."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from collision import (
    AABB,
    Camera,
    Capsule,
    HalfSpace,
    OrientedBox,
    Point,
    Scene,
    Segment,
    Shape,
    Sphere,
    contact,
    signed_distance,
)
from tests.slow import one_in
from viewer.picture.present import present
from viewer.records.drawables import Core, ShapeFlags, Solid
from viewer.session import Session

WALL = {"wall": AABB([-9, -4, -9], [9, -3, 9])}
PAIR: dict[str, Shape] = {"a": Sphere([0, 0, 0], 1), "b": Sphere([1.5, 0, 0], 1)}


def crowded(seed: int) -> Scene:
    """Return many shapes of all solid kinds in little room."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(6, 30))
    shapes: dict[str, Shape] = {}
    for number in range(count):
        place, size = rng.uniform(-2, 2, 3), rng.uniform(0.2, 0.9, 3)
        shapes[f"shape {number}"] = [
            Sphere(place, size[0]),
            Capsule(place, place + rng.uniform(-1, 1, 3), 0.5 * size[0]),
            AABB(place - size, place + size),
            OrientedBox(place, np.linalg.qr(rng.normal(size=(3, 3)))[0] * np.array([1, 1, 1]), size)
            if number % 2
            else Sphere(place, size[1]),
        ][number % 4]
    shapes["crowd"] = Sphere(rng.uniform(-2, 2, (10, 3)), rng.uniform(0.1, 0.5, 10))
    if seed % 3 == 0:
        shapes["floor"] = HalfSpace([0, 0, -1], [0, 0, 1])
    return Scene(shapes)


def elevation(session: Session) -> float:
    return float(np.degrees(np.arcsin(-session.viewport.forward[2])))


def hidden_by(session: Session) -> set[int]:
    """Return the elements between the eye and the contact, by distances from that line alone."""
    scene, at, pair = session.scene, session.viewport, session.selection.pair
    assert pair is not None
    a, b = (scene.element_numbers(name)[0] for name in pair)
    point = contact(scene.element(a), scene.element(b)).point
    eye = at.eye
    if at.camera.parallel_height is not None:
        eye = point - float((point - at.eye) @ at.forward) * at.forward
    sight = Segment(eye, point)
    others = (number for number in range(scene.element_count) if number not in (a, b))
    return {number for number in others if signed_distance(sight, scene.element(number)) < -1e-9}


@pytest.mark.parametrize("seed", one_in(5, range(200)))
def test_after_a_step_nothing_that_is_not_faded_hides_the_contact(seed: int) -> None:
    session = Session(crowded(seed), size=(640, 480))
    rng = np.random.default_rng(seed)
    way = rng.normal(size=3)
    session.view.set_camera(Camera(tuple(12 * way / np.linalg.norm(way))))  # type: ignore[arg-type]
    if seed % 2:
        session.view.switch_projection()
    for step in (1, 1, -1):
        before = elevation(session)
        session.selection.walk_pairs(step)
        assert hidden_by(session) <= set(session.selection.faded.tolist())
        assert elevation(session) == pytest.approx(before, abs=1e-6)
        assert abs(session.viewport.up[2]) == pytest.approx(np.cos(np.radians(before)), abs=1e-6)


def test_the_oracle_finds_something() -> None:
    found = 0
    for seed in range(20):
        session = Session(crowded(seed), size=(640, 480))
        session.selection.walk_pairs(1)
        found += len(hidden_by(session))
    assert found > 10


def test_what_hides_a_pair_fades_and_the_camera_stays_on_its_side() -> None:
    session = Session(Scene(PAIR | WALL))
    session.view.look("-y")
    before = session.viewport.forward
    session.selection.show_pair("a", "b")
    assert session.selection.pair == ("a", "b")
    np.testing.assert_allclose(session.viewport.forward, before, atol=1e-12)
    assert session.selection.faded.tolist() == [2]
    boxes = next(d for d in present(session) if isinstance(d, Solid) and d.core is Core.ALIGNED)
    assert boxes.flags.tolist() == [ShapeFlags.FADED]
    session.view.look("y")
    assert session.selection.faded.tolist() == [], "from behind the wall it hides nothing"


@pytest.mark.parametrize("end", ["deselect", "select", "unfocus", "delete"])
def test_it_ends_when_something_else_is_selected(end: str) -> None:
    session = Session(Scene(PAIR | WALL))
    session.view.look("-y")
    session.selection.show_pair("a", "b")
    {
        "deselect": session.deselect,
        "select": lambda: session.select("a"),
        "unfocus": session.selection.unfocus,
        "delete": session.delete,
    }[end]()
    assert session.selection.faded.tolist() == []


def test_a_drag_fades_anew() -> None:
    session = Session(Scene(PAIR | {"post": Capsule([0.7, -4, -9], [0.7, -4, 9], 0.3)}))
    session.view.look("-y")
    session.selection.show_pair("a", "b")
    assert session.selection.faded.tolist() == [2]
    session.change(session.scene.moved(["a", "b"], [5, 0, 0]))
    assert session.selection.faded.tolist() == []


def test_all_but_the_pair_can_be_faded_also_without_a_selection() -> None:
    session = Session(Scene(PAIR | WALL | {"crowd": Sphere(np.eye(3) * 9, 1)}))
    session.selection.focus_on("b", "crowd[1]", rest=True)
    assert session.selection.faded.tolist() == [0, 2, 3, 5]
    with pytest.raises(ValueError, match="'crowd' is a batch: a pair is of single shapes, such as 'crowd\\[0\\]'"):
        session.selection.focus_on("a", "crowd")
    with pytest.raises(KeyError, match="there is no shape named 'c'"):
        session.selection.focus_on("a", "c")


@pytest.mark.parametrize("view", ["y", "-y", "x", "iso"])
def test_the_eye_goes_round_where_the_one_hides_the_other(view: str) -> None:
    session = Session(Scene({"ball": Sphere([0, 0.9, 0], 1), "wall": AABB([-9, -1, -9], [9, 0, 9])}))
    session.view.look(view)
    before, high = session.viewport.forward, elevation(session)
    session.selection.show_pair("ball", "wall")
    assert session.viewport.forward[1] < 0.4, "the ball is before the wall"
    assert elevation(session) == pytest.approx(high)
    if view != "-y":
        assert session.viewport.forward @ before > 0.3


@pytest.mark.parametrize("view", ["x", "-x", "y", "-y"])
def test_shapes_that_all_but_coincide_are_seen_from_where_the_eye_is(view: str) -> None:
    session = Session(Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([0.1, 0.05, 0], 1)}))
    session.view.look(view)
    before = session.viewport.forward
    session.selection.show_pair("a", "b")
    np.testing.assert_allclose(session.viewport.forward, before, atol=1e-12)


def test_a_view_from_above_stays_one() -> None:
    session = Session(Scene({"ball": Sphere([0, 0, -0.9], 1), "floor": AABB([-9, -9, 0], [9, 9, 1])}))
    session.view.look("z")
    session.selection.show_pair("ball", "floor")
    np.testing.assert_allclose(session.viewport.forward, [0, 0, -1], atol=1e-12)
    np.testing.assert_allclose(session.viewport.up, [0, 1, 0], atol=1e-12)


def test_a_pair_that_no_move_parts_is_framed_without_a_ghost() -> None:
    session = Session(Scene({"ground": HalfSpace([0, 0, 0], [0, 0, 1]), "wall": HalfSpace([0, 0, 0], [1, 0, 0])}))
    session.selection.show_pair("ground", "wall")
    assert session.selection.pair == ("ground", "wall")
    assert np.all(np.isfinite(session.viewport.forward))
    assert len(present(session))


@pytest.mark.parametrize(("a", "b"), list(product(range(3), repeat=2)))
def test_shapes_without_a_size_can_be_looked_at(a: int, b: int) -> None:
    thin: list[Shape] = [Point([0, 0, 0]), Segment([0, 0, 0], [0, 0, 0]), Sphere([0, 0, 0], 0)]
    session = Session(Scene({"a": thin[a], "b": thin[b]} | WALL))
    session.view.look("-y")
    session.selection.show_pair("a", "b")
    assert session.selection.faded.tolist() == [2]


def test_a_crowd_of_ten_thousand_is_no_slower_than_a_frame() -> None:
    places = np.random.default_rng(1).uniform(-10, 10, (10_000, 3))
    session = Session(Scene({"crowd": Sphere(places, 0.25)}), size=(640, 480))
    session.selection.walk_pairs(1)
    assert len(session.selection.faded)
    assert len(session.selection.listed) > 1000


def test_a_point_on_a_large_shape_is_looked_at_without_overflow() -> None:
    session = Session(Scene({"a": AABB([0, 0, 0], [20, 20, 20]), "b": Point([20, 20, 20])}))
    with np.errstate(all="raise"):
        session.selection.show_pair("a", "b")
        assert session.selection.faded.tolist() == []
