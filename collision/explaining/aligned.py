"""How the kernel of two boxes along the axes gets to their separation: three intervals, and which axis parts them."""

from __future__ import annotations

from collections.abc import Sequence

from collision.explaining.bars import AXES, PlotBar, bar_plot, legs
from collision.explaining.pairs import PairTrace, listed, nearest_of_boxes
from collision.explaining.records import Formula, Mark, MarkRole, Plot, Step, Value, arrow, formula
from collision.explaining.trace import Call
from collision.kernels.cores import Aligned
from collision.kernels.vec3 import Vec3
from collision.shapes.kinds import AABB, Segment


def aligned_aligned(pair: PairTrace) -> list[Step]:
    """Return the steps of two boxes along the axes."""
    return [_compared(pair), _nearest(pair), _normal(pair)]


def _gaps(call: Call) -> list[float]:
    return [call["gap_x"], call["gap_y"], call["gap_z"]]


def _compared(pair: PairTrace) -> Step:
    """Return the step that compares the intervals on each axis."""
    a, b, gaps = pair.first, pair.second, _gaps(pair.call)
    values = [
        Value(f"g_{name}", gap, "length", f"gap along {name}", f"{'gap' if gap > 0.0 else 'overlap'} along {name}")
        for name, gap in zip(AXES, gaps, strict=True)
    ]
    rules = tuple(_rule(pair, k, value) for k, value in enumerate(values))
    parting = [name for name, gap in zip(AXES, gaps, strict=True) if gap > 0.0]
    if parting:
        text = (
            f"On each axis {a.name} and {b.name} are intervals. Along {listed(parting)} these are apart, and "
            "one such axis is enough for the boxes to be apart."
        )
    elif max(gaps) == 0.0:
        text = f"On each axis {a.name} and {b.name} are intervals. None are apart, but some only touch."
    else:
        text = (
            f"On each axis {a.name} and {b.name} are intervals. They overlap along all three, so the boxes overlap; "
            "how far one has to go to end that is the gap, negative."
        )
    plot = interval_plot(pair, gaps)
    return Step("Compare the intervals on each axis", text, rules, tuple(values), _edges(pair), plot,
                kernel="aligned_aligned")  # fmt: skip


def _rule(pair: PairTrace, k: int, gap: Value) -> Formula:
    """Return how the gap of an axis comes about, in the way in which it did."""
    name, a, b = AXES[k], pair.first, pair.second
    one, other = a.letter.lower(), b.letter.lower()
    known = {
        "al": Value(rf"{one}^-_{name}", a.core.lo[k]),
        "ah": Value(rf"{one}^+_{name}", a.core.hi[k]),
        "bl": Value(rf"{other}^-_{name}", b.core.lo[k]),
        "bh": Value(rf"{other}^+_{name}", b.core.hi[k]),
    }
    if a.core.hi[k] < b.core.lo[k]:
        return formula("<g> = <bl> - <ah>", g=gap, **known)
    if b.core.hi[k] < a.core.lo[k]:
        return formula("<g> = <al> - <bh>", g=gap, **known)
    return formula(r"<g> = -\min(<bh> - <al>,\,<ah> - <bl>)", g=gap, **known)


def _edges(pair: PairTrace) -> tuple[Mark, ...]:
    """Return the gap or the overlap along each axis as a piece of a line."""
    a, b = (list(zip(side.core.lo, side.core.hi, strict=True)) for side in (pair.first, pair.second))
    marks = []
    for name, gap, ends in zip(AXES, _gaps(pair.call), legs(a, b), strict=True):
        role: MarkRole = "gap" if gap > 0.0 else "other"
        marks.append(Mark(f"gap along {name}", role, Segment(*ends)))
    return tuple(marks)


def interval_plot(pair: PairTrace, gaps: Sequence[float]) -> Plot:
    """Return the intervals of both boxes on the three axes, and what lies between them."""
    bars = []
    widest = max(gaps)
    for k, (name, gap) in enumerate(zip(AXES, gaps, strict=True)):
        for lane, side in enumerate((pair.first, pair.second)):
            core: Aligned = side.core
            bars.append(PlotBar(k, core.lo[k], core.hi[k], "core", side.name, "", 2 * lane, 3))
        first = min(pair.first.core.hi[k], pair.second.core.hi[k])
        last = max(pair.first.core.lo[k], pair.second.core.lo[k])
        decides = gap > 0.0 or gap == widest
        bars.append(PlotBar(k, first, last, "chosen" if decides else "other", "", f"gap along {name}", 1, 3))
    return bar_plot("Intervals on each axis", "coordinate", AXES, bars)


def _nearest(pair: PairTrace) -> Step:
    """Return the step that finds the nearest points."""
    call, s = pair.call, pair.separation
    gaps = _gaps(call)
    p, q, marks = nearest_of_boxes(pair)
    d = Value("d", s.distance, "length", "gap", "distance of the cores")
    if max(gaps) > 0.0:
        text = (
            "Where the intervals are apart, their facing ends are nearest; where they overlap, the middle of the "
            "overlap serves for both. That makes two points, d apart."
        )
        w = Value(r"\mathbf{w}", call.find("point_point")["gap"], "length", "gap", "from the one to the other")
        rules: tuple[Formula, ...] = (formula("<w> = <q> - <p>", w=w, q=q, p=p), formula(r"<d> = \|<w>\|", d=d, w=w))
        values: tuple[Value, ...] = (p, q, w, d)
    else:
        axis = gaps.index(call["widest"])
        text = (
            f"The least overlap is along {AXES[axis]}: that is the shortest way out, and the depth. The points are on "
            "the two sides that pass each other, in the middle of the overlap along the other axes."
        )
        if sum(gap == call["widest"] for gap in gaps) > 1:
            text += " Another axis is as short; the first is taken, always the same."
        g = {f"g{k}": Value(f"g_{name}", gap) for k, (name, gap) in enumerate(zip(AXES, gaps, strict=True))}
        rules = (formula(r"<d> = \max(<g0>,\,<g1>,\,<g2>)", d=d, **g),)
        values = (p, q, d)
    return Step("Nearest points of the cores", text, rules, values, marks, kernel="aligned_aligned")


def _normal(pair: PairTrace) -> Step:
    a, b, call, s = pair.first, pair.second, pair.call, pair.separation
    n = Value(r"\mathbf{n}", s.normal, "", "normal", f"from {a.name} to {b.name}")
    rules: tuple[Formula, ...] = ()
    marks = [arrow("normal", s.on_a, s.normal)]
    if call.ran("point_point"):
        text = "The normal is the way from one point to the other, made one unit long."
        rules = (
            formula(
                r"<n> = \frac{<w>}{<d>}",
                n=n,
                w=Value(r"\mathbf{w}", call.find("point_point")["gap"]),
                d=Value("d", s.distance),
            ),
        )
    else:
        name = AXES[next(k for k, part in enumerate(s.normal) if part != 0.0)]
        shorter = "positive" if call["side"] > 0.0 else "negative"
        text = f"The normal is along {name}. {b.name} leaves {a.name} sooner to the {shorter} side, so there it points."
        faces = [(a, s.on_a), (b, s.on_b)]
        marks += [Mark(f"face of {side.name}", "chosen", _face(side.core, s.normal, at)) for side, at in faces]
    return Step("The normal", text, rules, (n,), tuple(marks), kernel="aligned_aligned")


def _face(box: Aligned, normal: Vec3, at: Vec3) -> AABB:
    """Return the face of a box at a right angle to an axis that has a point on it."""
    lower = [x if m else low for m, x, low in zip(normal, at, box.lo, strict=True)]
    return AABB(lower, [x if m else high for m, x, high in zip(normal, at, box.hi, strict=True)])
