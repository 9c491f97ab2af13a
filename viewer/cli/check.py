"""The command that lists which pairs of a scene collide: as text for people, and as JSON for programs."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from viewer.cli.errors import ExitCode, MistakeError
from viewer.cli.options import MAX_PAIRS, Flag, QuietFlag, ScenePath, WholeNumber, check_margin, read_scene, time_of
from viewer.cli.output import Table, compile_notice, print_rich, to_json
from viewer.records.words import counted, plain

if TYPE_CHECKING:
    from collision import Contacts, FirstContacts, Scene, TouchingIntervals
    from collision.importers import Skipped
    from collision.inner import FloatArray
    from viewer.files.loading import Loaded

#: The version of the JSON below; it grows when a key changes its meaning or goes, not when one is added.
JSON_VERSION = 1


def check(
    scene: ScenePath,
    /,
    *,
    margin: float = 0.0,
    at: float | None = None,
    json: Flag = False,
    fail_on_collision: Flag = False,
    strict: Flag = False,
    max_pairs: WholeNumber = MAX_PAIRS,
    quiet: QuietFlag = False,
) -> ExitCode:
    """List the pairs of shapes that collide: names, depth, contact point and normal.

    Of a scene with a motion, list the pairs that touch during it, and when.

    Parameters
    ----------
    at
        Look at this time of a motion alone, in seconds.
    margin
        List also the pairs that are no further apart than this, in scene units.
    json
        Write JSON to stdout, and nothing else.
    fail_on_collision
        Exit with code 10 if a pair is listed, and with 4 if there is no pair that could be.
    strict
        Exit with code 4 if parts of a model were left out, or no pair is tested; a pair that is found comes first.
    max_pairs
        List no more pairs (of a motion, no more times) than this, and say how many there are.
    quiet
        List nothing, and only say whether there is a pair: by a sentence and the exit code.
    """
    check_margin(margin)
    if max_pairs < 0:
        raise MistakeError(f"--max-pairs must be a whole number, zero or more, got {max_pairs}")
    if quiet and json:
        raise MistakeError("expected --quiet or --json, got both")
    loaded = read_scene(scene, quiet=json)
    still = loaded.at(time_of(loaded, at))
    moves = loaded.scene.span is not None and at is None
    if json:
        found = _print_json(str(scene), loaded, still, margin, at, max_pairs)
    elif moves:
        found = _print_intervals(loaded.scene, margin, 0 if quiet else max_pairs)
    elif quiet:
        found = _print_any(still.scene, margin, time_words(loaded, at))
    else:
        found = print_contacts(still.scene, margin, time_words(loaded, at), max_pairs)
    if loaded.skipped and not json:
        count = len(loaded.skipped)
        print_rich(f"{counted(count, 'part')} of the model {'is' if count == 1 else 'are'} left out, and not tested.")
    if fail_on_collision and found:
        return ExitCode.BROKEN
    return _unless_untested(loaded, fail_on_collision, strict)


def _unless_untested(loaded: Loaded, fails: bool, strict: bool) -> ExitCode:
    """Return what it means that no pair was found, and say on stderr where it means nothing."""
    name = loaded.path.name
    if (fails or strict) and not pair_count(loaded.scene):
        print(f"{name}: no pair of shapes is tested, so that nothing can be said of it", file=sys.stderr)
        return ExitCode.NOTHING_TESTED
    if strict and loaded.skipped:
        print(f"{name}: --strict wants all of it, and parts were left out", file=sys.stderr)
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


def contact_table(scene: Scene, contacts: Contacts, *, signed: bool = False) -> Table:
    """Return contacts as a table, with signed distances (for contacts with a margin) or depths."""
    amounts = contacts.signed_distance if signed else contacts.depth
    points, normals = _columns(contacts.point), _columns(contacts.normal)
    rows = (
        (scene.element_name(int(a)), scene.element_name(int(b)), plain(amount, 0.0), point, normal)
        for (a, b), amount, point, normal in zip(contacts.pairs, amounts, points, normals, strict=True)
    )
    header = ("A", "B", "signed distance" if signed else "depth", "contact point", "normal A to B")
    return Table(header, rows, right=(2,))


def time_words(loaded: Loaded, at: float | None) -> str:
    """Return the words for a time of a motion, at which contacts are listed; none for a scene without motion."""
    if loaded.scene.span is None:
        return ""
    return f" at the start (t = {loaded.scene.span[0]:g})" if at is None else f" at {at:g} s"


def summary(scene: Scene, pairs: int, margin: float = 0.0, when: str = "") -> str:
    """Say in one sentence how many pairs were found.

    Examples
    --------
    >>> from collision import Scene, Sphere
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1.5, 0, 0], 1)})
    >>> summary(scene, 1)
    '1 pair of 2 shapes collides.'
    >>> summary(scene.ignoring(("a", "b")), 0)
    'No pair of 2 shapes collides; 1 pair ignored.'
    >>> summary(scene.without("a"), 0)
    'Nothing can collide: the scene has only 1 shape.'
    """
    from viewer.picture.notes import half_space_pairs, half_spaces_note, ignored_count, ignored_note

    shapes = scene.element_count
    if shapes < 2:
        return f"Nothing can collide: the scene has {'only 1 shape' if shapes else 'no shapes'}."
    among = f"{counted(pairs, 'pair') if pairs else 'No pair'} of {counted(shapes, 'shape')}"
    many = pairs > 1
    near = f"{'are' if many else 'is'} within {margin:g} of each other"
    found = near if margin else "collide" if many else "collides"
    notes = filter(None, (ignored_note(ignored_count(scene)), half_spaces_note(half_space_pairs(scene))))
    return "; ".join([f"{among} {found}{when}", *notes]) + "."


def moving_summary(scene: Scene, found: TouchingIntervals, *, margin: float = 0.0) -> str:
    """Say in one sentence how many pairs touch during a motion.

    Examples
    --------
    >>> from collision import Motion, Scene, Sphere, touching_intervals
    >>> fly = Motion("b", times=[0, 4], offsets=[[0, 0, 0], [-8, 0, 0]])
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)}, motion=[fly])
    >>> moving_summary(scene, touching_intervals(scene))
    '1 pair of 2 shapes collides during the motion, from 0 to 4 s.'
    """
    pairs = len({(a, b) for a, b in found.pairs.tolist()})
    return summary(scene, pairs, margin, f" during the motion, from {found.start:g} to {found.stop:g} s")


def print_contacts(scene: Scene, margin: float = 0.0, when: str = "", most: int = MAX_PAIRS) -> int:
    """Print the pairs that collide, so many at most, and when that is; return how many there are."""
    with compile_notice():
        contacts, _, count = scene.first_contacts(most, margin=margin)
    if len(contacts):
        print_rich(contact_table(scene, contacts, signed=margin > 0.0))
    _print_left(count, len(contacts), "pair")
    print_rich(summary(scene, count, margin, when))
    return count


def _print_any(scene: Scene, margin: float, when: str) -> bool:
    """Print whether any pair collides; nothing else is worked out for it."""
    with compile_notice():
        found = scene.has_contact(margin=margin)
    near = f"is within {margin:g} of each other" if margin else "collides"
    among = counted(scene.element_count, "shape")
    print_rich(f"At least one pair of {among} {near}{when}." if found else summary(scene, 0, margin, when))
    return found


def _print_intervals(scene: Scene, margin: float, most: int) -> int:
    """Print when pairs touch during a motion, so many times at most, and return how many there are."""
    from collision import touching_intervals

    with compile_notice():
        found = touching_intervals(scene, margin=margin)
    shown = min(len(found), most)
    if shown:
        rows = ((a, b, f"{begin:.6g}", f"{end:.6g}") for a, b, begin, end in _intervals(scene, found, shown))
        print_rich(Table(("A", "B", "from (s)", "to (s)"), rows, right=(2, 3)))
    if most:
        _print_left(len(found), shown, "time")
    print_rich(moving_summary(scene, found, margin=margin))
    return len(found)


def _print_left(count: int, shown: int, what: str) -> None:
    if count > shown:
        print_rich(f"... and {counted(count - shown, what)} more: --max-pairs says how many are listed.")


def _intervals(scene: Scene, found: TouchingIntervals, most: int) -> Iterator[tuple[str, str, float, float]]:
    """Yield the names of the pair, the begin and the end of the first intervals."""
    columns = (found.pairs[:most].tolist(), found.begin[:most].tolist(), found.end[:most].tolist())
    for (a, b), begin, end in zip(*columns, strict=True):
        yield scene.element_name(a), scene.element_name(b), begin, end


def skipped_lines(skipped: Sequence[Skipped]) -> list[str]:
    """Say what of a foreign model was left out, a line for each reason.

    Examples
    --------
    >>> from collision.importers import Skipped
    >>> skipped_lines([Skipped("floor", "plane", "it is infinite"), Skipped("sky", "plane", "it is infinite")])
    ['left out: floor, sky (plane): it is infinite']
    """
    reasons: dict[tuple[str, str], list[str]] = {}
    for part in skipped:
        reasons.setdefault((part.kind, part.reason), []).append(part.name)
    return [f"left out: {', '.join(names)} ({kind}): {reason}" for (kind, reason), names in reasons.items()]


# -- as JSON -----------------------------------------------------------------------------------------------------------


def _print_json(source: str, loaded: Loaded, still: Loaded, margin: float, time: float | None, most: int) -> int:
    """Print the contacts as JSON, and return how many there are.

    The keys are stable. The pairs are those at a time of a motion, or those at its start where the time is null;
    ``count`` says how many there are, ``truncated`` whether fewer are listed, and ``normal`` points from a to b.
    Numbers are written to the last bit; the distance and the depth of two that no move parts are null.
    """
    from viewer.picture.notes import ignored_count

    scene, moving = still.scene, None
    with compile_notice():
        found = scene.first_contacts(most, margin=margin)
        if loaded.scene.motion and time is None:
            from collision import touching_intervals

            moving = touching_intervals(loaded.scene, margin=margin)
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
        "truncated": found.total > len(found.contacts),
        "motion": None if moving is None else _json_motion(scene, moving, most),
        "skipped": [part._asdict() for part in loaded.skipped],
        "notes": list(loaded.notes),
    }
    # A point on one line. No text can match: line ends inside of texts are escaped.
    numbers = r"\[\n\s+([-+.\de]+),\n\s+([-+.\de]+),\n\s+([-+.\de]+)\n\s+\]"
    print(re.sub(numbers, r"[\1, \2, \3]", to_json(document)))
    return found.total if moving is None else len(moving)


def _json_motion(scene: Scene, moving: TouchingIntervals, most: int) -> dict[str, Any]:
    names = ("a", "b", "begin", "end")
    intervals = [dict(zip(names, one, strict=True)) for one in _intervals(scene, moving, most)]
    counts = {"count": len(moving), "truncated": len(moving) > most}
    return {"start": moving.start, "stop": moving.stop, **counts, "intervals": intervals}


def _json_pairs(scene: Scene, found: FirstContacts) -> Iterator[dict[str, Any]]:
    contacts, colliding, _ = found
    depths = contacts.depth
    for row, (a, b) in enumerate(contacts.pairs):
        yield {
            "a": scene.element_name(int(a)),
            "b": scene.element_name(int(b)),
            "colliding": bool(colliding[row]),
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


def _columns(vectors: FloatArray) -> list[str]:
    """Write vectors with their numbers in columns, so that they can be compared by eye."""
    texts = []
    for row in vectors.tolist():
        # Beside the largest coordinate, a tiny one is rounding: it is shown as zero.
        noise = 1e-9 * max(map(abs, row))
        texts.append([plain(0.0 if abs(value) < noise else value, 0.0) for value in row])
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return ["  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)) for row in texts]
