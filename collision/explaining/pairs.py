"""Two shapes as a kernel takes them, what it computed of them, and the steps that are common to all pairs of cores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from collision.explaining.explain import TOO_LARGE
from collision.explaining.records import Formula, Mark, Step, Unit, Value, arrow, formula
from collision.explaining.trace import Call, trace_dividing
from collision.kernels.cores import Box, Linear, Separation
from collision.kernels.loops import NO_STRIDES, BatchElement, Pair, record_of
from collision.kernels.table import KERNELS, ROWS, CoreType, taken_as
from collision.kernels.vec3 import Vec3, opposite
from collision.shapes.kinds import Capsule, Point, Segment, Shape, Sphere

#: What the core of a shape with a radius is called, where it has a name of its own.
_CORES: dict[type[Shape], str] = {Sphere: "center", Capsule: "axis"}


@dataclass(frozen=True)
class Operand:
    """One of the two shapes."""

    name: str  # what it is called in texts
    letter: str  # "A" or "B", by the order in which they were given
    shape: Shape  # as given
    core: Any  # what the kernel saw of it
    radius: float  # what the core is grown by

    @property
    def core_shape(self) -> Shape:
        """The core as a shape."""
        return self.shape.without_radius

    @property
    def core_name(self) -> str:
        """What the core is called in texts."""
        return f"the {self.core_word} of {self.name}" if self.core_word else self.name

    @property
    def core_word(self) -> str:
        """What the core of a shape with a radius is; empty for a shape without one."""
        return "" if self.core_shape is self.shape else _CORES.get(type(self.shape), "core")


@dataclass(frozen=True)
class PairTrace:
    """Two shapes in the order in which a kernel takes them, and the record of its call."""

    first: Operand  # the one of the lower rank
    second: Operand
    call: Call  # of the kernel that separates the two cores
    separation: Separation  # what that returned
    distance: float  # the signed distance of the two shapes
    on_first: Vec3  # the witness point on its surface
    on_second: Vec3
    size: float  # the largest coordinate or radius of the two
    normal: Vec3  # the unit vector from A to B, in the order in which they were given

    @property
    def sides(self) -> tuple[Operand, Operand]:
        """The shapes A and B, in the order in which they were given."""
        return (self.first, self.second) if self.first.letter == "A" else (self.second, self.first)

    @property
    def witness_marks(self) -> tuple[Mark, ...]:
        """The witness points as marks."""
        both = zip(self.sides, self.witnesses, strict=True)
        return tuple(Mark(f"nearest of {side.name}", "witness", Point(point)) for side, point in both)

    @property
    def witnesses(self) -> tuple[Vec3, Vec3]:
        """The witness points on the surfaces of A and B."""
        points = self.on_first, self.on_second
        return points if self.first.letter == "A" else points[::-1]


def sentence(text: str) -> str:
    """Return a text that begins as sentences do, but with a name as it is."""
    return text[0].upper() + text[1:] if text.startswith(("the ", "corner ")) else text


def unit_of_direction(line: Linear) -> Unit:
    """Return what a direction is measured in: that of a segment leads to its end, others are a unit long."""
    return "length" if line.hi < math.inf else ""


def unit_of(line: Linear) -> Unit:
    """Return what the parameter of a linear piece is measured in: the direction of what has no end is a unit long."""
    return "" if line.hi < math.inf else "length"


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them: x, y and z."""
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def memory_of(shape: Shape) -> BatchElement:
    """Return a single shape as kernels read it, in lists in place of memory."""
    operands = (getattr(shape, v) if isinstance(v, str) else v for v in shape.layout.given)
    table: Any = tuple(np.ravel(operand).tolist() for operand in operands)
    return BatchElement(table, NO_STRIDES, 0)


def numbers_of(known: Any) -> Any:
    """Return the numbers of what was given beside shapes, such as a way or a matrix, in lists."""
    return np.asarray(known, dtype=np.float64).tolist()


def trace_pair(a: Shape, b: Shape, names: tuple[str, str]) -> PairTrace:
    """Run the kernel that separates two single shapes, and return what it did."""
    sides = [(a, names[0], "A"), (b, names[1], "B")]
    if a.core_type > b.core_type:
        sides.reverse()
    (one, _, _), (other, _, _) = sides
    ranks = taken_as((CoreType(one.core_type), CoreType(other.core_type)), KERNELS)
    record = record_of(KERNELS[ranks], ROWS[ranks[0]], ROWS[ranks[1]])
    nothing: Any = ()
    out: Any = ([0.0], [0.0], [0.0] * 3, [0.0] * 3, [0.0] * 3)
    root = trace_dividing(record, Pair(0, memory_of(one), memory_of(other), nothing, nothing, out))
    on_first, on_second, normal = (Vec3(*root[name]) for name in ("on_a", "on_b", "normal"))
    if not all(map(math.isfinite, (*on_first, *on_second, *normal))):
        raise ValueError(TOO_LARGE)
    first = Operand(sides[0][1], sides[0][2], one, root["core_a"], root["radius_a"])
    second = Operand(sides[1][1], sides[1][2], other, root["core_b"], root["radius_b"])
    call, (distance,), (size,) = root.find(KERNELS[ranks].__name__), root["distance"], root["size"]
    turned = normal if first.letter == "A" else opposite(normal)
    return PairTrace(first, second, call, root["s"], distance, on_first, on_second, size, turned)


def _grown(sides: list[Operand]) -> str:
    """Return what is said of one or two shapes that have a radius."""
    cores, names = [side.core_word for side in sides], [side.name for side in sides]
    if len(sides) == 1:
        return f"{names[0]} is its {cores[0]}, grown by its radius."
    if cores[0] == cores[1]:
        return (
            f"{names[0]} and {names[1]} are each {'an' if cores[0] == 'axis' else 'a'} {cores[0]}, grown by a radius."
        )
    return f"{names[0]} is its {cores[0]} and {names[1]} its {cores[1]}, each grown by a radius."


def shrink(pair: PairTrace) -> Step:
    """Return the step that takes the radii off."""
    sides = [pair.first, pair.second]
    round_ones = [side for side in sides if side.core_word]
    if not round_ones:
        text = "Neither shape is grown by a radius: both are their own cores."
    else:
        text = f"{_grown(round_ones)} Without the radii the cores are left, and few kernels serve all pairs."
    values = tuple(
        Value(f"r_{side.letter}", side.radius, "length", f"core of {side.name}", f"radius of {side.name}")
        for side in round_ones
    )
    marks = tuple(Mark(f"core of {side.name}", "core", side.core_shape) for side in sides)
    return Step("Shrink to the cores", text, (), values, marks, kernel="record")


def nearest(pair: PairTrace, text: str, kernel: str, formulas: tuple[Formula, ...], values: tuple[Value, ...]) -> Step:
    """Return the step that says where two cores are nearest; the values may have the marks "w" and "nearest of ..."."""
    s, a, b = pair.separation, pair.first, pair.second
    marks = [
        Mark("w", "gap", Segment(s.on_a, s.on_b)),
        Mark(f"nearest of {a.core_name}", "point", Point(s.on_a)),
        Mark(f"nearest of {b.core_name}", "point", Point(s.on_b)),
    ]
    return Step("Nearest points of the cores", text, formulas, values, tuple(marks), kernel=kernel)


def nearest_of_boxes(pair: PairTrace) -> tuple[Value, Value, tuple[Mark, ...]]:
    """Return the nearest points of two boxes as values, and the marks of both and of the gap between them."""
    s, marks, points = pair.separation, [Mark("gap", "gap", Segment(pair.separation.on_a, pair.separation.on_b))], []
    for symbol, side, point in ((r"\mathbf{p}", pair.first, s.on_a), (r"\mathbf{q}", pair.second, s.on_b)):
        label = f"nearest of {side.name}"
        points.append(Value(symbol, point, "length", label, f"on {side.name}"))
        marks.append(Mark(label, "witness", Point(point)))
    return points[0], points[1], tuple(marks)


def turned_back(n: Value, box: Box, own: Vec3) -> Formula:
    """Return how a normal comes of one along the axes of a box."""
    axes = {name: Value(rf"\mathbf{{{name}}}", axis) for name, axis in zip("xyz", (box.x, box.y, box.z), strict=True)}
    parts = {f"m{name}": Value(f"m_{name}", part) for name, part in zip("xyz", own, strict=True)}
    return formula(r"<n> = <mx>\,<x> + <my>\,<y> + <mz>\,<z>", n=n, **axes, **parts)


def the_normal(pair: PairTrace, start: Operand, text: str, kernel: str, template: str = "", **values: Value) -> Step:
    r"""Return the step that says which way A and B part, by a template with ``<n>``, and ``<sign>`` for `start`."""
    a, b = pair.sides
    s = pair.separation
    root = s.on_a if pair.first is a else s.on_b
    n = Value(r"\mathbf{n}", pair.normal, "", "normal", f"from {a.name} to {b.name}, one unit long")
    template = template.replace("<sign>", "" if start.letter == "A" else "-")
    formulas = (formula(template, n=n, **values),) if template else ()
    return Step("The normal", text, formulas, (n,), (arrow("normal", root, pair.normal),), kernel=kernel)


def grow(pair: PairTrace) -> Step:
    """Return the step that adds the radii again."""
    s, found = pair.separation, pair.distance
    core = Value("d", s.distance, "length", "", "distance of the cores")
    radii = [Value(f"r_{side.letter}", side.radius, "length", "", f"radius of {side.name}") for side in pair.sides]
    gap = Value("D", found, "length", "signed distance", "signed distance")
    rule = formula("<D> = <d> - (<ra> + <rb>)", D=gap, d=core, ra=radii[0], rb=radii[1])
    if found == -math.inf:
        text = "No move parts the two, however far it goes: there is no end to how deep they overlap."
    else:
        means = "they overlap by as much" if found < 0.0 else "the gap between the surfaces"
        if found == 0.0:
            means = "there is no gap between the surfaces, and no overlap"
        if radii[0].value == radii[1].value == 0.0:
            text = f"No radius is to be added, so the distance of the cores is the signed distance: {means}."
        else:
            text = f"The distance of the cores less both radii is the signed distance: {means}."
    marks = (Mark("signed distance", "gap", Segment(*pair.witnesses)), *pair.witness_marks)
    return Step("Add the radii", text, (rule,), (core, *radii, gap), marks, kernel="record")
