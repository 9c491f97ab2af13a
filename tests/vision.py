"""How colours look to eyes that lack one kind of cone, and how far apart two colours look."""

from __future__ import annotations

import numpy as np

from collision.base.fields import FloatArray
from viewer.records.theme import Color

#: Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (2009):
#: the matrices for a complete lack, to be applied to linear red, green and blue.
DEFICIENCIES = {
    "none": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}

#: From linear sRGB to CIE XYZ, and the white of a screen.
_TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_WHITE = _TO_XYZ.sum(axis=1)


def linear(color: Color) -> FloatArray:
    parts = np.array(color) / 255.0
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(light: FloatArray) -> FloatArray:
    """Return linear red, green and blue as CIE L*a*b*, in which one is about what is just seen."""
    t = _TO_XYZ @ light / _WHITE
    x, y, z = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def difference(a: Color, b: Color, deficiency: str) -> float:
    """Return how far apart two colours look to an eye with a deficiency."""
    matrix = np.array(DEFICIENCIES[deficiency])
    one, other = (lab(np.clip(matrix @ linear(color), 0.0, 1.0)) for color in (a, b))
    return float(np.linalg.norm(one - other))
