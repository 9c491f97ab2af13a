"""A sphere against a capsule in the capsule's own space, as it is usually taught, and beside it what is true."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray
from collision.explaining.explanation import Explanation, Question
from collision.explaining.pairs import memory_of, numbers_of, sentence, trace_pair
from collision.explaining.records import Mark, Space, Step, Value, formula
from collision.kernels.cores import TOUCH
from collision.kernels.vec3 import Vec3, load, sub
from collision.shapes.capsule_space import CapsuleCollider
from collision.shapes.kinds import Capsule, Point, Segment, Sphere


def explained(asked: Question) -> Explanation:
    """Return the explanation of `CapsuleCollider.sphere_test`."""
    asked = asked._replace(given=(*asked.given, *asked.more.values()))
    (collider, transform, sphere), names = asked.given, asked.names
    test = _tested(collider, collider.world_to_capsule(transform), sphere)
    asked.confirm([test.center, test.rate, test.clamped, test.near, test.squared, test.hit], asked.result)
    steps = (
        _placed(collider, names[0]),
        _into(test, sphere, names),
        _foot(test, names),
        _squares(test, names),
        _truth(collider.in_world(transform), transform.scale, sphere, test.hit, names),
    )
    return asked.answered(steps, steps[-1].text)


class _Test(NamedTuple):
    """What `CapsuleCollider.sphere_test` computes, and what of."""

    matrix: list[list[float]]  # from the world to capsule space
    given: Vec3  # the center of the sphere in the world
    center: Vec3
    radius: float  # of the sphere
    own: float  # that of the collider
    half: float
    rate: float
    clamped: float
    near: Vec3
    squared: float
    reach: float
    hit: bool


def _tested(collider: CapsuleCollider, matrix: FloatArray, sphere: Sphere) -> _Test:
    """Return the test of one sphere, computed as `CapsuleCollider.sphere_test` does."""
    memory, rows = memory_of(sphere).table, numbers_of(matrix)
    (x, y, z), radius = load(memory[0], 0), memory[1][0]
    center = Vec3(*(a * x + b * y + c * z + d for a, b, c, d in rows[:3]))
    own, height = numbers_of(collider.radius), numbers_of(collider.height)
    half = 0.5 * height - own
    length = 2.0 * half
    rate = (center.z + half) / length if length != 0.0 else math.nan
    clamped = min(max(rate, 0.0), 1.0) if length != 0.0 else 0.0
    near = Vec3(0.0, 0.0, -half + length * clamped)
    gap = sub(center, near)
    squared, reach = gap.x * gap.x + gap.y * gap.y + gap.z * gap.z, own + radius
    hit = squared <= reach * reach + 2.0 * TOUCH * max(squared, reach * reach)
    return _Test(rows, Vec3(x, y, z), center, radius, own, half, rate, clamped, near, squared, reach, hit)


def _rows(matrix: list[list[float]]) -> tuple[tuple[float, ...], ...]:
    return tuple([tuple([x + 0.0 for x in row]) for row in matrix])


def _placed(collider: CapsuleCollider, name: str) -> Step:
    matrix = _rows(numbers_of(collider.capsule_to_local()))
    values = (
        Value("h", numbers_of(collider.height), "length", "", "height, caps included"),
        Value("r'", numbers_of(collider.radius), "length", "", f"radius of {name}"),
        Value(r"\mathbf{c}", tuple(numbers_of(collider.center)), "length", "", "center, in the object's own space"),
        Value("M", matrix, "", "", "from capsule space to the object's own space"),
    )
    text = (
        "As the article on sphere against capsule (a Unity blog) does it: "
        f"{name} lies along the {collider.axis} axis of its object. Capsule space has its center at the origin and its "
        "axis along z: M turns z to that axis, and moves the origin to the center."
    )
    return Step("The capsule in its object", sentence(text), (), values, (), kernel="capsule_to_local")


def _space(test: _Test, names: tuple[str, str], *marks: Mark) -> Space:
    half = test.half  # less than zero where the height is less than two radii: it is drawn as it is compared
    pill = Mark(names[0], "given", Capsule([0.0, 0.0, -half], [0.0, 0.0, half], test.own))
    return Space("Capsule space", (pill, Mark(names[1], "given", Sphere(test.center, test.radius)), *marks))


def _into(test: _Test, sphere: Sphere, names: tuple[str, str]) -> Step:
    there = Value(r"\mathbf{P_c}", test.center, "length", "center", f"center of {names[1]}, there")
    given = Value(r"\mathbf{C}", test.given, "length", "center in the world", "in the world")
    matrix = Value(
        "W",
        _rows(test.matrix),
        "",
        "",
        "from the world to capsule space: the inverse of M, after that of the object's",
    )
    text = (
        f"W undoes the object's transform, and then M. The center of {names[1]} goes into capsule space; its radius is "
        "taken along as it is."
    )
    mark, space = (
        Mark("center in the world", "core", Point(test.given)),
        Mark("center", "core", Point(test.center)),
    )
    rule = formula("<p> = W <c>", p=there, c=given)
    return Step(
        "Into capsule space", text, (rule,), (matrix, given, there), (mark,), None,
        _space(test, names, space), kernel="sphere_test",
    )  # fmt: skip


def _foot(test: _Test, names: tuple[str, str]) -> Step:
    half, rate, clamped = test.half, test.rate, test.clamped
    z = Value("z", test.center.z, "length", "center", "of the center")
    h = Value(r"\mathrm{half}", half, "length", "", "from the middle to a cap's center: half the height less r'")
    raw = Value(
        r"\mathrm{rate}", rate, "", "foot" if math.isfinite(rate) else "", "rate of the foot between the cap centers"
    )
    kept = Value(r"\mathrm{rate}'", clamped, "", "near point", "the same, clamped to 0 to 1")
    near = Value(r"\mathbf{P_n}", test.near, "length", "near point", "the point there")
    marks = [Mark("center", "core", Point(test.center)), Mark("near point", "point", Point(test.near))]
    if half:
        marks.append(Mark("axis", "core", Segment([0.0, 0.0, -half], [0.0, 0.0, half])))
    rules = [formula(r"<k> = \min(\max(<s>, 0), 1)", k=kept, s=raw)]
    if math.isnan(rate):
        text, rules = "The cap centers are the same point, so there is no rate: that point is the nearest.", []
    else:
        rules.insert(0, formula(r"<s> = \frac{<z> + <h>}{2 <h>}", s=raw, z=z, h=h))
        foot = [0.0, 0.0, -half + 2.0 * half * rate]
        marks.append(Mark("foot", "point" if rate == clamped else "outside", Point(foot)))
        text = "The foot of the perpendicular from the center lies between the cap centers."
        if rate != clamped:
            text = f"The foot lies beyond the cap center at the {'end' if rate > 1.0 else 'start'}, which is nearest."
    if half < 0.0:
        text += " The height is less than two radii, so start and end have changed places: the axis is turned around."
    space = _space(test, names, *marks)
    values = (z, h, kept, near) if math.isnan(rate) else (z, h, raw, kept, near)
    return Step("Foot on the axis", text, tuple(rules), values, (), None, space, kernel="sphere_test")


def _squares(test: _Test, names: tuple[str, str]) -> Step:
    center = Value(r"\mathbf{P_c}", test.center, "length")
    near = Value(r"\mathbf{P_n}", test.near, "length")
    squared = Value("q", test.squared, "length²", "gap", "squared distance of center and near point")
    r, own = (
        Value("r", test.radius, "length", "", f"radius of {names[1]}"),
        Value("r'", test.own, "length"),
    )
    reach = Value("R", test.reach * test.reach, "length²", "", "square of the sum of the radii")
    hit = test.hit
    rules = (
        formula(r"<q> = \|<c> - <n>\|^2", q=squared, c=center, n=near),
        formula("<R> = (<a> + <b>)^2", R=reach, a=r, b=own),
        formula(r"<q> \leq <R>" if hit else "<q> > <R>", q=squared, R=reach),
    )
    text = "The squared distance is no more than the square of both radii together: the test says that they touch."
    if not hit:
        text = "The squared distance is more than the square of both radii together: the test says that they are apart."
    marks = [Mark("near point", "point", Point(test.near))]
    if test.squared > 0.0:
        marks.append(Mark("gap", "gap", Segment(test.center, test.near)))
    space = _space(test, names, *marks)
    verdict = Value(r"\mathrm{hit}", hit, "", "", "the verdict of this test")
    return Step(
        "Compare the squares", text, rules, (squared, r, own, reach, verdict), (), None, space, kernel="sphere_test"
    )


def _truth(capsule: Capsule, scale: FloatArray, sphere: Sphere, hit: bool, names: tuple[str, str]) -> Step:
    pair = trace_pair(sphere, capsule, (names[1], names[0]))
    touching = pair.distance <= TOUCH * pair.size
    values = (
        Value(r"\mathbf{s}", tuple(numbers_of(np.atleast_1d(scale))), "", "", "scale of the object"),
        Value(
            "r''", numbers_of(capsule.radius), "length", "capsule in the world", "radius of the capsule in the world"
        ),
        Value("D", pair.distance, "length", "signed distance", "signed distance in the world"),
        Value(r"\mathrm{hit}", touching, "", "", "the true verdict"),
    )
    marks = (
        Mark("capsule in the world", "given", capsule),
        Mark("signed distance", "gap", Segment(pair.on_first, pair.on_second)),
    )
    said = "touch" if touching else "do not touch"
    text = f"In the world {names[1]} and {names[0]} {said}, as the test says."
    if touching != hit:
        text = (
            f"In the world {names[1]} and {names[0]} {said}: the test is wrong. It measured in the scaled space, and "
            f"compared with the radius of {names[1]}, which was not scaled."
        )
        if (np.abs(scale) == 1.0).all():
            text = (
                f"In the world {names[1]} and {names[0]} {said}: the test is wrong. The height is less than two radii."
            )
    return Step("What is true", text, (), values, marks, kernel="in_world")
