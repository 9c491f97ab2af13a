"""The strip of the time: when what touches, as far as there is room for it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from collision import Scene, TouchingIntervals
from viewer.records.commands import Command
from viewer.records.drawables import Timeline, TimelineRow

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
    touching, span = player.touching, scene.span
    if touching is None or span is None or span[0] == span[1]:
        return None
    room = int(session.viewport.size[1] / (ROW_HEIGHT * session.settings.theme.font_size))
    rows, more = timeline_rows(settled, touching, min(max(room, 1), MOST_ROWS), player.time)
    state = (player.time, player.playing, player.speed, player.loop)
    if scene is not settled:
        # As high as before: panels do not jump when it is let go.
        return Timeline(*span, *state, kept=len(rows) + (more > 0), still=still)
    merged = tuple(map(tuple, touching.merged().tolist()))
    if session.pending or session.prompt is not None:
        return Timeline(*span, *state, merged, rows, more, still=still)
    rows = tuple([row._replace(does=_showing(row, player.time)) for row in rows])
    does = Command("player.play_or_pause"), Command("player.scrub")
    return Timeline(*span, *state, merged, rows, more, 0, still, *does)


def _showing(row: TimelineRow, time: float) -> Command:
    """Return the command that shows a pair while it touches: now, or else the next time that it does, or the first."""
    if any(begin <= time <= end for begin, end in row.intervals):
        return Command("selection.show_pair", *row.pair)
    begins = [begin for begin, _ in row.intervals]
    return Command("selection.show_pair", *row.pair, next((begin for begin in begins if begin > time), begins[0]))


def timeline_rows(
    scene: Scene, touches: TouchingIntervals, count: int, time: float = math.nan
) -> tuple[tuple[TimelineRow, ...], int]:
    """Return rows for some of the pairs that touch, and how many more there are.

    Those that touch all the time come last: they have no story. Where there is not room for all, those that touch at
    the time have it first.
    """
    intervals: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for (a, b), begin, end in zip(touches.pairs.tolist(), touches.begin.tolist(), touches.end.tolist(), strict=True):
        intervals.setdefault((a, b), []).append((begin, end))
    order = sorted(
        intervals, key=lambda pair: (intervals[pair] == [(touches.start, touches.stop)], intervals[pair][0], pair)
    )
    # A row that says "and 1 more" takes as much room as the one that it stands for.
    count += len(order) == count + 1
    apart = [pair for pair in order if not any(begin <= time <= end for begin, end in intervals[pair])]
    shown = [pair for pair in order if pair not in apart][:count]
    shown = sorted([*shown, *apart[: count - len(shown)]], key=order.index)
    rows = (TimelineRow((scene.element_name(a), scene.element_name(b)), tuple(intervals[a, b])) for a, b in shown)
    return tuple(rows), max(len(order) - count, 0)
