"""Plots of bars: intervals along axes, and numbers side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from collision.explaining.records import MarkRole, Plot, PlotArea, PlotLine, PlotPoint

#: The names of three axes, one row each.
AXES = ("x", "y", "z")

#: Half the height of a bar, where rows are one apart.
_HALF = 0.3


#: An interval, by its ends.
Interval = tuple[float, float]

#: The ends of the mark of a gap or of an overlap.
MarkEnds = tuple[list[float], list[float]]


class PlotBar(NamedTuple):
    """A bar of a plot, from `start` to `end` in any order: its row, and the lane of how many, from the top."""

    row: int
    start: float
    end: float
    role: MarkRole
    label: str = ""
    mark: str = ""
    lane: int = 0
    lanes: int = 1

    @property
    def area(self) -> PlotArea:
        """The rectangle that shows it."""
        top, height = self.row - _HALF, 2.0 * _HALF / self.lanes
        sides = top + self.lane * height, top + (self.lane + 1) * height
        span = min(self.start, self.end), max(self.start, self.end)
        return PlotArea(span, sides, self.role, self.label, self.mark)


def legs(a: Sequence[Interval], b: Sequence[Interval]) -> list[MarkEnds]:
    """Return for each axis the ends of a line that shows the gap (from box to box) or the overlap (beside that way)."""
    between = [(min(one[1], other[1]), max(one[0], other[0])) for one, other in zip(a, b, strict=True)]
    at = [
        0.5 * first + 0.5 * last if first >= last else (first if one[1] == first else last)
        for (first, last), one in zip(between, a, strict=True)
    ]
    found = []
    for k, (first, last) in enumerate(between):
        found.append(([*at[:k], first, *at[k + 1 :]], [*at[:k], last, *at[k + 1 :]]))
        if first < last:
            at[k] = last if a[k][1] == first else first
    return found


def widened(low: float, high: float, part: float = 0.1, flat: float = 0.2) -> tuple[float, float]:
    """Return a range with a margin on both sides: a part of its width, or of the number where it has none."""
    margin = part * (high - low) or flat * abs(high) or 1.0
    return low - margin, high + margin


def bar_plot(
    title: str,
    x_label: str,
    rows: Sequence[str],
    bars: Iterable[PlotBar],
    points: Sequence[PlotPoint] = (),
    lines: Sequence[PlotLine] = (),
) -> Plot:
    """Return a plot of bars, wide enough for all that is in it."""
    areas = tuple(bar.area for bar in bars)
    found = [x for area in areas for x in area.x] + [point.x for point in points]
    found += [x for line in lines for x in line.x]
    low, high = min(found, default=0.0), max(found, default=0.0)
    span, height = widened(low, high, 0.06, 0.06), (-0.5, len(rows) - 0.5)
    return Plot(title, x_label, "", span, height, tuple(lines), tuple(points), areas, tuple(rows))
