"""The arrays of numbers in a scene file: what the file holds is checked and becomes a float64 array."""

from __future__ import annotations

import sys
from itertools import chain
from typing import Annotated, Any, TypeAlias

import numpy as np
from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

from collision.base.fields import DIRECTION, EXTENTS, NOT_NEGATIVE, FloatArray, Rule, first_index
from collision.files.errors import mismatch, problem
from collision.files.toml import shortened, value_at
from collision.shapes.rotations import ROTATION

_COUNTS = ("no", "one", "two", "three", "four")

#: Batch axes that the JSON schema describes; files may have more.
_LISTED_AXES = 2

#: More nesting than this is no array that NumPy can hold beside its own axes.
_MAX_AXES = 32


class Numbers:
    """The pydantic type of an array of numbers, or with `batch` of a (nested) list of such values as well.

    `core` are the trailing axes of one value and `rule` what else each must be, as for `collision.base.fields.Field`.
    """

    def __init__(self, *core: int | None, rule: Rule | None = None, batch: bool = True) -> None:
        self.core, self.rule, self.batch = core, rule, batch
        self._fixed = tuple(length for length in core if length is not None)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)

    @property
    def words(self) -> str:
        """What a user has to write."""
        counts = ["one or more" if count is None else _COUNTS[count] for count in self.core]
        each = " rows of ".join(counts) + " numbers" if self.core else "a number"
        each += f", {self.rule.words}" if self.rule else ""
        return f"{each} (or a list of such)" if self.batch else each

    def read(self, value: Any) -> Any:
        """Check what the file holds, and return it to the last bit."""
        if isinstance(value, np.ndarray):
            value = value.tolist()
        if isinstance(value, dict) and "empty" in value and self.batch:
            return np.zeros(_empty_axes(value) + self._fixed)
        shape, leaves = self._nesting(value)
        if 0 in shape and self.core == self._fixed:
            array = np.zeros(shape + self._fixed)
        else:
            array = self._array(value, shape, leaves)
        if self.batch:
            return array
        if array.shape != self.core:
            raise mismatch(self.words, value)
        return array.tolist()

    def _array(self, value: object, shape: tuple[int, ...], leaves: list[Any]) -> FloatArray:
        own = shape[len(shape) - len(self.core) :] if len(shape) >= len(self.core) else ()
        wanted = tuple(n if n or given is None else given for n, given in zip(self.core, own, strict=False))
        if len(own) < len(self.core) or own != wanted or 0 in own or len(shape) > _MAX_AXES:
            raise mismatch(self.words, value)
        array = _floats(leaves, shape).reshape(shape)
        if self.rule is not None:
            with np.errstate(all="ignore"):
                bad = np.asarray(self.rule.bad(array))
            if bad.any():
                where = first_index(bad)
                got = shortened(value_at(value, where)) + self.rule.remark(array[where])
                raise problem(f"expected {self.rule.words}, got {got}", where)
        return array

    def _nesting(self, value: object) -> tuple[tuple[int, ...], list[Any]]:
        """Return the lengths of nested lists, outermost first, and the innermost values in one list."""
        shape: tuple[int, ...] = ()
        level: list[Any] = [value]
        while level and all(type(item) is list for item in level):
            lengths = [len(item) for item in level]
            if len(set(lengths)) > 1:
                odd = next(i for i, length in enumerate(lengths) if length != lengths[0])
                raise mismatch(f"a list of {lengths[0]}, as the one before it", level[odd], _index(odd, shape))
            shape = (*shape, lengths[0])
            level = list(chain.from_iterable(level))
        if set(map(type, level)) <= {int, float}:
            return shape, level
        lists = [type(item) is list for item in level]
        if any(lists):
            odd = lists.index(not lists[0])
            expected = "a list, as the one before it" if lists[0] else "no list, as before it"
        else:
            odd = next(i for i, item in enumerate(level) if type(item) not in (int, float))
            expected = "a number" if shape else self.words
        raise mismatch(expected, level[odd], _index(odd, shape))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        one: dict[str, Any] = {"type": "number"}
        for length in reversed(self.core):
            most = {} if length is None else {"maxItems": length}
            one = {"type": "array", "items": one, "minItems": length or 1, **most}
        if self.rule is NOT_NEGATIVE:
            one["minimum"] = 0
        if not self.batch:
            return one
        empty = {
            "type": "object",
            "description": "A batch without elements: its axes, one of them zero.",
            "properties": {"empty": {"type": "array", "items": {"type": "integer", "minimum": 0}}},
            "required": ["empty"],
            "additionalProperties": False,
        }
        lists = [one]
        for _ in range(_LISTED_AXES):
            lists.append({"type": "array", "items": lists[-1]})
        return {"anyOf": [*lists, empty]}


def _empty_axes(value: dict[str, Any]) -> tuple[int, ...]:
    axes = value["empty"]
    counts = isinstance(axes, list) and all(type(n) is int and 0 <= n < 2**31 for n in axes)
    if len(value) != 1 or not counts or 0 not in axes or len(axes) > _MAX_AXES:
        raise mismatch("the axes of an empty batch, such as { empty = [0, 2] }", value)
    return tuple(axes)


def _floats(leaves: list[Any], shape: tuple[int, ...]) -> FloatArray:
    try:
        flat = np.array(leaves, dtype=np.float64)
        bad = ~np.isfinite(flat)
    except OverflowError:  # an integer beyond the largest float
        bad = np.array([abs(leaf) > sys.float_info.max for leaf in leaves])
    if bad.any():
        first = int(np.argmax(bad))
        raise mismatch("a finite number", leaves[first], _index(first, shape))
    return flat


def _index(flat: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(flat, shape)) if shape else ()


def joint_axes(**batches: tuple[int, ...]) -> tuple[int, ...]:
    """Return the joint batch axes of several keys; refuse those that do not broadcast together."""
    try:
        return np.broadcast_shapes(*batches.values())
    except ValueError:
        held = ", ".join(f"{name} lists {' by '.join(map(str, axes))}" for name, axes in batches.items() if axes)
        raise problem(f"expected lists of the same length (or one value for all), got: {held}") from None


class AxisNumbers(Numbers):
    """The pydantic type of a direction, or the letter of a coordinate axis."""

    def read(self, value: Any) -> Any:
        """Turn a letter or what the file holds into an array."""
        if isinstance(value, str) and value in AXES:
            return np.array(AXES[value])
        if isinstance(value, str):
            raise mismatch('"x", "y", "z" or a direction', value)
        return super().read(value)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        numbers = super().__get_pydantic_json_schema__(schema, handler)
        return {"anyOf": [{"enum": list(AXES)}, *numbers["anyOf"]]}


AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}

_SOME = Rule("not all of them zero", lambda values: ~np.any(values, axis=-1))

# One value.
Number: TypeAlias = Annotated[float, Numbers(batch=False)]
Vector: TypeAlias = Annotated[list[float], Numbers(3, batch=False)]

# One value, or a batch.
Scalars: TypeAlias = Annotated[FloatArray, Numbers()]
Sizes: TypeAlias = Annotated[FloatArray, Numbers(rule=NOT_NEGATIVE)]
Points: TypeAlias = Annotated[FloatArray, Numbers(3)]
Directions: TypeAlias = Annotated[FloatArray, Numbers(3, rule=DIRECTION)]
Axes: TypeAlias = Annotated[FloatArray, AxisNumbers(3, rule=DIRECTION)]
Extents: TypeAlias = Annotated[FloatArray, Numbers(3, rule=EXTENTS)]
Quaternions: TypeAlias = Annotated[FloatArray, Numbers(4, rule=_SOME)]
Frames: TypeAlias = Annotated[FloatArray, Numbers(3, 3, rule=ROTATION)]
