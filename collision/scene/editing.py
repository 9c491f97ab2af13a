"""Changes of a scene: each returns a new one that shares all that did not change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any, Self, TypeVar

import numpy as np

from collision.base.fields import ArrayLike, read_number, read_vector
from collision.scene.base import Parts, read_names, read_parts
from collision.scene.elements import ChangedShapes, Elements, joined, with_elements
from collision.scene.movers import posed, posed_entries
from collision.scene.promised import followed_promises
from collision.scene.world import MAX_CHANGED
from collision.shapes.kinds import Shape, out_of_range
from collision.shapes.motion import span

_Key = TypeVar("_Key")


class Editing(Parts):
    """The methods of a scene that return another."""

    def replaced(self, **changes: Any) -> Self:
        """Return the scene with others of what it was made of.

        Parameters
        ----------
        **changes
            ``shapes``, ``ignored``, ``shows``, ``motion``, ``camera``, ``title``, ``caption``, ``hidden``,
            ``expectations``, ``name_groups``, ``open``: as for `Scene`.

        Returns
        -------
        Scene
            With the same shapes unless they are given: then it shares what was worked out about these.

        Raises
        ------
        TypeError, ValueError
            If a scene has no part of such a name; else as `Scene`.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> Scene({"ball": Sphere([0, 0, 0], 1)}).replaced(title="one ball").title
        'one ball'
        """
        changes = read_parts(changes)
        if not changes.keys() & {"shapes", "ignored"}:  # the broad phase is the same
            hidden = changes.pop("hidden", self.hidden)
            scene = object.__new__(type(self))
            scene.__dict__.update(self.__dict__ | changes)
            if "motion" in changes:
                scene.__dict__.pop("_movers", None)
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
            Of any kind and batch axes; for an element a single one of the batch's kind.

        Returns
        -------
        Scene
            A new entry comes last. The shape is kept to the last bit.

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
            if type(shape) is type(old) and shape.batch_shape == old.batch_shape and len(numbers) <= MAX_CHANGED:
                elements = shape.flattened() if shape.batch_shape else (shape,)
                return self._with_elements(dict(zip(numbers, elements, strict=True)))
        return self.replaced(shapes={**self.shapes, name: shape})

    def _with_elements(self, changes: Mapping[int, Shape]) -> Self:
        """Return the scene with some elements replaced by shapes of their own kinds."""
        for number, shape in changes.items():
            if shape.out_of_range:
                raise ValueError(f"shape {self.element_name(number)!r} {out_of_range(shape)}")
        world = self._world.changed(changes)
        if world is None:
            return self.replaced(shapes=ChangedShapes(self._elements, {**self._world.changes, **changes}))
        scene = object.__new__(type(self))
        scene.__dict__.update(self.__dict__, shapes=ChangedShapes(self._elements, world.changes), _world=world)
        return scene

    def moved(self, names: str | Iterable[str], offset: ArrayLike) -> Self:
        """Return the scene with an entry, or one element of it, moved by an offset; or several of them.

        Parameters
        ----------
        names : str or iterable of str
            Entries and elements. What is named twice, as an element of an entry that is named too, is moved once.
        offset : array_like, shape (3,)
            In scene units.

        Returns
        -------
        Scene
            Coordinates are rounded once, all else stays to the last bit.

        Raises
        ------
        TypeError
            If there is neither a name nor an iterable of names.
        KeyError
            If there is no such shape.
        ValueError
            If the offset is not finite or no (3,), or a place becomes infinite.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"crowd": Sphere([[0, 0, 0], [4, 0, 0]], 1)})
        >>> scene.moved("crowd[1]", [0, 0, 2])["crowd[1]"].center
        array([4., 0., 2.])
        """
        step = read_vector(offset, "moved.offset")
        if step.ndim > 1:
            raise ValueError(f"moved.offset must be a single vector (3,), got shape {step.shape}")
        return self.changed(names, lambda shape: shape._shifted(step), together=True)

    def changed(self, names: str | Iterable[str], change: Callable[[Shape], Shape], *, together: bool = False) -> Self:
        """Return the scene with what a function makes of an entry, or of one element of it; or of several of them.

        Parameters
        ----------
        names : str or iterable of str
            What is named twice, as an element of an entry that is named too, is changed once.
        change : callable
            Takes a shape, single or a batch, and returns another of the same kind and batch axes.
        together : bool
            Whether the function does to a batch what it does to each of its elements. Then very many shapes of a kind
            are given to it as one batch, which takes far less time.

        Returns
        -------
        Scene
            With the shapes that the function returned, to the last bit.

        Raises
        ------
        TypeError
            If there is neither a name nor an iterable of names.
        KeyError
            If there is no such shape.
        ValueError
            If the function returns anything but a shape of the same kind and batch axes.

        Examples
        --------
        >>> from collision import Scene, Sphere, Transform
        >>> scene = Scene({"crowd": Sphere([[0, 0, 0], [4, 0, 0]], 1)})
        >>> scene.changed("crowd[1]", lambda ball: ball.transformed(Transform(scale=2)))["crowd"].radius
        array([1., 2.])
        """
        names = read_names(names, "names")
        numbers = {number for name in names for number in self._elements.numbers(name)}
        if len(numbers) <= MAX_CHANGED:
            return self._with_elements({n: _changed(self._world.shape(n), change) for n in numbers})
        shapes, single = dict(self.shapes), []
        for entry, indices in self._elements.by_entry(names).items():
            whole = shapes[entry]
            if together and not whole.batch_shape:
                single.append(entry)
                continue
            few = {} if indices is None else {i: _changed(whole[i], change) for i in indices}
            shapes[entry] = with_elements(whole, few) if few else _changed(whole, change)
        by_kind: dict[type[Shape], list[str]] = {}
        for entry in single:
            by_kind.setdefault(type(shapes[entry]), []).append(entry)
        for kind, entries in by_kind.items():
            shapes.update(zip(entries, _changed(joined(kind, [shapes[e] for e in entries]), change), strict=True))
        return self.replaced(shapes=shapes)

    def at(self, time: float) -> Self:
        """Return the scene at a time of its motion, a scene without motion; it costs what the moved shapes cost.

        Shapes stand where the keyframes say, each as far from its place in this scene as they say. An `AABB` that is
        turned is refitted: it is the upright box around itself as it stands in this scene, turned.

        Parameters
        ----------
        time : float
            When; before the first and after the last keyframe, as there.

        Returns
        -------
        Scene
            Exact at keyframes without a rotation, else to rounding; between keyframes offsets are interpolated
            linearly, and rotations along the shortest arc.

        Raises
        ------
        ValueError
            If the time is not finite, or a place becomes infinite.

        Notes
        -----
        Rotations follow Shoemake, "Animating rotation with quaternion curves", SIGGRAPH (1985), as in SciPy's
        ``Slerp``.

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
        if self._movers.count > MAX_CHANGED:
            return still.replaced(shapes={**self.shapes, **_passing(posed_entries(self._movers, self.shapes, when))})
        moved = _passing(posed(self._movers, self, when))
        return still._with_elements(moved) if moved else still

    @property
    def span(self) -> tuple[float, float] | None:
        """The first and the last time of the motion; None without one."""
        return span(self.motion)

    def forget(self, *, but: Self) -> None:
        """Drop what was worked out for queries, except what another scene shares: for keeping very many scenes.

        The scene stays the same. What it is asked later is worked out again, which costs what it cost at first.

        Parameters
        ----------
        but : Scene
            The other scene.

        Raises
        ------
        TypeError
            If that is no scene.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> before = Scene({"a": Sphere([0, 0, 0], 1), "b": Sphere([1, 0, 0], 1)})
        >>> after = before.moved("a", [5, 0, 0])
        >>> before.forget(but=after)
        >>> len(before.colliding_pairs())
        1
        """
        if not isinstance(but, Editing):
            raise TypeError(f"forget takes a Scene, got {type(but).__name__}")
        self._world.forget(but._world)
        if isinstance(self.shapes, ChangedShapes):
            self.shapes.forget()

    def ignoring(self, *pairs: tuple[str, str]) -> Self:
        """Return the scene with more pairs that are never reported.

        Parameters
        ----------
        *pairs : tuple of 2 str
            Each name is an entry, an element, or a pattern in which ``*`` stands for anything.

        Returns
        -------
        Scene
            With these pairs after those that it ignores already.

        Raises
        ------
        ValueError
            If that is no pair of names, or a name stands for nothing.

        Examples
        --------
        >>> from collision import Scene, Sphere
        >>> scene = Scene({"arm": Sphere([0, 0, 0], 1), "hand": Sphere([1, 0, 0], 1)})
        >>> len(scene.colliding_pairs()), len(scene.ignoring(("arm", "hand")).colliding_pairs())
        (1, 0)
        """
        return self.replaced(ignored=(*self.ignored, *pairs))

    # -- entries that go, or get another name: all that a scene says of them follows --------------------------------

    def without(self, *names: str) -> Self:
        """Return the scene without some entries or elements; shows, motions, promises and ignored pairs go with them.

        So do patterns that stand for nothing any more.

        The elements of a batch close the gap: what follows ``crowd[2]`` is counted anew from there, and shows,
        motions and ignored pairs follow. With its last element an entry goes.

        Parameters
        ----------
        *names : str
            Of entries and elements.

        Returns
        -------
        Scene
            All other shapes are as they were, to the last bit.

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
        """Return the scene with an entry under another name; its place, shows, motions, promises and pairs follow.

        A pattern that covered the old name and does not cover the new one gets the new name beside it, so that no pair
        is reported that was ignored before; where it covers nothing else, the new name takes its place. What a pattern
        covers by the new name is covered from then on. Of promises, those of pairs that stay apart are doubled so;
        others keep the pattern as long as it covers anything.

        Parameters
        ----------
        old : str
            The name of an entry.
        new : str
            A name that no other entry has.

        Returns
        -------
        Scene
            With the same shapes in the same order.

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
        motion = [motion.of(name) for motion in self.motion for name in follow(motion.shape)]
        # What is promised of a time is about no time any more, once nothing moves.
        promises = [one for one in self.expectations if motion or not self.motion or not one.timed]
        return self.replaced(
            shapes=shapes,
            shows=[replace(show, a=a, b=b) for show, names_a, names_b in shows for a, b in product(names_a, names_b)],
            ignored=[pair for a, b in self.ignored for pair in _pairs(follow(a), follow(b))],
            motion=motion,
            hidden=[new for name in self.hidden for new in follow(name)],
            **followed_promises(shapes, promises, self.name_groups, follow),
        )


def _passing(moved: dict[_Key, Shape]) -> dict[_Key, Shape]:
    """Return shapes on their way, which no scene refuses: a point that goes through the origin is very near it once."""
    for shape in moved.values():
        shape.__dict__["out_of_range"] = False
    return moved


def _changed(shape: Shape, change: Callable[[Shape], Shape]) -> Shape:
    """Return what a function makes of a shape, which must be of the same kind and batch axes."""
    new = change(shape)
    if type(new) is not type(shape) or new.batch_shape != shape.batch_shape:
        got = f"{type(new).__name__} with batch axes {new.batch_shape}" if isinstance(new, Shape) else repr(new)
        wanted = f"a {type(shape).__name__} with batch axes {shape.batch_shape}"
        raise ValueError(f"changed: the function must make {wanted} of such a one, got {got}")
    return new


def _pairs(first: Iterable[str], second: Iterable[str]) -> list[tuple[str, str]]:
    """Return all pairs of some names with others; of one and the same the other way round, the first."""
    found: dict[frozenset[str], tuple[str, str]] = {}
    for pair in product(first, second):
        found.setdefault(frozenset(pair), pair)
    return list(found.values())
