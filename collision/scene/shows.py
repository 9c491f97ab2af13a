"""What a scene asks of its picture: the queries to draw, and where the camera stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np

from collision.base.fields import FloatArray, read_vector, to_float
from collision.shapes.kinds import KINDS, Capsule, Line, Point, Ray, Segment, Shape, Sphere

ShowQuery = Literal["closest_points", "contact", "crossings", "raycast", "foot", "bounds", "bounding_sphere"]

#: The queries that a scene can ask to be drawn, and how many shapes each takes.
SHOW_QUERIES: Mapping[str, int] = MappingProxyType(
    {name: 1 if name.startswith("bound") else 2 for name in get_args(ShowQuery)}
)

_BOUNDED = tuple(kind for kind in KINDS if kind.bounded)

#: The kinds that a query takes as a and b, where it does not take every kind.
_SHOW_KINDS: Mapping[str, tuple[tuple[type[Shape], ...], tuple[type[Shape], ...]]] = {
    "crossings": ((Segment, Ray, Line), KINDS),
    "raycast": ((Ray,), KINDS),
    "foot": ((Point, Sphere), (Segment, Capsule, Ray, Line)),
    "bounds": (_BOUNDED, KINDS),
    "bounding_sphere": (_BOUNDED, KINDS),
}


@dataclass(frozen=True)
class Show:
    """A query whose answer is drawn, and drawn anew whenever its shapes move.

    Parameters
    ----------
    query : str
        ``closest_points``, ``contact``, ``crossings``, ``raycast`` or ``foot`` of two shapes; ``bounds`` or
        ``bounding_sphere`` of one.
    a, b : str
        Names of entries or of elements. For ``crossings`` and ``raycast`` the line or ray comes first; for ``foot``
        the point-like shape. ``b`` stays empty for queries of one shape.
    label : str
        Words to put before the numbers.

    Examples
    --------
    >>> Show("closest_points", "arm", "ball").label
    ''
    """

    query: ShowQuery
    a: str
    b: str = ""
    label: str = ""

    def __post_init__(self) -> None:
        for name in ("a", "b", "label"):
            value = getattr(self, name)
            if not isinstance(value, str):
                kind = "text" if name == "label" else "the name of a shape"
                raise TypeError(f"show: {name} must be {kind}, got {value!r}")
        if not isinstance(self.query, str) or self.query not in SHOW_QUERIES:
            raise ValueError(f"show.query must be one of {', '.join(SHOW_QUERIES)}, got {self.query!r}")
        pair = SHOW_QUERIES[self.query] == 2
        if pair != bool(self.b) or not self.a:
            names = "two shapes, a and b" if pair else "one shape, a"
            raise ValueError(f"show: {self.query} takes {names}, got a = {self.a!r}, b = {self.b!r}")

    def wanted_kinds(self, side: Literal["a", "b"]) -> tuple[type[Shape], ...]:
        """Return the kinds of shape that the query takes on one side.

        Parameters
        ----------
        side : {'a', 'b'}
            The first or the second shape.

        Examples
        --------
        >>> [kind.__name__ for kind in Show("foot", "P", "edge").wanted_kinds("a")]
        ['Point', 'Sphere']
        """
        first, second = _SHOW_KINDS.get(self.query, (KINDS, KINDS))
        return first if side == "a" else second


@dataclass(frozen=True)
class Camera:
    """Where the picture is taken from.

    Parameters
    ----------
    position, target : tuple of 3 floats
        The eye and the point it looks at.
    up : tuple of 3 floats
        The direction that is up in the picture.
    view_angle : float
        Degrees from the lower to the upper edge of the picture, for perspective.
    parallel_height : float, optional
        Height of the picture in scene units; given, the projection is parallel.

    Examples
    --------
    >>> Camera(position=(0, 0, 10), up=(0, 1, 0)).target
    (0.0, 0.0, 0.0)
    """

    position: tuple[float, float, float]
    target: tuple[float, float, float] = (0.0, 0.0, 0.0)
    up: tuple[float, float, float] = (0.0, 0.0, 1.0)
    view_angle: float = 30.0
    parallel_height: float | None = None

    def __post_init__(self) -> None:
        for name in ("position", "target", "up"):
            value = read_vector(getattr(self, name), f"camera.{name}")
            if value.shape != (3,):
                raise ValueError(f"camera.{name} must be three numbers, got shape {value.shape}")
            object.__setattr__(self, name, tuple(value.tolist()))
        if self.position == self.target:
            raise ValueError(f"camera.position must differ from camera.target, got {list(self.position)} for both")
        # Halved first: the difference of two large numbers must not overflow.
        view = _scaled(0.5 * np.array(self.target) - 0.5 * np.array(self.position))
        up = _scaled(np.array(self.up))
        if np.linalg.norm(np.cross(view, up)) < 1e-6:  # both are of a length between 1 and 1.8
            raise ValueError(f"camera.up must be a direction that is not along the view, got {list(self.up)}")
        if to_float(self.view_angle, "camera.view_angle").ndim or not 0.0 < self.view_angle < 180.0:
            raise ValueError(f"camera.view_angle must be between 0 and 180 degrees, got {self.view_angle}")
        height = self.parallel_height
        if height is not None and (to_float(height, "camera.parallel_height").ndim or not 0.0 < height < np.inf):
            raise ValueError(f"camera.parallel_height must be positive, got {height}")


def _scaled(vector: FloatArray) -> FloatArray:
    largest = np.abs(vector).max()
    return np.asarray(vector / largest) if largest > 0.0 else vector
