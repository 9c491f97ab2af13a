"""The strip at the foot of a picture: the time of a motion, and when what touches. Pure arithmetic, no renderer."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from collision import Scene, TouchingIntervals
from viewer.records.drawables import Timeline, TimelineRow
from viewer.records.pixels import Measure, Rect, Run
from viewer.records.sizes import round_length
from viewer.records.text import shortened
from viewer.records.words import number

#: A row for each pair, up to one for so many pixels of the picture's height, by heights of the text; and never more.
ROW_HEIGHT, MOST_ROWS = 13.3, 5

#: Lengths in units: the picture's margin, the padding of the plate, the gap beside the texts.
MARGIN, PAD, GAP = 16.0, 9.0, 10.0

#: The column of names, as a part of the picture's width, and its narrowest and widest in heights of the text.
NAMES, NARROWEST, WIDEST = 0.24, 9.5, 18.0

#: Height of a line and of a bar in it, of those of the text.
LEADING, BAR = 1.45, 0.6

#: How far apart the numbers of the axis are at least, in heights of the text; and the shortest bar, in units.
TICK_ROOM, SHORTEST = 5.0, 1.5

Part = Literal["plate", "track", "hit", "tick", "head"]


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


class PlacedStrip(NamedTuple):
    """All that is drawn of a strip, in this order: boxes, and texts."""

    plate: Rect
    boxes: tuple[tuple[Rect, Part], ...]
    texts: tuple[Run, ...]


def place_strip(strip: Strip, unit: float, font: float, measure: Measure) -> PlacedStrip:
    """Return what is drawn of a strip.

    Parameters
    ----------
    strip : Strip
        Where it is.
    unit, font : float
        As for `Strip.of`.
    measure : callable
        Returns the width in pixels of a text, of a height in pixels, bold or not.
    """
    shown, text = strip.timeline, font * unit
    top = strip.track.y + strip.track.height
    left = strip.plate.x + PAD * unit
    room = strip.track.x - GAP * unit - left
    boxes: list[tuple[Rect, Part]] = []
    texts: list[Run] = []

    def row(number: int, words: str, intervals: tuple[tuple[float, float], ...], bold: bool, bar: float) -> None:
        y = top - (number + 1) * strip.line
        words = shortened(words, room, lambda part: measure(part, text, bold))
        texts.append(Run(round(left), round(y + 0.25 * text), words, text, bold))
        height = bar * text
        low = y + 0.5 * (strip.line - height)
        boxes.append((Rect(strip.track.x, low, strip.track.width, height), "track"))
        boxes.extend((_interval(strip, interval, low, height, SHORTEST * unit), "hit") for interval in intervals)

    row(0, _state(shown), shown.merged, True, BAR)
    for place, (pair, intervals) in enumerate(shown.rows, start=1):
        touches = any(begin <= shown.time <= end for begin, end in intervals)
        row(place, " – ".join(pair), intervals, touches, 0.6 * BAR)
    if shown.more:
        words = f"and {shown.more:,} more"
        texts.append(Run(round(left), round(strip.track.y + strip.line + 0.25 * text), words, text, faint=True))
    axis, numbers = _axis(strip, unit, text, measure)
    return PlacedStrip(strip.plate, (*boxes, *axis), (*texts, *numbers))


def _axis(strip: Strip, unit: float, text: float, measure: Measure) -> tuple[list[tuple[Rect, Part]], list[Run]]:
    """Return the ticks of a strip and the mark of the time that is shown, and the numbers at the ticks."""
    shown, foot, top = strip.timeline, strip.track.y, strip.track.y + strip.track.height
    boxes: list[tuple[Rect, Part]] = []
    numbers: list[Run] = []
    for time, words in ticks(shown.start, shown.stop, strip.track.width / (TICK_ROOM * text)):
        x, width = strip.x_of(time), measure(words, 0.85 * text, False)
        boxes.append((Rect(x - 0.5 * unit, foot + 0.72 * strip.line, unit, 0.22 * strip.line), "tick"))
        numbers.append(Run(round(x - 0.5 * width), round(foot + 0.05 * strip.line), words, 0.85 * text, faint=True))
    x = strip.x_of(shown.time)
    boxes.append((Rect(x - unit, foot + 0.8 * strip.line, 2.0 * unit, top - foot - 0.8 * strip.line), "head"))
    return boxes, numbers


def _state(shown: Timeline) -> str:
    """Write the time, to a hundredth of the whole, and how it passes."""
    digits = max(0, 2 - int(np.floor(np.log10(shown.stop - shown.start))))
    # In words: a symbol beside a time may be what is going on, or what a click on it would do.
    if shown.still and not shown.playing:
        return f"at {shown.time:.{min(digits, 9)}f} s"
    state = "playing" if shown.playing else "paused"
    speed = "" if shown.speed == 1.0 else f" × {number(shown.speed)}"
    return f"{state} {shown.time:.{min(digits, 9)}f} s{speed}{' ↻' if shown.loop else ''}"


def _interval(strip: Strip, interval: tuple[float, float], y: float, height: float, shortest: float) -> Rect:
    first, last = (strip.x_of(time) for time in interval)
    if last - first < shortest:
        first = 0.5 * (first + last - shortest)
        last = first + shortest
    return Rect(first, y, last - first, height)


def ticks(start: float, stop: float, count: float) -> list[tuple[float, str]]:
    """Return round times between two times, at most so many, and how they are written.

    Examples
    --------
    >>> ticks(0.0, 2.0, 5.0)
    [(0.0, '0'), (0.5, '0.5'), (1.0, '1'), (1.5, '1.5'), (2.0, '2')]
    """
    step = round_length((stop - start) / max(count, 1.0))
    while (stop - start) / step > count:
        step = round_length(2.0 * step)
    first, last = int(np.ceil(start / step - 1e-9)), int(np.floor(stop / step + 1e-9))
    return [(k * step, f"{k * step:.10g}") for k in range(first, last + 1)]


def row_count(size: tuple[int, int], font: float) -> int:
    """Return how many rows of pairs a picture of a size has room for, in a text that is so high, in units."""
    return min(max(int(size[1] / (ROW_HEIGHT * font)), 1), MOST_ROWS)


def timeline_rows(scene: Scene, touches: TouchingIntervals, count: int) -> tuple[tuple[TimelineRow, ...], int]:
    """Return rows for the first of the pairs that touch, and how many more there are.

    Those that touch all the time come last: they have no story.
    """
    intervals: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for (a, b), begin, end in zip(touches.pairs.tolist(), touches.begin.tolist(), touches.end.tolist(), strict=True):
        intervals.setdefault((a, b), []).append((begin, end))
    order = sorted(
        intervals, key=lambda pair: (intervals[pair] == [(touches.start, touches.stop)], intervals[pair][0], pair)
    )
    # A row that says "and 1 more" takes as much room as the one that it stands for.
    count += len(order) == count + 1
    rows = (
        TimelineRow((scene.element_name(a), scene.element_name(b)), tuple(intervals[a, b])) for a, b in order[:count]
    )
    return tuple(rows), max(len(order) - count, 0)
