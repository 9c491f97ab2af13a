"""How the module is made: Numba's code of every loop, joined, optimized as a whole by LLVM, and linked by `wasm-ld`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import util
from pathlib import Path

from collision.kernels import straight
from collision.kernels.loops import BOUNDS, LOOPS
from collision.native import Loop, loops_of
from collision.native.linking import WASM
from collision.queries.casts import HITS
from collision.scene.pairs import SCENE_TOUCHING
from collision.wasm.tables import tables

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


def build(folder: Path, code: Path | None = None) -> Path | None:
    """Compile the module, write it and its tables in a folder, and return its path, if it could be linked."""
    path, command = folder / MODULE, linker()
    path.unlink(missing_ok=True)  # it may be of another version
    if command is None:
        print("no WebAssembly module: there is no wasm-ld here (Debian's lld, or PyPI's ziglang)", file=sys.stderr)
        return None
    from collision.native.ahead import code_for, module_of  # and with them llvmlite

    every = loops()
    with tempfile.TemporaryDirectory() as temporary:
        if code is None:
            code = Path(temporary, "loops.o")
            code.write_bytes(code_for(module_of(every), WASM))
        exports = [f"--export={loop.name}" for loop in every]
        subprocess.run([*command, *_LINKED, "--export=__heap_base", *exports, "-o", str(path), str(code)], check=True)
    (folder / TABLES).write_text(json.dumps(tables(every), separators=(",", ":")) + "\n", encoding="utf-8")
    return path


def linker() -> Sequence[str] | None:
    """Return the command that links WebAssembly, if there is one."""
    found = shutil.which("wasm-ld")
    if found is not None:
        return [found]
    return [sys.executable, "-m", "ziglang", "wasm-ld"] if util.find_spec("ziglang") else None
