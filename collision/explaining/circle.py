"""A circle against a segment as an article has it: by an inner and a cross product, and three regions."""

from __future__ import annotations

import math
from typing import NamedTuple

from collision.explaining.pairs import Side
from collision.explaining.records import Formula, Mark, Plot, PlotArea, PlotLine, PlotPoint, Step, Value, formula
from collision.kernels.cores import Linear
from collision.kernels.vec3 import Vec3, along, cross, dot, norm, over, sub
from collision.shapes.kinds import Point, Segment

#: Places at which the curve of the plot is drawn, as parts of its width.
_PLACES = tuple(k / 40.0 for k in range(41))


class Products(NamedTuple):
    """What the article computes of a point P and a piece from A on.

    Attributes
    ----------
    n : Vec3
        The unit direction.
    ap : Vec3
        From A to P.
    ax, px : float
        How far along the foot X of the perpendicular is, with a sign, and how far aside P is.
    x : Vec3
        The foot X, on the piece or on its extension.
    first, last : float
        Where the piece starts and ends, as lengths from A.
    """

    n: Vec3
    ap: Vec3
    ax: float
    px: float
    x: Vec3
    first: float
    last: float

    @property
    def region(self) -> str:
        """Before the start, between the ends, or after the end."""
        return "before" if self.ax < self.first else "after" if self.ax > self.last else "between"

    def distance(self, end: Vec3 | None, p: Vec3) -> float:
        """Return the distance of P from the piece, by the region that it is in."""
        if self.region == "between":
            return self.px
        return norm(self.ap) if self.region == "before" or end is None else norm(sub(p, end))


def products(p: Vec3, line: Linear) -> Products:
    """Return what the article computes of a point and a linear piece that has a length."""
    length = norm(line.direction)
    n, ap = over(line.direction, length), sub(p, line.origin)
    ax, last = dot(n, ap), length if line.hi < math.inf else math.inf
    return Products(n, ap, ax, norm(cross(n, ap)), along(line.origin, ax, n), line.lo, last)


def by_products(point: Side, piece: Side, p: Vec3, line: Linear) -> list[Step]:
    """Return the article's way to the distance of a point and a linear piece."""
    if norm(line.direction) == 0.0:
        text = "The article divides AB by its length. That is zero here, so the article has no answer."
        return [Step("The article: inner and cross product", text, (), (Value("|AB|", 0.0, "length"),), article=True)]
    found = products(p, line)
    return [_along_and_aside(found, point, piece, p, line), _regions(found, point, piece, p, line)]


def _along_and_aside(found: Products, point: Side, piece: Side, p: Vec3, line: Linear) -> Step:
    n = Value(r"\mathbf{n}", found.n, "", "n", "the unit direction")
    ap = Value(r"\mathbf{AP}", found.ap, "length", "AP", f"from A to {point.core_name}")
    ax = Value("|AX|", found.ax, "length", "AX", "how far along X is, with a sign")
    px = Value("|PX|", found.px, "length", "PX", "how far aside P is")
    marks = (
        Mark("AP", "guide", Segment(line.origin, p)),
        Mark("AX", "gap", Segment(line.origin, found.x)),
        Mark("PX", "gap", Segment(p, found.x)),
        Mark("X", "point" if found.region == "between" else "outside", Point(found.x)),
        Mark("n", "normal", Segment(line.origin, along(line.origin, 1.0, found.n))),
    )
    start = "where" if line.lo == 0.0 else "the point by which"
    verb = "starts" if line.lo == 0.0 else "is given"
    text = (
        f"A is {start} {piece.core_name} {verb}, P is {point.core_name}, X the foot of the perpendicular. The inner "
        "product with the unit direction says how far along X is, the cross product how far aside P is."
    )
    formulas = (
        formula(r"<ax> = <n> \cdot <ap>", ax=ax, n=n, ap=ap),
        formula(r"<px> = \|<n> \times <ap>\|", px=px, n=n, ap=ap),
    )
    return Step("The article: inner and cross product", text, formulas, (n, ap, ax, px), marks, article=True)


def _regions(found: Products, point: Side, piece: Side, p: Vec3, line: Linear) -> Step:
    end = line.tip if line.hi < math.inf else None
    distance, reach = found.distance(end, p), point.radius + piece.radius
    d, r = Value("d", distance, "length", "nearest", "distance"), Value("r", reach, "length", "", "radius")
    ax, ab = Value("|AX|", found.ax, "length", "X"), Value("|AB|", found.last, "length", "", "length of AB")
    bp = Value(r"\mathbf{BP}", sub(p, line.tip), "length")
    ap, px = Value(r"\mathbf{AP}", found.ap, "length"), Value("|PX|", found.px, "length")
    rules: tuple[Formula, ...]
    if found.region == "before":
        said = "X lies before A, so A is nearest"
        rules = (formula(r"<ax> \lt 0", ax=ax), formula(r"<d> = \|<ap>\|", d=d, ap=ap))
    elif found.region == "after":
        said = "X lies after B, so B is nearest"
        rules = (formula(r"<ab> \lt <ax>", ax=ax, ab=ab), formula(r"<d> = \|<bp>\|", d=d, bp=bp))
    else:
        said = "X is on the piece, so X is nearest"
        between = (formula(r"0 \leq <ax> \leq <ab>", ax=ax, ab=ab),) if line.lo == 0.0 else ()
        rules = (*between, formula("<d> = <px>", d=d, px=px))
    hit = Value(r"\mathrm{hit}", distance < reach, "", "", "the article's verdict")
    sign = r"\lt" if distance < reach else r"\geq"
    formulas = (*rules, formula(rf"<d> {sign} <r>", d=d, r=r))
    text = f"{said}. The article says hit where that is less than the radius; to us touching counts, too."
    nearest = {"before": line.origin, "after": line.tip}.get(found.region, found.x)
    marks = (
        Mark("X", "point" if found.region == "between" else "outside", Point(found.x)),
        Mark("nearest", "chosen", Point(nearest)),
        Mark("d", "gap", Segment(p, nearest)),
    )
    ab_or_not = (ab,) if math.isfinite(found.last) else ()
    return Step(
        "The article: three regions",
        text,
        formulas,
        (ax, *ab_or_not, d, r, hit),
        marks,
        _plot(found, distance, reach),
        article=True,
    )


def _plot(found: Products, distance: float, radius: float) -> Plot:
    """Return the plot of the distance of a point as far aside as P, over how far along it is, and of the radius."""
    ends = [end for end in (found.first, found.last) if math.isfinite(end)] or [0.0]
    lo, hi = min(*ends, found.ax, found.ax), max(*ends, found.ax, found.ax)
    room = 0.2 * (hi - lo) or 0.2 * abs(hi) or 1.0
    lo, hi = lo - room, hi + room
    places = tuple(lo + (hi - lo) * place for place in _PLACES)
    heights = tuple(math.hypot(found.px, x - min(max(x, found.first), found.last)) for x in places)
    top = 1.1 * max(*heights, distance, min(radius, 2.0 * max(heights))) or 1.0
    lines = [PlotLine(places, heights, "gap")]
    if radius > 0.0:
        lines.append(PlotLine((lo, hi), (radius, radius), "guide", "r"))
    spans = {
        "before": (lo, found.first),
        "between": (max(found.first, lo), min(found.last, hi)),
        "after": (found.last, hi),
    }
    areas = tuple(
        PlotArea(span, (0.0, top), "chosen" if name == found.region else "other", name)
        for name, span in spans.items()
        if math.isfinite(span[0]) and math.isfinite(span[1])
    )
    here = PlotPoint(found.ax, distance, "chosen", "d", "X")
    return Plot("Distance over |AX|", "|AX|", "d", (lo, hi), (0.0, top), tuple(lines), (here,), areas)
