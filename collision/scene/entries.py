"""Entries of a scene that go, or get another name: all that a scene says of them follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import product
from typing import Self

import numpy as np

from collision.scene.editing import Editing
from collision.scene.elements import Elements
from collision.scene.promised import followed_promises
from collision.shapes.kinds import Shape


class EntryEditing(Editing):
    """The methods of a scene that return one in which names have changed."""

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


def _pairs(first: Iterable[str], second: Iterable[str]) -> list[tuple[str, str]]:
    """Return all pairs of some names with others; of one and the same the other way round, the first."""
    found: dict[frozenset[str], tuple[str, str]] = {}
    for pair in product(first, second):
        found.setdefault(frozenset(pair), pair)
    return list(found.values())
