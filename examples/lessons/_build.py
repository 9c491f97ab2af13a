"""Make the pages of the lessons and their pictures anew: ``python examples/lessons/_build.py``.

With the name of a folder all of it goes there, with ``--pages`` no pictures are made. Every number on a page is worked
out of the lesson's scenes.
"""

import runpy
from argparse import ArgumentParser
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from rich.console import Console
from rich.progress import track

import viewer
from collision import Explanation, Scene
from collision.inner import ASKED, names_of
from viewer.files.catalogue import Example, find_lessons
from viewer.files.lessons import ARTICLES, Ask, Lesson
from viewer.files.places import LESSONS, THUMBNAIL, THUMBNAILS, title_and_caption
from viewer.session import Session
from viewer.studio.pictures import explained_steps

HERE = Path(__file__).parent
PICTURES = "pictures"

#: Of a step, and of a state.
STEP, STATE = (800, 600), (640, 480)

#: What is said of the steps that most explanations have.
COMMON = {
    "Shrink to the cores": "shapes are shrunk to their cores",
    "Add the radii": "the radii are added",
    "Do they touch?": "the gap is compared with what rounding can make",
}

#: Why this order.
ORDER = (
    "Each test has a page: a question, a scene to drag, the way to the answer step by step, and states in which "
    "a careless test breaks. Begin with the first; each needs only what is before it."
)


def lesson(name: str) -> Lesson:
    """Return a lesson by the name of its file."""
    found: Lesson = runpy.run_path(str(HERE / f"{name}.py"))["LESSON"]
    return found


def explained(lesson: Lesson, ask: Ask) -> Explanation:
    """Return the explanation of what a lesson asks of its scene."""
    return lesson.explained(lesson.scene(), ask=ask)


def special(lesson: Lesson, state: str) -> tuple[Explanation, list[int]]:
    """Return the explanation of a state, and the places of its steps that show what is special, from 1 on."""
    there = lesson.states[state]
    told = lesson.explained(lesson.scenes()[state], state)
    titles = [step.title for step in told.steps]
    return told, [titles.index(title) + 1 for title in there.steps]


# -- pages -------------------------------------------------------------------------------------------------------------


def page(name: str) -> str:
    """Return the page of a lesson."""
    it = lesson(name)
    title, _ = title_and_caption(it.text)
    parts = [f"# {title}", *_begin(name, it), *_short(name, it), *_full(name, it), *_states(name, it), _way(name)]
    text = "\n\n".join(parts) + "\n"
    for called, address in ARTICLES.items():
        text = text.replace(called, f"[{called}]({address})")
    return text


def readme() -> str:
    """Return the page that lists the lessons."""
    rows = []
    for number, example in enumerate(find_lessons(), 1):
        name = example.path.stem
        asks = example.caption.partition(" Try: ")[0]
        picture = f"[![{example.title}]({PICTURES}/{THUMBNAILS}/{name}.png)]({name}.md)"
        rows.append(f"| {number} | {picture} | [{example.title}]({name}.md) | {asks} |")
    table = "\n".join(["| | | lesson | question |", "| --- | --- | --- | --- |", *rows])
    return "\n\n".join(["# Lessons", ORDER, table, *_about()]) + "\n"


def _about() -> Iterator[str]:
    first = LESSONS[0]
    yield "## How to go through one"
    yield (
        "Predict first, then look. A lesson opens with its question explained, and the explanation follows while you "
        "drag. F8 leads on: to the answer, through the states in which a careless test breaks, and to the next lesson. "
        "You can also open a state by its name, and print an explanation:"
    )
    yield _shell(f"open lessons/{first}", f"open lessons/{first}/zero-length", f"explain lessons/{first}")
    yield (
        "Half of the lessons follow a test as articles about games and web pages teach it. *In short* is the article's "
        "way, with its author's names and a few lines of Python. *In full* is the way of our kernels, so that you see "
        "where the two agree, and where they do not."
    )
    yield (
        "The lessons are a site, too, whose scenes can be dragged in any browser, offline: "
        "`collision-viewer lessons -o lessons` writes it, and CI publishes it."
    )
    yield (
        "A lesson is a Python file in this folder, and `python examples/lessons/_build.py` makes its page. That "
        "command computes all numbers on the page, and a test computes them again."
    )


def _begin(name: str, it: Lesson) -> Iterator[str]:
    first, *rest = (" ".join(part.split()) for part in (it.text or "").strip().split("\n\n")[1:])
    yield first.partition(" Try: ")[0]
    yield from rest
    yield f"![The scene of the lesson]({PICTURES}/{name}.webp)"
    yield _shell(f"open lessons/{name}")
    yield "## Predict"
    yield it.predict
    yield _hidden(it.answer(it.scene()))
    yield "## Drag"
    yield it.drag


def _short(name: str, it: Lesson) -> Iterator[str]:
    """Tell the article's way, if there is one, and compute the same in a few lines."""
    yield "## In short"
    for number, ask in enumerate(it.asks, 1):
        told = explained(it, ask)
        if ask.says:
            yield ask.says
        if number == 1:
            yield _shell(f"explain lessons/{name}")
        elif ask.query in ASKED:
            names = " ".join(part for part in ask.given if part != "scene") if names_of(ask.query) else ""
            yield _shell(f"explain lessons/{name} {names} --query {ask.query}".replace("  ", " "))
        steps = [place for place, step in enumerate(told.steps, 1) if step.article]
        if steps:
            yield _markdown(name, number, told, steps, 2).split("\n\n", 2)[2]  # without the heading and the answer
        yield _code(name, it, it.scene(), f"{ask.short.strip()}\n{ask.python}")


def _full(name: str, it: Lesson) -> Iterator[str]:
    """Tell what our kernels do; steps that all of them have are told once, in the first lesson."""
    yield "## In full"
    full = {number: (ask, explained(it, ask)) for number, ask in enumerate(it.asks, 1) if ask.full}
    titles = {step.title for _, told in full.values() for step in told.steps}
    if name != LESSONS[0] and (said := [COMMON[title] for title in COMMON if title in titles]):
        yield f"As in [the first lesson]({LESSONS[0]}.md#in-full), {', '.join(said)}: steps that are not told again."
    told_all = [_markdown(name, number, told, _own_steps(name, told), 3) for number, (_, told) in full.items()]
    yield _hidden("\n\n".join(told_all), "What our kernels do with the same shapes, step by step")


def _own_steps(name: str, told: Explanation) -> list[int]:
    """Return the places of the steps of a kernel that a lesson tells, from 1 on."""
    common = () if name == LESSONS[0] else COMMON
    return [place for place, step in enumerate(told.steps, 1) if not step.article and step.title not in common]


def _markdown(name: str, ask: int, told: Explanation, steps: list[int], level: int) -> str:
    paths = [f"{PICTURES}/{_step_name(name, ask, step)}" for step in steps]
    return told.as_markdown(pictures=paths, level=level, steps=steps).rstrip("\n")


def _states(name: str, it: Lesson) -> Iterator[str]:
    yield "## Break it"
    for state, scene in it.scenes().items():
        there = it.states[state]
        yield f"### {there.title}"
        yield f"![{there.title}]({PICTURES}/{_state_name(name, state)})"
        yield _shell(f"open lessons/{name}/{state}")
        yield there.asks
        python = _code(name, it, scene, there.python or it.asks[there.ask].python, state)
        yield _hidden("\n\n".join([there.answer(scene), *_special_steps(name, it, state), python]))


def _special_steps(name: str, it: Lesson, state: str) -> Iterator[str]:
    told, places = special(it, state)
    for place in places:
        step = told.steps[place - 1]
        yield f"**{step.title}.** {step.text}"
        yield f"![{step.title}]({PICTURES}/{_state_name(name, f'{state}-{place}')})"


def _way(name: str) -> str:
    """Return the links to the lessons before and after."""
    titles = {example.path.stem: example.title for example in find_lessons()}
    at = LESSONS.index(name)
    before = [f"Before: [{titles[known]}]({known}.md)." for known in LESSONS[max(at - 1, 0) : at]]
    after = [f"Next: [{titles[known]}]({known}.md)." for known in LESSONS[at + 1 : at + 2]]
    return " ".join([*before, *after, "[All lessons](README.md)."])


def _hidden(text: str, summary: str = "Answer") -> str:
    return f"<details>\n<summary>{summary}</summary>\n\n{text}\n\n</details>"


def _shell(*commands: str) -> str:
    return "\n".join(["```sh", *(f"collision-viewer {command}" for command in commands), "```"])


def _code(name: str, it: Lesson, scene: Scene, python: str, state: str = "") -> str:
    return "\n".join(["```pycon", *it.typed(name, scene, python, state), "```"])


# -- pictures ----------------------------------------------------------------------------------------------------------


def _step_name(name: str, ask: int, step: int) -> str:
    return f"{name}-{ask}-{step}.webp"


def _state_name(name: str, state: str) -> str:
    return f"{name}-{state}.webp"


def pictures(name: str) -> dict[str, bytes]:
    """Return the pictures of a lesson, by the names of their files."""
    it = lesson(name)
    made = {f"{name}.webp": _packed(viewer.render(it.scene(), size=STEP))}
    for state, scene in it.scenes().items():
        made[_state_name(name, state)] = _packed(viewer.render(scene, size=STATE))
        told, places = special(it, state)
        images = explained_steps(scene, told, steps=places, size=STEP)
        for place, image in zip(places, images, strict=True):
            made[_state_name(name, f"{state}-{place}")] = _packed(image)
    for number, ask in enumerate(it.asks, 1):
        told = explained(it, ask)
        steps = [place for place, step in enumerate(told.steps, 1) if step.article]
        steps += _own_steps(name, told) if ask.full else []
        for step, image in zip(steps, explained_steps(it.scene(), told, steps=steps, size=STEP), strict=True):
            made[_step_name(name, number, step)] = _packed(image)
    return made


def _packed(image: Any) -> bytes:
    buffer = BytesIO()
    Image.fromarray(np.asarray(image)).save(buffer, format="WEBP", quality=72, method=6)
    return buffer.getvalue()


def thumbnail(example: Example, path: Path) -> None:
    """Make the small picture of a lesson."""
    session = Session(example.scene(), size=THUMBNAIL)
    for what in ("hud", "legend", "labels", "grid"):
        session.settings.toggle(what)
    session.view.frame_all()
    image = viewer.snapshot(session, transparent=True, panels=False)
    Image.fromarray(image).quantize(64).save(path, optimize=True)


def main(folder: Path, *, only_pages: bool = False) -> None:
    """Make all of it, one lesson after another."""
    (folder / PICTURES / THUMBNAILS).mkdir(parents=True, exist_ok=True)
    for example in track(find_lessons(), "lessons", console=Console(stderr=True), transient=True):
        name = example.path.stem
        (folder / f"{name}.md").write_text(page(name), encoding="utf-8")
        if not only_pages:
            thumbnail(example, folder / PICTURES / THUMBNAILS / f"{name}.png")
            for file, data in pictures(name).items():
                (folder / PICTURES / file).write_bytes(data)
    (folder / "README.md").write_text(readme(), encoding="utf-8")


if __name__ == "__main__":
    parser = ArgumentParser(description="Make the pages of the lessons and their pictures anew.")
    parser.add_argument("folder", type=Path, nargs="?", default=HERE, help="where to; by default that of the lessons")
    parser.add_argument("--pages", action="store_true", help="make no pictures")
    given = parser.parse_args()
    main(given.folder, only_pages=given.pages)
