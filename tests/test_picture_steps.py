"""A picture is the same, bit for bit, whatever pictures were made before it, in this thread or in others."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from enum import Enum
from functools import cache
from itertools import zip_longest
from typing import Any

import numpy as np
import pytest
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 - without which VTK has no actors
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkRenderer

import viewer
from collision import AABB, Capsule, Contacts, Line, OrientedBox, Point, Ray, Scene, Segment, Sphere
from tests.slow import deep, one_in
from viewer.picture.present import present
from viewer.records.drawables import Drawable, Label, Marker, Panel, Solid, Stroke
from viewer.records.theme import LIGHT
from viewer.session import Session
from viewer.stage.solids.actors import SolidActors
from viewer.stage.stage import Stage

SIZE = (320, 240)

THEMES = ["light", "dark", "colour-blind", "colour-blind-dark"]


def mixed(rng: np.random.Generator, count: int = 90) -> Scene:
    """Return a scene of all kinds: batches, single shapes, some of no size."""
    place = rng.uniform(-4.0, 4.0, (4, count, 3))
    return Scene(
        {
            "balls": Sphere(place[0], np.where(rng.random(count) < 0.3, 1e-3, rng.uniform(0.1, 0.5, count))),
            "rods": Capsule(place[1], place[1] + rng.normal(size=(count, 3)), rng.uniform(0.05, 0.3, count)),
            "bare": Capsule([4, 4, 4], [5, 4, 4], 0.2),
            "boxes": AABB(place[2], place[2] + rng.uniform(0.1, 0.8, (count, 3))),
            "turned": OrientedBox(place[3][:9], np.eye(3), rng.uniform(0.1, 0.5, (9, 3))),
            "P": Point([1.0, 2.0, 3.0]),
            "edge": Segment([0.0, 0.0, 4.0], [1.0, 2.0, 4.0]),
            "ray": Ray([-4.0, 0.0, 0.0], [1.0, 0.1, 0.2]),
            "line": Line([0.0, 0.0, -4.0], [1.0, 1.0, 0.0]),
        },
        ignored=[("balls*", "line")],
    )


def plain(drawable: Drawable) -> object:
    """Return what a drawable says, without how it came about."""
    if isinstance(drawable, Panel):
        return drawable
    values = ((field.name, getattr(drawable, field.name)) for field in fields(drawable))
    return type(drawable), [(k, v.tobytes() if isinstance(v, np.ndarray) else v) for k, v in values]


def vtk_arrays(actors: SolidActors) -> Iterator[tuple[str, Any]]:
    """Yield what VTK draws: the points and the arrays of each actor."""
    for k, actor in enumerate(actors.actors):
        data = actor.GetMapper().GetInput()
        if data is None:  # there was no solid of that kind yet
            continue
        yield f"{k} points", data.GetPoints()
        own = data.GetPointData()
        yield from ((f"{k} {own.GetArrayName(n)}", own.GetArray(n)) for n in range(own.GetNumberOfArrays()))


def arrays(actors: SolidActors) -> dict[str, bytes]:
    given = ((name, array.GetData() if name.endswith("points") else array) for name, array in vtk_arrays(actors))
    found = {name: vtk_to_numpy(array).tobytes() if array.GetNumberOfTuples() else b"" for name, array in given}
    found |= {f"place of {k}": repr(actor.GetPosition()).encode() for k, actor in enumerate(actors.actors)}
    return found | {"bounds": np.array(actors.bounds).tobytes(), "thin": repr(list(map(plain, actors.thin))).encode()}


def edits(session: Session, rng: np.random.Generator, count: int) -> Iterator[str]:
    """Do one thing after the other to a session, at random, and say what."""
    for _ in range(count):
        scene = session.scene
        name = scene.element_name(int(rng.integers(scene.element_count)))
        what = rng.choice(["drag", "move", "fling", "turn", "select", "undo", "redo", "hide", "shrink", "all"], p=_ODDS)
        if what == "drag":
            yield from _drag(session, rng, name)
            continue
        if what in ("move", "fling"):
            session.select(name)
            session.move_selection(rng.normal(size=3) * (0.5 if what == "move" else 20.0))
        elif what == "turn":
            session.view.look(str(rng.choice(["iso", "x", "-z"])))
        elif what == "select":
            session.select(str(rng.choice(["balls", name])))
        elif what == "hide":
            session.change(scene.replaced(hidden=[] if scene.hidden else [name, "turned[3]"]))
        elif what == "shrink":
            ball = scene["balls[3]"]
            assert isinstance(ball, Sphere)
            session.change(scene.with_shape("balls[3]", Sphere(ball.center, 0.0 if ball.radius else 0.3)))
        elif what == "all":
            session.change(scene.moved("balls", rng.normal(size=3) * 0.1))
        else:
            session.key("z" if what == "undo" else "y", ctrl=True)
        yield f"{what} {name}"


_ODDS = [0.3, 0.2, 0.06, 0.06, 0.08, 0.1, 0.06, 0.06, 0.04, 0.04]


def _drag(session: Session, rng: np.random.Generator, name: str) -> Iterator[str]:
    session.select(name)
    shape = session.scene[name]
    middle = shape.bounds().center if shape.bounded else shape.core.operands[0]
    x, y = session.viewport.project([middle])[0][0]
    if not session.press(x, y):
        return
    for step in rng.normal(size=(3, 2)) * 30.0:
        session.move(*(np.array([x, y]) + step))
        yield f"drag {name}"
    session.release(x + 7.0, y)
    yield f"dragged {name}"


@pytest.mark.parametrize("seed", one_in(3, range(3)))
def test_a_step_gives_the_picture_made_from_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    session = Session(mixed(rng), size=SIZE)
    own = SolidActors(vtkRenderer(), LIGHT, mesh=False)
    seen: Counter[str] = Counter()
    for what in edits(session, rng, 50 if deep() else 25):
        drawables = present(session)
        own.update([drawable for drawable in drawables if isinstance(drawable, Solid)])
        contacts = session.scene.contacts()
        new = SolidActors(vtkRenderer(), LIGHT, mesh=False)
        new.update([drawable for drawable in drawables if isinstance(drawable, Solid)])
        after = arrays(own)
        assert {name: after[name] for name in arrays(new)} == arrays(new), what
        scene = session.scene
        expected = scene.replaced(shapes=dict(scene.shapes)).contacts()
        for field in fields(Contacts):
            assert getattr(contacts, field.name).tobytes() == getattr(expected, field.name).tobytes(), what
        seen.update({type(drawable).__name__ for drawable in drawables})
    assert min(seen[kind.__name__] for kind in (Solid, Stroke, Marker, Label, Panel)) >= 25


def test_a_step_draws_the_image_made_from_nothing() -> None:
    rng = np.random.default_rng(11)
    session = Session(mixed(rng, 12), size=SIZE)
    with Stage.offscreen(SIZE) as stage:
        for number, what in enumerate(edits(session, rng, 16)):
            stage.draw(present(session), session.viewport.camera)
            if number % 4 == 3:
                assert (stage.image() == viewer.snapshot(session)).all(), what
            else:
                stage.prepare()


class Shown:
    """A session of its own in a stage of its own, on which one thing after the other is done."""

    def __init__(self, seed: int, stage: Stage) -> None:
        rng = np.random.default_rng(seed)
        self.session, self.stage = Session(mixed(rng, 12), size=SIZE), stage
        self.session.settings.set_theme(THEMES[seed % len(THEMES)])
        self.steps = edits(self.session, rng, 5)

    def images(self) -> Iterator[np.ndarray]:
        """Yield a picture after each step."""
        for _ in self.steps:
            self.stage.restyle(self.session.settings.theme)
            self.stage.draw(present(self.session), self.session.viewport.camera)
            yield self.stage.image()


def alone(seed: int) -> list[np.ndarray]:
    """Return the pictures of a session that is the only one."""
    with Stage.offscreen(SIZE) as stage:
        return list(Shown(seed, stage).images())


@cache
def expected_of(seed: int) -> list[np.ndarray]:
    """Return those pictures, which are drawn once."""
    return alone(seed)


def test_two_sessions_in_turn_give_the_pictures_that_each_gives_alone() -> None:
    expected = [expected_of(seed) for seed in (0, 1)]
    with Stage.offscreen(SIZE) as first, Stage.offscreen(SIZE) as second:
        shown = [Shown(seed, stage).images() for seed, stage in enumerate((first, second))]
        for number, pictures in enumerate(zip_longest(*expected)):
            for images, picture in zip(shown, pictures, strict=True):
                assert picture is None or (next(images) == picture).all(), number
    assert min(map(len, expected)) >= 5


def test_sessions_in_threads_give_the_pictures_that_each_gives_alone() -> None:
    seeds = range(4 if deep() else 2)
    expected = list(map(expected_of, seeds))
    with ThreadPoolExecutor(len(seeds)) as threads:
        for pictures, wanted in zip(threads.map(alone, seeds), expected, strict=True):
            assert all((picture == one).all() for picture, one in zip(pictures, wanted, strict=True))


def test_four_threads_make_the_drawables_that_each_makes_alone() -> None:
    def drawables(seed: int) -> list[object]:
        rng = np.random.default_rng(seed)
        session = Session(mixed(rng, 12), size=SIZE)
        return [list(map(plain, present(session))) for _ in edits(session, rng, 6)]

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(drawables, range(4))) == list(map(drawables, range(4)))


def constants() -> dict[str, str]:
    """Return what the containers, arrays and objects say that modules of the viewer hold."""
    modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "viewer"]
    values = [(f"{module.__name__}.{name}", value) for module in modules for name, value in vars(module).items()]
    with np.printoptions(threshold=sys.maxsize):
        return {name: said(value) for name, value in values if not name.endswith("__")}


def said(value: object) -> str:
    """Write a value and all that is in it, as far as it is of the viewer or a container."""
    if isinstance(value, tuple | list | Mapping):
        return str([said(part) for part in (value.items() if isinstance(value, Mapping) else value)])
    own = type(value).__module__.startswith("viewer") and not isinstance(value, type | Enum)
    return said(vars(value)) if own and hasattr(value, "__dict__") else repr(value)


def test_pictures_change_nothing_that_modules_hold() -> None:
    alone(0)
    before = constants()
    assert len(before) > 300
    alone(1)
    assert constants() == before


def test_a_long_drag_leaves_nothing_behind() -> None:
    session = Session(mixed(np.random.default_rng(5), 12), size=SIZE)
    session.select("balls[3]")
    first, last = (100, 250) if deep() else (20, 60)

    def objects() -> Counter[str]:
        gc.collect()
        return Counter(type(thing).__name__ for thing in gc.get_objects())

    with Stage.offscreen(SIZE) as stage:
        x, y = session.viewport.project([session.scene["balls[3]"].bounds().center])[0][0]
        stage.draw(present(session), session.viewport.camera)
        assert session.press(x, y)
        steps = np.stack([np.cos(np.arange(last) * 0.1), np.sin(np.arange(last) * 0.1)], axis=1) * 20.0
        counts = []
        for number, step in enumerate(steps):
            session.move(*(np.array([x, y]) + step))
            stage.draw(present(session), session.viewport.camera)
            stage.prepare()
            if number + 1 in (first, last):
                counts.append(objects())
    # Of what follows from the number of steps there would be many for each.
    assert not {name: count for name, count in (counts[1] - counts[0]).items() if count > 2 * (last - first)}
