"""The scene that is worked on, at rest, with what is selected in it; how it was before, and how it will be again.

The scene of a robot comes with its model in the pose that is seen. Shapes are added here, duplicated, deleted, renamed,
and hidden for a while.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collision import (
    AABB,
    Capsule,
    ConvexHull,
    Cylinder,
    HalfSpace,
    Line,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Shape,
    Sphere,
    why,
)
from collision.inner import FloatArray
from viewer.camera.camera import Viewport
from viewer.camera.floors import settled_extent, whole_extent
from viewer.camera.outline import finite_bounds
from viewer.camera.places import free_place, free_step
from viewer.files.state import alike
from viewer.gizmo.changes import shifted
from viewer.records.sizes import round_length

if TYPE_CHECKING:
    from collision.importers import Model

#: A new shape is about so large, as a part of the picture's height where the camera looks.
NEW_SIZE = 0.1

#: The place of a new shape is a multiple of this part of its size.
NEW_STEP = 0.1

#: Between a duplicate and what it is of there is so much room, as a part of the picture's height where it looks.
ASIDE = 0.05

_OCTAHEDRON = np.concatenate([np.eye(3), -np.eye(3)])
_X, _Z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])

#: What can be added, by its name: made of a place and a size.
NEW: Mapping[str, Callable[[FloatArray, float], Shape]] = MappingProxyType(
    {
        "sphere": Sphere,
        "capsule": lambda at, size: Capsule(at - size * _Z, at + size * _Z, 0.5 * size),
        "cylinder": lambda at, size: Cylinder(at - size * _Z, at + size * _Z, 0.5 * size),
        "box": lambda at, size: OrientedBox(at, np.eye(3), np.full(3, size)),
        "aabb": lambda at, size: AABB(at - size, at + size),
        "segment": lambda at, size: Segment(at - size * _X, at + size * _X),
        "ray": lambda at, size: Ray(at, _X),
        "line": lambda at, size: Line(at, _X),
        "point": lambda at, size: Point(at),
        "halfspace": lambda at, size: HalfSpace(at, _Z),
        "hull": lambda at, size: ConvexHull(size * _OCTAHEDRON).translated(at),
    }
)


def checked_reaction(reaction: Callable[[Scene], Scene]) -> Callable[[Scene], Scene]:
    """Return what makes another scene of each that a change leads to, or say that it is no function."""
    if not callable(reaction):
        raise TypeError(f"react must be a function react(scene), got {type(reaction).__name__}")
    return reaction


class DocumentState(NamedTuple):
    """What a step of the history brings back: a scene, what is selected in it, and what the ground lies under.

    Of a robot, its model is in the pose that the scene shows.
    """

    scene: Scene
    selected: tuple[str, ...]
    extent: AABB | None
    model: Model | None = None


class Document:
    """The scene at rest, the names that are selected in it, and the history.

    `interrupt` is called before another scene or selection comes: it puts back what is in hand, and says if anything
    was.
    """

    def __init__(
        self, scene: Scene, extent: AABB | None, interrupt: Callable[[], bool], model: Model | None = None
    ) -> None:
        #: A number that is another one whenever there is a new picture to make.
        self.revision = 0
        #: What the last command has to say, such as that a file is saved, or why not.
        self.notice = ""
        self._watchers: list[Callable[[], object]] = []
        self._following = False
        self._interrupt = interrupt
        self._first_extent = whole_extent(scene, model) if extent is None else extent
        self._state = DocumentState(scene, (), self._first_extent, model)
        self._preview: Scene | None = None
        self._posed: Model | None = None
        self._reaction: Callable[[Scene], Scene] | None = None
        self._past: list[DocumentState] = []
        self._future: list[DocumentState] = []

    def touch(self) -> None:
        """Take note that something has changed that can be seen."""
        self.revision += 1
        for follow in self._watchers if not self._following else ():
            self._following = True
            try:
                follow()
            finally:
                self._following = False

    def watch(self, follow: Callable[[], object]) -> None:
        """Have a part of the session follow each change that can be seen, before anything else is told of it."""
        self._watchers.append(follow)

    def say(self, text: str) -> None:
        """Show a line until the next key; none for an empty text."""
        if text != self.notice:
            self.notice = text
            self.touch()

    # -- what there is ------------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The scene at rest, with its motion: what edits change, and what is saved. Also in the middle of a drag."""
        return self._state.scene if self._preview is None else self._preview

    @property
    def settled(self) -> Scene:
        """The scene at rest without what is in hand."""
        return self._state.scene

    @property
    def model(self) -> Model | None:
        """The robot in the pose of `scene`; None where the scene is of none. Also in the middle of a drag."""
        return self._state.model if self._posed is None else self._posed

    @property
    def settled_model(self) -> Model | None:
        """The robot in the pose of `settled`."""
        return self._state.model

    @property
    def selected(self) -> tuple[str, ...]:
        """Names of the selected entries and elements, in the order of choosing; the last is the active one."""
        return self._state.selected

    @property
    def active(self) -> str | None:
        """Name of the active one of the selected entries and elements: the last that was chosen."""
        return self.selected[-1] if self.selected else None

    @property
    def hidden(self) -> frozenset[str]:
        """Names of the entries and elements that are hidden: not drawn, not picked, and not tested against."""
        return self.scene.hidden

    @property
    def extent(self) -> AABB | None:
        """The box that the ground lies under.

        A ground that moves is none: it stays until an edit has put something far outside, or left only what is tiny on
        it.
        """
        return self._state.extent

    @property
    def nonempty(self) -> tuple[str, ...]:
        """The names of what is selected and has elements: what handles change."""
        return tuple(name for name in self.selected if 0 not in self.scene[name].batch_shape)

    def shown_but(self, names: Iterable[str]) -> list[str]:
        """Return the names of all that is neither hidden nor named: of entries, or elements where only some are."""
        scene = self.scene
        out = {*scene.hidden, *names}
        gone = {number for name in out for number in scene.element_numbers(name)}
        shown: list[str] = []
        for entry in scene:
            numbers = scene.element_numbers(entry)
            if gone.isdisjoint(numbers):
                shown.append(entry)
            else:
                shown += [scene.element_name(number) for number in numbers if number not in gone]
        return [name for name in shown if name not in out]

    def chosen(self) -> tuple[str, ...]:
        """Return the names of what is selected."""
        if not self.selected:
            raise ValueError("select a shape first")
        return self.selected

    def react_with(self, reaction: Callable[[Scene], Scene]) -> None:
        """Have a function make another scene of each that a change leads to, also in the middle of a drag.

        What it makes is shown, and is the step of the history: taking that back needs no reaction. Where it raises a
        ValueError, the change is not made, and the text of it is said.
        """
        self._reaction = checked_reaction(reaction)

    def _reacted(self, scene: Scene) -> Scene:
        """Return what the reaction makes of a scene; the one that is shown now, where it refuses."""
        if self._reaction is None:
            return scene
        try:
            found = self._reaction(scene)
        except ValueError as error:
            self.say(str(error))
            return self.scene
        if not isinstance(found, Scene):
            raise TypeError(f"react must return a collision.Scene, got {type(found).__name__}")
        return found

    # -- what is in hand ----------------------------------------------------------------------------------------------

    @property
    def held(self) -> bool:
        """Whether something is in hand: a handle, or a change that waits for its numbers."""
        return self._preview is not None

    def preview(self, scene: Scene | None, model: Model | None = None) -> None:
        """Show a scene as what is in hand makes it, of a robot in another pose; None when nothing is any more."""
        self._preview = None if scene is None else self._reacted(scene)
        self._posed = model
        self.touch()

    def interrupt(self) -> bool:
        """Put what is in hand back where it was; True when something was in hand."""
        return self._interrupt()

    # -- changes ------------------------------------------------------------------------------------------------------

    def choose(self, names: Iterable[str]) -> None:
        """Have these names selected, and no others; the history does not know of it."""
        self._state = self._state._replace(selected=tuple(names))
        self.touch()

    def change(self, scene: Scene) -> None:
        """Put another scene in the place of this one, as one step of the history, unless it is the same."""
        self.interrupt()
        self.commit(scene)

    def commit(self, scene: Scene, selected: Iterable[str] | None = None, model: Model | None = None) -> None:
        """Go on with another scene, as one step of the history; what is selected stays so by default, and the pose.

        What changes nothing is no step: there would be nothing to see when it is taken back.
        """
        before, scene = self._state, self._reacted(scene)
        extent, model = before.extent, model or before.model
        posed = model is not None and before.model is not None and not np.array_equal(model.q, before.model.q)
        if not posed and before.scene.hidden == scene.hidden and alike(before.scene, scene, before.selected):
            scene = before.scene
        else:
            self._past.append(before)
            self._future.clear()
            if before.scene.shapes is not scene.shapes:
                extent = settled_extent(extent, self._first_extent, scene)
            before.scene.forget(but=scene)  # the history has no end, so each step of it is to be small
        self._show(DocumentState(scene, before.selected if selected is None else tuple(selected), extent, model))

    def follow(self, scene: Scene, *, settle: bool = False) -> None:
        """Go on with another scene that the history does not know of, on demand over a ground that fits it."""
        extent = settled_extent(self.extent, self._first_extent, scene) if settle else self.extent
        self._show(self._state._replace(scene=scene, extent=extent))

    @property
    def undoable(self) -> bool:
        """Whether there is a step to take back."""
        return bool(self._past)

    @property
    def redoable(self) -> bool:
        """Whether there is a step that was taken back."""
        return bool(self._future)

    def undo(self) -> None:
        """Take back the last step; a drag in hand is the last step."""
        self._go(self._past, self._future, "nothing to undo")

    def redo(self) -> None:
        """Take the last step again that was taken back."""
        self._go(self._future, self._past, "nothing to redo")

    def _go(self, way: list[DocumentState], back: list[DocumentState], nothing: str) -> None:
        if self.interrupt():
            return
        if not way:
            self.say(nothing)
            return
        back.append(self._state)
        self._show(way.pop())

    def _show(self, state: DocumentState) -> None:
        self._preview = self._posed = None
        self._state = state._replace(selected=tuple(name for name in state.selected if name in state.scene))
        self.touch()

    # -- what there is in it ------------------------------------------------------------------------------------------

    def add(self, kind: str, viewport: Viewport) -> str:
        """Add a shape where the camera looks, of a round size in proportion to the view, select it, and name it.

        It stands on the ground, or lies in the plane of a drawing, and touches nothing where there is room for it. The
        first one stands above the origin.

        Parameters
        ----------
        kind : str
            ``sphere``, ``capsule``, ``box``, ``aabb``, ``segment``, ``ray``, ``line``,
            ``point`` or ``halfspace``.
        viewport : Viewport
            How the scene is seen.

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
        size = round_length(NEW_SIZE * height_of(viewport))
        scene, extent = self.settled, self.extent
        at = free_place(scene, extent, viewport, NEW[kind], size, NEW_STEP * size)
        name = self._fresh_name(kind)
        self.interrupt()
        self.commit(self.settled.with_shape(name, NEW[kind](at, size)), [name])
        return name

    def duplicate(self, viewport: Viewport) -> tuple[str, ...]:
        """Put a copy of all that is selected beside it, where there is room, select them, and return their names."""
        names, scene = self.chosen(), self.settled
        step = round_length(ASIDE * height_of(viewport))
        boxes = [finite_bounds(scene[name]) for name in self.nonempty]
        offset = np.zeros(3)
        if boxes:
            offset = free_step(scene, self.extent, viewport, AABB.union(*boxes), step)
        copies: dict[str, Shape] = {}
        for name in names:
            copies[self._fresh_name(name.partition("[")[0], copies)] = shifted(scene[name], offset)
        self.interrupt()
        self.commit(self.settled.replaced(shapes={**self.settled.shapes, **copies}), list(copies))
        return tuple(copies)

    def delete(self) -> None:
        """Take away everything that is selected; an element goes out of its batch, whose others close the gap."""
        names = self.chosen()
        after = self.settled.without(*names)
        self.interrupt()
        self.commit(after, [])

    def rename(self, new: str, *, old: str | None = None) -> None:
        """Give the active one of the selected entries, or another entry, another name."""
        old = self.chosen()[-1] if old is None else old
        if old not in self.settled.shapes and old in self.settled:
            raise ValueError(f"{old!r} is counted, not named: rename the batch {old.partition('[')[0]!r} it is of")
        if self._of_robot(old):
            raise ValueError(f"{old!r} is a shape of the robot: its file names it")
        if new == old:
            return
        after = self.settled.renamed(old, new)

        def follow(name: str) -> str:
            entry, bracket, rest = name.partition("[")
            return new + bracket + rest if entry == old else name

        self.interrupt()
        self.commit(after, list(map(follow, self.selected)))

    @property
    def renamable(self) -> bool:
        """Whether the active one of what is selected has a name of its own, and not one of a robot's file."""
        return self.active in self.settled.shapes and not self._of_robot(self.active)

    def _of_robot(self, name: str | None) -> bool:
        return self.settled_model is not None and name in self.settled_model.scene.shapes

    def ignore(self, a: str, b: str) -> None:
        """Never report a pair of shapes any more; the file remembers it.

        Raises
        ------
        KeyError
            If there is no such shape.
        ValueError
            If the pair is ignored already.
        """
        scene = self.settled
        if why(scene.replaced(hidden=()), a, b).gate == "rule":
            raise ValueError(f"{a} and {b} are ignored already")
        self.interrupt()
        self.commit(scene.replaced(ignored=[*scene.ignored, (a, b)]))

    # -- hidden -------------------------------------------------------------------------------------------------------

    def hide(self) -> None:
        """Hide everything that is selected: it is not drawn, not picked, and not tested against."""
        self._hide([*self.settled.hidden, *self.chosen()])

    def isolate(self) -> None:
        """Hide everything but what is selected."""
        kept = self.chosen()
        self._hide([*self.settled.hidden, *self.shown_but(kept)], kept)

    def show_all(self) -> None:
        """Show again what was hidden; what is selected stays so."""
        if not self.settled.hidden:
            raise ValueError("nothing is hidden")
        self._hide([], self.selected)

    def _hide(self, names: list[str], selected: tuple[str, ...] = ()) -> None:
        self.interrupt()
        self.commit(self.settled.replaced(hidden=names), selected)

    def _fresh_name(self, like: str, taken: Mapping[str, Shape] = MappingProxyType({})) -> str:
        """Return a name that is not taken: this one, or with the next number behind it that is free."""
        numbered = re.fullmatch(r"(.*) (\d{1,15})", like, re.DOTALL)
        stem, number = (numbered[1], int(numbered[2])) if numbered else (like, 1)
        name = like
        while name in self.settled.shapes or name in taken:
            number += 1
            name = f"{stem} {number}"
        return name


def height_of(viewport: Viewport) -> float:
    """Return the height of a picture in scene units, where the camera looks."""
    return viewport.size[1] * float(viewport.units_per_pixel(viewport.camera.target))
