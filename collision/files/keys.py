"""Changing the keys of one table of a scene file, those whose values are others, and nothing else of it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from difflib import SequenceMatcher
from functools import partial
from typing import Any

import numpy as np
import tomlkit

from collision.files.blocks import edited
from collision.files.errors import SceneFileError
from collision.files.forms import in_form
from collision.files.reading import parse_scene
from collision.files.toml import inline
from collision.files.writing import shape_lines


def keys_of(lines: Iterable[str]) -> dict[str, str]:
    """Return the keys of a table, and their values as they are written."""
    return {key: value for key, _, value in (line.partition(" = ") for line in lines)}


def _in_shape(name: str, change: Callable[..., None], old: object, new: object, document: Any) -> None:
    change(document["shapes"][name], old, new)


def rewritten(text: str, name: str, old: Mapping[str, str], new: Mapping[str, str]) -> str | None:
    """Return the text of a shape after a change to its keys, those whose values are others, or else all of them."""
    for change in (_change_in_form, change_keys, _change_form):
        changed = edited(text, partial(_in_shape, name, change, old, new))
        if reads_as(changed, name, new):
            return changed
    return None


def reads_as(text: str, name: str, keys: Mapping[str, str]) -> bool:
    """Tell whether a shape in a block is one of these keys, to the last bit."""
    shapes = tomlkit.parse(text).unwrap()["shapes"]
    try:
        made = parse_scene(tomlkit.dumps({"shapes": shapes})).shapes[name]
    except SceneFileError:  # the keys of one form amid those of another
        return False
    return keys_of(shape_lines(name, made)) == keys


def change_keys(table: Any, old: Mapping[str, str], new: Mapping[str, str]) -> None:
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


def _change_in_form(table: Any, _: Mapping[str, str], new: Mapping[str, str]) -> None:
    """Change what a form that is not the stored one has to say of a shape; nothing where it cannot."""
    stored = tomllib.loads("\n".join(f"{key} = {value}" for key, value in new.items()))
    plain = table.unwrap()
    said = in_form(plain, parse_scene(tomlkit.dumps({"shapes": {"made": stored}})).shapes["made"])
    _change_said(table, plain, said or plain)


def _change_said(table: Any, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    for key, value in new.items():
        if isinstance(value, dict):
            _change_said(table[key], old[key], value)
        elif key not in old:
            table.add(key, tomlkit.value(inline(value)))
        elif old[key] != value:
            _change_value(table, key, tomlkit.value(inline(value)))


def _change_form(table: Any, _: Mapping[str, str], new: Mapping[str, str]) -> None:
    """Write a table anew, with the keys that are stored."""
    for key in set(table) - new.keys():
        table.remove(key)
    change_keys(table, {}, new)


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


def change_items(items: Any, old: list[Any], new: list[Any]) -> None:
    """Change the items of a list, those that are others."""
    for first, last, start, stop in differences(old, new):
        both = min(last - first, stop - start)
        for was, now in zip(range(first, first + both), range(start, start + both), strict=True):
            _change_value(items, was, new[now])
        for was in reversed(range(first + both, last)):
            del items[was]
        for now in range(start + both, stop):
            items.insert(first + now - start, new[now])


def differences(old: list[Any], new: list[Any]) -> list[tuple[int, int, int, int]]:
    """Return which pieces of one list are which pieces of another, where they differ, the last first."""
    numbers: dict[str, int] = {}
    was, now = ([numbers.setdefault(repr(item), len(numbers)) for item in items] for items in (old, new))
    codes = SequenceMatcher(None, was, now, autojunk=False).get_opcodes()
    return [(i, j, k, m) for tag, i, j, k, m in reversed(codes) if tag != "equal"]
