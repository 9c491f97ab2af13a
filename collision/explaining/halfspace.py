"""How the kernels of a half-space get to its separation from every other core."""

from __future__ import annotations

from collision.explaining.pairs import Operand, PairTrace, nearest, sentence, the_normal
from collision.explaining.records import Mark, Step, Value, arrow, formula
from collision.explaining.trace import Call
from collision.kernels.halfspace import LEVEL
from collision.kernels.vec3 import Vec3, along
from collision.shapes.kinds import Point, Segment

_INWARD = "A half-space is left along its normal alone, so the normal of the pair leads straight {} it."


def point_half_space(pair: PairTrace) -> list[Step]:
    """Return the steps of a point against a half-space."""
    return [*_above(pair, pair.call), _inward(pair)]


def linear_half_space(pair: PairTrace) -> list[Step]:
    """Return the steps of a linear piece against a half-space."""
    call, piece, space = pair.call, pair.first, pair.second
    lowest = call.ran("point_half_space")
    if call.has("start"):
        return [_both_ends(pair, piece, space), *_above(pair, call.find("point_half_space")), _inward(pair)]
    rise = Value("r", call["rise"], "", "u", "how much it rises over a unit of length")
    u, m = Value(r"\mathbf{u}", piece.core.direction), Value(r"\mathbf{m}", space.core.normal)
    if call["level"]:
        text = f"{sentence(piece.core_name)} is level with the plane, to rounding: all of it is as high as its point."
    elif lowest:
        text = f"{sentence(piece.core_name)} rises from the plane, so where it starts is lowest."
    else:
        text = f"{sentence(piece.core_name)} has no end, and it goes down into {space.name}: there is no lowest point."
    marks = (*_plane(pair), arrow("u", piece.core.origin, piece.core.direction))
    rule = formula(r"<r> = <u> \cdot <m>", r=rise, u=u, m=m)
    steps = [Step("Does it rise?", text, (rule,), (rise,), marks, kernel="linear_half_space")]
    if lowest:
        return [*steps, *_above(pair, call.find("point_half_space")), _inward(pair)]
    return [*steps, _pierced(pair), _inward(pair)]


def _both_ends(pair: PairTrace, piece: Operand, space: Operand) -> Step:
    call = pair.call
    start = Value("h_0", call["start"], "length", "height of the start", "height of the start")
    tip = Value("h_1", call["tip"], "length", "height of the end", "height of the end")
    o, q = Value(r"\mathbf{o}", piece.core.origin), Value(r"\mathbf{e}", piece.core.tip)
    c, m = Value(r"\mathbf{c}", space.core.point), Value(r"\mathbf{m}", space.core.normal)
    if start.value == tip.value:
        text = "Both ends are equally high above the plane, so the middle is taken."
    else:
        lower = "start" if call["start"] < call["tip"] else "end"
        text = f"The {lower} is the lower one of both ends, and nothing between them is lower."
    marks = (
        *_plane(pair),
        Mark("height of the start", "gap", _drop(piece.core.origin, call["start"], space)),
        Mark("height of the end", "gap", _drop(piece.core.tip, call["tip"], space)),
    )
    formulas = (
        formula(r"<h> = (<o> - <c>) \cdot <m>", h=start, o=o, c=c, m=m),
        formula(r"<h> = (<q> - <c>) \cdot <m>", h=tip, q=q, c=c, m=m),
    )
    return Step("The lower end", text, formulas, (start, tip), marks, kernel="linear_half_space")


def _pierced(pair: PairTrace) -> Step:
    call, piece = pair.call, pair.first
    values: tuple[Value, ...] = ()
    if call.has("t"):
        values = (Value("t", call["t"], "length", "common", "where it goes through the plane"),)
    text = f"No move takes {piece.core_name} out, so the distance has no lower end. One point that both have serves."
    marks = (*_plane(pair), Mark("common", "witness", Point(pair.separation.on_a)))
    return Step("Nearest points of the cores", text, (), values, marks, kernel=call.name)


def box_half_space(pair: PairTrace) -> list[Step]:
    """Return the steps of a box against a half-space."""
    call, box = pair.call, pair.first
    half = Value(r"\mathbf{e}", call["half"], "length", "", "half extents")
    m = Value(r"\mathbf{m}", call["m"], "", "", "the plane's normal, along the box's axes")
    down = Value(r"\mathbf{k}", call["down"], "length", "lowest", "the lowest corner, from the middle")
    level = sum(1 for x in call["down"] if x == 0.0)
    text = f"On each axis of {box.name} the end that leads down is taken: together they are the lowest corner."
    if level:
        text += " Where an axis is level with the plane, its middle serves."
    marks = (
        *_plane(pair),
        Mark("lowest", "chosen", Point(call["lowest"])),
        Mark("middle", "point", Point(call["middle"])),
    )
    support = Step("The lowest corner", text, (), (half, m, down), marks, kernel="box_half_space")
    middle = Value("h_m", call.find("height").result, "length", "", "height of the middle")
    h = Value("h", call["h"], "length", "w", "height of the lowest corner")
    template = r"<h> = <mid> - (|<mx>| \cdot <ex> + |<my>| \cdot <ey> + |<mz>| \cdot <ez>)"
    parts = {f"m{x}": Value(f"m_{x}", part) for x, part in zip("xyz", call["m"], strict=True)}
    parts |= {f"e{x}": Value(f"e_{x}", part) for x, part in zip("xyz", call["half"], strict=True)}
    rule = formula(template, h=h, mid=middle, **parts)
    under = call["h"] < 0.0
    said = (
        f"The lowest corner is {'below' if under else 'above'} the plane, and straight "
        f"{'above' if under else 'below'} it is the plane's nearest point."
    )
    return [support, nearest(pair, said, "box_half_space", (rule,), (middle, h)), _inward(pair)]


def half_space_half_space(pair: PairTrace) -> list[Step]:
    """Return the steps of two half-spaces."""
    call, a, b = pair.call, pair.first, pair.second
    m, k = Value(r"\mathbf{m}", a.core.normal, "", "normal of " + a.name), Value(r"\mathbf{k}", b.core.normal)
    marks = (
        *(Mark(f"plane of {side.name}", "guide", side.shape) for side in (a, b)),
        *(arrow(f"normal of {side.name}", side.core.point, side.core.normal) for side in (a, b)),
    )
    values = (m, Value(k.symbol, k.value, "", "normal of " + b.name))
    if call.has("gap"):
        text = "The normals are opposite, to rounding: the planes face each other, everywhere as far apart."
        gap = Value("d", call["gap"], "length", "w", "from plane to plane")
        w = Value(r"\mathbf{w}", call["w"], "length", "", "from point to point")
        rule = formula(r"<d> = <w> \cdot <m>", d=gap, w=w, m=m)
        said = "How far the planes are apart is told along the normal; below zero is a slab that both have."
        found = nearest(pair, said, "half_space_half_space", (rule,), (w, gap))
        way = "The normal is that of the first plane, which leads to the second."
        kernel = "half_space_half_space"
        return [
            Step("Compare the normals", text, (), values, marks, kernel=kernel),
            found,
            the_normal(pair, a, way, kernel),
        ]
    length = Value("l", call["length"], "", "", "sine of the angle of the planes")
    if call["length"] > LEVEL:
        text = "The planes cross, so the two share a wedge without end."
    else:
        text = "The planes face the same way, to rounding, so one of the two is inside the other."
    said = f"No move parts {a.name} and {b.name}: one point that both have serves."
    steps = [Step("Compare the normals", text, (), (*values, length), marks, kernel="half_space_half_space")]
    common = (Mark("common", "witness", Point(pair.separation.on_a)), *marks[:2])
    way = f"Nothing parts them, so the normal of {a.name} serves."
    return [
        *steps,
        Step("Nearest points of the cores", said, (), (), common, kernel="half_space_half_space"),
        the_normal(pair, a, way, "half_space_half_space"),
    ]


def _above(pair: PairTrace, call: Call) -> list[Step]:
    """Return the steps of a call of `point_half_space`: how high the lowest point is, and what is below it."""
    space, p = pair.second, call.first("p")
    h = Value("h", call["h"], "length", "height", "height above the plane")
    at, c, m = Value(r"\mathbf{p}", p), Value(r"\mathbf{c}", space.core.point), Value(r"\mathbf{m}", space.core.normal)
    text = "The inner product with the plane's normal is how high the point is above the plane, negative below it."
    marks = (
        *_plane(pair),
        Mark("height", "gap", _drop(p, call["h"], space)),
        Mark("from c to p", "guide", Segment(space.core.point, p)),
    )
    rule = formula(r"<h> = (<p> - <c>) \cdot <m>", h=h, p=at, c=c, m=m)
    high = Step("Height above the plane", text, (rule,), (at, c, m, h), marks, kernel=call.name)
    q = Value(r"\mathbf{q}", call.result.on_b, "length", f"nearest of {space.core_name}", "on the plane")
    d = Value("d", call.result.distance, "length", "w", "distance of the cores")
    below = formula("<q> = <p> - <h> <m>", q=q, p=at, h=h, m=m)
    said = "Straight below the point is the plane's nearest one, and the height is the distance."
    return [high, nearest(pair, said, call.name, (below,), (q, d))]


def _inward(pair: PairTrace) -> Step:
    m = Value(r"\mathbf{m}", pair.second.core.normal, "", "", "the plane's normal")
    sign = "-" if pair.second.letter == "B" else ""
    text = _INWARD.format("into" if pair.second.letter == "B" else "out of")
    return the_normal(pair, pair.first, text, pair.call.name, f"<n> = {sign}<m>", m=m)


def _plane(pair: PairTrace) -> tuple[Mark, ...]:
    point, normal = pair.second.core
    return (
        Mark(f"plane of {pair.second.name}", "guide", pair.second.shape),
        arrow("m", point, normal),
    )


def _drop(p: Vec3, height: float, space: Operand) -> Segment:
    """Return the segment from a point straight to the plane."""
    return Segment(p, along(p, -height, space.core.normal))
