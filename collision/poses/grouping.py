"""Which shapes of a scene are in which body, and what becomes of a scene for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from collision.base.fields import FloatArray, IntArray
from collision.scene.elements import with_elements
from collision.scene.name_groups import read_group_names
from collision.scene.scene import Scene
from collision.shapes.kinds import AABB, Shape
from collision.shapes.transforms import Transform


def read_bodies(bodies: object) -> dict[str, tuple[str, ...]]:
    """Return bodies by name, each with the names of what is in it."""
    if isinstance(bodies, str) or not isinstance(bodies, Iterable):
        raise TypeError(f"Bodies: bodies must be a mapping of names, or a list of them, got {bodies!r}")
    if isinstance(bodies, Mapping):
        found = {name: read_group_names(names, f"Bodies: body {name!r}") for name, names in bodies.items()}
    else:
        listed = read_group_names(bodies, "Bodies: bodies")
        found = {name: (name,) for name in listed}
        if len(found) < len(listed):
            twice = next(name for name in listed if listed.count(name) > 1)
            raise ValueError(f"Bodies: {twice!r} is given twice")
    if not found:
        raise ValueError("Bodies: there must be at least one body, got none")
    return found


def owners(scene: Scene, bodies: Mapping[str, tuple[str, ...]]) -> IntArray:
    """Return the body of each element, -1 for none."""
    known, listed = scene.promised_names, list(bodies)
    owner = np.full(scene.element_count, -1, dtype=np.int64)
    for body, names in enumerate(bodies.values()):
        for name in names:
            if not known.covers(name):
                raise ValueError(f"Bodies: body {listed[body]!r}: {known.unknown(name)}")
            numbers = known.numbers(name)
            other = numbers[(owner[numbers] >= 0) & (owner[numbers] != body)]
            if len(other):
                shape = scene.element_name(int(other[0]))
                raise ValueError(f"Bodies: {shape!r} is in {listed[owner[other[0]]]!r} and in {listed[body]!r}")
            owner[numbers] = body
    return owner


def turnable(scene: Scene, owner: IntArray) -> Scene:
    """Return the scene with boxes along the axes turned into such as can turn, in entries with shapes in bodies."""
    changed = {}
    for name, shape in scene.shapes.items():
        numbers = scene.element_numbers(name)
        if isinstance(shape, AABB) and np.any(owner[numbers.start : numbers.stop] >= 0):
            changed[name] = shape.oriented()
    return scene.replaced(shapes={**scene.shapes, **changed}) if changed else scene


def posed(shape: Shape, owner: IntArray, positions: FloatArray, turns: FloatArray) -> Shape:
    """Return an entry in a pose.

    Parameters
    ----------
    shape : Shape
        Single or a batch.
    owner : ndarray of int, shape (n,)
        The body of each element; -1 for those that rest, which stay as they are to the last bit.
    positions, turns : ndarray, shape (bodies, 3) and (bodies, 3, 3)
        The pose.
    """
    moved = np.flatnonzero(owner >= 0)
    if not len(moved):
        return shape
    there = shape.flattened()[moved].transformed(Transform(positions[owner[moved]], turns[owner[moved]]))
    if not shape.batch_shape:
        return there[0]
    if len(moved) == len(owner):
        return there[moved.reshape(shape.batch_shape)]
    places = zip(*(axis.tolist() for axis in np.unravel_index(moved, shape.batch_shape)), strict=True)
    return with_elements(shape, dict(zip(places, there, strict=True)))
