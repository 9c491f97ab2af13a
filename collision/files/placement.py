"""Transforms in a scene file, and the ways to write a rotation there; angles in degrees.

Sines and cosines of quarter turns are exact here, so that a box turned by 90 degrees is as crisp as one that is not.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from collision.base.fields import FloatArray
from collision.files.errors import mismatch
from collision.files.numbers import AXES, AXIS, FRAMES, PLACES, QUATERNIONS, VALUES, fit
from collision.files.tables import Either, Own, Table, Text, holds
from collision.shapes.capsule_space import CapsuleCollider
from collision.shapes.kinds import Capsule, Shape
from collision.shapes.rotations import KnownQuaternions
from collision.shapes.transforms import Transform


class AxisAngle(Table):
    """A turn about an axis."""

    called: ClassVar[str] = "a rotation by axis and angle"

    axis: FloatArray = holds(AXIS, '"x", "y", "z" or a direction [x, y, z], of any length.')
    angle: FloatArray = holds(VALUES, "Degrees, counterclockwise when looking against the axis.")

    def _build(self) -> None:
        fit(axis=self.axis.shape[:-1], angle=self.angle.shape)

    def matrices(self) -> FloatArray:
        """Return (..., 3, 3) rotation matrices, by Rodrigues' formula."""
        unit = self.axis / np.abs(self.axis).max(axis=-1, keepdims=True)
        unit = unit / np.linalg.norm(unit, axis=-1, keepdims=True)
        sine, cosine = (value[..., None, None] for value in _sine_and_cosine(self.angle))
        x, y, z = np.moveaxis(unit, -1, 0)
        zero = np.zeros_like(x)
        rows = [np.stack(row, axis=-1) for row in ((zero, -z, y), (z, zero, -x), (-y, x, zero))]
        outer = unit[..., :, None] * unit[..., None, :]
        return np.asarray(cosine * np.eye(3) + sine * np.stack(rows, axis=-2) + (1.0 - cosine) * outer)


def _read_order(order: Any) -> str:
    Text().read(order)
    same_case = order in (order.lower(), order.upper())
    if (
        len(order) != 3
        or not same_case
        or not set(order.lower()) <= set(AXES)
        or any(a == b for a, b in pairwise(order))
    ):
        raise mismatch('three axes in order, such as "xyz" or (turning with the shape) "ZYX"', order)
    return str(order)


class Euler(Table):
    """Three turns, one after the other."""

    called: ClassVar[str] = "a rotation by euler angles"

    euler: FloatArray = holds(PLACES, "Three angles in degrees, in the order of the letters.")
    order: str = holds(
        Own(_read_order, {"type": "string"}),
        'Which axes to turn about, as "xyz": the axes of the world. In capitals, the axes as they turn.',
        default="xyz",
        pattern="^([xyz]{3}|[XYZ]{3})$",
    )

    def matrices(self) -> FloatArray:
        """Return (..., 3, 3) rotation matrices."""
        turns = [
            AxisAngle(axis=np.array(AXES[letter]), angle=self.euler[..., i]).matrices()
            for i, letter in enumerate(self.order.lower())
        ]
        if self.order.islower():
            turns.reverse()  # about the axes of the world, the last turn comes last: it stands leftmost
        return np.asarray(turns[0] @ turns[1] @ turns[2])


class Matrix(Table):
    """A rotation matrix."""

    called: ClassVar[str] = "a rotation by its matrix"

    matrix: FloatArray = holds(
        FRAMES, "Three rows; the columns are the turned axes. Six digits do: the nearest rotation is taken."
    )

    def matrices(self) -> FloatArray:
        """Return the (..., 3, 3) matrices themselves."""
        return self.matrix


#: For descriptions of keys that hold a rotation.
ROTATION_FORMS = "A quaternion [x, y, z, w], { axis, angle }, { euler } or { matrix }; angles in degrees."

_FORMS: dict[str, type[AxisAngle] | type[Euler] | type[Matrix]] = {
    "axis": AxisAngle,
    "angle": AxisAngle,
    "euler": Euler,
    "order": Euler,
    "matrix": Matrix,
}


def _form(value: Any) -> str | None:
    if isinstance(value, list):
        return "quaternion"
    if isinstance(value, dict):
        return next((_FORMS[key].__name__ for key in value if key in _FORMS), None)
    return None


TURN = Either(
    _form,
    {"quaternion": QUATERNIONS, "AxisAngle": AxisAngle, "Euler": Euler, "Matrix": Matrix},
    "a quaternion [x, y, z, w], { axis, angle }, { euler } or { matrix }",
)


def matrices(turn: FloatArray | AxisAngle | Euler | Matrix) -> FloatArray:
    """Return the (..., 3, 3) rotation matrices of a rotation, however it is written."""
    return turn.matrices() if isinstance(turn, Table) else Transform(rotation=KnownQuaternions(turn)).axes


class TransformTable(Table):
    """Where an object is: scale first, then rotation, then translation."""

    called: ClassVar[str] = "a transform"

    position: FloatArray | None = holds(PLACES, "The translation.", default=None)
    rotation: FloatArray | AxisAngle | Euler | Matrix | None = holds(TURN, ROTATION_FORMS, default=None)
    scale: FloatArray | None = holds(VALUES, "One factor, or one for each axis; negative ones mirror.", default=None)

    def _build(self) -> None:
        given = self.given()
        if self.rotation is not None:
            given["rotation"] = matrices(self.rotation)
        leads = {name: array.shape[: array.ndim - _TRAILING[name]] for name, array in given.items()}
        if self.scale is not None and self.scale.shape[-1:] == (3,):
            leads["scale"] = self.scale.shape[:-1]
        fit(**leads)
        self._transform = Transform(**given)

    def applied(self, shape: Shape) -> Shape:
        """Return a shape under the transform."""
        fit(shape=shape.batch_shape, transform=self._transform.batch_shape)
        return shape.transformed(self._transform)

    def placed(self, collider: CapsuleCollider, batch: tuple[int, ...]) -> Capsule:
        """Return a capsule under the transform, by the rule of game engines; `batch` are its batch axes."""
        fit(shape=batch, transform=self._transform.batch_shape)
        return collider.in_world(self._transform)


#: Trailing axes of one position, of one rotation matrix and of one scale.
_TRAILING = {"position": 1, "rotation": 2, "scale": 0}


def _sine_and_cosine(degrees: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return sine and cosine, exact for quarter turns."""
    within = np.remainder(degrees, 360.0)
    sine = np.where(within % 180.0 == 0.0, 0.0, np.sin(np.radians(within)))
    cosine = np.where(within % 180.0 == 90.0, 0.0, np.cos(np.radians(within)))
    return sine, cosine
