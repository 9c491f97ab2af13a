"""All loops compiled before anybody needs one, and linked to a library: what building the package does.

What Numba makes of a kernel serves all loops of a process, so processes take loops that share kernels together.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import llvmlite.binding as llvm

from collision.native.compiler import C_LIBRARY, assembled, linked, optimized
from collision.native.digest import dependencies
from collision.native.library import PREFIX, Manifest, bytecode, checksum, compilers, system
from collision.native.linking import WASM, Target, library_name, link, linker
from collision.native.loop import Loop, loops_of
from collision.native.threads import processors


class Module(NamedTuple):
    """A module of LLVM's, which is not optimized yet, and the names of its functions by those of the loops."""

    bitcode: bytes
    symbols: Mapping[str, str]


#: The names of loops, and where the object code that they are together goes for each target.
Order: TypeAlias = "tuple[tuple[str, ...], Mapping[Target, Path]]"


class Built(NamedTuple):
    """What `build` has made: what is in the library, and the object code for web pages, if there are loops for them."""

    manifest: Manifest
    wasm: Path | None


def build(
    folder: Path,
    packages: Sequence[str],
    target: Target,
    wasm: Collection[str] = (),
    processes: int | None = None,
) -> Built:
    """Compile all loops of packages, and link a library for a target in a folder; object code is kept there.

    The loops with the names in `wasm` are compiled for web pages, too.
    """
    linker(target)  # sooner than after minutes of compiling
    loops, count = _loops(tuple(packages)), processes or processors()
    digests = {name: loop.digest for name, loop in loops.items()}
    # Those for pages are one group, so that no kernel is in their code twice.
    others = [loop for name, loop in loops.items() if name not in wasm]
    groups = [*filter(None, [tuple(sorted(wasm))]), *dealt(others, max(1, count - bool(wasm)))]
    objects = folder / "objects"
    objects.mkdir(parents=True, exist_ok=True)
    orders = []
    for group in groups:
        targets = (target, WASM) if group[0] in wasm else (target,)
        orders.append((group, {one: objects / _file(one, [digests[name] for name in group]) for one in targets}))
    _compile_all(tuple(packages), orders, count)
    library = folder / library_name(target)
    link(target, [paths[target] for _, paths in orders], library)
    manifest = Manifest(
        python=bytecode(),
        system=system(),
        compilers=compilers(),
        baseline=target.baseline,
        needs=[*target.needs],
        file=library.name,
        checksum=checksum(library),
        loops={name: [digests[name], loop.signature] for name, loop in loops.items()},
    )
    manifest.write(folder)
    return Built(manifest, next((paths[WASM] for _, paths in orders if WASM in paths), None))


def _compile_all(packages: tuple[str, ...], orders: Sequence[Order], count: int) -> None:
    """Compile all but what was compiled before, and forget what was compiled for others."""
    kept = {path for _, paths in orders for path in paths.values()}
    for path in {*next(iter(kept)).parent.iterdir()} - kept:
        path.unlink()
    left = [(names, {target: path for target, path in paths.items() if not path.exists()}) for names, paths in orders]
    left = [(names, paths) for names, paths in left if paths]
    # Numba makes millions of small objects, and all of them live as long as these processes.
    with ProcessPoolExecutor(count, initializer=gc.disable) as pool:
        groups = {pool.submit(module_of_names, packages, names): paths for names, paths in left}
        codes = []
        for made in as_completed(groups):  # which process optimizes a module does not matter
            codes += [pool.submit(write_code, made.result(), *one) for one in groups[made].items()]
        for code in codes:
            code.result()


def module_of_names(packages: tuple[str, ...], names: Sequence[str]) -> Module:
    """Return the module that some loops of packages are together."""
    return module_of([_loops(packages)[name] for name in names])


def write_code(module: Module, target: Target, path: Path) -> None:
    """Write the object code of a module for a target to a file, whole or not at all."""
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_bytes(code_for(module, target))
    part.replace(path)


@cache
def _loops(packages: tuple[str, ...]) -> dict[str, Loop]:
    return {loop.name: loop for loop in loops_of(*packages, all_installed=False)}


def dealt(loops: Sequence[Loop], count: int) -> list[tuple[str, ...]]:
    """Deal loops out, by their names, to some groups that take about as long, so that few kernels are in several."""
    needed = {loop.name: {id(kernel): kernel for kernel in dependencies(loop.function).kernels} for loop in loops}
    cost = {
        key: len(kernel.function.__code__.co_code) for kernels in needed.values() for key, kernel in kernels.items()
    }
    total = {name: sum(cost[key] for key in kernels) for name, kernels in needed.items()}
    groups: list[list[str]] = [[] for _ in range(count)]
    held: list[set[int]] = [set() for _ in range(count)]
    for name in sorted(total, key=lambda name: (-total[name], name)):
        after = [sum(cost[key] for key in have | needed[name].keys()) for have in held]
        best = min(range(count), key=after.__getitem__)
        groups[best].append(name)
        held[best] |= needed[name].keys()
    return [tuple(sorted(group)) for group in groups if group]


def module_of(loops: Iterable[Loop]) -> Module:
    """Return the module that loops are together."""
    assemblies = {}
    for loop in loops:
        for kernel in dependencies(loop.function).kernels:
            kernel.renew(dependencies(kernel.function).digest)
        assemblies[loop.name] = assembled(loop.function, loop.arguments, loop.result)
    return Module(linked(assemblies.values()).as_bitcode(), {name: made.symbol for name, made in assemblies.items()})


def code_for(made: Module, target: Target) -> bytes:
    """Return the object code of a module for a target, refused if it would call what there is not."""
    module, machine = llvm.parse_bitcode(made.bitcode), _machine(target)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    prefix = "" if target == WASM else PREFIX
    for name, symbol in made.symbols.items():
        function = module.get_function(symbol)
        function.name = f"{prefix}{name}"
        if "windows" in target.triple:
            function.storage_class = "dllexport"
    for function in module.functions:
        if target.small and not function.is_declaration:
            function.add_function_attribute("optsize")
    foreign = set(optimized(module, machine, {f"{prefix}{name}" for name in made.symbols}))
    foreign -= C_LIBRARY | {"sqrt"}  # which is an instruction
    if foreign:
        raise RuntimeError(f"the loops are not freestanding: they call {', '.join(sorted(foreign))}")
    code: bytes = machine.emit_object(module)
    return code


def _machine(target: Target) -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    of = llvm.Target.from_triple(target.triple)
    return of.create_target_machine(cpu=target.cpu, features=target.features, opt=3, reloc="pic", codemodel="default")


def _file(target: Target, digests: Sequence[str]) -> str:
    """Return the name of a file for the object code of loops, which differs where the code may."""
    versions = [metadata.version(name) for name in ("numba", "llvmlite")]
    own = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    facts = json.dumps([bytecode(), compilers(), own, versions, target._replace(needs=()), digests])
    return f"{target.baseline}-{hashlib.sha256(facts.encode()).hexdigest()[:20]}.o"
