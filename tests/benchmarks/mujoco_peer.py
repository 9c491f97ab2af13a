"""How MuJoCo is asked: a model with all shapes is compiled beforehand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np

from collision import Capsule, Shape, Sphere
from collision.fields import IntArray
from tests.benchmarks.inputs import Crowd, Pair
from tests.benchmarks.peers import poses, sizes

#: It refuses models with more bodies than this.
MOST_BODIES = 65_533

#: Adding a body takes as long as there are bodies already, so bodies are added to small models, which are then joined.
_PART = 300


def _geoms(shape: Shape) -> list[dict[str, Any]]:
    kind = mujoco.mjtGeom.mjGEOM_BOX
    if isinstance(shape, Sphere | Capsule):
        kind = mujoco.mjtGeom.mjGEOM_SPHERE if isinstance(shape, Sphere) else mujoco.mjtGeom.mjGEOM_CAPSULE
    places, rotations = poses(shape)
    width = np.zeros((len(shape), 3))
    width[:, : sizes(shape).shape[1]] = sizes(shape)
    parts = zip(width, places, rotations.as_quat(scalar_first=True), strict=True)
    return [{"type": kind, "size": size, "pos": place, "quat": turn} for size, place, turn in parts]


def distance_loop(pair: Pair) -> Callable[[], list[float]]:
    """Return the loop that asks for the signed distance of pair after pair."""
    spec = mujoco.MjSpec()
    for geom in (*_geoms(pair.a), *_geoms(pair.b)):
        spec.worldbody.add_geom(**geom)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    count = len(pair.a)
    ready = [(i, i + count) for i in range(count)]
    distance = mujoco.mj_geomDistance

    def loop() -> list[float]:
        answers = []
        for a, b in ready:
            answers.append(distance(model, data, a, b, 100.0, None))
        return answers

    return loop


def colliding_pairs(crowd: Crowd) -> Callable[[], Any]:
    """Return the function that collides all shapes, each a body that can move."""
    geoms = [geom for batch in crowd for geom in _geoms(batch)]
    spec = mujoco.MjSpec()
    spec.memory = 5 * len(geoms) ** 2 + 100_000_000  # it lists pairs in arrays that grow so
    for start in range(0, len(geoms), _PART):
        spec.attach(_bodies(geoms[start : start + _PART]), frame=spec.worldbody.add_frame(), prefix=f"{start} ")
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)

    def collide() -> Any:
        mujoco.mj_collision(model, data)
        return data

    return collide


def _bodies(geoms: list[dict[str, Any]]) -> Any:
    spec = mujoco.MjSpec()
    for geom in geoms:
        body = spec.worldbody.add_body(pos=geom["pos"], quat=geom["quat"])
        body.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE)  # what cannot move is not tested against what cannot move
        body.add_geom(type=geom["type"], size=geom["size"])
    return spec


def pairs_found(data: Any) -> IntArray:
    """Return the numbers of the shapes of each contact, (k, 2)."""
    return np.asarray(data.contact.geom, dtype=np.int64).reshape(-1, 2)
