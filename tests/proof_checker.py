"""Checks the proof that two links of a robot never meet.

It shares nothing with what found the proof but the model: where its shapes and joints are, and which follows which.
"""

from itertools import product

import numpy as np

from collision import Cylinder, Shape, Transform
from collision.importers import DecidedPair, Model
from collision.models.model import followed


def check_never(model: Model, pair: DecidedPair) -> None:
    """Raise an error where the proof does not show that two links are apart in every pose."""
    ranges, boxes, directions = pair.proof
    chains = [_chain(model, link) for link in (pair.link1, pair.link2)]
    paths = [[own for own in chain if own not in chains[0] or own not in chains[1]] for chain in chains]
    for name, ends in zip(pair.joints, ranges.T, strict=True):
        low, high = model.joints[name].limits if model.joints[name].kind != "continuous" else (-np.inf, np.inf)
        moves = [joint.motion(times * ends + plus) for joint, own, times, plus in (*paths[0], *paths[1]) if own == name]
        missed = [np.ptp(move.apply(np.eye(3)[:, None]), axis=1).max() for move in moves]  # from end to end
        around = ends[0] < ends[1] and max(missed, default=0.0) < 1e-12
        assert around or (ends[0] <= low and high <= ends[1]), f"a part of the range of {name!r} is left out"
    _check_filled(ranges[0], ranges[1], boxes)
    middle, half = (dict(zip(pair.joints, each.T, strict=True)) for each in (boxes.mean(axis=1), np.ptp(boxes, 1) / 2))
    (one, before), (other, behind) = (_placed(path, middle, half) for path in paths)
    away = [*before[::-1], *behind]  # the joints in their order from the first link to the second
    views = ((before, behind), ([], away), (away[::-1], []))  # what moves each link, seen from between, from each link
    shapes = [[_corners(shape) for shape in model.links[link].values()] for link in (pair.link1, pair.link2)]
    for (i, (a, *round_a)), (j, (b, *round_b)) in product(*map(enumerate, shapes)):
        n = (one.axes @ directions[:, i, j, :, None])[..., 0]
        n = n / np.linalg.norm(n, axis=-1, keepdims=True)
        a, b = one.apply(a[:, None]), other.apply(b[:, None])
        rooms = [_lowest(-n, a, *round_a, moving_a) + _lowest(n, b, *round_b, moving_b) for moving_a, moving_b in views]
        apart = np.max(rooms, axis=0) > 1e-13 * max(abs(a).max(), abs(b).max())  # which is more than rounding does
        assert apart.all(), f"shapes {i} and {j} may meet in box {np.argmin(apart)}"


def _check_filled(low: np.ndarray, high: np.ndarray, boxes: np.ndarray) -> None:
    """Check that boxes fill the box from low to high: halve it between them until a part lies in one of them."""
    if ((boxes[:, 0] <= low) & (high <= boxes[:, 1])).all(axis=1).any():
        return
    middle = 0.5 * low + 0.5 * high
    below, above = boxes[:, 1] <= middle, boxes[:, 0] >= middle
    cuts = np.flatnonzero((below | above).all(axis=0))
    assert cuts[: len(boxes)].size, "a part of the ranges is in no box"
    at = np.arange(len(low)) == cuts[0]
    _check_filled(low, np.where(at, middle, high), boxes[below[:, cuts[0]]])
    _check_filled(np.where(at, middle, low), high, boxes[above[:, cuts[0]]])


def _chain(model: Model, link: str) -> list:
    """Return the joints that carry a link, the first one first, the names of those that they follow, and how."""
    for joint in model.joints.values():
        if joint.child == link:
            root, times, plus = followed(model.joints, joint)
            return [*_chain(model, joint.parent), (joint, root.name, times, plus)]
    return []


def _placed(path: list, middle: dict, half: dict) -> tuple[Transform, list]:
    """Return where joints put a link in the middles of boxes, and how each turns or slides what it carries there."""
    place, moved = Transform(), []
    for joint, name, times, plus in path:
        place = place @ joint.origin
        if joint.kind != "fixed":
            assert joint.size == 1, f"the joint {joint.name!r} is {joint.kind}"
            axis, slides, step = place.axes @ joint.axis, joint.kind == "prismatic", abs(times) * half[name]
            turn = np.sin(np.minimum(step, np.pi / 2)), 2 * np.sin(np.minimum(step, np.pi) / 2)
            sine, chord = (step, step) if slides else turn
            moved.append((axis * (not slides), axis * slides, place.apply(joint.anchor), sine, chord))
            place = place @ joint.motion(times * middle[name] + plus)
    return place, moved


def _lowest(n: np.ndarray, points: np.ndarray, radius: float, flat: bool, joints: list) -> np.ndarray:
    """Return a bound on how far down along a direction a shape reaches, whatever the joints do to it.

    The first joint of the list is the one that moves all else. A point moves on a circle about each in turn: along the
    direction it goes as far as that circle does, and by no more of its way than the joints before tilt the circle.
    """
    center = (points.min(axis=0) + points.max(axis=0)) / 2
    reach = radius + np.linalg.norm(points - center, axis=-1).max(axis=0)
    found = []
    for own, wide, disc in ((points, radius, flat), (center[None], reach, False)):  # by its corners, or as one ball
        d = (own[-1] - own[0]) / np.linalg.norm(own[-1] - own[0], axis=-1, keepdims=True) if disc else 0.0 * n
        down, tilted, swung = (own * n).sum(axis=-1), 0.0, 0.0
        for turn, slide, point, sine, chord in joints:
            lever = np.cross(turn, own - point) + slide
            way = chord * np.linalg.norm(lever, axis=-1)
            inward = np.maximum(-(np.cross(turn, lever) * n).sum(axis=-1), 0.0)
            circle = sine * abs((lever * n).sum(axis=-1)) + chord**2 / 2 * inward
            down = down - np.minimum(circle + tilted * way, way)
            tilted = tilted + chord * np.linalg.norm(np.cross(turn, n), axis=-1)
            swung = swung + chord * np.linalg.norm(np.cross(turn, d), axis=-1)
        width = np.linalg.norm(np.cross(n, d), axis=-1) if disc else 1.0
        found.append(down.min(axis=0) - wide * np.minimum(width + swung, 1.0))
    return np.maximum(*found)


def _corners(shape: Shape) -> tuple[np.ndarray, float, bool]:
    """Return points and a radius: the shape lies between balls about them, or discs if it is flat at both ends."""
    flat = isinstance(shape, Cylinder)
    points = (shape.start, shape.end) if flat else shape.core.vertices()
    return np.reshape(points, (-1, 3)), float(shape.radius if flat else shape.core.radius), flat
