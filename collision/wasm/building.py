"""How the module is made: Numba's code of every loop, joined, optimized as a whole by LLVM, and linked by `wasm-ld`."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tempfile
from collections.abc import Sequence
from importlib import util
from pathlib import Path
from typing import Any

from collision.kernels import straight
from collision.kernels.loops import BOUNDS, LOOPS
from collision.native import Loop, linking, loops_of, on_compile
from collision.native.library import LEFT, NoCodeError, bytecode, compilers
from collision.native.linking import WASM, wasm_linker
from collision.queries.casts import HITS
from collision.scene.pairs import SCENE_TOUCHING
from collision.wasm.tables import Json, tables

#: What `build` writes: the module, and the tables of how to call it.
MODULE, TABLES = "collision.wasm", "collision.json"

#: Bytes for what does not fit into registers. They lie below all else: more would be an error, not wrong numbers.
_STACK = 1 << 16

_LINKED = ("--no-entry", "--strip-all", "--gc-sections", "-O2", "--stack-first", "-z", f"stack-size={_STACK}")


def loops() -> list[Loop]:
    """Return the loops that the module has, in the order of their names."""
    # What a page needs: distances, records and bounds, the tree and its pairs, ray casts, and sweeps.
    pairs = [loop for made in LOOPS.values() for loop in made]
    one_each = [*BOUNDS.values(), *HITS.values(), *straight.LOOPS.values()]
    found = {loop.name: loop for loop in (*pairs, *one_each, *loops_of("collision.broadphase"), SCENE_TOUCHING)}
    return [found[name] for name in sorted(found)]


def module() -> tuple[bytes, dict[str, Json]]:
    """Return the module, and the tables of how to call it.

    An installed package has both beside this file. A checkout takes those that ``pip install .`` has left in `build/`,
    if they are of just this code; otherwise the module is built when it is first asked for, in half a minute, and kept
    in the cache.

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
        return (beside / MODULE).read_bytes(), _read_tables(beside)
    own = _own_tables(loops())
    if (LEFT / MODULE).exists() and _read_tables(LEFT).get("made") == own["made"]:
        return (LEFT / MODULE).read_bytes(), own
    return _kept(str(own["made"])), own


def _read_tables(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / TABLES).read_text(encoding="utf-8"))
    return found


def _kept(digest: str) -> bytes:
    """Return the module of this code from the cache, where it is put if it is not there."""
    missing = [name for name in ("numba", "llvmlite") if util.find_spec(name) is None]
    if not missing:
        from collision.native.ahead import code_for, module_of  # and with them llvmlite
        from collision.native.cache import ObjectFile
        from collision.native.compiler import ObjectCode

        file = ObjectFile("webassembly", digest)
        made = file.read()
        if made is not None:
            return made.code
        if wasm_linker() is not None:
            with file.locked():
                made = file.read()
                if made is None:  # no other process has built it meanwhile
                    for call in on_compile:
                        call("webassembly")
                    made = ObjectCode("", _linked(code_for(module_of(loops()), WASM), loops()))
                    file.write(made)
            return made.code
    missing += [] if wasm_linker() else ["wasm-ld"]
    raise NoCodeError(
        f"there is no WebAssembly module, and what builds it is missing ({', '.join(missing)}): "
        'pip install "." installs the module; in the checkout, pip install --editable ".[compile]" ziglang brings what '
        "builds it"
    )


def build(folder: Path, code: Path | None = None) -> Path:
    """Write the module and its tables in a folder, and return its path: that of `module`, or linked of object code."""
    path = folder / MODULE
    made, own = module() if code is None else (_linked(code.read_bytes(), loops()), _own_tables(loops()))
    path.write_bytes(made)
    (folder / TABLES).write_text(json.dumps(own, separators=(",", ":")) + "\n", encoding="utf-8")
    return path


def _linked(code: bytes, every: Sequence[Loop]) -> bytes:
    """Return the module that object code is, once linked."""
    command = wasm_linker()
    assert command is not None
    with tempfile.TemporaryDirectory() as temporary:
        source, path = Path(temporary, "loops.o"), Path(temporary, MODULE)
        source.write_bytes(code)
        exports = [f"--export={loop.name}" for loop in every]
        subprocess.run([*command, *_LINKED, "--export=__heap_base", *exports, "-o", str(path), str(source)], check=True)
        return path.read_bytes()


def _own_tables(every: Sequence[Loop]) -> dict[str, Json]:
    """Return the tables of this code, and a digest of all that the module is made of and by."""
    made = hashlib.sha256(repr([bytecode(), compilers(), *(loop.digest for loop in every)]).encode())
    own = Path(linking.__file__)
    for source in (Path(__file__), own, own.with_name("ahead.py")):
        made.update(source.read_bytes())
    return {"made": made.hexdigest(), **tables(every)}
