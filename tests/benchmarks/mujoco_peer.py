"""How MuJoCo is asked: a model with all shapes is compiled beforehand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np

from collision import Bodies, Capsule, Ray, Shape, Sphere
from collision.base.fields import FloatArray, IntArray
from tests.benchmarks.inputs import Crowd, Pair
from tests.benchmarks.peers import poses, sizes

#: It refuses models with more bodies than this.
MOST_BODIES = 65_533

#: Adding a body takes as long as there are bodies already, so bodies are added to small models, which are then joined.
_PART = 300

#: What is put before the names of what is joined.
_PREFIX = "of "


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
    return _collider(_joined([geom for batch in crowd for geom in _geoms(batch)]))


def contacts_of_pairs(pair: Pair) -> Callable[[], Any]:
    """Return the function that collides each shape of A with its partner of B alone."""
    geoms = [*_geoms(pair.a), *_geoms(pair.b)]
    for number, geom in enumerate(geoms):
        geom.update(name=str(number), contype=0, conaffinity=0)
    spec, count = _joined(geoms), len(pair.a)
    for number in range(count):
        spec.add_pair(geomname1=_PREFIX + str(number), geomname2=_PREFIX + str(number + count))
    return _collider(spec)


def pose_loop(bodies: Bodies, places: FloatArray, quaternions: FloatArray) -> Callable[[], list[bool]]:
    """Return the loop that tells pose after pose whether any two shapes of different bodies touch."""
    spec, scene = mujoco.MjSpec(), bodies.scene
    for name in bodies.names:
        body = spec.worldbody.add_body(name=name)
        body.add_freejoint()
        for geom in _geoms(scene.shapes[name].flattened()):
            body.add_geom(**geom)
    for name in scene.shapes.keys() - set(bodies.names):
        for geom in _geoms(scene.shapes[name].flattened()):
            spec.worldbody.add_geom(**geom)
    for a, b in scene.ignored:
        spec.add_exclude(bodyname1=a, bodyname2=b)
    model = spec.compile()
    data = mujoco.MjData(model)
    ready = np.concatenate([places, np.roll(quaternions, 1, axis=-1)], axis=-1).reshape(len(places), -1)

    def loop() -> list[bool]:
        answers = []
        for pose in ready:
            data.qpos[:] = pose
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            mujoco.mj_collision(model, data)
            answers.append(data.ncon > 0)
        return answers

    return loop


def _joined(geoms: list[dict[str, Any]]) -> Any:
    """Return a model of many bodies that can move, each of one geom."""
    spec = mujoco.MjSpec()
    spec.memory = 5 * len(geoms) ** 2 + 100_000_000  # it lists pairs in arrays that grow so
    for start in range(0, len(geoms), _PART):
        spec.attach(_bodies(geoms[start : start + _PART]), frame=spec.worldbody.add_frame(), prefix=_PREFIX)
    return spec


def _collider(spec: Any) -> Callable[[], Any]:
    """Return the function that finds the contacts of a model, where its bodies are."""
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
        body.add_geom(**{key: value for key, value in geom.items() if key not in ("pos", "quat")})
    return spec


def pairs_found(data: Any) -> IntArray:
    """Return the numbers of the shapes of each contact, (k, 2)."""
    return np.asarray(data.contact.geom, dtype=np.int64).reshape(-1, 2)


def ray_loop(crowd: Crowd, rays: Ray) -> Callable[[], list[float]]:
    """Return the loop that asks ray after ray for the distance of the first hit; -1 for none."""
    spec = mujoco.MjSpec()
    for batch in crowd:
        for geom in _geoms(batch):
            spec.worldbody.add_geom(**geom)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    hit = np.zeros((1, 1), dtype=np.int32)
    ready = list(zip(rays.origin, rays.direction, strict=True))
    cast = mujoco.mj_ray

    def loop() -> list[float]:
        return [cast(model, data, origin, direction, None, 1, -1, hit) for origin, direction in ready]

    return loop
