"""Why two shapes are reported as colliding or not, as the command line says it: at a time, and when they touch."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from collision import Normals, Reason, Scene, all_normals, touching_intervals, why
from viewer.cli.report import JSON_VERSION
from viewer.picture.pairs import normals_text
from viewer.records.words import counted, plain
from viewer.studio.options import single_name

#: So many times are listed at most.
_SOME = 8


@dataclass(frozen=True)
class Finding:
    """Why a pair is reported or not, and what else there is to say of it.

    Attributes
    ----------
    reason : Reason
        What `collision.why` returned.
    time : float or None
        When that is so; None in a scene without motion.
    normals : Normals or None
        All shortest ways apart, where the two touch.
    intervals : tuple of (float, float), or None
        When the two touch during the motion, as `check` reports it; None where it was not asked.
    """

    reason: Reason
    time: float | None = None
    normals: Normals | None = None
    intervals: tuple[tuple[float, float], ...] | None = None

    def __str__(self) -> str:
        """Return it as a sentence.

        Examples
        --------
        >>> from collision import Sphere
        >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([0, 0, 0], 1)})
        >>> print(explained(scene, "a", "b"))
        a and b are reported: they overlap, by 2; every direction is as short.
        """
        when = "" if self.time is None else f"at {self.time:.6g} s: "
        choice = normals_text(self.normals) if self.normals is not None and self.reason.reported else ""
        # Of what is hidden or ignored nothing is reported at any time: the reason says it all.
        passed = self.intervals is not None and self.reason.gate not in {"hidden", "rule"}
        reason = self.reason
        verdict = f"{reason.a} and {reason.b} are {'' if reason.reported else 'not '}reported: "
        parts = [
            verdict + reason.in_words(partial(plain, scale=0.0)),
            choice,
            self._when_they_touch() if passed else "",
        ]
        return f"{when}{'; '.join(filter(None, parts))}."

    def _when_they_touch(self) -> str:
        margin = self.reason.margin
        verb = f"are within {margin:g} of each other" if margin else "touch"
        if not self.intervals:
            return f"they {verb} at no time of the motion"
        times = [f"from {a:.6g} to {b:.6g} s" if a < b else f"at {a:.6g} s" for a, b in self.intervals[:_SOME]]
        more = len(self.intervals) - len(times)
        listed = [", ".join(times), *([f"and {counted(more, 'time')} more"] if more else [])]
        return f"they {verb} {', '.join(listed)}"

    def as_dict(self, source: str) -> dict[str, Any]:
        """Return what JSON holds; what is infinite is null."""
        reason, intervals = self.reason, self.intervals
        return {
            "version": JSON_VERSION,
            "scene": source,
            **asdict(reason),
            "because": reason.because,
            "box_gap": reason.box_gap if math.isfinite(reason.box_gap) else None,
            "normals": None if self.normals is None else self.normals.kind,
            "time": self.time,
            "intervals": None if intervals is None else [{"begin": a, "end": b} for a, b in intervals],
        }


def explained(
    scene: Scene, a: str, b: str, *, margin: float = 0.0, time: float | None = None, intervals: bool = False
) -> Finding:
    """Say why a pair is reported or not at a time, and on demand when the two touch during the scene's motion.

    Raises
    ------
    ValueError
        If the names are not those of two different single shapes.
    """
    still = scene.at(time or 0.0)
    reason = why(still, *(single_name(scene, name) for name in (a, b)), margin=margin)
    normals = all_normals(still[reason.a], still[reason.b]) if reason.signed_distance <= 0.0 else None
    return Finding(reason, time, normals, _touches(scene, reason) if intervals and scene.motion else None)


def _touches(scene: Scene, reason: Reason) -> tuple[tuple[float, float], ...]:
    """Return when a pair touches; what is of other entries is hidden, so as not to wait for it."""
    pair = sorted(scene.element_numbers(name)[0] for name in (reason.a, reason.b))
    others = {name for name in scene.shapes if not any(number in scene.element_numbers(name) for number in pair)}
    found = touching_intervals(scene.replaced(hidden={*scene.hidden, *others}), margin=reason.margin)
    own = np.all(found.pairs == pair, axis=-1)
    return tuple(zip(found.begin[own].tolist(), found.end[own].tolist(), strict=True))
