"""Modules whose names are imported when they are first asked for, so that who needs little waits for little."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_IMPORT = re.compile(r"^from (\S+) import (\w+) as (\w+)$", re.MULTILINE)


def lazy_names(module: str, file: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__all__``, ``__getattr__`` and ``__dir__`` of a module, of its ``__name__`` and ``__file__``.

    The stub beside the file (``.pyi``) imports each name as ``from home import name as name``; type checkers read it,
    too.
    """
    stub = Path(file).with_suffix(".pyi").read_text(encoding="utf-8")
    homes = {name: (home, there) for home, there, name in _IMPORT.findall(stub)}

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home, there = homes[name]
        value = getattr(importlib.import_module(home), there)
        return vars(sys.modules[module]).setdefault(name, value)

    def names() -> list[str]:
        return sorted({*vars(sys.modules[module]), *homes})

    return sorted(homes), get, names
