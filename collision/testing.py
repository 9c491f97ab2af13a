"""Assertions on scenes for tests of one's own: that shapes collide, touch or stay apart, and that promises are kept.

They raise a `BrokenPromiseError`, an ``AssertionError`` that says what was expected, what is, and the shortest move
that would mend it, and a ``ValueError`` if there is no such shape or a number is not what it must be. They are as exact
as `collision.judge`. Installing this project also gives pytest the fixtures ``collision_scene`` and ``scene_picture``,
which ``collision/REFERENCE.md`` describes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from collision.promises.checking import judge
from collision.promises.results import Judgement, Verdict
from collision.promises.shrinking import shrunk
from collision.promises.snippets import reduced, snippet, stated_pairs
from collision.scene.expectations import Expectation, Kind
from collision.scene.scene import Scene
from collision.shapes.kinds import Shape

__all__ = [
    "BrokenPromiseError",
    "as_scene",
    "assert_apart",
    "assert_collides",
    "assert_expectations",
    "assert_touches",
    "describe",
    "reduced",
    "shrunk",
    "snippet",
    "stated_pairs",
]

#: What assertions take: a scene, shapes by name, or the path of a scene file.
SceneLike: TypeAlias = Scene | Mapping[str, Shape] | str | os.PathLike[str]

#: So many further pairs that break a promise are named.
_SHOWN = 3


class BrokenPromiseError(AssertionError):
    """A scene breaks a promise: `scene` has what was expected of it, `judgement` all verdicts, also on what is kept."""

    def __init__(self, scene: Scene, judgement: Judgement) -> None:
        self.scene, self.judgement = scene, judgement
        super().__init__(describe(judgement))


def assert_collides(
    scene: SceneLike,
    a: str,
    b: str,
    *,
    depth: float | tuple[float, float] | None = None,
    normal: Any = None,
    within: float = 5.0,
    when: Any = "",
    at: float | None = None,
    during: tuple[float, float] | None = None,
    tolerance: float = 0.0,
) -> None:
    """Assert that two shapes collide, or some of two groups do.

    Parameters
    ----------
    scene : Scene, mapping of str to Shape, or path
        What is tested. A path is that of a scene file.
    a, b : str
        Names of entries or of elements, patterns, or names of the scene's groups.
    depth, normal, within, when, at, during
        As for `collision.Expectation`.
    tolerance : float
        By how much distances may be off.

    Examples
    --------
    >>> from collision import Sphere
    >>> balls = {"a": Sphere([0, 0, 0], 1), "b": Sphere([1.5, 0, 0], 1)}
    >>> assert_collides(balls, "a", "b", depth=0.25)
    Traceback (most recent call last):
    ...
    collision.testing.BrokenPromiseError: a and b collide, at most 0.25 deep
      actual    a and b overlap by 0.5
      mend      move b by [0.25, 0, 0]: 0.25 far
    """
    __tracebackhide__ = True
    _assert("collide", scene, tolerance, a, b, depth=depth, normal=normal, within=within, when=when, at=at,
            during=during)  # fmt: skip


def assert_apart(
    scene: SceneLike,
    a: str = "*",
    b: str = "*",
    *,
    clearance: float = 0.0,
    when: Any = "",
    at: float | None = None,
    during: tuple[float, float] | None = None,
    tolerance: float = 0.0,
) -> None:
    """Assert that shapes stay apart: two of them, two groups, or all that a scene tests, of which there must be a pair.

    Parameters
    ----------
    scene, a, b, clearance, when, at, during, tolerance
        As for `assert_collides` and `collision.Expectation`; by default all shapes.

    Examples
    --------
    >>> from collision import Sphere
    >>> balls = {"a": Sphere([0, 0, 0], 1), "b": Sphere([2.5, 0, 0], 1)}
    >>> assert_apart(balls, clearance=0.5)
    """
    __tracebackhide__ = True
    _assert("apart", scene, tolerance, a, b, clearance=clearance, when=when, at=at, during=during)


def assert_touches(
    scene: SceneLike,
    a: str,
    b: str,
    *,
    off: float | None = None,
    normal: Any = None,
    within: float = 5.0,
    when: Any = "",
    at: float | None = None,
    during: tuple[float, float] | None = None,
) -> None:
    """Assert that two shapes touch, and neither overlap nor are apart; of two groups, the nearest two.

    Parameters
    ----------
    scene, a, b, normal, within, when, at, during
        As for `assert_collides`.
    off : float, optional
        How far from touching they may be; without it, 1e-9 of the largest coordinate or size involved.

    Examples
    --------
    >>> from collision import AABB, Sphere
    >>> assert_touches({"table": AABB([-2, -2, -1], [2, 2, 0]), "ball": Sphere([0, 0, 1], 1)}, "ball", "table")
    """
    __tracebackhide__ = True
    _assert("touch", scene, 0.0, a, b, tolerance=off, normal=normal, within=within, when=when, at=at, during=during)


def assert_expectations(
    scene: SceneLike, *, tolerance: float = 0.0, only: str | Iterable[str] | None = None
) -> Judgement:
    """Assert that a scene keeps all that it promises, of which there must be one, and nothing else collides.

    Return the `Judgement`. An open scene may have other collisions.

    Parameters
    ----------
    scene, tolerance, only
        As for `assert_collides` and `collision.judge`.

    Examples
    --------
    >>> from collision import Sphere
    >>> balls = {"a": Sphere([0, 0, 0], 1), "b": Sphere([1.5, 0, 0], 1)}
    >>> assert_expectations(Scene(balls, expectations=[Expectation("collide", "a", "b")])).counts.pairs
    1
    """
    __tracebackhide__ = True
    return _judged(as_scene(scene), tolerance, only)


def _assert(kind: Kind, scene: SceneLike, slack: float, a: str, b: str, **fields: Any) -> None:
    __tracebackhide__ = True
    found = as_scene(scene)
    try:
        expecting = found.replaced(expectations=[Expectation(kind, a, b, **fields)], open=True)
    except ValueError as error:  # a name that does not exist, most often
        raise ValueError(str(error).removeprefix("expectation 1: ")) from None
    _judged(expecting, slack)


def _judged(scene: Scene, tolerance: float, only: str | Iterable[str] | None = None) -> Judgement:
    __tracebackhide__ = True
    judgement = judge(scene, tolerance=tolerance, only=only)
    if not judgement.ok:
        raise BrokenPromiseError(scene, judgement)
    return judgement


def as_scene(scene: SceneLike) -> Scene:
    """Return the scene that an assertion is about: a scene as it is, one of shapes by name, or that of a scene file.

    Examples
    --------
    >>> from collision import Point
    >>> list(as_scene({"tip": Point([0, 0, 1])}))
    ['tip']
    """
    if isinstance(scene, Scene):
        return scene
    if isinstance(scene, Mapping):
        return Scene(scene)
    if not isinstance(scene, str | os.PathLike):
        raise TypeError(f"expected a Scene, shapes by name or the path of a scene file, got {type(scene).__name__}")
    from collision.scenefile import load_scene

    return load_scene(scene)


# -- in words ----------------------------------------------------------------------------------------------------------


def describe(judgement: Judgement) -> str:
    """Return some lines on each broken promise: the expected and the actual state, and the move that would mend it.

    Examples
    --------
    >>> describe(Judgement((), judge(Scene()).counts))
    'nothing is promised, so that nothing can be said of the scene'
    """
    if not judgement.verdicts:
        return "nothing is promised, so that nothing can be said of the scene"
    return "\n".join(line for verdict in judgement.broken for line in _lines(verdict))


#: What `describe` was called at first.
told = describe


def _lines(verdict: Verdict) -> Iterator[str]:
    promise = verdict.expectation
    of_all = promise is not None and promise.a == "*" == promise.b
    yield verdict.expected.replace("* and *", "all shapes", 1) if of_all else verdict.expected
    yield f"  actual    {verdict.actual}"
    if verdict.time is not None:
        yield f"  at        {verdict.time:.6g} s"
    if verdict.reason:
        yield f"  because   {verdict.reason}"
    if verdict.move is not None and verdict.pair is not None:
        x, y, z = verdict.move
        far = (x * x + y * y + z * z) ** 0.5
        yield f"  mend      move {verdict.pair[1]} by [{x:.6g}, {y:.6g}, {z:.6g}]: {far:.6g} far"
    for other in verdict.others[:_SHOWN]:
        yield f"  also      {other.a} and {other.b} {_gap(other.signed_distance)}"
    left = verdict.count - 1 - min(len(verdict.others), _SHOWN)
    if left > 0:
        yield f"  also      {left:,} more pair{'s' if left > 1 else ''}"


def _gap(signed_distance: float) -> str:
    if signed_distance == 0.0:
        return "touch"
    return f"overlap by {-signed_distance:.6g}" if signed_distance < 0.0 else f"are {signed_distance:.6g} apart"
