"""Exact answers to compare the kernels with: slow, obvious, and sharing nothing with them.

A double is a whole number times a power of two, so every shape made of doubles has exact rational data, and all that
is decided here is decided in whole numbers: nothing is rounded before the final square root, which is good to sixty
digits. The method is the same for every pair and does not care which kinds it has:

* The core of a shape is a base point plus up to three *edges*, each taken 0 to 1 times, from 0 to infinity or from
  minus to plus infinity: a point has none, a linear piece one, a box three. Grown by a radius it is the shape.
* The difference of two cores, all vectors from a point of A to a point of B, is such a set again, with the edges of
  both. Two shapes are as far apart as the origin is from it, less the two radii.
* If the origin is outside, the nearest point lies in a corner, on an edge or on a facet. All of them are tried.
* If it is inside, its depth is the least distance to a facet; facets have as normals the cross products of two edges.
  A difference that is flat (two crossing segments, a point in a flat box) has no inside: the depth there is zero,
  since a push along its normal, however small, takes the cores apart.
* A moving shape touches a resting one when the origin, moving the same way, comes within the radii of the difference.
  What it comes to first is near a corner, an edge or a facet: a ball, a cylinder or a slab. All of them are tried.
* The convex hull of points is no sum of edges: of two, all points, segments and triangles of points are tried.

Directions and axes are taken as stored. They are of unit length and at right angles only to rounding; an `OrientedBox`
is therefore the parallelepiped that its stored columns span, which differs from a perfect box by a few units in the
last place of its largest coordinate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import factorial, hypot, inf, isqrt, lcm, pi
from typing import Any, NamedTuple, TypeAlias

from scipy.spatial.transform import Rotation

from collision.shapes.kinds import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Shape, Sphere

Vector: TypeAlias = tuple[Fraction, Fraction, Fraction]
Whole: TypeAlias = tuple[int, int, int]
Linear: TypeAlias = Segment | Ray | Line
Span: TypeAlias = tuple[Fraction, Fraction]
#: An end of a range: a number, or infinity.
End: TypeAlias = Fraction | float

ZERO, ONE = Fraction(0), Fraction(1)
#: Farther than any coordinate.
FAR = Fraction(10) ** 40


# --- vectors --------------------------------------------------------------------------------------


def add(a: Any, b: Any) -> Any:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a: Any, b: Any) -> Any:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def times(a: Any, s: Any) -> Any:
    return (a[0] * s, a[1] * s, a[2] * s)


def dot(a: Any, b: Any) -> Any:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Any, b: Any) -> Any:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def exact(values: Any) -> Vector:
    """Three doubles as fractions."""
    x, y, z = (Fraction(float(v)) for v in values)
    return (x, y, z)


def root(square: Fraction | int) -> Fraction:
    """Return the square root, to sixty digits; exact where it is rational."""
    n, d = square.numerator, square.denominator
    return Fraction(isqrt(n * d << 400), d << 200)


# --- shapes as base, edges and radius -------------------------------------------------------------


class Edge(NamedTuple):
    """A vector taken t times: 0 <= t <= 1, 0 <= t if it is endless, any t if it is endless both ways."""

    vector: Any
    endless: bool = False
    both_ways: bool = False

    def allows(self, numerator: int, denominator: int) -> bool:
        """Tell whether t = numerator / denominator is in range, for a positive denominator."""
        return self.both_ways or (numerator >= 0 and (self.endless or numerator <= denominator))

    @property
    def ends(self) -> tuple[int, ...]:
        """The values of t to try beside the best one. Zero serves for a line, which has no end: it is in range."""
        return (0,) if self.endless else (0, 1)


class Body(NamedTuple):
    base: Vector
    edges: tuple[Edge, ...]
    radius: Fraction

    def corners(self) -> Iterator[Vector]:
        """Yield the corners of the core; where it is endless, only where it starts."""
        for counts in product(*(edge.ends for edge in self.edges)):
            yield _place(self.base, self.edges, counts)


def body(shape: Shape) -> Body:
    """Read a single shape; radii and coordinates are exact."""
    match shape:
        case Point():
            return Body(exact(shape.position), (), ZERO)
        case Sphere():
            return Body(exact(shape.center), (), Fraction(float(shape.radius)))
        case Segment():
            return Body(exact(shape.start), (Edge(sub(exact(shape.end), exact(shape.start))),), ZERO)
        case Capsule():
            edge = Edge(sub(exact(shape.end), exact(shape.start)))
            return Body(exact(shape.start), (edge,), Fraction(float(shape.radius)))
        case Ray():
            return Body(exact(shape.origin), (Edge(exact(shape.direction), True),), ZERO)
        case Line():
            return Body(exact(shape.point), (Edge(exact(shape.direction), True, True),), ZERO)
        case AABB():
            lower, size = exact(shape.lower), sub(exact(shape.upper), exact(shape.lower))
            units = [tuple(size[i] if i == j else ZERO for j in range(3)) for i in range(3)]
            return Body(lower, tuple(Edge(unit) for unit in units), ZERO)
        case OrientedBox():
            halves = [times(exact(shape.axes[:, i]), Fraction(float(shape.half_extents[i]))) for i in range(3)]
            base = sub(exact(shape.center), add(add(halves[0], halves[1]), halves[2]))
            return Body(base, tuple(Edge(times(half, 2)) for half in halves), ZERO)
        case HalfSpace():
            normal = exact(shape.normal)
            axis = min(range(3), key=lambda i: abs(normal[i]))
            aside = cross(normal, tuple(ONE if i == axis else ZERO for i in range(3)))
            sides = (Edge(aside, True, True), Edge(cross(normal, aside), True, True))
            return Body(exact(shape.point), (*sides, Edge(times(normal, -1), True)), ZERO)
    raise TypeError(f"not one of the kinds: {shape!r}")


def _place(base: Any, edges: tuple[Edge, ...], counts: Any) -> Any:
    for edge, count in zip(edges, counts, strict=True):
        base = add(base, times(edge.vector, count))
    return base


# --- distance and depth ---------------------------------------------------------------------------


class Separation(NamedTuple):
    """How far apart two shapes are, and where their cores are nearest (None where one core reaches into the other)."""

    signed_distance: Any
    core_distance: Any
    core_a: Vector | None
    core_b: Vector | None


def separation(a: Shape, b: Shape) -> Separation:
    """Return the signed distance of two single shapes of any kinds, with what else is known."""
    if isinstance(b, HalfSpace):
        return _height(a, b)
    if isinstance(a, HalfSpace):
        return _height(b, a)
    return bodies_apart(body(a), body(b))


#: A direction is level with a plane if it rises by no more than this, as a part of its length.
LEVEL = Fraction(8, 2**52)


def _height(shape: Shape, space: HalfSpace) -> Separation:
    """Return how high the lowest corner of a shape is above a plane; minus infinity if it goes down for ever."""
    point, normal, one = exact(space.point), exact(space.normal), body(shape)
    length = root(dot(normal, normal))
    if isinstance(shape, HalfSpace):
        facing = max(abs(x) for x in add(exact(shape.normal), normal)) <= LEVEL
        descends = not facing
    else:
        falls = [(dot(edge.vector, normal) / length, edge) for edge in one.edges if edge.endless]
        descends = any(rise < -LEVEL or (edge.both_ways and rise > LEVEL) for rise, edge in falls)
    if descends:
        return Separation(-inf, -inf, None, None)
    lowest = min(dot(sub(corner, point), normal) for corner in one.corners()) / length
    return Separation(lowest - one.radius, lowest, None, None)


def signed_distance(a: Shape, b: Shape) -> Fraction:
    """Return the signed distance of two single shapes of any kinds: negative is the depth of overlap."""
    return separation(a, b).signed_distance


def moved(one: Body, motion: Vector, time: Fraction) -> Body:
    """Return a body after some time of a motion, nothing rounded."""
    return one._replace(base=add(one.base, times(motion, time)))


def bodies_apart(a: Body, b: Body) -> Separation:
    radii = a.radius + b.radius
    difference = _difference(a, b)
    base, whole, unit = _whole_numbers(difference.base, difference.edges)
    depth_squared = _depth_squared(base, whole)
    if depth_squared is not None:
        core = -root(depth_squared) * unit
        return Separation(core - radii, core, None, None)
    squared, counts = _nearest(base, whole)
    core = root(squared) * unit
    split = len(a.edges)
    near_a, near_b = _place(a.base, a.edges, counts[:split]), _place(b.base, b.edges, counts[split:])
    return Separation(core - radii, core, near_a, near_b)


def _difference(a: Body, b: Body) -> Body:
    """Return all vectors from a point of A to a point of B."""
    turned = (Edge(times(e.vector, -1), e.endless, e.both_ways) for e in a.edges)
    return Body(sub(b.base, a.base), (*turned, *b.edges), a.radius + b.radius)


def _whole_numbers(base: Vector, edges: tuple[Edge, ...]) -> tuple[Whole, tuple[Edge, ...], Fraction]:
    """Return the same set in multiples of a unit so small that every coordinate is a whole number."""
    unit = _unit_of(*base, *(x for edge in edges for x in edge.vector))
    return _whole(base, unit), tuple(e._replace(vector=_whole(e.vector, unit)) for e in edges), unit


def _unit_of(*numbers: Fraction) -> Fraction:
    """Return the largest part of one of which all of these are multiples."""
    return Fraction(1, lcm(*(x.denominator for x in numbers)))


def _whole(v: Vector, unit: Fraction) -> Whole:
    x, y, z = (int(x / unit) for x in v)
    return (x, y, z)


def _nearest(base: Whole, edges: tuple[Edge, ...]) -> tuple[Fraction, list[Fraction]]:
    """Return the least squared length in the set, and the counts that give it: try all corners, edges and facets.

    Every trial is a point of the set, so none is below the minimum, and the minimum is among them. Of several that are
    equally near the first one counts.
    """
    best: tuple[Fraction, list[Fraction]] | None = None
    indices = range(len(edges))
    for free in (free for size in range(3) for free in combinations(indices, size)):
        for ends in product(*(edges[i].ends if i not in free else (0,) for i in indices)):
            trial = _slide(_place(base, edges, ends), [edges[i] for i in free])
            if trial is None or (best is not None and trial[0] >= best[0]):
                continue
            counts = [Fraction(end) for end in ends]
            for i, count in zip(free, trial[1], strict=True):
                counts[i] = count
            best = trial[0], counts
    assert best is not None, "the corner with all counts zero is always tried"
    return best


def _slide(corner: Whole, free: list[Edge]) -> tuple[Fraction, list[Fraction]] | None:
    """Return the least squared length over corner + free edges (none to two); None where it lies beyond their ends."""
    if not free:
        return Fraction(dot(corner, corner)), []
    g = free[0].vector
    if len(free) == 1:
        length, count = dot(g, g), -dot(corner, g)
        if length == 0 or not free[0].allows(count, length):
            return None
        across = cross(corner, g)
        return Fraction(dot(across, across), length), [Fraction(count, length)]
    h = free[1].vector
    normal = cross(g, h)
    area = dot(normal, normal)
    if area == 0:
        return None
    first, second = -dot(cross(corner, h), normal), dot(cross(corner, g), normal)
    if not (free[0].allows(first, area) and free[1].allows(second, area)):
        return None
    return Fraction(dot(corner, normal) ** 2, area), [Fraction(first, area), Fraction(second, area)]


def _depth_squared(base: Whole, edges: tuple[Edge, ...]) -> Fraction | None:
    """Return the squared depth of the origin inside the set; None if it is outside, or if the set is flat."""
    vectors = [e.vector for e in edges]
    if not any(dot(cross(f, g), h) for f, g, h in combinations(vectors, 3)):
        return None
    best: Fraction | None = None
    for f, g in combinations(vectors, 2):
        up = cross(f, g)
        for normal in (up, times(up, -1)):
            reach = _support(base, edges, normal)
            if reach is None or up == (0, 0, 0):
                continue
            if reach < 0:
                return None
            squared = Fraction(reach * reach, dot(normal, normal))
            best = squared if best is None else min(best, squared)
    return best


def hulls_apart(a: list[Vector], b: list[Vector]) -> Fraction:
    """Return the signed distance of the convex hulls of points, of which none needs to be a corner.

    Apart, some points, edges or triangles between points are nearest; nothing else is nearer. Overlapping, the depth is
    the least overlap along the cross product of two differences of points of either, as the facets of the difference
    have no other normals. A difference that is flat has no inside.
    """
    unit = _unit_of(*(x for p in (*a, *b) for x in p))
    own, other = [_whole(p, unit) for p in a], [_whole(p, unit) for p in b]
    ways = [sub(q, p) for points in (own, other) for p, q in combinations(points, 2)]
    ways.append(sub(other[0], own[0]))
    normals = {n for n in (cross(v, w) for v, w in combinations(ways, 2)) if any(n)}
    overlaps = [
        (max(dot(n, p) for p in own) - min(dot(n, q) for q in other), n)
        for normal in normals
        for n in (normal, times(normal, -1))
    ]
    if len(normals) > 1 and all(overlap > 0 for overlap, _ in overlaps):
        return -min(root(Fraction(overlap * overlap, dot(n, n))) for overlap, n in overlaps) * unit
    return root(Fraction(min(_squared_gaps(own, other)))) * unit


Planar: TypeAlias = tuple[Fraction, Fraction]


def _turns(a: Planar, b: Planar, c: Planar) -> Fraction:
    """Return twice the area of a triangle, above zero where it goes counter-clockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def around(points: list[Planar]) -> list[Planar]:
    """Return the corners of the convex hull of points in a plane, counter-clockwise."""
    halves: list[list[Planar]] = []
    for way in (sorted(set(points)), sorted(set(points), reverse=True)):
        chain: list[Planar] = []
        for p in way:
            while len(chain) > 1 and _turns(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        halves.append(chain[:-1] or chain)
    return list(dict.fromkeys([*halves[0], *halves[1]]))


def in_common(a: list[Planar], b: list[Planar]) -> list[Planar]:
    """Return the corners of what the hulls of points in a plane have in common: corners of both, and where sides cross.

    A corner is in the other hull if no side of it has it on its right; a hull without width has its one side twice.
    """
    rings = around(a), around(b)
    sides = [list(zip(ring, [*ring[1:], ring[0]], strict=True)) for ring in rings]
    found = []
    for ring, others in (*zip(rings, sides[::-1], strict=True),):
        found += [p for p in ring if all(_turns(q, r, p) >= 0 for q, r in others) and _between_ends(p, others)]
    for (p, q), (r, s) in product(*sides):
        over, under = _turns(r, s, p), _turns(r, s, q)
        if over * under < 0 and _turns(p, q, r) * _turns(p, q, s) < 0:
            part = over / (over - under)
            found.append((p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])))
    return around(found) if found else []


def _between_ends(p: Planar, sides: list[tuple[Planar, Planar]]) -> bool:
    """Tell whether a point is within the box around sides: what is in line with a side may be beyond its ends."""
    ends = [end for side in sides for end in side]
    return all(min(e[k] for e in ends) <= p[k] <= max(e[k] for e in ends) for k in (0, 1))


def _squared_gaps(a: list[Whole], b: list[Whole]) -> Iterator[End]:
    """Yield squared distances of parts of two hulls, among them those of the nearest."""
    for p, q in product(a, b):
        yield _from_simplex(sub(q, p), ())
    for points, others in ((a, b), (b, a)):
        for p in points:
            for q, r in combinations(others, 2):
                yield _from_simplex(sub(q, p), (sub(r, q),))
            for q, r, s in combinations(others, 3):
                yield _from_simplex(sub(q, p), (sub(r, q), sub(s, q)))
    for (p, q), (r, s) in product(combinations(a, 2), combinations(b, 2)):
        yield _from_simplex(sub(r, p), (sub(s, r), sub(p, q)), crossed=True)


def _from_simplex(base: Whole, ways: tuple[Whole, ...], crossed: bool = False) -> End:
    """Return the squared distance of the origin from where it is nearest on a segment or a triangle, within it.

    Two crossed ways span a parallelogram. Where the nearest point of the line or the plane is beyond the sides, another
    part is nearer, and infinity is returned.
    """
    if not ways:
        return Fraction(dot(base, base))
    if len(ways) == 1:
        (v,) = ways
        squared, along = dot(v, v), -dot(base, v)
        if not squared or not 0 <= along <= squared:
            return inf
        return Fraction(dot(base, base)) - Fraction(along * along, squared)
    v, w = ways
    n = cross(v, w)
    squared = dot(n, n)
    if not squared:
        return inf
    r, s = -dot(cross(base, w), n), dot(cross(base, v), n)
    if r < 0 or s < 0 or (max(r, s) > squared if crossed else r + s > squared):
        return inf
    return Fraction(dot(base, n) ** 2, squared)


def room_along(a: Body, b: Body, normal: Vector, length: Fraction) -> Fraction:
    """Return the least step along a normal from any point of A to any point of B: its signed distance if it is right.

    No other direction of the same length has as much room, so this tells right normals from wrong ones, also where the
    shapes touch. Endless edges count up to a length.
    """
    difference = _difference(a, b)
    room = dot(difference.base, normal) - difference.radius * root(dot(normal, normal))
    for edge in difference.edges:
        gain = dot(edge.vector, normal)
        room += -abs(gain) * length if edge.both_ways else min(gain, ZERO) * (length if edge.endless else ONE)
    return Fraction(room)


def _support(base: Whole, edges: tuple[Edge, ...], normal: Whole) -> int | None:
    """Return the largest inner product with the normal over the set; None if there is none."""
    reach: int = dot(base, normal)
    for edge in edges:
        gain = dot(edge.vector, normal)
        if (gain > 0 and edge.endless) or (gain != 0 and edge.both_ways):
            return None
        reach += max(gain, 0)
    return reach


def size_of(a: Shape, b: Shape, apart: Separation) -> float:
    """Return the largest absolute coordinate or radius of a pair, the nearest points of the cores included."""
    return float(max(_reach(body(a)), _reach(body(b)), *_largest(apart.core_a, apart.core_b)))


def extent(*shapes: Shape) -> float:
    """Return the largest absolute coordinate or radius of some shapes."""
    return float(max(_reach(body(shape)) for shape in shapes))


def _reach(one: Body) -> Fraction:
    return max(one.radius, *_largest(*one.corners()))


def _largest(*points: Vector | None) -> list[Fraction]:
    return [abs(x) for point in points if point is not None for x in point] or [ZERO]


# --- sweeps ---------------------------------------------------------------------------------------


def first_touch(a: Shape, b: Shape, motion: Any, grow: Fraction = ZERO) -> Fraction | None:
    """Return when A, moving by the motion in each unit of time, first touches B; zero if it does now, None for never.

    Near counts as touching where the shapes are to be grown: when do they come so near?
    """
    first, second = body(a), body(b)
    if bodies_apart(first, second).signed_distance <= grow:
        return ZERO
    return _time_to_reach(_difference(first, second), exact(motion), grow)


def _time_to_reach(difference: Body, motion: Vector, grow: Fraction) -> Fraction | None:
    """Return when the origin, now outside, comes within the radius of a set of vectors."""
    radius = difference.radius + grow
    unit = _unit_of(radius, *motion, *difference.base, *(x for edge in difference.edges for x in edge.vector))
    way, near = _whole(motion, unit), int(radius / unit)
    if way == (0, 0, 0):
        return None
    first: End = inf
    for corner, free in _pieces(_whole(difference.base, unit), difference.edges, unit):
        low, high = _near_piece(way, corner, free, near)
        if low <= high and high >= 0:
            first = min(first, low)
    return None if isinstance(first, float) else first


def _pieces(base: Whole, edges: tuple[Edge, ...], unit: Fraction) -> Iterator[tuple[Whole, list[Edge]]]:
    """Yield all corners, edges and facets: a corner, and the edges (none to two) along which it may slide."""
    whole = [edge._replace(vector=_whole(edge.vector, unit)) for edge in edges]
    for free in (free for size in range(3) for free in combinations(whole, size)):
        fixed = tuple(edge for edge in whole if not any(edge is one for one in free))
        for ends in product(*(edge.ends for edge in fixed)):
            yield _place(base, fixed, ends), list(free)


def _near_piece(way: Whole, corner: Whole, free: list[Edge], radius: int) -> tuple[End, End]:
    """Return when the point that is at t · way is within the radius of a piece, and beside it, not beyond its ends.

    Where low > high, it never is.
    """
    never, at_start = (inf, -inf), times(corner, -1)  # the point, seen from the corner
    if not free:
        return _solve(dot(way, way), dot(way, at_start), dot(corner, corner) - radius**2) or never
    g = free[0].vector
    if len(free) == 1:
        length = dot(g, g)
        across, turn = cross(at_start, g), cross(way, g)
        beyond = dot(across, across) - radius**2 * length
        if length == 0 or (turn == (0, 0, 0) and beyond > 0):
            return never
        always = (-inf, inf)
        span = always if turn == (0, 0, 0) else _solve(dot(turn, turn), dot(turn, across), beyond) or never
        return _between(span, free[0], dot(at_start, g), dot(way, g), length)
    h = free[1].vector
    normal = cross(g, h)
    area = dot(normal, normal)
    height, speed = dot(at_start, normal), dot(way, normal)
    if area == 0 or (speed == 0 and height**2 > radius**2 * area):
        return never
    span: tuple[End, End] = (-inf, inf)
    if speed != 0:
        thick = root(Fraction(radius**2 * area))
        low, high = sorted(((-thick - height) / speed, (thick - height) / speed))
        span = (low, high)
    span = _between(span, free[0], dot(cross(at_start, h), normal), dot(cross(way, h), normal), area)
    return _between(span, free[1], -dot(cross(at_start, g), normal), -dot(cross(way, g), normal), area)


def _between(span: tuple[End, End], edge: Edge, at_start: int, speed: int, whole: int) -> tuple[End, End]:
    """Return the part of a range of t where (at_start + t speed) / whole is a count that an edge allows."""
    low, high = span
    for value, rate in () if edge.both_ways else ((at_start, speed), (whole - at_start, -speed)):
        if rate > 0:  # value + t rate is not negative from here on
            low = max(low, Fraction(-value, rate))
        elif rate < 0:
            high = min(high, Fraction(-value, rate))
        elif value < 0:
            return inf, -inf
        if edge.endless:
            break
    return low, high


# --- containment ----------------------------------------------------------------------------------


def overhang(a: Shape, b: Shape) -> Fraction | None:
    """How far b sticks out of a solid a: zero or less if it lies inside; None if it reaches to infinity.

    A solid is convex, so b lies inside if the ball of b's radius around every corner of its core does.
    """
    outer, inner = body(a), body(b)
    if isinstance(a, HalfSpace):
        return _height_of_top(b, a)
    if any(edge.endless for edge in inner.edges):
        return None
    return max(bodies_apart(Body(corner, (), ZERO), outer).signed_distance for corner in inner.corners()) + inner.radius


def _height_of_top(shape: Shape, space: HalfSpace) -> Fraction | None:
    """Return how high the highest point of a shape is above a plane; None if it goes up for ever."""
    point, normal, one = exact(space.point), exact(space.normal), body(shape)
    length = root(dot(normal, normal))
    if isinstance(shape, HalfSpace):
        rises = max(abs(x) for x in sub(exact(shape.normal), normal)) > LEVEL
    else:
        falls = [(dot(edge.vector, normal) / length, edge) for edge in one.edges if edge.endless]
        rises = any(rise > LEVEL or (edge.both_ways and rise < -LEVEL) for rise, edge in falls)
    if rises:
        return None
    return Fraction(max(dot(sub(corner, point), normal) for corner in one.corners())) / length + one.radius


# --- lines through solids -------------------------------------------------------------------------


def through(line_like: Linear, shape: Shape) -> Span | None:
    """Return the range of the parameter over which the endless line lies in a solid; None if it misses it.

    The parameter counts the stored direction, or the way from start to end of a segment, which must not be zero.
    """
    origin, direction = start_and_step(line_like)
    solid = body(shape)
    match shape:
        case Sphere():
            return _in_ball(sub(origin, solid.base), direction, solid.radius)
        case Capsule():
            return _in_capsule(origin, direction, solid, solid.radius)
        case HalfSpace():
            normal = exact(shape.normal)
            return _in_slabs(origin, direction, [(normal, -FAR, dot(normal, solid.base))])
        case AABB() | OrientedBox():
            return _in_slabs(origin, direction, _slabs(shape))
    raise TypeError(f"not a solid: {shape!r}")


def start_and_step(line_like: Linear) -> tuple[Vector, Vector]:
    """Return the point at parameter 0, and the step to parameter 1."""
    only = body(line_like)
    return only.base, only.edges[0].vector


def raycast(ray: Ray, shape: Shape) -> Span | None:
    """Where a ray enters a solid (zero if it starts inside) and where it leaves it; None if it misses."""
    span = through(ray, shape)
    return None if span is None or span[1] < 0 else (max(span[0], ZERO), span[1])


def _solve(a: Fraction | int, half_b: Fraction | int, c: Fraction | int) -> Span | None:
    """Return where a t² + 2 half_b t + c <= 0, for positive a."""
    discriminant = half_b * half_b - a * c
    if discriminant < 0:
        return None
    spread = root(discriminant)
    return (-half_b - spread) / a, (-half_b + spread) / a


def _in_ball(offset: Vector, direction: Vector, radius: Fraction) -> Span | None:
    return _solve(dot(direction, direction), dot(direction, offset), dot(offset, offset) - radius * radius)


def _in_slabs(origin: Vector, direction: Vector, slabs: list[tuple[Vector, Fraction, Fraction]]) -> Span | None:
    """Where low <= normal · point <= high for every slab; None for never. At least one slab must end on both sides."""
    low: Fraction | None = None
    high: Fraction | None = None
    for normal, bottom, top in slabs:
        at, speed = dot(normal, origin), dot(normal, direction)
        if speed == 0:
            if not bottom <= at <= top:
                return None
            continue
        first, last = sorted(((bottom - at) / speed, (top - at) / speed))
        low = first if low is None else max(low, first)
        high = last if high is None else min(high, last)
    assert low is not None, "a direction that is not zero leaves at least one slab"
    assert high is not None
    return (low, high) if low <= high else None


def _slabs(box: AABB | OrientedBox) -> list[tuple[Vector, Fraction, Fraction]]:
    """Return the three pairs of parallel faces: normal, least and largest inner product with it."""
    if isinstance(box, AABB):
        lower, upper = exact(box.lower), exact(box.upper)
        units = [(ONE, ZERO, ZERO), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE)]
        return [(units[i], lower[i], upper[i]) for i in range(3)]
    center = exact(box.center)
    columns = [exact(box.axes[:, i]) for i in range(3)]
    volume = dot(cross(columns[0], columns[1]), columns[2])
    slabs = []
    for i in range(3):  # the rows of the inverse of the axes: exact also where these are not quite at right angles
        normal = times(cross(columns[(i + 1) % 3], columns[(i + 2) % 3]), 1 / volume)
        middle, half = dot(normal, center), Fraction(float(box.half_extents[i]))
        slabs.append((normal, middle - half, middle + half))
    return slabs


def _in_capsule(origin: Vector, direction: Vector, capsule: Body, radius: Fraction) -> Span | None:
    """Join the ranges in its two balls and its cylinder; it is convex, so the least and the largest count."""
    start, axis = capsule.base, capsule.edges[0].vector
    balls = [_in_ball(sub(origin, cap), direction, radius) for cap in (start, add(start, axis))]
    spans = [span for span in (*balls, _in_cylinder(sub(origin, start), direction, axis, radius)) if span]
    return (min(s[0] for s in spans), max(s[1] for s in spans)) if spans else None


def _in_cylinder(offset: Vector, direction: Vector, axis: Vector, radius: Fraction) -> Span | None:
    across, turn, length = cross(offset, axis), cross(direction, axis), dot(axis, axis)
    beyond = dot(across, across) - radius * radius * length
    if length == 0 or (turn == (0, 0, 0) and beyond > 0):
        return None
    between = [(axis, ZERO, length)]  # the two planes through the ends
    if turn == (0, 0, 0):
        return _in_slabs(offset, direction, between)
    round_span = _solve(dot(turn, turn), dot(turn, across), beyond)
    if round_span is None or dot(axis, direction) == 0:
        return round_span if 0 <= dot(axis, offset) <= length else None
    flat_span = _in_slabs(offset, direction, between)
    assert flat_span is not None
    low, high = max(round_span[0], flat_span[0]), min(round_span[1], flat_span[1])
    return (low, high) if low <= high else None


# --- depth of curved cores ------------------------------------------------------------------------

#: The farthest points (n, 3) of a core in directions (n, 3).
Foremost: TypeAlias = Callable[[Any], Any]


def foremost_of_cylinder(start: Any, end: Any, radius: float) -> Foremost:
    """Return the support of a cylinder."""
    import numpy as np

    axis = (end - start) / np.linalg.norm(end - start)

    def foremost(directions: Any) -> Any:
        rise = directions @ axis
        aside = directions - rise[:, None] * axis
        aside -= (aside @ axis)[:, None] * axis
        across = np.linalg.norm(aside, axis=1)[:, None]
        aside = np.divide(aside, across, out=np.zeros_like(aside), where=across > 1e-13)
        return np.where(rise[:, None] > 0, end, start) + radius * aside

    return foremost


def foremost_of_corners(corners: Any) -> Foremost:
    """Return the support of the hull of some points."""
    return lambda directions: corners[(directions @ corners.T).argmax(axis=1)]


def overlap_between(a: Foremost, b: Foremost, hint: Any, tolerance: float) -> tuple[float, float]:
    """Return bounds on the least overlap of two cores along any direction, which is less than zero if they are apart.

    The sphere is cut into triangles, and each again, until a bound leaves it no chance. No overlap in a triangle is
    less than that of the foremost points in one direction, and a mean of its corners is no shorter than one.
    """
    import numpy as np

    signs = product((1.0, -1.0), repeat=3)
    triangles = np.array([np.diag(sign) for sign in signs])
    upper, lower = float(((a(hint[None]) - b(-hint[None])) @ hint)[0]), inf
    while len(triangles):
        corners = triangles.reshape(-1, 3)
        points = (a(corners) - b(-corners)).reshape(-1, 3, 3)
        upper = min(upper, float(np.einsum("tij,tij->ti", points, triangles).min()))
        least = np.einsum("tij,tkj->tik", points, triangles).min(axis=2).max(axis=1)
        least = np.where(least > 0, least, 1.8 * least)  # a mean of weights that add up to no more than the root of 3
        done = least >= upper - tolerance
        lower = min(lower, float(least[done].min(initial=inf)))
        triangles = triangles[~done]
        if len(triangles) > 10_000:  # the least overlap is that of a whole circle of directions
            return min(lower, float(least.min())), upper
        p, q, r = (triangles[:, i] for i in range(3))
        halves = [side / np.linalg.norm(side, axis=1)[:, None] for side in (p + q, q + r, r + p)]
        pq, qr, rp = halves
        parts = ((p, pq, rp), (pq, q, qr), (rp, qr, r), (pq, qr, rp))
        triangles = np.concatenate([np.stack(part, axis=1) for part in parts])
    return min(lower, upper), upper


# --- spheres around spheres -----------------------------------------------------------------------


def radius_around_balls(centers: Any, radii: Any) -> float:
    """Return the radius of the smallest sphere around some spheres, to some 1e-9, by a general solver."""
    import numpy as np
    from scipy.optimize import minimize

    def room(v: Any) -> Any:
        return v[3] - radii - np.linalg.norm(centers - v[:3], axis=1)

    middle = centers.mean(axis=0)
    start = np.array([*middle, np.max(np.linalg.norm(centers - middle, axis=1) + radii)])
    found = minimize(
        lambda v: v[3],
        start,
        jac=lambda v: np.array([0.0, 0.0, 0.0, 1.0]),
        constraints=[{"type": "ineq", "fun": room}],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-15},
    )
    return float(np.max(np.linalg.norm(centers - found.x[:3], axis=1) + radii))


# --- turning --------------------------------------------------------------------------------------


class Pose(NamedTuple):
    """Where a rigid motion takes the axes, the point that it turns about, and where it takes that."""

    columns: tuple[Vector, Vector, Vector]
    center: Vector
    place: Vector

    def turn(self, v: Vector) -> Vector:
        """Return where it takes a vector."""
        x, y, z = self.columns
        turned: Vector = add(add(times(x, v[0]), times(y, v[1])), times(z, v[2]))
        return turned

    def put(self, p: Vector) -> Vector:
        """Return where it takes a point."""
        placed: Vector = add(self.place, self.turn(sub(p, self.center)))
        return placed


def pose_between(start: Any, end: Any, pivot: Any, fraction: Fraction) -> Pose:
    """Return the placement at a part of the way from one to another: the pivot goes straight, the turn is even.

    Both are given as a position and a matrix of doubles. The axis is one of doubles too, so the last is met to
    rounding; all else is exact to sixty digits.
    """
    (p, r), (q, s) = start, end
    vector = (Rotation.from_matrix(s) * Rotation.from_matrix(r).inv()).as_rotvec()
    if abs(hypot(*vector) - pi) < 1e-12 and max(vector, key=abs) < 0.0:
        vector = -vector  # half a turn goes about the axis whose largest component is positive
    center, turn = exact(pivot), exact(vector)
    columns = [_about(turn, exact(r[:, i]), fraction) for i in range(3)]
    first, last = (add(exact(o), _times(m, center)) for o, m in ((p, r), (q, s)))
    place = add(times(first, 1 - fraction), times(last, fraction))
    return Pose((columns[0], columns[1], columns[2]), center, place)


def _times(matrix: Any, v: Vector) -> Vector:
    x, y, z = (dot(exact(row), v) for row in matrix)
    return (x, y, z)


def _about(turn: Vector, v: Vector, part: Fraction) -> Vector:
    """Return a vector after a part of the turn that a rotation vector describes."""
    squared = dot(turn, turn)
    if squared == 0:
        return v
    # With w the angle: v cos w + (turn x v) sin w / w + turn (turn . v) (1 - cos w) / w², at a part of the angle.
    x = _rounded(squared * part * part)
    cosine = _series(x, 0)
    sine, rest = _series(x, 1) * part, _series(x, 2) * part * part
    level = add(times(v, cosine), times(cross(turn, v), sine))
    turned = add(level, times(turn, dot(turn, v) * rest))
    return (_rounded(turned[0]), _rounded(turned[1]), _rounded(turned[2]))


def _series(x: Fraction, skip: int) -> Fraction:
    """Return the sum of (-x)^k / (2 k + skip)!: cos w, sin w / w and (1 - cos w) / w² for 0, 1 and 2, with x = w²."""
    term, total = Fraction(1, factorial(skip)), ZERO
    for k in range(40):
        total += term
        term = _rounded(-term * x / ((2 * k + skip + 1) * (2 * k + skip + 2)))
    return total


def _rounded(x: Fraction) -> Fraction:
    """Return a number to 250 binary places, so that there are never too many digits."""
    return Fraction(round(x * (1 << 250)), 1 << 250)


def turned(shape: Shape, pose: Pose | None) -> Body:
    """Return a shape where a pose takes it; a box with the world's axes is the one around where that takes its corners.

    Without a pose it is where it is.
    """
    one = body(shape)
    if pose is None:
        return one
    edges = tuple(edge._replace(vector=pose.turn(edge.vector)) for edge in one.edges)
    there = one._replace(base=pose.put(one.base), edges=edges)
    if not isinstance(shape, AABB):
        return there
    corners = list(there.corners())
    lower, upper = (tuple(pick(c[i] for c in corners) for i in range(3)) for pick in (min, max))
    units = [tuple(upper[i] - lower[i] if i == j else ZERO for j in range(3)) for i in range(3)]
    return Body((lower[0], lower[1], lower[2]), tuple(Edge(unit) for unit in units), ZERO)


def turned_apart(a: Body, b: Body) -> Fraction:
    """Return the signed distance of two bodies, one of which may be a half-space (two edges without end, and one)."""
    for one, other in ((a, b), (b, a)):
        if len(one.edges) == 3 and one.edges[2].endless:
            inward = one.edges[2].vector
            length = root(dot(inward, inward))
            height: Fraction = min(-dot(sub(c, one.base), inward) for c in other.corners()) / length
            return height - other.radius
    return Fraction(bodies_apart(a, b).signed_distance)
