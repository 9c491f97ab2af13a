"""Transforms: translate · rotate · scale."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import (
    ArrayLike,
    BoolArray,
    FloatArray,
    check_broadcast,
    first_bad,
    read_vector,
    refuse,
    to_float,
    turned,
)
from collision.kernels.frames import ALLOWED
from collision.shapes.rotations import (
    KnownQuaternions,
    matrix_product,
    pose_factors,
    quaternions_of,
    read_rotation,
    rotation_between,
    turned_about,
)
from collision.shapes.values import Batched

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation


_LAST_ROW = np.array([0.0, 0.0, 0.0, 1.0])  # of a matrix (4, 4) that moves points

#: How far the columns of a product of transforms may be off by rounding alone, where scales differ a millionfold.
_ROUNDED = 1e-9


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Transform(Batched):
    """A place in the world: scale first, then rotate, then translate.

    Parameters
    ----------
    position : array_like, shape (..., 3)
        The translation.
    rotation : Rotation or array_like, shape (..., 4) or (..., 3, 3)
        A SciPy rotation, quaternions in (x, y, z, w) order, which need not be of unit length, or rotation matrices. Of
        matrices that are a little off (as float32 or with six digits) the nearest rotations are taken; the products of
        their columns may be off by 1e-5. A pose (3 x 4 or 4 x 4) is for `from_matrix`.
    scale : array_like, shape (...) or (..., 3)
        One factor, or one for each axis; negative factors mirror, zero flattens. An array whose last axis has length
        three is read as factors for the axes.

    Notes
    -----
    ``a @ b`` is the transform that does `b` first and then `a`, and `inverse` the one that goes back. A batch has a
    length and elements, ``t[3]``, as an array has along its batch axes.

    A `ValueError` is raised if a number is not finite, an array has the wrong width, batch axes do not broadcast, or a
    rotation is none: also where it may be a pose as well as three or four quaternions, which SciPy's
    ``Rotation.from_quat`` tells apart. What is computed is right to rounding: a few units in the last place of the
    largest term.

    Examples
    --------
    >>> quarter = [0, 0, 1, 1]
    >>> (Transform([1, 0, 0]) @ Transform(rotation=quarter)).apply([2, 0, 0]).round(12)
    array([1., 2., 0.])
    """

    _cores: ClassVar = {"position": (3,), "axes": (3, 3), "scale": (3,)}
    position: FloatArray
    axes: FloatArray
    scale: FloatArray

    def __init__(
        self,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: Rotation | ArrayLike | KnownQuaternions | None = None,
        scale: ArrayLike = 1.0,
    ) -> None:
        translation = read_vector(position, "Transform.position")
        axes = np.eye(3) if rotation is None else read_rotation(rotation, "Transform.rotation")
        factors = to_float(scale, "Transform.scale")
        if factors.shape[-1:] != (3,):
            factors = np.repeat(factors[..., None], 3, axis=-1)
        factors = read_vector(factors, "Transform.scale")
        leads = {"position": translation.shape[:-1], "rotation": axes.shape[:-2], "scale": factors.shape[:-1]}
        for value in (translation, axes, factors):
            value.flags.writeable = False
        batch_shape = check_broadcast("Transform", **leads)
        self.__dict__.update(position=translation, axes=axes, scale=factors, batch_shape=batch_shape)

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> Self:
        """Return the transform of a pose matrix: a translation, a rotation and a scale, to rounding.

        A `ValueError` is raised if the matrix shears, projects or flattens, as it is no such product then.

        Parameters
        ----------
        matrix : array_like, shape (..., 4, 4) or (..., 3, 4)
            For column vectors: the translation is the last column. The last row of four is 0, 0, 0, 1.

        Examples
        --------
        >>> import numpy as np
        >>> Transform.from_matrix(np.diag([2, 2, -2, 1])).scale
        array([ 2.,  2., -2.])
        """
        m = to_float(matrix, "Transform.from_matrix: matrix")
        if m.shape[-2:] not in ((4, 4), (3, 4)):
            raise ValueError(f"Transform.from_matrix: matrix must be (..., 4, 4) or (..., 3, 4), got shape {m.shape}")
        label = "Transform.from_matrix"
        refuse(~np.isfinite(m).all(axis=(-1, -2)), m, f"{label}: the matrix must be finite")
        last = m[..., -1, :] if m.shape[-2] == 4 else _LAST_ROW
        refuse(np.any(last != _LAST_ROW, axis=-1), last, f"{label}: the last row must be 0, 0, 0, 1")
        return cls(*pose_factors(m, label, "the matrix shears: its columns are not at right angles", ALLOWED))

    @property
    def rotation(self) -> Rotation:
        """The rotation as SciPy's own type, for which SciPy has to be installed."""
        try:
            from scipy.spatial.transform import Rotation
        except ModuleNotFoundError as error:
            text = "Transform.rotation is SciPy's own type: pip install scipy; Transform.axes is there without it"
            raise ModuleNotFoundError(text, name=error.name) from error
        return Rotation.from_matrix(self.axes.copy())

    @cached_property
    def matrix(self) -> FloatArray:
        """The (..., 4, 4) matrix, for column vectors; read-only."""
        matrix = affine(self.axes * self.scale[..., None, :], self.position)
        matrix.flags.writeable = False
        return matrix

    def inverse_matrix(self) -> FloatArray:
        """Return the inverse (..., 4, 4) of `matrix`, also where `inverse` has none, as where it would shear.

        A `ValueError` is raised for a scale of zero.

        Examples
        --------
        >>> Transform([6, 0, 0], scale=[2, 1, 1]).inverse_matrix() @ [8, 0, 0, 1]
        array([1., 0., 0., 1.])
        """
        flat = np.any(self.scale == 0.0, axis=-1)
        if np.any(flat):
            raise ValueError(f"a transform with zero scale has no inverse, got scale {first_bad(flat, self.scale)}")
        with np.errstate(over="ignore", invalid="ignore"):  # a scale that is all but zero
            linear = np.swapaxes(self.axes, -1, -2) / self.scale[..., :, None]
            return affine(linear, -turned(linear, self.position))

    def inverse(self) -> Transform:
        """Return the way back, from world to local coordinates: ``t.inverse() @ t`` changes nothing, to rounding.

        A `ValueError` is raised if a scale is zero or all but zero; or if it differs between axes that the rotation
        mixes: then the way back shears, which no Transform can hold, but `inverse_matrix` does.

        Examples
        --------
        >>> quarter = Transform([1, 0, 0], [0, 0, 1, 1], 2)
        >>> quarter.inverse().apply(quarter.apply([5, 6, 7])).round(12)
        array([5., 6., 7.])
        """
        matrix = self.inverse_matrix()
        if np.all(self.uniform):
            with np.errstate(over="ignore"):  # refused by name
                return Transform(matrix[..., :3, 3], np.swapaxes(self.axes, -1, -2), 1.0 / self.scale)
        shears = (
            "the scale differs between axes that the rotation mixes, so the way back shears: no Transform can hold it, "
            "inverse_matrix() does"
        )
        return Transform(*pose_factors(matrix, "Transform.inverse", shears, _ROUNDED))

    def toward(self, end: Transform, fraction: ArrayLike, *, pivot: ArrayLike = (0.0, 0.0, 0.0)) -> Transform:
        """Return the transform at a part of the way to another, the way that `collision.sweep` takes.

        Parameters
        ----------
        end : Transform
            Of the same scale.
        fraction : array_like, shape (...)
            0 for this one, 1 for the end.
        pivot : array_like, shape (..., 3)
            The point in local coordinates that goes straight; the turn is even, about one axis through there, the short
            way round. What is half a turn goes about that one of two opposite axes whose largest component is positive.

        Examples
        --------
        >>> start, end = Transform(), Transform([4, 0, 0], [0, 0, 1, 1])
        >>> start.toward(end, 0.5).apply([1, 0, 0]).round(6)
        array([2.707107, 0.707107, 0.      ])
        """
        part, center = to_float(fraction, "Transform.toward.fraction"), read_vector(pivot, "Transform.toward.pivot")
        if not np.isfinite(part).all():
            raise ValueError("Transform.toward.fraction must be finite")
        check_transform(end, "Transform.toward", start=self.batch_shape, fraction=part.shape, pivot=center.shape[:-1])
        if np.any(self.scale != end.scale):
            raise ValueError("Transform.toward: both transforms must have the same scale")
        axis, angle = rotation_between(self.axes, end.axes)
        axes = turned_about(axis, part * angle, self.axes)
        first, last = self.apply(center), end.apply(center)
        middle = first + part[..., None] * (last - first)
        return Transform(middle - turned(axes, center * self.scale), axes, self.scale)

    def apply(self, points: ArrayLike) -> FloatArray:
        """Return points (..., 3) taken from local to world coordinates.

        Parameters
        ----------
        points : array_like, shape (..., 3)
            One or many.

        Examples
        --------
        >>> Transform([1, 0, 0], scale=2).apply([[0, 0, 0], [3, 0, 0]])
        array([[1., 0., 0.],
               [7., 0., 0.]])
        """
        local = read_vector(points, "Transform.apply.points")
        check_broadcast("Transform.apply", transform=self.batch_shape, points=local.shape[:-1])
        with np.errstate(over="ignore", invalid="ignore"):  # too far for a number
            return turned(self.axes, local * self.scale) + self.position

    def turn(self, vectors: ArrayLike) -> FloatArray:
        """Return vectors (..., 3) rotated, without scale or translation.

        Parameters
        ----------
        vectors : array_like, shape (..., 3)
            One or many.

        Examples
        --------
        >>> Transform([9, 9, 9], [0, 0, 1, 1]).turn([1, 0, 0]).round(12)
        array([0., 1., 0.])
        """
        local = read_vector(vectors, "Transform.turn.vectors")
        check_broadcast("Transform.turn", transform=self.batch_shape, vectors=local.shape[:-1])
        return turned(self.axes, local)

    def __matmul__(self, other: Transform) -> Transform:
        """Compose: ``(a @ b).apply(p) == a.apply(b.apply(p))``, to rounding; a product that shears is refused.

        The right one comes first: ``hall @ table @ cup`` places a cup that stands on a table in a hall.
        """
        if not isinstance(other, Transform):
            hint = "shape.transformed(transform) moves a shape, apply() takes points"
            raise TypeError(f"a Transform is composed with another, got {type(other).__name__}; {hint}")
        check_broadcast("Transform @ Transform", a=self.batch_shape, b=other.batch_shape)
        with np.errstate(over="ignore", invalid="ignore"):  # what becomes infinite is refused by name
            if np.all(self.uniform):
                scale = self.scale * other.scale
                return Transform(self.apply(other.position), matrix_product(self.axes, other.axes), scale)
            matrix = self.matrix @ other.matrix
        shears = (
            "the product shears, since the first has a scale that differs between axes and the second turns: no "
            "Transform can hold it, the matrix a.matrix @ b.matrix can"
        )
        return Transform(*pose_factors(matrix, "Transform @ Transform", shears, _ROUNDED))

    @property
    def uniform(self) -> BoolArray:
        """Whether the three factors are equal, for each element."""
        return np.asarray(np.all(self.scale == self.scale[..., :1], axis=-1))

    def __repr__(self) -> str:
        rotation = quaternions_of(self.axes).round(6).tolist()
        return f"Transform(position={self.position.tolist()}, rotation={rotation}, scale={self.scale.tolist()})"


def affine(linear: FloatArray, position: FloatArray) -> FloatArray:
    """Return matrices (..., 4, 4), for column vectors, of linear parts (..., 3, 3) and translations (..., 3)."""
    matrix = np.zeros((*np.broadcast_shapes(linear.shape[:-2], position.shape[:-1]), 4, 4))
    matrix[..., :3, :3] = linear
    matrix[..., :3, 3] = position
    matrix[..., 3, 3] = 1.0
    return matrix


def check_transform(transform: Transform, label: str, **axes: tuple[int, ...]) -> None:
    """Refuse an object that is no transform, or whose batch axes do not broadcast with the others."""
    if not isinstance(transform, Transform):
        raise TypeError(f"{label} takes a Transform, got {type(transform).__name__}")
    check_broadcast(label, **axes, transform=transform.batch_shape)
