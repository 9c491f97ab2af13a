"""How the broad phase compares what has no end with the box around another shape: a line's slabs, a plane's height."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from collision.broadphase.blocks import widened_box
from collision.broadphase.hierarchy import ROOM
from collision.broadphase.volumes import KERNELS, Lines
from collision.explaining.records import Mark, MarkRole, Step, Value, formula
from collision.explaining.trace import Call, trace
from collision.kernels.vec3 import Vec3, along
from collision.scene.volumes import volumes_of
from collision.shapes.kinds import AABB, Point, Segment
from collision.shapes.shape import Shape

_AT_MOST = r"\leq"

#: A line that is level with a slab enters it never, as good as: beyond this there is nothing to be shown.
_FOR_EVER = 1e100

_Named = tuple[str, Shape]


def endless_step(title: str, shapes: tuple[Shape, Shape], names: tuple[str, str], margin: float, passed: bool) -> Step:
    """Return the step of the broad phase for a pair in which at least one shape has no end."""
    pairs: list[_Named] = list(zip(names, shapes, strict=True))
    bounded = [pair for pair in pairs if pair[1].bounded]
    if not bounded:
        text = f"{names[0]} and {names[1]} have no end, so no box says anything: the shapes themselves decide."
        return Step(title, text, (), (Value(r"\mathrm{reached}", passed),), kernel="pairs")
    (line,) = (pair for pair in pairs if not pair[1].bounded)
    (boxed,) = bounded
    volumes = volumes_of(line[1].flattened())
    kernels = KERNELS[type(volumes)]
    arrays: list[Any] = [values.ravel().tolist() for values in volumes]
    arrays += [[]] * (3 - len(arrays))
    reach = margin * (1.0 + ROOM)
    volume = trace(kernels.read, *arrays, 0, ROOM, reach).result
    corners: Any = [values.tolist() for values in boxed[1].corners()]
    lower, upper = corners
    call = trace(kernels.meets, volume, widened_box(lower, upper, 0, ROOM))
    if bool(call.result) != passed:
        raise RuntimeError(f"why: the kernel run as Python gave {call.result}, the query {passed}")
    role: MarkRole = "chosen" if passed else "other"
    box = Mark(f"box of {boxed[0]}", role, AABB(*corners))
    if isinstance(volumes, Lines):
        return _line(title, call, line[0], boxed[0], (Vec3(*arrays[0]), Vec3(*arrays[1])), box)
    return _plane(title, call, line[0], boxed[0], box)


def _line(title: str, call: Call, line: str, boxed: str, course: tuple[Vec3, Vec3], box: Mark) -> Step:
    """Return the step of a line or a ray."""
    slabs = call.the("course_in_box")
    enter, leave = slabs.result
    inside = enter <= leave
    first = Value("t_1", enter, "length", "last slab entered", "when the last of the three slabs is entered")
    last = Value("t_2", leave, "length", "first slab left", "when the first of them is left")
    text = f"{line} has no end and no box. It is in the box of {boxed} while it is in all three slabs of it at once: "
    text += "it enters the last before it leaves the first, so the shapes themselves decide."
    if not call.result:
        level = max(abs(enter), abs(leave)) >= _FOR_EVER
        missed = "it is level with one and beside it" if level else "it leaves one before it enters another"
        text = f"{text.partition(': ')[0]}: {missed}, which stops the pair."
    rule = formula(rf"<a> {_AT_MOST if inside else '>'} <b>", a=first, b=last)
    origin, direction = course
    marks = [box]
    values = []
    for value in (first, last):
        t = enter if value is first else leave
        if abs(t) < _FOR_EVER:
            marks.append(Mark(value.mark, "point", Point(along(origin, t, direction))))
        values.append(value if abs(t) < _FOR_EVER else replace(value, mark=""))
    if inside and max(abs(enter), abs(leave)) < _FOR_EVER:
        ends = (along(origin, t, direction) for t in (enter, leave))
        marks.append(Mark("in the box", "gap", Segment(*ends)))
    return Step(title, text, (rule,), tuple(values), tuple(marks), kernel="line_meets")


def _plane(title: str, call: Call, plane: str, boxed: str, box: Mark) -> Step:
    """Return the step of a half-space."""
    side, corner = call.arguments["side"], Vec3(call["x"], call["y"], call["z"])
    c = Value(r"\mathbf{c}", corner, "length", "lowest corner", f"corner of the box of {boxed} that is farthest in")
    p = Value(r"\mathbf{p}", side.point, "length", "", f"point of the plane of {plane}")
    n = Value(r"\mathbf{n}", side.normal, "", "", f"normal of {plane}")
    room = Value("m", side.room, "length", "", "what counts as touching: the margin, and rounding")
    sign = _AT_MOST if call.result else ">"
    rule = formula(rf"<n> \cdot (<c> - <p>) {sign} <m>", n=n, c=c, p=p, m=room)
    text = f"{plane} has no end and no box. The corner of the box of {boxed} that is farthest in is "
    text += "in it, so the shapes themselves decide." if call.result else "not in it, which stops the pair."
    marks = (box, Mark("lowest corner", "point", Point(corner)))
    return Step(title, text, (rule,), (c, p, n, room), marks, kernel="half_space_meets")
