"""Bodies: shapes of a scene that move together, and what touches in many poses of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import ArrayLike, BoolArray, FloatArray, IntArray, check_out, read_margin
from collision.native import address
from collision.poses.memory import PosedScene, run_poses
from collision.poses.poses import Progress, Rotations, matrices_of, read_poses
from collision.poses.search import DISTANCES, NEAREST, TOUCHING
from collision.scene.elements import with_elements
from collision.scene.name_groups import read_group_names
from collision.scene.scene import Scene, check_scene
from collision.shapes.kinds import AABB, Shape
from collision.shapes.transforms import Transform


class NearestPair(NamedTuple):
    """The smallest signed distance of a pose, and the two elements that have it.

    Attributes
    ----------
    signed_distance : ndarray, shape (...)
        NaN where there is no pair to compare.
    pair : ndarray of int, shape (..., 2)
        Numbers of elements, i < j; -1 where there is no pair.
    """

    signed_distance: FloatArray
    pair: IntArray


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Bodies:
    """Shapes of a scene, grouped into bodies that move rigidly, for questions about many poses at once.

    What is in no body rests. Shapes of one body are never compared with each other, and neither is what rests with what
    rests; pairs that the scene ignores, shapes that it hides and pairs of two half-spaces are left out.

    Parameters
    ----------
    scene : Scene
        The shapes, as they are where no body has been moved or turned.
    bodies : mapping of str to (str or iterable of str), or iterable of str
        The bodies by name, each of names of entries and elements, patterns in which ``*`` stands for anything, and
        names of the scene's groups. Without names of their own, each name is a body.

    Notes
    -----
    A *pose* is a position and a rotation for each body: a shape is turned about the scene's origin and then moved, as
    ``shape.transformed(Transform(position, rotation))`` does. So a shape is best given in the frame of its body. `at`
    is the scene in a pose, and all answers are those of that scene (of `has_contact` and of `signed_distance`) to the
    last bit.

    A `TypeError` is raised if an argument has a wrong type; a `ValueError` if there is no body, a name stands for
    nothing, a shape is in two bodies, an array has another shape, or a number is not finite or out of its range.
    Positions of poses beyond 1e70 may be answered with infinity, NaN or a wrong number.

    Examples
    --------
    >>> from collision import Bodies, Scene, Sphere
    >>> scene = Scene({"arm 1": Sphere([0, 0, 0], 1), "arm 2": Sphere([2, 0, 0], 1), "post": Sphere([0, 5, 0], 1)})
    >>> Bodies(scene, {"arm": "arm *"}).touching([[[0, 0, 0]], [[0, 2.5, 0]], [[0, 4, 0]]])
    array([False, False,  True])
    """

    _given: dict[str, tuple[str, ...]]
    _owner: IntArray
    _scene: Scene

    def __init__(self, scene: Scene, bodies: Mapping[str, str | Iterable[str]] | Iterable[str]) -> None:
        check_scene(scene, "Bodies")
        given = _read_bodies(bodies)
        owner = _owners(scene, given)
        self.__dict__.update(_given=given, _owner=owner, _scene=_turnable(scene, owner))

    @classmethod
    def one_each(cls, scene: Scene, name: str = "*") -> Self:
        """Return every element as a body of its own, in the order of the elements, by their names.

        Parameters
        ----------
        scene, name
            The shapes, and the name, pattern or group of those that move; others rest.

        Examples
        --------
        >>> from collision import Bodies, Scene, Sphere
        >>> world = Scene({"balls": Sphere([[0, 0, 0], [0, 0, 0]], 1)})
        >>> Bodies.one_each(world).touching([[[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [3, 0, 0]]])
        array([ True, False])
        """
        check_scene(scene, "Bodies.one_each")
        if not scene.promised_names.covers(name):
            raise ValueError(f"Bodies.one_each: {scene.promised_names.unknown(name)}")
        return cls(scene, [scene.element_name(number) for number in scene.promised_names.numbers(name).tolist()])

    # -- what there is ----------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        """The scene; in entries with shapes in bodies an `AABB` has become an `OrientedBox`, which can turn."""
        return self._scene

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bodies, in the order in which poses have them."""
        return tuple(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def __repr__(self) -> str:
        resting = int(np.count_nonzero(self._owner < 0))
        return f"Bodies({len(self)} of {len(self._owner) - resting} shapes, {resting} that rest)"

    def __reduce__(self) -> tuple[Any, ...]:
        return Bodies, (self.scene, self._given)

    @cached_property
    def _posed(self) -> PosedScene:
        return PosedScene(self.scene, self._owner, len(self))

    @property
    def pairs(self) -> IntArray:
        """The pairs of elements that are compared, (k, 2), i < j, in lexicographic order: those of `distances`."""
        posed = self._posed
        return np.sort(posed.elements[posed.pairs], axis=1)

    def at(self, positions: ArrayLike, rotations: Rotations = None) -> Scene:
        """Return the scene in one pose: bodies are transformed, to rounding; what rests is as it was, to the last bit.

        Parameters
        ----------
        positions, rotations
            As for `touching`, without leading axes.

        Examples
        --------
        >>> from collision import Bodies, Scene, Sphere
        >>> scene = Scene({"ball": Sphere([1, 0, 0], 1), "post": Sphere([0, 5, 0], 1)})
        >>> Bodies(scene, ["ball"]).at([[0, 1, 0]])["ball"]
        Sphere(center=[1.0, 1.0, 0.0], radius=1.0)
        """
        poses = read_poses(positions, rotations, len(self), "Bodies.at")
        if poses.lead:
            raise ValueError(f"Bodies.at takes a single pose, got leading axes {poses.lead}")
        turns = np.broadcast_to(np.eye(3), (len(self), 3, 3))
        if poses.rotations is not None:
            turns = matrices_of(poses.rotations, "Bodies.at")
        shapes = dict(self.scene.shapes)
        for name, shape in shapes.items():
            numbers = self.scene.element_numbers(name)
            shapes[name] = _in_pose(shape, self._owner[numbers.start : numbers.stop], poses.positions, turns)
        return self.scene.replaced(shapes=shapes)

    # -- questions ---------------------------------------------------------------------------------------------------

    def touching(
        self,
        positions: ArrayLike,
        rotations: Rotations = None,
        *,
        margin: float = 0.0,
        out: BoolArray | None = None,
        progress: Progress | None = None,
    ) -> BoolArray:
        """Tell of each pose (...) whether any two shapes touch, or are no more than a margin apart.

        Parameters
        ----------
        positions : array_like, shape (..., bodies, 3)
            The position of each body.
        rotations : Rotation or array_like, shape (..., bodies, 4) or (..., bodies, 3, 3), optional
            Quaternions in (x, y, z, w) order, which need not be of unit length, or rotation matrices; where the last
            two axes are 3 and 3 they are matrices. Without them nothing is turned. Leading axes broadcast.
        margin : float
            Zero or more, in scene units.
        out : ndarray of bool, shape (...), optional
            Where the answer goes; it is what is returned then.
        progress : callable, optional
            Called now and then with the number of poses that are done, and that of all.

        Examples
        --------
        >>> from collision import Bodies, Scene, Sphere
        >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "post": Sphere([0, 5, 0], 1)})
        >>> Bodies(scene, ["ball"]).touching([[[0, 2, 0]], [[0, 3, 0]], [[0, 4, 0]]])
        array([False,  True,  True])
        """
        poses = read_poses(positions, rotations, len(self), "Bodies.touching")
        given = (read_margin(margin, "Bodies.touching"),)
        found = np.empty(poses.lead, dtype=np.bool_) if out is None else out
        check_out(found, poses.lead, np.bool_, "Bodies.touching: out")
        run_poses(TOUCHING, self._posed, poses, "Bodies.touching", progress, given, [found])
        return found

    def nearest_pair(
        self,
        positions: ArrayLike,
        rotations: Rotations = None,
        *,
        out: NearestPair | None = None,
        progress: Progress | None = None,
    ) -> NearestPair:
        """Return for each pose the smallest signed distance of all pairs, and the pair that has it, as a `NearestPair`.

        Of pairs that are equally far apart it is the first in lexicographic order.

        Parameters
        ----------
        positions, rotations, out, progress
            As for `touching`; `out` is a `NearestPair`.

        Examples
        --------
        >>> from collision import Bodies, Scene, Sphere
        >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "post": Sphere([0, 5, 0], 1)})
        >>> Bodies(scene, ["ball"]).nearest_pair([[[0, 2, 0]], [[0, 4, 0]]]).signed_distance
        array([ 1., -1.])
        """
        poses = read_poses(positions, rotations, len(self), "Bodies.nearest_pair")
        if out is not None and not isinstance(out, NearestPair):
            raise TypeError(f"Bodies.nearest_pair: out must be a NearestPair, got {type(out).__name__}")
        empty = np.empty(poses.lead), np.empty((*poses.lead, 2), dtype=np.int64)
        found = NearestPair(*empty) if out is None else out
        check_out(found.signed_distance, poses.lead, np.float64, "Bodies.nearest_pair: out.signed_distance")
        check_out(found.pair, (*poses.lead, 2), np.int64, "Bodies.nearest_pair: out.pair")
        run_poses(NEAREST, self._posed, poses, "Bodies.nearest_pair", progress, (), found)
        return found

    def distances(
        self,
        positions: ArrayLike,
        rotations: Rotations = None,
        *,
        out: FloatArray | None = None,
        progress: Progress | None = None,
    ) -> FloatArray:
        """Return for each pose the signed distances (..., pairs) of all that are compared, in the order of `pairs`.

        Parameters
        ----------
        positions, rotations, out, progress
            As for `touching`.

        Examples
        --------
        >>> from collision import Bodies, Scene, Sphere
        >>> scene = Scene({"ball": Sphere([0, 0, 0], 1), "posts": Sphere([[0, 5, 0], [0, -5, 0]], 1)})
        >>> Bodies(scene, ["ball"]).distances([[[0, 1, 0]], [[0, 2, 0]]])
        array([[2., 4.],
               [1., 5.]])
        """
        poses = read_poses(positions, rotations, len(self), "Bodies.distances")
        pairs = self._posed.pairs
        form = (*poses.lead, len(pairs))
        found = np.empty(form) if out is None else out
        check_out(found, form, np.float64, "Bodies.distances: out")
        given = len(pairs), address(pairs)
        run_poses(DISTANCES, self._posed, poses, "Bodies.distances", progress, given, [found])
        return found


# -- which shapes are in which body ------------------------------------------------------------------------------------


def _read_bodies(bodies: object) -> dict[str, tuple[str, ...]]:
    """Return bodies by name, each with the names of what is in it."""
    if isinstance(bodies, str) or not isinstance(bodies, Iterable):
        raise TypeError(f"Bodies: bodies must be a mapping of names, or a list of them, got {bodies!r}")
    if isinstance(bodies, Mapping):
        found = {name: read_group_names(names, f"Bodies: body {name!r}") for name, names in bodies.items()}
    else:
        listed = read_group_names(bodies, "Bodies: bodies")
        found = {name: (name,) for name in listed}
        if len(found) < len(listed):
            twice = next(name for name in listed if listed.count(name) > 1)
            raise ValueError(f"Bodies: {twice!r} is given twice")
    if not found:
        raise ValueError("Bodies: there must be at least one body, got none")
    return found


def _owners(scene: Scene, bodies: Mapping[str, tuple[str, ...]]) -> IntArray:
    """Return the body of each element, -1 for none."""
    known, listed = scene.promised_names, list(bodies)
    owner = np.full(scene.element_count, -1, dtype=np.int64)
    for body, names in enumerate(bodies.values()):
        for name in names:
            if not known.covers(name):
                raise ValueError(f"Bodies: body {listed[body]!r}: {known.unknown(name)}")
            numbers = known.numbers(name)
            other = numbers[(owner[numbers] >= 0) & (owner[numbers] != body)]
            if len(other):
                shape = scene.element_name(int(other[0]))
                raise ValueError(f"Bodies: {shape!r} is in {listed[owner[other[0]]]!r} and in {listed[body]!r}")
            owner[numbers] = body
    return owner


def _turnable(scene: Scene, owner: IntArray) -> Scene:
    """Return the scene with boxes along the axes turned into such as can turn, in entries with shapes in bodies."""
    changed = {}
    for name, shape in scene.shapes.items():
        numbers = scene.element_numbers(name)
        if isinstance(shape, AABB) and np.any(owner[numbers.start : numbers.stop] >= 0):
            changed[name] = shape.oriented()
    return scene.replaced(shapes={**scene.shapes, **changed}) if changed else scene


def _in_pose(shape: Shape, owner: IntArray, positions: FloatArray, turns: FloatArray) -> Shape:
    """Return an entry in a pose; elements whose owner is -1 rest, and stay as they are to the last bit."""
    moved = np.flatnonzero(owner >= 0)
    if not len(moved):
        return shape
    there = shape.flattened()[moved].transformed(Transform(positions[owner[moved]], turns[owner[moved]]))
    if not shape.batch_shape:
        return there[0]
    if len(moved) == len(owner):
        return there[moved.reshape(shape.batch_shape)]
    indices = zip(*(axis.tolist() for axis in np.unravel_index(moved, shape.batch_shape)), strict=True)
    return with_elements(shape, dict(zip(indices, there, strict=True)))
