"""What the command line had before it had one form for each thing, and what each old form became."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_FORMATS = ("check", "why", "explain", "examples", "doctor", "warm-up", "test")

#: Options with their commands, and a command without options; both the page and the answers to old forms read this.
OLD_FORMS: Mapping[tuple[str, ...], str] = MappingProxyType(
    {
        ("animate",): "render SCENE -o FILE.gif",
        ("animate --from", "animate --to"): "render SCENE -o FILE.gif --during START:STOP",
        ("diff",): "render SCENE --baseline PICTURE.png",
        tuple(f"{command} --json" for command in _FORMATS): "--format json",
        ("check --fail-on-collision",): "nothing: the exit code of check is 10 where shapes overlap",
        ("render --focus",): "render SCENE A B",
        ("render --mesh", "explain --mesh"): "COLLISION_DRAW=meshes in the environment",
        ("explain --focus",): "explain SCENE A B",
        ("explain --case",): "explain SCENE A B with your own shapes, or collision.explain in Python",
        ("explain --seconds",): "--fps, such as 0.25 for four seconds a step",
        ("explain --quiet", "explain -q"): "nothing: with -o, explain prints the names of the files alone",
        ("schema --results",): "schema results",
        ("schema --explanation",): "schema explanation",
        ("snippet --a", "snippet --b"): "snippet SCENE A B",
        ("snippet --moving",): "--during all",
        ("test --pictures",): "--html FOLDER, which has the pictures in it",
    }
)


def successor(command: str, option: str = "") -> str:
    """Say what an old option of a command, or an old command, is now; nothing of what never was.

    Examples
    --------
    >>> successor("check", "--json")
    '--json is now: --format json'
    >>> successor("check", "--fail-on-collision")
    '--fail-on-collision is gone: the exit code of check is 10 where shapes overlap'
    >>> successor("check", "--frobnicate")
    ''
    """
    for forms, now in OLD_FORMS.items():
        if f"{command} {option}".strip() in forms:
            there = now.removeprefix("nothing: ")
            return f"{option or command} is {'now' if there == now else 'gone'}: {there}"
    return ""
