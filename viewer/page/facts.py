"""What a page has to know of a scene beside the records of its picture: plain values, for JSON."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from collision import AABB, HalfSpace, Scene, Shape
from collision.importers import Model, Trajectory
from collision.inner import KIND_NAMES, FloatArray, IntArray, movers_of
from collision.scenefile import dump_scene
from viewer.camera.camera import Viewport
from viewer.camera.planes import squares
from viewer.picture.meeting import FEW, meeting_curves
from viewer.picture.notes import ignored_count, ignored_note
from viewer.picture.panels import LEGEND
from viewer.picture.shows import show_marks
from viewer.records.drawables import ShapeFlags
from viewer.records.protocol import to_json
from viewer.records.theme import Theme
from viewer.stage.sight import Sight

#: The number of the form of these facts; a page refuses others.
FORM = 1

#: The flags by which a page paints what is not there: more than all that a shape can have, and faded.
GHOST = 32 | ShapeFlags.FADED

#: A motion travels as moments: so many a second, and no more in all than this, nor more numbers than that.
RATE, MOST_MOMENTS, MOST_NUMBERS = 30.0, 181, 1_000_000


def scene_facts(
    scene: Scene, viewport: Viewport, themes: Mapping[str, Theme], times: Sequence[float] = ()
) -> dict[str, Any]:
    """Return what a page has to know of a scene, as it is seen at first.

    Parameters
    ----------
    scene : Scene
        With its shows and its motion; a motion is where it starts.
    viewport : Viewport
        How the picture is seen.
    themes : mapping of str to Theme
        One, or ``light`` and ``dark``, of which the reader's machine chooses.
    times : sequence of float
        Moments of the motion that a reader must be able to go to, beside those that travel anyway.
    """
    mask = scene.promised_names.elements.mask
    now = scene if scene.span is None else scene.at(scene.span[0])
    return {
        "form": FORM,
        "title": scene.title,
        "caption": scene.caption,
        "entries": [[name, list(shape.batch_shape)] for name, shape in scene.shapes.items()],
        "groups": [_group(elements, shape, scene.bounds()) for elements, shape in now.groups],
        "ignored": [[np.flatnonzero(mask(name)).tolist() for name in pair] for pair in scene.ignored],
        "shows": [
            *(
                {
                    **{"query": show.query, "label": show.label, "names": [name for name in (show.a, show.b) if name]},
                    "records": json.loads(to_json(show_marks(now, show)))["records"],
                }
                for show in scene.shows
            ),
            *_meetings(now, viewport),
        ],
        "note": ignored_note(ignored_count(scene)),
        "motion": _motion(scene, times),
        "camera": asdict(viewport.camera),
        "aspect": viewport.aspect,
        "themes": {name: _theme(theme) for name, theme in themes.items()},
        "legend": [[key.value, text] for key, text in LEGEND.items()],
        "toml": dump_scene(scene),
    }


def _meetings(scene: Scene, viewport: Viewport) -> Iterator[dict[str, Any]]:
    """Yield the curves in which the surfaces of colliding shapes meet, pair by pair."""
    contacts, flags = scene.contacts(), np.zeros(scene.element_count, dtype=np.uint8)
    for row in contacts.deepest(FEW).tolist():
        curves = Sight(meeting_curves(scene, contacts.take([row]), flags)).marks(viewport)
        if curves:
            names = [scene.element_name(element) for element in contacts.pairs[row].tolist()]
            yield {"query": "meeting", "label": "", "names": names, "records": json.loads(to_json(curves))["records"]}


def _group(elements: IntArray, shape: Shape, bounds: AABB | None) -> dict[str, Any]:
    """Return the elements of a kind with their numbers; of half-spaces also the squares that are drawn of them."""
    kind, name = type(shape).__name__, KIND_NAMES[type(shape)]
    told = {"kind": kind, "name": name, "elements": elements.tolist(), "numbers": packed(rows_of(shape))}
    if not shape.layout.fixed:
        told["more"] = {name.removeprefix("_"): packed(rows) for name, rows in _fields(shape, fixed=False)}
    if isinstance(shape, HalfSpace):
        square = squares(shape, bounds)
        half = np.full((len(shape), 1), float(square.half_extents[0]))
        told["squares"] = packed(np.concatenate([square.center, square.axes[:, :, 0], half], axis=1))
    return told


def rows_of(shape: Shape) -> FloatArray:
    """Return the fields of each element of a flat batch, one after the other, as `collision.mjs` takes them.

    Examples
    --------
    >>> from collision import Scene, Segment
    >>> rows_of(Scene({"edge": Segment([1, 2, 3], [4, 5, 6])}).groups[0].shape)
    array([[1., 2., 3., 4., 5., 6.]])
    """
    return np.concatenate([rows for _, rows in _fields(shape, fixed=True)], axis=1)


def _fields(shape: Shape, *, fixed: bool) -> Iterator[tuple[str, FloatArray]]:
    """Yield the fields of a flat batch that are of a fixed length, or those that are not, a row for each element."""
    kept = shape.kept
    for name, first, end, _ in shape.layout.parts:
        if (end > first) == fixed:
            yield name, kept[name].reshape(len(shape), -1)


def packed(numbers: FloatArray) -> dict[str, Any]:
    """Return numbers as records hold them, with all their bits."""
    if np.isnan(numbers).any():
        raise ValueError("a page must have numbers, got NaN")
    text = b64encode(numbers.astype("<f8").tobytes()).decode("ascii")
    return {"is": "float64", "shape": list(numbers.shape), "base64": text}


def _motion(scene: Scene, more: Sequence[float]) -> dict[str, Any] | None:
    """Return the moments of a motion: when they are, which elements move, and their numbers at each and at rest.

    Of what turns there are also the matrices by which it does; see `Movers.turns`.
    """
    if scene.span is None:
        return None
    start, stop = scene.span
    numbers = sum(shape.layout.parts[-1][2] * len(elements) for elements, shape in scene.groups)
    most = min(MOST_MOMENTS, MOST_NUMBERS // max(numbers, 1))
    even = np.linspace(start, stop, max(min(round((stop - start) * RATE) + 1, most), 2)).tolist()
    times = sorted({*even, *more})
    moments = [[rows_of(shape) for _, shape in moment.groups] for moment in (*map(scene.at, times), scene)]
    upright = np.tile(np.eye(3), (1, 2, 1, 1))
    turns = [(own, np.concatenate([turned, upright])) for own, turned in movers_of(scene).turns(times)]
    turning = np.concatenate([np.zeros(0, dtype=np.int64), *(own for own, _ in turns)])
    elements, tracks = list[int](), list[FloatArray]()
    for own, (numbered, _) in zip(zip(*moments, strict=True), scene.groups, strict=True):
        track = np.stack(own)
        moves = (track != track[0]).any(axis=(0, 2)) | np.isin(numbered, turning)
        elements += numbered[moves].tolist()
        tracks.append(track[:, moves].reshape(len(track), -1))
    return {
        **{"times": times, "elements": elements, "numbers": packed(np.concatenate(tracks, axis=1))},
        "turns": [{"elements": own.tolist(), "numbers": packed(turned)} for own, turned in turns],
    }


def robot_facts(scene: Scene, model: Model, command: str = "", loads: str = "") -> dict[str, Any]:
    """Return the joints of a model in its pose, each behind those that move it, and the shapes that each moves.

    Axes, and what a turn leaves where it is, are those of the world in this pose. Joints that are fixed, or that take
    several values, are left out: they stay as they are.

    Parameters
    ----------
    scene : Scene
        That of the page, in which shapes of the model have their names and places.
    model : Model
        The robot.
    command, loads : str
        What opens it in a terminal, and what loads it in Python.

    Examples
    --------
    >>> from collision import Sphere
    >>> from collision.importers import Joint
    >>> turn = Joint("turn", "revolute", "base", "arm", axis=[0, 0, 1], limits=(0, 2))
    >>> arm = Model.of({"base": {}, "arm": {"tip": Sphere([1, 0, 0], 0.1)}}, [turn])
    >>> [(joint["name"], joint["limits"], joint["elements"]) for joint in robot_facts(arm.scene, arm)["joints"]]
    [('turn', [0.0, 2.0], [0])]
    """
    joints = {joint.name: joint for joint in model.joints.values() if joint.size == 1}
    numbers = {name: number for number, name in enumerate(joints)}
    moved_by = dict.fromkeys(model.links, -1)  # of each link the nearest joint that moves it
    for joint in model.joints.values():
        moved_by[joint.child] = numbers.get(joint.name, moved_by[joint.parent])
    moved: dict[int, list[int]] = {number: [] for number in (-1, *numbers.values())}
    for link, shapes in model.links.items():
        for name, shape in shapes.items():
            if isinstance(shape, AABB) and moved_by[link] >= 0:
                raise ValueError(f"{name!r} is an AABB, which does not turn with its link: make it an OrientedBox")
            moved[moved_by[link]] += scene.element_numbers(name) if name in scene.shapes else ()
    places = dict(zip(model.links, model.forward(), strict=True))
    told = []
    for name, joint in joints.items():
        frame, followed, factor = places[joint.parent] @ joint.origin, joint, 1.0
        while (mimic := followed.mimic) is not None:
            followed, factor = joints[mimic.joint], factor * mimic.multiplier
        told.append(
            {
                **{"name": name, "parent": moved_by[joint.parent], "elements": moved[numbers[name]]},
                **{"slides": joint.kind == "prismatic", "axis": frame.turn(joint.axis).tolist()},
                **{"pivot": frame.apply(joint.anchor).tolist(), "value": model.value(name).item()},
                "limits": [end if np.isfinite(end) else None for end in joint.limits],
                "follows": [numbers[followed.name], factor],
            }
        )
    poses = [
        [pose, {numbers[name]: np.asarray(value).item() for name, value in values.items() if name in numbers}]
        for pose, values in model.poses.items()
    ]
    links = [
        [link, own]
        for link, shapes in model.links.items()
        if (own := [n for name in shapes if name != link and name in scene.shapes for n in scene.element_numbers(name)])
    ]
    known = {"joints": told, "still": moved[-1], "links": links, "poses": poses}
    return {**known, "command": command, "loads": loads}


def along_facts(model: Model, trajectory: Trajectory, times: Sequence[float]) -> list[dict[str, Any]]:
    """Return the joints of a model that goes along a trajectory, and their values at the moments of its motion.

    Examples
    --------
    >>> from collision.importers import Joint, Trajectory
    >>> turn = Joint("turn", "revolute", "base", "arm", axis=[0, 0, 1], limits=(0, 2))
    >>> arm = Model.of({"base": {}, "arm": {}}, [turn])
    >>> way = Trajectory(np.array([0.0, 1.0]), {"turn": np.array([0.0, 2.0])})
    >>> along_facts(arm, way, [0.0, 0.5])
    [{'name': 'turn', 'slides': False, 'limits': [0.0, 2.0], 'values': [0.0, 1.0]}]
    """
    found: dict[str, FloatArray] = {}
    for joint in model.joints.values():
        at, ways = joint, list[tuple[float, float]]()
        while at.mimic is not None:
            ways, at = [*ways, at.mimic[1:]], model.joints[at.mimic.joint]
        if joint.size == 1:
            given = trajectory.q.get(at.name, np.full(len(trajectory.times), model.value(at.name)))
            value = np.interp(times, trajectory.times, given)
            for factor, offset in reversed(ways):
                value = factor * value + offset
            found[joint.name] = value
    return [
        {
            **{"name": name, "slides": model.joints[name].kind == "prismatic"},
            "limits": [end if np.isfinite(end) else None for end in model.joints[name].limits],
            "values": value.tolist(),
        }
        for name, value in found.items()
    ]


def _theme(theme: Theme) -> dict[str, Any]:
    """Return all of a look, its roles and flags by their values."""
    told = {name: value for name, value in vars(theme).items() if name not in ("styles", "paints", "ghost", "light")}
    return {
        **told,
        "styles": {role.value: asdict(style) for role, style in theme.styles.items()},
        "paints": {int(flags): asdict(paint) for flags, paint in (*theme.paints.items(), (GHOST, theme.ghost))},
        "light": asdict(theme.light),
        "css": _css(theme),
    }


def _css(theme: Theme) -> dict[str, str]:
    """Return the colours of the texts around a picture, as variables of CSS."""
    names = ("background", "text", "faint_text", "plate", "plate_border", "accent", "chosen")
    hit, touching = theme.paints[ShapeFlags.HIT], theme.paints[ShapeFlags.TOUCHING]
    colors = {**{name: getattr(theme, name) for name in names}, "hit": hit.color, "stripe": hit.stripe or hit.color}
    colors |= {"touching": touching.color, "touching-stripe": touching.stripe or touching.color}
    told = {f"--{name.replace('_', '-')}": "#{:02x}{:02x}{:02x}".format(*color) for name, color in colors.items()}
    return {**told, "--scheme": "dark" if sum(theme.background) < sum(theme.text) else "light"}
