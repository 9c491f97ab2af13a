"""Changes of a scene: each returns a new one that shares all that did not change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any, Self

import numpy as np

from collision.fields import ArrayLike, read_number, read_vector
from collision.motion import span
from collision.scene.base import Parts
from collision.scene.elements import ChangedShapes, Elements, with_elements
from collision.scene.movers import Movers, posed, posed_entries
from collision.scene.parts import read_names, read_parts
from collision.scene.world import MANY
from collision.shapes import Shape


class Editing(Parts):
    """The methods of a scene that return another."""

    def replaced(self, **changes: Any) -> Self:
        """Return the scene with others of what it was made of: ``shapes``, ``shows``, ``motion``, ``title`` ...

        Parameters and errors are those of `Scene`.
        """
        changes = read_parts(changes)
        if changes.keys() <= {"shows", "motion", "camera", "title", "caption", "hidden"}:  # the broad phase is the same
            hidden = changes.pop("hidden", self.hidden)
            scene = object.__new__(type(self))
            scene.__dict__.update(self.__dict__ | changes)
            if "motion" in changes:
                scene.__dict__["_movers"] = Movers(self._elements, scene.motion)
            scene._check_names()
            scene._hide(hidden)
            return scene
        return type(self)(**({"shapes": self.shapes} | self._extras() | changes))

    def with_shape(self, name: str, shape: Shape) -> Self:
        """Return the scene with one more entry, or with an entry or an element replaced, which keeps its place.

        Parameters
        ----------
        name : str
            A new name, or that of an entry, or as ``crowd[17]`` that of an element of a batch.
        shape : Shape
            Of any kind and batch axes; for an element a single one of the batch's own kind.

        Raises
        ------
        TypeError
            If there is no shape.
        ValueError
            If a new name cannot be one (``crowd[99]`` is none where the batch is smaller), an element is to become a
            batch or of another kind, or a show cannot show the new kind.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"b": Sphere([[0, 0, 0], [4, 0, 0]], 1)})
        >>> scene.with_shape("b[0]", Sphere([9, 9, 9], 2))["b"].radius
        array([2., 1.])
        """
        found = self._elements.find(name)
        if found is not None:
            old = self[name]
            if found[1] is not None and (type(shape) is not type(old) or shape.batch_shape):
                raise ValueError(f"an element of a batch of {type(old).__name__} must be a single one, got {shape!r}")
            numbers = self.element_numbers(name)
            if type(shape) is type(old) and shape.batch_shape == old.batch_shape and len(numbers) <= MANY:
                elements = shape.flattened() if shape.batch_shape else (shape,)
                return self._with_elements(dict(zip(numbers, elements, strict=True)))
        return self.replaced(shapes={**self.shapes, name: shape})

    def _with_elements(self, changes: Mapping[int, Shape]) -> Self:
        """Return the scene with some elements replaced by shapes of their own kinds."""
        world = self._world.changed(changes)
        if world is None:
            return self.replaced(shapes=ChangedShapes(self._elements, {**self._world.changes, **changes}))
        scene = object.__new__(type(self))
        scene.__dict__.update(self.__dict__, shapes=ChangedShapes(self._elements, world.changes), _world=world)
        return scene

    def without(self, *names: str) -> Self:
        """Return the scene without some entries or elements; shows, motions and ignored pairs of them go with them.

        So do patterns that stand for nothing any more.

        The elements of a batch close the gap: what follows ``crowd[2]`` is counted anew from there, and shows,
        motions and ignored pairs follow. With its last element an entry goes.

        Raises
        ------
        KeyError
            If there is no such shape.
        ValueError
            If a name is that of an element of a batch with several axes, which would be no grid without it.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"crowd": Sphere([[0, 0, 0], [4, 0, 0], [8, 0, 0]], 1)}, hidden=["crowd[2]"])
        >>> left = scene.without("crowd[1]")
        >>> left["crowd"].center.tolist(), sorted(left.hidden)
        ([[0.0, 0.0, 0.0], [8.0, 0.0, 0.0]], ['crowd[1]'])
        """
        left = self._elements.without(names)
        shapes = {name: self.shapes[name] if rows is None else self.shapes[name][rows] for name, rows in left.items()}

        elements = Elements(shapes)

        def follow(name: str) -> tuple[str, ...]:
            entry, index = self._elements.find(name) or (name, None)
            rows = left.get(entry)
            if index is None or rows is None:  # also a pattern, which stays as it is
                return (name,) if elements.covers(name) else ()
            return (f"{entry}[{np.searchsorted(rows, index[0])}]",) if index[0] in rows else ()

        return self._followed(shapes, follow)

    def renamed(self, old: str, new: str) -> Self:
        """Return the scene with an entry under another name; its place, shows, motions and ignored pairs follow.

        A pattern that covered the old name and does not cover the new one gets the new name beside it, so that no pair
        is reported that was ignored before; where it covers nothing else, the new name takes its place. What a pattern
        covers by the new name is covered from then on.

        Raises
        ------
        KeyError
            If there is no such entry; elements have no names of their own.
        ValueError
            If the new name is taken or cannot be one.

        Examples
        --------
        >>> from collision import Point, Scene
        >>> scene = Scene({"arm left": Point([0, 0, 0]), "body": Point([0, 0, 0])}, ignored=[("arm*", "body")])
        >>> scene.renamed("arm left", "wing").ignored
        (('wing', 'body'),)
        """
        self._entry(old)
        numbers = self.element_numbers(old)
        if new in self.shapes and new != old:
            raise ValueError(f"there is already a shape named {new!r} in the scene")
        shapes = {new if name == old else name: shape for name, shape in self.shapes.items()}
        elements = Elements(shapes)

        def follow(name: str) -> tuple[str, ...]:
            entry, bracket, rest = name.partition("[")
            if entry == old:
                return (new + bracket + rest,)
            if "*" not in name:
                return (name,)
            lost = (self._elements.mask(name) & ~elements.mask(name))[numbers.start : numbers.stop]
            few = [elements.name(numbers[row]) for row in np.flatnonzero(lost).tolist()]
            kept = (name,) if elements.covers(name) else ()
            return (*kept, new) if len(numbers) and lost.all() else (*kept, *few)

        return self._followed(shapes, follow)

    def _followed(self, shapes: Mapping[str, Shape], follow: Callable[[str], tuple[str, ...]]) -> Self:
        """Return the scene with other shapes; `follow` gives the new names for each, none where it is gone."""
        shows = [(show, follow(show.a), follow(show.b) if show.b else ("",)) for show in self.shows]
        return self.replaced(
            shapes=shapes,
            shows=[replace(show, a=a, b=b) for show, names_a, names_b in shows for a, b in product(names_a, names_b)],
            ignored=[pair for a, b in self.ignored for pair in _pairs(follow(a), follow(b))],
            motion=[motion.of(name) for motion in self.motion for name in follow(motion.shape)],
            hidden=[new for name in self.hidden for new in follow(name)],
        )

    def moved(self, names: str | Iterable[str], offset: ArrayLike) -> Self:
        """Return the scene with an entry, or one element of it, moved by an offset (3,); or several of them.

        What is named twice, as an element of an entry that is named too, is moved once.

        Raises
        ------
        KeyError
            If there is no such shape.
        ValueError
            If the offset is not finite or no (3,), or a place becomes infinite.
        """
        step = read_vector(offset, "moved.offset")
        if step.ndim > 1:
            raise ValueError(f"moved.offset must be a single vector (3,), got shape {step.shape}")
        return self.changed(names, lambda shape: shape._shifted(step))

    def changed(self, names: str | Iterable[str], change: Callable[[Shape], Shape]) -> Self:
        """Return the scene with what a function makes of an entry, or of one element of it; or of several of them.

        Parameters
        ----------
        names : str or iterable of str
            What is named twice, as an element of an entry that is named too, is changed once.
        change : callable
            Takes a shape, single or a batch, and returns another of the same kind and batch axes.

        Raises
        ------
        KeyError
            If there is no such shape.

        Examples
        --------
        >>> from collision import Scene, Sphere, Transform
        >>> scene = Scene({"crowd": Sphere([[0, 0, 0], [4, 0, 0]], 1)})
        >>> scene.changed("crowd[1]", lambda ball: ball.transformed(Transform(scale=2)))["crowd"].radius
        array([1., 2.])
        """
        names = read_names(names, "names")
        numbers = {number for name in names for number in self._elements.numbers(name)}
        if len(numbers) <= MANY:
            return self._with_elements({n: change(self._world.shape(n)) for n in numbers})
        shapes = dict(self.shapes)
        for entry, indices in self._elements.by_entry(names).items():
            whole = shapes[entry]
            few = {} if indices is None else {i: change(whole[i]) for i in indices}
            shapes[entry] = with_elements(whole, few) if few else change(whole)
        return self.replaced(shapes=shapes)

    def at(self, time: float) -> Self:
        """Return the scene at a time of its motion, a scene without motion; it costs what the moved shapes cost.

        Shapes stand where the keyframes say, each as far from its place in this scene as they tell. An `AABB` that is
        turned is refitted: it is the upright box around itself as it stands in this scene, turned.

        Parameters
        ----------
        time : float
            When; before the first and after the last keyframe, as there.

        Raises
        ------
        ValueError
            If the time is not finite, or a place becomes infinite.

        Examples
        --------
        >>> from collision import Motion, Scene, Sphere
        >>> move = Motion("ball", times=[0, 1], offsets=[[0, 0, 0], [3, 0, 0]])
        >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "wall": Sphere([4, 0, 0], 1)}, motion=[move])
        >>> [len(scene.at(time).colliding_pairs()) for time in (0, 0.5, 1)]
        [0, 0, 1]
        """
        when = read_number(time, "Scene.at: time")
        if not self.motion:
            return self
        still = self.replaced(motion=())
        if self._movers.count > MANY:
            return still.replaced(shapes={**self.shapes, **posed_entries(self._movers, self.shapes, when)})
        moved = posed(self._movers, self, when)
        return still._with_elements(moved) if moved else still

    @property
    def span(self) -> tuple[float, float] | None:
        """The first and the last time of the motion; None without one."""
        return span(self.motion)

    def forget(self, *, but: Self) -> None:
        """Drop what was worked out for queries, except what another scene shares: for keeping very many scenes.

        The scene stays the same. What it is asked later is worked out again, which costs what it cost at first.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> before = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1)})
        >>> after = before.moved("a", [5, 0, 0])
        >>> before.forget(but=after)
        >>> len(before.colliding_pairs())
        1
        """
        self._world.forget(but._world)
        if isinstance(self.shapes, ChangedShapes):
            self.shapes.forget()

    def ignoring(self, *pairs: tuple[str, str]) -> Self:
        """Return the scene with more pairs that are never reported."""
        return self.replaced(ignored=(*self.ignored, *pairs))


def _pairs(first: Iterable[str], second: Iterable[str]) -> list[tuple[str, str]]:
    """Return all pairs of some names with others; of one and the same the other way round, the first."""
    found: dict[frozenset[str], tuple[str, str]] = {}
    for pair in product(first, second):
        found.setdefault(frozenset(pair), pair)
    return list(found.values())
