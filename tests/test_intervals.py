"""When pairs touch while a scene moves: against formulas, and against dense sampling of the scene itself."""

from __future__ import annotations

import itertools
import math
import tracemalloc
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import (
    AABB,
    Capsule,
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
    TouchingIntervals,
    Transform,
    distance,
    signed_distance,
    sweep,
    touching_intervals,
)
from collision.inner import only_touching
from collision.shapes.kinds import KINDS
from collision.timeline.intervals import _joined
from collision.timeline.moving import Chains, MovingElements, Turning, displaced
from tests.remembered import SLOW_TURNS


def turns(*degrees: float, axis: Any = (0, 0, 1)) -> Rotation:
    return Rotation.from_rotvec(np.radians(degrees)[:, None] * np.asarray(axis, float) / np.linalg.norm(axis))


def intervals(found: TouchingIntervals) -> list[tuple[float, float]]:
    return list(zip(found.begin.tolist(), found.end.tolist(), strict=True))


# -- against formulas --------------------------------------------------------------------------------------------------


def test_a_ball_that_flies_past_a_post_touches_as_the_square_root_says() -> None:
    for offset in (0.0, 1.0, 1.9, 1.999999):
        fly = Motion("ball", [0, 10], [[0, offset, 0], [10, offset, 0]])
        found = touching_intervals(Scene({"ball": Sphere([0, 0, 0], 1), "post": Sphere([5, 0, 0], 1)}, motion=[fly]))
        half = math.sqrt(4.0 - offset**2)
        assert found.pairs.tolist() == [[0, 1]]
        assert intervals(found)[0] == pytest.approx((5 - half, 5 + half), rel=1e-12)


def test_a_graze_is_an_interval_of_one_moment() -> None:
    fly = Motion("ball", [0, 10], [[0, 2, 0], [10, 2, 0]])
    found = touching_intervals(Scene({"ball": Sphere([0, 0, 0], 1), "post": Sphere([5, 0, 0], 1)}, motion=[fly]))
    assert intervals(found)[0] == pytest.approx((5, 5), rel=1e-7)


def test_an_arm_that_turns_hits_where_the_arc_sine_says() -> None:
    arm = Motion("arm", [0, 1, 2, 3, 4], rotations=turns(0, 90, 180, 270, 360), pivot=[0, 0, 0])
    scene = Scene({"arm": Capsule([0, 0, 0], [4, 0, 0], 0.5), "post": Sphere([0, 3, 0], 0.5)}, motion=[arm])
    half = math.degrees(math.asin(1 / 3)) / 90
    assert intervals(touching_intervals(scene))[0] == pytest.approx((1 - half, 1 + half), abs=1e-9)


def test_two_that_move_alike_never_meet_and_two_against_each_other_do() -> None:
    balls = {"a": Sphere([0, 0, 0], 1), "b": Sphere([6, 0, 0], 1)}
    along = [[0, 0, 0], [12, 0, 0]]
    assert not len(touching_intervals(Scene(balls, motion=[Motion("*", [0, 4], along)])))
    against = [Motion("a", [0, 4], along), Motion("b", [0, 4], np.negative(along))]
    assert intervals(touching_intervals(Scene(balls, motion=against))) == [(pytest.approx(2 / 3), pytest.approx(4 / 3))]


def test_a_pair_has_as_many_intervals_as_it_meets_and_none_is_cut_at_a_keyframe() -> None:
    to_and_fro = Motion("ball", [0, 1, 2, 2.5, 4], [[0, 0, 0], [4, 0, 0], [0, 0, 0], [0, 0, 0], [8, 0, 0]])
    scene = Scene({"ball": Sphere([0, 0, 0], 1), "wall": AABB([4, -1, -1], [5, 1, 1])}, motion=[to_and_fro])
    # It turns round at 4, inside of the wall: one touch; on its way to 8 it goes through.
    found = intervals(touching_intervals(scene))
    assert found == [pytest.approx((0.75, 1.25)), pytest.approx((2.5 + 3 / 16 * 3, 2.5 + 6 / 16 * 3))]


def test_a_wheel_that_rolls_touches_the_ground_all_the_time() -> None:
    quarter = math.pi / 2
    roll = Motion(
        "wheel", [0, 1, 2], [[0, 0, 0], [quarter, 0, 0], [2 * quarter, 0, 0]], turns(0, 90, 180, axis=(0, 1, 0))
    )
    scene = Scene({"wheel": Sphere([0, 0, 1], 1), "ground": AABB([-9, -9, -1], [9, 9, 0])}, motion=[roll])
    assert intervals(touching_intervals(scene)) == [(0.0, 2.0)]


def test_what_rests_and_touches_does_so_all_the_time() -> None:
    balls = {"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1), "c": Sphere([0, 50, 0], 1)}
    found = touching_intervals(Scene(balls, motion=[Motion("c", [3, 5], [[0, 0, 0], [1, 0, 0]])]))
    assert found.pairs.tolist() == [[0, 1]]
    assert intervals(found) == [(3.0, 5.0)]


def test_ignored_and_hidden_pairs_are_left_out() -> None:
    fly = Motion("ball", [0, 10], [[0, 0, 0], [10, 0, 0]])
    shapes = {"post": Sphere([5, 0, 0], 1), "ball": Sphere([0, 0, 0], 1), "tree": Sphere([7, 0, 0], 1)}
    assert touching_intervals(Scene(shapes, motion=[fly])).pairs.tolist() == [[0, 1], [0, 2], [1, 2]]
    ignored = Scene(shapes, motion=[fly], ignored=[("post", "*")])
    assert touching_intervals(ignored).pairs.tolist() == [[1, 2]]
    hidden = Scene(shapes, motion=[fly], hidden=["tree"])
    assert touching_intervals(hidden).pairs.tolist() == [[0, 1]]


def test_part_of_the_time_and_times_beyond_the_keyframes() -> None:
    fly = Motion("ball", [0, 10], [[0, 0, 0], [10, 0, 0]])
    scene = Scene(
        {"ball": Sphere([0, 0, 0], 1), "post": Sphere([5, 0, 0], 1), "end": Sphere([10, 0, 0], 1)}, motion=[fly]
    )
    assert intervals(touching_intervals(scene, start=4, stop=6)) == [(4.0, 6.0)]
    after = touching_intervals(scene, start=-5, stop=15)
    assert after.pairs.tolist() == [[0, 1], [0, 2]]
    assert intervals(after) == [(3.0, 7.0), (8.0, 15.0)]
    assert intervals(touching_intervals(scene, start=5, stop=5)) == [(5.0, 5.0)]
    assert not len(touching_intervals(scene, start=1, stop=1))
    assert not len(touching_intervals(Scene()))


def test_a_margin_counts_what_is_near() -> None:
    fly = Motion("ball", [0, 10], [[0, 0, 0], [10, 0, 0]])
    scene = Scene({"ball": Sphere([0, 0, 0], 1), "post": Sphere([5, 0, 0], 1)}, motion=[fly])
    assert intervals(touching_intervals(scene, margin=1))[0] == pytest.approx((2, 8), rel=1e-15)
    boxes = Scene({"ball": AABB([-1, -1, -1], [1, 1, 1]), "post": AABB([4, -1, -1], [6, 1, 1])}, motion=[fly])
    assert intervals(touching_intervals(boxes, margin=1))[0] == pytest.approx((2, 8), rel=1e-15)


def test_merged_intervals_say_when_anything_touches() -> None:
    pairs = np.array([[0, 1], [0, 2], [1, 2], [1, 3]])
    found = TouchingIntervals(pairs, np.array([0.0, 4.0, 1.0, 6.0]), np.array([2.0, 5.0, 3.0, 6.0]), 0.0, 9.0)
    assert found.merged().tolist() == [[0.0, 3.0], [4.0, 5.0], [6.0, 6.0]]
    assert touching_intervals(Scene()).merged().shape == (0, 2)


def test_an_interval_in_which_a_pair_only_touches_is_told_from_one_in_which_it_overlaps() -> None:
    """A crate slides on a floor and past a wall, dips a corner into a mat as it turns, and grazes a post."""
    shapes: dict[str, Shape] = {
        "floor": HalfSpace([0, 0, 0], [0, 0, 1]),
        "wall": AABB([-20, 1, 0], [20, 2, 3]),
        "post": Capsule([5, -1.5, 0], [5, -1.5, 3], 0.5),
        "mat": AABB([-4, -4, -1], [4, -1.4, 4]),
        "crate": OrientedBox([0, 0, 1], np.eye(3), [1, 1, 1]),
    }
    slide = Motion("crate", [0, 10, 20, 30], [[0, 0, 0], [10, 0, 0], [0, 0, 0], [0, 0, 0]], turns(0, 0, 0, 90))
    scene = Scene(
        shapes, motion=[slide], ignored=[(a, b) for a, b in itertools.combinations(shapes, 2) if b != "crate"]
    )
    found = touching_intervals(scene)
    only = only_touching(scene, found)
    crate = 4
    assert {0, 1, 2, 3} == {*found.pairs[found.pairs[:, 1] == crate][:, 0].tolist()}
    for (i, j), begin, end, touches in zip(found.pairs.tolist(), found.begin, found.end, only, strict=True):
        times = np.linspace(begin, end, 400)
        least = min(float(signed_distance(still.element(i), still.element(j))) for still in map(scene.at, times))
        assert touches == (least > -1e-9), (i, j, begin, end)
    assert only.any()
    assert not only.all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"start": 3, "stop": 2}, "stop must not be before start, 3, got 2"),
        ({"start": math.nan}, "start must be .*finite number"),
        ({"stop": math.inf}, "stop must be .*finite number"),
        ({"margin": -1}, "margin must be zero or more"),
        ({"resolution": 0}, "resolution must be positive, got 0"),
    ],
)
def test_mistakes_are_refused(options: Any, message: str) -> None:
    fly = Motion("ball", [0, 10], [[0, 0, 0], [10, 0, 0]])
    with pytest.raises(ValueError, match=message):
        touching_intervals(Scene({"ball": Sphere([0, 0, 0], 1)}, motion=[fly]), **options)


def test_a_resolution_is_checked_where_nothing_moves_too() -> None:
    with pytest.raises(ValueError, match="resolution must be positive, got 0"):
        touching_intervals(Scene({"ball": Sphere([0, 0, 0], 1)}), resolution=0)


# -- against sampling --------------------------------------------------------------------------------------------------


def some(kind: type[Shape], rng: np.random.Generator) -> Shape:
    """Return a shape of about unit size, about one from the origin."""
    p, q = rng.normal(size=(2, 3))
    match kind.__name__:
        case "Point":
            return Point(p)
        case "Segment" | "Ray" | "Line":
            return kind(p, q)
        case "Sphere":
            return Sphere(p, rng.uniform(0.2, 1))
        case "Capsule":
            return Capsule(p, p + q, rng.uniform(0.1, 0.5))
        case "AABB":
            return AABB(p, p + np.abs(q))
        case "HalfSpace":
            return HalfSpace(p - 2 * q, q)
    return OrientedBox(p, Rotation.random(rng=rng).as_matrix(), np.abs(q))


def some_scene(rng: np.random.Generator, *, turning: bool) -> Scene:
    """Return six shapes of random kinds, three of which move, two of them together, along four keyframes."""
    names = "abcdef"
    shapes = {name: some(KINDS[rng.integers(len(KINDS))], rng) for name in names}
    shapes |= {name: shapes[name].translated([2, 0, 0]) for name in "def"}
    motion = []
    for name in ("a", "b", "[ab]*", "c"):
        times = np.cumsum(rng.uniform(0.2, 1, 4)) - 1
        spin = Rotation.random(4, rng=rng) if turning else None
        pivot = rng.normal(size=3) if rng.integers(2) else None
        offsets = 1.5 * rng.normal(size=(4, 3))
        motion += [Motion(one, times, offsets, spin, pivot=pivot) for one in (("a", "b") if "*" in name else (name,))]
    return Scene(shapes, motion=motion, ignored=[("d", "e")])


@pytest.mark.parametrize("seed", range(8))
def test_scenes_in_which_nothing_turns_touch_when_the_scene_at_that_time_does(seed: int) -> None:
    scene = some_scene(np.random.default_rng(seed), turning=False)
    found = touching_intervals(scene)
    near = 1e-9 * (found.stop - found.start)  # this near to a change of its own, either answer is right
    for time in np.linspace(found.start, found.stop, 121).tolist():
        inside = (found.begin <= time) & (time <= found.end)
        unsure = (np.abs(found.begin - time) < near) | (np.abs(found.end - time) < near)
        told, maybe = ({tuple(pair) for pair in found.pairs[rows].tolist()} for rows in (inside, unsure))
        true = {tuple(pair) for pair in scene.at(time).colliding_pairs().tolist()}
        assert true ^ told <= maybe


@pytest.mark.parametrize("seed", range(8))
def test_balls_that_turn_as_they_pass_touch_as_often_as_dense_samples_say(seed: int) -> None:
    rng = np.random.default_rng(seed)
    start, stop, way = -float(rng.integers(1, 9)), float(rng.integers(1, 9)), float(rng.integers(8, 12))
    there_and_back = [[0, 0, 0], [way, 0, 0], [0, 0, 0]][: int(rng.integers(2, 4))]
    times = np.linspace(start, stop, len(there_and_back))
    spin = turns(*np.linspace(0, 180 * (len(times) - 1), len(times)))
    motion = Motion("a", times, there_and_back, spin)
    scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)}, motion=[motion])
    samples = np.linspace(start, stop, 4001)
    places = np.interp(samples, times, np.array(there_and_back)[:, 0])
    touching = np.abs(places - 5) <= 2
    begins = samples[touching & ~np.roll(touching, 1)]
    found = touching_intervals(scene)
    assert found.begin == pytest.approx(begins, abs=(1 + 1e-8) * (stop - start) / 4000)
    assert (found.begin[1:] > found.end[:-1]).all()


def test_an_interval_within_another_does_not_cut_it() -> None:
    pairs = np.array([[0, 1], [0, 1], [0, 1], [0, 1], [0, 2], [0, 2]])
    begin, end = np.array([1.0, 1.0, 2.0, 5.0, 1.5, 0.0]), np.array([2.0, 1.0, 3.0, 6.0, 2.0, 1.0])
    for order in itertools.permutations(range(6)):
        rows = list(order)
        told, begins, ends = _joined(pairs[rows], begin[rows], end[rows], 0.25)
        assert told.tolist() == [[0, 1], [0, 1], [0, 2], [0, 2]]
        assert list(zip(begins.tolist(), ends.tolist(), strict=True)) == [(1, 3), (5, 6), (0, 1), (1.5, 2)]


def test_ends_are_where_the_distance_is_zero() -> None:
    assert sum(_ends_checked(seed) for seed in range(5)) > 20


@pytest.mark.parametrize("back", [False, True], ids=["forth", "back"])
@pytest.mark.parametrize("name", SLOW_TURNS)
def test_a_slow_turn_touches_when_the_sweep_does(name: str, back: bool) -> None:
    a, b, way, turn = SLOW_TURNS[name]
    offsets, rotations = ([0.0, 0.0, 0.0], way), ([0.0, 0.0, 0.0, 1.0], turn)
    if back:
        offsets, rotations = offsets[::-1], rotations[::-1]
    motion = Motion("a", [0, 1], offsets, rotations, pivot=[0, 0, 0])
    found = touching_intervals(Scene({"a": a, "b": b}, motion=[motion]))
    end = Transform(way, turn)
    first = float(sweep(a, b, start=Transform([0, 0, 0]), end=end).fraction)
    assert len(found) == 1
    assert (1.0 - found.end[0] if back else found.begin[0]) == pytest.approx(first, rel=0.0, abs=1.5e-11)


def _ends_checked(seed: int) -> int:
    """Check the ends of the intervals of a random scene, and return how many there are."""
    scene = some_scene(np.random.default_rng([seed, 7]), turning=True)
    found = touching_intervals(scene)
    ends = 0
    for pair, begin, end in zip(found.pairs.tolist(), found.begin.tolist(), found.end.tolist(), strict=True):
        for time, outside in ((begin, begin - 1e-8), (end, end + 1e-8)):
            if found.start < time < found.stop:
                there, before = scene.at(time), scene.at(outside)
                assert float(distance(there.element(pair[0]), there.element(pair[1]))) < 1e-11
                assert float(distance(before.element(pair[0]), before.element(pair[1]))) > 0.0
                ends += 1
    return ends


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.bounded])
def test_nothing_leaves_the_box_around_all_its_places(kind: type[Shape], seed: int) -> None:
    rng = np.random.default_rng([seed, 11])
    moves = [
        Motion("it", [0, 1, 3], 2 * rng.normal(size=(3, 3)), Rotation.random(3, rng=rng), pivot=rng.normal(size=3))
        for _ in range(2)
    ]
    # What rests is there so that not everything moves as one.
    scene = Scene({"it": some(kind, rng), "post": Point([0, 0, 0])}, motion=moves)
    moving = MovingElements(scene)
    lower, upper = (corners[moving.row_of[0]] for corners in moving.boxes(0.0, 3.0))
    places = displaced(moving.moves(int(moving.row_of[0])), np.linspace(0.0, 3.0, 2401))
    lows, highs = scene["it"].transformed(places).corners()
    low, high = lows.min(axis=0), highs.max(axis=0)
    assert np.all(low >= lower)
    assert np.all(high <= upper)
    assert np.all(upper - lower <= 1.2 * (high - low))  # and it is not much larger than it has to be


def test_rays_and_lines_that_turn_are_sampled() -> None:
    for thing in (Ray([0, 0, 0], [1, 0, 0]), Line([0, 0, 0], [1, 0, 0]), Segment([0, 0, 0], [9, 0, 0])):
        spin = Motion("hand", [0, 1], rotations=turns(-60, 60), pivot=[0, 0, 0])
        scene = Scene({"hand": thing, "post": Sphere([4, 0, 0], 1)}, motion=[spin])
        half = math.degrees(math.asin(1 / 4)) / 120
        assert intervals(touching_intervals(scene))[0] == pytest.approx((0.5 - half, 0.5 + half), abs=1e-9)


# -- what is moved as one ----------------------------------------------------------------------------------------------

QUARTERS: dict[str, Any] = {"times": [0, 1, 2], "rotations": [[0, 0, 0, 1], [0, 0, 0.7071, 0.7071], [0, 0, 1, 0]]}


def peak(scene: Scene, **options: Any) -> float:
    """Return how many megabytes finding the intervals of a scene takes when it is not done for the first time."""
    touching_intervals(scene, **options)
    tracemalloc.start()
    touching_intervals(scene, **options)
    found = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return found


@pytest.mark.parametrize("post", [False, True], ids=["alone", "with a post"])
def test_what_stands_on_a_turntable_touches_all_the_time_or_never(post: bool) -> None:
    rng = np.random.default_rng(0)
    shapes: dict[str, Shape] = {
        "balls": Sphere(rng.uniform(-10, 10, (1000, 3)), 0.3),
        "boxes": OrientedBox(rng.uniform(-10, 10, (50, 3)), Rotation.random(50, rng=rng).as_matrix(), [1, 0.5, 0.2]),
    }
    table = [Motion(name, **QUARTERS, pivot=[0, 0, 0]) for name in shapes]
    scene = Scene(shapes | ({"post": Point([30, 0, 0])} if post else {}), motion=table)
    found = touching_intervals(scene)
    assert len(found) > 60
    assert found.pairs.tolist() == scene.colliding_pairs().tolist()
    assert set(intervals(found)) == {(0.0, 2.0)}
    assert peak(scene) < (10 if post else 2)


def test_only_what_moves_one_against_the_other_counts() -> None:
    bend, turn, slide = (
        Motion("a", [0, 1], rotations=turns(0, 90), pivot=[1, 0, 0]),
        Motion("a", [0, 1], rotations=turns(0, 90, axis=(1, 0, 0))),
        Motion("a", [0, 1], [[0, 0, 0], [1, 0, 0]]),
    )
    here, there = np.zeros(3), np.ones(3)
    same = Motion("b", [0, 1], rotations=turns(0, 90, axis=(1, 0, 0)))
    chains = Chains(
        [
            (),
            (Turning(bend, here), Turning(turn, here), Turning(slide, here)),
            (Turning(same, here), Turning(slide.of("b"), there)),
            (Turning(same, there), Turning(slide, there)),
            (Turning(turn, here), Turning(bend, here)),
        ]
    )
    assert len(chains.moves) == 4
    pairs = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 1), (1, 3), (2, 4), (4, 4)]
    a, b = np.array(pairs).T

    def own(upright: bool) -> list[list[int]]:
        return np.stack(chains.own(a, b, np.full(len(a), upright)), axis=1).tolist()

    assert own(False) == [[0, 0], [0, 3], [0, 0], [1, 0], [0, 1], [2, 1], [2, 2], [0, 0]]
    assert own(True) == [[0, 0], [0, 3], [2, 2], [2, 1], [1, 2], [2, 1], [2, 2], [2, 2]]


def test_boxes_with_the_world_s_axes_are_refitted_on_a_turntable() -> None:
    boxes = {"a": AABB([1, -2, 0], [1.2, 2, 1]), "b": AABB([1.5, -2, 0], [1.7, 2, 1])}
    table = [Motion("*", [0, 1], rotations=turns(0, 90), pivot=[0, 0, 0])]
    ((begin, end),) = intervals(touching_intervals(Scene(boxes, motion=table)))
    # Each is 0.2 by 4, and they are 0.5 apart: turned by w they reach 0.2 cos w + 4 sin w across.
    across = math.pi / 2 * np.array([begin, 1 - end])
    assert 0.2 * np.cos(across) + 4 * np.sin(across) == pytest.approx(0.5 * np.cos(across), abs=1e-9)
    sliding = Scene(boxes, motion=[Motion("*", [0, 1], [[0, 0, 0], [9, 0, 0]])])
    assert not len(touching_intervals(sliding))


SPINS: dict[str, Any] = {
    "spins": ([[0, 0, 0]] * 3, (0, 0, 1)),
    "spins on a slant": ([[0, 0, 0]] * 3, (1, 2, 3)),
    "rolls": ([[0, 0, 0], [math.pi / 2, 0, 0], [math.pi, 0, 0]], (0, 1, 0)),
}


@pytest.mark.parametrize("floor", [AABB([-9, -9, -1], [9, 9, 0]), HalfSpace([0, 0, 0], [0, 0, 1])], ids=["box", "half"])
@pytest.mark.parametrize("place", [(0, 0, 1), (0.1, 0.7, 1)], ids=str)
@pytest.mark.parametrize("spin", SPINS)
def test_a_ball_that_turns_goes_where_its_center_goes(spin: str, place: Any, floor: Shape) -> None:
    offsets, axis = SPINS[spin]
    motion = Motion("ball", [0, 1, 2], offsets, turns(0, 90, 180, axis=axis))
    scene = Scene({"floor": floor, "ball": Sphere(place, 1)}, motion=[motion])
    assert intervals(touching_intervals(scene, resolution=1e-9)) == [(0.0, 2.0)]  # steps as short would take hours
    above = Scene({"floor": floor, "ball": Sphere(place, 1 - 1e-9)}, motion=[motion])
    assert not len(touching_intervals(above, resolution=1e-9))
    assert intervals(touching_intervals(above, resolution=1e-9, margin=1e-8)) == [(0.0, 2.0)]


def test_memory_does_not_grow_as_the_resolution_gets_finer() -> None:
    rock = Motion("box", [0, 1, 2], rotations=turns(0, 90, 180))
    box = OrientedBox([0, 0, 1], np.eye(3), [1, 1, 1])
    scene = Scene({"floor": AABB([-9, -9, -1], [9, 9, 0]), "box": box}, motion=[rock])
    assert intervals(touching_intervals(scene, resolution=2e-5)) == [(0.0, 2.0)]
    assert peak(scene, resolution=2e-5) < 0.2


def test_all_of_many_intervals_are_found() -> None:
    rounds = 25
    spin = Motion("bar", np.arange(4 * rounds + 1), rotations=turns(*90 * np.arange(4 * rounds + 1)), pivot=[0, 0, 0])
    posts = Sphere([[0, 3, 0], [3.9, 0, 0], [0, 9, 0], [0, 0, 0]], 0.5)
    found = touching_intervals(Scene({"bar": Capsule([0, 0, 0], [4, 0, 0], 0.5), "posts": posts}, motion=[spin]))
    half = math.degrees(math.asin(1 / 3)) / 90
    at = 4 * np.arange(rounds) + 1
    first = found.pairs[:, 1] == 1
    assert found.begin[first] == pytest.approx(at - half, abs=1e-8)
    assert found.end[first] == pytest.approx(at + half, abs=1e-8)
    assert np.bincount(found.pairs[:, 1]).tolist() == [0, rounds, rounds + 1, 0, 1]
    assert (np.lexsort((found.begin, found.pairs[:, 1])) == np.arange(len(found))).all()


@pytest.mark.parametrize("way", [1, -1])
def test_half_a_turn_goes_the_way_that_the_scene_shows(way: int) -> None:
    spin = Motion("bar", [0, 1], rotations=[[0, 0, 0, 1], [0, 0, way, 0]], pivot=[0, 0, 0])
    posts = Sphere([[0, 3, 0], [0, -3, 0]], 0.5)
    scene = Scene({"bar": Capsule([0, 0, 0], [4, 0, 0], 0.5), "posts": posts}, motion=[spin])
    assert touching_intervals(scene).pairs.tolist() == scene.at(0.5).colliding_pairs().tolist() != []


def some_chains(rng: np.random.Generator) -> Scene:
    """Return seven shapes that turn, roll and slide by themselves, and then on what most of them stand on."""
    names = "abcdefg"
    shapes = {name: some(KINDS[rng.integers(len(KINDS))], rng).translated(1.5 * rng.normal(size=3)) for name in names}
    motion = []
    carried = [name for name in names if rng.integers(4)] or ["a"]
    for group in (*([name] for name in names if rng.integers(3)), *([carried] * int(rng.integers(3)))):
        times, style = np.cumsum(rng.uniform(0.2, 1, rng.integers(2, 5))) - 1, rng.integers(4)
        spin = Rotation.random(len(times), rng=rng) if style else None
        offsets = 1.5 * rng.normal(size=(len(times), 3)) if style != 1 else None
        pivot = rng.normal(size=3) if style == 2 or len(group) > 1 else None
        motion += [Motion(name, times, offsets, spin, pivot=pivot) for name in group]
    return Scene(shapes, motion=motion)


@pytest.mark.parametrize("seed", range(8))
def test_random_chains_touch_when_the_scene_at_that_time_does(seed: int) -> None:
    rng = np.random.default_rng([seed, 3])
    scene, margin = some_chains(rng), float(rng.choice([0.0, 0.0, 0.3]))
    found = touching_intervals(scene, margin=margin)
    step = (found.stop - found.start) / 1024

    def gap(pair: tuple[int, int], time: float) -> float:
        there = scene.at(time)
        return float(signed_distance(there.element(pair[0]), there.element(pair[1]))) - margin

    for time in rng.uniform(found.start, found.stop, 60).tolist():
        told = {tuple(pair) for pair in found.pairs[(found.begin <= time) & (time <= found.end)].tolist()}
        for pair in told ^ {tuple(pair) for pair in scene.at(time).contacts(margin=margin).pairs.tolist()}:
            now = gap(pair, time)
            near = [gap(pair, time + part * step) <= 0.0 for part in np.linspace(-1, 1, 41)]
            brief = {now > 0.0} <= set(near[:20]) and {now > 0.0} <= set(near[21:])
            assert abs(now) < 1e-9 or brief, (pair, time, now)
