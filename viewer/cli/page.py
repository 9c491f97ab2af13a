"""The command that writes a scene as a page."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

from cyclopts import Parameter

from viewer.cli.errors import ExitCode, MistakeError
from viewer.cli.options import OutputOption, ScenePath, check_output, default_output, read_scene, sized, writing
from viewer.cli.output import compile_notice


def export(
    scene: ScenePath,
    /,
    *,
    output: OutputOption = None,
    theme: Annotated[
        Literal["light", "dark", "colour-blind", "colour-blind-dark"] | None,
        Parameter(help="The colours; by default light or dark, as the reader's machine has it."),
    ] = None,
) -> ExitCode:
    """Write a scene as one HTML file, to drag shapes in and to see at once what collides, offline, on any machine.

    Parameters
    ----------
    output
        The .html file to write; by default the scene's name with .html, in this folder.
    """
    loaded = read_scene(scene)
    path = output or default_output(loaded, ".html")
    check_output(path, ".html", ".htm")
    from collision.wasm import NoCodeError
    from viewer.studio.pages import export_html

    with compile_notice(), sized(loaded.path), writing(path):
        try:
            drawn = export_html(loaded.scene, path, theme=theme)
        except NoCodeError as error:
            raise MistakeError(str(error)) from error
    if not drawn:
        print(f"{path}: without a picture for where no script may run, as none can be drawn here", file=sys.stderr)
    print(path)
    return ExitCode.FINE
