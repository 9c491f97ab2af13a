"""Whether a scene keeps what is expected of it: each kind of expectation by its rule, at rest and over a motion."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import FloatArray, IntArray, read_margin
from collision.kernels.cores import TOUCH
from collision.promises.inside import InsideSearch, out_of
from collision.promises.pairs import StillScene, expected_among, nearness
from collision.promises.results import BrokenPair, Counts, Judgement, Verdict
from collision.promises.words import expected_text, gap_text, number, number_unlike
from collision.queries.distances import closest_points, signed_distance
from collision.scene.expectations import NOTHING_ELSE, Expectation, Vector
from collision.scene.names import matcher
from collision.scene.scene import Scene, check_scene, world_of
from collision.shapes.kinds import Point, Ray, Shape
from collision.timeline.distances import EXACT
from collision.timeline.extremes import ExtremePair, MovingScene, NearPairs

#: Numbers that are given as one, and touches, are right to this part of the size of the pair.
RELATIVE_TOLERANCE = 1e-9

#: What is expected of all pairs that no expectation is about.
_APART = Expectation("apart", "*", "*")


def judge(
    scene: Scene, *, tolerance: float = 0.0, only: str | Iterable[str] | None = None, most: int = 100
) -> Judgement:
    """Return whether a scene keeps its promises, as a `Judgement`.

    The last verdict is on the pairs that no promise is about, unless the scene is open, promises nothing, or has no
    pair that is tested.

    Parameters
    ----------
    scene : Scene
        With expectations.
    tolerance : float
        By how much each distance may be off what is promised, zero or more: overlaps up to this deep are none.
    only : str or iterable of str, optional
        Ids of promises (``nothing-else`` is that of the pairs without one), or patterns with ``*``; no others count.
    most : int
        How many further broken pairs a verdict lists.

    Notes
    -----
    Distances are those of `collision.signed_distance`, and what touches is as in `collision.intersects`. Pairs that are
    ignored or hidden are not tested, and a promise about such pairs alone is broken. Over a motion the least and the
    largest distances are those of `collision.extreme_distance`: what is not certain to be kept is not.

    Examples
    --------
    >>> from collision import Expectation, Scene, Sphere
    >>> balls = {"a": Sphere([0, 0, 0], 1), "b": Sphere([1.5, 0, 0], 1), "c": Sphere([3, 0, 0], 1)}
    >>> found = judge(Scene(balls, expectations=[Expectation("collide", "a", "b", depth=1)]))
    >>> [verdict.actual for verdict in found.verdicts]
    ['a and b overlap by 0.5', 'b and c overlap by 0.5']
    """
    check_scene(scene, "judge")
    checks = _Checks(scene, read_margin(tolerance, "judge", "tolerance"), most)
    counts = _counts(scene)
    verdicts = [checks.verdict(expectation) for expectation in scene.expectations if _chosen(expectation.id, only)]
    if scene.expectations and not scene.open and counts.pairs and _chosen(NOTHING_ELSE, only):
        verdicts.append(checks.other_pairs())
    return Judgement(tuple(verdicts), counts)


def _chosen(name: str, only: str | Iterable[str] | None) -> bool:
    patterns = [only] if isinstance(only, str) else only
    return patterns is None or any(matcher(pattern).fullmatch(name) for pattern in list(patterns))


# -- where a distance may be -------------------------------------------------------------------------------------------


class Limits(NamedTuple):
    """From where to where a signed distance may be; whether the lower end is left out, as of what must not touch."""

    low: float
    high: float
    above: bool = False

    def hold(self, gap: float) -> bool:
        """Tell whether a signed distance is within."""
        return (gap > self.low if self.above else gap >= self.low) and gap <= self.high

    def missing(self, gap: float) -> float:
        """Return by how much a signed distance has to change to be within."""
        if gap <= self.low:
            return (4.0 * self.low if self.above else self.low) - gap  # clearly apart, where touching is not enough
        return self.high - gap if gap > self.high else 0.0


def limits_of(expectation: Expectation, size: float, tolerance: float) -> Limits:
    """Return where the signed distance of a pair may be that is given by numbers of some size."""
    slack = TOUCH * size
    match expectation.kind:
        case "apart" if expectation.clearance or tolerance:
            return Limits(expectation.clearance - slack - tolerance, math.inf)
        case "apart":
            return Limits(slack, math.inf, above=True)
        case "touch":
            own = expectation.tolerance
            far = (RELATIVE_TOLERANCE * size if own is None else own + slack) + tolerance
            return Limits(-far, far)
    least, most = expectation.depth or (0.0, math.inf)
    return Limits(-most - slack - tolerance, -least + slack + tolerance)


# -- the checks --------------------------------------------------------------------------------------------------------


def _worst(found: NearPairs) -> ExtremePair:
    """Return the pair that is nearest, or overlaps most."""
    row = int(np.argmin(nearness(found)))
    gap, time, bound, size = (float(part[row]) for part in (found.gap, found.time, found.bound, found.size))
    return ExtremePair(found.pairs[row], gap, time, bound, size, found.normal[row])


def _rounding(size: float) -> float:
    """Return how exactly the extremes over time of a pair of some size are known at best."""
    return 4.0 * EXACT * size


class Decision(NamedTuple):
    """Whether distances are as expected, the moment that says so, whether it is certain, and the pairs that are not."""

    ok: bool
    worst: ExtremePair
    certain: bool = True
    broken: NearPairs | None = None


class _Checks:
    """The checks of a scene: at rest, or at the times of its motion."""

    def __init__(self, scene: Scene, tolerance: float, most: int) -> None:
        self.scene, self.tolerance, self.most = scene, tolerance, most
        self._moving: dict[tuple[float, float], MovingScene] = {}

    @cached_property
    def _still(self) -> StillScene:
        """The scene at rest, or at the beginning of its motion."""
        return StillScene(self.scene.at(self.scene.span[0]) if self.scene.span else self.scene)

    def _during(self, start: float, stop: float) -> MovingScene:
        """Return the scene over a time; one for all expectations about it."""
        if (start, stop) not in self._moving:
            self._moving[start, stop] = MovingScene(self.scene, start, stop)
        return self._moving[start, stop]

    def verdict(self, expectation: Expectation) -> Verdict:
        """Return the verdict on an expectation."""
        span = self.scene.span
        start, stop = span or (0.0, 0.0)
        if expectation.timed:
            start, stop = expectation.during or (expectation.at or 0.0,) * 2
            if span is None:
                words = "the scene has no motion, so that there is no other time than now"
                return self._verdict(expectation, False, words)
            if not span[0] <= start <= stop <= span[1]:
                words = f"the motion lasts from {number(span[0])} to {number(span[1])} s"
                return self._verdict(expectation, False, words)
        at_rest = {"ray": self.ray, "sweep": self.sweep, "inside": self.inside_at_rest}.get(
            expectation.kind, self.pairs_at_rest
        )
        if span is None:
            return at_rest(self._still, expectation)
        if expectation.kind not in ("ray", "sweep"):  # these two are of a single time
            over_time = self.inside_over_time if expectation.kind == "inside" else self.pairs_over_time
            return over_time(self._during(start, stop), expectation)
        still = self._still if expectation.at is None else StillScene(self.scene.at(start))
        return replace(at_rest(still, expectation), time=start)

    def _verdict(self, expectation: Expectation, ok: bool, actual: str, **more: Any) -> Verdict:
        expected = expected_text(expectation, moving=self.scene.span is not None)
        return Verdict(expectation.id, ok, expected, actual, expectation, **more)

    def _nothing_tested(self, scene: StillScene | MovingScene, expectation: Expectation) -> Verdict:
        """Return the verdict where no pair is tested: what is not tested is not kept."""
        a = expectation.a or expectation.b
        words = scene.names.nothing_to_test(a, expectation.b, scene.scene.tested)
        return self._verdict(expectation, False, words or "nothing was tested")

    # -- collide, apart, touch -----------------------------------------------------------------------------------------

    def pairs_at_rest(self, still: StillScene, expectation: Expectation) -> Verdict:
        """Check the distances of pairs in a scene at rest."""
        found = still.nearest(expectation.a, expectation.b, expectation.clearance)
        if not len(found.pairs):
            return self._nothing_tested(still, expectation)
        broken = self._too_near(found, expectation) if expectation.kind == "apart" else None
        worst = _worst(found if broken is None else broken)
        held = limits_of(expectation, worst.size, self.tolerance).hold(worst.gap)
        return self._of_pair(expectation, Decision(held != (expectation.quantifier == "never"), worst, broken=broken))

    def pairs_over_time(self, moving: MovingScene, expectation: Expectation) -> Verdict:
        """Check the distances of pairs over a motion: no moment is left out."""
        if moving.names.nothing_to_test(expectation.a, expectation.b, moving.scene.tested):
            return self._nothing_tested(moving, expectation)
        decide = {"always": self._always, "ever": self._ever, "never": self._never}[expectation.quantifier]
        return self._of_pair(expectation, decide(moving, expectation))

    def _always(self, moving: MovingScene, expectation: Expectation) -> Decision:
        limits, found = limits_of(expectation, moving.reach, self.tolerance), list[Decision]()
        if limits.low > -math.inf:
            pairs = moving.nearest(expectation.a, expectation.b, limits.low + TOUCH * moving.reach)
            if broken := self._too_near(pairs, expectation):
                return Decision(False, _worst(broken), broken=broken)
            near = _worst(pairs)
            low = limits_of(expectation, near.size, self.tolerance).low
            found.append(Decision(True, near, near.bound >= low - _rounding(near.size)))
        if limits.high < math.inf:
            far = moving.farthest(expectation.a, expectation.b, limits.high)
            high = limits_of(expectation, far.size, self.tolerance).high
            if not far.gap <= high:
                return Decision(False, far)
            found.append(Decision(True, far, far.bound <= high + _rounding(far.size)))
        return next((one for one in reversed(found) if not one.certain), found[-1])

    def _ever(self, moving: MovingScene, expectation: Expectation) -> Decision:
        if expectation.kind == "apart":
            far = moving.farthest(expectation.a, expectation.b)
            return Decision(limits_of(expectation, far.size, self.tolerance).hold(far.gap), far)
        near = _worst(moving.nearest(expectation.a, expectation.b, -math.inf))
        limits = limits_of(expectation, near.size, self.tolerance)
        return Decision(limits.hold(near.gap), near, near.bound >= limits.low - _rounding(near.size))

    def _never(self, moving: MovingScene, expectation: Expectation) -> Decision:
        """At no time within the limits: always nearer than they begin, or always farther than they end."""
        if expectation.kind == "apart":
            far = moving.farthest(expectation.a, expectation.b)
            limits = limits_of(expectation, far.size, self.tolerance)
            return Decision(not limits.hold(far.gap), far, far.bound <= limits.low + _rounding(far.size))
        near = _worst(moving.nearest(expectation.a, expectation.b, -math.inf))
        limits = limits_of(expectation, near.size, self.tolerance)
        if near.gap > limits.high:
            return Decision(True, near, near.bound >= limits.high - _rounding(near.size))
        if near.gap < limits.low:
            far = moving.farthest(expectation.a, expectation.b, limits.low)
            if far.gap < limits.low:
                return Decision(True, far, far.bound <= limits.low + _rounding(far.size))
        return Decision(False, near)

    def _too_near(self, found: NearPairs, expectation: Expectation) -> NearPairs | None:
        """Return the pairs that are below their limits; None where none is."""
        gaps = zip(found.size.tolist(), found.gap.tolist(), strict=True)
        bad = [not limits_of(expectation, size, self.tolerance)._replace(high=math.inf).hold(gap) for size, gap in gaps]
        return found.rows(np.flatnonzero(bad)) if any(bad) else None

    def _of_pair(self, expectation: Expectation, found: Decision) -> Verdict:
        """Return the verdict that a decision on pairs leads to."""
        worst, never = found.worst, expectation.quantifier == "never"
        moving = self.scene.span is not None
        names = self._names(worst.pair)
        values = _values(worst, moving)
        actual = _gap_words(expectation, names, worst, found.ok != never)
        if moving:
            actual += f" at {number(worst.time)} s"
        if found.ok and not found.certain:
            actual += f"; it is not certain that it is never beyond {number(worst.bound)}"
        ok = found.ok and found.certain
        if expectation.normal is not None:
            angle = values["angle"] = _angle_between(worst.normal, expectation.normal)
            actual += f", the normal {number(angle)} degrees off"
            along = angle <= expectation.within
            ok = ok or (found.certain and not along) if never else ok and along
        ok = ok and not math.isnan(worst.gap)
        time = worst.time if moving else None
        if ok:
            return self._verdict(expectation, True, actual, pair=names, time=time, values=values)
        count = 1 if found.broken is None else len(found.broken.pairs)
        more = f", and {count - 1:,} more pair{'s' if count > 2 else ''}" if count > 1 else ""
        limits = limits_of(expectation, worst.size, self.tolerance)
        shapes = None if moving else (self.scene[names[0]], self.scene[names[1]])
        move = None if never else _mending(limits, worst.gap, worst.normal, shapes)
        others = () if found.broken is None else self._others(found.broken)
        return self._verdict(
            expectation, False, actual + more, pair=names, time=time, values=values, move=move, others=others,
            count=count,
        )  # fmt: skip

    def _others(self, broken: NearPairs) -> tuple[BrokenPair, ...]:
        """Return some of the worst pairs, but for the very worst."""
        order = np.argsort(nearness(broken), kind="stable")[1 : self.most + 1]
        times = broken.time[order].tolist() if self.scene.span is not None else [None] * len(order)
        rows = zip(broken.pairs[order], broken.gap[order].tolist(), times, strict=True)
        return tuple(BrokenPair(*self._names(pair), gap, time) for pair, gap, time in rows)

    def _names(self, pair: IntArray) -> tuple[str, str]:
        return self.scene.element_name(int(pair[0])), self.scene.element_name(int(pair[1]))

    # -- all other pairs -----------------------------------------------------------------------------------------------

    def other_pairs(self) -> Verdict:
        """Return the verdict on all pairs that no expectation is about: none of them collides at any time."""
        moving = self.scene.span is not None
        expected, actual = f"nothing else collides{', all the time' if moving else ''}", "nothing else collides"
        found = self._others_over_time(self._during(*self.scene.span)) if self.scene.span else self._others_at_rest()
        if found is None:
            return Verdict(NOTHING_ELSE, True, expected, actual)
        if found.broken is not None:
            verdict = self._of_pair(_APART, found)
            return replace(verdict, id=NOTHING_ELSE, expected=expected, expectation=None)
        names = self._names(found.worst.pair)
        actual = f"nothing else was found to collide, but it is not certain that {names[0]} and {names[1]} never do"
        values = _values(found.worst, moving)
        return Verdict(NOTHING_ELSE, False, expected, actual, None, names, found.worst.time, values, count=1)

    def _others_at_rest(self) -> Decision | None:
        colliding = self._still.colliding
        found = colliding.rows(np.flatnonzero(~expected_among(self.scene, colliding.pairs)))
        # That two touch is known to the last bit; only a tolerance makes a difference.
        broken = found if self.tolerance == 0.0 else found.rows(np.flatnonzero(~(found.gap >= -self.tolerance)))
        if not len(broken.pairs):
            return None
        worst = _worst(broken)
        return Decision(False, worst._replace(size=float(self._still.gaps(worst.pair[None]).size[0])), broken=broken)

    def _others_over_time(self, moving: MovingScene) -> Decision | None:
        pairs = moving.meeting()
        pairs = pairs[~expected_among(self.scene, pairs)]
        found = moving.nearest_of(pairs, TOUCH * moving.reach)
        if not len(found.pairs):
            return None
        if broken := self._too_near(found, _APART):
            return Decision(False, _worst(broken), broken=broken)
        nearest = _worst(found)
        return None if nearest.bound >= -self.tolerance - _rounding(nearest.size) else Decision(True, nearest, False)

    # -- ray, sweep ----------------------------------------------------------------------------------------------------

    def ray(self, still: StillScene, expectation: Expectation) -> Verdict:
        """Check what a ray hits first."""
        without = still.element_names(expectation.without)
        if expectation.origin is None:
            ray = still.scene[expectation.a]
            without.append(expectation.a)
        else:
            ray = Ray(expectation.origin, expectation.direction)
        assert isinstance(ray, Ray)  # for type checkers: scenes refuse others
        hit = still.scene.raycast(ray, without=without)
        distance = float(hit.enter)
        size = max(float(np.abs(ray.origin).max()), abs(distance)) if hit.hit else 0.0
        words = f"it hits {hit.name} at {number(distance)}" if hit.hit else "it hits nothing"
        slack = RELATIVE_TOLERANCE * size + self.tolerance
        return self._first_hit(still, expectation, expectation.a, hit, "distance", distance, slack, words)

    def sweep(self, still: StillScene, expectation: Expectation) -> Verdict:
        """Check what a shape, or several that move together, touch first on a straight way."""
        scene, numbers = still.scene, still.shown(expectation.a).tolist()
        if not numbers:
            return self._nothing_tested(still, expectation)
        without = still.element_names((expectation.a, *expectation.without))
        hits = [
            (scene.sweep(name, motion=expectation.motion, without=without), name)
            for name in map(scene.element_name, numbers)
        ]
        hit, name = min(hits, key=lambda found: (not found[0].hit, float(found[0].fraction), int(found[0].element)))
        fraction = float(hit.fraction)
        words = f"{name} touches {hit.name} at {number(fraction)} of the way" if hit.hit else "it touches nothing"
        slack = RELATIVE_TOLERANCE + self.tolerance
        return self._first_hit(still, expectation, name, hit, "fraction", fraction, slack, words)

    def _first_hit(
        self, still: StillScene, expectation: Expectation, name: str, hit: Any, field: str, at: float, slack: float,
        words: str,
    ) -> Verdict:  # fmt: skip
        """Return the verdict on what is hit first, and where; with as many digits as show the difference."""
        if not hit.hit:
            return self._verdict(expectation, not expectation.b, words, count=int(bool(expectation.b)))
        ok = bool(expectation.b) and bool(still.names.mask(expectation.b)[int(hit.element)])
        limits = getattr(expectation, field)
        if ok and limits is not None and not limits[0] - slack <= at <= limits[1] + slack:
            ok = False
            if alike := [limit for limit in limits if number(limit) == number(at)]:
                words = f"it hits {hit.name} at {number_unlike(at, alike[0])}"
        return self._verdict(expectation, ok, words, pair=(name, str(hit.name)), values={field: at}, count=int(not ok))

    # -- inside --------------------------------------------------------------------------------------------------------

    def inside_at_rest(self, still: StillScene, expectation: Expectation) -> Verdict:
        """Check what lies inside of something in a scene at rest."""
        scene, never = still.scene, expectation.quantifier == "never"
        holders = [scene.element_name(one) for one in still.shown(expectation.b).tolist()]
        held: dict[str, Shape] = {
            scene.element_name(one): scene.element(one) for one in still.shown(expectation.a).tolist()
        }
        if expectation.point is not None:
            held = {"": Point(expectation.point)}
        cases = [
            (min((out_of(shape, scene[holder], self.tolerance), holder) for holder in holders if holder != name), name)
            for name, shape in held.items()
            if any(holder != name for holder in holders)
        ]
        if not cases:
            return self._nothing_tested(still, expectation)
        (out, holder), name = (min if never else max)(cases, key=lambda case: case[0])
        inside = out <= 0.0
        ok = inside != never
        if inside:
            actual = f"{name or 'it'} lies inside {holder}"
        elif name:
            actual = f"{name} sticks out of {holder}" + (f" by {number(out)}" if math.isfinite(out) else "")
        else:
            actual = f"it is {number(out)} outside {holder}"
        move = None
        if not (ok or never) and isinstance(held[name], Point):
            move = _mending(Limits(-math.inf, 0.0), out, closest_points(held[name], scene[holder]).normal)
        values = {"signed_distance": out} if math.isfinite(out) else {}
        return self._verdict(expectation, ok, actual, pair=(name, holder), values=values, move=move, count=int(not ok))

    def inside_over_time(self, moving: MovingScene, expectation: Expectation) -> Verdict:
        """Check what lies inside of something over a motion."""
        if moving.start == moving.stop:
            still = StillScene(moving.scene.at(moving.start))
            return replace(self.inside_at_rest(still, expectation), time=moving.start)
        search = InsideSearch(moving, expectation)
        if not search.possible:
            return self._nothing_tested(moving, expectation)
        for one in search.held:
            if one.undecidable:
                words = f"of {one.name}, which {one.undecidable}, it is told at single times only"
                return self._verdict(expectation, False, words)
        worst = search.extreme()
        never, slack = expectation.quantifier == "never", TOUCH * worst.size + self.tolerance
        rounding, inside = _rounding(worst.size), worst.value <= slack
        certain = {"never": worst.bound >= -rounding, "always": worst.bound <= slack + rounding, "ever": True}
        sure = certain[expectation.quantifier]
        ok = inside != never and sure
        name, holder = search.names(worst)
        what = f"{name or 'it'} lies inside" if inside else f"{name or 'it'} sticks out of"
        by = "" if inside else f" by {number(worst.value)}"
        doubt = "" if inside == never or sure else f"; it is not certain that it is never beyond {number(worst.bound)}"
        return self._verdict(
            expectation, ok, f"{what} {holder}{by} at {number(worst.time)} s{doubt}", pair=(name, holder),
            time=worst.time, values={"signed_distance": worst.value}, count=int(not ok),
        )  # fmt: skip


def _values(worst: ExtremePair, moving: bool) -> dict[str, float]:
    gap = worst.gap
    values = {"signed_distance": gap, "depth": max(-gap, 0.0) + 0.0, "clearance": max(gap, 0.0)}
    error = abs(worst.bound - gap)
    return values if not moving or error <= _rounding(worst.size) else {**values, "error": error}


def _gap_words(expectation: Expectation, names: tuple[str, str], worst: ExtremePair, held: bool) -> str:
    """Say how far apart a pair is; with as many digits as show the difference to what was expected."""
    gap = worst.gap
    limits = expectation.depth or (expectation.tolerance or expectation.clearance,)
    alike = {"apart": gap, "collide": -gap}.get(expectation.kind, abs(gap))  # what overlaps is not near to a clearance
    near = [limit for limit in limits if not held and limit and number(alike) == number(limit)]
    text = gap_text(gap, worst.size)
    if near:
        text = number_unlike(abs(gap), near[0])
        text = f"are {text} apart" if gap > 0.0 else f"overlap by {text}"
    return f"{names[0]} and {names[1]} {text}"


def _mending(
    limits: Limits, gap: float, normal: FloatArray, shapes: tuple[Shape, Shape] | None = None
) -> Vector | None:
    """Return the shortest translation of the second of a pair that takes its distance within limits.

    Other ways out may be shorter than along the normal: where something is pushed deeper, all are tried.
    """
    if not math.isfinite(gap):
        return None
    step = limits.missing(gap) * normal
    if not np.isfinite(step).all() or not step.any():
        return None
    if limits.high < 0.0 and gap > limits.high and shapes is not None:
        pushed = float(signed_distance(shapes[0], shapes[1].translated(step)))
        if abs(pushed - limits.high) > RELATIVE_TOLERANCE * abs(gap - limits.high):
            return None
    x, y, z = (step + 0.0).tolist()
    return x, y, z


def _angle_between(a: FloatArray, b: Vector) -> float:
    """Return the angle between two directions, the first of unit length, in degrees."""
    u = np.asarray(b) / np.abs(b).max()
    u = u / np.linalg.norm(u)
    return math.degrees(2.0 * math.atan2(float(np.linalg.norm(a - u)), float(np.linalg.norm(a + u))))


# -- what there is to be tested ----------------------------------------------------------------------------------------


def _counts(scene: Scene) -> Counts:
    shown = sorted(number for elements, _ in scene.groups for number in elements.tolist())
    ignored = world_of(scene).ignored.count_among(shown)
    return Counts(len(shown), len(shown) * (len(shown) - 1) // 2 - ignored, ignored, scene.element_count - len(shown))
