"""What there is in a scene: shapes are added, duplicated, deleted, renamed, and hidden for a while."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from collision import AABB, Capsule, HalfSpace, Line, OrientedBox, Point, Ray, Segment, Shape, Sphere
from collision.inner import FloatArray
from viewer.camera.outline import finite_bounds
from viewer.camera.places import free_place, free_step
from viewer.gizmo.changes import shifted
from viewer.records.sizes import round_length
from viewer.session.document import Document
from viewer.session.selection import Selection
from viewer.session.view import View

#: A new shape is about so large, as a part of the picture's height where the camera looks.
NEW_SIZE = 0.1

#: The place of a new shape is a multiple of this part of its size.
NEW_STEP = 0.1

#: Between a duplicate and what it is of there is so much room, as a part of the picture's height where it looks.
ASIDE = 0.05

_X, _Z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])

#: What can be added, by its name: made of a place and a size.
NEW: Mapping[str, Callable[[FloatArray, float], Shape]] = MappingProxyType(
    {
        "sphere": Sphere,
        "capsule": lambda at, size: Capsule(at - size * _Z, at + size * _Z, 0.5 * size),
        "box": lambda at, size: OrientedBox(at, np.eye(3), np.full(3, size)),
        "aabb": lambda at, size: AABB(at - size, at + size),
        "segment": lambda at, size: Segment(at - size * _X, at + size * _X),
        "ray": lambda at, size: Ray(at, _X),
        "line": lambda at, size: Line(at, _X),
        "point": lambda at, size: Point(at),
        "halfspace": lambda at, size: HalfSpace(at, _Z),
    }
)


class Contents:
    """Adds shapes to a document, takes them away, renames and hides them."""

    def __init__(self, document: Document, selection: Selection, view: View) -> None:
        self._document, self._selection, self._view = document, selection, view

    def add(self, kind: str) -> str:
        """Add a shape where the camera looks, of a round size in proportion to the view, select it, and name it.

        It stands on the ground, or lies in the plane of a drawing, and touches nothing where there is room for it. The
        first one stands above the origin.

        Parameters
        ----------
        kind : str
            ``sphere``, ``capsule``, ``box``, ``aabb``, ``segment``, ``ray``, ``line``,
            ``point`` or ``halfspace``.

        Returns
        -------
        str
            Its name: the kind, with a number where that is taken.

        Raises
        ------
        ValueError
            If the kind is none of these.
        """
        if kind not in NEW:
            raise ValueError(f"a new shape is one of {', '.join(NEW)}, got {kind!r}")
        size = round_length(NEW_SIZE * self._view.height)
        scene, extent = self._document.settled, self._document.extent
        at = free_place(scene, extent, self._view.viewport, NEW[kind], size, NEW_STEP * size)
        name = self._fresh_name(kind)
        self._document.interrupt()
        self._document.commit(self._document.settled.with_shape(name, NEW[kind](at, size)), [name])
        return name

    def duplicate(self) -> tuple[str, ...]:
        """Put a copy of everything that is selected beside it, where there is room, and select the copies.

        The copy of an element of a batch is a shape of its own.

        Returns
        -------
        tuple of str
            The names of the copies.

        Raises
        ------
        ValueError
            If nothing is selected.
        """
        names, scene = self._document.chosen(), self._document.settled
        step = round_length(ASIDE * self._view.height)
        boxes = [finite_bounds(scene[name]) for name in self._selection.taken]
        offset = np.zeros(3)
        if boxes:
            offset = free_step(scene, self._document.extent, self._view.viewport, AABB.union(*boxes), step)
        copies: dict[str, Shape] = {}
        for name in names:
            copies[self._fresh_name(name.partition("[")[0], copies)] = shifted(scene[name], offset)
        self._document.interrupt()
        self._document.commit(
            self._document.settled.replaced(shapes={**self._document.settled.shapes, **copies}), list(copies)
        )
        return tuple(copies)

    def delete(self) -> None:
        """Take away everything that is selected; an element goes out of its batch, whose others close the gap.

        Raises
        ------
        ValueError
            If nothing is selected, or an element of a grid is, which would be no grid without it.
        """
        names = self._document.chosen()
        after = self._document.settled.without(*names)
        self._document.interrupt()
        self._document.commit(after, [])

    def rename(self, new: str, *, old: str | None = None) -> None:
        """Give the active one of the selected entries, or another entry, another name.

        Parameters
        ----------
        new : str
            Text without the characters ``[ ] *``, and the name of no other entry.
        old : str, optional
            The entry; by default the active one of those selected.

        Raises
        ------
        KeyError
            If there is no such shape.
        ValueError
            If nothing is selected, the name is taken or cannot be one, or `old` is an element of a batch: those are
            counted, not named.
        """
        old = self._document.chosen()[-1] if old is None else old
        if old not in self._document.settled.shapes and old in self._document.settled:
            raise ValueError(f"{old!r} is counted, not named: rename the batch {old.partition('[')[0]!r} it is of")
        if new == old:
            return
        after = self._document.settled.renamed(old, new)

        def follow(name: str) -> str:
            entry, bracket, rest = name.partition("[")
            return new + bracket + rest if entry == old else name

        self._document.interrupt()
        self._document.commit(after, list(map(follow, self._document.selected)))

    @property
    def renamable(self) -> bool:
        """Whether the active one of what is selected has a name of its own."""
        return self._document.active in self._document.settled.shapes

    # -- hidden -------------------------------------------------------------------------------------------------------

    def hide(self) -> None:
        """Hide everything that is selected: it is not drawn, not picked, and not tested against.

        Raises
        ------
        ValueError
            If nothing is selected.
        """
        self._hide([*self._document.settled.hidden, *self._document.chosen()])

    def isolate(self) -> None:
        """Hide everything but what is selected.

        Raises
        ------
        ValueError
            If nothing is selected.
        """
        kept = self._document.chosen()
        self._hide([*self._document.settled.hidden, *self._selection.shown_but(kept)], kept)

    def show_all(self) -> None:
        """Show again what was hidden; what is selected stays so.

        Raises
        ------
        ValueError
            If nothing is hidden.
        """
        if not self._document.settled.hidden:
            raise ValueError("nothing is hidden")
        self._hide([], self._document.selected)

    def _hide(self, names: list[str], selected: tuple[str, ...] = ()) -> None:
        self._document.interrupt()
        self._document.commit(self._document.settled.replaced(hidden=names), selected)

    # -- inside -------------------------------------------------------------------------------------------------------

    def _fresh_name(self, like: str, taken: Mapping[str, Shape] = MappingProxyType({})) -> str:
        """Return a name that is not taken: this one, or with the next number behind it that is free."""
        numbered = re.fullmatch(r"(.*) (\d{1,15})", like, re.DOTALL)
        stem, number = (numbered[1], int(numbered[2])) if numbered else (like, 1)
        name = like
        while name in self._document.settled.shapes or name in taken:
            number += 1
            name = f"{stem} {number}"
        return name
