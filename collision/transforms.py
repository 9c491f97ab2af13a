"""Transforms: translate · rotate · scale, and what each kind of shape becomes under one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from collision.fields import (
    ROTATION,
    ArrayLike,
    BoolArray,
    Field,
    FloatArray,
    check_broadcast,
    first_bad,
    read_vector,
    to_bytes,
    to_float,
    turned,
)
from collision.shape import Shape
from collision.shapes import AABB, Capsule, Line, OrientedBox, Point, Ray, Segment, Sphere

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Transform:
    """A place in the world: scale first, then rotate, then translate.

    Parameters
    ----------
    position : array_like, shape (..., 3)
        The translation.
    rotation : Rotation or array_like, shape (..., 4) or (..., 3, 3)
        A SciPy rotation, quaternions in (x, y, z, w) order, which need not be of unit length, or rotation matrices.
    scale : array_like, shape (...) or (..., 3)
        One factor, or one for each axis; negative factors mirror, zero flattens. An array whose last axis has length
        three is read as factors for the axes.

    Raises
    ------
    ValueError
        If a field is not finite, has the wrong width, or rotation is no rotation.

    Examples
    --------
    >>> quarter = [0, 0, 1, 1]
    >>> Transform([1, 0, 0], quarter).apply([2, 0, 0]).round(12)
    array([1., 2., 0.])
    """

    position: FloatArray
    axes: FloatArray
    scale: FloatArray

    def __init__(
        self,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: Rotation | ArrayLike | None = None,
        scale: ArrayLike = 1.0,
    ) -> None:
        own = self.__dict__
        own["position"] = read_vector(position, "Transform.position")
        own["axes"] = np.eye(3) if rotation is None else _read_rotation(rotation)
        factors = to_float(scale, "Transform.scale")
        if factors.shape[-1:] != (3,):
            factors = np.repeat(factors[..., None], 3, axis=-1)
        own["scale"] = read_vector(factors, "Transform.scale")
        check_broadcast("Transform", **self._leads())
        for value in own.values():
            value.flags.writeable = False

    def _leads(self) -> dict[str, tuple[int, ...]]:
        return {
            "position": self.position.shape[:-1],
            "rotation": self.axes.shape[:-2],
            "scale": self.scale.shape[:-1],
        }

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """The batch axes; empty for a single transform."""
        return np.broadcast_shapes(*self._leads().values())

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Self:
        """Return the transform of a (..., 4, 4) matrix that is a translation, a rotation and a scale.

        Parameters
        ----------
        matrix : array_like, shape (..., 4, 4)
            Column vectors; the last row is 0, 0, 0, 1.

        Raises
        ------
        ValueError
            If the matrix shears, projects or flattens: then it is no such product, or its rotation is not known.

        Examples
        --------
        >>> import numpy as np
        >>> Transform.from_matrix(np.diag([2, 2, -2, 1])).scale
        array([ 2.,  2., -2.])
        """
        m = to_float(matrix, "Transform.from_matrix: matrix")
        if m.shape[-2:] != (4, 4):
            raise ValueError(f"Transform.from_matrix: matrix must be (..., 4, 4), got shape {m.shape}")
        _refuse_matrices(np.asarray(~np.isfinite(m).all(axis=(-1, -2))), m, "the matrix must be finite")
        last = m[..., 3, :]
        _refuse_matrices(np.any(last != (0.0, 0.0, 0.0, 1.0), axis=-1), last, "the last row must be 0, 0, 0, 1")
        columns = m[..., :3, :3]
        largest = np.abs(columns).max(axis=-2)  # taken out first, so that no square over- or underflows
        flat = np.any(largest == 0.0, axis=-1)
        _refuse_matrices(flat, m, "the matrix flattens an axis, so its rotation is not known")
        factors = largest * np.linalg.norm(columns / largest[..., None, :], axis=-2)
        mirrored = np.linalg.det(columns / factors[..., None, :]) < 0.0
        factors[..., 2] = np.where(mirrored, -factors[..., 2], factors[..., 2])
        axes = columns / factors[..., None, :]
        _refuse_matrices(ROTATION.bad(axes), m, "the matrix shears: its columns are not at right angles")
        return cls(m[..., :3, 3], axes, factors)

    @property
    def rotation(self) -> Rotation:
        """The rotation as SciPy's own type."""
        return _rotations().from_matrix(self.axes)

    @cached_property
    def matrix(self) -> FloatArray:
        """The (..., 4, 4) matrix, for column vectors; read-only."""
        linear = self.axes * self.scale[..., None, :]
        batch = np.broadcast_shapes(self.position.shape[:-1], linear.shape[:-2])
        matrix = np.zeros((*batch, 4, 4))
        matrix[..., :3, :3] = linear
        matrix[..., :3, 3] = self.position
        matrix[..., 3, 3] = 1.0
        matrix.flags.writeable = False
        return matrix

    def inverse_matrix(self) -> FloatArray:
        """Return the inverse of `matrix`.

        It is a matrix and no `Transform`: the inverse of a non-uniform scale after a rotation shears.

        Raises
        ------
        ValueError
            If a scale is zero, which has no inverse.
        """
        flat = np.any(self.scale == 0.0, axis=-1)
        if np.any(flat):
            raise ValueError(f"a transform with zero scale has no inverse, got scale {first_bad(flat, self.scale)}")
        linear = np.swapaxes(self.axes, -1, -2) / self.scale[..., :, None]
        batch = np.broadcast_shapes(self.position.shape[:-1], linear.shape[:-2])
        matrix = np.zeros((*batch, 4, 4))
        matrix[..., :3, :3] = linear
        matrix[..., :3, 3] = -turned(linear, self.position)
        matrix[..., 3, 3] = 1.0
        return matrix

    def apply(self, points: ArrayLike) -> FloatArray:
        """Take points from local to world coordinates, (..., 3) → (..., 3).

        Raises
        ------
        ValueError
            If a point is not finite or not (..., 3), or batch axes do not broadcast.
        """
        local = read_vector(points, "Transform.apply.points")
        check_broadcast("Transform.apply", transform=self.batch_shape, points=local.shape[:-1])
        return turned(self.axes, local * self.scale) + self.position

    def turn(self, vectors: ArrayLike) -> FloatArray:
        """Rotate vectors, (..., 3) → (..., 3), without scale or translation. Errors are those of `apply`."""
        local = read_vector(vectors, "Transform.turn.vectors")
        check_broadcast("Transform.turn", transform=self.batch_shape, vectors=local.shape[:-1])
        return turned(self.axes, local)

    def __matmul__(self, other: Transform) -> Transform:
        """Compose: ``(a @ b).apply(p) == a.apply(b.apply(p))``.

        Raises
        ------
        ValueError
            If the product shears (a non-uniform scale over a rotation), which no Transform can hold, or batch axes do
            not broadcast.
        """
        if not isinstance(other, Transform):
            raise TypeError(f"a Transform is composed with another, got {type(other).__name__}; apply() takes points")
        check_broadcast("Transform @ Transform", a=self.batch_shape, b=other.batch_shape)
        if not np.all(self.uniform):
            return Transform.from_matrix(self.matrix @ other.matrix)
        axes = _product(self.axes, other.axes)
        return Transform(self.apply(other.position), axes, self.scale * other.scale)

    @property
    def uniform(self) -> BoolArray:
        """Whether the three factors are equal, for each element."""
        return np.asarray(np.all(self.scale == self.scale[..., :1], axis=-1))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Transform):
            return NotImplemented
        return all(np.array_equal(self.__dict__[k], other.__dict__[k]) for k in ("position", "axes", "scale"))

    def __hash__(self) -> int:
        return hash((to_bytes(self.position), to_bytes(self.axes), to_bytes(self.scale)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Transform, (self.position, self.axes, self.scale)

    def __repr__(self) -> str:
        quaternions = _rotations().from_matrix(self.axes.reshape(-1, 3, 3)).as_quat().round(6)
        rotation = quaternions.reshape(*self.axes.shape[:-2], 4).tolist()
        return f"Transform(position={self.position.tolist()}, rotation={rotation}, scale={self.scale.tolist()})"


def _refuse_matrices(bad: BoolArray, values: FloatArray, words: str) -> None:
    if np.any(bad):
        raise ValueError(f"Transform.from_matrix: {words}, got {first_bad(bad, values)}")


def _rotations() -> type[Rotation]:
    """Return SciPy's rotations, imported when first needed: they take longer to import than all the rest."""
    from scipy.spatial.transform import Rotation

    return Rotation


def _read_rotation(rotation: Rotation | ArrayLike) -> FloatArray:
    as_matrix = getattr(rotation, "as_matrix", None)
    if as_matrix is not None:
        return np.array(as_matrix(), dtype=np.float64)
    array = to_float(cast("ArrayLike", rotation), "Transform.rotation")
    if array.shape[-2:] == (3, 3):
        field = Field(3, 3, rule=ROTATION)
        field.name = "rotation"
        return field.read("Transform", array)
    if array.shape[-1:] != (4,):
        raise ValueError(
            f"Transform.rotation must be quaternions (..., 4) or matrices (..., 3, 3), got shape {array.shape}"
        )
    bad = ~np.isfinite(array).all(axis=-1) | np.all(array == 0.0, axis=-1)
    if np.any(bad):
        raise ValueError(f"Transform.rotation must be finite and not the zero quaternion, got {first_bad(bad, array)}")
    array = array / np.abs(array).max(axis=-1, keepdims=True)
    matrices = _rotations().from_quat(array.reshape(-1, 4)).as_matrix()
    return np.asarray(matrices, dtype=np.float64).reshape(*array.shape[:-1], 3, 3)


def _product(a: FloatArray, b: FloatArray) -> FloatArray:
    """Multiply matrices (..., 3, 3); a batch rounds as each of its elements alone does."""
    return np.stack([turned(a, b[..., k]) for k in range(3)], axis=-1)


def check_transform(transform: Transform, label: str, **axes: tuple[int, ...]) -> None:
    """Refuse what is no transform, or has batch axes that do not broadcast with those of what is named."""
    if not isinstance(transform, Transform):
        raise TypeError(f"{label} takes a Transform, got {type(transform).__name__}")
    check_broadcast(label, **axes, transform=transform.batch_shape)


def transform_shape(shape: Shape, transform: Transform) -> Shape:
    """Return the shape under the transform; see `Shape.transformed` for the rules."""
    check_transform(transform, f"{type(shape).__name__}.transformed", shape=shape.batch_shape)
    with np.errstate(over="ignore", invalid="ignore"):  # what becomes infinite is refused by name
        return _RULES[type(shape)](shape, transform)


def _same_size(transform: Transform) -> BoolArray:
    """Tell of each element whether all lengths follow one factor; mirrors may differ."""
    size = np.abs(transform.scale)
    return np.asarray(np.all(size == size[..., :1], axis=-1))


def _one_factor(shape: Shape, transform: Transform, hint: str) -> FloatArray:
    uneven = ~_same_size(transform)
    if np.any(uneven):
        raise ValueError(
            f"a {type(shape).__name__} cannot follow a scale that differs between axes, "
            f"got {first_bad(uneven, transform.scale)}; {hint}"
        )
    return np.abs(transform.scale[..., 0])


def _placed(points: FloatArray, t: Transform) -> FloatArray:
    """Return points that are known to be right under a transform that they broadcast with."""
    return turned(t.axes, points * t.scale) + t.position


def _sphere(s: Sphere, t: Transform) -> Shape:
    factor = _one_factor(s, t, "it would become an ellipsoid")
    return Sphere(_placed(s.center, t), s.radius * factor)


def _capsule(s: Capsule, t: Transform) -> Shape:
    factor = _one_factor(s, t, "given by axis and height, as a CapsuleCollider, it would")
    return Capsule(_placed(s.start, t), _placed(s.end, t), s.radius * factor)


def _aabb(s: AABB, t: Transform) -> Shape:
    linear = t.axes * t.scale[..., None, :]
    reach = turned(np.abs(linear), s.half_extents)
    middle = _placed(s.center, t)
    unrotated = np.all(t.axes == np.eye(3), axis=(-1, -2))[..., None]
    ends = _placed(s.lower, t), _placed(s.upper, t)  # to the last bit where nothing turns
    lower = np.where(unrotated, np.minimum(*ends), middle - reach)
    return AABB(lower, np.where(unrotated, np.maximum(*ends), middle + reach))


def _oriented_box(s: OrientedBox, t: Transform) -> Shape:
    # The columns of the scaled frame must stay at right angles; then their lengths are the factors of the extents.
    one_size = _same_size(t)
    along_axes = np.count_nonzero(np.abs(s.axes) > 1e-12, axis=-2).max(axis=-1) == 1
    sheared = ~(one_size | along_axes)
    if np.any(sheared):
        scales = np.broadcast_to(t.scale, (*sheared.shape, 3))
        raise ValueError(
            "an OrientedBox cannot follow a scale that differs between axes unless its own axes lie along them: "
            f"it would shear, got {first_bad(sheared, scales)}"
        )
    stretched = np.linalg.norm(t.scale[..., :, None] * s.axes, axis=-2)
    factors = np.where(one_size[..., None], np.abs(t.scale[..., :1]), stretched)  # to the last bit where it can be
    signs = np.where(t.scale < 0.0, -1.0, 1.0)
    mirrored = signs[..., :, None] * s.axes
    # A mirror makes the frame left-handed. A box is its own mirror image along its axes: turn the last one around.
    mirrored[..., 2] *= np.prod(signs, axis=-1)[..., None]
    return OrientedBox(_placed(s.center, t), _product(t.axes, mirrored), s.half_extents * factors)


def _direction(s: Ray | Line, t: Transform) -> FloatArray:
    direction = turned(t.axes, s.direction * t.scale)
    lost = np.all(direction == 0.0, axis=-1)
    if np.any(lost):
        scales = np.broadcast_to(t.scale, (*lost.shape, 3))
        raise ValueError(
            f"a {type(s).__name__} along an axis of zero scale has no direction left, got {first_bad(lost, scales)}"
        )
    return direction


_RULES: dict[type[Shape], Callable[[Any, Transform], Shape]] = {
    Point: lambda s, t: Point(_placed(s.position, t)),
    Segment: lambda s, t: Segment(_placed(s.start, t), _placed(s.end, t)),
    Ray: lambda s, t: Ray(_placed(s.origin, t), _direction(s, t)),
    Line: lambda s, t: Line(_placed(s.point, t), _direction(s, t)),
    Sphere: _sphere,
    Capsule: _capsule,
    AABB: _aabb,
    OrientedBox: _oriented_box,
}
