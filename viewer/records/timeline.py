"""The strip at the foot of a picture: the time of a motion, and when what touches. Pure arithmetic, no renderer."""

from __future__ import annotations

import math
from typing import NamedTuple

from collision import Scene, TouchingIntervals
from viewer.records.drawables import Timeline, TimelineRow
from viewer.records.pixels import Rect

#: A row for each pair, up to one for so many pixels of the picture's height, by heights of the text; and never more.
ROW_HEIGHT, MOST_ROWS = 13.3, 5

#: Lengths in units: the picture's margin, the padding of the plate, the gap beside the texts.
MARGIN, PAD, GAP = 16.0, 9.0, 10.0

#: The column of names, as a part of the picture's width, and its narrowest and widest in heights of the text.
NAMES, NARROWEST, WIDEST = 0.24, 11.5, 18.0

#: Height of a line, in heights of the text.
LEADING = 1.45


class Strip(NamedTuple):
    """Where the strip is in a picture.

    Attributes
    ----------
    plate : Rect
        All of it.
    track : Rect
        The part along which time runs.
    line : float
        Height of a line.
    timeline : Timeline
        What it shows.
    """

    plate: Rect
    track: Rect
    line: float
    timeline: Timeline

    @classmethod
    def of(cls, timeline: Timeline, size: tuple[int, int], unit: float, font: float) -> Strip:
        """Return the place of a strip.

        Parameters
        ----------
        timeline : Timeline
            What it shows.
        size : tuple of 2 ints
            Of the picture in pixels.
        unit : float
            Pixels in a unit of the theme.
        font : float
            Height of the text, in units.
        """
        text, margin, pad = font * unit, MARGIN * unit, PAD * unit
        line = LEADING * text
        lines = 2 + len(timeline.rows) + (timeline.more > 0) + timeline.kept
        plate = Rect(margin, margin, size[0] - 2.0 * margin, lines * line + 2.0 * pad)
        names = min(max(NAMES * size[0], NARROWEST * text), WIDEST * text, 0.5 * plate.width)
        left, right = plate.x + pad + names + GAP * unit, plate.x + plate.width - 2.0 * pad
        return cls(plate, Rect(left, plate.y + pad, max(right - left, 1.0), lines * line), line, timeline)

    def x_of(self, time: float) -> float:
        """Return where a time stands."""
        part = (time - self.timeline.start) / (self.timeline.stop - self.timeline.start)
        return self.track.x + min(max(part, 0.0), 1.0) * self.track.width

    def row_at(self, x: float, y: float) -> int | None:
        """Return the row whose name is at a pixel, 0 for that of the time; None where there is none."""
        row = int((self.track.y + self.track.height - y) // self.line)
        return row if x < self.track.x and 0 <= row <= len(self.timeline.rows) else None

    def time_at(self, x: float) -> float:
        """Return the time at a place, the nearest that there is.

        Examples
        --------
        >>> strip = Strip(Rect(0, 0, 100, 20), Rect(20, 0, 80, 20), 10, Timeline(0, 4, 0))
        >>> strip.time_at(60), strip.time_at(5), strip.time_at(200)
        (2.0, 0.0, 4.0)
        """
        part = min(max((x - self.track.x) / self.track.width, 0.0), 1.0)
        return float(self.timeline.start + part * (self.timeline.stop - self.timeline.start))


def row_count(size: tuple[int, int], font: float) -> int:
    """Return how many rows of pairs a picture of a size has room for, in a text that is so high, in units."""
    return min(max(int(size[1] / (ROW_HEIGHT * font)), 1), MOST_ROWS)


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
