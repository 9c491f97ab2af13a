"""From a scene and its verdicts to what a report says and shows of them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from collision import Judgement, Scene, Verdict
from collision.scenefile import dump_scene
from viewer.broken.minimal import minimal_scene
from viewer.broken.pictures import Photographer
from viewer.broken.report import Finding, ScenePart, State
from viewer.files.movies import png
from viewer.picture.words import counted, plain

#: The longest scene file that a report repeats, in characters, and how many further pairs it names.
_LONGEST, _MOST_PAIRS = 20_000, 8


def finding_of(
    scene: Scene | None,
    verdict: Verdict,
    *,
    path: str,
    line: int | None = None,
    state: State | None = None,
    notes: tuple[str, ...] = (),
    photographer: Photographer | None = None,
) -> Finding:
    """Return what a report says and shows of a verdict.

    Parameters
    ----------
    scene : Scene or None
        The scene that was judged; without it there is no picture.
    verdict : Verdict
        What came of a promise.
    path : str
        Of the scene.
    line : int, optional
        Where in its file it promises that.
    state : {'broken', 'known', 'held'}, optional
        By default what the verdict says.
    notes : tuple of str
        What else there is to say.
    photographer : Photographer, optional
        Makes the picture; without one there is none.
    """
    place = path if line is None else f"{path}:{line}"
    state = state or ("held" if verdict.ok else "broken")
    if state == "held" or scene is None:
        return Finding(verdict.id, state, verdict.expected, verdict.actual, place, verdict.reason, notes)
    image = None if photographer is None else photographer.picture(scene, verdict)
    small = minimal_scene(scene, verdict)
    text = "" if small is None else dump_scene(small)
    return Finding(
        verdict.id,
        state,
        verdict.expected,
        verdict.actual,
        place,
        verdict.reason,
        (*notes, *_others(verdict)),
        verdict.values,
        verdict.move,
        verdict.pair,
        verdict.time,
        None if image is None else png(image),
        text if len(text) <= _LONGEST else "",
        shlex.join(["collision-viewer", "test", path, "--only", verdict.id]),
    )


def part_of(
    path: str,
    scene: Scene,
    judgement: Judgement,
    *,
    lines: Mapping[str, int] | None = None,
    photographer: Photographer | None = None,
) -> ScenePart:
    """Return what a report says and shows of a scene.

    Parameters
    ----------
    path : str
        Of the scene.
    scene : Scene
        The scene.
    judgement : Judgement
        Whether it keeps what it promises.
    lines : mapping of str to int, optional
        Where in its file each promise is, by id.
    photographer : Photographer, optional
        Makes the pictures; without one there are none.
    """
    where = lines or {}
    findings = tuple(
        finding_of(scene, verdict, path=path, line=where.get(verdict.id), photographer=photographer)
        for verdict in judgement.verdicts
    )
    return ScenePart(path, scene.title, findings, counts=counts_in_words(*judgement.counts))


def counts_in_words(shapes: int, pairs: int, ignored: int, hidden: int) -> str:
    """Say what was tested of a scene.

    Examples
    --------
    >>> counts_in_words(3, 2, 1, 0)
    '3 shapes, 2 pairs tested, 1 ignored'
    """
    words = [counted(shapes, "shape"), f"{counted(pairs, 'pair')} tested"]
    words += [f"{count:,} {what}" for count, what in ((ignored, "ignored"), (hidden, "hidden")) if count]
    return ", ".join(words)


def _others(verdict: Verdict) -> tuple[str, ...]:
    """Say which further pairs break a promise."""
    if not verdict.others:
        return ()
    words = []
    for pair in verdict.others[:_MOST_PAIRS]:
        gap, when = pair.signed_distance, "" if pair.time is None else f" at {plain(pair.time)} s"
        how = f"{plain(gap)} apart" if gap > 0.0 else f"{plain(-gap)} deep"
        words.append(f"{' and '.join(filter(None, (pair.a, pair.b)))}, {how}{when}")
    more = verdict.count - 1 - len(words)
    return ("; ".join([*words, *([f"and {counted(more, 'pair')} more"] if more > 0 else [])]),)
