"""A picture is data: written as JSON and read back, it is the same picture, and ids and versions say what differs."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest

from collision import Camera, Capsule, OrientedBox, Scene, Sphere
from collision.importers import Joint, Model, VisualMesh
from tests.helpers import AXES, BALLS, MOVING, parts_of, sessions
from tests.slow import some
from viewer.files.catalogue import find_lessons
from viewer.files.loading import load
from viewer.files.places import example_files
from viewer.picture.present import present
from viewer.records.commands import Command
from viewer.records.drawables import (
    Drawable,
    Label,
    Marker,
    Panel,
    Role,
    Row,
    ShapeFlags,
    Solid,
    Timeline,
)
from viewer.records.protocol import from_json, origin_of, to_json, with_ids
from viewer.records.record import values_of
from viewer.session import Session
from viewer.stage.solids.kinds import corners_of, sort_solids
from viewer.stage.stage import Stage

README = Path(__file__).resolve().parent.parent / "viewer" / "records" / "README.md"


def pictures() -> Iterator[tuple[str, tuple[Drawable, ...]]]:
    """Yield pictures of every kind, and what they are of."""
    for path in example_files():
        if path.suffix != ".xml":
            yield path.name, present(Session(load(path)))
    for lesson in find_lessons():
        session = Session(lesson.scene())
        session.explaining.explain()
        steps = range(len(session.explaining.explanation.steps) if session.explaining.explanation else 0)
        for step in some(3, steps):
            session.explaining.go_to_step(step)
            yield f"{lesson.name}, step {step + 1}", present(session)
    for number, session in enumerate(sessions()):
        yield f"session {number}", present(session)
    for name in ("boxes", "contacts", "normals", "distances", "see_through"):
        session = Session(BALLS.moved("b", [-7.0, 0.0, 0.0]))
        session.settings.toggle(name)
        session.select("a")
        yield name, present(session)
    yield "a robot", present(robot())


def robot() -> Session:
    """Return a session of a robot with sliders, and with a link that looks like a triangle."""
    tip = {"tip": Sphere([1, 0, 0], 0.2)}
    model = Model.of({"base": {}, "arm": tip}, [Joint("turn", "continuous", "base", "arm")])
    model = replace(model, visuals=(VisualMesh("arm", np.eye(3), np.array([[0, 1, 2]])),))
    session = Session(model.scene, model=model)
    session.sliders.switch()
    return session


def differences(one: object, other: object) -> Iterator[str]:
    """Yield where two values differ, in whatever is in them: types, bits, and what equality leaves out."""
    if type(one) is not type(other):
        yield f"{type(one)} is not {type(other)}"
    elif isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        if one.dtype != other.dtype or one.shape != other.shape or one.tobytes() != other.tobytes():
            yield f"{one} is not {other}"
    elif isinstance(one, tuple) or hasattr(one, "__dataclass_fields__"):
        mine, others = values_of(one), values_of(other)
        if len(mine) != len(others):
            yield f"{mine} is not {others}"
        for a, b in zip(mine, others, strict=False):
            yield from differences(a, b)
    elif repr(one) != repr(other):
        yield f"{one!r} is not {other!r}"


def test_a_picture_that_is_written_and_read_is_the_same() -> None:
    kinds = set[type]()
    for name, picture in pictures():
        text = to_json(picture)
        read = from_json(text)
        assert [*differences(picture, read)] == [], name
        assert read == picture, name
        assert to_json(read) == text, name
        found = {type(part) for record in picture for part in parts_of(record)}
        assert {kind.__name__ for kind in found} <= PLAIN, name
        kinds |= found
    assert {kind.__name__ for kind in get_args(Drawable)} <= {kind.__name__ for kind in kinds}


#: What there is in records: nothing of `collision`, no path, and nothing to call.
PLAIN = {
    *("str", "int", "float", "bool", "NoneType", "tuple", "ndarray", "Role", "ShapeFlags", "Core", "Command"),
    *("Row", "Button", "Slider", "GalleryItem", "StepRow", "TimelineRow", "TimelineSpan", "Floor", "FlatMark", "Cores"),
    *("StepFormula", "StepValue", "StepCurve", "StepPoint", "StepArea", "StepPlot", "StepSpace"),
    *(kind.__name__ for kind in get_args(Drawable)),
}


@pytest.mark.parametrize("number", [0.1, -0.0, 5e-324, 1.7976931348623157e308, math.inf, -math.inf, 1 / 3])
def test_numbers_keep_all_their_bits(number: float) -> None:
    picture = (Label(np.array([number, 0.0, 1.0]), "x", value=number), Timeline(0.0, 1.0, number))
    read = from_json(to_json(picture))
    assert [*differences(picture, read)] == []
    json.loads(to_json(picture), parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


@pytest.mark.parametrize(
    "record", [Marker(np.full((1, 3), math.nan), Role.HIT), Timeline(0.0, math.nan, 0.0), Label(np.zeros(3), "NaN")]
)
def test_what_is_no_number_is_refused(record: Drawable) -> None:
    if isinstance(record, Label):
        assert from_json(to_json([record])) == (record,)  # a text may say so
        return
    with pytest.raises(ValueError, match=r"^(marker/hit: points|timeline: stop) must be (a number|numbers), got NaN$"):
        to_json([record])


def test_what_is_no_plain_value_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^label/text: text must be a plain value, got PosixPath$"):
        to_json([Label(np.zeros(3), Path("ball.png"))])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text[:-9], r"got other text: "),
        (lambda text: text.replace("collision-viewer picture", "other"), 'no "format"'),
        (lambda text: text.replace('"form": 1', '"form": 2'), '"form" must be 1, got 2'),
        (lambda text: text.replace('"is": "Marker"', '"is": "Maker"'), "no record is called 'Maker'"),
        (lambda text: text.replace('"HIT"', '"HAT"'), "HAT"),
        (lambda text: text.replace('"HIT"', '"FREE"'), "record marker/hit is not as it was written"),
        (lambda text: text.replace('"points"', '"point"'), "point"),
    ],
)
def test_other_text_is_refused(change: object, says: str) -> None:
    text = to_json([Marker(np.zeros((1, 3)), Role.HIT)])
    with pytest.raises(ValueError, match=says):
        from_json(change(text))  # type: ignore[operator]


def test_ids_stay_and_versions_say_what_differs() -> None:
    session = Session(BALLS)
    before = with_ids(present(session))
    assert {"ground", "shadows", "solid/point", "label/a", "label/b", "panel/table"} <= {*before}
    again = with_ids(present(session))
    assert {id: record.version for id, record in again.items()} == {id: r.version for id, r in before.items()}
    session.change(session.scene.moved("b", [1.0, 0.0, 0.0]))
    after = with_ids(present(session))
    assert {*after} == {*before}
    changed = {id for id in after if after[id].version != before[id].version}
    assert {"solid/point", "label/b"} <= changed
    assert "panel/table" not in changed


def test_a_version_tells_of_all_that_a_record_holds() -> None:
    row = Row("all", does=Command("view.frame"))
    one, other = Panel("center", (row,)), Panel("center", (replace(row, does=Command("view.home")),))
    assert one == other  # as they look the same
    assert one.version != other.version
    solid = Solid.of(Sphere([[0, 0, 0]], 1), np.zeros(1, np.uint8))
    assert solid == replace(solid)
    assert solid.version == replace(solid).version
    for changed in (replace(solid, flags=np.ones(1, np.uint8)), replace(solid, transform=np.eye(3, 4))):
        assert solid != changed
        assert solid.version != changed.version


@pytest.mark.parametrize("size", [1.0, 1e30])
def test_a_group_that_moves_together_is_drawn_where_its_transform_puts_it(size: float) -> None:
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    shift = size * np.array([1.0, -2.0, 0.5])
    ball, start, end, middle = size * np.array([(0, 0, 0), (-3, 0, 0), (-3, 0, 2), (2, 0, 0)])

    def drawn_at(t: np.ndarray, v: np.ndarray) -> list[Solid]:
        rod = Capsule(t @ start + v, t @ end + v, 0.4 * size)
        box = OrientedBox(t @ middle + v, t @ AXES, [size, 0.5 * size, 0.3 * size])
        free = np.zeros(1, np.uint8)
        return [Solid.of(shape[None], free) for shape in (Sphere(t @ ball + v, size), rod, box)]

    placed = np.concatenate([turn, shift[:, None]], axis=1)
    moved = [replace(solid, transform=placed) for solid in drawn_at(np.eye(3), np.zeros(3))]
    with Stage.offscreen((160, 120)) as stage:
        images = []
        for drawn in (moved, drawn_at(turn, shift)):
            stage.draw(drawn, Camera((9 * size, -9 * size, 7 * size)))
            images.append(stage.image().astype(int))
    assert np.ptp(images[0]) > 50
    assert np.abs(images[0] - images[1]).max() <= 2


def test_the_origin_is_amid_all_solids() -> None:
    scene = Scene({name: shape.translated([1e6, 0, 0]) for name, shape in MOVING.shapes.items()})
    picture = present(Session(scene))
    lower, upper = corners_of(sort_solids([record for record in picture if isinstance(record, Solid)]))
    assert (lower.min(axis=0) < origin_of(picture)).all()
    assert (origin_of(picture) < upper.max(axis=0)).all()
    assert json.loads(to_json(picture))["origin"] == origin_of(picture).tolist()
    assert origin_of([]).tolist() == [0.0, 0.0, 0.0]


def test_the_page_lists_all_records_and_flags() -> None:
    page = README.read_text(encoding="utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == [kind.__name__ for kind in get_args(Drawable)]
    told = dict(re.findall(r"`([A-Z]+)`\s\((\d+)\)", page))
    assert told == {flag.name: str(flag.value) for flag in ShapeFlags}
    assert len(page.split()) <= 600
