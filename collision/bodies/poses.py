"""Poses of bodies as users give them: places, and rotations as quaternions or matrices, along any leading axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

import numpy as np

from collision.fields import ArrayLike, FloatArray, all_finite, check_broadcast, first_bad, to_float
from collision.native import FLOATS, INT, Floats, Loop, address, kernel
from collision.rotations import ALLOWED, KnownQuaternions, read_rotation, settle
from collision.vec3 import Vec3, largest, load, store

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

_ALLOWED = ALLOWED  # a plain global: loops take it as a constant

#: What rotations may be given as.
Rotations: TypeAlias = "Rotation | ArrayLike | None"

#: Called with how many poses are done, and how many there are.
Progress: TypeAlias = Callable[[int, int], object]


class Poses(NamedTuple):
    """Poses, not broadcast against each other yet.

    Attributes
    ----------
    positions : ndarray, shape (..., bodies, 3)
        All finite.
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
        width = self._width
        given = np.broadcast_to(self.rotations, (*self.lead, bodies, *width))
        return places, given.reshape(self.total, bodies, *width)

    def refuse_rotations(self, query: str) -> None:
        """Raise what says which of the rotations is none, and why."""
        if self.rotations is not None:
            matrices_of(self.rotations, query)

    @property
    def _width(self) -> tuple[int, ...]:
        assert self.rotations is not None
        return (3, 3) if is_matrix(self.rotations) else (4,)


def is_matrix(rotations: FloatArray) -> bool:
    """Tell whether rotations are matrices, not quaternions."""
    return rotations.shape[-2:] == (3, 3)


def read_poses(positions: ArrayLike, rotations: Rotations, bodies: int, query: str) -> Poses:
    """Check the forms of places and rotations, and that places are finite.

    Raises
    ------
    ValueError
        If one is not numeric, has another form, or leading axes do not broadcast; or a place is not finite.
    """
    places = to_float(positions, f"{query}: positions")
    if places.shape[-2:] != (bodies, 3):
        raise ValueError(
            f"{query}: positions must have shape (..., {bodies}, 3), a place for each body, got {places.shape}"
        )
    if not all_finite(places):
        bad = np.asarray(~np.isfinite(places).all(axis=-1))
        raise ValueError(f"{query}: positions must be finite, got {first_bad(bad, places)}")
    if rotations is None:
        return Poses(places, None, places.shape[:-2])
    as_matrix: Any = getattr(rotations, "as_matrix", None)
    turns = to_float(as_matrix() if as_matrix is not None else cast("ArrayLike", rotations), f"{query}: rotations")
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


def store_matrices(rotations: FloatArray, matrices: FloatArray) -> bool:
    """Store what `matrices_of` returns, and tell whether all are rotations: in one pass, and many times as quick."""
    given, count = np.ascontiguousarray(rotations), matrices.size // 9
    return bool(_MATRICES.run(count, is_matrix(rotations), address(given), address(matrices)))


@kernel
def _store_matrix(q: Vec3, w: float, matrices: Floats, i: int) -> None:
    """Store the matrix of a quaternion of any length but zero."""
    most = max(largest(q), abs(w))
    x, y, z, w = q.x / most, q.y / most, q.z / most, w / most
    length = math.sqrt(x * x + y * y + z * z + w * w)
    x, y, z, w = x / length, y / length, z / length, w / length
    xx, yy, zz, ww = x * x, y * y, z * z, w * w
    store(matrices, i, Vec3(xx - yy - zz + ww, 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)))
    store(matrices, i + 3, Vec3(2.0 * (x * y + z * w), -xx + yy - zz + ww, 2.0 * (y * z - x * w)))
    store(matrices, i + 6, Vec3(2.0 * (x * z - y * w), 2.0 * (y * z + x * w), -xx - yy + zz + ww))


def _matrices(count: int, known: int, given: Floats, matrices: Floats) -> int:
    """Store the matrices of rotations, given as matrices or as quaternions; tell whether all are rotations."""
    for i in range(count):
        if known != 0:
            for k in range(9 * i, 9 * i + 9):
                matrices[k] = given[k]
        else:
            _store_matrix(load(given, 4 * i), given[4 * i + 3], matrices, 9 * i)
        total = 0.0
        for k in range(9 * i, 9 * i + 9):
            total += abs(matrices[k])
        if not total < math.inf or settle(matrices, 9 * i, _ALLOWED):
            return 0
    return 1


_MATRICES = Loop("poses_rotations", _matrices, (INT, INT, FLOATS, FLOATS), INT)
