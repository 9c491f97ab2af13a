"""Timing by turns, goals, and the rows of the table."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from collision.base.fields import FloatArray


class Disagreement(Exception):  # noqa: N818 - it says what it is
    """Ours and a peer answer differently, so their times do not compare."""


# -- sizes -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Effort:
    """How much is measured, and for how long."""

    pairs: int = 1_000_000
    turned: int = 100_000  #: pairs of which one turns
    sampled: int = 4_000  #: pairs for loops of Python calls
    blocked: int = 100_000  #: pairs for NumPy expressions
    singles: int = 100
    crowds: tuple[int, ...] = (100, 1_000, 10_000, 100_000, 1_000_000)
    odd_crowds: tuple[int, ...] = (1_000, 10_000, 100_000)
    growth: tuple[int, int] = (10_000, 1_000_000)
    large: int = 100_000
    asked: int = 1_000_000  #: points that ask for what is nearest
    among: int = 1_000
    rays: int = 100_000
    ray_shapes: int = 10_000
    lines: int = 500
    rounds: int = 9
    seconds: float = 2.0  #: no new round after that, once there are two
    turn: float = 0.01  #: the least time of a turn, in seconds
    starts: int = 5
    started: int = 8  #: commands
    cold_cores: int = 6
    viewed: tuple[int, ...] = (1_000, 10_000, 100_000)
    opened: int = 10_000
    drags: int = 10_000
    warming: int = (
        200  #: steps of a drag before those that are timed: by then each pair of digits has been measured once
    )
    tested_scenes: int = 1_000
    poses: int = 1_000_000
    worlds: int = 10_000


QUICK = Effort(
    pairs=500,
    turned=500,
    sampled=200,
    blocked=500,
    singles=20,
    crowds=(60, 300),
    odd_crowds=(300,),
    growth=(60, 300),
    large=300,
    asked=500,
    among=60,
    rays=200,
    ray_shapes=300,
    lines=10,
    rounds=2,
    seconds=0.0,
    turn=0.0,
    starts=1,
    started=2,
    cold_cores=1,
    viewed=(100,),
    tested_scenes=2,
    poses=2_000,
    worlds=40,
    opened=100,
    drags=4,
    warming=2,
)


# -- taking turns ------------------------------------------------------------------------------------------------------


class Contestant(NamedTuple):
    """What is timed, and what one call of it stands for: with `scale` 10, a tenth of the work."""

    run: Callable[[], Any]
    scale: float = 1.0


class Result(NamedTuple):
    """What a contestant answered, and its seconds for the whole work, one figure a round."""

    answer: Any
    seconds: FloatArray

    @property
    def best(self) -> float:
        """The fastest round."""
        return float(self.seconds.min())


@dataclass
class Bench:
    """What a task measures with: how much effort to make, and whom to tell what is going on."""

    effort: Effort
    say: Callable[[str], None] = field(default=lambda text: None)

    def race(self, often: int = 1, **contestants: Contestant) -> dict[str, Result]:
        """Let contestants take turns, after one call each that is not timed and whose answer is returned.

        What takes little time may do so more `often`: on a machine that others use, too, most rounds are slow.
        """
        answers = {}
        for name, contestant in contestants.items():
            self.say(f"{name}, to warm up")
            answers[name] = contestant.run()
        seconds: dict[str, list[float]] = {name: [] for name in contestants}
        began = time.perf_counter()
        for number in range(often * self.effort.rounds):
            if number >= 2 and time.perf_counter() - began > self.effort.seconds:
                break
            order = list(contestants) if number % 2 == 0 else list(reversed(contestants))
            for name in order:
                self.say(f"{name}, round {number + 1}")
                contestant = contestants[name]
                seconds[name].append(contestant.scale * _timed(contestant.run, self.effort.turn))
        return {name: Result(answers[name], np.array(seconds[name])) for name in contestants}


def _timed(run: Callable[[], Any], least: float) -> float:
    """Return the seconds a call takes, over as many calls as fill a time; freeing the last answer is not counted."""
    calls, passed = 0, 0.0
    with _no_collection():
        began = time.perf_counter()
        while not calls or passed < least:
            answer = run()
            calls += 1
            passed = time.perf_counter() - began
    del answer
    return passed / calls


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep the collector of garbage out: it would walk through a million objects of a peer in the middle of ours."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


# -- goals -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Goal:
    """What a figure has to be: so many times as fast as the peer, at most so many times its time, or within a time."""

    kind: str
    limit: float
    unit: str = "s"

    def ratio(self, ours: Any, theirs: Any) -> Any:
        """Return the figure that the limit is for."""
        if self.kind == "faster":
            return theirs / ours
        return ours / theirs if self.kind == "at most" else ours

    def score(self, ours: float, theirs: float) -> float:
        """Return by how much the goal is met: one is just so."""
        figure = self.ratio(ours, theirs)
        return float(figure / self.limit if self.kind == "faster" else self.limit / figure)

    def __str__(self) -> str:
        if self.kind == "within":
            return f"≤ {in_units(self.limit, self.unit)}"
        return f"{'≥' if self.kind == 'faster' else '≤'} {self.limit:g} ×"


def faster(limit: float) -> Goal:
    """Return the goal to be so many times as fast as a peer."""
    return Goal("faster", limit)


def at_most(limit: float) -> Goal:
    """Return the goal to take at most so many times the time of a peer."""
    return Goal("at most", limit)


def within(limit: float, unit: str = "s") -> Goal:
    """Return the goal to take no longer, in seconds, or no more, in bytes (B)."""
    return Goal("within", limit, unit)


# -- rows --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Row:
    """A line of the table.

    Rows of the same `work` and `peer` differ in their `case`; the worst of them sums them up, but for those that stand
    `alone`.
    """

    work: str
    case: str
    ours: Result | None
    peer: str = ""
    theirs: Result | None = None
    goal: Goal | None = None
    note: str = ""
    alone: bool = False

    @property
    def score(self) -> float | None:
        """By how much the goal is met, or None where there is no goal or nothing to compare with."""
        if self.goal is None or self.ours is None or (self.theirs is None and self.goal.kind != "within"):
            return None
        return self.goal.score(self.ours.best, self.theirs.best if self.theirs else 1.0)

    @property
    def met(self) -> bool | None:
        """Whether the goal is met, or None where that cannot be said."""
        return None if self.score is None else self.score >= 1.0

    def cells(self) -> tuple[str, ...]:
        """Return what stands in the columns after the work and the case."""
        ours = in_units(self.ours.best, self.goal.unit if self.goal else "s") if self.ours else ""
        theirs = f"{in_units(self.theirs.best)} {self.peer}" if self.theirs else self.note
        met = "" if self.met is None else "yes" if self.met else "no"
        return ours, theirs, *self._ratios(), str(self.goal or ""), met

    def _ratios(self) -> tuple[str, str]:
        """Return the ratio of the fastest rounds, and the smallest and the largest of any round."""
        if self.ours is None or self.theirs is None or self.goal is None:
            return "", ""
        rounds = self.goal.ratio(self.ours.seconds, self.theirs.seconds)
        best = self.goal.ratio(self.ours.best, self.theirs.best)
        return f"{_three(best)} ×", f"{_three(rounds.min())}–{_three(rounds.max())}"


COLUMNS = ("ours", "peer", "ratio", "in rounds", "goal", "met")


def worst(rows: Iterable[Row]) -> list[Row]:
    """Return the row of each work and peer that is farthest from its goal; where there is no goal, the slowest."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.work, row.peer, row.case if row.alone else ""), []).append(row)

    def key(row: Row) -> tuple[bool, float]:
        if row.score is None:
            return row.ours is None, -row.ours.best if row.ours else 0.0
        return False, row.score

    return [min(group, key=key) for group in groups.values()]


def _three(value: float) -> str:
    return f"{value:.0f}" if value >= 100.0 else f"{value:.3g}"


def in_units(value: float, of: str = "s") -> str:
    """Return a time, or a number of bytes, with three digits and a fitting unit.

    Examples
    --------
    >>> in_units(0.00123), in_units(2.5e-7), in_units(12), in_units(2048, "B")
    ('1.23 ms', '250 ns', '12 s', '2 KiB')
    """
    units = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9} if of == "s" else {"MiB": 2.0**20, "KiB": 2.0**10, "B": 1.0}
    smallest = list(units)[-1]
    unit = next((unit for unit, size in units.items() if value >= 0.9995 * size), smallest)
    return f"{_three(value / units[unit])} {unit}"


class Task(NamedTuple):
    """Something to measure: what it is called, and how it is done."""

    name: str
    run: Callable[[Bench], Iterable[Row]]


Topic = Callable[[Effort], Iterable[Task]]


def close(ours: Mapping[str, Any] | Any, theirs: Any, tolerance: float, what: str) -> None:
    """Refuse to compare times of different answers."""
    error = np.max(np.abs(np.asarray(ours) - np.asarray(theirs)), initial=0.0)
    if not error <= tolerance:
        raise Disagreement(f"{what}: answers differ by {error:.3g}, more than {tolerance:.3g}")
