"""The report of a run as a page: no scripts, nothing from elsewhere, for a phone, for print, and in the dark."""

from __future__ import annotations

import base64
import shlex
from collections.abc import Iterator, Mapping
from html import escape
from string import Template
from typing import NamedTuple

from viewer.records.words import counted
from viewer.verdicts.results import Promise, Run, SceneResult, State
from viewer.verdicts.style import STYLE
from viewer.verdicts.text import details, gone_lines, place

#: What each state of a promise is called, in the order of the page.
STATES: Mapping[State, str] = {"broken": "broken", "accepted": "known and accepted", "held": "held"}

#: What the generator of the page says of itself: what may be written over is told by it.
GENERATOR = "collision-viewer test"


class Evidence(NamedTuple):
    """What shows that a promise is broken.

    Attributes
    ----------
    picture : bytes or None
        A PNG file; None where there is nothing to be seen, or nothing could be drawn.
    scene : str
        A small scene file that breaks the promise in the same way; empty where there is none.
    """

    picture: bytes | None = None
    scene: str = ""


_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="$generator">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>$title</title>
<style>
$style</style>
</head>
<body>
$anchors<header>
<h1>$title</h1>
<p class="sum">$summary</p>
<nav aria-label="Show">
$links</nav>
$notes</header>
<main>
$sections</main>
</body>
</html>
""")


def html_report(run: Run, evidence: Mapping[int, Evidence], files: Mapping[int, str] | None = None) -> str:
    """Return the page on a run.

    Parameters
    ----------
    run : Run
        What was found.
    evidence : mapping of int to Evidence
        Of broken promises, by their numbers; see `Run.numbered`.
    files : mapping of int to str, optional
        Where the pictures are, by the same numbers; without it they are in the page itself.
    """
    title, notes = _title(run), (*gone_lines(run), *run.notes)
    return _PAGE.substitute(
        generator=GENERATOR,
        title=escape(title),
        style=STYLE,
        anchors="".join(f'<span id="{name}"></span>\n' for name in ("all", *STATES, "left-out")),
        summary=escape(_summary(run)),
        links="".join(_links(run)),
        notes="".join(f'<p class="about">{escape(note)}</p>\n' for note in notes),
        sections="".join(_sections(run, evidence, files)),
    )


def _untested(scene: SceneResult, run: Run) -> str:
    """Say why a scene was not tested, or not all of it where all was wanted."""
    if scene.state not in STATES:
        return scene.message
    return "parts of it were left out, and --strict wants all of it" if run.strict and scene.left_out else ""


def _sections(run: Run, evidence: Mapping[int, Evidence], files: Mapping[int, str] | None) -> Iterator[str]:
    """Yield the sections of the page, those of scenes in which something is wrong before all others."""
    fine, first = [], 1
    for number, scene in enumerate(run.scenes, start=1):
        message = _untested(scene, run)
        lines = _head(number, scene.path, message, "; ".join(filter(None, (scene.title, _counts(scene)))))
        shown = sorted(enumerate(scene.promises, start=first), key=lambda one: list(STATES).index(one[1].state))
        for count, promise in shown:
            if promise.state == "held":
                lines.append(_held(count, scene, promise))
            else:
                found = evidence.get(count, Evidence())
                lines.append(_article(count, scene, promise, found, None if files is None else files.get(count)))
        first += len(scene.promises)
        if scene.left_out:
            rows = "".join(f"<li>{escape(f'{part.kind} {part.name}: {part.reason}')}</li>\n" for part in scene.left_out)
            lines.append(f'<article class="left-out">\n<h3>Left out</h3>\n<ul>\n{rows}</ul>\n</article>\n')
        text = "".join([*lines, "</section>\n"])
        if message or scene.state == "broken":
            yield text
        else:
            fine.append(text)
    for number, note in enumerate(run.untested, start=len(run.scenes) + 1):
        name, _, why = note.partition(": ")
        yield "".join([*_head(number, name, why), "</section>\n"])
    yield from fine


def _head(number: int, path: str, message: str, about: str = "") -> list[str]:
    """Return the heading of a section, and what is said below it."""
    lines = [f'<section id="scene-{number}">\n<h2>{escape(path)}</h2>\n']
    lines += [f'<p class="about">{escape(about)}</p>\n'] if about else []
    lines += [f'<pre class="message">{escape(message)}</pre>\n'] if message else []
    return lines


def _counts(scene: SceneResult) -> str:
    """Say what was tested of a scene."""
    if not scene.promises:
        return ""
    words = [counted(scene.shapes, "shape"), f"{counted(scene.pairs, 'pair')} tested"]
    others = (scene.ignored, "ignored"), (scene.hidden, "hidden")
    return ", ".join([*words, *(f"{count:,} {what}" for count, what in others if count)])


def _title(run: Run) -> str:
    if run.counts.broken:
        return f"{counted(run.counts.broken, 'promise')} broken"
    failed = sum(bool(_untested(scene, run)) for scene in run.scenes) + len(run.untested)
    if failed:
        return f"{counted(failed, 'scene')} not tested"
    return "All promises hold" if run.counts.promises else "Nothing was tested"


def _summary(run: Run) -> str:
    first = f"{counted(len(run.scenes), 'scene')}, {counted(run.counts.promises, 'promise')}"
    words = [f"{count:,} {words}" for state, words in STATES.items() if (count := getattr(run.counts, state))]
    words += [f"{counted(run.counts.left_out, 'part')} left out"] if run.counts.left_out else []
    return "; ".join(filter(None, (first, ", ".join(words))))


def _links(run: Run) -> Iterator[str]:
    yield '<a href="#all">all</a>\n'
    for state, words in STATES.items():
        if count := getattr(run.counts, state):
            yield f'<a class="{state}" href="#{state}">{words} {count:,}</a>\n'
    if run.counts.left_out:
        yield '<a href="#left-out">left out</a>\n'
    if len(run.scenes) + len(run.untested) < 2:
        return
    yield "<details><summary>Scenes</summary>\n<ul>\n"
    for number, scene in enumerate(run.scenes, start=1):
        broken = sum(promise.state == "broken" for promise in scene.promises)
        said = "not tested" if _untested(scene, run) else f"{broken:,} broken" if broken else ""
        yield _link(number, scene.path, said)
    for number, note in enumerate(run.untested, start=len(run.scenes) + 1):
        yield _link(number, note.partition(": ")[0], "not tested")
    yield "</ul>\n</details>\n"


def _link(number: int, path: str, said: str) -> str:
    tail = f' <span class="broken">{said}</span>' if said else ""
    return f'<li><a href="#scene-{number}">{escape(path)}</a>{tail}</li>\n'


def _held(number: int, scene: SceneResult, promise: Promise) -> str:
    """Return a promise that is kept, in one line."""
    return (
        f'<article class="held" id="promise-{number}"><p><b>held</b> {escape(promise.expected)}: '
        f'{escape(promise.actual)} <span class="place">{escape(place(scene, promise))}</span></p></article>\n'
    )


def _article(number: int, scene: SceneResult, promise: Promise, found: Evidence, file: str | None) -> str:
    """Return a promise that is broken: its picture, what there is to say of it, and what breaks it again."""
    rows = [*details(promise), ("promised in", place(scene, promise))]
    command = shlex.join(["collision-viewer", "test", scene.path, "--only", promise.id])
    lines = [
        f'<article class="{promise.state}" id="promise-{number}">\n',
        f'<h3><b>{STATES[promise.state]}</b> <a href="#promise-{number}">{escape(promise.id)}</a></h3>\n',
        "" if found.picture is None else _picture(promise, found.picture, file),
        "<table>\n",
        *(
            f'<tr class="{name}"><th scope="row">{name}</th><td>{escape(text)}</td></tr>\n'
            for name, text in rows
            if name != "picture"
        ),
        f'</table>\n<pre class="command">{escape(command)}</pre>\n',
    ]
    if found.scene:
        lines.append(
            "<details><summary>A small scene that breaks it too</summary>\n"
            f"<pre>{escape(found.scene)}</pre>\n</details>\n"
        )
    return "".join([*lines, "</article>\n"])


def _picture(promise: Promise, picture: bytes, file: str | None) -> str:
    source = file or f"data:image/png;base64,{base64.b64encode(picture).decode('ascii')}"
    width, height = size_of_png(picture)
    text = f"Expected: {promise.expected}. Actual: {promise.actual}."
    return (
        f'<figure><img src="{escape(source)}" alt="{escape(text)}" width="{width}" height="{height}" '
        'loading="lazy"></figure>\n'
    )


def size_of_png(data: bytes) -> tuple[int, int]:
    """Return the width and height of a PNG file in pixels, from its head."""
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
