"""From the text of a scene file and another scene to the text of that one, with everything kept that did not change.

The text is cut into sections, one for each table with the comments right above it. Inside a section, tomlkit changes
the keys whose values are others. What comes of it is read again: if it is not the scene, the scene is written anew.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import partial
from itertools import pairwise
from operator import methodcaller
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import tomlkit
from pydantic import ValidationError
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable, Table

from collision.base.fields import FloatArray
from collision.files.errors import SceneFileError
from collision.files.models import SHAPE_TABLES, AxisAngle, shape_form
from collision.files.reading import parse_scene
from collision.files.toml import Path, dotted, inline, key_lines, value_at
from collision.files.writing import (
    camera_values,
    dump_scene,
    expectation_values,
    group_values,
    motion_values,
    shape_values,
    show_values,
    table_text,
)
from collision.scene.scene import Scene
from collision.shapes.kinds import Capsule, OrientedBox, Shape


def updated_text(text: str, scene: Scene, remembered: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return the text of a scene file, changed so that it holds another scene, to the last bit.

    Comments, the order and the layout stay; only keys whose values differ are rewritten. A shape in a form of its own
    (a capsule by axis and height, anything with a transform) keeps it where another position or size gives the new
    shape, to the last bit. A box that is turned by an angle about an axis keeps that form, too, where another angle
    gives its axes to rounding: the text then holds the box that this angle gives. A text that cannot be changed in
    parts is written anew, below the comments at its top. A `SceneFileError` is raised if a number is not finite.

    Parameters
    ----------
    text : str
        The file as it is.
    scene : Scene
        What the text is to hold, hidden shapes included.
    remembered : mapping of str to str
        What `tables_of` returned of an earlier text: new shapes with a name and a kind in it are written in that way.

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
    try:
        before = parse_scene(text)
    except SceneFileError:
        return dump_scene(scene)
    scene = _with_angles(scene, before, tomllib.loads(text))
    anew = dump_scene(scene)
    if dump_scene(before) == anew:
        return text
    for own_tables in (False, True):
        try:
            source = _with_own_tables(text, before) if own_tables else text
            kept = _TextUpdate(source, parse_scene(source) if own_tables else before, scene, remembered).text()
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
    found = dict(_sections(text.removeprefix("\ufeff").replace("\r\n", "\n")))
    return {name: _parted(found["shapes", name])[0] for name in names if ("shapes", name) in found}


#: Axes that differ by no more than this are the same to rounding, after some turns one after another.
_SAME_AXES = 16.0 * np.finfo(np.float64).eps


class _Unclear(Exception):  # noqa: N818 (it never leaves this module)
    """The text says it in a way that is not changed piece by piece."""


class _TextUpdate:
    """The sections of a text, which are changed from one scene to another, each about a path, such as `("show", 2)`.

    About ``()`` is what stands before the first header, about ``("",)`` are comments that stand by themselves.
    """

    def __init__(self, text: str, before: Scene, after: Scene, remembered: Mapping[str, str]) -> None:
        self.before, self.after, self.remembered = before, after, remembered
        self.sections = list(_sections(text))

    def text(self) -> str:
        """Return the text of the other scene."""
        before, after = self.before, self.after
        self._update_head()
        camera = [camera_values(scene.camera) if scene.camera else {} for scene in (before, after)]
        self._update_table("camera", 1, *camera)
        self._update_shapes()
        self._update_list("show", *([show_values(one) for one in scene.shows] for scene in (before, after)))
        self._update_list("motion", *([motion_values(one) for one in scene.motion] for scene in (before, after)))
        promises = [[expectation_values(one) for one in scene.expectations] for scene in (before, after)]
        groups = [group_values(scene.name_groups) for scene in (before, after)]
        first = min((n for key, n in self._numbers().items() if key[:1] == ("expect",)), default=len(self.sections))
        self._update_table("groups", first, *groups)
        self._update_list("expect", *promises)
        return self._joined()

    def _update_head(self) -> None:
        """Change the title, the caption, the pairs to ignore, and whether the scene is open."""
        changed = {
            key: value
            for key in ("title", "caption", "ignored", "open")
            if (value := getattr(self.after, key)) != getattr(self.before, key)
        }

        def change(head: Any) -> None:
            if "ignored" in changed:
                old, new = ([list(pair) for pair in scene.ignored] for scene in (self.before, self.after))
                _change_items(head.setdefault("ignore", []), old, new)
            head.update({key: value for key, value in changed.items() if key != "ignored"})

        if changed:
            self._edit(0, (), change)

    def _update_table(self, name: str, at: int, old: Mapping[str, str], new: Mapping[str, str]) -> None:
        """Change the one table of a name; where there was none, a new one goes before a section."""
        if old == new:
            return
        if not old and (name,) not in self._numbers():
            self._put_in(at, (name,), table_text(f"[{name}]", new))
        elif new:
            self._edit(self._number((name,)), (name,), partial(_change_keys, old=old, new=new))
        else:
            self._take_out([self._number((name,))])

    def _update_list(self, name: str, old: list[dict[str, str]], new: list[dict[str, str]]) -> None:
        if old == new:
            return
        known = self._numbers()
        own = [known[name, n] for n in range(len(old)) if (name, n) in known]
        if len(own) < len(old):  # one value in the head
            self._edit(0, (), methodcaller("remove", name))
            old, own = [], []
        end = own[-1] + 1 if own else len(self.sections)
        for changed, gone, added in _differences(old, new):
            for was, now in changed:
                self._edit(own[was], (name, 0), partial(_change_keys, old=old[was], new=new[now]))
            at = own[gone.start] if gone.start < len(own) else end
            self._take_out(own[gone.start : gone.stop])
            for now in reversed(added):
                self._put_in(at, (name, now), table_text(f"[[{name}]]", new[now]))

    # -- shapes --------------------------------------------------------------------------------------------------------

    def _update_shapes(self) -> None:
        names, known, gone = _followed(self.before, self.after), self._numbers(), list[int]()
        for old, shape in self.before.shapes.items():
            new, number = names.get(old), known.get(("shapes", old))
            if new is not None:
                self._update_shape(old, new, shape, number)
            elif number is not None:
                gone.append(number)
            else:
                self._edit(self._number(("shapes",)), ("shapes",), methodcaller("remove", old))
        if not self.before.shapes and ("shapes",) in known:  # a bare header was there to say that there are none
            number = known["shapes",]
            gone += [number] if _parted(self.sections[number][1])[0].strip() == "[shapes]" else []
        self._take_out(gone)
        self._arrange(self.after.shapes.keys() - names.values())
        if not self.after.shapes and "shapes" not in tomllib.loads(self._joined()):
            self._put_in(self._behind_head(), ("shapes",), "[shapes]")

    def _update_shape(self, old: str, new: str, shape: Shape, number: int | None) -> None:
        if old != new:
            if number is None:
                raise _Unclear
            self.sections[number] = (("shapes", new), _renamed(self.sections[number][1], new))
        values, changed = shape_values(new, shape), self.after.shapes[new]
        if values != shape_values(new, changed):
            number = self._number(("shapes",)) if number is None else number
            key, text = self.sections[number]
            rewritten = _rewritten(text, new, values, changed)
            if rewritten is None:
                raise _Unclear
            self.sections[number] = (key, rewritten)

    def _arrange(self, new: set[str]) -> None:
        """Put the tables of shapes in the order of the scene, each where there is one now, new ones behind others."""
        known = {key: text for key, text in self.sections if key[:1] == ("shapes",) and key[1:]}
        runs: list[list[_Section]] = [[]]  # an old one and the new ones behind it; first, those before all old ones
        for name, shape in self.after.shapes.items():
            key: Path = ("shapes", name)
            if name in new:
                runs[-1].append((key, self._new_shape(name, shape)))
            elif key in known:
                runs.append([(key, known[key])])
        moved = [run[0][0] for run in runs[1:]] != list(known)
        first = next((number for number, (key, _) in enumerate(self.sections) if key in known), self._behind_head())
        sections, self.sections = self.sections, []
        for number, section in enumerate([*sections, None]):
            if number == first:
                self._append(runs.pop(0))
            if section is not None and section[0] in known:
                (key, text), *others = runs.pop(0)
                # What stands by itself behind a shape may be about those that follow, old ones all of them.
                own, rest = _parted(text) if others else (text, "")
                self.sections.append((key, _closed(own) if moved else own))
                self._append([*others, (_COMMENTS, rest)] if rest else others)
            elif section is not None:
                self.sections.append(section)

    def _append(self, sections: list[_Section]) -> None:
        if sections:
            key, text = self.sections[-1]
            self.sections[-1] = (key, _closed(text))
            self.sections += sections

    def _new_shape(self, name: str, shape: Shape) -> str:
        values, text = shape_values(name, shape), self.remembered.get(name)
        if text is not None and not _reads_as(text, name, values):
            same_kind = inline(tomllib.loads(text)["shapes"][name]["kind"]) == values["kind"]
            text = _rewritten(text, name, {}, shape) if same_kind else None
        return _closed(table_text(f"[{dotted(('shapes', name))}]", values) + "\n" if text is None else text)

    def _behind_head(self) -> int:
        """Return the first number for tables of shapes."""
        known = self._numbers()
        return max(known.get(("camera",), 0), known.get(("shapes",), 0)) + 1

    # -- sections ------------------------------------------------------------------------------------------------------

    def _numbers(self) -> dict[Path, int]:
        return {key: number for number, (key, _) in enumerate(self.sections)}

    def _number(self, key: Path) -> int:
        """Return the number of the section of a table; the table that holds shapes without tables is ``shapes``."""
        number = self._numbers().get(key)
        if number is None:
            raise _Unclear
        return number

    def _joined(self) -> str:
        return "".join(text for _, text in self.sections)

    def _edit(self, number: int, path: Path, change: Callable[[Any], object]) -> None:
        key, text = self.sections[number]
        self.sections[number] = (key, _edited(text, path, change))

    def _take_out(self, numbers: Iterable[int]) -> None:
        """Take sections out, but for the comments behind them that stand by themselves."""
        for number in sorted(numbers, reverse=True):
            rest = _parted(self.sections[number][1])[1]
            self.sections[number : number + 1] = [(_COMMENTS, rest)] if rest else []
            if rest:
                key, text = self.sections[number - 1]
                self.sections[number - 1] = (key, _closed(text))

    def _put_in(self, at: int, key: Path, text: str) -> None:
        """Put in a table, with an empty line before it, where there is something, and one behind it."""
        before, above = self.sections[at - 1]
        self.sections[at - 1 : at] = [(before, _closed(above)), (key, text + "\n\n")]


# -- sections of a text ------------------------------------------------------------------------------------------------

#: A table, and the text from the comments right above it to those of the next one.
_Section: TypeAlias = tuple[Path, str]

_COMMENTS: Path = ("",)


def _sections(text: str) -> Iterator[_Section]:
    r"""Cut a text into sections, the first of which is what stands before the first header."""
    lines = text.split("\n")
    starts: dict[int, Path] = {0: ()}
    found: dict[Path, str] = {(): ""}
    for number, path in _headers(text).items():
        first = number
        while first and lines[first - 1].lstrip().startswith("#"):
            first -= 1
        # Comments at the very top are about the file, not about what happens to come first.
        starts[first or number] = path[: 1 if path[0] in ("camera", "groups") else 2]
    for first, end in pairwise([*sorted(starts), len(lines)]):
        key = starts[first]
        found[key] = found.get(key, "") + "\n".join(lines[first:end]) + "\n" * (end < len(lines))
    yield from found.items()


def _headers(text: str) -> dict[int, Path]:
    """Return the numbers of the lines that are headers, from zero, and where each leads."""
    data, lines = tomllib.loads(text), text.split("\n")
    return {
        number - 1: path
        for path, number in key_lines(text).items()
        if lines[number - 1].lstrip().startswith("[") and isinstance(value_at(data, path), dict)
    }


def _closed(text: str) -> str:
    """Return a section with an empty line behind it, if there is something in it."""
    if not text.strip() or re.search(r"\n[ \t\r]*\n$", text):
        return text
    return text + "\n" * (not text.endswith("\n")) + "\n"


def _parted(text: str) -> tuple[str, str]:
    """Part a section from the comments that stand by themselves behind it."""
    lines = text.split("\n")
    end = _end_of_keys(lines)
    while end < len(lines) and lines[end].strip():
        end += 1
    while end < len(lines) and not lines[end].strip():
        end += 1
    own, rest = "\n".join(lines[:end]), "\n".join(lines[end:])
    return (f"{own}\n", rest) if rest else (text, "")


def _end_of_keys(lines: list[str]) -> int:
    end = len(lines)
    while end and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _edited(text: str, path: Path, change: Callable[[Any], object]) -> str:
    """Return a section after a change to one of its tables; the empty lines and comments at its end stay there."""
    lines = text.split("\n")
    end = _end_of_keys(lines)
    body, tail = "\n".join(lines[:end]), "\n".join(lines[end:])
    document = tomlkit.parse(body + "\n")
    change(value_at(document, path))
    changed = tomlkit.dumps(document)
    if not body:  # nothing but comments: they stay in front
        above = tail.rstrip("\n") + "\n\n" if tail.strip() else tail
        return f"{above}{changed.strip()}\n\n"
    return changed + tail if end < len(lines) else changed.removesuffix("\n")


#: A header up to its last bracket.
_HEADER = re.compile(r"""\[(?:"(?:\\.|[^"\\])*"|'[^']*'|[^\]"'])*""")


def _renamed(text: str, name: str) -> str:
    """Return the section of a shape with headers that lead to another name."""
    lines = text.split("\n")
    for number, path in _headers(text).items():
        header = dotted(("shapes", name, *path[2:]))
        lines[number] = _HEADER.sub("[" + header.replace("\\", r"\\"), lines[number], count=1)
    return "\n".join(lines)


def _with_own_tables(text: str, scene: Scene) -> str:
    """Return the text of a scene with a table for each shape that stood in another table, or in the head."""
    sections = list(_sections(text))
    inside = [name for name in scene.shapes if ("shapes", name) not in dict(sections)]
    comments: dict[str, str] = {}

    def take(document: Any) -> None:
        shapes = document["shapes"]
        found = [name for name in inside if name in shapes]
        if not all(isinstance(one, Table | InlineTable) for one in (shapes, *(shapes[name] for name in found))):
            raise _Unclear  # keys are all over the text
        for name in found:
            comments[name] = shapes[name].trivia.comment
            shapes.remove(name)
        if not shapes and not key:
            document.remove("shapes")

    shapes = tomllib.loads(text)["shapes"]
    for number in range(len(sections) - 1, -1, -1):
        key, old = sections[number]
        if key not in ((), ("shapes",)) or "shapes" not in tomllib.loads(old):
            continue
        sections[number] = (key, _closed(_edited(old, (), take)))
        for name in reversed([name for name in inside if name in comments]):
            header = f"[{dotted(('shapes', name))}] {comments.pop(name)}".rstrip()
            values = {key: inline(value) for key, value in shapes[name].items()}
            sections.insert(number + 1, (("shapes", name), table_text(header, values) + "\n\n"))
    return "".join(text for _, text in sections)


# -- keys of a table ---------------------------------------------------------------------------------------------------


def _rewritten(text: str, name: str, old: Mapping[str, str], shape: Shape) -> str | None:
    """Return the section of a shape after a change to its keys, those whose values are others, or else all of them."""
    new = shape_values(name, shape)

    def in_form(table: Any) -> None:
        plain = table.unwrap()
        _change_values(table, plain, _in_form(plain, shape) or plain)

    def turned(table: Any) -> None:
        angle = _angle_of(table.unwrap(), shape)
        if angle is not None:
            _change_value(table["rotation"], "angle", tomlkit.item(int(angle) if angle.is_integer() else angle))
            _change_keys(
                table, *({key: text for key, text in values.items() if key != "axes"} for values in (old, new))
            )

    def by_keys(table: Any) -> None:
        _change_keys(table, old, new)

    def anew(table: Any) -> None:
        for key in set(table) - new.keys():
            table.remove(key)
        _change_keys(table, {}, new)

    for change in (in_form, turned, by_keys, anew):
        changed = _edited(text, ("shapes", name), change)
        if _reads_as(changed, name, new):
            return changed
    return None


def _reads_as(text: str, name: str, values: Mapping[str, str]) -> bool:
    """Tell whether a shape in a section has these values, to the last bit."""
    made = _made(tomllib.loads(text)["shapes"][name])
    return made is not None and shape_values(name, made) == values


def _made(table: dict[str, Any]) -> Shape | None:
    """Return the shape of a table; None where it gives none."""
    try:
        made: Shape = SHAPE_TABLES[shape_form(table)].model_validate(table).result
    except ValidationError:  # the keys of one form amid those of another
        return None
    return made


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
        _change_value(table, key, value)


def _change_values(table: Any, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    for key, value in new.items():
        if isinstance(value, dict):
            _change_values(table[key], old[key], value)
        elif old.get(key) != value:
            _change_value(table, key, tomlkit.value(inline(value)))


def _change_value(holder: Any, key: str | int, value: Any) -> None:
    """Change a value, or of a list those of its items that are others; a key that is not there is added."""
    if isinstance(key, str) and key not in holder:
        holder.add(key, value)
        return
    old = holder[key].unwrap()
    new = value.unwrap() if hasattr(value, "unwrap") else value
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, item in enumerate(new):
            _change_value(holder[key], index, item)
    elif (
        isinstance(new, str | dict | list)
        or not isinstance(old, int | float)
        or float(old).hex() != float(new).hex()  # zero with another sign is another number
    ):
        holder[key] = value


def _change_items(items: Any, old: list[Any], new: list[Any]) -> None:
    """Change the items of a list, those that are others."""
    for changed, gone, added in _differences(old, new):
        for was, now in changed:
            _change_value(items, was, new[now])
        for was in reversed(gone):
            del items[was]
        for row, now in enumerate(added):
            items.insert(gone.start + row, new[now])


def _differences(old: list[Any], new: list[Any]) -> Iterator[tuple[list[tuple[int, int]], range, range]]:
    """Yield where lists differ, the last first: pairs of items that change, items that go, and items that are added."""
    was, now = (list(map(repr, items)) for items in (old, new))
    for tag, i, j, k, m in reversed(SequenceMatcher(None, was, now, autojunk=False).get_opcodes()):
        if tag != "equal":
            both = min(j - i, m - k)
            yield [(i + n, k + n) for n in range(both)], range(i + both, j), range(k + both, m)


# -- which shape is which ----------------------------------------------------------------------------------------------


def _followed(before: Scene, after: Scene) -> dict[str, str]:
    """Return the new names of shapes that are the same to the last bit, or of one kind between the same neighbours."""
    names = {name: name for name in before.shapes if name in after.shapes}
    if len(names) < len(before.shapes):
        _follow_values(before, after, names)
    gaps = []
    for scene, kept in ((before, names), (after, {new: new for new in names.values()})):
        gaps.append(found := defaultdict[str, list[str]](list))  # the others, by the new name of the last kept one
        last = ""
        for name in scene.shapes:
            last = kept.get(name, last)
            if name not in kept:
                found[last].append(name)
    for last, gone in gaps[0].items():
        both = zip(gone, gaps[1][last], strict=False)
        names |= {old: new for old, new in both if type(before.shapes[old]) is type(after.shapes[new])}
    return names


def _follow_values(before: Scene, after: Scene, names: dict[str, str]) -> None:
    """Find shapes that are the same under another name, also under that of one that is gone."""
    old, new = (
        {name: tuple(shape_values("", s).items()) for name, s in scene.shapes.items()} for scene in (before, after)
    )
    values = set(new.values())
    free: dict[tuple[tuple[str, str], ...], list[str]] = defaultdict(list)
    for name in reversed(new):
        if name not in old or (old[name] != new[name] and old[name] not in values):
            free[new[name]].append(name)
    for name in old:
        if name not in new and free[old[name]]:
            found = free[old[name]].pop()
            names.pop(found, None)
            names[name] = found


# -- the form in which a file gives a shape: a capsule by its height, anything with a transform ------------------------

#: People write fewer digits than these; a number that rounds to as many is tried before the one that was computed.
_DECIMALS = 12

#: So many of the next floats on either side are tried: the two ends of a capsule are rounded, each on its own.
_STEPS = 2


def _with_angles(scene: Scene, before: Scene, content: Mapping[str, Any]) -> Scene:
    """Return a scene whose boxes have the axes that an angle in the text gives, where that is theirs to rounding."""
    tables, found = content.get("shapes", {}), dict(scene.shapes)
    for name, shape in scene.shapes.items():
        if isinstance(shape, OrientedBox) and name in tables and shape != before.shapes.get(name):
            angle = _angle_of(tables[name], shape)
            if angle is not None:
                made = AxisAngle.model_validate({**tables[name]["rotation"], "angle": angle}).matrices()
                found[name] = OrientedBox(shape.center, made, shape.half_extents)
    return scene.replaced(shapes=found)


def _angle_of(table: Mapping[str, Any], shape: Shape) -> float | None:
    """Return the angle about the axis in the table of a box that gives its axes; None where there is none."""
    rotation = table.get("rotation")
    if not isinstance(shape, OrientedBox) or shape.batch_shape or not isinstance(rotation, Mapping):
        return None
    if "axis" not in rotation or np.ndim(rotation["angle"]) or np.ndim(rotation["axis"]) > 1:
        return None

    def axes(angle: float) -> FloatArray:
        return AxisAngle.model_validate({"axis": rotation["axis"], "angle": angle}).matrices()

    # The sine of the angle is how far a quarter turn about the axis agrees with the part of the turn that has signs.
    quarter, turn = axes(90.0), np.asarray(shape.axes)
    sine = float(np.sum((quarter - quarter.T) * (turn - turn.T))) / 8.0
    exact = math.degrees(math.atan2(sine, (float(np.trace(turn)) - 1.0) / 2.0))
    exact += 360.0 * round((float(rotation["angle"]) - exact) / 360.0)
    angles = (round(exact, digits) for digits in range(15))
    return next((angle for angle in angles if np.abs(axes(angle) - turn).max() <= _SAME_AXES), None)


def _in_form(table: dict[str, Any], shape: Shape) -> dict[str, Any] | None:
    """Return a table with another size or position that gives a shape to the last bit; None where there is none."""
    was = _made(table)
    if type(was) is not type(shape) or was.batch_shape != shape.batch_shape:
        return None
    if "transform" not in table and shape_form(table) != "collider":
        return None
    return next(filter(None, (_moved(sized, shape) for sized in _sized(table, was, shape))), None)


def _sized(table: dict[str, Any], was: Shape, shape: Shape) -> Iterator[dict[str, Any]]:
    """Yield the table, first as it is, with the sizes that it may have; those of a batch are left as they are."""
    old, new = (one.values().get("radius") for one in (was, shape))
    if old is None or new is None or old.tobytes() == new.tobytes():
        radii = [table]
    elif np.ndim(table["radius"]) or shape.batch_shape or not float(old):
        return
    else:
        unscaled = float(new) if float(old) == table["radius"] else table["radius"] * float(new) / float(old)
        radii = [{**table, "radius": radius} for radius in _around(unscaled)]
    yield from radii
    scaled = np.any(np.asarray(table.get("transform", {}).get("scale", 1.0)) != 1.0)
    if isinstance(shape, Capsule) and shape_form(table) == "collider" and not shape.batch_shape and not scaled:
        same = table if len(radii) == 1 else {**table, "radius": float(shape.radius)}
        length = float(np.linalg.norm(shape.end - shape.start))
        for height in _around(length + 2.0 * float(shape.radius)):
            yield {**same, "height": height}


def _moved(table: dict[str, Any], shape: Shape) -> dict[str, Any] | None:
    """Return the table at the position where it gives the shape; None if there is none."""
    inside = table.get("transform")
    holder, key = (table, "center") if inside is None else (inside, "position")
    old = np.asarray(holder.get(key, [0.0, 0.0, 0.0]), dtype=np.float64)
    was = _made(table)
    if was is None or old.shape[:-1] not in ((), shape.batch_shape):
        return None

    def at(position: FloatArray) -> dict[str, Any]:
        moved = {**holder, key: position.tolist()}
        return moved if inside is None else {**table, "transform": moved}

    first = shape._fields[0].name
    if shape.values()[first].shape != was.values()[first].shape:
        return None
    offset = shape.values()[first] - was.values()[first]
    if shape._fields[0].width == 2:  # all points of a hull go the same way, or it is not found
        offset = offset[..., 0, :]
    if old.ndim == 1:
        offset = offset.reshape(-1, 3)[:1].sum(axis=0)  # all of a batch go the same way, or it is not found
    position, missing = old.copy(), np.ones(old.shape, dtype=bool)
    for values in (old, *_around(old + offset)):
        made = _made(at(values))
        if made is not None:
            fits = missing & _same_coordinates(made, shape, old.ndim)
            position[fits], missing[fits] = values[fits], False
        if not missing.any():
            return table if np.array_equal(position, old) else at(position)
    return None


def _same_coordinates(made: Shape, shape: Shape, axes: int) -> Any:
    """Tell of which coordinates two shapes are the same; with one axis, of all elements together."""
    same = np.ones((*shape.batch_shape, 3), dtype=bool)
    for field in shape._fields:
        value, other = shape.values()[field.name], made.values()[field.name]
        if field.width == 1:
            same &= other == value
        elif field.position:
            same &= np.all(other == value, axis=-2)
    return same.reshape(-1, 3).all(axis=0) if axes == 1 else same


def _around(value: Any) -> Iterator[Any]:
    """Yield what a number, or each of an array, may have been before it was rounded, the likeliest first."""
    kind = np.asarray if np.ndim(value) else float
    yield kind(np.round(value, _DECIMALS))
    yield value
    low = high = value
    for _ in range(_STEPS):
        low, high = np.nextafter(low, -np.inf), np.nextafter(high, np.inf)
        yield kind(low)
        yield kind(high)
