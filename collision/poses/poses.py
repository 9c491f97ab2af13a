"""Poses of bodies as users give them: positions, and rotations as quaternions or matrices, along any leading axes."""

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
    """Poses, not broadcast against each other yet: `lead` are the joint leading axes."""

    positions: FloatArray
    rotations: FloatArray | None
    lead: tuple[int, ...]

    @property
    def total(self) -> int:
        """How many poses there are."""
        return int(np.prod(self.lead, dtype=np.int64))

    def flat(self) -> tuple[FloatArray, FloatArray | None]:
        """Return positions (n, bodies, 3) and rotations, contiguous along one axis, copied only where they must be."""
        positions, rotations = _flat(self.positions, self.lead, 2), self.rotations
        if rotations is not None:
            rotations = _flat(rotations, self.lead, 3 if is_matrix(rotations) else 2)
        return positions, rotations

    def refuse(self, query: str) -> None:
        """Raise what says which of the positions is not finite, or which of the rotations is none, and why."""
        bad = np.asarray(~np.isfinite(self.positions).all(axis=-1))
        if bad.any():
            raise ValueError(f"{query}: positions must be finite, got {first_bad(bad, self.positions)}")
        if self.rotations is not None:
            matrices_of(self.rotations, query)


def is_matrix(rotations: FloatArray) -> bool:
    """Tell whether rotations are matrices, not quaternions."""
    return rotations.shape[-2:] == (3, 3)


def read_poses(positions: ArrayLike, rotations: Rotations, bodies: int, query: str) -> Poses:
    """Check the shapes of positions and rotations; their values are checked where they are used."""
    given = _numbers(positions, f"{query}: positions")
    if given.shape[-2:] != (bodies, 3):
        raise ValueError(
            f"{query}: positions must have shape (..., {bodies}, 3), a place for each body, got {given.shape}"
        )
    if rotations is None:
        return Poses(given, None, given.shape[:-2])
    as_matrix: Any = getattr(rotations, "as_matrix", None)
    turns = _numbers(as_matrix() if as_matrix is not None else cast("ArrayLike", rotations), f"{query}: rotations")
    core = 3 if is_matrix(turns) else 2
    if turns.shape[-core:] not in ((bodies, 4), (bodies, 3, 3)):
        raise ValueError(
            f"{query}: rotations must be quaternions (..., {bodies}, 4) or matrices (..., {bodies}, 3, 3), a rotation "
            f"for each body, got shape {turns.shape}"
        )
    return Poses(given, turns, check_broadcast(query, positions=given.shape[:-2], rotations=turns.shape[:-core]))


def matrices_of(rotations: FloatArray, query: str) -> FloatArray:
    """Return the matrices (..., 3, 3) of rotations in either form, as a `Transform` has them, to the last bit."""
    return read_rotation(rotations if is_matrix(rotations) else KnownQuaternions(rotations), f"{query}: rotations")


def _flat(array: FloatArray, lead: tuple[int, ...], own: int) -> FloatArray:
    """Return an array whose leading axes, all but so many, are broadcast and made one."""
    axes = array.shape[-own:]
    return np.ascontiguousarray(np.broadcast_to(array, (*lead, *axes)).reshape(-1, *axes))


def _numbers(value: ArrayLike, label: str) -> FloatArray:
    """Return numbers as an array, the same one if it is one of floats: there may be many, and nobody keeps them."""
    if type(value) is np.ndarray and value.dtype == np.float64 and value.dtype.isnative:
        return value
    return to_float(value, label)
