"""The lessons as a site: a page for each, with its scene alive beside the text, and one that lists them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from io import BytesIO
from string import Template
from typing import Any

from collision import Explanation, Scene
from collision.inner import Value, step_as_html
from viewer.files.catalogue import Example, find_lessons
from viewer.files.lessons import ARTICLES, Guess, Lesson
from viewer.files.loading import read
from viewer.files.movies import Image
from viewer.page.export import KEPT_SIZE, joinable, packed_text, part, script, still_css, to_text
from viewer.page.plots import Plots, role_colors
from viewer.picture.explained import flat_marks, step_marks, step_panel
from viewer.records.protocol import to_json
from viewer.records.theme import DARK, LIGHT
from viewer.studio.live_steps import LiveSteps, follows
from viewer.studio.pages import page_facts
from viewer.studio.pictures import tracked

#: What pages say that they were made by.
GENERATOR = "collision-viewer lessons"

#: Where the pictures are, and what all pages have in common.
_PICTURES, _SCRIPT, _STYLE = "pictures", "lessons.js", "lessons.css"


def site(*, progress: bool = True) -> dict[str, bytes]:
    """Return the files of the site by their names.

    Raises
    ------
    RuntimeError
        If there is no WebAssembly module; the message says how to make it.
    """
    lessons = find_lessons()
    own = "\n".join(joinable(name) for name in ("steps", "lessons"))
    code = script().replace("export { main, mount };", own)
    files = {"index.html": _index(lessons).encode("utf-8"), _SCRIPT: f"(() => {{\n{code}\n}})();\n".encode()}
    plots = Plots()
    for place in tracked(range(len(lessons)), progress):
        page = _LessonPage(lessons, place, plots)
        files[f"{page.name}.html"] = page.text().encode("utf-8")
        files.update(page.pictures)
        files[f"{_PICTURES}/small/{page.name}.png"] = lessons[place].thumbnail.read_bytes()
        files[_STYLE] = f"{still_css(page.scenes['scene']['facts'])}{_roles()}{part(_STYLE)}".encode()
    return files


@dataclass
class _LessonPage:
    """The page of a lesson as it is made: the scene in each state, and the pictures of these."""

    lessons: list[Example]
    place: int
    plots: Plots
    pictures: dict[str, bytes] = field(default_factory=dict)
    #: What the script is given for each state: the scene, and by number of question and of step what a step draws.
    scenes: dict[str, Any] = field(default_factory=dict)

    @property
    def example(self) -> Example:
        return self.lessons[self.place]

    @property
    def name(self) -> str:
        """What the file of the lesson is called."""
        return self.example.path.stem

    def text(self) -> str:
        """Return the page."""
        it = self._lesson()
        states = [self._state(it, name, scene) for name, scene in {"": it.scene(), **it.scenes()}.items()]
        links = {"scene": "The scene", **{name: state.title for name, state in it.states.items()}}
        first, *rest = (" ".join(part.split()) for part in (it.text or "").strip().split("\n\n")[1:])
        return Template(part("lesson.html")).substitute(
            generator=GENERATOR,
            title=escape(self.example.title),
            style=_STYLE,
            number=self.place + 1,
            count=len(self.lessons),
            way="".join(self._way()),
            question=_paragraph(first.partition(" Try: ")[0]),
            intro="".join(f"<p>{_paragraph(part)}</p>" for part in rest),
            links="".join(f'<a href="#{name}">{escape(title)}</a>' for name, title in links.items()),
            states="".join(states),
            still=self._picture(""),
            scenes=packed_text(
                to_text({"states": self.scenes, "steps": [LiveSteps(it, k).table() for k in range(len(it.asks))]})
            ),
            script=_SCRIPT,
        )

    def _lesson(self) -> Lesson:
        found = read(self.example.name).lesson
        assert found is not None
        return found.lesson

    def _way(self) -> Iterator[str]:
        """Yield the links to the lessons before and after."""
        for place, text in ((self.place - 1, "\N{LEFTWARDS ARROW} {}"), (self.place + 1, "\N{RIGHTWARDS ARROW} {}")):
            if 0 <= place < len(self.lessons):
                other = self.lessons[place]
                yield f'<a href="{other.path.stem}.html">{text.format(escape(other.title))}</a>'

    def _state(self, it: Lesson, state: str, scene: Scene) -> str:
        """Return what is said of a state, or of the scene as it is opened."""
        facts, image = page_facts(scene.replaced(caption=""))
        self.scenes[state or "scene"] = {"facts": facts, "steps": {}}
        if image is not None:
            self.pictures[self._file(state)] = _packed(image)
        return "".join(self._parts(it, state, scene))

    def _parts(self, it: Lesson, state: str, scene: Scene) -> Iterator[str]:
        title = it.states[state].title if state else "Predict"
        yield f'<article id="{state or "scene"}"><h2>{escape(title)}</h2>'
        if state and (picture := self._picture(state)):
            yield f'<figure><img {picture} alt="{escape(title)}" loading="lazy"></figure>'
        if state:
            there = it.states[state]
            yield _question(there.asks, there.guess, there.answer(scene), scene)
            yield _code(it.typed(self.name, scene, there.python or it.ask_in(state).python, state))
            yield "<h3>Step by step</h3>"
            yield self._steps(it.explained(scene, state), state, there.ask, scene, there.steps)
        else:
            yield _question(it.predict, it.guess, it.answer(scene), scene)
            yield f"<h2>Drag</h2><p>{_paragraph(it.drag)}</p><h2>In short</h2>"
            explained = [it.explained(scene, ask=ask) for ask in it.asks]
            said = [*(ask.says for ask in it.asks), *(step.text for told in explained for step in told.steps)]
            if any("article" in text for text in said):
                yield "<p>The Python here is our own; it has the article's names.</p>"
            for number, (ask, told) in enumerate(zip(it.asks, explained, strict=True)):
                yield f"<p>{_paragraph(ask.says)}</p>"
                yield _code(it.typed(self.name, scene, f"{ask.short.strip()}\n{ask.python}"))
                yield self._steps(told, state, number, scene, article=True)
            yield "<h2>In full</h2><p>What our kernels do with the same shapes, step by step.</p>"
            for number, (ask, told) in enumerate(zip(it.asks, explained, strict=True)):
                if ask.full:
                    yield self._steps(told, state, number, scene, article=False)
        yield f'<p class="onward">{self._onward(it, state)}</p></article>'

    def _onward(self, it: Lesson, state: str) -> str:
        """Return the link to the state that comes next, or else to the lesson."""
        states = [*it.states]
        if after := states[states.index(state) + 1 if state else 0 :][:1]:
            title = it.states[after[0]].title
            words = title if state else f"Break it: {title[:1].lower()}{title[1:]}"
            return f'<a href="#{after[0]}">{escape(words)} \N{RIGHTWARDS ARROW}</a>'
        if self.place + 1 < len(self.lessons):
            other = self.lessons[self.place + 1]
            return f'<a href="{other.path.stem}.html">Next lesson: {escape(other.title)} \N{RIGHTWARDS ARROW}</a>'
        return '<a href="index.html">All lessons</a>'

    def _steps(
        self,
        told: Explanation,
        state: str,
        ask: int,
        scene: Scene,
        special: tuple[str, ...] = (),
        *,
        article: bool | None = None,
    ) -> str:
        """Return the steps of an explanation: those of an article, or of our kernels, or all."""
        known, parts, standing = set[Value](), list[str](), list[str]()
        for number, step in enumerate(told.steps, 1):
            text = "".join(step_as_html(number, step, 4, known))
            if article not in (None, step.article):
                continue
            key = f"{ask}-{number}"
            marks = json.loads(to_json(step_marks(step, scene.bounds())))["records"]
            self.scenes[state or "scene"]["steps"][key] = marks
            space = () if step.space is None else tuple(flat_marks(step.space.marks, scene.bounds()))
            plots = self.plots.of(step_panel(step, "", number, len(told.steps), space))
            look = f"step {'article' if step.article else 'kernel'}{' special' * (step.title in special)}"
            parts.append(f'<section class="{look}" data-step="{key}">{"".join([text, *plots])}</section>')
            standing += [] if follows(step) else [step.title]
        kind = "all" if article is None else "article" if article else "kernel"
        steps = f'<div class="steps" data-ask="{ask}" data-kind="{kind}">{_linked("".join(parts))}</div>'
        return steps + _standing(standing, self._lesson().states[state].title if state else "The scene")

    def _file(self, state: str) -> str:
        return f"{_PICTURES}/{'-'.join(filter(None, [self.name, state]))}.webp"

    def _picture(self, state: str) -> str:
        file = self._file(state)
        return f'src="{file}"' if file in self.pictures else 'data-none=""' * (not state)


def _question(asks: str, guess: Guess | None, answer: str, scene: Scene) -> str:
    """Return a question, answers to choose from, and the answer, which is seen when one asks for it."""
    choices = ""
    if guess is not None:
        right = guess.right(scene)
        buttons = (
            f'<button type="button"{" data-right" * (choice == right)}>{escape(choice)}</button>'
            for choice in guess.choices
        )
        choices = f'<div class="choices" role="group" aria-label="Choose">{"".join(buttons)}<p role="status"></p></div>'
    hidden = f"<details><summary>Answer</summary><p>{_paragraph(answer)}</p></details>"
    return f'<div class="question"><p>{_paragraph(asks)}</p>{choices}{hidden}</div>'


def _standing(titles: list[str], state: str) -> str:
    """Return what is said of steps that do not follow a drag, as they go through all shapes of a scene."""
    if not titles:
        return ""
    quoted = [f"\N{LEFT DOUBLE QUOTATION MARK}{title}\N{RIGHT DOUBLE QUOTATION MARK}" for title in (*titles, state)]
    verb, them = ("goes", "it tells") if len(titles) == 1 else ("go", "they tell")
    said = f"{' and '.join(quoted[:-1])} {verb} through all shapes: {them} of {quoted[-1]}, not of what was dragged."
    return f'<p class="standing">{escape(said)}</p>'


def _code(lines: Iterable[str]) -> str:
    """Return an interpreter's session; what is typed can be copied without the prompts."""
    prompt = re.compile(r"^(&gt;&gt;&gt; |\.\.\. )(.*)$", re.MULTILINE)
    text = prompt.sub(r"<i>\1</i><b>\2</b>", escape("\n".join(lines), quote=False))
    return f'<pre class="code"><code>{text}</code></pre>'


def _paragraph(markdown: str) -> str:
    """Return a paragraph of a lesson as HTML: code, what is bold, and links to articles."""
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(markdown, quote=False))
    return _linked(re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text))


def _linked(html: str) -> str:
    """Return HTML in which articles are links, where it is known where they lie."""
    for called, address in ARTICLES.items():
        html = html.replace(called, f'<a href="{address}">{called}</a>')
    return html


def _index(lessons: list[Example]) -> str:
    """Return the page that lists the lessons."""
    cards = [
        f'<li><a href="{each.path.stem}.html"><img src="{_PICTURES}/small/{each.path.stem}.png" alt="" width="288" '
        f'height="192"><strong>{number}. {escape(each.title)}</strong>'
        f"<span>{_paragraph(each.caption.partition(' Try: ')[0])}</span></a></li>"
        for number, each in enumerate(lessons, 1)
    ]
    return Template(part("index.html")).substitute(generator=GENERATOR, style=_STYLE, cards="".join(cards))


def _roles() -> str:
    """Return the colours of roles, for those who prefer the light and the dark."""
    return f":root{{{role_colors(LIGHT)}}}@media (prefers-color-scheme:dark){{:root{{{role_colors(DARK)}}}}}"


def _packed(image: Image) -> bytes:
    from PIL import Image as Pillow

    buffer = BytesIO()
    Pillow.fromarray(image).resize(KEPT_SIZE, Pillow.Resampling.LANCZOS).save(buffer, "WEBP", quality=72, method=6)
    return buffer.getvalue()
