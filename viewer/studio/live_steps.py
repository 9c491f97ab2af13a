"""The steps of a lesson's question on tape, so that a page tells them of its scene while that is dragged."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from random import Random
from typing import Any

import numpy as np

from collision import Scene
from collision.inner import Check, NotedMark, Quantity, Step, Tape, Value, number_as_html, step_as_html
from viewer.files.lessons import Lesson
from viewer.page.facts import rows_of
from viewer.records.drawables import MARK_ROLES
from viewer.records.words import with_indices

#: The queries whose explanations are made of what is computed of two shapes, or go through all shapes of a scene.
_QUERIES = frozenset(
    {"signed_distance", "distance", "intersects", "closest_points", "contact", "crossings", "sweep", "sphere_test"}
    | {"candidate_pairs", "why"}
)

#: The kernels that look at all shapes of a scene.
_OF_ALL = frozenset({"pairs_of_tree", "candidate_pairs"})

#: How far shapes are moved to find other ways through the kernels, as parts of the scene's size, and how often.
_MOVES, _ROUNDS = (0.01, 0.05, 0.1, 0.2, 0.3), 3

#: A move that hardly ever leads another way.
_HARDLY = 1e-7

#: A number on a tape: in a sentence, and in a formula.
_NUMBER = re.compile(r'<(span|mstyle) data-n="(\d+)" data-g="(\d+)">.*?</\1>')


@dataclass
class _Told:
    """An explanation on a tape: what holds of the shapes that it is for, and its steps."""

    #: The states in which the same is known beside the shapes.
    states: list[str]
    checks: list[Check]
    html: list[str]
    articles: list[bool]
    #: Of each step, whether it came out as Python tells it whenever it was tried.
    exact: list[bool]
    #: Of each step, the marks that were where Python has them whenever it was tried.
    marks: list[dict[str, NotedMark]]
    tried: int = 0


class LiveSteps:
    """The explanations of what a lesson asks, for as many ways through the kernels as moves of its shapes lead to.

    Parameters
    ----------
    lesson : Lesson
        With the shapes.
    ask : int
        Which of its questions, from 0 on.
    """

    def __init__(self, lesson: Lesson, ask: int) -> None:
        self._lesson, self._ask = lesson, ask
        self._tape, self._told = Tape(), list[_Told]()
        asked = lesson.asks[ask]
        if asked.query in _QUERIES:
            random = Random(f"{lesson.text} {ask}")
            states = {"": lesson.scene(), **lesson.scenes()}
            scenes = {name: scene for name, scene in states.items() if not name or lesson.states[name].ask == ask}
            for state, scene in scenes.items():
                self._add(state, scene)
            for state, scene in scenes.items():
                for moved in self._moved(scene, random):
                    self._add(state, moved)

    def table(self) -> dict[str, Any] | None:
        """Return what a page plays, as JSON has it; None where nothing can be told of another scene."""
        used = [one for one in self._told if one.tried and any(one.exact)]
        if not used:
            return None
        places: dict[int, int] = {}
        steps = list[list[Any]]()

        def place(of: int) -> int:
            if of not in places:
                operation, *sides = self._tape.steps[of]
                if operation == "=":  # JSON has no infinity, and this is a word of JavaScript's
                    sides = [repr(sides[0]).replace("inf", "Infinity")]
                elif operation != "given":
                    sides = list(map(place, sides))
                places[of] = len(steps)
                steps.append([operation, *sides])
            return places[of]

        def number(found: re.Match[str]) -> str:
            return found[0].replace(f'data-n="{found[2]}"', f'data-n="{place(int(found[2]))}"', 1)

        rows = []
        for one in used:
            marks: list[list[dict[str, Any]]] = [
                [
                    {
                        "is": "Marker" if len(fields) == 1 else "Arrow" if role == "normal" else "Stroke",
                        "role": MARK_ROLES[role].value,
                        "label": with_indices(label),
                        "fields": [list(map(place, field)) for field in fields],
                    }
                    for label, (role, fields) in marks.items()
                ]
                if exact
                else []
                for marks, exact in zip(one.marks, one.exact, strict=True)
            ]
            html = [_NUMBER.sub(number, text) for text in one.html]
            told = [text for text, exact in zip(html, one.exact, strict=True) if exact]
            shown = {int(found[2]) for text in told for found in _NUMBER.finditer(text)}
            shown |= {place for step in marks for mark in step for field in mark["fields"] for place in field}
            checks = [[sign, place(a), place(b), int(held)] for sign, a, b, held in one.checks]
            rows.append(
                {
                    "states": [name or "scene" for name in one.states],
                    "checks": checks,
                    "places": sorted(shown),
                    "html": html,
                    "articles": one.articles,
                    "exact": one.exact,
                    "marks": marks,
                }
            )
        return {"names": [*self._names, *self._still], "steps": steps, "told": rows}

    def _alike(self, state: str) -> list[str]:
        """Return the states in which names stand for the same as in one, but those of shapes."""

        def known(name: str) -> str:
            return repr(self._lesson.states[name].names if name else {})

        return [name for name in ("", *self._lesson.states) if known(name) == known(state)]

    @property
    def _names(self) -> tuple[str, ...]:
        """The shapes that are asked about; none where all are."""
        return tuple([name for name in self._lesson.asks[self._ask].given if name in self._lesson.shapes])

    @property
    def _still(self) -> tuple[str, ...]:
        """The shapes that must stay as they are: those that show what else is asked about, such as a collider."""
        if all(name in (*self._lesson.shapes, "scene") for name in self._lesson.asks[self._ask].given):
            return ()
        return tuple([name for name in self._lesson.shapes if name not in self._names])

    def _moved(self, scene: Scene, random: Random) -> Iterator[Scene]:
        box = scene.replaced(
            shapes={name: scene[name] for name in self._names}, shows=(), ignored=(), motion=()
        ).bounds()
        size = 1.0 if box is None else float(np.linalg.norm(box.upper - box.lower))
        for part in _ROUNDS * _MOVES:
            for name in self._names or scene.shapes:
                yield _shifted(scene, name, part * size, random)

    def _add(self, state: str, scene: Scene) -> None:
        """Put the explanation of a scene on the tape, unless one that is there is that of the scene, too."""
        if self._try(state, scene):
            return
        self._steps(state, scene)  # compiles what is to be compiled
        with self._tape.recording({name: scene[name] for name in self._names}) as checks:
            steps, html = self._steps(state, scene)
            exact = [follows(step) and all(map(_on_tape, (value.value for value in step.values))) for step in steps]
        checks += [check for name, row in _numbers(scene, self._still).items() for check in self._tape.same(name, row)]
        marks = [self._tape.marks(step) for step in steps]
        articles = [step.article for step in steps]
        self._told.append(_Told(self._alike(state), checks, html, articles, exact, marks))
        for name in self._names or scene.shapes:
            self._try(state, _shifted(scene, name, _HARDLY, Random(name)))

    def _try(self, state: str, scene: Scene) -> bool:
        """Compare what is on the tape with what Python tells of a scene, if it is the explanation of it."""
        numbers = _numbers(scene, self._names + self._still)
        for one in self._told:
            at = self._tape.played(one.checks, numbers) if state in one.states else None
            if at is not None:
                steps, html = self._steps(state, scene)
                same = (
                    [_text(a, at) == _text(b) for a, b in zip(one.html, html, strict=True)]
                    if len(html) == len(one.html)
                    else [False] * len(one.html)
                )
                one.exact = [before and now for before, now in zip(one.exact, same, strict=True)]
                if len(steps) == len(one.marks):
                    one.marks = [_still_there(marks, step, at) for marks, step in zip(one.marks, steps, strict=True)]
                one.tried += 1
                return True
        return False

    def _steps(self, state: str, scene: Scene) -> tuple[tuple[Step, ...], list[str]]:
        """Return the steps of the explanation of a scene, and each as HTML."""
        told, known = self._lesson.explained(scene, state, ask=self._lesson.asks[self._ask]), set[Value]()
        return told.steps, ["".join(step_as_html(number, step, 4, known)) for number, step in enumerate(told.steps, 1)]


def _still_there(marks: dict[str, NotedMark], step: Step, at: Callable[[int], float]) -> dict[str, NotedMark]:
    """Return the marks that a step has of Python, too, in the same place."""
    told = {
        mark.label: (mark.role, [np.ravel(value).tolist() for value in mark.shape.values().values()])
        for mark in step.marks
    }
    return {
        label: (role, places)
        for label, (role, places) in marks.items()
        if told.get(label) == (role, [list(map(at, part)) for part in places])
    }


def follows(step: Step) -> bool:
    """Return whether a step can follow a drag: none does of a kernel that looks at all shapes of a scene."""
    return step.kernel not in _OF_ALL


def _numbers(scene: Scene, names: Iterable[str]) -> dict[str, list[float]]:
    """Return the numbers of some shapes by name."""
    return {name: rows_of(scene[name].flattened())[0].tolist() for name in names}


def _on_tape(value: Quantity) -> bool:
    """Return whether a number was computed on the tape, or is a plain one that no shape is asked for."""
    if isinstance(value, tuple):
        return all(map(_on_tape, value))
    return type(value) is not float or value in (0.0, 1.0) or math.isinf(value)


def _shifted(scene: Scene, name: str, far: float, random: Random) -> Scene:
    way = [random.gauss(0.0, far) for _ in range(3)]
    return scene.replaced(shapes={**scene.shapes, name: scene[name].translated(way)})


def _text(html: str, at: Callable[[int], float] | None = None) -> str:
    """Return the text of a step, with other numbers if they are given."""

    def number(found: re.Match[str]) -> str:
        text = format(at(int(found[2])), f".{found[3]}g") if at is not None else ""
        return text if found[1] == "span" else number_as_html(text)

    return unescape(re.sub(r"<[^>]*>", "", html if at is None else _NUMBER.sub(number, html)))
