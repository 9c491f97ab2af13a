"""What all kinds of shape have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from collision.base.cached import cached_property
from collision.base.fields import (
    LARGEST,
    SMALLEST,
    ArrayLike,
    Field,
    FloatArray,
    check_broadcast,
    first_bad,
    read_vector,
)
from collision.kernels.loops import BOUNDS
from collision.native import address
from collision.shapes.batch import Batch
from collision.shapes.checks import NUMBERS
from collision.shapes.operands import Layout

if TYPE_CHECKING:
    from collision.shapes.kinds import AABB, Sphere
    from collision.shapes.transforms import Transform


class Core(NamedTuple):
    """What the kernels see of a shape: the kind of its core, and the arrays that describe it, the radius last."""

    kind: str
    operands: tuple[Any, ...]


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Shape(Batch):
    """What all kinds have in common: batch axes, indexing, moving, equality.

    This is the type to annotate with where any kind will do; it is not made directly. For users are its batch axes,
    indexing, ``translated``, ``transformed``, ``bounds``, ``bounding_sphere``, ``flattened`` (the same elements along
    one batch axis), ``values`` (the fields by name) and ``corners`` (those of the bounds, as two arrays); ``core``,
    ``operands``, ``layout``, ``packed`` and ``box`` are for kernels and may change.
    """

    #: Kinds that reach to infinity have no bounds.
    bounded: ClassVar[bool] = True
    #: Whether the point that an unbounded kind is given by says where it is; any of a plane's would do.
    anchored: ClassVar[bool] = True

    def __init_subclass__(cls) -> None:
        if cls.__bases__ != (Shape,) or "core_type" not in vars(cls):
            raise TypeError(
                f"class {cls.__name__}: the kinds of shape are values, which cannot be subclassed; what belongs to a "
                "shape can be kept beside it, in a dict by its name in a scene or in a class that has the shape"
            )
        cls._fields = tuple(value for value in vars(cls).values() if isinstance(value, Field))
        if not cls.bounded and any(field.name == "radius" for field in cls._fields):
            raise TypeError(f"class {cls.__name__}: scenes take what has no end as thin, so it can have no radius")
        rules = [NUMBERS[field.rule] for field in cls._fields]
        cores = {field.name: field.core for field in cls._fields}
        cls.layout = Layout(cls.__name__, cores, cls._operands, rules)

    def __init__(self, *given: Any) -> None:
        raise TypeError("make one of the kinds, such as Sphere or AABB; Shape is only their common type")

    @property
    def core(self) -> Core:
        """The core and the radius, as the kernels take them; not for users, who find the same in the fields."""
        raise NotImplementedError

    def corners(self) -> tuple[FloatArray, FloatArray]:
        """Return the smallest and the largest coordinates of each element: the corners of `bounds`, as plain arrays.

        Returns
        -------
        lower, upper : ndarray, shape (..., 3)
            To rounding; exact for points, segments and boxes along the axes. A corner too large for a number is
            infinite.

        Raises
        ------
        ValueError
            For a ray, a line or a half-space, which reach to infinity.

        Examples
        --------
        >>> from collision import Sphere
        >>> Sphere([0, 0, 1], 2).corners()
        (array([-2., -2., -1.]), array([2., 2., 3.]))
        """
        if not self.batch_shape:
            lower, upper = self.box
            return lower.copy(), upper.copy()
        return self._corners()

    @cached_property
    def box(self) -> FloatArray:
        """The corners of a single shape's bounds, (2, 3), read-only: kept, as they are asked for again and again."""
        if not self.bounded:
            self._corners()  # which says why there are none
        box = np.empty((2, 3))
        place = address(box)
        BOUNDS[self.core_type].run(1, *self.operands, None, -1, place, place + 24, None)
        box.setflags(write=False)
        return box

    def _corners(self) -> tuple[FloatArray, FloatArray]:
        if not self.bounded:
            raise ValueError(f"a {type(self).__name__} reaches to infinity and has no bounds")
        flat = self if len(self.batch_shape) < 2 else self.flattened()
        lower, upper = np.empty((*self.batch_shape, 3)), np.empty((*self.batch_shape, 3))
        BOUNDS[self.core_type].run(lower.size // 3, *flat.operands, None, -1, address(lower), address(upper), None)
        return lower, upper

    def bounds(self) -> AABB:
        """Return the tight axis-aligned box around each element.

        Returns
        -------
        AABB
            With the same batch axes; as exact as `corners`.

        Raises
        ------
        ValueError
            For a ray, a line or a half-space, which reach to infinity, and where a corner would be too large for a
            number.

        Examples
        --------
        >>> from collision import Capsule
        >>> Capsule([0, 0, 0], [0, 0, 4], 1).bounds()
        AABB(lower=[-1.0, -1.0, -1.0], upper=[1.0, 1.0, 5.0])
        """
        return self._bounds if not self.batch_shape else self._around()

    @cached_property
    def _bounds(self) -> AABB:
        """Those of a single shape, kept."""
        return self._around()

    def _around(self) -> AABB:
        from collision.shapes.kinds import AABB

        box = object.__new__(AABB)
        box._hold([*self.corners()], AABB.layout.only_finite)  # in order they are
        return box

    def bounding_sphere(self) -> Sphere:
        """Return the smallest sphere around each element.

        Returns
        -------
        Sphere
            With the same batch axes, to rounding.

        Raises
        ------
        ValueError
            For a ray, a line or a half-space, which reach to infinity, and where the radius would be too large for a
            number.

        Examples
        --------
        >>> from collision import Capsule
        >>> Capsule([0, 0, 0], [0, 0, 4], 1).bounding_sphere()
        Sphere(center=[0.0, 0.0, 2.0], radius=3.0)
        """
        raise ValueError(f"a {type(self).__name__} reaches to infinity and has no bounding sphere")

    def transformed(self, transform: Transform) -> Shape:
        """Return the shape under a transform, as a shape of the same kind.

        What a kind cannot represent is refused, with one exception that is what engines do: an `AABB` under a rotation
        is refitted (its tight bounds are returned). Make it an `OrientedBox` first to have it turn.

        Parameters
        ----------
        transform : Transform
            Batch axes broadcast with the shape's.

        Returns
        -------
        Shape
            Of the same kind, with the joint batch axes; places to a few units in the last place of the largest term.

        Raises
        ------
        TypeError
            If that is no transform.
        ValueError
            If the scale differs between axes and the kind cannot follow: a sphere would become an ellipsoid. If batch
            axes do not broadcast, or a place or a size becomes infinite.

        Examples
        --------
        >>> from collision import Sphere, Transform
        >>> Sphere([1, 0, 0], 1).transformed(Transform([0, 0, 5], scale=2))
        Sphere(center=[2.0, 0.0, 5.0], radius=2.0)
        """
        from collision.shapes.transformed import transform_shape  # it knows the kinds, which know this

        return transform_shape(self, transform)

    def translated(self, offset: ArrayLike) -> Self:
        """Return the shape moved by an offset.

        Parameters
        ----------
        offset : array_like, shape (..., 3)
            In scene units; batch axes broadcast with the shape's.

        Returns
        -------
        Shape
            Of the same kind, with the joint batch axes; coordinates are rounded once, all else stays to the last bit.

        Raises
        ------
        ValueError
            If the offset is not finite or not (..., 3), its batch axes do not broadcast, or a place becomes infinite.

        Examples
        --------
        >>> from collision import Sphere
        >>> Sphere([0, 0, 0], 1).translated([1, 2, 3]).center
        array([1., 2., 3.])
        """
        return self._shifted(read_vector(offset, "translated.offset"))

    def _shifted(self, step: FloatArray) -> Self:
        """Return the shape moved by an offset known to be one."""
        if step.ndim > 1:
            check_broadcast(f"{type(self).__name__}.translated", shape=self.batch_shape, offset=step.shape[:-1])
        moved = object.__new__(type(self))
        with np.errstate(over="ignore"):  # refused by name
            moved._hold([v + step if f.place else v for f, v in self._each()], self.layout.only_finite)
        return moved


def no_shape(value: object, role: str = "") -> str:
    """Return what a value is that should have been a shape, and how to make one of it where that is known."""
    name = type(value).__name__ + role
    return f"{name}; its .in_world(transform) is the Capsule" if hasattr(value, "in_world") else name


def out_of_range(shape: Shape) -> str:
    """Say of a shape that is out of range what its largest coordinate or size must be, and what it is."""
    sizes = shape._sizes()
    bad = (sizes != 0.0) & ~((sizes >= SMALLEST) & (sizes <= LARGEST))
    return f"must have a largest coordinate or size from 1e-72 to 1e72, or zero, got {first_bad(bad, sizes)}"


def check_range(query: str, a: Shape, b: Shape) -> None:
    """Refuse shapes that are out of range."""
    for name, shape in (("a", a), ("b", b)):
        if shape.out_of_range:
            raise ValueError(f"{query}: {name} {out_of_range(shape)}")


def check_shapes(query: str, a: object, b: object) -> None:
    """Refuse objects that are no shapes."""
    for name, shape in (("a", a), ("b", b)):
        if not isinstance(shape, Shape):
            raise TypeError(f"{query} takes two shapes, got {no_shape(shape, f' as {name}')}") from None
