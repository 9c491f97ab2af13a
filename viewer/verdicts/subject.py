"""From a scene and a verdict on it to what the picture of that is of."""

from __future__ import annotations

from collision import Scene, Verdict
from viewer.verdicts.pairs import pair_subject
from viewer.verdicts.records import Subject
from viewer.verdicts.ways import ray_subject, sweep_subject


def subject_of(scene: Scene, verdict: Verdict) -> Subject | None:
    """Return what the picture of a verdict is of; None where that is about nothing that can be drawn.

    Parameters
    ----------
    scene : Scene
        The scene that was judged.
    verdict : Verdict
        One of its verdicts, broken or not.
    """
    still = resting(scene, verdict.time)
    promise = verdict.expectation
    if promise is not None and promise.kind == "ray":
        return ray_subject(still, promise)
    if promise is not None and promise.kind == "sweep":
        return sweep_subject(still, promise)
    if verdict.pair is None:
        return None
    return pair_subject(still, verdict)


def resting(scene: Scene, time: float | None) -> Scene:
    """Return a scene at rest as it is at a time, or when its motion begins."""
    when = time if time is not None else scene.span[0] if scene.span else None
    return scene if when is None else scene.at(when)
