"""The strip of the time: when what touches, as far as there is room for it."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from collision import Scene, TouchingIntervals
from collision.inner import BoolArray
from viewer.records.commands import Command
from viewer.records.drawables import Timeline, TimelineRow, TimelineSpan

if TYPE_CHECKING:
    from viewer.session import Session

#: A row for each pair, up to one for so many pixels of the picture's height, by heights of the text; and never more.
ROW_HEIGHT, MOST_ROWS = 13.3, 5


def timeline_of(session: Session, *, still: bool = False) -> Timeline | None:
    """Return the strip of the time; None without a motion.

    For as long as an edit is in hand, it has no touches: they were those of the scene before. While something is in
    hand or asked, the mouse does nothing on it.
    """
    player, scene, settled = session.player, session.resting, session.document.settled
    touching, only, span = player.touching, player.only_touching, scene.span
    if touching is None or only is None or span is None or span[0] == span[1]:
        return None
    room = int(session.viewport.size[1] / (ROW_HEIGHT * session.settings.theme.font_size))
    rows, more = timeline_rows(settled, touching, only, min(max(room, 1), MOST_ROWS), player.time)
    state = (player.time, player.playing, player.speed, player.loop)
    if scene is not settled:
        # As high as before: panels do not jump when it is let go.
        return Timeline(*span, *state, kept=len(rows) + (more > 0), still=still)
    merged, kept = merged_times(touching, only), 0
    if session.lesson.asks:
        merged, rows, more, kept = (), (), 0, len(rows) + (more > 0)
    if session.pending or session.prompt is not None:
        return Timeline(*span, *state, merged, rows, more, kept, still)
    rows = tuple([row._replace(does=_showing(row, player.time)) for row in rows])
    does = Command("player.play_or_pause"), Command("player.scrub")
    return Timeline(*span, *state, merged, rows, more, kept, still, *does)


def _showing(row: TimelineRow, time: float) -> Command:
    """Return the command that shows a pair while it touches: now, or else the next time that it does, or the first."""
    if any(begin <= time <= end for begin, end, _ in row.intervals):
        return Command("selection.show_pair", *row.pair)
    begins = [span.begin for span in row.intervals]
    return Command("selection.show_pair", *row.pair, next((begin for begin in begins if begin > time), begins[0]))


def timeline_rows(
    scene: Scene, touches: TouchingIntervals, only_touching: BoolArray, count: int, time: float = math.nan
) -> tuple[tuple[TimelineRow, ...], int]:
    """Return rows for some of the pairs that touch, and how many more there are.

    `only_touching` tells in which of their intervals they touch and no more. Pairs that touch all the time come last:
    they have no story. Where there is not room for all, those that touch at the time have it first.
    """
    intervals: dict[tuple[int, int], list[TimelineSpan]] = {}
    columns = (column.tolist() for column in (touches.pairs, touches.begin, touches.end, only_touching))
    for (a, b), *span in zip(*columns, strict=True):
        intervals.setdefault((a, b), []).append(TimelineSpan(*span))
    whole = (touches.start, touches.stop)
    order = sorted(intervals, key=lambda pair: (intervals[pair][0][:2] == whole, intervals[pair][0], pair))
    # A row that says "and 1 more" takes as much room as the one that it stands for.
    count += len(order) == count + 1
    apart = [pair for pair in order if not any(begin <= time <= end for begin, end, _ in intervals[pair])]
    shown = [pair for pair in order if pair not in apart][:count]
    shown = sorted([*shown, *apart[: count - len(shown)]], key=order.index)
    rows = (TimelineRow((scene.element_name(a), scene.element_name(b)), tuple(intervals[a, b])) for a, b in shown)
    return tuple(rows), max(len(order) - count, 0)


def merged_times(touches: TouchingIntervals, only_touching: BoolArray) -> tuple[TimelineSpan, ...]:
    """Return the times in which anything only touches, and then those in which anything collides.

    Examples
    --------
    >>> import numpy as np
    >>> found = TouchingIntervals(np.array([[0, 1], [0, 2]]), np.array([0.0, 3.0]), np.array([9.0, 4.0]), 0.0, 9.0)
    >>> [tuple(span) for span in merged_times(found, np.array([True, False]))]
    [(0.0, 9.0, True), (3.0, 4.0, False)]
    """
    spans = list[TimelineSpan]()
    for touching, rows in ((True, only_touching), (False, ~only_touching)):
        some = replace(touches, pairs=touches.pairs[rows], begin=touches.begin[rows], end=touches.end[rows])
        spans += [TimelineSpan(begin, end, touching) for begin, end in some.merged().tolist()]
    return tuple(spans)
