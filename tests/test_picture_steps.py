"""A picture is the same, bit for bit, whatever pictures were made before it, in this thread or in others."""

from __future__ import annotations

import contextlib
import gc
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from enum import Enum
from itertools import zip_longest
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkRenderer

import viewer
from collision import AABB, Capsule, Contacts, Line, OrientedBox, Point, Ray, Scene, Segment, Sphere
from tests.slow import one_in
from viewer.picture.picture import Picture
from viewer.picture.present import present
from viewer.records.drawables import Drawable, Label, Marker, Panel, Solid, Stroke
from viewer.records.theme import LIGHT
from viewer.session import Session, Toggles
from viewer.stage.solids.actors import SolidActors
from viewer.stage.solids.impostors import ImpostorLayer
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
    if isinstance(drawable, Solid):
        own = [(name, value.tobytes()) for name, value in drawable.shape.values().items()]
        return type(drawable.shape), own, drawable.flags.tobytes()
    if isinstance(drawable, Panel):
        return drawable
    values = ((field.name, getattr(drawable, field.name)) for field in fields(drawable))
    return type(drawable), [(k, v.tobytes() if isinstance(v, np.ndarray) else v) for k, v in values]


def vtk_arrays(actors: SolidActors) -> Iterator[tuple[str, Any]]:
    """Yield what VTK draws: the points and the arrays of each actor."""
    for k, actor in enumerate(actors.actors):
        data = actor.GetMapper().GetInput()
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
    session, picture = Session(mixed(rng), size=SIZE), Picture()
    own = SolidActors(vtkRenderer(), LIGHT, mesh=False)
    seen: Counter[str] = Counter()
    for what in edits(session, rng, 50):
        drawables, others = picture.drawables(session), present(session)
        own.update([drawable for drawable in drawables if isinstance(drawable, Solid)])
        contacts = session.scene.contacts()
        new = SolidActors(vtkRenderer(), LIGHT, mesh=False)
        new.update([drawable for drawable in others if isinstance(drawable, Solid)])
        assert list(map(plain, drawables)) == list(map(plain, others)), what
        assert arrays(own) == arrays(new), what
        scene = session.scene
        expected = scene.replaced(shapes=dict(scene.shapes)).contacts()
        for field in fields(Contacts):
            assert getattr(contacts, field.name).tobytes() == getattr(expected, field.name).tobytes(), what
        seen.update({type(drawable).__name__ for drawable in drawables})
        seen["patched"] += any(0 < len(d.moved) < 9 for d in drawables if isinstance(d, Solid))
    assert seen["patched"] > 20
    assert min(seen[kind.__name__] for kind in (Solid, Stroke, Marker, Label, Panel)) > 20


def commands(session: Session, rng: np.random.Generator) -> dict[str, Callable[[], object]]:
    """Return what a user may do next, beside what `edits` does: all that changes what a picture says."""
    names = [*session.scene, *session.scene.element_names[::3]] or ["balls"]
    name, some = str(rng.choice(names)), [str(name) for name in rng.choice(names, int(rng.integers(1, 4)))]
    toggles = [f.name for f in fields(Toggles) if f.name != "help"]
    return {
        "choose": lambda: session.select_many(some),
        "add": lambda: session.select(name, add=True),
        "deselect": session.deselect,
        "push": lambda: session.move_selection(rng.normal(size=3) * 0.3),
        "nudge": lambda: session.move_selection([1e-3, 0.0, 0.0]),
        "toggle": lambda: session.settings.toggle(str(rng.choice(toggles))),
        "hide": session.document.hide,
        "hide all": lambda: (session.selection.select_all(), session.document.hide()),
        "show": session.document.show_all,
        "ignore": lambda: session.change(session.scene.ignoring((name, "balls*"))),
        "delete": session.delete,
        "rename": lambda: session.rename(f"n{rng.integers(99)}"),
        "walk": lambda: session.selection.walk_pairs(1),
        "undo": session.undo,
        "look": lambda: session.view.look(str(rng.choice(["iso", "x"]))),
        "shrink": lambda: session.scale_selection(float(rng.choice([1e-3, 1e3]))),
        "caption": lambda: session.change(session.scene.replaced(caption=name)),
    }


@pytest.mark.parametrize("seed", one_in(2, range(2)))
def test_what_is_kept_is_what_is_made_from_nothing(seed: int) -> None:
    """Whatever is done, and also where two sessions are looked at in turn, no picture shows what was before."""
    rng, picture = np.random.default_rng(seed), Picture()
    sessions = [Session(mixed(rng, count), size=SIZE) for count in (40, 10)]
    done = Counter[str]()
    for _ in range(160):
        session = sessions[int(rng.random() < 0.2)]
        # Most of the time, one moves on with what is selected.
        likely = ["push", "nudge"] if session.selected and rng.random() < 0.5 else list(commands(session, rng))
        what = str(rng.choice(likely))
        with contextlib.suppress(ValueError, KeyError):  # what cannot be done now
            commands(session, rng)[what]()
            done[what] += 1
        drawables, others = picture.drawables(session), present(session)
        assert list(map(plain, drawables)) == list(map(plain, others)), what
    assert len(done) >= len(commands(sessions[0], rng)) - 2


def test_a_step_draws_the_image_made_from_nothing() -> None:
    rng, picture = np.random.default_rng(11), Picture()
    session = Session(mixed(rng, 30), size=SIZE)
    with Stage.offscreen(SIZE) as stage:
        for number, what in enumerate(edits(session, rng, 16)):
            stage.draw(picture.drawables(session), session.viewport.camera)
            if number % 4 == 3:
                assert (stage.image() == viewer.snapshot(session)).all(), what
            else:
                stage.prepare()


class Shown:
    """A session of its own in a stage of its own, on which one thing after the other is done."""

    def __init__(self, seed: int, stage: Stage) -> None:
        rng = np.random.default_rng(seed)
        self.session, self.picture, self.stage = Session(mixed(rng, 30), size=SIZE), Picture(), stage
        self.session.settings.set_theme(THEMES[seed % len(THEMES)])
        self.steps = edits(self.session, rng, 5)

    def images(self) -> Iterator[np.ndarray]:
        """Yield a picture after each step."""
        for _ in self.steps:
            self.stage.restyle(self.session.settings.theme)
            self.stage.draw(self.picture.drawables(self.session), self.session.viewport.camera)
            yield self.stage.image()


def alone(seed: int) -> list[np.ndarray]:
    """Return the pictures of a session that is the only one."""
    with Stage.offscreen(SIZE) as stage:
        return list(Shown(seed, stage).images())


def test_two_sessions_in_turn_give_the_pictures_that_each_gives_alone() -> None:
    expected = [alone(seed) for seed in (0, 1)]
    with Stage.offscreen(SIZE) as first, Stage.offscreen(SIZE) as second:
        shown = [Shown(seed, stage).images() for seed, stage in enumerate((first, second))]
        for number, pictures in enumerate(zip_longest(*expected)):
            for images, picture in zip(shown, pictures, strict=True):
                assert picture is None or (next(images) == picture).all(), number
    assert min(map(len, expected)) >= 5


def test_sessions_in_four_threads_give_the_pictures_that_each_gives_alone() -> None:
    seeds = range(4)
    expected = list(map(alone, seeds))
    with ThreadPoolExecutor(len(seeds)) as threads:
        for pictures, wanted in zip(threads.map(alone, seeds), expected, strict=True):
            assert all((picture == one).all() for picture, one in zip(pictures, wanted, strict=True))


def test_four_threads_make_the_drawables_that_each_makes_alone() -> None:
    def drawables(seed: int) -> list[object]:
        rng, picture = np.random.default_rng(seed), Picture()
        session = Session(mixed(rng, 30), size=SIZE)
        return [list(map(plain, picture.drawables(session))) for _ in edits(session, rng, 12)]

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


def batches(rng: np.random.Generator) -> list[Solid]:
    """Return solids of all kinds: more than may move at once, fewer, a capsule without a body."""
    place = rng.uniform(-4.0, 4.0, (5, 90, 3))
    turned = Rotation.random(20, random_state=rng).as_matrix()
    shapes: list[Sphere | Capsule | AABB | OrientedBox] = [
        Sphere(place[0], rng.uniform(0.1, 0.5, 90)),
        Capsule(place[1][:30], np.where(np.arange(30)[:, None] % 7, place[2][:30], place[1][:30]), 0.2).flattened(),
        AABB(place[2], place[2] + rng.uniform(0.1, 0.8, (90, 3))),
        OrientedBox(place[3][:20], turned, rng.uniform(0.1, 0.5, (20, 3))),
        Capsule(place[3][:9], place[4][:9], rng.uniform(0.05, 0.3, 9)),
    ]
    return [Solid(shape, np.zeros(len(shape), np.uint8)) for shape in shapes]


def changed(solid: Solid, rng: np.random.Generator, *, far: bool) -> Solid:
    """Return a batch of which some rows are elsewhere, turned, larger, of no size, or stand in another way."""
    count = len(solid.shape)
    rows = np.sort(rng.permutation(count)[: rng.choice([0, 0, 1, 1, 2, 7, count])])
    values = {name: value.copy() for name, value in solid.shape.values().items()}
    flags = solid.flags.copy()
    flags[rows] = rng.integers(0, 4, len(rows))
    step = rng.normal(size=(len(rows), 3)) * (9.0 if far else 0.3)
    for name in {"center", "start", "end", "lower", "upper"} & values.keys():
        values[name][rows] += step
    if rng.random() < 0.5 and "axes" in values:
        values["axes"][rows] = Rotation.random(len(rows), random_state=rng).as_matrix() if len(rows) else 0.0
    if rng.random() < 0.2 and "half_extents" in values:
        values["half_extents"][rows] *= rng.choice([2.0, 0.0], (len(rows), 3), p=[0.9, 0.1])
    if rng.random() < 0.2 and "radius" in values:
        values["radius"][rows] *= rng.choice([0.5, 0.0], p=[0.8, 0.2])
    if rng.random() < 0.1 and "start" in values:
        values["end"][rows] = values["start"][rows] + rng.choice([0.0, 0.5])
    new = type(solid.shape)(**values)
    return Solid(solid.batch, flags, {row: new[row] for row in rows.tolist()})


@pytest.mark.parametrize("seed", one_in(3, range(3)))
def test_rows_are_written_as_whole_batches_are(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng, wholes = np.random.default_rng(seed), Counter[str]()
    update = ImpostorLayer.update
    monkeypatch.setattr(ImpostorLayer, "update", lambda *args: wholes.update(["whole"]) or update(*args))
    base, own = batches(rng), SolidActors(vtkRenderer(), LIGHT, mesh=False)
    own.update(base)
    for step in range(80):
        given = [changed(solid, rng, far=step % 9 == 8) for solid in base]
        before, told = arrays(own), times(own)
        own.update(given)
        new = SolidActors(vtkRenderer(), LIGHT, mesh=False)
        new.update([Solid(solid.shape, solid.flags) for solid in given])
        after, said = arrays(own), times(own)
        assert after == arrays(new)
        # VTK is told of all that changed, and of nothing else.
        assert all((said[name] > told[name]) == (after[name] != before[name]) for name in said)
    assert 5 < wholes["whole"] - 81 < 60  # where something has no surface


def times(actors: SolidActors) -> dict[str, int]:
    """Return when VTK was last told of each array."""
    return {name: array.GetMTime() for name, array in vtk_arrays(actors)}


def test_a_long_drag_leaves_nothing_behind() -> None:
    session, picture = Session(mixed(np.random.default_rng(5)), size=SIZE), Picture()
    session.select("balls[3]")

    def objects() -> Counter[str]:
        gc.collect()
        return Counter(type(thing).__name__ for thing in gc.get_objects())

    with Stage.offscreen(SIZE) as stage:
        x, y = session.viewport.project([session.scene["balls[3]"].bounds().center])[0][0]
        stage.draw(picture.drawables(session), session.viewport.camera)
        assert session.press(x, y)
        steps = np.stack([np.cos(np.arange(250) * 0.1), np.sin(np.arange(250) * 0.1)], axis=1) * 20.0
        counts = []
        for number, step in enumerate(steps):
            session.move(*(np.array([x, y]) + step))
            stage.draw(picture.drawables(session), session.viewport.camera)
            stage.prepare()
            if number in (99, 249):
                counts.append(objects())
    # What follows from the number of steps would be thousands.
    assert not {name: count for name, count in (counts[1] - counts[0]).items() if count > 300}
