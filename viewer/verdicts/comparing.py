"""Results compared with those of an earlier run, and with the clashes that are accepted for the time being."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple, TypeAlias

from pydantic import Field, ValidationError

from collision.inner import FileTable, NamePair, expecting, optional, problem, read_table, required, shown_path
from viewer.verdicts.results import NOTHING_ELSE, Clash, Gone, PromiseResult, Run, SceneResult

#: A number is as large as one of which six digits are written, if it is so to this part.
_SIX_DIGITS = 1e-5

_Day: TypeAlias = Annotated[datetime.date, expecting("a day without quotes, such as 2026-01-31")]


class Accepted(FileTable):
    """A clash that may stay, for a reason."""

    called = "an [[accept]]"

    id: Annotated[str, Field(min_length=1), expecting("the id of a promise in quotes")] = required("Of a promise.")
    scene: Annotated[str, expecting("the path of a scene in quotes")] = optional("The path of its scene.", "")
    pair: Annotated[NamePair, expecting('the names of two shapes, such as ["arm", "post"]')] | None = optional("Whose.")
    depth: Annotated[float, Field(ge=0.0, allow_inf_nan=False), expecting("a number, zero or more")] | None = optional(
        "By how much the promise may be missed."
    )
    reason: Annotated[str, Field(min_length=1), expecting("words in quotes")] = required("Why it may stay.")
    date: _Day = required("Since when.")
    until: _Day | None = optional("The last day on which it may stay.")

    def _make(self) -> None:
        if self.id == NOTHING_ELSE and self.pair is None:
            raise problem("missing; nothing-else is about all pairs, so say which is accepted", ("pair",))

    def names(self, scene: SceneResult, promise: PromiseResult) -> bool:
        """Tell whether this is about a promise."""
        return promise.id == self.id and self.scene in ("", scene.path)

    def is_about(self, clash: Clash) -> bool:
        """Tell whether a clash of that promise is of this pair."""
        return self.pair is None or tuple(sorted(self.pair)) == clash.pair

    def covers(self, clash: Clash, tolerance: float) -> bool:
        """Tell whether a clash of that promise is accepted: it is of this pair, and no deeper than it was.

        Where no number says how deep it is, as of what overlaps without end, no number says that it may be so deep.
        """
        if not self.is_about(clash):
            return False
        if clash.miss is None:
            return self.depth is None
        return self.depth is not None and clash.miss <= self.depth * (1.0 + _SIX_DIGITS) + tolerance


class _File(FileTable):
    called = "a file of what is accepted"

    accept: list[Accepted] = optional("What may stay, [[accept]] each.", [])


class Comparison(NamedTuple):
    """What came of scenes beside what is known already."""

    scenes: tuple[SceneResult, ...]
    gone: tuple[Gone, ...] = ()
    notes: tuple[str, ...] = ()

    def listing(self, most: int) -> Comparison:
        """Return the same with no more than so many clashes listed of each promise: first what is not accepted."""
        return self._replace(
            scenes=tuple(scene.with_promises(_cut(one, most) for one in scene.promises) for scene in self.scenes)
        )


# -- reading -----------------------------------------------------------------------------------------------------------


def read_baseline(path: Path) -> Run:
    """Return an earlier run from its JSON; a ValueError says why it cannot be had."""
    try:
        return Run.model_validate_json(path.read_bytes())
    except OSError as error:
        raise ValueError(f"{shown_path(path)}: cannot be read: {(error.strerror or str(error)).lower()}") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        wanted = "expected what collision-viewer test --format json writes"
        raise ValueError(f"{shown_path(path)}: {wanted}; {where and where + ': '}{first['msg']}") from error


def read_accepted(path: Path) -> list[Accepted]:
    """Return what a TOML file accepts: tables ``[[accept]]``; a ValueError says all that is wrong in it."""
    return read_table(_File, path).accept


# -- comparing ---------------------------------------------------------------------------------------------------------


def compare(
    scenes: Sequence[SceneResult],
    baseline: Run | None = None,
    accepted: Sequence[Accepted] = (),
    *,
    tolerance: float = 0.0,
    today: datetime.date | None = None,
    whole: bool = True,
) -> Comparison:
    """Return what came of some scenes, with what of it is new, known, gone and accepted until a day.

    An entry that fits nothing is reported where all promises of the `whole` of all scenes were tested.
    """
    today = today or datetime.date.today()
    valid = [entry for entry in accepted if entry.until is None or today <= entry.until]
    marked = tuple(_with_accepted(scene, valid, tolerance) for scene in scenes)
    notes = tuple(_notes(marked, accepted, today, whole))
    if baseline is None:
        return Comparison(marked, notes=notes)
    marked = tuple(_since(baseline, marked))
    return Comparison(marked, tuple(_gone(baseline, marked)), (*_unknown_lives(marked), *notes))


def _with_accepted(scene: SceneResult, valid: Sequence[Accepted], tolerance: float) -> SceneResult:
    """Return what came of a scene with the reasons why clashes of it are accepted."""
    promises = []
    for promise in scene.promises:
        entries = [entry for entry in valid if entry.names(scene, promise)]
        clashes = []
        for clash in promise.clashes:
            entry = next((entry for entry in entries if entry.covers(clash, tolerance)), None)
            reason = entry and f"{entry.reason} ({entry.date.isoformat()})"
            clashes.append(clash.model_copy(update={"accepted": reason}))
        # What is not listed, as it is too much, is not accepted either.
        if clashes and len(clashes) == promise.count and all(clash.accepted for clash in clashes):
            promise = promise.model_copy(update={"state": "accepted"})
        promises.append(promise.model_copy(update={"clashes": tuple(clashes)}))
    found = scene.with_promises(promises)
    if scene.state == "broken" and all(promise.state != "broken" for promise in promises):
        return found.model_copy(update={"state": "accepted"})
    return found


#: What makes a clash the same as one of another run: the path of its scene, the id of its promise, and the pair.
_Key: TypeAlias = tuple[str, str, tuple[str, str]]


def _clashes(scenes: Iterable[SceneResult]) -> dict[_Key, Clash]:
    return {(s.path, p.id, clash.pair): clash for s in scenes for p in s.promises for clash in p.clashes}


def _partly_listed(scenes: Iterable[SceneResult]) -> set[tuple[str, str]]:
    """Return the promises of which not all pairs are listed that break them."""
    return {(s.path, p.id) for s in scenes for p in s.promises if len(p.clashes) < p.count}


def _since(baseline: Run, scenes: Iterable[SceneResult]) -> Iterator[SceneResult]:
    """Yield what came of scenes, with which clashes are new since an earlier run, and which were known."""
    known, partly = _clashes(baseline.scenes), _partly_listed(baseline.scenes)
    for scene in scenes:
        promises = []
        for promise in scene.promises:
            # A clash that the earlier run may have left out has no life.
            other = None if (scene.path, promise.id) in partly else "new"
            before = [known.get((scene.path, promise.id, clash.pair)) for clash in promise.clashes]
            lives = [{"life": "known", "was": old.miss} if old else {"life": other} for old in before]
            clashes = [c.model_copy(update=life) for c, life in zip(promise.clashes, lives, strict=True)]
            promises.append(promise.model_copy(update={"clashes": tuple(clashes)}))
        yield scene.with_promises(promises)


def _unknown_lives(scenes: Iterable[SceneResult]) -> Iterator[str]:
    """Yield of which promises nobody knows whether a clash is new, and how one would."""
    for scene in scenes:
        for promise in scene.promises:
            if not all(clash.life for clash in promise.clashes):
                why = "the baseline lists only some of its pairs; --max-pairs lists more"
                yield f"{scene.path}: {promise.id}: it is not known of all pairs whether they are new: {why}"


def _gone(baseline: Run, scenes: Sequence[SceneResult]) -> Iterator[Gone]:
    """Yield what was broken and is no more; of scenes and promises that were not tested nothing is known."""
    # Where not all pairs are listed, one that is not there may have been left out.
    tested = {(scene.path, promise.id) for scene in scenes for promise in scene.promises} - _partly_listed(scenes)
    now = _clashes(scenes)
    for key, clash in _clashes(baseline.scenes).items():
        if key not in now and key[:2] in tested:
            yield Gone(path=key[0], id=key[1], a=clash.a, b=clash.b)


def _notes(
    scenes: Sequence[SceneResult], accepted: Sequence[Accepted], today: datetime.date, whole: bool
) -> Iterator[str]:
    """Yield what is to be said of what is accepted: what has expired, is too deep now, or is about nothing."""
    for entry in accepted:
        name = f"accepted {entry.id!r}" + (f" of {' and '.join(entry.pair)}" if entry.pair else "")
        if entry.until is not None and entry.until < today:
            yield f"{name}: this was accepted until {entry.until.isoformat()}, which is over"
            continue
        found = [promise for scene in scenes for promise in scene.promises if entry.names(scene, promise)]
        if not found:
            if whole:
                yield f"{name}: no promise of the scenes is called so"
            continue
        clashes = [one for p in found for one in p.clashes if entry.is_about(one)]
        left = [one for one in clashes if not one.accepted]
        misses = [one.miss for one in left if one.miss is not None]
        if not clashes:
            yield f"{name}: it is broken no more, and can go"
        elif len(misses) < len(left):
            yield f"{name}: by how much it is missed is no number, and accepted up to {entry.depth:.6g}"
        elif misses and entry.depth is None:
            yield f"{name}: it says no depth, as depth = {max(misses):.6g}"
        elif misses:
            yield f"{name}: it is missed by {max(misses):.6g}, and accepted up to {entry.depth:.6g}"


def _cut(promise: PromiseResult, most: int) -> PromiseResult:
    if len(promise.clashes) <= most:
        return promise
    first = sorted(promise.clashes, key=lambda clash: clash.accepted is not None)[:most]
    return promise.model_copy(update={"clashes": tuple(first)})
