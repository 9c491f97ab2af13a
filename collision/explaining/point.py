"""What the kernels of a point tell: against a point, a linear piece and a box."""

from __future__ import annotations

from collision.explaining.formulas import formula
from collision.explaining.pairs import Told
from collision.explaining.records import Formula, Mark, Step, Value
from collision.shapes import Point, Segment
from collision.vec3 import add


def point_point(told: Told) -> list[Step]:
    """Return the steps of a point against a point."""
    call, a, b = told.call, told.first, told.second
    gap, distance, normal = call["gap"], call["distance"], told.separation.normal
    p, q = Value(f"\\mathbf{{{a.letter.lower()}}}", a.core), Value(f"\\mathbf{{{b.letter.lower()}}}", b.core)
    w = Value(r"\mathbf{w}", gap, "length", "w", f"from {a.name} to {b.name}")
    d = Value("d", distance, "length", "w", "distance of the points")
    n = Value(r"\mathbf{n}", normal, "", "normal", "normal")
    formulas = (formula("<w> = <q> - <p>", w=w, q=q, p=p), formula(r"<d> = \|<w>\|", d=d, w=w))
    marks = (Mark("w", "gap", Segment(a.core, b.core)), Mark("core points", "core", Point([a.core, b.core])))
    found = Step(
        "Nearest points of the cores",
        f"Both cores are points, so they are nearest to each other where they are: {distance:.4g} apart.",
        formulas,
        (w, d),
        marks,
        kernel="point_point",
    )
    if distance == 0.0:
        text = "The points are the same, so every direction parts them as quickly; up, along z, is taken."
        rule: tuple[Formula, ...] = ()
    else:
        text = "The normal is the way from one point to the other, made one unit long."
        rule = (formula(r"<n> = \frac{<w>}{<d>}", n=n, w=w, d=d),)
    arrow = Mark("normal", "normal", Segment(a.core, add(a.core, normal)))
    return [found, Step("The normal", text, rule, (n,), (arrow,), kernel="point_point")]
