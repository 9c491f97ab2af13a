"""MJCF and URDF models, as MuJoCo reads them; it is imported when a model is loaded, not before."""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from collision.base.fields import ArrayLike, BoolArray, FloatArray, IntArray, to_float
from collision.base.files import shown_path
from collision.scene.names import CONTROL, matcher
from collision.scene.scene import Scene
from collision.shapes.kinds import AABB, Capsule, HalfSpace, OrientedBox, Shape, Sphere
from collision.shapes.rotations import quaternions_of, to_axis


class ImporterError(ValueError):
    """A model cannot be read; the text names the file and the mistake in it."""


def _need_mujoco(what: str) -> ModuleType:
    """Return MuJoCo, or say what takes it, and how to get it."""
    try:
        import mujoco
    except ImportError as error:
        how = f"get it with: {sys.executable} -m pip install mujoco"
        raise ImporterError(f"{what} takes MuJoCo ({error}); {how}") from error
    found: ModuleType = mujoco
    return found


class Skipped(NamedTuple):
    """A part of the model that is not in the scene: its name, its kind in MuJoCo's words, and why."""

    name: str
    kind: str
    reason: str


class _Geoms(NamedTuple):
    """The geoms that become shapes, by MuJoCo's numbers; what is left out; what to note."""

    numbers: list[int]
    names: list[str]
    kinds: list[str]
    skipped: list[Skipped]
    notes: list[str]


#: What `Model.at` takes: all of MuJoCo's position coordinates, the values of some joints by name, or an MjData.
Pose: TypeAlias = ArrayLike | Mapping[str, ArrayLike] | Any

#: Endings of the files that MuJoCo is asked to read.
_SUFFIXES = (".xml", ".mjcf", ".urdf")

#: What MuJoCo calls a model without a name.
_UNNAMED = "MuJoCo Model"


@dataclass(frozen=True, eq=False)
class Model:
    """A model in one pose, as `load_model` returns it.

    Attributes
    ----------
    scene : Scene
        The spheres, capsules, boxes and half-spaces in world coordinates, named as in the model.
    skipped : tuple of Skipped
        The parts that no shape stands for.
    notes : tuple of str
        What else differs from the model: renamed geoms, margins left out, and what MuJoCo warned of.
    qpos : ndarray, shape (nq,)
        The pose in MuJoCo's coordinates, read-only: lengths, radians and quaternions (w, x, y, z).
    joints : mapping of str to slice
        Where in `qpos` the values of each named joint are.
    """

    scene: Scene
    skipped: tuple[Skipped, ...]
    notes: tuple[str, ...]
    qpos: FloatArray
    joints: Mapping[str, slice]
    _mocap: FloatArray = field(repr=False)
    _compiled: Any = field(repr=False)
    _geoms: _Geoms = field(repr=False)

    def at(self, qpos: Pose) -> Model:
        """Return the model in another pose; a `ValueError` is raised where the values do not fit the model.

        Parameters
        ----------
        qpos : array_like of shape (nq,), mapping of str to array_like, or mujoco.MjData
            All position coordinates; or those of some joints by name, the others staying as they are; or the state of a
            simulation, mocap bodies included. Angles are in radians. Joint limits are not looked at.

        Examples
        --------
        >>> import tempfile
        >>> bone = '<geom name="{}" type="capsule" fromto="0 0 0 1 0 0" size=".1"/>'.format
        >>> lower = f'<body pos="1 0 0"><joint name="elbow" axis="0 0 1"/>{bone("lower")}</body>'
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder, "arm.xml")
        ...     _ = file.write_text(f"<mujoco><worldbody>{bone('upper')}{lower}</worldbody></mujoco>")
        ...     arm = load_model(file)
        >>> arm.scene["lower"].bounds().upper.round(6)
        array([2.1, 0.1, 0.1])
        >>> arm.at({"elbow": np.pi / 2}).scene["lower"].bounds().upper.round(6)
        array([1.1, 1.1, 0.1])
        """
        mocap = self._mocap
        if isinstance(qpos, _need_mujoco("a pose").MjData):
            qpos, mocap = qpos.qpos, _mocap(qpos)
            if mocap.shape != self._mocap.shape:
                raise ValueError(
                    f"qpos is of another model: this one has {len(self._mocap)} mocap bodies, got {len(mocap)}"
                )
        values = self._with_joints(qpos) if isinstance(qpos, Mapping) else _read_values(qpos, "qpos", len(self.qpos))
        values.flags.writeable = False
        shapes = _shapes_at(self._compiled, self._geoms, values, mocap)
        return replace(self, scene=self.scene.replaced(shapes=shapes), qpos=values, _mocap=mocap)

    def _with_joints(self, changes: Mapping[str, ArrayLike]) -> FloatArray:
        values = self.qpos.copy()
        for name, value in changes.items():
            if name not in self.joints:
                near = difflib.get_close_matches(name, self.joints, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise ValueError(f"qpos: the model has no joint named {name!r}{hint}")
            own = self.joints[name]
            values[own] = _read_values(value, f"qpos of joint {name!r}", own.stop - own.start)
        return values


def load_model(path: str | os.PathLike[str], *, qpos: Pose | None = None) -> Model:
    """Read an MJCF or URDF model, and return it as a `Model`.

    Spheres, capsules and boxes become shapes, planes half-spaces; all else is listed in ``skipped``. A geom without a
    name is called after its body and its number in it, as ``torso/geom2``; a body without a name is ``body5``. A
    ``<text name="caption">`` of the model is the scene's caption. An `ImporterError` is raised if MuJoCo is not
    installed, a file is missing, or MuJoCo cannot make a model of it.

    Parameters
    ----------
    path : path-like
        An ``.xml``, ``.mjcf`` or ``.urdf`` file; what it includes is found as MuJoCo finds it.
    qpos : array_like of shape (nq,), or mapping of str to array_like, optional
        The pose, as `Model.at` takes it; without one, the model's own initial pose.

    Notes
    -----
    The scene ignores the pairs that MuJoCo would not compare: geoms of one body or of bodies welded together; of two
    bodies that no joint moves; of a body and its parent (unless the model disables the flag ``filterparent``; the world
    is no parent in this sense); of two bodies named in an ``<exclude>``; and geoms whose contype and conaffinity bits
    do not match. A ``<pair>`` is compared whatever these rules say. A geom with contype and conaffinity zero, as visual
    geoms have, is compared with nothing, not even with shapes that are added to the scene. An ignored pair stands for
    all geoms of welded bodies whose names differ by numbers alone, with ``*`` for the numbers.

    A pair collides when its surfaces touch. MuJoCo lists contacts a little before that, within margins and gaps, and
    compares nothing where a model switches contacts off; notes say where a scene differs in this.
    """
    file = Path(path)
    warnings: list[str] = []
    compiled = _compile(file, warnings.append)
    try:
        model = _read(compiled, file.stem, file.name, warnings)
    except ValueError as error:
        raise ImporterError(f"{shown_path(file)}: {error}") from error
    return model if qpos is None else model.at(qpos)


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
    import mujoco

    geoms = _read_geoms(compiled)
    initial = np.array(compiled.qpos0, dtype=np.float64)
    initial.flags.writeable = False
    mocap = _mocap(mujoco.MjData(compiled))
    table = _compared_pairs(compiled, geoms.numbers)
    alone = _compared_with_nothing(compiled, geoms.numbers, table)
    welds = compiled.body_weldid[compiled.geom_bodyid[geoms.numbers]].tolist() if geoms.numbers else []
    scene = Scene(
        _shapes_at(compiled, geoms, initial, mocap),
        ignored=ignored_pairs(geoms.names, welds, table, alone),
        title=_title(compiled) or title,
        caption=_written_caption(compiled) or _caption(source, geoms, int(alone.sum()), any_pair=bool(table.any())),
    )
    notes = (*warnings, *geoms.notes, *_differences(compiled))
    return Model(scene, tuple(geoms.skipped), notes, initial, _joints(compiled), mocap, compiled, geoms)


def _mocap(data: Any) -> FloatArray:
    """Return where the mocap bodies are, and how they are turned."""
    return np.concatenate([data.mocap_pos, data.mocap_quat], axis=1)


def _compile(file: Path, warn: Callable[[str], None]) -> Any:
    if file.suffix.lower() not in _SUFFIXES:
        raise ImporterError(f"{shown_path(file)}: a model is an {', '.join(_SUFFIXES[:-1])} or {_SUFFIXES[-1]} file")
    try:
        found, folder = file.is_file(), file.is_dir()
    except OSError as error:  # a name that is too long, a folder that is not to be entered
        raise ImporterError(f"{shown_path(file)}: {(error.strerror or str(error)).lower()}") from error
    if not found:
        raise ImporterError(
            f"{shown_path(file)}: {'this is a folder, not a model' if folder else 'there is no such file'}"
        )
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


def _read_values(value: ArrayLike, label: str, count: int) -> FloatArray:
    """Copy and check some of the position coordinates."""
    values = np.atleast_1d(to_float(value, label))
    if values.shape != (count,):
        raise ValueError(f"{label} must be {count} number{'s' * (count != 1)}, got shape {values.shape}")
    if not np.all(np.isfinite(values)):
        raise ValueError(f"{label} must be finite, got {values.tolist()}")
    return values


def _joints(compiled: Any) -> Mapping[str, slice]:
    starts = [*compiled.jnt_qposadr.tolist(), compiled.nq]
    named = {compiled.joint(i).name: slice(starts[i], starts[i + 1]) for i in range(compiled.njnt)}
    return MappingProxyType({name: own for name, own in named.items() if name})


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


def _caption(source: str, geoms: _Geoms, alone: int, *, any_pair: bool) -> str:
    kinds = [part.kind for part in geoms.skipped]
    sentences = [f"{_counted(geoms.kinds) or 'No shapes'} from {source}."]
    if kinds:
        sentences.append(f"Left out: {_counted(kinds)}.")
    if not any_pair and len(geoms.names) > 1:
        sentences.append("The model lets no two of them collide.")
    elif alone:
        sentences.append(f"{alone} of them collide{'s' * (alone == 1)} with nothing.")
    return " ".join(sentences)


def _counted(kinds: list[str]) -> str:
    """Write how many of each kind there are, as ``14 capsules, 1 sphere``."""
    plurals = {"box": "boxes", "mesh": "meshes", "flex": "flexes"}
    return ", ".join(
        f"{n} {kind if n == 1 else plurals.get(kind, kind + 's')}" for kind, n in Counter(kinds).most_common()
    )


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
        "box": OrientedBox,
        # Whatever size it is drawn in, MuJoCo compares a plane without ends, and all below it as solid.
        "plane": lambda center, axes, size: HalfSpace(center, axes[:, 2]),
    }
)

#: Characters that have a meaning in the names of a scene, and what is written instead.
_CHARACTERS = str.maketrans("[]*", "()+")

#: The quaternion (x, y, z, w) of what is not turned.
_UPRIGHT = np.array([0.0, 0.0, 0.0, 1.0])


def _read_geoms(model: Any) -> _Geoms:
    """Return what becomes of the geoms of a compiled model."""
    import mujoco

    names, notes = _names(model)
    kinds = [_KINDS[number] for number in model.geom_type.tolist()]
    shown = [i for i, kind in enumerate(kinds) if kind in _MAKERS]
    left_out = [(names[i], kind) for i, kind in enumerate(kinds) if kind not in _MAKERS]
    flexes = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_FLEX, i) for i in range(model.nflex)]
    left_out += [(name or f"flex{i}", "flex") for i, name in enumerate(flexes)]
    reason = "only spheres, capsules, boxes and planes are compared, and {} {} is none of them"
    skipped = [
        Skipped(name, kind, reason.format("an" if kind == "ellipsoid" else "a", kind)) for name, kind in left_out
    ]
    return _Geoms(shown, [names[i] for i in shown], [kinds[i] for i in shown], skipped, notes)


def _shapes_at(model: Any, geoms: _Geoms, qpos: FloatArray, mocap: FloatArray) -> dict[str, Shape]:
    """Return the shapes by name, in world coordinates, at MuJoCo's position coordinates and those of mocap bodies."""
    import mujoco

    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    data.mocap_pos[:], data.mocap_quat[:] = mocap[:, :3], mocap[:, 3:]
    mujoco.mj_kinematics(model, data)
    shapes = {}
    for i, name, kind in zip(geoms.numbers, geoms.names, geoms.kinds, strict=True):
        try:
            shapes[name] = _MAKERS[kind](data.geom_xpos[i], data.geom_xmat[i].reshape(3, 3), model.geom_size[i])
        except ValueError as error:  # MuJoCo takes any numbers, and adds them up until they overflow
            raise ValueError(f"the geom {name!r} makes no shape: {error}") from error
    return shapes


def _names(model: Any) -> tuple[list[str], list[str]]:
    """Return a name for every geom, no two the same, and a note for each name that had to change."""
    names: list[str] = []
    notes: list[str] = []
    taken = {model.geom(i).name for i in range(model.ngeom)}
    for i, body in enumerate(model.geom_bodyid.tolist()):
        given = model.geom(i).name
        full = given or f"{model.body(body).name or f'body{body}'}/geom{i - int(model.body_geomadr[body])}"
        name = plain = CONTROL.sub("_", full.translate(_CHARACTERS))
        if name != given:
            numbered = (f"{plain}_{number}" for number in count(2))
            while name in taken:
                name = next(numbered)
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
    shape : Sphere, Capsule, OrientedBox, AABB or HalfSpace
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
    if not isinstance(shape, Sphere | Capsule | OrientedBox | AABB | HalfSpace) or shape.batch_shape:
        got = "a batch" if isinstance(shape, Shape) and shape.batch_shape else type(shape).__name__
        raise ValueError(f"a geom is a single sphere, capsule, box or half-space, got {got}")
    kind, size, center, quat = _solid(shape)
    if kind != "plane" and not np.all(np.array(size) > 0.0):
        raise ValueError(f"a geom has sizes above zero, got {shape!r}")
    scalar_first = np.roll(quat, 1)
    return {"type": kinds(_KINDS.index(kind)), "size": [*size, 0, 0][:3], "pos": center, "quat": scalar_first}


def _solid(shape: Sphere | Capsule | OrientedBox | AABB | HalfSpace) -> tuple[str, list[float], FloatArray, FloatArray]:
    """Return the kind of a geom, its sizes, its center, and the quaternion (x, y, z, w) that turns it."""
    match shape:
        case HalfSpace():  # without ends: the third number is how far apart lines are drawn on it
            return "plane", [0, 0, 1], shape.point, to_axis(shape.normal)
        case Sphere():
            return "sphere", [float(shape.radius)], shape.center, _UPRIGHT
        case Capsule() if np.all(shape.start == shape.end):
            return "sphere", [float(shape.radius)], shape.start, _UPRIGHT
        case Capsule():
            arm = 0.5 * (shape.start - shape.end)
            return "capsule", [float(shape.radius), float(np.linalg.norm(arm))], shape.end + arm, to_axis(arm)
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


def ignored_pairs(
    names: Sequence[str], groups: Sequence[object], table: BoolArray, alone: BoolArray
) -> list[tuple[str, str]]:
    """Return the pairs that a scene must ignore, with ``*`` for the numbers in names of one of `groups` that are alike.

    `table` (n, n) says which pairs are compared, and `alone` (n,) what is compared with nothing, ever.
    """
    patterns = _patterns(names, list(zip(groups, alone.tolist(), strict=True)))
    words = list(patterns)
    member = np.zeros((len(names), len(words)))
    for column, rows in enumerate(patterns.values()):
        member[rows, column] = 1.0
    size = member.sum(axis=0)
    blocked = ~table | np.eye(len(names), dtype=bool)
    whole = (member.T @ blocked @ member) == np.outer(size, size)  # all pairs of the two patterns
    lonely = (member.T @ alone) > 0.0
    named = np.triu(whole) & ~lonely & ~lonely[:, None] & ~np.diag(size == 1.0)
    covered = (member @ (whole | lonely | lonely[:, None]) @ member.T) > 0.0
    return [
        *((words[i], "*") for i in np.flatnonzero(lonely)),
        *((words[i], words[j]) for i, j in np.argwhere(named)),
        *((names[i], names[j]) for i, j in np.argwhere(np.triu(blocked & ~covered, 1))),
    ]


def _patterns(names: Sequence[str], groups: Sequence[object]) -> dict[str, list[int]]:
    """Return patterns, and for each the rows of the names it stands for; every name is under exactly one."""
    alike: dict[tuple[object, str], list[int]] = defaultdict(list)
    for row, (name, group) in enumerate(zip(names, groups, strict=True)):
        alike[group, re.sub(r"\d+", "*", name)].append(row)
    patterns: dict[str, list[int]] = {}
    for (_, pattern), rows in alike.items():
        matches = matcher(pattern).fullmatch
        # A pattern must pay, must not reach beyond its group, and without letters it would stand for too much.
        if len(rows) > 2 and pattern.strip("*") and sum(map(bool, map(matches, names))) == len(rows):
            patterns[pattern] = rows
        else:
            patterns.update((names[row], [row]) for row in rows)
    return patterns
