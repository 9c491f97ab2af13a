"""The command that compiles all that commands need: on a new machine, in a container image, in CI."""

from __future__ import annotations

import sys

from viewer.cli.errors import ExitCode
from viewer.cli.options import FormatOption
from viewer.cli.output import to_json

#: Where loops are, beside those of `collision`: in what needs PyVista.
_DRAWING = "viewer.stage.marks"


def warm_up(*, format: FormatOption = "text") -> ExitCode:
    """Compile all that commands need for this processor, once, and say where it is kept.

    Without it each command compiles what it needs when it first needs it. Meant for container images and for CI.
    """
    from rich.console import Console
    from rich.progress import Progress

    from collision.inner import INSTALLED, built_library, loops_of, on_compile, writable_folder

    new: list[str] = []
    on_compile.append(new.append)
    try:
        loops = loops_of("collision", _DRAWING, all_installed=False)  # what needs more than there is has no loops
        with Progress(console=Console(file=sys.stderr), transient=True, disable=not sys.stderr.isatty()) as progress:
            for loop in progress.track(loops, description="compiling for this processor"):
                _ = loop.run
    finally:
        on_compile.remove(new.append)
    ahead = built_library()
    path = writable_folder("") if ahead is None or ahead.left else INSTALLED
    folder = None if path is None else str(path)
    if format == "json":
        print(to_json({"version": 1, "folder": folder, "ready": len(loops) - len(new), "compiled": len(new)}))
    else:
        print(sentence(folder, len(loops), len(new)))
    return ExitCode.FINE


def sentence(folder: str | None, count: int, new: int) -> str:
    """Say how many parts are compiled, how many of them are new, and where they are kept.

    Examples
    --------
    >>> sentence("/cache", 103, 3)
    'All 103 parts are compiled for this processor (3 of them now), and kept in /cache'
    >>> sentence(None, 103, 103)
    'All 103 parts can be compiled, but kept nowhere: COLLISION_CACHE_DIR names a folder that can be written'
    """
    if folder is None:
        from collision.inner import CACHE_VARIABLE

        return (
            f"All {count} parts can be compiled, but kept nowhere: {CACHE_VARIABLE} names a folder that can be written"
        )
    return f"All {count} parts are compiled for this processor ({new} of them now), and kept in {folder}"
