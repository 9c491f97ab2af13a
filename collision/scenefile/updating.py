"""From the text of a scene file and another scene to the text of that one, with everything kept that did not change.

The text is cut into blocks, one for each header with the comments right above it. Blocks of shapes that are gone are
left out, those of renamed ones get another header, new ones are put in; and inside a block, tomlkit changes the keys
whose values are others. What comes of it is read again: if it is not the scene, to the last bit, the scene is written
anew, since keeping what it holds comes before keeping what it looks like.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import tomlkit
from tomlkit.exceptions import TOMLKitError

from collision.scene import Scene
from collision.scenefile.errors import SceneFileError
from collision.scenefile.reading import parse_scene
from collision.scenefile.toml import Path, dotted, key_lines
from collision.scenefile.writing import camera_lines, dump_scene, motion_lines, shape_lines, show_lines
from collision.shapes import Shape


def updated_text(text: str, scene: Scene) -> str:
    """Return the text of a scene file, changed so that it holds another scene.

    Comments, the order and the layout stay. Only keys whose values are others are rewritten; shapes that are gone, new
    or renamed have their tables taken out, put in or renamed. A shape that is given in a form of its own (a capsule by
    axis and height, anything with a transform) is written by what is stored of it once it has changed. Where that
    cannot be done, such as for shapes in another order, all of it is written anew.

    Parameters
    ----------
    text : str
        The file as it is.
    scene : Scene
        What the text is to hold; what is hidden in it is written like everything else.

    Returns
    -------
    str
        A text that reads back as this scene, to the last bit.

    Raises
    ------
    SceneFileError
        If a number is not finite, which no file holds.

    Examples
    --------
    >>> from collision.scenefile import parse_scene
    >>> text = '''[shapes.ball]   # round
    ... kind = "sphere"
    ... center = [0, 0, 1]   # on the floor
    ... radius = 1'''
    >>> print(updated_text(text, parse_scene(text).moved("ball", [0, 0.5, 0]).renamed("ball", "big ball")))
    [shapes."big ball"]   # round
    kind = "sphere"
    center = [0, 0.5, 1]   # on the floor
    radius = 1
    """
    if "\n" in text and text.count("\r\n") == text.count("\n"):
        return updated_text(text.replace("\r\n", "\n"), scene).replace("\n", "\r\n")
    anew = dump_scene(scene)
    try:
        before = parse_scene(text)
        if dump_scene(before) == anew:
            return text
        kept = _Update(text, before, scene).text()
        return kept if dump_scene(parse_scene(kept)) == anew else anew
    except (SceneFileError, TOMLKitError, _Unclear):
        return anew


class _Unclear(Exception):  # noqa: N818 (nobody is told of it)
    """The text says it in a way that is not changed piece by piece."""


class _Block(NamedTuple):
    """A header, with the comments right above it, and what follows up to the next one; where the header leads.

    The text before the first header leads nowhere.
    """

    path: Path
    text: str


def _blocks(text: str) -> Iterator[_Block]:
    data, lines = tomllib.loads(text), text.split("\n")
    starts: dict[int, Path] = {}
    for path, number in key_lines(text).items():
        if lines[number - 1].lstrip().startswith("[") and isinstance(_value(data, path), dict):
            first = number - 1
            while first and lines[first - 1].lstrip().startswith("#"):
                first -= 1
            # Comments at the very top are about the file, not about what happens to come first.
            starts[first or number - 1] = path
    if 0 in starts:
        yield _Block((), "")
    starts.setdefault(0, ())
    ends = [*sorted(starts)[1:], len(lines)]
    for first, end in zip(sorted(starts), ends, strict=True):
        yield _Block(starts[first], "\n".join(lines[first:end]) + ("\n" if end < len(lines) else ""))


def _value(data: Any, path: Path) -> Any:
    for part in path:
        data = data[part]
    return data


class _Update:
    """The blocks of a text, which are changed from one scene to another."""

    def __init__(self, text: str, before: Scene, after: Scene) -> None:
        self.before, self.after = before, after
        self.blocks = list(_blocks(text))

    def text(self) -> str:
        """Return the text of the other scene."""
        self._update_head()
        self._update_camera()
        self._update_shapes()
        scenes = (self.before, self.after)
        self._update_list("show", *([_keys(show_lines(one)) for one in scene.shows] for scene in scenes))
        self._update_list("motion", *([_keys(motion_lines(one)) for one in scene.motion] for scene in scenes))
        return "".join(block.text for block in self.blocks)

    def _update_head(self) -> None:
        """Change the title, the caption and the pairs to ignore."""
        wanted = {name: getattr(self.after, name) for name in ("title", "caption")}
        wanted = {name: text for name, text in wanted.items() if text != getattr(self.before, name)}
        old, new = ([list(pair) for pair in scene.ignored] for scene in (self.before, self.after))

        def change(head: Any) -> None:
            head.update(wanted)
            if old != new:
                _change_items(head.setdefault("ignore", []), old, new)

        if wanted or old != new:
            self._edit(0, change)

    def _update_camera(self) -> None:
        old, new = (list(camera_lines(s.camera)) if s.camera else [] for s in (self.before, self.after))
        if old != new:
            place = min(self._of("camera"), default=1)
            self._take_out(self._of("camera"))
            self._put_in(place, ("camera",), "[camera]", new)

    # -- shapes -------------------------------------------------------------------------------------------------------

    def _update_shapes(self) -> None:
        names = _followed(self.before, self.after)
        for old, shape in self.before.shapes.items():
            if old not in names:
                self._remove_shape(old)
                continue
            changed = self.after.shapes[names[old]]
            if list(shape_lines(old, shape)) != list(shape_lines(old, changed)):
                self._change_shape(old, changed)
        self._rename_shapes({old: new for old, new in names.items() if new != old})
        place = max(self._of("shapes"), default=len(self.blocks) - 1)
        for name, shape in self.after.shapes.items():
            if name not in names.values():
                self._put_in(place + 1, ("shapes", name), f"[{dotted(('shapes', name))}]", shape_lines(name, shape))
            place = max(self._of("shapes", name), default=place)

    def _remove_shape(self, name: str) -> None:
        own = self._of("shapes", name)
        if own:
            self._take_out(own)
        else:
            self._edit(self._holder(), lambda document: document["shapes"].remove(name))

    def _change_shape(self, name: str, shape: Shape) -> None:
        """Change the keys of a shape whose values are others; if that will not do, all of them."""
        own = self._of("shapes", name) or [self._holder()]
        text = "".join(self.blocks[number].text for number in own)
        old, new = (_keys(shape_lines(name, one)) for one in (self.before.shapes[name], shape))
        for change in (_change_keys, _change_form):
            changed = _edited(text, partial(_in_shape, name, change, old, new))
            if _reads_as(changed, name, new):
                self.blocks[own[0]] = _Block(self.blocks[own[0]].path, changed)
                self._take_out(own[1:])
                return
        raise _Unclear

    def _rename_shapes(self, names: Mapping[str, str]) -> None:
        if not all(self._of("shapes", old) for old in names):
            raise _Unclear
        for number, (path, text) in enumerate(self.blocks):
            if path[:1] == ("shapes",) and path[1:2] and path[1] in names:
                renamed = ("shapes", names[str(path[1])], *path[2:])
                self.blocks[number] = _Block(renamed, _with_header(text, dotted(renamed)))

    def _holder(self) -> int:
        """Return the block that holds the shapes that have none of their own."""
        holders = self._of("shapes")
        if not holders or self.blocks[holders[0]].path != ("shapes",):
            raise _Unclear
        return holders[0]

    # -- lists of tables ----------------------------------------------------------------------------------------------

    def _update_list(self, key: str, old: list[dict[str, str]], new: list[dict[str, str]]) -> None:
        if old == new:
            return
        places = [self._of(key, number) for number in range(len(old))]
        if not all(places):
            raise _Unclear
        end = max(places[-1]) + 1 if places else len(self.blocks)
        for first, last, start, stop in _differences(old, new):
            both = min(last - first, stop - start)
            for was, now in zip(range(first, first + both), range(start, start + both), strict=True):
                self._edit(places[was][0], partial(_in_list, key, old[was], new[now]))
            place = places[first + both][0] if first + both < len(places) else end
            self._take_out([number for own in places[first + both : last] for number in own])
            for now in reversed(range(start + both, stop)):
                self._put_in(place, (key, now), f"[[{key}]]", [f"{k} = {v}" for k, v in new[now].items()])

    # -- blocks -------------------------------------------------------------------------------------------------------

    def _of(self, *path: str | int) -> list[int]:
        """Return the numbers of the blocks that are about something."""
        return [number for number, block in enumerate(self.blocks) if block.path[: len(path)] == path]

    def _edit(self, number: int, change: Callable[[Any], object]) -> None:
        path, text = self.blocks[number]
        self.blocks[number] = _Block(path, _edited(text, change))

    def _take_out(self, numbers: Iterable[int]) -> None:
        for number in sorted(numbers, reverse=True):
            del self.blocks[number]

    def _put_in(self, place: int, path: Path, header: str, lines: Iterable[str]) -> None:
        """Put in a block, with an empty line before and after it, where there is something."""
        lines = list(lines)
        if not lines:
            return
        if place:
            path_before, before = self.blocks[place - 1]
            gap = "\n" * (not before.endswith("\n")) + "\n" * (not _ends_empty(before))
            self.blocks[place - 1] = _Block(path_before, before + gap if before.strip() else before)
        text = "\n".join([header, *lines, *([""] if place < len(self.blocks) else []), ""])
        self.blocks.insert(place, _Block(path, text))


def _ends_empty(text: str) -> bool:
    return not text.strip() or bool(re.search(r"\n[ \t\r]*\n$", text))


# -- names -------------------------------------------------------------------------------------------------------------


def _followed(before: Scene, after: Scene) -> dict[str, str]:
    """Return the new names of the shapes that are still there.

    Which new name is that of a shape that was renamed is not written anywhere: it is taken for the shape that stands
    between the same neighbours.
    """
    names = {name: name for name in before.shapes if name in after.shapes}
    gaps = [
        {key or "": list(group) for key, group in groupby(_last_kept(scene, names), key=lambda pair: pair[0])}
        for scene in (before, after)
    ]
    for kept, gone in gaps[0].items():
        for (_, old), (_, new) in zip(gone, gaps[1].get(kept, []), strict=False):
            if type(before.shapes[old]) is type(after.shapes[new]):
                names[old] = new
    return {name: names[name] for name in before.shapes if name in names}


def _last_kept(scene: Scene, names: Mapping[str, str]) -> Iterator[tuple[str | None, str]]:
    """Yield each shape that is only in one of two scenes, after the last one before it that is in both."""
    last = None
    for name in scene.shapes:
        if name in names:
            last = name
        else:
            yield last, name


# -- inside of a block -------------------------------------------------------------------------------------------------


def _keys(lines: Iterable[str]) -> dict[str, str]:
    """Return the keys of a table, and their values as they are written."""
    return {key: value for key, _, value in (line.partition(" = ") for line in lines)}


def _edited(text: str, change: Callable[[Any], object]) -> str:
    """Return a block after a change to what it holds; the empty lines and comments at its end stay there."""
    lines = text.split("\n")
    end = len(lines)
    while end and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    body, tail = "\n".join(lines[:end]), "\n".join(lines[end:])
    document = tomlkit.parse(body + "\n")
    change(document)
    changed = tomlkit.dumps(document)
    if not body:  # nothing but comments: they stay in front
        return f"{tail}{changed}\n" if tail.endswith("\n") or not tail else f"{tail}\n{changed}\n"
    return changed + tail if end < len(lines) else changed.removesuffix("\n")


def _in_shape(name: str, change: Callable[..., None], old: object, new: object, document: Any) -> None:
    change(document["shapes"][name], old, new)


def _in_list(key: str, old: Mapping[str, str], new: Mapping[str, str], document: Any) -> None:
    _change_keys(document[key][0], old, new)


def _reads_as(text: str, name: str, keys: Mapping[str, str]) -> bool:
    """Tell whether a shape in a block is one of these keys, to the last bit."""
    shapes = tomlkit.parse(text).unwrap()["shapes"]
    try:
        made = parse_scene(tomlkit.dumps({"shapes": shapes})).shapes[name]
    except SceneFileError:  # the keys of one form amid those of another
        return False
    return _keys(shape_lines(name, made)) == keys


def _with_header(text: str, path: str) -> str:
    """Return a block with its header leading elsewhere."""
    header = re.compile(r"^([ \t]*\[)(?:\"(?:\\.|[^\"\\])*\"|'[^']*'|[^\]\"'])*(\])", re.MULTILINE)
    return header.sub(lambda match: match[1] + path + match[2], text, count=1)


def _change_keys(table: Any, old: Mapping[str, str], new: Mapping[str, str]) -> None:
    """Change the keys of a table whose values are others."""
    for key in old.keys() - new.keys():
        table.pop(key, None)
    for key, text in new.items():
        if old.get(key) == text:
            continue
        value = tomlkit.value(text)
        if key == "axes":
            table.pop("rotation", None)
        if key == "half_extents" and "size" in table:
            key, value = "size", tomlkit.item(np.multiply(2.0, value.unwrap()).tolist())
        if key in table:
            _change_value(table, key, value)
        else:
            table.add(key, value)


def _change_form(table: Any, _: Mapping[str, str], new: Mapping[str, str]) -> None:
    """Write a table anew, with the keys that are stored."""
    for key in set(table) - new.keys():
        table.remove(key)
    _change_keys(table, {}, new)


def _change_value(holder: Any, key: str | int, value: Any) -> None:
    """Change a value, or of a list those of its items that are others."""
    old = holder[key]
    plain_old, plain = old.unwrap(), value.unwrap() if hasattr(value, "unwrap") else value
    if isinstance(plain_old, list) and isinstance(plain, list) and len(plain_old) == len(plain):
        for index, item in enumerate(plain):
            _change_value(old, index, item)
    elif isinstance(plain, str | dict | list) or not isinstance(plain_old, int | float) or not _equal(plain_old, plain):
        holder[key] = value


def _equal(old: float, new: float) -> bool:
    """Tell whether two numbers are the same float, to the last bit."""
    return float(old).hex() == float(new).hex()


def _change_items(items: Any, old: list[Any], new: list[Any]) -> None:
    for first, last, start, stop in _differences(old, new):
        both = min(last - first, stop - start)
        for was, now in zip(range(first, first + both), range(start, start + both), strict=True):
            _change_value(items, was, new[now])
        for was in reversed(range(first + both, last)):
            del items[was]
        for now in range(start + both, stop):
            items.insert(first + now - start, new[now])


def _differences(old: list[Any], new: list[Any]) -> list[tuple[int, int, int, int]]:
    """Return which pieces of one list are which pieces of another, where they differ, the last first."""
    numbers: dict[str, int] = {}
    was, now = ([numbers.setdefault(repr(item), len(numbers)) for item in items] for items in (old, new))
    codes = SequenceMatcher(None, was, now, autojunk=False).get_opcodes()
    return [(i, j, k, m) for tag, i, j, k, m in reversed(codes) if tag != "equal"]
