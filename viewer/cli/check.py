"""The command that lists which pairs of a scene collide: as text for people, and as JSON for programs."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from viewer.cli.contacts import print_contacts, print_left, summary, time_words
from viewer.cli.errors import ExitCode, MistakeError
from viewer.cli.options import (
    MAX_PAIRS,
    UNCHANGED,
    Flag,
    FormatOption,
    Margin,
    ModelFlags,
    QuietFlag,
    ScenePath,
    WholeNumber,
    read_scene,
    time_of,
)
from viewer.cli.output import JSON_VERSION, Table, compile_notice, print_rich, to_json
from viewer.records.words import counted

if TYPE_CHECKING:
    from collision import FirstContacts, Scene, TouchingIntervals
    from viewer.files.loading import Loaded


def check(
    scene: ScenePath,
    /,
    *,
    margin: Margin = 0.0,
    at: float | None = None,
    touching: Flag = False,
    report_only: Flag = False,
    format: FormatOption = "text",
    strict: Flag = False,
    max_pairs: WholeNumber = MAX_PAIRS,
    model: ModelFlags = UNCHANGED,
    quiet: QuietFlag = False,
) -> ExitCode:
    """List the pairs of shapes that collide: depth, contact point and normal; exit with code 10 if any overlap.

    For a scene with a motion, list the pairs that touch during it, and when. The exit code is 0 if no pair overlaps,
    also where there is no pair that could: a line on stderr says so, and --strict makes it 4.

    Parameters
    ----------
    at
        Look at this time of a motion alone, in seconds.
    margin
        List also the pairs that are no further apart than this, in scene units; each of them gives exit code 10, too.
    touching
        Exit with code 10 also if shapes only touch, and none overlaps.
    report_only
        Exit with code 0 whatever collides.
    strict
        Exit with code 4 if parts of a model were left out, or no pair is tested; a pair that is found comes first.
    max_pairs
        List no more pairs (of a motion, no more times) than this, and say how many there are.
    """
    json = format == "json"
    if quiet and json:
        raise MistakeError("expected --quiet or --format json, got both")
    loaded = read_scene(scene, model, quiet=json)
    still = loaded.at(time_of(loaded, at))
    moves = loaded.scene.span is not None and at is None
    touching = touching or margin > 0.0
    if json:
        found = _print_json(str(scene), loaded, still, margin, at, max_pairs, touching)
    elif moves:
        found = _print_intervals(loaded.scene, margin, max_pairs, touching, quiet=quiet)
    elif quiet:
        with compile_notice():
            found = still.scene.has_contact(margin=margin, touching=touching)
    else:
        listed = print_contacts(still.scene, margin, time_words(loaded, at), max_pairs)
        found = listed.total > (0 if touching else listed.only_touching)
    if loaded.skipped and not (json or quiet):
        count = len(loaded.skipped)
        print_rich(f"{counted(count, 'part')} of the model {'is' if count == 1 else 'are'} left out, and not tested.")
    if found:
        return ExitCode.FINE if report_only else ExitCode.BROKEN
    return _nothing_found(loaded, strict, quiet)


def _nothing_found(loaded: Loaded, strict: bool, quiet: bool) -> ExitCode:
    """Return what it means that no pair was found, and say on stderr where it means nothing."""
    name = loaded.path.name
    if not pair_count(loaded.scene):
        if strict or not quiet:
            print(f"{name}: no pair of shapes is tested, so nothing can be said about it", file=sys.stderr)
        return ExitCode.NOTHING_TESTED if strict else ExitCode.FINE
    if strict and loaded.skipped:
        print(f"{name}: parts of the model were left out, and --strict requires all of it", file=sys.stderr)
        return ExitCode.NOTHING_TESTED
    return ExitCode.FINE


def pair_count(scene: Scene) -> int:
    """Return how many pairs of elements are tested: all that are not ignored.

    Examples
    --------
    >>> from collision import Scene, Sphere
    >>> crowd = Scene({"crowd": Sphere([[0, 0, 0]] * 4, 1)})
    >>> pair_count(crowd), pair_count(crowd.ignoring(("crowd", "crowd")))
    (6, 0)
    """
    from viewer.picture.notes import ignored_count

    return scene.element_count * (scene.element_count - 1) // 2 - ignored_count(scene)


# -- as text -----------------------------------------------------------------------------------------------------------


class _Interval(NamedTuple):
    """When two shapes touch during a motion, or are near, and whether they overlap then."""

    a: str
    b: str
    begin: float
    end: float
    overlap: bool


def _times(scene: Scene, margin: float, most: int, touching: bool) -> tuple[TouchingIntervals, list[_Interval], bool]:
    """Return when pairs touch during a motion, the first of these, and whether there is one that counts."""
    from collision import touching_intervals
    from collision.inner import only_touching

    with compile_notice():
        found = touching_intervals(scene, margin=margin)
        touches = only_touching(scene, found)
        bad = len(found) > 0 if touching else not touches.all()
    columns = (column[:most].tolist() for column in (found.pairs, found.begin, found.end, ~touches))
    names = scene.element_name
    return found, [_Interval(names(i), names(j), *span) for (i, j), *span in zip(*columns, strict=True)], bad


def _print_intervals(scene: Scene, margin: float, most: int, touching: bool, *, quiet: bool) -> bool:
    """Print when pairs touch during a motion, so many times at most, and return whether there is one that counts."""
    found, listed, bad = _times(scene, margin, 0 if quiet else most, touching)
    if quiet:
        return bad
    if listed:
        some = not margin and not all(one.overlap for one in listed)
        words = {True: "", False: "touching"}
        cells = ((one.a, one.b, f"{one.begin:.6g}", f"{one.end:.6g}", words[one.overlap]) for one in listed)
        header = ("A", "B", "from (s)", "to (s)", "")
        print_rich(Table(header[: 4 + some], (row[: 4 + some] for row in cells), right=(2, 3)))
    print_left(len(found), len(listed), "time")
    pairs = len({(a, b) for a, b in found.pairs.tolist()})
    alone = pairs if not (bad or touching) else 0
    during = f" during the motion, from {found.start:g} to {found.stop:g} s"
    print_rich(summary(scene, pairs, margin, during, alone))
    return bad


# -- as JSON -----------------------------------------------------------------------------------------------------------


def _print_json(
    source: str, loaded: Loaded, still: Loaded, margin: float, time: float | None, most: int, touching: bool
) -> bool:
    """Print the contacts as JSON, and return whether there is one that counts.

    The keys are stable. The pairs are those at a time of a motion, or those at its start where the time is null;
    ``count`` says how many there are, ``touching`` how many of them only touch, ``truncated`` whether fewer are listed,
    and ``normal`` points from a to b. Numbers are written to the last bit; the distance and the depth of two that no
    move parts are null.
    """
    from viewer.picture.notes import ignored_count

    scene, moving = still.scene, None
    with compile_notice():
        found = scene.first_contacts(most, margin=margin)
    bad = found.total > (0 if touching else found.only_touching)
    if loaded.scene.motion and time is None:
        times, listed, bad = _times(loaded.scene, margin, most, touching)
        counts = {"count": len(times), "truncated": len(times) > most}
        moving = {
            "start": times.start,
            "stop": times.stop,
            **counts,
            "intervals": [one._asdict() for one in listed],
        }
    document = {
        "version": JSON_VERSION,
        "scene": source,
        "title": scene.title,
        "shapes": scene.element_count,
        "ignored": ignored_count(scene),
        "margin": margin,
        "time": time,
        "pairs": list(_json_pairs(scene, found)),
        "count": found.total,
        "touching": found.only_touching,
        "truncated": found.total > len(found.contacts),
        "motion": moving,
        "skipped": [part._asdict() for part in loaded.skipped],
        "notes": list(loaded.notes),
    }
    # A point on one line. No text can match: line ends inside of texts are escaped.
    numbers = r"\[\n\s+([-+.\de]+),\n\s+([-+.\de]+),\n\s+([-+.\de]+)\n\s+\]"
    print(re.sub(numbers, r"[\1, \2, \3]", to_json(document)))
    return bad


def _json_pairs(scene: Scene, found: FirstContacts) -> Iterator[dict[str, Any]]:
    contacts, colliding = found.contacts, found.colliding
    depths = contacts.depth
    for row, (a, b) in enumerate(contacts.pairs):
        yield {
            "a": scene.element_name(int(a)),
            "b": scene.element_name(int(b)),
            "colliding": bool(colliding[row]),
            "touching": bool(contacts.only_touching[row]),
            "signed_distance": _finite(contacts.signed_distance[row]),
            "depth": _finite(depths[row]),
            "point": contacts.point[row].tolist(),
            "normal": contacts.normal[row].tolist(),
            "on_a": contacts.on_a[row].tolist(),
            "on_b": contacts.on_b[row].tolist(),
        }


def _finite(value: float) -> float | None:
    """Return a number as JSON has it, which knows no infinity."""
    return float(value) if math.isfinite(value) else None
