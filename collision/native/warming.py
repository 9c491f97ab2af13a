"""All loops there are, so that they can be compiled before anybody waits for one."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from types import ModuleType

from collision.native.loop import Loop, NoCompilerError


def loops_of(*packages: str, all_installed: bool = True) -> list[Loop]:
    """Return the loops of packages, each once, in the order of their names; their modules are imported for it.

    Parameters
    ----------
    *packages : str
        Names, such as ``collision``.
    all_installed : bool
        Whether all is installed that the modules need. Otherwise those are left out that need more: where a library is
        built, there is neither a renderer nor what reads files, where it is used, nothing that compiles; and what needs
        them has no loops.

    Examples
    --------
    >>> [loop.name for loop in loops_of("collision.broadphase.tree")]
    ['tree']
    """
    found: dict[str, Loop] = {}
    for name in packages:
        for module in _modules(name, all_installed):
            for value in vars(module).values():
                found.update((loop.name, loop) for loop in _inside(value))
    return [found[name] for name in sorted(found)]


def _modules(name: str, all_installed: bool) -> Iterator[ModuleType]:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if all_installed or (error.name or "").partition(".")[0] == name.partition(".")[0]:
            raise
        return
    except NoCompilerError:  # a module that makes shapes while it is imported
        if all_installed:
            raise
        return
    yield module
    import pkgutil

    for inner in pkgutil.iter_modules(getattr(module, "__path__", ()), f"{name}."):
        yield from _modules(inner.name, all_installed)


def _inside(value: object) -> Iterator[Loop]:
    """Find loops in what a module holds: tables of them, and tuples in tables."""
    if isinstance(value, Loop):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _inside(item)
