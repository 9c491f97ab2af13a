"""The geoms of a MuJoCo model: what they are called, which of them become shapes, and where they are."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, NamedTuple

from collision.fields import FloatArray
from collision.scene.names import CONTROL
from collision.shapes import Capsule, HalfSpace, OrientedBox, Shape, Sphere

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


def place_shapes(model: Any, geoms: Geoms, qpos: FloatArray) -> dict[str, Shape]:
    """Return the shapes by name, in world coordinates, at MuJoCo's position coordinates."""
    import mujoco

    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    return {
        name: MAKERS[kind](data.geom_xpos[i], data.geom_xmat[i].reshape(3, 3), model.geom_size[i])
        for i, name, kind in zip(geoms.numbers, geoms.names, geoms.kinds, strict=True)
    }


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
