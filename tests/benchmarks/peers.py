"""The peers: which are installed, and what they are given."""

from __future__ import annotations

from importlib import import_module, metadata
from types import ModuleType

import numpy as np
from scipy.spatial.transform import Rotation

from collision import Capsule, OrientedBox, Shape, Sphere
from collision.base.fields import FloatArray

#: What a peer is called, the module that knows how to ask it, what must be importable, and how it is installed.
_PEERS = {
    "coal": ("coal_peer", "coal", "coal"),
    "MuJoCo": ("mujoco_peer", "mujoco", "mujoco"),
    "PyBullet": ("bullet_peer", "pybullet", "pybullet"),
    "python-fcl": ("fcl_peer", "fcl", "python-fcl"),
}


def load(name: str) -> ModuleType | None:
    """Return the module that asks a peer, or None if the peer is not installed."""
    module, library, _ = _PEERS[name]
    try:
        return import_module(f"{__package__}.{module}")
    except ModuleNotFoundError as error:
        if error.name != library:
            raise
        return None


def versions() -> dict[str, str]:
    """Return the versions of the peers that are installed."""
    found = {}
    for name, (_, _, distribution) in _PEERS.items():
        try:
            found[name] = metadata.version(distribution)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def poses(shape: Shape) -> tuple[FloatArray, Rotation]:
    """Return where shapes are and how they are turned, for libraries in which a capsule lies along its own z axis."""
    if isinstance(shape, Sphere):
        return shape.center, Rotation.identity(len(shape))
    if isinstance(shape, OrientedBox):
        return shape.center, Rotation.from_matrix(shape.axes)
    assert isinstance(shape, Capsule)
    d = shape.end - shape.start
    d = d / np.linalg.norm(d, axis=1, keepdims=True)
    quaternions = np.stack([-d[:, 1], d[:, 0], np.zeros(len(d)), 1.0 + d[:, 2]], axis=1)
    return 0.5 * (shape.start + shape.end), Rotation.from_quat(quaternions)


def quaternions_of(matrices: FloatArray) -> FloatArray:
    """Return the quaternions (..., 4) of rotation matrices (..., 3, 3)."""
    flat = Rotation.from_matrix(matrices.reshape(-1, 3, 3)).as_quat()
    return np.asarray(flat, dtype=np.float64).reshape(*matrices.shape[:-2], 4)


def sizes(shape: Shape) -> FloatArray:
    """Return (radius,), (radius, half the length of the axis) or half extents of shapes, (n, 1 to 3)."""
    if isinstance(shape, Sphere):
        return shape.radius[:, None]
    if isinstance(shape, OrientedBox):
        return shape.half_extents
    assert isinstance(shape, Capsule)
    return np.stack([shape.radius, 0.5 * np.linalg.norm(shape.end - shape.start, axis=1)], axis=1)
