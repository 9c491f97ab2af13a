"""The contacts of a scene as text for people, and as JSON for programs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from collision import Contacts, FirstContacts, Scene
from viewer.cli.options import MAX_PAIRS
from viewer.cli.output import compile_notice, print_rich, to_json
from viewer.picture.notes import half_space_pairs, half_spaces_note, ignored_count, ignored_note
from viewer.records.words import counted, plain

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.text import Text

    from collision import TouchingIntervals
    from collision.importers import Skipped
    from collision.inner import FloatArray
    from viewer.files.loading import Loaded

#: The version of the JSON below; it grows when a key changes its meaning or goes, not when one is added.
JSON_VERSION = 1


class ContactTable:
    """The contacts as a table, a line each; stacked, where the terminal is too narrow for that.

    Parameters
    ----------
    scene : Scene
        Has the names.
    contacts : Contacts
        What `Scene.contacts` returned.
    signed : bool
        Whether to give signed distances (for contacts with a margin), rather than depths.
    """

    def __init__(self, scene: Scene, contacts: Contacts, *, signed: bool = False) -> None:
        self.header = ("A", "B", "signed distance" if signed else "depth", "contact point", "normal A to B")
        amounts = contacts.signed_distance if signed else contacts.depth
        points = _columns(contacts.point)
        normals = _columns(contacts.normal)
        self.rows = [
            (scene.element_name(int(a)), scene.element_name(int(b)), plain(amount, 0.0), point, normal)
            for (a, b), amount, point, normal in zip(contacts.pairs, amounts, points, normals, strict=True)
        ]

    def lines(self, *, encoding: str = "utf-8") -> Iterator[str]:
        """Yield the table's lines, as long as they are, of what can be written in an encoding."""
        # Rich's own table takes a millisecond a row: too long for the thousands of pairs of a crowd.
        rows = [_written(row, encoding) for row in self.rows]
        widths = _widths(self.header, *rows)
        yield _line(self.header, widths)
        yield _rule(widths, encoding)
        yield from (_line(row, widths) for row in rows)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        header, rule, *rows = self.lines(encoding=options.encoding)
        if len(rule) > options.max_width:
            yield from self._stacked()
            return
        yield Text(header, style="bold", no_wrap=True, overflow="ignore")
        yield from (Text(line, no_wrap=True, overflow="ignore") for line in (rule, *rows))

    def _stacked(self) -> Iterator[Text]:
        from rich.text import Text

        for a, b, *values in self.rows:
            yield Text(f"{a}  {b}", style="bold", overflow="fold")
            for title, value in zip(self.header[2:], values, strict=True):
                yield Text(f"    {title:<15} {value}", overflow="fold")


_GAP = "   "


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return a row of a table: numbers to the right, the rest to the left, nothing behind the last."""
    padded = [_padded(cell, width) for cell, width in zip(cells, widths, strict=True)]
    padded[2] = cells[2].rjust(widths[2])
    return _GAP.join(padded).rstrip()


def _padded(cell: str, width: int) -> str:
    return cell + " " * (width - _width(cell))


def _width(text: str) -> int:
    """Return how many columns of a terminal a text needs."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _widths(*rows: Sequence[str]) -> list[int]:
    """Return how many columns of a terminal each column of a table needs."""
    return [max(map(_width, column)) for column in zip(*rows, strict=True)]


def _rule(widths: Sequence[int], encoding: str) -> str:
    return ("─" if encoding.lower().startswith("utf") else "-") * (sum(widths) + len(_GAP) * (len(widths) - 1))


def _written(cells: Iterable[str], encoding: str) -> tuple[str, ...]:
    """Return cells as they are written in an encoding, as streams do it: what it lacks is longer there."""
    return tuple(c if c.isascii() else c.encode(encoding, "backslashreplace").decode(encoding) for c in cells)


def when(loaded: Loaded, at: float | None) -> str:
    """Say of which time of a motion it is that contacts are told; nothing of a scene without one."""
    if loaded.scene.span is None:
        return ""
    return f" at the start (t = {loaded.scene.span[0]:g})" if at is None else f" at {at:g} s"


def summary(scene: Scene, pairs: int, margin: float = 0.0, when: str = "") -> str:
    """Say in one sentence how many pairs were found.

    Examples
    --------
    >>> from collision import Sphere
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1.5, 0, 0], 1)})
    >>> summary(scene, 1)
    '1 pair of 2 shapes collides.'
    >>> summary(scene.ignoring(("a", "b")), 0)
    'No pair of 2 shapes collides; 1 pair ignored.'
    >>> summary(scene.without("a"), 0)
    'Nothing can collide: the scene has only 1 shape.'
    """
    shapes = scene.element_count
    if shapes < 2:
        return f"Nothing can collide: the scene has {'only 1 shape' if shapes else 'no shapes'}."
    among = f"{counted(pairs, 'pair') if pairs else 'No pair'} of {counted(shapes, 'shape')}"
    many = pairs > 1
    near = f"{'are' if many else 'is'} within {margin:g} of each other"
    found = near if margin else "collide" if many else "collides"
    notes = filter(None, (ignored_note(ignored_count(scene)), half_spaces_note(half_space_pairs(scene))))
    return "; ".join([f"{among} {found}{when}", *notes]) + "."


class IntervalTable:
    """When pairs touch, a line for each interval.

    Parameters
    ----------
    scene : Scene
        Has the names.
    found : TouchingIntervals
        What `collision.touching_intervals` returned.
    most : int
        How many intervals to show at most.
    """

    def __init__(self, scene: Scene, found: TouchingIntervals, most: int) -> None:
        self.rows = [("A", "B", "from (s)", "to (s)")]
        for (a, b), begin, end in _rows(found, most):
            self.rows.append((scene.element_name(a), scene.element_name(b), f"{begin:.6g}", f"{end:.6g}"))

    def lines(self, *, encoding: str = "utf-8") -> Iterator[str]:
        """Yield the table's lines, as long as they are, of what can be written in an encoding."""
        rows = [_written(row, encoding) for row in self.rows]
        widths = _widths(*rows)
        for number, cells in enumerate(rows):
            names = [_padded(cell, width) for cell, width in zip(cells[:2], widths[:2], strict=True)]
            times = [cell.rjust(width) for cell, width in zip(cells[2:], widths[2:], strict=True)]
            yield _GAP.join([*names, *times])
            if not number:
                yield _rule(widths, encoding)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.text import Text

        for number, line in enumerate(self.lines(encoding=options.encoding)):
            if number == 1:
                yield Text(line, no_wrap=True, overflow="crop")
            else:
                yield Text(line, style="" if number else "bold", overflow="fold")


def moving_summary(scene: Scene, found: TouchingIntervals, *, margin: float = 0.0) -> str:
    """Say in one sentence how many pairs touch during a motion.

    Examples
    --------
    >>> from collision import Motion, Sphere, touching_intervals
    >>> fly = Motion("b", times=[0, 4], offsets=[[0, 0, 0], [-8, 0, 0]])
    >>> scene = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([5, 0, 0], 1)}, motion=[fly])
    >>> moving_summary(scene, touching_intervals(scene))
    '1 pair of 2 shapes collides during the motion, from 0 to 4 s.'
    """
    pairs = len(np.unique(found.pairs, axis=0))
    return summary(scene, pairs, margin, f" during the motion, from {found.start:g} to {found.stop:g} s")


def print_contacts(loaded: Loaded, margin: float = 0.0, when: str = "", most: int = MAX_PAIRS) -> int:
    """Print the pairs that collide, so many at most, and when that is; return how many there are."""
    with compile_notice():
        contacts, _, count = loaded.scene.first_contacts(most, margin=margin)
    if len(contacts):
        print_rich(ContactTable(loaded.scene, contacts, signed=margin > 0.0))
    _print_left(count, len(contacts), "pair")
    print_rich(summary(loaded.scene, count, margin, when))
    return count


def print_any(loaded: Loaded, margin: float, when: str) -> bool:
    """Print whether any pair collides; nothing else is worked out for it."""
    with compile_notice():
        found = loaded.scene.has_contact(margin=margin)
    near = f"is within {margin:g} of each other" if margin else "collides"
    among = counted(loaded.scene.element_count, "shape")
    print_rich(f"At least one pair of {among} {near}{when}." if found else summary(loaded.scene, 0, margin, when))
    return found


def print_intervals(loaded: Loaded, margin: float, most: int = MAX_PAIRS) -> int:
    """Print when pairs touch during a motion, so many times at most, and return how many there are."""
    with compile_notice():
        found = intervals_of(loaded, margin)
    assert found is not None  # for type checkers: there is a motion
    shown = min(len(found), most)
    if shown:
        print_rich(IntervalTable(loaded.scene, found, shown))
    if most:
        _print_left(len(found), shown, "time")
    print_rich(moving_summary(loaded.scene, found, margin=margin))
    return len(found)


def _print_left(count: int, shown: int, what: str) -> None:
    if count > shown:
        print_rich(f"... and {counted(count - shown, what)} more: --max-pairs says how many are listed.")


def intervals_of(loaded: Loaded, margin: float) -> TouchingIntervals | None:
    """Return when pairs touch; None where nothing moves."""
    if not loaded.scene.motion:
        return None
    from collision import touching_intervals

    return touching_intervals(loaded.scene, margin=margin)


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


def print_left_out(skipped: Sequence[Skipped]) -> None:
    """Print how many parts of a model were left out, if there are any; which they are is told on stderr."""
    if skipped:
        count = len(skipped)
        print_rich(f"{counted(count, 'part')} of the model {'is' if count == 1 else 'are'} left out, and not tested.")


def count_tested_pairs(scene: Scene) -> int:
    """Return how many pairs of elements are tested: all that are not ignored.

    Examples
    --------
    >>> from collision import Sphere
    >>> crowd = Scene({"crowd": Sphere(np.zeros((4, 3)), 1)})
    >>> count_tested_pairs(crowd), count_tested_pairs(crowd.ignoring(("crowd", "crowd")))
    (6, 0)
    """
    return scene.element_count * (scene.element_count - 1) // 2 - ignored_count(scene)


def contacts_json(
    source: str,
    loaded: Loaded,
    found: FirstContacts,
    *,
    margin: float,
    time: float | None = None,
    moving: TouchingIntervals | None = None,
    most: int = MAX_PAIRS,
) -> str:
    """Write the contacts as JSON.

    The keys are stable: ``version``, ``scene``, ``title``, ``shapes``, ``ignored`` (how many pairs are), ``margin``,
    ``time``, ``pairs``, ``count`` (of the pairs there are), ``truncated`` (whether fewer are listed), ``motion``,
    ``skipped`` and ``notes``. The pairs are those at a time of a motion, or those at
    its start where the time is null; ``motion`` is null, or has ``start``, ``stop``, ``count``, ``truncated`` and
    ``intervals``, each with ``a``, ``b``, ``begin`` and ``end``. A pair has ``a``, ``b``, ``colliding``,
    ``signed_distance``, ``depth``,
    ``point``, ``normal`` (from a to b), ``on_a`` and ``on_b``; a skipped part has ``name``, ``kind`` and ``reason``.
    Numbers are written to the last bit; the distance and the depth of two that no move parts are null.
    """
    document = {
        "version": JSON_VERSION,
        "scene": source,
        "title": loaded.scene.title,
        "shapes": loaded.scene.element_count,
        "ignored": ignored_count(loaded.scene),
        "margin": margin,
        "time": time,
        "pairs": list(_json_pairs(loaded.scene, found)),
        "count": found.total,
        "truncated": found.total > len(found.contacts),
        "motion": None if moving is None else _json_motion(loaded.scene, moving, most),
        "skipped": [part._asdict() for part in loaded.skipped],
        "notes": list(loaded.notes),
    }
    text = to_json(document)
    # A point on one line. No text can match: line ends inside of texts are escaped.
    return re.sub(r"\[\n\s+([-+.\de]+),\n\s+([-+.\de]+),\n\s+([-+.\de]+)\n\s+\]", r"[\1, \2, \3]", text)


def _rows(found: TouchingIntervals, most: int) -> Iterator[tuple[list[int], float, float]]:
    """Yield the pair, the begin and the end of the first intervals."""
    columns = (found.pairs[:most].tolist(), found.begin[:most].tolist(), found.end[:most].tolist())
    return zip(*columns, strict=True)


def _json_motion(scene: Scene, moving: TouchingIntervals, most: int) -> dict[str, Any]:
    intervals = [
        {"a": scene.element_name(a), "b": scene.element_name(b), "begin": begin, "end": end}
        for (a, b), begin, end in _rows(moving, most)
    ]
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
    return float(value) if np.isfinite(value) else None


def _columns(vectors: FloatArray) -> list[str]:
    """Write vectors with their numbers in columns, so that they can be compared by eye."""
    # Beside the largest coordinate, a tiny one is rounding: it is shown as zero.
    largest = np.max(np.abs(vectors), axis=-1, keepdims=True, initial=0.0)
    shown = np.where(np.abs(vectors) < 1e-9 * largest, 0.0, vectors)
    texts = [[plain(value, 0.0) for value in vector] for vector in shown]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    return ["  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)) for row in texts]
