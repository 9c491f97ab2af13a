"""One scene is read and judged; whatever is wrong with it becomes a result, too."""

from __future__ import annotations

import time
import traceback
from typing import NamedTuple

from collision import Expectation, Judgement, Scene, judge
from collision.inner import MOST_LISTED, matcher
from collision.scenefile import SceneFileError, dump_scene, expectation_lines
from viewer.files.loading import AS_IT_IS, Loaded, LoadError, ModelOptions, read, read_text
from viewer.verdicts.collecting import Source, shown
from viewer.verdicts.results import NOTHING_ELSE, FileMistake, LeftOut, SceneResult

#: The id of what robots promise, which promise nothing by themselves.
NO_COLLISION = "no-collision"


class JudgeOptions(NamedTuple):
    """How scenes are judged, and how robot models stand, which promise then that nothing collides."""

    tolerance: float = 0.0
    only: tuple[str, ...] = ()
    most: int = 100
    pictured: bool = False
    model: ModelOptions = AS_IT_IS


def judge_source(source: Source, options: JudgeOptions) -> SceneResult:
    """Return what came of a scene; nothing that is wrong with it is raised."""
    begun = time.perf_counter()
    if source.error:
        return SceneResult(path=source.path, state="mistake", message=f"{source.path}: {source.error}")
    try:
        result = _judged(source, options)
    except LoadError as error:
        result = SceneResult(path=source.path, state="mistake", message=str(error), problems=_mistakes(error))
    except MemoryError as error:
        words = f"{source.path}: out of memory: {str(error) or 'the scene is too large'}"
        result = SceneResult(path=source.path, state="mistake", message=words)
    except Exception:
        result = SceneResult(path=source.path, state="bug", message=traceback.format_exc().rstrip())
    return result.model_copy(update={"seconds": time.perf_counter() - begun})


def _judged(source: Source, options: JudgeOptions) -> SceneResult:
    loaded, text = _read(source, options.model)
    scene = loaded.scene
    if options.model != AS_IT_IS and scene:
        scene = scene.replaced(expectations=[Expectation("apart", "*", "*", id=NO_COLLISION)])
    wanted = _wanted_ids(scene, options.only)
    judgement = judge(scene, tolerance=options.tolerance, only=wanted, most=options.most)
    if wanted is not None:  # a name in an id may have a * of its own, which stands for more
        judgement = Judgement(tuple(one for one in judgement.verdicts if one.id in wanted), judgement.counts)
    path = source.path if source.data is not None else shown(str(loaded.path))
    lines = expectation_lines(text, scene) if text and judgement.verdicts else {}
    more: dict[str, object] = {
        "title": scene.title,
        "message": "" if judgement.verdicts else _silence(scene, options),
        "left_out": tuple(LeftOut(**part._asdict()) for part in loaded.skipped),
        "notes": loaded.notes,
        "again": ("test", path, *options.model.words()),
        "unmatched": tuple(pattern for pattern in options.only if not _wanted_ids(scene, (pattern,))),
    }
    if options.pictured and judgement.broken:
        try:
            more["text"] = dump_scene(scene)
        except SceneFileError as error:
            more["notes"] = (*loaded.notes, f"no picture: {error}")
    return SceneResult.of(path, judgement, lines).model_copy(update=more)


def _read(source: Source, wanted: ModelOptions) -> tuple[Loaded, str | None]:
    """Return a scene, and the text of its file if that is one in which promises have lines."""
    if source.data is None:
        loaded = read(source.path, wanted)
        is_text = loaded.path.suffix.lower() == ".toml" and loaded.scene.expectations
        return loaded, loaded.path.read_text(encoding="utf-8") if is_text else None
    return read_text(source.data, source.path), source.data.decode("utf-8")


def _wanted_ids(scene: Scene, only: tuple[str, ...]) -> list[str] | None:
    """Return the ids of the promises that patterns are about, by id or by a name in them; None for all."""
    if not only:
        return None
    patterns = [matcher(pattern) for pattern in only]
    texts = {one.id: (one.id, *one.names) for one in scene.expectations} | {NOTHING_ELSE: (NOTHING_ELSE,)}
    return [name for name, some in texts.items() if any(p.fullmatch(text) for p in patterns for text in some)]


def _silence(scene: Scene, options: JudgeOptions) -> str:
    """Say why no promise was tested."""
    if options.model != AS_IT_IS and not scene:
        return "has no shapes that could collide"
    if not scene.expectations:
        return "states nothing: it has no promises"
    return f"no promise is called {' or '.join(options.only)}"


def _mistakes(error: LoadError) -> tuple[FileMistake, ...]:
    """Return what is wrong in a scene file, each with its place."""
    cause = error.__cause__
    if not isinstance(cause, SceneFileError):
        return ()
    first, left = cause.problems[:MOST_LISTED], len(cause.problems) - MOST_LISTED
    texts = [str(SceneFileError("", [one._replace(line=None, column=None)])) for one in first]
    listed = [FileMistake(line=one.line, column=one.column, text=text) for one, text in zip(first, texts, strict=True)]
    return (*listed, FileMistake(text=f"... and {left:,} more mistakes")) if left > 0 else tuple(listed)
