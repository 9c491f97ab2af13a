"""Options of robot models on the command line: joints, poses, trajectories, SRDF, packages."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from viewer.cli import main
from viewer.files.loading import ModelOptions, read
from viewer.session import Session

BALL = '<collision><origin xyz="{} 0 0"/><geometry><sphere radius="0.4"/></geometry></collision>'.format
ROBOT = f"""<robot name="arm">
  <link name="post">{BALL(1)}</link>
  <link name="upper"/>
  <link name="hand">{BALL(2)}<collision name="tool"><geometry><mesh filename="package://parts/tool.stl"/></geometry>
  </collision></link>
  <joint name="turn" type="revolute"><parent link="post"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-3" upper="3"/></joint>
  <joint name="reach" type="prismatic"><parent link="upper"/><child link="hand"/><limit lower="-2" upper="0"/></joint>
</robot>"""
POSES = (
    '<robot name="arm"><group_state name="folded" group="all"><joint name="reach" value="-1"/></group_state></robot>'
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("arm.urdf").write_text(ROBOT, encoding="utf-8")
    Path("arm.srdf").write_text(POSES, encoding="utf-8")
    Path("way.csv").write_text("time,reach\n0,0\n2,-2\n", encoding="utf-8")


def touching(capsys: pytest.CaptureFixture[str], *words: str) -> bool:
    code = main(["check", "arm.urdf", "--quiet", *words])
    capsys.readouterr()
    assert code in (0, 10)
    return code == 10


def test_joints_and_poses_move_the_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert not touching(capsys)
    assert touching(capsys, "--joint", "reach=-0.5")
    assert touching(capsys, "--joint=reach=-5e-1", "--joint", "turn=0")
    assert not touching(capsys, "--joint", "reach=-0.5", "--joint", "turn=90deg")
    assert touching(capsys, "--srdf", "arm.srdf", "--pose", "folded")
    assert not touching(capsys, "--srdf", "arm.srdf", "--pose", "folded", "--joint", "reach=0")  # after the pose


def test_a_value_beyond_the_limits_is_taken_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "arm.urdf", "--joint", "turn=90", "--joint", "reach=-3", "--format", "json"])
    notes = json.loads(capsys.readouterr().out)["notes"]
    turned = "turn is 90, beyond its limits, -3 to 3; for degrees write turn=90deg"
    assert notes == [turned, "reach is -3, beyond its limits, -2 to 0"]
    main(["check", "arm.urdf", "--joint", "turn=90"])
    assert f"arm.urdf: {turned}\n" in capsys.readouterr().err
    main(["check", "arm.urdf", "--joint", "turn=90", "--joint", "turn=3", "--joint", "reach=-2"])
    assert "beyond its limits" not in capsys.readouterr().err  # the last value counts


def test_a_test_tells_a_value_beyond_the_limits_and_a_model_without_shapes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["test", "arm.urdf", "--joint", "turn=90"])
    assert "turn is 90, beyond its limits" in capsys.readouterr().out
    Path("bare.urdf").write_text(
        re.sub("<collision>.*?</collision>", "", Path("arm.urdf").read_text(), flags=re.DOTALL)
    )
    assert main(["test", "bare.urdf", "--joint", "turn=1"]) == 4
    assert "bare.urdf: has no shapes that could collide" in capsys.readouterr().out


def test_joints_whose_zero_is_beyond_their_limits_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("arm.urdf").write_text(ROBOT.replace('upper="0"', 'upper="-0.5"'), encoding="utf-8")
    main(["check", "arm.urdf"])
    words = "arm.urdf: beyond their limits as nothing sets them: reach; --joint and --pose set other values\n"
    assert words in capsys.readouterr().err
    main(["check", "arm.urdf", "--srdf", "arm.srdf", "--pose", "folded"])
    assert "beyond" not in capsys.readouterr().err


def test_files_that_go_beyond_the_limits_are_taken_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("arm.srdf").write_text(POSES.replace("reach", "turn").replace("-1", "-90"), encoding="utf-8")
    main(["check", "arm.urdf", "--srdf", "arm.srdf", "--pose", "folded"])
    assert "turn is -90, beyond its limits, -3 to 3; angles in files are in radians\n" in capsys.readouterr().err
    Path("way.csv").write_text("time,reach\n0,0\n1,-5\n2,1\n", encoding="utf-8")
    main(["check", "arm.urdf", "--trajectory", "way.csv"])
    assert "arm.urdf: reach is -5, beyond its limits, -2 to 0\n" in capsys.readouterr().err
    Path("way.csv").write_text("time,reach\n0,0\n1e300,-5\n", encoding="utf-8")
    assert main(["check", "arm.urdf", "--trajectory", "way.csv"]) == 2
    assert "collision-viewer: way.csv: Motion.times must be within" in capsys.readouterr().err


def test_a_trajectory_is_a_motion(capsys: pytest.CaptureFixture[str]) -> None:
    assert touching(capsys, "--trajectory", "way.csv")
    assert not touching(capsys, "--trajectory", "way.csv", "--joint", "turn=2")
    main(["check", "arm.urdf", "--trajectory", "way.csv", "--format", "json"])
    motion = json.loads(capsys.readouterr().out)["motion"]
    assert (motion["start"], motion["stop"]) == (0, 2)
    (interval,) = motion["intervals"]
    assert (interval["a"], interval["b"]) == ("post", "hand/0")
    np.testing.assert_allclose([interval["begin"], interval["end"]], [0.2, 1.8], atol=1e-12)
    assert main(["check", "arm.urdf", "--trajectory", "way.csv", "--at", "1"]) == 10


def test_a_robot_promises_that_nothing_collides_where_its_options_put_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "arm.urdf"]) == 4
    assert main(["test", "arm.urdf", "--joint", "turn=1"]) == 0
    capsys.readouterr()
    words = ["test", "arm.urdf", "--srdf", "arm.srdf", "--pose", "folded", "--joint", "turn=0.1"]
    assert main([*words, "--format", "json"]) == 10
    (promise,) = [
        one for one in json.loads(capsys.readouterr().out)["scenes"][0]["promises"] if one["state"] == "broken"
    ]
    assert (promise["id"], promise["a"], promise["b"]) == ("no-collision", "post", "hand/0")
    assert main(["test", "arm.urdf", "--trajectory", "way.csv", "--html", "report.html"]) == 10
    page = Path("report.html").read_text(encoding="utf-8")
    again = "collision-viewer test arm.urdf --trajectory way.csv --only no-collision"
    assert again in page
    assert main(again.split()[1:]) == 10
    Path("post.toml").write_text('[shapes.post]\nkind = "sphere"\ncenter = [0, 0, 0]\nradius = 1\n', encoding="utf-8")
    assert main(["test", "post.toml", "--joint", "turn=1"]) == 2


def test_a_package_is_looked_for_where_it_is_said_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "arm.urdf"])
    assert "say where it is with --package parts=FOLDER" in capsys.readouterr().err
    Path("own").mkdir()
    Path("own/tool.stl").write_bytes(b"")
    main(["check", "arm.urdf", "--package", "parts=own"])
    assert "there is no file" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["arm.urdf", "--joint", "reach"], "--joint must be NAME=VALUE, such as elbow=0.5 or elbow=30deg, got 'reach'"),
        (["arm.urdf", "--joint", "reach=far"], "--joint must be NAME=VALUE, such as .*, got 'reach=far'"),
        (["arm.urdf", "--joint", "reach=inf"], "--joint must be NAME=VALUE, such as .*, got 'reach=inf'"),
        (["arm.urdf", "--joint", "rech=1"], "^[a-z-]+: --joint: arm.urdf: the model has no joint named 'rech'; did"),
        (
            ["arm.urdf", "--pose", "folded"],
            "arm.urdf: there is no pose named 'folded'; it has none; --srdf FILE brings",
        ),
        (["arm.urdf", "--srdf", "arm.srdf", "--pose", "fold"], "no pose named 'fold'; did you mean 'folded'?"),
        (["arm.urdf", "--srdf", "gone.srdf"], "gone.srdf: no such file or directory"),
        (["arm.urdf", "--trajectory", "gone.csv"], "gone.csv: no such file or directory"),
        (["arm.urdf", "--package", "parts"], "--package must be NAME=FOLDER, got 'parts'"),
        (
            ["robot_arm", "--joint", "a=1"],
            "robot_arm.toml: --joint, .* are for a robot model, a .xml, .mjcf, .urdf",
        ),
        (["-", "--joint", "a=1"], "options of robot models need a file, and - is a scene on stdin"),
    ],
)
def test_mistakes(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *words]) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert re.search(said, err), err


def test_a_model_that_is_read_again_has_its_pose_again() -> None:
    loaded = read("arm.urdf", ModelOptions(joints=(("reach", -1.5),)))
    session = Session(loaded.scene)
    session.file.comes_from(loaded.path, state=loaded.state, wanted=loaded.wanted)
    Path("arm.urdf").write_text(ROBOT.replace("0.4", "0.3"), encoding="utf-8")
    session.file.revert()
    hand = session.scene["hand/0"].values()
    assert (hand["center"].tolist(), float(hand["radius"])) == ([0.5, 0, 0], 0.3)
