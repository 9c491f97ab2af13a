"""The fields of a shape: what a value must be, checked once, when the shape is made.

A shape declares its fields with `Field`, and every constructor then takes numbers, lists or arrays, copies them to
float64, checks width, finiteness and the field's own rule, and stores them read-only. An error names the field, what it
must be and the first value that is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.intp]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
ArrayLike: TypeAlias = npt.ArrayLike

#: How far a given rotation matrix may be from orthonormal: products of a few float64 rotations stay well below.
ROTATION_TOLERANCE = 1e-9


class Rule:
    """A condition on every element of a field, with the words that tell it to a user."""

    def __init__(self, words: str, bad: Callable[[FloatArray], BoolArray]) -> None:
        self.words = words
        self.bad = bad


def _not_a_rotation(matrices: FloatArray) -> BoolArray:
    """Tell for each (3, 3) matrix whether its columns fail to be a right-handed orthonormal frame."""
    entries = np.moveaxis(matrices, (-2, -1), (0, 1))  # nine arrays: far quicker than products of small matrices
    x, y, z = (np.ascontiguousarray(entries[:, k]) for k in range(3))
    skewed = np.zeros(matrices.shape[:-2], dtype=bool)
    for a, b, wanted in ((x, x, 1.0), (y, y, 1.0), (z, z, 1.0), (x, y, 0.0), (y, z, 0.0), (z, x, 0.0)):
        skewed |= np.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - wanted) > ROTATION_TOLERANCE
    turn = x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2]) + x[2] * (y[0] * z[1] - y[1] * z[0])
    return np.asarray(skewed | (turn < 0.0), dtype=bool)


NOT_NEGATIVE = Rule("zero or more", lambda values: values < 0.0)
NOT_ZERO = Rule(
    "a direction, not the zero vector", lambda v: (v[..., 0] == 0.0) & (v[..., 1] == 0.0) & (v[..., 2] == 0.0)
)
EXTENTS = Rule(
    "zero or more on every axis", lambda v: np.asarray((v[..., 0] < 0.0) | (v[..., 1] < 0.0) | (v[..., 2] < 0.0))
)
ROTATION = Rule(
    "a rotation matrix: columns of unit length, at right angles, right-handed (determinant +1)", _not_a_rotation
)


class Field:
    """One array field of a shape.

    Parameters
    ----------
    *core : int
        The trailing axes that every value has: ``3`` for a point, ``3, 3`` for a frame, nothing for a number.
    rule : Rule, optional
        A condition on each element beyond being finite.
    place : bool
        Whether the field is a place in the world, which moves with the shape (a radius or a direction does not).
    """

    def __init__(self, *core: int, rule: Rule | None = None, place: bool = False) -> None:
        self.core = core
        self.rule = rule
        self.place = place
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, shape: None, owner: type) -> Field: ...
    @overload
    def __get__(self, shape: object, owner: type) -> FloatArray: ...
    def __get__(self, shape: object | None, owner: type) -> Any:
        # The instance's own value shadows this; reaching here on the class tells dataclasses "no default".
        raise AttributeError(self.name)

    if TYPE_CHECKING:

        def __set__(self, shape: object, value: ArrayLike) -> None:
            """Let type checkers know that constructors take anything array-like."""

    def read(self, kind: str, value: ArrayLike) -> FloatArray:
        """Copy and check one value.

        Parameters
        ----------
        kind : str
            The shape's name, for the error.
        value : array_like
            What the user gave.

        Returns
        -------
        ndarray
            Float64, C-contiguous, the caller's to keep.

        Raises
        ------
        ValueError
            If the value is not numeric, has the wrong width, is not finite or breaks the rule.
        """
        label = f"{kind}.{self.name}"
        array = to_float(value, label)
        width = len(self.core)
        if array.ndim < width or array.shape[array.ndim - width :] != self.core:
            wanted = "a number (or an array of them)" if not width else f"an array of shape {show_shape(self.core)}"
            raise ValueError(f"{label} must be {wanted}, got shape {array.shape}")
        core_axes = tuple(range(-width, 0))
        finite = np.isfinite(array)
        if not finite.all():
            self._refuse(label, "finite", ~finite.all(axis=core_axes), array)
        if self.rule is not None:
            self._refuse(label, self.rule.words, self.rule.bad(array), array)
        return array

    def _refuse(self, label: str, words: str, bad: BoolArray | np.bool_, array: FloatArray) -> None:
        if np.any(bad):
            raise ValueError(f"{label} must be {words}, got {first_bad(np.asarray(bad), array)}")


def read_vector(value: ArrayLike, label: str) -> FloatArray:
    """Copy and check a (..., 3) argument of a function; `label` is ``function: argument`` for the error."""
    kind, _, name = label.partition(".")
    field = Field(3)
    field.name = name
    return field.read(kind, value)


def read_margin(value: float, query: str) -> float:
    """Check the margin of a query: one number, zero or more and finite."""
    margin = to_float(value, f"{query}: margin")
    if margin.ndim or not 0.0 <= margin < np.inf:
        raise ValueError(f"{query}: margin must be zero or more and finite, got {_short(value)}")
    return float(margin)


def to_float(value: ArrayLike, label: str) -> FloatArray:
    """Copy anything array-like to a new float64 array; `label` names it in the error."""
    try:
        raw = np.asarray(value)
        if raw.dtype.kind not in "fiub":
            raise TypeError
        with np.errstate(over="ignore"):  # a wider float may become infinite, which is refused by name
            return np.array(raw, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise ValueError(f"{label} must be made of real numbers, got {_short(value)}") from None


def check_broadcast(label: str, **axes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the joint batch axes of what is named; `label` leads the error where they do not fit together."""
    try:
        return np.broadcast_shapes(*axes.values())
    except ValueError:
        listed = ", ".join(f"{name} {batch}" for name, batch in axes.items())
        raise ValueError(f"{label}: batch axes do not broadcast together: {listed}") from None


def length(vectors: FloatArray) -> FloatArray:
    """Return the lengths of (..., 3) vectors; no square over- or underflows on the way."""
    with np.errstate(over="ignore"):  # only the length of what is near the largest number can be infinite
        return np.asarray(np.hypot(np.hypot(vectors[..., 0], vectors[..., 1]), vectors[..., 2]))


def turned(axes: FloatArray, vectors: FloatArray) -> FloatArray:
    """Multiply matrices (..., 3, 3) and vectors (..., 3); a batch rounds as each of its elements alone does."""
    x, y, z = (vectors[..., k, None] for k in range(3))
    return np.asarray(axes[..., 0] * x + axes[..., 1] * y + axes[..., 2] * z)


def to_bytes(array: FloatArray) -> bytes:
    """Return bytes that are equal for equal arrays: those of zero whatever its sign."""
    return (array + 0.0).tobytes()


def show_shape(core: tuple[int, ...]) -> str:
    """Write a shape with free leading batch axes, as ``(..., 3)``."""
    return f"(..., {', '.join(map(str, core))})"


def first_bad(bad: BoolArray, array: FloatArray) -> str:
    """Write the first bad element, with its place when there are several."""
    index = tuple(int(i) for i in np.unravel_index(int(np.argmax(bad)), bad.shape)) if bad.ndim else ()
    text = _short(array[index].tolist())
    return f"{text} at element {list(index)}" if index else text


def _short(value: object, limit: int = 80) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."
