"""From the text of a scene file and another scene to the text of that one, with everything kept that did not change.

The text is cut into blocks, one for each header with the comments right above it. Blocks of shapes that are gone are
left out, those of renamed ones get another header, new ones are put in, all in the order of the scene; and inside a
block, tomlkit changes the keys whose values are others. What comes of it is read again: if it is not the scene, to the
last bit, the scene is written anew, since keeping what it holds comes before keeping what it looks like.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable, Table

from collision.files.blocks import Block, closed, cut, edited, fresh, joined, parted, with_header
from collision.files.errors import SceneFileError
from collision.files.follow import followed
from collision.files.keys import change_items, change_keys, differences, keys_of, reads_as, rewritten
from collision.files.reading import parse_scene
from collision.files.toml import Path, dotted, inline, key_text
from collision.files.writing import (
    camera_lines,
    dump_scene,
    expect_lines,
    group_lines,
    group_values,
    motion_lines,
    shape_lines,
    show_lines,
)
from collision.scene.scene import Scene
from collision.shapes.kinds import Shape


def updated_text(text: str, scene: Scene, remembered: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the text of a scene file, changed so that it holds another scene.

    Comments, the order and the layout stay. Only keys whose values are others are rewritten; shapes that are gone, new
    or renamed have their tables taken out, put in or renamed. A shape that is given in a form of its own (a capsule by
    axis and height, anything with a transform) keeps it where another place or another size say what has changed, to
    the last bit; otherwise it is written by what is stored of it. Where that cannot be done, all of it is written anew,
    below the comments at the top.

    Parameters
    ----------
    text : str
        The file as it is.
    scene : Scene
        What the text is to hold; what is hidden in it is written like everything else.
    remembered : mapping of str to str
        What `tables_of` returned of an earlier text: shapes that are new, and of the kind that they are there, are
        written so, with other values where these differ.

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
    if text.startswith("\ufeff"):
        return "\ufeff" + updated_text(text[1:], scene, remembered)
    if "\n" in text and text.count("\r\n") == text.count("\n"):
        return updated_text(text.replace("\r\n", "\n"), scene, remembered).replace("\n", "\r\n")
    anew = dump_scene(scene)
    try:
        before = parse_scene(text)
    except SceneFileError:
        return anew
    if dump_scene(before) == anew:
        return text
    for anyway in (False, True):
        try:
            source = _in_tables(text, before) if anyway else text
            kept = _Update(source, parse_scene(source) if anyway else before, scene, remembered).text()
            if kept.endswith("\n\n") and not text.endswith("\n\n"):
                kept = kept.rstrip("\n") + "\n"
            if dump_scene(parse_scene(kept)) == anew:
                return kept
        except (SceneFileError, TOMLKitError, _Unclear):
            continue
    opening = re.match(r"(?:[ \t]*(?:#[^\n]*)?\n)*", text)
    return f"{opening[0].strip()}\n\n{anew}".lstrip("\n") if opening else anew


def tables_of(text: str, names: Iterable[str]) -> dict[str, str]:
    r"""Return how some shapes are written in the text of a scene file, those that have tables of their own.

    Examples
    --------
    >>> print(tables_of("# top\n\n# mine\n[shapes.a]\nradius = 1 # one\n\n[camera]", ["a", "b"])["a"].rstrip())
    # mine
    [shapes.a]
    radius = 1 # one
    """
    wanted, found = set(names), dict[str, str]()
    for path, block in cut(text.removeprefix("\ufeff").replace("\r\n", "\n")):
        if path[:1] == ("shapes",) and wanted.intersection(path[1:2]):
            name = str(path[1])
            found[name] = found.get(name, "") + parted(block)[0]
    return found


class _Unclear(Exception):  # noqa: N818 (it never leaves this module)
    """The text says it in a way that is not changed piece by piece."""


class _Update:
    """The blocks of a text, which are changed from one scene to another."""

    def __init__(self, text: str, before: Scene, after: Scene, remembered: Mapping[str, str]) -> None:
        self.before, self.after, self.remembered = before, after, remembered
        self.blocks = list(cut(text))

    def text(self) -> str:
        """Return the text of the other scene."""
        self._update_head()
        self._update_camera()
        self._update_shapes()
        scenes = (self.before, self.after)
        self._update_list("show", *([keys_of(show_lines(one)) for one in scene.shows] for scene in scenes))
        self._update_list("motion", *([keys_of(motion_lines(one)) for one in scene.motion] for scene in scenes))
        self._update_groups()
        self._update_list("expect", *([keys_of(expect_lines(one)) for one in scene.expectations] for scene in scenes))
        return joined(self.blocks)

    def _update_head(self) -> None:
        """Change the title, the caption, the pairs to ignore, and whether the scene is open."""
        wanted = {name: getattr(self.after, name) for name in ("title", "caption")}
        wanted = {name: text for name, text in wanted.items() if text != getattr(self.before, name)}
        old, new = ([list(pair) for pair in scene.ignored] for scene in (self.before, self.after))

        def change(head: Any) -> None:
            head.update(wanted)
            if old != new:
                change_items(head.setdefault("ignore", []), old, new)
            if opened:
                head["open"] = self.after.open

        opened = self.after.open != self.before.open
        if wanted or old != new or opened:
            self._edit(0, change)

    def _update_camera(self) -> None:
        old, new = (keys_of(camera_lines(s.camera)) if s.camera else {} for s in (self.before, self.after))
        own = self._of("camera")
        if old and new and own:
            self._edit(own[0], lambda document: change_keys(document["camera"], old, new))
        elif old != new:
            place = min(own, default=1)
            self._take_out(own)
            if new:
                self._put_in(place, fresh(("camera",), "[camera]", [f"{k} = {v}" for k, v in new.items()]))

    def _update_groups(self) -> None:
        """Change groups that all stand in one table."""
        old, new = (group_values(scene.name_groups) for scene in (self.before, self.after))
        if old == new:
            return
        own = self._of("groups")
        if not own and not old:
            place = min(self._of("expect"), default=len(self.blocks))
            self._put_in(place, fresh(("groups",), "[groups]", group_lines(self.after.name_groups)))
        elif own and not new:
            self._take_out(own)
        elif len(own) == 1:
            self._edit(own[0], lambda document: change_keys(document["groups"], old, new))
        else:
            raise _Unclear

    # -- shapes -------------------------------------------------------------------------------------------------------

    def _update_shapes(self) -> None:
        names = followed(self.before, self.after)
        own = self._by_part("shapes")
        gone: list[int] = []
        for old, shape in self.before.shapes.items():
            new = names.get(old)
            if new is None:
                if not own[old]:
                    self._edit(self._holder(), partial(_without_shape, old))
                gone += own[old]
                continue
            self._rename_shape(old, new, own[old])
            was, now = (keys_of(shape_lines(new, one)) for one in (shape, self.after.shapes[new]))
            if was != now:
                gone += self._change_shape(new, was, now, own[old])
        if not self.before.shapes:  # a bare header was there to say that there are none
            texts = {number: parted(self.blocks[number].text)[0] for number in self._of("shapes")}
            gone += [number for number, text in texts.items() if text.strip() == "[shapes]"]
        self._take_out(gone)
        self._reorder()
        self._add_shapes(self.after.shapes.keys() - names.values())
        if not self.after.shapes and "shapes" not in tomllib.loads(joined(self.blocks)):
            self._put_in(self._behind_head(), fresh(("shapes",), "[shapes]", []))

    def _rename_shape(self, old: str, new: str, own: list[int]) -> None:
        if old == new:
            return
        if not own:
            raise _Unclear
        for number in own:
            path, text = self.blocks[number]
            renamed: Path = ("shapes", new, *path[2:])
            self.blocks[number] = Block(renamed, with_header(text, dotted(renamed)))

    def _change_shape(self, name: str, old: Mapping[str, str], new: Mapping[str, str], own: list[int]) -> list[int]:
        """Change the keys of a shape whose values are others; if that will not do, all of them.

        Its first block then has all of them; the others are empty, and returned.
        """
        own = own or [self._holder()]
        text = rewritten(joined(self.blocks[number] for number in own), name, old, new)
        if text is None:
            raise _Unclear
        self.blocks[own[0]] = Block(self.blocks[own[0]].path, text)
        for number in own[1:]:
            self.blocks[number] = Block((), "")
        return own[1:]

    def _holder(self) -> int:
        """Return the block that holds the shapes that have none of their own."""
        holders = self._of("shapes")
        if not holders or self.blocks[holders[0]].path != ("shapes",):
            raise _Unclear
        return holders[0]

    def _reorder(self) -> None:
        """Put the tables of shapes in the order of the scene: each place gets the shape whose turn it is."""
        tables: dict[str, list[Block]] = defaultdict(list)
        for block in self.blocks:
            if name := _shape_of(block):
                tables[name].append(block)
        wanted = [name for name in self.after.shapes if name in tables]
        if wanted == list(tables):
            return
        turns, seen = iter(wanted), set[str]()
        blocks, self.blocks = self.blocks, []
        for block in blocks:
            place = _shape_of(block)
            if place is None:
                self.blocks.append(block)
            elif place not in seen:
                seen.add(place)
                self.blocks += map(closed, tables[next(turns)])

    def _add_shapes(self, new: set[str]) -> None:
        """Put in the tables of new shapes, each behind the one that it follows in the scene."""
        names = [_shape_of(block) for block in self.blocks]
        behind: dict[str | None, list[Block]] = defaultdict(list)
        last, known = None, set(names)
        for name, shape in self.after.shapes.items():
            if name in new:
                behind[last].append(self._new_shape(name, shape))
            elif name in known:
                last = name
        first = next((number for number, name in enumerate(names) if name is not None), self._behind_head())
        blocks, self.blocks = self.blocks, []
        for number, block in enumerate(blocks):
            if number == first:
                self._append(behind.pop(None, []))
            self.blocks.append(block)
            if names[number] and names[number + 1 : number + 2] != [names[number]] and names[number] in behind:
                # What stands by itself behind a shape may be about those that follow, old ones all of them.
                own, rest = parted(block.text)
                self.blocks[-1] = Block(block.path, own)
                self._append([*behind.pop(names[number]), Block((), rest)])
        self._append(behind.pop(None, []))

    def _new_shape(self, name: str, shape: Shape) -> Block:
        lines = list(shape_lines(name, shape))
        new, text, path = keys_of(lines), self.remembered.get(name), ("shapes", name)
        if text is not None and not reads_as(text, name, new):
            same_kind = inline(tomllib.loads(text)["shapes"][name]["kind"]) == new["kind"]
            text = rewritten(text, name, {}, new) if same_kind else None
        return fresh(path, f"[{dotted(path)}]", lines) if text is None else closed(Block(path, text))

    def _behind_head(self) -> int:
        """Return the first place for tables of shapes."""
        heads = [number for number, block in enumerate(self.blocks) if block.path in (("camera",), ("shapes",))]
        return max(heads, default=0) + 1

    # -- lists of tables ----------------------------------------------------------------------------------------------

    def _update_list(self, key: str, old: list[dict[str, str]], new: list[dict[str, str]]) -> None:
        if old == new:
            return
        own = self._by_part(key)
        places = [own[number] for number in range(len(old))]
        if not all(places):  # one value in the head
            self._edit(0, lambda document: document.remove(key))
            old, places = [], []
        end = max(places[-1]) + 1 if places else len(self.blocks)
        for first, last, start, stop in differences(old, new):
            both = min(last - first, stop - start)
            for was, now in zip(range(first, first + both), range(start, start + both), strict=True):
                self._edit(places[was][0], partial(_in_list, key, old[was], new[now]))
            place = places[first + both][0] if first + both < len(places) else end
            self._take_out([number for own in places[first + both : last] for number in own])
            for now in reversed(range(start + both, stop)):
                lines = [f"{k} = {v}" for k, v in new[now].items()]
                self._put_in(place, fresh((key, now), f"[[{key}]]", lines))

    # -- blocks -------------------------------------------------------------------------------------------------------

    def _of(self, *path: str | int) -> list[int]:
        """Return the numbers of the blocks that are about something."""
        return [number for number, block in enumerate(self.blocks) if block.path[: len(path)] == path]

    def _by_part(self, key: str) -> dict[str | int, list[int]]:
        """Return the numbers of the blocks that are about each part of a table, or about each of a list."""
        found: dict[str | int, list[int]] = defaultdict(list)
        for number, block in enumerate(self.blocks):
            if block.path[:1] == (key,) and len(block.path) > 1:
                found[block.path[1]].append(number)
        return found

    def _edit(self, number: int, change: Callable[[Any], object]) -> None:
        path, text = self.blocks[number]
        self.blocks[number] = Block(path, edited(text, change))

    def _take_out(self, numbers: Iterable[int]) -> None:
        """Take blocks out, but for the comments behind them that stand by themselves."""
        for number in sorted(numbers, reverse=True):
            rest = parted(self.blocks[number].text)[1]
            self.blocks[number : number + 1] = [Block((), rest)] if rest else []
            if rest:
                self.blocks[number - 1] = closed(self.blocks[number - 1])

    def _put_in(self, place: int, block: Block) -> None:
        """Put in a block, with an empty line before it, where there is something."""
        self.blocks[place - 1] = closed(self.blocks[place - 1])
        self.blocks.insert(place, block)

    def _append(self, blocks: list[Block]) -> None:
        if blocks:
            self.blocks[-1] = closed(self.blocks[-1])
            self.blocks += blocks


def _shape_of(block: Block) -> str | None:
    """Return the name of the shape that a block is about."""
    return str(block.path[1]) if block.path[:1] == ("shapes",) and len(block.path) > 1 else None


def _in_tables(text: str, scene: Scene) -> str:
    """Return the text of a scene with a table for each shape that stood in another table, or in the head."""
    blocks = list(cut(text))
    tables = {_shape_of(block) for block in blocks}
    inside = [name for name in scene.shapes if name not in tables]
    comments: dict[str, str] = {}

    def take(document: Any) -> None:
        shapes = document["shapes"]
        found = [name for name in inside if name in shapes]
        if not all(isinstance(one, Table | InlineTable) for one in (shapes, *(shapes[name] for name in found))):
            raise _Unclear  # keys are all over the text
        for name in found:
            comments[name] = shapes[name].trivia.comment
            shapes.remove(name)
        if not shapes and not path:
            document.remove("shapes")

    shapes = tomllib.loads(text)["shapes"]
    for number in range(len(blocks) - 1, -1, -1):
        path, old = blocks[number]
        if path not in ((), ("shapes",)) or "shapes" not in tomllib.loads(old):
            continue
        blocks[number] = closed(Block(path, edited(old, take)))
        for name in reversed([name for name in inside if name in comments]):
            header = f"[{dotted(('shapes', name))}] {comments.pop(name)}".rstrip()
            lines = [f"{key_text(k)} = {inline(value)}" for k, value in shapes[name].items()]
            blocks.insert(number + 1, fresh(("shapes", name), header, lines))
    return joined(blocks)


def _without_shape(name: str, document: Any) -> None:
    document["shapes"].remove(name)


def _in_list(key: str, old: Mapping[str, str], new: Mapping[str, str], document: Any) -> None:
    change_keys(document[key][0], old, new)
