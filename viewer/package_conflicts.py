"""Other distributions that bring packages of our names: installed beside this one they overwrite its files.

Only the standard library is used, so that it can be asked where nothing else can be imported.
"""

from __future__ import annotations

import sys
from importlib.metadata import packages_distributions

_OWN = "collision-viewer"
_PACKAGES = ("collision", "viewer")


def conflicting_packages() -> list[str]:
    """Return the names of other installed distributions that have a package of one of our names.

    Examples
    --------
    >>> conflicting_packages()
    []
    """
    owners = packages_distributions()
    return sorted({owner for package in _PACKAGES for owner in owners.get(package, []) if owner != _OWN})


def cannot_start(error: Exception) -> str:
    """Say that something cannot be imported, and what to do about it."""
    if getattr(error, "advised", False):  # `collision` says it by itself where there is no machine code
        return f"cannot start: {error}; this is {sys.executable}"
    advice = f"something that it needs is missing or broken. Installing it anew mends that; this is {sys.executable}"
    if found := conflicting_packages():
        what = f"the distribution {', '.join(found)} is installed, too, and has overwritten files"
        advice = f"{what}: {remedy(found, sys.executable)}"
    return f"cannot start: {type(error).__name__}: {error}; {advice}"


def remedy(found: list[str], python: str) -> str:
    """Return what to do about them, in a line to be copied.

    Examples
    --------
    >>> remedy(["collision"], "python")  # doctest: +ELLIPSIS
    'python -m pip uninstall -y collision, and then, in the checkout: python -m pip install ...'
    """
    away = f"{python} -m pip uninstall -y {' '.join(found)}"
    return f"{away}, and then, in the checkout: {python} -m pip install --force-reinstall --no-deps ."
