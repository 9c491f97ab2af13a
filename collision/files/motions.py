"""Motions in a scene file: one table for each, with a list of times and lists of what holds at them."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from collision.base.fields import FloatArray
from collision.files.errors import mismatch, problem
from collision.files.numbers import PLACE, PLACES, VALUES
from collision.files.placement import TURN, AxisAngle, Euler, Matrix, matrices
from collision.files.tables import Table, Text, holds
from collision.shapes.motion import LATEST, Motion
from collision.shapes.rotations import KnownQuaternions

#: A turn about one axis of as many degrees or more, from keyframe to keyframe, is cut into pieces: rotations alone do
#: not tell which way round it goes, or how often.
LONGEST_TURN, PIECE = 180.0, 120.0

#: More keyframes than this are not made of one long turn.
MOST_PIECES = 100_000


class MotionTable(Table):
    """How shapes move, by keyframes."""

    called: ClassVar[str] = "an entry of motion"

    shape: str = holds(Text(), 'The name of a shape or of an element, or a pattern in which "*" is anything.')
    time: FloatArray = holds(VALUES, "The times of the keyframes, at least two, ascending.")
    offset: FloatArray | None = holds(
        PLACES, "How far the shape is from its place at each time; or one for all.", default=None
    )
    rotation: FloatArray | AxisAngle | Euler | Matrix | None = holds(
        TURN, "How the shape is turned at each time: lists in the forms that rotations have.", default=None
    )
    pivot: FloatArray | None = holds(
        PLACE, "What it turns about, of the scene at rest; the middle of the shape unless given.", default=None
    )

    def _build(self) -> None:
        if not self.shape:
            raise mismatch("the name of a shape", self.shape, ("shape",))
        if self.time.ndim != 1 or len(self.time) < 2:
            raise problem("expected a list of at least two times, such as [0, 1, 2.5]", ("time",))
        far = np.flatnonzero(np.abs(self.time) > LATEST)
        if len(far):
            raise mismatch(f"a time within ±{LATEST:g}", float(self.time[far[0]]), ("time", int(far[0])))
        late = np.flatnonzero(np.diff(self.time) <= 0.0)
        if len(late):
            at = int(late[0]) + 1
            raise mismatch(f"a time after {self.time[at - 1]:g}", float(self.time[at]), ("time", at))
        if self.offset is None and self.rotation is None:
            raise problem(f"missing; {self.called} needs an offset or a rotation, or both")
        times, offsets = self.time, self._at_each_time("offset", self.offset, np.zeros(3))
        turns = self._turns()
        if isinstance(self.rotation, AxisAngle) and self.rotation.axis.ndim == 1:
            times, offsets, turns = self._cut(self.rotation, offsets)
        rotations = KnownQuaternions(turns) if turns.shape[-1] == 4 else turns
        self._motion = Motion(self.shape, times, offsets, rotations, pivot=self.pivot)

    @property
    def motion(self) -> Motion:
        """The motion that the table describes."""
        return self._motion

    def _turns(self) -> FloatArray:
        """Return the rotations at the times as they are written: quaternions remain such, to the last bit."""
        if self.rotation is None or isinstance(self.rotation, np.ndarray):
            return self._at_each_time("rotation", self.rotation, np.array([0.0, 0.0, 0.0, 1.0]))
        return self._at_each_time("rotation", matrices(self.rotation), np.eye(3))

    def _at_each_time(self, key: str, given: FloatArray | None, rest: FloatArray) -> FloatArray:
        """Return a value for every time, where there is one for each or one for all."""
        values, wanted = (rest if given is None else given), (len(self.time), *rest.shape)
        if values.shape not in (wanted, rest.shape):
            count = f"{len(values)}" if values.ndim == rest.ndim + 1 else f"lists of shape {values.shape[: -rest.ndim]}"
            raise problem(f"expected one for each of the {len(self.time)} times (or one for all), got {count}", (key,))
        return np.broadcast_to(values, wanted)

    def _cut(self, turn: AxisAngle, offsets: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return times, offsets and rotations, with keyframes between those that are a long turn apart."""
        angles = np.broadcast_to(turn.angle, self.time.shape)
        steps = np.abs(np.diff(angles))
        pieces = np.where(steps < LONGEST_TURN, 1.0, np.ceil(steps / PIECE))
        if not np.any(pieces > 1.0):
            return self.time, offsets, self._turns()
        if pieces.sum() > MOST_PIECES:
            raise problem(f"expected at most {int(MOST_PIECES * PIECE / 360):,} whole turns", ("rotation", "angle"))
        # The places of the new keyframes, counted in old ones; whole numbers where an old one was.
        spots = [k + np.arange(count) / count for k, count in enumerate(map(int, pieces))]
        spot, old = np.concatenate([*spots, [float(len(pieces))]]), np.arange(len(self.time), dtype=np.float64)
        columns = [np.interp(spot, old, column) for column in (self.time, angles, *offsets.T)]
        turns = AxisAngle(axis=turn.axis, angle=columns[1]).matrices()
        return columns[0], np.stack(columns[2:], axis=-1), turns
