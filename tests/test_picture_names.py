"""The names of shapes in a picture: which there are, and that each stands where its shape is seen."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collision import (
    AABB,
    Camera,
    Capsule,
    HalfSpace,
    Line,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    signed_distance,
)
from tests.helpers import seen_labels
from viewer.camera.camera import Viewport
from viewer.camera.framing import frame
from viewer.camera.picking import pick
from viewer.picture.names import FEW, MANY, MANY_POINTS, name_labels
from viewer.picture.present import present
from viewer.picture.shapes import shape_drawables
from viewer.records.drawables import Label, Role
from viewer.session import Session
from viewer.stage.sight import SeenLabel, Sight
from viewer.stage.text.labels import Labels
from viewer.stage.text.triad import axis_letters

SIZE = (640, 480)


def named(scene: Scene, view: Viewport | None = None, pairs: int = 8) -> dict[str, SeenLabel]:
    view = view or Viewport(frame(scene.bounds(), "iso"), SIZE)
    solids = shape_drawables(scene, np.zeros(scene.element_count, np.uint8))
    labels = Sight([*solids, *name_labels(scene, scene.contacts(), pairs)]).labels(view)
    assert len({each.label.text for each in labels}) == len(labels)
    return {each.label.text: each for each in labels}


def row(count: int, gap: float = 3.0) -> dict[str, Sphere]:
    return {f"ball {i}": Sphere([gap * i, 0, 0], 1) for i in range(count)}


# -- which ---------------------------------------------------------------------------------------------------------


def test_of_few_shapes_all_are_named_of_more_those_that_collide() -> None:
    assert set(named(Scene(row(FEW)))) == set(row(FEW))
    more = row(FEW + 1)
    assert named(Scene(more)) == {}
    crowd = {"crowd": Sphere(np.arange(60).reshape(20, 3), 0.5), "ball": Sphere([0, 9, 0], 1)}
    assert set(named(Scene(crowd))) == {"ball"}
    session = Session(Scene(more), size=SIZE)
    session.explaining.explain("ball 1", "ball 2")
    texts = {drawn.text for drawn in present(session) if isinstance(drawn, Label)}
    assert texts & {*more} == {"ball 1", "ball 2"}
    more["hitting"] = Sphere([0, 1.5, 0], 1)
    assert set(named(Scene(more))) == {"hitting", "ball 0"}


def test_of_a_crowd_that_collides_the_deepest_pairs_are_named() -> None:
    crowd = {f"pair {i}": Sphere([[0, 4 * i, 0], [1.9 - 0.1 * i, 4 * i, 0]], 1) for i in range(MANY // 2)}
    above = Viewport(frame(Scene(crowd).bounds(), "z"), SIZE)
    assert len(named(Scene(crowd), above, pairs=2)) == MANY
    crowd["last"] = Sphere([[3, 0, 0], [3.5, 0, 0]], 1)
    last = f"pair {MANY // 2 - 1}"
    assert set(named(Scene(crowd), above, pairs=2)) == {"last[0]", "last[1]", f"{last}[0]", f"{last}[1]"}


def test_points_are_named_plainly_and_not_when_they_are_many() -> None:
    points = {f"P{i}": Point([i, 0, 0]) for i in range(MANY_POINTS)}
    labels = named(Scene(points))
    assert set(labels) == set(points)
    assert {each.label.role for each in labels.values()} == {Role.TEXT}
    points["one more"] = Point([-1, 0, 0])
    assert named(Scene(points)) == {}
    assert set(named(Scene({**points, "ball": Sphere([5, 0, 0], 0.5)}))) == {"P5", "ball"}


def test_labels_are_names_too_when_they_are_hidden() -> None:
    session = Session(Scene(row(2)))
    assert [d.text for d in present(session) if isinstance(d, Label)] == ["ball 0", "ball 1"]
    session.select("ball 1")  # which has its handles there, and its name in the table
    names = [d.text for d in present(session) if isinstance(d, Label) and d.role is Role.NAME]
    assert names == ["ball 0"]
    session.select_many(["ball 0", "ball 1"])  # whose handles are amid them
    assert [d.text for d in present(session) if isinstance(d, Label) and d.role is Role.NAME] == ["ball 0", "ball 1"]
    session.select("ball 1")
    assert [d.text for d in present(session) if isinstance(d, Label) and d.role is Role.NAME] == ["ball 0"]
    session.settings.toggle("labels")
    assert not [d for d in present(session) if isinstance(d, Label)]


# -- where ---------------------------------------------------------------------------------------------------------

SOLIDS = st.lists(
    st.tuples(st.sampled_from("sca"), *[st.floats(-3.0, 3.0)] * 6, st.floats(0.2, 1.5)), min_size=1, max_size=8
)


def solid(kind: str, *numbers: float) -> Sphere | Capsule | AABB:
    start, end, radius = np.array(numbers[:3]), np.array(numbers[3:6]), numbers[6]
    if kind == "s":
        return Sphere(start, radius)
    return Capsule(start, end, radius) if kind == "c" else AABB(np.minimum(start, end), np.maximum(start, end) + 0.1)


@given(SOLIDS, st.sampled_from(["iso", "x", "z"]), st.booleans())
def test_a_name_is_where_its_shape_is_seen(rows: list[tuple[str, ...]], view: str, parallel: bool) -> None:
    scene = Scene({f"it {i}": solid(*row) for i, row in enumerate(rows)})  # type: ignore[arg-type]
    lens = Camera((1, 0, 0), parallel_height=1.0) if parallel else None
    port = Viewport(frame(scene.bounds(), view, lens=lens), SIZE)
    labels = named(scene, port)
    for name, label in labels.items():
        x, y = port.project(label.point)[0]
        seen = pick(scene, port, x, y)
        assert seen is not None
        assert seen == name or signed_distance(Point(label.point), scene[seen]) == pytest.approx(0.0, abs=1e-5)
    if len(scene) == 1:
        assert labels


def test_there_is_as_much_room_for_a_name_as_the_shape_is_seen() -> None:
    view = Viewport(Camera((0, 0, 30), up=(0, 1, 0), parallel_height=4), SIZE)
    diameter = 2.0 / view.units_per_pixel([0, 0, 0])
    whole = named(Scene({"ball": Sphere([0, 0, 0], 1)}), view)["ball"]
    assert np.abs(whole.point[:2]).max() < 0.1
    assert min(whole.room) > 0.85 * diameter
    assert max(whole.room) <= diameter
    half = Scene({"ball": Sphere([0, 0, 0], 1), "wall": AABB([-9, -9, 5], [0, 9, 6])})
    cut = named(half, view)["ball"]
    assert 0.3 < cut.point[0] < 0.6
    assert 0.3 * diameter < cut.room[0] < 0.55 * diameter


def test_what_is_hidden_or_outside_is_not_named() -> None:
    scene = Scene(
        {
            "before": Sphere([0, 0, 0], 1),
            "hidden": Sphere([0, 0, -5], 1),
            "half": Sphere([1.2, 0, -3], 1),
            "beside": Sphere([90, 0, 0], 1),
            "behind": Sphere([0, 0, 30], 1),
        }
    )
    view = Viewport(Camera((0, 0, 12), up=(0, 1, 0)), SIZE)
    labels = named(scene, view)
    assert set(labels) == {"before", "half"}
    assert labels["half"].point[0] > 1.2  # on the half that is seen


@pytest.mark.parametrize("line", [Line([-2, 1, 0], [1, 0, 0]), Ray([-9, 1, 0], [1, 0, 0])])
def test_a_line_is_named_in_the_picture_however_far_it_goes(line: Line | Ray) -> None:
    view = Viewport(Camera((0, 0, 12), up=(0, 1, 0)), SIZE)
    label = named(Scene({"line": line}), view)["line"]
    x, y = view.project(label.point)[0]
    assert 0.1 * SIZE[0] < x < 0.9 * SIZE[0]
    assert label.point[1:] == pytest.approx([1, 0])
    assert 0 < y < SIZE[1]


@pytest.mark.parametrize("hidden", [False, True])
def test_a_ray_is_named_on_itself_and_never_behind_its_origin(hidden: bool) -> None:
    rays = {"up": Ray([0, 1, 0], [0, 1, 1]), "along": Ray([0, 0, 0], [1, 0, 0]), "down": Ray([0, 1, 0.2], [0, 0, -1])}
    scene = Scene({**rays, **({"ball": Sphere([0, 0, 0], 0.1)} if hidden else {})})
    session = Session(scene, size=SIZE)
    labels = named(scene, session.viewport)
    for name, ray in rays.items():
        assert signed_distance(Point(labels[name].point), ray) == pytest.approx(0.0, abs=1e-9), name


def test_a_segment_is_named_where_nothing_hides_it() -> None:
    view = Viewport(Camera((0, 0, 20), up=(0, 1, 0)), SIZE)
    scene = Scene({"edge": Segment([-1, 0, 0], [5, 0, 0]), "ball": Sphere([0, 0, 0], 3)})
    label = named(scene, view)["edge"]
    assert 3.0 < label.point[0] < 5.0
    inside = scene.with_shape("edge", Segment([-1, 0, 0], [1, 0, 0]))
    assert "edge" not in named(inside, view)


@pytest.mark.parametrize(
    "around",
    [Ray([0, 0, -9], [0, 0, 1]), Line([0, 0, 0], [0, 0, 1]), Sphere([0, 0, 0], 30), HalfSpace([0, 0, 10], [0, 0, -1])],
)
@pytest.mark.parametrize("parallel", [None, 8.0])
def test_what_the_eye_is_in_hides_no_names(around: Shape, parallel: float | None) -> None:
    view = Viewport(Camera((0, 0, 12), up=(0, 1, 0), parallel_height=parallel), SIZE)
    scene = Scene({"ball": Sphere([0.5, 0.5, 0], 1), "edge": Segment([-2, -1, 0], [-2, 1, 0])})
    assert {"ball", "edge"} <= {*named(scene.with_shape("around", around), view)}


def test_elements_of_batches_and_empty_ones_are_named_alike() -> None:
    scene = Scene({"crowd": Sphere([[0, 0, 0], [5, 0, 0]], 1), "none": Sphere(np.zeros((0, 3)), 1)})
    assert set(named(scene)) == {"crowd[0]", "crowd[1]"}
    assert named(Scene({})) == {}


# -- on paper ------------------------------------------------------------------------------------------------------


def width(text: str, size: float, bold: bool) -> float:
    return len(text) * size * 0.6


#: A view in which the plane z = 0 is the picture, a unit to a pixel.
PAPER = Viewport(Camera((320, 240, 10), (320, 240, 0), (0, 1, 0), parallel_height=480), SIZE)

MIDDLE = np.array([320.0, 240.0, 0.0])


def test_a_name_stands_on_its_shape_where_it_fits_and_beside_it_with_a_line_where_not() -> None:
    (on,) = Labels().place([SeenLabel(Label(MIDDLE, "ball", Role.NAME), MIDDLE, (100, 100))], PAPER, 1.0, 15.0, width)
    assert on.plate.x + on.plate.width / 2 == pytest.approx(320, abs=1)
    assert on.plate.y + on.plate.height / 2 == pytest.approx(240, abs=1)
    assert on.leader is None
    for room in ((20, 100), (100, 10)):
        (beside,) = Labels().place([SeenLabel(Label(MIDDLE, "ball", Role.NAME), MIDDLE, room)], PAPER, 1.0, 15.0, width)
        assert not beside.plate.covers(320, 240)
        assert beside.leader is not None
        assert beside.leader[:2] == (320, 240)


def test_a_name_is_left_out_rather_than_put_far_away() -> None:
    names = [SeenLabel(Label(MIDDLE, f"label {i}", Role.NAME), MIDDLE) for i in range(60)]
    placed = Labels().place(names, PAPER, 1.0, 15.0, width)
    assert 4 < len(placed) < 60
    for label in placed:
        x, y = label.plate.x + label.plate.width / 2, label.plate.y + label.plate.height / 2
        assert abs(x - 320) < 64 + 0.75 * label.plate.width
        assert abs(y - 240) < 64 + 0.75 * label.plate.height


def test_letters_of_the_small_axes_keep_apart() -> None:
    for seed in range(200):
        turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
        tips = 30.0 * turn[:, :2]
        letters = axis_letters(tips, 9.0, 12.0)
        assert letters  # the axis that is seen longest has one
        assert int(np.argmax(np.linalg.norm(tips, axis=1))) in letters
        for i, at in letters.items():
            assert np.linalg.norm(at) == pytest.approx(np.linalg.norm(tips[i]) + 9.0)
            others = [other for j, other in letters.items() if j != i]
            assert all(np.linalg.norm(at - other) > 12.0 for other in others)
            for j in set(range(3)) - {i}:
                along = np.linspace(0.0, 1.0, 100)[:, None] * tips[j]
                assert np.linalg.norm(at - along, axis=1).min() > 0.5 * 12.0


def test_an_axis_that_points_at_the_eye_has_no_letter() -> None:
    down = np.array([[30.0, 0.0], [0.0, 30.0], [0.0, 0.0]])
    assert sorted(axis_letters(down, 9.0, 12.0)) == [0, 1]
    low = np.array([[30.0, 0.0], [0.0, 12.0], [0.0, 27.0]])  # y behind z
    assert sorted(axis_letters(low, 9.0, 12.0)) == [0, 2]


def test_of_two_that_are_explained_both_are_named_also_what_is_selected() -> None:
    session = Session(
        Scene({"ball": Sphere([0, 0, 0], 1), "arm": Sphere([2.3, 0, 0], 0.7), "far": Sphere([9, 9, 0], 1)})
    )
    session.select("ball")

    def names() -> set[str]:
        return {each.label.text for each in seen_labels(session) if each.label.role is Role.NAME}

    assert names() == {"arm", "far"}, "its card says what is selected"
    session.explaining.explain()
    assert names() == {"ball", "arm"}, "the card is that of the explanation, and the rest is faded"
