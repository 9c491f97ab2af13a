"""The commands that write pages: of a scene, and of the lessons."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from viewer.cli.errors import ExitCode, MistakeError
from viewer.cli.options import (
    UNCHANGED,
    ModelFlags,
    OutputOption,
    QuietFlag,
    ScenePath,
    check_output,
    default_output,
    ended_by_signal,
    read_scene,
    sized,
    writing,
)
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
    model: ModelFlags = UNCHANGED,
) -> ExitCode:
    """Write a scene as one HTML file, to drag shapes in and to see at once what collides, offline, on any machine.

    Parameters
    ----------
    output
        The .html file to write; by default the scene's name with .html, in this folder.
    """
    loaded = read_scene(scene, model)
    path = output or default_output(loaded, ".html")
    check_output(path, "a page", ".html", ".htm")
    from collision.wasm import NoCodeError
    from viewer.studio.pages import export_loaded

    with compile_notice(), sized(loaded.path), writing(path):
        try:
            drawn = export_loaded(loaded, path, theme=theme)
        except NoCodeError as error:
            raise MistakeError(str(error)) from error
    if not drawn:
        print(f"{path}: without a picture for where no script may run, as none can be drawn here", file=sys.stderr)
    print(path)
    return ExitCode.FINE


def lessons(
    *,
    output: Annotated[Path, Parameter(name=["--output", "-o"], help="The folder to write.")] = Path("lessons"),
    quiet: QuietFlag = False,
) -> ExitCode:
    """Write the lessons as pages with their scenes alive: to predict, to drag, and to follow step by step, offline.

    The folder is written whole or not at all; only an earlier one of this kind is written over. Open its index.html, or
    publish it.
    """
    from collision.wasm import NoCodeError
    from viewer.files.folders import check_folder, write_folder
    from viewer.studio.lessons import GENERATOR, site

    with writing(output):
        check_folder(output, GENERATOR, "site of the lessons", "the lessons are written as a folder")
    with compile_notice(), ended_by_signal():
        try:
            files = site(progress=not quiet)
        except NoCodeError as error:
            raise MistakeError(str(error)) from error
        with writing(output):
            index = write_folder(output, files)
    if not any(name.endswith(".webp") for name in files):
        print(f"{output}: without pictures for where no script may run, as none can be drawn here", file=sys.stderr)
    print(index)
    return ExitCode.FINE
