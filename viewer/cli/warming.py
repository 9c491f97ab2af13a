"""Compiling all that commands need before anybody waits for it: on a new machine, in a container image, in CI."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.progress import Progress

from collision.inner import CACHE_VARIABLE as VARIABLE
from collision.inner import INSTALLED, built_library, loops_of, on_compile, writable_folder


@dataclass(frozen=True)
class Warmth:
    """What `warm` found and did.

    Attributes
    ----------
    folder : str or None
        Where what is compiled is kept; None where that is nowhere.
    ready : int
        How many parts were there already.
    compiled : int
        How many are new.
    """

    folder: str | None
    ready: int
    compiled: int

    def as_dict(self) -> dict[str, object]:
        """Return what JSON holds: the fields, and the version of this form."""
        return {"version": 1, **asdict(self)}

    def __str__(self) -> str:
        """Return it as a sentence.

        Examples
        --------
        >>> print(Warmth("/cache", 100, 3))
        All 103 parts are compiled for this processor (3 of them now), and kept in /cache
        >>> print(Warmth(None, 0, 103))
        All 103 parts can be compiled, but kept nowhere: COLLISION_CACHE_DIR names a folder that can be written
        """
        count = self.ready + self.compiled
        if self.folder is None:
            return f"All {count} parts can be compiled, but kept nowhere: {VARIABLE} names a folder that can be written"
        done = f"All {count} parts are compiled for this processor ({self.compiled} of them now)"
        return f"{done}, and kept in {self.folder}"


def warm() -> Warmth:
    """Compile what is not compiled yet, with progress on a terminal."""
    new: list[str] = []
    on_compile.append(new.append)
    try:
        loops = loops_of("collision", all_installed=False)  # what needs more than there is has no loops
        with Progress(console=Console(file=sys.stderr), transient=True, disable=not sys.stderr.isatty()) as progress:
            for loop in progress.track(loops, description="compiling for this processor"):
                _ = loop.run
    finally:
        on_compile.remove(new.append)
    ahead = built_library()
    folder = writable_folder("") if ahead is None or ahead.left else INSTALLED
    return Warmth(None if folder is None else str(folder), len(loops) - len(new), len(new))
