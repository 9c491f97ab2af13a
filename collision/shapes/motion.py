"""Motions: where shapes are at a time, by keyframes, between which they move and turn evenly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import ArrayLike, BoolArray, FloatArray, read_position, to_float
from collision.shapes.rotations import (
    KnownQuaternions,
    matrices_of,
    of_vectors,
    quaternion_product,
    quaternions_of,
    unit_quaternions,
    vectors_between,
)
from collision.shapes.transforms import Transform
from collision.shapes.values import FrozenValue

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

_UPRIGHT = np.array([0.0, 0.0, 0.0, 1.0])


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Motion(FrozenValue):
    """How an entry, an element or several entries move, by keyframes.

    Keyframes say how far from its place in the scene a shape is, and how it is turned from how it stands there; a shape
    without offset and rotation is where the scene has it. Several motions of one shape are carried out in the order
    of the scene, each about its pivot as it is at rest: bend an arm at the elbow first, then at the shoulder.

    Parameters
    ----------
    shape : str
        The name of an entry or of an element, or a pattern in which ``*`` stands for anything.
    times : array_like, shape (n,)
        At least two, in ascending order.
    offsets : array_like, shape (n, 3), optional
        How far away the shape is at each time; without them it only turns.
    rotations : Rotation or array_like, shape (n, 4) or (n, 3, 3), optional
        How the shape is turned: SciPy rotations, quaternions in (x, y, z, w) order, or matrices. From one to the next
        the short way is taken, so that a whole turn needs keyframes between. Without them the shape does not turn.
    pivot : array_like, shape (3,), optional
        The point of the scene at rest that the shape turns about. Without it, every entry that is named turns about
        the middle of its own bounds (a ray or a line about the point that it is given by).

    Notes
    -----
    A `ValueError` is raised if there are neither offsets nor rotations, if times are fewer than two or do not ascend,
    if a field is not finite, has a coordinate larger than 1e72 or does not fit the times; by methods if a number is
    not finite or a shape has no name. Answers are exact at keyframes, and right to rounding between them.

    Examples
    --------
    >>> from collision import Motion, Scene, Sphere
    >>> slide = Motion("ball", times=[0, 2], offsets=[[0, 0, 0], [4, 0, 0]])
    >>> scene = Scene({"ball": Sphere([0, 0, 1], 0.5)}, motion=[slide])
    >>> scene.at(0.5)["ball"].center
    array([1., 0., 1.])
    """

    shape: str
    times: FloatArray
    offsets: FloatArray
    rotations: FloatArray
    pivot: FloatArray | None

    def __init__(
        self,
        shape: str,
        times: ArrayLike,
        offsets: ArrayLike | None = None,
        rotations: Rotation | ArrayLike | KnownQuaternions | None = None,
        *,
        pivot: ArrayLike | None = None,
    ) -> None:
        if not isinstance(shape, str) or not shape:
            raise ValueError(f"Motion.shape must be the name of a shape or a pattern, got {shape!r}")
        attributes = self.__dict__
        attributes["shape"] = shape
        attributes["times"] = _read_times(times)
        if offsets is None and rotations is None:
            raise ValueError("Motion needs offsets or rotations, or both, got neither")
        count = len(attributes["times"])
        attributes["offsets"] = np.zeros((count, 3)) if offsets is None else read_position(offsets, "Motion.offsets")
        attributes["rotations"] = np.tile(_UPRIGHT, (count, 1)) if rotations is None else _read_rotations(rotations)
        attributes["pivot"] = None if pivot is None else read_position(pivot, "Motion.pivot")
        for name, wanted in (("offsets", (count, 3)), ("rotations", (count, 4)), ("pivot", (3,))):
            if attributes[name] is not None and attributes[name].shape != wanted:
                words = "three numbers" if name == "pivot" else f"one for each of the {count} times"
                raise ValueError(f"Motion.{name} must be {words}, shape {wanted}, got shape {attributes[name].shape}")
        for name in ("times", "offsets", "rotations", "pivot"):
            if attributes[name] is not None:
                attributes[name].flags.writeable = False

    def of(self, shape: str) -> Motion:
        """Return the same motion, with the same keyframes, of another shape, or of others.

        Parameters
        ----------
        shape : str
            A name or a pattern.

        Examples
        --------
        >>> from collision import Motion
        >>> Motion("left", times=[0, 1], offsets=[[0, 0, 0], [3, 0, 0]]).of("right").shape
        'right'
        """
        return self._of(shape, *self._parts()[1:])

    @property
    def turns(self) -> bool:
        """Whether any keyframe has a rotation."""
        return bool(np.any(self.rotations != _UPRIGHT) or np.signbit(self.rotations).any())

    def displacement(self, time: ArrayLike, pivot: ArrayLike) -> Transform:
        """Return the transform that takes a shape from its position in the scene to that at a time.

        Rotations go along the shortest arc: Shoemake, "Animating rotation with quaternion curves", SIGGRAPH (1985).

        Parameters
        ----------
        time : array_like, shape (...)
            One time or many; the transform has its axes.
        pivot : array_like, shape (3,)
            What to turn about: the motion's pivot, or the middle of the shape.

        Examples
        --------
        >>> from collision import Motion
        >>> Motion("ball", times=[0, 2], offsets=[[0, 0, 0], [4, 0, 0]]).displacement(0.5, [0, 0, 0]).position
        array([1., 0., 0.])
        """
        when, at = np.asarray(time, dtype=np.float64), np.asarray(pivot, dtype=np.float64)
        offset = np.stack([np.interp(when, self.times, self.offsets[:, k]) for k in range(3)], axis=-1)
        if not self.turns:
            return Transform(offset)
        axes = self._axes(np.atleast_1d(when).ravel()).reshape(*when.shape, 3, 3)
        # A pivot that stays where it is cancels to the last bit where nothing is turned.
        return Transform(offset + (at - axes @ at), axes)

    def steady(self, time: ArrayLike) -> BoolArray:
        """Return whether the rotation stands still at times (...) that are no keyframes, to the last bit.

        Parameters
        ----------
        time : array_like, shape (...)
            One time or many.

        Examples
        --------
        >>> from collision import Motion
        >>> still, turned = [0, 0, 0, 1], [0, 0, 1, 1]
        >>> Motion("door", times=[0, 1, 2], rotations=[still, turned, turned]).steady([0.5, 1.5])
        array([False,  True])
        """
        after = np.searchsorted(self.times, np.asarray(time, dtype=np.float64))
        first, second = (np.clip(after + k, 0, len(self.times) - 1) for k in (-1, 0))
        return np.asarray(np.all(self.rotations[first] == self.rotations[second], axis=-1))

    def _axes(self, times: FloatArray) -> FloatArray:
        """Return matrices (n, 3, 3); at a keyframe those of the keyframe, to the last bit."""
        within = np.clip(times, self.times[0], self.times[-1])
        key = np.searchsorted(self.times, within)
        on_key = self.times[key] == within
        axes = self._key_axes[key]
        if not on_key.all():
            axes[~on_key] = self._between(within[~on_key])
        return axes

    @cached_property
    def _key_axes(self) -> FloatArray:
        return Transform(rotation=KnownQuaternions(self.rotations)).axes

    def _between(self, times: FloatArray) -> FloatArray:
        """Return matrices (n, 3, 3) at times between keyframes."""
        first = np.searchsorted(self.times, times) - 1
        part = (times - self.times[first]) / np.diff(self.times)[first]
        start, vectors = self._arcs
        return matrices_of(quaternion_product(start[first], of_vectors(vectors[first] * part[:, None])))

    @cached_property
    def _arcs(self) -> tuple[FloatArray, FloatArray]:
        """Where each way from a keyframe to the next starts, and its rotation vector."""
        keys = unit_quaternions(self.rotations)
        return keys[:-1], vectors_between(keys[:-1], keys[1:])

    def _parts(self) -> tuple[Any, ...]:
        return self.shape, self.times, self.offsets, self.rotations, self.pivot

    @classmethod
    def _of(cls, shape: str, times: Any, offsets: Any, turns: Any, pivot: Any) -> Self:
        return cls(shape, times, offsets, KnownQuaternions(turns), pivot=pivot)

    def __repr__(self) -> str:
        pivot = "" if self.pivot is None else f", pivot={self.pivot.tolist()}"
        return f"Motion({self.shape!r}, {len(self.times)} keyframes, {self.times[0]:g} to {self.times[-1]:g}{pivot})"


#: The square of the difference of later times may be more than a float can hold.
LATEST = 1e150


def _read_times(times: ArrayLike) -> FloatArray:
    found = to_float(times, "Motion.times")
    if found.ndim != 1 or len(found) < 2 or not np.isfinite(found).all():
        raise ValueError(f"Motion.times must be a list of two or more finite numbers, got {found.tolist()}")
    if np.abs(found).max() > LATEST:
        raise ValueError(f"Motion.times must be within ±{LATEST:g}, got {found[np.abs(found).argmax()]:g}")
    late = np.flatnonzero(found[1:] <= found[:-1])
    if len(late):
        raise ValueError(f"Motion.times must ascend, got {found[late[0] + 1]:g} after {found[late[0]]:g}")
    return found


def _read_rotations(turns: Rotation | ArrayLike | KnownQuaternions) -> FloatArray:
    """Return unit quaternions, those that are of unit length to rounding as they are."""
    as_quat = getattr(turns, "as_quat", None)
    known = turns.values if isinstance(turns, KnownQuaternions) else None if as_quat is None else as_quat()
    found = to_float(cast("ArrayLike", turns) if known is None else known, "Motion.rotations")
    try:
        transform = Transform(rotation=found if known is None else KnownQuaternions(found))  # with its checks
    except ValueError as error:
        raise ValueError(str(error).replace("Transform.rotation", "Motion.rotations")) from None
    if found.shape[-2:] == (3, 3):
        return quaternions_of(transform.axes)
    scaled = found / np.abs(found).max(axis=-1, keepdims=True)
    unit = scaled / np.linalg.norm(scaled, axis=-1, keepdims=True)
    with np.errstate(over="ignore"):  # a length that overflows is not near one
        near = np.abs(np.linalg.norm(found, axis=-1, keepdims=True) - 1.0) <= 4.0 * np.finfo(np.float64).eps
    return np.where(near, found, unit)


def span(motions: tuple[Motion, ...]) -> tuple[float, float] | None:
    """Return the first and the last time of some motions; None where there are none."""
    if not motions:
        return None
    return float(min(m.times[0] for m in motions)), float(max(m.times[-1] for m in motions))
