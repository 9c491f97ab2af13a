"""All verdicts on a scene."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from collision.base.cached import cached_property
from collision.base.fields import read_margin
from collision.promises.bands import number, promised
from collision.promises.casts import inside_verdict, ray_verdict, sweep_verdict
from collision.promises.counts import counts_of
from collision.promises.inside import moving_inside
from collision.promises.motions import moving_verdict, nothing_else_moves_in
from collision.promises.pairs import StillScene
from collision.promises.records import Judgement, Verdict
from collision.promises.still import nothing_else, pair_verdict
from collision.scene.expectations import NOTHING_ELSE, Expectation
from collision.scene.names import matcher
from collision.scene.scene import Scene, check_scene
from collision.timeline.pairs import MovingScene


def judge(
    scene: Scene, *, tolerance: float = 0.0, only: str | Iterable[str] | None = None, most: int = 100
) -> Judgement:
    """Return whether a scene keeps what it promises.

    Parameters
    ----------
    scene : Scene
        With expectations.
    tolerance : float
        By how much each distance may be off what is promised: overlaps up to this deep are none.
    only : str or iterable of str, optional
        Ids of promises, or patterns of them in which ``*`` stands for anything; all others are left out.
        ``nothing-else`` is that of all pairs that no promise is about.
    most : int
        How many further broken pairs a verdict lists.

    Returns
    -------
    Judgement
        ``.ok``, ``.verdicts`` in the order of the promises, and ``.counts``. The last verdict is on the pairs that no
        promise is about, unless the scene is open, promises nothing, or has no pair that is tested.

    Raises
    ------
    TypeError
        If that is no scene.
    ValueError
        If the tolerance is negative or not finite.

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
    >>> for verdict in found.verdicts:
    ...     print(verdict.ok, verdict.expected, "|", verdict.actual)
    True a and b collide, at most 1 deep | a and b overlap by 0.5
    False nothing else collides | b and c overlap by 0.5
    """
    check_scene(scene, "judge")
    allowed = read_margin(tolerance, "judge")
    counts = counts_of(scene)
    judged = _Judged(scene, allowed, most)
    verdicts = [judged.verdict(promise) for promise in scene.expectations if _wanted(promise.id, only)]
    if scene.expectations and not scene.open and counts.pairs and _wanted(NOTHING_ELSE, only):
        verdicts.append(judged.nothing_else())
    return Judgement(tuple(verdicts), counts)


def _wanted(name: str, only: str | Iterable[str] | None) -> bool:
    if only is None:
        return True
    patterns: Sequence[str] = [only] if isinstance(only, str) else list(only)
    return any(matcher(pattern).fullmatch(name) for pattern in patterns)


class _Judged:
    """A scene as verdicts need it: at rest, or at the times of its motion."""

    def __init__(self, scene: Scene, tolerance: float, most: int) -> None:
        self._scene, self._tolerance, self._most = scene, tolerance, most
        self._moving: dict[tuple[float, float], MovingScene] = {}

    @cached_property
    def _still(self) -> StillScene:
        """The scene at rest, or at the beginning of its motion."""
        return StillScene(self._scene.at(self._scene.span[0]) if self._scene.span else self._scene)

    def _during(self, start: float, stop: float) -> MovingScene:
        """Return the scene over a time; one for all promises about it."""
        if (start, stop) not in self._moving:
            self._moving[start, stop] = MovingScene(self._scene, start, stop)
        return self._moving[start, stop]

    def verdict(self, promise: Expectation) -> Verdict:
        """Return the verdict on a promise."""
        span = self._scene.span
        given = promise.during or (promise.at, promise.at)
        if given[0] is not None and given[1] is not None:
            if span is None:
                return self._no_time(promise, "the scene has no motion, so that there is no other time than now")
            if not span[0] <= given[0] <= given[1] <= span[1]:
                return self._no_time(promise, f"the motion lasts from {number(span[0])} to {number(span[1])} s")
        if span is None or promise.kind in ("ray", "sweep"):
            return self._at_rest(promise)
        start, stop = span if given[0] is None or given[1] is None else (given[0], given[1])
        moving = self._during(start, stop)
        if promise.kind == "inside":
            return moving_inside(moving, promise, self._tolerance)
        return moving_verdict(moving, promise, self._tolerance, self._most)

    def _no_time(self, promise: Expectation, why: str) -> Verdict:
        return Verdict(promise.id, False, promised(promise, moving=self._scene.span is not None), why, promise)

    def _at_rest(self, promise: Expectation) -> Verdict:
        still = self._still if promise.at is None else StillScene(self._scene.at(promise.at))
        match promise.kind:
            case "ray":
                found = ray_verdict(still, promise, self._tolerance)
            case "sweep":
                found = sweep_verdict(still, promise, self._tolerance)
            case "inside":
                found = inside_verdict(still, promise, self._tolerance)
            case _:
                found = pair_verdict(still, promise, self._tolerance, self._most)
        if self._scene.span is None:
            return found
        return replace(found, time=self._scene.span[0] if promise.at is None else promise.at)

    def nothing_else(self) -> Verdict:
        """Return the verdict on all pairs that no promise is about."""
        promises, span = self._scene.expectations, self._scene.span
        if span is None:
            return nothing_else(self._still, promises, self._tolerance, self._most)
        return nothing_else_moves_in(self._during(*span), promises, self._tolerance, self._most)
