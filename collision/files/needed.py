"""MuJoCo, imported when it is needed and not before."""

from __future__ import annotations

import sys
from types import ModuleType


class ImporterError(ValueError):
    """A model cannot be read; the text says which file, and what is wrong with it."""


def need_mujoco(what: str) -> ModuleType:
    """Return MuJoCo, or say what takes it, and how to get it."""
    try:
        import mujoco
    except ImportError as error:
        how = f"get it with: {sys.executable} -m pip install mujoco"
        raise ImporterError(f"{what} takes MuJoCo ({error}); {how}") from error
    found: ModuleType = mujoco
    return found
