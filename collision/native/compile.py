"""How kernels become machine code: compiled by Numba once, kept in a file, and called through pointers ever after.

Kernels are small functions over values; a *loop* runs one over whole arrays, which it sees as raw memory. Numba
compiles a loop, with all that it calls, the first time it is needed on a machine. The object code goes to a file in the
user's cache, under a digest of all sources of this package (and of the package that a loop is from) and of the
processor, so that it is never stale; later programs load it in a millisecond, without importing Numba, which takes a
second to get ready.
"""

from __future__ import annotations

import ctypes
import gc
import hashlib
import os
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from typing import Any, Protocol, SupportsIndex, TypeAlias, TypeVar, cast

import llvmlite
import llvmlite.binding as llvm
import numpy as np
import platformdirs

from collision.files import write_bytes

#: What a loop's arguments and its result can be. All but the first are given as addresses.
INT, FLOAT, INTS, FLOATS, BYTES, TABLE = "int64", "float64", "int64*", "float64*", "uint8*", "float64**"
SINGLES = "float32*"

#: Called with a loop's name each time before it is compiled, which takes a second or more; not when it is only loaded.
on_compile: list[Callable[[str], None]] = []

#: The work that is worth a thread of its own, in elements of a loop.
PART = 1 << 15

#: Versions of the package (or processors) that keep their files in the cache beside each other.
_VERSIONS_KEPT = 16

#: What code may call: it is found in every process.
_C_LIBRARY = {"sqrt", "log2", "memcpy", "memmove", "memset"}

_lock = threading.RLock()

_Function = TypeVar("_Function", bound=Callable[..., Any])

_Item = TypeVar("_Item")


class Memory(Protocol[_Item]):
    """Memory as kernels see it: what is there from an address on, by number. Nothing knows where it ends."""

    def __getitem__(self, number: SupportsIndex, /) -> _Item:
        """Read what has a number."""

    def __setitem__(self, number: SupportsIndex, value: _Item, /) -> None:
        """Write what has a number."""


#: Memory by what is in it: numbers of a kind, and a table of addresses of numbers.
Floats: TypeAlias = Memory[float]
Ints: TypeAlias = Memory[int]
Singles: TypeAlias = Memory[float | np.float32]
Bytes: TypeAlias = Memory[int]
Table: TypeAlias = Memory[Floats]


class Kernel:
    """A small function for other kernels and for loops to call.

    Called from Python it runs as Python, slowly and with the same result. Numba meets it only when something that calls
    it is compiled.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self._function = function

    def __call__(self, *values: Any) -> Any:
        """Run it as Python."""
        return self._function(*values)

    @cached_property
    def _numba_type_(self) -> Any:
        """What Numba asks of an object that it finds in compiled code."""
        import numba

        # No exceptions inside: they would cost a branch a division. No reassociation of floating-point sums: it would
        # cost the last bits, which are promised. No wrappers for Python, which take long to compile.
        options: Any = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        options["pipeline_class"] = _pipeline()
        self._compiled = numba.njit(**options)(self._function)  # the type alone would not keep it
        return self._compiled._numba_type_


def kernel(function: _Function) -> _Function:
    """Make a function one for kernels and loops to call; to type checkers it stays what it was."""
    return cast(_Function, Kernel(function))


class Loop:
    """A function over raw memory, compiled or loaded when it is first called.

    Parameters
    ----------
    name : str
        Names the file in the cache; no two loops have the same.
    function : callable
        What to compile; it may call kernels.
    arguments : sequence of str
        ``INT``, ``FLOAT``, ``INTS``, ``FLOATS``, ``SINGLES``, ``BYTES`` or ``TABLE`` (pointers to floats) each.
    result : str, optional
        ``INT`` or ``FLOAT``; nothing otherwise.
    brief : bool
        Whether a call takes less time than letting other threads run and coming back would. Its arguments are then
        passed as they are, without a look: references made by `ctypes.byref`, and numbers of `ctypes`.
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        arguments: Sequence[str],
        result: str | None = None,
        *,
        brief: bool = False,
    ) -> None:
        self.name = name
        self._function = function
        self._arguments = arguments
        self._result = result
        self._brief = brief

    @cached_property
    def run(self) -> Any:
        """The compiled function; it takes integers, floats and addresses."""
        kinds: dict[str | None, Any] = {None: None, INT: ctypes.c_int64, FLOAT: ctypes.c_double}
        prototype: Any = ctypes.PYFUNCTYPE(kinds[self._result])
        if not self._brief:
            arguments = (kinds.get(argument, ctypes.c_void_p) for argument in self._arguments)
            prototype = ctypes.CFUNCTYPE(kinds[self._result], *arguments)
        with _lock:
            path = _folder(self._function.__module__.partition(".")[0]) / f"{self.name}.o"
            stored = _read(path)
            if stored is None:
                for call in on_compile:
                    call(self.name)
                stored = self._compile()
                _write(path, stored)
            self._engine = _engine(stored[1])  # the code lives as long as this
        return prototype(self._engine.get_function_address(stored[0]))

    def _compile(self) -> tuple[str, bytes]:
        """Return the name of the function in the object code, and the object code."""
        import numba

        types = {None: numba.types.void, INT: numba.types.int64, FLOAT: numba.types.float64}
        types |= {INTS: numba.types.CPointer(numba.types.int64), BYTES: numba.types.CPointer(numba.types.uint8)}
        types |= {FLOATS: numba.types.CPointer(numba.types.float64), SINGLES: numba.types.CPointer(numba.types.float32)}
        types |= {TABLE: numba.types.CPointer(types[FLOATS])}
        signature = types[self._result](*(types[argument] for argument in self._arguments))
        with _no_garbage_collection():
            compiled = numba.cfunc(signature, error_model="numpy", pipeline_class=_pipeline())(self._function)
        module = llvm.parse_assembly(compiled.inspect_llvm())
        for function in module.functions:
            if not function.is_declaration and function.name != compiled.native_name:
                function.linkage = "internal"
        # Every call hands exceptions on, in the end to Python. Seen as a whole the code raises none, and all that goes.
        machine = _machine()
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
        builder.getModulePassManager().run(module, builder)
        declared = [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]
        foreign = [name for name in declared if name not in _C_LIBRARY]
        if foreign:  # what only a running Numba could provide: allocation, exceptions, Python itself
            raise RuntimeError(f"the loop {self.name} is not freestanding: it calls {', '.join(foreign)}")
        return compiled.native_name, machine.emit_object(module)


def address(array: Any) -> int:
    """Return where a contiguous array keeps its numbers."""
    if not array.size:
        return 0
    try:
        return ctypes.addressof(_writable(array))  # many times as quick as what always works
    except TypeError:  # it is read-only
        return int(array.ctypes.data)


_writable: Any = ctypes.c_char.from_buffer

#: A few numbers, or addresses, in a row, as loops take them; by how many they are.
INTEGERS = tuple(ctypes.c_int64 * count for count in range(6))
ADDRESSES = tuple(ctypes.c_void_p * count for count in range(6))


def in_parts(work: Callable[[int, int], Any], count: int, part: int = PART) -> list[Any]:
    """Call ``work(first, last)`` for parts of range(count), by several threads where there is enough to do.

    Returns
    -------
    list
        The results, in order.
    """
    threads = min(_processors(), count // part)
    if threads < 2:
        return [work(0, count)]
    cuts = [count * k // (4 * threads) for k in range(4 * threads + 1)]  # smaller parts, for when one takes longer
    return list(_pool().map(work, cuts[:-1], cuts[1:]))


#: What Numba does to every function that it compiles, and again for each that calls it: see `_pipeline`.
_LEFT_OUT = ("_optimize_functions", "_optimize_final_module", "_finalize_final_module")

#: Passes of Numba that have nothing to do in kernels, but look at all of them: for closures and for array expressions.
_NOT_NEEDED = ("InlineClosureLikes", "NopythonRewrites")


@cache
def _pipeline() -> Any:
    """Return how Numba is to compile: only as far as LLVM's code, which `Loop` optimizes once, as a whole.

    It has no switch for that, so the methods that do the rest are overridden. Where a version of Numba has no such
    methods, its own way (None) does: it takes half as long again, to the same end.
    """
    from numba.core import codegen, compiler

    if not all(hasattr(codegen.CPUCodeLibrary, name) for name in _LEFT_OUT):
        return None

    class Library(codegen.CPUCodeLibrary):
        def _optimize_functions(self, module: Any) -> None: ...
        def _optimize_final_module(self) -> None: ...
        def _finalize_final_module(self) -> None:
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()  # type: ignore[no-untyped-call]  # puts the library together
            return 0  # there is no machine code to point to

        @property
        def codegen(self) -> Any:
            return self  # asked for only to call:

        def set_env(self, name: str, env: Any) -> None: ...

    class Pipeline(compiler.CompilerBase):
        def define_pipelines(self) -> list[Any]:
            state, library = self.state, cast(Any, Library)
            state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            manager = compiler.DefaultPassBuilder.define_nopython_pipeline(state)
            manager.passes = [step for step in manager.passes if step[0].__name__ not in _NOT_NEEDED]
            return [manager]

    return Pipeline


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Leave garbage for later: Numba makes millions of small objects, and every collection looks at all of them."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@cache
def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_processors(), thread_name_prefix="collision")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not survive a fork


def _machine() -> Any:
    """Return a new code generator for this processor. It belongs to whom it is given, and goes with it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=_features(), opt=3, jit=True)


def _features() -> str:
    return str(llvm.get_host_cpu_features().flatten())


def _engine(code: bytes) -> Any:
    """Put object code into memory that can be executed."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


@cache
def _folder(package: str) -> Path:
    """Return where the object code of a package's loops, in this version and for this processor, is kept.

    `COLLISION_CACHE_DIR` in the environment goes before the user's cache directory.
    """
    digest = hashlib.sha256()
    for name in sorted({__name__.partition(".")[0], package}):
        for source in sorted(Path(str(sys.modules[name].__file__)).parent.rglob("*.py")):
            digest.update(source.read_bytes() + b"\0")
    digest.update(" ".join([llvmlite.__version__, llvm.get_host_cpu_name(), _features()]).encode())
    root = os.environ.get("COLLISION_CACHE_DIR") or platformdirs.user_cache_path("collision-viewer", appauthor=False)
    return Path(root) / digest.hexdigest()[:20]


def _read(path: Path) -> tuple[str, bytes] | None:
    """Return what `_write` stored, or None where it is not there or was damaged since."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    check, _, rest = content.partition(b"\n")
    if hashlib.sha256(rest).hexdigest().encode() != check:
        return None  # loading broken code would end the program, without a word
    symbol, _, code = rest.partition(b"\n")
    return symbol.decode(), code


def _write(path: Path, stored: tuple[str, bytes]) -> None:
    rest = stored[0].encode() + b"\n" + stored[1]
    folder = path.parent
    with suppress(OSError):  # where nothing can be kept, every program compiles for itself
        fresh = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        write_bytes(path, hashlib.sha256(rest).hexdigest().encode() + b"\n" + rest)
        if fresh:
            _forget_old_versions(folder)


def _forget_old_versions(folder: Path) -> None:
    """Delete what versions of the package that are gone left in the cache."""
    versions = [path for path in folder.parent.iterdir() if re.fullmatch("[0-9a-f]{20}", path.name)]
    for old in sorted(versions, key=lambda path: path.stat().st_mtime, reverse=True)[_VERSIONS_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
