"""Checks the proof that two links of a robot never meet. It shares nothing with what found the proof but the model."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from collision import Capsule, ConvexHull, Cylinder, OrientedBox, Point, Segment, Sphere
from collision.importers import DecidedPair, Joint, Model


def check_never(model: Model, pair: DecidedPair) -> None:
    """Raise an AssertionError where the proof does not show that two links are apart in every pose."""
    assert pair.proof is not None
    assert pair.verdict == "never"
    ranges, boxes, directions = pair.proof
    for name, least, largest in zip(pair.joints, *ranges, strict=True):
        joint = model.joints[name]
        low, high = joint.limits if np.isfinite(joint.limits).all() else (0.0, 0.0)  # more of it below
        alone = joint.kind == "revolute" and all(j.mimic is None for j in model.joints.values())
        assert least <= low <= high <= largest or (alone and largest - least >= 2 * np.pi - 1e-12), name
    _check_filled(ranges[0], ranges[1], boxes)
    chains = [_chain(model, link) for link in (pair.link1, pair.link2)]
    shared = {joint.name for joint in chains[0]} & {joint.name for joint in chains[1]}
    first, second = ([_corners(shape) for shape in model.links[link].values()] for link in (pair.link1, pair.link2))
    for (low, high), normals in zip(boxes, directions, strict=True):
        middle, half = (low + high) / 2, (high - low) / 2
        ends, joints = [], [[], []]
        for chain, passed in zip(chains, joints, strict=True):
            at = np.eye(4)
            for joint in chain:
                if joint.name in shared:
                    continue
                at = at @ _matrix(joint.origin.axes, joint.origin.position)
                root, times, plus = joint, 1.0, 0.0
                while root.mimic is not None:
                    times, plus = times * root.mimic.multiplier, plus + times * root.mimic.offset
                    root = model.joints[root.mimic.joint]
                if joint.kind == "fixed":
                    continue
                number = pair.joints.index(root.name)
                if times and not np.isfinite(root.limits).all():  # all the way around, and back to where it began
                    turns = abs(times) * (ranges[1] - ranges[0])[number] / (2 * np.pi)
                    assert joint.kind != "prismatic", root.name
                    assert turns > 1 - 1e-9, root.name
                    assert abs(turns - round(turns)) < 1e-9, root.name
                step = abs(times) * half[number]
                passed.append((joint.kind, at[:3, :3] @ joint.axis, at[:3] @ [*joint.anchor, 1], step))
                at = at @ _motion(joint, times * middle[number] + plus)
            ends.append(at)
        away = [*reversed(joints[0]), *joints[1]]  # in their order from the first link to the second
        for i, j in product(range(len(first)), range(len(second))):
            a, b = ((own @ at[:3, :3].T + at[:3, 3], *how)
                    for at, (own, *how) in zip(ends, (first[i], second[j]), strict=True))  # fmt: skip
            n = ends[0][:3, :3] @ normals[i, j]
            held = [_lowest(n, *b, away) + _lowest(-n, *a, []), _lowest(n, *b, []) + _lowest(-n, *a, away[::-1])]
            assert max(held) > 0.0, (middle, held)


def _lowest(n: np.ndarray, points: np.ndarray, radius: float, flat: bool, joints: list[Any]) -> float:
    """Return a bound on how far down along a direction a shape reaches, whatever the joints do to it.

    The first joint of the list is the one that moves all else. A point moves on a circle about each in turn: along the
    direction it goes as far as that circle does, and by no more of its way than the joints before tilt the circle.
    """
    center = (points.min(axis=0) + points.max(axis=0)) / 2
    reach = radius + np.linalg.norm(points - center, axis=1).max()
    found = []
    for own, wide, disc in ((points, radius, flat), (center[None], reach, False)):  # by its corners, or as one ball
        down, tilted, swung = own @ n, 0.0, 0.0
        d = (own[-1] - own[0]) / np.linalg.norm(own[-1] - own[0]) if disc else np.zeros(3)
        for kind, axis, point, step in joints:
            turns = kind != "prismatic"
            lever = np.cross(axis, own - point) if turns else np.tile(axis, (len(own), 1))
            chord = 2 * np.sin(min(step, np.pi) / 2) if turns else step
            circle = np.sin(min(step, np.pi / 2)) * abs(lever @ n) if turns else step * abs(lever @ n)
            inward = np.maximum(-np.cross(axis, lever) @ n, 0) * (1 - np.cos(min(step, np.pi))) * turns
            way = chord * np.linalg.norm(lever, axis=1)
            down = down - np.minimum(circle + inward + tilted * way, way * np.linalg.norm(n))
            tilted += turns * chord * np.linalg.norm(np.cross(n, axis))
            swung += turns * chord * np.linalg.norm(np.cross(axis, d))
        width = np.linalg.norm(np.cross(n, d) if disc else n)
        found.append(down.min() - wide * (width + min(np.linalg.norm(n) - width, swung * np.linalg.norm(n))))
    return float(max(found))


def _check_filled(low: np.ndarray, high: np.ndarray, boxes: np.ndarray) -> None:
    """Check that boxes fill the box from low to high: halve it between them until a part is one of them."""
    if len(boxes) == 1:
        assert ((boxes[0][0] <= low) & (high <= boxes[0][1])).all(), "a part of the ranges is in no box"
        return
    middle = 0.5 * low + 0.5 * high
    cuts = [k for k in range(len(low)) if ((boxes[:, 1, k] <= middle[k]) | (boxes[:, 0, k] >= middle[k])).all()]
    assert cuts[: len(boxes)], "a part of the ranges is in no box"
    below = boxes[:, 1, cuts[0]] <= middle[cuts[0]]
    for part, end in ((below, high), (~below, low)):
        lower, upper = low.copy(), high.copy()
        (upper if end is high else lower)[cuts[0]] = middle[cuts[0]]
        _check_filled(lower, upper, boxes[part])


def _chain(model: Model, link: str) -> list[Joint]:
    above = {joint.child: joint for joint in model.joints.values()}
    return [*_chain(model, above[link].parent), above[link]] if link in above else []


def _matrix(turn: np.ndarray, shift: np.ndarray) -> np.ndarray:
    return np.block([[turn, shift[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])


def _motion(joint: Joint, value: float) -> np.ndarray:
    if joint.kind == "prismatic":
        return _matrix(np.eye(3), value * joint.axis)
    x, y, z = joint.axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turn = np.eye(3) + np.sin(value) * k + (1 - np.cos(value)) * k @ k
    return _matrix(turn, joint.anchor - turn @ joint.anchor)


def _corners(shape: object) -> tuple[np.ndarray, float, bool]:
    """Return points and a radius: the shape lies between balls about them, or discs if it is flat at both ends."""
    signs = np.array([*product((-1.0, 1.0), repeat=3)])
    match shape:
        case Point(position=p):
            return p[None], 0.0, False
        case Sphere(center=c, radius=r):
            return c[None], float(r), False
        case ConvexHull(points=p, radius=r):
            return p, float(r), False
        case Segment(start=a, end=b):
            return np.array([a, b]), 0.0, False
        case Capsule(start=a, end=b, radius=r) | Cylinder(start=a, end=b, radius=r):
            return np.array([a, b]), float(r), isinstance(shape, Cylinder)
        case OrientedBox(center=c, axes=axes, half_extents=h):
            return c + (signs * h) @ axes.T, 0.0, False
    raise AssertionError(f"no corners of {shape}")
