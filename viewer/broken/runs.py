"""From a run over many scenes to what is shown of it: the scenes are read again, and what is broken is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from collision import BrokenPair, Scene, Verdict
from viewer.broken.findings import counts_in_words, finding_of
from viewer.broken.pictures import Photographer
from viewer.broken.report import Finding, ScenePart, State
from viewer.files.loading import LoadError
from viewer.gl import GLUnavailable
from viewer.verdicts.collecting import Source
from viewer.verdicts.judging import read_source
from viewer.verdicts.results import Promise, Run, SceneResult
from viewer.verdicts.text import life_words

#: So many pictures are made at most: more would take minutes, and nobody looks at them.
MOST = 200

_STATES: Mapping[str, State] = {"held": "held", "broken": "broken", "accepted": "known"}


def parts_of(run: Run, sources: Sequence[Source]) -> tuple[list[ScenePart], GLUnavailable | None]:
    """Return what a report says and shows of a run: of its scenes, and of what was named and is none.

    Parameters
    ----------
    run : Run
        What was found.
    sources : sequence of Source
        Where its scenes are, in the same order.

    Returns
    -------
    list of ScenePart
        One for each scene, and one for all else that was not tested; without pictures, where none can be drawn.
    GLUnavailable or None
        Why nothing could be drawn.
    """
    with Photographer() as photographer:
        artist = _Artist(photographer, strict=run.strict)
        parts = [artist.part(result, source) for result, source in zip(run.scenes, sources, strict=True)]
    named = (note.partition(": ") for note in run.untested)
    return [*parts, *(ScenePart(name, message=why) for name, _, why in named)], artist.failed


def with_pictures(run: Run, files: Mapping[int, Path]) -> Run:
    """Return a run with the paths of pictures, by the number of their promise, counted from 1 through all scenes."""
    scenes, number = [], 0
    for scene in run.scenes:
        promises = []
        for promise in scene.promises:
            number += 1
            path = files.get(number)
            promises.append(promise if path is None else promise.model_copy(update={"picture": path.as_posix()}))
        scenes.append(scene.model_copy(update={"promises": tuple(promises)}))
    return run.model_copy(update={"scenes": tuple(scenes)})


class _Artist:
    """Makes the pictures of a run, as long as that can be done and is not too many."""

    def __init__(self, photographer: Photographer, *, strict: bool) -> None:
        self._strict = strict
        self._photographer: Photographer | None = photographer
        self._left = MOST
        self.failed: GLUnavailable | None = None

    def part(self, result: SceneResult, source: Source) -> ScenePart:
        """Return what is shown of one scene."""
        broken = any(promise.state != "held" for promise in result.promises)
        scene = _scene(source) if broken else None
        findings = tuple(self._finding(result, promise, scene) for promise in result.promises)
        return ScenePart(
            result.path,
            result.title,
            findings,
            self._untested(result),
            counts_in_words(result.shapes, result.pairs, result.ignored, result.hidden) if findings else "",
            tuple(f"{part.kind} {part.name}: {part.reason}" for part in result.left_out),
        )

    def _untested(self, result: SceneResult) -> str:
        """Say why a scene was not tested, or not all of it where all was wanted."""
        if result.state not in ("held", "broken", "accepted"):
            return result.message
        return "parts of it were left out, and --strict wants all of it" if self._strict and result.left_out else ""

    def _finding(self, result: SceneResult, promise: Promise, scene: Scene | None) -> Finding:
        verdict, state = verdict_of(promise, scene), _STATES[promise.state]
        drawn = state != "held" and scene is not None and self._left > 0
        self._left -= drawn

        def found(photographer: Photographer | None) -> Finding:
            notes = () if state == "held" else _notes(promise)
            return finding_of(
                scene,
                verdict,
                path=result.path,
                line=promise.line,
                state=state,
                notes=notes,
                photographer=photographer,
            )

        try:
            return found(self._photographer if drawn else None)
        except GLUnavailable as error:
            self._photographer, self.failed = None, error
            return found(None)


def verdict_of(promise: Promise, scene: Scene | None) -> Verdict:
    """Return the verdict that a record was made of."""
    known = {one.id: one for one in scene.expectations} if scene is not None else {}
    values = {name: value for name, value in promise.values.items() if value is not None}
    others = (
        BrokenPair(clash.a or "", clash.b or "", clash.signed_distance, clash.time)
        for clash in promise.clashes[1:]
        if clash.signed_distance is not None
    )
    return Verdict(
        promise.id,
        promise.state == "held",
        promise.expected,
        promise.actual,
        known.get(promise.id),
        None if promise.b is None else (promise.a or "", promise.b),
        promise.time,
        values,
        promise.move,
        tuple(others),
        promise.count,
    )


def _scene(source: Source) -> Scene | None:
    """Return a scene; None where it can no longer be read."""
    try:
        return read_source(source)[0].scene
    except LoadError:
        return None


def _notes(promise: Promise) -> tuple[str, ...]:
    """Say of a broken promise whether it is known, and why it is accepted."""
    if not promise.clashes:
        return ()
    worst = promise.clashes[0]
    said = [f"accepted: {worst.accepted}" if worst.accepted else "", life_words(worst)]
    return tuple(filter(None, said))
