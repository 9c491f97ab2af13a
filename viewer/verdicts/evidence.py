"""What shows that promises are broken: a picture of each, and a small scene that breaks it in the same way."""

from __future__ import annotations

from collections.abc import Sequence

from collision import BrokenPair, Scene, Verdict
from collision.scenefile import dump_scene, parse_scene
from viewer.files.movies import png
from viewer.stage.gl import GLUnavailable
from viewer.verdicts.html import Evidence
from viewer.verdicts.minimal import minimal_scene
from viewer.verdicts.pictures import Photographer
from viewer.verdicts.results import Promise, Run
from viewer.verdicts.writing import pictured

#: The longest scene file that a report repeats, in characters.
_LONGEST = 20_000


def evidence_of(run: Run, scenes: Sequence[str]) -> tuple[dict[int, Evidence], list[Exception]]:
    """Return what shows that the promises of a run are broken.

    Parameters
    ----------
    run : Run
        What was found.
    scenes : sequence of str
        The scenes that were judged, as texts of scene files; empty where nothing is broken.

    Returns
    -------
    dict of int to Evidence
        By the numbers of the promises; see `Run.numbered`.
    list of Exception
        Why there is no picture of some, each reason once.
    """
    found: dict[int, Evidence] = {}
    failed: dict[str, Exception] = {}
    read: tuple[int, Scene] = -1, Scene()
    drawn = set(pictured(run))
    with Photographer() as photographer:
        for number, index, promise in run.numbered():
            if promise.state == "held" or not scenes[index]:
                continue
            if read[0] != index:
                read = index, parse_scene(scenes[index], run.scenes[index].path)
            picture, small = None, ""
            try:
                verdict = verdict_of(promise, read[1])
                smallest = minimal_scene(read[1], verdict)
                small = "" if smallest is None else dump_scene(smallest)
                image = photographer.picture(read[1], verdict) if number in drawn else None
                picture = None if image is None else png(image)
            except GLUnavailable as error:
                drawn = set()
                failed[""] = error
            except Exception as error:
                failed.setdefault(repr(error), error)
            found[number] = Evidence(picture, small if len(small) <= _LONGEST else "")
    return found, list(failed.values())


def verdict_of(promise: Promise, scene: Scene) -> Verdict:
    """Return the verdict that a record was made of."""
    known = {one.id: one for one in scene.expectations}
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
        {name: value for name, value in promise.values.items() if value is not None},
        promise.move,
        tuple(others),
        promise.count,
    )
