"""Models from files of any kind."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from collision.base.files import shown_path
from collision.models.meshes import MeshReader
from collision.models.model import ImporterError, JointValues, Model
from collision.models.srdf import read_srdf, with_srdf
from collision.models.urdf import read_urdf
from collision.models.visuals import read_visuals
from collision.models.xml import root_tag

#: Endings of the files that models are in.
_SUFFIXES = (".xml", ".mjcf", ".urdf")


def load_model(
    path: str | os.PathLike[str],
    *,
    q: JointValues | None = None,
    packages: Mapping[str, str | os.PathLike[str]] = MappingProxyType({}),
    srdf: str | os.PathLike[str] | None = None,
    visuals: bool = False,
) -> Model:
    """Read a URDF or MJCF model, and return it as a `Model`.

    Spheres, capsules, cylinders and boxes become shapes, planes half-spaces, meshes convex hulls; all else is listed in
    ``skipped``. URDF needs no other program, its meshes trimesh (extra ``robots``). MJCF is read by MuJoCo, and a
    ``<text name="caption">`` of it is the scene's caption. An `ImporterError` is raised if a file is missing or is no
    model: it names the line, the element, what was expected and what came.

    Parameters
    ----------
    path : path-like
        A ``.urdf``, ``.xml`` or ``.mjcf`` file; what MJCF includes is found as MuJoCo finds it.
    q : array_like of shape (n,), or mapping of str to array_like, optional
        The pose, as `Model.at` takes it; without one all joints of URDF are at zero, and MJCF has a pose of its own.
    packages : mapping of str to path-like
        The folders that ``package://`` stands for in URDF, by the names of packages. Others are looked for in the
        folders that the variables ROS_PACKAGE_PATH and AMENT_PREFIX_PATH list, and in those above the file.
    srdf : path-like, optional
        An SRDF file, which says which pairs of links are not compared, and has poses with names: see `read_srdf`. Links
        that a joint connects are compared then if SRDF does not say otherwise.
    visuals : bool
        Read also what links look like: of URDF their visual shapes, of MJCF all meshes. What cannot be read of it is in
        ``skipped``, too.

    Notes
    -----
    *URDF.* The collision shapes of a link are called as they are in the file; without a name after the link, as
    ``forearm``, or ``forearm/1`` where it has several. Inertias and transmissions are not looked at. The
    scene ignores pairs of links that only fixed joints connect, and of two that one joint connects.

    *Meshes.* STL, OBJ, COLLADA (.dae) and PLY are read in metres, with the transforms of their nodes; those of a robot
    once each. A hull of more than 64 corners becomes one of 64 at most around it, so that it is never smaller than the
    mesh; a note says by how much it is larger. The parts of a mesh have one hull. What cannot be read is in
    ``skipped``. A mesh of MJCF that nothing is compared with is only counted in a note.

    *MJCF.* A geom without a name is called after its body and its number in it, as ``torso/geom2``; a body without a
    name is ``body5``. The scene ignores the pairs that MuJoCo would not compare: geoms of one body or of bodies welded
    together; of two bodies that no joint moves; of a body and its parent (unless the model disables the flag
    ``filterparent``; the world is no parent in this sense); of two bodies named in an ``<exclude>``; and geoms whose
    contype and conaffinity bits do not match. A ``<pair>`` is compared whatever these rules say. A geom with contype
    and conaffinity zero, as visual geoms have, is compared with nothing, not even with shapes that are added to the
    scene. An ignored pair stands for all geoms of welded bodies whose names differ by numbers alone, with ``*`` for the
    numbers. Keyframes are poses by their names; equality constraints are not looked at, which a note says.

    A pair collides when its surfaces touch. MuJoCo lists contacts a little before that, within margins and gaps, and
    compares nothing where a model switches contacts off; notes say where a scene differs in this.

    Examples
    --------
    >>> import tempfile
    >>> lower = '<link name="lower"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>'
    >>> ends = '<parent link="upper"/><child link="lower"/><limit upper="2"/>'
    >>> elbow = f'<joint name="elbow" type="revolute">{ends}</joint>'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "arm.urdf")
    ...     _ = file.write_text(f'<robot name="arm"><link name="upper"/>{lower}{elbow}</robot>')
    ...     arm = load_model(file)
    >>> arm.scene["lower"], arm.joints["elbow"].limits
    (Sphere(center=[0.0, 0.0, 0.0], radius=0.1), (0.0, 2.0))
    """
    file = Path(path)
    check_file(file)
    if file.suffix.lower() == ".urdf" or root_tag(file) == "robot":
        meshes = MeshReader(file, folders_of(packages))
        model = read_urdf(file, meshes)
        if visuals:
            drawn, skipped = read_visuals(file, meshes)
            model = replace(model, visuals=drawn, skipped=(*model.skipped, *skipped))
    else:
        from collision.models.mujoco import read_file

        model = read_file(file, visuals=visuals)
    if srdf is not None:
        model = with_srdf(model, read_srdf(srdf, model))
    return model if q is None else model.at(q)


def folders_of(packages: Mapping[str, str | os.PathLike[str]]) -> dict[str, Path]:
    """Return the folders of packages; an `ImporterError` says which is none."""
    folders = {name: Path(folder) for name, folder in packages.items()}
    for name, folder in folders.items():
        if not folder.is_dir():
            raise ImporterError(f"the package {name!r}: there is no folder {shown_path(folder)}")
    return folders


def check_file(file: Path) -> None:
    """Refuse what is no file, or none that a model is in."""
    if file.suffix.lower() not in _SUFFIXES:
        listed = f"an {', '.join(_SUFFIXES[:-1])} or {_SUFFIXES[-1]} file"
        how = (
            f"; expand it with: xacro {file.name} > {file.name.removesuffix('.xacro')}"
            if file.suffix == ".xacro"
            else ""
        )
        raise ImporterError(f"{shown_path(file)}: a model is {listed}{how}")
    try:
        found, folder = file.is_file(), file.is_dir()
    except OSError as error:  # a name that is too long, a folder that is not to be entered
        raise ImporterError(f"{shown_path(file)}: {(error.strerror or str(error)).lower()}") from error
    if not found:
        raise ImporterError(
            f"{shown_path(file)}: {'this is a folder, not a model' if folder else 'there is no such file'}"
        )
