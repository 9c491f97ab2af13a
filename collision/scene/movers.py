"""Which elements of a scene move, and where its motions take them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import ArrayLike, FloatArray, IntArray
from collision.scene.elements import Elements
from collision.shapes.kinds import AABB, Shape
from collision.shapes.motion import Motion
from collision.shapes.rotations import KnownQuaternions
from collision.shapes.transforms import Transform

_WORLD = np.eye(3)


class Shapes(Protocol):
    """Shapes by name: of entries and, in a scene, of elements."""

    def __getitem__(self, name: str, /) -> Shape:
        """Return a shape."""


class MotionStep(NamedTuple):
    """A motion, and the part of the scene about whose middle it turns, where it needs one; or else no name."""

    motion: Motion
    part: str


class MotionChain(NamedTuple):
    """The elements that make the same moves, and these moves in their order."""

    steps: tuple[MotionStep, ...]
    elements: IntArray


class Movers:
    """Which elements of a scene move, and how: by motions in the order in which they are carried out."""

    def __init__(self, elements: Elements, motions: tuple[Motion, ...]) -> None:
        self.elements = elements
        self.motions = motions

    @cached_property
    def count(self) -> int:
        """How many elements move."""
        return sum(len(chain.elements) for chain in self.chains)

    @cached_property
    def chains(self) -> tuple[MotionChain, ...]:
        """The elements that move, by what they do."""
        steps: dict[int, tuple[MotionStep, ...]] = {}
        for motion in self.motions:
            alone = motion.turns and motion.pivot is None
            for number, part in self._parts(motion.shape):
                part = part if alone else ""
                steps[number] = (*steps.get(number, ()), MotionStep(motion, part))
        alike: dict[tuple[Any, ...], list[int]] = {}
        for number, own in steps.items():
            alike.setdefault(tuple((id(step.motion), step.part) for step in own), []).append(number)
        return tuple(MotionChain(steps[numbers[0]], np.array(sorted(numbers))) for numbers in alike.values())

    def _parts(self, name: str) -> list[tuple[int, str]]:
        """Return the elements that a name or a pattern stands for, and the part of the scene that each is of."""
        if self.elements.find(name) is not None:
            return [(number, name) for number in self.elements.numbers(name)]
        numbers = np.flatnonzero(self.elements.mask(name)).tolist()
        whole = "[" not in name
        return [(n, self.elements.locate(n)[0] if whole else self.elements.name(n)) for n in numbers]

    @cached_property
    def by_entry(self) -> tuple[tuple[MotionChain, dict[str, IntArray]], ...]:
        """For each chain, the entries that it has elements of, with the rows of these."""
        found = []
        for chain in self.chains:
            entries: dict[str, list[int]] = {}
            for number in chain.elements.tolist():
                entries.setdefault(self.elements.locate(number)[0], []).append(number)
            starts = {entry: self.elements.numbers(entry).start for entry in entries}
            found.append((chain, {entry: np.array(own) - starts[entry] for entry, own in entries.items()}))
        return tuple(found)

    def displacement(self, chain: MotionChain, time: ArrayLike, shapes: Shapes) -> Transform:
        """Return where the moves of a chain take its elements, which are given at rest, at one time or at many."""
        first, *more = (step.motion.displacement(time, self.pivot(step, shapes)) for step in chain.steps)
        with np.errstate(over="ignore", invalid="ignore"):  # a position that becomes infinite is refused by name
            for move in more:
                first = move @ first
        return first

    def turns(self, times: ArrayLike) -> Iterator[tuple[IntArray, FloatArray]]:
        """Yield the elements of each chain that turns, and at each time two matrices, shape (n, 2, 3, 3).

        The first turns a shape from how it stands at rest; the second the way from its middle to that of another shape
        that would stand elsewhere at rest: a pivot that is fixed turns that, too, and the middle of a shape does not.
        """
        for chain in self.chains:
            if any(step.motion.turns for step in chain.steps):
                turn = way = np.tile(_WORLD, (len(np.asarray(times)), 1, 1))
                for motion, part in chain.steps:
                    axes = motion.displacement(times, _WORLD[0]).axes
                    turn, way = axes @ turn, axes @ (way - _WORLD) + _WORLD if part else axes @ way
                yield chain.elements, np.stack([turn, way], axis=1)

    def motions_of(self, element: int, name: str, shapes: Shapes) -> list[Motion]:
        """Return the motions of an element as those of a name alone, each with what it turns about."""
        steps = [step for chain in self.chains if element in chain.elements for step in chain.steps]
        return [
            Motion(
                name, step.motion.times, step.motion.offsets, KnownQuaternions(step.motion.rotations),
                pivot=self.pivot(step, shapes) if step.motion.turns else None,
            )
            for step in steps
        ]  # fmt: skip

    @staticmethod
    def pivot(step: MotionStep, shapes: Shapes) -> FloatArray:
        """Return what a step turns about; of one that turns nothing, any point."""
        if step.part:
            return middle(shapes[step.part])
        return _WORLD[0] if step.motion.pivot is None else step.motion.pivot


def middle(shape: Shape) -> FloatArray:
    """Return the middle of a shape's bounds, of those of all its elements; of a ray or a line, where it is given."""
    lower, upper = shape.corners() if shape.bounded else (shape.core.middle(),) * 2
    flat = lower.reshape(-1, 3), upper.reshape(-1, 3)
    if not len(flat[0]):
        return np.zeros(3)
    box = AABB(flat[0].min(axis=0), flat[1].max(axis=0))
    return box.center


def posed(movers: Movers, shapes: Shapes, time: float) -> Iterator[tuple[str, IntArray, Shape]]:
    """Yield what is elsewhere at a time: an entry, rows of its elements, and these as a flat batch."""
    for chain, entries in movers.by_entry:
        move = movers.displacement(chain, time, shapes)
        if np.any(move.position) or not np.array_equal(move.axes, _WORLD):
            for entry, rows in entries.items():
                yield entry, rows, shapes[entry].flattened()[rows].transformed(move)
