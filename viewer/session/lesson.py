"""A lesson that is open: what it says, line by line, and the way to its states and to the lessons beside it."""

from __future__ import annotations

from viewer.files.lessons import OpenLesson
from viewer.session.document import Document
from viewer.session.explaining import Explaining
from viewer.session.start import Start


class LessonGuide:
    """Leads through a lesson: predict, the answer, what to drag, each of its states, and the next lesson."""

    def __init__(self, document: Document, explaining: Explaining, start: Start) -> None:
        self._document, self._explaining, self._start = document, explaining, start
        self._open: OpenLesson | None = None
        self._lines: list[tuple[str, str]] = []
        self._place = 0

    @property
    def active(self) -> bool:
        """Whether a lesson is open."""
        return self._open is not None

    @property
    def asks(self) -> bool:
        """Whether it asks what nobody has told yet: until then, or until a shape is dragged, no result is shown."""
        return self.active and self._place == 0 and not (self._document.undoable or self._document.held)

    @property
    def text(self) -> str:
        """What it says just now; nothing where no lesson is open."""
        return self._lines[self._place][1] if self._lines else ""

    @property
    def onward(self) -> str:
        """What comes next, in a few words; nothing after the last."""
        if self._place + 1 < len(self._lines):
            return self._lines[self._place + 1][0]
        beside = self._open.beside(1) if self._open is not None and self._start.may_open else None
        return "" if beside is None else f"next: {beside[0]}"

    def begin(self, lesson: OpenLesson) -> None:
        """Begin with what is to be predicted, and explain what the lesson asks, from its first step on."""
        self._open, self._lines, self._place = lesson, lesson.lines(), 0
        self._start.teaches = True
        it, state = lesson.lesson, lesson.state
        ask, scene = it.ask_in(state), self._document.scene
        names = [name for name in ask.given if name in scene]
        if len(names) == len([name for name in ask.given if name != "scene"]) == 2:
            self._explaining.explain(names[0], names[1], ask.query)
        else:
            self._explaining.show(it.explained(scene, state), lambda scene: it.explained(scene, state))
        self._document.touch()

    def turn(self, by: int) -> None:
        """Say what comes next, or came before: another line, another state, another lesson."""
        if self._open is None:
            raise ValueError("no lesson is open; Ctrl+E shows what can be opened")
        if 0 <= self._place + by < len(self._lines):
            self._place += by
            self._document.touch()
            return
        beside = self._open.beside(by) if self._start.may_open else None
        if beside is None:
            raise ValueError(f"this is the {'last' if by > 0 else 'first'} of the lesson")
        self._start.open_example(beside[1])
