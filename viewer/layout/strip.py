"""The strip at the foot of a picture: the time of a motion, and when what touches."""

from __future__ import annotations

import math

from viewer.layout.page import Page
from viewer.layout.parts import Area, Disk, Part, Placed, Plate, Shape, Written
from viewer.layout.plots import ticks
from viewer.records.drawables import ShapeFlags, Timeline
from viewer.records.pixels import Rect, Run
from viewer.records.timeline import GAP, PAD, Strip
from viewer.records.words import number

#: Height of the bar of all times at which anything touches, and of those of pairs, in heights of the text.
_BAR, _PAIR_BAR = 0.6, 0.36

#: How far apart the numbers of the axis are at least, and their height, in heights of the text; the shortest bar, and
#: the radius of the knob by which the time is taken, in units.
_TICK_ROOM, _TICK, _SHORTEST, _KNOB = 5.0, 0.85, 1.5, 5.0


def place_strip(strip: Strip, page: Page) -> Placed:
    """Return what is drawn of a strip: a line for each row of it, and an axis below them."""
    shown, text, unit = strip.timeline, page.text, page.unit
    top, left = strip.track.y + strip.track.height, round(strip.plate.x + PAD * unit)
    texts, shapes = list[Written](), list[Shape]([Plate(strip.plate)])

    def row(number: int, words: str, intervals: tuple[tuple[float, float], ...], bold: bool, bar: float) -> None:
        y, height = top - (number + 1) * strip.line, bar * text
        words = page.shortened(words, strip.track.x - GAP * unit - left, bold=bold)
        texts.append(Written(Run(left, round(y + 0.25 * text), words, text, bold)))
        low = y + 0.5 * (strip.line - height)
        shapes.append(Area(Rect(strip.track.x, low, strip.track.width, height), "border", corner=unit))
        for begin, end in intervals:
            first, last = strip.x_of(begin), strip.x_of(end)
            spare = max(_SHORTEST * unit - (last - first), 0.0)
            place = Rect(first - 0.5 * spare, low, last - first + spare, height)
            shapes.append(Area(place, ShapeFlags.HIT, corner=unit))

    row(0, _state(shown), shown.merged, True, _BAR)
    for place, (pair, intervals) in enumerate(shown.rows, start=1):
        touches = any(begin <= shown.time <= end for begin, end in intervals)
        row(place, " – ".join(pair), intervals, touches, _PAIR_BAR)
    if shown.more:
        words = f"and {shown.more:,} more"
        texts.append(Written(Run(left, round(strip.track.y + strip.line + 0.25 * text), words, text), "faint"))
    foot = strip.track.y
    for time in ticks(shown.start, shown.stop, max(int(strip.track.width / (_TICK_ROOM * text)), 1)):
        x, size, words = strip.x_of(time), _TICK * text, f"{time:.10g}"
        tick = Rect(x - 0.5 * unit, foot + 0.72 * strip.line, unit, 0.22 * strip.line)
        shapes.append(Area(tick, "faint", corner=unit))
        at = round(x - 0.5 * page.wide(words, size)), round(foot + 0.05 * strip.line)
        texts.append(Written(Run(*at, words, size), "faint"))
    x, low = strip.x_of(shown.time), foot + 0.8 * strip.line
    shapes.append(Area(Rect(x - unit, low, 2.0 * unit, top - low), "text", corner=unit))
    shapes.append(Disk((x, top), _KNOB * unit, "text"))
    return Placed(strip.plate, Part(strip.plate.height, tuple(texts), tuple(shapes)))


def _state(shown: Timeline) -> str:
    """Write the time, to a hundredth of the whole, and how it passes."""
    digits = max(0, 2 - math.floor(math.log10(shown.stop - shown.start)))
    # In words: a symbol beside a time may be what is going on, or what a click on it would do.
    if shown.still and not shown.playing:
        return f"at {shown.time:.{min(digits, 9)}f} s"
    state = "playing" if shown.playing else "paused"
    speed = "" if shown.speed == 1.0 else f" × {number(shown.speed)}"
    return f"{state} {shown.time:.{min(digits, 9)}f} s{speed}{' ↻' if shown.loop else ''}"
