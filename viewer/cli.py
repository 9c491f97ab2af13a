"""The command line: ``collision-viewer open | render | check | examples | schema | doctor``.

What a command needs is imported inside it, so that ``check`` starts quickly and never loads PyVista. Answers go to
stdout, all else to stderr. Exit codes:

0    all is well
1    ``check --fail-on-collision`` found a pair
2    a user's mistake: no such file, a broken scene, a bad option
3    this machine cannot show or draw a picture
70   a bug in this program
130  stopped with Ctrl-C
141  whoever read the output went away
"""

from __future__ import annotations

import math
import os
import sys
import traceback
from collections.abc import Iterable, Sequence
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, NoReturn

from cyclopts import App, CycloptsError, Parameter, Token

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from viewer.loading import Loaded

PROGRAM = "collision-viewer"


class ExitCode(IntEnum):
    """What the program tells the shell; see the text of this module."""

    FINE = 0
    COLLISION = 1
    MISTAKE = 2
    NO_PICTURE = 3
    BUG = 70
    INTERRUPTED = 130
    BROKEN_PIPE = 141


class Size(NamedTuple):
    """Width and height of a picture in pixels."""

    width: int
    height: int


#: The smallest and the largest side of a picture in pixels: below it nothing can be read, above it few drivers draw.
SIDES = (64, 8192)


def _read_size(_type: object, tokens: Sequence[Token]) -> Size:
    text = tokens[0].value
    sides = text.lower().replace("×", "x").split("x")
    wanted = f"--size must be WIDTHxHEIGHT in pixels, such as 1280x960, got {text!r}"
    if len(sides) != 2 or not all(side.isascii() and side.isdigit() for side in sides):
        raise ValueError(wanted)
    width, height = map(int, sides)
    if not all(SIDES[0] <= side <= SIDES[1] for side in (width, height)):
        raise ValueError(f"{wanted}; each side must be from {SIDES[0]} to {SIDES[1]}")
    return Size(width, height)


ScenePath = Annotated[
    Path, Parameter(help="A .toml scene, a .py file with scene(), an .xml or .urdf model, or the name of an example.")
]
SizeOption = Annotated[
    Size,
    Parameter(
        converter=_read_size, n_tokens=1, accepts_keys=False, help="Width and height in pixels, such as 800x600."
    ),
]
ViewOption = Annotated[
    Literal["iso", "x", "y", "z", "-x", "-y", "-z"] | None,
    Parameter(
        allow_leading_hyphen=True,
        help="Where to look from; by default where the scene's own camera stands, or else iso.",
    ),
]


def _version() -> str:
    from importlib.metadata import version

    return f"{PROGRAM} {version(PROGRAM)}"


app = App(
    name=PROGRAM,
    help="Show which shapes of a scene collide.",
    help_epilogue="Exit codes: 0 fine; 1 check --fail-on-collision found a pair; 2 a mistake in a scene or an option; "
    "3 no picture can be drawn or shown here.",
    version=_version,
    version_flags=["--version"],
    help_format="plaintext",
    help_formatter="plain",
    suppress_keyboard_interrupt=False,
)


@app.command(name="open")
def open_window(scene: ScenePath, *, size: SizeOption = Size(1280, 960), view: ViewOption = None) -> ExitCode:
    """Show a scene in a window, and move its shapes with the mouse.

    Without a display, use "render" for a picture or "check" for the numbers.
    """
    loaded = _load(scene)
    from viewer.app import run

    run(loaded.scene, size=size, view=view)
    return ExitCode.FINE


@app.command
def render(
    scene: ScenePath,
    *,
    output: Annotated[Path | None, Parameter(name=("--output", "-o"))] = None,
    size: SizeOption = Size(1280, 960),
    view: ViewOption = None,
    mesh: Annotated[bool, Parameter(negative=())] = False,
    quiet: Annotated[bool, Parameter(name=("--quiet", "-q"), negative=())] = False,
) -> ExitCode:
    """Draw a scene to a picture file, without a window, and list its colliding pairs.

    Parameters
    ----------
    output
        The picture to write; by default the scene's name with .png, in this folder.
    mesh
        Draw with plain meshes, for graphics drivers that cannot draw the quick way.
    quiet
        List no pairs.
    """
    loaded = _load(scene)
    path = output or Path(loaded.path.with_suffix(".png").name)
    _check_output(path, ".png")
    from viewer import render as render_scene

    render_scene(loaded.scene, path, size=size, **_given(view=view, mesh=mesh or None))
    if not quiet:
        _print_contacts(loaded)
    print(path)
    return ExitCode.FINE


@app.command
def check(
    scene: ScenePath,
    *,
    margin: float = 0.0,
    json: Annotated[bool, Parameter(negative=())] = False,
    fail_on_collision: Annotated[bool, Parameter(negative=())] = False,
) -> ExitCode:
    """List the pairs of shapes that collide: names, depth, contact point and normal.

    Parameters
    ----------
    margin
        List also the pairs that are no further apart than this, in scene units.
    json
        Write JSON to stdout, and nothing else.
    fail_on_collision
        Exit with code 1 if a pair is listed.
    """
    if not (margin >= 0.0 and math.isfinite(margin)):
        raise Mistake(f"--margin must be a finite number, zero or more, got {margin:g}")
    loaded = _load(scene, quiet=json)
    if json:
        from viewer.report import to_json

        contacts = loaded.scene.contacts(margin=margin)
        print(to_json(str(scene), loaded.scene, contacts, margin=margin, skipped=loaded.skipped))
    else:
        contacts = _print_contacts(loaded, margin)
    return ExitCode.COLLISION if fail_on_collision and len(contacts) else ExitCode.FINE
