"""The schema of a scene file: what tables there are, which keys each takes, and the shape that each makes.

One pydantic model for each table. A table of a shape builds its shape while it is checked, so that what only the shape's
constructor knows (``lower`` above ``upper``, lists that do not fit together) is reported with everything else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
from pydantic import BaseModel, ConfigDict, Discriminator, Field, PrivateAttr, Tag, model_validator

from collision.capsule_space import CapsuleCollider
from collision.file_numbers import (
    Angles,
    Directions,
    Extents,
    Factors,
    Frames,
    Number,
    Place,
    Places,
    Quaternions,
    Sizes,
    mismatch,
    problem,
)
from collision.fields import FloatArray
from collision.shapes import AABB, Capsule, Line, OrientedBox, Point, Ray, Segment, Shape, Sphere
from collision.shows import SHOW_QUERIES, Camera, Show, ShowQuery
from collision.transforms import Transform

#: The name of each kind in a file.
KIND_NAMES: Mapping[type[Shape], str] = {
    Point: "point",
    Segment: "segment",
    Ray: "ray",
    Line: "line",
    Sphere: "sphere",
    Capsule: "capsule",
    AABB: "aabb",
    OrientedBox: "box",
}

_ORIGIN = np.zeros(3)


class Table(BaseModel):
    """A table of the file: no unknown keys, and nothing is converted that is of another type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, arbitrary_types_allowed=True)

    #: What a table is called in an error.
    called: ClassVar[str] = ""

    @classmethod
    def required(cls) -> list[str]:
        """Return the keys that must be there."""
        return [name for name, field in cls.model_fields.items() if field.is_required()]


# -- rotations ----------------------------------------------------------------------------------------------------------


class AxisAngle(Table):
    """A turn about an axis."""

    called: ClassVar[str] = "a rotation by axis and angle"

    axis: Literal["x", "y", "z"] | Directions = Field(description="x, y, z or a direction; counterclockwise about it.")
    angle: Angles = Field(description="Degrees.")
