"""The results of checking what is expected of a scene."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from collision.scene.expectations import Expectation, Vector


class BrokenPair(NamedTuple):
    """A pair that breaks a promise.

    Attributes
    ----------
    a, b : str
        The names of two elements.
    signed_distance : float
        Negative where they overlap; of a motion at the worst moment.
    time : float or None
        That moment; None where nothing moves.
    """

    a: str
    b: str
    signed_distance: float
    time: float | None = None


@dataclass(frozen=True)
class Verdict:
    """Whether a promise is kept.

    Attributes
    ----------
    id : str
        That of the promise; ``nothing-else`` for all pairs that no promise is about.
    ok : bool
        Whether it is kept. A promise that could not be tested, or not be decided, is not.
    expected, actual : str
        The promise and the actual state, in words.
    expectation : Expectation or None
        The promise; None for all other pairs.
    pair : tuple of 2 str, or None
        The two elements that are worst; a name is empty for a point or a ray that is no shape.
    time : float or None
        The worst moment of a motion; None where nothing moves.
    values : mapping of str to float
        Numbers: ``signed_distance``, ``depth``, ``clearance``, ``angle`` (in degrees), ``distance``, ``fraction``, and
        ``error``, by which a number of a motion may be off beyond rounding.
    move : tuple of 3 floats, or None
        The shortest translation of the second of the pair that would mend it, at the worst moment.
    others : tuple of BrokenPair
        Further pairs that break the promise, the worst first; of very many, not all.
    count : int
        How many pairs break it.
    """

    id: str
    ok: bool
    expected: str
    actual: str
    expectation: Expectation | None = None
    pair: tuple[str, str] | None = None
    time: float | None = None
    values: Mapping[str, float] = field(default_factory=dict, hash=False)
    move: Vector | None = None
    others: tuple[BrokenPair, ...] = ()
    count: int = 0

    @property
    def reason(self) -> str:
        """Why it was promised; empty where that was not said."""
        return self.expectation.reason if self.expectation else ""


class Counts(NamedTuple):
    """The numbers of shapes and pairs that were tested.

    Attributes
    ----------
    shapes : int
        Elements that are not hidden.
    pairs, ignored : int
        Pairs of these that are not ignored, and that are; those of two half-spaces are.
    hidden : int
        Elements that are hidden.
    """

    shapes: int
    pairs: int
    ignored: int
    hidden: int


@dataclass(frozen=True)
class Judgement:
    """Whether a scene keeps its promises.

    Attributes
    ----------
    verdicts : tuple of Verdict
        In the order of the promises; the last is on all other pairs, unless the scene is open.
    counts : Counts
        The numbers of shapes and pairs that were tested.
    """

    verdicts: tuple[Verdict, ...]
    counts: Counts

    @property
    def ok(self) -> bool:
        """Whether all is kept that is promised; not so where nothing is."""
        return bool(self.verdicts) and not self.broken

    @property
    def broken(self) -> tuple[Verdict, ...]:
        """The verdicts on what is not kept."""
        return tuple(verdict for verdict in self.verdicts if not verdict.ok)
