"""How near the shapes of a moving scene come to each other, and when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from collision.base.fields import read_number
from collision.scene.scene import Scene, check_scene
from collision.timeline.pairs import MovingScene


@dataclass(frozen=True)
class ExtremeDistance:
    """The least distance of shapes that move, or the largest.

    Attributes
    ----------
    a, b : str
        The names of the two elements.
    signed_distance : float
        How far apart they are at that time, negative where they overlap.
    time : float
        When.
    error : float
        No distance at any other time is beyond this one by more; infinite, where nothing is known of that.
    """

    a: str
    b: str
    signed_distance: float
    time: float
    error: float


def extreme_distance(
    scene: Scene, a: str, b: str, *, start: float | None = None, stop: float | None = None, farthest: bool = False
) -> ExtremeDistance:
    """Return how near the shapes of a scene come to each other while it moves, and when.

    Parameters
    ----------
    scene : Scene
        With a `motion`; pairs that are ignored or hidden are left out.
    a, b : str
        Names of entries or elements, patterns, or names of groups: the nearest of all pairs between them counts.
    start, stop : float, optional
        When to begin and to stop looking; by default the first and the last keyframe.
    farthest : bool
        Whether the largest distance that the nearest pair has at any time is asked for, in place of the least.

    Returns
    -------
    ExtremeDistance
        ``.signed_distance`` is that at ``.time``, exact to rounding, and ``.error`` says by how much at most it is not
        the least: 1e-9 of the size of the pair, or more where shapes turn in a way that takes too long to tell.

    Raises
    ------
    TypeError
        If that is no scene.
    ValueError
        If a name stands for nothing, no pair between the two is tested, a time is not finite, or stop is before start.

    Notes
    -----
    Branch and bound over time: the gap along a direction that is kept changes no faster, and bends no more, than the
    points of both shapes move, and the distance is the largest of these gaps. Such bounds are those of conservative
    advancement: Mirtich, *Impulse-based Dynamic Simulation of Rigid Body Systems* (1996). There are none for two shapes
    without end that turn against each other, nor for one that turns against an `AABB`: there the error is infinite.

    Examples
    --------
    >>> from collision import Motion, Scene, Sphere
    >>> fly = Motion("ball", times=[0, 10], offsets=[[0, 0, 0], [10, 0, 0]])
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "post": Sphere([5, 4, 0], 1)}, motion=[fly])
    >>> found = extreme_distance(scene, "ball", "post")
    >>> round(found.signed_distance, 8), round(found.time, 4)
    (2.0, 5.0)
    """
    first, last = check_scene(scene, "extreme_distance").span or (0.0, 0.0)
    first = first if start is None else read_number(start, "extreme_distance: start")
    last = last if stop is None else read_number(stop, "extreme_distance: stop")
    if last < first:
        raise ValueError(f"extreme_distance: stop must not be before start, {first:g}, got {last:g}")
    names = scene.promised_names
    for name in (a, b):
        if not isinstance(name, str) or not names.covers(name):
            raise ValueError(f"extreme_distance: {names.unknown(str(name))}")
    if nothing := names.nothing_to_test(a, b, scene.tested):
        raise ValueError(f"extreme_distance: {nothing}")
    moving = MovingScene(scene, first, last)
    if farthest:
        far = moving.farthest(a, b)
        pair, gap, time, error = far.pair, far.gap, far.time, far.bound - far.gap
    else:
        near = moving.nearest(a, b, -np.inf)
        row = int(np.argmin(near.gap))
        pair, gap, time = near.pairs[row], float(near.gap[row]), float(near.time[row])
        error = gap - float(np.min(near.bound))
    one, other = (scene.element_name(int(number)) for number in pair)
    return ExtremeDistance(one, other, gap, time, error)
