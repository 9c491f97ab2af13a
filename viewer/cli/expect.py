"""What holds in a scene now, as promises in the form of its file, and into its file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from collision import Expectation, Scene, current_expectations
from viewer.cli.errors import PROGRAM, MistakeError
from viewer.cli.options import named, writing
from viewer.records.words import counted

if TYPE_CHECKING:
    from viewer.files.loading import Loaded

#: More than this are no promises that anyone looks over.
MOST = 2000


def stated(loaded: Loaded, margin: float) -> tuple[Expectation, ...]:
    """Return what holds in a scene now; refuse a scene of which nothing or too much can be said."""
    scene = loaded.scene
    if scene.element_count < 2:
        shapes = "only one shape" if scene.element_count else "no shapes"
        raise MistakeError(f"{loaded.path}: the scene has {shapes}, so that there is no pair to promise anything of")
    found = current_expectations(scene, margin=margin)
    if len(found) > MOST:
        raise MistakeError(
            f"{loaded.path}: {len(found):,} promises would state what holds now, which nobody would look over; "
            "write some for groups of shapes, what these are about is not stated again"
        )
    return found


def promises_text(promises: tuple[Expectation, ...]) -> str:
    """Write promises as the tables of a scene file."""
    from collision.scenefile import expectation_text

    return "\n".join(map(expectation_text, promises))


def write_promises(loaded: Loaded, promises: tuple[Expectation, ...], given: Path) -> str:
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
    own = kept_of(loaded.scene)
    wanted = loaded.scene.replaced(expectations=(*own, *promises))
    if wanted == loaded.scene and not promises:
        return f"{named(path)}: nothing to add that the scene does not promise already"
    if wanted == loaded.scene:
        return f"{named(path)}: states what holds already, in {counted(len(promises), 'promise')}"
    with writing(path):
        write_text(path, updated_text(text, wanted))
    return f"{named(path)}: {counted(len(promises), 'promise')} written"


def kept_of(scene: Scene) -> tuple[Expectation, ...]:
    """Return the promises of a scene that people wrote."""
    return tuple(promise for promise in scene.expectations if not promise.stated)
