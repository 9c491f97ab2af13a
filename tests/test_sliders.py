"""The panel of joints: what it shows, where its tracks are, what the pointer and the keys do there, and saved poses."""

import shlex
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from collision import Sphere
from collision.importers import Joint, Mimic, Model, load_model, read_srdf
from tests.test_joints import SRDF, URDF, opened
from viewer.files.loading import ModelOptions, read
from viewer.layout.page import Page
from viewer.layout.panels import place_panels
from viewer.layout.parts import Placed
from viewer.picture.present import present
from viewer.picture.sliders import sliders_panel
from viewer.records.commands import Command
from viewer.records.drawables import Panel, Slider
from viewer.records.events import Pointer
from viewer.records.sizes import unit_of
from viewer.records.theme import FONT_SIZE
from viewer.session import Session
from viewer.stage.stage import Stage
from viewer.studio.app import App

SIZES = ((1280, 960), (640, 480), (480, 640), (3840, 2160))


@pytest.fixture
def session() -> Session:
    found = opened(size=(1000, 800))
    found.sliders.switch()
    return found


def many(count: int, size: tuple[int, int] = (1000, 800)) -> Session:
    """Return a session of a robot with very many joints."""
    links = {f"link{k}": {f"ball{k}": Sphere([k, 0, 0], 0.1)} for k in range(count + 1)}
    joints = [Joint(f"joint{k}", "revolute", f"link{k}", f"link{k + 1}", limits=(-1, 2)) for k in range(count)]
    model = Model.of(links, joints)
    found = Session(model.scene, size=size, model=model)
    found.sliders.switch()
    return found


def panel_of(session: Session) -> Panel:
    panel = sliders_panel(session)
    assert panel is not None
    return panel


def sliders_of(session: Session) -> dict[str, Slider]:
    return {row.text.split("\t")[0]: row for row in panel_of(session).rows if isinstance(row, Slider)}


def placed(session: Session, size: tuple[int, int]) -> Placed:
    page = Page(size, unit_of(size), FONT_SIZE, lambda text, height, bold: 0.5 * height * len(text))
    (found,) = place_panels([panel_of(session)], page).panels
    return found


# -- what it shows -----------------------------------------------------------------------------------------------------


def test_it_is_shown_on_demand_and_only_of_robots(session: Session) -> None:
    session.key("j")
    assert sliders_panel(session) is None
    session.key("j")
    assert panel_of(session) in present(session)
    other = Session(opened().scene)
    other.key("j")
    assert sliders_panel(other) is None
    assert other.notice == "this scene is no robot with joints"


def test_each_joint_has_its_limits_and_its_value(session: Session) -> None:
    session.joints.set("elbow", np.radians(30.0))
    rows = {name: row.text.split("\t") for name, row in sliders_of(session).items()}
    assert rows["elbow"] == ["elbow", "0°", "", "160.4°", "30°"]
    assert rows["turn"] == ["turn", "", "", "↻", "0°"]
    assert rows["grip"] == ["grip", "0", "", "0.06", "0"]
    knob, zero = sliders_of(session)["shoulder"].knob, sliders_of(session)["shoulder"].zero
    assert knob == zero == pytest.approx(1.2 / 3.2)


def test_what_follows_is_faint_and_drags_nothing(session: Session) -> None:
    row = sliders_of(session)["grip_mirrored (follows)"]
    assert row.faint
    assert row.drags is None
    with pytest.raises(ValueError, match="follows grip"):
        session.dialog.ask_joint("grip_mirrored")


@pytest.mark.parametrize("size", SIZES)
def test_tracks_lie_between_the_limits_and_nothing_overlaps(session: Session, size: tuple[int, int]) -> None:
    session.view.resize(size)
    panel = placed(session, size)
    tracks = [(rect, row) for rect, row in panel.part.hits if row.drags is not None]
    assert len(tracks) == 5
    for rect, row in tracks:
        assert rect.width > 3 * FONT_SIZE * unit_of(size)
        line = [run for run in panel.runs if rect.y <= run.y < rect.y + rect.height]
        left = [run for run in line if run.x < rect.x]
        right = [run for run in line if run.x > rect.x + rect.width]
        assert len(left) + len(right) == len(line)  # none begins on the track
        assert all(run.x + 0.5 * run.size * len(run.text) <= rect.x for run in left)
        assert panel.row_at(*rect.middle) == row
        assert panel.plate.covers(rect.x, rect.y)
        assert panel.plate.covers(rect.x + rect.width, rect.y)


@pytest.mark.parametrize("size", SIZES)
def test_many_joints_scroll_and_the_chosen_one_is_seen(size: tuple[int, int]) -> None:
    session = many(80, size)
    count = len(sliders_of(session))
    assert 3 <= count < 80
    assert [row.text for row in panel_of(session).rows if "of 80" in row.text] == [
        f"1\N{EN DASH}{count} of 80, Ctrl+J finds"
    ]
    session.sliders.scroll(1000)
    assert "joint79" in sliders_of(session)
    session.key("Down")
    assert session.sliders.chosen == "joint1"
    assert "joint1" in sliders_of(session)
    session.key("Up")
    session.key("Up")
    assert session.sliders.chosen == "joint79"
    assert "joint79" in sliders_of(session)


def test_joints_are_found_as_one_types() -> None:
    session = many(80)
    session.key("j", ctrl=True)
    for letter in "nt7":
        session.key(letter, text=letter)
    assert list(sliders_of(session)) == ["joint7", *(f"joint7{k}" for k in range(10))]
    session.key("Return")
    assert panel_of(session).rows[0].text == "11 with 'nt7'"
    session.key("j", ctrl=True)
    session.key("Escape")
    assert len(session.sliders.listed) == 80


# -- keys --------------------------------------------------------------------------------------------------------------


def test_arrows_choose_and_move_joints_within_their_limits(session: Session) -> None:
    session.key("Down")
    session.key("Down")
    assert session.sliders.chosen == "elbow"
    session.key("Right")
    session.key("Right", shift=True)
    session.key("Right", ctrl=True)
    assert np.degrees(session.joints.values["elbow"]) == pytest.approx(11.1)
    for _ in range(3):
        session.key("Left", shift=True)
    assert session.joints.values["elbow"] == 0.0
    for _ in range(4):
        session.undo()
    assert session.joints.values["elbow"] == np.radians(1.0)


def test_a_digit_begins_a_value_and_beyond_the_limits_it_is_refused(session: Session) -> None:
    session.sliders.choose("elbow")
    for key in "200":
        session.key(key, text=key)
    session.key("Return")
    assert session.prompt is not None
    assert session.prompt.error == "elbow must be from 0° to 160.43°, got 200°"
    assert any("200" in row.text for row in panel_of(session).rows)
    for key in ("BackSpace", "BackSpace", "BackSpace"):
        session.key(key)
    for key in "45.5":
        session.key(key, text=key)
    session.key("Tab")
    assert session.joints.values["elbow"] == np.radians(45.5)
    assert session.prompt.place == "joints: wrist"


def test_keys_go_elsewhere_after_escape_or_a_press_beside_the_panel(session: Session) -> None:
    session.key("Escape")
    session.key("Right")
    assert not any(session.joints.values.values())
    session.sliders.choose("elbow")
    session.press(5, 5)
    session.release(5, 5)
    assert not session.sliders.listens


# -- the pointer -------------------------------------------------------------------------------------------------------


@pytest.fixture
def app(session: Session) -> Iterator[App]:
    with Stage.offscreen((1000, 800)) as stage:
        yield App(session, stage)


def panel_at(app: App) -> Placed:
    """Return the panel in its place, in pixels of the stage, which may be finer than those of the window."""
    stage = app.stage
    panels = stage._text.arrange(stage._drawables, stage._renderer.GetSize(), stage._unit).sheet.panels
    return next(placed for placed in panels if placed.panel is not None and placed.panel.name == "joints")


def track_of(app: App, name: str) -> tuple[float, float, float]:
    """Return where a track begins and ends, and its middle line."""
    drags, finer = Command("joints.slide_to", name), app.stage._oversampling
    (rect,) = [rect for rect, row in panel_at(app).part.hits if row.drags == drags]
    return rect.x / finer, (rect.x + rect.width) / finer, (rect.y + 0.5 * rect.height) / finer


@pytest.mark.usefixtures("undrawn")
def test_a_knob_is_dragged_as_one_step_and_stops_at_the_limits(app: App) -> None:
    session = app.session
    left, right, y = track_of(app, "elbow")
    app._pressed(Pointer(left + 0.25 * (right - left), y, "left"))
    assert session.joints.values["elbow"] == pytest.approx(0.25 * 2.8, abs=2e-3)
    assert session.pending
    app._moved(Pointer(right + 300, y + 100, "left"))
    assert session.joints.values["elbow"] == 2.8
    app._released(Pointer(right + 300, y + 100, "left"))
    assert not session.pending
    session.undo()
    assert session.joints.values["elbow"] == 0.0
    assert not session.document.undoable


@pytest.mark.usefixtures("undrawn")
def test_an_endless_track_goes_on_beside_itself(app: App) -> None:
    session = app.session
    left, right, y = track_of(app, "turn")
    middle, whole = 0.5 * (left + right), right - left
    app._pressed(Pointer(middle, y, "left"))
    app._moved(Pointer(middle + 1.25 * whole, y, "left"))
    app._released(Pointer(middle + 1.25 * whole, y, "left"))
    assert np.degrees(session.joints.values["turn"]) == pytest.approx(450.0, abs=0.1)
    assert sliders_of(session)["turn"].knob == pytest.approx(0.75, abs=1e-3)
    # The next one begins where it is: at a quarter turn more than one.
    app._pressed(Pointer(middle, y, "left"))
    assert np.degrees(session.joints.values["turn"]) == pytest.approx(360.0, abs=0.1)
    session.key("Escape")
    app._moved(Pointer(left, y, "left"))
    app._released(Pointer(left, y, "left"))
    assert np.degrees(session.joints.values["turn"]) == pytest.approx(450.0, abs=0.1)


@pytest.mark.usefixtures("undrawn")
def test_a_click_on_a_value_has_it_typed(app: App) -> None:
    _, right, y = track_of(app, "elbow")
    plate, finer = panel_at(app).plate, app.stage._oversampling
    first, last = plate.x / finer, (plate.x + plate.width) / finer
    app._pressed(Pointer(last - 12, y, "left"))
    assert app.session.prompt is not None
    assert app.session.prompt.place == "joints: elbow"
    app._pressed(Pointer(first + 20, y, "left"))
    assert app.session.sliders.chosen == "elbow"
    assert right < last


# -- poses that are saved ----------------------------------------------------------------------------------------------


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    for file in (URDF, SRDF):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path / URDF.name


def of_file(path: Path, srdf: Path | None = None) -> Session:
    loaded = read(path, ModelOptions(srdf=srdf))
    session = Session(loaded.scene, model=loaded.model)
    session.file.comes_from(loaded.path, state=loaded.state, wanted=loaded.wanted)
    return session


def answer(session: Session, *texts: str) -> None:
    for text in texts:
        assert session.prompt is not None
        session.dialog.answer(text)


def test_a_pose_is_saved_in_the_srdf_file_and_the_other_lines_stay(robot: Path) -> None:
    srdf = robot.with_suffix(".srdf")
    session = of_file(robot, srdf)
    session.joints.set_many({"elbow": 1.5, "turn": -7.0})
    assert session.file.dirty
    session.key("j", ctrl=True, shift=True)
    answer(session, "high 'up'")
    assert not session.file.dirty
    before, after = SRDF.read_text(), srdf.read_text()
    start = after.index('  <group_state name="high')
    stop = after.index("</group_state>\n", start) + len("</group_state>\n")
    assert after[:start] + after[stop:] == before
    model = load_model(robot)
    values = read_srdf(srdf, model).poses["high 'up'"]
    assert {name: value for name, value in values.items() if value} == {"elbow": 1.5, "turn": -7.0}
    session.joints.take_pose("zero")
    session.joints.take_pose("high 'up'")
    assert session.joints.values["elbow"] == 1.5
    found = read(robot, ModelOptions(srdf=srdf, pose="high 'up'")).model
    assert found is not None
    assert found.value("elbow") == 1.5


def test_a_pose_is_saved_in_lines_of_its_own(robot: Path) -> None:
    srdf = robot.with_suffix(".srdf")
    pose = '<group_state name="old" group="all"><joint name="elbow" value="1"/></group_state>'
    srdf.write_text(f'<robot name="r">{pose}</robot>')
    session = of_file(robot, srdf)
    session.key("j", ctrl=True, shift=True)
    answer(session, "$new 'pose'")
    lines = srdf.read_text().splitlines()
    assert (lines[0], lines[-1]) == (f'<robot name="r">{pose}', "</robot>")
    assert session.joints.poses[-1] == "$new 'pose'"
    said = session.document.notice
    assert said.endswith(f": --srdf {srdf.name} --pose " + shlex.quote("$new 'pose'") + " opens it"), said


def test_saving_a_robot_asks_for_a_pose_and_replaces_one_on_demand(robot: Path) -> None:
    srdf = robot.with_suffix(".srdf")
    session = of_file(robot, srdf)
    session.joints.set("elbow", 0.25)
    session.key("s", ctrl=True)
    answer(session, "p", "folded", "o")
    assert srdf.read_text().count("<group_state") == 2
    assert srdf.read_text().count('group="arm">') == 2
    assert read_srdf(srdf, load_model(robot)).poses["folded"]["elbow"] == 0.25
    session.key("s", ctrl=True)
    answer(session, "p", "zero")
    assert session.prompt is not None
    assert session.prompt.error == "every robot has a pose that is called 'zero': give it another name"


def test_without_an_srdf_file_one_is_begun_that_says_nothing_of_pairs(robot: Path) -> None:
    srdf = robot.with_suffix(".srdf")
    session = of_file(robot)
    session.dialog.ask_save_pose()
    answer(session, "high")
    assert session.prompt is not None
    assert session.prompt.error == "there is a file picker.srdf already: open the robot with --srdf picker.srdf"
    srdf.unlink()
    answer(session, "high")
    found = read(robot, ModelOptions(srdf=srdf, pose="high"))
    assert found.scene.ignored == read(robot).scene.ignored
    session.joints.set("elbow", 1.0)
    session.dialog.ask_save_pose()
    answer(session, "low")
    assert list(read_srdf(srdf, load_model(robot)).poses) == ["high", "low"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('<robot name="a"/>', "between which it can be written"),
        ('<robot name="a"><group_state name="p" group="x"/><group_state name="p" group="y"/></robot>', "2 groups"),
    ],
)
def test_what_cannot_be_written_is_said_and_the_file_stays(robot: Path, text: str, says: str) -> None:
    srdf = robot.with_name("other.srdf")
    srdf.write_text(text)
    session = of_file(robot, srdf)
    with pytest.raises(ValueError, match=says):
        session.file.save_pose("p")
    assert srdf.read_text() == text


def test_a_pose_in_a_comment_is_none(robot: Path) -> None:
    srdf = robot.with_name("other.srdf")
    srdf.write_text('<robot name="a"><!-- <group_state name="p" group="x"></group_state> --></robot>')
    session = of_file(robot, srdf)
    session.file.save_pose("p")
    assert list(read_srdf(srdf, load_model(robot)).poses) == ["p"]


def test_joints_of_several_numbers_are_saved_and_read_again(tmp_path: Path) -> None:
    joints = [Joint("root", "floating", "world", "body"), Joint("left", "prismatic", "body", "l"),
              Joint("right", "prismatic", "body", "r", mimic=Mimic("left", -1.0))]  # fmt: skip
    model = Model.of({"world": {}, "body": {"ball": Sphere([1, 0, 0], 0.1)}, "l": {}, "r": {}}, joints)
    from collision.importers import posed_srdf

    posed = model.at({"root": [1, 2, 3, 0.5, 0.5, 0.5, 0.5], "left": 0.1})
    file = tmp_path / "a.srdf"
    file.write_bytes(posed_srdf(None, "p", posed))
    assert np.array_equal(model.at(read_srdf(file, model).poses["p"]).q, posed.q)
