"""Capsules as game engines give them, and the test of a sphere in a capsule's own space.

Fields and defaults are those of Unity's component, in the local space of an object. *Capsule space* has the capsule's
center at its origin and its axis along z. The well-known test, modelled by `CapsuleCollider.sphere_test`, compares
there, and is right for objects of unit scale alone, as the sphere's radius is not taken along; and where the height is
less than two radii the cap centers change places. `CapsuleCollider.in_world` is right for every scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from collision.base.fields import (
    SIZE,
    ArrayLike,
    BoolArray,
    FloatArray,
    check_broadcast,
    read_vector,
    turned,
)
from collision.kernels.cores import TOUCH
from collision.shapes.kinds import Capsule, Sphere
from collision.shapes.transforms import Transform, affine, check_transform
from collision.shapes.values import FrozenValue

Axis = Literal["x", "y", "z"]


class SphereTest(NamedTuple):
    """All values of the test of a sphere in capsule space.

    Attributes
    ----------
    center : ndarray, shape (..., 3)
        The sphere's center in capsule space.
    near_rate, clamped_rate : ndarray, shape (...)
        Where the foot of the perpendicular from it lies between the cap centers (0 and 1), and the same clamped to
        0..1. NaN and 0 when the cap centers coincide.
    near_point : ndarray, shape (..., 3)
        The point at the clamped rate, in capsule space.
    squared_distance : ndarray, shape (...)
        From the center to the near point, in capsule space.
    hit : ndarray of bool, shape (...)
        Whether that is at most the square of the sum of the radii.
    """

    center: FloatArray
    near_rate: FloatArray
    clamped_rate: FloatArray
    near_point: FloatArray
    squared_distance: FloatArray
    hit: BoolArray


@dataclass(frozen=True, eq=False, repr=False)
class CapsuleCollider(FrozenValue):
    """A capsule in the local space of an object, as game engines give it.

    Parameters
    ----------
    center : array_like, shape (..., 3)
        The middle of the capsule.
    axis : {"x", "y", "z"}
        The local axis that it lies along.
    height : array_like, shape (...)
        From tip to tip, caps included. Less than two radii makes a sphere.
    radius : array_like, shape (...)
        Of the caps and of the cylinder between them.

    Notes
    -----
    Methods take the object's ``transform``, which may have any scale: mirrored, non-uniform and zero included. Batch
    axes broadcast. A `TypeError` is raised where there is no transform, and a `ValueError` if batch axes do not
    broadcast, a field is not finite or has the wrong width, or a height or radius is negative. What is computed is
    right to rounding.

    Examples
    --------
    >>> from collision import CapsuleCollider, Transform
    >>> CapsuleCollider([0, 0, 0], "y", 2, 0.5).in_world(Transform([0, 0, 3]))
    Capsule(start=[0.0, -0.5, 3.0], end=[0.0, 0.5, 3.0], radius=0.5)
    """

    center: FloatArray
    axis: Axis
    height: FloatArray
    radius: FloatArray

    def __init__(
        self,
        center: ArrayLike = (0.0, 0.0, 0.0),
        axis: Axis = "y",
        height: ArrayLike = 2.0,
        radius: ArrayLike = 0.5,
    ) -> None:
        if not isinstance(axis, str) or axis not in get_args(Axis):
            raise ValueError(f"CapsuleCollider.axis must be 'x', 'y' or 'z', got {axis!r}")
        read = {
            "center": read_vector(center, "CapsuleCollider.center"),
            "height": SIZE.read("CapsuleCollider.height", height),
            "radius": SIZE.read("CapsuleCollider.radius", radius),
        }
        for value in read.values():
            value.flags.writeable = False
        self.__dict__.update(read, axis=axis)
        check_broadcast("CapsuleCollider", **self._leads())

    def _leads(self) -> dict[str, tuple[int, ...]]:
        return {"center": self.center.shape[:-1], "height": self.height.shape, "radius": self.radius.shape}

    @property
    def batch_shape(self) -> tuple[int, ...]:
        """The batch axes; empty for a single collider."""
        return np.broadcast_shapes(*self._leads().values())

    def _parts(self) -> tuple[Any, ...]:
        return self.center, self.axis, self.height, self.radius

    def __repr__(self) -> str:
        return (
            f"CapsuleCollider(center={self.center.tolist()}, axis={self.axis!r}, "
            f"height={self.height.tolist()}, radius={self.radius.tolist()})"
        )

    def capsule_to_local(self) -> FloatArray:
        """Return the exact matrix (..., 4, 4) from capsule space to local space: translate(center) · rotation.

        The rotation is the cyclic permutation of the axes that takes z to the local axis.

        Examples
        --------
        >>> from collision import CapsuleCollider
        >>> CapsuleCollider([0, 0, 7], "x").capsule_to_local() @ [0, 0, 1, 1]
        array([1., 0., 7., 1.])
        """
        return affine(_LOOK[self.axis], self.center)

    def world_to_capsule(self, transform: Transform) -> FloatArray:
        """Return the matrix (..., 4, 4) from the world to capsule space; a `ValueError` is raised if a scale is zero.

        Examples
        --------
        >>> from collision import CapsuleCollider, Transform
        >>> CapsuleCollider(axis="x").world_to_capsule(Transform([5, 0, 0])) @ [6, 0, 0, 1]
        array([0., 0., 1., 1.])
        """
        check_transform(transform, "CapsuleCollider.world_to_capsule", **self._leads())
        look = _LOOK[self.axis].T
        return np.asarray(affine(look, -turned(look, self.center)) @ transform.inverse_matrix())

    def in_world(self, transform: Transform) -> Capsule:
        """Return the capsule in the world, by Unity's rule for a scaled capsule; it starts at the axis's negative end.

        The radius follows the larger absolute scale of the two other axes, the height the absolute scale of the axis
        that the capsule lies along, and the height is never less than two radii.

        Examples
        --------
        >>> from collision import CapsuleCollider, Transform
        >>> CapsuleCollider(axis="z", height=4, radius=1).in_world(Transform(scale=[2, 1, 3]))
        Capsule(start=[0.0, 0.0, -4.0], end=[0.0, 0.0, 4.0], radius=2.0)
        """
        check_transform(transform, "CapsuleCollider.in_world", **self._leads())
        k = "xyz".index(self.axis)
        factors = np.abs(transform.scale)
        with np.errstate(over="ignore", invalid="ignore"):  # what becomes infinite is refused by name
            radius = self.radius * np.maximum(factors[..., (k + 1) % 3], factors[..., (k + 2) % 3])
            half = np.maximum(0.5 * self.height * factors[..., k] - radius, 0.0)
            half = half * np.where(np.signbit(transform.scale[..., k]), -1.0, 1.0)
            middle = turned(transform.axes, self.center * transform.scale) + transform.position
            reach = half[..., None] * transform.axes[..., :, k]
            return Capsule(middle - reach, middle + reach, radius)

    def sphere_test(self, transform: Transform, sphere: Sphere) -> SphereTest:
        """Return every value of the test of a sphere in capsule space, the way it is usually taught, as a `SphereTest`.

        For an object of unit scale (and a height of at least two radii) the verdict is that of
        ``intersects(collider.in_world(transform), sphere)``, to rounding. For any other scale it may be wrong, and a
        scale of zero is refused with a `ValueError`.

        Parameters
        ----------
        sphere : Sphere
            In the world; batch axes broadcast.

        Examples
        --------
        >>> from collision import CapsuleCollider, Sphere, Transform
        >>> test = CapsuleCollider().sphere_test(Transform(), Sphere([0.75, 0.25, 0], 0.25))
        >>> float(test.near_rate), float(test.squared_distance), bool(test.hit)
        (0.75, 0.5625, True)
        """
        if not isinstance(sphere, Sphere):
            raise TypeError(f"CapsuleCollider.sphere_test takes a Sphere, got {type(sphere).__name__}")
        check_transform(transform, "CapsuleCollider.sphere_test", **self._leads(), sphere=sphere.batch_shape)
        matrix = self.world_to_capsule(transform)
        center = turned(matrix[..., :3, :3], sphere.center) + matrix[..., :3, 3]
        half = 0.5 * self.height - self.radius
        length = 2.0 * half
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = np.where(length != 0.0, (center[..., 2] + half) / np.where(length != 0.0, length, 1.0), np.nan)
        clamped = np.where(np.isnan(rate), 0.0, np.clip(rate, 0.0, 1.0))
        near = np.zeros(np.broadcast_shapes(center.shape, (*clamped.shape, 3)))
        near[..., 2] = -half + length * clamped
        gap = center - near
        squared = np.sum(gap * gap, axis=-1)
        reach = self.radius + sphere.radius
        # The comparison is of squares: what rounding amounts to doubles, relative to the larger of the two.
        hit = squared <= reach * reach + 2.0 * TOUCH * np.maximum(squared, reach * reach)
        return SphereTest(center, rate[()], clamped[()], near, squared, np.asarray(hit)[()])


#: Rotation whose third column is the capsule's axis: capsule space to local space.
_LOOK = {
    "x": np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
    "y": np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
    "z": np.eye(3),
}
