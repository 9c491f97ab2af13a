"""How a function over raw memory becomes object code, by Numba and LLVM, and how object code is loaded."""

from __future__ import annotations

import gc
import hashlib
import os
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import util
from pathlib import Path
from typing import Any, NamedTuple, cast

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from collision.native.memory import BYTES, FLOAT, FLOATS, INT, INT_TABLE, INTS, SINGLES, TABLE, TABLES

#: What code may call: it is found in every process.
_C_LIBRARY = {"sqrt", "log2", "memcpy", "memmove", "memset"}


class ObjectCode(NamedTuple):
    """Machine code as a file keeps it, and the name of the function in it."""

    symbol: str
    code: bytes


class Assembly(NamedTuple):
    """What Numba makes of a loop, with all the kernels that it calls, and the name of the function in it.

    It is in LLVM's language, and not optimized yet, so that code for any processor can be made of it.
    """

    symbol: str
    text: str


def compiled(name: str, function: Callable[..., Any], arguments: Sequence[str], result: str | None) -> ObjectCode:
    """Compile a loop, with all the kernels that it calls.

    Raises
    ------
    RuntimeError
        If the code needs more than the C library: what only a running Numba could provide.
    """
    made, machine = assembled(function, arguments, result), _machine()
    module = llvm.parse_assembly(made.text)
    called = optimized(module, machine, {made.symbol})
    foreign = [other for other in called if other not in _C_LIBRARY]
    if foreign:  # allocation, exceptions, Python itself
        raise RuntimeError(f"the loop {name} is not freestanding: it calls {', '.join(foreign)}")
    return ObjectCode(made.symbol, machine.emit_object(module))


def assembled(function: Callable[..., Any], arguments: Sequence[str], result: str | None) -> Assembly:
    """Have Numba compile a loop as far as LLVM's language."""
    import numba

    types = {None: numba.types.void, INT: numba.types.int64, FLOAT: numba.types.float64}
    types |= {INTS: numba.types.CPointer(numba.types.int64), BYTES: numba.types.CPointer(numba.types.uint8)}
    types |= {FLOATS: numba.types.CPointer(numba.types.float64), SINGLES: numba.types.CPointer(numba.types.float32)}
    types |= {TABLE: numba.types.CPointer(types[FLOATS]), INT_TABLE: numba.types.CPointer(types[INTS])}
    types |= {TABLES: numba.types.CPointer(types[TABLE])}
    signature = types[result](*(types[argument] for argument in arguments))
    with _no_garbage_collection():
        made = numba.cfunc(signature, error_model="numpy", pipeline_class=_pipeline())(function)
    return Assembly(made.native_name, made.inspect_llvm())


def optimized(module: Any, machine: Any, kept: Collection[str]) -> list[str]:
    """Optimize a module as a whole, for a machine, and return the names of the functions outside that it calls.

    Parameters
    ----------
    module, machine
        Of LLVM.
    kept : collection of str
        The functions that can be called from outside; others go where nobody calls them.
    """
    for part in module.functions:
        if not part.is_declaration and part.name not in kept:
            part.linkage = "internal"
    # Every call hands exceptions on, in the end to Python. Seen as a whole the code raises none, and all that goes.
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)
    return [f.name for f in module.functions if f.is_declaration and not f.name.startswith("llvm.")]


def dispatcher(function: Callable[..., Any]) -> Any:
    """Return what stands for a kernel in Numba."""
    import numba

    # No exceptions inside: they would cost a branch a division. No reassociation of floating-point sums: it would cost
    # the last bits, which are promised. No wrappers for Python, which take long to compile.
    options: Any = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(**options, pipeline_class=_pipeline())(function)


def loaded(code: bytes) -> Any:
    """Put object code into memory that can be executed, for as long as what is returned lives."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


@cache
def toolchain() -> str:
    """Return a digest of all but the loop itself that its object code depends on.

    That are the processor, the versions of Python, of NumPy, of Numba and of LLVM, Numba's settings in the environment,
    and this file. Numba is not imported for it.
    """
    digest = hashlib.sha256(Path(__file__).read_bytes())
    facts = (
        (sys.implementation.cache_tag, np.__version__, _numba_version(), llvmlite.__version__),
        (llvm.llvm_version_info, llvm.get_process_triple(), llvm.get_host_cpu_name(), _features()),
        sorted((name, value) for name, value in os.environ.items() if name.startswith("NUMBA_")),
    )
    digest.update(repr(facts).encode())
    return digest.hexdigest()


def _numba_version() -> str:
    """Return a text that differs between versions of Numba."""
    found = util.find_spec("numba")
    if found is not None and found.origin is not None:
        stated = Path(found.origin).with_name("_version.py")
        if stated.exists():
            return stated.read_text(encoding="utf-8")
    from importlib import metadata  # takes many times as long

    return metadata.version("numba")


#: What Numba does to every function that it compiles, and again for each that calls it: see `_pipeline`.
_LEFT_OUT = ("_optimize_functions", "_optimize_final_module", "_finalize_final_module")

#: Passes of Numba that have nothing to do in kernels, but look at all of them: for closures and for array expressions.
_NOT_NEEDED = ("InlineClosureLikes", "NopythonRewrites")


@cache
def _pipeline() -> Any:
    """Return how Numba is to compile: only as far as LLVM's code, which `optimized` optimizes once, as a whole.

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
            library: Any = self
            library._ensure_finalized()  # puts the library together
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


def _machine() -> Any:
    """Return a new code generator for this processor. It belongs to whom it is given, and goes with it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=_features(), opt=3, jit=True)


def _features() -> str:
    return str(llvm.get_host_cpu_features().flatten())
