"""Poses of bodies as users give them: places, and rotations as quaternions or matrices, along any leading axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

import numpy as np

from collision.base.fields import ArrayLike, FloatArray, check_broadcast, first_bad, to_float
from collision.shapes.rotations import KnownQuaternions, read_rotation

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

#: What rotations may be given as.
Rotations: TypeAlias = "Rotation | ArrayLike | None"

#: Called with how many poses are done, and how many there are.
Progress: TypeAlias = Callable[[int, int], object]


class Poses(NamedTuple):
    """Poses, not broadcast against each other yet.

    Attributes
    ----------
    positions : ndarray, shape (..., bodies, 3)
        As they were given.
    rotations : ndarray, shape (..., bodies, 4) or (..., bodies, 3, 3), or None
        As they were given.
    lead : tuple of int
        The joint leading axes.
    """

    positions: FloatArray
    rotations: FloatArray | None
    lead: tuple[int, ...]

    @property
    def total(self) -> int:
        """How many poses there are."""
        return int(np.prod(self.lead, dtype=np.int64))

    def flat(self) -> tuple[FloatArray, FloatArray | None]:
        """Return places (n, bodies, 3) and rotations along one axis, which are copied only where they must be."""
        bodies = self.positions.shape[-2]
        places = np.broadcast_to(self.positions, (*self.lead, bodies, 3)).reshape(self.total, bodies, 3)
        if self.rotations is None:
            return places, None
        width = (3, 3) if is_matrix(self.rotations) else (4,)
        turns = np.broadcast_to(self.rotations, (*self.lead, bodies, *width))
        return places, turns.reshape(self.total, bodies, *width)

    def refuse(self, query: str) -> None:
        """Raise what says which of the places is not finite, or which of the rotations is none, and why."""
        bad = np.asarray(~np.isfinite(self.positions).all(axis=-1))
        if bad.any():
            raise ValueError(f"{query}: positions must be finite, got {first_bad(bad, self.positions)}")
        if self.rotations is not None:
            matrices_of(self.rotations, query)


def is_matrix(rotations: FloatArray) -> bool:
    """Tell whether rotations are matrices, not quaternions."""
    return rotations.shape[-2:] == (3, 3)


def read_poses(positions: ArrayLike, rotations: Rotations, bodies: int, query: str) -> Poses:
    """Check the forms of places and rotations; what is in them is looked at where it is used.

    Raises
    ------
    ValueError
        If one is not numeric, has another form, or leading axes do not broadcast.
    """
    places = _numbers(positions, f"{query}: positions")
    if places.shape[-2:] != (bodies, 3):
        raise ValueError(
            f"{query}: positions must have shape (..., {bodies}, 3), a place for each body, got {places.shape}"
        )
    if rotations is None:
        return Poses(places, None, places.shape[:-2])
    as_matrix: Any = getattr(rotations, "as_matrix", None)
    turns = _numbers(as_matrix() if as_matrix is not None else cast("ArrayLike", rotations), f"{query}: rotations")
    core = 3 if is_matrix(turns) else 2
    if turns.shape[-core:] not in ((bodies, 4), (bodies, 3, 3)):
        raise ValueError(
            f"{query}: rotations must be quaternions (..., {bodies}, 4) or matrices (..., {bodies}, 3, 3), a rotation "
            f"for each body, got shape {turns.shape}"
        )
    return Poses(places, turns, check_broadcast(query, positions=places.shape[:-2], rotations=turns.shape[:-core]))


def matrices_of(rotations: FloatArray, query: str) -> FloatArray:
    """Return the matrices (..., 3, 3) of rotations in either form, as a `Transform` has them, to the last bit.

    Raises
    ------
    ValueError
        If one is not finite, or no rotation.
    """
    return read_rotation(rotations if is_matrix(rotations) else KnownQuaternions(rotations), f"{query}: rotations")


def _numbers(value: ArrayLike, label: str) -> FloatArray:
    """Return numbers as an array, the same one if it is one of floats: there may be many, and nobody keeps them."""
    if type(value) is np.ndarray and value.dtype == np.float64 and value.dtype.isnative:
        return value
    return to_float(value, label)
