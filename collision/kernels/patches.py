"""The patch over which two features lie on each other, seen along the normal of their contact.

Each feature casts a shadow on the plane across the normal, and the patch is what both shadows have in common. What two
faces have in common has the sides of both, each cut to the other face, in the order of their directions (M. Cyrus and
J. Beck, *Generalized two- and three-dimensional clipping*, 1978, cut them). It does not matter which face is which, so
nothing changes suddenly where both are equally good.
"""

import math
from typing import NamedTuple

from collision.kernels.cores import ROUNDING
from collision.kernels.features import Feature, Span
from collision.kernels.vec3 import EPS, Vec3, add, along, cross, dot, load, norm, scale, store, sub
from collision.native import Floats, kernel

#: The most points of a patch: two quadrangles have no more corners in common. Of more, those are taken that are
#: farthest in eight directions.
MAX_POINTS = 8

#: The corners of a rectangle.
_SIDES = 4

#: What witness points may be off by, in sizes of the pair: points nearer to each other are one.
SAME = 32.0 * EPS

#: The first point is the one that is farthest this way: a direction that is special to no shape.
_FIRST = Vec3(0.79, 0.53, 0.31)

_NOWHERE = Vec3(0.0, 0.0, 0.0)


class Points(NamedTuple):
    """Where the points of one patch go: their signed distances, and those on A and B, and how many are before them."""

    signed: Floats
    on_a: Floats
    on_b: Floats
    before: int


class PatchContact(NamedTuple):
    """What there is to know of the contact of a pair.

    The unit normal from A to B, the greatest signed distance of a point that counts, the sine of the angle to which
    features count as level, and what witness points may be off by.
    """

    normal: Vec3
    max_distance: float
    sine: float
    tolerance: float


@kernel
def patch(a: Feature, b: Feature, table: Floats, contact: PatchContact, out: Points) -> int:
    """Store the points of a patch, and return how many there are; none where a feature is a vertex.

    The table has the corners of both that are rings.
    """
    if a.dimension == 0 or b.dimension == 0:
        return 0
    face, other, side = a, b, 1.0
    if b.dimension > a.dimension or (a.dimension == 2 == b.dimension and _more_level(b, a, contact)):
        face, other, side = b, a, -1.0
    if face.dimension == 1:
        count = _edge_beside_edge(a, b, contact, out)
    elif other.dimension == 1:
        count = _edge_on_face(face, other, table, side, contact, out)
    else:
        count = _face_on_face(face, other, table, side, contact, out)
    for j in range(out.before, out.before + count):
        store(out.on_b, 3 * j, along(load(out.on_a, 3 * j), out.signed[j], contact.normal))
    return count


@kernel
def with_deepest(count: int, signed: float, on_a: Vec3, on_b: Vec3, contact: PatchContact, out: Points) -> int:
    """Add the witness points of a pair to its patch where that has no point as deep, and return how many there are."""
    if not signed <= contact.max_distance:
        return 0
    slot = out.before
    for j in range(out.before, out.before + count):
        if out.signed[j] <= signed + contact.tolerance:
            return count
        slot = j if out.signed[j] > out.signed[slot] else slot
    if count < MAX_POINTS:
        slot, count = out.before + count, count + 1
    for j in range(slot + 1, out.before + count):  # it comes last, in place of the farthest
        out.signed[j - 1] = out.signed[j]
        store(out.on_a, 3 * j - 3, load(out.on_a, 3 * j))
        store(out.on_b, 3 * j - 3, load(out.on_b, 3 * j))
    slot = out.before + count - 1
    out.signed[slot] = signed
    store(out.on_a, 3 * slot, on_a)
    store(out.on_b, 3 * slot, on_b)
    return count


@kernel
def _put(count: int, signed: float, on_a: Vec3, contact: PatchContact, out: Points) -> int:
    """Store a point if it is near enough, and return how many there are."""
    if not signed <= contact.max_distance:
        return count
    out.signed[out.before + count] = signed
    store(out.on_a, 3 * (out.before + count), on_a)
    return count + 1


# --- edges ----------------------------------------------------------------------------------------


@kernel
def _cut(span: Span, value: float, slope: float, limit: float, tolerance: float) -> Span:
    """Return the part of a span of t, maybe empty, in which value + t slope is not above a limit, to rounding."""
    first = value + (span.first * slope if slope != 0.0 else 0.0) - limit
    last = value + (span.last * slope if slope != 0.0 else 0.0) - limit
    if first > tolerance and last > tolerance:
        return Span(math.inf, -math.inf)
    if first > tolerance:
        return Span(min(max((limit - value) / slope, span.first), span.last), span.last)
    if last > tolerance:
        return Span(span.first, max(min((limit - value) / slope, span.last), span.first))
    return span


@kernel
def _bulge(edge: Feature, t: float, aside: Vec3, up: Vec3) -> float:
    """Return how far a rounded edge reaches up from the point at t of its axis, or from a level way `aside` of it."""
    if edge.radius == 0.0:
        return 0.0
    rise, lean, squared = dot(edge.u, up), dot(edge.u, aside), edge.radius * edge.radius
    flat, half = 1.0 - rise * rise, lean * rise
    high = (half + math.sqrt(max(half * half - flat * (dot(aside, aside) - lean * lean - squared), 0.0))) / flat
    at = t + lean + rise * high
    if edge.r.first <= at <= edge.r.last:
        return high
    beyond = along(aside, t - (edge.r.first if at < edge.r.first else edge.r.last), edge.u)
    half = dot(beyond, up)
    return max(math.sqrt(max(half * half - dot(beyond, beyond) + squared, 0.0)) - half, 0.0)


@kernel
def _edge_on_face(face: Feature, edge: Feature, table: Floats, side: float, contact: PatchContact, out: Points) -> int:
    """Store where an edge lies on a face, and return how many points there are; the face is A's if the side is 1.0."""
    start, step = _seen(face, sub(edge.origin, face.origin), contact), _seen(face, edge.u, contact)
    span = _over(_outline(face, face, contact), table, start, step, edge.r, contact)
    count, number, span = 0, _number(span, contact.tolerance), _ordered(span, edge.u)
    for i in range(number):
        t = span.last if i else span.first
        if abs(t) < math.inf:
            p = along(start, t, step)
            signed = side * p.z - _bulge(edge, t, _NOWHERE, scale(contact.normal, -side))
            count = _put(count, signed, _on_a(face, p, signed, side, contact), contact, out)
    return count


@kernel
def _edge_beside_edge(a: Feature, b: Feature, contact: PatchContact, out: Points) -> int:
    """Store where two edges lie side by side, seen along their mean direction; return how many points there are."""
    n = contact.normal
    u, v = along(a.u, -dot(a.u, n), n), along(b.u, -dot(b.u, n), n)
    u, v = scale(u, 1.0 / norm(u)), scale(v, math.copysign(1.0, dot(u, v)) / norm(v))
    if norm(cross(u, v)) > contact.sine + ROUNDING:
        return 0
    w = add(u, v)
    w = scale(w, 1.0 / norm(w))
    e, offset = cross(n, w), sub(b.origin, a.origin)
    rate_a, rate_b, start_b = dot(a.u, w), dot(b.u, w), dot(offset, w)
    span = _common(_along(a.r, 0.0, rate_a), _along(b.r, start_b, rate_b), contact.tolerance)
    lean_a, lean_b = dot(a.u, e) / rate_a, dot(b.u, e) / rate_b
    apart, slope, reach = dot(offset, e) - start_b * lean_b, lean_b - lean_a, a.radius + b.radius
    beside = _cut(_cut(span, apart, slope, reach, contact.tolerance), -apart, -slope, reach, contact.tolerance)
    if reach == 0.0 and (beside.first > span.first or beside.last < span.last):
        return 0  # what has no width is beside the other all along, or crosses it
    span = beside
    part = a.radius / reach if reach > 0.0 else 0.0
    count, number, span = 0, _number(span, contact.tolerance), _ordered(span, w)
    for i in range(number):
        x = span.last if i else span.first
        if abs(x) < math.inf:
            r, s, across = x / rate_a, (x - start_b) / rate_b, scale(e, apart + x * slope)
            aside_a, aside_b = scale(across, part), scale(across, part - 1.0)
            on_a = add(along(a.origin, r, a.u), along(aside_a, _bulge(a, r, aside_a, n), n))
            on_b = add(along(b.origin, s, b.u), along(aside_b, -_bulge(b, s, aside_b, scale(n, -1.0)), n))
            count = _put(count, dot(sub(on_b, on_a), n), on_a, contact, out)
    return count


@kernel
def _number(span: Span, tolerance: float) -> int:
    """Return how many ends a span has: none if it is empty, and one if it is no longer than rounding."""
    if span.last - span.first > tolerance:
        return 2
    return 1 if span.last >= span.first else 0


@kernel
def _ordered(span: Span, way: Vec3) -> Span:
    """Return a span along a direction with the end first that comes first among the points of a patch."""
    return Span(span.last, span.first) if dot(way, _FIRST) > 0.0 else span


@kernel
def _along(span: Span, start: float, rate: float) -> Span:
    """Return a span as start + t rate, in order."""
    first, last = start + rate * span.first, start + rate * span.last
    return Span(min(first, last), max(first, last))


@kernel
def _common(one: Span, other: Span, tolerance: float) -> Span:
    """Return what two spans have in common; one that is empty only to rounding is a single number."""
    first, last = max(one.first, other.first), min(one.last, other.last)
    if last < first <= last + tolerance:
        return Span(last, last)
    return Span(first, last)


# --- faces ----------------------------------------------------------------------------------------


class FaceOutline(NamedTuple):
    """A face as another sees it: how many corners it has, none if it is endless, and each at start + r u + s v.

    `around` is 1.0 if its corners are counter-clockwise around the normal, and `turn` if the other's axes are, else
    -1.0.
    """

    face: Feature
    number: int
    start: Vec3
    u: Vec3
    v: Vec3
    around: float
    turn: float


class FaceSide(NamedTuple):
    """A side of an outline, from p to q: its number, and how far it is turned from the first direction."""

    k: int
    p: Vec3
    q: Vec3
    turned: float


@kernel
def _seen(face: Feature, v: Vec3, contact: PatchContact) -> Vec3:
    """Return a vector as a face's own coordinates, and what is left along the normal of the contact."""
    across = cross(face.u, face.v)
    height = dot(v, across) / dot(contact.normal, across)
    level = along(v, -height, contact.normal)
    return Vec3(dot(level, face.u), dot(level, face.v), height)


@kernel
def _outline(face: Feature, other: Feature, contact: PatchContact) -> FaceOutline:
    """Return the outline of a face in another's coordinates."""
    start = _seen(other, sub(face.origin, other.origin), contact)
    u, v = _seen(other, face.u, contact), _seen(other, face.v, contact)
    count = face.ring.number if face.ring.number > 0 or face.r.last == math.inf else _SIDES
    around = math.copysign(1.0, dot(cross(face.u, face.v), contact.normal))
    return FaceOutline(
        face, count, start, u, v, around, math.copysign(1.0, dot(cross(other.u, other.v), contact.normal))
    )


@kernel
def _corner(outline: FaceOutline, table: Floats, k: int) -> Vec3:
    """Return a corner of an outline, in the order of the face itself; the one after the last is the first."""
    face, i = outline.face, k if k < outline.number else 0
    if face.ring.number > 0:
        own = load(table, face.ring.corners + 3 * int(table[face.ring.first + i]))
        r, s = dot(own, face.ring.u), dot(own, face.ring.v)
    else:
        r, s = face.r.last if 0 < i < 3 else face.r.first, face.s.last if i > 1 else face.s.first
    return along(along(outline.start, r, outline.u), s, outline.v)


@kernel
def _over(outline: FaceOutline, table: Floats, start: Vec3, step: Vec3, span: Span, contact: PatchContact) -> Span:
    """Return the part of a line, maybe empty, that is within an outline."""
    q, outward = _corner(outline, table, 0) if outline.number > 0 else _NOWHERE, outline.turn * outline.around
    for k in range(outline.number):
        p, q = q, _corner(outline, table, k + 1)
        way = Vec3(outward * (q.y - p.y), outward * (p.x - q.x), 0.0)
        room = contact.tolerance * (abs(way.x) + abs(way.y))
        span = _cut(span, dot(start, way), dot(step, way), dot(p, way), room)
        if span.first > span.last:
            break
    return span


@kernel
def _on_a(face: Feature, p: Vec3, signed: float, side: float, contact: PatchContact) -> Vec3:
    """Return the point on A for a corner of the patch that is on a face, of A or of B."""
    r = min(max(p.x, face.r.first), face.r.last)
    s = min(max(p.y, face.s.first), face.s.last)
    on_face = along(along(face.origin, r, face.u), s, face.v)
    return on_face if side > 0.0 else along(on_face, -signed, contact.normal)


@kernel
def _is_endless(face: Feature) -> bool:
    return face.ring.number == 0 and face.r.last == math.inf


@kernel
def _more_level(face: Feature, other: Feature, contact: PatchContact) -> bool:
    """Tell whether a face is more level than another, or has no end where the other has one."""
    if _is_endless(face) or _is_endless(other):
        return _is_endless(face) and not _is_endless(other)
    return abs(dot(cross(face.u, face.v), contact.normal)) > abs(dot(cross(other.u, other.v), contact.normal))


@kernel
def _face_on_face(face: Feature, other: Feature, table: Floats, side: float, contact: PatchContact, out: Points) -> int:
    """Store where two faces lie on each other, and return how many points there are; the one is A's if side is 1.0."""
    if _is_endless(other):
        return 0
    one, two = _outline(face, face, contact), _outline(other, face, contact)
    count = _around(one, two, table, False, side, contact, out)
    return count if count <= MAX_POINTS else _around(one, two, table, True, side, contact, out)


@kernel
def _around(
    one: FaceOutline, two: FaceOutline, table: Floats, few: bool, side: float, contact: PatchContact, out: Points
) -> int:
    """Store the corners of what two outlines have in common, and return how many there are, or that there is no room.

    The sides of both go around by their directions, and the first is the one at the corner that is farthest along
    `_FIRST`. Where a side begins within the other outline is a corner. If few are wanted, those are taken that are
    farthest in eight directions: a corner is if one of these is square to a way between the sides that meet in it.
    """
    face, det = one.face, two.u.x * two.v.y - two.u.y * two.v.x
    slope = Vec3((two.u.z * two.v.y - two.v.z * two.u.y) / det, (two.v.z * two.u.x - two.u.z * two.v.x) / det, 0.0)
    way = Vec3(dot(face.u, _FIRST), dot(face.v, _FIRST), 0.0)
    mine, its = _foremost(one, table, way), _foremost(two, table, way)
    last_mine, last_its = mine.k + one.number, its.k + two.number
    kept, found, first, before, last_eighth = 0, 0, _NOWHERE, _NOWHERE, -1
    while mine.k < last_mine or its.k < last_its:
        if its.k == last_its or (mine.k < last_mine and mine.turned <= its.turned):
            p, step, turned, mine = mine.p, sub(mine.q, mine.p), mine.turned, _next(one, table, mine, way)
            span = _over(two, table, p, step, Span(0.0, 1.0), contact)
            p = along(p, span.first, step)
            p = Vec3(p.x, p.y, two.start.z + dot(sub(p, two.start), slope))
        else:
            p, step, turned, its = its.p, sub(its.q, its.p), its.turned, _next(two, table, its, way)
            span = _over(one, table, p, step, Span(0.0, 1.0), contact)
            p = along(p, span.first, step)
        eighth = min(int(2.0 * turned), 7)
        if span.first > span.last or (few and eighth == last_eighth):
            continue
        last_eighth = eighth
        if found == 0 or not (_same(p, before, contact) or _same(p, first, contact)):
            found, first, before = found + 1, p if found == 0 else first, p
            if side * p.z <= contact.max_distance and kept == MAX_POINTS:
                return MAX_POINTS + 1
            kept = _put(kept, side * p.z, _on_a(face, p, side * p.z, side, contact), contact, out)
    return kept


@kernel
def _foremost(outline: FaceOutline, table: Floats, way: Vec3) -> FaceSide:
    """Return the side of an outline that begins at the corner that is farthest along a direction."""
    found, most = 0, -math.inf
    for k in range(outline.number):
        far = dot(_corner(outline, table, k), way)
        if far > most:
            found, most = k, far
    if outline.number == 0:
        return FaceSide(0, _NOWHERE, _NOWHERE, 0.0)
    q, k = _corner(outline, table, found), found if outline.around > 0.0 else outline.number - 1 - found
    return _next(outline, table, FaceSide(k - 1, q, q, 0.0), way)


@kernel
def _next(outline: FaceOutline, table: Floats, side: FaceSide, way: Vec3) -> FaceSide:
    """Return the side after one. It is turned from square to the direction by a number of right angles or nearly so."""
    end = (side.k + 2) % outline.number
    p, q = side.q, _corner(outline, table, end if outline.around > 0.0 else outline.number - 1 - end)
    u, v = q.x - p.x, outline.turn * (q.y - p.y)
    x, y = v * way.x - outline.turn * u * way.y, -u * way.x - outline.turn * v * way.y
    part = y / max(abs(x) + abs(y), 1e-300)
    turned = 2.0 - part if x < 0.0 else (part if part >= 0.0 else 4.0 + part)
    if side.turned == 0.0 and turned > 3.0:  # the first one, by rounding
        turned = 0.0
    return FaceSide(side.k + 1, p, q, max(turned, side.turned))


@kernel
def _same(p: Vec3, q: Vec3, contact: PatchContact) -> bool:
    """Tell whether two corners of a polygon are one to rounding."""
    return abs(p.x - q.x) <= contact.tolerance and abs(p.y - q.y) <= contact.tolerance
