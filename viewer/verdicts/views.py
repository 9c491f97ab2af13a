"""From where a broken promise is seen best: from the side, upright, and as little as can be in the way."""

from __future__ import annotations

import numpy as np

from collision import AABB, Camera, Ray, Scene
from collision.inner import FloatArray, IntArray
from viewer.camera.camera import Viewport, three, unit_vector
from viewer.camera.hiding import elements_before
from viewer.camera.outline import corners
from viewer.verdicts.before_after import BeforeAfter

#: Sides that are tried: so many around what is seen from the side, and as many tilted by each of these angles.
_AROUND, _TILTS = 36, np.radians([0.0, 8.0, -8.0, 16.0, -16.0])

#: The elevation of the eye that is most comfortable, in degrees; what a degree off it costs, and one below the ground.
_ELEVATION, _OFF, _BELOW, _STEEP = 16.0, 0.01, 0.04, 0.02

#: What a degree costs from the very side of a gap by which something is missed: aslant, it would seem to be hit.
_GAP = 0.05

#: What a degree from the very side costs, what each shape in the way does, and what it costs that the pair itself is.
_ASLANT, _IN_THE_WAY, _OWN = 0.015, 0.35, 4.0

#: What has to be seen fills about this part of the height of the picture, if it would be less than the least of all.
_LEAST, _PART, _MOST = 0.15, 0.18, 0.4

#: So much is nearer than ever is seen: of numbers of single precision not much is left there.
_NEAREST = 1e-4

#: What is left free beside all that is in the picture, and how far from the middle what happens may be.
_MARGIN, _ASIDE = 1.16, 0.18

#: Places around what happens that must not be covered, in parts of the height of the picture, across and up.
_NEAR = np.array([(x, y) for x in (-0.28, -0.14, 0.0, 0.14, 0.28) for y in (-0.28, -0.14, 0.0, 0.14, 0.28)])


def side_view(shown: BeforeAfter, size: tuple[int, int], top: float = 0.0) -> Camera:
    """Return a parallel camera that sees from the side what a verdict is about."""
    return _framed(shown, _best_side(shown), size, top)


def _best_side(shown: BeforeAfter) -> FloatArray:
    """Return the unit vector to the eye from where something is seen from the side, upright, and least covered."""
    sides = _sides(shown.across)
    aslant = np.degrees(np.abs(np.arcsin(np.clip(sides @ shown.across, -1.0, 1.0))))
    up = np.degrees(np.arcsin(np.clip(sides[:, 2], -1.0, 1.0)))
    cost = _ASLANT * aslant + _OFF * np.abs(up - _ELEVATION)
    cost += _BELOW * np.maximum(-up, 0.0) + _STEEP * np.maximum(up - 40.0, 0.0)
    if shown.gap is not None:
        cost += _GAP * np.degrees(np.abs(np.arcsin(np.clip(sides @ shown.gap, -1.0, 1.0))))
    # Of two sides that are as good, the usual one: from the front and the right.
    cost -= 0.02 * (sides @ np.array([0.6, -0.8, 0.0]))
    cost += _covering(shown, sides)
    return np.asarray(sides[int(np.argmin(cost))])


def _sides(across: FloatArray) -> FloatArray:
    """Return unit vectors that are about at a right angle to another."""
    least = np.eye(3)[int(np.argmin(np.abs(across)))]
    u = unit_vector(np.cross(across, least))
    v = np.cross(across, u)
    turn = 2.0 * np.pi * np.arange(_AROUND) / _AROUND
    level = np.cos(turn)[:, None] * u + np.sin(turn)[:, None] * v
    found = [np.cos(tilt) * level + np.sin(tilt) * across for tilt in _TILTS]
    return np.concatenate(found)


def _covering(shown: BeforeAfter, sides: FloatArray) -> FloatArray:
    """Return what it costs that something is between the eye and where it happens, for each side."""
    points = shown.points if len(shown.points) < 4 else shown.points[:3]
    reach = 4.0 * _reach(shown)
    start = np.repeat(points, len(sides), axis=0)
    hits = shown.actual.scene.raycast_all(
        Ray(start, np.tile(sides, (len(points), 1))), max_distance=np.full(len(start), reach)
    )
    side, own = hits.ray % len(sides), np.isin(hits.element, shown.numbers)
    cost = np.zeros(len(sides))
    others = np.unique(np.stack([side[~own], hits.element[~own]], axis=1), axis=0)
    np.add.at(cost, others[:, 0], _IN_THE_WAY)
    # Of the two themselves only what comes after a gap is in the way: a ray begins on or in them.
    middle = hits.ray // len(sides) == 1
    begins = hits.enter <= 1e-9 * max(reach, float(np.abs(points).max()))
    blocked = np.unique(side[own & middle & ~begins])
    cost[blocked] += _OWN
    return cost


def _reach(shown: BeforeAfter) -> float:
    box = AABB.union(shown.boxes) if shown.boxes.batch_shape else shown.boxes
    return float(np.linalg.norm(box.upper - box.lower)) or 1.0


def _framed(shown: BeforeAfter, side: FloatArray, size: tuple[int, int], top: float) -> Camera:
    """Return the camera on a side that sees what happens large enough, and of all the rest as much as it can."""
    aspect = size[0] / (size[1] * (1.0 - top))
    steep = abs(side[2]) > np.cos(np.radians(2.0))
    up = (0.0, 1.0, 0.0) if steep else (0.0, 0.0, 1.0)
    axes = Viewport(Camera(three(side), up=up), size)
    frame = np.stack([axes.right, axes.up], axis=0)
    outline = corners(*shown.boxes.flattened().corners()).reshape(-1, 3) @ frame.T
    low, high = outline.min(axis=0), outline.max(axis=0)
    points = shown.points @ frame.T
    whole = _MARGIN * float(((high - low) / (aspect, 1.0)).max())
    height = _height(shown, whole, points, aspect)
    window = height * np.array([aspect, 1.0])
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    aside = _ASIDE * window
    center = 0.5 * (low + high)
    if height < whole:
        center = np.clip(center, middle - aside, middle + aside)
    tall = height / (1.0 - top)
    center = center + np.array([0.0, 0.5 * (tall - height)])
    away = _reach(shown) + 2.0 * tall
    depth = float(shown.points.mean(axis=0) @ axes.forward)
    target = center @ frame + depth * axes.forward
    return Camera(three(target + away * side), three(target), three(axes.up), parallel_height=tall)


def _height(shown: BeforeAfter, whole: float, points: FloatArray, aspect: float) -> float:
    """Return how much of the scene the picture is high."""
    length = shown.length
    if length <= 0.0:
        return whole or 1.0
    height = whole if length >= _LEAST * whole else length / _PART
    seen = float(((points.max(axis=0) - points.min(axis=0)) / (aspect, 1.0)).max())
    size = max(float(np.abs(shown.points).max()), _reach(shown))
    return max(height, length / _MOST, seen / 0.6, _NEAREST * size)


def covering(shown: BeforeAfter, scene: Scene, viewport: Viewport) -> IntArray:
    """Return the elements between the eye and where something happens, and around that, but for those it is about."""
    height = viewport.camera.parallel_height or 1.0
    offsets = height * (_NEAR[:, :1] * viewport.right + _NEAR[:, 1:] * viewport.up)
    between = elements_before(scene, viewport, (shown.points[:, None] + offsets).reshape(-1, 3))
    return np.asarray(between[~np.isin(between, shown.numbers)])
