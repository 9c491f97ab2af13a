"""What holds in a scene, as a test in Python; and a scene made as small as shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console

from collision import Scene, Verdict, extreme_distance, judge, signed_distance
from collision.testing import reduced, shrunk, snippet, stated_pairs

if TYPE_CHECKING:
    from viewer.files.loading import Loaded

#: A pair stays about as deep, or as far apart, where it is not more than so many times as much, or as little.
_ABOUT = 2.0


class Wanted(NamedTuple):
    """What the test is to be about: two shapes, or none by name; a time, or a motion, or a part of it."""

    a: str = ""
    b: str = ""
    at: float | None = None
    moving: bool = False
    during: tuple[float, float] | None = None

    @property
    def moves(self) -> bool:
        """Whether it has the motion."""
        return self.moving or self.during is not None


def snippet_of(loaded: Loaded, wanted: Wanted, *, shrink: bool) -> str:
    """Return the text of a test on a scene; see `collision.testing.snippet`."""
    scene, note = loaded.scene, f"{'Made of' if shrink else 'As in'} {loaded.path.name}"
    verdict = None if wanted.a or wanted.b else _broken(scene)
    if verdict is not None and verdict.pair is not None:
        note += f", where this does not hold: {verdict.expected}"
        if shrink:
            scene, verdict = _shrunk_promise(scene, verdict)
        a, b = verdict.pair or ("", "")
        at = verdict.time if wanted.at is None and not wanted.moves else wanted.at
        wanted = wanted._replace(a=a, b=b, at=at)
    if wanted.at is not None:
        note += f", at {wanted.at:g} s"
    if shrink and verdict is None:
        scene, wanted = _shrunk_pair(scene, wanted)
    return snippet(scene, *wanted[:2], at=wanted.at, moving=wanted.moving, during=wanted.during, note=f"{note}.")


def _broken(scene: Scene) -> Verdict | None:
    """Return the first verdict on a pair that breaks a promise."""
    if not scene.expectations:
        return None
    return next((verdict for verdict in judge(scene).broken if verdict.pair and all(verdict.pair)), None)


def _shrunk_promise(scene: Scene, verdict: Verdict) -> tuple[Scene, Verdict]:
    """Return a small scene that breaks a promise in the same way, and the verdict on it."""

    def verdict_on(other: Scene) -> Verdict | None:
        found = next((one for one in judge(other).verdicts if one.id == verdict.id), None)
        return found if found is not None and found.pair and all(found.pair) else None

    def breaks(other: Scene) -> bool:
        found = verdict_on(other)
        return found is not None and not found.ok and _alike(_gap(found), _gap(verdict))

    with _progress() as progress:
        small = shrunk(scene, breaks, progress=progress)
    return small, verdict_on(small) or verdict


def _shrunk_pair(scene: Scene, wanted: Wanted) -> tuple[Scene, Wanted]:
    """Return a scene of two shapes with short numbers that are about as deep, or as far apart."""
    if not wanted.moves and scene.span is not None:
        scene = scene.at(scene.span[0] if wanted.at is None else wanted.at)
    names = (wanted.a, wanted.b) if wanted.a or wanted.b else stated_pairs(scene)[0]
    pair = reduced(scene, names)
    a, b = pair.shapes
    start, stop = wanted.during or (None, None)

    def gap(other: Scene) -> float:
        return extreme_distance(other, a, b, start=start, stop=stop).signed_distance

    def apart_at_first(other: Scene) -> bool:
        still = other if other.span is None else other.at(other.span[0])
        return bool(signed_distance(still[a], still[b]) > 0.0)

    was, first = gap(pair), apart_at_first(pair)

    def shows(other: Scene) -> bool:
        if wanted.moves and (other.span is None or apart_at_first(other) != first):
            return False
        return _alike(gap(other), was)

    with _progress() as progress:
        small = shrunk(pair, shows, progress=progress)
    kept = wanted._replace(a=a, b=b, at=None)
    return small, kept if small.span is not None else kept._replace(moving=False, during=None)


def _gap(verdict: Verdict) -> float:
    return verdict.values.get("signed_distance", 0.0)


def _alike(gap: float, was: float) -> bool:
    """Tell whether two signed distances are about the same."""
    if gap == was or (gap < 0.0) != (was < 0.0):
        return gap == was
    return abs(was) <= _ABOUT * abs(gap) and abs(gap) <= _ABOUT * abs(was)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """Show on a terminal how far the shrinking is."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    with console.status("shrinking") as status:
        yield lambda shapes, tried: status.update(f"shrinking: {shapes:,} shapes left, {tried:,} scenes tried")
