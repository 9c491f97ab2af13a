"""The joints of a robot: their values, as one reads, types and drags them, and its poses that have a name."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from collision import Scene, Shape, Transform
from collision.inner import FloatArray, angles_of, quaternions_of, read_number
from collision.scenefile import AxisAngle
from viewer.gizmo import SnapOptions
from viewer.gizmo.jointing import JointDrag, mover_of
from viewer.records.events import Pointer
from viewer.records.sizes import grid_step, round_length
from viewer.records.words import number
from viewer.session.document import Document
from viewer.session.player import Player
from viewer.session.view import View

if TYPE_CHECKING:
    from collision.importers import Joint, JointValues, Model, Trajectory

#: What the numbers of joints with several are called, after the name of the joint, and which of them are angles.
_PARTS: Mapping[str, tuple[str, ...]] = {
    "planar": ("x", "y", "turn"),
    "ball": ("turn x", "turn y", "turn z"),
    "floating": ("x", "y", "z", "turn x", "turn y", "turn z"),
}

#: What drags snap to on demand: angles, and finer ones, in degrees, and lengths, as a part of the ground's squares.
_ANGLE, _FINE_ANGLE, _FINE_STEP = 15.0, 1.0, 0.1

#: The poses that every robot has: all joints at zero, as near as their limits let them be, and as it was opened.
ZERO, OPENED = "zero", "as opened"


class JointNumber(NamedTuple):
    """One of the numbers that the joints of a robot have: its name, and which number of which joint it is.

    Angles are in radians. One that follows another joint cannot be set, and names it.
    """

    name: str
    joint: str
    part: int
    angle: bool
    lower: float
    upper: float
    follows: str = ""

    @property
    def endless(self) -> bool:
        """Whether there is no end to it."""
        return math.isinf(self.lower) or math.isinf(self.upper)

    def written(self, value: float, digits: int = 5) -> str:
        """Write a value for people: an angle in degrees."""
        if self.angle:
            degrees = math.degrees(value)
            return f"{number(degrees, abs(degrees), digits)}\N{DEGREE SIGN}"
        return number(value, abs(value), digits)

    def checked(self, value: float) -> float:
        """Return a value; refuse one that is beyond the limits, and name them."""
        value = read_number(value, self.name)
        if self.follows:
            raise ValueError(f"{self.name} follows {self.follows}, and has no value of its own")
        if not self.lower <= value <= self.upper:
            limits = f"from {self.written(self.lower)} to {self.written(self.upper)}"
            raise ValueError(f"{self.name} must be {limits}, got {self.written(value)}")
        return value

    def rounded(self, value: float) -> float:
        """Return a value as a drag of a slider means it: with few digits, or the very limit."""
        if not self.endless and not self.lower < value < self.upper:
            return self.clipped(value)
        if self.angle:
            return math.radians(round(math.degrees(value), 1))
        reach = abs(value) if self.endless else self.upper - self.lower
        return round(value, 3 - math.floor(math.log10(reach))) if reach else value

    def clipped(self, value: float) -> float:
        """Return the nearest value within the limits."""
        return min(max(value, self.lower), self.upper)


class _InHand(NamedTuple):
    """What is dragged: the scene and the robot as they were, which number, and a link that the cursor has, if any."""

    scene: Scene
    model: Model
    name: str
    link: JointDrag | None = None
    start: float = 0.0


class Joints:
    """Says what the values of a robot's joints are, and changes them."""

    def __init__(self, document: Document, player: Player, view: View) -> None:
        self._document, self._player, self._view = document, player, view
        self._named: dict[str, JointValues] = dict(document.model.poses) if document.model else {}
        self._opened = document.model
        self._trajectory: Trajectory | None = None
        self._hand: _InHand | None = None
        #: The joints whose numbers were asked for last, which no pose changes, and these numbers.
        self._numbers: tuple[Mapping[str, Joint], Mapping[str, JointNumber]] | None = None
        #: The same of its links: those by the names of their shapes.
        self._links: tuple[object, Mapping[str, str]] | None = None

    # -- what there is ------------------------------------------------------------------------------------------------

    @property
    def model(self) -> Model | None:
        """The robot in the pose that is seen; None where the scene is of none."""
        return self._document.model

    @property
    def numbers(self) -> Mapping[str, JointNumber]:
        """The numbers of all joints that move, by name, in the order of the tree."""
        joints = None if self.model is None else self.model.joints
        if joints is None:
            return {}
        if self._numbers is None or self._numbers[0] is not joints:
            self._numbers = joints, {one.name: one for joint in joints.values() for one in _numbers_of(joint)}
        return self._numbers[1]

    @property
    def values(self) -> Mapping[str, float]:
        """The value of each number as it is seen: in radians and scene units, at the time of a trajectory."""
        model = self.seen
        if model is None:
            return {}
        found: dict[str, float] = {}
        for joint in model.joints.values():
            own = _shown(joint, model.value(joint.name)).tolist() if joint.size else []
            found.update(zip((one.name for one in _numbers_of(joint)), own, strict=True))
        return found

    @property
    def poses(self) -> tuple[str, ...]:
        """The names of the poses that there are; those of files come first where they have the name of another."""
        own = (name for name in (ZERO, OPENED) if name not in self._named)
        return () if self.model is None else (*own, *self._named)

    @property
    def dragging(self) -> bool:
        """Whether a joint is in hand."""
        return self._hand is not None

    @property
    def status(self) -> tuple[str, ...]:
        """What the joint in hand is at, and its limits, line by line; nothing while none is."""
        hand = self._hand
        if hand is None:
            return ()
        shown = [one for one in self.numbers.values() if one.joint == self.numbers[hand.name].joint]
        if len(shown) > 1:
            return tuple(f"{one.name}\t{one.written(self.values[one.name])}" for one in shown)
        (one,), value = shown, self.values[hand.name]
        limits = f"{one.written(one.lower)} to {one.written(one.upper)}"
        end = " (its limit)" if value in (one.lower, one.upper) else ""
        return f"{one.name}\t{one.written(value)}{end}", *([] if one.endless else [f"limits\t{limits}"])

    def number(self, name: str) -> JointNumber:
        """Return what there is to know of a number by its name; a KeyError says which name was meant."""
        return self.numbers[self._known(name)]

    def _known(self, name: str) -> str:
        numbers = self.numbers
        if name in numbers:
            return name
        if not numbers:
            raise KeyError("this scene is no robot with joints")
        near = difflib.get_close_matches(name, numbers, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(list(numbers)[:8])}"
        raise KeyError(f"the robot has no joint named {name!r}; {hint}")

    def mover(self, shape: str) -> Joint | None:
        """Return the nearest joint that moves a shape; None for one that rests, or is of no robot."""
        link = self.link_of(shape)
        return None if link is None or self.model is None else mover_of(self.model, link)

    def link_of(self, shape: str) -> str | None:
        """Return the link that a shape is of; None for one that is of no robot."""
        return self.links.get(shape)

    @property
    def links(self) -> Mapping[str, str]:
        """The links of a robot by the names of their shapes."""
        links = None if self.model is None else self.model.links
        if links is None:
            return {}
        if self._links is None or self._links[0] is not links:
            self._links = links, {shape: link for link, own in links.items() for shape in own}
        return self._links[1]

    # -- changes ------------------------------------------------------------------------------------------------------

    def go_along(self, trajectory: Trajectory | None) -> None:
        """Take note that the motion of the scene is that of the joints along a trajectory."""
        self._trajectory = trajectory
        self._document.touch()

    def set(self, name: str, value: float) -> None:
        """Give a joint another value, in radians or scene units, as one step; beyond its limits it is refused."""
        self.set_many({name: value})

    def set_many(self, values: Mapping[str, float]) -> None:
        """Give several joints other values, as one step."""
        checked = {self._known(name): self.number(name).checked(value) for name, value in values.items()}
        self._document.interrupt()
        self._commit(*self._with(self._start(), checked))

    def take_pose(self, name: str) -> None:
        """Bring the robot into one of its poses, as one step."""
        start = self._start()
        if name not in self.poses:
            raise ValueError(f"there is no pose named {name!r}; there is {', '.join(self.poses)}")
        self._document.interrupt()
        if name == ZERO and name not in self._named:
            free = {joint.name for joint in start.joints.values() if joint.kind in ("planar", "floating")}
            zero = {one.name: one.clipped(0.0) for one in self.numbers.values() if one.joint not in free}
            self._commit(*self._with(start, {name: value for name, value in zero.items() if not self._follows(name)}))
            return
        assert self._opened is not None
        self._commit(*self._posed(start.at(self._named.get(name, self._opened.q))))

    def keep_pose(self, name: str) -> None:
        """Take note that the pose has a name by now; the history does not know of it."""
        self._named[name] = self._start().q
        self._document.touch()

    # -- in hand ------------------------------------------------------------------------------------------------------

    def slide(self, name: str, value: float) -> None:
        """Show a joint at another value, the nearest within its limits, until it is let go."""
        one = self.number(name)
        if self._hand is None or self._hand.name != name:
            model = self._start()
            if one.follows:
                one.checked(0.0)  # which says why not
            self._document.interrupt()
            self._hand = _InHand(self._document.scene, model, name, start=self.values[name])
        self._show({name: one.clipped(read_number(value, name))})

    def slide_to(self, name: str, part: float) -> None:
        """Show a joint at a part of its track, until it is let go; of an endless one the track goes on beside it."""
        one = self.number(name)
        lower, upper = self.track(name)
        turns = 0.0
        if one.endless and one.angle:
            hand = self._hand
            was = self.values[name] if hand is None or hand.name != name else hand.start
            turns = round(was / (upper - lower)) * (upper - lower)
        self.slide(name, one.rounded(lower + part * (upper - lower) + turns))

    def track(self, name: str) -> tuple[float, float]:
        """Return the least and the largest value on the track of a joint: its limits, or those of one turn."""
        one = self.number(name)
        if not one.endless:
            return one.lower, one.upper
        box = self._document.extent
        reach = math.pi if one.angle else round_length(2.0 * float(box.half_extents.max()) if box else 1.0)
        return -reach, reach

    def let_go(self) -> bool:
        """Let go of what is in hand where it is now, as one step of the history; False when nothing was."""
        hand, self._hand = self._hand, None
        if hand is not None:
            self._document.commit(self._document.scene, model=self._document.model)
        return hand is not None

    def grab(self, shape: str, point: FloatArray) -> None:
        """Take the link of a shape in hand by a point of it (3,)."""
        link, joint = self.link_of(shape), self.mover(shape)
        if link is None or joint is None:
            raise ValueError(f"no joint moves {shape!r}")
        self._document.interrupt()
        drag = JointDrag.of(self._start(), joint, link, point)
        self._hand = _InHand(self._document.scene, drag.model, _numbers_of(joint)[0].name, drag)

    def cancel(self) -> bool:
        """Put what is in hand back where it was; True when something was in hand."""
        hand, self._hand = self._hand, None
        if hand is not None:
            self._document.preview(None)
        return hand is not None

    def move(self, mouse: Pointer) -> bool:
        """Have the joint of a link in hand follow the cursor."""
        hand = self._hand
        if hand is None or hand.link is None or self.model is None:
            return False
        joint = hand.link.joint
        last = self.model.value(joint.name)
        value = hand.link.update(self._view.viewport, *mouse.place, self._snap_options(mouse), last)
        if not np.array_equal(value, last):
            model = hand.model.at({joint.name: value if joint.size > 1 else float(value[0])})
            self._document.preview(_scene_of(hand.scene, hand.model, model), model)
        return True

    def release(self, mouse: Pointer) -> bool:
        """Let go of a link, as one step of the history."""
        return self.move(mouse) and self.let_go()

    # -- inside -------------------------------------------------------------------------------------------------------

    @property
    def seen(self) -> Model | None:
        """Return the robot as it is seen: along a trajectory, in the pose of the time."""
        model, way = self.model, self._trajectory
        if model is None or way is None:
            return model
        return model.at({name: _at(way.times, values, self._player.time) for name, values in way.q.items()})

    def _start(self) -> Model:
        """Return the robot to change; say why that cannot be."""
        model = self._document.settled_model
        if model is None:
            raise ValueError("this scene is no robot with joints")
        if self._document.settled.motion:
            raise ValueError("the joints go along a trajectory: open the robot without it to move them")
        return model

    def _follows(self, name: str) -> str:
        return self.numbers[name].follows

    def _with(self, model: Model, values: Mapping[str, float]) -> tuple[Scene, Model]:
        """Return the scene and the robot with other numbers of joints."""
        given: dict[str, FloatArray] = {}
        for name, value in values.items():
            one = self.numbers[name]
            joint = model.joints[one.joint]
            shown = given.setdefault(one.joint, _shown(joint, model.value(one.joint)))
            shown[one.part] = value
        wanted = {name: _value_of(model.joints[name], shown) for name, shown in given.items()}
        return self._posed(model.at(wanted))

    def _posed(self, model: Model) -> tuple[Scene, Model]:
        return _scene_of(self._document.settled, self._start(), model), model

    def _commit(self, scene: Scene, model: Model) -> None:
        self._document.commit(scene, model=model)

    def _show(self, values: Mapping[str, float]) -> None:
        self._document.preview(*self._with(self._start(), values))

    def _snap_options(self, mouse: Pointer) -> SnapOptions:
        if not mouse.ctrl:
            return SnapOptions()
        step = grid_step(self._document.extent) * (_FINE_STEP if mouse.shift else 1.0)
        return SnapOptions(step, _FINE_ANGLE if mouse.shift else _ANGLE)


def _numbers_of(joint: Joint) -> tuple[JointNumber, ...]:
    """Return the numbers of a joint: none of a fixed one."""
    follows = joint.mimic.joint if joint.mimic else ""
    if joint.size == 1:
        return (JointNumber(joint.name, joint.name, 0, joint.kind != "prismatic", *joint.limits, follows),)
    return tuple(
        JointNumber(f"{joint.name} {part}", joint.name, k, part.startswith("turn"), -math.inf, math.inf)
        for k, part in enumerate(_PARTS.get(joint.kind, ()))
    )


def _shown(joint: Joint, value: FloatArray) -> FloatArray:
    """Return the numbers that stand for a value: of a quaternion, the angles about x, then y, then z."""
    if joint.kind not in ("ball", "floating"):
        return np.array(value)
    axes = Transform(rotation=np.roll(value[-4:], -1)).axes
    return np.concatenate([value[:-4], np.radians(angles_of(axes))])


def _value_of(joint: Joint, shown: FloatArray) -> FloatArray | float:
    """Return the value that numbers stand for."""
    if joint.kind not in ("ball", "floating"):
        return shown if joint.size > 1 else float(shown[0])
    x, y, z = (
        Transform(rotation=AxisAngle(axis=axis, angle=np.asarray(angle)).matrices())
        for axis, angle in zip(np.eye(3), np.degrees(shown[-3:]), strict=True)
    )
    return np.concatenate([shown[:-3], np.roll(quaternions_of((z @ y @ x).axes), 1)])


def _scene_of(scene: Scene, before: Model, after: Model) -> Scene:
    """Return the scene of a robot with it in another pose: what was changed by itself moves with its link."""
    shapes: dict[str, Shape] = dict(scene.shapes)
    for link, own in after.links.items():
        moved = [name for name in own if name in shapes and after.scene.shapes[name] is not before.scene.shapes[name]]
        for name in moved:
            was = before.scene.shapes[name]
            if shapes[name] is was or shapes[name] == was:
                shapes[name] = after.scene.shapes[name]
                continue
            places = (model.forward(links=[link]) for model in (after, before))
            now, then = (Transform(place.position[0], place.axes[0]) for place in places)
            shapes[name] = shapes[name].transformed(now @ then.inverse())
    return scene.replaced(shapes=shapes)


def _at(times: FloatArray, values: FloatArray, time: float) -> FloatArray | float:
    """Return the values (m,) or (m, size) of a joint at a time between some."""
    columns = np.reshape(values, (len(times), -1)).T
    found = np.array([np.interp(time, times, column) for column in columns])
    return float(found[0]) if np.ndim(values) == 1 else found
