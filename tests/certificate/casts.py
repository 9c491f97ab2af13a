"""The certificate of what `raycast`, `crossings` and `foot` return."""

from __future__ import annotations

from typing import Any

import numpy as np

from collision import (
    Capsule,
    Crossings,
    Foot,
    Line,
    Point,
    Ray,
    RayHit,
    Segment,
    Shape,
    Sphere,
    closest_points,
    signed_distance,
)
from collision.base.fields import BoolArray, FloatArray
from tests.certificate.bodies import Body, Wide, body, dot, norm, wide
from tests.certificate.families import Cases
from tests.certificate.pairs import CUT, LENGTH, Errors, relative, size_of
from tests.certificate.report import LIMIT
from tests.strategies import Generator

#: How far before and behind a crossing is looked, in sizes.
STEPS = (1e-9, 1e-6, 1e-3, 1.0)

AT = "the point is not at the parameter"
ON_SURFACE = "the point is off the surface"
ON_LINE = "the point is off the line"
OUTWARD = "the shape reaches beyond the normal at the point"
UPRIGHT = "the point is not a radius along the normal from the core"
FACING = "the normal is not against the ray"
INSIDE = "a start inside is no hit at once, against the ray"
EXIT = "the ray does not leave at the exit"
MISSED = "a miss, but they overlap"
EMPTY = "numbers of a miss are numbers, or those of a hit are none"


class Path:
    """The carrier of lines, rays or segments: points by their parameters, none of them rounded."""

    def __init__(self, line: Line | Ray | Segment) -> None:
        axis = body(line).axes[0]
        self.origin, self.way, self.low, self.high = body(line).base, axis.vector, axis.low, axis.high
        self.speed = norm(self.way)

    def at(self, parameter: Any) -> Wide:
        return self.origin + np.asarray(parameter, dtype=np.longdouble) * self.way

    def ends(self, size: Wide) -> tuple[Wide, Wide]:
        """Return the parameters of both ends; where there is none, of a point as far away as others are cut."""
        far = self.step(CUT * size)
        return np.where(np.isinf(self.low), -far, self.low), np.where(np.isinf(self.high), far, self.high)

    def step(self, length: Wide) -> Wide:
        """Return the parameter that a length amounts to."""
        return np.divide(length, self.speed, out=np.zeros_like(length), where=self.speed > 0)


def from_farther(pairs: Cases, rng: Generator) -> Cases:
    """Let half of the rays start farther back."""
    back = 10.0 ** rng.uniform(-3.0, 3.0, (len(pairs.families), 1)) * rng.integers(0, 2, (len(pairs.families), 1))
    return pairs._replace(a=Ray(pairs.a.origin - back * pairs.a.direction, pairs.a.direction))


def _masked(errors: dict[str, Wide | FloatArray], where: BoolArray, size: Wide) -> Errors:
    """Return errors relative to sizes, none where there is nothing to certify."""
    return {what: relative(np.where(where, error, 0), size) for what, error in errors.items()}


def _wrong(where: Any) -> FloatArray:
    return np.where(where, np.inf, 0.0)


# --- raycast --------------------------------------------------------------------------------------


def cast_certificate(ray: Ray, shape: Shape, got: RayHit) -> Errors:
    """Return all errors of the hits of a batch of rays.

    That the point is on the surface and the shape behind a plane there which the ray reaches from its other side proves
    that the ray has not been in the shape before. How far the normal leans along the ray counts times the width of the
    shape: of a small ball far away a hair turns the normal by much, but the ray then was no deeper than the hair.
    """
    path, target = Path(ray), body(shape)
    hit, finite = got.hit, np.isfinite(got.exit)
    point, normal = wide(np.where(hit[:, None], got.point, 0.0)), wide(np.where(hit[:, None], got.normal, 0.0))
    enter = np.where(hit, got.enter, 0.0)
    leave = path.at(np.where(finite, got.exit, 0.0))
    size = size_of(body(ray), target, point, leave)
    hair = LIMIT * size
    start = target.distance(path.origin)
    against = np.all(got.normal == -ray.direction, axis=1)
    at_once = against & (got.enter == 0.0) & np.all(got.point == ray.origin, axis=1)
    outward = (start >= -hair) & ~(against & (start <= hair)) & thick(target, hair)
    errors = {
        AT: np.abs(point - path.at(enter)).max(axis=0),
        ON_SURFACE: np.where(start < -hair, 0, np.where(start < 0, target.distance(point), target.off_surface(point))),
        INSIDE: _wrong((start < -hair) & ~at_once),
        LENGTH: np.abs(norm(normal) - 1) * size,
        FACING: np.maximum(dot(normal, path.way), 0)
        * (target.support(path.way, size) + target.support(-path.way, size)),
        OUTWARD: np.where(outward, np.maximum(target.support(normal, 4 * size) - dot(normal, point), 0), 0),
        UPRIGHT: np.where(outward, target.off_core(point, normal), 0),
        EXIT: np.where(finite, np.maximum(target.off_surface(leave), -_clear(target, path, got.exit, 1, size)), 0),
        EMPTY: _wrong(~(got.exit >= got.enter)),
    }
    missing = np.isnan(np.column_stack([got.enter, got.exit, got.point, got.normal])).all(axis=1)
    errors = _masked(errors, hit, size)
    return errors | {
        MISSED: relative(np.where(hit, 0.0, np.maximum(-signed_distance(ray, shape), 0.0)), size),
        EMPTY: np.maximum(errors[EMPTY], _wrong(~hit & ~missing)),
    }


def thick(target: Body, hair: Wide) -> BoolArray:
    """Tell which shapes have an outward side: boxes, flat ones too, and what has more of a radius than a hair."""
    return np.asarray((len(target.axes) == 3) | (target.radius > hair))


def _clear(target: Body, path: Path, parameter: FloatArray, side: int, size: Wide) -> Wide:
    """Return the least distance from a shape on one side (-1 or 1) of a parameter, within a few steps."""
    parameter = np.where(np.isfinite(parameter), parameter, 0.0)
    steps = [target.distance(path.at(parameter + side * path.step(length * size))) for length in STEPS]
    return np.asarray(np.min(steps, axis=0))


# --- crossings ------------------------------------------------------------------------------------

BETWEEN = "between two crossings it is not inside"
BEYOND = "before the first or behind the last crossing it is inside"
ONE_SIDED = "one crossing, but an end is not inside where the side of it is"
NONE = "no crossing, but neither apart nor wholly inside"
RANGE = "a parameter is out of range or out of order"
NEAREST = "nearest is off the line, or not the nearest point of it"


def crossings_certificate(line: Any, shape: Shape, got: Crossings) -> Errors:
    """Return all errors of the crossings of a batch of lines, rays or segments."""
    path, piece, target = Path(line), body(line), body(shape)
    there = np.isfinite(got.parameters)
    first, last = (np.where(there[:, k], got.parameters[:, k], 0.0) for k in range(2))
    points = [wide(np.where(there[:, k, None], got.points[:, k], 0.0)) for k in range(2)]
    nearest = wide(got.nearest)
    size = size_of(piece, target, *points, nearest)
    errors: Errors = {}
    for k, (parameter, point) in enumerate(zip((first, last), points, strict=True)):
        found = {
            AT: np.abs(point - path.at(parameter)).max(axis=0),
            ON_SURFACE: target.off_surface(point),
            ON_LINE: piece.off_surface(point),
            RANGE: _wrong((parameter < path.low) | (parameter > path.high)),
        }
        for what, error in _masked(found, there[:, k], size).items():
            errors[what] = np.maximum(errors.get(what, 0.0), error)
    before, behind = (_clear(target, path, t, side, size) for t, side in ((first, -1), (last, 1)))
    two, one, none = (got.count == n for n in (2, 1, 0))
    errors |= _masked(
        {
            BETWEEN: np.maximum(target.distance(path.at((first.astype(np.longdouble) + last) / 2)), 0),
            BEYOND: np.maximum(-np.minimum(before, behind), 0),
        },
        two,
        size,
    )
    errors |= _masked({ONE_SIDED: _one_sided(path, target, first, size)}, one, size)
    apart = np.maximum(-signed_distance(line, shape), 0.0)
    errors |= _masked({NONE: np.minimum(apart, _farther_end(path, target, size))}, none, size)
    counted = (got.count == there.sum(axis=1)) & (there[:, 0] | ~there[:, 1]) & ~(two & (first >= last))
    counted &= np.array_equal(np.isfinite(got.points), np.repeat(there[:, :, None], 3, axis=2))
    errors[RANGE] = np.maximum(errors[RANGE], _wrong(~counted))
    core = body(core_of(shape))
    least = np.maximum(closest_points(line, core_of(shape)).signed_distance, 0.0)
    missed = np.abs(np.maximum(core.distance(nearest), 0) - least)
    errors[NEAREST] = relative(np.maximum(piece.off_surface(nearest), missed), size)
    return errors


def core_of(shape: Any) -> Any:
    """Return the center of a sphere and the axis of a capsule; any other shape is its own core."""
    if isinstance(shape, Sphere):
        return Point(shape.center)
    return Segment(shape.start, shape.end) if isinstance(shape, Capsule) else shape


def _one_sided(path: Path, target: Body, parameter: FloatArray, size: Wide) -> Wide:
    """Return how far the shape is from the end of a piece that should be inside, of the side that leads inside."""
    wrong = []
    for side, end in zip((-1, 1), path.ends(size), strict=True):
        deepest = np.zeros_like(size)
        for length in STEPS:
            there = np.clip(parameter + side * path.step(length * size), path.low, path.high)
            deepest = np.maximum(deepest, -target.distance(path.at(there)))
        wrong.append(np.minimum(deepest, np.maximum(target.distance(path.at(end)), 0)))
    return np.asarray(np.sum(wrong, axis=0))


def _farther_end(path: Path, target: Body, size: Wide) -> Wide:
    """Return how far the ends of a piece are outside, the farther one."""
    away = [target.distance(path.at(end)) for end in path.ends(size)]
    return np.asarray(np.maximum(np.maximum(*away), 0))


# --- foot -----------------------------------------------------------------------------------------

BELOW = "the foot is not below the point"
REGION = "the region is not that of the parameter"
CLAMPED = "nearest is not the nearest point of the piece"
AWAY = "the distance is not that of nearest"


def foot_certificate(point: Any, linear: Any, got: Foot) -> Errors:
    """Return all errors of the feet of a batch of points on pieces."""
    piece = core_of(linear)
    path, center = Path(piece), wide(core_of(point).position)
    foot, nearest = wide(got.point), wide(got.nearest)
    size = size_of(body(core_of(point)), body(piece), foot, nearest)
    long = path.speed > 0
    lean = np.divide(np.abs(dot(center - foot, path.way)), path.speed, out=np.zeros_like(size), where=long)
    region = np.where(got.parameter < path.low, "before", np.where(got.parameter > path.high, "after", "between"))
    between = np.where(long, np.clip(np.asarray(got.parameter, dtype=np.longdouble), path.low, path.high), 0)
    errors = {
        AT: np.abs(foot - path.at(got.parameter)).max(axis=0),
        BELOW: lean,
        REGION: _wrong(region != got.region),
        ON_LINE: body(piece).off_surface(nearest),
        CLAMPED: np.abs(nearest - path.at(between)).max(axis=0),
        AWAY: np.abs(norm(center - nearest) - got.distance),
    }
    return {what: relative(error, size) for what, error in errors.items()}
