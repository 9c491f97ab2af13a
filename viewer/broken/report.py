"""The report of a run as a page: no scripts, nothing from elsewhere, for a phone, for print, and in the dark."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from string import Template
from typing import Literal, NamedTuple, TypeAlias

from viewer.broken.style import STYLE
from viewer.picture.words import counted, plain

State: TypeAlias = Literal["broken", "known", "held"]

#: What each state is called, in the order of the page.
STATES: Mapping[State, str] = {"broken": "broken", "known": "known and accepted", "held": "held"}

#: What the generator of the page says of itself: what may be written over is told by it.
GENERATOR = "collision-viewer test"


class Finding(NamedTuple):
    """A promise, and what came of it.

    Attributes
    ----------
    id, expected, actual, reason : str
        As in a verdict.
    state : {'broken', 'known', 'held'}
        Whether it holds; known is what is broken and accepted.
    place : str
        The file and the line.
    notes : tuple of str
        What else there is to say: further pairs, whether it is new, why it is accepted.
    numbers : mapping of str to float
        Those that matter.
    move : tuple of 3 floats, or None
        The shortest move of the second shape that mends it.
    pair : tuple of str, or None
        The two that it is about.
    time : float or None
        The worst moment.
    picture : bytes or None
        A PNG file.
    scene : str
        A small scene file that breaks the promise in the same way; empty where there is none.
    command : str
        What finds the same again.
    """

    id: str
    state: State
    expected: str
    actual: str
    place: str = ""
    reason: str = ""
    notes: tuple[str, ...] = ()
    numbers: Mapping[str, float] = {}
    move: tuple[float, float, float] | None = None
    pair: tuple[str, ...] | None = None
    time: float | None = None
    picture: bytes | None = None
    scene: str = ""
    command: str = ""


class ScenePart(NamedTuple):
    """What came of one scene.

    Attributes
    ----------
    path, title : str
        Of the scene.
    findings : tuple of Finding
        Its promises.
    message : str
        Why it could not be tested; empty where it was.
    counts : str
        What was tested, in words.
    left_out : tuple of str
        What was not.
    """

    path: str
    title: str = ""
    findings: tuple[Finding, ...] = ()
    message: str = ""
    counts: str = ""
    left_out: tuple[str, ...] = ()


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
$parts</main>
</body>
</html>
""")


def html_report(
    parts: Sequence[ScenePart], pictures: Mapping[int, str] | None = None, notes: Sequence[str] = ()
) -> str:
    """Return the page on some scenes.

    Parameters
    ----------
    parts : sequence of ScenePart
        The scenes.
    pictures : mapping of int to str, optional
        Where the pictures are, by the number of their finding, counted from 1 through all scenes; without it they are
        in the page itself.
    notes : sequence of str
        What there is to say of the whole.
    """
    findings = [finding for part in parts for finding in part.findings]
    states = [finding.state for finding in findings]
    sums = {state: states.count(state) for state in STATES}
    title = _title(parts, sums)
    return _PAGE.substitute(
        generator=GENERATOR,
        title=escape(title),
        style=STYLE,
        anchors="".join(f'<span id="{name}"></span>\n' for name in ("all", *STATES, "left-out")),
        summary=escape(_summary(parts, sums)),
        links="".join(_links(parts, sums)),
        notes="".join(f'<p class="about">{escape(note)}</p>\n' for note in notes),
        parts="".join(_sections(parts, pictures)),
    )


def _sections(parts: Sequence[ScenePart], pictures: Mapping[int, str] | None) -> Iterator[str]:
    """Yield the sections of the page, those of scenes in which something is wrong before all others."""
    fine, first = [], 1
    for number, part in enumerate(parts, start=1):
        text = _part(number, part, first, pictures)
        first += len(part.findings)
        if part.message or any(finding.state == "broken" for finding in part.findings):
            yield text
        else:
            fine.append(text)
    yield from fine


def _title(parts: Sequence[ScenePart], sums: Mapping[State, int]) -> str:
    if sums["broken"]:
        return f"{counted(sums['broken'], 'promise')} broken"
    failed = sum(bool(part.message) for part in parts)
    if failed:
        return f"{counted(failed, 'scene')} not tested"
    return "All promises hold" if sums["held"] or sums["known"] else "Nothing was tested"


def _summary(parts: Sequence[ScenePart], sums: Mapping[State, int]) -> str:
    words = [f"{counted(len(parts), 'scene')}, {counted(sum(sums.values()), 'promise')}"]
    words += [f"{count:,} {STATES[state]}" for state, count in sums.items() if count]
    left_out = sum(len(part.left_out) for part in parts)
    if left_out:
        words.append(f"{counted(left_out, 'part')} left out")
    return "; ".join([words[0], ", ".join(words[1:])]) if words[1:] else words[0]


def _links(parts: Sequence[ScenePart], sums: Mapping[State, int]) -> Iterator[str]:
    yield '<a href="#all">all</a>\n'
    for state, count in sums.items():
        if count:
            yield f'<a class="{state}" href="#{state}">{STATES[state]} {count:,}</a>\n'
    if any(part.left_out for part in parts):
        yield '<a href="#left-out">left out</a>\n'
    if len(parts) < 2:
        return
    yield "<details><summary>Scenes</summary>\n<ul>\n"
    for number, part in enumerate(parts, start=1):
        broken = sum(finding.state == "broken" for finding in part.findings)
        said = (part.message and "not tested") or (f"{broken:,} broken" if broken else "")
        tail = f' <span class="broken">{said}</span>' if said else ""
        yield f'<li><a href="#scene-{number}">{escape(part.path)}</a>{tail}</li>\n'
    yield "</ul>\n</details>\n"


def _part(number: int, part: ScenePart, first: int, pictures: Mapping[int, str] | None) -> str:
    lines = [f'<section id="scene-{number}">\n<h2>{escape(part.path)}</h2>\n']
    about = "; ".join(filter(None, (part.title, part.counts)))
    if about:
        lines.append(f'<p class="about">{escape(about)}</p>\n')
    if part.message:
        lines.append(f'<pre class="message">{escape(part.message)}</pre>\n')
    shown = enumerate(part.findings, start=first)
    order = list(STATES)
    for count, finding in sorted(shown, key=lambda one: order.index(one[1].state)):
        lines.append(_held(count, finding) if finding.state == "held" else _article(count, finding, pictures))
    if part.left_out:
        rows = "".join(f"<li>{escape(text)}</li>\n" for text in part.left_out)
        lines.append(f'<article class="left-out">\n<h3>Left out</h3>\n<ul>\n{rows}</ul>\n</article>\n')
    return "".join([*lines, "</section>\n"])


def _held(number: int, finding: Finding) -> str:
    """Return a promise that is kept, in one line."""
    place = f' <span class="place">{escape(finding.place)}</span>' if finding.place else ""
    return (
        f'<article class="held" id="promise-{number}">'
        f"<p><b>held</b> {escape(finding.expected)}: {escape(finding.actual)}{place}</p></article>\n"
    )


def _article(number: int, finding: Finding, pictures: Mapping[int, str] | None) -> str:
    state = finding.state
    lines = [
        f'<article class="{state}" id="promise-{number}">\n',
        f'<h3><b>{STATES[state]}</b> <a href="#promise-{number}">{escape(finding.id)}</a></h3>\n',
        _picture(number, finding, pictures),
        '<table>\n<tr class="expected"><th scope="row">expected</th>'
        f"<td>{escape(finding.expected)}</td></tr>\n"
        f'<tr class="actual"><th scope="row">actual</th><td>{escape(finding.actual)}</td></tr>\n',
    ]
    for name, text in _rows(finding):
        lines.append(f'<tr><th scope="row">{escape(name)}</th><td>{escape(text)}</td></tr>\n')
    lines.append("</table>\n")
    if finding.command:
        lines.append(f'<pre class="command">{escape(finding.command)}</pre>\n')
    if finding.scene:
        lines.append(
            "<details><summary>A small scene that breaks it too</summary>\n"
            f"<pre>{escape(finding.scene)}</pre>\n</details>\n"
        )
    return "".join([*lines, "</article>\n"])


def _rows(finding: Finding) -> Iterator[tuple[str, str]]:
    if finding.reason:
        yield "reason", finding.reason
    shown = {name: plain(value, digits=6) for name, value in finding.numbers.items()}
    said = any(shown.get(name, "0") != "0" for name in ("depth", "clearance"))
    for name, text in shown.items():
        if (name in ("depth", "clearance") and text == "0") or (name == "signed_distance" and said):
            continue  # one of the three says it
        yield name.replace("_", " "), text
    if finding.time is not None:
        yield "worst at", f"{plain(finding.time, digits=6)} s"
    if finding.move is not None and finding.pair:
        way = [plain(part, digits=6) for part in finding.move]
        seen = any(part != "0" for part in way)  # what touches is parted by less than can be written so
        yield "mended by", f"moving {finding.pair[-1]} by [{', '.join(way)}]" if seen else "parting the two"
    if finding.place:
        yield "promised in", finding.place
    for note in finding.notes:
        yield "also", note


def _picture(number: int, finding: Finding, pictures: Mapping[int, str] | None) -> str:
    if finding.picture is None:
        return ""
    if pictures is None:
        source = f"data:image/png;base64,{base64.b64encode(finding.picture).decode('ascii')}"
    else:
        source = pictures[number]
    width, height = size_of_png(finding.picture)
    text = f"Expected: {finding.expected}. Actual: {finding.actual}."
    return (
        f'<figure><img src="{escape(source)}" alt="{escape(text)}" width="{width}" height="{height}" '
        'loading="lazy"></figure>\n'
    )


def size_of_png(data: bytes) -> tuple[int, int]:
    """Return the width and height of a PNG file in pixels, from its head."""
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
