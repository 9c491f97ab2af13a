"""Bodies: what touches in many poses of one scene, what is nearest, and how they are asked."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    Bodies,
    Capsule,
    HalfSpace,
    Line,
    NearestPair,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    Transform,
    signed_distance,
)
from collision.base.fields import BoolArray, FloatArray, IntArray
from collision.poses.memory import PosedScene, PosesMemory
from collision.poses.search import DISTANCES, NEAREST, TOUCHING


def turns(rng: np.random.Generator, *axes: int) -> FloatArray:
    """Return quaternions of any length: half turns, quarter turns and others."""
    square = np.array([[1, 0, 0, 0], [0, -2, 0, 0], [0, 0, 1, 1], [0, 0, 0, 3], [1, 0, 0, 1e-9]])
    picked = square[rng.integers(0, len(square), axes)]
    return np.where(rng.random((*axes, 1)) < 0.3, picked, rng.normal(size=(*axes, 4)))


def mixed() -> Scene:
    """Return a scene with shapes of all kinds, of which some move."""
    rng = np.random.default_rng(5)
    small = 0.3
    return Scene(
        {
            "arm": Capsule(rng.normal(size=(3, 3)) * small, rng.normal(size=(3, 3)) * small, 0.1),
            "hand": Sphere(rng.normal(size=(5, 3)) * small, rng.uniform(0.05, 0.2, 5)),
            "finger": OrientedBox([0.1, 0, 0], [1, 2, 3, 4], [0.2, 0.1, 0.05]),
            "case": AABB([-0.2, -0.1, 0], [0.2, 0.1, 0.3]),
            "tip": Point([0, 0, 0.4]),
            "edge": Segment([0, 0, 0], [0.3, 0, 0.1]),
            "beam": Ray([0, 0, 0.1], [1, 2, 3]),
            "floor": HalfSpace([0, 0, -2.5], [0, 0, 1]),
            "wire": Line([2, 0, 2], [0, 1, 0]),
            "crates": AABB(rng.uniform(-3, 2, (12, 3)), rng.uniform(2.1, 2.3, (12, 3))),
            "balls": Sphere(rng.uniform(-3, 3, (12, 3)), 0.2),
            "rods": Capsule(rng.uniform(-3, 3, (2, 3, 3)), rng.uniform(-3, 3, (2, 3, 3)), 0.1),
            "laser": Ray([-3, -3, -2], [0.1, 0.2, 1]),
            "gone": Sphere([0, 0, 0], 9),
        },
        ignored=[("arm", "hand"), ("crates[3]", "*"), ("finger", "floor")],
        hidden=["gone", "balls[2]", "hand[1]"],
        name_groups={"tool": ["finger", "tip"]},
    ).replaced()


GROUPS = {"arm": ["arm[0]", "arm[2]"], "hand": ["ha*", "case"], "tool": "tool", "edge": ("edge",), "beam": "beam"}


def some_poses(rng: np.random.Generator, *axes: int, spread: float = 2.5) -> tuple[FloatArray, FloatArray]:
    """Return places, some of them whole numbers, and rotations."""
    places = rng.uniform(-spread, spread, (*axes, len(GROUPS), 3))
    return np.where(rng.random((*axes, 1, 1)) < 0.3, places.round(), places), turns(rng, *axes, len(GROUPS))


def expected_pairs(bodies: Bodies, scene: Scene, margin: float = 0.0) -> IntArray:
    """Return the pairs that a scene in some pose has, but for those within a body and of what rests."""
    owner = np.full(scene.element_count, -1)
    for body, names in enumerate(GROUPS.values()):
        for name in [names] if isinstance(names, str) else names:
            owner[scene.promised_names.numbers(name)] = body
    pairs = scene.contacts(margin=margin).pairs
    return pairs[owner[pairs[:, 0]] != owner[pairs[:, 1]]]


# -- the answers are those of the scene in each pose -----------------------------------------------------------------


def test_what_touches_is_what_the_scene_in_each_pose_says() -> None:
    bodies = Bodies(mixed(), GROUPS)
    places, quaternions = some_poses(np.random.default_rng(1), 60, spread=5.0)
    places[:20] += [40, 0, 1000]
    found, counts = bodies.touching(places, quaternions), []
    for pose, (place, turn) in enumerate(zip(places, quaternions, strict=True)):
        pairs = expected_pairs(bodies, bodies.at(place, turn))
        assert found[pose] == bool(len(pairs)), pose
        counts.append(len(pairs))
    assert 5 < np.count_nonzero(counts) < 55


@pytest.mark.parametrize("margin", [0.3, 1.0])
def test_a_margin_is_that_of_the_scene(margin: float) -> None:
    bodies = Bodies(mixed(), GROUPS)
    places, quaternions = some_poses(np.random.default_rng(2), 25, spread=5.0)
    places[:, :, 2] += 4
    found = bodies.touching(places, quaternions, margin=margin)
    scenes = [bodies.at(place, turn) for place, turn in zip(places, quaternions, strict=True)]
    assert found.tolist() == [len(expected_pairs(bodies, scene, margin)) > 0 for scene in scenes]
    assert found.tolist() != bodies.touching(places, quaternions).tolist()


def test_a_margin_counts_to_rounding_as_in_scenes() -> None:
    bodies = Bodies(Scene({"a": Sphere([0, 0, 0], 0.1), "b": Sphere([0, 0, 0], 0.3)}), ["a"])
    for reach in (0.1, 0.7, 1e6):
        at = 0.4 + reach + np.arange(-40, 41) * np.spacing(0.4 + reach)
        found = bodies.touching(at[:, None, None] * [0.0, 0.0, 1.0], margin=reach)
        scenes = [bodies.at([[0, 0, z]]) for z in at.tolist()]
        assert found.tolist() == [scene.has_contact(margin=reach) for scene in scenes]
        assert not found.all()
        assert found[40]


def test_all_distances_are_those_of_the_shapes_in_each_pose_to_the_last_bit() -> None:
    bodies = Bodies(mixed(), GROUPS)
    places, quaternions = some_poses(np.random.default_rng(3), 6)
    found, pairs = bodies.distances(places, quaternions), bodies.pairs
    for pose in range(6):
        scene = bodies.at(places[pose], quaternions[pose])
        shapes = [scene.element(number) for number in range(scene.element_count)]
        gaps = np.array([signed_distance(shapes[i], shapes[j]) for i, j in pairs.tolist()])
        assert found[pose].tobytes() == gaps.tobytes()
    assert np.isneginf(found).any()  # beams go through the floor


def test_the_pairs_are_those_that_the_scene_tests_of_different_bodies() -> None:
    bodies = Bodies(mixed(), GROUPS)
    scene = bodies.scene
    listed = [name for names in GROUPS.values() for name in ([names] if isinstance(names, str) else names)]
    moving = {number for name in listed for number in scene.promised_names.numbers(name).tolist()}
    pairs = {tuple(pair) for pair in bodies.pairs.tolist()}
    assert bodies.pairs.tolist() == sorted(map(list, pairs))
    for i in range(scene.element_count):
        for j in range(i + 1, scene.element_count):
            if (i, j) in pairs:
                assert scene.tested(i, j)
                assert i in moving or j in moving
    names = [(scene.element_name(i), scene.element_name(j)) for i, j in pairs]
    assert ("hand[0]", "hand[2]") not in names
    assert ("hand[0]", "case") not in names
    assert ("finger", "tip") not in names
    assert ("arm[1]", "crates[0]") not in names  # both rest
    assert ("arm[0]", "arm[1]") in names
    assert ("hand[0]", "finger") in names
    assert ("finger", "crates[1]") in names
    assert not any("crates[3]" in pair or "gone" in pair or "hand[1]" in pair for pair in names)


def test_the_nearest_pair_is_the_first_with_the_smallest_distance() -> None:
    bodies = Bodies(mixed().without("beam", "wire"), {name: GROUPS[name] for name in GROUPS if name != "beam"})
    rng = np.random.default_rng(4)
    for spread in (2.0, 30.0):
        places, quaternions = (array[:, :4] for array in some_poses(rng, 40, spread=spread))
        found, every = bodies.nearest_pair(places, quaternions), bodies.distances(places, quaternions)
        assert found.signed_distance.tobytes() == every.min(axis=-1).tobytes()
        assert np.array_equal(found.pair, bodies.pairs[every.argmin(axis=-1)])


def test_of_equals_it_is_the_first_pair_however_it_is_looked_for() -> None:
    grid = np.stack(np.meshgrid(*[np.arange(-3.0, 4.0)] * 3), axis=-1).reshape(-1, 3)
    for order in (grid, grid[::-1]):
        scene = Scene({"lamps": Sphere(order, 0.25), "ball": Sphere([0, 0, 0], 0.25), "other": Point([0, 0, 0])})
        bodies = Bodies(scene, ["other", "ball"])
        found = bodies.nearest_pair(
            [[[9, 9, 9], [0.5, 0.5, 0.5]], [[0.5, 0.5, 0.5], [-9, 0, 0]], [[9, 9, 9], [9, 9, 9]]]
        )
        every = bodies.distances([[9, 9, 9], [0.5, 0.5, 0.5]])
        assert np.count_nonzero(every == every.min()) == 8
        assert found.pair[0].tolist() == bodies.pairs[np.argmin(every)].tolist()
        assert found.pair[2].tolist() == [len(grid), len(grid) + 1]


def test_of_pairs_that_no_move_parts_it_is_the_first_whatever_the_order_of_the_bodies() -> None:
    lines = {"a": Line([0, 0, 0], [0, 0, 1]), "b": Line([3, 0, 0], [0, 0, 1]), "c": Ray([6, 0, 0], [0, 0, -1])}
    scene = Scene({**lines, "ball": Sphere([0, 0, -9], 1), "h": HalfSpace([0, 0, 0], [0, 0, 1])})
    for order in itertools.permutations(["a", "b", "c", "ball", "h"]):
        for count in range(1, 6):
            bodies = Bodies(scene, order[:count])
            found, every = bodies.nearest_pair(np.zeros((count, 3))), bodies.distances(np.zeros((count, 3)))
            assert found.signed_distance == every.min()
            assert found.pair.tolist() == bodies.pairs[every.argmin()].tolist(), order[:count]


def test_many_that_rest_are_found_as_well_as_few() -> None:
    rng = np.random.default_rng(6)
    stones = {
        "stones": Sphere(rng.uniform(-20, 20, (700, 3)), rng.uniform(0.1, 0.6, 700)),
        "slabs": OrientedBox(rng.uniform(-20, 20, (300, 3)), rng.normal(size=(300, 4)), rng.uniform(0.1, 2, (300, 3))),
    }
    probe = {"probe": Sphere([[0, 0, 0], [1, 0, 0]], 0.4), "rod": Capsule([0, 0, 0], [0, 2, 0], 0.1)}
    bodies = Bodies(Scene({**stones, **probe}), ["probe", "rod"])
    places, quaternions = rng.uniform(-25, 25, (200, 2, 3)), rng.normal(size=(200, 2, 4))
    every = bodies.distances(places, quaternions)
    found = bodies.nearest_pair(places, quaternions)
    assert found.signed_distance.tobytes() == every.min(axis=-1).tobytes()
    assert np.array_equal(bodies.touching(places, quaternions), every.min(axis=-1) <= 0)
    assert 20 < np.count_nonzero(every.min(axis=-1) <= 0) < 180


def test_worlds_of_many_bodies() -> None:
    rng = np.random.default_rng(7)
    parts = {
        "balls": Sphere(np.zeros((20, 3)), rng.uniform(0.1, 0.3, 20)),
        "rods": Capsule([[0, 0, 0]] * 15, [0.5, 0, 0], 0.1),
    }
    bodies = Bodies.one_each(Scene(parts))
    assert len(bodies) == 35
    places, quaternions = rng.uniform(-4, 4, (100, 35, 3)), rng.normal(size=(100, 35, 4))
    every, found = bodies.distances(places, quaternions), bodies.nearest_pair(places, quaternions)
    assert every.shape == (100, 35 * 34 // 2)
    assert np.array_equal(bodies.touching(places, quaternions), (every <= 0).any(axis=-1))
    assert 10 < np.count_nonzero((every <= 0).any(axis=-1)) < 90
    assert np.array_equal(found.pair, bodies.pairs[every.argmin(axis=-1)])
    scene = bodies.at(places[0], quaternions[0])
    assert len(scene.colliding_pairs()) == np.count_nonzero(every[0] <= 0)


# -- how poses are given ---------------------------------------------------------------------------------------------


def test_rotations_are_quaternions_matrices_scipys_or_none() -> None:
    from scipy.spatial.transform import Rotation

    bodies, rng = Bodies(mixed(), GROUPS), np.random.default_rng(8)
    places, quaternions = some_poses(rng, 30)
    axes = Transform(rotation=quaternions.reshape(-1, 4)).axes.reshape(30, 5, 3, 3)
    expected = bodies.distances(places, quaternions).tobytes()
    assert bodies.distances(places, axes).tobytes() == expected
    upright = np.broadcast_to([0.0, 0.0, 0.0, 1.0], (30, 5, 4))
    assert np.array_equal(bodies.distances(places), bodies.distances(places, upright))
    other = Rotation.from_quat(quaternions[0])
    assert np.array_equal(bodies.distances(places[0], other), bodies.distances(places[0], other.as_matrix()))


def test_leading_axes_broadcast() -> None:
    bodies, rng = Bodies(mixed(), GROUPS), np.random.default_rng(9)
    places, quaternions = some_poses(rng, 4, 1)[0], some_poses(rng, 3)[1]
    found = bodies.nearest_pair(places, quaternions)
    assert found.signed_distance.shape == (4, 3)
    assert found.pair.shape == (4, 3, 2)
    assert bodies.distances(places, quaternions).shape == (4, 3, len(bodies.pairs))
    for i, j in np.ndindex(4, 3):
        alone = bodies.nearest_pair(places[i, 0], quaternions[j])
        assert alone.signed_distance.shape == ()
        assert (alone.signed_distance, alone.pair.tolist()) == (found.signed_distance[i, j], found.pair[i, j].tolist())
    assert bodies.touching(places[:0], quaternions).shape == (0, 3)


def test_many_poses_are_answered_in_parts_as_one_by_one() -> None:
    bodies, rng = Bodies(mixed(), GROUPS), np.random.default_rng(10)
    places, quaternions = some_poses(rng, 3000, spread=6.0)
    found, nearest = bodies.touching(places, quaternions), bodies.nearest_pair(places, quaternions)
    for pose in range(0, 3000, 97):
        assert bodies.touching(places[pose], quaternions[pose]) == found[pose]
        assert bodies.nearest_pair(places[pose], quaternions[pose]).pair.tolist() == nearest.pair[pose].tolist()
    assert 0.05 < found.mean() < 0.98


def test_progress_is_told_and_answers_go_where_they_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collision.poses.memory._PROGRESS_STEP", 40)
    bodies, rng, told = Bodies(mixed(), GROUPS), np.random.default_rng(11), list[tuple[int, int]]()
    places, quaternions = some_poses(rng, 10, 10, spread=6.0)
    touching = np.empty((10, 10), dtype=bool)
    pair = NearestPair(np.empty((10, 10)), np.empty((10, 10, 2), dtype=np.int64))
    every = np.empty((10, 10, len(bodies.pairs)))

    def tell(done: int, total: int) -> None:
        told.append((done, total))

    assert bodies.touching(places, quaternions, out=touching, progress=tell) is touching
    assert told == [(40, 100), (80, 100), (100, 100)]
    assert bodies.nearest_pair(places, quaternions, out=pair, progress=tell) is pair
    assert bodies.distances(places, quaternions, out=every, progress=tell) is every
    assert np.array_equal(touching, bodies.touching(places, quaternions))
    assert np.array_equal(pair.pair, bodies.nearest_pair(places, quaternions).pair)
    assert every.tobytes() == bodies.distances(places, quaternions).tobytes()


def test_progress_that_is_no_function_is_refused() -> None:
    bodies = Bodies(mixed(), GROUPS)
    places = np.zeros((2, len(GROUPS), 3))
    for query in (bodies.touching, bodies.nearest_pair, bodies.distances):
        with pytest.raises(TypeError, match=rf"^Bodies.{query.__name__}: progress must be a function .*, got 3$"):
            query(places, progress=3)


@pytest.mark.parametrize("exponent", [-232, 232])  # 1e-70 and 1e70
def test_scenes_of_all_scales_are_answered_alike(exponent: int) -> None:
    scale = 2.0**exponent
    scene = mixed()
    size = Transform(scale=scale)
    scaled = scene.replaced(shapes={name: shape.transformed(size) for name, shape in scene.shapes.items()})
    places, quaternions = some_poses(np.random.default_rng(7), 200, spread=5.0)
    usual, other = Bodies(scene, GROUPS), Bodies(scaled, GROUPS)
    touching = usual.touching(places, quaternions)
    assert 20 < touching.sum() < 195
    assert np.array_equal(other.touching(places * scale, quaternions), touching)
    expected, found = usual.nearest_pair(places, quaternions), other.nearest_pair(places * scale, quaternions)
    assert np.array_equal(found.signed_distance, expected.signed_distance * scale)
    assert np.array_equal(found.pair, expected.pair)


def test_rotations_are_those_of_transforms_to_the_last_bit() -> None:
    rng = np.random.default_rng(12)
    planes = {f"plane {k}": HalfSpace([0, 0, 0], normal) for k, normal in enumerate(np.eye(3))}
    bodies = Bodies(Scene({"tips": Point(np.eye(3)), **planes}), ["tips"])

    def matrices(rotations: FloatArray) -> FloatArray:
        heights = bodies.distances(np.zeros((len(rotations), 1, 3)), rotations[:, None])
        return heights.reshape(-1, 3, 3).swapaxes(1, 2)  # of each tip above each plane: the columns

    given = np.concatenate(
        [turns(rng, 3000), rng.normal(size=(100, 4)) * 1e-200, rng.integers(-1, 2, (500, 4)) * 1e150]
    )
    given = given[np.any(given != 0, axis=-1)]
    found = Transform(rotation=given).axes
    assert np.array_equal(matrices(given), found)
    rounded = np.concatenate([found.astype(np.float32).astype(float), found.round(6), found])
    assert np.array_equal(matrices(rounded), Transform(rotation=rounded).axes)
    assert not np.array_equal(rounded, Transform(rotation=rounded).axes)


# -- bodies ----------------------------------------------------------------------------------------------------------


def test_boxes_of_bodies_turn_and_those_that_rest_stay() -> None:
    bodies = Bodies(Scene({"box": AABB([-2, -1, -1], [2, 1, 1]), "wall": AABB([3, -9, -9], [4, 9, 9])}), ["box"])
    assert isinstance(bodies.scene["box"], OrientedBox)
    assert isinstance(bodies.scene["wall"], AABB)
    eighth = [0, 0, np.sin(np.pi / 8), np.cos(np.pi / 8)]
    found = bodies.nearest_pair([[0, 0, 0]], [[eighth], [[0, 0, 1, 1]], [[0, 0, 0, 1]]])
    assert found.signed_distance == pytest.approx([3 - 3 / np.sqrt(2), 2, 1])


def test_a_scene_in_a_pose_moves_bodies_alone() -> None:
    rng = np.random.default_rng(13)
    bodies, (places, quaternions) = Bodies(mixed(), GROUPS), some_poses(rng)
    scene = bodies.at(places, quaternions)
    assert list(scene.shapes) == list(mixed().shapes)
    assert (scene.ignored, scene.hidden) == (bodies.scene.ignored, bodies.scene.hidden)
    assert scene["rods"] == mixed()["rods"]
    assert scene["arm[1]"] == mixed()["arm[1]"]
    move = Transform(places[0], quaternions[0])
    assert scene["arm[2]"] == mixed()["arm[2]"].transformed(move)
    assert scene["hand"] == mixed()["hand"].transformed(Transform(places[1], quaternions[1]))


def test_a_body_without_a_shape_that_is_shown_meets_nothing() -> None:
    scene = Scene(
        {"a": Sphere([0, 0, 0], 1), "b": Sphere([0, 0, 0], 1), "c": HalfSpace([0, 0, 0], [0, 0, 1])}, hidden=["a"]
    )
    bodies = Bodies(scene, ["a", "b"])
    assert bodies.touching([[[0, 0, 0], [0, 0, 5]], [[0, 0, 5], [0, 0, 0.5]]]).tolist() == [False, True]
    assert bodies.nearest_pair([[0, 0, 0], [0, 0, 5]]).pair.tolist() == [1, 2]
    alone = Bodies(scene, ["a"])
    found = alone.nearest_pair([[[0, 0, 0]]])
    assert (found.signed_distance.tolist(), found.pair.tolist()) == ([pytest.approx(np.nan, nan_ok=True)], [[-1, -1]])
    assert alone.distances([[[0, 0, 0]]]).shape == (1, 0)


def test_half_spaces_are_not_compared_with_each_other_and_lines_meet_all() -> None:
    scene = Scene(
        {
            "lid": HalfSpace([0, 0, 0], [0, 0, -1]),
            "floor": HalfSpace([0, 0, 0], [0, 0, 1]),
            "ball": Sphere([0, 0, 2], 1),
        }
    )
    bodies = Bodies(scene, ["lid"])
    assert bodies.touching([[[0, 0, 5]], [[0, 0, 3]], [[0, 0, -9]]]).tolist() == [False, True, True]
    thread = Bodies(Scene({"line": Line([1, 0, 0], [0, 0, 1]), "post": Ray([0, 0, 0], [1, 0, 0])}), ["line"])
    assert thread.nearest_pair([[[0, 0, 0]], [[0, 3, 0]]]).signed_distance.tolist() == [0, 3]
    assert thread.touching([[[0, 0, 0]], [[0, 3, 0]], [[-9, 0, 0]]]).tolist() == [True, False, False]


def test_a_plane_given_by_a_point_far_away_is_touched_to_the_rounding_of_that() -> None:
    slope = HalfSpace([1e8, 1e8, -2e8], [1, 1, 1])
    for shape in (
        Sphere([0, 0, 0], 0.5),
        Capsule([0, 0, 0], [0.1, -0.1, 0], 0.5),
        OrientedBox([0, 0, 0], [1, 2, 3, 4], [1, 1, 1]),
    ):
        bodies, normal = Bodies(Scene({"a": shape, "slope": slope}), ["a"]), np.ones(3) / np.sqrt(3)
        start = float(signed_distance(shape, slope))
        places = (np.linspace(-5e-7, 5e-7, 41) - start)[:, None, None] * normal
        found = bodies.touching(places)
        assert found.tolist() == [len(bodies.at(place).colliding_pairs()) > 0 for place in places]
        assert set(found.tolist()) == {True, False}
        assert found[20:].any()  # apart, and touching to rounding


def test_bodies_take_no_new_values() -> None:
    bodies = Bodies(mixed(), GROUPS)
    for name in ("scene", "_owner", "margin"):
        with pytest.raises(AttributeError, match=name):
            setattr(bodies, name, None)
    with pytest.raises(AttributeError, match="_owner"):
        del bodies._owner
    assert len(bodies.names) == len(GROUPS)


def test_bodies_come_through_a_pickle() -> None:
    bodies = pickle.loads(pickle.dumps(Bodies(mixed(), GROUPS)))
    places, quaternions = some_poses(np.random.default_rng(14), 5)
    assert (bodies.names, len(bodies), repr(bodies)) == (tuple(GROUPS), 5, "Bodies(5 of 12 shapes, 35 that rest)")
    assert (
        bodies.distances(places, quaternions).tobytes()
        == Bodies(mixed(), GROUPS).distances(places, quaternions).tobytes()
    )


# -- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bodies", "words"),
    [
        ({}, "Bodies: there must be at least one body, got none"),
        ("arm", "Bodies: bodies must be a mapping of names, or a list of them, got 'arm'"),
        ({"a": "amr"}, "Bodies: body 'a': there is no shape and no group named 'amr'; did you mean 'arm'?"),
        (["arm", "arm"], "Bodies: 'arm' is given twice"),
        ({"a": "arm", "b": ["arm[1]"]}, r"Bodies: 'arm\[1\]' is in 'a' and in 'b'"),
        ({"a": [3]}, "Bodies: body 'a' must be names, got 3"),
        (["x*"], r"Bodies: body 'x\*': no shape has a name like 'x\*'"),
    ],
)
def test_bodies_that_are_none_are_refused(bodies: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        Bodies(mixed(), bodies)


def test_poses_that_are_none_are_refused() -> None:
    bodies, ones = Bodies(mixed(), ["hand", "tip"]), np.tile([0.0, 0, 0, 1], (600, 2, 1))
    with pytest.raises(ValueError, match=r"touching: positions must have shape \(\.\.\., 2, 3\), .*got \(5, 3\)"):
        bodies.touching(np.zeros((5, 3)))
    with pytest.raises(ValueError, match=r"rotations must be quaternions \(\.\.\., 2, 4\).*got shape \(3, 4\)"):
        bodies.distances(np.zeros((2, 3)), np.zeros((3, 4)))
    with pytest.raises(ValueError, match=r"positions must be finite, got .*nan.* at element \[3, 1\]"):
        bodies.touching(np.where(np.arange(8).reshape(4, 2, 1) == 7, np.nan, 0.0) * np.ones(3))
    ones[555, 1] = 0.0
    with pytest.raises(
        ValueError, match=r"Bodies.nearest_pair: rotations must be .*zero quaternion.*element \[555, 1\]"
    ):
        bodies.nearest_pair(np.zeros((600, 2, 3)), ones)
    skewed = np.tile(np.eye(3), (2, 1, 1))
    skewed[1, 0, 1] = 0.1
    with pytest.raises(ValueError, match=r"rotations must be a rotation matrix.*element \[1\]"):
        bodies.touching(np.zeros((2, 3)), skewed)
    with pytest.raises(ValueError, match="do not broadcast"):
        bodies.touching(np.zeros((3, 2, 3)), ones[:4])
    with pytest.raises(ValueError, match="margin must be zero or more"):
        bodies.touching(np.zeros((2, 3)), margin=-1)
    with pytest.raises(ValueError, match=r"at takes a single pose, got leading axes \(4,\)"):
        bodies.at(np.zeros((4, 2, 3)))


def test_answers_may_be_written_over_the_poses_they_are_about() -> None:
    bodies = Bodies(Scene({"ball": Sphere([0, 0, 0], 1), "posts": Sphere([[2, 0, 0], [0, 2, 0]], 0.5)}), ["ball"])
    count = 4096  # several threads, each with a part of the poses
    places = np.random.default_rng(7).normal(scale=2.0, size=(count, 1, 3))
    wanted, touching = bodies.nearest_pair(places.copy()), bodies.touching(places.copy())

    over = places.copy()
    out = NearestPair(over.reshape(-1)[:count], np.empty((count, 2), dtype=np.int64))
    found = bodies.nearest_pair(over, out=out)
    assert np.array_equal(found.signed_distance, wanted.signed_distance)
    assert np.array_equal(found.pair, wanted.pair)

    over = places.copy()
    found_touching = bodies.touching(over, out=over.view(np.bool_).reshape(-1)[-count:])
    assert np.array_equal(found_touching, touching)


def test_outputs_that_do_not_fit_are_refused() -> None:
    bodies, places = Bodies(mixed(), ["hand", "tip"]), np.zeros((4, 2, 3))
    with pytest.raises(ValueError, match=r"touching: out must be .* bool, shape \(4,\), got float64"):
        bodies.touching(places, out=np.empty(4))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="nearest_pair: out must be a NearestPair, got ndarray"):
        bodies.nearest_pair(places, out=np.empty(4))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"out\.pair must be"):
        bodies.nearest_pair(places, out=NearestPair(np.empty(4), np.empty((4, 3), dtype=np.int64)))
    with pytest.raises(ValueError, match="distances: out must be"):
        bodies.distances(places, out=np.empty((4, 1)))


# -- inside ----------------------------------------------------------------------------------------------------------


def in_python(scene: PosedScene, places: FloatArray, quaternions: FloatArray) -> tuple[Any, ...]:
    """Return what loops take, as arrays for plain Python."""
    memory = PosesMemory(scene, places, quaternions)
    floats, ints = ([array.reshape(-1) for array in table] for table in (memory.floats, memory.ints))
    return floats, ints, *(array.reshape(-1) for array in memory.others)


def test_loops_do_the_same_in_plain_python() -> None:
    scene = Bodies(mixed(), GROUPS)._posed
    places, quaternions = some_poses(np.random.default_rng(15), 12, spread=6.0)
    bodies = Bodies(mixed(), GROUPS)
    touching: BoolArray = np.zeros(12, dtype=bool)
    gaps, pairs, every = np.empty(12), np.empty((12, 2), dtype=np.int64), np.empty((12, len(scene.pairs)))
    with np.errstate(invalid="ignore", over="ignore"):
        TOUCHING.function(0, 12, *in_python(scene, places, quaternions), 0.0, touching)
        NEAREST.function(0, 12, *in_python(scene, places, quaternions), gaps, pairs.reshape(-1))
        given = in_python(scene, places, quaternions)
        DISTANCES.function(0, 12, *given, len(scene.pairs), scene.pairs.reshape(-1), every.reshape(-1))
    assert touching.tolist() == bodies.touching(places, quaternions).tolist()
    assert set(touching.tolist()) == {True, False}
    assert gaps.tobytes() == bodies.nearest_pair(places, quaternions).signed_distance.tobytes()
    assert np.array_equal(pairs, bodies.nearest_pair(places, quaternions).pair)
    assert every.tobytes() == bodies.distances(places, quaternions).tobytes()


def test_what_is_kept_is_of_shapes() -> None:
    assert all(isinstance(shape, Shape) for shape in Bodies(mixed(), GROUPS).scene.shapes.values())
