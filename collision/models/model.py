"""Models: links with their shapes, the joints between them, and where values of the joints put them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import ArrayLike, FloatArray, IntArray, check_broadcast, read_vector, to_float, turned
from collision.models.frames import FRAME, attached, frame_numbers, frame_parts
from collision.models.ignored import ignored_pairs
from collision.poses.bodies import Bodies
from collision.scene.scene import Scene
from collision.shapes.kinds import Shape
from collision.shapes.motion import Motion
from collision.shapes.rotations import KnownQuaternions, matrix_product, read_rotation, to_axis, turned_about
from collision.shapes.transforms import Transform


class ImporterError(ValueError):
    """A model cannot be read; the text names the file and the mistake in it."""


class JointError(ValueError):
    """A joint does not fit the others; ``joint`` is its name."""

    def __init__(self, joint: str, text: str) -> None:
        super().__init__(text)
        self.joint = joint


class Skipped(NamedTuple):
    """A part of the model that is not in the scene: its name, its kind in the file's words, and why."""

    name: str
    kind: str
    reason: str


class VisualMesh(NamedTuple):
    """What a link looks like.

    Attributes
    ----------
    link : str
        The link.
    points : ndarray, shape (n, 3)
        In the frame of the link.
    triangles : ndarray of int, shape (m, 3)
        Which of the points each triangle has.
    outside : bool, optional
        Whether `audit_model` found them outside all collision shapes of the link; None where it was not asked.
    """

    link: str
    points: FloatArray
    triangles: IntArray
    outside: bool | None = None


class Mimic(NamedTuple):
    """What a joint follows: its value is ``multiplier * (value of joint) + offset``."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


#: Values by joint: all of them in one array, or those of some joints by name; `Model.at` also takes an MjData.
JointValues: TypeAlias = ArrayLike | Mapping[str, ArrayLike] | Any

#: How many numbers a joint of each kind has in `Model.q`.
_SIZES: MappingProxyType[str, int] = MappingProxyType(
    {"fixed": 0, "revolute": 1, "continuous": 1, "prismatic": 1, "planar": 3, "ball": 4, "floating": 7}
)

#: How far a joint turns from one keyframe to the next: less than half a turn, which goes one way as well as the other.
_FARTHEST = 2.0

#: How far a joint turns at most along a trajectory, as every turn takes keyframes.
_MOST_TURNED = 1e6

#: Poses whose frames fit into a processor's own memory.
_BLOCK = 1024

_HERE, _NOWHERE = Transform(), slice(0, 0)


@dataclass(frozen=True, eq=False, init=False)
class Joint:
    """What moves a link against another one: ``parent @ origin @ motion(value)`` is where the child is.

    Parameters
    ----------
    name : str
        No other joint of the model has it.
    kind : str
        ``fixed`` moves nothing. ``revolute`` (between limits) and ``continuous`` (without) turn about the axis, by
        radians; ``prismatic`` moves along it. ``planar`` takes x, y and an angle in the plane at right angles to the
        axis, ``ball`` a quaternion (w, x, y, z), ``floating`` a position and a quaternion.
    parent, child : str
        Names of links. Every link but the first is the child of one joint.
    origin : Transform
        The joint's frame in that of its parent.
    axis : array_like, shape (3,)
        In the joint's frame; it is made of unit length.
    limits : (float, float)
        The least and the largest value; infinite where there is none.
    mimic : Mimic, optional
        The joint that this one follows; it has no value of its own then.
    anchor : array_like, shape (3,)
        What a turn leaves where it is, in the joint's frame: the origin of it in URDF.
    values : slice
        Where its values are in `Model.q`; the model sets it.

    Examples
    --------
    >>> hinge = Joint("elbow", "revolute", "upper", "lower", Transform([1, 0, 0]), axis=[0, 0, 2])
    >>> (hinge.origin @ hinge.motion(np.pi / 2)).apply([1, 0, 0]).round(6)
    array([1., 1., 0.])
    """

    name: str
    kind: str
    parent: str
    child: str
    origin: Transform
    axis: FloatArray
    limits: tuple[float, float]
    mimic: Mimic | None
    anchor: FloatArray
    values: slice

    def __init__(
        self,
        name: str,
        kind: str,
        parent: str,
        child: str,
        origin: Transform = _HERE,
        axis: ArrayLike = (1.0, 0.0, 0.0),
        limits: tuple[float, float] = (-np.inf, np.inf),
        mimic: Mimic | None = None,
        anchor: ArrayLike = (0.0, 0.0, 0.0),
        values: slice = _NOWHERE,
    ) -> None:
        if kind not in _SIZES:
            raise ValueError(f"Joint.kind must be one of {', '.join(_SIZES)}, got {kind!r}")
        direction = read_vector(axis, "Joint.axis")
        largest = float(np.abs(direction).max())
        direction = direction / largest if largest else direction  # whose square is a number, whatever the axis
        size = float(np.linalg.norm(direction))
        if not 0.0 < size < np.inf:
            raise ValueError(f"Joint.axis must be a direction, not the zero vector, got {direction.tolist()}")
        if not limits[0] <= limits[1]:
            raise ValueError(
                f"Joint.limits must be the least and the largest value, got {limits[0]:g} and {limits[1]:g}"
            )
        direction, center = direction / size, read_vector(anchor, "Joint.anchor")
        direction.flags.writeable = center.flags.writeable = False
        joint = {"name": name, "kind": kind, "parent": parent, "child": child, "origin": origin, "axis": direction}
        ends = float(limits[0]), float(limits[1])
        self.__dict__.update(joint, limits=ends, mimic=mimic, anchor=center, values=values)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.axis.flags.writeable = self.anchor.flags.writeable = False

    @property
    def size(self) -> int:
        """How many numbers its value is made of: 1 for those with an axis, 0 if it is fixed."""
        return _SIZES[self.kind]

    def motion(self, value: ArrayLike) -> Transform:
        """Return how values move the child in the joint's frame.

        Parameters
        ----------
        value : array_like, shape (...) or (..., size)
            One number for those with an axis; `size` numbers for others.
        """
        return Transform(*self._moved(_read_value(value, f"Joint.motion of {self.name!r}", self)))

    def _moved(self, value: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return positions (..., 3) and rotations (..., 3, 3) for values (..., size)."""
        axis, anchor, still = self.axis, self.anchor, np.eye(3)
        match self.kind:
            case "fixed":
                return np.zeros(3), still
            case "prismatic":
                return axis * value, still
            case "planar":
                plane = read_rotation(to_axis(axis), "Joint.axis")
                flat = np.concatenate([value[..., :2], np.zeros_like(value[..., :1])], axis=-1)
                return turned(plane, flat), turned_about(axis, value[..., 2], still)
            case "floating":
                turn = _quaternion(value[..., 3:], self.name)
                return value[..., :3] + (anchor - turned(turn, anchor)), turn
            case "ball":
                turn = _quaternion(value, self.name)
            case _:
                turn = turned_about(axis, value[..., 0], still)
        return anchor - turned(turn, anchor), turn

    def _rows(self, value: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return what `attached` takes of values (m, size): numbers of the joint, and of its moves."""
        still, zero = np.array([[0.0, 1.0, 0.0]]), np.zeros((len(value), 1))
        origin, axis, moves = self.origin, self.axis[None], still
        if self.size == 1:
            turns = zero if self.kind == "prismatic" else value
            moves = np.concatenate([np.sin(turns), np.cos(turns), value if self.kind == "prismatic" else zero], axis=1)
        elif self.size > 1:  # the frame itself moves
            origin = origin @ Transform(*self._moved(value))
            axis = np.broadcast_to(axis, (len(value), 3))
        frame = frame_numbers(np.atleast_2d(origin.position), origin.axes.reshape(-1, 3, 3))
        anchor = self.anchor if self.size == 1 else np.zeros(3)
        return np.concatenate([frame, axis, np.broadcast_to(anchor, axis.shape)], axis=1), moves


def _rows(value: FloatArray, lead: tuple[int, ...], count: int) -> FloatArray:
    """Return values (..., size) along one axis: a single row where all poses have the same."""
    if value.ndim == 1:
        return value[None]
    return np.broadcast_to(value, (*lead, value.shape[-1])).reshape(count, value.shape[-1])


def _quaternion(scalar_first: FloatArray, joint: str) -> FloatArray:
    return read_rotation(KnownQuaternions(np.roll(scalar_first, -1, axis=-1)), f"q of joint {joint!r}")


def _read_value(value: ArrayLike, label: str, joint: Joint) -> FloatArray:
    """Return values of one joint as (..., size)."""
    values = to_float(value, label)
    if joint.size == 1:
        values = values[..., None]
    if values.shape[-1:] != (joint.size,):
        raise ValueError(f"{label} must be {_numbers(joint.size)}, got shape {values.shape}")
    return _finite(values, label)


def _finite(values: FloatArray, label: str) -> FloatArray:
    if not np.all(np.isfinite(values)):
        raise ValueError(f"{label} must be finite, got {values[~np.isfinite(values)][0]}")
    return values


def _numbers(count: int) -> str:
    return f"{count} number{'s' * (count != 1)}"


@dataclass(frozen=True, eq=False)
class Model:
    """A model in one pose, as `load_model` returns it.

    Attributes
    ----------
    scene : Scene
        The shapes of all links in world coordinates, named as in the model.
    links : mapping of str to (mapping of str to Shape)
        The shapes of each link by name, in the link's own frame. The first link rests in the world.
    joints : mapping of str to Joint
        The tree of joints, each behind those that move its parent.
    q : ndarray, shape (n,)
        The values of the joints in this pose, read-only: lengths, radians, quaternions (w, x, y, z). `Joint.values`
        says where those of a joint are.
    skipped : tuple of Skipped
        The parts that no shape stands for.
    notes : tuple of str
        What else differs from the model, as renamed shapes.
    poses : mapping of str to (mapping of str to array_like)
        The poses that have a name, as `at` takes them.
    visuals : tuple of VisualMesh
        What the links look like, where `load_model` was asked for it.

    Examples
    --------
    >>> from collision import Capsule
    >>> bone = Capsule([0, 0, 0], [1, 0, 0], 0.1)
    >>> elbow = Joint("elbow", "revolute", "upper", "lower", Transform([1, 0, 0]), [0, 0, 1], (0, 3))
    >>> arm = Model.of({"upper": {"upper bone": bone}, "lower": {"lower bone": bone}}, [elbow])
    >>> arm.at({"elbow": np.pi / 2}).scene["lower bone"].bounds().upper.round(6)
    array([1.1, 1.1, 0.1])
    """

    scene: Scene
    links: Mapping[str, Mapping[str, Shape]]
    joints: Mapping[str, Joint]
    q: FloatArray
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    poses: Mapping[str, Mapping[str, ArrayLike]] = field(default_factory=lambda: MappingProxyType({}))
    visuals: tuple[VisualMesh, ...] = field(default=(), repr=False)
    _mocap: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def of(
        cls,
        links: Mapping[str, Mapping[str, Shape]],
        joints: Iterable[Joint],
        *,
        q: Mapping[str, ArrayLike] = MappingProxyType({}),
        ignored: Iterable[tuple[str, str]] | None = None,
        title: str = "",
        caption: str = "",
        skipped: Iterable[Skipped] = (),
        notes: Iterable[str] = (),
        mocap: Iterable[str] = (),
    ) -> Model:
        """Return the model of links and joints; a `ValueError` says where these are no tree.

        Parameters
        ----------
        links : mapping of str to (mapping of str to Shape)
            The shapes of each link in its frame, by names that no two shapes share.
        joints : iterable of Joint
            In any order.
        q : mapping of str to array_like
            The pose, by joint; what is not named is at zero, quaternions at one.
        ignored : iterable of (str, str), optional
            The pairs of shapes that the scene ignores; without it those of links that never move to each other, and of
            those that one joint holds together.
        title, caption, skipped, notes
            Those of the scene, and the attributes.
        mocap : iterable of str
            Names of fixed joints that follow the mocap bodies of a simulation, in their order.
        """
        ordered, by_link = _tree(tuple(links), tuple(joints))
        shapes: dict[str, Shape] = {}
        for link in by_link:
            for name, shape in links[link].items():
                if name in shapes:
                    raise ValueError(f"two shapes are named {name!r}")
                shapes[name] = shape
        model = cls(
            Scene(
                shapes,
                ignored=_ignored(links, _welds(links, ordered), (), ordered) if ignored is None else ignored,
                title=title,
                caption=caption,
            ),
            MappingProxyType({link: MappingProxyType(dict(links[link])) for link in by_link}),
            MappingProxyType({joint.name: joint for joint in ordered}),
            np.concatenate([np.zeros(0), *(_at_zero(joint) for joint in ordered)]),
            tuple(skipped),
            (*notes, *_passed_limits({joint.name: joint for joint in ordered})),
            _mocap=tuple(mocap),
        )
        return model._at(q, anew=True)

    def __reduce__(self) -> tuple[Any, ...]:
        links = {link: dict(own) for link, own in self.links.items()}
        poses = {name: dict(values) for name, values in self.poses.items()}
        kept = self.skipped, self.notes, self.visuals
        return _again, (self.scene, links, dict(self.joints), poses, self.q, self._mocap, *kept)

    def at(self, q: JointValues) -> Model:
        """Return the model in another pose; a `ValueError` is raised where the values do not fit the model.

        Parameters
        ----------
        q : array_like of shape (n,), mapping of str to array_like, or mujoco.MjData
            The values of all joints; or those of some by name, the others staying as they are; or the state of a
            simulation, mocap bodies included. Angles are in radians. Joint limits are not looked at.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from collision.importers import load_model
        >>> bone = '<geom name="{}" type="capsule" fromto="0 0 0 1 0 0" size=".1"/>'.format
        >>> lower = f'<body pos="1 0 0"><joint name="elbow" axis="0 0 1"/>{bone("lower")}</body>'
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "arm.xml")
        ...     _ = file.write_text(f"<mujoco><worldbody>{bone('upper')}{lower}</worldbody></mujoco>")
        ...     arm = load_model(file)
        >>> arm.scene["lower"].bounds().upper.round(6)
        array([2.1, 0.1, 0.1])
        >>> arm.at({"elbow": np.pi / 2}).scene["lower"].bounds().upper.round(6)
        array([1.1, 1.1, 0.1])
        """
        return self._at(q)

    def _at(self, q: JointValues, *, anew: bool = False) -> Model:
        """Return the model in another pose; links that it leaves where they are keep their shapes, unless all go anew.

        Only a model that is being made goes anew: its shapes are in the frames of their links.
        """
        model = self
        given: Any = q
        if hasattr(given, "mocap_pos"):
            model, given = self._following(given), given.qpos
        values = model._read(given)
        pose = np.array(model.q)
        for name, value in values.items():
            if value.ndim != 1:  # many poses
                label, size = "q", len(pose)
                if isinstance(given, Mapping):
                    label, size, given = f"q of joint {name!r}", value.shape[-1], given[name]
                raise ValueError(f"{label} must be {_numbers(size)}, got shape {np.shape(given)}")
            pose[model.joints[name].values] = value
        pose.flags.writeable = False
        places = model._places({name: value[None] for name, value in values.items()})
        moved = model.links.keys() if anew or model is not self else model._moved(pose)
        shapes: dict[str, Shape] = {}
        for link, own in model.links.items():
            if link not in moved:
                shapes.update((name, model.scene.shapes[name]) for name in own)
                continue
            try:
                place = Transform(*frame_parts(places[link][0]))
                shapes.update((name, shape.transformed(place)) for name, shape in own.items())
            except ValueError as error:  # numbers add up until they overflow
                raise ValueError(f"the link {link!r} has no place: {error}") from error
        return replace(model, scene=model.scene.replaced(shapes=shapes), q=pose)

    def _moved(self, pose: FloatArray) -> set[str]:
        """Return the links that other values of the joints (n,) move."""
        links = set[str]()
        for joint in self.joints.values():
            own = self.leader(joint.name).values
            if joint.parent in links or not np.array_equal(pose[own], self.q[own]):
                links.add(joint.child)
        return links

    def value(self, joint: str) -> FloatArray:
        """Return the value of a joint in this pose (size,), also of one that follows another.

        Examples
        --------
        >>> elbow = Joint("elbow", "revolute", "upper", "lower")
        >>> wrist = Joint("wrist", "revolute", "lower", "hand", mimic=Mimic("elbow", -0.5))
        >>> arm = Model.of({"upper": {}, "lower": {}, "hand": {}}, [elbow, wrist])
        >>> arm.at({"elbow": 0.8}).value("wrist")
        array([-0.4])
        """
        leader = self.leader(joint)
        return self._followed(self.joints[joint], {leader.name: np.array(self.q[leader.values])})

    def leader(self, joint: str) -> Joint:
        """Return the joint whose value moves a joint: the one that it follows, or else itself.

        Examples
        --------
        >>> left = Joint("left", "prismatic", "hand", "left finger")
        >>> right = Joint("right", "prismatic", "hand", "right finger", mimic=Mimic("left", -1.0))
        >>> Model.of({"hand": {}, "left finger": {}, "right finger": {}}, [left, right]).leader("right").name
        'left'
        """
        found = self.joints[joint]
        while found.mimic is not None:
            found = self.joints[found.mimic.joint]
        return found

    def forward(self, q: JointValues = MappingProxyType({}), links: Iterable[str] | None = None) -> Transform:
        """Return where links are in one pose or in many: a transform with batch axes (..., links).

        Parameters
        ----------
        q : array_like of shape (..., n), or mapping of str to array_like
            The values of all joints; or, by name, those of some, (...) for one with an axis and (..., size) for
            others. Leading axes broadcast. What is not named stays as it is in this pose.
        links : iterable of str, optional
            Which ones, in which order; without it all, in the order of `links`.

        Examples
        --------
        >>> elbow = Joint("elbow", "revolute", "upper", "lower", Transform([1, 0, 0]), [0, 0, 1])
        >>> arm = Model.of({"upper": {}, "lower": {}}, [elbow])
        >>> arm.forward({"elbow": [0, np.pi / 2]}, ["lower"]).apply([1, 0, 0])[:, 0].round(6)
        array([[2., 0., 0.],
               [1., 1., 0.]])
        """
        names = tuple(self.links if links is None else links)
        for name in names:
            if name not in self.links:
                raise ValueError(f"links: {_unknown('link', name, self.links)}")
        values = self._read(q)
        lead = check_broadcast("Model.forward: q", **{name: value.shape[:-1] for name, value in values.items()})
        count = int(np.prod(lead, dtype=np.int64))
        rows = {name: _rows(value, lead, count) for name, value in values.items()}
        frames = np.empty((count, len(names), FRAME))
        for start in range(0, count, _BLOCK):
            part = slice(start, start + _BLOCK)
            places = self._places({name: row if len(row) == 1 else row[part] for name, row in rows.items()})
            for number, name in enumerate(names):
                frames[part, number] = places[name]
        return Transform(*frame_parts(frames.reshape(*lead, len(names), FRAME)))

    @cached_property
    def bodies(self) -> Bodies:
        """The links with shapes that a joint moves as `Bodies`, by their names: for what touches in many poses.

        Examples
        --------
        >>> from collision import Sphere
        >>> turn = Joint("turn", "continuous", "base", "arm", axis=[0, 0, 1])
        >>> arm = Model.of({"base": {"post": Sphere([0, 2, 0], 0.5)}, "arm": {"tip": Sphere([2, 0, 0], 0.5)}}, [turn])
        >>> places = arm.forward({"turn": np.radians([0, 45, 80])}, arm.bodies.names)
        >>> arm.bodies.touching(places.position, places.axes)
        array([False, False,  True])
        """
        resting = self.welds.get(next(iter(self.links), ""))
        moving = {link: own for link, own in self.links.items() if own and self.welds[link] != resting}
        shapes = dict(self.scene.shapes)
        for own in moving.values():
            shapes.update(own)
        return Bodies(self.scene.replaced(shapes=shapes), {link: tuple(own) for link, own in moving.items()})

    @cached_property
    def welds(self) -> Mapping[str, str]:
        """For each link the first of those that fixed joints hold together with it: they never move to each other."""
        return MappingProxyType(_welds(self.links, self.joints.values()))

    def comparing_all_but(self, pairs: Iterable[Iterable[str]]) -> Model:
        """Return the model with a scene that compares all links but those of some pairs.

        Parameters
        ----------
        pairs : iterable of (str, str)
            Names of links.

        Examples
        --------
        >>> from collision import Sphere
        >>> ball, turn = Sphere([0, 0, 0], 1), Joint("turn", "continuous", "base", "arm")
        >>> arm = Model.of({"base": {"post": ball}, "arm": {"tip": ball}}, [turn])
        >>> arm.scene.ignored, arm.comparing_all_but([]).scene.ignored
        ((('post', 'tip'),), ())
        """
        given = {frozenset(pair) for pair in pairs}
        return replace(self, scene=self.scene.replaced(ignored=_ignored(self.links, self.welds, given)))

    def along(self, times: ArrayLike, q: JointValues) -> Scene:
        """Return the scene of a trajectory: its shapes stand as at the first time, and move as the joints do.

        Between two times every joint moves evenly, and the shapes with it, exactly.

        Parameters
        ----------
        times : array_like, shape (m,)
            In ascending order, two or more.
        q : array_like of shape (m, n), or mapping of str to array_like, shape (m,)
            The values at each time, as `forward` takes them.

        Examples
        --------
        >>> from collision import Sphere
        >>> turn = Joint("turn", "continuous", "base", "arm", axis=[0, 0, 1])
        >>> arm = Model.of({"base": {}, "arm": {"tip": Sphere([2, 0, 0], 0.5)}}, [turn])
        >>> arm.along([0, 1], {"turn": [0, np.pi]}).at(0.5)["tip"].center.round(6)
        array([0., 2., 0.])
        """
        when = to_float(times, "times")
        if when.ndim != 1 or len(when) < 2 or not np.all(when[1:] > when[:-1]):
            raise ValueError(f"times must be two or more, in ascending order, got shape {when.shape}")
        values = self._read(q)
        for name, value in values.items():
            if value.shape[:-1] not in ((), when.shape):
                raise ValueError(f"q of joint {name!r} must be one for each of the {len(when)} times, got {len(value)}")
            values[name] = np.broadcast_to(value, (len(when), value.shape[-1]))
        start = self.at(np.concatenate([np.zeros(0), *(value[0] for value in values.values())]))
        return start.scene.replaced(motion=start._motions(when, values))

    def _motions(self, times: FloatArray, values: Mapping[str, FloatArray]) -> list[Motion]:
        """Return what every shape does from where it is in this pose: what its joints do in turn, the last first."""
        places = self._places({name: value[:1] for name, value in values.items()})
        made: dict[str, Motion] = {}
        for joint in self.joints.values():
            given = self._followed(joint, values) if joint.mimic or joint.name in values else np.zeros((len(times), 0))
            if np.all(given == given[0]):
                continue
            turns = joint.kind in ("revolute", "continuous", "planar")
            way = float(np.abs(given[1:, -1] - given[:-1, -1]).sum())
            if turns and not way <= _MOST_TURNED:
                raise ValueError(f"q of joint {joint.name!r} must turn by {_MOST_TURNED:g} rad at most, got {way:g}")
            when, even = _close(times, given) if turns else (times, given)
            frame = Transform(*frame_parts(places[joint.parent][0])) @ joint.origin
            shift, turn = joint._moved(even)
            still = np.broadcast_to(turn, (len(when), 3, 3))
            fixed = shift + turned(turn, joint.anchor)
            offsets = None if joint.kind in ("revolute", "continuous", "ball") else frame.turn(fixed - fixed[0])
            rotations = matrix_product(matrix_product(frame.axes, matrix_product(still, still[0].T)), frame.axes.T)
            kept = None if joint.kind == "prismatic" else rotations
            pivot = frame.apply(np.broadcast_to(fixed, (len(when), 3))[0])
            made[joint.name] = Motion("*", when, offsets, kept, pivot=pivot)
        moving = {joint.child: joint for joint in self.joints.values()}
        found = []
        for link, shapes in self.links.items():
            while link in moving:
                if moving[link].name in made:
                    found += [made[moving[link].name].of(name) for name in shapes]
                link = moving[link].parent
        return found

    def _following(self, data: Any) -> Model:
        """Return the model with its mocap bodies where a simulation has them."""
        if len(data.mocap_pos) != len(self._mocap):
            raise ValueError(f"q is of another model: this one has {len(self._mocap)} mocap bodies, got "
                             f"{len(data.mocap_pos)}")  # fmt: skip
        joints = dict(self.joints)
        for name, position, turn in zip(self._mocap, data.mocap_pos, data.mocap_quat, strict=True):
            joints[name] = replace(joints[name], origin=Transform(position, np.roll(turn, -1)))
        return replace(self, joints=MappingProxyType(joints))

    def _read(self, q: JointValues) -> dict[str, FloatArray]:
        """Return the values (..., size) of every joint that has some of its own."""
        own = {joint.name: joint for joint in self.joints.values() if joint.values.stop > joint.values.start}
        if not isinstance(q, Mapping):
            values = to_float(q, "q")
            if values.shape[-1:] != (len(self.q),):
                raise ValueError(f"q must be {_numbers(len(self.q))}, got shape {values.shape}")
            _finite(values, "q")
            return {name: values[..., joint.values] for name, joint in own.items()}
        found = {name: self.q[joint.values] for name, joint in own.items()}
        for name, value in q.items():
            if name not in self.joints:
                raise ValueError(f"q: {_unknown('joint', name, own)}")
            if name not in own:
                mimic = self.joints[name].mimic
                why = f"follows {mimic.joint!r}, which has a value" if mimic else "is fixed"
                raise ValueError(f"q: the joint {name!r} {why}")
            found[name] = _read_value(value, f"q of joint {name!r}", own[name])
        return found

    def _places(self, values: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
        """Return the frames (m, 12) of every link for values (m, size), where m may be one."""
        places = {next(iter(self.links), ""): frame_numbers(np.zeros((1, 3)), np.eye(3)[None])}
        found = dict(values)
        with np.errstate(over="ignore", invalid="ignore"):  # what is not finite is refused where it is used
            for joint in self.joints.values():
                has_value = joint.mimic is not None or joint.name in values
                value = found[joint.name] = self._followed(joint, found) if has_value else np.zeros((1, 0))
                places[joint.child] = attached(places[joint.parent], *joint._rows(value))
        return places

    def _followed(self, joint: Joint, values: Mapping[str, FloatArray]) -> FloatArray:
        followed = []
        while joint.mimic is not None and joint.name not in values:
            followed.append(joint.mimic)
            joint = self.joints[joint.mimic.joint]
        value = values[joint.name]
        for mimic in reversed(followed):
            value = mimic.multiplier * value + mimic.offset
        return value


def _close(times: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return more times and values (m, size), the last an angle, where a joint turns too far to go the short way."""
    steps = np.maximum(1, np.ceil(np.abs(np.diff(values[:, -1])) / _FARTHEST)).astype(int)
    places = np.concatenate([i + np.arange(n) / n for i, n in enumerate(steps)] + [np.array([len(steps)])])
    index = np.arange(len(times))
    close = np.stack([np.interp(places, index, column) for column in values.T], axis=1)
    return np.interp(places, index, times), close


def _again(
    scene: Scene, links: Any, joints: Any, poses: Any, q: FloatArray, mocap: Any, skipped: Any, notes: Any, visuals: Any
) -> Model:
    """Return a model that was pickled."""
    q.flags.writeable = False
    links = MappingProxyType({link: MappingProxyType(own) for link, own in links.items()})
    poses = MappingProxyType({name: MappingProxyType(values) for name, values in poses.items()})
    return Model(scene, links, MappingProxyType(joints), q, skipped, notes, poses, visuals, mocap)


def _at_zero(joint: Joint) -> FloatArray:
    value = np.zeros(joint.values.stop - joint.values.start)
    if joint.kind in ("ball", "floating"):
        value[-4] = 1.0
    return value


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(str(name), list(known), n=1)
    return f"the model has no {what} named {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")


def _welds(links: Iterable[str], joints: Iterable[Joint]) -> dict[str, str]:
    first = {link: link for link in links}
    for joint in joints:
        if joint.kind == "fixed":
            first[joint.child] = first[joint.parent]
    return first


def _ignored(
    links: Mapping[str, Mapping[str, Shape]],
    welds: Mapping[str, str],
    pairs: Iterable[frozenset[str]],
    joints: Iterable[Joint] = (),
) -> list[tuple[str, str]]:
    """Return the pairs of shapes that a scene ignores: those of a link, and those of some pairs of links.

    Given joints, those of links that never move to each other, and that one joint holds together, as well.
    """
    own = [(link, name) for link, shapes in links.items() for name in shapes]
    row = {link: number for number, link in enumerate(links)}
    near = np.eye(len(row), dtype=bool)
    for pair in pairs:
        if pair <= row.keys():
            at = [row[link] for link in pair]
            near[at[0], at[-1]] = near[at[-1], at[0]] = True
    if joints:
        held = np.eye(len(row), dtype=bool)
        for joint in joints:
            one, other = row[welds[joint.parent]], row[welds[joint.child]]
            held[one, other] = held[other, one] = True
        first = [row[welds[link]] for link in row]
        near |= held[np.ix_(first, first)]
    at = [row[link] for link, _ in own]
    table = ~near[np.ix_(at, at)]
    names = [name for _, name in own]
    nothing = np.zeros(len(own), dtype=bool)
    return ignored_pairs(names, [welds[link] for link, _ in own], table, nothing)


def followed(joints: Mapping[str, Joint], joint: Joint) -> tuple[Joint, float, float]:
    """Return the joint whose value decides that of another one, and value = multiplier * that + offset."""
    multiplier, offset = 1.0, 0.0
    while joint.mimic is not None:
        offset += multiplier * joint.mimic.offset
        multiplier *= joint.mimic.multiplier
        joint = joints[joint.mimic.joint]
    return joint, multiplier, offset


def _passed_limits(joints: Mapping[str, Joint]) -> Iterator[str]:
    """Say which joints follow another one beyond their own limits."""
    for joint in joints.values():
        root, multiplier, offset = followed(joints, joint)
        own, ends = np.array(joint.limits), np.array(root.limits)
        if root is joint or joint.size != 1 or not multiplier or np.isinf(own).all():
            continue
        reached = np.sort(multiplier * ends + offset)
        room = 1e-6 * max(1.0, float(np.abs(own[np.isfinite(own)]).max()))
        if reached[0] < own[0] - room or reached[1] > own[1] + room:
            yield (
                f"the limits of {joint.name!r}, {own[0]:g} to {own[1]:g}, are not looked at: it follows {root.name!r}, "
                f"which takes it from {reached[0]:g} to {reached[1]:g}"
            )


def _tree(links: tuple[str, ...], joints: tuple[Joint, ...]) -> tuple[list[Joint], list[str]]:
    """Return joints behind those that move their parents, with the places of their values, and links likewise."""
    by_name: dict[str, Joint] = {}
    to: dict[str, Joint] = {}
    below: dict[str, list[Joint]] = {link: [] for link in links}
    for joint in joints:
        if joint.name in by_name:
            raise ValueError(f"two joints are named {joint.name!r}")
        for link in (joint.parent, joint.child):
            if link not in below:
                raise ValueError(f"joint {joint.name!r}: {_unknown('link', link, links)}")
        if joint.child in to:
            raise ValueError(
                f"the joints {to[joint.child].name!r} and {joint.name!r} both move the link {joint.child!r}"
            )
        by_name[joint.name] = to[joint.child] = joint
        below[joint.parent].append(joint)
    roots = [link for link in links if link not in to]
    if len(roots) > 1:
        raise ValueError(f"the links are in {len(roots)} parts that no joint connects: one begins with {roots[0]!r}, "
                         f"another with {roots[1]!r}")  # fmt: skip
    ordered: list[Joint] = []
    checked: set[str] = set()
    waiting = [joint for root in roots for joint in reversed(below[root])]
    count = 0
    while waiting:
        joint = waiting.pop()
        _check_mimic(joint, by_name, checked)
        size = 0 if joint.mimic else joint.size
        ordered.append(replace(joint, values=slice(count, count + size)))
        count += size
        waiting += reversed(below[joint.child])
    if len(ordered) < len(joints):
        reached = {joint.child for joint in ordered}
        lost = next(joint for joint in joints if joint.child not in reached)
        circle = f"the joints go in a circle: {lost.child!r} hangs on itself by {lost.name!r}"
        raise JointError(lost.name, circle)
    return ordered, [*roots, *(joint.child for joint in ordered)]


def _check_mimic(joint: Joint, joints: Mapping[str, Joint], checked: set[str]) -> None:
    """Refuse what a joint cannot follow; those that were checked are not looked at again."""
    seen, at = {joint.name}, joint
    while at.mimic is not None and at.name not in checked:
        if at.mimic.joint not in joints:
            raise ValueError(f"joint {at.name!r} follows another: {_unknown('joint', at.mimic.joint, joints)}")
        followed = joints[at.mimic.joint]
        if followed.name in seen:
            raise JointError(joint.name, f"joint {joint.name!r} follows itself")
        if (followed.size, at.size) != (1, 1):
            both = "both must turn about an axis or move along one"
            raise JointError(at.name, f"joint {at.name!r} follows {followed.name!r}: {both}")
        seen.add(followed.name)
        at = followed
    checked |= seen
