"""The card of what is selected: its numbers read, typed and clicked, and its text copied."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import collision
from collision import (
    AABB,
    Capsule,
    ConvexHull,
    Cylinder,
    HalfSpace,
    Line,
    Motion,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    contact,
    signed_distance,
)
from collision.scenefile import dump_scene, parse_scene
from tests.helpers import AXES, chord, type_keys, write
from viewer.files import clipboard
from viewer.gizmo.fields import FIELDS, numbers_of, with_numbers
from viewer.picture.present import present
from viewer.records.drawables import Panel, Row, ShapeFlags
from viewer.records.events import Pointer
from viewer.session import Session
from viewer.session.requests import CopyText
from viewer.stage.stage import Stage
from viewer.studio.app import App

pytestmark = pytest.mark.usefixtures("undrawn")

SHAPES: dict[str, Shape] = {
    "P": Point([1, 2, 3]),
    "edge": Segment([0, 0, 0], [0, 3, 4]),
    "ray": Ray([5, 0, 0], [0, 0, 2]),
    "line": Line([9, 9, 0], [1, 0, 0]),
    "ball": Sphere([-5, 0.1, 0], 1.25),
    "rod": Capsule([-9, 0, 0], [-9, 0, 2], 0.5),
    "can": Cylinder([-14, 0, 0], [-14, 3, 4], 0.5),
    "crate": AABB([-1, -10, -10], [1, 12.5, 13]),
    "box": OrientedBox([20, 0, 0], AXES, [1, 2, 3]),
    "wedge": ConvexHull([[0, 20, 0], [4, 20, 0], [4, 24, 0], [0, 24, 0], [0, 20, 3], [0, 24, 3]]),
    "floor": HalfSpace([0, 0, -20], [0, 0, 1]),
}
SCENE = Scene({**SHAPES, "crowd": Sphere([[30, 0, 0], [33, 1, 0]], [1, 2])})


def session_of(*names: str, scene: Scene = SCENE, size: tuple[int, int] = (1280, 960)) -> Session:
    session = Session(scene, size=size)
    session.select_many(names)
    return session


def card(session: Session) -> list[Row]:
    panels = (d for d in present(session) if isinstance(d, Panel) and d.corner == "upper-right" and d.title)
    return [row for panel in panels for row in panel.rows]


def lines(session: Session) -> list[str]:
    return [row.text.replace("\N{MINUS SIGN}", "-") for row in card(session)]


# -- read --------------------------------------------------------------------------------------------------------------


def test_every_kind_has_its_numbers_by_the_names_of_files() -> None:
    assert set(FIELDS) == {type(shape) for shape in SHAPES.values()}
    assert lines(session_of("ball"))[:3] == ["sphere", "center\t-5\t0.1\t0", "radius\t1.25"]
    assert lines(session_of("edge"))[:5] == [
        "segment",
        "center\t0\t1.5\t2",
        "start\t0\t0\t0",
        "end\t0\t3\t4",
        "length\t5",
    ]
    assert lines(session_of("box"))[1:4] == [
        "center\t20\t0\t0",
        "rotation \N{DEGREE SIGN}\t0\t0\t36.8699",
        "size\t2\t4\t6",
    ]
    assert lines(session_of("can"))[:6] == [
        "cylinder",
        "center\t-14\t1.5\t2",
        "start\t-14\t0\t0",
        "end\t-14\t3\t4",
        "radius\t0.5",
        "length\t5",
    ]
    assert "size\t2\t22.5\t23" in lines(session_of("crate"))
    assert lines(session_of("wedge"))[:5] == [
        "hull",
        "6 corners, 5 faces",
        "center\t1.33333\t22\t1",
        "size\t4\t4\t3",
        "radius\t0",
    ]
    assert lines(session_of("crowd[1]"))[:3] == ["sphere", "center\t33\t1\t0", "radius\t2"]


@pytest.mark.parametrize("name", SHAPES)
def test_a_kind_is_called_what_it_is_called_in_files(name: str) -> None:
    kind = tomllib.loads(dump_scene(SCENE))["shapes"][name]["kind"]
    session = session_of(name)
    assert lines(session)[0] == kind
    size = session.viewport.size
    middles = ((x, y) for x in range(0, size[0], 40) for y in range(0, size[1], 40))
    at = next((at for at in middles if session.selection.point_at(*at) and session.selected == (name,)), None)
    if at is not None:
        session.dialog.ask_menu(at=at)
        assert session.prompt is not None
        assert session.prompt.title == f"{name}, {kind}"
        session.dialog.dismiss()
    asks = (
        lambda: session.manipulation.tool.set_mode("rotate"),
        lambda: session.manipulation.tool.set_mode("size"),
        session.dialog.ask_add,
        session.dialog.ask_menus,
        session.dialog.ask_command,
    )
    for ask in asks:
        ask()
        panels = [record for record in present(session) if isinstance(record, Panel)]
        seen = " ".join([text for panel in panels for text in (panel.title, *(row.text for row in panel.rows))])
        assert not re.search(r"\b(Point|Sphere|Capsule|Cylinder|AABB|OrientedBox|ConvexHull|HalfSpace)\b", seen)


def test_several_have_what_is_common_and_a_dash_where_they_differ() -> None:
    session = session_of("ball", "rod", "crate")
    assert lines(session) == ["sphere, capsule, aabb", "center\t\N{EN DASH}\t\N{EN DASH}\t\N{EN DASH}"]
    session.manipulation.inspector.set_number("center", 0.5, first=2)
    assert "center\t\N{EN DASH}\t\N{EN DASH}\t0.5" in lines(session)
    assert lines(session_of("crowd"))[:3] == ["2 spheres", "center\t\N{EN DASH}\t\N{EN DASH}\t0", "radius\t\N{EN DASH}"]
    assert lines(session_of("P", "ball", "ray")) == ["point, sphere, ray"]
    assert not lines(session_of())


def test_the_card_follows_a_drag() -> None:
    session = session_of("ball")
    before = lines(session)
    session.manipulation.tool.begin("translate", "z")
    type_keys(session, "4")
    assert lines(session)[1] == "center\t-5\t0.1\t4"
    assert session.key("Escape")
    assert lines(session) == before


@pytest.mark.parametrize("seed", range(50))
def test_a_rotation_is_that_of_files_and_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    angles = rng.choice([-180, -90, 0, 30, 90, 179, *rng.uniform(-180, 180, 3)], 3)
    text = f'[shapes.b]\nkind = "box"\ncenter = [0, 0, 0]\nhalf_extents = [1, 1, 1]\nrotation.euler = {angles.tolist()}'
    box = parse_scene(text)["b"]
    read = numbers_of(box, "rotation")
    assert np.abs(read).max() <= 180.0
    wanted = Rotation.from_euler("xyz", angles, degrees=True).as_matrix()
    np.testing.assert_allclose(Rotation.from_euler("xyz", read, degrees=True).as_matrix(), wanted, atol=1e-14)
    again = with_numbers(box, "rotation", 0, angles)
    np.testing.assert_allclose(again.values()["axes"], wanted, atol=1e-14)


# -- typed -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHAPES)
def test_every_number_can_be_typed_and_is_then_what_it_was_to_be(name: str) -> None:
    for field in session_of(name).manipulation.inspector.fields:
        for number in range(len(field.numbers)):
            session = session_of(name)
            session.manipulation.inspector.set_number(field.name, 0.75, first=number)
            after = next(other for other in session.manipulation.inspector.fields if other.name == field.name)
            if field.name not in ("direction", "normal", "rotation"):
                wanted = [*field.numbers]
                wanted[number] = 0.75
                assert after.numbers == pytest.approx(wanted, abs=1e-15), (name, field.name)
                assert after.numbers[number] == 0.75
            session.undo()
            assert session.scene is SCENE or session.scene[name] == SCENE[name]


@pytest.mark.parametrize("name", ["box", "crate", "rod", "can", "edge", "ball"])
def test_a_number_that_is_its_own_changes_no_bit(name: str) -> None:
    for field in session_of(name).manipulation.inspector.fields:
        for number, value in enumerate(field.numbers):
            session = session_of(name)
            assert value is not None
            if field.name != "rotation":
                session.manipulation.inspector.set_number(field.name, value, first=number)
            session.dialog.ask_number(field.name, number)
            assert session.key("Return")
            assert session.scene[name] == SCENE[name], (name, field.name)
            assert not session.document.undoable


def test_a_number_for_several_is_one_step() -> None:
    session = session_of("ball", "crowd")
    session.manipulation.inspector.set_number("radius", 0.5)
    assert session.scene["ball"].values()["radius"] == 0.5
    assert session.scene["crowd"].values()["radius"].tolist() == [0.5, 0.5]
    session.undo()
    assert not session.document.undoable


def test_keys_go_from_number_to_number() -> None:
    session = session_of("ball")
    seen = []
    assert session.key("Return")
    for key in ("Tab", "Down", "Tab", "Tab", "Up", "ISO_Left_Tab"):
        assert session.prompt is not None
        seen.append(session.prompt.text)
        session.key(key, shift=key == "ISO_Left_Tab")
    assert session.prompt is not None
    seen.append(session.prompt.text)
    assert seen == ["-5", "0.1", "0", "1.25", "-5", "1.25", "0"]
    assert not session.document.undoable
    write(session, "7")
    assert session.key("Tab")
    assert session.scene["ball"].values()["center"].tolist() == [-5, 0.1, 7]
    write(session, "2")
    assert session.key("Escape")
    assert session.prompt is None
    assert session.scene["ball"].values()["radius"] == 1.25, "Esc leaves what is typed"
    session.undo()
    assert session.scene["ball"] == SCENE["ball"]


def test_without_the_card_the_question_stands_by_itself() -> None:
    session = session_of("ball")
    session.settings.toggle("hud")
    for ask, title in ((session.dialog.ask_card, "center"), (session.dialog.ask_filter, "Find pairs")):
        ask()
        centers = [d.title for d in present(session) if isinstance(d, Panel) and d.corner == "center"]
        assert centers == [title]


def test_several_numbers_can_be_typed_at_once() -> None:
    session = session_of("ball")
    session.dialog.ask_number("center")
    session.dialog.answer("1, \N{MINUS SIGN}2.5 3e-1")
    assert session.scene["ball"].values()["center"].tolist() == [1, -2.5, 0.3]


@pytest.mark.parametrize(
    ("name", "field", "text", "error"),
    [
        ("ball", "radius", "-1", "radius must be zero or more, got -1"),
        ("ball", "radius", "abc", "radius must be a number, got 'abc'"),
        ("ball", "radius", "", "radius must be a number, got ''"),
        ("ball", "radius", "1 2", "radius has 1 numbers from there on, got 2"),
        ("ball", "center", "nan", "center must be finite"),
        ("ball", "center", "1e99", "numbers go up to 1e70"),
        ("crate", "lower", "99", "lower must not be above upper"),
        ("crate", "size", "-1", "size must be zero or more, got -1"),
        ("crate", "center", "nan", "center must be finite, got nan"),
        ("rod", "length", "-2", "length must be zero or more, got -2"),
        ("box", "size", "-2", "size must be zero or more"),
        ("box", "rotation", "nan", "rotation must be finite angles in degrees"),
    ],
)
def test_a_bad_number_is_refused_in_words_and_nothing_changes(name: str, field: str, text: str, error: str) -> None:
    session = session_of(name)
    session.dialog.ask_number(field)
    session.dialog.answer(text)
    assert session.prompt is not None
    assert error in session.prompt.error
    assert any(row.swatch is ShapeFlags.HIT and error in row.text for row in card(session))
    assert session.scene[name] == SCENE[name]
    assert not session.document.undoable


def test_what_cannot_be_done_is_said() -> None:
    with pytest.raises(ValueError, match="select a shape first"):
        session_of().manipulation.inspector.set_number("radius", 1)
    with pytest.raises(ValueError, match="what is selected has center, radius, got 'size'"):
        session_of("ball").manipulation.inspector.set_number("size", 1)
    with pytest.raises(ValueError, match="what is selected has no radius 1"):
        session_of("ball").dialog.ask_number("radius", 1)
    with pytest.raises(ValueError, match="what is selected has no numbers to type"):
        session_of("P", "ball", "ray").dialog.ask_card()
    moving = Session(SCENE.replaced(motion=[Motion("ball", [0, 1], [[0, 0, 0], [1, 0, 0]])]))
    moving.select("ball")
    moving.player.scrub(0.5)
    assert lines(moving)[1] == "center\t-4.5\t0.1\t0", "the card says where it is"
    with pytest.raises(ValueError, match="it is moving just now"):
        moving.manipulation.inspector.set_number("radius", 2)
    moving.to_start()
    moving.manipulation.inspector.set_number("radius", 2)
    assert moving.scene["ball"].values()["radius"] == 2


# -- a pair ------------------------------------------------------------------------------------------------------------

BODIES: dict[str, Shape] = {
    "Sphere": Sphere([0, 0, 0], 1),
    "Capsule": Capsule([-1, 0, 0.2], [1, 0.3, 0], 0.6),
    "AABB": AABB([-1, -1, -1], [1, 0.5, 0.7]),
    "OrientedBox": OrientedBox([0, 0, 0], AXES, [1, 0.5, 0.7]),
    "Segment": Segment([-1, 0, 0.2], [1, 0.3, 0]),
    "Point": Point([0, 0, 0]),
}


@pytest.mark.parametrize(("a", "b"), list(product(BODIES, repeat=2)))
@pytest.mark.parametrize("apart", [0.3, 5.0])
def test_a_distance_is_typed_exactly(a: str, b: str, apart: float) -> None:
    one, other = BODIES[a], BODIES[b].translated([apart, 0.1, 0.2])
    if not signed_distance(one, other):
        pytest.skip("they touch")
    session = session_of("a", "b", scene=Scene({"a": one, "b": other}))
    normal = contact(one, other).normal
    for wanted in (0.5, 7.25, 0.0, 1e-3):
        session.manipulation.inspector.set_number("signed_distance", wanted)
        assert session.scene["a"] == one
        assert float(signed_distance(*session.scene.shapes.values())) == pytest.approx(wanted, rel=1e-9, abs=1e-12)
        way = session.scene["b"].bounds().center - other.bounds().center
        assert np.linalg.norm(np.cross(way, normal)) < 1e-9 * (1 + np.linalg.norm(way))
        session.undo()
        assert session.scene["b"] == other


def test_a_depth_is_typed_where_there_is_one() -> None:
    scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)})
    session = session_of("a", "b", scene=scene)
    session.manipulation.inspector.set_number("signed_distance", -0.5)
    assert session.scene["b"].values()["center"].tolist() == pytest.approx([1.5, 0, 0], abs=1e-12)
    before = session.scene
    with pytest.raises(ValueError, match=r"no move along their normal makes the two 2\.5 deep"):
        session.manipulation.inspector.set_number("signed_distance", -2.5)
    with pytest.raises(ValueError, match="distance must be finite, got nan"):
        session.manipulation.inspector.set_number("signed_distance", math.nan)
    assert session.scene is before
    lines_ = {"a": Line([0, 0, 0], [1, 0, 0]), "b": HalfSpace([0, 0, 0], [0, 0, 1])}
    with pytest.raises(ValueError, match="no move parts the two"):
        session_of(
            "a", "b", scene=Scene({"a": lines_["b"], "b": HalfSpace([0, 0, 0], [1, 0, 0])})
        ).manipulation.inspector.set_number("signed_distance", 1.0)


def test_where_another_way_out_is_shorter_a_depth_is_found_all_the_same() -> None:
    found = refused = 0
    for seed in range(400):
        rng = np.random.default_rng(seed)
        cube = AABB([-1, -1, -1], [1, 1, 1])
        box = OrientedBox(rng.uniform(-2, 2, 3), rng.normal(size=4), rng.uniform(0.3, 1.5, 3))
        touch = contact(cube, box)
        straight = box.translated((-0.4 - touch.signed_distance) * touch.normal)
        if touch.signed_distance < 0 or signed_distance(cube, straight) < -0.4 + 1e-9:
            continue
        session = session_of("cube", "box", scene=Scene({"cube": cube, "box": box}))
        try:
            session.manipulation.inspector.set_number("signed_distance", -0.4)
        except ValueError:
            refused += 1
        else:
            found += 1
            assert float(signed_distance(*session.scene.shapes.values())) == pytest.approx(-0.4, abs=1e-9)
    assert found > 3 * refused > 0


# -- copied ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [["ball"], ["box", "rod", "floor"], ["crowd"], ["crowd[1]", "edge"], list(SHAPES)])
def test_what_is_copied_is_python_that_makes_it_again(names: list[str]) -> None:
    session = session_of(*names)
    chord(session, "ctrl+c")
    (request,) = session.dialog.take_requests()
    assert isinstance(request, CopyText)
    made: dict[str, Shape] = {}
    exec(request.text, vars(collision).copy(), made)
    assert list(made.values()) == [SCENE[name] for name in names]


def test_names_become_words_of_python_and_a_pair_brings_its_facts() -> None:
    scene = Scene({"ball 11": Sphere([0, 0, 0], 1), "2nd": Sphere([1, 0, 0], 1), "class": Point([9, 9, 9])})
    session = session_of("ball 11", "2nd", scene=scene)
    assert session.manipulation.inspector.text.splitlines() == [
        "ball_11 = Sphere(center=[0.0, 0.0, 0.0], radius=1.0)",
        "_2nd = Sphere(center=[1.0, 0.0, 0.0], radius=1.0)",
        "# signed_distance: -1.0",
        "# normal: [1.0, 0.0, 0.0]",
        "# on_a: [1.0, 0.0, 0.0]",
        "# on_b: [0.0, 0.0, 0.0]",
        "# shortest move that parts them: [1.0, 0.0, 0.0]",
    ]
    assert session_of("class", scene=scene).manipulation.inspector.text == "class_ = Point(position=[9.0, 9.0, 9.0])"


def test_a_program_for_the_clipboard_gets_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "xclip"
    program.write_text(f'#!/bin/sh\n[ "$*" = "-selection clipboard" ] && cat > "{tmp_path}/copied"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert clipboard.copy("a \N{GREEK SMALL LETTER ALPHA} = 1") == "copied"
    assert (tmp_path / "copied").read_text(encoding="utf-8") == "a \N{GREEK SMALL LETTER ALPHA} = 1"


def test_without_a_clipboard_the_text_is_in_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("DISPLAY", raising=False)
    assert "the text is in the terminal" in clipboard.copy("a = 1")
    assert capsys.readouterr().out == "a = 1\n"


def test_the_clipboard_needs_nothing_of_ours() -> None:
    text = "import sys; sys.modules['numpy'] = None; import runpy; runpy.run_path(sys.argv[1])"
    subprocess.run([sys.executable, "-I", "-c", text, clipboard.__file__], check=True, timeout=20)


# -- by the mouse ------------------------------------------------------------------------------------------------------


@pytest.fixture(params=[(640, 480), (1280, 960)])
def app(request: pytest.FixtureRequest) -> Iterator[App]:
    session = Session(SCENE, size=request.param)
    with Stage.offscreen(session.viewport.size) as stage:
        yield App(session, stage)


def place_of(app: App, row: str, text: str) -> tuple[float, float]:
    """Return a pixel on a text in a row of a panel."""
    page = app.stage._text.arrange(app.stage._drawables, app.stage._renderer.GetSize(), app.stage._unit)
    for panel in page.sheet.panels:
        for height in {run.y for run in panel.runs}:
            line = [run for run in panel.runs if run.y == height]
            words = [run.text.replace("\N{MINUS SIGN}", "-") for run in line]
            if row in words and text in words:
                run = line[words.index(text)]
                scale = app.stage._finer
                return (run.x + 4 * scale) / scale, (run.y + 0.4 * run.size) / scale
    raise AssertionError(f"there is no {text!r} beside {row!r}")


def test_a_click_on_a_number_asks_for_it(app: App) -> None:
    app.session.select("ball")
    app.refresh()
    for text, number in (("-5", 0), ("0.1", 1), ("0", 2), ("center", 0)):
        assert app.stage.send("press", Pointer(*place_of(app, "center", text), "left"))
        assert app.session.prompt is not None
        assert app.session.prompt.place == app.session.manipulation.inspector.fields[0].place(number)
        app.session.dialog.dismiss()
        app.refresh()
    app.stage.send("press", Pointer(*place_of(app, "radius", "1.25"), "left"))
    write(app.session, "2")
    app.refresh()
    width, height = app.session.viewport.size
    app.stage.send("press", Pointer(width / 2, height / 3, "left"))
    assert app.session.prompt is None, "a click beside it takes what is typed"
    assert app.session.scene["ball"].values()["radius"] == 2.0
    assert app.session.selected == ("ball",)


def test_a_small_picture_has_the_card_and_no_legend() -> None:
    session = session_of("ball", "rod", size=(640, 480))
    panels = [d for d in present(session) if isinstance(d, Panel) and d.corner == "upper-right"]
    assert [panel.title for panel in panels] == ["ball \N{MIDDLE DOT} rod"]
    session.deselect()
    panels = [d for d in present(session) if isinstance(d, Panel) and d.corner == "upper-right"]
    assert [panel.title for panel in panels] == [""]


def test_the_mark_of_what_is_selected_is_red_exactly_where_it_collides() -> None:
    scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1.5, 0, 0], 1), "c": Sphere([3.5, 0, 0], 1)})
    hit, touching = ShapeFlags.HIT | ShapeFlags.SELECTED, ShapeFlags.TOUCHING | ShapeFlags.SELECTED
    for names, mark in ((["a"], hit), (["c"], touching), (["a", "c"], hit)):
        session = Session(scene)
        session.select_many(names)
        assert card(session)[0].swatch is mark
