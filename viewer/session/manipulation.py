"""Changes of what is selected: by handles, by the mouse, by keys, by its numbers, and exactly, from Python."""

from __future__ import annotations

from typing import get_args

import numpy as np

from collision import AABB
from collision.inner import ArrayLike, FloatArray, read_number, read_vector
from viewer.camera.camera import Direction, nearest_axes
from viewer.gizmo import Change, Move, Mover, Resize, Scale, Side, Turn
from viewer.records.sizes import round_length
from viewer.session.document import Document
from viewer.session.inspector import Inspector
from viewer.session.joints import Joints
from viewer.session.modal_input import ModalInput
from viewer.session.player import Player
from viewer.session.pointing import Pointing
from viewer.session.selection import Selection
from viewer.session.transform_tool import TransformTool
from viewer.session.view import View

#: A nudge is a round number of about this many pixels.
NUDGE = 10.0


class Manipulation:
    """Changes what is selected."""

    def __init__(self, document: Document, player: Player, view: View, selection: Selection, joints: Joints) -> None:
        self._document, self._selection, self._view = document, selection, view
        #: Its handles, and what is in hand.
        self.tool = TransformTool(document, selection, player, view)
        #: Keys and numbers for what is in hand.
        self.modal = ModalInput(document, view, self.tool)
        #: What is under the cursor, which the mouse takes without handles.
        self.pointing = Pointing(document, player, view, selection, joints, self.tool)
        #: Its numbers and its text.
        self.inspector = Inspector(document, player, selection)

    def move(self, offset: ArrayLike) -> None:
        """Move all that is selected, or the chosen part of it, by an offset (3,)."""
        self._document.chosen()
        step = read_vector(offset, "move.offset")
        if step.ndim > 1:
            raise ValueError(f"move.offset must be a single vector (3,), got shape {step.shape}")
        part = self._selection.part
        self._do(Move(step, part, self._place() if part != "body" else None))

    def rotate(self, axis: str | ArrayLike, degrees: float, *, about: ArrayLike | None = None) -> None:
        """Turn all that is selected, counterclockwise when looking against an axis.

        An `AABB` stays along the axes of the world: it is refitted. `orient` makes it one that turns.

        Parameters
        ----------
        axis : str or array_like, shape (3,)
            ``x``, ``y`` or ``z`` of the world, or of the active shape where `axes` is ``local``; ``view``, which points
            to the viewer; or a direction of the world.
        degrees : float
            How far. Quarter turns are exact, whole turns change no bit.
        about : array_like, shape (3,), optional
            The point that stays; by default the common middle of what is selected.

        Raises
        ------
        ValueError
            If nothing is selected, there is nothing to turn, or axis, degrees or about are none.
        """
        gizmo = self.tool.gizmo_for("rotate", checked=about is None)
        degrees = read_number(degrees, "degrees")
        if isinstance(axis, str):
            turn = gizmo.typed(gizmo.along(axis), [float(degrees)], self._view.viewport)
            assert isinstance(turn, Turn)
            direction, middle = turn.axis, turn.about
        else:
            direction, middle = read_vector(axis, "rotate.axis"), gizmo.subject.middle
            if direction.shape != (3,) or not np.any(direction):
                raise ValueError(f"rotate.axis must be x, y, z, view or a direction (3,), got {direction.tolist()}")
        self._do(Turn(direction, float(degrees), middle if about is None else read_vector(about, "rotate.about")))

    def resize(self, size: str, value: float, *, side: Side = 0) -> None:
        """Give the selected shape another size.

        Parameters
        ----------
        size : str
            ``radius``; ``length``, of a segment, or of a capsule between its ends; ``x``, ``y`` or ``z``, of a box
            along its own axes.
        value : float
            The new size, zero or more.
        side : -1, 0 or 1
            What moves: the start or the lower face, both, or the end or the upper face.

        Raises
        ------
        ValueError
            If not just one shape is selected, it has no such size, or the value is none.
        """
        gizmo = self.tool.gizmo_for("size")
        if gizmo.subject.shape is None:
            raise ValueError("only a single shape has a size: select one, or an element, or scale the selection")
        self._do(Resize(size, float(value), side, nearest_axes(self._view.viewport)["up"]))

    def scale(self, factor: float) -> None:
        """Make all that is selected larger or smaller about its common middle."""
        self._do(Scale(float(factor), self.tool.gizmo_for("size", checked=False).subject.middle))

    @property
    def orientable(self) -> bool:
        """Whether a box is selected that `orient` makes one that turns; elements of batches are none."""
        scene = self._document.scene
        boxes = [name for name in self._document.selected if isinstance(scene[name], AABB)]
        return bool(boxes) and all(name in scene.shapes for name in boxes)

    def orient(self) -> None:
        """Make every selected `AABB` an `OrientedBox`, which turns; also while it is being turned."""
        hand = self.tool.hand
        scene = start = self._document.scene if hand is None else hand.scene
        boxes = [(name, box) for name in self._document.chosen() if isinstance(box := start[name], AABB)]
        if not boxes:
            raise ValueError("no aabb is selected: only that can be made a box that turns")
        for name, box in boxes:
            if name not in start.shapes:
                raise ValueError(f"{name!r} is an element of a batch of aabbs: select the batch instead")
            scene = scene.with_shape(name, box.oriented())
        if hand is None:
            self._document.commit(scene)
        else:
            hand.start_from(scene)
            self.tool.show_hand()

    def nudge(self, direction: Direction, factor: float = 1.0) -> None:
        """Move the selection some small round steps, along the world axis nearest to a direction of the picture."""
        if direction not in get_args(Direction):
            raise ValueError(f"direction must be one of {', '.join(get_args(Direction))}, got {direction!r}")
        if self.tool.dragging:
            return
        at = self._view.viewport
        step = factor * round_length(NUDGE * at.scale * float(at.units_per_pixel(self._place())))
        if np.isfinite(step):
            self.move(step * nearest_axes(at)[direction])

    def _place(self) -> FloatArray:
        """Return where the part is that carries the handles."""
        mover = self.tool.gizmo_for("translate", checked=False)
        assert isinstance(mover, Mover)
        return mover.parts(self._view.viewport)[mover.part]

    def _do(self, change: Change) -> None:
        self._document.interrupt()
        self._document.commit(change.apply(self._document.scene, self._document.selected))
