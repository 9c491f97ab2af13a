"""How pip builds this package: as setuptools does, with all loops of the code compiled and put into a library.

What compiles them, and a linker where this machine has no C compiler or no `wasm-ld`, are asked for only where a wheel
is built: an editable install compiles when something is first needed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403 - what pip asks for by its name
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent.parent

#: Where the libraries are made: what is the same the next time is not made again, and a checkout uses them.
LOOPS = ROOT / "build" / "loops"

#: What of that is for web pages, by how it ends: it goes beside what loads it.
_FOR_PAGES = (".wasm", "collision.json")


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return what building a wheel needs: what compiles loops, and what links them, and WebAssembly, if it is not here.

    Every system that loops are compiled for has a wheel of ziglang.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["compile"]]
    needed = [text for text in needed if text.startswith(("numpy", "numba", "llvmlite"))]
    linking = _module("collision.native.linking")
    if linking.own_target() is None:
        return build_meta.get_requires_for_build_wheel(config_settings)  # there is no code for this system
    if linking.c_compiler() is None or linking.wasm_linker() is None:
        needed.append("ziglang>=0.13")
    return [*build_meta.get_requires_for_build_wheel(config_settings), *needed]


def _module(name: str) -> Any:
    """Import a module, but not the packages that it is in, which need NumPy."""
    import importlib

    sys.path.insert(0, str(ROOT))
    parts = name.split(".")
    for count in range(1, len(parts)):
        package = ".".join(parts[:count])
        if package not in sys.modules:
            sys.modules[package] = ModuleType(package)
            sys.modules[package].__path__ = [str(ROOT.joinpath(*parts[:count]))]
    return importlib.import_module(name)


class BuildPy(build_py):
    """Copies the modules, and the library of what is compiled beside them."""

    def run(self) -> None:
        """Do it."""
        super().run()
        if self.editable_mode or _module("collision.native.linking").own_target() is None:
            return
        command = [sys.executable, str(Path(__file__).with_name("compile_loops.py")), str(LOOPS)]
        if subprocess.run(command, check=False).returncode:
            raise SystemExit("the loops are not compiled; what is above says why")
        library = Path(self.build_lib, "collision", "native", "library")
        shutil.rmtree(library, ignore_errors=True)
        library.mkdir()
        for path in LOOPS.iterdir():
            if path.is_file():
                shutil.copy(path, library.parents[1] / "wasm" if path.name.endswith(_FOR_PAGES) else library)


class PlatformWheel(bdist_wheel):
    """A wheel for every Python, and for systems of one kind."""

    def finalize_options(self) -> None:
        """See what the wheel is for."""
        if _module("collision.native.linking").own_target() is not None:
            self.distribution.has_ext_modules = lambda: True
        super().finalize_options()

    def get_tag(self) -> tuple[str, str, str]:
        """Return the tags of the file's name."""
        system = super().get_tag()[2]
        if self.root_is_pure:
            return "py3", "none", "any"
        if sys.platform == "darwin" and not self.plat_name_supplied:
            # Python's own tag may promise code for both kinds of processors.
            triple = _module("collision.native.linking").own_target().triple
            first, second = triple.rpartition("macosx")[2].split(".")[:2]
            system = f"macosx_{first}_{second}_{triple.partition('-')[0]}"
        return "py3", "none", system
