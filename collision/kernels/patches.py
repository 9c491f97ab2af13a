"""The patch over which two features lie on each other, seen along the normal of their contact.

Each feature casts a shadow on the plane across the normal, and the patch is what both shadows have in common. Faces are
cut to each other by Sutherland and Hodgman's method ("Reentrant polygon clipping", Communications of the ACM 17, 1974).
It does not matter which of two faces is cut, so nothing changes suddenly where both are equally good.
"""

import math
from typing import NamedTuple

from collision.kernels.cores import ROUNDING
from collision.kernels.features import Feature, Span
from collision.kernels.vec3 import EPS, Vec3, add, along, cross, dot, load, norm, scale, store, sub
from collision.native import Floats, kernel

#: The most points of a patch: two quadrangles have no more corners in common.
MAX_POINTS = 8

#: The corners of a face, and its sides.
SIDES = 4

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
def patch(a: Feature, b: Feature, contact: PatchContact, out: Points) -> int:
    """Store the points of a patch, and return how many there are; none where a feature is a vertex."""
    if a.dimension == 0 or b.dimension == 0:
        return 0
    face, other, side = a, b, 1.0
    if b.dimension > a.dimension or (a.dimension == 2 == b.dimension and _more_level(b, a, contact)):
        face, other, side = b, a, -1.0
    if face.dimension == 1:
        count = _edge_beside_edge(a, b, contact, out)
    elif other.dimension == 1:
        count = _edge_on_face(face, other, side, contact, out)
    else:
        count = _face_on_face(face, other, side, contact, out)
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
    if limit == math.inf:
        return span
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
def _edge_on_face(face: Feature, edge: Feature, side: float, contact: PatchContact, out: Points) -> int:
    """Store where an edge lies on a face, and return how many points there are; the face is A's if the side is 1.0."""
    start, step = _seen(face, sub(edge.origin, face.origin), contact), _seen(face, edge.u, contact)
    span = edge.r
    for k in range(SIDES):
        way, limit = _side(face, k)
        span = _cut(span, dot(start, way), dot(step, way), limit, contact.tolerance)
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


@kernel
def _seen(face: Feature, v: Vec3, contact: PatchContact) -> Vec3:
    """Return a vector as a face's own coordinates, and what is left along the normal of the contact."""
    across = cross(face.u, face.v)
    height = dot(v, across) / dot(contact.normal, across)
    level = along(v, -height, contact.normal)
    return Vec3(dot(level, face.u), dot(level, face.v), height)


@kernel
def _side(face: Feature, k: int) -> tuple[Vec3, float]:
    """Return the outward direction of a side of a face in its own coordinates, and how far out it is."""
    sign, span = 1.0 - 2.0 * (k & 1), face.r if k < 2 else face.s
    way = Vec3(sign, 0.0, 0.0) if k < 2 else Vec3(0.0, sign, 0.0)
    return way, -span.first if k & 1 else span.last


@kernel
def _on_a(face: Feature, p: Vec3, signed: float, side: float, contact: PatchContact) -> Vec3:
    """Return the point on A for a corner of the patch that is on a face, of A or of B."""
    r = min(max(p.x, face.r.first), face.r.last)
    s = min(max(p.y, face.s.first), face.s.last)
    on_face = along(along(face.origin, r, face.u), s, face.v)
    return on_face if side > 0.0 else along(on_face, -signed, contact.normal)


@kernel
def _more_level(face: Feature, other: Feature, contact: PatchContact) -> bool:
    """Tell whether a face is more level than another, or has no end where the other has one."""
    if face.r.last == math.inf or other.r.last == math.inf:
        return face.r.last > other.r.last
    return abs(dot(cross(face.u, face.v), contact.normal)) > abs(dot(cross(other.u, other.v), contact.normal))


@kernel
def _face_on_face(face: Feature, other: Feature, side: float, contact: PatchContact, out: Points) -> int:
    """Store where two faces lie on each other, the other cut to the first; return how many points there are."""
    if other.r.last == math.inf:
        return 0
    start = _seen(face, sub(other.origin, face.origin), contact)
    u, v = _seen(face, other.u, contact), _seen(face, other.v, contact)
    for k in range(SIDES):
        r, s = other.r.last if 0 < k < 3 else other.r.first, other.s.last if k > 1 else other.s.first
        store(out.on_b, 3 * (out.before + k), along(along(start, r, u), s, v))
    count, given, taken = SIDES, out.on_b, out.on_a
    for k in range(SIDES):
        way, limit = _side(face, k)
        count = _clipped(given, taken, out.before, count, way, limit, contact.tolerance)
        given, taken = taken, given
    return _gathered(face, count, side, contact, out)


@kernel
def _clipped(given: Floats, taken: Floats, before: int, count: int, way: Vec3, limit: float, tolerance: float) -> int:
    """Store the part of a polygon that is not beyond a limit some way, and return how many corners it has."""
    kept = 0
    for i in range(count):
        p, q = load(given, 3 * (before + i)), load(given, 3 * (before + (i + 1) % count))
        p_beyond, q_beyond = dot(p, way) - limit, dot(q, way) - limit
        if p_beyond <= tolerance and kept < MAX_POINTS:
            store(taken, 3 * (before + kept), p)
            kept += 1
        if (p_beyond <= tolerance) != (q_beyond <= tolerance) and kept < MAX_POINTS:
            part = min(max(p_beyond / (p_beyond - q_beyond), 0.0), 1.0)
            store(taken, 3 * (before + kept), along(p, part, sub(q, p)))
            kept += 1
    return kept


@kernel
def _gathered(face: Feature, count: int, side: float, contact: PatchContact, out: Points) -> int:
    """Store the points on A for the corners of a polygon in order, each once, and return how many there are."""
    area, first, farthest, start = 0.0, 0, -math.inf, load(out.on_b, 3 * out.before)
    for i in range(count):
        p, q = load(out.on_b, 3 * (out.before + i)), load(out.on_b, 3 * (out.before + (i + 1) % count))
        area += (p.x - start.x) * (q.y - start.y) - (q.x - start.x) * (p.y - start.y)
        far = p.x * dot(face.u, _FIRST) + p.y * dot(face.v, _FIRST)
        if far > farthest:
            first, farthest = i, far
    step = 1 if area * dot(cross(face.u, face.v), contact.normal) >= 0.0 else count - 1
    kept, last = 0, _NOWHERE
    for i in range(count):
        p = load(out.on_b, 3 * (out.before + (first + i * step) % count))
        again = i > 0 and (_same(p, last, contact) or _same(p, load(out.on_b, 3 * (out.before + first)), contact))
        if not again:
            last = p
            kept = _put(kept, side * p.z, _on_a(face, p, side * p.z, side, contact), contact, out)
    return kept


@kernel
def _same(p: Vec3, q: Vec3, contact: PatchContact) -> bool:
    """Tell whether two corners of a polygon are one to rounding."""
    return abs(p.x - q.x) <= contact.tolerance and abs(p.y - q.y) <= contact.tolerance
