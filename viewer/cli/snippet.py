"""The command that writes a test in Python on what holds in a scene, made as small as shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console

from viewer.cli.errors import ExitCode, MistakeError
from viewer.cli.options import During, DuringOption, Flag, Name, ScenePath, check_during, read_scene, time_of
from viewer.cli.output import compile_notice

if TYPE_CHECKING:
    from collision import Scene, Verdict
    from viewer.files.loading import Loaded

#: A pair stays about as deep, or as far apart, where it is not more than so many times as much, or as little.
_ABOUT = 2.0


class _Subject(NamedTuple):
    """What the test is about: two shapes, or none by name; a time, or a motion that is in it, or a part of that."""

    a: str
    b: str
    at: float | None = None
    moving: bool = False
    during: tuple[float, float] | None = None


def snippet(
    scene: ScenePath,
    a: Name = "",
    b: Name = "",
    /,
    *,
    at: float | None = None,
    during: DuringOption = None,
    shrink: Flag = False,
) -> ExitCode:
    """Print a test in Python that passes now: the shapes that matter, and assertions with numbers.

    Without names it is about what breaks a promise of the scene, or else about the pairs that collide, or the nearest.

    Parameters
    ----------
    a
        The name of a shape, such as "arm" or "crowd[17]".
    b
        The name of the other one.
    at
        The shapes as they are at this time of a motion, in seconds; by default when it starts.
    during
        Keep the motion in the test, which is then about this part of it, START:STOP in seconds, or about all.
    shrink
        Leave out shapes that are not needed and shorten numbers, as long as the promise stays broken, or the pair
        about as deep or as far apart.
    """
    loaded = read_scene(scene)
    if at is not None and during is not None:
        raise MistakeError("--at is about one time, --during about many; give one of them")
    time_of(loaded, at)
    subject = _Subject(a, b, at) if during is None else _during(loaded, a, b, during)
    note = f"{'Made of' if shrink else 'As in'} {loaded.path.name}"
    try:
        with compile_notice():
            print(_snippet(loaded.scene, subject, note, shrink=shrink), end="")
    except (KeyError, ValueError) as error:
        raise MistakeError(f"{scene}: {error.args[0]}") from error
    return ExitCode.FINE


def _during(loaded: Loaded, a: str, b: str, during: During) -> _Subject:
    """Return what a test is about that is of a motion, or of a part of it."""
    check_during(loaded, during)
    span = loaded.scene.span
    if span is None or during == During():
        return _Subject(a, b, moving=True)
    start, stop = (end if given is None else given for given, end in zip(during, span, strict=True))
    if start == stop:
        raise MistakeError(f"--during must be more than one time, got {during}; --at is about one")
    return _Subject(a, b, moving=True, during=(start, stop))


def _snippet(scene: Scene, subject: _Subject, note: str, *, shrink: bool) -> str:
    from collision.testing import snippet as snippet_text

    verdict = None if subject.a or subject.b else _broken(scene)
    if verdict is not None and verdict.pair is not None:
        note += f", where this does not hold: {verdict.expected}"
        if shrink:
            scene, verdict = _shrunk_promise(scene, verdict)
        a, b = verdict.pair or ("", "")
        at = verdict.time if subject.at is None and not subject.moving else subject.at
        subject = subject._replace(a=a, b=b, at=at)
    if subject.at is not None:
        note += f", at {subject.at:g} s"
    if shrink and verdict is None:
        scene, subject = _shrunk_pair(scene, subject)
    return snippet_text(scene, **subject._asdict(), note=f"{note}.")


def _broken(scene: Scene) -> Verdict | None:
    """Return the first verdict on a pair that breaks a promise."""
    from collision import judge

    if not scene.expectations:
        return None
    return next((verdict for verdict in judge(scene).broken if verdict.pair and all(verdict.pair)), None)


def _shrunk_promise(scene: Scene, verdict: Verdict) -> tuple[Scene, Verdict]:
    """Return a small scene that breaks a promise in the same way, and the verdict on it."""
    from collision import judge
    from collision.testing import shrunk

    def verdict_on(other: Scene) -> Verdict | None:
        found = next((one for one in judge(other).verdicts if one.id == verdict.id), None)
        return found if found is not None and found.pair and all(found.pair) else None

    def breaks(other: Scene) -> bool:
        found = verdict_on(other)
        return found is not None and not found.ok and _alike(_gap(found), _gap(verdict))

    with _progress() as progress:
        small = shrunk(scene, breaks, progress=progress)
    return small, verdict_on(small) or verdict


def _shrunk_pair(scene: Scene, subject: _Subject) -> tuple[Scene, _Subject]:
    """Return a scene of two shapes with short numbers that are about as deep, or as far apart."""
    from collision import extreme_distance, signed_distance
    from collision.testing import reduced, shrunk, stated_pairs

    if not subject.moving and scene.span is not None:
        scene = scene.at(scene.span[0] if subject.at is None else subject.at)
    names = (subject.a, subject.b) if subject.a or subject.b else stated_pairs(scene)[0]
    pair = reduced(scene, names)
    a, b = pair.shapes
    start, stop = subject.during or (None, None)

    def gap(other: Scene) -> float:
        return extreme_distance(other, a, b, start=start, stop=stop).signed_distance

    def apart_at_first(other: Scene) -> bool:
        still = other if other.span is None else other.at(other.span[0])
        return bool(signed_distance(still[a], still[b]) > 0.0)

    def only_touches(other: Scene) -> bool:
        return other.span is None and other.first_contacts(1).only_touching > 0

    was, first, touched = gap(pair), apart_at_first(pair), only_touches(pair)

    def shows(other: Scene) -> bool:
        if touched:
            return only_touches(other)
        if subject.moving and (other.span is None or apart_at_first(other) != first):
            return False
        return _alike(gap(other), was)

    with _progress() as progress:
        small = shrunk(pair, shows, progress=progress)
    during = subject.during if small.span else None
    return small, _Subject(a, b, moving=subject.moving and small.span is not None, during=during)


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
