"""What a query of two shapes of a scene is given: the shapes, the scene, or the way that its motion takes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from collision.explaining.explain import EXPLAINED, explain
from collision.explaining.explanation import Explanation
from collision.scene.scene import Scene
from collision.shapes.kinds import Capsule, Line, Point, Ray, Segment, Shape, Sphere
from collision.shapes.transforms import Transform

if TYPE_CHECKING:
    from collision.timeline.moving import Turning

#: Queries of a whole scene: whether they take the names of two shapes.
_OF_SCENES: Mapping[str, bool] = MappingProxyType({"why": True, "candidate_pairs": False})

#: What takes a way from one position to another.
_OF_WAYS = frozenset({"sweep", "sweep_steps"})

#: What is asked of no scene: colliders are in none.
_OF_OTHERS = frozenset({"sphere_test"})

#: The queries that can be explained of a scene, in order.
ASKED = tuple(query for query in EXPLAINED if query not in _OF_OTHERS)


#: What is explained of two shapes where nothing else fits them better, in this order.
_USUAL = (
    *("contact", "signed_distance", "closest_points", "intersects", "distance"),
    *("manifold", "all_normals", "contains"),
)


#: What is explained first of two shapes that it fits.
_SPECIAL = ("crossings", "raycast", "foot")


class Fitting(NamedTuple):
    """A query of two shapes, and whether it takes them in the other order."""

    query: str
    swapped: bool


def fitting(a: Shape, b: Shape) -> list[Fitting]:
    """Return the queries that can be explained of two shapes: the one that fits their kinds best comes first."""
    usual = [Fitting(query, False) for query in _USUAL if query in EXPLAINED]
    special = [
        Fitting(query, swapped) for query in _SPECIAL for swapped in (False, True) if _fits(query, a, b, swapped)
    ]
    if isinstance(a, Capsule) or isinstance(b, Capsule):  # whose axis is no shape of its own
        return [*usual, *special]
    return [*special, *usual]


def _fits(query: str, a: Shape, b: Shape, swapped: bool) -> bool:
    """Return whether two shapes in an order have a query beside the usual ones, and it can be explained."""
    if swapped:
        a, b = b, a
    lines = Line | Ray | Segment
    fits = {
        "raycast": isinstance(a, Ray),
        "crossings": isinstance(a, lines) and not isinstance(b, lines | Point),
        "foot": isinstance(a, Point | Sphere) and isinstance(b, lines | Capsule),
    }
    return fits[query] and query in EXPLAINED


def names_of(query: str) -> int:
    """Return how many names of shapes a query of a scene takes: two, or none."""
    return 2 if _OF_SCENES.get(query, True) else 0


def explain_in(scene: Scene, query: str, *names: str, time: float | None = None) -> Explanation:
    """Return how a query reaches its answer for two shapes of a scene.

    A `KeyError` is raised if there is no such shape, and a `ValueError` if what is to be swept rests, or turns and
    moves.

    Parameters
    ----------
    scene : Scene
        Has the shapes.
    query : str
        The name of a query of this package.
    *names : str
        Of two single shapes; none for a query of all of them.
    time : float, optional
        A time of the scene's motion; by default the shapes are as they are at rest. A sweep goes from the keyframe
        before to the one after; by default on the first such way that leads to a touch, or else on the first.

    Examples
    --------
    >>> from collision import Scene, Sphere
    >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "post": Sphere([4, 0, 0], 1)})
    >>> float(explain_in(scene, "distance", "ball", "post").result)
    2.0
    """
    if query in _OF_OTHERS:
        raise ValueError(f"{query} takes what no scene has; explain it in Python: collision.explain")
    if query in _OF_WAYS:
        a, b = names
        return _swept(scene, query, a, b, time)
    still = scene if time is None else scene.at(time)
    if query in _OF_SCENES:
        return explain(query, still, *names)
    a, b = names
    if query == "touching_intervals":
        return explain(query, scene, names=(a, b))
    return explain(query, still[a], still[b], names=(a, b))


class _Way(NamedTuple):
    """From where to where a shape goes: from one placement to another, and the point of it that goes straight."""

    shape: Shape
    start: Transform
    end: Transform
    pivot: Any
    turns: bool

    @property
    def rests(self) -> bool:
        """Whether it goes nowhere."""
        return self.start == self.end


def _swept(scene: Scene, query: str, a: str, b: str, time: float | None) -> Explanation:
    from collision.queries.sweeps import sweep

    moves = {name: _moves(scene, name) for name in (a, b)}
    moments = np.unique(
        np.concatenate([np.empty(0), *(move.motion.times for found in moves.values() for move in found)])
    )
    if len(moments) < 2:
        raise ValueError(f"{query}: neither {a!r} nor {b!r} moves in this scene")
    legs = list(zip(moments[:-1].tolist(), moments[1:].tolist(), strict=True))
    if time is not None:
        legs = [next((leg for leg in legs if leg[0] <= time < leg[1]), legs[-1 if time > legs[0][0] else 0])]
    ways = [tuple(_way(scene, name, moves[name], leg, query) for name in (a, b)) for leg in legs]
    ways = [way for way in ways if not (way[0].rests and way[1].rests)] or ways[:1]
    asked = [_asked(*way) for way in ways]
    given, more = next((one for one in asked if sweep(*one[0], **one[1]).hit), asked[0])
    return explain(query, *given, names=(a, b), **more)


def _asked(a: _Way, b: _Way) -> tuple[tuple[Shape, Shape], dict[str, Any]]:
    """Return the arguments of a sweep: in the simplest form that says it."""
    if b.rests and not a.turns and not b.turns:
        return (a.shape.translated(a.start.position), b.shape.transformed(b.start)), {
            "motion": a.end.position - a.start.position
        }
    more = dict(_placements(a, ""))
    if not b.rests:
        return (a.shape, b.shape), {**more, **dict(_placements(b, "b_"))}
    return (a.shape, b.shape.transformed(b.start)), more


def _placements(way: _Way, prefix: str) -> Iterator[tuple[str, Any]]:
    yield f"{prefix}start", way.start
    yield f"{prefix}end", way.end
    if way.turns:
        yield f"{prefix}pivot", way.pivot


def _moves(scene: Scene, name: str) -> tuple[Turning, ...]:
    """Return the motions of an element, and what each turns about."""
    from collision.timeline.moving import chains_of

    chains, number_of = chains_of(scene)
    (element,) = scene.element_numbers(name)
    number = int(number_of[element])
    return chains.of(number, int(chains.lengths[number]))


def _way(scene: Scene, name: str, moves: tuple[Turning, ...], leg: tuple[float, float], query: str) -> _Way:
    if any(move.motion.turns for move in moves):
        return _turned(scene, name, moves, leg, query)
    start, end = (sum((m.displacement(t, p).position for m, p in moves), np.zeros(3)) for t in leg)
    return _Way(scene[name], Transform(start), Transform(end), np.zeros(3), False)


def _turned(scene: Scene, name: str, moves: tuple[Turning, ...], leg: tuple[float, float], query: str) -> _Way:
    """Return the way of a shape that several motions may move: what turns it may itself only be moved straight on."""
    from collision.timeline.moving import displaced

    parts = [[motion.displacement(time, pivot) for time in leg] for motion, pivot in moves]
    turning = [k for k, (start, end) in enumerate(parts) if np.any(start.axes != end.axes)]
    pivot = np.zeros(3)
    if turning:
        k = turning[0]
        before, after = parts[:k], moves[k + 1 :]
        if any(start != end for start, end in before) or any(motion.turns for motion, _ in after):
            raise ValueError(
                f"{query}: {name!r} takes {len(moves)} motions, and a turn is moved otherwise than straight on: "
                "explain touching_intervals, which takes all of them"
            )
        pivot = displaced(moves[:k], np.array(leg[0])).inverse().apply(moves[k].pivot) if k else moves[k].pivot
    start, end = (displaced(moves, np.array(time)) for time in leg)
    return _Way(scene[name], start, end, pivot, True)
