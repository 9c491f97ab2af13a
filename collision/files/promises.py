"""What can be wrong with the promises of a scene file once each of them, by itself, is right."""

from __future__ import annotations

from collections.abc import Iterator

from collision.files.errors import Problem
from collision.files.expects import place_of
from collision.files.schema import SceneTable
from collision.files.toml import Path, inline, key_lines, line_of
from collision.scene.expectations import PAIR_KINDS, Expectation
from collision.scene.name_groups import NameGroup
from collision.scene.promised import Problem as Wrong
from collision.scene.promised import PromisedNames
from collision.scene.scene import Scene
from collision.shapes.motion import span


def groups_of(table: SceneTable) -> dict[str, NameGroup]:
    """Return the groups of a file."""
    return {name: NameGroup(group.include, group.exclude) for name, group in table.groups.items()}


def bad_promises(table: SceneTable, scene: Scene, text: str) -> Iterator[Problem]:
    """Find names in promises and groups that stand for nothing, and promises that nothing could be tested for.

    Parameters
    ----------
    table : SceneTable
        What the file holds.
    scene : Scene
        Its shapes.
    text : str
        The file.
    """
    promises = [entry.expectation for entry in table.expect]
    names = PromisedNames(scene.promised_names.elements, groups_of(table), inline)
    found = list(names.problems(promises))
    if found:
        lines = key_lines(text)
        yield from (_in_file(wrong, promises, lines) for wrong in found)
        return
    if not promises:
        return
    ignoring, times = scene.replaced(ignored=table.ignore), span(tuple(entry.motion for entry in table.motion))
    for number, promise in enumerate(promises):
        if late := _bad_time(promise, times):
            yield Problem(("expect", number, "at" if promise.at is not None else "during"), late)
        elif (
            promise.kind in PAIR_KINDS
            and promise.a
            and (nothing := names.nothing_to_test(promise.a, promise.b, ignoring.tested))
        ):
            yield Problem(("expect", number, promise.kind), nothing)


def _bad_time(promise: Expectation, times: tuple[float, float] | None) -> str:
    given = promise.during or ((promise.at, promise.at) if promise.at is not None else None)
    if given is None:
        return ""
    got = inline(promise.at if promise.at is not None else list(given))
    if times is None:
        return f"the scene has no motion, so that there is no other time than now; got {got}"
    if not times[0] <= given[0] <= given[1] <= times[1]:
        return f"expected a time of the motion, {times[0]:g} to {times[1]:g}, got {got}"
    return ""


def _in_file(wrong: Wrong, promises: list[Expectation], lines: dict[Path, int]) -> Problem:
    """Say in the words of a file what is wrong with the names in promises."""
    match wrong.part:
        case ("name_groups", str(name)):
            return Problem(("groups", name), wrong.words)
        case ("name_groups", str(name), str(part), int(place)):
            inner: Path = (part, place)
            return Problem(("groups", name, *inner), wrong.words)
        case ("expectations", int(number), "id", int(first)):
            line = line_of(("expect", first), lines)
            quoted = inline(promises[number].id)
            text = f"this is another promise with the id {quoted}, as on line {line}; give one of them an id of its own"
            return Problem(("expect", number), text)
        case ("expectations", int(number), str(field)):
            return Problem(("expect", number, *place_of(promises[number], field)), wrong.words)
    raise ValueError(f"there is no such part of a scene: {wrong.part!r}")
