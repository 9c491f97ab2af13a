"""The systems that libraries are made for, and how object code becomes one: by a C compiler, or by PyPI's `ziglang`."""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import util
from pathlib import Path
from typing import NamedTuple


class Target(NamedTuple):
    """What code is made for: what its processors have in common, by LLVM's names and, in `needs`, by NumPy's."""

    baseline: str
    triple: str
    cpu: str
    features: str
    needs: tuple[str, ...] = ()
    small: bool = False


def _x86_64(triple: str) -> Target:
    return Target("x86-64-v2", triple, "x86-64-v2", "", ("SSE42", "POPCNT"))


def _arm64(triple: str) -> Target:
    return Target("arm64", triple, "generic", "+neon")


#: By `sys.platform` and the processor. Code for Windows is of a form that needs no library of Microsoft's compiler.
SYSTEMS = {
    ("linux", "x86_64"): _x86_64("x86_64-unknown-linux-gnu"),
    ("linux", "arm64"): _arm64("aarch64-unknown-linux-gnu"),
    ("darwin", "x86_64"): _x86_64("x86_64-apple-macosx10.15.0"),
    ("darwin", "arm64"): _arm64("arm64-apple-macosx11.0.0"),
    ("win32", "x86_64"): _x86_64("x86_64-pc-windows-gnu"),
}

#: Web pages. Of what came after the first version of WebAssembly: to copy and to fill memory, which no page then has to
#: provide; and to compare four boxes of a tree at once, which takes less than half of the time. Small code is a quarter
#: smaller, and a sixth slower.
WASM = Target("wasm32", "wasm32-unknown-unknown", "generic", "+bulk-memory,+simd128", small=True)

#: What systems call their processors.
_PROCESSORS = {"x86_64": "x86_64", "amd64": "x86_64", "arm64": "arm64", "aarch64": "arm64"}

#: The systems as Zig knows them.
_ZIG = {"linux": "linux-gnu", "apple": "macos", "windows": "windows-gnu"}


class NoLinkerError(RuntimeError):
    """Nothing here makes a library of object code."""


def own_target() -> Target | None:
    """Return what code is made for on this system; None where it is compiled when it is first needed."""
    return SYSTEMS.get((sys.platform, _PROCESSORS.get(platform.machine().lower(), "")))


def library_name(target: Target) -> str:
    """Return the name of the file of a library."""
    suffix = ".dll" if "windows" in target.triple else ".dylib" if "apple" in target.triple else ".so"
    return f"loops-{target.baseline}{suffix}"


def link(target: Target, objects: Sequence[Path], library: Path) -> None:
    """Make a library of object code; a NoLinkerError is raised if nothing here can."""
    command = linker(target)
    # On Linux what code calls is in every process; elsewhere a library has to say where from.
    stated = ["-nostdlib"] if "linux" in target.triple else []
    part = library.with_name(f"part-{os.getpid()}-{library.name}")
    done = subprocess.run(
        [*command, "-shared", "-s", *stated, "-o", str(part), *map(str, objects)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NoLinkerError(f"{shlex.join(command)} cannot link {library.name}: {done.stderr.strip()}")
    part.replace(library)


def linker(target: Target) -> list[str]:
    """Return the command that makes libraries for a target; a NoLinkerError is raised if there is none."""
    command = c_compiler() if target == own_target() else None
    if command is not None:
        stated = [f"-mmacosx-version-min={target.triple.rpartition('macosx')[2]}"] if sys.platform == "darwin" else []
        return [*command, *stated]
    if util.find_spec("ziglang") is None:
        raise NoLinkerError(
            "neither a C compiler nor the package ziglang is here, and one of them has to link the library: "
            "pip install ziglang"
        )
    processor = target.triple.partition("-")[0].replace("arm64", "aarch64")
    named = next(name for part, name in _ZIG.items() if part in target.triple)
    return [sys.executable, "-m", "ziglang", "cc", "-target", f"{processor}-{named}"]


def wasm_linker() -> list[str] | None:
    """Return the command that links WebAssembly; None where there is none."""
    found = shutil.which("wasm-ld")
    if found is not None:
        return [found]
    return [sys.executable, "-m", "ziglang", "wasm-ld"] if util.find_spec("ziglang") else None


def c_compiler() -> list[str] | None:
    """Return the command of a C compiler that can link libraries for this machine; None where there is none."""
    if sys.platform == "win32":
        return None  # Microsoft's takes object code of another form
    for named in (os.environ.get("CC"), "cc", "gcc", "clang"):
        command = shlex.split(named or "")
        if command and shutil.which(command[0]) and _links(command):
            return command
    return None


def _links(command: Sequence[str]) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "nothing.c"), Path(folder, "nothing.so")
        source.write_text("int nothing;\n", encoding="utf-8")
        stated = [] if sys.platform == "darwin" else ["-nostdlib"]
        tried = [*command, "-shared", "-fPIC", *stated, "-o", str(library), str(source)]
        return subprocess.run(tried, capture_output=True, check=False).returncode == 0
