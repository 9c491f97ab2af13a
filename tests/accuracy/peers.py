"""Other libraries, each asked in a process of its own, since some of them crash or never return.

This module is read by those processes, so it imports nothing of `collision`.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from importlib import import_module, metadata
from multiprocessing.connection import Connection
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]

#: How long a library may take to load, and then over one pair, in seconds. An answer takes them microseconds.
LOADING, PATIENCE = 60.0, 1.0


class Solid(NamedTuple):
    """A sphere (radius), capsule (radius, half the length of its axis, which is its own z) or box (half extents)."""

    kind: str
    sizes: tuple[float, ...]
    place: FloatArray
    frame: FloatArray


#: What is not said.
NOWHERE: FloatArray = np.full(3, np.nan)


class Answer(NamedTuple):
    """What a library says of a pair: NaN for what it does not say; `trouble` tells why it says nothing."""

    distance: float
    touching: bool
    on_a: FloatArray = NOWHERE
    on_b: FloatArray = NOWHERE
    normal: FloatArray = NOWHERE
    trouble: str = ""


Pair: TypeAlias = tuple[Solid, Solid]
Ask: TypeAlias = Callable[[Solid, Solid], Answer]

#: The module that must be there, and how it is installed.
PEERS = {"coal": ("coal", "coal"), "MuJoCo": ("mujoco", "mujoco"), "python-fcl": ("fcl", "python-fcl")}


def version(name: str) -> str:
    """Return the version of a library, empty if it is not installed."""
    try:
        return metadata.version(PEERS[name][1])
    except metadata.PackageNotFoundError:
        return ""


# --- on the side of the library -------------------------------------------------------------------


def _coal() -> Ask:
    coal = import_module("coal")

    def geometry(solid: Solid) -> Any:
        if solid.kind == "box":
            return coal.Box(*(2.0 * size for size in solid.sizes))
        return coal.Sphere(*solid.sizes) if solid.kind == "sphere" else coal.Capsule(solid.sizes[0], 2 * solid.sizes[1])

    def ask(a: Solid, b: Solid) -> Answer:
        parts = [x for solid in (a, b) for x in (geometry(solid), coal.Transform3s(solid.frame, solid.place))]
        found = coal.DistanceResult()
        distance = coal.distance(*parts, coal.DistanceRequest(), found)
        touching = coal.collide(*parts, coal.CollisionRequest(), coal.CollisionResult()) > 0
        points = found.getNearestPoint1(), found.getNearestPoint2()
        return Answer(distance, touching, *map(np.array, (*points, found.normal)))

    return ask


def _fcl() -> Ask:
    fcl = import_module("fcl")

    def thing(solid: Solid) -> Any:
        if solid.kind == "box":
            geometry = fcl.Box(*(2.0 * size for size in solid.sizes))
        elif solid.kind == "sphere":
            geometry = fcl.Sphere(*solid.sizes)
        else:
            geometry = fcl.Capsule(solid.sizes[0], 2.0 * solid.sizes[1])
        return fcl.CollisionObject(geometry, fcl.Transform(solid.frame, solid.place))

    def ask(a: Solid, b: Solid) -> Answer:
        first, second = thing(a), thing(b)
        request, found = fcl.DistanceRequest(True, enable_signed_distance=True), fcl.DistanceResult()
        distance = fcl.distance(first, second, request, found)
        touching = fcl.collide(first, second, fcl.CollisionRequest(), fcl.CollisionResult()) > 0
        on_a, on_b = map(np.array, found.nearest_points)
        return Answer(distance, touching, on_a, on_b, between(on_a, on_b, distance))

    return ask


def _mujoco() -> Ask:
    mujoco = import_module("mujoco")
    kinds = {"sphere": "sphere", "capsule": "capsule", "box": "box"}
    models = {}

    def model_of(a: Solid, b: Solid) -> tuple[Any, Any]:
        if (a.kind, b.kind) not in models:
            geoms = "".join(f"<geom type='{kinds[s.kind]}' size='1 1 1'/>" for s in (a, b))
            model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>")
            data = mujoco.MjData(model)
            mujoco.mj_kinematics(model, data)
            models[a.kind, b.kind] = model, data
        model, data = models[a.kind, b.kind]
        for i, solid in enumerate((a, b)):
            model.geom_size[i] = (*solid.sizes, 0.0, 0.0)[:3]
            data.geom_xpos[i], data.geom_xmat[i] = solid.place, solid.frame.ravel()
        return model, data

    def ask(a: Solid, b: Solid) -> Answer:
        farthest = 2.0 * (float(np.linalg.norm(a.place - b.place)) + 4.0 * max(*a.sizes, *b.sizes))
        points = np.zeros(6)
        distance = mujoco.mj_geomDistance(*model_of(a, b), 0, 1, farthest, points)
        on_a, on_b = points[:3], points[3:]
        return Answer(distance, distance <= 0.0, on_a, on_b, between(on_a, on_b, distance))

    return ask


def between(on_a: FloatArray, on_b: FloatArray, distance: float) -> FloatArray:
    """Return the normal from A to B that two witness points imply; NaN if they coincide."""
    way = on_b - on_a
    length = float(np.linalg.norm(way))
    return np.copysign(1.0, distance) * way / length if length > 0.0 else NOWHERE


_MAKERS: dict[str, Callable[[], Ask]] = {"coal": _coal, "MuJoCo": _mujoco, "python-fcl": _fcl}


def _serve(name: str, pairs: list[Pair], line: Connection) -> None:
    """Answer pair after pair; an empty message first says that the library is loaded."""
    ask = _MAKERS[name]()
    line.send(None)
    for a, b in pairs:
        try:
            found = ask(a, b)
            line.send(found._replace(distance=float(found.distance), touching=bool(found.touching)))
        except Exception as error:  # whatever a library raises is its answer
            line.send(Answer(np.nan, False, trouble=f"raised {type(error).__name__}"))


# --- on our side ----------------------------------------------------------------------------------


def answers(name: str, pairs: list[Pair], *, losses: int = 3) -> Iterator[Answer]:
    """Yield what a library answers to each pair; after some losses (it crashed or never returned) no more."""
    done = 0
    while done < len(pairs):
        answered = 0
        for answer in _session(name, pairs[done:]):
            answered += 1
            yield answer
            lost = answer.trouble in (NEVER, CRASHED)
        done += answered
        losses -= lost
        if losses == 0:
            return


NEVER, CRASHED = "did not return", "crashed"


def _session(name: str, pairs: list[Pair]) -> Iterator[Answer]:
    """Yield answers from one process, until the last pair, or until one that is never answered."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(name, pairs, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        if not ours.poll(LOADING):
            raise ChildProcessError(f"{name} did not load within {LOADING:g} s")
        try:
            ours.recv()
        except EOFError:
            raise ChildProcessError(f"{name} did not load") from None
        for _ in pairs:
            if not ours.poll(PATIENCE):
                yield Answer(np.nan, False, trouble=NEVER)
                return
            try:
                yield ours.recv()
            except EOFError:
                yield Answer(np.nan, False, trouble=CRASHED)
                return
    finally:
        process.kill()
        process.join()
        ours.close()
