"""Checks the proof that two links of a robot never meet. It shares nothing with what found the proof but the model."""

from __future__ import annotations

from itertools import product

import numpy as np

from collision import Capsule, Cylinder, OrientedBox, Point, Segment, Sphere
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
        place, axes = np.eye(4), []
        for chain in chains:
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
                axes.append(
                    (joint.kind, at[:3, :3] @ joint.axis, at[:3] @ [*joint.anchor, 1], abs(times) * half[number])
                )
                at = at @ _motion(joint, times * middle[number] + plus)
            if chain is chains[0]:
                base = at
        place = at
        for i, j in product(range(len(first)), range(len(second))):
            a, b = (at[:3, :3] @ own.T + at[:3, 3:] for at, (own, *_) in ((base, first[i]), (place, second[j])))
            n = base[:3, :3] @ normals[i, j]
            gap = (n @ b).min() - (n @ a).max() - _width(n, a, *first[i][1:]) - _width(n, b, *second[j][1:])
            move = min(_movement(a.T, first[i][1], axes), _movement(b.T, second[j][1], axes))
            assert gap > move * np.linalg.norm(n), (middle, gap, move)


def _width(n: np.ndarray, points: np.ndarray, radius: float, flat: bool) -> float:
    """Return how far a ball reaches along a direction, or a disc at right angles to the way between two points."""
    if flat:
        axis = points[:, 1] - points[:, 0]
        n = n - axis * (axis @ n) / (axis @ axis)
    return float(radius * np.linalg.norm(n))


def _movement(corners: np.ndarray, radius: float, axes: list[tuple[str, np.ndarray, np.ndarray, float]]) -> float:
    total = np.zeros(len(corners))
    for kind, axis, point, step in axes:
        arm = np.linalg.norm(np.cross(axis, corners - point), axis=1) + radius
        total += step if kind == "prismatic" else 2 * np.sin(min(step, np.pi) / 2) * arm
    return float(total.max())


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
        case Segment(start=a, end=b):
            return np.array([a, b]), 0.0, False
        case Capsule(start=a, end=b, radius=r) | Cylinder(start=a, end=b, radius=r):
            return np.array([a, b]), float(r), isinstance(shape, Cylinder)
        case OrientedBox(center=c, axes=axes, half_extents=h):
            return c + (signs * h) @ axes.T, 0.0, False
    raise AssertionError(f"no corners of {shape}")
