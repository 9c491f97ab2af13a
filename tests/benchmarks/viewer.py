"""The viewer: what a drag costs beside the frame, frames and opening beside bare VTK, picks, and memory."""

from __future__ import annotations

import gc
import itertools
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import cycle
from math import cos, sin
from pathlib import Path

import numpy as np

from tests.benchmarks.inputs import crowd
from tests.benchmarks.measure import Bench, Contestant, Disagreement, Effort, Result, Row, Task, at_most, within
from viewer.camera.picking import pick
from viewer.picture.present import present
from viewer.records.drawables import Drawable
from viewer.session import Session
from viewer.stage.stage import Stage

SIZE = (640, 480)

#: What is dragged: it is in the middle of the crowd.
NAME = "spheres[17]"

#: What a drag turns by at each step, in radians: no part of a whole turn.
_TURN = 0.157

#: The time of a step of a drag beside its frame, by the number of shapes; and of a pick.
_STEPS = {1_000: 10e-3, 10_000: 15e-3, 100_000: 100e-3}
_PICK = 1e-3

#: The time of such a step among as many shapes while a step of an explanation is shown.
_EXPLAINED = {1_000: 25e-3}

#: How much the process may grow: what the allocator keeps for itself comes and goes.
_GROWTH = 2.0**20


def tasks(effort: Effort) -> Iterator[Task]:
    """Yield what there is to measure."""
    for count in effort.viewed:
        yield Task(f"viewer: a step of a drag, {count:,} shapes", partial(_drag, count))
        yield Task(f"viewer: steps of two drags in turn, {count:,} shapes", partial(_in_turn, count))
    least = min(effort.viewed)
    yield Task(f"viewer: a step of a drag of what is explained, {least:,} shapes", partial(_explained, least))
    for count in effort.viewed:
        yield Task(f"viewer: a frame of {count:,} shapes", partial(_frame, count))
    yield Task(f"viewer: opening {effort.opened:,} shapes", _open)
    yield Task(f"viewer: picking among {effort.opened:,} shapes", _pick)
    yield Task(f"viewer: memory over {effort.drags:,} steps of drags", _memory)


class Desk:
    """A session in a stage with a shape in hand, as the window has it, but for the window.

    Parameters
    ----------
    shapes : int
        How many there are.
    stage : Stage
        Where they are drawn.
    explained : bool
        Whether it is explained meanwhile how far that shape is from the nearest other one.
    """

    def __init__(self, shapes: int, stage: Stage, *, explained: bool = False) -> None:
        self.session, self.stage = Session(crowd(shapes).scene(), size=SIZE), stage
        self.session.select(NAME)
        if explained:
            self.session.explaining.explain()
        self.show()
        at = self.session.viewport.project(self.session.scene[NAME].bounds().center)[0]
        if not self.session.press(*at):
            raise Disagreement(f"there is no handle in the middle of {NAME}")
        # Round and round, and never to the same place again: what is remembered of a place would flatter a drag.
        self._path = ([at[0] + 30.0 * cos(_TURN * k), at[1] + 30.0 * sin(_TURN * k)] for k in itertools.count())

    def show(self) -> tuple[Drawable, ...]:
        """Hand the picture to the stage, and make all that a frame needs."""
        drawables = present(self.session)
        self.stage.draw(drawables, self.session.viewport.camera)
        self.stage.prepare()
        return drawables

    def step(self) -> tuple[Drawable, ...]:
        """Move what is in hand a little."""
        self.session.move(*next(self._path))
        return self.show()


@contextmanager
def _desk(count: int, *, explained: bool = False) -> Iterator[Desk]:
    with Stage.offscreen(SIZE) as stage:
        yield Desk(count, stage, explained=explained)


def _drag(count: int, bench: Bench) -> Iterable[Row]:
    """Drag a shape through the others: everything from the mouse to the frame, without the frame."""
    bench.say("making shapes")
    with _desk(count) as desk:
        for _ in range(bench.effort.warming):
            desk.step()
        results = bench.race(often=20, ours=Contestant(desk.step))
        _check(desk.session)
    goal = within(_STEPS[count]) if count in _STEPS else None
    yield Row("viewer, a step of a drag beside its frame", f"{count:,} shapes", results["ours"], goal=goal, alone=True)


def _explained(count: int, bench: Bench) -> Iterable[Row]:
    """Drag one of two shapes while it is explained how far apart they are: the step that takes longest is reported."""
    bench.say("making shapes")
    with _desk(count, explained=True) as desk:
        told = desk.session.explaining.explanation
        if told is None:
            raise Disagreement(desk.session.notice)
        found = list[Result]()
        for number in range(len(told.steps)):
            desk.session.explaining.go_to_step(number)
            for _ in range(bench.effort.warming // 20):
                desk.step()
            found.append(bench.race(often=20, ours=Contestant(desk.step))["ours"])
    slowest = max(found, key=lambda result: result.best)
    work = "viewer, a step of a drag of what is explained, beside its frame"
    goal = within(_EXPLAINED[count]) if count in _EXPLAINED else None
    yield Row(work, f"{count:,} shapes", slowest, goal=goal, alone=True)


def _in_turn(count: int, bench: Bench) -> Iterable[Row]:
    """Drag in two sessions, a step in one and a step in the other: neither is to forget what it needs."""
    bench.say("making shapes")
    with _desk(count) as one, _desk(count) as other, _desk(count) as third:
        for _ in range(bench.effort.warming // 4):
            for desk in (one, other, third):
                desk.step()
        results = bench.race(
            often=20,
            turn=Contestant(lambda: (one.step(), other.step()), scale=0.5),
            alone=Contestant(third.step),
        )
    work = "viewer, a step of a drag, of two in turn"
    yield Row(work, f"{count:,} shapes", results["turn"], "one alone", results["alone"], at_most(1.3), alone=True)


def _check(session: Session) -> None:
    """Compare the pairs that the picture shows with those that a scene made anew finds."""
    scene = session.scene
    if not np.array_equal(scene.contacts().pairs, scene.replaced(shapes=dict(scene.shapes)).colliding_pairs()):
        raise Disagreement("after a drag, other pairs are shown than collide")


def _frame(count: int, bench: Bench) -> Iterable[Row]:
    """Draw frames of what is there already, and frames after one shape has moved."""
    from tests.benchmarks.bare_vtk import BareScene

    bench.say("making shapes")
    with _desk(count) as desk:
        pixels = desk.stage.plotter.render_window.GetSize()
        bare = BareScene(crowd(count), (pixels[0], pixels[1]), desk.session.viewport.camera)
        pictures = cycle([desk.step() for _ in range(2)])
        places = cycle(np.random.default_rng(5).normal(size=(2, 3)))

        def ours_moved() -> None:
            desk.stage.draw(next(pictures))
            desk.stage.render()

        def bare_moved() -> None:
            bare.move(17, next(places))
            bare.render()

        contests: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
            "at rest": (desk.stage.render, bare.render),
            "of which one moved": (ours_moved, bare_moved),
        }
        for case, (ours, theirs) in contests.items():
            results = bench.race(often=4, ours=Contestant(ours), bare=Contestant(theirs))
            name = f"{count:,} shapes, {case}"
            goal = at_most(1.1 if case == "at rest" else 2.0)
            yield Row("viewer, a frame", name, results["ours"], "bare VTK", results["bare"], goal, alone=True)
        bare.close()


def _open(bench: Bench) -> Iterable[Row]:
    """From plain arrays to the first frame; ours finds the colliding pairs, too."""
    from tests.benchmarks.bare_vtk import BareScene

    bench.say("making shapes")
    shapes = crowd(bench.effort.opened)
    camera = Session(shapes.scene(), size=SIZE).viewport.camera
    with Stage.offscreen(SIZE) as stage:
        pixels = stage.plotter.render_window.GetSize()

    def ours() -> None:
        session = Session(shapes.scene(), size=SIZE)
        with Stage.offscreen(SIZE) as stage:
            stage.draw(present(session), session.viewport.camera)
            stage.render()

    def theirs() -> None:
        bare = BareScene(shapes, (pixels[0], pixels[1]), camera)
        bare.render()
        bare.close()

    results = bench.race(ours=Contestant(ours), bare=Contestant(theirs))
    work = f"viewer, opening {bench.effort.opened:,} shapes"
    yield Row(work, "", results["ours"], "bare VTK", results["bare"], at_most(1.5))


def _pick(bench: Bench) -> Iterable[Row]:
    """Click on shapes, and go over the handles of one, in a scene in which one was dragged."""
    bench.say("making shapes")
    with _desk(bench.effort.opened) as desk:
        session, (width, height) = desk.session, SIZE
        desk.step()
        session.release(*next(desk._path))
        rng = np.random.default_rng(7)
        pixels = cycle(rng.uniform([0.2 * width, 0.2 * height], [0.8 * width, 0.8 * height], (100, 2)).tolist())
        results = bench.race(
            click=Contestant(lambda: pick(session.scene, session.viewport, *next(pixels))),
            hover=Contestant(lambda: session.move(*next(pixels))),
        )
    for case, result in results.items():
        yield Row(f"viewer, a pick among {bench.effort.opened:,} shapes", case, result, goal=within(_PICK))


def _memory(bench: Bench) -> Iterable[Row]:
    """Drag and let go, over and over, and see what the process holds: one long drag is a step of the history."""
    bench.say("making shapes")
    with _desk(min(bench.effort.viewed)) as desk:
        for _ in range(bench.effort.drags // 10):
            desk.step()
        before = _held()
        for number in range(bench.effort.drags):
            if number % 500 == 0:
                bench.say(f"{number:,} steps")
            desk.step()
        grown = max(_held() - before, 1.0)
    work = f"viewer, memory more after {bench.effort.drags:,} steps of a drag"
    yield Row(work, "", Result(None, np.array([grown])), goal=within(_GROWTH, "B"))


def _held() -> float:
    """Return how many bytes the process holds."""
    gc.collect()
    counts = Path("/proc/self/statm")
    if not counts.is_file():
        raise Disagreement("only Linux says how much memory a process holds")
    return float(counts.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
