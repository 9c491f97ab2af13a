"""What a scene is made of: each part read and checked once, with an error that names it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from collision.scene.expectations import Expectation
from collision.scene.name_groups import read_groups
from collision.scene.shows import Camera, Show
from collision.shapes.kinds import Shape
from collision.shapes.motion import Motion

#: So many entries are written out where a scene is shown as text.
_SHOWN = 8


def read_parts(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return parts of a scene as they are kept, by name."""
    for name in [name for name in given if name not in _READERS]:
        import difflib

        near = difflib.get_close_matches(name, _READERS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(_READERS)}"
        raise TypeError(f"a scene has no {name!r}; {hint}")
    return {name: _READERS[name](value) for name, value in given.items()}


def read_names(value: str | Iterable[str], label: str) -> list[str]:
    """Return names, of which there may be a single one that stands for itself."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable):
        raise TypeError(f"{label} must be a name or names, got {type(value).__name__}")
    return list(value)


def written(shapes: Mapping[str, Shape], extras: Mapping[str, Any]) -> str:
    """Return the text of a scene: its first entries, and all else of it that there is."""
    few = [f"{name!r}: {shapes[name]!r}" for name, _ in zip(shapes, range(_SHOWN), strict=False)]
    more = [f"... {len(shapes) - _SHOWN:,} more"] if len(shapes) > _SHOWN else []
    parts = [f"{name}={value!r}" for name, value in extras.items() if value]
    return f"Scene({', '.join(['{' + ', '.join(few + more) + '}', *parts])})"


def _read_hidden(value: str | Iterable[str]) -> frozenset[str]:
    names = read_names(value, "hidden")
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"hidden must be a name or names, got {type(name).__name__} among them")
    return frozenset(names)


def _read_shapes(value: Any) -> Mapping[str, Shape]:
    if type(value) is not dict and not isinstance(value, Mapping):
        such = "such as {'ball': Sphere([0, 0, 0], 1)}"
        raise TypeError(f"Scene takes a mapping of names to shapes, {such}, got {type(value).__name__}")
    return MappingProxyType(dict(value))


def _read_pairs(value: Any) -> tuple[tuple[str, str], ...]:
    wrong = "ignored must be pairs of names, such as ('arm*', 'torso'), got"
    if not isinstance(value, Iterable):
        raise TypeError(f"{wrong} {value!r}")
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(name, str) for name in value):
        raise ValueError(f"{wrong} {value!r}; one pair alone stands in a list: [{value!r}]")
    pairs = tuple(value)
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2 or not all(isinstance(n, str) and n for n in pair):
            raise ValueError(f"{wrong} {pair!r}")
    return tuple((a, b) for a, b in pairs)


def _many(name: str, kind: type[Any]) -> Callable[[Any], tuple[Any, ...]]:
    """Return the reader of a part that is made of objects of one type."""

    def read(value: Any) -> tuple[Any, ...]:
        if isinstance(value, kind) or not isinstance(value, Iterable):
            hint = f"; one alone stands in a list: {name}=[...]" if isinstance(value, kind) else ""
            raise TypeError(f"{name} must be a list of {kind.__name__}, got {type(value).__name__}{hint}")
        found = tuple(value)
        for item in found:
            if not isinstance(item, kind):
                raise TypeError(f"{name} must be made of {kind.__name__}, got {type(item).__name__}")
        return found

    return read


def _any(name: str, kind: Any, words: str, said: Callable[[Any], str] = lambda value: type(value).__name__) -> Any:
    """Return the reader of a part that is one object."""

    def read(value: Any) -> Any:
        if not isinstance(value, kind):
            raise TypeError(f"{name} must be {words}, got {said(value)}")
        return value

    return read


#: How each part is read, in the order in which they are written out.
_READERS: Mapping[str, Callable[[Any], Any]] = {
    "shapes": _read_shapes,
    "ignored": _read_pairs,
    "shows": _many("shows", Show),
    "motion": _many("motion", Motion),
    "camera": _any("camera", Camera | None, "a Camera or None"),
    "title": _any("title", str, "text"),
    "caption": _any("caption", str, "text"),
    "hidden": _read_hidden,
    "expectations": _many("expectations", Expectation),
    "name_groups": read_groups,
    "open": _any("open", bool, "True or False", repr),
}
