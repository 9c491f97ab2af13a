"""Two shapes as a kernel takes them, what it computed of them, and the steps that are common to all pairs of cores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from collision.explaining.formulas import formula
from collision.explaining.records import Mark, Step, Value
from collision.explaining.trace import Call, trace
from collision.native import Element, Pair
from collision.separation.cores import Separation
from collision.separation.loops import NO_STRIDES, record_of
from collision.separation.table import KERNELS, ROWS, Rank, taken_as
from collision.shape import Shape
from collision.shapes import AABB, HalfSpace, Line, OrientedBox, Point, Ray, Segment
from collision.vec3 import Vec3

#: What is left of each kind without its radius.
_CORES = {"Sphere": "its center", "Capsule": "its axis"}


@dataclass(frozen=True)
class Side:
    """One of the two shapes.

    Attributes
    ----------
    name : str
        What it is called in texts.
    letter : str
        "A" or "B", by the place in which it was given.
    shape : Shape
        As given.
    core : tuple
        What the kernel saw of it.
    radius : float
        What the core is grown by.
    """

    name: str
    letter: str
    shape: Shape
    core: Any
    radius: float

    @property
    def kind(self) -> str:
        """The kind of the shape, in words."""
        return {
            "AABB": "box along the axes",
            "OrientedBox": "box",
            "HalfSpace": "half-space",
        }.get(type(self.shape).__name__, type(self.shape).__name__.lower())

    @property
    def core_shape(self) -> Shape:
        """The core as a shape."""
        shape: Any = self.shape
        if isinstance(shape, Point | Segment | Ray | Line | AABB | OrientedBox | HalfSpace):
            return self.shape
        return Point(shape.center) if hasattr(shape, "center") else Segment(shape.start, shape.end)


@dataclass(frozen=True)
class Told:
    """Two shapes in the order in which a kernel takes them, and the record of its call.

    Attributes
    ----------
    first, second : Side
        As the kernel takes them: the lower rank first.
    call : Call
        Of the kernel that separates the two cores.
    separation : Separation
        What that returned.
    distance : float
        The signed distance of the two shapes.
    on_first, on_second : Vec3
        The witness points on their surfaces.
    size : float
        The largest number that the two are given by.
    """

    first: Side
    second: Side
    call: Call
    separation: Separation
    distance: float
    on_first: Vec3
    on_second: Vec3
    size: float


def sentence(text: str) -> str:
    """Return a text that begins as sentences do, but with a name as it is."""
    return text[0].upper() + text[1:] if text.startswith(("the ", "corner ")) else text


def memory_of(shape: Shape) -> Element:
    """Return a single shape as kernels read it, in lists in place of memory."""
    operands = (getattr(shape, v) if isinstance(v, str) else v for v in shape.layout.given)
    table: Any = tuple(np.ravel(operand).tolist() for operand in operands)
    return Element(table, NO_STRIDES, 0)


def told_of(a: Shape, b: Shape, names: tuple[str, str]) -> Told:
    """Run the kernel that separates two single shapes, and return what it did."""
    sides = [(a, names[0], "A"), (b, names[1], "B")]
    if a.rank > b.rank:
        sides.reverse()
    (one, _, _), (other, _, _) = sides
    ranks = taken_as((Rank(one.rank), Rank(other.rank)), KERNELS)
    record = record_of(KERNELS[ranks], ROWS[ranks[0]], ROWS[ranks[1]])
    out: Any = ([0.0], [0.0], [0.0] * 3, [0.0] * 3, [0.0] * 3)
    nothing: Any = ()
    root = trace(record, Pair(0, memory_of(one), memory_of(other), nothing, nothing, out))
    first = Side(sides[0][1], sides[0][2], one, root["core_a"], root["radius_a"])
    second = Side(sides[1][1], sides[1][2], other, root["core_b"], root["radius_b"])
    call = root.find(KERNELS[ranks].__name__)
    assert call is not None
    return Told(first, second, call, root["s"], out[0][0], Vec3(*out[2]), Vec3(*out[3]), out[1][0])


def shrink(told: Told) -> Step:
    """Return the step that takes the radii off."""
    sides = [told.first, told.second]
    round_ones = [side for side in sides if type(side.shape).__name__ in _CORES]
    if not round_ones:
        text = "Neither shape has a radius: both are their own cores."
    else:
        said = (f"{s.name} is {_CORES[type(s.shape).__name__]}, grown by its radius" for s in round_ones)
        text = f"{' and '.join(said)}. Without the radii the cores are left, and few kernels serve all pairs."
        text = text[0].upper() + text[1:]
    values = tuple(
        Value(f"r_{side.letter}", side.radius, "length", f"core of {side.name}", f"radius of {side.name}")
        for side in round_ones
    )
    marks = tuple(Mark(f"core of {side.name}", "core", side.core_shape) for side in sides)
    return Step("Shrink to the cores", text, (), values, marks, kernel="record")


def grow(told: Told) -> Step:
    """Return the step that adds the radii again."""
    s, a, b = told.separation, told.first, told.second
    core, found = Value("d", s.distance, "length", "", "distance of the cores"), told.distance
    r_a = Value(f"r_{a.letter}", a.radius, "length", "", f"radius of {a.name}")
    r_b = Value(f"r_{b.letter}", b.radius, "length", "", f"radius of {b.name}")
    gap = Value("D", found, "length", "signed distance", "signed distance")
    rule = formula("<D> = <d> - (<ra> + <rb>)", D=gap, d=core, ra=r_a, rb=r_b)
    overlap = "they overlap by as much" if found < 0 else "the gap between the surfaces"
    text = f"The distance of the cores less both radii is the signed distance: {overlap}."
    marks = [
        Mark("signed distance", "gap", Segment(told.on_first, told.on_second)),
        Mark(f"nearest of {a.name}", "witness", Point(told.on_first)),
        Mark(f"nearest of {b.name}", "witness", Point(told.on_second)),
    ]
    return Step("Add the radii", text, (rule,), (core, r_a, r_b, gap), tuple(marks), kernel="record")
