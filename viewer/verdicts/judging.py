"""One scene is read and judged; whatever is wrong with it becomes a result, too."""

from __future__ import annotations

import time
import traceback
from typing import NamedTuple

from collision import BrokenPair, Expectation, Judgement, Scene, Verdict, judge
from collision.inner import matcher
from collision.scenefile import SceneFileError, dump_scene, expectation_lines
from viewer.files.loading import Loaded, LoadError, read, read_text
from viewer.verdicts.collecting import Source, shown
from viewer.verdicts.results import Clash, LeftOut, Promise, SceneResult, State, Wrong

#: The id and the kind of the promise that nothing else collides.
NOTHING_ELSE = "nothing-else"


class Wish(NamedTuple):
    """How scenes are to be tested, and whether the scenes that break a promise are to be handed over for pictures."""

    tolerance: float = 0.0
    only: tuple[str, ...] = ()
    most: int = 100
    pictured: bool = False


class Judged(NamedTuple):
    """What came of a scene, and the scene that was judged: pictures are of that one, whatever its file says by then.

    Attributes
    ----------
    result : SceneResult
        The verdicts.
    scene : str
        The scene as the text of a scene file; empty unless it breaks a promise and pictures were asked for.
    """

    result: SceneResult
    scene: str = ""


def judge_source(source: Source, wish: Wish) -> Judged:
    """Return what came of a scene; nothing that is wrong with it is raised.

    Parameters
    ----------
    source : Source
        Where it is.
    wish : Wish
        How it is to be tested.
    """
    begun = time.perf_counter()
    scene = ""
    try:
        result, scene = _tested(source, wish)
    except LoadError as error:
        result = SceneResult(path=source.path, state="mistake", message=str(error), problems=_problems(error))
    except MemoryError as error:
        words = f"{source.path}: out of memory: {str(error) or 'the scene is too large'}"
        result = SceneResult(path=source.path, state="mistake", message=words)
    except Exception:
        result = SceneResult(path=source.path, state="bug", message=traceback.format_exc().rstrip())
    return Judged(result.model_copy(update={"seconds": time.perf_counter() - begun}), scene)


def _tested(source: Source, wish: Wish) -> Judged:
    loaded, text = read_source(source)
    scene = loaded.scene
    wanted = _wanted_ids(scene, wish.only)
    judged = judge(scene, tolerance=wish.tolerance, only=wanted, most=wish.most)
    if wanted is not None:  # a name in an id may have a * of its own, which stands for more
        judged = Judgement(tuple(one for one in judged.verdicts if one.id in wanted), judged.counts)
    lines = expectation_lines(text, scene) if text and judged.verdicts else {}
    promises = tuple(promise_of(verdict, lines.get(verdict.id)) for verdict in judged.verdicts)
    result = SceneResult(
        path=source.path if source.data is not None else shown(str(loaded.path)),
        state=state_of(promises),
        title=scene.title,
        message=_silence(loaded, wish, promises),
        **judged.counts._asdict(),
        left_out=tuple(LeftOut(**part._asdict()) for part in loaded.skipped),
        notes=loaded.notes,
        promises=promises,
        unmatched=tuple(pattern for pattern in wish.only if not _wanted_ids(scene, (pattern,))),
    )
    if not (wish.pictured and judged.broken):
        return Judged(result)
    try:
        return Judged(result, dump_scene(scene))
    except SceneFileError as error:
        return Judged(result.model_copy(update={"notes": (*result.notes, f"no picture: {error}")}))


def read_source(source: Source) -> tuple[Loaded, str | None]:
    """Return a scene, and the text of its file if that is one in which promises have lines.

    Raises
    ------
    LoadError
        If it is no scene.
    """
    if source.data is None:
        loaded = read(source.path)
        is_text = loaded.path.suffix.lower() == ".toml" and loaded.scene.expectations
        return loaded, loaded.path.read_text(encoding="utf-8") if is_text else None
    return read_text(source.data, source.path), source.data.decode("utf-8")


def _wanted_ids(scene: Scene, only: tuple[str, ...]) -> list[str] | None:
    """Return the ids of the promises that patterns are about, by id or by a name in them; None for all."""
    if not only:
        return None
    patterns = [matcher(pattern) for pattern in only]
    known = {one.id: (one.id, *one.names) for one in scene.expectations} | {NOTHING_ELSE: (NOTHING_ELSE,)}
    return [name for name, texts in known.items() if any(p.fullmatch(text) for p in patterns for text in texts)]


def state_of(promises: tuple[Promise, ...]) -> State:
    """Return what is to be said of a scene with such promises."""
    if not promises:
        return "nothing"
    return "broken" if any(promise.state == "broken" for promise in promises) else "held"


def _silence(loaded: Loaded, wish: Wish, promises: tuple[Promise, ...]) -> str:
    """Say why no promise was tested."""
    if promises:
        return ""
    if not loaded.scene.expectations:
        return "states nothing: it has no promises"
    return f"no promise is called {' or '.join(wish.only)}"


def _problems(error: LoadError) -> tuple[Wrong, ...]:
    """Return what is wrong in a scene file, each with its place."""
    cause = error.__cause__
    if not isinstance(cause, SceneFileError):
        return ()
    texts = [str(SceneFileError("", [one._replace(line=None, column=None)])) for one in cause.problems]
    return tuple(
        Wrong(line=one.line, column=one.column, text=text) for one, text in zip(cause.problems, texts, strict=True)
    )


# -- verdicts as records -----------------------------------------------------------------------------------------------


def promise_of(verdict: Verdict, line: int | None = None) -> Promise:
    """Return a verdict as it is written in results.

    Parameters
    ----------
    verdict : Verdict
        What was found.
    line : int, optional
        That of the promise in its file.
    """
    a, b = verdict.pair or (None, None)
    return Promise(
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


def _clashes(verdict: Verdict) -> tuple[Clash, ...]:
    a, b = verdict.pair or (None, None)
    gap = verdict.values.get("signed_distance")
    worst = Clash(a=a, b=b, signed_distance=gap, time=verdict.time, miss=missed_by(verdict.expectation, gap))
    return (worst, *(_clash(verdict.expectation, pair) for pair in verdict.others))


def _clash(promise: Expectation | None, pair: BrokenPair) -> Clash:
    return Clash(**pair._asdict(), miss=missed_by(promise, pair.signed_distance))


def missed_by(promise: Expectation | None, gap: float | None) -> float | None:
    """Return by how much a pair misses what is promised of it, in scene units; None where no distance says that.

    Parameters
    ----------
    promise : Expectation or None
        None for all pairs that no promise is about.
    gap : float or None
        Their signed distance.

    Examples
    --------
    >>> missed_by(Expectation("apart", "a", "b", clearance=0.5), 0.25)
    0.25
    >>> missed_by(Expectation("collide", "a", "b", depth=0.5), -1.5)
    1.0
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
