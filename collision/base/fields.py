"""The fields of a shape: what a value must be, checked once, when the shape is made."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, overload

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.intp]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
ArrayLike: TypeAlias = npt.ArrayLike


class Rule(NamedTuple):
    """A condition on every element of a field.

    Attributes
    ----------
    words : str
        What a value must be, for the error.
    bad : callable
        Tells of an array, element by element, what is refused. What is all but right it may put right in place.
    remark : callable
        Words about an element that was refused, to follow it in the error.
    """

    words: str
    bad: Callable[[FloatArray], BoolArray]
    remark: Callable[[FloatArray], str] = lambda element: ""


NOT_NEGATIVE = Rule("zero or more", lambda values: values < 0.0)
EXTENTS = Rule("zero or more on every axis", lambda values: np.asarray(np.any(values < 0.0, axis=-1)))
DIRECTION = Rule(
    "a direction, not the zero vector",
    lambda v: (v[..., 0] == 0.0) & (v[..., 1] == 0.0) & (v[..., 2] == 0.0),
)

#: The largest coordinate or size of a shape is between these: then products of four lengths are neither lost nor
#: infinite.
SMALLEST, LARGEST = 1e-72, 1e72

#: The type of all numbers of shapes.
FLOAT64 = np.dtype(np.float64)


class Field:
    """One array field of a shape.

    Parameters
    ----------
    *core : int
        The trailing axes that every value has: ``3`` for a point, ``3, 3`` for a frame, nothing for a number. The
        length of an axis that is None is one or more, and a batch has one for all.
    rule : Rule, optional
        A condition on each element beyond being finite.
    position : bool
        Whether the field is a position in the world, which moves with the shape (a radius or a direction does not).
    """

    def __init__(self, *core: int | None, rule: Rule | None = None, position: bool = False) -> None:
        self.core = core
        self.width = len(core)
        self.rule = rule
        self.position = position
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, shape: None, owner: type) -> Field: ...
    @overload
    def __get__(self, shape: object, owner: type) -> FloatArray: ...
    def __get__(self, shape: Any, owner: type) -> Any:
        raise AttributeError(self.name)  # an instance has an array instead of this; dataclasses see "no default"

    if TYPE_CHECKING:

        def __set__(self, shape: object, value: ArrayLike) -> None:
            """Let type checkers know that constructors take anything array-like."""

    def read(self, kind: str, value: ArrayLike) -> FloatArray:
        """Return a checked copy of what a user gave, float64 and contiguous; `kind` leads the error."""
        array = self.converted(kind, value).copy()
        self.check(kind, array)
        return array

    def converted(self, kind: str, value: ArrayLike) -> FloatArray:
        """Return one value as an array of numbers of the right width: the user's own array, where it is one already."""
        if type(value) is not np.ndarray or value.dtype is not FLOAT64:
            value = to_float(value, self._label(kind))
        if self.width and value.shape[-self.width :] != self.core and not self._fits(value.shape[-self.width :]):
            wanted = f"an array of shape (..., {', '.join('n' if n is None else str(n) for n in self.core)})"
            least = ", n of one or more" if None in self.core else ""
            raise ValueError(f"{self._label(kind)} must be {wanted}{least}, got shape {value.shape}")
        return value

    def _fits(self, axes: tuple[int, ...]) -> bool:
        """Tell whether the trailing axes of a value are right where the length of one of them is not fixed."""
        if None not in self.core or len(axes) != self.width:
            return False
        return all(n > 0 if wanted is None else n == wanted for n, wanted in zip(axes, self.core, strict=True))

    def check(self, kind: str, array: FloatArray) -> None:
        """Refuse an array that is not finite or breaks the rule; it is contiguous and writable."""
        if not all_finite(array):
            axes = tuple(range(-self.width, 0))
            refuse(~np.isfinite(array).all(axis=axes), array, f"{self._label(kind)} must be finite")
        if self.rule is not None:
            refuse(self.rule.bad(array), array, f"{self._label(kind)} must be {self.rule.words}", self.rule.remark)

    def _label(self, kind: str) -> str:
        return f"{kind}.{self.name}" if self.name else kind


def read_vector(value: ArrayLike, label: str) -> FloatArray:
    """Copy and check a (..., 3) argument of a function; `label` is ``function: argument`` for the error."""
    if type(value) is np.ndarray and value.dtype is FLOAT64 and value.shape == (3,):
        x, y, z = value.tolist()
        if math.isfinite(x + y + z):  # the usual case, which a drag has at every step
            return value.copy()
    return _VECTOR.read(label, value)


_VECTOR = Field(3)

#: A number of zero or more.
SIZE = Field(rule=NOT_NEGATIVE)


def read_position(value: ArrayLike, label: str) -> FloatArray:
    """Copy and check a (..., 3) argument that is a position, or a way to one: no coordinate is beyond `LARGEST`."""
    array = read_vector(value, label)
    refuse((np.abs(array) > LARGEST).any(axis=-1), array, f"{label} must have no coordinate larger than 1e72")
    return array


def read_margin(value: float, query: str, name: str = "margin") -> float:
    """Check the margin, or a tolerance, of a query: one number, zero or more and finite."""
    if type(value) is float and 0.0 <= value < math.inf:
        return value
    margin = to_float(value, f"{query}: {name}")
    if margin.ndim:
        raise ValueError(f"{query}: {name} must be a single number, got {_short(value)}")
    if not 0.0 <= margin < np.inf:
        raise ValueError(f"{query}: {name} must be zero or more and finite, got {_short(value)}")
    return float(margin)


def read_whole(value: int, label: str, *, least: Literal[0, 1] = 0) -> int:
    """Check a count: a whole number, zero or more, or one or more; `label` names it in the error."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{label} must be a whole number, got {_short(value)}") from None
    if number < least:
        raise ValueError(f"{label} must be {'at least one' if least else 'zero or more'}, got {number}")
    return number


def read_number(value: float, label: str) -> float:
    """Check one finite number; `label` names it in the error."""
    number = to_float(value, label)
    if number.ndim or not np.isfinite(number):
        raise ValueError(f"{label} must be a finite number, got {_short(value)}")
    return float(number)


def to_float(value: ArrayLike, label: str) -> FloatArray:
    """Copy anything array-like to a new float64 array; `label` names it in the error."""
    try:
        raw = np.asarray(value)
        if raw.dtype.kind not in "fiub" or (raw is not value and _is_masked(value)):
            raise TypeError
        if raw.dtype.itemsize <= 8:
            return np.array(raw, dtype=np.float64, order="C")
        with np.errstate(over="ignore"):  # a wider float may become infinite, which is refused by name
            return np.array(raw, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise ValueError(f"{label} must be {_wanted(value, error)}") from None


def _is_masked(value: object) -> bool:
    """Tell whether a value is a masked array, without importing what only those who have one need."""
    masked = sys.modules.get("numpy.ma")
    return masked is not None and isinstance(value, masked.MaskedArray)


def _wanted(value: object, error: Exception) -> str:
    """Say what a value that is no array of numbers should have been, and what it is."""
    if isinstance(error, ValueError) and "inhomogeneous" in str(error):
        return f"made of lists of one length, got {_short(value)}"
    if _is_masked(value):
        return "made of real numbers alone, got a masked array; .compressed() leaves out what is masked, .data keeps it"
    if isinstance(value, np.ndarray) and value.dtype == object:
        return "made of real numbers, got an array of Python objects; .astype(float) makes numbers of them"
    return f"made of real numbers, got {_short(value)}"


def check_out(out: object, lead: tuple[int, ...], dtype: type, label: str) -> None:
    """Refuse what an answer cannot be written to: it must be a plain array of the answer's own form."""
    wanted = f"{label} must be a writable, C-contiguous array of {np.dtype(dtype)}, shape {lead}"
    if not isinstance(out, np.ndarray):
        raise TypeError(f"{wanted}, got {type(out).__name__}")
    if out.dtype != dtype or out.shape != lead:
        raise ValueError(f"{wanted}, got {out.dtype}, shape {out.shape}")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(f"{wanted}, got one that is {'read-only' if out.flags.c_contiguous else 'not contiguous'}")


def all_finite(array: FloatArray) -> bool:
    """Tell whether no number is NaN or infinite."""
    # A sum of squares proves it at once, unless it overflows; with many numbers it would start threads.
    return (array.size < 4096 and math.isfinite(np.vdot(array, array))) or bool(np.isfinite(array).all())


def check_broadcast(label: str, **axes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the joint batch axes of the named shapes; `label` leads the error where they do not fit together."""
    if len(set(axes.values())) == 1:
        return next(iter(axes.values()))  # the usual case, many times as quick
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


def first_index(bad: BoolArray) -> tuple[int, ...]:
    """Return the index of the first that is bad."""
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(bad)), bad.shape)) if bad.ndim else ()


def refuse(
    bad: BoolArray | np.bool_,
    values: FloatArray,
    words: str,
    remark: Callable[[FloatArray], str] = lambda element: "",
) -> None:
    """Raise a ValueError if any element is bad: what is wrong in words, the first bad one, and a remark about it."""
    bad = np.asarray(bad)
    if bad.any():
        raise ValueError(f"{words}, got {first_bad(bad, values)}{remark(values[first_index(bad)])}")


def first_bad(bad: BoolArray, values: FloatArray) -> str:
    """Write the first bad element, with its index when there are several."""
    index = first_index(bad)
    text = _short(values[index].tolist())
    return f"{text} at element {list(index)}" if index else text


def _short(value: object, limit: int = 80) -> str:
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 3] + "..."
