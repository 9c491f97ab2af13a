"""The command that writes a test in Python."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from viewer.cli.errors import ExitCode, MistakeError
from viewer.cli.options import Flag, ScenePath, read_scene, time_of
from viewer.cli.output import compile_notice


def snippet(
    scene: ScenePath,
    /,
    *,
    a: str = "",
    b: str = "",
    at: float | None = None,
    moving: Flag = False,
    during: Annotated[tuple[float, float] | None, Parameter(negative=())] = None,
    shrink: Flag = False,
) -> ExitCode:
    """Print a test in Python that states what holds now: the shapes that matter, and assertions with numbers.

    Without names it is about what breaks a promise of the scene, or else about the pairs that collide, or the nearest.

    Parameters
    ----------
    a
        The name of a shape, such as "arm" or "crowd[17]".
    b
        The name of the other one.
    at
        The shapes as they are at this time of a motion, in seconds; by default when it starts.
    moving
        Have the motion in the test, which is about all of it.
    during
        Have the motion in the test, which is about this part of it.
    shrink
        Leave out what is not needed and shorten numbers, as long as the promise stays broken, or the pair about as deep
        or as far apart.
    """
    loaded = read_scene(scene)
    from viewer.cli.shrinking import Wanted, snippet_of

    if at is not None and (moving or during is not None):
        raise MistakeError("--at is about one time, --moving and --during are about many; give one of them")
    time_of(loaded, at)
    for time in during or ():
        time_of(loaded, time, "--during")
    if during is not None and during[0] >= during[1]:
        raise MistakeError(f"--during must be two times, the earlier one first, got {during[0]:g} {during[1]:g}")
    wanted = Wanted(a, b, at, moving, during)
    try:
        with compile_notice():
            print(snippet_of(loaded, wanted, shrink=shrink), end="")
    except (KeyError, ValueError) as error:
        raise MistakeError(f"{scene}: {error.args[0]}") from error
    return ExitCode.FINE
