"""Sweeps of shapes that turn: the first touch of every two kinds, against exact answers and against formulas."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from collision import (
    AABB,
    Capsule,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    Sweep,
    Transform,
    signed_distance,
    sweep,
)
from collision.base.fields import FloatArray
from collision.queries.moving import turning_touches
from collision.queries.sweeps import read_course
from collision.shapes.kinds import KINDS
from tests import oracles
from tests.corpus import ORDERED, Order, exactly, names, stacked
from tests.strategies import THIN
from tests.turning import Turning, Way, random_turnings

ROUNDS, DEEP_ROUNDS = 1, 40
#: What a signed distance may be off by, relative to the size: where they touch, and where they do not.
HAIR = 2e-14
#: How much room may be missing along a normal, relative to the size.
NORMAL = 1e-13
#: Times before the answer at which there must be no touch, as parts of it, and so much before it.
BEFORE = (0.0, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999, 0.999999)
#: Orders of kinds of which one has an end.
ENDED = [order for order in ORDERED if order[0].bounded or order[1].bounded]

every_order = pytest.mark.parametrize("order", ENDED, ids=names)


def ways(cases: list[Turning]) -> dict[str, Any]:
    """Return the placements of some cases as keyword arguments of `sweep`."""
    found: dict[str, Any] = {}
    rest = Way(Transform(), Transform(), np.zeros(3))
    for prefix, each in (("", [c.way for c in cases]), ("b_", [c.other or rest for c in cases])):
        for name in ("start", "end"):
            ends = [getattr(way, name) for way in each]
            found[prefix + name] = Transform(np.stack([t.position for t in ends]), np.stack([t.axes for t in ends]))
        found[f"{prefix}pivot"] = np.stack([way.pivot for way in each])
    return found


def swept(cases: list[Turning]) -> Sweep:
    return sweep(stacked([case.a for case in cases]), stacked([case.b for case in cases]), **ways(cases))


def bodies(case: Turning, time: Fraction) -> tuple[oracles.Body, oracles.Body]:
    """Return both shapes at a time, exactly."""
    poses = []
    for way in (case.way, case.other):
        ends = [(t.position, t.axes) for t in (way.start, way.end)] if way else []
        poses.append(oracles.pose_between(ends[0], ends[1], way.pivot, time) if way else None)
    return oracles.turned(case.a, poses[0]), oracles.turned(case.b, poses[1])


def size_of(case: Turning, time: float) -> float:
    """Return what rounding is relative to: the shapes as they are given, at the start, and their pivots.

    A shape without an end may have gone far along itself, so that what it has gone counts too.
    """
    gone = 0.0
    if not (case.a.bounded and case.b.bounded):
        gone = time * max(float(np.abs(w.end.position - w.start.position).max()) for w in (case.way, case.other) if w)
    start = [case.a.transformed(case.way.start), case.b.transformed(case.other.start) if case.other else case.b]
    pivots = [p for way in (case.way, case.other) if way for p in (way.pivot, way.start.apply(way.pivot))]
    return max(gone, oracles.extent(case.a, case.b, *start), *(float(np.abs(p).max()) for p in pivots))


class Judged(NamedTuple):
    """What is exactly true of an answer, in sizes: gaps then and before, how far the point is off, and the normal."""

    at_answer: float
    before: float
    off_surfaces: float
    short: float


def judge(case: Turning, fraction: float, point: FloatArray, normal: FloatArray) -> Judged:
    hit = np.isfinite(fraction)
    then = Fraction(float(fraction)) if hit else oracles.ONE
    size = size_of(case, float(then))
    times = [then * Fraction(part) for part in BEFORE] + [then - Fraction(1, 10**9)]
    gaps = [float(oracles.turned_apart(*bodies(case, time)) / Fraction(size)) for time in times if time >= 0]
    a, b = bodies(case, then)
    apart = oracles.turned_apart(a, b)
    off = short = 0.0
    if hit:
        spot = oracles.Body(oracles.exact(point), (), oracles.ZERO)
        off = max(abs(float(oracles.turned_apart(spot, one))) for one in (a, b)) / size
        room = oracles.room_along(a, b, oracles.exact(normal), Fraction(size))
        short = float(apart - room) / size
    return Judged(float(apart) / size, min(gaps, default=math.inf), off, short)


@dataclass(frozen=True)
class Sweeps:
    """Cases with their answers, and what is exactly true of some of them, by their numbers."""

    order: Order
    cases: list[Turning]
    answers: Sweep

    @cached_property
    def truth(self) -> dict[int, Judged]:
        numbers, answers = judged(self.order, len(self.cases)), self.answers
        given = (each[numbers] for each in (answers.fraction, answers.point, answers.normal))
        return dict(zip(numbers, exactly(judge, [self.cases[i] for i in numbers], *given), strict=True))


@cache
def _sweeps(order: Order, rounds: int) -> Sweeps:
    cases = random_turnings(*order, rounds, seed=2028)
    return Sweeps(order, cases, swept(cases))


def judged(order: Order, count: int) -> list[int]:
    """Return which cases are judged: of two kinds, half of the styles in the one order and half in the other."""
    first, second = map(KINDS.index, order)
    return list(range(count) if first == second else range(int(first > second), count, 2))


@pytest.fixture
def sweeps(request: pytest.FixtureRequest, order: Order) -> Sweeps:
    return _sweeps(order, DEEP_ROUNDS if request.config.getoption("--deep") else ROUNDS)


# --- against exact answers ------------------------------------------------------------------------


@every_order
def test_first_touches_are_those_of_exact_arithmetic(sweeps: Sweeps) -> None:
    they_touch_at_that_time_and_never_before(sweeps)
    for case, fraction in zip(sweeps.cases, sweeps.answers.fraction, strict=True):
        if np.isfinite(case.due) and not (isinstance(case.a, THIN) and isinstance(case.b, THIN)):
            assert fraction <= case.due + 1e-9, f"{fraction!r} for {case.due!r}: {case}"
    answers = sweeps.answers
    assert np.array_equal(answers.hit, np.isfinite(answers.fraction))
    for vectors in (answers.point, answers.normal):
        assert np.array_equal(np.isfinite(vectors), np.repeat(answers.hit[:, None], 3, axis=1))


def they_touch_at_that_time_and_never_before(sweeps: Sweeps) -> None:
    """Judge times, points and normals. A start in touch has nothing before it."""
    for number, truth in sweeps.truth.items():
        case, fraction = sweeps.cases[number], sweeps.answers.fraction[number]
        if fraction != 0.0:
            assert truth.before >= -HAIR, f"{truth.before:.3g} before {fraction!r}: {case}"
        if np.isfinite(fraction):
            assert truth.at_answer <= HAIR, f"{truth.at_answer:.3g} apart at {fraction!r}: {case}"
            assert truth.short <= NORMAL, f"{truth.short:.3g} missing along the normal at {fraction!r}: {case}"
        if fraction > 0.0:
            assert truth.at_answer >= -HAIR, f"{truth.at_answer:.3g} deep at {fraction!r}: {case}"
            assert truth.off_surfaces <= HAIR, f"the point is off by {truth.off_surfaces:.3g}: {case}"
    lengths = np.linalg.norm(sweeps.answers.normal[sweeps.answers.hit], axis=-1)
    assert np.abs(lengths - 1.0).max(initial=0.0) <= 1e-15


@every_order
def test_few_steps_are_needed(sweeps: Sweeps, order: Order) -> None:
    """Also where shapes graze: those styles are a good part of all."""
    given = ways(sweeps.cases)
    a, b = (stacked([getattr(case, side) for case in sweeps.cases]) for side in "ab")
    first = read_course("test", a, given["start"], given["end"], given["pivot"])
    second = read_course("test", b, given["b_start"], given["b_end"], given["b_pivot"])
    assert first is not None
    assert second is not None
    rows = np.arange(len(sweeps.cases))
    steps = turning_touches(first, second, rows.shape, rows)[3]
    assert steps.max() <= 300
    assert steps.mean() <= 40


# --- against formulas -----------------------------------------------------------------------------


def turn(degrees: float, axis: Any = (0, 0, 1)) -> Rotation:
    return Rotation.from_rotvec(np.radians(degrees) * np.asarray(axis, float) / np.linalg.norm(axis))


def placed(position: Any = (0, 0, 0), degrees: float = 0.0, axis: Any = (0, 0, 1)) -> Transform:
    return Transform(position, turn(degrees, axis))


def test_an_arm_that_swings_hits_where_the_arc_sine_says() -> None:
    arm, post = Capsule([0, 0, 0], [5, 0, 0], 0.25), Sphere([3, 4, 0], 0.5)
    for far in (5.0, 45.0, 90.0, 170.0):
        wanted = (math.atan2(4, 3) - math.asin(0.75 / 5)) / math.radians(far)
        hit = sweep(arm, post, end=placed(degrees=far))
        if wanted > 1.0:
            assert not hit.hit
            continue
        assert float(hit.fraction) == pytest.approx(wanted, abs=1e-15)
        where = math.radians(far) * wanted
        assert hit.normal == pytest.approx([-math.sin(where), math.cos(where), 0], abs=1e-14)
        assert signed_distance(Point(hit.point), post) == pytest.approx(0.0, abs=2e-15)


def test_the_other_way_round_b_turns() -> None:
    arm, post = Capsule([0, 0, 0], [5, 0, 0], 0.25), Sphere([3, 4, 0], 0.5)
    one, other = sweep(arm, post, end=placed(degrees=90)), sweep(post, arm, b_end=placed(degrees=90))
    assert float(one.fraction) == pytest.approx(float(other.fraction), abs=1e-15)
    assert other.normal == pytest.approx(-one.normal, abs=1e-14)
    assert other.point == pytest.approx(one.point, abs=1e-14)


def test_two_doors_that_close_meet_in_the_middle() -> None:
    left, right = Segment([0, 0, 0], [2, 0, 0]), Segment([0, 0, 0], [-2, 0, 0])
    start, end = placed([-3, 0, 0], 90), placed([-3, 0, 0], 0)
    found = sweep(left, right, start=start, end=end, b_start=placed([3, 0, 0], -90), b_end=placed([3, 0, 0], 0))
    assert not found.hit  # each is 2 long, and they are 6 apart
    found = sweep(left, right, start=start, end=end, b_start=placed([0.5, 0, 0], -90), b_end=placed([0.5, 0, 0], 0))
    assert float(found.fraction) == pytest.approx(1 - math.degrees(math.acos(1.75 / 2)) / 90, abs=1e-14)
    assert found.point == pytest.approx([-1.25, 2 * math.sin(math.acos(1.75 / 2)), 0], abs=1e-14)


def test_a_box_that_tips_over_its_edge_meets_the_wall() -> None:
    box, wall = OrientedBox([1, 0, 2], np.eye(3), [1, 1, 2]), AABB([3, -9, -9], [4, 9, 9])
    # The far lower edge stays; the upper one, 4 above it, goes down and to the right, until it is at 3.
    found = sweep(box, wall, end=placed([2, 0, 0], 90, (0, 1, 0)) @ Transform([-2, 0, 0]), pivot=[2, 0, 0])
    assert float(found.fraction) == pytest.approx(math.degrees(math.asin(1 / 4)) / 90, abs=1e-14)
    assert found.normal == pytest.approx([1, 0, 0], abs=1e-15)
    assert found.point[[0, 2]] == pytest.approx([3, 4 * math.cos(math.asin(1 / 4))], abs=1e-14)


def test_a_plane_that_tilts_meets_a_ball() -> None:
    ground, ball = HalfSpace([0, 0, 0], [0, 0, 1]), Sphere([3, 0, 1], 0.5)
    found = sweep(ground, ball, end=placed(degrees=-60, axis=(0, 1, 0)))
    where = math.radians(60) * float(found.fraction)
    assert math.cos(where) - 3 * math.sin(where) == pytest.approx(0.5, abs=1e-15)
    assert found.normal == pytest.approx([-math.sin(where), 0, math.cos(where)], abs=1e-15)


@pytest.mark.parametrize("kind", [Ray, Line])
def test_a_beam_that_turns_meets_a_ball(kind: type[Ray | Line]) -> None:
    for far in (2.0, 200.0, 2e6):
        found = sweep(kind([0, 0, 0], [1, 0, 0]), Sphere([0, far, 0], 1), end=placed(degrees=90))
        assert float(found.fraction) == pytest.approx(1 - math.degrees(math.asin(1 / far)) / 90, abs=1e-14)


@pytest.mark.parametrize("degrees", [180.0, -180.0])
def test_half_a_turn_goes_about_the_axis_whose_largest_component_is_positive(degrees: float) -> None:
    arm = Capsule([0, 0, 0], [5, 0, 0], 0.25)
    up, down = Sphere([0, 3, 0], 0.5), Sphere([0, -3, 0], 0.5)
    end = placed(degrees=degrees)
    assert sweep(arm, up, end=end).hit
    assert not sweep(arm, down, end=end).hit
    assert sweep(arm, down, end=placed(degrees=math.copysign(180.0 - 1e-9, -degrees))).hit == (degrees > 0)
    for axis in np.random.default_rng(1).normal(size=(20, 3)):
        rotation = Rotation.from_rotvec(np.pi * axis / np.linalg.norm(axis))
        about = axis * np.sign(axis[np.argmax(np.abs(axis))])
        p = np.cross(about, [1.0, 2.0, 3.0])
        post = np.cross(about, p) / np.linalg.norm(np.cross(about, p))  # where p comes by after a quarter
        p /= np.linalg.norm(p)
        assert sweep(Sphere(p, 0.1), Sphere(post, 0.1), end=Transform(rotation=rotation)).hit
        assert not sweep(Sphere(p, 0.1), Sphere(-post, 0.1), end=Transform(rotation=rotation)).hit


# --- what costs nothing ---------------------------------------------------------------------------


def steps_of(a: Shape, b: Shape, end: Transform, pivot: Any = (0, 0, 0)) -> tuple[float, int]:
    course = read_course("test", a, None, end, np.asarray(pivot, float))
    assert course is not None
    fraction, _, _, steps = turning_touches(course, b, (), np.zeros(1, dtype=np.int64))
    return float(fraction[0]), int(steps[0])


@pytest.mark.parametrize("gap", [1e-12, 1e-9, 1e-6, 1e-3])
def test_what_turns_beside_another_without_coming_nearer_takes_a_step(gap: float) -> None:
    floor = AABB([-9, -9, -9], [9, 9, -1 - gap])
    box, ball = OrientedBox([0, 0, 0], np.eye(3), [2, 1, 1]), Sphere([1, 2, 0], 1)
    turned = placed(degrees=170, axis=(1, 2, 3))
    spun = Transform(ball.center - turned.apply(ball.center), turned.axes)
    still = [
        steps_of(ball, floor, spun, ball.center),  # a ball that spins
        steps_of(box, floor, placed([1, 0, 0], 170)),  # a crate that is turned on the floor
        steps_of(Capsule([0, -1, 0], [0, 1, 0], 1), floor, placed([1, 0, 0], 120, (0, 1, 0))),  # a log that rolls
        steps_of(Capsule([1 + gap, 0, 0], [3, 0, 0], 0.5), Capsule([0, 0, -1], [0, 0, 1], 0.5), placed(degrees=175)),
        steps_of(Sphere([2, 0, 0], 1), HalfSpace([0, 0, -1 - gap], [0, 0, 1]), placed(degrees=175)),
    ]
    assert all(math.isnan(fraction) for fraction, _ in still), still
    assert all(steps <= 2 for _, steps in still), still


@pytest.mark.parametrize("gap", [0.0, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6])
def test_a_graze_takes_some_dozens_of_steps(gap: float) -> None:
    arm = Capsule([0, 0, 0], [2, 0, 0], 0.25)
    ball = Sphere(turn(60).apply([2.75 + gap, 0, 0]), 0.5)
    box, floor = OrientedBox([0, 0, 0], np.eye(3), [1, 0.5, 0.3]), AABB([-9, -9, -9], [9, -math.hypot(1, 0.5) - gap, 9])
    for moving, resting, end in ((arm, ball, placed(degrees=120)), (box, floor, placed(degrees=170))):
        fraction, steps = steps_of(moving, resting, end)
        assert steps <= 100
        assert math.isnan(fraction) == (gap > 0.0) or gap == 0.0


def test_shapes_that_turn_together_do_not_touch() -> None:
    a, b = Sphere([2, 0, 0], 1), Sphere([4 + 1e-9, 0, 0], 1)
    end = placed([1, 2, 3], 170, (1, 2, 3))
    assert not sweep(a, b, end=end, b_end=end).hit
    assert sweep(a, b, end=end).hit


# --- what must not matter -------------------------------------------------------------------------


def test_without_a_turn_it_is_the_sweep_of_a_motion_to_the_last_bit() -> None:
    rng = np.random.default_rng(5)
    for kind_a, kind_b in ORDERED:
        cases = random_turnings(kind_a, kind_b, 1, seed=3)
        a, b = stacked([case.a for case in cases]), stacked([case.b for case in cases])
        motion = 3.0 * rng.normal(size=(len(cases), 3))
        one = sweep(a, b, motion=motion)
        for other in (sweep(a, b, end=Transform(motion)), sweep(a, b, end=Transform(motion), pivot=[1, 2, 3])):
            for name, value in one._asdict().items():
                assert np.array_equal(getattr(other, name), value, equal_nan=True), (name, kind_a, kind_b)
        turned = Transform(rng.normal(size=(len(cases), 3)), Rotation.random(len(cases), rng=rng))
        one = sweep(a.transformed(turned), b, motion=motion)
        other = sweep(a, b, start=turned, end=Transform(turned.position + motion, turned.axes))
        assert other.fraction == pytest.approx(one.fraction, abs=1e-14, nan_ok=True)


def test_a_turn_that_is_all_but_none_is_all_but_the_same() -> None:
    box, wall = OrientedBox([0, 0, 0], turn(20).as_matrix(), [1, 1, 1]), AABB([3, -9, -9], [4, 9, 9])
    one = sweep(box, wall, motion=[5, 0.3, 0.1])
    for degrees in (1e-300, 1e-15, 1e-13):
        other = sweep(box, wall, end=placed([5, 0.3, 0.1], degrees))
        assert float(other.fraction) == pytest.approx(float(one.fraction), abs=1e-15 + math.radians(degrees))


def test_the_shapes_touch_where_the_transform_toward_the_end_puts_them() -> None:
    met = 0
    for order in ENDED[::5]:
        cases = random_turnings(*order, 1, seed=6)
        found = swept(cases)
        for case, fraction in zip(cases, found.fraction, strict=True):
            if case.label == "anywhere" and fraction > 0.0:
                a, b = (
                    shape.transformed(way.start.toward(way.end, fraction, pivot=way.pivot)) if way else shape
                    for shape, way in ((case.a, case.way), (case.b, case.other))
                )
                assert abs(float(signed_distance(a, b))) <= 1e-13, case
                met += 1
    assert met >= 3


def test_straight_and_turning_elements_of_a_batch_are_as_if_alone() -> None:
    ball, post = Sphere([2, 0, 0], 0.5), Capsule([0, 2, -1], [0, 2, 1], 0.5)
    ends = Transform([[-2, 2, 0], [0, 0, 0], [-2, 2, 0]], turn(0).as_matrix()[None] * np.ones((3, 1, 1)))
    axes = ends.axes.copy()
    axes[1] = turn(90).as_matrix()
    found = sweep(ball, post, end=Transform(ends.position, axes))
    assert found.fraction[0] == found.fraction[2] == sweep(ball, post, motion=[-2, 2, 0]).fraction
    assert found.fraction[1] == sweep(ball, post, end=placed(degrees=90)).fraction
    assert float(found.fraction[1]) == pytest.approx(1 - 2 * math.degrees(math.asin(0.5 / 2)) / 90, abs=1e-14)


def test_a_box_with_the_world_s_axes_is_kept_upright_unless_it_is_made_one_that_turns() -> None:
    box, wall = AABB([-1, -1, -1], [1, 1, 1]), AABB([1.2, 1.2, -9], [9, 9, 9])
    upright = sweep(box, wall, end=placed(degrees=45))
    where = math.radians(45) * float(upright.fraction)
    assert math.cos(where) + math.sin(where) == pytest.approx(1.2, abs=1e-14)
    assert not sweep(box.oriented(), wall, end=placed(degrees=45)).hit


def test_a_box_that_is_kept_upright_touches_what_lies_on_the_axis_that_it_turns_about() -> None:
    rng, times = np.random.default_rng(5), np.linspace(0, 1, 501)
    axis, half = rng.normal(size=(200, 3)), np.exp(rng.normal(size=(200, 3)))
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    box, end = AABB(-half, half), Transform(rotation=Rotation.from_rotvec(axis * rng.uniform(0.5, 3.1, (200, 1))))
    reach = np.linalg.norm(half, axis=1, keepdims=True) * rng.uniform(0.5, 1.5, (200, 1))
    ball = Sphere(axis * reach + 0.05 * rng.normal(size=(200, 3)), 0.05)
    found = sweep(box, ball, end=end)
    gaps = signed_distance(box.transformed(Transform().toward(end, times[:, None])), ball)
    first = np.where((gaps <= 0.0).any(axis=0), times[np.argmax(gaps <= 0.0, axis=0)], np.nan)
    assert 50 < found.hit.sum() < 150
    assert np.array_equal(found.hit, np.isfinite(first))
    assert (first - found.fraction)[found.hit] == pytest.approx(0.001, abs=0.001)
    assert np.array_equal(sweep(ball, box, b_end=end).fraction, found.fraction, equal_nan=True)


def test_the_scale_of_the_placements_is_that_of_the_shape() -> None:
    arm, post = Capsule([0, 0, 0], [1, 0, 0], 0.05), Sphere([3, 4, 0], 0.5)
    found = sweep(arm, post, start=Transform(scale=5), end=Transform(rotation=turn(90), scale=5), pivot=[0, 0, 0])
    assert float(found.fraction) == sweep(Capsule([0, 0, 0], [5, 0, 0], 0.25), post, end=placed(degrees=90)).fraction
    spun = sweep(
        Sphere([1, 0, 0], 0.1),
        post,
        start=Transform(scale=2),
        end=Transform(rotation=turn(90), scale=2),
        pivot=[1, 0, 0],
    )
    assert not spun.hit


# --- scenes ---------------------------------------------------------------------------------------


def test_an_element_of_a_scene_turns_about_a_pivot() -> None:
    scene = Scene({"door": OrientedBox([1, 0, 1], np.eye(3), [1, 0.05, 1]), "stop": Sphere([0, 1.5, 1], 0.2)})
    found = scene.sweep("door", end=placed(degrees=120))
    assert found.name == "stop"
    where = math.radians(120) * found.fraction
    assert 1.5 * math.cos(where) == pytest.approx(0.25, abs=1e-14)


# --- what is refused ------------------------------------------------------------------------------

BALL, LINE = Sphere([0, 0, 0], 1), Line([0, 0, 0], [1, 0, 0])


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (lambda: sweep(BALL, BALL), TypeError, "takes a motion, or the placement of a shape at the end"),
        (
            lambda: sweep(BALL, BALL, motion=[1, 0, 0], end=placed()),
            TypeError,
            "either a motion or placements, got both",
        ),
        (lambda: sweep(BALL, BALL, start=placed()), TypeError, "start is given, but no end"),
        (lambda: sweep(BALL, BALL, end=placed(), b_start=placed()), TypeError, "b_start is given, but no b_end"),
        (lambda: sweep(BALL, BALL, end=[1, 0, 0]), TypeError, "end must be a Transform, got list"),  # type: ignore[arg-type]
        (lambda: sweep(BALL, BALL, end=Transform(scale=2)), ValueError, "start and end must have the same scale"),
        (lambda: sweep(BALL, BALL, end=placed(), pivot=[1, 0]), ValueError, r"sweep\.pivot must be an array of shape"),
        (lambda: sweep(LINE, LINE, end=placed(degrees=9)), ValueError, "a Line and a Line reach to infinity"),
        (
            lambda: sweep(HalfSpace([0, 0, 0], [0, 0, 1]), LINE, b_end=placed(degrees=9)),
            ValueError,
            "reach to infinity",
        ),
        (lambda: sweep(Sphere(np.zeros((2, 3)), 1), BALL, end=Transform(np.zeros((3, 3)))), ValueError, "broadcast"),
        (
            lambda: Scene({"a": BALL}).sweep(Sphere(np.zeros((2, 3)), 1), end=Transform(np.zeros((3, 3)))),
            ValueError,
            "shape .*2,.*, placements .*3,",
        ),
        (
            lambda: Scene({"a": BALL}).sweep("a"),
            TypeError,
            "or a placement at the end, got neither$",
        ),
        (lambda: Scene({"a": LINE, "b": LINE}).sweep("a", end=placed(degrees=9)), ValueError, "reach to infinity"),
    ],
)
def test_mistakes_are_named(ask: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ask()


def test_lines_that_do_not_turn_may_have_placements() -> None:
    assert sweep(LINE, Line([0, 0, 1], [0, 1, 0]), end=placed([0, 0, 2])).fraction == 0.5
