"""Trajectories from files: values of joints over time, as CSV or as NumPy's npz."""

from __future__ import annotations

import csv
import difflib
import math
import os
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from collision.base.fields import FloatArray
from collision.base.files import not_regular, shown_path
from collision.models.model import ImporterError, Model
from collision.models.xml import NUMBER, quoted

#: What the column of times may be called.
_TIMES = ("time", "t")

#: No trajectory is larger: bytes of a file.
_MOST_BYTES = 1 << 28


class Trajectory(NamedTuple):
    """Values of joints over time, as `Model.along` takes them.

    Attributes
    ----------
    times : ndarray, shape (m,)
        In ascending order.
    q : dict of str to ndarray, shape (m,)
        By joint.
    """

    times: FloatArray
    q: dict[str, FloatArray]


def read_trajectory(path: str | os.PathLike[str], model: Model) -> Trajectory:
    r"""Return the trajectory in a file; an `ImporterError` names the line or the array of a mistake.

    Parameters
    ----------
    path : path-like
        A ``.csv`` file: a line of names, ``time`` and those of joints, and below it numbers; or an ``.npz`` file with
        arrays of these names, or with ``time``, ``joints`` (names) and ``q`` (m, joints). Times are in seconds, angles
        in radians.
    model : Model
        Whose joints it names: those with one value. Joints that follow others may be there; they follow all the same.

    Examples
    --------
    >>> import tempfile
    >>> from collision.importers import Joint
    >>> arm = Model.of({"upper": {}, "lower": {}}, [Joint("elbow", "revolute", "upper", "lower")])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "wave.csv")
    ...     _ = file.write_text("time,elbow\n0,0\n1,0.5\n")
    ...     wave = read_trajectory(file, arm)
    >>> wave.q["elbow"]
    array([0. , 0.5])
    """
    file = Path(path)
    try:
        if file.suffix.lower() not in (".csv", ".npz"):
            raise ValueError(": a trajectory is a .csv or .npz file")
        found = file.stat()
        if words := not_regular(found):
            raise ValueError(f": {words}")
        if found.st_size > _MOST_BYTES:
            raise ValueError(f": the file is larger than {_MOST_BYTES >> 20} MiB")
        names, columns = _read_csv(file) if file.suffix.lower() == ".csv" else _read_npz(file)
        return _checked(names, columns, model)
    except OSError as error:
        raise ImporterError(f"{shown_path(file)}: {(error.strerror or str(error)).lower()}") from error
    except ValueError as error:
        raise ImporterError(f"{shown_path(file)}{error}") from error


def _checked(names: Sequence[str], columns: Sequence[FloatArray], model: Model) -> Trajectory:
    found = dict(zip(names, columns, strict=True))
    label = next((name for name in _TIMES if name in found), "")
    if not label:
        raise ValueError(f": expected times, called {' or '.join(_TIMES)}, got {_listed(names)}")
    times = found.pop(label)
    if len(times) < 2:
        raise ValueError(f": {label} must be two numbers or more, in ascending order, got {_listed(times)}")
    if back := np.flatnonzero(~(times[1:] > times[:-1])).tolist():
        one, other = times[back[0] : back[0] + 2].tolist()
        got = f"got {one!r} and then {other!r}, its numbers {back[0] + 1} and {back[0] + 2}"
        raise ValueError(f": {label} must be in ascending order, {got}")
    own = {joint.name for joint in model.joints.values() if joint.size == 1}
    for name in found:
        if name not in own:
            near = difflib.get_close_matches(name, own, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else f"; it has {_listed(sorted(own)[:8])}"
            raise ValueError(f": the model has no joint with one value named {quoted(name)}{hint}")
    return Trajectory(times, {name: column for name, column in found.items() if model.joints[name].mimic is None})


def _listed(values: Iterable[object]) -> str:
    return ", ".join(quoted(value) if isinstance(value, str) else f"{value:g}" for value in values) or "none"


def _read_csv(file: Path) -> tuple[list[str], list[FloatArray]]:
    with file.open(encoding="utf-8-sig", newline="") as text:
        rows = csv.reader(text)
        try:
            names = [name.strip() for name in next(rows, [])]
            if len(set(names)) < len(names) or not all(names):
                raise ValueError(f":1: expected names that differ, got {_listed(names)}")
            if len(names) == 1 and (mark := next((mark for mark in ";\t" if mark in names[0]), "")):
                raise ValueError(f":1: expected names with commas between them, got {mark!r} in {quoted(names[0])}")
            table = []
            for row in rows:
                if not row:
                    continue
                if len(row) != len(names):
                    wanted = f"{len(names)} number{'s' * (len(names) != 1)}"
                    raise ValueError(f":{rows.line_num}: expected {wanted}, got {len(row)}")
                place = f":{rows.line_num}: "
                table.append([_number(word, place + name) for name, word in zip(names, row, strict=True)])
        except (csv.Error, UnicodeDecodeError) as error:
            raise ValueError(f":{rows.line_num + 1}: it is no table of text in UTF-8: {error}") from error
    return names, list(np.array(table, dtype=np.float64).reshape(len(table), len(names)).T)


def _number(word: str, where: str) -> float:
    found = float(word) if NUMBER.fullmatch(word.strip()) else math.nan
    if not math.isfinite(found):
        raise ValueError(f"{where} must be a finite number, got {quoted(word)}")
    return found


def _read_npz(file: Path) -> tuple[list[str], list[FloatArray]]:
    try:
        with zipfile.ZipFile(file) as packed:
            if sum(part.file_size for part in packed.infolist()) > _MOST_BYTES:
                raise ValueError(f"unpacked it is larger than {_MOST_BYTES >> 20} MiB")
        with np.load(file, allow_pickle=False) as held:
            if not isinstance(held, np.lib.npyio.NpzFile):
                raise ValueError("it holds one array, not several by name")
            arrays = {name: held[name] for name in held.files}
            if odd := next((name for name, array in arrays.items() if not isinstance(array, np.ndarray)), ""):
                raise ValueError(f"{quoted(odd)} is none")
    except (ValueError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, MemoryError) as error:
        raise ValueError(f": it is no file of NumPy arrays: {error}") from error
    if "q" in arrays and "joints" in arrays:
        names, q = [str(name) for name in np.ravel(arrays.pop("joints"))], arrays.pop("q")
        if q.ndim != 2 or q.shape[1] != len(names):
            raise ValueError(f": q must have a column for each of the {len(names)} joints, got shape {q.shape}")
        if len({*names, *arrays}) < len(names) + len(arrays):
            raise ValueError(f": expected names that differ, got {_listed([*names, *arrays])}")
        arrays.update(zip(names, q.T, strict=True))
    lengths = {array.shape for array in arrays.values()}
    if len(lengths) > 1 or any(len(shape) != 1 for shape in lengths):
        got = ", ".join(f"{quoted(name)} {array.shape}" for name, array in list(arrays.items())[:8])
        raise ValueError(f": expected arrays (m,), one number for each time, got {got}")
    columns = []
    for name, array in arrays.items():
        if array.dtype.kind not in "fiu" or not np.all(np.isfinite(array)):
            raise ValueError(f": {quoted(name)} must be finite numbers")
        columns.append(np.asarray(array, dtype=np.float64))
    return list(arrays), columns
