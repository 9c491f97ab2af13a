"""An explanation that is shown: of which two shapes and which query, which of its steps, and what is highlighted."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from collision import Explanation, HalfSpace, Line, Point, Ray, Scene, Segment, closest_points, explain
from collision.inner import EXPLAINED, Mark, Step, explain_in, fitting
from viewer.records.events import Key, Pointer
from viewer.session.document import Document
from viewer.session.player import Player
from viewer.session.pointing import Pointing
from viewer.session.selection import Selection
from viewer.session.view import View

#: What is explained of shapes that move: from one of their keyframes to the next.
OF_WAYS = ("sweep",)

#: What is explained of a whole motion. It takes longer than a frame, so it waits until what is in hand is let go.
ALL_TIMES = "touching_intervals"

#: A mark is under the pointer that is so near, in pixels of an ordinary screen.
MARK_REACH = 7.0


class Asked(NamedTuple):
    """What is explained: a query of two shapes by their names, in its order."""

    query: str
    names: tuple[str, str]


class Explaining:
    """Explains how a query of two shapes reaches its answer, step by step; of the shapes as they are just now."""

    def __init__(
        self, document: Document, player: Player, view: View, selection: Selection, pointing: Pointing
    ) -> None:
        self._document, self._player, self._view, self._selection = document, player, view, selection
        self._pointing = pointing
        #: What is explained, and what was selected when that was last followed.
        self._asked: Asked | None = None
        self._selected: tuple[str, ...] = ()
        #: The explanation that is shown, of the shapes as they are; None where none is.
        self.explanation: Explanation | None = None
        #: All that it depends on.
        self._about: tuple[object, ...] = ()
        #: What tells it anew, where it was given from outside and follows no selection.
        self._teller: Callable[[Scene], Explanation] | None = None
        #: The place of the step that is shown, from 0 on.
        self.step = 0
        #: Its title: where there are more steps than before, it stays.
        self._title = ""
        #: The label of the mark that is highlighted, and its numbers with it; nothing where none is.
        self.highlighted = ""
        document.watch(self._follow)

    # -- what is shown -------------------------------------------------------------------------------------------------

    @property
    def active(self) -> bool:
        """Whether something is explained."""
        return self._asked is not None

    @property
    def can_explain(self) -> bool:
        """Whether there are two shapes to explain, or something is explained that can be ended."""
        return self.active or self._player.scene.element_count > 1

    # -- what it is about ----------------------------------------------------------------------------------------------

    def switch(self) -> None:
        """Explain what is selected, or end that."""
        if self._asked is None:
            self.explain()
        else:
            self.end()

    def explain(self, a: str | None = None, b: str | None = None, query: str | None = None) -> None:
        """Explain a query of two shapes: how it reaches its answer, step by step.

        Parameters
        ----------
        a, b : str, optional
            Their names; by default those of the two that are selected, of the one and the nearest to it, of the one
            under the pointer and the nearest to it, or of the two that are deepest in each other.
        query : str, optional
            The name of a query of `collision`; by default one that fits the two kinds.

        Raises
        ------
        KeyError
            If there is no such shape.
        ValueError
            If there are no two shapes, or the query cannot be explained.
        """
        names = self._pair() if a is None or b is None else (a, b)
        self._selection.focus_on(*names, rest=True)
        self._begin(self._fitting(names, query))
        if self._asked is not None:  # it can be explained
            scene = self._player.scene
            self._view.show_beside([scene[name] for name in names])

    def show(self, explanation: Explanation, tell: Callable[[Scene], Explanation] | None = None) -> None:
        """Show an explanation, whatever it is about; `tell` returns that of a scene, if it follows changes."""
        scene, names = self._player.scene, [name for name in explanation.names if name in self._player.scene]
        a, b = names if len(names) == 2 else ("", "")
        if a:
            self._selection.focus_on(a, b, rest=True)
        self._begin(Asked(explanation.query, (a, b)), tell or (lambda _: explanation))
        self._view.show_beside([scene[name] for name in names if len(names) == 2] or [*scene.shapes.values()])

    def end(self) -> None:
        """Explain nothing any more, and give the view back as it was, or the room that the card had."""
        if self._asked is not None:
            scene, names = self._player.scene, self._asked.names
            self._view.end_beside([scene[name] for name in names if name in scene])
            self._asked = self._teller = self.explanation = None
            self.highlighted = ""
            self._selection.unfocus()
            self._document.touch()

    def next_query(self, by: int = 1) -> None:
        """Explain another query of the same two shapes: the next that fits them, round and round."""
        if self._asked is None:
            raise ValueError("nothing is explained: Shift+E explains the pair that is selected")
        found = list(self._queries(self._asked.names))
        now = found.index(self._asked) if self._asked in found else -1
        others = (found[(now + by * k) % len(found)] for k in range(1, len(found) + 1))
        self._asked, self._teller = next(filter(self._answers, others), self._asked), None
        self._document.touch()

    # -- its steps -----------------------------------------------------------------------------------------------------

    def turn_step(self, by: int) -> None:
        """Go to a later step, or to an earlier one; not past the last."""
        explanation = self.explanation
        if explanation is not None:
            self.go_to_step(min(max(self.step + by, 0), len(explanation.steps) - 1))

    def go_to_step(self, place: int) -> None:
        """Show a step by its place, from 0 on."""
        explanation = self.explanation
        count = 0 if explanation is None else len(explanation.steps)
        if explanation is None or not 0 <= place < count:
            raise ValueError(f"the explanation has {count} steps, got {place + 1}")
        if place != self.step:
            self.highlighted = ""
        self.step, self._title = place, explanation.steps[place].title
        self._document.touch()

    def highlight(self, label: str) -> None:
        """Highlight the mark of this label, and the numbers that belong to it; none where it is empty."""
        if label != self.highlighted:
            self.highlighted = label
            self._document.touch()

    # -- the mouse and the keys ---------------------------------------------------------------------------------------

    def key(self, key: Key) -> bool:
        """Go from step to step, or end it, while something is explained."""
        if self._asked is None or self._document.held:
            return False
        turns = {"period": 1, "comma": -1}
        if key.chord in turns:
            self.turn_step(turns[key.chord])
        elif key.chord == "escape":
            self.end()
        return key.chord in turns or key.chord == "escape"

    def move(self, mouse: Pointer) -> bool:
        """Light the mark that is under the mouse, if it has numbers; the mouse is always left to others."""
        if self._asked is not None:
            explanation = None if mouse.button is not None else self.explanation
            marks = [] if explanation is None else _with_numbers(explanation.steps[self.step])
            self.highlight(self._mark_at(marks, *mouse.place))
        return False

    def _mark_at(self, marks: Iterable[Mark], x: float, y: float) -> str:
        """Return the label of the mark that is nearest to a pixel, within reach of it; nothing where none is."""
        view, found = self._view.viewport, list[tuple[int, float, str]]()
        ray = view.ray(x, y)
        for mark in marks:
            if not mark.label or isinstance(mark.shape, HalfSpace):
                continue
            solid = not isinstance(mark.shape, Point | Segment | Ray | Line)
            nearest = closest_points(ray, mark.shape.flattened())
            pixels, depth = view.project(nearest.on_b)
            away = np.where(depth > 0.0, np.hypot(*(pixels - (x, y)).T), np.inf)
            # What is inside a solid is found first; on a line, a point.
            rank = 2 if solid else 0 if isinstance(mark.shape, Point) else 1
            found.append((rank, float(away.min()), mark.label))
        near = [one for one in found if one[1] <= MARK_REACH * view.scale]
        return min(near)[2] if near else ""

    # -- inside --------------------------------------------------------------------------------------------------------

    def _begin(self, asked: Asked, teller: Callable[[Scene], Explanation] | None = None) -> None:
        """Explain this from its first step on."""
        self._asked, self._teller, self._selected = asked, teller, self._document.selected
        self._about = ()
        self.step, self._title, self.highlighted = 0, "", ""
        self._document.touch()

    def _follow(self) -> None:
        """Explain the shapes as they are now: those that are selected, if that has changed and is another pair."""
        if self._asked is not None and self._teller is None:
            if self._document.selected != self._selected:
                self._turn_to(self._document.selected)
            if any(name not in self._player.scene for name in self._asked.names):
                self.end()
        if self._asked is None or self._about == (about := (self._asked, *self._depends_on(self._asked))):
            return
        try:
            self.explanation = self._tell(self._asked)
        except (KeyError, ValueError, RuntimeError) as error:
            self.end()
            self._document.say(str(error))
            return
        self._about = about
        self._stay(self.explanation)

    def _turn_to(self, selected: tuple[str, ...]) -> None:
        """Explain what is selected now, if that is another pair; what hides the pair stands aside as before."""
        assert self._asked is not None
        self._selected = selected
        if selected and not set(selected) <= set(self._asked.names) and (pair := self._of_selection()) is not None:
            self._asked = self._fitting(pair, None)
            self.step, self._title, self.highlighted = 0, "", ""
        if all(name in self._player.scene for name in self._asked.names):
            self._selection.focus_on(*self._asked.names, rest=True)

    def _stay(self, explanation: Explanation) -> None:
        """Stay with the step of this title, as there may be others before it now; or else with its place."""
        titles = [step.title for step in explanation.steps]
        if titles.count(self._title) == 1:
            self.step = titles.index(self._title)
        self.step = min(self.step, len(titles) - 1)
        self._title = titles[self.step]

    def _pair(self) -> tuple[str, str]:
        """Return the names of the two shapes that are meant."""
        scene, under = self._player.scene, self._pointing.hovered
        found = self._of_selection()
        if found is None and under is not None:
            found = self._with_nearest(under)
        if found is None and len(deepest := scene.contacts()):
            a, b = deepest.pairs[deepest.deepest(1)[0]].tolist()
            found = scene.element_name(a), scene.element_name(b)
        if found is None and scene.element_count:
            found = self._with_nearest(scene.element_name(0))
        if found is None:
            raise ValueError("two shapes are explained: there are none")
        return found

    def _of_selection(self) -> tuple[str, str] | None:
        names, scene = self._document.selected, self._player.scene
        if self._selection.pair is not None:
            return self._selection.pair
        return self._with_nearest(names[0]) if len(names) == 1 and len(scene.element_numbers(names[0])) == 1 else None

    def _with_nearest(self, name: str) -> tuple[str, str] | None:
        nearest = self._player.scene.nearest_element(name)
        return None if nearest is None else (name, self._player.scene.element_name(nearest))

    def _fitting(self, names: tuple[str, str], query: str | None) -> Asked:
        """Return a query of two shapes, in the order that it takes them in."""
        found = list(self._queries(names))
        if query is None:
            return next(filter(self._answers, found), found[-1])
        return next((asked for asked in found if asked.query == query), Asked(query, names))

    def _queries(self, names: tuple[str, str]) -> Iterator[Asked]:
        """Yield the queries of two shapes, the one that fits them best first: of shapes that move, those of a way."""
        a, b = names
        scene: Scene = self._player.scene
        if self._document.scene.motion:
            yield from (Asked(query, names) for query in OF_WAYS)
        for query, swapped in fitting(scene[a], scene[b]):
            yield Asked(query, (b, a) if swapped else (a, b))
        yield Asked("why", names)
        if self._document.scene.motion and ALL_TIMES in EXPLAINED:
            yield Asked(ALL_TIMES, names)

    def _answers(self, asked: Asked) -> bool:
        """Say whether a query can be explained of two shapes: not every way is that of a sweep."""
        try:
            self._tell(asked)
        except ValueError:
            return False
        return True

    def _depends_on(self, asked: Asked) -> tuple[object, ...]:
        """Return all that an explanation depends on."""
        scene = self._player.scene
        if self._teller is not None:
            return (self._document.settled,)
        if asked.query in OF_WAYS:
            rest = self._document.scene
            moments = sorted({time for motion in rest.motion for time in motion.times.tolist()})
            return rest, bisect_right(moments, self._player.time)
        if asked.query == ALL_TIMES:
            return (self._document.settled,)
        return (scene,) if asked.query == "why" else (scene[asked.names[0]], scene[asked.names[1]])

    def _tell(self, asked: Asked) -> Explanation:
        query, (a, b) = asked
        scene = self._player.scene
        if self._teller is not None:
            return self._teller(self._document.settled)
        if query == ALL_TIMES:
            return explain(query, self._document.settled, names=(a, b))
        if query in OF_WAYS:
            return explain_in(self._document.scene, query, a, b, time=self._player.time)
        return explain_in(scene, query, a, b) if query == "why" else explain(query, scene[a], scene[b], names=(a, b))


def _with_numbers(step: Step) -> list[Mark]:
    """Return the marks that something of the card belongs to."""
    known = {value.mark for value in step.values}
    if step.plot is not None:
        known |= {point.mark for point in step.plot.points} | {area.mark for area in step.plot.areas}
    if step.space is not None:
        known |= {mark.label for mark in step.space.marks}
    return [mark for mark in step.marks if mark.label in known]
