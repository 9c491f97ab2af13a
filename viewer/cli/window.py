"""The command that opens a window."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.cli.errors import PROGRAM, ExitCode, MistakeError, mistakes
from viewer.cli.options import (
    DEFAULT_SIZE,
    SEEN,
    Flag,
    ModelFlags,
    OptionalScene,
    ScaleOption,
    SeenModelFlags,
    Size,
    SizeOption,
    ThemeOption,
    ViewOption,
    check_output,
    is_stdin,
    named,
    read_scene,
    sized,
)
from viewer.cli.output import compile_notice

if TYPE_CHECKING:
    from viewer.files.loading import Loaded


def open_window(
    scene: OptionalScene = None,
    /,
    *,
    new: Flag = False,
    size: SizeOption = DEFAULT_SIZE,
    view: ViewOption = None,
    theme: ThemeOption = "light",
    scale: ScaleOption = 1.0,
    model: SeenModelFlags = SEEN,
) -> ExitCode:
    """Show a scene in a window, and move its shapes with the mouse; without a scene, choose an example by its picture.

    A click selects a shape, and its handles move it; the key "h" shows the keys that one needs first, and Ctrl+K
    finds all commands. Ctrl+S saves the scene; what cannot be saved over, such as an example or a robot model, is saved
    as a new file.

    Without a display, use "render" for a picture or "check" for the numbers.

    Parameters
    ----------
    new
        Begin an empty scene, to be saved in SCENE: a .toml file that is not there yet.
    """
    if scene is None and new:
        raise MistakeError(f'--new needs the file to begin, as in "{PROGRAM} open --new scene.toml"')
    from viewer.records.sizes import checked_scale

    with mistakes("--"):
        checked_scale(scale)
    loaded = None if scene is None else _new_scene(scene) if new else _scene_to_open(scene, model)
    is_example = scene is not None and not (new or scene.exists())
    show_window(loaded, size=size, view=view, theme=theme, scale=scale, is_example=is_example)
    return ExitCode.FINE


def show_window(
    loaded: Loaded | None,
    *,
    size: Size = DEFAULT_SIZE,
    view: ViewOption = None,
    theme: ThemeOption = "light",
    scale: float = 1.0,
    is_example: bool = False,
) -> None:
    """Show a scene in a window until that is closed; without a display a `MistakeError` says so."""
    from viewer.session import Session
    from viewer.studio.app import NoDisplay, run, warm_up

    if loaded is not None:
        with compile_notice(), sized(loaded.path):
            warm_up(Session(loaded.scene, size=size, view=view))
    # While the window waits for its user no Python runs that could see a Ctrl-C: let it end the process by itself.
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        run(
            loaded.scene if loaded is not None and is_stdin(loaded.path) else loaded,
            size=size,
            view=view,
            theme=theme,
            scale=scale,
            is_example=is_example,
            switches=True,
        )
    except NoDisplay as error:
        raise MistakeError(str(error)) from error
    finally:
        signal.signal(signal.SIGINT, before)


def _scene_to_open(scene: Path, model: ModelFlags) -> Loaded:
    from viewer.files.loading import LoadError

    try:
        return read_scene(scene, model)
    except LoadError as error:
        if scene.suffix.lower() != ".toml" or os.path.exists(scene):
            raise
        raise MistakeError(f'{error}; "{PROGRAM} open --new {named(scene)}" begins one') from error


def _new_scene(path: Path) -> Loaded:
    """Return an empty scene for a file that is not there yet."""
    from collision import Scene
    from viewer.files.loading import Loaded
    from viewer.files.state import FileState

    check_output(path, "a scene", ".toml")
    if path.exists():
        raise MistakeError(f"{named(path)}: this file is there already; open it without --new")
    return Loaded(Scene(), path, state=FileState(None, None))
