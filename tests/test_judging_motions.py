"""Verdicts over motions, and extreme distances: against many samples, which are never beyond what is certain."""

from __future__ import annotations

import math
from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import (
    AABB,
    Capsule,
    Expectation,
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
    contains,
    extreme_distance,
    judge,
    signed_distance,
)
from tests.slow import one_in
from tests.strategies import Generator
from tests.test_judging import PAIRWISE, holds, some_promise

SAMPLES = 41


def some_shape(rng: Generator, *, endless: bool = False) -> Shape:
    at, size = rng.uniform(-2.0, 2.0, 3), rng.uniform(0.2, 0.8)
    way = rng.normal(size=3)
    shapes = [
        Sphere(at, size),
        Capsule(at, at + way, 0.3 * size),
        OrientedBox(at, rng.normal(size=4), rng.uniform(0.2, 1.0, 3)),
        AABB(at - size, at + size),
        Segment(at, at + way),
        Point(at),
        HalfSpace(2.0 * at, way),
        Line(2.0 * at, way),
        Ray(2.0 * at, way),
    ]
    return shapes[int(rng.integers(9 if endless else 6))]


def some_motion(rng: Generator, name: str) -> Motion:
    times = np.sort(rng.uniform(0.0, 4.0, 3))
    turns = Rotation.from_rotvec(rng.normal(size=(3, 3))) if rng.random() < 0.6 else None
    pivot = rng.uniform(-2.0, 2.0, 3) if rng.random() < 0.5 else None
    return Motion(name, times, rng.uniform(-2.0, 2.0, (3, 3)), turns, pivot=pivot)


def about_z(*degrees: float) -> Rotation:
    return Rotation.from_rotvec([[0.0, 0.0, math.radians(angle)] for angle in degrees])


def moving_pair(rng: Generator, *, endless: bool = False) -> Scene:
    a, b = some_shape(rng), some_shape(rng, endless=endless)
    names = ["a", *(["a"] if rng.random() < 0.5 else []), *(["b"] if rng.random() < 0.5 and b.bounded else [])]
    names += ["*"] if rng.random() < 0.5 and b.bounded else []
    return Scene({"a": a, "b": b}, motion=[some_motion(rng, name) for name in names])


def gaps_of(scene: Scene, a: str = "a", b: str = "b") -> tuple[np.ndarray, np.ndarray]:
    assert scene.span is not None
    times = np.linspace(*scene.span, SAMPLES)
    return times, np.array([gap_at(scene, float(time), a, b) for time in times])


def gap_at(scene: Scene, time: float, a: str = "a", b: str = "b") -> float:
    now = scene.at(time)
    return float(signed_distance(now[a], now[b]))


@pytest.mark.parametrize("seed", one_in(2, range(2)))
def test_extreme_distances_are_beyond_all_samples(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for number in range(8):
        scene = moving_pair(rng, endless=number % 3 == 0)
        _, gaps = gaps_of(scene)
        near, far = extreme_distance(scene, "a", "b"), extreme_distance(scene, "a", "b", farthest=True)
        assert near.signed_distance == pytest.approx(gap_at(scene, near.time), abs=1e-12)
        assert far.signed_distance == pytest.approx(gap_at(scene, far.time), abs=1e-12)
        assert near.error < 1e-7
        assert far.error < 1e-4
        assert gaps.min() >= near.signed_distance - near.error - 1e-12
        assert gaps.max() <= far.signed_distance + far.error + 1e-12


def test_extreme_distances_of_what_is_known_by_heart() -> None:
    flat = Motion("ball", [0, 10], [[-5, 0, 0], [5, 0, 0]])
    scene = Scene({"ball": Sphere([0, 0, 2], 0.5), "floor": AABB([-9, -9, -1], [9, 9, 0])}, motion=[flat])
    for far in (False, True):  # always as far
        found = extreme_distance(scene, "ball", "floor", farthest=far)
        assert (found.signed_distance, found.error) == (1.5, 0.0)
    turns = about_z(0, 90, 180, 270, 360)
    around = Motion("arm", range(5), rotations=turns, pivot=[0, 0, 0])
    scene = Scene({"arm": Sphere([2, 0, 0], 0.5), "post": Capsule([0, 0, -1], [0, 0, 1], 0.5)}, motion=[around])
    found = extreme_distance(scene, "arm", "post")  # at the same distance all the time, but not by a straight way
    assert found.signed_distance == pytest.approx(1.0, abs=1e-8)
    assert found.error < 1e-8
    wall = Scene(
        {"arm": Capsule([0, 0, 0], [2, 0, 0], 0.0), "wall": HalfSpace([0, 2.5, 0], [0, -1, 0])}, motion=[around]
    )
    found = extreme_distance(wall, "arm", "wall")
    assert found.signed_distance == pytest.approx(0.5, abs=1e-8)
    assert found.time == pytest.approx(1.0, abs=1e-4)
    with pytest.raises(ValueError, match="did you mean"):
        extreme_distance(wall, "amr", "wall")
    with pytest.raises(ValueError, match="ignores all pairs"):
        extreme_distance(wall.ignoring(("arm", "wall")), "arm", "wall")


@pytest.mark.parametrize("kind", [HalfSpace, Line, Ray])
def test_what_has_no_end_may_turn(kind: type[Shape]) -> None:
    rng = np.random.default_rng(7)
    for number in range(4):
        endless = kind(rng.uniform(-3.0, 3.0, 3), rng.normal(size=3))
        motions = [some_motion(rng, name) for name in ("a", "b", "a")[: 1 + number]]
        scene = Scene({"a": endless, "b": Capsule([0, 0, 0], rng.normal(size=3), 0.2)}, motion=motions)
        _, gaps = gaps_of(scene)
        for pair in (("a", "b"), ("b", "a")):
            near = extreme_distance(scene, *pair)
            assert near.error < 1e-6
            assert near.signed_distance == pytest.approx(gap_at(scene, near.time), abs=1e-11)
            assert gaps.min() >= near.signed_distance - near.error - 1e-11


@pytest.mark.parametrize(
    ("height", "promise"),
    [
        (1.0, Expectation("apart", "a", "b")),
        (1.0, Expectation("touch", "a", "b", tolerance=1.5, when="ever")),
        (0.0, Expectation("collide", "a", "b", when="always")),
        (1.0, Expectation("collide", "a", "b", when="never")),
    ],
    ids=lambda value: getattr(value, "id", ""),
)
def test_of_two_lines_that_turn_nothing_is_certain(height: float, promise: Expectation) -> None:
    lines = {"a": Line([0, 0, 0], [1, 0, 0]), "b": Line([0, 0, height], [0, 1, 0])}
    scene = Scene(lines, motion=[Motion("a", [0, 1], rotations=about_z(0, 90))])
    assert extreme_distance(scene, "a", "b").error == math.inf
    verdict = judge(scene.replaced(expectations=[promise])).verdicts[0]
    assert not verdict.ok
    assert "it is not certain" in verdict.actual
    other = judge(scene.replaced(expectations=[Expectation("ray", origin=[0, 0, 9], direction=[0, 0, 1])])).verdicts[-1]
    assert not other.ok
    assert other.actual.endswith("it is not certain that a and b never do") == (height > 0.0)


@pytest.mark.parametrize(("depth", "kept"), [((0.1, 1.0), True), ((1.6, 1.8), True), ((0.1, 1.3), False)])
def test_what_is_always_deeper_or_always_less_deep_is_never_so_deep(depth: tuple[float, float], kept: bool) -> None:
    slide = Motion("b", [0, 1], [[0, 0, 0], [0.3, 0, 0]])  # from 1.5 to 1.2 deep
    promise = Expectation("collide", "a", "b", depth=depth, when="never")
    scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([0.5, 0, 0], 1)}, motion=[slide], expectations=[promise])
    assert judge(scene).verdicts[0].ok is kept


@pytest.mark.parametrize("kind", [HalfSpace, Line, Ray, Sphere])
@pytest.mark.parametrize("moving", ["ball", "rest", "other"])
def test_a_promise_at_a_time_is_that_of_the_scene_then(kind: type[Shape], moving: str) -> None:
    rest = Sphere([0, 0, -1], 0.5) if kind is Sphere else kind([0, 0, -1], [0, 0, 1])
    away = Motion(moving, [0, 1, 2], [[0, 0, 0], [0.5, 0, 0.25], [3, 0, 1]], about_z(0, 20, 90))
    promise = Expectation("apart", "ball", "rest", clearance=0.2, at=1.5)
    shapes = {"ball": Capsule([3, 0, 0], [3, 1, 0], 0.5), "rest": rest, "other": Point([9, 0, 9])}
    scene = Scene(shapes, motion=[away], expectations=[promise])
    verdict = judge(scene).verdicts[0]
    now = scene.at(1.5)
    gap = signed_distance(now["ball"], now["rest"])
    assert verdict.values["signed_distance"] == pytest.approx(gap, abs=1e-12)
    assert verdict.ok == (gap >= 0.2)


@pytest.mark.filterwarnings("error")
def test_what_overlaps_without_end_never_is_apart() -> None:
    shapes = {"wall": HalfSpace([0, 0, 0], [0, 0, 1]), "line": Line([0, 0, 1], [0, 1, 2]), "ball": Sphere([0, 0, 9], 1)}
    motions = [Motion("line", [0, 1, 2], [[0, 0, 0], [1, 0, 0], [1, 1, 0]], about_z(0, 0, 30))]
    for more in ({"at": 0.0}, {"during": (0.0, 1.0)}, {}):
        for when, kept in (("never", bool(more)), ("", False)):  # nothing is certain of what has no end and turns
            promise = Expectation("apart", "line", "wall", clearance=0.5, when=when, **more)
            verdict = judge(Scene(shapes, motion=motions, expectations=[promise])).verdicts[0]
            assert verdict.ok == kept
            assert "overlap without end" in verdict.actual


def test_a_short_touch_between_samples_is_found() -> None:
    """A thin rod that turns very fast past a post, within a ten-thousandth of the time."""
    turns = about_z(0, 0, 179, 179)
    spin = Motion("rod", [0, 5, 5.001, 10], rotations=turns, pivot=[0, 0, 0])
    rod, post = Capsule([0.5, 0, 0], [3, 0, 0], 0.01), Sphere([0, 2, 0], 0.01)
    scene = Scene({"rod": rod, "post": post}, motion=[spin], expectations=[Expectation("apart", "rod", "post")])
    verdict, other = judge(scene).verdicts
    assert not verdict.ok
    assert other.ok
    assert verdict.time is not None
    assert 5.0 < verdict.time < 5.001
    assert verdict.values["depth"] == pytest.approx(0.02, abs=1e-8)


def some_promises(rng: Generator, span: tuple[float, float]) -> list[Expectation]:
    promises = {}
    for kind, when in product(PAIRWISE, ("", "always", "ever", "never")):
        times: dict[str, object] = {"during": np.sort(rng.uniform(*span, 2))} if rng.random() < 0.3 else {}
        if rng.random() < 0.1 and when in ("", "never"):
            times = {"at": rng.uniform(*span)}
        promise = some_promise(rng, kind, "a", "b", when=when, **times)
        promises[promise.id] = promise
    return list(promises.values())


def check_promise(scene: Scene, promise: Expectation) -> bool:
    """Compare a verdict with samples; return whether the promise is kept."""
    assert scene.span is not None
    verdict = judge(scene.replaced(expectations=[promise], open=True)).verdicts[0]
    start, stop = promise.during or (scene.span if promise.at is None else (promise.at, promise.at))
    gaps = [gap_at(scene, float(time)) for time in np.linspace(start, stop, SAMPLES)]
    assert verdict.time is not None
    assert start <= verdict.time <= stop
    gap = gap_at(scene, verdict.time)
    assert verdict.values["signed_distance"] == pytest.approx(gap, abs=1e-12)
    good = [holds(promise, [one]) for one in gaps]
    match promise.quantifier:
        case "always":
            assert verdict.ok or not holds(promise, [gap])
            assert not verdict.ok or all(good)
        case "never":
            assert not (verdict.ok and any(good))
            if not verdict.ok and promise.kind != "apart" and promise.depth is None:
                assert min(*gaps, gap) <= (promise.tolerance or 0.0)
        case _:
            if verdict.ok:
                assert holds(promise, [gap])
            elif promise.kind == "apart":
                assert not any(good)
            else:  # what counts is the moment at which they are nearest
                assert not holds(promise, [gap])
                assert gap <= min(gaps) + 1e-12
    return verdict.ok


@pytest.mark.parametrize("seed", one_in(2, range(2)))
def test_verdicts_over_motions_are_those_of_samples_or_stricter(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    kept = []
    for _ in range(2):
        scene = moving_pair(rng)
        assert scene.span is not None
        kept += [check_promise(scene, promise) for promise in some_promises(rng, scene.span)]
    assert 0.1 < np.mean(kept) < 0.9


@cache
def crowd(count: int) -> Scene:
    rng = np.random.default_rng(8)
    shapes = {f"s{number}": some_shape(rng) for number in range(count)}
    return Scene(shapes, motion=[some_motion(rng, f"s{number}") for number in range(count // 2)])


def test_nothing_else_collides_at_any_time() -> None:
    scene = crowd(30)
    times = np.linspace(*scene.span or (0.0, 0.0), 80)
    met = {tuple(pair) for time in times for pair in scene.at(float(time)).colliding_pairs().tolist()}
    names = [(scene.element_name(a), scene.element_name(b)) for a, b in sorted(met)]
    assert len(names) > 6
    promises = [Expectation("collide", *pair) for pair in names]
    for left_out in (0, 3, len(promises)):
        some = promises[:left_out] or [Expectation("ray", "", origin=[0, 0, 99], direction=[0, 0, 1])]
        verdict = judge(scene.replaced(expectations=some)).verdicts[-1]
        found = {verdict.pair, *((other.a, other.b) for other in verdict.others)} - {None}
        assert verdict.count == len(found)
        assert set(names[left_out:]) <= found
        for a, b, gap, time in ((*(verdict.pair or ()), verdict.values.get("signed_distance"), verdict.time),):
            if verdict.count:
                assert gap == pytest.approx(gap_at(scene, time, a, b), abs=1e-12)
                assert gap <= 0.0
        for other in verdict.others:
            assert other.time is not None
            assert other.signed_distance == pytest.approx(gap_at(scene, other.time, other.a, other.b), abs=1e-12)


def test_groups_over_a_motion_are_their_nearest_pairs() -> None:
    scene = crowd(9).replaced(name_groups={"few": ["s0", "s1"], "rest": {"include": "*", "exclude": "few"}})
    pairs = [(a, b) for a in ("s0", "s1") for b in (f"s{n}" for n in range(2, 9))]
    found = extreme_distance(scene, "few", "rest")
    alone = [extreme_distance(scene, *pair) for pair in pairs]
    assert found.signed_distance == pytest.approx(min(one.signed_distance for one in alone), abs=1e-7)
    far = extreme_distance(scene, "few", "rest", farthest=True)
    times = np.linspace(*scene.span or (0.0, 0.0), SAMPLES)
    nearest = [min(gap_at(scene, float(time), *pair) for pair in pairs) for time in times]
    assert max(nearest) <= far.signed_distance + far.error + 1e-12
    clearance = sorted(one.signed_distance for one in alone)[4] + 1e-3
    wide = scene.replaced(expectations=[Expectation("apart", "few", "rest", clearance=max(clearance, 0.01))], open=True)
    verdict = judge(wide).verdicts[0]
    assert verdict.count == sum(one.signed_distance < max(clearance, 0.01) for one in alone)


def test_what_lies_inside_over_a_motion() -> None:
    rng = np.random.default_rng(2)
    kept = []
    for _ in range(8):
        holder = [
            Sphere([0, 0, 0], 2.5),
            AABB([-2, -2, -2], [2, 2, 2]),
            OrientedBox([0, 0, 0], rng.normal(size=4), [2, 2, 2]),
        ]
        inner = some_shape(rng).translated([0, 0, 0])
        inner = inner.scaled(0.4) if hasattr(inner, "scaled") else inner
        move = Motion("a", [0, 1, 3], rng.uniform(-1.0, 1.0, (3, 3)), Rotation.from_rotvec(rng.normal(size=(3, 3))))
        scene = Scene({"a": inner, "b": holder[int(rng.integers(3))]}, motion=[move], open=True)
        now = [scene.at(float(time)) for time in np.linspace(0.0, 3.0, SAMPLES)]
        inside = [bool(contains(one["b"], one["a"])) for one in now]
        for when, told in (("always", all(inside)), ("ever", any(inside)), ("never", not any(inside))):
            promise = Expectation("inside", "a", "b", when=when)  # type: ignore[arg-type]
            verdict = judge(scene.replaced(expectations=[promise])).verdicts[0]
            if isinstance(inner, AABB):
                assert not verdict.ok
                assert "single times" in verdict.actual
                continue
            assert verdict.time is not None
            at = scene.at(verdict.time)
            assert bool(contains(at["b"], at["a"])) == (verdict.ok if when != "never" else not verdict.ok)
            assert verdict.ok <= told if when != "ever" else verdict.ok >= told
            kept.append(verdict.ok)
    assert 0.2 < np.mean(kept) < 0.8


@pytest.mark.parametrize(
    ("inner", "said"),
    [
        (AABB([0, 0, 0], [1, 1, 1]), "single times only"),
        (Ray([0, 0, 0], [0, 0, -1]), "single times only"),
        (OrientedBox([0, 0, 0], [0, 0, 0, 1], [0.5, 0.5, 0.5]), "lies inside"),
    ],
)
def test_what_changes_its_corners_as_it_turns_lies_inside_at_single_times_only(inner: Shape, said: str) -> None:
    turn = Motion("a", [0, 1], rotations=about_z(0, 90))
    scene = Scene({"a": inner, "b": HalfSpace([0, 0, 5], [0, 0, 1])}, motion=[turn])
    whole, now = (Expectation("inside", "a", "b", **time) for time in ({}, {"at": 0.5}))
    found = judge(scene.replaced(expectations=[whole, now])).verdicts
    assert said in found[0].actual
    assert [found[0].ok, found[1].ok] == [said == "lies inside", True]


def test_promises_at_a_time_are_of_a_time_of_the_motion() -> None:
    away = Motion("wall", [0, 2], [[0, 0, 0], [2, 0, 0]])
    shapes = {"laser": Ray([0, 0, 0], [1, 0, 0]), "ball": Sphere([0, 0, 3], 1), "wall": AABB([4, -9, -9], [5, 9, 9])}
    promises = [
        Expectation("ray", "laser", "wall", distance=4),
        Expectation("ray", "laser", "wall", distance=5, at=1),
        Expectation("sweep", "ball", "wall", motion=[10, 0, 0], fraction=0.5, at=2),
    ]
    found = judge(Scene(shapes, motion=[away], expectations=promises)).verdicts[:3]
    assert [(verdict.ok, verdict.time) for verdict in found] == [(True, 0.0), (True, 1.0), (True, 2.0)]
    for late in ({"at": 2.5}, {"during": (1, 2.5)}, {"at": -1}):
        verdict = judge(
            Scene(shapes, motion=[away], expectations=[Expectation("apart", "ball", "wall", **late)])
        ).verdicts[0]
        assert (verdict.ok, verdict.actual) == (False, "the motion lasts from 0 to 2 s")
