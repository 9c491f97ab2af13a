"""Which shape of a scene is which of a later one, after some were renamed, taken out or put in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import groupby

from collision.files.writing import shape_lines
from collision.scene.scene import Scene


def followed(before: Scene, after: Scene) -> dict[str, str]:
    """Return the new names of the shapes that are still there.

    Which new name is that of a shape that was renamed is not written anywhere: it is taken for the shape that is the
    same to the last bit, or else for the one of its kind that stands between the same neighbours.
    """
    names = {name: name for name in before.shapes if name in after.shapes}
    if len(names) < len(before.shapes):
        _follow_values(before, after, names)
    gaps = [
        {key or "": list(group) for key, group in groupby(_last_kept(scene, kept), key=lambda pair: pair[0])}
        for scene, kept in ((before, names), (after, {new: new for new in names.values()}))
    ]
    for kept, gone in gaps[0].items():
        for (_, old), (_, new) in zip(gone, gaps[1].get(kept, []), strict=False):
            if type(before.shapes[old]) is type(after.shapes[new]):
                names[old] = new
    return names


def _follow_values(before: Scene, after: Scene, names: dict[str, str]) -> None:
    """Find shapes that are the same under another name, also under that of one that is gone."""
    old, new = ({name: tuple(shape_lines("", s)) for name, s in scene.shapes.items()} for scene in (before, after))
    values = set(new.values())
    free: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in reversed(new):
        if name not in old or (old[name] != new[name] and old[name] not in values):
            free[new[name]].append(name)
    for name in old:
        if name not in new and free[old[name]]:
            found = free[old[name]].pop()
            names.pop(found, None)
            names[name] = found


def _last_kept(scene: Scene, names: Mapping[str, str]) -> Iterator[tuple[str | None, str]]:
    """Yield each shape that is not followed, after the new name of the last one before it that is."""
    last = None
    for name in scene.shapes:
        if name in names:
            last = names[name]
        else:
            yield last, name
