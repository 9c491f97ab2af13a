"""The strip at the foot of a picture: the time of a motion, and when what touches."""

from __future__ import annotations

import math
from typing import NamedTuple

from viewer.layout.page import Page
from viewer.layout.parts import Area, Disk, Hit, Part, Placed, Plate, Shape, Written
from viewer.layout.plots import ticks
from viewer.records.commands import Command
from viewer.records.drawables import Role, Row, ShapeFlags, Timeline, TimelineSpan
from viewer.records.pixels import Rect, TextRun
from viewer.records.words import number

#: Height of the bar of all times at which anything touches, and of those of pairs, in heights of the text.
_BAR, _PAIR_BAR = 0.6, 0.36

#: How far apart the numbers of the axis are at least, and their height, in heights of the text; how wide the line of a
#: moment is, and the radius of the knob by which the time is taken, in units.
_TICK_ROOM, _TICK, _MOMENT, _KNOB = 5.0, 0.85, 2.5, 5.0

#: Lengths in units: the padding of the plate, the gap beside the texts.
PAD, GAP = 9.0, 10.0

#: The column of names, as a part of the picture's width, and its narrowest and widest in heights of the text.
NAMES, NARROWEST, WIDEST = 0.24, 11.5, 18.0

#: Height of a line, in heights of the text.
_LEADING = 1.45


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
    def of(cls, timeline: Timeline, page: Page) -> Strip:
        """Return the place of a strip in a picture."""
        text, margin, pad = page.text, page.margin, PAD * page.unit
        line = _LEADING * text
        lines = 2 + len(timeline.rows) + (timeline.more > 0) + timeline.kept
        plate = Rect(margin, margin, page.size[0] - 2.0 * margin, lines * line + 2.0 * pad)
        names = min(max(NAMES * page.size[0], NARROWEST * text), WIDEST * text, 0.5 * plate.width)
        left, right = plate.x + pad + names + GAP * page.unit, plate.x + plate.width - 2.0 * pad
        return cls(plate, Rect(left, plate.y + pad, max(right - left, 1.0), lines * line), line, timeline)

    def x_of(self, time: float) -> float:
        """Return where a time stands."""
        part = (time - self.timeline.start) / (self.timeline.stop - self.timeline.start)
        return self.track.x + min(max(part, 0.0), 1.0) * self.track.width

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


def place_strip(strip: Strip, page: Page) -> Placed:
    """Return what is drawn of a strip: a line for each row of it, and an axis below them."""
    shown, text, unit = strip.timeline, page.text, page.unit
    top, left = strip.track.y + strip.track.height, round(strip.plate.x + PAD * unit)
    texts, shapes = list[Written](), list[Shape]([Plate(strip.plate)])
    x, right = strip.track.x, strip.plate.x + strip.plate.width
    track = Rect(x, strip.plate.y, right - x, strip.plate.height)
    hits = [Hit(track, Row("", does=shown.scrubs))]

    def row(number: int, words: str, intervals: tuple[TimelineSpan, ...], bold: bool, does: Command | None) -> None:
        y, height = top - (number + 1) * strip.line, (_PAIR_BAR if number else _BAR) * text
        hits.append(Hit(Rect(strip.plate.x, y, x - strip.plate.x, strip.line), Row(words, does=does)))
        words = page.shortened(words, strip.track.x - GAP * unit - left, bold=bold)
        texts.append(Written(TextRun(left, round(y + 0.25 * text), words, text, bold)))
        low = y + 0.5 * (strip.line - height)
        shapes.append(Area(Rect(strip.track.x, low, strip.track.width, height), "border", corner=unit))
        for begin, end, touching in intervals:
            first, last = strip.x_of(begin), strip.x_of(end)
            if last - first < _MOMENT * unit:
                half, line = 0.5 * _MOMENT * unit, Role.TOUCHING if touching else Role.HIT
                shapes.append(Area(Rect(0.5 * (first + last) - half, low, 2.0 * half, height), line))
                continue
            bar = ShapeFlags.TOUCHING if touching else ShapeFlags.HIT
            shapes.append(Area(Rect(first, low, last - first, height), bar, corner=unit))

    row(0, _state(shown), shown.merged, True, shown.plays)
    for place, (pair, intervals, does) in enumerate(shown.rows, start=1):
        row(place, " – ".join(pair), intervals, any(begin <= shown.time <= end for begin, end, _ in intervals), does)
    if shown.more:
        words = f"and {shown.more:,} more"
        texts.append(Written(TextRun(left, round(strip.track.y + strip.line + 0.25 * text), words, text), "faint"))
    foot = strip.track.y
    for time in ticks(shown.start, shown.stop, max(int(strip.track.width / (_TICK_ROOM * text)), 1)):
        x, size, words = strip.x_of(time), _TICK * text, f"{time:.10g}"
        tick = Rect(x - 0.5 * unit, foot + 0.72 * strip.line, unit, 0.22 * strip.line)
        shapes.append(Area(tick, "faint", corner=unit))
        at = round(x - 0.5 * page.wide(words, size)), round(foot + 0.05 * strip.line)
        texts.append(Written(TextRun(*at, words, size), "faint"))
    x, low = strip.x_of(shown.time), foot + 0.8 * strip.line
    shapes.append(Area(Rect(x - unit, low, 2.0 * unit, top - low), "text", corner=unit))
    shapes.append(Disk((x, top), _KNOB * unit, "text"))
    return Placed(strip.plate, Part(strip.plate.height, tuple(texts), tuple(shapes), tuple(hits)))


def _state(shown: Timeline) -> str:
    """Write the time, to a hundredth of the whole, and how it passes."""
    digits = max(0, 2 - math.floor(math.log10(shown.stop - shown.start)))
    # In words: a symbol beside a time may be what is going on, or what a click on it would do.
    if shown.still and not shown.playing:
        return f"at {shown.time:.{min(digits, 9)}f} s"
    state = "playing" if shown.playing else "paused"
    speed = "" if shown.speed == 1.0 else f" × {number(shown.speed)}"
    return f"{state} {shown.time:.{min(digits, 9)}f} s{speed}{' ↻' if shown.loop else ''}"
