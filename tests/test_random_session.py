"""A long session of random commands, undone and done again at random: red is always what brute force finds.

``--deep`` makes it 20,000 commands; every run does 150 of them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from collision import (
    AABB,
    Capsule,
    HalfSpace,
    Line,
    Motion,
    OrientedBox,
    Point,
    Ray,
    Scene,
    Segment,
    Show,
    Sphere,
    intersects,
    signed_distance,
)
from collision.scenefile import dump_scene, load_scene, save_scene
from viewer.picture.handles import handle_marks
from viewer.picture.present import present
from viewer.records.drawables import ShapeFlags, Solid
from viewer.session import Session
from viewer.session.commands import BINDINGS
from viewer.session.document import NEW

SIZE = (800, 600)
SCENE = Scene(
    {
        "ball": Sphere([0, 0, 0], 1),
        "box": AABB([1.5, -1, -1], [3, 1, 1]),
        "crate": OrientedBox([0, 3, 0], np.array([[0.6, -0.8, 0], [0.8, 0.6, 0], [0, 0, 1]]), [1, 0.5, 0.5]),
        "arm": Capsule([-3, 0, 0], [-3, 0, 2], 0.4),
        "edge": Segment([0, -3, 0], [2, -3, 1]),
        "ray": Ray([-3, -3, 0], [0, 1, 0.2]),
        "line": Line([0, 4, 0], [1, 0, 0]),
        "P": Point([-2, -2, 0]),
        "crowd": Sphere([[5, 0, 0], [5, 1.2, 0], [5, 3, 0]], [0.5, 0.75, 0.5]),
        "grid": Point(np.arange(12.0).reshape(2, 2, 3) / 4),
    },
    ignored=[("crowd*", "crowd*"), ("ball", "crowd[1]"), ("arm*", "box")],
    shows=[Show("closest_points", "ball", "box"), Show("bounds", "crowd[2]")],
    motion=[Motion("crate", [0, 1, 2], [[0, 0, 0], [0, -3, 0], [2, -3, 1]])],
    title="A scene to play with",
)

#: More elements than this, and some are taken away: brute force looks at all pairs.
MANY = 26

#: Signed distances of pairs that touch are this near to zero, as a part of their size.
ROUNDING = 1e-9

SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789.-_ /*[]"


class Player:
    """Plays a session at random."""

    def __init__(self, session: Session, rng: np.random.Generator, folder: Path) -> None:
        self.session, self.rng, self.folder = session, rng, folder
        self.hit, self.asked, self.tried, self.boxed = 0, 0, 0, 0
        self.acts: list[tuple[Callable[[], object], float]] = [
            (self.key, 8.0),
            (self.mouse, 4.0),
            (self.python, 5.0),
            (self.back_and_forth, 1.0),
            (self.digits, 1.0),
            (self.file, 0.1),
        ]

    def step(self) -> None:
        """Do something."""
        session = self.session
        self.tried += 1
        if session.prompt is not None:
            self.asked += 1
            self.reply()
        elif session.resting.element_count > MANY:
            session.select_many(self.names(6))
            self.refusable(session.delete)
        else:
            weights = np.array([weight for _, weight in self.acts])
            self.acts[int(self.rng.choice(len(self.acts), p=weights / weights.sum()))][0]()
        if session.closed:
            session.dialog.closed = False

    def names(self, most: int) -> list[str]:
        """Return some names of entries and elements."""
        scene = self.session.resting
        if not scene.element_count:
            return []
        numbers = self.rng.integers(scene.element_count, size=int(self.rng.integers(1, most + 1)))
        names = [scene.element_name(int(number)) for number in numbers]
        return [name.partition("[")[0] if self.rng.random() < 0.3 else name for name in names]

    def refusable(self, command: Callable[[], object]) -> None:
        """Do what may be refused, in words."""
        with contextlib.suppress(ValueError):
            command()

    def key(self) -> None:
        *held, symbol = str(self.rng.choice(list(BINDINGS))).split("+")
        assert self.session.key(symbol, **dict.fromkeys(held, True))

    def digits(self) -> None:
        for symbol in self.rng.choice([*"gxyz123456", "period", "minus", "Return", "Escape", "s", "r"], size=5):
            self.session.key(str(symbol))

    def reply(self) -> None:
        asked = self.session.prompt
        assert asked is not None
        if asked.choices and self.rng.random() < 0.7:
            self.session.key(str(self.rng.choice(list(asked.choices))))
        elif self.rng.random() < 0.3:
            self.session.key("Escape")
        else:
            for sign in self.rng.choice(list(SIGNS), size=3):
                if self.session.prompt is not None:
                    self.session.key(str(sign), text=str(sign))
            self.session.key(str(self.rng.choice(["Return", "Home", "Delete", "BackSpace", "Left"])))

    def pixel(self) -> tuple[float, float]:
        """Return a place in the picture: of a handle or of a shape, or any."""
        session, x, y = self.session, *self.rng.uniform(0, SIZE)
        if self.rng.random() < 0.5 and (handles := handle_marks(session)):
            points = [d.points if hasattr(d, "points") else getattr(d, "end", None) for d in handles]
            points = [p for p in points if p is not None and len(p)]
            if points:
                found = session.viewport.project(points[int(self.rng.integers(len(points)))][:1])[0][0]
                x, y = found if np.isfinite(found).all() else (x, y)
        return float(x), float(y)

    def mouse(self) -> None:
        session, rng = self.session, self.rng
        shift, ctrl = bool(rng.random() < 0.2), bool(rng.random() < 0.15)
        x, y = self.pixel()
        session.press(x, y, ctrl=ctrl)
        if rng.random() < 0.7:
            for _ in range(int(rng.integers(1, 4))):
                x, y = x + rng.normal(0, 60), y + rng.normal(0, 60)
                session.move(x, y, shift=shift, ctrl=ctrl)
                check(self)
                if session.selection.box is not None:
                    self.boxed += 1
                    present(session)
        if rng.random() < 0.9:
            session.release(x, y, shift=shift, ctrl=ctrl)

    def python(self) -> None:
        session, rng = self.session, self.rng
        commands: list[Callable[[], object]] = [
            lambda: session.select_many(self.names(4)),
            lambda: session.select(self.names(1)[0], add=True) if session.resting.element_count else None,
            lambda: session.move_selection(rng.normal(0, 1.5, 3)),
            lambda: session.add(str(rng.choice(list(NEW)))),
            session.duplicate,
            session.document.hide,
            session.document.isolate,
            session.document.show_all,
            lambda: session.rename(f"n{rng.integers(20)}"),
            lambda: session.selection.select_box(tuple(rng.uniform(0, SIZE)), tuple(rng.uniform(0, SIZE)), add=True),
            lambda: session.change(session.resting.ignoring(("box*", "n*"))),
            lambda: session.player.tick(float(rng.uniform(0, 0.3))),
            session.view.frame_all,
        ]
        self.refusable(commands[int(rng.integers(len(commands)))])

    def back_and_forth(self) -> None:
        for _ in range(int(self.rng.integers(1, 12))):
            (self.session.undo if self.rng.random() < 0.6 else self.session.redo)()

    def file(self) -> None:
        session = self.session
        self.refusable(lambda: session.file.save_as(self.folder / f"{self.rng.integers(3)}.toml", overwrite=True))
        if not session.file.dirty and session.file.path is not None:
            assert dump_scene(load_scene(session.file.path)) == dump_scene(session.resting)


def check(player: Player) -> None:
    """Compare what is red with what brute force finds, over all pairs."""
    scene = player.session.scene
    red = {tuple(pair) for pair in scene.colliding_pairs().tolist()}
    count = 0
    for i, j in pairs_to_test(scene):
        a, b = scene.element(i), scene.element(j)
        distance = float(signed_distance(a, b))
        size = max(float(np.abs(value).max()) for shape in (a, b) for value in shape.values().values())
        if abs(distance) > ROUNDING * size:
            assert ((i, j) in red) is (distance < 0.0), (scene.element_name(i), scene.element_name(j), distance)
        else:
            assert ((i, j) in red) is bool(intersects(a, b)), (scene.element_name(i), scene.element_name(j), distance)
        count += (i, j) in red
    assert count == len(red)
    player.hit += count > 0


def pairs_to_test(scene: Scene) -> Iterator[tuple[int, int]]:
    """Yield the pairs that are neither hidden, nor ignored by the rules as they are written, nor of two half-spaces."""
    hidden = {number for name in scene.hidden for number in scene.element_numbers(name)}
    covered = {name: covers(scene, name) for pair in scene.ignored for name in pair}
    for i, j in combinations(range(scene.element_count), 2):
        if i in hidden or j in hidden:
            continue
        if isinstance(scene.element(i), HalfSpace) and isinstance(scene.element(j), HalfSpace):
            continue
        if any(
            (i in covered[a] and j in covered[b]) or (j in covered[a] and i in covered[b]) for a, b in scene.ignored
        ):
            continue
        yield i, j


def covers(scene: Scene, pattern: str) -> set[int]:
    """Return the elements that a rule's name covers; the rules of this scene have an asterisk only at the end."""
    if not pattern.endswith("*"):
        return set(scene.element_numbers(pattern)) if pattern in scene else set()
    return {n for n in range(scene.element_count) if scene.element_name(n).startswith(pattern[:-1])}


def drawn_red(session: Session) -> int:
    return sum(int(np.count_nonzero(d.flags & ShapeFlags.HIT)) for d in present(session) if isinstance(d, Solid))


def solid_red(scene: Scene) -> int:
    found = scene.contacts()
    assert len(found) == len(scene.colliding_pairs())
    numbers = set(found.pairs[~found.only_touching].flat)  # what touches, and no more, is not red
    solid = (Sphere, Capsule, AABB, OrientedBox)
    return sum(isinstance(scene.element(int(number)), solid) for number in numbers)


def test_red_is_what_brute_force_finds_whatever_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(SCENE, "scene.toml")
    first = load_scene("scene.toml")
    session = Session(first, size=SIZE)
    session.comes_from("scene.toml")
    player = Player(session, np.random.default_rng(2024), tmp_path)
    steps = 20_000 if pytestconfig.getoption("--deep") else 150
    before = dump_scene(first)
    for number in range(steps):
        player.step()
        check(player)
        if number % 25 == 0:
            assert drawn_red(session) == solid_red(session.scene)
        if number % 150 == 149:
            session.dialog.dismiss()
            session.cancel()
            last, done = session.resting, 0
            while session.document.undoable:
                session.undo()
                done += 1
            assert dump_scene(session.resting) == before
            assert session.resting == first
            assert session.document.hidden == frozenset()
            for _ in range(done):
                session.redo()
            assert session.resting is last
    # Random play that hits nothing, or asks nothing, would prove nothing.
    assert player.hit / player.tried > 0.3
    assert player.asked > 0.01 * steps
    assert player.boxed > 0.01 * steps
