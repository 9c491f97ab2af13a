"""A run as text, for people who read a log."""

from __future__ import annotations

import re
from collections.abc import Iterator

from viewer.records.words import counted, plain
from viewer.verdicts.results import NOTHING_ELSE, Clash, PromiseResult, Run, SceneResult

#: So many further pairs of a broken promise are written out.
_SHOWN = 3

#: What is no letter, and no place for one.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def lines_of(run: Run, *, verbose: bool = False) -> Iterator[str]:
    """Yield the lines of a report: what is broken, what could not be tested, and sums at the end."""
    for scene in run.scenes:
        yield from map(visible, _scene_lines(scene, verbose))
    yield from map(visible, (*gone_lines(run), *run.untested, *run.notes))
    yield summary(run)


def visible(line: str) -> str:
    """Write what moves a terminal's cursor, colours it or ends a line such that it is seen and does nothing."""
    return _CONTROL.sub(lambda found: repr(found.group())[1:-1], line)


def gone_lines(run: Run) -> Iterator[str]:
    """Yield what was broken in the baseline and is no more."""
    for gone in run.gone:
        pair = f" ({gone.a} and {gone.b})" if gone.a and gone.b else ""
        yield f"{gone.path}: gone: {gone.id}{pair} is broken no more"


def _scene_lines(scene: SceneResult, verbose: bool) -> Iterator[str]:
    if scene.state == "bug":
        yield f"{scene.path}: this is a bug in this program; please report these lines:"
        yield from (f"    {line}" for line in scene.message.splitlines())
    elif scene.state == "mistake":
        yield from scene.message.splitlines()
    elif scene.message:
        yield f"{scene.path}: {scene.message}"
    for promise in scene.promises:
        if promise.state != "held":
            yield from _broken(scene, promise)
        elif verbose:
            yield f"{place(scene, promise)}: holds: {promise.id}: {promise.actual}"
    if scene.left_out:
        names = ", ".join(part.name for part in scene.left_out[:_SHOWN])
        more = f" and {len(scene.left_out) - _SHOWN} more" if len(scene.left_out) > _SHOWN else ""
        yield f"{scene.path}: {counted(len(scene.left_out), 'part')} left out, and not tested: {names}{more}"
    yield from (f"{scene.path}: {note}" for note in scene.notes)


def _broken(scene: SceneResult, promise: PromiseResult) -> Iterator[str]:
    yield f"{place(scene, promise)}: {promise.state}: {promise.id}"
    for name, text in details(promise):
        yield f"    {name:<10}{' '.join(text.split())}"


def place(scene: SceneResult, promise: PromiseResult) -> str:
    """Return the file and the line of a promise."""
    return scene.path if promise.line is None else f"{scene.path}:{promise.line}"


def details(promise: PromiseResult) -> Iterator[tuple[str, str]]:
    """Yield what there is to say of a broken promise, each with its name."""
    yield "expected", promise.expected
    yield "actual", promise.actual
    if promise.time is not None:
        yield "at", f"{promise.time:.6g} s"
    numbers = numbers_of(promise)
    if numbers:
        yield "numbers", numbers
    if promise.reason:
        yield "because", promise.reason
    if promise.move is not None:
        yield "mend", mending(promise)
    for n, clash in enumerate(promise.clashes):
        if n and n <= _SHOWN:
            yield "also", clash_words(clash)
        if clash.accepted and (not n or n <= _SHOWN):
            yield "accepted", clash.accepted
        elif clash.life and not n:
            yield "life", life_words(clash)
    left = promise.count - 1 - _SHOWN
    if left > 0:
        yield "also", f"{counted(left, 'more pair')}"
    if promise.picture is not None:
        yield "picture", promise.picture


def numbers_of(promise: PromiseResult) -> str:
    """Write the numbers of a promise that say something beside its words."""
    values = {name: value for name, value in promise.values.items() if value is not None}
    gap = values.pop("signed_distance", None)
    shown = {} if gap is None else {"signed distance": gap}
    shown |= {name: value for name, value in values.items() if name not in ("depth", "clearance")}
    missed = promise.clashes[0].miss if promise.clashes else None
    if missed is not None:
        shown["missed by"] = missed
    return ", ".join(f"{name} {value:.6g}" for name, value in shown.items())


def mending(promise: PromiseResult) -> str:
    """Say which move would mend a promise."""
    assert promise.move is not None
    x, y, z = promise.move
    if all(plain(part, digits=6) == "0" for part in promise.move):  # what touches is parted by less than is written
        return "part the two, which touch"
    far = (x * x + y * y + z * z) ** 0.5
    other = f", or {promise.a} the other way" if promise.a else ""
    return f"move {promise.b} by [{x:.6g}, {y:.6g}, {z:.6g}]{other}: {far:.6g} far"


def clash_words(clash: Clash) -> str:
    """Say of a pair how far apart it is, when that is, and whether it is new."""
    text = f"{clash.a or 'the point'} and {clash.b}"
    if clash.signed_distance is not None:
        gap = clash.signed_distance
        text += f" overlap by {-gap:.6g}" if gap < 0.0 else f" are {gap:.6g} apart" if gap else " touch"
    if clash.time is not None:
        text += f" at {clash.time:.6g} s"
    return f"{text} ({life_words(clash)})" if clash.life else text


def life_words(clash: Clash) -> str:
    """Say whether a clash is new or known, and whether it has changed."""
    if clash.life != "known" or clash.miss is None or clash.was is None or clash.miss == clash.was:
        return clash.life or ""
    return f"known, {'deeper' if clash.miss > clash.was else 'less deep'} than before: missed by {clash.was:.6g} then"


def summary(run: Run) -> str:
    """Return the last line: the sums, and how many scenes promise that nothing else collides, which counts as one."""
    sums = run.counts
    first = [f"{counted(sums.held, 'promise')} held", f"{sums.broken} broken"]
    first += [f"{sums.accepted} accepted"] if sums.accepted else []
    unsaid = sum(promise.kind == NOTHING_ELSE for scene in run.scenes for promise in scene.promises)
    rest = [
        (unsaid, f"{counted(unsaid, 'scene')} promise{'s' if unsaid == 1 else ''} that nothing else collides"),
        (sums.failed, f"{counted(sums.failed, 'scene')} could not be tested"),
        (sums.silent, f"in {counted(sums.silent, 'scene')} nothing was tested"),
        (sums.left_out, f"{counted(sums.left_out, 'part')} left out"),
        (sums.ignored, f"{counted(sums.ignored, 'pair')} ignored"),
        (sums.hidden, f"{counted(sums.hidden, 'shape')} hidden"),
        (sums.new, f"{sums.new} new"),
        (sums.known, f"{sums.known} known"),
        (sums.gone, f"{sums.gone} gone"),
        (sums.other_files, f"{counted(sums.other_files, 'other .toml file')} passed by"),
    ]
    parts = [", ".join(first), *(text for count, text in rest if count)]
    return f"{counted(sums.scenes, 'scene')}: {'; '.join(parts)}"
