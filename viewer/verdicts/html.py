"""The report of a run as a page: nothing from elsewhere, for a phone, for print, and in the dark.

Without a script all is there but the live pictures.
"""

from __future__ import annotations

import base64
import shlex
from collections.abc import Iterator, Mapping
from html import escape
from string import Template

from viewer.records.words import counted
from viewer.verdicts.results import PromiseResult, Run, SceneResult, State
from viewer.verdicts.text import details, gone_lines, place

#: What each state of a promise is called, in the order of the page.
STATES: Mapping[State, str] = {"broken": "broken", "accepted": "known and accepted", "held": "held"}

#: The name of its generator in a page, by which an earlier report is known, which may be written over.
GENERATOR = "collision-viewer test"


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
$live</body>
</html>
""")


#: The button on each picture that can be live; the code is unpacked when the first is pressed.
_LIVE = """\
<script type="application/octet-stream" id="live">$script</script>
<script>
const load = async () => {
  const packed = Uint8Array.from(atob(document.getElementById("live").textContent), (letter) => letter.charCodeAt(0));
  const script = document.createElement("script");
  script.nonce = document.querySelector("script[nonce]")?.nonce ?? "";
  script.type = "module";
  script.textContent = await new Response(
    new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")),
  ).text();
  return new Promise((ready) => {
    globalThis.ready = ready;
    document.body.append(script);
  });
};
let loaded;
for (const figure of document.querySelectorAll("[data-live]")) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Make it live" });
  const press = async () => (await (loaded ??= load()))(figure);
  button.onclick = press;
  figure.querySelector("img").onclick = press;
  figure.append(button);
}
</script>
"""


def html_report(run: Run, pictures: str = "", script: str = "") -> str:
    """Return the page on a run; pictures are in a folder as seen from the page, or in the page itself.

    With the `script` of `viewer.verdicts.live` a click makes them live.
    """
    title, notes = _title(run), (*gone_lines(run), *run.notes, *(note for scene in run.scenes for note in scene.notes))
    return _PAGE.substitute(
        generator=GENERATOR,
        title=escape(title),
        style=_STYLE,
        anchors="".join(f'<span id="{name}"></span>\n' for name in ("all", *STATES, "left-out")),
        summary=escape(_summary(run)),
        links="".join(_links(run)),
        notes="".join(f'<p class="about">{escape(note)}</p>\n' for note in notes),
        sections="".join(_sections(run, pictures)),
        live=Template(_LIVE).substitute(script=script) if script else "",
    )


def _untested(scene: SceneResult, run: Run) -> str:
    """Say why a scene was not tested, or not all of it where all was wanted."""
    if scene.state not in STATES:
        return scene.message
    return "parts of it were left out, and --strict wants all of it" if run.strict and scene.left_out else ""


def _sections(run: Run, pictures: str) -> Iterator[str]:
    """Yield the sections of the page, those of scenes in which something is wrong before all others."""
    fine, first = [], 1
    for number, scene in enumerate(run.scenes, start=1):
        message = _untested(scene, run)
        about = "; ".join(filter(None, (scene.title, _counts(scene), scene.still)))
        lines = _head(number, scene.path, message, about)
        shown = sorted(enumerate(scene.promises, start=first), key=lambda one: list(STATES).index(one[1].state))
        for count, promise in shown:
            if promise.state == "held":
                lines.append(_held(count, scene, promise))
            else:
                lines.append(_article(count, scene, promise, pictures, f"scene-{number}-live"))
        first += len(scene.promises)
        if scene.left_out:
            rows = "".join(f"<li>{escape(f'{part.kind} {part.name}: {part.reason}')}</li>\n" for part in scene.left_out)
            lines.append(f'<article class="left-out">\n<h3>Left out</h3>\n<ul>\n{rows}</ul>\n</article>\n')
        lines += [
            f'<script type="application/octet-stream" id="scene-{number}-live-{page}">{packed}</script>\n'
            for page, packed in enumerate(scene.pages)
        ]
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


def _held(number: int, scene: SceneResult, promise: PromiseResult) -> str:
    """Return a promise that is kept, in one line."""
    return (
        f'<article class="held" id="promise-{number}"><p><b>held</b> {escape(promise.expected)}: '
        f'{escape(promise.actual)} <span class="place">{escape(place(scene, promise))}</span></p></article>\n'
    )


def _article(number: int, scene: SceneResult, promise: PromiseResult, pictures: str, live: str) -> str:
    """Return a promise that is broken: its picture, what there is to say of it, and what breaks it again."""
    rows = [*details(promise), ("promised in", place(scene, promise))]
    again = scene.again or ("test", scene.path)
    command = shlex.join(["collision-viewer", *again, *(["--only", promise.id] if again[0] == "test" else [])])
    lines = [
        f'<article class="{promise.state}" id="promise-{number}">\n',
        f'<h3><b>{STATES[promise.state]}</b> <a href="#promise-{number}">{escape(promise.id)}</a></h3>\n',
        _picture(promise, pictures, live) if promise.image else "",
        "<table>\n",
        *(
            f'<tr class="{name}"><th scope="row">{name}</th><td>{escape(text)}</td></tr>\n'
            for name, text in rows
            if name != "picture"
        ),
        f'</table>\n<pre class="command">{escape(command)}</pre>\n',
    ]
    if promise.example:
        lines.append(
            "<details><summary>A small scene that breaks it too</summary>\n"
            f"<pre>{escape(promise.example)}</pre>\n</details>\n"
        )
    return "".join([*lines, "</article>\n"])


def _picture(promise: PromiseResult, pictures: str, live: str) -> str:
    data = f"data:image/png;base64,{base64.b64encode(promise.image).decode('ascii')}"
    source = f"{pictures}/{promise.file}" if pictures else data
    width, height = (int.from_bytes(promise.image[at : at + 4], "big") for at in (16, 20))  # in the head of a PNG file
    text = f"Expected: {promise.expected}. Actual: {promise.actual}."
    opens = f' data-live="{escape(promise.live)}" data-scene-of="{live}"' if promise.live else ""
    return (
        f'<figure{opens}><img src="{escape(source)}" alt="{escape(text)}" width="{width}" height="{height}" '
        'loading="lazy"></figure>\n'
    )


#: The style sheet. What an anchor chooses is shown alone: where a browser does not know ``:has``, it only goes there.
_STYLE = """\
:root { color-scheme: light dark; --text: #262c36; --faint: #5b6573; --paper: #f7f7f5; --plate: #ffffff;
  --line: #d5dae1; --bad: #b3261e; --known: #8a5a00; --good: #1b6e4b; --code: #eef1f4; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e9ee; --faint: #a3adba; --paper: #16191e; --plate: #1f242b; --line: #39424e; --bad: #ff8a80;
    --known: #f0b95a; --good: #6fd3a5; --code: #2a3038; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 0 1rem 3rem; background: var(--paper); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: 1.5rem 0 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 0; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0 0 .6rem; }
h3 a { color: inherit; text-decoration: none; }
a { color: inherit; }
.sum, .about, .place { color: var(--faint); }
.sum, .about { margin: .2rem 0; }
nav { display: flex; flex-wrap: wrap; gap: .4rem 1rem; margin-top: .6rem; }
nav details { flex-basis: 100%; }
nav ul { margin: .3rem 0; padding-left: 1.2rem; columns: 20rem; }
article { background: var(--plate); border: 1px solid var(--line); border-left: .3rem solid var(--line);
  border-radius: .4rem; padding: .8rem 1rem; margin: .8rem 0; }
article.broken { border-left-color: var(--bad); }
article.accepted { border-left-color: var(--known); }
article.held { border-left-color: var(--good); padding: .2rem 1rem; }
article.held p { margin: 0; }
.broken b, span.broken { color: var(--bad); }
.accepted b { color: var(--known); }
.held b { color: var(--good); }
b { font-weight: 600; }
figure { margin: 0 0 .8rem; position: relative; }
[hidden] { display: none !important; }
figure button { font: inherit; color: var(--text); background: var(--plate); border: 1px solid var(--line);
  border-radius: .3rem; padding: .3rem .8rem; cursor: pointer; white-space: nowrap; }
figure > button { position: absolute; right: .6rem; bottom: .6rem; }
[data-live] > img { cursor: pointer; }
.live { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .4rem; }
.live > :only-child, .live > :first-child:nth-last-child(2) { grid-column: 1 / -1; }
.live > div { display: flex; flex-direction: column; justify-content: flex-end; }
.live p { margin: 0 0 .3rem; }
.live .seen { position: relative; overflow: hidden; height: min(32rem, 75vh); border: 1px solid var(--line);
  border-radius: .3rem; }
.live > .tools { grid-column: 1 / -1; flex-flow: wrap; gap: .6rem; justify-content: flex-end; }
img { display: block; max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: .3rem; }
table { border-collapse: collapse; }
th { text-align: left; vertical-align: top; font-weight: normal; color: var(--faint); padding: 0 1rem 0 0;
  white-space: nowrap; }
td { padding: 0; }
.actual td { font-weight: 600; }
pre { background: var(--code); border-radius: .3rem; padding: .5rem .7rem; margin: .7rem 0 0; font-size: .85rem;
  white-space: pre-wrap; }
.message { color: var(--bad); }
details { margin-top: .6rem; }
summary { cursor: pointer; color: var(--faint); }
body > span:target, section:target, article:target { scroll-margin-top: 1rem; }
article:target { outline: 2px solid var(--faint); }
body:has(> #broken:target) article:not(.broken), body:has(> #accepted:target) article:not(.accepted),
body:has(> #held:target) article:not(.held), body:has(> #left-out:target) article:not(.left-out) { display: none; }
body:has(> #broken:target) section:not(:has(article.broken)),
body:has(> #accepted:target) section:not(:has(article.accepted)),
body:has(> #held:target) section:not(:has(article.held)),
body:has(> #left-out:target) section:not(:has(article.left-out)) { display: none; }
main:has(> section:target) > section:not(:target) { display: none; }
@media (max-width: 34rem) {
  body { padding: 0 .6rem 2rem; }
  article { padding: .6rem .7rem; }
  tr { display: block; margin-top: .3rem; }
  th, td { display: block; }
  figure { overflow-x: auto; }
  img { max-width: none; width: 170%; }
  .live { grid-template-columns: minmax(0, 1fr); }
}
@media print {
  :root { --text: #000; --faint: #444; --paper: #fff; --plate: #fff; --line: #bbb; --bad: #b3261e; --known: #8a5a00;
    --good: #1b6e4b; --code: #f2f2f2; }
  body { max-width: none; font-size: 10pt; padding: 0; }
  nav, figure button { display: none; }
  article { break-inside: avoid; }
  figure, tr, h2, h3 { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  figure { overflow: visible; }
  img { max-width: 100%; max-height: 11cm; width: auto; }
}
"""
