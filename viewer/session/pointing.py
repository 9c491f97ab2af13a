"""The mouse beside the handles: clicks select, drags move what is pressed, and others turn or shift the view.

A press takes a shape, or an end of one, at a point, and it then goes one way: along the ground, say. A shape of a robot
is not moved by itself: the joint nearest to it turns, or slides, and all that hangs on it comes along.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from collision import HalfSpace, Scene, Shape
from collision.inner import BoolArray, FloatArray
from viewer.camera.camera import Viewport
from viewer.camera.floors import is_floor, top_of
from viewer.camera.picking import REACH, Seen, seen_at_pixel
from viewer.gizmo import Handle, Part
from viewer.gizmo.changes import part_names, part_of
from viewer.gizmo.translating import FLATTEST_PLANE
from viewer.records.events import Pointer
from viewer.records.ground import ground
from viewer.session.document import Document
from viewer.session.joints import Joints
from viewer.session.player import Player
from viewer.session.selection import Selection
from viewer.session.transform_tool import LOCKED, TransformTool
from viewer.session.view import View

#: An end is taken within reach of the cursor where the other end is so many times as far: else the middle has no room.
ROOM = 5.0

#: What stands on something is no farther from it, or in it, than this part of its own size.
HAIR = 0.01

#: The ways that things go, in words.
GROUND, PLANE, PICTURE, NORMAL = "along the ground", "within the drawing", "in the picture's plane", "along its normal"

#: What a drag of a link does with its joint, where it does not turn it; and why a link cannot be dragged.
WAYS: Mapping[str, str] = MappingProxyType({"prismatic": "slides", "planar": "moves", "floating": "moves"})
RESTS, ALONG = "where the robot stands: no joint moves it", "moved along a trajectory"


class PickTarget(NamedTuple):
    """What a press takes: an element, its body or an end, and the point that stays under the cursor.

    `says` has the way that it goes in words, or why it cannot be taken. Of a robot it is a joint that moves.
    """

    name: str
    part: Part
    point: FloatArray
    handle: Handle
    says: str
    free: bool = True
    joint: str = ""


class Ends(NamedTuple):
    """Ends that can be dragged alone: where they are, and where the one under the cursor is."""

    others: tuple[FloatArray, ...]
    hot: FloatArray | None


class Pointing:
    """Says what is under the cursor, and takes it in hand; tells clicks, which select, from drags."""

    def __init__(
        self,
        document: Document,
        player: Player,
        view: View,
        selection: Selection,
        joints: Joints,
        tool: TransformTool,
    ) -> None:
        self._document, self._player, self._view = document, player, view
        self._selection, self._joints, self._tool = selection, joints, tool
        #: What is under the cursor, of which scene, and how that was seen.
        self._under: tuple[PickTarget, Scene, Viewport] | None = None
        self._pressed: Pointer | None = None
        #: What the button went down on, if it can be moved.
        self._target: PickTarget | None = None
        #: Where the mouse was when it last shifted a drawing.
        self._shifts: tuple[float, float] | None = None

    # -- what is under the cursor -------------------------------------------------------------------------------------

    @property
    def under(self) -> PickTarget | None:
        """What is under the cursor, if a press takes it or says why not; None while something is in hand."""
        if self._under is None or self._document.held:
            return None
        target, scene, viewport = self._under
        return target if scene is self._player.scene and viewport == self._view.viewport else None

    @property
    def hovered(self) -> str | None:
        """Name of the element under the cursor; None while something is in hand."""
        return None if self.under is None else self.under.name

    @property
    def offer(self) -> str:
        """What a press on what is under the cursor does, in a line; nothing where nothing is."""
        under = self.under
        if under is None:
            return ""
        if under.joint:
            return f"{under.name}: drag {under.says} {under.joint}"
        if self._tool.locked and self._document.selected:  # which says so already
            return ""
        what = "it" if under.part == "body" else f"its {under.part}"
        return f"{under.name}: drag {what} {under.says}" if under.free else f"{under.name} is {under.says}"

    @property
    def ends(self) -> Ends | None:
        """The ends of what is under the cursor, where they can be dragged alone."""
        under = self.under
        if under is None or not under.free or under.joint or self._is_selected(under.name):
            return None
        shape = self._player.scene[under.name]
        ends = self._ends(shape)
        others = tuple(part_of(shape, end) for end in ends if end != under.part)
        return Ends(others, under.point if under.part in ends else None) if ends else None

    def hover(self, mouse: Pointer) -> None:
        """Take note of what is under the cursor."""
        busy = self._player.playing or self._tool.hot is not None
        self._note(None if busy else self.target_at(*mouse.place))

    def leave(self) -> None:
        """Take note that the cursor is over nothing."""
        self._tool.leave()
        self._note(None)

    def _note(self, target: PickTarget | None) -> None:
        before = self.under
        shown = [None if one is None else (one.name, one.part, one.says) for one in (before, target)]
        if shown[0] == shown[1]:
            return
        self._under = None if target is None else (target, self._player.scene, self._view.viewport)
        self._document.touch()

    # -- what a press takes -------------------------------------------------------------------------------------------

    def target_at(self, x: float, y: float) -> PickTarget | None:
        """Return what a press on a pixel takes; None where nothing is, or while something is in hand.

        A floor is not taken unless it is selected: who drags beside all else means the view.
        """
        scene, viewport = self._player.scene, self._view.viewport
        seen = None if self._document.held else seen_at_pixel(scene, viewport, x, y)
        if seen is None:
            return None
        shape = scene[seen.name]
        floor = isinstance(shape, HalfSpace) or is_floor(shape, self._document.extent)
        if self._joints.link_of(seen.name) is not None:
            return self._link_target(seen)
        if floor and not self._is_selected(seen.name):
            return None
        names = self._taken_with(seen.name)
        part, point = self._part_at(seen, shape, x, y) if names == (seen.name,) else ("body", seen.point)
        rises = np.abs(viewport.ray(x, y).direction)  # of the view above the planes across the world's axes, as sines
        handle, says = self._way(seen.name, shape, part, rises >= FLATTEST_PLANE)
        obstacle = self._obstacle(names)
        return PickTarget(seen.name, part, point, handle, obstacle or says, not obstacle)

    def take(self, target: PickTarget, pressed: Pointer) -> None:
        """Take something in hand where the button went down; a shape becomes selected, if it is not yet."""
        if target.joint:
            self._joints.grab(target.name, target.point)
            return
        if not self._is_selected(target.name):
            self._selection.select(target.name, add=pressed.shift)
        self._tool.grab(target.handle, target.point, pressed)

    # -- what is heard of ----------------------------------------------------------------------------------------------

    def press(self, mouse: Pointer) -> bool:
        """Take note of where a click or a drag may begin; True when the camera must not turn."""
        target = self.target_at(*mouse.place)
        self.leave()
        self._pressed, self._shifts = mouse, None
        self._target = target if target is not None and target.free else None
        if self._target is None and mouse.ctrl:
            self._pressed = None
            self._selection.begin_box(*mouse.place)
            return True
        if self._target is None and self._view.face_on:
            self._shifts = mouse.place
        return self._target is not None or self._shifts is not None

    def move(self, mouse: Pointer) -> bool:
        """Move what is pressed, or shift a drawing; with no button down, look what is under the cursor."""
        pressed, target = self._pressed, self._target
        if pressed is None:
            if mouse.button is None:
                self._tool.hover(mouse)
                self.hover(mouse)
            return False
        if target is not None and not mouse.is_near(pressed.place, self._view.viewport.scale):
            self._pressed = self._target = None
            self.take(target, pressed)
            return self._joints.move(mouse) or self._tool.move(mouse)
        if self._shifts is not None:
            (x, y), self._shifts = self._shifts, mouse.place
            self._view.pan(mouse.x - x, mouse.y - y)
        return target is not None or self._shifts is not None

    def release(self, mouse: Pointer) -> bool:
        """Select what is clicked; a click accepts what waits for numbers. The mouse is always left to others."""
        pressed = self._pressed
        self.cancel()
        if pressed is not None and mouse.is_near(pressed.place, self._view.viewport.scale) and not self._tool.accept():
            self._selection.click(*mouse.place, add=mouse.shift)
        return False

    def cancel(self) -> bool:
        """Have the button that is down be no click and no drag when it is moved or let go."""
        self._pressed = self._target = self._shifts = None
        return False

    # -- inside -------------------------------------------------------------------------------------------------------

    def _link_target(self, seen: Seen) -> PickTarget:
        """Return what a press on a link of a robot takes: the nearest joint that moves it."""
        joint, handle = self._joints.mover(seen.name), Handle("body", "view")
        if joint is None:
            return PickTarget(seen.name, "body", seen.point, handle, RESTS, free=False)
        if self._document.scene.motion:
            return PickTarget(seen.name, "body", seen.point, handle, ALONG, free=False)
        return PickTarget(seen.name, "body", seen.point, handle, WAYS.get(joint.kind, "turns"), joint=joint.name)

    def _taken_with(self, name: str) -> tuple[str, ...]:
        """Return the names of all that moves with an element: what is selected, if that is."""
        return self._document.selected if self._is_selected(name) else (name,)

    def _is_selected(self, name: str) -> bool:
        """Tell whether an element is selected, by its own name or by that of its entry."""
        return not {name, name.partition("[")[0]}.isdisjoint(self._document.selected)

    def _part_at(self, seen: Seen, shape: Shape, x: float, y: float) -> tuple[Part, FloatArray]:
        """Return the end within reach of a pixel, or else the body, with the point that is taken."""
        for end in self._ends(shape):
            place = part_of(shape, end)
            if np.linalg.norm(self._view.viewport.project(place)[0] - [x, y]) <= REACH * self._view.viewport.scale:
                return end, place
        return "body", seen.point

    def _ends(self, shape: Shape) -> tuple[Part, ...]:
        """Return the ends of a shape that can be taken alone; none where they are too near each other."""
        ends = tuple(part for part in part_names(shape) if part in ("start", "end"))
        if ends:
            pixels, _ = self._view.viewport.project([part_of(shape, end) for end in ends])
            if not np.linalg.norm(pixels[1] - pixels[0]) >= ROOM * REACH * self._view.viewport.scale:
                return ()
        return ends

    def _way(self, name: str, shape: Shape, part: Part, level: BoolArray) -> tuple[Handle, str]:
        """Return the way that a part goes, in a plane across one of those axes that are not seen too flat."""
        flat = self._view.flat_across
        if isinstance(shape, HalfSpace):
            return Handle("body", "axis", 2), NORMAL
        if flat is not None and level[flat]:
            return Handle(part, "plane", flat), PLANE
        if part == "body" and level[2] and self._stands(name, shape):
            return Handle("body", "plane", 2), GROUND
        return Handle(part, "view"), PICTURE

    def _stands(self, name: str, shape: Shape) -> bool:
        """Tell whether a solid stands on the ground or on a floor, or is a floor."""
        if not shape.bounded or not np.any(shape.bounds().half_extents):
            return False
        box, scene, extent = shape.bounds(), self._player.scene, self._document.extent
        hair = HAIR * float(box.half_extents.max())
        if is_floor(shape, extent) or abs(box.lower[2] - ground(extent).z) <= hair:
            return True
        near = scene.contacts(margin=hair, of=name)
        others = near.pairs[near.signed_distance >= -hair].ravel().tolist()
        floors = (scene.element(number) for number in set(others) - {scene.element_numbers(name)[0]})
        return any(is_floor(floor, extent) and abs(float(top_of(floor)) - box.lower[2]) <= hair for floor in floors)

    def _obstacle(self, names: tuple[str, ...]) -> str:
        """Say why something cannot be taken; nothing where it can."""
        if self._tool.locked:
            return LOCKED
        if not self._player.at_rest(names):
            return "moving just now"
        return ""
