"""What is done to shapes, and the numbers that are typed for it: the arithmetic, without a picture."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from collision import AABB, Capsule, ConvexHull, Line, OrientedBox, Point, Ray, Scene, Segment, Shape, Sphere
from viewer.gizmo import Move, Resize, Scale, Subject, Turn, sizes, snapped
from viewer.gizmo.active_drag import Entry
from viewer.gizmo.changes import resized
from viewer.gizmo.subject import frame_of, middle_of

AXES = Rotation.from_rotvec([0.3, -0.8, 1.1]).as_matrix()

KINDS: list[Shape] = [
    Point([1, 1, 0]),
    Segment([0, 0, 0], [2, 1, 1]),
    Ray([0, 1, 0], [1, 2, 0.5]),
    Line([0, 1, 0], [1, -1, 0.3]),
    Sphere([0.5, 0, 1], 0.7),
    Capsule([0, 0, 0.25], [0.1, 0.5, 2], 0.5),
    AABB([0, 0, 0], [1, 2, 1]),
    ConvexHull([[-1, -1, 0], [1, -1, 0.2], [0.5, 1.2, 0], [0, 0.1, 1.8]]),
    OrientedBox([0, 0.3, 1], AXES, [1, 0.5, 0.25]),
]

directions = st.tuples(*3 * [st.floats(-1, 1)]).filter(lambda v: np.linalg.norm(v) > 0.1)


def turned_points(points: np.ndarray, axis: np.ndarray, degrees: float, about: np.ndarray) -> np.ndarray:
    """Turn points by SciPy's way, which has nothing in common with ours."""
    turn = Rotation.from_rotvec(np.radians(degrees) * np.asarray(axis) / np.linalg.norm(axis))
    return turn.apply(np.asarray(points) - about) + about


def corners_of(box: OrientedBox) -> np.ndarray:
    signs = np.array(np.meshgrid(*3 * [[-1, 1]])).reshape(3, -1)
    return box.center + (box.axes @ (box.half_extents[:, None] * signs)).T


# -- turning -----------------------------------------------------------------------------------------------------------


@given(directions, st.floats(-1000, 1000), st.tuples(*3 * [st.floats(-5, 5)]))
def test_every_kind_turns_as_its_points_do(axis: tuple[float, ...], degrees: float, about: tuple[float, ...]) -> None:
    turn = Turn(np.array(axis), degrees, np.array(about))
    for shape in KINDS:
        after = turn.of(shape)
        assert type(after) is type(shape)
        if isinstance(shape, AABB):
            box = turn.of(shape.oriented())
            assert isinstance(after, AABB)
            assert after.lower == pytest.approx(corners_of(box).min(axis=0), abs=1e-12)  # type: ignore[arg-type]
            assert after.upper == pytest.approx(corners_of(box).max(axis=0), abs=1e-12)  # type: ignore[arg-type]
            continue
        if isinstance(shape, OrientedBox):
            wanted = turned_points(corners_of(shape), turn.axis, degrees, turn.about)
            assert corners_of(after) == pytest.approx(wanted, abs=1e-12)  # type: ignore[arg-type]
            continue
        for name, value in shape.values().items():
            origin = np.zeros(3) if name == "direction" else turn.about
            wanted = turned_points(value, turn.axis, degrees, origin) if value.shape[-1:] == (3,) else value
            assert after.values()[name] == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("shape", KINDS, ids=lambda shape: type(shape).__name__)
def test_whole_turns_change_no_bit_and_four_quarters_hardly_any(shape: Shape) -> None:
    middle = middle_of(shape)
    for axis in (*np.eye(3), np.array([1.0, 2.0, -0.5])):
        for degrees in (0.0, 360.0, -360.0, 3600.0):
            assert Turn(axis, degrees, middle).of(shape) is shape
    for axis in np.eye(3):
        after = shape
        for _ in range(4):
            after = Turn(axis, 90.0, middle_of(after)).of(after)
        for name, value in shape.values().items():
            assert after.values()[name] == pytest.approx(value, abs=1e-15 * 4)


@pytest.mark.parametrize("shape", KINDS, ids=lambda shape: type(shape).__name__)
def test_many_small_turns_come_back_to_rounding(shape: Shape) -> None:
    if isinstance(shape, AABB):  # refitted each time, it grows: see below
        return
    after = shape
    for _ in range(24):
        after = Turn(np.array([1.0, 2.0, -0.5]), 15.0, middle_of(shape)).of(after)
    for name, value in shape.values().items():
        assert after.values()[name] == pytest.approx(value, abs=2e-14)


def test_what_turns_about_its_own_middle_stays_there_to_the_last_bit() -> None:
    far = np.array([1e6 / 3, -2e5 / 7, 0.1])
    for shape in (Sphere(far, 0.3), OrientedBox(far, AXES, [1, 2, 3])):
        after = Turn(np.array([1.0, 2.0, 3.0]), 33.0, middle_of(shape)).of(shape)
        assert np.array_equal(after.values()["center"], far)


@settings(max_examples=2)
@given(st.integers(0, 2**32 - 1))
def test_the_axes_of_a_box_stay_square_over_thousands_of_turns(seed: int) -> None:
    random = np.random.default_rng(seed)
    box: Shape = OrientedBox([0, 0, 0], AXES, [1, 2, 3])
    for axis, degrees in zip(random.normal(size=(1000, 3)), random.uniform(-180, 180, 1000), strict=True):
        box = Turn(axis, float(degrees), np.zeros(3)).of(box)
    axes = box.values()["axes"]
    assert np.abs(axes.T @ axes - np.eye(3)).max() <= 20 * np.finfo(float).eps
    assert np.linalg.det(axes) == pytest.approx(1.0, abs=1e-15 * 8)


def test_a_turned_aabb_is_refitted_and_grows_each_time_but_not_within_one_turn() -> None:
    box = AABB([-1, -1, -1], [1, 1, 1])
    once = Turn(np.array([0.0, 0.0, 1.0]), 45.0, np.zeros(3)).of(box)
    assert isinstance(once, AABB)
    assert once.upper == pytest.approx([np.sqrt(2), np.sqrt(2), 1])
    twice = Turn(np.array([0.0, 0.0, 1.0]), 45.0, np.zeros(3)).of(once)
    assert twice.values()["upper"] == pytest.approx([2, 2, 1])
    assert Turn(np.array([0.0, 0.0, 1.0]), 90.0, np.zeros(3)).of(box) == box


def test_a_batch_turns_about_its_common_middle() -> None:
    scene = Scene({"crowd": Sphere([[0, 0, 0], [2, 0, 0]], [0.5, 0.25])})
    after = Turn(np.array([0.0, 0.0, 1.0]), 90.0, np.array([1.0, 0.0, 0.0])).apply(scene, ("crowd",))
    assert after["crowd"].values()["center"].tolist() == [[1, -1, 0], [1, 1, 0]]
    assert after["crowd"].values()["radius"].tolist() == [0.5, 0.25]


# -- moving and scaling ------------------------------------------------------------------------------------------------


def test_parts_move_from_where_they_are_or_from_where_it_is_said() -> None:
    scene = Scene({"edge": Segment([0, 0, 0], [1, 0, 0]), "ray": Ray([0, 0, 0], [1, 0, 0])})
    assert Move(np.array([0, 0, 2.0]), "end").apply(scene, ("edge",))["edge"] == Segment([0, 0, 0], [1, 0, 2])
    aimed = Move(np.array([-5.0, 5, 0]), "tip", np.array([5.0, 0, 0])).apply(scene, ("ray",))
    assert aimed["ray"] == Ray([0, 0, 0], [0, 1, 0])


def test_scaling_is_about_a_point_and_takes_sizes_along() -> None:
    scene = Scene({"ball": Sphere([2, 0, 0], 1), "ray": Ray([0, 2, 0], [1, 1, 0]), "box": AABB([0, 0, 0], [1, 1, 1])})
    after = Scale(2.0, np.array([1.0, 0, 0])).apply(scene, ("ball", "ray", "box"))
    assert after["ball"] == Sphere([3, 0, 0], 2)
    assert after["ray"] == Ray([-1, 4, 0], [1, 1, 0])
    assert after["box"] == AABB([-1, 0, 0], [1, 2, 2])
    for bad in (-1.0, np.inf, np.nan):
        with pytest.raises(ValueError, match="factor must be zero or more"):
            Scale(bad, np.zeros(3)).apply(scene, ("ball",))
    with pytest.raises(ValueError, match="no direction left"):
        Scale(0.0, np.zeros(3)).apply(scene, ("ray",))


# -- sizes -------------------------------------------------------------------------------------------------------------


@given(st.sampled_from(KINDS), st.floats(0, 50), st.sampled_from([-1, 0, 1]), st.data())
def test_a_new_size_is_that_size_and_the_other_side_stays(
    shape: Shape, value: float, side: int, data: st.DataObject
) -> None:
    names = list(sizes(shape))
    if not names:
        return
    name = data.draw(st.sampled_from(names))
    after = resized(shape, name, value, side)  # type: ignore[arg-type]
    now, before = sizes(after), sizes(shape)
    assert now.pop(name) == pytest.approx(value, abs=1e-14 * 50)
    assert {**before, name: 0} == pytest.approx({**now, name: 0})
    fixed = {1: ("lower", "start"), -1: ("upper", "end")}.get(side, ())
    for field in fixed:
        if field in shape.values() and name != "radius":
            assert np.array_equal(after.values()[field], shape.values()[field])
    if isinstance(shape, OrientedBox):
        assert isinstance(after, OrientedBox)
        axis = "xyz".index(name)
        faces = [
            box.center - side * box.half_extents[axis] * box.axes[:, axis] if side else box.center
            for box in (shape, after)
        ]
        assert faces[0] == pytest.approx(faces[1], abs=1e-13)
        assert np.array_equal(after.axes, shape.axes)
    if side == 0:
        assert middle_of(after) == pytest.approx(middle_of(shape), abs=1e-13)


def test_typed_sizes_are_exact() -> None:
    assert resized(Sphere([1, 2, 3], 1), "radius", 0.1) == Sphere([1, 2, 3], 0.1)
    assert resized(AABB([0, 0, 0], [1, 1, 1]), "y", 0.3, 1) == AABB([0, 0, 0], [1, 0.3, 1])
    assert resized(AABB([0, 0, 0], [1, 1, 1]), "y", 0.25, -1) == AABB([0, 0.75, 0], [1, 1, 1])
    assert resized(Capsule([0, 0, 0], [0, 0, 1], 1), "length", 0.7, 1) == Capsule([0, 0, 0], [0, 0, 0.7], 1)
    box = resized(OrientedBox([1, 0, 0], np.eye(3), [1, 1, 1]), "x", 3.0, -1)
    assert box == OrientedBox([0.5, 0, 0], np.eye(3), [1.5, 1, 1])


def test_what_has_no_length_grows_along_what_it_is_told() -> None:
    dot = Segment([1, 1, 1], [1, 1, 1])
    assert resized(dot, "length", 2, 1) == Segment([1, 1, 1], [1, 1, 3])
    assert resized(dot, "length", 2, -1, [1, 0, 0]) == Segment([-1, 1, 1], [1, 1, 1])
    assert resized(dot, "length", 2, 0, [0, 1, 0]) == Segment([1, 0, 1], [1, 2, 1])
    assert sizes(resized(dot, "length", 0.0)) == {"length": 0.0}
    tiny = Segment([0, 0, 0], [3e-300, 4e-300, 0])
    assert resized(tiny, "length", 5, 1) == Segment([0, 0, 0], [3, 4, 0])


@pytest.mark.parametrize(
    ("shape", "name", "value", "words"),
    [
        (Sphere([0, 0, 0], 1), "length", 1, "the sphere has no size 'length': it has radius"),
        (Capsule([0, 0, 0], [1, 0, 0], 1), "x", 1, "the capsule has no size 'x': it has radius, length"),
        (Ray([0, 0, 0], [1, 0, 0]), "length", 1, "the ray has no size 'length': it has none"),
        (Sphere(np.zeros((2, 3)), 1), "radius", 1, "the sphere has no size 'radius': a batch is scaled"),
        (AABB([0, 0, 0], [1, 1, 1]), "x", -1, "x must be zero or more, got -1"),
        (Sphere([0, 0, 0], 1), "radius", np.nan, "radius must be zero or more, got nan"),
    ],
)
def test_what_is_no_size_is_refused(shape: Shape, name: str, value: float, words: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 (the words are below)
        resized(shape, name, value)
    assert str(error.value) == words
    scene = Scene({"it": shape})
    with pytest.raises(ValueError, match=r"no size|must be"):
        Resize(name, value).apply(scene, ("it",))


# -- what handles are put on -------------------------------------------------------------------------------------------


@given(directions)
def test_the_own_axes_of_what_has_one_are_right_angled_with_z_along_it(direction: tuple[float, ...]) -> None:
    unit = np.array(direction) / np.linalg.norm(direction)
    for shape in (
        Segment([1, 2, 3], np.add([1, 2, 3], direction)),
        Ray([0, 0, 0], direction),
        Line([0, 0, 9], direction),
    ):
        frame = frame_of(shape)
        assert frame.T @ frame == pytest.approx(np.eye(3), abs=1e-14)
        assert np.linalg.det(frame) == pytest.approx(1.0)
        assert frame[:, 2] == pytest.approx(unit, abs=1e-14)


def test_the_own_axes_are_those_of_the_world_where_there_are_no_others() -> None:
    for shape in (Sphere([1, 2, 3], 1), AABB([0, 0, 0], [1, 2, 3]), Segment([1, 1, 1], [1, 1, 1]), Point([0, 0, 0])):
        assert np.array_equal(frame_of(shape), np.eye(3))
    assert np.array_equal(frame_of(Capsule([0, 0, 0], [0, 0, 5], 1)), np.eye(3))
    assert frame_of(Capsule([0, 0, 5], [0, 0, 0], 1))[:, 2].tolist() == [0, 0, -1]
    assert np.array_equal(frame_of(OrientedBox([0, 0, 0], AXES, [1, 1, 1])), AXES)
    assert np.array_equal(frame_of(OrientedBox([0, 0, 0], np.stack([AXES, AXES]), [1, 1, 1])), np.eye(3))


def test_several_shapes_turn_about_their_common_middle_by_the_axes_of_the_active_one() -> None:
    shapes = [AABB([0, 0, 0], [2, 2, 2]), OrientedBox([10, 0, 0], AXES, [0, 0, 0])]
    subject = Subject.of(shapes, "local")
    assert subject.middle.tolist() == [5, 1, 1]
    assert np.array_equal(subject.frame, AXES)
    assert subject.shape is None
    assert Subject.of(shapes[::-1], "local").local is False


# -- numbers -----------------------------------------------------------------------------------------------------------


def typed(*keys: str, count: int = 1) -> Entry:
    entry = Entry.of(count)
    for key in keys:
        after = entry.pressed(key)
        assert after is not None, key
        entry = after
    return entry


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_can_be_typed_as_it_is_written(value: float) -> None:
    keys = {".": "period", "-": "minus"}
    text = repr(value).replace("+", "")
    sign = text.startswith("-")
    entry = typed(*(keys.get(letter, letter) for letter in text.removeprefix("-")), *(["minus"] if sign else []))
    # A minus after an exponent's letter is the exponent's; any other turns the sign of all.
    assert entry.values == (value,)


@pytest.mark.parametrize(
    ("keys", "text", "value"),
    [
        ((), "", None),
        (("minus",), "-", None),
        (("minus", "minus"), "", None),
        (("1", "minus"), "-1", -1.0),
        (("1", "minus", "minus"), "1", 1.0),
        (("period",), ".", None),
        (("period", "5"), ".5", 0.5),
        (("comma", "5"), ".5", 0.5),
        (("decimal", "5"), ".5", 0.5),
        (("1", "period", "period", "5"), "1.5", 1.5),
        (("1", "5", "backspace"), "1", 1.0),
        (("backspace",), "", None),
        (("1", "e"), "1e", 1.0),
        (("1", "e", "minus"), "1e-", 1.0),
        (("1", "e", "minus", "3"), "1e-3", 1e-3),
        (("2", "e", "3", "minus"), "-2e3", -2000.0),
    ],
)
def test_keys_make_numbers(keys: tuple[str, ...], text: str, value: float | None) -> None:
    entry = typed(*keys)
    assert (entry.texts, entry.values) == ((text,), (value,))
    assert entry.begun is bool(text)


def test_tab_goes_from_number_to_number_and_round() -> None:
    assert typed("1", "tab", "2", "tab", "tab", "3", count=3).texts == ("13", "2", "")
    assert typed("1", "shift+tab", "2", count=3).texts == ("1", "", "2")


@pytest.mark.parametrize("key", ["q", "f1", "e", "left", "plus", "space", "\N{SUPERSCRIPT TWO}", "10"])
def test_other_keys_are_no_part_of_a_number(key: str) -> None:
    assert Entry.of(1).pressed(key) is None


def test_snapping_gives_decimals_as_they_are_written() -> None:
    assert [float(snapped(value, 0.1)) for value in (0.31, 0.68, -0.26)] == [0.3, 0.7, -0.3]
    assert [float(snapped(value, 0.05)) for value in (0.31, 0.68)] == [0.3, 0.7]
    assert [float(snapped(value, 15.0)) for value in (7.4, 7.6, -50, 1000)] == [0, 15, -45, 1005]
    assert float(snapped(0.123, None)) == 0.123
    assert snapped(np.array([0.26, 1.74]), 0.5).tolist() == [0.5, 1.5]
