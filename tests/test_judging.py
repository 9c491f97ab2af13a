"""Verdicts on scenes at rest: against all pairs, one by one."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    Expectation,
    HalfSpace,
    Judgement,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Shape,
    Sphere,
    Verdict,
    closest_points,
    contains,
    intersects,
    judge,
    raycast,
    signed_distance,
    sweep,
)
from tests.slow import deep
from tests.strategies import Generator

PAIRWISE = ("collide", "apart", "touch")
GROUPS = {"left": "a*", "right": {"include": "*", "exclude": ["left"]}}


def some_shape(rng: Generator) -> Shape:
    at, size = rng.uniform(-3.0, 3.0, 3), rng.uniform(0.2, 1.0)
    match rng.integers(6):
        case 0:
            return Sphere(at, size)
        case 1:
            return Capsule(at, at + rng.uniform(-1.5, 1.5, 3), 0.4 * size)
        case 2:
            return AABB(at - size, at + rng.uniform(0.1, 1.0, 3))
        case 3:
            return Point(at)
        case 4:
            return Sphere(at + rng.uniform(-1.0, 1.0, (3, 3)), size)
    return OrientedBox(at, rng.normal(size=4), rng.uniform(0.2, 1.0, 3))


def some_promise(rng: Generator, kind: str, a: str, b: str, **times: Any) -> Expectation:
    """Return a promise about pairs with a number that is kept by some."""
    gap = float(np.round(rng.uniform(0.0, 1.5), 2))
    more: dict[str, Any] = {"apart": {"clearance": gap}, "touch": {"tolerance": gap}}.get(kind, {})
    if kind == "collide" and rng.random() < 0.5:
        more = {"depth": (0.3 * gap, gap)}
    return Expectation(kind, a, b, **more, **times)  # type: ignore[arg-type]


def some_scene(rng: Generator) -> Scene:
    shapes = {f"{'ab'[number % 2]}{number}": some_shape(rng) for number in range(rng.integers(2, 7))}
    if rng.random() < 0.3:
        shapes["floor"] = HalfSpace([0, 0, rng.uniform(-4.0, -1.0)], [0, 0, 1])
    scene = Scene(shapes, name_groups=GROUPS)
    names = [*scene.element_names, *scene, "left", "right", "b*", "*"]
    ignored = [tuple(rng.choice([*scene], 2))] if rng.random() < 0.3 else []
    hidden = [str(rng.choice(scene.element_names))] if rng.random() < 0.3 else []
    promises = {}
    for _ in range(rng.integers(1, 6)):
        a, b = map(str, rng.choice(names, 2))
        promise = some_promise(rng, str(rng.choice(PAIRWISE)), a, b, when=str(rng.choice(["", "never"])))
        promises[promise.id] = promise
    return scene.replaced(ignored=ignored, hidden=hidden, expectations=promises.values(), open=rng.random() < 0.3)


def pairs_between(scene: Scene, a: str, b: str) -> list[tuple[int, int]]:
    """Return the pairs of elements that are tested, by names alone."""

    def meant(name: str) -> set[int]:
        group = GROUPS.get(name)
        if group is None:
            prefix = name.rstrip("*")
            return {
                number
                for number, one in enumerate(scene.element_names)
                if (one.startswith(prefix) if "*" in name else one == name or one.startswith(f"{name}["))
            }
        return meant("a*") if isinstance(group, str) else meant("*") - meant("a*")

    hidden = {number for name in scene.hidden for number in scene.element_numbers(name)}
    off = {frozenset(pair) for x, y in scene.ignored for pair in product(meant(x), meant(y))}
    found = {frozenset(pair): pair for pair in product(meant(a), meant(b)) if pair[0] != pair[1]}
    spaces = {number for number in range(scene.element_count) if isinstance(scene.element(number), HalfSpace)}
    return [pair for key, pair in found.items() if not (key & hidden or key in off or key <= spaces)]


def holds(promise: Expectation, gaps: list[float]) -> bool:
    """Tell whether pairs that are so far apart are as promised, by the definition."""
    if promise.kind == "apart":
        return min(gaps) >= promise.clearance if promise.clearance else min(gaps) > 0.0
    if promise.kind == "touch":
        assert promise.tolerance is not None
        return abs(min(gaps)) <= promise.tolerance
    low, high = promise.depth or (0.0, math.inf)
    return low <= -min(gaps) <= high


def is_leave(promise: Expectation) -> bool:
    """Whether the pairs of a promise may collide, as far as nothing else is concerned."""
    if promise.quantifier == "never":
        return promise.kind == "collide" and promise.depth is None  # it says itself that they do not
    return promise.kind != "apart" or promise.quantifier == "always"


def check_judged(scene: Scene, found: Judgement) -> None:
    """Compare verdicts on pairs with all pairs, one by one."""
    spoken: set[frozenset[int]] = set()
    verdicts = {verdict.id: verdict for verdict in found.verdicts}
    for promise in scene.expectations:
        pairs, verdict = pairs_between(scene, promise.a, promise.b), verdicts[promise.id]
        if is_leave(promise):
            spoken |= {frozenset(pair) for pair in pairs}
        if not pairs:
            assert not verdict.ok
            assert verdict.pair is None
            continue
        gaps = [float(signed_distance(scene.element(i), scene.element(j))) for i, j in pairs]
        assert verdict.ok == (holds(promise, gaps) != (promise.when == "never")), verdict
        assert verdict.values["signed_distance"] == pytest.approx(min(gaps), abs=1e-13)
        if not verdict.ok and promise.kind == "apart" and promise.when != "never":
            assert verdict.count == sum(not holds(promise, [gap]) for gap in gaps) == len(verdict.others) + 1
        check_mended(scene, promise, verdict)
    everything = pairs_between(scene, "*", "*")
    assert found.counts.pairs == len(everything)
    others = [pair for pair in everything if frozenset(pair) not in spoken]
    bad = [pair for pair in others if intersects(scene.element(pair[0]), scene.element(pair[1]))]
    if scene.open or not everything:
        assert "nothing-else" not in verdicts
    else:
        assert verdicts["nothing-else"].ok == (not bad)
        assert verdicts["nothing-else"].count == len(bad)


def check_mended(scene: Scene, promise: Expectation, verdict: Verdict) -> None:
    """Move the second of the worst pair as the verdict says: the promise holds for these two."""
    if verdict.move is None or verdict.pair is None:
        return
    a, b = verdict.pair
    gap = float(signed_distance(scene[a], scene.moved(b, verdict.move)[b]))
    low, high = promise.depth or (0.0, math.inf)
    if promise.kind == "apart":
        assert gap >= promise.clearance - 1e-12
    elif promise.kind == "collide":
        assert low - 1e-9 <= -gap <= high + 1e-9


@pytest.mark.parametrize("seed", range(10))
def test_verdicts_are_those_of_all_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    kept = broken = 0
    for _ in range(60):
        scene = some_scene(rng)
        found = judge(scene)
        check_judged(scene, found)
        broken += len(found.broken)
        kept += len(found.verdicts) - len(found.broken)
    assert min(kept, broken) > 0.2 * (kept + broken)


def test_verdicts_of_large_groups_are_those_of_all_pairs() -> None:
    rng = np.random.default_rng(5)
    crowds = {
        name: Sphere(rng.uniform(-9.0, 9.0, (90 if deep() else 50, 3)), 0.5).translated([far, 0, 0])
        for name, far in (("a1", 0), ("b1", 6))
    }
    for promises in (
        [Expectation("apart", "a*", "b1", clearance=0.3), Expectation("collide", "left", "right", depth=0.1)],
        [Expectation("touch", "a1", "a1", tolerance=0.01)],
        [Expectation("collide", "right", "left")],
    ):
        scene = Scene(crowds, name_groups=GROUPS, expectations=promises)
        check_judged(scene, judge(scene, most=10_000))
    apart = Scene({"a1": crowds["a1"], "b1": crowds["b1"].translated([1000, 0, 0])}, name_groups=GROUPS)
    apart = apart.replaced(expectations=[Expectation("apart", "left", "right", clearance=1.0)], open=True)
    check_judged(apart, judge(apart))


def test_a_verdict_over_nothing_is_not_kept() -> None:
    balls = {"a": Sphere([0, 0, 0], 1), "b": Sphere([9, 0, 0], 1)}
    assert not judge(Scene(balls)).ok
    assert judge(Scene(balls)).verdicts == ()
    promised = Scene(balls, expectations=[Expectation("apart", "a", "b")])
    assert judge(promised).ok
    assert not judge(promised.ignoring(("a", "b"))).ok
    assert "ignores all pairs" in judge(promised.ignoring(("a", "b"))).verdicts[0].actual
    assert not judge(promised.replaced(hidden=["b"])).ok
    assert not judge(promised, only="no such id").ok
    assert [verdict.id for verdict in judge(promised, only="nothing-*").verdicts] == ["nothing-else"]
    assert "no motion" in judge(Scene(balls, expectations=[Expectation("apart", "a", "b", at=3)])).verdicts[0].actual


def test_normals_are_compared_with_directions() -> None:
    scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([0, math.sin(0.1), math.cos(0.1)], 1)})
    degrees = math.degrees(0.1)
    for within, wanted in ((degrees + 1e-6, True), (degrees - 1e-6, False)):
        for a, b, up in (("a", "b", 1.0), ("b", "a", -1.0)):
            promise = Expectation("collide", a, b, normal=[0, 0, 1e-200 * up], within=within)
            (found, _) = judge(scene.replaced(expectations=[promise])).verdicts
            assert found.ok is wanted
            assert found.values["angle"] == pytest.approx(degrees)


@pytest.mark.parametrize("seed", range(5))
def test_rays_and_sweeps_meet_first_what_is_nearest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    hits = 0
    for _ in range(40):
        scene = some_scene(rng).replaced(expectations=(), hidden=(), ignored=(), open=True)
        if "floor" in scene:
            scene = scene.without("floor")
        origin = rng.uniform(-6.0, 6.0, 3)
        aim = scene.element(int(rng.integers(scene.element_count))).bounds()
        way = 0.3 * (0.5 * (aim.lower + aim.upper) + rng.normal(size=3, scale=0.3) - origin)
        ray = Ray(origin, way)
        casts = {name: raycast(ray, scene[name]) for name in scene.element_names}
        first = {name: float(cast.enter) for name, cast in casts.items() if cast.hit}
        best = min(first, key=first.__getitem__, default="")
        right = Expectation("ray", b=best, origin=origin, direction=way, distance=first[best] if best else None)
        found = judge(scene.replaced(expectations=[right])).verdicts[0]
        assert found.ok, found
        if best:
            hits += 1
            for wrong in ({"b": ""}, {"b": best, "distance": first[best] + 0.1}, {"b": best, "without": best}):
                promise = Expectation("ray", origin=origin, direction=way, **wrong)  # type: ignore[arg-type]
                assert not judge(scene.replaced(expectations=[promise])).verdicts[0].ok
        mover = next(iter(scene))
        own = [name for name in scene.element_names if name.partition("[")[0] == mover]
        met = {}
        for name in scene.element_names:
            if name not in own:
                parts = [sweep(scene[one], scene[name], motion=4.0 * way) for one in own]
                fractions = [float(part.fraction) for part in parts if part.hit]
                met |= {name: min(fractions)} if fractions else {}
        best = min(met, key=met.__getitem__, default="")
        swept = Expectation("sweep", mover, best, motion=4.0 * way, fraction=met[best] if best else None)
        assert judge(scene.replaced(expectations=[swept])).verdicts[0].ok
        nothing = Expectation("sweep", mover, motion=4.0 * way)
        assert judge(scene.replaced(expectations=[nothing])).verdicts[0].ok == (not best)
    assert hits > 15


def test_what_lies_inside_is_what_is_contained() -> None:
    rng = np.random.default_rng(3)
    kept = 0
    for _ in range(300):
        a, b = some_shape(rng), some_shape(rng)
        if rng.random() < 0.5 and not b.batch_shape:
            a = Sphere(b.bounding_sphere().center + rng.uniform(-0.2, 0.2, 3), rng.uniform(0.0, 0.2))
        scene = Scene({"a": a, "b": b}, expectations=[Expectation("inside", "a", "b")])
        inner, outer = (scene[name].flattened() if scene[name].batch_shape else [scene[name]] for name in ("a", "b"))
        wanted = all(any(bool(contains(one, other)) for one in outer) for other in inner)
        verdict = judge(scene).verdicts[0]
        assert verdict.ok == wanted
        assert judge(scene.replaced(expectations=[Expectation("inside", "a", "b", when="never")])).verdicts[0].ok == (
            not any(bool(contains(one, other)) for one in outer for other in inner)
        )
        kept += wanted
        point = Point(rng.uniform(-3.0, 3.0, 3))
        own = Expectation("inside", b="b", point=point.position)
        found = judge(scene.replaced(expectations=[own], open=True)).verdicts[0]
        gap = min(float(closest_points(point, one).signed_distance) for one in outer)
        assert found.ok == (gap <= 0.0)
        assert found.values["signed_distance"] == pytest.approx(gap, abs=1e-13)
    assert kept > 30


def test_a_promise_of_a_crowd_among_itself_is_about_all_its_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    crowd = Sphere(rng.uniform(0.0, 6.0, (120, 3)), 0.5)
    whole = Scene({"s": crowd}, expectations=[Expectation("apart", "s", "s", clearance=0.25)])
    apart = np.linalg.norm(crowd.center[:, None] - crowd.center[None], axis=-1)[np.triu_indices(120, 1)] - 1.0
    verdict = judge(whole).verdicts[0]
    assert verdict.count == np.count_nonzero(apart < 0.25) > 100
    assert verdict.values["signed_distance"] == pytest.approx(apart.min(), abs=1e-12)
    dense = Scene({"s": Sphere(np.zeros((1500, 3)), 1)}, expectations=whole.expectations)
    monkeypatch.setattr("collision.base.ram.memory", lambda: 100 << 20)
    with pytest.raises(MemoryError, match=r"1,124,250 pairs of shapes"):
        judge(dense)


def test_a_tolerance_that_is_none_is_named() -> None:
    scene = Scene({"a": Sphere([0, 0, 0], 1)})
    with pytest.raises(ValueError, match=r"^judge: tolerance must be made of real numbers"):
        judge(scene, tolerance="x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^judge: tolerance must be zero or more and finite, got -1"):
        judge(scene, tolerance=-1)
