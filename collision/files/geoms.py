"""The geoms of a MuJoCo model: what they are called, which of them become shapes and where, and shapes as geoms."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from collision.base.fields import FloatArray
from collision.files.needed import need_mujoco
from collision.scene.names import CONTROL
from collision.shapes.kinds import AABB, Capsule, HalfSpace, OrientedBox, Shape, Sphere
from collision.shapes.quaternions import quaternions_of, to_axis

#: MuJoCo's kinds of geom, at the places of its own numbers for them.
KINDS = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")

#: What each kind that becomes a shape is made of: the center, the frame (columns are its axes) and MuJoCo's sizes.
MAKERS: MappingProxyType[str, Callable[[FloatArray, FloatArray, FloatArray], Shape]] = MappingProxyType(
    {
        "sphere": lambda center, axes, size: Sphere(center, size[0]),
        # The z axis of a capsule given by "fromto" points from the second point to the first.
        "capsule": lambda center, axes, size: Capsule(
            center + size[1] * axes[:, 2], center - size[1] * axes[:, 2], size[0]
        ),
        "box": OrientedBox,
        # Whatever size it is drawn in, MuJoCo compares a plane without ends, and all below it as solid.
        "plane": lambda center, axes, size: HalfSpace(center, axes[:, 2]),
    }
)

#: Characters that have a meaning in the names of a scene, and those that take their place.
_CHARACTERS = str.maketrans("[]*", "()+")


#: The quaternion of what is not turned, as MuJoCo has them.
_UPRIGHT = np.array([1.0, 0.0, 0.0, 0.0])


class Skipped(NamedTuple):
    """A part of the model that is not in the scene: its name, its kind in MuJoCo's words, and why."""

    name: str
    kind: str
    reason: str


class Geoms(NamedTuple):
    """The geoms that become shapes, by MuJoCo's numbers, with their names and kinds; what is left out; what to note."""

    numbers: list[int]
    names: list[str]
    kinds: list[str]
    skipped: list[Skipped]
    notes: list[str]


def _reason(kind: str) -> str:
    """Say why a geom of a kind is left out."""
    article = "an" if kind == "ellipsoid" else "a"
    return f"only spheres, capsules, boxes and planes are compared, and {article} {kind} is none of them"


def read_geoms(model: Any) -> Geoms:
    """Return what becomes of the geoms of a compiled model."""
    import mujoco

    names, notes = _names(model)
    kinds = [KINDS[number] for number in model.geom_type.tolist()]
    shown = [i for i, kind in enumerate(kinds) if kind in MAKERS]
    left_out = [(names[i], kind) for i, kind in enumerate(kinds) if kind not in MAKERS]
    flexes = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_FLEX, i) for i in range(model.nflex)]
    left_out += [(name or f"flex{i}", "flex") for i, name in enumerate(flexes)]
    skipped = [Skipped(name, kind, _reason(kind)) for name, kind in left_out]
    return Geoms(shown, [names[i] for i in shown], [kinds[i] for i in shown], skipped, notes)


def place_shapes(model: Any, geoms: Geoms, qpos: FloatArray, mocap: FloatArray) -> dict[str, Shape]:
    """Return the shapes by name, in world coordinates, at MuJoCo's position coordinates and those of mocap bodies."""
    import mujoco

    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    data.mocap_pos[:], data.mocap_quat[:] = mocap[:, :3], mocap[:, 3:]
    mujoco.mj_kinematics(model, data)
    shapes = {}
    for i, name, kind in zip(geoms.numbers, geoms.names, geoms.kinds, strict=True):
        try:
            shapes[name] = MAKERS[kind](data.geom_xpos[i], data.geom_xmat[i].reshape(3, 3), model.geom_size[i])
        except ValueError as error:  # MuJoCo takes any numbers, and adds them up until they overflow
            raise ValueError(f"the geom {name!r} makes no shape: {error}") from error
    return shapes


def to_geom(shape: Shape) -> dict[str, Any]:
    """Return a shape as MuJoCo's ``add_geom`` takes it.

    `read_model` makes the same shape of it again: a box along the axes as an `OrientedBox`, a capsule without length as
    a `Sphere`.

    Parameters
    ----------
    shape : Sphere, Capsule, OrientedBox, AABB or HalfSpace
        A single one, in the coordinates of the body that it is to be a part of. A half-space becomes a plane, which
        MuJoCo allows on bodies that do not move.

    Returns
    -------
    dict of str to object
        The arguments ``type``, ``size``, ``pos`` and ``quat``. A body that falls or tumbles is simulated best where its
        own middle is: have ``add_body`` take the last two.

    Raises
    ------
    ValueError
        If MuJoCo has no geom for the shape: for other kinds, batches, and sizes of zero. An `ImporterError` if MuJoCo
        is not installed.

    Examples
    --------
    A ball above a floor, and what MuJoCo makes of it.

    >>> import mujoco
    >>> from collision import HalfSpace, Sphere
    >>> spec = mujoco.MjSpec()
    >>> _ = spec.worldbody.add_geom(name="floor", **to_geom(HalfSpace([0, 0, 0], [0, 0, 1])))
    >>> body = spec.worldbody.add_body()
    >>> _ = body.add_freejoint(), body.add_geom(name="ball", **to_geom(Sphere([0, 0, 2], 0.5)))
    >>> from collision.importers import read_model
    >>> read_model(spec.compile()).scene["ball"]
    Sphere(center=[0.0, 0.0, 2.0], radius=0.5)
    """
    kinds = need_mujoco("a shape as a geom").mjtGeom
    if not isinstance(shape, Sphere | Capsule | OrientedBox | AABB | HalfSpace) or shape.batch_shape:
        got = "a batch" if isinstance(shape, Shape) and shape.batch_shape else type(shape).__name__
        raise ValueError(f"a geom is a single sphere, capsule, box or half-space, got {got}")
    if isinstance(shape, HalfSpace):  # without ends: the third number is how far apart lines are drawn on it
        return {"type": kinds.mjGEOM_PLANE, "size": [0, 0, 1], "pos": shape.point, "quat": _turned_to(shape.normal)}
    kind, size, center, quat = _solid(shape)
    if not np.all(np.array(size) > 0.0):
        raise ValueError(f"a geom has sizes above zero, got {shape!r}")
    return {"type": kinds(KINDS.index(kind)), "size": [*size, 0, 0][:3], "pos": center, "quat": quat}


def _solid(shape: Sphere | Capsule | OrientedBox | AABB) -> tuple[str, list[float], FloatArray, FloatArray]:
    """Return the kind of a geom, its sizes, its place, and how it is turned."""
    match shape:
        case Sphere():
            return "sphere", [float(shape.radius)], shape.center, _UPRIGHT
        case Capsule() if np.all(shape.start == shape.end):
            return "sphere", [float(shape.radius)], shape.start, _UPRIGHT
        case Capsule():
            arm = 0.5 * (shape.start - shape.end)
            return "capsule", [float(shape.radius), float(np.linalg.norm(arm))], shape.end + arm, _turned_to(arm)
    box = shape.oriented() if isinstance(shape, AABB) else shape
    return "box", box.half_extents.tolist(), box.center, _scalar_first(quaternions_of(box.axes))


def _turned_to(axis: FloatArray) -> FloatArray:
    """Return what turns the z axis to another."""
    return _scalar_first(to_axis(axis))


def _scalar_first(quaternion: FloatArray) -> FloatArray:
    """Return a rotation as MuJoCo has it: (w, x, y, z)."""
    return np.roll(quaternion, 1)


def _names(model: Any) -> tuple[list[str], list[str]]:
    """Return a name for every geom, no two the same, and a note for each name that had to change."""
    names: list[str] = []
    notes: list[str] = []
    taken = {model.geom(i).name for i in range(model.ngeom)}
    for i, body in enumerate(model.geom_bodyid.tolist()):
        given = model.geom(i).name
        first = int(model.body_geomadr[body])
        wanted = given or f"{model.body(body).name or f'body{body}'}/geom{i - first}"
        name = CONTROL.sub("_", wanted.translate(_CHARACTERS))
        if name != given:
            name = _free(name, taken)
            taken.add(name)
        if given and name != given:
            notes.append(
                f"{given!r} is called {name!r} here: the characters [ ] * have a meaning in a scene, and a name is one "
                "line"
            )
        names.append(name)
    return names, notes


def _free(name: str, taken: set[str]) -> str:
    """Return the name, with a number behind it if another geom has it."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free
