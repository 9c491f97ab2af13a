"""A run as GitHub shows it: annotations at the lines of promises, and a summary in Markdown."""

from __future__ import annotations

import os
from collections.abc import Iterator

from viewer.verdicts.results import PromiseResult, Run, SceneResult
from viewer.verdicts.text import details, place, summary, visible

#: The command for each state, and its word in the title.
_LEVELS = {"broken": ("error", "broken"), "accepted": ("warning", "broken, and accepted")}


def lines_of(run: Run) -> Iterator[str]:
    """Yield commands for the runner of GitHub's workflows, a line each, and the sums."""
    for scene in run.scenes:
        yield from _scene_lines(scene)
    for note in (*run.untested, *run.notes):
        yield command("warning", note)
    yield summary(run)


def _scene_lines(scene: SceneResult) -> Iterator[str]:
    if scene.state == "bug":
        yield command("error", scene.message, file=scene.path, title="a bug in collision-viewer")
    for wrong in scene.problems:
        yield command("error", wrong.text, file=scene.path, line=wrong.line, col=wrong.column, title="this is no scene")
    if scene.state == "mistake" and not scene.problems:
        yield command("error", scene.message, file=scene.path, title="this is no scene")
    if scene.state == "nothing":
        yield command("notice", scene.message, file=scene.path)
    for promise in scene.promises:
        if promise.state in _LEVELS:
            level, word = _LEVELS[promise.state]
            text = "\n".join(f"{name}: {said}" for name, said in details(promise))
            yield command(level, text, file=scene.path, line=promise.line, title=f"{word}: {promise.id}")
    if scene.left_out:
        names = ", ".join(part.name for part in scene.left_out)
        yield command("warning", f"not tested, as left out: {names}", file=scene.path)


def command(name: str, text: str, **properties: str | int | None) -> str:
    r"""Return a command for the runner; what would end it, or one of its properties, is escaped.

    >>> command("error", "50 %\nor more", file="a,b.toml", line=3, title="apart: a")
    '::error file=a%2Cb.toml,line=3,title=apart%3A a::50 %25%0Aor more'
    """
    given = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value is not None)
    return f"::{name}{' ' if given else ''}{given}::{_data(text)}"


def _data(text: str) -> str:
    return "\n".join(map(visible, text.split("\n"))).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


# -- the summary of a job ----------------------------------------------------------------------------------------------

#: Of so many bytes a summary of a step is shown whole; more is refused.
_MOST_BYTES = 1_000_000


def append_summary(run: Run) -> None:
    """Write a summary in Markdown where GitHub asks for one, and nowhere else."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    text = markdown(run)
    if len(text.encode()) > _MOST_BYTES:
        text = f"**{_cell(summary(run))}**\n\nThere is more than a summary has room for: see the log.\n"
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)


def markdown(run: Run) -> str:
    """Return a summary of a run in Markdown: the sums, and a table of what is broken or could not be tested."""
    lines = [f"### {'✅' if run.exit_code == 0 else '❌'} {_cell(summary(run))}", ""]
    rows = [_row(scene, promise) for scene, promise in run.promises("broken", "accepted")]
    if rows:
        lines += [
            "| where | promise | expected | actual | why it was promised |",
            "| --- | --- | --- | --- | --- |",
            *rows,
            "",
        ]
    for scene in run.scenes:
        if scene.state in ("mistake", "bug"):
            lines += [f"- {_cell(scene.message)}"]
    lines += [f"- {_cell(note)}" for note in (*run.untested, *run.notes)]
    return "\n".join(lines) + "\n"


def _row(scene: SceneResult, promise: PromiseResult) -> str:
    accepted = next((f"accepted: {clash.accepted}" for clash in promise.clashes if clash.accepted), "")
    why = "; ".join(filter(None, (promise.reason, accepted if promise.state == "accepted" else "")))
    cells = (place(scene, promise), promise.id, promise.expected, promise.actual, why)
    return f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    """Write text such that it is text in Markdown: in a cell of a table, too."""
    text = "\n".join(map(visible, text.split("\n")))
    for sign in ("\\", "`", "*", "_", "[", "]", "|", "#", "~"):
        text = text.replace(sign, f"\\{sign}")
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>")
