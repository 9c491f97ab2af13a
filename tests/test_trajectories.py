"""Trajectories: what moves, exactly between keyframes; and files of them, with every way to fail."""

import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from collision import Sphere, Transform, touching_intervals
from collision.importers import ImporterError, Joint, Mimic, Model, read_trajectory


def arm() -> Model:
    """Return links that turn, slide and follow, about axes and anchors of all kinds."""
    joints = [
        Joint("turn", "continuous", "base", "upper", Transform([0, 0, 1], [0.1, 0.2, 0.3, 1]), [0, 1, 2]),
        Joint("slide", "prismatic", "upper", "lower", Transform([1, 0, 0]), [1, 1, 0]),
        Joint("bend", "revolute", "lower", "hand", Transform([0, 1, 0], [1, 0, 0, 1]), [0, 0, 1], anchor=[0.5, 0, 0.2]),
        Joint("follow", "revolute", "hand", "tip", Transform([0, 0, 1]), [0, 1, 0], mimic=Mimic("bend", -2, 0.1)),
    ]
    links = {
        name: {f"{name} ball": Sphere([0.3, 0.2, 0.1], 0.05)} for name in ("base", "upper", "lower", "hand", "tip")
    }
    return Model.of(links, joints)


def test_shapes_are_where_the_joints_have_them_at_every_time() -> None:
    model, rng = arm(), np.random.default_rng(5)
    times = np.array([0.0, 0.5, 2.0, 3.0])
    q = rng.normal(size=(4, 3)) * [9, 1, 2]  # more than a turn from one time to the next
    scene = model.along(times, q)
    assert scene.span == (0, 3)
    for time in np.concatenate([times, rng.uniform(0, 3, 40)]):
        now = model.at([np.interp(time, times, column) for column in q.T]).scene
        for name, shape in scene.at(time).items():
            np.testing.assert_allclose(shape.values()["center"], now[name].values()["center"], atol=1e-13)


def test_what_stands_still_has_no_motion() -> None:
    model = arm()
    scene = model.along([0, 1], {"slide": [0, 1]})
    assert {motion.shape for motion in scene.motion} == {"lower ball", "hand ball", "tip ball"}
    assert model.along([0, 1], {"slide": 1}).motion == ()
    assert model.at({"turn": 1}).along([0, 1], {"slide": [0, 1]}).shapes == model.at({"turn": 1}).scene.shapes


def test_when_links_touch_is_exact() -> None:
    turn = Joint("turn", "continuous", "base", "arm", axis=[0, 0, 1])
    model = Model.of({"base": {"post": Sphere([0, 2, 0], 0.5)}, "arm": {"tip": Sphere([2, 0, 0], 0.5)}}, [turn])
    found = touching_intervals(model.comparing_all_but([]).along([0, 1], {"turn": [0, 2 * np.pi]}))
    half = 2 * np.arcsin(0.25) / (2 * np.pi)  # the distance of the centers is 4 sin(angle / 2)
    np.testing.assert_allclose([found.begin[0], found.end[0]], [0.25 - half, 0.25 + half], atol=1e-12)


def test_floating_bodies_move_and_turn() -> None:
    model = Model.of(
        {"world": {}, "body": {"ball": Sphere([1, 0, 0], 0.1)}}, [Joint("free", "floating", "world", "body")]
    )
    quarter = np.sqrt(0.5)
    scene = model.along([0, 1], {"free": [[5, 0, 0, 1, 0, 0, 0], [5, 2, 0, quarter, 0, 0, quarter]]})
    np.testing.assert_allclose(scene.at(0)["ball"].values()["center"], [6, 0, 0], atol=1e-15)
    np.testing.assert_allclose(scene.at(0.5)["ball"].values()["center"], [5 + quarter, 1 + quarter, 0], atol=1e-15)
    np.testing.assert_allclose(scene.at(1)["ball"].values()["center"], [5, 3, 0], atol=1e-15)


@pytest.mark.parametrize(
    ("times", "q", "message"),
    [
        ([0], {"turn": [0]}, r"times must be two or more, in ascending order, got shape \(1,\)"),
        ([1, 0], {"turn": [0, 1]}, "times must be two or more, in ascending order"),
        ([0, 1], {"turn": [0, 1, 2]}, "q of joint 'turn' must be one for each of the 2 times, got 3"),
        ([0, 1], {"tur": [0, 1]}, "the model has no joint named 'tur'; did you mean 'turn'"),
        ([0, 1], {"follow": [0, 1]}, "the joint 'follow' follows 'bend'"),
    ],
)
def test_a_trajectory_that_does_not_fit_is_refused(times: Any, q: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        arm().along(times, q)


# -- files -------------------------------------------------------------------------------------------------------------

Write = Callable[[Path], object]


def text(content: str) -> Write:
    return lambda file: file.write_text(content, encoding="utf-8")


def packed(name: str, content: bytes) -> Write:
    def write(file: Path) -> None:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(name, content)

    return write


def spoiled(at: int, byte: int) -> Write:
    """Return what writes compressed arrays with another byte: from the end where its place is below zero."""

    def write(file: Path) -> None:
        np.savez_compressed(file, time=[0, 1], turn=[0, 1])
        content = bytearray(file.read_bytes())
        content[at] = byte
        file.write_bytes(content)

    return write


def huge(file: Path) -> None:
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (10000000000000,), }".ljust(117) + b"\n"
    packed("time.npy", b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)(file)


def arrays(**held: Any) -> Write:
    return lambda file: np.savez(file, **held)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("way.csv", text("time, turn ,slide,follow\n0,1,2,9\n\n0.5,-1e-3,4,9\n")),
        ("way.csv", lambda file: file.write_bytes("\ufefft,slide,turn\r\n0,2,1\r\n.5,4,-.001\r\n".encode())),
        ("way.npz", arrays(time=[0, 0.5], turn=[1, -0.001], slide=[2, 4])),
        ("way.npz", arrays(t=[0, 0.5], q=[[1, 2], [-0.001, 4]], joints=["turn", "slide"])),
    ],
)
def test_a_trajectory_in_a_file(tmp_path: Path, name: str, write: Write) -> None:
    write(tmp_path / name)
    times, q = read_trajectory(tmp_path / name, arm())
    assert times.tolist() == [0, 0.5]
    assert {joint: values.tolist() for joint, values in q.items()} == {"turn": [1, -0.001], "slide": [2, 4]}


@pytest.mark.parametrize(
    ("name", "write", "message"),
    [
        ("way.csv", lambda file: None, ": no such file or directory"),
        ("way.txt", text("time\n"), ": a trajectory is a .csv or .npz file"),
        ("way.csv", text(""), ": expected times, called time or t, got none"),
        ("way.csv", text("turn\n0\n1\n"), ": expected times, called time or t, got 'turn'"),
        ("way.csv", text("time,time\n0,1\n"), ":1: expected names that differ, got 'time', 'time'"),
        ("way.csv", text("time,turn\n0,1\n1\n"), ":3: expected 2 numbers, got 1"),
        ("way.csv", text("time,turn\n0,1\n1,up\n"), ":3: turn must be a finite number, got 'up'"),
        ("way.csv", text("time,turn\n0,1\n1,1_0\n"), ":3: turn must be a finite number, got '1_0'"),
        ("way.csv", text("time,turn\n0,1\n1,inf\n"), ":3: turn must be a finite number, got 'inf'"),
        ("way.csv", text("time,turn\n0,1\n"), ": time must be two numbers or more, in ascending order, got 0"),
        (
            "way.csv",
            text("time,turn\n0,0\n1,1\n0.5,2\n"),
            ": time must be in ascending order, got 1.0 and then 0.5, its numbers 2 and 3",
        ),
        ("way.csv", text("time;turn\n1,5;1\n"), ":1: expected names with commas between them, got ';' in 'time;turn'"),
        ("way.csv", text("time\n0,1\n"), ":2: expected 1 number, got 2"),
        ("way.csv", text("time,turn\n0,1\n1,\u0663\n"), ":3: turn must be a finite number, got '\u0663'"),
        ("way.csv", text("time,trun\n0,1\n1,2\n"), "no joint with one value named 'trun'; did you mean 'turn'?"),
        ("way.csv", lambda file: file.write_bytes(b"time,turn\n0,\xff\n"), "it is no table of text in UTF-8"),
        ("way.npz", text("hello"), ": it is no file of NumPy arrays: "),
        ("way.npz", arrays(time=[0, 1], turn=[0, 1, 2]), r": expected arrays .*, got 'time' \(2,\), 'turn' \(3,\)"),
        ("way.npz", arrays(time=[0, 1], turn=["a", "b"]), ": 'turn' must be finite numbers"),
        ("way.npz", arrays(time=[0, 1], turn=[{}, {}]), ": it is no file of NumPy arrays: Object arrays"),
        ("way.npz", spoiled(62, 0xFF), ": it is no file of NumPy arrays: "),
        ("way.npz", spoiled(-124, 0xFF), ": it is no file of NumPy arrays: "),
        ("way.npz", huge, ": it is no file of NumPy arrays: "),
        ("way.npz", packed("time.npy", b"pickle"), ": it is no file of NumPy arrays: 'time' is none"),
        ("way.npz", arrays(time=[0, 1], q=[[1, 2]] * 2, joints=["turn"] * 2), ": expected names that differ, got "),
        (
            "way.npz",
            arrays(time=[0, 1], q=[[1]] * 2, joints=["turn"], turn=[1, 2]),
            ": expected names that differ, got ",
        ),
        ("way.npz", arrays(time=[0, 1], q=[1, 2], joints=["turn"]), r": q must have a column for each of the 1 joints"),
    ],
)
def test_a_file_that_is_no_trajectory(tmp_path: Path, name: str, write: Write, message: str) -> None:
    write(tmp_path / name)
    with pytest.raises(ImporterError, match=message) as caught:
        read_trajectory(tmp_path / name, arm())
    assert str(caught.value).startswith(str(tmp_path / name))
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "wave.csv"
    os.mkfifo(pipe)
    with pytest.raises(ImporterError, match=r"wave\.csv: expected a regular file, got a pipe"):
        read_trajectory(pipe, arm())


def test_more_turns_than_keyframes_can_tell_are_refused() -> None:
    with pytest.raises(ValueError, match="q of joint 'turn' must turn by 1e\\+06 rad at most, got 1e\\+18"):
        arm().along([0, 1], {"turn": [0, 1e18]})
    assert arm().along([0, 1], {"slide": [0, 1e9]}).span == (0, 1)


def test_joints_that_follow_each_other_in_a_long_chain() -> None:
    links: dict[str, dict[str, Sphere]] = {f"l{i}": {} for i in range(1500)}
    joints = [
        Joint(f"j{i}", "prismatic", f"l{i}", f"l{i + 1}", mimic=Mimic(f"j{i - 1}") if i else None) for i in range(1499)
    ]
    chain = Model.of(links, joints)
    assert chain.forward({"j0": 2.0}, ["l1499"]).position.ravel().tolist() == [2998.0, 0.0, 0.0]


def test_what_turns_in_a_plane_goes_all_the_way_that_it_turns() -> None:
    cart = Joint("roll", "planar", "base", "cart", axis=[0, 1, 0])
    model = Model.of({"base": {}, "cart": {"ball": Sphere([1, 0, 0], 0.1)}}, [cart])
    scene = model.along([0, 1, 3], {"roll": [[0, 0, 0], [1, 2, 4], [0, 2, -9]]})
    for time, value in (
        (0.3, [0.3, 0.6, 1.2]),
        (0.9, [0.9, 1.8, 3.6]),
        (1.5, [0.75, 2, 0.75]),
        (2.9, [0.05, 2, -8.35]),
    ):
        there = model.at({"roll": value}).scene["ball"].values()["center"]
        np.testing.assert_allclose(scene.at(time)["ball"].values()["center"], there, atol=1e-13)
