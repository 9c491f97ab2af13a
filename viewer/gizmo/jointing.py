"""A link of a robot in hand: what its joint does, so that the point that was taken stays under the cursor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collision import Transform
from collision.inner import FloatArray, quaternions_of
from viewer.camera.camera import Viewport
from viewer.gizmo.handles import VIEW, Handle, SnapOptions, pixel_step, plane_at, seen_at, snapped, view_frame
from viewer.gizmo.rotating import FINEST, TurnDrag

if TYPE_CHECKING:
    from collision.importers import Joint, Model

#: How far from its last value a joint is looked for at first: in radians, and in pixels along an axis; how many values
#: are tried there, how often at least, each time between those beside the best, and at most.
_TURN, _SLIDE, _VALUES, _ROUNDS, _MOST_ROUNDS = 1.0, 400.0, 65, 2, 12

#: A value that is farther from the last one must come nearer to the cursor by so many pixels.
_RELUCTANCE = 0.1


def mover_of(model: Model, link: str) -> Joint | None:
    """Return the nearest joint that moves a link: the one that has the value; None for a link that rests.

    >>> from collision.importers import Joint, Model
    >>> joints = Joint("elbow", "revolute", "upper", "lower"), Joint("weld", "fixed", "lower", "tool")
    >>> arm = Model.of({"upper": {}, "lower": {}, "tool": {}}, joints)
    >>> mover_of(arm, "tool").name, mover_of(arm, "upper")
    ('elbow', None)
    """
    above = {joint.child: joint for joint in model.joints.values()}
    while link in above:
        joint = model.leader(above[link].name)
        if joint.size:
            return joint
        link = above[link].parent
    return None


@dataclass(frozen=True, eq=False)
class JointDrag:
    """A link in hand by a point (3,) in its frame, and the joint that moves it in a model as it was at the press."""

    model: Model
    joint: Joint
    link: str
    point: FloatArray

    @classmethod
    def of(cls, model: Model, joint: Joint, link: str, place: FloatArray) -> JointDrag:
        """Take a link at a place in the world (3,)."""
        return cls(model, joint, link, model.forward(links=[link]).inverse().apply(place)[0])

    def update(self, viewport: Viewport, x: float, y: float, snap: SnapOptions, last: FloatArray) -> FloatArray:
        """Return the value of the joint (size,) that brings the point to a pixel, or as near as limits let it.

        It comes from the press and the cursor alone; what was last (size,) only tells which way round it went.
        """
        match self.joint.kind:
            case "floating" | "planar":
                found = self._shifted(viewport, x, y, snap)
            case "ball":
                found = self._rolled(viewport, x, y, snap)
            case kind:
                found = np.array([self._nearest(viewport, x, y, snap, float(last[0]), turns=kind != "prismatic")])
        return last if found is None else found

    def _nearest(self, viewport: Viewport, x: float, y: float, snap: SnapOptions, last: float, *, turns: bool) -> float:
        """Return the value near the last one at which the point is seen nearest to a pixel."""
        (lower, upper), best = self.joint.limits, last
        here = self._places(np.array([last]))[0]
        reach = _TURN if turns else _SLIDE * viewport.scale * float(viewport.units_per_pixel(here))
        if not np.isfinite(reach):
            return last
        reluctance, finest = _RELUCTANCE / reach, reach * (2.0 / (_VALUES - 1)) ** (_ROUNDS - 1)
        for _ in range(_MOST_ROUNDS):
            values = np.linspace(best - reach, best + reach, _VALUES).clip(lower, upper)
            pixels, _ = viewport.project(self._places(values))
            away = np.linalg.norm(pixels - [x, y], axis=-1) + reluctance * np.abs(values - last)
            before, best = best, float(values[np.where(np.isnan(away), np.inf, away).argmin()])
            if abs(best - before) < 0.99 * reach:  # else it goes on that way: the cursor was quick
                if reach <= finest:
                    break
                reach *= 2.0 / (_VALUES - 1)
        if turns:
            found = float(np.radians(snapped(np.degrees(best), snap.angle or FINEST)))
        else:
            found = float(snapped(best, snap.step or pixel_step(viewport, here)))
        return min(max(found, lower), upper)

    def _places(self, values: FloatArray) -> FloatArray:
        """Return where the point is (n, 3) for values of the joint (n,)."""
        return self.model.forward({self.joint.name: values}, [self.link]).apply(self.point)[:, 0]

    @property
    def _frame(self) -> Transform:
        """The frame of the joint in the world."""
        parent = self.model.forward(links=[self.joint.parent])
        return Transform(parent.position[0], parent.axes[0]) @ self.joint.origin

    @property
    def _start(self) -> FloatArray:
        """The value of the joint at the press (size,)."""
        return self.model.value(self.joint.name)

    def _shifted(self, viewport: Viewport, x: float, y: float, snap: SnapOptions) -> FloatArray | None:
        """Return the value with the point shifted in the picture's plane, or in that of a planar joint."""
        frame, value = self._frame, self._start.copy()
        start = self.model.forward(links=[self.link]).apply(self.point)[0]
        planar = self.joint.kind == "planar"
        ways = self.joint.motion(np.eye(3)).position[:2] if planar else np.eye(3)
        sides = frame.turn(ways)
        across = np.column_stack([*sides, np.cross(*sides)]) if planar else view_frame(viewport)
        there = seen_at(viewport, plane_at(viewport, start, across), x, y)
        if there is None:
            return None
        step = snap.step or pixel_step(viewport, start)
        value[: len(sides)] += snapped(sides @ (there - start), step)
        return value

    def _rolled(self, viewport: Viewport, x: float, y: float, snap: SnapOptions) -> FloatArray | None:
        """Return the quaternion with the point turned about the line of sight through the middle of a ball joint."""
        frame, start = self._frame, self.model.forward(links=[self.link]).apply(self.point)[0]
        grip = TurnDrag(Handle("body", "ring", VIEW), frame.apply(self.joint.anchor), view_frame(viewport), 0.0)
        grabbed = grip.angle(viewport, *viewport.project(start)[0].tolist())
        if grabbed is None:
            return None
        turn = TurnDrag(grip.handle, grip.at, grip.frame, grabbed).update(viewport, x, y, snap, None)
        if turn is None:
            return None
        child = frame.turn(self.joint.motion(self._start).axes.T)  # its axes in the world, as rows
        return np.roll(quaternions_of(frame.axes.T @ np.column_stack([*turn.turned(child)])), 1)
