"""Explanations of what follows from the separation of two shapes: distances, witness points, contacts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from collision.explaining import aligned, box, boxes, halfspace, linear, point, slabs
from collision.explaining.comparing import compared
from collision.explaining.explanation import Explanation
from collision.explaining.pairs import Told, grow, shrink, told_of
from collision.explaining.records import Step
from collision.explaining.verdicts import checked, summary, verdict
from collision.kernels.table import KERNELS, CoreType, taken_as

#: What is told of each kernel, by its name.
STORIES: Mapping[str, Callable[[Told], list[Step]]] = MappingProxyType(
    {
        "point_point": point.point_point,
        "point_linear": point.point_linear,
        "point_box": box.point_box,
        "linear_linear": linear.linear_linear,
        "linear_box": slabs.linear_box,
        "aligned_aligned": aligned.aligned_aligned,
        "box_box": boxes.box_box,
        "point_half_space": halfspace.point_half_space,
        "linear_half_space": halfspace.linear_half_space,
        "box_half_space": halfspace.box_half_space,
        "half_space_half_space": halfspace.half_space_half_space,
    }
)


def explained(
    query: str, result: Any, given: tuple[Any, ...], more: dict[str, Any], names: tuple[str, str]
) -> Explanation:
    """Return the explanation of a query that asks for the separation of two shapes."""
    a, b = given
    told = told_of(a, b, names)
    checked(query, told, result)
    steps = [shrink(told), *story_of(told), grow(told), *verdict(query, told, result, more)]
    if query == "intersects":
        steps += compared(told, bool(result))
    return Explanation(query, names, given, tuple(steps), result, summary(query, told, result))


def story_of(told: Told) -> list[Step]:
    """Return what the kernel of two cores tells."""
    ranks = taken_as((CoreType(told.first.shape.core_type), CoreType(told.second.shape.core_type)), KERNELS)
    return STORIES[KERNELS[ranks].__name__](told)
