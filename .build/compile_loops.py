"""Compile all loops, and link them: ``python .build/compile_loops.py FOLDER``.

It needs NumPy and what compiles, and nothing else of what the package needs: so it is a program, and not a part of it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

# The viewer's loops are in modules that need no renderer; the packages that they are in do. A process that is started
# to share the work comes through here, too.
for name in ("viewer", "viewer.stage"):
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__path__ = [str(ROOT.joinpath(*name.split(".")))]

os.environ["COLLISION_CODE"] = "compiled"  # what was built before may be what is built anew

if __name__ == "__main__":
    from collision.native.ahead import build
    from collision.native.linking import NoLinkerError, own_target, wasm_linker
    from collision.wasm import MODULES, loops
    from collision.wasm import build as build_module

    folder, target = Path(sys.argv[1]), own_target()
    if target is None:
        sys.exit("this is a system that no library is made for")
    pages = [loop.name for loop in loops()] if wasm_linker() else []
    try:
        done = build(folder, ("collision",), target, pages)
    except NoLinkerError as error:
        sys.exit(f"no library can be made: {error}")
    for name in MODULES:
        (folder / name).unlink(missing_ok=True)  # it may be of another version
    if done.wasm is None:
        print("no WebAssembly module: there is no wasm-ld here (Debian's lld, or PyPI's ziglang)", file=sys.stderr)
    else:
        build_module(folder, done.wasm)
