"""From the separation of two shapes to what follows from it: whether they touch, how deep, where, how far apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from collision.explaining import aligned, box, halfspace, linear, point
from collision.explaining.articles import article_first, compared
from collision.explaining.explanation import Explanation, Question
from collision.explaining.pairs import PairTrace, grow, nearest, shrink, the_normal, trace_pair
from collision.explaining.records import Mark, Step, Value, arrow, formula
from collision.kernels.cores import TOUCH
from collision.kernels.table import KERNELS, CoreType, taken_as
from collision.kernels.vec3 import add, scale
from collision.shapes.kinds import Point, Segment

#: The explainer of each kernel, by its name.
_EXPLAINERS: Mapping[str, Callable[[PairTrace], list[Step]]] = MappingProxyType(
    {
        "point_point": point.point_point,
        "point_linear": point.point_linear,
        "point_box": point.point_box,
        "linear_linear": linear.linear_linear,
        "linear_box": linear.linear_box,
        "aligned_aligned": aligned.aligned_aligned,
        "box_box": box.box_box,
        "point_half_space": halfspace.point_half_space,
        "linear_half_space": halfspace.linear_half_space,
        "box_half_space": halfspace.box_half_space,
        "half_space_half_space": halfspace.half_space_half_space,
    }
)


def explained(asked: Question) -> Explanation:
    """Return the explanation of a query that asks for the separation of two shapes."""
    a, b = asked.given
    pair = trace_pair(a, b, asked.names)
    _confirm(asked, pair)
    steps = [shrink(pair), *kernel_steps(pair), grow(pair), *_verdict(asked, pair)]
    return asked.answered(article_first(steps), _summary(asked, pair))


def kernel_steps(pair: PairTrace) -> list[Step]:
    """Return the steps of the kernel of two cores."""
    ranks = taken_as((CoreType(pair.first.shape.core_type), CoreType(pair.second.shape.core_type)), KERNELS)
    return _EXPLAINERS.get(KERNELS[ranks].__name__, _as_recorded)(pair)


def _as_recorded(pair: PairTrace) -> list[Step]:
    """Return the steps of two cores whose kernel has no steps of its own: what that returned."""
    d = Value("d", pair.separation.distance, "length", "w", "distance of the cores")
    text = "The kernel finds the points at which the cores are nearest, or at which they part the soonest."
    way = "The normal is that of the nearest points."
    return [nearest(pair, text, pair.call.name, (), (d,)), the_normal(pair, pair.first, way, pair.call.name)]


def _verdict(asked: Question, pair: PairTrace) -> list[Step]:
    """Return the steps from the signed distance of two shapes to the answer of a query."""
    result = asked.result
    if asked.query == "distance":
        return [_not_below_zero(asked, pair)]
    if asked.query == "intersects":
        return [_touching(asked, pair, bool(result), 0.0), *compared(pair, bool(result))]
    if asked.query == "closest_points":
        return [_witnesses(pair)]
    if asked.query == "contact":
        margin = float(asked.more.get("margin", 0.0))
        return [_touching(asked, pair, bool(result.touching), margin), _witnesses(pair), _middle(asked, pair)]
    return []


def _confirm(asked: Question, pair: PairTrace) -> None:
    """Raise an error if the kernel run as Python did not give what a query returned."""
    found = {"signed_distance": pair.distance, "normal": pair.normal}
    found |= dict(zip(("on_a", "on_b"), pair.witnesses, strict=True))
    if asked.query == "signed_distance":
        asked.confirm([pair.distance], [asked.result])
    known = [name for name in found if hasattr(asked.result, name)]
    asked.confirm([found[name] for name in known], [getattr(asked.result, name) for name in known])


def _signed(pair: PairTrace) -> Value:
    return Value("D", pair.distance, "length", "signed distance", "signed distance")


def _gap(pair: PairTrace) -> Mark:
    return Mark("signed distance", "gap", Segment(*pair.witnesses))


def _not_below_zero(asked: Question, pair: PairTrace) -> Step:
    distance = max(pair.distance, 0.0)
    asked.confirm([distance], [asked.result])
    signed, found = _signed(pair), Value("d", distance, "length", "signed distance", "distance")
    if pair.distance < 0.0:
        text = "They overlap, and a distance is never less than zero."
    else:
        text = "They do not overlap, so the distance is the signed distance."
    rule = formula(r"<d> = \max(<s>,\, 0)", d=found, s=signed)
    return Step("Not less than zero", text, (rule,), (signed, found), (_gap(pair),), kernel="")


def _touching(asked: Question, pair: PairTrace, touching: bool, margin: float) -> Step:
    tolerance = margin + TOUCH * pair.size
    asked.confirm([pair.distance <= tolerance], [touching])
    signed = _signed(pair)
    size = Value("S", pair.size, "length", "", "the largest coordinate or radius of the two")
    allowed = Value("T", tolerance, "length", "", "what touching allows")
    yes = Value(r"\mathrm{touching}", touching, "", "", "the verdict")
    values: list[Value] = [signed, size, allowed, yes]
    if margin:
        gap = Value("m", margin, "length", "", "the margin")
        tau = formula(r"<t> = <m> + 8 \epsilon \cdot <s>", t=allowed, m=gap, s=size)
        values.insert(1, gap)
    else:
        tau = formula(r"<t> = 8 \epsilon \cdot <s>", t=allowed, s=size)
    compare = formula(r"<d> \leq <t>" if touching else r"<t> \lt <d>", d=signed, t=allowed)
    marks = (_gap(pair), *pair.witness_marks)
    return Step("Do they touch?", _said(pair, touching, margin), (tau, compare), tuple(values), marks)


def _said(pair: PairTrace, touching: bool, margin: float) -> str:
    rounding = (
        "Touching counts, and so does a gap that rounding can make: eight times 2.2e-16 of the largest coordinate or "
        "radius."
    )
    if not touching:
        return f"{rounding} They are farther apart than that{' and the margin' if margin else ''}."
    if margin and pair.distance > TOUCH * pair.size:
        return f"{rounding} They are apart, but by no more than the margin."
    if pair.distance > 0.0:
        return f"{rounding} They are apart by no more than that, so they touch."
    return f"{rounding} They {'overlap' if pair.distance < 0.0 else 'touch exactly'}."


def _witnesses(pair: PairTrace) -> Step:
    a, b = pair.sides
    on_a, on_b = pair.witnesses
    p = Value(r"\mathbf{p}_A", on_a, "length", f"nearest of {a.name}", f"on {a.name}")
    q = Value(r"\mathbf{p}_B", on_b, "length", f"nearest of {b.name}", f"on {b.name}")
    n, signed = Value(r"\mathbf{n}", pair.normal, "", "normal", f"from {a.name} to {b.name}"), _signed(pair)
    text = "The witness points are where the cores are nearest, moved along the normal by the radii to the surfaces."
    rules = (formula("<q> = <p> + <d> <n>", q=q, p=p, d=signed, n=n),) if pair.distance > -np.inf else ()
    marks = (_gap(pair), *pair.witness_marks, arrow("normal", on_a, pair.normal))
    return Step("The witness points", text, rules, (p, q, n), marks, kernel="record")


def _middle(asked: Question, pair: PairTrace) -> Step:
    middle, deep = add(*(scale(at, 0.5) for at in pair.witnesses)), max(-pair.distance, 0.0)
    asked.confirm([middle, deep], [asked.result.point, asked.result.depth])
    p, q = (Value(rf"\mathbf{{p}}_{side.letter}", at) for side, at in zip(pair.sides, pair.witnesses, strict=True))
    point = Value(r"\mathbf{c}", middle, "length", "point", "the point of contact")
    signed, depth = _signed(pair), Value("h", deep, "length", "signed distance", "depth")
    text = "The point of contact is in the middle of the witness points; the depth is how far one must move to part."
    rules = (
        formula(r"<c> = \frac{<p> + <q>}{2}", c=point, p=p, q=q),
        formula(r"<h> = \max(-<d>,\, 0)", h=depth, d=signed),
    )
    return Step("Point and depth", text, rules, (point, depth), (_gap(pair), Mark("point", "witness", Point(middle))))


def _summary(asked: Question, pair: PairTrace) -> str:
    a, b = (side.name for side in pair.sides)
    contact = asked.query == "contact"
    touching = pair.distance <= 0.0
    if contact or asked.query == "intersects":
        touching = asked.result.touching if contact else asked.result
    if pair.distance == -np.inf:
        return f"{a} and {b} overlap without an end."
    if pair.distance < 0.0:
        return f"{a} and {b} overlap by {-pair.distance:.4g}."
    if pair.distance <= TOUCH * pair.size and touching:
        return f"{a} and {b} touch."
    within = ", which is within the margin" if contact and touching else ""
    return f"{a} and {b} are {pair.distance:.4g} apart{within}."
