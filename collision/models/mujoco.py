"""MJCF models, as MuJoCo reads them; it is imported when a model is loaded, not before."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from collision.base.fields import ArrayLike, BoolArray, FloatArray, IntArray
from collision.base.files import shown_path
from collision.models.ignored import ignored_pairs
from collision.models.meshes import MeshHull, hull_of
from collision.models.model import ImporterError, Joint, Model, Skipped
from collision.models.visuals import joined_by_link
from collision.models.words import NOT_COMPARED, caption_of, free_name, hulls_note, plain_name
from collision.scene.names import CONTROL
from collision.shapes.kinds import AABB, Capsule, Cylinder, HalfSpace, OrientedBox, Shape, Sphere
from collision.shapes.rotations import quaternions_of, to_axis
from collision.shapes.transforms import Transform


def _need_mujoco(what: str) -> ModuleType:
    """Return MuJoCo, or say what takes it, and how to get it."""
    try:
        import mujoco
    except ImportError as error:
        how = f"get it with: {sys.executable} -m pip install mujoco"
        raise ImporterError(f"{what} takes MuJoCo ({error}); {how}") from error
    found: ModuleType = mujoco
    return found


class _Geoms(NamedTuple):
    """The geoms that become shapes, by MuJoCo's numbers; those in their bodies; what is left out; what to note."""

    numbers: list[int]
    names: list[str]
    kinds: list[str]
    shapes: list[Shape]
    skipped: list[Skipped]
    notes: list[str]


#: What MuJoCo calls a model without a name.
_UNNAMED = "MuJoCo Model"


def read_file(file: Path, *, visuals: bool = False) -> Model:
    """Return the model in a file that MuJoCo reads."""
    warnings: list[str] = []
    compiled = _compile(file, warnings.append)
    try:
        model = _read(compiled, file.stem, file.name, warnings)
        return replace(model, visuals=joined_by_link(_meshes(compiled))) if visuals else model
    except ValueError as error:
        raise ImporterError(f"{shown_path(file)}: {error}") from error


def read_model(compiled: Any) -> Model:
    """Read a model that MuJoCo has compiled, as one that a program makes of an ``MjSpec``, in its initial pose.

    ``read_model(compiled).at(data)`` is the pose of a simulation. What becomes of the parts, and which pairs are
    ignored, is as `load_model` says. `to_geom` makes geoms of shapes.

    Parameters
    ----------
    compiled : mujoco.MjModel
        It is not changed, and has to stay as it is.

    Examples
    --------
    >>> import mujoco
    >>> ball = '<body><freejoint/><geom name="ball" type="sphere" size=".5" pos="0 0 2"/></body>'
    >>> compiled = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{ball}</worldbody></mujoco>")
    >>> falling, data = read_model(compiled), mujoco.MjData(compiled)
    >>> mujoco.mj_step(compiled, data, 100)
    >>> falling.at(data).scene["ball"].center.round(3)
    array([0.   , 0.   , 1.802])
    """
    if not isinstance(compiled, _need_mujoco("reading a model").MjModel):
        raise ValueError(f"read_model takes a mujoco.MjModel, got {type(compiled).__name__}")
    return _read(compiled, "", "a model of MuJoCo", [])


# -- a model as a scene ------------------------------------------------------------------------------------------------


def _read(compiled: Any, title: str, source: str, warnings: list[str]) -> Model:
    geoms = _read_geoms(compiled)
    table = _compared_pairs(compiled, geoms.numbers)
    alone = _compared_with_nothing(compiled, geoms.numbers, table)
    welds = compiled.body_weldid[compiled.geom_bodyid[geoms.numbers]].tolist() if geoms.numbers else []
    links, joints, q, mocap = _read_bodies(compiled, geoms)
    poses, odd = _read_keyframes(compiled, [joint for joint in joints if joint.size])
    skipped = [*geoms.skipped, *odd]
    model = Model.of(
        links,
        joints,
        q=q,
        ignored=ignored_pairs(geoms.names, welds, table, alone),
        title=_title(compiled) or title,
        caption=_written_caption(compiled)
        or caption_of(
            source,
            geoms.kinds,
            [part.kind for part in skipped],
            alone=int(alone.sum()),
            any_pair=bool(table.any()),
        ),
        skipped=skipped,
        notes=(*warnings, *geoms.notes, *_differences(compiled)),
        mocap=mocap,
    )
    return replace(model, poses=poses)


def _compile(file: Path, warn: Callable[[str], None]) -> Any:
    mujoco = _need_mujoco(f"{shown_path(file)}: reading a model")
    try:
        with _warnings_to(warn):
            return mujoco.MjModel.from_xml_path(str(file))
    except (ValueError, mujoco.FatalError) as error:
        raise ImporterError(f"{shown_path(file)}: MuJoCo cannot read this model: {_plain(error)}") from error


@contextmanager
def _warnings_to(warn: Callable[[str], None]) -> Iterator[None]:
    """Have MuJoCo's warnings for a while; else they go to stderr and to a file in the working directory."""
    import mujoco

    before = mujoco.get_mju_user_warning()
    mujoco.set_mju_user_warning(lambda text: warn(f"MuJoCo warns: {_one_line(text)}"))
    try:
        yield
    finally:
        mujoco.set_mju_user_warning(before)


#: What MuJoCo hands on of its reader of XML: the kind of the mistake, its line, and perhaps the element.
_XML = re.compile(
    r"XML parse error \d+: Error=XML_(?:ERROR_)?(\w+) ErrorID=.*? Line number=(\d+)(?:: XMLElement name=(.*))?"
)


def _plain(error: object) -> str:
    """Return what MuJoCo says of a model in one line, and of mistakes in its XML in words."""
    text = _one_line(error)
    if (found := _XML.fullmatch(text)) is None:
        return text
    what, line, element = found.groups()
    return f"it is no valid XML: {what.replace('_', ' ').lower()}{f' <{element}>' if element else ''}, line {line}"


def _one_line(message: object) -> str:
    return CONTROL.sub("\N{REPLACEMENT CHARACTER}", " ".join(str(message).split()))


# -- what is said of a model -------------------------------------------------------------------------------------------


def _title(compiled: Any) -> str:
    """Return what the model is called, or nothing."""
    name = compiled.names.partition(b"\0")[0].decode("utf-8", "replace")
    return "" if name == _UNNAMED else name


def _written_caption(compiled: Any) -> str:
    """Return the text that the model itself calls its caption, or none."""
    import mujoco

    number = mujoco.mj_name2id(compiled, mujoco.mjtObj.mjOBJ_TEXT, "caption")
    if number < 0:
        return ""
    start, size = int(compiled.text_adr[number]), int(compiled.text_size[number])
    return bytes(compiled.text_data)[start : start + size].rstrip(b"\0").decode("utf-8", "replace")


def _differences(compiled: Any) -> list[str]:
    """Say what MuJoCo does with the model and the scene does not."""
    import mujoco

    notes = []
    reach = [
        np.max(values, initial=0.0)
        for values in (compiled.geom_margin, compiled.geom_gap, compiled.pair_margin, compiled.pair_gap)
    ]
    if max(reach) > 0.0:
        notes.append(
            f"MuJoCo lists contacts before shapes touch (margins and gaps up to {max(reach):g}); here they must touch"
        )
    flags = mujoco.mjtDisableBit
    if compiled.opt.disableflags & (flags.mjDSBL_CONTACT | flags.mjDSBL_CONSTRAINT):
        notes.append("the model switches contacts off; here its shapes are compared all the same")
    if count := int(np.count_nonzero(compiled.eq_active0)):
        held = "1 equality constraint is" if count == 1 else f"{count} equality constraints are"
        notes.append(f"{held} not looked at: joints take any values here")
    return notes


# -- geoms as shapes ---------------------------------------------------------------------------------------------------


#: MuJoCo's kinds of geom, in the order of its own numbers for them.
_KINDS = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")

#: What each kind that becomes a shape is made of: the center, the frame (columns are its axes) and MuJoCo's sizes.
_MAKERS: MappingProxyType[str, Callable[[FloatArray, FloatArray, FloatArray], Shape]] = MappingProxyType(
    {
        "sphere": lambda center, axes, size: Sphere(center, size[0]),
        # The z axis of a capsule given by "fromto" points from the second point to the first.
        "capsule": lambda center, axes, size: Capsule(
            center + size[1] * axes[:, 2], center - size[1] * axes[:, 2], size[0]
        ),
        "cylinder": lambda center, axes, size: Cylinder(
            center + size[1] * axes[:, 2], center - size[1] * axes[:, 2], size[0]
        ),
        "box": OrientedBox,
        # Whatever size it is drawn in, MuJoCo compares a plane without ends, and all below it as solid.
        "plane": lambda center, axes, size: HalfSpace(center, axes[:, 2]),
    }
)

#: What a caption calls kinds that have another name in MuJoCo.
_CALLED = {"mesh": "hull"}

#: What its kinds of joint are here, in the order of its own numbers for them.
_JOINTS = ("floating", "ball", "prismatic", "revolute")

#: The quaternion (x, y, z, w) of what is not turned.
_UPRIGHT = np.array([0.0, 0.0, 0.0, 1.0])


def _read_geoms(model: Any) -> _Geoms:
    """Return what becomes of the geoms of a compiled model."""
    import mujoco

    names, notes = _names(model)
    kinds = [_KINDS[number] for number in model.geom_type.tolist()]
    drawn = _only_drawn(model)
    shown = [i for i, kind in enumerate(kinds) if kind in _MAKERS or (kind == "mesh" and not drawn[i])]
    left_out = [(names[i], kind) for i, kind in enumerate(kinds) if kind not in (*_MAKERS, "mesh")]
    flexes = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_FLEX, i) for i in range(model.nflex)]
    left_out += [(name or f"flex{i}", "flex") for i, name in enumerate(flexes)]
    skipped = [
        Skipped(name, kind, NOT_COMPARED.format("an" if kind == "ellipsoid" else "a", kind)) for name, kind in left_out
    ]
    mesh_of = {i: int(model.geom_dataid[i]) for i in shown if kinds[i] == "mesh"}
    hulls = {mesh: hull_of(_points(model, mesh)) for mesh in set(mesh_of.values())}
    shapes = [_shape(model, i, names[i], kinds[i], hulls) for i in shown]
    if unseen := sum(kind == "mesh" and only for kind, only in zip(kinds, drawn, strict=True)):
        notes.append(f"{unseen} mesh{'es are' if unseen > 1 else ' is'} only drawn, and compared with nothing")
    if mesh_of:
        notes.append(hulls_note({names[i]: hulls[mesh].excess for i, mesh in mesh_of.items()}))
    return _Geoms(
        shown, [names[i] for i in shown], [_CALLED.get(kinds[i], kinds[i]) for i in shown], shapes, skipped, notes
    )


def _only_drawn(model: Any) -> list[bool]:
    """Return for each geom whether nothing is compared with it: contype and conaffinity zero, and no <pair> with it."""
    paired = {*model.pair_geom1.tolist(), *model.pair_geom2.tolist()}
    bits = (model.geom_contype | model.geom_conaffinity).tolist()
    return [not own and i not in paired for i, own in enumerate(bits)]


def _points(model: Any, mesh: int) -> FloatArray:
    """Return the points of a mesh, (n, 3), in its own frame."""
    start, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
    return np.array(model.mesh_vert[start : start + count], dtype=np.float64)


def _meshes(model: Any) -> Iterator[tuple[str, FloatArray, IntArray]]:
    """Yield all meshes of a model: the link of each, its points (n, 3) in the frame of that, and its triangles."""
    bodies = _body_names(model)
    for number, kind in enumerate(model.geom_type.tolist()):
        if _KINDS[kind] != "mesh":
            continue
        mesh = int(model.geom_dataid[number])
        place = Transform(model.geom_pos[number], np.roll(model.geom_quat[number], -1))
        start, count = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
        triangles = np.array(model.mesh_face[start : start + count], dtype=np.int64)
        yield bodies[model.geom_bodyid[number]], place.apply(_points(model, mesh)), triangles


def _body_names(model: Any) -> list[str]:
    return _given_or_made([model.body(i).name for i in range(model.nbody)], [f"body{i}" for i in range(model.nbody)])


def _shape(model: Any, number: int, name: str, kind: str, hulls: Mapping[int, MeshHull]) -> Shape:
    """Return a geom as a shape in the frame of its body."""
    place = Transform(model.geom_pos[number], np.roll(model.geom_quat[number], -1))
    try:
        if kind == "mesh":
            return hulls[int(model.geom_dataid[number])].shape.transformed(place)
        return _MAKERS[kind](np.array(model.geom_pos[number]), place.axes, np.array(model.geom_size[number]))
    except ValueError as error:  # MuJoCo takes any numbers
        raise ValueError(f"the geom {name!r} makes no shape: {error}") from error


class _Links(NamedTuple):
    """Bodies as links, the joints between them, their initial values, and the joints of mocap bodies."""

    links: dict[str, dict[str, Shape]]
    joints: list[Joint]
    q: dict[str, FloatArray]
    mocap: list[str]


def _read_bodies(model: Any, geoms: _Geoms) -> _Links:
    """Return bodies as links; a body with several joints has a link without shapes between each two of them."""
    names = _body_names(model)
    own: dict[str, dict[str, Shape]] = {name: {} for name in names}
    for number, name, shape in zip(geoms.numbers, geoms.names, geoms.shapes, strict=True):
        own[names[model.geom_bodyid[number]]][name] = shape
    made = [f"{names[body]}/joint{i - model.body_jntadr[body]}" for i, body in enumerate(model.jnt_bodyid.tolist())]
    titles = _given_or_made([model.joint(i).name for i in range(model.njnt)], made)
    found = _Links(own, [], {}, [""] * model.nmocap)
    for body, child in enumerate(names[1:], start=1):
        parent, first = names[model.body_parentid[body]], int(model.body_jntadr[body])
        origin = Transform(model.body_pos[body], np.roll(model.body_quat[body], -1))
        numbers = range(first, first + int(model.body_jntnum[body]))
        for number in numbers:
            between = child if number == numbers[-1] else f"{child} behind {titles[number]}"
            own.setdefault(between, {})
            joint, value = _joint(model, number, titles[number], parent, between, origin)
            found.joints.append(joint)
            found.q[joint.name] = value
            parent, origin = between, Transform()
        if not numbers:
            found.joints.append(Joint(f"{child} on {parent}", "fixed", parent, child, origin))
            if model.body_mocapid[body] >= 0:
                found.mocap[model.body_mocapid[body]] = found.joints[-1].name
    return found


def _joint(model: Any, number: int, name: str, parent: str, child: str, origin: Transform) -> tuple[Joint, FloatArray]:
    """Return a joint, and its value in the model's initial pose."""
    kind, limited = _JOINTS[model.jnt_type[number]], bool(model.jnt_limited[number])
    least, most = model.jnt_range[number].tolist() if limited and kind != "ball" else (-np.inf, np.inf)
    start = int(model.jnt_qposadr[number])
    if kind == "floating":  # its values are in the world, wherever the body was put
        return Joint(name, kind, parent, child), np.array(model.qpos0[start : start + 7])
    joint = Joint(
        name,
        "continuous" if kind == "revolute" and not limited else kind,
        parent,
        child,
        origin,
        np.array(model.jnt_axis[number]),
        (least, most),
        anchor=np.array(model.jnt_pos[number]),
    )
    value = np.array(model.qpos0[start : start + joint.size])
    if kind == "ball":
        return joint, value
    if value[0] != 0.0:  # the body is put where this value has it
        joint = replace(joint, origin=origin @ joint.motion(-value[0]))
    return joint, value[0]


def _read_keyframes(model: Any, joints: Sequence[Joint]) -> tuple[Mapping[str, Mapping[str, ArrayLike]], list[Skipped]]:
    """Return keyframes as poses by name, given the joints in MuJoCo's order, and those that are none."""
    names = _given_or_made([model.key(i).name for i in range(model.nkey)], [f"key{i}" for i in range(model.nkey)])
    poses, skipped = dict[str, Mapping[str, ArrayLike]](), list[Skipped]()
    for name, numbers in zip(map(_one_line, names), model.key_qpos, strict=True):
        parts = np.split(np.array(numbers), np.cumsum([joint.size for joint in joints])[:-1])
        values = {joint.name: part[0] if joint.size == 1 else part for joint, part in zip(joints, parts, strict=False)}
        try:
            for joint in joints:
                joint.motion(values[joint.name])
            poses[name] = MappingProxyType(values)
        except ValueError as error:
            skipped.append(Skipped(name, "keyframe", str(error)))
    return MappingProxyType(poses), skipped


def _given_or_made(given: list[str], made: list[str]) -> list[str]:
    """Return the names that a model has, and where it has none those that are made up, no two the same."""
    taken, names = set(given), []
    for own, other in zip(given, made, strict=True):
        names.append(own or free_name(other, taken))
        taken.add(names[-1])
    return names


def _names(model: Any) -> tuple[list[str], list[str]]:
    """Return a name for every geom, no two the same, and a note for each name that had to change."""
    names: list[str] = []
    notes: list[str] = []
    taken = {model.geom(i).name for i in range(model.ngeom)}
    for i, body in enumerate(model.geom_bodyid.tolist()):
        given = model.geom(i).name
        full = given or f"{model.body(body).name or f'body{body}'}/geom{i - int(model.body_geomadr[body])}"
        name = plain_name(full)
        if name != given:
            name = free_name(name, taken)
            taken.add(name)
            if given:
                why = "the characters [ ] * have a meaning in a scene, and a name is one line"
                notes.append(f"{given!r} is called {name!r} here: {why}")
        names.append(name)
    return names, notes


# -- shapes as geoms ---------------------------------------------------------------------------------------------------


def to_geom(shape: Shape) -> dict[str, Any]:
    """Return a shape as MuJoCo's ``add_geom`` takes it: its ``type``, ``size``, ``pos`` and ``quat`` by name.

    `read_model` makes the same shape of it again: a box along the axes as an `OrientedBox`, a capsule without length as
    a `Sphere`. A body that falls or tumbles is simulated best where its own middle is: have ``add_body`` take ``pos``
    and ``quat``. A `ValueError` is raised for other kinds, batches, and sizes of zero, of which MuJoCo has no geom.

    Parameters
    ----------
    shape : Sphere, Capsule, Cylinder, OrientedBox, AABB or HalfSpace
        A single one, in the coordinates of its body. A half-space becomes a plane, which only bodies that do not move
        may have.

    Examples
    --------
    >>> import mujoco
    >>> from collision import Sphere
    >>> spec = mujoco.MjSpec()
    >>> _ = spec.worldbody.add_geom(name="ball", **to_geom(Sphere([0, 0, 2], 0.5)))
    >>> read_model(spec.compile()).scene["ball"]
    Sphere(center=[0.0, 0.0, 2.0], radius=0.5)
    """
    kinds = _need_mujoco("a shape as a geom").mjtGeom
    if not isinstance(shape, Sphere | Capsule | Cylinder | OrientedBox | AABB | HalfSpace) or shape.batch_shape:
        got = "a batch" if isinstance(shape, Shape) and shape.batch_shape else type(shape).__name__
        raise ValueError(f"a geom is a single sphere, capsule, cylinder, box or half-space, got {got}")
    kind, size, center, quat = _solid(shape)
    if kind != "plane" and not np.all(np.array(size) > 0.0):
        raise ValueError(f"a geom has sizes above zero, got {shape!r}")
    scalar_first = np.roll(quat, 1)
    return {"type": kinds(_KINDS.index(kind)), "size": [*size, 0, 0][:3], "pos": center, "quat": scalar_first}


def _solid(
    shape: Sphere | Capsule | Cylinder | OrientedBox | AABB | HalfSpace,
) -> tuple[str, list[float], FloatArray, FloatArray]:
    """Return the kind of a geom, its sizes, its center, and the quaternion (x, y, z, w) that turns it."""
    match shape:
        case HalfSpace():  # without ends: the third number is how far apart lines are drawn on it
            return "plane", [0, 0, 1], shape.point, to_axis(shape.normal)
        case Sphere():
            return "sphere", [float(shape.radius)], shape.center, _UPRIGHT
        case Capsule() if np.all(shape.start == shape.end):
            return "sphere", [float(shape.radius)], shape.start, _UPRIGHT
        case Capsule() | Cylinder():
            arm, kind = 0.5 * (shape.start - shape.end), "capsule" if isinstance(shape, Capsule) else "cylinder"
            return kind, [float(shape.radius), float(np.linalg.norm(arm))], shape.end + arm, to_axis(arm)
    box = shape.oriented() if isinstance(shape, AABB) else shape
    return "box", box.half_extents.tolist(), box.center, quaternions_of(box.axes)


# -- pairs that MuJoCo compares ----------------------------------------------------------------------------------------


def _compared_pairs(model: Any, geoms: Sequence[int]) -> BoolArray:
    """Return a symmetric table of which geoms MuJoCo would compare with which."""
    import mujoco

    numbers = np.asarray(geoms, dtype=np.intp)
    body = model.geom_bodyid[numbers].astype(np.intp)
    weld = model.body_weldid[body]
    moved = model.body_treeid[body] >= 0  # by any joint
    types, affinities = model.geom_contype[numbers], model.geom_conaffinity[numbers]

    match = (types[:, None] & affinities) != 0
    table = (match | match.T) & (weld[:, None] != weld) & (moved[:, None] | moved) & ~_excluded(model, body)
    if not model.opt.disableflags & mujoco.mjtDisableBit.mjDSBL_FILTERPARENT:
        parent = model.body_weldid[model.body_parentid[weld]]
        child = (weld[:, None] == parent) & (weld[:, None] != 0) & (weld != 0)
        table &= ~(child | child.T)
    _add_explicit(model, numbers, table)
    plane = model.geom_type[numbers] == mujoco.mjtGeom.mjGEOM_PLANE
    table &= ~(plane[:, None] & plane)  # MuJoCo has no contacts between planes
    return np.asarray(table, dtype=bool)


def _excluded(model: Any, body: IntArray) -> BoolArray:
    """Return which pairs an <exclude> names by their bodies; MuJoCo keeps each as one number, the lower body first."""
    lower, upper = np.minimum(body[:, None], body), np.maximum(body[:, None], body)
    return np.isin((lower << 16) + upper, model.exclude_signature.astype(np.intp))


def _add_explicit(model: Any, numbers: IntArray, table: BoolArray) -> None:
    """Set what a <pair> names: it is compared whatever the other rules say."""
    row = np.full(model.ngeom, -1)
    row[numbers] = np.arange(len(numbers))
    first, second = row[model.pair_geom1], row[model.pair_geom2]
    here = (first >= 0) & (second >= 0) & (first != second)
    table[first[here], second[here]] = table[second[here], first[here]] = True


def _compared_with_nothing(model: Any, geoms: Sequence[int], table: BoolArray) -> BoolArray:
    """Return which geoms can meet nothing, like visual geoms: contype and conaffinity zero, and no <pair> with them."""
    numbers = np.asarray(geoms, dtype=np.intp)
    bits = model.geom_contype[numbers] | model.geom_conaffinity[numbers]
    return np.asarray(~table.any(axis=1) & (bits == 0), dtype=bool)
