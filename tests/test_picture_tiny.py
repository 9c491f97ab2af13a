"""Shapes too small to be seen are drawn as dots, and the picture and the terminal say so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import viewer
from collision import AABB, Camera, Capsule, OrientedBox, Point, Scene, Segment, Shape, Sphere
from collision.scenefile import save_scene
from tests.helpers import seen_marks
from viewer.camera.camera import Viewport
from viewer.camera.tiny import MOST_DOTS, THIN, TINY, dotted, thin_note, tiny_note, unseen
from viewer.cli import ExitCode, main
from viewer.picture.present import present
from viewer.records.drawables import Marker, Panel, Role, Stroke
from viewer.session import Session

SIZE = (640, 480)

#: Two grains so far apart that a picture of both shows neither.
FAR = Scene({"near": Sphere([0, 0, 0], 1), "far": Sphere([1e5, 0, 0], 1)})


def unseen_of(scene: Scene, view: Viewport) -> list[list[bool]]:
    """Tell of all elements whether they are tiny, and whether they are thin."""
    found = np.zeros((2, scene.element_count), dtype=bool)
    for elements, shape in scene.groups:
        found[:, elements] = unseen(shape, view)
    return found.tolist()


def tiny(scene: Scene, view: Viewport) -> list[bool]:
    return unseen_of(scene, view)[0]


def notes(scene: Scene) -> list[str]:
    drawables = present(Session(scene, size=SIZE))
    return [row.text for d in drawables if isinstance(d, Panel) and d.corner == "upper-left" for row in d.rows]


@pytest.mark.parametrize(
    "camera", [Camera((0, 0, 50), up=(0, 1, 0)), Camera((0, 0, 50), up=(0, 1, 0), parallel_height=20)]
)
@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_tiny_is_what_is_smaller_than_two_pixels(camera: Camera, factor: float) -> None:
    view = Viewport(camera, SIZE)
    half = 0.5 * factor * TINY * view.units_per_pixel([0, 0, 0])
    shapes = [
        Sphere([0, 0, 0], half),
        AABB([-half / 9, -half, 0], [half / 9, half, 0]),
        OrientedBox([0, 0, 0], np.eye(3), [half, half / 9, half / 9]),
        Capsule([0, 0, 0], [0, 0, 0], half),
    ]
    for shape in shapes:
        assert tiny(Scene({"it": shape}), view) == [factor < 1.0]


def test_a_capsule_without_a_length_is_tiny_and_no_line() -> None:
    view = Viewport(Camera((0, 0, 50), up=(0, 1, 0)), SIZE)
    speck = Capsule([[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [1, 0, 0]], 0.2 * view.units_per_pixel([0, 0, 0]))
    with np.errstate(divide="raise"):
        small, thin = unseen_of(Scene({"speck": speck}), view)
    assert (small, thin) == ([True, True], [False, False])


def test_what_is_outside_or_never_small_is_not_tiny() -> None:
    view = Viewport(Camera((0, 0, 50), up=(0, 1, 0)), SIZE)
    scene = Scene(
        {
            "outside": Sphere([900, 0, 0], 1e-3),
            "behind": Sphere([0, 0, 90], 1e-3),
            "point": Point([0, 0, 0]),
            "segment": Segment([0, 0, 0], [1e-3, 0, 0]),
        }
    )
    assert not any(tiny(scene, view))


def test_tiny_shapes_are_seen_as_dots_in_the_color_of_their_flags() -> None:
    markers = [d for d in seen_marks(Session(FAR, size=SIZE)) if isinstance(d, Marker)]
    assert [(m.role, m.points.tolist()) for m in markers] == [(Role.FREE, [[0, 0, 0], [1e5, 0, 0]])]
    touching = FAR.with_shape("third", Sphere([1, 0, 0], 1))
    roles = {m.role: len(m.points) for m in seen_marks(Session(touching, size=SIZE)) if isinstance(m, Marker)}
    assert roles == {Role.FREE: 1, Role.HIT: 2}
    dots = viewer.render(FAR, size=SIZE).astype(int)
    middle = dots[120:400, 20:600]
    assert np.count_nonzero(middle[..., 2] > middle[..., 0] + 40) > 30  # two blue dots


def test_the_picture_says_how_many_there_are() -> None:
    assert notes(FAR) == ["no collisions", "2 shapes smaller than 2 pixels, drawn as dots"]
    assert notes(FAR.without("far")) == ["no collisions"]


def test_of_very_many_tiny_shapes_only_those_that_collide_are_drawn() -> None:
    found = np.ones(MOST_DOTS + 1, dtype=bool)
    hit = np.arange(MOST_DOTS + 1) < 3
    assert dotted(found[:-1], hit[:-1]).all()
    assert dotted(found, hit).tolist() == hit.tolist()
    assert not dotted(found, found).any()
    assert tiny_note(found, hit) == "201 shapes smaller than 2 pixels, 3 of them drawn as dots"
    assert tiny_note(found, ~found) == "201 shapes smaller than 2 pixels"
    assert tiny_note(hit & found[0:1], hit) == "3 shapes smaller than 2 pixels, drawn as dots"
    assert tiny_note(found[:1], found[:1]) == "1 shape smaller than 2 pixels, drawn as a dot"
    assert tiny_note(~found, ~found) == ""


def test_the_command_line_warns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(FAR, "far.toml")
    assert main(["render", "far.toml", "--size", "320x240"]) == ExitCode.FINE
    assert capsys.readouterr().err == "far.toml: 2 shapes smaller than 2 pixels, drawn as dots\n"
    save_scene(FAR.without("far"), "near.toml")
    assert main(["render", "near.toml", "--size", "320x240"]) == ExitCode.FINE
    assert capsys.readouterr().err == ""


def wires(half: float) -> list[Shape]:
    """Return long shapes along x through the origin, of which the second largest half side is given."""
    return [
        Capsule([-500, 0, 0], [500, 0, 0], half),
        AABB([-500, -half, -0.5 * half], [500, half, 0.5 * half]),
        OrientedBox([0, 0, 0], [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [0.5 * half, 500, half]),
    ]


@pytest.mark.parametrize("wire", wires(0.01), ids=["capsule", "aabb", "box"])
@pytest.mark.parametrize("hit", [True, False])
def test_what_is_thinner_than_a_pixel_is_a_line_in_the_color_of_its_flags(wire: Shape, hit: bool) -> None:
    scene = Scene({"wire": wire, "ball": Sphere([0, 0 if hit else 40, 0], 20)})
    session = Session(scene, size=SIZE)
    lines = [
        (d.role, d.start.tolist(), d.end.tolist())
        for d in seen_marks(session)
        if isinstance(d, Stroke) and len(d.start)
    ]
    ((role, start, end),) = lines
    assert role == (Role.HIT if hit else Role.FREE)
    assert sorted(start + end) == [[-500, 0, 0], [500, 0, 0]]
    assert "1 shape thinner than 1.5 pixels, drawn as a line" in notes(scene)
    places = session.viewport.project([[x, 0, 0] for x in np.linspace(-300, 400, 40) if abs(x) > 60])[0]
    image = viewer.render(scene, size=SIZE, panels=False).astype(int)
    seen = 0
    for x, y in places.round().astype(int).tolist():
        around = image[SIZE[1] - y - 3 : SIZE[1] - y + 3, x - 3 : x + 3]
        difference = around[..., 0] - around[..., 2]
        seen += bool((difference > 60).any() if hit else (difference < -40).any())
    assert seen > 0.9 * len(places)


@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("height", [None, 30.0])
@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_thin_is_what_is_nowhere_wider_than_a_limit(kind: int, height: float | None, factor: float) -> None:
    view = Viewport(Camera((400.0, 0.0, 50.0), (0.0, 0.0, 50.0), parallel_height=height), SIZE)  # beside an end
    pixel = float(view.units_per_pixel([350.0, 0.0, 50.0]))  # where it is nearest
    wire = wires(0.5 * factor * THIN * pixel)[kind]
    small, thin = unseen_of(Scene({"wire": wire, "bare": Capsule([0, 0, 0], [9, 0, 0], 0)}), view)
    assert not small[0]
    # Seen along it, without perspective, a box is as wide as its thinner side. Of no width, it is a line anyway.
    assert thin == [factor < 1.0 or (kind > 0 and height is not None), False]


@pytest.mark.parametrize("height", [None, 12.0], ids=["perspective", "parallel"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_plate_seen_from_the_side_is_a_line_and_from_elsewhere_none(height: float | None, turned: bool) -> None:
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    plates: list[Shape] = [AABB([-2, -2, 1.0], [2, 2, 1.001])]
    plates += [OrientedBox([0, 0, 1], turn, [2, 2, 0.0])] if turned else []
    for eye, seen_so in (((0.0, -20.0, 1.0), True), ((0.0, -20.0, 3.0), False)):
        scene = Scene({"plate": plates[-1], "ball": Sphere([0, 0, 3], 0.5)})
        camera = Camera(eye, (0.0, 0.0, eye[2]), parallel_height=height)
        if not seen_so:
            camera = Camera((0.0, -20.0, 5.0), (0.0, 0.0, 1.0), parallel_height=height)
        session = Session(scene.replaced(camera=camera), size=SIZE)
        lines = [drawn for drawn in seen_marks(session) if isinstance(drawn, Stroke)]
        assert len(lines) == seen_so
        image = viewer.render(scene.replaced(camera=camera), size=SIZE, panels=False).astype(int)
        middle = image[image.shape[0] // 4 : -image.shape[0] // 4, image.shape[1] // 2 + 60]
        assert (np.ptp(middle, axis=0) > 60).any(), "it is seen"
        for line in lines:
            assert np.abs(line.end - line.start)[0, 0] == pytest.approx(4.0)


def test_thin_shapes_are_counted_in_a_note() -> None:
    some = np.ones(MOST_DOTS + 1, dtype=bool)
    assert thin_note(some, some & False) == "201 shapes thinner than 1.5 pixels"
    assert (
        thin_note(some, np.arange(MOST_DOTS + 1) < 2) == "201 shapes thinner than 1.5 pixels, 2 of them drawn as lines"
    )
    assert thin_note(~some, ~some) == ""
