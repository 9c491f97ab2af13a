"""Who asks a scene: a shape of it or one from outside, single or many, and what of the scene it is compared with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from collision.base.fields import BoolArray, IntArray, read_whole
from collision.scene.parts import read_names
from collision.scene.world import World
from collision.shapes.kinds import Shape


def read_count(count: int | None, query: str) -> int | None:
    """Check how many are asked for: a whole number of one or more, or None."""
    return None if count is None else read_whole(count, f"{query}: k", least=1)


class Asked(NamedTuple):
    """Shapes for which a scene is asked something.

    Attributes
    ----------
    shapes : Shape
        A flat batch.
    numbers : ndarray of int, shape (n,)
        Which elements of the scene they are; -1 for shapes from outside.
    lead : tuple of int
        The batch axes of what was asked for.
    hidden : ndarray of bool, shape (n,)
        Which of them are hidden elements: for these there is no answer.
    """

    shapes: Shape
    numbers: IntArray
    lead: tuple[int, ...]
    hidden: BoolArray

    @classmethod
    def strangers(cls, shapes: Shape) -> Asked:
        """Return shapes that are not in the scene."""
        flat = shapes.flattened()
        return cls(flat, np.full(len(flat), -1, dtype=np.int64), shapes.batch_shape, np.zeros(len(flat), dtype=bool))

    @classmethod
    def elements(cls, world: World, numbers: range, shapes: Shape) -> Asked:
        """Return elements of a world: all of an entry, or one."""
        listed = np.array(numbers, dtype=np.int64)
        hidden = np.zeros(len(listed), dtype=bool) if world.hidden is None else world.hidden[listed]
        return cls(shapes.flattened(), listed, shapes.batch_shape, hidden)


def axes_of(world: World, shape: str | Shape) -> tuple[int, ...]:
    """Return the batch axes of a shape, or of an entry or an element by its name."""
    if isinstance(shape, Shape):
        return shape.batch_shape
    world.elements.numbers(shape)  # which refuses unknown names
    entry = world.elements.shapes.get(shape)
    return () if entry is None else entry.batch_shape


def single_of(world: World, shape: str | Shape, query: str) -> Asked:
    """Return a single shape, by its name or as it is."""
    if isinstance(shape, Shape):
        if shape.batch_shape:
            axes = " by ".join(map(str, shape.batch_shape))
            raise ValueError(f"{query} takes a single shape, got a batch of {axes}; ask for each of them")
        return Asked.strangers(shape)
    numbers = world.elements.numbers(shape)
    if len(numbers) != 1:
        hint = f"; name one of them, such as {world.elements.name(numbers[0])!r}" if numbers else ""
        raise ValueError(f"{query}: {shape!r} is a batch of {len(numbers)} elements{hint}")
    return Asked.elements(world, numbers, world.shape(numbers[0]))


def leaving_out(world: World, names: str | Iterable[str]) -> World:
    """Return a world without some entries and elements."""
    if type(names) is tuple and not names:
        return world
    listed = [n for name in read_names(names, "without") for n in world.elements.numbers(name)]
    return world.leaving_out(listed) if listed else world
