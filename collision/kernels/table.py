"""One row a core: all that loops need to know of it. One entry a pair of cores: the kernel that separates them."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Any, NamedTuple, TypeAlias, TypeVar

from collision.kernels import (
    aligned,
    box,
    clips,
    cores,
    cylinder,
    cylinder_hull,
    cylinders,
    features,
    halfspace,
    hull,
    linear,
    nearness,
    point,
    turned,
    vec3,
)
from collision.kernels.cores import Linear, Separation
from collision.kernels.extents import Extent
from collision.kernels.turned import TurningKernels
from collision.kernels.vec3 import Vec3
from collision.native import Floats, Ints, Table

#: A kernel that returns the separation of two cores.
Solve: TypeAlias = Callable[[Any, Any], Separation]

_Made = TypeVar("_Made")


class CoreType(IntEnum):
    """The cores in the order in which kernels take them."""

    POINT = 0
    LINEAR = 1
    BOX = 2
    #: A box with the world's axes: read as any box, but for pairs that have a kernel of their own.
    ALIGNED = 3
    HALF_SPACE = 4
    CYLINDER = 5
    HULL = 6


class CoreRow(NamedTuple):
    """The kernels of a core.

    Attributes
    ----------
    name : str
        Names the loops.
    read : kernel
        (table, strides, i) -> (core, radius): element i of the operands.
    load, store : kernel
        (numbers, k) -> core and (numbers, k, core): read the row that begins at number k, and write it; see
        `collision.kernels.core`. Where a row refers to a table, `load` takes that behind.
    size : kernel
        (core) -> float: the largest coordinate, which rounding is relative to.
    bounds : kernel
        (core) -> (Vec3, Vec3): the smallest and the largest coordinates; infinite where it has no end.
    bound : kernel
        (core, radius, box, other) -> float: how near, at least, the shape, which is in a box, is to anything in another
        box, squared where it is above zero; see `collision.kernels.nearness`.
    moved : kernel
        (core, t, v) -> core: where it is after t times a motion v.
    clip : kernel
        (line, core, radius, size) -> (first, last): where a line without ends runs inside, NaN where it misses.
    surface : kernel
        (line, t, core, radius, size) -> SurfacePoint: what a point of a line is to the surface.
    feature : kernel
        (core, radius, direction, sine) -> Feature: the vertex, edge or face that is foremost in a direction; edges and
        faces if they are level with it, to an angle with that sine.
    turning : TurningKernels
        What is needed of it where it turns.
    extent : Extent
        What is asked of it in NumPy.
    reference : int, optional
        Which number of its row says where in a table it goes on, if it does not fit into a row.
    """

    name: str
    read: Callable[[Table, Ints, int], tuple[Any, float]]
    load: Callable[..., Any]
    store: Callable[[Floats, int, Any], None]
    size: Callable[[Any], float]
    bounds: Callable[[Any], tuple[Vec3, Vec3]]
    bound: Callable[[Any, float, nearness.Corners, nearness.Corners], float]
    moved: Callable[[Any, float, Vec3], Any]
    clip: Callable[[Linear, Any, float, float], tuple[float, float]]
    surface: Callable[[Linear, float, Any, float, float], clips.SurfacePoint]
    feature: Callable[[Any, float, Vec3, float], features.Feature]
    turning: TurningKernels
    extent: Extent
    reference: int | None = None


ROWS: dict[CoreType, CoreRow] = {
    CoreType.POINT: CoreRow(
        "point",
        cores.read_point,
        vec3.load,
        vec3.store,
        vec3.largest,
        cores.point_corners,
        nearness.box_bound,
        vec3.along,
        clips.clip_point,
        clips.surface_point,
        features.point_feature,
        turned.POINT,
        point.EXTENT,
    ),
    CoreType.LINEAR: CoreRow(
        "linear",
        cores.read_linear,
        cores.load_linear,
        cores.store_linear,
        cores.linear_size,
        cores.linear_corners,
        nearness.linear_bound,
        cores.moved_linear,
        clips.clip_linear,
        clips.surface_linear,
        features.linear_feature,
        turned.LINEAR,
        linear.EXTENT,
    ),
    CoreType.BOX: CoreRow(
        "box",
        cores.read_box,
        cores.load_box,
        cores.store_box,
        cores.box_size,
        cores.box_corners,
        nearness.box_bound,
        cores.moved_box,
        clips.clip_box,
        clips.surface_box,
        features.box_feature,
        turned.BOX,
        box.EXTENT,
    ),
    CoreType.ALIGNED: CoreRow(
        "aligned",
        cores.read_aligned,
        cores.load_aligned,
        cores.store_aligned,
        cores.aligned_size,
        cores.aligned_corners,
        nearness.box_bound,
        cores.moved_aligned,
        clips.clip_box,
        clips.surface_box,
        features.box_feature,
        turned.BOX,
        box.EXTENT,
    ),
    CoreType.HALF_SPACE: CoreRow(
        "halfspace",
        halfspace.read_half_space,
        halfspace.load_half_space,
        halfspace.store_half_space,
        halfspace.half_space_size,
        halfspace.half_space_corners,
        halfspace.half_space_bound,
        halfspace.moved_half_space,
        halfspace.clip_half_space,
        halfspace.surface_half_space,
        halfspace.half_space_feature,
        halfspace.TURNING,
        halfspace.EXTENT,
    ),
    CoreType.CYLINDER: CoreRow(
        "cylinder",
        cylinder.read_cylinder,
        cylinder.load_cylinder,
        cylinder.store_cylinder,
        cylinder.cylinder_size,
        cylinder.cylinder_corners,
        cylinder.cylinder_bound,
        cylinder.moved_cylinder,
        cylinder.clip_cylinder,
        cylinder.surface_cylinder,
        cylinder.cylinder_feature,
        cylinder.TURNING,
        cylinder.EXTENT,
    ),
    CoreType.HULL: CoreRow(
        "hull",
        hull.read_hull,
        hull.load_hull,
        hull.store_hull,
        hull.hull_size,
        hull.hull_bounds,
        nearness.box_bound,
        hull.moved_hull,
        hull.clip_hull,
        hull.surface_hull,
        hull.hull_feature,
        hull.TURNING,
        hull.EXTENT,
        reference=12,
    ),
}

#: The kernels that separate two cores, the lower type first.
KERNELS: dict[tuple[CoreType, CoreType], Solve] = {
    (CoreType.POINT, CoreType.POINT): point.point_point,
    (CoreType.POINT, CoreType.LINEAR): point.point_linear,
    (CoreType.POINT, CoreType.BOX): point.point_box,
    (CoreType.POINT, CoreType.HALF_SPACE): halfspace.point_half_space,
    (CoreType.LINEAR, CoreType.LINEAR): linear.linear_linear,
    (CoreType.LINEAR, CoreType.BOX): linear.linear_box,
    (CoreType.LINEAR, CoreType.HALF_SPACE): halfspace.linear_half_space,
    (CoreType.BOX, CoreType.BOX): box.box_box,
    (CoreType.BOX, CoreType.HALF_SPACE): halfspace.box_half_space,
    (CoreType.ALIGNED, CoreType.ALIGNED): aligned.aligned_aligned,
    (CoreType.HALF_SPACE, CoreType.HALF_SPACE): halfspace.half_space_half_space,
    (CoreType.POINT, CoreType.CYLINDER): cylinder.point_cylinder,
    (CoreType.LINEAR, CoreType.CYLINDER): cylinder.linear_cylinder,
    (CoreType.BOX, CoreType.CYLINDER): cylinder.box_cylinder,
    (CoreType.HALF_SPACE, CoreType.CYLINDER): cylinder.half_space_cylinder,
    (CoreType.CYLINDER, CoreType.CYLINDER): cylinders.cylinder_cylinder,
    (CoreType.POINT, CoreType.HULL): hull.point_hull,
    (CoreType.LINEAR, CoreType.HULL): hull.linear_hull,
    (CoreType.BOX, CoreType.HULL): hull.box_hull,
    (CoreType.HALF_SPACE, CoreType.HULL): hull.half_space_hull,
    (CoreType.CYLINDER, CoreType.HULL): cylinder_hull.cylinder_hull,
    (CoreType.HULL, CoreType.HULL): hull.hull_hull,
}

#: As what a core is read where a question has nothing of its own for it.
GENERAL = {CoreType.ALIGNED: CoreType.BOX}


def for_all_cores(make: Callable[[CoreRow], _Made]) -> dict[int, _Made]:
    """Return the result for each row, by core type; a core without a row among these has that of the general core."""
    made = {own: make(row) for own, row in ROWS.items() if own not in GENERAL}
    return {own: made[GENERAL.get(own, own)] for own in CoreType}


def for_all_pairs(
    make: Callable[[str, Solve, CoreRow, CoreRow], _Made], kernels: dict[tuple[CoreType, CoreType], Solve]
) -> dict[tuple[int, int], _Made]:
    """Return ``make(name, kernel, rows)`` for each kernel, by the types of any two cores, the lower first."""
    made = {(a, b): make(f"{ROWS[a].name}_{ROWS[b].name}", k, ROWS[a], ROWS[b]) for (a, b), k in kernels.items()}
    pairs = ((a, b) for a in CoreType for b in CoreType if a <= b)
    return {pair: made[taken_as(pair, kernels)] for pair in pairs if taken_as(pair, kernels) in kernels}


def taken_as(
    pair: tuple[CoreType, CoreType], known: dict[tuple[CoreType, CoreType], Solve]
) -> tuple[CoreType, CoreType]:
    """Return the types as which two cores are read."""
    if pair in known:
        return pair
    a, b = (GENERAL.get(own, own) for own in pair)
    return (a, b) if a <= b else (b, a)
