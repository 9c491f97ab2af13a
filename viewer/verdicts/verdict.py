"""From what came of all scenes to a run, and to one number for the shell."""

from __future__ import annotations

from collections.abc import Iterable

from viewer.verdicts.collecting import Collected
from viewer.verdicts.judging import Wish
from viewer.verdicts.known import Compared
from viewer.verdicts.results import Run, SceneResult, State, counts_of

#: The exit code of each state of a scene; of several, the first in this order is that of the run.
CODES: tuple[tuple[State, int], ...] = (("bug", 70), ("mistake", 2), ("broken", 10))

NOTHING_TESTED = 4


def made_run(
    compared: Compared,
    collected: Collected,
    wish: Wish,
    *,
    strict: bool = False,
    shard: str | None = None,
) -> Run:
    """Return the record of a run.

    Parameters
    ----------
    compared : Compared
        What came of each scene, and beside what is known.
    collected : Collected
        What the words of the command line named.
    wish : Wish
        How they were tested.
    strict : bool
        Whether all of every scene must be tested, and every scene promise something.
    shard : str, optional
        Which share of them it was.
    """
    scenes, gone = compared.scenes, compared.gone
    empty = [f"{folder}: there is no scene in this folder" for folder in collected.empty]
    if shard is not None and collected.sources and not scenes:
        empty.append(f"share {shard} is empty: there are no more scenes than {len(collected.sources)}")
    if shard is None:  # in another share there may be one
        empty += [f"--only {pattern}: no promise of any scene is called so" for pattern in _unmatched(scenes, wish)]
    return Run(
        exit_code=exit_code(scenes, strict=strict, empty=bool(empty)),
        tolerance=wish.tolerance,
        strict=strict,
        only=wish.only,
        shard=shard,
        counts=counts_of(scenes, len(gone), collected.other_files),
        scenes=scenes,
        gone=gone,
        untested=tuple(empty),
        notes=compared.notes,
    )


def _unmatched(scenes: Iterable[SceneResult], wish: Wish) -> list[str]:
    """Return what of several patterns fits nothing; that of a single one is said of each scene."""
    tested = [scene for scene in scenes if scene.state not in ("mistake", "bug")]
    if len(wish.only) < 2 or not tested:
        return []
    return [pattern for pattern in wish.only if all(pattern in scene.unmatched for scene in tested)]


def exit_code(scenes: Iterable[SceneResult], *, strict: bool = False, empty: bool = False) -> int:
    """Return the exit code of a run.

    Parameters
    ----------
    scenes : iterable of SceneResult
        What came of each.
    strict : bool
        Whether all of every scene must be tested, and every scene promise something.
    empty : bool
        Whether something was named in which there is no scene.

    Examples
    --------
    >>> silent = SceneResult(path="a.toml", state="nothing")
    >>> exit_code([silent]), exit_code([silent, SceneResult(path="b.toml", state="mistake")])
    (4, 2)
    """
    scenes = tuple(scenes)
    states = {scene.state for scene in scenes}
    for state, code in CODES:
        if state in states:
            return code
    untested = empty or not any(scene.promises for scene in scenes)
    missing = any(scene.left_out or not scene.promises for scene in scenes)
    return NOTHING_TESTED if untested or (strict and missing) else 0
