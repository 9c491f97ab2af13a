"""How a function over raw memory becomes object code, by Numba and LLVM, and how object code is loaded."""

from __future__ import annotations

import gc
import hashlib
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
C_LIBRARY = {"sqrt", "memcpy", "memmove", "memset"}


class ObjectCode(NamedTuple):
    """Machine code as a file keeps it, and the name of the function in it."""

    symbol: str
    code: bytes


class Assembly(NamedTuple):
    """What Numba makes of a loop and of all the kernels that it calls, and the name of the loop's function in it.

    It is in LLVM's language, a text for each of them, and not optimized yet: code for any processor can be made of it.
    Loops that call the same kernels share their texts.
    """

    symbol: str
    parts: tuple[str, ...]


def compiled(name: str, function: Callable[..., Any], arguments: Sequence[str], result: str | None) -> ObjectCode:
    """Compile a loop, with all the kernels that it calls.

    Raises
    ------
    RuntimeError
        If Numba cannot compile it without Python and memory of its own, or if the code needs more than the C library:
        what only a running Numba could provide.
    """
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
    with _no_garbage_collection(), _calls_asked_once():
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
    made: Any = numba.njit(**options)(function)
    asked, plain = made.get_call_template, cast(Any, numba.types.unliteral)

    def template(given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        return asked(tuple(map(plain, given)), {name: plain(kind) for name, kind in named.items()})

    made.get_call_template = template  # one for all integers, not one for each constant that it is called with
    return made


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


#: What of Numba is overridden: see `_pipeline`.
_OVERRIDDEN = ("add_ir_module", "add_linking_library", "finalize")

#: Passes of Numba that have nothing to do in kernels, but look at all of them: for closures, array expressions, what is
#: to be inlined, literals to be unrolled, and for where variables die, whose memory would then be cleared.
_NOT_NEEDED = (
    "InlineClosureLikes", "NopythonRewrites", "InlineInlinables", "InlineOverloads", "MakeFunctionToJitFunction",
    "FindLiterallyCalls", "LiteralUnroll", "LiteralPropagationSubPipelinePass", "WithLifting", "RewriteDynamicRaises",
    "NoPythonSupportedFeatureValidation", "IRLegalization", "DumpParforDiagnostics",
)  # fmt: skip


@cache
def _pipeline() -> Any:
    """Return how Numba is to compile: each function once, and only as far as LLVM's language.

    Numba's own way links all that a function calls to it, function by function, and optimizes that. Here it is all put
    together once, by `linked`. It has no switch for that, so the methods that do the rest are overridden. Where a
    version of Numba has no such methods, its own way (None) does: it takes twice as long, to the same end.
    """
    from numba.core import codegen, compiler

    if not all(hasattr(codegen.CPUCodeLibrary, name) for name in _OVERRIDDEN):
        return None

    class Pipeline(compiler.CompilerBase):
        def define_pipelines(self) -> list[Any]:
            state, library = self.state, _library_class()
            state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            manager = compiler.DefaultPassBuilder.define_nopython_pipeline(state)
            manager.passes = [step for step in manager.passes if step[0].__name__ not in _NOT_NEEDED]
            return [manager]

    return Pipeline


@cache
def _library_class() -> Any:
    """Return the class of what Numba puts the code of a function into: texts, of it and of all that it calls."""
    from numba.core import cgutils, codegen

    class Library(codegen.CPUCodeLibrary):
        def __init__(self, *given: Any) -> None:
            cast(Any, super()).__init__(*given)
            self.parts: dict[str, None] = {}

        def add_ir_module(self, module: Any) -> None:
            self.parts[cgutils.normalize_ir_text(str(module))] = None

        def add_linking_library(self, library: Any) -> None:
            if not isinstance(library, Library):  # of a function that Numba brings itself
                library._ensure_finalized()
                self.parts[str(library._final_module)] = None
            else:
                self.parts |= library.parts

        def finalize(self) -> None:
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            return 0  # there is no machine code to point to

        @property
        def codegen(self) -> Any:
            return self  # asked for only to call:

        def set_env(self, name: str, env: Any) -> None: ...

    return Library


@contextmanager
def _calls_asked_once() -> Iterator[None]:
    """Have Numba ask once what the sum of two floats is: that, of a dozen templates, takes a quarter of its time."""
    from numba import types
    from numba.core.registry import cpu_target

    context: Any = cpu_target.typing_context
    asked, known = context.resolve_function_type, _known_calls()

    def resolved(function: Any, given: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
        if type(function) not in (types.Function, types.NamedTupleClass):  # a kernel
            return asked(function, given, named)
        key = function, given, *named.items()
        signature = known.get(key) or asked(function, given, named)
        if signature is not None and _is_always_so(function, signature):
            known[key] = signature
        return signature

    context.resolve_function_type = resolved
    try:
        yield
    finally:
        del context.resolve_function_type  # that of its class is there again


def _is_always_so(function: Any, signature: Any) -> bool:
    """Tell whether a call is the same in whatever is compiled: Numba makes code for it where that is needed.

    For others, such as `max`, it has code that it compiled with the options of who asked last, such as `fastmath`.
    """
    made: object = function.get_impl_key(signature)
    return made is type(function) or made is getattr(function, "typing_key", None)


@cache
def _known_calls() -> dict[tuple[Any, ...], Any]:
    """Return the signatures of calls of what Numba brings itself, by what is called and what it is given."""
    return {}


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
