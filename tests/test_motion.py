"""Motions: where shapes are at a time, how scenes carry motions, and how files hold them."""

from __future__ import annotations

import math
import pickle
import textwrap
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from collision import AABB, Capsule, HalfSpace, Motion, OrientedBox, Point, Scene, Segment, Shape, Sphere
from collision.scenefile import SceneFileError, dump_scene, json_schema, parse_scene
from collision.shapes.kinds import KINDS
from collision.shapes.motion import LATEST
from tests.sampling import batch, one

QUARTER = [[0, 0, 0, 1], [0, 0, 1, 1]]
STILL = [[0, 0, 0], [0, 0, 0]]


def turned(point: Any, axis: Any, degrees: float, pivot: Any = (0, 0, 0)) -> np.ndarray:
    """Turn a point about an axis by Rodrigues' formula."""
    unit, arm = np.asarray(axis, float) / np.linalg.norm(axis), np.subtract(point, pivot)
    angle = math.radians(degrees)
    across = np.cross(unit, arm) * math.sin(angle) + unit * (unit @ arm) * (1.0 - math.cos(angle))
    return np.asarray(pivot + arm * math.cos(angle) + across)


# -- one motion --------------------------------------------------------------------------------------------------------


def test_offsets_change_evenly_and_stay_outside_of_the_keyframes() -> None:
    motion = Motion("P", [1, 2, 4], [[0, 0, 0], [1, 0, 2], [1, 8, 2]])
    scene = Scene({"P": Point([10, 0, 0])}, motion=[motion])
    wanted = {0: (10, 0, 0), 1: (10, 0, 0), 1.25: (10.25, 0, 0.5), 2: (11, 0, 2), 3.5: (11, 6, 2), 9: (11, 8, 2)}
    for time, place in wanted.items():
        assert scene.at(time)["P"].position.tolist() == list(place)
    assert scene.span == (1.0, 4.0)
    assert Scene().span is None


@pytest.mark.parametrize("fraction", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_turns_go_evenly_about_the_pivot(fraction: float) -> None:
    axis, angle, pivot = [1, 2, 3], 140.0, [1, 0, 5]
    turns = Rotation.from_rotvec(np.radians([0.0, angle])[:, None] * np.array(axis) / np.linalg.norm(axis))
    scene = Scene(
        {"arm": Segment([2, 0, 0], [3, 1, 1])},
        motion=[Motion("arm", [2, 4], [[0, 0, 0], [0, 0, 6]], turns, pivot=pivot)],
    )
    arm = scene.at(2 + 2 * fraction)["arm"]
    for end in ("start", "end"):
        wanted = np.add(turned(getattr(scene["arm"], end), axis, fraction * angle, pivot), [0, 0, 6 * fraction])
        assert getattr(arm, end) == pytest.approx(wanted, abs=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_pivot_a_shape_turns_about_its_own_middle(kind: type[Shape]) -> None:
    shape = one(kind)
    there = Scene({"it": shape}, motion=[Motion("it", [0, 1], rotations=QUARTER)]).at(1)["it"]
    if not shape.bounded:
        assert there.core.operands[0] == pytest.approx(shape.core.operands[0])
        way = "normal" if kind is HalfSpace else "direction"
        assert there.values()[way] == pytest.approx(turned(shape.values()[way], [0, 0, 1], 90))
        return
    assert there.bounds().center == pytest.approx(shape.bounds().center)
    wide, deep, tall = shape.bounds().half_extents
    assert there.bounds().half_extents == pytest.approx([deep, wide, tall])


def test_an_aabb_that_turns_is_refitted_from_how_it_rests() -> None:
    scene = Scene({"box": AABB([0, 0, 0], [2, 2, 2])}, motion=[Motion("box", [0, 1], rotations=QUARTER)])
    half = scene.at(0.5)["box"]
    assert isinstance(half, AABB)
    assert half.half_extents == pytest.approx([math.sqrt(2), math.sqrt(2), 1])
    assert scene.at(1)["box"].upper == pytest.approx([2, 2, 2])  # it does not keep growing


def test_motions_of_one_shape_are_carried_out_in_order_about_pivots_at_rest() -> None:
    scene = Scene(
        {"upper": Segment([0, 0, 0], [2, 0, 0]), "lower arm": Segment([2, 0, 0], [4, 0, 0])},
        motion=[
            Motion("lower arm", [0, 1], rotations=QUARTER, pivot=[2, 0, 0]),
            Motion("*", [0, 1], rotations=QUARTER, pivot=[0, 0, 0]),
        ],
    )
    there = scene.at(1)
    assert there["upper"].end == pytest.approx([0, 2, 0])
    assert there["lower arm"].start == pytest.approx([0, 2, 0])
    assert there["lower arm"].end == pytest.approx([-2, 2, 0])  # bent by 90 degrees, and then turned with all of it


def test_what_does_not_move_keeps_every_bit_and_is_not_copied() -> None:
    rng = np.random.default_rng(0)
    shapes = {kind.__name__: one(kind) for kind in KINDS} | {"crowd": Sphere(rng.normal(size=(9, 3)), 0.1)}
    moves = [Motion("*", [0, 1, 2, 3], [[0, 0, 0], [1, 0, 0], [1, 0, 0], [0, 0, 0]], [*QUARTER, *reversed(QUARTER)])]
    scene = Scene(shapes, motion=moves)
    for time in (-1.0, 0.0, 3.0, 4.0):
        for name, shape in scene.at(time).shapes.items():
            values = shape.values()
            assert {key: value.tobytes() for key, value in shapes[name].values().items()} == {
                key: value.tobytes() for key, value in values.items()
            }
    assert scene.at(0).groups[0] is scene.groups[0]
    assert scene.at(0.5)["Sphere"] != scene["Sphere"]


def test_elements_and_patterns_move_and_others_stay() -> None:
    scene = Scene(
        {"crowd": Sphere([[0, 0, 0], [4, 0, 0], [8, 0, 0]], 1), "cat": Point([0, 9, 0]), "dog": Point([0, 9, 9])},
        motion=[
            Motion("crowd[1]", [-1, 0], [[0, 0, 0], [0, 0, 5]]),
            Motion("c*t", [-1, 0], [[0, 0, 0], [1, 0, 0]]),
        ],
    )
    there = scene.at(0)
    assert there["crowd"].center.tolist() == [[0, 0, 0], [4, 0, 5], [8, 0, 0]]
    assert there["cat"].position.tolist() == [1, 9, 0]
    assert there["dog"] is scene["dog"] or there["dog"] == scene["dog"]


def test_an_entry_turns_as_one_and_an_element_by_itself() -> None:
    rest = Sphere([[0, 0, 0], [4, 0, 0]], 1)
    as_one = Scene({"pair": rest}, motion=[Motion("pair", [0, 1], rotations=QUARTER)]).at(1)["pair"]
    assert as_one.center == pytest.approx(np.array([[2, -2, 0], [2, 2, 0]]))
    each = Scene({"pair": rest}, motion=[Motion("pair[*]", [0, 1], rotations=QUARTER)]).at(1)["pair"]
    assert each.center == pytest.approx(rest.center)


@pytest.mark.parametrize("count", [3, 100])
def test_each_element_of_a_pattern_turns_about_its_own_middle_however_many_there_are(count: int) -> None:
    centers = np.arange(3.0 * count).reshape(count, 3)
    half_turn = Motion("crowd[*", [0, 1], rotations=[[0, 0, 0, 1], [0, 0, 1, 0]])
    scene = Scene({"crowd": OrientedBox(centers, [0, 0, 0, 1], [1, 2, 3])}, motion=[half_turn]).at(1)
    boxes = scene["crowd"]
    assert isinstance(boxes, OrientedBox)
    np.testing.assert_allclose(boxes.center, centers, atol=1e-12)
    np.testing.assert_allclose(boxes.axes, np.broadcast_to(np.diag([-1.0, -1.0, 1.0]), (count, 3, 3)), atol=1e-12)


def test_many_that_move_are_where_few_would_be() -> None:
    rng = np.random.default_rng(1)
    grid = Capsule(rng.normal(size=(15, 10, 3)), rng.normal(size=(15, 10, 3)), rng.uniform(size=(15, 10)))
    shapes = {"grid": grid, "box": one(OrientedBox), "ball": one(Sphere)}
    turn = Rotation.random(3, rng=rng)
    whole = Motion("*", [0, 1, 2], rng.normal(size=(3, 3)), turn, pivot=[1, 2, 3])
    some = Motion("grid[3,4]", [0, 1], rng.normal(size=(2, 3)))
    scene = Scene(shapes, motion=[whole, some])
    there = scene.at(0.7)
    assert there["grid"].batch_shape == (15, 10)
    for name in ("grid[0,0]", "grid[3,4]", "grid[14,9]", "box", "ball"):
        alone = Scene(
            {"it": scene[name]}, motion=[m.of("it") for m in scene.motion if name == "grid[3,4]" or m is whole]
        )
        for key, value in alone.at(0.7)["it"].values().items():
            assert there[name].values()[key] == pytest.approx(value, abs=1e-14)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Motion("", [0, 1], STILL), "Motion.shape must be the name"),
        (lambda: Motion("a", [], []), "Motion.times must be a list of two or more"),
        (lambda: Motion("a", [3], [[0, 0, 1]]), r"Motion.times must be a list of two or more .*got \[3.0\]"),
        (lambda: Motion("a", [0, 1]), "Motion needs offsets or rotations, or both, got neither"),
        (lambda: Motion("a", [0, 1], pivot=[0, 0, 0]), "Motion needs offsets or rotations, or both, got neither"),
        (lambda: Motion("a", [0, math.nan]), "finite"),
        (lambda: Motion("a", [0, 2, 1]), "Motion.times must ascend, got 1 after 2"),
        (
            lambda: Motion("a", [0, 1], [[0, 0, 0]]),
            r"Motion.offsets must be one for each of the 2 times.*got shape \(1, 3\)",
        ),
        (lambda: Motion("a", [0, 1], rotations=[[0, 0, 0, 1]]), "Motion.rotations must be one for each"),
        (lambda: Motion("a", [0, 1], rotations=[[0, 0, 0, 0]] * 2), "Motion.rotations must be finite and not the zero"),
        (lambda: Motion("a", [0, 1], rotations=[2 * np.eye(3)] * 2), "Motion.rotations must be a rotation matrix"),
        (lambda: Motion("a", [0, 1], STILL, pivot=[[0, 0, 0]]), "Motion.pivot must be three numbers"),
        (lambda: Scene(motion=[Motion("a", [0, 1], STILL)]), "motion: there is no shape named 'a'"),
        (lambda: Scene().at(math.inf), "Scene.at: time must be .*finite number, got inf"),
        (
            lambda: Scene(
                {"a": one(Point)}, motion=[Motion(name, [0, 1], [[1e308, 0, 0]] * 2) for name in ("a", "*")]
            ).at(0),
            r"Motion\.offsets must have no coordinate larger than 1e72, got \[1e\+308",
        ),
        (lambda: Motion("a", [0, 1], STILL, pivot=[0, 0, 1e73]), r"Motion\.pivot must have no coordinate larger than"),
    ],
)
def test_what_makes_no_motion_is_refused(wrong: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        wrong()


def test_only_motions_make_up_a_motion() -> None:
    with pytest.raises(TypeError, match="motion must be made of Motion, got str"):
        Scene(motion=["a"])  # type: ignore[list-item]


def test_motions_are_values() -> None:
    motion = Motion("a", [0, 1], [[0, 0, 0], [1, 0, 0]], QUARTER, pivot=[0, 0, 1])
    again = pickle.loads(pickle.dumps(motion))
    assert motion == again
    assert hash(motion) == hash(again)
    assert again.rotations.tobytes() == motion.rotations.tobytes()
    assert motion != motion.of("b")
    assert motion != Motion("a", [0, 1], [[0, 0, 0], [1, 0, 0]], QUARTER)
    assert motion.__eq__("a") is NotImplemented
    assert "2 keyframes, 0 to 1" in repr(motion)
    with pytest.raises(ValueError, match="read-only"):
        motion.times[0] = 5.0


# -- a scene with motions ----------------------------------------------------------------------------------------------


def test_a_pattern_that_no_shape_has_is_refused() -> None:
    shapes = {"crate": Point([0, 0, 0])}
    with pytest.raises(ValueError, match=r"motion: no shape in the scene has a name like 'b\*'"):
        Scene(shapes, motion=[Motion("b*", [0, 1], [[0, 0, 0], [1, 0, 0]])])
    assert Scene(shapes, motion=[Motion("c*", [0, 1], [[0, 0, 0], [1, 0, 0]])]).without("crate").motion == ()


def test_a_scene_carries_its_motion() -> None:
    motion = (
        Motion("a", [0, 1], [[0, 0, 0], [1, 0, 0]]),
        Motion("b*", [0, 1], STILL),
        Motion("crowd[2]", [0, 1], STILL),
    )
    shapes = {"a": one(Sphere), "b": one(Point), "crowd": batch(Sphere, 3)}
    scene = Scene(shapes, motion=motion)
    assert scene.motion == motion
    assert scene != Scene(shapes)
    assert pickle.loads(pickle.dumps(scene)) == scene
    assert hash(scene) == hash(Scene(shapes, motion=list(motion)))
    assert scene.moved("a", [1, 0, 0]).motion == motion
    assert scene.replaced(title="T").motion == motion
    assert scene.replaced(motion=()).motion == ()
    assert scene.without("a").motion == motion[1:]
    assert [m.shape for m in scene.renamed("a", "z").renamed("crowd", "c").motion] == ["z", "b*", "c[2]"]
    assert [m.shape for m in scene.without("crowd[0]").motion] == ["a", "b*", "crowd[1]"]
    assert scene.at(0.5).motion == ()
    assert scene.at(0.5).at(0.5) == scene.at(0.5)


def test_what_moves_starts_from_where_the_scene_has_it_now() -> None:
    scene = Scene({"a": Sphere([0, 0, 0], 1)}, motion=[Motion("a", [0, 1], [[0, 0, 0], [2, 0, 0]])])
    assert scene.moved("a", [0, 5, 0]).at(1)["a"].center.tolist() == [2, 5, 0]
    assert scene.replaced(motion=[Motion("a", [0, 1], [[0, 0, 0], [0, 0, 7]])]).at(3)["a"].center.tolist() == [0, 0, 7]


def test_queries_at_a_time_are_those_of_a_scene_made_anew() -> None:
    rng = np.random.default_rng(2)
    scene = Scene(
        {"crowd": Sphere(rng.uniform(0, 6, (80, 3)), 0.4), "bar": Capsule([0, 3, 3], [6, 3, 3], 0.5)},
        motion=[Motion("bar", [0, 1, 2], rng.normal(size=(3, 3)), Rotation.random(3, rng=rng))],
    )
    for time in rng.uniform(0, 2, 10).tolist():
        there = scene.at(time)
        anew = Scene(dict(there.shapes))
        assert there.colliding_pairs().tolist() == anew.colliding_pairs().tolist()
        assert there.contacts(margin=0.1).pairs.tolist() == anew.contacts(margin=0.1).pairs.tolist()


# -- files -------------------------------------------------------------------------------------------------------------

CRATE = '[shapes.crate]\nkind = "box"\ncenter = [1, 0, 0]\nsize = [1, 1, 1]\n'


def read(motion: str) -> Scene:
    return parse_scene(CRATE + "[[motion]]\n" + textwrap.dedent(motion))


NUMBER = st.floats(-1e72, 1e72)
VECTOR = st.tuples(NUMBER, NUMBER, NUMBER)


@st.composite
def motions(draw: st.DrawFn) -> Motion:
    times = sorted(draw(st.sets(st.floats(-LATEST, LATEST), min_size=2, max_size=4)))
    count = len(times)
    offsets = draw(st.none() | st.lists(VECTOR, min_size=count, max_size=count))
    angles = draw(st.none() | st.lists(st.tuples(*[st.floats(-3, 3)] * 3), min_size=count, max_size=count))
    turns = None if angles is None else Rotation.from_rotvec(np.array(angles))
    offsets = [(0.0, 0.0, 0.0)] * count if offsets is None and turns is None else offsets
    return Motion(draw(st.sampled_from(["crate", "c*"])), times, offsets, turns, pivot=draw(st.none() | VECTOR))


@given(st.lists(motions(), max_size=3))
def test_what_is_written_comes_back_to_the_last_bit(some: list[Motion]) -> None:
    scene = Scene({"crate": one(OrientedBox)}, motion=some)
    text = dump_scene(scene)
    again = parse_scene(text)
    assert again == scene
    assert dump_scene(again) == text
    for before, after in zip(scene.motion, again.motion, strict=True):
        for key in ("times", "offsets", "rotations"):
            assert getattr(after, key).tobytes() == getattr(before, key).tobytes()


def test_a_motion_is_pleasant_to_read() -> None:
    scene = Scene(
        {"ball": Sphere([0, 0, 0], 1)},
        motion=[Motion("ball", [0, 2], [[0, 0, 0], [1, 0, 0]], QUARTER, pivot=[0, 0, 1])],
    )
    wanted = """
        [[motion]]
        shape = "ball"
        time = [0.0, 2.0]
        offset = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
        rotation = [[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.7071067811865475, 0.7071067811865475]]
        pivot = [0.0, 0.0, 1.0]
    """
    assert dump_scene(scene).endswith(textwrap.dedent(wanted))


@pytest.mark.parametrize(
    "rotation",
    [
        '{ axis = "z", angle = [0, 90] }',
        "{ euler = [[0, 0, 0], [0, 0, 90]] }",
        "[[0, 0, 0, 1], [0, 0, 1, 1]]",
        "{ matrix = [[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, -1, 0], [1, 0, 0], [0, 0, 1]]] }",
    ],
)
def test_rotations_are_written_in_every_form(rotation: str) -> None:
    scene = read(f'shape = "crate"\ntime = [0, 1]\nrotation = {rotation}\npivot = [0, 0, 0]')
    assert scene.at(1)["crate"].center == pytest.approx([0, 1, 0])
    assert scene.at(0.5)["crate"].center == pytest.approx([math.sqrt(0.5), math.sqrt(0.5), 0])


def test_one_offset_and_one_rotation_hold_at_all_times() -> None:
    scene = read('shape = "crate"\ntime = [0, 1]\noffset = [0, 0, 3]\nrotation = { axis = "z", angle = 90 }')
    for time in (0, 0.3, 1):
        assert scene.at(time)["crate"].center == pytest.approx([1, 0, 3])
        assert scene.at(time)["crate"].axes[:, 0] == pytest.approx([0, 1, 0])


@pytest.mark.parametrize("degrees", [200.0, 360.0, -1000.0])
def test_long_turns_about_an_axis_are_turned_in_full(degrees: float) -> None:
    scene = read(
        f"""
        shape = "crate"
        time = [0, 2, 3]
        offset = [[0, 0, 0], [0, 0, 4], [0, 0, 4]]
        rotation = {{ axis = "z", angle = [0, {degrees}, {degrees}] }}
        pivot = [0, 0, 0]
        """
    )
    for time in np.linspace(0, 2, 21).tolist():
        wanted = np.add(turned([1, 0, 0], [0, 0, 1], 0.5 * time * degrees), [0, 0, 2 * time])
        assert scene.at(time)["crate"].center == pytest.approx(wanted, abs=1e-12)
    assert scene.span == (0.0, 3.0)


@pytest.mark.parametrize(
    ("motion", "lines"),
    [
        (
            'shape = "crat"\ntime = [0, 1]\noffset = [0, 0, 1]',
            ['6: motion 1: shape: there is no shape named "crat"; did you mean "crate"?'],
        ),
        (
            'shape = "crate[1]"\ntime = [0, 1]\noffset = [0, 0, 1]',
            ['6: motion 1: shape: there is no element "crate[1]": it is a single shape'],
        ),
        ("time = [0, 1]", ["5: motion 1: shape: missing; an entry of motion needs shape, time"]),
        ('shape = ""\ntime = [0]', ["6: motion 1: shape: expected the name of a shape"]),
        ('shape = "crate"\ntime = [0, 0]', ["7: motion 1: time[1]: expected a time after 0, got 0.0"]),
        ('shape = "crate"\ntime = 1', ["7: motion 1: time: expected a list of at least two times"]),
        (
            'shape = "crate"\ntime = [1]\noffset = [0, 0, 1]',
            ["7: motion 1: time: expected a list of at least two times"],
        ),
        (
            'shape = "crate"\ntime = [0, 1]\npivot = [0, 0, 0]',
            ["5: motion 1: missing; an entry of motion needs an offset or a rotation, or both"],
        ),
        (
            'shape = "crate"\ntime = [0, 1]\noffset = [[0, 0, 0]]',
            ["8: motion 1: offset: expected one for each of the 2"],
        ),
        ('shape = "crate"\ntime = [0, 1]\nrotation = 3', ["8: motion 1: rotation: expected a quaternion"]),
        ('shape = "crate"\ntime = [0]\nrotation = { axis = "z", angel = 3 }', ['unknown key; did you mean "angle"?']),
        (
            'shape = "crate"\ntime = [0, 1]\nrotation = { axis = "z", angle = [0, 1e12] }',
            ["at most 33,333 whole turns"],
        ),
        (
            'shape = "crate"\ntime = [0]\nofset = [0, 0, 0]\npivot = [0, 0]',
            ['8: motion 1: ofset: unknown key; did you mean "offset"?', "9: motion 1: pivot: expected three numbers"],
        ),
    ],
)
def test_mistakes_are_told_with_their_lines(motion: str, lines: list[str]) -> None:
    with pytest.raises(SceneFileError) as caught:
        read(motion)
    found = str(caught.value).splitlines()
    assert len(found) == len(lines)
    for line, wanted in zip(found, lines, strict=True):
        assert wanted in line


def test_editors_know_motions() -> None:
    schema = json_schema()
    table = schema["$defs"]["MotionTable"]
    assert set(table["properties"]) == {"shape", "time", "offset", "rotation", "pivot"}
    assert table["required"] == ["shape", "time"]
    assert all(keys["description"] for keys in table["properties"].values())
