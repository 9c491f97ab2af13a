"""All loops compiled before anybody needs one, and linked to libraries: what building the package does.

Numba takes half of the time, and what it makes of a kernel serves all loops of a process. So loops are dealt out to as
many processes as there are processors, those that share kernels together; each makes of its loops one module of LLVM's.
The object code of a module for a target is made by the process that is done first.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding as llvm

from collision.native import linking
from collision.native.compiler import C_LIBRARY, Assembly, assembled, optimized
from collision.native.digest import dependencies
from collision.native.library import (
    IDENTITY,
    Built,
    Manifest,
    bytecode,
    compilers,
    digest_of,
    signature,
    system,
)
from collision.native.loop import Loop
from collision.native.targets import WASM, Target
from collision.native.warming import loops_of


class Piece(NamedTuple):
    """Object code to be made of a module: of which of its loops, and the file."""

    names: tuple[str, ...]
    path: Path


class Order(NamedTuple):
    """Loops of packages, which are to become one module, and what is to be made of it for each target."""

    packages: tuple[str, ...]
    names: tuple[str, ...]
    pieces: Mapping[Target, Piece]


class Module(NamedTuple):
    """A module of LLVM's as other processes take it, and the names of its functions by those of the loops."""

    bitcode: bytes
    symbols: Mapping[str, str]


class Done(NamedTuple):
    """What `build` has made.

    Attributes
    ----------
    manifest : Manifest
        What is in the libraries; it is written, too.
    wasm : Path or None
        Object code for web pages, where it was wanted.
    """

    manifest: Manifest
    wasm: Path | None


def build(
    folder: Path,
    packages: Sequence[str],
    made_for: Sequence[Target],
    wide: Collection[str] = (),
    widest: Collection[str] = (),
    wasm: Collection[str] = (),
    processes: int | None = None,
) -> Done:
    """Compile all loops of packages, and link a library for each target.

    Object code is kept in the folder, so that only what has changed is compiled when this is done again.

    Parameters
    ----------
    folder : Path
        Where the libraries and what says what is in them go.
    packages : sequence of str
        As for `loops_of`.
    made_for : sequence of Target
        The best first. What runs on the last runs on all of them.
    wide : collection of str
        The names of loops that each target with a library is worth code of its own for.
    widest : collection of str
        Those of them that each target is, also one that is part of another's library.
    wasm : collection of str
        Those of them that are compiled for web pages, too.
    processes : int, optional
        How many to use; by default one for each processor.

    Raises
    ------
    NoLinkerError
        If nothing here makes a library of what would be compiled.
    """
    for target in made_for:
        linking.linker(target)  # sooner than after minutes of compiling
    loops = _loops(tuple(packages))
    count = processes or _processors()
    # What is wide is one group: it is the most work, and code for pages is small if no kernel is in it twice.
    first, pages, few = tuple(sorted(wide)), tuple(sorted(wasm)), tuple(sorted(widest))
    groups = [first, *dealt([loop for name, loop in loops.items() if name not in first], max(1, count - bool(first)))]
    digests = {name: digest_of(loop.function, loop.arguments, loop.result) for name, loop in loops.items()}
    made: dict[tuple[str, ...], dict[Target, Piece]] = {}
    for group in filter(None, groups):
        for target in (*made_for, WASM) if group == first else made_for[-1:]:
            names = pages if target == WASM else few if target.part_of else group
            if names:
                named = _file(target, [digests[name] for name in names])
                made.setdefault(group, {})[target] = Piece(names, folder / "objects" / named)
    _compile_all([Order(tuple(packages), *each) for each in made.items()], count)
    identity, built = _linked_for(made_for, [*made.values()], folder)
    called = {name: [digests[name], signature(loop.arguments, loop.result)] for name, loop in loops.items()}
    manifest = Manifest(identity, bytecode(), system(), compilers(), built, called)
    manifest.write(folder)
    pages_code = made.get(first, {}).get(WASM)
    return Done(manifest, pages_code and pages_code.path)


def _linked_for(
    made_for: Sequence[Target], made: Sequence[Mapping[Target, Piece]], folder: Path
) -> tuple[str, list[Built]]:
    """Link a library for each target that has one; return the identity of all, and what is to be said of each."""
    whole, last = {target.baseline: target for target in made_for if not target.part_of}, made_for[-1]
    parts = {baseline: [each.get(target, each[last]).path for each in made] for baseline, target in whole.items()}
    for target in made_for:
        if target.part_of:
            parts[target.part_of] += [each[target].path for each in made if target in each]
    identity = hashlib.sha256(b"".join(path.read_bytes() for own in parts.values() for path in own)).hexdigest()
    libraries = {}
    for baseline, target in whole.items():
        said = folder / "objects" / f"identity-{baseline}.o"
        said.write_bytes(_identity(target, identity))
        libraries[baseline] = folder / f"loops-{baseline}{linking.suffix(target)}"
        linking.link(target, [*parts[baseline], said], libraries[baseline])
    return identity, [
        Built.of(target.baseline, libraries[target.part_of or target.baseline], target.needs) for target in made_for
    ]


def _compile_all(orders: Sequence[Order], processes: int) -> None:
    """Do what orders say, all but what was done before, and forget what was done for others."""
    kept = {piece.path for order in orders for piece in order.pieces.values()}
    folder = next(iter(kept)).parent
    folder.mkdir(parents=True, exist_ok=True)
    for path in set(folder.iterdir()) - kept:
        path.unlink()
    left = []
    for order in orders:
        pieces = {target: piece for target, piece in order.pieces.items() if not piece.path.exists()}
        if pieces:
            left.append(order._replace(pieces=pieces))
    if processes == 1:
        for order in left:
            for piece in _pieces(order, _module(order)):
                _compile(*piece)
    elif left:
        assembled(_nothing, (), None)  # has Numba get ready once, where processes begin as copies of this one
        with ProcessPoolExecutor(processes) as pool:
            modules = {pool.submit(_module, order): order for order in left}
            codes = []
            for done in as_completed(modules):
                codes += [pool.submit(_compile, *piece) for piece in _pieces(modules[done], done.result())]
            for code in codes:
                code.result()


def _nothing() -> None:
    """Do nothing."""


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _loops(packages: tuple[str, ...]) -> dict[str, Loop]:
    return {loop.name: loop for loop in loops_of(*packages, all_installed=False)}


def dealt(loops: Sequence[Loop], count: int) -> list[tuple[str, ...]]:
    """Deal loops out to some groups that take about as long, so that few kernels are in several.

    Returns
    -------
    list of tuple of str
        The names of the loops of each group.
    """
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


def _module(order: Order) -> Module:
    """Return the module of the loops of an order."""
    gc.disable()  # Numba makes millions of small objects, and all of them live as long as this process
    loops = _loops(order.packages)
    return module_of([loops[name] for name in order.names])


def _pieces(order: Order, module: Module) -> Iterator[tuple[Module, Target, Path]]:
    """Return what is left to do once there is a module."""
    for target, (names, path) in order.pieces.items():
        yield module._replace(symbols={name: module.symbols[name] for name in names}), target, path


def _compile(module: Module, target: Target, path: Path) -> None:
    """Write the object code of a module for a target."""
    whole = path.with_suffix(f".{target.baseline}.part")
    whole.write_bytes(code_for(module, target))
    whole.replace(path)


def module_of(loops: Iterable[Loop]) -> Module:
    """Return the module that loops are together, which is not optimized yet."""
    assemblies = {}
    for loop in loops:
        for kernel in dependencies(loop.function).kernels:
            kernel.renew(dependencies(kernel.function).digest)
        assemblies[loop.name] = assembled(loop.function, loop.arguments, loop.result)
    symbols = {name: made.symbol for name, made in assemblies.items()}
    return Module(_linked(assemblies.values()).as_bitcode(), symbols)


def _linked(assemblies: Iterable[Assembly]) -> Any:
    """Return what `compiler.linked` does: two modules at a time, as LLVM looks at all of one that another comes to."""
    modules = [llvm.parse_assembly(part) for part in dict.fromkeys(part for made in assemblies for part in made.parts)]
    while len(modules) > 1:
        for one, other in zip(modules[::2], modules[1::2], strict=False):
            one.link_in(other)
        modules = modules[::2]
    for constant in modules[0].global_variables:
        constant.linkage = "internal"
    return modules[0]


def code_for(made: Module, target: Target) -> bytes:
    """Return the object code of a module for a target, with loops under their names with its prefix.

    Raises
    ------
    RuntimeError
        If it would call what there is not.
    """
    module, machine = llvm.parse_bitcode(made.bitcode), _machine(target)
    names = [f"{target.prefix}{name}" for name in made.symbols]
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    for name, symbol in zip(names, made.symbols.values(), strict=True):
        module.get_function(symbol).name = name
        if "windows" in target.triple:
            module.get_function(name).storage_class = "dllexport"
    for function in module.functions:
        if target.small and not function.is_declaration:
            function.add_function_attribute("optsize")
    foreign = set(optimized(module, machine, set(names))) - C_LIBRARY - {"sqrt"}  # which is an instruction
    if foreign:
        raise RuntimeError(f"the loops are not freestanding: they call {', '.join(sorted(foreign))}")
    code: bytes = machine.emit_object(module)
    return code


def _machine(target: Target) -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    of = llvm.Target.from_triple(target.triple)
    return of.create_target_machine(cpu=target.cpu, features=target.features, opt=3, reloc="pic", codemodel="default")


def _identity(target: Target, text: str) -> bytes:
    """Return the object code of a text that is found in a library."""
    exported = "dllexport " if "windows" in target.triple else ""
    assembly = f'@{IDENTITY} = {exported}constant [{len(text) + 1} x i8] c"{text}\\00"'
    module, machine = llvm.parse_assembly(assembly), _machine(target)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    code: bytes = machine.emit_object(module)
    return code


def _file(target: Target, digests: Sequence[str]) -> str:
    """Return the name of a file for the object code of loops, which differs where the code may."""
    versions = [metadata.version(name) for name in ("numba", "llvmlite")]
    own = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    facts = json.dumps([bytecode(), compilers(), own, versions, target._replace(needs=()), digests])
    return f"{target.baseline}-{hashlib.sha256(facts.encode()).hexdigest()[:20]}.o"
