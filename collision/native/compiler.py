"""How a function over raw memory becomes object code, by Numba and LLVM, and how object code is loaded."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from importlib import util
from pathlib import Path
from typing import Any, NamedTuple, cast

import llvmlite
import llvmlite.binding as llvm
import numpy as np

from collision.native.memory import BYTES, FLOAT, FLOATS, INT, INT_TABLE, INTS, SINGLES, TABLE, TABLES

#: What code may call: it is found in every process.
C_LIBRARY = {"sqrt", "memcpy", "memmove", "memset"}


class ObjectCode(NamedTuple):
    """Machine code as a file keeps it, and the name of the function in it."""

    symbol: str
    code: bytes


class Assembly(NamedTuple):
    """What Numba makes of a loop and its kernels, in LLVM's language, and the name of the loop's function.

    It is not optimized yet. Loops that call the same kernels share their texts.
    """

    symbol: str
    parts: tuple[str, ...]


def compiled(name: str, function: Callable[..., Any], arguments: Sequence[str], result: str | None) -> ObjectCode:
    """Compile a loop with its kernels; a RuntimeError is raised if the code needs Python or foreign functions."""
    from numba.core.errors import NumbaError

    try:
        made = assembled(function, arguments, result)
    except NumbaError as error:
        raise RuntimeError(f"the loop {name} cannot be compiled: {error}") from error
    machine = _machine()
    module = linked([made])
    foreign = set(optimized(module, machine, {made.symbol})) - C_LIBRARY
    if foreign:  # allocation, exceptions, Python itself
        raise RuntimeError(f"the loop {name} is not freestanding: it calls {', '.join(sorted(foreign))}")
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
    made: Any = numba.cfunc(signature, **_options())(function)
    parts = getattr(made._library, "parts", None) or (made.inspect_llvm(),)
    return Assembly(made.native_name, tuple(parts))


def linked(assemblies: Iterable[Assembly]) -> Any:
    """Return the one module of LLVM that loops are together; what several of them call is in it once."""
    modules = [llvm.parse_assembly(part) for part in dict.fromkeys(part for made in assemblies for part in made.parts)]
    while len(modules) > 1:  # two at a time, as LLVM looks at all of a module that another comes to
        for one, other in zip(modules[::2], modules[1::2], strict=False):
            one.link_in(other)
        modules = modules[::2]
    for constant in modules[0].global_variables:
        constant.linkage = "internal"
    return modules[0]


def optimized(module: Any, machine: Any, kept: Collection[str]) -> list[str]:
    """Optimize a module of LLVM, keeping some functions, and return the foreign functions that it calls."""
    for part in module.functions:
        if not part.is_declaration and part.name not in kept:
            part.linkage = "internal"
    # Every call hands exceptions on, in the end to Python. Seen as a whole the code raises none, and all that goes.
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)
    called = [f.name for f in module.functions if f.is_declaration]
    return [name if not name.startswith(_INTRINSIC) else name.split(".")[1] for name in called if _is_outside(name)]


#: How the names of what LLVM brings itself begin, and those of it that become calls of the C library nevertheless.
_INTRINSIC = "llvm."
_LIBRARY_CALLS = {"sin", "cos", "tan", "pow", "powi", "exp", "exp2", "exp10", "log", "log2", "log10"}


def _is_outside(name: str) -> bool:
    return not name.startswith(_INTRINSIC) or name.split(".")[1] in _LIBRARY_CALLS


def dispatcher(function: Callable[..., Any]) -> Any:
    """Return what stands for a kernel in Numba."""
    import numba

    # No wrappers for Python, which take long to compile.
    options = _options() | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(**options)(function)


def _options() -> dict[str, Any]:
    # No exceptions inside: they would cost a branch a division. No reassociation of floating-point sums: it would cost
    # the last bits, which are promised. Nothing of Numba's memory: there is none to be counted, but it would look.
    return {"error_model": "numpy", "_nrt": False, "pipeline_class": _pipeline()}


def loaded(code: bytes) -> Any:
    """Put object code into memory that can be executed, for as long as what is returned lives."""
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


@cache
def toolchain() -> str:
    """Return a digest of all but the loop itself that its object code depends on; Numba is not imported for it."""
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


#: What of Numba's library of code is overridden: see `_pipeline`.
_OVERRIDDEN = ("add_ir_module", "add_linking_library", "finalize")


@cache
def _pipeline() -> Any:
    """Return a pipeline that takes Numba only as far as LLVM's language; None is its own, three times as slow here."""
    from numba.core import cgutils, codegen, compiler

    if not all(hasattr(codegen.CPUCodeLibrary, name) for name in _OVERRIDDEN):
        return None

    class CodeAsText(codegen.CPUCodeLibrary):
        """The code of a function as texts, of it and of all that it calls."""

        def __init__(self, *given: Any) -> None:
            cast(Any, super()).__init__(*given)
            self.parts: dict[str, None] = {}

        def add_ir_module(self, module: Any) -> None:
            self.parts[cgutils.normalize_ir_text(str(module))] = None

        def add_linking_library(self, library: Any) -> None:
            if isinstance(library, CodeAsText):
                self.parts |= library.parts
            else:  # of a function that Numba brings itself
                library._ensure_finalized()
                self.parts[str(library._final_module)] = None

        def finalize(self) -> None:
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            return 0  # there is no machine code to point to

        @property
        def codegen(self) -> Any:
            return self  # asked for only to call:

        def set_env(self, name: str, env: Any) -> None: ...

    class Pipeline(compiler.CompilerBase):
        def define_pipelines(self) -> list[Any]:
            state = self.state
            state.library = CodeAsText(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return [compiler.DefaultPassBuilder.define_nopython_pipeline(state)]

    return Pipeline


def _machine() -> Any:
    """Return a new code generator for this processor. It belongs to whom it is given, and goes with it."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=_features(), opt=3, jit=True)


def _features() -> str:
    return str(llvm.get_host_cpu_features().flatten())
