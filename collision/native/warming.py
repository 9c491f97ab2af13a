"""All loops there are, so that they can be compiled before anybody waits for one."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping

from collision.native.loop import Loop


def loops_of(*packages: str) -> list[Loop]:
    """Return the loops of packages, each once, in the order of their names; their modules are imported for it.

    Parameters
    ----------
    *packages : str
        Names, such as ``collision``.

    Examples
    --------
    >>> [loop.name for loop in loops_of("collision.broadphase.tree")]
    ['tree']
    """
    found: dict[str, Loop] = {}
    for name in packages:
        for module in _modules(name):
            for value in vars(importlib.import_module(module)).values():
                found.update((loop.name, loop) for loop in _inside(value))
    return [found[name] for name in sorted(found)]


def _modules(name: str) -> Iterator[str]:
    yield name
    path = getattr(importlib.import_module(name), "__path__", None)
    for module in () if path is None else pkgutil.iter_modules(path, f"{name}."):
        yield from _modules(module.name)


def _inside(value: object) -> Iterator[Loop]:
    """Find loops in what a module holds: tables of them, and tuples in tables."""
    if isinstance(value, Loop):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _inside(item)
