"""What the command line had before it had one form for each thing, and what each old form became."""

from __future__ import annotations

from typing import NamedTuple


class OldForm(NamedTuple):
    """An option of some commands, or a command without options, that went; and what does the same now."""

    commands: tuple[str, ...]
    option: str
    now: str


#: Both the page and the answers to old forms read this.
OLD_FORMS = (
    OldForm(("animate",), "", "render SCENE -o FILE.gif"),
    OldForm(("animate",), "--from", "render SCENE -o FILE.gif --during START:STOP"),
    OldForm(("animate",), "--to", "render SCENE -o FILE.gif --during START:STOP"),
    OldForm(("diff",), "", "render SCENE --baseline PICTURE.png"),
    OldForm(("check", "why", "explain", "examples", "doctor", "warm-up", "test"), "--json", "--format json"),
    OldForm(("check",), "--fail-on-collision", "nothing: the exit code of check is 10 where shapes overlap"),
    OldForm(("render",), "--focus", "render SCENE A B"),
    OldForm(("render", "explain"), "--mesh", "COLLISION_DRAW=meshes in the environment"),
    OldForm(("explain",), "--focus", "explain SCENE A B"),
    OldForm(("explain",), "--case", "explain SCENE A B with your own shapes, or collision.explain in Python"),
    OldForm(("explain",), "--seconds", "--fps, such as 0.25 for four seconds a step"),
    OldForm(("explain",), "--quiet", "nothing: with -o, explain prints the names of the files alone"),
    OldForm(("explain",), "-q", "nothing: with -o, explain prints the names of the files alone"),
    OldForm(("schema",), "--results", "schema results"),
    OldForm(("schema",), "--explanation", "schema explanation"),
    OldForm(("snippet",), "--a", "snippet SCENE A B"),
    OldForm(("snippet",), "--b", "snippet SCENE A B"),
    OldForm(("snippet",), "--moving", "--during all"),
    OldForm(("test",), "--pictures", "--html FOLDER, which has the pictures in it"),
)


def successor(command: str, option: str = "") -> str:
    """Say what an old option of a command, or an old command, is now; nothing of what never was.

    Examples
    --------
    >>> successor("check", "--json")
    '--json is now: --format json'
    >>> successor("animate")
    'animate is now: render SCENE -o FILE.gif'
    >>> successor("check", "--frobnicate")
    ''
    """
    for old in OLD_FORMS:
        if command in old.commands and option == old.option:
            return f"{option or command} is now: {old.now}"
    return ""
