"""How object code becomes a library: by the C compiler of the machine that builds, or by that of the package `ziglang`.

The code calls nothing but what every process has, so no library is linked to it, and nothing is asked of the C library
but that it is there.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib import util
from pathlib import Path

from collision.native.targets import Target

#: The systems as Zig knows them.
_ZIG = {"linux": "linux-gnu", "apple": "macos", "windows": "windows-gnu"}


class NoLinkerError(RuntimeError):
    """Nothing here makes a library of object code."""


def suffix(target: Target) -> str:
    """Return how the names of libraries end."""
    return ".dll" if "windows" in target.triple else ".dylib" if "apple" in target.triple else ".so"


def link(target: Target, objects: Sequence[Path], library: Path) -> None:
    """Make a library of object code.

    Raises
    ------
    NoLinkerError
        If there is nothing here that can.
    """
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
    """Return the command that makes libraries for a target.

    Raises
    ------
    NoLinkerError
        If there is nothing here that can.
    """
    command = c_compiler() if _is_own(target) else None
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


def c_compiler() -> list[str] | None:
    """Return the command of a C compiler that can link libraries for this machine; None where there is none."""
    if sys.platform == "win32":
        return None  # what is compiled here is not of the form that Microsoft's takes
    for named in (os.environ.get("CC"), "cc", "gcc", "clang"):
        command = shlex.split(named or "")
        if command and shutil.which(command[0]) and _links(command):
            return command
    return None


def _links(command: Sequence[str]) -> bool:
    with tempfile.TemporaryDirectory() as place:
        source, library = Path(place, "nothing.c"), Path(place, "nothing.so")
        source.write_text("int nothing;\n", encoding="utf-8")
        stated = [] if sys.platform == "darwin" else ["-nostdlib"]
        tried = [*command, "-shared", "-fPIC", *stated, "-o", str(library), str(source)]
        return subprocess.run(tried, capture_output=True, check=False).returncode == 0


def _is_own(target: Target) -> bool:
    from collision.native.targets import targets

    return target.triple in {own.triple for own in targets()}
