"""Lessons: scenes to drag, each with what to predict, an explanation, and states in which it could break."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

import collision
from collision import Camera, Explanation, Motion, Scene, Shape, Show, Transform, explain
from viewer.files.places import described, lesson_files, title_and_caption

#: Where the articles lie that can be linked, by what they are called.
ARTICLES = {
    "article on 3D collision detection (MDN)": (
        "https://developer.mozilla.org/en-US/docs/Games/Techniques/3D_collision_detection"
    ),
}

#: What is said of a scene, in Markdown: worked out of it, so that no number in it can be wrong.
Says = Callable[[Scene], str]


@dataclass(frozen=True)
class Ask:
    """What a lesson asks of its scene."""

    #: The call, in which shapes stand by their names, and the scene as ``scene``.
    python: str
    query: str
    #: What it is given, by name: shapes mostly, or what the lesson has names for.
    given: tuple[str, ...]
    more: Mapping[str, Any] = field(default_factory=dict)
    #: What the two shapes are called in texts, where they are not given by their names.
    called: tuple[str, str] | None = None
    #: What the explanation is to show, in a sentence or two.
    says: str = ""
    #: A few lines of Python that compute the same the article's way, or a simple one, and end in its answer.
    short: str = ""
    #: Whether the page tells what our kernels do, too, and not only the article's way.
    full: bool = True


@dataclass(frozen=True)
class Guess:
    """Answers to choose from before one sees the answer."""

    choices: tuple[str, ...]
    #: Returns which of them is right, worked out of the scene.
    right: Says


def yes_or_no(holds: Callable[[Scene], bool]) -> Guess:
    """Return the guess whether something holds of a scene."""
    return Guess(("yes", "no"), lambda scene: "yes" if holds(scene) else "no")


@dataclass(frozen=True)
class State:
    """A state of a lesson's scene: what to expect of it, and what comes."""

    title: str
    #: Only those that are others than in the lesson's scene.
    shapes: Mapping[str, Shape]
    asks: str
    #: Returns what comes, from the scene in this state.
    answer: Says
    #: A call as in `Ask`; by default the first of the lesson.
    python: str = ""
    #: What is other of the names that calls use.
    names: Mapping[str, Any] = field(default_factory=dict)
    #: What else of the scene is other: ``camera``, ``motion``.
    more: Mapping[str, Any] = field(default_factory=dict)
    #: The titles of the steps of its explanation that show what is special.
    steps: tuple[str, ...] = ()
    #: Which of what the lesson asks is explained, from 0 on.
    ask: int = 0
    #: What can be chosen before the answer is seen, where a choice can be judged.
    guess: Guess | None = None


@dataclass(frozen=True)
class Lesson:
    """A scene, and all that its page is made of."""

    #: The docstring of its file: title, caption, and what the page says first.
    text: str | None
    shapes: Mapping[str, Shape]
    camera: Camera
    asks: tuple[Ask, ...]
    #: What to predict before it is dragged.
    predict: str
    answer: Says
    #: What to drag, and what to look at.
    drag: str
    #: By the name with which each is opened.
    states: Mapping[str, State]
    #: As of a state.
    guess: Guess | None = None
    shows: tuple[Show, ...] = ()
    ignored: tuple[tuple[str, str], ...] = ()
    motion: tuple[Motion, ...] = ()
    #: What calls use beside `collision` and the shapes.
    names: Mapping[str, Any] = field(default_factory=dict)

    def scene(self) -> Scene:
        """Return the scene as it is opened."""
        title, caption = title_and_caption(self.text)
        return Scene(
            self.shapes,
            title=title,
            caption=caption,
            camera=self.camera,
            shows=self.shows,
            ignored=self.ignored,
            motion=self.motion,
        )

    def scenes(self) -> dict[str, Scene]:
        """Return the scene in each of its states, by name."""
        whole = self.scene()
        return {
            name: whole.replaced(shapes={**self.shapes, **state.shapes}, caption=state.asks, **state.more)
            for name, state in self.states.items()
        }

    def names_in(self, scene: Scene, state: str = "") -> dict[str, Any]:
        """Return what calls use by name, in a scene that it is asked of."""
        others = self.states[state].names if state else {}
        return {**scene.shapes, "scene": scene, **self.names, **others}

    def explained(self, scene: Scene, state: str = "", ask: Ask | None = None) -> Explanation:
        """Return the explanation of what is asked of a scene: by default the first, or that of a state."""
        asked = ask or self.ask_in(state)
        known = self.names_in(scene, state)
        more = {key: known.get(key, value) for key, value in asked.more.items()}
        if "scene" in asked.given:  # which is asked by names
            return explain(asked.query, scene, *(name for name in asked.given if name != "scene"), **more)
        called = asked.called or (asked.given[0], asked.given[1])
        return explain(asked.query, *(known[name] for name in asked.given), names=called, **more)

    def typed(self, name: str, scene: Scene, python: str, state: str = "") -> Iterator[str]:
        """Yield the lines of Python and of its answers as they stand in an interpreter, with all that it needs.

        Parameters
        ----------
        name : str
            That of the lesson's file.
        scene : Scene
            What the names of shapes stand for.
        python : str
            Statements, and expressions that are answered.
        state : str
            The state that the scene is in.
        """
        known = self.names_in(scene, state)
        used = sorted({node.id for node in ast.walk(ast.parse(python)) if isinstance(node, ast.Name)})
        own = [name for name in used if name in known]
        # A scene is written as the shapes that it is of only where there are few.
        setup = [f"{name} = {known[name]!r}" for name in own if name != "scene"]
        if "scene" in own:
            setup.append(f'scene = as_scene("lessons/{"/".join(filter(None, [name, state]))}")')
        lines = [*setup, python]
        public = {name: getattr(collision, name) for name in dir(collision) if not name.startswith("_")}
        imported = sorted({name for name in public if re.search(rf"\b{name}\(", "\n".join(lines))})
        head = ["import numpy as np"] if "np" in used else []
        head += [f"from collision import {', '.join(imported)}"] if imported else []
        head += ["from viewer import as_scene"] if "scene" in own else []
        yield from (f">>> {line}" for line in [*head, *setup])
        space = {**public, **known, "np": np}
        for statement in ast.parse(python).body:
            source = ast.get_source_segment(python, statement) or ""
            yield ">>> " + source.replace("\n", "\n... ")
            if isinstance(statement, ast.Expr):
                yield repr(eval(source, space))
            else:
                exec(source, space)

    def ask_in(self, state: str = "") -> Ask:
        """Return what is asked first, or in a state."""
        return self.asks[self.states[state].ask if state else 0]


@dataclass(frozen=True)
class OpenLesson:
    """A lesson that is open: its file, and the state in which it is, or nothing."""

    lesson: Lesson
    path: Path
    state: str = ""

    def lines(self) -> list[tuple[str, str]]:
        """Return what is said one after another, each with what it is in a word or two."""
        if self.state:
            there = self.lesson.states[self.state]
            scene = self.lesson.scenes()[self.state]
            return [(there.title, there.asks), ("the answer", there.answer(scene))]
        answer = self.lesson.answer(self.lesson.scene())
        return [("predict", self.lesson.predict), ("the answer", answer), ("drag", self.lesson.drag)]

    def beside(self, by: int) -> tuple[str, Path] | None:
        """Return the title and the path of the state, or else of the lesson, that comes next, or before."""
        states = ["", *self.lesson.states]
        at = states.index(self.state) + by
        if 0 <= at < len(states):
            name = states[at]
            title = self.lesson.states[name].title if name else self.lesson.scene().title
            return title, self.path / name if name else self.path
        lessons = lesson_files()
        place = lessons.index(self.path) + by if self.path in lessons else -1
        return (described(lessons[place])[0], lessons[place]) if 0 <= place < len(lessons) else None


def written(numbers: Any) -> str:
    """Return a vector or a list of numbers as a page has them: with three digits, and no zero with a sign.

    Examples
    --------
    >>> import numpy as np
    >>> written(np.array([1 / 3, -0.0, 2]))
    '(0.333, 0, 2)'
    """
    return f"({', '.join(f'{round(float(x), 3) + 0.0:g}' for x in numbers)})"


def scaled(shapes: Mapping[str, Shape], factor: float) -> dict[str, Shape]:
    """Return shapes so many times as large, and as far from the origin."""
    return {name: shape.transformed(Transform(scale=factor)) for name, shape in shapes.items()}


def stepped_back(camera: Camera, factor: float) -> Camera:
    """Return a camera that sees what is so many times as large as the other one sees what is not."""
    (x, y, z), (to_x, to_y, to_z) = camera.position, camera.target
    return replace(
        camera,
        position=(factor * x, factor * y, factor * z),
        target=(factor * to_x, factor * to_y, factor * to_z),
        parallel_height=None if camera.parallel_height is None else factor * camera.parallel_height,
    )
