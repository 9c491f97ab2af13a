"""What all records of a picture have in common: they are equal if they say the same, and a version tells which do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np


class Record:
    """A part of a picture, which never changes.

    Records are equal if all that they hold is: arrays by their numbers.
    """

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(map(_same, values_of(self), values_of(other)))

    #: Arrays have no hash.
    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def version(self) -> str:
        """A digest of all that it holds, the same in each process: equal records have the same version.

        Two records of one id in two pictures look the same if they have one version, and need not be made anew.
        """
        digest = blake2b(type(self).__name__.encode(), digest_size=12)
        for part in _parts(self):
            digest.update(part)
        return digest.hexdigest()


def values_of(record: object) -> tuple[Any, ...]:
    """Return the values of the fields of a record, in order; a named tuple is one, too."""
    if isinstance(record, tuple):
        return record
    return tuple([getattr(record, field.name) for field in fields(record)])  # type: ignore[arg-type]


def _same(one: object, other: object) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return type(one) is type(other) and one == other


def _parts(value: object) -> Iterator[bytes | memoryview]:
    """Yield all that a value holds, and where its parts begin and end."""
    if isinstance(value, np.ndarray):
        yield f"{value.dtype.str}{value.shape}".encode()
        yield np.ascontiguousarray(value).data
    elif is_dataclass(value) or isinstance(value, tuple):
        yield f"{type(value).__name__}(".encode()
        for part in values_of(value):
            yield from _parts(part)
        yield b")"
    else:
        yield f"{value!r},".encode()
