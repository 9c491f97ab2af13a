"""Loops: functions over whole arrays, which they see as raw memory, run as machine code.

What is installed has all loops in a library. Elsewhere Numba compiles a loop, with all that it calls, the first time it
is needed on a machine, to a file in the user's cache under a digest of all that it depends on.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import util
from types import ModuleType
from typing import TYPE_CHECKING, Any

from collision.native.library import (
    CODE_VARIABLE,
    COMPILED,
    PREFIX,
    Library,
    NoCodeError,
    built_library,
    takes_libraries,
)
from collision.native.memory import FLOAT, INT

if TYPE_CHECKING:
    from collision.native.compiler import ObjectCode
    from collision.native.digest import Dependencies

#: Called with a loop's name each time before it is compiled, which takes a second or more; not when it is only loaded.
on_compile: list[Callable[[str], None]] = []

#: What numbers are to ctypes; all else is an address.
_KINDS: dict[str | None, Any] = {None: None, INT: ctypes.c_int64, FLOAT: ctypes.c_double}

#: Held where LLVM and Numba are at work.
_lock = threading.RLock()

if hasattr(os, "register_at_fork"):
    # A fork waits until none is compiled: a child has no use for half of what another thread was doing, in Numba, in
    # LLVM or here, and no thread that would go on with it.
    os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release)


class NoCompilerError(NoCodeError):
    """A loop has to be compiled, and the compiler (Numba) is not installed."""

    def __init__(self, name: str, missing: Sequence[str]) -> None:
        without = f"and what compiles it is not installed ({', '.join(missing)}); in the checkout,"
        super().__init__(
            f'{CODE_VARIABLE} is {COMPILED!r}, {without} pip install ".[compile]" brings it; without {CODE_VARIABLE}, '
            "what is compiled already is taken"
            if not takes_libraries()
            else f'the loop {name} is not compiled yet, {without} pip install --editable ".[compile]" brings it; '
            'pip install "." installs all loops compiled'
        )


class Loop:
    """A function over raw memory, compiled or loaded when it is first called.

    Parameters
    ----------
    name : str
        Names the file in the cache.
    function : callable
        What to compile; it may call kernels. Called with arrays in place of addresses it runs as Python.
    arguments : sequence of str
        ``INT``, ``FLOAT``, ``INTS``, ``FLOATS``, ``SINGLES``, ``BYTES``, ``TABLE`` (pointers to floats), ``INT_TABLE``
        or ``TABLES`` (pointers to tables) each.
    result : str, optional
        ``INT`` or ``FLOAT``; nothing otherwise.

    Attributes
    ----------
    run : callable
        The compiled function; it takes integers, floats and addresses.
    address : int
        Where the compiled function is, for other loops to call.
    """

    run: Any

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        arguments: Sequence[str],
        result: str | None = None,
    ) -> None:
        self.name = name
        self.function = function
        self.arguments = arguments
        self.result = result

    def __getattr__(self, name: str) -> Any:
        # What a cached_property would do, but up to Python 3.11 that has a lock, which would not survive a fork.
        if name != "run":
            raise AttributeError(f"a loop has no {name}", name=name, obj=self)
        with _lock:
            if "run" not in self.__dict__:  # no other thread was first
                self.run = self._ready()
        return self.run

    @property
    def address(self) -> int:
        """Where the compiled function is: there as long as the loop, or `run`, is."""
        return int(ctypes.cast(self.run, ctypes.c_void_p).value or 0)

    @property
    def signature(self) -> str:
        """How it is called, as a text."""
        return f"{','.join(self.arguments)}:{self.result}"

    @property
    def digest(self) -> str:
        """A digest of it, and of all that it calls."""
        return self._dependencies().digest

    def is_in(self, library: Library) -> bool:
        """Tell whether it is in a library, and compiled of just this code."""
        digest, signature = library.manifest.loops.get(self.name, ("", ""))
        return signature == self.signature and (not library.left or digest == self.digest)

    def _dependencies(self) -> Dependencies:
        from collision.native.digest import dependencies  # takes long, and what is installed needs none

        return dependencies(self.function, *self.arguments, self.result)

    def _ready(self) -> Any:
        """Compile or load the loop; what it returns keeps the code in memory."""
        arguments = (_KINDS.get(argument, ctypes.c_void_p) for argument in self.arguments)
        prototype: Any = ctypes.CFUNCTYPE(_KINDS[self.result], *arguments)
        built = built_library()
        if built is not None and self.is_in(built):
            return prototype((f"{PREFIX}{self.name}", built.code))
        made = self._object_code()
        from collision.native.compiler import loaded

        engine = loaded(made.code)
        run = prototype(engine.get_function_address(made.symbol))
        run.engine = engine
        return run

    def _object_code(self) -> ObjectCode:
        """Return the object code, from the cache or new."""
        missing = [name for name in ("numba", "llvmlite") if util.find_spec(name) is None]
        if missing:
            raise NoCompilerError(self.name, missing)
        from collision.native.cache import ObjectFile
        from collision.native.compiler import compiled
        from collision.native.digest import dependencies

        needs = self._dependencies()
        file = ObjectFile(self.name, needs.digest)
        stored = file.read()
        if stored is not None:
            return stored
        with file.locked():
            stored = file.read()
            if stored is not None:  # another process has compiled it meanwhile
                return stored
            for call in on_compile:
                call(self.name)
            for kernel in needs.kernels:
                kernel.renew(dependencies(kernel.function).digest)
            made = compiled(self.name, self.function, self.arguments, self.result)
            file.write(made)
            return made


def loops_of(*packages: str, all_installed: bool = True) -> list[Loop]:
    """Return the loops of packages, each once, in the order of their names; their modules are imported for it.

    Without `all_installed`, modules that need what is not installed (a renderer, what reads files) are left out.
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
