"""Sweeps: the first touch of every two kinds, against exact answers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    Sweep,
    closest_points,
    sweep,
    sweep_steps,
)
from collision.base.fields import FloatArray
from collision.shapes.kinds import KINDS
from tests import oracles
from tests.corpus import Order, exactly, names, stacked
from tests.motions import STYLES, Moving, random_motion, random_motions, through_nearly_parallel
from tests.sampling import batch
from tests.slow import one_in
from tests.strategies import EXACT_PAIRS, THIN, parted

#: Rounds of all styles for each pair of kinds: some 1,200 sweeps, and with --deep 50,000.
ROUNDS, DEEP_ROUNDS = 4, 160
#: The promise: the time is right to this, but for what a hair's breadth of distance makes of it.
TIME = 1e-12
#: That hair's breadth, relative to the size: what a signed distance with a box at an angle may be off by.
HAIR = 1e-14
#: How much room may be missing along a normal, relative to the size: near the touch a gap has hardly a direction.
NORMAL = 1e-13


class Judged(NamedTuple):
    """What is exactly true of one sweep and of its answer; lengths are in sizes, times in motions."""

    first: Fraction | None  # when they touch
    near: Fraction | None  # when they are within a hair
    at_start: float  # the signed distance
    at_answer: float  # the signed distance at the time that was answered
    off_surfaces: float  # the distance of the point that was answered from either surface at that time
    short: float  # how much room is missing along the normal that was answered
    speed: float  # along that normal
    reach: float  # the length of the motion
    meant: bool  # whether the same in whole numbers touches


def judge(case: Moving, fraction: float, point: FloatArray, normal: FloatArray) -> Judged:
    a, b, motion = oracles.body(case.a), oracles.body(case.b), oracles.exact(case.motion)
    first = oracles.first_touch(case.a, case.b, case.motion)
    hit = np.isfinite(fraction)
    then = Fraction(fraction) if hit else oracles.ONE if first is None else min(first, oracles.ONE)
    there = oracles.moved(a, motion, then)
    start, apart = oracles.bodies_apart(a, b), oracles.bodies_apart(there, b)
    extents = [oracles.size_of(case.a, case.b, each) for each in (start, apart)]
    size = Fraction(max(extents) or 1.0)
    off = short = speed = oracles.ZERO
    if hit:
        spot = oracles.Body(oracles.exact(point), (), oracles.ZERO)
        off = max(abs(oracles.bodies_apart(spot, one).signed_distance) for one in (there, b))
        way = oracles.exact(normal)
        short, speed = apart.signed_distance - oracles.room_along(there, b, way, size), oracles.dot(way, motion)
    return Judged(
        first,
        oracles.first_touch(case.a, case.b, case.motion, Fraction(HAIR) * size),
        *(float(x / size) for x in (start.signed_distance, apart.signed_distance, off, short, speed)),
        float(oracles.root(oracles.dot(motion, motion)) / size),
        case.twin is not None and on_the_way(oracles.first_touch(*case.twin)),
    )


def on_the_way(touch: Fraction | None) -> bool:
    return touch is not None and touch <= 1


def swept(cases: list[Moving]) -> Sweep:
    a, b = stacked([case.a for case in cases]), stacked([case.b for case in cases])
    return sweep(a, b, motion=np.stack([case.motion for case in cases]))


@dataclass(frozen=True)
class Sweeps:
    """Cases with their answers, and what is exactly true of them, which takes a while the first time."""

    cases: list[Moving]
    answers: Sweep

    @cached_property
    def truth(self) -> list[Judged]:
        answers = self.answers
        return exactly(judge, self.cases, answers.fraction, answers.point, answers.normal)


@cache
def _sweeps(order: Order, rounds: int) -> Sweeps:
    cases = random_motions(*order, n=len(STYLES) * rounds, seed=2027)
    return Sweeps(cases, swept(cases))


@pytest.fixture
def sweeps(request: pytest.FixtureRequest) -> Sweeps:
    """Return the moving pairs of an order of kinds, given by the test's parameter."""
    return _sweeps(request.param, DEEP_ROUNDS if request.config.getoption("--deep") else ROUNDS)


#: Pairs of kinds in one order, which one of the tests turns round; certificates look at either order by itself.
PARTED = [order for order in EXACT_PAIRS if parted(order)]


# --- against exact answers ------------------------------------------------------------------------


@pytest.mark.every
@pytest.mark.parametrize("sweeps", one_in(3, [(order,) for order in PARTED]), ids=names, indirect=True)
def test_first_touches_are_those_of_exact_arithmetic(sweeps: Sweeps) -> None:
    touches_are_found_and_no_others(sweeps)
    times_are_right(sweeps)
    they_touch_at_that_time(sweeps)
    a_start_in_touch_is_a_touch_at_once(sweeps)
    points_and_normals_are_those_of_the_touch(sweeps)


def touches_are_found_and_no_others(sweeps: Sweeps) -> None:
    """Grazing touches and touches at the very end count, and so do those that rounding of decimals undoes."""
    for case, hit, truth in zip(sweeps.cases, sweeps.answers.hit, sweeps.truth, strict=True):
        if truth.meant or on_the_way(truth.first):
            assert hit, f"missed, at {truth.first and float(truth.first)!r}: {case}"
        room = HAIR / truth.reach if truth.reach else 0.0
        assert not hit or (truth.near is not None and truth.near <= 1.0 + room), f"no touch, but a hit: {case}"


def times_are_right(sweeps: Sweeps) -> None:
    """Save what a hair's breadth, 1e-14 of the size, makes of it: much where shapes graze or meet at a flat angle."""
    sharp = 0
    for case, fraction, truth in zip(sweeps.cases, sweeps.answers.fraction, sweeps.truth, strict=True):
        if not np.isfinite(fraction) or truth.near is None:
            continue
        assert fraction >= float(truth.near) - TIME, f"early, {fraction!r} for {float(truth.near)!r}: {case}"
        if truth.first is not None and truth.first <= 1:
            slack = float(truth.first - truth.near)
            late = float(Fraction(float(fraction)) - truth.first)
            assert late <= TIME + slack, f"late by {late:.3g}, slack {slack:.3g}: {case}"
            sharp += slack < TIME
    assert sharp > 0.1 * len(sweeps.cases) or isinstance(sweeps.cases[0].a, THIN) or isinstance(sweeps.cases[0].b, THIN)


def they_touch_at_that_time(sweeps: Sweeps) -> None:
    for case, fraction, truth in zip(sweeps.cases, sweeps.answers.fraction, sweeps.truth, strict=True):
        if fraction > 0.0:
            assert abs(truth.at_answer) <= HAIR, f"at {fraction!r} they are {truth.at_answer:.3g} apart: {case}"


def a_start_in_touch_is_a_touch_at_once(sweeps: Sweeps) -> None:
    for case, fraction, truth in zip(sweeps.cases, sweeps.answers.fraction, sweeps.truth, strict=True):
        if truth.at_start <= 0.0:
            assert fraction == 0.0, f"they start {truth.at_start:.3g} apart: {case}"
        if fraction == 0.0:
            assert truth.at_start <= HAIR, f"they start {truth.at_start:.3g} apart: {case}"


def points_and_normals_are_those_of_the_touch(sweeps: Sweeps) -> None:
    """Along the normal there is as much room as the signed distance says: none at a touch, less at a start in overlap.

    It never points against the motion.
    """
    for case, fraction, truth in zip(sweeps.cases, sweeps.answers.fraction, sweeps.truth, strict=True):
        if fraction >= 0.0:
            assert truth.short <= NORMAL, f"{truth.short:.3g} of the size is missing along the normal: {case}"
        if fraction > 0.0:
            assert truth.off_surfaces <= HAIR, f"the point is off by {truth.off_surfaces:.3g} of the size: {case}"
            assert truth.speed >= -1e-12, f"the normal points against the motion, by {truth.speed:.3g}: {case}"
    lengths = np.linalg.norm(sweeps.answers.normal[sweeps.answers.hit], axis=-1)
    assert np.abs(lengths - 1.0).max(initial=0.0) <= 1e-15


@pytest.mark.parametrize("order", list(product((Ray, Line), (Ray, Line))), ids=names)
def test_nearly_parallel_lines_do_not_slip_through_each_other(order: Order) -> None:
    rng = np.random.default_rng(9)
    cases = [random_motion(through_nearly_parallel, *order, rng) for _ in range(150)]
    times = [oracles.first_touch(case.a, case.b, case.motion) for case in cases]
    assert sum(map(on_the_way, times)) >= 30
    for case, time, hit in zip(cases, times, swept(cases).hit, strict=True):
        assert hit or not on_the_way(time), f"missed, at {time and float(time)!r}: {case}"


@pytest.mark.parametrize("length", [1e3, 1e9, 1e15, 1e100, 1e300])
def test_no_length_of_the_motion_makes_a_gap_a_touch(length: float) -> None:
    floor, ball = AABB([-9, -9, -1], [9, 9, 0]), Sphere([0, 0, 1 + 1e-6], 1)
    assert not sweep(ball, floor, motion=[0, 0, length]).hit
    assert not sweep(ball, floor, motion=[length, 0, 0]).hit
    assert not sweep(Sphere([0, 0, 0], 0.5), Sphere([0, 2, 0], 0.5), motion=[length, 0, 0]).hit
    assert not sweep(Sphere([0, 0, 0], 0.5), Line([0, 2, 0], [1, 0, 0]), motion=[length, 0, 0]).hit
    down = sweep(ball, floor, motion=[0, 0, -length])
    assert float(down.fraction) * length == pytest.approx(1e-6, rel=1e-9)
    assert down.point == pytest.approx([0, 0, 0], abs=1e-15)
    scene = Scene({"floor": floor, "ball": ball, "post": Sphere([0, 2.5, 1], 0.25)})
    assert scene.sweep("ball", motion=[length, 0, length]).element == -1
    assert scene.sweep("ball", motion=[0, 0, -length]).name == "floor"


# --- what is known by hand ------------------------------------------------------------------------


def test_a_step_back_that_leads_before_the_start_is_no_touch() -> None:
    """The rays are parallel but for a hair: at first they are nearest a billion sizes away, and not in touch there."""
    a = Ray([1.0795069401422535, 2.292410620412738, -3.185510497286289], [1, 0, 0])
    b = Ray(
        [1.079506940141809, 2.2133302807556747, -3.1855104972844415],
        [1.0, 2.396134054711337e-11, 1.956916578474701e-21],
    )
    motion = [0.0, -0.20758608205932244, -2.4982345150324178e-15]
    assert oracles.first_touch(a, b, motion) is None
    assert not sweep(a, b, motion=motion).hit


@pytest.mark.parametrize(
    ("a", "b", "motion", "fraction"),
    [
        (Sphere([0, 0, 0], 1), Sphere([6, 0, 0], 1), [8, 0, 0], 0.5),
        (Sphere([0, 0, 0], 1), Sphere([6, 0, 0], 1), [4, 0, 0], 1.0),  # at the very end
        (Sphere([0, 0, 0], 1), Sphere([6, 2, 0], 1), [12, 0, 0], 0.5),  # a grazing touch
        (Sphere([0, 0, 0], 1), Sphere([2, 0, 0], 1), [5, 0, 0], 0.0),  # they start in touch
        (Sphere([0, 0, 0], 1), Sphere([2, 0, 0], 1), [-5, 0, 0], 0.0),  # ... and part
        (Sphere([0, 0, 0], 1), Sphere([0.5, 0, 0], 1), [0, 0, 0], 0.0),  # they overlap and rest
        (AABB([0, 0, 0], [1, 1, 1]), AABB([3, 0, 0], [4, 1, 1]), [4, 0, 0], 0.5),
        (AABB([0, 0, 0], [1, 1, 1]), AABB([3, 1, 0], [4, 2, 1]), [4, 0, 0], 0.5),  # edge along edge
        (Capsule([0, 0, -1], [0, 0, 1], 0.25), Segment([1.25, -1, 0], [1.25, 1, 0]), [2, 0, 0], 0.5),
        (Point([0, 0, 0]), Line([0, 0, 1], [1, 1, 0]), [0, 0, 4], 0.25),
        (Point([-1, 0, 0]), Ray([0, 0, 0], [1, 0, 0]), [4, 0, 0], 0.25),
    ],
)
def test_known_times(a: Shape, b: Shape, motion: list[float], fraction: float) -> None:
    found = sweep(a, b, motion=motion)
    assert found.hit
    assert abs(found.fraction - fraction) <= (1e-7 if fraction == 0.5 and motion == [12, 0, 0] else 1e-12)
    assert oracles.first_touch(a, b, motion) == fraction


@pytest.mark.parametrize(
    ("a", "b", "motion"),
    [
        (Sphere([0, 0, 0], 1), Sphere([6, 0, 0], 1), [3.999999, 0, 0]),
        (Sphere([0, 0, 0], 1), Sphere([6, 2.000001, 0], 1), [12, 0, 0]),
        (Sphere([0, 0, 0], 1), Sphere([6, 0, 0], 1), [0, 0, 0]),
        (Sphere([0, 0, 0], 1), Sphere([6, 0, 0], 1), [-9, 0, 0]),
        (Point([0, 0, 1]), Line([0, 0, 0], [1, 0, 0]), [5, 0, 0]),
    ],
)
def test_known_misses(a: Shape, b: Shape, motion: list[float]) -> None:
    found = sweep(a, b, motion=motion)
    assert not found.hit
    assert np.isnan(found.fraction)
    assert np.all(np.isnan([found.point, found.normal]))


# --- the steps of a sweep, one by one -------------------------------------------------------------


@pytest.mark.parametrize(("a", "b"), [pair for pair in product(KINDS, KINDS) if parted(pair)])
def test_the_steps_end_where_the_sweep_does_and_never_pass_it(a: type, b: type) -> None:
    rng = np.random.default_rng(5)
    hits = 0
    for seed in range(8):
        first, second = batch(a, 1, seed=seed)[0], batch(b, 1, seed=seed + 50)[0].translated(rng.normal(size=3) * 2)
        near = closest_points(first, second)
        motion = 1.5 * (near.on_b - near.on_a) + 0.1 * rng.normal(size=3)
        answer = sweep(first, second, motion=motion)
        steps = sweep_steps(first, second, motion=motion)
        fractions = [step.fraction for step in steps]
        assert fractions[0] == 0.0
        assert np.all(np.diff(fractions) > 0.0)
        distances = [step.signed_distance for step in steps]
        if answer.hit:
            hits += 1
            assert fractions[-1] == pytest.approx(float(answer.fraction), rel=1e-9, abs=1e-9)
            assert distances[0] <= 0.0 or distances[-1] <= 1e-6 * distances[0]
        else:
            assert fractions[-1] <= 1.0
            assert min(distances) > 0.0
        for step in steps:
            np.testing.assert_allclose(step.on_b, step.on_a + step.signed_distance * step.normal, atol=1e-9)
            assert step.closing == pytest.approx(float(step.normal @ motion))
    if {a, b} & {AABB, OrientedBox, Sphere, Capsule}:
        assert hits > 0


def test_only_single_shapes_have_steps() -> None:
    ball = Sphere([0, 0, 0], 1)
    with pytest.raises(ValueError, match="takes single shapes"):
        sweep_steps(batch(Sphere, 3), ball, motion=[1, 0, 0])
    with pytest.raises(ValueError, match="takes single shapes"):
        sweep_steps(ball, ball, motion=np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"sweep_steps\.motion must be"):
        sweep_steps(ball, ball, motion=[1, 0])
    with pytest.raises(TypeError, match="takes two shapes, got int"):
        sweep_steps(ball, 3, motion=[1, 0, 0])  # type: ignore[arg-type]
