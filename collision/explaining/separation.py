"""From the separation of two shapes to what follows from it: whether they touch, how deep, where, how far apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from collision.explaining import aligned, box, halfspace, linear, point
from collision.explaining.articles import compared
from collision.explaining.explanation import Explanation
from collision.explaining.pairs import Told, grow, shrink, told_of
from collision.explaining.records import Mark, Step, Value, formula
from collision.kernels.cores import TOUCH
from collision.kernels.table import KERNELS, CoreType, taken_as
from collision.kernels.vec3 import Vec3
from collision.shapes.kinds import Point, Segment

#: What is told of each kernel, by its name.
STORIES: Mapping[str, Callable[[Told], list[Step]]] = MappingProxyType(
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


def explained(
    query: str, result: Any, given: tuple[Any, ...], more: dict[str, Any], names: tuple[str, str]
) -> Explanation:
    """Return the explanation of a query that asks for the separation of two shapes."""
    a, b = given
    told = told_of(a, b, names)
    checked(query, told, result)
    steps = [shrink(told), *story_of(told), grow(told), *verdict(query, told, result, more)]
    if query == "intersects":
        steps += compared(told, bool(result))
    return Explanation(query, names, given, tuple(steps), result, summary(query, told, result))


def story_of(told: Told) -> list[Step]:
    """Return what the kernel of two cores tells."""
    ranks = taken_as((CoreType(told.first.shape.core_type), CoreType(told.second.shape.core_type)), KERNELS)
    return STORIES[KERNELS[ranks].__name__](told)


def verdict(query: str, told: Told, result: Any, more: dict[str, Any]) -> list[Step]:
    """Return the steps from the signed distance of two shapes to the answer of a query."""
    if query == "distance":
        return [_not_below_zero(told, float(result))]
    if query == "intersects":
        return [_touching(told, bool(result), 0.0)]
    if query == "closest_points":
        return [_witnesses(told)]
    if query == "contact":
        margin = float(more.get("margin", 0.0))
        return [_touching(told, bool(result.touching), margin), _witnesses(told), _middle(told, result)]
    return []


def checked(query: str, told: Told, result: Any) -> None:
    """Raise an error if the kernel run as Python did not give what a query returned."""
    names = ("signed_distance", "on_a", "on_b", "normal")
    ours: dict[str, Any] = dict(zip(names, (told.distance, *told.witnesses, told.normal), strict=True))
    theirs: dict[str, Any] = {name: getattr(result, name) for name in names if hasattr(result, name)}
    if query == "signed_distance":
        theirs = {query: result}
    for name, found in theirs.items():
        if not np.array_equal(found, ours[name], equal_nan=True):
            raise RuntimeError(f"{query}: the kernel run as Python gave {name} {ours[name]!r}, the query {found!r}")


def _signed(told: Told) -> Value:
    return Value("D", told.distance, "length", "signed distance", "signed distance")


def _gap(told: Told) -> Mark:
    return Mark("signed distance", "gap", Segment(*told.witnesses))


def _not_below_zero(told: Told, result: float) -> Step:
    signed, found = _signed(told), Value("d", result, "length", "signed distance", "distance")
    if told.distance < 0.0:
        text = "They overlap, and a distance is never less than zero."
    else:
        text = "They do not overlap, so the distance is the signed distance."
    rule = formula(r"<d> = \max(<s>,\, 0)", d=found, s=signed)
    return Step("Not less than zero", text, (rule,), (signed, found), (_gap(told),), kernel="")


def _touching(told: Told, touching: bool, margin: float) -> Step:
    room = margin + TOUCH * told.size
    if (told.distance <= room) != touching:
        raise RuntimeError(f"the kernel run as Python gave {told.distance!r} of {told.size!r}, the query {touching}")
    signed = _signed(told)
    size = Value("S", told.size, "length", "", "the largest coordinate or radius of the two")
    allowed = Value("T", room, "length", "", "what touching allows")
    yes = Value(r"\mathrm{touching}", touching, "", "", "the verdict")
    values: list[Value] = [signed, size, allowed, yes]
    if margin:
        gap = Value("m", margin, "length", "", "the margin")
        tau = formula(r"<t> = <m> + 8 \epsilon \cdot <s>", t=allowed, m=gap, s=size)
        values.insert(1, gap)
    else:
        tau = formula(r"<t> = 8 \epsilon \cdot <s>", t=allowed, s=size)
    compare = formula(r"<d> \leq <t>" if touching else r"<t> \lt <d>", d=signed, t=allowed)
    marks = (_gap(told), *_points(told))
    return Step("Do they touch?", _said(told, touching, margin), (tau, compare), tuple(values), marks)


def _said(told: Told, touching: bool, margin: float) -> str:
    rounding = (
        "Touching counts, and so does a gap that rounding can make: eight times 2.2e-16 of the largest coordinate or "
        "radius."
    )
    if not touching:
        return f"{rounding} They are farther apart than that{' and the margin' if margin else ''}."
    if margin and told.distance > TOUCH * told.size:
        return f"{rounding} They are apart, but by no more than the margin."
    if told.distance > 0.0:
        return f"{rounding} They are apart by no more than that, so they touch."
    return f"{rounding} They {'overlap' if told.distance < 0.0 else 'touch exactly'}."


def _points(told: Told) -> tuple[Mark, ...]:
    return tuple(
        Mark(f"nearest of {side.name}", "witness", Point(point))
        for side, point in zip(told.sides, told.witnesses, strict=True)
    )


def _witnesses(told: Told) -> Step:
    a, b = told.sides
    on_a, on_b = told.witnesses
    p = Value(r"\mathbf{p}_A", on_a, "length", f"nearest of {a.name}", f"on {a.name}")
    q = Value(r"\mathbf{p}_B", on_b, "length", f"nearest of {b.name}", f"on {b.name}")
    n, signed = Value(r"\mathbf{n}", told.normal, "", "normal", f"from {a.name} to {b.name}"), _signed(told)
    text = "The witness points are where the cores are nearest, moved along the normal by the radii to the surfaces."
    rules = (formula("<q> = <p> + <d> <n>", q=q, p=p, d=signed, n=n),) if told.distance > -np.inf else ()
    arrow = Segment(on_a, Vec3(*(x + step for x, step in zip(on_a, told.normal, strict=True))))
    marks = (_gap(told), *_points(told), Mark("normal", "normal", arrow))
    return Step("The witness points", text, rules, (p, q, n), marks, kernel="record")


def _middle(told: Told, result: Any) -> Step:
    middle = Vec3(*result.point.tolist())
    p, q = (Value(rf"\mathbf{{p}}_{side.letter}", at) for side, at in zip(told.sides, told.witnesses, strict=True))
    point = Value(r"\mathbf{c}", middle, "length", "point", "the point of contact")
    signed, depth = _signed(told), Value("h", float(result.depth), "length", "signed distance", "depth")
    text = "The point of contact is in the middle of the witness points; the depth is how far one must move to part."
    rules = (
        formula(r"<c> = \frac{<p> + <q>}{2}", c=point, p=p, q=q),
        formula(r"<h> = \max(-<d>,\, 0)", h=depth, d=signed),
    )
    return Step("Point and depth", text, rules, (point, depth), (_gap(told), Mark("point", "witness", Point(middle))))


def summary(query: str, told: Told, result: Any) -> str:
    """Return the answer in a sentence."""
    a, b = (side.name for side in told.sides)
    touching = result.touching if query == "contact" else result if query == "intersects" else told.distance <= 0.0
    if told.distance == -np.inf:
        return f"{a} and {b} overlap without an end."
    if told.distance < 0.0:
        return f"{a} and {b} overlap by {-told.distance:.4g}."
    if told.distance <= TOUCH * told.size and touching:
        return f"{a} and {b} touch."
    within = ", which is within the margin" if query == "contact" and touching else ""
    return f"{a} and {b} are {told.distance:.4g} apart{within}."
