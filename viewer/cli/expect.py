"""The command that states what holds in a scene now, as promises in the form of its file, and into its file."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from viewer.cli.errors import PROGRAM, ExitCode, MistakeError
from viewer.cli.options import Flag, Margin, ScenePath, named, read_scene, writing
from viewer.cli.output import compile_notice
from viewer.records.words import counted

if TYPE_CHECKING:
    from collision import Expectation
    from viewer.files.loading import Loaded

#: More than this are no promises that anyone looks over.
MOST = 2000


def expect(scene: ScenePath, /, *, margin: Margin = 0.0, write: Flag = False) -> ExitCode:
    """State promises that a scene keeps now, for its file: which pairs collide and how deep, touch, or are near.

    For a motion, state also when pairs collide and when they do not. What the scene's own promises cover is not stated
    again.

    Parameters
    ----------
    margin
        State the clearance of pairs that are no further apart than this, in scene units, and always that of the
        nearest.
    write
        Write them into the scene's file, in place of those that an earlier --write put there; all else stays.
    """
    loaded = read_scene(scene)
    with compile_notice():
        promises = _stated(loaded, margin)
    if write:
        print(_written(loaded, promises, scene))
    elif promises:
        from collision.scenefile import expectation_text

        print("\n".join(map(expectation_text, promises)), end="")
    else:
        near = f"collide or are within {margin:g}" if margin else "collide or are nearest"
        print(f"{loaded.path.name}: the scene already promises what holds for pairs that {near}", file=sys.stderr)
    return ExitCode.FINE


def _stated(loaded: Loaded, margin: float) -> tuple[Expectation, ...]:
    """Return what holds in a scene now; refuse a scene of which nothing or too much can be said."""
    from collision import current_expectations

    scene = loaded.scene
    if scene.element_count < 2:
        shapes = "only one shape" if scene.element_count else "no shapes"
        raise MistakeError(f"{loaded.path}: the scene has {shapes}, so there is no pair to promise anything about")
    found = current_expectations(scene, margin=margin)
    if len(found) > MOST:
        raise MistakeError(
            f"{loaded.path}: {len(found):,} promises would state what holds now, which nobody would look over; "
            "write some for groups of shapes, what these are about is not stated again"
        )
    return found


def _written(loaded: Loaded, promises: tuple[Expectation, ...], given: Path) -> str:
    """Put promises into the file that a scene is from, in place of those that were stated before; say what was done."""
    from collision.inner import write_text
    from collision.scenefile import updated_text

    path = loaded.path
    if path.suffix.lower() != ".toml":
        raise MistakeError(
            f"{named(path)}: promises are written into .toml scene files; without --write they are printed"
        )
    if not os.path.exists(given):
        raise MistakeError(f'{given} is an example, which stays as it is; "{PROGRAM} expect {given}" prints what holds')
    with writing(path):
        text = path.read_bytes().decode("utf-8")
    by_people = tuple(promise for promise in loaded.scene.expectations if not promise.stated)
    wanted = loaded.scene.replaced(expectations=(*by_people, *promises))
    if wanted == loaded.scene and not promises:
        return f"{named(path)}: nothing to add that the scene does not promise already"
    if wanted == loaded.scene:
        return f"{named(path)}: states what holds already, in {counted(len(promises), 'promise')}"
    with writing(path):
        write_text(path, updated_text(text, wanted))
    return f"{named(path)}: {counted(len(promises), 'promise')} written"
