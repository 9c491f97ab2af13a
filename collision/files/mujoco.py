"""MJCF and URDF models, as MuJoCo reads them.

MuJoCo compiles the model and places its geoms; spheres, capsules, boxes and planes (as half-spaces) become shapes in
world coordinates, and what MuJoCo would never compare becomes the scene's ignored pairs. MuJoCo is imported when a
model is loaded, not before.
"""

from __future__ import annotations

import difflib
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from collision.base.fields import ArrayLike, FloatArray, to_float
from collision.base.files import shown_path
from collision.files.geoms import Geoms, Skipped, place_shapes, read_geoms
from collision.files.model_pairs import compared_pairs, compared_with_nothing, ignored_pairs
from collision.files.needed import ImporterError, need_mujoco
from collision.scene.names import CONTROL
from collision.scene.scene import Scene

#: What `Model.at` takes: all of MuJoCo's position coordinates, the values of some joints by name, or an MjData.
Pose: TypeAlias = ArrayLike | Mapping[str, ArrayLike] | Any

#: Endings of the files that MuJoCo is asked to read.
SUFFIXES = (".xml", ".mjcf", ".urdf")

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
    _geoms: Geoms = field(repr=False)

    def at(self, qpos: Pose) -> Model:
        """Return the model in another pose.

        Parameters
        ----------
        qpos : array_like of shape (nq,), mapping of str to array_like, or mujoco.MjData
            All position coordinates, or those of some joints by name, the others staying as they are. Angles are in
            radians, as everywhere in MuJoCo once a model is compiled. Joint limits are not looked at. Or the state of a
            simulation of the model: where its bodies are now, mocap bodies too.

        Returns
        -------
        Model

        Raises
        ------
        ValueError
            If there are too many or too few values, one is not finite, or no joint has the name.

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
        if isinstance(qpos, need_mujoco("a pose").MjData):
            qpos, mocap = qpos.qpos, _mocap(qpos)
            if mocap.shape != self._mocap.shape:
                raise ValueError(
                    f"qpos is of another model: this one has {len(self._mocap)} mocap bodies, got {len(mocap)}"
                )
        values = self._with_joints(qpos) if isinstance(qpos, Mapping) else _read_values(qpos, "qpos", len(self.qpos))
        values.flags.writeable = False
        shapes = place_shapes(self._compiled, self._geoms, values, mocap)
        return replace(self, scene=self.scene.replaced(shapes=shapes), qpos=values, _mocap=mocap)

    def _with_joints(self, changes: Mapping[str, ArrayLike]) -> FloatArray:
        values = self.qpos.copy()
        for name, value in changes.items():
            if name not in self.joints:
                near = difflib.get_close_matches(name, self.joints, n=1)
                hint = f"; did you mean {near[0]!r}?" if near else ""
                raise ValueError(f"qpos: the model has no joint named {name!r}{hint}")
            place = self.joints[name]
            values[place] = _read_values(value, f"qpos of joint {name!r}", place.stop - place.start)
        return values


def load_model(path: str | os.PathLike[str], *, qpos: Pose | None = None) -> Model:
    """Read an MJCF or URDF model.

    Spheres, capsules and boxes become shapes, and planes half-spaces. A geom without a name is called after its body,
    as ``torso/geom2`` (counted from 0 among the geoms of the body), and a body without a name is ``body5``. What no
    shape stands for is listed in ``skipped``. A ``<text name="caption">`` of the model is the scene's caption.

    Parameters
    ----------
    path : path-like
        An ``.xml``, ``.mjcf`` or ``.urdf`` file; what it includes is found as MuJoCo finds it.
    qpos : array_like of shape (nq,), or mapping of str to array_like, optional
        The pose, as `Model.at` takes it; without one, the model's own initial pose.

    Returns
    -------
    Model

    Raises
    ------
    ImporterError
        If MuJoCo is not installed, the file or one that it needs is missing, or MuJoCo cannot make a model of it.
    ValueError
        If `qpos` does not fit the model.

    Notes
    -----
    The scene ignores the pairs that MuJoCo would not compare: geoms of one body or of bodies welded together; of two
    bodies that no joint moves; of a body and its parent (unless the model disables the flag ``filterparent``; the world
    is no parent in this sense); of two bodies named in an ``<exclude>``; and geoms whose contype and conaffinity bits
    do not match. A ``<pair>`` is compared whatever these rules say.

    A geom with contype and conaffinity zero, as visual geoms have, is drawn and compared with nothing, not even with
    shapes that are added to the scene. Geoms of bodies welded together whose names differ by numbers alone share an
    ignored pair, with ``*`` for the numbers.

    A pair collides when its surfaces touch. MuJoCo lists contacts a little before that, within the margins and gaps of
    the geoms; these are left out, and a note says so. A model that switches contacts off is compared all the same, and
    a note says so.
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
    """Read a model that MuJoCo has compiled, as one that a program makes of an ``MjSpec``.

    What becomes of its parts, and which pairs are ignored, is as `load_model` says. `to_geom` makes geoms of shapes.

    Parameters
    ----------
    compiled : mujoco.MjModel
        It is not changed, and has to stay as it is.

    Returns
    -------
    Model
        In its initial pose; ``read_model(compiled).at(data)`` is the one of a simulation.

    Raises
    ------
    ValueError
        If that is no model. An `ImporterError` if MuJoCo is not installed.

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
    if not isinstance(compiled, need_mujoco("reading a model").MjModel):
        raise ValueError(f"read_model takes a mujoco.MjModel, got {type(compiled).__name__}")
    return _read(compiled, "", "a model of MuJoCo", [])


def _read(compiled: Any, title: str, source: str, warnings: list[str]) -> Model:
    """Make a scene of a compiled model."""
    import mujoco

    geoms = read_geoms(compiled)
    initial = np.array(compiled.qpos0, dtype=np.float64)
    initial.flags.writeable = False
    mocap = _mocap(mujoco.MjData(compiled))
    table = compared_pairs(compiled, geoms.numbers)
    alone = compared_with_nothing(compiled, geoms.numbers, table)
    welds = compiled.body_weldid[compiled.geom_bodyid[geoms.numbers]].tolist() if geoms.numbers else []
    scene = Scene(
        place_shapes(compiled, geoms, initial, mocap),
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
    """Return MuJoCo's own model of a file."""
    if file.suffix.lower() not in SUFFIXES:
        raise ImporterError(f"{shown_path(file)}: a model is an {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]} file")
    try:
        found, folder = file.is_file(), file.is_dir()
    except OSError as error:  # a name that is too long, a folder that is not to be entered
        raise ImporterError(f"{shown_path(file)}: {(error.strerror or str(error)).lower()}") from error
    if not found:
        raise ImporterError(
            f"{shown_path(file)}: {'this is a folder, not a model' if folder else 'there is no such file'}"
        )
    mujoco = need_mujoco(f"{shown_path(file)}: reading a model")
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
    """Return what MuJoCo says of a model in one line, and of mistakes in its XML in words.

    Examples
    --------
    >>> said = "Error=XML_ERROR_MISMATCHED_ELEMENT ErrorID=14 (0xe) Line number=1: XMLElement name=body"
    >>> _plain(f"XML parse error 14: {said}")
    'it is no valid XML: mismatched element <body>, line 1'
    """
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
    return MappingProxyType({name: place for name, place in named.items() if name})


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


def _caption(source: str, geoms: Geoms, alone: int, *, any_pair: bool) -> str:
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
