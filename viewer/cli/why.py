"""The command that says why two shapes are reported as colliding or not: at a time, and when they touch."""

from __future__ import annotations

import math
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from viewer.cli.errors import ExitCode, mistakes
from viewer.cli.options import UNCHANGED, FormatOption, Margin, ModelFlags, ScenePath, read_scene, time_of
from viewer.cli.output import JSON_VERSION, compile_notice, to_json
from viewer.records.words import counted, plain

if TYPE_CHECKING:
    from collision import Normals, Reason, Scene

#: When a pair touches during a motion: the begin and the end of each time.
Intervals: TypeAlias = list[tuple[float, float]]

#: So many times are listed at most.
_SOME = 8


def why(
    scene: ScenePath,
    a: str,
    b: str,
    /,
    *,
    margin: Margin = 0.0,
    at: float | None = None,
    format: FormatOption = "text",
    model: ModelFlags = UNCHANGED,
) -> ExitCode:
    """Say why two shapes are reported as colliding, or why they are not.

    For a scene with a motion, say so for its start, and when the two touch during it.

    Parameters
    ----------
    a
        The name of the one shape, such as "arm" or "crowd[17]".
    b
        The name of the other one.
    at
        Look at this time of a motion alone, in seconds.
    margin
        How far apart shapes may be to be reported, in scene units.
    """
    loaded = read_scene(scene, model, quiet=format == "json")
    import collision
    from viewer.studio.options import single_name

    time = time_of(loaded, at)
    still = loaded.scene.at(time or 0.0)
    with compile_notice(), mistakes(f"{scene}: "):
        reason = collision.why(still, *(single_name(still, name) for name in (a, b)), margin=margin)
        normals = collision.all_normals(still[reason.a], still[reason.b]) if reason.signed_distance <= 0.0 else None
        intervals = _intervals(loaded.scene, reason) if at is None and loaded.scene.motion else None
    if format == "text":
        print(_sentence(reason, time, normals, intervals))
        return ExitCode.FINE
    found = {
        "version": JSON_VERSION,
        "scene": str(scene),
        **asdict(reason),
        "because": reason.because,
        "box_gap": reason.box_gap if math.isfinite(reason.box_gap) else None,
        "normals": None if normals is None else normals.kind,
        "time": time,
        "intervals": None if intervals is None else [{"begin": begin, "end": end} for begin, end in intervals],
    }
    print(to_json(found))
    return ExitCode.FINE


def _intervals(scene: Scene, reason: Reason) -> Intervals:
    """Return when a pair touches; what is of other entries is hidden, so as not to wait for it."""
    from collision import touching_intervals

    pair = sorted(scene.element_numbers(name)[0] for name in (reason.a, reason.b))
    others = {name for name in scene.shapes if not any(number in scene.element_numbers(name) for number in pair)}
    found = touching_intervals(scene.replaced(hidden={*scene.hidden, *others}), margin=reason.margin)
    own = (found.pairs == pair).all(axis=-1)
    return list(zip(found.begin[own].tolist(), found.end[own].tolist(), strict=True))


def _sentence(reason: Reason, time: float | None, normals: Normals | None, intervals: Intervals | None) -> str:
    from viewer.picture.pairs import normals_text

    when = "" if time is None else f"at {time:.6g} s: "
    verdict = f"{reason.a} and {reason.b} are {'' if reason.reported else 'not '}reported: "
    parts = [verdict + reason.in_words(partial(plain, scale=0.0))]
    if normals is not None and reason.reported:
        parts.append(normals_text(normals))
    # Of what is hidden or ignored nothing is reported at any time: the reason says it all.
    if intervals is not None and reason.gate not in {"hidden", "rule"}:
        parts.append(_when_they_touch(intervals, reason.margin))
    return f"{when}{'; '.join(filter(None, parts))}."


def _when_they_touch(intervals: Intervals, margin: float) -> str:
    verb = f"are within {margin:g} of each other" if margin else "touch"
    if not intervals:
        return f"they {verb} at no time of the motion"
    times = [f"from {begin:.6g} to {end:.6g} s" if begin < end else f"at {begin:.6g} s" for begin, end in intervals]
    more = f", and {counted(len(times) - _SOME, 'time')} more" if len(times) > _SOME else ""
    return f"they {verb} {', '.join(times[:_SOME])}{more}"
