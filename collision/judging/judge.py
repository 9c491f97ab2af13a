"""All verdicts on a scene."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from collision.expectations import NOTHING_ELSE, Expectation
from collision.fields import read_margin
from collision.judging.bands import promised
from collision.judging.casts import inside_verdict, ray_verdict, sweep_verdict
from collision.judging.counts import counts_of
from collision.judging.pairs import StillScene
from collision.judging.records import Judgement, Verdict
from collision.judging.still import nothing_else, pair_verdict
from collision.scene.names import matcher
from collision.scene.scene import Scene, check_scene


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
    ignored or hidden are not tested, and a promise about such pairs alone is broken.

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
    if scene.motion:
        raise ValueError("judge: scenes that move are judged at a time so far: judge(scene.at(time))")
    counts = counts_of(scene)
    still, verdicts = StillScene(scene), list[Verdict]()
    for promise in scene.expectations:
        if _wanted(promise.id, only):
            verdicts.append(_verdict(still, promise, allowed, most))
    if scene.expectations and not scene.open and counts.pairs and _wanted(NOTHING_ELSE, only):
        verdicts.append(nothing_else(still, scene.expectations, allowed, most))
    return Judgement(tuple(verdicts), counts)


def _wanted(name: str, only: str | Iterable[str] | None) -> bool:
    if only is None:
        return True
    patterns: Sequence[str] = [only] if isinstance(only, str) else list(only)
    return any(matcher(pattern).fullmatch(name) for pattern in patterns)


def _verdict(still: StillScene, promise: Expectation, tolerance: float, most: int) -> Verdict:
    if promise.at is not None or promise.during is not None:
        no_time = "the scene has no motion, so that there is no other time than now"
        return Verdict(promise.id, False, promised(promise, moving=False), no_time, promise)
    match promise.kind:
        case "ray":
            return ray_verdict(still, promise, tolerance)
        case "sweep":
            return sweep_verdict(still, promise, tolerance)
        case "inside":
            return inside_verdict(still, promise, tolerance)
    return pair_verdict(still, promise, tolerance, most)
