"""What a union of shapes is made of."""

from __future__ import annotations

from typing import TypeVar

from collision.shapes.shape import Shape

_Kind = TypeVar("_Kind", bound=Shape)


def all_of(kind: type[_Kind], *shapes: _Kind) -> tuple[_Kind, ...]:
    """Return the shapes of which `kind` is to make a union, which must all be of that kind, and one not empty."""
    for shape in shapes:
        if not isinstance(shape, kind):
            raise TypeError(f"{kind.__name__}.union takes shapes of that kind alone, got {type(shape).__name__}")
    if all(0 in shape.batch_shape for shape in shapes):
        raise ValueError(f"{kind.__name__}.union: there must be at least one element, got only empty batches")
    return shapes
