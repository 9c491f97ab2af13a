"""Places that people write with few digits stay such places, whatever moves by a number or to a grid."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collision import AABB, Capsule, OrientedBox, Point, Ray, Scene, Segment, Shape, Sphere
from collision.base.decimals import decimal_sum
from collision.scenefile import load_scene, save_scene
from viewer.gizmo.changes import Move, resized, shifted
from viewer.session import Session

SIZE = (800, 600)

decimals = st.builds(
    lambda digits, places: Decimal(digits).scaleb(-places), st.integers(-(10**6), 10**6), st.integers(0, 6)
)


@given(decimals, decimals)
def test_a_sum_of_short_decimals_is_the_float_nearest_to_their_sum(a: Decimal, b: Decimal) -> None:
    found = float(decimal_sum(np.float64(a), float(b)))
    assert found == float(a + b)
    assert str(found) != "-0.0"


@given(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6))
def test_any_sum_is_that_of_the_floats_but_for_its_rounding(a: float, b: float) -> None:
    assert abs(float(decimal_sum(np.float64(a), b)) - (a + b)) <= 3.0 * 2.0**-52 * max(abs(a), abs(b))


@pytest.mark.parametrize("value", [0.30000000000000004, 1 / 3, 1e300, -1e-300, 5e-324, 0.1234567890123456])
def test_nothing_added_changes_nothing(value: float) -> None:
    assert float(decimal_sum(np.float64(value), 0.0)) == value


@pytest.mark.parametrize("scale", [1e-9, 1e-6, 1e-3, 1.0, 1e6])
def test_what_is_short_is_so_at_any_scale(scale: float) -> None:
    exponent = round(np.log10(scale))
    a, b = (float(f"{digits}e{exponent}") for digits in ("1.2", "-1"))
    assert float(decimal_sum(np.float64(a), b)) == float(f"0.2e{exponent}")


def test_more_digits_than_people_write_are_kept() -> None:
    assert float(decimal_sum(np.float64(0.1234567890123456), 1.0)) == 1.1234567890123456
    assert float(decimal_sum(np.float64(1 / 3), -0.1)) == 1 / 3 - 0.1


@pytest.mark.parametrize(
    "shape",
    [
        Point([1.2, 0.1, 0.7]),
        Segment([1.2, 0.1, 0.7], [1.4, 0.3, 0.7]),
        Ray([1.2, 0.1, 0.7], [1, 2, 3]),
        Sphere([1.2, 0.1, 0.7], 0.3),
        Sphere([[1.2, 0.1, 0.7], [2.2, 1.1, 1.7]], [0.3, 0.1]),
        Capsule([1.2, 0.1, 0.7], [1.4, 0.3, 0.7], 0.3),
        AABB([1.2, 0.1, 0.7], [1.4, 0.3, 0.7]),
        OrientedBox([1.2, 0.1, 0.7], [[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]], [0.3, 1, 2]),
    ],
    ids=lambda shape: type(shape).__name__,
)
def test_every_kind_moves_to_round_places_and_keeps_all_else_to_the_bit(shape: Shape) -> None:
    moved = shifted(shape, np.array([-1.0, 0.2, 0.0]))
    for name, value in moved.values().items():
        old = shape.values()[name]
        if np.array_equal(value, old):
            continue
        assert value[..., 2].tobytes() == old[..., 2].tobytes()
        assert (value[..., :2] == np.round(old[..., :2] + [-1.0, 0.2], 9)).all()
    kept = {name for name, value in moved.values().items() if np.array_equal(value, shape.values()[name])}
    assert kept == set(shape.values()) - {"position", "start", "end", "origin", "center", "lower", "upper"}
    assert all(moved.values()[name].tobytes() == shape.values()[name].tobytes() for name in kept)


def test_what_is_typed_is_in_the_session_what_is_in_the_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "one.toml"
    save_scene(Scene({"ball": Sphere([1.2, 0.1, 0], 0.5)}), file)
    session = Session(load_scene(file), size=SIZE)
    session.comes_from(file)
    before = session.scene
    session.select("ball")
    for keys in ("gx-1", "gy.2"):
        for key in keys:
            session.key({"-": "minus", ".": "period"}.get(key, key))
        session.key("Return")
    assert session.scene["ball"] == Sphere([0.2, 0.3, 0], 0.5)
    session.save()
    assert "center = [0.2, 0.3, 0.0]" in file.read_text(encoding="utf-8")
    assert load_scene(file)["ball"] == session.scene["ball"]
    session.undo()
    session.undo()
    assert session.scene["ball"] == before["ball"]
    session.redo()
    assert session.scene["ball"].values()["center"].tolist() == [0.2, 0.1, 0.0]


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("place", ["", "transform = { position = [0.3, 0.1, 0.7] }\n"])
def test_a_capsule_by_height_keeps_its_form_wherever_it_is_typed_to_go(tmp_path, axis: str, place: str) -> None:  # type: ignore[no-untyped-def]
    file, rng = tmp_path / "one.toml", np.random.default_rng(7)
    for _ in range(10):
        center, offset = rng.uniform(-3, 3, (2, 3)).round(2)
        height, radius = rng.uniform(1.0, 3.0, 2).round(2) * [1.0, 0.1]
        form = (
            f'kind = "capsule"\naxis = "{axis}"\ncenter = {center.tolist()}\nheight = {height}\nradius = {radius:.3g}'
        )
        file.write_text(f"[shapes.post]\n{form}\n{place}", encoding="utf-8")
        session = Session(load_scene(file), size=SIZE)
        session.comes_from(file)
        session.select("post")
        session.move_selection(offset)
        session.save()
        assert load_scene(file)["post"] == session.scene["post"]
        text = file.read_text(encoding="utf-8")
        key, old = ("position", [0.3, 0.1, 0.7]) if place else ("center", center)
        assert f"{key} = {np.round(np.add(old, offset), 6).tolist()}" in text, text
        assert f"height = {height}\n" in text


def test_ends_and_copies_and_nudges_go_to_round_places() -> None:
    session = Session(Scene({"rod": Segment([0.1, 0, 0], [1.2, 0, 0])}), size=SIZE)
    session.select("rod")
    after = Move(np.array([-1.0, 0.0, 0.0]), "end").apply(session.scene, ["rod"])
    assert after["rod"] == Segment([0.1, 0, 0], [0.2, 0, 0])
    session.move_selection([0.2, 0, 0])
    assert session.scene["rod"] == Segment([0.3, 0, 0], [1.4, 0, 0])
    for _ in range(7):
        session.manipulation.nudge("right", 0.1)
    session.duplicate()
    for shape in session.scene.shapes.values():
        for place in shape.values().values():
            assert all(len(repr(value)) < 10 for value in place.tolist()), place


def test_what_snaps_comes_to_the_grid_with_both_of_its_ends() -> None:
    session = Session(Scene({"rod": Segment([0.1, 0, 0], [1.3, 0, 0])}), size=SIZE, view="z")
    session.select("rod")
    at = session.viewport.project(np.array([0.7, 0.0, 0.0]))[0].tolist()
    assert at is not None
    for pixels in (90.0, 130.0, 170.0, -100.0):
        session.press(at[0] + 60.0, at[1])
        session.move(at[0] + 60.0 + pixels, at[1], ctrl=True)
        rod = session.scene["rod"]
        assert isinstance(rod, Segment)
        assert rod.start[0] != 0.1
        assert all(len(repr(value)) < 6 for value in [*rod.start.tolist(), *rod.end.tolist()]), rod
        session.cancel()


def test_what_snaps_far_away_takes_what_is_near_along_by_a_round_step() -> None:
    rods = {"far": Sphere([201.3, 0, 0], 1), "near": Sphere([0.1, 0, 0], 1)}
    session = Session(Scene(rods), size=SIZE, view="z")
    session.selection.select_all()
    at = session.viewport.project(np.array([100.7, 0.0, 0.0]))[0].tolist()
    assert at is not None
    for pixels in (5.0, -6.0, 12.0):
        session.press(at[0] + 60.0, at[1])
        session.move(at[0] + 60.0 + pixels, at[1], ctrl=True, shift=True)
        near = session.scene["near"].values()["center"].tolist()
        assert near[0] != 0.1
        assert len(repr(near[0])) < 6, near
        session.cancel()


def test_what_follows_the_cursor_moves_as_floats_do() -> None:
    offset = np.array([-1.0, 0.2, 0.0])
    scene = Scene({"ball": Sphere([1.2, 0.1, 0], 0.5)})
    assert Move(offset, free=True).apply(scene, ["ball"]) == scene.moved("ball", offset)
    assert scene.moved("ball", offset)["ball"] != Move(offset).apply(scene, ["ball"])["ball"]


def test_what_is_resized_has_round_faces_and_ends() -> None:
    assert resized(AABB([0.1, 0, 0], [1, 1, 1]), "x", 0.2, 1) == AABB([0.1, 0, 0], [0.3, 1, 1])
    assert resized(AABB([0.1, 0, 0], [1.2, 1, 1]), "x", 1.0, -1) == AABB([0.2, 0, 0], [1.2, 1, 1])
    assert resized(AABB([0.1, 0, 0], [1.3, 1, 1]), "x", 1.0) == AABB([0.2, 0, 0], [1.2, 1, 1])
    rod = Segment([0.1, 0, 0], [1.2, 0, 0])
    assert resized(rod, "length", 0.2, 1) == Segment([0.1, 0, 0], [0.3, 0, 0])
    assert resized(rod, "length", 1.0, -1) == Segment([0.2, 0, 0], [1.2, 0, 0])
    box = OrientedBox([0.1, 0, 0], np.eye(3), [0.2, 1, 1])
    assert resized(box, "x", 0.8, 1) == OrientedBox([0.3, 0, 0], np.eye(3), [0.4, 1, 1])


def test_an_offset_that_is_no_single_vector_is_refused() -> None:
    session = Session(Scene({"ball": Sphere([1.2, 0.1, 0], 0.5)}), size=SIZE)
    session.select("ball")
    with pytest.raises(ValueError, match=r"move.offset must be a single vector \(3,\), got shape \(2, 3\)"):
        session.move_selection([[1, 0, 0], [2, 0, 0]])


@pytest.mark.parametrize("name", ["ball", "crate"])
def test_a_dragged_shape_has_the_digits_that_a_pixel_means(name: str) -> None:
    crate = OrientedBox([-1, 0.123456, 0.5], np.eye(3), [0.5, 0.5, 0.5])
    session = Session(Scene({"ball": Sphere([1.2, 0.1, 0.75], 0.5), "crate": crate}), size=SIZE)
    assert 1e-3 < session.viewport.units_per_pixel([0, 0, 0.5]) < 1e-2
    before = session.scene[name].values()["center"]
    x, y = session.viewport.project(before)[0]
    session.press(x, y)
    session.move(x + 33.0, y + 14.0)
    session.release(x + 33.0, y + 14.0)
    after = session.scene[name].values()["center"]
    assert (after[:2] != before[:2]).all()
    assert after.tolist() == after.round(3).tolist()
