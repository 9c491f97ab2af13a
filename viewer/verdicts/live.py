"""What makes the pictures of a report live: the page's code, the scenes that were judged, and how each opens.

A scene is the one whose text came with its verdicts; nothing of it is run again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from collision import Scene
from viewer.page.export import LONGEST, packed_text, page_facts, script, to_text
from viewer.page.facts import rows_of
from viewer.records.drawables import Arrow, Ghost, Label, Marker, Stroke
from viewer.records.protocol import to_json
from viewer.records.theme import DARK, LIGHT
from viewer.verdicts.before_after import DrawnScene
from viewer.verdicts.pictures import PlannedPicture, promised_marks
from viewer.verdicts.results import PromiseResult, SceneResult


def live_script() -> str:
    """Return the code that all live pictures of a report share, packed."""
    return packed_text(script() + (Path(__file__).parent / "live.mjs").read_text(encoding="utf-8"))


def with_live_pictures(result: SceneResult, scene: Scene, plans: Mapping[str, PlannedPicture]) -> SceneResult:
    """Return a result whose pictures can be made live; `still` says why, where they cannot.

    Parameters
    ----------
    result : SceneResult
        With pictures.
    scene : Scene
        The one that was judged.
    plans : mapping of str to PlannedPicture
        How the picture of each broken promise is drawn, by its id.
    """
    found = (promise.time for promise in result.promises if promise.id in plans)
    times = tuple({time for time in found if time is not None})
    pages: dict[int, str] = {}
    promises = []
    for promise in result.promises:
        if promise.id in plans and promise.image:
            plan = plans[promise.id]
            # A point that a promise names is no shape of the scene: such a picture has a scene of its own.
            own = scene if len(plan.shown.actual.scene.shapes) == len(scene.shapes) else plan.shown.actual.scene
            if id(own) not in pages:
                pages[id(own)] = _page(own, plan, result.path, times)
            if len(pages[id(own)]) > LONGEST:
                why = f"The scene is too large to be live in a report: {scene.element_count:,} shapes."
                return result.model_copy(update={"still": why})
            promise = promise.model_copy(update={"live": _opening(plan, promise, list(pages).index(id(own)))})
        promises.append(promise)
    return result.with_promises(promises).model_copy(update={"pages": tuple(pages.values())})


def _page(scene: Scene, plan: PlannedPicture, path: str, times: tuple[float, ...]) -> str:
    facts = page_facts(
        scene.replaced(shows=(), caption=""), plan.camera, plan.size, {"light": LIGHT, "dark": DARK}, times=times
    )
    return packed_text(to_text({**facts, "title": scene.title or Path(path).name}))


def _opening(plan: PlannedPicture, promise: PromiseResult, page: int) -> str:
    """Return how a live picture opens, as JSON: from where, when, which two, and what is to be seen in each half."""
    actual = plan.shown.actual.scene
    names = (plan.shown.names if plan.halves[-1].closeup else ())[:2]
    opening = {
        "page": page,
        "camera": asdict(plan.camera),
        "aspect": plan.viewport.aspect,
        "time": promise.time,
        "pair": [int(actual.element_numbers(name)[0]) for name in names],
        "halves": [
            {"rows": _other_rows(half.scene, actual), "shows": [_marks(half, plan, fixed=half is not plan.halves[-1])]}
            for half in plan.halves
        ],
    }
    return json.dumps(opening, separators=(",", ":"), allow_nan=False)


def _other_rows(scene: Scene, actual: Scene) -> list[list[Any]]:
    """Return the elements that have other numbers in one scene than in another, with those numbers."""
    rows = []
    for (elements, shape), (_, other) in zip(scene.groups, actual.groups, strict=True):
        now, then = rows_of(shape), rows_of(other)
        rows += [[int(elements[row]), now[row].tolist()] for row in np.flatnonzero((now != then).any(axis=1))]
    return rows


def _marks(half: DrawnScene, plan: PlannedPicture, *, fixed: bool) -> dict[str, Any]:
    """Return what is drawn over a half: it is left out once one of its shapes is changed, unless it is fixed."""
    marks = [*half.marks, *promised_marks(half, plan.viewport)]
    known = [mark for mark in marks if isinstance(mark, Arrow | Ghost | Label | Marker | Stroke)]
    names = [] if fixed else list(plan.shown.names)
    return {"names": names, "query": "", "label": "", "records": json.loads(to_json(known))["records"]}
