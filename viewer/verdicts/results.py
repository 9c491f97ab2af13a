"""What a run found: one record of each verdict, which goes between processes and is written in every format."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.json_schema import SkipJsonSchema

from collision import BrokenPair, Expectation, Judgement, Scene, Verdict

#: The version of the JSON; it grows when a key changes its meaning or goes, not when one is added.
VERSION: Literal[1] = 1

State: TypeAlias = Literal["held", "broken", "accepted", "nothing", "mistake", "bug"]

#: The exit code of each state of a scene; of several, the first in this order is that of the run.
CODES: tuple[tuple[State, int], ...] = (("bug", 70), ("mistake", 2), ("broken", 10))

NOTHING_TESTED = 4

#: The id and the kind of the promise that nothing else collides.
NOTHING_ELSE = "nothing-else"


def _finite(value: object) -> object:
    """Return what JSON has for a number: it knows no infinity."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


Number: TypeAlias = Annotated[float | None, BeforeValidator(_finite)]


class ResultRecord(BaseModel):
    """A part of the JSON: a value that does not change."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Clash(ResultRecord):
    """A pair of shapes that breaks a promise."""

    a: str | None = Field(default=None, description="null, or empty for a point or a ray that is no shape")
    b: str | None = None
    signed_distance: Number = Field(default=None, description="negative where they overlap")
    time: Number = Field(default=None, description="the worst moment of a motion")
    miss: Number = Field(default=None, description="by how much the promise is missed, in scene units")
    life: Literal["new", "known"] | None = Field(default=None, description="beside the baseline; null without one")
    was: Number = Field(default=None, description="the miss in the baseline")
    accepted: str | None = Field(default=None, description="the reason why it is accepted, and since when")

    @property
    def pair(self) -> tuple[str, str]:
        """The two names, in the order of their letters."""
        first, second = sorted((self.a or "", self.b or ""))
        return first, second


class PromiseResult(ResultRecord):
    """The verdict on a promise of a scene, or on that nothing else collides.

    Four fields are no part of the JSON: ``file`` is the name of the file of its picture, ``image`` that picture as
    PNG, ``live`` how it opens where a click makes it live, as JSON, and ``example`` a small scene file that breaks the
    promise in the same way; each is empty where there is none.
    """

    id: str
    kind: str = Field(description="collide, apart, touch, ray, sweep, inside or nothing-else")
    line: int | None = Field(default=None, description="in the file, from 1; null where it has none")
    state: Literal["held", "broken", "accepted"]
    expected: str
    actual: str
    reason: str = ""
    a: str | None = Field(default=None, description="the first element of the worst pair")
    b: str | None = None
    time: Number = None
    values: dict[str, Number] = Field(
        default_factory=dict, description="signed_distance, depth, clearance, angle, distance, fraction, error"
    )
    move: tuple[float, float, float] | None = Field(
        default=None, description="the shortest translation of b that would mend it"
    )
    clashes: tuple[Clash, ...] = Field(default=(), description="what breaks it, the worst first; not more than asked")
    count: int = Field(default=0, description="how many pairs break it")
    picture: str | None = Field(default=None, description="the file of its picture, where one was asked for")
    file: SkipJsonSchema[str] = Field(default="", exclude=True)
    image: SkipJsonSchema[bytes] = Field(default=b"", exclude=True, repr=False)
    live: SkipJsonSchema[str] = Field(default="", exclude=True, repr=False)
    example: SkipJsonSchema[str] = Field(default="", exclude=True)

    @classmethod
    def of(cls, verdict: Verdict, line: int | None = None) -> PromiseResult:
        """Return the record of a verdict on the promise that is in some line of its file."""
        a, b = verdict.pair or (None, None)
        return cls(
            id=verdict.id,
            kind=verdict.expectation.kind if verdict.expectation else NOTHING_ELSE,
            line=line,
            state="held" if verdict.ok else "broken",
            expected=verdict.expected,
            actual=verdict.actual,
            reason=verdict.reason,
            a=a,
            b=b,
            time=verdict.time,
            values=dict(verdict.values),
            move=verdict.move,
            clashes=() if verdict.ok else _clashes(verdict),
            count=0 if verdict.ok else max(1, verdict.count),
        )

    def verdict(self, scene: Scene) -> Verdict:
        """Return the verdict on a scene that this is the record of."""
        promises = {one.id: one for one in scene.expectations}
        others = (
            BrokenPair(clash.a or "", clash.b or "", clash.signed_distance, clash.time)
            for clash in self.clashes[1:]
            if clash.signed_distance is not None
        )
        return Verdict(
            self.id,
            self.state == "held",
            self.expected,
            self.actual,
            promises.get(self.id),
            None if self.b is None else (self.a or "", self.b),
            self.time,
            {name: value for name, value in self.values.items() if value is not None},
            self.move,
            tuple(others),
            self.count,
        )


class LeftOut(ResultRecord):
    """A part of a model that is not compared."""

    name: str
    kind: str
    reason: str


class FileMistake(ResultRecord):
    """Something in a file that makes it no scene."""

    line: int | None = None
    column: int | None = None
    text: str


class SceneResult(ResultRecord):
    """What came of one scene.

    Four fields are no part of the JSON: ``text`` is the scene that was judged, as a scene file, for the pictures;
    ``again`` is the command that shows a robot so, where that is no test of the path alone; ``pages`` are the scenes of
    live pictures, packed, and ``still`` says why there are none.
    """

    path: str
    state: State
    title: str = ""
    message: str = Field(default="", description="why it could not be tested, or that it states nothing")
    problems: tuple[FileMistake, ...] = Field(default=(), description="what is wrong in the file, with lines")
    seconds: float = 0.0
    shapes: int = 0
    pairs: int = Field(default=0, description="that are tested")
    ignored: int = Field(default=0, description="pairs that are not tested, as the scene says")
    hidden: int = Field(default=0, description="shapes that are not tested, as they are hidden")
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    promises: tuple[PromiseResult, ...] = ()
    unmatched: tuple[str, ...] = Field(default=(), description="those of --only that fit no promise of this scene")
    text: SkipJsonSchema[str] = Field(default="", exclude=True, repr=False)
    again: SkipJsonSchema[tuple[str, ...]] = Field(default=(), exclude=True)
    pages: SkipJsonSchema[tuple[str, ...]] = Field(default=(), exclude=True, repr=False)
    still: SkipJsonSchema[str] = Field(default="", exclude=True)

    @classmethod
    def of(cls, path: str, judgement: Judgement, lines: Mapping[str, int] | None = None) -> SceneResult:
        """Return the record of the verdicts on a scene whose promises are in some lines of its file."""
        promises = tuple(PromiseResult.of(verdict, (lines or {}).get(verdict.id)) for verdict in judgement.verdicts)
        state: State = "broken" if judgement.broken else "held" if promises else "nothing"
        return cls(path=path, state=state, promises=promises, **judgement.counts._asdict())

    def with_promises(self, promises: Iterable[PromiseResult]) -> SceneResult:
        """Return the same with other records of its promises."""
        return self.model_copy(update={"promises": tuple(promises)})


class Gone(ResultRecord):
    """A clash of the baseline that is no more."""

    path: str
    id: str
    a: str | None = None
    b: str | None = None


class RunCounts(ResultRecord):
    """Sums over all scenes of a run."""

    scenes: int = 0
    promises: int = 0
    held: int = 0
    broken: int = 0
    accepted: int = 0
    silent: int = Field(default=0, description="scenes of which no promise was tested")
    failed: int = Field(default=0, description="scenes that could not be read or tested")
    left_out: int = 0
    ignored: int = 0
    hidden: int = 0
    new: int = 0
    known: int = 0
    gone: int = 0
    other_files: int = Field(default=0, description=".toml files in folders that are no scenes")


class Run(ResultRecord):
    """All that a run found: the whole of the JSON."""

    version: Literal[1] = VERSION
    exit_code: int
    tolerance: float = 0.0
    strict: bool = False
    only: tuple[str, ...] = ()
    shard: str | None = None
    counts: RunCounts
    scenes: tuple[SceneResult, ...]
    gone: tuple[Gone, ...] = ()
    untested: tuple[str, ...] = Field(
        default=(),
        description="folders without scenes, a share that is empty, what of --only fits nothing, "
        "and with --strict what may be a scene and was not named",
    )
    notes: tuple[str, ...] = Field(default=(), description="what is to be said of entries that accept a clash")

    def promises(self, *states: str) -> Iterator[tuple[SceneResult, PromiseResult]]:
        """Yield the promises that are in one of some states, each with its scene."""
        for scene in self.scenes:
            for promise in scene.promises:
                if promise.state in states:
                    yield scene, promise

    def with_scenes(self, scenes: Iterable[SceneResult]) -> Run:
        """Return the same with other records of its scenes."""
        return self.model_copy(update={"scenes": tuple(scenes)})


def counts_of(scenes: Iterable[SceneResult], gone: int = 0, other_files: int = 0) -> RunCounts:
    """Return the sums over some scenes."""
    scenes = tuple(scenes)
    promises = [promise for scene in scenes for promise in scene.promises]
    clashes = [clash for promise in promises for clash in promise.clashes]
    states = [promise.state for promise in promises]
    return RunCounts(
        scenes=len(scenes),
        promises=len(promises),
        **{state: states.count(state) for state in ("held", "broken", "accepted")},
        silent=sum(scene.state == "nothing" for scene in scenes),
        failed=sum(scene.state in ("mistake", "bug") for scene in scenes),
        left_out=sum(len(scene.left_out) for scene in scenes),
        ignored=sum(scene.ignored for scene in scenes),
        hidden=sum(scene.hidden for scene in scenes),
        new=sum(clash.life == "new" for clash in clashes),
        known=sum(clash.life == "known" for clash in clashes),
        gone=gone,
        other_files=other_files,
    )


def exit_code(scenes: Iterable[SceneResult], *, strict: bool = False, empty: bool = False) -> int:
    """Return the exit code of a run."""
    scenes = tuple(scenes)
    states = {scene.state for scene in scenes}
    for state, code in CODES:
        if state in states:
            return code
    untested = empty or not any(scene.promises for scene in scenes)
    missing = any(scene.left_out or not scene.promises for scene in scenes)
    return NOTHING_TESTED if untested or (strict and missing) else 0


def results_schema() -> dict[str, object]:
    """Return the JSON schema of a run."""
    made = Run.model_json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **made,
        "title": "Results of collision-viewer test",
    }


def _clashes(verdict: Verdict) -> tuple[Clash, ...]:
    a, b = verdict.pair or (None, None)
    gap = verdict.values.get("signed_distance")
    worst = Clash(a=a, b=b, signed_distance=gap, time=verdict.time, miss=missed_by(verdict.expectation, gap))
    return (worst, *(_clash(verdict.expectation, pair) for pair in verdict.others))


def _clash(promise: Expectation | None, pair: BrokenPair) -> Clash:
    return Clash(**pair._asdict(), miss=missed_by(promise, pair.signed_distance))


def missed_by(promise: Expectation | None, gap: float | None) -> float | None:
    """Return by how much a pair misses what is promised of it, in scene units; None where no distance says that.

    >>> missed_by(Expectation("apart", "a", "b", clearance=0.5), 0.25)
    0.25
    """
    if gap is None:
        return None
    found = -gap
    if promise is not None and promise.quantifier == "never":
        found = -gap if promise.kind == "collide" else -1.0
    elif promise is not None:
        least, most = promise.depth or (0.0, float("inf"))
        by_kind = {
            "apart": promise.clearance - gap,
            "collide": max(gap + least, -gap - most),
            "touch": abs(gap) - (promise.tolerance or 0.0),
        }
        found = by_kind.get(promise.kind, -1.0)
    return found + 0.0 if found >= 0.0 else None
