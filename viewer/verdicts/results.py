"""What a run found: records that go between processes, and are the JSON that is written and read again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

#: The version of the JSON; it grows when a key changes its meaning or goes, not when one is added.
VERSION: Literal[1] = 1

State: TypeAlias = Literal["held", "broken", "accepted", "nothing", "mistake", "bug"]


def _finite(value: object) -> object:
    """Return what JSON has for a number: it knows no infinity."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


Number: TypeAlias = Annotated[float | None, BeforeValidator(_finite)]


class Record(BaseModel):
    """A part of the JSON: a value that does not change."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Clash(Record):
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


class Promise(Record):
    """A promise of a scene, or that nothing else collides, and what came of it."""

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


class LeftOut(Record):
    """A part of a model that is not compared."""

    name: str
    kind: str
    reason: str


class Wrong(Record):
    """Something in a file that makes it no scene."""

    line: int | None = None
    column: int | None = None
    text: str


class SceneResult(Record):
    """What came of one scene."""

    path: str
    state: State
    title: str = ""
    message: str = Field(default="", description="why it could not be tested, or that it states nothing")
    problems: tuple[Wrong, ...] = Field(default=(), description="what is wrong in the file, with lines")
    seconds: float = 0.0
    shapes: int = 0
    pairs: int = Field(default=0, description="that are tested")
    ignored: int = Field(default=0, description="pairs that are not tested, as the scene says")
    hidden: int = Field(default=0, description="shapes that are not tested, as they are hidden")
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()
    promises: tuple[Promise, ...] = ()
    unmatched: tuple[str, ...] = Field(default=(), description="those of --only that fit no promise of this scene")


class Gone(Record):
    """A clash of the baseline that is no more."""

    path: str
    id: str
    a: str | None = None
    b: str | None = None


class Counts(Record):
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


class Run(Record):
    """All that a run found: the whole of the JSON."""

    version: Literal[1] = VERSION
    exit_code: int
    tolerance: float = 0.0
    strict: bool = False
    only: tuple[str, ...] = ()
    shard: str | None = None
    counts: Counts
    scenes: tuple[SceneResult, ...]
    gone: tuple[Gone, ...] = ()
    untested: tuple[str, ...] = Field(
        default=(), description="folders without scenes, a share that is empty, and what of --only fits nothing"
    )
    notes: tuple[str, ...] = Field(default=(), description="what is to be said of entries that accept a clash")

    def promises(self, *states: str) -> Iterator[tuple[SceneResult, Promise]]:
        """Yield the promises that are in one of some states, each with its scene."""
        for scene in self.scenes:
            for promise in scene.promises:
                if promise.state in states:
                    yield scene, promise

    def numbered(self) -> Iterator[tuple[int, int, Promise]]:
        """Yield all promises, each with its number, counted from 1 through all scenes, and the index of its scene."""
        number = 0
        for index, scene in enumerate(self.scenes):
            for promise in scene.promises:
                number += 1
                yield number, index, promise


def counts_of(scenes: Iterable[SceneResult], gone: int = 0, other_files: int = 0) -> Counts:
    """Return the sums over some scenes."""
    scenes = tuple(scenes)
    promises = [promise for scene in scenes for promise in scene.promises]
    clashes = [clash for promise in promises for clash in promise.clashes]
    states = [promise.state for promise in promises]
    return Counts(
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


def results_schema() -> dict[str, object]:
    """Return the JSON schema of a run."""
    made = Run.model_json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **made,
        "title": "Results of collision-viewer test",
    }
