"""How the module is made: Numba's code of every loop, joined, optimized as a whole by LLVM, and linked by `wasm-ld`."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tempfile
from collections.abc import Collection, Iterable, Iterator
from importlib import util
from itertools import chain, combinations
from pathlib import Path
from typing import Any

from collision.broadphase.search import MET, PAIRS
from collision.broadphase.tree import BUILD
from collision.broadphase.volumes import BoundingBoxes, Lines
from collision.kernels import straight
from collision.kernels.loops import BOUNDS, LOOPS
from collision.kernels.table import CoreType
from collision.native import Loop, linking, loops_of, on_compile
from collision.native.library import LEFT, NoCodeError, bytecode, compilers
from collision.native.linking import WASM, wasm_linker
from collision.queries.casts import HITS
from collision.scene.pairs import SCENE_TOUCHING
from collision.shapes.kinds import KINDS, Shape
from collision.wasm.tables import Json, tables

#: What `build` writes: the module with all loops, and the tables of how to call it.
MODULE, TABLES = "collision.wasm", "collision.json"

#: The cores whose kernels take more code than those of all others.
_LARGE = (CoreType.CYLINDER, CoreType.HULL)

#: Bytes for what does not fit into registers. They lie below all else: more would be an error, not wrong numbers.
_STACK = 1 << 16

_LINKED = ("--no-entry", "--strip-all", "--gc-sections", "-O2", "--stack-first", "-z", f"stack-size={_STACK}")


def loops() -> list[Loop]:
    """Return the loops that the module has, in the order of their names."""
    pairs = [loop for made in LOOPS.values() for loop in (made.record, made.distance)]
    one_each = [*BOUNDS.values(), *HITS.values(), straight.LOOP]
    return _in_order([*pairs, *one_each, *loops_of("collision.broadphase"), SCENE_TOUCHING])


def _page_loops(cores: Collection[CoreType]) -> list[Loop]:
    """Return the loops that an exported page calls about shapes of some cores."""
    pairs = [made.record for pair, made in LOOPS.items() if {*pair} <= {*cores}]
    one_each = [made[core] for made in (BOUNDS, HITS) for core in cores]
    return _in_order([*pairs, *one_each, BUILD, PAIRS, MET[BoundingBoxes], MET[Lines]])


def _in_order(some: Iterable[Loop]) -> list[Loop]:
    found = {loop.name: loop for loop in some}
    return [found[name] for name in sorted(found)]


def _pages() -> Iterator[tuple[str, list[Loop]]]:
    """Yield the name and the loops of each module for exported pages: with none, some, or all of the large cores."""
    for some in chain.from_iterable(combinations(_LARGE, count) for count in range(len(_LARGE) + 1)):
        name = "-".join(["page", *(core.name.lower() for core in some)])
        yield f"{name}.wasm", _page_loops({*CoreType} - {*_LARGE} | {*some})


#: The modules for exported pages, with the loops alone that these call; the smallest one comes first.
PAGES = dict(_pages())

#: The loops of each module.
MODULES = {MODULE: loops(), **PAGES}


def module(name: str = MODULE) -> tuple[bytes, dict[str, Json]]:
    """Return a module, and the tables of how to call it.

    An installed package has both beside this file. A checkout takes those that ``pip install .`` has left in `build/`,
    if they are of just this code; otherwise the modules are built when one is first asked for, in half a minute, and
    kept in the cache.

    Parameters
    ----------
    name : str
        One of `MODULES`.

    Returns
    -------
    code : bytes
        What `load` of ``collision.mjs`` takes first.
    tables : dict
        What it takes then, for JSON.

    Raises
    ------
    NoCodeError
        If there is no module, and something that builds one is missing; the text says what.
    """
    beside = Path(__file__).parent
    if (beside / MODULE).exists():
        return (beside / name).read_bytes(), _of_module(name, _read_tables(beside))
    own = _own_tables()
    if (LEFT / name).exists() and _read_tables(LEFT).get("made") == own["made"]:
        return (LEFT / name).read_bytes(), _of_module(name, own)
    return _kept(name, str(own["made"])), _of_module(name, own)


def page_module(kinds: Collection[type[Shape]] | None = None) -> tuple[bytes, dict[str, Json]]:
    """Return the smallest module for pages that have shapes of some kinds, or any, and its tables, as `module` does."""
    asked = {BOUNDS[kind.core_type] for kind in (KINDS if kinds is None else kinds)}
    return module(next(name for name, own in PAGES.items() if asked <= {*own}))


def _of_module(name: str, every: dict[str, Any]) -> dict[str, Json]:
    """Return the tables of a module, given those of all loops."""
    return {**every, "loops": {loop.name: every["loops"][loop.name] for loop in MODULES[name]}}


def _read_tables(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / TABLES).read_text(encoding="utf-8"))
    return found


def _kept(name: str, digest: str) -> bytes:
    """Return a module of this code from the cache, where all are put if it is not there."""
    missing = [package for package in ("numba", "llvmlite") if util.find_spec(package) is None]
    if not missing:
        from collision.native.ahead import code_for, module_of  # and with them llvmlite
        from collision.native.cache import ObjectFile
        from collision.native.compiler import ObjectCode

        files = {each: ObjectFile(each, digest) for each in MODULES}
        made = files[name].read()
        if made is not None:
            return made.code
        if wasm_linker() is not None:
            with files[MODULE].locked():
                made = files[name].read()
                if made is None:  # no other process has built it meanwhile
                    for call in on_compile:
                        call("webassembly")
                    code = code_for(module_of(loops()), WASM)
                    for each, file in files.items():
                        linked = ObjectCode("", _linked(code, MODULES[each]))
                        file.write(linked)
                        made = linked if each == name else made
            assert made is not None
            return made.code
    missing += [] if wasm_linker() else ["wasm-ld"]
    raise NoCodeError(
        f"there is no WebAssembly module, and what builds it is missing ({', '.join(missing)}): "
        'pip install "." installs the module; in the checkout, pip install --editable ".[compile]" ziglang brings what '
        "builds it"
    )


def build(folder: Path, code: Path | None = None) -> Path:
    """Write the modules and the tables in a folder: as `module` has them, or linked of object code.

    Returns the path of the module with all loops.
    """
    for name, own in MODULES.items():
        made = module(name)[0] if code is None else _linked(code.read_bytes(), own)
        (folder / name).write_bytes(made)
    (folder / TABLES).write_text(json.dumps(_own_tables(), separators=(",", ":")) + "\n", encoding="utf-8")
    return folder / MODULE


def _linked(code: bytes, own: Iterable[Loop]) -> bytes:
    """Return the module that object code is, once linked; what its loops do not need is left out."""
    command = wasm_linker()
    assert command is not None
    with tempfile.TemporaryDirectory() as temporary:
        source, path = Path(temporary, "loops.o"), Path(temporary, MODULE)
        source.write_bytes(code)
        exports = [f"--export={loop.name}" for loop in own]
        subprocess.run([*command, *_LINKED, "--export=__heap_base", *exports, "-o", str(path), str(source)], check=True)
        return path.read_bytes()


def _own_tables() -> dict[str, Json]:
    """Return the tables of this code, and a digest of all that the modules are made of and by."""
    every = loops()
    made = hashlib.sha256(repr([bytecode(), compilers(), *(loop.digest for loop in every)]).encode())
    own = Path(linking.__file__)
    for source in (Path(__file__), own, own.with_name("ahead.py")):
        made.update(source.read_bytes())
    return {"made": made.hexdigest(), **tables(every)}
