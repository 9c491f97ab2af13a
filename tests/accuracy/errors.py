"""Errors of witness points and normals, in long doubles, by the rules of `tests.certificate`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from collision import Shape
from collision.base.fields import FloatArray
from tests import oracles
from tests.accuracy.peers import Answer
from tests.certificate.bodies import Body, Wide, body, cross, dot, facing, norm, unit, wide
from tests.certificate.pairs import room


def answer_errors(
    a: Shape, b: Shape, exact: Sequence[oracles.Separation], size: FloatArray, answers: Sequence[Answer]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the errors of witness points, of the room along normals, and of their angles.

    Parameters
    ----------
    a, b : Shape
        Batches of bounded shapes.
    exact, size, answers
        Of each pair. No number is an infinite error; but a normal that is only implied by two points has none where
        these coincide.
    """
    if not answers:
        return np.zeros(0), np.zeros(0), np.zeros(0)
    first, second = body(a), body(b)
    on_a, on_b, normal = (wide(np.array([answer[i] for answer in answers])) for i in (2, 3, 4))
    distance = np.array([long(e.signed_distance) for e in exact])
    end = np.zeros_like(distance)
    length = np.abs(norm(on_b - on_a) - np.abs(distance))
    points = np.max([first.off_surface(on_a), second.off_surface(on_b), length], axis=0)
    rooms = np.maximum(distance - room(first, second, normal, end), 0)
    best = best_normals(first, second, exact)
    angles = np.arctan2(norm(cross(normal, best)), dot(normal, best))
    share = np.where(size > 0.0, size, 1.0)
    silent = np.isnan(normal).any(axis=0) & ~np.isnan(on_a).any(axis=0)  # points that coincide imply no normal
    return (
        _numbers(points / share),
        np.where(silent, 0.0, _numbers(rooms / share)),
        np.where(silent, 0.0, _numbers(angles)),
    )


def _numbers(errors: Wide) -> FloatArray:
    return np.where(np.isnan(errors), np.inf, errors).astype(np.float64)


def long(number: Fraction) -> Any:
    """Return a fraction as a long double."""
    near = float(number)
    return np.longdouble(near) + np.longdouble(float(number - Fraction(near)))


def best_normals(a: Body, b: Body, exact: Sequence[oracles.Separation]) -> Wide:
    """Return the exact normals: along the cores' shortest way, or out of the core by the nearest facet."""
    most = np.full(len(exact), -np.inf, dtype=np.longdouble)
    best = np.zeros((3, len(exact)), dtype=np.longdouble)
    for normal in facing(a, b):
        for way in (normal, -normal):
            there = dot(normal, normal) > 0.5
            gap = np.where(there, room(a, b, way, np.zeros_like(most)), -np.inf)
            best, most = np.where(gap > most, way, best), np.maximum(most, gap)
    for i, e in enumerate(exact):
        if e.core_a is not None and e.core_b is not None and e.core_distance > 0:
            best[:, i] = [long(x) for x in oracles.times(oracles.sub(e.core_b, e.core_a), 1 / e.core_distance)]
    return unit(best)
