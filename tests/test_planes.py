"""Half-spaces in the viewer: what is drawn of them, what can be picked, and the handles that move and tilt them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from collision import Camera, HalfSpace, Line, Point, Scene, Sphere, contains, signed_distance
from viewer.camera.camera import Viewport
from viewer.camera.picking import pick
from viewer.camera.planes import squares
from viewer.cli import main
from viewer.gizmo.changes import part_of, with_part
from viewer.picture.planes import STROKES
from viewer.picture.present import present
from viewer.records.drawables import Label, Patch, Role, Stroke
from viewer.session import Session

FLOOR = HalfSpace([3, 0, 0], [0, 0, 1])
SCENE = Scene({"floor": FLOOR, "ball": Sphere([0, 0, 2], 1), "low": Sphere([0, 3, 0.5], 1)})


@pytest.mark.parametrize("normal", [[0, 0, 1], [0, 0, -1], [1, 0, 0], [0.3, -0.5, 0.2]])
def test_the_square_lies_in_the_plane_around_the_scene(normal: list[float]) -> None:
    space = HalfSpace([[1, 2, 3]], normal)
    square = squares(space, SCENE.bounds())
    signs = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    corners = square.center[0] + (signs * square.half_extents) @ square.axes[0].T
    assert np.abs(signed_distance(Point(corners), space)).max() < 1e-13
    assert np.linalg.det(square.axes[0]) == pytest.approx(1.0)
    bounds = SCENE.bounds()
    assert bounds is not None
    assert float(square.half_extents[0]) > bounds.half_extents.max()
    assert abs(square.axes[0][2, 0]) < 1e-12  # a side of it is level


def test_strokes_lead_into_the_solid_and_a_touch_makes_them_red_and_what_they_are_around() -> None:
    for scene, role in ((SCENE, Role.PLANE_HIT), (SCENE.without("low"), Role.PLANE)):
        drawn = [d for d in present(Session(scene)) if isinstance(d, Stroke | Patch)]
        assert [d.role for d in drawn if isinstance(d, Patch)] == [role]
        border, hatching = (d for d in drawn if isinstance(d, Stroke) and d.role is role)
        assert (len(border.start), len(hatching.start)) == (4, 4 * STROKES)
        assert contains(FLOOR, Point(hatching.end)).all()
        assert signed_distance(Point(hatching.end), FLOOR).max() < -0.01


def test_it_has_a_name_on_it() -> None:
    (label,) = (d for d in present(Session(SCENE)) if isinstance(d, Label) and d.text == "floor")
    assert abs(float(signed_distance(Point(label.position), FLOOR))) < 1e-9


def test_what_is_drawn_of_it_can_be_picked_and_no_more() -> None:
    view = Viewport(Camera(position=(0, -30, 20), target=(0, 0, 0)), (800, 600))

    def at(*place: float) -> str | None:
        return pick(SCENE, view, *view.project(np.array(place))[0])

    assert at(1.5, -1, 0) == "floor"
    assert at(0, 0, 2) == "ball"
    assert at(0, -12, 0) is None  # in the plane, but beyond the square
    assert pick(SCENE, view, 400, 595) is None  # above the horizon


def test_its_point_moves_it_and_the_tip_of_its_normal_tilts_it() -> None:
    assert with_part(FLOOR, "body", [3, 0, 2]) == HalfSpace([3, 0, 2], [0, 0, 1])
    assert np.array_equal(part_of(FLOOR, "tip"), [3, 0, 1])
    assert with_part(FLOOR, "tip", [4, 0, 0]) == HalfSpace([3, 0, 0], [1, 0, 0])
    with pytest.raises(ValueError, match="the halfspace has no start that could be moved"):
        part_of(FLOOR, "start")


def test_a_session_moves_turns_and_adds_it() -> None:
    session = Session(SCENE)
    session.select("floor")
    session.rotate_selection("x", 90)
    assert np.allclose(session.scene["floor"].values()["normal"], [0, -1, 0])
    session.undo()
    session.move_selection([0, 0, 0.5])
    assert session.scene["floor"] == HalfSpace([3, 0, 0.5], [0, 0, 1])
    name = session.add("halfspace")
    assert isinstance(session.scene[name], HalfSpace)
    name = session.add("line")
    assert isinstance(session.scene[name], Line)


def test_no_depth_is_drawn_without_an_error() -> None:
    scene = Scene({"a": FLOOR, "b": HalfSpace([0, 0, 0], [1, 0, 0]), "ray": Line([0, 0, 5], [0, 1, -1])})
    session = Session(scene)
    assert present(session)
    for first, second in (("a", "b"), ("a", "ray")):
        session.select(first)
        session.select(second, add=True)
        assert present(session)


def test_a_pair_without_a_depth_is_valid_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pole.toml"
    floor = '[shapes.floor]\nkind = "halfspace"\npoint = [0, 0, 0]\nnormal = [0, 0, 1]\n'
    wall = '[shapes.wall]\nkind = "halfspace"\npoint = [0, 0, 0]\nnormal = [1, 0, 0]\n'
    pole = '[shapes.pole]\nkind = "line"\npoint = [1, 0, 0]\ndirection = [0, 0, 1]\n'
    file.write_text(floor + wall + pole, encoding="utf-8")
    assert main(["check", str(file), "--format", "json"]) == 10
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    assert (pair["a"], pair["b"]) == ("floor", "pole")  # and nothing of the floor and the wall
    assert (pair["colliding"], pair["depth"], pair["signed_distance"]) == (True, None, None)
